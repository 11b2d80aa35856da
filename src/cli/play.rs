//! `maxout play` and `maxout sim`: the same games on the console and on the model.

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::{Context, bail};

use super::cartridge::{self, CartridgeArgs};
use super::help::heading;
use super::output::{Outputs, answer, say};
use super::progress::Progress;
use super::results::Results;
use super::still::StillArgs;
use super::values::{seed, whole};
use super::weights::WeightArgs;
use super::{INTERRUPTED, cores, interrupt};
use crate::library::run::RomName;
use crate::library::store::{self, Library};
use crate::no_gravity::Series;
use crate::pace::Pace;
use crate::parallel::Share;
use crate::render::canvas::Canvas;
use crate::render::pattern;
use crate::render::png::{self, PngFolder};
use crate::watch::{Live, has_terminal};
use crate::words::{count, number};
use maxout_engine::movegen::Filter;
use maxout_engine::player::{self, DEFAULT_PLAYER, Entry};
use maxout_engine::search::Foresight;
use maxout_host::Console;
use maxout_host::batch::{self, Batch, BatchError};
use maxout_host::session::Stop;
use maxout_rules::ram;
use maxout_rules::{Pieces, PlayState};

/// What both commands take.
#[derive(clap::Args)]
pub(super) struct GameArgs {
    /// Who plays (see `maxout players`)
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = player::find, help_heading = heading::PLAYER)]
    player: &'static Entry,
    /// Where pieces may lock: well (the right column is for bars that complete four rows) or pattern:FILE.png (10 x 20
    /// pixels; the black ones are built). For players that look at the pieces in sight only
    #[arg(long, value_name = "well|pattern:FILE.png", value_parser = Chosen::parse, help_heading = heading::PLAYER)]
    filter: Option<Chosen>,
    /// Number of games, on consecutive seeds
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(1..=10_000_000), help_heading = heading::GAMES)]
    games: u64,
    /// Seed of the first game: 0 to 9599 are reachable from power-on, larger ones exist on the model only
    #[arg(long, default_value_t = 0, value_parser = seed, help_heading = heading::GAMES)]
    seed: u64,
    /// Level to start on
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(0..=19), help_heading = heading::GAMES)]
    start_level: u8,
    /// When a game ends: level29, topout or lines:N
    #[arg(long, default_value = "level29", value_name = "WHEN", help_heading = heading::GAMES)]
    stop: Stop,
    /// Keep each game in the run library in this folder; without DIR in the folder that `MAXOUT_RUNS` names, or in
    /// maxout/runs in the platform's folder for data. `play` does so without being told, `sim` keeps none without
    /// this flag, whatever `MAXOUT_RUNS` says
    #[arg(long, value_name = "DIR", num_args = 0..=1, help_heading = heading::RESULTS)]
    #[expect(clippy::option_option, reason = "a flag whose value may be left out")]
    runs: Option<Option<PathBuf>>,
    /// Write the results as JSON to this file
    #[arg(long, value_name = "FILE", help_heading = heading::RESULTS)]
    pub(super) json: Option<PathBuf>,
    /// Leave all times out of the results: equal games then make equal bytes
    #[arg(long, help_heading = heading::RESULTS)]
    no_timings: bool,
    #[command(flatten)]
    weights: WeightArgs,
    #[command(flatten)]
    foresight: ForesightArgs,
}

/// A filter, and what it adds to the player's name.
#[derive(Clone, Debug)]
struct Chosen {
    filter: Filter,
    label: String,
}

impl Chosen {
    fn parse(text: &str) -> Result<Self, String> {
        if text == "well" {
            return Ok(Self { filter: Filter::Well, label: text.to_owned() });
        }
        let file = text.strip_prefix("pattern:").map(Path::new).ok_or("expected well or pattern:FILE.png")?;
        // The flag and the file stand before it.
        let picture = pattern::read(file).map_err(|error| error.to_string())?;
        let name = file.file_stem().unwrap_or_default().to_string_lossy();
        let label = name.chars().filter(|&c| c.is_ascii_alphanumeric() || "-_".contains(c)).collect();
        Ok(Self { filter: Filter::Pattern(picture), label })
    }
}

