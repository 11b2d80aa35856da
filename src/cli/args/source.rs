//! The file that a command is given where it takes a game, and what to type instead if it is something else.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use anyhow::{Context, bail};

use crate::cli::args::champs;
use crate::library::store::RunId;
use crate::{files, video};
use maxout_record::movie::MovieFormat;

/// What holds a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Source {
    /// A run of the library, or the folder or record of one.
    Run,
    Movie(MovieFormat),
    /// A recording of a score display.
    Recording,
    /// A video, a folder of its pictures, or Y4M on stdin.
    Video,
}

impl Source {
    /// Says what `file` holds. Refuses what is no game: the command that asks takes what `expected` names.
    pub(crate) fn of(file: &Path, expected: &str) -> anyhow::Result<Self> {
        // A number is a run of the library, whatever lies in this folder.
        if is_number(file) {
            return Ok(Self::Run);
        }
        if file.is_dir() {
            // What is in a folder that cannot be read is not known.
            let mut all = file.read_dir().with_context(|| file.display().to_string())?.filter_map(Result::ok);
            return if file.join("run.json").exists() {
                Ok(Self::Run)
            } else if all.any(|entry| video::is_picture(&entry.path())) {
                Ok(Self::Video)
            } else {
                bail!(no_run(file, expected))
            };
        }
        if has_ending(file, "json") {
            return Ok(Self::Run);
        }
        if champs::is_named_so(file) {
            return Ok(Self::Recording);
        }
        if let Some(format) = MovieFormat::of(file) {
            return Ok(Self::Movie(format));
        }
        if video::is_named_so(file) {
            return Ok(Self::Video);
        }
        let name = file.display();
        let begins = beginning(file).with_context(|| name.to_string())?;
        match foreign(&begins, &name.to_string()) {
            // A record under another name.
            None if begins.starts_with(b"{") => Ok(Self::Run),
            None if video::begins_so(&begins) => Ok(Self::Video),
            None => bail!("{name}: not a game, expected {expected}"),
            Some((what, hint)) => bail!("{name}: {what}, expected {expected}{hint}"),
        }
    }

    /// As [`of`](Self::of), for a command that takes recorded runs only.
    pub(crate) fn of_run(file: &Path, expected: &str) -> anyhow::Result<()> {
        let name = file.display();
        match Self::of(file, expected)? {
            Self::Run => Ok(()),
            Self::Movie(_) => bail!(
                "{name}: a movie, expected {expected}; for a page of it: maxout review {name} --html page.html"
            ),
            Self::Recording => {
                bail!("{name}: {RECORDING}, expected {expected}; {}", review(&name.to_string()))
            }
            Self::Video => bail!("{name}: {VIDEO}, expected {expected}; {}", review(&name.to_string())),
        }
    }
}

/// What a recording is.
pub(crate) const RECORDING: &str = "a recording of a score display, which holds no buttons";

/// What a video is.
pub(crate) const VIDEO: &str = "a video, which holds no buttons";

/// What a PNG is.
const PICTURE: &str = "a picture";

/// What to type to see the placements of a recording.
pub(crate) fn review(name: &str) -> String {
    format!("for its placements: maxout review {name}")
}

/// What a file is that is given where a cartridge image belongs, and what to type instead, if its name says that it holds a
/// game.
pub(crate) fn instead_of_image(file: &Path) -> Option<(&'static str, String)> {
    let name = file.display().to_string();
    if champs::is_named_so(file) {
        return Some((RECORDING, review(&name)));
    }
    if video::is_named_so(file) && !files::is_stdout(file) {
        return Some((VIDEO, review(&name)));
    }
    if MovieFormat::of(file).is_some() {
        return Some(("a movie", format!("to play it again: maxout replay {name}")));
    }
    let number = is_number(file) && !file.exists();
    number.then(|| ("no such file", format!("to play run {name} again: maxout replay {name}")))
}

/// Refuses a file that is something else than a board, and says what to type instead. A picture may show a board.
pub(crate) fn check_board(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    let name = file.display();
    if MovieFormat::of(file).is_some() {
        bail!("a movie, expected a board; to judge its placements: maxout review {name}");
    }
    if champs::is_named_so(file) {
        bail!("{RECORDING}, expected a board; {}", review(&name.to_string()));
    }
    if video::begins_so(bytes) {
        bail!("{VIDEO}, expected a board; {}", review(&name.to_string()));
    }
    match foreign(bytes, &name.to_string()) {
        Some((what, hint)) if what != PICTURE => bail!("{what}, expected a board{hint}"),
        _ => Ok(()),
    }
}

/// What to say of a folder that holds no run.
fn no_run(folder: &Path, expected: &str) -> String {
    let name = folder.display();
    let library = if folder.join("library.sqlite").exists() {
        format!("; to use the run library there: --runs {name}, and the number of a run")
    } else {
        String::new()
    };
    format!("{name}: a folder without run.json and without pictures, expected {expected}{library}")
}

/// Whether it is the number of a run.
fn is_number(file: &Path) -> bool {
    file.to_str().is_some_and(|text| text.parse::<RunId>().is_ok())
}

fn has_ending(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|found| found.eq_ignore_ascii_case(ending))
}

/// The first bytes of a file; none of what is no ordinary file.
fn beginning(file: &Path) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if fs::metadata(file)?.is_file() {
        File::open(file)?.take(16).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// What a file is that begins like this, and what to type instead, if it is known.
fn foreign(begins: &[u8], name: &str) -> Option<(&'static str, String)> {
    let known: [(&[u8], &str, String); 7] = [
        (
            b"NES\x1A",
            "a cartridge image",
            format!("; to play it: maxout play {name} (the cartridge of a movie: --rom {name})"),
        ),
        (
            b"{\"id\":",
            "runs as JSON Lines",
            "; a folder for each run, which can be read: maxout runs export --format folder".to_owned(),
        ),
        (b"version ", "an FCEUX movie under another name", "; its name must end in .fm2".to_owned()),
        (b"PK\x03\x04", "a ZIP archive", "; the name of a BizHawk movie must end in .bk2".to_owned()),
        (b"\x1F\x8B", "a gzip file", "; the name of a packed recording must end in .ngf.gz".to_owned()),
        (
            b"SQLite format 3\0",
            "an SQLite file",
            "; to use a run library: --runs with its folder, and the number of a run".to_owned(),
        ),
        (b"\x89PNG", PICTURE, format!("; for the position in it: maxout analyze {name} --piece T")),
    ];
    known.into_iter().find(|(magic, ..)| begins.starts_with(magic)).map(|(_, what, hint)| (what, hint))
}
