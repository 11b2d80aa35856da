//! [`TerminalScreen`]: the terminal while a game is shown on it. [`restore`] restores it.
//!
//! A terminal can vanish at any time. This is reported as an error once; everything written to it afterwards is
//! dropped, so that nothing fails on the way out.

use std::io::{self, Stdout, Write, stdout};
use std::panic;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use ratatui::backend::{Backend, CrosstermBackend};
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::layout::{Rect, Size};
use ratatui::{Frame, Terminal, TerminalOptions, Viewport};

/// Columns and rows that are drawn on at most: a terminal may claim any size.
const MOST: Size = Size::new(200, 60);

/// Whether the terminal is ours.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// A terminal that is drawn on. Dropped, it is as it was before.
pub struct TerminalScreen {
    terminal: Terminal<CrosstermBackend<Tty>>,
    size: Size,
}

impl TerminalScreen {
    /// Takes the terminal over.
    pub fn new() -> io::Result<Self> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let hook = panic::take_hook();
            panic::set_hook(Box::new(move |info| {
                restore();
                hook(info);
            }));
        });
        TAKEN.store(true, Ordering::SeqCst);
        Self::take().inspect_err(|_| restore())
    }

    fn take() -> io::Result<Self> {
        enable_raw_mode()?;
        execute!(stdout(), EnterAlternateScreen)?;
        let mut backend = CrosstermBackend::new(Tty { out: stdout(), gone: false });
        backend.clear()?;
        let size = backend.size()?;
        let viewport = Viewport::Fixed(visible(size));
        Ok(Self { terminal: Terminal::with_options(backend, TerminalOptions { viewport })?, size })
    }

    /// Draws, as large as the terminal now is.
    pub fn draw(&mut self, draw: impl FnOnce(&mut Frame<'_>)) -> io::Result<()> {
        let size = self.terminal.size()?;
        if size != self.size {
            self.size = size;
            self.terminal.backend_mut().clear()?;
            self.terminal.resize(visible(size))?;
        }
        self.terminal.draw(draw).map(|_| ())
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        // The terminal shows its cursor when it is dropped, and would panic if it could not say that this failed.
        let _ = self.terminal.show_cursor();
        restore();
    }
}

/// The part of a terminal that is drawn on.
fn visible(size: Size) -> Rect {
    Rect::new(0, 0, size.width.min(MOST.width), size.height.min(MOST.height))
}

/// Makes the terminal what it was before a screen took it; nothing if none did.
pub fn restore() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        // Nothing can be done, or said, if the terminal is gone.
        let _ = disable_raw_mode();
        let _ = execute!(stdout(), LeaveAlternateScreen, Show);
    }
}

/// Stdout, until it fails.
struct Tty {
    out: Stdout,
    gone: bool,
}

impl Tty {
    /// Does something that may fail once.
    fn attempt<T>(&mut self, otherwise: T, work: impl FnOnce(&mut Stdout) -> io::Result<T>) -> io::Result<T> {
        if self.gone {
            return Ok(otherwise);
        }
        let done = work(&mut self.out);
        self.gone = done.as_ref().is_err_and(|error| error.kind() != io::ErrorKind::Interrupted);
        done
    }
}

impl Write for Tty {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.attempt(bytes.len(), |out| out.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.attempt((), Write::flush)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_terminal_of_any_size_is_drawn_on_within_bounds() {
        assert_eq!(visible(Size::new(80, 24)), Rect::new(0, 0, 80, 24));
        assert_eq!(visible(Size::new(u16::MAX, u16::MAX)).as_size(), MOST);
        assert_eq!(visible(Size::new(0, 0)).area(), 0);
    }

    #[test]
    fn a_terminal_that_is_gone_fails_once() {
        let mut tty = Tty { out: stdout(), gone: false };
        let failed = tty.attempt(0, |_| Err(io::Error::from(io::ErrorKind::BrokenPipe)));
        assert_eq!(failed.expect_err("it is gone").kind(), io::ErrorKind::BrokenPipe);
        assert_eq!(tty.write(b"lost").expect("dropped"), 4);
        assert!(tty.flush().is_ok());
    }
}
