//! Is the learned value right on high and on rough boards? Plays games on from such boards and compares what they bring with the
//! value of the board.
//!
//! `cargo run --release -p maxout-lab --example audit -- play audit.csv own-19 0..150` takes one board of each maximum height from
//! each of 150 games, and plays on from each; a run that was interrupted goes on where it stopped. The boards are
//!
//! * `own-19` and `own-18`: those of `maxout-fast` at 30 Hz, from level 19, and at level 18;
//! * `second`: as `own-19`, but the last piece lies where the search ranks second to sixth;
//! * `slips`: as `own-19`, but one piece in ten locks a column beside;
//! * `plateau17`: those of that player;
//! * `tall`: made up, 8 to 15 full rows with an open column at a wall, each with each piece; here the numbers are those of boards;
//! * a `NestrisChamps` recording, `FILE.ngf` or `FILE.ngf.gz`: every third board of 10 rows or more, with the pieces numbered.
//!
//! `... -- table audit.csv [MORE.csv...]` prints what was found, and `... -- plot AUDIT.svg audit.csv [MORE.csv...]` draws it.
//!
//! What is compared: the value v of a board with a known piece in play, and what `maxout-fast` makes of it in the next 60 pieces, with the
//! value of the board that is then there, or of a lost game. Both are in tetrises, discounted as in the training of that value. So a value
//! that is right has a mean difference of 0 for the player that it learned from, which looked less far ahead than `maxout-fast`.
//! Every board plays on with the same seeds. Luck is subtracted: what the position is worth when a next piece appears, less what it was worth on average
//! before, by the same value. All boards play on at level 19 with 0 lines, those of `own-18` at level 18.
//!
//! `... -- losses PLAYER 10,12,14 GAMES [LEVEL] [TAPS] [WEIGHTS...]` plays tall clean stacks of these heights on for 80 pieces, at level 19 and
//! 30 Hz if nothing else is said, with 60 lines and an O in play, as often with the left as with the right column open, and prints how many
//! games are lost; the widths of `PLAYER` are `fast` or `default`. `... -- fit OUT.bin STRENGTH audit.csv [MORE.csv...]` corrects two tables of the network for levels 19 to 28 by what was found
//! at level 19, times `STRENGTH`, and writes that network: by max height, ready rows and holes, so that the empty board keeps its value.
//! `maxout-lab sim --weights OUT.bin` and `losses` play with it.

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::Env;
use maxout_engine::env::{EnvRules, GameEnd};
use maxout_engine::eval::ntuple::{LANES, Network, NetworkOf, Ntuple90, TableList, odds};
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Widths};
use maxout_gallery::find;
use maxout_host::review::of_frames;
use maxout_lab::plots::{COLOURS, Series, framed};
use maxout_lab::research::{games, mean, rows, usage, weights_files};
use maxout_lab::weights_file;
use maxout_record::champs::Frames;
use maxout_rules::random::Dice;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress, line_points};
use mean::mean;
use plotters::prelude::*;
use std::sync::Arc;

/// Pieces that each game is played on.
const PIECES: u64 = 60;
/// Games from each board.
const GAMES: u64 = 32;
/// The first seeds of the games that make boards, of those that are played on, and of those from tall stacks. Nothing was
/// trained on them, and no strength is reported on them.
const BOARDS: u64 = 700_000;
const PLAYED: u64 = 740_000;
const LOSSES: u64 = 750_000;
/// The value of an ordinary board in the training of the network for levels 19 to 28, and how its values are discounted: 0.99 of
/// this, 0.997 of the difference from it.
const ORDINARY: f32 = 9.04;
const LONG: f32 = 0.997;
const DISCOUNT: f32 = 0.99;
/// Max heights that are told apart: one class below 10, and one from 17 on.
const LOW: u8 = 9;
const HIGH: u8 = 17;
const HEADER: &str = "boards,game,height,level,piece,ready,ready_left,holes,bumpiness,value,games,lost,points,return,return_squared,luck,luck_squared,return_luck,cells";

