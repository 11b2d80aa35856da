//! Placements per search and time per search on the boards of tests/data/boards.txt; see README.md here.

use std::fs;
use std::hint::black_box;
use std::path::Path;

use criterion::{Criterion, criterion_group, criterion_main};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_rules::{Board, FallRule, Piece};

fn boards() -> Vec<Board> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/data/boards.txt");
    let text = fs::read_to_string(path).expect("boards are there");
    let drawn: String = text.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join("\n");
    drawn.split("\n\n").map(|art| art.parse().expect("board parses")).collect()
}

fn search(criterion: &mut Criterion) {
    let boards = boards();
    let searches = boards.len() * Piece::ALL.len();
    let mut out = Vec::new();
    for level in [18, 19, 29, 0] {
        let mut found = 0;
        for board in &boards {
            for piece in Piece::ALL {
                placements(board, &Start::spawn(piece, level), Limits::EACH_BUTTON, &mut out);
                found += out.len();
            }
        }
        let mean = found as f64 / searches as f64;
        println!("level {level}: {mean:.2} placements per search, {searches} searches per iteration");
        criterion.bench_function(&format!("all boards, level {level}"), |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    for piece in Piece::ALL {
                        let start = Start::spawn(piece, level);
                        placements(black_box(board), &start, Limits::EACH_BUTTON, &mut out);
                        black_box(&out);
                    }
                }
            });
        });
        criterion.bench_function(&format!("all boards, level {level}, place and clear"), |bencher| {
            bencher.iter(|| {
                for board in &boards {
                    for piece in Piece::ALL {
                        let start = Start::spawn(piece, level);
                        placements(black_box(board), &start, Limits::EACH_BUTTON, &mut out);
                        for placement in &out {
                            let mut after = *board;
                            after.lock(placement.x, placement.y, placement.orientation);
                            black_box(&after);
                        }
                    }
                }
            });
        });
    }
}

/// Searches under tap tables, beside those without one. Level 39 is the double killscreen.
fn taps(criterion: &mut Criterion) {
    let boards = boards();
    let searches = boards.len() * Piece::ALL.len();
    let mut out = Vec::new();
    let tables = ["30hz", "0,2,5", "20hz", "15hz", "12hz", "10hz", "slow5"];
    let mut rules: Vec<_> =
        tables.iter().map(|text| (*text, Limits::taps(text.parse().expect("a table")))).collect();
    rules.insert(0, ("every button every second frame", Limits::EACH_BUTTON));
    for level in [18, 19, 29, 39] {
        let start = |piece| Start::spawn(piece, level).by(FallRule::DoubleKillscreen);
        for &(name, rule) in &rules {
            let mut found = 0;
            for (board, piece) in boards.iter().flat_map(|board| Piece::ALL.map(|piece| (board, piece))) {
                placements(board, &start(piece), rule, &mut out);
                found += out.len();
            }
            let mean = found as f64 / searches as f64;
            println!(
                "level {level}, {name}: {mean:.2} placements per search, {searches} searches per iteration"
            );
            criterion.bench_function(&format!("all boards, level {level}, {name}"), |bencher| {
                bencher.iter(|| {
                    for (board, piece) in
                        boards.iter().flat_map(|board| Piece::ALL.map(|piece| (board, piece)))
                    {
                        placements(black_box(board), &start(piece), rule, &mut out);
                        black_box(&out);
                    }
                });
            });
        }
    }
}

criterion_group! {
    name = benches;
    config = Criterion::default().sample_size(20);
    targets = search, taps
}
criterion_main!(benches);
