//! Searches over the visible pieces, as players.

use std::sync::Arc;

use super::{Plan, Player};
use crate::Position;
use crate::eval::Evaluator;
use crate::limits::{Limits, Presses};
use crate::movegen::{Filter, Reach, taps_to};
use crate::search::{OnePiece, TwoPiece};
use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Placement};

/// Decides where pieces go; the buttons on the way are found for it ([`Entry::search`](super::Entry::search)).
pub trait Policy: Send {
    /// Returns where to put the piece, or `None` if no placement is worth trying. Then, or if the placement cannot be reached, the piece falls
    /// as it is, and the game counts that its player gave up. The first placement that cannot be reached is logged as a warning.
    fn choose(&mut self, position: &Position) -> Option<Placement>;

    /// Returns how many placements, or pairs of placements, the last decision looked at.
    fn nodes(&self) -> u64;

    /// Returns the placements of the piece with what they cost by the policy's own number, the lowest first.
    /// If the next piece is not known, the cost is the mean over the seven pieces, and a placement that some next piece cannot
    /// follow comes after the others.
    fn rank(&mut self, position: &Position) -> Vec<(Placement, f64)>;

    /// From now on, leaves out the placements that `filter` does not allow, as long as some placement remains.
    fn hold_to(&mut self, filter: Arc<dyn Filter>);
}

impl<E: Evaluator + Send> Policy for OnePiece<E> {
    fn choose(&mut self, Position { board, start, .. }: &Position) -> Option<Placement> {
        self.best(board, start).or_else(|| {
            let filter = self.filter.take()?;
            let free = self.best(board, start);
            self.filter = Some(filter);
            free
        })
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }

    fn rank(&mut self, Position { board, start, .. }: &Position) -> Vec<(Placement, f64)> {
        OnePiece::rank(self, board, start)
    }

    fn hold_to(&mut self, filter: Arc<dyn Filter>) {
        self.filter = Some(filter);
    }
}

impl<E: Evaluator + Send> Policy for TwoPiece<E> {
    /// If the search finds no pair, it takes the lowest placement.
    fn choose(&mut self, position: &Position) -> Option<Placement> {
        let choice = self.best(position).or_else(|| {
            let filter = self.filter.take()?;
            let free = self.best(position);
            self.filter = Some(filter);
            free
        });
        match choice {
            Some(choice) => Some(choice.placement),
            None => self.fallback(&position.board, &position.start),
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes()
    }

    fn rank(&mut self, position: &Position) -> Vec<(Placement, f64)> {
        if position.next.is_some() {
            return TwoPiece::rank(self, position);
        }
        let mut sums: Vec<(Placement, f64, u32)> = Vec::new();
        for next in Piece::ALL {
            for (placement, cost) in TwoPiece::rank(self, &Position { next: Some(next), ..*position }) {
                match sums.iter_mut().find(|(known, ..)| *known == placement) {
                    Some((_, sum, n)) => (*sum, *n) = (*sum + cost, *n + 1),
                    None => sums.push((placement, cost, 1)),
                }
            }
        }
        let mut ranked: Vec<(Placement, f64, u32)> =
            sums.into_iter().map(|(placement, sum, n)| (placement, sum / f64::from(n), n)).collect();
        ranked.sort_by(|a, b| b.2.cmp(&a.2).then(a.1.total_cmp(&b.1)));
        ranked.into_iter().map(|(placement, cost, _)| (placement, cost)).collect()
    }

    fn hold_to(&mut self, filter: Arc<dyn Filter>) {
        self.filter = Some(filter);
    }
}

/// A player that places each piece where its policy says, within its input limits.
pub(super) struct SearchPlayer {
    policy: Box<dyn Policy>,
    limits: Limits,
    /// Whether it was said that the policy chooses what cannot be reached.
    warned: bool,
}

impl SearchPlayer {
    /// Makes a player with these input limits. `policy` must choose among the placements that they can reach.
    pub fn new(policy: Box<dyn Policy>, limits: Limits) -> Self {
        Self { policy, limits, warned: false }
    }

    /// Returns the plan that leads to the placement, or `None` if nothing within the limits does.
    fn way(&self, seen: &Position, placement: Placement) -> Option<Plan> {
        let Position { board, start, .. } = seen;
        if self.limits.presses == Presses::ControllerStates {
            // These taps include the soft drops.
            let buttons = taps_to(board, start, placement)?;
            return Plan::fly(seen, &buttons, Buttons::NONE).filter(|plan| plan.placement == placement);
        }
        let path = Reach::new(board, start, self.limits)?.path(placement)?;
        Plan::along(seen, placement, &path, true)
    }
}

impl Player for SearchPlayer {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        let placement = self.policy.choose(seen)?;
        let plan = self.way(seen, placement);
        if plan.is_none() && !self.warned {
            self.warned = true;
            log::warn!(
                "the player chose {placement}, expected one of its Moves: it cannot be reached, and the piece falls as it is (told \
                 once; gave_up counts all)"
            );
        }
        plan
    }

    fn nodes(&self) -> u64 {
        self.policy.nodes()
    }
}
