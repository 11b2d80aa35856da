//! What can be done with kept games: counted once, told apart, noted on, sorted, removed; and libraries of the first
//! version.

use std::fs;
use std::path::PathBuf;

use assert_cmd::Command;
use maxout::library::run::record_now;
use maxout::library::store::{ASIDE, FILE, Library, LibraryError, salvage};
use maxout::stats::Statistics;
use maxout_host::batch::{Batch, sim};
use maxout_record::result::HostKind;
use maxout_record::run::{Record, RomName};
use maxout_rules::Stop;
use maxout_rules::input::InputLog;
use rusqlite::Connection;
use serde_json::Value;
use tempfile::TempDir;

use crate::maxout;

/// A library, and what `maxout runs` says of it.
struct Kept {
    folder: TempDir,
}

impl Kept {
    fn new() -> Self {
        Self { folder: TempDir::new().expect("a folder") }
    }

    /// Four short games by two players.
    fn small() -> Self {
        let kept = Self::new();
        kept.sim("50000", "2", &["--player", "plateau17", "--stop", "lines:4"]);
        kept.sim("7", "2", &["--player", "meatfighter2018", "--stop", "lines:2"]);
        kept
    }

    fn sim(&self, seed: &str, games: &str, more: &[&str]) {
        let args = ["sim", "--seed", seed, "--games", games];
        maxout().args(args).args(more).arg("--runs").arg(self.folder.path()).assert().success();
    }

    fn file(&self) -> PathBuf {
        self.folder.path().join(FILE)
    }

    fn sql(&self, sql: &str) {
        Connection::open(self.file()).expect("SQLite works").execute_batch(sql).expect("changed");
    }

    fn command(&self, what: &[&str]) -> Command {
        let mut command = maxout();
        command.arg("runs").args(what).arg("--runs").arg(self.folder.path());
        command
    }

    fn answer(&self, what: &[&str]) -> String {
        let assert = self.command(what).assert().success();
        String::from_utf8(assert.get_output().stdout.clone()).expect("UTF-8")
    }

    fn json(&self, what: &[&str]) -> Value {
        serde_json::from_str(&self.answer(&[what, &["--json", "-"]].concat())).expect("JSON")
    }

    fn ids(&self, what: &[&str]) -> Vec<u64> {
        let list = self.json(what);
        list.as_array().expect("a list").iter().map(|run| run["id"].as_u64().expect("a number")).collect()
    }

    /// The library of the program's first version.
    fn make_old(&self) {
        self.sql("ALTER TABLE runs DROP COLUMN note; PRAGMA user_version = 1");
    }

    fn version(&self) -> i64 {
        let connection = Connection::open(self.file()).expect("SQLite works");
        connection.pragma_query_value(None, "user_version", |row| row.get(0)).expect("a version")
    }

    /// Exit code 2 and one line with these words.
    fn refuses(&self, what: &[&str], words: &[&str]) {
        let assert = self.command(what).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{what:?}: {stderr}");
        assert!(words.iter().all(|word| stderr.contains(word)), "{what:?}: expected {words:?} in {stderr}");
    }
}

