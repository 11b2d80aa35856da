//! Flags that several commands share.

pub mod aggression;
pub mod cartridge;
pub(super) mod champs;
pub(super) mod games;
pub mod hands;
pub mod heading;
pub(super) mod json;
pub(super) mod library;
pub(super) mod pictures;
pub(super) mod source;
pub mod still;
pub mod values;
pub(super) mod videos;
pub(super) mod weights;
