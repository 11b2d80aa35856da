//! A game in training: [`StageRules`] of a stage, which piece follows which, and where it stands.

use crate::random::Xorshift64Star;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{TableList, odds, speed};
use maxout_engine::limits::{Limits, Reaction};
use maxout_rules::{Board, FallRule, Piece};

/// Discount per piece.
pub const GAMMA: f32 = 0.99;
/// The value, in tetrises, from which a board's difference is discounted less: about the value of an ordinary board.
pub const ORDINARY: f32 = 9.04;
/// Reward by lines cleared, in tetrises.
pub const REWARD: [f32; 5] = [0.0, 1.0 / 30.0, 1.0 / 12.0, 0.25, 1.0];

/// What a stage of training plays and pays.
#[derive(Clone, Copy, PartialEq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a rule of its own")]
pub struct StageRules {
    /// Level whose gravity is played.
    pub level: u8,
    /// Placements of each piece that are followed by the next piece before one is chosen; 1 is greedy play.
    pub candidates: usize,
    /// Value of a lost game, in tetrises; 0 or less.
    pub death: f32,
    /// Whether the large tables tell max heights apart.
    pub by_height: bool,
    /// Share of boards, those of the least value, that are played again with other pieces; 0 for none.
    pub drill: f32,
    /// Whether the board that is played learns for all seven next pieces, not only for the one that comes.
    pub all_next: bool,
    /// Placements that leave this many more holes than another one are left out; `None` if none are.
    pub hole_margin: Option<u8>,
    /// The discount per piece of a board's difference from an ordinary one; [`GAMMA`] or more.
    pub discount: f32,
    /// How much error, in tetrises, a weight must have seen before its step is as long as its errors agree.
    pub patience: f32,
    /// What the controller may do, and when the next piece is seen.
    pub limits: Limits,
    /// How fast pieces fall.
    pub fall_rule: FallRule,
    /// Whether levels 19 to 28 have tables of their own, because the taps are slower than those of the shipped weights.
    pub slow_taps: bool,
    /// Whether all tables learn for this speed of fall alone. They then stand where those of the first speed do.
    pub alone: bool,
}

#[cfg(test)]
impl StageRules {
    /// A stage without anything special, for tests to change.
    pub const PLAIN: Self = Self {
        level: 19,
        candidates: 2,
        death: -1.0,
        by_height: true,
        drill: 0.0,
        all_next: false,
        hole_margin: None,
        discount: GAMMA,
        patience: 0.0,
        limits: Limits::EACH_BUTTON,
        fall_rule: FallRule::Ntsc,
        slow_taps: false,
        alone: false,
    };
}

impl StageRules {
    /// Returns a board's value, discounted by one piece. The part of an ordinary board is multiplied by [`GAMMA`], so values keep
    /// their scale; the difference from it is multiplied by `discount`.
    pub fn earlier(&self, value: f32) -> f32 {
        GAMMA * value + (self.discount - GAMMA) * (value - ORDINARY)
    }

    /// Which of the speeds' tables learn.
    pub fn speed(&self) -> usize {
        if self.alone { 0 } else { speed(self.level, self.fall_rule, self.slow_taps) }
    }

    /// Whether each piece is placed before the next one is seen.
    pub const fn is_blind(&self) -> bool {
        !self.limits.reaction.ends_before_lock(self.level, self.fall_rule)
    }

    /// Frames of a piece before the next one is seen, if there are any and if it is seen at all.
    pub fn delay(&self) -> Option<u32> {
        match self.limits.reaction {
            Reaction::Frames(frames @ 1..) if !self.is_blind() => Some(frames.into()),
            _ => None,
        }
    }
}

/// The piece that follows `last`, by the odds of the game's generator.
pub(in crate::train) fn piece_after(dice: &mut Xorshift64Star, last: Piece) -> Piece {
    let mut left = dice.unit();
    for piece in Piece::ALL {
        left -= odds(last)[piece as usize];
        if left < 0.0 {
            return piece;
        }
    }
    Piece::I
}

/// A game in training.
///
/// This is no [`maxout_engine::Env`], for speed: the board after each placement is made once, with its table indices, to
/// be judged, and whole fans of them become those of the next piece. A step of an `Env` would make that board again. The
/// next piece is drawn only after the piece in play was judged for all of them, by the dice that also draw the drills.
#[derive(Clone, Copy)]
pub(super) struct Position<L: TableList> {
    pub board: Board,
    pub here: L::Indices,
    pub piece: Piece,
}

impl<L: TableList> Position<L> {
    pub fn new(dice: &mut Xorshift64Star, rules: StageRules) -> Self {
        let board = Board::EMPTY;
        let here = L::indices(&Shape::of(&board), rules.by_height, rules.speed());
        Self { board, here, piece: piece_after(dice, Piece::O) }
    }
}
