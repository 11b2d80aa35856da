//! `maxout review`: what every placement of a game lost, whoever played it.

use std::borrow::Cow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};

use crate::cli::args::{
    aggression::AggressionArg,
    cartridge::{self, RomArgs},
    champs::ChampsArgs,
    hands::taps_in,
    library::LibraryArgs,
    source::Source,
    values::whole,
    videos::VideoArgs,
};
use crate::cli::exit::{INTERRUPTED, cores};
use crate::cli::interrupt;
use crate::cli::output::{Outputs, answer, say, write, write_json};
use crate::cli::output::{
    as_you::AsYou,
    progress::Progress,
    puzzles::Puzzle,
    review_playouts::{Games, PlayedFurther, Written},
};
use crate::export::html;
use crate::files;
use crate::library::read::{ReadRun, games, recording};
use crate::library::store::{Library, Taken};
use crate::library::{open_read, open_run};
use crate::results::runs::short_text;
use crate::review::{csv, told};
use crate::words::{self, count};
use maxout_engine::analysis::{Analyst, Forecaster};
use maxout_engine::limits::{Limits, ParsePressesError, Presses, TapTable};
use maxout_engine::player::{DEFAULT_PLAYER, Entry};
use maxout_engine::search::Foresight;
use maxout_host::review::{
    AtSpeed, BURSTS, Camera, GamePhase, JudgedPiece, MoveClass, PlayedGame, ReviewDetail, Reviewed, SHIFTS,
    TapSpeed, Unread, judge_while, of_frames, of_timeline, sums,
};
use maxout_host::tape::{Tape, Turn};
use maxout_record::champs as frames;
use maxout_record::movie::MovieFormat;
use maxout_record::result::HostKind;
use maxout_record::run::timeline;
use maxout_rules::Region;

/// What the command takes.
const SOURCES: &str = "the number of a run, its folder, a movie (.fm2, .fm3, .bk2, .tasproj), a recording (.ngf, .ngf.gz) or a \
                       video (.mp4, .mkv, .webm, .mov, .avi, .y4m)";

/// Who plays games on from the worst placements.
const PLAYS_ON: &str = "maxout-fast";
/// From how many placements games are played on if nothing else is asked for, in all games together, and how many pairs from each.
const WORST: usize = 10;
const PAIRS: u64 = 400;

/// What `--taps` takes.
#[derive(Clone, Copy)]
enum Taps {
    /// Those that are measured.
    Auto,
    Given(Presses),
}

impl FromStr for Taps {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::Auto);
        }
        text.parse().map(Self::Given).map_err(|error: ParsePressesError| format!("{error}; or auto"))
    }
}

/// What `--as` takes.
#[derive(Clone, Copy)]
enum As {
    /// Whoever played the game.
    Me,
    Player(&'static Entry),
}

impl FromStr for As {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if text == "me" {
            return Ok(Self::Me);
        }
        maxout_gallery::find(text).map(Self::Player).map_err(|error| format!("{error}; or me"))
    }
}

