//! The emulator. This is the only file that names tetanes. Everything that happens after power-on is deterministic.

use std::fmt;

use tetanes_core::bus::Bus;
use tetanes_core::common::{NesRegion, ResetKind};
use tetanes_core::control_deck::{Config, ControlDeck, HeadlessMode};
use tetanes_core::input::{JoypadBtnState, Player};
use tetanes_core::memory::RamState;
use tetanes_core::video::VideoFilter;
use thiserror::Error;

use maxout_record::cartridge;
use maxout_rules::input::Buttons;
use maxout_rules::ram::{Edition, Snapshot};
use maxout_rules::{Region, ram};

/// The number of samples in a second of [`Console::sound`].
pub const SOUND_RATE: u32 = 48_000;

/// The error that the emulator refused a cartridge or gave up.
#[derive(Debug, Error)]
#[error("emulator: {0}")]
pub struct ConsoleError(String);

impl From<tetanes_core::control_deck::Error> for ConsoleError {
    fn from(error: tetanes_core::control_deck::Error) -> Self {
        Self(error.to_string())
    }
}

/// The emulator with a cartridge in it, at a frame boundary (just before the vertical-blank interrupt).
#[derive(Clone)]
pub struct Console {
    deck: ControlDeck,
    /// The machine as it was at power-on.
    first: Box<ControlDeck>,
    region: Region,
    edition: Edition,
    frames: u64,
    held: Buttons,
}

impl fmt::Debug for Console {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Console").field("frames", &self.frames).finish_non_exhaustive()
    }
}

/// A state of a [`Console`] that can be restored.
#[derive(Clone, serde::Serialize, serde::Deserialize)]
pub struct SavedState {
    bus: Bus,
    frames: u64,
    held: Buttons,
}

/// An instruction that the processor is about to run, for [`Console::step_watched`].
#[derive(Clone, Copy, Debug)]
pub struct Instruction<'a> {
    /// CPU cycles since power-on, modulo 2^32.
    pub cycle: u32,
    /// Its address.
    pub address: u16,
    /// The bytes from there on.
    pub bytes: [u8; 3],
    /// Whether it is the first of the vertical-blank interrupt.
    pub interrupt: bool,
    /// RAM before it.
    pub ram: &'a [u8; ram::SIZE],
}

/// A picture of the screen: 256×240 pixels in RGBA, the top row first.
#[derive(Clone, PartialEq, Eq)]
pub struct Screen {
    rgba: Vec<u8>,
}

impl Screen {
    /// Returns the 256 × 240 × 4 bytes of the picture.
    pub fn rgba(&self) -> &[u8] {
        &self.rgba
    }
}

/// Converts buttons to those of the emulator, which numbers them from the other end of the byte.
fn joypad(buttons: Buttons) -> JoypadBtnState {
    JoypadBtnState::from_bits_truncate(u16::from(buttons.0.reverse_bits()))
}

impl Console {
    /// Inserts the cartridge image and switches on, with all RAM zero. One of the known editions is recognised by its
    /// bytes, any other counts as the original. The console is a PAL one if the image's header says PAL, otherwise NTSC.
    /// No file is read or written.
    pub fn power_on(image: &[u8]) -> Result<Self, ConsoleError> {
        let region = if cartridge::says_pal(image) { Region::Pal } else { Region::Ntsc };
        let config = Config::default()
            .with_region(match region {
                Region::Ntsc => NesRegion::Ntsc,
                Region::Pal => NesRegion::Pal,
            })
            .with_ram_state(RamState::AllZeros)
            .with_sram_dir(None)
            .with_filter(VideoFilter::Pixellate)
            .with_headless_mode(HeadlessMode::NO_AUDIO | HeadlessMode::NO_VIDEO)
            .with_concurrent_dpad(true);
        let mut deck = ControlDeck::with_config(config);
        deck.set_sample_rate(SOUND_RATE as f32);
        let mut bytes = image;
        deck.load_rom("cartridge", &mut bytes)?;
        let edition = cartridge::edition_of_image(image);
        Ok(Self { first: Box::new(deck.clone()), deck, region, edition, frames: 0, held: Buttons::NONE })
    }

    /// Reads RAM as this edition keeps it.
    pub(crate) fn in_edition(self, edition: Edition) -> Self {
        Self { edition, ..self }
    }

    /// Which edition of the game is in it.
    pub const fn edition(&self) -> Edition {
        self.edition
    }

