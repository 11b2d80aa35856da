//! What `src/observer.rs` promises.

use maxout_rules::Seed;
use maxout_rules::input::Buttons;
use maxout_rules::observer::*;
use maxout_rules::ram::RamValue as _;
use maxout_rules::ram::{GameMode, LogicStage, RamByte};

#[test]
fn a_game_that_drops_every_piece_is_told_from_its_first_frame_to_its_end() {
    let mut game = Seed::new(0).start(19);
    let mut observer = Observer::new(&game);
    let (mut spawned, mut locked, mut scored) = (0, Vec::new(), Vec::new());
    let end = (0..10_000).find_map(|_| {
        game.step(Buttons::DOWN);
        let events = observer.see(&game);
        assert!(!events.began, "it is on from the start");
        spawned += u32::from(events.spawned);
        locked.extend(events.locked);
        scored.extend(events.scored);
        events.ended
    });
    assert_eq!(end, Some(GameOver::ToppedOut));
    // The last piece spawns where it cannot stay.
    assert!(locked.len() > 5 && spawned as usize == locked.len(), "{spawned} {locked:?}");
    assert!(locked.iter().map(|&place| Some(place)).eq(scored.iter().map(|lock| lock.place)));
    assert!(locked.iter().all(|place| place.x == 5) && locked[0].y == 19);
    assert!(scored.iter().all(|lock| lock.rows == 0) && scored[0].soft_drop > 0);
}

#[test]
fn games_begin_and_are_left() {
    let mut now = Moment::from(&Seed::new(0).start(19));
    let mut observer = Observer::default();
    assert!(observer.see(now).began, "the first moment shows a game");
    now.game_mode_state = LogicStage::PauseTest.byte().into();
    assert_eq!(observer.see(now), Events::default(), "a pause");
    now.game_mode = 0x9C.into();
    assert_eq!(observer.see(now).ended, Some(GameOver::LeftPlay));
    assert_eq!(observer.see(now).ended, None, "it ends once");
    now.game_mode = RamByte::Known(GameMode::Play);
    assert!(observer.see(now).began);
    observer.reset();
    assert!(!observer.see(now).began, "the old game still stands in RAM");
    now.play_state = 6.into();
    now.completed_lines = 200;
    let events = observer.see(now);
    assert_eq!(events.scored, Some(ScoredLock { place: None, rows: 0, soft_drop: 0 }));
}
