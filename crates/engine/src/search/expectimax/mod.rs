//! Expectimax over the piece in play, the next one, and the unknown ones with their true odds: [`Expectimax`].
//!
//! Leaves are worth what [`crate::eval::ntuple`] has learned. Rewards are real points, so a clear that reaches
//! the next level counts at that level, and play that ends at level 29 is not paid for what would follow.

mod candidates;
mod choice;
mod horizon;
mod hovering;
mod leaf;
mod pending;
mod previews;
mod rescue;
mod static_best;
mod unseen_next;
mod weigh;

use crate::Position;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::aggression::Aggression;
use super::parameters::{ExpectimaxParameters, Foresight, Widths};
use crate::eval::ntuple::Network;
use crate::eval::{Hazard, Shape};
use crate::limits::Limits;
use crate::movegen::{Start, placements, placements_with_charges};
use choice::{Choice, Replies};
use horizon::{Horizon, multiplier};
use maxout_rules::danger::WATCH_LEVEL;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress, Stop, line_points};
use pending::{ASKED, Asked};
pub use weigh::Weighed;

/// Points of one tetris at level 19: the unit of all values here.
const TETRIS: f32 = 24_000.0;

/// Levels at which a piece may fall at different speeds; the last one includes all above it.
const LEVELS: usize = 40;
/// Players come to boards on which fewer rows more wait for the right column only where they filled the left one by need, and know
/// them well.
const MIRROR_FROM: u32 = 4;

/// The search. It keeps a transposition table between decisions, because boards that were searched for one piece occur
/// again for the next.
#[derive(Clone, Debug)]
pub struct Expectimax {
    network: Arc<Network>,
    widths: Widths,
    /// The input limits for each piece, seen or unknown.
    input: Limits,
    parameters: ExpectimaxParameters,
    /// How much of a decision is made without the next piece, by level, for each of [`FallRule::ALL`].
    blind_shares: [[f32; LEVELS]; 3],
    /// The limit on leaves, if there is one, after which a decision goes no deeper.
    limits: Foresight,
    /// Leaves looked at in this decision, including those that values from the transposition table stand for.
    nodes: u64,
    horizon: Horizon,
    /// The learned hazard, and what it costs in tetrises beyond the price in the learned values, if that is not 0.
    caution: Option<(Arc<Hazard>, f32)>,
    /// How fast pieces fall, by the last decision.
    fall_rule: FallRule,
    /// How many more rows must wait for the right column than for the left one before a decision looks at all boards in a mirror.
    mirror_from: u32,
    /// Whether decisions look at boards in a mirror, whatever rows wait.
    mirror: Option<bool>,
    /// Whether the last decision did.
    in_mirror: bool,
    known: FxHashMap<Key, Known>,
    /// Buffers.
    reachable: Vec<Placement>,
    leaves: Vec<(Placement, Board, Locked)>,
    asked: Vec<Asked>,
}

/// A board after some placements.
#[derive(Clone, Copy, Debug)]
struct Node {
    board: Board,
    shape: Shape,
    progress: Progress,
    /// Reward of the last placement, in tetrises at level 19: its points less what its lines pay on average.
    reward: f32,
    /// The counter of the auto-shift with which the next piece begins.
    das: u8,
    /// Reward and estimate of what follows, discounted to the last placement.
    total: f32,
}

impl Node {
    /// The board that a decision is about.
    fn root(board: &Board, progress: Progress) -> Self {
        Self {
            board: *board,
            shape: Shape::of(board),
            progress,
            reward: 0.0,
            das: Start::CHARGED,
            total: 0.0,
        }
    }
}

/// The board after a placement, lines and level, and the reward.
type Locked = (Shape, Progress, f32);

/// What the value of a node depends on, whatever piece comes next.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct Key {
    board: Board,
    lines: u16,
    level: u8,
    /// The number of unknown pieces that follow the first, and the ply of deepening, whose widths count if there are
    /// any; and whether boards are looked at in a mirror.
    depth: u8,
}

impl Key {
    fn of(node: &Node, depth: usize, more: usize, in_mirror: bool) -> Self {
        let depth = if more == 0 { 0 } else { depth * 16 + more };
        let depth = (2 * depth + usize::from(in_mirror)) as u8;
        Self { board: node.board, lines: node.progress.lines() as u16, level: node.progress.level, depth }
    }
}

/// The value of a node, as the transposition table keeps it.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// The value for each piece that may come next.
    values: [f32; 7],
    /// The placements of each of these pieces that are best for some piece after it.
    replies: [Replies; 7],
    /// How many leaves it took.
    nodes: u32,
}

/// A placement and what it is worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PlacementValue {
    /// Where the piece locks.
    pub placement: Placement,
    /// The expected points of this placement and of what follows, until the goal; in games without one, until at least 512
    /// more lines.
    pub value: f32,
}