#[test]
fn equal_games_count_once_and_model_test_cartridge_and_real_cartridge_are_told_apart() {
    let kept = Kept::new();
    let args = ["--player", "plateau17", "--stop", "lines:1"];
    kept.sim("274", "1", &args);
    kept.sim("274", "2", &args);
    let play = ["play", "--seed", "274", "--runs"];
    maxout().args(play).arg(kept.folder.path()).args(args).assert().success();
    // The same on another cartridge.
    kept.sql(
        "CREATE TEMP TABLE other AS SELECT * FROM runs WHERE host = 'console';
         UPDATE other SET id = 100, rom_name = 'Tetris', rom_sha1 = 'fd90';
         INSERT INTO runs SELECT * FROM other",
    );
    let groups = kept.json(&["stats"]);
    let said: Vec<_> = groups
        .as_array()
        .expect("groups")
        .iter()
        .map(|group| {
            let text = |pointer| group.pointer(pointer).and_then(Value::as_str).unwrap_or("-").to_owned();
            (text("/host"), text("/rom/sha1").len(), group["games"].as_u64(), group["repeats"].as_u64())
        })
        .collect();
    let console = |sha1| ("console".to_owned(), sha1, Some(1), Some(0));
    assert!(said.contains(&("model".to_owned(), 1, Some(2), Some(1))), "{said:?}");
    assert!(said.contains(&console(4)) && said.contains(&console(40)) && said.len() == 3, "{said:?}");
    let text = kept.answer(&["stats"]);
    for part in ["on the model\n", "on the emulator: Tetris\n", "; 1 game left out", "\n1 game from level 19"]
    {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    let list = kept.answer(&["list"]);
    let on: Vec<_> = ["  model  ", "  maxout test cartridge  ", "  Tetris  "]
        .map(|name| list.lines().filter(|line| line.contains(name)).count())
        .into();
    assert_eq!(on, [3, 1, 1], "{list}");
}

#[test]
fn one_game_has_no_standard_error() {
    let kept = Kept::new();
    kept.sim("50000", "1", &["--player", "plateau17", "--stop", "lines:4"]);
    let columns = |text: &str| {
        let score = text.lines().find(|line| line.starts_with("score")).expect("a line");
        score.split_whitespace().count()
    };
    // Nor has it percentiles: a name and a value a line.
    assert_eq!(columns(&kept.answer(&["stats"])), 2);
    kept.sim("50001", "1", &["--player", "plateau17", "--stop", "lines:4"]);
    assert_eq!(columns(&kept.answer(&["stats"])), 8);
}

#[test]
fn removed_runs_are_named_and_gone_and_an_unknown_number_removes_nothing() {
    let kept = Kept::small();
    let before = fs::read(kept.file()).expect("a library");
    kept.refuses(&["rm", "1", "99", "2"], &["run 99"]);
    kept.refuses(&["rm"], &["<ID>"]);
    kept.refuses(&["rm", "all"], &["all"]);
    assert!(fs::read(kept.file()).expect("a library") == before, "nothing was removed");
    let said = kept.answer(&["rm", "4", "2", "2"]);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.starts_with("removed run 2: plateau17 on the model, seed 50001: "), "{said}");
    assert_eq!(kept.ids(&["list"]), [3, 1]);
    kept.refuses(&["show", "4"], &["run 4"]);
    kept.sim("9", "1", &["--player", "plateau17", "--stop", "lines:1"]);
    assert_eq!(kept.ids(&["list"]), [5, 3, 1], "a number is never given twice");
    // What cannot be read can be removed.
    kept.sql("UPDATE runs SET level = 300 WHERE id = 3");
    assert!(kept.answer(&["rm", "3"]).contains("run 3, which was damaged"));
    assert_eq!(kept.ids(&["list"]), [5, 1]);
    let nowhere = Kept::new();
    nowhere.refuses(&["rm", "1"], &["no run library there"]);
    assert!(!nowhere.file().exists());
}

#[test]
fn notes_and_their_tags_find_runs_again() {
    let kept = Kept::small();
    assert_eq!(
        kept.answer(&["note", "2", "#good a late I, and then two"]),
        "run 2: #good a late I, and then two\n"
    );
    kept.answer(&["note", "3", "nothing #goodish"]);
    kept.answer(&["note", "4", "#Good, #best"]);
    assert_eq!(kept.ids(&["list", "--note", "#good"]), [4, 2]);
    assert_eq!(kept.ids(&["list", "--note", "#best", "--player", "meatfighter2018"]), [4]);
    assert_eq!(kept.ids(&["list", "--note", "LATE i"]), [2]);
    assert_eq!(kept.ids(&["best", "--note", "#good"]).len(), 2);
    assert_eq!(kept.json(&["stats", "--note", "#good"])[0]["games"], 1);
    assert_eq!(kept.json(&["list"])[2]["note"], "#good a late I, and then two");
    assert!(kept.answer(&["list"]).contains("  #Good, #best\n"));
    assert!(kept.answer(&["show", "2"]).contains("note          #good a late I"));
    let csv = kept.answer(&["export", "--note", "#best"]);
    assert!(csv.lines().next().is_some_and(|head| head.ends_with(",note")), "{csv}");
    assert!(csv.lines().nth(1).is_some_and(|row| row.ends_with(",\"#Good, #best\"")), "{csv}");
    assert_eq!(kept.answer(&["note", "2", ""]), "run 2: no note\n");
    assert_eq!(kept.ids(&["list", "--note", "#good"]), [4]);
    kept.refuses(&["note", "99", "x"], &["run 99"]);
    kept.refuses(&["note", "1", "two\nlines"], &["one line"]);
    kept.refuses(&["note", "1", &"x".repeat(1_001)], &["1001 characters, expected at most 1000"]);
    for mark in [
        '\u{61c}', '\u{200e}', '\u{200f}', '\u{2028}', '\u{2029}', '\u{202e}', '\u{2066}', '\u{85}', '\u{1b}',
    ] {
        let culprit = format!("U+{:04X}, expected one line without control characters", u32::from(mark));
        kept.refuses(&["note", "1", &format!("good {mark}x")], &[&culprit]);
    }
    assert_eq!(kept.ids(&["list", "--note", "#good, #BEST"]), [4], "two words are text");
    kept.refuses(&["export", "1", "--note", "#good"], &["--note", "expected no numbers"]);
}

