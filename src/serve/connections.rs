//! Connections: how many there may be, how long each may take to ask, and how they end when the server stops.

use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Most connections at a time; more wait until one ends.
const MOST: usize = 256;
/// How long a request's head may take, and how long a connection may be idle between two requests.
const HEAD: Duration = Duration::from_secs(10);
/// How long one connection may be used: those who read their answers too slowly end here.
const LIFETIME: Duration = Duration::from_secs(3_600);
/// Bytes of a request's head.
const MAX_HEAD: usize = 16 << 10;
/// How often the server looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
/// How long requests that are being answered may still take once the server is to stop.
const LAST: Duration = Duration::from_secs(10);

/// Answers requests by `router` until `stop` is true and what was begun is answered.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: &AtomicBool) -> io::Result<()> {
    let (connections, graceful) = (Arc::new(Semaphore::new(MOST)), GracefulShutdown::new());
    let mut builder = http1::Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MAX_HEAD);
    while !stop.load(Ordering::Relaxed) {
        let Ok(Ok(permit)) = timeout(TICK, Arc::clone(&connections).acquire_owned()).await else { continue };
        let stream = match timeout(TICK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok((stream, _))) => stream,
            Ok(Err(error)) => {
                // The client is gone already, or the process has no file left for it.
                log::debug!("a connection could not be taken: {error}");
                sleep(TICK).await;
                continue;
            }
        };
        // Answers are short: they go out at once.
        let _ = stream.set_nodelay(true);
        let service = TowerToHyperService::new(router.clone());
        let connection = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
        tokio::spawn(async move {
            let connection = pin!(connection);
            if let Ok(Err(error)) = timeout(LIFETIME, connection).await {
                log::debug!("a connection ended: {error}");
            }
            drop(permit);
        });
    }
    drop(listener);
    if timeout(LAST, graceful.shutdown()).await.is_err() {
        log::warn!(
            "requests were still being answered {} seconds after the server was to stop",
            LAST.as_secs()
        );
    }
    Ok(())
}
