//! A button log as the bytes in a row.

use std::io::{self, Read, Write};

use flate2::Compression;
use flate2::read::ZlibDecoder;
use flate2::write::ZlibEncoder;

use maxout_record::champs::MAX_BYTES;
use maxout_record::run::MAX_FRAMES;
use maxout_rules::input::{Buttons, InputLog};

/// A log as a zlib stream of one byte a frame.
pub(super) fn pack(log: &InputLog) -> Vec<u8> {
    let bytes: Vec<u8> = log.frames().iter().map(|buttons| buttons.0).collect();
    pack_bytes(&bytes)
}

/// The frames of a recording as a zlib stream.
pub(super) fn pack_bytes(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Memory does not refuse a write.
    let written = encoder.write_all(bytes);
    written.and_then(|()| encoder.finish()).unwrap_or_default()
}

/// Reads [`pack`]'s bytes.
pub(super) fn unpack(blob: &[u8]) -> io::Result<InputLog> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(blob).take(MAX_FRAMES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MAX_FRAMES {
        return Err(io::Error::other("expected at most 6,000,000 frames"));
    }
    Ok(bytes.into_iter().map(Buttons).collect())
}

/// Reads [`pack_bytes`]'s bytes.
pub(super) fn unpack_bytes(blob: &[u8]) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(blob).take(MAX_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(io::Error::other(format!("expected at most {MAX_BYTES} bytes")));
    }
    Ok(bytes)
}
