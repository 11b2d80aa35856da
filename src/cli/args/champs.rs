//! Frames for score displays: the flags of `replay` that write them, and what it says of a file of them.

use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::cli::output::{Outputs, answer, write_json, write_with};
use crate::files;
use crate::movie::summary::ChampsSummary;
use crate::words::count;
use maxout_host::review::of_frames;
use maxout_record::champs::{Frames, MAX_BYTES, Version};

/// Ends of names, longest first: what comes before them is the name of the game.
const ENDS: [&str; 3] = [".ngf.gz", ".ngf", ".gz"];

/// What to write for score displays.
#[derive(clap::Args)]
pub(crate) struct ChampsArgs {
    /// Write the frames of play for score displays, as `NestrisChamps` recorders do (.ngf; .ngf.gz: packed)
    #[arg(long, value_name = "FILE")]
    pub champs: Option<PathBuf>,
}

impl ChampsArgs {
    /// The version of the frames, if any are wanted: the one that recorders write.
    pub(crate) fn wanted(&self) -> Option<Version> {
        self.champs.as_ref().map(|_| Version::V3)
    }

    /// Writes the frames of each game, the first into the file that was named, the others beside it, but over none of the inputs. Stdout gets all.
    pub(crate) fn write(&self, games: &[Vec<u8>], inputs: &[PathBuf]) -> anyhow::Result<()> {
        let Some(file) = &self.champs else { return Ok(()) };
        if files::is_stdout(file) || games.is_empty() {
            return write_game(file, &games.concat());
        }
        let files: Vec<PathBuf> = (1..=games.len()).map(|number| numbered(file, number)).collect();
        Outputs::check(files.iter().map(|file| ("--champs", Some(file.as_path()))))?.apart_from(inputs)?;
        for (file, bytes) in files.iter().zip(games) {
            write_game(file, bytes)?;
        }
        Ok(())
    }
}

/// Writes the frames of a game, packed if the name says so.
fn write_game(file: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    write_with("--champs", file, |out| {
        if ends_with(file, ".gz") {
            let mut packed = GzEncoder::new(out, Compression::default());
            packed.write_all(bytes)?;
            packed.finish()?;
        } else {
            out.write_all(bytes)?;
        }
        Ok(())
    })
}

/// The file of a game: the named one for game 1, then `NAME-2.ngf` and so on.
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number == 1 {
        return file.to_owned();
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let end = ENDS.into_iter().find(|end| ends_with(file, end)).unwrap_or("");
    let (stem, end) = name.split_at(name.len() - end.len());
    file.with_file_name(OsString::from(format!("{stem}-{number}{end}")))
}

/// Whether the name ends so, in either case.
fn ends_with(file: &Path, end: &str) -> bool {
    file.file_name().is_some_and(|name| name.to_string_lossy().to_ascii_lowercase().ends_with(end))
}

/// Whether a file's name says that it holds such frames.
pub(crate) fn is_named_so(file: &Path) -> bool {
    ends_with(file, ".ngf") || ends_with(file, ".ngf.gz")
}

/// What a file of frames shows. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
struct Shown {
    frames: usize,
    games: Vec<ChampsSummary>,
}

/// Says what a file of frames shows.
pub(crate) fn show(file: &Path, json: Option<&Path>) -> anyhow::Result<ExitCode> {
    let name = || file.display().to_string();
    let bytes = files::read(file, MAX_BYTES).with_context(name)?;
    let mut games = ChampsSummary::of_all(Frames::new(&*bytes)).with_context(name)?;
    let played = of_frames(Frames::new(&*bytes), None).with_context(name)?;
    ChampsSummary::complete(&mut games, &played);
    let frames = games.iter().map(|game| game.frames).sum();
    let mut text = format!("{}: {}", name(), count(frames as u64, "frame"));
    for game in &games {
        text += &format!("\ngame {}: {game}", game.game);
    }
    answer(&text)?;
    if let Some(json) = json {
        write_json("--json", json, &Shown { frames, games })?;
    }
    Ok(ExitCode::SUCCESS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_file_of_its_own() {
        for (file, want) in [
            ("a/game.ngf", "a/game-2.ngf"),
            ("game.v3.NGF.GZ", "game.v3-2.NGF.GZ"),
            ("game.gz", "game-2.gz"),
            ("game", "game-2"),
        ] {
            assert_eq!(numbered(Path::new(file), 2), Path::new(want));
            assert_eq!(numbered(Path::new(file), 1), Path::new(file));
        }
    }
}
