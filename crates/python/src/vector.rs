//! Many games placement by placement, stepped at once by several threads. Results go into the caller's buffers. Without a
//! reaction delay, a step allocates only what the engine needs near the top of a board.
//!
//! Each game depends on its own seed and actions alone, so any number of threads plays the same games.

use maxout_rules::Placement;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::encoding::{ACTIONS, CELLS, PIECES, action, write_board, write_one_hot, write_piece};
use crate::hovering::{self, Choice, Delay};
use crate::shares::{self, Divide, buffers};
use maxout_engine::env::{Env, EnvRules, GameEnd};
use maxout_engine::movegen::{Reach, Then};
use maxout_rules::random::Dice;

/// The number of values in [`Buffers::last_counts`] for each game.
pub(crate) const LAST: usize = 5;
/// What a step is rewarded with.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Reward {
    /// Points for lines.
    Points,
    /// Lines.
    Lines,
}

/// What an action does that is not among the placements.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Illegal {
    /// The step is refused, and no game changes.
    Refuse,
    /// The game ends.
    End,
}

/// When a game that has ended begins anew.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Autoreset {
    /// In the step after its end.
    NextStep,
    /// In the step that ends it.
    SameStep,
    /// When the caller says so.
    Disabled,
}

impl Autoreset {
    /// How they are called.
    pub(crate) const NAMES: [(&str, Self); 3] =
        [("next-step", Self::NextStep), ("same-step", Self::SameStep), ("disabled", Self::Disabled)];
}

/// How the games of a batch are played.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// The rules of every game.
    pub(crate) rules: EnvRules,
    /// What a step is rewarded with.
    pub(crate) reward: Reward,
    /// What an illegal action does.
    pub(crate) illegal: Illegal,
    /// When a game that has ended begins anew.
    pub(crate) autoreset: Autoreset,
    /// Whether the next piece is hidden.
    pub(crate) hide_next: bool,
    /// The reaction delay. With one, a piece takes two steps.
    pub(crate) delay: Option<Delay>,
}

/// One game and what belongs to it.
pub(crate) struct Slot {
    env: Env,
    seed: u64,
    episode: u64,
    points: u64,
    over: bool,
    /// The legal actions: those of `list`, or those of `choices` in the first of two steps.
    open: Vec<usize>,
    list: Vec<Placement>,
    choices: Vec<Choice>,
    /// What the first of two steps has chosen.
    chosen: Option<Then>,
}

/// What is kept of a [`Slot`].
#[derive(Serialize, Deserialize)]
pub(crate) struct SavedSlot {
    env: Env,
    seed: u64,
    episode: u64,
    points: u64,
    over: bool,
    chosen: Option<Then>,
}

/// The arrays of `games` games: the element and the shape of each.
macro_rules! placement_arrays {
    ($make:ident! $($given:tt)*) => {
        $make! { $($given)* games;
            /// The visible cells: uint8 (n, 20, 10).
            board: u8, [games, 20, 10];
            /// The piece in play, one-hot in the order T J Z O S L I: uint8 (n, 7).
            piece: u8, [games, PIECES];
            /// The next piece, one-hot, or all zero where it is hidden: uint8 (n, 7).
            next: u8, [games, PIECES];
            /// With a reaction delay, 1 in the second step of a piece and 0 in the first: uint8 (n, 1).
            placing: u8, [games, 1];
            /// With a reaction delay, 1 in the second step for the cells of the piece when the next one is seen: uint8 (n, 20, 10).
            hover: u8, [games, 20, 10];
            /// The level: int32 (n, 1).
            level: i32, [games, 1];
            /// The lines of the game so far: int32 (n, 1).
            lines: i32, [games, 1];
            /// The legal actions: int8 (n, 800).
            mask: i8, [games, ACTIONS];
            /// The rewards of the last step: float64 (n,).
            reward: f64, [games];
            /// Whether the last step ended the game by its rules: bool (n,).
            terminated: bool, [games];
            /// Whether the last step reached the limit of pieces: bool (n,).
            truncated: bool, [games];
            /// The points for lines of the game so far: int64 (n,).
            points: i64, [games];
            /// The board at the end of the game, where autoreset is "same-step" and the step ended one: uint8 (n, 20, 10).
            last_board: u8, [games, 20, 10];
            /// Piece, next piece (0 to 6), level, lines and points at that end: int64 (n, 5).
            last_counts: i64, [games, LAST];
        }
    };
}
pub(crate) use placement_arrays;

