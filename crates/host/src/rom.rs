//! Cartridge images: which cartridge an image is, and what is wrong with it.

use std::borrow::Cow;
use std::io;

use md5::Md5;
use sha1::{Digest, Sha1};
use thiserror::Error;

use super::packed;
use super::practice;
use crate::{Console, ConsoleError};
use maxout_record::cartridge::{Cartridge, HEADER, Identity, PRACTICE, UNKNOWN, UNKNOWN_PAL, hex, says_pal};
use maxout_rules::Region;
use maxout_rules::ram::Edition;

/// The size of the largest file that is read. The largest real images are under 2 MiB.
pub const MAX_BYTES: u64 = 4 << 20;
/// The bytes of a trainer: code of an old copying device, between the header and the program.
const TRAINER: usize = 512;
/// The bytes of a bank of program.
const PRG_BANK: usize = 0x4000;
/// The bytes of a bank of graphics.
const CHR_BANK: usize = 0x2000;
/// The frames per row by level in the PAL version.
const PAL_GRAVITY: [u8; 30] =
    [36, 32, 29, 25, 22, 18, 15, 11, 7, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1];

/// The frames per row by level in the NTSC version, up to level 28.
const NTSC_GRAVITY: [u8; 29] =
    [48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];
/// Why an image cannot be used.
#[derive(Debug, Error)]
pub enum RomError {
    /// The file could not be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The path names a directory.
    #[error("is a directory, expected a cartridge image (.nes)")]
    Directory,
    /// The file is too large.
    #[error("file has {0} bytes, expected a cartridge image of at most {MAX_BYTES}")]
    TooLarge(u64),
    /// The file is empty.
    #[error("file is empty, expected a cartridge image (.nes)")]
    Empty,
    /// A packed file holds no image, or several, or is damaged.
    #[error("{0}")]
    Packed(String),
    /// The file is shorter than a header.
    #[error("expected 16-byte iNES header, file has {0} bytes")]
    ShortHeader(usize),
    /// The file does not begin as an image does.
    #[error("expected an iNES header (it begins with \"NES\" and 1A hex), file begins with {0}")]
    NotINes(String),
    /// The file holds less than its header says.
    #[error(
        "header promises {banks} {kind} bank{} ({promised} bytes with what comes before), file has {got} bytes",
        if *.banks == 1 { "" } else { "s" }
    )]
    Truncated {
        /// What is missing: PRG or CHR.
        kind: &'static str,
        /// The number of banks by the header.
        banks: usize,
        /// The number of bytes that the file should have at least.
        promised: usize,
        /// The number of bytes that the file has.
        got: usize,
    },
    /// The image has no program.
    #[error("header promises no PRG bank, expected at least one")]
    NoProgram,
    /// The image is a known program, but its header names another mapper.
    #[error("header says mapper {got}, expected mapper {expected}, which {name} has")]
    Mapper {
        /// Which cartridge the image is.
        name: &'static str,
        /// The mapper number of the cartridge.
        expected: u16,
        /// The mapper number of the header.
        got: u16,
    },
    /// The image is not known.
    #[error(
        "not a known cartridge image (SHA-1 without header {sha1}{}{}); to play it all the same add --allow-unknown",
        match .region { Region::Ntsc => "", Region::Pal => "; its pieces fall as in the PAL version" },
        .notes.iter().map(|note| format!("; {note}")).collect::<String>()
    )]
    Unknown {
        /// The SHA-1 of program and graphics.
        sha1: String,
        /// The version of the game.
        region: Region,
        /// What else is wrong with the image.
        notes: Vec<String>,
    },
}

/// What the header says.
struct Header {
    prg_banks: usize,
    chr_banks: usize,
    mapper: u16,
    /// The number of bytes between the header and the program.
    trainer: usize,
    /// The same header without its flaws.
    clean: [u8; HEADER],
    /// The flaws.
    notes: Vec<String>,
}

impl Header {
    fn read(header: &[u8; HEADER]) -> Result<Self, RomError> {
        if !header.starts_with(b"NES\x1A") {
            let begins: Vec<String> = header[..4].iter().map(|b| format!("{b:02X}")).collect();
            return Err(RomError::NotINes(begins.join(" ")));
        }
        let (mut clean, mut notes) = (*header, Vec::new());
        let nes2 = header[7] & 0x0C == 0x08;
        // Old dumping programs signed the bytes that had no meaning yet; DiskDude! is the best known.
        if !nes2 && (header[7] & 0x0C != 0 || header[12..] != [0; 4]) {
            clean[7..].fill(0);
            notes.push(format!(
                "header bytes 7 to 15 hold \"{}\", expected a mapper and zeros; they are left out",
                header[7..].escape_ascii()
            ));
        }
        let trainer = if header[6] & 4 == 4 { TRAINER } else { 0 };
        if trainer > 0 {
            clean[6] &= !4;
            notes.push(format!("a trainer of {TRAINER} bytes comes before the program; it is left out"));
        }
        let (mut prg_banks, mut chr_banks) = (usize::from(clean[4]), usize::from(clean[5]));
        let mut mapper = u16::from(clean[7] & 0xF0) | u16::from(clean[6] >> 4);
        if nes2 {
            prg_banks |= usize::from(clean[9] & 15) << 8;
            chr_banks |= usize::from(clean[9] >> 4) << 8;
            mapper |= u16::from(clean[8] & 15) << 8;
        }
        if prg_banks == 0 {
            return Err(RomError::NoProgram);
        }
        Ok(Self { prg_banks, chr_banks, mapper, trainer, clean, notes })
    }
}

