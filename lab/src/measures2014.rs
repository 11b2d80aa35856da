//! The other parameters that M. Birken tried in 2014. [`Features`](maxout_engine::eval::Features) has two of them already: the solid
//! cells and, as the 2018 bot reads "column-height variance", the differences of neighbouring heights.

use maxout_engine::eval::flood;
use maxout_engine::movegen::{Moves, Start};
use maxout_rules::{Board, Piece, Placement};

/// A full row.
const FULL: u16 = 0x3FF;

/// Rows that hold a solid cell. Where no row below the top one is empty, that is the height of the tallest column.
///
/// ```
/// use maxout_lab::measures2014::occupied_rows;
/// use maxout_rules::Board;
/// let board: Board = "#.........\n..........\n..........".parse().unwrap();
/// assert_eq!(occupied_rows(&board), 1);
/// ```
pub fn occupied_rows(board: &Board) -> u32 {
    board.visible().iter().map(|&row| u32::from(row != 0)).sum()
}

/// Columns that hold a solid cell.
///
/// ```
/// use maxout_lab::measures2014::occupied_columns;
/// use maxout_rules::Board;
/// let board: Board = "#.........\n#........#".parse().unwrap();
/// assert_eq!(occupied_columns(&board), 2);
/// ```
pub fn occupied_columns(board: &Board) -> u32 {
    board.visible().iter().fold(0, |all, row| all | row).count_ones()
}

/// Ten times the sum of squares of what the column heights differ from their mean: a hundred times their variance.
///
/// ```
/// use maxout_lab::measures2014::height_variance;
/// use maxout_rules::Board;
/// let board: Board = "#####.....\n#####.....".parse().unwrap();
/// // Ten heights that are 1 off their mean.
/// assert_eq!(height_variance(&board), 100);
/// ```
pub fn height_variance(board: &Board) -> u32 {
    let heights = board.tops().map(|top| (20 - top) as u32);
    let sum: u32 = heights.iter().sum();
    10 * heights.iter().map(|height| height * height).sum::<u32>() - sum * sum
}

/// How many pieces a board falls into, moving up, down, left and right.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Regions {
    /// Of solid cells: islands.
    pub solid: u32,
    /// Of empty cells: 1 for what is open at the top, and the holes, however far they reach.
    pub empty: u32,
}

impl Regions {
    /// Counts them on `board`.
    ///
    /// ```
    /// use maxout_lab::measures2014::Regions;
    /// use maxout_rules::Board;
    /// let board: Board = "###......#\n#.#.......\n###.......".parse().unwrap();
    /// assert_eq!(Regions::of(&board), Regions { solid: 2, empty: 2 });
    /// ```
    pub fn of(board: &Board) -> Self {
        let rows = board.visible();
        Self { solid: regions(*rows), empty: regions(rows.map(|row| !row & FULL)) }
    }
}

fn regions(cells: [u16; 20]) -> u32 {
    let (mut left, mut count) = (cells, 0);
    while let Some(row) = left.iter().position(|&row| row != 0) {
        let mut from = [0; 20];
        from[row] = left[row] & left[row].wrapping_neg();
        let region = flood(from, &left);
        for (left, reached) in left.iter_mut().zip(region) {
            *left &= !reached;
        }
        count += 1;
    }
    count
}

/// In how many ways the seven pieces can be placed without making a hole: no cell of the piece comes to be over an
/// empty one. [`Moves::Commands`] counts all that can be steered to, [`Moves::Drops`] straight drops only, for a tenth
/// of the price.
///
/// ```
/// use maxout_lab::measures2014::total_fit;
/// use maxout_rules::Board;
/// use maxout_engine::movegen::Moves;
/// // T, J and L on their flat side, J and L on their two cells, O, I flat and upright; S and Z never fit.
/// let flat = total_fit(&Board::EMPTY, Moves::Drops);
/// assert_eq!(flat, 3 * 8 + 2 * 9 + 9 + (7 + 10));
/// ```
pub fn total_fit(board: &Board, moves: Moves) -> u32 {
    let mut placements = Vec::new();
    let mut count = 0;
    for piece in Piece::ALL {
        moves.list(board, &Start::spawn(piece, 0), &mut placements);
        count += placements.iter().filter(|&&placement| fits(board, placement)).count() as u32;
    }
    count
}

fn fits(board: &Board, placement: Placement) -> bool {
    let cells = placement.orientation.cells();
    cells.iter().all(|&(dx, dy)| {
        let (row, column) = (placement.y as i8 + dy + 1, placement.x as i8 + dx);
        row == 20 || board.is_solid(row, column) || cells.contains(&(dx, dy + 1))
    })
}
