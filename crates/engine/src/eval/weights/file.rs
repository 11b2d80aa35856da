//! The files of a network, byte for byte: [`decode_as`], [`decode_taps`], and the [tables](pack) in them.

use std::io::{self, ErrorKind, Read, Write};
use std::ops::Range;
use std::sync::Arc;

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;
use thiserror::Error;

use crate::eval::ntuple::{
    BASE_SPEEDS, LANES, Network, NetworkOf, Ntuple59, Ntuple90, Plateau, SPEEDS, SpeedTables, TableList,
    parent,
};

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

/// The key of a header whose tables are differences from those of the file with this checksum.
const ONTO: &str = "onto";

/// Returns the checksum that a file for all speeds has in its header.
pub fn checksum(file: &[u8]) -> String {
    let header = open(file, FORMAT).map(|(header, _)| header).unwrap_or_default();
    field(&header, "crc32").to_owned()
}

/// Whether a lost game may be worth this.
fn is_death(death: f32) -> bool {
    (WORST..=0.0).contains(&death)
}

/// The streams of packed tables: which entries are not all zeros, which values of those are not zero, these values less one up to
/// [`LARGE`], and the larger ones in two bytes. Each kind compresses better among its own.
const STREAMS: usize = 4;
/// A value that has two bytes in the last stream.
const LARGE: u8 = u8::MAX;

/// Returns entries as the body of a file, of which the header says `packing sparse`: the lengths of the first streams, and all streams,
/// deflated. The last lane of each entry is left out.
pub fn pack(entries: &[[i16; LANES]]) -> io::Result<Vec<u8>> {
    let mut streams: [Vec<u8>; STREAMS] = Default::default();
    let [present, masks, small, large] = &mut streams;
    for entries in entries.chunks(8) {
        let mut bits = 0;
        for (at, entry) in entries.iter().enumerate() {
            let entry = &entry[..STORED];
            let mask =
                entry.iter().enumerate().fold(0, |mask, (lane, &value)| mask | u8::from(value != 0) << lane);
            if mask == 0 {
                continue;
            }
            bits |= 1 << at;
            masks.push(mask);
            for folded in entry.iter().filter(|&&value| value != 0).map(|&value| fold(value) - 1) {
                match u8::try_from(folded) {
                    Ok(byte) if byte != LARGE => small.push(byte),
                    _ => {
                        small.push(LARGE);
                        large.extend(folded.to_le_bytes());
                    }
                }
            }
        }
        present.push(bits);
    }
    let mut body = Vec::new();
    let mut packed = Vec::new();
    for (number, stream) in streams.iter().enumerate() {
        let before = packed.len();
        let mut encoder = ZlibEncoder::new(packed, Compression::best());
        encoder.write_all(stream)?;
        packed = encoder.finish()?;
        if number + 1 < STREAMS {
            body.extend(u32::try_from(packed.len() - before).unwrap_or(u32::MAX).to_le_bytes());
        }
    }
    body.append(&mut packed);
    Ok(body)
}

/// The bytes of a deflated stream.
struct Stream<'a> {
    decoder: ZlibDecoder<&'a [u8]>,
    buffer: Vec<u8>,
    at: usize,
}

impl<'a> Stream<'a> {
    fn new(packed: &'a [u8]) -> Self {
        Self { decoder: ZlibDecoder::new(packed), buffer: Vec::new(), at: 0 }
    }

    #[inline]
    fn next(&mut self) -> Result<u8, WeightsError> {
        if self.at == self.buffer.len() {
            self.fill()?;
        }
        let byte = self.buffer.get(self.at).copied().ok_or(ANOTHER_SIZE)?;
        self.at += 1;
        Ok(byte)
    }

    #[cold]
    fn fill(&mut self) -> Result<(), WeightsError> {
        self.buffer.resize(1 << 15, 0);
        let got = self.decoder.read(&mut self.buffer).map_err(|error| damage(&error))?;
        self.buffer.truncate(got);
        self.at = 0;
        Ok(())
    }

    /// Fails if there is more than was read.
    fn end(mut self) -> Result<(), WeightsError> {
        if self.at == self.buffer.len() {
            self.fill()?;
        }
        if self.at == self.buffer.len() { Ok(()) } else { Err(ANOTHER_SIZE) }
    }
}

