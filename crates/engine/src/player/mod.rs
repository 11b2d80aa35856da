//! Players decide where pieces go: [`Player`], what it sees ([`Position`]) and what it answers ([`Plan`]), and the
//! registry of our own. Players that others published are in the crate `maxout-gallery`, which lists all players.
//!
//! A fair player sees only what a person sees; the piece generator is not part of a position. A player that reads
//! the generator implements [`Clairvoyant`], another trait with another view.

mod clairvoyant;
mod entry;
mod learned;
mod registry;
mod search;

use crate::Position;
use crate::movegen::{Path, Start};
use maxout_rules::input::Buttons;
use maxout_rules::{Game, Page, PieceId, Placement, PlayState};

pub use clairvoyant::{Clairvoyant, Foretold, Omniscient, Probe};
pub use entry::{Capabilities, Entry};
pub use registry::{DEFAULT_PLAYER, REGISTRY, UnknownPlayer, find, find_among};
pub use search::Policy;

/// What to do with the piece in the air, frame by frame until it locks.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Plan {
    /// Where it will lock.
    pub placement: Placement,
    /// The buttons of each frame. The last frame is the failed drop's, in which the piece can fall no further.
    pub buttons: Vec<Buttons>,
    /// Where the piece is after each frame.
    pub poses: Vec<Placement>,
    /// Frame at which to replan, if the piece is still in the air: the player then knows more.
    #[serde(default)]
    pub review: Option<usize>,
}

impl Plan {
    /// Makes the plan that follows `path`. With `soft_drop` it holds Down after its last press if that changes only the
    /// time. Returns `None` if the rules do not lead to `placement` that way.
    pub fn along(seen: &Position, placement: Placement, path: &Path, soft_drop: bool) -> Option<Self> {
        let dropped = if soft_drop { Self::fly(seen, &path.inputs, Buttons::DOWN) } else { None };
        dropped.filter(|plan| plan.placement == placement).or_else(|| {
            Self::fly(seen, &path.inputs, Buttons::NONE).filter(|plan| plan.placement == placement)
        })
    }

    /// Makes the plan that presses nothing.
    pub fn idle(seen: &Position) -> Option<Self> {
        Self::fly(seen, &[], Buttons::NONE)
    }

    /// Plays `inputs`, then holds `after` until the piece locks.
    fn fly(seen: &Position, inputs: &[Buttons], after: Buttons) -> Option<Self> {
        let mut game = seen.game();
        let (mut buttons, mut poses) = (Vec::new(), Vec::new());
        // The slowest fall is 48 frames for each of 20 rows, after a first hang of 96.
        for frame in 0..2_000 {
            let held_over = game.held.contains(Buttons::DOWN) && frame == inputs.len();
            let now = match inputs.get(frame) {
                Some(&input) => input,
                // Down counts only when it is pressed anew.
                None if held_over => Buttons::NONE,
                None => after,
            };
            game.step(now);
            buttons.push(now);
            let placement = game.placement()?;
            poses.push(placement);
            if game.play_state != PlayState::Control {
                return Some(Self { placement, buttons, poses, review: None });
            }
        }
        None
    }
}

impl Position {
    /// Returns a game that shows this position. Its generator is arbitrary, because no control frame reads it, and so is a next piece
    /// that is not known.
    fn game(&self) -> Game {
        let mut game = maxout_rules::model_start(self.start.level, 0);
        game.page = Page::from_rows(self.board.rows());
        (game.x, game.y, game.id) = (self.start.x, self.start.y, self.start.orientation.into());
        game.next = self.next.map_or(PieceId::HIDDEN, PieceId::from);
        game.progress = self.progress;
        game.fall_timer = self.start.fall_timer;
        game.autorepeat_y = self.start.autorepeat_y;
        game.held = self.start.held;
        game.fall_rule = self.start.fall_rule;
        game.autorepeat_x = self.start.das.saturating_sub(Start::das_of(game.fall_rule.region(), 0));
        game
    }
}

/// A fair player.
pub trait Player: Send {
    /// Decides what to do with the piece in the air. With `None` the player gives up, and nothing is pressed.
    fn plan(&mut self, seen: &Position) -> Option<Plan>;

    /// Returns the direction to hold in the last frame of the entry delay, for players whose limits let them hold directions. The piece of the
    /// position is the one that is about to spawn; the one after it is not yet known.
    fn hold_before_spawn(&mut self, _position: &Position) -> Buttons {
        Buttons::NONE
    }

    /// Returns how many boards the last decision looked at, or 0 if this player does not count them.
    fn nodes(&self) -> u64 {
        0
    }
}

/// A player of either kind, ready to play.
pub enum Mind {
    /// A player that sees only what a person sees.
    Fair(Box<dyn Player>),
    /// A player that also reads the piece generator.
    Clairvoyant(Box<dyn Clairvoyant>),
}

impl Mind {
    /// Returns how many boards the last decision looked at, or 0 if this player does not count them.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Fair(player) => player.nodes(),
            Self::Clairvoyant(player) => player.nodes(),
        }
    }
}
