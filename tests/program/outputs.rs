//! Every flag of every command that names a file to write, against every kind of file that it may name.
#![cfg(unix)]

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

use maxout_host::TEST_CARTRIDGE;
use tempfile::TempDir;

/// A command with the flags that name its files.
struct Case {
    args: Vec<String>,
    flags: Vec<&'static str>,
    /// Exit code when all goes well.
    code: i32,
    /// What the flags write into ordinary files.
    plain: OnceLock<Vec<Vec<u8>>>,
}

impl Case {
    fn new(args: &str, flags: &'static str) -> Self {
        let args = args.split(' ').map(|arg| arg.replace("SCENE", &scene().display().to_string()));
        Self { args: args.collect(), flags: words(flags), code: 0, plain: OnceLock::new() }
    }

    /// The same with these files, one for each flag from the first.
    fn with(&self, files: &[PathBuf]) -> Command {
        let mut command = maxout();
        command.arg("-q").args(&self.args);
        for (flag, file) in self.flags.iter().zip(files) {
            command.arg(flag).arg(file);
        }
        command
    }

    /// The same with one flag alone.
    fn with_one(&self, flag: &str, file: impl AsRef<Path>) -> Command {
        let mut command = maxout();
        command.arg("-q").args(&self.args).arg(flag).arg(file.as_ref());
        command
    }

    /// A file in `folder` for each flag.
    fn files(&self, folder: &Path) -> Vec<PathBuf> {
        self.flags.iter().map(|flag| folder.join(flag.trim_start_matches('-'))).collect()
    }

    /// What the flags write into ordinary files.
    fn plain(&self) -> &[Vec<u8>] {
        self.plain.get_or_init(|| {
            let folder = TempDir::new().expect("a folder");
            let files = self.files(folder.path());
            self.done(self.with(&files));
            contents(&files)
        })
    }

    fn done(&self, mut command: Command) -> Output {
        let output = command.output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(self.code), "{command:?}: {said}");
        output
    }

    fn refused(mut command: Command, culprit: &str) {
        let output = command.output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        assert_eq!((said.lines().count(), output.stdout.len()), (1, 0), "{command:?}: {said}");
        assert!(said.contains(culprit), "{command:?}: expected {culprit:?} in {said}");
    }
}

fn words(text: &'static str) -> Vec<&'static str> {
    text.split(' ').collect()
}

fn contents(files: &[PathBuf]) -> Vec<Vec<u8>> {
    files.iter().map(|file| fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))).collect()
}

fn maxout() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").env("MAXOUT_RUNS", scene().join("runs")).current_dir(scene());
    command
}

/// A folder with a run library, a shard, and a cartridge that does not play as the model does.
fn scene() -> &'static Path {
    static SCENE: OnceLock<PathBuf> = OnceLock::new();
    SCENE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        let sim = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
            command.args(["sim", "--player", "plateau17", "--seed", "5", "--stop", "lines:1"]).args(more);
            assert!(command.current_dir(&folder).output().expect("maxout starts").status.success());
        };
        sim(&["--runs", "runs"]);
        sim(&["--shard", "1/1", "--json", "shard.json"]);
        let mut image = TEST_CARTRIDGE.to_vec();
        let table = image.windows(4).position(|w| w == [0x30, 0x2B, 0x26, 0x21]).expect("the gravity table");
        image[table..table + 29].iter_mut().for_each(|speed| *speed += 1);
        fs::write(folder.join("slow.nes"), image).expect("a file");
        folder
    })
}

/// All commands that end soon, each with all of its flags for files.
fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(make_cases)
}

