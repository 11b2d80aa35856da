//! The fuzzer of all file readers: [`READERS`] lists them, and [`Reader::fuzz`] gives one of them changed files and
//! checks that it answers soon, without a panic, and in one short line.
//!
//! The same reader, number and build give the same file, so a finding can be reproduced.

mod mutate;
mod seeds;

use std::fmt;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::bench;
use crate::measure::limits::folder;
use crate::pattern;
use crate::train::cmaes::Evolution;
use crate::train::pso::Swarm;
use crate::train::schedule::Schedule;
use crate::train::{self, curve, terms, tuning};
use maxout::boards;
use maxout::conform::trace;
use maxout::library::store::{self, Library};
use maxout::results::merge;
use maxout::text::is_control;
use maxout_engine::eval::weights;
use maxout_gallery::eval::cnn::Cnn;
use maxout_host::review::of_frames;
use maxout_host::rom;
use maxout_record::champs;
use maxout_record::movie::{bk2, fm2};
use maxout_record::run::{log_from_text, record_from_json};
use maxout_rules::Board;

/// More time of its own thread than any reader may take for a changed file. What a loaded machine lets it wait is no fault of
/// the reader.
const SLOW: Duration = Duration::from_secs(10);
/// Most characters of a message.
const LONGEST: usize = 500;

/// The result of a reader: nothing, or why the file is refused. The folder is there for readers that want a path.
type Read = fn(&[u8], &Path) -> anyhow::Result<()>;

/// Something that reads files.
pub struct Reader {
    /// What it reads.
    pub name: &'static str,
    /// Small whole files.
    seeds: fn() -> Vec<Vec<u8>>,
    /// Makes the checksums in a changed file right again, so that what is behind them is read.
    seal: fn(&mut [u8]),
    /// One changed file in this number is sealed.
    sealed: u64,
    read: Read,
}

/// What reads the files of the program, but for what SQLite and the emulator read by themselves. Not among them are the readers of
/// `player.json` of `limits`, of `mean.bin` and the hazard's checkpoint of `train`, and of the archives of runs that the page for
/// the browser takes.
pub const READERS: [Reader; 24] = [
    plain("fm2", seeds::fm2, |file, _| done(fm2::read(file))),
    plain("bk2", seeds::bk2, |file, _| done(bk2::read(file))),
    plain("bk2 log", seeds::bk2_log, |log, _| done(bk2::read(&seeds::archive(log)))),
    plain("ngf", seeds::ngf, |file, _| done(of_frames(champs::Frames::new(file), None))),
    plain("trace", seeds::trace, |file, _| done(trace::read(file))),
    plain("packed trace", seeds::packed_trace, |file, _| done(trace::read(file))),
    plain("run.json", seeds::record, |file, _| {
        done(record_from_json(&String::from_utf8_lossy(file)).map_err(anyhow::Error::msg))
    }),
    plain("buttons.txt", seeds::buttons, |file, _| {
        let log = log_from_text(&String::from_utf8_lossy(file));
        done(log.map_err(|(line, message)| anyhow::anyhow!("line {line}: {message}")))
    }),
    plain("shard", seeds::shard, |file, _| {
        let result = merge::read("a shard", file, &mut merge::Room::default())?;
        done(merge::merge(vec![("a shard".to_owned(), result)]))
    }),
    plain("identity of limits", seeds::hands_identity, |file, _| {
        done(seeds::limits_of_two_lines().check(file))
    }),
    plain("games of limits", seeds::hands_games, |file, _| {
        done(folder::read_block(file, 772).map_err(anyhow::Error::msg))
    }),
    Reader {
        sealed: 300,
        ..sealed("weights", seeds::weights, seeds::seal_weights, |file, _| done(weights::decode(file)))
    },
    plain("terms", seeds::terms, |file, _| done(terms::parse(&String::from_utf8_lossy(file)))),
    sealed("network", seeds::network, seeds::seal_network, |file, _| done(Cnn::decode(file))),
    plain("schedule", seeds::schedule, |file, _| done(Schedule::parse(&String::from_utf8_lossy(file)))),
    sealed("checkpoint of td", seeds::checkpoint, seeds::seal_checkpoint, |file, folder| {
        fs::write(folder.join("checkpoint.bin"), file)?;
        done(train::look(folder))
    }),
    plain("learning curve", seeds::curve, |file, _| {
        let (rows, _) = curve::rows(file);
        done(curve::plot(&rows).map_err(anyhow::Error::msg))
    }),
    sealed("checkpoint of pso", seeds::swarm, seeds::seal_search, |file, _| {
        done(tuning::look::<Swarm>(file))
    }),
    sealed("checkpoint of cmaes", seeds::evolution, seeds::seal_search, |file, _| {
        done(tuning::look::<Evolution>(file))
    }),
    plain("boards", seeds::boards, |file, _| {
        let text = String::from_utf8_lossy(file);
        let _: Result<Board, _> = text.parse();
        done(bench::boards(&text))
    }),
    sealed("board", seeds::board, seeds::seal_picture, |file, _| done(boards::read(file, None))),
    sealed("picture", seeds::picture, seeds::seal_picture, |file, _| done(pattern::decode(file))),
    plain("library", seeds::library, |file, folder| {
        fs::write(folder.join(store::FILE), file)?;
        let library = Library::open(folder)?;
        library.records(None)?;
        for id in library.ids(None)? {
            library.run(id)?;
            library.record_and_log(id)?;
        }
        Ok(())
    }),
    plain("cartridge", seeds::cartridge, |file, _| done(rom::admit(file, true))),
];

