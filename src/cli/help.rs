//! What `--help` says beside the flags: the commands in groups, and examples of each.

use clap::Command;

/// The commands by what they are for; each is in one group.
pub(super) const GROUPS: [(&str, &[&str]); 6] = [
    ("Play and watch", &["play", "watch", "replay", "runs", "report"]),
    ("Study", &["players", "analyze", "review", "serve", "stats", "table", "limits"]),
    ("Verify", &["conform", "fuzz", "rom", "bench"]),
    ("Train", &["train"]),
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

/// Commands, with three examples of each.
const EXAMPLES: [(&str, [&str; 3]); 36] = [
    (
        "play",
        [
            "maxout play --watch",
            "maxout play tetris.nes --player maxout-fast --seed 7 --games 3",
            "maxout play --stop lines:20 --png frames --every 60",
        ],
    ),
    ("watch", ["maxout watch 7", "maxout watch 7 --runs my-runs", "maxout watch movie.fm2 --rom tetris.nes"]),
    (
        "replay",
        [
            "maxout replay 7 --gif game.gif --overlay",
            "maxout replay 7 --sheet game.png --at tetris",
            "maxout replay movie.fm2 --rom tetris.nes --json games.json",
        ],
    ),
    ("runs", ["maxout runs list --limit 10", "maxout runs show 7", "maxout runs verify --all --model"]),
    (
        "runs list",
        ["maxout runs list", "maxout runs list --player maxout --limit 10", "maxout runs list --json -"],
    ),
    (
        "runs show",
        [
            "maxout runs show 7",
            "maxout runs show 7 --target 1200000",
            "maxout runs show 7 --runs my-runs --json run.json",
        ],
    ),
    (
        "runs best",
        ["maxout runs best", "maxout runs best --player maxout", "maxout runs best --json best.json"],
    ),
    (
        "runs stats",
        ["maxout runs stats", "maxout runs stats --player maxout", "maxout runs stats --json stats.json"],
    ),
    (
        "runs note",
        [
            "maxout runs note 7 '#good'",
            "maxout runs note 7 never-replanned",
            "maxout runs note 7 '#long' --runs my-runs",
        ],
    ),
    ("runs rm", ["maxout runs rm 7", "maxout runs rm 5 6", "maxout runs rm 7 --runs my-runs"]),
    (
        "runs export",
        [
            "maxout runs export -o runs.csv",
            "maxout runs export 5 7 --format folder -o exported",
            "maxout runs export --format jsonl --logs --player maxout",
        ],
    ),
    (
        "runs import",
        [
            "maxout runs import exported-run",
            "maxout runs import exported-run/run.json",
            "maxout runs import exported-run --runs my-runs",
        ],
    ),
    (
        "runs verify",
        [
            "maxout runs verify 7",
            "maxout runs verify --all --model",
            "maxout runs verify 5 7 --rom tetris.nes --json verified.json",
        ],
    ),
    (
        "report",
        [
            "maxout report 7",
            "maxout report 5 6 7 -o compared.html --target 1200000",
            "maxout report 7 --timeline-json placements.json",
        ],
    ),
    ("players", ["maxout players", "maxout players -q", "maxout players --color never"]),
    (
        "analyze",
        [
            "maxout analyze board.txt --piece T",
            "maxout analyze board.txt --piece T --next L --level 29",
            "maxout analyze board.txt --piece I --lines 225",
        ],
    ),
    (
        "serve",
        [
            "maxout serve",
            "maxout serve --port 3000 --allow-origin https://trainer.example",
            "maxout serve --host 0.0.0.0 --allow-host tetris.example --jobs 4",
        ],
    ),
    (
        "review",
        [
            "maxout review 7",
            "maxout review movie.fm2 --rom tetris.nes --speeds",
            "maxout review game.ngf.gz --taps 12hz --csv game.csv",
        ],
    ),
    (
        "stats",
        [
            "maxout stats rows",
            "maxout stats rows --player el-tetris --svg rows.svg",
            "maxout stats rows --games 20 --limit 10000 --json rows.json",
        ],
    ),
    (
        "stats rows",
        [
            "maxout stats rows",
            "maxout stats rows --player el-tetris --pieces nes --svg rows.svg",
            "maxout stats rows --games 20 --limit 10000 --json rows.json",
        ],
    ),
    (
        "table",
        [
            "maxout table --players maxout-fast,plateau17 --games 100",
            "maxout table --games 1000 --seed 60000",
            "maxout table --players el-tetris --jobs 1",
        ],
    ),
    (
        "limits",
        [
            "maxout limits --dir limits",
            "maxout limits --taps 12hz,slow5 --reaction 18,24 --games 200 --svg limits.svg",
            "maxout limits --start-level 19 --stop level29 --no-double-killscreen --dir to-level-29",
        ],
    ),
    (
        "conform",
        [
            "maxout conform trace.csv.gz",
            "maxout conform --rom tetris.nes trace.csv.gz",
            "maxout conform first.csv.gz second.csv.gz",
        ],
    ),
    (
        "fuzz",
        [
            "maxout fuzz --seconds 60",
            "maxout fuzz tetris.nes --streams 100 --frames 10000",
            "maxout fuzz --replay maxout-fuzz-0.txt",
        ],
    ),
    ("rom", ["maxout rom", "maxout rom tetris.nes", "maxout rom -q tetris.nes"]),
    ("bench", ["maxout bench", "maxout bench --json speeds.json", "maxout bench --boards boards.txt"]),
    (
        "train",
        [
            "maxout train td",
            "maxout train pso --fitness garbage --generations 50",
            "maxout train cmaes --dir weights",
        ],
    ),
    (
        "train td",
        [
            "maxout train td",
            "maxout train td --schedule short.toml --dir weights",
            "maxout train td --jobs 1",
        ],
    ),
    (
        "train cnn",
        [
            "maxout train cnn",
            "maxout train cnn --starts 1 --pieces 100000",
            "maxout train cnn --dir networks --jobs 2",
        ],
    ),
    (
        "train hazard",
        [
            "maxout train hazard",
            "maxout train hazard --chunks 1 --dir hazard",
            "maxout train hazard --jobs 1",
        ],
    ),
    (
        "train pso",
        [
            "maxout train pso",
            "maxout train pso --fitness garbage --limits row --generations 50",
            "maxout train pso --method constriction --phi 4.2 --dir weights",
        ],
    ),
    (
        "train cmaes",
        [
            "maxout train cmaes",
            "maxout train cmaes --population 40 --start 1 --dir weights",
            "maxout train cmaes --fitness sz-stress --games 30",
        ],
    ),
    (
        "sim",
        [
            "maxout sim --games 1000 --seed 50000",
            "maxout sim --player plateau17 --terms terms.txt --json out.json --no-timings",
            "maxout sim --no-gravity --player packing --stop topout --limit 100000",
        ],
    ),
    (
        "merge",
        [
            "maxout merge shard-1.json shard-2.json",
            "maxout merge shard-1.json shard-2.json --json all.json",
            "maxout merge shard-1.json shard-2.json --no-timings --json -",
        ],
    ),
    ("completions", ["maxout completions bash", "maxout completions zsh", "maxout completions fish"]),
    ("man", ["maxout man man1", "maxout man share/man/man1", "maxout man -q man1"]),
];

/// The examples of the command that is called as `path`, as `maxout runs list`.
pub(super) fn examples(path: &str) -> &'static [&'static str] {
    let path = path.strip_prefix("maxout ").unwrap_or_default();
    EXAMPLES.iter().find(|(name, _)| *name == path).map_or(&[], |(_, examples)| examples)
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
    EXAMPLES.into_iter().fold(command, |command, (path, examples)| {
        let text = format!("{header}Examples:{header:#}\n  {}", examples.join("\n  "));
        let path: Vec<&str> = path.split(' ').collect();
        with_examples(command, &path, &text)
    })
}

fn with_examples(command: Command, path: &[&'static str], text: &str) -> Command {
    match path {
        [] => command.after_help(text.to_owned()),
        [first, rest @ ..] => command.mut_subcommand(first, |inner| with_examples(inner, rest, text)),
    }
}

/// Takes a negative number for the value that it was meant to be, not for a flag.
fn negative_numbers(command: Command) -> Command {
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
            assert!(EXAMPLES.iter().any(|(path, _)| *path == name), "{name} has no examples");
        }
        for (path, examples) in EXAMPLES {
            for example in examples {
                assert!(example.starts_with(&format!("maxout {path}")), "{example} of {path}");
                let understood = command.clone().try_get_matches_from(example.split(' '));
                assert!(understood.is_ok(), "{example}: {}", understood.expect_err("an error"));
            }
        }
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
