//! Where does the luck of a review come from? Judges games piece by piece and asks for the forecast behind each placement with each of the seven pieces
//! that may then appear. If forecasts are right, what a placement pays and the mean of these seven is what was forecast of the placement.
//!
//! `cargo run --release -p maxout-lab --example drift -- people drift.csv maxout-fast 20hz 0..40` plays 40 games of simulated people from level 18 to
//! level 29 and adds a row for each placement; a run that was interrupted goes on where it stopped. Simulated people keep the well on the right or let it
//! be, have noise in what they see, let pieces lock a column beside where they should, or are published players that do so.
//! `... -- read drift.csv maxout-fast 30hz GAME.ngf.gz...` does the same for recordings. `... -- paths paths.csv maxout-fast 20hz 0..40` plays on
//! from some of the placements of such games, more where they leave bad boards, by the best placements, for 20 pieces, with a row for each.
//! `... -- worst worst.csv maxout-fast 20hz 0..40` plays on from the ten worst placements of each game, twice, with other pieces each time.
//! `... -- table drift.csv` prints the mean drift by what is seen of a board.

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::Mutex;

use maxout_engine::analysis::{Analyst, Judgement, OutcomeInputs, OutcomeNetwork, PairedPlayout};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::ntuple::odds;
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Foresight, PlacementValue, Widths};
use maxout_engine::{Env, Position};
use maxout_gallery::find;
use maxout_host::review::of_frames;
use maxout_lab::research::{mean, rows, usage};
use maxout_record::champs::Frames;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Piece, Placement, line_points};
use mean::mean;

/// The first seed of the games; nothing was fitted on these seeds before.
const FIRST_SEED: u64 = 61_000_000;
/// Published players among the people.
const PUBLISHED: [&str; 4] = ["plateau17", "dellacherie", "el-tetris", "dellacherie-2"];
/// Of the boards of a lower quality all are played on from that are drawn, of the others one in eight; one placement in this number is drawn. Each is
/// played on for [`PIECES`] pieces.
const ORDINARY: f32 = -0.75;
const ONE_IN: usize = 8;
const PIECES: usize = 20;
/// How many placements of a game are played on from, and how many pairs of games in each set.
const WORST: usize = 10;
const PAIRS: u64 = 100;
const HEADER_OF_WORST: &str =
    "game,who,taps,level,best,best_topout,loss,topout,measured,error,measured_again,error_again";
const HEADER: &str = "game,who,taps,branch,step,level,lines_left,is_best,loss,made,best,said,said_topout,drift,luck,highest,ready,ready_left,holes,bumpiness,quality,network_topout,network,view,view_after,next,cells";

/// A simulated person.
#[derive(Clone, Copy, Debug)]
struct Person {
    /// A published player, or else the learned value with the next four.
    published: Option<usize>,
    /// Noise in the value, in tetrises.
    noise: f64,
    /// What each cell in the right column costs that does not complete four rows, in tetrises.
    well: f64,
    /// The share of pieces that lock a column beside where they should.
    slips: f64,
    /// The share of the time for which play is like that of our players.
    calm: f64,
    /// Whether play is that of our players in a mirror: with the well on the right.
    mirrored: bool,
}

impl Person {
    fn new(dice: &mut Dice) -> Self {
        let mut of = |list: &[f64]| list[dice.below(list.len())];
        let [noise, well, slips, calm] = [
            of(&[0.005, 0.02, 0.05, 0.1]),
            of(&[0.0, 0.0, 0.1, 0.3]),
            of(&[0.0, 0.005, 0.01, 0.03]),
            of(&[0.3, 0.6]),
        ];
        let published = (dice.below(4) == 0).then(|| dice.below(PUBLISHED.len()));
        let mirrored = published.is_none() && dice.below(4) > 0;
        Self { published, noise, well, slips, calm, mirrored }
    }

    fn name(&self) -> String {
        match self.published {
            Some(player) => format!("{} {}", PUBLISHED[player], self.slips),
            None => format!(
                "{} {} {} {} {}",
                if self.mirrored { "mirrored" } else { "value" },
                self.noise,
                self.well,
                self.slips,
                self.calm
            ),
        }
    }
}

fn unit(dice: &mut Dice) -> f64 {
    dice.below(1 << 20) as f64 / f64::from(1u32 << 20)
}

