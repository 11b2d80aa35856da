//! Keeps the embedded networks that are in use: [`network`].

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::embedded::{EMBEDDED_PLATEAU, TABLES, nearest, plateau, speed_files, taps_network};
use super::file::{decode_later, decode_mean_later, decode_speed_later};
use crate::eval::ntuple::Network;
use crate::limits::{Limits, Sight};
use maxout_rules::{DOUBLE_KILLSCREEN, FallRule};
use maxout_weights_seen::SpeedFile;

/// One level for each speed of fall, and whether it is played with the double killscreen.
const LEVELS: [u8; 4] = [18, 19, 29, DOUBLE_KILLSCREEN];
/// The number of networks that are kept although nobody uses them: those asked for last.
const KEPT: usize = 4;

/// What distinguishes an embedded network from the others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Key {
    /// The index of its tap speed in [`TABLES`].
    taps: usize,
    /// When the next piece is seen, at each of [`LEVELS`]. `None` means that the network has no tables for single speeds.
    sights: Option<[Sight; LEVELS.len()]>,
    /// Whether it has a network for levels 19 to 28.
    plateau: bool,
}

impl Key {
    /// The key of the network for these limits.
    fn of(limits: Limits) -> Self {
        let sights = LEVELS.map(|level| limits.sight(level, FallRule::DoubleKillscreen));
        Self { taps: nearest(limits.presses), sights: Some(sights), plateau: limits.have_plateau() }
    }
}

/// A key with its network, which may still be in the making.
type Entry = (Key, Arc<OnceLock<Arc<Network>>>);

/// Returns the embedded network for these limits. It is kept while anyone uses it, and after that until [`KEPT`] other
/// idle networks have been asked for.
pub fn network(limits: Limits) -> Arc<Network> {
    kept(Key::of(limits))
}

/// Returns the files that [`network`] makes the network for these limits from, except the file of the large tables. The file of the
/// network for levels 19 to 28 is among them only if it is in use, although some other tables are stored as differences from it: players whose games are
/// kept are recognised by these files.
pub fn files(limits: Limits) -> Vec<&'static [u8]> {
    let Key { taps, sights, plateau } = Key::of(limits);
    let mut files = vec![TABLES[taps].1];
    for (level, sight) in LEVELS.into_iter().zip(sights.into_iter().flatten()) {
        match Alone::of(taps, level, sight) {
            Alone::Nothing => {}
            Alone::File(file) => files.push(file),
            Alone::Mean { blind, seen } => files.extend([Some(blind), seen].into_iter().flatten()),
        }
    }
    files.extend(plateau.then_some(EMBEDDED_PLATEAU));
    files
}

