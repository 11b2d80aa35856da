//! What a list of tables is, and what follows from it: [`TableList`].

use std::fmt;

use super::lookup::Lookup;
use super::measures::{BANDS, Measure, View};
use super::odds::LANES;
use super::parent;
use crate::eval::Shape;
use crate::eval::parameters::FAR;

/// A digit of a table's index: something that is measured on the board.
#[derive(Clone, Copy, Debug)]
pub struct Digit {
    /// What is measured.
    pub name: fn() -> String,
    /// Values that the table tells apart; the last one includes all larger ones.
    pub values: usize,
    /// Whether it is known before the far tables are looked up.
    early: bool,
    /// Windows in which it can be measured.
    windows: usize,
    rolls: bool,
}

impl Digit {
    pub(super) const fn of<M: Measure>(values: usize) -> Self {
        assert!(values <= M::VALUES, "a table cannot tell apart more values than there are");
        Self { name: M::name, values, early: M::EARLY, windows: M::WINDOWS, rolls: M::ROLLS }
    }
}

/// Tables of one kind: as many as it has windows, side by side, each looking at other columns.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name in the list.
    pub name: &'static str,
    /// How many windows of it stand side by side.
    pub windows: usize,
    /// Whether it is there once for each speed of play, not once for all.
    pub own: bool,
    /// Whether it is split by [`BANDS`] of max height: the most significant digit. Training may leave this out at first.
    pub by_height: bool,
    /// What its index is made of, the most significant digit first.
    pub digits: &'static [Digit],
}

impl Table {
    /// Entries of one window.
    pub const fn size(&self) -> usize {
        let (mut size, mut i) = (self.bands(), 0);
        while i < self.digits.len() {
            size *= self.digits[i].values;
            i += 1;
        }
        size
    }

    /// Bands of max height that it tells apart.
    const fn bands(&self) -> usize {
        if self.by_height { BANDS } else { 1 }
    }

    const fn is_far(&self) -> bool {
        let (mut early, mut i) = (true, 0);
        while i < self.digits.len() {
            early &= self.digits[i].early;
            i += 1;
        }
        early && self.windows * self.size() >= FAR
    }

    const fn is_possible(&self) -> bool {
        let (mut possible, mut rolling, mut i) = (true, 0, 0);
        while i < self.digits.len() {
            possible &= self.windows <= self.digits[i].windows;
            rolling += self.digits[i].rolls as usize;
            i += 1;
        }
        possible && rolling <= 1
    }
}

/// Where a table lies among the entries of its list, and how it is filled.
#[derive(Clone, Copy)]
pub(super) struct Place {
    pub far: bool,
    pub by_height: bool,
    own: bool,
    size: usize,
    /// The number of its first pattern.
    pub pattern: usize,
    /// The first entry among those of the first speed and of all.
    first: usize,
    /// The first entry among those of another speed.
    first_own: usize,
}

impl Place {
    /// The place of `list[at]`.
    pub const fn of(list: &[Table], at: usize) -> Self {
        let table = &list[at];
        assert!(table.is_possible(), "a table has more windows than the board, or two digits that roll");
        let (before, _) = list.split_at(at);
        Self {
            far: table.is_far(),
            by_height: table.by_height,
            own: table.own,
            size: table.size(),
            pattern: patterns(before),
            first: entries(before, false),
            first_own: entries(before, true),
        }
    }

    /// The entry of an index in a window, for a speed whose own tables begin at `own`; the first speed has `None`.
    #[inline]
    pub fn entry(self, own: Option<usize>, window: usize, index: usize) -> usize {
        debug_assert!(index < self.size);
        let behind = window * self.size;
        let first = if self.own
            && let Some(own) = own
        {
            own + (self.first_own + behind)
        } else {
            self.first + behind
        };
        index + first
    }
}

/// The value of a digit in a window, given its value in the window to the left.
#[inline]
pub(super) fn digit<M: Measure, const VALUES: usize>(
    view: &View<'_>,
    window: usize,
    last: &mut usize,
) -> usize {
    let value = M::next(view, window, last);
    debug_assert!(value < M::VALUES, "{} {value}", M::name());
    if VALUES < M::VALUES { value.min(VALUES - 1) } else { value }
}

/// Entries of all tables, or of those that each speed has of its own.
const fn entries(list: &[Table], own_only: bool) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < list.len() {
        if list[i].own || !own_only {
            sum += list[i].windows * list[i].size();
        }
        i += 1;
    }
    sum
}

const fn patterns(list: &[Table]) -> usize {
    let (mut sum, mut i) = (0, 0);
    while i < list.len() {
        sum += list[i].windows;
        i += 1;
    }
    sum
}

