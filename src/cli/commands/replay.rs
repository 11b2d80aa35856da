//! `maxout replay`: a recorded run or a movie again, from its button log alone; and out as a movie. Of frames for score
//! displays it says what they show.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::cli::args::{
    cartridge::{self, RomArgs},
    champs,
    champs::ChampsArgs,
    library::LibraryArgs,
    pictures::{PictureArgs, told},
    source::{self, Source},
    values::whole,
};
use crate::cli::commands::report;
use crate::cli::exit::{INTERRUPTED, NO};
use crate::cli::interrupt;
use crate::cli::output::progress::Progress;
use crate::cli::output::{Outputs, answer, write, write_json};
use crate::export::html::{PageOptions, PageRun};
use crate::export::pictures::{Pictures, Written};
use crate::library::open_run;
use crate::library::verify::on_another;
use crate::movie::games::{End, RecordedGame};
use crate::movie::replay::{Ending, Replay};
use crate::words::{self, count};
use maxout_host::Console;
use maxout_host::tape::{Tape, Turn};
use maxout_record::movie::{MAX_FRAMES, Movie, MovieFormat, MovieFrame, WARM_UP_LEAD};
use maxout_record::run::Record;
use maxout_rules::Seed;

/// `maxout replay`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Number of a run in the library, folder of a run (or its run.json), a movie (.fm2, .fm3, .bk2, .tasproj), or frames for score
    /// displays (.ngf, .ngf.gz)
    #[arg(value_name = "RUN|MOVIE")]
    run: PathBuf,
    /// After a movie's last record, play on without buttons until the game has ended, for at most N frames
    /// [default: 3000]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..=MAX_FRAMES as u64))]
    after: Option<u64>,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    cartridge: RomArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Write a page that shows the run to this file
    #[arg(long, value_name = "FILE", help_heading = "Movies, pages and data")]
    html: Option<PathBuf>,
    #[command(flatten)]
    exports: Exports,
}

/// What the command takes.
const SOURCES: &str =
    "the number of a run, its folder, a movie (.fm2, .fm3, .bk2, .tasproj) or a recording (.ngf, .ngf.gz)";

/// Frames that are played on after a movie's last record unless `--after` says how many.
pub(crate) const AFTER: u64 = 3_000;

/// Where to write what was replayed.
#[derive(clap::Args)]
#[command(next_help_heading = "Movies, pages and data")]
struct Exports {
    /// Write a movie; the file's ending decides the format: .fm2 for FCEUX or .bk2 for `BizHawk`. May be given several times
    #[arg(long, value_name = "FILE")]
    movie: Vec<MovieFile>,
    #[command(flatten)]
    champs: ChampsArgs,
    /// Write the games found and the final state as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// A file for a movie.
#[derive(Clone, Debug)]
struct MovieFile {
    format: MovieFormat,
    file: PathBuf,
}

impl FromStr for MovieFile {
    type Err = &'static str;

    /// The end of the name says which format it is; a name without one, as that of stdout, is of an FM2.
    fn from_str(name: &str) -> Result<Self, Self::Err> {
        let file = PathBuf::from(name);
        let ending = file.extension().map(|ending| ending.to_string_lossy().to_lowercase());
        let format = match ending.as_deref() {
            None | Some("fm2") => MovieFormat::Fm2,
            Some("bk2") => MovieFormat::Bk2,
            Some(_) => return Err("expected a name that ends in .fm2 or .bk2"),
        };
        Ok(Self { format, file })
    }
}

impl Exports {
    fn files(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let Self { movie, champs, json } = self;
        let movies = movie.iter().map(|movie| ("--movie", Some(movie.file.as_path())));
        movies.chain([("--champs", champs.champs.as_deref()), ("--json", json.as_deref())])
    }

