//! Movies: what is written reads back, whatever is read is a movie or an error, and a movie replays as its run did.

use std::fs;
use std::io::{Cursor, Write};
use std::path::{Path, PathBuf};

use maxout_host::{Console, TEST_CARTRIDGE, menus, rom};
use maxout_record::movie::{Movie, MovieFrame, WARM_UP_LEAD, bk2, fm2};
use maxout_rules::Region;
use maxout_rules::input::{Buttons, InputLog};
use predicates::prelude::*;
use proptest::prelude::*;
use sha1::{Digest, Sha1};
use tempfile::TempDir;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::maxout;

prop_compose! {
    fn any_movie()(
        (author, rom_name) in ("[a-zA-Z0-9][a-zA-Z0-9 ]{0,20}", "[a-zA-Z0-9 ().]{0,20}"),
        (rom_md5, guid) in (any::<Option<[u8; 16]>>(), any::<Option<[u8; 16]>>()),
        rerecords in 0..=i32::MAX as u64,
        plugged in any::<[bool; 2]>(),
        comments in proptest::collection::vec("[a-z|0-9é]{0,3} ?[ a-z|é]{0,20}", 0..4),
        subtitles in proptest::collection::vec((any::<u64>(), "[ a-z|é]{0,20}"), 0..4),
        records in proptest::collection::vec(any::<(u8, u8, u8)>(), 0..60),
    ) -> Movie {
        let pad = |player: usize, held| Buttons(if plugged[player] { held } else { 0 });
        let frame = |(commands, one, two)| MovieFrame { commands, controllers: [pad(0, one), pad(1, two)] };
        let frames = records.into_iter().map(frame).collect();
        let rom_sha1 = None;
        let region = if rerecords % 2 == 0 { Region::Pal } else { Region::Ntsc };
        Movie { author, rom_name, rom_md5, rom_sha1, guid, rerecords, region, plugged, comments, subtitles, unread: Vec::new(), frames }
    }
}

fn movie_of(log: &InputLog) -> Movie {
    let frames = vec![MovieFrame::default(); WARM_UP_LEAD].into_iter();
    let frames = frames.chain(log.frames().iter().copied().map(MovieFrame::of_first)).collect();
    Movie { plugged: [true, false], frames, ..Movie::default() }
}

proptest! {
    #[test]
    fn an_fm2_reads_back_as_it_was_written(movie in any_movie()) {
        let text = fm2::write(&movie);
        prop_assert_eq!(fm2::read(text.as_bytes()), Ok(movie.clone()));
        prop_assert_eq!(fm2::read(text.replace('\n', "\r\n").as_bytes()), Ok(movie));
    }

    #[test]
    fn a_log_goes_through_an_fm2_unchanged(held in proptest::collection::vec(any::<u8>(), 0..300)) {
        let log: InputLog = held.into_iter().map(Buttons).collect();
        let movie = fm2::read(fm2::write(&movie_of(&log)).as_bytes()).expect("our own movie");
        prop_assert_eq!(movie.log(), log.clone());
        prop_assert_eq!(movie_of(&log).frames, movie.frames);
    }

    #[test]
    fn a_binary_fm2_reads_as_the_text_does(movie in any_movie()) {
        let text = fm2::write(&movie);
        let header: String = text.lines().filter(|line| !line.starts_with('|')).flat_map(|l| [l, "\n"]).collect();
        let mut bytes = format!("{header}binary 1\n|").into_bytes();
        for frame in &movie.frames {
            bytes.push(frame.commands);
            let held = frame.controllers.iter().zip(movie.plugged).filter(|(_, plugged)| *plugged);
            bytes.extend(held.map(|(pad, _)| pad.0.reverse_bits()));
        }
        prop_assert_eq!(fm2::read(&bytes), Ok(movie));
    }

    #[test]
    fn a_bk2_reads_back_as_it_was_written(movie in any_movie(), rom_sha1 in any::<Option<[u8; 20]>>()) {
        let mut movie = Movie { rom_sha1, rom_md5: None, guid: None, ..movie };
        for frame in &mut movie.frames {
            frame.commands &= MovieFrame::RESET | MovieFrame::POWER;
        }
        let bytes = bk2::write(&movie).expect("an archive");
        prop_assert_eq!(&bk2::write(&movie).expect("an archive"), &bytes);
        prop_assert_eq!(bk2::read(&bytes).expect("our own movie"), movie);
    }

    #[test]
    fn any_bytes_are_an_fm2_or_an_error(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        keys in "((binary 1|length -?[0-9]{1,30}|port[012] [012]|guid [-0-9A-Fé ]{0,40}|romChecksum .{0,30})\n){0,5}",
    ) {
        let _ = fm2::read(&bytes);
        let _ = fm2::read(&[format!("version 3\n{keys}|").as_bytes(), &bytes].concat());
    }

    #[test]
    fn any_bytes_are_a_bk2_or_an_error(
        bytes in proptest::collection::vec(any::<u8>(), 0..300),
        (at, value) in (any::<proptest::sample::Index>(), any::<u8>()),
    ) {
        let _ = bk2::read(&bytes);
        let mut archive = bk2::write(&movie_of(&InputLog::new())).expect("an archive");
        let at = at.index(archive.len());
        archive[at] = value;
        let _ = bk2::read(&archive);
    }
}

