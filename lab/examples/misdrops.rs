//! Does a review find how a game was pressed: how fast, after which delay, and the misdrops, and only those? Plays games with a hand that
//! misses, and compares what the review says of the run, and of its recordings of 60 and 30 frames a second, with what the player planned.
//!
//! `cargo run --release -p maxout-lab --example misdrops -- plateau17 12hz 0.03 8 10 8200000` plays 10 games of `plateau17` at 12 Hz, in
//! which three presses in a hundred go wrong and nothing is pressed in the first 8 frames of a piece, from level 18 to 80 lines, from seed
//! 8200000 on. The player goes on pressing as planned after a miss; with `again` as the last word it decides again, as in `play --misdrop`.

use std::io;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use maxout_engine::Position;
use maxout_engine::analysis::MoveClass;
use maxout_engine::limits::{Limits, Presses};
use maxout_engine::movegen::Start;
use maxout_engine::player::{Entry, Mind, Plan, Player};
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::Model;
use maxout_host::hand::{Hand, MisdropRate};
use maxout_host::review::{
    JudgedPiece, PlayedGame, ReviewDetail, TapSpeed, judge, meant, misdrop_rate, of_frames, of_timeline,
};
use maxout_host::session::Session;
use maxout_lab::research::mean::mean;
use maxout_lab::research::usage;
use maxout_record::champs::{ChampsFrame, Frames, Version};
use maxout_record::timeline::Timeline;
use maxout_rules::input::Buttons;
use maxout_rules::{Game, Placement, PlayState, Region, Seed, Stop};

const LEVEL: u8 = 18;
const STOP: Stop = Stop::Lines(80);
/// Who judges.
const JUDGE: &str = "maxout-fast";
/// What is read.
const SOURCES: [&str; 3] = ["the run", "60 a second", "30 a second"];

/// Where each piece was meant to go, and whether the hand missed.
type Meant = Arc<Mutex<Vec<(Placement, bool)>>>;

/// A player whose plans are noted.
struct Noted {
    player: Box<dyn Player>,
    meant: Meant,
    /// Frames of a piece in which nothing is pressed.
    delay: u32,
    /// The buttons of the plan that is followed in spite of misses, and none if the player decides again.
    followed: Option<Vec<Buttons>>,
}

impl Player for Noted {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        let mut meant = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        let elapsed = seen.start.elapsed;
        if elapsed == 0 {
            let Start { x, y, orientation, .. } = seen.start;
            meant.push((Placement { x, y, orientation }, false));
        }
        let last = meant.last_mut()?;
        if elapsed < self.delay {
            let idle = Plan::idle(seen)?;
            last.0 = idle.placement;
            return Some(Plan { review: Some((self.delay - elapsed) as usize), ..idle });
        }
        if elapsed == self.delay {
            let plan = self.player.plan(seen)?;
            last.0 = plan.placement;
            if let Some(followed) = &mut self.followed {
                followed.clone_from(&plan.buttons);
            }
            return Some(plan);
        }
        last.1 = true;
        let Some(followed) = &self.followed else { return self.player.plan(seen) };
        let buttons = followed.get((elapsed - self.delay) as usize..).unwrap_or_default().to_vec();
        // Where the piece will be is not known, so the pilot asks again after each frame.
        let poses = vec![last.0; buttons.len()];
        Some(Plan { placement: last.0, buttons, poses, review: None })
    }

    fn hold_before_spawn(&mut self, position: &Position) -> Buttons {
        if self.delay > 0 { Buttons::NONE } else { self.player.hold_before_spawn(position) }
    }
}

/// What is on the screen: RAM loses full rows before they are wiped.
struct Screen {
    locked: [u8; 200],
    last: Option<PlayState>,
}

