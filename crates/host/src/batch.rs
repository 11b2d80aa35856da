//! Many games. [`Batch`] says which games; [`sim`] plays them on the model with several threads, and [`play`] plays
//! them one after the other in the emulator. Both hand over each game as soon as it is finished.

use std::sync::atomic::AtomicBool;

use thiserror::Error;

use crate::hand::{Hand, MisdropRate};
use crate::menus::{self, MenuError};
use crate::pool;
use crate::session::{GameOutcome, Session, SessionError};
use crate::{Console, ConsoleError, Host, Model};
use maxout_engine::player::{Entry, Mind};
use maxout_engine::search::Foresight;
use maxout_record::result::HostKind;
use maxout_record::run::{FORMAT, Record, RomName};
use maxout_rules::input::InputLog;
use maxout_rules::ram::{Edition, Snapshot};
use maxout_rules::{FallRule, MenuScript, Region, Seed, SeedError, Stop, lines_to_29};

/// Which games to play.
#[derive(Clone, Debug)]
pub struct Batch {
    /// The player.
    pub player: Entry,
    /// The number of games.
    pub games: u64,
    /// The seed of the first game. The other games have the seeds that follow.
    pub first_seed: u64,
    /// The start level, 0 to 19.
    pub start_level: u8,
    /// When a game ends.
    pub stop: Stop,
    /// How far the player looks ahead, if that can be chosen.
    pub foresight: Foresight,
    /// How fast pieces fall, and with it the version of the game. In the emulator the cartridge decides it.
    pub fall_rule: FallRule,
    /// How often a press of the player's hand goes wrong.
    pub misdrop: MisdropRate,
}

impl Batch {
    /// Makes a batch of games from level 19 to level 29, on seeds from 0 on.
    pub const fn new(player: Entry, games: u64) -> Self {
        Self {
            player,
            games,
            first_seed: 0,
            start_level: 19,
            stop: Stop::Level29,
            foresight: Foresight::DEFAULT,
            fall_rule: FallRule::Ntsc,
            misdrop: MisdropRate::NONE,
        }
    }

    /// Returns the seeds in order.
    pub fn seeds(&self) -> impl Iterator<Item = u64> + use<> {
        let first = self.first_seed;
        (0..self.games).map_while(move |index| first.checked_add(index))
    }

    /// Returns the lines of a game that reaches its stop, or `None` if only a top-out ends it.
    pub fn lines(&self) -> Option<u64> {
        match self.stop {
            Stop::Level29 => Some(lines_to_29(self.start_level).into()),
            Stop::Lines(lines) => Some(lines.into()),
            Stop::TopOut => None,
        }
    }

    /// Returns what results and records say of the hands and eyes: the player's input limits, and the misdrop rate if
    /// there is one.
    pub fn limits(&self) -> String {
        let limits = self.player.limits;
        let frames = match self.fall_rule.region() {
            Region::Ntsc => "",
            Region::Pal => ", on PAL (50 frames a second; taps keep their Hz, 25 at most)",
        };
        match self.misdrop {
            MisdropRate::NONE => format!("{limits}{frames}"),
            rate => format!("{limits}{frames}, misdrop rate {rate}"),
        }
    }

    /// Begins a game of the batch.
    fn session<'a, H: Host>(&self, host: &H, mind: &'a mut Mind, seed: u64) -> Session<&'a mut Mind> {
        let opening = Seed::new(seed).opening();
        Session::new(host, mind, opening, self.stop).with_hand(Hand::new(self.misdrop, seed))
    }

    /// Makes a fresh player for these games.
    fn mind(&self) -> Mind {
        // No decision is to wait for tables.
        let player = self.player.in_region(self.fall_rule.region());
        player.unpack(self.start_level..=self.last_level(), self.fall_rule);
        player.make(self.foresight, self.stop)
    }

    /// No later level is played.
    fn last_level(&self) -> u8 {
        let ends_by_29 = match self.stop {
            Stop::Level29 => true,
            Stop::TopOut => false,
            Stop::Lines(lines) => lines <= lines_to_29(self.start_level),
        };
        if ends_by_29 { 28 } else { u8::MAX }
    }

    /// Fails if a seed cannot be reached on a cartridge of this edition: by waiting after power-on, or in its menu.
    pub fn check_for_console(&self, edition: Edition) -> Result<(), SeedError> {
        let is_out_of_reach = |&seed: &u64| match Seed::new(seed) {
            Seed::PowerOn { .. } => false,
            Seed::Practice(_) => edition != Edition::Practice,
            Seed::Model(_) => true,
        };
        self.seeds().find(is_out_of_reach).map_or(Ok(()), |seed| Err(SeedError(seed)))
    }
}

