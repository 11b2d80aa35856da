//! The program's commands, and the flags that all of them take.

use anyhow::bail;
use clap::{Parser, Subcommand};

use super::commands::{
    analyze, completions, conform, manual, merge, play, replay, report, review, rom, runs, serve, sim, watch,
};
use crate::cli::args::{cartridge, library};
use crate::cli::output::messages;

/// Plays Nintendo Tetris (NES) in an embedded emulator, through the controller, for the highest score.
#[derive(Parser)]
#[command(name = "maxout", version = env!("MAXOUT_VERSION"), about, max_term_width = 100)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) messages: messages::MessageArgs,
    #[command(flatten)]
    library: library::LibraryArgs,
    #[command(flatten)]
    unknown: cartridge::UnknownArgs,
}

impl Cli {
    /// Fails if the run library was named, or a cartridge image allowed, for a command that has nothing to do with it.
    pub(super) fn check(&self) -> anyhow::Result<()> {
        use Command::{Play, Replay, Report, Review, Rom, Runs, Sim, Watch};
        let command = &self.command;
        let plays = matches!(command, Play(_) | Watch(_) | Replay(_) | Runs(_) | Review(_));
        if self.library.is_given() && !plays && !matches!(command, Sim(_) | Report(_)) {
            bail!("--runs: not for this command, which does not use the run library");
        }
        if self.unknown.allow_unknown && !plays && !matches!(command, Rom(_)) {
            bail!("--allow-unknown: not for this command, which plays no cartridge image");
        }
        Ok(())
    }
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Play in the emulator: your cartridge image, or the embedded test cartridge
    Play(play::Args),
    /// Play games on the model, without the emulator: the same games as `play`, much faster
    Sim(sim::Args),
    /// Merge the shards of a batch (`sim --shard`) into its results
    Merge(merge::Args),
    /// Replay measured traces on the model, or on a cartridge in the emulator
    Conform(conform::Args),
    /// Identify a cartridge image, and what is wrong with it
    Rom(rom::Args),
    /// List the players
    Players,
    /// Rank the placements of a piece on a board, in points
    Analyze(analyze::Args),
    /// Show what every placement of a recorded game lost, and what was better
    Review(review::Args),
    /// Play a recorded run or a movie again, from its button log alone
    Replay(replay::Args),
    /// List, compare, export and verify the games in the run library
    Runs(runs::Args),
    /// Write one HTML file that shows recorded runs, without network access
    Report(report::Args),
    /// Answer over HTTP what the strongest player thinks of a board
    Serve(serve::Args),
    /// Play a recorded run or a movie again in the terminal
    Watch(watch::Args),
    /// Print a script with which a shell completes commands and flags
    Completions(completions::Args),
    /// Write manual pages: one for the program, one for each command
    Man(manual::Args),
}
