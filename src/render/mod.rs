//! Pictures of a recorded run, drawn while it is replayed: [`Pictures::new`] knows from the log which frames of
//! play are wanted, [`Pictures::frame`] draws them.
//!
//! There is one [`PictureSink`] per format. All get the same pictures, so a GIF holds the same frames as the PNG
//! export.

mod apng;
pub mod canvas;
mod error;
pub(crate) mod ffmpeg;
pub mod font;
mod gif;
mod options;
mod overlay;
mod pictures;
pub mod png;
mod shape;
mod sheet;
mod sink;
mod sound;
pub mod timing;
mod video;

pub use error::PicturesError;
pub use options::{At, RenderOptions};
pub use pictures::{Pictures, Written};
pub use shape::PictureShape;
pub use sink::{PictureSink, Shot};
