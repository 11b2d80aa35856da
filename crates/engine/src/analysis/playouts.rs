//! What placements have led to when games were played on from them: [`GamePlayouts`].

use std::sync::Arc;

use super::parameters::LINES_FROM_29;
use super::{Analyst, Estimate, is_at_stop, stop_level};
use crate::Position;
use crate::env::{Env, EnvRules, GameEnd};
use crate::eval::ntuple::Network;
use crate::limits::Limits;
use crate::search::{Expectimax, Widths};
use maxout_rules::random::Dice;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress};

/// More pieces than any game needs to its stop: 400 lines take 1,000.
const MOST_PIECES: u64 = 2_000;
/// The generator's odds depend on how many pieces it has dealt, modulo this number. In the middle of a game that is
/// taken to be unknown.
const PHASES: usize = 8;

/// How one game went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Playout {
    /// The line points from the position to the stop or to the top-out, those of the first placement included.
    pub points: u64,
    /// Whether it topped out before the stop.
    pub topped_out: bool,
}

/// Plays games on from a position, as `maxout-2ply` does.
///
/// Equal seeds give equal pieces, whatever the first placement is. So the playouts of two placements on the same seeds
/// differ by the placements alone (common random numbers).
#[derive(Clone, Debug)]
pub struct GamePlayouts {
    pub(super) search: Expectimax,
    pub(super) limits: Limits,
}

impl GamePlayouts {
    /// Playouts with these learned tables, in which every piece is played within `limits`.
    pub fn new(network: Arc<Network>, limits: Limits) -> Self {
        Self::of(Expectimax::new(network, Widths::TWO, limits), limits)
    }

    /// Playouts in which this search plays every piece within `limits`.
    pub const fn of(search: Expectimax, limits: Limits) -> Self {
        Self { search, limits }
    }

    /// Plays `placement`, and then on with the pieces of `seed`, up to the stop that [`Analyst`](super::Analyst) looks
    /// ahead to. The next piece is the question's, if it is known. A placement in which the piece cannot rest is a
    /// top-out.
    pub fn play(&mut self, position: &Position, placement: Placement, seed: u64) -> Playout {
        let mut env = asked(position, placement, self.limits, seed);
        match env.step(placement) {
            Ok(step) => self.play_on(&mut env, &[], step.reward),
            Err(_) => Playout { points: 0, topped_out: true },
        }
    }

    /// Plays on from `board` up to the stop. The first of `pieces` is in play and the second is next. When `pieces` are
    /// used up, those of `seed` follow.
    pub fn play_pieces(
        &mut self,
        board: Board,
        progress: Progress,
        fall_rule: FallRule,
        pieces: &[Piece],
        seed: u64,
    ) -> Playout {
        let mut env = game(board, progress, fall_rule, self.limits, seed);
        if let [first, second, ..] = *pieces {
            env.deal_pieces(first, second);
        }
        self.play_on(&mut env, pieces.get(2..).unwrap_or_default(), 0)
    }

    /// Plays on to the end. `pieces` follow the piece that is next in `env`.
    fn play_on(&mut self, env: &mut Env, pieces: &[Piece], mut points: u64) -> Playout {
        let mut pieces = pieces.iter();
        while env.end().is_none() {
            let best = self.search.best(&env.position());
            let Some(step) = best.and_then(|placement| env.step(placement).ok()) else {
                return Playout { points, topped_out: true };
            };
            points += step.reward;
            if let Some(&piece) = pieces.next() {
                env.deal_pieces(env.piece(), piece);
            }
        }
        Playout { points, topped_out: env.end() == Some(GameEnd::TopOut) }
    }
}

