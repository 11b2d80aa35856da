//! What everything costs: [`measure`].
//!
//! The clock is the CPU time of the measuring thread, and each figure is the median of several passes, so that other
//! work on the machine has as little effect as possible.

use std::collections::BTreeMap;
use std::fmt;
use std::hint::black_box;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cpu_time::ThreadTime;
use serde::Serialize;

use maxout::words::decimal;
use maxout_engine::env::{Env, EnvRules};
use maxout_engine::eval::ntuple::Network;
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::{Limits, Presses, Reaction};
use maxout_engine::movegen::{Start, placements};
use maxout_engine::player::Entry;
use maxout_gallery::{find, players};
use maxout_host::batch::{self, Batch, BatchError};
use maxout_host::{Console, TEST_CARTRIDGE};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Dealer, FallRule, Game, Piece, Placement, Seed, Stop, model_start};

/// Levels whose gravities differ on the plateau and before it, and the double killscreen.
pub const LEVELS: [u8; 5] = [18, 19, 29, 0, 39];
/// The level that `afterstate_us` is given for.
pub const MAIN_LEVEL: u8 = 19;
/// Passes of which the median counts.
const PASSES: usize = 9;
/// Seed of the first game that is played.
const FIRST_SEED: u64 = 60_000;
/// Passes of what takes longer, of which the median counts.
const SLOW_PASSES: usize = 3;
/// Games that one job and two play.
const JOBS_GAMES: u64 = 40;
/// Lines of the game in the emulator.
const EMULATOR_LINES: u32 = 4;
/// Games whose button logs the simulator replays.
const LOGS: u64 = 3;
/// One-ply games of a pass.
const ONE_PLY_GAMES: u64 = 20;
/// CPU time of decisions after which a player has been watched for long enough.
const ENOUGH: Duration = Duration::from_millis(300);
/// Lines of the games in which slow players are watched; others play to level 29.
const SLOW_LINES: u32 = 8;
/// Frames from one spawn to the next, roughly: clocks of the generator between two picks.
const FRAMES_PER_PIECE: u32 = 40;

/// The measured speeds, times by one core. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Speeds {
    /// The input limits of the move generation that was measured, if they are not each button every second frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<String>,
    /// Microseconds that finding all placements takes, by level.
    pub movegen_us: BTreeMap<u8, f64>,
    /// How many it finds, by level.
    pub placements: BTreeMap<u8, f64>,
    /// Microseconds for finding all placements and the board after each, lines cleared, on [`MAIN_LEVEL`].
    pub afterstate_us: f64,
    /// The same by level.
    #[serde(skip)]
    pub afterstates: BTreeMap<u8, f64>,
    /// Frames of the rules per second, with the buttons of real games.
    pub sim_fps: f64,
    /// Whole games per second, placement by placement, by the learned value of the boards after one piece.
    pub games_per_s: f64,
    /// Pieces of such a game.
    #[serde(skip)]
    pub pieces_per_game: f64,
    /// Microseconds per decision, by player.
    pub decision_us: BTreeMap<&'static str, f64>,
    /// Decisions with a reaction delay, if they were measured.
    #[serde(flatten)]
    pub delayed: Option<DelayedDecisions>,
    /// Games per second with two jobs, by those with one, on the clock on the wall.
    pub two_jobs: f64,
    /// Frames of the emulator per second, with the buttons of a game.
    pub emulator_fps: f64,
    /// The same where the game is played: RAM read, decisions made, the pilot watching.
    pub play_fps: f64,
}

/// What a decision with a reaction delay costs, its two steps together. The JSON keys are a contract
/// (docs/reference/formats.md).
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct DelayedDecisions {
    /// The input limits, the delay among them.
    pub delayed_limits: String,
    /// Microseconds per decision, by player; those that take no such limits are left out.
    pub delayed_decision_us: BTreeMap<&'static str, f64>,
}

