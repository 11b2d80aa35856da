//! What `src/page.rs` promises.

use maxout_rules::random::Dice;
use maxout_rules::*;

/// The page as plain bytes, cleared the way the-game.md 2.5 words it.
fn naive_clear(bytes: &mut [u8; 256], row: usize) {
    let last = if row == 0 { 255 } else { 10 * row + 9 };
    for i in (10..=last).rev() {
        bytes[i] = bytes[i - 10];
    }
    bytes[..10].fill(EMPTY);
}

#[test]
fn clearing_rows_equals_the_byte_loop_for_every_row() {
    let mut dice = Dice::new(1);
    for row in 0..20u8 {
        let mut page = Page::empty();
        let mut bytes = [EMPTY; 256];
        for i in 0..=255u8 {
            let tile = [EMPTY, 0x7B, 0x7C, 0x7D, CURTAIN][dice.below(5)];
            bytes[usize::from(i)] = tile;
            assert!(page.set_byte(i, tile));
        }
        assert_eq!(page.bytes(), bytes);
        for r in 0..20i8 {
            for c in 0..10i8 {
                let solid = bytes[usize::from(Page::index(r, c))] != EMPTY;
                assert_eq!(page.row(r) >> c & 1 == 1, solid);
            }
        }
        page.clear_row(row);
        naive_clear(&mut bytes, usize::from(row));
        assert_eq!(page.bytes(), bytes, "row {row}");
    }
}

#[test]
fn a_page_from_rows_has_those_rows() {
    let rows = std::array::from_fn(|i| (i as u16 * 377 + 5) & 0x3FF);
    let page = Page::from_rows(&rows);
    for (row, want) in (-2..20).zip(rows) {
        assert_eq!(page.row(row), want, "row {row}");
    }
}

#[test]
fn refuses_a_byte_that_no_cell_holds() {
    assert!(!Page::empty().set_byte(7, 0x12));
}
