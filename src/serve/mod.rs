//! An HTTP server that answers what the strongest player thinks of a board: our own requests under `/v1`, and those of
//! StackRabbit's service in their own form.
//!
//! Nothing of the machine but its processor can be reached: no file is opened for a request, and the page, if there is to
//! be one, is read before the first. Head, body, time, the number
//! of connections and the number of requests that wait are bounded, and [`Server::run`] ends when it is told to.

mod analysts;
mod channels;
mod connections;
mod fields;
mod guard;
mod later;
mod live;
mod options;
mod peers;
mod position;
mod rabbit;
mod refusal;
mod routes;
mod shared;
mod site;
mod stream;
mod turns;
mod undated;
mod v1;

use maxout_rules::FallRule;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use thiserror::Error;
use tokio::runtime::{Builder, Runtime};

use analysts::Analysts;
use guard::Guard;
use maxout_engine::eval::weights;
use maxout_engine::limits::Limits;
pub use options::{PageSource, ServeOptions};
use shared::Shared;
use site::Site;
pub use site::{HAS_PAGE, SiteError};

/// Connections for which the system must have files before the server says that it listens.
const SPARE: usize = 4;

/// Why there is no server.
#[derive(Debug, Error)]
pub enum ServeError {
    /// The address cannot be listened on.
    #[error("{address}: cannot listen there ({why}), expected a free address of this machine")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// What the system says.
        why: io::Error,
    },
    /// Files of the page are missing or damaged.
    #[error("--page: {0}")]
    Page(SiteError),
    /// The system gives too few files.
    #[error("cannot serve, expected a system that gives files for connections (ulimit -n)")]
    System(#[from] io::Error),
}

/// A server that listens, and answers once it runs.
#[derive(Debug)]
pub struct Server {
    runtime: Runtime,
    listener: tokio::net::TcpListener,
    address: SocketAddr,
    options: ServeOptions,
    site: Option<Site>,
}

impl Server {
    /// Reads the page if one is served, unpacks the learned tables and listens.
    ///
    /// # Errors
    /// If the page cannot be read or the address cannot be listened on.
    pub fn listen(options: ServeOptions) -> Result<Self, ServeError> {
        let site = match &options.page {
            Some(PageSource::Folder(folder)) => Some(Site::read(folder).map_err(ServeError::Page)?),
            Some(PageSource::Program) => Some(Site::packed().map_err(ServeError::Page)?),
            None => None,
        };
        // Whoever is heard is answered: the tables are unpacked before.
        weights::embedded_for(Limits::EACH_BUTTON).unpack(0..=u8::MAX, FallRule::Ntsc);
        let refused = |why| ServeError::Listen { address: options.address, why };
        let listener = TcpListener::bind(options.address).map_err(refused)?;
        let address = listener.local_addr()?;
        listener.set_nonblocking(true)?;
        let runtime = Builder::new_current_thread().enable_all().build()?;
        // Without files for a few connections nobody would ever be answered.
        let _spare = (0..SPARE).map(|_| listener.try_clone()).collect::<io::Result<Vec<_>>>()?;
        let listener = {
            let _entered = runtime.enter();
            tokio::net::TcpListener::from_std(listener)?
        };
        Ok(Self { runtime, listener, address, options, site })
    }

    /// The address that it listens on.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until `stop` is true, and then those that were begun.
    ///
    /// # Errors
    /// If the system gives no timer.
    pub fn run(self, stop: &AtomicBool) -> Result<(), ServeError> {
        let Self { runtime, listener, address, options, site } = self;
        let jobs = options.jobs.max(1);
        let guard = Guard::new(address, &options.hosts, &options.origins, options.web);
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let analysts = Analysts::new(network, jobs, options.nodes, options.wait);
        let router = routes::router(
            Shared { analysts, channels: Arc::default(), later: Arc::default() },
            guard,
            site.as_ref(),
        );
        Ok(runtime.block_on(connections::serve(listener, router, stop))?)
    }
}
