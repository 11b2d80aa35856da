//! The program's commands, and the flags that all of them take.

use clap::{Parser, Subcommand};

use super::{
    analyze, bench, completions, conform, fuzz, limits, manual, merge, messages, play, replay, report_page,
    review, rom, runs, serve, sim, stats, table, train, watch,
};

/// Plays Nintendo Tetris (NES) in an embedded emulator, through the controller, for the highest score.
#[derive(Parser)]
#[command(name = "maxout", version = env!("MAXOUT_VERSION"), about, max_term_width = 100)]
pub(super) struct Cli {
    #[command(subcommand)]
    pub(super) command: Command,
    #[command(flatten)]
    pub(super) messages: messages::MessageArgs,
}

#[derive(Subcommand)]
pub(super) enum Command {
    /// Plays in the emulator: your cartridge image, or the embedded test cartridge
    Play(play::Args),
    /// Plays games on the model, without the emulator: the same games as `play`, much faster
    Sim(sim::Args),
    /// Makes the results of a batch from those of its shards (`sim --shard`)
    Merge(merge::Args),
    /// Replays measured traces on the model, or on a cartridge in the emulator
    Conform(conform::Args),
    /// Plays made-up buttons on model and cartridge and compares all variables in every frame
    Fuzz(fuzz::Args),
    /// Says which cartridge image a file is, and what is wrong with it
    Rom(rom::Args),
    /// Lists the players
    Players,
    /// Plays several players on the same seeds, beside what others measured of them
    Table(table::Args),
    /// Plays under human limits, beside the published scores of BetaTetris
    Limits(limits::Args),
    /// Plays games without gravity and prints statistics of them
    Stats(stats::Args),
    /// Ranks the placements of a piece on a board, in points
    Analyze(analyze::Args),
    /// Says what every placement of a recorded game lost, and what was better
    Review(review::Args),
    /// Plays a recorded run or a movie again, from its button log alone
    Replay(replay::Args),
    /// The run library: lists, compares, exports and verifies kept games
    Runs(runs::Args),
    /// Makes one HTML file that shows recorded runs, without network access
    Report(report_page::Args),
    /// Answers over HTTP what the strongest player thinks of a board
    Serve(serve::Args),
    /// Plays a recorded run or a movie again in the terminal
    Watch(watch::Args),
    /// Makes weights
    Train(train::Args),
    /// Prints one fingerprint of the play of all players, and how long everything takes
    Bench(bench::Args),
    /// Prints a script with which a shell completes commands and flags
    Completions(completions::Args),
    /// Writes manual pages: one of the program, one of each command
    Man(manual::Args),
}
