//! The options of a server: [`ServeOptions`], [`PageSource`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// Where the page comes from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PageSource {
    /// The folder that it was built into.
    Folder(PathBuf),
    /// The program itself ([`super::HAS_PAGE`]).
    Program,
}

/// What a server is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServeOptions {
    /// The address to listen on; port 0 means any port that is free.
    pub address: SocketAddr,
    /// Names of the server that a request's Host may have, besides its address and `localhost`.
    pub hosts: Vec<String>,
    /// Origins of pages elsewhere that may ask, such as `https://example.org`.
    pub origins: Vec<String>,
    /// Whether pages of any origin may ask, and pages in local files.
    pub web: bool,
    /// Where the page of `crates/web` comes from, if the server is to answer with it.
    pub page: Option<PageSource>,
    /// How many analyses may run at a time, at least 1.
    pub jobs: usize,
    /// How many leaves a ranking may look at before it goes no deeper.
    pub nodes: u64,
    /// How long a request may wait for an analysis.
    pub wait: Duration,
}
