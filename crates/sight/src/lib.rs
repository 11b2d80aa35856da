#![doc = include_str!("../README.md")]

mod cells;
mod decode;
mod picture;
mod place;
mod progress;
mod reader;
mod screenshot;

pub use decode::{LiveGame, ReadGame, ReadGap, ReadPlacement, ReadPose};
pub use picture::{MAX_PIXELS, Picture};
pub use place::{Place, Shown};
pub use reader::VideoReader;
pub use screenshot::{ScreenshotError, SeenBoard, board, check_size};
