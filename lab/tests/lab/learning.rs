//! The learned player's search, and the training that makes its weights.

use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{Command as Process, Stdio};
use std::sync::atomic::AtomicBool;

use maxout_engine::Position;
use maxout_engine::eval::ntuple::{LANES, Ntuple59, Ntuple90, TableList};
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_lab::team::Alone;
use maxout_lab::train::schedule::{PLATEAU, SHIPPED, Schedule};
use maxout_lab::train::train;
use maxout_rules::{Board, Piece, Progress};

fn ready_for_a_tetris() -> Board {
    "#########.\n".repeat(4).parse().expect("a board")
}

#[test]
fn takes_the_tetris_at_once() {
    for widths in [Widths::DEFAULT, Widths::TWO] {
        let mut search = Expectimax::new(weights::embedded_common(), widths, Limits::EACH_BUTTON);
        let position = Position::spawn(ready_for_a_tetris(), Piece::I, Some(Piece::O), Progress::at(0, 19));
        let best = search.best(&position).expect("a placement");
        assert_eq!((best.x, best.y, best.orientation.id()), (9, 18, 0x11));
    }
}

#[test]
fn waits_with_the_well_open_when_the_bar_comes_next() {
    let mut search = Expectimax::new(weights::embedded_common(), Widths::DEFAULT, Limits::EACH_BUTTON);
    let position = Position::spawn(ready_for_a_tetris(), Piece::O, Some(Piece::I), Progress::at(0, 19));
    let best = search.best(&position).expect("a placement");
    assert!(best.x < 9, "{best:?} leaves the right column open");
}

#[test]
fn the_same_decision_every_time_whatever_was_searched_before() {
    let mut used = Expectimax::new(weights::embedded_common(), Widths::DEFAULT, Limits::EACH_BUTTON);
    let mut board = Board::EMPTY;
    for turn in 0..12 {
        let (piece, next) = (Piece::ALL[turn * 3 % 7], Piece::ALL[(turn * 3 + 3) % 7]);
        let start = Start::spawn(piece, 19);
        let progress = Progress::at(0, 19);
        let best = used.best(&Position { board, start, next: Some(next), progress }).expect("a placement");
        let mut fresh = Expectimax::new(weights::embedded_common(), Widths::DEFAULT, Limits::EACH_BUTTON);
        assert_eq!(fresh.best(&Position { board, start, next: Some(next), progress }), Some(best));
        board.lock(best.x, best.y, best.orientation);
    }
}

#[test]
fn equal_nodes_give_equal_moves_whatever_was_searched_before() {
    for nodes in [1, 1_000, 5_000] {
        let limits = Foresight { nodes: Some(nodes), ..Foresight::DEFAULT };
        let search = || {
            Expectimax::new(weights::embedded_common(), Widths::DEFAULT, Limits::EACH_BUTTON)
                .with_foresight(limits)
        };
        let mut used = search();
        let mut board = Board::EMPTY;
        for turn in 0..8 {
            let (piece, next) = (Piece::ALL[turn * 3 % 7], Piece::ALL[(turn * 3 + 3) % 7]);
            let start = Start::spawn(piece, 19);
            let progress = Progress::at(0, 19);
            let best =
                used.best(&Position { board, start, next: Some(next), progress }).expect("a placement");
            let mut fresh = search();
            assert_eq!(
                fresh.best(&Position { board, start, next: Some(next), progress }),
                Some(best),
                "{nodes} nodes"
            );
            assert_eq!(fresh.nodes(), used.nodes());
            // The two pieces that are seen take some 500, and a stack that was begun is finished.
            assert!(used.nodes() < nodes + 4_000, "{} nodes", used.nodes());
            board.lock(best.x, best.y, best.orientation);
        }
    }
}

#[test]
fn nothing_can_be_done_on_a_full_board_and_that_is_no_panic() {
    let full = Board::from_rows([0x1FF; 22]);
    for piece in Piece::ALL {
        let mut search = Expectimax::new(weights::embedded_common(), Widths::DEFAULT, Limits::EACH_BUTTON);
        let _ = search.best(&Position::spawn(full, piece, Some(Piece::T), Progress::at(229, 28)));
    }
}

