//! `maxout-lab fuzz`: made-up buttons, on the model and on a cartridge; with `--readers` made-up files for all readers.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow, bail};

use crate::fuzz::readers::{self, Finding, READERS, Reader};
use crate::fuzz::{Duel, FuzzCounts, FuzzDifference, Stream};
use maxout::cli::args::cartridge::{self, CartridgeArgs, Inserted};
use maxout::cli::args::values::{seed, whole};
use maxout::cli::exit::{INTERRUPTED, NO};
use maxout::cli::interrupt;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{Outputs, answer};
use maxout::files;
use maxout::words::{count, number};
use maxout_engine::search::Foresight;
use maxout_host::Console;
use maxout_record::run::{MAX_LOG, log_from_text, log_to_text};
use maxout_rules::Stop;
use maxout_rules::input::InputLog;

/// Who plays where a stream is played: a quick player that clears lines.
const PLAYER: &str = "plateau17";

/// `maxout-lab fuzz`.
#[derive(clap::Args)]
pub struct Args {
    #[command(flatten)]
    cartridge: CartridgeArgs,
    /// Stop after this many seconds [default: 20, or none with --streams]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=1_000_000))]
    seconds: Option<u64>,
    /// Stop after this many streams
    #[arg(long, value_name = "K", value_parser = whole::<u64>(1..=1_000_000_000))]
    streams: Option<u64>,
    /// Frames of a stream, from power-on
    #[arg(long, value_name = "F", default_value_t = 3_000, value_parser = whole::<u64>(1..=6_000_000))]
    frames: u64,
    /// Seed of the first stream; the others follow
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = seed)]
    seed: u64,
    /// Where to write the buttons that lead to a difference [default: maxout-fuzz-SEED.txt]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Give all readers of files changed files instead: none may panic, take long or answer in more than a short line
    #[arg(long, conflicts_with_all = ["image", "rom", "allow_unknown", "streams", "frames", "replay"])]
    readers: bool,
    /// With --readers: changed files of each kind [default: 3000, or no limit with --seconds]
    #[arg(long, value_name = "N", requires = "readers", value_parser = whole(1..=1_000_000_000u64))]
    mutations: Option<u64>,
    /// Play the buttons of this file instead
    #[arg(long, value_name = "FILE", conflicts_with_all = ["seconds", "streams", "frames", "seed", "output"])]
    replay: Option<PathBuf>,
}

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if args.readers {
        return readers(args);
    }
    let mut inserted = cartridge::insert(args.cartridge.rom(), args.cartridge.other.unknown.allow_unknown)?;
    match &args.replay {
        Some(file) => replay(&mut inserted.console, file),
        None => fuzz(&mut inserted, args),
    }
}

