//! What `src/random.rs` promises.

use maxout_rules::random::*;

#[test]
fn dice_are_a_chain_that_goes_on_from_its_state() {
    let mut dice = Dice::new(5);
    assert_eq!(dice.word(), splitmix64(splitmix64(5)));
    let mut same = Dice::from_state(dice.state());
    assert_eq!(dice.unit().to_bits(), same.unit().to_bits());
    assert_eq!(Dice::of([5]), Dice::new(5));
    assert_eq!(Dice::of([5, 6]).state(), splitmix64(splitmix64(5) ^ 6));
    assert_ne!(Dice::of([5, 6]), Dice::of([6, 5]));
}

#[test]
fn numbers_stay_in_their_range_and_fill_it_evenly() {
    let mut dice = Dice::new(1);
    let mut counts = [[0u32; 6]; 2];
    let (mut sum, mut squares, mut heads) = (0.0, 0.0, 0);
    for _ in 0..6_000 {
        counts[0][dice.below(6)] += 1;
        counts[1][dice.roll(6) as usize] += 1;
        heads += u32::from(dice.coin());
        assert!((0.0..1.0).contains(&dice.unit()));
        assert!((-1.0..1.0).contains(&dice.signed()) && (-1.0..1.0).contains(&dice.signed_f32()));
        let normal = dice.normal();
        (sum, squares) = (sum + normal, squares + normal * normal);
    }
    assert!(counts.iter().flatten().all(|count| (850..1_150).contains(count)), "{counts:?}");
    assert!((2_800..3_200).contains(&heads), "{heads}");
    assert!((sum / 6_000.0f64).abs() < 0.05 && (squares / 6_000.0 - 1.0f64).abs() < 0.06);
    assert_eq!((dice.below(0), dice.roll(0)), (0, 0));
}
