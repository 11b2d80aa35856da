//! What a writer accepts, its reader reads: notes, records, folders of runs, movies. What the laboratory writes is tried there.

use std::sync::OnceLock;

use maxout::library::run::{load, record_now, save};
use maxout::library::store::{Library, Note, RunFilter};
use maxout::stats::Statistics;
use maxout_host::batch::{Batch, Finished, sim};
use maxout_record::movie::{Movie, MovieFormat, MovieFrame};
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::{Record, RomName};
use maxout_rules::Stop;
use maxout_rules::input::Buttons;
use proptest::prelude::*;
use tempfile::TempDir;

/// Text with whatever disturbs terminals, tables and lines.
fn any_text() -> impl Strategy<Value = String> {
    let letters = prop_oneof![
        4 => any::<char>(),
        4 => prop::char::range(' ', '~'),
        1 => prop::sample::select(vec!['\n', '\r', '\t', '\0', '\u{1b}', '\u{85}', '\u{200f}', '\u{202e}', '\u{2028}', '\'', '=', '"', '|', ',']),
    ];
    prop_oneof![
        6 => prop::collection::vec(letters, 0..40).prop_map(|letters| letters.into_iter().collect()),
        1 => (990usize..1_010).prop_map(|length| "ä".repeat(length)),
    ]
}

/// A short game and its record.
fn game() -> &'static (Finished, Record) {
    static GAME: OnceLock<(Finished, Record)> = OnceLock::new();
    GAME.get_or_init(|| {
        let player = maxout_gallery::find("plateau17").expect("registered").clone();
        let batch = Batch { first_seed: 50_000, stop: Stop::Lines(1), ..Batch::new(player, 1) };
        let mut kept = None;
        sim(&batch, 1, &false.into(), &mut |game| {
            let record =
                record_now(&game, &batch, HostKind::Model, RomName { name: "model".to_owned(), sha1: None });
            kept = Some((game, record));
            Ok(())
        })
        .expect("a game");
        kept.expect("one")
    })
}

prop_compose! {
    fn any_record()(
        texts in prop::array::uniform7(any_text()),
        which in any::<[bool; 5]>(),
        (is_on_console, stop) in (any::<bool>(), prop_oneof![Just(Stop::Level29), Just(Stop::TopOut), (1u32..=3300).prop_map(Stop::Lines)]),
        (score, decisions, seed) in (any::<u64>(), any::<u64>(), any::<u64>()),
        (wall_s, cpu) in (any::<f64>(), any::<f64>()),
        flags in any::<[bool; 3]>(),
        sums in any::<[bool; 2]>(),
    ) -> Record {
        let mut record = game().1.clone();
        let Record { made_at, version, player, limits, rom, ram_crc32, .. } = &mut record;
        let sum = |is_there: bool, text: &str| is_there.then(|| text.to_owned());
        rom.sha1 = sum(sums[0], &texts[5]);
        *ram_crc32 = sum(sums[1], &texts[6]);
        let fields = [made_at, version, player, limits, &mut rom.name];
        for ((field, text), wild) in fields.into_iter().zip(texts).zip(which) {
            if wild {
                *field = text;
            }
        }
        let [fair, topped_out, crashed] = flags;
        let host = if is_on_console { HostKind::Console } else { HostKind::Model };
        let result = GameResult { score, topped_out, crashed, ..record.result };
        Record { host, stop, result, decisions, seed, wall_s, cpu_ms_per_decision: cpu, fair, ..record }
    }
}

prop_compose! {
    /// Any names, comments and subtitles, also those that no file takes.
    fn wild_movie()(
        (author, rom_name) in (any_text(), any_text()),
        times in prop_oneof![8 => Just(1usize), 1 => Just(2_000)],
        comments in prop::collection::vec(any_text(), 0..20),
        subtitles in prop::collection::vec((any::<u64>(), any_text()), 0..20),
        records in prop::collection::vec(any::<u8>(), 1..60),
        rerecords: u64,
    ) -> Movie {
        let frames = records.into_iter().map(|held| MovieFrame::of_first(Buttons(held))).collect();
        let (comments, subtitles) = (vec![comments; times].concat(), vec![subtitles; times].concat());
        Movie { author, rom_name, comments, subtitles, rerecords, plugged: [true, false], frames, ..Movie::default() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn a_note_that_is_taken_is_read(text in any_text()) {
        if let Ok(note) = text.parse::<Note>() {
            let (game, record) = game();
            let folder = TempDir::new().expect("a folder");
            let mut library = Library::open_or_create(folder.path()).expect("a library");
            let statistics = Statistics::of(&game.outcome.locks, 19);
            let id = library.add(record, &statistics, &game.log()).expect("kept");
            library.set_note(id, &note).expect("noted");
            let list = library.list(&RunFilter::default()).expect("a list");
            prop_assert_eq!(&list.runs[0].note, text.trim());
            prop_assert_eq!(list.damaged, []);
        }
    }

    #[test]
    fn a_record_that_is_taken_is_read(record in any_record(), empty: bool) {
        let (game, folder) = (&game().0, TempDir::new().expect("a folder"));
        let mut library = Library::open_or_create(folder.path()).expect("a library");
        let locks = if empty { &[][..] } else { &game.outcome.locks[..] };
        let (statistics, log) = (Statistics::of(locks, 19), game.log());
        if let Ok(id) = library.add(&record, &statistics, &log) {
            let run = library.run(id).expect("read");
            prop_assert_eq!((&run.record, &run.statistics), (&record, &statistics));
            prop_assert_eq!(library.record_and_log(id).expect("read"), (record.clone(), log.clone()));
        }
        if let Ok(place) = save(folder.path(), &record, &log) {
            prop_assert_eq!(load(&place).expect("read"), (record, log));
        }
    }

    #[test]
    fn a_movie_that_is_written_is_read(movie in wild_movie()) {
        for format in [MovieFormat::Fm2, MovieFormat::Bk2] {
            if let Ok(bytes) = format.write(&movie) {
                let read = format.open(&bytes).expect("our own movie");
                prop_assert_eq!(&read.frames, &movie.frames);
                // What it says is one line each, and stays so.
                let again = format.open(&format.write(&read).expect("shorter")).expect("our own movie");
                prop_assert_eq!(read, again);
            }
        }
    }
}
