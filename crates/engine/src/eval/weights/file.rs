//! The files of a network, byte for byte: [`encode`] and [`decode_as`], [`encode_taps`] and [`decode_taps`].

use std::io::{self, ErrorKind, Read, Write};
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use crate::eval::ntuple::{
    BASE_SPEEDS, DEATH, LANES, MOST_SPEEDS, Network, NetworkOf, Ntuple59, Ntuple90, Plateau, SPEEDS,
    SpeedTables, TableList, parent,
};
use crate::eval::parameters::{NOISE, NOISE_ALONE};

/// First line of the file: format and version.
pub(super) const FORMAT: &str = "maxout-weights 4";
/// The least that a lost game may be worth, in tetrises: what fixed point can say.
const WORST: f32 = -64.0;
/// First line of a file of the tables for one tap speed.
pub(super) const TAPS_FORMAT: &str = "maxout-taps 1";
/// First line of a file of all tables of one speed.
pub(super) const SPEED_FORMAT: &str = "maxout-speed 1";
/// Most bytes of the files that [`decode`](super::decode) reads at once: the largest one with tables that deflate could not make
/// smaller. Those of the shipped weights have 32 MB.
pub const MAX_BYTES: u64 = raw_bytes(Ntuple90::ENTRIES) as u64 + (1 << 20);
/// Most bytes of memory that these files take, with the tables that they unpack to and the embedded ones that they build on: enough for the
/// shipped weights. The process stays below 300 MB.
pub(super) const MAX_MEMORY: usize = 246 << 20;
/// Values of an entry that are stored; the last lane only fills the vector.
const STORED: usize = LANES - 1;
/// Most bytes of a header that say how the weights were made: [`open`] reads 2,000, and all other lines take less than 600.
const MOST_TRAINING: usize = 1_400;
/// Size of this number of entries before compression, in bytes.
const fn raw_bytes(entries: usize) -> usize {
    entries * STORED * 2
}

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
    /// The tables take too much memory.
    #[error("the weights take {0} MiB of memory, expected at most {most}", most = MAX_MEMORY >> 20)]
    TooLarge(usize),
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
/// says in one line how it was made. What [`decode_as`] would refuse is an error.
pub fn encode<L: TableList>(network: &NetworkOf<L>, training: &str) -> io::Result<Vec<u8>> {
    check_deaths(&network.deaths())?;
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
    let crc = crc_of(&body);
    // A file that says nothing of it means the usual price.
    let deaths = match network.deaths() {
        deaths if deaths.iter().all(|&death| death.to_bits() == DEATH.to_bits()) => String::new(),
        deaths => format!("deaths {}\n", words(deaths)),
    };
    let (features, entries) = (L::NAME, entries.len());
    let header =
        format!("{FORMAT}\nfeatures {features}\nentries {entries}\n{deaths}training {training}\n{crc}\n\n");
    Ok([header.into_bytes(), body].concat())
}

/// Whether a lost game may be worth this.
fn is_death(death: f32) -> bool {
    (WORST..=0.0).contains(&death)
}

/// Refuses what a lost game cannot be worth.
fn check_deaths(deaths: &[f32]) -> io::Result<()> {
    match deaths.iter().find(|&&death| !is_death(death)) {
        Some(death) => {
            Err(refused(format!("a lost game is worth {death}, expected a number from {WORST} to 0")))
        }
        None => Ok(()),
    }
}

/// The error of what no file can hold.
fn refused(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}

/// Returns what a lost game is worth at each speed, as a line of numbers.
fn words(deaths: [f32; MOST_SPEEDS]) -> String {
    deaths.map(|death| death.to_string()).join(" ")
}

/// Returns a text as one line, of which what exceeds [`MOST_TRAINING`] is left out.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.truncate((0..=MOST_TRAINING).rfind(|&end| line.is_char_boundary(end)).unwrap_or(0));
    line
}

