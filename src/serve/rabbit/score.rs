//! Points of the game as scores of the kind that StackRabbit's clients know: better is more, and a move that scores 50
//! less than the best is a blunder.

use maxout_rules::{Progress, line_points};

/// Points of the game in one point of score. So a blunder, 50 below the best, costs 10,000 points.
pub(super) const POINTS: f32 = 200.0;
/// The share of the points of all tetrises up to the stop that ordinary play is taken to bring. It moves all scores of
/// one line count by the same amount, so that they lie about 0.
const ORDINARY: f32 = 0.8;
/// Tetrises that are counted towards the stop; from level 0 there are 50 of them.
const MOST: u32 = 100;

/// The score of a position that promises `points`, with two decimals.
pub(super) fn score(points: f32, progress: Progress) -> f64 {
    rounded((points - ordinary(progress)) / POINTS)
}

/// Two decimals are enough.
pub(super) fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}

/// The points that ordinary play brings up to level 29; from there on none are taken off.
fn ordinary(progress: Progress) -> f32 {
    let (mut now, mut points) = (progress, 0);
    for _ in 0..MOST {
        if now.level >= 29 {
            break;
        }
        now.add_rows(4);
        points += line_points(4, now.level);
    }
    points as f32 * ORDINARY
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_points_score_more_and_a_blunder_is_50() {
        let now = Progress::at(100, 19);
        let scores = [0.0, 1_000.0, 500_000.0].map(|points| score(points, now));
        assert!(scores.is_sorted() && scores[0] < scores[1]);
        assert!((score(300_000.0, now) - score(290_000.0, now) - 50.0).abs() < 0.02);
        assert!((score(600.0, Progress::at(400, 40)) - 3.0).abs() < f64::EPSILON);
        // No line count or level takes long.
        for level in 0..=255 {
            assert!(score(0.0, Progress::at(25_599, level)).is_finite());
        }
    }
}
