//! The tables that `maxout-engine` plays from level 29 on with, if the next piece is seen too late for the decision about a piece, or half
//! of the time for that (`Limits::sight`).

use maxout_weights_seen::SpeedFile;

/// All of them.
pub static FILES: [SpeedFile; 8] = [
    SpeedFile::blind("30hz", 29, include_bytes!("30hz-killscreen-blind.bin")),
    SpeedFile::blind("30hz", 39, include_bytes!("30hz-double-killscreen-blind.bin")),
    SpeedFile::blind("24hz", 29, include_bytes!("24hz-killscreen-blind.bin")),
    SpeedFile::blind("24hz", 39, include_bytes!("24hz-double-killscreen-blind.bin")),
    SpeedFile::blind("20hz", 29, include_bytes!("20hz-killscreen-blind.bin")),
    SpeedFile::blind("15hz", 29, include_bytes!("15hz-killscreen-blind.bin")),
    SpeedFile::blind("slow5", 29, include_bytes!("slow5-killscreen-blind.bin")),
    SpeedFile::blind("slow5", 39, include_bytes!("slow5-double-killscreen-blind.bin")),
];
