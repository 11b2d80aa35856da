//! What placements have led to when games were played on from them: [`GamePlayouts`].

use std::sync::Arc;

use super::Question;
use super::calibration::is_at_stop;
use crate::eval::ntuple::{Network, odds};
use crate::limits::Limits;
use crate::movegen::{Placement, Start};
use crate::search::{Expectimax, Widths};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Piece, Progress, line_points};

/// More pieces than any game needs to its stop: 400 lines take 1,000.
const MOST_PIECES: usize = 2_000;

/// How one game went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Playout {
    /// The line points from the position to the stop or to the top-out, those of the first placement included.
    pub points: u64,
    /// Whether it topped out before the stop.
    pub topped_out: bool,
}

/// Plays games on from a position, as `maxout-fast` does.
///
/// Equal seeds give equal pieces, whatever the first placement is. So the playouts of two placements on the same seeds
/// differ by the placements alone (common random numbers).
#[derive(Clone, Debug)]
pub struct GamePlayouts {
    search: Expectimax,
}

impl GamePlayouts {
    /// Playouts with these learned tables, in which every piece is played within `limits`.
    pub fn new(network: Arc<Network>, limits: Limits) -> Self {
        Self { search: Expectimax::new(network, Widths::TWO, limits) }
    }

    /// Plays `placement`, and then on with the pieces of `seed`, up to the stop that [`Analyst`](super::Analyst) looks
    /// ahead to. The next piece is that of the question, if it is known.
    pub fn play(&mut self, question: &Question, placement: Placement, seed: u64) -> Playout {
        let piece = placement.id.piece().unwrap_or(Piece::T);
        let mut pieces = Sequence { dice: Dice::new(seed), last: piece };
        let mut game = Game { board: question.board, progress: question.progress, lines: 0, points: 0 };
        let is_over = |game: &Game| is_at_stop(question.progress, game.progress, game.lines);
        game.place(placement);
        let mut now = pieces.deal(question.next);
        for _ in 0..MOST_PIECES {
            if is_over(&game) {
                break;
            }
            let next = pieces.deal(None);
            let start = Start::spawn(now, game.progress.level);
            let Some(best) = self.search.best(&game.board, &start, next, game.progress) else {
                return Playout { points: game.points, topped_out: true };
            };
            game.place(best);
            now = next;
        }
        Playout { points: game.points, topped_out: false }
    }
}

/// The pieces that come, by the odds of the game's generator.
struct Sequence {
    dice: Dice,
    last: Piece,
}

impl Sequence {
    /// Returns the next piece; `known` if that is known. The dice roll either way.
    fn deal(&mut self, known: Option<Piece>) -> Piece {
        let mut left = self.dice.unit() as f32;
        let drawn = Piece::ALL.into_iter().zip(odds(self.last)).find(|(_, share)| {
            left -= **share;
            left < 0.0
        });
        self.last = known.unwrap_or_else(|| drawn.map_or(Piece::I, |(piece, _)| piece));
        self.last
    }
}

/// A game that goes on.
struct Game {
    board: Board,
    progress: Progress,
    lines: u32,
    points: u64,
}

impl Game {
    fn place(&mut self, placement: Placement) {
        let lines = self.board.lock(placement.x, placement.y, placement.id).min(4);
        self.progress.add_rows(lines);
        self.lines += u32::from(lines);
        if lines > 0 {
            self.points += line_points(lines, self.progress.level);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights;

    #[test]
    fn equal_seeds_give_equal_playouts_and_a_tetris_counts() {
        let mut playouts = GamePlayouts::new(weights::embedded(), Limits::EACH_BUTTON);
        let board: Board = "#########.\n".repeat(4).parse().expect("art");
        let start = Start::spawn(Piece::I, 28);
        let question = Question { board, start, next: Some(Piece::T), progress: Progress::at(225, 28) };
        let tetris = Placement { y: 18, id: Piece::I.spawn().clockwise(), x: 9 };
        assert!(board.is_valid(tetris.x, tetris.y, tetris.id));
        let played = playouts.play(&question, tetris, 7);
        assert_eq!(played, playouts.play(&question, tetris, 7));
        assert!(played.points >= line_points(4, 28) && !played.topped_out, "{played:?}");
    }

    #[test]
    fn pieces_come_by_their_odds() {
        let mut pieces = Sequence { dice: Dice::new(1), last: Piece::T };
        let drawn: Vec<Piece> = (0..10_000).map(|_| pieces.deal(None)).collect();
        let repeats = drawn.windows(2).filter(|pair| pair[0] == pair[1]).count();
        // One in 32 for most pieces, two for some.
        assert!((250..600).contains(&repeats), "{repeats}");
        assert_eq!(pieces.deal(Some(Piece::O)), Piece::O);
    }
}
