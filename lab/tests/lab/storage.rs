//! Full disks: one clear line, exit code 2, and nothing half-written stays.

use std::fs;

use tempfile::TempDir;

use super::disk::{on_a_small_disk, refused};

#[test]
fn a_full_disk_is_named_and_nothing_half_written_stays() {
    let fill = "head -c 1000000 /dev/zero >fill 2>/dev/null;";
    let listed = "code=$?; rm fill; ls -A >&1; exit $code";
    let folder = TempDir::new().expect("a folder");
    let schedule = folder.path().join("one.toml");
    let stage = "seed = 1\nchunk_pieces = 50\n[[stage]]\nname = \"one\"\nlevel = 19\nchunks = 1\n";
    fs::write(&schedule, stage).expect("a file");
    let train = format!("\"$MAXOUT\" train td --schedule '{}' --dir . --jobs 1", schedule.display());
    for (script, culprit) in [
        (&train, "identity.json"),
        // Room for the identity, which is written first, and for the curve.
        (&format!("truncate -s -4096 fill; {train}"), "curve.csv"),
        (&format!("truncate -s -12288 fill; {train}"), "checkpoint.bin"),
    ] {
        let Some(output) = on_a_small_disk(64, &format!("{{ {fill} {script}; {listed}; }}")) else { return };
        let said = refused(&output, &[culprit]);
        assert!(!said.contains(".tmp"), "{said}");
    }
}
