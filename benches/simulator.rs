//! Frames of the rules with the buttons of whole games, and games without frames; see README.md here.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use maxout_engine::eval::weights;
use maxout_host::{Host, Model};
use maxout_lab::bench::speed::{logs, one_ply_game};
use maxout_rules::Game;
use maxout_rules::input::Buttons;

fn frames(logs: &[(Game, Vec<Buttons>)]) -> u64 {
    logs.iter().map(|(_, log)| log.len() as u64).sum()
}

fn rules(criterion: &mut Criterion) {
    let logs = logs().expect("the games are played");
    let mut group = criterion.benchmark_group("whole games");
    group.throughput(Throughput::Elements(frames(&logs)));
    group.bench_function("rules alone", |bencher| {
        bencher.iter(|| {
            for (start, log) in &logs {
                let mut game = black_box(*start);
                for &buttons in log {
                    game.step(buttons);
                }
                black_box(&game);
            }
        });
    });
    group.bench_function("rules and a snapshot of each frame", |bencher| {
        bencher.iter(|| {
            for (start, log) in &logs {
                let mut model = Model::new(black_box(*start));
                for &buttons in log {
                    model.step(buttons).expect("the model does not fail");
                    black_box(&model.snapshot());
                }
            }
        });
    });
    group.finish();
}

fn one_ply(criterion: &mut Criterion) {
    let network = weights::embedded_common();
    let pieces: u64 = (0..10).map(|seed| one_ply_game(&network, 60_000 + seed)).sum();
    let mut group = criterion.benchmark_group("one-ply games");
    group.sample_size(10).throughput(Throughput::Elements(pieces));
    group.bench_function("ten games", |bencher| {
        bencher.iter(|| (0..10).map(|seed| one_ply_game(&network, black_box(60_000 + seed))).sum::<u64>());
    });
    group.finish();
}

criterion_group!(benches, rules, one_ply);
criterion_main!(benches);
