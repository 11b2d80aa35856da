//! Cartridge files with flaws: `rom` names each, and takes exactly the files that `play` takes.

use std::fs;
use std::io::{Cursor, Write as _};
use std::path::Path;

use assert_cmd::Command;
use flate2::Compression;
use flate2::write::GzEncoder;
use maxout_host::{TEST_CARTRIDGE, rom};
use maxout_rules::Region;
use predicates::prelude::*;
use serde_json::Value;
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

/// Our cartridge in a file with the flaws that do no harm, and a word of what is said of each.
fn harmless() -> [(&'static str, Vec<u8>, &'static str); 9] {
    let (header, body) = TEST_CARTRIDGE.split_at(16);
    let with_trainer = [&header[..6], &[header[6] | 4], &header[7..], &[0x5A; 512], body].concat();
    [
        ("diskdude", [&header[..7], b"DiskDude!", body].concat(), "hold \"DiskDude!\", expected a mapper"),
        ("signed", [&header[..12], b"dump", body].concat(), "expected a mapper and zeros"),
        ("trainer", with_trainer, "a trainer of 512 bytes"),
        ("long", [TEST_CARTRIDGE, b"and more"].concat(), "file has 40984; the last 8 are left out"),
        // NES 2.0 has another place for it.
        ("pal-2", [&header[..7], &[8, 0, 0, 0, 0, 1, 0, 0, 0], body].concat(), "header says PAL"),
        ("pal", [&header[..9], &[1], &header[10..], body].concat(), "header says PAL; it is played as NTSC"),
        ("headerless", body.to_vec(), "file has no iNES header"),
        ("zip", zip(&["readme.txt", "Games/Ours.NES"], TEST_CARTRIDGE), "where it is Games/Ours.NES"),
        ("gz", gzip(TEST_CARTRIDGE), "taken out of a gzip file"),
    ]
}

/// An archive in which each of these files holds the image, but for texts.
fn zip(names: &[&str], image: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for name in names {
        archive.start_file(*name, SimpleFileOptions::default()).expect("a member");
        let is_text = Path::new(name).extension().is_some_and(|ending| ending == "txt");
        let bytes = if is_text { b"a text" } else { image };
        archive.write_all(bytes).expect("its bytes");
    }
    archive.finish().expect("the end").into_inner()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("its bytes");
    packed.finish().expect("the end")
}

/// Files that are refused, and a word of why.
fn refused() -> [(&'static str, Vec<u8>, &'static str); 10] {
    let (header, body) = TEST_CARTRIDGE.split_at(16);
    let changed =
        |at: usize, value: u8| [&TEST_CARTRIDGE[..at], &[value], &TEST_CARTRIDGE[at + 1..]].concat();
    [
        ("short", TEST_CARTRIDGE[..0x8000].to_vec(), "header promises 2 PRG banks (32784 bytes"),
        (
            "many-banks",
            changed(5, 3),
            "header promises 3 CHR banks (57360 bytes with what comes before), file has 40976",
        ),
        ("few-banks", changed(4, 1), "header promises 1 PRG and 1 CHR banks (24592 bytes"),
        ("other-board", changed(6, header[6] | 0x40), "header says mapper 4, expected mapper 0"),
        ("other-program", [header, &[!body[0]], &body[1..]].concat(), "--allow-unknown"),
        ("no-image", zip(&["readme.txt"], b""), "zip archive holds no file that ends in .nes"),
        (
            "two-images",
            zip(&["a.nes", "b.nes"], TEST_CARTRIDGE),
            "zip archive holds 2 files that end in .nes, expected one cartridge image",
        ),
        ("cut", gzip(TEST_CARTRIDGE)[..900].to_vec(), "gzip file: "),
        ("cut-zip", zip(&["a.nes"], TEST_CARTRIDGE)[..900].to_vec(), "zip archive: "),
        // Packed, it has some kilobytes.
        ("large", gzip(&vec![0; rom::MAX_BYTES as usize + 1]), "gzip file holds more than 4194304 bytes"),
    ]
}

fn maxout(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
    command.env_remove("RUST_LOG").args(args);
    command
}

