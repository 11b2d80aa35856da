//! Players that also read the piece generator: [`Clairvoyant`], what they see ([`Omniscient`]) and what they answer
//! ([`Foretold`]). They are not fair, and every record says so.

use super::Plan;
use crate::Position;
use crate::movegen::{Flight, Landing, Start, Timed};
use crate::search::Foresight;
use crate::search::clairvoyant::{Beam, BeamChoice, State};
use maxout_rules::danger::{Health, WATCH_LEVEL};
use maxout_rules::input::Buttons;
use maxout_rules::{Generator, Stop};

/// A position, and what no person can see of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Omniscient {
    /// What a person sees.
    pub seen: Position,
    /// The piece generator (RAM 17–1A).
    pub generator: Generator,
    /// The frame counter (RAM B1, B2).
    pub frame_counter: u16,
    /// The rows that were soft-dropped since Down was pressed (RAM 6F).
    pub hold_down_points: u8,
    /// The score as shown.
    pub score: u32,
    /// Whether the next box is hidden (RAM DF).
    pub next_hidden: bool,
}

impl Omniscient {
    /// Returns how the piece in play moves until it locks.
    fn flight(&self) -> Flight {
        Flight { start: self.seen.start, hold_down_points: self.hold_down_points }
    }

    /// Returns everything that the future depends on, or `None` if no piece is in play.
    fn state(&self) -> Option<State> {
        let Position { board, start, next, progress, .. } = self.seen;
        Some(State {
            board,
            current: start.orientation.piece(),
            next: next?,
            generator: self.generator,
            frame_counter: self.frame_counter,
            progress,
            cents: (self.score % 100) as u8,
        })
    }

    /// Whether the game is at the spawn that `state` predicts.
    pub fn agrees_with(&self, state: &State) -> bool {
        let spawn = Flight::spawn(state.current, state.progress.level);
        // These are for players that hold directions.
        let Start { das, entering, .. } = self.seen.start;
        let spawn = Flight { start: Start { das, entering, ..spawn.start }, ..spawn };
        self.flight() == spawn
            && self.state().is_some_and(|now| State { cents: state.cents, ..now } == *state)
    }
}

/// A plan, and the state in which the next one begins if all goes well.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Foretold {
    /// What to do with the piece in the air.
    pub plan: Plan,
    /// The game at the next spawn.
    pub then: State,
}

/// Tries buttons, frame by frame from now on, and says whether the game works after them. The game itself does not
/// change.
pub type Probe<'a> = dyn FnMut(&[Buttons]) -> Health + 'a;

/// A player that knows the generator.
pub trait Clairvoyant: Send {
    /// Decides what to do with the piece in the air. With `None` the player gives up, and nothing is pressed.
    fn plan(&mut self, all: &Omniscient, probe: &mut Probe<'_>) -> Option<Foretold>;

    /// Returns how many boards the last decision looked at, or 0 if this player does not count them.
    fn nodes(&self) -> u64 {
        0
    }
}

/// The number of frames after a spawn that a probe still looks at.
const AFTERMATH: usize = 4;
/// The number of first moves that are probed before the least bad one is taken.
const PROBED_CHOICES: usize = 24;

/// The rolling beam as a player.
pub(super) struct BeamPlayer {
    beam: Beam,
    timed: Timed,
    landings: Vec<Landing>,
    /// How many boards the beam had looked at before the last decision.
    nodes_before: u64,
}

impl BeamPlayer {
    pub fn new(foresight: Foresight, goal: Stop) -> Self {
        Self { beam: Beam::new(foresight, goal), timed: Timed::new(), landings: Vec::new(), nodes_before: 0 }
    }

    /// Returns the plan that locks the piece as `landing` says. From the first dangerous level on, it hides the next
    /// box, which makes the game's longest frames shorter.
    fn fly(&mut self, all: &Omniscient, landing: Landing) -> Option<Plan> {
        let mut buttons = self.timed.buttons(&all.seen.board, &all.flight(), landing)?;
        if all.seen.progress.level >= WATCH_LEVEL && !all.next_hidden {
            buttons[0] |= Buttons::SELECT;
        }
        Plan::fly(&all.seen, &buttons, Buttons::NONE).filter(|plan| plan.placement == landing.placement)
    }

    /// Returns the first choice after which the game is in play, or the least bad one. Landings of one choice that
    /// differ only in soft-drop rows lead to the same game, so all of them are tried before the next choice.
    fn safest(
        &mut self,
        all: &Omniscient,
        choices: &[BeamChoice],
        probe: &mut Probe<'_>,
    ) -> Option<(Health, BeamChoice, Plan)> {
        let mut best: Option<(Health, BeamChoice, Plan)> = None;
        let mut every = std::mem::take(&mut self.landings);
        self.timed.all_landings(&all.seen.board, &all.flight(), &mut every);
        'choices: for choice in choices.iter().take(PROBED_CHOICES) {
            let first = choice.landing;
            let others = every
                .iter()
                .filter(|l| (l.placement, l.frame) == (first.placement, first.frame) && l.hold != first.hold);
            for landing in std::iter::once(first).chain(others.copied()) {
                let Some(plan) = self.fly(all, landing) else { continue };
                let frames = choice.then.frame_counter.wrapping_sub(all.frame_counter);
                let mut tried = plan.buttons.clone();
                tried.resize(usize::from(frames) + AFTERMATH, Buttons::NONE);
                let health = probe(&tried);
                if best.as_ref().is_none_or(|(least, ..)| health < *least) {
                    best = Some((health, *choice, plan));
                }
                // A lag costs a frame and at most a new plan; the game goes on.
                if health <= Health::Lags {
                    break 'choices;
                }
            }
        }
        self.landings = every;
        best
    }
}

impl Clairvoyant for BeamPlayer {
    fn plan(&mut self, all: &Omniscient, probe: &mut Probe<'_>) -> Option<Foretold> {
        self.nodes_before = self.beam.nodes();
        if !self.beam.root().is_some_and(|root| all.agrees_with(root)) {
            self.beam.restart(all.state()?, all.flight());
        }
        self.beam.extend();
        let choices = self.beam.choices();
        let (choice, plan) = if all.seen.progress.level >= WATCH_LEVEL {
            let first = self.safest(all, &choices, probe);
            let (_, choice, plan) = match first {
                Some((health, ..)) if health <= Health::Lags => first,
                // A beam that has gone on for many pieces has few first moves left.
                _ => {
                    let root = *self.beam.root()?;
                    self.beam.restart(root, all.flight());
                    self.beam.extend();
                    let choices = self.beam.choices();
                    self.safest(all, &choices, probe)
                }
            }?;
            (choice, plan)
        } else {
            let choice = *choices.first()?;
            (choice, self.fly(all, choice.landing)?)
        };
        self.beam.commit(&choice);
        Some(Foretold { plan, then: choice.then })
    }

    fn nodes(&self) -> u64 {
        self.beam.nodes() - self.nodes_before
    }
}
