//! The flags for other weights than the shipped ones, shared by `play` and `sim`.

use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use super::help::heading;
use super::output::say;
use crate::files;
use maxout_engine::eval::{terms, weights};
use maxout_engine::player::Entry;

/// By which weights, for players that have some. Games by other weights than the shipped ones are not kept: a record
/// says who played, not by what.
#[derive(clap::Args)]
#[command(next_help_heading = heading::PLAYER)]
pub(super) struct WeightArgs {
    /// Players on the learned value: play with the weights in this file, as `train td` writes them; no game is kept
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    weights: Option<PathBuf>,
    /// Players of the 17 terms of 2018: play with the weights in this file, as `train pso` writes them; no game is
    /// kept
    #[arg(long, value_name = "FILE", conflicts_with = "runs")]
    terms: Option<PathBuf>,
}

impl WeightArgs {
    /// Lets `player` play with these weights. Whether there are any.
    pub(super) fn put_in_use(&self, player: &Entry) -> anyhow::Result<bool> {
        if let Some(file) = &self.weights {
            use_weights(file, player).with_context(|| format!("--weights {}", file.display()))?;
        }
        if let Some(file) = &self.terms {
            use_terms(file, player).with_context(|| format!("--terms {}", file.display()))?;
        }
        Ok(self.weights.is_some() || self.terms.is_some())
    }
}

/// Lets `player` play with the weights in `file`.
fn use_weights(file: &Path, player: &Entry) -> anyhow::Result<()> {
    if !player.takes("--nodes") {
        bail!("{} does not take weights, expected a player on the learned value", player.name);
    }
    let bytes = files::read(file, weights::MAX_BYTES)?;
    weights::choose(weights::decode(&bytes)?);
    say!("{} plays with other weights: {}", player.name, weights::training(&bytes));
    Ok(())
}

/// Lets `player` play with the 17 weights in `file`.
fn use_terms(file: &Path, player: &Entry) -> anyhow::Result<()> {
    if !player.takes("--terms") {
        bail!("{} has no such terms, expected plateau17, meatfighter2018 or meatfighter2018-1", player.name);
    }
    terms::choose(terms::parse(&files::read_text(file, terms::MAX_BYTES)?)?);
    Ok(())
}
