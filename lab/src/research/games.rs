//! Many games at once: [`in_order`], and one by a hand that misses: [`missed`].

use std::num::NonZero;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use maxout_engine::player::Mind;
use maxout_host::Model;
use maxout_host::hand::{Hand, MisdropRate};
use maxout_host::review::{PlayedGame, of_timeline};
use maxout_host::session::Session;
use maxout_record::timeline::Timeline;
use maxout_rules::{Region, Seed, Stop};

/// Plays the game of a seed on the model with a hand that misses this often. Returns its placements.
///
/// # Panics
///
/// If the game comes to no end.
pub fn missed(mind: &mut Mind, seed: u64, (level, stop): (u8, Stop), rate: MisdropRate) -> PlayedGame {
    let of_seed = Seed::new(seed);
    let start = of_seed.start(level);
    let mut host = Model::new(start);
    let mut buttons = Vec::new();
    let session = Session::new(&host, mind, of_seed.opening(), stop).with_hand(Hand::new(rate, seed));
    let watch = &mut |_: &Model, _: &_, held| {
        buttons.push(held);
        true
    };
    session.play(&mut host, watch).expect("a game");
    let (timeline, _) = Timeline::film(start, &buttons);
    of_timeline(&timeline, Region::Ntsc)
}

/// Does `work` for 0, 1, … `count` − 1 on one thread per available core, each with a player of its own from `player`. Returns the
/// results in this order.
pub fn in_order<P, T: Send>(
    count: u64,
    player: impl Fn() -> P + Sync,
    work: impl Fn(&mut P, u64) -> T + Sync,
) -> Vec<T> {
    let next = AtomicU64::new(0);
    let toil = || {
        let (mut player, mut done) = (player(), Vec::new());
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            if index >= count {
                return done;
            }
            done.push((index, work(&mut player, index)));
        }
    };
    let cores = thread::available_parallelism().map_or(1, NonZero::get);
    let mut all = thread::scope(|scope| {
        let threads: Vec<_> = (0..cores).map(|_| scope.spawn(toil)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)))
            .collect::<Vec<_>>()
    });
    all.sort_by_key(|&(index, _)| index);
    all.into_iter().map(|(_, result)| result).collect()
}
