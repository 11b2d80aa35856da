//! The command line: [`args`] are flags that several commands share, `commands` has one file per subcommand,
//! [`output`] what they say and write. No logic of its own. What is public is used by the laboratory's
//! command line, too.
//!
//! Exit codes: 0 done; 1 it ran and the answer is no; 2 bad usage or bad input; 130 interrupted.

pub mod args;
mod command;
pub mod commands;
pub mod exit;
mod help;
pub mod interrupt;
pub mod output;
mod program;
#[cfg(test)]
mod reference;
pub mod refusal;

use std::ffi::OsString;
use std::io;
use std::process::ExitCode;

use clap::FromArgMatches;

use command::{Cli, Command};
use commands::{
    analyze, completions, conform, manual, merge, play, players, replay, report, review, rom, runs, serve,
    sim, watch,
};
use exit::{BAD_INPUT, INTERRUPTED, NO};
pub use help::{negative_numbers, with_examples};
use maxout_host::batch::BatchError;
use output::{messages, tell_as};

/// Runs the program with these arguments and says how it ended.
pub fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let command = if help::is_short(&args) { help::short(program::command()) } else { program::command() };
    let (name, cli): (_, Cli) = match understood(command, &args) {
        Ok(understood) => understood,
        Err(code) => return code,
    };
    cli.messages.begin();
    if let Err(error) = cli.check() {
        return finished_as(&name, Err(error));
    }
    let result = match cli.command {
        Command::Play(args) => play::run(args),
        Command::Sim(args) => sim::run(args),
        Command::Merge(args) => merge::run(&args),
        Command::Conform(args) => conform::run(&args),
        Command::Rom(args) => rom::run(&args),
        Command::Players => players::run(),
        Command::Analyze(args) => analyze::run(&args),
        Command::Review(args) => review::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Runs(args) => runs::run(args),
        Command::Report(args) => report::run(&args),
        Command::Serve(args) => serve::run(&args),
        Command::Watch(args) => watch::run(&args),
        Command::Completions(args) => completions::run(&args, program::command()),
        Command::Man(args) => manual::run(&args, program::command()),
    };
    finished_as(&name, result)
}

/// Reads a command line: the command's name, as `maxout runs list`, and what `command` understands. A line that cannot be
/// understood is refused on stderr, and one that asks for help is answered: what is left is the exit code.
pub fn understood<C: FromArgMatches>(
    command: clap::Command,
    args: &[OsString],
) -> Result<(String, C), ExitCode> {
    let command = command.color(messages::color(args));
    let name = refusal::command_name(&command, args);
    let found = command.clone().try_get_matches_from(args).and_then(|found| C::from_arg_matches(&found));
    match found {
        Ok(cli) => Ok((name, cli)),
        Err(error) => Err(refusal::refuse(&error, &name, refusal::guess(&command, args, &error))),
    }
}

/// The exit code of the command `name`, which ended so. Names the files that it wrote, and says what went wrong.
pub fn finished_as(name: &str, result: anyhow::Result<ExitCode>) -> ExitCode {
    output::name_written();
    let result = result.map(|code| match output::lost() {
        // A terminal that was closed takes no answer, and is why there was an interrupt.
        Some(why) if code != ExitCode::from(INTERRUPTED) => {
            tell_as(name, why);
            ExitCode::from(BAD_INPUT)
        }
        _ => code,
    });
    result.unwrap_or_else(|error| {
        if is_broken_pipe(&error) {
            return ExitCode::SUCCESS;
        }
        tell_as(name, &format!("{error:#}"));
        let broke_off = error.downcast_ref::<BatchError>();
        let no = matches!(broke_off, Some(BatchError::Session { .. }));
        ExitCode::from(if no { NO } else { BAD_INPUT })
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .any(|cause| cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe))
}
