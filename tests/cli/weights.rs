//! What is refused as weights.

use std::fs;

use tempfile::TempDir;

use super::answers::refuses;

#[test]
fn refuses_terms_that_mean_nothing() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("terms.txt");
    fs::write(&file, "lines 1\nholes many\n").expect("a file");
    let file = file.to_string_lossy().into_owned();
    refuses(&["sim", "--player", "plateau17", "--terms", &file], "line 2");
    refuses(&["sim", "--player", "plateau17", "--terms", "/no/such/file"], "/no/such/file");
    refuses(&["sim", "--player", "maxout-fast", "--terms", &file], "--terms");
}
