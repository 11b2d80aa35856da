//! Many games frame by frame, stepped at once by several threads. Results go into the caller's buffers.
//!
//! Each game depends on its own seed and buttons alone, so any number of threads plays the same games.

use rayon::ThreadPool;
use serde::{Deserialize, Serialize};

use crate::encoding::{CELLS, PIECES, write_game, write_one_hot};
use crate::shares::{self, Divide, buffers};
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

/// What is seen of games: parts of [`FrameBuffers`].
struct Sight<'a> {
    board: &'a mut [u8],
    piece: &'a mut [u8],
    next: &'a mut [u8],
    level: &'a mut [i32],
    lines: &'a mut [i32],
    ram: &'a mut [u8],
}

/// How many games there are, of how many the board is seen, which is all or none, and of how many RAM. `ended` has the same numbers for
/// what was seen last of games that ended and began anew in the same step.
#[derive(Clone, Copy)]
pub(crate) struct FrameSizes {
    pub(crate) games: usize,
    pub(crate) boards: usize,
    pub(crate) rams: usize,
    pub(crate) ended: [usize; 3],
}

/// The arrays of games of these sizes: the element and the shape of each.
macro_rules! frame_arrays {
    ($make:ident! $($given:tt)*) => {
        $make! { $($given)* sizes;
            /// The visible cells, 1 for a locked one and 2 for the piece in the air: uint8 (n, 20, 10).
            board: u8, [sizes.boards, 20, 10];
            /// The piece in play, one-hot in the order T J Z O S L I: uint8 (n, 7).
            piece: u8, [sizes.boards, PIECES];
            /// The next piece, one-hot: uint8 (n, 7).
            next: u8, [sizes.boards, PIECES];
            /// The level: int32 (n, 1).
            level: i32, [sizes.games, 1];
            /// The lines: int32 (n, 1).
            lines: i32, [sizes.games, 1];
            /// The part of the console's RAM that the game uses: uint8 (n, 2048).
            ram: u8, [sizes.rams, ram::SIZE];
            /// If autoreset is "same-step", the last board of each game that ended, in the form of board.
            last_board: u8, [sizes.ended[1], 20, 10];
            /// The last piece in play of each game that ended, in the form of piece.
            last_piece: u8, [sizes.ended[1], PIECES];
            /// The last next piece of each game that ended, in the form of next.
            last_next: u8, [sizes.ended[1], PIECES];
            /// The last level of each game that ended, in the form of level.
            last_level: i32, [sizes.ended[0], 1];
            /// The last lines of each game that ended, in the form of lines.
            last_lines: i32, [sizes.ended[0], 1];
            /// The last RAM of each game that ended, in the form of ram.
            last_ram: u8, [sizes.ended[2], ram::SIZE];
            /// Score, points, lines and frames at that end: int64 (n, 4).
            last_counts: i64, [sizes.ended[0], LAST_COUNTS];
            /// The rewards of the last step: float64 (n,).
            reward: f64, [sizes.games];
            /// Whether the last step ended the game: bool (n,).
            terminated: bool, [sizes.games];
            /// The score without the cap: int64 (n,).
            score: i64, [sizes.games];
            /// The points for lines: int64 (n,).
            points: i64, [sizes.games];
            /// The frames that were played: int64 (n,).
            frames: i64, [sizes.games];
        }
    };
}
pub(crate) use frame_arrays;

frame_arrays!(buffers! { FrameBuffers });

impl FrameBuffers<'_> {
    /// What is seen now.
    fn now(&mut self) -> Sight<'_> {
        let Self { board, piece, next, level, lines, ram, .. } = self;
        Sight { board, piece, next, level, lines, ram }
    }

    /// What was seen last of a game that ended and began anew in the same step.
    fn last(&mut self) -> Sight<'_> {
        Sight {
            board: self.last_board,
            piece: self.last_piece,
            next: self.last_next,
            level: self.last_level,
            lines: self.last_lines,
            ram: self.last_ram,
        }
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
    fn reseed(&mut self, seed: u64, options: &FrameOptions) {
        (self.seed, self.episode) = (seed, 0);
        self.begin(options);
    }

    /// Begins the first game of a seed, or with -1 the next game; -2 leaves the game as it is.
    pub(crate) fn reset(
        &mut self,
        seed: i64,
        buffers: &mut FrameBuffers<'_>,
        at: usize,
        options: &FrameOptions,
    ) {
        match seed {
            -2 => return,
            0.. => self.reseed(seed as u64, options),
            _ => self.begin(options),
        }
        (buffers.reward[at], buffers.terminated[at]) = (0.0, false);
        self.show(buffers, at, options);
    }

    /// Begins the next game. The first game of a seed has that very seed; the others have numbers mixed from it.
    fn begin(&mut self, options: &FrameOptions) {
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
        buffers.now().write(&self.game, at, &options.addresses, self.shown == page);
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
            buffers.last().write(game, at, &options.addresses, false);
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
