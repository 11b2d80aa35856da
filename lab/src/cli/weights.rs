//! The flags for other weights than the shipped ones.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail};

use crate::train::terms;
use crate::weights_file::training;
use maxout::cli::args::heading;
use maxout::cli::output::messages;
use maxout::cli::output::say;
use maxout::files::{self};
use maxout_engine::eval::weights;
use maxout_engine::player::Entry;
use maxout_gallery::eval::WEIGHTS_2018;
use maxout_record::text::Bounded;

/// Bytes of a file that show whether it has weights.
const BEGIN: u64 = 100;

/// By which weights, for players that have some. Games by other weights than the shipped ones are not kept: a record
/// says who played, not by what.
#[derive(clap::Args)]
#[command(next_help_heading = heading::PLAYER)]
pub struct WeightArgs {
    /// Players on the learned value: play with the weights in this file, as `maxout-lab train td` writes them; no game is kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "shard"])]
    weights: Option<PathBuf>,
    /// Players of the 17 terms of 2018: play with the weights in this file, as `maxout-lab train pso` writes them; no game is
    /// kept
    #[arg(long, value_name = "FILE", conflicts_with_all = ["runs", "shard"])]
    terms: Option<PathBuf>,
}

impl WeightArgs {
    /// `player` with these weights.
    pub fn give_to(&self, player: Entry) -> anyhow::Result<Entry> {
        let player = match &self.weights {
            Some(file) => {
                with_weights(file, &player).with_context(|| format!("--weights {}", file.display()))?
            }
            None => player,
        };
        match &self.terms {
            Some(file) => with_terms(file, &player).with_context(|| format!("--terms {}", file.display())),
            None => Ok(player),
        }
    }
}

/// `player` with the network in `file`.
fn with_weights(file: &Path, player: &Entry) -> anyhow::Result<Entry> {
    if !player.capabilities().is_learned {
        bail!("{} does not take weights, expected a player on the learned value", player.name);
    }
    let bytes = read(file)?;
    let player = player.with_network(Arc::new(weights::decode(&bytes)?)).context("no learned value")?;
    if messages::notices() {
        say!("{} plays with other weights: {}", player.name, training(&bytes));
    }
    Ok(player)
}

/// Reads a file of weights. One that does not begin so is not read to its end.
fn read(file: &Path) -> anyhow::Result<Vec<u8>> {
    let mut source = Bounded::new(files::open(file)?, weights::MAX_BYTES);
    let mut bytes = Vec::new();
    (&mut source).take(BEGIN).read_to_end(&mut bytes)?;
    weights::check_begin(&bytes)?;
    source.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// `player` with the 17 weights in `file`.
fn with_terms(file: &Path, player: &Entry) -> anyhow::Result<Entry> {
    // A player that has none is refused before the file is read.
    terms::give_to(player, WEIGHTS_2018).with_context(|| {
        format!("{} has no such terms, expected plateau17, meatfighter2018 or meatfighter2018-1", player.name)
    })?;
    let weights = terms::parse(&files::read_text(file, terms::MAX_BYTES)?)?;
    terms::give_to(player, weights).context("the player has no such terms")
}