impl DelayedDecisions {
    /// Measures those of `players` that take `limits`; `begin` hears whose turn it is.
    pub fn measure(
        players: impl IntoIterator<Item = &'static Entry>,
        limits: Limits,
        begin: &mut dyn FnMut(&str),
    ) -> Result<Self, BatchError> {
        let mut delayed = Self { delayed_limits: limits.to_string(), delayed_decision_us: BTreeMap::new() };
        for entry in players {
            let Some(player) = entry.with_limits(limits).filter(|player| player.capabilities().is_learned)
            else {
                continue;
            };
            begin(&format!("{} with a delay", entry.name));
            delayed.delayed_decision_us.insert(&*entry.name, decision_us(&player)?);
        }
        Ok(delayed)
    }
}

/// Measures everything on `boards`, move generation with `presses`; `begin` hears what comes next. Half a minute. With
/// `reaction` it also measures decisions with these presses and this delay.
pub fn measure(
    boards: &[Board],
    presses: Presses,
    reaction: Option<Reaction>,
    begin: &mut dyn FnMut(&str),
) -> Result<Speeds, BatchError> {
    let limits = Limits::new(presses);
    let mut speeds = Speeds {
        limits: (presses != Presses::EachButton).then(|| presses.to_string()),
        movegen_us: BTreeMap::new(),
        placements: BTreeMap::new(),
        afterstate_us: 0.0,
        afterstates: BTreeMap::new(),
        sim_fps: 0.0,
        games_per_s: 0.0,
        pieces_per_game: 0.0,
        decision_us: BTreeMap::new(),
        delayed: None,
        two_jobs: 0.0,
        emulator_fps: 0.0,
        play_fps: 0.0,
    };
    begin("move generation");
    let searches = (boards.len() * Piece::ALL.len()) as f64;
    for level in LEVELS {
        let mut found = 0;
        let alone = median(|| found = search_all(boards, level, limits, |_, _| {}));
        let with_stacks = median(|| {
            search_all(boards, level, limits, |board, placement| {
                let mut after = *board;
                after.lock(placement.x, placement.y, placement.orientation);
                black_box(&after);
            });
        });
        speeds.movegen_us.insert(level, 1e6 * alone / searches);
        speeds.placements.insert(level, found as f64 / searches);
        speeds.afterstates.insert(level, 1e6 * with_stacks / searches);
    }
    speeds.afterstate_us = speeds.afterstates[&MAIN_LEVEL];

    begin("simulator");
    let logs = logs()?;
    let frames: usize = logs.iter().map(|(_, log)| log.len()).sum();
    let pass = median(|| {
        for (start, log) in &logs {
            let mut game = *start;
            for &buttons in log {
                game.step(buttons);
            }
            black_box(&game);
        }
    });
    speeds.sim_fps = frames as f64 / pass;

    begin("one-ply games");
    let network = weights::embedded_common();
    let mut pieces = 0;
    let pass = median(|| pieces = (0..ONE_PLY_GAMES).map(|i| one_ply_game(&network, FIRST_SEED + i)).sum());
    speeds.games_per_s = ONE_PLY_GAMES as f64 / pass;
    speeds.pieces_per_game = pieces as f64 / ONE_PLY_GAMES as f64;

    for entry in players() {
        begin(&entry.name);
        speeds.decision_us.insert(&*entry.name, decision_us(entry)?);
    }
    if let Some(reaction) = reaction {
        let limits = limits.with_reaction(reaction);
        speeds.delayed = Some(DelayedDecisions::measure(players(), limits, begin)?);
    }
    begin("two jobs");
    speeds.two_jobs = two_jobs()?;
    begin("emulator");
    (speeds.emulator_fps, speeds.play_fps) = emulator_fps()?;
    Ok(speeds)
}

/// Finds the placements of every piece on every board under `limits`, from level 39 on with the double killscreen; `each`
/// sees each of them. How many there are.
pub fn search_all(
    boards: &[Board],
    level: u8,
    limits: Limits,
    mut each: impl FnMut(&Board, Placement),
) -> usize {
    let mut out = Vec::new();
    let mut found = 0;
    for board in boards {
        for piece in Piece::ALL {
            let start = Start::spawn(piece, level).by(FallRule::DoubleKillscreen);
            placements(black_box(board), &start, limits, &mut out);
            found += black_box(&out).len();
            for &placement in &out {
                each(board, placement);
            }
        }
    }
    found
}

