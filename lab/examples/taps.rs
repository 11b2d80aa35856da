//! Are the forecasts for slow taps right, up to level 28? Boards of weaker players, their slips among them, at these taps; two games are played
//! on from each with the same pieces: from the placement that the analysis finds best, and from the one that was played.
//!
//! `cargo run --release -p maxout-lab --example taps -- play taps.csv maxout-2ply 12hz 47000000..47002000 8` plays eight such pairs for each of 2,000
//! boards, by `maxout-2ply`; a run that was interrupted goes on where it stopped. `... -- table taps.csv` compares the games with
//! the forecasts. `... -- fit taps.csv` prints by what `TAP_HAZARDS` and `TAP_POINTS` (`crates/engine/src/analysis/parameters.rs`) must be
//! multiplied; these forecasts are right where both are 1.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::analysis::{Analyst, GamePlayouts, Verdict};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::player::{Entry, Policy};
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_engine::{Env, Position};
use maxout_gallery::find;
use maxout_lab::research::{mean, rows, usage};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Placement, Progress, lines_to_29};
use mean::mean;

/// Who builds boards; two times in five it is the learned value, two pieces deep.
const PLAYERS: [&str; 3] = ["plateau17", "dellacherie", "el-tetris"];
/// Shares of pieces that lock a column beside where they should.
const SLIPS: [f64; 4] = [0.0, 0.03, 0.08, 0.2];
const HEADER: &str = "board,player,level,lines_left,games,best,best_topout,own,own_topout,made_best,made_own,lost_best,lost_own";

struct Cast {
    limits: Limits,
    published: Vec<Box<dyn Policy>>,
    search: Expectimax,
    analyst: Analyst,
    playouts: GamePlayouts,
    list: Vec<Placement>,
}

impl Cast {
    fn new(player: &Entry, limits: Limits) -> io::Result<Self> {
        let network = weights::embedded_for(limits);
        let search = |widths| Expectimax::new(network.clone(), widths, limits);
        let widths = if player.plies() > 2 { Widths::FAST } else { Widths::TWO };
        let analyst = player.with_limits(limits).and_then(|player| player.analyst(Foresight::DEFAULT));
        let published = PLAYERS.iter().filter_map(|name| find(name).ok()?.policy(limits.into()));
        Ok(Self {
            limits,
            published: published.collect(),
            search: search(Widths::TWO),
            analyst: analyst.ok_or_else(|| io::Error::other("expected a player on the learned value"))?,
            playouts: GamePlayouts::of(search(widths), limits),
            list: Vec::new(),
        })
    }

    /// Where this player puts the piece in play, and with what chance a column beside.
    fn pick(&mut self, player: usize, slips: f64, env: &Env, dice: &mut Dice) -> Option<Placement> {
        env.placements(&mut self.list);
        let best = match self.published.get_mut(player) {
            Some(published) => published.choose(&env.position()),
            None => self.search.best(&env.position()),
        };
        let best = best.filter(|best| self.list.contains(best))?;
        let slips_now = (dice.below(1 << 20) as f64) < slips * f64::from(1u32 << 20);
        let beside =
            |other: &&Placement| other.x.abs_diff(best.x) == 1 && other.orientation == best.orientation;
        let near: Vec<_> = self.list.iter().filter(beside).copied().collect();
        Some(if slips_now && !near.is_empty() { near[dice.below(near.len())] } else { best })
    }

    /// Board number `index`: who built it, the position, and what is said of the best placement and of the one that was played.
    fn board(&mut self, index: u64) -> (usize, Position, [Verdict; 2]) {
        (0..).find_map(|attempt| self.reached(index, attempt)).expect("some game lasts long enough")
    }

