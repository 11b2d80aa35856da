//! Programs that may have few threads.

use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, chown};
use std::os::unix::process::CommandExt;
use std::process::{Command, Output};

use tempfile::TempDir;

use super::PROGRAM;

/// Somebody who owns no process.
const NOBODY: u32 = 61_234;

/// Runs maxout where its user may have so many threads in all. Root may have any number, so root becomes somebody else.
pub(super) fn with_threads(limit: u32, args: &str) -> Output {
    let folder = TempDir::new().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("a mode");
    let program = folder.path().join("maxout");
    fs::copy(PROGRAM, &program).expect("a copy");
    let mut command = Command::new("sh");
    // Shells disagree about the letter.
    let script =
        format!("ulimit -u {limit} 2>/dev/null || ulimit -p {limit} || exit 99; exec ./maxout {args}");
    command.args(["-c", &script]).current_dir(folder.path()).env_remove("RUST_LOG");
    if rustix::process::geteuid().is_root() {
        chown(folder.path(), Some(NOBODY), None).expect("given away");
        command.uid(NOBODY);
    }
    command.output().expect("a shell")
}