/// How far to look, for players that can be told.
#[derive(clap::Args)]
#[command(next_help_heading = "How far to look")]
struct ForesightArgs {
    /// Players on the learned value: look no deeper after this many stacks per piece
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Clairvoyant: futures kept at each piece [default: 50]
    #[arg(long, value_name = "W", value_parser = whole::<u32>(1..=100_000))]
    beam: Option<u32>,
    /// Clairvoyant: pieces looked ahead [default: 30]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=10_000))]
    horizon: Option<u32>,
    /// Look no further after this many milliseconds per piece; games are then no longer repeatable
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..=3_600_000))]
    think_ms: Option<u64>,
    /// Clairvoyant: play all of these seeds on the model first, and the games on the best of them
    #[arg(long, value_name = "A..B", conflicts_with_all = ["seed", "games"], value_parser = seed_range)]
    search_seeds: Option<Range<u64>>,
}

impl ForesightArgs {
    /// The first option that was given and means nothing to `player`.
    fn refused(&self, player: &Entry) -> Option<&'static str> {
        let Self { nodes, beam, horizon, think_ms, search_seeds } = self;
        [
            ("--nodes", nodes.is_some()),
            ("--beam", beam.is_some()),
            ("--horizon", horizon.is_some()),
            ("--think-ms", think_ms.is_some()),
            ("--search-seeds", search_seeds.is_some()),
        ]
        .into_iter()
        .find_map(|(name, given)| (given && !player.takes(name)).then_some(name))
    }

    fn foresight(&self) -> Foresight {
        Foresight {
            width: self.beam.map_or(Foresight::DEFAULT.width, |w| w as usize),
            horizon: self.horizon.map_or(Foresight::DEFAULT.horizon, |n| n as usize),
            nodes: self.nodes,
            think: self.think_ms.map(Duration::from_millis),
        }
    }
}

fn seed_range(text: &str) -> Result<Range<u64>, &'static str> {
    let expected = "expected A..B, the seeds from A to B - 1, at least one and at most 10,000,000";
    let (first, end) = text.split_once("..").ok_or(expected)?;
    let number = |n: &str| n.parse::<u64>().map_err(|_| expected);
    let (first, end) = (number(first)?, number(end)?);
    if (1..=10_000_000).contains(&end.saturating_sub(first)) { Ok(first..end) } else { Err(expected) }
}

/// `maxout play`.
#[derive(clap::Args)]
pub(super) struct PlayArgs {
    #[command(flatten)]
    cartridge: CartridgeArgs,
    #[command(flatten)]
    game: GameArgs,
    /// Keep no game
    #[arg(long, conflicts_with = "runs", help_heading = heading::RESULTS)]
    no_runs: bool,
    /// Watch the game in the terminal (? there shows the keys); without a terminal, plain progress
    #[arg(long, conflicts_with = "realtime", help_heading = heading::WATCHING)]
    watch: bool,
    /// Play at the console's speed, 60.0988 frames a second, 8 frames ahead of what is shown, and count the frames that
    /// were not ready in time
    #[arg(long, help_heading = heading::WATCHING)]
    realtime: bool,
    /// Write PNG frames into this folder
    #[arg(long, value_name = "DIR", help_heading = heading::WATCHING)]
    png: Option<PathBuf>,
    /// With --png: write every Nth frame of play
    #[arg(long, default_value_t = 60, value_name = "N", value_parser = whole::<u64>(1..), help_heading = heading::WATCHING)]
    every: u64,
}

/// `maxout sim`.
#[derive(clap::Args)]
pub(super) struct SimArgs {
    #[command(flatten)]
    pub(super) game: GameArgs,
    /// Threads [default: one per core]
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024), help_heading = heading::WORK)]
    pub(super) jobs: Option<u16>,
    /// Play only the I-th of N equal shares of the games, from 1/N to N/N; `maxout merge` puts their --json
    /// files together
    #[arg(long, value_name = "I/N", conflicts_with_all = ["search_seeds", "weights", "terms"],
        help_heading = heading::WORK)]
    pub(super) shard: Option<Share>,
    #[command(flatten)]
    still: StillArgs,
}

/// The games to play, and where their results go.
pub(super) struct Options {
    pub(super) batch: Batch,
    /// The batch that it is a share of.
    pub(super) whole: Option<Batch>,
    pub(super) timings: bool,
    /// Seeds among which the best is to be found before anything is played.
    pub(super) search_seeds: Option<Range<u64>>,
    /// Whether to keep the games.
    pub(super) keep: bool,
    /// In which folder, if not in the default one.
    runs: Option<PathBuf>,
    pub(super) json: Option<PathBuf>,
}

