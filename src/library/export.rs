//! Runs for other programs: an [`ExportTable`] writes one line for each run, as CSV or as JSON lines.

use std::io::{self, Write};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::store::{self, Run};
use crate::files::csv::Csv;
use maxout_record::run::log_to_text;
use maxout_rules::input::InputLog;

/// How the lines look.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Format {
    /// A header and comma-separated values: the record, the main figures of the statistics, and the note.
    Csv,
    /// One JSON object a line: the record, all statistics and, if asked for, the button log.
    Jsonl,
}

/// A line of JSON: a run, and its log in the form of `buttons.txt` if it was asked for.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Line {
    /// The run.
    #[serde(flatten)]
    pub run: Run,
    /// Its log.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub buttons: Option<String>,
}

/// Writes runs line by line.
pub struct ExportTable<W: Write> {
    to: To<W>,
}

enum To<W: Write> {
    Csv(Box<Csv<W>>),
    Jsonl(W),
}

/// The figures of the statistics that CSV has.
const FIGURES: [&str; 11] = [
    "tetris_rate",
    "efficiency",
    "burned",
    "longest_burn",
    "droughts",
    "longest_drought",
    "transition_score",
    "evenness",
    "tetris_ready",
    "soft_drop_points",
    "tetris_points",
];

impl<W: Write> ExportTable<W> {
    /// Begins a table.
    pub fn new(format: Format, to: W) -> io::Result<Self> {
        Ok(Self {
            to: match format {
                Format::Jsonl => To::Jsonl(to),
                Format::Csv => {
                    let header = ["id"]
                        .into_iter()
                        .chain(store::columns().map(|(name, _)| name))
                        .chain(FIGURES)
                        .chain(["note"]);
                    To::Csv(Box::new(Csv::new(to, header)?))
                }
            },
        })
    }

    /// Adds a run; CSV leaves the log out.
    pub fn add(&mut self, run: Run, log: Option<&InputLog>) -> io::Result<()> {
        match &mut self.to {
            To::Csv(table) => {
                let cells = store::flat(&run.record).into_iter().map(|value| cell(&value));
                let figures = figures(&run).into_iter().map(|value| cell(&value));
                let row = [run.id.to_string()].into_iter().chain(cells).chain(figures);
                table.row(row.chain([run.note.clone()]))
            }
            To::Jsonl(to) => {
                serde_json::to_writer(&mut *to, &Line { run, buttons: log.map(log_to_text) })?;
                to.write_all(b"\n")
            }
        }
    }

    /// Ends the table.
    pub fn finish(self) -> io::Result<()> {
        match self.to {
            To::Csv(table) => table.finish(),
            To::Jsonl(mut to) => to.flush(),
        }
    }
}

fn figures(run: &Run) -> [Value; FIGURES.len()] {
    let game = &run.statistics;
    [
        game.tetris_rate.into(),
        game.efficiency.into(),
        game.burn.total.into(),
        game.burn.longest.into(),
        game.droughts.count.into(),
        game.droughts.longest.into(),
        game.transition.map(|mark| mark.score).into(),
        game.evenness.all.into(),
        game.tetris_ready.into(),
        game.points.soft_drop.into(),
        game.points.tetrises.into(),
    ]
}

fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}
