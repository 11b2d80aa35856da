//! Positions for training on the page of `crates/web`: each with an answer that games played on confirm.
//!
//! `cargo run --release -p maxout-lab --example puzzles -- play puzzles.csv 1000` looks for a position with each of the numbers
//! below 1000, plays games on from it, and adds a row for each number; a run that was interrupted goes on where it stopped.
//! `500..1000` leaves out the first ones. `... -- table puzzles.csv` prints a summary, and `... -- write puzzles.csv` prints the
//! positions as the module that the page loads. `... -- confirm played.csv SET.js` plays 1,000 games on from each of two placements of every
//! position of such a module, and goes on where it stopped; `... -- merge played.csv SET.js` prints the module with what they said, without the positions whose
//! answer was not confirmed. Several modules become one.
//!
//! The positions are from games of a weak player: the two visible pieces and nothing further, and one piece in eight goes
//! elsewhere, as after a slip of the thumb. A position is taken if one to three placements are right (they lose at most 5 % of a
//! tetris, by `maxout-fast`) and the next one is a mistake or worse. Then games are played on from the best placement and
//! from the best wrong one, always both with the same pieces, until one is ahead by more than [`SURE`] standard errors, or
//! until [`MOST_GAMES`] games have not decided it.

use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use maxout_engine::analysis::{Analyst, GamePlayouts, Reason, Verdict, reasons};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_engine::{Env, Position};
use maxout_gallery::find;
use maxout_lab::research::{rows, usage};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Orientation, Piece, Placement, Progress};

/// The first seed of the games that the positions are from.
const FIRST_SEED: u64 = 7_700_000;
/// How games are played on: two visible pieces, the next one only after the three best placements of the first.
const PLAYOUTS: Widths = Widths { first: 3, ..Widths::TWO };
/// The games from each placement in a round, and in all rounds.
const ROUND: u64 = 24;
const MOST_GAMES: u64 = 192;
/// By how many standard errors the right placement must be ahead.
const SURE: f64 = 2.5;
/// Shares of a tetris: what a right placement may lose, and what a wrong one must.
const RIGHT: f32 = 0.05;
const WRONG: f32 = 0.35;
const MOST_RIGHT: usize = 3;
/// The games from each placement that confirm a position of the page.
const ALL_GAMES: u64 = 1_000;
/// What [`confirm`] writes.
const PLAYED: &str = "number,verdict,games,ahead,error,ms";
const HEADER: &str =
    "number,verdict,level,lines,piece,next,board,right,games,ahead,error,rating,themes,placements";

/// A position, and what is known of it without a game.
struct Candidate {
    question: Position,
    verdicts: Vec<Verdict>,
    right: usize,
    themes: Vec<&'static str>,
    rating: u32,
}

/// By how many points the best placement was ahead of the best wrong one, in games from both.
#[derive(Default)]
struct Ahead {
    /// From each of the two.
    games: u64,
    sum: f64,
    squares: f64,
}

impl Ahead {
    fn mean(&self) -> f64 {
        self.sum / self.games as f64
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        let n = self.games as f64;
        ((self.squares / n - self.mean().powi(2)).max(0.0) / (n - 1.0)).sqrt()
    }

    fn verdict(&self) -> &'static str {
        verdict(self.mean(), self.error())
    }
}

/// What games say of the answer.
fn verdict(ahead: f64, error: f64) -> &'static str {
    match ahead {
        ahead if ahead.abs() <= SURE * error => "open",
        ahead if ahead > 0.0 => "right",
        _ => "wrong",
    }
}

/// What decides, for one thread.
struct Maker {
    analyst: Analyst,
    weak: Expectimax,
    /// The value of the board alone, which a first glance sees.
    glance: Expectimax,
    playouts: GamePlayouts,
    plays_on: Expectimax,
}

/// A number of lines and its level: what players meet most, and what is cheap to play on from.
fn stage(dice: &mut Dice) -> (u32, u8) {
    match dice.roll(10) {
        // Level 18, and the first of 19.
        0 => (90 + dice.roll(45), 18),
        // Killscreen.
        1 => (230 + dice.roll(50), 29),
        // The last lines before it.
        2 | 3 => (205 + dice.roll(5), 26),
        _ => {
            let lines = 150 + dice.roll(55);
            (lines, 21 + ((lines - 150) / 10) as u8)
        }
    }
}