#[test]
fn an_fm2_error_names_its_line() {
    let head = "version 3\nport0 1\nport1 0\n";
    let cases = [
        ("", "line 1"),
        ("version 2\n", "line 1"),
        ("version 3\nsavestate 0x00\n", "line 2: savestate"),
        ("version 3\npalFlag 2\n", "line 2: palFlag \"2\", expected 0 (NTSC) or 1 (PAL)"),
        ("version 3\nport0 2\n", "line 2: port0"),
        (&format!("{head}|0|........|||\nnonsense\n"), "line 5"),
        (&format!("{head}|0|.......|||\n"), "line 4"),
        (&format!("{head}|999|........|||\n"), "line 4"),
        (&format!("{head}binary 1\n|\0"), "record 0: the log ends after 1 of 2 bytes"),
    ];
    for (text, culprit) in cases {
        let error = fm2::read(text.as_bytes()).expect_err(text).to_string();
        assert!(error.contains(culprit), "{text:?}: {error}");
    }
}

#[test]
fn reads_what_fceux_writes() {
    let text = "version 3\r\nemuVersion 20605\r\nromChecksum base64:Ww5XFVjIx5aTe5avRpVhxg==\r\n\
        guid 4F6234C5-3416-883F-AEE9-F599212F18B1\r\nport0 1\r\nport1 1\r\nlength 2\r\nfutureKey x\r\n\
        |1|R......A|....T...||\r\n|2|        |xxxxxxxx||\r\nwhatever follows";
    let movie = fm2::read(text.as_bytes()).expect("a movie");
    let md5 = 0x5b0e_5715_58c8_c796_937b_96af_4695_61c6_u128.to_be_bytes();
    assert_eq!(movie.rom_md5, Some(md5));
    let pads = [[Buttons::RIGHT | Buttons::A, Buttons::START], [Buttons::NONE, Buttons(0xFF)]];
    assert_eq!(
        movie.frames,
        [(1, pads[0]), (2, pads[1])].map(|(commands, controllers)| MovieFrame { commands, controllers })
    );
}

