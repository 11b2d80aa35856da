//! [`Pace`]: keeps play at the speed of the console, and counts the frames that came too late.

use std::thread;
use std::time::{Duration, Instant};

/// Frames of an NTSC console per second (docs/reference/formats.md).
pub const FRAMES_PER_SECOND: f64 = maxout_rules::Region::Ntsc.frames_per_second();

/// The clock of a game in real time. With a frame lead, frames are made before they are due, so that those who watch do
/// not miss one that takes longer.
#[derive(Clone, Debug)]
pub struct Pace {
    frame: Duration,
    /// Frames that may be ready and not yet due.
    lead: u32,
    /// When the next frame is due and when its making began; none before the first.
    next: Option<(Instant, Instant)>,
    frames: u64,
    late: u64,
    long: u64,
    slowest: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self::new(FRAMES_PER_SECOND)
    }
}

impl Pace {
    /// A clock of `frames_per_second`, without a frame lead.
    pub fn new(frames_per_second: f64) -> Self {
        let frame = Duration::from_secs_f64(1.0 / frames_per_second);
        Self { frame, lead: 0, next: None, frames: 0, late: 0, long: 0, slowest: Duration::ZERO }
    }

    /// The same clock, but frames are shown `lead` frames later than they can be made at the earliest.
    pub fn with_frame_lead(self, lead: u32) -> Self {
        Self { lead, ..self }
    }

    /// Changes the speed.
    pub fn set(&mut self, frames_per_second: f64) {
        self.frame = Duration::from_secs_f64(1.0 / frames_per_second);
    }

    /// Begins anew: the next frame is due one frame and the lead from then.
    pub fn rest(&mut self) {
        self.next = None;
    }

    /// To be called when a frame is ready: waits until the next may be made. If the frame was due before, it is late,
    /// and the clock goes on from now.
    pub fn frame(&mut self) {
        let now = Instant::now();
        let ahead = self.frame * self.lead;
        let due = match self.next {
            None => now + ahead,
            Some((due, begun)) => {
                let took = now - begun;
                self.frames += 1;
                self.long += u64::from(took > self.frame);
                self.slowest = self.slowest.max(took);
                if now > due {
                    self.late += 1;
                    now
                } else {
                    thread::sleep((due - now).saturating_sub(ahead));
                    due
                }
            }
        };
        self.next = Some((due + self.frame, Instant::now()));
    }

    /// Frames that were timed.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Of them, those that were not ready when they were due.
    pub const fn late(&self) -> u64 {
        self.late
    }

    /// Of them, those that took longer to make than they are shown.
    pub const fn long(&self) -> u64 {
        self.long
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

    #[test]
    fn a_long_frame_is_not_late_while_the_lead_lasts() {
        let mut pace = Pace::new(10.0).with_frame_lead(3);
        for _ in 0..3 {
            pace.frame();
        }
        thread::sleep(Duration::from_millis(150));
        pace.frame();
        assert_eq!((pace.frames(), pace.late(), pace.long()), (3, 0, 1));
        thread::sleep(Duration::from_millis(500));
        pace.frame();
        assert_eq!((pace.frames(), pace.late(), pace.long()), (4, 1, 2));
    }
}
