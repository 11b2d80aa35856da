//! What is learned, against its definition: expectations by plain recursion in double precision, step sizes by the
//! formula of Beal and Smith.

use super::tables::{OPTIMISM, get, set};
use super::*;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{Ntuple59, indices};
use maxout_engine::limits::{Limits, Reaction, TapTable};
use maxout_engine::movegen::{Reach, Start, Then, placements};
use maxout_rules::{Board, Placement};

/// Tables in which every weight is another small number.
fn tables(dice: &mut Xorshift64Star) -> Tables<Ntuple59> {
    let tables = Tables::new();
    for cell in &tables.weights {
        set(cell, dice.unit() * 0.2 - 0.05);
    }
    tables
}

struct Twin<'a> {
    tables: &'a Tables<Ntuple59>,
    rules: StageRules,
}

impl Twin<'_> {
    fn value(&self, board: &Board, next: Piece) -> f64 {
        let at = indices(&Shape::of(board), self.rules.by_height, self.rules.speed());
        let lane = next as usize;
        let sum: f64 =
            at.iter().map(|&e| f64::from(get(&self.tables.weights[e as usize * LANES + lane]))).sum();
        sum.max(f64::from(self.rules.death))
    }

    /// What counts of a value a piece earlier: 99 % of an ordinary board's, and the discount's share of what is more or less.
    fn earlier(&self, value: f64) -> f64 {
        0.99 * f64::from(ORDINARY) + f64::from(self.rules.discount) * (value - f64::from(ORDINARY))
    }

    /// Boards after each placement, and what each pays at once.
    fn after(&self, board: &Board, piece: Piece) -> Vec<(Board, f64)> {
        self.placements(board, piece).iter().map(|placement| Self::lock(board, placement)).collect()
    }

    fn placements(&self, board: &Board, piece: Piece) -> Vec<Placement> {
        let mut reachable = Vec::new();
        placements(board, &self.start(piece), self.rules.limits, &mut reachable);
        if let Some(margin) = self.rules.hole_margin {
            let holes = |placement: &Placement| holes(&Self::lock(board, placement).0);
            let fewest = reachable.iter().map(holes).min().unwrap_or(0);
            reachable.retain(|placement| holes(placement) < fewest + usize::from(margin));
        }
        reachable
    }

    fn start(&self, piece: Piece) -> Start {
        Start::spawn(piece, self.rules.level)
    }

    fn lock(board: &Board, placement: &Placement) -> (Board, f64) {
        let mut board = *board;
        let lines = board.lock(placement.x, placement.y, placement.orientation);
        (board, f64::from(REWARD[usize::from(lines.min(4))]))
    }

    /// What [`Twin::after`] still has when the next piece is seen, for each way to play the frames before.
    fn ways(&self, board: &Board, piece: Piece) -> Vec<Vec<(Board, f64)>> {
        let Some(frames) = self.rules.delay() else { return vec![self.after(board, piece)] };
        let reach = Reach::new(board, &self.start(piece), self.rules.limits).expect("a piece");
        let all = self.placements(board, piece);
        let reachable = |then: Then| {
            let mut reachable = Vec::new();
            match then {
                Then::Falls(start) => placements(board, &start, self.rules.limits, &mut reachable),
                Then::Locked(placement) => reachable.push(placement),
            }
            reachable.retain(|placement| all.contains(placement));
            reachable
        };
        let ways: Vec<Vec<Placement>> =
            reach.hovers(frames).iter().map(|hover| reachable(hover.then)).collect();
        let is_part = |a: &[Placement], b: &[Placement]| a.iter().all(|placement| b.contains(placement));
        // What leaves more open is never worse.
        let counts = |&at: &usize| {
            let of = &ways[at];
            ways.iter()
                .enumerate()
                .all(|(other, way)| other == at || !is_part(of, way) || is_part(way, of) && at < other)
        };
        let boards = |way: &Vec<Placement>| {
            // In the order of the placements.
            let way = all.iter().filter(|placement| way.contains(placement));
            way.map(|placement| Self::lock(board, placement)).collect()
        };
        (0..ways.len()).filter(counts).map(|at| boards(&ways[at])).collect()
    }

    /// The best of some boards by static evaluation, when `next` follows.
    fn best(&self, after: &[(Board, f64)], next: Piece) -> f64 {
        let totals = after.iter().map(|(board, paid)| paid + self.earlier(self.value(board, next)));
        totals.reduce(f64::max).unwrap_or(self.rules.death.into())
    }

    /// What a piece is worth before the next one is known, and the boards that are still open then.
    fn choose(&self, board: &Board, piece: Piece) -> (f64, Vec<(Board, f64)>) {
        let worth = |way: Vec<(Board, f64)>| (mean(piece, |next| self.best(&way, next)), way);
        let ways = self.ways(board, piece).into_iter().map(worth);
        let dead = (self.rules.death.into(), Vec::new());
        ways.reduce(|best, way| if way.0 > best.0 + 1e-9 { way } else { best }).unwrap_or(dead)
    }

    fn expected(&self, board: &Board, piece: Piece) -> f64 {
        self.choose(board, piece).0
    }

    /// The same with the next piece known and followed: of the best open placements by static evaluation the best by what
    /// comes behind.
    fn deep(&self, mut open: Vec<(Board, f64)>, next: Piece) -> f64 {
        let total = |(board, paid): &(Board, f64)| paid + self.earlier(self.value(board, next));
        open.sort_by(|a, b| total(b).total_cmp(&total(a)));
        open.truncate(self.rules.candidates);
        let behind = open.into_iter().map(|(board, paid)| paid + self.earlier(self.expected(&board, next)));
        behind.reduce(f64::max).unwrap_or(self.rules.death.into())
    }
}

