//! [`Ffmpeg`]: the running program that makes videos. It is a separate program and may be missing.

use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::{self, JoinHandle};

use crate::files::Draft;

/// Bytes of what ffmpeg says that are kept.
const MOST_SAID: u64 = 10_000;

/// Pictures in a file, as ffmpeg reads them.
pub(super) fn count(made: &Draft) -> Result<u64, Failure> {
    let mut command = ffmpeg();
    command.arg("-i").arg(name(made)?).args(["-map", "0:v:0", "-c", "copy", "-f", "framecrc", "pipe:1"]);
    command.stdin(Stdio::null()).stdout(Stdio::piped());
    let mut ffmpeg = Ffmpeg::start(command)?;
    let mut pictures = 0;
    if let Some(lines) = ffmpeg.child.stdout.take() {
        for line in BufReader::new(lines).lines() {
            pictures += u64::from(!line?.starts_with('#'));
        }
    }
    ffmpeg.end()?;
    Ok(pictures)
}

/// The name of a file in the making, for ffmpeg, which takes other names for addresses or flags.
pub(super) fn name(draft: &Draft) -> io::Result<OsString> {
    let path = draft.temporary().ok_or_else(|| io::Error::other("has no name, expected a file"))?;
    let mut name = OsString::from("file:");
    name.push(path);
    Ok(name)
}

/// A command that says nothing but errors.
pub(super) fn ffmpeg() -> Command {
    let mut command = Command::new("ffmpeg");
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-y"]);
    // Ctrl-C is for us alone. Who drops an `Ffmpeg` ends the program; if we are killed, it ends with its input or output.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// Why there is no video.
pub(super) enum Failure {
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
pub(super) struct Ffmpeg {
    child: Child,
    said: Option<JoinHandle<String>>,
}

impl Ffmpeg {
    pub(super) fn start(mut command: Command) -> io::Result<Self> {
        let mut child = command.stderr(Stdio::piped()).spawn()?;
        let stderr = child.stderr.take();
        let mut ffmpeg = Self { child, said: None };
        if let Some(mut stderr) = stderr {
            let listen = move || {
                let mut said = Vec::new();
                // What cannot be read was not said; what is more is dropped, for it must not wait for a reader.
                let _ = stderr.by_ref().take(MOST_SAID).read_to_end(&mut said);
                let _ = io::copy(&mut stderr, &mut io::sink());
                String::from_utf8_lossy(&said).into_owned()
            };
            // Without a thread the program ends with its owner here.
            ffmpeg.said = Some(thread::Builder::new().spawn(listen)?);
        }
        Ok(ffmpeg)
    }

    /// Where it takes pictures from; none if it takes no more.
    pub(super) fn pictures(&mut self) -> Option<&mut ChildStdin> {
        self.child.stdin.as_mut()
    }

    /// Waits for its end, which is a good one if it says nothing.
    pub(super) fn end(mut self) -> Result<(), Failure> {
        self.child.stdin = None;
        let ended = self.child.wait()?;
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
        // Both fail if it has ended, which is what is wanted.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
