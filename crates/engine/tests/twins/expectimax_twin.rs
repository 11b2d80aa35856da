//! The search against its naive twin: plain recursion over all that the widths keep, without a table of known boards,
//! without shapes that are carried along, without buffers.

mod games;
mod worth;

use std::borrow::Cow;
use std::cell::{Cell, OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maxout_engine::Position;
use maxout_engine::eval::ntuple::{MOST_SPEEDS, Network, odds};
use maxout_engine::eval::{Hazard, Rescue, Shape, weights};
use maxout_engine::limits::{Limits, Presses, Reaction, TapTable};
use maxout_engine::movegen::{Start, placements};
use maxout_engine::search::{Aggression, Expectimax, PlacementValue, Ply, Widths};
use maxout_rules::danger::{Risk, risk};
use maxout_rules::{Board, FallRule, Piece, Placement, Progress, Stop, line_points};

use crate::grids::{Dice, board, stack};
use worth::{lines_to, pay};

const GAMMA: f32 = 0.99;
/// How much worse than the best a placement may be to be searched where the next piece is not seen, in tetrises.
const BLIND_MARGIN: f32 = 1.0;
/// How good the best placement must be for its value to be trusted, in tetrises against an ordinary board, whose merit is the second number.
const TRUSTED: [f32; 2] = [-7.5, -0.25];
/// What a point of the rescue's cost counts, in tetrises.
const RESCUE_COST: f32 = 0.02;

/// A board after a placement, and what was paid for it in tetrises of level 19.
#[derive(Clone, Copy)]
struct Node {
    board: Board,
    progress: Progress,
    reward: f32,
}

/// A placement of the next piece, the board after it and the rewards so far.
type Pair = (Placement, Node, f32);

struct Twin<'a> {
    network: &'a Network,
    widths: &'a Widths,
    limits: Limits,
    /// Where the game ends.
    goal: Stop,
    /// Whether that is ahead.
    bounded: bool,
    fall_rule: FallRule,
    /// Lines and level at the decision.
    root: Progress,
    /// What a lost game costs beyond what the value says, in tetrises at the level of play.
    caution: f32,
    /// Whether boards up to level 28 are seen in a mirror, because the right column is open before the decision.
    in_mirror: Cell<bool>,
    /// The value of the empty board at each speed of fall, computed on first use.
    empty: [OnceCell<f32>; MOST_SPEEDS],
    /// How often the rescue compared placements.
    rescues: Cell<u32>,
    /// Whether there is a way through the levels at which clears crash the game, by lines, as far as it was asked for.
    ways: RefCell<BTreeMap<u32, bool>>,
}

fn cells(board: &Board) -> u32 {
    board.visible().iter().map(|row| row.count_ones()).sum()
}

/// Whether four more rows lack only the right cell than lack only the left one.
fn opens_right(board: &Board) -> bool {
    let lacking = |cell: u16| board.visible().iter().filter(|&&row| row == 0x3FF & !cell).count();
    lacking(1 << 9) >= lacking(1) + 4
}

fn descending(a: f32, b: f32) -> Ordering {
    b.total_cmp(&a)
}

impl<'a> Twin<'a> {
    fn new(network: &'a Network, widths: &'a Widths, limits: Limits, progress: Progress) -> Self {
        let goal = Stop::Level29;
        let bounded = progress.level < 29;
        Self {
            network,
            widths,
            limits,
            goal,
            bounded,
            fall_rule: FallRule::Ntsc,
            root: progress,
            caution: 0.0,
            in_mirror: Cell::new(false),
            empty: Default::default(),
            rescues: Cell::new(0),
            ways: RefCell::default(),
        }
    }

