//! Machines on which something goes wrong in mid-game: presses are lost, somebody presses Start, resets, or writes
//! to RAM. The pilot recovers or the run ends with the reason, in a bounded number of frames, and no score is
//! recorded that was not made.

use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::session::{self, GameOutcome, SessionError};
use maxout_host::{Console, Host, HostError, Model, TEST_CARTRIDGE, menus};
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::random::Dice;
use maxout_rules::{Game, Page, PlayState, Score, Seed, Stop, line_points};
use proptest::prelude::*;

const RESET: Buttons = Buttons(0xF0);

/// What is done to a machine before each frame: it may change the buttons, or ask for a byte in RAM.
type Gremlin = Box<dyn FnMut(u64, &mut Buttons) -> Option<(u16, u8)>>;

/// The rules with a gremlin.
struct Shaken {
    game: Game,
    frame: u64,
    gremlin: Gremlin,
}

impl Host for Shaken {
    fn step(&mut self, mut buttons: Buttons) -> Result<(), HostError> {
        self.frame += 1;
        if let Some((address, byte)) = (self.gremlin)(self.frame, &mut buttons) {
            self.game.poke(address, byte);
        }
        self.game.step(buttons);
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        Model::new(self.game).snapshot()
    }
}

/// The emulator with a gremlin.
struct Loose {
    console: Console,
    frame: u64,
    gremlin: Gremlin,
}

impl Loose {
    fn new(level: u8, gremlin: Gremlin) -> Self {
        let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
        menus::reach_play(&mut console, level, 0).expect("it plays");
        Self { console, frame: 0, gremlin }
    }
}

impl Host for Loose {
    fn step(&mut self, mut buttons: Buttons) -> Result<(), HostError> {
        self.frame += 1;
        if let Some((address, byte)) = (self.gremlin)(self.frame, &mut buttons) {
            self.console.poke(address, byte);
            if (0x40..0x60).contains(&address) {
                self.console.poke(address + 0x20, byte);
            }
        }
        Ok(self.console.step(buttons)?)
    }

    fn snapshot(&self) -> Snapshot {
        Snapshot::read(self.console.ram())
    }
}

/// At most so many frames are played; a longer game would be a hang.
const BOUND: u64 = 200_000;

fn play<H: Host>(host: &mut H, player: &str, stop: Stop) -> Result<GameOutcome, SessionError> {
    let mut mind = find(player).expect("registered").make(Foresight::DEFAULT, stop);
    let mut frames = 0;
    session::play(host, &mut mind, Seed::new(0).opening(), stop, &mut |_, _, _| {
        frames += 1;
        assert!(frames < BOUND, "it hangs");
        true
    })
}

