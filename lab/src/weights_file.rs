//! Networks as weights files, which [`weights`](maxout_engine::eval::weights) reads: [`encode`], [`encode_plateau`], [`encode_taps`] and
//! [`encode_speed`]. [`identity`] and [`training`] say which file it is and how it was made.

use std::io::{self, ErrorKind};
use std::ops::Range;

use maxout_engine::eval::ntuple::{
    BASE_SPEEDS, DEATH, LANES, MOST_SPEEDS, Network, NetworkOf, Ntuple59, Plateau, SPEEDS, TableList, parent,
};
use maxout_engine::eval::weights::{checksum, pack, same_tables};

/// A difference of a band of height, or of a speed, from the first that the weights file does not keep, in the tables' unit: worth 141
/// points at level 19. Without this the file would pass its 16 MB.
const NOISE: u16 = 3;
/// The same for the tables that one speed of fall has for itself: a short training changes many entries by little.
const NOISE_ALONE: u16 = 1;

/// The least that a lost game may be worth, in tetrises: what fixed point can say.
const WORST: f32 = -64.0;
/// Most bytes of a header that say how the weights were made: readers look at 2,000, and all other lines take less than 600.
const MOST_TRAINING: usize = 1_400;
/// The line of a header whose tables are [packed](pack).
const PACKING: &str = "packing sparse\n";

/// The file of `network`, but for differences between bands of max height that are too small to matter; `training`
/// says in one line how it was made. What the reader would refuse is an error.
pub fn encode<L: TableList>(network: &NetworkOf<L>, training: &str) -> io::Result<Vec<u8>> {
    encode_onto(network, &[], "", training)
}

/// As [`encode`], but the tables that `base` has, too, are stored as differences from those. `base` is made from `file`.
pub fn encode_plateau(plateau: &Plateau, base: &Network, file: &[u8], training: &str) -> io::Result<Vec<u8>> {
    let onto = format!("onto {}\n", checksum(file));
    encode_onto(plateau, base.entries().get(..Ntuple59::COMMON).unwrap_or_default(), &onto, training)
}

fn encode_onto<L: TableList>(
    network: &NetworkOf<L>,
    base: &[[i16; LANES]],
    onto: &str,
    training: &str,
) -> io::Result<Vec<u8>> {
    check_deaths(&network.deaths())?;
    // Bands of max height that learned next to nothing of their own are the same as the first, and so with speeds.
    let mut entries = network.entries().to_vec();
    let mut difference = |first: usize, other: usize| {
        let first = entries[first];
        entries[other].iter_mut().zip(first).for_each(|(value, first)| {
            let own = value.wrapping_sub(first);
            *value = if own.unsigned_abs() <= NOISE { 0 } else { own };
        });
    };
    L::spread(&mut difference);
    // From the last one, because a speed's parent comes before it and must still be whole.
    (1..network.speeds()).rev().for_each(|speed| L::spread_to(speed, &mut difference));
    if !base.is_empty() {
        let mut base = base.to_vec();
        base.resize(entries.len(), [0; LANES]);
        L::spread(|first, other| {
            let first = base[first];
            base[other].iter_mut().zip(first).for_each(|(value, first)| *value = value.wrapping_sub(first));
        });
        for (value, base) in entries.iter_mut().flatten().zip(base.iter().flatten()) {
            *value = value.wrapping_sub(*base);
        }
    }
    let body = pack(&entries)?;
    let training = one_line(training);
    let crc = crc_of(&body);
    // A file that says nothing of it means the usual price.
    let deaths = match network.deaths() {
        deaths if deaths.iter().all(|&death| death.to_bits() == DEATH.to_bits()) => String::new(),
        deaths => format!("deaths {}\n", words(deaths)),
    };
    let (features, entries) = (L::NAME, entries.len());
    let header = format!(
        "maxout-weights 4\nfeatures {features}\nentries {entries}\n{PACKING}{onto}{deaths}training {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// Refuses what a lost game cannot be worth.
fn check_deaths(deaths: &[f32]) -> io::Result<()> {
    match deaths.iter().find(|death| !(WORST..=0.0).contains(*death)) {
        Some(death) => {
            Err(refused(format!("a lost game is worth {death}, expected a number from {WORST} to 0")))
        }
        None => Ok(()),
    }
}

/// The error of what no file can hold.
fn refused(message: String) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, message)
}

/// Returns what a lost game is worth at each speed, as a line of numbers.
fn words(deaths: [f32; MOST_SPEEDS]) -> String {
    deaths.map(|death| death.to_string()).join(" ")
}

/// Returns a text as one line, of which what exceeds [`MOST_TRAINING`] is left out.
fn one_line(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.truncate((0..=MOST_TRAINING).rfind(|&end| line.is_char_boundary(end)).unwrap_or(0));
    line
}