/// How values are discounted at a level.
#[derive(Clone, Copy)]
struct Discount {
    level: u8,
    ordinary: f32,
    each: f32,
    /// What a lost game is worth.
    death: f32,
}

impl Discount {
    fn at(level: u8, network: &Network) -> Self {
        let death = network.deaths()[network.speed(level, FallRule::Ntsc)];
        let (ordinary, each) = if level < 19 { (0.0, DISCOUNT) } else { (ORDINARY, LONG) };
        Self { level, ordinary, each, death }
    }

    /// What a placement that clears `lines` is worth if the board after it is worth `value`.
    fn before(self, lines: u8, value: f32) -> f32 {
        let reward = line_points(lines, self.level) as f32 / line_points(4, self.level) as f32;
        reward + self.ordinary * DISCOUNT + self.each * (value - self.ordinary)
    }
}

struct Cast {
    network: Arc<Network>,
    search: Expectimax,
    other: Option<Box<dyn Policy>>,
    list: Vec<Placement>,
}

impl Cast {
    fn new() -> Self {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        Self {
            search: Expectimax::new(Arc::clone(&network), Widths::FAST, Limits::EACH_BUTTON),
            other: find("plateau17").ok().and_then(|player| player.policy(Limits::EACH_BUTTON.into())),
            network,
            list: Vec::new(),
        }
    }

    /// The value of a board before `piece` comes into play.
    fn value(&self, board: &Board, piece: Piece, level: u8) -> f32 {
        self.network.values(&Shape::of(board), level)[piece as usize]
    }

    /// How lucky it is that this piece is next.
    fn luck(&mut self, env: &Env, discount: Discount) -> f32 {
        env.placements(&mut self.list);
        let mut best = [f32::MIN; 7];
        for placement in &self.list {
            let mut board = *env.board();
            let lines = board.lock(placement.x, placement.y, placement.orientation);
            for (best, value) in best.iter_mut().zip(self.network.values(&Shape::of(&board), discount.level))
            {
                *best = best.max(discount.before(lines, value));
            }
        }
        if self.list.is_empty() {
            return 0.0;
        }
        let mean: f32 = odds(env.piece()).iter().zip(best).map(|(odds, best)| odds * best).sum();
        best[env.next_piece() as usize] - mean
    }

    /// Plays on from a board: the return, luck, points, and whether the game is lost.
    fn play_on(&mut self, board: Board, piece: Piece, level: u8, seed: u64) -> (f64, f64, u64, bool) {
        let rules = EnvRules { until_pieces: Some(PIECES), ..EnvRules::game(level) };
        let mut env = Env::from_position(rules, seed, board, Progress::at(0, level));
        env.deal_pieces(piece, piece);
        env.skip_piece();
        env.deal_pieces(piece, env.next_piece());
        let discount = Discount::at(level, &self.network);
        let (mut gains, mut luck, mut weight, mut points) = (0.0, 0.0, 1.0, 0);
        while env.end().is_none() {
            luck += f64::from(weight * self.luck(&env, discount));
            let Some(best) = self.search.best(&env.position()) else { break };
            let Ok(step) = env.step(best) else { break };
            points += step.reward;
            // What is due beyond the discounted difference of the next board.
            gains += f64::from(weight * (discount.before(step.lines, discount.ordinary) - discount.ordinary));
            weight *= discount.each;
        }
        let lost = env.end() != Some(GameEnd::Pieces);
        let last = if lost { discount.death } else { self.value(env.board(), env.piece(), level) };
        let gained = f64::from(discount.ordinary) + gains + f64::from(weight * (last - discount.ordinary));
        (gained, luck, points, lost)
    }