    fn write(
        &self,
        movie: &Movie,
        ending: &impl Serialize,
        champs: &[Vec<u8>],
        input: &Path,
    ) -> anyhow::Result<()> {
        for MovieFile { format, file } in &self.movie {
            write("--movie", file, &format.write(movie)?)?;
        }
        self.champs.write(champs, &[input.to_owned()])?;
        if let Some(file) = &self.json {
            write_json("--json", file, ending)?;
        }
        Ok(())
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let html = [("--html", args.html.as_deref())];
    let mut outputs = Outputs::check(args.pictures.files().chain(args.exports.files()).chain(html))?
        .apart_from([&args.run].into_iter().chain(&args.cartridge.rom).chain(&args.library.folder().ok()))?;
    args.pictures.check(&mut outputs)?;
    match Source::of(&args.run, SOURCES)? {
        Source::Run => replay_run(args),
        Source::Movie(format) => replay_movie(args, format),
        Source::Recording => show_champs(args),
        Source::Video => {
            let name = args.run.display().to_string();
            bail!("{name}: {}, expected {SOURCES}; {}", source::VIDEO, source::review(&name))
        }
    }
}

/// Frames for score displays tell what was seen, not what was pressed.
fn show_champs(args: &Args) -> anyhow::Result<ExitCode> {
    let name = args.run.display();
    let others = args.pictures.files().chain(args.exports.files()).chain([("--html", args.html.as_deref())]);
    let flags = others.filter(|(flag, _)| *flag != "--json").filter_map(|(flag, file)| file.map(|_| flag));
    let rom = args.cartridge.rom.as_ref().map(|_| "a cartridge image");
    if let Some(what) = flags
        .chain(args.pictures.folder().map(|_| "--png"))
        .chain(rom)
        .chain(args.after.map(|_| "--after"))
        .next()
    {
        bail!("{what}: {name} holds frames for score displays and no buttons, expected a run or a movie");
    }
    champs::show(&args.run, args.exports.json.as_deref())
}

fn replay_run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.after.is_some() {
        bail!("--after: {} is a recorded run, expected a movie", args.run.display());
    }
    let (record, log) = open_run(args.run.as_os_str(), args.library.dir()?)?;
    if record.menu_frames == 0 {
        bail!(
            "{}: seed {} began on the model, not at power-on; only runs of power-on seeds can be replayed",
            args.run.display(),
            Seed::name(record.seed)
        );
    }
    let mut inserted =
        cartridge::insert(args.cartridge.rom.as_deref(), args.cartridge.unknown.allow_unknown)?;
    if let Some(sha1) = &record.rom.sha1
        && *sha1 != inserted.identity.sha1
    {
        let inserted = format!("{:?}", inserted.identity.name);
        bail!("{}: {}", args.run.display(), on_another(&record.rom.name, sha1, &inserted));
    }
    if record.region() != inserted.identity.region {
        bail!(
            "{}: a game of the {} version, expected --rom with a cartridge image of that version, not {:?}",
            args.run.display(),
            record.region().name(),
            inserted.identity.name
        );
    }
    // Before the replay: a run that cannot be drawn need not be played first.
    let page = match &args.html {
        Some(_) => {
            Some(PageRun::new(record.clone(), log.clone()).with_context(|| args.run.display().to_string())?)
        }
        None => None,
    };
    let interrupt = interrupt::flag()?;
    let pictures = match Pictures::new(&args.pictures.options(), &record, &log, &interrupt) {
        Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(ExitCode::from(INTERRUPTED)),
        pictures => pictures.with_context(|| args.run.display().to_string())?,
    };
    let movie = Movie::of_game(&record.credits(), log.frames().iter().copied(), &inserted.identity);
    // Frames of the log count from 0 at power-on; pictures from 1 at the first frame of control, as in `play`.
    let number = |index: usize| index.saturating_sub(WARM_UP_LEAD) as u64;
    let picture = |index: usize| (number(index) + 1).saturating_sub(record.menu_frames);
    let console = &mut inserted.console;
    let Some(screened) = screen(args, pictures, console, &movie.frames, 0, &number, &picture)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let Screened { ending, champs, written } = screened;
    let (verdict, same) = compare(&record, &ending);
    answer(&format!(
        "replayed {}: score {}, {}, level {}; {verdict}",
        count(ending.frames, "frame"),
        words::number(ending.shown_score),
        count(ending.lines, "line"),
        ending.level
    ))?;
    written.iter().try_for_each(|written| answer(&told(written)))?;
    if let (Some(file), Some(page)) = (&args.html, page) {
        report::write("--html", file, &[page], &PageOptions::default())?;
    }
    if !same {
        // A movie of something else than the record says would mislead: none is written.
        return Ok(ExitCode::from(NO));
    }
    args.exports.write(&movie, &ending, &champs, &args.run)?;
    Ok(ExitCode::SUCCESS)
}

/// What to say of a replayed run, and whether it is what was recorded.
fn compare(record: &Record, end: &Ending) -> (&'static str, bool) {
    let same_score = end.shown_score == record.result.shown_score
        && end.lines == record.result.lines
        && end.level == record.result.level;
    let same_ram = record.ram_crc32.as_ref().is_none_or(|want| *want == end.ram_crc32);
    let verdict = match (same_score, same_ram, &record.ram_crc32) {
        (true, true, Some(_)) => "the same score and the same RAM as recorded",
        (true, true, None) => "the same score as recorded on the model",
        (true, false, _) => "the same score, but RAM differs from the record",
        (false, ..) => "the score differs from the record",
    };
    (verdict, same_score && same_ram)
}

fn replay_movie(args: &Args, format: MovieFormat) -> anyhow::Result<ExitCode> {
    let name = args.run.display();
    if args.html.is_some() {
        bail!("--html: {name} is a movie, expected a recorded run");
    }
    let (movie, mut inserted) = cartridge::insert_for(&args.run, format, &args.cartridge)?;
    let records = movie.frames.len() as u64;
    let after = args.after.unwrap_or(AFTER);
    let frames = records.saturating_sub(WARM_UP_LEAD as u64);
    let interrupt = interrupt::flag()?;
    let pictures = match Pictures::of_movie(&args.pictures.options(), frames, after, &interrupt) {
        Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(ExitCode::from(INTERRUPTED)),
        pictures => pictures.with_context(|| name.to_string())?,
    };
    let number = |index: usize| index as u64;
    let console = &mut inserted.console;
    let Some(screened) = screen(args, pictures, console, &movie.frames, after, &number, &number)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let Screened { ending, champs, written } = screened;
    let mut text = format!("{name}: {}", found(records, &ending.games));
    text += &played_on(records, ending.played_on, &ending.games);
    answer(&text)?;
    written.iter().try_for_each(|written| answer(&told(written)))?;
    let results = MovieEnding { records, ending: &ending };
    args.exports.write(&movie.on(&inserted.identity), &results, &champs, &args.run)?;
    Ok(ExitCode::SUCCESS)
}

/// What to say of a movie of this many records: its games.
pub(crate) fn found(records: u64, games: &[RecordedGame]) -> String {
    let number = if games.is_empty() { "no game".to_owned() } else { count(games.len() as u64, "game") };
    let mut text = format!("{}, {number}", count(records, "record"));
    for (number, game) in (1..).zip(games) {
        text += &format!("\ngame {number}: {game}");
    }
    text
}

/// What a movie came to. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
struct MovieEnding<'a> {
    /// Records; frames from this number on were played without buttons.
    records: u64,
    #[serde(flatten)]
    ending: &'a Ending,
}

