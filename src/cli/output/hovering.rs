//! `maxout analyze --reaction`: what to do before the next piece is seen.

use crate::boards;
use maxout_engine::analysis::Hovering;
use maxout_rules::Piece;
use maxout_rules::input::Buttons;

/// The letters of each frame in a row, `-` for a frame without buttons; what is held before the first frame comes first, in brackets.
pub(crate) fn row(held_before: Buttons, frames: &[Buttons]) -> String {
    let shown = |held: &Buttons| if held.is_empty() { "-".to_owned() } else { held.letters() };
    let before = (!held_before.is_empty()).then(|| format!("({})", held_before.letters()));
    before.into_iter().chain(frames.iter().map(shown)).collect::<Vec<_>>().join(" ")
}

/// What to do until the next piece is seen, in words.
pub(crate) fn text(Hovering { frames, held_before, buttons, at, adjustments }: &Hovering) -> String {
    let pressed = match row(*held_before, buttons) {
        none if none.is_empty() => "-".to_owned(),
        buttons => buttons,
    };
    let mut text = format!(
        "\nif the next piece is seen after {frames} frames: {pressed}, and the piece is in {at}\nnext  {}\n",
        boards::PLACE.trim_end(),
    );
    for (piece, placement) in Piece::ALL.iter().zip(adjustments) {
        let place = placement.map_or("-".to_owned(), boards::place);
        text += &format!("{:>4}  {}\n", piece.letter(), place.trim_end());
    }
    text
}
