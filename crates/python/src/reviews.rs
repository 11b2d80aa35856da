//! `review`: what each placement of a game lost, whoever played it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use pyo3::prelude::*;

use crate::arguments::{check_region, name_of, os_error, path, region_taps, whole, wrong};
use crate::cartridges::identity;
use crate::interrupts::{abandonable, interruptible};
use crate::movies::{PyMovie, told};
use crate::players::{analyst_of, check_learned, named_or_player};
use maxout_engine::limits::Limits;
use maxout_engine::player::Entry;
use maxout_host::review::{
    Camera, JudgedPiece, PlayedGame, ReviewDetail, Reviewed, Unread, judge_while, of_frames, of_timeline,
};
use maxout_host::rom;
use maxout_host::tape::{Tape, Turn};
use maxout_record::cartridge::Identity;
use maxout_record::champs;
use maxout_record::movie::Movie;
use maxout_record::run::{record_from_json, timeline};
use maxout_rules::Region;
use maxout_rules::input::Buttons;

/// A run: its record as JSON, and the buttons from power-on.
type Run = (String, Vec<u8>);
/// Reviews the games of a recording (a path), a movie or a run. Each is JSON as of `maxout review --playouts 0 --json`; `maxout.review` makes
/// `ReviewedGame`s of them.
#[pyfunction]
#[pyo3(signature = (player, taps, jobs, rom, *, recording = None, movie = None, run = None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of maxout.review")]
pub(crate) fn review(
    py: Python<'_>,
    player: &Bound<'_, PyAny>,
    taps: Option<&str>,
    jobs: &Bound<'_, PyAny>,
    rom: Option<&Bound<'_, PyAny>>,
    recording: Option<Bound<'_, PyAny>>,
    movie: Option<&Bound<'_, PyMovie>>,
    run: Option<Run>,
) -> PyResult<Vec<String>> {
    let judge = judge_of(player, taps)?;
    let jobs = whole(jobs, "jobs", 1..=256)? as usize;
    if rom.is_some() && movie.is_none() {
        return Err(wrong("rom: only movies are played on a cartridge, expected no rom"));
    }
    let stop = &AtomicBool::new(false);
    let go_on = &|| !stop.load(Ordering::Relaxed);
    let games = match (recording, movie, run) {
        (Some(recording), None, None) => {
            let file = path(&recording, "game")?;
            abandonable(py, move || of_recording(&file))??
        }
        (None, Some(movie), None) => {
            let (rom, movie) = (identity(rom)?, &movie.get().0);
            movie.check_region(&rom).map_err(|error| wrong(format!("game: {error}")))?;
            interruptible(py, stop, || of_movie(movie, &rom, go_on))??
        }
        (None, None, Some((record, buttons))) => abandonable(py, move || of_run(&record, &buttons))??,
        _ => return Err(wrong("expected one of recording, movie and run")),
    };
    for game in &games {
        check_region(judge.limits, game.region())?;
    }
    // The weights take memory, too: a source that cannot be read is refused before.
    let mut analysts = Vec::new();
    for region in [Region::Ntsc, Region::Pal] {
        if games.iter().any(|game| game.region() == region) {
            analysts.push((region, analyst_of(&judge.in_region(region))?));
        }
    }
    let judged = |game: PlayedGame| {
        let there = analysts.iter().find(|(region, _)| *region == game.region());
        let judged = there.map_or_else(Vec::new, |(_, analyst)| {
            judge_while(&game, analyst, ReviewDetail::Missed, jobs, go_on)
        });
        (game, judged)
    };
    let games: Vec<_> = interruptible(py, stop, || games.into_iter().map(judged).collect())?;
    if games.iter().all(|(_, judged)| judged.is_empty()) {
        let unread: Vec<String> =
            games.iter().flat_map(|(game, _)| &game.unread).map(Unread::to_string).collect();
        let why = if unread.is_empty() { String::new() } else { format!("; {}", unread.join("; ")) };
        return Err(wrong(format!("game: has no placement of an A-type game, expected at least one{why}")));
    }
    let review = |(number, (game, judged)): (usize, (PlayedGame, Vec<JudgedPiece>))| {
        serde_json::to_string(&Reviewed::new("", number, &judge.name, judge.limits, &game, &judged))
    };
    (1..).zip(games).map(review).collect::<Result<_, _>>().map_err(wrong)
}

/// Returns a player on the learned value at these taps.
fn judge_of(player: &Bound<'_, PyAny>, text: Option<&str>) -> PyResult<Entry> {
    let entry = named_or_player(player)?;
    let limits = match text {
        Some(text) => region_taps(text)?,
        None => Limits::new(entry.limits.presses),
    };
    let entry = entry.with_limits(limits).unwrap_or(entry);
    check_learned(&entry)?;
    Ok(entry)
}

/// Returns the games of a recording.
fn of_recording(file: &Path) -> PyResult<Vec<PlayedGame>> {
    let read = || {
        let mut bytes = Vec::new();
        File::open(file)?.take(champs::MAX_BYTES + 1).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    let bytes = read().map_err(|error| os_error(&error, file))?;
    of_frames(champs::Frames::new(&*bytes), None)
        .map_err(|error| wrong(format!("{:?}: {}", name_of(file), told(&error))))
}

/// Returns the games of a movie. If `go_on` returns false, the result is incomplete and must not be used.
fn of_movie(movie: &Movie, rom: &Identity, go_on: &dyn Fn() -> bool) -> PyResult<Vec<PlayedGame>> {
    let mut console = rom::power_on(rom).map_err(wrong)?;
    let (mut tape, mut camera) = (Tape::default(), Camera::of(rom.region));
    for (number, &frame) in (0..).zip(&movie.frames) {
        match tape.play(&mut console, frame).map_err(wrong)? {
            Turn::Ran => camera.see(number, &console.snapshot()),
            Turn::Reset => camera.reset(),
            Turn::Skipped => {}
        }
        if !go_on() {
            break;
        }
    }
    Ok(camera.finish())
}

/// Returns the game of a run.
fn of_run(record: &str, buttons: &[u8]) -> PyResult<Vec<PlayedGame>> {
    let record = record_from_json(record).map_err(|told| wrong(format!("not a run record: {told}")))?;
    let log = buttons.iter().copied().map(Buttons).collect();
    let timeline = timeline(&record, &log).map_err(wrong)?;
    Ok(vec![of_timeline(&timeline, record.region())])
}