/// A finished game. It is kept as a movie, which emulators play, or as a run, which `maxout replay` and `maxout review` read:
///
/// ```
/// use maxout_engine::player::find;
/// use maxout_host::batch::{Batch, play};
/// use maxout_host::rom::{identify, power_on};
/// use maxout_host::TEST_CARTRIDGE;
/// use maxout_record::movie::{Movie, write_fm2};
/// use maxout_record::result::HostKind;
/// use maxout_record::run::{RomName, archive, unpack};
/// use maxout_rules::Stop;
///
/// // One game from level 18 to 2 lines, on the test cartridge; `std::fs::read` gives another one.
/// let rom = identify(TEST_CARTRIDGE).unwrap();
/// let mut console = power_on(&rom).unwrap();
/// let player = find("maxout-2ply").unwrap().clone();
/// let batch = Batch { start_level: 18, stop: Stop::Lines(2), ..Batch::new(player, 1) };
/// let mut games = Vec::new();
/// play(&batch, &mut console, &mut |_, _, _| Ok(true), &mut |game| {
///     games.push(game);
///     Ok(())
/// })
/// .unwrap();
///
/// let name = RomName { name: rom.name.clone(), sha1: Some(rom.sha1.clone()) };
/// let record = games[0].record(&batch, HostKind::Console, name, "2026-01-01T00:00:00Z".to_owned());
/// let log = games[0].log();
/// // `std::fs::write("game.fm2", movie)` and `std::fs::write("game.zip", run)` keep them.
/// let movie = write_fm2(&Movie::of_game(&record.credits(), log.frames().iter().copied(), &rom));
/// let run = archive(&record, &log).unwrap();
/// assert!(movie.starts_with("version 3\n"));
/// assert_eq!(unpack(&run).unwrap(), (record, log));
/// ```
#[derive(Clone, PartialEq, Debug)]
pub struct Finished {
    /// The seed of the game.
    pub seed: u64,
    /// What was played.
    pub outcome: GameOutcome,
    /// The buttons from power-on to the init frame. They are empty for seeds that exist on the model only.
    pub menu: InputLog,
    /// The CRC-32 of the 2 KiB of RAM after the last frame, if the emulator played.
    pub ram_crc: Option<u32>,
}

impl Finished {
    /// Returns what is kept of the game, which `batch` ordered and which ended at `made_at` (UTC, RFC 3339).
    pub fn record(&self, batch: &Batch, host: HostKind, rom: RomName, made_at: String) -> Record {
        let Self { seed, outcome, menu, ram_crc } = self;
        let decisions = outcome.counts.decisions;
        Record {
            format: FORMAT.to_owned(),
            made_at,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            player: batch.player.name.to_string(),
            fair: batch.player.capabilities().is_fair,
            limits: batch.limits(),
            host,
            rom,
            seed: *seed,
            start_level: batch.start_level,
            stop: batch.stop,
            result: outcome.result,
            decisions,
            replans: outcome.counts.replans,
            cpu_ms_per_decision: outcome.thinking.as_secs_f64() * 1e3 / decisions.max(1) as f64,
            wall_s: outcome.wall.as_secs_f64(),
            menu_frames: menu.len() as u64,
            frames: outcome.frames,
            ram_crc32: ram_crc.map(|crc| format!("{crc:08x}")),
        }
    }

    /// Returns the whole log, from power-on.
    pub fn log(&self) -> InputLog {
        self.menu.frames().iter().chain(self.outcome.log.frames()).copied().collect()
    }
}

