//! The program's whole command line: [`command`].

use clap::{Command, CommandFactory};

use super::command::Cli;
use super::help;

/// The commands and flags, with all that their help says.
pub(super) fn command() -> Command {
    help::explained(Cli::command())
}