/// FCEUX 2.6.5 plays as many records of each of these as it plays of the movie without the change.
#[test]
fn what_fceux_plays_is_read_and_what_is_damaged_in_it_is_named() {
    let head = "version 3\nport0 1\n";
    let log = "|0|R......A|||\n|0|........|||\n";
    let whole = fm2::read(format!("{head}{log}").as_bytes()).expect("a movie").frames;
    for (text, unread) in [
        (format!("{head}{}", log.replace('\n', " \t\n")), None),
        (format!("{head}{}", log.replace('\n', "  \r\n")), None),
        (format!("{head}  {}", log.replace('\n', "\n  ")), None),
        (format!("{}{log}", head.replace("port", "  port")), None),
        (format!("{head}{}", log.replace("|\n", "|\n\n   \n")), None),
        (format!("{head}{}", log.replace("|0|", "| 0|")), None),
        (format!("{head}length 0\n{log}"), None),
        (format!("{head}length -1\n{log}"), None),
        (format!("{head}length 2\n{log}"), None),
        (
            format!("{head}length 9\n{log}"),
            Some("length 9: the log has 2 records, so the last 7 are missing"),
        ),
        (
            format!("{head}subtitle Hello there\n{log}"),
            Some(
                "line 3: subtitle \"Hello there\", expected a frame number and a text; the line is left out",
            ),
        ),
        (format!("{head}subtitle\n{log}"), Some("line 3: subtitle \"\", expected")),
        (format!("{head}guid xyz\n{log}"), Some("line 3: guid \"xyz\", expected")),
        (format!("{head}romChecksum MD5:AA\n{log}"), Some("line 3: romChecksum \"MD5:AA\", expected")),
        (format!("{head}rerecordCount -1\n{log}"), Some("line 3: rerecordCount \"-1\", expected")),
    ] {
        let movie = fm2::read(text.as_bytes()).expect(&text);
        assert_eq!(movie.frames, whole, "{text}");
        match (unread, &movie.unread[..]) {
            (None, []) => {}
            (Some(words), [told]) if told.starts_with(words) => {}
            (_, told) => panic!("{text}: {told:?}, expected {unread:?}"),
        }
    }
    let many = fm2::read(format!("{head}{}{log}", "subtitle Hello\n".repeat(10_000)).as_bytes());
    assert_eq!(many.expect("a movie").unread.len(), 6, "only a few are named");
}

#[test]
fn what_a_movie_says_of_itself_and_cannot_be_read_is_told_once() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("short.fm2");
    fs::write(&file, "version 3\nport0 1\nsubtitle Hello\nlength 5\n|0|........|||\n").expect("a file");
    let stderr = predicate::str::contains("short.fm2: line 3: subtitle \"Hello\", expected a frame number");
    let stderr = stderr.and(predicate::str::contains("short.fm2: length 5: the log has 1 record"));
    let played = maxout().arg("replay").arg(&file).args(["--after", "0"]).assert().success();
    played.stdout(predicate::str::contains("1 record, no game")).stderr(stderr);
    let archive = archive(&[
        ("Header.txt", "Platform NES\r\nrerecordCount many\r\n"),
        ("Subtitles.txt", "subtitle 1 2 3\r\nsubtitle 7 0 0 120 FFFFFFFF look\r\n"),
        ("Input Log.txt", "[Input]\r\nLogKey:#Reset|Power|#P1 A|\r\n|..|A|\r\n[/Input]\r\n"),
    ]);
    let movie = bk2::read(&archive).expect("a movie");
    assert_eq!((movie.frames.len(), movie.subtitles.len()), (1, 1));
    let told = movie.unread.join("\n");
    for words in ["Header.txt: line 2: \"rerecordCount many\"", "Subtitles.txt: line 1: \"subtitle 1 2 3\""] {
        assert!(told.contains(words), "expected {words:?} in {told}");
    }
}

/// A short recorded run, and what `replay` makes of it.
fn export(folder: &Path, name: &str, run: &Path) -> [PathBuf; 4] {
    let files = ["fm2", "bk2", "champs", "json"].map(|kind| folder.join(format!("{name}.{kind}")));
    let mut command = maxout();
    command.arg("replay").args(["--after", "0"]).arg(run);
    for (flag, file) in ["--movie", "--movie", "--champs", "--json"].iter().zip(&files) {
        command.arg(flag).arg(file);
    }
    command.assert().success();
    files
}

