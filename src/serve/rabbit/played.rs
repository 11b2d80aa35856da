//! How placements are played: buttons as StackRabbit writes them, and where a piece is after a reaction delay.

use super::query::Asked;
use crate::serve::analysts::Desk;
use crate::serve::position::LimitedPosition;
use maxout_engine::Position;
use maxout_engine::movegen::{Reach, Start};
use maxout_engine::player::Plan;
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Placement, entry_delay};

/// Frames in which full rows are cleared, as StackRabbit writes them.
const CLEARING: usize = 17;
/// Buttons whose presses a timeline counts.
const TAPS: [Buttons; 4] = [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::B];

/// Whether the piece gets there only by a shift or a turn under cells: a tuck or a spin.
pub(super) fn is_special(board: &Board, Placement { x, y, orientation: id }: Placement) -> bool {
    (0..=y).any(|y| !board.is_valid(x, y, id))
}

/// The buttons of a placement as StackRabbit writes them, a letter for each frame until the next piece: L, R, A, B, E for left
/// and A, F for left and B, I for right and A, G for right and B, `.` for none, `*` for the entry delay and `^` for the
/// clearing of rows.
pub(super) fn inputs(position: &LimitedPosition, placement: Placement) -> String {
    let path = position.reach().and_then(|reach| reach.path(placement));
    let Some(path) = path else { return String::new() };
    let mut letters: String = path.inputs.iter().map(|&buttons| letter(buttons)).collect();
    let rest = (path.frames as usize).saturating_sub(letters.len());
    letters.push_str(&".".repeat(rest));
    let Placement { x, y, orientation: id } = placement;
    let rows = { position.question.board }.lock(x, y, id);
    let last = 5.min(entry_delay(y));
    letters.push_str(&"*".repeat(usize::from(entry_delay(y) - last)));
    letters.push_str(&"^".repeat(if rows > 0 { CLEARING } else { 0 }));
    letters.push_str(&"*".repeat(usize::from(last)));
    letters
}

fn letter(buttons: Buttons) -> char {
    let has = |button| buttons.contains(button);
    match (has(Buttons::LEFT), has(Buttons::RIGHT), has(Buttons::A), has(Buttons::B)) {
        (true, _, true, _) => 'E',
        (true, _, _, true) => 'F',
        (true, ..) => 'L',
        (_, true, true, _) => 'I',
        (_, true, _, true) => 'G',
        (_, true, ..) => 'R',
        (_, _, true, _) => 'A',
        (_, _, _, true) => 'B',
        _ if has(Buttons::DOWN) => 'D',
        _ => '.',
    }
}

/// The same position, in which the next piece is not known.
pub(super) fn without_next(position: LimitedPosition) -> LimitedPosition {
    LimitedPosition { question: Position { next: None, ..position.question }, ..position }
}

/// The position in which the next piece is known: after the frames of the reaction delay, in which the piece is played
/// towards its best placement without a next piece. Without a delay, or if the piece has locked by then, the position that
/// was asked about.
pub(super) fn after_reaction(desk: &mut Desk, asked: &Asked) -> LimitedPosition {
    let position = asked.position;
    if position.question.next.is_none() || asked.reaction == 0 {
        return position;
    }
    let hover = desk.rank(position.limits, &without_next(position).question);
    hover.first().map_or(position, |best| towards(position, best.placement, asked.reaction))
}

/// The position after `frames` frames, in which the piece is played towards a placement.
pub(super) fn towards(position: LimitedPosition, placement: Placement, frames: usize) -> LimitedPosition {
    let (Position { board, start, .. }, limits) = (position.question, position.limits);
    let path = Reach::new(&board, &start, limits).and_then(|reach| reach.path(placement));
    let plan = path.and_then(|path| Plan::along(&position.question, placement, &path, false));
    let Some(plan) = plan.filter(|plan| (1..plan.poses.len()).contains(&frames)) else { return position };
    let last = frames - 1;
    let pose = plan.poses[last];
    let row = plan.poses[..=last].iter().rev().take_while(|before| before.y == pose.y).count();
    let fresh = pose.y == start.y;
    let timer = if fresh { usize::from(start.fall_timer) + frames } else { row - 1 };
    let mut held = start.held;
    let mut pressed = start.pressed;
    for &buttons in &plan.buttons[..=last] {
        pressed =
            pressed << 1 | u64::from(TAPS.iter().any(|&tap| buttons.contains(tap) && !held.contains(tap)));
        held = buttons;
    }
    let start = Start {
        x: pose.x,
        y: pose.y,
        orientation: pose.orientation,
        fall_timer: timer.min(255) as u8,
        held,
        pressed,
        elapsed: start.elapsed.saturating_add(frames as u32),
        ..start
    };
    LimitedPosition { question: Position { start, ..position.question }, limits }
}
