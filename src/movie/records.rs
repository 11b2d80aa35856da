//! [`Movie`]: the records of a movie and what its file says about them, whatever the format.

use maxout_host::rom::Identity;
use maxout_rules::input::{Buttons, InputLog};

/// Records of a movie from power-on (or a reset) that our machine does not play: FCEUX shows the game its first
/// buttons one frame later after that than tetanes does. An FM2 is this many blank records and then our log.
pub const WARM_UP_LEAD: usize = 1;

/// Records that a movie may have: more than a day.
pub const MAX_FRAMES: usize = 6_000_000;

/// One record: what happens in one frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MovieFrame {
    /// Bit field: [`MovieFrame::RESET`], [`MovieFrame::POWER`], and what other machines can do.
    pub commands: u8,
    /// The two controllers.
    pub controllers: [Buttons; 2],
}

impl MovieFrame {
    /// Command: the reset button.
    pub const RESET: u8 = 1;
    /// Command: power off and on.
    pub const POWER: u8 = 2;

    /// Only the first controller.
    pub const fn of_first(buttons: Buttons) -> Self {
        Self { commands: 0, controllers: [buttons, Buttons::NONE] }
    }
}

/// A movie from power-on.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Movie {
    /// Who made it.
    pub author: String,
    /// What the cartridge is called.
    pub rom_name: String,
    /// MD5 of program and graphics; FM2 has it, and a BK2 that was made from one.
    pub rom_md5: Option<[u8; 16]>,
    /// SHA-1 of the cartridge file, or of what follows its header; BK2 has it, FM2 has not.
    pub rom_sha1: Option<[u8; 20]>,
    /// Distinguishes movies; FM2 has it, BK2 has not.
    pub guid: Option<[u8; 16]>,
    /// How often its maker went back to change something.
    pub rerecords: u64,
    /// Which controllers are plugged in.
    pub plugged: [bool; 2],
    /// Remarks, one line each.
    pub comments: Vec<String>,
    /// Record number and text.
    pub subtitles: Vec<(u64, String)>,
    /// The records.
    pub frames: Vec<MovieFrame>,
}

impl Movie {
    /// Whether it names checksums, and none is that of `rom`. One is enough: dumps of a cartridge differ in their
    /// headers.
    pub fn is_foreign_to(&self, rom: &Identity) -> bool {
        let md5 = self.rom_md5.map(|md5| md5 == rom.md5);
        let sha1 = self.rom_sha1.map(|sha1| sha1 == rom.file_sha1 || hex(&sha1) == rom.sha1);
        let same = [md5, sha1];
        same.contains(&Some(false)) && !same.contains(&Some(true))
    }

    /// The first controller's log as our machine wants it: without the records of [`WARM_UP_LEAD`].
    pub fn log(&self) -> InputLog {
        self.frames.iter().skip(WARM_UP_LEAD).map(|frame| frame.controllers[0]).collect()
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
