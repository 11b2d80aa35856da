//! The page of recorded runs, as far as it can be checked without a browser; `.ci/page` opens it in one.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use maxout::export::html::{PageOptions, PageRun, render};
use maxout::library::run::record_now;
use maxout_gallery::find;
use maxout_host::batch::{self, Batch};
use maxout_record::result::HostKind;
use maxout_record::run::{Record, RomName};
use maxout_record::run::{TimelineError, timeline};
use maxout_record::timeline::{Move, Timeline};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::{Board, Placement, Stop};
use predicates::prelude::*;
use serde_json::Value;
use sha2::{Digest, Sha256};
use tempfile::TempDir;

use crate::maxout;

/// Games on the model, as records with their logs.
fn games(player: &str, first_seed: u64, games: u64, start_level: u8, stop: Stop) -> Vec<(Record, InputLog)> {
    let player = find(player).expect("a registered player");
    let batch = Batch { first_seed, start_level, stop, ..Batch::new(player.clone(), games) };
    let mut runs = Vec::new();
    batch::sim(&batch, 2, &AtomicBool::new(false), &mut |game| {
        let rom = RomName { name: "model".to_owned(), sha1: None };
        let record = record_now(&game, &batch, HostKind::Model, rom);
        let log = game.menu.frames().iter().chain(game.outcome.log.frames()).copied().collect();
        runs.push((record, log));
        Ok(())
    })
    .expect("the model plays");
    runs
}

fn game(player: &str, seed: u64, stop: Stop) -> (Record, InputLog) {
    games(player, seed, 1, 19, stop).remove(0)
}

fn page(runs: &[(Record, InputLog)], options: &PageOptions) -> String {
    let runs: Vec<PageRun> = runs
        .iter()
        .map(|(record, log)| PageRun::new(record.clone(), log.clone()).expect("it can be drawn"))
        .collect();
    render(&runs, options).expect("a page")
}

/// What lies between two texts, of which the first occurs once.
fn between<'a>(page: &'a str, from: &str, to: &str) -> &'a str {
    let (_, rest) = page.split_once(from).unwrap_or_else(|| panic!("{from} is missing"));
    rest.split_once(to).unwrap_or_else(|| panic!("{to} is missing")).0
}

fn data(page: &str) -> Value {
    let json = between(page, "<script type=\"application/json\" id=\"data\">", "</script>");
    serde_json::from_str(json).expect("the data block is JSON")
}

#[test]
fn a_timeline_ends_where_the_record_does_and_each_lock_is_the_boards_own() {
    let mut runs = vec![game("plateau17", 7, Stop::Level29), game("maxout-fast", 9_599, Stop::Lines(30))];
    runs.extend(games("plateau17", 50_000, 2, 19, Stop::TopOut));
    runs.extend(games("plateau17", 60_000, 1, 0, Stop::Lines(6)));
    for (record, log) in runs {
        let Timeline { board: first, locks, pieces, last_spawn, moves, buttons, .. } =
            timeline(&record, &log).expect("a timeline");
        let last = locks.last().expect("pieces were locked");
        assert_eq!(locks.len(), record.result.pieces as usize);
        assert_eq!((last.score, last.line_points), (record.result.score, record.result.line_points));
        assert_eq!((last.lines, last.level), (record.result.lines, record.result.level));
        assert_eq!(buttons.len() as u64, record.frames);
        assert_eq!(last_spawn.is_some(), record.result.topped_out);
        assert_eq!(pieces.len(), locks.len() + 1 + usize::from(last_spawn.is_some()));
        assert_eq!(first, Board::EMPTY);
        let mut board = first;
        let mut scored = 0;
        for (i, lock) in locks.iter().enumerate() {
            // A second way to the same board: the one that searches use.
            assert_eq!(
                board.lock(lock.placement.x, lock.placement.y, lock.placement.orientation),
                lock.rows_cleared,
                "piece {i}"
            );
            assert_eq!(board, lock.board_after, "piece {i}");
            assert_eq!((lock.piece, lock.next), (pieces[i], pieces[i + 1]));
            assert!(scored <= lock.spawned && lock.spawned < lock.locked && lock.locked < lock.frame);
            let at_rest = moves.iter().rfind(|pose| pose.frame <= lock.locked).expect("it was in the air");
            assert_eq!(
                (at_rest.placement.x, at_rest.placement.y, at_rest.placement.orientation),
                (lock.placement.x, lock.placement.y, lock.placement.orientation)
            );
            scored = lock.frame;
        }
        assert!(moves.is_sorted_by_key(|pose| pose.frame));
    }
}

