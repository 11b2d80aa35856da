//! Are the losses of a review right? For positions and placements of other players, compares the stated loss with what it is when games are
//! played on from both placements with the same pieces, by `maxout-fast`, up to the stop.
//!
//! `cargo run --release -p maxout-lab --example losses -- play losses.csv 400 30` plays 30 pairs of games for each of 400 placements up
//! to level 28, and adds a row for each; a run that was interrupted goes on where it stopped. `... play late.csv 400 30 29 15hz` does so from
//! level 29 on, all at 15 Hz (30 Hz without it), and `... play short.csv 400 30 64` plays 64 pieces and takes the forecast of what is then on the board.
//! `... -- table losses.csv` prints stated and measured losses and forecasts, by decile, and `... -- plot losses.csv losses.svg` draws them.
//!
//! `... -- listed list.csv late.csv 200 15hz` does so for placements from level 29 on that a file lists, such as those of a review.
//! `... -- features late.csv 15hz features.csv` writes what is seen of the boards of such a file from level 29 on, a line for each placement, to
//! fit `GOES_ON_FROM_29` and its like (`crates/engine/src/analysis/parameters.rs`) on.
//!
//! `... -- board maxout-fast board.txt T L 2000` plays 2,000 games on from the best placement on a board, level 19 with 0 lines, and
//! compares them with the forecast.

use std::collections::HashSet;
use std::fs;
use std::io::{self, Write as _};
use std::ops::Range;
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering};

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::{
    Analyst, Calibration, Estimate, GamePlayouts, OutcomeInputs, OutcomeNetwork, Verdict, tetris,
};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_gallery::find;
use maxout_lab::research::{mean, rows, usage};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Orientation, Piece, Placement, Progress, line_points, lines_to_29};
use mean::mean;

/// The first seed of the games; nothing was fitted on these seeds.
const FIRST_SEED: u64 = 43_000_000;
/// Who builds boards and places. None of them plays on.
const PLAYERS: [&str; 5] = ["plateau17", "dellacherie", "el-tetris", "maxout-2ply", "maxout-fast"];
/// Shares of pieces that lock a column beside where they should, and of those that go anywhere.
const SLIPS: [f64; 4] = [0.0, 0.03, 0.08, 0.2];
/// A placement is looked at if it is not the best one; of those that are said to lose less than this share of a tetris, one in four.
const LITTLE: f32 = 0.01;
/// From level 29 on, `usual` and `usual_topout` are what the tables say of level 28.
const HEADER: &str = "position,player,level,lines_left,most,usual,usual_topout,stated_best,stated_best_topout,stated,stated_topout,\
                      quality_best,network_topout_best,network_best,paid_best,quality,network_topout,network,paid,\
                      pairs,best,best_topouts,played,topouts,lost,lost_squared,next,board_best,board";

/// What is looked at: how far games are played on, and from which levels.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    To28,
    From29,
    Short(usize),
}

struct Cast {
    /// The published players, then searches with fewer and with more pieces.
    published: Vec<Box<dyn Policy>>,
    searches: [Expectimax; 2],
    analyst: Analyst,
    /// Who plays on from level 29 on.
    late: GamePlayouts,
    list: Vec<Placement>,
}

impl Cast {
    /// All tap within `limits`.
    fn new(limits: Limits) -> Self {
        let player = |name: &&str| find(name).ok()?.policy(limits.into());
        let network = weights::embedded_for(limits);
        let search = |widths| Expectimax::new(network.clone(), widths, limits);
        let fast = find("maxout-fast").ok().and_then(|player| player.with_limits(limits));
        let fast = fast.and_then(|player| player.analyst(Foresight::DEFAULT));
        Self {
            published: PLAYERS.iter().filter_map(player).collect(),
            searches: [search(Widths::TWO), search(Widths::FAST)],
            analyst: fast.expect("an analyst"),
            late: GamePlayouts::new(network.clone(), limits),
            list: Vec::new(),
        }
    }

