//! StackRabbit's timelines: in which frames presses may begin ([`Timeline`]).

use crate::serve::fields::shown;
use crate::serve::refusal::Refusal;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::Start;

/// Frames that a timeline may have. No piece falls for longer on the levels that StackRabbit knows, so the rest is ignored.
const FRAMES: usize = 64;

/// A timeline, which is repeated from the piece's first frame on.
///
/// The console sees a button that was up for a frame. So presses in neighbouring frames are made two frames apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Timeline {
    table: TapTable,
    period: u32,
    /// The frame of the first press. `None` without a press.
    first: Option<u32>,
}

impl Timeline {
    /// Reads X and `.` or `-`.
    pub(super) fn of(text: &str) -> Result<Self, Refusal> {
        let wrong = || {
            let expected =
                "X for each frame in which a press may begin and '.' or '-' for each other, such as X....";
            Refusal::bad(format!("inputFrameTimeline: {:?}, expected {expected}", shown(text)))
        };
        let press = |frame: u8| match frame {
            b'X' | b'x' => Some(true),
            b'.' | b'-' => Some(false),
            _ => None,
        };
        let frames: Vec<bool> = text.bytes().map(press).collect::<Option<_>>().ok_or_else(wrong)?;
        let frames = apart(&frames[..frames.len().min(FRAMES)]);
        let Some(first) = frames.iter().position(|&press| press) else {
            let table = TapTable::new(&[0, FRAMES as u8]).ok_or_else(wrong)?;
            return Ok(Self { table, period: FRAMES as u32, first: None });
        };
        // As our own timelines, it begins with a press.
        let from_first = frames[first..].iter().chain(&frames[..first]);
        let text: String = from_first.map(|&press| if press { 'X' } else { '.' }).collect();
        let table = text.parse().map_err(|_| wrong())?;
        Ok(Self { table, period: frames.len() as u32, first: Some(first as u32) })
    }

    /// The input limits of the piece in play and of those that follow.
    pub(super) fn limits(self) -> Limits {
        Limits::taps(self.table)
    }

    /// The same piece, whose next frame is frame `at` of the timeline. If it `waits`, no press may begin in that frame.
    pub(super) fn from(self, start: Start, at: u32, waits: bool) -> Start {
        let Some(first) = self.first else { return Start { pressed: 1, ..start } };
        let begun = at + self.period - first % self.period;
        // The press before is as far back as its distance to the next one says.
        let ago = self.table.every().map_or(0, |every| begun % u32::from(every));
        let pressed = match ago {
            0 => u64::from(waits),
            ago => 1 << (ago - 1),
        };
        Start { pressed, elapsed: begun, ..start }
    }
}

/// The same presses, with a frame or more between any two, also where the timeline begins anew. A timeline with more than
/// one press in two frames becomes one press every second frame.
fn apart(frames: &[bool]) -> Vec<bool> {
    let count = frames.iter().filter(|&&press| press).count();
    if 2 * count > frames.len() {
        return vec![true, false];
    }
    let mut apart = vec![false; frames.len()];
    let (mut first, mut free) = (None, 0);
    for at in (0..frames.len()).filter(|&at| frames[at]) {
        let at = free.max(at);
        let first = *first.get_or_insert(at);
        if at + 2 <= frames.len() + first && at < frames.len() {
            apart[at] = true;
            free = at + 2;
        }
    }
    apart
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Piece;

    fn timeline(text: &str) -> Timeline {
        Timeline::of(text).expect(text)
    }

    #[test]
    fn timelines_of_any_pattern_are_read() {
        let same = |text: &str, ours: &str| {
            assert_eq!(timeline(text).table, ours.parse().expect(ours), "{text}");
        };
        for (text, ours) in [
            ("X....", "12hz"),
            ("X----", "12hz"),
            ("x....x....", "12hz"),
            (".X...", "12hz"),
            ("..X..X..X", "20hz"),
            ("X..X.", "24hz"),
            ("X", "30hz"),
            ("XX.", "30hz"),
            ("X.X", "30hz"),
            ("XX......", "X.X....."),
            ("X...X", "12hz"),
            ("XX..XX..........", "X.X.X.X........."),
        ] {
            same(text, ours);
        }
        // More frames than any piece falls for.
        assert_eq!(timeline(&"X....".repeat(40)).first, Some(0));
        for text in ["X,.", "12hz", "Y", "X.é"] {
            assert!(Timeline::of(text).is_err(), "{text}");
        }
    }

    #[test]
    fn presses_come_in_the_frames_of_the_timeline() {
        let spawn = Start::spawn(Piece::T, 18);
        // The press before: so many frames ago.
        let ago = |text: &str, at: u32| timeline(text).from(spawn, at, false).pressed;
        assert_eq!(ago("X....", 0), 0);
        assert_eq!(ago(".X...", 0), 1 << 3);
        assert_eq!(ago("X....", 3), 1 << 2);
        assert_eq!(ago("X....", 15), 0);
        assert_eq!(timeline("X..X.").from(spawn, 3, false).elapsed % 5, 3);
        assert_eq!(timeline("..X..X").from(spawn, 0, false).pressed, 1 << 0);
        assert_eq!(timeline(".").from(spawn, 0, false).pressed, 1);
    }
}