impl Expectimax {
    /// Makes a search with these leaf values and widths, in which every piece is played within the input limits
    /// `input`. A network for levels 19 to 28 is left out where the limits differ from those it learned with.
    pub fn new(network: Arc<Network>, widths: Widths, input: Limits) -> Self {
        let network = match network.plateau() {
            Some(_) if !input.have_plateau() => Arc::new(network.without_plateau()),
            _ => network,
        };
        let parameters = ExpectimaxParameters::DEFAULT;
        Self {
            horizon: Horizon::new(&parameters, Stop::Level29, network.clone(), input),
            network,
            widths,
            input,
            parameters,
            blind_shares: FallRule::ALL
                .map(|rule| std::array::from_fn(|level| input.sight(level as u8, rule).blind_share())),
            limits: Foresight::DEFAULT,
            nodes: 0,
            caution: None,
            fall_rule: FallRule::Ntsc,
            mirror_from: MIRROR_FROM,
            mirror: None,
            in_mirror: false,
            known: FxHashMap::default(),
            reachable: Vec::new(),
            leaves: Vec::new(),
            asked: vec![Asked::default(); ASKED],
        }
    }

    /// The same search, which goes no deeper after the nodes of `limits`. Equal limits give equal moves, whatever was searched before.
    pub fn with_foresight(self, limits: Foresight) -> Self {
        Self { limits, ..self }
    }

    /// The same search, which looks at all boards of a decision in a mirror if [this number of rows more](Shape::opens_right) wait for the
    /// right column than for the left one before it.
    pub(crate) fn with_mirror_from(self, rows: u32) -> Self {
        Self { mirror_from: rows, ..self }
    }

    /// Whether a decision may look at this number of boards.
    pub(crate) fn looks_at(&self, boards: u64) -> bool {
        self.limits.nodes.is_none_or(|nodes| nodes >= boards)
    }

    /// The same search without deepening, and with nothing kept of what it has seen.
    pub(crate) fn at_sight_alone(&self) -> Self {
        let limits = Foresight { nodes: Some(1), ..Foresight::DEFAULT };
        Self { known: FxHashMap::default(), ..self.clone() }.with_foresight(limits)
    }

    /// The same search for games that end at this goal.
    pub fn with_goal(self, goal: Stop) -> Self {
        let horizon = Horizon::new(&self.parameters, goal, self.network.clone(), self.input);
        Self { horizon, known: FxHashMap::default(), ..self }
    }

    /// The same search with this aggression: it takes more or less risk for points.
    pub fn with_aggression(self, aggression: Aggression) -> Self {
        let caution = (aggression != Aggression::NORMAL).then(|| (Hazard::embedded(), aggression.caution()));
        Self { caution, known: FxHashMap::default(), ..self }
    }

    /// The same search with the normal aggression, or `None` if this one already has it.
    pub(crate) fn even(&self) -> Option<Self> {
        self.caution.is_some().then(|| self.clone().with_aggression(Aggression::NORMAL))
    }

    /// Returns the input limits within which every piece is played.
    pub const fn input_limits(&self) -> Limits {
        self.input
    }

    /// Returns how many leaves the last decision looked at, including those that values from the transposition table
    /// stand for.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Returns the best placement of the piece in play, if the next piece follows and then unknown pieces, or `None` if
    /// there is no placement or the next piece is not known.
    pub fn best(&mut self, position: &Position) -> Option<Placement> {
        if self.widths.deeper.is_empty() {
            return self.best_at_sight(position);
        }
        self.rank(position).first().map(|ranked| ranked.placement)
    }

