//! What a test does that needs what is not there.

/// Tells why a test is left out; with `MAXOUT_STRICT` it fails instead.
pub fn skipped(why: &str) {
    assert!(std::env::var_os("MAXOUT_STRICT").is_none(), "MAXOUT_STRICT is set, and {why}");
    eprintln!("skipped: {why}");
}
