//! Answers that are no: a status, and one sentence in JSON that names the culprit and what was expected.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::json;

/// Why a request is refused.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Refusal {
    status: StatusCode,
    sentence: String,
}

impl Refusal {
    /// A refusal with this status, for this reason.
    pub(super) fn new(status: StatusCode, sentence: impl Into<String>) -> Self {
        Self { status, sentence: sentence.into() }
    }

    /// The head of the request is too large.
    pub(super) fn large_head(most: usize) -> Self {
        let sentence = format!("the head has more bytes, expected at most {most}");
        Self::new(StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE, sentence)
    }

    /// A value of the request cannot be used.
    pub(super) fn bad(sentence: impl Into<String>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, sentence)
    }

    /// All analysts stay busy for longer than a request may wait, or too many requests wait.
    pub(super) fn busy() -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "the server is busy, expected a later request")
    }

    /// An analysis broke off, which is a fault of this program.
    pub(super) fn broken() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "the analysis broke off: this is a fault of maxout")
    }
}

impl Refusal {
    /// The sentence, if a value of the request cannot be used.
    pub(super) fn of_a_value(&self) -> Option<&str> {
        (self.status == StatusCode::BAD_REQUEST).then_some(&self.sentence)
    }

    /// The sentence.
    pub(super) fn sentence(self) -> String {
        self.sentence
    }
}

impl IntoResponse for Refusal {
    fn into_response(self) -> Response {
        let busy = self.status == StatusCode::SERVICE_UNAVAILABLE;
        let mut response = (self.status, json(&json!({ "error": self.sentence }))).into_response();
        if busy {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
        }
        response
    }
}

/// An answer in JSON.
pub(super) fn json(value: &impl serde::Serialize) -> Response {
    match serde_json::to_string(value) {
        Ok(text) => ([(header::CONTENT_TYPE, "application/json")], text).into_response(),
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}
