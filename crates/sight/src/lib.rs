#![doc = include_str!("../README.md")]

mod cells;
mod decode;
mod picture;
mod place;
mod progress;
mod reader;

pub use decode::{ReadGame, ReadGap, ReadPlacement};
pub use picture::{MAX_PIXELS, Picture};
pub use place::{Place, places};
pub use reader::{FoundBoard, VideoReader, board};
