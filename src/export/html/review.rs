//! The page of a reviewed game, and the page of its worst positions to try.

use serde::Serialize;

use super::sheet::Sheet;
use maxout_engine::analysis::Forecaster;
use maxout_host::review::PageData;

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
        include_str!("typed.js"),
        include_str!("puzzles.js"),
        "})();\n"
    ),
};

/// The page of reviewed games: `reviews` is what `review --json` writes, and `forecast` says whose games the forecasts
/// speak of.
pub fn review_page(reviews: &impl Serialize, forecast: Forecaster) -> Result<String, serde_json::Error> {
    REVIEW.page(&PageData::reviews(reviews, forecast))
}

/// The page of positions to try, with all that can be done in each.
pub fn puzzle_page(puzzles: &impl Serialize, forecast: Forecaster) -> Result<String, serde_json::Error> {
    PUZZLES.page(&PageData::puzzles(puzzles, forecast))
}
