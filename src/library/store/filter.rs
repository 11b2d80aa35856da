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
    /// Whether a run with this note may be meant.
    pub(super) fn takes(&self, note: &str) -> bool {
        self.tag.as_ref().is_none_or(|tag| tag.is_in(note))
            && self.note.as_ref().is_none_or(|text| note.to_lowercase().contains(&text.to_lowercase()))
    }
}
