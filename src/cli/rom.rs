//! `maxout rom`: which cartridge image is it.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;

use super::output::answer;
use crate::host::{TEST_CARTRIDGE, rom};

/// `maxout rom`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// Cartridge image (.nes); the embedded test cartridge if none is given
    rom: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let (name, image) = match &args.rom {
        Some(path) => {
            let name = path.display().to_string();
            (name.clone(), rom::read(path).context(name)?)
        }
        None => ("embedded".to_owned(), TEST_CARTRIDGE.to_vec()),
    };
    let identity = rom::identify(&image).with_context(|| name.clone())?;
    answer(&format!(
        "file      {name}\ncartridge {}\nsha1      {} (without header)\nmd5       {} (without header, as in FM2 movies)\nmapper    {}\nprg       {} bytes\nchr       {} bytes",
        identity.name,
        identity.sha1,
        identity.md5.iter().map(|b| format!("{b:02x}")).collect::<String>(),
        identity.mapper,
        identity.prg_bytes,
        identity.chr_bytes
    ))?;
    Ok(ExitCode::SUCCESS)
}
