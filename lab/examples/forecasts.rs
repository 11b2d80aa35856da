//! Do the forecasts and losses of a review hold off the paths of our own players? Plays games on from boards of three sources: games of `plateau17`, games
//! of `maxout-fast` in which one piece in twenty locks a column beside where it should, and recordings of people. All from level 18 or 19 up to level 28.
//!
//! `cargo run --release -p maxout-lab --example forecasts -- play forecasts.csv 100 20 4 64 GAME.ngf.gz...` takes 100 boards of each source and 20
//! mistakes and blunders, and plays 10 games on from each board and 30 pairs from each mistake for 64 pieces, four times over. `maxout-fast` judges and plays on, with
//! 30 Hz, up to level 29. A round adds a row for each; a run that was interrupted goes on where it stopped. Without recordings there are two sources.
//! `... -- table forecasts.csv forecasts.svg` prints forecast and result by decile and source, says whether each bound is kept, and draws both.

use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use maxout_engine::analysis::{Analyst, Judgement, MoveClass, PairedPlayout};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_engine::{Env, Position};
use maxout_gallery::find;
use maxout_host::review::of_frames;
use maxout_lab::research::{mean, rows, usage};
use maxout_record::champs::Frames;
use maxout_rules::Placement;
use maxout_rules::random::Dice;
use mean::mean;

/// The first seed of the games; nothing was fitted on these seeds.
const FIRST_SEED: u64 = 97_000_000;
/// Who plays. People come last.
const SOURCES: [&str; 3] = ["plateau17", "maxout-fast, 5 % beside", "people"];
const PEOPLE: usize = 2;
/// Which of the pieces of the second source lock beside where they should: one in this number.
const ONE_BESIDE: usize = 20;
/// Games from each board, and pairs from each mistake, in a round.
const GAMES: [u64; 2] = [10, 30];
/// Pairs by which a review measures a loss, and the pieces of each.
const PAIRS: u64 = 100;
const PIECES: usize = 32;
/// The bounds: top-outs and points by decile; a loss is off by this share of it or this number of points.
const TOPOUT: f64 = 0.03;
const POINTS: f64 = 15_000.0;
const LOSS: [f64; 2] = [0.25, 4_000.0];
const HEADER: &str = "source,number,kind,round,level,lines_left,class,points,topout,loss,counts,games,made,topouts,lost,lost_squared,luck,luck_squared,lost_luck";

type Placed = (Position, Placement);

struct Cast {
    analyst: Analyst,
    fast: Expectimax,
    plateau: Box<dyn Policy>,
}

impl Cast {
    fn new() -> Self {
        let limits = Limits::EACH_BUTTON;
        let fast = find("maxout-fast").expect("a player");
        let plateau = find("plateau17").ok().and_then(|player| player.policy(limits.into()));
        Self {
            analyst: fast.analyst(Foresight::DEFAULT).expect("an analyst"),
            fast: Expectimax::new(weights::embedded_for(limits), Widths::FAST, limits),
            plateau: plateau.expect("a policy"),
        }
    }

    /// All placements of a game of one of the players.
    fn game(&mut self, source: usize, number: u64) -> Vec<Placed> {
        let mut dice = Dice::of([FIRST_SEED + source as u64, number]);
        let seed = (FIRST_SEED + number) << 2 | source as u64;
        let rules = EnvRules::game(18 + (number % 2) as u8).with_moves(Limits::EACH_BUTTON);
        let (mut env, mut placed, mut list) = (Env::new(rules, seed), Vec::new(), Vec::new());
        while env.end().is_none() && env.progress().level < 29 {
            let position = env.position();
            let best = if source == 0 { self.plateau.choose(&position) } else { self.fast.best(&position) };
            let Some(mut at) = best else { break };
            if source == 1 && dice.below(ONE_BESIDE) == 0 {
                env.placements(&mut list);
                list.retain(|other| other.x.abs_diff(at.x) == 1 && other.orientation == at.orientation);
                at = if list.is_empty() { at } else { list[dice.below(list.len())] };
            }
            if env.step(at).is_err() {
                break;
            }
            placed.push((position, at));
        }
        placed
    }

