//! Where a command takes a game or a cartridge and gets something else: one line says what it is and what to type.

use std::fs;
use std::path::Path;

use predicates::prelude::*;
use tempfile::TempDir;

use crate::maxout;
use maxout_host::TEST_CARTRIDGE;

/// A folder with a file of each kind.
fn files() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let give = |name: &str, bytes: &[u8]| fs::write(folder.path().join(name), bytes).expect("written");
    give("hello.txt", b"hello\n");
    give("Tetris.nes", TEST_CARTRIDGE);
    give("image", TEST_CARTRIDGE);
    give("run.fm2", b"version 3\n");
    give("movie.txt", b"version 3\n");
    give("game.ngf", b"");
    give("picture.png", b"\x89PNG\r\n");
    give("x.json", b"{\"a\": 1}");
    fs::create_dir(folder.path().join("empty")).expect("a folder");
    folder
}

/// Runs each command line in the folder. It must fail with one line that says all of this.
fn refused(folder: &Path, cases: &[(&str, &[&str])]) {
    for (line, wanted) in cases {
        let mut command = maxout();
        command.current_dir(folder).args(line.split(' '));
        let output = command.assert().code(2).stdout("").get_output().clone();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said.lines().count(), 1, "{line}: {said}");
        for wanted in *wanted {
            assert!(said.contains(wanted), "{line}: {said} has no {wanted:?}");
        }
    }
}

