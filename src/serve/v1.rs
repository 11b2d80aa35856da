//! Our own requests, in JSON: `/v1/analyze` and `/v1/placements`.

use std::time::Duration;

use axum::Extension;
use axum::body::Bytes;
use axum::extract::{Request, State};
use axum::http::{StatusCode, header};
use axum::response::Response;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde_json::Value;
use tokio::time::timeout;

use super::fields::Fields;
use super::peers::Client;
use super::position::LimitedPosition;
use super::refusal::{Refusal, json};
use super::shared::Shared;
use maxout_engine::analysis::{Answer, Reached};
use maxout_engine::movegen::Reach;

/// Bytes of a request's body.
pub(super) const MAX_BODY: usize = 16 << 10;
/// How long a body may take to arrive.
const BODY: Duration = Duration::from_secs(10);
/// The fields of a position.
pub(super) const FIELDS: &str = "board, piece, next, level, lines, taps, at";
/// Most placements that one piece can have.
const MOST: i64 = 500;

/// The answer to `POST /v1/analyze`.
#[derive(Serialize)]
struct Ranking {
    /// How many placements there are, those included that are not listed.
    count: usize,
    #[serde(flatten)]
    answer: Answer,
}

/// `POST /v1/analyze`: all placements, best first.
pub(super) async fn analyze(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refusal> {
    let mut fields = body(request).await?;
    let position = LimitedPosition::of(&mut fields)?;
    let aggression = fields.aggression("aggression")?.unwrap_or_default();
    let top = fields.whole("top", 1..=MOST)?.unwrap_or(MOST) as usize;
    fields.end(&format!("{FIELDS}, aggression, top"))?;
    let answer = shared.analysts.work(client, move |desk| {
        let mut answer = desk.answer(aggression, position.limits, &position.question);
        let count = answer.ranked.len();
        answer.ranked.truncate(top);
        json(&Ranking { count, answer })
    });
    answer.await
}

/// `POST /v1/placements`: all placements, top row first, with buttons.
pub(super) async fn placements(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    request: Request,
) -> Result<Response, Refusal> {
    let mut fields = body(request).await?;
    let position = LimitedPosition::of(&mut fields)?;
    fields.end(FIELDS)?;
    let answer = shared.analysts.work(client, move |_| {
        let reach = position.reach();
        let all = reach.as_ref().map(Reach::placements).unwrap_or_default();
        let reached = |placement| Reached::of(&position.question, placement, reach.as_ref());
        let reached: Vec<Reached> = all.into_iter().map(reached).collect();
        json(&serde_json::json!({ "count": reached.len(), "placements": reached }))
    });
    answer.await
}

/// Whether a request says that its body is of this kind.
pub(super) fn is_of_kind(request: &Request, kind: &str) -> bool {
    let said = request.headers().get(header::CONTENT_TYPE).and_then(|said| said.to_str().ok());
    said.and_then(|said| said.split(';').next()).is_some_and(|said| said.trim().eq_ignore_ascii_case(kind))
}

/// The JSON object that a request brings.
pub(super) async fn body(request: Request) -> Result<Fields, Refusal> {
    if !is_of_kind(&request, "application/json") {
        let sentence = "Content-Type: another one or none, expected application/json";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, sentence));
    }
    let bytes = read(request).await?;
    match serde_json::from_slice(&bytes) {
        Ok(Value::Object(object)) => Ok(Fields::of_object(object)),
        Ok(_) => Err(Refusal::bad("the body is JSON of another kind, expected an object")),
        Err(error) => Err(Refusal::bad(format!("the body is no JSON ({error}), expected an object"))),
    }
}

/// The bytes of a body.
pub(super) async fn read(request: Request) -> Result<Bytes, Refusal> {
    let announced =
        request.headers().get(header::CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok());
    let large = || {
        let sentence = format!("the body has more bytes, expected at most {MAX_BODY}");
        Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, sentence)
    };
    if announced.is_some_and(|length: u64| length > MAX_BODY as u64) {
        return Err(large());
    }
    let limited = Limited::new(request.into_body(), MAX_BODY);
    let late =
        Refusal::new(StatusCode::REQUEST_TIMEOUT, "the body took too long, expected it within 10 seconds");
    match timeout(BODY, limited.collect()).await.map_err(|_| late)? {
        Ok(body) => Ok(body.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(large()),
        Err(_) => Err(Refusal::bad("the body is cut off or its chunks are malformed, expected a whole body")),
    }
}
