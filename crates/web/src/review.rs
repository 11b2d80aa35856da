//! Games that a user opens on the page ([`WebOpened`]), reviewed placement by placement ([`WebReview`]).

use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use js_sys::Uint8Array;
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
use wasm_bindgen::prelude::*;

use crate::settings::limits;
use crate::{Refused, WebWeights, cartridge};

/// The player that judges.
pub(crate) const PLAYER: &str = "maxout-fast";
/// The error for a run.json without its log.
const NO_LOG: &str = "a record without its log, expected run.json and buttons.txt together";
const UNKNOWN: &str = "not a game, expected .fm2, .fm3, .bk2, .tasproj, .ngf, .ngf.gz, the .zip of a run, or run.json with buttons.txt";
/// The error for a file in which nothing is placed.
const NO_PLACEMENT: &str = "has no placement of an A-type game, expected at least one";
/// The error for a video without a game.
const NO_GAME: &str = "no game, expected the field of a game, with its rim, while pieces fall";
/// How many frames are played, or placements judged, in one call of [`WebReview::advance`].
const FRAMES: usize = 240;
const PIECES: usize = 4;

/// Bytes that stay outside the module until they are read.
struct JsBytes {
    file: Uint8Array,
    at: u32,
}

impl Read for JsBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let part = self.file.subarray(self.at, self.at.saturating_add(buffer.len() as u32));
        let got = part.length();
        part.copy_to(&mut buffer[..got as usize]);
        self.at += got;
        Ok(got as usize)
    }
}

/// Games that a user opens. They are read before the weights are unpacked: either takes much memory for a while.
#[wasm_bindgen]
pub struct WebOpened {
    source: String,
    note: String,
    /// The taps a second of whoever pressed the buttons.
    pace: Option<f32>,
    stage: Stage,
}

