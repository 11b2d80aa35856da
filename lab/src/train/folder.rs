//! What a training keeps in its folder: checkpoint, learning curve, sums of weights and, at last, the weights.

use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::curve;
use super::error::TrainError;
use super::lists::Learned;
use super::schedule::{Schedule, TrainingStage};
use super::td::{Tables, blocks};
use crate::resumed::{Facts, Identity, ResumedFolder};
use crate::team::Team;
use maxout::files::{self, Draft};
use maxout::words::count;
use maxout_engine::eval::ntuple::{LANES, Ntuple59, Ntuple90, TableList};
use maxout_record::text::Bounded;

/// The name of the checkpoint in the folder.
pub const CHECKPOINT_FILE: &str = "checkpoint.bin";
/// First bytes of a checkpoint: format and version.
pub(crate) const CHECKPOINT: &[u8; 20] = b"maxout-checkpoint 2\n";
/// First bytes of a sum of weights.
const MEAN: &[u8; 14] = b"maxout-mean 2\n";

/// Most bytes of a learning curve.
const MAX_CURVE: u64 = 64 << 20;
/// Most bytes of a checkpoint and of a sum of weights, behind the checksum: those of the larger list.
const CHECKPOINT_BYTES: u64 = 8 + 12 * WEIGHTS;
const MEAN_BYTES: u64 = 16 + 4 * WEIGHTS;
const WEIGHTS: u64 = (Ntuple90::ENTRIES * LANES) as u64;
const _: () = assert!(Ntuple59::ENTRIES <= Ntuple90::ENTRIES, "a checkpoint of either list can be read");

/// The chunks that were done, and the tables after them.
type Begun<L> = (u64, Tables<L>);

/// What a training leaves in its folder. Members who do not lead have none of it.
pub(super) struct Files {
    folder: PathBuf,
    /// The learning curve.
    rows: String,
    mean: Mean,
    /// Keeps other processes out; only the leader has it.
    _work: Option<ResumedFolder>,
}

impl Files {
    /// What is in the folder, the chunks that were done and what they learned, for all members. `None` for those who do not
    /// lead if the leader failed.
    pub(super) fn open<L: Learned>(
        schedule: &Schedule,
        folder: &Path,
        team: &dyn Team,
    ) -> Result<Option<(Self, u64, Tables<L>)>, TrainError> {
        let read = if team.leads() { Self::read::<L>(schedule, folder).map(Some) } else { Ok(None) };
        let at_leader = if team.members() == 1 {
            None
        } else {
            // Nothing if the leader failed; else the chunks done and, if there are some, the tables.
            let message = match &read {
                Ok(Some((_, Some((done, tables))))) => [&done.to_le_bytes()[..], &tables.to_bytes()].concat(),
                Ok(Some((_, None))) => 0u64.to_le_bytes().to_vec(),
                _ => Vec::new(),
            };
            team.exchange(message).into_iter().next()
        };
        if let Some((files, begun)) = read? {
            let (done, tables) = begun.unwrap_or_else(|| (0, L::begin(schedule)));
            return Ok(Some((files, done, tables)));
        }
        let (rows, mean) = (String::new(), Mean::default());
        let files = Self { folder: folder.to_owned(), rows, mean, _work: None };
        let begun = at_leader.as_deref().and_then(<[u8]>::split_first_chunk::<8>).map(|(done, tables)| {
            let tables = Tables::from_bytes(tables).unwrap_or_else(|| L::begin(schedule));
            (files, u64::from_le_bytes(*done), tables)
        });
        Ok(begun)
    }

