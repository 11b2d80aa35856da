//! The rolling beam: one more piece is planned for each that is played.

use std::collections::{HashMap, HashSet, VecDeque};

use super::outlook::Outlook;
use super::state::{Clock, SoftDrop, State, spawn_after};
use super::worth::worth;
use crate::movegen::{Flight, Landing, Timed};
use crate::search::parameters::{BeamParameters, BoardWeights, Foresight};
use maxout_rules::danger::{Risk, WATCH_LEVEL, risk};
use maxout_rules::{Board, Piece, Placement, Progress, Stop, line_points};

/// How a round of planning ended.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Filled {
    /// Planning reached the horizon or the goal, or ran out of time.
    Enough,
    /// Every plan topped out.
    DeadEnd,
}

/// A state that some plan reaches.
#[derive(Clone, Copy, Debug)]
struct Node {
    state: State,
    /// Its predecessor in the ply before.
    parent: u32,
    /// How the piece before it locked.
    landing: Landing,
    /// The line points since the last restart.
    line_points: i64,
    /// The soft-drop points since then.
    soft: i64,
    finished: bool,
}

/// An afterstate: the board after a placement.
#[derive(Clone, Copy, Debug)]
struct After {
    board: Board,
    placement: Placement,
    parent: u32,
    rows: u8,
    progress: Progress,
    line_points: i64,
    value: i64,
    finished: bool,
}

/// A child that has not been chosen yet.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    after: u32,
    landing: Landing,
    soft: i32,
    frames: u16,
}

/// A plan for the piece in play: the first move of a longer plan.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BeamChoice {
    index: usize,
    /// How the piece in play locks.
    pub landing: Landing,
    /// The state at the next spawn.
    pub then: State,
}

/// The beam search. It continues from piece to piece as long as the game follows the plan.
pub struct Beam {
    foresight: Foresight,
    parameters: BeamParameters,
    goal: Stop,
    outlook: Option<Outlook>,
    soft_drop: SoftDrop,
    /// How the root's piece falls until it locks.
    flight: Option<Flight>,
    /// Ply 0 is the root alone. In each ply open states come first, best first, then finished ones.
    plies: VecDeque<Vec<Node>>,
    timed: Timed,
    landings: Vec<Landing>,
    afters: Vec<After>,
    candidates: Vec<Candidate>,
    /// Boards looked at so far.
    nodes: u64,
}

impl Beam {
    /// Makes a beam that plays for `goal`.
    pub fn new(foresight: Foresight, goal: Stop) -> Self {
        Self {
            foresight,
            parameters: BeamParameters::DEFAULT,
            goal,
            outlook: None,
            soft_drop: SoftDrop::new(),
            flight: None,
            plies: VecDeque::new(),
            timed: Timed::new(),
            landings: Vec::new(),
            afters: Vec::new(),
            candidates: Vec::new(),
            nodes: 0,
        }
    }

    /// Returns how many boards were looked at so far, in all plans.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the state with which the next plan begins.
    pub fn root(&self) -> Option<&State> {
        self.plies.front().and_then(|ply| ply.first()).map(|node| &node.state)
    }

    /// Forgets all plans and begins with `state`, whose piece is in the air as `flight` says.
    pub fn restart(&mut self, state: State, flight: Flight) {
        self.outlook = Some(Outlook::new(state.progress, self.goal, self.parameters));
        self.flight = Some(flight);
        self.plies.clear();
        let landing = Landing {
            placement: Placement { x: 0, y: 0, orientation: state.current.spawn() },
            frame: 0,
            hold: 0,
        };
        let root = Node { state, parent: 0, landing, line_points: 0, soft: 0, finished: false };
        self.plies.push_back(vec![root]);
    }

    /// Plans at least one piece ahead, up to the horizon. If every plan ends in a
    /// top-out before that, the search begins again from the root with a larger width.
    pub fn extend(&mut self) {
        let mut widening = 1;
        let BeamParameters { widening: factor, most_widening, .. } = self.parameters;
        while self.fill(widening) == Filled::DeadEnd && widening < most_widening {
            widening = widening.saturating_mul(factor.max(2));
            self.plies.truncate(1);
        }
    }

    fn fill(&mut self, widening: usize) -> Filled {
        while self.plies.len() <= self.foresight.horizon.max(1) {
            let broad = Foresight { width: self.foresight.width.saturating_mul(widening), ..self.foresight };
            // Only finished plans in the last ply: nothing is left to plan.
            let Some(ply) = self.expand(broad) else { return Filled::Enough };
            if ply.is_empty() {
                let finishes = self.plies.iter().flatten().any(|node| node.finished);
                return if finishes { Filled::Enough } else { Filled::DeadEnd };
            }
            self.plies.push_back(ply);
        }
        Filled::Enough
    }

