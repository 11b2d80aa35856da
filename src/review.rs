//! A judged game as text for people ([`told`]) and as a table for other programs ([`csv`](fn@csv)).

use std::fmt::Write as _;
use std::io;

use serde::Serialize;

use crate::boards::{PLACE, place};
use crate::files::csv::Csv;
use crate::words::{count, decimal};
use maxout_engine::analysis::{Forecaster, Judgement};
use maxout_engine::limits::Limits;
use maxout_host::review::{
    Balance, GameSummary, Habit, HabitSum, JudgedPiece, MoveClass, PhaseSum, PieceBalance, balances,
    by_piece, summary,
};
use maxout_rules::Placement;

/// How many things to train are named.
const TRAIN: usize = 3;

/// The header of the table.
const COLUMNS: [&str; 30] = [
    "game",
    "piece_number",
    "frame",
    "level",
    "lines",
    "piece",
    "next",
    "x",
    "y",
    "orientation",
    "class",
    "loss",
    "points",
    "topout",
    "value",
    "best_x",
    "best_y",
    "best_orientation",
    "best_points",
    "best_topout",
    "best_value",
    "within_limits",
    "made",
    "luck",
    "measured_games",
    "measured_loss",
    "measured_se",
    "misdrop_x",
    "misdrop_y",
    "misdrop_orientation",
];

/// A loss that was measured by playing on. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct MeasuredLoss {
    /// Which of the judged placements of the game, from 1.
    pub number: usize,
    /// Pairs of games.
    pub games: u64,
    /// The mean of what was lost against the best placement in games with the same pieces.
    pub loss: f64,
    /// Its standard error.
    pub loss_se: f64,
}

/// The placements of the games as CSV, a line each, with the losses that were measured. `piece_number` counts the judged ones. Up to a stop, the first `best_points` − the sum
/// of `loss` + the sum of `luck` is the sum of `made`, and what is still to expect after the last placement.
pub fn csv(games: &[(&[JudgedPiece], &[MeasuredLoss])]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut table = Csv::new(&mut bytes, COLUMNS)?;
    for (game, &(pieces, measured)) in (1..).zip(games) {
        for ((number, judged), PieceBalance { made, luck }) in (1..).zip(pieces).zip(by_piece(pieces)) {
            let JudgedPiece { placed, judgement, misdrop, .. } = judged;
            let Judgement { verdict, best, loss, class, within_limits, .. } = judgement;
            let measured = measured.iter().find(|measured| measured.number == number);
            let of = |told: &dyn Fn(&MeasuredLoss) -> String| measured.map_or_else(String::new, told);
            let meant = |told: &dyn Fn(Placement) -> String| misdrop.map_or_else(String::new, told);
            let (here, there) = (verdict.placement, best.placement);
            let record: [String; 30] = [
                usize::to_string(&game),
                usize::to_string(&number),
                placed.frame.to_string(),
                placed.progress.level.to_string(),
                placed.progress.lines().to_string(),
                placed.piece.to_string(),
                placed.next.map(|next| next.to_string()).unwrap_or_default(),
                here.x.to_string(),
                here.y.to_string(),
                here.orientation.id().to_string(),
                class.name().to_owned(),
                format!("{loss:.0}"),
                format!("{:.0}", verdict.points),
                format!("{:.4}", verdict.topout),
                format!("{:.0}", verdict.value),
                there.x.to_string(),
                there.y.to_string(),
                there.orientation.id().to_string(),
                format!("{:.0}", best.points),
                format!("{:.4}", best.topout),
                format!("{:.0}", best.value),
                within_limits.to_string(),
                format!("{made:.0}"),
                luck.map_or_else(String::new, |luck| format!("{luck:.0}")),
                of(&|measured| measured.games.to_string()),
                of(&|measured| format!("{:.0}", measured.loss)),
                of(&|measured| format!("{:.0}", measured.loss_se)),
                meant(&|at| at.x.to_string()),
                meant(&|at| at.y.to_string()),
                meant(&|at| at.orientation.id().to_string()),
            ];
            table.row(record)?;
        }
    }
    table.finish()?;
    Ok(bytes)
}

/// The placements that lost most, at most `count` of them, with their numbers among `pieces`, from 1. Those that lost nothing
/// are left out.
pub fn worst(pieces: &[JudgedPiece], count: usize) -> Vec<(usize, &JudgedPiece)> {
    let mut order: Vec<(usize, &JudgedPiece)> =
        (1..).zip(pieces).filter(|(_, judged)| judged.judgement.loss >= 0.5).collect();
    order.sort_by(|a, b| b.1.judgement.loss.total_cmp(&a.1.judgement.loss).then(a.0.cmp(&b.0)));
    order.truncate(count);
    order
}

