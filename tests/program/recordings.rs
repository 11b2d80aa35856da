//! Recordings for score displays as people have them: frames are missing, numbers are misread, fields are stale. What is read is
//! compared with the game that was played, piece by piece. The frames are made from the emulator's RAM and changed by the reader and
//! writer of the published layout in `champs`; the truth is the run.

use std::fs;
use std::path::{Path, PathBuf};

use maxout::movie::champs;
use maxout_host::review::{PlayedGame, of_frames};
use maxout_rules::random::Dice;
use serde_json::Value;
use tempfile::TempDir;

use crate::champs::{CLASSIC, MINIMAL, Seen, put_together, take_apart};
use crate::maxout;

/// A placement as the review of a run tells it.
type Told = (String, String, u64, u64, u64, u64);

/// A game of this start level, with human taps and misdrops: its placements, and its frames.
fn recorded(folder: &Path, level: u8, seed: u64, lines: u32) -> (Vec<Told>, Vec<Seen>) {
    let run = |words: &str| {
        maxout().current_dir(folder).args(words.split(' ')).assert().success();
    };
    run(&format!(
        "sim --player maxout-2ply --start-level {level} --seed {seed} --stop lines:{lines} --taps 12hz --misdrop 0.02 --runs runs"
    ));
    run("replay 1 --runs runs --champs game.ngf");
    run("review 1 --runs runs --player maxout-2ply --json truth.json");
    let truth: Value =
        serde_json::from_slice(&fs::read(folder.join("truth.json")).expect("written")).expect("JSON");
    let number = |placed: &Value, key: &str| placed[key].as_u64().expect("a number");
    let text = |placed: &Value, key: &str| placed[key].as_str().expect("a letter").to_owned();
    let placements = truth[0]["placements"].as_array().expect("placements");
    let told = placements.iter().map(|placed| {
        let [id, x, y] = ["id", "x", "y"].map(|key| number(&placed["played"]["placement"], key));
        (text(placed, "piece"), text(placed, "next"), id, x, y, number(placed, "lines"))
    });
    (told.collect(), take_apart(&fs::read(folder.join("game.ngf")).expect("written"), 3, CLASSIC))
}

fn read(frames: &[Seen], version: u64, kind: u64) -> Vec<PlayedGame> {
    let bytes: Vec<u8> = frames.iter().flat_map(|frame| put_together(frame, version, kind)).collect();
    of_frames(&champs::read(&bytes).expect("frames"))
}

/// How many placements are read exactly, in the right order; one that is missing or invented counts once.
fn right(truth: &[Told], games: &[PlayedGame]) -> usize {
    let [game] = games else { return 0 };
    let read: Vec<Told> = game
        .pieces
        .iter()
        .map(|placed| {
            let next = placed.next.map_or(String::new(), |next| next.to_string());
            let place = placed.placement;
            let lines = u64::from(placed.progress.lines());
            (placed.piece.to_string(), next, u64::from(place.id.0), place.x.into(), place.y.into(), lines)
        })
        .collect();
    // The longest common subsequence.
    let mut best = vec![0usize; read.len() + 1];
    for one in truth {
        let mut corner = 0;
        for (at, other) in read.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = if one == other { corner + 1 } else { above.max(best[at]) };
            corner = above;
        }
    }
    best[read.len()].saturating_sub(read.len().saturating_sub(truth.len()))
}

/// A name, what is done to the frames, and how many placements in a thousand must then be right.
struct Damage(&'static str, fn(&[Seen], &mut Dice) -> Vec<Seen>, usize);

fn each(frames: &[Seen], change: impl FnMut(&mut Seen)) -> Vec<Seen> {
    let mut frames = frames.to_vec();
    frames.iter_mut().for_each(change);
    frames
}

fn missing(frames: &[Seen], dice: &mut Dice, share: u32) -> Vec<Seen> {
    frames.iter().filter(|_| dice.roll(100) >= share).cloned().collect()
}

fn with_gaps(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    let (mut left, mut kept) = (0, Vec::new());
    for frame in frames {
        if left == 0 && dice.roll(600) == 0 {
            left = dice.roll(60);
        }
        if left == 0 {
            kept.push(frame.clone());
        }
        left = left.saturating_sub(1);
    }
    kept
}

fn numbers_misread(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        for name in ["score", "lines", "level", "T", "J", "Z", "O", "S", "L", "I"] {
            if dice.roll(100) < 2 {
                let digit = [1, 10, 5, 4][dice.below(4)];
                let value = frame.numbers.get_mut(name).expect("a number");
                *value = if dice.below(2) == 0 { *value + digit } else { value.saturating_sub(digit) };
            }
        }
    })
}

fn numbers_unknown(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        for (name, bits) in [("score", 24), ("lines", 12), ("level", 8), ("T", 10), ("I", 10), ("next", 3)] {
            if dice.roll(100) < 10 {
                frame.numbers.insert(name, (1 << bits) - 1);
            }
        }
    })
}

fn counts_unknown(frames: &[Seen], _: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        for name in ["T", "J", "Z", "O", "S", "L", "I"] {
            frame.numbers.insert(name, (1 << 10) - 1);
        }
    })
}

