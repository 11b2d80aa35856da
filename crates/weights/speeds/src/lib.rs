//! The tables that `maxout-engine` plays one speed of fall with, at one tap speed: those from level 29 on.

/// All tables for one speed of fall at one tap speed.
#[derive(Clone, Copy, Debug)]
pub struct SpeedFile {
    /// The tap speed, as `--taps` names it.
    pub taps: &'static str,
    /// A level that falls at this speed: 18 for all up to it, 19, 29, or 39 for the double killscreen.
    pub level: u8,
    /// Whether they are for players whose reaction delay hides the next piece until a piece has locked.
    pub blind: bool,
    /// The bytes of the tables.
    pub file: &'static [u8],
}

impl SpeedFile {
    /// Tables for players who see the next piece before a piece locks.
    pub const fn seen(taps: &'static str, level: u8, file: &'static [u8]) -> Self {
        Self { taps, level, blind: false, file }
    }

    /// Tables for players who do not.
    pub const fn blind(taps: &'static str, level: u8, file: &'static [u8]) -> Self {
        Self { taps, level, blind: true, file }
    }
}

/// Those from level 29 on.
pub static FILES: [SpeedFile; 12] = [
    SpeedFile::blind("30hz", 29, include_bytes!("30hz-killscreen-blind.bin")),
    SpeedFile::seen("30hz", 39, include_bytes!("30hz-double-killscreen.bin")),
    SpeedFile::blind("30hz", 39, include_bytes!("30hz-double-killscreen-blind.bin")),
    SpeedFile::blind("24hz", 29, include_bytes!("24hz-killscreen-blind.bin")),
    SpeedFile::seen("24hz", 39, include_bytes!("24hz-double-killscreen.bin")),
    SpeedFile::blind("24hz", 39, include_bytes!("24hz-double-killscreen-blind.bin")),
    SpeedFile::blind("20hz", 29, include_bytes!("20hz-killscreen-blind.bin")),
    SpeedFile::blind("15hz", 29, include_bytes!("15hz-killscreen-blind.bin")),
    SpeedFile::seen("slow5", 29, include_bytes!("slow5-killscreen.bin")),
    SpeedFile::blind("slow5", 29, include_bytes!("slow5-killscreen-blind.bin")),
    SpeedFile::seen("slow5", 39, include_bytes!("slow5-double-killscreen.bin")),
    SpeedFile::blind("slow5", 39, include_bytes!("slow5-double-killscreen-blind.bin")),
];
