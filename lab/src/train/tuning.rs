//! Searches for 17 weights: [`tune`] lets an [`Optimiser`] propose some, plays the games of an
//! [`Exam`] with each, and keeps a checkpoint, a learning curve and the best weights in a folder.
//!
//! What it writes is the same for any number of threads and members of a team, and whether it was interrupted or not.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};
use thiserror::Error;

use super::fitness::{Exam, Played, best_third};
use super::terms::{self, Weights};
use crate::resumed::{Identity, ResumeError, ResumedFolder, fact};
use crate::team::{Team, from_leader, gather};
use maxout::files;
use maxout::text::{brief, quoted};
use maxout_host::pool;
use maxout_rules::random::Dice;

/// Random weights are between minus this and this. The published ones are within ±2.65; only their ratio to the
/// penalty for high cells (1) has a scale.
pub const RANGE: f64 = 3.0;

/// Bytes of a checkpoint: some 400,000 generations.
const MAX_BYTES: u64 = 64 << 20;
/// Name and version of the checkpoint.
const FORMAT: &str = "maxout-tuning 3";
/// The name of the checkpoint in the folder.
pub const CHECKPOINT_FILE: &str = "checkpoint.json";

/// Header of the learning curve.
pub const HEADER: &str =
    "generation,restarts,evaluations,pieces,best_of_generation,mean_of_generation,best_so_far\n";

/// Something that looks for better weights, one generation after the other.
pub trait Optimiser: Serialize + DeserializeOwned {
    /// The weights to try now.
    fn candidates(&self) -> Vec<Weights>;

    /// Learns what each of them was worth, and thinks of others.
    fn learn(&mut self, worths: &[f64]);

    /// How many times it has begun again.
    fn restarts(&self) -> u32;
}

/// How a checkpoint keeps [`Dice`]: as the number that is their state.
pub(super) mod dice {
    use super::{Deserialize, Dice};
    use serde::{Deserializer, Serializer};

    pub fn serialize<S: Serializer>(dice: &Dice, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(dice.state())
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Dice, D::Error> {
        u64::deserialize(deserializer).map(Dice::from_state)
    }
}

/// What to do.
#[derive(Clone, Debug)]
pub struct TuningPlan {
    /// The games.
    pub exam: Exam,
    /// Generations in all, those of a checkpoint included.
    pub generations: u64,
    /// All else that decides what is found; a search with something else is not continued.
    pub settings: Vec<(&'static str, Value)>,
}

impl TuningPlan {
    fn identity(&self) -> Identity {
        Identity::new("maxout-search 1", "maxout-lab train", "a search", self.settings.iter().cloned())
    }

    /// The settings in one line.
    fn told(&self) -> String {
        let told = |(key, value): &(&str, Value)| match value {
            Value::String(text) => format!("{} {text}", fact(key)),
            other => format!("{} {other}", fact(key)),
        };
        self.settings.iter().map(told).collect::<Vec<_>>().join(", ")
    }
}

/// A row of the learning curve.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct TuningRow {
    /// From 1.
    pub generation: u64,
    /// Beginnings so far, after the first.
    pub restarts: u32,
    /// Candidates so far.
    pub evaluations: u64,
    /// Pieces placed so far, a measure of the work.
    pub pieces: u64,
    /// Fitness of the best candidate of this generation.
    pub best: f64,
    /// Mean fitness of this generation.
    pub mean: f64,
    /// Fitness of the best weights so far.
    pub record: f64,
}

impl TuningRow {
    fn csv(&self) -> String {
        let Self { generation, restarts, evaluations, pieces, best, mean, record } = self;
        format!("{generation},{restarts},{evaluations},{pieces},{best:.4},{mean:.4},{record:.4}\n")
    }
}

/// Why weights could not be looked for.
#[derive(Debug, Error)]
pub enum TuneError {
    /// A file could not be read or written.
    #[error("{}", path.display())]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Invalid checkpoint.
    #[error("{path}: damaged or no checkpoint ({why}), expected one of {FORMAT:?}", path = .path.display())]
    Checkpoint {
        /// Which.
        path: PathBuf,
        /// What is wrong.
        why: String,
    },
    /// The folder cannot be worked in, or holds another search.
    #[error("{}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why.
        source: ResumeError,
    },
    /// More generations are done than the search should have.
    #[error("{}: generation {done} is done, expected at most {generations}, or another folder", path.display())]
    Beyond {
        /// The checkpoint.
        path: PathBuf,
        /// Generations done.
        done: u64,
        /// Generations of the whole search.
        generations: u64,
    },
}

/// How far a search has come.
#[derive(Serialize, Deserialize)]
struct Search<O> {
    record: Option<(Weights, f64)>,
    rows: Vec<TuningRow>,
    optimiser: O,
}

