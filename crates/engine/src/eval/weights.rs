//! The weights file: a few lines of text that say what it is, an empty line, and the tables, deflated.
//!
//! [`decode`] turns its bytes into a [`Network`], [`decode_as`] into one of another list of tables. A damaged or foreign
//! file is an error that says why.

use std::io::{Read, Write};
use std::sync::Arc;
#[cfg(feature = "embedded-weights")]
use std::sync::LazyLock;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use super::ntuple::{ENTRIES, LANES, Network, NetworkOf, Ntuple59, TableList};
use super::parameters::NOISE;

/// First line of the file: format and version.
const FORMAT: &str = "maxout-weights 4";
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
    #[error("expected a weights file (first line {FORMAT:?}), it begins with {0:?}")]
    Format(String),
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
    (1..L::SPEEDS).for_each(|speed| L::spread_to(speed, &mut difference));
    let mut raw = Vec::with_capacity(raw_bytes(L::ENTRIES));
    // Low bytes first, then high bytes, which are 0 where values are small: each kind compresses better among its own.
    for shift in [0, 8] {
        raw.extend(
            entries.iter().flat_map(|entry| &entry[..STORED]).map(|&value| (fold(value) >> shift) as u8),
        );
    }
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(&raw)?;
    let body = encoder.finish()?;
    let training = training.split_whitespace().collect::<Vec<_>>().join(" ");
    let crc = crc32fast::hash(&body);
    let header = format!(
        "{FORMAT}\nfeatures {}\nentries {}\ntraining {training}\ncrc32 {crc:08x}\n\n",
        L::NAME,
        L::ENTRIES
    );
    Ok([header.into_bytes(), body].concat())
}

/// The network in a weights file of the shipped list.
pub fn decode(file: &[u8]) -> Result<Network, WeightsError> {
    decode_as::<Ntuple59>(file)
}

/// The network in a weights file of the list `L`.
pub fn decode_as<L: TableList>(file: &[u8]) -> Result<NetworkOf<L>, WeightsError> {
    let begins = || String::from_utf8_lossy(&file[..file.len().min(24)]).into_owned();
    let end = file.windows(2).take(2_000).position(|pair| pair == b"\n\n");
    let (Some(end), true) = (end, file.starts_with(FORMAT.as_bytes())) else {
        return Err(WeightsError::Format(begins()));
    };
    let header = String::from_utf8_lossy(&file[..end]);
    let body = &file[end + 2..];
    let crc = format!("crc32 {:08x}", crc32fast::hash(body));
    for expected in [format!("features {}", L::NAME), format!("entries {}", L::ENTRIES), crc] {
        let key = expected.split(' ').next().unwrap_or_default();
        let found = header.lines().find(|line| line.starts_with(key)).unwrap_or_default();
        if found != expected {
            return Err(WeightsError::Header { expected, found: found.chars().take(80).collect() });
        }
    }
    let size = raw_bytes(L::ENTRIES);
    let mut raw = Vec::with_capacity(size);
    ZlibDecoder::new(body)
        .take(size as u64 + 1)
        .read_to_end(&mut raw)
        .map_err(|_| WeightsError::Damaged("the tables do not unpack"))?;
    if raw.len() != size {
        return Err(WeightsError::Damaged("the tables have another size"));
    }
    let (low, high) = raw.split_at(size / 2);
    let mut entries = vec![[0i16; LANES]; L::ENTRIES];
    // Entry by entry, so that the inner loop has a fixed length and is unrolled.
    let bytes = low.as_chunks::<STORED>().0.iter().zip(high.as_chunks::<STORED>().0);
    for (entry, (low, high)) in entries.iter_mut().zip(bytes) {
        for lane in 0..STORED {
            entry[lane] = unfold(u16::from_le_bytes([low[lane], high[lane]]));
        }
    }
    let mut whole = |first: usize, other: usize| {
        let first = entries[first];
        entries[other].iter_mut().zip(first).for_each(|(value, first)| *value = value.wrapping_add(first));
    };
    L::spread(&mut whole);
    (1..L::SPEEDS).for_each(|speed| L::spread_to(speed, &mut whole));
    NetworkOf::from_entries(entries).ok_or(WeightsError::Damaged("the tables have another size"))
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

/// The embedded weights: unpacked by the first call, shared by all.
///
/// # Panics
/// Never in a build whose tests pass: they unpack these very bytes. Always in a build without the feature
/// `embedded-weights`, which has none: there every learned player needs a network
/// ([`Entry::with_network`](crate::player::Entry::with_network)).
pub fn embedded() -> Arc<Network> {
    #[cfg(feature = "embedded-weights")]
    {
        static NETWORK: LazyLock<Arc<Network>> =
            LazyLock::new(|| Arc::new(decode(&EMBEDDED.concat()).expect("the embedded weights are whole")));
        Arc::clone(&NETWORK)
    }
    #[cfg(not(feature = "embedded-weights"))]
    panic!("this build has no weights: give the player a network (Entry::with_network)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_embedded_weights_are_whole_and_pack_to_the_same_tables() {
        let network = embedded();
        let again = decode(&encode(&network, "again").expect("it packs")).expect("it unpacks");
        assert!(again.entries() == network.entries());
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
