//! Players on the learned value: expectimax, then the soft drop. With a reaction delay a decision has two steps.

use super::{Plan, Player};
use crate::Position;
use crate::limits::{Limits, Presses, Reaction};
use crate::movegen::{Reach, Start, Then};
use crate::search::Expectimax;
use maxout_rules::Placement;
use maxout_rules::danger::{Risk, WATCH_LEVEL, risk};
use maxout_rules::input::Buttons;

/// Goes where an expectimax says, then soft-drops.
pub(super) struct LearnedPlayer {
    search: Expectimax,
    input: Limits,
    /// Where the piece should be when the next one is known, if its first frames were played without that knowledge.
    waiting: Option<Start>,
    nodes: u64,
}

impl LearnedPlayer {
    pub const fn new(search: Expectimax, input: Limits) -> Self {
        Self { search, input, waiting: None, nodes: 0 }
    }

    fn decide(&mut self, seen: &Position) -> Option<Plan> {
        match (self.input.reaction, self.waiting.take()) {
            (Reaction::Frames(0), _) => self.informed(seen, &seen.start),
            // These counters matter to the search only while a button is held, but to the next piece always.
            (Reaction::Frames(_), Some(then))
                if Start { pressed: seen.start.pressed, ..counters(then, &seen.start) } == seen.start =>
            {
                self.informed(seen, &counters(then, &seen.start))
            }
            // A decision about a piece that has gone another way does not begin the delay again.
            (Reaction::Frames(frames), _) => match u32::from(frames).saturating_sub(seen.start.elapsed) {
                0 => self.informed(seen, &seen.start),
                left => self.blind(seen, left),
            },
            (Reaction::NextPiece, _) => self.blind(seen, u32::MAX),
        }
    }

    /// The plan with the next piece known, from a start that may say more of earlier presses than is seen.
    fn informed(&mut self, seen: &Position, start: &Start) -> Option<Plan> {
        let placement = self.search.best(&Position { start: *start, ..*seen })?;
        self.nodes = self.search.nodes();
        let path = Reach::new(&seen.board, start, self.input)?.charging_path(placement)?;
        Plan::along(seen, placement, &path, soft_drops(seen))
    }

    /// The plan of a player who does not yet see what follows the piece in play, and will after `frames` frames. Nothing
    /// of it depends on the next piece.
    fn blind(&mut self, seen: &Position, frames: u32) -> Option<Plan> {
        let found = self.search.hover(seen, frames);
        self.nodes = self.search.nodes();
        let (reach, hover) = found?;
        match hover.then {
            Then::Locked(placement) => {
                Plan::along(seen, placement, &reach.charging_path(placement)?, soft_drops(seen))
            }
            Then::Falls(then) => {
                let inputs = reach.inputs_of(&hover);
                let held = inputs.last().copied().unwrap_or(seen.start.held);
                self.waiting = Some(Start { held, ..then });
                let plan = Plan::fly(seen, &inputs, Buttons::NONE)?;
                Some(Plan { review: Some(inputs.len()), ..plan })
            }
        }
    }
}

/// The same piece with the counters of `seen`.
const fn counters(piece: Start, seen: &Start) -> Start {
    Start { das: seen.das, autorepeat_y: seen.autorepeat_y, ..piece }
}

/// Whether pieces are soft-dropped: not from [`WATCH_LEVEL`] on. There pieces fall as fast without, and points for soft drop cost cycles
/// in the frame that scores.
const fn soft_drops(seen: &Position) -> bool {
    seen.progress.level < WATCH_LEVEL
}

/// Hides the next box in the last frame before any clear from [`WATCH_LEVEL`] on, and before a lock without a clear where that
/// can crash the game with the box shown. Drawing one box less leaves the longest frames more time. The pilot shows the
/// box again when the lock is scored.
fn hide_next(seen: &Position, plan: Plan) -> Plan {
    let Placement { x, y, orientation: id } = plan.placement;
    let level = seen.progress.level;
    if level < WATCH_LEVEL || plan.review.is_some() {
        return plan;
    }
    let mut board = seen.board;
    let rows = board.lock(x, y, id);
    if rows == 0 && risk(0, level, false) == Risk::None {
        return plan;
    }
    let mut buttons = plan.buttons;
    if let Some(last) = buttons.last_mut() {
        *last |= Buttons::SELECT;
    }
    Plan { buttons, ..plan }
}

impl Player for LearnedPlayer {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        // What is held in the last frame of the entry delay is chosen before.
        let seen = Position { start: Start { entering: false, ..seen.start }, ..*seen };
        let plan = self.decide(&seen)?;
        Some(hide_next(&seen, plan))
    }

    fn hold_before_spawn(&mut self, position: &Position) -> Buttons {
        if !matches!(self.input.presses, Presses::Das(_)) {
            return Buttons::NONE;
        }
        let frames = match self.input.reaction {
            Reaction::Frames(frames) => frames.into(),
            Reaction::NextPiece => u32::MAX,
        };
        let found = self
            .search
            .hover(&Position { start: Start { entering: true, ..position.start }, ..*position }, frames);
        found.map_or(Buttons::NONE, |(reach, hover)| reach.held_before(&hover))
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
