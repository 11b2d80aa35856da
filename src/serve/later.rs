//! Answers that are asked for first and fetched later: `get-move-async` and `async-result`.

use std::collections::HashMap;
use std::future::{Future, poll_fn};
use std::net::IpAddr;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use std::task::Poll;

use tokio::sync::watch;

/// Addresses whose last answer is kept.
const KEPT: usize = 64;

/// The last answer of each address, once it is there.
#[derive(Debug, Default)]
pub(super) struct Later(Mutex<HashMap<IpAddr, watch::Receiver<Option<String>>>>);

impl Later {
    /// Begins an answer, which takes the place of the address's last one.
    pub(super) fn begin(&self, address: IpAddr, answer: impl Future<Output = String> + Send + 'static) {
        let (done, result) = watch::channel(None);
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if kept.len() >= KEPT {
            kept.retain(|_, result| result.borrow().is_none());
        }
        if kept.len() < KEPT || kept.contains_key(&address) {
            kept.insert(address, result);
        }
        tokio::spawn(async move {
            // An answer that nobody can fetch any more gives up its place in the queue.
            let (mut answer, mut gone) = (pin!(answer), Box::pin(done.closed()));
            let text = poll_fn(|context| match gone.as_mut().poll(context) {
                Poll::Ready(()) => Poll::Ready(None),
                Poll::Pending => answer.as_mut().poll(context).map(Some),
            });
            let text = text.await;
            drop(gone);
            let _ = done.send(text);
        });
    }

    pub(super) fn of(&self, address: IpAddr) -> Option<watch::Receiver<Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&address).cloned()
    }
}
