//! Cartridge images as people keep them: in a zip archive, or packed by gzip ([`unpack`]).

use std::io::{Cursor, Read};

use maxout_record::members;
use maxout_record::text::brief;

/// The first bytes of a zip archive, and of a gzip file.
const MAGIC: [&[u8]; 2] = [b"PK\x03\x04", b"\x1F\x8B"];

/// Whether the file is packed.
pub(crate) fn is_packed(file: &[u8]) -> bool {
    MAGIC.iter().any(|magic| file.starts_with(magic))
}

/// Returns the image in a packed file, which may have `limit` bytes, and where it was; or what is wrong with the file.
pub(crate) fn unpack(file: &[u8], limit: u64) -> Result<(Vec<u8>, String), String> {
    let bounded = |what: &str, packed: &mut dyn Read| {
        let mut bytes = Vec::new();
        match packed.take(limit + 1).read_to_end(&mut bytes) {
            Err(error) => Err(format!("{what}: {error}, expected a whole one")),
            Ok(_) if bytes.len() as u64 > limit => {
                Err(format!("{what} holds more than {limit} bytes, expected a cartridge image"))
            }
            Ok(_) => Ok(bytes),
        }
    };
    if file.starts_with(b"\x1F\x8B") {
        let bytes = bounded("gzip file", &mut flate2::read::MultiGzDecoder::new(file))?;
        return Ok((bytes, "taken out of a gzip file".to_owned()));
    }
    let broken = |error: &dyn std::fmt::Display| format!("zip archive: {error}, expected a whole one");
    members::check(file).map_err(|members| {
        format!("zip archive has {members} members, expected at most {}", members::MAX_MEMBERS)
    })?;
    let mut archive = zip::ZipArchive::new(Cursor::new(file)).map_err(|error| broken(&error))?;
    let names: Vec<String> = archive
        .file_names()
        .filter_map(|name| Some(name.ok()?.into_owned()))
        .filter(|name| name.to_ascii_lowercase().ends_with(".nes"))
        .collect();
    let [name] = &names[..] else {
        let count = match names.len() {
            0 => "no file that ends".to_owned(),
            count => format!("{count} files that end"),
        };
        return Err(format!("zip archive holds {count} in .nes, expected one cartridge image"));
    };
    let bytes = bounded("zip archive", &mut archive.by_name(name).map_err(|error| broken(&error))?)?;
    Ok((bytes, format!("taken out of a zip archive, where it is {}", brief(name))))
}
