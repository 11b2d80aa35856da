//! Numbers in text for people: [`number`] and [`decimal`] group digits in threes, [`count`] counts things.
//!
//! Seeds, numbers of runs and of frames are names that people type, so they are written without commas.

/// A whole number: `1,234,567`.
pub fn number(value: impl Into<u64>) -> String {
    grouped(&value.into().to_string())
}

/// A number with `digits` digits after the point: `1,234.5`.
pub fn decimal(value: f64, digits: usize) -> String {
    let text = format!("{:.digits$}", value.abs());
    let (whole, rest) = text.split_at(text.find('.').unwrap_or(text.len()));
    let sign = if value < 0.0 && text.contains(|c| ('1'..='9').contains(&c)) { "-" } else { "" };
    format!("{sign}{}{rest}", grouped(whole))
}

/// A number of things, which are named in the singular: `1 line`, `2 tetrises`, `6 plies`.
pub fn count(value: impl Into<u64>, thing: &str) -> String {
    let value = value.into();
    let (stem, ending) = match (value, thing.strip_suffix('y')) {
        (1, _) => (thing, ""),
        (_, Some(stem)) => (stem, "ies"),
        _ => (thing, if thing.ends_with('s') { "es" } else { "s" }),
    };
    format!("{} {stem}{ending}", number(value))
}

/// The size of a file: `12 KB`, `1.5 MB`.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{} KB", bytes.div_ceil(1000)),
        _ => format!("{} MB", decimal(bytes as f64 / 1e6, 1)),
    }
}

/// Digits in threes.
fn grouped(digits: &str) -> String {
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_get_commas() {
        assert_eq!([0u32, 999, 1000, 1_234_567].map(number), ["0", "999", "1,000", "1,234,567"]);
        assert_eq!(
            [0.0, 999.0, 1000.4, -1_234_567.0].map(|n| decimal(n, 0)),
            ["0", "999", "1,000", "-1,234,567"]
        );
        assert_eq!([1_234.56, -0.04, 0.25].map(|n| decimal(n, 1)), ["1,234.6", "0.0", "0.2"]);
    }

    #[test]
    fn sizes_are_rounded_up_to_kilobytes() {
        assert_eq!(
            [0, 1, 1_001, 999_999, 1_500_000].map(size),
            ["0 KB", "1 KB", "2 KB", "1000 KB", "1.5 MB"]
        );
    }

    #[test]
    fn one_thing_is_singular() {
        assert_eq!(
            [0u32, 1, 2, 1_000].map(|n| count(n, "line")),
            ["0 lines", "1 line", "2 lines", "1,000 lines"]
        );
        assert_eq!([1u32, 2].map(|n| count(n, "tetris")), ["1 tetris", "2 tetrises"]);
        assert_eq!([1u32, 6].map(|n| count(n, "ply")), ["1 ply", "6 plies"]);
    }
}
