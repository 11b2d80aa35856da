//! How far games are: lines in `play` and `sim`, so that one game moves the bar.

use std::process::Command as Process;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use maxout_host::batch::{Batch, sim_kept};
use maxout_rules::Stop;

#[test]
fn all_lines_of_a_batch_are_counted_once_whether_its_games_reach_the_stop_or_not() {
    let player = maxout_gallery::find("meatfighter2018-1").expect("a player");
    for stop in [Stop::Lines(30), Stop::Level29, Stop::TopOut] {
        let batch = Batch { first_seed: 50_000, start_level: 18, stop, ..Batch::new(player.clone(), 4) };
        let (lines, mut early) = (AtomicU64::new(0), 0);
        let cleared = |more| {
            lines.fetch_add(more, Ordering::Relaxed);
        };
        sim_kept(&batch, 2, &AtomicBool::new(false), &cleared, &mut |_, _| (), &mut |game, ()| {
            early += u64::from(!game.outcome.result.reached_stop);
            Ok(())
        })
        .expect("four games");
        assert_eq!(lines.into_inner(), 4 * batch.lines().unwrap_or(0), "{stop}");
        assert!(stop != Stop::Level29 || early > 0, "some end before their stop");
    }
}

#[test]
fn a_terminal_shows_the_lines_of_a_single_game() {
    if Process::new("script").arg("--version").output().is_err() {
        crate::skipped("script (util-linux) is not installed");
        return;
    }
    let play = format!(
        "'{}' play --player plateau17 --seed 774 --stop lines:4 --no-runs",
        env!("CARGO_BIN_EXE_maxout")
    );
    let output = Process::new("script")
        .args(["-qec", &play, "/dev/null"])
        .env("TERM", "xterm")
        .output()
        .expect("script runs");
    let shown = String::from_utf8_lossy(&output.stdout);
    assert!(shown.contains(" 0/4 lines in "), "{shown}");
    assert!(shown.contains("level 19, score ") && !shown.contains("/1 games"), "{shown}");
}
