//! `maxout report`: one HTML file that shows runs.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde_json::json;

use crate::cli::args::{library::LibraryArgs, source::Source, values::whole};
use crate::cli::output::progress::Progress;
use crate::cli::output::{self, Outputs};
use crate::export::html::{self, PageOptions, PageRun};
use crate::library::open_run;
use crate::library::timeline::to_json;
use crate::words::count;
use maxout_record::run::timeline;

/// `maxout report`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Numbers of runs in the library, or folders of runs (or their run.json)
    #[arg(required = true, value_name = "RUN")]
    run: Vec<PathBuf>,
    #[command(flatten)]
    library: LibraryArgs,
    /// Where to write the page [default: report.html; no page with --timeline-json]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Points at level 29 of the pace that scores are compared with
    #[arg(long, default_value_t = PageOptions::default().target, value_name = "POINTS",
        value_parser = whole::<u64>(1..=100_000_000))]
    target: u64,
    /// Write every placement of every run as JSON to this file; a page is then written only if --output says where
    #[arg(long, value_name = "FILE")]
    timeline_json: Option<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let page = match (&args.output, &args.timeline_json) {
        (Some(file), _) => Some(file.as_path()),
        (None, None) => Some(Path::new("report.html")),
        // A page that nobody asked for could replace another one.
        (None, Some(_)) => None,
    };
    Outputs::check([("--output", page), ("--timeline-json", args.timeline_json.as_deref())])?
        .apart_from(args.run.iter().chain(&args.library.folder().ok()))?;
    let bar = Progress::new(args.run.len() as u64, "runs");
    let mut runs = Vec::new();
    let mut placements = Vec::new();
    args.run.iter().try_for_each(|path| Source::of_run(path, "the number of a run, or its folder"))?;
    for path in &args.run {
        let (record, log) = open_run(path.as_os_str(), args.library.dir()?)?;
        let context = || path.display().to_string();
        if args.timeline_json.is_some() {
            let placed = to_json(&timeline(&record, &log).with_context(context)?);
            placements.push(json!({ "record": record, "timeline": placed }));
        }
        if page.is_some() {
            runs.push(PageRun::new(record, log).with_context(context)?);
        }
        bar.inc(1);
    }
    bar.finish();
    if let Some(file) = &args.timeline_json {
        let text = serde_json::to_string(&placements)? + "\n";
        output::write("--timeline-json", file, text.as_bytes())?;
    }
    if let Some(file) = page {
        let options = PageOptions { target: args.target, ..PageOptions::default() };
        write("--output", file, &runs, &options)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the page.
pub(crate) fn write(flag: &str, file: &Path, runs: &[PageRun], options: &PageOptions) -> anyhow::Result<()> {
    let page = html::render(runs, options)?;
    output::write_as(flag, file, page.as_bytes(), Some(count(runs.len() as u64, "run")))
}
