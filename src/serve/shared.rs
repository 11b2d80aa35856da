//! What all requests share.

use std::sync::Arc;

use super::analysts::Analysts;
use super::channels::Channels;
use super::later::Later;

/// What all requests share.
#[derive(Clone)]
pub(super) struct Shared {
    pub(super) analysts: Arc<Analysts>,
    /// The games that are followed.
    pub(super) channels: Arc<Channels>,
    /// StackRabbit's answers that are fetched later.
    pub(super) later: Arc<Later>,
}
