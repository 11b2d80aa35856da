//! Flags that several commands share.

pub mod aggression;
pub mod cartridge;
pub(super) mod champs;
pub mod games;
pub mod hands;
pub mod heading;
pub(super) mod json;
pub mod library;
pub(super) mod pictures;
pub(super) mod source;
pub mod values;
pub(super) mod videos;
