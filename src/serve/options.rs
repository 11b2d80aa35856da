//! What a server is told, also by a program that has none: [`ServeOptions`].

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

/// What a server is told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServeOptions {
    /// The address to listen on; port 0 means any port that is free.
    pub address: SocketAddr,
    /// Names of the server that a request's Host may have, besides its address and `localhost`.
    pub hosts: Vec<String>,
    /// Origins of pages elsewhere that may ask, such as `https://example.org`.
    pub origins: Vec<String>,
    /// The folder with the page of `crates/web`, if the server is to answer with it.
    pub page: Option<PathBuf>,
    /// How many analyses may run at a time, at least 1.
    pub jobs: usize,
    /// How many leaves a ranking may look at before it goes no deeper.
    pub nodes: u64,
    /// How many requests may wait for an analysis.
    pub waiting: usize,
    /// How long each of them may wait.
    pub wait: Duration,
}
