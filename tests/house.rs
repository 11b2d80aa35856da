//! The house itself: each public type has a name of its own, and no file or function is too long to take in.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// Most lines of a file.
const FILE: usize = 500;
/// Most lines of a function.
const FUNCTION: usize = 80;

/// All Rust files under `folder`, in order, each with its text.
fn sources(folder: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            // What cargo builds or unpacks is not ours.
            if !path.ends_with("target") {
                found.extend(sources(&path));
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            found.push((path, text));
        }
    }
    found.sort();
    found
}

/// The Rust files of the program, its crates, tests and examples, named from the root of the repository with `/`.
fn all() -> Vec<(String, String)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["benches", "crates", "examples", "src", "tests"];
    let files = folders.iter().flat_map(|folder| sources(&root.join(folder)));
    let name = |path: &Path| {
        let parts = path.strip_prefix(root).expect("under the root").components();
        parts.map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    let files: Vec<_> = files.map(|(path, text)| (name(&path), text)).collect();
    assert!(files.len() > 100, "{} files", files.len());
    files
}

/// The name of the public type that a line defines.
fn public_type(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix("pub ")?;
    let name = ["struct ", "enum ", "trait ", "type "].iter().find_map(|kind| rest.strip_prefix(kind))?;
    name.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()
}

#[test]
fn every_public_type_has_a_name_of_its_own() {
    let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (file, text) in all() {
        // What stands in for a module that is left out of a build has that module's names.
        let stands_in = file.ends_with("/absent.rs");
        if stands_in || !file.starts_with("src/") && !file.contains("/src/") {
            continue;
        }
        // Types of unit tests, which come last in a file, are nobody else's.
        let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
        for name in code.lines().filter_map(public_type) {
            places.entry(name.to_owned()).or_default().push(file.clone());
        }
    }
    assert!(places.len() > 200, "{} names", places.len());
    places.retain(|_, files| files.len() > 1);
    assert!(places.is_empty(), "expected one public type of each name: {places:#?}");
}

#[test]
fn no_file_is_too_long() {
    let files = all().into_iter().map(|(file, text)| (file, text.lines().count()));
    let long: Vec<_> = files.filter(|(_, lines)| *lines > FILE).collect();
    assert!(long.is_empty(), "expected at most {FILE} lines: {long:#?}");
}

/// The name of the function whose head a line begins, and how far the line is indented.
fn function(line: &str) -> Option<(&str, usize)> {
    let code = line.trim_start();
    let words: Vec<&str> = code.split(' ').collect();
    let at = words.iter().position(|word| *word == "fn")?;
    let qualifiers = ["async", "const", "pub", "pub(crate)", "pub(super)", "unsafe"];
    let is_head = words[..at].iter().all(|word| qualifiers.contains(word) || word.starts_with("pub(in"));
    let name = words.get(at + 1)?.split(|letter: char| !letter.is_alphanumeric() && letter != '_').next()?;
    is_head.then_some((name, line.len() - code.len()))
}

/// How many lines the function takes whose head is the first of `lines`. Its end is the brace under its beginning, as
/// rustfmt sets it.
fn length(lines: &[&str], indent: usize) -> usize {
    let body = lines.iter().position(|line| line.ends_with(['{', '}', ';'])).unwrap_or(0);
    if !lines[body].ends_with('{') {
        return body + 1;
    }
    let end = format!("{}}}", " ".repeat(indent));
    body + lines[body..].iter().position(|line| *line == end).unwrap_or(0) + 1
}

#[test]
fn no_function_is_too_long() {
    let (mut long, mut count) = (Vec::new(), 0);
    for (file, text) in all() {
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let Some((name, indent)) = function(line) else { continue };
            count += 1;
            let length = length(&lines[at..], indent);
            if length > FUNCTION {
                long.push(format!("{file}:{}: {name}, {length} lines", at + 1));
            }
        }
    }
    assert!(count > 1_000, "{count} functions");
    assert!(long.is_empty(), "expected at most {FUNCTION} lines: {long:#?}");
}

#[test]
fn the_scan_sees_names_and_lengths() {
    assert_eq!(public_type("    pub struct Cell<T>(T);"), Some("Cell"));
    assert_eq!(public_type("pub(crate) struct Cell;"), None);
    assert_eq!(function("    pub(super) const fn of<T>("), Some(("of", 4)));
    assert_eq!(function("    // A fn of two"), None);
    assert_eq!(length(&["fn a(", "    b: u8,", ") {", "    if c {", "    }", "}", "}"], 0), 6);
    assert_eq!((length(&["fn a();"], 0), length(&["fn a() {}"], 0)), (1, 1));
}