#[test]
fn what_is_no_game_is_named_with_what_to_type() {
    let folder = files();
    let game = "expected the number of a run, its folder";
    refused(
        folder.path(),
        &[
            ("review hello.txt", &["hello.txt: not a game", game, ".fm2", ".ngf"]),
            ("replay hello.txt", &["hello.txt: not a game", game]),
            ("watch hello.txt", &["hello.txt: not a game", game]),
            ("report hello.txt", &["hello.txt: not a game", "the number of a run"]),
            ("runs import hello.txt", &["hello.txt: not a game", "the folder of a run"]),
            ("replay Tetris.nes", &["Tetris.nes: a cartridge image", game, "maxout play Tetris.nes"]),
            ("watch image", &["image: a cartridge image", game, "maxout play image"]),
            ("review run.fm2 Tetris.nes", &["--rom Tetris.nes"]),
            ("watch game.ngf", &["game.ngf: a recording", "maxout review game.ngf"]),
            ("report game.ngf", &["game.ngf: a recording", "maxout review game.ngf"]),
            ("report run.fm2", &["run.fm2: a movie", "maxout review run.fm2 --html"]),
            ("watch movie.txt", &["movie.txt: an FCEUX movie", "must end in .fm2"]),
            ("review picture.png", &["picture.png: a picture", "maxout analyze picture.png"]),
            ("replay empty", &["empty: a folder without run.json", game]),
            ("replay x.json", &["x.json: not a run record", "expected run.json"]),
            ("review nothing.txt", &["nothing.txt: No such file"]),
            (
                "play run.fm2",
                &["run.fm2: a movie, expected a cartridge image (.nes)", "maxout replay run.fm2"],
            ),
            ("rom game.ngf", &["game.ngf: a recording", "expected a cartridge image"]),
            ("play 4", &["4: no such file, expected a cartridge image (.nes)", "maxout replay 4"]),
            (
                "merge x.json",
                &["x.json: not a shard: JSON of something else", "maxout sim --shard I/N --json FILE"],
            ),
            ("merge hello.txt", &["hello.txt: not a shard: not JSON", "maxout sim --shard I/N --json FILE"]),
            ("conform run.fm2", &["run.fm2: not a trace", "expected the columns"]),
            (
                "analyze 16,,4 --piece T",
                &["16,,4: no such file", "echo '16,,4' | maxout analyze - --piece T"],
            ),
            ("analyze run.fm2 --piece T", &["run.fm2: a movie, expected a board", "maxout review run.fm2"]),
            (
                "analyze game.ngf --piece T",
                &["game.ngf: a recording", "expected a board", "maxout review game.ngf"],
            ),
            (
                "analyze Tetris.nes --piece T",
                &["a cartridge image, expected a board", "maxout play Tetris.nes"],
            ),
            ("review 1 --taps foo", &["--taps foo: expected a tap speed", "30hz", "das"]),
        ],
    );
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_cartridge_is_always_rom_and_an_argument_where_it_is_what_the_command_is_about() {
    let folder = files();
    let mut other = TEST_CARTRIDGE.to_vec();
    other[16 + 0x7000] ^= 1;
    fs::write(folder.path().join("other.nes"), other).expect("written");
    let run = |line: &str| {
        let mut command = maxout();
        command.current_dir(folder.path()).args(line.split(' ')).env("MAXOUT_RUNS", "runs");
        command
    };
    let play = "play --player plateau17 --stop lines:1 --seed 3 -q";
    run(&format!("{play} --rom other.nes --allow-unknown")).assert().success();
    for line in ["replay 1", "runs verify 1"] {
        let wanted = ["played on \"unknown\"", "not on", "add --rom FILE --allow-unknown"];
        let said = run(line).assert().code(2).get_output().stderr.clone();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(wanted.iter().all(|wanted| said.contains(wanted)), "{line}: {said}");
    }
    for line in [
        "replay 1 --rom other.nes",
        "replay 1 --cartridge other.nes",
        "runs verify 1 --rom other.nes",
        "runs verify 1 --cartridge other.nes",
    ] {
        run(&format!("{line} --allow-unknown")).assert().success();
    }
    let same = predicate::str::contains("e8ac155fb6c4219df9ca030b71220aba5d70682a");
    for line in ["rom Tetris.nes", "rom --rom Tetris.nes", "rom --cartridge Tetris.nes"] {
        run(line).assert().success().stdout(same.clone());
    }
    for line in ["conform --rom Tetris.nes hello.txt", "conform --cartridge Tetris.nes hello.txt"] {
        run(line).assert().code(2).stderr(predicate::str::contains("hello.txt: not a trace"));
    }
}

#[test]
fn what_is_read_is_never_written_over() {
    let folder = files();
    fs::create_dir(folder.path().join("run")).expect("a folder");
    for name in ["game.mp4", "run/run.json", "run/buttons.txt", "library.sqlite"] {
        fs::write(folder.path().join(name), "kept").expect("written");
    }
    let all = || {
        let entries = fs::read_dir(folder.path())
            .expect("a folder")
            .chain(fs::read_dir(folder.path().join("run")).expect("a folder"));
        let paths = entries.map(|entry| entry.expect("an entry").path()).filter(|path| path.is_file());
        paths.map(|path| (fs::read(&path).expect("a file"), path)).collect::<Vec<_>>()
    };
    let before = all();
    let told: &[&str] = &["is read, expected another file"];
    let lines = [
        "analyze hello.txt --piece T --json hello.txt",
        "analyze picture.png --piece T --json ./picture.png",
        "merge x.json hello.txt --json hello.txt",
        "rom Tetris.nes --json run/../Tetris.nes",
        "play Tetris.nes --no-runs --json Tetris.nes",
        "review game.ngf --champs game.ngf",
        "review game.ngf run.fm2 --csv run.fm2",
        "review game.mp4 --html game.mp4",
        "review run.fm2 --rom image --puzzles image",
        "review run --json run/run.json",
        "replay run.fm2 --movie run.fm2",
        "replay run.fm2 --json run.fm2",
        "replay game.ngf --json game.ngf",
        "replay run --html run/buttons.txt",
        "report run --timeline-json run/run.json",
        "review 1 --runs . --json library.sqlite",
        "runs list --runs . --json library.sqlite",
        "runs stats --runs . --json library.sqlite",
        "runs export 1 --runs . --output library.sqlite",
    ];
    refused(folder.path(), &lines.map(|line| (line, told)));
    assert!(all() == before, "a file has changed");
}
