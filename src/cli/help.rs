//! What `--help` says beside the flags: the commands in groups, and examples of each.

use std::ffi::OsString;

use clap::{Arg, Command};

/// The commands by what they are for; each is in one group.
pub(super) const GROUPS: [(&str, &[&str]); 5] = [
    ("Play and watch", &["play", "watch", "replay", "runs", "report"]),
    ("Study", &["players", "analyze", "review", "serve"]),
    ("Verify", &["conform", "rom"]),
    ("Scale", &["sim", "merge"]),
    ("Install", &["completions", "man"]),
];

/// What the program's exit codes say.
pub(super) const EXIT_CODES: [(u8, &str); 4] = [
    (0, "The command did what was asked."),
    (1, "The command ran to its end, and the answer is no."),
    (2, "The command line or a file that it names cannot be used. One line on stderr says why."),
    (130, "The command was interrupted. What was finished by then is kept."),
];

/// Commands, each in brackets and with three examples of it below.
const EXAMPLES: &str = include_str!("examples.txt");

/// The flags that the short help of a command shows, where it has more than [`FEW`].
const SHORT: [(&str, &[&str]); 8] = [
    ("play", &["player", "aggression", "seed", "games", "start_level", "stop", "no_runs", "watch"]),
    ("sim", &["player", "taps", "games", "seed", "start_level", "stop", "json"]),
    ("replay", &["rom", "video", "sheet", "overlay", "html", "movie", "json"]),
    ("runs list", &["player", "note", "sort", "limit"]),
    ("runs verify", &["model", "rom"]),
    ("analyze", &["piece", "next", "level", "lines", "taps", "player", "top", "json"]),
    ("review", &["rom", "player", "taps", "worst", "html", "puzzles", "csv", "json"]),
    ("serve", &["port", "host", "page", "open"]),
];
/// A command with more flags than this shows only some in its short help.
const FEW: usize = 7;
/// Groups whose commands the short help of the program describes; it names those of the others.
const FIRST: [&str; 2] = ["Play and watch", "Study"];
/// Flags of every command.
pub(super) const EVERYWHERE: [&str; 5] = ["quiet", "verbose", "color", "runs", "allow_unknown"];

/// Commands, as `runs list`, with the examples of each.
fn all_examples() -> impl Iterator<Item = (&'static str, Vec<&'static str>)> {
    let command = |part: &'static str| {
        let (name, examples) = part.trim_start_matches('[').split_once("]\n")?;
        Some((name, examples.lines().collect()))
    };
    EXAMPLES.split("\n\n").filter_map(command)
}

/// The examples of the command that is called as `path`, as `maxout runs list`.
pub(super) fn examples(path: &str) -> Vec<&'static str> {
    let path = path.strip_prefix("maxout ").unwrap_or_default();
    all_examples().find(|(name, _)| *name == path).map(|(_, examples)| examples).unwrap_or_default()
}

/// Visits `command` and all commands below it, each with how it is called, as `maxout runs list`. `help` is left out.
pub(super) fn every_command(command: &Command, visit: &mut dyn FnMut(&str, &Command)) {
    fn go(path: &str, command: &Command, visit: &mut dyn FnMut(&str, &Command)) {
        visit(path, command);
        for inner in command.get_subcommands().filter(|inner| inner.get_name() != "help") {
            go(&format!("{path} {}", inner.get_name()), inner, visit);
        }
    }
    go(command.get_name(), command, visit);
}

/// Whether these arguments ask for the short help.
pub(super) fn is_short(args: &[OsString]) -> bool {
    args.iter().skip(1).filter_map(|arg| arg.to_str()).any(|arg| {
        arg.strip_prefix('-')
            .is_some_and(|flags| flags.ends_with('h') && flags.chars().all(|flag| "qvh".contains(flag)))
    })
}

/// The command line with a help that fits on a screen: few flags, and what is said of them ends with its first clause.
pub(super) fn short(command: Command) -> Command {
    let (header, literal) = (*command.get_styles().get_header(), *command.get_styles().get_literal());
    let mut list = String::new();
    for (group, names) in GROUPS {
        if !FIRST.contains(&group) {
            list += &format!("{header}{group}:{header:#} {}\n", names.join(", "));
            continue;
        }
        list += &format!("{header}{group}:{header:#}\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = first_clause(&about.map(ToString::to_string).unwrap_or_default());
            list += &format!("  {literal}{name:<8}{literal:#}  {about}\n");
        }
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}\n\
         {literal}maxout --help{literal:#} says more, {literal}maxout COMMAND -h{literal:#} lists the flags of a command."
    );
    shortened("maxout", command).help_template(template)
}

