//! The tables that `maxout-engine` plays other tap speeds with, and those of the double killscreen.

/// For each tap speed, as `--taps` names it, the bytes of its tables.
pub static TABLES: [(&str, &[u8]); 7] = [
    ("30hz", include_bytes!("30hz.bin")),
    ("24hz", include_bytes!("24hz.bin")),
    ("20hz", include_bytes!("20hz.bin")),
    ("15hz", include_bytes!("15hz.bin")),
    ("12hz", include_bytes!("12hz.bin")),
    ("10hz", include_bytes!("10hz.bin")),
    ("slow5", include_bytes!("slow5.bin")),
];
