//! Every flag of every command of a program that names a file to write, against every kind of file that it may name. The program's own
//! module `outputs` says which commands these are.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::OnceLock;
use std::thread;

use tempfile::TempDir;

use super::{PROGRAM, outputs as subject};

/// A command with the flags that name its files.
pub(super) struct Case {
    pub(super) args: Vec<String>,
    pub(super) flags: Vec<&'static str>,
    /// Exit code when all goes well.
    pub(super) code: i32,
    /// What the flags write into ordinary files.
    pub(super) plain: OnceLock<Vec<Vec<u8>>>,
}

impl Case {
    pub(super) fn new(args: &str, flags: &'static str) -> Self {
        let args = args.split(' ').map(|arg| arg.replace("SCENE", &subject::scene().display().to_string()));
        Self { args: args.collect(), flags: words(flags), code: 0, plain: OnceLock::new() }
    }

    /// The same with these files, one for each flag from the first.
    pub(super) fn with(&self, files: &[PathBuf]) -> Command {
        let mut command = maxout();
        command.arg("-q").args(&self.args);
        for (flag, file) in self.flags.iter().zip(files) {
            command.arg(flag).arg(file);
        }
        command
    }

    /// The same with one flag alone.
    pub(super) fn with_one(&self, flag: &str, file: impl AsRef<Path>) -> Command {
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

    pub(super) fn done(&self, mut command: Command) -> Output {
        let output = command.output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(self.code), "{command:?}: {said}");
        output
    }

    pub(super) fn refused(mut command: Command, culprit: &str) {
        let output = command.output().expect("maxout starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{command:?}: {said}");
        assert_eq!((said.lines().count(), output.stdout.len()), (1, 0), "{command:?}: {said}");
        assert!(said.contains(culprit), "{command:?}: expected {culprit:?} in {said}");
    }
}

pub(super) fn words(text: &'static str) -> Vec<&'static str> {
    text.split(' ').collect()
}

fn contents(files: &[PathBuf]) -> Vec<Vec<u8>> {
    files.iter().map(|file| fs::read(file).unwrap_or_else(|e| panic!("{}: {e}", file.display()))).collect()
}

pub(super) fn maxout() -> Command {
    let mut command = Command::new(PROGRAM);
    command
        .env_remove("RUST_LOG")
        .env("MAXOUT_RUNS", subject::scene().join("runs"))
        .current_dir(subject::scene());
    command
}

/// All commands that end soon, each with all of its flags for files.
pub(super) fn cases() -> &'static [Case] {
    static CASES: OnceLock<Vec<Case>> = OnceLock::new();
    CASES.get_or_init(subject::make_cases)
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn written_files_are_named_with_their_sizes_after_the_answer() {
    // Of a fuzz, the answer has the command that plays the buttons in the file.
    for case in cases().iter().filter(|case| case.args[0] != "fuzz") {
        let some = ["--movie", "--html", "--json", "--output"];
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
        shell
            .args(inner.get_args())
            .env("MAXOUT_RUNS", subject::scene().join("runs"))
            .current_dir(subject::scene());
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
    fs::copy(subject::scene().join("runs/library.sqlite"), &library).expect("a library");
    symlink(&library, &link).expect("a link");
    let before = fs::read(&library).expect("there");
    let slow = subject::slow_cases();
    for case in slow.iter().chain(cases()) {
        for flag in &case.flags {
            Case::refused(case.with_one(flag, &link), "run library");
            // The ending of the name tells these flags more.
            let by_ending = ["--video", "--movie", "--sheet"].contains(flag);
            let culprit = if by_ending { "expected" } else { "run library" };
            Case::refused(case.with_one(flag, &library), culprit);
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
    for case in subject::folder_cases() {
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
