//! What evaluators measure and look up, against slow, obvious twins: the definitions, written plainly over a grid.

// Rows and columns by number, as in the definitions.
#![allow(clippy::needless_range_loop)]

use maxout_engine::eval::ntuple::{Ntuple90, TableList, indices};
use maxout_engine::eval::{Features, Packed, Shape, can_clear_a_row, high_stack, lock_height, spawn_is_free};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_rules::{Board, Orientation, Piece};

use crate::grids::{Dice, Grid, board, grid, noise, stack};
use crate::measures::{naive_can_clear_a_row, naive_features, naive_high_stack, naive_spawn_is_free};

#[test]
fn features_agree_with_their_naive_twins_on_ten_thousand_boards() {
    let mut dice = Dice::new(10);
    let (mut blocked, mut cut_off, mut deep, mut clean) = (0, 0, 0, 0);
    for _ in 0..10_000 {
        let grid = grid(&mut dice);
        let board = board(&grid, &mut dice);
        let want = naive_features(&grid);
        assert_eq!(Features::of(&board), want, "{board:?}");
        assert_eq!(high_stack(&Packed::of(&board)), naive_high_stack(&grid), "{board:?}");
        assert_eq!(spawn_is_free(&Packed::of(&board)), naive_spawn_is_free(&grid), "{board:?}");
        assert_eq!(can_clear_a_row(&Packed::of(&board)), naive_can_clear_a_row(&grid), "{board:?}");
        blocked += u32::from(!spawn_is_free(&Packed::of(&board)));
        cut_off += u32::from(!can_clear_a_row(&Packed::of(&board)));
        deep += u32::from(want.deep_wells > 0);
        clean += u32::from(want.holes == 0 && want.solid_cells > 0);
    }
    // The boards are of all kinds.
    let counts = [blocked, cut_off, deep, clean];
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

/// From the spawn cell the way leads down column 5, along row 5 and up column 1, where it completes rows 2-5
/// if nothing closes it. Every other row has an empty cell that cannot be reached.
#[test]
fn the_flood_fill_goes_down_sideways_and_up_again() {
    for (row_5, want) in [("#.....####\n", true), ("#..#..####\n", false)] {
        let art = ".####.####\n".repeat(2) + &"#.###.####\n".repeat(3) + row_5 + &"######.###\n".repeat(14);
        let board: Board = art.parse().expect("art parses");
        assert_eq!(can_clear_a_row(&Packed::of(&board)), want, "{board}");
    }
}

#[test]
fn lock_height_is_the_number_of_rows_below_the_lowest_cell() {
    for id in Orientation::ALL {
        for y in 0..20 {
            let lowest = id.cells().iter().map(|&(_, dy)| i32::from(y) + i32::from(dy)).max();
            let Some(lowest @ ..20) = lowest else { continue };
            assert_eq!(lock_height(y, id), (19 - lowest) as u32, "{id:?} in row {y}");
        }
    }
}

/// Those of the plain patterns that look at the surface left of the well as a whole.
fn plain_surface(grid: &Grid, ready: usize, band: usize) -> [(usize, usize); 4] {
    let height = |c: usize| (0..20).find(|&r| grid[r][c]).map_or(0, |r| 20 - r) as i32;
    let pile = (0..10).map(height).max().unwrap_or(0);
    let depth = (0..9).map(height).min().unwrap_or(0) - height(9);
    let holes: i32 = (0..10).map(|c| height(c) - (0..20).filter(|&r| grid[r][c]).count() as i32).sum();
    let [left, middle, right] = [0, 3, 6].map(|from| (from..from + 3).map(height).sum::<i32>());
    let tilt = ((left - right) / 2).clamp(-8, 8) + 8;
    let bulge = ((2 * middle - left - right) / 4).clamp(-8, 8) + 8;
    let steps: Vec<i32> = (0..8).map(|c| height(c + 1) - height(c)).collect();
    let mut sizes: Vec<(i32, usize)> = steps.iter().map(|step| -step.abs()).zip(0..).collect();
    sizes.sort_unstable();
    let place = sizes[0].1;
    let cliff = (place as i32 * 21 + steps[place].clamp(-10, 10) + 10) * 6 + (-sizes[1].0).min(5);
    let above = (pile - height(9) - ready as i32).clamp(0, 12);
    let above = ((above * 13 + depth.clamp(0, 12)) * 5 + ready.min(4) as i32) * 4 + holes.min(3);
    // The bottoms of pieces, as steps from column to column.
    let places = |bottoms: &[&[i32]]| -> usize {
        bottoms.iter().map(|bottom| steps.windows(bottom.len()).filter(|steps| steps == bottom).count()).sum()
    };
    let s = places(&[&[-1], &[0, 1]]).min(2);
    let z = places(&[&[1], &[-1, 0]]).min(2);
    let t = places(&[&[-1], &[1], &[0, 0], &[-1, 1]]).min(2);
    let o = places(&[&[0]]).min(2);
    let l = places(&[&[0], &[-2], &[1, 0]]).min(1);
    let j = places(&[&[0], &[2], &[0, -1]]).min(1);
    let i = places(&[&[0, 0, 0]]).min(1);
    let fits = ((((((s * 3 + z) * 3 + t) * 3 + o) * 2 + l) * 2 + j) * 2 + i) * 5 + ready.min(4);
    [
        (1_156, (tilt * 17 + bulge) as usize * 4 + band),
        (4_032, cliff as usize * 4 + band),
        (3_380, above as usize),
        (12_960, fits * 4 + band),
    ]
}

/// The entries of (table size, index) pairs: each further speed has its own small tables, behind all others.
fn entries(tables: Vec<(usize, usize)>, speed: usize) -> Vec<u32> {
    let own = |size: usize| [273, 420, 3_528, 936, 1_890, 3_780, 12_500, 4_800, 3_072, 3_380].contains(&size);
    let all: usize = tables.iter().map(|table| table.0).sum();
    let all_own: usize = tables.iter().map(|table| table.0).filter(|&size| own(size)).sum();
    let (mut offset, mut offset_own) = (0, all + speed.saturating_sub(1) * all_own);
    let entries = tables.into_iter().map(|(size, index)| {
        let from = if own(size) && speed > 0 { offset_own } else { offset };
        offset += size;
        offset_own += if own(size) { size } else { 0 };
        (from + index) as u32
    });
    entries.collect()
}

/// The patterns of the learned value, written plainly: table sizes as in `ntuple59.md`, and an index for each.
fn plain_indices(grid: &Grid, by_height: bool) -> Vec<(usize, usize)> {
    let top = |c: usize| (0..20).find(|&r| grid[r][c]).unwrap_or(20);
    let height = |c: usize| 20 - top(c);
    let holes = |c: usize| (top(c)..20).filter(|&r| !grid[r][c]).count();
    let cover = |c: usize| if holes(c) == 0 { 0 } else { (top(c)..20).take_while(|&r| grid[r][c]).count() };
    let step = |c: usize| height(c + 1) as i32 - height(c) as i32;
    let code = |from: usize, count: usize, reach: i32| {
        (from..from + count).fold(0, |code, c| {
            code * (2 * reach as usize + 1) + (step(c).clamp(-reach, reach) + reach) as usize
        })
    };
    let all_holes: usize = (0..10).map(holes).sum();
    let pile = (0..10).map(height).max().unwrap_or(0);
    let lowest = (0..9).map(height).min().unwrap_or(0);
    let well = height(9);
    let ready = (0..20 - well).rev().take_while(|&r| grid[r][..9].iter().all(|&solid| solid)).count();
    let band = usize::from(pile > 7) + usize::from(pile > 12);
    let fine = [7, 10, 13].iter().filter(|&&low| pile > low).count();
    let level = if by_height { fine } else { 0 };
    let cells = |from: usize, wide: usize| {
        let top = (from..from + wide).map(top).min().unwrap_or(20);
        (from..from + wide).fold(0, |code, c| {
            (0..4).fold(code * 16, |code, r| code + (usize::from(top + r >= 20 || grid[top + r][c]) << r))
        })
    };
    let mut tables: Vec<(usize, usize)> = Vec::new();
    tables.extend((0..5).map(|c| (3 * 59_049, band * 59_049 + code(c, 5, 4))));
    tables.push((4 * 390_625, level * 390_625 + code(0, 8, 2)));
    tables.extend((0..4).map(|c| (4 * 117_649, level * 117_649 + code(c, 6, 3))));
    tables.extend((0..9).map(|c| (273, height(c) * 13 + code(c, 1, 6))));
    tables.extend((0..10).map(|c| (420, (holes(c).min(3) * 5 + cover(c).min(4)) * 21 + height(c))));
    tables.push((3_528, (pile * 21 + well) * 8 + all_holes.min(7)));
    tables.push((936, (ready.min(8) * 13 + lowest.saturating_sub(well).min(12)) * 8 + all_holes.min(7)));
    tables.extend((0..8).map(|c| (4_096, cells(c, 3))));
    tables.extend((0..7).map(|c| (65_536, cells(c, 4))));
    let mean = (0..9).map(height).sum::<usize>() / 9;
    tables.push((1_890, (mean * 10 + all_holes.min(9)) * 9 + ready.min(8)));
    let left = height(0);
    let ready_left = (0..20 - left).rev().take_while(|&r| grid[r][1..].iter().all(|&solid| solid)).count();
    let depth_left = (1..10).map(height).min().unwrap_or(0).saturating_sub(left);
    tables.push((936, (ready_left.min(8) * 13 + depth_left.min(12)) * 8 + all_holes.min(7)));
    tables.push((3_780, ((pile * 9 + ready.min(8)) * 5 + ready_left.min(4)) * 4 + all_holes.min(3)));
    let wanted = (1..=5).fold(0, |code, above| {
        let cells =
            (well + above <= 20).then(|| grid[20 - well - above][..9].iter().filter(|&&cell| !cell).count());
        code * 5 + cells.unwrap_or(9).min(4)
    });
    tables.push((12_500, wanted * 4 + fine));
    let hole = (0..10).filter(|&c| holes(c) > 0).map(|c| (height(c) - cover(c), cover(c))).max();
    let (at, above) = hole.unwrap_or((0, 0));
    let buried = if at == 0 { 0 } else { (pile - at).min(7) };
    tables.push((4_800, ((at * 6 + above.min(5)) * 8 + buried) * 5 + all_holes.min(4)));
    let beside = (code(4, 4, 3) * 6 + height(8).saturating_sub(well).min(5)) * 5 + ready.min(4);
    tables.push((72_030, beside));
    let steps: Vec<i32> = (0..8).map(step).collect();
    let count = |wanted: i32| steps.iter().filter(|&&step| step == wanted).count();
    let threes = (0..7).filter(|&c| steps[c] == 0 && steps[c + 1] == 0).count();
    let wall = |c: Option<usize>| c.filter(|&c| c < 9).map_or(99, height);
    let dents =
        (0..9usize).filter(|&c| wall(c.checked_sub(1)).min(wall(Some(c + 1))) >= height(c) + 3).count();
    let room = (count(0).min(4) * 4 + count(1).min(3)) * 4 + count(-1).min(3);
    let room = ((room * 4 + threes.min(3)) * 4 + dents.min(3)) * 5 + ready.min(4);
    tables.push((25_600, room * 4 + fine));
    let roughness = steps.iter().map(|step| step.unsigned_abs() as usize).sum::<usize>();
    let room_below = (0..9).map(|c| pile - height(c)).sum::<usize>();
    tables.push((3_072, (roughness.min(23) * 32 + room_below.min(31)) * 4 + all_holes.min(3)));
    let even = (0..9).filter(|&c| height(c) % 2 == c % 2).count();
    let cells = grid.iter().flatten().filter(|&&cell| cell).count();
    let parity = (400, ((even * 2 + cells / 2 % 2) * 5 + ready.min(4)) * 4 + fine);
    tables.push(parity);
    tables.extend(plain_surface(grid, ready, fine));
    tables
}

/// The 31 patterns that the plateau's weights know beyond those of the others, written plainly.
fn plain_plateau(grid: &Grid) -> Vec<(usize, usize)> {
    let top = |c: usize| (0..20).find(|&r| grid[r][c]).unwrap_or(20);
    let height = |c: usize| 20 - top(c);
    let empty = |r: usize, columns: std::ops::Range<usize>| columns.filter(|&c| !grid[r][c]).count();
    let steps = |from: usize, count: usize, reach: i32| {
        (from..from + count).fold(0, |code, c| {
            let step = height(c + 1) as i32 - height(c) as i32;
            code * (2 * reach as usize + 1) + (step.clamp(-reach, reach) + reach) as usize
        })
    };
    let heights = |columns: std::ops::Range<usize>| columns.fold(0, |code, c| code * 21 + height(c));
    let cells = |from: usize, wide: usize, rows: usize| {
        let top = (from..from + wide).map(top).min().unwrap_or(20);
        (from..from + wide).fold(0, |code, c| {
            (0..rows)
                .fold(code << rows, |code, r| code + (usize::from(top + r >= 20 || grid[top + r][c]) << r))
        })
    };
    // The highest empty cell under a solid one in each column.
    let hole = |c: usize| (top(c)..20).find(|&r| !grid[r][c]);
    let holes: usize = (0..10).map(|c| (top(c)..20).filter(|&r| !grid[r][c]).count()).sum();
    let pile = (0..10).map(height).max().unwrap_or(0);
    let depth = (0..9).map(height).min().unwrap_or(0).saturating_sub(height(9));
    let ready = (0..top(9)).rev().take_while(|&r| empty(r, 0..9) == 0).count();
    let fine = [7, 10, 13].iter().filter(|&&low| pile > low).count();
    let mode = match holes {
        0 => [0, 1, 1, 2, 3][ready.min(4)],
        1 => 4 + ready.min(1),
        2 | 3 => 6,
        _ => 7,
    };
    let mut tables: Vec<(usize, usize)> = Vec::new();
    tables.extend((0..5).map(|c| (8 * 59_049, mode * 59_049 + steps(c, 5, 4))));
    tables.extend((0..8).map(|c| (3 * 9_261, holes.min(2) * 9_261 + heights(c..c + 3))));
    tables.extend((0..8).map(|c| (1 << 15, cells(c, 3, 5))));
    tables.extend((0..6).map(|c| (1 << 15, cells(c, 5, 3))));
    tables.push((131_220, (fine * 5 + ready.min(4)) * 6_561 + steps(0, 8, 1)));
    tables.push((4_032, ((pile * 8 + depth.min(7)) * 6 + ready.min(5)) * 4 + holes.min(3)));
    tables.push((194_481, heights(6..10)));
    // Of several highest holes the leftmost is meant, but the cover is the greatest.
    let row = (0..10).filter_map(hole).min();
    let column = row.map_or(10, |row| (0..10).find(|&c| hole(c) == Some(row)).expect("it is there"));
    let cover = row.map_or(0, |row| {
        let covers = (0..10).filter(|&c| hole(c) == Some(row)).map(|c| row - top(c));
        covers.max().expect("it is there")
    });
    let missing = row.map_or(0, |row| {
        (1..=3).fold(0, |code, up| code * 5 + row.checked_sub(up).map_or(4, |row| empty(row, 0..9).min(4)))
    });
    tables.push((24_750, ((column * 6 + cover.min(5)) * 3 + ready.min(2)) * 125 + missing));
    tables
}

#[test]
fn the_learned_patterns_are_those_of_the_plain_definition_on_10000_boards() {
    let mut dice = Dice::new(11);
    for turn in 0..10_000 {
        let grid = if turn % 3 == 0 { noise(&mut dice, turn % 20, 70) } else { stack(&mut dice, 18) };
        let board = board(&grid, &mut dice);
        let by_height = turn % 4 != 0;
        let speed = turn % 3;
        let (shape, plain) = (Shape::of(&board), plain_indices(&grid, by_height));
        let sorted = |mut entries: Vec<u32>| {
            entries.sort_unstable();
            entries
        };
        let found = indices(&shape, by_height, speed).to_vec();
        assert_eq!(sorted(found), sorted(entries(plain.clone(), speed)), "{board}");
        let found = Ntuple90::indices(&shape, by_height, 0).to_vec();
        assert_eq!(sorted(found), sorted(entries([plain, plain_plateau(&grid)].concat(), 0)), "{board}");
    }
}

#[test]
fn a_shape_with_a_piece_is_the_shape_of_the_board_with_it() {
    let mut dice = Dice::new(12);
    let mut reachable = Vec::new();
    for turn in 0..2_000 {
        let grid = stack(&mut dice, 16);
        let board = board(&grid, &mut dice);
        let start = Start::spawn(Piece::ALL[turn % 7], 19);
        placements(&board, &start, Limits::EACH_BUTTON, &mut reachable);
        let shape = Shape::of(&board);
        for &placement in &reachable {
            let mut after = board;
            if after.lock(placement.x, placement.y, placement.orientation) == 0 {
                assert_eq!(shape.with(placement), Shape::of(&after), "{board}{placement:?}");
            }
        }
    }
}