    /// A placement of the game that is drawn, judged: any, or a mistake or blunder.
    fn judged(
        &mut self,
        mut game: Vec<Placed>,
        dice: &mut Dice,
        mistakes: bool,
        skip: u64,
    ) -> Option<(Position, Judgement)> {
        (1..game.len()).rev().for_each(|last| game.swap(last, dice.below(last + 1)));
        let analyst = &mut self.analyst;
        game.into_iter()
            .filter(|(position, _)| position.next.is_some())
            .filter_map(|(position, at)| Some((position, analyst.judge(&position, at).ok()?)))
            .filter(|(_, judged)| {
                !mistakes || matches!(judged.class, MoveClass::Mistake | MoveClass::Blunder)
            })
            .nth(usize::try_from(skip).ok()?)
    }

    /// Plays a game on to level 29. Returns its points, and 1 if it tops out.
    fn play_on(&mut self, position: &Position, placement: Placement, seed: u64) -> [f64; 2] {
        let end = self.analyst.play_on(position, placement, usize::MAX, seed);
        [end.points.into(), end.topout.into()]
    }

    /// What a review says that a placement lost, which plays on from it.
    fn counts(&mut self, position: &Position, judged: &Judgement, seed: u64) -> f64 {
        let both = [judged.best.placement, judged.verdict.placement];
        let play = |pair| self.analyst.play_pair(position, both, PIECES, 1_u64 << 63 | pair << 32 | seed);
        let pairs: Vec<_> = (0..PAIRS).map(play).collect();
        let middle = |of: &[f64]| of.iter().sum::<f64>() / of.len() as f64;
        let [lost, luck] = [
            pairs.iter().map(|pair| pair.lost).collect(),
            pairs.iter().map(|pair| pair.luck).collect::<Vec<_>>(),
        ];
        let (mean_lost, mean_luck) = (middle(&lost), middle(&luck));
        let both: f64 =
            lost.iter().zip(&luck).map(|(lost, luck)| (lost - mean_lost) * (luck - mean_luck)).sum();
        let share = both / luck.iter().map(|luck| (luck - mean_luck).powi(2)).sum::<f64>().max(1.0);
        let (lost, error) =
            mean(&lost.iter().zip(&luck).map(|(lost, luck)| lost - share * luck).collect::<Vec<_>>());
        let mut judged = judged.clone();
        judged.weigh(position.progress.level, lost as f32, error as f32);
        f64::from(judged.loss)
    }

    /// The row of a round; none if the game has no such placement.
    fn row(
        &mut self,
        people: &[Vec<Placed>],
        [source, number, mistakes, round]: [usize; 4],
        pieces: usize,
    ) -> Option<String> {
        let id = number as u64;
        let (game, skip) = if source == PEOPLE {
            (people[number % people.len()].clone(), id / people.len() as u64)
        } else {
            (self.game(source, id), 0)
        };
        let key = if source == PEOPLE { id % people.len() as u64 } else { id };
        let mut dice = Dice::of([FIRST_SEED + 100 + source as u64, key]);
        let (position, judged) = self.judged(game, &mut dice, mistakes == 1, skip)?;
        let seed = (number << 3 | source << 1 | mistakes) as u64;
        let counts = if mistakes == 1 && round == 0 { self.counts(&position, &judged, seed) } else { 0.0 };
        let (mut sums, games) = ([0.0; 7], GAMES[mistakes]);
        for game in games * round as u64..games * (round as u64 + 1) {
            let seed = game << 32 | seed;
            let one = if mistakes == 1 {
                let both = [judged.best.placement, judged.verdict.placement];
                let PairedPlayout { lost, luck, .. } = self.analyst.play_pair(&position, both, pieces, seed);
                [0.0, 0.0, lost, lost * lost, luck, luck * luck, lost * luck]
            } else {
                let [points, topout] = self.play_on(&position, judged.best.placement, seed);
                [points, topout, 0.0, 0.0, 0.0, 0.0, 0.0]
            };
            sums.iter_mut().zip(one).for_each(|(sum, one)| *sum += one);
        }
        let outlook = self.analyst.outlook(position.progress);
        Some(format!(
            "{},{number},{},{round},{},{},{},{:.1},{:.5},{:.1},{counts:.1},{games},{}\n",
            source,
            ["board", "loss"][mistakes],
            position.progress.level,
            outlook.lines,
            judged.class.name(),
            judged.best.points,
            judged.best.topout,
            judged.loss,
            sums.map(|sum| format!("{sum:.1}")).join(",")
        ))
    }
}

