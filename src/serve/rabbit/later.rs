//! Answers that are asked for first and fetched later: `get-move-async` and `async-result`.

use std::collections::HashMap;
use std::future::Future;
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};

use axum::Extension;
use axum::extract::State;
use axum::response::Response;
use tokio::sync::watch;

use super::plain;
use crate::serve::peers::Client;
use crate::serve::shared::Shared;

/// Addresses whose last answer is kept.
const KEPT: usize = 64;

/// The last answer of each address, once it is there.
#[derive(Debug, Default)]
pub(in crate::serve) struct Later(Mutex<HashMap<IpAddr, watch::Receiver<Option<String>>>>);

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

    fn of(&self, address: IpAddr) -> Option<watch::Receiver<Option<String>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&address).cloned()
    }
}

/// `async-result`: the address's last answer, as soon as it is there.
pub(super) async fn result(State(shared): State<Shared>, Extension(client): Extension<Client>) -> Response {
    let Some(mut result) = shared.later.of(client.address) else {
        return plain("No asynchronous request has been made, expected get-move-async before this one");
    };
    match result.wait_for(Option::is_some).await {
        Ok(text) => plain(text.clone().unwrap_or_default()),
        Err(_) => plain("The asynchronous request broke off, expected another one"),
    }
}
