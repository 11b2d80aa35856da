//! The weights file: a few lines of text that say what it is, an empty line, and the tables, deflated. And the shipped
//! weights, which are such files.
//!
//! [`decode`] turns bytes into a [`Network`], [`decode_as`] into one of another list of tables. A damaged or foreign
//! file is an error that says why.

mod file;

use std::sync::Arc;
#[cfg(feature = "embedded-weights")]
use std::sync::OnceLock;

use super::ntuple::{Network, Ntuple59, Ntuple90, TableList};
use crate::limits::Presses;
#[cfg(feature = "embedded-weights")]
use crate::limits::TapTable;
use file::{FORMAT, TAPS_FORMAT, field, open};
pub use file::{MAX_BYTES, WeightsError, decode_as, decode_taps, encode, encode_taps, training};
#[cfg(feature = "embedded-weights")]
use maxout_weights_taps::TABLES;

/// The file of the shipped weights, in the parts that it travels in.
#[cfg(feature = "embedded-weights")]
static EMBEDDED: [&[u8]; 2] = [maxout_weights_1::PART, maxout_weights_2::PART];
/// A build without the weights.
#[cfg(not(feature = "embedded-weights"))]
static EMBEDDED: [&[u8]; 1] = [&[]];

/// The network in one or more files, one behind the other: of [`encode`] for all speeds or for the plateau, or of
/// [`encode_taps`]. Without a file for all speeds it is the embedded network with what the others say instead. With one, nothing
/// of the embedded network is used.
pub fn decode(file: &[u8]) -> Result<Network, WeightsError> {
    let (mut whole, mut plateau, mut taps) = (None, None, None);
    for part in parts(file) {
        if part.starts_with(TAPS_FORMAT.as_bytes()) {
            taps = Some(part);
        } else if open(part, FORMAT).is_ok_and(|(header, _)| field(&header, "features") == Ntuple90::NAME) {
            plateau = Some(Arc::new(decode_as::<Ntuple90>(part)?));
        } else {
            whole = Some(decode_as::<Ntuple59>(part)?);
        }
    }
    let network = match (whole, taps) {
        (None, None) if plateau.is_none() => return decode_as::<Ntuple59>(file),
        #[cfg(feature = "embedded-weights")]
        (None, taps) => decode_taps(base(), taps.unwrap_or(TABLES[FOR_30_HZ].1))?,
        #[cfg(not(feature = "embedded-weights"))]
        (None, _) => return decode_as::<Ntuple59>(file),
        (Some(whole), None) => whole,
        (Some(whole), Some(taps)) => decode_taps(whole, taps)?,
    };
    Ok(match plateau {
        Some(plateau) => network.with_plateau(plateau),
        None => network,
    })
}

