//! Temporal-difference learning of [`maxout_engine::eval::ntuple`] from nothing, by self-play.
//!
//! An endless game at one gravity, rewards in tetrises, 0.99 per piece. The value of a stack is learned for each
//! next piece; the policy that plays is greedy in it, so it knows the preview. Targets are expectations over the
//! piece that follows. Tables start optimistic, or nothing is learned; step sizes are those of temporal
//! coherence (Beal and Smith 1999): each weight by |sum of its errors| / sum of their sizes.

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering::Relaxed};

use super::team::Team;
use maxout_engine::eval::Shape;
use maxout_engine::eval::ntuple::{
    ENTRIES, LANES, Network, PATTERNS, SPEEDS, indices, is_own, odds, speed, spread, spread_to,
};
use maxout_engine::movegen::{InputRule, Placement, Start, placements};
use maxout_host::pool;
use maxout_rules::{Board, Piece};

/// Discount per piece.
pub const GAMMA: f32 = 0.99;
/// Value of every stack before anything is learned, in tetrises.
const OPTIMISM: f32 = 4.0;
/// A weight before anything is learned.
const HOPE: f32 = OPTIMISM / PATTERNS as f32;
/// Reward by lines cleared, in tetrises.
pub const REWARD: [f32; 5] = [0.0, 1.0 / 30.0, 1.0 / 12.0, 0.25, 1.0];

/// Shared tables. Threads read and write them without locks; a lost update is noise among noise.
pub struct Tables {
    weights: Vec<AtomicU32>,
    error_sum: Vec<AtomicU32>,
    error_size: Vec<AtomicU32>,
}

fn get(cell: &AtomicU32) -> f32 {
    f32::from_bits(cell.load(Relaxed))
}

fn set(cell: &AtomicU32, value: f32) {
    cell.store(value.to_bits(), Relaxed);
}

impl Default for Tables {
    fn default() -> Self {
        Self::new()
    }
}

impl Tables {
    /// Tables that know nothing and hope.
    pub fn new() -> Self {
        let filled =
            |value: f32| (0..ENTRIES * LANES).map(|_| AtomicU32::new(value.to_bits())).collect::<Vec<_>>();
        Self { weights: filled(HOPE), error_sum: filled(0.0), error_size: filled(0.0) }
    }

    /// Values of a stack for each next piece.
    fn values(&self, at: &[u32; PATTERNS]) -> [f32; LANES] {
        let mut sum = [0.0; LANES];
        for &entry in at {
            let from = entry as usize * LANES;
            for (sum, cell) in sum.iter_mut().zip(&self.weights[from..from + LANES]) {
                *sum += get(cell);
            }
        }
        sum
    }

    fn value(&self, at: &[u32; PATTERNS], next: Piece) -> f32 {
        at.iter().map(|&entry| get(&self.weights[entry as usize * LANES + next as usize])).sum()
    }

    /// Moves the value towards what it should be by the error. At a speed with tables of its own only these learn.
    fn learn(&self, at: &[u32; PATTERNS], next: Piece, error: f32) {
        let own = at.iter().filter(|&&entry| is_own(entry as usize)).count();
        let step = error / if own > 0 { own } else { PATTERNS } as f32;
        for &entry in at.iter().filter(|&&entry| own == 0 || is_own(entry as usize)) {
            let cell = entry as usize * LANES + next as usize;
            let (sum, size) = (get(&self.error_sum[cell]), get(&self.error_size[cell]));
            let rate = if size > 0.0 { sum.abs() / size } else { 1.0 };
            set(&self.weights[cell], get(&self.weights[cell]) + rate * step);
            set(&self.error_sum[cell], sum + error);
            set(&self.error_size[cell], size + error.abs());
        }
    }

    /// Forgets the step sizes: learning goes on as if all errors were new.
    pub fn restart_steps(&self) {
        for cell in self.error_sum.iter().chain(&self.error_size) {
            set(cell, 0.0);
        }
    }

    /// Gives every band of pile height what was learned for all of them, and forgets the step sizes.
    pub fn spread(&self) {
        self.restart_steps();
        spread(|from, to| {
            for lane in 0..LANES {
                set(&self.weights[to * LANES + lane], get(&self.weights[from * LANES + lane]));
            }
        });
    }

