//! What `src/run/archive.rs` promises.

use maxout_record::members::{MAX_MEMBERS, MEMBER};
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::*;
use maxout_record::run::{Record, record_from_json};
use maxout_rules::Stop;
use maxout_rules::input::Buttons;
use maxout_rules::input::InputLog;
use std::io::Cursor;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

#[test]
fn a_run_reads_back_as_it_was_packed() {
    let (menu, play) = (vec![Buttons::START; 3], vec![Buttons::LEFT, Buttons::NONE, Buttons::A]);
    let log: InputLog = menu.iter().chain(&play).copied().collect();
    let record = Record {
        format: FORMAT.to_owned(),
        made_at: "2026-11-23T07:00:00Z".to_owned(),
        version: "1.2.3".to_owned(),
        player: "nobody".to_owned(),
        fair: true,
        limits: "taps 12hz".to_owned(),
        host: HostKind::Model,
        rom: RomName { name: "model".to_owned(), sha1: None },
        seed: 7,
        start_level: 19,
        stop: Stop::Lines(2),
        result: GameResult {
            score: 4_000,
            line_points: 4_000,
            lines: 2,
            level: 19,
            doubles: 1,
            ..GameResult::default()
        },
        decisions: 9,
        replans: 1,
        cpu_ms_per_decision: 0.25,
        wall_s: 1.5,
        menu_frames: menu.len() as u64,
        frames: play.len() as u64,
        ram_crc32: None,
    };
    let bytes = archive(&record, &log).expect("packed");
    assert_eq!(archive(&record, &log).expect("packed"), bytes, "the same bytes");
    assert_eq!(unpack(&bytes).expect("a run"), (record.clone(), log));
    // What a record leaves out is not made up.
    let whole = serde_json::to_value(&record).expect("JSON");
    for key in ["reached_stop", "shown_score", "score", "tetrises"] {
        let mut part = whole.clone();
        part.as_object_mut().expect("an object").remove(key);
        assert!(record_from_json(&part.to_string()).is_err_and(|error| error.contains(key)), "{key}");
    }
    assert!(unpack(&bytes[..bytes.len() - 9]).is_err_and(|error| error.to_string().contains("zip")));
    let other = String::from_utf8_lossy(&bytes).replace("maxout-buttons 1", "maxout-buttons 2");
    assert!(unpack(other.as_bytes()).is_err());
    assert!(unpack(&MEMBER.repeat(MAX_MEMBERS + 1)).is_err_and(|error| error.to_string().contains("1001")));
    let mut empty = ZipWriter::new(Cursor::new(Vec::new()));
    empty.start_file("else.txt", SimpleFileOptions::default()).expect("a member");
    let empty = empty.finish().expect("packed").into_inner();
    assert!(unpack(&empty).is_err_and(|error| error.to_string().starts_with("run.json: ")));
}
