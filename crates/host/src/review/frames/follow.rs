//! A game that is followed while it is played, frame by frame: [`FrameFollower`].

use super::compact::Look;
use super::field::{Field, misfit};
use super::resting;
use maxout_engine::Position;
use maxout_engine::movegen::Start;
use maxout_record::champs::ChampsFrame;
use maxout_rules::{Board, Piece, Progress};

/// Frames in which a placement must explain the field. After these, the board is what was seen around the new piece.
const PATIENCE: usize = 20;
/// Frames between two pieces where the frames count none.
const SHORTEST: usize = 6;
/// The level of frames that tell none.
const LEVEL: u32 = 19;

/// Reads the frames of one player as they come, and tells the position of each piece that appears.
#[derive(Debug, Default)]
pub struct FrameFollower {
    before: Option<Seen>,
    /// The last position.
    last: Option<Position>,
    /// The piece that has appeared and whose board is not known yet.
    new: Option<Appeared>,
    lines: u32,
    level: Option<u32>,
}

/// What the last frame showed, where it showed anything.
#[derive(Debug)]
struct Seen {
    game: u32,
    counts: Option<[u16; 7]>,
    next: Option<Piece>,
    /// Whether cells were seen where pieces appear.
    at_top: bool,
    /// Frames since the piece appeared.
    frames: usize,
}

/// A piece that has appeared.
#[derive(Debug)]
struct Appeared {
    piece: Piece,
    /// Frames since then.
    frames: usize,
    /// What lay around it when it was seen where pieces appear.
    around: Option<Board>,
}

impl FrameFollower {
    /// Takes the next frame. Returns the position of a piece that has appeared, once its board is known.
    pub fn follow(&mut self, frame: &ChampsFrame) -> Option<Position> {
        let look = Look::new(frame);
        let field = look.field;
        self.lines = frame.lines.unwrap_or(self.lines);
        self.level = frame.level.or(self.level);
        if let Some(piece) = self.appeared(frame.game, &look) {
            // Of a piece whose board never became known, the placement is not known either.
            if self.new.is_some() {
                self.last = None;
            }
            self.new = Some(Appeared { piece, frames: 0, around: None });
        }
        let mut new = self.new.take()?;
        new.frames += 1;
        new.around = new.around.or_else(|| without_spawned(&field, new.piece));
        let around = new.around.filter(|_| self.last.is_none() || new.frames >= PATIENCE);
        let Some(board) = self.explained(&field, new.piece).or(around) else {
            if new.frames < PATIENCE {
                self.new = Some(new);
            } else {
                self.last = None;
            }
            return None;
        };
        let piece = new.piece;
        let level = u8::try_from(self.level.unwrap_or(LEVEL)).unwrap_or(u8::MAX);
        let next = look.next;
        let progress = Progress::at(self.lines, level);
        self.last = Some(Position { board, start: Start::spawn(piece, level), next, progress });
        self.last
    }

    /// The piece that has appeared since the last frame: the counts say which, or the next box and the top rows.
    fn appeared(&mut self, game: u32, look: &Look) -> Option<Piece> {
        let (next, current) = (look.next, look.current);
        let at_top = look.cells_at_top() >= 2;
        let now = Seen { game, counts: look.all_counts(), next, at_top, frames: 0 };
        let Some(before) = self.before.take().filter(|before| before.game == now.game) else {
            // Another game, or the first frame.
            (self.last, self.new) = (None, None);
            self.before = Some(now);
            return current;
        };
        let frames = before.frames + 1;
        let mut appeared = None;
        let mut is_new = false;
        if let (Some(from), Some(to)) = (before.counts, now.counts) {
            let grown: Vec<Piece> = Piece::ALL
                .into_iter()
                .zip(from.iter().zip(to))
                .filter(|(_, (from, to))| **from < *to)
                .map(|(piece, _)| piece)
                .collect();
            let is_less = from.iter().zip(to).any(|(from, to)| *from > to);
            if is_less {
                self.last = None;
            }
            is_new = is_less || !grown.is_empty();
            let only = (!is_less && grown.len() == 1).then(|| grown[0]);
            appeared = only.or(current).or(before.next).filter(|_| is_new);
        } else if now.counts.is_none() && before.counts.is_none() && frames >= SHORTEST {
            let changed = next.is_some() && next != before.next;
            is_new = changed || (at_top && !before.at_top);
            appeared = current.filter(|_| changed).or(before.next).or(current).filter(|_| is_new);
        }
        self.before = Some(Seen {
            counts: now.counts.or(before.counts),
            next: next.or(before.next),
            frames: if is_new { 0 } else { frames },
            ..now
        });
        appeared
    }

    /// The board after the placement of the last piece that explains the field best, if one does: its cells, and no others
    /// than the four of the new piece.
    fn explained(&self, field: &Field, piece: Piece) -> Option<Board> {
        let Position { board, start, progress, .. } = self.last?;
        let around = without_spawned(field, piece);
        let mut best: Option<(u32, Board)> = None;
        for (placement, price) in resting(&board, Some(start.orientation.piece()), progress.level) {
            let mut after = board;
            after.lock(placement.x, placement.y, placement.orientation);
            if misfit(&after, &[*field]) > 0.0 {
                continue;
            }
            // Cells beyond it: those of the new piece where it appears, none, or those of a piece on its way.
            let is_exact = after.visible() == field || around.is_some_and(|around| around == after);
            let cost = 2 * u32::from(!is_exact) + u32::from(price > 0.0);
            if best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, after));
            }
        }
        best.map(|(_, board)| board)
    }
}

/// The field without the piece, if the piece is seen whole where it appears, or if nothing is seen at all.
fn without_spawned(field: &Field, piece: Piece) -> Option<Board> {
    let spawn = Start::spawn(piece, 0);
    let mut rows = [0; 22];
    rows[2..].copy_from_slice(field);
    let mut seen = 0;
    for &(dx, dy) in spawn.orientation.cells() {
        let (row, bit) = ((spawn.y as i8 + dy + 2) as usize, 1 << (spawn.x as i8 + dx));
        seen += u32::from(rows[row] & bit != 0);
        rows[row] &= !bit;
    }
    let is_full = field.contains(&0x3FF);
    (!is_full && (seen == 4 || *field == [0; 20])).then(|| Board::from_rows(rows))
}