#[test]
#[ignore = "writes 3 GB of checkpoints; runs in .ci/run"]
fn an_interrupted_training_goes_on_to_the_same_weights() {
    let schedule = |chunks: u32| {
        let text = format!(
            "seed = 5\nchunk_pieces = 1500\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n\
             [[stage]]\nname = \"b\"\nlevel = 19\nchunks = {chunks}\ncandidates = 2\nby_height = true\ndrill = 0.1\naverage = true\n"
        );
        Schedule::parse(&text).expect("a schedule")
    };
    let (whole, parts) = (tempfile::tempdir().expect("a folder"), tempfile::tempdir().expect("a folder"));
    let go_on = AtomicBool::new(false);
    let run = |schedule: &Schedule, folder: &tempfile::TempDir| {
        train(schedule, folder.path(), (1, &Alone), &go_on, &mut |_| {}).expect("it trains")
    };
    assert!(run(&schedule(2), &whole));
    assert!(run(&schedule(1), &parts));
    let interrupted = AtomicBool::new(true);
    let finished =
        train(&schedule(2), parts.path(), (1, &Alone), &interrupted, &mut |_| {}).expect("it stops");
    assert!(!finished);
    assert!(run(&schedule(2), &parts));
    let read = |folder: &tempfile::TempDir, name: &str| fs::read(folder.path().join(name)).expect(name);
    assert!(read(&whole, "weights.bin") == read(&parts, "weights.bin"));
    weights::decode(&read(&whole, "weights.bin")).expect("whole weights");
    assert_eq!(String::from_utf8_lossy(&read(&whole, "curve.csv")).lines().count(), 4);
    let refused = |file: &str| {
        let error = train(&schedule(2), whole.path(), (1, &Alone), &go_on, &mut |_| {}).expect_err(file);
        error.to_string()
    };
    for file in ["mean.bin", "checkpoint.bin"] {
        let path = whole.path().join(file);
        let mut bytes = fs::read(&path).expect(file);
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).expect("written");
        let error = refused(file);
        assert!(error.contains(file) && error.contains("damaged"), "{error}");
        bytes[middle] ^= 1;
        fs::write(&path, &bytes).expect("written");
    }
    fs::remove_file(whole.path().join("mean.bin")).expect("it was there");
    let error = refused("mean.bin");
    assert!(error.contains("mean.bin") && error.contains("up to chunk 3"), "{error}");
}

#[test]
#[ignore = "writes 2 GB of checkpoints; runs in .ci/run"]
fn a_stage_that_settles_ends_with_the_mean_of_its_chunks() {
    let train = |end: &str| {
        let text = format!(
            "seed = 5\nchunk_pieces = 1500\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 2\nby_height = true\n{end}"
        );
        let schedule = Schedule::parse(&text).expect("a schedule");
        let folder = tempfile::tempdir().expect("a folder");
        let go_on = AtomicBool::new(false);
        assert!(train(&schedule, folder.path(), (1, &Alone), &go_on, &mut |_| {}).expect("it trains"));
        let file = fs::read(folder.path().join("weights.bin")).expect("weights");
        let network = weights::decode(&file).expect("whole weights");
        network.weights().map(f32::to_bits).collect::<Vec<_>>()
    };
    let after = "[[stage]]\nname = \"b\"\nlevel = 19\nchunks = 0\nby_height = true\n";
    let mean = train("average = true\n");
    assert!(mean == train(&format!("settle = true\n{after}")));
    assert!(mean != train(after));
}

#[test]
#[ignore = "writes 8 GB of checkpoints; runs in .ci/run"]
fn the_network_of_the_plateau_is_learned_and_an_interrupted_training_goes_on_to_the_same_one() {
    let schedule = |top: &str, chunks: u32| {
        let rules = "level = 19\ncandidates = 2\nby_height = true\nall_next = true\npatience = 20.0\n";
        let text = format!(
            "seed = 5\nchunk_pieces = 400\ngames = 4\nshipped = true\n{top}\n\
             [[stage]]\nname = \"a\"\nchunks = 1\ndeath = -10.0\nsettle = true\n{rules}\
             [[stage]]\nname = \"b\"\nchunks = {chunks}\ndeath = -7.0\nrestart_steps = true\naverage = true\n{rules}"
        );
        Schedule::parse(&text).expect("a schedule")
    };
    let plateau = |chunks: u32| schedule("plateau = true", chunks);
    let folder = || tempfile::tempdir().expect("a folder");
    let (whole, parts, other) = (folder(), folder(), folder());
    let run = |schedule: &Schedule, folder: &tempfile::TempDir, jobs: usize, interrupt: bool| {
        let interrupt = AtomicBool::new(interrupt);
        train(schedule, folder.path(), (jobs, &Alone), &interrupt, &mut |_| {})
    };
    assert!(run(&plateau(2), &whole, 1, false).expect("it trains"));
    assert!(run(&plateau(1), &parts, 2, false).expect("it trains"));
    assert!(!run(&plateau(2), &parts, 1, true).expect("it stops"));
    assert!(run(&plateau(2), &parts, 2, false).expect("it trains"));
    let read = |folder: &tempfile::TempDir, name: &str| fs::read(folder.path().join(name)).expect(name);
    for name in ["weights.bin", "checkpoint.bin", "mean.bin"] {
        assert!(read(&whole, name) == read(&parts, name), "{name}");
    }
    assert!(!whole.path().join("taps.bin").exists());

    // The other tables are those of the program, and a lost game is worth what the last stage says.
    let network = weights::decode(&read(&whole, "weights.bin")).expect("whole weights");
    let learned = network.plateau().expect("a network of the plateau");
    assert!(network.weights().eq(weights::embedded_common().weights()));
    assert_eq!(network.deaths()[0].to_bits(), (-7.0f32).to_bits());
    assert_eq!(network.deaths()[1..], weights::embedded_common().deaths()[1..]);
    let (base, learned): (Vec<f32>, Vec<f32>) =
        (weights::base().weights().collect(), learned.weights().collect());
    let common = Ntuple59::COMMON * LANES;
    assert!(learned.len() == Ntuple90::ENTRIES * LANES && learned[..common] != base[..common]);
    assert!(learned[common..].iter().any(|&weight| weight != 0.0));

    // A checkpoint of the other list is none of this one.
    assert!(run(&schedule("", 1), &other, 1, false).expect("it trains"));
    for (schedule, folder) in [(schedule("", 2), &whole), (plateau(2), &other)] {
        let error = anyhow::Error::from(run(&schedule, folder, 1, false).expect_err("another list"));
        assert!(format!("{error:#}").contains("holds a training of plateau"), "{error:#}");
    }
}

