//! The weights file: a few lines of text that say what it is, an empty line, and the tables, packed. And the shipped
//! weights, which are such files.
//!
//! [`decode`] turns bytes into a [`Network`], [`decode_as`] into one of another list of tables. A damaged or foreign
//! file is an error that says why.

#[cfg(feature = "embedded-weights")]
mod cache;
mod embedded;
mod file;

use std::sync::{Arc, OnceLock};

use super::ntuple::{ENTRIES, LANES, Network, Ntuple59, Ntuple90, TableList};
use crate::limits::{Limits, Presses};
use embedded::EMBEDDED;
#[cfg(feature = "embedded-weights")]
use embedded::{FOR_30_HZ, TABLES, nearest, taps_network};
pub use embedded::{base, blind_early, embedded_file, embedded_files, embedded_plateau, plateau};
use file::{FORMAT, MAX_MEMORY, SPEED_FORMAT, TAPS_FORMAT, decode_speed, field, open};
pub use file::{
    MAX_BYTES, WeightsError, checksum, decode_as, decode_plateau, decode_taps, pack, same_tables,
};

/// The network in one or more files, one behind the other: for all speeds, for the plateau, for taps, or for one speed. Without a file for all speeds it is the embedded network with what the others say instead. With one, nothing
/// of the embedded network is used.
pub fn decode(file: &[u8]) -> Result<Network, WeightsError> {
    check_begin(file)?;
    let parts = parts(file);
    check_memory(file, &parts)?;
    let (mut whole, mut on_plateau, mut taps, mut alone) = (None, None, None, Vec::new());
    let mut below = EMBEDDED[0];
    for part in parts {
        match Part::of(part) {
            Part::Taps => taps = Some(part),
            Part::Speed { .. } => alone.push(part),
            Part::Plateau => on_plateau = Some(part),
            Part::Whole => (whole, below) = (Some(decode_as::<Ntuple59>(part)?), part),
        }
    }
    let network = match (whole, taps) {
        (None, None) if on_plateau.is_none() && alone.is_empty() => return decode_as::<Ntuple59>(file),
        #[cfg(feature = "embedded-weights")]
        (None, taps) => decode_taps(base(), taps.unwrap_or(TABLES[FOR_30_HZ].1))?,
        #[cfg(not(feature = "embedded-weights"))]
        (None, _) => return decode_as::<Ntuple59>(file),
        (Some(whole), None) => whole,
        (Some(whole), Some(taps)) => decode_taps(whole, taps)?,
    };
    let network = match on_plateau {
        Some(part) => {
            let plateau = decode_plateau(part, &network, &checksum(below))?;
            network.with_plateau(Arc::new(plateau))
        }
        None => network,
    };
    alone.into_iter().try_fold(network, |network, part| decode_speed(network, part, plateau))
}

/// What one of several files, one behind the other, has tables for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Whole,
    Plateau,
    Taps,
    /// One speed.
    Speed {
        on_plateau: bool,
    },
}

impl Part {
    fn of(part: &[u8]) -> Self {
        let on_plateau =
            |format| open(part, format).is_ok_and(|(header, _)| field(&header, "features") == Ntuple90::NAME);
        if part.starts_with(TAPS_FORMAT.as_bytes()) {
            Self::Taps
        } else if part.starts_with(SPEED_FORMAT.as_bytes()) {
            Self::Speed { on_plateau: on_plateau(SPEED_FORMAT) }
        } else if on_plateau(FORMAT) {
            Self::Plateau
        } else {
            Self::Whole
        }
    }

    /// Entries that it unpacks to, at most.
    const fn entries(self) -> usize {
        match self {
            Self::Whole => ENTRIES,
            Self::Plateau => Ntuple90::ENTRIES,
            Self::Taps => ENTRIES - Ntuple59::COMMON,
            Self::Speed { on_plateau: true } => Ntuple90::COMMON,
            Self::Speed { on_plateau: false } => Ntuple59::COMMON,
        }
    }
}

