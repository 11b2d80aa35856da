//! The embedded networks that are in use: [`network`].

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::file::{decode_mean_later, decode_speed_later};
use super::{SpeedFile, TABLES, decode_as, embedded_plateau, nearest, speed_files, taps_network};
use crate::eval::ntuple::Network;
use crate::limits::{Limits, Sight};

/// The speeds of fall, by a level that has each.
const LEVELS: [(u8, bool); 4] = [(18, false), (19, false), (29, false), (39, true)];
/// Networks that are kept although nobody plays with them.
const KEPT: usize = 4;

/// What distinguishes an embedded network from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    /// The number of its tap speed among [`TABLES`].
    taps: usize,
    /// Whether the next piece is seen in time, at each of [`LEVELS`]. Without it there are no tables of single speeds.
    sights: Option<[Sight; LEVELS.len()]>,
    /// Whether it has a network for levels 19 to 28.
    plateau: bool,
}

type Entry = (Key, Arc<OnceLock<Arc<Network>>>);

/// Returns the embedded network for these limits. Those that were asked for last are kept.
pub fn network(limits: Limits) -> Arc<Network> {
    let sights = LEVELS.map(|(level, double)| limits.sight(level, double));
    kept(Key { taps: nearest(limits.presses), sights: Some(sights), plateau: limits.have_plateau() })
}

fn kept(key: Key) -> Arc<Network> {
    static NETWORKS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
    let entry = {
        let mut networks = NETWORKS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = networks.iter().position(|(known, _)| *known == key);
        let entry = known.map_or_else(|| (key, Arc::default()), |at| networks.remove(at));
        networks.insert(0, entry.clone());
        networks.truncate(KEPT);
        entry.1
    };
    // Outside the lock: whoever wants another network need not wait for this one.
    Arc::clone(entry.get_or_init(|| Arc::new(make(key))))
}

fn make(key: Key) -> Network {
    let Some(sights) = key.sights else { return taps_network(key.taps) };
    let base = Network::clone(&kept(Key { sights: None, plateau: false, ..key }));
    let file = |level, blind| {
        let of = |of: &&SpeedFile| of.taps == TABLES[key.taps].0 && of.level == level && of.blind == blind;
        speed_files().find(of).map(|of| of.file)
    };
    let with = |network: Network, file: Option<&'static [u8]>| match file {
        Some(file) => decode_speed_later(network, file).expect("the embedded tables are whole"),
        None => network,
    };
    let mut network = base.clone();
    for ((level, double), sight) in LEVELS.into_iter().zip(sights) {
        network = match (sight, file(level, true)) {
            (Sight::TooLate, blind) => with(network, blind),
            (Sight::Late, Some(blind)) => {
                let seen = with(base.clone(), file(level, false));
                let speed = seen.speed(level, double);
                decode_mean_later(network, blind, (seen, speed)).expect("the embedded tables are whole")
            }
            (Sight::InTime, _) | (Sight::Late, None) => with(network, file(level, false)),
        };
    }
    if key.plateau {
        let plateau = decode_as(&embedded_plateau()).expect("the embedded network is whole");
        network = network.with_plateau(Arc::new(plateau));
    }
    network
}
