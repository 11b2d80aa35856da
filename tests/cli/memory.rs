//! Memory that hostile files take: at most 300 MB, whatever reads them. Linux says how much a process has taken at most.

#![cfg_attr(not(target_os = "linux"), expect(unused, reason = "only Linux says it"))]

use std::fs;
use std::io::{BufWriter, Write};

use flate2::Compression;
use flate2::write::GzEncoder;
use maxout::conform::trace::COLUMNS;
use maxout_record::champs::{ChampsFrame, Version};
use maxout_rules::random::Dice;
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::peak::{FLOOR, check, peak, zeros};

fn packed(write: impl FnOnce(&mut dyn Write)) -> Vec<u8> {
    let mut packer = BufWriter::new(GzEncoder::new(Vec::new(), Compression::fast()));
    write(&mut packer);
    packer.into_inner().unwrap_or_else(|_| panic!("it packs")).finish().expect("it packs")
}

/// A recording of random frames.
fn frames(count: u32, change: impl Fn(u32, &mut ChampsFrame)) -> Vec<u8> {
    let mut dice = Dice::new(1);
    packed(|out| {
        for number in 0..count {
            let field = std::array::from_fn(|_| u8::from(dice.roll(3) == 0));
            let piece = |roll: u32| Some(roll % 7);
            let mut frame = ChampsFrame {
                game: 1,
                time_ms: u64::from(number) * 17,
                score: Some(0),
                lines: Some(0),
                level: Some(18),
                das: None,
                next: piece(number / 7),
                das_at_spawn: None,
                current: piece(number / 7 + 3),
                counts: [Some(0); 7],
                field,
            };
            change(number, &mut frame);
            out.write_all(&frame.encode(Version::V3)).expect("it packs");
        }
    })
}

fn movie(log: &str) -> Vec<u8> {
    let mut archive = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("Header.txt", "Platform NES\n"), ("Input Log.txt", log)] {
        archive.start_file(name, SimpleFileOptions::default()).expect("a member");
        archive.write_all(text.as_bytes()).expect("it packs");
    }
    archive.finish().expect("it packs").into_inner()
}

fn picture(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Sixteen);
    let mut writer = encoder.write_header().expect("a picture");
    writer.write_image_data(&vec![0; width as usize * height as usize * 8]).expect("a picture");
    drop(writer);
    bytes
}

