//! The figures of one game: [`Statistics::of`] computes them from its locks.

use serde::{Deserialize, Serialize};

use maxout_record::result::Lock;
use maxout_rules::{Board, Piece, Progress, line_points};

/// Pieces without an I that make a drought.
pub const DROUGHT: u32 = 13;
/// Points per line by size of the clear, without the level.
const EFFICIENCY: [f64; 5] = [0.0, 40.0, 50.0, 100.0, 300.0];
/// A full row.
const FULL: u16 = 0x3FF;

/// Statistics of one game. Pieces are those that locked.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Statistics {
    /// Pieces locked.
    pub pieces: u32,
    /// Lines cleared.
    pub lines: u32,
    /// Share of the lines that were cleared four at a time, 0..1.
    pub tetris_rate: f64,
    /// Points per line without the level: 40 for a single's line, 50, 100, 300 for a tetris's; mean of all lines.
    pub efficiency: f64,
    /// The same for each ten lines; the last entry may have fewer.
    pub efficiency_by_ten: Vec<f64>,
    /// Lines that were not cleared four at a time.
    pub burn: Burn,
    /// Waiting for the I.
    pub droughts: Droughts,
    /// The clear that left the start level; none if no clear did.
    pub transition: Option<Mark>,
    /// Score when each multiple of ten lines was reached.
    pub pace: Vec<Mark>,
    /// How often each piece came.
    pub piece_counts: PieceCounts<u32>,
    /// How unevenly the pieces came.
    pub evenness: Evenness,
    /// Share of the pieces after which a dropped I would have cleared four lines, 0..1.
    pub tetris_ready: f64,
    /// Where the points came from.
    pub points: Points<u64>,
    /// The same by level, those with points only, in the order of play.
    pub points_by_level: Vec<LevelPoints>,
}

/// Lines that were not cleared four at a time.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Burn {
    /// In the whole game.
    pub total: u32,
    /// Since the last tetris.
    pub current: u32,
    /// The most between two tetrises.
    pub longest: u32,
}

/// Stretches of pieces without an I.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Droughts {
    /// Stretches of [`DROUGHT`] or more.
    pub count: u32,
    /// Pieces since the last I.
    pub current: u32,
    /// The last stretch of [`DROUGHT`] or more; 0 if there was none.
    pub last: u32,
    /// The longest stretch of all.
    pub longest: u32,
}

/// A score at a number of lines.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mark {
    /// Lines.
    pub lines: u32,
    /// Uncapped score, soft drop included.
    pub score: u64,
}

/// One value for each piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[allow(missing_docs)] // The pieces' own letters.
pub struct PieceCounts<T> {
    pub t: T,
    pub j: T,
    pub z: T,
    pub o: T,
    pub s: T,
    pub l: T,
    pub i: T,
}

impl<T: Copy> PieceCounts<T> {
    /// From values in the order of [`Piece::ALL`].
    pub const fn from_array([t, j, z, o, s, l, i]: [T; 7]) -> Self {
        Self { t, j, z, o, s, l, i }
    }

    /// The values in the order of [`Piece::ALL`].
    pub const fn to_array(self) -> [T; 7] {
        [self.t, self.j, self.z, self.o, self.s, self.l, self.i]
    }
}

/// 100·√(Σ(share − 1/7)²/7): 0 if all pieces came equally often. None if there were not as many pieces.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize, Deserialize)]
pub struct Evenness {
    /// Of the whole game.
    pub all: Option<f64>,
    /// Of the last 28 pieces.
    pub last_28: Option<f64>,
    /// Of the last 56 pieces.
    pub last_56: Option<f64>,
}

/// Points by what they were paid for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Points<T> {
    /// For soft drop, as the game's own addition pays it.
    pub soft_drop: T,
    /// For clears of one line.
    pub singles: T,
    /// For clears of two lines.
    pub doubles: T,
    /// For clears of three lines.
    pub triples: T,
    /// For clears of four lines.
    pub tetrises: T,
}

