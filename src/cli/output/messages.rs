//! How much is said on stderr, and whether in colour: `-q`, `-v` and `--color`.

use std::ffi::OsString;
use std::io::Write;

use clap::{ArgAction, ColorChoice, ValueEnum};
use env_logger::{Builder, Env, WriteStyle};
use log::LevelFilter;

use crate::cli::output::one_line;

/// What every command takes.
#[derive(clap::Args)]
#[command(next_help_heading = "Messages")]
pub struct MessageArgs {
    /// Print only errors and interrupts: no warnings, no progress. The answer on stdout stays
    #[arg(short, long, global = true, conflicts_with = "verbose")]
    quiet: bool,
    /// Print more (-vv: still more). -q and -v override the variable `RUST_LOG`
    #[arg(short, long, global = true, action = ArgAction::Count)]
    verbose: u8,
    /// Colour in help and messages; auto: in a terminal, unless the variable `NO_COLOR` is set
    #[arg(
        long,
        global = true,
        default_value = "auto",
        value_name = "auto|always|never",
        hide_possible_values = true
    )]
    color: ColorChoice,
}

impl MessageArgs {
    /// Messages go to stderr from now on, as these flags say.
    pub fn begin(&self) {
        let mut builder = match (self.quiet, self.verbose) {
            (false, 0) => Builder::from_env(Env::default().default_filter_or("warn")),
            (quiet, verbose) => {
                let level = match verbose {
                    _ if quiet => LevelFilter::Error,
                    1 => LevelFilter::Info,
                    2 => LevelFilter::Debug,
                    _ => LevelFilter::Trace,
                };
                let mut builder = Builder::new();
                // Other crates tell of their own matters.
                builder.filter_level(level.min(LevelFilter::Warn)).filter_module("maxout", level);
                builder
            }
        };
        let style = match self.color {
            ColorChoice::Auto => WriteStyle::Auto,
            ColorChoice::Always => WriteStyle::Always,
            ColorChoice::Never => WriteStyle::Never,
        };
        builder
            .write_style(style)
            .format(|out, record| {
                let colour = out.default_level_style(record.level());
                let level = record.level().as_str().to_lowercase();
                writeln!(out, "maxout: {colour}{level}{colour:#}: {}", one_line(&record.args().to_string()))
            })
            .init();
    }
}

/// Whether what is neither an error nor a warning is told, too: not with `-q`.
pub fn notices() -> bool {
    log::max_level() >= LevelFilter::Warn
}

/// What `--color` says among these arguments. Help comes before the arguments are understood.
pub fn color(args: &[OsString]) -> ColorChoice {
    let mut values = args.iter().enumerate().filter_map(|(at, arg)| match arg.to_str()? {
        "--color" => args.get(at + 1)?.to_str(),
        arg => arg.strip_prefix("--color="),
    });
    values.next_back().and_then(|value| ColorChoice::from_str(value, false).ok()).unwrap_or_default()
}
