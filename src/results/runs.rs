//! Kept runs as people read them: [`list_text`], [`run_text`], [`group_text`].

use super::batch::{cartridge, clears_text, played_on};
use crate::library::compare::Group;
use crate::library::store::{Listed, Run};
use crate::stats::{Mark, Statistics, Summary, par};
use crate::words::{count, decimal, number};
use maxout_record::result::GameResult;
use maxout_record::run::Record;
use maxout_rules::{Piece, Seed};

/// One line a run.
pub fn list_text(runs: &[Listed]) -> String {
    let heads = [
        "run",
        "made at (UTC)",
        "player",
        "played on",
        "seed",
        "level",
        "stop",
        "score",
        "lines",
        "tetrises",
        "end",
        "note",
    ];
    let cells = runs.iter().map(|Listed { id, record, note }| {
        [
            id.to_string(),
            record.made_at.clone(),
            if record.fair { record.player.clone() } else { format!("{} *", record.player) },
            cartridge(&record.rom),
            if record.host.is_read() { "-".to_owned() } else { Seed::name(record.seed) },
            record.start_level.to_string(),
            if record.host.is_read() { "-".to_owned() } else { record.stop.to_string() },
            number(record.result.score),
            number(record.result.lines),
            number(record.result.tetrises),
            end(record).to_owned(),
            // Another program may have written line breaks into it.
            note.split_whitespace().collect::<Vec<_>>().join(" "),
        ]
    });
    let rows: Vec<[String; 12]> = [heads.map(ToOwned::to_owned)].into_iter().chain(cells).collect();
    let widths: [usize; 12] =
        std::array::from_fn(|i| rows.iter().map(|row| row[i].chars().count()).max().unwrap_or(0));
    let line = |row: &[String; 12]| {
        let cell = |(i, text): (usize, &String)| match i {
            0 | 4 | 5 | 7..=9 => format!("{text:>0$}", widths[i]),
            _ => format!("{text:<0$}", widths[i]),
        };
        row.iter().enumerate().map(cell).collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = rows.iter().map(line).collect::<Vec<_>>().join("\n");
    if runs.iter().any(|run| !run.record.fair) {
        text += "\n* clairvoyant: reads the random generator";
    }
    text
}

/// A run in a few words.
pub fn short_text(record: &Record) -> String {
    let Record { player, host, seed, result, .. } = record;
    if host.is_read() {
        let (pieces, lines) = (count(result.pieces, "piece"), count(result.lines, "line"));
        return format!(
            "{}: {pieces}, {}, {lines}",
            record.rom.name,
            count(result.line_points, "line point")
        );
    }
    let (seed, score, lines) = (Seed::name(*seed), count(result.score, "point"), count(result.lines, "line"));
    format!("{player} on the {host}, seed {seed}: {score}, {lines}")
}

fn end(record: &Record) -> &'static str {
    if record.host.is_read() {
        return "as far as read";
    }
    let GameResult { reached_stop, topped_out, crashed, .. } = record.result;
    match (reached_stop, topped_out, crashed) {
        (true, ..) => "stop reached",
        (_, true, _) => "topped out",
        (.., true) => "crashed",
        _ => "broken off",
    }
}

/// Everything about one run; with a `target`, also how far it was ahead of a game that makes that many points at 230 lines.
pub fn run_text(run: &Run, target: Option<u64>) -> String {
    let Run { record, note, statistics, .. } = run;
    let mut lines = if record.host.is_read() { read_lines(run) } else { played_lines(run) };
    if !note.is_empty() {
        lines.push(format!("note          {note}"));
    }
    lines.extend(statistics_lines(statistics));
    lines.extend(pace_lines(&statistics.pace, record.start_level, target));
    lines.join("\n")
}

