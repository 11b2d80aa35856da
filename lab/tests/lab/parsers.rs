//! Schedules and checkpoints: whatever is in them, they are read or refused.

use std::fs;
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::AtomicBool;

use maxout_engine::limits::Limits;
use maxout_gallery::eval::WEIGHTS_2018;
use maxout_lab::pattern;
use maxout_lab::team::Alone;
use maxout_lab::train::cmaes::Evolution;
use maxout_lab::train::fitness::{Exam, Fitness};
use maxout_lab::train::pso::{Pull, Swarm};
use maxout_lab::train::schedule::{SHIPPED, Schedule};
use maxout_lab::train::terms;
use maxout_lab::train::tuning::{TuneError, TuningNews, TuningPlan, tune};
use proptest::prelude::*;
use proptest::sample::Index;

use super::damage::{damage, damaged};

/// Two generations of a search for weights; goes on from the checkpoint in `folder`.
fn search(swarm: bool, folder: &Path) -> Result<Option<f64>, TuneError> {
    let exam = Exam { fitness: Fitness::Garbage, rule: Limits::ONE_PER_ROW, games: 1, first_seed: 20_000 };
    let plan = TuningPlan { exam, generations: 2, settings: vec![("method", "a test".into())] };
    let (go_on, seen) = (AtomicBool::new(false), &mut |_: TuningNews<'_>| {});
    if swarm {
        tune(&plan, || Swarm::new(Pull::USUAL, 4, 9, 1), folder, (1, &Alone), &go_on, seen)
    } else {
        tune(&plan, || Evolution::new(4, 9, 1), folder, (1, &Alone), &go_on, seen)
    }
}

/// What a whole search wrote: its identity, without which no folder is gone on with, and its checkpoint.
fn short_search(swarm: bool) -> &'static [Vec<u8>; 2] {
    static SEARCHES: [OnceLock<[Vec<u8>; 2]>; 2] = [const { OnceLock::new() }; 2];
    SEARCHES[usize::from(swarm)].get_or_init(|| {
        let folder = tempfile::tempdir().expect("a folder");
        search(swarm, folder.path()).expect("it searches");
        search(swarm, folder.path()).expect("it goes on from what it wrote");
        SEARCH_FILES.map(|name| fs::read(folder.path().join(name)).expect(name))
    })
}

const SEARCH_FILES: [&str; 2] = ["identity.json", "checkpoint.json"];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_is_terms_or_an_error(wild in ".{0,80}", damage in damage(), at: Index, value in "-?[0-9]{1,3}e[0-9]{1,3}") {
        let good = terms::text(&WEIGHTS_2018);
        let lines: Vec<&str> = good.lines().collect();
        let at = at.index(lines.len());
        let name = lines[at].split(' ').next().unwrap_or_default();
        let changed = good.replace(lines[at], &format!("{name} {value}"));
        for text in [&wild, &changed, &*String::from_utf8_lossy(&damaged(good.as_bytes(), &damage))] {
            if let Ok(weights) = terms::parse(text) {
                prop_assert!(weights.iter().all(|weight| weight.is_finite()));
                prop_assert_eq!(terms::parse(&terms::text(&weights)), Ok(weights));
            }
        }
    }

    #[test]
    fn any_bytes_are_a_picture_or_an_error(wild in proptest::collection::vec(any::<u8>(), 0..200), damage in damage()) {
        let folder = tempfile::tempdir().expect("a folder");
        let heart = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/patterns/heart.png");
        let heart = fs::read(heart).expect("a picture");
        for bytes in [&wild, &damaged(&heart, &damage), &[&heart[..], &wild].concat()] {
            let file = folder.path().join("picture.png");
            fs::write(&file, bytes).expect("a file");
            let _ = pattern::read(&file);
        }
    }

    #[test]
    fn any_text_is_a_schedule_or_an_error(
        wild in ".{0,80}",
        key in "(seed|chunk_pieces|name|level|chunks|candidates|death|drill|restart_steps)",
        value in "(-?[0-9]{1,21}|[0-9]e[0-9]{1,3}|true|\"x\"|\\[\\]|nan|-?inf)",
        damage in damage(),
    ) {
        let _ = Schedule::parse(&wild);
        let _ = Schedule::parse(&String::from_utf8_lossy(&damaged(SHIPPED.as_bytes(), &damage)));
        let stage = "seed = 1\nchunk_pieces = 2\n[[stage]]\nname = \"a\"\nlevel = 1\nchunks = 1\n";
        let changed: String = stage
            .lines()
            .map(|line| if line.starts_with(&key) { format!("{key} = {value}\n") } else { format!("{line}\n") })
            .collect();
        if let Ok(schedule) = Schedule::parse(&changed) {
            prop_assert!(schedule.pieces(u64::MAX) >= schedule.chunks());
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A search for weights goes on from what it wrote and from nothing else.
    #[test]
    fn a_damaged_checkpoint_of_a_search_is_refused(damage in damage(), swarm: bool) {
        let folder = tempfile::tempdir().expect("a folder");
        let [identity, good] = short_search(swarm);
        let bytes = damaged(good, &damage);
        let [beside, file] = SEARCH_FILES.map(|name| folder.path().join(name));
        fs::write(beside, identity).expect("a file");
        fs::write(&file, &bytes).expect("a file");
        let found = search(swarm, folder.path());
        prop_assert_eq!(found.is_ok(), &bytes == good, "{:?}", found);
        prop_assert_eq!(fs::read(&file).expect("it is there"), bytes);
    }
}
