//! The golden tables of docs/how-it-works/the-game.md 10: what the real game did under three scripts of buttons.

use maxout_rules::input::Buttons;
use maxout_rules::{Game, Page, PlayState, entry_delay, power_on_start};

/// The first control frame after the fastest script, counted from power-on.
const FIRST_FRAME: u32 = 293;

/// n, L, id, X,Y, S, cur, next, rng: no buttons.
const TABLE_1: &str = "\
0 427 12 5,19 437 0B 0E 322C
1 473 0B 5,17 485 0E 0B 24B4
2 519 0E 5,16 531 0B 0E 797B
3 561 0B 5,14 573 0E 0A D5FC
4 601 0E 5,13 615 0A 08 EE77
5 639 0A 5,11 653 08 08 411F
6 673 08 5,9 689 08 12 8DD8
7 705 08 5,7 721 12 07 879C
8 735 12 5,6 751 07 0E C291
9 761 07 5,4 779 0E 02 DCE3
10 785 0E 5,2 803 02 0B 5F21
11 805 02 5,0 823 0B 07 7B03";

/// n, L, id, X,Y, S, cur, next, rng, score, DAS: buttons by rule.
const TABLE_2: &str = "\
0 354 12 5,19 364 0B 0E CA43 000012 0
1 402 0C 6,18 412 0E 02 1080 000018 6
2 446 10 5,16 458 02 0A 51BD 000022 6
3 490 01 3,15 502 0A 08 E6C9 000025 14
4 530 0A 6,13 544 08 07 7802 000026 4
5 568 09 5,11 582 07 08 129A 000026 4
6 610 05 3,13 624 08 0B 533B 000027 12
7 642 09 6,8 658 0B 08 BD04 000027 2
8 674 0B 5,7 690 08 12 A376 000027 2
9 704 09 4,6 720 12 0A 879C 000027 13
10 730 12 6,4 748 0A 07 8522 000027 0
11 754 0A 5,2 772 07 08 9C6B 000027 0
12 774 07 4,0 792 08 08 219F 000027 1";

/// n, L, id, X,Y, S, cur, next, rng, lines, score, DAS: the same on a field built up from row 8.
const TABLE_3: &str = "\
0 354 12 5,19 382 0B 0B 38E8 001 000812 0
1 398 0C 6,7 414 0B 02 0420 001 000812 6
2 426 0B 5,5 444 02 0B 8F32 001 000812 6
3 454 01 4,4 472 0B 0E 9FB2 001 000812 9
4 478 0B 6,2 496 0E 02 C904 001 000812 4
5 500 0F 5,1 518 02 08 E25F 001 000812 4";

/// One line of a table, all numbers as printed.
fn line(n: u32, locked: (u32, Game), spawned: (u32, Game), columns: usize) -> String {
    let ((lock_frame, lock), (spawn_frame, spawn)) = (locked, spawned);
    let head = format!(
        "{n} {lock_frame} {:02X} {},{} {spawn_frame} {:02X} {:02X} {:04X}",
        lock.id.0, lock.x, lock.y, spawn.id.0, spawn.next.0, spawn.generator.lfsr.0
    );
    let (lines, score, das) = (spawn.progress.lines(), spawn.score.value(), spawn.autorepeat_x);
    match columns {
        8 => head,
        10 => format!("{head} {score:06} {das}"),
        _ => format!("{head} {lines:03} {score:06} {das}"),
    }
}

/// Plays by `pad` (piece number, frames since its spawn) and compares the table, the frame of the top-out and
/// the frame in which the curtain is down.
fn check(mut game: Game, pad: impl Fn(u32, u32) -> Buttons, table: &str, top_out: u32, curtain: u32) {
    let columns = table.lines().next().expect("a line").split(' ').count();
    let mut got = Vec::new();
    let (mut n, mut t) = (0, 0);
    let mut locked = None;
    for frame in FIRST_FRAME.. {
        t += 1;
        let before = game;
        game.step(pad(n, t));
        if game.play_state == PlayState::Lock && before.play_state == PlayState::Control {
            locked = Some((frame, game));
        }
        if game.play_state == PlayState::Control && before.play_state == PlayState::Spawn {
            let locked = locked.take().expect("a lock before a spawn");
            if game.progress.lines() == locked.1.progress.lines() {
                assert_eq!(
                    frame + 1 - locked.0,
                    u32::from(entry_delay(locked.1.y)),
                    "entry delay of piece {n}"
                );
            }
            got.push(line(n, locked, (frame, game), columns));
            (n, t) = (n + 1, 0);
        }
        if game.play_state == PlayState::Curtain && before.play_state != PlayState::Curtain {
            assert_eq!(frame, top_out, "frame of the top-out");
        }
        if game.play_state == PlayState::Curtain && game.curtain_row == 0x14 {
            assert_eq!(frame, curtain, "frame of the curtain");
            break;
        }
        assert!(frame < 2_000);
    }
    assert_eq!(got.join("\n"), table);
}

/// A in the first odd frames, then a held direction, then Down: all depending on the piece's number.
fn by_rule(n: u32, t: u32) -> Buttons {
    let mut pad = Buttons::NONE;
    if t % 2 == 1 && t < 2 * (n % 4) + 1 {
        pad |= Buttons::A;
    }
    if t <= 7 * n % 23 {
        pad |= [Buttons::LEFT, Buttons::RIGHT, Buttons::NONE][n as usize % 3];
    } else if t >= 24 {
        pad |= Buttons::DOWN;
    }
    pad
}

#[test]
fn untouched_pieces_stack_up_as_in_the_real_game() {
    check(power_on_start(19, 0), |_, _| Buttons::NONE, TABLE_1, 826, 968);
}

#[test]
fn buttons_by_rule_give_the_real_game_s_locks_points_and_pieces() {
    check(power_on_start(19, 0), by_rule, TABLE_2, 795, 936);
}

#[test]
fn a_clear_on_a_built_up_field_gives_the_real_game_s_delays() {
    let mut game = power_on_start(19, 0);
    for row in 8..20 {
        for column in [0, 1, 2, 7, 8, 9] {
            assert!(game.page.set_byte(Page::index(row, column), 0x7C));
        }
    }
    check(game, by_rule, TABLE_3, 521, 664);
}
