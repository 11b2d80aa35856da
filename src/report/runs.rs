//! Kept runs as people read them: [`list_text`], [`run_text`], [`group_text`].

use super::thousands;
use crate::game::Piece;
use crate::record::compare::Group;
use crate::record::library::{Run, RunId};
use crate::record::run::Record;
use crate::stats::{Mark, Statistics, par};

/// One line a run.
pub fn list_text(records: &[(RunId, Record)]) -> String {
    let mut text = format!(
        "{:>6}  {:<20}  {:<16} {:<7} {:>20}  {:>5}  {:<10} {:>11} {:>5} {:>8}  end",
        "run", "made at (UTC)", "player", "host", "seed", "level", "stop", "score", "lines", "tetrises"
    );
    for (id, record) in records {
        let player = if record.fair { record.player.clone() } else { format!("{} *", record.player) };
        text += &format!(
            "\n{id:>6}  {:<20}  {player:<16} {:<7} {:>20}  {:>5}  {:<10} {:>11} {:>5} {:>8}  {}",
            record.made_at,
            record.host,
            record.seed,
            record.start_level,
            record.stop,
            thousands(record.score as f64),
            record.lines,
            record.tetrises,
            end(record),
        );
    }
    if records.iter().any(|(_, record)| !record.fair) {
        text += "\n* clairvoyant: reads the random generator";
    }
    text
}

fn end(record: &Record) -> &'static str {
    match (record.reached_stop, record.topped_out) {
        (true, _) => "stop reached",
        (false, true) => "topped out",
        (false, false) => "broken off",
    }
}

/// Everything about one run; `target` adds how far it was ahead of a game that makes so many points at 230 lines.
pub fn run_text(run: &Run, target: Option<u64>) -> String {
    let Run { id, record, statistics } = run;
    let kind = if record.fair { "fair" } else { "clairvoyant" };
    let sha1 = record.rom.sha1.as_ref().map(|sha1| format!(" (sha1 {sha1})")).unwrap_or_default();
    let ram = record.ram_crc32.as_ref().map(|crc| format!(", RAM {crc} at the end")).unwrap_or_default();
    let mut lines = vec![
        format!("run           {id}, made {} by maxout {}", record.made_at, record.version),
        format!("player        {} ({kind}): {}", record.player, record.limits),
        format!("on the        {}: {}{sha1}", record.host, record.rom.name),
        format!(
            "game          seed {}, start level {}, stop {}: {}",
            record.seed,
            record.start_level,
            record.stop,
            end(record)
        ),
        format!(
            "score         {} ({} from lines; the game shows {})",
            thousands(record.score as f64),
            thousands(record.line_points as f64),
            thousands(f64::from(record.shown_score))
        ),
        format!(
            "lines         {} ({} singles, {} doubles, {} triples, {} tetrises), level {}",
            record.lines, record.singles, record.doubles, record.triples, record.tetrises, record.level
        ),
        format!("frames        {} of play after {} of menus{ram}", record.frames, record.menu_frames),
        format!(
            "decisions     {}, {:.3} CPU ms each, {} replans; {:.1} s",
            record.decisions, record.cpu_ms_per_decision, record.replans, record.wall_s
        ),
    ];
    lines.extend(statistics_lines(statistics));
    lines.extend(pace_lines(&statistics.pace, record.start_level, target));
    lines.join("\n")
}