/// A list of tables: what a learned value is a sum of. The list alone decides index, size and layout; a
/// [`NetworkOf`](super::NetworkOf) it holds the weights.
///
/// The entries lie in the order of the list, windows one after the other: first the tables of the first speed together
/// with those that all speeds share, then each further speed's own tables.
pub trait TableList: Copy + fmt::Debug + Send + Sync + 'static {
    /// What a weights file calls the list. It changes whenever the list does.
    const NAME: &'static str;
    /// Speeds of play whose own tables differ.
    const SPEEDS: usize;
    /// The tables.
    const LIST: &'static [Table];

    /// The entries that make one value, one per pattern: an array of [`Self::PATTERNS`].
    type Indices: Copy + PartialEq + fmt::Debug + AsRef<[u32]> + Send + Sync + 'static;

    /// Patterns, and therefore table entries, that make one value.
    const PATTERNS: usize = patterns(Self::LIST);
    /// Entries of the first speed's tables and of those that all share.
    const COMMON: usize = entries(Self::LIST, false);
    /// Entries of a further speed's own tables.
    const OWN: usize = entries(Self::LIST, true);
    /// Entries of all tables.
    const ENTRIES: usize = Self::COMMON + (Self::SPEEDS - 1) * Self::OWN;

    /// Calls `put(pattern, entry)` once for each pattern: its number, and the entry that it contributes to the value of a board.
    /// Unless `BY_HEIGHT`, tables that are split by height do not tell bands apart: all boards are in the first one.
    fn visit<const BY_HEIGHT: bool>(shape: &Shape, speed: usize, put: impl FnMut(usize, usize));

    /// The entries that make the value of a board at a speed; without `by_height`, those of tables that were not yet
    /// [spread](Self::spread).
    fn indices(shape: &Shape, by_height: bool, speed: usize) -> Self::Indices;

    /// Finds the entries whose sum is the value of a board, notes them in `lookup`, and prefetches them into the cache.
    /// `entries` must hold the tables of `speed`.
    fn ask(entries: &[[i16; LANES]], shape: &Shape, speed: usize, lookup: &mut Lookup);

    /// Adds up, lane by lane and wrapping, the entries noted in `lookup`, which [`Self::ask`] of this same list must have filled.
    fn sum(entries: &[[i16; LANES]], lookup: &Lookup) -> [i16; LANES] {
        let mut sum = [0i16; LANES];
        for &at in &lookup.at[..Self::PATTERNS] {
            if let Some(entry) = entries.get(at as usize) {
                for (sum, &weight) in sum.iter_mut().zip(entry) {
                    // Partial sums may wrap; the total fits.
                    *sum = sum.wrapping_add(weight);
                }
            }
        }
        sum
    }

    /// Hands out `(from, to)` such that copying each entry `from` to `to` gives every band of max height what the
    /// first one holds.
    fn spread(mut copy: impl FnMut(usize, usize)) {
        let mut first = 0;
        for table in Self::LIST {
            let band = table.size() / table.bands();
            for _ in 0..table.windows {
                for entry in 0..band {
                    for other in 1..table.bands() {
                        copy(first + entry, first + other * band + entry);
                    }
                }
                first += table.size();
            }
        }
    }

    /// Entries of the first `speeds` speeds' tables and of those that all share.
    fn entries_of(speeds: usize) -> usize {
        Self::COMMON + speeds.saturating_sub(1) * Self::OWN
    }

    /// The number of speeds whose tables together have this number of entries.
    fn speeds_in(entries: usize) -> Option<usize> {
        (1..=Self::SPEEDS).find(|&speeds| Self::entries_of(speeds) == entries)
    }

    /// Hands out `(from, to)` such that copying each entry `from` to `to` gives `speed` the tables of its
    /// [`parent`].
    fn spread_to(speed: usize, mut copy: impl FnMut(usize, usize)) {
        if speed == 0 {
            return;
        }
        let own = |speed: usize| Self::entries_of(speed);
        let (mut common, mut behind) = (0, 0);
        for table in Self::LIST {
            let size = table.windows * table.size();
            if table.own {
                for entry in 0..size {
                    let from = match parent(speed) {
                        0 => common + entry,
                        other => own(other) + behind + entry,
                    };
                    copy(from, own(speed) + behind + entry);
                }
                behind += size;
            }
            common += size;
        }
    }

    /// Whether an entry is one of a further speed's own.
    fn is_own(entry: usize) -> bool {
        entry >= Self::COMMON
    }
}

/// A list of tables in words, as a Markdown table: `Listing(Ntuple59::LIST)`.
#[derive(Clone, Copy, Debug)]
pub struct Listing(pub &'static [Table]);

impl fmt::Display for Listing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "| tables | name | index, the most significant digit first | entries each | speeds |")?;
        writeln!(f, "|---:|---|---|---:|---|")?;
        for table in self.0 {
            let band = table.by_height.then(|| format!("Band of max height ({BANDS})"));
            let digits = table.digits.iter().map(|digit| format!("{} ({})", (digit.name)(), digit.values));
            let index: Vec<String> = band.into_iter().chain(digits).collect();
            let Table { name, windows, own, .. } = table;
            let whose = if *own { "own" } else { "shared" };
            writeln!(f, "| {windows} | `{name}` | {} | {} | {whose} |", index.join("; "), table.size())?;
        }
        Ok(())
    }
}