/// What a replay came to.
struct Screened {
    ending: Ending,
    /// The frames for score displays of each game.
    champs: Vec<Vec<u8>>,
    /// The files of pictures.
    written: Vec<Written>,
}

/// What to say of the frames after the last record.
fn played_on(records: u64, frames: u64, games: &[RecordedGame]) -> String {
    let Some(game) = games.last().filter(|_| frames > 0) else { return String::new() };
    let how = match game.end {
        End::LogEnded => ", the game goes on (--after N: for more frames)",
        End::TopOut | End::Success | End::Reset => ", until the game ended",
    };
    format!(
        "\nafter the last record: {} without buttons, {} to {}{how}",
        count(frames, "frame"),
        records,
        records + frames - 1
    )
}

/// Plays records in the emulator, then at most `after` frames without buttons while a game is in progress; none if it
/// was interrupted. `number` is how a record is called, `picture` how its picture is; pictures count from 1.
fn screen(
    args: &Args,
    mut pictures: Pictures,
    console: &mut Console,
    records: &[MovieFrame],
    after: u64,
    number: &dyn Fn(usize) -> u64,
    picture: &dyn Fn(usize) -> u64,
) -> anyhow::Result<Option<Screened>> {
    let interrupt = interrupt::flag()?;
    let mut bar = Progress::new(records.len() as u64, "frames");
    if pictures.has_sound() {
        console.turn_up();
    }
    let mut tape = Tape::default();
    let mut replay = Replay::new(args.exports.champs.wanted());
    let mut index = 0;
    loop {
        if index == records.len() {
            replay.log_ends(console);
            if after > 0 {
                bar = Progress::new(after, "frames after the last record");
            }
        }
        let frame = match records.get(index) {
            Some(frame) => *frame,
            None if replay.is_running() && ((index - records.len()) as u64) < after => MovieFrame::default(),
            None => break,
        };
        match tape.play(console, frame)? {
            Turn::Ran => replay.see(number(index), console),
            Turn::Reset => replay.reset(),
            Turn::Skipped => {}
        }
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let shown = picture(index);
        if shown > 0
            && let Err(error) = pictures.frame(shown, console)
        {
            return if interrupt.load(Ordering::Relaxed) { Ok(None) } else { Err(error.into()) };
        }
        bar.inc(1);
        index += 1;
    }
    bar.finish();
    let written = match pictures.finish() {
        Err(_) if interrupt.load(Ordering::Relaxed) => return Ok(None),
        written => written?,
    };
    let (ending, champs) = replay.finish(console, number(index));
    Ok(Some(Screened { ending, champs, written }))
}
