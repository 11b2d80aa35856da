//! Stands for `serve` in a program that is built without the feature of that name: nothing is served, and a message says
//! why.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use thiserror::Error;

/// What a server would be told.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServeOptions {
    /// The address to listen on.
    pub address: SocketAddr,
    /// Names of the server that a request's Host may have.
    pub hosts: Vec<String>,
    /// Origins of pages elsewhere that may ask.
    pub origins: Vec<String>,
    /// How many analyses may run at a time.
    pub jobs: usize,
    /// How many leaves a ranking may look at before it goes no deeper.
    pub nodes: u64,
    /// How many requests may wait for an analysis.
    pub waiting: usize,
    /// How long each of them may wait.
    pub wait: Duration,
}

/// Why there is no server.
#[derive(Debug, Error)]
#[error(
    "nothing can be served, expected a program with the feature `serve` (maxout --version lists the features)"
)]
pub struct ServeError;

/// A server; there is none.
#[derive(Debug)]
pub struct Server(Infallible);

impl Server {
    /// Refuses, and says why.
    pub fn listen(_options: ServeOptions) -> Result<Self, ServeError> {
        Err(ServeError)
    }

    /// Never comes to be called.
    pub fn address(&self) -> SocketAddr {
        match self.0 {}
    }

    /// Never comes to be called.
    pub fn run(self, _stop: &AtomicBool) -> Result<(), ServeError> {
        match self.0 {}
    }
}
