//! Full disks, read-only disks, folders that are there already, clocks that go backwards: one clear line, exit code
//! 2, and what was finished is kept.

use std::fs;
use std::process::Command as Process;

use maxout::library::run::record_now;
use maxout::library::store::Library;
use maxout::stats::Statistics;
use maxout_host::batch::{Batch, sim};
use maxout_record::result::HostKind;
use maxout_record::run::{Record, RomName};
use maxout_rules::Stop;
use predicates::prelude::*;
use tempfile::TempDir;

use crate::disk::{on_a_small_disk, refused};
use crate::{clock_at, maxout};

const SIM: &str = "\"$MAXOUT\" sim --player plateau17 --stop lines:3 --seed 50000";

#[test]
fn a_disk_that_fills_up_keeps_what_was_finished() {
    let script = format!("{SIM} --games 2000 --runs runs");
    let Some(output) = on_a_small_disk(96, &script) else { return };
    let said = refused(&output, &["library.sqlite", "full"]);
    assert!(said.contains("score"), "the games that were kept are told of: {said}");
    // The same again, and then what is left is looked at; the disk is gone with the script.
    let script = format!("{{ {script} 2>/dev/null >&2; \"$MAXOUT\" runs verify --model; }}");
    let output = on_a_small_disk(96, &script).expect("as before");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said} {}", String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("verified on the model"), "{said}");
}

#[test]
fn a_full_disk_is_named_and_nothing_half_written_stays() {
    let fill = "head -c 1000000 /dev/zero >fill 2>/dev/null;";
    let listed = "code=$?; rm fill; ls -A >&1; exit $code";
    let Some(output) =
        on_a_small_disk(64, &format!("{{ {fill} {SIM} --games 3 --json out.json; {listed}; }}"))
    else {
        return;
    };
    let said = refused(&output, &["--json", "out.json", "No space left"]);
    assert!(said.contains("score") && !said.contains("json"), "the answer is told all the same: {said}");
    let scripts = [
        ("\"$MAXOUT\" play --no-runs --player plateau17 --stop lines:1 --every 20 --png pictures", "--png"),
        (&format!("{SIM} --runs runs"), "runs"),
        ("\"$MAXOUT\" players >/dev/full", "No space left"),
    ];
    for (script, culprit) in &scripts {
        let output = on_a_small_disk(64, &format!("{{ {fill} {script}; {listed}; }}")).expect("as before");
        let said = refused(&output, &[culprit]);
        assert!(!said.contains(".tmp") && !said.contains(".png"), "{said}");
    }
}

#[test]
fn a_file_that_is_mounted_by_itself_is_an_output() {
    let script = "touch from out.json && mount --bind from out.json && \"$MAXOUT\" rom -q --json out.json >/dev/null && \
                  cat from && ls -A >&2";
    let Some(output) = on_a_small_disk(64, script) else { return };
    let told = String::from_utf8_lossy(&output.stdout);
    assert!(told.contains("\"cartridge\": \"maxout test cartridge\""), "{told}");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "from\nout.json\n", "nothing else stays");
}

#[test]
fn a_video_that_does_not_fit_on_the_disk_is_refused_and_the_old_one_stays() {
    if Process::new("ffmpeg").arg("-version").output().is_err() {
        crate::skipped("ffmpeg is not installed");
        return;
    }
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("movie.fm2");
    let records = "|0|........|||\n".repeat(60);
    fs::write(&movie, format!("version 3\nport0 1\nport1 0\nport2 0\n{records}")).expect("a file");
    let fill = "head -c 1000000 /dev/zero >fill 2>/dev/null";
    for (video, file) in [("--video x.mp4", "x.mp4"), ("--video x.webm", "x.webm")] {
        let replay = format!("RUST_LOG=error \"$MAXOUT\" replay '{}' {video}", movie.display());
        let script = format!(
            "echo good >{file}; {{ {fill}; {replay}; code=$?; rm fill; cat {file}; ls -A; exit $code; }}"
        );
        let Some(output) = on_a_small_disk(64, &script) else { return };
        assert_eq!(refused(&output, &[file, "No space left"]), format!("good\n{file}\n"));
    }
}

