//! The `maxout` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    maxout::cli::run(std::env::args_os())
}