/// What a tetris pays here, as losses are measured.
fn tetris(progress: Progress) -> f32 {
    1200.0 * (f32::from(progress.level) + 1.0)
}

impl Maker {
    fn new() -> Self {
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let search = |widths| Expectimax::new(network.clone(), widths, Limits::EACH_BUTTON);
        let analyst = find("maxout-fast").ok().and_then(|entry| entry.analyst(Foresight::DEFAULT));
        Self {
            analyst: analyst.expect("it ranks in points"),
            weak: search(Widths::TWO),
            glance: search(Widths { first: 1, ..Widths::TWO }),
            playouts: GamePlayouts::of(search(PLAYOUTS), Limits::EACH_BUTTON),
            plays_on: search(PLAYOUTS),
        }
    }

    /// The first position of this number's games that makes a puzzle.
    fn find(&mut self, number: u64) -> Option<Candidate> {
        for attempt in 0..12 {
            let mut dice = Dice::of([FIRST_SEED + number, attempt]);
            let (lines, level) = stage(&mut dice);
            let progress = Progress::at(lines, level);
            let rules = EnvRules {
                until_level: None,
                until_pieces: Some(30 + u64::from(dice.roll(40))),
                ..EnvRules::game(level)
            };
            let seed = FIRST_SEED + number + (attempt << 32);
            let mut env = Env::from_position(rules, seed, Board::EMPTY, progress);
            while env.end().is_none() {
                let ranked = self.weak.rank(&env.position());
                let slips = ranked.len() > 4 && dice.roll(8) == 0;
                let at = if slips { 1 + dice.roll(ranked.len().min(9) as u32 - 1) as usize } else { 0 };
                // A slip leaves something to clean up: after some pieces, each position is looked at.
                if env.pieces() >= 14
                    && dice.roll(3) == 0
                    && let Some(found) = self.judge(&env)
                {
                    return Some(found);
                }
                let Some(placed) = ranked.get(at) else { break };
                if env.step(placed.placement).is_err() {
                    break;
                }
            }
        }
        None
    }

    /// The position of a game, if it makes a puzzle.
    fn judge(&mut self, env: &Env) -> Option<Candidate> {
        let question = env.position();
        let verdicts = self.analyst.rank(&question);
        let tetris = tetris(question.progress);
        let right = verdicts.iter().take_while(|verdict| verdict.loss <= RIGHT * tetris).count();
        let wrong = verdicts.get(right)?.loss;
        if right > MOST_RIGHT || wrong < WRONG * tetris {
            return None;
        }
        let (themes, rating) = self.themes(&question, &verdicts, right, wrong / tetris);
        Some(Candidate { question, verdicts, right, themes, rating })
    }

