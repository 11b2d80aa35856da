//! What `src/ram/edition.rs` promises.

use maxout_rules::ram::*;

/// The addresses are those of the-game.md 9.3.
#[test]
fn the_practice_edition_keeps_the_player_block_at_40() {
    let at = |address| Edition::Practice.address(address);
    assert_eq!([PLAY_STATE, LEVEL, LINES, LINES + 1].map(at), [0x48, 0x44, 0x50, 0x51]);
    assert_eq!([SCORE, SCORE + 2, CURTAIN_ROW, 0x76, 0x77].map(at), [0x0C, 0x0E, 0x5C, 0x53, 0x54]);
    assert_eq!([RNG + 1, NEXT_PIECE, FIELD + 199, 0x7F0].map(at), [0x18, 0xBF, 0x4C7, 0x7F0]);
    assert!((0..0x800).all(|address| Edition::Original.address(address) == address));
}