/// A search as a file.
#[derive(Serialize, Deserialize)]
struct Checkpoint {
    format: String,
    /// CRC-32 of the text of `search`.
    crc32: String,
    search: Box<RawValue>,
}

/// What must fit before the rest of a checkpoint is looked at.
#[derive(Deserialize)]
struct Head {
    format: String,
}

/// What [`tune`] tells while it works.
pub enum TuningNews<'a> {
    /// One more game was played.
    Game,
    /// A generation is done.
    Generation(&'a TuningRow),
}

/// Runs the plan in `folder` on `jobs` threads of each member of `team`: goes on from `checkpoint.json` there if there is
/// one, else from `fresh`. After each generation it writes that file, `curve.csv` and the best weights so far, `terms.txt`;
/// only the leader has and needs the folder. The fitness of those; `None` if interrupted, the generation in progress is
/// then lost, or if the leader failed.
pub fn tune<O: Optimiser>(
    plan: &TuningPlan,
    fresh: impl FnOnce() -> O,
    folder: &Path,
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
    seen: &mut dyn FnMut(TuningNews<'_>),
) -> Result<Option<f64>, TuneError> {
    let file = folder.join(CHECKPOINT_FILE);
    // Until the end no other process can search here.
    let mut work = None;
    let begin = || {
        let begun = || Ok(file.try_exists()?.then(|| CHECKPOINT_FILE.to_owned()));
        let opened = ResumedFolder::open(folder, plan.identity(), begun);
        work = Some(opened.map_err(|source| TuneError::Folder { path: folder.to_owned(), source })?);
        let begun =
            load(&file)?.unwrap_or_else(|| Search { record: None, rows: Vec::new(), optimiser: fresh() });
        let (done, generations) = (begun.rows.len() as u64, plan.generations);
        if done > generations {
            return Err(TuneError::Beyond { path: file.clone(), done, generations });
        }
        Ok(begun)
    };
    let Some(mut now) = from_leader(team, begin)? else { return Ok(None) };
    let save = |now: &Search<O>| {
        let saved = if team.leads() { save(folder, &file, plan, now) } else { Ok(()) };
        let all = team.all(saved.is_ok());
        saved.map(|()| all)
    };
    while (now.rows.len() as u64) < plan.generations {
        let candidates = now.optimiser.candidates();
        let Some((worths, pieces)) = examine(&plan.exam, &candidates, (jobs, team), interrupt, seen) else {
            return Ok(None);
        };
        for (candidate, &worth) in candidates.iter().zip(&worths) {
            if now.record.is_none_or(|(_, record)| worth > record) {
                now.record = Some((*candidate, worth));
            }
        }
        let before = now.rows.last();
        let row = TuningRow {
            generation: before.map_or(0, |row| row.generation) + 1,
            restarts: now.optimiser.restarts(),
            evaluations: before.map_or(0, |row| row.evaluations) + worths.len() as u64,
            pieces: before.map_or(0, |row| row.pieces) + pieces,
            best: worths.iter().copied().fold(f64::MIN, f64::max),
            mean: worths.iter().sum::<f64>() / worths.len().max(1) as f64,
            record: now.record.map_or(0.0, |(_, record)| record),
        };
        now.optimiser.learn(&worths);
        now.rows.push(row);
        if !save(&now)? {
            return Ok(None);
        }
        if let Some(row) = now.rows.last() {
            seen(TuningNews::Generation(row));
        }
    }
    if !save(&now)? {
        return Ok(None);
    }
    Ok(Some(now.record.map_or(0.0, |(_, record)| record)))
}

/// The fitness of `weights` in these games, to compare what was found with. `None` if interrupted.
pub fn fitness_of(
    exam: &Exam,
    weights: &Weights,
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
) -> Option<f64> {
    let (worths, _) = examine(exam, &[*weights], (jobs, team), interrupt, &mut |_| {})?;
    worths.first().copied()
}

/// What each candidate is worth, and how many pieces that took. `None` if interrupted.
fn examine(
    exam: &Exam,
    candidates: &[Weights],
    (jobs, team): (usize, &dyn Team),
    interrupt: &AtomicBool,
    seen: &mut dyn FnMut(TuningNews<'_>),
) -> Option<(Vec<f64>, u64)> {
    let part = team.part(candidates.len() as u64 * exam.games);
    let count = part.end - part.start;
    let mut mine = Vec::with_capacity(count as usize);
    let work = |search: &mut _, index: u64, stopped: &dyn Fn() -> bool| {
        let index = part.start + index;
        let weights = &candidates[(index / exam.games) as usize];
        let played = (!stopped()).then(|| exam.play(search, weights, index % exam.games));
        Ok::<_, std::convert::Infallible>(played)
    };
    let delivered = pool::in_order(count, jobs, interrupt, || exam.search(), work, &mut |result| {
        seen(TuningNews::Game);
        mine.push(result);
        Ok(())
    });
    let whole = delivered.is_ok() && mine.len() as u64 == count;
    let results: Vec<Played> = gather(team, whole.then_some(&mine))?.concat();
    let pieces = results.iter().map(|result| result.pieces).sum();
    let worths = results
        .chunks(exam.games.max(1) as usize)
        .map(|games| best_third(&mut games.iter().map(|game| game.worth).collect::<Vec<_>>()));
    Some((worths.collect(), pieces))
}

fn load<O: Optimiser>(path: &Path) -> Result<Option<Search<O>>, TuneError> {
    let text = match files::read(path, MAX_BYTES) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(source) => return Err(TuneError::Io { path: path.to_owned(), source }),
    };
    decode(&text, path).map(Some)
}

/// The search in a checkpoint.
fn decode<O: Optimiser>(text: &[u8], path: &Path) -> Result<Search<O>, TuneError> {
    let damaged = |why: String| TuneError::Checkpoint { path: path.to_owned(), why };
    let head: Head = serde_json::from_slice(text).map_err(|error| damaged(brief(&error)))?;
    if head.format != FORMAT {
        return Err(damaged(format!("format {}", quoted(&head.format))));
    }
    let Checkpoint { crc32, search, .. } =
        serde_json::from_slice(text).map_err(|error| damaged(brief(&error)))?;
    if crc32 != checksum(&search) {
        return Err(damaged(format!("crc32 {}, counted {:?}", quoted(&crc32), checksum(&search))));
    }
    serde_json::from_str(search.get()).map_err(|error| damaged(brief(&error)))
}

fn encode<O: Optimiser>(now: &Search<O>) -> serde_json::Result<Vec<u8>> {
    let search = to_raw_value(now)?;
    serde_json::to_vec(&Checkpoint { format: FORMAT.to_owned(), crc32: checksum(&search), search })
}

/// The checkpoint of a search that just began.
pub(crate) fn checkpoint<O: Optimiser>(optimiser: O) -> Vec<u8> {
    encode(&Search { record: None, rows: Vec::new(), optimiser }).unwrap_or_default()
}

/// Reads such a checkpoint as a search would that goes on from it, and no more.
pub(crate) fn look<O: Optimiser>(file: &[u8]) -> Result<(), TuneError> {
    decode::<O>(file, Path::new("a checkpoint")).map(|search| drop(search.optimiser.candidates()))
}

fn checksum(search: &RawValue) -> String {
    format!("{:08x}", crc32fast::hash(search.get().as_bytes()))
}

fn save<O: Optimiser>(
    folder: &Path,
    file: &Path,
    plan: &TuningPlan,
    now: &Search<O>,
) -> Result<(), TuneError> {
    let write = |path: &Path, bytes: &[u8]| {
        files::write(path, bytes).map_err(|source| TuneError::Io { path: path.to_owned(), source })
    };
    let json = encode(now).map_err(|error| TuneError::Io { path: file.to_owned(), source: error.into() })?;
    write(file, &json)?;
    let curve: String = now.rows.iter().map(TuningRow::csv).collect();
    write(&folder.join("curve.csv"), (HEADER.to_owned() + &curve).as_bytes())?;
    if let Some((weights, worth)) = &now.record {
        let text = format!("# {}\n# fitness {worth:.4}\n{}", plan.told(), terms::text(weights));
        write(&folder.join("terms.txt"), text.as_bytes())?;
    }
    Ok(())
}

#[cfg(test)]
pub(super) mod tests {
    use std::fs;

    use super::*;
    use crate::team::Alone;
    use crate::team::threads::team;
    use crate::train::cmaes::Evolution;
    use crate::train::fitness::Fitness;
    use crate::train::pso::{Pull, Swarm};
    use maxout_engine::limits::Limits;

    /// Lets `optimiser` climb, and says how high it came.
    fn height(optimiser: &mut impl Optimiser, generations: u32, height: impl Fn(&Weights) -> f64) -> f64 {
        let mut best = f64::MIN;
        for _ in 0..generations {
            let worths: Vec<f64> = optimiser.candidates().iter().map(&height).collect();
            best = worths.iter().copied().fold(best, f64::max);
            optimiser.learn(&worths);
        }
        best
    }

    /// Lets `optimiser` climb a lopsided hill with its top, 0, at (0.5, 0.5, …), and begin again there.
    pub fn climbs(mut optimiser: impl Optimiser) {
        let best = height(&mut optimiser, 600, |weights| {
            let slope = |(i, x): (usize, &f64)| (1.0 + i as f64) * (x - 0.5).powi(2);
            let ridge = weights.windows(2).map(|pair| 4.0 * (pair[1] - pair[0]).powi(2)).sum::<f64>();
            -weights.iter().enumerate().map(slope).sum::<f64>() - ridge
        });
        assert!(best > -0.05, "{best}");
        assert!(optimiser.restarts() > 0);
    }

    /// Lets `optimiser` go down Rosenbrock's bent valley, whose end, 0, is at (1, 1, …), to less than `limit`.
    pub fn goes_down_a_bent_valley(mut optimiser: impl Optimiser, limit: f64) {
        let best = height(&mut optimiser, 3_000, |weights| {
            let part = |pair: &[f64]| 100.0 * (pair[1] - pair[0] * pair[0]).powi(2) + (1.0 - pair[0]).powi(2);
            -weights.windows(2).map(part).sum::<f64>()
        });
        assert!(-best < limit, "{best}");
    }

    fn plan(generations: u64) -> TuningPlan {
        let exam =
            Exam { fitness: Fitness::Garbage, rule: Limits::ONE_PER_ROW, games: 3, first_seed: 20_000 };
        TuningPlan { exam, generations, settings: vec![("method", "a test".into())] }
    }

    fn files(folder: &Path) -> [Vec<u8>; 3] {
        ["checkpoint.json", "curve.csv", "terms.txt"].map(|name| fs::read(folder.join(name)).expect(name))
    }

    fn resumes<O: Optimiser>(fresh: impl Fn() -> O) {
        let go_on = AtomicBool::new(false);
        let [once, twice] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
        let run = |generations, folder: &Path, jobs| {
            tune(&plan(generations), &fresh, folder, (jobs, &Alone), &go_on, &mut |_| {}).expect("runs")
        };
        let found = run(4, once.path(), 1);
        assert!(found.is_some() && run(2, twice.path(), 2).is_some());
        assert_eq!(run(4, twice.path(), 2), found);
        assert_eq!(files(once.path()), files(twice.path()));
        let text = String::from_utf8(files(once.path())[2].clone()).expect("text");
        let weights = terms::parse(&text).expect("weights");
        assert_eq!(fitness_of(&plan(4).exam, &weights, (2, &Alone), &go_on), found);
    }

    #[test]
    fn a_team_of_three_writes_what_one_does_once_and_a_failing_leader_stops_all() {
        let fresh = || Swarm::new(Pull::USUAL, 4, 2, 7);
        let go_on = AtomicBool::new(false);
        let [once, shared] = [(), ()].map(|()| tempfile::tempdir().expect("a folder"));
        let run = |generations, folder: &Path, team: &dyn Team| {
            tune(&plan(generations), fresh, folder, (1, team), &go_on, &mut |_| {})
        };
        let found = run(3, once.path(), &Alone).expect("runs");
        let nowhere = once.path().join("nowhere");
        let run_shared = |generations| {
            team(3, |team| {
                let folder = if team.leads() { shared.path() } else { &nowhere };
                run(generations, folder, team).expect("runs")
            })
        };
        // The second run goes on from what the leader alone can read.
        run_shared(1);
        assert_eq!(run_shared(3), [found; 3]);
        assert_eq!(files(once.path()), files(shared.path()));
        assert!(!nowhere.exists());
        fs::write(shared.path().join("checkpoint.json"), "{}").expect("written");
        let told = team(2, |team| run(4, shared.path(), team).map_err(|error| error.to_string()));
        assert!(told[0].is_err() && told[1] == Ok(None), "{told:?}");
        let file = once.path().join("terms.txt");
        let told = team(2, |team| run(1, &file, team).map_err(|error| error.to_string()));
        assert!(told[0].is_err() && told[1] == Ok(None), "{told:?}");
    }

    #[test]
    fn a_run_in_two_parts_on_two_threads_writes_the_bytes_of_one_in_one() {
        resumes(|| Swarm::new(Pull::USUAL, 4, 2, 7));
        resumes(|| Evolution::new(4, 2, 7));
    }

    #[test]
    fn an_interrupted_run_and_foreign_checkpoints_say_so() {
        let folder = tempfile::tempdir().expect("a folder");
        let fresh = || Swarm::new(Pull::USUAL, 4, 2, 7);
        let run = |plan: &TuningPlan, interrupt| {
            tune(plan, fresh, folder.path(), (1, &Alone), &AtomicBool::new(interrupt), &mut |_| {})
        };
        assert!(matches!(run(&plan(1), true), Ok(None)));
        assert!(matches!(run(&plan(1), false), Ok(Some(_))));
        let other = TuningPlan { settings: vec![("method", "another".into())], ..plan(2) };
        assert!(matches!(
            run(&other, false),
            Err(TuneError::Folder { source: ResumeError::Differs { .. }, .. })
        ));
        fs::write(folder.path().join("checkpoint.json"), "{}").expect("written");
        assert!(matches!(run(&plan(2), false), Err(TuneError::Checkpoint { .. })));
    }
}
