//! Gives one reader of `maxout_lab::fuzz::readers` what libFuzzer makes up. `MAXOUT_READER` names it. `MAXOUT_SEEDS` names a folder into
//! which whole files are written first.
#![no_main]

use std::path::PathBuf;
use std::sync::OnceLock;
use std::{env, fs};

use libfuzzer_sys::fuzz_target;
use maxout_lab::fuzz::readers::{READERS, Reader};

/// The reader, and a folder for it.
static CHOSEN: OnceLock<(&'static Reader, PathBuf)> = OnceLock::new();

fn choose() -> (&'static Reader, PathBuf) {
    let name = env::var("MAXOUT_READER").expect("MAXOUT_READER names a reader");
    let reader = READERS.iter().find(|reader| reader.name == name).expect("a reader of that name");
    if let Some(folder) = env::var_os("MAXOUT_SEEDS") {
        for (number, seed) in reader.seeds().iter().enumerate() {
            fs::write(PathBuf::from(&folder).join(format!("seed-{number}")), seed).expect("written");
        }
    }
    (reader, tempfile::tempdir().expect("a folder").keep())
}

fuzz_target!(
    init: { CHOSEN.get_or_init(choose); },
    |file: &[u8]| {
        let (reader, folder) = CHOSEN.get_or_init(choose);
        if let Err(fault) = reader.read(file, folder) {
            panic!("{}: {fault}", reader.name);
        }
    }
);
