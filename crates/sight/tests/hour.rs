//! An hour of pictures: what the reader keeps.

use maxout_rules::input::Buttons;
use maxout_rules::{Board, FallRule, Seed};
use maxout_sight::{Picture, VideoReader};

/// Pixels of a cell, of the rim around the field, and around that.
const CELL: usize = 6;
const RIM: usize = 2;
const AROUND: usize = 8;
const WIDTH: usize = 10 * CELL + 2 * (RIM + AROUND);
const HEIGHT: usize = 20 * CELL + 2 * (RIM + AROUND);
/// Pictures of an hour, and of ten minutes.
const HOUR: u64 = 216_000;
const PART: u64 = HOUR / 6;

/// Kilobytes of this process that are in memory.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|line| line.starts_with("VmRSS:")).expect("a line");
    line.split_whitespace().nth(1).expect("a number").parse().expect("a number")
}

/// Games by the rules, one after the other, whose player presses at random. After each part of the hour `told` is given how many pictures were
/// seen, and how many placements.
fn hour(frames: u64, mut told: impl FnMut(u64, usize)) -> VideoReader {
    let mut reader = VideoReader::new();
    let (mut noise, mut placed, mut seed) = (1u64, 0, 1);
    let start = |seed: u64| Seed::new(seed).start_by(FallRule::default(), 18);
    let (mut game, mut held, mut cells) = (start(seed), Buttons::NONE, 0);
    for frame in 0..frames {
        noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        if frame % 3 == 0 {
            held = [Buttons::LEFT, Buttons::RIGHT, Buttons::A, Buttons::NONE][(noise >> 40) as usize % 4];
        }
        game.step(if frame % 3 == 2 { Buttons::NONE } else { held });
        if game.play_state.is_over() {
            seed += 1;
            game = start(seed);
        }
        let board = Board::from(&game.page);
        if board.cells() != cells {
            (placed, cells) = (placed + 1, board.cells());
        }
        let air: Vec<(i32, i32)> = game.placement().map_or_else(Vec::new, |at| {
            let cells = at.orientation.cells().iter();
            cells.map(|&(x, y)| (i32::from(at.x) + i32::from(x), i32::from(at.y) + i32::from(y))).collect()
        });
        let mut bytes = vec![90; WIDTH * HEIGHT];
        for y in AROUND..HEIGHT - AROUND {
            for x in AROUND..WIDTH - AROUND {
                let (across, down) = (x as i32 - (AROUND + RIM) as i32, y as i32 - (AROUND + RIM) as i32);
                let (column, row) = (across.div_euclid(CELL as i32), down.div_euclid(CELL as i32));
                let inside = (0..10).contains(&column) && (0..20).contains(&row);
                let solid =
                    inside && (board.is_solid(row as i8, column as i8) || air.contains(&(column, row)));
                bytes[y * WIDTH + x] = if solid || !inside { 220 } else { 10 };
            }
        }
        let picture = Picture::grey(WIDTH, HEIGHT, &bytes).expect("enough bytes");
        reader.see(&picture, frame * 1_000 / 60);
        if (frame + 1) % PART == 0 {
            told(frame + 1, placed);
        }
    }
    reader
}

#[test]
#[ignore = "takes a minute, and only Linux tells how much memory is in use"]
fn nightly_an_hour_takes_no_more_memory_than_its_placements() {
    let mut used = Vec::new();
    let reader = hour(HOUR, |frames, placed| {
        println!("{} min: {} KiB, {placed} changes of the board", frames / 3_600, resident());
        used.push((resident(), placed));
    });
    let games = reader.finish();
    let placements: usize = games.iter().map(|game| game.placements.len()).sum();
    let poses: usize = games.iter().map(|game| game.path.len()).sum();
    println!("{} games, {placements} placements, {poses} poses", games.len());
    assert!(placements > 2_000, "{placements} placements");
    let (first, last) = (used[0], used[used.len() - 1]);
    let each = (last.0.saturating_sub(first.0)) as f64 / (last.1 - first.1).max(1) as f64;
    println!("{each:.2} KiB for each placement after the first ten minutes");
    assert!(each < 3.0, "{each:.2} KiB for each placement");
}
