//! Cartridge images: which one is it, and what is wrong with it.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

use md5::Md5;
use sha1::{Digest, Sha1};
use thiserror::Error;

use super::TEST_CARTRIDGE;

/// Larger files are not read; the largest real images are under 2 MiB.
pub const MAX_BYTES: u64 = 4 << 20;
/// Bytes of an iNES header.
const HEADER: usize = 16;
/// SHA-1 of the NTSC image without its header (docs/game.md 9.1).
const NTSC_SHA1: &str = "fd9079cb5e8479eb06d93c2ae5175bfce871746a";
/// SHA-1 of the PAL file with its header (docs/game.md 9.2).
const PAL_FILE_SHA1: &str = "817169b819aadaae52cce6b3d8d2fc24270566d7";
/// Frames per row by level in the PAL version.
const PAL_GRAVITY: [u8; 30] =
    [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// Which cartridge an image is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The game this program plays.
    Ntsc,
    /// Its European version.
    Pal,
    /// Our own.
    TestCartridge,
    /// Anything else.
    Unknown,
}

/// What an image says of itself, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// Which cartridge.
    pub kind: Kind,
    /// Its name.
    pub name: String,
    /// SHA-1 without the header, lower-case hex.
    pub sha1: String,
    /// SHA-1 of the whole file: what BK2 movies name.
    pub file_sha1: [u8; 20],
    /// MD5 of program and graphics, the program filled up to a power of two: what FM2 movies name.
    pub md5: [u8; 16],
    /// Mapper number.
    pub mapper: u16,
    /// Bytes of program.
    pub prg_bytes: usize,
    /// Bytes of graphics.
    pub chr_bytes: usize,
}

/// Why an image cannot be used.
#[derive(Debug, Error)]
pub enum RomError {
    /// It could not be read.
    #[error("cannot read the file")]
    Io(#[from] io::Error),
    /// It is a directory.
    #[error("is a directory, expected a cartridge image (.nes)")]
    Directory,
    /// It is a pipe, a device or the like.
    #[error("is not a regular file, expected a cartridge image (.nes)")]
    NotAFile,
    /// It is too large.
    #[error("file has {0} bytes, expected a cartridge image of at most {MAX_BYTES}")]
    TooLarge(u64),
    /// There is nothing in it.
    #[error("file is empty, expected a cartridge image (.nes)")]
    Empty,
    /// It is shorter than a header.
    #[error("expected 16-byte iNES header, file has {0} bytes")]
    ShortHeader(usize),
    /// It does not begin as an image does.
    #[error("expected an iNES header (it begins with \"NES\" and 1A hex), file begins with {0}")]
    NotINes(String),
    /// There is less in it than its header says.
    #[error(
        "header promises {banks} {kind} banks ({promised} bytes with what comes before), file has {got} bytes"
    )]
    Truncated {
        /// PRG or CHR.
        kind: &'static str,
        /// Banks of the header.
        banks: usize,
        /// Bytes that the file should have at least.
        promised: usize,
        /// Bytes that it has.
        got: usize,
    },
    /// It has no program.
    #[error("header promises no PRG bank, expected at least one")]
    NoProgram,
    /// It is the PAL version.
    #[error(
        "this is the PAL version, expected NTSC: gravity, auto-repeat and frame rate differ, so plans for one do \
         not hold on the other"
    )]
    Pal,
    /// It is no known image.
    #[error(
        "not a known cartridge image (SHA-1 without header {0}); to play it all the same add --allow-unknown"
    )]
    Unknown(String),
}

/// Reads an image file, refusing what cannot be one before reading it.
pub fn read(path: &Path) -> Result<Vec<u8>, RomError> {
    // Before opening: opening a pipe that nobody writes to would wait for ever.
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(RomError::Directory);
    }
    if !metadata.is_file() {
        return Err(RomError::NotAFile);
    }
    if metadata.len() > MAX_BYTES {
        return Err(RomError::TooLarge(metadata.len()));
    }
    let mut image = Vec::new();
    // The file may have grown since.
    File::open(path)?.take(MAX_BYTES + 1).read_to_end(&mut image)?;
    match image.len() as u64 {
        0 => Err(RomError::Empty),
        n if n > MAX_BYTES => Err(RomError::TooLarge(n)),
        _ => Ok(image),
    }
}

