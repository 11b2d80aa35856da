//! The weights file: a few lines of text that say what it is, an empty line, and the tables, deflated.
//!
//! [`decode`] turns its bytes into a [`Network`], [`decode_as`] into one of another list of tables. A damaged or foreign
//! file is an error that says why.

use std::io::{Read, Write};
use std::sync::Arc;
#[cfg(feature = "embedded-weights")]
use std::sync::OnceLock;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use super::ntuple::{BASE_SPEEDS, ENTRIES, LANES, Network, NetworkOf, Ntuple59, SPEEDS, TableList, parent};
use super::parameters::NOISE;
use crate::limits::Presses;
#[cfg(feature = "embedded-weights")]
use crate::limits::TapTable;
#[cfg(feature = "embedded-weights")]
use maxout_weights_taps::TABLES;

/// First line of the file: format and version.
const FORMAT: &str = "maxout-weights 4";
/// The least that a lost game may be worth, in tetrises: what fixed point can say.
const WORST: f32 = -64.0;
/// Most bytes of a file of the tables for one tap speed: its header, and tables that deflate could not make smaller.
const MOST_TAPS: usize = raw_bytes(Ntuple59::OWN * (SPEEDS - 1)) + (1 << 16);
/// First line of a file of the tables for one tap speed.
const TAPS_FORMAT: &str = "maxout-taps 1";
/// Most bytes of a file of the shipped list: its header, and tables that deflate could not make smaller.
pub const MAX_BYTES: u64 = raw_bytes(ENTRIES) as u64 + (1 << 20);
/// Values of an entry that are stored; the last lane only fills the vector.
const STORED: usize = LANES - 1;
/// Bytes of so many entries before compression.
const fn raw_bytes(entries: usize) -> usize {
    entries * STORED * 2
}

/// The file of the shipped weights, in the parts that it travels in.
#[cfg(feature = "embedded-weights")]
static EMBEDDED: [&[u8]; 2] = [maxout_weights_1::PART, maxout_weights_2::PART];
/// A build without the weights.
#[cfg(not(feature = "embedded-weights"))]
static EMBEDDED: [&[u8]; 1] = [&[]];

