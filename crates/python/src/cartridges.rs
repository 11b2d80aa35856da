//! Cartridge images as arguments: bytes, a path, or nothing for the test cartridge.

use std::fs::File;
use std::io::Read;
use std::path::PathBuf;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::wrong;
use maxout_host::TEST_CARTRIDGE;
use maxout_host::rom::{self, Identity, MAX_BYTES};

/// Reads a cartridge image: bytes, the path of a file, or nothing for the test cartridge.
pub(crate) fn image(rom: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
    let image = match rom.map(|rom| (rom, rom.cast::<PyBytes>())) {
        None => TEST_CARTRIDGE.to_vec(),
        Some((_, Ok(bytes))) => bytes.as_bytes().to_vec(),
        Some((rom, Err(_))) => {
            let mut image = Vec::new();
            File::open(rom.extract::<PathBuf>()?)?.take(MAX_BYTES + 1).read_to_end(&mut image)?;
            image
        }
    };
    if image.len() as u64 > MAX_BYTES {
        return Err(wrong(format!("the cartridge image is too long, expected {MAX_BYTES} bytes at most")));
    }
    Ok(image)
}

/// Says which cartridge an argument names. One that `maxout play` refuses is refused here, too.
pub(crate) fn identity(rom: Option<&Bound<'_, PyAny>>) -> PyResult<Identity> {
    rom::admit(&image(rom)?, false).map_err(|error| wrong(format!("rom: {error}")))
}
