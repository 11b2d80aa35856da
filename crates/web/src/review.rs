//! Games that a user opens on the page ([`Opened`]), reviewed placement by placement ([`Review`]).

use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use maxout_engine::analysis::{Analyst, Forecaster};
use maxout_engine::eval::ntuple::Network;
use maxout_engine::search::Foresight;
use maxout_host::review::{
    Camera, JudgedPiece, OTHER_GAME, PageData, PlayedGame, ReviewDetail, Reviewed, judge_one, of_frames,
    of_timeline, of_videos,
};
use maxout_host::tape::{Tape, Turn};
use maxout_host::{Console, rom};
use maxout_record::movie::{Movie, MovieFormat};
use maxout_record::run::{ArchiveError, Record};
use maxout_record::{champs, run};
use maxout_rules::input::InputLog;
use maxout_rules::{FallRule, Region};
use maxout_sight::VideoReader;

use crate::cartridge;
use crate::settings::limits;

/// The player that judges.
pub(crate) const PLAYER: &str = "maxout-fast";
/// The error for a run.json without its log.
const NO_LOG: &str = "a record without its log, expected run.json and buttons.txt together";
const UNKNOWN: &str = "not a game, expected .fm2, .fm3, .bk2, .tasproj, .ngf, .ngf.gz, the .zip of a run, or run.json with buttons.txt";
/// The error for a file in which nothing is placed.
const NO_PLACEMENT: &str = "has no placement of an A-type game, expected at least one";
/// The error for a video without a game.
const NO_GAME: &str = "no game, expected the field of a game, with its rim, while pieces fall";
/// How many frames are played, or placements judged, in one call of [`Review::advance`].
const FRAMES: usize = 240;
const PIECES: usize = 4;

/// A game, or several, that a user has opened.
pub struct Opened {
    source: String,
    note: String,
    /// The taps a second of whoever pressed the buttons.
    pace: Option<f32>,
    stage: Stage,
}

/// A game, or several, under review.
pub struct Review {
    source: String,
    pace: Option<f32>,
    analyst: Analyst,
    stage: Stage,
    reviewed: Vec<Reviewed>,
}

/// What is being done.
enum Stage {
    /// A movie is played.
    Plays(Box<Film>),
    /// Games are judged.
    Judges(Table),
}

/// A movie in the emulator.
struct Film {
    movie: Movie,
    console: Console,
    tape: Tape,
    camera: Camera,
    at: usize,
}

/// Games that are being judged.
struct Table {
    games: Vec<PlayedGame>,
    /// Which game, and which of its placements.
    game: usize,
    at: usize,
    judged: Vec<JudgedPiece>,
}

impl Film {
    /// Plays on. Returns false at the end.
    fn advance(&mut self) -> Result<bool, String> {
        for (number, &frame) in self.movie.frames.iter().enumerate().skip(self.at).take(FRAMES) {
            match self.tape.play(&mut self.console, frame).map_err(text)? {
                Turn::Ran => self.camera.see(number as u64, &self.console.snapshot()),
                Turn::Reset => self.camera.reset(),
                Turn::Skipped => {}
            }
        }
        self.at += FRAMES;
        Ok(self.at < self.movie.frames.len())
    }
}

impl Table {
    const fn of(games: Vec<PlayedGame>) -> Self {
        Self { games, game: 0, at: 0, judged: Vec::new() }
    }

    /// Whether there is nothing to judge.
    fn is_empty(&self) -> bool {
        self.games.iter().all(|game| game.pieces.is_empty())
    }

    /// The share of the placements that are judged.
    fn part(&self) -> f64 {
        let before: usize = self.games.iter().take(self.game).map(|game| game.pieces.len()).sum();
        let all: usize = self.games.iter().map(|game| game.pieces.len()).sum();
        (before + self.at) as f64 / all.max(1) as f64
    }
}

