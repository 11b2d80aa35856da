//! Many games frame by frame, stepped at once by several threads. Results go into the caller's buffers.
//!
//! Each game depends on its own seed and buttons alone, so any number of threads plays the same games.

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::encoding::{CELLS, PIECES, write_game, write_one_hot};
use crate::shares::{self, Divide, divide_fields};
use crate::vector::Autoreset;
use maxout_rules::input::Buttons;
use maxout_rules::random::Dice;
use maxout_rules::{Game, Page, Seed, ram};

/// The number of values in [`FrameBuffers::last_counts`] for each game.
pub(crate) const LAST_COUNTS: usize = 4;

/// What the reward of a step of frames counts.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum FrameReward {
    /// The score without the game's cap.
    Score,
    /// Points for lines.
    Points,
    /// Lines.
    Lines,
}

impl FrameReward {
    fn count(self, game: &Game) -> u64 {
        match self {
            Self::Score => game.full_score.value(),
            Self::Points => game.line_points,
            Self::Lines => game.progress.lines().into(),
        }
    }
}

/// How the games of a batch are played.
pub(crate) struct FrameOptions {
    /// The level on which they start.
    pub(crate) start_level: u8,
    /// The level at which they end.
    pub(crate) stop_level: Option<u8>,
    /// The lines at which they end.
    pub(crate) stop_lines: Option<u32>,
    /// What the reward of a step counts.
    pub(crate) reward: FrameReward,
    /// The number of frames for which a step holds its buttons.
    pub(crate) frame_skip: u32,
    /// When a game that has ended begins anew.
    pub(crate) autoreset: Autoreset,
    /// The addresses of RAM that the game uses, without those of the field page.
    pub(crate) addresses: Vec<u16>,
}

/// Parts of the caller's buffers: what is seen of the games, one for each slot. Those that nobody asked for are empty.
pub(crate) struct Sight<'a> {
    /// The boards, 200 bytes a game: 1 for a solid cell, 2 for the piece in the air.
    pub(crate) board: &'a mut [u8],
    /// The pieces in play, one-hot.
    pub(crate) piece: &'a mut [u8],
    /// The next pieces, one-hot.
    pub(crate) next: &'a mut [u8],
    /// The levels.
    pub(crate) level: &'a mut [i32],
    /// The lines.
    pub(crate) lines: &'a mut [i32],
    /// The console's RAM, 2,048 bytes a game.
    pub(crate) ram: &'a mut [u8],
}

/// Parts of the caller's buffers, with one game for each slot.
pub(crate) struct FrameBuffers<'a> {
    /// What is seen now.
    pub(crate) now: Sight<'a>,
    /// What was seen last of a game that ended and began anew in the same step.
    pub(crate) last: Sight<'a>,
    /// The rewards of the step.
    pub(crate) reward: &'a mut [f64],
    /// Whether a game ended.
    pub(crate) terminated: &'a mut [bool],
    /// The scores without the cap.
    pub(crate) score: &'a mut [i64],
    /// The points for lines.
    pub(crate) points: &'a mut [i64],
    /// The frames that were played.
    pub(crate) frames: &'a mut [i64],
    /// Score, points, lines and frames of a game that ended and began anew in the same step.
    pub(crate) last_counts: &'a mut [i64],
}

impl Divide for Sight<'_> {
    fn divide(self, first: usize, count: usize) -> (Self, Self) {
        divide_fields!(self, first, count; board, piece, next, level, lines, ram)
    }
}

impl Divide for FrameBuffers<'_> {
    fn divide(self, first: usize, count: usize) -> (Self, Self) {
        let (now, now_after) = self.now.divide(first, count);
        let (last, last_after) = self.last.divide(first, count);
        macro_rules! cut {
            ($($field:ident),*) => {{
                $(let $field = self.$field.split_at_mut(self.$field.len() / count * first);)*
                (
                    Self { now, last, $($field: $field.0),* },
                    Self { now: now_after, last: last_after, $($field: $field.1),* },
                )
            }};
        }
        cut!(reward, terminated, score, points, frames, last_counts)
    }
}

