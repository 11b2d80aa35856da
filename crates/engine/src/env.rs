//! The game at the level of placements, for training, simulation and experiments: [`Env`].
//!
//! A step places a piece; there are no frames and no buttons. The placements are still those that frame-by-frame play
//! can reach, because their list comes from [`crate::movegen`]. This module depends on the rules, the moves and what a
//! player sees; it does not depend on evaluators, searches or players.
//!
//! # Shapes and units
//! * A board is 22 rows of 10 cells, rows -2 to 19, of which rows 0 to 19 are visible ([`Board`]). Row 0 is the top.
//! * A piece is one of seven ([`Piece`], 0 to 6 in the order of [`Piece::ALL`]).
//! * A [`Placement`] is the row (0 to 19) and the column (0 to 9) of a piece's centre, and its orientation (0 to 18,
//!   all pieces together). A piece seldom has more than 60 placements.
//! * A reward is in points of the game: what the cleared lines pay on the level that they lead to. A tetris on level 19
//!   pays 24,000. Points for soft drops are left out, because they depend on the buttons.
//!
//! ```
//! use maxout_engine::env::{Env, EnvRules};
//! use maxout_rules::Pieces;
//!
//! // A game from level 19 that puts each piece as deep as it goes.
//! let mut env = Env::new(EnvRules::game(19), 1);
//! let (mut placements, mut points) = (Vec::new(), 0);
//! while env.end().is_none() {
//!     env.placements(&mut placements);
//!     // Row 0 is the top.
//!     let deepest = placements.iter().max_by_key(|placement| placement.y).copied().unwrap();
//!     let step = env.step(deepest).unwrap();
//!     points += step.reward;
//! }
//! println!("{} pieces, {} lines, {points} points, {:?}", env.pieces(), env.lines(), env.end());
//! # assert!(env.pieces() > 10);
//! // Without gravity there are straight drops only.
//! let mut env = Env::new(EnvRules::no_gravity(Pieces::Uniform), 1);
//! env.placements(&mut placements);
//! assert!(placements.len() <= 34);
//! ```

use thiserror::Error;

use crate::Position;
use crate::limits::Limits;
use crate::movegen::{Moves, Start};
use maxout_rules::{Board, Dealer, FallRule, Piece, Pieces, Placement, Progress, line_points};
use serde::{Deserialize, Serialize};

/// How fast the pieces fall, which the level decides.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Gravity {
    /// The gravity of one level forever. The game stays at 0 lines on this level, whatever is cleared, and pays what
    /// this level pays.
    Fixed(u8),
    /// The gravity of a real game that starts on this level and goes up with the lines.
    Rising(u8),
}

impl Gravity {
    /// Lines and level at the beginning.
    fn begin(self) -> Progress {
        let (Self::Fixed(level) | Self::Rising(level)) = self;
        Progress::at(0, level)
    }
}

/// What is played in an [`Env`], and when it ends.
///
/// A game always ends when the piece in play has no placement. Each of the three limits, if it is set, can end it
/// before that.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct EnvRules {
    /// Where the pieces come from.
    pub pieces: Pieces,
    /// How fast they fall. Moves without gravity, [`Moves::Drops`] and [`Moves::Commands`], ignore it.
    pub gravity: Gravity,
    /// The version of the game whose levels those are.
    #[serde(default)]
    pub fall_rule: FallRule,
    /// What can be done with a piece.
    pub moves: Moves,
    /// Lines at which the game ends.
    pub until_lines: Option<u64>,
    /// Pieces after which the game ends.
    pub until_pieces: Option<u64>,
    /// Level at which the game ends. It has no effect with [`Gravity::Fixed`], under which the level never changes.
    pub until_level: Option<u8>,
}

impl EnvRules {
    /// The real game from `level` to level 29: the game's own pieces, and everything that 30 presses a second can do.
    pub const fn game(level: u8) -> Self {
        Self {
            pieces: Pieces::Nes,
            gravity: Gravity::Rising(level),
            fall_rule: FallRule::Ntsc,
            moves: Moves::Pad(Limits::EACH_BUTTON),
            until_lines: None,
            until_pieces: None,
            until_level: Some(29),
        }
    }

    /// Games of straight drops without gravity, in which many published players are tested. Only a top-out ends them.
    pub const fn no_gravity(pieces: Pieces) -> Self {
        Self {
            pieces,
            gravity: Gravity::Fixed(0),
            fall_rule: FallRule::Ntsc,
            moves: Moves::Drops,
            until_lines: None,
            until_pieces: None,
            until_level: None,
        }
    }

    /// The same rules with other moves.
    pub fn with_moves(self, moves: impl Into<Moves>) -> Self {
        Self { moves: moves.into(), ..self }
    }
}

