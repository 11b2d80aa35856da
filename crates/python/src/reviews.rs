//! `review`: what each placement of a game lost, whoever played it.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use numpy::{PyArray2, PyArray3, PyArrayMethods as _};
use pyo3::prelude::*;

use crate::arguments::{check_region, name_of, os_error, path, region_taps, whole, wrong};
use crate::cartridges::identity;
use crate::encoding::{CELLS, write_board};
use crate::interrupts::{abandonable, interruptible};
use crate::movies::{PyMovie, told};
use crate::players::{analyst_of, check_learned, named_or_player};
use maxout_engine::limits::Limits;
use maxout_engine::player::Entry;
use maxout_host::review::{
    Balance, Camera, GamePhase, JudgedPiece, MoveClass, PlacedPiece, PlayedGame, ReviewDetail, balances,
    judge_while, of_frames, of_timeline, sums,
};
use maxout_host::rom;
use maxout_host::tape::{Tape, Turn};
use maxout_record::cartridge::Identity;
use maxout_record::champs;
use maxout_record::movie::Movie;
use maxout_record::run::{record_from_json, timeline};
use maxout_rules::input::Buttons;
use maxout_rules::{Piece, Region};

/// A run: its record as JSON, and the buttons from power-on.
type Run = (String, Vec<u8>);
/// A phase: its place in `GamePhase::ALL`, placements, accuracy, points lost, and placements and points by class.
type Phase = (usize, usize, f32, f32, [usize; 7], [f32; 7]);
/// A balance: level of the stop, expected, lost, luck, made, left.
type BalanceOf = (u16, f32, f32, f32, f32, f32);
/// A game: what was not read, its phases, its balances, a row of numbers for each placement, and the boards before them.
type Reviewed<'py> =
    (Vec<(u64, String)>, Vec<Phase>, Vec<BalanceOf>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<u8>>);

/// The columns of a placement: frame, level, lines, piece, next piece (-1: unknown), y, orientation, x, class, loss,
/// within the limits, missed a tetris, missed an adjustment, points, top-out, value, and of the best placement y, orientation, x, points,
/// top-out, value, and of the place that a misdrop was meant for y, orientation, x (-1: no misdrop).
const COLUMNS: usize = 25;

/// Reviews the games of a recording (a path), a movie or a run. `maxout.review` makes `ReviewedGame`s of them.
#[pyfunction]
#[pyo3(signature = (player, taps, jobs, rom, *, recording = None, movie = None, run = None))]
#[expect(clippy::too_many_arguments, reason = "they are the keywords of maxout.review")]
pub(crate) fn review<'py>(
    py: Python<'py>,
    player: &Bound<'_, PyAny>,
    taps: Option<&str>,
    jobs: &Bound<'_, PyAny>,
    rom: Option<&Bound<'_, PyAny>>,
    recording: Option<Bound<'_, PyAny>>,
    movie: Option<&Bound<'_, PyMovie>>,
    run: Option<Run>,
) -> PyResult<Vec<Reviewed<'py>>> {
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
    let games = interruptible(py, stop, || {
        let judge = |game: PlayedGame| {
            let there = analysts.iter().find(|(region, _)| *region == game.region());
            let judged = there.map_or_else(Vec::new, |(_, analyst)| {
                judge_while(&game, analyst, ReviewDetail::Missed, jobs, go_on)
            });
            (game, judged)
        };
        games.into_iter().map(judge).collect::<Vec<_>>()
    })?;
    if games.is_empty() {
        return Err(wrong("game: has no placement of an A-type game, expected at least one"));
    }
    games.iter().map(|(game, judged)| told_of(py, game, judged)).collect()
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
    of_frames(champs::Frames::new(&*bytes))
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
    Ok(vec![of_timeline(&timeline, record.start_level, record.region())])
}

/// Returns a game as Python gets it.
fn told_of<'py>(py: Python<'py>, game: &PlayedGame, judged: &[JudgedPiece]) -> PyResult<Reviewed<'py>> {
    let unread = game.unread.iter().map(|unread| (unread.frame, unread.reason.clone())).collect();
    let place = |phase: GamePhase| GamePhase::ALL.iter().position(|each| *each == phase).unwrap_or(0);
    let phases = sums(judged)
        .into_iter()
        .map(|sum| (place(sum.phase), sum.pieces, sum.accuracy, sum.lost, sum.classes, sum.lost_by_class))
        .collect();
    let rows = PyArray2::zeros(py, [judged.len(), COLUMNS], false);
    let boards = PyArray3::zeros(py, [judged.len(), 20, 10], false);
    {
        let (mut rows, mut boards) =
            (rows.try_readwrite().map_err(wrong)?, boards.try_readwrite().map_err(wrong)?);
        let rows = rows.as_slice_mut().map_err(wrong)?.chunks_exact_mut(COLUMNS);
        let boards = boards.as_slice_mut().map_err(wrong)?.chunks_exact_mut(CELLS);
        for ((row, board), judged) in rows.zip(boards).zip(judged) {
            row.copy_from_slice(&numbers(judged));
            write_board(&judged.placed.board, board);
        }
    }
    let balances = balances(judged)
        .into_iter()
        .map(|Balance { to_level, expected, lost, luck, made, left }| {
            (to_level, expected, lost, luck, made, left)
        })
        .collect();
    Ok((unread, phases, balances, rows, boards))
}

/// Returns the numbers of a placement.
fn numbers(judged: &JudgedPiece) -> [f64; COLUMNS] {
    let PlacedPiece { frame, piece, next, progress, .. } = judged.placed;
    let code = |piece: Piece| f64::from(piece as u8);
    let class = MoveClass::ALL.iter().position(|class| *class == judged.judgement.class).unwrap_or(0);
    let [played, best] = [&judged.judgement.verdict, &judged.judgement.best].map(|verdict| {
        let place = verdict.placement;
        let [y, orientation, x] = [place.y, place.orientation.id(), place.x].map(f64::from);
        let [points, topout, value] = [verdict.points, verdict.topout, verdict.value].map(f64::from);
        [y, orientation, x, points, topout, value]
    });
    let misdrop = judged.misdrop.map_or([-1.0; 3], |at| [at.y, at.orientation.id(), at.x].map(f64::from));
    [
        frame as f64,
        progress.level.into(),
        progress.lines().into(),
        code(piece),
        next.map_or(-1.0, code),
        played[0],
        played[1],
        played[2],
        class as f64,
        judged.judgement.loss.into(),
        f64::from(u8::from(judged.judgement.within_limits)),
        f64::from(u8::from(judged.missed_tetris())),
        f64::from(u8::from(judged.missed_adjustment)),
        misdrop[0],
        misdrop[1],
        misdrop[2],
        played[3],
        played[4],
        played[5],
        best[0],
        best[1],
        best[2],
        best[3],
        best[4],
        best[5],
    ]
}
