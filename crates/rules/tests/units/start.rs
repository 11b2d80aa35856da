//! What `src/start.rs` promises.

use maxout_rules::*;

/// The table of the-game.md 6.3.
#[test]
fn the_fastest_script_to_level_19_is_the_published_one() {
    let frames = MenuScript { level: 19, wait: 0 }.frames();
    assert_eq!(frames.len(), 293);
    let pressed: Vec<_> =
        frames.iter().enumerate().filter(|(_, b)| !b.is_empty()).map(|(f, b)| (f, b.0)).collect();
    let want = [
        (266, 0x10),
        (271, 0x10),
        (275, 0x10),
        (277, 0x80),
        (278, 0x80),
        (279, 0x80),
        (280, 0x84),
        (281, 0x81),
        (282, 0x80),
        (283, 0x81),
        (284, 0x80),
        (285, 0x81),
        (286, 0x80),
        (287, 0x81),
        (288, 0x90),
    ];
    assert_eq!(pressed, want);
}

#[test]
fn the_script_leaves_the_published_state() {
    let game = power_on_start(19, 0);
    assert_eq!((game.id, game.next), (PieceId(0x12), PieceId(0x0B)));
    assert_eq!((game.generator.lfsr.0, game.generator.spawn_count), (0x62D6, 2));
    assert_eq!((game.frame_counter, game.progress.level), (0x0020, 19));
}

#[test]
fn seeds_split_into_waits_and_model_states() {
    assert_eq!(Seed::new(0), Seed::PowerOn { menu_wait: 0, hang: 0 });
    assert_eq!(Seed::new(9_599), Seed::PowerOn { menu_wait: 119, hang: 79 });
    assert_eq!(Seed::new(9_600), Seed::Model(9_600));
    assert_ne!(model_start(19, 50_000), model_start(19, 50_001));
}
