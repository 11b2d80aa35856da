//! Every placement of a piece with its loss against the best: [`Expectimax::weigh`].
//!
//! A decision needs to know which placement is best, so it drops the others early. An analysis must say of each
//! placement how much worse it is, which takes values of equal depth. So each placement gets a value without deepening,
//! a value with one unknown piece, and a value for each ply of deepening that still looked at it. Two placements are
//! compared at the deepest of these that both have.

use super::candidates::{Candidate, Pair};
use super::choice::Choice;
use super::rescue::Rescued;
use super::{Expectimax, Known, Node, TETRIS, in_points};
use crate::Position;
use crate::eval::Shape;
use crate::eval::ntuple::{DEATH, Network, odds};
use crate::movegen::Start;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress};

/// Where this number of rows more wait for the one outer column than for the other, the well is there.
const CLEAR: u32 = 3;

/// A placement that was compared with the best one.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Weighed {
    /// Where the piece locks.
    pub placement: Placement,
    /// The board after the placement, its full rows cleared.
    pub board: Board,
    /// Lines and level after the placement.
    pub progress: Progress,
    /// The expected points of this placement and of what follows, until the goal; in games without one, until at least 512
    /// more lines. The best placement has the value of its deepest ply, another one as much less as it loses.
    pub value: f32,
    /// How much less than the best placement it is worth, at the deepest ply at which both were searched; not negative.
    pub loss: f32,
    /// Where the next piece then goes, if it is known and has a place.
    pub reply: Option<Placement>,
    /// Where each of the seven pieces that may come after all known ones goes, in the order of [`Piece::ALL`]. All are
    /// `None` if the limits of the search did not let it look.
    pub replies: [Option<Placement>; 7],
    /// Whether boards were looked at in a mirror: as if the well were on the left, which the learned values know best.
    pub in_mirror: bool,
}

/// Values of one placement by depth, in tetrises of level 19; the best reply and what follows it.
struct Scale {
    placement: Placement,
    node: Node,
    /// Without deepening, with one unknown piece, with each further ply.
    totals: Vec<Option<f32>>,
    reply: Option<Placement>,
    replies: [Option<Placement>; 7],
}

impl Scale {
    fn raise(&mut self, depth: usize, total: f32) {
        if self.totals.len() <= depth {
            self.totals.resize(depth + 1, None);
        }
        let known = &mut self.totals[depth];
        *known = Some(known.map_or(total, |known| known.max(total)));
    }

    /// Returns how much less this placement is worth than `best`, at the deepest ply that both have.
    fn loss(&self, best: &[Option<f32>]) -> f32 {
        let both = self.totals.iter().zip(best).rev().find_map(|(own, best)| Some((*own)? - (*best)?));
        (-both.unwrap_or(0.0)).max(0.0)
    }
}

impl Expectimax {
    /// Returns every placement of the piece in play with its loss against the best, best first. The next piece follows, or an
    /// unknown one, and then unknown pieces. The first one is that of [`Expectimax::best`] if the next piece is known.
    ///
    /// `also` is weighed as well if the input limits do not allow it, as long as the piece can rest there.
    ///
    /// ```
    /// use maxout_engine::eval::weights;
    /// use maxout_engine::limits::Limits;
    /// use maxout_engine::Position;
    /// use maxout_engine::search::{Expectimax, Widths};
    /// use maxout_rules::{Board, Piece, Progress};
    /// let mut search = Expectimax::new(weights::embedded_for(Limits::EACH_BUTTON), Widths::TWO, Limits::EACH_BUTTON);
    /// let all = search.weigh(&Position::spawn(Board::EMPTY, Piece::T, None, Progress::at(0, 19)), None);
    /// assert_eq!((all.len(), all[0].loss), (34, 0.0));
    /// ```
    pub fn weigh(&mut self, position: &Position, also: Option<Placement>) -> Vec<Weighed> {
        self.weigh_some(position, also, true)
    }

    /// Returns the first one of [`Expectimax::weigh`] in a fraction of the time, or `None` if the piece has no placement.
    pub fn weigh_best(&mut self, position: &Position) -> Option<Weighed> {
        self.weigh_some(position, None, false).pop()
    }

