//! What the program says and writes: [`answer`] for stdout, [`say!`] for stderr, [`Outputs`] for the files that flags
//! name.
//!
//! A file named `-` is stdout; the text answer is then left out. A message that cannot be written is dropped.

pub(super) mod as_you;
pub(super) mod hovering;
pub(super) mod luck;
pub mod messages;
pub(super) mod played_on;
pub mod progress;
pub(super) mod puzzles;
pub(super) mod results;
pub(super) mod review_playouts;

use std::fs;
use std::io::{self, Write};
use std::mem;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};

use anyhow::{Context, bail};
use serde::Serialize;

use crate::files;
use crate::library::store;
use crate::text::escape;
pub use crate::text::one_line;
use crate::words::size;

/// A line on stderr, with the program's name.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => { $crate::cli::output::tell(&format!($($part)*)) };
}
pub use crate::say;

/// Whether a file takes stdout, so that the text answer must not.
static TAKEN: AtomicBool = AtomicBool::new(false);
/// Whether the reader of stdout has gone.
static GONE: AtomicBool = AtomicBool::new(false);
/// Why an answer could not be printed, other than a reader who has gone.
static LOST: OnceLock<String> = OnceLock::new();

/// A line for each file that was written: its name and size.
static WRITTEN: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// What [`say!`] does.
pub fn tell(text: &str) {
    tell_as("maxout", text);
}

/// The same, with the name of the command that it is about.
pub fn tell_as(name: &str, text: &str) {
    let _ = writeln!(io::stderr().lock(), "{name}: {}", one_line(text));
}

/// Prints the answer to stdout, unless a file was asked for there. A reader who has gone is no error. A full disk
/// ([`lost`]) is reported at the end, after the files that were asked for. Long commands ask [`is_heard`].
pub fn answer(text: &str) -> anyhow::Result<()> {
    if !TAKEN.load(Ordering::Relaxed) {
        print(&(escape(text) + "\n"));
    }
    Ok(())
}

/// Why an answer could not be printed, once all else is done.
pub fn lost() -> Option<&'static str> {
    LOST.get().map(String::as_str)
}

/// Whether stdout still takes answers, as far as is known.
pub fn is_heard() -> bool {
    !GONE.load(Ordering::Relaxed)
}

fn print(text: &str) {
    let mut out = io::stdout().lock();
    if let Err(error) = out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        GONE.store(true, Ordering::Relaxed);
        if error.kind() != io::ErrorKind::BrokenPipe {
            LOST.get_or_init(|| format!("stdout: {error}"));
        }
    }
}

/// The files that flags name, looked over before any work: each can be written, no two are the same.
#[derive(Debug, Default)]
pub struct Outputs {
    files: Vec<Output>,
}

/// One of them.
#[derive(Debug)]
struct Output {
    flag: &'static str,
    /// As it was typed.
    file: PathBuf,
    /// The same for every path of one file.
    place: PathBuf,
}

impl Outputs {
    /// Looks over the files that were asked for, each with its flag.
    pub fn check<'a>(
        files: impl IntoIterator<Item = (&'static str, Option<&'a Path>)>,
    ) -> anyhow::Result<Self> {
        let mut outputs = Self::default();
        for (flag, file) in files {
            if let Some(file) = file {
                outputs.add(flag, file)?;
            }
        }
        Ok(outputs)
    }

    /// Makes sure that none of these files is one that is read, by itself or in the folder of a run or of the run library.
    pub fn apart_from(self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> anyhow::Result<Self> {
        for input in inputs.into_iter().filter_map(|input| input.as_ref().canonicalize().ok()) {
            let inside = ["run.json", "buttons.txt", store::FILE].map(|name| input.join(name));
            let is_read = |known: &&Output| known.place == input || inside.contains(&known.place);
            if let Some(Output { flag, file, .. }) = self.files.iter().find(is_read) {
                bail!("{flag} {}: is read, expected another file", file.display());
            }
        }
        Ok(self)
    }

    /// Looks over one more file.
    pub fn add(&mut self, flag: &'static str, file: &Path) -> anyhow::Result<()> {
        let context = || format!("{flag} {}", file.display());
        let place = if files::is_stdout(file) {
            TAKEN.store(true, Ordering::Relaxed);
            PathBuf::from("-")
        } else {
            files::check_output(file).with_context(context)?;
            place(file).with_context(context)?
        };
        if let Some(other) = self.files.iter().find(|known| known.place == place) {
            bail!("{flag} {}: the file of {} too, expected another", file.display(), other.flag);
        }
        self.files.push(Output { flag, file: file.to_owned(), place });
        Ok(())
    }

    /// Looks over a folder for files: no file known so far may be it, or be where it will be made.
    pub fn add_folder(&mut self, flag: &'static str, folder: &Path) -> anyhow::Result<()> {
        let context = || format!("{flag} {}", folder.display());
        files::check_output_folder(folder).with_context(context)?;
        let place = place_of_folder(folder).with_context(context)?;
        if let Some(other) = self.files.iter().find(|known| place.starts_with(&known.place)) {
            bail!("{}: the file of {} too, expected another folder", context(), other.flag);
        }
        Ok(())
    }

    /// Makes sure that no file is `file` in `folder`, which will be made and is `what`.
    pub fn spare(&self, what: &str, folder: &Path, file: &str) -> anyhow::Result<()> {
        let place = place_of_folder(folder).with_context(|| folder.display().to_string())?.join(file);
        match self.files.iter().find(|known| known.place == place) {
            Some(Output { flag, file, .. }) => {
                bail!("{flag} {}: is {what}, expected another file", file.display())
            }
            None => Ok(()),
        }
    }
}

