//! The whole answer to a question: [`Answer`].

use super::{Analyst, Forecaster, Hovering, MoveClass, Verdict, stop_name, warnings};
use crate::Position;
use crate::movegen::Reach;
use maxout_rules::danger::{self, LockSafety};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Placement};
use serde::Serialize;

/// What a player says of a position. `maxout analyze --json`, `/v1/analyze`, the page and the Python package all give it, by the names that
/// serde writes (docs/reference/formats.md). Who adds to the placements maps them ([`Answer::map`]).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Answer<R = Ranked> {
    /// Up to where points and top-outs are counted: [`stop_name`].
    pub stop: String,
    /// Whose games points and top-outs speak of.
    pub forecast: Forecaster,
    /// What is odd about the board ([`warnings()`]), and which locks can crash the game now ([`danger::advice`]).
    pub warnings: Vec<String>,
    /// From level 138 on: how safe it is to clear 0, 1, 2, 3 or 4 lines ([`danger::locks`]).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub crash: Vec<LockSafety>,
    /// Every placement that the limits allow, best first. An empty list ends the game.
    #[serde(rename = "placements")]
    pub ranked: Vec<R>,
    /// How to play the first frames, for those who asked: [`Analyst::hovering`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hovering: Option<Hovering>,
}

/// A placement, and what it is worth.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ranked {
    /// Where the piece locks, how it gets there, and what it leaves.
    #[serde(flatten)]
    pub reached: Reached,
    /// The expected line points from here to the stop.
    pub points: f32,
    /// How many points less that is than after the best placement; 0 for the best.
    pub loss: f32,
    /// The probability of a top-out before the stop, 0 to 1.
    pub topout: f32,
    /// How good it is, by what it loses.
    pub class: MoveClass,
    /// The search's own number.
    pub value: f64,
    /// The best placement of the next piece, if that is known and has a place.
    pub reply: Option<Placement>,
    /// The best placement of each of the seven pieces that may come after all known ones, in the order of
    /// [`Piece::ALL`](maxout_rules::Piece::ALL). Written by the letter of the piece.
    #[serde(serialize_with = "super::written::by_piece")]
    pub replies: [Option<Placement>; 7],
}

/// A placement that can be reached: how, and what it leaves.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Reached {
    /// Where the piece locks.
    #[serde(flatten)]
    pub placement: Placement,
    /// The direction that is held before the first frame, where directions may be held. Written by its letter, if there is one.
    #[serde(serialize_with = "super::written::letters")]
    #[serde(skip_serializing_if = "super::written::is_none")]
    pub held_before: Buttons,
    /// The buttons of each frame, up to the last one in which a button is held. Written by their letters.
    #[serde(serialize_with = "super::written::all_letters")]
    pub buttons: Vec<Buttons>,
    /// The board after the placement, with full rows cleared.
    pub board: Board,
    /// How many lines that clears.
    pub lines: u8,
}

impl<R> Answer<R> {
    /// The same answer with something else of each placement.
    pub fn map<S>(self, of: impl FnMut(R) -> S) -> Answer<S> {
        let Self { stop, forecast, warnings, crash, ranked, hovering } = self;
        Answer { stop, forecast, warnings, crash, ranked: ranked.into_iter().map(of).collect(), hovering }
    }
}

impl Reached {
    /// The placement of the piece in play, with the buttons that lead there: those that are held before the first frame, and those of each
    /// frame.
    pub fn new(position: &Position, placement: Placement, path: Option<(Buttons, Vec<Buttons>)>) -> Self {
        let (held_before, buttons) = path.unwrap_or_default();
        let mut board = position.board;
        let lines = board.lock(placement.x, placement.y, placement.orientation);
        Self { placement, held_before, buttons, board, lines }
    }

    /// The same with the buttons by which the piece gets there, from the `reach` of the position.
    pub fn of(position: &Position, placement: Placement, reach: Option<&Reach>) -> Self {
        let path = reach.and_then(|reach| reach.path(placement));
        Self::new(position, placement, path.map(|path| (path.held_before, path.inputs)))
    }
}

impl Ranked {
    fn new(verdict: &Verdict, reached: Reached, level: u8) -> Self {
        let &Verdict { points, loss, topout, value, reply, replies, .. } = verdict;
        let class = MoveClass::of(loss, level);
        Self { reached, points, loss, topout, class, value: value.into(), reply, replies }
    }
}

impl Analyst {
    /// Answers a question: what [`Analyst::rank`] says of every placement, and how each is played.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// use maxout_rules::{Board, Piece, Progress};
    ///
    /// let mut analyst = find("maxout-fast").unwrap().analyst(Foresight::DEFAULT).unwrap();
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let position = Position::spawn(board, Piece::I, None, Progress::at(100, 19));
    /// let answer = analyst.answer(&position);
    /// assert_eq!((answer.stop.as_str(), answer.warnings.is_empty()), ("level 29", true));
    /// let tetris = &answer.ranked[0].reached;
    /// assert_eq!((tetris.lines, tetris.buttons.is_empty()), (4, false));
    /// ```
    pub fn answer(&mut self, position: &Position) -> Answer {
        let level = position.progress.level;
        let reach = Reach::new(&position.board, &position.start, self.limits());
        let ranked = |verdict: &Verdict| {
            Ranked::new(verdict, Reached::of(position, verdict.placement, reach.as_ref()), level)
        };
        Answer {
            stop: stop_name(position.progress),
            forecast: Forecaster::of(self.strength.player, level, position.start.fall_rule, self.limits()),
            warnings: warnings(&position.board)
                .into_iter()
                .chain(danger::advice(position.progress))
                .collect(),
            crash: danger::locks(position.progress),
            ranked: self.rank(position).iter().map(ranked).collect(),
            hovering: None,
        }
    }
}