/// Reviews games that a user opens, as `maxout review --player maxout-fast` does.
#[wasm_bindgen]
pub struct WebReview {
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
    fn advance(&mut self) -> Result<bool, Refused> {
        for (number, &frame) in self.movie.frames.iter().enumerate().skip(self.at).take(FRAMES) {
            match self.tape.play(&mut self.console, frame)? {
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

#[wasm_bindgen]
impl WebOpened {
    /// Reads a file, whose kind its name tells: a movie (.fm2, .fm3, .bk2, .tasproj), a recording of a score display (.ngf, .ngf.gz), the
    /// archive of a run (.zip), or a run.json, which needs the bytes of its buttons.txt as `log`. Movies are played on the cartridge `image`,
    /// or on the test cartridge if that is empty. A recording is never in memory as a whole; other files are. The error says in one line what
    /// is wrong with the file.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file: Uint8Array, log: &[u8], image: &[u8]) -> Result<Self, Refused> {
        Self::read(name, file, log, image).map_err(|Refused(why)| format!("{name}: {why}").into())
    }

    /// Returns what the user should know about the file, or an empty text.
    pub fn note(&self) -> String {
        self.note.clone()
    }
}

impl WebOpened {
    fn read(name: &str, file: Uint8Array, log: &[u8], image: &[u8]) -> Result<Self, Refused> {
        let length = file.length() as usize;
        let mut file = JsBytes { file, at: 0 };
        let (mut note, mut pace) = (String::new(), None);
        let games = |games| Stage::Judges(Table::of(games));
        let mut whole = || {
            let mut bytes = Vec::with_capacity(length);
            file.read_to_end(&mut bytes).map(|_| bytes)
        };
        let lower = name.to_ascii_lowercase();
        let stage = match lower.rsplit('.').next() {
            Some("ngf" | "gz") => games(of_frames(champs::Frames::new(&mut file), None)?),
            Some("zip") => games(vec![of_run(run::unpack(&whole()?), &mut pace)?]),
            Some("json") if log.is_empty() => return Err(NO_LOG.into()),
            Some("json") => games(vec![of_run(run::from_bytes(&whole()?, log), &mut pace)?]),
            _ => match MovieFormat::of(Path::new(name)) {
                Some(format) => movie(format, &whole()?, image, &mut note)?,
                None => return Err(UNKNOWN.into()),
            },
        };
        match &stage {
            Stage::Judges(table) if table.is_empty() => return Err(NO_PLACEMENT.into()),
            Stage::Judges(_) => {}
            Stage::Plays(film) => {
                let pressed = film.movie.frames.iter().map(|frame| frame.controllers[0]);
                pace = crate::pace::pace(pressed, film.console.region());
            }
        }
        Ok(Self { source: name.to_owned(), note, pace, stage })
    }

    /// Takes the games that were read from a video. They began on `start_level`, or on the level that the speed of the pieces tells. The error
    /// says in one line that it has no game.
    pub(crate) fn of_video(name: &str, video: VideoReader, start_level: Option<u8>) -> Result<Self, Refused> {
        let read = video.finish();
        let games = of_videos(&read, start_level, 0.0).ok_or_else(|| format!("{name}: {OTHER_GAME}"))?;
        let table = Table::of(games);
        if table.is_empty() {
            return Err(format!("{name}: {NO_GAME}").into());
        }
        let stage = Stage::Judges(table);
        Ok(Self { source: name.to_owned(), note: String::new(), pace: None, stage })
    }
}

#[wasm_bindgen]
impl WebReview {
    /// Begins with what was opened. `taps` names the tap speed to judge by; 30 Hz if it is empty.
    #[wasm_bindgen(constructor)]
    pub fn new(opened: WebOpened, taps: &str, weights: &WebWeights) -> Result<Self, Refused> {
        let WebOpened { source, pace, stage, .. } = opened;
        let region = match &stage {
            Stage::Plays(film) => film.console.region(),
            Stage::Judges(table) => {
                let played = table.games.iter().find(|game| !game.pieces.is_empty());
                played.map_or(Region::Ntsc, PlayedGame::region)
            }
        };
        let analyst = judge_at(taps, &weights.network, region)?;
        Ok(Self { source, pace, analyst, stage, reviewed: Vec::new() })
    }

    /// Does a part of the work. Returns the progress: from -1 to 0 while a movie is played, then from 0 to 1 while
    /// placements are judged.
    pub fn advance(&mut self) -> Result<f64, Refused> {
        let table = match &mut self.stage {
            Stage::Plays(film) => {
                if film.advance()? {
                    return Ok(film.at as f64 / film.movie.frames.len() as f64 - 1.0);
                }
                self.stage = Stage::Judges(Table::of(std::mem::take(&mut film.camera).finish()));
                return Ok(0.0);
            }
            Stage::Judges(table) => table,
        };
        if table.is_empty() {
            return Err(format!("{}: {NO_PLACEMENT}", self.source).into());
        }
        let Some(game) = table.games.get(table.game) else { return Ok(1.0) };
        for placed in game.pieces.iter().skip(table.at).take(PIECES) {
            let judged = judge_one(game, placed, &mut self.analyst, ReviewDetail::Adjustments);
            table.judged.extend(judged);
        }
        table.at += PIECES;
        if table.at >= game.pieces.len() {
            let judged = std::mem::take(&mut table.judged);
            let (number, limits) = (self.reviewed.len() + 1, self.analyst.limits());
            let reviewed = Reviewed::new(&self.source, number, PLAYER, limits, game, &judged);
            self.reviewed.push(reviewed);
            (table.game, table.at) = (table.game + 1, 0);
        }
        Ok(table.part())
    }

    /// Returns how many taps a second the buttons of the file make in rows of taps; `undefined` if it has no buttons or few taps.
    pub fn pace(&self) -> Option<f32> {
        self.pace
    }

    /// Returns what `maxout review --json` writes.
    pub fn json(&self) -> Result<String, Refused> {
        Ok(serde_json::to_string(&self.reviewed)?)
    }

    /// Returns the data of the page that `maxout review --html` writes.
    pub fn page(&self) -> Result<String, Refused> {
        let forecast = self.reviewed.first().map(|reviewed| reviewed.forecast.clone());
        let forecast =
            forecast.unwrap_or_else(|| Forecaster::of(PLAYER, 0, FallRule::Ntsc, self.analyst.limits()));
        Ok(serde_json::to_string(&PageData::reviews(&self.reviewed, forecast))?)
    }
}

/// What judges games of this region, with taps of this speed, 30 Hz if it is empty.
pub(crate) fn judge_at(taps: &str, network: &Arc<Network>, region: Region) -> Result<Analyst, Refused> {
    let entry = maxout_gallery::find(PLAYER)?.with_network(Arc::clone(network));
    let mut entry = entry.ok_or("the player takes no weights")?;
    if let Some(limits) = limits(taps, region)? {
        entry = entry.with_limits(limits.in_region(region)).ok_or("the player takes no taps")?;
    }
    Ok(entry.analyst(Foresight::DEFAULT).ok_or("the player does not rank in points")?)
}

/// Opens a movie and puts it into the emulator.
fn movie(format: MovieFormat, file: &[u8], image: &[u8], note: &mut String) -> Result<Stage, Refused> {
    let movie = format.open(file)?;
    let identity = cartridge::admit(image)?;
    movie.check_region(&identity)?;
    let mut notes = movie.unread.clone();
    if movie.is_foreign_to(&identity) {
        let (made, played) = (&movie.rom_name, &identity.name);
        notes.push(format!(
            "made on another cartridge image ({made:?}) than {played:?}; it may not play as it did"
        ));
    }
    *note = notes.join("; ");
    let console = rom::power_on(&identity)?;
    let (tape, camera) = (Tape::default(), Camera::of(identity.region));
    Ok(Stage::Plays(Box::new(Film { movie, console, tape, camera, at: 0 })))
}

/// The placements of a run, if its log leads where the record says, and the pace of its taps.
fn of_run(
    run: Result<(Record, InputLog), ArchiveError>,
    pace: &mut Option<f32>,
) -> Result<PlayedGame, Refused> {
    let (record, log) = run?;
    *pace = crate::pace::pace(log.frames().iter().copied(), record.region());
    let timeline = run::timeline(&record, &log)?;
    let game = of_timeline(&timeline, record.region());
    Ok(PlayedGame { played_by: Some(record.player), ..game })
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
        let Refused(refused) = judge_at("12.5hz", &network, Region::Ntsc).expect_err("refused");
        assert!(refused.starts_with("\"12.5hz\": only the PAL version has this rate"), "{refused}");
    }
}
