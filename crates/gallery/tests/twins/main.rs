//! The published players from outside, most of them against slow, obvious twins. One file a subject, all in one test binary.

#[path = "../../../engine/tests/twins/grids.rs"]
mod grids;
#[path = "../../../engine/tests/twins/measures.rs"]
mod measures;
mod meatfighter_twin;
mod published_twin;
mod registry;
mod scene;
mod two_piece;
