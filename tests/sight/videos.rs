//! Games read from videos. The truth is the run that the pictures were made from: its placements come from the button log.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;
use tempfile::TempDir;

use crate::export::champs::{CLASSIC, Seen, take_apart};
use crate::maxout;

fn run(folder: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    let mut command: Command = maxout();
    command.current_dir(folder).args(args).args(["--runs", "runs", "-q"]).assert()
}

/// A short game in the library `runs`, and every second of its pictures.
fn game(folder: &Path) -> Vec<image::RgbImage> {
    let play = ["play", "--player", "maxout-fast", "--seed", "5", "--stop", "lines:4", "--taps", "12hz"];
    run(folder, &play).success();
    run(folder, &["replay", "1", "--every", "2", "--png", "pictures"]).success();
    let mut names: Vec<_> = fs::read_dir(folder.join("pictures"))
        .expect("pictures")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    names.sort();
    names.iter().map(|name| image::open(name).expect("a PNG").to_rgb8()).collect()
}

/// The pictures as Y4M of 30 a second: wide or narrow, somewhere in a larger picture of another colour, in grey if so.
fn y4m(pictures: &[image::RgbImage], (width, height): (u32, u32), corner: (u32, u32), grey: bool) -> Vec<u8> {
    let all = (width + 2 * corner.0, height + 2 * corner.1);
    let (colours, planes) = if grey { ("mono", 1) } else { ("444", 3) };
    let mut bytes = format!("YUV4MPEG2 W{} H{} F30:1 C{colours}\n", all.0, all.1).into_bytes();
    let coded = |image::Rgb(colour): &image::Rgb<u8>| -> [u8; 3] {
        let [red, green, blue] = colour.map(f32::from);
        let sums = [
            0.299 * red + 0.587 * green + 0.114 * blue,
            128.0 - 0.169 * red - 0.331 * green + 0.5 * blue,
            128.0 + 0.5 * red - 0.419 * green - 0.081 * blue,
        ];
        sums.map(|sum| sum.clamp(0.0, 255.0) as u8)
    };
    let around = coded(&image::Rgb([60, 90, 70]));
    // Where each row and column of the video is in the picture, if it is in it.
    let places = |all: u32, corner: u32, size: u32, of: u32| -> Vec<Option<usize>> {
        let place =
            |at: u32| at.checked_sub(corner).filter(|at| *at < size).map(|at| (at * of / size) as usize);
        (0..all).map(place).collect()
    };
    for picture in pictures {
        let pixels: Vec<[u8; 3]> = picture.pixels().map(coded).collect();
        let columns = places(all.0, corner.0, width, picture.width());
        bytes.extend(b"FRAME\n");
        for plane in 0..planes {
            for row in places(all.1, corner.1, height, picture.height()) {
                let row = row.map(|row| &pixels[row * picture.width() as usize..]);
                bytes.extend(columns.iter().map(|column| match (row, column) {
                    (Some(row), Some(column)) => row[*column][plane],
                    _ => around[plane],
                }));
            }
        }
    }
    bytes
}