/// `maxout review`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Numbers and folders of runs, movies (.fm2, .fm3, .bk2, .tasproj), recordings of score displays (.ngf, .ngf.gz), or videos
    /// (.mp4, .mkv and others by ffmpeg; .y4m, also as -; a folder of numbered pictures, 60 a second)
    #[arg(value_name = "GAME", required = true)]
    games: Vec<PathBuf>,
    /// The player on the learned value that judges (see `maxout players`)
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = maxout_gallery::find)]
    player: &'static Entry,
    #[command(flatten)]
    aggression: AggressionArg,
    /// Whose games points, losses and top-outs forecast: a player on the learned value. With me, also play on as whoever played the
    /// game, with the same losses, from the first piece and from the moments that mattered [default: the player that judges]
    #[arg(long = "as", value_name = "PLAYER")]
    as_player: Option<As>,
    /// Judge by what these presses allow, as in `sim`: 30hz, 12hz, das and so on, or auto: as fast as whoever played taps
    /// [default: 30 Hz]
    #[arg(long, value_name = "SPEED")]
    taps: Option<Taps>,
    /// Also judge the game at 10, 12, 15, 20 and 30 Hz, which takes five times as long
    #[arg(long)]
    speeds: bool,
    /// Look no deeper after this many boards per piece
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Measure the loss of the placements that are worst by forecast, as many as --worst says, with its standard error: maxout-fast
    /// plays up to N games on from the best placement, and as many with the same pieces from the one that was played, for 32 pieces
    /// each. It stops when the error is small. 0 measures none [default: 400, for the ten worst placements, shared by all games]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..=100_000))]
    playouts: Option<u64>,
    /// Also say what the pieces were worth: what maxout-2ply makes of them, what it makes of other pieces in this many
    /// games from the same start, and what a search that knows the pieces in advance makes of them
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=100_000))]
    luck: Option<u64>,
    /// How many placements to show, those that lost most first; the others are in the JSON and the table
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = whole::<usize>(..=100_000))]
    worst: usize,
    #[command(flatten)]
    cartridge: RomArgs,
    /// Threads [default: one per core]
    #[arg(long, value_parser = whole::<u16>(1..=1024))]
    jobs: Option<u16>,
    /// Write all verdicts as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write a table with a line for each placement (CSV) to this file
    #[arg(long, value_name = "FILE")]
    csv: Option<PathBuf>,
    /// Write a page that shows the games piece by piece, with better placements, to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write a page with the positions in which most was lost, as many as --worst says, to try them
    #[arg(long, value_name = "FILE")]
    puzzles: Option<PathBuf>,
    #[command(flatten)]
    champs: ChampsArgs,
    /// Keep the games of videos and recordings in the run library, with what was not read as their notes
    #[arg(long)]
    keep: bool,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    video: VideoArgs,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Outputs::check([
        ("--json", args.json.as_deref()),
        ("--csv", args.csv.as_deref()),
        ("--html", args.html.as_deref()),
        ("--puzzles", args.puzzles.as_deref()),
        ("--champs", args.champs.champs.as_deref()),
    ])?
    .apart_from(args.games.iter().chain(&args.cartridge.rom).chain(&args.library.folder().ok()))?;
    let player = args.aggression.give_to(args.player.clone())?;
    let given = match args.taps {
        Some(Taps::Given(presses)) => Limits::new(presses),
        _ => player.limits,
    };
    let expected = || {
        format!("--player {}: does not rank in points, expected a player on the learned value", player.name)
    };
    let within = |limits| {
        let playing = player.with_limits(limits).filter(|player| player.capabilities().is_learned);
        playing.with_context(expected)
    };
    within(given)?;
    let (as_me, as_player) = match args.as_player {
        Some(As::Player(player)) => (false, player),
        as_player => (as_player.is_some(), args.player),
    };
    if !as_player.capabilities().is_learned {
        bail!("--as {}: has no forecasts, expected a player on the learned value", as_player.name);
    }
    as_me.then(|| fast_as_you(args, given)).transpose()?;
    let jobs = args.jobs.map_or_else(cores, usize::from);
    // Only the JSON and the page show adjustments.
    let detail = if args.json.is_some() || args.html.is_some() {
        ReviewDetail::Adjustments
    } else {
        ReviewDetail::Missed
    };
    // All sources are read first: one that cannot be read is refused before anything takes long.
    check_kinds(args)?;
    let library = library_to_keep(args)?;
    let mut sources = Vec::new();
    for source in &args.games {
        let Some((games, untold)) = read(args, source)? else { return Ok(ExitCode::from(INTERRUPTED)) };
        sources.push((source.display().to_string(), games, untold));
    }
    check_taps(args, &sources)?;
    // What was read took long. It is kept before the review begins.
    keep(args, &sources, library)?;
    let interrupt = interrupt::flag()?;
    let judges = Judges { args, player: &player, as_player, interrupt: &interrupt };
    let (mut reviewed, mut tables) = (Vec::new(), Vec::new());
    let all = cases(&sources);
    // By default the time that this takes does not grow with the number of games.
    let worst = if args.playouts.is_some() { args.worst } else { args.worst.min(WORST / all.len().max(1)) };
    let wanted = Games { playouts: args.playouts.unwrap_or(PAIRS), worst, luck: args.luck, jobs };
    for &(name, number, game, untold) in &all {
        let measured = matches!(args.taps, Some(Taps::Auto)).then(|| TapSpeed::of(&game.path, game.region()));
        let speed = measured.and_then(Result::ok);
        let limits =
            speed.map_or_else(|| given.in_region(game.region()), |speed| Limits::new(speed.presses()));
        // A speed that the player does not take is refused before it takes long.
        let playing = within(limits)?;
        let Some(mut judged) = judges.judge(game, limits, detail) else { break };
        // Forecasts alone: no games are played on at other speeds.
        let speeds = if args.speeds { judges.at_speeds(game, limits, &judged) } else { Vec::new() };
        answer(&what_was_read((name, number, game, untold), judged.len(), limits, measured))?;
        // Weights take memory and time, so only those are read that are needed.
        let playouts = wanted.luck.map(|_| playing.playouts().with_context(expected)).transpose()?;
        let analyst = if wanted.plays_on() { plays_on(args, limits, as_player)? } else { None };
        let mut further =
            PlayedFurther::of(game, &mut judged, (playouts.as_ref(), analyst.as_ref()), wanted)?;
        answer(&text(&judged, &speeds, (&as_player.name, limits), args.worst))?;
        if as_me {
            further.as_you = as_you(args, (name, number, game), &judged, limits, jobs)?;
            if let Some(you) = &further.as_you {
                answer(&you.text(&player.name))?;
            }
        }
        let told = further.text(&judged);
        if !told.is_empty() {
            answer(&told)?;
        }
        let of = Reviewed::new(name, number, &player.name, limits, game, &judged);
        let level = judged.first().map_or(0, |judged| judged.placed.progress.level);
        let forecast = Forecaster::of(&as_player.name, level, game.region().into(), limits);
        reviewed
            .push(Written { reviewed: Reviewed { speeds, forecast, measured_taps: speed, ..of }, further });
        tables.push(judged);
        if interrupt.load(Ordering::Relaxed) {
            break;
        }
    }
    if reviewed.len() == all.len() && tables.iter().all(Vec::is_empty) {
        bail!("no placement could be judged, expected at least one where the piece can rest");
    }
    write_files(args, &reviewed, &tables)?;
    if reviewed.len() < all.len() {
        let (finished, all) = (words::number(reviewed.len() as u64), count(all.len() as u64, "game"));
        say!("interrupted after {finished} of {all}");
    } else if interrupt.load(Ordering::Relaxed) {
        say!("interrupted: what was asked of the last game is not complete");
    }
    let stopped = interrupt.load(Ordering::Relaxed);
    Ok(if stopped { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Fails if a game of these sources cannot be played with the taps that were given.
fn check_taps(args: &Args, sources: &[ReadSource]) -> anyhow::Result<()> {
    let Some(Taps::Given(taps)) = args.taps else { return Ok(()) };
    for (name, games, _) in sources {
        for game in games {
            taps_in(&format!("--taps for {name}"), taps, game.region())?;
        }
    }
    Ok(())
}

/// A source's name, its games, and whether it does not tell their version, as videos and recordings do not.
type ReadSource = (String, Vec<PlayedGame>, bool);

/// A game to review: its source, its number there, and whether the source does not tell its version.
type Case<'a> = (&'a str, usize, &'a PlayedGame, bool);

/// The games of all sources.
fn cases(sources: &[ReadSource]) -> Vec<Case<'_>> {
    let mut all = Vec::new();
    for (name, games, untold) in sources {
        all.extend((1..).zip(games).map(|(number, game)| (name.as_str(), number, game, *untold)));
    }
    all
}

/// Who plays games on within these limits; `None` if that player does not take them.
fn fast(args: &Args, limits: Limits) -> anyhow::Result<Option<Entry>> {
    Ok(args.aggression.give_to(maxout_gallery::find(PLAYS_ON)?.clone())?.with_limits(limits))
}

/// Who plays on as whoever played does, within these limits.
fn fast_as_you(args: &Args, limits: Limits) -> anyhow::Result<Entry> {
    fast(args, limits)?.with_context(|| {
        let taps = limits.presses.name(Region::Ntsc);
        format!("--as me: {PLAYS_ON} does not take {taps}, expected taps such as 30hz, or das")
    })
}

/// What comes if whoever played the game plays on; none after an interrupt, or if it is too short.
fn as_you(
    args: &Args,
    (name, number, game): (&str, usize, &PlayedGame),
    judged: &[JudgedPiece],
    limits: Limits,
    jobs: usize,
) -> anyhow::Result<Option<AsYou>> {
    let fast = fast_as_you(args, limits)?;
    let both = fast.playouts().zip(fast.analyst(Foresight::DEFAULT));
    let (playouts, analyst) = both.with_context(|| format!("--as me: {PLAYS_ON} has no learned value"))?;
    let name = format!("{name}, game {number}");
    AsYou::of((&name, game, judged), (&playouts, &analyst), limits.presses.name(game.region()), jobs)
}

/// Who plays games on from placements, within these limits. By default `None` if that player does not take them, which is refused if
/// `--playouts` was asked for.
fn plays_on(args: &Args, limits: Limits, as_player: &Entry) -> anyhow::Result<Option<Analyst>> {
    let analyst = fast(args, limits)?.and_then(|fast| fast.analyst(Foresight::DEFAULT));
    if args.playouts.is_some() && analyst.is_none() {
        bail!("--playouts: {PLAYS_ON} does not take these taps, expected others, or --playouts 0");
    }
    Ok(analyst.map(|analyst| analyst.forecasting(as_player)))
}

/// The library for games that are read, if they are kept. One that cannot be changed is refused.
fn library_to_keep(args: &Args) -> anyhow::Result<Option<Library>> {
    if !args.keep {
        return Ok(None);
    }
    Ok(Some(Library::open_or_create(&args.library.folder()?)?))
}

/// Writes and keeps the games of videos and recordings, if that was asked for.
fn keep(args: &Args, sources: &[ReadSource], library: Option<Library>) -> anyhow::Result<()> {
    if library.is_none() && args.champs.champs.is_none() {
        return Ok(());
    }
    // A reader tells games in one stream apart by their numbers.
    let (mut recordings, mut read_runs, mut number) = (Vec::new(), Vec::new(), 1);
    for (source, (_, games, _)) in args.games.iter().zip(sources) {
        let host = match Source::of(source, SOURCES)? {
            Source::Video => HostKind::Video,
            Source::Recording => HostKind::Recording,
            Source::Run | Source::Movie(_) => continue,
        };
        for game in games.iter().filter(|game| !game.pieces.is_empty()) {
            let (bytes, next) = recording(game, number);
            recordings.push(bytes);
            number = next;
            if library.is_some() {
                read_runs.push(ReadRun::new(game, host, source));
            }
        }
    }
    if recordings.is_empty() {
        let none = "no placement was read, so nothing";
        if let Some(file) = &args.champs.champs {
            log::warn!("--champs {}: {none} is written", file.display());
        }
        if library.is_some() {
            log::warn!("--keep: {none} is kept");
        }
        return Ok(());
    }
    args.champs.write(&recordings, &args.games)?;
    if let Some(mut library) = library {
        for run in &read_runs {
            answer(&match library.take_read(run)? {
                Taken::Kept(id) => format!("run {id}: {}", short_text(run.record())),
                Taken::Known(id) => format!("the library has it as run {id}: {}", short_text(run.record())),
            })?;
        }
    }
    Ok(())
}

/// Refuses what is no game, and flags that say nothing of the games that are there.
fn check_kinds(args: &Args) -> anyhow::Result<()> {
    let kinds =
        args.games.iter().map(|source| Source::of(source, SOURCES)).collect::<anyhow::Result<Vec<_>>>()?;
    let has_movie = kinds.iter().any(|kind| matches!(kind, Source::Movie(_)));
    let has_read = kinds.iter().any(|kind| matches!(kind, Source::Video | Source::Recording));
    let idle = [
        (args.champs.champs.as_ref().map(|_| "--champs"), has_read, "videos and recordings"),
        (args.keep.then_some("--keep"), has_read, "videos and recordings"),
        (args.video.flag(), kinds.contains(&Source::Video), "videos"),
        (args.video.start_level.map(|_| "--start-level"), has_read, "videos and recordings"),
        (args.cartridge.rom.as_ref().map(|_| "--rom"), has_movie, "movies"),
    ];
    for (flag, has_one, kind) in idle {
        if let (Some(flag), false) = (flag, has_one) {
            bail!("{flag}: only for {kind}, expected one among the games");
        }
    }
    Ok(())
}

/// Writes the files that were asked for.
fn write_files(args: &Args, reviewed: &[Written], tables: &[Vec<JudgedPiece>]) -> anyhow::Result<()> {
    // A game without placements has no level, and nothing to show.
    let shown: Vec<&Written> =
        reviewed.iter().filter(|written| !written.reviewed.placements.is_empty()).collect();
    let Some(forecast) = shown.first().map(|written| written.reviewed.forecast.clone()) else {
        return Ok(());
    };
    if let Some(file) = &args.json {
        write_json("--json", file, &reviewed)?;
    }
    if let Some(file) = &args.csv {
        let with_measured: Vec<_> = tables
            .iter()
            .zip(reviewed)
            .map(|(table, written)| (table.as_slice(), written.further.measured.as_slice()))
            .collect();
        write("--csv", file, &csv(&with_measured)?)?;
    }
    if let Some(file) = &args.html {
        write("--html", file, html::review_page(&shown, forecast.clone())?.as_bytes())?;
    }
    if let Some(file) = &args.puzzles {
        let games: Vec<&Reviewed> = reviewed.iter().map(|written| &written.reviewed).collect();
        let puzzles = Puzzle::worst(&games, tables, args.worst);
        if puzzles.is_empty() {
            log::warn!(
                "--puzzles {}: no placement lost anything, so there is nothing to try",
                file.display()
            );
        }
        write("--puzzles", file, html::puzzle_page(&puzzles, forecast)?.as_bytes())?;
    }
    Ok(())
}

/// The games of a source, at least one, and whether it does not tell their version; none if the reading was interrupted.
fn read(args: &Args, source: &Path) -> anyhow::Result<Option<(Vec<PlayedGame>, bool)>> {
    let Some((games, untold)) = games_of(args, source)? else { return Ok(None) };
    if games.iter().all(|game| game.pieces.is_empty()) {
        let reasons: Vec<String> =
            games.iter().flat_map(|game| &game.unread).map(Unread::to_string).collect();
        let why = if reasons.is_empty() { String::new() } else { format!("; {}", reasons.join("; ")) };
        let is_untold = Source::of(source, SOURCES)? == Source::Recording && args.video.start_level.is_none();
        let hint =
            if is_untold && !why.is_empty() { "; if its frames tell no level: --start-level" } else { "" };
        bail!("{}: has no placement of an A-type game, expected at least one{why}{hint}", source.display());
    }
    Ok(Some((games, untold)))
}

/// As [`read`], but an empty list is no error.
fn games_of(args: &Args, source: &Path) -> anyhow::Result<Option<(Vec<PlayedGame>, bool)>> {
    let name = || source.display().to_string();
    match Source::of(source, SOURCES)? {
        Source::Run => {}
        Source::Movie(format) => return Ok(of_movie(args, source, format)?.map(|games| (games, false))),
        Source::Video => return Ok(args.video.read(source)?.map(|games| (games, true))),
        Source::Recording => {
            let bytes = files::read(source, frames::MAX_BYTES).with_context(name)?;
            let level = args.video.start_level;
            let games = of_frames(frames::Frames::new(&*bytes), level).with_context(name)?;
            for (number, game) in (1..).zip(&games) {
                let told = game.pieces.first().map(|first| first.progress.level);
                if let (Some(told), Some(level)) = (told, level)
                    && told != level
                {
                    log::warn!(
                        "{}, game {number}: begins on level {told}, which counts, not --start-level {level}",
                        name()
                    );
                }
            }
            return Ok(Some((games, true)));
        }
    }
    if let Some((record, note, frames)) = open_read(source.as_os_str(), args.library.dir()?)? {
        let played_by = Some(record.player);
        let games = games(&frames, &note).with_context(name)?.into_iter();
        let games = games.map(|game| PlayedGame { played_by: played_by.clone(), ..game }).collect();
        // It was read from a video or a recording.
        return Ok(Some((games, true)));
    }
    let (record, log) = open_run(source.as_os_str(), args.library.dir()?)?;
    let timeline = timeline(&record, &log).with_context(name)?;
    let game = of_timeline(&timeline, record.region());
    Ok(Some((vec![PlayedGame { played_by: Some(record.player), ..game }], false)))
}

/// Plays a movie, and looks on.
fn of_movie(args: &Args, source: &Path, format: MovieFormat) -> anyhow::Result<Option<Vec<PlayedGame>>> {
    let (movie, mut inserted) = cartridge::insert_for(source, format, &args.cartridge)?;
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(movie.frames.len() as u64, "frames");
    let (mut tape, mut camera) = (Tape::default(), Camera::of(inserted.console.region()));
    for (number, &frame) in (0..).zip(&movie.frames) {
        match tape.play(&mut inserted.console, frame)? {
            Turn::Ran => camera.see(number, &inserted.console.snapshot()),
            Turn::Reset => camera.reset(),
            Turn::Skipped => {}
        }
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        bar.inc(1);
    }
    bar.finish();
    Ok(Some(camera.finish()))
}

/// Who judges, and how.
struct Judges<'a> {
    args: &'a Args,
    player: &'a Entry,
    as_player: &'a Entry,
    interrupt: &'a AtomicBool,
}

