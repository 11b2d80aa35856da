//! `Board`, `Placement` and `placements`.

use numpy::{PyArray2, PyArrayMethods as _, PyReadonlyArray2, PyUntypedArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{level, piece, read, shown, taps, whole, wrong};
use crate::encoding::{CELLS, action, write_board};
use crate::hovering::{self, Delay};
use crate::states::{self, Reduced};
use maxout_engine::movegen::{Moves, Reach, Start, Then};
use maxout_rules::{Board, Orientation, Placement};

/// The locked cells: 20 visible rows of 10, and 2 rows above them.
///
/// Board() is empty. Board(text) reads lines of "." and "#" (or "X", or digits of which 0 is empty), bottom row last; missing rows
/// above are empty. It also reads 200 digits, row by row from the top left, rows between "|", JSON arrays of rows or of 200
/// numbers, and boards that StackRabbit has compressed ("16,,4").
/// A board does not change: lock() returns another.
#[pyclass(module = "maxout", name = "Board", frozen, eq, hash)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyBoard(pub(crate) Board);

#[pymethods]
impl PyBoard {
    #[new]
    #[pyo3(signature = (text = ""))]
    fn new(text: &str) -> PyResult<Self> {
        text.parse().map(Self).map_err(wrong)
    }

    /// Makes a board from an array of whole numbers or bools of shape (20, 10), top row first, in which everything but 0 is
    /// solid.
    #[staticmethod]
    fn from_array(cells: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = cells.py();
        let expected = "expected whole numbers or bools of shape (20, 10)";
        let numpy = py.import("numpy")?;
        let array = read(py, numpy.call_method1("asarray", (cells,)))?;
        let array = array.ok_or_else(|| wrong(format!("cells is no array, {expected}")))?;
        let dtype = array.getattr("dtype")?;
        let is_whole = match dtype.getattr("kind")?.extract::<char>()? {
            'b' | 'i' | 'u' => true,
            // What has a fraction or is no number at all is not a cell.
            'f' => numpy
                .call_method1("equal", (&array, numpy.call_method1("trunc", (&array,))?))?
                .call_method1("__and__", (numpy.call_method1("isfinite", (&array,))?,))?
                .call_method0("all")?
                .is_truthy()?,
            _ => return Err(wrong(format!("cells has the type {}, {expected}", shown(&dtype)))),
        };
        if !is_whole {
            return Err(wrong(format!("cells has a number that is not whole, {expected}")));
        }
        let solid = numpy.call_method1("not_equal", (&array, 0))?;
        let bytes = solid
            .extract::<PyReadonlyArray2<'_, bool>>()
            .map_err(|_| wrong(format!("cells has another number of axes, {expected}")))?;
        if bytes.shape() != [20, 10] {
            return Err(wrong(format!("cells has shape {:?}, expected (20, 10)", bytes.shape())));
        }
        let mut rows = [0; 22];
        for (row, cells) in bytes.as_array().rows().into_iter().enumerate() {
            for (column, &solid) in cells.iter().enumerate() {
                rows[row + 2] |= u16::from(solid) << column;
            }
        }
        Ok(Self(Board::from_rows(rows)))
    }

    /// Returns the visible cells: uint8 of shape (20, 10), top row first, 1 for a solid cell.
    fn to_array<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let array = PyArray2::zeros(py, [20, 10], false);
        write_board(&self.0, array.try_readwrite().map_err(wrong)?.as_slice_mut().map_err(wrong)?);
        Ok(array)
    }

    /// The 22 rows as numbers, row -2 first; bit c of a number is column c.
    #[getter]
    fn rows(&self) -> Vec<u16> {
        self.0.rows().to_vec()
    }

    /// The number of solid cells.
    #[getter]
    fn cells(&self) -> u32 {
        self.0.cells()
    }

    /// The height of each of the ten columns, 0 to 20.
    #[getter]
    fn heights(&self) -> Vec<i8> {
        self.0.tops().iter().map(|top| 20 - top).collect()
    }

    /// Locks a piece and clears the rows that it completes. Returns the new board and the lines, 0 to 4.
    ///
    /// Raises ValueError if the piece does not fit there.
    fn lock(&self, placement: &PyPlacement) -> PyResult<(Self, u8)> {
        let Placement { y, orientation: id, x } = placement.0;
        if !self.0.is_valid(x, y, id) {
            return Err(wrong(format!("{} does not fit on this board", placement.__repr__())));
        }
        let mut board = self.0;
        let lines = board.lock(x, y, id);
        Ok((Self(board), lines))
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let text = self.0.to_string();
        let lines: Vec<&str> = text.lines().skip_while(|line| !line.contains('#')).collect();
        format!("Board({:?})", lines.join("\n"))
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (String,)) {
        (py.get_type::<Self>().into_any(), (self.0.to_string(),))
    }
}

