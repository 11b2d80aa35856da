//! What `src/ram/mod.rs` promises.

use maxout_rules::Seed;
use maxout_rules::ram::*;

#[test]
fn the_map_lists_what_the_rules_model_and_each_byte_once() {
    let mut listed = [0; SIZE];
    for variable in MAP {
        listed[usize::from(variable.first)..=usize::from(variable.last())]
            .iter_mut()
            .for_each(|byte| *byte += 1);
    }
    let game = Seed::new(0).start(19);
    for (address, count) in (0..).zip(listed) {
        let working_copy = player_block(address) != address;
        let modelled = game.peek(address).is_some() && !working_copy;
        assert_eq!(count, u8::from(modelled), "{address:04X}");
    }
    assert!(MAP.is_sorted_by_key(|variable| variable.first));
    assert_eq!((last(SCORE), last(0x41)), (0x75, 0x41));
}

#[test]
fn the_working_copy_mirrors_the_player_block() {
    assert_eq!((working_copy(PLAY_STATE), player_block(0x48)), (0x48, PLAY_STATE));
    assert_eq!((working_copy(0x7F), player_block(0x5F)), (0x5F, 0x7F));
    for other in [0, 0x3F, 0x80, 0x7FF] {
        assert_eq!((working_copy(other), player_block(other)), (other, other));
    }
}