placement_arrays!(buffers! { Buffers });

impl Slot {
    /// A game that has not begun.
    pub(crate) fn new(rules: EnvRules) -> Self {
        Self {
            env: Env::new(rules, 0),
            seed: 0,
            episode: 0,
            points: 0,
            over: false,
            open: Vec::with_capacity(ACTIONS / 4),
            list: Vec::with_capacity(ACTIONS / 4),
            choices: Vec::new(),
            chosen: None,
        }
    }

    /// Returns what is kept of the game.
    pub(crate) fn save(&self) -> SavedSlot {
        let Self { seed, episode, points, over, chosen, .. } = *self;
        SavedSlot { env: self.env.clone(), seed, episode, points, over, chosen }
    }

    /// The game of which this was kept, or `None` if no game with these options can be in this state.
    pub(crate) fn restore(saved: SavedSlot, options: &Options) -> Option<Self> {
        let SavedSlot { env, seed, episode, points, over, chosen } = saved;
        let mut slot = Self { env, seed, episode, points, over, ..Self::new(options.rules) };
        if let Some(chosen) = chosen {
            slot.look(options);
            slot.choices.iter().find(|choice| choice.hover.then == chosen)?;
            slot.chosen = Some(chosen);
        }
        (*slot.env.rules() == options.rules).then_some(slot)
    }

    /// The game.
    pub(crate) const fn env(&self) -> &Env {
        &self.env
    }

    /// The legal actions; none if the game is over.
    pub(crate) fn open(&self) -> &[usize] {
        &self.open
    }

    /// The placements that are legal now; none if the game is over or in the first of two steps.
    pub(crate) fn list(&self) -> &[Placement] {
        &self.list
    }