/// Empty cells under solid ones.
fn holes(board: &Board) -> usize {
    let rows = board.visible();
    let column = |c: usize| rows.iter().map(move |row| row >> c & 1 == 1).skip_while(|solid| !solid);
    (0..10).map(|c| column(c).filter(|solid| !solid).count()).sum()
}

#[test]
fn the_position_learns_what_plain_recursion_expects() {
    let mut dice = Xorshift64Star::new(99);
    let tables = tables(&mut dice);
    let rules = StageRules { candidates: 3, ..StageRules::PLAIN };
    for (all_next, hole_margin) in [(false, None), (true, None), (true, Some(1)), (true, Some(3))] {
        compare(&tables, StageRules { all_next, hole_margin, ..rules }, 40);
    }
    compare(&tables, StageRules { all_next: true, discount: 0.997, ..rules }, 40);
    // With a reaction delay, some placements are out of reach by the time the next piece is seen.
    for (taps, level, frames) in
        [(TapTable::HZ_30, 19, 24), (TapTable::HZ_12, 18, 30), (TapTable::SLOW_5, 29, 12)]
    {
        let limits = Limits::taps(taps).with_reaction(Reaction::Frames(frames));
        for hole_margin in [None, Some(2)] {
            let rules = StageRules { level, limits, alone: true, all_next: true, hole_margin, ..rules };
            assert_eq!(rules.delay(), Some(frames.into()));
            let chosen = compare(&tables, rules, 15);
            assert!(chosen > 0, "level {level}: the delay takes no placement away");
        }
    }
}

/// The best placement of a piece by static evaluation when no next piece is seen.
fn blind(twin: &Twin<'_>, board: &Board, piece: Piece) -> f64 {
    let totals = twin
        .after(board, piece)
        .into_iter()
        .map(|(board, paid)| paid + twin.earlier(mean(piece, |next| twin.value(&board, next))));
    totals.reduce(f64::max).unwrap_or(twin.rules.death.into())
}

/// The mean over the piece after `last`.
fn mean(last: Piece, value: impl Fn(Piece) -> f64) -> f64 {
    Piece::ALL.iter().map(|&next| f64::from(odds(last)[next as usize]) * value(next)).sum()
}