impl Judges<'_> {
    /// Judges a game by what these limits allow; none if interrupted. The player can be asked for them.
    fn judge(&self, game: &PlayedGame, limits: Limits, detail: ReviewDetail) -> Option<Vec<JudgedPiece>> {
        let foresight = Foresight { nodes: self.args.nodes, ..Foresight::DEFAULT };
        let analyst = self.player.with_limits(limits).and_then(|entry| entry.analyst(foresight));
        let Some(analyst) = analyst else { return Some(Vec::new()) };
        let analyst = analyst.forecasting(self.as_player);
        let jobs = self.args.jobs.map_or_else(cores, usize::from);
        let bar = Progress::new(game.pieces.len() as u64, "placements");
        let broken_off = AtomicBool::new(false);
        // It is asked before each placement.
        let go_on = || {
            let stop = self.interrupt.load(Ordering::Relaxed);
            if stop {
                broken_off.store(true, Ordering::Relaxed);
            } else {
                bar.inc(1);
            }
            !stop
        };
        let judged = judge_while(game, &analyst, detail, jobs, &go_on);
        bar.finish();
        (!broken_off.load(Ordering::Relaxed)).then_some(judged)
    }

    /// The same game at the speeds that people tap at, as far as it is judged when there is an interrupt; `known` is the
    /// judgement within `limits`.
    fn at_speeds(&self, game: &PlayedGame, limits: Limits, known: &[JudgedPiece]) -> Vec<AtSpeed> {
        let tables = [TapTable::HZ_10, TapTable::HZ_12, TapTable::HZ_15, TapTable::HZ_20, TapTable::HZ_30];
        let mut speeds = Vec::new();
        for table in tables {
            let at = Limits::taps(table).in_region(game.region());
            let judged = if limits == at {
                Cow::Borrowed(known)
            } else {
                let judged = self.judge(game, at, ReviewDetail::Losses);
                let Some(judged) = judged else { break };
                Cow::Owned(judged)
            };
            speeds.extend(at_speed(at.presses.name(game.region()), &judged));
        }
        speeds
    }
}

