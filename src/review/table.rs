//! A judged game as text for people ([`told`]) and as a table for other programs ([`csv`]).

use std::fmt::Write as _;
use std::io;

use super::{Balance, JudgedPiece, MoveClass, PhaseSum, balance};
use crate::boards::{PLACE, place};
use crate::files::csv::Csv;
use maxout_engine::analysis::{Calibration, Judgement};
use maxout_engine::limits::Limits;

/// The header of the table.
const COLUMNS: [&str; 22] = [
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
];

/// The placements of the games as CSV, a line each. `piece_number` counts the judged ones.
pub fn csv(games: &[Vec<JudgedPiece>]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut table = Csv::new(&mut bytes, COLUMNS)?;
    for (game, pieces) in (1..).zip(games) {
        for (number, judged) in (1..).zip(pieces) {
            let JudgedPiece { placed, judgement, .. } = judged;
            let Judgement { verdict, best, loss, class, within_limits, .. } = judgement;
            let (here, there) = (verdict.placement, best.placement);
            let record: [String; 22] = [
                usize::to_string(&game),
                usize::to_string(&number),
                placed.frame.to_string(),
                placed.progress.level.to_string(),
                placed.progress.lines().to_string(),
                placed.piece.to_string(),
                placed.next.map(|next| next.to_string()).unwrap_or_default(),
                here.x.to_string(),
                here.y.to_string(),
                here.id.0.to_string(),
                class.name().to_owned(),
                format!("{loss:.0}"),
                format!("{:.0}", verdict.points),
                format!("{:.4}", verdict.topout),
                format!("{:.0}", verdict.value),
                there.x.to_string(),
                there.y.to_string(),
                there.id.0.to_string(),
                format!("{:.0}", best.points),
                format!("{:.4}", best.topout),
                format!("{:.0}", best.value),
                within_limits.to_string(),
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

/// The sums of a game that was judged within `limits`, and its `worst` placements with the largest losses.
pub fn told(pieces: &[JudgedPiece], sums: &[PhaseSum], limits: Limits, worst: usize) -> String {
    let mut text = String::from("levels      pieces  accuracy  points lost");
    for class in MoveClass::ALL {
        text += &format!("  {:>10}", class.name());
    }
    for sum in sums {
        let (name, accuracy) = (sum.phase.name(), sum.accuracy);
        // Writing to a string does not fail.
        let _ = write!(text, "\n{name:<10} {:>7} {accuracy:>7.1} %  {:>11.0}", sum.pieces, sum.lost);
        sum.classes.iter().for_each(|count| text += &format!("  {count:>10}"));
    }
    if let Some(Balance { expected, lost, luck, made, left }) = balance(pieces) {
        let _ = write!(
            text,
            "\nup to level 29: {expected:.0} points to expect - {lost:.0} lost {} {:.0} luck = {made:.0} made",
            if luck < 0.0 { '-' } else { '+' },
            luck.abs(),
        );
        if left > 0.0 {
            let _ = write!(text, " + {left:.0} still to expect");
        }
    }
    let order = self::worst(pieces, worst);
    if order.is_empty() {
        return text;
    }
    text += &format!(
        "\nlosses and top-outs are forecasts, {whose}\n\
         number  frame  level  lines  piece next  {PLACE}class           loss  top-out    better: {PLACE} top-out",
        whose = Calibration::FORECASTER.told(limits)
    );
    for (number, judged) in order {
        let JudgedPiece { placed, judgement, .. } = judged;
        let Judgement { verdict, best, loss, class, .. } = judgement;
        let next = placed.next.map_or('?', maxout_rules::Piece::letter);
        let _ = write!(
            text,
            "\n{number:>6} {:>6}  {:>5}  {:>5}  {:>5} {next:>4}  {}{:<10} {loss:>9.0} {:>6.1} %            {} {:>6.1} %",
            placed.frame,
            placed.progress.level,
            placed.progress.lines(),
            placed.piece.letter(),
            place(verdict.placement),
            class.name(),
            100.0 * verdict.topout,
            place(best.placement),
            100.0 * best.topout,
        );
        let missed =
            [("missed tetris", judged.missed_tetris()), ("missed adjustment", judged.missed_adjustment)];
        let missed = missed.into_iter().filter(|(_, missed)| *missed).map(|(what, _)| what.to_owned());
        let notes: Vec<String> = judged.why(verdict, *class).into_iter().chain(missed).collect();
        if !notes.is_empty() {
            text += &format!("  {}", notes.join(", "));
        }
    }
    text
}
