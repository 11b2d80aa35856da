//! Good files, damaged.

use proptest::prelude::*;
use proptest::sample::Index;

/// Changed bytes and a cut, to do to a good file.
pub(super) type Damage = (Vec<(Index, u8)>, Option<Index>);

pub(super) fn damage() -> impl Strategy<Value = Damage> {
    (
        proptest::collection::vec((any::<Index>(), any::<u8>()), 1..12),
        proptest::option::weighted(0.2, any::<Index>()),
    )
}

pub(super) fn damaged(bytes: &[u8], (changes, cut): &Damage) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (at, value) in changes {
        let at = at.index(bytes.len());
        bytes[at] = *value;
    }
    if let Some(cut) = cut {
        bytes.truncate(cut.index(bytes.len()));
    }
    bytes
}
