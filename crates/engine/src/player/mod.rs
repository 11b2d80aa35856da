//! Who decides: [`Player`], what it sees ([`Observation`]) and what it answers ([`Plan`]); the registry of
//! named players.
//!
//! A fair player sees what a person sees; the piece generator is not part of an observation. One that reads it is
//! [`Clairvoyant`], another trait with another view.

mod baselines;
mod clairvoyant;
mod cnn;
mod dellacherie;
mod macro40;
mod meatfighter;
mod meatfighter2014;
mod packing;
mod search;
mod simple_tetris;

use thiserror::Error;

use crate::eval::weights;
use crate::movegen::{Filter, InputRule, Moves, Path, Picture, Placement, Reach};
use crate::search::clairvoyant::Goal;
use crate::search::{Expectimax, Foresight, Widths};
use maxout_rules::input::Buttons;
use maxout_rules::{Game, Orientation, Page, PlayState};

pub use crate::observation::Observation;
pub use baselines::{Baseline, baseline};
use clairvoyant::BeamPlayer;
pub use clairvoyant::{Clairvoyant, Foretold, Omniscient, Probe};
pub use search::Chooser;
use search::{SearchPlayer, TapPlayer};

/// Where a piece is after a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pose {
    /// Column of the centre.
    pub x: u8,
    /// Row of the centre.
    pub y: u8,
    /// Orientation.
    pub id: Orientation,
}

/// What to do with the piece in the air, frame by frame until it locks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where it will lock.
    pub placement: Placement,
    /// The buttons of each frame; the last is the frame of the failed drop.
    pub buttons: Vec<Buttons>,
    /// Where the piece is after each frame.
    pub poses: Vec<Pose>,
}

impl Plan {
    /// The plan that follows `path` and, if `soft_drop`, holds Down after its last press where that changes
    /// nothing but the time. `None` if the rules do not lead to `placement` that way.
    pub fn along(seen: &Observation, placement: Placement, path: &Path, soft_drop: bool) -> Option<Self> {
        let dropped = if soft_drop { Self::fly(seen, &path.inputs, Buttons::DOWN) } else { None };
        dropped.filter(|plan| plan.placement == placement).or_else(|| {
            Self::fly(seen, &path.inputs, Buttons::NONE).filter(|plan| plan.placement == placement)
        })
    }

    /// The plan of pressing nothing.
    pub fn idle(seen: &Observation) -> Option<Self> {
        Self::fly(seen, &[], Buttons::NONE)
    }

    /// Plays `inputs`, then holds `after` until the piece locks.
    fn fly(seen: &Observation, inputs: &[Buttons], after: Buttons) -> Option<Self> {
        let mut game = seen.game();
        let (mut buttons, mut poses) = (Vec::new(), Vec::new());
        // The slowest fall is 48 frames for each of 20 rows, after a first hang of 96.
        for frame in 0..2_000 {
            let held_over = game.held.contains(Buttons::DOWN) && frame == inputs.len();
            let now = match inputs.get(frame) {
                Some(&input) => input,
                // Down only counts when it is pressed anew.
                None if held_over => Buttons::NONE,
                None => after,
            };
            game.step(now);
            buttons.push(now);
            poses.push(Pose { x: game.x, y: game.y, id: game.id });
            if game.play_state != PlayState::Control {
                let placement = Placement { x: game.x, y: game.y, id: game.id };
                return Some(Self { placement, buttons, poses });
            }
        }
        None
    }
}

impl Observation {
    /// A game that shows this observation. Its generator is arbitrary: no control frame reads it.
    fn game(&self) -> Game {
        let mut game = maxout_rules::model_start(self.start.level, 0);
        game.page = Page::from_rows(self.board.rows());
        (game.x, game.y, game.id) = (self.start.x, self.start.y, self.start.id);
        game.next = self.next.spawn();
        game.progress = self.progress;
        game.fall_timer = self.start.fall_timer;
        game.autorepeat_y = self.autorepeat_y;
        game.held = self.start.held;
        game
    }
}

/// Something that plays.
pub trait Player: Send {
    /// Decides what to do with the piece in the air. `None` gives up: nothing will be pressed.
    fn plan(&mut self, seen: &Observation) -> Option<Plan>;

    /// Stacks that the last decision looked at; 0 if this player does not count them.
    fn nodes(&self) -> u64 {
        0
    }
}

/// A player of either kind, ready to play.
pub enum Mind {
    /// Sees only what a person sees.
    Fair(Box<dyn Player>),
    /// Reads the piece generator too.
    Clairvoyant(Box<dyn Clairvoyant>),
}