    /// What is in the folder, with the chunks done and the tables if there is a checkpoint.
    fn read<L: Learned>(schedule: &Schedule, folder: &Path) -> Result<(Self, Option<Begun<L>>), TrainError> {
        let path = folder.join(CHECKPOINT_FILE);
        let (work, kept) = open(folder, schedule.identity())?;
        let begun = load(&path)?;
        let done = begun.as_ref().map_or(0, |(done, _)| *done);
        if done > schedule.chunks() {
            return Err(TrainError::Beyond { path, done, chunks: schedule.chunks() });
        }
        if let Some(kept) = kept {
            let refused = |source| TrainError::Folder { path: folder.to_owned(), source };
            schedule.check_done(&kept, done, work.identity()).map_err(refused)?;
            // What is still to be done may have changed.
            work.identify().map_err(refused)?;
        }
        let path = folder.join("mean.bin");
        let mean = Mean::load(&path, Tables::<L>::WEIGHTS)?;
        let stage = done.checked_sub(1).and_then(|last| schedule.stage_of(last));
        if stage.is_some_and(|(stage, _)| stage.has_mean()) && mean.last < done {
            return Err(TrainError::Mean { path, done });
        }
        let rows = if begun.is_some() {
            read_curve(&folder.join("curve.csv"), done)?
        } else {
            curve::HEADER.to_owned()
        };
        Ok((Self { folder: folder.to_owned(), rows, mean, _work: Some(work) }, begun))
    }

    /// Writes checkpoint and curve after a chunk of a stage, of which it may be the first or the last. At the end of a stage that settles, the
    /// tables become the mean of those after each of its chunks.
    pub(super) fn save<L: Learned>(
        &mut self,
        (stage, first, last): (&TrainingStage, bool, bool),
        done: u64,
        tables: &Tables<L>,
        row: &str,
    ) -> Result<(), TrainError> {
        let Self { folder, rows, mean, .. } = self;
        *rows += row;
        if stage.has_mean() {
            if first {
                *mean = Mean::default();
            }
            mean.add(done, tables);
            mean.save(&folder.join("mean.bin"))?;
            if last && stage.settle {
                tables.assign(&mean.weights());
            }
        }
        // The curve first: a row without its checkpoint is left out later, but one that is missing cannot be made again.
        write(&folder.join("curve.csv"), rows.as_bytes())?;
        seal(&folder.join(CHECKPOINT_FILE), CHECKPOINT, |give| {
            give(&done.to_le_bytes())?;
            tables.blocks(give)
        })?;
        // A curve that cannot be drawn is no reason to stop training.
        if let Ok(picture) = curve::plot(rows) {
            write(&folder.join("curve.svg"), picture.as_bytes())?;
        }
        Ok(())
    }

    /// Writes the weights.
    pub(super) fn finish<L: Learned>(
        &self,
        schedule: &Schedule,
        done: u64,
        tables: &Tables<L>,
    ) -> Result<(), TrainError> {
        let Self { folder, mean, .. } = self;
        let pieces = schedule.pieces(done);
        let (average, by_height) =
            schedule.stage.last().map_or((false, false), |last| (last.average, last.by_height));
        let (network, of) = if average {
            (tables.network_of(&mean.weights(), by_height), format!(", mean of the last {}", mean.chunks))
        } else {
            (tables.network(by_height), String::new())
        };
        let how = format!("td, {done} chunks{of}, {pieces} pieces, seed {}", schedule.seed);
        L::files(network, schedule, &how).into_iter().try_for_each(|(name, file)| {
            let path = folder.join(name);
            let file = file.map_err(|source| TrainError::Io { path: path.clone(), source })?;
            write(&path, &file)
        })
    }
}

/// Sum of the weights after each of some chunks. Single weights keep moving about what they should be; their mean
/// does less so.
#[derive(Default)]
struct Mean {
    /// The last chunk that was added.
    last: u64,
    chunks: u64,
    sum: Vec<f32>,
}

impl Mean {
    /// Adds the weights after chunk `done`, unless it was added before a training that was cut off.
    fn add<L: TableList>(&mut self, done: u64, tables: &Tables<L>) {
        if done <= self.last {
            return;
        }
        self.sum.resize(tables.weights().len(), 0.0);
        self.sum.iter_mut().zip(tables.weights()).for_each(|(sum, weight)| *sum += weight);
        (self.last, self.chunks) = (done, self.chunks + 1);
    }