    /// The estimate after `last`, before the next piece is known.
    fn estimate(&self, node: &Node, last: Piece) -> f32 {
        let shape = Shape::of(&node.board);
        let value = |speed| {
            if !self.is_mirrored(speed) {
                return [self.network.expected_at(&shape, speed, last); 7];
            }
            let values = self.values(&node.board, speed);
            [expectation(last, |next| values[next]); 7]
        };
        let [merit, ..] = self.merits(node.progress, [cells(&node.board); 2], value);
        self.worth(node.progress, merit, self.fear(|hazard| hazard.expected(&shape, last)))
    }

    fn is_mirrored(&self, speed: usize) -> bool {
        self.in_mirror.get() && [0, 1, MOST_SPEEDS - 1].contains(&speed)
    }

    /// The value of a board for each next piece, by its mirror image if that is how boards are seen.
    fn values(&self, board: &Board, speed: usize) -> [f32; 7] {
        if !self.is_mirrored(speed) {
            return self.network.values_at(&Shape::of(board), speed);
        }
        let image = self.network.values_at(&Shape::of(&board.mirrored()), speed);
        Piece::ALL.map(|next| image[next.mirrored() as usize])
    }

    /// What the danger costs.
    fn fear(&self, danger: impl Fn(&Hazard) -> f32) -> f32 {
        if self.caution == 0.0 { 0.0 } else { self.caution * danger(&Hazard::embedded()) }
    }

    fn lock(&self, node: &Node, placement: Placement) -> Node {
        let Node { mut board, mut progress, .. } = *node;
        let paid = !self.bounded || !self.is_over(progress);
        let lines = board.lock(placement.x, placement.y, placement.orientation).min(4);
        progress.add_rows(lines);
        let points = if paid && lines > 0 { line_points(lines, progress.level) as f32 } else { 0.0 };
        let mean = self.mean(node.progress) - self.mean(progress);
        let ends = |progress| !self.has_way(progress);
        let crash = lines > 0
            && (risk(lines, progress.level, true) == Risk::Band || ends(progress) && !ends(node.progress));
        let crash = if crash { 20.0 * pay(node.progress.level) } else { 0.0 };
        Node { board, progress, reward: points / 24_000.0 - mean as f32 - crash }
    }

    /// Whether clears that need not crash the game lead from here to the end of the lines that count, or beyond the dangerous levels.
    fn has_way(&self, now: Progress) -> bool {
        if self.bounded && self.is_over(now) || now.level < 138 || now.level > 190 {
            return true;
        }
        if let Some(&known) = self.ways.borrow().get(&now.lines()) {
            return known;
        }
        let way = (1..=4).any(|lines| {
            let mut after = now;
            after.add_rows(lines);
            risk(lines, after.level, true) != Risk::Band && self.has_way(after)
        });
        self.ways.borrow_mut().insert(now.lines(), way);
        way
    }

    /// All replies that do not leave three more holes than another; two, where the network of the plateau is used.
    fn replies(&self, node: &Node, piece: Piece) -> Vec<(Placement, Node)> {
        let mut reachable = Vec::new();
        let start = Start::spawn(piece, node.progress.level).by(self.fall_rule);
        placements(&node.board, &start, self.limits, &mut reachable);
        let all: Vec<_> = reachable.into_iter().map(|p| (p, self.lock(node, p))).collect();
        let holes: Vec<u8> = all.iter().map(|(_, node)| Shape::of(&node.board).all_holes()).collect();
        let fewest = holes.iter().min().copied().unwrap_or(0);
        let on_plateau = (19..=28).contains(&node.progress.level) && self.network.plateau().is_some();
        let margin = if on_plateau { 2 } else { 3 };
        all.into_iter()
            .zip(holes)
            .filter(|(_, holes)| *holes < fewest + margin)
            .map(|(reply, _)| reply)
            .collect()
    }