/// Returns these entries, deflated.
pub(super) fn deflate(entries: &[[i16; LANES]]) -> io::Result<Vec<u8>> {
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

/// Returns `count` entries that were [deflated](deflate), with room for `more`.
pub(super) fn inflate(body: &[u8], count: usize, more: usize) -> Result<Vec<[i16; LANES]>, WeightsError> {
    let mut decoder = ZlibDecoder::new(body);
    let mut entries = vec![[0i16; LANES]; count + more];
    entries.truncate(count);
    // Some entries at a time, so that what was unpacked is still in the cache.
    let mut bytes = [[0u8; STORED]; 2_048];
    // The same bytes, padded to whole entries, so that the compiler can vectorise the loop over them.
    let mut lanes = [[0u8; LANES]; 2_048];
    for high in [false, true] {
        for entries in entries.chunks_mut(bytes.len()) {
            let bytes = &mut bytes[..entries.len()];
            decoder.read_exact(bytes.as_flattened_mut()).map_err(|error| damage(&error))?;
            for (lanes, bytes) in lanes.iter_mut().zip(bytes) {
                lanes[..STORED].copy_from_slice(bytes);
            }
            for (value, &byte) in entries.as_flattened_mut().iter_mut().zip(lanes.as_flattened()) {
                let byte = u16::from(byte);
                *value = if high { unfold(*value as u16 | byte << 8) } else { byte as i16 };
            }
        }
    }
    check_end(decoder)?;
    Ok(entries)
}

/// Adds what was [deflated](deflate) to `entries`. Takes longer than [`inflate`], but no memory: one decoder reads the low bytes while
/// another reads the high ones.
fn inflate_onto(entries: &mut [[i16; LANES]], body: &[u8]) -> Result<(), WeightsError> {
    let (mut low, mut high) = (ZlibDecoder::new(body), ZlibDecoder::new(body));
    let before = (entries.len() * STORED) as u64;
    io::copy(&mut (&mut high).take(before), &mut io::sink()).map_err(|error| damage(&error))?;
    let mut bytes = [[[0u8; STORED]; 1_024]; 2];
    for entries in entries.chunks_mut(bytes[0].len()) {
        let [lows, highs] = bytes.each_mut().map(|bytes| &mut bytes[..entries.len()]);
        low.read_exact(lows.as_flattened_mut()).map_err(|error| damage(&error))?;
        high.read_exact(highs.as_flattened_mut()).map_err(|error| damage(&error))?;
        for ((entry, low), high) in entries.iter_mut().zip(lows).zip(highs) {
            for ((value, &mut low), &mut high) in entry.iter_mut().zip(low).zip(high) {
                *value = value.wrapping_add(unfold(u16::from_le_bytes([low, high])));
            }
        }
    }
    check_end(high)
}

/// Fails if there is more than was read.
fn check_end(mut decoder: ZlibDecoder<&[u8]>) -> Result<(), WeightsError> {
    match decoder.read(&mut [0]).map_err(|error| damage(&error))? {
        0 => Ok(()),
        _ => Err(ANOTHER_SIZE),
    }
}

/// The tables are not as many as they should be.
const ANOTHER_SIZE: WeightsError = WeightsError::Damaged("the tables have another size");

/// What is wrong with tables that cannot be read to their end.
fn damage(error: &io::Error) -> WeightsError {
    match error.kind() {
        ErrorKind::UnexpectedEof => ANOTHER_SIZE,
        _ => WeightsError::Damaged("the tables do not unpack"),
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
    // Tables for taps add speeds.
    let mut entries = inflate(body, L::entries_of(speeds), L::ENTRIES - L::entries_of(speeds))?;
    let mut whole = |first: usize, other: usize| {
        let first = entries[first];
        entries[other].iter_mut().zip(first).for_each(|(value, first)| *value = value.wrapping_add(first));
    };
    L::spread(&mut whole);
    (1..speeds).for_each(|speed| L::spread_to(speed, &mut whole));
    with_deaths_of(&header, NetworkOf::from_entries(entries).ok_or(ANOTHER_SIZE)?)
}

/// Returns `network` with what a header says of lost games, if it says something.
fn with_deaths_of<L: TableList>(header: &str, network: NetworkOf<L>) -> Result<NetworkOf<L>, WeightsError> {
    Ok(match field(header, "deaths") {
        "" => network,
        line => network.with_deaths(deaths(line)?),
    })
}

/// As [`decode_as`], for an embedded file with tables for one speed, which are unpacked when they are first looked at. `head` has its header.
///
/// # Panics
/// Never in a build whose tests pass: they unpack all embedded files.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_later<L: TableList>(
    head: &[u8],
    decode: fn() -> Result<NetworkOf<L>, WeightsError>,
) -> Result<NetworkOf<L>, WeightsError> {
    let (header, _) = open(head, FORMAT)?;
    let unpack = move || decode().expect("the embedded tables are whole").into_entries();
    with_deaths_of(&header, NetworkOf::later(1, unpack))
}

/// Returns the header and the body of a file that begins with `format`.
pub(super) fn open<'a>(file: &'a [u8], format: &'static str) -> Result<(String, &'a [u8]), WeightsError> {
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
pub(super) fn field<'a>(header: &'a str, key: &str) -> &'a str {
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

