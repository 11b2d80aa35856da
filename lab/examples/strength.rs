//! How strong is a search, with the luck of the pieces taken out? Plays games from level 19 to level 29 and prints the mean
//! line points, plain and less luck.
//!
//! `cargo run --release -p maxout-lab --example strength -- 20000 200 default` plays 200 games, from seed 20000 on.
//! The widths are `two`, `fast`, `default`, or plies of deepening as CANDIDATES:MARGIN:REPLIES, separated by commas. Weights files may
//! follow; all of them together are what the player uses instead of the embedded ones. Then the same games are played with the embedded ones,
//! too, and the mean differences are printed, game by game.
//!
//! Luck: whenever a new next piece appears, what the position is then worth, less what it was worth on average before. Both are
//! by the values of one network that is the same for all searches, so a good one changes the spread of the result but not its
//! mean; see lab/notebook/strength.md.

use std::io;
use std::process::ExitCode;

use maxout_engine::Env;
use maxout_engine::env::EnvRules;
use maxout_engine::eval::ntuple::{Network, odds};
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, ExpectimaxParameters, Ply, Widths};
use maxout_lab::research::{games, mean, usage, weights_files};
use maxout_rules::{Placement, Progress, line_points};
use mean::mean;

/// The discount of the learned values.
const GAMMA: f32 = ExpectimaxParameters::DEFAULT.discount;

/// What a value of the endless game is worth in points, by the lines that are left.
fn worth(progress: Progress, value: f32) -> f32 {
    if progress.level >= 29 {
        return 0.0;
    }
    let left = (230 - progress.lines().min(230)).max(17) as f32;
    1_200.0 * (f32::from(progress.level) + 1.0) * value * (1.0 - GAMMA.powf(2.5 * left))
}

/// How lucky it is that `next` comes, in points.
fn luck(env: &Env, network: &Network, placements: &mut Vec<Placement>) -> f32 {
    env.placements(placements);
    let mut best = [f32::MIN; 7];
    for placement in &*placements {
        let (mut board, mut progress) = (*env.board(), env.progress());
        let lines = board.lock(placement.x, placement.y, placement.orientation).min(4);
        progress.add_rows(lines);
        let reward = line_points(lines, progress.level) as f32;
        let values = network.values_at(&Shape::of(&board), 0);
        for (best, value) in best.iter_mut().zip(values) {
            *best = best.max(reward + GAMMA * worth(progress, value));
        }
    }
    if placements.is_empty() {
        return 0.0;
    }
    let mean: f32 = odds(env.piece()).iter().zip(best).map(|(odds, best)| odds * best).sum();
    best[env.next_piece() as usize] - mean
}

/// Line points, luck, burned lines, and whether level 29 was reached.
type Played = (f64, f64, f64, bool);

/// Plays the game of a seed.
fn game(seed: u64, search: &mut Expectimax, judge: &Network) -> Played {
    let mut env = Env::new(EnvRules::game(19), seed);
    let (mut points, mut lucky, mut burned) = (0u64, 0.0, 0u64);
    let mut placements = Vec::new();
    while env.end().is_none() {
        lucky += f64::from(luck(&env, judge, &mut placements));
        let Some(best) = search.best(&env.position()) else {
            break;
        };
        let before = env.lines();
        let Ok(step) = env.step(best) else { break };
        points += step.reward;
        let lines = env.lines() - before;
        burned += if lines == 4 { 0 } else { lines };
    }
    (points as f64, lucky, burned as f64, env.progress().level >= 29)
}

/// Parses the widths: a name, or plies of deepening.
fn parse_widths(text: &str) -> Option<Widths> {
    let ply = |text: &str| {
        let mut parts = text.split(':');
        let (candidates, margin, replies) = (parts.next()?, parts.next()?, parts.next()?);
        let ply = Ply {
            candidates: candidates.parse().ok()?,
            margin: margin.parse().ok().filter(|margin: &f32| *margin >= 0.0)?,
            replies: replies.parse().ok()?,
        };
        parts.next().is_none().then_some(ply)
    };
    Some(match text {
        "two" => Widths::TWO,
        "fast" => Widths::FAST,
        "default" => Widths::DEFAULT,
        plies => {
            let deeper = plies.split(',').map(ply).collect::<Option<_>>()?;
            Widths { first: 22, deeper, alone: Vec::new().into() }
        }
    })
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let read = || {
        let [first, games, widths, files @ ..] = arguments else { return None };
        Some((first.parse::<u64>().ok()?, games.parse::<u64>().ok()?, parse_widths(widths)?, files))
    };
    let (first, games, widths, files) = read().ok_or_else(|| {
        usage::expected(
            "FIRST_SEED GAMES WIDTHS [WEIGHTS...], such as 20000 200 default; the widths are two, fast, default, or plies of \
             deepening as CANDIDATES:MARGIN:REPLIES, separated by commas",
        )
    })?;
    let network = weights_files::network(files, Limits::EACH_BUTTON)?;
    let judge = weights::base();
    let player = || Expectimax::new(network.clone(), widths.clone(), Limits::EACH_BUTTON);
    let all = games::in_order(games, player, |search, index| game(first + index, search, &judge));
    let of = |f: fn(&Played) -> f64| all.iter().map(f).collect::<Vec<_>>();
    let (points, luck) = (of(|row| row.0), of(|row| row.1));
    let say = |what: &str, numbers: &[f64]| {
        let (mean, error) = mean(numbers);
        println!("{what} {mean:.1} ± {error:.1}");
    };
    say("line points", &points);
    say("luck", &luck);
    for factor in [0.5, 0.75, 1.0] {
        let less: Vec<f64> = points.iter().zip(&luck).map(|(points, luck)| points - factor * luck).collect();
        say(&format!("less {factor} luck"), &less);
    }
    say("burned lines", &of(|row| row.2));
    say("reaches 29", &of(|row| f64::from(u8::from(row.3))));
    if !files.is_empty() {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let player = || Expectimax::new(network.clone(), widths.clone(), Limits::EACH_BUTTON);
        let others = games::in_order(games, player, |search, index| game(first + index, search, &judge));
        let more = |f: &dyn Fn(&Played) -> f64| -> Vec<f64> {
            all.iter().zip(&others).map(|(row, other)| f(row) - f(other)).collect()
        };
        say("line points, more than with the embedded weights", &more(&|row| row.0));
        say("the same less 0.75 luck", &more(&|row| row.0 - 0.75 * row.1));
        say("burned lines, more", &more(&|row| row.2));
        say("reaches 29, more", &more(&|row| f64::from(u8::from(row.3))));
    }
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