    /// How much of the decision about a piece that falls on this board is made without the next one.
    fn blind(&self, node: &Node) -> f32 {
        let level = node.progress.level;
        let Reaction::Frames(frames) = self.limits.reaction else { return 1.0 };
        let four_shifts = match self.limits.presses {
            Presses::Table(TapTable::HZ_24) => 10,
            Presses::Table(TapTable::HZ_20) => 12,
            Presses::Table(TapTable::HZ_15) => 16,
            Presses::Table(TapTable::SLOW_5) => 18,
            Presses::Table(TapTable::HZ_12) => 20,
            Presses::Table(TapTable::HZ_10) => 24,
            _ => 8,
        };
        let frames = i32::from(frames);
        // Fourteen rows of three frames each, or of two.
        let too_late = match level {
            39.. if self.fall_rule == FallRule::DoubleKillscreen => {
                return if frames < 8 { 0.0 } else { 1.0 };
            }
            29.. => return if frames < 15 { 0.0 } else { 1.0 },
            19.. => frames + four_shifts - 28,
            _ => frames + four_shifts - 42,
        };
        if frames == 0 || too_late < 5 {
            0.0
        } else if too_late < 15 {
            0.5
        } else {
            1.0
        }
    }

    /// What the learned value says of a board before each of the seven pieces, after `last` was placed.
    fn estimates(&self, node: &Node, last: Piece, blind: f32) -> [f32; 7] {
        let seen = self.estimates_before(node);
        if blind == 0.0 {
            return seen;
        }
        let alone = self.estimate(node, last);
        seen.map(|value| (1.0 - blind) * value + blind * alone)
    }

    fn estimates_before(&self, node: &Node) -> [f32; 7] {
        let shape = Shape::of(&node.board);
        let value = |speed| self.values(&node.board, speed);
        let merits = self.merits(node.progress, [cells(&node.board); 2], value);
        Piece::ALL.map(|next| {
            let is_mirrored = self.is_mirrored(self.network.speed(node.progress.level, self.fall_rule));
            let image = Shape::of(&node.board.mirrored());
            let danger = |hazard: &Hazard| {
                if is_mirrored { hazard.before(&image, next.mirrored()) } else { hazard.before(&shape, next) }
            };
            let fear = self.fear(danger);
            self.worth(node.progress, merits[next as usize], fear)
        })
    }

    /// What a lost game is worth.
    fn lost(&self, node: &Node) -> f32 {
        let deaths = self.network.deaths();
        let [merit, ..] = self.merits(node.progress, [70, 0], |speed| [deaths[speed]; 7]);
        self.worth(node.progress, merit, self.caution)
    }

    /// What `node` is worth before `piece` comes into play, at a ply of deepening; `more` unknown pieces follow that one.
    fn before(&self, node: &Node, piece: Piece, depth: usize, more: usize) -> f32 {
        let best = self.choice(node, piece, depth, more);
        if best.is_empty() { self.lost(node) } else { expectation(piece, |next| best[next].1) }
    }

    /// For each piece that may come after `piece`, the best placement of `piece` and what it is worth; empty if there is none.
    fn choice(&self, node: &Node, piece: Piece, depth: usize, more: usize) -> Vec<(Placement, f32)> {
        let blind = self.blind(node);
        let mut values: Vec<(Placement, [f32; 7])> = Vec::new();
        if more == 0 {
            for (placement, reply) in self.replies(node, piece) {
                let total = |value: f32| reply.reward + GAMMA * value;
                values.push((placement, self.estimates(&reply, piece, blind).map(total)));
            }
        } else {
            // Of those that the ply before found best, the most likely.
            let kept = likely(piece, &self.choice(node, piece, depth - 1, more - 1));
            let replies = self.plies().nth(depth).expect("a ply").replies;
            for &placement in kept.iter().take(replies.min(3)) {
                let reply = self.lock(node, placement);
                let total = |next| reply.reward + GAMMA * self.before(&reply, next, depth, more - 1);
                let totals = Piece::ALL.map(total);
                values.push((placement, to_the_blind(blind, piece, totals)));
            }
        }
        best_of(&values)
    }

