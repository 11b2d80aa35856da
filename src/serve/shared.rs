//! What all requests share.

use std::sync::Arc;

use super::analysts::Analysts;
use super::rabbit::Later;

/// What all requests share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) analysts: Arc<Analysts>,
    /// StackRabbit's answers that are fetched later.
    pub(super) later: Arc<Later>,
}