/// Opens the library before the first frame, if games are to be kept.
fn open_library(options: &Options) -> anyhow::Result<Option<Library>> {
    if !options.keep {
        return Ok(None);
    }
    let folder = store::folder(options.runs.as_deref())?;
    let context = || match &options.runs {
        Some(folder) => format!("--runs {}", folder.display()),
        None => "no runs can be kept (--runs DIR names another folder, play --no-runs keeps none)".to_owned(),
    };
    Library::open_or_create(&folder).map(Some).with_context(context)
}

impl TryFrom<GameArgs> for Options {
    type Error = anyhow::Error;

    /// Everything that can be refused is refused before the first frame.
    fn try_from(args: GameArgs) -> anyhow::Result<Self> {
        let GameArgs {
            player,
            filter,
            games,
            seed,
            start_level,
            stop,
            runs,
            json,
            no_timings,
            foresight,
            ..
        } = args;
        if let Some(option) = foresight.refused(player) {
            let who = if option == "--nodes" { "--player maxout" } else { "--player clairvoyant" };
            bail!("{option}: {} does not take it, expected {who}", player.name);
        }
        let player = match filter {
            None => player,
            Some(Chosen { filter, label }) => player.filtered(filter, &label).with_context(|| {
                format!(
                    "--filter: {} cannot be filtered, expected --player meatfighter2014 or the like",
                    player.name
                )
            })?,
        };
        if seed.checked_add(games - 1).is_none() {
            bail!("seed {seed} with {games} games: expected seeds below 2^64");
        }
        Outputs::check([("--json", json.as_deref())])?;
        let search_seeds = foresight.search_seeds.clone();
        let foresight = foresight.foresight();
        let first_seed = search_seeds.as_ref().map_or(seed, |seeds| seeds.start);
        let (keep, runs) = (runs.is_some(), runs.flatten());
        let batch = Batch { player, games, first_seed, start_level, stop, foresight };
        Ok(Self { batch, whole: None, timings: !no_timings, search_seeds, keep, runs, json })
    }
}

impl Options {
    /// All seeds that may be played, as a batch.
    fn searched(&self) -> Batch {
        let games = self.search_seeds.as_ref().map_or(self.batch.games, |seeds| seeds.end - seeds.start);
        Batch { games, ..self.batch }
    }

    /// Plays the seeds of `--search-seeds` on the model and takes the best. False if interrupted.
    fn find_start(&mut self, jobs: usize, interrupt: &AtomicBool) -> anyhow::Result<bool> {
        if self.search_seeds.is_none() {
            return Ok(true);
        }
        let searched = self.searched();
        let bar = Progress::new(searched.games, "starts");
        let best = batch::best_seed(&searched, jobs, interrupt, &mut |_| bar.inc(1))?;
        bar.finish();
        if let Some((seed, score)) = best {
            let (starts, points) = (count(searched.games, "start"), count(score, "point"));
            say!("seed {seed} is the best of {starts}: {points}");
            self.batch.first_seed = seed;
        }
        Ok(best.is_some())
    }
}

/// Plays on the model.
pub(super) fn sim(args: SimArgs) -> anyhow::Result<ExitCode> {
    args.game.weights.put_in_use(args.game.player)?;
    #[cfg(feature = "mpi")]
    if let Some(ranks) = crate::parallel::Ranks::join()? {
        if let Some(flag) = args.still.asked() {
            bail!("{flag}: not scattered over ranks, expected one process");
        }
        return super::ranked::sim(args, &ranks);
    }
    let jobs = args.jobs.map_or_else(cores, usize::from);
    let mut options = Options::try_from(args.game)?;
    if let Some(share) = args.shard {
        // `merge` counts up to the seed after the last.
        if options.batch.first_seed.checked_add(options.batch.games).is_none() {
            bail!("--shard: expected seeds below 18446744073709551615");
        }
        let share = share.take(&options.batch).context("--shard")?;
        options.whole = Some(std::mem::replace(&mut options.batch, share));
    }
    if let Some(flag) = args.still.asked() {
        return without_gravity(&options, &args.still, flag, jobs);
    }
    let library = open_library(&options)?;
    let interrupt = interrupt::flag()?;
    if !options.find_start(jobs, &interrupt)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let rom = RomName { name: "model".to_owned(), sha1: None };
    let mut results = Results::new(&options, library, "model", rom);
    let ended = results.sim(jobs, &interrupt);
    results.finish(ended)
}