    fn rank(&self, board: &Board, start: &Start, next: Piece, progress: Progress) -> Vec<PlacementValue> {
        let root = Node { board: *board, progress, reward: 0.0 };
        self.in_mirror.set(opens_right(board));
        let mut reachable = Vec::new();
        placements(board, start, self.limits, &mut reachable);
        let seen = |node: &Node| node.reward + GAMMA * self.estimates_before(node)[next as usize];
        let locked = reachable.iter().map(|&p| (p, self.lock(&root, p)));
        let mut first: Vec<_> = locked.map(|(p, node)| (p, node, seen(&node))).collect();
        first.sort_by(|a, b| descending(a.2, b.2));
        first.truncate(self.widths.first);
        let mut all: Vec<(Placement, Vec<Pair>, f32)> = Vec::new();
        for (placement, node, _) in &first {
            let best = self.choice(node, next, 0, 0);
            if best.is_empty() {
                continue;
            }
            let pair = |reply| {
                let after = self.lock(node, reply);
                (reply, after, node.reward + GAMMA * after.reward)
            };
            let pairs = likely(next, &best).into_iter().map(pair).collect();
            all.push((*placement, pairs, node.reward + GAMMA * expectation(next, |then| best[then].1)));
        }
        all.sort_by(|a, b| descending(a.2, b.2));
        let mut kept = all.len();
        for (depth, ply) in self.widths.deeper.iter().enumerate() {
            let Some(best) = all.first().map(|best| best.2) else { break };
            let near = all[..kept].iter().filter(|other| other.2 >= best - ply.margin).count();
            kept = near.min(ply.candidates);
            if kept < 2 {
                break;
            }
            for (_, pairs, total) in &mut all[..kept] {
                let value = |(placement, node, rewards): &Pair| {
                    let then = |then| rewards + GAMMA * GAMMA * self.before(node, then, depth, depth);
                    (*placement, to_the_blind(self.blind(node), next, Piece::ALL.map(then)))
                };
                let best = best_of(&pairs.iter().map(value).collect::<Vec<_>>());
                *total = expectation(next, |then| best[then].1);
            }
            all[..kept].sort_by(|a, b| descending(a.2, b.2));
        }
        let mut ranked: Vec<PlacementValue> = Vec::new();
        let totals = all.iter().map(|found| (found.0, found.2));
        let is_end =
            |(placement, ..): &&(Placement, Node, f32)| all.iter().all(|found| found.0 != *placement);
        let end = |(placement, node, _): &(Placement, Node, f32)| {
            (*placement, node.reward + GAMMA * self.lost(node))
        };
        let mut ends: Vec<_> = first.iter().filter(is_end).map(end).collect();
        if !all.is_empty() {
            ends.sort_by(|a, b| descending(a.1, b.1));
        }
        let mut totals: Vec<(Placement, f32)> = totals.chain(ends).collect();
        if let Some(&(_, top)) = totals.first() {
            let rescued = self.rescued(&root, reachable, next, top);
            if !rescued.is_empty() {
                self.rescues.set(self.rescues.get() + 1);
                totals = rescued;
            }
        }
        for (placement, total) in totals {
            if ranked.iter().all(|other| other.placement != placement) {
                let value = 24_000.0 * (f64::from(total) + self.mean(progress));
                ranked.push(PlacementValue { placement, value: value as f32 });
            }
        }
        ranked
    }