/// What a game comes to that is judged at this tap speed.
fn at_speed(taps: String, judged: &[JudgedPiece]) -> Option<AtSpeed> {
    let whole = sums(judged).into_iter().find(|sum| sum.phase == GamePhase::All)?;
    let is_mistake =
        |judged: &&JudgedPiece| matches!(judged.judgement.class, MoveClass::Mistake | MoveClass::Blunder);
    Some(AtSpeed {
        taps,
        accuracy: whole.accuracy,
        lost: whole.lost,
        mistakes: judged.iter().filter(is_mistake).count(),
        beyond: judged.iter().filter(|judged| !judged.judgement.within_limits).count(),
    })
}

/// What was read of a game, of which `judged` placements could be judged within `limits`.
fn what_was_read(
    (source, number, game, untold): Case<'_>,
    judged: usize,
    limits: Limits,
    measured: Option<Result<TapSpeed, usize>>,
) -> String {
    let run = if source.bytes().all(|byte| byte.is_ascii_digit()) { "run " } else { "" };
    let mut text = format!("{run}{source}, game {number}: {}", count(game.pieces.len() as u64, "placement"));
    let left_out = game.pieces.len() - judged;
    if left_out > 0 {
        text +=
            &format!(", {left_out} of them neither judged nor numbered, since the piece cannot rest there");
    }
    if untold {
        text += "\nthe version of the game is not told: it counts as NTSC";
    }
    for unread in &game.unread {
        text += &format!("\n{unread}");
    }
    let judged_by = limits.presses.name(game.region());
    match measured {
        Some(Ok(speed)) => text += &format!("\ntaps measured: {speed}; judged by {judged_by}"),
        Some(Err(bursts)) => {
            let bursts = count(bursts as u64, "burst");
            text += &format!(
                "\ntaps not measured: {bursts} of {SHIFTS} shifts or more were seen, expected {BURSTS}; judged by {judged_by}"
            );
        }
        None => {}
    }
    text
}

