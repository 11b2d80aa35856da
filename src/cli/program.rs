//! The program's whole command line: [`command`].

use clap::{Command, CommandFactory};

use crate::cli::command::Cli;
use crate::cli::help;

/// The commands and flags, with all that their help says.
pub(super) fn command() -> Command {
    help::explained(Cli::command())
}
