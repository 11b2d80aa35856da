//! Pictures of a recorded run, drawn while it is replayed: `Pictures::new` knows from the log which frames of
//! play are wanted, `Pictures::frame` draws them.
//!
//! There is one `PictureSink` for each format. All get the same pictures, so a GIF holds the same frames as the PNG
//! export.

mod apng;
pub mod canvas;
mod drawing;
mod error;
pub(crate) mod ffmpeg;
pub mod font;
mod gif;
mod options;
mod overlay;
pub mod png;
mod shape;
mod sheet;
mod sink;
mod sound;
mod timing;
mod video;

pub(crate) use drawing::{Pictures, Written};
pub(crate) use options::{At, RenderOptions, VideoFile, VideoKind};
pub(crate) use shape::PictureShape;
