//! The `maxout` program: parse, log, run, exit code.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
        .format(|out, record| {
            let text = record.args().to_string();
            writeln!(
                out,
                "maxout: {}: {}",
                record.level().as_str().to_lowercase(),
                maxout::cli::one_line(&text)
            )
        })
        .init();
    maxout::cli::run(std::env::args_os())
}
