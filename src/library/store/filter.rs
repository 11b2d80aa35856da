//! [`RunFilter`]: a choice of runs in a library.

use super::note::Tag;

/// Which runs are meant; all, if nothing is said.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RunFilter {
    /// Those of this player.
    pub player: Option<String>,
    /// Those whose note has this tag.
    pub tag: Option<Tag>,
    /// Those whose note has this text, in large or small letters.
    pub note: Option<String>,
}

impl RunFilter {
    /// Whether a run of this player with this note is meant.
    pub(super) fn takes(&self, player: &str, note: &str) -> bool {
        self.player.as_ref().is_none_or(|name| name == player)
            && self.tag.as_ref().is_none_or(|tag| tag.is_in(note))
            && self.note.as_ref().is_none_or(|text| note.to_lowercase().contains(&text.to_lowercase()))
    }
}