impl Mind {
    /// Stacks that the last decision looked at; 0 if this player does not count them.
    pub fn nodes(&self) -> u64 {
        match self {
            Self::Fair(player) => player.nodes(),
            Self::Clairvoyant(player) => player.nodes(),
        }
    }
}

/// How a registered player is made.
#[derive(Clone, Copy, Debug)]
enum Make {
    /// A search over the pieces on the screen among any moves, and the rule it plays by under gravity.
    Search(fn(Moves) -> Box<dyn Chooser>, InputRule),
    /// The same, or [`Make::Taps`] where there is no rule, held to a filter.
    Filtered(fn(Moves) -> Box<dyn Chooser>, Option<InputRule>, Filter),
    /// A search over the pieces on the screen, with the fingers of the game-pad bot of 2014.
    Taps(fn(Moves) -> Box<dyn Chooser>),
    Learned(Widths),
    Clairvoyant(fn(Foresight, Goal) -> Box<dyn Clairvoyant>),
}

/// A registered player.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name on the command line.
    pub name: &'static str,
    /// Pieces it looks ahead, the one in the air included.
    pub plies: u8,
    /// What it does, and whose it is.
    pub source: &'static str,
    /// What its fingers may do.
    pub limits: &'static str,
    make: Make,
}

impl Entry {
    /// A fresh player for games that end at `goal`. How far it looks may be
    /// chosen with `foresight`, as far as it [takes](Entry::takes) that.
    pub fn make(&self, foresight: Foresight, goal: Goal) -> Mind {
        match self.make {
            Make::Search(make, rule) => Mind::Fair(Box::new(SearchPlayer::new(make(rule.into()), rule))),
            Make::Taps(make) => Mind::Fair(Box::new(TapPlayer::new(make(Moves::Taps)))),
            Make::Filtered(make, Some(rule), filter) => {
                Mind::Fair(Box::new(SearchPlayer::new(held(make(rule.into()), filter), rule)))
            }
            Make::Filtered(make, None, filter) => {
                Mind::Fair(Box::new(TapPlayer::new(held(make(Moves::Taps), filter))))
            }
            Make::Learned(widths) => Mind::Fair(Box::new(LearnedPlayer::new(widths, foresight))),
            Make::Clairvoyant(make) => Mind::Clairvoyant(make(foresight, goal)),
        }
    }

    /// The player's brain for games without gravity, where these moves are all there is; `None` if it has none.
    pub fn chooser(&self, moves: Moves) -> Option<Box<dyn Chooser>> {
        match self.make {
            Make::Search(make, _) | Make::Taps(make) => Some(make(moves)),
            Make::Filtered(make, _, filter) => Some(held(make(moves), filter)),
            Make::Learned(_) | Make::Clairvoyant(_) => None,
        }
    }

    /// This player held to `filter`, as `NAME+LABEL`; `None` if it does not choose from a list of placements. It lives
    /// as long as the program.
    pub fn filtered(&self, filter: Filter, label: &str) -> Option<&'static Self> {
        let (make, rule) = match self.make {
            Make::Search(make, rule) => (make, Some(rule)),
            Make::Taps(make) => (make, None),
            Make::Filtered(make, rule, _) => (make, rule),
            Make::Learned(_) | Make::Clairvoyant(_) => return None,
        };
        let name = format!("{}+{label}", self.name);
        let make = Make::Filtered(make, rule, filter);
        Some(Box::leak(Box::new(Self { name: name.leak(), make, ..*self })))
    }

    /// What it is held to.
    pub const fn filter(&self) -> Option<Filter> {
        match self.make {
            Make::Filtered(_, _, filter) => Some(filter),
            _ => None,
        }
    }

    /// What it builds, if it is held to [`Filter::Pattern`].
    pub const fn picture(&self) -> Option<Picture> {
        match self.filter() {
            Some(Filter::Pattern(picture)) => Some(picture),
            _ => None,
        }
    }

    /// Whether it sees only what a person sees.
    pub const fn is_fair(&self) -> bool {
        !matches!(self.make, Make::Clairvoyant(_))
    }

    /// Whether a command-line option that says how far to look, or by which weights, means anything to it.
    pub fn takes(&self, option: &str) -> bool {
        match self.make {
            Make::Search(..) => option == "--terms" && meatfighter::WITH_TERMS.contains(&self.name),
            Make::Filtered(..) | Make::Taps(_) => false,
            Make::Learned(_) => ["--nodes", "--think-ms"].contains(&option),
            Make::Clairvoyant(_) => !["--nodes", "--terms"].contains(&option),
        }
    }
}

fn held(mut chooser: Box<dyn Chooser>, filter: Filter) -> Box<dyn Chooser> {
    chooser.hold_to(filter);
    chooser
}

