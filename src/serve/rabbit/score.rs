//! Points of the game as scores of the kind that StackRabbit's clients know: better is more, and a move that scores 50
//! less than the best is a blunder, as `review` defines it.

use crate::review::blunder;
use maxout_engine::analysis::Outlook;
use maxout_rules::Progress;

/// How much less than the best a blunder scores.
const BLUNDER: f32 = 50.0;
/// The share of the points of all tetrises up to the stop that ordinary play is taken to bring. It moves all scores of
/// one line count by the same amount, so that they lie about 0.
const ORDINARY: f32 = 0.8;

/// Points of the game in one point of score on this level, such that 50 of score are a blunder.
pub(super) fn points_of_one(level: u8) -> f32 {
    blunder(level) / BLUNDER
}

/// The score of a position that promises `points`, with two decimals.
pub(super) fn score(points: f32, progress: Progress) -> f64 {
    let (_, all_tetrises) = Outlook::all_tetrises(progress);
    rounded((points - ORDINARY * all_tetrises) / points_of_one(progress.level))
}

/// Two decimals are enough.
pub(super) fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::MoveClass;

    #[test]
    fn more_points_score_more_and_a_blunder_is_50() {
        let now = Progress::at(100, 19);
        let scores = [0.0, 1_000.0, 500_000.0].map(|points| score(points, now));
        assert!(scores.is_sorted() && scores[0] < scores[1]);
        // Three quarters of a tetris: 18,000 points on level 19.
        assert!((score(300_000.0, now) - score(282_000.0, now) - 50.0).abs() < 0.02);
        // No line count or level takes long.
        for level in 0..=255 {
            assert!(score(0.0, Progress::at(25_599, level)).is_finite());
        }
    }

    #[test]
    fn fifty_less_than_the_best_is_where_a_review_sees_a_blunder() {
        for level in [0, 9, 18, 19, 28, 29, 45] {
            let at = |score: f32| MoveClass::of(score * points_of_one(level), level);
            assert_eq!((at(49.9), at(50.1)), (MoveClass::Mistake, MoveClass::Blunder), "level {level}");
        }
    }

    #[test]
    fn ordinary_play_scores_about_nothing_at_every_level() {
        for (lines, level) in [(0, 0), (100, 19), (229, 28), (400, 40)] {
            let now = Progress::at(lines, level);
            let (_, all) = Outlook::all_tetrises(now);
            assert!(score(0.8 * all, now).abs() < 0.01, "level {level}");
        }
    }
}
