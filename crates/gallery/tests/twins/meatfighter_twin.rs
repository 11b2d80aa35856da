//! The evaluation of 2018 against its slow, obvious twin.

use maxout_gallery::eval::{LockTrail, Meatfighter};
use maxout_rules::Board;

use crate::grids::{Dice, Grid, board, grid};
use crate::measures::{naive_can_clear_a_row, naive_features, naive_high_stack, naive_spawn_is_free};

/// The weights in the order of the published table, as printed there.
const PUBLISHED: [&str; 17] = [
    "0.286127095297893900",
    "1.701233676909959200",
    "0.711304230768307700",
    "0.910665415998680400",
    "1.879338064244357000",
    "2.168463848297177000",
    "-0.265587111961757270",
    "0.289886584949610500",
    "0.362361055261181730",
    "-0.028668795795469625",
    "0.874179981113233100",
    "-0.507409683144361900",
    "-2.148676202831281000",
    "-1.187558540281141700",
    "-2.645656132241128000",
    "0.242043416268706620",
    "0.287838126164431440",
];

/// The seventeen weighted terms and the four rules.
fn naive_score(grid: &Grid, locks: LockTrail) -> Option<f64> {
    if !naive_spawn_is_free(grid) || !naive_can_clear_a_row(grid) {
        return None;
    }
    let features = naive_features(grid);
    let terms = [
        locks.lines,
        locks.heights,
        features.well_cells,
        features.deep_wells,
        features.holes,
        features.weighted_holes,
        features.hole_depths,
        features.min_hole_depth,
        features.max_hole_depth,
        features.column_transitions,
        features.row_transitions,
        features.column_heights,
        features.max_height,
        features.height_spread,
        features.solid_cells,
        features.weighted_cells,
        features.height_differences,
    ];
    let mut value = f64::from(naive_high_stack(grid));
    for (weight, term) in PUBLISHED.iter().zip(terms) {
        value += weight.parse::<f64>().expect("a number") * f64::from(term);
    }
    Some(if locks.tetris { value - 1e9 } else { value })
}

fn assert_close(got: Option<f64>, want: Option<f64>, board: &Board) {
    match (got, want) {
        (Some(got), Some(want)) => {
            assert!((got - want).abs() <= 1e-9 * want.abs().max(1.0), "{got} {want}{board:?}");
        }
        _ => assert_eq!(got, want, "{board:?}"),
    }
}

#[test]
fn the_value_agrees_with_its_naive_twin_on_ten_thousand_boards() {
    let mut dice = Dice::new(10);
    let (mut passed, mut rejected) = (0, 0);
    for _ in 0..10_000 {
        let grid = grid(&mut dice);
        let board = board(&grid, &mut dice);
        let locks = LockTrail { lines: dice.roll(9), heights: dice.roll(38), tetris: dice.roll(5) == 0 };
        let score = naive_score(&grid, locks);
        assert_close(Meatfighter::PUBLISHED.score(&board, locks), score, &board);
        *if score.is_some() { &mut passed } else { &mut rejected } += 1;
    }
    assert!(passed > 300 && rejected > 300, "{passed} {rejected}");
}
