//! Players on the learned value: they search with an expectimax and end each piece with a soft drop.

use std::sync::Arc;

use super::{Observation, Plan, Player};
use crate::eval::ntuple::Network;
use crate::limits::Limits;
use crate::movegen::Reach;
use crate::search::{Expectimax, Foresight, Widths};

/// A player that places each piece where an expectimax says, then soft-drops it.
pub(super) struct LearnedPlayer {
    search: Expectimax,
    input: Limits,
}

impl LearnedPlayer {
    pub fn new(network: Arc<Network>, widths: Widths, input: Limits, foresight: Foresight) -> Self {
        Self { search: Expectimax::new(network, widths, input).with_foresight(foresight), input }
    }
}

impl Player for LearnedPlayer {
    fn plan(&mut self, seen: &Observation) -> Option<Plan> {
        let Observation { board, start, next, progress, .. } = seen;
        let placement = self.search.best(board, start, *next, *progress)?;
        let path = Reach::new(board, start, self.input)?.path(placement)?;
        Plan::along(seen, placement, &path, true)
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }
}