fn fuzz(cartridge: &mut Inserted, args: &Args) -> anyhow::Result<ExitCode> {
    let Args { frames, seed, .. } = *args;
    Outputs::check([("--output", args.output.as_deref())])?;
    let interrupt = interrupt::flag()?;
    let progress = Watch::new(args);
    let (mut total, mut streams) = (FuzzCounts::default(), 0);
    while progress.go_on(&interrupt) && args.streams.is_none_or(|limit| streams < limit) {
        let seed = seed.wrapping_add(streams);
        let mind = maxout_gallery::find(PLAYER).map_err(|error| anyhow!(error))?;
        let mind = mind.make(Foresight::DEFAULT, Stop::TopOut);
        let mut duel = Duel::new(&mut cartridge.console)?;
        let found = duel.play(&mut Stream::new(seed, mind), frames, &mut || progress.go_on(&interrupt))?;
        total += duel.counts();
        streams += 1;
        if let Some(difference) = found {
            progress.bar.finish();
            let file = args.output.clone().unwrap_or_else(|| format!("maxout-fuzz-{seed}.txt").into());
            files::write(&file, log_to_text(duel.log()).as_bytes())
                .with_context(|| format!("--output {}", file.display()))
                .with_context(|| format!("{difference} (stream {seed})"))?;
            let again = format!("maxout-lab fuzz --replay {}", file.display());
            answer(&format!("stream {seed}: {difference}\nits buttons: {again}"))?;
            return Ok(ExitCode::from(NO));
        }
        progress.finished(streams, &total);
    }
    progress.bar.finish();
    let interrupted = interrupt.load(Ordering::Relaxed);
    if total.games == 0 && !interrupted {
        bail!(
            "{}: no game began in {}, expected one to compare with the rules",
            cartridge.file,
            count(total.frames, "frame")
        );
    }
    answer(&format!("{}: {}, no difference", count(streams, "stream"), describe(&total)))?;
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Goes round all readers, a hundred files each, until there were enough or time is up.
fn readers(args: &Args) -> anyhow::Result<ExitCode> {
    const TURN: u64 = 100;
    Outputs::check([("--output", args.output.as_deref())])?;
    let most = args.mutations.unwrap_or(if args.seconds.is_some() { u64::MAX } else { 3_000 });
    let limit = args.seconds.map(Duration::from_secs);
    let (begun, interrupt) = (Instant::now(), interrupt::flag()?);
    let go_on = || limit.is_none_or(|limit| begun.elapsed() < limit) && !interrupt.load(Ordering::Relaxed);
    let folder = tempfile::tempdir().context("a folder for temporary files")?;
    let bar = match (args.mutations, args.seconds) {
        (None, Some(seconds)) => Progress::new(seconds, "s"),
        _ => Progress::new(most.saturating_mul(READERS.len() as u64), "files"),
    };
    let by_time = args.mutations.is_none() && args.seconds.is_some();
    let seeds: Vec<_> = READERS.iter().map(Reader::seeds).collect();
    let mut counts = [readers::ReaderCounts::default(); READERS.len()];
    let mut first = 0;
    while first < most && go_on() {
        let turn = first..most.min(first.saturating_add(TURN));
        for ((reader, seeds), counts) in READERS.iter().zip(&seeds).zip(&mut counts) {
            for number in turn.clone().take_while(|_| go_on()) {
                let number = args.seed.wrapping_add(number);
                if let Err(finding) = reader.fuzz(seeds, number, folder.path(), counts) {
                    bar.finish();
                    return found(args, reader, &finding);
                }
                if by_time { bar.set(begun.elapsed().as_secs()) } else { bar.inc(1) }
            }
        }
        first = turn.end;
    }
    bar.finish();
    for (reader, counts) in READERS.iter().zip(&counts) {
        let readers::ReaderCounts { read, refused } = counts;
        let files = count(read + refused, "file");
        answer(&format!(
            "{:<20} {files:>12}, {} read, {} refused",
            reader.name,
            number(*read),
            number(*refused)
        ))?;
    }
    let interrupted = interrupt.load(Ordering::Relaxed);
    Ok(if interrupted { ExitCode::from(INTERRUPTED) } else { ExitCode::SUCCESS })
}

/// Keeps the file of a finding.
fn found(args: &Args, reader: &Reader, finding: &Finding) -> anyhow::Result<ExitCode> {
    let Finding { number, fault, file } = finding;
    let name = reader.name.replace(' ', "-");
    let path = args.output.clone().unwrap_or_else(|| format!("maxout-fuzz-{name}-{number}.bin").into());
    files::write(&path, file)
        .with_context(|| format!("--output {}", path.display()))
        .with_context(|| format!("{}: {fault} (file {number})", reader.name))?;
    answer(&format!("{}: {fault} with file {number}\nthe file: {}", reader.name, path.display()))?;
    Ok(ExitCode::from(NO))
}

fn replay(console: &mut Console, file: &Path) -> anyhow::Result<ExitCode> {
    let name = file.display();
    let text = files::read_text(file, MAX_LOG).with_context(|| name.to_string())?;
    let log: InputLog =
        log_from_text(&text).map_err(|(line, message)| anyhow!("{name}: line {line}: {message}"))?;
    let interrupt = interrupt::flag()?;
    let bar = Progress::new(log.len() as u64, "frames");
    let mut duel = Duel::new(console)?;
    let mut found: Option<FuzzDifference> = None;
    for &buttons in log.frames() {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        found = duel.step(buttons)?;
        if found.is_some() {
            break;
        }
        bar.inc(1);
    }
    bar.finish();
    let counts = describe(&duel.counts());
    match found {
        Some(difference) => answer(&format!("{difference}"))?,
        None => answer(&format!("{name}: {counts}, no difference"))?,
    }
    Ok(if found.is_some() { ExitCode::from(NO) } else { ExitCode::SUCCESS })
}

fn describe(counts: &FuzzCounts) -> String {
    let FuzzCounts { frames, compared, games, paused, locks, lines, topped_out, unknown } = counts;
    let mut text = format!(
        "{}, {} compared ({} paused), {} ({} topped out), {} locked, {}",
        count(*frames, "frame"),
        number(*compared),
        number(*paused),
        count(*games, "game"),
        number(*topped_out),
        count(*locks, "piece"),
        count(*lines, "line")
    );
    if *unknown > 0 {
        text +=
            &format!(", {} left out where more than four lines came from one lock", count(*unknown, "game"));
    }
    text
}

/// The bar, and when time is up.
struct Watch {
    bar: Progress,
    begun: Instant,
    limit: Option<Duration>,
}

impl Watch {
    fn new(args: &Args) -> Self {
        let seconds = match (args.seconds, args.streams) {
            (None, None) => Some(20),
            (seconds, _) => seconds,
        };
        let (length, unit) = match (args.streams, seconds) {
            (Some(streams), None) => (streams, "streams"),
            (_, seconds) => (seconds.unwrap_or_default(), "s"),
        };
        Self {
            bar: Progress::new(length, unit),
            begun: Instant::now(),
            limit: seconds.map(Duration::from_secs),
        }
    }

    fn go_on(&self, interrupt: &AtomicBool) -> bool {
        let in_time = self.limit.is_none_or(|limit| self.begun.elapsed() < limit);
        in_time && !interrupt.load(Ordering::Relaxed)
    }

    fn finished(&self, streams: u64, total: &FuzzCounts) {
        self.bar.set(if self.limit.is_some() { self.begun.elapsed().as_secs() } else { streams });
        self.bar.message(format!(
            "{}, {} compared",
            count(streams, "stream"),
            count(total.compared, "frame")
        ));
    }
}
