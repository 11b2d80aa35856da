//! Ranked placements for the page: [`Study`] answers a [`BoardQuestion`] with [`RankedAnswer`]s.

use std::sync::Arc;

use maxout_engine::eval::ntuple::Network;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::{Placement, Reach, Start};
use maxout_engine::search::{Expectimax, Widths};
use maxout_rules::{Board, Piece, Progress};
use serde::{Deserialize, Serialize};

use crate::scene::{CellList, letter, placed};

/// Most bytes of a question.
const MAX_QUESTION: usize = 64 << 10;

/// A drawn board and the pieces on it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct BoardQuestion {
    /// Lines of ten `.` and `#`, bottom row last.
    pub board: String,
    /// The piece in the air.
    pub piece: char,
    /// The next piece; without it the mean over all seven.
    pub next: Option<char>,
    /// The level, 0 to 255.
    pub level: u8,
    /// Lines so far.
    pub lines: u32,
    /// A tap table by its name, or nothing for each button at most every second frame.
    pub taps: String,
}

/// A placement and what it is worth.
#[derive(Clone, Serialize, PartialEq, Debug)]
pub struct RankedAnswer {
    /// Letter of the piece.
    pub piece: Option<char>,
    /// The cells that it takes.
    pub cells: CellList,
    /// The expected points of this placement and of what follows.
    pub value: f32,
    /// The buttons of each frame, `RLDUTSBA`, until nothing more need be pressed.
    pub buttons: Vec<String>,
    /// The rows that it completes.
    pub rows: u8,
    #[serde(skip)]
    placement: Placement,
}

/// Ranks placements by the learned value.
pub struct Study {
    network: Arc<Network>,
    search: Option<(Limits, Expectimax)>,
}

impl Study {
    /// Makes a study by this network.
    pub const fn new(network: Arc<Network>) -> Self {
        Self { network, search: None }
    }

    /// Answers a question in JSON. The error says in one line what is wrong with it.
    pub fn rank(&mut self, question: &str) -> Result<String, String> {
        if question.len() > MAX_QUESTION {
            return Err(format!("question has {} bytes, expected at most {MAX_QUESTION}", question.len()));
        }
        let question: BoardQuestion =
            serde_json::from_str(question).map_err(|error| format!("question: {error}"))?;
        let BoardQuestion { board, piece, next, level, lines, taps } = question;
        let board: Board = board.parse().map_err(|error| format!("{error}"))?;
        let known = |letter: char| {
            Piece::from_letter(letter)
                .ok_or_else(|| format!("piece {letter:?}, expected one of T, J, Z, O, S, L, I"))
        };
        let (piece, next) = (known(piece)?, next.map(known).transpose()?);
        if lines > 25_599 {
            return Err(format!("{lines} lines, expected at most 25599"));
        }
        let limits = match taps.as_str() {
            "" => Limits::EACH_BUTTON,
            name => Limits::taps(name.parse::<TapTable>().map_err(|error| error.to_string())?),
        };
        let ranked = self.at(&board, &Start::spawn(piece, level), next, Progress::at(lines, level), limits);
        serde_json::to_string(&ranked).map_err(|error| error.to_string())
    }

    /// Ranks the placements of the piece at `start`, best first.
    pub fn at(
        &mut self,
        board: &Board,
        start: &Start,
        next: Option<Piece>,
        progress: Progress,
        limits: Limits,
    ) -> Vec<RankedAnswer> {
        if self.search.as_ref().is_none_or(|(made_for, _)| *made_for != limits) {
            self.search = Some((limits, Expectimax::new(Arc::clone(&self.network), Widths::TWO, limits)));
        }
        let (Some((_, search)), Some(reach)) = (&mut self.search, Reach::new(board, start, limits)) else {
            return Vec::new();
        };
        let every: Vec<Piece> = next.map_or_else(|| Piece::ALL.to_vec(), |next| vec![next]);
        // The sum of a placement's values, and for how many next pieces it was ranked.
        let mut sums: Vec<(Placement, f32, usize)> = Vec::new();
        for &next in &every {
            for ranked in search.rank(board, start, next, progress) {
                match sums.iter_mut().find(|(placement, ..)| *placement == ranked.placement) {
                    Some((_, sum, count)) => (*sum, *count) = (*sum + ranked.value, *count + 1),
                    None => sums.push((ranked.placement, ranked.value, 1)),
                }
            }
        }
        sums.retain(|&(_, _, count)| count == every.len());
        sums.sort_by(|a, b| b.1.total_cmp(&a.1));
        let answer = |(placement, sum, _): (Placement, f32, usize)| {
            let buttons = reach.path(placement)?.inputs.iter().map(ToString::to_string).collect();
            let rows = { *board }.lock(placement.x, placement.y, placement.id);
            let value = sum / every.len() as f32;
            let (piece, cells) = (letter(placement.id), placed(placement));
            Some(RankedAnswer { piece, cells, value, buttons, rows, placement })
        };
        sums.into_iter().filter_map(answer).collect()
    }
}
