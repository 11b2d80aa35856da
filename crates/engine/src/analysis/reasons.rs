//! Why a placement is worse than another, in words that players use: [`reasons`].

use std::fmt;

use super::Verdict;
use crate::Position;
use crate::eval::Shape;
use maxout_rules::Piece;
use maxout_rules::danger::{Risk, risk};

/// A well is a column this many rows lower than its neighbours: only an I fills it without a hole.
const WELL: u8 = 3;
/// At a wall this is enough: a stack that leaves the edge free has its well there.
const EDGE: u8 = 2;
/// From this height on, one more row matters.
const HIGH: u8 = 10;
/// By how many rows a piece must lie higher to be worth a word.
const ABOVE: i8 = 3;
/// Differences in height, added up, by which a surface is noticeably more uneven than another.
const UNEVEN: u8 = 4;

/// What a placement does to the board that a better one does not. Columns count from 1 at the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// Clearing this number of lines now can crash the game, even with the next box hidden. The better placement is safe.
    Crashes(u8),
    /// The better placement clears four rows.
    MissesTetris,
    /// The piece lies above empty cells of a well.
    CoversWell {
        /// The column of the well.
        column: u8,
    },
    /// The piece fills part of the deepest well and clears nothing.
    FillsWell {
        /// The column of the well.
        column: u8,
    },
    /// This number of cells more are empty below a solid one, covered wells aside.
    MakesHoles(u8),
    /// Both placements make holes, this one the given number more.
    MakesMoreHoles(u8),
    /// Rows are cleared, but not four at a time.
    Burns(u8),
    /// Only an I can fill this column now.
    NeedsI {
        /// The column.
        column: u8,
    },
    /// The next piece must make a hole, or has no place at all.
    CrampsNext(Piece),
    /// The better placement clears more rows, but not four.
    ClearsFewer(u8),
    /// The tallest column is taller than after the better placement, by this number of rows.
    StacksHigher(u8),
    /// The piece lies above where the better placement puts it, by this number of rows.
    LiesHigher(u8),
    /// Neighbouring columns differ more in height.
    Uneven,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashes(1) => f.write_str("clears a line, which can crash the game now"),
            Self::Crashes(lines) => write!(f, "clears {lines} lines, which can crash the game now"),
            Self::MissesTetris => f.write_str("misses a tetris"),
            Self::CoversWell { column } => write!(f, "covers the well in column {column}"),
            Self::FillsWell { column } => write!(f, "fills the well in column {column}"),
            Self::MakesHoles(1) => f.write_str("makes a hole"),
            Self::MakesHoles(holes) => write!(f, "makes {holes} holes"),
            Self::MakesMoreHoles(1) => f.write_str("makes one hole more"),
            Self::MakesMoreHoles(holes) => write!(f, "makes {holes} holes more"),
            Self::Burns(1) => f.write_str("burns a line"),
            Self::Burns(lines) => write!(f, "burns {lines} lines"),
            Self::NeedsI { column } => write!(f, "needs an I in column {column}"),
            Self::CrampsNext(piece) => write!(f, "leaves no clean place for the next piece, {piece}"),
            Self::ClearsFewer(1) => f.write_str("clears one line fewer"),
            Self::ClearsFewer(lines) => write!(f, "clears {lines} lines fewer"),
            Self::StacksHigher(1) => f.write_str("stacks a row higher"),
            Self::StacksHigher(rows) => write!(f, "stacks {rows} rows higher"),
            Self::LiesHigher(rows) => write!(f, "lies {rows} rows higher"),
            Self::Uneven => f.write_str("leaves the surface more uneven"),
        }
    }
}

