//! The commands whose flags name files to write; `tests/common/written.rs` tries them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use maxout::library::store::Library;
use maxout_host::TEST_CARTRIDGE;

use super::written::Case;

/// A folder with a run library and a cartridge that does not play as the model does.
pub(super) fn scene() -> &'static Path {
    static SCENE: OnceLock<PathBuf> = OnceLock::new();
    SCENE.get_or_init(|| {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("lab-outputs");
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).expect("a folder");
        fs::create_dir(folder.join("runs")).expect("a folder");
        drop(Library::open_or_create(&folder.join("runs")).expect("a library"));
        let mut image = TEST_CARTRIDGE.to_vec();
        let table = image.windows(4).position(|w| w == [0x30, 0x2B, 0x26, 0x21]).expect("the gravity table");
        image[table..table + 29].iter_mut().for_each(|speed| *speed += 1);
        fs::write(folder.join("slow.nes"), image).expect("a file");
        folder
    })
}

/// All commands that end soon, each with all of its flags for files.
pub(super) fn make_cases() -> Vec<Case> {
    vec![
        Case::new("rows --player el-tetris --games 1 --limit 200", "--json --svg --png"),
        Case::new(
            "limits --player plateau17 --taps 30hz --reaction 0 --games 1 --stop lines:1 --no-timings",
            "--json --svg",
        ),
        Case { code: 1, ..Case::new("fuzz SCENE/slow.nes --allow-unknown --streams 9", "--output") },
    ]
}

/// Those that take long, or whose results hold times.
pub(super) fn slow_cases() -> Vec<Case> {
    vec![
        Case::new("sim --no-gravity --player packing --games 1000", "--json"),
        Case::new("sim --demo-loop --player packing --games 1000", "--json"),
        Case::new("bench", "--json"),
        Case::new("rows --games 10000", "--json --svg --png"),
        Case::new("limits", "--json --svg"),
        Case::new("fuzz --seconds 1000", "--output"),
    ]
}

/// Commands that write into a folder.
pub(super) fn folder_cases() -> Vec<Case> {
    vec![
        Case::new("limits", "--dir"),
        Case::new("train td", "--dir"),
        Case::new("train cnn", "--dir"),
        Case::new("train pso", "--dir"),
        Case::new("train cmaes", "--dir"),
    ]
}