#[test]
fn a_log_that_leads_elsewhere_has_no_timeline() {
    let (mut record, log) = game("plateau17", 3, Stop::Lines(4));
    let short: InputLog = log.frames()[..log.len() - 60].iter().copied().collect();
    assert!(matches!(timeline(&record, &short), Err(TimelineError::Differs { .. })));
    let menu: InputLog = log.frames()[..200].iter().copied().collect();
    assert!(matches!(timeline(&record, &menu), Err(TimelineError::Short { .. })));
    record.result.tetrises += 1;
    let error = timeline(&record, &log).expect_err("not that many tetrises");
    assert!(error.to_string().contains("tetrises"), "{error}");
    record.start_level = 20;
    assert_eq!(timeline(&record, &log), Err(TimelineError::StartLevel(20)));
}

#[test]
fn the_page_is_one_file_that_may_load_nothing() {
    let page = page(&[game("plateau17", 7, Stop::Lines(10))], &PageOptions::default());
    let loaders =
        ["http:", "https:", "//cdn", "@import", "url(", " src=", "fetch(", "XMLHttp", "WebSocket", "import("];
    for loader in loaders {
        assert!(!page.contains(loader), "{loader:?} is in the page");
    }
    assert_eq!(page.matches("href=").count(), 2, "the icon and the skip link");
    assert!(page.contains("<link rel=\"icon\" href=\"data:,\">"));
    // The policy allows our script and our style by their hashes, and nothing else.
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let hash = |text: &str| format!("'sha256-{}'", BASE64_STANDARD.encode(Sha256::digest(text.as_bytes())));
    assert!(policy.starts_with("default-src 'none';"), "{policy}");
    assert!(policy.contains(&format!("script-src {};", hash(between(&page, "<script>", "</script>")))));
    assert!(policy.contains(&format!("style-src {};", hash(between(&page, "<style>", "</style>")))));
    assert!(!policy.contains("unsafe"));
    // Neither would run under that policy.
    assert!(!page.contains(" style=\"") && !page.contains(" onclick="));
}

#[test]
fn equal_runs_give_equal_bytes_and_a_whole_game_is_small() {
    let run = [game("plateau17", 0, Stop::Level29)];
    let first = page(&run, &PageOptions::default());
    assert!(first == page(&run, &PageOptions::default()));
    assert!(run[0].0.result.pieces > 300);
    assert!(first.len() < 200_000, "{} bytes", first.len());
}

fn numbers(value: &Value) -> Vec<u64> {
    value.as_array().expect("a list").iter().map(|n| n.as_u64().expect("a number")).collect()
}

fn bytes(value: &Value) -> Vec<u8> {
    BASE64_STANDARD.decode(value.as_str().expect("text")).expect("base64")
}

/// The buttons of the page, unpacked as docs/reference/formats.md says.
fn unpacked_buttons(packed: &[u8]) -> Vec<Buttons> {
    let mut frames = Vec::new();
    let mut rest = packed.iter();
    while let Some(&held) = rest.next() {
        let (mut count, mut shift) = (0usize, 0);
        for &byte in rest.by_ref() {
            count |= usize::from(byte & 0x7F) << shift;
            shift += 7;
            if byte & 0x80 == 0 {
                break;
            }
        }
        frames.extend(std::iter::repeat_n(Buttons(held), count));
    }
    frames
}

/// The moves of the page, unpacked as docs/reference/formats.md says.
fn unpacked_moves(packed: &[u8], timeline: &Timeline) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut rest = packed.iter().copied();
    let spawns = timeline.locks.iter().map(|lock| lock.spawned).chain(timeline.last_spawn);
    for (spawn, piece) in spawns.zip(&timeline.pieces) {
        let mut at = Move { frame: spawn, placement: Placement { x: 5, y: 0, orientation: piece.spawn() } };
        moves.push(at);
        loop {
            let byte = rest.next().expect("the piece has an end");
            let code = byte & 31;
            if code == 31 {
                break;
            }
            at.frame += u64::from(if byte >> 5 == 0 { rest.next().expect("a gap") } else { byte >> 5 });
            assert!(code < 18, "a move of one frame is a step, a turn and a fall");
            if code == 2 {
                continue;
            }
            let Placement { x, y, orientation } = at.placement;
            at.placement = Placement {
                x: x + (code >> 1) % 3 - 1,
                y: y + (code & 1),
                orientation: match code / 6 {
                    0 => orientation,
                    1 => orientation.clockwise(),
                    _ => orientation.counterclockwise(),
                },
            };
            moves.push(at);
        }
    }
    moves
}

