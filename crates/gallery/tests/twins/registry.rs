//! What the players can do, and which changes they take.

use std::sync::Arc;

use maxout_engine::limits::{Limits, Reaction, TapTable};
use maxout_engine::movegen::Filter;
use maxout_engine::search::{Aggression, Widths};
use maxout_gallery::{find, players};
use maxout_rules::{Board, Placement};

/// A filter that allows everything.
#[derive(Debug)]
struct All;

impl Filter for All {
    fn sift(&self, _: &Board, _: &mut Vec<Placement>) {}
}

#[test]
fn a_player_becomes_another_only_where_it_can() {
    let [learned, plateau, gamepad, beam] =
        ["maxout-fast", "plateau17", "gamepad2014", "clairvoyant"].map(|name| find(name).expect(name));
    let slow = Limits::taps(TapTable::HZ_12);
    assert_eq!(learned.with_limits(slow).map(|entry| entry.limits), Some(slow));
    assert_eq!(plateau.with_limits(slow).map(|entry| entry.limits), Some(slow));
    assert!(gamepad.with_limits(slow).is_none() && beam.with_limits(slow).is_none());
    assert!(plateau.with_limits(slow.with_reaction(Reaction::Frames(18))).is_none());
    assert!(learned.with_widths(Widths::THREE).is_some_and(|entry| entry.plies() == 3));
    assert!(plateau.filtered(Arc::new(All), "all").is_some_and(|entry| entry.name == "plateau17+all"));
    assert!(learned.filtered(Arc::new(All), "all").is_none());
}

#[test]
fn what_a_player_takes_is_what_its_capabilities_say() {
    let mut seen = Vec::new();
    for entry in players() {
        let can = entry.capabilities();
        assert_eq!(entry.filtered(Arc::new(All), "all").is_some(), can.takes_filters, "{}", entry.name);
        assert_eq!(entry.policy(entry.limits.into()).is_some(), can.takes_filters, "{}", entry.name);
        assert_eq!(entry.with_widths(Widths::TWO).is_some(), can.is_learned, "{}", entry.name);
        assert_eq!(entry.with_aggression(Aggression::NORMAL).is_some(), can.is_learned, "{}", entry.name);
        seen.push((can.is_fair, can.is_learned, can.takes_filters));
    }
    let count = |kind| seen.iter().filter(|&&each| each == kind).count();
    assert_eq!(count((true, true, false)), 6, "ours");
    assert_eq!(count((false, false, false)), 1, "the beam");
}

#[test]
fn two_players_do_not_know_the_double_killscreen() {
    let without = players().iter().filter(|entry| !entry.capabilities().plays_double_killscreen);
    assert_eq!(without.map(|entry| &*entry.name).collect::<Vec<_>>(), ["gamepad2014", "clairvoyant"]);
}
