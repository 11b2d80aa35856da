//! [`Hazard`]: how likely a board is to lose the game soon.

use std::sync::{Arc, LazyLock};

use super::Shape;
use super::ntuple::{NetworkOf, Ntuple28};
use super::weights::{WeightsError, decode_as};
use maxout_rules::Piece;

/// The value for a lost game in the tables. A network counts in units of 1/512 and reaches from -64 to 64; this scale makes
/// good use of both.
const LOST: f32 = 32.0;

/// The shipped hazard.
static EMBEDDED: &[u8] = include_bytes!("hazard.bin");

/// The learned hazard of a board, from 0 to 1: the sum, over all later pieces, of the probability that the game is lost
/// with that piece, where each piece counts 0.99 times as much as the one before. It was learned from games of `maxout-2ply` at
/// levels 19 to 28 and 30 Hz, in which some pieces were placed at random.
///
/// It is a sum of 28 tables ([`Ntuple28`]), as the learned value is one of 59.
///
/// ```
/// use maxout_engine::eval::{Hazard, Shape};
/// use maxout_rules::{Board, Piece};
/// let hazard = Hazard::embedded();
/// let of = |board: &Board| hazard.expected(&Shape::of(board), Piece::T);
/// let high: Board = "##.#######\n#########.\n".repeat(6).parse().unwrap();
/// assert!(of(&Board::EMPTY) < 0.05 && of(&high) > 0.4);
/// ```
#[derive(Clone, Debug)]
pub struct Hazard {
    tables: NetworkOf<Ntuple28>,
}

impl Hazard {
    /// Makes a hazard of learned weights, in which a lost game is worth 1. For each entry of the list there is one weight
    /// for each next piece, and one more that pads the vector.
    pub fn from_weights(weights: &[f32]) -> Self {
        let scaled: Vec<f32> = weights.iter().map(|weight| weight * LOST).collect();
        Self { tables: NetworkOf::from_weights(&scaled) }
    }

    /// Reads the hazard from a file.
    pub fn decode(file: &[u8]) -> Result<Self, WeightsError> {
        Ok(Self { tables: decode_as(file)? })
    }

    /// Returns the tables, which a file holds.
    pub const fn tables(&self) -> &NetworkOf<Ntuple28> {
        &self.tables
    }

    /// Returns the shipped hazard. The first call unpacks it, and all calls share it.
    ///
    /// # Panics
    /// Never in a build whose tests pass: they unpack these very bytes.
    pub fn embedded() -> Arc<Self> {
        static HAZARD: LazyLock<Arc<Hazard>> =
            LazyLock::new(|| Arc::new(Hazard::decode(EMBEDDED).expect("the shipped hazard is whole")));
        Arc::clone(&HAZARD)
    }

    /// Returns the hazard of a board before `next` comes into play.
    #[inline]
    pub fn before(&self, shape: &Shape, next: Piece) -> f32 {
        self.before_each(shape)[next as usize]
    }

    /// Returns the same for each piece that may come next.
    #[inline]
    pub fn before_each(&self, shape: &Shape) -> [f32; 7] {
        self.tables.values(shape, 19).map(|value| (value / LOST).clamp(0.0, 1.0))
    }

    /// Returns the hazard of a board when the next piece is not known and `last` was the one before it.
    #[inline]
    pub fn expected(&self, shape: &Shape, last: Piece) -> f32 {
        (self.tables.expected(shape, 19, last) / LOST).clamp(0.0, 1.0)
    }
}
