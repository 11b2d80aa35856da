//! What `src/input.rs` promises.

use maxout_rules::input::*;

#[test]
fn buttons_print_like_a_movie_column() {
    assert_eq!((Buttons::RIGHT | Buttons::A).to_string(), "R......A");
    assert_eq!(Buttons::NONE.to_string(), "........");
}