fn in_folder(folder: &Path, name: &str, bytes: &[u8]) -> String {
    let path = folder.join(format!("{name}.nes"));
    fs::write(&path, bytes).expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn harmless_flaws_change_neither_the_hashes_nor_what_goes_into_the_machine() {
    let ours = rom::admit(TEST_CARTRIDGE, false).expect("our own");
    assert!(ours.notes.is_empty() && ours.image == TEST_CARTRIDGE);
    for (name, bytes, words) in harmless() {
        let identity = rom::admit(&bytes, false).expect(name);
        assert_eq!(
            (&identity.name, &identity.sha1, identity.md5),
            (&ours.name, &ours.sha1, ours.md5),
            "{name}"
        );
        assert!(identity.image[16..] == ours.image[16..] && identity.mapper == 0, "{name}");
        assert!(identity.notes.iter().any(|note| note.contains(words)), "{name}: {:?}", identity.notes);
    }
}

#[test]
fn rom_notes_every_harmless_flaw_as_text_and_json() {
    let folder = TempDir::new().expect("a folder");
    for (name, bytes, words) in harmless() {
        let path = in_folder(folder.path(), name, &bytes);
        let noted = predicate::str::contains("note: ").and(predicate::str::contains(words));
        maxout(&["rom", &path]).assert().success().stdout(noted).stderr("");
        let said = maxout(&["rom", &path, "--json", "-"]).assert().success();
        let said: Value = serde_json::from_slice(&said.get_output().stdout).expect("JSON");
        assert_eq!(
            (said["notes"].as_array().map(Vec::len), &said["refused"]),
            (Some(1), &Value::Null),
            "{said}"
        );
    }
}

#[test]
fn rom_and_play_refuse_the_same_files_with_the_same_line() {
    let folder = TempDir::new().expect("a folder");
    for (name, bytes, words) in refused() {
        let path = in_folder(folder.path(), name, &bytes);
        let [rom, play] = ["rom", "play"].map(|command| {
            let refusal = predicate::str::contains(words).and(predicate::str::contains(&path));
            let one_line = predicate::str::contains("\n").count(1);
            let assert = maxout(&[command, &path]).assert().code(2).stderr(refusal.and(one_line));
            // Each line begins with the command that it is about.
            let said = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
            said.strip_prefix(&format!("maxout {command}: ")).expect("the command is named").to_owned()
        });
        assert_eq!(rom, play, "{name}");
    }
    let (_, unknown, _) = &refused()[4];
    let path = in_folder(folder.path(), "unknown", unknown);
    maxout(&["rom", &path, "--allow-unknown"]).assert().success();
}

#[test]
fn a_board_that_the_emulator_lacks_is_refused_by_rom_too() {
    let folder = TempDir::new().expect("a folder");
    let mut image = TEST_CARTRIDGE.to_vec();
    // Mapper 255 of an unknown program.
    (image[6], image[7], image[16]) = (image[6] | 0xF0, 0xF0, !image[16]);
    let path = in_folder(folder.path(), "board", &image);
    for command in ["rom", "play"] {
        let refusal = predicate::str::contains("board.nes").and(predicate::str::contains("mapper"));
        maxout(&[command, &path, "--allow-unknown"]).assert().code(2).stderr(refusal);
    }
}

#[test]
fn play_plays_a_file_with_all_harmless_flaws_and_says_them() {
    let folder = TempDir::new().expect("a folder");
    let (header, body) = TEST_CARTRIDGE.split_at(16);
    let flawed = [&header[..6], &[header[6] | 4], b"DiskDude!", &[0x5A; 512], body, b"and more"].concat();
    let path = in_folder(folder.path(), "flawed", &flawed);
    let game = ["--player", "plateau17", "--stop", "lines:1", "--no-runs"];
    let noted = |words: &str| predicate::str::contains(format!("flawed.nes: {words}"));
    maxout(&["play", &path])
        .args(game)
        .assert()
        .success()
        .stdout(predicate::str::contains("maxout test cartridge"))
        .stderr(noted("header bytes 7 to 15").and(noted("a trainer")).and(noted("header promises")));
}

#[test]
fn a_cartridge_that_does_nothing_is_named_and_is_no_success() {
    let folder = TempDir::new().expect("a folder");
    let mut image = TEST_CARTRIDGE.to_vec();
    // The opcode that jams the processor.
    image[16..16 + 0x8000].fill(0x02);
    let path = in_folder(folder.path(), "jam", &image);
    let cases: [(&[&str], &str); 1] =
        [(&["play", "--no-runs"], "the title screen was never reached: expected the menus of the game")];
    for (args, words) in cases {
        let named = predicate::str::contains(format!("jam.nes: {words}"));
        maxout(args).args([&path, "--allow-unknown"]).assert().code(2).stdout("").stderr(named);
    }
}

/// The same cartridge, assembled for PAL.
fn pal() -> Vec<u8> {
    fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("roms/testcart/maxout-testcart-pal.nes"))
        .expect("ours")
}