impl Sight<'_> {
    /// Writes what is seen of `game`. The field page of RAM may be left out if it has already been written.
    fn write(&mut self, game: &Game, at: usize, addresses: &[u16], page_stands: bool) {
        self.level[at] = game.progress.level.into();
        self.lines[at] = game.progress.lines() as i32;
        if !self.board.is_empty() {
            write_game(game, &mut self.board[at * CELLS..][..CELLS]);
            write_one_hot(game.id.piece(), &mut self.piece[at * PIECES..][..PIECES]);
            write_one_hot(game.next.piece(), &mut self.next[at * PIECES..][..PIECES]);
        }
        if !self.ram.is_empty() {
            let bytes = &mut self.ram[at * ram::SIZE..][..ram::SIZE];
            for &address in addresses {
                bytes[usize::from(address)] = game.peek(address).unwrap_or(0);
            }
            if !page_stands {
                let page = &mut bytes[usize::from(ram::FIELD)..][..256];
                for (index, byte) in (0..=255).zip(page) {
                    *byte = game.page.byte(index);
                }
            }
        }
    }
}

/// One game and what belongs to it.
#[derive(Clone, Serialize, Deserialize)]
pub(crate) struct FrameSlot {
    game: Game,
    seed: u64,
    episode: u64,
    frames: u64,
    over: bool,
    /// The field page that was written last.
    #[serde(skip)]
    shown: Option<Page>,
}

impl FrameSlot {
    /// A game that has not begun.
    pub(crate) fn new(start_level: u8) -> Self {
        let game = Seed::new(0).start(start_level);
        Self { game, seed: 0, episode: 0, frames: 0, over: false, shown: None }
    }

    /// Begins the first game of `seed`.
    pub(crate) fn reseed(&mut self, seed: u64, options: &FrameOptions) {
        (self.seed, self.episode) = (seed, 0);
        self.begin(options);
    }

    /// Begins the next game. The first game of a seed has that very seed; the others have numbers mixed from it.
    pub(crate) fn begin(&mut self, options: &FrameOptions) {
        let seed = match self.episode {
            0 => self.seed,
            episode => Dice::of([self.seed, episode]).word(),
        };
        self.game = Seed::new(seed).start(options.start_level);
        self.episode += 1;
        (self.frames, self.over) = (0, false);
    }

    /// The same game for other buffers, to which nothing has been written yet.
    pub(crate) fn fresh(&self) -> Self {
        Self { shown: None, ..self.clone() }
    }

    /// Whether the game is over and waits for its new beginning.
    pub(crate) const fn is_over(&self) -> bool {
        self.over
    }

    /// Writes everything but the results of a step.
    pub(crate) fn show(&mut self, buffers: &mut FrameBuffers<'_>, at: usize, options: &FrameOptions) {
        // A page changes only when a piece locks or lines are cleared.
        let page = Some(self.game.page);
        buffers.now.write(&self.game, at, &options.addresses, self.shown == page);
        self.shown = page;
        buffers.score[at] = self.game.full_score.value() as i64;
        buffers.points[at] = self.game.line_points as i64;
        buffers.frames[at] = self.frames as i64;
    }

    /// Takes one step and writes its results.
    fn step(&mut self, held: Buttons, buffers: &mut FrameBuffers<'_>, at: usize, options: &FrameOptions) {
        (buffers.reward[at], buffers.terminated[at]) = (0.0, false);
        if self.over {
            self.begin(options);
            self.show(buffers, at, options);
            return;
        }
        let game = &mut self.game;
        let before = options.reward.count(game);
        let mut left = options.frame_skip;
        while left > 0 && !game.is_over() {
            game.step(held);
            left -= 1;
        }
        self.frames += u64::from(options.frame_skip - left);
        buffers.reward[at] = (options.reward.count(game) - before) as f64;
        self.over = game.is_over()
            || options.stop_level.is_some_and(|level| game.progress.level >= level)
            || options.stop_lines.is_some_and(|lines| game.progress.lines() >= lines);
        buffers.terminated[at] = self.over;
        if self.over && options.autoreset == Autoreset::SameStep {
            buffers.last.write(game, at, &options.addresses, false);
            let counts =
                [game.full_score.value(), game.line_points, game.progress.lines().into(), self.frames];
            buffers.last_counts[at * LAST_COUNTS..][..LAST_COUNTS]
                .copy_from_slice(&counts.map(|count| count as i64));
            self.begin(options);
        }
        self.show(buffers, at, options);
    }
}

/// Steps all games, each with the buttons that it holds. Without a pool the calling thread does it alone.
pub(crate) fn step(
    slots: &mut [FrameSlot],
    held: &[Buttons],
    buffers: FrameBuffers<'_>,
    options: &FrameOptions,
    pool: Option<&ThreadPool>,
) {
    let work = |slot: &mut FrameSlot, &held: &Buttons, buffers: &mut FrameBuffers<'_>, at: usize| {
        slot.step(held, buffers, at, options);
    };
    shares::for_each(slots, held, buffers, pool, &work);
}