    /// Where this player puts the piece in play, or where it lands.
    fn pick(&mut self, player: usize, slips: f64, env: &Env, dice: &mut Dice) -> Option<Placement> {
        env.placements(&mut self.list);
        let list = &self.list;
        let best = match self.published.get_mut(player) {
            Some(published) => published.choose(&env.position()),
            None => self.searches[player - self.published.len()].best(&env.position()),
        };
        let any = |dice: &mut Dice| (!list.is_empty()).then(|| list[dice.below(list.len())]);
        let Some(best) = best.filter(|best| list.contains(best)) else { return any(dice) };
        let chance = dice.below(1 << 20) as f64 / f64::from(1u32 << 20);
        if chance < slips / 4.0 {
            return any(dice);
        }
        let beside =
            |other: &&Placement| other.x.abs_diff(best.x) == 1 && other.orientation == best.orientation;
        let near: Vec<_> = list.iter().filter(beside).copied().collect();
        Some(if chance < slips && !near.is_empty() { near[dice.below(near.len())] } else { best })
    }
}

/// Placement number `index`: the question, who placed, where, and what is said of the best placement and of this one.
fn placed(index: u64, kind: Kind, cast: &mut Cast) -> (Position, usize, Placement, [Verdict; 2]) {
    (0..).find_map(|attempt| reached(index, attempt, kind, cast)).expect("some placement is not the best")
}

fn reached(
    index: u64,
    attempt: u64,
    kind: Kind,
    cast: &mut Cast,
) -> Option<(Position, usize, Placement, [Verdict; 2])> {
    let mut dice = Dice::of([FIRST_SEED + index, attempt]);
    let (player, slips) = (dice.below(PLAYERS.len()), SLIPS[dice.below(SLIPS.len())]);
    let start = [18, 19, 19][dice.below(3)];
    let (late, ever) = (
        kind == Kind::From29,
        EnvRules { until_level: None, ..EnvRules::game(start) }.with_moves(cast.analyst.limits()),
    );
    let lines = if late { 230 + dice.roll(90) } else { dice.roll(lines_to_29(start) - 30) };
    let mut progress = Progress::at(0, start);
    (0..lines).for_each(|_| progress.add_rows(1));
    let before = if late { Progress::at(0, start) } else { progress };
    let seed = (FIRST_SEED + index) << 16 | attempt;
    let mut env = Env::from_position(ever, seed, Board::EMPTY, before);
    let pieces = 15 + u64::from(dice.roll(60));
    while env.pieces() < pieces {
        let placement = cast.pick(player, slips, &env, &mut dice)?;
        env.step(placement).ok()?;
    }
    if late {
        let (piece, next) = (env.piece(), env.next_piece());
        env = Env::from_position(ever, seed, *env.board(), progress);
        env.deal_pieces(piece, next);
        for _ in 0..dice.roll(8) {
            let placement = cast.pick(player, 3.0 * slips, &env, &mut dice)?;
            env.step(placement).ok()?;
        }
    }
    let question = env.position();
    if env.end().is_some() || !late && question.progress.level >= 29 {
        return None;
    }
    let played = cast.pick(player, slips.max(0.1), &env, &mut dice)?;
    let verdicts = cast.analyst.rank_with(&question, Some(played));
    let (best, own) = (verdicts.first()?, verdicts.iter().find(|verdict| verdict.placement == played)?);
    let little = best.points - own.points < LITTLE * tetris(question.progress.level);
    (best.placement != played && (!little || dice.below(4) == 0)).then_some((
        question,
        player,
        played,
        [*best, *own],
    ))
}

/// Plays the rows that `file` does not have yet.
fn play(file: &str, positions: Range<u64>, pairs: u64, kind: Kind, limits: Limits) -> io::Result<()> {
    let (done, out) = rows::go_on(file, HEADER, |line| line.split(',').next()?.parse::<u64>().ok())?;
    let done: HashSet<u64> = done.into_iter().collect();
    let next = AtomicU64::new(positions.start);
    let work = || -> io::Result<()> {
        let mut cast = Cast::new(limits);
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= positions.end {
                return Ok(());
            }
            if !done.contains(&index) {
                let row = row(index, pairs, kind, &mut cast);
                out.lock().expect("no panic").write_all(row.as_bytes())?;
            }
        }
    };
    rows::on_all_cores(work)
}

