//! Weights files as arguments: [`network`].

use std::fs;
use std::io;
use std::sync::Arc;

use maxout_engine::eval::ntuple::Network;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;

/// The weights of all these files together, or the embedded ones if the list is empty. An error names the file, or says what is wrong
/// with the bytes.
pub fn network(files: &[&str], limits: Limits) -> io::Result<Arc<Network>> {
    if files.is_empty() {
        return Ok(weights::embedded_for(limits));
    }
    let mut bytes = Vec::new();
    for file in files {
        bytes.extend(fs::read(file).map_err(|error| io::Error::other(format!("{file}: {error}")))?);
    }
    let wrong = |error| io::Error::other(format!("{}: {error}", files.join(", ")));
    weights::decode(&bytes).map(Arc::new).map_err(wrong)
}
