//! [`Pilot`]: executes a player's plan frame by frame, and checks the machine against it in every frame.

use std::borrow::BorrowMut;
use std::time::Duration;

use crate::clock;
use crate::hand::Hand;
use maxout_engine::Position;
use maxout_engine::movegen::Start;
use maxout_engine::player::{Mind, Omniscient, Plan, Probe};
use maxout_engine::search::clairvoyant::State;
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::{FallRule, Opening, PlayState};

/// The number of frames for which the game's logic may be late before it counts as hanging (the-game.md 8.4).
const PATIENCE: u32 = 3;

/// Plays one game with the plans of a player, which it owns or borrows, and with a hand that may miss.
pub struct Pilot<M> {
    mind: M,
    opening: Opening,
    /// How fast pieces fall, and with it the version of the game, which RAM does not say.
    fall_rule: FallRule,
    /// The number of control frames of the first piece so far, until the opening is over.
    opening_frame: Option<usize>,
    /// The plan, and how many of its frames were executed.
    plan: Option<(Plan, usize)>,
    hand: Hand,
    /// Whether the hand did something else in this frame than the plan says.
    slipped: bool,
    /// The number of frames of control of this piece so far, without those of the opening.
    frames: u32,
    /// The frames of the presses of this piece so far, the last in bit 0: what a tap table looks at.
    pressed: u64,
    /// The direction that is held until the next piece spawns, if the player was asked for it.
    held_over: Option<Buttons>,
    /// What a clairvoyant player has predicted for the next spawn.
    foretold: Option<State>,
    /// The number of frames for which the game's logic has not come to its end.
    stuck: u32,
    /// Whether the game was paused in the last frame.
    paused: bool,
    counts: PilotCounts,
    thinking: Duration,
}

/// What the pilot counted in a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct PilotCounts {
    /// The number of decisions that the player was asked for. With a reaction delay a decision has two steps.
    pub decisions: u64,
    /// The number of decisions after which the machine did something else than planned.
    pub replans: u64,
    /// The number of decisions in which the player gave up or answered with an impossible plan.
    pub gave_up: u64,
    /// The number of boards that the decisions looked at, or 0 if the player does not count them.
    pub nodes: u64,
}

impl<M: BorrowMut<Mind>> Pilot<M> {
    /// Makes a pilot for a game at the end of its init frame.
    pub fn new(mind: M, opening: Opening) -> Self {
        Self {
            mind,
            opening,
            fall_rule: FallRule::Ntsc,
            opening_frame: Some(0),
            plan: None,
            hand: Hand::sure(),
            slipped: false,
            frames: 0,
            pressed: 0,
            held_over: None,
            foretold: None,
            stuck: 0,
            paused: false,
            counts: PilotCounts::default(),
            thinking: Duration::ZERO,
        }
    }

    /// Tells the player how fast pieces fall.
    pub fn by(self, fall_rule: FallRule) -> Self {
        Self { fall_rule, ..self }
    }

    /// Presses the buttons with this hand. The player decides as if it never missed, and anew after every miss.
    pub fn with_hand(self, hand: Hand) -> Self {
        Self { hand, ..self }
    }

    /// Returns the counts so far.
    pub const fn counts(&self) -> PilotCounts {
        self.counts
    }

    /// Returns the CPU time that the player's decisions took.
    pub const fn thinking(&self) -> Duration {
        self.thinking
    }

    /// Returns the plan that is being executed.
    pub fn plan(&self) -> Option<&Plan> {
        self.plan.as_ref().map(|(plan, _)| plan)
    }

    /// Forgets the plan and the opening, because a person or another program presses the buttons.
    pub fn hand_over(&mut self) {
        (self.opening_frame, self.plan, self.foretold) = (None, None, None);
        self.hand.rest();
    }

    /// Returns the buttons for the frame that follows `now`. `probe` tries buttons from this state on.
    pub fn buttons(&mut self, now: &Snapshot, probe: &mut Probe<'_>) -> Buttons {
        if now.is_paused() {
            return self.resume(now);
        }
        self.paused = false;
        self.stuck = if now.in_play() || !now.is_play() { 0 } else { self.stuck + 1 };
        if self.stuck > PATIENCE {
            // A hang in sprite staging ends a few frames after A is held (the-game.md 8.2).
            self.plan = None;
            return Buttons::A;
        }
        if !now.in_play() || !now.in_control() {
            (self.plan, self.frames, self.pressed) = (None, 0, 0);
            self.hand.rest();
            return self.hold(now) | self.show_next(now).unwrap_or_default();
        }
        self.held_over = None;
        if let Some(frame) = self.opening_frame {
            if let Some(buttons) = self.opening.buttons(frame) {
                self.opening_frame = Some(frame + 1);
                return buttons;
            }
            self.opening_frame = None;
        }
        if self.plan.is_none()
            && let Some(buttons) = self.show_next(now)
        {
            self.frames += 1;
            self.pressed <<= 1;
            return buttons;
        }
        let review = self.plan.as_ref().is_some_and(|(plan, done)| plan.review == Some(*done));
        if review || self.plan.is_none() {
            // The second step of a decision is no decision of its own.
            self.counts.decisions += u64::from(!review);
            self.plan = self.decide(now, probe).map(|plan| (plan, 0));
        }
        let wanted =
            self.plan.as_ref().and_then(|(plan, done)| plan.buttons.get(*done)).copied().unwrap_or_default();
        let buttons = self.hand.press(wanted, now.held);
        self.slipped = buttons != wanted;
        // A direction that is held is no press.
        let begun = buttons & !now.held;
        let presses = begun.intersects(Buttons::LEFT | Buttons::RIGHT | Buttons::A | Buttons::B);
        self.frames += 1;
        self.pressed = self.pressed << 1 | u64::from(presses);
        buttons
    }