#[test]
fn a_pal_image_is_known_by_its_bytes_and_an_unknown_one_by_its_frames_per_row() {
    let image = pal();
    for file in [image.clone(), image[16..].to_vec(), [&image[..9], &[0], &image[10..]].concat()] {
        let identity = rom::admit(&file, false).expect("ours");
        assert_eq!((&*identity.name, identity.region), ("maxout test cartridge (PAL)", Region::Pal));
        // The console is set by the header that goes into it.
        assert_eq!(identity.image[9], 1);
    }
    let ours = rom::admit(TEST_CARTRIDGE, false).expect("ours");
    assert_eq!((ours.region, ours.image[9]), (Region::Ntsc, 0));
    let mut other = TEST_CARTRIDGE.to_vec();
    let rows = [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2];
    other[16 + 0x100..16 + 0x100 + 30].fill(1);
    other[16 + 0x100..16 + 0x100 + rows.len()].copy_from_slice(&rows);
    let refusal = rom::admit(&other, false).expect_err("unknown").to_string();
    assert!(refusal.contains("its pieces fall as in the PAL version") && refusal.contains("--allow-unknown"));
    let identity = rom::admit(&other, true).expect("allowed");
    assert_eq!((&*identity.name, identity.region), ("unknown (PAL)", Region::Pal));
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_pal_game_is_kept_verified_and_made_a_movie_that_wants_a_pal_cartridge() {
    let folder = TempDir::new().expect("a folder");
    let image = in_folder(folder.path(), "pal", &pal());
    let run = |line: &str| {
        let mut command = maxout(&[]);
        command.current_dir(folder.path()).args(line.replace("PAL", &image).split(' '));
        command.env("MAXOUT_RUNS", "runs");
        let output = command.assert().get_output().clone();
        let said = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8_lossy(&said).into_owned())
    };
    let game = "--player plateau17 --start-level 18 --seed 7 --stop lines:2 -q";
    let (code, played) = run(&format!("play PAL {game}"));
    assert!(code == Some(0) && played.contains("on the emulator: maxout test cartridge (PAL)"), "{played}");
    let (code, simulated) = run(&format!("sim --pal {game} --runs runs"));
    assert!(code == Some(0) && simulated.contains("on the model (PAL)"), "{simulated}");
    assert!(simulated.contains("taps keep their Hz, 25 at most"), "{simulated}");
    let line = |text: &str, key: &str| text.lines().find(|line| line.starts_with(key)).map(str::to_owned);
    for key in ["score", "lines", "games"] {
        assert_eq!(line(&played, key), line(&simulated, key));
    }
    for number in [1, 2] {
        let (code, verified) = run(&format!("runs verify {number} --rom PAL"));
        assert_eq!(code, Some(0), "{verified}");
    }
    assert_eq!(run("runs verify 2").0, Some(0), "on the rules");
    let (code, told) = run("replay 1");
    assert!(code == Some(2) && told.contains("played on \"maxout test cartridge (PAL)\""), "{told}");
    let (code, told) = run("replay 2");
    assert!(code == Some(2) && told.contains("2: a game of the PAL version"), "{told}");
    assert_eq!(run("replay 2 --rom PAL").0, Some(0));
    assert_eq!(run("replay 1 --rom PAL --movie game.fm2 --movie game.bk2").0, Some(0));
    let text = fs::read_to_string(folder.path().join("game.fm2")).expect("it was written");
    assert!(text.contains("\npalFlag 1\n"));
    let score = line(&played, "score").expect("a score");
    let score = score.split_whitespace().nth(1).expect("a number");
    for movie in ["game.fm2", "game.bk2"] {
        let (code, told) = run(&format!("replay {movie} --rom PAL"));
        assert!(code == Some(0) && told.contains("1 game") && told.contains(score), "{told}");
        let (code, told) = run(&format!("replay {movie}"));
        assert!(code == Some(2) && told.contains("a movie of the PAL version"), "{told}");
    }
}