fn row(index: u64, pairs: u64, kind: Kind, cast: &mut Cast) -> String {
    let (question, player, played, said) = placed(index, kind, cast);
    row_of(index, PLAYERS[player], (&question, played, said), (pairs, kind), cast)
}

fn row_of(
    index: u64,
    player: &str,
    (question, played, said): (&Position, Placement, [Verdict; 2]),
    (pairs, kind): (u64, Kind),
    cast: &mut Cast,
) -> String {
    let progress = question.progress;
    let outlook = cast.analyst.outlook(progress);
    let usual = Calibration::FITTED.estimate(&outlook, outlook.ordinary);
    let of = |verdict: &Verdict| {
        let mut board = question.board;
        let Placement { x, y, orientation: id } = verdict.placement;
        let lines = board.lock(x, y, id);
        let quality = outlook.quality(verdict.value - line_points(lines, progress.level) as f32);
        let next = question.next.unwrap_or(Piece::T);
        let outcome = OutcomeNetwork::shipped().outcome(&OutcomeInputs::new(
            &board,
            next,
            quality,
            progress.level < 19,
        ));
        format!("{:.4},{:.5},{:.4},{lines}", outlook.quality(verdict.value), outcome.topout, outcome.tetrises)
    };
    let pieces = if let Kind::Short(pieces) = kind { pieces } else { usize::MAX };
    let mut sums = [0.0; 6];
    for pair in 0..pairs {
        let seed = pair << 32 | index;
        let ends = [said[0].placement, played].map(|place| {
            if kind == Kind::From29 {
                let played = cast.late.play(question, place, seed);
                Estimate { points: played.points as f32, topout: f32::from(u8::from(played.topped_out)) }
            } else {
                cast.analyst.play_on(question, place, pieces, seed)
            }
        });
        let lost = f64::from(ends[0].points) - f64::from(ends[1].points);
        let own = ends.map(|end| [f64::from(end.points), f64::from(end.topout)]).concat();
        sums.iter_mut().zip(own.into_iter().chain([lost, lost * lost])).for_each(|(sum, one)| *sum += one);
    }
    let means: Vec<String> = sums.iter().map(|sum| format!("{:.4}", sum / pairs as f64)).collect();
    let [best, own] = &said;
    format!(
        "{index},{player},{},{},{},{:.0},{:.5},{:.1},{:.5},{:.1},{:.5},{},{},{pairs},{},{},{},{}\n",
        progress.level,
        outlook.lines,
        outlook.most,
        usual.points,
        usual.topout,
        best.points,
        best.topout,
        own.points,
        own.topout,
        of(best),
        of(own),
        means.join(","),
        question.next.unwrap_or(Piece::T),
        cells(&best.board_after),
        cells(&own.board_after)
    )
}

/// Plays pairs for placements that are listed in `list`: a line for each with the lines of the game (from level 18 or 19 on), piece, next piece, x, y, id
/// and the rows of the board as three hexadecimal digits each. Writes the rows of those that are not the best.
fn listed(list: &str, file: &str, pairs: u64, limits: Limits) -> io::Result<()> {
    let (mut cast, mut text) = (Cast::new(limits), format!("{HEADER}\n"));
    let wrong = |line: &str| {
        io::Error::other(format!("{list}: {line:?}, expected lines, pieces, x, y, id and cells"))
    };
    for (index, line) in (0..).zip(fs::read_to_string(list)?.lines()) {
        let (question, played) = listed_position(line).ok_or_else(|| wrong(line))?;
        let verdicts = cast.analyst.rank_with(&question, Some(played));
        let own = verdicts.iter().find(|verdict| verdict.placement == played);
        let (Some(best), Some(own)) = (verdicts.first(), own) else { continue };
        if best.placement != played {
            let said = [*best, *own];
            text += &row_of(index, "listed", (&question, played, said), (pairs, Kind::From29), &mut cast);
        }
    }
    fs::write(file, text)
}

