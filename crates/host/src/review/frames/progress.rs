//! Lines and level of a recording, held to the rules: [`Counted`].

use super::compact::Look;
use super::turns::{Turn, most};
use maxout_rules::Progress;

/// Highest number of lines that is read; no display shows more.
const MOST_LINES: u16 = 25_599;
/// Turns after which a display that says something else is believed.
const STUBBORN: u32 = 4;

/// Counts the lines of the placements, beside what the display shows. The rules decide, unless the display says the same
/// other number for several turns.
pub struct Counted<'a> {
    frames: &'a [Look],
    now: Option<Progress>,
    /// By how many lines the display differs, and for how many turns it has.
    differs: (i64, u32),
}

impl<'a> Counted<'a> {
    /// Begins with what the turn shows. Without lines, a game begins on the level that is shown, or else on the start level.
    pub fn new(frames: &'a [Look], turn: &Turn, start_level: Option<u8>) -> Self {
        let mut counted = Self { frames, now: None, differs: (0, 0) };
        let begun = start_level.map(|level| Progress::at(0, turn.level(frames).unwrap_or(level)));
        counted.now = counted.shown(turn).or(begun);
        counted
    }

    pub const fn progress(&self) -> Option<Progress> {
        self.now
    }

    /// Counts the lines of a placement.
    pub fn add(&mut self, lines: u8) {
        if let Some(progress) = &mut self.now {
            progress.add_rows(lines);
        }
    }

    /// Reads lines and level again, after pieces that are not known. Where nothing shows them, a count from a start level goes on: then
    /// the lines of those pieces are missing, and it returns true.
    pub fn read_anew(&mut self, turn: &Turn, start_level: Option<u8>) -> bool {
        let shown = self.shown(turn);
        self.now = shown.or(self.now.filter(|_| start_level.is_some()));
        self.differs = (0, 0);
        shown.is_none() && self.now.is_some()
    }

    /// Compares with what the display shows in this turn.
    pub fn compare(&mut self, turn: &Turn) {
        let Some(shown) = self.shown(turn) else { return };
        let Some(now) = self.now else {
            self.now = Some(shown);
            return;
        };
        let by = i64::from(shown.lines()) - i64::from(now.lines());
        self.differs = match self.differs {
            _ if by == 0 => (0, 0),
            (before, turns) if before == by => (by, turns + 1),
            _ => (by, 1),
        };
        if self.differs.1 >= STUBBORN {
            self.now = Some(shown);
            self.differs = (0, 0);
        }
    }

    /// What most frames of the turn show, if the rules allow it: a level is at least a tenth of the lines.
    fn shown(&self, turn: &Turn) -> Option<Progress> {
        let frames = &self.frames[turn.frames.clone()];
        let lines = most(frames.iter().filter_map(|frame| frame.lines.get()))
            .filter(|&lines| lines <= MOST_LINES)?
            .into();
        let level = turn.level(self.frames)?;
        (u32::from(level) >= lines / 10 || lines >= 2_560).then(|| Progress::at(lines, level))
    }
}
