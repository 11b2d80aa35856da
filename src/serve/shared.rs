//! What all requests share.

use std::sync::Arc;

use super::analysts::Analysts;

/// What all requests share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) analysts: Arc<Analysts>,
}