/// Returns a file of the tables that `network` has for each [speed](crate::eval::ntuple::speed) but the first. They are
/// stored as differences from the tables that `base` uses at that speed; differences that are too small to matter are
/// left out. What a lost game is worth at each speed is in the header. `base` has tables for at least [`BASE_SPEEDS`] speeds. What
/// [`decode_taps`] would refuse is an error.
pub fn encode_taps(network: &Network, base: &Network, training: &str) -> io::Result<Vec<u8>> {
    check_deaths(&network.deaths())?;
    if network.speeds() < 2 || base.speeds() < BASE_SPEEDS {
        let (own, of_base) = (network.speeds(), base.speeds());
        return Err(refused(format!(
            "tables of {own} speeds on those of {of_base}, expected at least 2 on at least {BASE_SPEEDS}"
        )));
    }
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
    let deaths = words(network.deaths());
    let header = format!(
        "{TAPS_FORMAT}\nfeatures {features}\nspeeds {speeds}\ndeaths {deaths}\ntraining {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// A file of [`encode_taps`] whose header and checksum are right.
#[derive(Clone, Copy)]
struct TapsPart<'a> {
    /// The number of speeds of the network that it makes.
    speeds: usize,
    /// What a lost game is worth at each of them.
    deaths: [f32; SPEEDS],
    /// The packed tables.
    body: &'a [u8],
}

/// What a file of [`encode_taps`] says in its header.
fn taps_part(file: &[u8]) -> Result<TapsPart<'_>, WeightsError> {
    let (header, body) = open(file, TAPS_FORMAT)?;
    let speeds = field(&header, "speeds").parse().ok().filter(|speeds| (2..=SPEEDS).contains(speeds));
    let speeds = speeds.unwrap_or(SPEEDS);
    check(&header, &[format!("features {}", Ntuple59::NAME), format!("speeds {speeds}"), crc_of(body)])?;
    Ok(TapsPart { speeds, deaths: deaths(field(&header, "deaths"))?, body })
}

/// The entries of `base` with those of a file of [`encode_taps`].
fn taps_entries(base: Network, part: TapsPart<'_>) -> Result<Vec<[i16; LANES]>, WeightsError> {
    if base.speeds() < BASE_SPEEDS {
        return Err(ANOTHER_SIZE);
    }
    let mut own = inflate(part.body, Ntuple59::OWN * (part.speeds - 1), 0)?;
    let mut learned = own.iter_mut();
    for speed in 1..part.speeds {
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
    entries.reserve_exact(own.len());
    entries.extend(own);
    Ok(entries)
}

/// Returns `base` with the tables of a file of [`encode_taps`]. `base` must be the network that the file was made
/// with, because the file holds differences from it; with tables for fewer than [`BASE_SPEEDS`] speeds it is refused. If the
/// file has tables for all [`SPEEDS`], the result is for taps slower than 30 Hz.
pub fn decode_taps(base: Network, file: &[u8]) -> Result<Network, WeightsError> {
    let part = taps_part(file)?;
    let network = Network::from_entries(taps_entries(base, part)?).ok_or(ANOTHER_SIZE)?;
    Ok(network.with_deaths(part.deaths))
}

/// As [`decode_taps`], but the embedded tables, and those of `base`, are unpacked when they are first looked at.
///
/// # Panics
/// Never in a build whose tests pass: they unpack all embedded files.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_taps_later(base: fn() -> Network, file: &'static [u8]) -> Result<Network, WeightsError> {
    let part = taps_part(file)?;
    let unpack = move || taps_entries(base(), part).expect("the embedded tables are whole");
    Ok(Network::later(part.speeds, unpack).with_deaths(part.deaths))
}