/// Returns a file of the tables that `network` has for each [speed](maxout_engine::eval::ntuple::speed) but the first. They are
/// stored as differences from the tables that `base` uses at that speed; differences that are too small to matter are
/// left out. What a lost game is worth at each speed is in the header. `base` has tables for at least [`BASE_SPEEDS`] speeds. What
/// the reader would refuse is an error.
pub fn encode_taps(network: &Network, base: &Network, training: &str) -> io::Result<Vec<u8>> {
    check_deaths(&network.deaths())?;
    if network.speeds() < 2 || base.speeds() < BASE_SPEEDS {
        let (own, of_base) = (network.speeds(), base.speeds());
        return Err(refused(format!(
            "tables of {own} speeds on those of {of_base}, expected at least 2 on at least {BASE_SPEEDS}"
        )));
    }
    let mut entries = Vec::new();
    for speed in 1..network.speeds() {
        same_tables(speed, |from, to| {
            let (from, to) = (base.entries()[from], network.entries()[to]);
            entries.push(std::array::from_fn(|lane| {
                let own = to[lane].wrapping_sub(from[lane]);
                if own.unsigned_abs() <= NOISE { 0 } else { own }
            }));
        });
    }
    // Most speeds with a parent have learned what that has.
    let mut alike = String::new();
    for speed in (1..network.speeds()).filter(|&speed| parent(speed) > 0) {
        let mut other = entries.clone();
        less_parent(&mut other, speed);
        let values = |entries: &[[i16; LANES]]| {
            entries[own_at(speed)].as_flattened().iter().filter(|&&value| value != 0).count()
        };
        if values(&other) < values(&entries) {
            entries = other;
            alike += &format!(" {speed}");
        }
    }
    let alike = if alike.is_empty() { alike } else { format!("alike{alike}\n") };
    let body = pack(&entries)?;
    let (speeds, training, crc) = (network.speeds(), one_line(training), crc_of(&body));
    let features = Ntuple59::NAME;
    let deaths = words(network.deaths());
    let header = format!(
        "maxout-taps 1\nfeatures {features}\nspeeds {speeds}\n{PACKING}{alike}deaths {deaths}\ntraining {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// Returns a file of the tables of `own` at its first speed. They are for `speed` alone, where a lost game is worth `death`, and are
/// stored as differences from those of `base`, without differences that are too small to matter. A speed or a price that the reader would
/// refuse is an error.
pub fn encode_speed<L: TableList>(
    own: &NetworkOf<L>,
    base: &NetworkOf<L>,
    (speed, death): (usize, f32),
    training: &str,
) -> io::Result<Vec<u8>> {
    check_deaths(&[death])?;
    if !(1..SPEEDS).contains(&speed) {
        return Err(refused(format!("speed {speed}, expected a number from 1 to {}", SPEEDS - 1)));
    }
    let pairs = own.entries().iter().zip(base.entries()).take(L::COMMON);
    let differences: Vec<[i16; LANES]> = pairs
        .map(|(own, base)| {
            std::array::from_fn(|lane| {
                let own = own[lane].wrapping_sub(base[lane]);
                if own.unsigned_abs() <= NOISE_ALONE { 0 } else { own }
            })
        })
        .collect();
    let body = pack(&differences)?;
    let (features, training, crc) = (L::NAME, one_line(training), crc_of(&body));
    let header = format!(
        "maxout-speed 1\nfeatures {features}\nspeed {speed}\n{PACKING}death {death}\ntraining {training}\n{crc}\n\n"
    );
    Ok([header.into_bytes(), body].concat())
}

/// Where a further speed's own tables are among those in a file for taps.
const fn own_at(speed: usize) -> Range<usize> {
    (speed - 1) * Ntuple59::OWN..speed * Ntuple59::OWN
}

/// Takes from the tables of a speed those of its parent, which has further tables, too.
fn less_parent(own: &mut [[i16; LANES]], speed: usize) {
    let (before, tables) = own.split_at_mut(own_at(speed).start);
    let parents = before[own_at(parent(speed))].as_flattened();
    for (value, &parents) in tables.as_flattened_mut().iter_mut().zip(parents) {
        *value = value.wrapping_sub(parents);
    }
}

/// Returns the line of a header that has the checksum of `body`.
fn crc_of(body: &[u8]) -> String {
    format!("crc32 {:08x}", crc32fast::hash(body))
}

/// Checksum and length of a file, by which kept games know it. If it was packed anew, those that it had before.
pub fn identity(file: &[u8]) -> (u32, u64) {
    let head = String::from_utf8_lossy(&file[..file.len().min(2_000)]).into_owned();
    let before = head.lines().find_map(|line| line.strip_prefix("identity ")?.split_once(' '));
    let before =
        before.and_then(|(crc, length)| Some((u32::from_str_radix(crc, 16).ok()?, length.parse().ok()?)));
    before.unwrap_or_else(|| (crc32fast::hash(file), file.len() as u64))
}

/// How the weights in a file were made; nothing if it does not say.
pub fn training(file: &[u8]) -> String {
    let head = String::from_utf8_lossy(&file[..file.len().min(2_000)]).into_owned();
    head.lines().find_map(|line| line.strip_prefix("training ")).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {

    use super::*;
    use maxout_engine::eval::ntuple::{Ntuple28, Ntuple90};
    use maxout_engine::eval::weights::{
        WeightsError, base, decode, decode_as, decode_plateau, decode_taps, embedded_common, embedded_file,
        embedded_files, embedded_plateau, embedded_taps_for, plateau,
    };
    use maxout_engine::eval::{Hazard, Shape};
    use maxout_engine::limits::{Presses, TapTable};
    use maxout_rules::FallRule;

    #[test]
    fn networks_of_two_lists_pack_apart() {
        let hazard = Hazard::embedded();
        let file = encode(hazard.tables(), "made up").expect("it packs");
        assert!(matches!(decode(&file), Err(WeightsError::Header { .. })));
        assert!(decode_as::<Ntuple28>(&file).expect("it unpacks").entries() == hazard.tables().entries());
    }

    #[test]
    fn the_embedded_weights_are_whole_and_pack_to_the_same_tables() {
        let network = base();
        let again = decode(&encode(&network, "again").expect("it packs")).expect("it unpacks");
        assert!(again.entries() == network.entries());
    }

    #[test]
    fn the_plateau_packs_to_the_same_tables_as_differences_from_the_others() {
        let (base, file, whole) = (base(), embedded_file(), plateau().expect("whole"));
        let packed = encode_plateau(&whole, &base, &file, "again").expect("it packs");
        let again = decode_plateau(&packed, &base, &checksum(&file)).expect("it unpacks");
        assert!(again.entries() == whole.entries());
        let embedded =
            decode_plateau(embedded_plateau(), &embedded_common(), &checksum(&file)).expect("whole");
        assert!(embedded.entries() == whole.entries());
        assert_eq!(embedded.deaths().map(f32::to_bits), whole.deaths().map(f32::to_bits));
        // Nobody takes differences for tables, or adds them to others.
        for error in [decode_as::<Ntuple90>(&packed), decode_plateau(&packed, &base, "29a09d0b")] {
            assert!(error.is_err_and(|error| error.to_string().contains("onto")));
        }
    }

    #[test]
    fn tables_for_taps_pack_to_the_same_tables() {
        let base = base();
        let differs = |table: TapTable| {
            let network = embedded_taps_for(Presses::Table(table));
            let file = encode_taps(&network, &base, "again").expect("it packs");
            let again = decode_taps(base.clone(), &file).expect("it unpacks");
            assert!(again.entries() == network.entries());
            assert_eq!(again.deaths().map(f32::to_bits), network.deaths().map(f32::to_bits));
            assert_eq!(network.entries()[..Ntuple59::COMMON], base.entries()[..Ntuple59::COMMON]);
            network.entries().len() - base.entries().len()
        };
        // At 30 Hz the double killscreen and where clears can crash the game, with slower taps the plateau too.
        assert_eq!(differs(TapTable::HZ_30), 4 * Ntuple59::OWN);
        assert_eq!(differs(TapTable::HZ_12), 5 * Ntuple59::OWN);
    }

    #[test]
    fn tables_of_one_speed_take_the_place_of_all_that_it_had() {
        let base = base();
        let shape = Shape::of(&"##.#######\n#########.\n".repeat(2).parse().expect("art parses"));
        // All tables say a little more.
        let own = Network::from_weights(&base.weights().map(|weight| weight + 0.05).collect::<Vec<_>>());
        let file = encode_speed(&own, &base, (3, -5.0), "made up\nhere").expect("it packs");
        assert_eq!(training(&file), "made up here");
        let bits = |network: &Network, speed| network.values_at(&shape, speed).map(f32::to_bits);
        // Alone it stands on the embedded weights for 30 Hz.
        let taps = encode_taps(&embedded_taps_for(Presses::EachButton), &base, "again").expect("it packs");
        let whole = [embedded_file(), taps, file.clone()].concat();
        for both in [decode(&file).expect("whole"), decode(&whole).expect("whole")] {
            assert!(both.is_alone(3) && !both.is_alone(2));
            assert_eq!(bits(&both, 3), bits(&own, 0));
            assert_eq!(both.deaths()[3].to_bits(), (-5.0f32).to_bits());
            for speed in [0, 1, 2, 4] {
                assert_eq!(bits(&both, speed), bits(&embedded_taps_for(Presses::EachButton), speed));
            }
        }
        // Tables of levels 19 to 28 for slower taps count even where only 30 Hz has others.
        let slow =
            decode(&encode_speed(&own, &base, (7, -10.0), "made up").expect("it packs")).expect("whole");
        assert_eq!((slow.speed(19, FallRule::Ntsc), slow.speed(18, FallRule::Ntsc)), (7, 1));
        assert_eq!(bits(&slow, 7), bits(&own, 0));
        let says = |from: &str, to: &str| {
            let end = file.windows(2).position(|pair| pair == b"\n\n").expect("a header");
            let header = String::from_utf8_lossy(&file[..end]).replace(from, to);
            decode(&[header.as_bytes(), &file[end..]].concat()).expect_err(to).to_string()
        };
        for (from, to) in
            [("speed 3", "speed 0"), ("speed 3", "speed 8"), ("speed 3", "speed"), ("death -5", "death 1")]
        {
            let error = says(from, to);
            assert!(error.contains("expected") && error.contains("found"), "{error}");
        }
        assert!(says("death -5", "death nan").contains("death with a number from -64 to 0"));
        for cut in [file.len() / 2, file.len() - 1, 40, 3] {
            assert!(decode(&file[..cut]).is_err(), "{cut}");
        }
    }

    #[test]
    fn tables_of_one_speed_may_be_those_of_the_plateau() {
        let base = plateau().expect("whole");
        let shape = Shape::of(&"##.#######\n#########.\n".repeat(2).parse().expect("art parses"));
        let weights: Vec<f32> = base.weights().map(|weight| weight + 0.05).collect();
        let own = NetworkOf::<Ntuple90>::from_weights(&weights);
        let file = encode_speed(&own, &base, (1, -5.0), "made up").expect("it packs");
        let bits = |values: [f32; 7]| values.map(f32::to_bits);
        // It holds differences from the embedded network for levels 19 to 28.
        let network = decode(&file).expect("whole");
        assert!(network.is_alone(1) && !network.is_alone(2));
        assert_eq!(bits(network.values(&shape, 18)), bits(own.values(&shape, 19)));
        assert_eq!(bits(network.values(&shape, 29)), bits(embedded_common().values(&shape, 29)));
        assert_eq!(network.deaths()[1].to_bits(), (-5.0f32).to_bits());
        let error = decode(&[embedded_plateau(), &file].concat()).expect_err("too large").to_string();
        assert!(error.contains("MiB of memory"), "{error}");
        assert!(decode(&file[..file.len() - 1]).is_err());
    }

    #[test]
    fn a_weights_file_may_be_followed_by_one_for_the_plateau_or_be_that() {
        let shape = Shape::of(&"##.#######\n#########.\n".repeat(2).parse().expect("art parses"));
        let values = |network: &Network, level| network.values(&shape, level).map(f32::to_bits);
        let same =
            |a: &Network, b: &Network| [18, 19, 28, 29].map(|level| values(a, level) == values(b, level));
        let plateau = NetworkOf::<Ntuple90>::from_weights(&vec![0.01; Ntuple90::ENTRIES * LANES]);
        let deaths = [-7.0, DEATH, DEATH, DEATH, DEATH, DEATH, DEATH, DEATH];
        let plateau = encode(&plateau.with_deaths(deaths), "made up").expect("it packs");
        let both = decode(&[embedded_file(), plateau.clone()].concat()).expect("whole");
        assert_eq!(same(&both, &base()), [true, false, false, true]);
        let alone = decode(&plateau).expect("whole");
        assert_eq!(same(&alone, &both), [false, true, true, false]);
        assert_eq!(same(&alone, &embedded_common()), [true, false, false, true]);
        for network in [&both, &alone] {
            assert_eq!(network.deaths()[0].to_bits(), deaths[0].to_bits());
            assert!(values(network, 19).iter().all(|&value| (f32::from_bits(value) - 0.88).abs() < 0.1));
        }
        assert!(decode(&plateau[..plateau.len() - 1]).is_err());
        assert_eq!(same(&decode(&embedded_files()).expect("whole"), &embedded_common()), [true; 4]);
        let before = both.without_plateau();
        assert_eq!(same(&before, &base()), [true; 4]);
        assert_eq!(before.deaths().map(f32::to_bits), base().deaths().map(f32::to_bits));
        // Whoever brings a whole network plays by nothing else.
        assert_eq!(same(&decode(&embedded_file()).expect("whole"), &base()), [true; 4]);
    }

    #[test]
    fn a_long_text_about_the_training_is_cut_so_that_the_file_can_be_read() {
        let file = encode(Hazard::embedded().tables(), &"größer\n".repeat(1_000)).expect("it packs");
        let text = training(&file);
        assert!(text.starts_with("größer größer ") && text.len() > 1_000, "{text}");
        assert!(Hazard::decode(&file).is_ok());
    }
}
