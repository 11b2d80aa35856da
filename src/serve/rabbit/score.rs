//! Values of the search as scores of the kind that StackRabbit's clients know ([`Scale`]).
//!
//! The best placement scores 50 on an ordinary board ([`of_best`]). Each other one scores [`OF_A_TETRIS`] less for each tetris that
//! it is worth less, as the learned value counts tetrises. So a placement that is worth three quarters of a tetris less scores
//! 50 less. What an ordinary board and a tetris are worth depends on the lines and the level ([`Outlook`]); the score does not.

use maxout_engine::analysis::Outlook;

/// The score of an ordinary board, about which ordinary play lies.
const ORDINARY: f32 = 50.0;
/// The score of one tetris of value.
const OF_A_TETRIS: f32 = 200.0 / 3.0;
/// How much better or worse than ordinary the boards of ordinary play are, in tetrises; and the share of a tetris's score by
/// which they differ. Beyond, each tetris counts in full.
const USUAL: f32 = 0.75;
const SHARE: f32 = 0.35;
/// What the learned value is too low for boards of ordinary play, in tetrises: up to level 18, up to 28, and beyond. Measured by
/// the medians of boards that players of 30 and 12 Hz had built, and of drawn ones.
const TOO_LOW: [f32; 3] = [0.09, 0.25, 0.2];
/// The quality of a position without a placement, in tetrises: as low as the tables of the analysis go.
const LOST: f32 = -20.0;

/// The scores of one position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    best: f32,
    /// Points of the search in one point of score.
    points_of_one: f32,
}

impl Scale {
    /// The scale of a position whose best placement has this value. `None` means no placement.
    pub(super) fn new(outlook: &Outlook, best: Option<f32>) -> Self {
        let too_low = match outlook.level {
            0..=18 => TOO_LOW[0],
            19..=28 => TOO_LOW[1],
            29.. => TOO_LOW[2],
        };
        let quality = best.map_or(LOST, |best| outlook.quality(best).max(LOST));
        Self { best: of_best(quality + too_low), points_of_one: outlook.tetris / OF_A_TETRIS }
    }

    /// The score of a placement whose value is `points` below the best.
    pub(super) fn below(&self, points: f32) -> f64 {
        rounded(self.best - points / self.points_of_one)
    }

    /// Converts points to tetrises of value.
    pub(super) fn tetrises(&self, points: f32) -> f32 {
        points / (self.points_of_one * OF_A_TETRIS)
    }

    /// The same for a value that is `tetrises` below the best.
    pub(super) fn tetrises_below(&self, tetrises: f32) -> f64 {
        rounded(self.best - OF_A_TETRIS * tetrises)
    }
}

/// The score of the best placement, which is worth `quality` tetrises more than on an ordinary board. Boards of ordinary play
/// differ by more than a tetris without being lost, and score 32 to 68.
fn of_best(quality: f32) -> f32 {
    let usual = quality.clamp(-USUAL, USUAL);
    ORDINARY + OF_A_TETRIS * (SHARE * usual + (quality - usual))
}

/// Two decimals are enough.
fn rounded(score: f32) -> f64 {
    (f64::from(score) * 100.0).round() / 100.0
}

