//! Games that were read, as frames of a score display: [`to_frames`].

use crate::review::{PlacedPiece, PlayedGame};
use maxout_record::champs::ChampsFrame;
use maxout_rules::{Board, Piece, Placement, gravity};

/// Milliseconds for which a piece is in play that was not seen on its way.
const UNSEEN_MS: u64 = 500;
/// Milliseconds from the last change until a piece is shown to rest, and from there until the next one appears.
const REST_MS: u64 = 17;
/// Frames for which a piece rests after which none is known to appear, beyond those that it takes to fall a row: longer than the game lets it.
const LAST_REST: u8 = 5;

/// The colours of the cells of a board: those of before, where it has cells, and white where nothing is known.
fn colours(board: &Board, before: &[u8; 200]) -> [u8; 200] {
    let is_solid = |at: usize| board.visible()[at / 10] >> (at % 10) & 1 == 1;
    std::array::from_fn(|at| if is_solid(at) { before[at].max(1) } else { 0 })
}

/// The cells with a piece in them.
fn with(cells: &[u8; 200], Placement { x, y, orientation }: Placement) -> [u8; 200] {
    let mut cells = *cells;
    let colour = match orientation.piece() {
        Piece::T | Piece::O | Piece::I => 1,
        Piece::J | Piece::S => 2,
        Piece::Z | Piece::L => 3,
    };
    for &(dx, dy) in orientation.cells() {
        let (column, row) = (i32::from(x) + i32::from(dx), i32::from(y) + i32::from(dy));
        if (0..10).contains(&column) && (0..20).contains(&row) {
            cells[(10 * row + column) as usize] = colour;
        }
    }
    cells
}

/// The cells without their full rows.
fn cleared(cells: &[u8; 200]) -> [u8; 200] {
    let left: Vec<u8> =
        cells.chunks(10).filter(|row| row.contains(&0)).flat_map(|row| row.iter().copied()).collect();
    let mut cells = [0; 200];
    cells[200 - left.len()..].copy_from_slice(&left);
    cells
}

/// Returns a game as the frames that a score display of it would have sent: one for each change of the field, as far as it was
/// seen. The score and the counters of autorepeat, which are not read, are unknown. A display counts its games: after a gap the game
/// has the next number, and its frames begin in the middle of a game. Games are counted from `number`.
pub fn to_frames(game: &PlayedGame, number: u32) -> Vec<ChampsFrame> {
    let mut frames = Vec::new();
    let mut stretch = number;
    let mut counts = [0u32; 7];
    let mut before: Option<(&PlacedPiece, Board, u8)> = None;
    let (mut cells, mut time_ms) = ([0; 200], 0);
    let first_ms = game.path.first().map_or(0, |seen| seen.time_ms);
    for placed in &game.pieces {
        if let Some((last, after, lines)) = before
            && after != placed.board
        {
            frames.push(end(last, lines, (stretch, counts), cells, time_ms));
            (stretch, counts) = (stretch.saturating_add(1), [0; 7]);
        }
        let is_new = counts == [0; 7];
        cells = colours(&placed.board, &cells);
        counts[placed.piece as usize] += 1;
        let frame = |time_ms: u64, field: [u8; 200]| ChampsFrame {
            game: stretch,
            time_ms,
            score: None,
            lines: Some(placed.progress.lines()),
            level: Some(placed.progress.level.into()),
            das: None,
            next: placed.next.map(|next| next as u32),
            das_at_spawn: None,
            current: Some(placed.piece as u32),
            counts: counts.map(Some),
            field,
        };
        let way = game.way(placed);
        if is_new {
            // The board alone: what stays in the frames of the first piece is the board that it finds.
            let begins = way.first().map_or(time_ms, |seen| seen.time_ms.saturating_sub(first_ms));
            frames.push(frame(begins.saturating_sub(REST_MS).max(time_ms), cells));
        }
        for (number, seen) in way.iter().enumerate() {
            let seen_ms = seen.time_ms.saturating_sub(first_ms).max(time_ms);
            if number > 0 && !seen.is_exact {
                // The board alone: right before, the piece was not seen.
                frames.push(frame(seen_ms.saturating_sub(REST_MS).max(time_ms), cells));
            }
            time_ms = seen_ms;
            frames.push(frame(time_ms, with(&cells, seen.at)));
        }
        if way.last().is_some_and(|last| last.at != placed.placement) {
            // Nor was it seen where it locked.
            frames.push(frame(time_ms, cells));
        }
        time_ms += if way.is_empty() { UNSEEN_MS } else { REST_MS };
        frames.push(frame(time_ms, with(&cells, placed.placement)));
        let mut after = placed.board;
        let Placement { x, y, orientation } = placed.placement;
        let lines = after.lock(x, y, orientation);
        cells = colours(&after, &cleared(&with(&cells, placed.placement)));
        before = Some((placed, after, lines));
    }
    frames.extend(before.map(|(placed, _, lines)| end(placed, lines, (stretch, counts), cells, time_ms)));
    frames
}

/// The frame after a piece that has cleared these lines: that it has locked is seen when the next one is in play, or when it rests for
/// longer than the game lets it.
fn end(
    placed: &PlacedPiece,
    lines: u8,
    (game, mut counts): (u32, [u32; 7]),
    field: [u8; 200],
    time_ms: u64,
) -> ChampsFrame {
    let mut progress = placed.progress;
    progress.add_rows(lines);
    let mut rest_ms = REST_MS;
    if let Some(next) = placed.next {
        counts[next as usize] += 1;
    } else {
        rest_ms *= u64::from(gravity(placed.progress.level) + LAST_REST);
    }
    ChampsFrame {
        game,
        time_ms: time_ms + rest_ms,
        score: None,
        lines: Some(progress.lines()),
        level: Some(progress.level.into()),
        das: None,
        next: None,
        das_at_spawn: None,
        current: placed.next.map(|next| next as u32),
        counts: counts.map(Some),
        field,
    }
}
