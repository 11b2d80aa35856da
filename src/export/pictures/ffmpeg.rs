//! [`Ffmpeg`]: the running program that makes and decodes videos. It is a separate program: it may be missing, and it may hang. Ctrl-C ends
//! it at once, and so does a minute in which it takes, writes and says nothing.

use std::ffi::OsString;
use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, SystemTime};

use crate::files::Draft;

/// Bytes of what ffmpeg says that are kept.
const MOST_SAID: u64 = 10_000;
/// How long ffmpeg may do nothing while it is waited for.
const PATIENCE: Duration = Duration::from_secs(if cfg!(test) { 1 } else { 60 });
/// How often it is looked at.
const TICK: Duration = Duration::from_millis(10);

/// Becomes true when everything must end.
pub(crate) type Interrupt = Arc<AtomicBool>;

/// Pictures in a file, as ffmpeg reads them.
pub(super) fn count(made: &Draft, interrupt: &Interrupt) -> Result<u64, Failure> {
    let mut command = ffmpeg();
    command.arg("-i").arg(name(made)?).args(["-map", "0:v:0", "-c", "copy", "-f", "framecrc", "pipe:1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let ffmpeg = Ffmpeg::start(command, None, interrupt)?;
    let mut pictures = 0;
    let lines = ffmpeg.state.child().stdout.take();
    ffmpeg.state.waits.store(true, Ordering::Relaxed);
    for line in lines.into_iter().flat_map(|lines| BufReader::new(lines).lines()) {
        pictures += u64::from(!line?.starts_with('#'));
        ffmpeg.state.steps.fetch_add(1, Ordering::Relaxed);
    }
    ffmpeg.end()?;
    Ok(pictures)
}

/// How many milliseconds a video has, if ffprobe is there and says so.
pub(crate) fn probe(file: &Path, interrupt: &Interrupt) -> Option<u64> {
    let mut command = named("ffprobe");
    command.args(["-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0"]);
    let mut name = OsString::from("file:");
    name.push(file);
    command.arg(name).stdin(Stdio::null()).stdout(Stdio::piped());
    let mut output = Output::of(Ffmpeg::start(command, None, interrupt).ok()?);
    let mut said = String::new();
    output.by_ref().take(MOST_SAID).read_to_string(&mut said).ok()?;
    let seconds: f64 = said.trim().parse().ok()?;
    (0.0..1e9).contains(&seconds).then_some((1000.0 * seconds) as u64)
}

/// What a running program writes to its standard output.
pub(crate) struct Output {
    ffmpeg: Ffmpeg,
    stdout: Option<ChildStdout>,
}

impl Output {
    /// The output of a program that was started with a pipe for it.
    pub(crate) fn of(ffmpeg: Ffmpeg) -> Self {
        let stdout = ffmpeg.state.child().stdout.take();
        Self { ffmpeg, stdout }
    }

    /// As [`Ffmpeg::end`]. What was not read is dropped.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        self.stdout = None;
        self.ffmpeg.end()
    }
}

impl Read for Output {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some(stdout) = &mut self.stdout else { return Ok(0) };
        self.ffmpeg.state.waits.store(true, Ordering::Relaxed);
        let read = stdout.read(buffer);
        self.ffmpeg.state.waits.store(false, Ordering::Relaxed);
        self.ffmpeg.state.steps.fetch_add(1, Ordering::Relaxed);
        read
    }
}

/// The name of a file in the making, for ffmpeg, which takes other names for addresses or flags.
pub(super) fn name(draft: &Draft) -> io::Result<OsString> {
    let path = draft.temporary().ok_or_else(|| io::Error::other("has no name, expected a file"))?;
    let mut name = OsString::from("file:");
    name.push(path);
    Ok(name)
}

/// ffmpeg, without arguments.
pub(super) fn program() -> Command {
    named("ffmpeg")
}

/// A program of this name, without arguments.
fn named(name: &str) -> Command {
    #[cfg_attr(not(unix), expect(unused_mut, reason = "only Unix has groups"))]
    let mut command = Command::new(name);
    // Ctrl-C is for us alone. Who drops an `Ffmpeg` ends the program; if we are killed, it ends with its input or output.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// A command that says nothing but errors.
pub(crate) fn ffmpeg() -> Command {
    let mut command = program();
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]);
    command
}