fn shortened(path: &str, command: Command) -> Command {
    let name = path.strip_prefix("maxout ").unwrap_or_default();
    let flags = command.get_arguments().filter(|arg| !arg.is_positional() && !is_everywhere(arg)).count();
    let kept = SHORT.iter().find(|(command, _)| *command == name).map(|(_, kept)| *kept);
    let shows = |arg: &Arg| match kept.filter(|_| flags > FEW) {
        _ if is_everywhere(arg) => false,
        Some(kept) => arg.is_positional() || kept.contains(&arg.get_id().as_str()),
        None => true,
    };
    let pointer = match flags {
        0 => format!("{path} --help has examples."),
        _ => format!("{path} --help has all flags, with examples."),
    };
    let inner: Vec<String> = command.get_subcommands().map(|inner| inner.get_name().to_owned()).collect();
    let command = command.after_help(pointer).mut_args(|arg| {
        let (hide, help) = (arg.is_hide_set() || !shows(&arg), arg.get_help().map(ToString::to_string));
        let arg = arg.hide(hide);
        match help {
            Some(help) if !arg.is_positional() => arg.help(first_clause(&help)).help_heading(None::<&str>),
            _ => arg,
        }
    });
    inner.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}");
        command.mut_subcommand(name, |inner| {
            let about = inner.get_about().map(|about| first_clause(&about.to_string()));
            let inner = shortened(&path, inner);
            match about {
                Some(about) => inner.about(about),
                None => inner,
            }
        })
    })
}

fn is_everywhere(arg: &Arg) -> bool {
    EVERYWHERE.contains(&arg.get_id().as_str())
}

/// A text up to its first full stop or semicolon, a long one up to its first colon, with the default that it ends with.
fn first_clause(text: &str) -> String {
    let (text, default) = match text.find(" [default: ") {
        Some(at) => text.split_at(at),
        None => (text, ""),
    };
    let before = |text: &'_ str, marks: &[&str]| {
        marks.iter().filter_map(|mark| text.find(mark)).min().unwrap_or(text.len())
    };
    let clause = &text[..before(text, &[". ", "; "])];
    let clause = if clause.len() > 80 { &clause[..before(clause, &[": "])] } else { clause };
    format!("{clause}{default}")
}

/// The command line `command` with all that its help says.
pub(super) fn explained(command: Command) -> Command {
    let header = *command.get_styles().get_header();
    let literal = *command.get_styles().get_literal();
    let mut list = String::new();
    for (group, names) in GROUPS {
        list += &format!("{header}{group}:{header:#}\n");
        let width = names.iter().map(|name| name.len()).max().unwrap_or_default().max(8);
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            list += &format!("  {literal}{name:<width$}{literal:#}  {about}\n");
        }
        list += "\n";
    }
    let template = format!(
        "{{about-with-newline}}\n{{usage-heading}} {{usage}}\n\n{list}{header}Options:{header:#}\n\
         {{options}}\n\n{literal}maxout COMMAND --help{literal:#} has the flags of a command, with examples."
    );
    let command = negative_numbers(command.help_template(template));
    all_examples().fold(command, |command, (path, examples)| {
        let path: Vec<&str> = path.split(' ').collect();
        with_examples(command, &path, &examples)
    })
}

/// Adds examples to the help of the command at `path`.
pub fn with_examples(command: Command, path: &[&'static str], examples: &[&str]) -> Command {
    match path {
        [] => {
            let header = *command.get_styles().get_header();
            command.after_help(format!("{header}Examples:{header:#}\n  {}", examples.join("\n  ")))
        }
        [first, rest @ ..] => command.mut_subcommand(first, |inner| with_examples(inner, rest, examples)),
    }
}

/// Takes a negative number for the value that it was meant to be, not for a flag.
pub fn negative_numbers(command: Command) -> Command {
    command
        .mut_args(|arg| if arg.get_action().takes_values() { arg.allow_negative_numbers(true) } else { arg })
        .mut_subcommands(negative_numbers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::program::command;

    fn names(command: &Command) -> Vec<&str> {
        command.get_subcommands().map(Command::get_name).filter(|name| *name != "help").collect()
    }

    #[test]
    fn the_command_line_is_consistent() {
        command().debug_assert();
    }

    #[test]
    fn every_command_is_in_one_group() {
        let command = command();
        let mut grouped: Vec<&str> = GROUPS.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        let mut known = names(&command);
        grouped.sort_unstable();
        known.sort_unstable();
        assert_eq!(grouped, known);
    }

    #[test]
    fn every_command_has_examples_and_all_can_be_understood() {
        let command = command();
        for name in names(&command) {
            assert_eq!(examples(&format!("maxout {name}")).len(), 3, "examples of {name}");
        }
        for (path, examples) in all_examples() {
            for example in examples {
                assert!(example.starts_with(&format!("maxout {path}")), "{example} of {path}");
                let understood = command.clone().try_get_matches_from(example.split(' '));
                assert!(understood.is_ok(), "{example}: {}", understood.expect_err("an error"));
            }
        }
    }

    #[test]
    fn the_short_help_shows_flags_that_there_are() {
        let command = command();
        for (path, flags) in SHORT {
            let found = path.split(' ').try_fold(&command, |found, name| found.find_subcommand(name));
            let known: Vec<&str> =
                found.expect(path).get_arguments().map(|arg| arg.get_id().as_str()).collect();
            assert!(flags.iter().all(|flag| known.contains(flag)), "{path}: {flags:?}, {known:?}");
        }
        let short = |text: &str| is_short(&text.split(' ').map(OsString::from).collect::<Vec<_>>());
        assert!(short("maxout play -h") && short("maxout -vh") && !short("maxout play --help"));
    }

    #[test]
    fn every_flag_says_what_it_does() {
        fn look(command: &Command) {
            for arg in command.get_arguments() {
                assert!(arg.get_help().is_some(), "{} {}", command.get_name(), arg.get_id());
            }
            command.get_subcommands().for_each(look);
        }
        look(&command());
    }
}
