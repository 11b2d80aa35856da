//! [`Drill`]: practice on bad boards between parts of the game.

use super::position::Position;
use super::tables::OPTIMISM;
use crate::random::Xorshift64Star;
use maxout_engine::eval::ntuple::TableList;

/// Practice on bad boards: a good player sees few of them, and loses by those.
///
/// Between parts of the game, boards of the least value that came up in it are played with other pieces. The game
/// goes on afterwards where it stood, so what counts as bad does not drift.
pub(super) struct Drill<L: TableList> {
    /// Share of boards that are bad.
    share: f32,
    /// Bad boards of the game.
    pub(super) bad: Vec<Position<L>>,
    /// Running estimate of the value that divides bad from good.
    below: f32,
    /// The game, while it waits.
    waiting: Option<Position<L>>,
    /// Pieces until the next turn.
    left: u32,
}

impl<L: TableList> Drill<L> {
    /// Pieces of the game between two turns.
    pub const GAME: u32 = 180;
    /// Pieces of a turn.
    pub const TURN: u32 = 20;
    /// Bad boards that are kept; a new one takes the place of any.
    pub const KEPT: usize = 256;
    /// How fast the estimate follows, in tetrises.
    pub const STEP: f32 = 0.2;

    pub const fn new(share: f32) -> Self {
        Self { share, bad: Vec::new(), below: OPTIMISM, waiting: None, left: Self::GAME }
    }

    /// Whether the pieces now are not the game's.
    pub const fn away(&self) -> bool {
        self.waiting.is_some()
    }

    /// Counts a piece; at the end of a part, exchanges `position`. True if it did.
    pub fn turn(&mut self, position: &mut Position<L>, dice: &mut Xorshift64Star) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 || self.share == 0.0 {
            return false;
        }
        self.left = Self::GAME;
        if let Some(game) = self.waiting.take() {
            *position = game;
            return true;
        }
        let Some(&bad) = self.bad.get(dice.below(self.bad.len())) else { return false };
        self.waiting = Some(std::mem::replace(position, bad));
        self.left = Self::TURN;
        true
    }

    /// The lost turn ends: `position` is the game's again. False if it was the game that was lost.
    pub fn lost(&mut self, position: &mut Position<L>) -> bool {
        let game = self.waiting.take();
        if let Some(game) = game {
            *position = game;
            self.left = Self::GAME;
        }
        game.is_some()
    }

    /// Keeps `position`, of this `value`, if it is bad and the game's.
    pub fn note(&mut self, position: &Position<L>, value: f32, dice: &mut Xorshift64Star) {
        if self.share == 0.0 || self.away() {
            return;
        }
        if value >= self.below {
            self.below += Self::STEP * self.share;
            return;
        }
        self.below -= Self::STEP * (1.0 - self.share);
        if self.bad.len() < Self::KEPT {
            self.bad.push(*position);
        } else {
            self.bad[dice.below(Self::KEPT)] = *position;
        }
    }
}
