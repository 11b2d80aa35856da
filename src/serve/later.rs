//! Answers that are asked for first and fetched later: `get-move-async` and `async-result`.

use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

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
            let text = answer.await;
            let _ = done.send(Some(text));
        });
    }

    pub(super) fn of(&self, address: IpAddr) -> Option<watch::Receiver<Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&address).cloned()
    }
}