    /// What the position is about, and how hard it is on the scale of Elo ratings. The rating is an estimate from what misleads.
    fn themes(
        &mut self,
        question: &Position,
        verdicts: &[Verdict],
        right: usize,
        gap: f32,
    ) -> (Vec<&'static str>, u32) {
        let Position { board, start, next, progress } = *question;
        let is_right =
            |placement: Placement| verdicts[..right].iter().any(|verdict| verdict.placement == placement);
        let rows = |verdict: &Verdict| {
            let (mut board, Placement { x, y, orientation: id }) = (board, verdict.placement);
            board.lock(x, y, id)
        };
        let best = &verdicts[0];
        let burns = |verdict: &Verdict| (1..=3).contains(&rows(verdict));
        let mut themes = Vec::new();
        let mut rating = 1_500.0 - 300.0 * (f64::from(gap) - 0.4).clamp(-0.3, 0.6);
        if verdicts[..right].iter().all(burns)
            || (burns(&verdicts[right]) && !verdicts[..right].iter().any(burns))
        {
            themes.push("burn");
            rating += 60.0;
        }
        if verdicts[..right].iter().all(|verdict| is_tucked(&board, verdict.placement)) {
            themes.push("tuck");
            rating += 180.0;
        }
        let unseen = self.analyst.rank(&Position { next: None, ..*question });
        if unseen.first().is_some_and(|first| !is_right(first.placement)) {
            themes.push("adjust");
            rating += 160.0;
        }
        let height = |column: i8| (-2..20).find(|&row| board.is_solid(row, column)).map_or(0, |row| 20 - row);
        let heights: Vec<i8> = (0..10).map(height).collect();
        let holes = (0..10)
            .flat_map(|column| (20 - heights[column as usize]..20).map(move |row| (row, column)))
            .filter(|&(row, column)| !board.is_solid(row, column))
            .count();
        if holes > 0 {
            themes.push("dig");
            rating += 60.0 * holes.min(3) as f64;
        }
        let right_side = heights[4..9].iter().copied().max().unwrap_or(0);
        if heights[..3].iter().copied().max().unwrap_or(0) >= (right_side + 3).max(8) {
            themes.push("left");
        }
        if progress.level >= 29 {
            themes.push("killscreen");
            rating += 80.0;
        } else if progress.lines() >= 210 {
            themes.push("end");
        }
        // A well for a tetris, a high stack, and no I in sight.
        let lowest = heights.iter().copied().min().unwrap_or(0);
        let second = heights.iter().filter(|&&height| height > lowest).min().copied().unwrap_or(0);
        if best.placement.orientation.piece() != Piece::I
            && next != Some(Piece::I)
            && second >= lowest + 4
            && second >= 8
        {
            themes.push("drought");
            rating += 40.0;
        }
        let next = next.unwrap_or(Piece::T);
        if self
            .glance
            .best(&Position { board, start, next: Some(next), progress })
            .is_none_or(|placement| !is_right(placement))
        {
            rating += 150.0;
        }
        rating -= 90.0 * (right as f64 - 1.0);
        (themes, rating.clamp(900.0, 2_300.0) as u32)
    }

    /// By how many points one game from the first placement is ahead of one from the second, with the same pieces.
    ///
    /// Both are played side by side. Where they meet in one position, nothing that follows can set them apart, so neither goes on.
    fn ahead(&mut self, question: &Position, placements: [Placement; 2], seed: u64) -> f64 {
        let mut games = placements.map(|placement| {
            let mut env = self.playouts.game(question, seed);
            let made = env.step(placement).map(|step| step.reward).ok();
            (env, made.unwrap_or(0), made.is_none())
        });
        loop {
            let [(best, _, best_over), (wrong, _, wrong_over)] = &games;
            let place = |env: &Env| (*env.board(), env.progress(), env.pieces());
            if (*best_over && *wrong_over) || (!best_over && !wrong_over && place(best) == place(wrong)) {
                return games[0].1 as f64 - games[1].1 as f64;
            }
            for (env, made, over) in games.iter_mut().filter(|(_, _, over)| !over) {
                let placement = if env.end().is_none() { self.plays_on.best(&env.position()) } else { None };
                match placement.and_then(|placement| env.step(placement).ok()) {
                    Some(step) => *made += step.reward,
                    None => *over = true,
                }
            }
        }
    }

    /// Plays games on until they decide between the best placement and the best wrong one.
    fn confirm(&mut self, number: u64, candidate: &Candidate) -> Ahead {
        let Candidate { question, verdicts, right, .. } = candidate;
        let placements = [0, *right].map(|at| verdicts[at].placement);
        let mut ahead = Ahead::default();
        loop {
            self.play_on(question, placements, number, ahead.games..ahead.games + ROUND, &mut ahead);
            // Few games may agree by chance.
            if ahead.games >= MOST_GAMES || (ahead.games >= 2 * ROUND && ahead.verdict() != "open") {
                return ahead;
            }
        }
    }

    /// Adds what these games say. `number` is the number of the position.
    fn play_on(
        &mut self,
        question: &Position,
        placements: [Placement; 2],
        number: u64,
        games: Range<u64>,
        said: &mut Ahead,
    ) {
        for game in games {
            let ahead = self.ahead(question, placements, game << 24 | number);
            said.games += 1;
            said.sum += ahead;
            said.squares += ahead * ahead;
        }
    }

