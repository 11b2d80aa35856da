//! `maxout completions`: a script with which a shell completes commands and flags.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use clap::{Arg, Command};
use clap_complete::{Shell, generate};

use crate::files;
use maxout_engine::search::Aggression;
use maxout_gallery::players;

/// `maxout completions`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The shell to write the script for
    shell: Shell,
}

/// Writes the script to stdout.
pub(crate) fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    files::write(Path::new("-"), &script(args.shell, command)).context("stdout")?;
    Ok(ExitCode::SUCCESS)
}

/// The script that completes `command` in `shell`.
fn script(shell: Shell, mut command: Command) -> Vec<u8> {
    let name = command.get_name().to_owned();
    command = with_values(command);
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    script
}

/// The command line with the values that a shell proposes for flags whose values have names.
fn with_values(command: Command) -> Command {
    command
        .mut_args(|arg| match values(&arg) {
            Some(values) => arg.value_parser(PossibleValuesParser::new(values)),
            None => arg,
        })
        .mut_subcommands(with_values)
}

/// The names that a flag takes.
fn values(flag: &Arg) -> Option<Vec<&'static str>> {
    Some(match flag.get_id().as_str() {
        "player" | "players" => players().iter().map(|entry| &*entry.name).collect(),
        "aggression" => Aggression::STEPS.iter().map(|(name, _)| *name).collect(),
        "taps" => vec!["30hz", "24hz", "20hz", "15hz", "12hz", "10hz", "slow5", "das"],
        "stop" => vec!["level29", "topout"],
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use clap::ValueEnum;

    use super::*;
    use crate::cli::help;

    #[test]
    fn every_command_is_in_the_script_of_every_shell() {
        let command = crate::cli::program::command();
        for shell in Shell::value_variants() {
            let script = String::from_utf8(script(*shell, command.clone())).expect("text");
            // The other shells' scripts propose no values.
            let proposes = matches!(shell, Shell::Bash | Shell::Zsh | Shell::Fish);
            for value in ["plateau17", "el-tetris", "boldest", "slow5", "level29"] {
                assert!(!proposes || script.contains(value), "{shell}: {value}");
            }
            help::every_command(&command, &mut |path, command| {
                let name = command.get_name();
                assert!(script.contains(name), "{shell}: {path}");
                for flag in command.get_arguments().filter_map(clap::Arg::get_long) {
                    assert!(script.contains(flag), "{shell}: {path} --{flag}");
                }
            });
        }
    }
}
