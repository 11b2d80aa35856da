//! What every training has: a folder for its files ([`prepare`]) and an [`End`].

use std::path::Path;

use anyhow::Context;

use maxout::files::prepare_folder;

/// Makes sure that files can be made in the folder of `--dir`.
pub fn prepare(folder: &Path) -> anyhow::Result<()> {
    prepare_folder(folder).with_context(|| format!("--dir {}", folder.display()))
}

/// How a training ended, with what there is to say.
pub enum End {
    Finished(String),
    Interrupted(String),
    /// Only members that do not lead come to this.
    LeaderFailed,
}

impl End {
    /// What there is to go on from, if any `part` of the work was finished: the file of that name.
    pub fn interrupted(folder: &Path, checkpoint: &str, part: &str) -> Self {
        let file = folder.join(checkpoint);
        Self::Interrupted(if file.exists() {
            format!("the same command goes on from {}", file.display())
        } else {
            format!("no {part} was finished, so nothing was kept")
        })
    }
}