    fn row(&mut self, name: &str, game: u64, board: Board, piece: Piece, level: u8) -> String {
        let (class, [ready, left, holes, bumpiness]) = features(&board);
        let value = self.value(&board, piece, level);
        let (mut sums, mut all_points, mut all_lost) = ([0.0; 5], 0, 0);
        for game in 0..GAMES {
            let (made, luck, points, lost) = self.play_on(board, piece, level, PLAYED + game);
            let each = [made, made * made, luck, luck * luck, made * luck];
            sums.iter_mut().zip(each).for_each(|(sum, each)| *sum += each);
            all_points += points;
            all_lost += u64::from(lost);
        }
        let sums = sums.map(|sum| format!("{sum:.4}")).join(",");
        let cells: String =
            board.visible().iter().filter(|row| **row != 0).map(|row| format!("{row:03x}")).collect();
        format!(
            "{name},{game},{class},{level},{piece},{ready},{left},{holes},{bumpiness},{value:.4},{GAMES},{all_lost},{all_points},{sums},{cells}\n"
        )
    }

    /// One board of each class of max height from a game, with the piece that is then in play.
    fn boards(&mut self, name: &str, game: u64) -> BTreeMap<u8, (Board, Piece)> {
        let level = level_of(name);
        let mut dice = Dice::of([BOARDS, game]);
        let mut env = Env::new(EnvRules::game(level), BOARDS + game);
        let (mut counts, mut kept) = (BTreeMap::new(), BTreeMap::new());
        while env.end().is_none() && (level > 18 || env.progress().level == 18) {
            let position = env.position();
            let best = match &mut self.other {
                Some(other) if name == "plateau17" => other.choose(&position),
                _ => self.search.best(&position),
            };
            let Some(mut best) = best else { break };
            env.placements(&mut self.list);
            if name == "slips" && dice.below(10) == 0 {
                let beside = |other: &&Placement| {
                    other.x.abs_diff(best.x) == 1 && other.orientation == best.orientation
                };
                let near: Vec<_> = self.list.iter().filter(beside).copied().collect();
                best = near.get(dice.below(near.len())).copied().unwrap_or(best);
            }
            let mut seen = env.clone();
            if name == "second" {
                let ranked = self.search.rank(&position);
                let others = ranked.get(1..6.min(ranked.len())).unwrap_or_default();
                let other = others.get(dice.below(others.len())).map_or(best, |other| other.placement);
                if seen.step(other).is_err() {
                    break;
                }
            }
            if env.step(best).is_err() {
                break;
            }
            if name != "second" {
                seen = env.clone();
            }
            if seen.end().is_none() && seen.pieces() > 10 {
                let (class, _) = features(seen.board());
                let count = counts.entry(class).or_insert(0);
                *count += 1;
                if dice.below(*count) == 0 {
                    kept.insert(class, (*seen.board(), seen.piece()));
                }
            }
        }
        kept
    }
}

fn level_of(name: &str) -> u8 {
    if name == "own-18" { 18 } else { 19 }
}

/// The class of max height, and ready rows on the right and on the left, holes, and bumpiness: the steps between neighbouring
/// columns added up, without those to an open column at a wall.
fn features(board: &Board) -> (u8, [u32; 4]) {
    let shape = Shape::of(board);
    let highest = shape.heights.iter().copied().max().unwrap_or(0);
    let full_but = |column: usize| {
        let full = board.visible().iter().filter(|row| **row == 0x3ff & !(1 << column)).count();
        full as u32
    };
    let [right, left] = [full_but(9), full_but(0)];
    let columns = if left > right { 1..10 } else { 0..9 };
    let bumpiness = shape.heights[columns].windows(2).map(|pair| u32::from(pair[0].abs_diff(pair[1]))).sum();
    (highest.clamp(LOW, HIGH), [right, left, u32::from(shape.all_holes()), bumpiness])
}

/// A stack of full rows with one open column.
fn tall(height: usize, open: usize) -> Board {
    let mut board = [0; 22];
    board[22 - height..].fill(0x3ff & !(1 << open));
    Board::from_rows(board)
}

