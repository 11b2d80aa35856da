//! Statistics over many games: a [`Sample`] takes one game after the other, and [`Sample::spread`] summarises them.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{PieceCounts, Points, Statistics, Summary};

/// Gathers the statistics of games without keeping them: about 200 bytes a game.
#[derive(Clone, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Sample {
    tetris_rate: Vec<f64>,
    efficiency: Vec<f64>,
    burned: Vec<f64>,
    longest_burn: Vec<f64>,
    droughts: Vec<f64>,
    longest_drought: Vec<f64>,
    tetris_ready: Vec<f64>,
    evenness: Vec<f64>,
    transition: Vec<f64>,
    /// Scores by lines.
    pace: BTreeMap<u32, Vec<f64>>,
    pieces: [u64; 7],
    points: Points<u64>,
}

/// Statistics of many games.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Spread {
    /// Games.
    pub games: u64,
    /// Share of a game's lines that were cleared four at a time, 0..1.
    pub tetris_rate: Summary,
    /// Points per line without the level.
    pub efficiency: Summary,
    /// Lines not cleared four at a time.
    pub burned: Summary,
    /// The most of them between two tetrises.
    pub longest_burn: Summary,
    /// Stretches of 13 or more pieces without an I.
    pub droughts: Summary,
    /// The longest stretch without an I.
    pub longest_drought: Summary,
    /// Share of the pieces after which the board was ready for a tetris, 0..1.
    pub tetris_ready: Summary,
    /// Evenness of each game's pieces.
    pub evenness: Summary,
    /// Score on leaving the start level, of the games that did; none if none did.
    pub transition: Option<Summary>,
    /// Share of each piece, 0..1.
    pub piece_shares: PieceCounts<f64>,
    /// Points per game by what they were paid for.
    pub points: Points<f64>,
    /// Score at each multiple of ten lines.
    pub pace: Vec<PaceOfMany>,
}

/// The score of many games at a number of lines.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct PaceOfMany {
    /// Lines.
    pub lines: u32,
    /// Games that reached them.
    pub games: u64,
    /// Their scores.
    pub score: Summary,
}

/// More marks of the pace than any game reaches.
const MOST_MARKS: usize = 100_000;

impl Sample {
    /// Adds one game.
    pub fn add(&mut self, game: &Statistics) {
        self.tetris_rate.push(game.tetris_rate);
        self.efficiency.push(game.efficiency);
        self.burned.push(f64::from(game.burn.total));
        self.longest_burn.push(f64::from(game.burn.longest));
        self.droughts.push(f64::from(game.droughts.count));
        self.longest_drought.push(f64::from(game.droughts.longest));
        self.tetris_ready.push(game.tetris_ready);
        self.evenness.extend(game.evenness.all);
        self.transition.extend(game.transition.map(|mark| mark.score as f64));
        for mark in &game.pace {
            self.pace.entry(mark.lines).or_default().push(mark.score as f64);
        }
        for (sum, count) in self.pieces.iter_mut().zip(game.piece_counts.to_array()) {
            *sum += u64::from(count);
        }
        self.points.merge(&game.points);
    }

    /// Adds all games of another sample.
    pub fn merge(&mut self, mut other: Self) {
        for (own, others) in self.lists().into_iter().zip(other.lists()) {
            own.append(others);
        }
        for (&lines, scores) in &mut other.pace {
            self.pace.entry(lines).or_default().append(scores);
        }
        for (sum, count) in self.pieces.iter_mut().zip(other.pieces) {
            *sum += count;
        }
        self.points.merge(&other.points);
    }

    /// All lists with at most one value a game.
    fn lists(&mut self) -> [&mut Vec<f64>; 9] {
        [
            &mut self.tetris_rate,
            &mut self.efficiency,
            &mut self.burned,
            &mut self.longest_burn,
            &mut self.droughts,
            &mut self.longest_drought,
            &mut self.tetris_ready,
            &mut self.evenness,
            &mut self.transition,
        ]
    }

    /// Games so far.
    pub fn games(&self) -> u64 {
        self.burned.len() as u64
    }

    /// Whether no list has more values than `games`, and the pace no more marks than a game can reach.
    pub(crate) fn fits(&mut self, games: u64) -> bool {
        let has_room = |list: &Vec<f64>| list.len() as u64 <= games;
        let fit = self.lists().into_iter().all(|list| has_room(list));
        fit && self.pace.values().all(has_room) && self.pace.len() <= MOST_MARKS
    }

    /// The results.
    pub fn spread(&self) -> Spread {
        let games = self.games();
        let share = |part: u64, whole: u64| if whole > 0 { part as f64 / whole as f64 } else { 0.0 };
        let pieces = self.pieces.iter().sum();
        let Points { soft_drop, singles, doubles, triples, tetrises } = self.points;
        Spread {
            games,
            tetris_rate: Summary::of(&self.tetris_rate),
            efficiency: Summary::of(&self.efficiency),
            burned: Summary::of(&self.burned),
            longest_burn: Summary::of(&self.longest_burn),
            droughts: Summary::of(&self.droughts),
            longest_drought: Summary::of(&self.longest_drought),
            tetris_ready: Summary::of(&self.tetris_ready),
            evenness: Summary::of(&self.evenness),
            transition: (!self.transition.is_empty()).then(|| Summary::of(&self.transition)),
            piece_shares: PieceCounts::from_array(self.pieces.map(|count| share(count, pieces))),
            points: Points {
                soft_drop: share(soft_drop, games),
                singles: share(singles, games),
                doubles: share(doubles, games),
                triples: share(triples, games),
                tetrises: share(tetrises, games),
            },
            pace: self
                .pace
                .iter()
                .map(|(&lines, scores)| PaceOfMany {
                    lines,
                    games: scores.len() as u64,
                    score: Summary::of(scores),
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_record::result::Lock;
    use maxout_rules::{Orientation, Placement};

    #[test]
    fn two_games_have_a_mean_and_no_game_is_no_trouble() {
        let placement = Placement { y: 0, orientation: Orientation::IHorizontal, x: 250 };
        let lock = |rows, score| Lock { frame: 1, placement, rows, level: 19, score };
        let good = Statistics::of(&[lock(4, 24_000), lock(4, 48_000), lock(4, 72_000)], 19);
        let poor = Statistics::of(&[lock(1, 800), lock(1, 1_600)], 19);
        let mut sample = Sample::default();
        assert_eq!(sample.spread().games, 0);
        sample.add(&good);
        sample.add(&poor);
        let spread = sample.spread();
        assert_eq!((spread.games, spread.transition), (2, None));
        assert!((spread.burned.mean - 1.0).abs() < 1e-12 && (spread.tetris_rate.mean - 0.5).abs() < 1e-12);
        assert!((spread.points.tetrises - 36_000.0).abs() < 1e-9);
        assert!((spread.piece_shares.i - 1.0).abs() < 1e-12);
        assert_eq!(spread.pace.len(), 1);
        assert_eq!((spread.pace[0].lines, spread.pace[0].games), (10, 1));
    }
}
