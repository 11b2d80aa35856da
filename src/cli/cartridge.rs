//! The cartridge argument, shared by the commands that need a machine.

use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::host::rom::{self, Identity, Kind};
use crate::host::{Console, TEST_CARTRIDGE};
use crate::record::run::RomName;

/// Which cartridge to put in.
#[derive(clap::Args)]
pub(super) struct CartridgeArgs {
    /// Cartridge image (.nes); the embedded test cartridge if none is given
    pub rom: Option<PathBuf>,
    /// Play a cartridge image that is not known, at your own risk
    #[arg(long)]
    pub allow_unknown: bool,
}

/// A cartridge in the machine, switched on.
pub(super) struct Inserted {
    pub console: Console,
    pub identity: Identity,
}

impl Inserted {
    pub(super) fn name(&self) -> RomName {
        RomName { name: self.identity.name.clone(), sha1: Some(self.identity.sha1.clone()) }
    }
}

/// Reads, checks and inserts the cartridge.
pub(super) fn insert(rom: Option<&Path>, allow_unknown: bool) -> anyhow::Result<Inserted> {
    let image = match rom {
        Some(path) => rom::read(path).with_context(|| path.display().to_string())?,
        None => TEST_CARTRIDGE.to_vec(),
    };
    let context = || rom.map_or_else(|| "test cartridge".to_owned(), |path| path.display().to_string());
    let identity = rom::admit(&image, allow_unknown).with_context(context)?;
    if identity.kind == Kind::Unknown {
        log::warn!("{}: not a known cartridge image; nothing is promised about it", context());
    }
    let console = Console::power_on(&image).with_context(context)?;
    Ok(Inserted { console, identity })
}