/// Whole games of a quick player: start and buttons.
///
/// # Panics
/// Never: the player is registered.
pub fn logs() -> Result<Vec<(Game, Vec<Buttons>)>, BatchError> {
    let batch = batch(quick(), FIRST_SEED, LOGS, Stop::Level29);
    let mut logs = Vec::new();
    batch::sim(&batch, 1, &AtomicBool::new(false), &mut |game| {
        let start = Seed::new(game.seed).start(batch.start_level);
        logs.push((start, game.outcome.log.frames().to_vec()));
        Ok(())
    })?;
    Ok(logs)
}

/// Plays from level 19 to level 29 or the top, each piece where the learned value of the board after it is best.
/// The number of pieces.
pub fn one_ply_game(network: &Network, seed: u64) -> u64 {
    let dealer = Dealer::spaced(model_start(19, seed).generator, FRAMES_PER_PIECE);
    let mut env = Env::with_dealer(EnvRules::game(19), dealer);
    let mut shape = Shape::of(env.board());
    let mut reachable = Vec::new();
    while env.end().is_none() {
        env.placements(&mut reachable);
        let mut best: Option<(f32, Placement, Shape)> = None;
        for &placement in &reachable {
            let mut after = *env.board();
            let lines = after.lock(placement.x, placement.y, placement.orientation);
            let shape = if lines == 0 { shape.with(placement) } else { Shape::of(&after) };
            let value = [0.0, 1.0, 2.5, 7.5, 30.0][usize::from(lines.min(4))] / 30.0
                + network.values(&shape, 19)[env.next_piece() as usize];
            if best.is_none_or(|(most, ..)| value > most) {
                best = Some((value, placement, shape));
            }
        }
        let Some((_, placement, there)) = best else { break };
        if env.step(placement).is_err() {
            break;
        }
        shape = there;
    }
    env.pieces()
}

/// Microseconds of CPU per decision in games on the model.
fn decision_us(player: &Entry) -> Result<f64, BatchError> {
    let stop = if player.plies() <= 2 { Stop::Level29 } else { Stop::Lines(SLOW_LINES) };
    let (mut decisions, mut thinking) = (0, Duration::ZERO);
    let mut seed = FIRST_SEED;
    while thinking < ENOUGH {
        batch::sim(&batch(player, seed, 1, stop), 1, &AtomicBool::new(false), &mut |game| {
            decisions += game.outcome.counts.decisions;
            thinking += game.outcome.thinking;
            Ok(())
        })?;
        seed += 1;
    }
    Ok(1e6 * thinking.as_secs_f64() / decisions as f64)
}

/// How many times as fast two jobs are as one, in games of a quick player.
fn two_jobs() -> Result<f64, BatchError> {
    let batch = batch(quick(), FIRST_SEED, JOBS_GAMES, Stop::Level29);
    let seconds = |jobs| {
        let begun = Instant::now();
        batch::sim(&batch, jobs, &AtomicBool::new(false), &mut |_| Ok(()))?;
        Ok::<_, BatchError>(begun.elapsed().as_secs_f64())
    };
    let mut ratios = Vec::new();
    for _ in 0..SLOW_PASSES {
        ratios.push(seconds(1)? / seconds(2)?);
    }
    Ok(middle(ratios))
}

/// Frames per CPU second from power-on to the first lines of a game: of its buttons alone, and of playing it.
fn emulator_fps() -> Result<(f64, f64), BatchError> {
    let batch = batch(quick(), 0, 1, Stop::Lines(EMULATOR_LINES));
    let mut console = Console::power_on(TEST_CARTRIDGE)?;
    let (mut alone, mut played) = (Vec::new(), Vec::new());
    for _ in 0..SLOW_PASSES {
        let mut buttons = Vec::new();
        let begun = ThreadTime::now();
        batch::play(&batch, &mut console, &mut |_, _, _| Ok(true), &mut |game| {
            buttons = [game.menu.frames(), game.outcome.log.frames()].concat();
            Ok(())
        })?;
        played.push(buttons.len() as f64 / begun.elapsed().as_secs_f64());
        let begun = ThreadTime::now();
        console.power_cycle()?;
        for &buttons in &buttons {
            console.step(buttons)?;
        }
        alone.push(buttons.len() as f64 / begun.elapsed().as_secs_f64());
    }
    Ok((middle(alone), middle(played)))
}