#[test]
fn who_sees_no_next_piece_learns_what_plain_recursion_expects() {
    let mut dice = Xorshift64Star::new(98);
    let tables = tables(&mut dice);
    let rules = StageRules {
        level: 29,
        limits: Limits::EACH_BUTTON.with_reaction(Reaction::Frames(18)),
        alone: true,
        ..StageRules::PLAIN
    };
    // From level 29 on, 15 frames or more count as too late.
    assert!(rules.speed() == 0 && rules.is_blind() && rules.delay().is_none());
    let twin = Twin { tables: &tables, rules };
    let mut pupil = Pupil::new(rules, 6);
    for _ in 0..30 {
        let Position { board, here, piece } = pupil.game;
        let mut lessons = Vec::new();
        pupil.play(&tables, &TrainingProgress::default(), &mut |at, next, target| {
            lessons.push((at.to_vec(), next, target));
        });
        let next = pupil.game.piece;
        let mut after = twin.after(&board, piece);
        let total =
            |(board, paid): &(Board, f64)| paid + twin.earlier(mean(piece, |next| twin.value(board, next)));
        after.sort_by(|a, b| total(b).total_cmp(&total(a)));
        after.truncate(2);
        let deep =
            |(board, paid): &(Board, f64)| paid + twin.earlier(mean(piece, |next| blind(&twin, board, next)));
        let best = after.iter().map(deep).reduce(f64::max).unwrap_or(-1.0);
        let (at, lane, target) = lessons.last().expect("every piece teaches");
        assert_eq!((&at[..], *lane), (&here[..], piece));
        assert!((f64::from(*target) - best).abs() < 1e-3, "{target}, expected {best}\n{board}");
        // Both candidates learn for all pieces, but the one that is played not for the piece that comes.
        assert_eq!(lessons.len(), (7 * after.len()).max(1));
        for (at, lane, target) in &lessons[..lessons.len() - 1] {
            let index = |board: &Board| indices(&Shape::of(board), true, 0);
            let (board, _) = after.iter().find(|(board, _)| index(board) == at[..]).expect("a candidate");
            let want = blind(&twin, board, *lane);
            assert!((f64::from(*target) - want).abs() < 1e-3, "{target}, expected {want}\n{board}");
            assert!(at[..] != pupil.game.here || *lane != next);
        }
    }
}

/// Plays `pieces` pieces beside the twin. Returns for how many of them there was a choice of what to leave open.
fn compare(tables: &Tables<Ntuple59>, rules: StageRules, pieces: usize) -> usize {
    let twin = Twin { tables, rules };
    let mut pupil = Pupil::new(rules, 5);
    let mut chosen = 0;
    for _ in 0..pieces {
        let Position { board, here, piece } = pupil.game;
        let mut lessons = Vec::new();
        pupil.play(tables, &TrainingProgress::default(), &mut |at, next, target| {
            lessons.push((at.to_vec(), next, target));
        });
        // The piece that was next is in play now.
        let next = pupil.game.piece;
        let (at, lane, target) = lessons.last().expect("every piece teaches");
        assert_eq!((&at[..], *lane), (&here[..], piece));
        chosen += usize::from(twin.ways(&board, piece).len() > 1);
        let (expected, open) = twin.choose(&board, piece);
        let shallow = twin.best(&open, next);
        let want = expected + twin.deep(open, next) - shallow;
        assert!((f64::from(*target) - want).abs() < 1e-3, "{target}, expected {want}\n{board}");
        // Candidates that were not played learn what was found behind them.
        let candidates: Vec<_> = twin.after(&board, piece);
        // A lost game has only the one.
        let others = if rules.all_next && lessons.len() > 1 { 6 } else { 0 };
        let (behind, others) = lessons[..lessons.len() - 1].split_at(lessons.len() - 1 - others);
        assert!(behind.iter().all(|(_, lane, _)| *lane == next));
        // The board that was played learns for all other pieces, too.
        assert!(others.iter().all(|(at, lane, _)| at[..] == pupil.game.here && *lane != next));
        for (at, lane, target) in behind.iter().chain(others) {
            let index = |board: &Board| indices(&Shape::of(board), rules.by_height, rules.speed());
            let (board, _) =
                candidates.iter().find(|(board, _)| index(board) == at[..]).expect("a candidate");
            let want = twin.expected(board, *lane);
            assert!((f64::from(*target) - want).abs() < 1e-3, "{target}, expected {want}\n{board}");
        }
    }
    chosen
}

#[test]
fn steps_shrink_where_errors_cancel_and_not_where_they_agree() {
    let board: Board = "####.####.\n".repeat(4).parse().expect("a board");
    let at = indices(&Shape::of(&board), true, 0);
    let tables = Tables::<Ntuple59>::new();
    // No entry stands twice in this board's patterns, so each weight takes one share.
    let (mut value, mut sum, mut size) = (f64::from(tables.value(&at, Piece::L)), 0.0f64, 0.0f64);
    for (error, patience) in [(1.0, 0.0), (0.5, 0.0), (-0.75, 0.0), (0.25, 5.0), (-1.0, 5.0), (2.0, 5.0)] {
        tables.learn(&at, Piece::L, error, patience);
        let seen = size + f64::from(patience);
        let rate = if seen > 0.0 { sum.abs() / seen } else { 1.0 };
        value += rate * f64::from(error);
        (sum, size) = (sum + f64::from(error), size + f64::from(error).abs());
        assert!((f64::from(tables.value(&at, Piece::L)) - value).abs() < 1e-4, "after {error}");
        assert!((tables.value(&at, Piece::T) - OPTIMISM).abs() < 1e-4, "another piece learns nothing");
    }
}
