//! `maxout rom`: which cartridge image is it, what is wrong with it, and can it be played.

use std::fmt::Write as _;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;

use crate::cli::args::cartridge::{self, CartridgeArgs};
use crate::cli::args::json::Json;
use crate::words::number;
use maxout_host::rom;
use maxout_record::cartridge::Identity;

/// `maxout rom`.
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    cartridge: CartridgeArgs,
    #[command(flatten)]
    json: Json,
}

/// The answer.
#[derive(Serialize)]
struct Answer<'a> {
    file: &'a str,
    cartridge: &'a str,
    sha1: &'a str,
    file_sha1: String,
    md5: String,
    mapper: u16,
    prg_bytes: usize,
    chr_bytes: usize,
    notes: &'a [String],
    /// Why it cannot be played.
    refused: Option<String>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    args.json.check(args.cartridge.rom())?;
    let (file, bytes) = cartridge::read(args.cartridge.rom())?;
    let identity = rom::identify(&bytes).with_context(|| file.clone())?;
    let admitted = cartridge::admit(file.clone(), &bytes, args.cartridge.other.unknown.allow_unknown);
    let refused = admitted.as_ref().err().map(|error| error.root_cause().to_string());
    let told = Answer::new(&file, &identity, refused);
    args.json.give(&told, &told.text()?)?;
    admitted.map(|_| ExitCode::SUCCESS)
}

impl<'a> Answer<'a> {
    fn new(file: &'a str, identity: &'a Identity, refused: Option<String>) -> Self {
        Self {
            file,
            cartridge: &identity.name,
            sha1: &identity.sha1,
            file_sha1: hex(&identity.file_sha1),
            md5: hex(&identity.md5),
            mapper: identity.mapper,
            prg_bytes: identity.prg_bytes,
            chr_bytes: identity.chr_bytes,
            notes: &identity.notes,
            refused,
        }
    }

    fn text(&self) -> Result<String, std::fmt::Error> {
        let Self { file, cartridge, sha1, md5, mapper, .. } = self;
        let (prg_bytes, chr_bytes) = (number(self.prg_bytes as u64), number(self.chr_bytes as u64));
        let mut text = format!("file      {file}\ncartridge {cartridge}\n");
        writeln!(text, "sha1      {sha1} (program and graphics, without header)")?;
        writeln!(text, "md5       {md5} (the same, as in FM2 movies)")?;
        write!(text, "mapper    {mapper}\nprg       {prg_bytes} bytes\nchr       {chr_bytes} bytes")?;
        for note in self.notes {
            write!(text, "\nnote: {note}")?;
        }
        Ok(text)
    }
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|b| format!("{b:02x}")).collect()
}
