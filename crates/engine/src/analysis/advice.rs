//! The whole answer to a question: [`Advice`].

use super::{Analyst, Verdict};
use crate::Position;
use crate::movegen::Reach;
use maxout_rules::input::Buttons;

/// A placement: what it is worth, and how to play it. `maxout analyze`, its server, the page and the Python package all show this.
#[derive(Clone, PartialEq, Debug)]
pub struct Advice {
    /// Where the piece locks, and what that is worth.
    pub verdict: Verdict,
    /// The rows that the placement clears, 0 to 4.
    pub rows: u8,
    /// The direction that is held before the first frame, where directions may be held.
    pub held_before: Buttons,
    /// The buttons of each frame, up to the last one in which a button is held.
    pub inputs: Vec<Buttons>,
}

impl Analyst {
    /// Returns what [`Analyst::rank`] returns, with how each placement is played.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::movegen::Start;
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// use maxout_rules::{Board, Piece, Progress};
    ///
    /// let mut analyst = find("maxout-fast").unwrap().analyst(Foresight::DEFAULT).unwrap();
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let position = Position::spawn(board, Piece::I, None, Progress::at(100, 19));
    /// let tetris = &analyst.advise(&position)[0];
    /// assert_eq!((tetris.rows, tetris.inputs.is_empty()), (4, false));
    /// ```
    pub fn advise(&mut self, position: &Position) -> Vec<Advice> {
        let reach = Reach::new(&position.board, &position.start, self.limits());
        let advice = |verdict: Verdict| {
            let place = verdict.placement;
            let path = reach.as_ref().and_then(|reach| reach.path(place));
            let (held_before, inputs) =
                path.map_or((Buttons::NONE, Vec::new()), |path| (path.held_before, path.inputs));
            let rows = { position.board }.lock(place.x, place.y, place.orientation);
            Advice { verdict, rows, held_before, inputs }
        };
        self.rank(position).into_iter().map(advice).collect()
    }
}