/// A player that decides quickly.
///
/// # Panics
/// Never: it is registered.
fn quick() -> &'static Entry {
    find("plateau17").expect("a registered player")
}

fn batch(player: &Entry, first_seed: u64, games: u64, stop: Stop) -> Batch {
    Batch { first_seed, stop, ..Batch::new(player.clone(), games) }
}

/// Median CPU seconds of a pass.
fn median(mut pass: impl FnMut()) -> f64 {
    let seconds = (0..PASSES).map(|_| {
        let begin = ThreadTime::now();
        pass();
        begin.elapsed().as_secs_f64()
    });
    middle(seconds.collect())
}

fn middle(mut figures: Vec<f64>) -> f64 {
    figures.sort_by(f64::total_cmp);
    figures[figures.len() / 2]
}

impl fmt::Display for Speeds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(limits) = &self.limits {
            writeln!(f, "move generation    {limits}")?;
        }
        writeln!(f, "level              {}", row(LEVELS.iter().map(heading)))?;
        for (name, values, digits) in [
            ("placements", &self.placements, 2),
            ("search, us", &self.movegen_us, 3),
            ("and stacks, us", &self.afterstates, 3),
        ] {
            let cells = LEVELS.iter().map(|level| format!("{:.digits$}", values[level]));
            writeln!(f, "{name:<18} {}", row(cells))?;
        }
        writeln!(f, "simulator          {:.1} million frames/s", self.sim_fps / 1e6)?;
        writeln!(
            f,
            "one-ply games      {} games/s, {} pieces each",
            decimal(self.games_per_s, 1),
            decimal(self.pieces_per_game, 0)
        )?;
        writeln!(f, "two jobs           {:.2} times as fast as one", self.two_jobs)?;
        writeln!(
            f,
            "emulator           {} frames/s; play, decisions included, {} frames/s",
            decimal(self.emulator_fps, 0),
            decimal(self.play_fps, 0)
        )?;
        write_decisions(f, &self.decision_us)?;
        match &self.delayed {
            Some(delayed) => write!(f, "\n{delayed}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for DelayedDecisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "with a delay       {}", self.delayed_limits)?;
        write_decisions(f, &self.delayed_decision_us)
    }
}

/// Writes the decisions of those players of the registry that were measured, in its order.
fn write_decisions(f: &mut fmt::Formatter<'_>, spent: &BTreeMap<&'static str, f64>) -> fmt::Result {
    let measured = players().iter().filter_map(|entry| Some((&entry.name, *spent.get(&*entry.name)?)));
    f.write_str("decision, us")?;
    for (i, (name, spent)) in measured.enumerate() {
        let start = if i == 0 { " ".repeat(7) } else { format!("\n{:19}", "") };
        write!(f, "{start}{name:<16} {:>11}", decimal(spent, 1))?;
    }
    Ok(())
}

/// A level in the table of the move generator.
fn heading(level: &u8) -> String {
    format!("{level}{}", if *level >= 39 { " double" } else { "" })
}

fn row(cells: impl Iterator<Item = String>) -> String {
    cells.map(|cell| format!("{cell:>10}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decisions_with_a_delay_are_those_of_the_players_that_take_one() {
        let players = ["plateau17", "maxout-fast", "clairvoyant"].map(|name| find(name).expect("registered"));
        let limits = Limits::EACH_BUTTON.with_reaction(Reaction::Frames(18));
        let mut measured = Vec::new();
        let delayed = DelayedDecisions::measure(players, limits, &mut |who| measured.push(who.to_owned()))
            .expect("games");
        assert_eq!(measured, ["maxout-fast with a delay"]);
        assert!(delayed.delayed_decision_us["maxout-fast"] > 0.0);
        let text = delayed.to_string();
        assert!(text.starts_with("with a delay       30 Hz: "), "{text}");
        assert!(text.contains("reaction delay of 18 frames\ndecision, us       maxout-fast "), "{text}");
        assert_eq!(text.lines().count(), 2, "{text}");
    }

    #[test]
    fn a_one_ply_game_is_that_of_its_seed() {
        let pieces = [60_006, 60_009].map(|seed| one_ply_game(&weights::embedded_common(), seed));
        assert_eq!(pieces, [49, 348]);
    }
}
