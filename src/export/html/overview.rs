//! What the page says about many games: [`groups`], one for each player, with confidence intervals and survival.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::stats::Summary;
use maxout_record::run::Record;
use maxout_rules::Stop;
pub(super) use maxout_rules::lines_to_29;

/// An estimate with its 95 % confidence interval, low end first; one game has none.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Estimate {
    pub(super) value: f64,
    pub(super) interval: Option<(f64, f64)>,
}

/// Mean difference of two players' scores on the seeds that both played.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub(super) struct Paired {
    /// Index of the other group.
    pub(super) group: usize,
    pub(super) seeds: usize,
    pub(super) difference: Estimate,
}

/// The games of one player under the same conditions.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(super) struct Group {
    pub(super) player: String,
    pub(super) fair: bool,
    pub(super) start_level: u8,
    pub(super) stop: Stop,
    /// Indices of its runs, best score first.
    pub(super) runs: Vec<usize>,
    pub(super) score: Estimate,
    /// None for one game.
    pub(super) median: Option<f64>,
    /// Share of lines cleared four at a time.
    pub(super) tetris_rate: f64,
    /// Share of games that reached the goal.
    pub(super) reached: Estimate,
    /// The goal: `level 29`, or `N lines` where the games stop before that.
    pub(super) goal: String,
    /// The difference to the first player under the same conditions, if seeds are shared.
    pub(super) against: Option<Paired>,
    /// Share of games still alive from this number of lines on, first entry at 0 lines; none for one game.
    pub(super) survival: Option<Vec<(u32, f64)>>,
}

/// The runs by player, start level and stop, best mean first.
pub(super) fn groups(records: &[&Record]) -> Vec<Group> {
    let mut found: Vec<Vec<(usize, &Record)>> = Vec::new();
    let conditions = |r: &Record| (r.player.clone(), r.fair, r.start_level, r.stop);
    for (index, record) in records.iter().copied().enumerate() {
        match found.iter_mut().find(|group| conditions(group[0].1) == conditions(record)) {
            Some(group) => group.push((index, record)),
            None => found.push(vec![(index, record)]),
        }
    }
    let mut groups: Vec<Group> = found.into_iter().map(group).collect();
    groups.sort_by(|a, b| b.score.value.total_cmp(&a.score.value));
    for i in 1..groups.len() {
        let same = |g: &Group| (g.start_level, g.stop) == (groups[i].start_level, groups[i].stop);
        groups[i].against = groups[..i].iter().position(same).and_then(|j| paired(records, &groups, i, j));
    }
    groups
}

/// Score of group `i` minus score of group `j`, seed by seed; none if they share fewer than two seeds.
fn paired(records: &[&Record], groups: &[Group], i: usize, j: usize) -> Option<Paired> {
    let scores = |group: &Group| -> BTreeMap<u64, f64> {
        group.runs.iter().map(|&run| (records[run].seed, records[run].result.score as f64)).collect()
    };
    let other = scores(&groups[j]);
    let differences: Vec<f64> = scores(&groups[i])
        .iter()
        .filter_map(|(seed, score)| other.get(seed).map(|other| score - other))
        .collect();
    let seeds = differences.len();
    (seeds > 1).then(|| Paired { group: j, seeds, difference: mean(&differences) })
}

fn group(mut members: Vec<(usize, &Record)>) -> Group {
    // Equal scores stay in the order of the arguments.
    members.sort_by_key(|(_, record)| std::cmp::Reverse(record.result.score));
    let first = members[0].1;
    let scores: Vec<f64> = members.iter().map(|(_, r)| r.result.score as f64).collect();
    let sum = |value: fn(&Record) -> u32| members.iter().map(|(_, r)| f64::from(value(r))).sum::<f64>();
    let lines = sum(|r| r.result.lines);
    let several = members.len() > 1;
    let early = match first.stop {
        Stop::Lines(n) => Some(n).filter(|&n| n < lines_to_29(first.start_level)),
        Stop::Level29 | Stop::TopOut => None,
    };
    let results = || members.iter().map(|(_, record)| record.result);
    let reached = results().filter(|r| if early.is_some() { r.reached_stop } else { r.level >= 29 });
    let ends: Vec<(u32, bool)> = results().map(|r| (r.lines, r.topped_out)).collect();
    Group {
        player: first.player.clone(),
        fair: first.fair,
        start_level: first.start_level,
        stop: first.stop,
        score: mean(&scores),
        median: several.then(|| Summary::of(&scores).median),
        tetris_rate: if lines > 0.0 { 4.0 * sum(|r| r.result.tetrises) / lines } else { 0.0 },
        reached: share(reached.count(), members.len()),
        goal: early.map_or_else(|| "level 29".to_owned(), |n| format!("{n} lines")),
        against: None,
        survival: several.then(|| survival(&ends)),
        runs: members.into_iter().map(|(index, _)| index).collect(),
    }
}