impl Points<u64> {
    /// Adds the points of `other`.
    pub fn merge(&mut self, other: &Self) {
        let Self { soft_drop, singles, doubles, triples, tetrises } = other;
        self.soft_drop += soft_drop;
        self.singles += singles;
        self.doubles += doubles;
        self.triples += triples;
        self.tetrises += tetrises;
    }

    fn add(&mut self, rows: u8, for_lines: u64, for_drop: u64) {
        self.soft_drop += for_drop;
        match rows {
            1 => self.singles += for_lines,
            2 => self.doubles += for_lines,
            3 => self.triples += for_lines,
            4 => self.tetrises += for_lines,
            _ => {}
        }
    }
}

/// Points at one level.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LevelPoints {
    /// The level that the clears were paid at.
    pub level: u8,
    /// The points.
    #[serde(flatten)]
    pub points: Points<u64>,
}

impl Statistics {
    /// The statistics of a game that began on `start_level`.
    pub fn of(locks: &[Lock], start_level: u8) -> Self {
        let mut lines = 0;
        let mut score = 0;
        let mut burn = Burn::default();
        let mut transition = None;
        let mut pace = Vec::new();
        let mut line_values = Vec::new();
        let mut points = Points::default();
        let mut points_by_level: Vec<LevelPoints> = Vec::new();
        for lock in locks {
            let for_lines = line_points(lock.rows.min(4), lock.level);
            let for_drop = lock.score.saturating_sub(score).saturating_sub(for_lines);
            score = lock.score;
            points.add(lock.rows, for_lines, for_drop);
            if for_lines + for_drop > 0 {
                if points_by_level.last().is_none_or(|last| last.level != lock.level) {
                    points_by_level.push(LevelPoints { level: lock.level, points: Points::default() });
                }
                if let Some(last) = points_by_level.last_mut() {
                    last.points.add(lock.rows, for_lines, for_drop);
                }
            }
            let before = lines;
            lines += u32::from(lock.rows);
            line_values.extend((0..lock.rows).map(|_| EFFICIENCY[usize::from(lock.rows.min(4))]));
            if lock.rows == 4 {
                burn.current = 0;
            } else {
                burn.total += u32::from(lock.rows);
                burn.current += u32::from(lock.rows);
                burn.longest = burn.longest.max(burn.current);
            }
            if lines / 10 > before / 10 {
                pace.push(Mark { lines: lines / 10 * 10, score });
            }
            if transition.is_none() && lock.level != start_level {
                transition = Some(Mark { lines, score });
            }
        }
        let pieces: Vec<Piece> = locks.iter().map(|lock| lock.placement.orientation.piece()).collect();
        let ready = boards(locks).filter(is_tetris_ready).count();
        Self {
            pieces: locks.len() as u32,
            lines,
            tetris_rate: share(f64::from(lines - burn.total), f64::from(lines)),
            efficiency: mean(&line_values),
            efficiency_by_ten: line_values.chunks(10).map(mean).collect(),
            burn,
            droughts: Droughts::of(&pieces),
            transition,
            pace,
            piece_counts: PieceCounts::from_array(count(&pieces)),
            evenness: Evenness {
                all: evenness(&pieces, pieces.len()),
                last_28: evenness(&pieces, 28),
                last_56: evenness(&pieces, 56),
            },
            tetris_ready: share(ready as f64, locks.len() as f64),
            points,
            points_by_level,
        }
    }
}

impl Droughts {
    fn of(pieces: &[Piece]) -> Self {
        let mut droughts = Self::default();
        for piece in pieces {
            droughts.current = if *piece == Piece::I { 0 } else { droughts.current + 1 };
            droughts.longest = droughts.longest.max(droughts.current);
            droughts.count += u32::from(droughts.current == DROUGHT);
            if droughts.current >= DROUGHT {
                droughts.last = droughts.current;
            }
        }
        droughts
    }
}