    /// Gives one of the speeds the tables of levels 19 to 28, if it has learned nothing yet.
    pub fn spread_to(&self, speed: usize) {
        if self.has_learned(speed) {
            return;
        }
        spread_to(speed, |from, to| {
            for lane in 0..LANES {
                set(&self.weights[to * LANES + lane], get(&self.weights[from * LANES + lane]));
            }
        });
    }

    /// Whether tables of the speed's own are other than hope.
    fn has_learned(&self, speed: usize) -> bool {
        let mut learned = false;
        spread_to(speed, |_, own| learned |= get(&self.weights[own * LANES]) != HOPE);
        learned
    }

    /// Number of weights.
    pub const WEIGHTS: usize = ENTRIES * LANES;

    /// The weights, entry by entry.
    pub fn weights(&self) -> impl ExactSizeIterator<Item = f32> + '_ {
        self.weights.iter().map(get)
    }

    /// What was learned, rounded for play; `by_height` as in the last of [`Rules`] they learned by.
    pub fn network(&self, by_height: bool) -> Network {
        self.network_of(&self.weights().collect::<Vec<_>>(), by_height)
    }

    /// `weights` (as many as these tables have) rounded for play. Where these tables were never touched there is
    /// nothing but hope: that becomes 0. Play always tells bands of pile height apart, so what was learned for all of
    /// them, not `by_height`, is given to each.
    pub fn network_of(&self, weights: &[f32], by_height: bool) -> Network {
        let learned = |(own, &weight): (f32, &f32)| if own == HOPE { 0.0 } else { weight };
        let mut learned: Vec<f32> = self.weights().zip(weights).map(learned).collect();
        if !by_height {
            spread(|from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        for speed in (1..SPEEDS).filter(|&speed| !self.has_learned(speed)) {
            spread_to(speed, |from, to| learned.copy_within(from * LANES..(from + 1) * LANES, to * LANES));
        }
        Network::from_weights(&learned)
    }

    /// All three tables as bytes, little-endian.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = vec![0; 3 * 4 * Self::WEIGHTS];
        let cells = [&self.weights, &self.error_sum, &self.error_size].into_iter().flatten();
        for (bytes, cell) in bytes.as_chunks_mut::<4>().0.iter_mut().zip(cells) {
            *bytes = cell.load(Relaxed).to_le_bytes();
        }
        bytes
    }

    /// Tables from [`Tables::to_bytes`]; `None` if the length is wrong.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (cells, rest) = bytes.as_chunks::<4>();
        if !rest.is_empty() || cells.len() != 3 * ENTRIES * LANES {
            return None;
        }
        let part = |i: usize| {
            cells[i * ENTRIES * LANES..(i + 1) * ENTRIES * LANES]
                .iter()
                .map(|&bytes| AtomicU32::new(u32::from_le_bytes(bytes)))
                .collect()
        };
        Some(Self { weights: part(0), error_sum: part(1), error_size: part(2) })
    }
}

/// What a learner counted; of lines and lost games, those of the game itself, not of practice on bad stacks.
#[derive(Default)]
pub struct Progress {
    /// Pieces placed.
    pub pieces: AtomicU64,
    /// Lines cleared.
    pub lines: AtomicU64,
    /// Lines cleared four at a time.
    pub tetris_lines: AtomicU64,
    /// Games lost.
    pub deaths: AtomicU64,
}

impl Progress {
    fn all(&self) -> [&AtomicU64; 4] {
        [&self.pieces, &self.lines, &self.tetris_lines, &self.deaths]
    }

    fn counts(&self) -> [u64; 4] {
        self.all().map(|count| count.load(Relaxed))
    }
}

/// Small fast random numbers (xorshift64*, Vigna 2016); enough for sampling pieces.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> f32 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        (self.0.wrapping_mul(0x2545_F491_4F6C_DD1D) >> 40) as f32 / (1u32 << 24) as f32
    }

    /// A number below `end`; 0 if that is 0.
    fn below(&mut self, end: usize) -> usize {
        ((self.roll() * end as f32) as usize).min(end.saturating_sub(1))
    }

    fn piece_after(&mut self, last: Piece) -> Piece {
        let mut left = self.roll();
        for piece in Piece::ALL {
            left -= odds(last)[piece as usize];
            if left < 0.0 {
                return piece;
            }
        }
        Piece::I
    }
}

