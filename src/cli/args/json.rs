//! `--json` of commands that answer in text, too.

use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::cli::output::{self, Outputs, write_json};

/// Where to write the answer as JSON.
#[derive(clap::Args)]
pub(crate) struct Json {
    /// Write the answer as JSON to this file; - for stdout, instead of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl Json {
    /// Refuses a file that cannot be written, or that is or lies in one of these, which are read.
    pub(crate) fn check(&self, inputs: impl IntoIterator<Item = impl AsRef<Path>>) -> anyhow::Result<()> {
        Outputs::check([("--json", self.json.as_deref())])?.apart_from(inputs).map(|_| ())
    }

    /// Prints the answer, and writes it if a file was named.
    pub(crate) fn give(&self, value: &impl Serialize, text: &str) -> anyhow::Result<()> {
        output::give(self.json.as_deref(), value, text)
    }

    /// Writes the answer if a file was named.
    pub(crate) fn write(&self, value: &impl Serialize) -> anyhow::Result<()> {
        self.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, value))
    }
}
