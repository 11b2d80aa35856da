//! docs/reference/commands.md: the command line as a page, made from the definitions of the flags. Only the test below
//! makes it.

use clap::{Arg, ArgAction, Command};

use crate::cli::help;
use crate::cli::program;

/// Heading of flags that are under none.
const OPTIONS: &str = "Options";
/// Heading of what is given by its place.
const ARGUMENTS: &str = "Arguments";
/// What every command takes, which the page tells once.
const EVERYWHERE: [&str; 7] = ["quiet", "verbose", "color", "runs", "allow_unknown", "help", "version"];
/// Most options and arguments in the reference: what one entry describes counts once.
const MOST: usize = 150;

/// The page.
fn page() -> String {
    let mut command = program::command();
    command.build();
    let mut page = "# Commands\n\n".to_owned();
    page += "<!-- Made from the program's own help, by a test. To make it anew:\n\
             UPDATE_SNAPSHOT=1 cargo test --lib the_reference -->\n\n";
    page += "Each command is described here as `maxout COMMAND --help` describes it.\n\n";
    for (group, names) in help::GROUPS {
        page += &format!("**{group}**\n\n");
        for inner in names.iter().filter_map(|name| command.find_subcommand(name)) {
            let name = inner.get_name();
            page += &format!("* [`maxout {name}`](#maxout-{name}): {}\n", sentence(&about(inner)));
        }
        page.push('\n');
    }
    page += "## Options of every command\n\n";
    for arg in command.get_arguments().filter(|arg| is_everywhere(arg)) {
        page += &item(arg);
    }
    page += "\n## Exit codes\n\n| code | meaning |\n|---:|---|\n";
    for (code, meaning) in help::EXIT_CODES {
        page += &format!("| {code} | {meaning} |\n");
    }
    for name in help::GROUPS.iter().flat_map(|(_, names)| *names) {
        if let Some(inner) = command.find_subcommand(name) {
            section(&mut page, &format!("maxout {name}"), inner);
        }
    }
    page
}

/// Adds the section of one command, and those of the commands below it.
fn section(page: &mut String, path: &str, command: &Command) {
    let level = "#".repeat(path.split(' ').count());
    let usage = command.clone().render_usage().to_string();
    let usage = usage.trim_start_matches("Usage: ");
    *page += &format!("\n{level} {path}\n\n{}\n\n```text\n{usage}\n```\n", sentence(&about(command)));
    let inner: Vec<&Command> = command.get_subcommands().filter(|inner| inner.get_name() != "help").collect();
    let args: Vec<&Arg> = command.get_arguments().filter(|arg| !is_everywhere(arg)).collect();
    let mut headings: Vec<&str> = Vec::new();
    for arg in &args {
        if !headings.contains(&heading(arg)) {
            headings.push(heading(arg));
        }
    }
    // As in the help text: what has a place comes first.
    headings.sort_by_key(|&heading| (heading != ARGUMENTS, heading != OPTIONS));
    for title in headings {
        *page += &format!("\n**{title}**\n\n");
        for arg in args.iter().filter(|arg| heading(arg) == title) {
            *page += &item(arg);
        }
    }
    if !inner.is_empty() {
        *page += "\n**Commands**\n\n";
        for inner in &inner {
            let path = format!("{path} {}", inner.get_name());
            let anchor = path.replace(' ', "-");
            *page += &format!("* [`{path}`](#{anchor}): {}\n", sentence(&about(inner)));
        }
    }
    let examples = help::examples(path);
    if !examples.is_empty() {
        *page += &format!("\n**Examples**\n\n```sh\n{}\n```\n", examples.join("\n"));
    }
    for inner in inner {
        section(page, &format!("{path} {}", inner.get_name()), inner);
    }
}

fn is_everywhere(arg: &Arg) -> bool {
    EVERYWHERE.contains(&arg.get_id().as_str())
}

fn heading(arg: &Arg) -> &str {
    match arg.get_help_heading() {
        Some(heading) => heading,
        None if arg.is_positional() => ARGUMENTS,
        None => OPTIONS,
    }
}

fn about(command: &Command) -> String {
    command.get_about().map(ToString::to_string).unwrap_or_default()
}