#[test]
fn the_data_unpack_to_the_timeline() {
    for run in [
        game("maxout-fast", 9_599, Stop::Lines(40)),
        game("plateau17", 50_000, Stop::TopOut),
        games("plateau17", 5, 1, 0, Stop::Lines(4)).remove(0),
    ] {
        let want = timeline(&run.0, &run.1).expect("a timeline");
        let data = data(&page(std::slice::from_ref(&run), &PageOptions::default()));
        let film = &data["games"][0];
        assert_eq!(unpacked_buttons(&bytes(&film["buttons"])), want.buttons);
        assert!(unpacked_moves(&bytes(&film["moves"]), &want) == want.moves);
        let columns = ["spawned", "locked", "scored", "id", "x", "y", "rows", "points", "level"]
            .map(|name| numbers(&film[name]));
        let [spawned, locked, scored, id, x, y, rows, points, level] = &columns;
        let (mut frame, mut score) = (0, 0);
        for (i, lock) in want.locks.iter().enumerate() {
            let spawn = frame + spawned[i];
            let lock_frame = spawn + locked[i];
            frame = lock_frame + scored[i];
            score += points[i];
            let Placement { x: column, y: row, orientation } = lock.placement;
            assert_eq!((spawn, lock_frame, frame), (lock.spawned, lock.locked, lock.frame));
            assert_eq!((id[i], x[i], y[i]), (orientation.id().into(), column.into(), row.into()));
            assert_eq!((rows[i], level[i]), (lock.rows_cleared.into(), lock.level.into()));
            assert_eq!(score, lock.score);
        }
        let letters: String = want.pieces.iter().map(|piece| piece.letter()).collect();
        assert_eq!(film["pieces"].as_str(), Some(letters.as_str()));
        assert_eq!(film["last_spawn"].as_u64(), want.last_spawn);
    }
}

#[test]
fn hostile_names_stay_text() {
    let (mut record, log) = game("plateau17", 1, Stop::Lines(2));
    let names = [
        "</script><script>alert(1)</script>",
        "<!--<script>",
        "\" onload=\"x' && \u{2028} {{script}} {{data}} \\u003c",
    ];
    names[0].clone_into(&mut record.player);
    names[1].clone_into(&mut record.rom.name);
    names[2].clone_into(&mut record.version);
    let page = page(&[(record, log)], &PageOptions::default());
    let data = data(&page);
    let run = &data["runs"][0];
    assert_eq!([&run["player"], &run["rom"]["name"], &run["version"]], names);
    assert_eq!(page.matches("<script").count(), 2);
    assert_eq!(page.matches("</script").count(), 2);
    assert!(!page.contains("<!--") && !page.contains('\u{2028}'));
}

#[test]
fn of_many_runs_the_best_the_median_and_the_worst_can_be_watched() {
    let mut runs = games("plateau17", 50_000, 20, 19, Stop::Lines(12));
    runs.extend(games("meatfighter2018", 50_000, 21, 19, Stop::Lines(12)));
    let options = PageOptions { boards: 12, ..PageOptions::default() };
    let data = data(&page(&runs, &options));
    assert_eq!(data["games"].as_array().map(Vec::len), Some(6));
    let groups = data["groups"].as_array().expect("groups");
    assert_eq!(groups.len(), 2);
    for group in groups {
        let order = numbers(&group["runs"]);
        let score = |run: u64| data["runs"][run as usize]["score"].as_u64().expect("a score");
        assert!(order.is_sorted_by_key(|&run| std::cmp::Reverse(score(run))));
        for place in [0, order.len() / 2, order.len() - 1] {
            let game = data["runs"][order[place] as usize]["game"].as_u64().expect("it can be watched");
            assert_eq!(data["games"][game as usize]["run"].as_u64(), Some(order[place]));
        }
        let mean = order.iter().map(|&run| score(run) as f64).sum::<f64>() / order.len() as f64;
        assert!((group["score"]["value"].as_f64().expect("a mean") - mean).abs() < 1e-6);
        assert_eq!(group["goal"], "12 lines");
    }
    // The second player is compared with the first on the seeds that both played.
    assert!(groups[0]["against"].is_null());
    assert_eq!(groups[1]["against"]["seeds"].as_u64(), Some(20));
    let all = PageOptions { boards: 41, ..PageOptions::default() };
    assert_eq!(self::data(&page(&runs, &all))["games"].as_array().map(Vec::len), Some(41));
}

#[test]
fn of_one_game_the_page_gives_no_interval_no_median_and_no_survival() {
    let mut runs = games("plateau17", 50_000, 2, 19, Stop::Lines(12));
    runs.extend(games("meatfighter2018", 50_000, 1, 19, Stop::Lines(12)));
    let data = data(&page(&runs, &PageOptions::default()));
    let groups = data["groups"].as_array().expect("groups");
    let of = |name: &str| groups.iter().find(|group| group["player"] == name).expect("a player");
    let given = |group: &Value| {
        [&group["score"]["interval"], &group["reached"]["interval"], &group["median"], &group["survival"]]
            .map(|value| !value.is_null())
    };
    assert_eq!(given(of("plateau17")), [true; 4]);
    let one = of("meatfighter2018");
    assert_eq!(given(one), [false; 4]);
    assert_eq!(one["score"]["value"].as_f64(), data["runs"][2]["score"].as_f64());
}