/// Returns a file of the tables of `own` at its first speed. They are for `speed` alone, where a lost game is worth `death`, and are
/// stored as differences from those of `base`, without differences that are too small to matter. A speed or a price that the reader would
/// refuse is an error.
pub fn encode_speed<L: TableList>(
    own: &NetworkOf<L>,
    base: &NetworkOf<L>,
    (speed, death): (usize, f32),
    training: &str,
) -> io::Result<Vec<u8>> {
    check_deaths(&[death])?;
    if !(1..SPEEDS).contains(&speed) {
        return Err(refused(format!("speed {speed}, expected a number from 1 to {}", SPEEDS - 1)));
    }
    let pairs = own.entries().iter().zip(base.entries()).take(L::COMMON);
    let differences: Vec<[i16; LANES]> = pairs
        .map(|(own, base)| {
            std::array::from_fn(|lane| {
                let own = own[lane].wrapping_sub(base[lane]);
                if own.unsigned_abs() <= NOISE_ALONE { 0 } else { own }
            })
        })
        .collect();
    let body = deflate(&differences)?;
    let (features, training, crc) = (L::NAME, one_line(training), crc_of(&body));
    let header = format!(
        "{SPEED_FORMAT}\nfeatures {features}\nspeed {speed}\ndeath {death}\ntraining {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// A file of [`encode_speed`] whose header and checksum are right.
#[derive(Clone, Copy)]
struct SpeedPart<'a> {
    speed: usize,
    /// What a lost game is worth.
    death: f32,
    /// Whether the tables are those of [`Ntuple90`].
    is_plateau: bool,
    /// The packed tables.
    body: &'a [u8],
}

/// What a file of [`encode_speed`] says in its header.
fn speed_part(file: &[u8]) -> Result<SpeedPart<'_>, WeightsError> {
    let (header, body) = open(file, SPEED_FORMAT)?;
    let is_plateau = field(&header, "features") == Ntuple90::NAME;
    let features = if is_plateau { Ntuple90::NAME } else { Ntuple59::NAME };
    check(&header, &[format!("features {features}"), crc_of(body)])?;
    let expected = |key: &str, what: String| WeightsError::Header {
        expected: format!("{key} with {what}"),
        found: field(&header, key).chars().take(80).collect(),
    };
    let speed = field(&header, "speed").parse().ok().filter(|speed| (1..SPEEDS).contains(speed));
    let speed = speed.ok_or_else(|| expected("speed", format!("a number from 1 to {}", SPEEDS - 1)))?;
    let death = field(&header, "death").parse().ok().filter(|&death| is_death(death));
    let death = death.ok_or_else(|| expected("death", format!("a number from {WORST} to 0")))?;
    Ok(SpeedPart { speed, death, is_plateau, body })
}

/// Makes the network for levels 19 to 28 that tables of [`Ntuple90`] are stored as differences from.
pub(super) type MakePlateau = fn() -> Result<Plateau, WeightsError>;

/// The entries of a file of [`encode_speed`]. It holds differences from those of `network`, or, for the tables of [`Ntuple90`], from
/// those of `network`'s plateau or else of the one that `plateau` makes.
fn speed_entries(
    network: &Network,
    part: SpeedPart<'_>,
    plateau: MakePlateau,
) -> Result<Vec<[i16; LANES]>, WeightsError> {
    if !part.is_plateau {
        return Ok(sums(inflate(part.body, Ntuple59::COMMON, 0)?, network.entries()));
    }
    match network.plateau() {
        Some(plateau) => Ok(sums(inflate(part.body, Ntuple90::COMMON, 0)?, plateau.entries())),
        None => plateau_speed_entries(part, plateau),
    }
}

