//! `maxout completions`: a script with which a shell completes commands and flags.

use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_complete::{Shell, generate};

use crate::files;

/// `maxout completions`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// The shell that is to read the script
    shell: Shell,
}

/// Writes the script to stdout.
pub(super) fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    files::write(Path::new("-"), &script(args.shell, command)).context("stdout")?;
    Ok(ExitCode::SUCCESS)
}

/// The script that completes `command` in `shell`.
fn script(shell: Shell, mut command: Command) -> Vec<u8> {
    let name = command.get_name().to_owned();
    let mut script = Vec::new();
    generate(shell, &mut command, name, &mut script);
    script
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
