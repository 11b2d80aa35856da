//! Write a player, and compare it with one of ours: each plays 100 games on the model.
//!
//! `cargo run --release -p maxout-host --example own_player`

use maxout_rules::Placement;
use std::sync::atomic::AtomicBool;

use maxout_engine::Position;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Reach, placements};
use maxout_engine::player::{Entry, Plan, Player};
use maxout_gallery::find;
use maxout_host::batch::{Batch, BatchError, sim};

const LIMITS: Limits = Limits::EACH_BUTTON;

/// A player that keeps the board low, even and without holes. It ignores the next piece.
#[derive(Default)]
struct Tidy {
    reachable: Vec<Placement>,
}

impl Player for Tidy {
    fn plan(&mut self, seen: &Position) -> Option<Plan> {
        placements(&seen.board, &seen.start, LIMITS, &mut self.reachable);
        let best = self.reachable.iter().copied().min_by_key(|placement| {
            let mut after = seen.board;
            after.lock(placement.x, placement.y, placement.orientation);
            let tops = after.tops().map(|top| 20 - i32::from(top));
            let holes = tops.iter().sum::<i32>() - after.cells() as i32;
            let steps: i32 = tops.windows(2).map(|pair| (pair[0] - pair[1]).abs()).sum();
            8 * holes + 2 * steps + tops.iter().max().unwrap_or(&0)
        })?;
        let path = Reach::new(&seen.board, &seen.start, LIMITS)?.path(best)?;
        Plan::along(seen, best, &path, true)
    }
}

fn main() -> Result<(), BatchError> {
    let tidy = Entry::fair("tidy", LIMITS, |_| Tidy::default());
    let plateau17 = find("plateau17").expect("a registered player").clone();
    for player in [tidy, plateau17] {
        let batch = Batch { first_seed: 60_000, ..Batch::new(player, 100) };
        let (mut points, mut reached) = (Vec::new(), 0);
        sim(&batch, 2, &AtomicBool::new(false), &mut |game| {
            points.push(game.outcome.result.line_points as f64);
            reached += u32::from(game.outcome.result.reached_stop);
            Ok(())
        })?;
        let n = points.len() as f64;
        let mean = points.iter().sum::<f64>() / n;
        let variance = points.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
        println!(
            "{:<10} {mean:9.0} ± {:.0} points, {reached} reach level 29",
            batch.player.name,
            (variance / n).sqrt()
        );
    }
    Ok(())
}