/// Returns what `played` does to the board that `best` does not, the gravest first. The list is empty for the same placement,
/// and where the two boards differ in nothing that has a name.
///
/// ```
/// use maxout_engine::Position;
/// use maxout_engine::analysis::reasons;
/// use maxout_engine::movegen::Start;
/// use maxout_engine::player::find;
/// use maxout_engine::search::Foresight;
/// use maxout_rules::{Board, Piece, Progress};
///
/// let mut analyst = find("maxout-2ply").unwrap().analyst(Foresight::DEFAULT).unwrap();
/// let board: Board = "#########.\n".repeat(4).parse().unwrap();
/// let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(100, 19));
/// let verdicts = analyst.rank(&position);
/// // Flat over the well, in columns 7 to 10.
/// let flat = verdicts.iter().find(|verdict| verdict.placement.x == 8 && verdict.placement.y == 15).unwrap();
/// let words: Vec<String> = reasons(&position, flat, &verdicts[0]).iter().map(ToString::to_string).collect();
/// assert_eq!(words[..2], ["misses a tetris", "covers the well in column 10"]);
/// ```
pub fn reasons(position: &Position, played: &Verdict, best: &Verdict) -> Vec<Reason> {
    if played.placement == best.placement {
        return Vec::new();
    }
    let before = Shape::of(&position.board);
    let (here, there) = (Outcome::of(position, played), Outcome::of(position, best));
    let mut found = Vec::new();
    let fails = |rows| {
        let mut after = position.progress;
        after.add_rows(rows);
        risk(rows, after.level, true) != Risk::None
    };
    if here.rows > 0 && fails(here.rows) && !fails(there.rows) {
        found.push(Reason::Crashes(here.rows));
    }
    if there.rows == 4 && here.rows < 4 {
        found.push(Reason::MissesTetris);
    }
    // Holes under a covered well are not counted again.
    let [mut before_it, mut after_it, mut after_best] =
        [&before, &here.shape, &there.shape].map(Shape::all_holes);
    for column in 0..10 {
        let more = |shape: &Shape| shape.holes[column] > before.holes[column];
        let is_edge = column == 0 || column == 9;
        let is_well = depth(&before, column) >= if is_edge { EDGE } else { WELL };
        if is_well && more(&here.shape) && !more(&there.shape) {
            found.push(Reason::CoversWell { column: column as u8 + 1 });
            before_it -= before.holes[column];
            after_it -= here.shape.holes[column];
            after_best -= there.shape.holes[column];
        }
    }
    let well = deepest(&before);
    let touches = |verdict: &Verdict| {
        verdict
            .placement
            .orientation
            .cells()
            .iter()
            .any(|(dx, _)| verdict.placement.x as i8 + dx == well as i8)
    };
    let is_filled = here.shape.holes[well] <= before.holes[well] && here.rows == 0;
    if depth(&before, well) >= WELL && is_filled && touches(played) && !touches(best) {
        found.push(Reason::FillsWell { column: well as u8 + 1 });
    }
    if after_best <= before_it && after_it > before_it {
        found.push(Reason::MakesHoles(after_it - before_it));
    } else if after_it > before_it.max(after_best) {
        found.push(Reason::MakesMoreHoles(after_it - after_best));
    }
    if (1..4).contains(&here.rows) && (there.rows == 4 || there.rows < here.rows) {
        found.push(Reason::Burns(here.rows));
    }
    if found.is_empty() && there.rows < 4 && there.rows > here.rows {
        found.push(Reason::ClearsFewer(there.rows - here.rows));
    }
    let needs_i = |&column: &usize| {
        column != well && depth(&here.shape, column) >= WELL && depth(&there.shape, column) < WELL
    };
    found.extend((0..10).filter(needs_i).map(|column| Reason::NeedsI { column: column as u8 + 1 }));
    if let Some(next) = position.next
        && here.cramps_next
        && !there.cramps_next
    {
        found.push(Reason::CrampsNext(next));
    }
    // Rows that are cleared count as if they were still there: they are another reason.
    let tallest =
        |outcome: &Outcome| outcome.shape.heights.iter().max().map_or(0, |&high| high + outcome.rows);
    let higher = tallest(&here).saturating_sub(tallest(&there));
    let is_high = higher >= 2 || higher == 1 && found.is_empty() && tallest(&here) >= HIGH;
    let lowest = |verdict: &Verdict| {
        let rows = verdict.placement.orientation.cells().iter().map(|(_, dy)| verdict.placement.y as i8 + dy);
        rows.max().unwrap_or(0)
    };
    let above = lowest(best) - lowest(played);
    if is_high {
        found.push(Reason::StacksHigher(higher));
    } else if found.is_empty() && above >= ABOVE {
        found.push(Reason::LiesHigher(above as u8));
    }
    if found.is_empty() && unevenness(&here.shape) >= unevenness(&there.shape) + UNEVEN {
        found.push(Reason::Uneven);
    }
    found
}

