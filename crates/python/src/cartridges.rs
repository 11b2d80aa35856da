//! Cartridge images as arguments: bytes, a path, or nothing for the test cartridge.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::arguments::{self, os_error, path, wrong};
use maxout_host::TEST_CARTRIDGE;
use maxout_host::rom::{self, MAX_BYTES};
use maxout_record::cartridge::Identity;

/// Reads a cartridge image: bytes, the path of a file, or nothing for the test cartridge. A packed one is unpacked.
pub(crate) fn image(rom: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<u8>> {
    let image = match rom.map(|rom| (rom, rom.cast::<PyBytes>())) {
        None => TEST_CARTRIDGE.to_vec(),
        Some((_, Ok(bytes))) => bytes.as_bytes().to_vec(),
        Some((rom, Err(_))) => {
            let path = path(rom, "rom")?;
            read(&path).map_err(|error| os_error(&error, &path))?
        }
    };
    if image.len() as u64 > MAX_BYTES {
        let name = name_of(rom);
        return Err(wrong(format!(
            "{name}: the cartridge image is too long, expected {MAX_BYTES} bytes at most"
        )));
    }
    let (image, _) = rom::unpacked(&image).map_err(|error| wrong(format!("{}: {error}", name_of(rom))))?;
    Ok(image.into_owned())
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut image = Vec::new();
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut image)?;
    Ok(image)
}

/// Returns what messages call a cartridge: the name of its file, or the argument's.
pub(crate) fn name_of(rom: Option<&Bound<'_, PyAny>>) -> String {
    let path = rom.filter(|rom| !rom.is_instance_of::<PyBytes>()).and_then(|rom| path(rom, "rom").ok());
    path.map_or_else(|| "rom".to_owned(), |path| format!("{:?}", arguments::name_of(&path)))
}

/// Says which cartridge an argument names. One that `maxout play` refuses is refused here, too.
pub(crate) fn identity(rom: Option<&Bound<'_, PyAny>>) -> PyResult<Identity> {
    rom::admit(&image(rom)?, false).map_err(|error| wrong(format!("{}: {error}", name_of(rom))))
}
