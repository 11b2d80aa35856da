//! The cartridge argument, shared by the commands that need a machine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

use crate::cli::args::source;
use crate::files;
use maxout_host::rom::{self, RomError};
use maxout_host::{Console, TEST_CARTRIDGE};
use maxout_record::cartridge::Identity;
use maxout_record::movie::{self, Movie, MovieFormat};
use maxout_record::run::RomName;
use maxout_rules::ram::Edition;

/// Which cartridge to put in, where it is what the command is about.
#[derive(clap::Args)]
pub struct CartridgeArgs {
    /// Cartridge image (.nes, .zip or .gz); the embedded test cartridge if none is given
    #[arg(value_name = "ROM", conflicts_with = "rom")]
    image: Option<PathBuf>,
    /// The flags.
    #[command(flatten)]
    pub other: RomArgs,
}

impl CartridgeArgs {
    /// The file of the image.
    pub fn rom(&self) -> Option<&Path> {
        self.image.as_deref().or(self.other.rom.as_deref())
    }
}

/// Which cartridge to put in, where the command is about something else.
#[derive(clap::Args)]
pub struct RomArgs {
    /// Cartridge image (.nes, .zip or .gz) [default: the embedded test cartridge]
    #[arg(long, value_name = "ROM", alias = "cartridge")]
    pub rom: Option<PathBuf>,
    /// The other flag.
    #[command(flatten)]
    pub unknown: UnknownArgs,
}

/// Whether any image will do.
#[derive(clap::Args, Clone, Copy)]
pub struct UnknownArgs {
    /// Play a cartridge image that is not known, at your own risk
    #[arg(long, global = true)]
    pub allow_unknown: bool,
}

/// A cartridge in the machine, switched on.
pub struct Inserted {
    /// How the file is called.
    pub file: String,
    /// The machine.
    pub console: Console,
    /// What the image is.
    pub identity: Identity,
}

impl Inserted {
    /// The cartridge as a record names it.
    pub fn name(&self) -> RomName {
        RomName { name: self.identity.name.clone(), sha1: Some(self.identity.sha1.clone()) }
    }
}

/// A file that may be a cartridge image, and how it is called.
pub fn read(rom: Option<&Path>) -> anyhow::Result<(String, Vec<u8>)> {
    let Some(path) = rom else { return Ok(("test cartridge".to_owned(), TEST_CARTRIDGE.to_vec())) };
    let file = path.display().to_string();
    if let Some((what, hint)) = source::instead_of_image(path) {
        bail!("{file}: {what}, expected a cartridge image (.nes); {hint}");
    }
    let bytes = read_image(path).with_context(|| file.clone())?;
    Ok((file, bytes))
}

/// Checks and inserts the cartridge: what passes here is what can be played.
pub fn admit(file: String, bytes: &[u8], allow_unknown: bool) -> anyhow::Result<Inserted> {
    let identity = rom::admit(bytes, allow_unknown).with_context(|| file.clone())?;
    let console = rom::power_on(&identity).with_context(|| file.clone())?;
    Ok(Inserted { file, console, identity })
}

/// Reads, checks and inserts the cartridge, and says what is odd about it.
pub fn insert(rom: Option<&Path>, allow_unknown: bool) -> anyhow::Result<Inserted> {
    let (file, bytes) = read(rom)?;
    let inserted = admit(file, &bytes, allow_unknown)?;
    let Inserted { file, identity, .. } = &inserted;
    log::info!("cartridge: {}", identity.name);
    for note in &identity.notes {
        log::warn!("{file}: {note}");
    }
    match (identity.cartridge, identity.edition) {
        (Some(_), _) => {}
        (None, Edition::Practice) => log::warn!(
            "{file}: no known build of a practice cartridge, recognised by its RAM and its menus; its seeds may deal other \
             pieces than `maxout sim` does"
        ),
        (None, Edition::Original) => {
            log::warn!("{file}: not a known cartridge image; nothing is promised about it");
        }
    }
    Ok(inserted)
}

/// Reads a movie and inserts the cartridge that it needs.
pub fn insert_for(source: &Path, format: MovieFormat, args: &RomArgs) -> anyhow::Result<(Movie, Inserted)> {
    let name = source.display();
    let movie = movie::load(source, format).with_context(|| name.to_string())?;
    for unread in &movie.unread {
        log::warn!("{name}: {unread}");
    }
    let inserted = insert(args.rom.as_deref(), args.unknown.allow_unknown)?;
    movie.check_region(&inserted.identity).with_context(|| name.to_string())?;
    if movie.is_foreign_to(&inserted.identity) {
        log::warn!(
            "{name}: made on another cartridge image ({:?}) than {:?}, so it may not play as it did (--rom FILE inserts another)",
            movie.rom_name,
            inserted.identity.name
        );
    }
    Ok((movie, inserted))
}

/// Reads an image file, refusing what is too large to be one.
fn read_image(path: &Path) -> Result<Vec<u8>, RomError> {
    let metadata = fs::metadata(path)?;
    if metadata.is_dir() {
        return Err(RomError::Directory);
    }
    if metadata.len() > rom::MAX_BYTES {
        return Err(RomError::TooLarge(metadata.len()));
    }
    Ok(files::read(path, rom::MAX_BYTES)?)
}