/// Where a piece locks: the row (0 to 19) and the column (0 to 9) of its centre, and its orientation as the game numbers
/// them (0 to 18, all pieces together).
#[pyclass(module = "maxout", name = "Placement", frozen, eq, ord, hash)]
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct PyPlacement(pub(crate) Placement);

#[pymethods]
impl PyPlacement {
    #[new]
    fn new(y: &Bound<'_, PyAny>, orientation: &Bound<'_, PyAny>, x: &Bound<'_, PyAny>) -> PyResult<Self> {
        let (y, x) = (whole(y, "y", 0..=19)? as u8, whole(x, "x", 0..=9)? as u8);
        let orientation = Orientation::ALL[whole(orientation, "orientation", 0..=18)? as usize];
        Ok(Self(Placement { y, orientation, x }))
    }

    /// The row of the centre; row 0 is the top.
    #[getter]
    fn y(&self) -> u8 {
        self.0.y
    }

    /// The column of the centre; column 0 is on the left.
    #[getter]
    fn x(&self) -> u8 {
        self.0.x
    }

    /// The orientation as the game numbers it.
    #[getter]
    fn orientation(&self) -> u8 {
        self.0.orientation.id()
    }

    /// The letter of the piece.
    #[getter]
    fn piece(&self) -> char {
        self.0.orientation.piece().letter()
    }

    /// The action of the environments that means this placement: turn × 200 + row × 10 + column.
    #[getter]
    fn action(&self) -> usize {
        action(self.0)
    }

    /// The four cells as pairs of row and column; rows -2 and -1 are above the visible ones.
    #[getter]
    fn cells(&self) -> Vec<(i8, i8)> {
        let Placement { y, orientation: id, x } = self.0;
        id.cells().iter().map(|&(dx, dy)| (y as i8 + dy, x as i8 + dx)).collect()
    }

    pub(crate) fn __repr__(&self) -> String {
        let Placement { y, orientation, x } = self.0;
        format!("Placement(y={y}, orientation={}, x={x})", orientation.id())
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> (Bound<'py, PyAny>, (u8, u8, u8)) {
        (py.get_type::<Self>().into_any(), (self.0.y, self.0.orientation.id(), self.0.x))
    }
}

/// Lists every placement that frame-by-frame play can reach with a piece that has just spawned, in a fixed order.
///
/// piece is a letter or 0 to 6 in the order T J Z O S L I; level (0 to 255) decides the gravity. taps says when buttons
/// may be pressed: "each-button" (each at most every second frame), "one-per-row", a rate such as "12hz", a timeline such as "X..X.", or a table such as
/// "0,2,4,6,18" in frames.
#[pyfunction]
#[pyo3(signature = (board, piece, level, *, taps = "each-button"))]
pub(crate) fn placements(
    board: &PyBoard,
    piece: &Bound<'_, PyAny>,
    level: &Bound<'_, PyAny>,
    taps: &str,
) -> PyResult<Vec<PyPlacement>> {
    let start = Start::spawn(self::piece(piece, "piece")?, self::level(level, "level", 0..=255)?);
    let mut found = Vec::with_capacity(CELLS);
    Moves::Pad(self::taps(taps)?).list(&board.0, &start, &mut found);
    Ok(found.into_iter().map(PyPlacement).collect())
}

/// A state that a piece can be in some frames after it spawned. A player that does not know the next piece yet chooses among
/// these states.
#[pyclass(module = "maxout", name = "Hover", frozen)]
pub(crate) struct PyHover {
    /// The action of the environments that means this state in the first step of a piece.
    #[pyo3(get)]
    action: usize,
    /// Where the piece is: row, column and orientation.
    #[pyo3(get)]
    at: PyPlacement,
    then: Then,
    buttons: Vec<u8>,
    board: Board,
    delay: Delay,
}

#[pymethods]
impl PyHover {
    /// Whether the piece has locked by then.
    #[getter]
    fn locked(&self) -> bool {
        matches!(self.then, Then::Locked(_))
    }

