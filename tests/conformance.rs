//! The rules against measured runs of the real game: no variable may differ in any frame.

use std::fs;
use std::path::{Path, PathBuf};

use maxout::conform::{on_model, trace};

fn traces() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    let mut paths: Vec<PathBuf> = fs::read_dir(folder)
        .expect("tests/data is there")
        .map(|entry| entry.expect("entry is readable").path())
        .filter(|path| path.to_string_lossy().ends_with(".csv.gz"))
        .collect();
    paths.sort();
    paths
}

#[test]
fn the_model_equals_the_real_game_in_every_frame_of_all_traces() {
    let paths = traces();
    assert_eq!(paths.len(), 14);
    for path in paths {
        let rows = trace::read(&fs::read(&path).expect("trace is readable")).expect("trace parses");
        let verdict = on_model(&rows);
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        println!(
            "{name}: {} games, {} rows, {} differences {:?}",
            verdict.games,
            verdict.rows,
            verdict.differences,
            verdict.first.as_ref().map(ToString::to_string)
        );
        assert!(verdict.rows > 1000, "{name}: {} rows", verdict.rows);
        assert_eq!(verdict.differences, 0, "{name}: {}", verdict.first.expect("a difference"));
    }
}
