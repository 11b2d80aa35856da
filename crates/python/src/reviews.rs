//! `review`: what each placement of a game lost, whoever played it.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use numpy::{PyArray2, PyArray3, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arguments::{START_LEVELS, taps, whole, wrong};
use crate::cartridges::identity;
use crate::encoding::{CELLS, write_board};
use crate::movies::{PyMovie, name_of, told};
use crate::players::{PyPlayer, named};
use maxout_engine::analysis::Analyst;
use maxout_engine::limits::Limits;
use maxout_engine::player::Entry;
use maxout_engine::search::Foresight;
use maxout_host::champs;
use maxout_host::movie::{Movie, Tape, Turn};
use maxout_host::review::{
    Camera, GamePhase, JudgedPiece, MoveClass, PlacedPiece, PlayedGame, ReviewDetail, judge_while, of_frames,
    of_timeline, sums,
};
use maxout_host::timeline::{GameTotals, Timeline};
use maxout_host::{Console, TEST_CARTRIDGE};
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Piece, Seed};

/// How often signals are looked for while games are reviewed.
const LOOK: Duration = Duration::from_millis(50);

/// A run: start level, seed, frames of menus, the buttons from power-on, and the totals that its record states (score,
/// line points, lines, level, pieces, singles, doubles, triples, tetrises).
type Run<'py> = (Bound<'py, PyAny>, u64, usize, Vec<u8>, [u64; 9]);
/// A phase: its place in `GamePhase::ALL`, placements, accuracy, points lost, and placements and points by class.
type Phase = (usize, usize, f32, f32, [usize; 7], [f32; 7]);
/// A game: what was not read, its phases, a row of numbers for each placement, and the boards before them.
type Reviewed<'py> = (Vec<(u64, String)>, Vec<Phase>, Bound<'py, PyArray2<f64>>, Bound<'py, PyArray3<u8>>);

/// The columns of a placement: frame, level, lines, piece, next piece (-1: unknown), y, orientation, x, class, loss,
/// within the limits, missed a tetris, missed an adjustment, points, top-out, value, and of the best placement y, orientation, x, points,
/// top-out, value.
const COLUMNS: usize = 22;

/// Where games come from.
enum Source<'a> {
    Frames(PathBuf),
    Movie(&'a Movie, Vec<u8>),
    Run { level: u8, seed: u64, buttons: Vec<Buttons>, totals: GameTotals },
}

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
    recording: Option<PathBuf>,
    movie: Option<&Bound<'_, PyMovie>>,
    run: Option<Run<'_>>,
) -> PyResult<Vec<Reviewed<'py>>> {
    let (analyst, limits) = judge_of(player, taps)?;
    let jobs = whole(jobs, "jobs", 1..=256)? as usize;
    if rom.is_some() && movie.is_none() {
        return Err(wrong("rom: only movies are played on a cartridge, expected no rom"));
    }
    let source = match (recording, movie, run) {
        (Some(path), None, None) => Source::Frames(path),
        (None, Some(movie), None) => {
            let image = rom.map_or_else(
                || Ok(TEST_CARTRIDGE.to_vec()),
                |rom| identity(Some(rom)).map(|found| found.image),
            );
            Source::Movie(&movie.get().0, image?)
        }
        (None, None, Some(run)) => source_of(run)?,
        _ => return Err(wrong("expected one of recording, movie and run")),
    };
    let games = interruptible(py, |go_on| {
        let games = read(source, go_on)?;
        let judge = |game: PlayedGame| {
            let judged = judge_while(&game.pieces, &analyst, limits, ReviewDetail::Missed, jobs, go_on);
            (game, judged)
        };
        PyResult::Ok(games.into_iter().map(judge).collect::<Vec<_>>())
    })??;
    if games.is_empty() {
        return Err(wrong("game: has no placement of an A-type game, expected at least one"));
    }
    games.iter().map(|(game, judged)| told_of(py, game, judged)).collect()
}

/// Returns the analyst of a player on the learned value, and its limits.
fn judge_of(player: &Bound<'_, PyAny>, text: Option<&str>) -> PyResult<(Analyst, Limits)> {
    let entry: Entry = match (player.cast::<PyString>(), player.cast::<PyPlayer>()) {
        (Ok(name), _) => named(name.to_cow()?.as_ref())?.clone(),
        (_, Ok(known)) => known.get().entry.clone(),
        _ => return Err(pyo3::exceptions::PyTypeError::new_err("player: expected a name or a Player")),
    };
    let limits = text.map_or(Ok(Limits::new(entry.limits.presses)), taps)?;
    let analyst = entry.with_limits(limits).and_then(|entry| entry.analyst(Foresight::DEFAULT));
    let analyst = analyst.ok_or_else(|| {
        wrong(format!(
            "player: {} does not rank in points, expected a player on the learned value",
            entry.name
        ))
    })?;
    Ok((analyst, limits))
}