fn json(file: &Path) -> serde_json::Value {
    serde_json::from_str(&fs::read_to_string(file).expect("the file")).expect("JSON")
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_movie_replays_as_its_run_did() {
    let folder = TempDir::new().expect("a folder");
    let folder = folder.path();
    let runs = folder.join("runs");
    let args = ["sim", "--player", "plateau17", "--seed", "5", "--stop", "lines:2", "--runs"];
    maxout().args(args).arg(&runs).assert().success();
    // The library numbers its runs from 1.
    let run_args = ["replay", "1", "--runs"];
    let fm2_file = folder.join("run.fm2");
    let [bk2_file, champs_file, json_file] =
        ["run.bk2", "run.champs", "run.json"].map(|name| folder.join(name));
    maxout()
        .args(run_args)
        .arg(&runs)
        .args(["--movie".as_ref(), fm2_file.as_os_str(), "--movie".as_ref(), bk2_file.as_os_str()])
        .args(["--champs".as_ref(), champs_file.as_os_str(), "--json".as_ref(), json_file.as_os_str()])
        .assert()
        .success();
    let of_run = json(&json_file);
    let frames = of_run["games"][0]["last_frame"].as_u64().expect("a number")
        - of_run["games"][0]["first_frame"].as_u64().expect("a number")
        + 1;
    assert_eq!(fs::metadata(&champs_file).expect("the file").len(), 73 * (frames + 16));
    for (name, movie) in [("fm2", &fm2_file), ("bk2", &bk2_file)] {
        let [fm2_again, bk2_again, champs_again, json_again] = export(folder, name, movie);
        let of_movie = json(&json_again);
        for key in ["frames", "shown_score", "lines", "level", "ram_crc32", "field_bytes", "field"] {
            assert_eq!(of_run[key], of_movie[key], "{name}: {key}");
        }
        assert_eq!(of_run["games"][0]["score"], of_movie["games"][0]["score"]);
        assert_eq!(of_movie["games"][0]["end"], "log-ended");
        let (ours, again) = (fs::read(&fm2_file).expect("fm2"), fs::read(fm2_again).expect("fm2"));
        let (ours, again) = (fm2::read(&ours).expect("fm2"), fm2::read(&again).expect("fm2"));
        assert_eq!(ours.frames, again.frames, "{name}");
        assert!(bk2_again.is_file() && champs_again.is_file());
    }
}

/// An archive with these members.
fn archive(members: &[(&str, &str)]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        archive.start_file(*name, SimpleFileOptions::default()).expect("a member");
        archive.write_all(text.as_bytes()).expect("written");
    }
    archive.finish().expect("an archive").into_inner()
}

/// The members of a BK2 of one record, with these settings.
fn bk2_with(settings: &str) -> Vec<u8> {
    archive(&[
        ("Header.txt", "MovieVersion BizHawk v2.0.0\r\nPlatform NES\r\n"),
        ("SyncSettings.json", settings),
        ("Input Log.txt", "[Input]\r\nLogKey:#Reset|Power|#P1 Up|P1 A|\r\n|..|..|\r\n[/Input]\r\n"),
    ])
}