/// The outcome is what its locks come to on an empty field, and what the machine shows.
fn is_true(outcome: &GameOutcome, shown: u32) {
    let (mut page, mut lines, mut points) = (Page::empty(), 0, 0);
    for lock in &outcome.locks {
        let placement = lock.placement;
        assert_eq!(page.lock(placement.x, placement.y, placement.orientation), lock.rows);
        lines += u32::from(lock.rows);
        points += line_points(lock.rows, lock.level);
    }
    assert_eq!((outcome.result.lines, outcome.result.line_points), (lines, points));
    assert_eq!(outcome.result.shown_score, shown);
    assert!(
        outcome.result.score >= u64::from(shown)
            && outcome.result.score <= points + 20 * u64::from(outcome.result.pieces)
    );
    if shown < 999_999 {
        assert_eq!(outcome.result.score, u64::from(shown));
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn one_lost_press_in_a_hundred_costs_new_plans_and_nothing_else() {
    let mut dice = Dice::new(1);
    let gremlin = Box::new(move |_, buttons: &mut Buttons| {
        if dice.roll(100) == 0 {
            *buttons = Buttons::NONE;
        }
        None
    });
    let mut host = Loose::new(18, gremlin);
    let outcome = play(&mut host, "plateau17", Stop::Lines(4)).expect("it ends");
    assert!(outcome.result.reached_stop && outcome.counts.replans > 0, "{:?}", outcome.counts);
    is_true(&outcome, host.snapshot().score);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_stray_start_pauses_and_the_pilot_resumes() {
    for every in [37, 61, 100] {
        let gremlin = Box::new(move |frame: u64, buttons: &mut Buttons| {
            if frame.is_multiple_of(every) {
                *buttons |= Buttons::START;
            }
            None
        });
        let mut host = Shaken { game: Seed::new(0).start(18), frame: 0, gremlin };
        let outcome = play(&mut host, "plateau17", Stop::Lines(20)).expect("it ends");
        assert!(outcome.result.reached_stop || outcome.result.topped_out);
        assert!(outcome.counts.replans > 10, "{:?}", outcome.counts);
        is_true(&outcome, host.snapshot().score);
    }
    let gremlin = Box::new(|frame: u64, buttons: &mut Buttons| {
        if frame.is_multiple_of(90) {
            *buttons |= Buttons::START;
        }
        None
    });
    let mut host = Loose::new(18, gremlin);
    let outcome = play(&mut host, "plateau17", Stop::Lines(2)).expect("it ends");
    assert!(outcome.result.reached_stop, "{outcome:?}");
    is_true(&outcome, host.snapshot().score);
}

#[test]
fn a_pause_that_cannot_be_left_ends_the_run_with_the_reason() {
    let gremlin = Box::new(|frame: u64, buttons: &mut Buttons| {
        if frame > 300 {
            *buttons |= Buttons::START;
        }
        None
    });
    let mut host = Shaken { game: Seed::new(0).start(18), frame: 0, gremlin };
    let error = play(&mut host, "plateau17", Stop::Lines(20)).expect_err("it stays paused");
    assert!(error.to_string().contains("no piece locked for 3001 frames"), "{error}");
}

#[test]
fn a_soft_reset_in_mid_game_ends_the_run_with_the_reason() {
    let gremlin = || {
        Box::new(|frame: u64, buttons: &mut Buttons| {
            if frame == 250 {
                *buttons = RESET;
            }
            None
        })
    };
    let mut host = Loose::new(18, gremlin());
    let error = play(&mut host, "plateau17", Stop::Lines(20)).expect_err("the legal screen");
    assert_eq!(error.to_string(), "the game left play in frame 250: game mode 00, expected 04");
    let mut host = Shaken { game: Seed::new(0).start(18), frame: 0, gremlin: gremlin() };
    let error = play(&mut host, "plateau17", Stop::Lines(20)).expect_err("the legal screen");
    assert!(matches!(error, SessionError::LeftPlay { frame: 250, .. }), "{error}");
}

/// A gift in RAM, in frame 400.
fn gift(address: u16, byte: u8) -> Result<GameOutcome, SessionError> {
    let gremlin = Box::new(move |frame: u64, _: &mut Buttons| (frame == 400).then_some((address, byte)));
    let mut host = Shaken { game: Seed::new(0).start(18), frame: 0, gremlin };
    play(&mut host, "plateau17", Stop::Lines(20))
}

#[test]
fn points_lines_levels_and_cells_from_elsewhere_are_not_recorded() {
    let cases = [
        (0x75, 0x99, "score"),
        (0x73, 0x07, "score"),
        (0x70, 0x19, "lines"),
        (0x71, 0x02, "lines"),
        (0x64, 28, "lines"),
        (0x64, 200, "lines"),
        (0x76, 4, "lines of a lock"),
        (0x6F, 90, "rows of soft drop"),
        (0x409, 0x7B, "solid cells"),
    ];
    for (address, byte, what) in cases {
        let error = match gift(address, byte) {
            Ok(outcome) => panic!("{what}: a score of {} was recorded", outcome.result.score),
            Err(error) => error.to_string(),
        };
        assert!(error.starts_with("frame ") && error.contains(what), "{address:X}: {error}");
        assert!(error.contains("expected"), "{error}");
    }
    // What only moves a piece, or changes the next one, is play to be met.
    for (address, byte) in [(0x60, 2), (0x65, 0), (0x66, 7), (0x17, 0x55), (0xBF, 0x12), (0xDF, 1)] {
        let outcome = gift(address, byte).unwrap_or_else(|error| panic!("{address:X}: {error}"));
        assert!(outcome.result.reached_stop || outcome.result.topped_out);
    }
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_machine_whose_ram_is_scribbled_over_comes_to_an_end() {
    for seed in 0..3 {
        let mut dice = Dice::new(seed);
        let gremlin = Box::new(move |frame: u64, _: &mut Buttons| {
            let address = if seed % 2 == 0 { dice.roll(0x100) } else { dice.roll(0x800) };
            (frame.is_multiple_of(50)).then(|| (address as u16, dice.roll(256) as u8))
        });
        let mut host = Loose::new(18, gremlin);
        let mut mind = find("plateau17").expect("registered").make(Foresight::DEFAULT, Stop::TopOut);
        let mut left = 400;
        let result =
            session::play(&mut host, &mut mind, Seed::new(0).opening(), Stop::TopOut, &mut |_, _, _| {
                left -= 1;
                left > 0
            });
        if let Ok(outcome) = result {
            is_true(&outcome, host.snapshot().score);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    /// Lost presses, stray buttons and any byte at any address, at random.
    #[test]
    fn no_score_is_recorded_that_was_not_made(
        seed in any::<u64>(),
        level in 15u8..20,
        odds in 40u32..3_000,
        learned in proptest::bool::weighted(0.1),
    ) {
        let mut dice = Dice::new(seed);
        let gremlin = Box::new(move |_, buttons: &mut Buttons| {
            match dice.roll(200) {
                0 | 1 => *buttons = Buttons::NONE,
                2 => buttons.0 ^= 1 << dice.roll(8),
                _ => {}
            }
            let address = match dice.roll(4) {
                0 => 0x400 + dice.roll(0x100),
                1 => 0x17 + dice.roll(4),
                _ => 0x60 + dice.roll(0x20),
            };
            let byte = if dice.roll(2) == 0 { dice.roll(256) } else { dice.roll(20) };
            (dice.roll(odds) == 0).then_some((address as u16, byte as u8))
        });
        let mut host = Shaken { game: Seed::new(seed).start(level), frame: 0, gremlin };
        let player = if learned { "maxout-fast" } else { "plateau17" };
        match play(&mut host, player, Stop::Lines(60)) {
            Ok(outcome) => {
                is_true(&outcome, host.game.score.value() as u32);
                prop_assert!(outcome.result.reached_stop || outcome.result.topped_out);
            }
            Err(error) => prop_assert!(!matches!(error, SessionError::Interrupted), "{error}"),
        }
    }
}

#[test]
fn a_lock_on_the_page_is_the_games_own_lock() {
    let mut game = Seed::new(70_000).start(19);
    let (mut page, mut score) = (Page::empty(), Score::default());
    let mut dice = Dice::new(3);
    let mut locks = 0;
    while game.play_state != PlayState::Curtain {
        let before = game;
        game.step(Buttons(1 << dice.roll(8) & 0xC7));
        if before.play_state == PlayState::Lock && game.play_state == PlayState::CheckRows {
            page.lock(before.x, before.y, before.id);
        }
        if before.play_state == PlayState::Score {
            locks += 1;
            assert_eq!(game.page, page, "lock {locks}");
            score.add_lock(before.completed_lines, game.progress.level, before.hold_down_points, true);
            assert_eq!(game.score, score);
        }
    }
    assert!(locks > 8);
}