fn listed_position(line: &str) -> Option<(Position, Placement)> {
    let cells: Vec<&str> = line.split(',').collect();
    let &[lines, piece, next, x, y, id, board] = &cells[..] else { return None };
    let piece_of = |text: &str| Piece::from_letter(text.chars().next()?);
    let mut progress = Progress::at(0, 19);
    (0..lines.parse().ok()?).for_each(|_: u32| progress.add_rows(1));
    let orientation = Orientation::from_id(id.parse().ok()?)?;
    let played = Placement { x: x.parse().ok()?, y: y.parse().ok()?, orientation };
    Some((Position::spawn(board_of(board)?, piece_of(piece)?, Some(piece_of(next)?), progress), played))
}

/// The rows that are not empty, from the top on, as hexadecimal numbers of three digits.
fn cells(board: &Board) -> String {
    board.visible().iter().filter(|row| **row != 0).map(|row| format!("{row:03x}")).collect()
}

/// A board that [`cells`] has written.
fn board_of(cells: &str) -> Option<Board> {
    let row = |digits: &[u8]| {
        let row = u16::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        Some((0..10).map(|column| if row >> column & 1 == 1 { '#' } else { '.' }).chain(['\n']).collect())
    };
    let rows: Option<Vec<String>> = cells.as_bytes().chunks(3).map(row).collect();
    rows?.concat().parse().ok()
}

const FEATURES: &str = "position,which,lines_left,level,usual,usual_topout,beside,table_points,network,pairs,made,topouts,reach,left,right,\
                        next_reach,heights,holes,hole_rows,ready,quality,stated,stated_topout";

/// Writes what is seen of both boards of each row of `file`, whose games were played within `limits`.
fn features(file: &str, limits: Limits, out: &str) -> io::Result<()> {
    let names: Vec<&str> = HEADER.split(',').collect();
    let mut analyst = Cast::new(limits).analyst;
    let mut text = format!("{FEATURES}\n");
    for line in fs::read_to_string(file)?.lines().skip(1) {
        let cells: Vec<&str> = line.split(',').collect();
        let get = |name: &str| names.iter().position(|other| *other == name).map_or("", |at| cells[at]);
        let number = |name: &str| get(name).parse::<f32>().unwrap_or(f32::NAN);
        let mut progress = Progress::at(0, 19);
        (0..330 - number("lines_left") as u32).for_each(|_| progress.add_rows(1));
        let outlook = analyst.outlook(progress);
        let usual = Calibration::FITTED.estimate(&outlook, outlook.ordinary);
        for (which, [quality, network, made, topouts, board, stated, stated_topout]) in [
            [
                "quality_best",
                "network_topout_best",
                "best",
                "best_topouts",
                "board_best",
                "stated_best",
                "stated_best_topout",
            ],
            ["quality", "network_topout", "played", "topouts", "board", "stated", "stated_topout"],
        ]
        .into_iter()
        .enumerate()
        {
            let Some(board) = board_of(get(board)) else { continue };
            let tables =
                Calibration::FITTED.estimate(&outlook, outlook.ordinary + number(quality) * outlook.tetris);
            let beside = (1.0 - tables.topout) / (1.0 - usual.topout).max(0.01);
            let (mut reach, mut left, mut right, mut next_reach) = (0, 0, 0, 0);
            let mut list = Vec::new();
            for piece in Piece::ALL {
                placements(&board, &Start::spawn(piece, 29), limits, &mut list);
                reach += list.len();
                if get("next").starts_with(piece.letter()) {
                    next_reach = list.len();
                }
                let touches = |column: i8| {
                    list.iter()
                        .any(|at| at.orientation.cells().iter().any(|&(x, _)| at.x as i8 + x == column))
                };
                left += u32::from(touches(0));
                right += u32::from(touches(9));
            }
            let shape = Shape::of(&board);
            let rows = board.visible();
            let ready = rows.iter().filter(|row| *row & 0x3ff == 0x1ff).count();
            let hole_rows = (0..20)
                .filter(|&row| {
                    (0..10).any(|column| {
                        rows[row] >> column & 1 == 0
                            && rows[..row].iter().any(|above| above >> column & 1 == 1)
                    })
                })
                .count();
            let heights = shape.heights.map(|height| height.to_string()).join(" ");
            text += &format!(
                "{},{which},{},{},{:.0},{:.5},{beside:.5},{:.0},{},{},{},{},{reach},{left},{right},{next_reach},{heights},{},{hole_rows},{ready},{},{},{}\n",
                get("position"),
                get("lines_left"),
                get("level"),
                usual.points,
                usual.topout,
                tables.points,
                get(network),
                get("pairs"),
                get(made),
                get(topouts),
                shape.all_holes(),
                get(quality),
                get(stated),
                get(stated_topout)
            );
        }
    }
    fs::write(out, text)
}