/// Why a game has ended.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub enum GameEnd {
    /// The piece in play has no placement.
    TopOut,
    /// The lines of [`EnvRules::until_lines`] were cleared.
    Lines,
    /// The pieces of [`EnvRules::until_pieces`] were placed.
    Pieces,
    /// The level of [`EnvRules::until_level`] was reached.
    Level,
}

/// What a placement brought.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Points for the lines, as the game pays them without the soft drop.
    pub reward: u64,
    /// Lines cleared, 0 to 4.
    pub lines: u8,
    /// Whether the game is over; [`Env::end`] says why.
    pub done: bool,
}

/// A placement that a game does not take.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum StepError {
    /// The game is over.
    #[error("the game is over ({0:?}), expected a game in progress")]
    Over(GameEnd),
    /// The piece in play cannot rest there.
    #[error(
        "orientation {} at row {}, column {} is no place for a {piece} to lock, expected one of the listed placements",
        placement.orientation.id(), placement.y, placement.x
    )]
    Misplaced {
        /// What was asked for.
        placement: Placement,
        /// The piece in play.
        piece: Piece,
    },
}

/// A game in which a step places a piece.
///
/// It is a few hundred bytes of plain values: a clone is a copy, and a step allocates memory only when the board is
/// near the top. Equal rules, seeds and placements give equal games.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Env {
    rules: EnvRules,
    dealer: Dealer,
    board: Board,
    piece: Piece,
    next: Piece,
    progress: Progress,
    lines: u64,
    pieces: u64,
    end: Option<GameEnd>,
}

impl Env {
    /// A new game: an empty board and the first two pieces of `seed`.
    ///
    /// ```
    /// use maxout_engine::env::{Env, EnvRules};
    /// let env = Env::new(EnvRules::game(19), 7);
    /// assert_eq!((env.board().cells(), env.progress().level, env.lines()), (0, 19, 0));
    /// ```
    pub fn new(rules: EnvRules, seed: u64) -> Self {
        Self::with_dealer(rules, Dealer::new(rules.pieces, seed))
    }

    /// A new game with the pieces of `dealer` in place of those that the rules name.
    pub fn with_dealer(rules: EnvRules, dealer: Dealer) -> Self {
        Self::begin(rules, dealer, Board::EMPTY, rules.gravity.begin())
    }

    /// A game that goes on from `board` with the first two pieces of `seed`. Its lines are counted from here.
    ///
    /// `progress` says which level the game is on and how far away the next one is. With [`Gravity::Fixed`] it is
    /// ignored.
    pub fn from_position(rules: EnvRules, seed: u64, board: Board, progress: Progress) -> Self {
        let progress = match rules.gravity {
            Gravity::Fixed(_) => rules.gravity.begin(),
            Gravity::Rising(_) => progress,
        };
        Self::begin(rules, Dealer::new(rules.pieces, seed), board, progress)
    }

    fn begin(rules: EnvRules, mut dealer: Dealer, board: Board, progress: Progress) -> Self {
        let (piece, next) = (dealer.deal(), dealer.deal());
        let mut env = Self { rules, dealer, board, piece, next, progress, lines: 0, pieces: 0, end: None };
        env.end = env.find_end();
        env
    }

    /// The rules of this game.
    pub const fn rules(&self) -> &EnvRules {
        &self.rules
    }

    /// The board without the piece in play.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The piece in play.
    pub const fn piece(&self) -> Piece {
        self.piece
    }

    /// The piece that follows.
    pub const fn next_piece(&self) -> Piece {
        self.next
    }

    /// The piece in play where it spawns, at the level's gravity.
    pub const fn start(&self) -> Start {
        Start::spawn(self.piece, self.progress.level).by(self.rules.fall_rule)
    }

    /// Lines and level, as the game counts them.
    pub const fn progress(&self) -> Progress {
        self.progress
    }

    /// Lines cleared since the beginning.
    pub const fn lines(&self) -> u64 {
        self.lines
    }

    /// Pieces placed since the beginning.
    pub const fn pieces(&self) -> u64 {
        self.pieces
    }

    /// Why the game is over; `None` while it goes on.
    pub const fn end(&self) -> Option<GameEnd> {
        self.end
    }

    /// What a player sees. The piece in play has just spawned, and no button is held.
    ///
    /// ```
    /// use maxout_engine::env::{Env, EnvRules};
    /// use maxout_engine::player::{Mind, find};
    /// use maxout_engine::search::Foresight;
    /// use maxout_rules::Stop;
    /// // A named player's plan says where the piece goes.
    /// let mut env = Env::new(EnvRules::game(19), 7);
    /// let player = find("maxout-2ply").unwrap().make(Foresight::DEFAULT, Stop::Level29);
    /// let Mind::Fair(mut player) = player else { panic!("it is a fair player") };
    /// let plan = player.plan(&env.position()).unwrap();
    /// env.step(plan.placement).unwrap();
    /// assert_eq!(env.board().cells(), 4);
    /// ```
    pub const fn position(&self) -> Position {
        Position { board: self.board, start: self.start(), next: Some(self.next), progress: self.progress }
    }

