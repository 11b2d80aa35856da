//! Many games placement by placement, stepped at once by several threads. Results go into the caller's buffers. Without a
//! reaction delay, a step allocates only what the engine needs near the top of a board.
//!
//! Each game depends on its own seed and actions alone, so any number of threads plays the same games.

use maxout_rules::Placement;
use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::encoding::{ACTIONS, CELLS, PIECES, action, write_board, write_one_hot, write_piece};
use crate::hovering::{self, Choice, Delay};
use crate::shares::{self, Divide, divide_fields};
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

/// Parts of the caller's buffers, for as many games as there are slots.
pub(crate) struct Buffers<'a> {
    /// The boards, 200 bytes a game, 1 for a solid cell.
    pub(crate) board: &'a mut [u8],
    /// The pieces in play, one-hot.
    pub(crate) piece: &'a mut [u8],
    /// The next pieces, one-hot, or all zero where they are hidden.
    pub(crate) next: &'a mut [u8],
    /// With a reaction delay, whether the step is the second one of the piece.
    pub(crate) placing: &'a mut [u8],
    /// With a reaction delay, the cells of the piece when the next one is seen, in the second step; 200 bytes a game.
    pub(crate) hover: &'a mut [u8],
    /// The levels.
    pub(crate) level: &'a mut [i32],
    /// The lines of the games so far.
    pub(crate) lines: &'a mut [i32],
    /// The legal actions.
    pub(crate) mask: &'a mut [i8],
    /// The rewards of the step.
    pub(crate) reward: &'a mut [f64],
    /// Whether a game ended by the rules.
    pub(crate) terminated: &'a mut [bool],
    /// Whether a game was cut off by its limit of pieces.
    pub(crate) truncated: &'a mut [bool],
    /// The points for lines so far.
    pub(crate) points: &'a mut [i64],
    /// The board with which the game ended, if it began anew in the same step.
    pub(crate) last_board: &'a mut [u8],
    /// The rest of that observation: piece, next piece, level, lines and points.
    pub(crate) last_counts: &'a mut [i64],
}

impl Divide for Buffers<'_> {
    fn divide(self, first: usize, count: usize) -> (Self, Self) {
        divide_fields!(
            self, first, count; board, piece, next, placing, hover, level, lines, mask, reward, terminated, truncated,
            points, last_board, last_counts
        )
    }
}

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
    pub(crate) fn reseed(&mut self, seed: u64, options: &Options) {
        (self.seed, self.episode) = (seed, 0);
        self.begin(options);
    }

    /// Begins the next game. The first game of a seed has that very seed; the others have numbers mixed from it.
    pub(crate) fn begin(&mut self, options: &Options) {
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
