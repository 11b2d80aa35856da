//! Runs for other programs: [`write()`] writes one line for each run, as CSV or as JSON lines.

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

/// Writes runs line by line, each with its log if that was asked for; CSV leaves the logs out.
pub fn write<E: From<io::Error>>(
    format: Format,
    mut to: impl Write,
    mut runs: impl Iterator<Item = Result<(Run, Option<InputLog>), E>>,
) -> Result<(), E> {
    if format == Format::Jsonl {
        for run in runs {
            let (run, log) = run?;
            serde_json::to_writer(&mut to, &Line { run, buttons: log.as_ref().map(log_to_text) })
                .map_err(io::Error::from)?;
            to.write_all(b"\n")?;
        }
        return Ok(to.flush()?);
    }
    let columns = store::columns().map(|(name, _)| name).chain(FIGURES);
    let mut table = Csv::new(to, ["id"].into_iter().chain(columns).chain(["note"]))?;
    runs.try_for_each(|run| {
        let (run, _) = run?;
        let values = store::flat(&run.record).into_iter().chain(figures(&run));
        let row = [run.id.to_string()].into_iter().chain(values.map(|value| cell(&value)));
        Ok::<(), E>(table.row(row.chain([run.note]))?)
    })?;
    Ok(table.finish()?)
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