    /// Returns the direction that the player holds in the last frame of the entry delay, in which the piece spawns.
    fn hold(&mut self, now: &Snapshot) -> Buttons {
        if !now.in_play() || now.play_state != PlayState::Spawn {
            self.held_over = None;
            return Buttons::NONE;
        }
        if let Some(held) = self.held_over {
            return held;
        }
        let Mind::Fair(player) = self.mind.borrow_mut() else { return Buttons::NONE };
        let Some(piece) = now.next.piece() else { return Buttons::NONE };
        let spawn = Start::spawn(piece, now.progress.level).by(self.fall_rule);
        let das = Start::das_of(self.fall_rule.region(), now.autorepeat_x);
        let begin = clock::cpu();
        let held = player.hold_before_spawn(&Position {
            board: now.board,
            start: Start { das, ..spawn },
            next: None,
            progress: now.progress,
        });
        self.thinking += clock::cpu().saturating_sub(begin);
        self.held_over = Some(held);
        held
    }

    /// Returns the buttons that show the next box if it is hidden, where a fair player cannot look, or `None` if there is
    /// nothing to show. Until a lock is scored the box may be hidden on purpose.
    fn show_next(&self, now: &Snapshot) -> Option<Buttons> {
        let done = [PlayState::Control, PlayState::Goal, PlayState::Garbage];
        let due = now.in_play() && done.into_iter().any(|state| now.play_state == state);
        let fair = matches!(self.mind.borrow(), Mind::Fair(_));
        // Only a new press counts.
        let press = if now.held.contains(Buttons::SELECT) { Buttons::NONE } else { Buttons::SELECT };
        (now.next_hidden && due && fair).then_some(press)
    }

    /// Ends a pause that we did not ask for, by a new press of Start alone.
    fn resume(&mut self, now: &Snapshot) -> Buttons {
        if !self.paused {
            log::warn!("the game is paused; it is resumed with Start");
            self.counts.replans += u64::from(self.plan.is_some());
        }
        (self.paused, self.stuck, self.plan, self.foretold) = (true, 0, None, None);
        if now.held.contains(Buttons::START) { Buttons::NONE } else { Buttons::START }
    }

    fn decide(&mut self, now: &Snapshot, probe: &mut Probe<'_>) -> Option<Plan> {
        let mut seen = observe(now, self.fall_rule)?;
        (seen.start.pressed, seen.start.elapsed) = (self.pressed, self.frames);
        let begin = clock::cpu();
        let plan = match self.mind.borrow_mut() {
            Mind::Fair(player) => player.plan(&seen),
            Mind::Clairvoyant(player) => {
                let all = know(seen, now);
                if let Some(state) = self.foretold.take()
                    && !all.agrees_with(&state)
                {
                    log::warn!("the spawn is another than foretold: planned {state:?}, machine {all:?}");
                    self.counts.replans += 1;
                }
                player.plan(&all, probe).map(|foretold| {
                    self.foretold = Some(foretold.then);
                    foretold.plan
                })
            }
        };
        self.thinking += clock::cpu().saturating_sub(begin);
        self.counts.nodes += self.mind.borrow().nodes();
        plan.or_else(|| {
            self.counts.gave_up += 1;
            Plan::idle(&seen)
        })
    }

    /// Compares the machine after the frame with the plan, and drops the plan if they differ or if the hand has missed.
    pub fn verify(&mut self, after: &Snapshot) {
        let slipped = std::mem::take(&mut self.slipped);
        let Some((plan, done)) = &mut self.plan else { return };
        let Some(&want) = plan.poses.get(*done) else { return };
        let got = after.placement();
        *done += 1;
        let locks = *done == plan.poses.len();
        let locked = !after.in_control();
        if slipped || got != Some(want) || locks != locked {
            // A miss is expected now and then; a machine that goes another way by itself is not.
            log::log!(
                if slipped { log::Level::Debug } else { log::Level::Warn },
                "frame {done} of {} went another way: planned {want:?} lock {locks}, machine {got:?} lock \
                 {locked}; state {after:?}",
                plan.poses.len()
            );
            self.counts.replans += 1;
            self.plan = None;
            self.foretold = None;
        }
    }
}

/// Returns what a clairvoyant player sees of this state.
fn know(seen: Position, now: &Snapshot) -> Omniscient {
    Omniscient {
        seen,
        generator: now.generator,
        frame_counter: now.frame_counter,
        hold_down_points: now.hold_down_points,
        score: now.score,
        next_hidden: now.next_hidden,
    }
}

/// Returns what a fair player sees of this state, or `None` if no piece is in play or the piece is where none can be.
pub fn observe(now: &Snapshot, fall_rule: FallRule) -> Option<Position> {
    let orientation = now.current.orientation()?;
    if now.x > 9 || now.y > 19 {
        return None;
    }
    Some(Position {
        board: now.board,
        start: Start {
            x: now.x,
            y: now.y,
            orientation,
            fall_timer: now.fall_timer,
            level: now.progress.level,
            held: now.held,
            pressed: 0,
            elapsed: 0,
            autorepeat_y: now.autorepeat_y,
            das: Start::das_of(fall_rule.region(), now.autorepeat_x),
            entering: false,
            fall_rule,
        },
        next: Some(now.next.piece()?),
        progress: now.progress,
    })
}
