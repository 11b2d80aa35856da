//! Frames for score displays: what is written is read by a reader of the published layout, and counts the game; what is
//! written by that layout is read.

use std::collections::BTreeMap;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use maxout_host::{Console, TEST_CARTRIDGE, menus};
use maxout_record::champs::{self, ChampsFrame, Frames, Version};
use maxout_record::movie::{self, Movie, fm2};
use predicates::prelude::*;
use proptest::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::maxout;

pub(crate) const MINIMAL: u64 = 0;
pub(crate) const CLASSIC: u64 = 1;
const DAS_TRAINER: u64 = 2;

/// Name and bits of each part of a frame before its field, in order. A part that comes in pieces begins with its
/// highest bits.
fn layout(version: u64, kind: u64) -> Vec<(&'static str, u32)> {
    let pieces = |bits| ["T", "J", "Z", "O", "S", "L", "I"].map(|name| (name, bits)).to_vec();
    let das = [("das", 5), ("next", 3), ("das at spawn", 5), ("current", 3)];
    let begin = [("version", 3), ("kind", 2), ("player", 3), ("game", 16), ("ms", 28)];
    match (version, kind) {
        (1, _) => [&begin[..], &[("score", 21), ("lines", 9), ("level", 6)], &das, &pieces(8)].concat(),
        (2 | 3, _) => {
            let numbers = [("lines", 12), ("level", 8), ("score", 24)];
            let pad = [("pad", if version == 2 { 1 } else { 2 })];
            [&begin[..], &numbers, &das, &pieces(if version == 2 { 9 } else { 10 }), &pad].concat()
        }
        (4, _) => {
            let begin = [("one", 1), ("version", 5), ("kind", 2), ("player", 5), ("lines", 1), ("score", 2)];
            let numbers = [("game", 16), ("ms", 28), ("lines", 4), ("lines", 8), ("level", 8), ("score", 24)];
            let das = if kind == MINIMAL { &das[..2] } else { &das };
            let counts = if kind == CLASSIC { [pieces(10), vec![("pad", 2)]].concat() } else { vec![] };
            [&begin[..], &numbers, das, &counts].concat()
        }
        _ => panic!("version {version}"),
    }
}

/// Bytes of a frame.
fn size(version: u64, kind: u64) -> usize {
    match (version, kind) {
        (4, MINIMAL) => 64,
        (4, DAS_TRAINER) => 65,
        _ => 70 + version as usize,
    }
}

/// What stands in a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Seen {
    pub numbers: BTreeMap<&'static str, u64>,
    pub field: Vec<u8>,
}

impl Seen {
    fn cells(&self) -> i32 {
        self.field.iter().filter(|&&cell| cell > 0).count() as i32
    }
}

pub(crate) fn take_apart(bytes: &[u8], version: u64, kind: u64) -> Vec<Seen> {
    assert_eq!(bytes.len() % size(version, kind), 0, "whole frames");
    let frame = |bytes: &[u8]| {
        let text: String = bytes.iter().map(|byte| format!("{byte:08b}")).collect();
        let number = |bits: &str| u64::from_str_radix(bits, 2).expect("bits");
        let (mut at, mut numbers) = (0, BTreeMap::new());
        for (name, width) in layout(version, kind) {
            let next = at + width as usize;
            let value = numbers.entry(name).or_insert(0);
            *value = *value << width | number(&text[at..next]);
            at = next;
        }
        assert_eq!((numbers["version"], numbers["kind"]), (version, kind));
        let field = (0..200).map(|cell| number(&text[at + 2 * cell..at + 2 * cell + 2]) as u8).collect();
        Seen { numbers, field }
    };
    bytes.chunks(size(version, kind)).map(frame).collect()
}

pub(crate) fn put_together(seen: &Seen, version: u64, kind: u64) -> Vec<u8> {
    let layout = layout(version, kind);
    let mut text = String::new();
    for (at, (name, width)) in layout.iter().enumerate() {
        let below: u32 =
            layout[at + 1..].iter().filter(|(other, _)| other == name).map(|(_, width)| width).sum();
        let value = seen.numbers[name] >> below & ((1 << width) - 1);
        text += &format!("{value:0width$b}", width = *width as usize);
    }
    text.extend(seen.field.iter().map(|cell| format!("{cell:02b}")));
    let byte = |at: usize| text.get(at..at + 8).map_or(0, |bits| u8::from_str_radix(bits, 2).expect("bits"));
    (0..size(version, kind)).map(|at| byte(8 * at)).collect()
}

