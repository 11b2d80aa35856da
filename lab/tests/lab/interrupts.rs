//! Ctrl-C ends every long command within two seconds and leaves nothing behind.

use tempfile::TempDir;

use super::interrupted::each_ends_soon;

/// Work that takes minutes.
const LONG: [&str; 11] = [
    "bench",
    "fuzz --streams 100000",
    "fuzz --readers",
    "limits --player maxout-fast --taps 10hz --reaction 18 --games 100 --dir limits",
    "train cmaes --fitness plateau --dir cmaes",
    "train cnn --dir cnn",
    "train hazard --dir hazard",
    "train pso --fitness plateau --dir pso",
    "sim --no-gravity --player meatfighter2014 --stop topout --games 1000",
    "sim --player clairvoyant --search-seeds 0..1000",
    "train td --dir td",
];

#[test]
#[ignore = "slow; .ci/run has it"]
fn ctrl_c_ends_every_long_command_soon() {
    let folder = TempDir::new().expect("a folder");
    each_ends_soon(folder.path(), &LONG);
}
