//! Which piece comes next, as far as a player can know.

use maxout_rules::Piece;

/// Values of an entry: one per piece, one to fill the vector.
pub const LANES: usize = 8;

/// Odds of the next piece after `last`, averaged over the generator's states (docs/how-it-works/the-game.md 4.5).
pub fn odds(last: Piece) -> &'static [f32; 7] {
    &ODDS[last as usize]
}

/// The odds in thirty-seconds; the eighth fills the vector.
pub(super) const THIRTY_SECONDS: [[i16; LANES]; 7] = [
    [1, 5, 6, 5, 5, 5, 5, 0],
    [6, 1, 5, 5, 5, 5, 5, 0],
    [5, 6, 1, 5, 5, 5, 5, 0],
    [5, 5, 5, 2, 5, 5, 5, 0],
    [5, 5, 5, 5, 2, 5, 5, 0],
    [6, 5, 5, 5, 5, 1, 5, 0],
    [5, 5, 5, 5, 6, 5, 1, 0],
];

/// Values by next piece, of a board that was looked at in a mirror.
#[inline]
pub(super) fn mirrored(values: [i16; LANES]) -> [i16; LANES] {
    const FROM: [usize; LANES] = {
        let mut from = [LANES - 1; LANES];
        let mut piece = 0;
        while piece < Piece::ALL.len() {
            from[piece] = Piece::ALL[piece].mirrored() as usize;
            piece += 1;
        }
        from
    };
    FROM.map(|lane| values[lane])
}

const ODDS: [[f32; 7]; 7] = {
    let mut odds = [[0.0; 7]; 7];
    let mut i = 0;
    while i < 49 {
        odds[i / 7][i % 7] = THIRTY_SECONDS[i / 7][i % 7] as f32 / 32.0;
        i += 1;
    }
    odds
};