    /// Returns those placements of the piece in play that the widths keep, best first. Placements that were dropped
    /// early were searched less deeply than those before them. If all of them lose the game, they are in the order of their static
    /// evaluation. The list is empty if the next piece is not known: [`Expectimax::weigh`] can do without.
    pub fn rank(&mut self, position: &Position) -> Vec<PlacementValue> {
        let Position { board, start, next, progress } = position;
        let (piece, progress) = (start.orientation.piece(), *progress);
        let &Some(next) = next else { return Vec::new() };
        self.begin(board, start, progress);
        let root = Node::root(board, progress);
        let all = self.first(&root, start, piece, Some(next), None);
        let first = &all[..all.len().min(self.widths.first)];
        let mut candidates = self.candidates(first, next);
        let at_sight = self.nodes;
        let discount = self.parameters.discount;
        self.deepen(&mut candidates, next, discount * discount, &mut |_, _| {});
        if let Some(limit) = self.limits.nodes {
            // Leaves beyond the limit were not used.
            self.nodes = self.nodes.min(limit.max(at_sight));
        }
        let mut ranked: Vec<_> = candidates.iter().map(|found| (found.placement, found.total)).collect();
        // A placement after which the next piece ends the game is no candidate. It comes last.
        let is_candidate =
            |placement: &Placement| candidates.iter().any(|found| found.placement == *placement);
        let alone = first.iter().filter(|(placement, _)| !is_candidate(placement));
        let lost = |node: &Node| node.reward + discount * self.lost(node.progress);
        let mut alone: Vec<_> = alone.map(|(placement, node)| (*placement, lost(node))).collect();
        // If all is lost, the static evaluation decides which comes first.
        if !ranked.is_empty() {
            alone.sort_by(|a, b| b.1.total_cmp(&a.1));
        }
        ranked.extend(alone);
        let top = ranked.first().map_or(0.0, |&(_, top)| top);
        let rescued = self.rescue(&all, next, progress, top);
        if !rescued.is_empty() {
            ranked = rescued.iter().map(|rescued| (rescued.placement, top - rescued.loss)).collect();
        }
        let lines = self.horizon.pays(progress);
        let ranked = ranked.into_iter();
        ranked
            .map(|(placement, total)| PlacementValue { placement, value: in_points(lines, total) })
            .collect()
    }

    /// Gets ready for a decision.
    fn begin(&mut self, board: &Board, start: &Start, progress: Progress) {
        if self.known.len() > self.parameters.most_known {
            self.known.clear();
        }
        self.in_mirror = self.mirror.unwrap_or_else(|| Shape::of(board).opens_right(self.mirror_from));
        self.fall_rule = start.fall_rule;
        self.bound(progress);
        self.nodes = 0;
    }

    /// The speed of fall at a level, as the network numbers them.
    #[inline]
    fn speed(&self, level: u8) -> usize {
        self.network.speed(level, self.fall_rule)
    }

    /// Decides whether the goal is ahead.
    fn bound(&mut self, progress: Progress) {
        if self.horizon.begin(progress, self.fall_rule) {
            self.known.clear();
        }
    }

    /// Returns the placements of the piece in play and `also`, evaluated for the next piece, best first.
    fn first(
        &mut self,
        root: &Node,
        start: &Start,
        piece: Piece,
        next: Option<Piece>,
        also: Option<Placement>,
    ) -> Vec<(Placement, Node)> {
        let mut reachable = std::mem::take(&mut self.reachable);
        let mut charges = placements_with_charges(&root.board, start, self.input, &mut reachable);
        reachable.extend(also.filter(|also| !reachable.contains(also) && also.can_rest(&root.board, piece)));
        let mut first = Vec::with_capacity(reachable.len());
        charges.resize(reachable.len(), Start::CHARGED);
        for (&placement, das) in reachable.iter().zip(charges) {
            let mut node = self.after(root, placement);
            node.das = das;
            let missing = f32::from(Start::CHARGED - das) / f32::from(Start::CHARGED);
            node.reward -= self.parameters.uncharged * missing;
            node.total =
                node.reward + self.parameters.discount * self.leaf(&node.shape, node.progress, next, piece);
            first.push((placement, node));
        }
        self.reachable = reachable;
        first.sort_by(|a, b| b.1.total.total_cmp(&a.1.total));
        first
    }

    /// Returns what follows `node`, for each piece that may come next, or `None` if that takes more nodes than
    /// the limits allow.
    fn look(&mut self, node: &Node, depth: usize, more: usize) -> Option<Known> {
        if self.is_spent() {
            return None;
        }
        let key = Key::of(node, depth, more, self.in_mirror);
        if let Some(known) = self.known.get(&key).copied() {
            self.nodes += u64::from(known.nodes);
            // The leaves count as if they were searched now.
            return (!self.is_spent()).then_some(known);
        }
        let before = self.nodes;
        let choices = if more == 0 {
            Piece::ALL.map(|piece| self.at_sight(node, piece))
        } else {
            let replies = self.replies_before(node, depth, more)?;
            let mut choices = [Choice::default(); 7];
            for (piece, choice) in Piece::ALL.into_iter().zip(&mut choices) {
                *choice = self.deeper_choice(node, piece, &replies[piece as usize], (depth, more))?;
            }
            choices
        };
        (!self.is_spent()).then(|| self.keep(node, key, &choices, before))
    }

    /// Keeps, and returns, what follows `node` if these are the choices for the pieces that may come next. `before` is the number of
    /// leaves before they were made.
    fn keep(&mut self, node: &Node, key: Key, choices: &[Choice; 7], before: u64) -> Known {
        let of = |piece: Piece| &choices[piece as usize];
        let value = |piece: Piece| of(piece).value(piece).unwrap_or_else(|| self.lost(node.progress));
        let known = Known {
            values: Piece::ALL.map(value),
            replies: Piece::ALL.map(|piece| of(piece).replies(piece)),
            nodes: (self.nodes - before) as u32,
        };
        self.known.insert(key, known);
        known
    }

