//! `maxout merge`: the result of a batch from those of its shards.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;

use crate::cli::output::{Outputs, give};
use crate::files::open;
use crate::results::BatchResult;
use crate::results::merge::{MAX_BYTES, Room, merge, read};
use maxout_record::text::Bounded;

/// `maxout merge`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The --json files of all shards of one batch, in any order
    #[arg(required = true, value_name = "SHARD")]
    shards: Vec<PathBuf>,
    /// Write the merged results as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Leave out all times: what is written is then the same, byte for byte, as `sim --no-timings` writes
    #[arg(long)]
    no_timings: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Outputs::check([("--json", args.json.as_deref())])?.apart_from(&args.shards)?;
    let mut room = Room::default();
    let shards = args.shards.iter().map(|file| shard(file, &mut room)).collect::<anyhow::Result<_>>()?;
    let mut result = merge(shards)?;
    if args.no_timings {
        result.leave_out_times();
    }
    give(args.json.as_deref(), &result, &result.to_string())?;
    Ok(ExitCode::SUCCESS)
}

fn shard(file: &Path, room: &mut Room) -> anyhow::Result<(String, BatchResult)> {
    let name = file.display().to_string();
    let source = open(file).with_context(|| name.clone())?;
    let result = read(&name, Bounded::new(source, MAX_BYTES), room)?;
    Ok((name, result))
}
