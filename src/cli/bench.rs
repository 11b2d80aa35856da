//! `maxout bench`: one fingerprint of what the players do, and what everything costs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use indicatif::ProgressBar;
use serde::Serialize;

use super::{answer, cores, play};
use crate::bench::speed::{Speeds, measure};
use crate::bench::{boards, fingerprint, known_boards};
use crate::game::Board;
use crate::record::write_atomically;

/// `maxout bench`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Measure the move generator on these drawn boards [default: 2,000 embedded ones]
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Write fingerprint and speeds as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

#[derive(Serialize)]
struct Answer<'a> {
    fingerprint: &'a str,
    #[serde(flatten)]
    speeds: &'a Speeds,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    if let Some(file) = &args.json {
        play::check_output_file(file).with_context(|| format!("--json {}", file.display()))?;
    }
    let boards = match &args.boards {
        Some(file) => read(file).with_context(|| format!("--boards {}", file.display()))?,
        None => known_boards(),
    };
    let bar = ProgressBar::new_spinner();
    bar.enable_steady_tick(Duration::from_millis(200));
    bar.set_message("playing the fingerprint's games");
    let players = fingerprint(cores(), &mut |entry| bar.set_message(format!("{} has played", entry.name)))?;
    let speeds = measure(&boards, &mut |what| bar.set_message(format!("measuring {what}")))?;
    bar.finish_and_clear();
    let digest = players.digest();
    if let Some(file) = &args.json {
        let json = serde_json::to_string_pretty(&Answer { fingerprint: &digest, speeds: &speeds })? + "\n";
        write_atomically(file, json.as_bytes()).with_context(|| format!("--json {}", file.display()))?;
    }
    answer(&format!("fingerprint        {digest}\n{speeds}"))?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> anyhow::Result<Vec<Board>> {
    Ok(boards(&std::fs::read_to_string(file)?)?)
}