/// Plays the rows that `file` does not have yet, round by round.
fn play(file: &str, [boards, losses, rounds, pieces]: [usize; 4], recordings: &[&str]) -> io::Result<()> {
    let mut people = Vec::new();
    for source in recordings {
        let games = of_frames(Frames::new(File::open(source)?), None)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let placed =
            games.into_iter().flat_map(|game| game.pieces).filter(|placed| placed.progress.level < 29);
        people.push(placed.map(|placed| (placed.position(), placed.placement)).collect::<Vec<_>>());
    }
    let key = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        Some([
            cells.first()?.parse().ok()?,
            cells.get(1)?.parse().ok()?,
            usize::from(*cells.get(2)? == "loss"),
            cells.get(3)?.parse().ok()?,
        ])
    };
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let done: HashSet<[usize; 4]> = done.into_iter().collect();
    let sources = if people.is_empty() { PEOPLE } else { SOURCES.len() };
    let mut wanted = Vec::new();
    for round in 0..rounds {
        for (mistakes, most) in [boards, losses].into_iter().enumerate() {
            wanted.extend(
                (0..most)
                    .flat_map(|number| (0..sources).map(move |source| [source, number, mistakes, round])),
            );
        }
    }
    wanted.retain(|key| !done.contains(key));
    let next = AtomicUsize::new(0);
    rows::on_all_cores(|| {
        let mut cast = Cast::new();
        while let Some(key) = wanted.get(next.fetch_add(1, Ordering::Relaxed)) {
            if let Some(row) = cast.row(&people, *key, pieces) {
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
        Ok(())
    })
}

/// A board or a mistake with all of its games.
#[derive(Clone, Default)]
struct Case {
    source: usize,
    class: String,
    /// Forecast points, top-out and loss, and what the loss counts as.
    said: [f64; 4],
    /// The games, and sums of points, top-outs, points lost, their squares, luck, its squares, and points lost times luck.
    games: f64,
    sums: [f64; 7],
}

impl Case {
    fn made(&self, which: usize) -> f64 {
        self.sums[which] / self.games
    }

    /// The mean loss without what luck explains, and its variance.
    fn lost(&self) -> (f64, f64) {
        let [lost, squares, luck, luck_squares, both] = [2, 3, 4, 5, 6].map(|which| self.made(which));
        let luck_variance = (luck_squares - luck * luck).max(1.0);
        let share = (both - lost * luck) / luck_variance;
        let variance = (squares - lost * lost - share * share * luck_variance).max(0.0) / (self.games - 2.0);
        (lost - share * luck, variance)
    }

    fn off(&self, which: usize) -> f64 {
        self.said[which] - self.lost().0
    }
}

/// Returns boards and losses.
fn read(file: &str) -> io::Result<[Vec<Case>; 2]> {
    let text =
        fs::read_to_string(file).map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))?;
    let mut cases: [BTreeMap<[usize; 2], Case>; 2] = Default::default();
    for line in text.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let number = |at: usize| cells.get(at).and_then(|cell| cell.parse::<f64>().ok());
        let (Some(source), Some(index), Some(games)) = (number(0), number(1), number(11)) else { continue };
        let case =
            cases[usize::from(cells[2] == "loss")].entry([source as usize, index as usize]).or_default();
        case.source = source as usize;
        cells[6].clone_into(&mut case.class);
        // What a loss counts as is told in the first round alone.
        let counts = case.said[3];
        case.said = [7, 8, 9, 10].map(|at| number(at).unwrap_or(f64::NAN));
        case.said[3] += counts;
        case.games += games;
        (0..7).for_each(|sum| case.sums[sum] += number(12 + sum).unwrap_or(f64::NAN));
    }
    Ok(cases.map(|cases| cases.into_values().collect()))
}