/// The score as a text with two decimals.
pub(super) fn two(score: f64) -> String {
    format!("{score:.2}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::Position;
    use maxout_engine::analysis::Verdict;
    use maxout_engine::movegen::Start;
    use maxout_engine::player::{Mind, Player};
    use maxout_engine::search::Foresight;
    use maxout_gallery::find;
    use maxout_rules::{Board, Piece, Placement, Progress, Stop};

    /// Lines and levels from the first piece to beyond level 29.
    const SIX: [(u32, u8); 6] = [(0, 0), (40, 9), (0, 18), (100, 19), (190, 25), (240, 30)];

    /// Boards of ordinary play, with their pieces. A player builds them, who keeps to one side; the analysis looks at both.
    fn played(player: &mut dyn Player, count: usize) -> Vec<(Board, Piece, Piece)> {
        let mut dice = 7_u32;
        let mut roll = || {
            dice = dice.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            Piece::ALL[(dice >> 16) as usize % 7]
        };
        let (mut board, mut piece, progress) = (Board::EMPTY, roll(), Progress::at(60, 19));
        let mut boards = Vec::new();
        while boards.len() < count {
            let next = roll();
            boards.push((board, piece, next));
            let start = Start::spawn(piece, 19);
            let plan = player.plan(&Position { board, start, next: Some(next), progress });
            board = plan.map_or(Board::EMPTY, |plan| {
                let Placement { x, y, orientation } = plan.placement;
                board.lock(x, y, orientation);
                board
            });
            piece = next;
        }
        boards
    }

    #[test]
    fn the_scale_holds_still_on_200_boards_at_six_levels() {
        let player = find("maxout-2ply").expect("a player");
        let mut analyst = player.analyst(Foresight::DEFAULT).expect("an analyst");
        let Mind::Fair(mut mind) = player.make(Foresight::DEFAULT, Stop::Level29) else {
            panic!("a fair player")
        };
        let boards = played(&mut *mind, 200);
        let mut table = Vec::new();
        for (lines, level) in SIX {
            let progress = Progress::at(lines, level);
            let outlook = analyst.outlook(progress);
            let mut scores = Vec::new();
            for &(board, piece, next) in &boards {
                let question =
                    Position { board, start: Start::spawn(piece, level), next: Some(next), progress };
                let mut verdicts: Vec<Verdict> = analyst.rank(&question);
                verdicts.sort_by(|a, b| b.value.total_cmp(&a.value));
                let best = verdicts.first().map(|best| best.value);
                let scale = Scale::new(&outlook, best);
                let score = |verdict: &Verdict| scale.below(best.unwrap_or(0.0) - verdict.value);
                // Better is more.
                assert!(verdicts.windows(2).all(|pair| score(&pair[0]) >= score(&pair[1])));
                scores.push(scale.below(0.0));
                // A tetris of value is the same everywhere, and three quarters of one are a blunder.
                let blunder = scale.below(0.0) - scale.below(0.75 * outlook.tetris);
                assert!((blunder - 50.0).abs() < 0.02, "{lines} lines, level {level}: {blunder}");
                assert!((scale.tetrises_below(1.0) - scale.below(outlook.tetris)).abs() < 0.02);
            }
            table.push(scores);
        }
        for (scores, at) in table.iter().zip(SIX) {
            let mut sorted = scores.clone();
            sorted.sort_by(f64::total_cmp);
            let [low, middle, high] = [50, 100, 150].map(|at| sorted[at]);
            println!("{at:?}: a quarter below {low}, half below {middle}, three quarters below {high}");
            assert!(
                low > 0.0 && (40.0..60.0).contains(&middle) && high < 70.0,
                "{at:?}: {low} {middle} {high}"
            );
        }
        // The same board by lines and level alone.
        let mut spreads: Vec<f64> = (0..boards.len())
            .map(|at| {
                let of_board = || table.iter().map(|scores| scores[at]);
                of_board().fold(f64::MIN, f64::max) - of_board().fold(f64::MAX, f64::min)
            })
            .collect();
        spreads.sort_by(f64::total_cmp);
        println!(
            "of one board: half differ by less than {}, nine in ten by less than {}",
            spreads[100], spreads[180]
        );
        assert!(spreads[100] < 4.0 && spreads[180] < 15.0, "{} {}", spreads[100], spreads[180]);
    }

    #[test]
    fn scores_are_finite_everywhere() {
        let mut analyst =
            find("maxout-2ply").expect("a player").analyst(Foresight::DEFAULT).expect("an analyst");
        for level in [0, 18, 28, 29, 99, 255] {
            for lines in [0, 229, 9_999, 25_599] {
                let scale = Scale::new(&analyst.outlook(Progress::at(lines, level)), None);
                assert!(scale.below(0.0).is_finite() && scale.below(1e6).is_finite(), "{lines} {level}");
            }
        }
    }
}
