//! The tests of the program that .ci/run repeats with overflow checks, alone, because all the others would have to be built for that, too.
//! `cargo test` has them in the binary of all tests.

#[path = "common/damage.rs"]
mod damage;
#[path = "play/faults.rs"]
mod faults;
#[path = "cli/parsers.rs"]
mod parsers;
#[path = "play/shards.rs"]
mod shards;
#[path = "common/skipped.rs"]
mod skipped;

use skipped::skipped;
