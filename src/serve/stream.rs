//! The bytes of a connection, under watch: a client that takes none for too long loses it.

use std::future::Future;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::{Sleep, sleep};

use super::peers::Activity;

/// How long a request's head may take.
pub(super) const HEAD: Duration = Duration::from_secs(10);
/// Bytes of a request's head.
pub(super) const MAX_HEAD: usize = 16 << 10;
/// How long a client may take for [`LEAST`] bytes of an answer, or for the rest of it.
const WRITE: Duration = Duration::from_secs(10);
/// Bytes that a client must take in that time.
const LEAST: usize = 16 << 10;

/// A connection's bytes.
pub(super) struct Watched {
    stream: TcpStream,
    activity: Arc<Activity>,
    /// Set while the client takes bytes more slowly than they come.
    deadline: Option<Pin<Box<Sleep>>>,
    /// Bytes that it took since the deadline was set.
    taken: usize,
}

impl Watched {
    pub(super) fn new(stream: TcpStream, activity: Arc<Activity>) -> Self {
        Self { stream, activity, deadline: None, taken: 0 }
    }

    /// What became of an attempt to write.
    fn after(
        &mut self,
        wrote: Poll<io::Result<usize>>,
        context: &mut Context<'_>,
    ) -> Poll<io::Result<usize>> {
        match &wrote {
            Poll::Ready(Ok(count)) => {
                self.activity.moved();
                self.taken += count;
                if self.taken >= LEAST {
                    self.relax();
                }
            }
            Poll::Ready(Err(_)) => {}
            Poll::Pending => {
                if self.deadline.is_none() {
                    self.deadline = Some(Box::pin(sleep(WRITE)));
                    self.taken = 0;
                    self.activity.stalled(true);
                }
            }
        }
        let late = self.deadline.as_mut().is_some_and(|deadline| deadline.as_mut().poll(context).is_ready());
        if late { Poll::Ready(Err(io::ErrorKind::TimedOut.into())) } else { wrote }
    }

    /// The client keeps up.
    fn relax(&mut self) {
        if self.deadline.take().is_some() {
            self.activity.stalled(false);
        }
    }
}

impl AsyncRead for Watched {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        ready!(Pin::new(&mut self.stream).poll_read(context, into))?;
        if into.filled().len() > before {
            self.activity.moved();
        }
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Watched {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.after(wrote, context)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let wrote = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.after(wrote, context)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    /// All has been written: the next answer has all the time again.
    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        ready!(Pin::new(&mut self.stream).poll_flush(context))?;
        self.relax();
        Poll::Ready(Ok(()))
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
