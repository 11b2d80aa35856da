//! The embedded files, and the networks that each call makes from them.

use super::file::{WeightsError, decode_as, decode_plateau_speed};
#[cfg(feature = "embedded-weights")]
use super::file::{decode_plateau_onto, decode_taps_later};
use crate::eval::ntuple::{Network, Plateau};
#[cfg(feature = "embedded-weights")]
use crate::limits::{Presses, TapTable};
#[cfg(feature = "embedded-weights")]
use maxout_weights_seen::SpeedFile;
#[cfg(feature = "embedded-weights")]
pub(super) use maxout_weights_seen::TABLES;

/// The file of the shipped weights, in the parts that it travels in.
#[cfg(feature = "embedded-weights")]
pub(super) static EMBEDDED: [&[u8]; 2] = [maxout_weights_large_1::PART, maxout_weights_large_2::PART];
/// A build without the weights.
#[cfg(not(feature = "embedded-weights"))]
pub(super) static EMBEDDED: [&[u8]; 1] = [&[]];

/// The file of the embedded network for levels 19 to 28.
#[cfg(feature = "embedded-weights")]
pub(super) use maxout_weights_seen::PLATEAU as EMBEDDED_PLATEAU;
/// A build without the weights.
#[cfg(not(feature = "embedded-weights"))]
static EMBEDDED_PLATEAU: &[u8] = &[];

/// The file of the embedded weights; empty in a build without them.
pub fn embedded_file() -> Vec<u8> {
    EMBEDDED.concat()
}

/// The file of the embedded network for levels 19 to 28; empty in a build without it.
pub fn embedded_plateau() -> &'static [u8] {
    EMBEDDED_PLATEAU
}

/// The embedded files of [`embedded_common`](super::embedded_common), one behind the other; [`decode`](super::decode) makes that network from them. Empty in a build
/// without weights.
pub fn embedded_files() -> Vec<u8> {
    #[cfg(feature = "embedded-weights")]
    return [embedded_file(), TABLES[FOR_30_HZ].1.to_vec()].concat();
    #[cfg(not(feature = "embedded-weights"))]
    embedded_file()
}

/// The embedded tables for single speeds of fall.
#[cfg(feature = "embedded-weights")]
pub(super) fn speed_files() -> impl Iterator<Item = &'static SpeedFile> {
    let blind = maxout_weights_blind::FILES.iter().chain(&maxout_weights_blind_killscreen::FILES);
    blind.chain(&maxout_weights_seen::FILES)
}

/// The embedded weights with the embedded tables of this number, unpacked when they are first looked at.
#[cfg(feature = "embedded-weights")]
pub(super) fn taps_network(at: usize) -> Network {
    decode_taps_later(base, TABLES[at].1).expect("the embedded tables are whole")
}

/// The embedded weights without any tables for tap speeds: what `train td --taps` begins with. Unpacked by each call.
///
/// # Panics
/// As [`embedded_common`](super::embedded_common).
pub fn base() -> Network {
    decode_as(&embedded_file()).expect("the embedded weights are whole")
}

/// The embedded network for levels 19 to 28 at 30 Hz, unpacked by each call. An error in a build without it.
pub fn plateau() -> Result<Plateau, WeightsError> {
    #[cfg(feature = "embedded-weights")]
    return decode_plateau_onto(EMBEDDED_PLATEAU, &embedded_file());
    #[cfg(not(feature = "embedded-weights"))]
    decode_as(EMBEDDED_PLATEAU)
}

/// The embedded tables for levels up to 18 at 30 Hz for players who see the next piece too late: what a blind `train td --alone` begins
/// with at other taps and speeds of fall. Unpacked by each call. An error in a build without them.
pub fn blind_early() -> Result<Plateau, WeightsError> {
    #[cfg(feature = "embedded-weights")]
    let file = speed_files().find(|of| (of.taps, of.level, of.blind) == ("30hz", 18, true)).map(|of| of.file);
    #[cfg(not(feature = "embedded-weights"))]
    let file = None;
    decode_plateau_speed(file.unwrap_or_default(), plateau)
}

/// The number of the tables for 30 Hz among the embedded ones.
#[cfg(feature = "embedded-weights")]
pub(super) const FOR_30_HZ: usize = 0;

/// Returns the number of the embedded tables whose first five presses come nearest to these; with held directions, to their shifts.
#[cfg(feature = "embedded-weights")]
pub(super) fn nearest(presses: Presses) -> usize {
    let least = |press: u8| match presses {
        Presses::Table(taps) => taps.least(usize::from(press)),
        Presses::Das(das) => das.least(press),
        _ => TapTable::HZ_30.least(usize::from(press)),
    };
    let distance = |name: &str| {
        let table: Option<TapTable> = name.parse().ok();
        table.map(|table| (1..=5u8).map(|press| table.least(usize::from(press)).abs_diff(least(press))).max())
    };
    (0..TABLES.len()).min_by_key(|&at| distance(TABLES[at].0)).unwrap_or(FOR_30_HZ)
}
