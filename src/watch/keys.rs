//! [`Keys`]: reads keys in a way that a terminal cannot block. A control sequence that never ends is dropped after a
//! moment, and Ctrl-C works even in the middle of one.

use std::io;
use std::time::Duration;
#[cfg(unix)]
use std::time::Instant;

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// How long the rest of a control sequence may take to come.
const REST: Duration = Duration::from_millis(100);

const CONTROL_C: u8 = 3;
const ESCAPE: u8 = 0x1B;

/// The keys that are typed.
#[derive(Debug, Default)]
pub struct Keys {
    parser: Parser,
    /// When something last came.
    #[cfg(unix)]
    came: Option<Instant>,
}

impl Keys {
    /// What was typed, waiting for it as long as `wait`. An error if the terminal is gone.
    #[cfg(unix)]
    pub fn read(&mut self, wait: Duration) -> io::Result<Vec<KeyEvent>> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        let stdin = io::stdin();
        let patience = if self.parser.is_within() { wait.min(REST) } else { wait };
        let timeout =
            Timespec { tv_sec: patience.as_secs().cast_signed(), tv_nsec: patience.subsec_nanos().into() };
        match poll(&mut [PollFd::new(&stdin, PollFlags::IN)], Some(&timeout)) {
            Ok(0) if self.came.is_some_and(|came| came.elapsed() < REST) => return Ok(Vec::new()),
            Ok(0) => return Ok(self.parser.give_up().into_iter().collect()),
            Ok(_) => self.came = Some(Instant::now()),
            Err(rustix::io::Errno::INTR) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
        let mut bytes = [0; 256];
        match rustix::io::read(&stdin, &mut bytes) {
            Ok(0) => Err(io::ErrorKind::UnexpectedEof.into()),
            Ok(count) => Ok(bytes[..count].iter().filter_map(|&byte| self.parser.take(byte)).collect()),
            Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => Ok(Vec::new()),
            Err(error) => Err(error.into()),
        }
    }

    /// What was typed, waiting for it as long as `wait`. An error if the terminal is gone.
    #[cfg(not(unix))]
    pub fn read(&mut self, wait: Duration) -> io::Result<Vec<KeyEvent>> {
        use ratatui::crossterm::event::{Event, KeyEventKind, poll, read};
        let mut keys = Vec::new();
        let mut wait = wait;
        while poll(wait)? {
            wait = Duration::ZERO;
            keys.extend(read()?.as_key_event().filter(|key| key.kind != KeyEventKind::Release));
        }
        Ok(keys)
    }
}

/// Where in a control sequence the last byte was.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
enum Parser {
    #[default]
    Outside,
    /// After Escape: a key of its own, or the begin of a sequence.
    Escape,
    /// After Escape and `O`: one byte is left.
    Single,
    /// After Escape and `[`: up to a byte from `@` on.
    Long,
}

impl Parser {
    const fn is_within(self) -> bool {
        !matches!(self, Self::Outside)
    }

    /// Nothing more comes: Escape was a key if it was alone.
    fn give_up(&mut self) -> Option<KeyEvent> {
        (std::mem::take(self) == Self::Escape).then(|| KeyCode::Esc.into())
    }

    /// Takes a byte and returns the key that it completes. Keys without an effect are ignored.
    fn take(&mut self, byte: u8) -> Option<KeyEvent> {
        if byte == ESCAPE {
            let alone = self.give_up();
            *self = Self::Escape;
            return alone;
        }
        let within = std::mem::take(self);
        // Control characters are keys wherever they are.
        if byte < b' ' {
            let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
            return (byte == CONTROL_C).then_some(control_c);
        }
        match (within, byte) {
            (Self::Escape, b'[') | (Self::Long, b' '..b'@') => *self = Self::Long,
            (Self::Escape, b'O') => *self = Self::Single,
            (Self::Outside | Self::Escape, _) => return Some(KeyCode::Char(char::from(byte)).into()),
            (Self::Long | Self::Single, _) => return arrow(byte),
        }
        None
    }
}

/// The key whose sequence ends with this byte.
fn arrow(last: u8) -> Option<KeyEvent> {
    let code = match last {
        b'A' => KeyCode::Up,
        b'B' => KeyCode::Down,
        b'C' => KeyCode::Right,
        b'D' => KeyCode::Left,
        _ => return None,
    };
    Some(code.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The keys of these bytes, which come at once.
    fn keys(bytes: &[u8]) -> Vec<KeyCode> {
        let mut parser = Parser::default();
        let keys: Vec<_> = bytes.iter().filter_map(|&byte| parser.take(byte)).collect();
        keys.into_iter().chain(parser.give_up()).map(|key| key.code).collect()
    }

    #[test]
    fn letters_arrows_and_escape_are_keys() {
        assert_eq!(keys(b"q?"), [KeyCode::Char('q'), KeyCode::Char('?')]);
        assert_eq!(keys(b"\x1b[A\x1bOB\x1b[1;5C"), [KeyCode::Up, KeyCode::Down, KeyCode::Right]);
        assert_eq!(keys(b"\x1b"), [KeyCode::Esc]);
        assert_eq!(keys(b"\x1b\x1b[D"), [KeyCode::Esc, KeyCode::Left]);
        assert!(
            keys(b"\x1b[200~\x1b[15;2R\x1b[<0;1;1M\0\x7f").iter().all(|key| *key == KeyCode::Char('\x7f'))
        );
    }

    #[test]
    fn a_sequence_that_never_ends_swallows_neither_ctrl_c_nor_what_comes_after_a_pause() {
        let control_c = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        for begun in [&b"\x1b["[..], b"\x1b[<", b"\x1b[1;", b"\x1bO", b"\x1b"] {
            let mut parser = Parser::default();
            assert!(begun.iter().all(|&byte| parser.take(byte).is_none()));
            let mut later = parser;
            assert_eq!(parser.take(CONTROL_C), Some(control_c), "{begun:?}");
            assert!(later.is_within());
            later.give_up();
            assert_eq!(later.take(b'q'), Some(KeyCode::Char('q').into()), "{begun:?}");
        }
    }
}