/// Frame by frame, as the rules take it.
const EVERY_FRAME: &str =
    "30 Hz: each button at most every second frame, shift and rotation may share one, no reaction delay";
/// As the bot of 2018.
const ONE_PER_ROW: &str =
    "one button per row, in its first frame, never in two consecutive frames, no reaction delay";

/// All players.
pub const REGISTRY: &[Entry] = &[
    Entry {
        name: "maxout",
        plies: Widths::DEFAULT.plies(),
        source: "learned table value, expectimax over unknown pieces, deeper where it matters",
        limits: EVERY_FRAME,
        make: Make::Learned(Widths::DEFAULT),
    },
    Entry {
        name: "maxout-fast",
        plies: Widths::TWO.plies(),
        source: "the same value, the two pieces that are seen",
        limits: EVERY_FRAME,
        make: Make::Learned(Widths::TWO),
    },
    Entry {
        name: "maxout-3ply",
        plies: Widths::THREE.plies(),
        source: "the same value, one unknown piece",
        limits: EVERY_FRAME,
        make: Make::Learned(Widths::THREE),
    },
    Entry {
        name: "maxout-4ply",
        plies: Widths::FOUR.plies(),
        source: "the same value, two unknown pieces, hardly pruned",
        limits: EVERY_FRAME,
        make: Make::Learned(Widths::FOUR),
    },
    Entry {
        name: "maxout-49",
        plies: Widths::SEQUENCES.plies(),
        source: "the same value, all 49 sequences of two unknown pieces, the first placed at sight",
        limits: EVERY_FRAME,
        make: Make::Learned(Widths::SEQUENCES),
    },
    meatfighter::PLATEAU17,
    meatfighter::BOT_2018,
    meatfighter::BOT_2018_1,
    meatfighter2014::CODED,
    meatfighter2014::TEXT,
    meatfighter2014::GAMEPAD,
    meatfighter2014::FALLS,
    dellacherie::GAPS,
    dellacherie::GAPS_2,
    dellacherie::CELLS,
    dellacherie::CELLS_2,
    dellacherie::EL_TETRIS,
    dellacherie::EL_TETRIS_2,
    packing::PUBLISHED,
    packing::MENDED,
    macro40::MACRO_40,
    simple_tetris::INTENDED,
    simple_tetris::CODED,
    simple_tetris::A,
    simple_tetris::B,
    simple_tetris::C,
    cnn::CNN,
    cnn::CNN_2,
    Entry {
        name: "clairvoyant",
        plies: Foresight::DEFAULT.horizon as u8,
        source: "reads the piece generator; beam search over exact futures",
        limits: EVERY_FRAME,
        make: Make::Clairvoyant(|foresight, goal| Box::new(BeamPlayer::new(foresight, goal))),
    },
];

/// The player that plays when none is named.
pub const DEFAULT_PLAYER: &str = "maxout";

/// No player of that name.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("no such player{} (`maxout players` lists all {})", meant(name), REGISTRY.len())]
pub struct UnknownPlayer {
    /// The name.
    pub name: String,
}

/// The player with the most similar name, as a question; nothing if none is similar.
fn meant(name: &str) -> String {
    let similar = |entry: &Entry| (strsim::normalized_damerau_levenshtein(name, entry.name), entry.name);
    let nearest = REGISTRY.iter().map(similar).max_by(|a, b| a.0.total_cmp(&b.0));
    let nearest = nearest.filter(|(similarity, _)| *similarity >= 0.6);
    nearest.map(|(_, name)| format!(", did you mean {name}?")).unwrap_or_default()
}

/// The registered player of this name.
pub fn find(name: &str) -> Result<&'static Entry, UnknownPlayer> {
    REGISTRY.iter().find(|entry| entry.name == name).ok_or_else(|| UnknownPlayer { name: name.to_owned() })
}

/// Expectimax on the learned value, then the soft drop.
struct LearnedPlayer {
    search: Expectimax<'static>,
}

impl LearnedPlayer {
    fn new(widths: Widths, limits: Foresight) -> Self {
        Self { search: Expectimax::new(weights::in_use(), widths).with_limits(limits) }
    }
}

impl Player for LearnedPlayer {
    fn plan(&mut self, seen: &Observation) -> Option<Plan> {
        let Observation { board, start, next, progress, .. } = seen;
        let placement = self.search.best(board, start, *next, *progress)?;
        let path = Reach::new(board, start, InputRule::EveryFrame)?.path(placement)?;
        Plan::along(seen, placement, &path, true)
    }

    fn nodes(&self) -> u64 {
        self.search.nodes()
    }
}