/// Why there is no video.
pub(crate) enum Failure {
    Io(io::Error),
    /// The words of ffmpeg, or about it.
    Said(String),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// The running program, ended when it is dropped.
pub(crate) struct Ffmpeg {
    state: Arc<State>,
    stdin: Option<ChildStdin>,
    said: Option<JoinHandle<String>>,
}

/// What the thread that looks after the program knows of it.
struct State {
    child: Mutex<Child>,
    /// The file that it writes, if its growth is a sign of life.
    made: Option<PathBuf>,
    interrupt: Interrupt,
    /// Whether it is waited for. While it waits for us, it need not do anything.
    waits: AtomicBool,
    /// Pictures that it took, or lines that it said.
    steps: AtomicU64,
    /// Whether it needs no more looking after.
    over: AtomicBool,
    /// Why it was ended.
    ended: OnceLock<&'static str>,
}

impl State {
    fn child(&self) -> std::sync::MutexGuard<'_, Child> {
        self.child.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Whatever changes while it works.
    fn life(&self) -> (u64, Option<(u64, SystemTime)>) {
        let found = self.made.as_ref().and_then(|made| fs::metadata(made).ok());
        let mark = found.and_then(|found| Some((found.len(), found.modified().ok()?)));
        (self.steps.load(Ordering::Relaxed), mark)
    }

    /// Looks after the program, and ends it if it must not go on.
    fn watch(&self) {
        // Counted and not measured: a machine that sleeps, or a process that is stopped, costs no patience.
        let (mut idle, mut life) = (Duration::ZERO, self.life());
        while !self.over.load(Ordering::Relaxed) {
            thread::sleep(TICK);
            let now = self.life();
            if now != life || !self.waits.load(Ordering::Relaxed) {
                (idle, life) = (Duration::ZERO, now);
            } else {
                idle += TICK;
            }
            let why = if self.interrupt.load(Ordering::Relaxed) {
                "was interrupted"
            } else if idle > PATIENCE {
                "did nothing for a minute, expected it to go on"
            } else {
                continue;
            };
            let _ = self.ended.set(why);
            self.kill();
            return;
        }
    }

    /// Ends the program, and what it has started. All fails if it has ended, which is what is wanted.
    fn kill(&self) {
        let mut child = self.child();
        #[cfg(unix)]
        if let (Ok(None), Some(group)) =
            (child.try_wait(), rustix::process::Pid::from_raw(child.id().cast_signed()))
        {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = child.kill();
    }
}

impl Ffmpeg {
    /// Starts the command. `made`: the file that it writes.
    pub(crate) fn start(
        mut command: Command,
        made: Option<&Path>,
        interrupt: &Interrupt,
    ) -> io::Result<Self> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let (stdin, stderr) = (child.stdin.take(), child.stderr.take());
        let state = Arc::new(State {
            child: Mutex::new(child),
            made: made.map(Path::to_owned),
            interrupt: Arc::clone(interrupt),
            waits: AtomicBool::new(false),
            steps: AtomicU64::new(0),
            over: AtomicBool::new(false),
            ended: OnceLock::new(),
        });
        // Without a thread the program ends with its owner here.
        let mut ffmpeg = Self { state: Arc::clone(&state), stdin, said: None };
        thread::Builder::new().spawn(move || state.watch())?;
        if let Some(mut stderr) = stderr {
            let listen = move || {
                let mut said = Vec::new();
                // What cannot be read was not said; what is more is dropped, for it must not wait for a reader.
                let _ = stderr.by_ref().take(MOST_SAID).read_to_end(&mut said);
                let _ = io::copy(&mut stderr, &mut io::sink());
                String::from_utf8_lossy(&said).into_owned()
            };
            ffmpeg.said = Some(thread::Builder::new().spawn(listen)?);
        }
        Ok(ffmpeg)
    }

