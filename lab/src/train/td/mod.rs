//! Temporal-difference learning of [`maxout_engine::eval::ntuple`] from nothing, by self-play.
//!
//! The game is endless, at one gravity; rewards are in tetrises, and each later piece counts 0.99 times as much, or more in
//! stages with a `discount`. The value of an afterstate is learned for each next piece, and the player is greedy in this value, so it uses the next
//! piece. Targets are expectations over the piece that follows. Tables start optimistic, because otherwise nothing is
//! learned. Step sizes are those of temporal coherence (Beal and Smith 1999): |sum of a weight's errors| / sum of their
//! sizes.

mod drill;
mod fan;
#[cfg(test)]
mod oracle;
mod position;
mod tables;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use crate::random::Xorshift64Star;
use crate::team::Team;
use drill::Drill;
use fan::Fan;
use maxout_engine::eval::ntuple::{LANES, TableList, odds};
use maxout_host::pool;
use maxout_rules::Piece;
use position::Position;
pub(super) use position::piece_after;
pub use position::{GAMMA, ORDINARY, REWARD, StageRules};
pub use tables::Tables;
pub(super) use tables::blocks;

/// What a learner counted; of lines and lost games, those of the game itself, not of practice on bad boards.
#[derive(Default)]
pub struct TrainingProgress {
    /// Pieces placed.
    pub pieces: AtomicU64,
    /// Lines cleared.
    pub lines: AtomicU64,
    /// Lines cleared four at a time.
    pub tetris_lines: AtomicU64,
    /// Games lost.
    pub deaths: AtomicU64,
}

impl TrainingProgress {
    fn all(&self) -> [&AtomicU64; 4] {
        [&self.pieces, &self.lines, &self.tetris_lines, &self.deaths]
    }

    fn counts(&self) -> [u64; 4] {
        self.all().map(|count| count.load(Relaxed))
    }
}