    /// Where the best placement is worth `top` and that is too little to be trusted, those that can be followed by the next piece, by what the
    /// rescue says of the boards behind both.
    fn rescued(
        &self,
        root: &Node,
        reachable: Vec<Placement>,
        next: Piece,
        top: f32,
    ) -> Vec<(Placement, f32)> {
        let [below, ordinary] = TRUSTED;
        let [usual, more] = [0.0, 1.0].map(|more| self.worth(root.progress, ordinary + more, 0.0));
        let is_slow = self.limits.presses == Presses::Table(TapTable::HZ_10);
        if top >= usual + below * (more - usual) || root.progress.level >= 29 || is_slow {
            return Vec::new();
        }
        let mut costs: Vec<(Placement, f32)> = Vec::new();
        for placement in reachable {
            let first = self.lock(root, placement);
            let start = Start::spawn(next, first.progress.level).by(self.fall_rule);
            let mut replies = Vec::new();
            placements(&first.board, &start, self.limits, &mut replies);
            let cost = |&reply: &Placement| {
                let both = self.lock(&first, reply);
                let lines = both.progress.lines() - root.progress.lines();
                Rescue::SHIPPED.cost(&both.board, &[placement, reply], lines as u8)
            };
            costs.extend(replies.iter().filter_map(cost).reduce(f32::min).map(|cost| (placement, cost)));
        }
        costs.sort_by(|a, b| a.1.total_cmp(&b.1));
        let least = costs.first().map_or(0.0, |cost| cost.1);
        let worth = |(at, cost): (Placement, f32)| (at, top - RESCUE_COST * (more - usual) * (cost - least));
        costs.into_iter().map(worth).collect()
    }

    /// All plies of deepening.
    fn plies(&self) -> impl Iterator<Item = &Ply> {
        self.widths.deeper.iter().chain(&*self.widths.alone)
    }

    /// The best placement for who sees no next piece, and what it is worth.
    fn alone(&self, board: &Board, start: &Start, progress: Progress) -> Option<(Placement, f32)> {
        let piece = start.orientation.piece();
        let root = Node { board: *board, progress, reward: 0.0 };
        self.in_mirror.set(opens_right(board));
        let mut reachable = Vec::new();
        placements(board, start, self.limits, &mut reachable);
        let mut all: Vec<(Placement, Node, f32)> = reachable
            .into_iter()
            .map(|placement| {
                let node = self.lock(&root, placement);
                (placement, node, node.reward + GAMMA * self.estimate(&node, piece))
            })
            .collect();
        all.sort_by(|a, b| descending(a.2, b.2));
        all.truncate(self.widths.first);
        let searched = |node: &Node, depth: usize| {
            node.reward + GAMMA * expectation(piece, |next| self.before(node, Piece::ALL[next], depth, depth))
        };
        let mut kept = all.len();
        for (depth, ply) in self.plies().enumerate() {
            let (most, margin) = if depth == 0 { (kept, BLIND_MARGIN) } else { (ply.candidates, ply.margin) };
            kept = all[..kept].iter().filter(|other| other.2 >= all[0].2 - margin).count().min(most);
            if kept < 2 {
                break;
            }
            for (_, node, total) in &mut all[..kept] {
                *total = searched(node, depth);
            }
            all[..kept].sort_by(|a, b| descending(a.2, b.2));
        }
        all.first().map(|&(placement, _, total)| (placement, total))
    }

    /// What each placement is worth for each next piece, before it is known.
    fn previews(&self, board: &Board, start: &Start, progress: Progress) -> Vec<(Placement, [f32; 7])> {
        let root = Node { board: *board, progress, reward: 0.0 };
        self.in_mirror.set(opens_right(board));
        let mut reachable = Vec::new();
        placements(board, start, self.limits, &mut reachable);
        let nodes: Vec<Node> = reachable.iter().map(|&placement| self.lock(&root, placement)).collect();
        let at_sight = |node: &Node| self.estimates_before(node).map(|value| node.reward + GAMMA * value);
        let searched = |node: &Node, depth: usize| {
            Piece::ALL.map(|next| node.reward + GAMMA * self.before(node, next, depth, depth))
        };
        let mut values: Vec<[f32; 7]> = nodes.iter().map(at_sight).collect();
        for at in competitors(&values, self.widths.first / 3, f32::INFINITY) {
            values[at] = searched(&nodes[at], 0);
        }
        for (depth, ply) in self.widths.deeper.iter().enumerate().skip(1).take(2) {
            let before = values.clone();
            let close = competitors(&values, (ply.candidates / 2).max(2), ply.margin);
            for &at in &close {
                values[at] = searched(&nodes[at], depth);
            }
            for next in 0..7 {
                let best = close.iter().max_by(|&&a, &&b| before[a][next].total_cmp(&before[b][next]));
                let change = best.map_or(0.0, |&best| values[best][next] - before[best][next]);
                for at in (0..values.len()).filter(|at| !close.contains(at)) {
                    values[at][next] += change;
                }
            }
        }
        reachable.into_iter().zip(values).collect()
    }
}