impl Opened {
    /// Reads a file: a movie (.fm2, .fm3, .bk2, .tasproj), a recording of a score display (.ngf, .ngf.gz), the archive of a run
    /// (.zip), or a run.json, whose buttons.txt is `log`. Movies are played on the cartridge `image`, or on the test
    /// cartridge if that is empty. A recording is never in memory as a whole; of other files `length` bytes are. The error says in one line what
    /// is wrong with the file.
    pub fn new(
        name: &str,
        (mut file, length): (impl Read, usize),
        log: &[u8],
        image: &[u8],
    ) -> Result<Self, String> {
        let wrong = |error: String| format!("{name}: {error}");
        let (mut note, mut pace) = (String::new(), None);
        let games = |games| Stage::Judges(Table::of(games));
        let mut whole = || {
            let mut bytes = Vec::with_capacity(length);
            file.read_to_end(&mut bytes).map(|_| bytes).map_err(text).map_err(wrong)
        };
        let lower = name.to_ascii_lowercase();
        let stage = match lower.rsplit('.').next() {
            Some("ngf" | "gz") => {
                games(of_frames(champs::Frames::new(&mut file), None).map_err(text).map_err(wrong)?)
            }
            Some("zip") => games(vec![of_run(run::unpack(&whole()?), &mut pace).map_err(wrong)?]),
            Some("json") if log.is_empty() => return Err(wrong(NO_LOG.to_owned())),
            Some("json") => games(vec![of_run(run::from_bytes(&whole()?, log), &mut pace).map_err(wrong)?]),
            _ => match MovieFormat::of(Path::new(name)) {
                Some(format) => movie(format, &whole()?, image, &mut note).map_err(wrong)?,
                None => return Err(wrong(UNKNOWN.to_owned())),
            },
        };
        match &stage {
            Stage::Judges(table) if table.is_empty() => Err(wrong(NO_PLACEMENT.to_owned())),
            Stage::Plays(film) => {
                let pressed = film.movie.frames.iter().map(|frame| frame.controllers[0]);
                pace = crate::pace::pace(pressed, film.console.region());
                Ok(Self { source: name.to_owned(), note, pace, stage })
            }
            Stage::Judges(_) => Ok(Self { source: name.to_owned(), note, pace, stage }),
        }
    }

    /// Takes the games that were read from a video. They began on `start_level`, or on the level that the speed of the pieces tells. The error says in one line that it has no game.
    pub fn of_video(name: &str, video: VideoReader, start_level: Option<u8>) -> Result<Self, String> {
        let read = video.finish();
        let games = of_videos(&read, start_level, 0.0).ok_or_else(|| format!("{name}: {OTHER_GAME}"))?;
        let table = Table::of(games);
        if table.is_empty() {
            return Err(format!("{name}: {NO_GAME}"));
        }
        let stage = Stage::Judges(table);
        Ok(Self { source: name.to_owned(), note: String::new(), pace: None, stage })
    }

    /// Returns what the user should know about the file, or an empty text.
    pub fn note(&self) -> &str {
        &self.note
    }
}

impl Review {
    /// Begins with what was opened. `taps` names the tap speed to judge by; 30 Hz if it is empty.
    pub fn new(opened: Opened, taps: &str, network: &Arc<Network>) -> Result<Self, String> {
        let Opened { source, pace, stage, .. } = opened;
        let region = match &stage {
            Stage::Plays(film) => film.console.region(),
            Stage::Judges(table) => {
                let played = table.games.iter().find(|game| !game.pieces.is_empty());
                played.map_or(Region::Ntsc, PlayedGame::region)
            }
        };
        let analyst = judge_at(taps, network, region)?;
        Ok(Self { source, pace, analyst, stage, reviewed: Vec::new() })
    }

    /// Does a part of the work. Returns whether a movie is being played, and the share of that stage that is done, 0 to 1.
    /// All work is done when the first is false and the second is 1.
    pub fn advance(&mut self) -> Result<(bool, f64), String> {
        match &mut self.stage {
            Stage::Plays(film) => {
                if film.advance()? {
                    return Ok((true, film.at as f64 / film.movie.frames.len() as f64));
                }
                self.stage = Stage::Judges(Table::of(std::mem::take(&mut film.camera).finish()));
                Ok((true, 1.0))
            }
            Stage::Judges(table) => {
                if table.is_empty() {
                    return Err(format!("{}: {NO_PLACEMENT}", self.source));
                }
                let Some(game) = table.games.get(table.game) else { return Ok((false, 1.0)) };
                for placed in game.pieces.iter().skip(table.at).take(PIECES) {
                    table.judged.extend(judge_one(
                        game,
                        placed,
                        &mut self.analyst,
                        ReviewDetail::Adjustments,
                    ));
                }
                table.at += PIECES;
                if table.at >= game.pieces.len() {
                    let judged = std::mem::take(&mut table.judged);
                    let number = self.reviewed.len() + 1;
                    let reviewed =
                        Reviewed::new(&self.source, number, PLAYER, self.analyst.limits(), game, &judged);
                    self.reviewed.push(reviewed);
                    (table.game, table.at) = (table.game + 1, 0);
                }
                Ok((false, table.part()))
            }
        }
    }