/// Reads the header and recognises the image by hash. Headers differ between dumps, so the hash leaves it out.
pub fn identify(image: &[u8]) -> Result<Identity, RomError> {
    if image.is_empty() {
        return Err(RomError::Empty);
    }
    let Some((header, body)) = image.split_first_chunk::<HEADER>() else {
        return Err(RomError::ShortHeader(image.len()));
    };
    if !header.starts_with(b"NES\x1A") {
        let begins: Vec<String> = header[..4].iter().map(|b| format!("{b:02X}")).collect();
        return Err(RomError::NotINes(begins.join(" ")));
    }
    let nes2 = header[7] & 0x0C == 0x08;
    let (prg_banks, chr_banks, mapper) = if nes2 {
        let high = |nibble: u8| usize::from(nibble) << 8;
        (
            high(header[9] & 15) + usize::from(header[4]),
            high(header[9] >> 4) + usize::from(header[5]),
            u16::from(header[8] & 15) << 8 | u16::from(header[7] & 0xF0) | u16::from(header[6] >> 4),
        )
    } else {
        let mapper = u16::from(header[7] & 0xF0) | u16::from(header[6] >> 4);
        (usize::from(header[4]), usize::from(header[5]), mapper)
    };
    if prg_banks == 0 {
        return Err(RomError::NoProgram);
    }
    let trainer = if header[6] & 4 == 4 { 512 } else { 0 };
    let prg_end = HEADER + trainer + prg_banks * 0x4000;
    let chr_end = prg_end + chr_banks * 0x2000;
    for (kind, banks, end) in [("PRG", prg_banks, prg_end), ("CHR", chr_banks, chr_end)] {
        if image.len() < end {
            return Err(RomError::Truncated { kind, banks, promised: end, got: image.len() });
        }
    }
    let sha1 = hex(body);
    let program = &image[HEADER + trainer..prg_end];
    let kind = if sha1 == NTSC_SHA1 {
        Kind::Ntsc
    } else if sha1 == hex(&TEST_CARTRIDGE[HEADER..]) {
        Kind::TestCartridge
    } else if hex(image) == PAL_FILE_SHA1 || program.windows(30).any(|bytes| bytes == PAL_GRAVITY) {
        Kind::Pal
    } else {
        Kind::Unknown
    };
    let name = match kind {
        Kind::Ntsc => "Tetris (NES, NTSC)",
        Kind::Pal => "Tetris (NES, PAL)",
        Kind::TestCartridge => "maxout test cartridge",
        Kind::Unknown => "unknown",
    };
    Ok(Identity {
        kind,
        name: name.to_owned(),
        sha1,
        file_sha1: Sha1::digest(image).into(),
        md5: movie_md5(program, &image[prg_end..chr_end]),
        mapper,
        prg_bytes: prg_end - HEADER - trainer,
        chr_bytes: chr_end - prg_end,
    })
}

/// The image's identity if it may be played: NTSC and the test cartridge always, PAL never, anything else if
/// `allow_unknown`.
pub fn admit(image: &[u8], allow_unknown: bool) -> Result<Identity, RomError> {
    let identity = identify(image)?;
    match identity.kind {
        Kind::Pal => Err(RomError::Pal),
        Kind::Unknown if !allow_unknown => Err(RomError::Unknown(identity.sha1)),
        _ => Ok(identity),
    }
}

/// FCEUX fills the program up to a power of two with FF before it takes the sum.
fn movie_md5(program: &[u8], graphics: &[u8]) -> [u8; 16] {
    let filler = program.len().next_power_of_two() - program.len();
    let mut sum = Md5::new();
    sum.update(program);
    sum.update(vec![0xFF; filler]);
    sum.update(graphics);
    sum.finalize().into()
}

fn hex(bytes: &[u8]) -> String {
    Sha1::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}