    /// Replaces the contents of `out` with the placements of the piece in play; empty once the game is over.
    ///
    /// The order is that of [`Moves::list`], the same for equal positions.
    pub fn placements(&self, out: &mut Vec<Placement>) {
        if self.end.is_some() {
            out.clear();
        } else {
            self.rules.moves.list(&self.board, &self.start(), out);
        }
    }

    /// Places the piece in play; the next piece comes into play, and another is dealt.
    ///
    /// The method checks that the game is not over and that the piece in play can rest there. It does not check that
    /// the moves lead there: use a placement from [`Env::placements`]. An error changes nothing.
    ///
    /// ```
    /// use maxout_engine::env::{Env, EnvRules, GameEnd};
    /// let rules = EnvRules { until_pieces: Some(1), ..EnvRules::game(19) };
    /// let mut env = Env::new(rules, 7);
    /// let mut placements = Vec::new();
    /// env.placements(&mut placements);
    /// let step = env.step(placements[0]).unwrap();
    /// assert_eq!((step.reward, step.lines, step.done), (0, 0, true));
    /// assert_eq!(env.end(), Some(GameEnd::Pieces));
    /// assert!(env.step(placements[0]).is_err());
    /// ```
    pub fn step(&mut self, placement: Placement) -> Result<Step, StepError> {
        if let Some(end) = self.end {
            return Err(StepError::Over(end));
        }
        if !placement.can_rest(&self.board, self.piece) {
            return Err(StepError::Misplaced { placement, piece: self.piece });
        }
        let lines = self.board.lock(placement.x, placement.y, placement.orientation);
        if let Gravity::Rising(_) = self.rules.gravity {
            self.progress.add_rows(lines);
        }
        self.lines += u64::from(lines);
        self.pieces += 1;
        self.take_next();
        self.end = self.find_end();
        Ok(Step { reward: line_points(lines, self.progress.level), lines, done: self.end.is_some() })
    }

    /// Begins another game: the board is empty, and lines and pieces are counted anew. The sequence of pieces goes on;
    /// the piece in play and the next one stay.
    pub fn restart(&mut self) {
        self.board = Board::EMPTY;
        self.progress = self.rules.gravity.begin();
        (self.lines, self.pieces) = (0, 0);
        self.end = self.find_end();
    }

    /// Removes the piece in play as if it had never been dealt. The next one comes into play.
    pub fn skip_piece(&mut self) {
        self.take_next();
        self.end = self.find_end();
    }

    /// Replaces the board, for drawn positions and for rules of your own.
    pub fn set_board(&mut self, board: Board) {
        self.board = board;
        self.end = self.find_end();
    }

    /// Replaces the piece in play and the next one. The pieces that follow are those that the dealer would have dealt
    /// anyway.
    pub fn set_pieces(&mut self, piece: Piece, next: Piece) {
        (self.piece, self.next) = (piece, next);
        self.end = self.find_end();
    }

    /// Does what [`Env::set_pieces`] does, and the dealer takes `next` for the piece that it dealt last.
    pub fn deal_pieces(&mut self, piece: Piece, next: Piece) {
        self.set_pieces(piece, next);
        self.dealer.follow(next);
    }

    fn take_next(&mut self) {
        self.piece = self.next;
        self.next = self.dealer.deal();
    }

    /// Why the game is over now. A limit that is reached counts before a top-out.
    fn find_end(&self) -> Option<GameEnd> {
        let EnvRules { gravity, until_lines, until_pieces, until_level, .. } = self.rules;
        let rises = matches!(gravity, Gravity::Rising(_));
        if until_lines.is_some_and(|lines| self.lines >= lines) {
            Some(GameEnd::Lines)
        } else if rises && until_level.is_some_and(|level| self.progress.level >= level) {
            Some(GameEnd::Level)
        } else if until_pieces.is_some_and(|pieces| self.pieces >= pieces) {
            Some(GameEnd::Pieces)
        } else if self.is_blocked() {
            Some(GameEnd::TopOut)
        } else {
            None
        }
    }

    /// Whether the piece in play has no placement. The list is made only if it may be empty.
    fn is_blocked(&self) -> bool {
        let start = self.start();
        // Four empty rows are room enough for every piece to begin, and it comes to rest somewhere below.
        if self.board.visible()[..4].iter().all(|&row| row == 0) {
            return false;
        }
        // A piece that fits where it spawns can be left alone, and falls.
        let falls = matches!(self.rules.moves, Moves::Pad(_) | Moves::Top | Moves::Commands);
        if falls && self.board.is_valid(start.x, start.y, start.orientation) {
            return false;
        }
        let mut found = Vec::new();
        self.rules.moves.list(&self.board, &start, &mut found);
        found.is_empty()
    }
}