/// The board after each lock.
pub fn boards(locks: &[Lock]) -> impl Iterator<Item = Board> + '_ {
    locks.iter().scan(Board::EMPTY, |board, lock| {
        let at = lock.placement;
        // A log from elsewhere may hold what no game does.
        if board.is_valid(at.x, at.y, at.orientation) {
            board.lock(at.x, at.y, at.orientation);
        }
        Some(*board)
    })
}

/// Whether an I that is dropped upright down some column clears four lines.
pub fn is_tetris_ready(board: &Board) -> bool {
    let rows = board.visible();
    (0..10).any(|column| {
        let well = FULL & !(1 << column);
        let floor = rows.iter().position(|row| row >> column & 1 == 1).unwrap_or(rows.len());
        floor >= 4 && rows[floor - 4..floor].iter().all(|&row| row == well)
    })
}

/// The score at `lines` lines of a game from `start_level` that makes `target` points at 230 lines and as many
/// points a line, per level's multiplier, all the way.
pub fn par(target: u64, start_level: u8, lines: u32) -> f64 {
    let weight = |lines: u32| -> u64 {
        let mut progress = Progress::at(0, start_level);
        (0..lines)
            .map(|_| {
                progress.add_rows(1);
                u64::from(progress.level) + 1
            })
            .sum()
    };
    target as f64 * weight(lines) as f64 / weight(230) as f64
}

fn count(pieces: &[Piece]) -> [u32; 7] {
    let mut counts = [0; 7];
    for &piece in pieces {
        counts[piece as usize] += 1;
    }
    counts
}

fn evenness(pieces: &[Piece], last: usize) -> Option<f64> {
    let first = pieces.len().checked_sub(last)?;
    if last == 0 {
        return None;
    }
    let squares = count(&pieces[first..]).map(|n| (f64::from(n) / last as f64 - 1.0 / 7.0).powi(2));
    Some(100.0 * (squares.iter().sum::<f64>() / 7.0).sqrt())
}

fn mean(values: &[f64]) -> f64 {
    share(values.iter().sum(), values.len() as f64)
}