    fn row(&mut self, number: u64) -> String {
        let Some(candidate) = self.find(number) else {
            return format!("{number},none{}\n", ",".repeat(HEADER.matches(',').count() - 1));
        };
        let said = self.confirm(number, &candidate);
        let (verdict, games, ahead, error) = (said.verdict(), said.games, said.mean(), said.error());
        let Candidate { question, verdicts, right, themes, rating } = &candidate;
        let Position { board, progress, next, start } = question;
        let letter = |piece: Option<Piece>| piece.map_or('-', Piece::letter);
        let rows: Vec<String> = board.to_string().lines().map(str::to_owned).collect();
        let placements: Vec<String> = verdicts.iter().map(placed).collect();
        let (level, lines) = (progress.level, progress.lines());
        let (piece, next) = (start.orientation.piece(), letter(*next));
        let (board, themes, placements) = (rows.join("/"), themes.join(" "), placements.join(" "));
        format!(
            "{number},{verdict},{level},{lines},{piece},{next},{board},{right},{games},{ahead:.0},{error:.0},{rating},{themes},{placements}\n"
        )
    }
}

/// A placement as x:y:id:loss, and where the next piece then goes best.
fn placed(verdict: &Verdict) -> String {
    let Placement { x, y, orientation: id } = verdict.placement;
    let mut text = format!("{x}:{y}:{}:{:.0}", id.id(), verdict.loss.max(0.0));
    if let Some(Placement { x, y, orientation: id }) = verdict.reply {
        let _ = write!(text, ":{x}:{y}:{}", id.id());
    }
    text
}

/// Whether something is above a cell of this placement, so that the piece does not just drop there.
fn is_tucked(board: &Board, Placement { x, y, orientation: id }: Placement) -> bool {
    id.cells().iter().any(|&(dx, dy)| (-2..y as i8 + dy).any(|row| board.is_solid(row, x as i8 + dx)))
}

fn play(file: &str, numbers: Range<u64>) -> io::Result<()> {
    let key = |line: &str| line.split(',').next()?.parse::<u64>().ok();
    let (done, out) = rows::go_on(file, HEADER, key)?;
    let done: HashSet<u64> = done.into_iter().collect();
    let next = AtomicU64::new(numbers.start);
    rows::on_all_cores(|| {
        let mut maker = Maker::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return Ok(());
            }
            if !done.contains(&number) {
                let row = maker.row(number);
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
    })
}

fn table(text: &str) {
    let rows: Vec<Vec<&str>> = text.lines().skip(1).map(|line| line.split(',').collect()).collect();
    let of = |verdict: &'static str| rows.iter().filter(move |row| row.get(1) == Some(&verdict));
    let [right, wrong, open] = ["right", "wrong", "open"].map(|verdict| of(verdict).count());
    println!("{} numbers, {} of them with a position", rows.len(), right + wrong + open);
    println!("games decide for the answer in {right}, against it in {wrong}, not at all in {open}");
    println!("of those decided, {:.1} % agree", 100.0 * right as f64 / (right + wrong).max(1) as f64);
    let games: Vec<u64> = of("right").filter_map(|row| row.get(8)?.parse().ok()).collect();
    println!(
        "games from each of two placements: {} in all, {} to {} a position",
        games.iter().sum::<u64>(),
        games.iter().min().unwrap_or(&0),
        games.iter().max().unwrap_or(&0)
    );
    for theme in ["burn", "tuck", "adjust", "dig", "left", "killscreen", "end", "drought"] {
        let count =
            of("right").filter(|row| row.get(12).is_some_and(|all| all.split(' ').any(|one| one == theme)));
        println!("{theme}: {}", count.count());
    }
}

/// A position of the module, by the columns of its row.
struct Shipped<'a> {
    row: Vec<&'a str>,
    question: Position,
    /// The best placement, and the best wrong one.
    placements: [Placement; 2],
}

/// The positions of modules that [`module`] made.
fn shipped(text: &str) -> io::Result<Vec<Shipped<'_>>> {
    let rows = text.lines().filter(|line| line.starts_with(|first: char| first.is_ascii_digit()));
    rows.map(|line| {
        of_row(line).ok_or_else(|| {
            let number = line.split(',').next().unwrap_or("");
            io::Error::other(format!("position {number}: expected a row as this program writes it"))
        })
    })
    .collect()
}

fn of_row(line: &str) -> Option<Shipped<'_>> {
    let row: Vec<&str> = line.split(',').collect();
    let [_, level, lines, letter, next, packed, right, .., placements] = row[..] else { return None };
    let question = question(level, lines, letter, next, packed)?;
    let at = |number: usize| {
        let digits = placements.split(' ').nth(number)?.chars();
        let mut digits = digits.map_while(|digit| Some(digit.to_digit(36)? as u8));
        let (x, y, id) = (digits.next()?, digits.next()?, digits.next()?);
        Some(Placement { x, y, orientation: Orientation::from_id(id)? })
    };
    let placements = [at(0)?, at(right.parse().ok()?)?];
    Some(Shipped { row, question, placements })
}