    /// Returns the game's state.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::read_in(self.edition, self.ram())
    }

    /// Returns the tile numbers of the first screen in the picture unit's memory: 30 rows of 32, top row first.
    pub fn tiles(&self) -> Vec<[u8; 32]> {
        let bus = self.deck.bus();
        let row =
            |row: u16| std::array::from_fn(|column| bus.ppu_bus_peek(0x2000 + 32 * row + column as u16));
        (0..30).map(row).collect()
    }

    /// Which console it is.
    pub const fn region(&self) -> Region {
        self.region
    }

    /// Switches off and on again: the state of [`Console::power_on`], bit for bit.
    pub fn power_cycle(&mut self) -> Result<(), ConsoleError> {
        self.deck = (*self.first).clone();
        self.frames = 0;
        self.held = Buttons::NONE;
        Ok(())
    }

    /// Presses the reset button: RAM stays, and the program begins anew.
    pub fn reset(&mut self) {
        self.deck.reset(ResetKind::Soft);
    }

    /// Holds these buttons on the second controller from now on.
    pub fn hold_second(&mut self, buttons: Buttons) {
        self.deck.joypad_mut(Player::Two).buttons = joypad(buttons);
    }

    /// Runs one frame with these buttons held on the first controller. Opposite directions are allowed.
    pub fn step(&mut self, buttons: Buttons) -> Result<(), ConsoleError> {
        self.deck.joypad_mut(Player::One).buttons = joypad(buttons);
        let _ = self.deck.clock_frame()?;
        self.frames += 1;
        self.held = buttons;
        Ok(())
    }

    /// Runs one frame as [`Console::step`] does and shows `see` every instruction that is about to run.
    pub fn step_watched(
        &mut self,
        buttons: Buttons,
        see: &mut dyn FnMut(&Instruction<'_>),
    ) -> Result<(), ConsoleError> {
        self.deck.joypad_mut(Player::One).buttons = joypad(buttons);
        let see = std::cell::RefCell::new(see);
        let watch = |bus: &Bus| {
            let address = bus.cpu.pc;
            let bytes = [0, 1, 2].map(|i| bus.peek(address.wrapping_add(i)));
            let interrupt = address == u16::from_le_bytes([bus.peek(0xFFFA), bus.peek(0xFFFB)]);
            (see.borrow_mut())(&Instruction {
                cycle: bus.cpu.cycle,
                address,
                bytes,
                interrupt,
                ram: bus.wram(),
            });
            false
        };
        let _ = self.deck.clock_frame_until(watch)?;
        self.frames += 1;
        self.held = buttons;
        Ok(())
    }

    /// Returns the 2 KiB of RAM.
    pub fn ram(&self) -> &[u8; ram::SIZE] {
        self.deck.wram()
    }

    /// Returns the CRC-32 of the RAM. A record keeps the CRC-32 after the last frame.
    pub fn ram_crc(&self) -> u32 {
        crc32fast::hash(self.ram())
    }

    /// Writes to RAM; addresses outside its 2 KiB are ignored.
    pub fn poke(&mut self, address: u16, byte: u8) {
        if let Some(cell) = self.deck.wram_mut().get_mut(usize::from(address)) {
            *cell = byte;
        }
    }

    /// Returns the number of frames since power-on.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Returns the present state, for [`Console::restore`].
    pub fn save(&self) -> SavedState {
        SavedState { bus: self.deck.bus().clone(), frames: self.frames, held: self.held }
    }

    /// Goes back to a saved state of this cartridge.
    pub fn restore(&mut self, state: &SavedState) -> Result<(), ConsoleError> {
        self.deck.load_bus(state.bus.clone())?;
        self.frames = state.frames;
        self.held = state.held;
        Ok(())
    }

    /// Makes sound from now on, also after [`Console::power_cycle`]. Sound costs a twentieth of the speed.
    pub fn turn_up(&mut self) {
        self.deck.set_headless_mode(HeadlessMode::NO_VIDEO);
        self.first.set_headless_mode(HeadlessMode::NO_VIDEO);
    }

    /// Draws every frame from now on, as [`Console::show`] does, and also makes sound, or makes none any more.
    pub fn show_with_sound(&mut self, sound: bool) {
        let mode = if sound { HeadlessMode::empty() } else { HeadlessMode::NO_AUDIO };
        self.deck.set_headless_mode(mode);
        self.first.set_headless_mode(mode);
    }

    /// Returns the sound of the last frame: one channel, from -1 to 1, some 800 samples, or none before
    /// [`Console::turn_up`] or [`Console::show_with_sound`]. The sound that belongs to [`Console::picture`] comes with the next frame.
    pub fn sound(&self) -> &[f32] {
        self.deck.audio_samples()
    }

    /// Draws every frame from now on, also after [`Console::power_cycle`], and makes no sound.
    pub fn show(&mut self) {
        self.deck.set_headless_mode(HeadlessMode::NO_AUDIO);
        self.first.set_headless_mode(HeadlessMode::NO_AUDIO);
    }

    /// Returns the picture that the machine drew in the last frame, in the form of [`Screen::rgba`]. It shows the state
    /// before this frame. It has no meaning before [`Console::show`].
    pub fn drawn(&mut self) -> &[u8] {
        self.deck.frame_buffer()
    }

    /// Returns a picture of the last frame's state. The game draws each state in the interrupt that follows, so a copy
    /// of the machine runs one more frame; the machine itself does not change.
    pub fn picture(&self) -> Result<Screen, ConsoleError> {
        let mut copy = Self { deck: self.deck.clone(), first: self.first.clone(), ..*self };
        copy.deck.set_headless_mode(HeadlessMode::NO_AUDIO);
        copy.step(self.held)?;
        Ok(Screen { rgba: copy.deck.frame_buffer().to_vec() })
    }
}
