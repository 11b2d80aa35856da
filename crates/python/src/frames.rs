//! `Game`: the game frame by frame.

use numpy::{PyArray1, PyArray2, PyArrayMethods as _};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use serde::{Deserialize, Serialize};

use crate::arguments::{self, START_LEVELS, buttons, whole, wrong};
use crate::boards::PyBoard;
use crate::encoding::write_game;
use crate::interrupts::Lookout;
use crate::states::{self, Reduced};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Game, Piece, Seed, ram};

/// The number of frames that are played between two looks at the signals.
const CHUNK: usize = 1 << 20;

/// An A-type game on the exact rules, one step a frame (60.0988 frames a second on the console).
///
/// Game(level, seed) begins as `maxout play --seed` does: with the first control frame of a game from the start level
/// (0 to 19). A seed below 9,600 is a game that one can reach from power-on by waiting, and its first `hang` frames are
/// part of the seed only if you play them: see Game.hang. Buttons are a byte: A 128, B 64, Select 32, Start 16, Up 8,
/// Down 4, Left 2, Right 1.
#[pyclass(module = "maxout", name = "Game")]
#[derive(Clone, Serialize, Deserialize)]
#[expect(
    clippy::unsafe_derive_deserialize,
    reason = "only PyO3's macro has unsafe code, and it does not look at the fields"
)]
pub(crate) struct PyGame {
    game: Game,
    frames: u64,
    hang: u8,
}

impl PyGame {
    /// Writes the visible cells: 1 for a locked one, 2 for the piece in the air.
    pub(crate) fn write_cells(&self, cells: &mut [u8]) {
        write_game(&self.game, cells);
    }

    /// The piece in the next box, if one is shown there.
    pub(crate) fn next_piece(&self) -> Option<Piece> {
        self.game.next.piece()
    }
}

#[pymethods]
impl PyGame {
    #[new]
    #[pyo3(signature = (level = None, seed = None))]
    fn new(level: Option<&Bound<'_, PyAny>>, seed: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let level = level.map_or(Ok(19), |level| arguments::level(level, "level", START_LEVELS))?;
        let seed = Seed::new(seed.map_or(Ok(0), arguments::seed)?);
        Ok(Self { game: seed.start(level), frames: 0, hang: seed.opening().hang })
    }

    /// Plays one frame with these buttons held.
    #[pyo3(signature = (buttons = None))]
    fn step(&mut self, buttons: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        self.game.step(buttons.map_or(Ok(Buttons::NONE), self::buttons)?);
        self.frames += 1;
        Ok(())
    }

    /// Plays one frame for each byte of buttons, and stops early when the game is over. Returns the number of frames.
    ///
    /// Ctrl-C raises KeyboardInterrupt. What has been played until then stays played.
    fn play(&mut self, py: Python<'_>, buttons: &[u8]) -> PyResult<usize> {
        let before = self.frames;
        let (game, frames) = (&mut self.game, &mut self.frames);
        py.detach(|| {
            let mut lookout = Lookout::new();
            for stretch in buttons.chunks(CHUNK) {
                for &held in stretch {
                    if game.is_over() {
                        break;
                    }
                    game.step(Buttons(held));
                    *frames += 1;
                }
                lookout.look()?;
            }
            Ok((*frames - before) as usize)
        })
    }

    /// Returns a copy of the game.
    fn copy(&self) -> Self {
        self.clone()
    }

    /// Returns the byte at a RAM address (0 to 2047), or None if it is no part of the game.
    fn peek(&self, address: &Bound<'_, PyAny>) -> PyResult<Option<u8>> {
        Ok(self.game.peek(whole(address, "address", 0..=ram::SIZE as i64 - 1)? as u16))
    }

