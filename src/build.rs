//! Tells the program which commit and features it is made of, for `maxout --version`.

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    let mut features: Vec<String> = env::vars()
        .filter_map(|(name, _)| Some(name.strip_prefix("CARGO_FEATURE_")?.to_lowercase().replace('_', "-")))
        .filter(|feature| feature != "default")
        .collect();
    features.sort();
    let features = if features.is_empty() { "none".to_owned() } else { features.join(" ") };
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    println!("cargo:rustc-env=MAXOUT_VERSION={version} (commit {commit}, features: {features})");
}

/// The first seven digits of the commit, if these files are a git repository or were packed from one. A build for
/// development has none: it is of changed files as a rule, and need not be repeated after every commit.
fn commit() -> Option<String> {
    if env::var("PROFILE").ok()? != "release" {
        return None;
    }
    let packed = ".cargo_vcs_info.json";
    let hash = if Path::new(packed).exists() {
        watch(packed);
        fs::read_to_string(packed).ok()?.split_once("\"sha1\": \"")?.1.to_owned()
    } else if Path::new(".git").exists() {
        let reference = git(&["symbolic-ref", "--quiet", "HEAD"]);
        for name in ["HEAD", "packed-refs"].into_iter().chain(reference.as_deref()) {
            if let Some(path) = git(&["rev-parse", "--git-path", name]) {
                watch(&path);
            }
        }
        git(&["rev-parse", "HEAD"])?
    } else {
        return None;
    };
    hash.get(..7).map(ToOwned::to_owned)
}

/// Builds again when this file changes. One that does not exist would make every build a new one.
fn watch(path: &str) {
    if Path::new(path).exists() {
        println!("cargo:rerun-if-changed={path}");
    }
}

/// What git answers, if it is there and content.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    let answer = text.trim();
    (output.status.success() && !answer.is_empty()).then(|| answer.to_owned())
}
