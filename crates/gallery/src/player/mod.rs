//! All players by name: [`players`] lists them, [`find`] finds one.

mod cnn;
mod dellacherie;
mod macro40;
mod meatfighter;
mod meatfighter2014;
mod packing;
mod simple_tetris;

use std::sync::LazyLock;

use maxout_engine::player::{Entry, REGISTRY, UnknownPlayer, find_among};

/// The published players.
pub static PUBLISHED: &[Entry] = &[
    meatfighter::PLATEAU17,
    meatfighter::BOT_2018,
    meatfighter::BOT_2018_1,
    meatfighter2014::CODED,
    meatfighter2014::TEXT,
    meatfighter2014::GAMEPAD,
    meatfighter2014::FALLS,
    dellacherie::GAPS,
    dellacherie::GAPS_2,
    dellacherie::CELLS,
    dellacherie::CELLS_2,
    dellacherie::EL_TETRIS,
    dellacherie::EL_TETRIS_2,
    packing::PUBLISHED,
    packing::MENDED,
    macro40::MACRO_40,
    simple_tetris::INTENDED,
    simple_tetris::CODED,
    simple_tetris::A,
    simple_tetris::B,
    simple_tetris::C,
    cnn::CNN,
    cnn::CNN_2,
];

/// Returns all players: our own fair ones, the published ones, and the clairvoyant one.
pub fn players() -> &'static [Entry] {
    static ALL: LazyLock<Vec<Entry>> = LazyLock::new(|| {
        let own = |fair: bool| REGISTRY.iter().filter(move |entry| entry.capabilities().is_fair == fair);
        own(true).chain(PUBLISHED).chain(own(false)).cloned().collect()
    });
    &ALL
}

/// Returns the player with this name, one of our own or a published one.
///
/// ```
/// assert!(maxout_gallery::find("maxout").is_ok() && maxout_gallery::find("meatfighter2018").is_ok());
/// let error = maxout_gallery::find("plateau18").unwrap_err();
/// assert_eq!(error.similar, Some("plateau17"));
/// ```
pub fn find(name: &str) -> Result<&'static Entry, UnknownPlayer> {
    find_among(players(), name)
}
