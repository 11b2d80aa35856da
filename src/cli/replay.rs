//! `maxout replay`: a recorded run or a movie again, from its button log alone; and out as a movie.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::Ordering;

use anyhow::{Context, bail};

use super::library::LibraryArgs;
use super::output::{Outputs, answer, write, write_json};
use super::pictures::PictureArgs;
use super::progress::Progress;
use super::report_page;
use super::{INTERRUPTED, NO, cartridge, interrupt};
use crate::host::Console;
use crate::record::movie::{self, Format, Frame, LEAD, Movie, Tape, Turn};
use crate::record::page::{Options, PageRun};
use crate::record::pictures::Pictures;
use crate::record::replay::{Ending, Replay};
use crate::record::run::Record;
use crate::record::{bk2, fm2, open_run};
use crate::words::{self, count};

/// `maxout replay`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Number of a run in the library, folder of a run (or its run.json), or a movie (.fm2, .bk2)
    #[arg(value_name = "RUN|MOVIE")]
    run: PathBuf,
    #[command(flatten)]
    library: LibraryArgs,
    #[command(flatten)]
    cartridge: cartridge::CartridgeArgs,
    #[command(flatten)]
    pictures: PictureArgs,
    /// Write a page that shows the run to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    exports: Exports,
}

/// Where to write what was replayed.
#[derive(clap::Args)]
struct Exports {
    /// Write it as an FCEUX movie
    #[arg(long, value_name = "FILE")]
    fm2: Option<PathBuf>,
    /// Write it as a `BizHawk` movie
    #[arg(long, value_name = "FILE")]
    bk2: Option<PathBuf>,
    /// Write every frame of play as a `NestrisChamps` binary frame
    #[arg(long, value_name = "FILE")]
    champs: Option<PathBuf>,
    /// Write the games found and the final state as JSON
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Exports {
    fn files(&self) -> impl Iterator<Item = (&'static str, Option<&Path>)> {
        let Self { fm2, bk2, champs, json } = self;
        let files = [("--fm2", fm2), ("--bk2", bk2), ("--champs", champs), ("--json", json)];
        files.into_iter().map(|(flag, file)| (flag, file.as_deref()))
    }

    fn write(&self, movie: &Movie, ending: &Ending, champs: Option<&[u8]>) -> anyhow::Result<()> {
        if let Some(file) = &self.fm2 {
            write("--fm2", file, fm2::write(movie).as_bytes())?;
        }
        if let Some(file) = &self.bk2 {
            write("--bk2", file, &bk2::write(movie)?)?;
        }
        if let (Some(file), Some(bytes)) = (&self.champs, champs) {
            write("--champs", file, bytes)?;
        }
        if let Some(file) = &self.json {
            write_json("--json", file, ending)?;
        }
        Ok(())
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let html = [("--html", args.html.as_deref())];
    Outputs::check(args.pictures.files().chain(args.exports.files()).chain(html))?;
    match Format::of(&args.run).filter(|_| !args.run.is_dir()) {
        Some(format) => replay_movie(args, format),
        None => replay_run(args),
    }
}

fn replay_run(args: &Args) -> anyhow::Result<ExitCode> {
    let (record, log) = open_run(args.run.as_os_str(), args.library.runs.as_deref())?;
    if record.menu_frames == 0 {
        bail!(
            "{}: seed {} began on the model, not at power-on; only runs of power-on seeds can be replayed",
            args.run.display(),
            record.seed
        );
    }
    let mut inserted = cartridge::insert(args.cartridge.rom.as_deref(), args.cartridge.allow_unknown)?;
    if let Some(sha1) = &record.rom.sha1
        && *sha1 != inserted.identity.sha1
    {
        bail!(
            "{}: recorded on {:?} ({sha1}), the cartridge is {:?} ({})",
            args.run.display(),
            record.rom.name,
            inserted.identity.name,
            inserted.identity.sha1
        );
    }
    // Before the replay: a run that cannot be drawn need not be played first.
    let page = match &args.html {
        Some(_) => {
            Some(PageRun::new(record.clone(), log.clone()).with_context(|| args.run.display().to_string())?)
        }
        None => None,
    };
    let pictures = Pictures::new(&args.pictures.options(), &record, &log)
        .with_context(|| args.run.display().to_string())?;
    let movie = Movie::of_run(&record, &log, &inserted.identity);
    // Frames of the log count from 0 at power-on; pictures from 1 at the first frame of control, as in `play`.
    let number = |index: usize| index.saturating_sub(LEAD) as u64;
    let picture = |index: usize| (number(index) + 1).saturating_sub(record.menu_frames);
    let console = &mut inserted.console;
    let Some((ending, champs)) = screen(args, pictures, console, &movie.frames, &number, &picture)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let (verdict, same) = compare(&record, &ending);
    answer(&format!(
        "replayed {}: score {}, {}, level {}; {verdict}",
        count(ending.frames, "frame"),
        words::number(ending.shown_score),
        count(ending.lines, "line"),
        ending.level
    ))?;
    if let (Some(file), Some(page)) = (&args.html, page) {
        report_page::write("--html", file, &[page], &Options::default())?;
    }
    if !same {
        // A movie of something else than the record says would mislead: none is written.
        return Ok(ExitCode::from(NO));
    }
    args.exports.write(&movie, &ending, champs.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// What to say of a replayed run, and whether it is what was recorded.
fn compare(record: &Record, end: &Ending) -> (&'static str, bool) {
    let same_score =
        end.shown_score == record.shown_score && end.lines == record.lines && end.level == record.level;
    let same_ram = record.ram_crc32.as_ref().is_none_or(|want| *want == end.ram_crc32);
    let verdict = match (same_score, same_ram, &record.ram_crc32) {
        (true, true, Some(_)) => "the same score and the same RAM as recorded",
        (true, true, None) => "the same score as recorded on the model",
        (true, false, _) => "the same score, but RAM differs from the record",
        (false, ..) => "the score differs from the record",
    };
    (verdict, same_score && same_ram)
}

fn replay_movie(args: &Args, format: Format) -> anyhow::Result<ExitCode> {
    let name = args.run.display();
    if args.html.is_some() {
        bail!("--html: {name} is a movie, expected a recorded run");
    }
    let movie = movie::load(&args.run, format).with_context(|| name.to_string())?;
    let mut inserted = cartridge::insert(args.cartridge.rom.as_deref(), args.cartridge.allow_unknown)?;
    if movie.is_foreign_to(&inserted.identity) {
        log::warn!(
            "{name}: made on another cartridge image ({:?}) than {:?}; it may not play as it did",
            movie.rom_name,
            inserted.identity.name
        );
    }
    let pictures = Pictures::of_movie(&args.pictures.options(), movie.frames.len() as u64)
        .with_context(|| name.to_string())?;
    let number = |index: usize| index as u64;
    let console = &mut inserted.console;
    let Some((ending, champs)) = screen(args, pictures, console, &movie.frames, &number, &number)? else {
        return Ok(ExitCode::from(INTERRUPTED));
    };
    let games = match ending.games.len() {
        0 => "no game".to_owned(),
        n => count(n as u64, "game"),
    };
    let mut text = format!("{name}: {}, {games}", count(movie.frames.len() as u64, "record"));
    for (number, game) in (1..).zip(&ending.games) {
        text += &format!("\ngame {number}: {game}");
    }
    answer(&text)?;
    args.exports.write(&movie.on(&inserted.identity), &ending, champs.as_deref())?;
    Ok(ExitCode::SUCCESS)
}

/// What a replay came to, and the frames for score displays if they are wanted.
type Screened = (Ending, Option<Vec<u8>>);

/// Plays records on the console; none if it was interrupted. `number` is how a record is called, `picture` how
/// its picture is; pictures below 1 are none.
fn screen(
    args: &Args,
    mut pictures: Pictures,
    console: &mut Console,
    records: &[Frame],
    number: &dyn Fn(usize) -> u64,
    picture: &dyn Fn(usize) -> u64,
) -> anyhow::Result<Option<Screened>> {
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(records.len() as u64, "frames");
    let mut tape = Tape::default();
    let mut replay = Replay::new(args.exports.champs.is_some());
    for (index, &frame) in records.iter().enumerate() {
        match tape.play(console, frame)? {
            Turn::Ran => replay.see(number(index), console),
            Turn::Reset => replay.reset(),
            Turn::Skipped => {}
        }
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let shown = picture(index);
        if shown > 0 {
            pictures.frame(shown, console)?;
        }
        bar.inc(1);
    }
    bar.finish();
    pictures.finish()?;
    Ok(Some(replay.finish(console)))
}