    /// Returns the moves of the piece in play, ordered by the best plan that begins with each.
    pub fn choices(&self) -> Vec<BeamChoice> {
        let Some(first) = self.plies.get(1) else { return Vec::new() };
        let mut seen = vec![false; first.len()];
        let mut order = Vec::new();
        let mut add = |depth: usize, index: usize| {
            let root = self.ancestor(depth, index);
            if !std::mem::replace(&mut seen[root], true) {
                order.push(BeamChoice { index: root, landing: first[root].landing, then: first[root].state });
            }
        };
        if let Some((depth, index)) = self.best_finish() {
            add(depth, index);
        }
        for depth in (1..self.plies.len()).rev() {
            (0..self.plies[depth].len()).for_each(|index| add(depth, index));
        }
        order
    }

    /// Plays `choice`: its next state becomes the new root, and plans that begin differently are dropped.
    pub fn commit(&mut self, choice: &BeamChoice) {
        self.plies.pop_front();
        self.flight = None;
        let Some(first) = self.plies.front_mut() else { return };
        // Where each node of the ply before went.
        let mut moved: Vec<Option<u32>> =
            (0..first.len()).map(|i| (i == choice.index).then_some(0)).collect();
        first.swap(0, choice.index);
        first.truncate(1);
        for ply in self.plies.iter_mut().skip(1) {
            let mut next = vec![None; ply.len()];
            let mut kept = Vec::with_capacity(ply.len());
            for (i, node) in ply.iter().enumerate() {
                if let Some(parent) = moved[node.parent as usize] {
                    next[i] = Some(kept.len() as u32);
                    kept.push(Node { parent, ..*node });
                }
            }
            *ply = kept;
            moved = next;
        }
        while self.plies.len() > 1 && self.plies.back().is_some_and(Vec::is_empty) {
            self.plies.pop_back();
        }
    }

    /// Returns the finished plan to follow, if no unfinished plan promises more.
    fn best_finish(&self) -> Option<(usize, usize)> {
        let finishes = self.plies.iter().enumerate().flat_map(|(depth, ply)| {
            ply.iter().enumerate().filter(|(_, node)| node.finished).map(move |(i, node)| (depth, i, node))
        });
        let (depth, index, finish) =
            finishes.filter(|&(depth, ..)| depth > 0).max_by_key(|(depth, i, node)| {
                (node.line_points + node.soft, usize::MAX - depth, usize::MAX - i)
            })?;
        let outlook = self.outlook.as_ref()?;
        let open = self.plies.back()?.iter().filter(|node| !node.finished);
        let promised = open
            .map(|node| node.line_points + outlook.best_from(node.state.progress.lines()))
            .max()
            .unwrap_or(i64::MIN);
        let enough = self.parameters.promise.max(finish.line_points / self.parameters.promise_share.max(1));
        (promised < finish.line_points + enough).then_some((depth, index))
    }

    /// Returns the index in ply 1 of a node's ancestor.
    fn ancestor(&self, depth: usize, index: usize) -> usize {
        (2..=depth).rev().fold(index, |index, depth| self.plies[depth][index].parent as usize)
    }

    /// Returns the next ply, or `None` if there is no state to continue from.
    fn expand(&mut self, foresight: Foresight) -> Option<Vec<Node>> {
        let outlook = self.outlook.as_ref()?;
        let last = self.plies.back()?;
        // The same weights for all: a state must not lose by crossing a limit.
        let head = last.iter().find(|node| !node.finished)?;
        let weights = outlook.weights(head.state.progress.lines());
        // Points grow with the level, and the value of a board must grow with them.
        let scale = i64::from(head.state.progress.level.max(29)) + 1;
        let flight = if self.plies.len() == 1 { self.flight } else { None };
        let mut growth = Growth {
            outlook,
            soft_drop: &self.soft_drop,
            danger: self.parameters.danger,
            weights,
            scale,
            landings: &mut self.landings,
            afters: &mut self.afters,
            candidates: &mut self.candidates,
        };
        growth.afters.clear();
        growth.candidates.clear();
        for (parent, node) in (0u32..).zip(last).filter(|(_, node)| !node.finished) {
            let flight =
                flight.unwrap_or_else(|| Flight::spawn(node.state.current, node.state.progress.level));
            growth.grow(parent, node, &flight, &mut self.timed);
        }
        self.nodes += self.afters.len() as u64;
        Some(self.select(last, foresight))
    }

