//! What to do before the next piece is seen: [`Hovering`].

use super::Analyst;
use crate::Position;
use crate::movegen::{Start, Then};
use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Placement};

/// How to play the first frames of a piece, and where it goes from there for each next piece.
#[derive(Clone, PartialEq, Eq, Debug, serde::Serialize)]
pub struct Hovering {
    /// The frames before the next piece is seen.
    pub frames: u32,
    /// The direction that is held before the first of these frames, where directions may be held. Written by its letter, if there is one.
    #[serde(serialize_with = "super::written::letters")]
    #[serde(skip_serializing_if = "super::written::is_none")]
    pub held_before: Buttons,
    /// The buttons of the frames before the next piece is seen. Written by their letters.
    #[serde(serialize_with = "super::written::all_letters")]
    pub buttons: Vec<Buttons>,
    /// Where the piece is after those frames: the row and column of its centre, and its orientation.
    pub at: Placement,
    /// The best placement that can still be reached, for each piece that may come next, in the order of [`Piece::ALL`]. Written by the
    /// letter of the piece.
    #[serde(serialize_with = "super::written::by_piece")]
    pub adjustments: [Option<Placement>; 7],
}

impl Analyst {
    /// Returns how to play the first `frames` frames of the piece in play if the next piece is seen only after them, as a
    /// player with that reaction delay does. The next piece of the question is ignored. Returns `None` if the piece has no
    /// placement.
    ///
    /// ```
    /// use maxout_engine::Position;
    /// use maxout_engine::limits::{Limits, TapTable};
    /// use maxout_engine::movegen::Start;
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// use maxout_rules::{Board, Piece, Progress};
    ///
    /// let slow = find("maxout-2ply").unwrap().with_limits(Limits::taps(TapTable::HZ_12)).unwrap();
    /// let mut analyst = slow.analyst(Foresight::DEFAULT).unwrap();
    /// let board: Board = "#########.\n".repeat(4).parse().unwrap();
    /// let position = Position::spawn(board, Piece::L, None, Progress::at(100, 18));
    /// let hovering = analyst.hovering(&position, 12).unwrap();
    /// assert_eq!(hovering.buttons.len(), 12);
    /// assert!(hovering.adjustments.iter().all(Option::is_some));
    /// ```
    pub fn hovering(&mut self, position: &Position, frames: u32) -> Option<Hovering> {
        let (reach, hover) = self.search.hover(position, frames)?;
        let held_before = reach.held_before(&hover);
        match hover.then {
            Then::Locked(placement) => {
                let buttons = reach.inputs_of(&hover);
                let adjustments = [Some(placement); 7];
                Some(Hovering { frames, held_before, buttons, at: placement, adjustments })
            }
            Then::Falls(then) => {
                let buttons = reach.inputs_of(&hover);
                let held = buttons.last().copied().unwrap_or(position.start.held | held_before);
                let then = Start { held, ..then };
                let adjustments = Piece::ALL
                    .map(|next| self.search.best(&Position { start: then, next: Some(next), ..*position }));
                Some(Hovering {
                    frames,
                    held_before,
                    buttons,
                    at: Placement { y: then.y, orientation: then.orientation, x: then.x },
                    adjustments,
                })
            }
        }
    }
}
