//! How a player plays, by what the placements lost: [`PlayStyle`], and games that go on as they play.

use std::sync::{Mutex, PoisonError};

use super::PlacedPiece;
use crate::pool;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, GamePlayouts, stop_level, tetris};
use maxout_engine::env::{Env, GameEnd};
use maxout_rules::random::Dice;
use maxout_rules::{Placement, line_points};

/// The levels from which pieces fall faster, each the first of a group with losses of its own.
const FASTER: [u8; 2] = [19, 29];
/// Most pieces of a part of the game that is played again in the style. What a forecast behind a part does not see of a board that others build is
/// taken for losses, so the fewer ends the better.
const PART: usize = 100;
/// How often each part is played again.
const AGAIN: u64 = 8;
/// Of longer games only parts with about as many pieces are played again, spread evenly.
const REPLAYED: usize = 1_600;
/// From this number of rows on that are not empty, nothing is lost: near the top, steady players lose points by how they build, but hardly any
/// games.
const TALL: usize = 8;
/// The largest share of the losses that is tried, and how often the interval is halved.
const MOST: f32 = 2.0;
const HALVED: usize = 7;

/// How often a player loses how much.
///
/// What a placement loses at sight is not what it costs: a person's placement is better than the search thinks, and better than others that seem to
/// lose as much. So a share of each loss counts, mostly a small one, and none on tall boards. With that share, whoever plays the same pieces in this style
/// comes as far as the game did.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayStyle {
    /// Losses at sight as shares of a tetris, by how fast pieces fall: before level 19, up to 28, from 29 on.
    losses: [Vec<f32>; FASTER.len() + 1],
    share: f32,
    placements: usize,
}

/// A part of a game that is played again.
struct Part<'a> {
    pieces: &'a [PlacedPiece],
    /// What was made until the last piece came into play, and what is expected from there on, in points.
    came_to: f64,
}

impl PlayStyle {
    /// No style is measured from fewer placements than this. Where fewer were made as fast, those of all levels count.
    pub const ENOUGH: usize = 100;