/// What was stated of a placement, and what was measured.
struct Measured {
    stated: f64,
    lost: f64,
    /// The forecast and the mean of the games, after the best placement and after the one that was played: points and top-outs.
    forecast: [[f64; 2]; 2],
    made: [[f64; 2]; 2],
}

fn read(file: &str) -> io::Result<Vec<Measured>> {
    let names: Vec<&str> = HEADER.split(',').collect();
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{file}: {error}"));
    let text = fs::read_to_string(file).map_err(named)?;
    let measured = |line: &str| {
        let cells: Vec<&str> = line.split(',').collect();
        let get = |name: &str| cells.get(names.iter().position(|other| *other == name)?)?.parse::<f64>().ok();
        let (best, own) = (get("stated_best")?, get("stated")?);
        Some(Measured {
            stated: best - own,
            lost: get("lost")?,
            forecast: [[best, get("stated_best_topout")?], [own, get("stated_topout")?]],
            made: [[get("best")?, get("best_topouts")?], [get("played")?, get("topouts")?]],
        })
    };
    let mut all: Vec<Measured> = text.lines().skip(1).filter_map(measured).collect();
    all.sort_by(|a, b| a.stated.total_cmp(&b.stated));
    Ok(all)
}

/// Ten parts of equally many placements, by what they are said to lose.
fn deciles(all: &[Measured]) -> impl Iterator<Item = &[Measured]> {
    (0..10).map(|part| &all[part * all.len() / 10..(part + 1) * all.len() / 10]).filter(|part| part.len() > 1)
}

/// The mean of what `value` says of each.
fn mean_of(part: &[Measured], value: impl Fn(&Measured) -> f64) -> (f64, f64) {
    mean(&part.iter().map(value).collect::<Vec<_>>())
}

fn table(all: &[Measured]) {
    println!(
        "placements  lost: stated         measured    points forecast       made  top-outs forecast  measured"
    );
    for part in deciles(all).chain([all]) {
        let of = |value: &dyn Fn(&Measured) -> f64| mean_of(part, value);
        let ((stated, _), (lost, error)) = (of(&|one| one.stated), of(&|one| one.lost));
        let both = |which: usize, of_one: fn(&Measured) -> [[f64; 2]; 2]| {
            of(&|one| f64::midpoint(of_one(one)[0][which], of_one(one)[1][which])).0
        };
        println!(
            "{:>10} {stated:>13.0} {lost:>8.0} ± {error:<7.0} {:>15.0} {:>10.0} {:>17.1} % {:>7.1} %",
            part.len(),
            both(0, |one| one.forecast),
            both(0, |one| one.made),
            100.0 * both(1, |one| one.forecast),
            100.0 * both(1, |one| one.made),
        );
    }
}

/// Draws the deciles: what is stated to the right, what was measured upwards, with two standard errors; both by their square roots.
fn plot(all: &[Measured], file: &str) -> io::Result<()> {
    let most = deciles(all).map(|part| mean_of(part, |one| one.stated).0).fold(1.0, f64::max) * 1.3;
    let at = |value: f64| 320.0 * (value.max(0.0) / most).sqrt();
    let mut svg = String::from(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 400 400\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"400\" height=\"400\" fill=\"#fff\"/>\n\
         <text x=\"50\" y=\"16\" font-size=\"14\">Points lost: stated (right) and measured (up)</text>\n\
         <path d=\"M50 40V360H370 M50 360L370 40\" fill=\"none\" stroke=\"#888\"/>\n",
    );
    svg += &format!("<text x=\"370\" y=\"382\" text-anchor=\"end\">{most:.0}, square roots</text>\n");
    for part in deciles(all) {
        let ((stated, _), (lost, error)) = (mean_of(part, |one| one.stated), mean_of(part, |one| one.lost));
        let (x, [low, y, high]) =
            (50.0 + at(stated), [lost - 2.0 * error, lost, lost + 2.0 * error].map(|lost| 360.0 - at(lost)));
        svg += &format!(
            "<path d=\"M{x:.1} {low:.1}V{high:.1}\" stroke=\"#1668b8\"/><circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"#1668b8\"/>\n"
        );
    }
    fs::write(file, svg + "</svg>\n")
}

