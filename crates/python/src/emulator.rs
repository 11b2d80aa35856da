//! `Console`: the emulator with a cartridge in it.

use std::sync::Mutex;

use numpy::{PyArray1, PyArray3, PyArrayMethods as _};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{buttons, wrong};
use crate::cartridges::{image, name_of};
use crate::movies::PyMovie;
use crate::states::{self, Reduced};
use maxout_host::screen::{HEIGHT, WIDTH};
use maxout_host::tape::Tape;
use maxout_host::{Console, ConsoleError, SavedState};
use maxout_rules::input::Buttons;
use maxout_rules::ram;

/// How many frames pass between two looks at the signals.
const LOOK: usize = 512;

/// The NES with a cartridge in it, from power-on.
///
/// rom is the image as bytes or the path of its file; without it, maxout's own test cartridge, which plays the same game
/// by the same rules. `ram` is a view of the 2,048 bytes of RAM that follows each frame: the same array for the life of
/// the console. What one writes into it does not reach the machine.
#[pyclass(module = "maxout.emulator", name = "Console", frozen)]
pub(crate) struct PyConsole {
    console: Mutex<Console>,
    image: Vec<u8>,
    /// RAM: uint8 of shape (2048,).
    #[pyo3(get)]
    ram: Py<PyArray1<u8>>,
}

/// A state of a console, for Console.restore().
#[pyclass(module = "maxout.emulator", name = "ConsoleState", frozen)]
pub(crate) struct ConsoleState {
    state: Mutex<SavedState>,
    image: Vec<u8>,
}

#[pymethods]
impl ConsoleState {
    fn __copy__(slf: Bound<'_, Self>) -> Bound<'_, Self> {
        slf
    }

    fn __deepcopy__<'py>(slf: Bound<'py, Self>, _memo: &Bound<'_, PyAny>) -> Bound<'py, Self> {
        slf
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (Bound<'py, PyBytes>, Bound<'py, PyBytes>)> {
        let state = self.state.lock().map_err(failed)?;
        let kept = (states::write(py, &*state)?, PyBytes::new(py, &self.image));
        Ok((py.get_type::<Self>().getattr("_restore")?, kept))
    }

    /// Makes the state that pickle has kept.
    #[staticmethod]
    fn _restore(state: &[u8], image: &[u8]) -> PyResult<Self> {
        let state = states::read(state, "ConsoleState")?;
        Ok(Self { state: Mutex::new(state), image: image.to_vec() })
    }
}

fn failed<E>(_: E) -> PyErr {
    PyRuntimeError::new_err("this console has failed before, expected a new one")
}

impl PyConsole {
    fn of(py: Python<'_>, console: Console, image: Vec<u8>) -> Self {
        let ram = PyArray1::from_slice(py, console.ram()).unbind();
        Self { console: Mutex::new(console), image, ram }
    }

    /// Does work on the console while Python may run other threads, then copies its RAM.
    fn run<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Console) -> Result<T, String> + Send,
    ) -> PyResult<T> {
        let done = py.detach(|| {
            let mut console = self.console.lock().map_err(|_| None)?;
            let value = work(&mut console).map_err(Some)?;
            Ok((value, *console.ram()))
        });
        let (value, now) = done.map_err(|text: Option<String>| text.map_or_else(|| failed(()), wrong))?;
        let mut view = self.ram.bind(py).try_readwrite().map_err(wrong)?;
        view.as_slice_mut().map_err(wrong)?.copy_from_slice(&now);
        Ok(value)
    }

    /// Plays these frames, and looks at the signals now and then. Meanwhile nothing holds the console, so a signal's handler may use it,
    /// and so may another thread.
    fn play_each<F: Sync>(
        &self,
        py: Python<'_>,
        frames: &[F],
        mut play: impl FnMut(&mut Console, &F) -> Result<(), ConsoleError> + Send,
    ) -> PyResult<()> {
        for stretch in frames.chunks(LOOK) {
            self.run(py, |console| {
                stretch.iter().try_for_each(|frame| play(console, frame)).map_err(|error| error.to_string())
            })?;
            py.check_signals()?;
        }
        Ok(())
    }
}

#[pymethods]
impl PyConsole {
    #[new]
    #[pyo3(signature = (rom = None))]
    fn new(py: Python<'_>, rom: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let image = image(rom)?;
        let console = py.detach(|| Console::power_on(&image));
        let console = console.map_err(|error| wrong(format!("{}: {error}", name_of(rom))))?;
        Ok(Self::of(py, console, image))
    }

