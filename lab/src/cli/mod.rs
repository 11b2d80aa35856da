//! The command line of the laboratory. What it has in common with the program's (messages, progress, files, refusals) is the
//! program's own.

mod bench;
mod fuzz;
mod limits;
mod no_gravity;
mod rows;
mod sim;
#[cfg(feature = "mpi")]
mod sim_ranks;
mod table;
mod train;
mod training;
mod tune;
mod weights;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::{CommandFactory, Parser, Subcommand};
use maxout::cli::output::messages::MessageArgs;
use maxout::cli::{finished_as, negative_numbers, understood, with_examples};

/// Makes and measures the players of maxout: training, published figures, made-up input, speed.
#[derive(Parser)]
#[command(name = "maxout-lab", version, about, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,
    #[command(flatten)]
    messages: MessageArgs,
}

#[derive(Subcommand)]
enum Command {
    /// Play games on the model as `maxout sim`, by other weights, with a filter, with a wider search, or without gravity
    Sim(Box<sim::Args>),
    /// Train evaluation weights
    Train(train::Args),
    /// Play under human limits, beside the published scores of BetaTetris
    Limits(limits::Args),
    /// Play several players on the same seeds, beside results that others measured
    Table(table::Args),
    /// Count in which rows pieces lock without gravity, and estimate how long a game would last, beside the published
    /// figures of M. Birken's bot of 2014
    Rows(rows::Args),
    /// Play random buttons on model and cartridge, and compare all variables in every frame
    Fuzz(fuzz::Args),
    /// Print a fingerprint of all players' decisions, and how long they take
    Bench(bench::Args),
}

/// Commands, with three examples of each.
const EXAMPLES: [(&str, [&str; 3]); 12] = [
    (
        "sim",
        [
            "maxout-lab sim --player plateau17 --terms terms.txt --json out.json --no-timings",
            "maxout-lab sim --player clairvoyant --search-seeds 0..100 --beam 500 --runs my-runs",
            "maxout-lab sim --no-gravity --player packing --stop topout --limit 100000",
        ],
    ),
    (
        "train",
        [
            "maxout-lab train td",
            "maxout-lab train pso --fitness garbage --generations 50",
            "maxout-lab train cmaes --dir weights",
        ],
    ),
    (
        "train td",
        [
            "maxout-lab train td",
            "maxout-lab train td --schedule short.toml --dir weights",
            "maxout-lab train td --jobs 1",
        ],
    ),
    (
        "train hazard",
        [
            "maxout-lab train hazard",
            "maxout-lab train hazard --chunks 1 --dir hazard",
            "maxout-lab train hazard --jobs 1",
        ],
    ),
    (
        "train cnn",
        [
            "maxout-lab train cnn",
            "maxout-lab train cnn --starts 1 --pieces 100000",
            "maxout-lab train cnn --dir networks --jobs 2",
        ],
    ),
    (
        "train pso",
        [
            "maxout-lab train pso",
            "maxout-lab train pso --fitness garbage --limits row --generations 50",
            "maxout-lab train pso --method constriction --phi 4.2 --dir weights",
        ],
    ),
    (
        "train cmaes",
        [
            "maxout-lab train cmaes",
            "maxout-lab train cmaes --population 40 --start 1 --dir weights",
            "maxout-lab train cmaes --fitness sz-stress --games 30",
        ],
    ),
    (
        "limits",
        [
            "maxout-lab limits --dir limits",
            "maxout-lab limits --taps 12hz,slow5 --reaction 18,24 --games 200 --svg limits.svg",
            "maxout-lab limits --start-level 19 --stop level29 --no-double-killscreen --dir to-level-29",
        ],
    ),
    (
        "table",
        [
            "maxout-lab table --players maxout-fast,plateau17 --games 100",
            "maxout-lab table --games 1000 --seed 60000",
            "maxout-lab table --players el-tetris --jobs 1",
        ],
    ),
    (
        "rows",
        [
            "maxout-lab rows",
            "maxout-lab rows --player el-tetris --pieces nes --svg rows.svg",
            "maxout-lab rows --games 20 --limit 10000 --json rows.json",
        ],
    ),
    (
        "fuzz",
        [
            "maxout-lab fuzz --seconds 60",
            "maxout-lab fuzz tetris.nes --streams 100 --frames 10000",
            "maxout-lab fuzz --replay maxout-fuzz-0.txt",
        ],
    ),
    (
        "bench",
        ["maxout-lab bench", "maxout-lab bench --json speeds.json", "maxout-lab bench --boards boards.txt"],
    ),
];

/// The commands and flags, with all that their help says.
fn command() -> clap::Command {
    let command = negative_numbers(Cli::command());
    EXAMPLES.into_iter().fold(command, |command, (path, examples)| {
        let path: Vec<&str> = path.split(' ').collect();
        with_examples(command, &path, &examples)
    })
}

/// Runs the program with these arguments and says how it ended.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let (name, cli): (_, Cli) = match understood(command(), &args) {
        Ok(understood) => understood,
        Err(code) => return code,
    };
    cli.messages.begin();
    let result = match cli.command {
        Command::Sim(args) => sim::run(*args),
        Command::Train(args) => train::run(args),
        Command::Limits(args) => limits::run(&args),
        Command::Table(args) => table::run(args),
        Command::Rows(args) => rows::run(&args),
        Command::Fuzz(args) => fuzz::run(&args),
        Command::Bench(args) => bench::run(&args),
    };
    finished_as(&name, result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_has_examples_and_all_can_be_understood() {
        let command = command();
        for name in command.get_subcommands().map(clap::Command::get_name).filter(|name| *name != "help") {
            assert!(EXAMPLES.iter().any(|(path, _)| *path == name), "{name} has no examples");
        }
        for (path, examples) in EXAMPLES {
            for example in examples {
                assert!(example.starts_with(&format!("maxout-lab {path}")), "{example} of {path}");
                let understood = command.clone().try_get_matches_from(example.split(' '));
                assert!(understood.is_ok(), "{example}: {}", understood.expect_err("an error"));
            }
        }
    }

    #[test]
    fn every_flag_says_what_it_does() {
        fn look(command: &clap::Command) {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(look);
        }
        look(&command());
    }
}