/// What a frame is by the published layout; unknown numbers are all ones.
fn seen(frame: &ChampsFrame, version: u64, kind: u64) -> Seen {
    let layout = layout(version, kind);
    let mut widths = BTreeMap::new();
    for (name, width) in &layout {
        *widths.entry(*name).or_insert(0) += width;
    }
    let [t, j, z, o, s, l, i] = frame.counts;
    let known = [
        ("score", frame.score),
        ("lines", frame.lines),
        ("level", frame.level),
        ("das", frame.das),
        ("next", frame.next),
        ("das at spawn", frame.das_at_spawn),
        ("current", frame.current),
        ("T", t),
        ("J", j),
        ("Z", z),
        ("O", o),
        ("S", s),
        ("L", l),
        ("I", i),
    ];
    let mut numbers = BTreeMap::new();
    for (name, width) in widths {
        let fixed = [
            ("version", version),
            ("kind", kind),
            ("one", 1),
            ("game", frame.game.into()),
            ("ms", frame.time_ms),
        ];
        let fixed = fixed.iter().find(|(other, _)| *other == name).map(|&(_, value)| value);
        let known = known.iter().find(|(other, _)| *other == name);
        let known = known.map(|&(_, value)| value.map_or((1 << width) - 1, u64::from));
        numbers.insert(name, fixed.or(known).unwrap_or(0));
    }
    Seen { numbers, field: frame.field.to_vec() }
}

/// Anything that fits, or unknown.
fn number(width: u32) -> impl Strategy<Value = Option<u32>> {
    proptest::option::of(0..(1u32 << width) - 1)
}

prop_compose! {
    /// A frame that fits into every version.
    fn any_frame()(
        (game, time_ms) in (0u32..1 << 16, 0u64..1 << 28),
        (score, lines, level) in (number(21), number(9), number(6)),
        (das, next, das_at_spawn, current) in (number(5), number(3), number(5), number(3)),
        counts in proptest::array::uniform7(number(8)),
        field in proptest::collection::vec(0u8..4, 200),
    ) -> ChampsFrame {
        let field = field.try_into().expect("200 cells");
        ChampsFrame { game, time_ms, score, lines, level, das, next, das_at_spawn, current, counts, field }
    }
}

proptest! {
    #[test]
    fn a_frame_decodes_to_what_was_encoded(frame in any_frame()) {
        for version in Version::ALL {
            let number = u64::from(version.number());
            let bytes = frame.encode(version);
            prop_assert_eq!(take_apart(&bytes, number, CLASSIC), [seen(&frame, number, CLASSIC)]);
            prop_assert_eq!(champs::read(&bytes).expect("our own"), [frame.clone()]);
        }
    }

    #[test]
    fn what_does_not_fit_is_unknown(
        frame in any_frame(),
        score in (1u32 << 26) - 1..,
        lines in 8191u32..,
        level in 255u32..,
        count in 1023u32..,
    ) {
        let (score, lines, level) = (Some(score), Some(lines), Some(level));
        let large = ChampsFrame { score, lines, level, counts: [Some(count); 7], ..frame };
        let unknown = ChampsFrame { score: None, lines: None, level: None, counts: [None; 7], ..large.clone() };
        for version in Version::ALL {
            prop_assert_eq!(champs::read(&large.encode(version)).expect("our own"), [unknown.clone()]);
        }
    }

    #[test]
    fn frames_of_every_version_and_game_type_are_read(frame in any_frame()) {
        for (version, kind) in [(1, 0), (1, 1), (2, 1), (3, 1), (3, 2), (4, CLASSIC), (4, DAS_TRAINER), (4, MINIMAL)] {
            let mut want = frame.clone();
            if version == 4 && kind != CLASSIC {
                want.counts = [None; 7];
            }
            if version == 4 && kind == MINIMAL {
                (want.das_at_spawn, want.current) = (None, None);
            }
            let bytes = put_together(&seen(&frame, version, kind), version, kind).repeat(3);
            prop_assert_eq!(champs::read(&bytes).expect("frames"), vec![want; 3]);
        }
    }

    #[test]
    fn any_bytes_are_frames_or_an_error(
        first in proptest::sample::select(vec![0x28u8, 0x48, 0x68, 0x90, 0x91, 0x92, 0x1F]),
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
    ) {
        let _ = champs::read(&bytes);
        let _ = champs::read(&[&[first], &bytes[..]].concat());
    }
}

