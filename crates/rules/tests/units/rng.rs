//! What `src/rng.rs` promises.

use maxout_rules::*;

#[test]
fn the_register_starts_as_published_and_has_32767_states() {
    let mut lfsr = Lfsr::POWER_ON;
    let first = [0x44C4, 0x2262, 0x1131, 0x0898, 0x044C, 0x0226, 0x0113, 0x8089, 0x4044];
    for want in first {
        lfsr.clock();
        assert_eq!(lfsr.0, want);
    }
    let mut period = 0;
    let mut walk = Lfsr::POWER_ON;
    loop {
        walk.clock();
        period += 1;
        if walk == Lfsr::POWER_ON {
            break;
        }
    }
    assert_eq!(period, 32_767);
}

/// the-game.md 4.5, averaged over `spawn_count` modulo 8; entries are x/32 rounded to whole numbers there.
#[test]
#[cfg_attr(miri, ignore = "two million picks take too long there")]
fn the_odds_of_the_next_piece_are_the_published_matrix() {
    #[rustfmt::skip]
    let want = [
        [1, 5, 6, 5, 5, 5, 5], [6, 1, 5, 5, 5, 5, 5], [5, 6, 1, 5, 5, 5, 5], [5, 5, 5, 2, 5, 5, 5],
        [5, 5, 5, 5, 2, 5, 5], [6, 5, 5, 5, 5, 1, 5], [5, 5, 5, 5, 6, 5, 1],
    ];
    for (row, previous) in Piece::ALL.into_iter().enumerate() {
        let mut counts = [0u32; 7];
        let mut lfsr = Lfsr::POWER_ON;
        for _ in 0..32_767 {
            lfsr.clock();
            for spawn_count in 0..8 {
                let mut g = Generator { lfsr, spawn_id: previous.into(), spawn_count };
                let got = g.pick().piece().expect("a pick is a piece");
                counts[got as usize] += 1;
            }
        }
        let share = |n: u32| (f64::from(n) * 32.0 / (32_767.0 * 8.0)).round() as i32;
        assert_eq!(counts.map(share), want[row], "previous {previous}");
    }
}