    /// Writes a byte to a RAM address (0 to 2047) as something outside the game would. Returns False and changes nothing
    /// if the address is no part of the game, or if the game could not go on from the value.
    fn poke(&mut self, address: &Bound<'_, PyAny>, byte: &Bound<'_, PyAny>) -> PyResult<bool> {
        let address = whole(address, "address", 0..=ram::SIZE as i64 - 1)? as u16;
        Ok(self.game.poke(address, whole(byte, "byte", 0..=255)? as u8))
    }

    /// Returns the 2,048 bytes of RAM: uint8 of shape (2048,). What is no part of the game is 0.
    fn ram<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<u8>> {
        let bytes = (0..ram::SIZE as u16).map(|address| self.game.peek(address).unwrap_or(0));
        PyArray1::from_iter(py, bytes)
    }

    /// The locked cells.
    #[getter]
    fn board(&self) -> PyBoard {
        PyBoard(Board::from(&self.game.page))
    }

    /// Returns the visible cells: uint8 of shape (20, 10), top row first; 1 for a locked cell and 2 for the piece in
    /// the air.
    fn cells<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<u8>>> {
        let array = PyArray2::zeros(py, [20, 10], false);
        {
            let mut writable = array.try_readwrite().map_err(wrong)?;
            self.write_cells(writable.as_slice_mut().map_err(wrong)?);
        }
        Ok(array)
    }

    /// The letter of the piece in the air, or None while none is shown.
    #[getter]
    fn piece(&self) -> Option<char> {
        self.game.id.piece().map(Piece::letter)
    }

    /// The letter of the next piece.
    #[getter]
    fn next(&self) -> Option<char> {
        self.next_piece().map(Piece::letter)
    }

    /// The column of the piece's centre.
    #[getter]
    fn x(&self) -> u8 {
        self.game.x
    }

    /// The row of the piece's centre.
    #[getter]
    fn y(&self) -> u8 {
        self.game.y
    }

    /// The orientation of the piece as the game numbers it; 19 while no piece is shown.
    #[getter]
    fn orientation(&self) -> u8 {
        self.game.id.0
    }

    /// The level.
    #[getter]
    fn level(&self) -> u8 {
        self.game.progress.level
    }

    /// The lines.
    #[getter]
    fn lines(&self) -> u32 {
        self.game.progress.lines()
    }

    /// The score as the game shows it, which stops at 999,999.
    #[getter]
    fn shown_score(&self) -> u64 {
        self.game.score.value()
    }

    /// The score without the cap.
    #[getter]
    fn score(&self) -> u64 {
        self.game.full_score.value()
    }

    /// The points for lines alone, without soft drops and without the cap.
    #[getter]
    fn points(&self) -> u64 {
        self.game.line_points
    }

    /// The frames that were played.
    #[getter]
    fn frames(&self) -> u64 {
        self.frames
    }

    /// The frames without a button after which the seed's own way to begin taps Down, which releases the first piece.
    #[getter]
    fn hang(&self) -> u8 {
        self.hang
    }

    /// Whether the game has topped out or was left.
    #[getter]
    fn over(&self) -> bool {
        self.game.is_over()
    }

    /// Whether a piece is in the air and takes buttons.
    #[getter]
    fn in_control(&self) -> bool {
        self.game.play_state == maxout_rules::PlayState::Control
    }

    fn __copy__(&self) -> Self {
        self.clone()
    }

    #[pyo3(signature = (_memo = None))]
    fn __deepcopy__(&self, _memo: Option<&Bound<'_, PyAny>>) -> Self {
        self.clone()
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>,)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (states::write(py, self)?,)))
    }

    /// Makes the game of a state that pickle has kept.
    #[staticmethod]
    fn _restore(state: &[u8]) -> PyResult<Self> {
        states::read(state, "Game")
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.game == other.game
    }

    fn __repr__(&self) -> String {
        let (level, lines, score) = (self.level(), self.lines(), self.score());
        format!("<Game: frame {}, level {level}, {lines} lines, {score} points>", self.frames)
    }
}