/// What there is to say of a game that was played.
fn played_lines(Run { id, record, .. }: &Run) -> Vec<String> {
    let kind = if record.fair { "fair" } else { "clairvoyant" };
    let sha1 = record.rom.sha1.as_ref().map(|sha1| format!(" (sha1 {sha1})")).unwrap_or_default();
    let place = played_on(record.host, &record.rom);
    let ram = record.ram_crc32.as_ref().map(|crc| format!(", RAM {crc} at the end")).unwrap_or_default();
    vec![
        format!("run           {id}, made {} by maxout {}", record.made_at, record.version),
        format!("player        {} ({kind}): {}", record.player, record.limits),
        format!("played on     {place}{sha1}"),
        format!(
            "game          seed {}, start level {}, stop {}: {}",
            Seed::name(record.seed),
            record.start_level,
            record.stop,
            end(record)
        ),
        format!(
            "score         {} ({} from lines; the game shows {})",
            number(record.result.score),
            number(record.result.line_points),
            number(record.result.shown_score)
        ),
        format!(
            "lines         {} ({}), level {}",
            number(record.result.lines),
            clears_text(&record.result),
            record.result.level
        ),
        format!(
            "frames        {} of play after {} of menus{ram}",
            number(record.frames),
            number(record.menu_frames)
        ),
        format!(
            "decisions     {}, {:.3} CPU ms each, {}; {} s",
            number(record.decisions),
            record.cpu_ms_per_decision,
            count(record.replans, "replan"),
            decimal(record.wall_s, 1)
        ),
    ]
}

/// The same of a run that was read from a video or a recording.
fn read_lines(Run { id, record, .. }: &Run) -> Vec<String> {
    let result = &record.result;
    vec![
        format!("run           {id}, read {} by maxout {}", record.made_at, record.version),
        format!("player        {}", record.player),
        format!("read from     {}; it has no buttons, so it cannot be verified", record.rom.name),
        format!(
            "game          start level {}, {} in {} s",
            record.start_level,
            count(result.pieces, "piece"),
            decimal(record.wall_s, 1)
        ),
        format!("score         {} from lines; soft drop is not read", number(result.line_points)),
        format!("lines         {} ({}), level {}", number(result.lines), clears_text(result), result.level),
    ]
}

fn statistics_lines(game: &Statistics) -> Vec<String> {
    let counts: Vec<String> = Piece::ALL
        .iter()
        .zip(game.piece_counts.to_array())
        .map(|(piece, count)| format!("{piece} {}", number(count)))
        .collect();
    let even = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.2}"));
    let transition = game.transition.map_or_else(
        || "the start level was not left".to_owned(),
        |mark| format!("{} at {}", number(mark.score), count(mark.lines, "line")),
    );
    vec![
        format!(
            "tetris rate   {:.1} %; ready for one after {:.1} % of the pieces",
            100.0 * game.tetris_rate,
            100.0 * game.tetris_ready
        ),
        format!("efficiency    {:.1} points a line, without the level's multiplier", game.efficiency),
        format!(
            "burned        {}, {} since the last tetris, {} at most between two",
            count(game.burn.total, "line"),
            number(game.burn.current),
            number(game.burn.longest)
        ),
        format!(
            "droughts      {} of 13 or more, the last {}; longest {}, {} since the last I",
            number(game.droughts.count),
            number(game.droughts.last),
            count(game.droughts.longest, "piece"),
            number(game.droughts.current)
        ),
        format!("transition    {transition}"),
        format!(
            "pieces        {}: {}; evenness {}, of the last 56 {}, of the last 28 {}",
            number(game.pieces),
            counts.join(", "),
            even(game.evenness.all),
            even(game.evenness.last_56),
            even(game.evenness.last_28)
        ),
        format!(
            "points        singles {}, doubles {}, triples {}, tetrises {}, soft drop {}",
            number(game.points.singles),
            number(game.points.doubles),
            number(game.points.triples),
            number(game.points.tetrises),
            number(game.points.soft_drop)
        ),
    ]
}

fn pace_lines(pace: &[Mark], start_level: u8, target: Option<u64>) -> Vec<String> {
    if pace.is_empty() {
        return Vec::new();
    }
    let head = match target {
        Some(target) => format!("pace   lines       score   against {}", number(target)),
        None => "pace   lines       score".to_owned(),
    };
    let line = |mark: &Mark| {
        let ahead = target.map_or_else(String::new, |target| {
            let ahead = mark.score as f64 - par(target, start_level, mark.lines);
            format!("   {}{}", if ahead < 0.0 { "-" } else { "+" }, decimal(ahead.abs(), 0))
        });
        format!("     {:>7} {:>11}{ahead}", number(mark.lines), number(mark.score))
    };
    [head].into_iter().chain(pace.iter().map(line)).collect()
}