/// The shard of this game as one with this number of games, as if it were the half of a batch.
fn many_games(game: &str, first: u64, games: u64) -> String {
    let mut shard: Value = serde_json::from_str(game).expect("a shard");
    let repeat = |list: &mut Value| {
        let values = list.as_array().cloned().unwrap_or_default();
        *list = values.iter().cycle().take(values.len() * games as usize).cloned().collect();
    };
    shard["games"] = games.into();
    let one = shard["per_game"][0].clone();
    let numbered = |seed: u64| {
        let mut game = one.clone();
        game["seed"] = (first + seed).into();
        game
    };
    shard["per_game"] = (0..games).map(numbered).collect();
    shard["shard"]["games"] = (2 * games).into();
    shard["shard"]["first_seed"] = 0.into();
    let sample = shard["shard"]["sample"].as_object_mut().expect("a sample");
    for (name, values) in sample {
        match values {
            Value::Array(_) if name != "pieces" => repeat(values),
            Value::Object(marks) if name == "pace" => marks.values_mut().for_each(repeat),
            _ => {}
        }
    }
    shard.to_string()
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn hostile_files_take_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    zeros(folder, "zeros.ngf", b"", 10 << 30);
    // Pieces that nothing explains; counts that run through all numbers again and again; a game for each frame.
    write("random.ngf.gz", &frames(5_000, |_, frame| frame.counts = [None; 7]));
    let counted = |number: u32, frame: &mut ChampsFrame| frame.counts = [Some(number * 2 % 1023); 7];
    write("counts.ngf.gz", &frames(20_000, counted));
    write("games.ngf.gz", &frames(400_000, |number, frame| frame.game = number % 60_000));
    let twice = packed(|out| {
        out.write_all(&packed(|out| {
            let part = vec![0x68; 1 << 20];
            (0..64).for_each(|_| out.write_all(&part).expect("it packs"));
        }))
        .expect("it packs");
    });
    write("twice.ngf.gz", &twice);
    let header = b"version 3\nport0 1\nport1 0\nbinary 1\n|";
    zeros(folder, "binary.fm2", header, 159 << 20);
    zeros(folder, "zeros.fm2", b"version 3\n", 159 << 20);
    write("log.bk2", &movie(&("LogKey:#Reset|Power|\n".to_owned() + &"|..|\n".repeat(20 << 20))));
    let line = "9".repeat(100 << 20);
    write("line.bk2", &movie(&line));
    fs::create_dir(folder.join("run")).expect("a folder");
    zeros(folder, "run/run.json", b"{", 10 << 30);
    // A run whose record is whole and whose buttons do not end.
    for words in [
        "sim -q --player plateau17 --seed 3 --stop lines:1 --runs lib",
        "runs export 1 --format folder -o out --runs lib",
    ] {
        peak(folder, words, FLOOR);
    }
    let exported =
        fs::read_dir(folder.join("out")).expect("runs").next().expect("one run").expect("readable");
    fs::rename(exported.path(), folder.join("endless")).expect("another name");
    zeros(folder, "endless/buttons.txt", b"", 10 << 30);
    zeros(folder, "board.txt", b"", 10 << 30);
    write("board.png", &picture(4096, 4096));
    let columns = COLUMNS.map(|(name, _)| name).join(",");
    let trace = packed(|out| {
        let row = ",0".repeat(COLUMNS.len());
        writeln!(out, "f,{columns},poke,stats,lcs,pfx,pf,pfcrc").expect("it packs");
        for frame in 0..600_000 {
            writeln!(out, "{frame}{row},,,,,,").expect("it packs");
        }
    });
    write("trace.csv.gz", &trace);
    check(
        folder,
        &[
            ("review zeros.ngf --player maxout-fast", "has more than"),
            // Each thread reserves address space, so there is no room for so many.
            (
                "review random.ngf.gz --player maxout-fast --taps 12hz --jobs 16",
                "the address space is limited",
            ),
            ("review counts.ngf.gz --player maxout-fast --taps 12hz", ""),
            ("review games.ngf.gz --player maxout-fast", ""),
            ("review twice.ngf.gz --player maxout-fast", "more than 33554432 bytes unpacked"),
            ("replay random.ngf.gz", ""),
            ("replay games.ngf.gz", ""),
            ("replay twice.ngf.gz", "more than 33554432 bytes unpacked"),
            ("replay binary.fm2", "at most"),
            ("replay zeros.fm2", "line 2"),
            ("review binary.fm2", "at most"),
            ("replay log.bk2", "at most"),
            ("replay line.bk2", "Input Log.txt"),
            ("replay run", "run.json"),
            ("review run", "run.json"),
            ("replay endless", "buttons.txt: has more than"),
            ("review endless", "buttons.txt: has more than"),
            ("analyze board.txt --piece T", "has more than"),
            ("analyze board.png --piece T", "no field is in the picture"),
            ("conform trace.csv.gz", ""),
        ],
    );
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn shards_take_little_memory() {
    if !cfg!(target_os = "linux") {
        println!("skipped: only Linux says how much memory a process has taken");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let write = |name: &str, bytes: &[u8]| fs::write(folder.join(name), bytes).expect("a file");
    let shard = "{\"shard\": {\"sample\": {\"tetris_rate\": [0".to_owned() + &",0".repeat(40 << 20);
    write("shard.json", shard.as_bytes());
    write("word.json", ("{\"player\": \"".to_owned() + &"9".repeat(100 << 20)).as_bytes());
    let marks: String = (0..4_000_000).map(|lines| format!("\"{lines}\":[0],")).collect();
    write("marks.json", ("{\"shard\": {\"sample\": {\"pace\": {".to_owned() + &marks).as_bytes());
    // Shards of a batch of many games: those of two games, with the numbers of the games again and again.
    let shard = "sim -q --player plateau17 --seed 1 --games 2 --stop lines:1 --shard 1/2 --json game.json";
    peak(folder, shard, FLOOR);
    let game = fs::read_to_string(folder.join("game.json")).expect("a shard");
    for (name, first) in
        [("games-1.json", 0), ("games-2.json", 90_000), ("games-3.json", 180_000), ("games-4.json", 270_000)]
    {
        write(name, many_games(&game, first, 90_000).as_bytes());
    }
    check(
        folder,
        &[
            ("merge shard.json", "250 MiB"),
            ("merge word.json", "64 KiB"),
            ("merge marks.json", "250 MiB"),
            ("merge games-1.json games-2.json games-3.json games-4.json", "is not among"),
            ("merge games-1.json games-2.json --json merged.json", ""),
        ],
    );
}
