//! What `src/ram/bytes.rs` promises.

use maxout_rules::PlayState;
use maxout_rules::ram::*;

/// Reads every byte and compares what comes back; returns how many bytes have a meaning.
fn known<T: RamValue + PartialEq>() -> usize {
    (0..=u8::MAX)
        .filter(|&byte| {
            let read = RamByte::<T>::from(byte);
            assert_eq!(read.byte(), byte);
            read.known().is_some_and(|value| read == value)
        })
        .count()
}

#[test]
fn every_byte_reads_as_itself_whatever_it_means() {
    let counts = [known::<GameMode>(), known::<RenderMode>(), known::<LogicStage>(), known::<GameType>()];
    assert_eq!(counts, [7, 5, 9, 2]);
    assert_eq!(known::<PlayState>(), 12);
    assert!(RamByte::<GameMode>::from(0x9C) != GameMode::Play);
}
