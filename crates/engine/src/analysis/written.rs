//! How serde writes the parts of an answer: buttons by their letters, what belongs to a piece by the letter of the piece.

use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Placement};
use serde::Serializer;

/// Whether nothing is held.
pub(super) fn is_none(held: &Buttons) -> bool {
    held.is_empty()
}

/// The letters of the held buttons; none is an empty text.
pub(super) fn letters<S: Serializer>(held: &Buttons, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&held.letters())
}

/// The letters of each frame.
pub(super) fn all_letters<S: Serializer>(frames: &[Buttons], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(frames.iter().map(|held| held.letters()))
}

/// The placement of each piece.
pub(super) fn by_piece<S: Serializer>(
    placements: &[Option<Placement>; 7],
    serializer: S,
) -> Result<S::Ok, S::Error> {
    serializer.collect_map(Piece::ALL.iter().zip(placements))
}
