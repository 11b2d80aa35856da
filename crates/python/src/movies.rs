//! `Movie`: the buttons of every frame from power-on, as other emulators keep them.

use std::ffi::CString;
use std::path::Path;
use std::sync::Arc;

use pyo3::exceptions::PyUserWarning;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{self, START_LEVELS, name_of, os_error, shortened, wrong};
use crate::cartridges::identity;
use crate::interrupts::abandonable;
use crate::saving;
use crate::states::{self, Reduced};
use maxout_record::movie::{self, Credits, Movie, MovieFormat, MovieFrame};
use maxout_record::result::GameResult;
use maxout_record::text::is_control;
use maxout_rules::input::Buttons;
use maxout_rules::{MenuScript, Seed, SeedError, Stop};

/// The number of different waits in the level menu, and so of games that power-on reaches.
const WAITS: u8 = 120;

/// Most characters of a player's name. A movie's header has room for it.
const MOST_NAME: usize = 200;

/// A movie: what was pressed in every frame from power-on.
///
/// Movie.read(path) reads an FM2 (FCEUX) or a BK2 (BizHawk), Movie.of_game() makes one of a game, and write(path) writes
/// one. Console.play_movie() plays it.
#[pyclass(module = "maxout", name = "Movie", frozen)]
pub(crate) struct PyMovie(pub(crate) Arc<Movie>);

/// The extensions of the movies that are written.
const WRITTEN: &str = ".fm2 or .bk2";

/// Returns the format that the name of a file promises.
fn format_of(path: &Path, expected: &str) -> PyResult<MovieFormat> {
    MovieFormat::of(path).ok_or_else(|| no_movie(path, expected))
}

/// The error for a file whose name promises no movie.
fn no_movie(path: &Path, expected: &str) -> PyErr {
    wrong(format!("{:?}: expected a movie with the extension {expected}", name_of(path)))
}

