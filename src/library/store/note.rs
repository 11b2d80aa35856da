//! Remarks on runs: one line of text, in which words like `#good` are tags.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::text::is_control;

/// Most characters of a note.
const LONGEST: usize = 1_000;

/// How the part of a note begins that says what was not read of a game.
pub(in crate::library) const NOT_READ: &str = "not read: ";

/// A note that may be kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note(pub(super) String);

/// Text that makes no note.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ParseNoteError {
    /// It is too long.
    #[error("{0} characters, expected at most {LONGEST}")]
    Long(usize),
    /// It has a character that is not shown as a letter, or turns the direction of writing.
    #[error("U+{:04X}, expected one line without control characters", u32::from(*.0))]
    Control(char),
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_empty() { "no note" } else { &self.0 })
    }
}

impl FromStr for Note {
    type Err = ParseNoteError;

    fn from_str(text: &str) -> Result<Self, ParseNoteError> {
        let text = text.trim();
        check(text).map(|()| Self(text.to_owned()))
    }
}

impl Note {
    /// The note, with what the one before it says was not read of a game.
    pub(super) fn keeping(&self, before: &str) -> Self {
        match before.rfind(NOT_READ).map(|at| &before[at..]) {
            Some(part) if self.0.is_empty() => Self(part.to_owned()),
            Some(part) if !self.0.ends_with(part) => Self(clean(&format!("{}; {part}", self.0))),
            _ => self.clone(),
        }
    }
}

/// What a note may be, for those who write it and those who read it.
pub(super) fn check(text: &str) -> Result<(), ParseNoteError> {
    if let Some(letter) = text.chars().find(|&letter| is_control(letter)) {
        return Err(ParseNoteError::Control(letter));
    }
    match text.chars().count() {
        length if length > LONGEST => Err(ParseNoteError::Long(length)),
        _ => Ok(()),
    }
}

/// The part of a text that a note may have; its end shows whether the text was longer.
pub(super) fn clean(text: &str) -> String {
    let letters = || text.chars().filter(|&letter| !is_control(letter));
    if letters().count() <= LONGEST {
        return letters().collect();
    }
    letters().take(LONGEST - 1).chain(['…']).collect()
}

/// A tag by which runs are looked for, with or without its `#`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Tag(String);

/// Text that is no tag.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("unknown tag {0:?}: expected letters, digits, - and _, as in #good")]
pub struct ParseTagError(String);

/// Whether a tag may have this character.
fn may(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '-' || letter == '_'
}

impl FromStr for Tag {
    type Err = ParseTagError;

    fn from_str(text: &str) -> Result<Self, ParseTagError> {
        let tag = text.strip_prefix('#').unwrap_or(text);
        if tag.is_empty() || !tag.chars().all(may) {
            return Err(ParseTagError(text.to_owned()));
        }
        Ok(Self(tag.to_lowercase()))
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

impl Tag {
    /// Whether a note has it, in large or small letters.
    pub fn is_in(&self, note: &str) -> bool {
        note.split_whitespace()
            .filter_map(|word| word.strip_prefix('#'))
            .any(|word| word.trim_end_matches(|letter| !may(letter)).to_lowercase() == self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_are_words_of_a_note() {
        let tag: Tag = "#Good".parse().expect("a tag");
        assert!(["#good", "a #GOOD, game", "x #bad #good."].iter().all(|note| tag.is_in(note)));
        assert!(!["", "good", "a#good", "#goodness", "#go"].iter().any(|note| tag.is_in(note)));
        assert!(["", "#", "two words", "#a#b"].iter().all(|text| text.parse::<Tag>().is_err()));
    }

    #[test]
    fn what_was_not_read_is_kept_and_a_cut_shows() {
        let note = |text: &str| Note(text.to_owned());
        let before = "#old; not read: the number of the level";
        assert_eq!(note("#good").keeping(before), note("#good; not read: the number of the level"));
        assert_eq!(note("").keeping(before), note("not read: the number of the level"));
        assert_eq!(note(before).keeping(before), note(before));
        assert_eq!(note("#good").keeping("#old"), note("#good"));
        let long = note(&"x".repeat(LONGEST - 20)).keeping(before).0;
        assert!(check(&long).is_ok() && long.ends_with("; not read: the num…"), "{long}");
        assert_eq!(clean(&"x".repeat(LONGEST)), "x".repeat(LONGEST));
    }

    #[test]
    fn a_note_is_one_line_of_bounded_length() {
        assert_eq!(" ok ".parse(), Ok(Note("ok".to_owned())));
        assert_eq!("ä".repeat(LONGEST).parse::<Note>().map(|_| ()), Ok(()));
        assert_eq!("ä".repeat(LONGEST + 1).parse::<Note>(), Err(ParseNoteError::Long(LONGEST + 1)));
        for letter in ['\n', '\u{1b}', '\u{85}', '\u{61c}', '\u{200f}', '\u{2028}', '\u{202e}', '\u{2069}'] {
            assert_eq!(format!("a{letter}b").parse::<Note>(), Err(ParseNoteError::Control(letter)));
        }
        let error = "good \u{200f}x".parse::<Note>().expect_err("a mark").to_string();
        assert_eq!(error, "U+200F, expected one line without control characters");
    }
}