/// The position of a row: two digits of base 32 for each row of its board.
fn question(level: &str, lines: &str, letter: &str, next: &str, packed: &str) -> Option<Position> {
    let piece = |letters: &str| letters.chars().next().and_then(Piece::from_letter);
    let mut art = String::new();
    for digits in packed.as_bytes().chunks(2) {
        let bits = u16::from_str_radix(str::from_utf8(digits).ok()?, 32).ok()?;
        let _ = writeln!(art, "{bits:010b}");
    }
    let board: Board = art.replace('0', ".").replace('1', "#").parse().ok()?;
    let progress = Progress::at(lines.parse().ok()?, level.parse().ok()?);
    Some(Position::spawn(board, piece(letter)?, piece(next), progress))
}

/// Plays [`ALL_GAMES`] games on from each of two placements of every position, whatever they say. The pieces are not those that chose the
/// position.
fn confirm(file: &str, sets: &str) -> io::Result<()> {
    let (done, out) = rows::go_on(file, PLAYED, |line| line.split(',').next().map(str::to_owned))?;
    let mut maker = Maker::new();
    for Shipped { row, question, placements } in shipped(sets)? {
        if done.iter().any(|number| number == row[0]) {
            continue;
        }
        let number = row[0].parse().map_err(io::Error::other)?;
        let (mut said, begun) = (Ahead::default(), Instant::now());
        maker.play_on(&question, placements, number, MOST_GAMES..MOST_GAMES + ALL_GAMES, &mut said);
        let (mean, error, ms) = (said.mean(), said.error(), begun.elapsed().as_millis());
        let line = format!("{number},{},{},{mean:.0},{error:.0},{ms}\n", said.verdict(), said.games);
        out.lock().expect("no panic").write_all(line.as_bytes())?;
    }
    Ok(())
}

/// The module `puzzles-set.js` of these rows.
fn module(rows: impl Iterator<Item = String>) -> String {
    let mut out = String::from(
        "// The built-in positions. Made by `cargo run --release -p maxout-lab --example puzzles`: do not edit.\n\n/** Number, level, lines, piece, next piece, rows from the highest filled one, right placements, games, points ahead, standard error, rating, themes, placements as packed_placements of lab/examples/puzzles.rs writes them. */\nexport const SET = `\n",
    );
    out.extend(rows.map(|row| row + "\n"));
    out += "`;\n";
    out
}

/// The positions whose answers the first games decided for, as rows of the module.
fn rows_of(text: &str) -> impl Iterator<Item = String> {
    text.lines().skip(1).filter_map(|line| {
        let row: Vec<&str> = line.split(',').collect();
        let [number, "right", level, lines, piece, next, board, numbers @ .., placements] = &row[..] else {
            return None;
        };
        let packed = |row: &str| {
            let bits = row.bytes().fold(0_u32, |bits, cell| bits * 2 + u32::from(cell == b'#'));
            [bits / 32, bits % 32].map(|digit| char::from_digit(digit, 32).unwrap_or('0'))
        };
        let board: String = board.split('/').skip_while(|row| !row.contains('#')).flat_map(packed).collect();
        let question = question(level, lines, piece, next, &board)?;
        let (numbers, placements) = (numbers.join(","), packed_placements(&question, placements)?);
        Some(format!("{number},{level},{lines},{piece},{next},{board},{numbers},{placements}"))
    })
}

/// The rows of modules, each with what [`confirm`] found. A position whose answer was not confirmed is left out.
fn merged(played: &str, sets: &str) -> io::Result<impl Iterator<Item = String>> {
    let found: HashMap<&str, Vec<&str>> = played
        .lines()
        .map(|line| line.split(',').collect::<Vec<_>>())
        .filter_map(|row| Some((*row.first()?, row)))
        .collect();
    let rows = shipped(sets)?.into_iter();
    Ok(rows.filter_map(move |Shipped { mut row, .. }| {
        let [_, verdict, games, ahead, error, ..] = found.get(row[0])?[..] else { return None };
        row[7..10].copy_from_slice(&[games, ahead, error]);
        (verdict == "right").then(|| row.join(","))
    }))
}