/// Every third board of a recording from 10 rows on, with the pieces in play, up to level 28.
fn recorded(file: &str) -> io::Result<Vec<(Board, Piece)>> {
    let named = |error: String| io::Error::other(format!("{file}: {error}"));
    let source = fs::File::open(file).map_err(|error| named(error.to_string()))?;
    let games = of_frames(Frames::new(source), None).map_err(|error| named(error.to_string()))?;
    let pieces = games.into_iter().flat_map(|game| game.pieces);
    let high = pieces.filter(|placed| placed.progress.level < 29 && features(&placed.board).0 > LOW);
    Ok(high.step_by(3).map(|placed| (placed.board, placed.piece)).collect())
}

/// Plays on from the boards that `file` does not have yet.
fn play(file: &str, from: &str, numbers: Range<u64>) -> io::Result<()> {
    let is_recording = [".ngf", ".ngf.gz"].iter().any(|end| from.ends_with(end));
    let name = if is_recording { "people" } else { from };
    let people = if is_recording { recorded(from)? } else { Vec::new() };
    let key = |line: &str| {
        let mut cells = line.split(',');
        let (name, game) = (cells.next()?.to_owned(), cells.next()?.parse().ok()?);
        Some((name, game, cells.next()?.parse().ok()?))
    };
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let done: HashSet<(String, u64, u8)> = done.into_iter().collect();
    let next = AtomicU64::new(numbers.start);
    rows::on_all_cores(|| {
        let mut cast = Cast::new();
        loop {
            let game = next.fetch_add(1, Ordering::Relaxed);
            if game >= numbers.end {
                return Ok(());
            }
            let boards: Vec<(Board, Piece)> = match name {
                "people" => people.get(game as usize).copied().into_iter().collect(),
                "tall" => {
                    let (height, open) =
                        (8 + (game / 14) as usize, if game.is_multiple_of(2) { 0 } else { 9 });
                    vec![(tall(height.min(15), open), Piece::ALL[(game / 2 % 7) as usize])]
                }
                _ => cast.boards(name, game).into_values().collect(),
            };
            for (board, piece) in boards {
                if !done.contains(&(name.to_owned(), game, features(&board).0)) {
                    let row = cast.row(name, game, board, piece, level_of(name));
                    out.lock().expect("no panic").write_all(row.as_bytes())?;
                }
            }
        }
    })
}

/// A board that was played on.
#[derive(Clone, Debug)]
struct Row {
    boards: String,
    height: u32,
    ready: [u32; 2],
    holes: u32,
    bumpiness: u32,
    value: f64,
    games: f64,
    lost: f64,
    /// Sums over the games: return, its square, luck, its square, and both multiplied.
    sums: [f64; 5],
}

fn read(files: &[&str]) -> io::Result<Vec<Row>> {
    let mut all = Vec::new();
    for file in files {
        let wrong = |error: String| io::Error::other(format!("{file}: {error}"));
        let text = fs::read_to_string(file).map_err(|error| wrong(error.to_string()))?;
        for line in text.lines().skip(1) {
            all.push(row(line).ok_or_else(|| wrong(format!("expected a row, found {line:?}")))?);
        }
    }
    Ok(all)
}

fn row(line: &str) -> Option<Row> {
    let cells: Vec<&str> = line.split(',').collect();
    let number = |at: usize| cells.get(at)?.parse::<f64>().ok();
    let whole = |at: usize| cells.get(at)?.parse::<u32>().ok();
    let (boards, ready) = (*cells.first()?, [whole(5)?, whole(6)?]);
    let side = if ready[0] > ready[1] { "right" } else { "left" };
    Some(Row {
        boards: if boards == "tall" { format!("tall, {side}") } else { boards.to_owned() },
        height: whole(2)?,
        ready,
        holes: whole(7)?,
        bumpiness: whole(8)?,
        value: number(9)?,
        games: number(10)?,
        lost: number(11)?,
        sums: [number(13)?, number(14)?, number(15)?, number(16)?, number(17)?],
    })
}

/// By how much the return goes with luck, within boards.
fn share(all: &[Row]) -> f64 {
    let (mut both, mut spread) = (0.0, 0.0);
    for Row { games, sums, .. } in all {
        both += sums[4] - sums[0] * sums[2] / games;
        spread += sums[3] - sums[2] * sums[2] / games;
    }
    both / spread
}