/// What these values by the piece after `last` are to who decides with this share of blindness.
fn to_the_blind(share: f32, last: Piece, values: [f32; 7]) -> [f32; 7] {
    let mean = expectation(last, |next| values[next]);
    values.map(|value| (1.0 - share) * value + share * mean)
}

/// The mean over the piece after `last`.
fn expectation(last: Piece, value: impl Fn(usize) -> f32) -> f32 {
    odds(last).iter().enumerate().map(|(next, odds)| odds * value(next)).sum()
}

/// For each piece that may come next, the placement of the highest value; of equals the first.
fn best_of(values: &[(Placement, [f32; 7])]) -> Vec<(Placement, f32)> {
    let Some(first) = values.first() else { return Vec::new() };
    let better = |next: usize| {
        values[1..].iter().fold((first.0, first.1[next]), |best, (placement, value)| {
            if value[next] > best.1 { (*placement, value[next]) } else { best }
        })
    };
    (0..7).map(better).collect()
}

/// The placements among these, the most likely first.
fn likely(last: Piece, best: &[(Placement, f32)]) -> Vec<Placement> {
    let mut all: Vec<(Placement, f32)> = Vec::new();
    for ((placement, _), odds) in best.iter().zip(odds(last)) {
        match all.iter_mut().find(|(other, _)| other == placement) {
            Some((_, sum)) => *sum += odds,
            None => all.push((*placement, *odds)),
        }
    }
    all.sort_by(|a, b| descending(a.1, b.1));
    all.into_iter().map(|(placement, _)| placement).collect()
}

/// Those that compete for some next piece: of the best `count`, those within the margin, if there are several.
fn competitors(values: &[[f32; 7]], count: usize, margin: f32) -> Vec<usize> {
    let mut all = BTreeSet::new();
    for next in 0..7 {
        let mut order: Vec<usize> = (0..values.len()).collect();
        order.sort_by(|&a, &b| descending(values[a][next], values[b][next]));
        order.truncate(count);
        let close = order.iter().filter(|&&at| values[at][next] >= values[order[0]][next] - margin);
        let close: Vec<usize> = close.copied().collect();
        if close.len() > 1 {
            all.extend(close);
        }
    }
    all.into_iter().collect()
}

/// As [`Widths::DEFAULT`] in kind, each ply narrow enough for a twin that remembers nothing.
const NARROW: Widths = Widths {
    first: 4,
    deeper: Cow::Borrowed(&[
        Ply { candidates: 3, margin: 0.6, replies: 0 },
        Ply { candidates: 2, margin: 0.2, replies: 2 },
        Ply { candidates: 2, margin: 0.1, replies: 1 },
    ]),
    alone: Cow::Borrowed(&[]),
};

/// Three plies, not as wide as [`Widths::THREE`].
const THREE: Widths = Widths {
    first: 8,
    deeper: Cow::Borrowed(&[Ply { candidates: 4, margin: 1.0, replies: 0 }]),
    alone: Cow::Borrowed(&[]),
};

fn compare(widths: &Widths, limits: Limits, boards: usize, seed: u64) -> u32 {
    compare_at(Aggression::NORMAL, widths, limits, boards, seed)
}