/// What there is to say of a game that was judged.
fn text(judged: &[JudgedPiece], speeds: &[AtSpeed], by: (&str, Limits), worst: usize) -> String {
    let mut text = told(judged, &sums(judged), by, worst);
    if judged.is_empty() {
        return text;
    }
    let missed = judged.iter().filter(|judged| judged.missed_tetris()).count();
    text += &format!("\nmissed tetrises: {missed}");
    let missed = judged.iter().filter(|judged| judged.missed_adjustment).count();
    text += &format!("\nmissed adjustments to the next piece: {missed}");
    let misdrops = judged.iter().filter(|judged| judged.misdrop.is_some()).count();
    text += &format!("\nprobable misdrops: {misdrops}");
    if !speeds.is_empty() {
        text += "\ntaps            accuracy  points lost  mistakes and blunders  too fast for these taps";
    }
    for AtSpeed { taps, accuracy, lost, mistakes, beyond } in speeds {
        let lost = words::decimal((*lost).into(), 0);
        text += &format!("\n{taps:<14} {accuracy:>6.1} %  {lost:>11}  {mistakes:>21}  {beyond:>23}");
    }
    if !speeds.is_empty() {
        text += "\nEach line compares the game with the best that these taps can reach, by forecasts alone.";
    }
    text
}