/// Returns the image that `file` holds, with its header, and a note for each step that led there. What is neither packed
/// nor a known image without its header is returned as it is.
pub fn unpacked(file: &[u8]) -> Result<(Cow<'_, [u8]>, Vec<String>), RomError> {
    let (file, mut notes) = if packed::is_packed(file) {
        let (bytes, note) = packed::unpack(file, MAX_BYTES).map_err(RomError::Packed)?;
        (Cow::Owned(bytes), vec![note])
    } else {
        (Cow::Borrowed(file), Vec::new())
    };
    if file.starts_with(b"NES\x1A") {
        return Ok((file, notes));
    }
    let Some(cartridge) = Cartridge::of(&hex(&Sha1::digest(&file))) else { return Ok((file, notes)) };
    notes.push("file has no iNES header; it is a known image, and its header is added".to_owned());
    Ok((Cow::Owned([&cartridge.header, file.as_ref()].concat()), notes))
}

/// Unpacks the image ([`unpacked`]), reads its header and recognises it by the hash of program and graphics. The hash
/// leaves out everything else, because headers, trainers and trailing bytes differ between dumps.
pub fn identify(file: &[u8]) -> Result<Identity, RomError> {
    if file.is_empty() {
        return Err(RomError::Empty);
    }
    let (file, packed) = unpacked(file)?;
    let file = file.as_ref();
    let header = file.first_chunk::<HEADER>().ok_or(RomError::ShortHeader(file.len()))?;
    let Header { prg_banks, chr_banks, mapper, trainer, clean, notes } = Header::read(header)?;
    let mut notes = [packed, notes].concat();
    let begin = HEADER + trainer;
    let prg_end = begin + prg_banks * PRG_BANK;
    let end = prg_end + chr_banks * CHR_BANK;
    for (kind, banks, promised) in [("PRG", prg_banks, prg_end), ("CHR", chr_banks, end)] {
        if file.len() < promised {
            return Err(RomError::Truncated { kind, banks, promised, got: file.len() });
        }
    }
    if file.len() > end {
        notes.push(format!(
            "header promises {prg_banks} PRG and {chr_banks} CHR banks ({end} bytes with what comes before), file has \
             {}; the last {} are left out",
            file.len(),
            file.len() - end
        ));
    }
    let (body, program, graphics) = (&file[begin..end], &file[begin..prg_end], &file[prg_end..end]);
    let sum = |bytes: &[u8]| hex(&Sha1::digest(bytes));
    let sha1 = sum(body);
    let cartridge = Cartridge::of(&sha1);
    let holds = |table: &[u8]| program.windows(table.len()).any(|bytes| bytes == table);
    let practises =
        || holds(&NTSC_GRAVITY) && is_practice(&[&for_region(clean, Region::Ntsc), body].concat());
    let (name, region, edition) = match cartridge {
        Some(&Cartridge { name, region, edition, .. }) => (name, region, edition),
        // It may hold the frames per row of both regions.
        None if practises() => (PRACTICE, Region::Ntsc, Edition::Practice),
        None if holds(&PAL_GRAVITY) => (UNKNOWN_PAL, Region::Pal, Edition::Original),
        None => (UNKNOWN, Region::Ntsc, Edition::Original),
    };
    if says_pal(&clean) && region == Region::Ntsc {
        notes.push("header says PAL; it is played as NTSC".to_owned());
    }
    let clean = for_region(clean, region);
    Ok(Identity {
        name: name.to_owned(),
        cartridge,
        region,
        edition,
        sha1,
        file_sha1: Sha1::digest(file).into(),
        md5: movie_md5(program, graphics),
        mapper,
        prg_bytes: program.len(),
        chr_bytes: graphics.len(),
        notes,
        image: [&clean, body].concat(),
    })
}

/// Whether the image behaves as the practice edition.
fn is_practice(image: &[u8]) -> bool {
    Console::power_on(image).is_ok_and(practice::is_practice)
}

/// Returns the header with this region.
const fn for_region(mut header: [u8; HEADER], region: Region) -> [u8; HEADER] {
    let pal = matches!(region, Region::Pal) as u8;
    if header[7] & 0x0C == 0x08 {
        header[12] = header[12] & !3 | pal;
    } else {
        header[9] = header[9] & !1 | pal;
    }
    header
}

/// Returns the image's identity if the image may be played: one that is known, with the right mapper, or recognised as
/// the practice edition, and any other image only with `allow_unknown`.
pub fn admit(file: &[u8], allow_unknown: bool) -> Result<Identity, RomError> {
    let identity = identify(file)?;
    let Identity { cartridge, mapper: got, region, edition, .. } = identity;
    match cartridge.map(|cartridge| (cartridge.name, cartridge.mapper())) {
        None if !allow_unknown && edition == Edition::Original => {
            Err(RomError::Unknown { sha1: identity.sha1, region, notes: identity.notes })
        }
        Some((name, expected)) if got != expected => Err(RomError::Mapper { name, expected, got }),
        _ => Ok(identity),
    }
}

/// Inserts the cartridge and switches on, with all RAM zero. No file is read or written.
pub fn power_on(rom: &Identity) -> Result<Console, ConsoleError> {
    Ok(Console::power_on(&rom.image)?.in_edition(rom.edition))
}

/// Returns the MD5 that FM2 movies name. FCEUX fills the program up to a power of two with FF before it takes the sum.
fn movie_md5(program: &[u8], graphics: &[u8]) -> [u8; 16] {
    let filler = program.len().next_power_of_two() - program.len();
    let mut sum = Md5::new();
    sum.update(program);
    sum.update(vec![0xFF; filler]);
    sum.update(graphics);
    sum.finalize().into()
}
