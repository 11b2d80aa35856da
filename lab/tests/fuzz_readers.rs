//! Made-up files for everything that reads: in this process with bounds on memory and time, and a part of them through
//! the program, with bounds on what it says and its exit code.

use std::fs;
use std::ops::Range;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use assert_cmd::Command;
use maxout_lab::fuzz::readers::{READERS, ReaderCounts};
use peak_alloc::PeakAlloc;
use tempfile::TempDir;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;
/// One test at a time, so that what it holds can be told.
static ALONE: Mutex<()> = Mutex::new(());

/// Address space with which every command that reads a file works, in KiB (docs/reference/formats.md).
const FLOOR: u32 = 512 << 10;
/// Most bytes that a reader may hold.
const MOST: usize = 300 << 20;
#[test]
fn changed_files_for_each_reader_are_read_or_refused_in_bounds() {
    in_bounds(200);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn three_thousand_changed_files_for_each_reader_are_read_or_refused_in_bounds() {
    in_bounds(3_000);
}

/// Gives each reader this many changed files.
fn in_bounds(files: u64) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = TempDir::new().expect("a folder");
    for reader in &READERS {
        let seeds = reader.seeds();
        let mut counts = ReaderCounts::default();
        let (before, begun) = (MEMORY.current_usage(), std::time::Instant::now());
        MEMORY.reset_peak_usage();
        for number in 0..files {
            if let Err(finding) = reader.fuzz(&seeds, number, folder.path(), &mut counts) {
                panic!("{}: file {number}: {}: {:?}", reader.name, finding.fault, finding.fault);
            }
        }
        let held = MEMORY.peak_usage().saturating_sub(before);
        println!("{:<20} {counts:?}, at most {} KB, {:.1?}", reader.name, held / 1000, begun.elapsed());
        assert!(held < MOST, "{}: {held} bytes", reader.name);
        assert_eq!(counts.read + counts.refused, files);
        // Of a learning curve the bad lines are left out.
        assert!(
            counts.refused > files / 20 || reader.name == "learning curve",
            "{}: {counts:?}",
            reader.name
        );
    }
}

/// The program that has the command of `args`, with as little memory as it must do with: the laboratory, or the program that was
/// built beside it. None, and a word on stderr, if that was not built.
fn program(args: &str) -> Option<Command> {
    let lab = Path::new(env!("CARGO_BIN_EXE_maxout-lab"));
    let is_ours = ["fuzz ", "sim ", "train "].iter().any(|command| args.starts_with(command));
    let program = if is_ours { lab.to_owned() } else { lab.with_file_name("maxout") };
    if !program.exists() {
        let why = format!("{} is not there: cargo build --release makes it", program.display());
        assert!(std::env::var_os("MAXOUT_STRICT").is_none(), "MAXOUT_STRICT is set, and {why}");
        eprintln!("skipped: {why}");
        return None;
    }
    if cfg!(not(target_os = "linux")) {
        return Some(Command::new(program));
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("ulimit -v {FLOOR}; exec \"$0\" \"$@\"")]).arg(program);
    Some(command)
}

/// Runs the program on a changed file: exit code 0, 1 or 2, and one short line on stderr if it refuses it.
fn runs(folder: &Path, name: &str, args: &str, bytes: &[u8]) {
    fs::write(folder.join(name), bytes).expect("a file");
    let Some(mut command) = program(args) else { return };
    command.env_remove("RUST_LOG").current_dir(folder).args(args.split_whitespace());
    let output = command.timeout(Duration::from_secs(60)).output().expect("it ends");
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    let code = output.status.code();
    assert!(code.is_some_and(|code| code <= 2), "{args}: {code:?}, {stderr}");
    let lines = stderr.lines().count();
    assert!(lines == 1 || code != Some(2) && lines <= 3, "{args}: {code:?}, {stderr}");
    let fits = |line: &str| line.starts_with("maxout") && line.chars().count() <= 520;
    assert!(
        stderr.lines().all(fits) && !stderr.contains(|c: char| c.is_control() && c != '\n'),
        "{stderr:?}"
    );
}

#[test]
fn the_program_answers_changed_files_in_one_line_and_with_an_exit_code() {
    one_line(0..5);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_program_answers_more_changed_files_in_one_line_and_with_an_exit_code() {
    one_line(5..25);
}

/// Gives the program these changed files of each kind.
fn one_line(numbers: Range<u64>) {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let sim = "sim --player meatfighter2014 --games 1 --no-gravity --limit 20";
    for (kind, name, args) in [
        ("fm2", "x.fm2", "replay x.fm2"),
        ("bk2", "x.bk2", "replay x.bk2"),
        ("trace", "x.csv", "conform x.csv"),
        ("packed trace", "x.csv.gz", "conform x.csv.gz"),
        ("buttons.txt", "x.txt", "fuzz --replay x.txt"),
        ("shard", "x.json", "merge x.json"),
        ("terms", "terms.txt", "sim --player plateau17 --games 1 --stop lines:1 --terms terms.txt"),
        ("weights", "x.bin", "sim --player maxout-fast --games 1 --stop lines:1 --weights x.bin"),
        ("boards", "board.txt", "analyze board.txt --piece T"),
        ("picture", "x.png", &format!("{sim} --filter pattern:x.png")),
        ("library", "library.sqlite", "runs list --runs ."),
        ("cartridge", "x.nes", "rom x.nes"),
    ] {
        let reader = READERS.iter().find(|reader| reader.name == kind).expect(kind);
        let seeds = reader.seeds();
        for number in numbers.clone() {
            runs(folder, name, args, &reader.file(&seeds, number));
        }
    }
    // What a schedule makes train would take long: those that are refused are enough.
    let reader = READERS.iter().find(|reader| reader.name == "schedule").expect("schedule");
    let seeds = reader.seeds();
    let refused = |file: &Vec<u8>| reader.read(file, folder).is_ok_and(|told| told.is_some());
    for file in (2 * numbers.start..2 * numbers.end).map(|number| reader.file(&seeds, number)).filter(refused)
    {
        runs(folder, "x.toml", "train td --schedule x.toml --dir td", &file);
    }
}

/// What coverage-guided fuzzing (.ci/guided) found to be worth keeping.
#[test]
fn files_that_guided_fuzzing_found_are_read_or_refused_in_bounds() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = TempDir::new().expect("a folder");
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/fuzz/corpus");
    let mut files = 0;
    for reader in &READERS {
        let names = fs::read_dir(corpus.join(reader.name.replace(' ', "-")));
        for file in names.into_iter().flatten() {
            let path = file.expect("an entry").path();
            let (bytes, before) = (fs::read(&path).expect("a file"), MEMORY.current_usage());
            MEMORY.reset_peak_usage();
            let read = reader.read(&bytes, folder.path());
            assert!(read.is_ok(), "{}: {read:?}", path.display());
            assert!(MEMORY.peak_usage().saturating_sub(before) < MOST, "{}", path.display());
            files += 1;
        }
    }
    assert!(files > 200, "{files}");
}