    fn reached(&mut self, index: u64, attempt: u64) -> Option<(usize, Position, [Verdict; 2])> {
        let mut dice = Dice::of([index, attempt]);
        let (player, slips) = (dice.below(5), SLIPS[dice.below(SLIPS.len())]);
        let start = [18, 19, 19][dice.below(3)];
        let mut progress = Progress::at(0, start);
        (0..dice.roll(lines_to_29(start) - 30)).for_each(|_| progress.add_rows(1));
        let rules = EnvRules { until_level: None, ..EnvRules::game(start) }.with_moves(self.limits);
        let mut env = Env::from_position(rules, index << 16 | attempt, Board::EMPTY, progress);
        let pieces = 15 + u64::from(dice.roll(60));
        while env.pieces() < pieces {
            let placement = self.pick(player, slips, &env, &mut dice)?;
            env.step(placement).ok()?;
        }
        let position = env.position();
        if env.end().is_some() || position.progress.level >= 29 {
            return None;
        }
        let played = self.pick(player, slips.max(0.2), &env, &mut dice)?;
        let said = self.analyst.rank_with(&position, Some(played));
        let own = said.iter().find(|verdict| verdict.placement == played)?;
        Some((player.min(PLAYERS.len()), position, [said[0], *own]))
    }
}

/// Plays the boards that `file` does not have yet.
fn play(file: &str, player: &Entry, taps: TapTable, boards: Range<u64>, pairs: u64) -> io::Result<()> {
    let limits = if taps == TapTable::HZ_30 { Limits::EACH_BUTTON } else { Limits::taps(taps) };
    let (done, out) = rows::go_on(file, HEADER, |line| line.split(',').next()?.parse::<u64>().ok())?;
    let done: HashSet<u64> = done.into_iter().collect();
    let next = AtomicU64::new(boards.start);
    rows::on_all_cores(|| {
        let mut cast = Cast::new(player, limits)?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= boards.end {
                return Ok(());
            }
            if !done.contains(&index) {
                let row = row(index, pairs, &mut cast);
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
    })
}

fn row(index: u64, pairs: u64, cast: &mut Cast) -> String {
    let (player, position, said) = cast.board(index);
    let [best, own] = &said;
    let ([mut made, mut lost], count) = ([[0.0; 2]; 2], pairs as f64);
    for pair in 0..pairs {
        let mut played = None;
        for (which, verdict) in said.iter().enumerate() {
            let same = played.filter(|_| own.placement == best.placement);
            let seed = pair << 32 | index;
            let played = *played
                .insert(same.unwrap_or_else(|| cast.playouts.play(&position, verdict.placement, seed)));
            made[which] += played.points as f64 / count;
            lost[which] += f64::from(u8::from(played.topped_out)) / count;
        }
    }
    let (level, lines) = (position.progress.level, cast.analyst.outlook(position.progress).lines);
    format!(
        "{index},{player},{level},{lines},{pairs},{:.1},{:.6},{:.1},{:.6},{:.1},{:.1},{:.4},{:.4}\n",
        best.points, best.topout, own.points, own.topout, made[0], made[1], lost[0], lost[1]
    )
}

/// A placement: what was forecast and what games made of it, as points and shares that topped out.
#[derive(Clone, Copy)]
struct One {
    level: u8,
    games: f64,
    said: [f64; 2],
    made: [f64; 2],
}

/// The best placement on each board and the one that was played.
fn read(file: &str) -> io::Result<Vec<[One; 2]>> {
    let text =
        fs::read_to_string(file).map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))?;
    let one = |line: &str| {
        let cells: Vec<f64> = line.split(',').map(str::parse).collect::<Result<_, _>>().ok()?;
        let &[
            _,
            _,
            level,
            _,
            games,
            best,
            best_topout,
            own,
            own_topout,
            made_best,
            made_own,
            lost_best,
            lost_own,
        ] = &cells[..]
        else {
            return None;
        };
        let of = |said, made| One { level: level as u8, games, said, made };
        Some([of([best, best_topout], [made_best, lost_best]), of([own, own_topout], [made_own, lost_own])])
    };
    Ok(text.lines().skip(1).filter_map(one).collect())
}