/// What a part of the boards says and made, with the errors of both means.
struct Part {
    name: String,
    number: usize,
    points: [(f64, f64); 2],
    topouts: [(f64, f64); 2],
    off: [(f64, f64); 2],
}

impl Part {
    fn of(name: String, cases: &[&Case]) -> Self {
        let of =
            |value: &dyn Fn(&Case) -> f64| mean(&cases.iter().map(|case| value(case)).collect::<Vec<_>>());
        let both = |which: usize| [of(&|case| case.said[which]), of(&|case| case.made(which))];
        let off = |which: usize| of(&|case| case.said[which] - case.made(which));
        Self { name, number: cases.len(), points: both(0), topouts: both(1), off: [off(0), off(1)] }
    }

    fn print(&self) {
        let [(points, points_error), (topout, topout_error)] = self.off;
        println!(
            "{:<26} {:>4} {:>10.0} {:>10.0} {points:>+8.0} ± {points_error:<6.0} {} {:>6.1} {:>6.1} {:>+6.1} ± {:<4.1} {}",
            self.name,
            self.number,
            self.points[0].0,
            self.points[1].0,
            verdict(points.abs(), points_error, POINTS),
            100.0 * self.topouts[0].0,
            100.0 * self.topouts[1].0,
            100.0 * topout,
            100.0 * topout_error,
            verdict(topout.abs(), topout_error, TOPOUT),
        );
    }
}

/// Whether a number is within its bound, and a mark if that is not sure by two standard errors.
fn verdict(off: f64, error: f64, bound: f64) -> String {
    let sure = if (off - bound).abs() > 2.0 * error { " " } else { "?" };
    format!("{}{sure}", if off <= bound { "kept" } else { "OVER" })
}

fn deciles(boards: &[Case], which: usize) -> impl Iterator<Item = Vec<&Case>> {
    let mut sorted: Vec<&Case> = boards.iter().collect();
    sorted.sort_by(|a, b| a.said[which].total_cmp(&b.said[which]));
    (0..10)
        .map(move |part| sorted[part * sorted.len() / 10..(part + 1) * sorted.len() / 10].to_vec())
        .filter(|part| part.len() > 1)
}

