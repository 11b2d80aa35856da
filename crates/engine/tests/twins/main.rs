//! The engine from outside, most of it against slow, obvious twins. One file a subject, all in one test binary:
//! `cargo test --release -p maxout-engine --test twins -- perft::` runs one subject.

mod env;
mod eval_twin;
mod expectimax_twin;
mod grids;
mod held_twin;
mod hover_twin;
mod measures;
mod movegen_twin;
mod perft;
mod reaction;
mod serde;
mod timed_twin;
