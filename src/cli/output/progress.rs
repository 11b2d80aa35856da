//! [`Progress`]: how far long work is. A bar in a terminal; elsewhere, once it has taken five seconds, a plain line on stderr every
//! ten seconds and every tenth of the work. Nothing with `--quiet`.

use std::fmt::{Display, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::cli::output::say;
use crate::words::number;
use maxout_host::pool;

/// Between two plain lines, if nothing much happens.
const SELDOM: Duration = Duration::from_secs(10);
/// Before the first plain line: short work needs none.
const SHORT: Duration = Duration::from_secs(5);
/// Between two plain lines, whatever happens.
const OFTEN: Duration = Duration::from_secs(1);
/// How often a bar is drawn while nothing happens.
const TICK: Duration = Duration::from_millis(500);

/// How far some work is.
#[derive(Debug)]
pub struct Progress {
    bar: ProgressBar,
    plain: Option<Arc<Lines>>,
    /// The thread that tells how far it is while nothing gets done ends with this.
    _going: Option<Sender<()>>,
}

/// Plain lines instead of a bar.
#[derive(Debug)]
struct Lines {
    bar: ProgressBar,
    unit: &'static str,
    last: Mutex<Plain>,
}

/// What was last told in plain lines.
#[derive(Debug)]
struct Plain {
    begun: Instant,
    told: Instant,
    tenth: u64,
}

impl Progress {
    /// Work of `length` units, named in the plural; 0 if their number is unknown.
    pub fn new(length: u64, unit: &'static str) -> Self {
        let quiet = log::max_level() < log::LevelFilter::Warn;
        let bar = if length == 0 { ProgressBar::new_spinner() } else { ProgressBar::new(length) };
        let plain = bar.is_hidden() && !quiet;
        if quiet {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        } else if !bar.is_hidden() {
            let template = if length == 0 {
                "{spinner} {time}  {wide_msg}".to_owned()
            } else {
                format!("{{bar:16}} {{human_pos}}/{{human_len}} {unit} in {{time}}  {{wide_msg}}")
            };
            if let Ok(style) = ProgressStyle::with_template(&template) {
                bar.set_style(style.with_key("time", |state: &ProgressState, text: &mut dyn Write| {
                    // A terminal that cannot be written to shows nothing.
                    let _ = text.write_str(&time(state.pos(), state.len().unwrap_or(0), state.elapsed()));
                }));
            }
            if pool::has_thread() {
                bar.enable_steady_tick(TICK);
            }
        }
        let now = Instant::now();
        let last = Plain { begun: now, told: now, tenth: 0 };
        let lines = || Arc::new(Lines { bar: bar.clone(), unit, last: Mutex::new(last) });
        let plain = plain.then(lines);
        let going = plain.as_ref().and_then(Lines::go_on);
        Self { bar, plain, _going: going }
    }

    /// Counts this many more finished units.
    pub fn inc(&self, units: u64) {
        self.bar.inc(units);
        self.look();
    }

    /// Sets the number of finished units.
    pub fn set(&self, units: u64) {
        self.bar.set_position(units);
        self.look();
    }

    /// The text beside the bar.
    pub fn message(&self, text: impl Display) {
        self.bar.set_message(text.to_string());
        self.look();
    }

    /// Prints something that stays above the bar.
    pub fn suspend<R>(&self, print: impl FnOnce() -> R) -> R {
        self.bar.suspend(print)
    }

    /// Shows nothing more, because something else has the terminal.
    pub fn hide(&self) {
        self.bar.set_draw_target(ProgressDrawTarget::hidden());
    }

    /// Units that are done.
    #[cfg(test)]
    pub fn done(&self) -> u64 {
        self.bar.position()
    }

    /// The work is done: the bar goes.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn look(&self) {
        if let Some(lines) = &self.plain {
            lines.tell();
        }
    }
}

impl Lines {
    /// Starts a thread that looks at the time, because single steps of some work take minutes. If the system gives none, only steps
    /// lead to lines. Nobody waits for the thread: it may be waiting for whoever reads stderr.
    fn go_on(self: &Arc<Self>) -> Option<Sender<()>> {
        let (going, ended) = mpsc::channel();
        let lines = Arc::clone(self);
        let watch = move || {
            while ended.recv_timeout(OFTEN) == Err(RecvTimeoutError::Timeout) {
                lines.tell();
            }
        };
        thread::Builder::new().spawn(watch).ok().map(|_| going)
    }

    /// Prints a line if it is time for one.
    fn tell(&self) {
        if self.bar.is_finished() {
            return;
        }
        let mut plain = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let since = plain.told.elapsed();
        if since < OFTEN || plain.begun.elapsed() < SHORT {
            return;
        }
        let (done, length) = (self.bar.position(), self.bar.length().unwrap_or(0));
        let tenth = (done * 10).checked_div(length).unwrap_or(0);
        if since < SELDOM && tenth <= plain.tenth {
            return;
        }
        (plain.told, plain.tenth) = (Instant::now(), tenth);
        let elapsed = plain.begun.elapsed();
        drop(plain);
        let message = self.bar.message();
        let message = if message.is_empty() { message } else { format!("; {message}") };
        let time = time(done, length, elapsed);
        if self.bar.is_finished() {
            return;
        }
        if length == 0 {
            say!("{time}{message}");
        } else {
            say!("{} of {} {} in {time}{message}", number(done), number(length), self.unit);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The time that the work has taken, and how much is left as soon as that can be told.
fn time(done: u64, length: u64, elapsed: Duration) -> String {
    let taken = clock(elapsed);
    if done == 0 || length == 0 {
        return taken;
    }
    let share = length.saturating_sub(done) as f64 / done as f64;
    format!("{taken}, about {} left", clock(elapsed.mul_f64(share.min(1e6))))
}

fn clock(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds < 60 {
        format!("{seconds} s")
    } else if seconds < 3600 {
        format!("{} min {} s", seconds / 60, seconds % 60)
    } else {
        format!("{} h {} min", seconds / 3600, seconds / 60 % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_is_told_as_soon_as_something_is_done() {
        let seconds = Duration::from_secs;
        assert_eq!(time(0, 230, seconds(9)), "9 s");
        assert_eq!(time(46, 230, seconds(30)), "30 s, about 2 min 0 s left");
        assert_eq!(time(230, 230, seconds(5000)), "1 h 23 min, about 0 s left");
        assert_eq!(time(7, 0, seconds(9)), "9 s", "nobody knows how much there is");
    }
}