/// Adds what was [packed](pack) to `entries`, and passes over as many as `beyond` says behind them.
pub(super) fn add_packed(
    entries: &mut [[i16; LANES]],
    beyond: usize,
    body: &[u8],
) -> Result<(), WeightsError> {
    let (lengths, mut rest) = body.split_at_checked(4 * (STREAMS - 1)).ok_or(ANOTHER_SIZE)?;
    let mut part = |length: [u8; 4]| {
        let (part, behind) =
            rest.split_at_checked(u32::from_le_bytes(length) as usize).ok_or(ANOTHER_SIZE)?;
        rest = behind;
        Ok(Stream::new(part))
    };
    let (lengths, _) = lengths.as_chunks();
    let [mut present, mut masks, mut small] = [part(lengths[0])?, part(lengths[1])?, part(lengths[2])?];
    let mut large = Stream::new(rest);
    let whole = entries.len() + beyond;
    for first in (0..whole).step_by(8) {
        let mut bits = present.next()?;
        while bits != 0 {
            let at = first + bits.trailing_zeros() as usize;
            bits &= bits - 1;
            let mut passed = [0; LANES];
            let entry = match entries.get_mut(at) {
                Some(entry) => entry,
                None if at < whole => &mut passed,
                None => return Err(ANOTHER_SIZE),
            };
            let mut mask = masks.next()?;
            if mask >> STORED != 0 {
                return Err(WeightsError::Damaged("the tables do not unpack"));
            }
            while mask != 0 {
                let lane = mask.trailing_zeros() as usize;
                mask &= mask - 1;
                let folded = match small.next()? {
                    LARGE => u16::from_le_bytes([large.next()?, large.next()?]),
                    byte => byte.into(),
                };
                entry[lane] = entry[lane].wrapping_add(unfold(folded.wrapping_add(1)));
            }
        }
    }
    [present, masks, small, large].into_iter().try_for_each(Stream::end)
}

/// Adds the tables of a file to `entries`, and passes over as many as `beyond` says behind them.
fn add(
    entries: &mut [[i16; LANES]],
    beyond: usize,
    (header, body): (&str, &[u8]),
) -> Result<(), WeightsError> {
    check(header, &["packing sparse".to_owned()])?;
    add_packed(entries, beyond, body)
}

/// Returns the tables of a file with this number of entries.
fn unpack(count: usize, part: (&str, &[u8])) -> Result<Vec<[i16; LANES]>, WeightsError> {
    let mut entries = vec![[0; LANES]; count];
    add(&mut entries, 0, part)?;
    Ok(entries)
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

/// A file for all speeds, or for the plateau, whose header and checksum are right.
struct WholePart<'a> {
    header: String,
    body: &'a [u8],
    speeds: usize,
}

impl<'a> WholePart<'a> {
    fn of<L: TableList>(file: &'a [u8]) -> Result<Self, WeightsError> {
        let (header, body) = open(file, FORMAT)?;
        let entries = field(&header, "entries");
        // A list may have learned further speeds since.
        let speeds = (1..=L::SPEEDS).find(|&speeds| entries == L::entries_of(speeds).to_string());
        let expected = format!("entries {}", L::entries_of(speeds.unwrap_or(L::SPEEDS)));
        check(&header, &[format!("features {}", L::NAME), expected, crc_of(body)])?;
        Ok(Self { header, body, speeds: speeds.unwrap_or(L::SPEEDS) })
    }

    fn tables(&self) -> (&str, &[u8]) {
        (&self.header, self.body)
    }

    /// Fails if its tables are differences from those of another file than that with this checksum.
    fn check_onto(&self, checksum: &str) -> Result<(), WeightsError> {
        match field(&self.header, ONTO) {
            "" => Ok(()),
            found if found == checksum => Ok(()),
            found => {
                let found = format!("{ONTO} {}", found.chars().take(80).collect::<String>());
                Err(WeightsError::Header { expected: format!("{ONTO} {checksum}"), found })
            }
        }
    }

    fn entries<L: TableList>(&self) -> Result<Vec<[i16; LANES]>, WeightsError> {
        // Tables for taps add speeds.
        let mut entries = vec![[0; LANES]; L::ENTRIES];
        entries.truncate(L::entries_of(self.speeds));
        add(&mut entries, 0, self.tables())?;
        Ok(entries)
    }

    /// Makes the network of differences between bands of max height and between speeds.
    fn network<L: TableList>(&self, mut entries: Vec<[i16; LANES]>) -> Result<NetworkOf<L>, WeightsError> {
        let mut whole = |first: usize, other: usize| {
            let first = entries[first];
            entries[other]
                .iter_mut()
                .zip(first)
                .for_each(|(value, first)| *value = value.wrapping_add(first));
        };
        L::spread(&mut whole);
        (1..self.speeds).for_each(|speed| L::spread_to(speed, &mut whole));
        with_deaths_of(&self.header, NetworkOf::from_entries(entries).ok_or(ANOTHER_SIZE)?)
    }
}

/// The network in a weights file of the list `L`.
pub fn decode_as<L: TableList>(file: &[u8]) -> Result<NetworkOf<L>, WeightsError> {
    let part = WholePart::of::<L>(file)?;
    part.check_onto("nothing")?;
    part.network(part.entries::<L>()?)
}

