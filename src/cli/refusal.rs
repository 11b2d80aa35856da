//! How a command line that cannot be understood is refused: one line with the command, the culprit and what was
//! expected.

use std::error::Error as _;
use std::ffi::OsString;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use clap::Command;
use clap::error::{ContextKind, ContextValue, Error, ErrorKind};

use crate::cli::exit::BAD_INPUT;
use crate::cli::output::tell_as;

/// Help and version go out as clap makes them, an error in one line.
pub fn refuse(error: &Error, name: &str, guess: Option<String>) -> ExitCode {
    let asked = matches!(error.kind(), ErrorKind::DisplayHelp | ErrorKind::DisplayVersion);
    if asked || error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        let printed = error.print().and_then(|()| io::stdout().flush());
        return match printed {
            // Nothing is left to do if the reader is gone.
            Err(error) if asked && error.kind() != io::ErrorKind::BrokenPipe => {
                tell_as(name, &format!("stdout: {error}"));
                ExitCode::from(BAD_INPUT)
            }
            _ => ExitCode::from(if asked { 0 } else { BAD_INPUT }),
        };
    }
    tell_as(name, &wording(error, name, guess));
    ExitCode::from(BAD_INPUT)
}

/// The command that `command` guesses for a mistyped one behind `help`, where clap guesses none itself.
pub fn guess(command: &Command, args: &[OsString], error: &Error) -> Option<String> {
    let unknown = error.get(ContextKind::InvalidSubcommand)?.to_string();
    if error.get(ContextKind::SuggestedSubcommand).is_some() {
        return None;
    }
    // The same line without `help`.
    let line = args.iter().filter(|arg| *arg != "help").take_while(|arg| **arg != *unknown);
    let line: Vec<OsString> = line.cloned().chain([OsString::from(&unknown)]).collect();
    let error = command.clone().try_get_matches_from(line).err()?;
    let guess = meant(&error, ContextKind::SuggestedSubcommand);
    (!guess.is_empty()).then_some(guess)
}

/// The command that these arguments begin with, as `maxout runs list`.
pub fn command_name(command: &Command, args: &[OsString]) -> String {
    let (mut name, mut command) = (command.get_name().to_owned(), command);
    let mut args = args.iter().skip(1);
    while let Some(arg) = args.next().and_then(|arg| arg.to_str()) {
        match command.find_subcommand(arg) {
            Some(found) => {
                name = format!("{name} {}", found.get_name());
                command = found;
            }
            // Its value is no command.
            None if ["--color", "--runs"].contains(&arg) => {
                args.next();
            }
            None if may_come_first(arg) => {}
            None => break,
        }
    }
    name
}

/// Whether this is a flag without a value that may stand before a command.
fn may_come_first(arg: &str) -> bool {
    let is_long = arg.starts_with("--");
    if is_long {
        ["--quiet", "--verbose", "--allow-unknown"].contains(&arg)
            || arg.starts_with("--color=")
            || arg.starts_with("--runs=")
    } else {
        arg.starts_with('-')
    }
}

fn wording(error: &Error, name: &str, guess: Option<String>) -> String {
    let get = |kind| error.get(kind).map(ToString::to_string).unwrap_or_default();
    // `--json <FILE>` is the flag and what stands for its value; a place has the latter only.
    let arg = get(ContextKind::InvalidArg);
    let flag = arg.split(' ').next().filter(|flag| flag.starts_with('-')).unwrap_or_default();
    let value = get(ContextKind::InvalidValue);
    let culprit = [flag, &value].into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ");
    match error.kind() {
        ErrorKind::ValueValidation => {
            let why = error.source().map_or_else(|| "no such value".to_owned(), ToString::to_string);
            // Some reasons name the value, too.
            let why = why.split_once(&format!("{value:?}: ")).map_or(&*why, |(_, expected)| expected);
            format!("{culprit}: {why}")
        }
        ErrorKind::InvalidValue if value.is_empty() => {
            format!("{flag}: no value, expected {}", arg.split_once(' ').map_or("one", |(_, value)| value))
        }
        ErrorKind::InvalidValue => {
            let known = get(ContextKind::ValidValue);
            format!("{culprit}: expected one of {known}{}", meant(error, ContextKind::SuggestedValue))
        }
        ErrorKind::UnknownArgument if gone(name, &arg).is_some() => {
            format!("{arg}: {}", gone(name, &arg).unwrap_or_default())
        }
        ErrorKind::UnknownArgument if arg.starts_with('-') => {
            let meant = meant(error, ContextKind::SuggestedArg);
            format!("{arg}: no such flag{meant} ({name} --help lists the flags)")
        }
        ErrorKind::UnknownArgument => {
            format!("{arg}: too many arguments ({name} --help says what is expected)")
        }
        ErrorKind::InvalidSubcommand
            if name == "maxout" && moved(&get(ContextKind::InvalidSubcommand)).is_some() =>
        {
            let unknown = get(ContextKind::InvalidSubcommand);
            format!("{unknown}: {}", moved(&unknown).unwrap_or_default())
        }
        ErrorKind::InvalidSubcommand => {
            let meant = guess.unwrap_or_else(|| meant(error, ContextKind::SuggestedSubcommand));
            let unknown = get(ContextKind::InvalidSubcommand);
            format!("{unknown}: no such command{meant} ({name} --help lists the commands)")
        }
        ErrorKind::MissingRequiredArgument => {
            let missing = arg.replace(", ", " and ");
            format!("expected {missing} ({name} --help has examples)")
        }
        ErrorKind::ArgumentConflict => {
            let other = get(ContextKind::PriorArg).replace(", ", " or ");
            if other == arg {
                format!("{flag}: given twice, expected once")
            } else {
                let culprit = if flag.is_empty() { &*arg } else { flag };
                format!("{culprit}: not together with {other} ({name} --help explains both)")
            }
        }
        _ => plain(error, name),
    }
}

