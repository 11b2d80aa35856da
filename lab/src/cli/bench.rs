//! `maxout-lab bench`: one fingerprint of what the players do, and what everything costs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use crate::bench::speed::{Speeds, measure};
use crate::bench::{boards, fingerprint, known_boards};
use crate::measure::limits::cells::presses;
use maxout::cli::exit::cores;
use maxout::cli::output::progress::Progress;
use maxout::cli::output::{Outputs, give};
use maxout::files;
use maxout_engine::limits::{Presses, Reaction};
use maxout_rules::Board;

/// Bytes of drawn boards.
const MAX_BYTES: u64 = 16 << 20;

/// `maxout-lab bench`.
#[derive(clap::Args)]
pub struct Args {
    /// Measure the move generator on these drawn boards [default: 2,000 embedded ones]
    #[arg(long, value_name = "FILE")]
    boards: Option<PathBuf>,
    /// Measure the move generator at this tap speed, as in `sim` [default: each button at most every second frame]
    #[arg(long, value_name = "SPEED", value_parser = presses)]
    taps: Option<Presses>,
    /// Measure decisions with this reaction delay, too, as in `sim`: frames, or none-after-spawn. With --taps, they are
    /// made at that tap speed
    #[arg(long, value_name = "FRAMES")]
    reaction: Option<Reaction>,
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

pub fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Outputs::check([("--json", args.json.as_deref())])?.apart_from(&args.boards)?;
    let boards = match &args.boards {
        Some(file) => read(file).with_context(|| format!("--boards {}", file.display()))?,
        None => known_boards(),
    };
    let bar = Progress::new(0, "");
    bar.message("playing the fingerprint's games");
    let players = fingerprint(cores(), &mut |entry| bar.message(format!("{} has played", entry.name)))?;
    let presses = args.taps.unwrap_or(Presses::EachButton);
    let speeds = measure(&boards, presses, args.reaction, &mut |what| {
        bar.message(format!("measuring {what}"));
    })?;
    bar.finish();
    let digest = players.digest();
    let told = Answer { fingerprint: &digest, speeds: &speeds };
    give(args.json.as_deref(), &told, &format!("fingerprint        {digest}\n{speeds}"))?;
    Ok(ExitCode::SUCCESS)
}

fn read(file: &Path) -> anyhow::Result<Vec<Board>> {
    Ok(boards(&files::read_text(file, MAX_BYTES)?)?)
}
