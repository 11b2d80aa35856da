//! The tables that `maxout-engine` plays levels up to 28 with, if the next piece is seen too late for the decision about a piece, or half
//! of the time for that (`Limits::sight`).

use maxout_weights_seen::SpeedFile;

/// All of them.
pub static FILES: [SpeedFile; 14] = [
    SpeedFile::blind("30hz", 18, include_bytes!("30hz-early-blind.bin")),
    SpeedFile::blind("24hz", 18, include_bytes!("24hz-early-blind.bin")),
    SpeedFile::blind("20hz", 18, include_bytes!("20hz-early-blind.bin")),
    SpeedFile::blind("15hz", 18, include_bytes!("15hz-early-blind.bin")),
    SpeedFile::blind("12hz", 18, include_bytes!("12hz-early-blind.bin")),
    SpeedFile::blind("10hz", 18, include_bytes!("10hz-early-blind.bin")),
    SpeedFile::blind("slow5", 18, include_bytes!("slow5-early-blind.bin")),
    SpeedFile::blind("30hz", 19, include_bytes!("30hz-plateau-blind.bin")),
    SpeedFile::blind("24hz", 19, include_bytes!("24hz-plateau-blind.bin")),
    SpeedFile::blind("20hz", 19, include_bytes!("20hz-plateau-blind.bin")),
    SpeedFile::blind("15hz", 19, include_bytes!("15hz-plateau-blind.bin")),
    SpeedFile::blind("12hz", 19, include_bytes!("12hz-plateau-blind.bin")),
    SpeedFile::blind("10hz", 19, include_bytes!("10hz-plateau-blind.bin")),
    SpeedFile::blind("slow5", 19, include_bytes!("slow5-plateau-blind.bin")),
];