/// What a placement leaves.
struct Outcome {
    /// The rows that it clears.
    rows: u8,
    /// The board after it.
    shape: Shape,
    /// Whether the best answer with the next piece makes a hole.
    cramps_next: bool,
}

impl Outcome {
    fn of(position: &Position, verdict: &Verdict) -> Self {
        let place = verdict.placement;
        let rows = { position.board }.lock(place.x, place.y, place.orientation);
        let shape = Shape::of(&verdict.board_after);
        let cramps_next = verdict.reply.is_none_or(|reply| {
            let mut board = verdict.board_after;
            board.lock(reply.x, reply.y, reply.orientation);
            Shape::of(&board).all_holes() > shape.all_holes()
        });
        Self { rows, shape, cramps_next }
    }
}

/// By how many rows a column is lower than both neighbours; walls are higher than anything.
fn depth(shape: &Shape, column: usize) -> u8 {
    let height = |at: Option<usize>| at.and_then(|at| shape.heights.get(at).copied()).unwrap_or(u8::MAX);
    let (left, right) = (height(column.checked_sub(1)), height(Some(column + 1)));
    left.min(right).saturating_sub(shape.heights[column])
}

/// The column that is deepest between its neighbours, the rightmost among equals.
fn deepest(shape: &Shape) -> usize {
    (0..10).max_by_key(|&column| depth(shape, column)).unwrap_or(0)
}

