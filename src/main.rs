//! The `maxout` program: parse, log, run, exit code.

use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format_timestamp(None)
        .init();
    maxout::cli::run(std::env::args_os())
}