struct Cast {
    limits: Limits,
    taps: String,
    analyst: Analyst,
    builder: Expectimax,
    published: Vec<Box<dyn Policy>>,
    list: Vec<Placement>,
}

impl Cast {
    fn new(player: &str, taps: &str) -> io::Result<Self> {
        let wrong = || {
            io::Error::other(format!("{player}, {taps}: expected a player on the learned value, and taps"))
        };
        let limits = Limits::taps(taps.parse().map_err(|_| wrong())?);
        let analyst =
            find(player).ok().and_then(|player| player.with_limits(limits)?.analyst(Foresight::DEFAULT));
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let published = PUBLISHED.iter().filter_map(|name| find(name).ok()?.policy(limits.into()));
        Ok(Self {
            limits,
            taps: taps.to_owned(),
            analyst: analyst.ok_or_else(wrong)?,
            builder: Expectimax::new(network, Widths::TWO, limits),
            published: published.collect(),
            list: Vec::new(),
        })
    }

    /// Where this person puts the piece in play.
    fn pick(&mut self, person: &Person, env: &Env, dice: &mut Dice) -> Option<Placement> {
        env.placements(&mut self.list);
        let position = env.position();
        let best = if let Some(player) = person.published {
            self.published[player].choose(&position).filter(|best| self.list.contains(best))
        } else {
            let tetris = self.builder.ordinary(position.progress).1;
            let calm = unit(dice) < person.calm;
            let ranked =
                if person.mirrored { self.in_mirror(&position) } else { self.builder.rank(&position) };
            let worth = |placement: &Placement, value: f32, dice: &mut Dice| {
                let gumbel = -(-(unit(dice) + 1e-12).ln()).ln();
                let mut board = position.board;
                let before = Shape::of(&board).columns[9].count_ones();
                let Placement { x, y, orientation } = *placement;
                let lines = board.lock(x, y, orientation);
                let filled =
                    (Shape::of(&board).columns[9].count_ones() + u32::from(lines)).saturating_sub(before);
                let filled = if lines == 4 || calm { 0.0 } else { f64::from(filled) };
                f64::from(value / tetris) + person.noise * gumbel - person.well * filled
            };
            let noisy: Vec<_> =
                ranked.iter().map(|one| (one.placement, worth(&one.placement, one.value, dice))).collect();
            noisy.into_iter().max_by(|a, b| a.1.total_cmp(&b.1)).map(|best| best.0)
        };
        let best = best?;
        if unit(dice) >= person.slips {
            return Some(best);
        }
        let beside =
            |other: &&Placement| other.x.abs_diff(best.x) == 1 && other.orientation == best.orientation;
        let near: Vec<_> = self.list.iter().filter(beside).copied().collect();
        Some(if near.is_empty() { best } else { near[dice.below(near.len())] })
    }

    /// What the builder says of the mirrored position, of the placements that lead to the mirrored boards.
    fn in_mirror(&mut self, position: &Position) -> Vec<PlacementValue> {
        let &Position { board, start, next, progress } = position;
        let after = |board: &Board, placement: &Placement| {
            let mut board = *board;
            board.lock(placement.x, placement.y, placement.orientation);
            board
        };
        let piece = start.orientation.piece().mirrored();
        let image = Position::spawn(board.mirrored(), piece, next.map(Piece::mirrored), progress);
        let ranked = self.builder.rank(&image);
        let of = |ranked: &PlacementValue| {
            let image = after(&image.board, &ranked.placement).mirrored();
            let placement = *self.list.iter().find(|placement| after(&board, placement) == image)?;
            Some(PlacementValue { placement, value: ranked.value })
        };
        ranked.iter().filter_map(of).collect()
    }

    /// What is forecast for each piece that may be next once `placement` is played, and what it pays.
    fn then(&mut self, position: &Position, placement: Placement) -> Option<(Position, u8, [f32; 7])> {
        let &Position { mut board, start, next, progress } = position;
        let next = next?;
        let Placement { x, y, orientation } = placement;
        let lines = board.lock(x, y, orientation);
        let mut after = progress;
        after.add_rows(lines);
        let behind = Position {
            board,
            start: Start::spawn(next, after.level).by(start.fall_rule),
            next: None,
            progress: after,
        };
        let forecasts = if after.level >= 29 {
            [0.0; 7]
        } else {
            Piece::ALL.map(|piece| {
                let question = Position { next: Some(piece), ..behind };
                self.analyst.forecast(&question).map_or(0.0, |best| best.points)
            })
        };
        Some((behind, lines, forecasts))
    }

