//! Kept games side by side: the [`best`] of each player, and [`groups`] of games that may be averaged.

use std::collections::BTreeMap;

use serde::Serialize;

use super::library::{Library, LibraryError, RunId};
use super::run::Record;
use crate::stats::{Sample, Spread, Summary};

/// The run with the highest score of each player, highest first; of equals the older.
pub fn best(records: Vec<(RunId, Record)>) -> Vec<(RunId, Record)> {
    let mut best: BTreeMap<String, (RunId, Record)> = BTreeMap::new();
    for (id, record) in records {
        if best.get(&record.player).is_none_or(|(_, other)| record.score > other.score) {
            best.insert(record.player.clone(), (id, record));
        }
    }
    let mut best: Vec<_> = best.into_values().collect();
    best.sort_by_key(|(id, record)| (std::cmp::Reverse(record.score), *id));
    best
}

/// Games of one player from one level to one stop.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Group {
    /// Who played.
    pub player: String,
    /// Whether the player saw only what a person sees.
    pub fair: bool,
    /// Program version that played.
    pub version: String,
    /// Level the games started on.
    pub start_level: u8,
    /// When they were to stop.
    pub stop: String,
    /// How many.
    pub games: u64,
    /// Uncapped points, soft drop included.
    pub score: Summary,
    /// The same without soft drop.
    pub line_points: Summary,
    /// Lines.
    pub lines: Summary,
    /// Share of the games that reached the stop, 0..1.
    pub reached_stop: f64,
    /// Their statistics.
    pub statistics: Spread,
}

/// The games of the library, or of one player in it, by player, version, start level and stop.
pub fn groups(library: &Library, player: Option<&str>) -> Result<Vec<Group>, LibraryError> {
    #[derive(Default)]
    struct Games {
        sample: Sample,
        score: Vec<f64>,
        line_points: Vec<f64>,
        lines: Vec<f64>,
        reached: u64,
    }
    let mut groups: BTreeMap<(String, bool, String, u8, String), Games> = BTreeMap::new();
    for id in library.ids(player)? {
        let run = library.run(id)?;
        let Record { player, fair, version, start_level, stop, .. } = run.record;
        let games = groups.entry((player, fair, version, start_level, stop)).or_default();
        games.sample.add(&run.statistics);
        games.score.push(run.record.score as f64);
        games.line_points.push(run.record.line_points as f64);
        games.lines.push(f64::from(run.record.lines));
        games.reached += u64::from(run.record.reached_stop);
    }
    Ok(groups
        .into_iter()
        .map(|((player, fair, version, start_level, stop), games)| Group {
            player,
            fair,
            version,
            start_level,
            stop,
            games: games.sample.games(),
            score: Summary::of(&games.score),
            line_points: Summary::of(&games.line_points),
            lines: Summary::of(&games.lines),
            reached_stop: games.reached as f64 / games.sample.games() as f64,
            statistics: games.sample.spread(),
        })
        .collect())
}