impl Screen {
    fn shows(&mut self, game: &Game, frame: u64) -> ChampsFrame {
        let mut field: [u8; 200] = std::array::from_fn(|cell| u8::from(game.page.is_solid(cell as u8)));
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
            self.locked = field;
        }
        if matches!(state, PlayState::CheckRows | PlayState::ClearAnimation) {
            field = self.locked;
        }
        if state == PlayState::ClearAnimation {
            let wiped = usize::from(game.row_y.min(5));
            for row in game.completed_rows.iter().filter(|row| **row > 0).map(|row| usize::from(*row)) {
                field[10 * row + 5 - wiped..10 * row + 5 + wiped].fill(0);
            }
        }
        self.last = Some(state);
        let decimal =
            |[low, high]: [u8; 2]| u32::from(high) * 100 + u32::from(low >> 4) * 10 + u32::from(low & 15);
        ChampsFrame {
            game: 1,
            time_ms: frame * 1000 * 655_171 / 39_375_000,
            score: None,
            lines: Some(game.progress.lines()),
            level: Some(game.progress.level.into()),
            das: None,
            next: game.next.piece().map(|piece| piece as u32),
            das_at_spawn: None,
            current: game.id.piece().map(|piece| piece as u32),
            counts: game.piece_counts.map(|count| Some(decimal(count))),
            field,
        }
    }
}

/// Plays a game. Returns it as it was played, as it is read from its recordings, and half of all first shifts come after how many frames.
fn play(mind: &mut Mind, seed: u64, rate: MisdropRate) -> ([PlayedGame; 3], f64) {
    let of_seed = Seed::new(seed);
    let start = of_seed.start(LEVEL);
    let mut host = Model::new(start);
    let mut screen = Screen { locked: [0; 200], last: None };
    let (mut buttons, mut frames) = (Vec::new(), vec![screen.shows(&start, 0)]);
    let session = Session::new(&host, mind, of_seed.opening(), STOP).with_hand(Hand::new(rate, seed));
    let watch = &mut |host: &Model, _: &_, held| {
        buttons.push(held);
        frames.push(screen.shows(host.game(), buttons.len() as u64));
        true
    };
    session.play(&mut host, watch).expect("a game");
    let (timeline, _) = Timeline::film(start, &buttons);
    let mut first: Vec<f64> = Vec::new();
    for lock in &timeline.locks {
        let mut moves = timeline.moves.iter().filter(|at| (lock.spawned..=lock.locked).contains(&at.frame));
        let x = moves.next().map(|at| at.placement.x);
        first.extend(moves.find(|at| Some(at.placement.x) != x).map(|at| (at.frame - lock.spawned) as f64));
    }
    first.sort_by(f64::total_cmp);
    let read = |every: usize| {
        let bytes: Vec<u8> =
            frames.iter().step_by(every).flat_map(|frame| frame.encode(Version::V3)).collect();
        let mut games = of_frames(Frames::new(&*bytes), None).expect("frames");
        if games.is_empty() { PlayedGame::default() } else { games.swap_remove(0) }
    };
    let games = [of_timeline(&timeline, Region::Ntsc), read(1), read(2)];
    (games, first.get(first.len() / 2).copied().unwrap_or_default())
}

/// What a review says of one source of all games.
#[derive(Default)]
struct Counts {
    pieces: usize,
    /// Placements that are not read as they were.
    misread: usize,
    /// Pieces that do not lie where they were meant to.
    misdrops: usize,
    /// Of these, mistakes and blunders that were meant for a good place: those that can be found.
    bad: usize,
    found: usize,
    right: usize,
    /// Mistakes and blunders that lie where they were meant to, and those said to be misdrops.
    wanted: usize,
    alarms: usize,
    /// By games: shifts a second, their stated error, the first shift.
    speeds: [Vec<f64>; 3],
    /// What is said of all of each game: the share of the pieces that was misdropped, in percent.
    rates: Vec<f64>,
    /// Games in which the taps are those of the player, and in which directions are said to be held.
    same: usize,
    held: usize,
    /// Games with too few bursts.
    too_few: usize,
}

