//! Decisions with a reaction delay: nothing that is pressed before the next piece is known depends on it, and the choice
//! is that of plain recursion over what can still be reached.

use std::collections::BTreeSet;

use crate::grids::{Dice, gapped};
use maxout_engine::Position;
use maxout_engine::eval::ntuple::odds;
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, Presses, Reaction, Sight, TapTable};
use maxout_engine::movegen::{Reach, Start, Then};
use maxout_engine::player::{Entry, Mind, Plan, find};
use maxout_engine::search::{Expectimax, Foresight, Widths};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress, Stop};

const TABLES: [&str; 8] = ["30hz", "24hz", "0,2,5", "20hz", "15hz", "12hz", "10hz", "slow5"];
const REACTIONS: [Reaction; 5] = [
    Reaction::Frames(18),
    Reaction::Frames(21),
    Reaction::Frames(24),
    Reaction::Frames(30),
    Reaction::NextPiece,
];

fn seen(dice: &mut Dice) -> Position {
    let height = dice.below(12);
    let level = [18, 19, 29, 39][dice.below(4)];
    Position {
        board: gapped(dice, height),
        start: Start::spawn(Piece::ALL[dice.below(7)], level).by(FallRule::DoubleKillscreen),
        next: Some(Piece::T),
        progress: Progress::at(0, level),
    }
}

fn limits(round: usize) -> Limits {
    let table: TapTable = TABLES[round % 8].parse().expect("a table");
    Limits::taps(table).with_reaction(REACTIONS[round % 5])
}

/// The same for hands that hold directions.
fn held_limits(round: usize) -> Limits {
    let presses: Presses = ["das", "12hz+das", "30hz+das"][round % 3].parse().expect("presses");
    Limits::new(presses).with_reaction(REACTIONS[round % 5])
}

/// A player with the values of the analysis: those for 30 Hz at all tap speeds.
fn entry(limits: Limits) -> Entry {
    let player = find("maxout-fast").expect("registered").with_limits(limits).expect("takes any limits");
    player.with_network(weights::embedded_common()).expect("plays by the learned value")
}

fn plan(limits: Limits, seen: &Position) -> Option<Plan> {
    match entry(limits).make(Foresight::DEFAULT, Stop::Level29) {
        Mind::Fair(mut player) => player.plan(seen),
        Mind::Clairvoyant(_) => unreachable!("maxout-fast is fair"),
    }
}

#[test]
fn what_is_pressed_before_the_next_piece_is_known_does_not_depend_on_it() {
    let mut dice = Dice::new(18);
    let mut reviews = 0;
    for round in 0..100 {
        let (mut limits, mut base) = (limits(round), seen(&mut dice));
        if round >= 70 {
            limits = held_limits(round);
            let held = [Buttons::NONE, Buttons::LEFT, Buttons::RIGHT][dice.below(3)];
            base.start = Start { held, das: dice.roll(17) as u8, ..base.start };
        }
        let plans: Vec<Option<Plan>> =
            Piece::ALL.iter().map(|&next| plan(limits, &Position { next: Some(next), ..base })).collect();
        assert!(plans.iter().all(|plan| *plan == plans[0]), "{limits} {base:?}");
        let Some(plan) = &plans[0] else { continue };
        match (plan.review, limits.reaction) {
            // Asked again not before the delay is over.
            (Some(frames), Reaction::Frames(delay)) => {
                assert_eq!(frames, usize::from(delay));
                assert!(plan.buttons[frames..].iter().all(|buttons| buttons.is_empty()));
                reviews += 1;
            }
            // The whole fall was decided, because it is over by then.
            (None, Reaction::Frames(delay)) => assert!(plan.buttons.len() <= usize::from(delay)),
            (review, _) => assert_eq!(review, None),
        }
    }
    assert!(reviews > 20, "{reviews}");
}

#[test]
fn a_decision_that_is_made_again_waits_for_the_rest_of_the_delay_only() {
    let mut dice = Dice::new(24);
    for round in 0..35 {
        let (limits, base) = (limits(round), seen(&mut dice));
        let Reaction::Frames(delay) = limits.reaction else { continue };
        let delay = u32::from(delay);
        let after = |elapsed| Position { start: Start { elapsed, ..base.start }, ..base };
        let over = after(delay + dice.roll(3));
        // Where the next pieces of later pieces are seen late, the choice may be another.
        if limits.sight(base.start.level, FallRule::DoubleKillscreen) == Sight::InTime {
            assert_eq!(plan(limits, &over), plan(Limits::new(limits.presses), &over), "{limits} {over:?}");
        }
        let before = after(1 + dice.roll(delay - 1));
        let Some(plan) = plan(limits, &before) else { continue };
        let left = (delay - before.start.elapsed) as usize;
        assert!(plan.review.map_or(plan.buttons.len() <= left, |frames| frames == left), "{limits} {plan:?}");
    }
}