/// The game at a glance, its sums, and its `worst` placements with the largest losses; that there is nothing to review if nothing was
/// judged. `player` judged it within `limits`.
pub fn told(
    pieces: &[JudgedPiece],
    sums: &[PhaseSum],
    (player, limits): (&str, Limits),
    worst: usize,
) -> String {
    if pieces.is_empty() {
        return "nothing to review: no placement could be judged".to_owned();
    }
    let mut text = at_a_glance(&summary(pieces));
    text += "\n\nlevels      pieces  accuracy  points lost";
    for class in MoveClass::ALL {
        text += &format!("  {:>10}", class.name());
    }
    for sum in sums {
        let (name, accuracy, lost) = (sum.phase.name(), sum.accuracy, points(sum.lost));
        // Writing to a string does not fail.
        let _ = write!(text, "\n{name:<10} {:>7} {accuracy:>7.1} %  {lost:>11}", sum.pieces);
        sum.classes.iter().for_each(|count| text += &format!("  {count:>10}"));
    }
    for Balance { to_level, expected, lost, luck, made, left } in balances(pieces) {
        let [expected, lost, size, made] = [expected, lost, luck.abs(), made].map(points);
        let _ = write!(
            text,
            "\nup to level {to_level}: {expected} points to expect - {lost} lost {} {size} luck = {made} made",
            if luck < 0.0 { '-' } else { '+' },
        );
        if left > 0.0 {
            let _ = write!(text, " + {} still to expect", points(left));
        }
    }
    let order = self::worst(pieces, worst);
    if order.is_empty() {
        return text;
    }
    text += &format!(
        "\nlosses and top-outs are forecasts, {whose}{weighed}\n\
         number  frame  level  lines  piece next  {PLACE}class           loss  top-out    better: {PLACE} top-out",
        whose = whose(pieces, player, limits),
        weighed =
            if pieces.iter().any(is_weighed) { "; losses also by games played on, see below" } else { "" },
    );
    for (number, judged) in order {
        let JudgedPiece { placed, judgement, .. } = judged;
        let Judgement { verdict, best, loss, class, .. } = judgement;
        let next = placed.next.map_or('?', maxout_rules::Piece::letter);
        let _ = write!(
            text,
            "\n{number:>6} {:>6}  {:>5}  {:>5}  {:>5} {next:>4}  {}{:<10} {:>9} {:>6.1} %            {} {:>6.1} %",
            placed.frame,
            placed.progress.level,
            placed.progress.lines(),
            placed.piece.letter(),
            place(verdict.placement),
            class.name(),
            points(*loss),
            100.0 * verdict.topout,
            place(best.placement),
            100.0 * best.topout,
        );
        let missed =
            [("missed tetris", judged.missed_tetris()), ("missed adjustment", judged.missed_adjustment)];
        let missed = missed.into_iter().filter(|(_, missed)| *missed).map(|(what, _)| what.to_owned());
        let misdrop = judged.misdrop.map(|meant| format!("probably a misdrop, meant for {meant}"));
        let notes: Vec<String> =
            judged.why(verdict, *class).into_iter().chain(missed).chain(misdrop).collect();
        if !notes.is_empty() {
            text += &format!("  {}", notes.join(", "));
        }
    }
    text
}

/// Whether games that were played on have changed what the placement is said to lose.
fn is_weighed(judged: &JudgedPiece) -> bool {
    judged.judgement.loss.to_bits() != judged.judgement.forecast_loss().to_bits()
}

/// Points as people write them.
fn points(points: f32) -> String {
    decimal(points.into(), 0)
}

/// Whose games the forecasts of these placements speak of.
fn whose(pieces: &[JudgedPiece], player: &str, limits: Limits) -> String {
    let mut told: Vec<Forecaster> = Vec::new();
    let mut text = String::new();
    for JudgedPiece { placed, .. } in pieces {
        let of_level = Forecaster::of(player, placed.progress.level, placed.region.into(), limits);
        if !told.contains(&of_level) {
            if !text.is_empty() {
                text += &format!(", and from level {} on ", placed.progress.level);
            }
            text += &of_level.told(limits);
            told.push(of_level);
        }
    }
    text
}

/// How many locks that can crash the game are named one by one.
const LOCKS: usize = 10;

/// The game in a few lines: what was made, the moments that mattered, what to train, and which locks can crash it.
fn at_a_glance(summary: &GameSummary) -> String {
    let GameSummary { line_points, lines, tetris_rate, accuracy, moments, habits, can_crash } = summary;
    let mut text = format!(
        "{} line points, {}, {:.0} % of them by tetrises",
        points(*line_points),
        count(*lines, "line"),
        100.0 * tetris_rate,
    );
    if let Some(accuracy) = accuracy {
        text += &format!(", accuracy {accuracy:.1} %");
    }
    let cost = |HabitSum { name, lost, pieces, .. }: &HabitSum| {
        format!("{name} ({} points in {})", points(*lost), count(pieces.len() as u64, "piece"))
    };
    let named = |numbers: &[usize]| {
        let pieces = if numbers.len() == 1 { "piece" } else { "pieces" };
        format!("{pieces} {}", numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", "))
    };
    if !moments.is_empty() {
        text += &format!("\nwhat mattered most: {}", named(moments));
    }
    // What has no name is only told if nothing costs more.
    let is_told = |(at, sum): &(usize, &HabitSum)| *at == 0 || sum.habit != Habit::Other;
    let train: Vec<String> =
        habits.iter().enumerate().filter(is_told).take(TRAIN).map(|(_, sum)| cost(sum)).collect();
    if !train.is_empty() {
        text += &format!("\nwhat to train: {}", train.join(", "));
    }
    if let [first, ..] = can_crash[..] {
        let which = if can_crash.len() > LOCKS {
            format!("{}, the first is piece {first}", can_crash.len())
        } else {
            named(can_crash)
        };
        text += &format!("\nlocks that can crash the game even with the next box hidden: {which}");
    }
    text
}
