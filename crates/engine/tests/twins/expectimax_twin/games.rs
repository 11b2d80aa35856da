//! Games that go on beyond level 29, and players who see the next piece late or not at all.

use super::*;

#[test]
fn games_that_go_on_are_weighed_as_the_twin_weighs_them() {
    let mut dice = Dice::new(20);
    // The last six are levels at which clears can crash the game.
    let counts = [10, 125, 128, 150, 210, 227, 280, 322, 329, 350, 1_530, 1_622, 1_650, 1_655, 1_700, 1_775];
    let goals = [Stop::Level29, Stop::Lines(230), Stop::Lines(429), Stop::Lines(360), Stop::TopOut];
    for limits in [Limits::EACH_BUTTON, Limits::taps(TapTable::HZ_15)] {
        let network = weights::embedded_for(limits);
        for (number, goal) in goals.into_iter().cycle().take(100).enumerate() {
            let grid = stack(&mut dice, 7);
            let board = board(&grid, &mut dice);
            let piece = Piece::ALL[dice.roll(7) as usize];
            let next = Piece::ALL[dice.roll(7) as usize];
            let lines: u32 = counts[dice.roll(counts.len() as u32) as usize];
            let level = (lines / 10 + 6).max(18) as u8;
            let progress = Progress::at(lines, level);
            let fall_rule = FallRule::with_double_killscreen(dice.roll(2) == 0);
            let start = Start::spawn(piece, level).by(fall_rule);
            let search = Expectimax::new(Arc::clone(&network), Widths::TWO, limits);
            let got = search.with_goal(goal).rank(&Position { board, start, next: Some(next), progress });
            // Up to level 29 it is all the same game.
            let to_29 = progress.lines() + if level < 29 { lines_to(29, progress) } else { 0 };
            let goal = if matches!(goal, Stop::Lines(lines) if level < 29 && lines <= to_29) {
                Stop::Level29
            } else {
                goal
            };
            let twin = Twin::new(&network, &Widths::TWO, limits, progress);
            let over = match goal {
                Stop::Level29 => level >= 29,
                Stop::Lines(goal) => lines >= goal,
                Stop::TopOut => false,
            };
            let twin = Twin { goal, bounded: !over, fall_rule, ..twin };
            let want = twin.rank(&board, &start, next, progress);
            let context = || format!("board {number}, {goal:?}, {lines} lines, level {level}\n{board}");
            assert_eq!(got.len(), want.len(), "{}", context());
            for (got, want) in got.iter().zip(&want) {
                let tolerance = 2.0f32.max(want.value.abs() * 3e-7);
                assert!((got.value - want.value).abs() < tolerance, "{got:?} {want:?} {}", context());
            }
        }
    }
}

#[test]
fn before_the_next_piece_is_known_each_is_weighed_as_the_twin_weighs_it() {
    let network = weights::embedded_common();
    let mut dice = Dice::new(30);
    for number in 0..5 {
        let late = Limits::taps(TapTable::HZ_12).with_reaction(Reaction::Frames(24));
        let limits = [Limits::EACH_BUTTON, Limits::taps(TapTable::HZ_15), late][[0, 1, 0, 2, 2][number]];
        let grid = stack(&mut dice, 8);
        let board = board(&grid, &mut dice);
        let (lines, level) = [(20, 19), (226, 28), (240, 30), (128, 18), (20, 19)][number];
        let progress = Progress::at(lines, level);
        let start = Start::spawn(Piece::ALL[dice.roll(7) as usize], level);
        let twin = Twin::new(&network, &NARROW, limits, progress);
        let want = twin.previews(&board, &start, progress);
        let mut search = Expectimax::new(Arc::clone(&network), NARROW, limits);
        let got = search.previews(&Position { board, start, next: None, progress });
        assert_eq!(got.len(), want.len());
        for ((got, values), (want, expected)) in got.iter().zip(&want) {
            assert_eq!(got, want);
            for (value, expected) in values.iter().zip(expected) {
                assert!(
                    (value - expected * 24_000.0).abs() < 2.0,
                    "{value} {expected}, board {number}\n{board}"
                );
            }
        }
    }
}

#[test]
fn a_piece_that_locks_before_the_next_one_is_seen_goes_where_the_twin_puts_it() {
    let mut dice = Dice::new(29);
    let (mut same, mut boards) = (0, 0);
    for (round, reaction) in
        [Reaction::NextPiece, Reaction::Frames(18)].into_iter().cycle().take(24).enumerate()
    {
        let taps = if round % 6 < 4 { TapTable::SLOW_5 } else { TapTable::HZ_24 };
        let limits = Limits::taps(taps).with_reaction(reaction);
        let network = weights::embedded_for(limits);
        let grid = stack(&mut dice, 6);
        let board = board(&grid, &mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let lines = [150, 250, 340][if reaction == Reaction::NextPiece { round % 3 } else { 1 + round % 2 }];
        let progress = Progress::at(lines, (lines / 10 + 6) as u8);
        let fall_rule = FallRule::with_double_killscreen(round % 4 < 2);
        let start = Start::spawn(piece, progress.level).by(fall_rule);
        let goal = Stop::Lines(430);
        let two_more = Widths {
            first: 4,
            deeper: Cow::Borrowed(&NARROW.deeper[..1]),
            alone: vec![
                Ply { candidates: 3, margin: 0.8, replies: 1 },
                Ply { candidates: 2, margin: 0.1, replies: 1 },
            ]
            .into(),
        };
        let widths = if round % 8 < 6 { NARROW } else { two_more };
        let mut search = Expectimax::new(Arc::clone(&network), widths.clone(), limits).with_goal(goal);
        let got = search.previews(&Position { board, start, next: None, progress });
        assert!(!search.sees_next(progress.level));
        assert!(
            got.iter().all(|(_, values)| values.iter().all(|value| value.to_bits() == values[0].to_bits()))
        );
        let got = got.iter().max_by(|a, b| a.1[0].total_cmp(&b.1[0]));
        let twin = Twin { goal, bounded: true, fall_rule, ..Twin::new(&network, &widths, limits, progress) };
        let Some((want, total)) = twin.alone(&board, &start, progress) else {
            assert_eq!(got, None);
            continue;
        };
        let (placement, values) = got.expect("the twin has a placement");
        let context = || format!("{limits} {progress:?} {piece} {placement:?} {want:?}\n{board}");
        assert!((values[0] - 24_000.0 * total).abs() < 2.0, "{} {total} {}", values[0], context());
        boards += 1;
        // What is worth the same may come in another order.
        same += usize::from(*placement == want);
    }
    assert!(boards > 12 && same + 1 >= boards, "{same} of {boards}");
}