    /// A row for a placement of which `said` points and top-outs were forecast. `following` is the next piece that really came.
    fn row(
        &mut self,
        names: &str,
        position: &Position,
        placement: Placement,
        [best, said, topout]: [f32; 3],
        value: Option<f32>,
        following: Option<Piece>,
    ) -> Option<(String, [f32; 7])> {
        let (behind, lines, forecasts) = self.then(position, placement)?;
        let after = behind.progress;
        let made = line_points(lines, after.level) as f32;
        let piece = behind.start.orientation.piece();
        let mean: f32 = odds(piece).iter().zip(forecasts).map(|(odds, one)| odds * one).sum();
        let drift = made + mean - said;
        let luck = following.map_or(f32::NAN, |next| made + forecasts[next as usize] - said);
        let outlook = self.analyst.outlook(position.progress);
        let shape = Shape::of(&behind.board);
        let ready = |column: usize| {
            let full = 0x3ff & !(1 << column);
            behind.board.visible().iter().filter(|row| **row & 0x3ff == full).count()
        };
        let opens_right = |board: &Board| {
            let open = |column: usize, other: usize| {
                let is =
                    |row: &&u16| *row >> column & 1 == 0 && *row >> other & 1 == 1 && **row & 0x1fe == 0x1fe;
                board.visible().iter().filter(is).count()
            };
            open(9, 0) > open(0, 9)
        };
        let quality = value.map_or(f32::NAN, |value| outlook.quality_after(value, lines, after.level));
        let (view, view_after) = (opens_right(&position.board), opens_right(&behind.board));
        let (board, next) =
            if view { (behind.board.mirrored(), piece.mirrored()) } else { (behind.board, piece) };
        let network = OutcomeNetwork::shipped().outcome(&OutcomeInputs::new(
            &board,
            next,
            quality,
            position.progress.level < 19,
        ));
        let columns = if ready(0) > ready(9) { 1..10 } else { 0..9 };
        let bumpiness: u32 =
            shape.heights[columns].windows(2).map(|pair| u32::from(pair[0].abs_diff(pair[1]))).sum();
        let cells: String =
            behind.board.visible().iter().filter(|row| **row != 0).map(|row| format!("{row:03x}")).collect();
        let row = format!(
            "{names},{},{},{},{:.1},{made:.0},{best:.1},{said:.1},{topout:.5},{drift:.1},{luck:.1},{},{},{},{},{bumpiness},{quality:.4},{:.5},{:.4},{},{},{piece},{cells}\n",
            position.progress.level,
            outlook.lines,
            u8::from(said >= best),
            best - said,
            shape.heights.iter().max().unwrap_or(&0),
            ready(9),
            ready(0),
            shape.all_holes(),
            network.topout,
            network.tetrises,
            u8::from(view),
            u8::from(view_after),
        );
        Some((row, forecasts))
    }

    /// A row for a placement of a person.
    fn judged(
        &mut self,
        names: &str,
        position: &Position,
        placement: Placement,
        following: Option<Piece>,
    ) -> Option<String> {
        let judgement = self.analyst.judge(position, placement).ok()?;
        let (best, own) = (judgement.best, judgement.verdict);
        let said = [best.points, best.points - judgement.loss, own.topout];
        self.row(names, position, placement, said, Some(own.value), following).map(|row| row.0)
    }
}

/// A game of a person, with a row for each placement, or for each one of paths from some of them.
fn game(cast: &mut Cast, index: u64, paths: bool) -> String {
    let mut dice = Dice::of([FIRST_SEED, index]);
    let person = Person::new(&mut dice);
    let rules = EnvRules::game(18).with_moves(cast.limits);
    let mut env = Env::new(rules, FIRST_SEED + index);
    let mut text = String::new();
    let who = format!("{index},{},{}", person.name(), cast.taps);
    while env.end().is_none() {
        let position = env.position();
        if position.progress.level >= 29 {
            break;
        }
        let Some(placement) = cast.pick(&person, &env, &mut dice) else { break };
        let mut then = env.clone();
        let number = env.pieces();
        if then.step(placement).is_err() {
            break;
        }
        if !paths {
            let following = Some(then.next_piece());
            let names = format!("{who},{number},0");
            text += &cast.judged(&names, &position, placement, following).unwrap_or_default();
        } else if dice.below(ONE_IN) == 0 {
            text += &path(cast, &format!("{who},{number}"), &env, placement, &mut dice).unwrap_or_default();
        }
        env = then;
    }
    text
}

