//! How deep the wells of a board are, by two readings. A *well cell* is an empty cell whose left and right
//! neighbours are solid, wherever it is; walls are solid.

use maxout_rules::Board;

fn wells(row: u16) -> u16 {
    !row & (row << 1 | 1) & (row >> 1 | 1 << 9)
}

/// P. Dellacherie's cumulative wells: 1 + 2 + … + d for each vertical run of d well cells.
///
/// ```
/// use maxout_gallery::eval::cumulative_wells;
/// use maxout_rules::Board;
/// let board: Board = "#.########\n#.######.#\n#.####.##.".parse().unwrap();
/// assert_eq!(cumulative_wells(&board), 6 + 1 + 1 + 1);
/// ```
pub fn cumulative_wells(board: &Board) -> u32 {
    let mut depth = [0u16; 20];
    let mut sum = 0;
    // Run r of row y: the columns in which rows y - r to y are well cells.
    for (y, &row) in board.visible().iter().enumerate() {
        depth[y] = wells(row);
        let mut run = depth[y];
        for &above in depth[..y].iter().rev() {
            if run == 0 {
                break;
            }
            sum += run.count_ones();
            run &= above;
        }
        sum += run.count_ones();
    }
    sum
}

/// As El-Tetris' program counts: for each well cell 1, and 1 for each empty cell in a row below it.
///
/// ```
/// use maxout_gallery::eval::open_wells;
/// use maxout_rules::Board;
/// let board: Board = "#.########\n..########".parse().unwrap();
/// assert_eq!(open_wells(&board), 2);
/// ```
pub fn open_wells(board: &Board) -> u32 {
    let rows = board.visible();
    let mut sum = 0;
    for (y, &row) in rows.iter().enumerate() {
        let mut run = wells(row);
        for &below in &rows[y + 1..] {
            if run == 0 {
                break;
            }
            sum += run.count_ones();
            run &= !below;
        }
        sum += run.count_ones();
    }
    sum
}

/// Columns whose top cell has solid neighbours left and right; walls are solid. A count of well cells that begins at
/// the top cell instead of above it has these too.
///
/// ```
/// use maxout_gallery::eval::walled_tops;
/// use maxout_rules::Board;
/// // The first column, between the wall and its neighbour, and the third; the second and fourth stand free.
/// let board: Board = ".#.#......\n####......".parse().unwrap();
/// assert_eq!(walled_tops(&board), 2);
/// ```
pub fn walled_tops(board: &Board) -> u32 {
    let (mut roof, mut count) = (0, 0);
    for &row in board.visible() {
        count += (row & !roof & (row << 1 | 1) & (row >> 1 | 1 << 9)).count_ones();
        roof |= row;
    }
    count
}
