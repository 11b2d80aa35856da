//! [`Share`]: one of equal parts of a batch, for one of several machines or processes.

use std::fmt;
use std::ops::Range;
use std::str::FromStr;

use thiserror::Error;

use crate::words::count;
use maxout_host::batch::Batch;

/// One of equal shares of a batch, the first is 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    number: u64,
    of: u64,
}

/// What is no share.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum ShareError {
    /// Text that names none.
    #[error("unknown share {0:?}: expected I/N with I from 1 to N, as in 1/4")]
    Parse(String),
    /// There are fewer games than shares.
    #[error("share {share} of {} is empty: expected at least as many games as shares", count(*games, "game"))]
    Empty {
        /// The share.
        share: Share,
        /// Games of the whole batch.
        games: u64,
    },
}

impl FromStr for Share {
    type Err = ShareError;

    fn from_str(text: &str) -> Result<Self, ShareError> {
        text.split_once('/')
            .and_then(|(number, of)| Some(Self { number: number.parse().ok()?, of: of.parse().ok()? }))
            .filter(|share| (1..=share.of).contains(&share.number))
            .ok_or_else(|| ShareError::Parse(text.to_owned()))
    }
}

impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.number, self.of)
    }
}

impl Share {
    /// Share `number` of `of`; none if there is no such share.
    pub fn new(number: u64, of: u64) -> Option<Self> {
        (1..=of).contains(&number).then_some(Self { number, of })
    }

    /// Whether item `number`, counted from 0, is in this share if each share takes every N-th item.
    ///
    /// ```
    /// use maxout::share::Share;
    /// let second = Share::new(2, 3).unwrap();
    /// assert_eq!([0, 1, 2, 3, 4].map(|number| second.takes(number)), [false, true, false, false, true]);
    /// ```
    pub fn takes(self, number: u64) -> bool {
        number % self.of == self.number - 1
    }

    /// Its games: a run of consecutive seeds. Shares differ by one game at most.
    pub fn take(self, whole: &Batch) -> Result<Batch, ShareError> {
        let games = whole.games;
        if games < self.of {
            return Err(ShareError::Empty { share: self, games });
        }
        let Range { start, end } = self.range(games);
        Ok(Batch { first_seed: whole.first_seed + start, games: end - start, ..whole.clone() })
    }

    /// Its part of `0..count`, consecutive numbers; it may be empty. Shares differ by one at most.
    ///
    /// ```
    /// use maxout::share::Share;
    /// assert_eq!(Share::new(2, 3).unwrap().range(20), 6..13);
    /// ```
    pub fn range(self, count: u64) -> Range<u64> {
        let before = |shares: u64| (u128::from(count) * u128::from(shares) / u128::from(self.of)) as u64;
        before(self.number - 1)..before(self.number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_gallery::find;

    #[test]
    fn shares_cover_the_batch_without_gaps_and_differ_by_one_game() {
        let player = find("plateau17").expect("a registered player");
        for (games, of) in [(10, 1), (10, 3), (7, 7), (1_000_000, 999), (10_000_000, 64)] {
            let whole = Batch { first_seed: 5, ..Batch::new(player.clone(), games) };
            let mut due = 5;
            for number in 1..=of {
                let share = Share { number, of }.take(&whole).expect("not empty");
                assert_eq!(share.first_seed, due);
                assert!(share.games == games / of || share.games == games.div_ceil(of));
                due += share.games;
            }
            assert_eq!(due, 5 + games);
        }
    }

    #[test]
    fn refuses_what_is_no_share() {
        for text in ["", "1", "0/3", "4/3", "1/0", "a/3", "-1/3", "1/3/4"] {
            assert_eq!(text.parse::<Share>(), Err(ShareError::Parse(text.to_owned())));
        }
        assert_eq!("3/3".parse::<Share>().expect("a share").to_string(), "3/3");
    }
}