#[test]
fn pictures_that_do_not_fit_on_the_disk_leave_nothing_behind() {
    let folder = TempDir::new().expect("a folder");
    let movie = folder.path().join("movie.fm2");
    let records = "|0|........|||\n".repeat(60);
    fs::write(&movie, format!("version 3\nport0 1\nport1 0\nport2 0\n{records}")).expect("a file");
    let fill = "head -c 1000000 /dev/zero >fill 2>/dev/null";
    let replay = format!("RUST_LOG=error \"$MAXOUT\" replay '{}' --every 1 --png stills", movie.display());
    let script = format!("{fill}; {replay}; code=$?; rm fill; ls -A; exit $code");
    let Some(output) = on_a_small_disk(64, &script) else { return };
    assert_eq!(refused(&output, &["stills/frame-", "No space left"]), "");
}

#[test]
fn a_read_only_disk_is_refused_before_the_first_game_and_can_be_read() {
    let made = format!("{SIM} --games 2 --runs runs >made");
    let read_only = "mount -o remount,ro .";
    let script = format!("{made} && {read_only} && {SIM} --games 2 --runs runs");
    let Some(output) = on_a_small_disk(256, &script) else { return };
    assert_eq!(refused(&output, &["--runs runs", "ead-only"]), "");
    for (option, file) in [("--json", "out.json"), ("--runs", "new")] {
        let script = format!("{made} && {read_only} && {SIM} {option} {file}");
        let output = on_a_small_disk(256, &script).expect("as before");
        assert_eq!(refused(&output, &[option, file, "ead-only"]), "");
    }
    let script = format!("{made} && {read_only} && \"$MAXOUT\" runs list && \"$MAXOUT\" runs verify --model");
    let output = on_a_small_disk(256, &script).expect("as before");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_library_that_may_only_be_read_is_told_before_a_long_video_is() {
    let video = "echo no pictures >game.y4m";
    let review = "\"$MAXOUT\" review game.y4m --keep --runs";
    let made = format!("{SIM} --games 1 --runs runs >made && {video}");
    let bind = "mount --bind runs/library.sqlite runs/library.sqlite && \
                mount -o remount,bind,ro runs/library.sqlite";
    let read_only = "mount -o remount,ro .";
    let folder = "touch held && mount --bind runs/library.sqlite held && mount --bind runs runs && \
                  mount -o remount,bind,ro runs && mount --bind held runs/library.sqlite";
    // The whole disk; a new folder on it; the file alone, in a folder that can be written; the folder alone, in which SQLite could not make
    // its journal. Then the game would be played in vain, too.
    for (script, culprit) in [
        (format!("{made} && {read_only} && {review} runs"), "runs"),
        (format!("{made} && {read_only} && {review} new"), "new"),
        (format!("{made} && {bind} && {review} runs"), "runs/library.sqlite"),
        (format!("{made} && {folder} && {review} runs"), "runs"),
        (format!("{made} && {bind} && {SIM} --games 1 --runs runs"), "runs/library.sqlite"),
    ] {
        let Some(output) = on_a_small_disk(256, &script) else { return };
        assert_eq!(refused(&output, &[culprit, "ead"]), "", "{script}");
    }
}

#[test]
fn pictures_do_not_go_among_those_of_another_run() {
    let folder = TempDir::new().expect("a folder");
    let old = folder.path().join("frame-000060.png");
    fs::write(&old, "an old picture").expect("a file");
    let args = ["play", "--no-runs", "--stop", "lines:1", "--png"];
    maxout()
        .args(args)
        .arg(folder.path())
        .assert()
        .code(2)
        .stdout("")
        .stderr(predicate::str::contains("--png").and(predicate::str::contains("frame-000060.png already")));
    assert_eq!(fs::read(&old).expect("it is there"), b"an old picture");
}

#[test]
fn an_exported_run_takes_another_name_beside_an_older_one() {
    let folder = TempDir::new().expect("a folder");
    let (runs, out) = (folder.path().join("runs"), folder.path().join("out"));
    let args = ["sim", "--player", "plateau17", "--stop", "lines:1", "--seed", "50000", "--runs"];
    maxout().args(args).arg(&runs).assert().success();
    for _ in 0..2 {
        let args = ["runs", "export", "1", "--format", "folder", "--runs"];
        maxout().args(args).arg(&runs).arg("-o").arg(&out).assert().success();
    }
    let mut names: Vec<_> =
        fs::read_dir(&out).expect("folders").map(|e| e.expect("entry").file_name()).collect();
    names.sort();
    let [first, second] = &names[..] else { panic!("{names:?}") };
    assert_eq!(second.to_string_lossy(), format!("{}-2", first.to_string_lossy()));
}

#[test]
fn runs_are_in_the_order_of_their_numbers_whatever_the_clock_said() {
    let folder = TempDir::new().expect("a folder");
    let mut library = Library::open_or_create(folder.path()).expect("a library");
    let stop = Stop::Lines(1);
    let player = maxout_gallery::find("plateau17").expect("registered");
    let batch = Batch { first_seed: 50_000, stop, ..Batch::new(player.clone(), 3) };
    let times = ["2040-01-01T00:00:00Z", "1969-07-20T20:17:40Z", "2024-05-05T12:00:00Z"];
    let mut seen = 0;
    sim(&batch, 1, &false.into(), &mut |game| {
        let rom = RomName { name: "model".to_owned(), sha1: None };
        let record =
            Record { made_at: times[seen].to_owned(), ..record_now(&game, &batch, HostKind::Model, rom) };
        let statistics = Statistics::of(&game.outcome.locks, 19);
        let id = library.add(&record, &statistics, &game.log())?;
        seen += 1;
        assert_eq!(id.to_string(), seen.to_string());
        Ok(())
    })
    .expect("three games");
    drop(library);
    let json = folder.path().join("list.json");
    maxout().args(["runs", "list", "--runs"]).arg(folder.path()).arg("--json").arg(&json).assert().success();
    let list: serde_json::Value = serde_json::from_slice(&fs::read(json).expect("a file")).expect("JSON");
    let ids: Vec<_> = list.as_array().expect("a list").iter().map(|run| run["id"].as_i64()).collect();
    assert_eq!(ids, [Some(3), Some(2), Some(1)], "newest first");
    for what in [&["list"][..], &["best"], &["stats"], &["show", "2"], &["verify", "--model"]] {
        maxout().arg("runs").args(what).arg("--runs").arg(folder.path()).assert().success();
    }
}

#[test]
fn any_clock_is_told_of_and_no_reason_to_stop() {
    let folder = TempDir::new().expect("a folder");
    let times =
        ["2035-01-01", "2020-01-01", "1965-01-01", "@-62135596900", "@253402300801", "@-9999999999999"];
    for time in times {
        let Some(clock) = clock_at(time) else { return };
        let mut maxout = maxout();
        maxout.args(["sim", "--player", "plateau17", "--stop", "lines:1", "--seed", "50000", "--runs"]);
        maxout.arg(folder.path()).envs(clock).assert().success();
    }
    let library = Library::open(folder.path()).expect("a library");
    let years: Vec<_> =
        library.records(None).expect("records").into_iter().map(|(_, r)| r.made_at[..4].to_owned()).collect();
    assert_eq!(years, ["2035", "2020", "1965", "0000", "9999", "-009"]);
    maxout()
        .args(["runs", "list", "--sort", "date", "--runs"])
        .arg(folder.path())
        .assert()
        .success()
        .stderr("");
}

#[test]
fn a_run_that_cannot_be_exported_leaves_no_folder() {
    let script = "\"$MAXOUT\" sim --player plateau17 --stop lines:2 --runs -q >sim.txt && \
                  head -c 60k /dev/zero >full; rm sim.txt; \
                  until ! head -c 4k /dev/zero >>full; do :; done 2>head.txt; \
                  \"$MAXOUT\" runs export --format folder -o out; code=$?; ls out; exit $code";
    let Some(output) = on_a_small_disk(128, script) else { return };
    let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && stderr.contains("No space left"), "{stderr}");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "");
}