#[test]
fn an_export_has_no_formulas_and_reads_back() {
    let kept = Kept::small();
    let notes = ["=HYPERLINK(\"http://x\",\"y\")", "+1-1", "-2+3", "@SUM(A1)"];
    for (id, note) in (1..).zip(notes) {
        kept.sql(&format!("UPDATE runs SET note = '{note}' WHERE id = {id}"));
    }
    kept.sql("UPDATE runs SET player = '=cmd', rom_name = '-x', wall_s = -1.5 WHERE id = 1");
    let csv = kept.answer(&["export"]);
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().expect("a header").clone();
    for (row, note) in reader.records().zip(notes) {
        let row = row.expect("a row");
        let cell = |name: &str| &row[headers.iter().position(|header| header == name).expect("a column")];
        assert_eq!(cell("note"), format!("'{note}"));
        assert_eq!(maxout::files::csv::from_text(cell("note")), note);
        if cell("id") == "1" {
            assert_eq!((cell("player"), cell("rom_name"), cell("wall_s")), ("'=cmd", "'-x", "-1.5"));
        }
    }
    // Programs get the text as it is.
    assert!(kept.answer(&["export", "--format", "jsonl"]).contains(r#""note":"+1-1""#));
}

#[test]
fn damaged_runs_hide_no_others_and_repair_keeps_all_that_reads() {
    let kept = Kept::small();
    kept.sim("60000", "4", &["--player", "plateau17", "--stop", "lines:1"]);
    kept.sql(
        "UPDATE runs SET note = '#good ' || char(0x200f, 0x2028) || 'game' WHERE id = 2;
         UPDATE runs SET note = cast(x'61ff62' AS TEXT) WHERE id = 3;
         UPDATE runs SET level = 300 WHERE id = 4;
         UPDATE runs SET statistics = printf('%20000000d', 1) WHERE id = 5;
         UPDATE runs SET player = printf('%17000000d', 1) WHERE id = 6;
         UPDATE runs SET made_at = char(27) WHERE id = 7",
    );
    let told = |what: &[&str]| {
        let assert = kept.command(what).assert().success();
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert!(stderr.lines().count() == 1 && stderr.contains("`maxout runs repair`"), "{what:?}: {stderr}");
        stderr
    };
    assert!(told(&["list"]).contains("5 of 8 runs are damaged: 2, 3, 4, 6, 7 (the first: note: U+200F, "));
    assert_eq!(kept.ids(&["list"]), [8, 5, 1]);
    assert!(told(&["list", "--player", "plateau17"]).contains("3 of 6 runs are damaged: 2, 6, 7 "));
    assert_eq!(kept.ids(&["best"]), [1]);
    assert!(told(&["stats"]).contains("6 of 8 runs are damaged: 2, 3, 4, 5, 6, 7 "));
    assert_eq!(kept.json(&["stats"])[0]["games"], 1);
    for format in ["csv", "jsonl"] {
        assert!(told(&["export", "--format", format]).contains("6 of 8 "));
        assert_eq!(
            kept.answer(&["export", "--format", format]).lines().count(),
            if format == "csv" { 3 } else { 2 }
        );
    }
    // What is named must be whole.
    kept.refuses(&["show", "4"], &["run 4", "damaged"]);
    kept.refuses(&["export", "1", "5"], &["run 5", "damaged: expected no column of more than 16 MiB"]);
    let verify = kept.command(&["verify", "--model"]).assert().code(1);
    assert!(String::from_utf8_lossy(&verify.get_output().stdout).contains("5 of 8 runs verified"));
    // New games are kept all the same, and so are imported ones.
    let out = kept.folder.path().join("out");
    kept.answer(&["export", "1", "--format", "folder", "-o", &out.to_string_lossy()]);
    let folder = fs::read_dir(&out).expect("a folder").next().expect("one").expect("one").path();
    assert!(kept.answer(&["import", &folder.to_string_lossy()]).contains("as run 1"));

    let said = kept.answer(&["repair"]);
    let place = kept.folder.path().join("damaged");
    let lines: Vec<&str> = said.lines().collect();
    assert_eq!(lines.len(), 7, "{said}");
    for (line, start) in lines.iter().zip([
        "run 2: note cleaned: note: U+200F, ".to_owned(),
        "run 3: note cleaned: note: ".to_owned(),
        format!("run 4: moved to {}: ", place.display()),
        format!("run 5: moved to {}: ", place.display()),
        format!("run 6: moved to {}: ", place.display()),
        format!("run 7: moved to {}: ", place.display()),
        "4 runs can be read".to_owned(),
    ]) {
        assert!(line.starts_with(&start), "expected {start:?} in {said}");
    }
    let list = kept.command(&["list"]).assert().success().stderr("");
    assert!(String::from_utf8_lossy(&list.get_output().stdout).contains("  #good game\n"));
    assert_eq!(kept.ids(&["list"]), [8, 3, 2, 1]);
    assert!(kept.answer(&["verify", "--model"]).contains("4 of 4 runs verified"));
    assert_eq!(kept.answer(&["repair"]), "4 runs can be read\n");
    // What was moved is as it was.
    let aside = Connection::open(place.join(FILE)).expect("a database");
    let rows = "SELECT count(*), min(id), max(id), max(length(statistics)), max(level) FROM runs";
    let found: [i64; 5] = aside
        .query_row(rows, [], |row| Ok([row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?]))
        .expect("rows");
    assert_eq!(found, [4, 4, 7, 20_000_000, 300]);
    // Numbers that are taken there are not lost either.
    kept.sql("UPDATE runs SET level = 299 WHERE id = 8; UPDATE runs SET id = 5 WHERE id = 8");
    assert!(kept.answer(&["repair"]).ends_with("3 runs can be read\n"));
    assert_eq!(aside.query_row(rows, [], |row| row.get(0)), Ok(5));
}

#[test]
fn a_list_is_sorted_as_it_is_asked_for() {
    let kept = Kept::small();
    kept.sql(
        "UPDATE runs SET score = 10 * id, lines = 9 - id, made_at = '2026-01-0' || id || 'T00:00:00Z';
         UPDATE runs SET made_at = '2027-01-01T00:00:00Z' WHERE id = 2;
         UPDATE runs SET score = 20 WHERE id = 1",
    );
    for (order, ids) in [
        ("score", [4, 3, 2, 1]),
        ("lines", [1, 2, 3, 4]),
        ("date", [2, 4, 3, 1]),
        ("player", [4, 3, 2, 1]),
        ("id", [4, 3, 2, 1]),
    ] {
        assert_eq!(kept.ids(&["list", "--sort", order]), ids, "{order}");
    }
    assert_eq!(kept.ids(&["list", "--sort", "date", "--limit", "2"]), [2, 4]);
    kept.refuses(&["list", "--sort", "size"], &["size", "score"]);
}

#[test]
fn unknown_players_are_refused_and_players_of_the_past_are_not() {
    let kept = Kept::small();
    for what in ["list", "best", "stats", "export"] {
        kept.refuses(&[what, "--player", "nobody"], &["--player", "nobody", "no such player"]);
    }
    kept.refuses(&["verify", "--player", "nobody"], &["nobody"]);
    assert_eq!(kept.ids(&["best", "--player", "el-tetris"]), [0; 0], "registered, without runs");
    kept.sql("UPDATE runs SET player = 'grandfather' WHERE id = 2");
    assert_eq!(kept.ids(&["best", "--player", "grandfather"]), [2]);
}

#[test]
fn a_library_of_the_first_version_is_read_as_it_is_and_written_in_the_second() {
    let kept = Kept::small();
    kept.make_old();
    let before = fs::read(kept.file()).expect("a library");
    assert_eq!(kept.ids(&["list"]), [4, 3, 2, 1]);
    assert_eq!(kept.json(&["show", "2"])["note"], "");
    assert_eq!(kept.ids(&["list", "--note", "#x"]), [0; 0]);
    kept.answer(&["stats"]);
    kept.answer(&["export"]);
    kept.answer(&["verify", "--model"]);
    assert!(fs::read(kept.file()).expect("a library") == before, "readers change nothing");
    kept.sim("9", "1", &["--player", "plateau17", "--stop", "lines:1"]);
    assert_eq!((kept.version(), kept.ids(&["list"])), (2, vec![5, 4, 3, 2, 1]));
    kept.answer(&["note", "1", "old"]);
    assert_eq!(kept.ids(&["list", "--note", "old"]), [1]);
    let records = Library::open(kept.folder.path()).and_then(|library| library.records(None));
    assert_eq!(records.expect("every row is a record").len(), 5);
}

#[test]
fn the_first_changes_of_an_old_library_may_come_from_many_processes_at_once() {
    let kept = Kept::small();
    kept.make_old();
    std::thread::scope(|scope| {
        for id in ["1", "2", "3", "4"] {
            scope.spawn(|| kept.answer(&["note", id, "#seen"]));
        }
    });
    assert_eq!(kept.ids(&["list", "--note", "#seen"]), [4, 3, 2, 1]);
}

#[test]
fn sim_keeps_games_only_when_told_and_then_where_play_does() {
    let kept = Kept::new();
    let sim = || {
        let mut command = maxout();
        command.env("MAXOUT_RUNS", kept.folder.path());
        command.args(["sim", "--player", "plateau17", "--stop", "lines:1", "--seed", "50000"]);
        command
    };
    sim().assert().success();
    assert!(!kept.file().exists(), "MAXOUT_RUNS says where, not whether");
    sim().arg("--runs").assert().success();
    assert_eq!(kept.ids(&["list"]), [1]);
    let other = Kept::new();
    sim().arg("--runs").arg(other.folder.path()).assert().success();
    assert_eq!((kept.ids(&["list"]).len(), other.ids(&["list"]).len()), (1, 1));
}

#[test]
fn verify_looks_for_all_runs_first_and_keeps_the_lines_before_an_error() {
    let kept = Kept::small();
    kept.refuses(&["verify", "1", "99", "--model"], &["run 99"]);
    kept.sql("UPDATE runs SET log = x'78016304' WHERE id = 2");
    let json = kept.folder.path().join("out.json");
    let mut command = kept.command(&["verify", "1", "2", "3", "--model"]);
    let assert = command.arg("--json").arg(&json).assert().code(2);
    let stdout = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
    let lines: Vec<&str> = stdout.lines().collect();
    assert!(lines[0].starts_with("run 1: verified on the model"), "{stdout}");
    assert!(lines[1].contains("out.json: ") && lines.len() == 2, "{stdout}");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("run 2"), "{stderr}");
    let told: Value = serde_json::from_slice(&fs::read(&json).expect("written")).expect("JSON");
    assert_eq!((told.as_array().map(Vec::len), &told[0]["id"]), (Some(1), &Value::from(1)));
}

#[cfg(unix)]
#[test]
fn a_file_in_place_of_the_folder_is_no_missing_library() {
    let kept = Kept::new();
    let file = kept.folder.path().join("file");
    fs::write(&file, "x").expect("written");
    let mut command = maxout();
    let assert = command.args(["runs", "list", "--runs"]).arg(&file).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
    assert!(stderr.contains("library.sqlite: Not a directory"), "{stderr}");
}

/// A library of many runs whose logs fill a page, or more than one.
fn large() -> (TempDir, Vec<(Record, InputLog)>) {
    let folder = TempDir::new().expect("a folder");
    let mut library = Library::open_or_create(folder.path()).expect("a library");
    let player = maxout_gallery::find("plateau17").expect("registered");
    let mut all = Vec::new();
    for (seed, lines, copies) in [(50_000, 1, 40), (50_001, 40, 8)] {
        let batch = Batch { first_seed: seed, stop: Stop::Lines(lines), ..Batch::new(player.clone(), 1) };
        let mut keep = |game| {
            let rom = RomName { name: "model".to_owned(), sha1: None };
            let (record, log) = (record_now(&game, &batch, HostKind::Model, rom), game.log());
            let statistics = Statistics::of(&game.outcome.locks, 19);
            for copy in 0..copies {
                // What is the same everywhere would not show that rows are mixed up.
                let record =
                    Record { decisions: all.len() as u64, wall_s: f64::from(copy), ..record.clone() };
                library.add(&record, &statistics, &log)?;
                all.push((record, log.clone()));
            }
            Ok(())
        };
        sim(&batch, 1, &false.into(), &mut keep).expect("games");
    }
    (folder, all)
}

#[test]
fn whatever_page_is_torn_all_runs_on_other_pages_are_kept() {
    let (whole, all) = large();
    let bytes = fs::read(whole.path().join(FILE)).expect("a file");
    let page = usize::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let pages = bytes.len() / page;
    assert!(pages > 15, "{pages} pages");
    let root: i64 = Connection::open(whole.path().join(FILE))
        .and_then(|file| {
            file.query_row("SELECT rootpage FROM sqlite_master WHERE name = 'runs'", [], |row| row.get(0))
        })
        .expect("a root");
    let mut torn_files = 0;
    // As a write leaves it that stopped half-way: one half is old, or nothing.
    for (number, part, filler) in
        (0..pages).flat_map(|at| [(at, 0..page, 0), (at, page / 2..page, 0xA5), (at, 0..64, 0xFF)])
    {
        let folder = TempDir::new().expect("a folder");
        let folder = folder.path();
        let file = folder.join(FILE);
        let mut torn = bytes.clone();
        torn[number * page..][part.clone()].fill(filler);
        fs::write(&file, &torn).expect("written");
        let told = format!("page {} of {pages}, {part:?} {filler:#x}", number + 1);
        if let Err(error) = Library::open(folder) {
            // Whether it is a library stands on the first page, and where its runs are.
            if !matches!(error, LibraryError::Torn { .. }) {
                assert_eq!(number, 0, "{told}: {error}");
                continue;
            }
            torn_files += 1;
            match salvage(folder) {
                Ok(salvaged) => assert!(fs::read(salvaged.aside).expect("kept") == torn, "{told}"),
                Err(error) => {
                    assert!(number == 0 || number as i64 + 1 == root, "{told}: {error}");
                    assert!(
                        fs::read(&file).expect("there") == torn && !folder.join(ASIDE).exists(),
                        "{told}"
                    );
                    continue;
                }
            }
        }
        let mut library = Library::open_to_write(folder).expect(&told);
        let left = library.repair().expect(&told).left as usize;
        let ids = library.ids(None).expect(&told);
        assert_eq!(ids.len(), left, "{told}");
        for id in ids {
            let at: usize = id.to_string().parse().expect("a number");
            assert!(library.record_and_log(id).expect(&told) == all[at - 1], "{told}: run {id}");
        }
        // Three short runs fit into a page.
        assert!(
            left + 4 >= all.len() || number == 0 || number as i64 + 1 == root,
            "{told}: {left} runs are left"
        );
        let next = library.set_aside(1).expect(&told);
        assert!(
            format!("{next:?}").contains(&format!("before: {}", all.len())) || number < 3,
            "{told}: {next:?}"
        );
    }
    assert!(torn_files > pages, "{torn_files}");
}

#[test]
fn repair_says_what_it_kept_of_a_torn_file_and_goes_on() {
    let kept = Kept::small();
    kept.sim("60000", "20", &["--player", "plateau17", "--stop", "lines:1"]);
    let mut file = fs::read(kept.file()).expect("a file");
    // The last page but one, whole.
    let end = file.len() - 4_096;
    file[end - 4_096..end].fill(0);
    fs::write(kept.file(), &file).expect("written");
    for what in [&["list"][..], &["best"], &["note", "1", "x"]] {
        kept.refuses(
            what,
            &["the run library is damaged", "`maxout runs repair` keeps all runs that can be read"],
        );
    }
    let said = kept.answer(&["repair"]);
    let lines: Vec<&str> = said.lines().collect();
    let aside = kept.folder.path().join("damaged/torn-1.sqlite");
    assert!(
        lines[0].ends_with(&format!(" runs read from the damaged file, which is now {}", aside.display())),
        "{said}"
    );
    assert!(fs::read(aside).expect("kept") == file);
    let left = kept.ids(&["list"]).len();
    assert!(left >= 18 && said.ends_with(&format!("{left} runs can be read\n")), "{said}");
    kept.sim("70000", "1", &["--player", "plateau17", "--stop", "lines:1"]);
    assert_eq!(kept.ids(&["list"])[0], 25, "numbers are not given again");
    kept.answer(&["verify", "--model"]);
}