fn without_gravity(
    options: &Options,
    still: &StillArgs,
    flag: &str,
    jobs: usize,
) -> anyhow::Result<ExitCode> {
    if options.keep {
        bail!("--runs: games without gravity are not kept, expected no {flag}");
    }
    if options.whole.is_some() {
        bail!("--shard: games without gravity are not merged, expected no {flag}");
    }
    let Batch { player, games, first_seed, stop, .. } = options.batch;
    let lines = match stop {
        // No game of 230 lines comes round.
        Stop::Level29 if still.demo_loop => None,
        Stop::Level29 => Some(230),
        Stop::Lines(lines) => Some(u64::from(lines)),
        Stop::TopOut => None,
    };
    let series = Series { player, games, first_seed, lines, pieces: Pieces::Nes, limit: None };
    still.run(series, jobs, options.json.as_deref())
}

/// Frames by which play in real time runs ahead of what is shown: less than the entry delay, 10 frames at least, so
/// that the decision for a piece is made while the entry delay is shown.
const REALTIME_LEAD: u32 = 8;

/// Plays on the console.
pub(super) fn play(args: PlayArgs) -> anyhow::Result<ExitCode> {
    let PlayArgs { cartridge, game, no_runs, watch: live, realtime, png: png_folder, every } = args;
    let mut inserted = cartridge::insert(cartridge.rom.as_deref(), cartridge.allow_unknown)?;
    let other_weights = game.weights.put_in_use(game.player)?;
    let mut options = Options::try_from(game)?;
    options.searched().check_for_console()?;
    if let Some(folder) = &png_folder {
        png::check(folder).with_context(|| format!("--png {}", folder.display()))?;
    }
    options.keep = !no_runs && !other_weights;
    let library = open_library(&options)?;
    // Dropped at the end: a folder that was made for pictures of which there are none goes again.
    let _folder = match &png_folder {
        Some(folder) => {
            Some(PngFolder::create(folder).with_context(|| format!("--png {}", folder.display()))?)
        }
        None => None,
    };
    let interrupt = interrupt::flag()?;
    if !options.find_start(cores(), &interrupt)? {
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let mut results = Results::new(&options, library, "console", inserted.name());
    let bar = Rc::clone(&results.bar);
    let several = options.batch.games > 1;
    let mut frame = (options.batch.first_seed, 0u64);
    let mut pace = Pace::default().with_frame_lead(REALTIME_LEAD);
    let mut live = if live && has_terminal() {
        bar.hide();
        let Batch { player, first_seed, .. } = options.batch;
        let live = Live::new(player.name, player.is_fair(), first_seed, "in the emulator", &interrupt);
        Some(live.context("the terminal")?)
    } else {
        None
    };
    let mut watch = |seed: u64, console: &Console, now: &ram::Snapshot| {
        frame = if frame.0 == seed { (seed, frame.1 + 1) } else { (seed, 1) };
        if let Some(live) = &mut live {
            if frame.1 == 1 {
                live.begin(seed);
            }
            if !live.frame(now, &ram::page(console.ram())) {
                return Ok(false);
            }
        }
        if realtime {
            if frame.1 == 1 {
                pace.rest();
            }
            pace.frame();
        }
        if frame.1.is_multiple_of(16) && now.play_state == PlayState::Control as u8 {
            bar.show(seed, now);
        }
        if let Some(folder) = &png_folder
            && frame.1.is_multiple_of(every)
        {
            let folder = if several { folder.join(format!("seed-{seed}")) } else { folder.clone() };
            let file = png::path(&folder, frame.1);
            let canvas = Canvas::from(&console.picture()?);
            let written = std::fs::create_dir_all(&folder).and_then(|()| png::write(&file, &canvas));
            written.with_context(|| format!("--png {}", file.display()))?;
        }
        Ok(!interrupt.load(Ordering::Relaxed))
    };
    let ended =
        batch::play(&options.batch, &mut inserted.console, &mut watch, &mut |game| results.add(&game));
    drop(live);
    let code = results.finish(ended).map_err(|error| match error.downcast_ref::<BatchError>() {
        None | Some(BatchError::Sink(_)) => error,
        // What the cartridge did.
        Some(_) => error.context(inserted.file),
    })?;
    if realtime {
        answer(&kept_pace(&pace))?;
    }
    Ok(code)
}

/// How well the frames kept to real time.
fn kept_pace(pace: &Pace) -> String {
    let (late, frames, long) = (pace.late(), pace.frames(), pace.long());
    let slowest = pace.slowest().as_secs_f64() * 1e3;
    format!(
        "real time     {} of {} late, shown {REALTIME_LEAD} frames after they are made; {} took longer than \
         16.6 ms, the slowest {slowest:.1} ms",
        number(late),
        count(frames, "frame"),
        number(long)
    )
}