/// Forecasts against games, by forecast top-out, and losses by how large they are said to be.
fn table(all: &[[One; 2]]) {
    println!("levels   top-out forecast    n  mean  measured           points forecast   made");
    for (name, levels) in [("up to 18", 0..19), ("19 to 28", 19..29)] {
        for band in [0.0..0.03, 0.03..0.1, 0.1..0.3, 0.3..0.7, 0.7..1.01] {
            let in_band: Vec<One> = all
                .iter()
                .map(|[best, _]| *best)
                .filter(|best| levels.contains(&best.level) && band.contains(&best.said[1]))
                .collect();
            if in_band.len() < 5 {
                continue;
            }
            let of = |value: &dyn Fn(&One) -> f64| mean(&in_band.iter().map(value).collect::<Vec<_>>());
            let ((said, _), (lost, error)) = (of(&|one| one.said[1]), of(&|one| one.made[1]));
            let ((points, _), (made, _)) = (of(&|one| one.said[0]), of(&|one| one.made[0]));
            let (_, apart) = of(&|one| one.made[0] - one.said[0]);
            println!(
                "{name}  {:>3.0} to {:>3.0} % {:>9} {:>5.1} {:>5.1} ± {:<4.1} % {points:>16.0} {made:>9.0} ± {apart:.0}",
                100.0 * band.start,
                100.0 * band.end.min(1.0),
                in_band.len(),
                100.0 * said,
                100.0 * lost,
                100.0 * error
            );
        }
    }
    let mut losses: Vec<[f64; 2]> = all
        .iter()
        .map(|[best, own]| [best.said[0] - own.said[0], best.made[0] - own.made[0]])
        .filter(|[said, _]| *said > 0.0)
        .collect();
    losses.sort_by(|a, b| a[0].total_cmp(&b[0]));
    println!("placements  lost: stated  measured");
    for part in 0..5 {
        let part = &losses[part * losses.len() / 5..(part + 1) * losses.len() / 5];
        let of = |which: usize| mean(&part.iter().map(|loss| loss[which]).collect::<Vec<_>>());
        println!("{:>10} {:>13.0} {:>9.0} ± {:.0}", part.len(), of(0).0, of(1).0, of(1).1);
    }
}

/// The exponent of the share that is not lost by which these games are most likely, and what they make as a share of the forecast, if a game
/// that only these taps lose makes a share of `before`.
fn fit(all: &[[One; 2]], before: f64) {
    for (name, levels) in [("19 to 28", 19..29), ("up to 18", 0..19)] {
        let ones = || all.iter().flatten().filter(|one| levels.contains(&one.level));
        let alive = |one: &One| (1.0 - one.said[1]).clamp(0.0001, 0.9995);
        let likelihood = |hazard: f64| {
            let of = |one: &One| {
                let live = alive(one).powf(hazard).clamp(0.0001, 0.9999);
                one.games * (one.made[1] * (1.0 - live).ln() + (1.0 - one.made[1]) * live.ln())
            };
            ones().map(of).sum::<f64>()
        };
        let hazards = (10..800).map(|step| f64::from(step) / 50.0);
        let Some(hazard) = hazards.max_by(|a, b| likelihood(*a).total_cmp(&likelihood(*b))) else { return };
        let expected = |one: &One| {
            let still = (alive(one).powf(hazard) / alive(one)).min(1.0);
            one.said[0] * (still + before * (1.0 - still))
        };
        let (made, square) = ones().fold((0.0, 0.0), |(made, square), one| {
            (made + expected(one) * one.made[0], square + expected(one).powi(2))
        });
        println!(
            "levels {name}: hazards × {hazard:.2}, points × {:.4} ({} placements)",
            made / square,
            ones().count()
        );
    }
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage =
        || usage::expected("play FILE.csv PLAYER TAPS FIRST..END PAIRS, table FILE.csv, or fit FILE.csv");
    match *arguments {
        ["play", file, player, taps, boards, pairs] => {
            let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
            let (first, end) = boards.split_once("..").ok_or_else(usage)?;
            let player = find(player).map_err(io::Error::other)?;
            let taps = taps.parse().map_err(|_| usage())?;
            play(file, player, taps, number(first)?..number(end)?, number(pairs)?)
        }
        ["table", file] => {
            table(&read(file)?);
            Ok(())
        }
        ["fit", file] => {
            fit(&read(file)?, 0.3);
            Ok(())
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