fn make_cases() -> Vec<Case> {
    let mut replay = "--gif --apng --sheet --html --fm2 --bk2 --champs --json".to_owned();
    if Command::new("ffmpeg").arg("-version").output().is_ok_and(|output| output.status.success()) {
        replay += " --mp4 --webm";
    } else {
        println!("skipped: videos, there is no ffmpeg here");
    }
    vec![
        Case::new("sim --player plateau17 --stop lines:1 --no-timings", "--json"),
        Case::new("play --player plateau17 --stop lines:1 --no-runs --no-timings", "--json"),
        Case::new("merge SCENE/shard.json --no-timings", "--json"),
        Case::new("stats rows --player el-tetris --games 1 --limit 200", "--json --svg --png"),
        Case::new("replay 1 --every 50", replay.leak()),
        Case::new(
            "limits --player plateau17 --taps 30hz --reaction 0 --games 1 --stop lines:1 --no-timings",
            "--json --svg",
        ),
        Case::new("rom", "--json"),
        Case::new("runs list", "--json"),
        Case::new("runs best", "--json"),
        Case::new("runs show 1", "--json"),
        Case::new("runs stats", "--json"),
        Case::new("runs verify 1 --model", "--json"),
        Case::new("runs export", "--output"),
        Case::new("runs export --format jsonl --logs", "-o"),
        Case::new("report 1", "--output --timeline-json"),
        Case { code: 1, ..Case::new("fuzz SCENE/slow.nes --allow-unknown --streams 9", "--output") },
    ]
}

/// Those that take long, and those that play without gravity, whose results hold times.
fn slow_cases() -> Vec<Case> {
    vec![
        Case::new("bench", "--json"),
        Case::new("sim --no-gravity --player packing --games 1000", "--json"),
        Case::new("sim --demo-loop --player packing --games 1000", "--json"),
        Case::new("sim --games 100000", "--json"),
        Case::new("play --games 1000 --no-runs", "--json"),
        Case::new("stats rows --games 10000", "--json --svg --png"),
        Case::new("limits", "--json --svg"),
        Case::new("fuzz --seconds 1000", "--output"),
    ]
}

#[test]
fn written_files_are_named_with_their_sizes_after_the_answer() {
    // Of a fuzz, the answer has the command that plays the buttons in the file.
    for case in cases().iter().filter(|case| case.args[0] != "fuzz") {
        let some = ["--gif", "--fm2", "--html", "--json", "--output"];
        let some = || some.into_iter().filter(|flag| case.flags.contains(flag));
        let folder = TempDir::new().expect("a folder");
        let mut command = maxout();
        command.arg("-q").args(&case.args);
        for flag in some() {
            command.arg(flag).arg(folder.path().join(flag));
        }
        let answer = String::from_utf8(case.done(command).stdout).expect("text");
        for flag in some() {
            let file = folder.path().join(flag);
            let kilobytes = fs::metadata(&file).expect("written").len().div_ceil(1000);
            let named = format!("{}: ", file.display());
            let line = answer.lines().find_map(|line| line.strip_prefix(&named));
            assert!(line.is_some_and(|line| line.contains(&format!("{kilobytes} KB"))), "{flag}: {answer}");
        }
    }
}

#[test]
fn a_folder_of_pictures_is_named_with_all_that_it_holds() {
    let folder = TempDir::new().expect("a folder");
    let frames = folder.path().join("frames");
    let mut command = maxout();
    let play = "play --player plateau17 --stop lines:1 --games 2 --no-runs --every 400 -q --png";
    let output = command.args(words(play)).arg(&frames).output().expect("maxout starts");
    let (mut pictures, mut bytes) = (0, 0);
    for game in fs::read_dir(&frames).expect("a folder for each game") {
        for picture in fs::read_dir(game.expect("listed").path()).expect("pictures") {
            pictures += 1;
            bytes += picture.expect("listed").metadata().expect("there").len();
        }
    }
    let named = format!("{}: {} KB, {pictures} pictures\n", frames.display(), bytes.div_ceil(1000));
    let answer = String::from_utf8_lossy(&output.stdout);
    assert!(pictures >= 2 && answer.ends_with(&named), "{named} is not at the end of {answer}");
}

