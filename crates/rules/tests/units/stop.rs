//! What `src/stop.rs` promises.

use maxout_rules::*;

#[test]
fn stops_read_as_they_print() {
    for text in ["level29", "topout", "lines:1390"] {
        assert_eq!(text.parse::<Stop>().expect("a stop").to_string(), text);
    }
    assert!("lines:0".parse::<Stop>().is_err());
    assert!("forever".parse::<Stop>().is_err());
}
