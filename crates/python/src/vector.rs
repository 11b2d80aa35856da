//! Many games placement by placement, stepped at once by several threads. Results go into buffers of the caller; nothing
//! is allocated in a step but what the engine needs near the top of a board.
//!
//! Each game depends on its own seed and actions alone, so any number of threads plays the same games.

use rayon::ThreadPool;

use maxout_engine::env::{Env, EnvRules, GameEnd};
use maxout_engine::movegen::Placement;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Orientation, Piece};

/// The cells of a board: 20 rows of 10, the top row first.
pub(crate) const CELLS: usize = 200;
/// The number of actions: 4 turns of a piece, 20 rows and 10 columns of its centre.
pub(crate) const ACTIONS: usize = 800;
/// The number of pieces, the length of a one-hot piece.
pub(crate) const PIECES: usize = 7;
/// The number of values in [`Buffers::last_counts`] for each game.
pub(crate) const LAST: usize = 5;
/// The least number of games that are worth another thread.
const GRAIN: usize = 32;

/// The ten cells of each row of bits.
static ROWS: [[u8; 10]; 1024] = {
    let mut rows = [[0; 10]; 1024];
    let mut bits = 0;
    while bits < 1024 {
        let mut column = 0;
        while column < 10 {
            rows[bits][column] = (bits >> column & 1) as u8;
            column += 1;
        }
        bits += 1;
    }
    rows
};

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

/// How the games of a batch are played.
#[derive(Clone, Copy)]
pub(crate) struct Options {
    /// The rules of every game.
    pub(crate) rules: EnvRules,
    /// What a step is rewarded with.
    pub(crate) reward: Reward,
    /// What an illegal action does.
    pub(crate) illegal: Illegal,
    /// Whether a game that ends begins anew in the same step, and not in the next one.
    pub(crate) same_step: bool,
    /// Whether the next piece is hidden.
    pub(crate) hide_next: bool,
}

/// One game and what belongs to it.
pub(crate) struct Slot {
    env: Env,
    seed: u64,
    episode: u64,
    points: u64,
    over: bool,
    list: Vec<Placement>,
}

/// Parts of the caller's buffers, for as many games as there are slots.
pub(crate) struct Buffers<'a> {
    /// The boards, 200 bytes a game, 1 for a solid cell.
    pub(crate) board: &'a mut [u8],
    /// The pieces in play, one-hot.
    pub(crate) piece: &'a mut [u8],
    /// The next pieces, one-hot, or all zero where they are hidden.
    pub(crate) next: &'a mut [u8],
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

impl Buffers<'_> {
    /// Divides the buffers into those of the first `count` games and the others.
    fn split(self, count: usize) -> (Self, Self) {
        macro_rules! halves {
            ($($field:ident: $size:expr),*) => {{
                $(let $field = self.$field.split_at_mut(count * $size);)*
                (Self { $($field: $field.0),* }, Self { $($field: $field.1),* })
            }};
        }
        halves!(
            board: CELLS, piece: PIECES, next: PIECES, level: 1, lines: 1, mask: ACTIONS, reward: 1,
            terminated: 1, truncated: 1, points: 1, last_board: CELLS, last_counts: LAST
        )
    }
}

/// The action of a placement: turn of the piece × 200 + row × 10 + column.
pub(crate) fn action(placement: Placement) -> usize {
    let Placement { y, id, x } = placement;
    let turn = id.piece().map_or(0, |piece| id.0 - piece.first_orientation());
    usize::from(turn) * CELLS + usize::from(y) * 10 + usize::from(x)
}

/// The placement of `piece` that an action below [`ACTIONS`] means. The turns of a piece with fewer than four
/// orientations repeat.
pub(crate) fn placement(piece: Piece, action: usize) -> Placement {
    let turn = (action / CELLS) as u8;
    let id = Orientation(piece.first_orientation() + turn % piece.orientations());
    Placement { y: (action % CELLS / 10) as u8, id, x: (action % 10) as u8 }
}

/// Writes the visible cells of `board`.
pub(crate) fn write_board(board: &Board, cells: &mut [u8]) {
    for (row, cells) in board.visible().iter().zip(cells.chunks_exact_mut(10)) {
        cells.copy_from_slice(&ROWS[usize::from(*row & 0x3FF)]);
    }
}

impl Slot {
    /// A game that has not begun.
    pub(crate) fn new(rules: EnvRules) -> Self {
        let env = Env::new(rules, 0);
        Self { env, seed: 0, episode: 0, points: 0, over: false, list: Vec::with_capacity(ACTIONS / 4) }
    }

    /// The game.
    pub(crate) const fn env(&self) -> &Env {
        &self.env
    }

    /// The placements of the piece in play; none if the game is over.
    pub(crate) fn list(&self) -> &[Placement] {
        &self.list
    }

    /// Whether the game is over and waits for its new beginning.
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// Whether the action is legal now.
    pub(crate) fn allows(&self, action: usize) -> bool {
        let wanted = placement(self.env.piece(), action);
        action / CELLS < usize::from(self.env.piece().orientations()) && self.list.contains(&wanted)
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
        (self.points, self.over) = (0, false);
    }

    /// Writes everything but the results of a step.
    pub(crate) fn show(&mut self, buffers: &mut Buffers<'_>, at: usize, options: &Options) {
        let mask = &mut buffers.mask[at * ACTIONS..][..ACTIONS];
        for &old in &self.list {
            mask[action(old)] = 0;
        }
        if self.over {
            self.list.clear();
        } else {
            self.env.placements(&mut self.list);
        }
        for &new in &self.list {
            mask[action(new)] = 1;
        }
        write_board(self.env.board(), &mut buffers.board[at * CELLS..][..CELLS]);
        let (piece, next) = (self.env.piece() as usize, self.env.next_piece() as usize);
        let one_hot: [u8; PIECES] = std::array::from_fn(|index| u8::from(index == piece));
        buffers.piece[at * PIECES..][..PIECES].copy_from_slice(&one_hot);
        let one_hot: [u8; PIECES] = std::array::from_fn(|i| u8::from(i == next && !options.hide_next));
        buffers.next[at * PIECES..][..PIECES].copy_from_slice(&one_hot);
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
        let step =
            if self.allows(wanted) { self.env.step(placement(self.env.piece(), wanted)).ok() } else { None };
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
        if self.over && options.same_step {
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
    match pool {
        Some(pool) => {
            let grain = (slots.len() / (4 * pool.current_num_threads())).max(GRAIN);
            pool.install(|| step_share(slots, actions, buffers, options, grain));
        }
        None => step_share(slots, actions, buffers, options, usize::MAX),
    }
}

fn step_share(
    slots: &mut [Slot],
    actions: &[usize],
    mut buffers: Buffers<'_>,
    options: &Options,
    grain: usize,
) {
    if slots.len() <= grain {
        for (at, (slot, &action)) in slots.iter_mut().zip(actions).enumerate() {
            slot.step(action, &mut buffers, at, options);
        }
        return;
    }
    let middle = slots.len() / 2;
    let (first, second) = slots.split_at_mut(middle);
    let (early, late) = actions.split_at(middle);
    let (before, after) = buffers.split(middle);
    rayon::join(
        || step_share(first, early, before, options, grain),
        || step_share(second, late, after, options, grain),
    );
}
