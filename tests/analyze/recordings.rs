//! Recordings for score displays as people have them: frames are missing, numbers are misread, fields are stale. What is read is
//! compared with the game that was played, piece by piece. The frames are drawn from the rules' game and put together by the published
//! layout in `champs`; the truth is the game's own list of placements.

use std::convert::Infallible;
use std::fs;
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use maxout_engine::Position;
use maxout_engine::limits::{Limits, Presses, TapTable};
use maxout_engine::player::{Mind, Plan, Player, find};
use maxout_engine::search::Foresight;
use maxout_host::Model;
use maxout_host::hand::{Hand, MisdropRate};
use maxout_host::review::{
    MoveClass, PlacedPiece, PlayedGame, ReviewDetail, TapSpeed, Unread, judge, misdrop_rate, of_frames,
    of_timeline, to_frames,
};
use maxout_host::session::Session;
use maxout_record::champs;
use maxout_record::timeline::Timeline;
use maxout_rules::input::Buttons;
use maxout_rules::random::Dice;
use maxout_rules::{Game, PieceId, Placement, PlayState, Progress, Region, Seed, Stop, line_points};
use serde_json::Value;
use tempfile::TempDir;

use crate::export::champs::{CLASSIC, MINIMAL, Seen, put_together};
use crate::maxout;

const PIECES: [&str; 7] = ["T", "J", "Z", "O", "S", "L", "I"];

/// A game from this start level on, with human taps and misdrops: its placements, and its frames.
fn recorded(level: u8, seed: u64, stop: Stop) -> (Vec<PlacedPiece>, Vec<Seen>) {
    let (game, frames) = tapped("maxout-fast", "12hz", (level, seed, stop));
    (game.pieces, frames)
}

/// A game that this player plays with these taps, with misdrops.
fn tapped(player: &str, taps: &str, (level, seed, stop): (u8, u64, Stop)) -> (PlayedGame, Vec<Seen>) {
    let limits = Limits::new(taps.parse().expect("taps"));
    let player = find(player).expect("a player").with_limits(limits).expect("within these limits");
    let mut mind = player.make(Foresight::DEFAULT, stop);
    let hand = Hand::new(MisdropRate::new(0.02).expect("a rate"), 1);
    filmed(&mut mind, hand, (level, seed, stop))
}

/// A game of this player with this hand.
fn filmed(mind: &mut Mind, hand: Hand, (level, seed, stop): (u8, u64, Stop)) -> (PlayedGame, Vec<Seen>) {
    shown(mind, hand, (level, seed, stop), Region::Ntsc)
}

/// The same by the version of this region. The times of the frames are those of an NTSC recording.
fn shown(
    mind: &mut Mind,
    hand: Hand,
    (level, seed, stop): (u8, u64, Stop),
    region: Region,
) -> (PlayedGame, Vec<Seen>) {
    let seed = Seed::new(seed);
    let mut start = seed.start_by(region.into(), level.min(19));
    (start.start_level, start.progress.level) = (level, level);
    let mut host = Model::new(start);
    let (mut screen, mut frames, mut buttons) = (Screen::default(), Vec::new(), Vec::new());
    frames.push(screen.shows(&start, 0));
    let session = Session::new(&host, mind, seed.opening(), stop).with_hand(hand);
    let watch = &mut |host: &Model, _: &_, held| {
        buttons.push(held);
        frames.push(screen.shows(host.game(), buttons.len() as u64));
        true
    };
    session.play(&mut host, watch).expect("a game");
    let (timeline, _) = Timeline::film(start, &buttons);
    (of_timeline(&timeline, region), frames)
}

/// What is on the screen: RAM loses full rows before they are wiped.
#[derive(Default)]
struct Screen {
    locked: Vec<u8>,
    last: Option<PlayState>,
}

impl Screen {
    fn shows(&mut self, game: &Game, frame: u64) -> Seen {
        let mut field: Vec<u8> = (0..200).map(|cell| u8::from(game.page.is_solid(cell))).collect();
        let state = game.play_state;
        if matches!(state, PlayState::Control | PlayState::Lock) {
            for &(dx, dy) in game.id.cells() {
                let (row, column) = (game.y as i8 + dy, game.x as i8 + dx);
                if row >= 0 {
                    field[10 * row as usize + column as usize] = 2;
                }
            }
        }
        if state == PlayState::CheckRows && self.last != Some(state) {
            self.locked.clone_from(&field);
        }
        if matches!(state, PlayState::CheckRows | PlayState::ClearAnimation) {
            field.clone_from(&self.locked);
        }
        if state == PlayState::ClearAnimation {
            let wiped = usize::from(game.row_y.min(5));
            for row in game.completed_rows.iter().filter(|row| **row > 0).map(|row| usize::from(*row)) {
                field[10 * row + 5 - wiped..10 * row + 5 + wiped].fill(0);
            }
        }
        self.last = Some(state);
        let bcd =
            |[low, high]: [u8; 2]| u64::from(high) * 100 + u64::from(low >> 4) * 10 + u64::from(low & 15);
        let piece = |id: PieceId| id.piece().map_or(7, |piece| piece as u64);
        let numbers = [
            ("version", 3),
            ("kind", CLASSIC),
            ("one", 1),
            ("player", 0),
            ("pad", 0),
            ("game", 1),
            ("ms", frame * 1000 * 655_171 / 39_375_000),
            ("score", game.full_score.value()),
            ("lines", game.progress.lines().into()),
            ("level", game.progress.level.into()),
            ("das", 31),
            ("next", piece(game.next)),
            ("das at spawn", 31),
            ("current", piece(game.id)),
        ];
        let counts = PIECES.into_iter().zip(game.piece_counts.map(bcd));
        Seen { numbers: numbers.into_iter().chain(counts).collect(), field }
    }
}