    fn weights(&self) -> Vec<f32> {
        self.sum.iter().map(|sum| sum / self.chunks as f32).collect()
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), TrainError> {
        seal(path, MEAN, |give| {
            give(&self.last.to_le_bytes())?;
            give(&self.chunks.to_le_bytes())?;
            blocks(self.sum.iter().map(|sum| sum.to_bits()), give)
        })
    }

    /// The sum in a file, of this number of weights; `None` without a file.
    fn load(path: &Path, weights: usize) -> Result<Self, TrainError> {
        let Some(bytes) = unseal(path, MEAN, MEAN_BYTES)? else { return Ok(Self::default()) };
        let parse = || {
            let (last, rest) = bytes.split_first_chunk::<8>()?;
            let (chunks, rest) = rest.split_first_chunk::<8>()?;
            let (sum, rest) = rest.as_chunks::<4>();
            let (last, chunks) = (u64::from_le_bytes(*last), u64::from_le_bytes(*chunks));
            let sum: Vec<f32> = sum.iter().map(|&sum| f32::from_le_bytes(sum)).collect();
            let whole = rest.is_empty() && chunks > 0 && sum.len() == weights;
            whole.then_some(Self { last, chunks, sum })
        };
        parse().ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
    }
}

/// The learning curve of the chunks that are done. Lines that are not rows are left out and reported.
fn read_curve(path: &Path, done: u64) -> Result<String, TrainError> {
    let bytes = match files::read(path, MAX_CURVE) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        Err(source) => return Err(TrainError::Io { path: path.to_owned(), source }),
    };
    let (rows, wrong) = curve::rows(&bytes);
    if let Some(first) = wrong.first() {
        let others = if wrong.len() > 1 {
            format!(" and {}", count(wrong.len() as u64 - 1, "other"))
        } else {
            String::new()
        };
        let expected = curve::HEADER.trim_end();
        log::warn!("{}: line {first}{others} left out, expected rows of {expected}", path.display());
    }
    // A training that ended between the curve and the checkpoint plays the last chunk again.
    let is_done = |row: &&str| curve::chunk(row).is_none_or(|chunk| chunk <= done);
    Ok(rows.lines().filter(is_done).map(|row| format!("{row}\n")).collect())
}

/// Reads a checkpoint as a training of the shipped list would that goes on from it, and no more.
pub(crate) fn look(folder: &Path) -> Result<(), TrainError> {
    load::<Ntuple59>(&folder.join(CHECKPOINT_FILE)).map(|_| ())
}

/// Opens the folder of a training, which is begun if there is a checkpoint.
pub(super) fn open(folder: &Path, identity: Identity) -> Result<(ResumedFolder, Option<Facts>), TrainError> {
    let begun = || Ok(folder.join(CHECKPOINT_FILE).try_exists()?.then(|| CHECKPOINT_FILE.to_owned()));
    ResumedFolder::open(folder, identity, begun)
        .map_err(|source| TrainError::Folder { path: folder.to_owned(), source })
}

pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), TrainError> {
    files::write(path, bytes).map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// Writes `magic`, a CRC-32 of all parts, and the parts, which `parts` gives block by block. Blocks of zeros become holes of the file:
/// until much is learned, half of a checkpoint are step sizes that are zero.
pub(super) fn seal(
    path: &Path,
    magic: &[u8],
    parts: impl FnOnce(&mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()>,
) -> Result<(), TrainError> {
    let write = || {
        let (mut file, mut crc, mut is_hole) = (Draft::create(path)?, crc32fast::Hasher::new(), false);
        file.write_all(magic)?;
        file.write_all(&[0; 4])?;
        parts(&mut |block| {
            crc.update(block);
            if block.is_empty() {
                return Ok(());
            }
            is_hole = block.iter().all(|&byte| byte == 0);
            if is_hole { file.seek_relative(block.len() as i64) } else { file.write_all(block) }
        })?;
        if is_hole {
            // The file ends where the last block does.
            file.seek_relative(-1)?;
            file.write_all(&[0])?;
        }
        file.seek(SeekFrom::Start(magic.len() as u64))?;
        file.write_all(&crc.finalize().to_le_bytes())?;
        file.finish()
    };
    write().map_err(|source| TrainError::Io { path: path.to_owned(), source })
}

/// The parts that were [sealed](seal), one behind the other and at most `limit` bytes, if the file is there. It is read twice: what is
/// damaged takes no memory.
pub(super) fn unseal(path: &Path, magic: &[u8], limit: u64) -> Result<Option<Vec<u8>>, TrainError> {
    let failed = |source| TrainError::Io { path: path.to_owned(), source };
    let damaged = || TrainError::Checkpoint(path.to_owned());
    let begin = magic.len() as u64 + 4;
    // The first bytes, and the rest of the file.
    let open = || -> io::Result<(Vec<u8>, Bounded<_>)> {
        let mut file = files::open(path)?;
        let mut head = Vec::new();
        (&mut file).take(begin).read_to_end(&mut head)?;
        Ok((head, Bounded::new(file, limit)))
    };
    let (head, mut rest) = match open() {
        Ok(opened) => opened,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(failed(source)),
    };
    let crc = head.strip_prefix(magic).and_then(|crc| crc.first_chunk::<4>()).ok_or_else(damaged)?;
    let (mut sum, mut size) = (crc32fast::Hasher::new(), 0);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match rest.read(&mut buffer) {
            Ok(0) => break,
            Ok(count) => {
                sum.update(&buffer[..count]);
                size += count;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(source) => return Err(failed(source)),
        }
    }
    if u32::from_le_bytes(*crc) != sum.finalize() {
        return Err(damaged());
    }
    let (_, mut rest) = open().map_err(failed)?;
    let mut parts = Vec::with_capacity(size);
    rest.read_to_end(&mut parts).map_err(failed)?;
    // Another program may write to it meanwhile.
    if u32::from_le_bytes(*crc) != crc32fast::hash(&parts) {
        return Err(damaged());
    }
    Ok(Some(parts))
}

/// The chunks done and the tables of a checkpoint, if the file is there.
fn load<L: TableList>(path: &Path) -> Result<Option<Begun<L>>, TrainError> {
    let Some(bytes) = unseal(path, CHECKPOINT, CHECKPOINT_BYTES)? else { return Ok(None) };
    let parts = bytes
        .split_first_chunk::<8>()
        .and_then(|(done, tables)| Some((u64::from_le_bytes(*done), Tables::from_bytes(tables)?)));
    parts.map(Some).ok_or_else(|| TrainError::Checkpoint(path.to_owned()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_curve_with_a_bad_line_keeps_the_others() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("curve.csv");
        assert_eq!(read_curve(&path, 0).expect("none yet"), curve::HEADER);
        let row = "1,a,5000,2.0,0.5000,12\n";
        let file = [curve::HEADER.as_bytes(), row.as_bytes(), b"2,\xFF,1,1,1,1\n"].concat();
        write(&path, &file).expect("written");
        assert_eq!(read_curve(&path, 1).expect("read"), format!("{}{row}", curve::HEADER));
        assert_eq!(read_curve(&path, 0).expect("read"), curve::HEADER, "the chunk is played again");
    }

    proptest! {
        /// Tables are 506 MB or more, so no short file has them, sealed or not.
        #[test]
        fn any_short_file_is_refused(wild in proptest::collection::vec(any::<u8>(), 0..100), sealed: bool) {
            let folder = tempfile::tempdir().expect("a folder");
            let path = folder.path().join("file");
            for magic in [&CHECKPOINT[..], MEAN, b""] {
                if sealed {
                    seal(&path, magic, |give| give(&wild)).expect("written");
                    prop_assert_eq!(unseal(&path, magic, 1_000).expect("sealed"), Some(wild.clone()));
                } else {
                    write(&path, &[magic, &wild].concat()).expect("written");
                }
                prop_assert!(load::<Ntuple59>(&path).is_err() && load::<Ntuple90>(&path).is_err());
                prop_assert!(Mean::load(&path, Tables::<Ntuple59>::WEIGHTS).is_err());
            }
        }
    }
}
