//! The tables that `maxout-engine` plays one speed of fall with, at one tap speed.

/// All tables for one speed of fall at one tap speed.
#[derive(Clone, Copy, Debug)]
pub struct SpeedFile {
    /// The tap speed, as `--taps` names it.
    pub taps: &'static str,
    /// The first level that falls at this speed: 19, 29, or 39 for the double killscreen.
    pub level: u8,
    /// Whether they are for players whose reaction delay hides the next piece until a piece has locked.
    pub blind: bool,
    /// The bytes of the tables.
    pub file: &'static [u8],
}

/// The tables in a file of this crate.
macro_rules! file {
    ($taps:literal, $level:literal, $blind:literal, $name:literal) => {
        SpeedFile { taps: $taps, level: $level, blind: $blind, file: include_bytes!($name) }
    };
}

/// All of them.
pub static FILES: [SpeedFile; 15] = [
    file!("30hz", 19, true, "30hz-plateau-blind.bin"),
    file!("20hz", 19, true, "20hz-plateau-blind.bin"),
    file!("15hz", 19, true, "15hz-plateau-blind.bin"),
    file!("12hz", 19, true, "12hz-plateau-blind.bin"),
    file!("10hz", 19, true, "10hz-plateau-blind.bin"),
    file!("slow5", 19, true, "slow5-plateau-blind.bin"),
    file!("30hz", 29, true, "30hz-killscreen-blind.bin"),
    file!("30hz", 39, false, "30hz-double-killscreen.bin"),
    file!("30hz", 39, true, "30hz-double-killscreen-blind.bin"),
    file!("20hz", 29, true, "20hz-killscreen-blind.bin"),
    file!("15hz", 29, true, "15hz-killscreen-blind.bin"),
    file!("slow5", 29, false, "slow5-killscreen.bin"),
    file!("slow5", 29, true, "slow5-killscreen-blind.bin"),
    file!("slow5", 39, false, "slow5-double-killscreen.bin"),
    file!("slow5", 39, true, "slow5-double-killscreen-blind.bin"),
];