impl Row {
    /// What was made on average, less luck.
    fn made(&self, share: f64) -> f64 {
        (self.sums[0] - share * self.sums[2]) / self.games
    }

    fn spread(&self, share: f64) -> f64 {
        let [made, squared, luck, luck_squared, both] = self.sums;
        let of = |squared: f64, sum: f64, other: f64| squared - sum * other / self.games;
        of(squared, made, made) - 2.0 * share * of(both, made, luck)
            + share * share * of(luck_squared, luck, luck)
    }
}

/// Prints a row of the table.
fn say(name: &str, all: &[&Row], share: f64) {
    if all.len() < 5 {
        return;
    }
    let of = |value: &dyn Fn(&Row) -> f64| mean(&all.iter().map(|row| value(row)).collect::<Vec<_>>());
    let games: f64 = all.iter().map(|row| row.games).sum();
    let (off, error) = of(&|row| row.made(share) - row.value);
    println!(
        "| {name} | {} | {:.2} | {:.2} | {off:+.2} ± {error:.2} | {:.1} % | {:.1} % |",
        all.len(),
        of(&|row| row.value).0,
        of(&|row| row.made(share)).0,
        100.0 * all.iter().map(|row| row.lost).sum::<f64>() / games,
        100.0 * of(&|row| f64::from(u8::from(row.value <= -6.99))).0,
    );
}

/// Reads a feature of a board.
type Measure = fn(&Row) -> u32;

fn head(what: &str) -> String {
    format!(
        "| {what} | n | value | played on | difference | lost | value at its floor |\n|---|---|---|---|---|---|---|"
    )
}

fn names(all: &[Row]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for row in all {
        if !names.contains(&row.boards) {
            names.push(row.boards.clone());
        }
    }
    names
}

fn table(all: &[Row]) {
    let share = share(all);
    let (mut before, mut after, mut games) = (0.0, 0.0, 0.0);
    for row in all {
        before += row.spread(0.0);
        after += row.spread(share);
        games += row.games;
    }
    println!(
        "{} boards, {games} games; {share:.2} of luck is subtracted, and the standard deviation of a game falls from {:.2} to {:.2}",
        all.len(),
        (before / games).sqrt(),
        (after / games).sqrt()
    );
    let is_high = |row: &Row| row.height > u32::from(LOW);
    println!("{}", head("boards"));
    for name in names(all) {
        let is_there = |row: &&Row| row.boards == name && is_high(row);
        let of_name: Vec<&Row> = all.iter().filter(is_there).collect();
        say(&name, &of_name, share);
        let is_right = |row: &&Row| row.ready[0] >= row.ready[1] + 3;
        let right: Vec<&Row> = of_name.iter().copied().filter(is_right).collect();
        if right.len() < of_name.len() {
            say(&format!("{name}, at least 3 more ready rows on the right"), &right, share);
        }
    }
    println!(
        "\n| boards | up to 9 rows | 10, 11 | 12, 13 | 14, 15 | 16 and more |\n|---|---|---|---|---|---|"
    );
    for name in names(all) {
        let cell = |heights: &Range<u32>| {
            let is_there = |row: &&Row| row.boards == name && heights.contains(&row.height);
            let off: Vec<f64> = all.iter().filter(is_there).map(|row| row.made(share) - row.value).collect();
            let (mean, error) = mean(&off);
            if off.len() < 5 {
                " |".to_owned()
            } else {
                format!(" {mean:+.2} ± {error:.2} ({}) |", off.len())
            }
        };
        let cells: String = [0..10, 10..12, 12..14, 14..16, 16..20].iter().map(cell).collect();
        println!("| {name} |{cells}");
    }
    println!("\n{}", head("`own-19`, `second`, `slips`, from 10 rows on"));
    let measures: [(&str, Measure, &[u32]); 4] = [
        ("ready rows", |row| row.ready[0].max(row.ready[1]), &[0, 1, 2, 3, 4, 5, 6, 7, 9, 200]),
        ("ready rows on the right", |row| row.ready[0], &[0, 1, 3, 200]),
        ("holes", |row| row.holes, &[0, 1, 2, 3, 4, 6, 9, 200]),
        ("bumpiness", |row| row.bumpiness, &[0, 5, 7, 9, 11, 13, 16, 20, 200]),
    ];
    for (what, of, ends) in measures {
        for ends in ends.windows(2) {
            let is_in = |row: &&Row| {
                matches!(row.boards.as_str(), "own-19" | "second" | "slips")
                    && is_high(row)
                    && (ends[0]..ends[1]).contains(&of(row))
            };
            let some: Vec<&Row> = all.iter().filter(is_in).collect();
            let band = match (ends[0], ends[1] - 1) {
                (first, 199) => format!("{what}, {first} and more"),
                (first, last) if first == last => format!("{what}, {first}"),
                (first, last) => format!("{what}, {first} to {last}"),
            };
            say(&band, &some, share);
        }
    }
}

