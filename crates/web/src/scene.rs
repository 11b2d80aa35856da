//! What the page shows of a game: [`PageScene`].

use maxout_engine::analysis::MoveClass;
use maxout_engine::player::Plan;
use maxout_host::screen;
use maxout_host::session::GameOutcome;
use maxout_record::result::Lock;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Board, PieceId, Placement};
use serde::Serialize;
use wasm_bindgen::prelude::*;

use crate::Refused;
use crate::rating::{OwnRating, OwnRatings};

/// Four cells, each as row and column.
pub type CellList = Vec<(i8, i8)>;

/// The size of the emulator's picture and where the field is in it, in pixels.
#[derive(Serialize)]
struct ScreenLayout {
    width: usize,
    height: usize,
    /// The field's upper left corner.
    x: usize,
    y: usize,
    /// Width and height of a cell.
    cell: usize,
}

/// Returns where the field is in the emulator's picture, as JSON (see `ScreenLayout` in `scene.rs`).
#[wasm_bindgen]
pub fn layout() -> Result<String, Refused> {
    let (width, height, (x, y), cell) = (screen::WIDTH, screen::HEIGHT, screen::FIELD, screen::CELL);
    Ok(serde_json::to_string(&ScreenLayout { width, height, x, y, cell })?)
}

/// Returns the cells of a placement.
pub fn placed(placement: Placement) -> CellList {
    let Placement { y, orientation, x } = placement;
    orientation.cells().iter().map(|&(dx, dy)| (y as i8 + dy, x as i8 + dx)).collect()
}

/// Returns the letter of a piece, or `None` if none is shown.
pub fn letter(id: PieceId) -> Option<char> {
    Some(id.piece()?.letter())
}

/// A state of a game, as the page gets it.
#[derive(Serialize)]
pub struct PageScene<'a> {
    /// Frames of play.
    pub frame: u64,
    /// Frames in a second of the console.
    pub frames_per_second: f64,
    /// Pieces that have locked.
    pub pieces: u32,
    /// Lines so far.
    pub lines: u32,
    /// Level.
    pub level: u8,
    /// Score without the game's cap.
    pub score: u64,
    /// Singles, doubles, triples and tetrises.
    pub clears: [u32; 4],
    /// Twenty rows of ten letters: the piece of each cell, `x` if that is not known, `.` for none.
    pub board: &'a str,
    /// Letter of the piece in play.
    pub piece: Option<char>,
    /// Where it is, while it is in control.
    pub air: Option<CellList>,
    /// Letter of the next piece.
    pub next: Option<char>,
    /// Where the plan puts the piece.
    pub target: Option<CellList>,
    /// Columns `RLDUTSBA` of the last frame.
    pub buttons: String,
    /// Whether the game topped out.
    pub topped_out: bool,
    /// Whether it reached its stop.
    pub reached_stop: bool,
    /// Whether the game is over.
    pub over: bool,
    /// What the user's last placement lost.
    pub rating: Option<&'a OwnRating>,
    /// How many such placements there are of each class, by the name of the class.
    pub ratings: Vec<(&'static str, u32)>,
    /// How many such placements probably were misdrops.
    pub misdrops: usize,
    /// The user's taps a second, if there were enough of them.
    pub pace: Option<f32>,
}

impl<'a> PageScene<'a> {
    /// Makes the scene of a state.
    pub fn new(
        now: &Snapshot,
        plan: Option<&Plan>,
        so_far: &GameOutcome,
        paint: &'a Paint,
        ratings: &'a OwnRatings,
        over: bool,
    ) -> Self {
        Self {
            frame: so_far.frames,
            frames_per_second: ratings.frames_per_second(),
            pieces: so_far.result.pieces,
            lines: now.progress.lines(),
            level: now.progress.level,
            score: so_far.locks.last().map_or(0, |lock| lock.score),
            clears: so_far.result.clears(),
            board: &paint.text,
            piece: letter(now.current),
            air: now.placement().filter(|_| now.in_control()).map(placed),
            next: letter(now.next),
            target: plan.map(|plan| placed(plan.placement)),
            buttons: so_far.log.frames().last().copied().unwrap_or_default().to_string(),
            topped_out: so_far.result.topped_out,
            reached_stop: so_far.result.reached_stop,
            over,
            rating: ratings.list().last(),
            ratings: MoveClass::ALL.map(MoveClass::name).into_iter().zip(ratings.counts()).collect(),
            misdrops: ratings.list().iter().filter(|rating| rating.meant.is_some()).count(),
            pace: ratings.pace(),
        }
    }
}

/// The piece of every locked cell.
#[derive(Clone, Debug)]
pub struct Paint {
    rows: Vec<[char; 10]>,
    locks: usize,
    text: String,
}

impl Paint {
    /// Makes the paint of a board on which nobody knows which pieces it is made of: `x` for each solid cell.
    pub fn of(board: &Board) -> Self {
        let cell = |row, column| if board.is_solid(row, column) { 'x' } else { '.' };
        let rows = (-2..20).map(|row| std::array::from_fn(|column| cell(row, column as i8))).collect();
        Self { rows, locks: 0, text: String::new() }
    }

    /// Follows the game to the state `now`, after these locks.
    pub fn follow(&mut self, now: &Snapshot, locks: &[Lock]) {
        for lock in &locks[self.locks.min(locks.len())..] {
            self.lock(lock);
        }
        self.locks = locks.len();
        let fresh = letter(now.current).unwrap_or('x');
        self.text.clear();
        for row in 0..20_i8 {
            for column in 0..10_i8 {
                self.text.push(self.seen(&now.board, row, column, fresh));
            }
        }
    }

    /// The letter of a cell. What is solid without paint is the piece that has just locked.
    fn seen(&self, board: &Board, row: i8, column: i8, fresh: char) -> char {
        let painted = self.rows[row as usize + 2][column as usize];
        match (board.is_solid(row, column), painted) {
            (false, _) => '.',
            (true, '.') => fresh,
            (true, painted) => painted,
        }
    }

    fn lock(&mut self, lock: &Lock) {
        let letter = lock.placement.orientation.piece().letter();
        for (row, column) in placed(lock.placement) {
            let cell = self.rows.get_mut((row + 2) as usize).and_then(|row| row.get_mut(column as usize));
            if let Some(cell) = cell {
                *cell = letter;
            }
        }
        self.rows.retain(|row| row.contains(&'.'));
        while self.rows.len() < 22 {
            self.rows.insert(0, ['.'; 10]);
        }
    }
}