/// What a stage of training plays and pays.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rules {
    /// Level whose gravity is played.
    pub level: u8,
    /// Placements of each piece that are followed by the next piece before one is chosen; 1 is greedy play.
    pub candidates: usize,
    /// Value of a lost game, in tetrises; 0 or less.
    pub death: f32,
    /// Whether the large tables tell pile heights apart.
    pub by_height: bool,
    /// Share of stacks, those of the least value, that are played again with other pieces; 0 for none.
    pub drill: f32,
}

/// A stack after a placement.
#[derive(Clone, Copy)]
struct After {
    board: Board,
    at: [u32; PATTERNS],
    lines: u8,
    /// Reward and the discounted value for each next piece.
    totals: [f32; LANES],
}

/// All stacks that one piece can make of a board.
#[derive(Default)]
struct Fan {
    reachable: Vec<Placement>,
    after: Vec<After>,
}

impl Fan {
    /// Looks at all placements of `piece`.
    fn fill(&mut self, tables: &Tables, rules: Rules, board: &Board, piece: Piece) {
        placements(board, &Start::spawn(piece, rules.level), InputRule::EveryFrame, &mut self.reachable);
        self.after.clear();
        let shape = Shape::of(board);
        for &placement in &self.reachable {
            let mut board = *board;
            let lines = board.lock(placement.x, placement.y, placement.id).min(4);
            let shape = if lines == 0 { shape.with(placement) } else { Shape::of(&board) };
            let at = indices(&shape, rules.by_height, speed(rules.level));
            let reward = REWARD[usize::from(lines)];
            let totals = tables.values(&at).map(|value| reward + GAMMA * value.max(rules.death));
            self.after.push(After { board, at, lines, totals });
        }
    }

    /// The best total with `next` as the next piece; `death` if there is no placement.
    fn best(&self, next: Piece, death: f32) -> f32 {
        self.after.iter().map(|after| after.totals[next as usize]).reduce(f32::max).unwrap_or(death)
    }

    /// What `piece`, whose fan this is, is worth before the next one is known.
    fn expected(&self, piece: Piece, death: f32) -> f32 {
        Piece::ALL.iter().zip(odds(piece)).map(|(&next, odds)| odds * self.best(next, death)).sum()
    }
}

/// Practice on bad stacks: a good player sees few of them, and loses by those.
///
/// Between parts of the game, stacks of the least value that came up in it are played with other pieces. The game
/// goes on afterwards where it stood, so what counts as bad does not drift.
struct Drill {
    /// Share of stacks that are bad.
    share: f32,
    /// Bad stacks of the game.
    bad: Vec<Position>,
    /// Running estimate of the value that divides bad from good.
    below: f32,
    /// The game, while it waits.
    waiting: Option<Position>,
    /// Pieces until the next turn.
    left: u32,
}

impl Drill {
    /// Pieces of the game between two turns.
    const GAME: u32 = 180;
    /// Pieces of a turn.
    const TURN: u32 = 20;
    /// Bad stacks that are kept; a new one takes the place of any.
    const KEPT: usize = 256;
    /// How fast the estimate follows, in tetrises.
    const STEP: f32 = 0.2;

    const fn new(share: f32) -> Self {
        Self { share, bad: Vec::new(), below: OPTIMISM, waiting: None, left: Self::GAME }
    }

    /// Whether the pieces now are not the game's.
    const fn away(&self) -> bool {
        self.waiting.is_some()
    }

    /// Counts a piece; at the end of a part, exchanges `position`. True if it did.
    fn turn(&mut self, position: &mut Position, dice: &mut Dice) -> bool {
        self.left = self.left.saturating_sub(1);
        if self.left > 0 || self.share == 0.0 {
            return false;
        }
        self.left = Self::GAME;
        if let Some(game) = self.waiting.take() {
            *position = game;
            return true;
        }
        let Some(&bad) = self.bad.get(dice.below(self.bad.len())) else { return false };
        self.waiting = Some(std::mem::replace(position, bad));
        self.left = Self::TURN;
        true
    }

    /// The lost turn ends: `position` is the game's again. False if it was the game that was lost.
    fn lost(&mut self, position: &mut Position) -> bool {
        let game = self.waiting.take();
        if let Some(game) = game {
            *position = game;
            self.left = Self::GAME;
        }
        game.is_some()
    }