    /// Weighs all placements, or the best one alone, as they are and in a mirror, and keeps the higher value of each: whoever plays on may
    /// choose the side of the well. So a value does not jump where a board begins to open on the other side. Where three rows more wait
    /// for one side, and from level 29 on, it is looked at from one side alone.
    pub fn weigh_either_way(
        &mut self,
        position: &Position,
        also: Option<Placement>,
        all: bool,
    ) -> Vec<Weighed> {
        let shape = Shape::of(&position.board);
        let speed = self.network.speed(position.progress.level, position.start.fall_rule);
        let sides: &[bool] = match (shape.opens_right(CLEAR), shape.mirrored().opens_right(CLEAR)) {
            _ if !Network::has_mirror(speed) => &[false],
            (true, _) => &[true],
            (_, true) => &[false],
            _ => &[false, true],
        };
        // Each side may look at as many boards as the limit says.
        let view = |&side: &bool| {
            self.mirror = Some(side);
            self.weigh_some(position, also, all)
        };
        let mut views: Vec<Vec<Weighed>> = sides.iter().map(view).collect();
        self.mirror = None;
        let top = |view: &[Weighed]| view.first().map_or(f32::MIN, |best| best.value);
        // Of placements that are worth the same, the best one of its view comes first.
        views.sort_by(|a, b| top(b).total_cmp(&top(a)));
        let mut views = views.into_iter();
        let mut higher = views.next().unwrap_or_default();
        for weighed in views.flatten() {
            let lower =
                |known: &&mut Weighed| known.placement == weighed.placement && known.value < weighed.value;
            if let Some(known) = higher.iter_mut().find(lower) {
                *known = weighed;
            }
        }
        higher.sort_by(|a, b| b.value.total_cmp(&a.value));
        let most = higher.first().map_or(0.0, |best| best.value);
        for weighed in &mut higher {
            weighed.loss = most - weighed.value;
        }
        higher
    }

    /// Returns the first one of [`Expectimax::weigh_either_way`].
    pub(crate) fn best_either_way(&mut self, position: &Position) -> Option<Placement> {
        self.weigh_either_way(position, None, false).first().map(|best| best.placement)
    }

    /// Weighs all placements, or the best one alone.
    fn weigh_some(&mut self, position: &Position, also: Option<Placement>, all: bool) -> Vec<Weighed> {
        let &Position { ref board, ref start, next, progress } = position;
        let piece = start.orientation.piece();
        self.begin(board, start, progress);
        let root = Node::root(board, progress);
        let first = self.first(&root, start, piece, next, also);
        let mut scales: Vec<Scale> = first
            .iter()
            .map(|&(placement, node)| Scale {
                placement,
                node,
                totals: Vec::new(),
                reply: None,
                replies: [None; 7],
            })
            .collect();
        let (decided, rescued) = match next {
            Some(next) => {
                let best = self.weigh_pairs(&mut scales, &first, next, all);
                let rescued =
                    best.map_or(Vec::new(), |(_, total)| self.rescue(&first, next, progress, total));
                (best.map(|(best, _)| best), rescued)
            }
            None => (self.weigh_alone(&mut scales, piece), Vec::new()),
        };
        let top_of = |scale: &Scale| scale.totals.iter().rev().find_map(|total| *total).unwrap_or(DEATH);
        let top = scales.iter().find(|scale| Some(scale.placement) == decided).map_or(DEATH, top_of);
        let best = rescued.first().map(|rescued| rescued.placement).or(decided);
        if !all {
            scales.retain(|scale| Some(scale.placement) == best);
        }
        let Some(best) = best.and_then(|best| scales.iter().position(|scale| scale.placement == best)) else {
            return Vec::new();
        };
        let totals = scales[best].totals.clone();
        for Rescued { placement, reply, .. } in &rescued {
            if let Some(scale) = scales.iter_mut().find(|scale| scale.placement == *placement) {
                self.reply_with(scale, *reply);
            }
        }
        let lines = self.horizon.pays(progress);
        let most = rescued.last().map_or(0.0, |last| last.loss);
        let weighed = |(at, scale): (usize, &Scale)| {
            let of_rescue = rescued.iter().find(|rescued| rescued.placement == scale.placement);
            let loss = match of_rescue {
                _ if at == best => 0.0,
                Some(rescued) => rescued.loss,
                None => most + scale.loss(&totals),
            };
            Weighed {
                placement: scale.placement,
                board: scale.node.board,
                progress: scale.node.progress,
                value: in_points(lines, top - loss),
                loss: loss * TETRIS,
                reply: scale.reply,
                replies: scale.replies,
                in_mirror: self.in_mirror,
            }
        };
        let mut all: Vec<Weighed> = scales.iter().enumerate().map(weighed).collect();
        all.swap(0, best);
        all[1..].sort_by(|a, b| a.loss.total_cmp(&b.loss));
        all
    }