/// The table of a review without the frames, which are counted from another beginning.
fn table(folder: &Path, source: &str, more: &[&str], stdin: Vec<u8>) -> Vec<String> {
    let review = ["review", source, "--nodes", "1", "--worst", "0", "--csv", "table.csv", "-q"];
    let mut command: Command = maxout();
    command.current_dir(folder).args(review).args(["--runs", "runs"]).args(more).write_stdin(stdin);
    command.assert().success();
    let table = fs::read_to_string(folder.join("table.csv")).expect("a table");
    let without_frame = |line: &str| {
        let fields: Vec<&str> = line.split(',').collect();
        [&fields[..2], &fields[3..]].concat().join(",")
    };
    table.lines().map(without_frame).collect()
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_review_of_a_video_is_that_of_the_run() {
    let folder = TempDir::new().expect("a folder");
    let pictures = game(folder.path());
    let truth = table(folder.path(), "1", &[], Vec::new());
    assert!(truth.len() > 10, "{}", truth.len());
    for (size, corner, grey) in
        [((256, 240), (0, 0), false), ((410, 300), (130, 41), false), ((300, 240), (9, 70), true)]
    {
        let video = y4m(&pictures, size, corner, grey);
        let read = table(folder.path(), "-", &["--start-level", "19"], video);
        assert_eq!(read, truth, "{size:?} at {corner:?}");
    }
    // So are its pictures in a folder, every other frame by their numbers; ffmpeg reads them.
    assert_eq!(table(folder.path(), "pictures", &["--start-level", "19"], Vec::new()), truth);
    assert_eq!(table(folder.path(), "pictures", &[], Vec::new()), truth, "the numbers tell the time");
    // One picture of it, in a layout, is the same board.
    let whole = &pictures[pictures.len() / 2];
    let mut layout = image::RgbImage::from_pixel(800, 560, image::Rgb([60, 90, 70]));
    for (x, y, pixel) in layout.enumerate_pixels_mut() {
        let (x, y) = (x.wrapping_sub(200) / 2, y.wrapping_sub(60) / 2);
        if x < whole.width() && y < whole.height() {
            *pixel = *whole.get_pixel(x, y);
        }
    }
    whole.save(folder.path().join("whole.png")).expect("a file");
    layout.save(folder.path().join("layout.png")).expect("a file");
    let told = |name: &str| {
        let args = ["analyze", name, "--piece", "T", "--player", "maxout-fast", "-q"];
        let mut command: Command = maxout();
        let told = command.current_dir(folder.path()).args(args).assert().success();
        String::from_utf8_lossy(&told.get_output().stdout).into_owned()
    };
    assert_eq!(told("layout.png"), told("whole.png"));
    // The level is told by how fast the pieces fall, and said not to have been read.
    fs::write(folder.path().join("game.y4m"), y4m(&pictures, (256, 240), (0, 0), false)).expect("a file");
    assert_eq!(table(folder.path(), "game.y4m", &[], Vec::new()), truth);
    run(folder.path(), &["review", "game.y4m", "--nodes", "1", "--playouts", "0"])
        .success()
        .stdout(predicate::str::contains("the speed of the pieces tells 19"));
}

#[test]
fn what_has_no_game_is_refused_in_one_line() {
    let folder = TempDir::new().expect("a folder");
    let mut noise = 1u32;
    let mut head = String::new();
    write!(head, "YUV4MPEG2 W128 H128 F30:1 Cmono").expect("a line");
    let mut video = format!("{head}\n").into_bytes();
    for _ in 0..40 {
        video.extend(b"FRAME\n");
        video.extend((0..128 * 128).map(|_| {
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (noise >> 24) as u8
        }));
    }
    fs::write(folder.path().join("noise.y4m"), video).expect("a file");
    fs::write(folder.path().join("text.y4m"), "no video").expect("a file");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    fs::write(folder.path().join("empty/note.txt"), "no picture").expect("a file");
    for (args, reason) in [
        (vec!["review", "noise.y4m"], "no game in 40 pictures (1 s), expected the field of a game"),
        (vec!["review", "text.y4m"], "text.y4m"),
        (vec!["review", "empty"], "empty: a folder without run.json and without pictures, expected"),
        (vec!["review", "noise.y4m", "--screen", "1,2,3"], "expected left and upper edge, width and height"),
        (vec!["review", "noise.y4m", "--from", "3", "--to", "2"], "not after --from 3"),
        (vec!["replay", "noise.y4m"], "a video, which holds no buttons"),
    ] {
        let one_line = predicate::function(|text: &str| text.lines().count() <= 4);
        maxout()
            .current_dir(folder.path())
            .args(&args)
            .env("PATH", "")
            .assert()
            .code(2)
            .stderr(predicate::str::contains(reason).and(one_line));
    }
}

#[test]
fn a_video_without_a_game_says_so_within_ten_seconds_of_it() {
    let folder = TempDir::new().expect("a folder");
    let mut noise = 1u32;
    let mut random = |below: u32| {
        noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (noise >> 16) % below
    };
    let bars = |_: u32, x: u32, _: u32| (x / 20 * 32) as u8;
    // Windows with a frame and lines of text, and one that is moved.
    let desktop = |number: u32, x: u32, y: u32| match (x, y) {
        (10..70, 10..100) if x % 58 < 12 || y % 88 < 12 => 230,
        (10..70, 10..100) => {
            if y % 8 < 5 && (x * 7 + y / 8) % 5 < 3 {
                200
            } else {
                20
            }
        }
        _ if (80..140).contains(&x.wrapping_sub(number)) && (30..90).contains(&y) => 250,
        _ => 90,
    };
    // Ten pictures a second, and one: the last is at 10 s, so only what is said before the end counts.
    for (name, rate) in [("noise", 10), ("bars", 10), ("desktop", 10), ("desktop", 1)] {
        let mut video = format!("YUV4MPEG2 W160 H120 F{rate}:1 Cmono\n").into_bytes();
        for number in 0..=10 * rate {
            video.extend(b"FRAME\n");
            video.extend((0..160 * 120).map(|at| match name {
                "noise" => random(256) as u8,
                "bars" => bars(number, at % 160, at / 160),
                _ => desktop(number, at % 160, at / 160),
            }));
        }
        fs::write(folder.path().join("video.y4m"), video).expect("a file");
        let said = predicate::str::contains("video.y4m: no game in the first 10 s");
        let mut command = maxout();
        command.current_dir(folder.path()).args(["review", "video.y4m"]).assert().code(2).stderr(said);
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_mirrored_video_is_turned_back_and_that_is_said() {
    let folder = TempDir::new().expect("a folder");
    let pictures = game(folder.path());
    let truth = table(folder.path(), "1", &[], Vec::new());
    let mirrored: Vec<_> = pictures.iter().map(image::imageops::flip_horizontal).collect();
    let mut negative = pictures;
    negative.iter_mut().for_each(image::imageops::invert);
    for (pictures, told) in [(mirrored, "it is mirrored"), (negative, "it is in inverted colours")] {
        fs::write(folder.path().join("odd.y4m"), y4m(&pictures, (256, 240), (0, 0), false)).expect("a file");
        assert_eq!(table(folder.path(), "odd.y4m", &["--start-level", "19"], Vec::new()), truth, "{told}");
        run(folder.path(), &["review", "odd.y4m", "--nodes", "1", "--playouts", "0"])
            .success()
            .stdout(predicate::str::contains(told));
    }
}

/// The number of a piece in a frame of a score display.
fn code(letter: &str) -> u64 {
    "TJZOSLI".find(letter).expect("a piece") as u64
}

/// Fails unless the command says all of these.
fn says(folder: &Path, args: &[&str], texts: &[&str]) {
    let told = run(folder, args).success();
    let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
    for text in texts {
        assert!(told.contains(text), "{args:?}: {text:?} in {told}");
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_game_that_was_read_is_written_for_displays_and_kept_and_never_verified() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let pictures = game(folder.path());
    let truth = table(folder.path(), "1", &[], Vec::new());
    fs::write(file("game.y4m"), y4m(&pictures, (256, 240), (0, 0), false)).expect("a file");
    let review = ["review", "game.y4m", "--nodes", "1", "--worst", "0", "--keep", "--champs", "game.ngf"];
    run(folder.path(), &review).success().stdout(predicate::str::contains("run 2: video game.y4m: "));
    run(folder.path(), &review).success().stdout(predicate::str::contains("the library has it as run 2"));
    assert_eq!(table(folder.path(), "game.ngf", &[], Vec::new()), truth);
    assert_eq!(table(folder.path(), "2", &[], Vec::new()), truth);
    run(folder.path(), &["review", "2", "--nodes", "1", "--playouts", "0"])
        .success()
        .stdout(predicate::str::contains("the speed of the pieces tells 19"));

    let taps = |source: &str| -> String {
        let review = ["review", source, "--nodes", "1", "--worst", "0", "--taps", "auto"];
        let told = run(folder.path(), &review).success();
        let told = String::from_utf8_lossy(&told.get_output().stdout).into_owned();
        told.lines().find(|line| line.starts_with("taps ")).expect("a line").to_owned()
    };
    assert_eq!(taps("2"), taps("game.y4m"));

    // A reader of the published layout finds the placements that the button log made.
    run(folder.path(), &["report", "1", "--timeline-json", "truth.json"]).success();
    let json: Value = serde_json::from_slice(&fs::read(file("truth.json")).expect("a file")).expect("JSON");
    let locks = json[0]["timeline"]["locks"].as_array().expect("locks");
    let frames = take_apart(&fs::read(file("game.ngf")).expect("a file"), 3, CLASSIC);
    let count = |seen: &Seen| "T J Z O S L I".split(' ').map(|piece| seen.numbers[piece]).sum::<u64>();
    let of = |number: usize| frames.iter().filter(move |seen| count(seen) == number as u64);
    let cells = |seen: &Seen| seen.field.iter().map(|&cell| cell > 0).collect::<Vec<bool>>();
    let board = |lock: &Value| -> Vec<bool> {
        let rows = lock["board_after"].as_array().expect("rows").iter();
        rows.flat_map(|row| row.as_str().expect("a row").chars().map(|cell| cell == '#').collect::<Vec<_>>())
            .collect()
    };
    assert_eq!(locks.len() + 1, truth.len());
    let begin = of(1).next().expect("a frame").numbers["ms"] as f64;
    for (number, lock) in (1..).zip(locks) {
        let all: Vec<&Seen> = of(number).collect();
        let (first, after) = (all[0], of(number + 1).next().expect("the frames of the next piece"));
        assert_eq!(
            first.numbers["current"],
            code(lock["piece"].as_str().expect("a piece")),
            "piece {number}"
        );
        assert_eq!(first.numbers["next"], code(lock["next"].as_str().expect("a piece")), "piece {number}");
        let (want, got) = (board(lock), cells(after));
        assert!(want.iter().zip(&got).all(|(want, got)| got >= want), "the board after piece {number}");
        let more = got.iter().filter(|cell| **cell).count() - want.iter().filter(|cell| **cell).count();
        assert!(more == 4 || number == locks.len() && more == 0, "{more} cells more after piece {number}");
        assert_eq!(
            (after.numbers["lines"], after.numbers["level"]),
            (lock["lines"].as_u64().expect("lines"), lock["level"].as_u64().expect("a level"))
        );
        let ms = |frame: &Value| frame.as_f64().expect("a frame") * 1000.0 / 60.0988;
        let (seen, fell) =
            (first.numbers["ms"] as f64 - begin, ms(&lock["spawned"]) - ms(&locks[0]["spawned"]));
        assert!((seen - fell).abs() < 150.0, "piece {number} after {seen} ms, in truth {fell}");
    }

    // What the commands say of it.
    let says = |args: &[&str], texts: &[&str]| says(folder.path(), args, texts);
    says(&["runs", "list"], &["video game.y4m", "as far as read"]);
    run(folder.path(), &["runs", "show", "2"]).stdout(predicate::str::contains("--start-level").not());
    says(
        &["runs", "show", "2"],
        &["cannot be verified", "soft drop is not read", "not read: the number of the level"],
    );
    says(&["runs", "stats"], &["on the video game.y4m", "input limits: not known"]);
    says(&["runs", "export"], &[",video,video game.y4m,,0,19,"]);
    says(
        &["runs", "export", "--format", "jsonl", "--logs"],
        &["\"host\":\"video\"", "\"note\":\"not read: "],
    );
    says(&["runs", "verify", "--model"], &["not verified: run 2: read from a video", "1 of 2 runs verified"]);
    says(&["runs", "repair"], &["2 runs can be read"]);
    for args in [&["runs", "verify", "2"][..], &["replay", "2"], &["report", "2"], &["watch", "2"]] {
        run(folder.path(), args)
            .code(2)
            .stderr(predicate::str::contains("run 2: read from a video, which holds no buttons; expected"));
    }
    run(folder.path(), &["review", "1", "--playouts", "0", "--keep"])
        .code(2)
        .stderr(predicate::str::contains("--keep: only for videos and recordings"));
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn what_was_not_read_stays_said_wherever_the_run_goes() {
    let folder = TempDir::new().expect("a folder");
    let file = |name: &str| folder.path().join(name);
    let pictures = game(folder.path());
    let truth = table(folder.path(), "1", &[], Vec::new());
    let mut hidden = pictures.clone();
    let (from, to) = (pictures.len() / 3, pictures.len() * 3 / 5);
    hidden[from..to].fill(image::RgbImage::from_pixel(256, 240, image::Rgb([0, 0, 0])));
    fs::write(file("hidden.y4m"), y4m(&hidden, (256, 240), (0, 0), false)).expect("a file");
    let level = ["--start-level", "19"];
    let judged = |source: &str, more: &[&str]| -> Vec<String> {
        let table = table(folder.path(), source, more, Vec::new());
        // From the level to where the piece went: what is numbered anew after a gap does not count.
        table.iter().map(|line| line.split(',').skip(2).take(7).collect::<Vec<_>>().join(",")).collect()
    };
    let read = judged("hidden.y4m", &level);
    assert!((8..truth.len()).contains(&read.len()), "{} of {}", read.len(), truth.len());
    let review = ["review", "hidden.y4m", "--nodes", "1", "--playouts", "0", "--keep", "--start-level", "19"];
    run(folder.path(), &review).success().stdout(predicate::str::contains("run 2: video hidden.y4m"));
    assert_eq!(judged("2", &[]), read);
    let gap = "no placements explain the pictures from ";
    says(folder.path(), &["runs", "show", "2"], &[gap]);
    run(folder.path(), &["runs", "export", "2", "--format", "folder", "-o", "out"]).success();
    let out = fs::read_dir(file("out")).expect("a folder").next().expect("a run").expect("an entry").path();
    let mut imported: Command = maxout();
    imported.current_dir(folder.path()).args(["runs", "import"]).arg(&out).args(["--runs", "others"]);
    imported.assert().success().stdout(predicate::str::contains("run 1 from "));
    let mut shown: Command = maxout();
    shown.current_dir(folder.path()).args(["runs", "show", "1", "--runs", "others"]);
    shown.assert().success().stdout(predicate::str::contains(gap));
    // A record that says more than its recording is refused.
    let record = fs::read_to_string(out.join("run.json")).expect("a record");
    let pieces = format!("\"pieces\": {}", read.len() - 1);
    assert!(record.contains(&pieces), "{record}");
    fs::write(out.join("run.json"), record.replace(&pieces, "\"pieces\": 900")).expect("a file");
    run(folder.path(), &["runs", "import", &out.to_string_lossy()])
        .code(2)
        .stderr(predicate::str::contains("the run differs from its recording"));
}
