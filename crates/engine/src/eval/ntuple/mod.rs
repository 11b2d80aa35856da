//! The learned value: a sum of table entries, one table per pattern of the board, each entry a vector over the seven
//! pieces that may come next ([`Network`]).
//!
//! A list of tables ([`TableList`]) says what is looked at: `lists.rs` has a line for each table, and size, index and
//! layout follow from it. [`Ntuple59`] is the list of the shipped weights; a [`NetworkOf`] another list may play in the
//! same process.
//!
//! Unit: one tetris at the level of play, discounted by 0.99 per piece over an endless game.
//!
//! # The tables of `Ntuple59`
//!
//! The numbers in brackets are the values that a digit tells apart; the last one includes all beyond it.
//!
#![doc = include_str!("ntuple59.md")]

mod entries;
mod lists;
mod lookup;
mod measures;
mod odds;
mod speed_tables;
mod surface;
mod table;

use std::marker::PhantomData;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::shape::Shape;
use maxout_rules::danger::{SafeClears, safe_clears};
use maxout_rules::{FallRule, Piece};

pub use super::parameters::DEATH;
use entries::Entries;
pub use lists::{Ntuple28, Ntuple59, Ntuple90};
pub use lookup::Lookup;
pub use measures::BANDS;
pub use odds::{LANES, odds};
pub(super) use speed_tables::SpeedTables;
pub use table::{Digit, Listing, Table, TableList};

/// Patterns of [`Ntuple59`], and therefore table entries that make one value.
pub const PATTERNS: usize = Ntuple59::PATTERNS;
/// Entries of all tables of [`Ntuple59`].
pub const ENTRIES: usize = Ntuple59::ENTRIES;
/// The number of speeds with small tables of their own in [`Ntuple59`]: levels 19 to 28, up to 18, from 29 on, the
/// double killscreen, three kinds of levels at which not all clears are safe, and levels 19 to 28 with taps slower than
/// 30 Hz ([`speed`]).
pub const SPEEDS: usize = Ntuple59::SPEEDS;
/// The most speeds that any list has.
pub const MOST_SPEEDS: usize = 8;
/// The most patterns that any list has.
const MOST_PATTERNS: usize = Ntuple90::PATTERNS;
/// The number of speeds in the file of the shipped weights: levels 19 to 28, up to 18, and from 29 on.
pub const BASE_SPEEDS: usize = 3;

const _: () = assert!(PATTERNS == 59 && ENTRIES == 5_270_149 && SPEEDS <= MOST_SPEEDS);

/// The speeds of levels up to 28. On later ones it counts how far a piece comes into play from either wall, so no board is looked at in a
/// mirror.
const MIRRORED: [usize; 3] = [0, 1, MOST_SPEEDS - 1];

/// Which of the [`SPEEDS`] a level has: 0 for levels 19 to 28, 1 for those below, 2 for those above. With the
/// double killscreen it is 3 from level 39 on. It is 4 where singles are not safe, 5 where only doubles are, and 6 where
/// only singles are ([`safe_clears`]). With `slow_taps` it is 7 for levels 19 to 28.
#[inline]
pub const fn speed(level: u8, fall_rule: FallRule, slow_taps: bool) -> usize {
    match fall_rule.ntsc_level(level) {
        ..=18 => 1,
        19..=28 if slow_taps => 7,
        19..=28 => 0,
        level if fall_rule.rows_per_drop(level) == 2 => 3,
        level => match safe_clears(level) {
            SafeClears::All => 2,
            SafeClears::NoSingles => 4,
            SafeClears::Doubles => 5,
            SafeClears::Singles => 6,
        },
    }
}

/// The speed from whose tables another speed begins to learn, and whose tables it uses if it has none. Speed 0 has no
/// parent, and 0 is returned for it.
pub const fn parent(speed: usize) -> usize {
    if 3 <= speed && speed <= 6 { 2 } else { 0 }
}

/// [`TableList::indices`] of [`Ntuple59`].
pub fn indices(shape: &Shape, by_height: bool, speed: usize) -> [u32; PATTERNS] {
    Ntuple59::indices(shape, by_height, speed)
}

/// Fixed-point unit of a [`Network`]'s weights: 1/512 tetris. A value, and no partial sum, must lie within ±64.
const UNIT: f32 = 1.0 / 512.0;

