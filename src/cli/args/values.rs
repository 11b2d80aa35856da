//! Values of flags, refused in words: [`whole`] numbers in a range.

use std::fmt::Display;
use std::ops::{Bound, RangeBounds};
use std::str::FromStr;

use maxout_rules::Seed;

/// Reads a whole number in `range`.
pub fn whole<T>(
    range: impl RangeBounds<T> + Clone + Send + Sync + 'static,
) -> impl Fn(&str) -> Result<T, String> + Clone + Send + Sync + 'static
where
    T: FromStr + PartialOrd + Display,
{
    move |text| text.parse().ok().filter(|number| range.contains(number)).ok_or_else(|| expected(&range))
}

/// Reads a seed.
pub fn seed(text: &str) -> Result<u64, String> {
    Seed::practice_number(text).map_or_else(
        || {
            let number = whole(0..=u64::MAX)(text);
            number.map_err(|error| {
                format!("{error}, or gym:XXXXXX, the six hex digits of a practice cartridge")
            })
        },
        Ok,
    )
}

fn expected<T: Display>(range: &impl RangeBounds<T>) -> String {
    let least = match range.start_bound() {
        Bound::Included(least) | Bound::Excluded(least) => least.to_string(),
        Bound::Unbounded => "0".to_owned(),
    };
    match range.end_bound() {
        Bound::Included(most) => format!("expected a whole number from {least} to {most}"),
        Bound::Excluded(end) => format!("expected a whole number from {least} on, below {end}"),
        // The numbers that have no other end are of 64 bits.
        Bound::Unbounded => format!("expected a whole number from {least} on, below 2^64"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_is_said_in_words() {
        let refused = |text: &str| whole(1..=40u8)(text).expect_err("refused");
        for text in ["0", "41", "-5", "300", "", "many", "1.5"] {
            assert_eq!(refused(text), "expected a whole number from 1 to 40", "{text:?}");
        }
        assert_eq!(whole(1..=40u8)("40"), Ok(40));
        let error = whole(1u64..)("99999999999999999999").expect_err("too large");
        assert_eq!(error, "expected a whole number from 1 on, below 2^64");
        assert_eq!(seed("18446744073709551615"), Ok(u64::MAX));
        assert_eq!(seed("gym:00FF7E"), seed("gym:00ff7e"));
        let error = seed("-1").expect_err("no seed");
        assert!(
            error.starts_with("expected a whole number from 0 to 18446744073709551615, or gym:XXXXXX"),
            "{error}"
        );
    }
}