/// Why a batch ended early.
#[derive(Debug, Error)]
pub enum BatchError {
    /// The menus could not be passed.
    #[error(transparent)]
    Menu(#[from] MenuError),
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// A game was broken off.
    #[error("seed {}", Seed::name(*.seed))]
    Session {
        /// The game's seed.
        seed: u64,
        /// What happened.
        source: SessionError,
    },
    /// The receiver of finished games failed.
    #[error("{0:#}")]
    Sink(Trouble),
}

/// The error of a caller's own part of a batch.
pub type Trouble = Box<dyn std::error::Error + Send + Sync>;

/// A receiver of finished games; its error ends the batch.
pub type Sink<'a> = dyn FnMut(Finished) -> Result<(), Trouble> + 'a;

/// A watcher of every frame of play in the emulator, with the seed; false ends the batch as an interrupt does.
pub type Watch<'a> = dyn FnMut(u64, &Console, &Snapshot) -> Result<bool, Trouble> + 'a;

/// Plays the batch on the model with `jobs` threads. Games arrive in the order of their seeds for any number of
/// threads. When `interrupt` becomes true, the games in progress are dropped.
pub fn sim(
    batch: &Batch,
    jobs: usize,
    interrupt: &AtomicBool,
    sink: &mut Sink<'_>,
) -> Result<(), BatchError> {
    sim_kept(batch, jobs, interrupt, &|_| {}, &mut |_, _| (), &mut |game, ()| sink(game))
}

/// Does what [`sim`] does, and reports more. Every thread tells `cleared` how many more of the [`lines`](Batch::lines)
/// are done; when a game ends before its stop, all of its remaining lines count as done. `keep` gets each game, with
/// its place in the batch, as soon as it is finished, even if games before it are not. `sink` gets the games in order,
/// with what `keep` made of them.
pub fn sim_kept<K>(
    batch: &Batch,
    jobs: usize,
    interrupt: &AtomicBool,
    cleared: &(dyn Fn(u64) + Sync),
    keep: &mut dyn FnMut(u64, &Finished) -> K,
    sink: &mut dyn FnMut(Finished, K) -> Result<(), Trouble>,
) -> Result<(), BatchError> {
    let goal = batch.lines().unwrap_or(0);
    let work = |player: &mut Mind, index, stopped: &dyn Fn() -> bool| {
        let seed = batch.first_seed + index;
        let start = Seed::new(seed);
        let mut host = Model::new(start.start_by(batch.fall_rule, batch.start_level));
        let mut seen = 0;
        let watch = &mut |_: &Model, now: &Snapshot, _| {
            let lines = u64::from(now.progress.lines()).min(goal);
            if lines > seen {
                cleared(lines - seen);
                seen = lines;
            }
            !stopped()
        };
        match batch.session(&host, player, seed).play(&mut host, watch) {
            Ok(outcome) => {
                cleared(goal - seen);
                let menu = menu_log(start, batch);
                Ok(Some(Finished { seed, outcome, menu, ram_crc: None }))
            }
            Err(SessionError::Interrupted) => Ok(None),
            Err(source) => Err(BatchError::Session { seed, source }),
        }
    };
    pool::in_order_kept(batch.games, jobs, interrupt, || batch.mind(), work, keep, &mut |game, kept| {
        sink(game, kept).map_err(BatchError::Sink)
    })
}

fn menu_log(seed: Seed, batch: &Batch) -> InputLog {
    match seed {
        Seed::PowerOn { menu_wait, .. } => {
            let script = MenuScript { level: batch.start_level, wait: menu_wait };
            script.frames_in(batch.fall_rule.region()).into_iter().collect()
        }
        Seed::Model(_) | Seed::Practice(_) => InputLog::new(),
    }
}

/// Plays the batch in the emulator, each game from power-on.
pub fn play(
    batch: &Batch,
    console: &mut Console,
    watch: &mut Watch<'_>,
    sink: &mut Sink<'_>,
) -> Result<(), BatchError> {
    let mut player = batch.mind();
    for seed in batch.seeds() {
        console.power_cycle()?;
        let menu = match Seed::new(seed) {
            Seed::PowerOn { menu_wait, .. } => menus::reach_play(console, batch.start_level, menu_wait)?,
            Seed::Practice(number) => menus::reach_seeded(console, batch.start_level, number)?,
            Seed::Model(_) => continue,
        };
        let mut trouble = None;
        let look = &mut |console: &Console, now: &Snapshot, _| match watch(seed, console, now) {
            Ok(go_on) => go_on,
            Err(error) => {
                trouble = Some(error);
                false
            }
        };
        let result = batch.session(console, &mut player, seed).play(console, look);
        if let Some(error) = trouble {
            return Err(BatchError::Sink(error));
        }
        match result {
            Ok(outcome) => {
                let ram_crc = Some(console.ram_crc());
                sink(Finished { seed, outcome, menu, ram_crc }).map_err(BatchError::Sink)?;
            }
            Err(SessionError::Interrupted) => return Ok(()),
            Err(source) => return Err(BatchError::Session { seed, source }),
        }
    }
    Ok(())
}
