//! What a writer of weights accepts, its reader reads.

use maxout_engine::eval::ntuple::{LANES, MOST_SPEEDS, Network, Ntuple59, TableList};
use maxout_engine::eval::weights;
use maxout_lab::weights_file;
use proptest::prelude::*;

prop_compose! {
    /// Tables for some speeds that say little, in a few places.
    fn any_network()(
        speeds in 1..=Ntuple59::SPEEDS,
        places in prop::collection::vec((any::<prop::sample::Index>(), any::<f32>()), 0..2_000),
        deaths in prop::array::uniform8(prop_oneof![8 => -64.0f32..=0.0, 1 => any::<f32>()]),
    ) -> Network {
        let mut tables = vec![0.0; LANES * Ntuple59::entries_of(speeds)];
        for (place, weight) in places {
            let at = place.index(tables.len());
            tables[at] = weight;
        }
        Network::from_weights(&tables).with_deaths(deaths)
    }
}

proptest! {
    // Each case writes 100 MB.
    #![proptest_config(ProptestConfig::with_cases(3))]

    #[test]
    #[ignore = "slow; .ci/run has it"]
    fn weights_that_are_written_are_read(
        network in any_network(),
        training in any::<String>(),
        speed in 0..MOST_SPEEDS + 1,
        death in any::<f32>(),
    ) {
        let base = weights::base();
        let file = weights_file::encode(&network, &training);
        prop_assert_eq!(file.is_ok(), network.deaths().iter().all(|death| (-64.0..=0.0).contains(death)));
        if let Ok(file) = file {
            let read = weights::decode(&file).expect("our own file");
            prop_assert_eq!(read.deaths().map(f32::to_bits), network.deaths().map(f32::to_bits));
            prop_assert!(weights_file::training(&file).chars().count() <= 1_400);
            // What the first reading leaves out is left out for good.
            prop_assert!(weights_file::encode(&read, &training).expect("as before") == file);
        }
        if let Ok(file) = weights_file::encode_taps(&network, &base, &training) {
            let read = weights::decode_taps(base.clone(), &file).expect("our own file");
            prop_assert_eq!(read.deaths().map(f32::to_bits), network.deaths().map(f32::to_bits));
        }
        if let Ok(file) = weights_file::encode_speed(&network, &base, (speed, death), &training) {
            let read = weights::decode(&file).expect("our own file");
            prop_assert_eq!(read.deaths()[speed].to_bits(), death.to_bits());
        }
    }
}