/// Returns the files that stand one behind the other.
fn parts(file: &[u8]) -> Vec<&[u8]> {
    let begins = |at: usize| {
        [FORMAT, TAPS_FORMAT].iter().any(|format| {
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

/// How the embedded weights were made.
pub fn embedded_training() -> String {
    training(EMBEDDED[0])
}

/// The file of the embedded weights; empty in a build without them.
pub fn embedded_file() -> Vec<u8> {
    EMBEDDED.concat()
}

/// All embedded files that 30 Hz is played with, one behind the other: what [`decode`] makes [`embedded`] of. Empty in a build
/// without weights.
pub fn embedded_files() -> Vec<u8> {
    [embedded_file(), embedded_taps().next().unwrap_or_default().to_vec()].concat()
}

/// The files of the embedded tables for tap speeds, those for 30 Hz first; none in a build without them.
pub fn embedded_taps() -> impl Iterator<Item = &'static [u8]> {
    #[cfg(feature = "embedded-weights")]
    let tables = TABLES.iter();
    #[cfg(not(feature = "embedded-weights"))]
    let tables = [].iter();
    tables.map(|&(_, file): &(&'static str, &'static [u8])| file)
}

/// The embedded weights: unpacked by the first call, shared by all. They are for 30 Hz.
///
/// # Panics
/// Never in a build whose tests pass: they unpack these very bytes. Always in a build without the feature
/// `embedded-weights`, which has none: there every learned player needs a network
/// ([`Entry::with_network`](crate::player::Entry::with_network)).
pub fn embedded() -> Arc<Network> {
    embedded_for(Presses::EachButton)
}

/// The embedded weights for these presses: those of the nearest tap speed that has tables. They are unpacked by the
/// first call for that tap speed, and shared by all.
///
/// # Panics
/// As [`embedded`].
pub fn embedded_for(presses: Presses) -> Arc<Network> {
    #[cfg(feature = "embedded-weights")]
    {
        static NETWORKS: [OnceLock<Arc<Network>>; TABLES.len()] = [const { OnceLock::new() }; TABLES.len()];
        let at = nearest(presses);
        let make = || {
            let network = decode_taps(base(), TABLES[at].1);
            Arc::new(network.expect("the embedded tables are whole"))
        };
        Arc::clone(NETWORKS[at].get_or_init(make))
    }
    #[cfg(not(feature = "embedded-weights"))]
    panic!("this build has no weights for {presses}: give the player a network (Entry::with_network)")
}

/// The embedded weights without any tables for tap speeds: what `train td --taps` begins with. Unpacked by each call.
///
/// # Panics
/// As [`embedded`].
pub fn base() -> Network {
    decode_as(&embedded_file()).expect("the embedded weights are whole")
}

/// The number of the tables for 30 Hz among the embedded ones.
#[cfg(feature = "embedded-weights")]
const FOR_30_HZ: usize = 0;

/// Returns the number of the embedded tables whose first five presses come nearest to these.
#[cfg(feature = "embedded-weights")]
fn nearest(presses: Presses) -> usize {
    let Presses::Table(taps) = presses else { return FOR_30_HZ };
    let distance = |name: &str| {
        let table: Option<TapTable> = name.parse().ok();
        table.map(|table| (1..=5).map(|press| table.least(press).abs_diff(taps.least(press))).max())
    };
    (0..TABLES.len()).min_by_key(|&at| distance(TABLES[at].0)).unwrap_or(FOR_30_HZ)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Shape;
    use crate::eval::ntuple::{DEATH, LANES, NetworkOf};

    #[test]
    fn the_embedded_weights_are_whole_and_pack_to_the_same_tables() {
        let network = base();
        let again = decode(&encode(&network, "again").expect("it packs")).expect("it unpacks");
        assert!(again.entries() == network.entries());
    }

    #[test]
    fn tables_for_taps_pack_to_the_same_tables() {
        let base = base();
        let differs = |table: TapTable| {
            let network = embedded_for(Presses::Table(table));
            let file = encode_taps(&network, &base, "again").expect("it packs");
            let again = decode_taps(base.clone(), &file).expect("it unpacks");
            assert!(again.entries() == network.entries());
            assert_eq!(again.deaths().map(f32::to_bits), network.deaths().map(f32::to_bits));
            assert_eq!(network.entries()[..Ntuple59::COMMON], base.entries()[..Ntuple59::COMMON]);
            network.entries().len() - base.entries().len()
        };
        // At 30 Hz the double killscreen and where clears can crash the game, with slower taps the plateau too.
        assert_eq!(differs(TapTable::HZ_30), 4 * Ntuple59::OWN);
        assert_eq!(differs(TapTable::HZ_12), 5 * Ntuple59::OWN);
    }

    #[test]
    fn a_weights_file_may_be_followed_by_tables_for_taps() {
        let (_, taps) = TABLES[FOR_30_HZ];
        let both = decode(&[&embedded_file(), taps].concat()).expect("whole");
        assert!(both.entries() == embedded().entries());
        assert!(decode(taps).expect("whole").entries() == embedded().entries());
        assert!(decode(&[&embedded_file()[..1_000], taps].concat()).is_err());
    }

    #[test]
    fn a_weights_file_may_be_followed_by_one_for_the_plateau_or_be_that() {
        let shape = Shape::of(&"##.#######\n#########.\n".repeat(2).parse().expect("art parses"));
        let values = |network: &Network, level| network.values(&shape, level).map(f32::to_bits);
        let same =
            |a: &Network, b: &Network| [18, 19, 28, 29].map(|level| values(a, level) == values(b, level));
        let plateau = NetworkOf::<Ntuple90>::from_weights(&vec![0.01; Ntuple90::ENTRIES * LANES]);
        let deaths = [-7.0, DEATH, DEATH, DEATH, DEATH, DEATH, DEATH, DEATH];
        let plateau = encode(&plateau.with_deaths(deaths), "made up").expect("it packs");
        let both = decode(&[embedded_file(), plateau.clone()].concat()).expect("whole");
        assert_eq!(same(&both, &base()), [true, false, false, true]);
        let alone = decode(&plateau).expect("whole");
        assert_eq!(same(&alone, &both), [false, true, true, false]);
        assert_eq!(same(&alone, &embedded()), [true, false, false, true]);
        for network in [&both, &alone] {
            assert_eq!(network.deaths()[0].to_bits(), deaths[0].to_bits());
            assert!(values(network, 19).iter().all(|&value| (f32::from_bits(value) - 0.88).abs() < 0.1));
        }
        assert!(decode(&plateau[..plateau.len() - 1]).is_err());
        assert_eq!(same(&decode(&embedded_files()).expect("whole"), &embedded()), [true; 4]);
        // Whoever brings a whole network plays by nothing else.
        assert_eq!(same(&decode(&embedded_file()).expect("whole"), &base()), [true; 4]);
    }

    #[test]
    fn taps_are_played_by_the_nearest_tables() {
        let name = |taps: &str| TABLES[nearest(Presses::Table(taps.parse().expect("taps")))].0;
        for (taps, expected) in [
            ("30hz", "30hz"),
            ("0,2,5", "30hz"),
            ("24hz", "20hz"),
            ("X...", "15hz"),
            ("12hz", "12hz"),
            ("10hz", "10hz"),
            ("0,9", "10hz"),
            ("slow5", "slow5"),
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
        assert!(refused(&EMBEDDED.concat()).contains("maxout-taps"));
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
