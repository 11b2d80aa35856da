#![doc = include_str!("../README.md")]
#![forbid(unsafe_code)]

mod board;
pub mod danger;
mod dealer;
mod drawing;
mod frame;
pub mod input;
mod memory;
pub mod observer;
mod page;
mod piece;
mod placement;
pub mod ram;
pub mod random;
mod rng;
mod score;
mod start;
mod stop;
mod timing;

pub use board::Board;
pub use dealer::{Dealer, Pieces};
pub use drawing::ParseBoardError;
pub use frame::{CURTAIN_DOWN, Game};
pub use page::{CURTAIN, EMPTY, Page};
pub use piece::{Orientation, ParseOrientationError, ParsePieceError, Piece, PieceId};
pub use placement::Placement;
pub use ram::{FrameStage, PlayState};
pub use random::splitmix64;
pub use rng::{Generator, Lfsr};
pub use score::{Progress, Score, line_points, lines_to_29};
pub use start::{
    INIT_FRAMES, LEGAL_START, LEVEL_GATE, MenuScript, Opening, Seed, SeedError, TITLE_GATE, TYPE_GATE,
    cursor_moves, model_start, power_on_start,
};
pub use stop::{ParseStopError, Stop};
pub use timing::{
    DAS_FULL, DAS_REPEAT, DOUBLE_KILLSCREEN, FIRST_PIECE_DELAY, FallRule, Region, entry_delay, gravity,
};