#[test]
fn the_shipped_schedule_reads_and_a_wrong_one_is_refused() {
    for committed in [SHIPPED, PLATEAU] {
        assert!(Schedule::parse(committed).expect("it reads").chunks() > 1);
    }
    let rounds =
        |games: &str| Schedule::parse(&format!("games = {games}\n{SHIPPED}")).map(|schedule| schedule.games);
    assert_eq!(rounds("16").expect("it reads"), Some(16));
    for wrong in ["0", "65537", "-1"] {
        assert!(rounds(wrong).is_err(), "{wrong} games");
    }
    for wrong in ["", "seed = 1\nchunk_pieces = 9\nstage = []\n", "seed = \"x\"\n", "colour = 1\n"] {
        assert!(Schedule::parse(wrong).is_err(), "{wrong:?}");
    }
    let stage = |name: &str, more: &str| {
        let head = "seed = 1\nchunk_pieces = 9\n[[stage]]\nlevel = 19\nchunks = 1\n";
        Schedule::parse(&format!("{head}name = {name:?}\n{more}\n"))
    };
    stage("first", "drill = 0.5").expect("it reads");
    let sized = |pieces: u64, chunks: u64| {
        Schedule::parse(&format!(
            "seed = 1\nchunk_pieces = {pieces}\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = {chunks}\n\
             [[stage]]\nname = \"b\"\nlevel = 19\nchunks = 1\nchunk_pieces = 7\n"
        ))
    };
    let most = sized(1_000_000_000_000, 999_999).expect("it reads");
    assert_eq!((most.chunks(), most.pieces(u64::MAX)), (1_000_000, 999_999_000_000_000_007));
    for (pieces, chunks) in [(0, 1), (1_000_000_000_001, 1), (1, 1_000_000), (1, i64::MAX as u64)] {
        let error = sized(pieces, chunks).expect_err("too many").to_string();
        assert!(error.starts_with("schedule: ") && error.contains("expected"), "{error}");
    }
    for (name, more) in [("one, two", ""), ("x", "drill = 0.6"), ("x", "death = 1.0"), ("x", "drill = nan")] {
        let error = stage(name, more).expect_err(more).to_string();
        assert!(error.contains(name) && error.contains("expected"), "{error}");
    }
}

#[cfg(unix)]
#[test]
#[ignore = "slow; .ci/run has it"]
fn a_training_says_how_far_it_is_within_a_chunk_and_interrupted_there_that_nothing_was_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let schedule = folder.path().join("schedule.toml");
    let text = "seed = 5\nchunk_pieces = 1000000000\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n";
    fs::write(&schedule, text).expect("a file");
    let mut child = Process::new(env!("CARGO_BIN_EXE_maxout-lab"))
        .env_remove("RUST_LOG")
        .args(["train", "td", "--jobs", "1", "--schedule"])
        .arg(&schedule)
        .arg("--dir")
        .arg(folder.path().join("td"))
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .expect("maxout starts");
    let mut lines = BufReader::new(child.stderr.take().expect("stderr")).lines();
    let first = lines.next().expect("a line").expect("text");
    assert!(first.contains("of 1,000,000,000 pieces") && first.contains("left"), "{first}");
    let kill = Process::new("kill").args(["-INT", &child.id().to_string()]).status().expect("kill runs");
    assert!(kill.success());
    let last = lines.map(|line| line.expect("text")).last().expect("a line");
    assert!(last.contains("interrupted") && last.contains("nothing was kept"), "{last}");
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
