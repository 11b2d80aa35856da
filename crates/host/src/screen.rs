//! Where things are on the console's screen, in pixels (the-game.md 10.4).

/// Columns of the screen.
pub const WIDTH: usize = 256;
/// Rows of the screen.
pub const HEIGHT: usize = 240;
/// Rows that a television hides at the top, and as many at the bottom.
pub const HIDDEN_ROWS: usize = 8;
/// Width and height of a cell. The last column and row of each cell are dark.
pub const CELL: usize = 8;
/// Column and row of the field's upper left corner.
pub const FIELD: (usize, usize) = (96, 48);
/// Column and row of the next box's upper left corner. The box is four cells wide and high, and the piece is centred.
pub const NEXT_BOX: (usize, usize) = (192, 112);
/// Columns of the panel that `maxout replay --overlay` adds on the right.
pub const PANEL: usize = 128;
