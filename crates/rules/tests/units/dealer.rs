//! What `src/dealer.rs` promises.

use maxout_rules::*;

#[test]
#[cfg_attr(miri, ignore = "statistics take too long there")]
fn both_kinds_of_pieces_are_all_dealt_and_the_generator_seldom_repeats() {
    for (pieces, most) in [(Pieces::Uniform, 0.16), (Pieces::Nes, 0.06)] {
        let dealt: Vec<Piece> = Dealer::new(pieces, 7).take(14_000).collect();
        for piece in Piece::ALL {
            let share = dealt.iter().filter(|&&p| p == piece).count() as f64 / 14_000.0;
            assert!((0.125..0.16).contains(&share), "{pieces} {piece} {share}");
        }
        let repeats = dealt.windows(2).filter(|pair| pair[0] == pair[1]).count() as f64 / 14_000.0;
        assert!((most - 0.04..most).contains(&repeats), "{pieces} {repeats}");
    }
}

#[test]
fn any_number_of_frames_between_two_picks_is_played_in_little_time() {
    for frames in [0, 1, 32_766, 32_767, 32_768, 100_000] {
        for lfsr in [0, 1, 0x8988, 0xFFFF].map(Lfsr) {
            let generator = Generator { lfsr, spawn_id: PieceId(0), spawn_count: 0 };
            let mut clocked = generator;
            (0..frames).for_each(|_| clocked.lfsr.clock());
            let want = clocked.pick().piece();
            assert_eq!(Some(Dealer::spaced(generator, frames).deal()), want, "{frames} {lfsr:?}");
        }
    }
    let generator = Generator { lfsr: Lfsr::POWER_ON, spawn_id: PieceId(0), spawn_count: 0 };
    // Clocked one by one, these would take hours.
    assert_eq!(Dealer::spaced(generator, u32::MAX).take(5_000).count(), 5_000);
}

#[test]
#[cfg_attr(miri, ignore = "statistics take too long there")]
fn a_piece_that_is_said_to_be_the_last_seldom_comes_again() {
    let repeats = |seed: u64| {
        let mut dealer = Dealer::new(Pieces::Nes, seed);
        dealer.follow(Piece::O);
        dealer.deal() == Piece::O
    };
    let share = (0..4_000).filter(|&seed| repeats(seed)).count() as f64 / 4_000.0;
    // Without being told it would be one in seven.
    assert!((0.02..0.08).contains(&share), "{share}");
}