fn share(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_rules::{Orientation, Placement};

    fn near(got: f64, want: f64) {
        assert!((got - want).abs() < 1e-9, "got {got}, expected {want}");
    }

    /// Locks of `(piece, rows, level, score)`; the placements are in nobody's way, so the boards mean nothing.
    fn locks(game: &[(char, u8, u8, u64)]) -> Vec<Lock> {
        (1..)
            .zip(game)
            .map(|(frame, &(letter, rows, level, score))| {
                let id = Piece::from_letter(letter).expect("a piece").spawn();
                Lock { frame, placement: Placement { y: 0, orientation: id, x: 250 }, rows, level, score }
            })
            .collect()
    }

    #[test]
    fn a_hand_made_game_has_the_figures_that_a_pencil_gives() {
        // From level 18: a single, a tetris with 10 points of soft drop, a double, a triple that reaches 10 lines
        // (and here level 19), a lock without a clear.
        let game = locks(&[
            ('T', 1, 18, 760),
            ('I', 4, 18, 23_570),
            ('O', 2, 18, 25_470),
            ('L', 3, 19, 31_470),
            ('S', 0, 19, 31_470),
        ]);
        let got = Statistics::of(&game, 18);
        assert_eq!((got.pieces, got.lines), (5, 10));
        near(got.tetris_rate, 0.4);
        near(got.efficiency, (40.0 + 4.0 * 300.0 + 2.0 * 50.0 + 3.0 * 100.0) / 10.0);
        assert_eq!(got.efficiency_by_ten, [got.efficiency]);
        assert_eq!(got.burn, Burn { total: 6, current: 5, longest: 5 });
        assert_eq!(got.transition, Some(Mark { lines: 10, score: 31_470 }));
        assert_eq!(got.pace, [Mark { lines: 10, score: 31_470 }]);
        assert_eq!(got.piece_counts.to_array(), [1, 0, 0, 1, 1, 1, 1]);
        assert_eq!(got.droughts, Droughts { count: 0, current: 3, last: 0, longest: 3 });
        let points = Points { soft_drop: 10, singles: 760, doubles: 1_900, triples: 6_000, tetrises: 22_800 };
        assert_eq!(got.points, points);
        assert_eq!(got.points_by_level.len(), 2);
        assert_eq!(got.points_by_level[1].level, 19);
        assert_eq!(got.points_by_level[1].points, Points { triples: 6_000, ..Points::default() });
    }

    #[test]
    fn a_drought_begins_with_the_thirteenth_piece() {
        let pieces = |text: &str| -> Vec<Piece> { text.chars().filter_map(Piece::from_letter).collect() };
        let droughts = |text: &str| Droughts::of(&pieces(text));
        assert_eq!(droughts(&"T".repeat(12)), Droughts { count: 0, current: 12, last: 0, longest: 12 });
        let two = "T".repeat(13) + "I" + &"S".repeat(15) + "ILI";
        assert_eq!(droughts(&two), Droughts { count: 2, current: 0, last: 15, longest: 15 });
        assert_eq!(droughts(&(two + "OO")).current, 2);
        assert_eq!(droughts(""), Droughts::default());
    }

    #[test]
    fn evenness_is_zero_for_equal_shares_and_grows_with_one_sided_ones() {
        let even: Vec<Piece> = Piece::ALL.into_iter().cycle().take(28).collect();
        near(evenness(&even, 28).expect("28 pieces"), 0.0);
        assert_eq!(evenness(&even, 56), None);
        assert_eq!(evenness(&[], 0), None);
        // One piece alone: six shares are 1/7 off, one is 6/7 off.
        let want = 100.0 * ((6.0 * (1.0f64 / 7.0).powi(2) + (6.0f64 / 7.0).powi(2)) / 7.0).sqrt();
        near(evenness(&[Piece::T; 9], 9).expect("nine pieces"), want);
    }

    #[test]
    fn ready_means_that_a_dropped_bar_clears_four() {
        let ready = |art: &str| is_tetris_ready(&art.parse().expect("a board"));
        assert!(ready(&"#########.\n".repeat(4)));
        assert!(ready(
            &("####.#####\n".repeat(4) + "#..#######\n".repeat(2).replace("#..#", "#.##").as_str())
        ));
        assert!(!ready(&"#########.\n".repeat(3)));
        // The I piece falls past the four rows, or does not get in.
        assert!(!ready(&("#########.\n".repeat(4) + "########..\n")));
        assert!(!ready(&(".........#\n".to_owned() + &"#########.\n".repeat(4))));
        assert!(!ready(""));
    }

    #[test]
    fn boards_follow_from_the_placements() {
        let flat = |x| Placement { y: 19, orientation: Orientation::IHorizontal, x };
        let square = Placement { y: 18, orientation: Orientation::O, x: 9 };
        let game = [flat(2), flat(6), square].map(|placement| Lock {
            frame: 1,
            placement,
            rows: 0,
            level: 19,
            score: 0,
        });
        let boards: Vec<Board> = boards(&game).collect();
        assert_eq!(boards[1].row(19), 0x0FF);
        assert_eq!((boards[2].row(19), boards[2].row(18)), (0x300, 0));
    }

    #[test]
    fn par_is_the_target_at_230_lines_and_grows_with_the_level() {
        near(par(1_000_000, 19, 230), 1e6);
        near(par(1_000_000, 19, 0), 0.0);
        // 129 lines times 19, the 130th already times 20; ten each times 20 to 29, the 230th times 30.
        near(par(600_000, 18, 130), 600_000.0 * 2_471.0 / 4_931.0);
    }
}
