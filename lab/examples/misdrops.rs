//! Does a review find the misdrops of a game, and only those? Plays games with a hand that misses, and compares what the review says with
//! what the player planned when each piece appeared.
//!
//! `cargo run --release -p maxout-lab --example misdrops -- plateau17 12hz 0.03 10 8200000` plays 10 games of `plateau17` at 12 Hz, in
//! which three presses in a hundred go wrong, from level 18 to 40 lines, from seed 8200000 on. The player goes on pressing as planned after a
//! miss; with `again` as the last word it decides again, as in `play --misdrop`.

use std::io;
use std::process::ExitCode;
use std::sync::{Arc, Mutex, PoisonError};

use maxout_engine::Position;
use maxout_engine::analysis::MoveClass;
use maxout_engine::limits::{Limits, Presses};
use maxout_engine::player::{Mind, Plan, Player};
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::hand::MisdropRate;
use maxout_host::review::{ReviewDetail, judge};
use maxout_lab::research::games::missed;
use maxout_lab::research::usage;
use maxout_rules::input::Buttons;
use maxout_rules::{Placement, Stop};

const LEVEL: u8 = 18;
const STOP: Stop = Stop::Lines(40);
/// Who judges.
const JUDGE: &str = "maxout-fast";

/// Where each piece was meant to go, and whether the hand missed.
type Meant = Arc<Mutex<Vec<(Placement, bool)>>>;

/// A player whose plans are noted.
struct Noted {
    player: Box<dyn Player>,
    meant: Meant,
    /// The buttons of the plan that is followed in spite of misses, and none if the player decides again.
    followed: Option<Vec<Buttons>>,
}

impl Player for Noted {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        let mut meant = self.meant.lock().unwrap_or_else(PoisonError::into_inner);
        if seen.start.elapsed == 0 {
            let plan = self.player.plan(seen)?;
            meant.push((plan.placement, false));
            if let Some(followed) = &mut self.followed {
                followed.clone_from(&plan.buttons);
            }
            return Some(plan);
        }
        let last = meant.last_mut()?;
        last.1 = true;
        let Some(followed) = &self.followed else { return self.player.plan(seen) };
        let buttons = followed.get(seen.start.elapsed as usize..).unwrap_or_default().to_vec();
        // Where the piece will be is not known, so the pilot asks again after each frame.
        let poses = vec![last.0; buttons.len()];
        Some(Plan { placement: last.0, buttons, poses, review: None })
    }

    fn hold_before_spawn(&mut self, position: &Position) -> Buttons {
        self.player.hold_before_spawn(position)
    }
}

/// What a review says of mistakes and blunders.
#[derive(Default)]
struct Counts {
    pieces: usize,
    /// Pieces that do not lie where they were meant to.
    misdrops: usize,
    /// Of these, mistakes and blunders that were meant for a good place: those that can be found.
    bad: usize,
    found: usize,
    right: usize,
    /// Mistakes and blunders that lie where they were meant to, and those said to be misdrops.
    wanted: usize,
    alarms: usize,
}

fn run(words: &[&str]) -> io::Result<()> {
    let usage = || {
        usage::expected("PLAYER TAPS RATE GAMES FIRST_SEED [again], such as plateau17 12hz 0.03 10 8200000")
    };
    let (Some(_), Some(rate), Some(games), Some(first_seed)) = (
        words.get(1),
        words.get(2).and_then(|word| word.parse::<f64>().ok()).and_then(MisdropRate::new),
        words.get(3).and_then(|word| word.parse::<u64>().ok()),
        words.get(4).and_then(|word| word.parse::<u64>().ok()),
    ) else {
        return Err(usage());
    };
    let Ok(presses) = words[1].parse::<Presses>() else { return Err(usage()) };
    let limits = Limits::new(presses);
    let player = find(words[0]).ok().and_then(|player| player.with_limits(limits));
    let Some(player) = player else { return Err(usage()) };
    let judging = find(JUDGE).ok().and_then(|player| player.with_limits(limits));
    let analyst = judging.and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
    let again = words.get(5) == Some(&"again");
    let mut counts = Counts::default();
    for seed in first_seed..first_seed + games {
        let Mind::Fair(inner) = player.make(Foresight::DEFAULT, STOP) else {
            return Err(usage());
        };
        let meant = Meant::default();
        let followed = (!again).then(Vec::new);
        let mut mind = Mind::Fair(Box::new(Noted { player: inner, meant: Arc::clone(&meant), followed }));
        let game = missed(&mut mind, seed, (LEVEL, STOP), rate);
        let meant = meant.lock().unwrap_or_else(PoisonError::into_inner);
        let judged = judge(&game, &analyst, ReviewDetail::Losses, 2);
        for (judged, &(meant, missed)) in judged.iter().zip(meant.iter()) {
            let (placed, judgement) = (judged.placed, &judged.judgement);
            counts.pieces += 1;
            let misdropped = missed && placed.placement != meant;
            counts.misdrops += usize::from(misdropped);
            if !matches!(judgement.class, MoveClass::Mistake | MoveClass::Blunder) {
                continue;
            }
            let good = judgement.possible.iter().find(|verdict| verdict.placement == meant);
            let is_good = good.is_some_and(|verdict| {
                MoveClass::of(verdict.loss, placed.progress.level) <= MoveClass::Excellent
            });
            let said = judged.misdrop;
            if misdropped && is_good {
                counts.bad += 1;
                counts.found += usize::from(said.is_some());
                counts.right += usize::from(said == Some(meant));
            } else {
                counts.wanted += 1;
                counts.alarms += usize::from(said.is_some());
            }
        }
    }
    let Counts { pieces, misdrops, bad, found, right, wanted, alarms } = counts;
    println!(
        "{} {} {}{}: {pieces} pieces, {misdrops} misdrops; {bad} mistakes and blunders by misdrops, {found} found, {right} with the right place; \
         {wanted} other mistakes and blunders, {alarms} said to be misdrops",
        words[0],
        words[1],
        rate,
        if again { " again" } else { "" },
    );
    Ok(())
}

fn main() -> ExitCode {
    usage::run(run)
}