/// Joins an error and its causes on one line.
pub(crate) fn told(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

#[pymethods]
impl PyMovie {
    /// Reads a movie from a file, whose extension says which format it is: .fm2 or .bk2, or .fm3 or .tasproj for a project of
    /// the TAS editor of FCEUX or BizHawk.
    ///
    /// Raises ValueError for what is no movie from power-on, and OSError for a file that cannot be read. Warns (UserWarning) of what the
    /// file has that could not be read and that the game does not need.
    #[staticmethod]
    fn read(py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<Self> {
        let path = arguments::path(path, "path")?;
        let format = format_of(&path, ".fm2, .fm3, .bk2 or .tasproj")?;
        let file = path.clone();
        let movie = abandonable(py, move || movie::load(&file, format))?;
        let movie = movie.map_err(|error| match error {
            movie::MovieError::Io(error) => os_error(&error, &path),
            error => wrong(format!("{:?}: {}", name_of(&path), told(&error))),
        })?;
        for unread in &movie.unread {
            let text = format!("{:?}: {unread}", name_of(&path)).replace('\0', "\\0");
            PyErr::warn(py, &py.get_type::<PyUserWarning>(), &CString::new(text)?, 1)?;
        }
        Ok(Self(Arc::new(movie)))
    }

    /// Makes the movie of a game from power-on: the way through the menus, and then the buttons (a byte a frame, from
    /// the first control frame on) of the game of this start level and seed.
    ///
    /// player (1 to 200 characters), fair and stop go into the movie's comments, with the game's result on the model. rom is the
    /// cartridge that the movie is for, as bytes or a path; without it, the test cartridge.
    #[staticmethod]
    #[pyo3(signature = (buttons, *, level = None, seed = None, player = "python", fair = true, stop = "topout", rom = None))]
    #[expect(clippy::too_many_arguments, reason = "they are keywords")]
    fn of_game(
        py: Python<'_>,
        buttons: &[u8],
        level: Option<&Bound<'_, PyAny>>,
        seed: Option<&Bound<'_, PyAny>>,
        player: &str,
        fair: bool,
        stop: &str,
        rom: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Self> {
        let start_level = level.map_or(Ok(19), |level| arguments::level(level, "level", START_LEVELS))?;
        let seed = seed.map_or(Ok(0), arguments::seed)?;
        let Seed::PowerOn { menu_wait: wait, .. } = Seed::new(seed) else {
            return Err(wrong(SeedError(seed)));
        };
        let stop = stop.parse::<Stop>().map_err(|error| wrong(format!("stop: {error}")))?;
        let identity = identity(rom)?;
        let region = identity.region;
        let menu = MenuScript { level: start_level, wait }.frames_in(region);
        if menu.len() + buttons.len() >= movie::MAX_FRAMES {
            let most = movie::MAX_FRAMES - menu.len() - 1;
            return Err(wrong(format!("buttons has {} frames, expected at most {most}", buttons.len())));
        }
        let length = player.chars().count();
        if !(1..=MOST_NAME).contains(&length) || player.chars().any(is_control) {
            let shown = shortened(player);
            return Err(wrong(format!(
                "player is {shown:?}, expected a name of 1 to {MOST_NAME} characters on one line"
            )));
        }
        let (player, buttons) = (player.to_owned(), buttons.to_vec());
        let made = abandonable(py, move || {
            let mut game = Seed::new(seed).start_by(region.into(), start_level);
            let mut log = menu;
            for held in buttons {
                game.step(Buttons(held));
                log.push(Buttons(held));
            }
            let credits = Credits {
                version: env!("CARGO_PKG_VERSION"),
                player: &player,
                fair,
                seed,
                start_level,
                stop,
                result: GameResult::from(&game),
                replans: 0,
            };
            Movie::of_game(&credits, log, &identity)
        })?;
        Ok(Self(Arc::new(made)))
    }

    /// Writes the movie to a file, whose extension says in which format: .fm2 or .bk2. The same movie gives the same
    /// bytes. An existing file is replaced when the new one is complete, which takes over its permissions. A link stays a link.
    fn write(&self, py: Python<'_>, path: &Bound<'_, PyAny>) -> PyResult<()> {
        let path = arguments::path(path, "path")?;
        let format = format_of(&path, WRITTEN)?;
        if !path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(format.ending())) {
            return Err(no_movie(&path, WRITTEN));
        }
        let movie = Arc::clone(&self.0);
        let bytes = abandonable(py, move || format.write(&movie).map_err(|error| told(&error)))?;
        let bytes = bytes.map_err(|error| wrong(format!("{:?}: {error}", name_of(&path))))?;
        py.detach(|| saving::write(&path, &bytes)).map_err(|error| os_error(&error, &path))
    }

    /// The first controller, one byte a frame from power-on, without the first record of the file: FCEUX shows the game
    /// its first buttons one frame later than this emulator does.
    #[getter]
    fn buttons<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        let log: Vec<u8> = self.0.log().frames().iter().map(|buttons| buttons.0).collect();
        PyBytes::new(py, &log)
    }

    /// The way into the game, if the movie begins as one of maxout's does: start level, seed and the number of frames
    /// before the first control frame. Otherwise None.
    ///
    /// Game(level, seed).play(movie.buttons[frames:]) plays such a movie without a console. The seed is the one of the
    /// pieces: how long the first piece hangs is part of the buttons.
    #[getter]
    fn start(&self) -> Option<(u8, u64, usize)> {
        let log = self.0.log();
        if self.0.frames.iter().any(|frame| frame.commands != 0) {
            return None;
        }
        (0..=19).flat_map(|level| (0..WAITS).map(move |wait| (level, wait))).find_map(|(level, wait)| {
            let menu = MenuScript { level, wait }.frames_in(self.0.region);
            log.frames().starts_with(&menu).then_some((level, u64::from(wait), menu.len()))
        })
    }

    /// Who made it.
    #[getter]
    fn author(&self) -> &str {
        &self.0.author
    }

    /// What its file says about it, a text for each line.
    #[getter]
    fn comments(&self) -> Vec<String> {
        self.0.comments.clone()
    }

    /// The name of the cartridge.
    #[getter]
    fn rom_name(&self) -> &str {
        &self.0.rom_name
    }

    /// How often its maker went back to change something.
    #[getter]
    fn rerecords(&self) -> u64 {
        self.0.rerecords
    }

    fn __len__(&self) -> usize {
        self.0.frames.len()
    }

    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let frames: Vec<u8> = self
            .0
            .frames
            .iter()
            .flat_map(|frame| {
                let [first, second] = frame.controllers;
                [frame.commands, first.0, second.0]
            })
            .collect();
        let state = (states::write(py, &*self.0)?, PyBytes::new(py, &frames));
        Ok((py.get_type::<Self>().getattr("_restore")?, state))
    }

    /// Makes the movie of what pickle has kept: what its file says about it, and three bytes for each record.
    #[staticmethod]
    fn _restore(header: &[u8], frames: &[u8]) -> PyResult<Self> {
        let frame = |bytes: &[u8; 3]| {
            let [commands, first, second] = *bytes;
            MovieFrame { commands, controllers: [Buttons(first), Buttons(second)] }
        };
        let (frames, []) = frames.as_chunks() else { return Err(states::foreign("Movie")) };
        let frames = frames.iter().map(frame).collect();
        let movie = Movie { frames, ..states::read(header, "Movie")? };
        Ok(Self(Arc::new(movie)))
    }

    fn __eq__(&self, other: &Self) -> bool {
        self.0 == other.0
    }

    fn __repr__(&self) -> String {
        format!("<Movie: {} records, by {:?}>", self.0.frames.len(), shortened(&self.0.author))
    }
}