impl Analyst {
    /// Plays `placement` and up to `pieces` pieces more, each where this analyst's search puts it, with the pieces of `seed`. Returns the line
    /// points made, and those that it forecasts from there to the stop.
    ///
    /// A forecast of a board that the search has built itself is a good one, so a few pieces say as much of what a placement costs as whole
    /// games do. Where the stop moves with the game, it plays on to the end. Pieces are those of [`GamePlayouts::play`].
    pub fn play_on(
        &mut self,
        position: &Position,
        placement: Placement,
        pieces: usize,
        seed: u64,
    ) -> Estimate {
        let mut env = asked(position, placement, self.limits(), seed);
        let lost = |points| Estimate { points, topout: 1.0 };
        let Ok(step) = env.step(placement) else { return lost(0.0) };
        let mut points = step.reward as f32;
        let mut at_stop = position.progress;
        (0..LINES_FROM_29).for_each(|_| at_stop.add_rows(1));
        let moves = position.progress.level >= 29 && !is_at_stop(position.progress, at_stop, 0);
        let mut left = if moves { usize::MAX } else { pieces };
        while env.end().is_none() && left > 0 {
            let best = self.search.best(&env.position());
            let Some(step) = best.and_then(|placement| env.step(placement).ok()) else { return lost(points) };
            points += step.reward as f32;
            left -= 1;
        }
        match env.end() {
            Some(GameEnd::TopOut) => lost(points),
            Some(_) => Estimate { points, topout: 0.0 },
            None => {
                let verdicts = self.rank(&env.position());
                let Some(best) = verdicts.first() else { return lost(points) };
                Estimate { points: points + best.points, topout: best.topout }
            }
        }
    }
}

/// A game in which `placement` is next, with pieces from `seed` behind those of the question.
fn asked(position: &Position, placement: Placement, limits: Limits, seed: u64) -> Env {
    let Position { board, start, next, progress } = *position;
    let mut env = game(board, progress, start.fall_rule, limits, seed);
    let piece = placement.orientation.piece();
    env.deal_pieces(piece, piece);
    env.skip_piece();
    env.deal_pieces(piece, next.unwrap_or(env.next_piece()));
    env
}

/// A game that goes on from this position, with pieces from `seed`.
fn game(board: Board, progress: Progress, fall_rule: FallRule, limits: Limits, seed: u64) -> Env {
    let rules = EnvRules {
        until_level: u8::try_from(stop_level(progress.level)).ok(),
        until_lines: (progress.level >= 29).then_some(u64::from(LINES_FROM_29)),
        until_pieces: Some(MOST_PIECES),
        fall_rule,
        ..EnvRules::game(progress.level).with_moves(limits)
    };
    let mut env = Env::from_position(rules, seed, board, progress);
    (0..Dice::new(seed).below(PHASES)).for_each(|_| env.skip_piece());
    env
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights;

    use maxout_rules::line_points;

    #[test]
    fn equal_seeds_give_equal_playouts_and_a_tetris_counts() {
        let mut playouts = GamePlayouts::new(weights::embedded_common(), Limits::EACH_BUTTON);
        let board: Board = "#########.\n".repeat(4).parse().expect("art");
        let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(225, 28));
        let tetris = Placement { y: 18, orientation: Piece::I.spawn().clockwise(), x: 9 };
        assert!(board.is_valid(tetris.x, tetris.y, tetris.orientation));
        let played = playouts.play(&position, tetris, 7);
        assert_eq!(played, playouts.play(&position, tetris, 7));
        assert!(played.points >= line_points(4, 28) && !played.topped_out, "{played:?}");
    }

    #[test]
    fn a_game_of_given_pieces_has_these_and_no_others() {
        let mut playouts = GamePlayouts::new(weights::embedded_common(), Limits::EACH_BUTTON);
        // With S and Z alone the game soon tops out, so the pieces that follow do not matter.
        let pieces: Vec<Piece> = (0..200).map(|at| if at % 2 == 0 { Piece::S } else { Piece::Z }).collect();
        let start = Progress::at(0, 19);
        let played = playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &pieces, 3);
        assert_eq!(played, playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &pieces, 4));
        assert!(played.topped_out, "{played:?}");
        assert_ne!(
            playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &[], 3),
            playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &[], 4)
        );
    }
}