    /// Returns which of `replies`, placements of `piece`, are the best for each piece after it, as in [`Expectimax::look`].
    /// Returns `None` if that takes more nodes than the limits allow.
    fn deeper_choice(
        &mut self,
        node: &Node,
        piece: Piece,
        replies: &Replies,
        (depth, more): (usize, usize),
    ) -> Option<Choice> {
        let mut choice = Choice::default();
        let tried = self.widths.ply(depth).map_or(0, |ply| ply.replies);
        for &placement in replies.iter().take(tried).flatten() {
            let reply = self.after(node, placement);
            let behind = self.look(&reply, depth, more - 1)?.values;
            choice.offer(placement, self.prospects(reply.reward, behind, piece, node.progress.level));
        }
        Some(choice)
    }

    /// Returns what a placement of `piece` is worth for each piece after it, if it pays `reward` and what follows is worth
    /// `behind`. As far as the next piece is not seen in time, that is the expectation over it ([`Expectimax::as_seen`]).
    #[inline]
    fn prospects(&self, reward: f32, behind: [f32; 7], piece: Piece, level: u8) -> [f32; 7] {
        self.as_seen(behind, piece, level).map(|value| reward + self.parameters.discount * value)
    }

    /// Returns the placements of each piece that the ply before found best.
    fn replies_before(&mut self, node: &Node, depth: usize, more: usize) -> Option<[Replies; 7]> {
        if let Some(known) = self.known.get(&Key::of(node, depth - 1, more - 1, self.in_mirror)) {
            return Some(known.replies);
        }
        Some(self.look(node, depth - 1, more - 1)?.replies)
    }

    /// Whether the limit on nodes is reached.
    fn is_spent(&self) -> bool {
        self.limits.nodes.is_some_and(|limit| self.nodes >= limit)
    }

    /// Returns the placements of `piece` and the board after each, in the buffer that the caller must give back.
    /// Placements that leave more holes than another one, by the hole margin or more, are left out.
    fn locked(&mut self, node: &Node, piece: Piece) -> Vec<(Placement, Board, Locked)> {
        let spawn = Start::spawn(piece, node.progress.level);
        let start = Start { das: node.das, fall_rule: self.fall_rule, ..spawn };
        placements(&node.board, &start, self.input, &mut self.reachable);
        let mut leaves = std::mem::take(&mut self.leaves);
        leaves.clear();
        let lock = |&placement: &Placement| {
            let (board, locked) = self.lock(node, placement);
            (placement, board, locked)
        };
        leaves.extend(self.reachable.iter().map(lock));
        let holes = |leaf: &(Placement, Board, Locked)| leaf.2.0.all_holes();
        if let Some(fewest) = leaves.iter().map(holes).min() {
            let ExpectimaxParameters { hole_margin, plateau_hole_margin, .. } = self.parameters;
            let on_plateau = self.network.plateau().is_some() && self.speed(node.progress.level) == 0;
            let margin = if on_plateau { plateau_hole_margin } else { hole_margin };
            leaves.retain(|leaf| holes(leaf) < fewest + margin);
        }
        leaves
    }

    fn after(&self, node: &Node, placement: Placement) -> Node {
        let (board, (shape, progress, reward)) = self.lock(node, placement);
        Node { board, shape, progress, reward, das: Start::CHARGED, total: 0.0 }
    }

    /// Returns the board after a placement, and its shape, lines and reward.
    #[inline]
    fn lock(&self, node: &Node, placement: Placement) -> (Board, Locked) {
        let Node { mut board, mut progress, .. } = *node;
        let lines = board.lock(placement.x, placement.y, placement.orientation);
        if lines == 0 {
            return (board, (node.shape.with(placement), progress, 0.0));
        }
        progress.add_rows(lines);
        // Beyond what the lines pay on average.
        let mut reward = (self.horizon.pays(progress) - self.horizon.pays(node.progress)) as f32;
        if self.horizon.is_paid(node.progress) {
            reward += line_points(lines, progress.level) as f32 / TETRIS;
        }
        let level = node.progress.level;
        // The player hides the next box before such a clear.
        if level >= WATCH_LEVEL && self.horizon.is_fatal(node.progress, lines, progress) {
            reward -= self.parameters.crash * multiplier(level);
        }
        (board, (Shape::of(&board), progress, reward))
    }
}

/// Returns the points of `worth` and of what the lines ahead pay on average, both in tetrises at level 19.
fn in_points(lines: f64, worth: f32) -> f32 {
    ((lines + f64::from(worth)) * f64::from(TETRIS)) as f32
}