/// Plays on from a placement by the best placements.
fn path(cast: &mut Cast, names: &str, from: &Env, placement: Placement, dice: &mut Dice) -> Option<String> {
    let position = from.position();
    let mut text = cast.judged(&format!("{names},0"), &position, placement, None)?;
    let quality = HEADER.split(',').position(|name| name == "quality")?;
    let quality: f32 = text.split(',').nth(quality)?.parse().ok()?;
    if quality > ORDINARY && dice.below(8) > 0 {
        return None;
    }
    let seed = (dice.below(1 << 30) as u64) << 20 | dice.below(1 << 20) as u64;
    let mut env = Env::from_position(*from.rules(), seed, *from.board(), from.progress());
    (0..dice.below(8)).for_each(|_| env.skip_piece());
    env.deal_pieces(from.piece(), from.next_piece());
    env.step(placement).ok()?;
    for step in 1..=PIECES {
        let position = env.position();
        if env.end().is_some() || position.progress.level >= 29 {
            break;
        }
        let Some(best) = cast.analyst.rank(&position).first().copied() else { break };
        let said = [best.points, best.points, best.topout];
        let names = format!("{names},{step}");
        text += &cast.row(&names, &position, best.placement, said, Some(best.value), None)?.0;
        if env.step(best.placement).is_err() {
            break;
        }
    }
    Some(text)
}

/// The worst placements of a game of a person, a row for each: what is forecast to be lost, and what two sets of games that are played on lose, as a review
/// plays them on, but all [`PAIRS`] pairs.
fn worst(cast: &mut Cast, index: u64) -> String {
    let mut dice = Dice::of([FIRST_SEED, index]);
    let person = Person::new(&mut dice);
    let mut env = Env::new(EnvRules::game(18).with_moves(cast.limits), FIRST_SEED + index);
    let mut all: Vec<(Position, Placement, Judgement)> = Vec::new();
    while env.end().is_none() && env.progress().level < 29 {
        let position = env.position();
        let Some(placement) = cast.pick(&person, &env, &mut dice) else { break };
        let Ok(judgement) = cast.analyst.judge(&position, placement) else { break };
        all.push((position, placement, judgement));
        if env.step(placement).is_err() {
            break;
        }
    }
    all.sort_by(|a, b| b.2.loss.total_cmp(&a.2.loss));
    all.truncate(WORST);
    let mut text = String::new();
    for (position, placement, Judgement { best, verdict, loss, .. }) in all {
        let measured: Vec<String> = (0..2)
            .map(|set| {
                let both = [best.placement, placement];
                let play = |seed| cast.analyst.play_pair(&position, both, 32, (set << 32) + seed);
                let pairs: Vec<_> = (0..PAIRS).map(play).collect();
                let of = |what: &dyn Fn(&PairedPlayout) -> f64| {
                    mean(&pairs.iter().map(what).collect::<Vec<_>>()).0
                };
                let (lost, luck) = (of(&|pair| pair.lost), of(&|pair| pair.luck));
                let both = of(&|pair| (pair.lost - lost) * (pair.luck - luck));
                let share = both / of(&|pair| (pair.luck - luck).powi(2)).max(1.0);
                let (mean, error) =
                    mean(&pairs.iter().map(|pair| pair.lost - share * pair.luck).collect::<Vec<_>>());
                format!("{mean:.1},{error:.1}")
            })
            .collect();
        text += &format!(
            "{index},{},{},{},{:.1},{:.5},{loss:.1},{:.5},{}\n",
            person.name(),
            cast.taps,
            position.progress.level,
            best.points,
            best.topout,
            verdict.topout,
            measured.join(",")
        );
    }
    text
}

/// The games and taps that a file has, and the file.
type Begun = (HashSet<(String, String)>, Mutex<File>);

fn go_on(file: &str, header: &str) -> io::Result<Begun> {
    let key = |line: &str| {
        let mut cells = line.split(',');
        Some((cells.next()?.to_owned(), cells.nth(1)?.to_owned()))
    };
    let (done, out) = rows::go_on(file, header, key)?;
    Ok((done.into_iter().collect(), out))
}