fn plot(all: &[Row], file: &str) -> io::Result<()> {
    let mut svg = String::new();
    draw(all, &mut svg).map_err(|error| io::Error::other(format!("{file}: {error}")))?;
    fs::write(file, svg).map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))
}

fn draw(all: &[Row], svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let share = share(all);
    let names = names(all);
    let mut lines = Vec::new();
    for name in &names {
        let mut line = Vec::new();
        for height in 0..=u32::from(HIGH) {
            let off: Vec<f64> = all
                .iter()
                .filter(|row| row.boards == *name && row.height == height)
                .map(|row| row.made(share) - row.value)
                .collect();
            if off.len() >= 5 {
                let (mean, error) = mean(&off);
                line.push((f64::from(height), mean, error));
            }
        }
        lines.push(line);
    }
    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    let colour = |at: usize| COLOURS[at % COLOURS.len()];
    let legend: Vec<Series> =
        names.iter().enumerate().map(|(at, name)| Series::new(name, colour(at).stroke_width(2))).collect();
    let plot = framed(&area, "Played on, less the learned value, by max height", &legend)?;
    let ends = lines.iter().flatten().flat_map(|&(_, mean, error)| [mean - error, mean + error]);
    let (low, high) = ends.fold((-0.5, 0.5), |(low, high): (f64, f64), end| (low.min(end), high.max(end)));
    let mut chart = ChartBuilder::on(&plot)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(70)
        .build_cartesian_2d(f64::from(LOW) - 1.5..f64::from(HIGH) + 0.5, low - 0.2..high + 0.2)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_label_formatter(&|height| format!("{height:.0}"))
        .x_desc("max height (9: up to 9, 17: 17 and more)")
        .y_desc("tetrises")
        .label_style(("sans-serif", 15))
        .draw()?;
    for (at, line) in lines.iter().enumerate() {
        let points = line.iter().map(|&(height, mean, _)| (height, mean));
        chart.draw_series(LineSeries::new(points.clone(), colour(at).stroke_width(2)))?;
        chart.draw_series(points.map(|point| Circle::new(point, 3, colour(at).filled())))?;
        chart.draw_series(line.iter().map(|&(height, mean, error)| {
            PathElement::new([(height, mean - error), (height, mean + error)], colour(at).stroke_width(2))
        }))?;
    }
    area.present()?;
    Ok(())
}

/// Prints how many games from tall clean stacks of these heights are lost within 80 pieces.
fn losses(
    widths: &Widths,
    heights: &[usize],
    count: u64,
    (level, limits): (u8, Limits),
    files: &[&str],
) -> io::Result<()> {
    let network = weights_files::network(files, limits)?;
    let player = || Expectimax::new(Arc::clone(&network), widths.clone(), limits);
    for &height in heights {
        let lost = games::in_order(count, player, |search, game| {
            let rules = EnvRules { until_pieces: Some(80), ..EnvRules::game(level).with_moves(limits) };
            let board = tall(height, if game.is_multiple_of(2) { 0 } else { 9 });
            let mut env = Env::from_position(rules, LOSSES + game / 2, board, Progress::at(60, level));
            env.deal_pieces(Piece::O, Piece::O);
            env.skip_piece();
            env.deal_pieces(Piece::O, env.next_piece());
            while env.end().is_none() {
                let Some(best) = search.best(&env.position()) else { break };
                if env.step(best).is_err() {
                    break;
                }
            }
            env.end() != Some(GameEnd::Pieces)
        });
        let of = |side: usize| lost.iter().skip(side).step_by(2).filter(|lost| **lost).count();
        let each = (count.div_ceil(2), count / 2);
        println!(
            "{height} rows: {} of {} games lost with the left column open, {} of {} with the right",
            of(0),
            each.0,
            of(1),
            each.1
        );
    }
    Ok(())
}