    /// The buttons that lead there, one byte for each frame from the first frame of the piece on. If the piece has locked,
    /// they end with the last press.
    #[getter]
    fn buttons<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &self.buttons)
    }

    /// Lists the placements that can still be reached, in a fixed order. There is only one if the piece has locked.
    fn placements(&self) -> Vec<PyPlacement> {
        let mut found = Vec::new();
        hovering::onward(&self.board, self.then, self.delay.limits, &mut found);
        found.into_iter().map(PyPlacement).collect()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        let state = (self.action, self.at.0, self.then, &self.buttons, self.board, self.delay);
        Ok((py.get_type::<Self>().getattr("_restore")?, (states::write(py, &state)?,)))
    }

    /// Makes the state of a piece that pickle has kept.
    #[staticmethod]
    fn _restore(state: &[u8]) -> PyResult<Self> {
        let (action, at, then, buttons, board, delay) = states::read(state, "Hover")?;
        let place = hovering::place(then);
        if at != place || place.x > 9 || place.y > 19 {
            return Err(states::foreign("Hover"));
        }
        Ok(Self { action, at: PyPlacement(at), then, buttons, board, delay })
    }

    fn __repr__(&self) -> String {
        let Placement { y, orientation: id, x } = self.at.0;
        format!(
            "<Hover: y={y}, orientation={}, x={x}, locked={}>",
            id.id(),
            if self.locked() { "True" } else { "False" }
        )
    }
}

/// Lists the states that a piece that has just spawned can be in after some frames (0 to 255), in a fixed order. A state is
/// left out if the piece can be in the same place with more freedom. What can be reached from these states, taken together,
/// is what placements() lists.
///
/// The other arguments are those of placements().
#[pyfunction]
#[pyo3(signature = (board, piece, level, frames, *, taps = "each-button"))]
pub(crate) fn hovers(
    board: &PyBoard,
    piece: &Bound<'_, PyAny>,
    level: &Bound<'_, PyAny>,
    frames: &Bound<'_, PyAny>,
    taps: &str,
) -> PyResult<Vec<PyHover>> {
    let start = Start::spawn(self::piece(piece, "piece")?, self::level(level, "level", 0..=255)?);
    let delay = Delay { limits: self::taps(taps)?, frames: whole(frames, "frames", 0..=255)? as u32 };
    let Some(reach) = Reach::new(&board.0, &start, delay.limits) else { return Ok(Vec::new()) };
    let choices = hovering::choices(&reach, delay.frames);
    let made = choices.iter().map(|choice| PyHover {
        action: choice.action,
        at: PyPlacement(hovering::place(choice.hover.then)),
        then: choice.hover.then,
        buttons: reach.inputs_of(&choice.hover).iter().map(|buttons| buttons.0).collect(),
        board: board.0,
        delay,
    });
    Ok(made.collect())
}
