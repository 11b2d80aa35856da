//! The first of the two steps of a piece where the next one is seen late: the states that the piece can be in when it is
//! seen, each with its action.

use crate::encoding::{ACTIONS, action};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Hover, Placement, Reach, Start, Then, placements};
use maxout_rules::Board;

/// After how many frames of a piece the next one is seen, and which presses these frames allow.
#[derive(Clone, Copy)]
pub(crate) struct Delay {
    /// The presses.
    pub(crate) limits: Limits,
    /// The frames, from 1.
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
/// The action is that of a placement at the same place. Several states can share a place: the buttons before differ, and
/// each leaves a freedom that the other does not. The first of them has the action of the place. Each other has the next
/// row that is not taken, from the place downwards and then from the top.
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
        Then::Falls(Start { x, y, id, .. }) => {
            let mut rows = (y..20).chain(0..y).map(|y| action(Placement { y, id, x }));
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
        Then::Falls(Start { x, y, id, .. }) => Placement { y, id, x },
        Then::Locked(placement) => placement,
    }
}