    /// Keeps `position`, of this `value`, if it is bad and the game's.
    fn note(&mut self, position: &Position, value: f32, dice: &mut Dice) {
        if self.share == 0.0 || self.away() {
            return;
        }
        if value >= self.below {
            self.below += Self::STEP * self.share;
            return;
        }
        self.below -= Self::STEP * (1.0 - self.share);
        if self.bad.len() < Self::KEPT {
            self.bad.push(*position);
        } else {
            self.bad[dice.below(Self::KEPT)] = *position;
        }
    }
}

/// Plays `pieces` pieces from an empty board and learns from each. One thread of it with one seed is
/// deterministic. Ends early when `stop` becomes true.
pub fn learn(tables: &Tables, rules: Rules, seed: u64, pieces: u64, progress: &Progress, stop: &AtomicBool) {
    let mut pupil = Pupil::new(rules, seed);
    for _ in 0..pieces {
        if stop.load(Relaxed) {
            return;
        }
        pupil.play(tables, progress, &mut |at, next, target| {
            tables.learn(at, next, target - tables.value(at, next));
        });
    }
}

/// Pieces of each game in a round of [`learn_in_rounds`].
const ROUND: u64 = 16;

/// As [`learn`], but with a game for each of `seeds`, side by side: in a round all games play 16 pieces by the tables as the
/// round found them, then the tables learn from all of it in the order of the games. So it comes to the same bytes on
/// any number of threads (`jobs`) and for any team whose members all begin with the same tables; each member plays its
/// part of the games and learns from all of them. At the end `progress` has the counts of the whole team.
///
/// `pieces` is for each game. After the games of each round `go_on` hears of the pieces
/// of the whole team so far and says whether to go on.
/// False if some member is not to go on; all of them then end in the same round.
pub fn learn_in_rounds(
    tables: &Tables,
    rules: Rules,
    seeds: &[u64],
    pieces: u64,
    (jobs, team): (usize, &dyn Team),
    progress: &Progress,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let part = team.part(seeds.len() as u64);
    let mine = &seeds[part.start as usize..part.end as usize];
    let mut games: Vec<_> = mine.iter().map(|&seed| (Pupil::new(rules, seed), Vec::new())).collect();
    let here = Progress::default();
    let mut left = pieces;
    while left > 0 {
        let round = left.min(ROUND);
        left -= round;
        pool::share(games.chunks_mut(mine.len().div_ceil(jobs.max(1)).max(1)), |games| {
            for (pupil, notes) in games {
                notes.clear();
                for _ in 0..round {
                    pupil.play(tables, &here, &mut |&at, next, target| {
                        Lesson { at, next, target }.write(notes);
                    });
                }
            }
        });
        // First whether this member goes on, then its lessons, of which there may be none.
        let mut message = vec![u8::from(go_on((pieces - left) * seeds.len() as u64))];
        for (_, notes) in &games {
            message.extend(notes);
        }
        let told = team.exchange(message);
        if !told.iter().all(|message| message.first() == Some(&1)) {
            return false;
        }
        for lesson in told.iter().flat_map(|message| message[1..].as_chunks().0).map(Lesson::read) {
            let Lesson { at, next, target } = lesson;
            tables.learn(&at, next, target - tables.value(&at, next));
        }
    }
    let counts = here.counts().map(u64::to_le_bytes).concat();
    for message in team.exchange(counts) {
        for (count, bytes) in progress.all().into_iter().zip(message.as_chunks().0) {
            count.fetch_add(u64::from_le_bytes(*bytes), Relaxed);
        }
    }
    true
}

/// What a stack should be worth.
struct Lesson {
    at: [u32; PATTERNS],
    next: Piece,
    target: f32,
}

impl Lesson {
    /// Bytes of a written lesson: entries and target of four each, the piece.
    const BYTES: usize = 4 * PATTERNS + 4 + 1;

    fn write(&self, to: &mut Vec<u8>) {
        self.at.iter().for_each(|entry| to.extend(entry.to_le_bytes()));
        to.extend(self.target.to_le_bytes());
        to.push(self.next as u8);
    }

    /// A lesson that some member wrote.
    fn read(bytes: &[u8; Self::BYTES]) -> Self {
        let word = |i: usize| std::array::from_fn(|k| bytes[4 * i + k]);
        Self {
            at: std::array::from_fn(|i| u32::from_le_bytes(word(i))),
            target: f32::from_le_bytes(word(PATTERNS)),
            next: Piece::ALL[usize::from(bytes[Self::BYTES - 1]) % Piece::ALL.len()],
        }
    }
}