/// Reads the arguments of a run.
fn source_of((level, seed, menu, buttons, totals): Run<'_>) -> PyResult<Source<'static>> {
    let level = whole(&level, "start_level", START_LEVELS)? as u8;
    let buttons = buttons.get(menu..).ok_or_else(|| {
        let frames = buttons.len();
        wrong(format!("the button log has {frames} frames, expected more than the {menu} frames of menus"))
    })?;
    let [score, line_points, lines, end, pieces, clears @ ..] = totals;
    let totals = GameTotals { score, line_points, lines, level: end, pieces, clears };
    Ok(Source::Run { level, seed, buttons: buttons.iter().copied().map(Buttons).collect(), totals })
}

/// Returns the games of a source. If `go_on` returns false, the result is incomplete and must not be used.
fn read(source: Source<'_>, go_on: &(dyn Fn() -> bool + Sync)) -> PyResult<Vec<PlayedGame>> {
    match source {
        Source::Frames(path) => {
            let mut bytes = Vec::new();
            File::open(&path)?.take(champs::MAX_BYTES + 1).read_to_end(&mut bytes)?;
            let frames = champs::read(&bytes);
            let frames = frames.map_err(|error| wrong(format!("{:?}: {}", name_of(&path), told(&error))))?;
            Ok(of_frames(&frames))
        }
        Source::Movie(movie, image) => {
            let mut console = Console::power_on(&image).map_err(wrong)?;
            let (mut tape, mut camera) = (Tape::default(), Camera::default());
            for (number, &frame) in (0..).zip(&movie.frames) {
                match tape.play(&mut console, frame).map_err(wrong)? {
                    Turn::Ran => camera.see(number, &Snapshot::read(console.ram())),
                    Turn::Reset => camera.reset(),
                    Turn::Skipped => {}
                }
                if !go_on() {
                    break;
                }
            }
            Ok(camera.finish())
        }
        Source::Run { level, seed, buttons, totals } => {
            let (timeline, played) = Timeline::film(Seed::new(seed).start(level), &buttons);
            if let Some((what, got, want)) = played.difference(&totals) {
                let text =
                    format!("the button log leads to {what} {got} on the model, expected {want} as recorded");
                return Err(wrong(text));
            }
            Ok(vec![of_timeline(&timeline, level)])
        }
    }
}

/// Runs the work in a thread of its own without the interpreter's lock. A signal such as Ctrl-C ends it: `go_on` then
/// returns false, and this function returns the error of the signal's handler.
fn interruptible<T: Send>(
    py: Python<'_>,
    work: impl FnOnce(&(dyn Fn() -> bool + Sync)) -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        let stop = &AtomicBool::new(false);
        let (done, finished) = mpsc::channel::<()>();
        thread::scope(|scope| {
            let worker = thread::Builder::new().spawn_scoped(scope, move || {
                let result = work(&|| !stop.load(Ordering::Relaxed));
                drop(done);
                result
            })?;
            let signals = |py: Python<'_>| py.check_signals();
            let mut interrupted = None;
            while finished.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
                if interrupted.is_none()
                    && let Err(error) = Python::attach(signals)
                {
                    stop.store(true, Ordering::Relaxed);
                    interrupted = Some(error);
                }
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            interrupted.map_or(Ok(result), Err)
        })
    })
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
    Ok((unread, phases, rows, boards))
}

/// Returns the numbers of a placement.
fn numbers(judged: &JudgedPiece) -> [f64; COLUMNS] {
    let PlacedPiece { frame, piece, next, progress, .. } = judged.placed;
    let code = |piece: Piece| f64::from(piece as u8);
    let class = MoveClass::ALL.iter().position(|class| *class == judged.judgement.class).unwrap_or(0);
    let [played, best] = [&judged.judgement.verdict, &judged.judgement.best].map(|verdict| {
        let place = verdict.placement;
        let [y, orientation, x] = [place.y, place.id.0, place.x].map(f64::from);
        let [points, topout, value] = [verdict.points, verdict.topout, verdict.value].map(f64::from);
        [y, orientation, x, points, topout, value]
    });
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