/// Plays games on from the best placement on a board, level 19 with 0 lines, and compares their mean with the forecast.
fn from_board(player: &str, file: &str, pieces: [Piece; 2], games: Range<u64>) -> io::Result<()> {
    let board: Board = fs::read_to_string(file)?
        .parse()
        .map_err(|_| io::Error::other(format!("{file}: expected a board")))?;
    let analyst = find(player).ok().and_then(|player| player.analyst(Foresight::DEFAULT));
    let mut analyst = analyst
        .ok_or_else(|| io::Error::other(format!("{player}: expected a player on the learned value")))?;
    let widths = match player {
        "maxout" => Widths::DEFAULT,
        "maxout-fast" => Widths::FAST,
        _ => Widths::TWO,
    };
    let question = Position::spawn(board, pieces[0], Some(pieces[1]), Progress::at(0, 19));
    let Some(best) = analyst.rank(&question).first().copied() else { return Ok(()) };
    println!("forecast for {player}: {:.0} points, top-out {:.2} %", best.points, 100.0 * best.topout);
    let limits = Limits::EACH_BUTTON;
    let mut playouts =
        GamePlayouts::of(Expectimax::new(weights::embedded_for(limits), widths, limits), limits);
    let (mut points, mut lost) = (Vec::new(), 0);
    for seed in games {
        let played = playouts.play(&question, best.placement, seed);
        points.push(played.points as f64);
        lost += u64::from(played.topped_out);
    }
    let (mean, error) = mean(&points);
    println!("{} games: {mean:.0} ± {error:.0} points, {lost} top-outs", points.len());
    Ok(())
}

fn run(arguments: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "play FILE.csv PLACEMENTS PAIRS [29 [TAPS] or PIECES], table FILE.csv, plot FILE.csv FILE.svg, listed LIST FILE.csv PAIRS TAPS, features FILE.csv TAPS FILE.csv, or board PLAYER FILE PIECE NEXT GAMES",
        )
    };
    let number = |text: &str| text.parse::<u64>().map_err(|_| usage());
    match *arguments {
        ["play", file, positions, pairs, ref kind @ ..] => {
            let (kind, limits) = match *kind {
                [] => (Kind::To28, Limits::EACH_BUTTON),
                ["29"] => (Kind::From29, Limits::EACH_BUTTON),
                ["29", taps] => (Kind::From29, Limits::taps(taps.parse().map_err(|_| usage())?)),
                [pieces] => (Kind::Short(number(pieces)? as usize), Limits::EACH_BUTTON),
                _ => return Err(usage()),
            };
            let (first, end) = positions.split_once("..").unwrap_or(("0", positions));
            play(file, number(first)?..number(end)?, number(pairs)?, kind, limits)
        }
        ["table", file] => {
            table(&read(file)?);
            Ok(())
        }
        ["plot", file, svg] => plot(&read(file)?, svg),
        ["listed", list, file, pairs, taps] => {
            listed(list, file, number(pairs)?, Limits::taps(taps.parse().map_err(|_| usage())?))
        }
        ["features", file, taps, out] => {
            features(file, Limits::taps(taps.parse().map_err(|_| usage())?), out)
        }
        ["board", player, file, piece, next, games] => {
            let read = |text: &str| text.chars().next().and_then(Piece::from_letter).ok_or_else(usage);
            let (first, end) = games.split_once("..").unwrap_or(("0", games));
            from_board(player, file, [read(piece)?, read(next)?], number(first)?..number(end)?)
        }
        _ => Err(usage()),
    }
}

fn main() -> ExitCode {
    usage::run(run)
}