#[test]
#[ignore = "runs every command for a quarter of a minute; .ci/run has it"]
fn every_flag_writes_to_stdout_alone_where_the_file_is_a_dash() {
    for case in cases() {
        for (flag, plain) in case.flags.iter().zip(case.plain()) {
            let output = case.done(case.with_one(flag, "-"));
            assert!(output.stdout == *plain, "{:?} {flag} -: {} bytes", case.args, output.stdout.len());
        }
    }
}

#[test]
#[ignore = "plays for a quarter of a minute; .ci/run has it"]
fn stdout_and_other_open_files_are_written_under_their_names() {
    for case in cases() {
        let (folder, plain) = (TempDir::new().expect("a folder"), case.plain());
        let flag = case.flags[0];
        let file = folder.path().join("redirected");
        let mut command = case.with_one(flag, "/dev/stdout");
        command.stdout(File::create(&file).expect("a file"));
        case.done(command);
        assert!(fs::read(&file).expect("written") == plain[0], "{:?} {flag} /dev/stdout >file", case.args);
        let piped = case.done(case.with_one(flag, "/dev/stdout")).stdout;
        assert!(piped == plain[0], "{:?} {flag} /dev/stdout | cat", case.args);
        // Descriptors from 13 on, which nobody else has.
        let files = case.files(folder.path());
        let numbers: Vec<usize> = (13..13 + files.len()).collect();
        let opened: String = numbers.iter().map(|n| format!("exec {n}>>\"${{F{n}}}\"; ")).collect();
        let mut shell = Command::new("bash");
        let names: Vec<PathBuf> = numbers.iter().map(|n| format!("/dev/fd/{n}").into()).collect();
        let inner = case.with(&names);
        shell.arg("-c").arg(format!("{opened} exec \"$0\" \"$@\"")).arg(inner.get_program());
        shell.args(inner.get_args()).env("MAXOUT_RUNS", scene().join("runs")).current_dir(scene());
        for (n, file) in numbers.iter().zip(&files) {
            shell.env(format!("F{n}"), file);
        }
        case.done(shell);
        assert!(contents(&files) == plain, "{:?} /dev/fd/N", case.args);
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn links_stay_links_and_files_keep_their_modes() {
    for case in cases() {
        let folder = TempDir::new().expect("a folder");
        let files = case.files(folder.path());
        let targets: Vec<PathBuf> = files.iter().map(|file| file.with_extension("target")).collect();
        for (file, target) in files.iter().zip(&targets) {
            symlink(target.file_name().expect("a name"), file).expect("a link");
        }
        // To nothing first, then to what that has made.
        for mode in [None, Some(0o640)] {
            if let Some(mode) = mode {
                for target in &targets {
                    fs::write(target, "old").expect("a file");
                    fs::set_permissions(target, Permissions::from_mode(mode)).expect("a mode");
                }
            }
            case.done(case.with(&files));
            assert!(contents(&targets) == case.plain(), "{:?}", case.args);
            assert!(files.iter().all(|file| file.is_symlink()), "{:?}", case.args);
            for target in &targets {
                let now = fs::metadata(target).expect("there").permissions().mode() & 0o777;
                assert!(mode.is_none_or(|mode| mode == now), "{}: {now:o}", target.display());
            }
        }
        assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 2 * files.len());
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn pipes_are_written_and_stay_pipes() {
    for case in cases() {
        let folder = TempDir::new().expect("a folder");
        let files = case.files(folder.path());
        assert!(Command::new("mkfifo").args(&files).status().expect("mkfifo").success());
        let read = |file: &PathBuf| {
            let file = file.clone();
            thread::spawn(move || fs::read(file).expect("readable"))
        };
        let readers: Vec<_> = files.iter().map(read).collect();
        case.done(case.with(&files));
        let got: Vec<Vec<u8>> = readers.into_iter().map(|reader| reader.join().expect("read")).collect();
        assert!(got == case.plain(), "{:?}", case.args);
        assert!(files.iter().all(|file| fs::metadata(file).expect("there").file_type().is_fifo()));
    }
}

#[test]
fn what_cannot_be_written_is_refused_before_any_work() {
    let folder = TempDir::new().expect("a folder");
    let link = folder.path().join("link");
    let library = folder.path().join("library.sqlite");
    fs::copy(scene().join("runs/library.sqlite"), &library).expect("a library");
    symlink(&library, &link).expect("a link");
    let before = fs::read(&library).expect("there");
    let slow = slow_cases();
    for case in slow.iter().chain(cases()) {
        for flag in &case.flags {
            Case::refused(case.with_one(flag, &link), "run library");
            Case::refused(case.with_one(flag, &library), "run library");
            Case::refused(case.with_one(flag, folder.path()), "is a folder");
            Case::refused(case.with_one(flag, folder.path().join("none/file")), "none does not exist");
            Case::refused(case.with_one(flag, folder.path().join("x".repeat(300))), "too long");
        }
        if case.flags.len() > 1 {
            let same = folder.path().join("same");
            let again = folder.path().join(".").join("same");
            let files: Vec<PathBuf> = (0..case.flags.len())
                .map(|n| if n % 2 == 0 { same.clone() } else { again.clone() })
                .collect();
            Case::refused(case.with(&files), "the file of");
            assert!(!same.exists());
            Case::refused(case.with(&["-".into(), "/dev/stdout".into()]), "the file of");
        }
    }
    assert!(before == fs::read(&library).expect("there"));
}

#[test]
fn folders_that_cannot_be_are_refused_before_any_work() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("file");
    fs::write(&file, "x").expect("a file");
    let commands = [
        Case::new("play --games 1000 --no-runs", "--png"),
        Case::new("play --games 1000", "--runs"),
        Case::new("sim --games 1000", "--runs"),
        Case::new("limits", "--dir"),
        Case::new("replay 1", "--png"),
        Case::new("runs export --format folder", "--output"),
        Case::new("train td", "--dir"),
        Case::new("train cnn", "--dir"),
        Case::new("train pso", "--dir"),
        Case::new("train cmaes", "--dir"),
    ];
    for case in commands {
        let flag = case.flags[0];
        Case::refused(case.with_one(flag, &file), "file");
        Case::refused(case.with_one(flag, folder.path().join("x".repeat(300))), "too long");
        Case::refused(case.with_one(flag, "-"), "stdout, expected a folder");
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn files_are_whole_though_nobody_reads_the_answer() {
    for case in cases() {
        let folder = TempDir::new().expect("a folder");
        let files = case.files(folder.path());
        let mut command = case.with(&files);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("maxout starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), &*said), (Some(case.code), ""), "{:?}", case.args);
        assert!(contents(&files) == case.plain(), "{:?}", case.args);
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn files_are_whole_though_the_answer_finds_no_room() {
    for case in cases() {
        let folder = TempDir::new().expect("a folder");
        let files = case.files(folder.path());
        let mut command = case.with(&files);
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = command.stdout(full).output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{:?}: {said}", case.args);
        assert!(said.contains("stdout"), "{:?}: {said}", case.args);
        assert!(contents(&files) == case.plain(), "{:?}", case.args);
    }
}

#[cfg(target_os = "linux")]
#[test]
fn the_answer_is_told_though_its_file_cannot_be_written() {
    for (args, told) in [
        ("rom", "sha1"),
        ("merge SCENE/shard.json", "plateau17"),
        ("runs list", "plateau17"),
        ("runs best", "plateau17"),
        ("runs show 1", "plateau17"),
        ("runs stats", "plateau17"),
        ("runs verify 1 --model", "1 of 1 run verified"),
        ("sim --player plateau17 --stop lines:1", "plateau17"),
        ("sim --no-gravity --player el-tetris --stop lines:3", "el-tetris"),
    ] {
        let mut command = Case::new(args, "--json").with_one("--json", "/dev/full");
        // Without progress, which begins after five seconds.
        let output = command.arg("-q").output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args}: {said}");
        assert!(said.contains("--json /dev/full: "), "{args}: {said}");
        assert!(String::from_utf8_lossy(&output.stdout).contains(told), "{args}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_export_that_finds_no_room_names_stdout() {
    for format in ["csv", "jsonl"] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let mut command = maxout();
        let output = command.args(["runs", "export", "--format", format]).stdout(full).output();
        let output = output.expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("maxout runs export: stdout: "), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn help_versions_and_the_address_of_a_server_that_find_no_room_name_stdout() {
    for args in ["--help", "-h", "--version", "play --help", "help runs list", "serve --port 0", "players"] {
        let full = File::options().write(true).open("/dev/full").expect("a full device");
        let output = maxout().args(args.split(' ')).stdout(full).output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!((output.status.code(), said.lines().count()), (Some(2), 1), "{args}: {said}");
        assert!(said.contains("stdout: "), "{args}: {said}");
    }
}

/// How to start a program that may not write into a folder of mode 555: as it is, or as nobody.
fn without_privilege(folder: &Path) -> Option<&'static [&'static str]> {
    let ways: [&[&str]; 2] = [&["env"], &["unshare", "-U", "env"]];
    let fits = |way: &&[&str]| {
        let test = |expression: &[&str]| {
            let mut command = Command::new(way[0]);
            command.args(&way[1..]).arg("test").args(expression).arg(folder);
            command.status().is_ok_and(|status| status.success())
        };
        test(&["-x"]) && test(&["!", "-w"])
    };
    ways.into_iter().find(fits)
}

#[test]
fn files_that_exist_are_written_in_a_folder_where_none_can_be_made() {
    let folder = TempDir::new().expect("a folder");
    let mode = |path: &Path, mode| fs::set_permissions(path, Permissions::from_mode(mode)).expect("a mode");
    let inside = folder.path().join("inside");
    fs::create_dir(&inside).expect("a folder");
    mode(folder.path(), 0o755);
    mode(&inside, 0o555);
    let Some(way) = without_privilege(&inside) else {
        println!("skipped: every folder can be written to, and unshare -U does not change that");
        return;
    };
    let start = |case: &Case, file: &Path| {
        let inner = case.with_one("--json", file);
        let mut command = Command::new(way[0]);
        command.args(&way[1..]).arg(inner.get_program()).args(inner.get_args());
        command
    };
    let case = &cases()[0];
    let file = inside.join("file");
    mode(&inside, 0o755);
    fs::write(&file, "older, and longer than what is to come ".repeat(1000)).expect("a file");
    mode(&file, 0o666);
    mode(&inside, 0o555);
    case.done(start(case, &file));
    assert!(fs::read(&file).expect("there") == case.plain()[0]);
    mode(&file, 0o444);
    Case::refused(start(case, &file), "Permission denied");
    Case::refused(start(case, &inside.join("new")), "Permission denied");
    mode(&inside, 0o755);
}

#[test]
fn a_library_that_is_a_link_is_made_and_used_where_it_leads() {
    let folder = TempDir::new().expect("a folder");
    let (runs, far) = (folder.path().join("runs"), folder.path().join("far"));
    fs::create_dir(&runs).expect("a folder");
    fs::create_dir(&far).expect("a folder");
    let link = runs.join("library.sqlite");
    symlink("../far/games.sqlite", &link).expect("a link");
    let case = Case::new("sim --player plateau17 --stop lines:1", "--runs");
    for games in [1, 2] {
        case.done(case.with(std::slice::from_ref(&runs)));
        assert!(link.is_symlink() && far.join("games.sqlite").is_file());
        let library = maxout::library::store::Library::open(&runs).expect("a library");
        assert_eq!(library.ids(None).expect("whole").len(), games);
    }
    assert_eq!(fs::read_dir(&far).expect("a folder").count(), 1);
}