    /// Whether the game is over and waits for its new beginning.
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// What an action chooses now, as messages name it.
    pub(crate) const fn wants(&self) -> &'static str {
        if self.choices.is_empty() { "placement" } else { "state" }
    }

    /// Whether the action is legal now.
    pub(crate) fn allows(&self, action: usize) -> bool {
        self.open.contains(&action)
    }

    /// Begins the first game of `seed`.
    fn reseed(&mut self, seed: u64, options: &Options) {
        (self.seed, self.episode) = (seed, 0);
        self.begin(options);
    }

    /// Begins the first game of a seed, or with -1 the next game; -2 leaves the game as it is.
    pub(crate) fn reset(&mut self, seed: i64, buffers: &mut Buffers<'_>, at: usize, options: &Options) {
        match seed {
            -2 => return,
            0.. => self.reseed(seed as u64, options),
            _ => self.begin(options),
        }
        (buffers.reward[at], buffers.terminated[at], buffers.truncated[at]) = (0.0, false, false);
        self.show(buffers, at, options);
    }

    /// Begins the next game. The first game of a seed has that very seed; the others have numbers mixed from it.
    fn begin(&mut self, options: &Options) {
        loop {
            let seed = match self.episode {
                0 => self.seed,
                episode => Dice::of([self.seed, episode]).word(),
            };
            self.env = Env::new(options.rules, seed);
            self.episode += 1;
            // On an empty board every piece has a place, unless the limits of the hands are absurd.
            if self.env.end().is_none() || self.episode > 1_000 {
                break;
            }
        }
        (self.points, self.over, self.chosen) = (0, false, None);
    }

    /// Finds what is legal now.
    fn look(&mut self, options: &Options) {
        self.open.clear();
        self.list.clear();
        self.choices.clear();
        if self.over {
            return;
        }
        match (options.delay, self.chosen) {
            (None, _) => self.env.placements(&mut self.list),
            (Some(Delay { limits, .. }), Some(then)) => {
                hovering::onward(self.env.board(), then, limits, &mut self.list);
            }
            (Some(Delay { limits, frames }), None) => {
                let reach = Reach::new(self.env.board(), &self.env.start(), limits);
                self.choices = reach.map_or(Vec::new(), |reach| hovering::choices(&reach, frames));
            }
        }
        self.open.extend(self.choices.iter().map(|choice| choice.action));
        self.open.extend(self.list.iter().map(|&placement| action(placement)));
    }

    /// Writes everything but the results of a step.
    pub(crate) fn show(&mut self, buffers: &mut Buffers<'_>, at: usize, options: &Options) {
        let mask = &mut buffers.mask[at * ACTIONS..][..ACTIONS];
        for &old in &self.open {
            mask[old] = 0;
        }
        self.look(options);
        for &new in &self.open {
            mask[new] = 1;
        }
        write_board(self.env.board(), &mut buffers.board[at * CELLS..][..CELLS]);
        write_one_hot(Some(self.env.piece()), &mut buffers.piece[at * PIECES..][..PIECES]);
        let hidden = options.hide_next || options.delay.is_some() && self.chosen.is_none();
        let next = (!hidden).then(|| self.env.next_piece());
        write_one_hot(next, &mut buffers.next[at * PIECES..][..PIECES]);
        if options.delay.is_some() {
            buffers.placing[at] = u8::from(self.chosen.is_some());
            let cells = &mut buffers.hover[at * CELLS..][..CELLS];
            cells.fill(0);
            if let Some(then) = self.chosen {
                write_piece(hovering::place(then), 1, cells);
            }
        }
        buffers.level[at] = self.env.progress().level.into();
        buffers.lines[at] = self.env.lines() as i32;
        buffers.points[at] = self.points as i64;
    }

    /// Does one step and writes what it brought.
    fn step(&mut self, wanted: usize, buffers: &mut Buffers<'_>, at: usize, options: &Options) {
        (buffers.reward[at], buffers.terminated[at], buffers.truncated[at]) = (0.0, false, false);
        if self.over {
            self.begin(options);
            self.show(buffers, at, options);
            return;
        }
        let place = self.open.iter().position(|&action| action == wanted);
        if let Some(choice) = place.and_then(|place| self.choices.get(place)) {
            self.chosen = Some(choice.hover.then);
            self.show(buffers, at, options);
            return;
        }
        self.chosen = None;
        let placement = place.and_then(|place| self.list.get(place));
        let step = placement.and_then(|&placement| self.env.step(placement).ok());
        if let Some(step) = step {
            self.points += step.reward;
            buffers.reward[at] = match options.reward {
                Reward::Points => step.reward as f64,
                Reward::Lines => f64::from(step.lines),
            };
            buffers.truncated[at] = self.env.end() == Some(GameEnd::Pieces);
            buffers.terminated[at] = step.done && !buffers.truncated[at];
        } else {
            buffers.terminated[at] = true;
        }
        self.over = buffers.terminated[at] || buffers.truncated[at];
        if self.over && options.autoreset == Autoreset::SameStep {
            write_board(self.env.board(), &mut buffers.last_board[at * CELLS..][..CELLS]);
            let (piece, next) = (self.env.piece() as i64, self.env.next_piece() as i64);
            let level = i64::from(self.env.progress().level);
            let counts = [piece, next, level, self.env.lines() as i64, self.points as i64];
            buffers.last_counts[at * LAST..][..LAST].copy_from_slice(&counts);
            self.begin(options);
        }
        self.show(buffers, at, options);
    }
}

/// Steps all games, each with its action. Without a pool the calling thread does it alone.
pub(crate) fn step(
    slots: &mut [Slot],
    actions: &[usize],
    buffers: Buffers<'_>,
    options: &Options,
    pool: Option<&ThreadPool>,
) {
    let work = |slot: &mut Slot, &action: &usize, buffers: &mut Buffers<'_>, at: usize| {
        slot.step(action, buffers, at, options);
    };
    shares::for_each(slots, actions, buffers, pool, &work);
}