#[test]
#[ignore = "replays nine movies; .ci/run has it"]
fn a_movie_plays_the_same_in_all_forms_that_fceux_and_bizhawk_give_it() {
    let folder = TempDir::new().expect("a folder");
    let movie = begun(&folder, &[Buttons::LEFT; 40]);
    let text = fs::read_to_string(&movie).expect("text");
    let records = text.lines().filter(|line| line.starts_with('|')).count();
    let header: String = text.lines().filter(|line| !line.starts_with('|')).flat_map(|l| [l, "\n"]).collect();
    let log = &text[header.len()..];
    let md5: String = rom::identify(TEST_CARTRIDGE).expect("ours").md5.map(|b| format!("{b:02x}")).concat();
    let binary: Vec<u8> =
        fm2::read(text.as_bytes()).expect("a movie").frames.iter().fold(Vec::new(), |mut bytes, frame| {
            bytes.extend([frame.commands, frame.controllers[0].0.reverse_bits()]);
            bytes
        });
    let editor = b"MARKERS\0\x01\xFF\xFE|||\n".repeat(5);
    let length = format!("length {records}\n");
    let bk2 = fs::read(&export(folder.path(), "written", &movie)[1]).expect("a BK2");
    let mut project = zip::ZipArchive::new(Cursor::new(bk2)).expect("an archive");
    let mut members: Vec<(String, String)> = Vec::new();
    for at in 0..project.len() {
        let mut member = project.by_index(at).expect("a member");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut member, &mut text).expect("text");
        members.push((member.name().expect("a name").into_owned(), text));
    }
    members[0].1 = members[0].1.replace("v2.0.0", "v2.0 Tasproj v1.1");
    members.push(("LagLog".to_owned(), "0\n1\n".repeat(30)));
    members.push(("Branches/0/Input Log.txt".to_owned(), "no log".to_owned()));
    let members: Vec<(&str, &str)> = members.iter().map(|(name, text)| (&**name, &**text)).collect();
    let forms = [
        ("disk.fm2", format!("{}{log}", header.replace("FDS 0", "FDS 1")).into_bytes()),
        ("blanks.fm2", text.replace(" 0\n", " 0 \n").replace("port0 1", "port0  1 ").into_bytes()),
        ("checksum.fm2", format!("{header}romChecksum 0x{md5} \nguid \n{log}").into_bytes()),
        ("guid.fm2", format!("{header}guid 4F6234C5-3416- 83F-AEE9-  99212F18B1 \n{log}").into_bytes()),
        ("mark.fm2", format!("\u{FEFF}{text}").into_bytes()),
        ("text.fm3", [format!("{header}{length}{log}").as_bytes(), &editor].concat()),
        ("binary.FM3", [format!("{header}binary 1\n{length}|").as_bytes(), &binary, &editor].concat()),
        ("studio.tasproj", archive(&members)),
    ];
    let said = |file: &Path| {
        let shown = maxout().arg("replay").arg(file).args(["--json", "-"]).assert().success();
        let text = String::from_utf8_lossy(&shown.get_output().stderr).into_owned();
        assert!(!text.contains("another cartridge"), "{}: {text}", file.display());
        serde_json::from_slice::<serde_json::Value>(&shown.get_output().stdout).expect("JSON")
    };
    let wanted = said(&movie);
    assert_eq!(wanted["games"].as_array().map(Vec::len), Some(1));
    for (name, bytes) in forms {
        let file = folder.path().join(name);
        fs::write(&file, bytes).expect("a file");
        assert_eq!(said(&file), wanted, "{name}");
    }
}

