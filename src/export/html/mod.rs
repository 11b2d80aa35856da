//! One HTML file that shows runs ([`render`]), reviewed games ([`review_page`]) or positions to try ([`puzzle_page`]). It
//! makes no network request, and equal input gives equal bytes.
//!
//! The template, the style and the script are beside this file. Everything from a run goes through one JSON block, so
//! no text of a run can become a tag. docs/guide/report.md says what the page shows.

mod data;
mod overview;
mod review;
mod sheet;

use std::collections::BTreeMap;

use thiserror::Error;

use self::data::{Data, Film, Pace, Row};
use self::overview::Group;
use self::sheet::Sheet;
use crate::stats::DROUGHT;
use maxout_record::run::Record;
use maxout_record::run::{TimelineError, timeline};
use maxout_rules::input::InputLog;

pub use self::review::{puzzle_page, review_page};

const REPORT: Sheet = Sheet {
    what: "report",
    buttons: "  <button type=\"button\" id=\"compare\" class=\"quiet\" hidden>All runs</button>\n",
    body: include_str!("page.html"),
    style: include_str!("page.css"),
    script: concat!(
        "\"use strict\";\n(() => {\n",
        include_str!("elements.js"),
        include_str!("film.js"),
        include_str!("charts.js"),
        include_str!("player.js"),
        include_str!("links.js"),
        include_str!("overview.js"),
        include_str!("main.js"),
        "})();\n"
    ),
};

/// A run on its way to the page.
#[derive(Clone, Debug)]
pub struct PageRun {
    record: Record,
    log: InputLog,
    longest_drought: usize,
    droughts: usize,
}

impl PageRun {
    /// Plays the log once; fails if it does not lead to the record's totals.
    pub fn new(record: Record, log: InputLog) -> Result<Self, TimelineError> {
        let timeline = timeline(&record, &log)?;
        let (longest_drought, droughts) = (timeline.longest_drought(), timeline.droughts(DROUGHT as usize));
        Ok(Self { record, log, longest_drought, droughts })
    }
}

/// What may be chosen.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PageOptions {
    /// Up to this many runs, all can be watched; of more, the best, the median and the worst of each player.
    pub boards: usize,
    /// Points at level 29 of the pace that scores are compared with.
    pub target: u64,
}

impl Default for PageOptions {
    fn default() -> Self {
        Self { boards: 12, target: 1_000_000 }
    }
}

/// Why there is no page.
#[derive(Debug, Error)]
pub enum PageError {
    /// There is nothing to show.
    #[error("no runs, expected at least one")]
    NoRuns,
    /// A run could not be drawn.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// The data could not be written as JSON.
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// The page of these runs.
pub fn render(runs: &[PageRun], options: &PageOptions) -> Result<String, PageError> {
    if runs.is_empty() {
        return Err(PageError::NoRuns);
    }
    let records: Vec<&Record> = runs.iter().map(|run| &run.record).collect();
    let groups = overview::groups(&records);
    let watched = watched(runs.len(), &groups, options.boards);
    let films = watched
        .iter()
        .map(|&run| Ok(Film::new(run, &timeline(&runs[run].record, &runs[run].log)?)))
        .collect::<Result<_, TimelineError>>()?;
    let rows = (0..).zip(runs).map(|(i, run)| Row {
        record: &run.record,
        seed_text: run.record.seed.to_string(),
        longest_drought: run.longest_drought,
        droughts: run.droughts,
        game: watched.iter().position(|&w| w == i),
    });
    let mut farthest = BTreeMap::new();
    for record in &records {
        let lines = farthest.entry(record.start_level).or_insert(0);
        *lines = record.result.lines.max(*lines);
    }
    let data = Data {
        format: "maxout-report 2",
        version: env!("CARGO_PKG_VERSION"),
        target: options.target,
        cells: Data::shapes(),
        turns: Data::turns(),
        spawns: Data::spawns(),
        pace: farthest.into_iter().map(|(level, lines)| (level, Pace::new(level, lines))).collect(),
        runs: rows.collect(),
        groups,
        games: films,
    };
    Ok(REPORT.page(&data)?)
}

/// Runs that can be watched, in order.
fn watched(runs: usize, groups: &[Group], boards: usize) -> Vec<usize> {
    if runs <= boards {
        return (0..runs).collect();
    }
    let mut chosen: Vec<usize> = groups
        .iter()
        .filter_map(|group| {
            let runs = &group.runs;
            Some([*runs.first()?, *runs.get(runs.len() / 2)?, *runs.last()?])
        })
        .flatten()
        .collect();
    chosen.sort_unstable();
    chosen.dedup();
    chosen
}