/// The differences in height between neighbouring columns, the deepest well aside.
fn unevenness(shape: &Shape) -> u8 {
    let well = deepest(shape);
    let heights: Vec<u8> =
        (0..10).filter(|&column| column != well).map(|column| shape.heights[column]).collect();
    heights.windows(2).map(|pair| pair[0].abs_diff(pair[1])).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::movegen::Start;
    use maxout_rules::{Board, Orientation, Placement, Progress};

    /// The cells of a drawing that hold one of these letters, as column and row.
    fn cells_of(drawing: &str, letters: &str) -> Vec<(i8, i8)> {
        let rows: Vec<&str> = drawing.trim().lines().map(str::trim).collect();
        let mut cells = Vec::new();
        for (y, row) in (20 - rows.len() as i8..).zip(&rows) {
            assert_eq!(row.len(), 10, "{row}");
            cells.extend(
                (0..).zip(row.chars()).filter(|(_, cell)| letters.contains(*cell)).map(|(x, _)| (x, y)),
            );
        }
        cells
    }

    /// The placement that takes these cells.
    fn placed(cells: &[(i8, i8)]) -> Placement {
        let columns =
            |orientation| (0..10).flat_map(move |x| (0..20).map(move |y| Placement { y, orientation, x }));
        let takes = |&Placement { y, orientation, x }: &Placement| {
            let mut taken: Vec<_> =
                orientation.cells().iter().map(|(dx, dy)| (x as i8 + dx, y as i8 + dy)).collect();
            taken.sort_unstable_by_key(|&(x, y)| (y, x));
            taken == cells
        };
        assert_eq!(cells.len(), 4);
        Orientation::ALL.into_iter().flat_map(columns).find(takes).expect("the cells of a piece")
    }

    /// The reasons of a drawing: `#` is locked, `p` what was played, `b` what is best, `*` belongs to both. `next` draws
    /// both boards again, with the cells of the next piece as `n`.
    fn why(drawing: &str, next: Option<[&str; 2]>) -> String {
        why_at(Progress::at(0, 19), drawing, next)
    }

    fn why_at(progress: Progress, drawing: &str, next: Option<[&str; 2]>) -> String {
        let locked: String =
            drawing.chars().map(|cell| if "pb*".contains(cell) { '.' } else { cell }).collect();
        let board: Board = locked.replace(' ', "").trim().parse().expect("a drawing");
        let replies = next.map(|next| next.map(|drawing| placed(&cells_of(drawing, "n"))));
        let verdict = |letters: &str, number: usize| {
            let placement = placed(&cells_of(drawing, letters));
            let mut board_after = board;
            board_after.lock(placement.x, placement.y, placement.orientation);
            let reply = replies.map(|replies| replies[number]);
            let (points, loss, topout, value) = (0.0, 0.0, 0.0, 0.0);
            Verdict { placement, board_after, points, loss, topout, value, reply, replies: [None; 7] }
        };
        let (played, best) = (verdict("p*", 0), verdict("b*", 1));
        let start = Start::spawn(played.placement.orientation.piece(), 19);
        let next = replies.map(|replies| replies[0].orientation.piece());
        let position = Position { board, start, next, progress };
        reasons(&position, &played, &best).iter().map(ToString::to_string).collect::<Vec<_>>().join(", ")
    }

    #[test]
    fn a_clear_that_can_crash_the_game_is_the_gravest_reason() {
        let tetris = "......bbbb\n#########p\n#########p\n#########p\n#########p";
        for (lines, level, told) in [
            (1_600, 166, ""),
            // It stays on level 167, or brings level 168.
            (1_610, 167, ""),
            (1_617, 167, "clears 4 lines, which can crash the game now"),
            (1_630, 169, "clears 4 lines, which can crash the game now"),
            (1_780, 184, ""),
        ] {
            assert_eq!(
                why_at(Progress::at(lines, level), tetris, None),
                told,
                "{lines} lines at level {level}"
            );
        }
    }

    #[test]
    fn a_board_says_why_a_placement_is_worse() {
        let drawings = [
            (
                "......pppp\n#########b\n#########b\n#########b\n#########b",
                "misses a tetris, covers the well in column 10",
            ),
            (
                "p.........\np.........\np.........\np.........\n#########b\n#########b\n#########b\n#########b",
                "misses a tetris, stacks 4 rows higher",
            ),
            // Two rows are a well at the edge; in the middle they are holes.
            ("bbbb..pppp\n#########.\n#########.", "covers the well in column 10"),
            (".....b....\n...pp*p...\n#####b####\n#####b####", "makes 2 holes"),
            (".bb...pp..\n##bb...pp.", "makes a hole"),
            // The better one makes three.
            ("...p......\n...***....\n####.b....\n####......", "makes one hole more"),
            ("bbbb.....p\n########.p\n#########p\n#########p", "burns 2 lines"),
            (".pp.bb....\n.pp.bb....\n.########.\n.########.", "needs an I in column 1"),
            (
                "b########p\nb########p\nb########p\nb########p",
                "fills the well in column 10, needs an I in column 1",
            ),
            ("pp........\npp........\n########bb\n########bb", "clears 2 lines fewer, stacks 2 rows higher"),
            (
                "#.........\n#.........\n#.......pp\n#.......pp\n#......###\n#......###\n#...bb.###\n#...bb.###",
                "lies 4 rows higher",
            ),
            ("....p.....\nb...p.....\nbbbpp.....\n#########.", "leaves the surface more uneven"),
            ("ppbb......\nppbb......", ""),
        ];
        for (drawing, words) in drawings {
            assert_eq!(why(drawing, None), words, "{drawing}");
        }
        let next = [".p........\npp...nn...\n#p..nn....", "...n......\n..bnn.....\n#bbbn....."];
        let words = why(".p........\nppb.......\n#*bb......", Some(next));
        assert_eq!(words, "leaves no clean place for the next piece, S");
    }
}