/// The network for levels 19 to 28 in a file for the plateau. Its tables may be differences from those of
/// `base`, the network of the file with this [`checksum`].
pub fn decode_plateau(file: &[u8], base: &Network, checksum: &str) -> Result<Plateau, WeightsError> {
    let part = WholePart::of::<Ntuple90>(file)?;
    part.check_onto(checksum)?;
    let plateau: Plateau = part.network(part.entries::<Ntuple90>()?)?;
    if field(&part.header, ONTO).is_empty() {
        return Ok(plateau);
    }
    let deaths = plateau.deaths();
    let mut entries = plateau.into_entries();
    for (value, &base) in entries.iter_mut().flatten().zip(base.entries()[..Ntuple59::COMMON].as_flattened())
    {
        *value = value.wrapping_add(base);
    }
    Ok(Plateau::from_entries(entries).ok_or(ANOTHER_SIZE)?.with_deaths(deaths))
}

/// As [`decode_plateau`], but from the file of `base`, which is not unpacked by itself.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_plateau_onto(file: &[u8], base: &[u8]) -> Result<Plateau, WeightsError> {
    let (part, base) = (WholePart::of::<Ntuple90>(file)?, WholePart::of::<Ntuple59>(base)?);
    part.check_onto(field(&base.header, "crc32"))?;
    let mut entries = vec![[0; LANES]; Ntuple90::COMMON];
    let beyond = Ntuple59::entries_of(base.speeds) - Ntuple59::COMMON;
    add(&mut entries[..Ntuple59::COMMON], beyond, base.tables())?;
    add(&mut entries, 0, part.tables())?;
    part.network(entries)
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

/// The key of a header: the speeds whose tables are stored as differences from those that their parents have in the same file.
const ALIKE: &str = "alike";

/// Where a further speed's own tables are among those in a file for taps.
const fn own_at(speed: usize) -> Range<usize> {
    (speed - 1) * Ntuple59::OWN..speed * Ntuple59::OWN
}

/// Adds to the tables of a speed those of its parent, which has further tables, too, or takes them away.
fn on_parent(own: &mut [[i16; LANES]], speed: usize, change: fn(i16, i16) -> i16) {
    let (before, tables) = own.split_at_mut(own_at(speed).start);
    let parents = before[own_at(parent(speed))].as_flattened();
    for (value, &parents) in tables.as_flattened_mut().iter_mut().zip(parents) {
        *value = change(*value, parents);
    }
}

/// A file for taps whose header and checksum are right.
struct TapsPart<'a> {
    header: String,
    /// The number of speeds of the network that it makes.
    speeds: usize,
    /// What a lost game is worth at each of them.
    deaths: [f32; SPEEDS],
    /// The packed tables.
    body: &'a [u8],
}

/// What a file for taps says in its header.
fn taps_part(file: &[u8]) -> Result<TapsPart<'_>, WeightsError> {
    let (header, body) = open(file, TAPS_FORMAT)?;
    let speeds = field(&header, "speeds").parse().ok().filter(|speeds| (2..=SPEEDS).contains(speeds));
    let speeds = speeds.unwrap_or(SPEEDS);
    check(&header, &[format!("features {}", Ntuple59::NAME), format!("speeds {speeds}"), crc_of(body)])?;
    let deaths = deaths(field(&header, "deaths"))?;
    Ok(TapsPart { header, speeds, deaths, body })
}

/// The entries of `base` with those of a file for taps.
fn taps_entries(base: Network, part: &TapsPart<'_>) -> Result<Vec<[i16; LANES]>, WeightsError> {
    if base.speeds() < BASE_SPEEDS {
        return Err(ANOTHER_SIZE);
    }
    let mut own = unpack(Ntuple59::OWN * (part.speeds - 1), (&part.header, part.body))?;
    for word in field(&part.header, ALIKE).split_whitespace() {
        let speed = word.parse().ok().filter(|speed| (1..part.speeds).contains(speed) && parent(*speed) > 0);
        let speed = speed.ok_or_else(|| WeightsError::Header {
            expected: format!("{ALIKE} with speeds from 3 to 6 that the file has"),
            found: word.chars().take(80).collect(),
        })?;
        on_parent(&mut own, speed, i16::wrapping_add);
    }
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

/// Returns `base` with the tables of a file for taps. `base` must be the network that the file was made
/// with, because the file holds differences from it; with tables for fewer than [`BASE_SPEEDS`] speeds it is refused. If the
/// file has tables for all [`SPEEDS`], the result is for taps slower than 30 Hz.
pub fn decode_taps(base: Network, file: &[u8]) -> Result<Network, WeightsError> {
    let part = taps_part(file)?;
    let network = Network::from_entries(taps_entries(base, &part)?).ok_or(ANOTHER_SIZE)?;
    Ok(network.with_deaths(part.deaths))
}

/// As [`decode_taps`], but the embedded tables, and those of `base`, are unpacked when they are first looked at.
///
/// # Panics
/// Never in a build whose tests pass: they unpack all embedded files.
#[cfg(feature = "embedded-weights")]
pub(super) fn decode_taps_later(base: fn() -> Network, file: &'static [u8]) -> Result<Network, WeightsError> {
    let part = taps_part(file)?;
    let (speeds, deaths) = (part.speeds, part.deaths);
    let unpack = move || taps_entries(base(), &part).expect("the embedded tables are whole");
    Ok(Network::later(speeds, unpack).with_deaths(deaths))
}

/// A file for one speed whose header and checksum are right.
struct SpeedPart<'a> {
    header: String,
    speed: usize,
    /// What a lost game is worth.
    death: f32,
    /// Whether the tables are those of [`Ntuple90`].
    is_plateau: bool,
    /// The packed tables.
    body: &'a [u8],
}

