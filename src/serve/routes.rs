//! Which request is answered by what.

use axum::http::{Method, StatusCode, header};
use axum::middleware::from_fn_with_state;
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Router, http};
use serde_json::json as object;
use tower_http::cors::{AllowOrigin, CorsLayer};

use super::guard::{self, Guard};
use super::refusal::{Refusal, json};
use super::shared::Shared;
use super::site::Site;
use super::{live, rabbit, v1};

/// The description of the interface, without the version.
const OPENAPI: &str = include_str!("openapi.json");
/// The version of this program.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// All that the server answers. Without the page, it says at `/` what it is.
pub(super) fn router(shared: Shared, guard: Guard, site: Option<&Site>) -> Router {
    let cors = CorsLayer::new()
        .allow_origin(if guard.any() { AllowOrigin::any() } else { AllowOrigin::list(guard.origins()) })
        .allow_methods([Method::GET, Method::POST])
        .allow_headers([header::CONTENT_TYPE])
        .allow_private_network(true);
    site.map_or_else(|| Router::new().route("/", get(about)), Site::router)
        .route("/v1/openapi.json", get(openapi))
        .route("/v1/health", get(health))
        .route("/v1/version", get(version))
        .route("/v1/analyze", post(v1::analyze))
        .route("/v1/live", get(live::listen).post(live::rate))
        .route("/v1/placements", post(v1::placements))
        .merge(rabbit::router())
        .fallback(unknown)
        .method_not_allowed_fallback(method)
        .layer(cors)
        .layer(from_fn_with_state(guard, guard::pass))
        .with_state(shared)
}

async fn about() -> String {
    format!("maxout {VERSION}: NES Tetris analysis. /v1/openapi.json describes the requests.\n")
}

async fn openapi() -> Response {
    let text = OPENAPI.replace("\"VERSION\"", &format!("\"{VERSION}\""));
    ([(header::CONTENT_TYPE, "application/json")], text).into_response()
}

async fn health() -> Response {
    json(&object!({ "status": "ok" }))
}

async fn version() -> Response {
    json(&object!({ "name": "maxout", "version": VERSION, "build": env!("MAXOUT_VERSION"), "api": "v1" }))
}

async fn unknown(target: http::Uri) -> Response {
    let path = target.path();
    // As in StackRabbit, a name that is none of its requests is answered by a sentence.
    if path.strip_prefix('/').is_some_and(|name| !name.contains(['/', '.', '%'])) {
        return rabbit::unknown(path);
    }
    let path = super::fields::shown(path);
    Refusal::new(StatusCode::NOT_FOUND, format!("{path}: no such request (/v1/openapi.json lists them)"))
        .into_response()
}

async fn method(method: Method) -> Refusal {
    let sentence = format!("{}: not a method of this request", super::fields::shown(method.as_str()));
    Refusal::new(StatusCode::METHOD_NOT_ALLOWED, sentence)
}
