//! Connections while the clock is before 1970 or after 9999: hyper has no date for its answers then, and panics. Each
//! connection asks once, and its answer has no date ([`serve`]). One of hyper's that is open when the clock goes there ends
//! ([`while_dated`]).

use std::convert::Infallible;
use std::fmt::Display;
use std::future::poll_fn;
use std::io;
use std::pin::pin;
use std::task::Poll;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::body::Body;
use axum::http::{Request, StatusCode};
use axum::response::{IntoResponse, Response};
use http_body_util::BodyExt;
use httparse::{EMPTY_HEADER, Status};
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::time::timeout;

use super::refusal::Refusal;
use super::stream::{HEAD, MAX_HEAD};
use super::v1::MAX_BODY;

/// Seconds from 1970 to the year 10000.
const END: u64 = 253_402_300_800;
/// Most fields of a head.
const FIELDS: usize = 100;

/// Whether an answer can be dated.
pub(super) fn has_date() -> bool {
    SystemTime::now().duration_since(UNIX_EPOCH).is_ok_and(|time| time < Duration::from_secs(END))
}

/// Serves a connection of hyper's until it ends, or the clock leaves the years that have dates.
pub(super) async fn while_dated<E: Display>(
    serving: impl Future<Output = Result<(), E>>,
) -> Result<(), String> {
    let mut serving = pin!(serving);
    poll_fn(|context| {
        if has_date() {
            serving.as_mut().poll(context).map_err(|error| error.to_string())
        } else {
            Poll::Ready(Err("the clock left the years 1970 to 9999".to_owned()))
        }
    })
    .await
}

/// Answers one request.
pub(super) async fn serve<F: Future<Output = Result<Response, Infallible>>>(
    mut stream: impl AsyncRead + AsyncWrite + Unpin,
    answer: impl Fn(Request<Body>) -> F,
) -> io::Result<()> {
    let response = match timeout(HEAD, read(&mut stream)).await {
        Ok(Ok(Some(request))) => match answer(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        },
        Ok(Ok(None)) => return Ok(()),
        Ok(Err(refusal)) => refusal.into_response(),
        Err(_) => return Err(io::ErrorKind::TimedOut.into()),
    };
    let (head, mut body) = response.into_parts();
    let mut text = format!("HTTP/1.1 {}\r\nconnection: close\r\n", head.status).into_bytes();
    for (name, value) in &head.headers {
        text.extend([name.as_str().as_bytes(), b": ", value.as_bytes(), b"\r\n"].concat());
    }
    text.extend(b"\r\n");
    stream.write_all(&text).await?;
    while let Some(frame) = body.frame().await {
        if let Ok(bytes) = frame.map_err(io::Error::other)?.into_data() {
            stream.write_all(&bytes).await?;
            stream.flush().await?;
        }
    }
    stream.shutdown().await
}

/// The request, or none if the client has closed the connection before it asked.
async fn read(stream: &mut (impl AsyncRead + Unpin)) -> Result<Option<Request<Body>>, Refusal> {
    let gone = |_| Refusal::bad("the connection broke off");
    let mut bytes = Vec::new();
    let (mut request, end) = loop {
        if stream.read_buf(&mut bytes).await.map_err(gone)? == 0 {
            return Ok(None);
        }
        if let Some(head) = head(&bytes)? {
            break head;
        }
        if bytes.len() > MAX_HEAD {
            return Err(Refusal::large_head(MAX_HEAD));
        }
    };
    let length = match request.headers().get("content-length") {
        Some(length) => length.to_str().ok().and_then(|length| length.parse::<u64>().ok()),
        None if request.headers().contains_key("transfer-encoding") => None,
        None => Some(0),
    };
    let Some(length) = length else {
        let sentence =
            "a body without a length, expected Content-Length while the clock is before 1970 or after 9999";
        return Err(Refusal::new(StatusCode::LENGTH_REQUIRED, sentence));
    };
    let mut body = bytes.split_off(end);
    // One more byte says that the body is too large.
    let missing = length.min(MAX_BODY as u64 + 1).saturating_sub(body.len() as u64);
    stream.take(missing).read_to_end(&mut body).await.map_err(gone)?;
    *request.body_mut() = body.into();
    Ok(Some(request))
}

/// The head of a request and the number of its bytes, if it is there as a whole.
fn head(bytes: &[u8]) -> Result<Option<(Request<Body>, usize)>, Refusal> {
    let wrong = || Refusal::bad("not a request of HTTP/1.1");
    let mut fields = [EMPTY_HEADER; FIELDS];
    let mut head = httparse::Request::new(&mut fields);
    let Status::Complete(end) = head.parse(bytes).map_err(|_| wrong())? else { return Ok(None) };
    let mut request =
        Request::builder().method(head.method.unwrap_or_default()).uri(head.path.unwrap_or_default());
    for field in head.headers.iter() {
        request = request.header(field.name, field.value);
    }
    request.body(Body::empty()).map(|request| Some((request, end))).map_err(|_| wrong())
}