/// Why bytes are no weights.
#[derive(Debug, Error, PartialEq, Eq)]
pub enum WeightsError {
    /// The first lines are not those of a weights file.
    #[error("expected a weights file (first line {format:?}), it begins with {begins:?}")]
    Format {
        /// The first line of such a file.
        format: &'static str,
        /// How the file begins.
        begins: String,
    },
    /// A line of the header is missing or says something else.
    #[error("weights header: expected {expected:?}, found {found:?}")]
    Header {
        /// What this version reads.
        expected: String,
        /// What stands there.
        found: String,
    },
    /// The tables are not whole.
    #[error("weights are damaged: {0}")]
    Damaged(&'static str),
}

/// The sign as the lowest bit: small values of either sign are small numbers.
const fn fold(value: i16) -> u16 {
    (value << 1 ^ value >> 15) as u16
}

/// What was [folded](fold).
const fn unfold(folded: u16) -> i16 {
    (folded >> 1) as i16 ^ -((folded & 1) as i16)
}

/// The file of `network`, but for differences between bands of max height that are too small to matter; `training`
/// says in one line how it was made.
pub fn encode<L: TableList>(network: &NetworkOf<L>, training: &str) -> std::io::Result<Vec<u8>> {
    // Bands of max height that learned next to nothing of their own are the same as the first, and so with speeds.
    let mut entries = network.entries().to_vec();
    let mut difference = |first: usize, other: usize| {
        let first = entries[first];
        entries[other].iter_mut().zip(first).for_each(|(value, first)| {
            let own = value.wrapping_sub(first);
            *value = if own.unsigned_abs() <= NOISE { 0 } else { own };
        });
    };
    L::spread(&mut difference);
    // From the last one, because a speed's parent comes before it and must still be whole.
    (1..network.speeds()).rev().for_each(|speed| L::spread_to(speed, &mut difference));
    let body = deflate(&entries)?;
    let training = one_line(training);
    let crc = crc32fast::hash(&body);
    let header = format!(
        "{FORMAT}\nfeatures {}\nentries {}\ntraining {training}\ncrc32 {crc:08x}\n\n",
        L::NAME,
        entries.len()
    );
    Ok([header.into_bytes(), body].concat())
}

/// Returns a text as one line.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns these entries, deflated.
fn deflate(entries: &[[i16; LANES]]) -> std::io::Result<Vec<u8>> {
    let mut raw = Vec::with_capacity(raw_bytes(entries.len()));
    // Low bytes first, then high bytes, which are 0 where values are small: each kind compresses better among its own.
    for shift in [0, 8] {
        raw.extend(
            entries.iter().flat_map(|entry| &entry[..STORED]).map(|&value| (fold(value) >> shift) as u8),
        );
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&raw)?;
    encoder.finish()
}

/// Returns `count` entries that were [deflated](deflate).
fn inflate(body: &[u8], count: usize) -> Result<Vec<[i16; LANES]>, WeightsError> {
    let size = raw_bytes(count);
    let mut raw = Vec::with_capacity(size);
    ZlibDecoder::new(body)
        .take(size as u64 + 1)
        .read_to_end(&mut raw)
        .map_err(|_| WeightsError::Damaged("the tables do not unpack"))?;
    if raw.len() != size {
        return Err(WeightsError::Damaged("the tables have another size"));
    }
    let (low, high) = raw.split_at(size / 2);
    let mut entries = vec![[0i16; LANES]; count];
    // Entry by entry, so that the inner loop has a fixed length and is unrolled.
    let bytes = low.as_chunks::<STORED>().0.iter().zip(high.as_chunks::<STORED>().0);
    for (entry, (low, high)) in entries.iter_mut().zip(bytes) {
        for lane in 0..STORED {
            entry[lane] = unfold(u16::from_le_bytes([low[lane], high[lane]]));
        }
    }
    Ok(entries)
}

/// The network in a weights file of the shipped list. The file may be followed by one of [`encode_taps`], whose tables are
/// then used. For such a file alone it is the embedded network with the tables of the file.
pub fn decode(file: &[u8]) -> Result<Network, WeightsError> {
    let last = file.len().saturating_sub(MOST_TAPS);
    let found = file[last..].windows(TAPS_FORMAT.len()).rposition(|bytes| bytes == TAPS_FORMAT.as_bytes());
    match found.map(|at| file.split_at(last + at)) {
        None => decode_as::<Ntuple59>(file),
        #[cfg(feature = "embedded-weights")]
        Some(([], taps)) => decode_taps(base(), taps),
        Some((weights, taps)) => decode_taps(decode_as::<Ntuple59>(weights)?, taps),
    }
}

/// The network in a weights file of the list `L`.
pub fn decode_as<L: TableList>(file: &[u8]) -> Result<NetworkOf<L>, WeightsError> {
    let (header, body) = open(file, FORMAT)?;
    let entries = field(&header, "entries");
    // A list may have learned further speeds since.
    let speeds = (1..=L::SPEEDS).find(|&speeds| entries == L::entries_of(speeds).to_string());
    let expected = format!("entries {}", L::entries_of(speeds.unwrap_or(L::SPEEDS)));
    check(&header, &[format!("features {}", L::NAME), expected, crc_of(body)])?;
    let speeds = speeds.unwrap_or(L::SPEEDS);
    let mut entries = inflate(body, L::entries_of(speeds))?;
    let mut whole = |first: usize, other: usize| {
        let first = entries[first];
        entries[other].iter_mut().zip(first).for_each(|(value, first)| *value = value.wrapping_add(first));
    };
    L::spread(&mut whole);
    (1..speeds).for_each(|speed| L::spread_to(speed, &mut whole));
    NetworkOf::from_entries(entries).ok_or(WeightsError::Damaged("the tables have another size"))
}

/// Returns the header and the body of a file that begins with `format`.
fn open<'a>(file: &'a [u8], format: &'static str) -> Result<(String, &'a [u8]), WeightsError> {
    let end = file.windows(2).take(2_000).position(|pair| pair == b"\n\n");
    match end {
        Some(end) if file.starts_with(format.as_bytes()) => {
            Ok((String::from_utf8_lossy(&file[..end]).into_owned(), &file[end + 2..]))
        }
        _ => {
            let begins = String::from_utf8_lossy(&file[..file.len().min(24)]).into_owned();
            Err(WeightsError::Format { format, begins })
        }
    }
}

/// Returns what a header says behind a key.
fn field<'a>(header: &'a str, key: &str) -> &'a str {
    header.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(' ')).unwrap_or_default()
}

/// Returns the line of a header that has the checksum of `body`.
fn crc_of(body: &[u8]) -> String {
    format!("crc32 {:08x}", crc32fast::hash(body))
}

/// Refuses a header that lacks one of these lines.
fn check(header: &str, lines: &[String]) -> Result<(), WeightsError> {
    for expected in lines {
        let key = expected.split(' ').next().unwrap_or_default();
        let found = header.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        if found != expected {
            let expected = expected.clone();
            return Err(WeightsError::Header { expected, found: found.chars().take(80).collect() });
        }
    }
    Ok(())
}

