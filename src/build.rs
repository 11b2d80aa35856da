//! Tells the program which commit and features it is made of, for `maxout --version`. If the variable `MAXOUT_PAGE` names
//! a folder that `.ci/web FOLDER` has built, packs the page in it into the program, for `maxout serve --open`.

use std::env;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{self, Command};

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// The most files that a page may have, and the most bytes of all of them together.
const MAX_FILES: usize = 64;
const MAX_PAGE: u64 = 16 << 20;
/// The files that are left out, because the program contains the weights already.
const WEIGHTS: [&str; 2] = ["weights.bin", "plateau.bin"];

fn main() {
    println!("cargo:rerun-if-changed=src/build.rs");
    let commit = commit().unwrap_or_else(|| "unknown".to_owned());
    let version = env::var("CARGO_PKG_VERSION").unwrap_or_default();
    let packed = page().unwrap_or_else(|why| {
        eprintln!("MAXOUT_PAGE: {why}, expected the page as `.ci/web FOLDER` builds it");
        process::exit(1);
    });
    let page = if packed { ", with the page" } else { "" };
    println!("cargo:rustc-env=MAXOUT_VERSION={version} (commit {commit}{page})");
}

/// Packs the page that becomes part of the program, and writes the list of its files. Returns whether there is one.
fn page() -> Result<bool, String> {
    println!("cargo:rerun-if-env-changed=MAXOUT_PAGE");
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("no OUT_DIR")?);
    let wanted = env::var_os("MAXOUT_PAGE").filter(|folder| !folder.is_empty());
    let mut list = String::new();
    if let Some(folder) = &wanted {
        println!("cargo:rerun-if-changed={}", Path::new(folder).display());
        for (name, file) in files_of(Path::new(folder))? {
            println!("cargo:rerun-if-changed={}", file.display());
            let packed = out.join(format!("{name}.z"));
            pack(&file, &packed).map_err(|error| format!("{}: {error}", file.display()))?;
            list += &format!("({name:?}, include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}.z\"))), ");
        }
    }
    fs::write(out.join("page.rs"), format!("&[{list}]")).map_err(|error| format!("page.rs: {error}"))?;
    Ok(!list.is_empty())
}

/// The files of a page, by name. The program checks when it begins to serve that all files of the page are there.
fn files_of(folder: &Path) -> Result<Vec<(String, PathBuf)>, String> {
    let named = |error: io::Error| format!("{}: {error}", folder.display());
    let (mut files, mut size) = (Vec::new(), 0);
    for entry in fs::read_dir(folder).map_err(named)? {
        let entry = entry.map_err(named)?;
        let about = fs::metadata(entry.path()).map_err(named)?;
        let name = entry.file_name().to_string_lossy().into_owned();
        if WEIGHTS.contains(&name.as_str()) || !about.is_file() {
            continue;
        }
        if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"._-".contains(&byte)) {
            return Err(format!("{}: a name that no file of the page has", entry.path().display()));
        }
        size += about.len();
        files.push((name, entry.path()));
    }
    let there = |name: &str| files.iter().any(|(found, _)| found == name);
    if files.len() > MAX_FILES || size > MAX_PAGE || !there("index.html") || !there("maxout_web_bg.wasm") {
        return Err(format!("{}: {} files of {size} bytes", folder.display(), files.len()));
    }
    // Sorted, so that equal folders make equal programs.
    files.sort();
    Ok(files)
}

/// Writes a compressed copy of a file. Neither the file's time nor its path is part of the bytes.
fn pack(file: &Path, packed: &Path) -> io::Result<()> {
    let mut encoder = ZlibEncoder::new(File::create(packed)?, Compression::best());
    encoder.write_all(&fs::read(file)?)?;
    encoder.finish()?.flush()
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
