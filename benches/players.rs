//! Evaluations of a stack, and decisions of every fair player; see README.md here.

use std::hint::black_box;

use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};
use maxout_engine::Position;
use maxout_engine::eval::{Features, Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::player::Mind;
use maxout_engine::search::{Foresight, TwoPiece};
use maxout_gallery::eval::{LockTrail, Meatfighter};
use maxout_gallery::players;
use maxout_lab::bench::known_boards;
use maxout_rules::{Board, Piece, Progress, Stop};

fn evaluations(criterion: &mut Criterion) {
    let boards = known_boards();
    let shapes: Vec<Shape> = boards.iter().map(Shape::of).collect();
    let network = weights::embedded_common();
    let mut group = criterion.benchmark_group("evaluations");
    group.throughput(Throughput::Elements(boards.len() as u64));
    let mut each = |name: &str, evaluate: &mut dyn FnMut(usize, &Board)| {
        group.bench_function(name, |bencher| {
            bencher.iter(|| boards.iter().enumerate().for_each(|(i, board)| evaluate(i, black_box(board))));
        });
    };
    each("features", &mut |_, board| {
        black_box(Features::of(board));
    });
    each("2018", &mut |_, board| {
        black_box(Meatfighter::PUBLISHED.score(board, LockTrail::default()));
    });
    each("shape", &mut |_, board| {
        black_box(Shape::of(board));
    });
    each("learned", &mut |i, _| {
        black_box(network.values(black_box(&shapes[i]), 19));
    });
    group.finish();
}

/// The first boards up to ten rows high, each with two pieces.
fn positions(count: usize) -> Vec<Position> {
    let low = |board: &Board| board.visible()[..10].iter().all(|&row| row == 0);
    let pieces = |i: usize| (Piece::ALL[i % 7], Piece::ALL[(i / 7 + i) % 7]);
    let position = |(i, board): (usize, Board)| {
        let (piece, next) = pieces(i);
        Position::spawn(board, piece, Some(next), Progress::at(60, 19))
    };
    known_boards().into_iter().filter(low).enumerate().map(position).take(count).collect()
}

fn decisions(criterion: &mut Criterion) {
    let positions = positions(24);
    let mut group = criterion.benchmark_group("decisions");
    group.sample_size(10).throughput(Throughput::Elements(positions.len() as u64));
    for entry in players().iter().filter(|entry| entry.capabilities().is_fair) {
        // A fresh player each time: what one remembers of the same positions would be no measure.
        let fresh = || match entry.make(Foresight::DEFAULT, Stop::Level29) {
            Mind::Fair(player) => player,
            Mind::Clairvoyant(_) => unreachable!("only fair players are here"),
        };
        group.bench_function(&*entry.name, |bencher| {
            bencher.iter_batched(
                fresh,
                |mut player| positions.iter().for_each(|seen| drop(black_box(player.plan(seen)))),
                BatchSize::PerIteration,
            );
        });
    }
    let mut search = TwoPiece::new(Meatfighter::PUBLISHED, Limits::EACH_BUTTON);
    group.bench_function("two-piece search without a plan", |bencher| {
        bencher.iter(|| {
            for position in &positions {
                black_box(search.best(position));
            }
        });
    });
    group.finish();
}

criterion_group!(benches, evaluations, decisions);
criterion_main!(benches);