/// What to use in place of a flag of earlier versions.
fn gone(command: &str, flag: &str) -> Option<String> {
    let command = command.strip_prefix("maxout ")?;
    let instead = match (command, flag) {
        ("play", "--pal") => "`play` plays the version of its cartridge; `sim --pal` needs none",
        ("play" | "sim", "--think-ms") => "no decision is limited in time, expected --nodes",
        ("play", "--double-killscreen") => "no cartridge does it, expected `maxout sim`",
        (
            "play" | "sim",
            "--filter" | "--weights" | "--terms" | "--beam" | "--horizon" | "--search-seeds",
        )
        | ("sim", "--no-gravity" | "--demo-loop" | "--pieces" | "--limit") => {
            return Some(format!(
                "this flag is now in the laboratory: cargo run --release -p maxout-lab -- sim {flag}"
            ));
        }
        ("replay", "--gif") => "now --video FILE.gif",
        ("replay", "--apng") => "now --video FILE.png",
        ("replay", "--mp4") => "now --video FILE.mp4",
        ("replay", "--webm") => "now --video FILE.webm",
        ("replay", "--fm2") => "now --movie FILE.fm2",
        ("replay", "--bk2") => "now --movie FILE.bk2",
        ("replay", "--from" | "--to") => "now --frames A..B",
        ("replay", "--aspect" | "--crop") => "now --tv, which does both",
        ("replay", "--no-sound") => "videos have sound; ffmpeg -i FILE -an -c copy OTHER removes it",
        ("replay", "--champs-version") => "maxout writes version 3, which recorders write, and reads all",
        ("replay" | "watch", file) if Path::new(file).extension().is_some_and(|end| end == "nes") => {
            "a cartridge image is given as --rom FILE"
        }
        ("runs list" | "runs best" | "runs stats" | "runs export" | "runs verify", "--tag") => {
            "now --note '#TAG'"
        }
        ("runs list", "--reverse") => "the list has one order for each --sort",
        ("runs verify", "--all") => "without numbers all runs are verified: maxout runs verify",
        ("report", "--boards") => {
            "up to 12 runs can all be watched; of more, the best, the median and the worst of each group"
        }
        ("analyze", "--all") => "now --top 1000",
        _ => return None,
    };
    Some(instead.to_owned())
}

/// Where a command of earlier versions is now.
fn moved(command: &str) -> Option<String> {
    let (before, now) = match command {
        "stats" => ("statistics of kept runs are `maxout runs stats`; `stats rows`", "rows"),
        "bench" | "fuzz" | "limits" | "table" | "train" => ("this command", command),
        _ => return None,
    };
    Some(format!("{before} is now in the laboratory: cargo run --release -p maxout-lab -- {now}"))
}

/// The first of clap's suggestions: it has the nearest last.
fn meant(error: &Error, kind: ContextKind) -> String {
    let nearest = match error.get(kind) {
        Some(ContextValue::String(nearest)) => Some(nearest.as_str()),
        Some(ContextValue::Strings(all)) => all.last().map(String::as_str),
        _ => None,
    };
    nearest.map(|nearest| format!(", did you mean {nearest}?")).unwrap_or_default()
}

/// Clap's own words, as far as they say what was wrong.
fn plain(error: &Error, name: &str) -> String {
    let text = error.render().to_string();
    let said: Vec<&str> = text
        .lines()
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more"))
        .collect();
    let said = said.join(" ");
    format!("{} ({name} --help says what is expected)", said.trim_start_matches("error: ").trim())
}

#[cfg(test)]
mod tests {
    use super::super::program;
    use super::*;

    #[test]
    fn the_name_ends_with_the_last_command_before_anything_else() {
        for (line, name) in [
            ("maxout", "maxout"),
            ("maxout runs list", "maxout runs list"),
            ("maxout -q --color always runs -v list --json list", "maxout runs list"),
            ("maxout --quiet --color=never play --seed x", "maxout play"),
            ("maxout --runs my-runs --allow-unknown runs list", "maxout runs list"),
            ("maxout foo play", "maxout"),
            ("maxout --foo play", "maxout"),
            ("maxout runs foo list", "maxout runs"),
        ] {
            let args: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            assert_eq!(command_name(&program::command(), &args), name, "{line}");
        }
    }
}