/// Fails if bytes do not begin as a file of weights does. The first bytes of a file will do.
pub fn check_begin(file: &[u8]) -> Result<(), WeightsError> {
    let is_one = [FORMAT, TAPS_FORMAT, SPEED_FORMAT].iter().any(|format| file.starts_with(format.as_bytes()));
    if is_one { Ok(()) } else { open(file, FORMAT).map(|_| ()) }
}

/// Fails if the file and what it unpacks to take more than [`MAX_MEMORY`], or if it has tables for one thing more than once.
fn check_memory(file: &[u8], parts: &[&[u8]]) -> Result<(), WeightsError> {
    let kinds: Vec<Part> = parts.iter().map(|part| Part::of(part)).collect();
    let twice = |kind| kinds.iter().filter(|&&other| other == kind).count() > 1;
    if [Part::Whole, Part::Plateau, Part::Taps].into_iter().any(twice) {
        return Err(WeightsError::Damaged("the same tables are in the file twice"));
    }
    // Without tables for all speeds these are on top of the embedded ones.
    let below = if kinds.contains(&Part::Whole) { 0 } else { Part::Whole.entries() };
    let entries: usize = below + kinds.iter().map(|kind| kind.entries()).sum::<usize>();
    let bytes = file.len() + entries * size_of::<[i16; LANES]>();
    if bytes > MAX_MEMORY { Err(WeightsError::TooLarge(bytes >> 20)) } else { Ok(()) }
}

/// Returns the files that stand one behind the other.
fn parts(file: &[u8]) -> Vec<&[u8]> {
    let begins = |at: usize| {
        [FORMAT, TAPS_FORMAT, SPEED_FORMAT].iter().any(|format| {
            let rest = file[at..].strip_prefix(format.as_bytes());
            rest.is_some_and(|rest| rest.starts_with(b"\nfeatures "))
        })
    };
    let mut parts = Vec::new();
    let mut from = 0;
    for at in 1..=file.len() {
        if at == file.len() || file[at] == FORMAT.as_bytes()[0] && begins(at) {
            parts.push(&file[from..at]);
            from = at;
        }
    }
    parts
}

/// The part of the embedded weights that all limits have in common, for tests and training: weaker than [`embedded_for`], with which
/// players and analysts play. It is for 30 Hz, without the tables that single speeds of fall have for themselves and without the
/// network for levels 19 to 28. Unpacked when a board is first looked at, shared by all.
///
/// # Panics
/// Never in a build whose tests pass: they unpack these very bytes. Always in a build without the feature
/// `embedded-weights`, which has none: there every learned player needs a network
/// ([`Entry::with_network`](crate::player::Entry::with_network)).
pub fn embedded_common() -> Arc<Network> {
    static NETWORK: OnceLock<Arc<Network>> = OnceLock::new();
    Arc::clone(NETWORK.get_or_init(|| Arc::new(embedded_taps_for(Presses::EachButton))))
}

/// The embedded weights for these limits: those of the nearest tap speed that has tables, and where one speed of fall has all tables for
/// itself at that tap speed, those. At 30 Hz without a reaction delay, levels 19 to 28 have a network of their own.
/// Tables are unpacked when a board is first looked at. They are shared by all. The forecasts of the analysis
/// are fitted to those for [`Limits::EACH_BUTTON`].
///
/// # Panics
/// As [`embedded_common`].
pub fn embedded_for(limits: Limits) -> Arc<Network> {
    #[cfg(feature = "embedded-weights")]
    return cache::network(limits);
    #[cfg(not(feature = "embedded-weights"))]
    panic!("this build has no weights for {limits}: give the player a network (Entry::with_network)")
}

/// The embedded files that the network of [`embedded_for`] is made of, except the file of the large tables ([`embedded_file`]). The file of
/// the network for levels 19 to 28 ([`embedded_plateau`]) is among them if that network is in use, but not if other tables are merely stored
/// as differences from it. Empty in a build without weights.
pub fn embedded_files_for(limits: Limits) -> Vec<&'static [u8]> {
    #[cfg(feature = "embedded-weights")]
    return cache::files(limits);
    #[cfg(not(feature = "embedded-weights"))]
    {
        _ = limits;
        Vec::new()
    }
}

