//! Kept games side by side: the [`best`] of each player, and [`groups`] of games that may be averaged.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::store::{Library, LibraryError, Listed, Readable, RunFilter};
use crate::stats::{Sample, Spread, Summary};
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::{Record, RomName};
use maxout_rules::Stop;

/// The run with the highest score of each player, highest first; of equals the older.
pub fn best(runs: Vec<Listed>) -> Vec<Listed> {
    let mut best: BTreeMap<String, Listed> = BTreeMap::new();
    for run in runs {
        if best
            .get(&run.record.player)
            .is_none_or(|other| run.record.result.score > other.record.result.score)
        {
            best.insert(run.record.player.clone(), run);
        }
    }
    let mut best: Vec<_> = best.into_values().collect();
    best.sort_by_key(|run| (std::cmp::Reverse(run.record.result.score), run.id));
    best
}

/// Games of one player on one machine, from one level to one stop.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Group {
    /// What they have in common.
    #[serde(flatten)]
    pub of: GroupKey,
    /// How many, each once.
    pub games: u64,
    /// Kept games that are equal to one of these and are not counted again.
    pub repeats: u64,
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

/// What the games of a group have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize)]
pub struct GroupKey {
    /// Who played.
    pub player: String,
    /// Whether the player saw only what a person sees.
    pub fair: bool,
    /// Program version that played.
    pub version: String,
    /// Input limits of the player.
    pub limits: String,
    /// What ran the games.
    pub host: HostKind,
    /// The cartridge.
    pub rom: RomName,
    /// Level the games started on.
    pub start_level: u8,
    /// When they were to stop.
    pub stop: Stop,
}

impl GroupKey {
    fn of(record: &Record) -> Self {
        let Record { player, fair, version, limits, host, rom, start_level, stop, .. } = record.clone();
        Self { player, fair, version, limits, host, rom, start_level, stop }
    }
}

/// What makes games of a group equal: the seed and the result, since a search may have been given other limits.
fn identity(record: &Record) -> [u64; 5] {
    let GameResult { score, lines, pieces, .. } = record.result;
    [record.seed, score, lines.into(), pieces.into(), record.frames]
}

/// The games of a group so far.
#[derive(Default)]
struct Games {
    seen: BTreeSet<[u64; 5]>,
    repeats: u64,
    sample: Sample,
    score: Vec<f64>,
    line_points: Vec<f64>,
    lines: Vec<f64>,
    reached: u64,
}

impl Games {
    fn group(&self, of: GroupKey) -> Group {
        let games = self.sample.games();
        Group {
            of,
            games,
            repeats: self.repeats,
            score: Summary::of(&self.score),
            line_points: Summary::of(&self.line_points),
            lines: Summary::of(&self.lines),
            reached_stop: self.reached as f64 / games as f64,
            statistics: self.sample.spread(),
        }
    }
}

/// The games of the library that `filter` means, by player, version, input limits, machine and cartridge, start level
/// and stop. Equal games count once.
pub fn groups(library: &Library, filter: &RunFilter) -> Result<Readable<Group>, LibraryError> {
    let mut groups: BTreeMap<GroupKey, Games> = BTreeMap::new();
    let damaged = library.read_each(&library.find(filter)?, Library::run, |run| {
        let games = groups.entry(GroupKey::of(&run.record)).or_default();
        if !games.seen.insert(identity(&run.record)) {
            games.repeats += 1;
            return;
        }
        games.sample.add(&run.statistics);
        games.score.push(run.record.result.score as f64);
        games.line_points.push(run.record.result.line_points as f64);
        games.lines.push(f64::from(run.record.result.lines));
        games.reached += u64::from(run.record.result.reached_stop);
    })?;
    let runs = groups.into_iter().map(|(key, games)| games.group(key)).collect();
    Ok(Readable { runs, damaged })
}
