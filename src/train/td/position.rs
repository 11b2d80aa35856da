//! A game in training: [`StageRules`] of a stage, the dice that deal its pieces, and where it stands.

use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{PATTERNS, indices, odds, speed};
use maxout_rules::{Board, Piece};

/// What a stage of training plays and pays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct StageRules {
    /// Level whose gravity is played.
    pub level: u8,
    /// Placements of each piece that are followed by the next piece before one is chosen; 1 is greedy play.
    pub candidates: usize,
    /// Value of a lost game, in tetrises; 0 or less.
    pub death: f32,
    /// Whether the large tables tell max heights apart.
    pub by_height: bool,
    /// Share of boards, those of the least value, that are played again with other pieces; 0 for none.
    pub drill: f32,
}

/// Small fast random numbers (xorshift64*, Vigna 2016); enough for sampling pieces.
pub(super) struct Dice(pub u64);

impl Dice {
    pub fn roll(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number below `end`; 0 if that is 0.
    pub fn below(&mut self, end: usize) -> usize {
        ((self.roll() * end as f32) as usize).min(end.saturating_sub(1))
    }

    pub fn piece_after(&mut self, last: Piece) -> Piece {
        let mut left = self.roll();
        for piece in Piece::ALL {
            left -= odds(last)[piece as usize];
            if left < 0.0 {
                return piece;
            }
        }
        Piece::I
    }
}

/// A game in training.
#[derive(Clone, Copy)]
pub(super) struct Position {
    pub board: Board,
    pub here: [u32; PATTERNS],
    pub piece: Piece,
}

impl Position {
    pub fn new(dice: &mut Dice, rules: StageRules) -> Self {
        let board = Board::EMPTY;
        let here = indices(&Shape::of(&board), rules.by_height, speed(rules.level));
        Self { board, here, piece: dice.piece_after(Piece::O) }
    }
}
