//! The tables that `maxout-engine` plays single tap speeds and levels with, if the next piece is seen in time.

/// The network for levels 19 to 28 at 30 Hz without a reaction delay, as differences from the large tables.
pub static PLATEAU: &[u8] = include_bytes!("plateau.bin");

/// For each tap speed, as `--taps` names it, the bytes of its tables: other tap speeds, and the double killscreen.
pub static TABLES: [(&str, &[u8]); 7] = [
    ("30hz", include_bytes!("taps-30hz.bin")),
    ("24hz", include_bytes!("taps-24hz.bin")),
    ("20hz", include_bytes!("taps-20hz.bin")),
    ("15hz", include_bytes!("taps-15hz.bin")),
    ("12hz", include_bytes!("taps-12hz.bin")),
    ("10hz", include_bytes!("taps-10hz.bin")),
    ("slow5", include_bytes!("taps-slow5.bin")),
];

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

/// Those for one speed of fall.
pub static FILES: [SpeedFile; 4] = [
    SpeedFile::seen("30hz", 39, include_bytes!("30hz-double-killscreen.bin")),
    SpeedFile::seen("24hz", 39, include_bytes!("24hz-double-killscreen.bin")),
    SpeedFile::seen("slow5", 29, include_bytes!("slow5-killscreen.bin")),
    SpeedFile::seen("slow5", 39, include_bytes!("slow5-double-killscreen.bin")),
];
