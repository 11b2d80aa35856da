//! Gravity, entry delay and the double killscreen.

use maxout_rules::{Board, FallRule, Game, Page, Piece, PlayState, Seed, entry_delay, gravity, input};

#[test]
fn entry_delay_follows_the_lock_row() {
    assert_eq!(
        [19, 18, 17, 14, 13, 10, 9, 6, 5, 0].map(entry_delay),
        [11, 11, 13, 13, 15, 15, 17, 17, 19, 19]
    );
}

#[test]
fn the_same_ntsc_level_is_the_slowest_that_is_as_fast() {
    for level in 0..=u8::MAX {
        let (pal, same) = (FallRule::Pal.gravity(level), FallRule::Pal.ntsc_level(level));
        assert!(gravity(same) <= pal, "level {level}");
        assert!(same == level || same == 0 || gravity(same - 1) > pal, "level {level}");
        for rule in [FallRule::Ntsc, FallRule::DoubleKillscreen] {
            assert_eq!(rule.ntsc_level(level), level);
        }
    }
}

/// A game at `level` whose first piece begins at the top, over a floor of `rows` full rows but for a column.
fn game(level: u8, fall_rule: FallRule, rows: usize) -> Game {
    let mut game = Seed::new(50_000).start(18);
    game.fall_rule = fall_rule;
    game.progress.level = level;
    game.autorepeat_y = 0;
    let board = Board::from_rows(std::array::from_fn(|row| if row >= 22 - rows { 0x1FF } else { 0 }));
    game.page = Page::from_rows(board.rows());
    (game.x, game.y, game.id) = (5, 0, Piece::O.into());
    game.fall_timer = 0;
    game
}

/// The rows of the piece after each frame until it locks.
fn rows(mut game: Game) -> Vec<u8> {
    let mut rows = Vec::new();
    while game.play_state == PlayState::Control {
        game.step(input::Buttons::NONE);
        rows.push(game.y);
    }
    rows
}

#[test]
fn two_rows_a_frame_from_level_39_on() {
    let single: Vec<u8> = (1..=18).chain([18]).collect();
    assert_eq!(rows(game(38, FallRule::DoubleKillscreen, 0)), single);
    assert_eq!(rows(game(39, FallRule::Ntsc, 0)), single);
    let double: Vec<u8> = (1..=9).map(|frame| 2 * frame).chain([18]).collect();
    assert_eq!(rows(game(39, FallRule::DoubleKillscreen, 0)), double);
    assert_eq!(rows(game(48, FallRule::DoubleKillscreen, 0)), double);
}

#[test]
fn where_one_row_is_free_the_piece_falls_it_and_locks_in_the_same_frame() {
    let double: Vec<u8> = (1..=8).map(|frame| 2 * frame).chain([17]).collect();
    assert_eq!(rows(game(39, FallRule::DoubleKillscreen, 1)), double);
}
