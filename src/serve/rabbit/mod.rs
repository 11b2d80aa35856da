//! StackRabbit's requests, in its coordinates, encodings and forms, so that programs that know its service need only another
//! address. docs/guide/serve.md says what is different.
//!
//! As there, all answers are text, and a request that cannot be used is answered by a sentence with status 200.

mod answers;
mod coding;
mod played;
mod query;
mod score;
mod timeline;

use axum::extract::{RawQuery, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use axum::{Extension, Router};

use super::analysts::Desk;
use super::fields::{Fields, shown};
use super::peers::Client;
use super::refusal::Refusal;
use super::shared::Shared;
use answers::Said;
use query::Asked;

/// What `precompute` and `precompute-sync` are answered by, as by a StackRabbit that runs without helpers.
const NO_PRECOMPUTE: &str = "Precompute requests are not supported on this server instance.";
/// What a request is answered by whose answer `async-result` brings.
const ACCEPTED: &str = "Request accepted.";

/// Works on one kind of request.
type Work = fn(&mut Desk, &Asked) -> Said;

/// StackRabbit's requests.
pub(super) fn router() -> Router<Shared> {
    let precompute = || get(|| async { plain(NO_PRECOMPUTE) });
    Router::new()
        .route("/ping", get(|| async { plain("pong") }))
        .route("/version", get(|| async { plain(concat!("maxout ", env!("CARGO_PKG_VERSION"))) }))
        .route("/favicon.ico", get(|| async { plain("") }))
        .route("/get-move", asks(|desk, asked| Ok(answers::best(desk, asked))))
        .route("/get-move-cpp", asks(|desk, asked| Ok(answers::best(desk, asked))))
        .route("/get-move-async", asks_for_later(|desk, asked| Ok(answers::best(desk, asked))))
        .route("/get-move-async-cpp", asks_for_later(|desk, asked| Ok(answers::best(desk, asked))))
        .route("/async-result", get(result))
        .route("/precompute", precompute())
        .route("/precompute-sync", precompute())
        .route("/engine", asks(|desk, asked| Ok(answers::engine(desk, asked))))
        .route("/engine-movelist", asks(|desk, asked| Ok(answers::list(desk, asked))))
        .route("/engine-movelist-cpp", asks(|desk, asked| Ok(answers::list_cpp(desk, asked))))
        .route("/engine-movelist-cpp-hybrid", asks(answers::list_hybrid))
        .route("/rate-move", asks(answers::rate))
        .route("/rate-move-cpp", asks(answers::rate_cpp))
        .route("/eval", get(eval))
        .route("/rank-lookup", get(eval))
}

/// The answer to a path that is not one of its requests.
pub(super) fn unknown(path: &str) -> Response {
    let name = shown(path.trim_start_matches('/'));
    plain(format!("{name}: no such request, expected one such as get-move, engine-movelist or rate-move"))
}

/// An answer in text.
fn plain(text: impl Into<String>) -> Response {
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text.into()).into_response()
}

/// The answer, or a sentence that says what is wrong.
fn said(said: Said) -> Response {
    match said {
        Ok(text) => plain(text),
        Err(refusal) => match refusal.of_a_value() {
            Some(sentence) => plain(format!("Error: {sentence}")),
            None => refusal.into_response(),
        },
    }
}

async fn ask(shared: &Shared, client: Client, query: Option<String>, work: Work) -> Said {
    let asked = Asked::of(&query.unwrap_or_default())?;
    shared.analysts.work(client, move |desk| work(desk, &asked)).await?
}

fn asks(work: Work) -> MethodRouter<Shared> {
    get(
        move |State(shared): State<Shared>,
              Extension(client): Extension<Client>,
              RawQuery(query): RawQuery| async move { said(ask(&shared, client, query, work).await) },
    )
}

fn asks_for_later(work: Work) -> MethodRouter<Shared> {
    get(
        move |State(shared): State<Shared>,
              Extension(client): Extension<Client>,
              RawQuery(query): RawQuery| async move {
            let later = std::sync::Arc::clone(&shared.later);
            later.begin(client.address, async move {
                match ask(&shared, client, query, work).await {
                    Ok(text) => text,
                    Err(refusal) => refusal.sentence(),
                }
            });
            plain(ACCEPTED)
        },
    )
}

async fn eval(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Response {
    let read = |query: Option<String>| -> Result<_, Refusal> {
        let (board, progress, timeline) = query::field(&mut Fields::of_query(&query.unwrap_or_default()))?;
        Ok((board, progress, query::limits(timeline)))
    };
    said(match read(query) {
        Ok((board, progress, limits)) => {
            shared.analysts.work(client, move |desk| answers::eval(desk, board, progress, limits)).await
        }
        Err(refusal) => Err(refusal),
    })
}

/// `async-result`: the address's last answer, as soon as it is there.
async fn result(State(shared): State<Shared>, Extension(client): Extension<Client>) -> Response {
    let Some(mut result) = shared.later.of(client.address) else {
        return plain("No asynchronous request has been made, expected get-move-async before this one");
    };
    match result.wait_for(Option::is_some).await {
        Ok(text) => plain(text.clone().unwrap_or_default()),
        Err(_) => plain("The asynchronous request broke off, expected another one"),
    }
}