/// The embedded weights for these presses without the tables that single speeds of fall have for themselves: what `train td --alone`
/// begins with. Each call makes a network of its own, which is unpacked when a board is first looked at.
///
/// # Panics
/// As [`embedded_common`].
pub fn embedded_taps_for(presses: Presses) -> Network {
    #[cfg(feature = "embedded-weights")]
    return taps_network(nearest(presses));
    #[cfg(not(feature = "embedded-weights"))]
    panic!("this build has no weights for {presses}: give the player a network (Entry::with_network)")
}

#[cfg(test)]
mod tests {
    use super::embedded::{EMBEDDED, speed_files};
    use super::file::add_packed;
    use super::*;
    use crate::eval::Shape;
    use crate::eval::ntuple::{BASE_SPEEDS, LANES, SPEEDS};
    use crate::limits::{Reaction, TapTable};
    use maxout_rules::{Board, FallRule};

    #[test]
    fn all_embedded_tables_of_single_speeds_unpack() {
        let (shape, base) = (Shape::of(&Board::EMPTY), base());
        let whole = base.clone().with_plateau(Arc::new(plateau().expect("whole")));
        for of in speed_files() {
            let taps: TapTable = of.taps.parse().expect("a tap speed");
            let alone = decode_speed(whole.clone(), of.file, plateau).expect("whole");
            // Those of the plateau are differences from its network, whether that is at hand or not.
            let without = decode_speed(base.clone(), of.file, plateau).expect("whole");
            let values = |network: &Network, speed| network.values_at(&shape, speed).map(f32::to_bits);
            assert!(
                (1..SPEEDS).all(|at| !alone.is_alone(at) || values(&alone, at) == values(&without, at)),
                "{taps}"
            );
            let reaction = if of.blind { Reaction::NextPiece } else { Reaction::NONE };
            let network = embedded_for(Limits::taps(taps).with_reaction(reaction));
            let at_30_hz = taps == TapTable::HZ_30 && !of.blind;
            assert_eq!(network.plateau().is_some(), at_30_hz, "{taps}");
            let speed = network.speed(of.level, FallRule::DoubleKillscreen);
            assert!(network.is_alone(speed) && speed > 0, "{taps} {}", of.level);
            let (death, values) = (network.deaths()[speed], network.values_at(&shape, speed));
            assert!(values.iter().all(|&value| death < value && value < 20.0), "{taps} {}", of.level);
        }
    }

    #[test]
    fn all_embedded_tables_for_taps_unpack() {
        for (name, file) in TABLES {
            let network = embedded_for(Limits::taps(name.parse().expect("a tap speed")));
            for fall_rule in FallRule::ALL {
                network.unpack(0..=u8::MAX, fall_rule);
            }
            let whole = decode_taps(base(), file).expect("whole");
            assert!(network.entries() == whole.entries() && network.speeds() == whole.speeds(), "{name}");
        }
    }

    #[test]
    fn tables_are_unpacked_whole_or_refused() {
        let entry =
            |at: usize| std::array::from_fn(|lane| if lane < 7 { (at * 31 + lane) as i16 } else { 0 });
        let entries: Vec<[i16; LANES]> = (0..5_000).map(entry).collect();
        let body = pack(&entries).expect("packed");
        let unpack = |body: &[u8], count, beyond| {
            let mut entries = vec![[0; LANES]; count];
            add_packed(&mut entries, beyond, body).map(|()| entries)
        };
        let refused = |body: &[u8], count| unpack(body, count, 0).expect_err("damaged").to_string();
        assert!(unpack(&body, 5_000, 0).expect("whole") == entries);
        assert!(unpack(&body, 4_000, 1_000).expect("whole") == entries[..4_000]);
        for count in [0, 4_990, 5_009, 9_000] {
            assert!(refused(&body, count).contains("another size"), "{count}");
        }
        for cut in [0, 11, body.len() / 2] {
            assert!(refused(&body[..cut], 5_000).contains("another size"), "{cut}");
        }
        let mut damaged = body.clone();
        *damaged.last_mut().expect("a checksum") ^= 1;
        assert!(refused(&damaged, 5_000).contains("do not unpack"));
        let twice =
            unpack(&body, 5_000, 0).and_then(|mut once| add_packed(&mut once, 0, &body).map(|()| once));
        let doubled = entries.iter().map(|entry| entry.map(|value| value.wrapping_mul(2)));
        assert!(twice.expect("whole").into_iter().eq(doubled));
    }

