//! `/v1/live`: positions in, ratings out, for overlays and for scripts in emulators.
//!
//! Whoever follows a game sends each position as its piece spawns, or each frame as `NestrisChamps` sends it. The answer has the
//! best placement, and a rating of the placement that led here from the position before. Who listens to the channel gets the
//! same as server-sent events.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{RawQuery, Request, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use tokio::sync::watch;
use tokio::time::timeout;

use super::fields::Fields;
use super::peers::Client;
use super::position::{LimitedPosition, taps};
use super::refusal::Refusal;
use super::shared::Shared;
use super::v1::{FIELDS, body, is_of_kind, read};
use maxout_engine::limits::Limits;
use maxout_record::champs;

/// Letters of a channel's name.
const NAME: usize = 32;
/// The channel of those who name none.
const MAIN: &str = "main";
/// The kind of a body with frames.
const FRAMES: &str = "application/octet-stream";
/// How often a listener is sent a line that says nothing, so that the connection counts as used.
const BEAT: Duration = Duration::from_secs(1);

fn named(name: Option<String>) -> Result<String, Refusal> {
    let name = name.unwrap_or_else(|| MAIN.to_owned());
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if name.is_empty() || name.len() > NAME || !name.chars().all(is_letter) {
        return Err(Refusal::bad(format!("channel: expected 1 to {NAME} letters, digits, '-' and '_'")));
    }
    Ok(name)
}

/// `POST /v1/live`: a position in, or frames, and a rating out.
pub(super) async fn rate(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refusal> {
    if is_of_kind(&request, FRAMES) {
        return rate_frames(&shared, client, request).await;
    }
    let mut fields = body(request).await?;
    let channel = named(fields.text("channel")?)?;
    let position = LimitedPosition::of(&mut fields)?;
    fields.end(&format!("{FIELDS}, channel"))?;
    let channels = Arc::clone(&shared.channels);
    let event = shared.analysts.work(client, move |desk| channels.rate(&channel, desk, &position)).await?;
    Ok(([(header::CONTENT_TYPE, "application/json")], event).into_response())
}

/// Frames in: a rating out for the last piece that has appeared in them, or status 204 if none has.
async fn rate_frames(shared: &Shared, client: Client, request: Request) -> Result<Response, Refusal> {
    let mut fields = Fields::of_query(request.uri().query().unwrap_or_default());
    let channel = named(fields.text("channel")?)?;
    let limits = match fields.text("taps")? {
        None => Limits::EACH_BUTTON,
        Some(text) => taps("taps", &text)?,
    };
    let bytes = read(request).await?;
    // What is packed could be unpacked to much more.
    if bytes.starts_with(&[0x1F, 0x8B]) {
        return Err(Refusal::bad("the body is packed, expected NestrisChamps frames as they are"));
    }
    let frames = champs::read(&bytes).map_err(|error| Refusal::bad(format!("the body: {error}")))?;
    let questions = shared.channels.follow(&channel, &frames);
    if questions.is_empty() {
        return Ok(StatusCode::NO_CONTENT.into_response());
    }
    let channels = Arc::clone(&shared.channels);
    let event = shared.analysts.work(client, move |desk| {
        let rate = |question| channels.rate(&channel, desk, &LimitedPosition { question, limits });
        questions.into_iter().map(rate).last()
    });
    let event = event.await?.unwrap_or_default();
    Ok(([(header::CONTENT_TYPE, "application/json")], event).into_response())
}

/// `GET /v1/live`: every rating of a channel, as server-sent events, the last one first.
pub(super) async fn listen(
    State(shared): State<Shared>,
    RawQuery(query): RawQuery,
) -> Result<Response, Refusal> {
    let mut fields = Fields::of_query(&query.unwrap_or_default());
    let channel = named(fields.text("channel")?)?;
    let mut events = shared.channels.listen(&channel);
    events.mark_changed();
    let body = Body::new(Events(next(events)));
    Ok(([(header::CONTENT_TYPE, "text/event-stream")], body).into_response())
}

type Next = Pin<Box<dyn Future<Output = Option<(Bytes, watch::Receiver<Bytes>)>> + Send>>;

/// What a listener is sent next. `None` once the channel is gone.
fn next(mut events: watch::Receiver<Bytes>) -> Next {
    Box::pin(async move {
        let text = match timeout(BEAT, events.changed()).await {
            Ok(Ok(())) => events.borrow_and_update().clone(),
            Ok(Err(_)) => return None,
            Err(_) => Bytes::new(),
        };
        let lines = if text.is_empty() {
            Bytes::from_static(b":\n\n")
        } else {
            [b"data: ", &text[..], b"\n\n"].concat().into()
        };
        Some((lines, events))
    })
}

/// The events of a channel.
struct Events(Next);

impl HttpBody for Events {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        self.0.as_mut().poll(context).map(|sent| {
            let (lines, events) = sent?;
            self.0 = next(events);
            Some(Ok(Frame::data(lines)))
        })
    }
}
