//! What the program makes for installing: manual pages and completion scripts.

use std::fs;
use std::io;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

fn maxout(args: &[&str], folder: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.args(args).current_dir(folder).env_remove("RUST_LOG").output().expect("maxout starts")
}

/// Bad input: exit code 2, nothing on stdout, and this one line on stderr.
fn refused(args: &[&str], folder: &Path, line: &str) {
    let Output { status, stdout, stderr } = maxout(args, folder);
    let said = String::from_utf8(stderr).expect("text");
    assert_eq!((status.code(), stdout.len()), (Some(2), 0), "{args:?}: {said}");
    assert_eq!(said, format!("{line}\n"), "{args:?}");
}

#[test]
fn manual_pages_go_into_a_folder_that_need_not_exist() {
    let folder = TempDir::new().expect("a folder");
    let output = maxout(&["man", "share/man1"], folder.path());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<String> = fs::read_dir(folder.path().join("share/man1"))
        .expect("a folder")
        .map(|file| file.expect("a file").file_name().into_string().expect("text"))
        .collect();
    names.sort_unstable();
    let told = format!("share/man1: {} manual pages\n", names.len());
    assert_eq!(String::from_utf8(output.stdout).expect("text"), told);
    assert!(names.iter().all(|name| name.starts_with("maxout") && name.ends_with(".1")), "{names:?}");
    for name in ["maxout.1", "maxout-play.1", "maxout-runs.1", "maxout-runs-list.1", "maxout-man.1"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    // A page is written over, as every output is.
    assert!(maxout(&["man", "share/man1"], folder.path()).status.success());
}

#[test]
fn a_folder_that_cannot_be_is_refused() {
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("file"), "").expect("a file");
    fs::create_dir_all(folder.path().join("pages/maxout.1")).expect("a folder");
    refused(&["man"], folder.path(), "maxout man: expected <DIR> (maxout man --help has examples)");
    refused(&["man", "file"], folder.path(), "maxout man: file: is a file, expected a folder");
    refused(
        &["man", "-"],
        folder.path(),
        "maxout man: -: is stdout, expected a folder (./- is one of that name)",
    );
    let line = "maxout man: pages/maxout.1: is a folder, expected a file";
    refused(&["man", "pages"], folder.path(), line);
}

#[test]
fn completions_are_for_known_shells() {
    let folder = TempDir::new().expect("a folder");
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let output = maxout(&["completions", shell], folder.path());
        assert!(output.status.success() && output.stderr.is_empty(), "{shell}");
        assert!(String::from_utf8(output.stdout).expect("text").contains("completions"), "{shell}");
    }
    refused(
        &["completions", "4dos"],
        folder.path(),
        "maxout completions: 4dos: expected one of bash, elvish, fish, powershell, zsh",
    );
    refused(
        &["completions"],
        folder.path(),
        "maxout completions: expected <SHELL> (maxout completions --help has examples)",
    );
}

/// Whether a program is there; if not, the test says what it leaves out.
fn has(program: &str) -> bool {
    let found = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    let missing = matches!(&found, Err(error) if error.kind() == io::ErrorKind::NotFound);
    if missing {
        crate::skipped(&format!("{program} is not installed"));
    }
    !missing
}

#[test]
fn shells_can_read_their_scripts() {
    let folder = TempDir::new().expect("a folder");
    for shell in ["bash", "zsh", "fish"].into_iter().filter(|shell| has(shell)) {
        let script = folder.path().join(shell);
        fs::write(&script, maxout(&["completions", shell], folder.path()).stdout).expect("a script");
        let read = Command::new(shell).arg("-n").arg(&script).output().expect("the shell starts");
        assert!(
            read.status.success() && read.stderr.is_empty(),
            "{shell}: {}",
            String::from_utf8_lossy(&read.stderr)
        );
    }
}

#[test]
fn groff_finds_nothing_wrong_with_the_pages() {
    if !has("groff") {
        return;
    }
    let folder = TempDir::new().expect("a folder");
    assert!(maxout(&["man", "pages"], folder.path()).status.success());
    for file in fs::read_dir(folder.path().join("pages")).expect("a folder") {
        let file = file.expect("a page").path();
        let set = Command::new("groff").args(["-Kutf8", "-man", "-ww", "-Tutf8"]).arg(&file).output();
        let set = set.expect("groff starts");
        let said = String::from_utf8_lossy(&set.stderr);
        assert!(set.status.success() && said.is_empty(), "{}: {said}", file.display());
        let page = String::from_utf8_lossy(&set.stdout);
        assert!(page.contains("the answer is no"), "{}: {page}", file.display());
    }
}