#[test]
fn a_bk2_of_a_region_that_is_no_console_of_ours_is_refused_and_a_pal_movie_wants_a_pal_cartridge() {
    for (settings, region) in [
        (r#"{"o":{"RegionOverride":3}}"#, "Dendy"),
        (r#"{"o":{"NES":{"RegionOverride":"Dendy"}}}"#, "Dendy"),
        (r#"{"o":{"RegionOverride":7}}"#, "7"),
        (r#"{"o":"#, "expected JSON"),
    ] {
        let error = bk2::read(&bk2_with(settings)).expect_err(settings).to_string();
        assert!(error.starts_with("SyncSettings.json: line 1: ") && error.contains(region), "{error}");
    }
    for settings in
        ["", "\u{FEFF}{\"o\":{\"RegionOverride\":0}}\r\n", r#"{"o":{"RegionOverride":1}}"#, r#"{"o":null}"#]
    {
        let read = bk2::read(&bk2_with(settings)).expect(settings);
        assert_eq!(read.region, Region::Ntsc, "{settings}");
    }
    for settings in [r#"{"o":{"RegionOverride":2,"Controls":{}}}"#, r#"{"RegionOverride":"PAL"}"#] {
        assert_eq!(bk2::read(&bk2_with(settings)).expect(settings).region, Region::Pal);
    }
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("pal.tasproj");
    fs::write(&movie, bk2_with(r#"{"o":{"RegionOverride":2}}"#)).expect("a file");
    let stderr = predicate::str::contains(
        "pal.tasproj: a movie of the PAL version, expected a PAL cartridge image to play it on, not \"maxout test cartridge\"",
    );
    maxout()
        .arg("replay")
        .arg(&movie)
        .assert()
        .code(2)
        .stderr(stderr.and(predicate::str::contains("\n").count(1)));
}

#[test]
fn what_a_console_cannot_do_is_refused_with_its_record() {
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("disk.fm2");
    fs::write(&movie, "version 3\nFDS 1\nport0 1\n|0|........|||\n|4|........|||\n").expect("a file");
    maxout()
        .arg("replay")
        .arg(&movie)
        .assert()
        .code(2)
        .stderr(predicate::str::contains("record 1: command 4"));
    fs::write(&movie, "version 3\nport0 1\n").expect("a file");
    maxout().arg("replay").arg(&movie).assert().code(2).stderr(predicate::str::contains("no record"));
}

#[test]
fn a_movie_of_another_cartridge_is_played_with_a_warning() {
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("other.fm2");
    let text = "version 3\nromChecksum 0x00112233445566778899aabbccddeeff\nport0 1\n|0|........|||\n";
    fs::write(&movie, text).expect("a file");
    maxout()
        .arg("replay")
        .arg(&movie)
        .assert()
        .success()
        .stdout(predicate::str::contains("1 record, no game"))
        .stderr(predicate::str::contains("another cartridge"));
}

/// A movie that ends with these buttons, the first in the first frame of control of a game on level 19.
fn begun(folder: &TempDir, buttons: &[Buttons]) -> PathBuf {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let way = menus::reach_play(&mut console, 19, 0).expect("play is reached");
    let log = way.frames().iter().chain(buttons).copied().collect();
    let file = folder.path().join("begun.fm2");
    fs::write(&file, fm2::write(&movie_of(&log))).expect("written");
    file
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_movie_is_played_on_until_its_game_has_ended() {
    let folder = TempDir::new().expect("a folder");
    let (movie, file) = (begun(&folder, &[Buttons::NONE; 6]), folder.path().join("replay.json"));
    let replay = |flags: &[&str]| {
        let mut command = maxout();
        let shown = command.arg("replay").args(flags).arg(&movie).arg("--json").arg(&file).assert().success();
        (String::from_utf8_lossy(&shown.get_output().stdout).into_owned(), json(&file))
    };
    let (text, ending) = replay(&[]);
    let game = &ending["games"][0];
    let number = |value: &serde_json::Value| value.as_u64().expect("a number");
    let (records, played_on) = (number(&ending["records"]), number(&ending["played_on"]));
    assert_eq!(game["end"], "top-out");
    assert_eq!(number(&game["last_frame"]), records + played_on - 1);
    assert_eq!(number(&game["pieces"]), 12, "{text}");
    let last = records + played_on - 1;
    let told = format!(
        "after the last record: {played_on} frames without buttons, {records} to {last}, until the game ended"
    );
    assert!(text.contains(&told), "{text}");
    let (text, cut) = replay(&["--after", "20"]);
    assert_eq!((number(&cut["played_on"]), &cut["games"][0]["end"]), (20, &"log-ended".into()));
    assert!(text.contains("20 frames without buttons") && text.contains("--after N"), "{text}");
    let (text, none) = replay(&["--after", "0"]);
    assert_eq!(number(&none["played_on"]), 0);
    assert_eq!(number(&none["games"][0]["last_frame"]), records - 1);
    assert!(!text.contains("after the last record"), "{text}");
    for key in ["frames", "ram_crc32", "field_bytes"] {
        assert_eq!(ending[key], none[key], "{key} is that of the last record");
    }
}

#[test]
fn a_movie_that_ends_in_a_pause_is_played_on_to_the_limit_only() {
    let folder = TempDir::new().expect("a folder");
    let movie = begun(&folder, &[Buttons::START]);
    let replay = || {
        let mut command = maxout();
        command.arg("replay").arg(&movie).args(["--after", "40"]);
        command
    };
    replay().assert().success().stdout(predicate::str::contains("40 frames without buttons"));
    let pictures = folder.path().join("png");
    replay().args(["--frames", "300..330", "--every", "10", "--png"]).arg(&pictures).assert().success();
    assert_eq!(
        fs::read_dir(&pictures).expect("pictures").count(),
        4,
        "the frames after the last record, too"
    );
    let sheet = folder.path().join("sheet.png");
    let refused = replay().args(["--frames", "360..", "--sheet"]).arg(&sheet).assert().code(2);
    refused.stderr(predicate::str::contains("no picture to draw"));
    for more in [&["--at", "lock"][..], &["--overlay"]] {
        let refused = replay().arg("--sheet").arg(&sheet).args(more).assert().code(2);
        refused.stderr(predicate::str::contains("known only after it was played, expected a recorded run"));
    }
    assert!(!sheet.exists());
    replay().args(["--every", "100", "--sheet"]).arg(&sheet).assert().success();
    assert!(image::open(&sheet).is_ok(), "a movie has a sheet, too");
    maxout()
        .args(["replay", "1", "--after", "5"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("expected a movie"));
}

#[test]
fn one_checksum_of_the_cartridge_is_enough() {
    let ours = rom::identify(TEST_CARTRIDGE).expect("our own");
    let headerless: [u8; 20] = Sha1::digest(&TEST_CARTRIDGE[16..]).into();
    let foreign = |rom_md5, rom_sha1| Movie { rom_md5, rom_sha1, ..Movie::default() }.is_foreign_to(&ours);
    for sha1 in [None, Some(ours.file_sha1), Some(headerless), Some([7; 20])] {
        assert!(!foreign(Some(ours.md5), sha1));
    }
    for sha1 in [ours.file_sha1, headerless] {
        assert!(!foreign(Some([7; 16]), Some(sha1)) && !foreign(None, Some(sha1)));
    }
    assert!(!foreign(None, None) && foreign(None, Some([7; 20])) && foreign(Some([7; 16]), None));
    assert!(foreign(Some([7; 16]), Some([7; 20])));
}

#[test]
fn a_bk2_that_bizhawk_made_of_an_fm2_is_no_foreign_movie() {
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("imported.bk2");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    let sha1 = hex(&Sha1::digest(&TEST_CARTRIDGE[16..]));
    let md5 = hex(&rom::identify(TEST_CARTRIDGE).expect("our own").md5).to_lowercase();
    let log = "[Input]\r\nLogKey:#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|\r\n\
        |..|........|\r\n[/Input]\r\n";
    let write = |sums: &str| {
        let header = format!("MovieVersion BizHawk v2.0\r\nPlatform NES\r\n{sums}");
        let members = [("Header.txt", header.as_str()), ("Input Log.txt", log)];
        fs::write(&movie, archive(&members)).expect("written");
        maxout().arg("replay").arg(&movie).assert().success()
    };
    for sums in [format!("SHA1 {sha1}\r\nMD5 {md5}\r\n"), format!("SHA1 {md5}\r\n"), format!("MD5 {md5}\r\n")]
    {
        write(&sums).stderr(predicate::str::contains("another cartridge").not());
    }
    write(&format!("MD5 {}\r\n", "0".repeat(32))).stderr(predicate::str::contains("another cartridge"));
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn watch_takes_a_movie_and_says_without_a_terminal_what_was_played() {
    let folder = TempDir::new().expect("a folder");
    let movie = begun(&folder, &[Buttons::NONE; 6]);
    let said = |command: &str| {
        let shown = maxout().arg(command).arg(&movie).assert().success();
        String::from_utf8_lossy(&shown.get_output().stdout).into_owned()
    };
    let watched = said("watch");
    assert!(watched.contains("\ngame 1: A-type") && watched.contains("top-out"), "{watched}");
    assert!(said("replay").starts_with(watched.trim_end()), "{watched}");
}