    /// Runs one frame with these buttons held on the first controller.
    #[pyo3(signature = (buttons = None))]
    fn step(&self, py: Python<'_>, buttons: Option<&Bound<'_, PyAny>>) -> PyResult<()> {
        let held = buttons.map_or(Ok(Buttons::NONE), self::buttons)?;
        self.run(py, |console| console.step(held).map_err(|error| error.to_string()))
    }

    /// Runs one frame for each byte of buttons.
    ///
    /// Ctrl-C raises KeyboardInterrupt within 512 frames. What has been played until then stays played. Other threads that use
    /// the console get their turn every 512 frames.
    fn play(&self, py: Python<'_>, buttons: &[u8]) -> PyResult<()> {
        self.play_each(py, buttons, |console, &held| console.step(Buttons(held)))
    }

    /// Switches off and on again, and plays a movie to its end.
    ///
    /// Ctrl-C raises KeyboardInterrupt within 512 frames. What has been played until then stays played. Other threads that use
    /// the console get their turn every 512 frames.
    fn play_movie(&self, py: Python<'_>, movie: &PyMovie) -> PyResult<()> {
        self.power_cycle(py)?;
        let mut tape = Tape::default();
        self.play_each(py, &movie.0.frames, |console, frame| tape.play(console, *frame).map(|_| ()))
    }

    /// Switches off and on again.
    fn power_cycle(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |console| console.power_cycle().map_err(|error| error.to_string()))
    }

    /// Presses the reset button: RAM stays, and the program begins anew.
    fn reset(&self, py: Python<'_>) -> PyResult<()> {
        self.run(py, |console| {
            console.reset();
            Ok(())
        })
    }

    /// The frames since power-on.
    #[getter]
    fn frames(&self, py: Python<'_>) -> PyResult<u64> {
        self.run(py, |console| Ok(console.frames()))
    }

    /// Returns a picture of the last frame: uint8 of shape (240, 256, 3), red, green, blue.
    fn picture<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray3<u8>>> {
        let screen = self.run(py, |console| console.picture().map_err(|error| error.to_string()))?;
        let colours = screen.rgba().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]);
        PyArray1::from_iter(py, colours).reshape([HEIGHT, WIDTH, 3])
    }

    /// Returns the present state, for restore().
    fn save(&self, py: Python<'_>) -> PyResult<ConsoleState> {
        let state = self.run(py, |console| Ok(console.save()))?;
        Ok(ConsoleState { state: Mutex::new(state), image: self.image.clone() })
    }

    /// Goes back to a saved state of the same cartridge.
    fn restore(&self, py: Python<'_>, state: &ConsoleState) -> PyResult<()> {
        if state.image != self.image {
            return Err(wrong("the state is that of another cartridge, expected one of this"));
        }
        self.run(py, |console| {
            let state = state.state.lock().map_err(|_| "the state is unusable".to_owned())?;
            console.restore(&state).map_err(|error| error.to_string())
        })
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        let console = self.run(py, |console| Ok(console.clone()))?;
        Ok(Self::of(py, console, self.image.clone()))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: &Bound<'_, PyAny>) -> PyResult<Self> {
        self.__copy__(py)
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> Reduced<'py, (ConsoleState,)> {
        Ok((py.get_type::<Self>().getattr("_restore")?, (self.save(py)?,)))
    }

    /// Makes the console of a state that pickle has kept.
    #[staticmethod]
    fn _restore(py: Python<'_>, state: &ConsoleState) -> PyResult<Self> {
        let console = py.detach(|| Console::power_on(&state.image)).map_err(wrong)?;
        let console = Self::of(py, console, state.image.clone());
        console.restore(py, state)?;
        Ok(console)
    }

    /// Writes to RAM; addresses outside its 2 KiB are refused.
    fn poke(&self, py: Python<'_>, address: &Bound<'_, PyAny>, byte: &Bound<'_, PyAny>) -> PyResult<()> {
        let address = crate::arguments::whole(address, "address", 0..=ram::SIZE as i64 - 1)? as u16;
        let byte = crate::arguments::whole(byte, "byte", 0..=255)? as u8;
        self.run(py, |console| {
            console.poke(address, byte);
            Ok(())
        })
    }
}
