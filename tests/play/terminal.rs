//! Watching in a real terminal: whatever becomes of it, it is left as it was, and nothing finished is lost.
#![cfg(target_os = "linux")]

use std::fs::{self, File, OpenOptions};
use std::os::fd::OwnedFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use maxout::library::store::Library;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use tempfile::TempDir;

/// A terminal window in which maxout runs.
struct Window {
    /// What a person sees and types on.
    person: OwnedFd,
    program: File,
    child: Child,
    seen: String,
}

/// A terminal and what a person has of it.
fn terminal(columns: u16, rows: u16) -> (OwnedFd, File) {
    let person = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).expect("a terminal");
    grantpt(&person).expect("granted");
    unlockpt(&person).expect("unlocked");
    let name = ptsname(&person, Vec::new()).expect("a name").into_string().expect("text");
    let flags = OFlags::NOCTTY.bits().cast_signed();
    let program = OpenOptions::new().read(true).write(true).custom_flags(flags).open(name);
    let program = program.expect("its other side");
    let size = Winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    tcsetwinsize(&person, size).expect("a size");
    (person, program)
}

impl Window {
    /// Starts maxout in a window of its own; none, and said so, where `setsid` is missing.
    fn open((columns, rows): (u16, u16), args: &[&str], runs: &Path) -> Option<Self> {
        let (person, program) = terminal(columns, rows);
        let stdio = || Stdio::from(program.try_clone().expect("a copy"));
        let mut command = Command::new("setsid");
        command.args(["--ctty", env!("CARGO_BIN_EXE_maxout")]).args(args).arg("--runs").arg(runs);
        command.env_remove("RUST_LOG").stdin(stdio()).stdout(stdio()).stderr(stdio());
        match command.spawn() {
            Ok(child) => Some(Self { person, program, child, seen: String::new() }),
            Err(error) => {
                println!("skipped: setsid: {error}");
                None
            }
        }
    }

    /// Takes in what the program shows, for so long.
    fn look(&mut self, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            let wait = Timespec { tv_sec: 0, tv_nsec: 20_000_000 };
            let mut bytes = [0; 4096];
            if poll(&mut [PollFd::new(&self.person, PollFlags::IN)], Some(&wait)).is_ok_and(|ready| ready > 0)
            {
                let count = rustix::io::read(&self.person, &mut bytes).unwrap_or(0);
                self.seen.push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        }
    }

    fn look_until(&mut self, what: &str, mut so: impl FnMut(&Self) -> bool) {
        let begun = Instant::now();
        while !so(self) {
            assert!(begun.elapsed() < Duration::from_secs(60), "{what}: not within a minute\n{}", self.seen);
            self.look(Duration::from_millis(20));
        }
    }

    fn type_in(&mut self, keys: &[u8]) {
        assert_eq!(rustix::io::write(&self.person, keys), Ok(keys.len()));
        self.look(Duration::from_millis(300));
    }

    /// Closes the window under the program.
    fn close(&mut self) {
        let (person, program) = terminal(1, 1);
        (self.person, self.program) = (person, program);
    }

    fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).expect("it runs");
    }

    /// Waits for the end; the exit code.
    fn ended(&mut self) -> Option<i32> {
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().expect("a status") {
                self.look(Duration::from_millis(40));
                return status.code();
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "it does not end\n{}", self.seen);
            self.look(Duration::from_millis(20));
        }
    }

    /// Whether lines are echoed and edited, and the normal screen is shown.
    fn is_as_before(&self) -> bool {
        let modes = tcgetattr(&self.program).expect("modes").local_modes;
        let last = |what: &str| self.seen.rfind(what);
        modes.contains(LocalModes::ECHO | LocalModes::ICANON | LocalModes::ISIG)
            && last("\x1b[?1049l") > last("\x1b[?1049h")
            && last("\x1b[?25h") >= last("\x1b[?25l")
    }
}

impl Drop for Window {
    fn drop(&mut self) {
        // Only after a failed test does it still run.
        let _ = self.child.kill();
    }
}

/// A library with one short run.
fn library() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let args = ["sim", "--player", "plateau17", "--seed", "7", "--stop", "lines:4", "--runs"];
    let made = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args(args)
        .arg(folder.path())
        .stdout(Stdio::null())
        .status()
        .expect("maxout runs");
    assert!(made.success());
    folder
}