/// Plays `pieces` pieces from an empty board and learns from each. One thread of it with one seed is
/// deterministic. Ends early when `stop` becomes true.
pub fn learn<L: TableList>(
    tables: &Tables<L>,
    rules: StageRules,
    seed: u64,
    pieces: u64,
    progress: &TrainingProgress,
    stop: &AtomicBool,
) {
    let mut pupil = Pupil::new(rules, seed);
    for _ in 0..pieces {
        if stop.load(Relaxed) {
            return;
        }
        pupil.play(tables, progress, &mut |at, next, target| {
            tables.learn(at, next, target - tables.value(at, next), rules.patience);
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
pub fn learn_in_rounds<L: TableList>(
    tables: &Tables<L>,
    rules: StageRules,
    seeds: &[u64],
    pieces: u64,
    (jobs, team): (usize, &dyn Team),
    progress: &TrainingProgress,
    go_on: &mut dyn FnMut(u64) -> bool,
) -> bool {
    let part = team.part(seeds.len() as u64);
    let mine = &seeds[part.start as usize..part.end as usize];
    let mut games: Vec<_> = mine.iter().map(|&seed| (Pupil::new(rules, seed), Vec::new())).collect();
    let here = TrainingProgress::default();
    let mut entries = vec![0; L::PATTERNS];
    let mut left = pieces;
    while left > 0 {
        let round = left.min(ROUND);
        left -= round;
        pool::share(games.chunks_mut(mine.len().div_ceil(jobs.max(1)).max(1)), |games| {
            for (pupil, notes) in games {
                notes.clear();
                for _ in 0..round {
                    pupil.play(tables, &here, &mut |at, next, target| {
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
        let size = Lesson::bytes(L::PATTERNS);
        for bytes in told.iter().flat_map(|message| message[1..].chunks_exact(size)) {
            let Lesson { at, next, target } = Lesson::read(bytes, &mut entries);
            tables.learn(at, next, target - tables.value(at, next), rules.patience);
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

/// What an afterstate should be worth.
struct Lesson<'a> {
    at: &'a [u32],
    next: Piece,
    target: f32,
}

impl<'a> Lesson<'a> {
    /// Bytes of a written lesson: entries and target of four each, the piece.
    const fn bytes(patterns: usize) -> usize {
        4 * patterns + 4 + 1
    }

    fn write(&self, to: &mut Vec<u8>) {
        self.at.iter().for_each(|entry| to.extend(entry.to_le_bytes()));
        to.extend(self.target.to_le_bytes());
        to.push(self.next as u8);
    }

    /// A lesson that some member wrote. Its entries are put into `at`, one per pattern.
    fn read(bytes: &[u8], at: &'a mut [u32]) -> Self {
        let (entries, last) = bytes.split_at(4 * at.len());
        for (entry, bytes) in at.iter_mut().zip(entries.as_chunks().0) {
            *entry = u32::from_le_bytes(*bytes);
        }
        let target = f32::from_le_bytes(std::array::from_fn(|k| last[k]));
        Self { at, next: Piece::ALL[usize::from(last[4]) % Piece::ALL.len()], target }
    }
}

/// One endless game, and what it takes to go on with it.
struct Pupil<L: TableList> {
    rules: StageRules,
    dice: Xorshift64Star,
    game: Position<L>,
    /// All placements of the piece in play, and whether that is up to date.
    fan: Fan<L>,
    fresh: bool,
    /// What follows each of the best of them.
    fans: Vec<Fan<L>>,
    /// What would follow the board that is played, if another piece came next.
    other: Fan<L>,
    order: Vec<usize>,
    drill: Drill<L>,
}

impl<L: TableList> Pupil<L> {
    fn new(rules: StageRules, seed: u64) -> Self {
        let mut dice = Xorshift64Star::new(seed);
        Self {
            game: Position::new(&mut dice, rules),
            dice,
            rules,
            fan: Fan::new(),
            fresh: false,
            fans: (0..rules.candidates).map(|_| Fan::new()).collect(),
            other: Fan::new(),
            order: Vec::new(),
            drill: Drill::new(rules.drill),
        }
    }

    /// Plays a piece. `teach` hears which afterstates, for which next piece, should be worth what.
    ///
    /// The piece in play and the next one are known. With a reaction delay, only placements that can still be reached once the next piece
    /// is seen are tried. Its best placements, as many as there are candidates, are followed by
    /// all placements of the next piece; the best of them by that is played. Each candidate learns what was found
    /// behind it, also those that are not played: they are what the next choice will have to be told from. With `all_next` the
    /// board that is played learns at once what would be behind it if one of the six other pieces came next.
    fn play(
        &mut self,
        tables: &Tables<L>,
        progress: &TrainingProgress,
        teach: &mut dyn FnMut(&[u32], Piece, f32),
    ) {
        let Self { rules, dice, game, fan, fresh, fans, other, order, drill } = self;
        let (rules, StageRules { candidates, death, .. }) = (*rules, *rules);
        *fresh &= !drill.turn(game, dice);
        if !*fresh {
            fan.fill(tables, rules, &game.board, game.piece);
        }
        let next = piece_after(dice, game.piece);
        if rules.is_blind() {
            self.play_blind(tables, next, progress, teach);
            return;
        }
        // With a reaction delay, what is pressed before the next piece is seen decides what can still be reached.
        let (expected, open) = fan.choose(game.piece, death);
        drill.note(game, expected, dice);
        let shallow = fan.best(open, next, death);
        order.clear();
        order.extend((0..fan.after.len()).filter(|&at| Fan::<L>::is_open(open, at)));
        order.sort_unstable_by(|&a, &b| {
            fan.after[b].totals[next as usize].total_cmp(&fan.after[a].totals[next as usize])
        });
        order.truncate(candidates);
        let mut chosen: Option<(f32, usize)> = None;
        for (slot, &candidate) in order.iter().enumerate() {
            let after = &fan.after[candidate];
            fans[slot].fill(tables, rules, &after.board, next);
            let behind = fans[slot].expected(next, death);
            let total = REWARD[usize::from(after.lines)] + rules.earlier(behind);
            if chosen.is_none_or(|(best, _)| total > best) {
                chosen = Some((total, slot));
            }
        }
        for (slot, &candidate) in order.iter().enumerate() {
            // The one that is played learns with the piece after, when more is known.
            if chosen.is_none_or(|(_, played)| played != slot) {
                teach(fan.after[candidate].at.as_ref(), next, fans[slot].expected(next, death));
            }
        }
        if let Some((_, slot)) = chosen.filter(|_| rules.all_next) {
            let after = &fan.after[order[slot]];
            for piece in Piece::ALL.into_iter().filter(|&piece| piece != next) {
                other.fill(tables, rules, &after.board, piece);
                teach(after.at.as_ref(), piece, other.expected(piece, death));
            }
        }
        // What looking further found for this next piece corrects the expectation over all of them.
        let deep = chosen.map_or(death, |(total, _)| total);
        teach(game.here.as_ref(), game.piece, expected + deep - shallow);
        self.go_on(chosen.map(|(_, slot)| slot), next, progress);
    }

    /// Plays a piece as [`Self::play`] does, for a player who does not see `next` before the piece in play has locked. The placements
    /// with the best expectation are tried with each of the seven next pieces, which are placed by expectation, too. Each of these
    /// placements learns for all seven.
    fn play_blind(
        &mut self,
        tables: &Tables<L>,
        next: Piece,
        progress: &TrainingProgress,
        teach: &mut dyn FnMut(&[u32], Piece, f32),
    ) {
        let Self { rules, game, fan, fans, other, order, .. } = self;
        let (rules, StageRules { death, .. }) = (*rules, *rules);
        let mean = |totals: &[f32; LANES], piece: Piece| -> f32 {
            odds(piece).iter().zip(totals).map(|(odds, total)| odds * total).sum()
        };
        order.clear();
        order.extend(0..fan.after.len());
        let piece = game.piece;
        order.sort_unstable_by(|&a, &b| {
            mean(&fan.after[b].totals, piece).total_cmp(&mean(&fan.after[a].totals, piece))
        });
        order.truncate(rules.candidates);
        let mut chosen: Option<(f32, usize)> = None;
        let mut lessons = Vec::with_capacity(order.len());
        for (slot, &candidate) in order.iter().enumerate() {
            let after = &fan.after[candidate];
            let mut behind = [0.0; LANES];
            for piece in Piece::ALL {
                let fan = if piece == next { &mut fans[slot] } else { &mut *other };
                fan.fill(tables, rules, &after.board, piece);
                let means = fan.after.iter().map(|after| mean(&after.totals, piece));
                behind[piece as usize] = means.reduce(f32::max).unwrap_or(death);
            }
            let total = REWARD[usize::from(after.lines)] + rules.earlier(mean(&behind, piece));
            if chosen.is_none_or(|(best, _)| total > best) {
                chosen = Some((total, slot));
            }
            lessons.push(behind);
        }
        let played = chosen.map(|(_, slot)| slot);
        for (slot, (&candidate, lesson)) in order.iter().zip(&lessons).enumerate() {
            for piece in Piece::ALL {
                // The board that is played learns for the piece that comes one turn later, when more is known.
                if played != Some(slot) || piece != next {
                    teach(fan.after[candidate].at.as_ref(), piece, lesson[piece as usize]);
                }
            }
        }
        teach(game.here.as_ref(), game.piece, chosen.map_or(death, |(total, _)| total));
        self.go_on(played, next, progress);
    }

    /// Goes on with the candidate in slot `played`, or from a new board if there is none, and counts what happened.
    fn go_on(&mut self, played: Option<usize>, next: Piece, progress: &TrainingProgress) {
        let Self { rules, dice, game, fan, fresh, fans, order, drill, .. } = self;
        progress.pieces.fetch_add(1, Relaxed);
        if let Some(slot) = played {
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
            *game = Position { piece: next, ..Position::new(dice, *rules) };
        }
        *fresh = played.is_some();
    }
}
