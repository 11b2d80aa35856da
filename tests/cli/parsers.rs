//! Nothing that can be read makes a panic: whatever bytes a file has and whatever words a flag has, the answer is a
//! value or an error. FM2 and BK2 are in movies.rs, the library in runs.rs, RAM and buttons in fuzz.rs and faults.rs.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::sync::OnceLock;

use flate2::Compression;
use flate2::write::{GzEncoder, ZlibEncoder};
use maxout::conform::{on_model, trace};
use maxout::export::html::PageRun;
use maxout::library::run::{load, record_now};
use maxout::library::store::RunId;
use maxout::library::verify::Verifier;
use maxout::share::Share;
use maxout_engine::Position;
use maxout_engine::eval::ntuple::ENTRIES;
use maxout_engine::eval::weights;
use maxout_engine::limits::{Das, Limits, Presses};
use maxout_engine::movegen::{Reach, Start, placements};
use maxout_engine::player::Mind;
use maxout_engine::search::Foresight;
use maxout_gallery::eval::cnn::Cnn;
use maxout_host::batch::{Batch, sim};
use maxout_host::{TEST_CARTRIDGE, rom};
use maxout_record::movie::{self, MovieFormat, bk2, fm2};
use maxout_record::result::HostKind;
use maxout_record::run::timeline;
use maxout_record::run::{Record, RomName, log_from_text, log_to_text};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::{Board, FallRule, MenuScript, Orientation, Piece, Placement, Progress, Seed, Stop};
use proptest::prelude::*;
use proptest::sample::Index;

use crate::damage::{damage, damaged};

/// The first lines of a measured trace, unpacked.
fn short_trace() -> &'static str {
    static TRACE: OnceLock<String> = OnceLock::new();
    TRACE.get_or_init(|| {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/a1_l19_taps_3games.csv.gz");
        let bytes = fs::read(file).expect("the trace");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(&bytes[..]), &mut text)
            .expect("it unpacks");
        text.lines().take(330).map(|line| format!("{line}\n")).collect()
    })
}

/// A short run on the model, from a power-on seed.
fn short_run() -> &'static (Record, InputLog) {
    static RUN: OnceLock<(Record, InputLog)> = OnceLock::new();
    RUN.get_or_init(|| {
        let player = maxout_gallery::find("plateau17").expect("registered");
        let stop = Stop::Lines(2);
        let batch = Batch { first_seed: 772, stop, ..Batch::new(player.clone(), 1) };
        let mut run = None;
        sim(&batch, 1, &false.into(), &mut |game| {
            let rom = RomName { name: "model".to_owned(), sha1: None };
            run = Some((record_now(&game, &batch, HostKind::Model, rom), game.log()));
            Ok(())
        })
        .expect("it plays");
        run.expect("a game")
    })
}

