//! StackRabbit's requests, in its coordinates and encodings, so that programs that know its service need only another
//! address. docs/guide/serve.md says what is different.

mod answers;
mod coding;
mod query;
mod score;

use axum::extract::{RawQuery, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};

use super::fields::Fields;
use super::peers::Client;
use super::refusal::{Refusal, json};
use super::shared::Shared;
use query::Asked;

/// An answer or a refusal.
type Answer = Result<Response, Refusal>;

/// StackRabbit's requests.
pub(super) fn router() -> Router<Shared> {
    Router::new()
        .route("/ping", get(|| async { "pong" }))
        .route("/version", get(|| async { concat!("maxout ", env!("CARGO_PKG_VERSION")) }))
        .route("/get-move", get(best))
        .route("/get-move-cpp", get(best))
        .route("/engine-movelist", get(list))
        .route("/engine-movelist-cpp", get(list))
        .route("/engine-movelist-cpp-hybrid", get(list))
        .route("/rate-move", get(rate))
        .route("/rate-move-cpp", get(rate))
        .route("/eval", get(eval))
}

async fn best(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Answer {
    let asked = Asked::of(&query.unwrap_or_default())?;
    shared.analysts.work(client, move |desk| json(&answers::list(desk, &asked, 1).first())).await
}

async fn list(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Answer {
    let asked = Asked::of(&query.unwrap_or_default())?;
    shared.analysts.work(client, move |desk| json(&answers::list(desk, &asked, asked.breadth))).await
}

async fn rate(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Answer {
    let asked = Asked::of(&query.unwrap_or_default())?;
    let second = super::fields::needed("secondBoard", asked.second, "200 digits 0 and 1")?;
    shared
        .analysts
        .work(client, move |desk| answers::rate(desk, &asked, &second).map(|rating| json(&rating)))
        .await?
}

async fn eval(
    State(shared): State<Shared>,
    Extension(client): Extension<Client>,
    RawQuery(query): RawQuery,
) -> Answer {
    let mut fields = Fields::of_query(&query.unwrap_or_default())?;
    let (board, progress, limits) = query::field(&mut fields)?;
    shared.analysts.work(client, move |desk| json(&answers::eval(desk, board, progress, limits))).await
}