/// One endless game, and what it takes to go on with it.
struct Pupil {
    rules: Rules,
    dice: Dice,
    game: Position,
    /// All placements of the piece in play, and whether that is up to date.
    fan: Fan,
    fresh: bool,
    /// What follows each of the best of them.
    fans: Vec<Fan>,
    order: Vec<usize>,
    drill: Drill,
}

impl Pupil {
    fn new(rules: Rules, seed: u64) -> Self {
        let mut dice = Dice(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        Self {
            game: Position::new(&mut dice, rules),
            dice,
            rules,
            fan: Fan::default(),
            fresh: false,
            fans: (0..rules.candidates).map(|_| Fan::default()).collect(),
            order: Vec::new(),
            drill: Drill::new(rules.drill),
        }
    }

    /// Plays a piece. `teach` hears which stacks, for which next piece, should be worth what.
    ///
    /// The piece in play and the next one are known. Its best placements, as many as there are candidates, are followed by
    /// all placements of the next piece; the best of them by that is played. Each candidate learns what was found
    /// behind it, also those that are not played: they are what the next choice will have to be told from.
    fn play(
        &mut self,
        tables: &Tables,
        progress: &Progress,
        teach: &mut dyn FnMut(&[u32; PATTERNS], Piece, f32),
    ) {
        let Self { rules, dice, game, fan, fresh, fans, order, drill } = self;
        let (rules, Rules { candidates, death, .. }) = (*rules, *rules);
        *fresh &= !drill.turn(game, dice);
        if !*fresh {
            fan.fill(tables, rules, &game.board, game.piece);
        }
        let next = dice.piece_after(game.piece);
        let expected = fan.expected(game.piece, death);
        drill.note(game, expected, dice);
        let shallow = fan.best(next, death);
        order.clear();
        order.extend(0..fan.after.len());
        order.sort_unstable_by(|&a, &b| {
            fan.after[b].totals[next as usize].total_cmp(&fan.after[a].totals[next as usize])
        });
        order.truncate(candidates);
        let mut chosen: Option<(f32, usize)> = None;
        for (slot, &candidate) in order.iter().enumerate() {
            let after = &fan.after[candidate];
            fans[slot].fill(tables, rules, &after.board, next);
            let behind = fans[slot].expected(next, death);
            let total = REWARD[usize::from(after.lines)] + GAMMA * behind;
            if chosen.is_none_or(|(best, _)| total > best) {
                chosen = Some((total, slot));
            }
        }
        for (slot, &candidate) in order.iter().enumerate() {
            // The one that is played learns with the piece after, when more is known.
            if chosen.is_none_or(|(_, played)| played != slot) {
                teach(&fan.after[candidate].at, next, fans[slot].expected(next, death));
            }
        }
        // What looking further found for this next piece corrects the expectation over all of them.
        let deep = chosen.map_or(death, |(total, _)| total);
        teach(&game.here, game.piece, expected + deep - shallow);
        progress.pieces.fetch_add(1, Relaxed);
        if let Some((_, slot)) = chosen {
            let after = &fan.after[order[slot]];
            if !drill.away() {
                progress.lines.fetch_add(u64::from(after.lines), Relaxed);
                if after.lines == 4 {
                    progress.tetris_lines.fetch_add(4, Relaxed);
                }
            }
            *game = Position { board: after.board, here: after.at, piece: next };
            std::mem::swap(fan, &mut fans[slot]);
        } else if !drill.lost(game) {
            progress.deaths.fetch_add(1, Relaxed);
            *game = Position { piece: next, ..Position::new(dice, rules) };
        }
        *fresh = chosen.is_some();
    }
}

/// A game in training.
#[derive(Clone, Copy)]
struct Position {
    board: Board,
    here: [u32; PATTERNS],
    piece: Piece,
}

impl Position {
    fn new(dice: &mut Dice, rules: Rules) -> Self {
        let board = Board::EMPTY;
        let here = indices(&Shape::of(&board), rules.by_height, speed(rules.level));
        Self { board, here, piece: dice.piece_after(Piece::O) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::team::{Alone, tests::team};
    use super::*;

    #[test]
    fn what_is_not_told_apart_by_height_is_played_at_every_height() {
        for rows in [3, 9, 12, 15] {
            let board: Board = "####.####.\n".repeat(rows).parse().unwrap();
            let shape = Shape::of(&board);
            let tables = Tables::new();
            for piece in Piece::ALL {
                tables.learn(&indices(&shape, false, 0), piece, 1.0);
            }
            let played = tables.network(false).values(&shape, 19);
            for piece in Piece::ALL {
                let learned = tables.value(&indices(&shape, false, 0), piece);
                assert!((played[piece as usize] - learned).abs() < 0.1, "{rows} rows, {piece}");
            }
        }
    }

    #[test]
    fn at_another_speed_only_its_own_tables_learn() {
        let board: Board = "####.####.\n".repeat(5).parse().unwrap();
        let [common, slow, fast] = [0, 1, 2].map(|speed| indices(&Shape::of(&board), true, speed));
        let tables = Tables::new();
        tables.learn(&common, Piece::T, 3.0);
        tables.spread_to(1);
        tables.spread_to(2);
        let before = tables.value(&common, Piece::T);
        tables.learn(&slow, Piece::T, 1.0);
        for other in [common, fast] {
            assert_eq!(tables.value(&other, Piece::T).to_bits(), before.to_bits());
        }
        assert!((tables.value(&slow, Piece::T) - before - 1.0).abs() < 1e-3);
        // They have learned: what is learned at levels 19 to 28 does not take their place again.
        tables.spread_to(1);
        assert!((tables.value(&slow, Piece::T) - before - 1.0).abs() < 1e-3);
    }

    #[test]
    fn in_rounds_any_team_learns_the_same_and_counts_the_same() {
        let rules = Rules { level: 19, candidates: 2, death: -1.0, by_height: true, drill: 0.1 };
        let seeds = [3, 1, 4, 1, 5];
        let learn = |jobs: usize, team: &dyn Team| {
            let (tables, progress) = (Tables::new(), Progress::default());
            assert!(learn_in_rounds(&tables, rules, &seeds, 40, (jobs, team), &progress, &mut |_| true));
            let cells = [&tables.weights, &tables.error_sum, &tables.error_size].into_iter().flatten();
            let sum = |sum: u64, cell: &AtomicU32| {
                sum.wrapping_mul(0x9E37_79B9).wrapping_add(cell.load(Relaxed).into())
            };
            (cells.fold(0, sum), progress.counts())
        };
        let alone = learn(1, &Alone);
        assert_eq!(alone.1[0], 200);
        assert_eq!(learn(2, &Alone), alone);
        assert_eq!(team(2, |team| learn(1, team)), [alone, alone]);
        let stopped = team(2, |team| {
            let mut go_on = |_| team.leads();
            learn_in_rounds(&Tables::new(), rules, &seeds, 40, (1, team), &Progress::default(), &mut go_on)
        });
        assert_eq!(stopped, [false, false]);
    }

    #[test]
    fn after_a_drill_the_game_goes_on_where_it_stood() {
        let rules = Rules { level: 19, candidates: 1, death: -1.0, by_height: true, drill: 0.1 };
        let mut dice = Dice(5);
        let position = |art: &str, dice: &mut Dice| Position {
            board: art.parse().unwrap(),
            piece: Piece::T,
            ..Position::new(dice, rules)
        };
        let (game, bad) = (position("####......\n", &mut dice), position("#.#.#.#.#.\n", &mut dice));
        let mut drill = Drill::new(rules.drill);
        drill.note(&game, 8.0, &mut dice);
        drill.note(&bad, -3.0, &mut dice);
        let mut now = game;
        for lost in [false, true] {
            assert_eq!((0..Drill::GAME).filter(|_| drill.turn(&mut now, &mut dice)).count(), 1);
            assert!(drill.away() && now.board == bad.board);
            // What comes up now is not kept.
            let kept = drill.bad.len();
            drill.note(&bad, -9.0, &mut dice);
            assert_eq!(drill.bad.len(), kept);
            if lost {
                assert!(drill.lost(&mut now));
            } else {
                assert_eq!((0..Drill::TURN).filter(|_| drill.turn(&mut now, &mut dice)).count(), 1);
            }
            assert!(!drill.away() && now.board == game.board);
        }
        assert!(!drill.lost(&mut now), "the game itself");
    }
}
