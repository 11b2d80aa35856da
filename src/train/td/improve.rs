//! Learning from search: [`improve`] plays an endless game with an expectimax and teaches the tables what the search
//! found behind the boards that it looked at.
//!
//! One decision with one unknown piece gives the exact backed-up value of some dozens of afterstates for all seven next
//! pieces. The boards are those that the searching player meets, and the values those of its play.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use rustc_hash::FxHashMap;

use super::position::piece_after;
use super::{Tables, TrainingProgress};
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{Network, indices, speed};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::Start;
use maxout_engine::search::{Expectimax, Widths};
use maxout_rules::random::Xorshift64Star;
use maxout_rules::{Board, Piece, Progress};

/// How to learn from search.
#[derive(Clone, PartialEq, Debug)]
pub struct Improvement {
    /// How far the search looks.
    pub widths: Widths,
    /// What the controller may do.
    pub limits: Limits,
    /// Level whose gravity is played.
    pub level: u8,
    /// Whether pieces fall two rows a frame from level 39 on.
    pub double_killscreen: bool,
    /// Steps are this share of those of temporal coherence.
    pub rate: f32,
}

/// Plays `pieces` pieces from an empty board with `network`, and teaches `tables` what the search finds. Ends early when
/// `stop` becomes true.
pub fn improve(
    tables: &Tables,
    network: &Arc<Network>,
    how: &Improvement,
    seed: u64,
    pieces: u64,
    progress: &TrainingProgress,
    stop: &AtomicBool,
) {
    let mut search = Expectimax::new(Arc::clone(network), how.widths.clone(), how.limits).endless().keeping();
    let mut dice = Xorshift64Star::new(seed);
    let (mut board, mut piece) = (Board::EMPTY, piece_after(&mut dice, Piece::O));
    let mut next = piece_after(&mut dice, piece);
    for _ in 0..pieces {
        if stop.load(Relaxed) {
            return;
        }
        // Lines are not counted, so the level stays.
        let progress_then = Progress::at(0, how.level);
        let start = Start::spawn(piece, how.level).with_double_killscreen(how.double_killscreen);
        let best = search.best(&board, &start, next, progress_then);
        let mut latest: FxHashMap<Board, [Option<f32>; 7]> = FxHashMap::default();
        for found in search.take_found() {
            let values = latest.entry(found.board).or_default();
            for (value, found) in values.iter_mut().zip(found.values) {
                *value = found.or(*value);
            }
        }
        for (board, values) in latest {
            let at = indices(&Shape::of(&board), true, speed(how.level));
            tables.learn_all(&at, &values, how.rate);
        }
        progress.pieces.fetch_add(1, Relaxed);
        if let Some(best) = best {
            let lines = board.lock(best.x, best.y, best.id).min(4);
            progress.lines.fetch_add(u64::from(lines), Relaxed);
            if lines == 4 {
                progress.tetris_lines.fetch_add(4, Relaxed);
            }
        } else {
            progress.deaths.fetch_add(1, Relaxed);
            board = Board::EMPTY;
        }
        piece = next;
        next = piece_after(&mut dice, piece);
    }
}
