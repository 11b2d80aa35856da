//! `maxout man`: a manual page of the program, and one of each command.

use std::io;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::Command;
use clap_mangen::Man;
use clap_mangen::roff::{Roff, bold, roman};

use crate::cli::help;
use crate::cli::output::answer;
use crate::files;
use crate::words::count;

/// `maxout man`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folder for the pages. It is created if it does not exist
    dir: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(args: &Args, command: Command) -> anyhow::Result<ExitCode> {
    let folder = &args.dir;
    files::prepare_folder(folder).with_context(|| folder.display().to_string())?;
    let pages = pages(command)?;
    for Page { name, text } in &pages {
        let file = folder.join(name);
        files::write(&file, text).with_context(|| file.display().to_string())?;
    }
    answer(&format!("{}: {}", folder.display(), count(pages.len() as u64, "manual page")))?;
    Ok(ExitCode::SUCCESS)
}

/// A manual page in the making.
struct Page {
    /// Name of the file, as `maxout-runs-list.1`.
    name: String,
    /// The page in the language of roff.
    text: Vec<u8>,
}

/// The page of the program and those of all its commands. They name no commit and no day: equal programs have equal pages.
fn pages(command: Command) -> io::Result<Vec<Page>> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    let mut pages = Vec::new();
    let mut failed = Ok(());
    help::every_command(&command, &mut |path, command| match page(path, command) {
        Ok(page) => pages.push(page),
        Err(error) => failed = Err(error),
    });
    failed.map(|()| pages)
}

/// The page of the command that is called as `path`.
fn page(path: &str, command: &Command) -> io::Result<Page> {
    // The page of the program has the flags of all commands.
    let is_program = !path.contains(' ');
    let own = command.clone().mut_args(|arg| {
        let everywhere = help::EVERYWHERE.contains(&arg.get_id().as_str());
        if everywhere && !is_program { arg.hide(true) } else { arg }
    });
    let man = Man::new(own.subcommand_help_heading("COMMANDS").subcommand_value_name("command"))
        .source(concat!("maxout ", env!("CARGO_PKG_VERSION")))
        .manual("maxout manual")
        // No day, but its place: what follows would take it.
        .date("\"\"");
    let mut text = Vec::new();
    man.render_title(&mut text)?;
    man.render_name_section(&mut text)?;
    man.render_synopsis_section(&mut text)?;
    man.render_description_section(&mut text)?;
    man.render_options_section(&mut text)?;
    if command.has_subcommands() {
        man.render_subcommands_section(&mut text)?;
    }
    let mut rest = Roff::new();
    examples(&mut rest, path);
    exit_status(&mut rest);
    see_also(&mut rest, path);
    rest.to_writer(&mut text)?;
    Ok(Page { name: man.get_filename(), text })
}

fn examples(page: &mut Roff, path: &str) {
    let examples = help::examples(path);
    if !examples.is_empty() {
        page.control("SH", ["EXAMPLES"]);
        page.control("EX", []);
        for example in examples {
            page.text([roman(example)]);
        }
        page.control("EE", []);
    }
}

fn exit_status(page: &mut Roff) {
    page.control("SH", ["EXIT STATUS"]);
    for (code, meaning) in help::EXIT_CODES {
        page.control("TP", []);
        page.text([bold(code.to_string())]);
        page.text([roman(meaning)]);
    }
}

/// Names the pages of the command above, if there is one, and of the program, which has the flags of all commands.
fn see_also(page: &mut Roff, path: &str) {
    let Some((above, _)) = path.rsplit_once(' ') else { return };
    page.control("SH", ["SEE ALSO"]);
    if above != "maxout" {
        page.text([bold(above.replace(' ', "-")), roman("(1)")]);
        page.control("br", []);
    }
    page.text([
        bold("maxout"),
        roman("(1), with the options of every command: --quiet, --verbose and --color"),
    ]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_a_page_with_its_flags_and_examples() {
        let command = crate::cli::program::command();
        let pages = pages(command.clone()).expect("pages");
        let mut commands = 0;
        help::every_command(&command, &mut |path, command| {
            let name = path.replace(' ', "-") + ".1";
            let page = pages.iter().find(|page| page.name == name).unwrap_or_else(|| panic!("no {name}"));
            let text = String::from_utf8(page.text.clone())
                .expect("text")
                .replace("\\-", "-")
                .replace("\\*(Aq", "'");
            for arg in command.get_arguments() {
                let Some(flag) = arg.get_long() else { continue };
                let everywhere = help::EVERYWHERE.contains(&arg.get_id().as_str());
                // A flag of its own begins a paragraph; the others are told of on the page of the program.
                let own = text.contains(&format!("--{flag}\\fR"));
                assert_eq!(own, !everywhere || path == "maxout", "{name}: {flag}: {text}");
            }
            for example in help::examples(path) {
                assert!(text.contains(example), "{name}: {example}");
            }
            assert!(
                text.lines().any(|line| line.starts_with(".TH maxout") && line.contains(" 1 \"\" \"maxout ")),
                "{name}"
            );
            assert!(!text.contains('\u{1b}'), "{name}");
            commands += 1;
        });
        assert_eq!(pages.len(), commands);
    }
}