    /// Returns the value, in points, that a search has for an ordinary board at `progress`, and by how many points it is
    /// higher for a board whose learned value is one tetris higher.
    ///
    /// ```
    /// use maxout_engine::eval::weights;
    /// use maxout_engine::limits::Limits;
    /// use maxout_engine::search::{Expectimax, Widths};
    /// use maxout_rules::Progress;
    /// let mut search = Expectimax::new(weights::embedded_for(Limits::EACH_BUTTON), Widths::TWO, Limits::EACH_BUTTON);
    /// let (early, _) = search.ordinary(Progress::at(0, 19));
    /// let (late, _) = search.ordinary(Progress::at(200, 26));
    /// assert!(early > 100_000.0 && late < early);
    /// ```
    pub fn ordinary(&mut self, progress: Progress) -> (f32, f32) {
        self.bound(progress);
        let (worth, tetris) = self.ordinary_worth(progress);
        (in_points(self.horizon.pays(progress), worth), tetris * TETRIS)
    }

    /// Returns what the lines ahead of `progress` pay on average, in points: the part of each value that is the same for all
    /// placements.
    pub fn average_pay(&mut self, progress: Progress) -> f32 {
        self.bound(progress);
        in_points(self.horizon.pays(progress), 0.0)
    }

    /// Returns what a board with the piece at `start` in play is worth for each piece that may come next, in points: by the best of its places
    /// and the learned values of the boards behind them. `None` if it has no place.
    pub(crate) fn prospects_of(
        &mut self,
        board: &Board,
        start: &Start,
        progress: Progress,
    ) -> Option<[f32; 7]> {
        self.begin(board, start, progress);
        let choice = self.at_sight(&Node::root(board, progress), start.orientation.piece());
        let pays = self.horizon.pays(progress);
        choice.values().map(|values| values.map(|value| in_points(pays, value)))
    }

    /// Returns the value of a board before `piece` comes into play, in points and without a search. The
    /// board is of a game with the rule of falling `by`.
    pub fn value_of(&mut self, board: &Board, progress: Progress, by: FallRule, piece: Piece) -> f32 {
        self.fall_rule = by;
        self.bound(progress);
        let leaf = self.leaf(&Shape::of(board), progress, Some(piece), piece);
        in_points(self.horizon.pays(progress), leaf)
    }

