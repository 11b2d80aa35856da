//! Takes the place of `serve` in a program that is built without the feature of that name: nothing is served, and a message says
//! why.

#[path = "options.rs"]
mod options;

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::atomic::AtomicBool;

use thiserror::Error;

pub use options::{PageSource, ServeOptions};

/// Whether the page is part of the program. A program without a server does not contain it.
pub const HAS_PAGE: bool = false;

/// Why there is no server.
#[derive(Debug, Error)]
#[error(
    "nothing can be served, expected a program with the feature `serve` (maxout --version lists the features)"
)]
pub struct ServeError;

/// A server that this build lacks.
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