fn json(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).expect("the file")).expect("JSON")
}

/// What `replay` says of a file of frames.
fn summary(file: &Path) -> Value {
    let out = file.with_extension("summary");
    maxout().arg("replay").arg(file).arg("--json").arg(&out).assert().success();
    json(&out)
}

/// What a display counts by the field: pieces that appeared after the first, four cells each, lines whose rows were
/// wiped from the middle out, and wipes of four rows.
fn count(frames: &[Seen]) -> (i32, usize, usize) {
    let (mut pieces, mut lines, mut tetrises) = (0, 0, 0);
    let mut settled = frames[0].cells();
    for pair in frames.windows(2) {
        let [before, now] = pair else { panic!("a pair") };
        // Cells are gone for good once the lines are counted; until then nothing can be said by their number.
        settled -= 10 * (now.numbers["lines"] - before.numbers["lines"]) as i32;
        if now.cells() == settled + 4 {
            (pieces, settled) = (pieces + 1, settled + 4);
        }
        let rows = before.field.chunks(10).zip(now.field.chunks(10));
        let wiped = rows.filter(|(before, now)| {
            before.iter().all(|&cell| cell > 0)
                && now[4..6] == [0, 0]
                && before[..4] == now[..4]
                && before[6..] == now[6..]
        });
        let wiped = wiped.count();
        (lines, tetrises) = (lines + wiped, tetrises + usize::from(wiped == 4));
    }
    (pieces, lines, tetrises)
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_display_counts_the_game_that_was_played() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let sim = ["sim", "--player", "plateau17", "--seed", "3", "--stop", "lines:9", "--runs"];
    maxout().args(sim).arg(file("runs")).arg("--json").arg(file("sim.json")).assert().success();
    let played = &json(&file("sim.json"))["per_game"][0];
    let number = |key: &str| played[key].as_u64().expect("a number");
    let replay = |name: &str| {
        let mut command = maxout();
        command.args(["replay", "1", "--runs"]).arg(file("runs"));
        command.arg("--champs").arg(file(name)).assert().success();
        fs::read(file(name)).expect("the file")
    };
    let bytes = replay("game.ngf");
    let frames = take_apart(&bytes, 3, CLASSIC);
    assert!(number("tetrises") > 0, "the game has a tetris");
    let want = (number("pieces") as i32, number("lines") as usize, number("tetrises") as usize);
    assert_eq!(count(&frames), want);
    let last = frames.last().expect("a frame");
    assert_eq!((last.numbers["score"], last.numbers["lines"]), (number("score"), number("lines")));
    let times: Vec<u64> = frames.iter().map(|frame| frame.numbers["ms"]).collect();
    assert_eq!(times[..3], [0, 16, 33]);
    assert!(times.windows(2).all(|pair| (16..=17).contains(&(pair[1] - pair[0]))));
    let mut unpacked = Vec::new();
    GzDecoder::new(&replay("game.ngf.gz")[..]).read_to_end(&mut unpacked).expect("gzip");
    assert!(unpacked == bytes, "packed, it is the same");
    // Other versions hold the same.
    let other = Frames::new(&*bytes).map(|frame| frame.expect("a frame").encode(Version::V4));
    let fourth: Vec<u8> = other.flatten().collect();
    fs::write(file("game4.ngf"), &fourth).expect("written");
    let fourth = take_apart(&fourth, 4, CLASSIC);
    assert_eq!(fourth.len(), frames.len());
    for (one, other) in frames.iter().zip(&fourth) {
        assert_eq!(one.field, other.field);
        for name in ["game", "ms", "score", "lines", "level", "das", "next", "current", "T", "I"] {
            assert_eq!(one.numbers[name], other.numbers[name], "{name}");
        }
    }
    // The program says the same of both, and of frames that have no counts.
    let shown = summary(&file("game.ngf"));
    for key in ["pieces", "lines", "tetrises", "score"] {
        assert_eq!(shown["games"][0][key], played[key], "{key}");
    }
    assert_eq!(shown, summary(&file("game4.ngf")));
    let minimal: Vec<u8> =
        fourth.iter().flat_map(|frame| put_together(&of_kind(frame, MINIMAL), 4, MINIMAL)).collect();
    fs::write(file("minimal.ngf"), minimal).expect("written");
    assert_eq!(shown, summary(&file("minimal.ngf")));
}