/// Returns a file of the tables that `network` has for each [speed](super::ntuple::speed) but the first. They are
/// stored as differences from the tables that `base` uses at that speed; differences that are too small to matter are
/// left out. What a lost game is worth at each speed is in the header.
pub fn encode_taps(network: &Network, base: &Network, training: &str) -> std::io::Result<Vec<u8>> {
    let mut entries = Vec::new();
    for speed in 1..network.speeds() {
        same_tables(speed, |from, to| {
            let (from, to) = (base.entries()[from], network.entries()[to]);
            entries.push(std::array::from_fn(|lane| {
                let own = to[lane].wrapping_sub(from[lane]);
                if own.unsigned_abs() <= NOISE { 0 } else { own }
            }));
        });
    }
    let body = deflate(&entries)?;
    let (speeds, training, crc) = (network.speeds(), one_line(training), crc_of(&body));
    let features = Ntuple59::NAME;
    let deaths = network.deaths().map(|death| death.to_string()).join(" ");
    let header = format!(
        "{TAPS_FORMAT}\nfeatures {features}\nspeeds {speeds}\ndeaths {deaths}\ntraining {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// Returns `base` with the tables of a file of [`encode_taps`]. `base` must be the network that the file was made
/// with, because the file holds differences from it. If the file has tables for all [`SPEEDS`], the result is for taps
/// slower than 30 Hz.
pub fn decode_taps(base: Network, file: &[u8]) -> Result<Network, WeightsError> {
    let (header, body) = open(file, TAPS_FORMAT)?;
    let speeds = field(&header, "speeds").parse().ok().filter(|speeds| (2..=SPEEDS).contains(speeds));
    let speeds = speeds.unwrap_or(SPEEDS);
    check(&header, &[format!("features {}", Ntuple59::NAME), format!("speeds {speeds}"), crc_of(body)])?;
    let deaths = deaths(field(&header, "deaths"))?;
    let mut own = inflate(body, Ntuple59::OWN * (speeds - 1))?;
    let mut learned = own.iter_mut();
    for speed in 1..speeds {
        same_tables(speed, |from, _| {
            let whole = |entry: &mut [i16; LANES]| {
                let from = base.entries()[from];
                entry.iter_mut().zip(from).for_each(|(value, from)| *value = value.wrapping_add(from));
            };
            learned.next().map(whole);
        });
    }
    let mut entries = base.into_entries();
    entries.truncate(Ntuple59::COMMON);
    entries.extend(own);
    let network =
        Network::from_entries(entries).ok_or(WeightsError::Damaged("the tables have another size"))?;
    Ok(network.with_deaths(deaths))
}

/// Returns what a lost game is worth at each speed, from a line of numbers.
fn deaths(line: &str) -> Result<[f32; SPEEDS], WeightsError> {
    let number = |text: &str| text.parse().ok().filter(|death| (WORST..=0.0).contains(death));
    let numbers: Option<Vec<f32>> = line.split(' ').map(number).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| WeightsError::Header {
        expected: format!("deaths with {SPEEDS} numbers from {WORST} to 0"),
        found: line.chars().take(80).collect(),
    })
}

/// Calls `pair(from, to)` for each entry `to` of a speed's own tables. `from` is the entry of the base network that it
/// is stored as a difference from.
fn same_tables(speed: usize, mut pair: impl FnMut(usize, usize)) {
    let mut known = speed;
    while known >= BASE_SPEEDS {
        known = parent(known);
    }
    let mut froms = Vec::new();
    if known == 0 {
        Ntuple59::spread_to(1, |from, _| froms.push(from));
    } else {
        let first = Ntuple59::entries_of(known);
        froms.extend(first..first + Ntuple59::OWN);
    }
    froms.into_iter().zip(Ntuple59::entries_of(speed)..).for_each(|(from, to)| pair(from, to));
}

/// How the weights in a file were made; nothing if it does not say.
pub fn training(file: &[u8]) -> String {
    let head = String::from_utf8_lossy(&file[..file.len().min(2_000)]).into_owned();
    head.lines().find_map(|line| line.strip_prefix("training ")).unwrap_or_default().to_owned()
}

/// How the embedded weights were made.
pub fn embedded_training() -> String {
    training(EMBEDDED[0])
}

/// The file of the embedded weights; empty in a build without them.
pub fn embedded_file() -> Vec<u8> {
    EMBEDDED.concat()
}

/// The files of the embedded tables for tap speeds; none in a build without them.
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
    fn every_value_unfolds() {
        assert!((i16::MIN..=i16::MAX).all(|value| unfold(fold(value)) == value));
        assert_eq!([0, -1, 1, -2, 2].map(fold), [0, 1, 2, 3, 4]);
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