impl SpeedPart<'_> {
    /// Adds its tables to these.
    fn onto(&self, mut entries: Vec<[i16; LANES]>) -> Result<Vec<[i16; LANES]>, WeightsError> {
        add(&mut entries, 0, (&self.header, self.body))?;
        Ok(entries)
    }
}

/// What a file for one speed says in its header.
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
    Ok(SpeedPart { header, speed, death, is_plateau, body })
}

/// Makes the network for levels 19 to 28 that tables of [`Ntuple90`] are stored as differences from.
pub(super) type MakePlateau = fn() -> Result<Plateau, WeightsError>;

/// The entries of a file for one speed. It holds differences from those of `network`, or, for the tables of [`Ntuple90`], from
/// those of `network`'s plateau or else of the one that `plateau` makes.
fn speed_entries(
    network: &Network,
    part: &SpeedPart<'_>,
    plateau: MakePlateau,
) -> Result<Vec<[i16; LANES]>, WeightsError> {
    if !part.is_plateau {
        return part.onto(network.entries()[..Ntuple59::COMMON].to_vec());
    }
    match network.plateau() {
        Some(plateau) => part.onto(plateau.entries().to_vec()),
        None => plateau_speed_entries(part, plateau),
    }
}

/// The same of tables of [`Ntuple90`], from the entries that `plateau` makes.
fn plateau_speed_entries(
    part: &SpeedPart<'_>,
    plateau: MakePlateau,
) -> Result<Vec<[i16; LANES]>, WeightsError> {
    part.onto(plateau()?.into_entries())
}

/// Returns the tables of a file for one speed, of the list of the plateau, as a network by itself.
pub(super) fn decode_plateau_speed(file: &[u8], plateau: MakePlateau) -> Result<Plateau, WeightsError> {
    let part = speed_part(file)?;
    if !part.is_plateau {
        return Err(WeightsError::Damaged("the tables are not those of the plateau"));
    }
    NetworkOf::from_entries(plateau_speed_entries(&part, plateau)?).ok_or(ANOTHER_SIZE)
}

/// Returns `network` with the tables of a file for one speed. The large tables of `network`, or those of its network for levels 19
/// to 28, must be those of the `base` that the file was made with, because the file holds differences from it.
pub(super) fn decode_speed(
    network: Network,
    file: &[u8],
    plateau: MakePlateau,
) -> Result<Network, WeightsError> {
    let part = speed_part(file)?;
    let entries = speed_entries(&network, &part, plateau)?;
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
    let (speed, death) = (part.speed, part.death);
    let unpack = move || speed_entries(&first, &part, plateau).expect("the embedded tables are whole");
    Ok(network.with_tables_at(speed, Arc::new(SpeedTables::later(unpack)), death))
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
    let (first, speed, death) = (network.clone(), part.speed, part.death.midpoint(seen.deaths()[like]));
    let unpack = move || {
        let mut entries = speed_entries(&first, &part, plateau).expect("the embedded tables are whole");
        let mut seen = seen.tables_of(like);
        let size = entries.len().max(seen.len());
        entries.resize(size, [0; LANES]);
        seen.resize(size, [0; LANES]);
        for (entry, seen) in entries.iter_mut().flatten().zip(seen.into_iter().flatten()) {
            *entry = entry.midpoint(seen);
        }
        entries
    };
    Ok(network.with_tables_at(speed, Arc::new(SpeedTables::later(unpack)), death))
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

/// Calls `pair(from, to)` for each entry `to` of a speed's own tables. `from` is the entry of the base network that a file for taps
/// stores it as a difference from.
pub fn same_tables(speed: usize, mut pair: impl FnMut(usize, usize)) {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_value_unfolds() {
        assert!((i16::MIN..=i16::MAX).all(|value| unfold(fold(value)) == value));
        assert_eq!([0, -1, 1, -2, 2].map(fold), [0, 1, 2, 3, 4]);
    }
}