/// The mean of the values, with Student's t for the interval; one value has none.
fn mean(values: &[f64]) -> Estimate {
    let Summary { mean, se, .. } = Summary::of(values);
    let half = values.len().checked_sub(1).filter(|&n| n > 0).map(|n| student_975(n) * se);
    Estimate { value: mean, interval: half.map(|half| (mean - half, mean + half)) }
}

/// 97.5 % point of Student's t: exact for 1 and 2 degrees of freedom, else Fisher's expansion in 1/n.
fn student_975(freedom: usize) -> f64 {
    let z = 1.959_964_f64;
    let n = freedom as f64;
    match freedom {
        1 => 12.7062,
        2 => 4.3027,
        _ => {
            z + (z.powi(3) + z) / (4.0 * n)
                + (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / (96.0 * n * n)
                + (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / (384.0 * n.powi(3))
        }
    }
}

/// A share of `n` games, with Wilson's interval; one game has none.
fn share(part: usize, n: usize) -> Estimate {
    let several = n > 1;
    let (p, n) = (part as f64 / n as f64, n as f64);
    let z2 = 1.959_964_f64.powi(2);
    let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
    let half = (z2 * (p * (1.0 - p) / n + z2 / (4.0 * n * n))).sqrt() / (1.0 + z2 / n);
    Estimate { value: p, interval: several.then_some(((centre - half).max(0.0), (centre + half).min(1.0))) }
}

/// Share of games alive after each number of lines at which one topped out, by Kaplan and Meier: a game that
/// was stopped counts as long as it was played. `ends` is lines and whether the game topped out.
fn survival(ends: &[(u32, bool)]) -> Vec<(u32, f64)> {
    let mut deaths: Vec<u32> = ends.iter().filter(|end| end.1).map(|end| end.0).collect();
    deaths.sort_unstable();
    let mut alive = 1.0;
    let mut curve = vec![(0, 1.0)];
    for same in deaths.chunk_by(|a, b| a == b) {
        let played = ends.iter().filter(|end| end.0 >= same[0]).count();
        alive *= 1.0 - same.len() as f64 / played as f64;
        curve.push((same[0], alive));
    }
    let last = ends.iter().map(|end| end.0).max().unwrap_or(0);
    curve.push((last, alive));
    curve
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near(got: f64, want: f64, tolerance: f64) {
        assert!((got - want).abs() < tolerance, "{got}, expected {want}");
    }

    #[test]
    fn student_s_t_is_the_tabulated_one() {
        for (freedom, want) in [(1, 12.706), (2, 4.303), (3, 3.182), (5, 2.571), (10, 2.228), (99, 1.984)] {
            near(student_975(freedom), want, 0.03);
        }
    }

    #[test]
    fn wilson_s_interval_is_the_published_one() {
        let interval = |part, n| share(part, n).interval.expect("several games");
        let (low, high) = interval(8, 10);
        near(low, 0.490, 0.001);
        near(high, 0.943, 0.001);
        near(interval(0, 20).0, 0.0, 1e-9);
        near(interval(20, 20).1, 1.0, 1e-9);
    }

    #[test]
    fn a_stopped_game_counts_while_it_was_played() {
        let curve = survival(&[(10, true), (20, false), (30, true), (40, false)]);
        assert_eq!(curve.len(), 4);
        assert_eq!(curve.iter().map(|p| p.0).collect::<Vec<_>>(), [0, 10, 30, 40]);
        near(curve[1].1, 0.75, 1e-12);
        near(curve[2].1, 0.375, 1e-12);
    }

    #[test]
    fn the_goal_depends_on_the_start() {
        assert_eq!([0, 9, 18, 19].map(lines_to_29), [290, 290, 230, 230]);
    }
}