fn read(frames: &[Seen], version: u64, kind: u64) -> Vec<PlayedGame> {
    let bytes: Vec<u8> = frames.iter().flat_map(|frame| put_together(frame, version, kind)).collect();
    of_frames(champs::Frames::new(&*bytes), None).expect("frames")
}

/// How many placements are read exactly, in the right order; one that is missing or invented counts once.
fn right(truth: &[PlacedPiece], games: &[PlayedGame]) -> usize {
    let [game] = games else { return 0 };
    let told = |placed: &PlacedPiece| (placed.board, placed.piece, placed.placement, placed.progress);
    let read: Vec<_> = game.pieces.iter().map(told).collect();
    // The longest common subsequence.
    let mut best = vec![0usize; read.len() + 1];
    for one in truth {
        let mut corner = 0;
        for (at, other) in read.iter().enumerate() {
            let above = best[at + 1];
            best[at + 1] = if told(one) == *other { corner + 1 } else { above.max(best[at]) };
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

/// Each number of each frame is unknown in so many of a hundred cases.
fn unknown(frames: &[Seen], dice: &mut Dice, share: u32) -> Vec<Seen> {
    each(frames, |frame| {
        for (name, value) in &mut frame.numbers {
            let is_shown =
                PIECES.contains(name) || ["score", "lines", "level", "next", "current"].contains(name);
            if is_shown && dice.roll(100) < share {
                *value = u64::MAX;
            }
        }
    })
}

fn next_misread(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        if dice.roll(100) < 10 {
            frame.numbers.insert("next", dice.below(7) as u64);
        }
    })
}

fn counts_unknown(frames: &[Seen], _: &mut Dice) -> Vec<Seen> {
    each(frames, |frame| {
        for name in PIECES {
            frame.numbers.insert(name, u64::MAX);
        }
    })
}

/// While rows vanish, the display keeps the last field, until the next piece.
fn stale(frames: &[Seen], _: &mut Dice) -> Vec<Seen> {
    let cells = |frame: &Seen| frame.field.iter().filter(|&&cell| cell > 0).count();
    let pieces = |frame: &Seen| PIECES.map(|name| frame.numbers[name]);
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

/// Everything looks full: for a moment now and then, as when the screen flashes, and once for ten seconds.
fn covered(frames: &[Seen], dice: &mut Dice) -> Vec<Seen> {
    let full = |frame: &Seen| Seen { field: vec![1; 200], ..frame.clone() };
    let (mut left, half) = (0_u32, frames.len() / 2);
    let mut kept: Vec<Seen> = Vec::new();
    for frame in frames {
        left = if left == 0 && !kept.is_empty() && dice.roll(400) == 0 { 8 } else { left.saturating_sub(1) };
        kept.push(if left > 0 { full(frame) } else { frame.clone() });
    }
    let cover = full(&kept[half]);
    kept[half] = frames[half].clone();
    kept[half + 1] = frames[half].clone();
    let behind = kept.split_off(half + 1);
    kept.extend(vec![cover; 600]);
    kept.extend(behind);
    kept
}

fn cells_misread(frames: &[Seen], dice: &mut Dice, share: u32) -> Vec<Seen> {
    each(frames, |frame| {
        if dice.roll(100) < share {
            frame.field[dice.below(200)] ^= 1;
        }
    })
}

const DAMAGES: [Damage; 18] = [
    Damage("whole", |frames, _| frames.to_vec(), 1000),
    Damage("30 frames a second", |frames, _| frames.iter().step_by(2).cloned().collect(), 1000),
    Damage("5 % of the frames missing", |frames, dice| missing(frames, dice, 5), 1000),
    Damage("30 % of the frames missing", |frames, dice| missing(frames, dice, 30), 1000),
    Damage("70 % of the frames missing", |frames, dice| missing(frames, dice, 70), 980),
    Damage("gaps of up to a second", with_gaps, 970),
    Damage("numbers misread", numbers_misread, 990),
    Damage("10 % of the numbers unknown", |frames, dice| unknown(frames, dice, 10), 1000),
    Damage("30 % of the numbers unknown", |frames, dice| unknown(frames, dice, 30), 1000),
    Damage("50 % of the numbers unknown", |frames, dice| unknown(frames, dice, 50), 1000),
    Damage("counts unknown", counts_unknown, 1000),
    Damage("next piece misread", next_misread, 1000),
    Damage("stale fields during clears", stale, 990),
    Damage("paused, with the field hidden", paused, 1000),
    Damage("cells misread", |frames, dice| cells_misread(frames, dice, 10), 1000),
    Damage("many cells misread", |frames, dice| cells_misread(frames, dice, 30), 1000),
    Damage(
        "numbers unknown, cells misread",
        |frames, dice| unknown(&cells_misread(frames, dice, 10), dice, 20),
        990,
    ),
    Damage("covered or flashing", covered, 970),
];

/// What is read of frames of this version and kind, in all these ways of being damaged.
fn are_read((truth, frames): &(Vec<PlacedPiece>, Vec<Seen>), version: u64, kind: u64, less: usize) {
    let mut dice = Dice::new(20_261_128);
    assert!(truth.len() > 90, "{} placements", truth.len());
    let mut lost = Vec::new();
    for Damage(name, damage, at_least) in DAMAGES {
        let mut damaged = damage(frames, &mut dice);
        for frame in &mut damaged {
            frame.numbers.extend([("version", version), ("kind", kind)]);
        }
        let games = read(&damaged, version, kind);
        let right = right(truth, &games);
        println!("{name}: {right} of {} placements", truth.len());
        if right < truth.len() * (at_least - less) / 1000 {
            let unread = games.first().map(|game| &game.unread);
            lost.push(format!("{name}: {right} of {} placements, {unread:?}", truth.len()));
        }
    }
    assert!(lost.is_empty(), "{lost:#?}");
}

#[test]
fn recordings_are_read_to_the_end_whatever_became_of_them() {
    are_read(&recorded(18, 4_100, Stop::Lines(60)), 3, CLASSIC, 0);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn frames_without_counts_are_read_as_well() {
    // With gaps, only the cells tell how many pieces are missing.
    are_read(&recorded(18, 4_101, Stop::Lines(60)), 4, MINIMAL, 10);
}

/// The numbers of these names of these frames, as this says by what they are.
fn numbers(frames: &[Seen], names: &[&str], at: Range<usize>, says: impl Fn(u64) -> u64) -> Vec<Seen> {
    let mut frames = frames.to_vec();
    for frame in &mut frames[at] {
        for (_, value) in frame.numbers.iter_mut().filter(|(name, _)| names.contains(name)) {
            *value = says(*value);
        }
    }
    frames
}

#[test]
fn lines_are_counted_on_where_the_display_hides_them_or_stands_still() {
    let (truth, frames) = recorded(4, 4_107, Stop::Lines(60));
    let (third, all) = (frames.len() / 3, frames.len());
    let hidden = |_| u64::MAX;
    for (begin, end) in [(0, third), (third, 2 * third), (third, all), (2 * third, all)] {
        let at = || begin..end;
        let frozen: Vec<Seen> = ["lines", "level"].iter().fold(frames.clone(), |frames, name| {
            let value = frames[begin].numbers[name];
            numbers(&frames, &[name], at(), |_| value)
        });
        let later = frames[all - 1].numbers["lines"];
        for (name, damaged) in [
            ("lines hidden", numbers(&frames, &["lines"], at(), hidden)),
            ("lines and level hidden", numbers(&frames, &["lines", "level"], at(), hidden)),
            ("lines and level frozen", frozen),
            ("lines of another game", numbers(&frames, &["lines"], at(), |_| later + 40)),
            (
                "ten lines too many",
                numbers(&frames, &["lines"], begin..begin + third / 8, |lines| lines + 10),
            ),
        ] {
            let games = read(&damaged, 3, CLASSIC);
            assert_eq!(right(&truth, &games), truth.len(), "{name} in {begin}..{end} of {all}");
        }
    }
    // Without counts, the cells say how many pieces are missing, of seconds without lines, too.
    let mut lost = Vec::new();
    for piece in (10..truth.len() - 10).step_by(10) {
        let cut = [piece, piece + 3].map(|piece| truth[piece].frame as usize);
        let around = cut[0] - 60..cut[1] + 60;
        let [shown, hidden] =
            [frames.clone(), numbers(&frames, &["lines"], around, hidden)].map(|mut frames| {
                for frame in &mut frames {
                    frame.numbers.extend([("version", 4), ("kind", MINIMAL)]);
                }
                frames.drain(cut[0]..cut[1]);
                right(&truth, &read(&frames, 4, MINIMAL))
            });
        println!("{piece}: {shown}, lines hidden {hidden} of {}", truth.len());
        lost.push(shown.saturating_sub(hidden));
    }
    assert!(lost.iter().all(|&lost| lost <= 1), "{lost:?}");
}

#[test]
fn a_level_that_is_shown_for_long_counts_and_one_that_is_shown_for_a_moment_does_not() {
    let (truth, frames) = recorded(18, 4_108, Stop::Lines(30));
    let begins = |piece: usize| truth[piece].frame as usize;
    let notes = |games: &[PlayedGame]| -> Vec<String> {
        games[0].unread.iter().map(|unread| unread.reason.clone()).collect()
    };
    // The level of the game before, at the beginning, and one misread in between.
    for at in [0..1, 0..3, 0..12, 20..23] {
        let damaged = numbers(&frames, &["level"], begins(at.start)..begins(at.end), |_| 28);
        let games = read(&damaged, 3, CLASSIC);
        assert_eq!(right(&truth, &games), truth.len(), "{at:?}");
        let notes = notes(&games);
        let told = notes.iter().any(|note| note.starts_with("level 28 is shown, where the rules say 18"));
        assert_eq!((notes.len(), told), if at.len() == 12 { (1, true) } else { (0, false) }, "{notes:?}");
    }
    // A lower one, too: levels change only where rows are cleared.
    let games = read(&numbers(&frames, &["level"], 0..begins(5), |_| 8), 3, CLASSIC);
    assert_eq!(right(&truth, &games), truth.len());
    assert_eq!(notes(&games), ["level 8 is shown, where the rules say 18; it counts by the rules"]);
    let misread = [12, 20, 30, 40]
        .into_iter()
        .fold(frames.clone(), |frames, at| numbers(&frames, &["level"], begins(at)..begins(at + 1), |_| 28));
    let games = read(&misread, 3, CLASSIC);
    assert_eq!((right(&truth, &games), notes(&games)), (truth.len(), vec![]));
    // A practice cartridge goes to level 19 after ten lines.
    let from = truth.iter().position(|placed| placed.progress.lines() >= 10).expect("ten lines");
    let mut practice = truth.clone();
    practice[from..].iter_mut().for_each(|placed| placed.progress.level = 19);
    // It pays for that level, too.
    let mut shown = numbers(&frames, &["level"], begins(from)..frames.len(), |_| 19);
    for frame in &mut shown {
        let lines = |placed: &PlacedPiece| u64::from(placed.progress.lines());
        let clears = truth[from..].windows(2).map(|pair| [lines(&pair[0]), lines(&pair[1])]);
        let clears = clears.filter(|[_, after]| *after <= frame.numbers["lines"]);
        let more: u64 = clears.map(|[before, after]| line_points((after - before) as u8, 0)).sum();
        *frame.numbers.get_mut("score").expect("a score") += more;
    }
    let games = read(&shown, 3, CLASSIC);
    assert_eq!(right(&practice, &games), truth.len());
    assert_eq!(notes(&games), ["level 19 is shown, where the rules say 18; it counts as shown"]);
}

/// How many pieces a gap is said to have.
fn pieces_of(gap: &Unread) -> usize {
    let words: Vec<&str> = gap.reason.split([' ', ',', ';']).collect();
    let at = words.iter().position(|word| word.starts_with("piece")).expect("pieces");
    words[at - 1].parse().expect("a number")
}

#[test]
fn a_gap_tells_how_many_pieces_it_has() {
    let (truth, frames) = recorded(18, 4_109, Stop::Lines(30));
    for (kind, begin, end, ends) in [
        (CLASSIC, 10, 14, false),
        (CLASSIC, 10, 41, false),
        (CLASSIC, 20, 60, false),
        (MINIMAL, 10, 41, false),
        (CLASSIC, 10, 41, true),
    ] {
        let cut = [begin, end].map(|piece| truth[piece].frame as usize);
        let mut kept = [&frames[..cut[0]], &frames[cut[1]..]].concat();
        if ends {
            // After the gap there is the curtain only.
            kept.truncate(cut[0] + 120);
            kept[cut[0]..].iter_mut().for_each(|frame| frame.field.fill(1));
        }
        let all = truth.iter().filter(|placed| !ends || placed.frame < cut[1] as u64 + 120).count();
        let version = if kind == MINIMAL { 4 } else { 3 };
        for frame in &mut kept {
            frame.numbers.extend([("version", version), ("kind", kind)]);
        }
        let game = read(&kept, version, kind).remove(0);
        let told: usize = game.unread.iter().map(pieces_of).sum();
        // The last piece of a recording that breaks off is told nowhere.
        let lost = all - game.pieces.len();
        println!("{kind} {begin}..{end}: {} of {all}, told {told}", game.pieces.len());
        assert!(lost.abs_diff(told) <= 1, "{begin}..{end}: {lost} lost, {:?}", game.unread);
        // The piece before a gap that is too long is seen nowhere.
        let invented = game.pieces.iter().any(|placed| placed.frame == truth[begin - 1].frame);
        assert!(!invented || end - begin < 20, "{begin}..{end}: {:?}", game.unread);
    }
}

/// The buttons were pressed by a tap table that the measure does not know. At 30 frames a second every second frame is missing.
#[test]
fn how_fast_somebody_taps_is_seen_in_runs_and_in_recordings_of_60_and_30_frames_a_second() {
    for (seed, taps) in (4_200..).zip(["30hz", "20hz", "15hz", "12hz", "10hz", "das"]) {
        let presses = taps.parse().expect("taps");
        let (run, frames) = tapped("maxout-2ply", taps, (18, seed, Stop::Lines(40)));
        let half: Vec<Seen> = frames.iter().step_by(2).cloned().collect();
        for (source, game) in [
            ("the run", run),
            ("60 a second", read(&frames, 3, CLASSIC).remove(0)),
            ("30", read(&half, 3, CLASSIC).remove(0)),
        ] {
            let speed = TapSpeed::of(&game.path, game.region()).expect(taps);
            assert_eq!(speed.presses(), presses, "{taps}, {source}: {speed}");
            // The simulated hand presses at once. Pictures that are two frames apart show where a piece is a frame late or in time.
            let late = (speed.first_shift - 1.0).abs();
            assert!(
                speed.bursts >= 20 && late <= if source == "30" { 1.0 } else { 0.1 },
                "{taps}, {source}: {speed}"
            );
        }
    }
}

#[test]
fn a_game_that_is_written_again_has_the_taps_that_were_measured() {
    let (_, frames) = tapped("maxout-2ply", "12hz", (18, 4_203, Stop::Lines(40)));
    let whole = read(&frames, 3, CLASSIC).remove(0);
    let mut game = whole.clone();
    // Where a piece was not seen right before, it may have been for longer.
    game.path.iter_mut().skip(3).step_by(7).for_each(|seen| seen.is_exact = false);
    let written = to_frames(&game, 1).into_iter().map(Ok::<_, Infallible>);
    let again = of_frames(written, None).expect("frames").remove(0);
    let taps = |game: &PlayedGame| TapSpeed::of(&game.path, game.region()).expect("taps");
    assert_eq!(taps(&again), taps(&game));
    assert_ne!(taps(&game), taps(&whole));
}

/// On PAL a button may be pressed every fourth frame of 50 at 12 Hz, every fifth at 10 Hz, and every second at most.
#[test]
fn taps_of_a_pal_game_are_measured_in_pal_frames() {
    for (seed, taps, hertz) in [(4_300, "30hz", 25.0), (4_301, "12hz", 12.5), (4_302, "10hz", 10.0)] {
        let run = on_pal(taps, (15, seed, Stop::Lines(30)));
        let speed = TapSpeed::of(&run.path, run.region()).expect(taps);
        assert!((speed.hertz - hertz).abs() < 0.15 && !speed.das, "{taps}: {speed}");
        let every = (50.0 / hertz) as u8;
        let frames = [0, every, 2 * every, 3 * every];
        assert_eq!(speed.presses(), Presses::Table(TapTable::new(&frames).expect("a table")), "{taps}");
    }
    let held = on_pal("das", (15, 4_303, Stop::Lines(30)));
    assert!(TapSpeed::of(&held.path, held.region()).expect("das").das);
}

/// On PAL a piece falls a row a frame from level 19 on. One that rests in row y has fallen for y frames, so with a press every fifth
/// frame it shifts y / 5 + 1 times at most; the NTSC game leaves it twice the frames.
#[test]
fn a_pal_game_is_judged_by_the_gravity_of_pal() {
    let pal = on_pal("10hz", (19, 4_304, Stop::Lines(8)));
    assert!(pal.pieces.len() > 10 && pal.region() == Region::Pal);
    let mut ntsc = pal.clone();
    ntsc.pieces.iter_mut().for_each(|placed| placed.region = Region::Ntsc);
    let limits = Limits::taps(TapTable::HZ_10).in_region(Region::Pal);
    let player = find("maxout-2ply").expect("a player").with_limits(limits).expect("within these limits");
    let analyst = player.analyst(Foresight::DEFAULT).expect("an analyst");
    let too_far = |game: &PlayedGame| {
        let judged = judge(game, &analyst, ReviewDetail::Losses, 2);
        assert_eq!(judged.len(), game.pieces.len());
        let all = judged.iter().flat_map(|judged| judged.judgement.possible.iter());
        all.filter(|verdict| verdict.placement.x.abs_diff(5) > verdict.placement.y / 5 + 1).count()
    };
    assert_eq!(too_far(&pal), 0);
    assert!(too_far(&ntsc) > 0);
}

/// A game that `maxout-2ply` plays on the PAL version with these taps.
fn on_pal(taps: &str, of: (u8, u64, Stop)) -> PlayedGame {
    let limits = Limits::new(taps.parse().expect("taps")).in_region(Region::Pal);
    let player = find("maxout-2ply").expect("a player").with_limits(limits).expect("within these limits");
    shown(&mut player.make(Foresight::DEFAULT, of.2), Hand::sure(), of, Region::Pal).0
}

/// A player that forgets one press of every twelfth piece, and goes on as it had planned.
struct Forgetful {
    player: Box<dyn Player>,
    buttons: Vec<Buttons>,
    /// Where each piece was meant to go, and whether a press was forgotten.
    meant: Arc<Mutex<Vec<(Placement, bool)>>>,
}

impl Player for Forgetful {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        let mut meant = self.meant.lock().expect("no panic");
        if seen.start.elapsed == 0 {
            let mut plan = self.player.plan(seen)?;
            let begins = |at: &usize| {
                let before = if *at == 0 { Buttons::NONE } else { plan.buttons[at - 1] };
                !(plan.buttons[*at] & !before & !Buttons::DOWN).is_empty()
            };
            let presses: Vec<usize> = (0..plan.buttons.len()).filter(begins).collect();
            let forgotten = (meant.len() % 12 == 11 && !presses.is_empty())
                .then(|| presses[meant.len() / 12 % presses.len()]);
            if let Some(at) = forgotten {
                plan.buttons[at] = Buttons::NONE;
            }
            meant.push((plan.placement, forgotten.is_some()));
            self.buttons.clone_from(&plan.buttons);
            return Some(plan);
        }
        // The piece is elsewhere than planned.
        let buttons = self.buttons.get(seen.start.elapsed as usize..).unwrap_or_default().to_vec();
        let (placement, _) = *meant.last()?;
        Some(Plan { placement, poses: vec![placement; buttons.len()], buttons, review: None })
    }
}

#[test]
fn whoever_forgets_a_press_is_told_where_the_piece_was_meant_to_go_in_runs_and_in_recordings() {
    let stop = Stop::Lines(50);
    let limits = Limits::new("12hz".parse().expect("taps"));
    let within = |name| find(name).ok().and_then(|player| player.with_limits(limits)).expect("a player");
    let analyst = within("maxout-fast").analyst(Foresight::DEFAULT).expect("an analyst");
    // Of each source: mistakes and blunders by a forgotten press, those told rightly, and what else is told.
    let mut counts = [("the run", [0; 3]), ("60 a second", [0; 3]), ("30", [0; 3])];
    // Pieces, those that lie elsewhere than planned, and those that are said to.
    let (mut pieces, mut misdropped, mut told) = (0, 0_u32, [[0.0; 2]; 3]);
    for seed in 4_300..4_302 {
        let Mind::Fair(player) = within("maxout-2ply").make(Foresight::DEFAULT, stop) else {
            panic!("it is fair")
        };
        let meant = Arc::default();
        let forgetful = Forgetful { player, buttons: Vec::new(), meant: Arc::clone(&meant) };
        let (run, frames) = filmed(&mut Mind::Fair(Box::new(forgetful)), Hand::sure(), (18, seed, stop));
        let half: Vec<Seen> = frames.iter().step_by(2).cloned().collect();
        let games = [run, read(&frames, 3, CLASSIC).remove(0), read(&half, 3, CLASSIC).remove(0)];
        let meant = meant.lock().expect("no panic");
        pieces += games[0].pieces.len();
        for (placed, &(meant, _)) in games[0].pieces.iter().zip(meant.iter()) {
            misdropped += u32::from(placed.placement != meant);
        }
        for ((game, (_, [forgotten, right, wrong])), told) in games.iter().zip(&mut counts).zip(&mut told) {
            let judged = judge(game, &analyst, ReviewDetail::Losses, 2);
            let [rate, error] = misdrop_rate(game, &judged).map(|share| share * judged.len() as f64);
            *told = [told[0] + rate, told[1].hypot(error)];
            for (judged, &(meant, is_forgotten)) in judged.iter().zip(meant.iter()) {
                let is_bad = matches!(judged.judgement.class, MoveClass::Mistake | MoveClass::Blunder);
                let is_misdrop = is_forgotten && judged.placed.placement != meant;
                *forgotten += usize::from(is_misdrop && is_bad);
                *right += usize::from(is_misdrop && judged.misdrop == Some(meant));
                *wrong += usize::from(judged.misdrop.is_some_and(|said| !is_misdrop || said != meant));
            }
        }
    }
    println!("{counts:?}");
    for (source, [forgotten, right, wrong]) in counts {
        assert!(forgotten >= 8 && 4 * right >= 3 * forgotten, "{source}: {right} of {forgotten}");
        assert!(10 * wrong <= forgotten, "{source}: {wrong} wrong beside {forgotten}");
    }
    println!("{misdropped} of {pieces} pieces misdropped, told {told:?}");
    for [told, error] in told {
        let off = (told - f64::from(misdropped)).abs();
        assert!(off <= f64::from(misdropped) / 3.0 + error, "told {told} ± {error} of {misdropped}");
        assert!(error <= f64::from(misdropped) / 2.0, "± {error} of {misdropped}");
    }
}

#[test]
fn fast_pieces_are_read_as_well() {
    let game = recorded(29, 4_102, Stop::Lines(40));
    are_read(&game, 3, CLASSIC, 20);
    are_read(&game, 4, MINIMAL, 30);
}

/// A recording in tests/data.
fn kept(name: &str) -> PathBuf {
    PathBuf::from("tests/data/recordings").join(name)
}

#[test]
fn from_level_29_on_the_counts_of_pieces_say_when_a_piece_is_new() {
    let placements = |name: &str| {
        let bytes = fs::read(kept(name)).expect("a recording");
        let mut games = of_frames(champs::Frames::new(&*bytes), None).expect("frames");
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
fn recordings_that_were_put_together_are_games_of_their_own() {
    // Every recorder begins with game 1.
    let parts = [recorded(18, 4_105, Stop::Lines(8)), recorded(19, 4_106, Stop::Lines(8))];
    let bytes: Vec<u8> =
        parts.iter().flat_map(|(_, seen)| seen).flat_map(|frame| put_together(frame, 3, CLASSIC)).collect();
    let games = of_frames(champs::Frames::new(&*bytes), None).expect("frames");
    assert_eq!(games.len(), 2);
    let folder = TempDir::new().expect("a folder");
    let (file, out) = (folder.path().join("both.ngf"), folder.path().join("shown.json"));
    fs::write(&file, bytes).expect("written");
    maxout().arg("replay").arg(&file).arg("--json").arg(&out).assert().success();
    let shown: Value = serde_json::from_slice(&fs::read(&out).expect("written")).expect("JSON");
    for (at, (truth, seen)) in parts.iter().enumerate() {
        assert_eq!(right(truth, &games[at..=at]), truth.len(), "game {at}");
        let (last, shown) = (&seen[seen.len() - 1].numbers, &shown["games"][at]);
        let first = truth[0].progress.level;
        assert_eq!(
            ["frames", "score", "lines", "level", "start_level"].map(|key| shown[key].as_u64()),
            [seen.len() as u64, last["score"], last["lines"], last["level"], first.into()].map(Some)
        );
    }
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

/// The frames as a display sends them that shows no counts and no piece in play.
fn minimal(frames: &[Seen]) -> Vec<Seen> {
    each(frames, |frame| frame.numbers.extend([("version", 4), ("kind", MINIMAL)]))
}

/// What `replay` says of a recording.
fn replayed(frames: &[Seen], version: u64, kind: u64) -> Value {
    let bytes: Vec<u8> = frames.iter().flat_map(|frame| put_together(frame, version, kind)).collect();
    let folder = TempDir::new().expect("a folder");
    let (file, out) = (folder.path().join("one.ngf"), folder.path().join("shown.json"));
    fs::write(&file, bytes).expect("written");
    maxout().arg("replay").arg(&file).arg("--json").arg(&out).assert().success();
    serde_json::from_slice(&fs::read(&out).expect("written")).expect("JSON")
}

#[test]
fn replay_counts_the_placements_that_a_review_reads_where_frames_are_missing_and_nothing_counts_them() {
    let (truth, frames) = recorded(28, 4_143, Stop::Lines(10));
    let frames = minimal(&missing(&frames, &mut Dice::new(20_261_131), 30));
    assert_eq!(replayed(&frames, 4, MINIMAL)["games"][0]["pieces"], truth.len());
}

/// Frames until the curtain: the piece that has no room is shown for a second, then the field is filled from the top.
fn to_the_curtain(mut frames: Vec<Seen>) -> Vec<Seen> {
    let last = frames.last().expect("a frame").clone();
    frames.extend(vec![last.clone(); 60]);
    for row in 0..20 {
        let mut filled = last.clone();
        filled.field[..10 * (row + 1)].fill(1);
        frames.extend(vec![filled; 4]);
    }
    for (frame, number) in frames.iter_mut().zip(0..) {
        frame.numbers.insert("ms", 17 * number);
    }
    frames
}

#[test]
fn a_display_that_still_shows_the_game_before_begins_no_game_and_its_level_is_not_the_first() {
    let (truth, frames) = recorded(18, 4_142, Stop::Lines(8));
    for (stale, names) in [(3, &["score", "lines", "level"][..]), (100, &["level"])] {
        let late = numbers(&frames, names, 0..stale, |now| now + 11);
        let shown = replayed(&late, 3, CLASSIC);
        assert_eq!(shown["games"].as_array().map(Vec::len), Some(1), "{stale} frames");
        assert_eq!(shown["games"][0]["start_level"], 18, "{stale} frames");
        // Behind another game of the same number.
        let games = read(&[to_the_curtain(frames.clone()), late].concat(), 3, CLASSIC);
        assert_eq!(games.len(), 2, "{stale} frames");
        for game in games {
            assert_eq!(right(&truth, &[game]), truth.len(), "{stale} frames");
        }
    }
}

#[test]
fn the_piece_that_has_no_room_is_no_placement_and_the_last_one_has_the_next_piece_that_was_shown() {
    for seed in 4_130..4_132 {
        let (truth, frames) = recorded(29, seed, Stop::TopOut);
        let told = |pieces: &[PlacedPiece]| -> Vec<_> {
            pieces.iter().map(|placed| (placed.board, placed.next, placed.placement)).collect()
        };
        let frames = to_the_curtain(frames);
        let unknown = numbers(&frames, &[&PIECES[..], &["current"]].concat(), 0..frames.len(), |_| u64::MAX);
        for games in [read(&unknown, 3, CLASSIC), read(&minimal(&frames), 4, MINIMAL)] {
            assert_eq!(told(&games[0].pieces), told(&truth), "seed {seed}");
        }
    }
}

#[test]
fn a_menu_before_the_first_piece_hides_no_placement() {
    let (truth, frames) = recorded(18, 4_144, Stop::Lines(8));
    let mut dice = Dice::new(20_261_132);
    let mut noise = |frame: &mut Seen| frame.field.fill_with(|| dice.below(4) as u8);
    for (version, kind, frames) in [(3, CLASSIC, frames.clone()), (4, MINIMAL, minimal(&frames))] {
        let menu = each(&vec![frames[0].clone(); 200], &mut noise);
        let menu = numbers(
            &menu,
            &[&PIECES[..], &["score", "lines", "level", "next", "current"]].concat(),
            0..200,
            |_| u64::MAX,
        );
        let games = read(&[menu, frames].concat(), version, kind);
        assert_eq!((right(&truth, &games), &games[0].unread), (truth.len(), &vec![]), "version {version}");
        assert_eq!(games[0].pieces[0].frame, truth[0].frame + 200);
    }
}

#[test]
fn a_field_that_is_full_at_the_beginning_or_covered_for_long_hides_what_falls_there_only_and_that_is_told() {
    let (truth, frames) = recorded(18, 4_145, Stop::Lines(20));
    let full = |at: Range<usize>| {
        let mut frames = frames.clone();
        frames[at].iter_mut().for_each(|frame| frame.field.fill(1));
        [read(&frames, 3, CLASSIC), read(&minimal(&frames), 4, MINIMAL)]
    };
    for games in full(0..60) {
        assert_eq!((right(&truth, &games), &games[0].unread), (truth.len(), &vec![]));
    }
    for pieces in [8, 20] {
        let [begin, end] = [10, 10 + pieces].map(|piece| truth[piece].frame as usize + 12);
        let [_, games] = full(begin..end);
        let lost = truth.len() - right(&truth, &games);
        let told = games[0].unread.iter().map(pieces_of).collect::<Vec<_>>();
        // Where it begins again, the field may not show yet which cells stay.
        assert!(
            told.iter().sum::<usize>() == lost && told[0] == pieces && told.len() <= 2,
            "{lost}: {told:?}"
        );
    }
}

#[test]
fn levels_from_30_on_that_are_read_from_their_glyphs_follow_from_the_lines_or_from_the_points() {
    // Level 33 is shown as 1E: 24 digit by digit, 30 in hex.
    let (truth, frames) = recorded(33, 4_146, Stop::Lines(9));
    for glyph in [24, 30, u64::MAX] {
        let shown = numbers(&frames, &["level"], 0..frames.len(), |_| glyph);
        assert_eq!(right(&truth, &read(&shown, 3, CLASSIC)), truth.len(), "by the points, {glyph}");
    }
    let late = numbers(&frames, &["lines"], 0..frames.len(), |lines| lines + 270);
    let capped = numbers(&late, &["score"], 0..frames.len(), |_| 999_999);
    let shown = numbers(&capped, &["level"], 0..frames.len(), |_| 24);
    let mut truth = truth;
    for placed in &mut truth {
        placed.progress = Progress::at(placed.progress.lines() + 270, 33);
    }
    assert_eq!(right(&truth, &read(&shown, 3, CLASSIC)), truth.len(), "by the lines");
    assert_eq!(replayed(&shown, 3, CLASSIC)["games"][0]["start_level"], 33);
}