fn table(boards: &[Case], losses: &[Case]) -> [Vec<Part>; 2] {
    let games = boards.iter().map(|case| case.games).sum::<f64>() / boards.len().max(1) as f64;
    let title = |what: &str| {
        println!(
            "\n{what:<26}    n  points: said      made          said too much  top-outs %: said, made, too much"
        );
    };
    println!("{} boards, {games:.0} games from each", boards.len());
    let parts = [(0, "by forecast points"), (1, "by forecast top-outs")].map(|(which, what)| {
        title(what);
        let parts: Vec<Part> = deciles(boards, which)
            .zip(1..)
            .map(|(part, number)| Part::of(format!("decile {number}"), &part))
            .collect();
        parts.iter().for_each(Part::print);
        parts
    });
    title("by source");
    for (source, name) in SOURCES.iter().enumerate() {
        let own: Vec<&Case> = boards.iter().filter(|case| case.source == source).collect();
        Part::of((*name).to_owned(), &own).print();
    }
    Part::of("all".to_owned(), &boards.iter().collect::<Vec<_>>()).print();
    println!(
        "\nmistakes and blunders         n  pairs   forecast     counts   measured          forecast off: mean, absolute, less the noise   counts off: the same      allowed"
    );
    let print = |name: &str, cases: &[&Case]| {
        if cases.len() < 2 {
            return;
        }
        let of =
            |value: &dyn Fn(&Case) -> f64| mean(&cases.iter().map(|case| value(case)).collect::<Vec<_>>());
        let (lost, error) = of(&|case| case.lost().0);
        let off = |which: usize| {
            let clean = of(&|case| case.off(which).powi(2) - case.lost().1).0.max(0.0).sqrt();
            let ((bias, error), (absolute, _)) =
                (of(&|case| case.off(which)), of(&|case| case.off(which).abs()));
            format!("{bias:>+8.0} ± {error:<6.0} {absolute:>7.0} {clean:>7.0}")
        };
        let allowed = of(&|case| (LOSS[0] * case.lost().0).max(LOSS[1])).0;
        println!(
            "{name:<26} {:>4} {:>6.0} {:>10.0} {:>10.0} {lost:>10.0} ± {error:<6.0}  {}   {} {allowed:>8.0}",
            cases.len(),
            of(&|case| case.games).0,
            of(&|case| case.said[2]).0,
            of(&|case| case.said[3]).0,
            off(2),
            off(3),
        );
    };
    for (source, name) in SOURCES.iter().enumerate() {
        print(name, &losses.iter().filter(|case| case.source == source).collect::<Vec<_>>());
    }
    for class in ["Mistake", "Blunder"] {
        print(class, &losses.iter().filter(|case| case.class == class).collect::<Vec<_>>());
    }
    print("all", &losses.iter().collect::<Vec<_>>());
    parts
}

/// Draws forecast and result by decile: points, and top-outs in percent by their square roots.
fn plot([points, topouts]: &[Vec<Part>; 2], file: &str) -> io::Result<()> {
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 800 400\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"800\" height=\"400\" fill=\"#fff\"/>\n",
    );
    let most =
        points.iter().flat_map(|part| part.points.map(|(points, _)| points)).fold(1.0, f64::max) * 1.05;
    let pairs = |parts: &[Part], of: fn(&Part) -> [(f64, f64); 2]| {
        parts.iter().map(|part| (of(part), part.off)).collect::<Vec<_>>()
    };
    for (left, title, dots, off, most) in [
        (0.0, "Points: forecast (right), made (up)", pairs(points, |part| part.points), 0, most),
        (400.0, "Top-outs: forecast (right), made (up)", pairs(topouts, |part| part.topouts), 1, 1.0),
    ] {
        let at = |value: f64| {
            320.0 * if off == 1 { (value.max(0.0) / most).sqrt() } else { value.max(0.0) / most }
        };
        svg += &format!(
            "<text x=\"{:.0}\" y=\"18\">{title}</text><path d=\"M{0:.0} 40V360H{1:.0} M{0:.0} 360L{1:.0} 40\" fill=\"none\" stroke=\"#888\"/>\n",
            left + 50.0,
            left + 370.0
        );
        for (both, offs) in dots {
            let [(said, _), (made, _)] = both;
            let error = 2.0 * offs[off].1;
            let (x, [low, y, high]) =
                (left + 50.0 + at(said), [made - error, made, made + error].map(|made| 360.0 - at(made)));
            svg += &format!(
                "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"#1668b8\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1668b8\"/>\n"
            );
        }
    }
    fs::write(file, svg + "</svg>\n")
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "play FILE.csv BOARDS LOSSES ROUNDS PIECES [RECORDING...], or table FILE.csv FILE.svg",
        )
    };
    let number = |text: &str| text.parse::<usize>().map_err(|_| usage());
    match *arguments {
        ["play", file, boards, losses, rounds, pieces, ref recordings @ ..] => {
            play(file, [number(boards)?, number(losses)?, number(rounds)?, number(pieces)?], recordings)
        }
        ["table", file, svg] => {
            let [boards, losses] = read(file)?;
            plot(&table(&boards, &losses), svg)
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
