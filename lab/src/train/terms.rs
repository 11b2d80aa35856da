//! The 17 weights of [`Meatfighter`] as text: [`parse`] and [`text`], a line `NAME WEIGHT` for each.

use maxout_engine::player::Entry;
use maxout_engine::search::{OnePiece, Ties, TwoPiece};
use maxout_gallery::eval::Meatfighter;
use thiserror::Error;

/// One weight a term, in the order of [`TERMS`].
pub type Weights = [f64; 17];

/// A weight is at most this far from 0: larger ones leave no digits for the terms of small ones.
pub const LIMIT: f64 = 1e6;

/// Most bytes of a file.
pub const MAX_BYTES: u64 = 64 << 10;

/// What the weights weigh, in the order of [`WEIGHTS_2018`](maxout_gallery::eval::WEIGHTS_2018).
pub const TERMS: [&str; 17] = [
    "lines",
    "lock-heights",
    "well-cells",
    "deep-wells",
    "holes",
    "weighted-holes",
    "hole-depths",
    "min-hole-depth",
    "max-hole-depth",
    "column-transitions",
    "row-transitions",
    "column-heights",
    "pile-height",
    "height-spread",
    "solid-cells",
    "weighted-cells",
    "height-differences",
];

/// Why text is no list of weights.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum TermsError {
    /// A line is not `NAME WEIGHT`.
    #[error(
        "line {line}: {text:?}: expected a term's name and a number of at most 1000000, as in \"holes 1.5\""
    )]
    Line {
        /// Its number, from 1.
        line: usize,
        /// What stands there, at most 40 characters of it.
        text: String,
    },
    /// A term is listed twice.
    #[error("line {line}: a second weight of {term}, expected one")]
    Twice {
        /// The later line.
        line: usize,
        /// The term.
        term: &'static str,
    },
    /// A term has no weight.
    #[error("no weight of {0}, expected one line for each of 17 terms")]
    Missing(&'static str),
}

/// Returns `player` with other weights of the terms, or `None` if it has no such terms.
pub fn give_to(player: &Entry, weights: Weights) -> Option<Entry> {
    let (name, eval) = (player.name.clone(), Meatfighter { weights, ..Meatfighter::PUBLISHED });
    let entry = match &*player.name {
        "plateau17" | "meatfighter2018" => {
            Entry::choosing(name, player.limits, move |moves| TwoPiece::new(eval, moves))
        }
        "meatfighter2018-1" => {
            Entry::choosing(name, player.limits, move |moves| OnePiece::new(eval, moves, Ties::First))
        }
        _ => return None,
    };
    Some(entry.with_plies(player.plies()).with_source(player.source.clone()))
}

/// The weights in `text`. Empty lines, and lines that begin with `#`, say nothing.
///
/// ```
/// use maxout_gallery::eval::WEIGHTS_2018;
/// use maxout_lab::train::terms;
/// assert_eq!(terms::parse(&terms::text(&WEIGHTS_2018)), Ok(WEIGHTS_2018));
/// ```
pub fn parse(text: &str) -> Result<Weights, TermsError> {
    let mut weights = [None; 17];
    for (line, text) in (1..).zip(text.lines()).filter(|(_, text)| !is_silent(text)) {
        let wrong = || TermsError::Line { line, text: text.chars().take(40).collect() };
        let (name, weight) = text.trim().split_once(char::is_whitespace).ok_or_else(wrong)?;
        let term = TERMS.iter().position(|&term| term == name).ok_or_else(wrong)?;
        let weight: f64 = weight.trim().parse().map_err(|_| wrong())?;
        // NaN is not within either.
        if !(-LIMIT..=LIMIT).contains(&weight) {
            return Err(wrong());
        }
        if weights[term].replace(weight).is_some() {
            return Err(TermsError::Twice { line, term: TERMS[term] });
        }
    }
    match weights.iter().position(Option::is_none) {
        Some(term) => Err(TermsError::Missing(TERMS[term])),
        None => Ok(weights.map(Option::unwrap_or_default)),
    }
}

fn is_silent(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// What [`parse`] reads, exactly.
pub fn text(weights: &Weights) -> String {
    TERMS.iter().zip(weights).map(|(term, weight)| format!("{term} {weight}\n")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_gallery::eval::WEIGHTS_2018;

    #[test]
    fn refuses_text_that_does_not_weigh_each_term_once() {
        let whole = text(&WEIGHTS_2018);
        assert_eq!(parse(&format!("# a remark\n\n{whole}")), Ok(WEIGHTS_2018));
        assert_eq!(
            parse(&whole.replacen("holes", "gaps", 1)).map_err(|e| e.to_string().contains("gaps")),
            Err(true)
        );
        assert_eq!(parse(&format!("{whole}holes 2")), Err(TermsError::Twice { line: 18, term: "holes" }));
        assert_eq!(parse("lines 1"), Err(TermsError::Missing("lock-heights")));
        for bad in ["holes", "holes x", "holes NaN", "holes inf", "holes -1e7"] {
            assert_eq!(parse(bad), Err(TermsError::Line { line: 1, text: bad.to_owned() }));
        }
    }
}
