//! The first of the two steps of a piece when the next piece is seen late: the states that the piece can be in by then,
//! each with its action.

use serde::{Deserialize, Serialize};

use crate::encoding::{ACTIONS, action};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Hover, Reach, Start, Then, placements};
use maxout_rules::{Board, Placement};

/// The number of frames of a piece after which the next one is seen, and the presses that these frames allow.
#[derive(Clone, Copy, Serialize, Deserialize)]
pub(crate) struct Delay {
    /// The presses.
    pub(crate) limits: Limits,
    /// The number of frames, at least 1.
    pub(crate) frames: u32,
}

/// A state that a piece can be in when the next one is seen.
#[derive(Clone, Copy)]
pub(crate) struct Choice {
    /// The action that means it.
    pub(crate) action: usize,
    /// The state.
    pub(crate) hover: Hover,
}

/// Lists the states that the piece of `reach` can be in after `frames` frames, in the order of [`Reach::hovers`].
///
/// The action is the same as for a placement at the same place. Several states can share a place: their earlier buttons differ, and
/// each leaves a freedom that the others do not. The first of them has the action of the place. Each of the others takes the
/// next row that is free, from the place downwards and then from the top.
pub(crate) fn choices(reach: &Reach, frames: u32) -> Vec<Choice> {
    let hovers = reach.hovers(frames);
    let mut taken = [false; ACTIONS];
    for hover in &hovers {
        if let Then::Locked(placement) = hover.then {
            taken[action(placement)] = true;
        }
    }
    let mut number = |then| match then {
        Then::Locked(placement) => Some(action(placement)),
        Then::Falls(Start { x, y, orientation: id, .. }) => {
            let mut rows = (y..20).chain(0..y).map(|y| action(Placement { y, orientation: id, x }));
            let free = rows.find(|&action| !taken[action])?;
            taken[free] = true;
            Some(free)
        }
    };
    let choice = |hover: Hover| number(hover.then).map(|action| Choice { action, hover });
    hovers.into_iter().filter_map(choice).collect()
}

/// Replaces the contents of `out` with the placements that can be reached from a state.
pub(crate) fn onward(board: &Board, then: Then, limits: Limits, out: &mut Vec<Placement>) {
    match then {
        Then::Falls(start) => placements(board, &start, limits, out),
        Then::Locked(placement) => {
            out.clear();
            out.push(placement);
        }
    }
}

/// Where the piece is in a state.
pub(crate) fn place(then: Then) -> Placement {
    match then {
        Then::Falls(Start { x, y, orientation: id, .. }) => Placement { y, orientation: id, x },
        Then::Locked(placement) => placement,
    }
}