fn run(words: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected(
            "PLAYER TAPS RATE DELAY GAMES FIRST_SEED [again], such as plateau17 12hz 0.03 8 10 8200000",
        )
    };
    let number = |at: usize| words.get(at).and_then(|word| word.parse::<u64>().ok()).ok_or_else(usage);
    let (delay, games, first_seed) = (number(3)? as u32, number(4)?, number(5)?);
    let rate =
        words.get(2).and_then(|word| word.parse().ok()).and_then(MisdropRate::new).ok_or_else(usage)?;
    let presses: Presses = words[1].parse().map_err(|_| usage())?;
    let limits = Limits::new(presses);
    let within = |name| find(name).ok().and_then(|player: &Entry| player.with_limits(limits));
    let player = within(words[0]).ok_or_else(usage)?;
    let analyst = within(JUDGE).and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
    let again = words.get(6) == Some(&"again");
    let (mut counts, mut first_shifts): ([Counts; 3], _) = (Default::default(), Vec::new());
    for seed in first_seed..first_seed + games {
        let Mind::Fair(inner) = player.make(Foresight::DEFAULT, STOP) else {
            return Err(usage());
        };
        let noted = Meant::default();
        let followed = (!again).then(Vec::new);
        let noting = Noted { player: inner, meant: Arc::clone(&noted), delay, followed };
        let (sources, first_shift) = play(&mut Mind::Fair(Box::new(noting)), seed, rate);
        first_shifts.push(first_shift);
        let noted = noted.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = judge(&sources[0], &analyst, ReviewDetail::Losses, 1);
        for (counts, source) in counts.iter_mut().zip(&sources) {
            // The same judgements of what was read.
            let read: Vec<JudgedPiece> = judged
                .iter()
                .zip(&source.pieces)
                .map(|(judged, placed)| JudgedPiece { placed: *placed, ..judged.clone() })
                .collect();
            counts.rates.push(100.0 * misdrop_rate(source, &read)[0]);
            match TapSpeed::of(&source.path, Region::Ntsc) {
                Ok(speed) => {
                    let all = [speed.hertz, speed.hertz_se, speed.first_shift];
                    counts.speeds.iter_mut().zip(all).for_each(|(list, one)| list.push(one));
                    counts.same += usize::from(speed.presses() == presses);
                    counts.held += usize::from(speed.das);
                }
                Err(_) => counts.too_few += 1,
            }
            for (number, (judged, &(planned, missed))) in judged.iter().zip(noted.iter()).enumerate() {
                let (placed, judgement) = (&judged.placed, &judged.judgement);
                counts.pieces += 1;
                let as_read = source.pieces.get(number);
                counts.misread += usize::from(
                    as_read
                        .is_none_or(|read| (read.board, read.placement) != (placed.board, placed.placement)),
                );
                let said = as_read.and_then(|read| meant(read, source.way(read), judgement));
                let misdropped = missed && placed.placement != planned;
                counts.misdrops += usize::from(misdropped);
                if !matches!(judgement.class, MoveClass::Mistake | MoveClass::Blunder) {
                    continue;
                }
                let good = judgement.possible.iter().find(|verdict| verdict.placement == planned);
                let is_good = good.is_some_and(|verdict| {
                    MoveClass::of(verdict.loss, placed.progress.level) <= MoveClass::Excellent
                });
                if misdropped && is_good {
                    counts.bad += 1;
                    counts.found += usize::from(said.is_some());
                    counts.right += usize::from(said == Some(planned));
                } else {
                    counts.wanted += 1;
                    counts.alarms += usize::from(said.is_some());
                }
            }
        }
    }
    for (source, counts) in SOURCES.into_iter().zip(counts) {
        let Counts { pieces, misread, misdrops, bad, found, right, wanted, alarms, speeds, rates, .. } =
            counts;
        let ((hertz, error), (stated, _), (told_first, _)) =
            (mean(&speeds[0]), mean(&speeds[1]), mean(&speeds[2]));
        let (told, told_error) = mean(&rates);
        println!(
            "{} {} {rate} delay {delay}{}, {source}: {pieces} pieces, {misread} misread; {hertz:.2} ± {error:.2} shifts a second (stated ± \
             {stated:.2}), {} of {games} games by these taps, {} held, {} too few; first shift {:.1}, told {told_first:.1}; {misdrops} misdrops; \
             {bad} mistakes and blunders by misdrops, {found} found, {right} with the right place; {wanted} others, {alarms} said to be misdrops, {told:.2} ± {told_error:.2} % of all pieces ({:.2} % are)",
            words[0],
            words[1],
            if again { " again" } else { "" },
            counts.same,
            counts.held,
            counts.too_few,
            mean(&first_shifts).0,
            100.0 * misdrops as f64 / pieces as f64,
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