    /// Gives it a picture; whether it took the whole.
    pub(crate) fn take(&mut self, picture: &[u8]) -> bool {
        let Some(pipe) = &mut self.stdin else { return false };
        self.state.waits.store(true, Ordering::Relaxed);
        let taken = pipe.write_all(picture).is_ok();
        self.state.waits.store(false, Ordering::Relaxed);
        self.state.steps.fetch_add(1, Ordering::Relaxed);
        taken
    }

    /// Waits until it ends by itself. It is an error if it had to be ended.
    pub(crate) fn wait(&mut self) -> Result<ExitStatus, Failure> {
        self.stdin = None;
        self.state.waits.store(true, Ordering::Relaxed);
        let ended = loop {
            if let Some(ended) = self.state.child().try_wait()? {
                break ended;
            }
            thread::sleep(TICK);
        };
        self.state.over.store(true, Ordering::Relaxed);
        match self.state.ended.get() {
            Some(why) => Err(Failure::Said((*why).to_owned())),
            None => Ok(ended),
        }
    }

    /// Waits for its end, which is a good one if it says nothing.
    pub(crate) fn end(mut self) -> Result<(), Failure> {
        let ended = self.wait()?;
        let said = self.said.take().and_then(|said| said.join().ok()).unwrap_or_default();
        match said.lines().map(str::trim).find(|line| !line.is_empty()) {
            Some(line) => Err(Failure::Said(line.to_owned())),
            None if !ended.success() => {
                Err(Failure::Said(format!("it failed ({ended}) and did not say why")))
            }
            None => Ok(()),
        }
    }
}

impl Drop for Ffmpeg {
    fn drop(&mut self) {
        self.state.over.store(true, Ordering::Relaxed);
        self.state.kill();
        let _ = self.state.child().wait();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program in the place of ffmpeg, with pipes.
    fn shell(script: &str) -> Command {
        let mut shell = Command::new("sh");
        shell.args(["-c", script]).stdin(Stdio::piped()).stdout(Stdio::null());
        std::os::unix::process::CommandExt::process_group(&mut shell, 0);
        shell
    }

    fn said(failure: Result<(), Failure>) -> String {
        match failure {
            Ok(()) => "well".to_owned(),
            Err(Failure::Said(text)) => text,
            Err(Failure::Io(error)) => error.to_string(),
        }
    }

    /// The child of the shell holds its stderr, so it must end, too.
    #[test]
    fn a_program_that_hangs_is_ended_with_its_own_children() {
        for script in ["sleep 1000", "sleep 1000 & wait", "trap '' TERM INT; sleep 1000; true"] {
            let ffmpeg = Ffmpeg::start(shell(script), None, &Interrupt::default()).expect("a shell");
            assert_eq!(said(ffmpeg.end()), "did nothing for a minute, expected it to go on", "{script}");
        }
        let mut ffmpeg =
            Ffmpeg::start(shell("sleep 1000; true"), None, &Interrupt::default()).expect("a shell");
        assert!((0..100).any(|_| !ffmpeg.take(&vec![0; 100_000])), "it takes nothing");
        assert_eq!(said(ffmpeg.end()), "did nothing for a minute, expected it to go on");
    }

    #[test]
    fn a_slow_program_that_does_something_is_waited_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let made = folder.path().join("made");
        let script = format!("for i in 1 2 3 4; do sleep 0.5; echo $i >>'{}'; done", made.display());
        let ffmpeg = Ffmpeg::start(shell(&script), Some(&made), &Interrupt::default()).expect("a shell");
        assert_eq!(said(ffmpeg.end()), "well");
        // While it waits for us it may sleep.
        let mut ffmpeg =
            Ffmpeg::start(shell("cat >/dev/null"), None, &Interrupt::default()).expect("a shell");
        for _ in 0..3 {
            assert!(ffmpeg.take(b"picture"));
            thread::sleep(PATIENCE.mul_f64(0.6));
        }
        assert_eq!(said(ffmpeg.end()), "well");
    }

    #[test]
    fn an_interrupt_ends_it_at_once() {
        let interrupt = Interrupt::default();
        let ffmpeg = Ffmpeg::start(shell("sleep 1000; true"), None, &interrupt).expect("a shell");
        interrupt.store(true, Ordering::Relaxed);
        assert_eq!(said(ffmpeg.end()), "was interrupted");
    }
}