const fn plain(name: &'static str, seeds: fn() -> Vec<Vec<u8>>, read: Read) -> Reader {
    Reader { name, seeds, seal: |_| {}, sealed: 1, read }
}

const fn sealed(name: &'static str, seeds: fn() -> Vec<Vec<u8>>, seal: fn(&mut [u8]), read: Read) -> Reader {
    Reader { name, seeds, seal, sealed: 2, read }
}

fn done<T, E: Into<anyhow::Error>>(read: Result<T, E>) -> anyhow::Result<()> {
    read.map(|_| ()).map_err(Into::into)
}

/// What a reader must not do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// It panicked.
    Panic,
    /// It took this long, in time of its own thread.
    Slow(Duration),
    /// What it says is no short line, or has control characters in it.
    Message(String),
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Panic => f.write_str("a panic"),
            Self::Slow(time) => {
                write!(f, "{:.1} s, expected at most {} s", time.as_secs_f64(), SLOW.as_secs())
            }
            Self::Message(text) => {
                let count = text.chars().count();
                write!(f, "a message of {count} characters, expected one line of at most {LONGEST}")
            }
        }
    }
}

/// A file that a reader does not stand.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The number of the changed file.
    pub number: u64,
    /// What the reader did.
    pub fault: Fault,
    /// The file.
    pub file: Vec<u8>,
}

/// What became of changed files.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ReaderCounts {
    /// Files that were read.
    pub read: u64,
    /// Files that were refused.
    pub refused: u64,
}

impl Reader {
    /// Whole files, as the changed ones are made from.
    pub fn seeds(&self) -> Vec<Vec<u8>> {
        (self.seeds)()
    }

    /// The changed file of that number.
    pub fn file(&self, seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
        let mut file = mutate::mutate(seeds, number);
        if number.is_multiple_of(self.sealed) {
            (self.seal)(&mut file);
        }
        file
    }

    /// Reads one file, in `folder` if it needs one; what is wrong with it, if it is refused.
    pub fn read(&self, file: &[u8], folder: &Path) -> Result<Option<String>, Fault> {
        let begun = ThreadTime::now();
        let read = catch_unwind(AssertUnwindSafe(|| (self.read)(file, folder))).map_err(|_| Fault::Panic)?;
        let time = begun.elapsed();
        if time > SLOW {
            return Err(Fault::Slow(time));
        }
        let Err(error) = read else { return Ok(None) };
        let text = format!("{error:#}");
        if text.is_empty() || text.chars().count() > LONGEST || text.chars().any(is_control) {
            return Err(Fault::Message(text));
        }
        Ok(Some(text))
    }

    /// Reads the changed file of that number; adds to `counts` what became of it.
    pub fn fuzz(
        &self,
        seeds: &[Vec<u8>],
        number: u64,
        folder: &Path,
        counts: &mut ReaderCounts,
    ) -> Result<(), Box<Finding>> {
        let file = self.file(seeds, number);
        match self.read(&file, folder) {
            Ok(None) => counts.read += 1,
            Ok(Some(_)) => counts.refused += 1,
            Err(fault) => return Err(Box::new(Finding { number, fault, file })),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reader_reads_whole_files_also_when_they_are_sealed_anew() {
        let folder = tempfile::tempdir().expect("a folder");
        for reader in &READERS {
            for mut file in reader.seeds() {
                if reader.name != "checkpoint of td" {
                    assert_eq!(reader.read(&file, folder.path()), Ok(None), "{}", reader.name);
                }
                let before = file.clone();
                (reader.seal)(&mut file);
                assert!(file == before, "{}", reader.name);
            }
        }
    }

    #[test]
    fn a_number_names_a_file() {
        for reader in READERS.iter().filter(|reader| reader.name != "weights") {
            let seeds = reader.seeds();
            assert!((0..20).all(|number| reader.file(&seeds, number) == reader.file(&seeds, number)));
        }
    }

    #[test]
    fn a_reader_that_panics_or_talks_is_found() {
        let reader = |read| plain("bad", || vec![b"seed".to_vec()], read);
        let folder = Path::new(".");
        let panics = reader(|_, _| panic!("on purpose"));
        assert_eq!(panics.read(b"", folder), Err(Fault::Panic));
        for text in [String::new(), "x".repeat(501), "two\nlines".to_owned(), "\u{1b}[31m".to_owned()] {
            let talks: Read = match text.len() {
                0 => |_, _| anyhow::bail!(""),
                501 => |_, _| anyhow::bail!("x".repeat(501)),
                9 => |_, _| anyhow::bail!("two\nlines"),
                _ => |_, _| anyhow::bail!("\u{1b}[31m"),
            };
            assert_eq!(reader(talks).read(b"", folder), Err(Fault::Message(text)));
        }
        assert_eq!(reader(|_, _| anyhow::bail!("no")).read(b"", folder), Ok(Some("no".to_owned())));
    }
}