/// The expectation over the next piece of the best placement that is still reachable, after these first frames.
fn worth(board: &Board, then: Then, piece: Piece, limits: Limits, values: &[(Placement, [f32; 7])]) -> f32 {
    let reachable: BTreeSet<Placement> = match then {
        Then::Locked(placement) => BTreeSet::from([placement]),
        Then::Falls(start) => {
            Reach::new(board, &start, limits).expect("a piece").placements().into_iter().collect()
        }
    };
    let best = |next: usize| {
        values.iter().filter(|(placement, _)| reachable.contains(placement)).map(move |value| value.1[next])
    };
    (0..7).map(|next| odds(piece)[next] * best(next).fold(f32::MIN / 8.0, f32::max)).sum()
}

#[test]
fn the_first_frames_are_those_from_which_the_expected_best_is_highest() {
    let mut dice = Dice::new(19);
    for round in 0..70 {
        let (limits, seen) = (limits(round), seen(&mut dice));
        let piece = seen.start.orientation.piece();
        let mut search = Expectimax::new(weights::embedded_common(), Widths::FAST, limits);
        let values = search.previews(&Position {
            board: seen.board,
            start: seen.start,
            next: None,
            progress: seen.progress,
        });
        let Some(plan) = plan(limits, &seen) else { continue };
        let Some(reach) = Reach::new(&seen.board, &seen.start, limits) else { continue };
        let frames = match limits.reaction {
            Reaction::Frames(frames) => frames.into(),
            Reaction::NextPiece => 2_000,
        };
        let all: Vec<(f32, Then, Vec<Buttons>)> = reach
            .hovers(frames)
            .iter()
            .map(|hover| {
                let worth = worth(&seen.board, hover.then, piece, limits, &values);
                (worth, hover.then, reach.inputs_of(hover))
            })
            .collect();
        let most = all.iter().map(|(worth, ..)| *worth).fold(f32::MIN, f32::max);
        let chosen = all.iter().find(|(_, then, inputs)| match (plan.review, then) {
            (Some(frames), Then::Falls(_)) => inputs[..] == plan.buttons[..frames],
            (None, Then::Locked(placement)) => *placement == plan.placement,
            _ => false,
        });
        let (got, ..) = chosen.expect("the plan is one of these");
        assert!(*got >= most, "{limits} {seen:?}: {got} of {most}");
    }
}

#[test]
fn the_best_preview_is_what_the_search_finds_with_the_next_piece_known() {
    let mut dice = Dice::new(20);
    for round in 0..21 {
        let (limits, seen) = (limits(round), seen(&mut dice));
        let all = Widths { first: usize::MAX, ..Widths::TWO };
        let mut search = Expectimax::new(weights::embedded_common(), all, limits);
        let previews = search.previews(&Position {
            board: seen.board,
            start: seen.start,
            next: None,
            progress: seen.progress,
        });
        if !search.sees_next(seen.progress.level) {
            continue;
        }
        let average = search.average_pay(seen.progress);
        for next in Piece::ALL {
            let ranked = search.rank(&Position {
                board: seen.board,
                start: seen.start,
                next: Some(next),
                progress: seen.progress,
            });
            let best = previews.iter().map(|(_, values)| values[next as usize]).reduce(f32::max);
            let (Some(first), Some(best)) = (ranked.first(), best) else {
                assert!(ranked.is_empty() && best.is_none());
                continue;
            };
            let difference = f64::from(first.value) - f64::from(average) - f64::from(best);
            assert!(difference.abs() < 4.0, "{limits} {next} {first:?} {average} {best}");
        }
    }
}

#[test]
fn the_analysis_hovers_where_the_player_does() {
    let mut dice = Dice::new(23);
    for round in 0..20 {
        let (limits, seen) = (limits(round), seen(&mut dice));
        let Reaction::Frames(frames) = limits.reaction else { continue };
        let position =
            Position { board: seen.board, start: seen.start, next: Some(Piece::T), progress: seen.progress };
        let hovering =
            entry(limits).analyst(Foresight::DEFAULT).expect("an analyst").hovering(&position, frames.into());
        match (plan(limits, &seen), hovering) {
            (Some(plan), Some(hovering)) if plan.review.is_some() => {
                assert_eq!(plan.buttons[..usize::from(frames)], hovering.buttons, "{limits} {seen:?}");
            }
            (Some(plan), Some(hovering)) => {
                assert_eq!(hovering.adjustments, [Some(plan.placement); 7], "{limits} {seen:?}");
            }
            (plan, hovering) => assert!(plan.is_none() && hovering.is_none(), "{limits} {seen:?}"),
        }
    }
}