    /// Returns the taps a second of whoever pressed the buttons, if the file has them.
    pub const fn pace(&self) -> Option<f32> {
        self.pace
    }

    /// Returns what `maxout review --json` writes.
    pub fn json(&self) -> Result<String, String> {
        serde_json::to_string(&self.reviewed).map_err(text)
    }

    /// Returns the data of the page that `maxout review --html` writes.
    pub fn page(&self) -> Result<String, String> {
        let forecast = self.reviewed.first().map(|reviewed| reviewed.forecast.clone());
        let forecast =
            forecast.unwrap_or_else(|| Forecaster::of(PLAYER, 0, FallRule::Ntsc, self.analyst.limits()));
        serde_json::to_string(&PageData::reviews(&self.reviewed, forecast)).map_err(text)
    }
}

/// What judges games of this region, with taps of this speed, 30 Hz if it is empty.
pub(crate) fn judge_at(taps: &str, network: &Arc<Network>, region: Region) -> Result<Analyst, String> {
    let entry = maxout_gallery::find(PLAYER).map_err(text)?.with_network(Arc::clone(network));
    let mut entry = entry.ok_or("the player takes no weights")?;
    if let Some(limits) = limits(taps, region)? {
        entry = entry.with_limits(limits.in_region(region)).ok_or("the player takes no taps")?;
    }
    entry.analyst(Foresight::DEFAULT).ok_or_else(|| "the player does not rank in points".to_owned())
}

/// Opens a movie and puts it into the emulator.
fn movie(format: MovieFormat, file: &[u8], image: &[u8], note: &mut String) -> Result<Stage, String> {
    let movie = format.open(file).map_err(text)?;
    let identity = cartridge::admit(image).map_err(text)?;
    movie.check_region(&identity).map_err(text)?;
    let mut notes = movie.unread.clone();
    if movie.is_foreign_to(&identity) {
        let (made, played) = (&movie.rom_name, &identity.name);
        notes.push(format!(
            "made on another cartridge image ({made:?}) than {played:?}; it may not play as it did"
        ));
    }
    *note = notes.join("; ");
    let console = rom::power_on(&identity).map_err(text)?;
    let (tape, camera) = (Tape::default(), Camera::of(identity.region));
    Ok(Stage::Plays(Box::new(Film { movie, console, tape, camera, at: 0 })))
}

/// The placements of a run, if its log leads where the record says, and the pace of its taps.
fn of_run(
    run: Result<(Record, InputLog), ArchiveError>,
    pace: &mut Option<f32>,
) -> Result<PlayedGame, String> {
    let (record, log) = run.map_err(text)?;
    *pace = crate::pace::pace(log.frames().iter().copied(), record.region());
    let timeline = run::timeline(&record, &log).map_err(text)?;
    let game = of_timeline(&timeline, record.region());
    Ok(PlayedGame { played_by: Some(record.player), ..game })
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_that_only_pal_has_judge_its_games_alone() {
        let network = maxout_engine::eval::weights::embedded_for(maxout_engine::limits::Limits::EACH_BUTTON);
        let judge = judge_at("12.5hz", &network, Region::Pal).expect("a rate of PAL");
        // Every fourth frame of 50.
        assert_eq!(judge.limits().presses.name(Region::Pal), "12.5hz");
        let refused = judge_at("12.5hz", &network, Region::Ntsc).expect_err("refused");
        assert!(refused.starts_with("\"12.5hz\": only the PAL version has this rate"), "{refused}");
    }
}