pub(crate) fn of_kind(frame: &Seen, kind: u64) -> Seen {
    let mut frame = frame.clone();
    frame.numbers.insert("kind", kind);
    frame
}

/// A movie that only begins games; nothing is pressed in them.
fn idle(folder: &TempDir) -> PathBuf {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let way = menus::reach_play(&mut console, 19, 0).expect("play is reached");
    let frames = vec![movie::MovieFrame::default(); movie::WARM_UP_LEAD].into_iter();
    let mut frames: Vec<_> =
        frames.chain(way.frames().iter().copied().map(movie::MovieFrame::of_first)).collect();
    // A hundred frames of the first game, then off and on, and the same again.
    frames.extend(vec![movie::MovieFrame::default(); 100]);
    let power = movie::MovieFrame { commands: movie::MovieFrame::POWER, ..movie::MovieFrame::default() };
    frames.extend([&[power], &frames[movie::WARM_UP_LEAD..][..way.len()]].concat());
    frames.extend([movie::MovieFrame::default(); 6]);
    let file = folder.path().join("idle.fm2");
    let movie = Movie { plugged: [true, false], frames, ..Movie::default() };
    fs::write(&file, fm2::write(&movie)).expect("written");
    file
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn each_game_of_a_movie_has_a_file_and_the_last_its_top_out() {
    let folder = TempDir::new().expect("a folder");
    let (movie, file) = (idle(&folder), folder.path().join("game.ngf"));
    let results = folder.path().join("replay.json");
    maxout()
        .arg("replay")
        .arg(movie)
        .arg("--champs")
        .arg(&file)
        .arg("--json")
        .arg(&results)
        .assert()
        .success();
    let games = &json(&results)["games"];
    assert_eq!((&games[0]["end"], &games[1]["end"]), (&"reset".into(), &"top-out".into()));
    let second = folder.path().join("game-2.ngf");
    for (at, file) in [&file, &second].into_iter().enumerate() {
        let frames = take_apart(&fs::read(file).expect("the file"), 3, CLASSIC);
        let number = |key: &str| games[at][key].as_u64().expect("a number");
        let length = number("last_frame") - number("first_frame") + 1;
        // The frame of the top-out, which is the game's last, and fifteen more.
        assert_eq!(frames.len() as u64, length + if at == 1 { 15 } else { 0 });
        assert!(frames.iter().all(|frame| frame.numbers["game"] == at as u64 + 1));
        assert_eq!(frames[0].numbers["ms"], 0);
    }
    assert_eq!(summary(&second)["games"][0]["pieces"], games[1]["pieces"]);
    assert_eq!(summary(&second)["games"][0]["score"], games[1]["shown_score"]);
}

#[test]
fn what_are_no_frames_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("GAME.NGF");
    let refused = |flags: &[&str], message: &str| {
        let refused = maxout().arg("replay").arg(&file).args(flags).assert().code(2);
        refused.stderr(predicate::str::contains(message).and(predicate::str::contains("GAME.NGF")));
    };
    refused(&[], "No such file");
    fs::write(&file, "").expect("written");
    refused(&[], "no frame");
    fs::write(&file, [0xFF; 100]).expect("written");
    refused(&[], "frame 0 begins with FF hex");
    fs::write(&file, [0x68; 30]).expect("written");
    maxout()
        .arg("replay")
        .arg(&file)
        .assert()
        .success()
        .stdout(predicate::str::contains("1 frame\n").and(predicate::str::contains("0 tetrises")));
    let movie = folder.path().join("movie.fm2");
    refused(&["--movie", &movie.to_string_lossy()], "--movie");
    refused(&["--after", "3"], "--after");
    refused(&["--png", "stills"], "--png");
    refused(&["--rom", "cartridge.nes"], "a cartridge image");
}
