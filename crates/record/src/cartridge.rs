//! The cartridges that are known, and what an image says about itself: [`CARTRIDGES`].

use maxout_rules::Region;
use maxout_rules::ram::Edition;
use sha1::{Digest, Sha1};

/// The bytes of an iNES header.
pub const HEADER: usize = 16;

/// A cartridge that is known: what the program must know of it, and nothing else asks which cartridge it is.
#[derive(PartialEq, Eq, Debug)]
pub struct Cartridge {
    /// Its name.
    pub name: &'static str,
    /// The version of the game that it holds. The rules are those of the region.
    pub region: Region,
    /// The edition of the game that it holds. RAM map and menus are those of the edition.
    pub edition: Edition,
    /// The SHA-1 of program and graphics.
    pub sha1: &'static str,
    /// The header of its image.
    pub header: [u8; HEADER],
}

/// The cartridges that are known. The hashes of the game are those of docs/how-it-works/the-game.md 9.
pub const CARTRIDGES: [Cartridge; 5] = [
    Cartridge {
        name: "Tetris (NES, NTSC)",
        region: Region::Ntsc,
        edition: Edition::Original,
        sha1: "fd9079cb5e8479eb06d93c2ae5175bfce871746a",
        header: *b"NES\x1A\x02\x02\x10\0\0\0\0\0\0\0\0\0",
    },
    Cartridge {
        name: "Tetris (NES, PAL)",
        region: Region::Pal,
        edition: Edition::Original,
        sha1: "66883b9eddec933e36b6bff0479cefd2434ffb40",
        header: *b"NES\x1A\x02\x02\x10\0\0\x01\0\0\0\0\0\0",
    },
    Cartridge {
        name: "maxout test cartridge",
        region: Region::Ntsc,
        edition: Edition::Original,
        sha1: "e8ac155fb6c4219df9ca030b71220aba5d70682a",
        header: *b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0",
    },
    Cartridge {
        name: "maxout test cartridge (PAL)",
        region: Region::Pal,
        edition: Edition::Original,
        sha1: "9746db7936428108549d6ae1ec7b2312c294bca3",
        header: *b"NES\x1A\x02\x01\0\0\0\x01\0\0\0\0\0\0",
    },
    Cartridge {
        name: "maxout test cartridge (practice)",
        region: Region::Ntsc,
        edition: Edition::Practice,
        sha1: "f33cc88479c659e4f7471c7e1d4e67ed978704ee",
        header: *b"NES\x1A\x02\x01\0\0\0\0\0\0\0\0\0\0",
    },
];

/// The name of a cartridge that is not known.
pub const UNKNOWN: &str = "unknown";
/// The name of a cartridge that is not known and has the frames per row of the PAL version.
pub const UNKNOWN_PAL: &str = "unknown (PAL)";
/// The name of a cartridge that is not known and behaves as the practice edition.
pub const PRACTICE: &str = "practice cartridge (as TetrisGYM)";
/// The name of the rules as a cartridge, in the PAL version.
const PAL_MODEL: &str = "model (PAL)";

/// Returns the name of the rules as a cartridge, for results and records of games on the model.
pub const fn model_name(region: Region) -> &'static str {
    match region {
        Region::Ntsc => "model",
        Region::Pal => PAL_MODEL,
    }
}

/// Returns the version of the game that a cartridge of this name holds, which may be the model.
pub fn region_of(name: &str) -> Region {
    let known = CARTRIDGES.iter().find(|cartridge| cartridge.name == name).map(|found| found.region);
    known.unwrap_or(if [UNKNOWN_PAL, PAL_MODEL].contains(&name) { Region::Pal } else { Region::Ntsc })
}

/// Returns the edition that a cartridge of this name holds.
pub fn edition_of(name: &str) -> Edition {
    let known = CARTRIDGES.iter().find(|cartridge| cartridge.name == name).map(|found| found.edition);
    known.unwrap_or(if name == PRACTICE { Edition::Practice } else { Edition::Original })
}

/// Whether a cartridge of this name is one that is not known.
pub fn is_unknown(name: &str) -> bool {
    [UNKNOWN, UNKNOWN_PAL].contains(&name)
}

/// What an image says about itself, and what it is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Identity {
    /// The name of the cartridge.
    pub name: String,
    /// Which cartridge the image is, if it is known.
    pub cartridge: Option<&'static Cartridge>,
    /// The version of the game. An unknown cartridge is taken for PAL if it has the frames per row of the PAL version.
    pub region: Region,
    /// The edition of the game. An unknown cartridge is recognised as the practice edition by what it does.
    pub edition: Edition,
    /// The SHA-1 of program and graphics, in lower-case hex.
    pub sha1: String,
    /// The SHA-1 of the whole file, which BK2 movies name.
    pub file_sha1: [u8; 20],
    /// The MD5 of program and graphics, the program filled up to a power of two. FM2 movies name it.
    pub md5: [u8; 16],
    /// The mapper number.
    pub mapper: u16,
    /// The number of bytes of program.
    pub prg_bytes: usize,
    /// The number of bytes of graphics.
    pub chr_bytes: usize,
    /// The harmless flaws of the file, one sentence each.
    pub notes: Vec<String>,
    /// The image that goes into the machine: a header without flaws, the program, the graphics.
    pub image: Vec<u8>,
}

impl Cartridge {
    /// Returns the cartridge with this sum of program and graphics.
    pub fn of(sha1: &str) -> Option<&'static Self> {
        const KNOWN: &[Cartridge] = &CARTRIDGES;
        KNOWN.iter().find(|cartridge| cartridge.sha1 == sha1)
    }

    /// Returns the mapper number.
    pub fn mapper(&self) -> u16 {
        u16::from(self.header[7] & 0xF0) | u16::from(self.header[6] >> 4)
    }
}

/// Returns the edition of a known image; any other counts as the original.
pub fn edition_of_image(image: &[u8]) -> Edition {
    let body = image.get(HEADER..).unwrap_or_default();
    Cartridge::of(&hex(&Sha1::digest(body))).map_or(Edition::Original, |cartridge| cartridge.edition)
}

/// Whether the header of an image says that it is for a PAL console.
pub fn says_pal(image: &[u8]) -> bool {
    image.first_chunk::<HEADER>().is_some_and(|header| match header[7] & 0x0C {
        0x08 => matches!(header[12] & 3, 1 | 3),
        _ => header[9] & 1 == 1,
    })
}

/// A checksum in lower-case hex.
pub fn hex(sum: &[u8]) -> String {
    sum.iter().map(|b| format!("{b:02x}")).collect()
}