/// A learned value: the tables of the list `L` with their weights, ready to play.
#[derive(Clone, Debug)]
pub struct NetworkOf<L> {
    // Clones share them.
    entries: Arc<Entries>,
    /// The number of speeds that have tables in `entries`. A network with all of them is for taps slower than 30 Hz.
    speeds: usize,
    /// What a lost game is worth at each speed, in tetrises, as in the training.
    deaths: [f32; MOST_SPEEDS],
    /// The network that is used instead at the first speed, if there is one.
    plateau: Option<Arc<Plateau>>,
    /// For each speed the tables that are used instead there, if there are some.
    instead: [Option<Arc<SpeedTables>>; MOST_SPEEDS],
    list: PhantomData<L>,
}

/// A network on the list of the shipped weights.
pub type Network = NetworkOf<Ntuple59>;
/// A network for levels 19 to 28 at 30 Hz alone ([`NetworkOf::with_plateau`]).
pub type Plateau = NetworkOf<Ntuple90>;

impl<L: TableList> NetworkOf<L> {
    /// Rounds weights (entry by entry, [`LANES`] each, in tetrises) to fixed point; weights beyond ±64 saturate.
    pub fn from_weights(weights: &[f32]) -> Self {
        let (entries, _) = weights.as_chunks::<LANES>();
        let round = |w: f32| (w / UNIT).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        let speeds = L::speeds_in(entries.len()).unwrap_or(L::SPEEDS);
        Self::of(entries.iter().map(|entry| entry.map(round)).collect(), speeds)
    }

    fn of(entries: Vec<[i16; LANES]>, speeds: usize) -> Self {
        Self::with_entries(Entries::new(entries), speeds)
    }

    /// A network with tables for this number of speeds, which are unpacked when they are first looked at.
    #[cfg(feature = "embedded-weights")]
    pub(super) fn later(speeds: usize, unpack: impl FnOnce() -> Vec<[i16; LANES]> + Send + 'static) -> Self {
        Self::with_entries(Entries::later(unpack), speeds)
    }

    fn with_entries(entries: Entries, speeds: usize) -> Self {
        let instead = [const { None }; MOST_SPEEDS];
        let entries = Arc::new(entries);
        Self { entries, speeds, deaths: [DEATH; MOST_SPEEDS], plateau: None, instead, list: PhantomData }
    }

    /// Returns the same network, in which a lost game is worth this at each speed, in tetrises.
    pub fn with_deaths(self, deaths: [f32; MOST_SPEEDS]) -> Self {
        Self { deaths, ..self }
    }

    /// Returns the same network, but for levels 19 to 28 at 30 Hz: there the values are those of `plateau`, and so is what a
    /// lost game is worth.
    pub fn with_plateau(self, plateau: Arc<Plateau>) -> Self {
        Self { plateau: Some(plateau), ..self }
    }

    /// Returns the same network as it was before [`Self::with_plateau`]. Both share their tables.
    pub fn without_plateau(&self) -> Self {
        Self { plateau: None, ..self.clone() }
    }

    /// Returns the same network with other tables at one speed, where a lost game is worth `death`. They are all tables of
    /// [`Ntuple59`] or of [`Ntuple90`], as for the first speed, and share none with the other speeds.
    pub(super) fn with_tables_at(mut self, speed: usize, tables: Arc<SpeedTables>, death: f32) -> Self {
        if let Some(instead) = self.instead.get_mut(speed) {
            *instead = Some(tables);
            self.deaths[speed] = death;
        }
        self
    }

    /// The tables of one speed as if it shared none with the other speeds. If it has others instead, they may be of another list.
    #[cfg(feature = "embedded-weights")]
    pub(super) fn tables_of(&self, speed: usize) -> Vec<[i16; LANES]> {
        if let Some(Some(tables)) = self.instead.get(speed) {
            return tables.entries().to_vec();
        }
        let mut entries = self.entries().iter().take(L::COMMON).copied().collect::<Vec<_>>();
        if speed > 0 {
            let mut own = self.entries().iter().skip(L::entries_of(speed));
            L::spread_to(1, |from, _| {
                if let Some(&own) = own.next() {
                    entries[from] = own;
                }
            });
        }
        entries
    }

    /// Whether all tables at this speed are its own.
    pub fn is_alone(&self, speed: usize) -> bool {
        self.instead.get(speed).is_some_and(Option::is_some)
    }

    /// The network for levels 19 to 28 at 30 Hz, if there is one.
    pub const fn plateau(&self) -> Option<&Arc<Plateau>> {
        self.plateau.as_ref()
    }

    /// What a lost game is worth at each speed, in tetrises.
    pub fn deaths(&self) -> [f32; MOST_SPEEDS] {
        let mut deaths = self.deaths;
        if let Some(plateau) = &self.plateau {
            deaths[0] = plateau.deaths[0];
        }
        deaths
    }

