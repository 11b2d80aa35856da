//! What `src/hand.rs` promises.

use maxout_host::hand::*;
use maxout_rules::input::Buttons;

const EVERY_FRAME: u32 = 40_000;

fn rate(probability: f64) -> MisdropRate {
    MisdropRate::new(probability).expect("a probability")
}

#[test]
fn rates_read_as_they_print_and_nothing_else_is_one() {
    for text in ["0", "0.01", "0.5", "1e-7", "0.999"] {
        assert_eq!(text.parse::<MisdropRate>().expect(text).to_string(), text);
    }
    assert_eq!("-0".parse(), Ok(MisdropRate::NONE));
    assert_eq!("-0.0".parse::<MisdropRate>().map(|rate| rate.to_string()), Ok("0".to_owned()));
    for bad in ["1", "1.5", "-0.1", "nan", "inf", "-inf", "", "1%", "half"] {
        assert!(bad.parse::<MisdropRate>().is_err(), "{bad}");
    }
}

#[test]
fn a_sure_hand_does_what_is_wanted() {
    let mut hand = Hand::sure();
    for bits in 0..=u8::MAX {
        assert_eq!(hand.press(Buttons(bits), Buttons::NONE), Buttons(bits));
    }
    assert_eq!(hand, Hand::sure(), "no dice are thrown");
}

#[test]
fn a_wrong_press_is_absent_or_comes_one_frame_late_and_whole() {
    let mut hand = Hand::new(rate(0.25), 7);
    let press = Buttons::LEFT | Buttons::A;
    let (mut made, mut late, mut absent) = (0, 0, 0);
    for _ in 0..EVERY_FRAME {
        match hand.press(press | Buttons::DOWN, Buttons::NONE) {
            got if got == press | Buttons::DOWN => made += 1,
            // Down never fails.
            Buttons::DOWN => match hand.press(Buttons::NONE, Buttons::DOWN) {
                got if got == press => late += 1,
                Buttons::NONE => absent += 1,
                got => panic!("{got}"),
            },
            got => panic!("{got}"),
        }
        assert_eq!(hand.press(Buttons::NONE, press), Buttons::NONE, "nothing comes later");
    }
    assert!((29_500..30_500).contains(&made), "{made}");
    assert!((4_700..5_300).contains(&late) && (4_700..5_300).contains(&absent), "{late}, {absent}");
}

/// A hand whose next press comes late.
fn late(press: Buttons) -> Hand {
    let late = |seed: &u64| {
        let mut hand = Hand::new(rate(0.5), *seed);
        hand.press(press, Buttons::NONE) != press && hand.press(Buttons::NONE, Buttons::NONE) == press
    };
    let mut hand = Hand::new(rate(0.5), (0..100).find(late).expect("a seed"));
    assert_eq!(hand.press(press, Buttons::NONE), Buttons::NONE);
    hand
}

#[test]
fn a_late_press_takes_the_place_of_the_one_that_is_wanted_then() {
    let mut hand = late(Buttons::LEFT);
    let wanted = Buttons::RIGHT | Buttons::B | Buttons::DOWN;
    assert_eq!(hand.press(wanted, Buttons::NONE), Buttons::LEFT | Buttons::DOWN);
    // A direction that is held stays held, but not beside the other one.
    let wanted = Buttons::LEFT | Buttons::B;
    assert_eq!(late(Buttons::A).press(wanted, Buttons::LEFT), Buttons::LEFT | Buttons::A);
    assert_eq!(late(Buttons::RIGHT).press(wanted, Buttons::LEFT), Buttons::RIGHT);
}

#[test]
fn a_late_press_does_not_reach_the_next_piece() {
    let mut hand = late(Buttons::A);
    hand.rest();
    assert_eq!(hand.press(Buttons::NONE, Buttons::NONE), Buttons::NONE);
}

#[test]
fn what_is_already_held_is_no_press() {
    let mut hand = Hand::new(rate(0.999), 1);
    let before = hand.clone();
    let held = Buttons::LEFT | Buttons::DOWN;
    assert_eq!(hand.press(held, Buttons::LEFT), held);
    assert_eq!(hand.press(Buttons::DOWN, Buttons::NONE), Buttons::DOWN);
    assert_eq!(hand, before, "no dice are thrown");
}

#[test]
fn the_misses_are_those_of_the_seed() {
    let misses = |seed| {
        let mut hand = Hand::new(rate(0.5), seed);
        (0..100).map(|_| hand.press(Buttons::A, Buttons::NONE)).collect::<Vec<_>>()
    };
    assert_eq!(misses(3), misses(3));
    assert_ne!(misses(3), misses(4));
}