/// The same for every path of one folder, whether it is there or not.
fn place_of_folder(folder: &Path) -> io::Result<PathBuf> {
    let folder = std::path::absolute(folder)?;
    for place in folder.ancestors() {
        if let (Ok(found), Ok(rest)) = (place.canonicalize(), folder.strip_prefix(place)) {
            return Ok(found.join(rest));
        }
    }
    Ok(folder)
}

/// The same for every path of one file.
fn place(file: &Path) -> io::Result<PathBuf> {
    let file = maxout_host::links::resolve(file)?;
    let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    Ok(folder.canonicalize()?.join(file.file_name().unwrap_or_default()))
}

/// Writes the file of `flag`, whole or not at all.
pub fn write(flag: &str, file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_as(flag, file, bytes, None)
}

/// As [`write()`], with a few words on what the file holds.
pub fn write_as(flag: &str, file: &Path, bytes: &[u8], what: Option<String>) -> anyhow::Result<()> {
    files::write(file, bytes).with_context(|| format!("{flag} {}", file.display()))?;
    wrote(file, what);
    Ok(())
}

/// Notes an ordinary file that was written.
fn wrote(file: &Path, what: Option<String>) {
    let Ok(found) = fs::metadata(file) else { return };
    if found.is_file() && !files::is_stdout(file) {
        let parts: Vec<String> = what.into_iter().chain([size(found.len())]).collect();
        let line = format!("{}: {}", file.display(), parts.join(", "));
        WRITTEN.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }
}

/// Prints the names of the files that were written, after the answer.
pub fn name_written() {
    let lines = mem::take(&mut *WRITTEN.lock().unwrap_or_else(PoisonError::into_inner));
    if !lines.is_empty() {
        let _ = answer(&lines.join("\n"));
    }
}

/// As [`write()`], for what is written piece by piece.
pub fn write_with(
    flag: &str,
    file: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    files::write_with(file, write).with_context(|| format!("{flag} {}", file.display()))?;
    wrote(file, None);
    Ok(())
}

/// Prints an answer, and writes it as JSON if a file was named for that. Whatever becomes of the file, the answer is not lost.
pub fn give(json: Option<&Path>, value: &impl Serialize, text: &str) -> anyhow::Result<()> {
    let written = json.map_or(Ok(()), |file| write_json("--json", file, value));
    answer(text)?;
    written
}

/// Writes JSON for people and programs: indented, with a line break at the end.
pub fn write_json(flag: &str, file: &Path, value: &impl Serialize) -> anyhow::Result<()> {
    write(flag, file, (serde_json::to_string_pretty(value)? + "\n").as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_flags_need_two_files() {
        let file = Path::new("target/../same.out");
        let error = Outputs::check([("--gif", Some(Path::new("same.out"))), ("--fm2", Some(file))]);
        let error = error.expect_err("the same file").to_string();
        assert!(error.contains("--fm2") && error.contains("--gif"), "{error}");
    }

    #[test]
    fn no_file_is_one_that_is_read() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = |name: &str| folder.path().join(name);
        fs::write(file("game.fm2"), "").expect("a file");
        let check = |output: &str, input: &Path| {
            Outputs::check([("--json", Some(&*file(output)))]).expect("a file").apart_from([input])
        };
        for (output, input) in [("game.fm2", file("game.fm2")), ("run.json", folder.path().to_owned())] {
            let error = check(output, &input).expect_err("it is read").to_string();
            assert!(error.contains("is read, expected another file"), "{error}");
        }
        assert!(check("game.json", &file("game.fm2")).is_ok() && check("out.json", folder.path()).is_ok());
        // Stdout, and what is not there.
        assert!(Outputs::default().apart_from([PathBuf::from("-"), file("none")]).is_ok());
    }

    #[test]
    fn no_file_is_what_is_to_be_made() {
        let folder = tempfile::TempDir::new().expect("a folder");
        let file = folder.path().join("library.sqlite");
        let outputs = Outputs::check([("--json", Some(&*file))]).expect("nothing there yet");
        let error =
            outputs.spare("the run library", folder.path(), "library.sqlite").expect_err("the same file");
        assert!(error.to_string().contains("is the run library, expected another"), "{error}");
        assert!(outputs.spare("the run library", &folder.path().join("other"), "library.sqlite").is_ok());
    }
}
