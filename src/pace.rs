//! [`Pace`]: keeps play at the speed of the console, and counts the frames that came too late.

use std::thread;
use std::time::{Duration, Instant};

/// Frames of an NTSC console per second (docs/formats.md).
pub const FRAMES_PER_SECOND: f64 = 60.098_813_897_440_5;

/// The clock of a game in real time.
#[derive(Clone, Debug)]
pub struct Pace {
    frame: Duration,
    /// When the next frame is due; none before the first.
    due: Option<Instant>,
    frames: u64,
    late: u64,
    slowest: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(FRAMES_PER_SECOND)
    }
}

impl Pace {
    /// A clock of so many frames per second.
    pub fn new(frames_per_second: f64) -> Self {
        let frame = Duration::from_secs_f64(1.0 / frames_per_second);
        Self { frame, due: None, frames: 0, late: 0, slowest: Duration::ZERO }
    }

    /// Changes the speed.
    pub fn set(&mut self, frames_per_second: f64) {
        self.frame = Duration::from_secs_f64(1.0 / frames_per_second);
    }

    /// Begins anew: the next frame is due one frame from then.
    pub fn rest(&mut self) {
        self.due = None;
    }

    /// To be called when a frame is ready: waits until it is due. If that has passed, the frame is late, and the
    /// clock goes on from now.
    pub fn frame(&mut self) {
        let now = Instant::now();
        if let Some(due) = self.due {
            self.frames += 1;
            self.slowest = self.slowest.max((now + self.frame).saturating_duration_since(due));
            if let Some(early) = due.checked_duration_since(now) {
                thread::sleep(early);
                self.due = Some(due + self.frame);
                return;
            }
            self.late += 1;
        }
        self.due = Some(now + self.frame);
    }

    /// Frames that were waited for.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Of them, those that were not ready in time.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// The longest time that one frame took: the decision, if one was made in it, and the emulator.
    pub const fn slowest(&self) -> Duration {
        self.slowest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_that_took_too_long_is_late_and_the_next_is_not() {
        let mut pace = Pace::new(100.0);
        pace.frame();
        assert_eq!((pace.frames(), pace.late()), (0, 0));
        thread::sleep(Duration::from_millis(30));
        pace.frame();
        assert_eq!((pace.frames(), pace.late()), (1, 1));
        assert!(pace.slowest() >= Duration::from_millis(30));
        pace.rest();
        thread::sleep(Duration::from_millis(30));
        pace.frame();
        assert_eq!((pace.frames(), pace.late()), (1, 1));
    }
}