    /// Weighs placements that `next` follows, all or the best alone. Returns the best, with the total that decided.
    fn weigh_pairs(
        &mut self,
        scales: &mut [Scale],
        first: &[(Placement, Node)],
        next: Piece,
        all: bool,
    ) -> Option<(Placement, f32)> {
        let discount = self.parameters.discount;
        // The decision itself, with all that it keeps.
        let mut candidates = self.candidates(&first[..first.len().min(self.widths.first)], next);
        let mut plies: Vec<Vec<Candidate>> = Vec::new();
        self.deepen(&mut candidates, next, discount * discount, &mut |_, searched| {
            plies.push(searched.to_vec());
        });
        let best = candidates.first().map(|best| (best.placement, best.total));
        let best = best.or_else(|| first.first().map(|&(placement, ref node)| (placement, node.total)));
        let is_best = |scale: &Scale| best.is_some_and(|(best, _)| scale.placement == best);
        for scale in scales.iter_mut().filter(|scale| all || is_best(scale)) {
            let rewards = scale.node.reward;
            let choice = self.at_sight(&scale.node, next);
            let Some(value) = choice.value(next) else {
                scale.raise(0, rewards + discount * self.lost(scale.node.progress));
                scale.raise(1, rewards + discount * self.lost(scale.node.progress));
                continue;
            };
            scale.raise(0, rewards + discount * value);
            let replies = choice.replies(next);
            scale.reply = replies[0];
            let mut deeper = Choice::default();
            for placement in replies.into_iter().flatten() {
                let reply = self.after(&scale.node, placement);
                let Some(known) = self.look(&reply, 0, 0) else { break };
                deeper.offer(
                    placement,
                    self.prospects(reply.reward, known.values, next, scale.node.progress.level),
                );
                if scale.reply == Some(placement) {
                    scale.replies = known.replies.map(|replies| replies[0]);
                }
                if self.widths.deeper.is_empty() {
                    // Such a search compares at sight; the one look is for the replies.
                    deeper = Choice::default();
                    break;
                }
            }
            if let Some(value) = deeper.value(next) {
                scale.raise(1, rewards + discount * value);
            }
        }
        self.note_plies(scales, &plies);
        best
    }

    /// Lets the next piece go to `reply`.
    fn reply_with(&mut self, scale: &mut Scale, reply: Placement) {
        if scale.reply != Some(reply) {
            let node = self.after(&scale.node, reply);
            let known = self.look(&node, 0, 0);
            scale.reply = Some(reply);
            scale.replies = known.map_or([None; 7], |known| known.replies.map(|replies| replies[0]));
        }
    }

    /// Weighs placements that an unknown piece follows; `piece` is the one in play. Returns the best.
    fn weigh_alone(&mut self, scales: &mut [Scale], piece: Piece) -> Option<Placement> {
        let discount = self.parameters.discount;
        let mut candidates = Vec::with_capacity(scales.len());
        for scale in scales.iter_mut() {
            // What is kept of a look is that of a board with a charged auto-shift.
            let node = Node { das: Start::CHARGED, ..scale.node };
            scale.raise(0, node.total);
            let mut total = node.total;
            if let Some(known) = self.look(&node, 0, 0) {
                total = node.reward + discount * known.mean(piece);
                scale.raise(1, total);
                scale.replies = known.replies.map(|replies| replies[0]);
            }
            let pairs = vec![Pair { reply: None, rewards: node.reward, node }];
            candidates.push(Candidate { placement: scale.placement, pairs, total });
        }
        candidates.sort_by(|a, b| b.total.total_cmp(&a.total));
        let mut plies: Vec<Vec<Candidate>> = Vec::new();
        self.deepen(&mut candidates, piece, discount, &mut |_, searched| plies.push(searched.to_vec()));
        self.note_plies(scales, &plies);
        candidates.first().map(|best| best.placement)
    }

    /// Notes what the plies of deepening found.
    fn note_plies(&mut self, scales: &mut [Scale], plies: &[Vec<Candidate>]) {
        for (depth, searched) in (1..).zip(plies) {
            for candidate in searched.iter().rev() {
                let Some(scale) = scales.iter_mut().find(|scale| scale.placement == candidate.placement)
                else {
                    continue;
                };
                scale.raise(depth, candidate.total);
                // The last one here is the best of the deepest ply.
                if let Some(pair) = candidate.pairs.first().filter(|pair| pair.reply.is_some()) {
                    let known = self.look(&pair.node, 0, 0);
                    // Without a look there are none: those after another reply would be on another board.
                    if scale.reply != pair.reply || known.is_some() {
                        scale.replies =
                            known.map_or([None; 7], |known| known.replies.map(|replies| replies[0]));
                    }
                    scale.reply = pair.reply;
                }
            }
        }
    }
}

impl Known {
    /// Returns the expected value after `last`.
    pub(super) fn mean(&self, last: Piece) -> f32 {
        odds(last).iter().zip(self.values).map(|(odds, value)| odds * value).sum()
    }
}