/// The line of one argument: its name and value, what it does, what it may be, and what it is if it is not given.
fn item(arg: &Arg) -> String {
    let short = arg.get_short().map(|short| format!("-{short}, ")).unwrap_or_default();
    let name = format!("{short}{arg}");
    let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
    let (help, told) = without_default(&help);
    let mut line = format!("* `{name}`: {}", sentence(&help));
    let values: Vec<String> =
        arg.get_possible_values().iter().map(|value| format!("`{}`", value.get_name())).collect();
    let flag = matches!(arg.get_action(), ArgAction::SetTrue | ArgAction::Count);
    if !values.is_empty() && !flag && !arg.is_hide_possible_values_set() {
        line += &format!(" One of {}.", values.join(", "));
    }
    let aliases = arg.get_visible_aliases().unwrap_or_default();
    for alias in aliases {
        line += &format!(" Also called `--{alias}`.");
    }
    let default: Vec<String> =
        arg.get_default_values().iter().map(|value| format!("`{}`", value.to_string_lossy())).collect();
    if let Some(told) = told {
        line += &format!(" Default: {}.", prose(&told));
    } else if !default.is_empty() && !flag {
        line += &format!(" Default: {}.", default.join(", "));
    }
    line + "\n"
}

/// A help text without its `[default: …]`, and what stands there.
fn without_default(help: &str) -> (String, Option<String>) {
    let parts =
        help.split_once(" [default: ").and_then(|(before, rest)| Some((before, rest.split_once(']')?)));
    match parts {
        Some((before, (told, after))) => (format!("{before}{after}"), Some(told.to_owned())),
        None => (help.to_owned(), None),
    }
}

/// A help text as a whole sentence.
fn sentence(text: &str) -> String {
    let text = prose(text);
    if text.ends_with(['.', '!', '?']) { text } else { text + "." }
}

/// A help text as Markdown: flags are code, and no letter means more than itself.
fn prose(text: &str) -> String {
    let mut parts = Vec::new();
    for (number, part) in text.split('`').enumerate() {
        if number % 2 == 1 {
            parts.push(part.to_owned());
            continue;
        }
        let words: Vec<String> = part.split(' ').map(word).collect();
        parts.push(words.join(" "));
    }
    parts.join("`")
}

fn word(word: &str) -> String {
    let first = word.find(|letter| letter != '(').unwrap_or(word.len());
    let (before, rest) = word.split_at(first);
    let end = rest.trim_end_matches([',', '.', ';', ':', ')', '?']).len();
    let (flag, after) = rest.split_at(end);
    if flag.len() > 1 && flag.starts_with('-') {
        return format!("{before}`{flag}`{after}");
    }
    let mut escaped = String::new();
    for letter in word.chars() {
        if "<>*_[]|\\".contains(letter) {
            escaped.push('\\');
        }
        escaped.push(letter);
    }
    escaped
}

/// `UPDATE_SNAPSHOT=1 cargo test --lib the_reference` makes the page anew.
#[test]
fn the_reference_is_what_the_help_says() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/reference/commands.md");
    let page = page();
    if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&path, &page).expect("the page is written");
    }
    let entries = page.lines().filter(|line| line.starts_with("* `")).count();
    assert!(entries <= MOST, "{entries} options and arguments, expected at most {MOST}");
    let known = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        known == page,
        "docs/reference/commands.md is not what the help says; make it anew with\n\
         UPDATE_SNAPSHOT=1 cargo test --lib the_reference"
    );
}

#[test]
fn help_texts_are_escaped_and_flags_are_code() {
    assert_eq!(
        prose("With --png: a <b> (-vv) `MAXOUT_RUNS` a_b"),
        "With `--png`: a \\<b\\> (`-vv`) `MAXOUT_RUNS` a\\_b"
    );
    let (help, told) = without_default("Threads [default: one per core]; one is enough");
    assert_eq!((help.as_str(), told.as_deref()), ("Threads; one is enough", Some("one per core")));
    assert_eq!(sentence("Ends here"), "Ends here.");
    assert_eq!(sentence("- for stdout"), "- for stdout.");
}