    /// Measures the style of whoever placed these pieces, on `jobs` threads; their number does not change it. `analyst` says what positions are worth.
    /// Every thread asks `go_on` before each game; `None` once it returns false.
    ///
    /// # Errors
    ///
    /// The number of placements that can be measured, if fewer than [`Self::ENOUGH`]: those with a next piece, next to one that follows without a gap.
    pub fn of(
        pieces: &[PlacedPiece],
        playouts: &GamePlayouts,
        analyst: &Analyst,
        jobs: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Option<Self>, usize> {
        let mut losses: [Vec<f32>; FASTER.len() + 1] = Default::default();
        let mut sight = playouts.clone();
        for placed in pieces {
            if !go_on() {
                return Ok(None);
            }
            let position = placed.position();
            let all = sight.losses(&position, Some(placed.placement));
            let lost = all.iter().find(|(at, _)| *at == placed.placement);
            losses[group(&position)].extend(lost.map(|&(_, loss)| loss / tetris(position.progress.level)));
        }
        let (all, parts) = (losses.concat(), parts(pieces, &mut analyst.clone()));
        let followed = parts.iter().map(|part| part.pieces.len()).sum::<usize>();
        let placements = all.len().min(followed);
        if placements < Self::ENOUGH {
            return Err(placements);
        }
        for group in losses.iter_mut().filter(|group| group.len() < Self::ENOUGH) {
            group.clone_from(&all);
        }
        let mut style = Self { losses, share: 0.0, placements };
        // Any share of nothing is nothing.
        if all.iter().all(|&loss| loss == 0.0) {
            return Ok(Some(style));
        }
        let parts: Vec<Part<'_>> = parts.into_iter().step_by(followed.div_ceil(REPLAYED)).collect();
        let mut step = MOST / 2.0;
        for _ in 0..HALVED {
            let tried = Self { share: style.share + step, ..style.clone() };
            let Some(behind) = tried.behind(&parts, (playouts, analyst), jobs, go_on) else {
                return Ok(None);
            };
            // Losing more than whoever played, it loses too much.
            if behind <= 0.0 {
                style = tried;
            }
            step /= 2.0;
        }
        Ok(Some(style))
    }

    /// Returns the share of the losses that counts, 0 to 2: 0 if no placement lost anything, and above 1 if placements cost more than they lose at sight.
    pub const fn share(&self) -> f32 {
        self.share
    }

    /// Returns from how many placements the style was measured.
    pub const fn placements(&self) -> usize {
        self.placements
    }

    /// By how many points games in this style are behind the parts that were played, with the same pieces. `None` once `go_on` returns false.
    fn behind(
        &self,
        parts: &[Part<'_>],
        (playouts, analyst): (&GamePlayouts, &Analyst),
        jobs: usize,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Option<f64> {
        let behind = Mutex::new(vec![None; parts.len()]);
        let all: Vec<(usize, &Part<'_>)> = parts.iter().enumerate().collect();
        pool::share(all.chunks(all.len().div_ceil(jobs).max(1)), |some| {
            let (mut playouts, mut analyst) = (playouts.clone(), analyst.clone());
            for &(number, part) in some {
                let mut came_to = 0.0;
                for again in 0..AGAIN {
                    if !go_on() {
                        return;
                    }
                    let seed = Dice::of([number as u64, again]).state();
                    came_to += self.play_again(part.pieces, &mut playouts, &mut analyst, seed);
                }
                let apart = part.came_to - came_to / AGAIN as f64;
                behind.lock().unwrap_or_else(PoisonError::into_inner)[number] = Some(apart);
            }
        });
        behind.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().sum()
    }

    /// Plays all but the last of these pieces again. Returns the points made and those expected from there on.
    fn play_again(
        &self,
        pieces: &[PlacedPiece],
        playouts: &mut GamePlayouts,
        analyst: &mut Analyst,
        seed: u64,
    ) -> f64 {
        let [first, .., last] = pieces else { return 0.0 };
        let mut env = playouts.game(&first.position(), seed);
        let mut made = 0;
        for (number, both) in (0..).zip(pieces.windows(2)) {
            env.deal_pieces(both[0].piece, both[1].piece);
            match self.place(&mut env, playouts, seed, number) {
                Some((_, points)) => made += points,
                None => return made as f64,
            }
            if env.end().is_some() {
                return made as f64;
            }
        }
        // The last next piece may not be known.
        env.deal_pieces(last.piece, last.next.unwrap_or(env.next_piece()));
        made as f64 + worth(&env.position(), analyst)
    }

    /// Places the piece in play, as piece `number` of a game. Returns the lines and points, or `None` without a place.
    fn place(&self, env: &mut Env, playouts: &mut GamePlayouts, seed: u64, number: u64) -> Option<(u8, u64)> {
        let position = env.position();
        let mut dice = Dice::of([seed, number]);
        let losses = &self.losses[group(&position)];
        let share = if is_tall(&position) { 0.0 } else { self.share * losses[dice.below(losses.len())] };
        let weighed = playouts.losses(&position, None);
        let at = about(&weighed, share * tetris(position.progress.level), &mut dice)?;
        let step = env.step(at).ok()?;
        Some((step.lines, step.reward))
    }

    /// Plays on in this style, `placement` first if there is one, with the pieces of `seed`, up to the stop or for that number of pieces.
    ///
    /// Each placement loses as much as one that is drawn from those of the style. What is drawn depends on seed and number of the piece alone, so games
    /// from two placements differ by these alone.
    pub fn play_on(
        &self,
        playouts: &mut GamePlayouts,
        position: &Position,
        placement: Option<Placement>,
        pieces: usize,
        seed: u64,
    ) -> StyledGame {
        let mut env = playouts.game(position, seed);
        let mut played = StyledGame { clears: Vec::new(), end: None };
        for number in 0..pieces as u64 {
            played.end = env.end();
            if played.end.is_some() {
                break;
            }
            let placed = match placement.filter(|_| number == 0) {
                Some(at) => env.step(at).ok().map(|step| (step.lines, step.reward)),
                None => self.place(&mut env, playouts, seed, number),
            };
            let Some((rows, points)) = placed else {
                played.end = Some(GameEnd::TopOut);
                break;
            };
            if rows > 0 {
                let (lines, before) = played.made();
                played.clears.push((lines + u32::from(rows), before + points));
            }
        }
        played
    }
}

/// The parts of a game without a gap and with one stop.
fn parts<'a>(pieces: &'a [PlacedPiece], analyst: &mut Analyst) -> Vec<Part<'a>> {
    let mut parts = Vec::new();
    // Parts of equal size.
    let split = |whole: &'a [PlacedPiece]| whole.chunks(whole.len().div_ceil(whole.len().div_ceil(PART)));
    for pieces in pieces.chunk_by(follows).flat_map(split).filter(|part| part.len() > 1) {
        let (last, played) = (pieces[pieces.len() - 1], &pieces[..pieces.len() - 1]);
        let made: u64 = played.iter().map(|placed| after(placed).1).sum();
        parts.push(Part { pieces, came_to: made as f64 + worth(&last.position(), analyst) });
    }
    parts
}

/// Whether `next` is the next placement after `one`, with the same stop.
fn follows(one: &PlacedPiece, next: &PlacedPiece) -> bool {
    let (board, _) = after(one);
    board == next.board && stop_level(one.progress.level) == stop_level(next.progress.level)
}

/// The board after a placement, and the line points of it.
fn after(placed: &PlacedPiece) -> (maxout_rules::Board, u64) {
    let (mut board, mut progress, Placement { x, y, orientation }) =
        (placed.board, placed.progress, placed.placement);
    let rows = board.lock(x, y, orientation);
    progress.add_rows(rows);
    (board, line_points(rows, progress.level))
}

/// What is expected from a position on; nothing if the piece has no place.
fn worth(position: &Position, analyst: &mut Analyst) -> f64 {
    analyst.forecast(position).map_or(0.0, |estimate| estimate.points.into())
}

/// The group of placements in this position.
fn group(position: &Position) -> usize {
    let falls_as = position.start.fall_rule.ntsc_level(position.progress.level);
    FASTER.partition_point(|&from| from <= falls_as)
}

/// Whether [`TALL`] rows or more are not empty, so that nothing is lost.
fn is_tall(position: &Position) -> bool {
    position.board.visible().iter().filter(|row| **row & 0x3ff != 0).count() >= TALL
}

/// Of placements, those that lose least first, one of the two that lose next to `loss`, so that the mean is that.
fn about(weighed: &[(Placement, f32)], loss: f32, dice: &mut Dice) -> Option<Placement> {
    let after = weighed.partition_point(|&(_, lost)| lost < loss);
    let (less, more) = (after.checked_sub(1).and_then(|at| weighed.get(at)), weighed.get(after));
    match (less, more) {
        (Some(&(less, low)), Some(&(more, high))) => {
            let share = f64::from((loss - low) / (high - low));
            Some(if dice.unit() < share { more } else { less })
        }
        (one, other) => one.or(other).map(|&(at, _)| at),
    }
}

/// How a game went on, played in a style.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StyledGame {
    /// After each clear: all lines and all line points since the position.
    pub clears: Vec<(u32, u64)>,
    /// Why it is over; `None` if it was not played to its end.
    pub end: Option<GameEnd>,
}

impl StyledGame {
    /// Returns all lines and all line points.
    pub fn made(&self) -> (u32, u64) {
        self.clears.last().copied().unwrap_or_default()
    }