/// What many runs came to.
pub fn group_text(group: &Group) -> String {
    let of = &group.of;
    // Who played is not read from pictures, nor how the game ends.
    let is_read = of.host.is_read();
    let kind = match (is_read, of.fair) {
        (true, _) => "",
        (false, true) => " (fair)",
        (false, false) => " (clairvoyant)",
    };
    let reached = if is_read {
        "as far as read".to_owned()
    } else {
        format!("stop {}; {:.1} % reached it", of.stop, 100.0 * group.reached_stop)
    };
    let stats = &group.statistics;
    let mut lines = vec![
        format!("{}{kind}, maxout {}, on the {}", of.player, of.version, played_on(of.host, &of.rom)),
        format!("input limits: {}", if is_read { "not known" } else { &of.limits }),
        format!(
            "{} from level {}, {reached}{}",
            count(group.games, "game"),
            of.start_level,
            match group.repeats {
                0 => String::new(),
                n => format!("; {} left out, equal to one that is counted", count(n, "game")),
            }
        ),
    ];
    // One game has neither an error nor percentiles.
    let several = group.games > 1;
    if several {
        lines.push(format!(
            "{:<16} {:>11} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}",
            "", "mean", "± s.e.", "p5", "p25", "median", "p75", "p95"
        ));
    }
    let mut line = |name: &str, s: &Summary, unit: f64, digits: usize| {
        let cell = |value: f64| decimal(unit * value, digits);
        if !several {
            // Of one game, what is counted is whole.
            let digits = if unit * s.mean % 1.0 == 0.0 { 0 } else { digits };
            return lines.push(format!("{name:<16} {:>11}", decimal(unit * s.mean, digits)));
        }
        lines.push(format!(
            "{name:<16} {:>11} {:>9} {:>11} {:>11} {:>11} {:>11} {:>11}",
            cell(s.mean),
            s.error().map_or_else(String::new, cell),
            cell(s.p5),
            cell(s.p25),
            cell(s.median),
            cell(s.p75),
            cell(s.p95)
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
        line(&format!("at {}", count(pace.lines, "line")), &pace.score, 1.0, 0);
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::library::compare::GroupKey;
    use crate::stats::Sample;
    use maxout_record::result::HostKind;
    use maxout_record::run::RomName;
    use maxout_rules::Stop;

    fn group(scores: &[f64], repeats: u64) -> Group {
        let mut sample = Sample::default();
        for _ in scores {
            sample.add(&Statistics::of(&[], 19));
        }
        Group {
            of: GroupKey {
                player: "maxout".to_owned(),
                fair: true,
                version: "1".to_owned(),
                limits: "thumbs".to_owned(),
                host: HostKind::Model,
                rom: RomName { name: "model".to_owned(), sha1: None },
                start_level: 19,
                stop: Stop::Lines(1),
            },
            games: scores.len() as u64,
            repeats,
            score: Summary::of(scores),
            line_points: Summary::of(scores),
            lines: Summary::of(scores),
            reached_stop: 1.0,
            statistics: sample.spread(),
        }
    }

    #[test]
    fn one_game_has_no_error_and_two_have_one() {
        let columns = |group: &Group| {
            let text = group_text(group);
            let line = text.lines().find(|line| line.starts_with("score")).expect("a line").to_owned();
            line.split_whitespace().count()
        };
        assert_eq!((columns(&group(&[5.0], 0)), columns(&group(&[5.0, 5.0], 0))), (2, 8));
        assert!(group_text(&group(&[5.0], 1)).contains("1 game from level 19"));
        assert!(group_text(&group(&[5.0], 1)).contains("; 1 game left out"));
        assert!(group_text(&group(&[5.0], 0)).contains("on the model\n"));
    }
}
