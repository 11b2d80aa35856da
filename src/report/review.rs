//! The page of a reviewed game, and the page of its worst positions to try.

use serde::Serialize;

use super::data::Data;
use super::sheet::Sheet;
use maxout_rules::Piece;

const STYLE: &str = concat!(include_str!("page.css"), include_str!("review.css"));
const REVIEW: Sheet = Sheet {
    what: "review",
    buttons: "",
    body: include_str!("review.html"),
    style: STYLE,
    script: concat!(
        "\"use strict\";\n(() => {\n",
        include_str!("elements.js"),
        include_str!("charts.js"),
        include_str!("position.js"),
        include_str!("review.js"),
        "})();\n"
    ),
};
const PUZZLES: Sheet = Sheet {
    what: "puzzles",
    buttons: "",
    body: include_str!("puzzles.html"),
    style: STYLE,
    script: concat!(
        "\"use strict\";\n(() => {\n",
        include_str!("elements.js"),
        include_str!("position.js"),
        include_str!("puzzles.js"),
        "})();\n"
    ),
};

/// What the scripts of both pages know.
#[derive(Serialize)]
struct Known<'a, T> {
    format: &'static str,
    version: &'static str,
    /// (dx, dy) of the four cells of each orientation.
    cells: Vec<[(i8, i8); 4]>,
    /// Letter and orientation of each piece as it spawns.
    spawns: std::collections::BTreeMap<char, u8>,
    /// Letters in the order of adjustments.
    pieces: String,
    #[serde(flatten)]
    what: What<'a, T>,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum What<'a, T> {
    /// The JSON of `review --json`.
    Reviews(&'a T),
    Puzzles(&'a T),
}

impl<'a, T> Known<'a, T> {
    fn new(format: &'static str, what: What<'a, T>) -> Self {
        Self {
            format,
            version: env!("CARGO_PKG_VERSION"),
            cells: Data::shapes(),
            spawns: Data::spawns(),
            pieces: Piece::ALL.iter().map(|piece| piece.letter()).collect(),
            what,
        }
    }
}

/// The page of reviewed games: `reviews` is what `review --json` writes.
pub fn review_page(reviews: &impl Serialize) -> Result<String, serde_json::Error> {
    REVIEW.page(&Known::new("maxout-review 1", What::Reviews(reviews)))
}

/// The page of positions to try, with all that can be done in each.
pub fn puzzle_page(puzzles: &impl Serialize) -> Result<String, serde_json::Error> {
    PUZZLES.page(&Known::new("maxout-puzzles 1", What::Puzzles(puzzles)))
}
