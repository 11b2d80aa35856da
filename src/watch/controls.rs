//! What keys do: [`Controls`].

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};

/// Speeds against the console's; after the last there is no limit.
const SPEEDS: [f64; 9] = [0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0];
/// The console's own.
const NORMAL: usize = 2;

/// How far to go before pausing again.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum PausedStep {
    /// On and on, unless paused.
    #[default]
    None,
    /// One frame.
    Frame,
    /// To the next piece.
    Piece,
    /// One frame back.
    FrameBack,
    /// Back to the piece before.
    PieceBack,
}

/// How frames are taken.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Controls {
    /// Nothing moves.
    pub paused: bool,
    /// Asked for while paused.
    pub step: PausedStep,
    /// The user wants to leave.
    pub quit: bool,
    /// The keys are shown.
    pub help: bool,
    /// Frames between what is shown and the newest.
    pub back: usize,
    speed: usize,
}

impl Default for Controls {
    fn default() -> Self {
        Self { paused: false, step: PausedStep::None, quit: false, help: false, back: 0, speed: NORMAL }
    }
}

impl Controls {
    /// Does what `key` says.
    pub fn key(&mut self, key: KeyEvent) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => self.quit = true,
            KeyCode::Char('q') | KeyCode::Esc => self.quit = true,
            KeyCode::Char(' ') => self.paused = !self.paused,
            KeyCode::Char('.') => self.step = PausedStep::Frame,
            KeyCode::Char('n') | KeyCode::Right => self.step = PausedStep::Piece,
            KeyCode::Char(',') => self.step = PausedStep::FrameBack,
            KeyCode::Char('b') | KeyCode::Left => self.step = PausedStep::PieceBack,
            KeyCode::Char('+' | '=') | KeyCode::Up => self.speed = (self.speed + 1).min(SPEEDS.len()),
            KeyCode::Char('-') | KeyCode::Down => self.speed = self.speed.saturating_sub(1),
            KeyCode::Char('1') => self.speed = NORMAL,
            KeyCode::Char('?' | 'h') => self.help = !self.help,
            _ => {}
        }
    }

    /// Speed against the console's; none if there is no limit.
    pub fn speed(&self) -> Option<f64> {
        SPEEDS.get(self.speed).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(keys: &str) -> Controls {
        let mut controls = Controls::default();
        for key in keys.chars() {
            controls.key(KeyEvent::from(KeyCode::Char(key)));
        }
        controls
    }

    #[test]
    fn speed_goes_from_a_quarter_to_no_limit_and_no_further() {
        assert_eq!(Controls::default().speed(), Some(1.0));
        assert_eq!(after("-----").speed(), Some(0.25));
        assert_eq!(after("++").speed(), Some(4.0));
        assert_eq!(after("++++++++++++").speed(), None);
        assert_eq!(after("++++++++++++1").speed(), Some(1.0));
    }

    #[test]
    fn space_pauses_and_goes_on_and_q_leaves() {
        assert!(after(" ").paused && !after("  ").paused);
        assert!(after("q").quit && !after("x").quit);
        assert_eq!((after(".").step, after("n").step), (PausedStep::Frame, PausedStep::Piece));
        assert_eq!((after(",").step, after("b").step), (PausedStep::FrameBack, PausedStep::PieceBack));
        let mut controls = Controls::default();
        controls.key(KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL));
        assert!(controls.quit);
    }
}