    /// Returns the best candidates, in order: no two are alike, and only a few have the same board.
    fn select(&self, parents: &[Node], foresight: Foresight) -> Vec<Node> {
        let Self { candidates, afters, parameters, .. } = self;
        let after = |c: &Candidate| &afters[c.after as usize];
        let mut keys: Vec<(i64, u32)> = (0u32..)
            .zip(candidates)
            .filter(|(_, c)| !after(c).finished)
            .map(|(i, c)| (-after(c).value - i64::from(c.soft), i))
            .collect();
        let mut clocks: HashMap<u32, Clock> = HashMap::new();
        let mut node = |index: u32| {
            let candidate = &candidates[index as usize];
            let parent = after(candidate).parent;
            let of = &parents[parent as usize];
            let clock = clocks.entry(parent).or_insert_with(|| Clock::new(&of.state.generator));
            born(of, after(candidate), candidate, clock)
        };
        let pool = parameters.pool.saturating_mul(foresight.width).min(keys.len());
        if pool < keys.len() {
            keys.select_nth_unstable(pool);
            keys[..pool].sort_unstable();
        } else {
            keys.sort_unstable();
        }
        let mut chosen = Vec::with_capacity(foresight.width.min(keys.len()));
        let per_board = parameters.per_board(foresight.width);
        let mut boards: HashMap<Board, u8> = HashMap::new();
        let mut seen: HashSet<(Board, Piece, Piece, u16, u16)> = HashSet::new();
        let mut i = 0;
        while i < keys.len() && chosen.len() < foresight.width {
            if i == pool {
                keys[pool..].sort_unstable();
            }
            let (_, index) = keys[i];
            i += 1;
            let count = boards.entry(after(&candidates[index as usize]).board).or_default();
            if *count >= per_board {
                continue;
            }
            let node = node(index);
            let State { board, current, next, generator, frame_counter, .. } = node.state;
            if seen.insert((board, current, next, generator.lfsr.0, frame_counter & 3)) {
                *count += 1;
                chosen.push(node);
            }
        }
        let mut finished: Vec<(i64, u32)> = (0u32..)
            .zip(candidates)
            .filter(|(_, c)| after(c).finished)
            .map(|(i, c)| (-after(c).value - i64::from(c.soft), i))
            .collect();
        finished.sort_unstable();
        chosen.extend(finished.into_iter().take(parameters.finishes).map(|(_, index)| node(index)));
        chosen
    }
}

/// Makes the candidates of one ply.
struct Growth<'a> {
    outlook: &'a Outlook,
    soft_drop: &'a SoftDrop,
    /// What a clear costs that can crash the game while others cannot.
    danger: i64,
    weights: BoardWeights,
    /// How much the board's value counts, in thirtieths.
    scale: i64,
    landings: &'a mut Vec<Landing>,
    afters: &'a mut Vec<After>,
    candidates: &'a mut Vec<Candidate>,
}

impl Growth<'_> {
    /// Makes all children of `node`.
    fn grow(&mut self, parent: u32, node: &Node, flight: &Flight, timed: &mut Timed) {
        let worth = self.soft_drop.points(node.state.cents);
        timed.landings(&node.state.board, flight, worth, self.landings);
        let first = self.afters.len();
        for i in 0..self.landings.len() {
            let landing = self.landings[i];
            let seen = self.afters[first..].iter().position(|a| a.placement == landing.placement);
            let after = seen.map_or_else(
                || {
                    let after = self.lock(parent, node, landing.placement);
                    self.afters.push(after);
                    self.afters.len() - 1
                },
                |at| first + at,
            );
            if self.afters[after].value == i64::MIN {
                continue;
            }
            let rows = self.afters[after].rows;
            let frames = spawn_after(&landing, rows, node.state.frame_counter);
            let soft = worth[usize::from(landing.hold)];
            self.candidates.push(Candidate { after: after as u32, landing, soft, frames });
        }
    }

    /// Returns the afterstate of a placement. It is worth `i64::MIN` if the next piece has no room to enter.
    fn lock(&self, parent: u32, node: &Node, placement: Placement) -> After {
        let Placement { x, y, orientation: id } = placement;
        let mut board = node.state.board;
        let rows = board.lock(x, y, id);
        let before = node.state.progress;
        let mut progress = before;
        progress.add_rows(rows);
        let points = if rows > 0 { line_points(rows, progress.level) as i64 } else { 0 };
        let finished = self.outlook.is_reached(progress.lines());
        let line_points = node.line_points + points;
        let mut value = line_points + node.soft + self.outlook.best_from(progress.lines());
        if before.level >= WATCH_LEVEL && risk(rows, progress.level, true) == Risk::Band {
            value -= self.danger;
        }
        if !finished {
            if board.is_valid(5, 0, node.state.next.spawn()) {
                value += i64::from(worth(&board, &self.weights)) * self.scale / 30;
            } else {
                value = i64::MIN;
            }
        }
        After { board, placement, parent, rows, progress, line_points, value, finished }
    }
}

/// Returns the node that a candidate becomes.
fn born(parent: &Node, after: &After, candidate: &Candidate, clock: &Clock) -> Node {
    let state = &parent.state;
    let mut generator = clock.after(&state.generator, candidate.frames);
    let next = generator.pick();
    let points = after.line_points - parent.line_points + i64::from(candidate.soft);
    let state = State {
        board: after.board,
        current: state.next,
        next: next.piece().unwrap_or(state.next),
        generator,
        frame_counter: state.frame_counter.wrapping_add(candidate.frames),
        progress: after.progress,
        cents: (i64::from(state.cents) + points).rem_euclid(100) as u8,
    };
    Node {
        state,
        parent: after.parent,
        landing: candidate.landing,
        line_points: after.line_points,
        soft: parent.soft + i64::from(candidate.soft),
        finished: after.finished,
    }
}