fn rows() -> impl Strategy<Value = [u16; 22]> {
    let row =
        prop_oneof![Just(0u16), 0u16..1024, (0u16..10).prop_map(|column| 0x3FF ^ 1 << column), Just(0x3FF)];
    proptest::array::uniform22(row)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1000))]

    #[test]
    fn any_text_is_a_board_or_an_error(
        wild in ".{0,60}",
        drawn in "([.#X]{9,11}[ \t\r]{0,2}\n){0,24}",
        at: Index,
        letter: char,
    ) {
        let _ = wild.parse::<Board>();
        let _ = drawn.parse::<Board>();
        let mut letters: Vec<char> = drawn.chars().collect();
        if !letters.is_empty() {
            let at = at.index(letters.len());
            letters[at] = letter;
        }
        if let Ok(board) = letters.into_iter().collect::<String>().parse::<Board>() {
            prop_assert_eq!(board.to_string().parse::<Board>(), Ok(board));
        }
    }

    #[test]
    fn any_words_are_a_stop_a_run_or_an_error(
        wild in ".{0,12}",
        number in "(lines:)?[-+0-9]{0,25}(/[-+0-9]{0,22})?",
    ) {
        for text in [&wild, &number] {
            if let Ok(stop) = text.parse::<Stop>() {
                prop_assert_eq!(stop.to_string().parse::<Stop>(), Ok(stop));
            }
            if let Ok(id) = text.parse::<RunId>() {
                prop_assert_eq!(id.to_string().parse::<RunId>(), Ok(id));
            }
            let _ = maxout_gallery::find(text);
            let _ = text.parse::<Share>();
        }
    }

    #[test]
    fn any_seed_makes_a_game_on_any_level(seed: u64, level in 0u8..20, wait: u8) {
        let game = Seed::new(seed).start(level);
        prop_assert_eq!(game.progress.level, level);
        prop_assert!(game.id.piece().is_some() && game.next.piece().is_some());
        let frames = MenuScript { level, wait }.frames();
        prop_assert!(frames.len() < 600);
        let _ = Seed::new(seed).opening().buttons(seed as usize);
    }

    #[test]
    fn a_damaged_trace_is_read_or_refused(damage in damage(), packed: bool, wild in "[0-9a-f,;=\n]{0,200}") {
        let header = short_trace().lines().next().expect("a header");
        for text in [&damaged(short_trace().as_bytes(), &damage), format!("{header}\n{wild}").as_bytes()] {
            let mut bytes = text.to_vec();
            if packed {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
                encoder.write_all(text).expect("it packs");
                bytes = damaged(&encoder.finish().expect("it packs"), &(Vec::new(), damage.1));
            }
            if let Ok(rows) = trace::read(&bytes) {
                let _ = on_model(&rows);
            }
        }
    }

    #[test]
    #[ignore = "slow; .ci/run has it"]
    fn any_bytes_are_a_cartridge_image_or_an_error(
        head in proptest::array::uniform12(any::<u8>()),
        body in proptest::collection::vec(any::<u8>(), 0..2_000),
        damage in damage(),
    ) {
        let magic = b"NES\x1A".as_slice();
        for image in [&body, &[magic, &head, &body].concat(), &damaged(TEST_CARTRIDGE, &damage)] {
            // It identifies the image first.
            let _ = rom::admit(image, true);
        }
    }

    #[test]
    fn any_bytes_are_weights_or_an_error(
        wild in proptest::collection::vec(any::<u8>(), 0..400),
        with_sum: bool,
        deflated: bool,
    ) {
        let _ = weights::decode(&wild);
        let mut body = wild.clone();
        if deflated {
            let mut encoder = ZlibEncoder::new(Vec::new(), Compression::fast());
            encoder.write_all(&wild).expect("it packs");
            body = encoder.finish().expect("it packs");
        }
        let crc = if with_sum { crc32fast::hash(&body) } else { 7 };
        let head = format!("maxout-weights 4\nfeatures ntuple-59-a\nentries {ENTRIES}\ntraining none\n");
        let file = [format!("{head}crc32 {crc:08x}\n\n").as_bytes(), &body].concat();
        prop_assert!(weights::decode(&file).is_err());
    }

    #[test]
    fn any_bytes_are_a_network_or_an_error(damage in damage(), with_sum: bool) {
        let mut file = damaged(&Cnn::embedded().encode(), &damage);
        if with_sum && file.len() > 64 {
            // The sum stands between a line of text and the weights.
            let body = file.iter().position(|&byte| byte == b'\n').map_or(0, |end| end + 5).min(file.len());
            let crc = crc32fast::hash(&file[body..]).to_le_bytes();
            file[body.saturating_sub(4)..body].copy_from_slice(&crc[..body.min(4)]);
        }
        if let Ok(network) = Cnn::decode(&file) {
            let _ = network.value(&Board::EMPTY);
        }
    }

    #[test]
    fn any_text_is_a_button_log_or_an_error(
        wild in ".{0,80}",
        lines in "([0-9]{1,20} [.RLDUTSBA]{7,9}\n){0,5}",
        damage in damage(),
    ) {
        let good = log_to_text(&short_run().1);
        let drawn = format!("maxout-buttons 1\n{lines}");
        for text in [&wild, &drawn, &*String::from_utf8_lossy(&damaged(good.as_bytes(), &damage))] {
            if let Ok(log) = log_from_text(text) {
                prop_assert_eq!(log_from_text(&log_to_text(&log)), Ok(log));
            }
        }
    }

    #[test]
    fn a_damaged_movie_is_read_or_refused(log in ".{0,200}", header in ".{0,80}", damage in damage()) {
        let folder = tempfile::tempdir().expect("a folder");
        let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        let options = zip::write::SimpleFileOptions::default();
        for (name, text) in [("Header.txt", &header), ("Input Log.txt", &format!("[Input]\nLogKey:#\n{log}"))] {
            archive.start_file(name, options).expect("a member");
            archive.write_all(text.as_bytes()).expect("it packs");
        }
        let packed = archive.finish().expect("it packs").into_inner();
        let _ = bk2::read(&packed);
        let text = "version 3\nport0 1\nport1 0\n|0|R......A|||\n|1|........|||\n";
        let _ = fm2::read(&damaged(text.as_bytes(), &damage));
        for (name, format) in [("x.bk2", MovieFormat::Bk2), ("x.fm2", MovieFormat::Fm2)] {
            let file = folder.path().join(name);
            fs::write(&file, damaged(&packed, &damage)).expect("a file");
            let _ = movie::load(&file, format);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    /// A run in a folder whose record and log were changed at will: read and played, or refused.
    #[test]
    fn a_damaged_run_is_read_or_refused(
        damage in damage(),
        numbers in proptest::collection::vec((any::<Index>(), any::<u64>()), 0..3),
        pads in proptest::collection::vec((any::<Index>(), any::<u8>()), 0..40),
    ) {
        let (record, log) = short_run();
        let folder = tempfile::tempdir().expect("a folder");
        let mut fields = serde_json::to_value(record).expect("JSON");
        let names: Vec<String> = fields.as_object().expect("an object").keys().cloned().collect();
        for (at, number) in numbers {
            fields[&names[at.index(names.len())]] = (number >> (number & 63)).into();
        }
        let mut frames = log.frames().to_vec();
        for (at, pad) in pads {
            let at = at.index(frames.len());
            frames[at] = Buttons(pad);
        }
        let log: InputLog = frames.into_iter().collect();
        let (json, text) = (folder.path().join("run.json"), folder.path().join("buttons.txt"));
        for broken in [false, true] {
            let bytes = serde_json::to_vec_pretty(&fields).expect("JSON");
            fs::write(&json, if broken { damaged(&bytes, &damage) } else { bytes }).expect("a file");
            fs::write(&text, log_to_text(&log)).expect("a file");
            let Ok((record, log)) = load(folder.path()) else { continue };
            let _ = timeline(&record, &log);
            let _ = PageRun::new(record.clone(), log.clone());
            let _ = Verifier { console: None }.verify(&record, &log, &mut || true);
        }
    }

    /// Every board and every piece in the air, possible or not, has a plan or none.
    #[test]
    fn players_answer_whatever_they_see(
        rows in rows(),
        (x, y, orientation) in (0u8..10, 0u8..20, proptest::sample::select(Orientation::ALL.as_slice())),
        (fall_timer, autorepeat_y, held) in any::<(u8, u8, u8)>(),
        (level, lines, next) in (any::<u8>(), 0u32..25_600, 0usize..7),
    ) {
        let board = Board::from_rows(rows);
        let start = Start { x, y, orientation, fall_timer, level, held: Buttons(held), pressed: 0, elapsed: 0, autorepeat_y, das: fall_timer, entering: lines % 2 == 1, fall_rule: FallRule::ALL[lines as usize % 3] };
        for rule in [Limits::EACH_BUTTON, Limits::ONE_PER_ROW, Limits::new(Presses::Das(Das::ALONE))] {
            let mut found = Vec::new();
            placements(&board, &start, rule, &mut found);
            let Some(reach) = Reach::new(&board, &start, rule) else { continue };
            for placement in found {
                let _ = reach.path(placement);
            }
            for hover in reach.hovers(u32::from(fall_timer % 32)) {
                let _ = (reach.inputs_of(&hover), reach.held_before(&hover));
            }
            let _ = reach.path(Placement { x: y, y: x, orientation });
        }
        let progress = Progress::at(lines, level);
        let seen = Position { board, start, next: Some(Piece::ALL[next]), progress };
        let holds = Limits::new(Presses::Das(Das::ALONE));
        let fast = maxout_gallery::find("maxout-fast").expect("registered");
        let others = ["plateau17", "meatfighter2018"].map(|name| maxout_gallery::find(name).expect("registered").clone());
        for entry in others.into_iter().chain([fast.clone()]).chain(fast.with_limits(holds)) {
            let Mind::Fair(mut player) = entry.make(Foresight::DEFAULT, Stop::Level29) else { continue };
            let _ = player.hold_before_spawn(&Position { next: None, ..seen });
            if let Some(plan) = player.plan(&seen) {
                prop_assert!(!plan.buttons.is_empty() && plan.buttons.len() == plan.poses.len());
            }
        }
    }
}