    #[test]
    fn a_weights_file_may_be_followed_by_tables_for_taps() {
        let (_, taps) = TABLES[FOR_30_HZ];
        let both = decode(&[&embedded_file(), taps].concat()).expect("whole");
        assert!(both.entries() == embedded_common().entries());
        assert!(decode(taps).expect("whole").entries() == embedded_common().entries());
        assert!(decode(&[&embedded_file()[..1_000], taps].concat()).is_err());
    }

    #[test]
    fn taps_are_played_by_the_nearest_tables() {
        let name = |taps: &str| TABLES[nearest(taps.parse().expect("taps"))].0;
        for (taps, expected) in [
            ("30hz", "30hz"),
            ("24hz", "24hz"),
            ("0,2,5", "24hz"),
            ("0,3,5,8,10", "20hz"),
            ("X...", "15hz"),
            ("12hz", "12hz"),
            ("10hz", "10hz"),
            ("0,9", "10hz"),
            ("slow5", "slow5"),
            ("das", "10hz"),
            ("12hz+das", "12hz"),
        ] {
            assert_eq!(name(taps), expected, "{taps}");
        }
        assert_eq!(nearest(Presses::OnePerRow), FOR_30_HZ);
    }

    #[test]
    fn damaged_tables_for_taps_are_refused_with_the_reason() {
        let refused = |file: &[u8]| decode_taps(base(), file).expect_err("damaged").to_string();
        let (_, file) = TABLES[FOR_30_HZ];
        let mut damaged = file.to_vec();
        let last = damaged.len() - 1;
        damaged[last] ^= 1;
        assert!(refused(&damaged).contains("crc32"));
        let text = String::from_utf8_lossy(file);
        let (header, _) = text.split_once("\n\n").expect("a header");
        let body = &file[header.len()..];
        for (line, by) in
            [("speeds 7", "speeds 9"), ("features ntuple-59-a", "features x"), ("deaths ", "deaths 1 ")]
        {
            let header = header.replace(line, by);
            assert!(refused(&[header.as_bytes(), body].concat()).contains("expected"), "{by}");
        }
        let header = header.replace("alike 3 6", "alike 3 2");
        assert!(refused(&[header.as_bytes(), body].concat()).contains("alike"));
        assert!(refused(&EMBEDDED.concat()).contains("maxout-taps"));
    }

    #[test]
    fn tables_for_taps_are_refused_behind_tables_of_too_few_speeds() {
        let (_, file) = TABLES[FOR_30_HZ];
        for speeds in 1..BASE_SPEEDS {
            let error = decode_taps(Network::later(speeds, Vec::new), file).expect_err("too few");
            assert!(error.to_string().contains("another size"), "{error}");
        }
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_with_the_reason() {
        let mut file = EMBEDDED.concat();
        let last = file.len() - 1;
        file[last] ^= 1;
        let error = decode(&file).expect_err("damaged").to_string();
        assert!(error.contains("crc32"), "{error}");
        file.truncate(last);
        assert!(decode(&file).is_err());
        let error = decode(b"PK\x03\x04 a zip file").expect_err("foreign").to_string();
        assert!(error.contains("expected a weights file"), "{error}");
        assert!(decode(b"").is_err());
        let other = String::from_utf8_lossy(&EMBEDDED[0][..200]).replace("ntuple-59-a", "ntuple-99");
        let error = decode(other.as_bytes()).expect_err("other features").to_string();
        assert!(error.contains("features"), "{error}");
    }
}