/// The keys that the script listens to are all on the list that the page shows.
#[test]
fn the_page_lists_its_keys() {
    let page = page(&[game("plateau17", 7, Stop::Lines(2))], &PageOptions::default());
    let listed = between(&page, "<dialog id=\"keys\"", "</dialog>");
    let shown = |key: &str| match key {
        "ArrowLeft" => "&larr;".to_owned(),
        "ArrowRight" => "&rarr;".to_owned(),
        " " => "Space".to_owned(),
        // The same keys with Shift or without.
        "=" => "+".to_owned(),
        "_" => "-".to_owned(),
        letter => letter.to_uppercase(),
    };
    let script = between(&page, "switch (event.key) {", "default:");
    let keys: Vec<&str> = script.split("case \"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(keys.len() > 10, "{keys:?}");
    for key in keys {
        let kbd = format!("<kbd>{}</kbd>", shown(key));
        assert!(listed.to_uppercase().contains(&kbd.to_uppercase()), "{kbd} is not on the list of keys");
    }
}

fn kept_run(folder: &Path) -> PathBuf {
    let args = ["sim", "--player", "plateau17", "--seed", "5", "--stop", "lines:2", "--runs"];
    maxout().args(args).arg(folder).assert().success();
    let export = ["runs", "export", "1", "--format", "folder", "-o"];
    let out = folder.join("exported");
    maxout().args(export).arg(&out).arg("--runs").arg(folder).assert().success();
    fs::read_dir(out).expect("runs").next().expect("one run").expect("readable").path()
}

#[test]
fn report_and_replay_write_the_same_page() {
    let folder = TempDir::new().expect("a folder");
    let run = kept_run(&folder.path().join("runs"));
    let file = |name: &str| folder.path().join(name);
    maxout()
        .arg("report")
        .arg(&run)
        .arg("-o")
        .arg(file("report.html"))
        .arg("--timeline-json")
        .arg(file("report.json"))
        .assert()
        .success()
        .stderr("")
        .stdout(predicate::str::contains("1 run"));
    maxout().arg("replay").arg(&run).arg("--html").arg(file("replay.html")).assert().success();
    let page = fs::read(file("report.html")).expect("a page");
    assert!(page == fs::read(file("replay.html")).expect("a page"));
    let json: Value =
        serde_json::from_slice(&fs::read(file("report.json")).expect("an export")).expect("it is JSON");
    let locks = json[0]["timeline"]["locks"].as_array().expect("locks");
    assert_eq!(locks.len() as u64, json[0]["record"]["pieces"].as_u64().expect("a count"));
}

#[test]
fn report_refuses_in_one_line_and_writes_nothing() {
    let folder = TempDir::new().expect("a folder");
    let run = kept_run(&folder.path().join("runs"));
    let out = folder.path().join("out.html");
    let refuses = |run: &Path, out: &Path, culprit: &str| {
        let assert = maxout().arg("report").arg(run).arg("-o").arg(out).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(culprit), "expected {culprit:?} in {stderr}");
    };
    refuses(&folder.path().join("nothing"), &out, "nothing");
    refuses(&run, &folder.path().join("missing/out.html"), "missing/out.html");
    refuses(&run, folder.path(), &folder.path().display().to_string());
    let record = run.join("run.json");
    let text = fs::read_to_string(&record).expect("a record");
    fs::write(&record, text.replace("\"pieces\": ", "\"pieces\": 9")).expect("written");
    refuses(&run, &out, "pieces");
    assert!(!out.exists());
    maxout().arg("report").assert().code(2).stderr(predicate::str::contains("<RUN>"));
}

#[test]
fn report_writes_no_page_beside_the_json_unless_asked() {
    let folder = TempDir::new().expect("a folder");
    let run = kept_run(&folder.path().join("runs"));
    let page = folder.path().join("report.html");
    fs::write(&page, "mine").expect("written");
    let report = || {
        let mut command = maxout();
        command.current_dir(folder.path()).arg("report").arg(&run);
        command
    };
    report()
        .args(["--timeline-json", "a.json"])
        .assert()
        .success()
        .stdout(predicate::str::starts_with("a.json: "));
    assert_eq!(fs::read_to_string(&page).expect("a file"), "mine");
    report().args(["--timeline-json", "b.json", "-o", "b.html"]).assert().success();
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("written");
    assert_eq!(read("a.json"), read("b.json"));
    assert!(read("b.html").starts_with("<!DOCTYPE html>"));
    report().assert().success();
    assert_ne!(fs::read_to_string(&page).expect("a file"), "mine");
}