/// The parts of a correction: max height up to 9, 10 to 11, 12 to 13, 14 and more; ready rows on the right (0–8), on the left (0–4);
/// holes (0–7).
const PARTS: [usize; 4] = [4, 9, 5, 8];
const UNKNOWNS: usize = 4 + 9 + 5 + 8;

/// Which of the unknowns are a board's four parts.
fn parts(height: u32, ready: [u32; 2], holes: u32) -> [usize; 4] {
    let height = (height.saturating_sub(8) / 2).min(3) as usize;
    let all = [height, ready[0].min(8) as usize, ready[1].min(4) as usize, holes.min(7) as usize];
    let mut first = 0;
    std::array::from_fn(|at| {
        first += PARTS[at];
        first - PARTS[at] + all[at]
    })
}

/// The parts that explain the differences best, by least squares: 0 for the first of each kind, what all boards have in common aside. A
/// ridge counts as `RIDGE` boards without a difference.
fn correction(all: &[Row]) -> [f64; UNKNOWNS] {
    const RIDGE: f64 = 5.0;
    // The first unknown, which is a first part, holds what all boards have in common.
    let firsts: [usize; 4] = parts(0, [0, 0], 0);
    let share = share(all);
    let (mut matrix, mut right) = ([[0.0; UNKNOWNS]; UNKNOWNS], [0.0; UNKNOWNS]);
    for row in all {
        let parts = parts(row.height, row.ready, row.holes);
        let known: Vec<usize> =
            parts.into_iter().filter(|part| !firsts.contains(part)).chain([firsts[0]]).collect();
        for &a in &known {
            right[a] += row.made(share) - row.value;
            for &b in &known {
                matrix[a][b] += 1.0;
            }
        }
    }
    (1..UNKNOWNS).for_each(|at| matrix[at][at] += RIDGE);
    // The matrix is symmetric and positive definite, so the steps of Gauss and Seidel converge.
    let mut found = [0.0; UNKNOWNS];
    for _ in 0..2_000 {
        for at in 0..UNKNOWNS {
            let others: f64 = (0..UNKNOWNS).filter(|&b| b != at).map(|b| matrix[at][b] * found[b]).sum();
            found[at] = (right[at] - others) / matrix[at][at];
        }
    }
    found[firsts[0]] = 0.0;
    found
}

/// The first entry of a table.
fn first_entry(name: &str) -> usize {
    Ntuple90::LIST
        .iter()
        .take_while(|table| table.name != name)
        .map(|table| table.windows * table.size())
        .sum()
}

