//! Runs a learning from search ([`super::td::improve`]) in chunks: after each the search plays by what was learned so far, and
//! `weights.bin` is the mean of the tables after the last chunks.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::error::TrainError;
use super::td::{Improvement, Tables, TrainingProgress, improve};
use super::training::Chunk;
use crate::files;
use maxout_engine::eval::ntuple::Network;
use maxout_engine::eval::weights;
use maxout_host::pool;

/// How long to learn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Course {
    /// Chunks.
    pub chunks: u64,
    /// Pieces of a chunk, over all threads.
    pub pieces: u64,
    /// The last so many chunks are averaged.
    pub averaged: u64,
    /// Seed of all random numbers.
    pub seed: u64,
}

/// Learns on from `network`; `report` hears of each chunk. True if the course was finished.
pub fn run(
    network: Network,
    how: &Improvement,
    course: &Course,
    folder: &Path,
    jobs: usize,
    interrupt: &AtomicBool,
    report: &mut dyn FnMut(Chunk),
) -> Result<bool, TrainError> {
    let tables = Tables::of(&network, 0.3);
    let mut mean: Option<(Vec<f32>, u64)> = None;
    let mut network = Arc::new(network);
    for done in 0..course.chunks {
        let progress = TrainingProgress::default();
        let begun = Instant::now();
        let jobs = jobs as u64;
        pool::share(0..jobs, |job| {
            let seed = course.seed ^ (done << 16 | job).wrapping_add(1).wrapping_mul(0xD134_2543_DE82_EF95);
            improve(&tables, &network, how, seed, course.pieces / jobs, &progress, interrupt);
        });
        if interrupt.load(Ordering::Relaxed) {
            return Ok(false);
        }
        network = Arc::new(tables.network(true));
        if done + course.averaged >= course.chunks {
            let (sum, count) = mean.get_or_insert_with(|| (vec![0.0; Tables::WEIGHTS], 0));
            sum.iter_mut().zip(tables.weights()).for_each(|(sum, weight)| *sum += weight);
            *count += 1;
        }
        let averaged = mean.as_ref().map(|(sum, count)| {
            let weights: Vec<f32> = sum.iter().map(|sum| sum / *count as f32).collect();
            tables.network_of(&weights, true)
        });
        let told = format!("learned from search: {} chunks of {} pieces", done + 1, course.pieces);
        let file = folder.join("weights.bin");
        let written = weights::encode(averaged.as_ref().unwrap_or(&network), &told)
            .and_then(|bytes| files::write(&file, &bytes));
        written.map_err(|source| TrainError::Io { path: file, source })?;
        let count = |counter: &std::sync::atomic::AtomicU64| counter.load(Ordering::Relaxed) as f64;
        let speed = count(&progress.pieces) / begun.elapsed().as_secs_f64();
        let tetris_rate = count(&progress.tetris_lines) / count(&progress.lines).max(1.0);
        let row = format!(
            "{},{:.0},{:.4},{:.0}\n",
            done + 1,
            begun.elapsed().as_secs_f64(),
            tetris_rate,
            count(&progress.deaths)
        );
        let curve = folder.join("curve.csv");
        let before = std::fs::read_to_string(&curve).unwrap_or_default();
        files::write(&curve, (before + &row).as_bytes())
            .map_err(|source| TrainError::Io { path: curve, source })?;
        report(Chunk { done: done + 1, tetris_rate, speed });
    }
    Ok(true)
}