fn statistics_lines(game: &Statistics) -> Vec<String> {
    let counts: Vec<String> = Piece::ALL
        .iter()
        .zip(game.piece_counts.to_array())
        .map(|(piece, count)| format!("{piece} {count}"))
        .collect();
    let even = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let transition = game.transition.map_or_else(
        || "the start level was not left".to_owned(),
        |mark| format!("{} at {} lines", thousands(mark.score as f64), mark.lines),
    );
    vec![
        format!(
            "tetris rate   {:.1} %; ready for one after {:.1} % of the pieces",
            100.0 * game.tetris_rate,
            100.0 * game.tetris_ready
        ),
        format!("efficiency    {:.1} points a line, level apart", game.efficiency),
        format!(
            "burned        {} lines, {} since the last tetris, {} at most between two",
            game.burn.total, game.burn.current, game.burn.longest
        ),
        format!(
            "droughts      {} of 13 or more, the last {}; longest {} pieces, {} since the last I",
            game.droughts.count, game.droughts.last, game.droughts.longest, game.droughts.current
        ),
        format!("transition    {transition}"),
        format!(
            "pieces        {}: {}; evenness {}, of the last 56 {}, of the last 28 {}",
            game.pieces,
            counts.join(", "),
            even(game.evenness.all),
            even(game.evenness.last_56),
            even(game.evenness.last_28)
        ),
        format!(
            "points        {} singles, {} doubles, {} triples, {} tetrises, {} soft drop",
            thousands(game.points.singles as f64),
            thousands(game.points.doubles as f64),
            thousands(game.points.triples as f64),
            thousands(game.points.tetrises as f64),
            thousands(game.points.soft_drop as f64)
        ),
    ]
}

fn pace_lines(pace: &[Mark], start_level: u8, target: Option<u64>) -> Vec<String> {
    if pace.is_empty() {
        return Vec::new();
    }
    let head = match target {
        Some(target) => format!("pace   lines       score   against {}", thousands(target as f64)),
        None => "pace   lines       score".to_owned(),
    };
    let line = |mark: &Mark| {
        let ahead = target.map_or_else(String::new, |target| {
            let ahead = mark.score as f64 - par(target, start_level, mark.lines);
            format!("   {}{}", if ahead < 0.0 { "-" } else { "+" }, thousands(ahead.abs()))
        });
        format!("     {:>7} {:>11}{ahead}", mark.lines, thousands(mark.score as f64))
    };
    [head].into_iter().chain(pace.iter().map(line)).collect()
}

/// What many runs came to.
pub fn group_text(group: &Group) -> String {
    let kind = if group.fair { "fair" } else { "clairvoyant" };
    let stats = &group.statistics;
    let mut lines = vec![
        format!(
            "{} ({kind}), maxout {}: {} {} from level {}, stop {}; {:.1} % reached it",
            group.player,
            group.version,
            group.games,
            if group.games == 1 { "game" } else { "games" },
            group.start_level,
            group.stop,
            100.0 * group.reached_stop
        ),
        format!(
            "{:<16} {:>11} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}",
            "", "mean", "± s.e.", "p5", "p25", "median", "p75", "p95"
        ),
    ];
    let mut line = |name: &str, s: &crate::stats::Summary, unit: f64, digits: usize| {
        let number = |value: f64| {
            if digits == 0 { thousands(value) } else { format!("{:.digits$}", unit * value) }
        };
        lines.push(format!(
            "{name:<16} {:>11} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}",
            number(s.mean),
            number(s.se),
            number(s.p5),
            number(s.p25),
            number(s.median),
            number(s.p75),
            number(s.p95)
        ));
    };
    line("score", &group.score, 1.0, 0);
    line("line points", &group.line_points, 1.0, 0);
    line("lines", &group.lines, 1.0, 1);
    line("tetris rate, %", &stats.tetris_rate, 100.0, 1);
    line("efficiency", &stats.efficiency, 1.0, 1);
    line("burned lines", &stats.burned, 1.0, 1);
    line("longest burn", &stats.longest_burn, 1.0, 1);
    line("droughts", &stats.droughts, 1.0, 1);
    line("longest drought", &stats.longest_drought, 1.0, 1);
    line("tetris-ready, %", &stats.tetris_ready, 100.0, 1);
    line("evenness", &stats.evenness, 1.0, 2);
    if let Some(transition) = &stats.transition {
        line("transition", transition, 1.0, 0);
    }
    for pace in &stats.pace {
        line(&format!("at {} lines", pace.lines), &pace.score, 1.0, 0);
    }
    lines.join("\n")
}
