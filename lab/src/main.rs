//! The `maxout-lab` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    maxout_lab::cli::run(std::env::args_os())
}