    /// Unpacks what would be unpacked when a board at one of these levels is first looked at, with or without the double
    /// killscreen: for games in which no decision may wait for that.
    pub fn unpack(&self, levels: RangeInclusive<u8>, fall_rule: FallRule) {
        for level in levels {
            let speed = self.speed(level, fall_rule);
            match (&self.plateau, &self.instead[speed]) {
                (Some(plateau), _) if speed == 0 => plateau.entries(),
                (_, Some(tables)) => tables.entries(),
                (_, None) => self.entries(),
            };
        }
    }

    /// The number of speeds that have tables.
    pub const fn speeds(&self) -> usize {
        self.speeds
    }

    /// Whether there are tables for this speed, shared in part or its own.
    #[inline]
    pub(crate) const fn has_tables(&self, speed: usize) -> bool {
        speed < self.speeds || self.instead[speed].is_some()
    }

    /// Returns the speed whose tables are used at a level. A speed without tables uses those of its [`parent`].
    #[inline]
    pub const fn speed(&self, level: u8, fall_rule: FallRule) -> usize {
        let slow_taps = self.has_tables(MOST_SPEEDS - 1);
        let mut speed = speed(level, fall_rule, slow_taps);
        while !self.has_tables(speed) {
            speed = parent(speed);
        }
        speed
    }

