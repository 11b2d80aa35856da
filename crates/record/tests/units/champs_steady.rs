//! What `src/champs/steady.rs` promises.

use maxout_record::champs::*;

fn steadied(values: &[u32]) -> Vec<u32> {
    let mut values: Vec<Option<u32>> = values.iter().map(|&value| Some(value)).collect();
    steady(&mut values, 8);
    values.into_iter().flatten().collect()
}

#[test]
fn a_number_that_is_misread_for_a_frame_or_two_does_not_count() {
    assert_eq!(steadied(&[0, 0, 4, 0, 0, 0, 0, 4, 4, 4, 4]), [0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4]);
    assert_eq!(steadied(&[7, 7, 7, 99, 99, 7, 7, 7, 8, 8]), [7, 7, 7, 7, 7, 7, 7, 7, 8, 8]);
    assert_eq!(steadied(&[99, 1, 1, 1, 1, 1, 3]), [1, 1, 1, 1, 1, 1, 3], "the last needs no other");
    assert_eq!(steadied(&[1, 1, 1, 1, 1, 900]), [1; 6]);
    assert_eq!(steadied(&[9, 9, 9, 5, 9, 9, 9, 9]), [9; 8], "a lower one is no new beginning");
    assert_eq!(steadied(&[9, 9, 9, 9, 9, 2, 2, 2, 2, 3]), [9, 9, 9, 9, 9, 2, 2, 2, 2, 3]);
    assert_eq!(steadied(&[]), [0u32; 0]);
}

#[test]
fn numbers_that_are_missing_are_filled_in() {
    let mut values = [None, Some(3), None, None, Some(3), None, Some(5), Some(5), None];
    steady(&mut values, 8);
    assert_eq!(values.map(Option::unwrap), [3, 3, 3, 3, 3, 3, 5, 5, 5]);
    let mut values = [None; 3];
    steady(&mut values, 8);
    assert_eq!(values, [None; 3]);
}