/// One game after the other on one thread; its rows are written at once.
fn people(file: &str, player: &str, taps: &str, games: Range<u64>, which: &str) -> io::Result<()> {
    let (done, out) = go_on(file, if which == "worst" { HEADER_OF_WORST } else { HEADER })?;
    let mut cast = Cast::new(player, taps)?;
    for index in games.filter(|index| !done.contains(&(index.to_string(), taps.to_owned()))) {
        let text = match which {
            "worst" => worst(&mut cast, index),
            _ => game(&mut cast, index, which == "paths"),
        };
        out.lock().expect("no panic").write_all(text.as_bytes())?;
    }
    Ok(())
}

fn recordings(file: &str, player: &str, taps: &str, sources: &[&str]) -> io::Result<()> {
    let (done, out) = go_on(file, HEADER)?;
    let mut cast = Cast::new(player, taps)?;
    for source in sources {
        let name = source.rsplit('/').next().unwrap_or(source);
        if done.contains(&(name.to_owned(), taps.to_owned())) {
            continue;
        }
        let games = of_frames(Frames::new(File::open(source)?), None)
            .map_err(|error| io::Error::other(error.to_string()))?;
        let pieces: Vec<_> = games.into_iter().flat_map(|game| game.pieces).collect();
        let mut text = String::new();
        for (number, placed) in pieces.iter().enumerate().filter(|(_, placed)| placed.progress.level < 29) {
            let following = pieces.get(number + 1).and_then(|next| next.next);
            let names = format!("{name},person,{taps},{number},0");
            text += &cast.judged(&names, &placed.position(), placed.placement, following).unwrap_or_default();
        }
        out.lock().expect("no panic").write_all(text.as_bytes())?;
    }
    Ok(())
}

/// Prints the mean drift by each column.
fn table(file: &str) -> io::Result<()> {
    let text = fs::read_to_string(file)?;
    let names: Vec<&str> = HEADER.split(',').collect();
    let at = |name: &str| names.iter().position(|other| *other == name).expect("a column");
    let all: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let number = |row: &[&str], name: &str| row[at(name)].parse::<f64>().unwrap_or(f64::NAN);
    let print = |title: &str, of: &dyn Fn(&[&str]) -> bool| {
        let drift: Vec<f64> = all
            .iter()
            .filter(|row| of(row))
            .map(|row| number(row, "drift"))
            .filter(|drift| drift.is_finite())
            .collect();
        if drift.len() > 1 {
            let (mean, error) = mean(&drift);
            println!(
                "{title:<40} {:>8} {mean:>10.0} ± {error:<8.0} {:>14.0}",
                drift.len(),
                mean * drift.len() as f64
            );
        }
    };
    print("all", &|_| true);
    for (name, knots) in [
        ("is_best", &[0.0, 1.0][..]),
        ("loss", &[0.0, 1.0, 300.0, 1_000.0, 3_000.0, 10_000.0, 30_000.0]),
        ("highest", &[0.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0]),
        ("holes", &[0.0, 1.0, 2.0, 4.0, 7.0]),
        ("ready", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 9.0]),
        ("ready_left", &[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 7.0]),
        ("bumpiness", &[0.0, 5.0, 8.0, 11.0, 15.0]),
        ("lines_left", &[0.0, 12.0, 30.0, 60.0, 101.0, 170.0]),
        ("said_topout", &[0.0, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7]),
        ("quality", &[-30.0, -10.0, -7.0, -5.0, -3.5, -2.5, -1.5, -0.75, -0.4, 0.0, 0.5]),
        ("view", &[0.0, 1.0]),
        ("view_after", &[0.0, 1.0]),
    ] {
        for (part, &from) in knots.iter().enumerate() {
            let to = knots.get(part + 1).copied().unwrap_or(f64::INFINITY);
            print(&format!("{name} from {from}"), &|row| (from..to).contains(&number(row, name)));
        }
    }
    Ok(())
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "people, paths or worst FILE.csv PLAYER TAPS FIRST..END, read FILE.csv PLAYER TAPS RECORDING..., or table FILE.csv",
        )
    };
    match *arguments {
        [which @ ("people" | "paths" | "worst"), file, player, taps, games] => {
            let (first, end) = games.split_once("..").ok_or_else(usage)?;
            let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
            people(file, player, taps, number(first)?..number(end)?, which)
        }
        ["read", file, player, taps, ref sources @ ..] if !sources.is_empty() => {
            recordings(file, player, taps, sources)
        }
        ["table", file] => table(file),
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