/// Writes the network for levels 19 to 28 with corrected tables `Waiting` (max height, ready rows on the right, on the left, and four digits
/// of holes) and `Tall` (max height, height of the right column, holes).
fn fit(file: &str, strength: f64, all: &[Row]) -> io::Result<()> {
    let found = correction(all);
    let mut first = 0;
    for (what, part) in ["max height", "ready rows on the right", "on the left", "holes"].iter().zip(PARTS) {
        let parts: Vec<String> =
            found[first..first + part].iter().map(|part| format!("{part:+.2}")).collect();
        println!("{what}: {}", parts.join(" "));
        first += part;
    }
    let network = weights::plateau().map_err(io::Error::other)?;
    let mut learned: Vec<f32> = network.weights().collect();
    let mut add = |entry: usize, more: f64| {
        let lanes = &mut learned[entry * LANES..entry * LANES + 7];
        for weight in lanes {
            *weight += (strength * more) as f32;
        }
    };
    let [waiting, by_holes] = ["Waiting", "Tall"].map(first_entry);
    for (entry, at) in (waiting..).zip(0..21 * 9 * 5 * 4_u32) {
        let [height, right, left, _] = parts(at / 180, [at / 20 % 9, at / 4 % 5], 0);
        add(entry, found[height] + found[right] + found[left]);
    }
    for (entry, at) in (by_holes..).zip(0..21 * 21 * 8_u32) {
        let [.., holes] = parts(0, [0, 0], at % 8);
        add(entry, found[holes]);
    }
    let corrected = NetworkOf::<Ntuple90>::from_weights(&learned).with_deaths(network.deaths());
    // The digits of both tables are as expected if made-up boards change by their parts.
    for (height, open) in (8..15).flat_map(|height| [(height, 0), (height, 9)]) {
        let board = tall(height, open);
        let (class, [right, left, holes, _]) = features(&board);
        let wanted: f64 =
            parts(class.into(), [right, left], holes).iter().map(|&at| strength * found[at]).sum();
        let [before, after] = [&network, &corrected].map(|network| network.values(&Shape::of(&board), 19)[0]);
        if (f64::from(after - before) - wanted).abs() > 0.01 {
            let change = after - before;
            return Err(io::Error::other(format!(
                "{height} rows, column {open} open: the value changed by {change:.2}, expected {wanted:.2}"
            )));
        }
    }
    let (base, base_file) = (weights::base(), weights::embedded_file());
    let about = "the plateau's network with two corrected tables";
    let bytes = weights_file::encode_plateau(&corrected, &base, &base_file, about)?;
    fs::write(file, bytes).map_err(|error| io::Error::new(error.kind(), format!("{file}: {error}")))
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "play FILE.csv BOARDS FIRST..END, table FILE.csv..., plot FILE.svg FILE.csv..., losses WIDTHS HEIGHTS GAMES [LEVEL] [TAPS] [WEIGHTS...], or fit FILE.bin STRENGTH FILE.csv...; the boards are own-19, own-18, second, slips, plateau17, tall, or a recording",
        )
    };
    match *arguments {
        ["play", file, from, numbers] => {
            let (first, end) = numbers.split_once("..").ok_or_else(usage)?;
            let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
            play(file, from, number(first)?..number(end)?)
        }
        ["table", ref files @ ..] if !files.is_empty() => {
            table(&read(files)?);
            Ok(())
        }
        ["plot", svg, ref files @ ..] if !files.is_empty() => plot(&read(files)?, svg),
        ["fit", out, strength, ref files @ ..] if !files.is_empty() => {
            let mut all = read(files)?;
            all.retain(|row| row.boards != "own-18");
            if all.is_empty() {
                return Err(io::Error::other("no boards at level 19, expected some"));
            }
            fit(out, strength.parse().map_err(|_| usage())?, &all)
        }
        ["losses", widths, heights, count, ref more @ ..] => {
            let widths = match widths {
                "fast" => Widths::FAST,
                "default" => Widths::DEFAULT,
                _ => return Err(usage()),
            };
            let height = |text: &str| text.parse().ok().filter(|height| (1..=18).contains(height));
            let heights: Option<Vec<usize>> = heights.split(',').map(height).collect();
            let (mut level, mut limits, mut files) = (19, Limits::EACH_BUTTON, Vec::new());
            for &more in more {
                match (more.parse(), more.parse()) {
                    (Ok(number), _) => level = number,
                    (_, Ok(taps)) => limits = Limits::taps(taps),
                    (_, Err(error)) if more.to_ascii_lowercase().contains("hz") => {
                        return Err(io::Error::other(error));
                    }
                    _ => files.push(more),
                }
            }
            let count = count.parse().map_err(|_| usage())?;
            losses(&widths, &heights.ok_or_else(usage)?, count, (level, limits), &files)
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
