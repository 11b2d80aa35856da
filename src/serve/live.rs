//! `/v1/live`: positions in, ratings out, for overlays and for scripts in emulators.
//!
//! Whoever follows a game sends each position as its piece spawns. The answer has the best placement, and a rating of the
//! placement that led here from the position before. Who listens to the channel gets the same as server-sent events.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::{Duration, Instant};

use axum::Extension;
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{RawQuery, Request, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use hyper::body::Frame;
use serde::Serialize;
use tokio::sync::watch;
use tokio::time::timeout;

use super::analysts::Desk;
use super::fields::Fields;
use super::ours::{FIELDS, Place, body};
use super::peers::Client;
use super::position::Position;
use super::refusal::Refusal;
use super::shared::Shared;
use maxout_engine::analysis::{MoveClass, Question, Verdict};

/// Channels that are kept. With more, the one that has been silent for longest goes.
const CHANNELS: usize = 64;
/// Letters of a channel's name.
const NAME: usize = 32;
/// The channel of those who name none.
const MAIN: &str = "main";
/// How often a listener is sent a line that says nothing, so that the connection counts as used.
const BEAT: Duration = Duration::from_secs(1);

/// What everyone is sent about a position.
#[derive(Serialize)]
struct LiveEvent {
    /// Positions of the channel so far.
    number: u64,
    piece: String,
    next: Option<String>,
    level: u8,
    lines: u32,
    /// How good the placement before was. `null` if no placement of the position before leads here.
    rated: Option<LiveRating>,
    /// The best placement now. `null` if there is none.
    best: Option<LivePlacement>,
}

#[derive(Serialize)]
struct LiveRating {
    #[serde(flatten)]
    place: Place,
    class: MoveClass,
    loss: f32,
    best: Place,
}

#[derive(Serialize)]
struct LivePlacement {
    #[serde(flatten)]
    place: Place,
    buttons: Vec<String>,
    points: f32,
    topout: f32,
}

/// One game that is followed.
#[derive(Debug)]
struct Channel {
    number: u64,
    last: Option<(Question, Vec<Verdict>)>,
    used: Instant,
    events: watch::Sender<Bytes>,
}

/// All channels.
#[derive(Debug, Default)]
pub(super) struct Channels(Mutex<HashMap<String, Channel>>);

impl Channels {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Channel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to a channel.
    fn listen(&self, name: &str) -> watch::Receiver<Bytes> {
        of(&mut self.lock(), name).events.subscribe()
    }

    /// Rates what led to a position, and tells those who listen.
    fn rate(&self, name: &str, desk: &mut Desk, position: &Position) -> Bytes {
        let Position { question, limits } = *position;
        let verdicts = desk.quick(limits).rank(&question);
        let best = verdicts.first().map(|best| {
            let path = position.reach().and_then(|reach| reach.path(best.placement));
            let inputs = path.map(|path| path.inputs).unwrap_or_default();
            LivePlacement {
                place: best.placement.into(),
                buttons: inputs.iter().map(|buttons| buttons.to_string().replace('.', "")).collect(),
                points: best.points,
                topout: best.topout,
            }
        });
        let mut channels = self.lock();
        let channel = of(&mut channels, name);
        let rated = channel.last.as_ref().and_then(|(before, verdicts)| rated(before, verdicts, &question));
        channel.number += 1;
        channel.last = Some((question, verdicts));
        let event = LiveEvent {
            number: channel.number,
            piece: question.start.id.piece().map(|piece| piece.to_string()).unwrap_or_default(),
            next: question.next.map(|next| next.to_string()),
            level: question.progress.level,
            lines: question.progress.lines(),
            rated,
            best,
        };
        let text = Bytes::from(serde_json::to_string(&event).unwrap_or_default());
        channel.events.send_replace(text.clone());
        text
    }
}

/// The channel of this name, which is made if there is none.
fn of<'a>(channels: &'a mut HashMap<String, Channel>, name: &str) -> &'a mut Channel {
    if channels.len() >= CHANNELS && !channels.contains_key(name) {
        let silent =
            channels.iter().min_by_key(|(_, channel)| (channel.events.receiver_count(), channel.used));
        if let Some(silent) = silent.map(|(name, _)| name.clone()) {
            channels.remove(&silent);
        }
    }
    let channel = channels.entry(name.to_owned()).or_insert_with(|| Channel {
        number: 0,
        last: None,
        used: Instant::now(),
        events: watch::Sender::new(Bytes::new()),
    });
    channel.used = Instant::now();
    channel
}

/// How good the placement was that led from one position to the next.
fn rated(before: &Question, verdicts: &[Verdict], now: &Question) -> Option<LiveRating> {
    let best = verdicts.first()?;
    let led = verdicts.iter().find(|verdict| verdict.board_after.visible() == now.board.visible())?;
    Some(LiveRating {
        place: led.placement.into(),
        class: MoveClass::of(led.loss, before.progress.level),
        loss: led.loss,
        best: best.placement.into(),
    })
}

fn named(name: Option<String>) -> Result<String, Refusal> {
    let name = name.unwrap_or_else(|| MAIN.to_owned());
    let is_letter = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    if name.is_empty() || name.len() > NAME || !name.chars().all(is_letter) {
        return Err(Refusal::bad(format!("channel: expected 1 to {NAME} letters, digits, '-' and '_'")));
    }
    Ok(name)
}

/// `POST /v1/live`: a position in, a rating out.
pub(super) async fn rate(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refusal> {
    let mut fields = body(request).await?;
    let channel = named(fields.text("channel")?)?;
    let position = Position::of(&mut fields)?;
    fields.end(&format!("{FIELDS}, channel"))?;
    let channels = Arc::clone(&shared.channels);
    let event = shared.analysts.work(client, move |desk| channels.rate(&channel, desk, &position)).await?;
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
