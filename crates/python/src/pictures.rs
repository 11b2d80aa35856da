//! `Canvas`: a picture of a game, of which only what has changed is redrawn.

use numpy::{PyArray3, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{whole, wrong};
use crate::encoding::CELLS;
use crate::frames::PyGame;
use crate::states::{self, Reduced};
use maxout_host::screen::{CELL, FIELD, HEIGHT, NEXT_BOX, WIDTH};
use maxout_rules::Piece;

/// Rows, columns and colours of a picture, which are those of the console's screen.
const SIZE: [usize; 3] = [HEIGHT, WIDTH, 3];
/// The colours of the background, of the frames around field and next box, and of a cell: empty, locked, in the air.
const BACK: [u8; 3] = [16, 16, 24];
const FRAME: [u8; 3] = [96, 96, 112];
const COLOURS: [[u8; 3]; 3] = [[0; 3], [168, 168, 176], [240, 208, 80]];
/// Cells of the next box in each direction.
const BOX: usize = 4;

/// A picture of a game: 240 rows of 256 pixels, with field and next piece where the console's screen has them. Each
/// drawing changes the same array, and redraws only the cells that have changed.
#[pyclass(module = "maxout._maxout", name = "Canvas")]
pub(crate) struct Canvas {
    /// The picture: uint8 (240, 256, 3). Do not write to it: what you change may stay wrong in later drawings.
    #[pyo3(get)]
    picture: Py<PyArray3<u8>>,
    drawn: [u8; CELLS],
    next: Option<Piece>,
}

/// Fills a rectangle of a picture, whose corner is a column and a row.
fn fill(picture: &mut [u8], (left, top): (usize, usize), [height, width]: [usize; 2], colour: [u8; 3]) {
    for row in picture.chunks_exact_mut(SIZE[1] * SIZE[2]).skip(top).take(height) {
        for pixel in row.chunks_exact_mut(SIZE[2]).skip(left).take(width) {
            pixel.copy_from_slice(&colour);
        }
    }
}

/// Draws a cell of the grid that begins at `corner`. The dark lines around it stay.
fn fill_cell(picture: &mut [u8], (left, top): (usize, usize), row: usize, column: usize, cell: u8) {
    let colour = COLOURS[usize::from(cell).min(COLOURS.len() - 1)];
    fill(picture, (left + column * CELL, top + row * CELL), [CELL - 1; 2], colour);
}

/// Draws a piece in the middle of the next box, as it spawns.
fn fill_next(picture: &mut [u8], piece: Piece, cell: u8) {
    let cells = piece.spawn().cells();
    let ends = |of: fn(&(i8, i8)) -> i8| {
        let (least, most) = (cells.iter().map(of).min(), cells.iter().map(of).max());
        least.zip(most).unwrap_or_default()
    };
    let ((left, right), (top, bottom)) = (ends(|cell| cell.0), ends(|cell| cell.1));
    let before = |first: i8, last: i8| (BOX - (last - first + 1) as usize) * CELL / 2;
    let corner = (NEXT_BOX.0 + before(left, right), NEXT_BOX.1 + before(top, bottom));
    for &(x, y) in cells {
        fill_cell(picture, corner, (y - top) as usize, (x - left) as usize, cell);
    }
}

impl Canvas {
    fn change(&mut self, py: Python<'_>, cells: &[u8; CELLS], next: Option<Piece>) -> PyResult<()> {
        let mut picture = self.picture.bind(py).try_readwrite().map_err(wrong)?;
        let picture = picture.as_slice_mut().map_err(wrong)?;
        for (at, (&cell, drawn)) in cells.iter().zip(&mut self.drawn).enumerate() {
            if cell != *drawn {
                fill_cell(picture, FIELD, at / 10, at % 10, cell);
                *drawn = cell;
            }
        }
        if next != self.next {
            for (piece, cell) in [(self.next, 0), (next, 2)] {
                if let Some(piece) = piece {
                    fill_next(picture, piece, cell);
                }
            }
            self.next = next;
        }
        Ok(())
    }
}

#[pymethods]
impl Canvas {
    #[new]
    fn new(py: Python<'_>) -> PyResult<Self> {
        let picture = PyArray3::zeros(py, SIZE, false);
        {
            let mut pixels = picture.try_readwrite().map_err(wrong)?;
            let pixels = pixels.as_slice_mut().map_err(wrong)?;
            fill(pixels, (0, 0), [SIZE[0], SIZE[1]], BACK);
            for ((left, top), cells) in [(FIELD, [20, 10]), (NEXT_BOX, [BOX; 2])] {
                let size = cells.map(|cells| cells * CELL);
                fill(pixels, (left - 2, top - 2), size.map(|size| size + 4), FRAME);
                fill(pixels, (left, top), size, COLOURS[0]);
            }
        }
        Ok(Self { picture: picture.unbind(), drawn: [0; CELLS], next: None })
    }

    /// The cells and the next piece that are drawn are what pickle keeps.
    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>, Option<u8>)> {
        let next = self.next.map(|piece| piece as u8);
        Ok((py.get_type::<Self>().getattr("_restore")?, (PyBytes::new(py, &self.drawn), next)))
    }

    /// Makes the canvas of what pickle has kept.
    #[staticmethod]
    fn _restore(py: Python<'_>, drawn: [u8; CELLS], next: Option<usize>) -> PyResult<Self> {
        let next = next.map(|piece| Piece::ALL.get(piece).copied().ok_or_else(|| states::foreign("Canvas")));
        let mut canvas = Self::new(py)?;
        canvas.change(py, &drawn, next.transpose()?)?;
        Ok(canvas)
    }

    /// Draws cells, uint8 (20, 10): 1 is locked, 2 is the piece in the air; and the next piece, 0 to 6, if there is one.
    #[pyo3(signature = (cells, next_piece = None))]
    fn draw(
        &mut self,
        py: Python<'_>,
        cells: PyReadonlyArray2<'_, u8>,
        next_piece: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<()> {
        if cells.shape() != [20, 10] {
            return Err(wrong(format!("cells has shape {:?}, expected (20, 10)", cells.shape())));
        }
        let next = next_piece.map(|piece| whole(piece, "next_piece", 0..=6)).transpose()?;
        let mut wanted = [0; CELLS];
        for (wanted, &cell) in wanted.iter_mut().zip(cells.as_array()) {
            *wanted = cell;
        }
        self.change(py, &wanted, next.map(|piece| Piece::ALL[piece as usize]))
    }

    /// Draws a game.
    fn draw_game(&mut self, py: Python<'_>, game: &PyGame) -> PyResult<()> {
        let mut cells = [0; CELLS];
        game.write_cells(&mut cells);
        self.change(py, &cells, game.next_piece())
    }
}