/// The tables that one speed of fall has for itself.
enum Alone {
    /// None: it shares the large tables.
    Nothing,
    /// Those of a file.
    File(&'static [u8]),
    /// The mean of blind and seen ones. If there is no file of seen ones, they share the large tables.
    Mean { blind: &'static [u8], seen: Option<&'static [u8]> },
}

impl Alone {
    /// Those for the speed of fall at this level, at the tap speed with this index, if the next piece is seen then.
    fn of(taps: usize, level: u8, sight: Sight) -> Self {
        let file = |blind| {
            let of = |of: &&SpeedFile| of.taps == TABLES[taps].0 && of.level == level && of.blind == blind;
            speed_files().find(of).map(|of| of.file)
        };
        match (sight, file(true)) {
            (Sight::TooLate, Some(blind)) => Self::File(blind),
            (Sight::TooLate, None) => Self::Nothing,
            (Sight::Late, Some(blind)) => Self::Mean { blind, seen: file(false) },
            (Sight::InTime, _) | (Sight::Late, None) => file(false).map_or(Self::Nothing, Self::File),
        }
    }
}

/// Returns the network for this key, making it if it is not kept.
fn kept(key: Key) -> Arc<Network> {
    static NETWORKS: Mutex<Vec<Entry>> = Mutex::new(Vec::new());
    let entry = {
        let mut networks = NETWORKS.lock().unwrap_or_else(PoisonError::into_inner);
        let known = networks.iter().position(|(known, _)| *known == key);
        let entry = known.map_or_else(|| (key, Arc::default()), |at| networks.remove(at));
        networks.insert(0, entry.clone());
        let mut idle = 0;
        networks.retain(|(_, network)| {
            let in_use = is_in_use(network);
            idle += usize::from(!in_use);
            in_use || idle <= KEPT
        });
        entry.1
    };
    // Outside the lock: whoever wants another network need not wait for this one.
    Arc::clone(entry.get_or_init(|| Arc::new(make(key))))
}

/// Whether anyone holds this network or is waiting for it.
fn is_in_use(network: &Arc<OnceLock<Arc<Network>>>) -> bool {
    Arc::strong_count(network) > 1 || network.get().is_some_and(|network| Arc::strong_count(network) > 1)
}

/// Makes a network from the embedded files.
fn make(key: Key) -> Network {
    let Some(sights) = key.sights else { return taps_network(key.taps) };
    let base = Network::clone(&kept(Key { sights: None, plateau: false, ..key }));
    let with = |network: Network, file: &'static [u8]| {
        decode_speed_later(network, file, plateau).expect("the embedded tables are whole")
    };
    let mut network = base.clone();
    for (level, sight) in LEVELS.into_iter().zip(sights) {
        network = match Alone::of(key.taps, level, sight) {
            Alone::Nothing => network,
            Alone::File(file) => with(network, file),
            Alone::Mean { blind, seen } => {
                let seen = seen.map_or_else(|| base.clone(), |file| with(base.clone(), file));
                let speed = seen.speed(level, FallRule::DoubleKillscreen);
                decode_mean_later(network, blind, (seen, speed), plateau)
                    .expect("the embedded tables are whole")
            }
        };
    }
    if key.plateau {
        let later = decode_later(EMBEDDED_PLATEAU, plateau);
        network = network.with_plateau(Arc::new(later.expect("the embedded network is whole")));
    }
    network
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Shape;
    use crate::limits::{Reaction, TapTable};
    use maxout_rules::{Board, Piece};

    #[test]
    fn a_late_next_piece_gives_the_mean_of_seen_and_blind_values() {
        let board: Board = "##.#######\n#########.\n".repeat(3).parse().expect("art parses");
        let shape = Shape::of(&board);
        let taps = Limits::taps(TapTable::HZ_12);
        // Late up to level 18, too late at levels 19 to 28.
        let late = network(taps.with_reaction(Reaction::Frames(30)));
        let (seen, blind) = (network(taps), network(taps.with_reaction(Reaction::NextPiece)));
        let value = |network: &Network, level, piece| network.expected(&shape, level, piece);
        for piece in Piece::ALL {
            let mean = value(&seen, 18, piece).midpoint(value(&blind, 18, piece));
            // Each of the 90 entries is rounded by up to half a unit.
            let difference = (value(&late, 18, piece) - mean).abs();
            assert!(difference < 90.0 / 1024.0, "{piece} {difference}");
            assert!((value(&seen, 18, piece) - value(&blind, 18, piece)).abs() > 0.1, "{piece}");
            assert_eq!(value(&late, 19, piece).to_bits(), value(&blind, 19, piece).to_bits());
        }
        assert_eq!(late.deaths()[1].to_bits(), seen.deaths()[1].midpoint(blind.deaths()[1]).to_bits());
    }

    #[test]
    fn asking_again_returns_the_same_network() {
        let limits = Limits::taps(TapTable::HZ_15);
        let first = network(limits);
        assert!(Arc::ptr_eq(&first, &network(limits)));
        // So short a delay makes no difference.
        assert!(Arc::ptr_eq(&first, &network(limits.with_reaction(Reaction::Frames(5)))));
        assert!(!Arc::ptr_eq(&first, &network(limits.with_reaction(Reaction::Frames(24)))));
    }
}
