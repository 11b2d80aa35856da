//! `maxout analyze --reaction`: what to do before the next piece is seen.

use anyhow::Context;
use serde::Serialize;

use crate::boards;
use maxout_engine::Position;
use maxout_engine::analysis::Hovering;
use maxout_engine::player::Entry;
use maxout_engine::search::Foresight;
use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Placement};

/// What to do until the next piece is seen. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
pub(crate) struct ShownHovering {
    frames: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    held_before: Option<String>,
    buttons: Vec<String>,
    at: Placement,
    /// Where the piece goes for each next piece, in the order T J Z O S L I.
    adjustments: [Option<Placement>; 7],
}

/// The buttons of each frame as letters; `-` is a frame without buttons.
pub(crate) fn letters(inputs: &[Buttons]) -> Vec<String> {
    let shown = |text: String| if text.is_empty() { "-".to_owned() } else { text };
    inputs.iter().map(|held| shown(held.letters())).collect()
}

/// The letter of the direction that is held before the first frame, if one is.
pub(crate) fn held(before: Buttons) -> Option<String> {
    (!before.is_empty()).then(|| before.letters())
}

/// Letters in a row; what is held before the first frame comes first, in brackets.
pub(crate) fn row(held_before: Option<&str>, buttons: &[String]) -> String {
    match (held_before, buttons) {
        (None, buttons) => buttons.join(" "),
        (Some(held), buttons) => format!("({held}) {}", buttons.join(" ")).trim_end().to_owned(),
    }
}

impl ShownHovering {
    pub(crate) fn of(player: &Entry, position: &Position, frames: u32) -> anyhow::Result<Self> {
        let hovering =
            player.analyst(Foresight::DEFAULT).and_then(|mut analyst| analyst.hovering(position, frames));
        let Hovering { held_before, inputs, at, adjustments } = hovering.with_context(|| {
            format!(
                "--reaction: {} does not rank in points, expected --player maxout or the like",
                player.name
            )
        })?;
        Ok(Self { frames, held_before: held(held_before), buttons: letters(&inputs), at, adjustments })
    }

    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "\nif the next piece is seen after {} frames: {}, and the piece is in {}\nnext  {}\n",
            self.frames,
            match row(self.held_before.as_deref(), &self.buttons) {
                none if none.is_empty() => "-".to_owned(),
                buttons => buttons,
            },
            self.at,
            boards::PLACE.trim_end(),
        );
        for (piece, placement) in Piece::ALL.iter().zip(self.adjustments) {
            let place = placement.map_or("-".to_owned(), boards::place);
            text += &format!("{:>4}  {}\n", piece.letter(), place.trim_end());
        }
        text
    }
}