/// `watch 1` in a window, once it shows something.
fn watching(size: (u16, u16), runs: &Path) -> Option<Window> {
    let mut window = Window::open(size, &["watch", "1"], runs)?;
    window.look_until("something to see", |window| window.seen.contains("\x1b[?1049h"));
    window.look(Duration::from_millis(200));
    Some(window)
}

#[test]
fn a_closed_window_loses_no_finished_game() {
    let folder = TempDir::new().expect("a folder");
    let (runs, json) = (folder.path().join("runs"), folder.path().join("out.json"));
    let name = json.to_str().expect("text");
    let args = "play --watch --games 50 --seed 772 --player plateau17 --stop lines:1 --json";
    let args: Vec<&str> = args.split(' ').chain([name]).collect();
    let Some(mut window) = Window::open((80, 24), &args, &runs) else { return };
    window.look_until("a game", |window| window.seen.contains("\x1b[?1049h"));
    window.type_in(b"++++++++++");
    let kept = || Library::open(&runs).map_or(0, |library| library.ids(None).expect("ids").len());
    window.look_until("a finished game", |_| kept() > 0);
    window.close();
    assert_eq!(window.child.wait().expect("it ends").code(), Some(130));
    let text = fs::read_to_string(&json).expect("the results");
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(results["games"].as_u64(), Some(kept() as u64));
    assert!(kept() > 0);
}

#[test]
fn sigterm_and_sighup_leave_the_terminal_as_it_was() {
    let runs = library();
    for (signal, keys) in [(Signal::TERM, &b""[..]), (Signal::TERM, b" "), (Signal::HUP, b" ,b?")] {
        let Some(mut window) = watching((80, 24), runs.path()) else { return };
        window.type_in(keys);
        assert!(!window.is_as_before(), "it has the terminal");
        window.signal(signal);
        assert_eq!(window.ended(), Some(130), "{}", window.seen);
        assert!(window.is_as_before(), "{signal:?} {keys:?}\n{}", window.seen);
    }
}

#[test]
fn a_terminal_of_any_size_is_watched_in() {
    let runs = library();
    for size in [(u16::MAX, u16::MAX), (0, 0), (1, 1)] {
        let Some(mut window) = watching(size, runs.path()) else { return };
        window.type_in(b"?");
        let larger = Winsize { ws_row: 30, ws_col: 100, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&window.person, larger).expect("a size");
        window.type_in(b"q");
        assert_eq!(window.ended(), Some(130), "{size:?} {}", window.seen);
        assert!(window.is_as_before(), "{size:?}\n{}", window.seen);
    }
}

#[test]
fn half_a_control_sequence_does_not_make_deaf() {
    let runs = library();
    for (begun, then) in [("\x1b[", "q"), ("\x1b[<", "q"), ("\x1bO", "q"), ("\x1b[1;", "\x03"), ("\x1b", "")]
    {
        let Some(mut window) = watching((80, 24), runs.path()) else { return };
        window.type_in(begun.as_bytes());
        window.type_in(then.as_bytes());
        assert_eq!(window.ended(), Some(130), "{begun:?} {}", window.seen);
        assert!(window.is_as_before(), "{begun:?}\n{}", window.seen);
    }
}

#[test]
fn a_second_signal_ends_it_though_nobody_reads_the_terminal() {
    let runs = library();
    let Some(mut window) = watching((80, 24), runs.path()) else { return };
    window.type_in(b"-");
    // More than a terminal holds.
    std::thread::sleep(Duration::from_secs(3));
    window.signal(Signal::TERM);
    std::thread::sleep(Duration::from_millis(1_200));
    window.signal(Signal::TERM);
    assert_eq!(window.child.wait().expect("it ends").code(), Some(130));
}

#[test]
fn a_bar_on_a_terminal_that_is_gone_changes_nothing() {
    let (person, program) = terminal(80, 24);
    let mut child = Command::new(env!("CARGO_BIN_EXE_maxout"))
        .args("sim --player plateau17 --games 60 --seed 50000 --json -".split(' '))
        .env_remove("RUST_LOG")
        .stdout(Stdio::piped())
        .stderr(program)
        .spawn()
        .expect("maxout runs");
    drop(person);
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stdout.take().expect("stdout"), &mut text).expect("text");
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
    let results: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(results["games"].as_u64(), Some(60));
}