/// Returns on how many boards the rescue compared placements.
fn compare_at(aggression: Aggression, widths: &Widths, limits: Limits, boards: usize, seed: u64) -> u32 {
    let mut rescues = 0;
    let network = weights::embedded_common();
    let mut dice = Dice::new(seed);
    let search = Expectimax::new(Arc::clone(&network), widths.clone(), limits);
    let mut search = search.with_aggression(aggression);
    for number in 0..boards {
        let grid = stack(&mut dice, [10, 10, 15][number % 3]);
        let board = board(&grid, &mut dice);
        let piece = Piece::ALL[dice.roll(7) as usize];
        let next = Piece::ALL[dice.roll(7) as usize];
        let (lines, level) =
            [(0, 19), (150, 20), (222, 27), (226, 28), (230, 29), (60, 18)][dice.roll(6) as usize];
        let progress = Progress::at(lines, level);
        let start = Start::spawn(piece, level);
        let got = search.rank(&Position { board, start, next: Some(next), progress });
        let twin = Twin { caution: aggression.caution(), ..Twin::new(&network, widths, limits, progress) };
        let want = twin.rank(&board, &start, next, progress);
        rescues += twin.rescues.get();
        let context = || format!("board {number}, {piece} then {next}, level {level}\n{board}");
        assert_eq!(got.len(), want.len(), "{}", context());
        let best = search.best(&Position { board, start, next: Some(next), progress });
        assert_eq!(best, got.first().map(|got| got.placement), "{}", context());
        for (at, got) in got.iter().enumerate() {
            // Sums of many small numbers, added in another order: what is worth the same may be in another order, too.
            let same = |want: &&PlacementValue| want.placement == got.placement;
            let (found, want) =
                (want.iter().find(same).unwrap_or_else(|| panic!("{got:?} {}", context())), &want[at]);
            assert!((got.value - found.value).abs() < 1.0, "{got:?} {found:?} {}", context());
            assert!((got.value - want.value).abs() < 1.0, "{got:?} {want:?} {}", context());
        }
    }
    rescues
}

#[test]
fn two_pieces_are_ranked_as_the_twin_ranks_them() {
    let rescues = compare(&Widths::TWO, Limits::EACH_BUTTON, 200, 1);
    assert!((20..150).contains(&rescues), "{rescues} of 200 boards");
}

#[test]
fn unknown_pieces_are_weighed_as_the_twin_weighs_them() {
    compare(&THREE, Limits::EACH_BUTTON, 20, 2);
    compare(&NARROW, Limits::EACH_BUTTON, 2, 3);
    // Known and unknown pieces are all played within the limits.
    let unseen = Limits::EACH_BUTTON.with_reaction(Reaction::NextPiece);
    let slow = [TapTable::HZ_12, TapTable::SLOW_5].map(Limits::taps);
    for limits in [Limits::ONE_PER_ROW, unseen].into_iter().chain(slow) {
        compare(&THREE, limits, 5, 4);
    }
}

#[test]
fn later_pieces_whose_next_one_is_seen_late_are_weighed_as_the_twin_weighs_them() {
    // Late at levels 19 to 28; late up to level 18 and too late after it; the same.
    for (taps, frames) in [(TapTable::HZ_20, 30), (TapTable::HZ_12, 30), (TapTable::HZ_10, 24)] {
        let limits = Limits::taps(taps).with_reaction(Reaction::Frames(frames));
        compare(&THREE, limits, 8, 7);
    }
    compare(&NARROW, Limits::taps(TapTable::HZ_20).with_reaction(Reaction::Frames(30)), 2, 8);
}

#[test]
fn more_and_less_risk_is_weighed_as_the_twin_weighs_it() {
    for (seed, (_, step)) in (10..).zip(Aggression::STEPS) {
        compare_at(step, &Widths::TWO, Limits::EACH_BUTTON, 40, seed);
    }
    compare_at(Aggression::STEPS[0].1, &NARROW, Limits::EACH_BUTTON, 1, 5);
    compare_at(Aggression::STEPS[6].1, &NARROW, Limits::EACH_BUTTON, 1, 6);
}
