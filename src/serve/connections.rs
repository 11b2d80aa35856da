//! Connections: how long each may take to ask and to read, and how they end when the server stops.

use std::fmt::Display;
use std::future::{Future, poll_fn};
use std::io;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::Poll;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::time::{sleep, timeout};

use super::peers::{Activity, Connection, Peers};
use super::refusal::Refusal;
use super::stream::{HEAD, MAX_HEAD, Watched};
use super::undated;

/// How long one connection may be used.
const LIFETIME: Duration = Duration::from_secs(3_600);
/// How often the server looks whether it is to stop.
const TICK: Duration = Duration::from_millis(50);
/// How often it looks for connections that have been idle for too long.
const SWEEP: Duration = Duration::from_secs(1);
/// How long requests that are being answered may still take once the server is to stop.
const LAST: Duration = Duration::from_secs(10);

/// Answers requests by `router` until `stop` is true and what was begun is answered.
pub(super) async fn serve(listener: TcpListener, router: Router, stop: &AtomicBool) -> io::Result<()> {
    let (peers, graceful) = (Arc::new(Peers::default()), GracefulShutdown::new());
    let mut builder = http1::Builder::new();
    // A client that has sent its request may close its half of the connection.
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD).max_buf_size(MAX_HEAD).half_close(true);
    let mut swept = Instant::now();
    while !stop.load(Ordering::Relaxed) {
        if swept.elapsed() >= SWEEP {
            peers.end_idle();
            swept = Instant::now();
        }
        let (stream, address) = match timeout(TICK, listener.accept()).await {
            Err(_) => continue,
            Ok(Ok(accepted)) => accepted,
            Ok(Err(error)) => {
                // The client is gone already, or the process has no file left for it.
                log::debug!("a connection could not be taken: {error}");
                peers.end_any();
                sleep(TICK).await;
                continue;
            }
        };
        // Answers are short: they go out at once.
        let _ = stream.set_nodelay(true);
        let connection = peers.add(address.ip());
        let activity = Arc::clone(connection.activity());
        let (inner, client) = (TowerToHyperService::new(router.clone()), connection.client());
        let asked = Arc::clone(&activity);
        let answer = move |mut request: Request<Body>| {
            let answering = asked.answering();
            let too_large = head(&request) > MAX_HEAD;
            let client = client.of_page(request.headers());
            request.extensions_mut().insert(client);
            let answer = (!too_large).then(|| inner.call(request));
            async move {
                let response = match answer {
                    Some(answer) => answer.await,
                    None => Ok(Refusal::large_head(MAX_HEAD).into_response()),
                };
                drop(answering);
                response
            }
        };
        let stream = Watched::new(stream, Arc::clone(&activity));
        if undated::has_date() {
            let service = service_fn(move |request: Request<Incoming>| answer(request.map(Body::new)));
            let serving = graceful.watch(builder.serve_connection(TokioIo::new(stream), service));
            tokio::spawn(attend(undated::while_dated(serving), activity, connection));
        } else {
            tokio::spawn(attend(undated::serve(stream, answer), activity, connection));
        }
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

/// Serves a connection until its time is over.
async fn attend<E: Display>(
    serving: impl Future<Output = Result<(), E>>,
    activity: Arc<Activity>,
    connection: Connection,
) {
    let (mut serving, mut ended) = (pin!(timeout(LIFETIME, serving)), pin!(activity.ended()));
    let over = poll_fn(|context| match ended.as_mut().poll(context) {
        Poll::Ready(()) => Poll::Ready(Err("it was idle, slow, or one of too many".to_owned())),
        Poll::Pending => serving.as_mut().poll(context).map(|served| match served {
            Ok(served) => served.map_err(|error| error.to_string()),
            Err(_) => Err("its time was over".to_owned()),
        }),
    });
    if let Err(why) = over.await {
        log::debug!("a connection ended: {why}");
    }
    drop(connection);
}

/// The bytes of a request's head, without blanks that say nothing.
fn head<T>(request: &Request<T>) -> usize {
    let target = request.uri();
    let host = target.authority().map_or(0, |authority| authority.as_str().len() + "http://".len());
    let path = target.path_and_query().map_or(0, |path| path.as_str().len());
    let first = request.method().as_str().len() + host + path + "  HTTP/1.1\r\n".len();
    let fields =
        request.headers().iter().map(|(name, value)| name.as_str().len() + value.len() + ": \r\n".len());
    first + fields.sum::<usize>() + "\r\n".len()
}