/// The same of tables of [`Ntuple90`], from the entries that `plateau` makes.
fn plateau_speed_entries(
    part: SpeedPart<'_>,
    plateau: MakePlateau,
) -> Result<Vec<[i16; LANES]>, WeightsError> {
    let mut entries = plateau()?.into_entries();
    inflate_onto(&mut entries, part.body)?;
    Ok(entries)
}

/// Adds the entries of `first` to `entries`.
fn sums(mut entries: Vec<[i16; LANES]>, first: &[[i16; LANES]]) -> Vec<[i16; LANES]> {
    for (entry, first) in entries.iter_mut().zip(first) {
        entry.iter_mut().zip(first).for_each(|(value, &first)| *value = value.wrapping_add(first));
    }
    entries
}

/// Returns the tables of a file of [`encode_speed`] for the list of the plateau, as a network by itself.
pub(super) fn decode_plateau_speed(file: &[u8], plateau: MakePlateau) -> Result<Plateau, WeightsError> {
    let part = speed_part(file)?;
    if !part.is_plateau {
        return Err(WeightsError::Damaged("the tables are not those of the plateau"));
    }
    NetworkOf::from_entries(plateau_speed_entries(part, plateau)?).ok_or(ANOTHER_SIZE)
}

/// Returns `network` with the tables of a file of [`encode_speed`]. The large tables of `network`, or those of its network for levels 19
/// to 28, must be those of the `base` that the file was made with, because the file holds differences from it.
pub(super) fn decode_speed(
    network: Network,
    file: &[u8],
    plateau: MakePlateau,
) -> Result<Network, WeightsError> {
    let part = speed_part(file)?;
    let entries = speed_entries(&network, part, plateau)?;
    Ok(network.with_tables_at(part.speed, Arc::new(SpeedTables::new(entries)), part.death))
}

/// As [`decode_speed`], but the tables of an embedded file are unpacked when they are first looked at.
///
/// # Panics
/// Never in a build whose tests pass: they unpack all embedded files.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_speed_later(
    network: Network,
    file: &'static [u8],
    plateau: MakePlateau,
) -> Result<Network, WeightsError> {
    let part = speed_part(file)?;
    let first = network.clone();
    let unpack = move || speed_entries(&first, part, plateau).expect("the embedded tables are whole");
    Ok(network.with_tables_at(part.speed, Arc::new(SpeedTables::later(unpack)), part.death))
}

/// As [`decode_speed_later`], but with the mean of these tables and of those that `seen` has at its speed `like`. If one of them has fewer
/// tables than the other, the tables that it lacks count as zero.
///
/// # Panics
/// Likewise never.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_mean_later(
    network: Network,
    file: &'static [u8],
    (seen, like): (Network, usize),
    plateau: MakePlateau,
) -> Result<Network, WeightsError> {
    let part = speed_part(file)?;
    let (first, death) = (network.clone(), part.death.midpoint(seen.deaths()[like]));
    let unpack = move || {
        let mut entries = speed_entries(&first, part, plateau).expect("the embedded tables are whole");
        let mut seen = seen.tables_of(like);
        let size = entries.len().max(seen.len());
        entries.resize(size, [0; LANES]);
        seen.resize(size, [0; LANES]);
        for (entry, seen) in entries.iter_mut().flatten().zip(seen.into_iter().flatten()) {
            *entry = entry.midpoint(seen);
        }
        entries
    };
    Ok(network.with_tables_at(part.speed, Arc::new(SpeedTables::later(unpack)), death))
}

/// Returns what a lost game is worth at each speed, from a line of numbers.
fn deaths(line: &str) -> Result<[f32; SPEEDS], WeightsError> {
    let number = |text: &str| text.parse().ok().filter(|&death| is_death(death));
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_unfolds() {
        assert!((i16::MIN..=i16::MAX).all(|value| unfold(fold(value)) == value));
        assert_eq!([0, -1, 1, -2, 2].map(fold), [0, 1, 2, 3, 4]);
    }
}
