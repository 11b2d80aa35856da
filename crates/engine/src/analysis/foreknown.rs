//! What a game could have made of its pieces if all of them had been known in advance: [`GamePlayouts::foreknown`].

use std::collections::HashSet;

use super::calibration::is_at_stop;
use super::playouts::{GamePlayouts, Playout};
use crate::movegen::{Start, placements};
use maxout_rules::{Board, FallRule, Piece, Progress, line_points};

/// How many boards are kept after each piece.
const KEPT: usize = 200;

/// A way in which the pieces so far could have been placed.
#[derive(Clone, Copy)]
struct Way {
    board: Board,
    progress: Progress,
    lines: u32,
    points: u64,
    /// Points so far plus the value of the board, in points.
    worth: f32,
}

impl GamePlayouts {
    /// Returns the best game found by a search that knows all `pieces` in advance, up to the stop or until they are used
    /// up. It keeps the 200 best boards after each piece, so a better game may exist.
    pub fn foreknown(
        &mut self,
        board: Board,
        progress: Progress,
        fall_rule: FallRule,
        pieces: &[Piece],
    ) -> Playout {
        let mut ways = vec![Way { board, progress, lines: 0, points: 0, worth: 0.0 }];
        let mut reachable = Vec::new();
        let (mut best_at_stop, mut furthest) = (None, 0);
        for pair in pieces.windows(2) {
            let mut after = Vec::new();
            let mut seen = HashSet::new();
            for way in &ways {
                let start = Start::spawn(pair[0], way.progress.level).by(fall_rule);
                placements(&way.board, &start, self.limits, &mut reachable);
                for placement in &reachable {
                    let mut next = *way;
                    let rows = next.board.lock(placement.x, placement.y, placement.orientation);
                    next.progress.add_rows(rows);
                    next.lines += u32::from(rows);
                    next.points += line_points(rows, next.progress.level);
                    furthest = furthest.max(next.points);
                    if is_at_stop(progress, next.progress, next.lines) {
                        best_at_stop = best_at_stop.max(Some(next.points));
                    } else if seen.insert((next.board, next.points)) {
                        let value = self.search.value_of(&next.board, next.progress, fall_rule, pair[1]);
                        next.worth = next.points as f32 + value;
                        after.push(next);
                    }
                }
            }
            after.sort_by(|a: &Way, b| b.worth.total_cmp(&a.worth));
            after.truncate(KEPT);
            ways = after;
            if ways.is_empty() {
                break;
            }
        }
        let topped_out = best_at_stop.is_none() && ways.is_empty();
        let points = best_at_stop.or(ways.first().map(|way| way.points)).unwrap_or(furthest);
        Playout { points, topped_out }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::Outlook;
    use crate::eval::weights;
    use crate::limits::Limits;

    #[test]
    fn known_pieces_bring_more_than_unknown_ones() {
        let mut playouts = GamePlayouts::new(weights::embedded_common(), Limits::EACH_BUTTON);
        let pieces: Vec<Piece> =
            maxout_rules::Dealer::new(maxout_rules::Pieces::Nes, 5).take(1_000).collect();
        let mut start = Progress::at(0, 19);
        (0..200).for_each(|_| start.add_rows(1));
        let known = playouts.foreknown(Board::EMPTY, start, FallRule::Ntsc, &pieces);
        let unknown = playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &pieces, 0);
        assert!(known.points >= unknown.points && !known.topped_out, "{known:?} {unknown:?}");
        let (_, most) = Outlook::all_tetrises(start);
        // The last tetris may clear three lines more than are needed.
        assert!(known.points as f32 <= most + 3.0 * 10_000.0, "{known:?} {most}");
    }
}