    /// Returns the share of the lines that were cleared four at a time, 0 to 1.
    pub fn tetris_rate(&self) -> f64 {
        let mut before = 0;
        let rows = self.clears.iter().map(|&(lines, _)| lines - std::mem::replace(&mut before, lines));
        let by_tetrises: u32 = rows.filter(|&rows| rows == 4).sum();
        f64::from(by_tetrises) / f64::from(self.made().0.max(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::review::MoveClass;
    use maxout_engine::env::EnvRules;
    use maxout_engine::limits::Limits;
    use maxout_engine::player::find;
    use maxout_engine::search::Foresight;
    use maxout_rules::{Progress, Region};

    impl PlayStyle {
        /// Which share of placements loses so much that it is of each class, from Best to Blunder, where pieces fall as fast as in this position
        /// and the board is not tall.
        fn classes(&self, position: &Position) -> [f64; 6] {
            let (losses, level) = (&self.losses[group(position)], position.progress.level);
            let mut classes = [0.0; 6];
            for loss in losses {
                let class = MoveClass::of(self.share * loss * tetris(level), level) as usize;
                classes[class] += 1.0 / losses.len() as f64;
            }
            classes
        }
    }

    fn fast() -> (GamePlayouts, Analyst) {
        let player = find("maxout-fast").expect("a player");
        (player.playouts().expect("learned"), player.analyst(Foresight::DEFAULT).expect("learned"))
    }

    /// A game of a player that loses nothing in 3 of 4 placements, and else about 0.1 or 0.5 tetrises, by dice of the test's own.
    fn game(playouts: &mut GamePlayouts, seed: u64, most: usize) -> Vec<PlacedPiece> {
        let mut env = Env::new(EnvRules::game(19).with_moves(Limits::EACH_BUTTON), seed);
        let (mut dice, mut pieces) = (Dice::new(seed), Vec::new());
        while env.end().is_none() && pieces.len() < most {
            let Position { board, next, progress, .. } = env.position();
            let wanted = tetris(progress.level) * [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.1, 0.5][dice.below(8)];
            let all = playouts.losses(&env.position(), None);
            let near = |one: &&(Placement, f32)| (one.1 - wanted).abs();
            let at = all.iter().min_by(|a, b| near(a).total_cmp(&near(b))).expect("a place").0;
            let (piece, region) = (env.piece(), Region::Ntsc);
            let frame = pieces.len() as u64;
            pieces.push(PlacedPiece { frame, board, piece, next, placement: at, progress, region });
            env.step(at).expect("it rests");
        }
        pieces
    }

    #[test]
    #[ignore = "slow; .ci/run has it"]
    fn the_losses_that_were_put_in_are_found() {
        let (mut playouts, analyst) = fast();
        let perfect = perfect(&mut playouts, Env::new(EnvRules::game(19), 5), 100);
        let of = |pieces: &[PlacedPiece], jobs| {
            PlayStyle::of(pieces, &playouts, &analyst, jobs, &|| true).expect("enough").expect("not stopped")
        };
        let mut playouts = playouts.clone();
        let pieces: Vec<PlacedPiece> = (0..4).flat_map(|seed| game(&mut playouts, seed, 150)).collect();
        let style = of(&pieces, 2);
        assert_eq!(style, of(&pieces, 1));
        println!(
            "{} pieces, share {:.2}, {:.3?}",
            pieces.len(),
            style.share(),
            style.classes(&pieces[0].position())
        );
        // Whoever is a style loses all that the losses say.
        assert!(style.share() > 0.6, "{}", style.share());
        let whole = PlayStyle { share: 1.0, ..style.clone() };
        let [best, excellent, good, inaccuracy, mistake, blunder] = whole.classes(&pieces[0].position());
        assert!((best - 0.75).abs() < 0.06, "{best}");
        assert!(
            (excellent + good + inaccuracy - 0.125).abs() < 0.06 && (mistake + blunder - 0.125).abs() < 0.06
        );
        // Nobody else loses so much.
        let style = of(&perfect, 2);
        assert!(style.classes(&perfect[0].position())[0] > 0.999);
    }

    /// A game of a player that loses nothing.
    fn perfect(playouts: &mut GamePlayouts, mut env: Env, most: usize) -> Vec<PlacedPiece> {
        let step = |_| {
            let Position { board, next, progress, .. } = env.position();
            let at = playouts.losses(&env.position(), None)[0].0;
            let piece = env.piece();
            env.step(at).expect("it rests");
            PlacedPiece { frame: 0, board, piece, next, placement: at, progress, region: Region::Ntsc }
        };
        (0..most).map(step).collect()
    }

    #[test]
    fn no_style_is_made_up() {
        let (mut playouts, analyst) = fast();
        let all = perfect(&mut playouts, Env::new(EnvRules::game(19), 5), 102);
        let of = |pieces: &[PlacedPiece], go_on: &(dyn Fn() -> bool + Sync)| {
            PlayStyle::of(pieces, &playouts, &analyst, 2, go_on)
        };
        let too_few = |pieces: &[PlacedPiece]| of(pieces, &|| true).expect_err("too few");
        assert_eq!([0, 1, 5, 99].map(|pieces| too_few(&all[..pieces])), [0, 0, 5, 99]);
        let with_gaps: Vec<PlacedPiece> = all.iter().step_by(2).cycle().take(400).copied().collect();
        assert_eq!(too_few(&with_gaps), 0);
        let style = of(&all, &|| true).expect("enough").expect("not stopped");
        assert_eq!((style.share(), style.placements()), (0.0, 102), "nothing was lost");
        // It is broken off at sight, and while parts are played again.
        let lossy = game(&mut playouts.clone(), 1, 150);
        for after in [0, 40, lossy.len() + 10] {
            let asked = std::sync::atomic::AtomicUsize::new(0);
            let go_on = || asked.fetch_add(1, std::sync::atomic::Ordering::Relaxed) < after;
            assert_eq!(of(&lossy, &go_on), Ok(None), "after {after}");
            assert!(asked.into_inner() <= after + 2, "each thread stops at once");
        }
    }

    #[test]
    fn games_go_on_as_the_style_says_and_repeat() {
        let (mut playouts, _) = fast();
        let position = Position::spawn(
            maxout_rules::Board::EMPTY,
            maxout_rules::Piece::T,
            Some(maxout_rules::Piece::L),
            Progress::at(0, 19),
        );
        let of = |losses: &[f32], share| PlayStyle {
            losses: [losses.to_vec(), losses.to_vec(), losses.to_vec()],
            share,
            placements: losses.len(),
        };
        let [careful, wild] = [of(&[0.0], 1.0), of(&[0.0, 3.0], 1.0)];
        let played = careful.play_on(&mut playouts, &position, None, 40, 7);
        assert_eq!(played, careful.play_on(&mut playouts, &position, None, 40, 7));
        assert_eq!(played.end, None);
        // No share of the losses, no loss.
        assert_eq!(played, of(&[0.0, 3.0], 0.0).play_on(&mut playouts, &position, None, 40, 7));
        let lost = wild.play_on(&mut playouts, &position, None, 400, 7);
        assert_eq!(lost.end, Some(GameEnd::TopOut));
        let clears = StyledGame { clears: vec![(4, 100), (5, 110), (9, 210)], end: None };
        assert_eq!((clears.made(), clears.tetris_rate()), ((9, 210), 8.0 / 9.0));
    }

    /// On PAL pieces fall at 16 as on level 19, and at 19 as on level 29 (docs/how-it-works/the-game.md, 9.2).
    #[test]
    fn losses_are_those_of_pieces_that_fall_as_fast() {
        let style = PlayStyle { losses: [vec![0.0], vec![0.1], vec![1.0]], share: 1.0, placements: 3 };
        let class = |level, region: Region| {
            let progress = Progress::at(0, level);
            let start = maxout_engine::movegen::Start::spawn(maxout_rules::Piece::T, level).by(region.into());
            let position = Position { board: maxout_rules::Board::EMPTY, start, next: None, progress };
            style.classes(&position).iter().position(|&share| share > 0.99)
        };
        let [best, good, blunder] = [Some(0), Some(2), Some(5)];
        for (region, expected) in [
            (Region::Ntsc, [(0, best), (18, best), (19, good), (28, good), (29, blunder), (40, blunder)]),
            (Region::Pal, [(0, best), (15, best), (16, good), (18, good), (19, blunder), (29, blunder)]),
        ] {
            for (level, expected) in expected {
                assert_eq!(class(level, region), expected, "{region:?}, level {level}");
            }
        }
    }

    /// What is expected before level 29 ends there, so no part of a game goes on past it.
    #[test]
    fn a_part_ends_where_the_forecasts_do() {
        let (mut playouts, mut analyst) = fast();
        let mut before = Progress::at(0, 19);
        (0..222).for_each(|_| before.add_rows(1));
        let env = Env::from_position(
            EnvRules { until_level: None, ..EnvRules::game(19) },
            3,
            maxout_rules::Board::EMPTY,
            before,
        );
        let pieces = perfect(&mut playouts, env, 60);
        let from = pieces.iter().position(|placed| placed.progress.level >= 29).expect("lines enough");
        let parts = parts(&pieces, &mut analyst);
        let late = |part: &Part<'_>| {
            part.pieces.iter().map(|placed| placed.progress.level >= 29).collect::<Vec<_>>()
        };
        assert!(parts.len() >= 2 && (1..59).contains(&from), "{from}");
        for part in &parts {
            let late = late(part);
            assert!(late.iter().all(|&one| one == late[0]), "{late:?}");
        }
    }

    #[test]
    fn the_mean_of_what_is_chosen_is_what_was_wanted() {
        let place = |x| Placement { y: 19, orientation: maxout_rules::Piece::O.spawn(), x };
        let weighed = [(place(1), 0.0), (place(2), 100.0), (place(3), 400.0)];
        let mut dice = Dice::new(1);
        for wanted in [0.0, 25.0, 100.0, 300.0, 9_000.0] {
            let mut chosen = |_| {
                let at = about(&weighed, wanted, &mut dice).expect("one");
                f64::from(weighed.iter().find(|(other, _)| *other == at).expect("one of them").1)
            };
            let mean = (0..4_000).map(&mut chosen).sum::<f64>() / 4_000.0;
            assert!((mean - f64::from(wanted.min(400.0))).abs() < 8.0, "{wanted}: {mean}");
        }
        assert_eq!(about(&[], 1.0, &mut dice), None);
    }
}
