//! What `src/ram/snapshot.rs` promises.

use maxout_rules::input::Buttons;
use maxout_rules::ram::*;
use maxout_rules::ram::{GAME_MODE, GameType, RENDER_MODE, SIZE};
use maxout_rules::{Board, EMPTY, Lfsr, PieceId, Progress};

#[test]
fn every_cell_is_read_from_its_place() {
    let mut ram = [0; SIZE];
    ram[0x17..=0x1A].copy_from_slice(&[0x62, 0xD6, 0x0B, 2]);
    // The working copy lags behind in some states and must not be read.
    ram[0x40..0x60].fill(0x77);
    ram[0x60..=0x69].copy_from_slice(&[5, 3, 0x12, 0, 29, 7, 16, 19, 1, 0x20]);
    ram[0x6E..=0x76].copy_from_slice(&[0xA1, 4, 0x30, 2, 0, 0x56, 0x34, 0x12, 3]);
    ram[0x78] = 0xF3;
    ram[0xA7] = 2;
    ram[0xB1..=0xB2].copy_from_slice(&[0x20, 1]);
    ram[0xBD..=0xC1].copy_from_slice(&[3, 1, 0x0E, 4, 1]);
    ram[0xF5] = 0x01;
    ram[0xF7] = 0x81;
    let now = Snapshot::read(&ram);
    assert_eq!((now.x, now.y, now.current, now.next), (5, 3, PieceId(0x12), PieceId(0x0E)));
    assert_eq!((now.progress.level, now.start_level), (29, 19));
    assert_eq!(now.game_type, GameType::B);
    assert_eq!((now.fall_timer, now.autorepeat_x, now.autorepeat_y), (7, 16, 0xA1));
    assert_eq!((now.hold_down_points, now.completed_lines, now.vram_row), (4, 3, 0x20));
    assert_eq!((now.progress.lines(), now.score, now.curtain_row), (230, 123_456, 0xF3));
    assert_eq!(now.progress, Progress { lines_low: 0x30, lines_high: 2, level: 29 });
    assert_eq!((now.generator.lfsr, now.generator.spawn_count), (Lfsr(0x62D6), 2));
    assert_eq!((now.generator.spawn_id, now.frame_counter), (PieceId(0x0B), 0x0120));
    assert_eq!((now.held, now.pressed), (Buttons::A | Buttons::RIGHT, Buttons::RIGHT));
    assert!(now.in_play() && !now.is_paused() && now.in_control());
    ram[usize::from(RENDER_MODE)] = 0;
    let now = Snapshot::read(&ram);
    assert!(!now.in_play() && now.is_paused());
    ram[usize::from(GAME_MODE)] = 5;
    assert!(!Snapshot::read(&ram).is_paused(), "the demo is not our game");
}

#[test]
fn a_snapshot_of_the_rules_is_that_of_their_ram() {
    let mut game = maxout_rules::Seed::new(0).start(18);
    // Miri is too slow for a whole game.
    for frame in 0..if cfg!(miri) { 12 } else { 2_000u16 } {
        let mut ram = [0; SIZE];
        for (address, byte) in (0..).zip(&mut ram) {
            *byte = game.peek(address).unwrap_or(0);
        }
        assert_eq!(Snapshot::from(&game), Snapshot::read(&ram), "frame {frame}");
        game.step(match frame % 97 {
            // In the curtain Start would lead out of play, of which the rules keep no RAM.
            0 | 5 if !game.is_over() => Buttons::START,
            50.. => Buttons::DOWN,
            _ => Buttons(1 << (frame % 2)),
        });
    }
    assert!(game.is_over() || cfg!(miri));
}

#[test]
fn the_rows_above_the_field_come_from_the_end_of_its_page() {
    let mut ram = [0; SIZE];
    ram[0x400..0x500].fill(0xEF);
    for address in [0x4EC, 0x4F6 + 1, 0x400 + 2, 0x4C7] {
        ram[address] = 0x7B;
    }
    // Row 20 of the page is no row of the field.
    ram[0x4C8] = 0x7B;
    let mut rows = [0; 22];
    (rows[0], rows[1], rows[2], rows[21]) = (1 << 0, 1 << 1, 1 << 2, 1 << 9);
    assert_eq!(Snapshot::read(&ram).board, Board::from_rows(rows));
    let tiles = page(&ram);
    assert_eq!((0..200).filter(|&index| tiles.byte(index) != EMPTY).collect::<Vec<_>>(), [2, 199]);
    assert_eq!(tiles.byte(199), 0x7B);
}
