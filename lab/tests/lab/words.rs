//! Text for people: one thing is singular, numbers have commas.

use super::answer;
use super::plain_words::faults;

#[test]
fn counts_agree_with_their_things_and_large_numbers_have_commas() {
    for args in [
        &["rows", "--games", "1", "--limit", "3000"][..],
        &["table", "--players", "el-tetris", "--games", "1"],
        &["table", "--players", "el-tetris", "--games", "2"],
    ] {
        assert_eq!(faults(&answer(args)), Vec::<String>::new(), "{args:?}");
    }
}

#[test]
fn a_row_of_one_game_has_no_error() {
    let row = |games: &str| {
        let text = answer(&["table", "--players", "cnn", "--games", games]);
        text.lines().nth(2).expect("a row").matches('±').count()
    };
    assert_eq!((row("1"), row("2")), (0, 1));
}