/// The placements of a row of [`play`] as those of the module: column, row and orientation, those of the next piece or `-`, and the loss, in
/// digits of base 36; then what makes it worse than the best, each a letter and a number as `reasons` of words.js has them.
fn packed_placements(question: &Position, placements: &str) -> Option<String> {
    let verdict = |text: &str| {
        let numbers = text.split(':').map(|number| number.parse().ok()).collect::<Option<Vec<u32>>>()?;
        let place = |at: &[u32]| {
            let orientation = Orientation::from_id(at[2] as u8)?;
            Some(Placement { x: at[0] as u8, y: at[1] as u8, orientation })
        };
        let (placement, loss) = (place(numbers.get(..3)?)?, *numbers.get(3)?);
        let mut board_after = question.board;
        board_after.lock(placement.x, placement.y, placement.orientation);
        let reply = numbers.get(4..7).and_then(place);
        let (points, topout, value, replies) = (0.0, 0.0, 0.0, [None; 7]);
        Some(Verdict { placement, board_after, points, loss: loss as f32, topout, value, reply, replies })
    };
    let all = placements.split(' ').map(verdict).collect::<Option<Vec<_>>>()?;
    let packed = |one: &Verdict| {
        let place = |Placement { x, y, orientation }: Placement| {
            [x, y, orientation.id()].map(|number| digits(number.into())).concat()
        };
        let (here, loss) = (place(one.placement), digits(one.loss as u32));
        let next = one.reply.map_or("-".to_owned(), place);
        here + &next + &loss + &reasons(question, one, &all[0]).iter().take(3).map(code).collect::<String>()
    };
    Some(all.iter().map(packed).collect::<Vec<_>>().join(" "))
}

/// A number in digits of base 36.
fn digits(number: u32) -> String {
    let last = char::from_digit(number % 36, 36).unwrap_or('0').to_string();
    if number < 36 { last } else { digits(number / 36) + &last }
}

/// A reason as `reasons` of words.js names it. A piece counts as in [`Piece::ALL`].
fn code(reason: &Reason) -> String {
    let (letter, number) = match *reason {
        Reason::Crashes(lines) => ('X', lines),
        Reason::MissesTetris => ('T', 0),
        Reason::CoversWell { column } => ('W', column),
        Reason::FillsWell { column } => ('F', column),
        Reason::MakesHoles(holes) => ('H', holes),
        Reason::MakesMoreHoles(holes) => ('M', holes),
        Reason::Burns(lines) => ('B', lines),
        Reason::NeedsI { column } => ('I', column),
        Reason::CrampsNext(piece) => ('N', piece as u8),
        Reason::ClearsFewer(lines) => ('L', lines),
        Reason::StacksHigher(rows) => ('S', rows),
        Reason::LiesHigher(rows) => ('A', rows),
        Reason::Uneven => ('U', 0),
    };
    format!("{letter}{}", digits(number.into()))
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "play FILE.csv COUNT, play FILE.csv FIRST..END, table FILE.csv, write FILE.csv, confirm PLAYED.csv SET.js…, or merge PLAYED.csv SET.js…",
        )
    };
    let read = |files: &[&str]| files.iter().map(fs::read_to_string).collect::<io::Result<String>>();
    match arguments {
        ["play", file, numbers] => {
            let (first, end) = numbers.split_once("..").unwrap_or(("0", numbers));
            let numbers = first.parse().ok().zip(end.parse().ok()).map(|(first, end)| first..end);
            play(file, numbers.filter(|numbers| !numbers.is_empty()).ok_or_else(usage)?)
        }
        ["table", file] => {
            table(&fs::read_to_string(file)?);
            Ok(())
        }
        ["write", file] => {
            print!("{}", module(rows_of(&fs::read_to_string(file)?)));
            Ok(())
        }
        ["confirm", file, sets @ ..] if !sets.is_empty() => confirm(file, &read(sets)?),
        ["merge", file, sets @ ..] if !sets.is_empty() => {
            print!("{}", module(merged(&fs::read_to_string(file)?, &read(sets)?)?));
            Ok(())
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