/// While rows vanish, the display keeps the last field, until the next piece.
fn stale(frames: &[Seen], _: &mut Dice) -> Vec<Seen> {
    let cells = |frame: &Seen| frame.field.iter().filter(|&&cell| cell > 0).count();
    let pieces = |frame: &Seen| ["T", "J", "Z", "O", "S", "L", "I"].map(|name| frame.numbers[name]);
    let mut frames = frames.to_vec();
    for at in 1..frames.len() {
        let (before, now) = frames.split_at_mut(at);
        let (before, now) = (&before[at - 1], &mut now[0]);
        if pieces(now) == pieces(before) && cells(now) < cells(before) {
            now.field.clone_from(&before.field);
        }
    }
    frames
}

fn paused(frames: &[Seen], _: &mut Dice) -> Vec<Seen> {
    let mut kept = frames.to_vec();
    let at = kept.len() / 2;
    let mut pause = kept[at].clone();
    pause.field.fill(0);
    kept.splice(at..at, vec![pause; 600]);
    kept
}

fn cells_misread(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        if dice.roll(100) < 10 {
            frame.field[dice.below(200)] ^= 1;
        }
    })
}

const DAMAGES: [Damage; 12] = [
    Damage("whole", |frames, _| frames.to_vec(), 1000),
    Damage("30 frames a second", |frames, _| frames.iter().step_by(2).cloned().collect(), 1000),
    Damage("5 % of the frames missing", |frames, dice| missing(frames, dice, 5), 1000),
    Damage("30 % of the frames missing", |frames, dice| missing(frames, dice, 30), 1000),
    Damage("70 % of the frames missing", |frames, dice| missing(frames, dice, 70), 980),
    Damage("gaps of up to a second", with_gaps, 970),
    Damage("numbers misread", numbers_misread, 990),
    Damage("numbers unknown now and then", numbers_unknown, 990),
    Damage("counts unknown", counts_unknown, 985),
    Damage("stale fields during clears", stale, 990),
    Damage("paused, with the field hidden", paused, 1000),
    Damage("cells misread", cells_misread, 990),
];

#[test]
#[ignore = "slow; .ci/run has it"]
fn recordings_are_read_to_the_end_whatever_became_of_them() {
    let mut dice = Dice::new(20_261_128);
    let level = 18;
    let folder = TempDir::new().expect("a folder");
    let (truth, frames) = recorded(folder.path(), level, 4100, 40);
    assert!(truth.len() > 90, "{} placements", truth.len());
    for Damage(name, damage, at_least) in DAMAGES {
        let games = read(&damage(&frames, &mut dice), 3, CLASSIC);
        let right = right(&truth, &games);
        println!("{name}: {right} of {} placements", truth.len());
        let unread = games.first().map(|game| &game.unread);
        assert!(
            right >= truth.len() * at_least / 1000,
            "{name}: {right} of {} placements, {unread:?}",
            truth.len()
        );
    }
    // Minimal frames have no counts and no piece in play.
    let mut minimal = frames.clone();
    for frame in &mut minimal {
        frame.numbers.extend([("version", 4), ("kind", MINIMAL), ("one", 1)]);
    }
    let right = right(&truth, &read(&minimal, 4, MINIMAL));
    println!("minimal frames: {right} of {} placements", truth.len());
    assert!(right >= truth.len() * 985 / 1000, "minimal frames: {right} of {} placements", truth.len());
}

/// A recording in tests/data.
fn kept(name: &str) -> PathBuf {
    PathBuf::from("tests/data/recordings").join(name)
}

#[test]
fn from_level_29_on_the_counts_of_pieces_say_when_a_piece_is_new() {
    let placements = |name: &str| {
        let bytes = fs::read(kept(name)).expect("a recording");
        let mut games = of_frames(&champs::read(&bytes).expect("frames"));
        let game = games.remove(0);
        let told = game
            .pieces
            .into_iter()
            .map(|placed| (placed.piece, placed.next, placed.placement, placed.progress));
        (told.collect::<Vec<_>>(), game.unread.len())
    };
    let (whole, unread) = placements("ngf-29-all-frames.ngf.gz");
    assert_eq!((whole.len(), unread), (15, 1), "the recording begins in the middle of a game");
    assert_eq!(placements("ngf-29-three-missing.ngf.gz"), (whole, unread));
}

#[test]
fn a_misread_line_count_is_no_tetris_and_a_score_goes_on_after_1_600_000() {
    for (name, score, tetrises) in
        [("ngf-lines-one-frame-plus-four.ngf.gz", 24_181, 1), ("ngf-rollover-one.ngf.gz", 1_623_052, 1)]
    {
        let folder = TempDir::new().expect("a folder");
        let out = folder.path().join("shown.json");
        maxout().arg("replay").arg(kept(name)).arg("--json").arg(&out).assert().success();
        let shown: Value = serde_json::from_slice(&fs::read(&out).expect("written")).expect("JSON");
        assert_eq!(shown["games"][0]["score"], score, "{name}");
        assert_eq!(shown["games"][0]["tetrises"], tetrises, "{name}");
    }
}