    /// The weights, entry by entry, [`LANES`] each, in tetrises.
    pub fn weights(&self) -> impl Iterator<Item = f32> + '_ {
        self.entries().iter().flatten().map(|&weight| f32::from(weight) * UNIT)
    }

    /// The entries, for the weights file: [`LANES`] weights each, in 1/512 of a tetris.
    #[inline]
    pub fn entries(&self) -> &[[i16; LANES]] {
        self.entries.all()
    }

    /// The entries, given away.
    pub(super) fn into_entries(self) -> Vec<[i16; LANES]> {
        Arc::try_unwrap(self.entries).map_or_else(|shared| shared.all().to_vec(), Entries::into_vec)
    }

    /// Makes a network from these entries, or returns `None` if their number fits no number of speeds.
    pub(super) fn from_entries(entries: Vec<[i16; LANES]>) -> Option<Self> {
        let speeds = L::speeds_in(entries.len())?;
        Some(Self::of(entries, speeds))
    }

    /// Asks for the entries that make the value of a board at one of the [speeds](Self::speed).
    #[inline]
    pub fn ask(&self, shape: &Shape, speed: usize, lookup: &mut Lookup) {
        lookup.mirrored = false;
        self.ask_as_is(shape, speed, lookup);
    }

    /// Whether boards may be looked at in a mirror at one of the [speeds](Self::speed): not from level 29 on, where the walls count.
    pub(crate) fn has_mirror(speed: usize) -> bool {
        MIRRORED.contains(&speed)
    }

    /// Asks for the value of a board by those of its mirror image. From level 29 on that is not done.
    #[inline]
    pub(crate) fn ask_in_mirror(&self, shape: &Shape, speed: usize, lookup: &mut Lookup) {
        if !Self::has_mirror(speed) {
            return self.ask(shape, speed, lookup);
        }
        lookup.mirrored = true;
        self.ask_as_is(&shape.mirrored(), speed, lookup);
    }

    #[inline]
    fn ask_as_is(&self, shape: &Shape, speed: usize, lookup: &mut Lookup) {
        if speed == 0
            && let Some(plateau) = &self.plateau
        {
            return plateau.ask_as_is(shape, speed, lookup);
        }
        match &self.instead[speed] {
            Some(tables) => tables.ask(shape, lookup),
            None => L::ask(self.entries(), shape, speed, lookup),
        }
    }

    /// Adds up the entries that were asked for at this speed: the value for each next piece.
    #[inline]
    fn sum(&self, lookup: &Lookup, speed: usize) -> [i16; LANES] {
        let sum = self.sum_as_is(lookup, speed);
        if lookup.mirrored { odds::mirrored(sum) } else { sum }
    }

    #[inline]
    fn sum_as_is(&self, lookup: &Lookup, speed: usize) -> [i16; LANES] {
        if speed == 0
            && let Some(plateau) = &self.plateau
        {
            return plateau.sum_as_is(lookup, speed);
        }
        let sum = match &self.instead[speed] {
            Some(tables) => tables.sum(lookup),
            None => L::sum(self.entries(), lookup),
        };
        sum.map(|value| value.max((self.deaths[speed] / UNIT) as i16))
    }

    /// Value of a board for each next piece at the speed of `level`, in tetrises at the level of play.
    pub fn values(&self, shape: &Shape, level: u8) -> [f32; 7] {
        self.values_at(shape, self.speed(level, FallRule::Ntsc))
    }

    /// Value of a board for each next piece at one of the [speeds](Self::speed), in tetrises at the level of play.
    pub fn values_at(&self, shape: &Shape, speed: usize) -> [f32; 7] {
        let mut lookup = Lookup::default();
        self.ask(shape, speed, &mut lookup);
        self.values_of(&lookup, speed)
    }

    /// The same, if it was [asked for](Self::ask) at this speed.
    #[inline]
    pub fn values_of(&self, lookup: &Lookup, speed: usize) -> [f32; 7] {
        let sum = self.sum(lookup, speed);
        let mut values = [0.0; 7];
        for (value, &sum) in values.iter_mut().zip(&sum) {
            *value = f32::from(sum) * UNIT;
        }
        values
    }

    /// Value of a board when the next piece is not known and `last` was the one before it.
    pub fn expected(&self, shape: &Shape, level: u8, last: Piece) -> f32 {
        self.expected_at(shape, self.speed(level, FallRule::Ntsc), last)
    }

    /// The same at one of the [speeds](Self::speed).
    pub fn expected_at(&self, shape: &Shape, speed: usize, last: Piece) -> f32 {
        let mut lookup = Lookup::default();
        self.ask(shape, speed, &mut lookup);
        self.expected_of(&lookup, speed, last)
    }

    /// The same, if it was [asked for](Self::ask) at this speed.
    #[inline]
    pub fn expected_of(&self, lookup: &Lookup, speed: usize, last: Piece) -> f32 {
        let sum = self.sum(lookup, speed);
        let dot: i32 = sum
            .iter()
            .zip(&odds::THIRTY_SECONDS[last as usize])
            .map(|(&v, &o)| i32::from(v) * i32::from(o))
            .sum();
        dot as f32 * (UNIT / 32.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::Board;
    #[cfg(feature = "embedded-weights")]
    use std::sync::atomic::{AtomicBool, Ordering};

    #[test]
    fn every_board_has_entries_in_range_and_all_different() {
        let mut seed = 3u64;
        for fill in 0..400 {
            let rows = std::array::from_fn(|r| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if r < fill % 22 { 0 } else { (seed >> 40) as u16 }
            });
            let found = indices(&Shape::of(&Board::from_rows(rows)), true, 0);
            let apart: std::collections::HashSet<_> = found.iter().collect();
            assert_eq!(apart.len(), PATTERNS);
            assert!(found.iter().all(|&entry| (entry as usize) < Ntuple59::COMMON));
        }
    }

    #[test]
    fn a_lookup_can_be_used_again_for_a_shorter_list() {
        let weights = |seed: usize, entries: usize| -> Vec<f32> {
            (0..entries * LANES).map(|at| (at * seed % 1009) as f32 / 1024.0 - 0.5).collect()
        };
        let network = Network::from_weights(&weights(7, ENTRIES));
        let plateau = Plateau::from_weights(&weights(13, Ntuple90::ENTRIES));
        let board: Board = "..........\n##.#.#####\n#########.".parse().expect("art parses");
        let (empty, shape) = (Shape::of(&Board::EMPTY), Shape::of(&board));
        let mut lookup = Lookup::default();
        plateau.ask(&empty, 0, &mut lookup);
        network.ask(&shape, 1, &mut lookup);
        let bits = |values: [f32; 7]| values.map(f32::to_bits);
        assert_eq!(bits(network.values_of(&lookup, 1)), bits(network.values(&shape, 18)));
        let sum = |entries: &[u32], lane: usize| -> f32 {
            entries.iter().map(|&entry| f32::from(network.entries()[entry as usize][lane])).sum::<f32>()
                * UNIT
        };
        let entries = indices(&shape, true, 1);
        for (lane, value) in network.values_of(&lookup, 1).into_iter().enumerate() {
            assert!((value - sum(&entries, lane).max(DEATH)).abs() < 1e-3);
        }
    }

    #[test]
    fn in_a_mirror_a_board_is_worth_what_its_mirror_image_is_up_to_level_28() {
        let weights = |seed: usize, entries: usize| -> Vec<f32> {
            (0..entries * LANES).map(|at| (at * seed % 1009) as f32 / 1024.0 - 0.5).collect()
        };
        let plateau = Arc::new(Plateau::from_weights(&weights(13, Ntuple90::ENTRIES)));
        let network = Network::from_weights(&weights(7, ENTRIES)).with_plateau(plateau);
        let board: Board = "..........\n##.#.#....\n#########.\n#########.\n".parse().expect("art");
        let [shape, mirrored] = [board, board.mirrored()].map(|board| Shape::of(&board));
        for speed in 0..BASE_SPEEDS {
            let mut lookup = Lookup::default();
            network.ask_in_mirror(&shape, speed, &mut lookup);
            let values = network.values_of(&lookup, speed);
            let image = network.values_at(&mirrored, speed);
            let swapped = Piece::ALL.map(|piece| image[piece.mirrored() as usize].to_bits());
            assert_eq!(values.map(f32::to_bits) == swapped, speed < 2, "speed {speed}");
            let mean = |last: Piece| -> f32 {
                values.iter().zip(odds(last)).map(|(value, odds)| value * odds).sum()
            };
            for last in Piece::ALL {
                assert!((network.expected_of(&lookup, speed, last) - mean(last)).abs() < 1e-3);
            }
        }
    }

    #[test]
    #[cfg(feature = "embedded-weights")]
    fn only_games_with_the_double_killscreen_unpack_its_tables() {
        let unpacked = Arc::new(AtomicBool::new(false));
        let looked = Arc::clone(&unpacked);
        let tables = SpeedTables::later(move || {
            looked.store(true, Ordering::Relaxed);
            Vec::new()
        });
        let network = Network::later(BASE_SPEEDS, Vec::new).with_tables_at(3, Arc::new(tables), DEATH);
        network.unpack(0..=u8::MAX, FallRule::Ntsc);
        network.unpack(0..=38, FallRule::DoubleKillscreen);
        assert!(!unpacked.load(Ordering::Relaxed));
        network.unpack(0..=39, FallRule::DoubleKillscreen);
        assert!(unpacked.load(Ordering::Relaxed));
    }

    #[test]
    fn the_tables_of_the_plateau_begin_with_those_of_the_first_speed() {
        assert_eq!((Ntuple90::PATTERNS, Ntuple90::ENTRIES), (90, 8_377_255));
        let mut seed = 5u64;
        for fill in 0..400 {
            let rows = std::array::from_fn(|r| {
                seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if r < fill % 22 { 0 } else { (seed >> 40) as u16 }
            });
            let shape = Shape::of(&Board::from_rows(rows));
            for by_height in [false, true] {
                // Far tables come first, so the two lists do not put their entries in the same order.
                let sorted = |indices: &[u32]| {
                    let mut indices = indices.to_vec();
                    indices.sort_unstable();
                    indices
                };
                let base = sorted(&indices(&shape, by_height, 0));
                let found = sorted(&Ntuple90::indices(&shape, by_height, 0));
                assert_eq!(found[..PATTERNS], base);
                assert!(found[PATTERNS..].iter().all(|&entry| entry as usize >= Ntuple59::COMMON));
            }
        }
    }

    #[test]
    fn each_speed_has_small_tables_of_its_own() {
        let shape = Shape::of(&Board::EMPTY);
        for own in 1..SPEEDS {
            let mut copied = std::collections::HashMap::new();
            Ntuple59::spread_to(own, |from, to| {
                assert_eq!(Ntuple59::is_own(from), parent(own) > 0);
                assert!(Ntuple59::is_own(to) && to < ENTRIES);
                assert_eq!(copied.insert(from, to), None);
            });
            assert_eq!(copied.len(), Ntuple59::OWN);
            let found = indices(&shape, true, own);
            let first = indices(&shape, true, parent(own));
            for (&common, &found) in first.iter().zip(&found) {
                assert_eq!(copied.get(&(common as usize)).map_or(common, |&to| to as u32), found);
            }
        }
    }

    /// With `UPDATE_SNAPSHOT=1` in the environment it writes the page instead.
    #[test]
    fn the_page_of_the_tables_is_what_the_list_says() {
        let page = Listing(Ntuple59::LIST).to_string();
        if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
            let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/eval/ntuple/ntuple59.md");
            std::fs::write(path, &page).expect("the page is written");
        } else {
            assert_eq!(include_str!("ntuple59.md"), page);
        }
    }

    #[test]
    fn odds_add_up_to_one() {
        for piece in Piece::ALL {
            assert!((odds(piece).iter().sum::<f32>() - 1.0).abs() < 1e-6, "{piece}");
        }
    }
}
