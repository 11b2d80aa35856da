//! What placements have led to when games were played on from them: [`GamePlayouts`].

use std::sync::Arc;

use super::parameters::LINES_FROM_29;
use super::{Analyst, Estimate, is_at_stop, stop_level};
use crate::Position;
use crate::env::{Env, EnvRules, GameEnd};
use crate::eval::ntuple::{Network, odds};
use crate::limits::Limits;
use crate::search::{Expectimax, Widths};
use maxout_rules::random::Dice;
use maxout_rules::{Board, FallRule, Piece, Placement, Progress};

/// More pieces than any game needs to its stop: 400 lines take 1,000.
const MOST_PIECES: u64 = 2_000;
/// The generator's odds depend on how many pieces it has dealt, modulo this number. In the middle of a game that is
/// taken to be unknown.
const PHASES: usize = 8;

/// How one game went on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub struct Playout {
    /// The line points from the position to the stop or to the top-out, those of the first placement included.
    pub points: u64,
    /// Whether it topped out before the stop.
    pub topped_out: bool,
}

/// How much less one of two games with the same pieces brought than the other.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct PairedPlayout {
    /// How many points less the second placement brings than the first: what [`Analyst::play_on`] says of the first, less what it says of the
    /// second, to within a point.
    pub lost: f64,
    /// How much luckier the first game was: each time that a next piece appeared, by how many points the search's value was above its mean
    /// over the seven pieces. Its mean over all seeds is 0, so less error is left in `lost` − a share of `luck` than in `lost`, and the
    /// mean is the same.
    pub luck: f64,
    /// The pieces placed in both games.
    pub pieces: u64,
}

/// Plays games on from a position, as `maxout-2ply` does if it chooses the side of the well anew for each piece.
///
/// Equal seeds give equal pieces, whatever the first placement is. So the playouts of two placements on the same seeds
/// differ by the placements alone (common random numbers).
#[derive(Clone, Debug)]
pub struct GamePlayouts {
    pub(super) search: Expectimax,
    pub(super) limits: Limits,
}

impl GamePlayouts {
    /// Playouts with these learned tables, in which every piece is played within `limits`.
    pub fn new(network: Arc<Network>, limits: Limits) -> Self {
        Self::of(Expectimax::new(network, Widths::TWO, limits), limits)
    }

    /// Playouts in which this search plays every piece within `limits`.
    pub const fn of(search: Expectimax, limits: Limits) -> Self {
        Self { search, limits }
    }

    /// Plays `placement`, and then on with the pieces of `seed`, up to the stop that [`Analyst`](super::Analyst) looks
    /// ahead to. The next piece is the question's, if it is known. A placement in which the piece cannot rest is a
    /// top-out.
    pub fn play(&mut self, position: &Position, placement: Placement, seed: u64) -> Playout {
        let mut env = asked(position, placement, self.limits, seed);
        match env.step(placement) {
            Ok(step) => self.play_on(&mut env, &[], step.reward),
            Err(_) => Playout { points: 0, topped_out: true },
        }
    }

    /// Plays on from `board` up to the stop. The first of `pieces` is in play and the second is next. When `pieces` are
    /// used up, those of `seed` follow.
    pub fn play_pieces(
        &mut self,
        board: Board,
        progress: Progress,
        fall_rule: FallRule,
        pieces: &[Piece],
        seed: u64,
    ) -> Playout {
        let mut env = game(board, progress, fall_rule, self.limits, seed);
        if let [first, second, ..] = *pieces {
            env.deal_pieces(first, second);
        }
        self.play_on(&mut env, pieces.get(2..).unwrap_or_default(), 0)
    }

    /// Returns the game that goes on from a position with the pieces of `seed`, up to the stop that [`Analyst`](super::Analyst) looks ahead to. The
    /// next piece is the question's, if it is known.
    pub fn game(&self, position: &Position, seed: u64) -> Env {
        let first = Placement { y: 0, orientation: position.start.orientation, x: 0 };
        asked(position, first, self.limits, seed)
    }

    /// Returns the placements that the limits allow, and `also`, with the points that each loses against the best of them, that one first, by the
    /// learned values of the boards behind the two pieces in sight. The list is empty if the next piece is not known.
    pub fn losses(&mut self, position: &Position, also: Option<Placement>) -> Vec<(Placement, f32)> {
        self.search.weigh_at_sight(position, also)
    }

    /// Plays on to the end. `pieces` follow the piece that is next in `env`.
    fn play_on(&mut self, env: &mut Env, pieces: &[Piece], mut points: u64) -> Playout {
        let mut pieces = pieces.iter();
        while env.end().is_none() {
            let best = self.search.best_either_way(&env.position());
            let Some(step) = best.and_then(|placement| env.step(placement).ok()) else {
                return Playout { points, topped_out: true };
            };
            points += step.reward;
            if let Some(&piece) = pieces.next() {
                env.deal_pieces(env.piece(), piece);
            }
        }
        Playout { points, topped_out: env.end() == Some(GameEnd::TopOut) }
    }
}

impl Analyst {
    /// Plays `placement` and up to `pieces` pieces more, each where the analyst's player puts it, with the pieces of `seed`. Returns the line
    /// points made, and those that it forecasts from there to the stop.
    ///
    /// A forecast of a board that the search has built itself is a good one, so a few pieces say as much of what a placement costs as whole
    /// games do. Where the stop moves with the game, it plays on to the end. Pieces are those of [`GamePlayouts::play`].
    pub fn play_on(
        &mut self,
        position: &Position,
        placement: Placement,
        pieces: usize,
        seed: u64,
    ) -> Estimate {
        let mut game = Game::new(position, placement, seed, self);
        for _ in 0..most_pieces(position, pieces) {
            if !game.go_on(self) {
                break;
            }
        }
        let Estimate { points, topout } = game.rest(self);
        Estimate { points: game.made as f32 + points, topout }
    }

    /// Plays a game on from each of two placements, with the same pieces.
    ///
    /// Both are played side by side. Where they meet in one position, nothing that follows can set them apart, so neither goes on.
    pub fn play_pair(
        &mut self,
        position: &Position,
        placements: [Placement; 2],
        pieces: usize,
        seed: u64,
    ) -> PairedPlayout {
        let [mut best, mut other] = placements.map(|placement| Game::new(position, placement, seed, self));
        for _ in 0..most_pieces(position, pieces) {
            if best.meets(&other) {
                break;
            }
            let [first, second] = [&mut best, &mut other].map(|game| game.go_on(self));
            if !first && !second {
                break;
            }
        }
        let rest = |game: &Game, analyst: &mut Self| f64::from(game.rest(analyst).points);
        let rest = if best.meets(&other) { 0.0 } else { rest(&best, self) - rest(&other, self) };
        PairedPlayout {
            lost: best.made as f64 - other.made as f64 + rest,
            luck: best.luck - other.luck,
            pieces: best.env.pieces() + other.env.pieces(),
        }
    }
}

/// The most pieces that a game goes on from `position` before it is forecast: `pieces`, but where the stop moves with the game all.
fn most_pieces(position: &Position, pieces: usize) -> usize {
    let mut at_stop = position.progress;
    (0..LINES_FROM_29).for_each(|_| at_stop.add_rows(1));
    let moves = position.progress.level >= 29 && !is_at_stop(position.progress, at_stop, 0);
    if moves { usize::MAX } else { pieces }
}

/// A game that an [`Analyst`] plays on.
struct Game {
    env: Env,
    /// The line points made.
    made: u64,
    /// Whether a piece had no place.
    lost: bool,
    /// By how many points the pieces that appeared were better than the mean of the seven.
    luck: f64,
}

impl Game {
    /// A game in which `placement` is played, and then the pieces of `seed` follow.
    fn new(position: &Position, placement: Placement, seed: u64, analyst: &mut Analyst) -> Self {
        let env = asked(position, placement, analyst.limits(), seed);
        let mut game = Self { env, made: 0, lost: false, luck: 0.0 };
        game.place(Some(placement), analyst);
        game
    }

    /// Places the piece in play; without a place the game is lost.
    fn place(&mut self, placement: Option<Placement>, analyst: &mut Analyst) {
        match placement.and_then(|placement| self.env.step(placement).ok()) {
            Some(step) => {
                self.made += step.reward;
                self.luck += self.luck_of_next(analyst);
            }
            None => self.lost = true,
        }
    }

    /// By how many points the next piece, which has just appeared, is better than the mean of the seven.
    fn luck_of_next(&self, analyst: &mut Analyst) -> f64 {
        if self.is_over() {
            return 0.0;
        }
        let Position { board, start, progress, .. } = self.env.position();
        let Some(values) = analyst.search.prospects_of(&board, &start, progress) else { return 0.0 };
        let seen = values[self.env.next_piece() as usize];
        let more = |(&odds, value): (&f32, f32)| f64::from(odds) * f64::from(seen - value);
        odds(self.env.piece()).iter().zip(values).map(more).sum()
    }

    fn is_over(&self) -> bool {
        self.lost || self.env.end().is_some()
    }

    /// Plays the next piece where the search puts it. Returns whether the game went on.
    fn go_on(&mut self, analyst: &mut Analyst) -> bool {
        let goes_on = !self.is_over();
        if goes_on {
            let search = analyst.plays.as_mut().unwrap_or(&mut analyst.search);
            let best = search.best_either_way(&self.env.position());
            self.place(best, analyst);
        }
        goes_on
    }

    /// Whether both games are in the same position and go on, after the same number of pieces.
    fn meets(&self, other: &Self) -> bool {
        let place = |game: &Self| (*game.env.board(), game.env.progress(), game.env.pieces());
        !self.is_over() && !other.is_over() && place(self) == place(other)
    }

    /// What is still to come.
    fn rest(&self, analyst: &mut Analyst) -> Estimate {
        const LOST: Estimate = Estimate { points: 0.0, topout: 1.0 };
        match self.env.end() {
            _ if self.lost => LOST,
            Some(GameEnd::TopOut) => LOST,
            Some(_) => Estimate { points: 0.0, topout: 0.0 },
            None => analyst.forecast(&self.env.position()).unwrap_or(LOST),
        }
    }
}

/// A game in which `placement` is next, with pieces from `seed` behind those of the question.
pub(super) fn asked(position: &Position, placement: Placement, limits: Limits, seed: u64) -> Env {
    let Position { board, start, next, progress } = *position;
    let mut env = game(board, progress, start.fall_rule, limits, seed);
    let piece = placement.orientation.piece();
    env.deal_pieces(piece, piece);
    env.skip_piece();
    env.deal_pieces(piece, next.unwrap_or(env.next_piece()));
    env
}

/// A game that goes on from this position, with pieces from `seed`.
fn game(board: Board, progress: Progress, fall_rule: FallRule, limits: Limits, seed: u64) -> Env {
    let rules = EnvRules {
        until_level: u8::try_from(stop_level(progress.level)).ok(),
        until_lines: (progress.level >= 29).then_some(u64::from(LINES_FROM_29)),
        until_pieces: Some(MOST_PIECES),
        fall_rule,
        ..EnvRules::game(progress.level).with_moves(limits)
    };
    let mut env = Env::from_position(rules, seed, board, progress);
    (0..Dice::new(seed).below(PHASES)).for_each(|_| env.skip_piece());
    env
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::weights;

    use crate::player::find;
    use crate::search::Foresight;
    use maxout_rules::line_points;

    fn fast() -> Analyst {
        find("maxout-fast").expect("a player").analyst(Foresight::DEFAULT).expect("an analyst")
    }

    /// The placement of `piece` as it spawns or turned clockwise, with its centre in column `x`, as deep as it goes.
    fn dropped(board: &Board, orientation: maxout_rules::Orientation, x: u8) -> Placement {
        let y = (0..20).rev().find(|&y| board.is_valid(x, y, orientation));
        Placement { y: y.expect("room"), orientation, x }
    }

    #[test]
    fn pairs_lose_what_both_games_tell_apart_and_games_that_meet_go_no_further() {
        let mut analyst = fast();
        let art = "###....###\n".repeat(2) + &"#########.\n".repeat(14);
        let board: Board = art.parse().expect("art");
        let position = Position::spawn(board, Piece::O, Some(Piece::O), Progress::at(100, 19));
        let o = |x| dropped(&board, Piece::O.spawn(), x);
        for seed in 0..4 {
            // Two O clear two rows, whichever is on the left. Nobody stacks them so close to the top.
            let met = analyst.play_pair(&position, [o(4), o(6)], 8, seed);
            assert_eq!((met.lost, met.pieces), (0.0, 4), "seed {seed}");
            for places in [[o(4), o(6)], [o(4), o(2)], [o(5), o(6)]] {
                let [best, other] = places.map(|place| analyst.play_on(&position, place, 8, seed).points);
                let pair = analyst.play_pair(&position, places, 8, seed);
                assert!((pair.lost - f64::from(best - other)).abs() < 1.0, "{places:?}: {pair:?}");
                assert!(pair.pieces <= 18, "{pair:?}");
            }
        }
    }

    /// The tetris is the last clear before level 29 and pays 36,000 points. Across the top an I blocks where all pieces spawn.
    #[test]
    fn a_known_outcome_is_a_loss_without_error() {
        let board: Board = "#########.\n".repeat(18).parse().expect("art");
        let mut analyst = fast();
        let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(227, 28));
        let tetris = dropped(&board, Piece::I.spawn().clockwise(), 9);
        let across = dropped(&board, Piece::I.spawn(), 5);
        for seed in 0..20 {
            let pair = analyst.play_pair(&position, [tetris, across], 32, seed);
            assert_eq!((pair.lost, pair.luck, pair.pieces), (36_000.0, 0.0, 2));
        }
    }

    /// The truth is the dealer: over many seeds its pieces are on average as good as the mean that luck is told against.
    #[test]
    fn luck_is_0_on_average_and_explains_much_of_what_pairs_lose() {
        const SEEDS: u64 = 600;
        let mut analyst = fast();
        let board: Board = "#########.\n#########.\n####.####.\n".parse().expect("art");
        let position = Position::spawn(board, Piece::S, Some(Piece::Z), Progress::at(60, 19));
        let [flat, tall] =
            [dropped(&board, Piece::S.spawn(), 7), dropped(&board, Piece::S.spawn().clockwise(), 3)];
        let pairs: Vec<PairedPlayout> =
            (0..SEEDS).map(|seed| analyst.play_pair(&position, [flat, tall], 4, seed)).collect();
        let of = |what: &dyn Fn(&PairedPlayout) -> f64| pairs.iter().map(what).sum::<f64>() / SEEDS as f64;
        let (lost, luck) = (of(&|pair| pair.lost), of(&|pair| pair.luck));
        let [both, squares, all] = [
            of(&|pair| (pair.lost - lost) * (pair.luck - luck)),
            of(&|pair| (pair.luck - luck).powi(2)),
            of(&|pair| (pair.lost - lost).powi(2)),
        ];
        let error = (squares / SEEDS as f64).sqrt();
        println!("luck {luck:.0} ± {error:.0}, lost {lost:.0}, explained {:.2}", both * both / squares / all);
        assert!(luck.abs() < 3.5 * error, "{luck} ± {error}");
        assert!(both * both > 0.2 * squares * all && both > 0.0, "{both}, {squares}, {all}");
    }

    /// On a board of a game of `maxout-fast` at 12 Hz. Played on by the values for 30 Hz, which count on a reach that 12 Hz does not have, the
    /// first placement made 228,153 ± 62,899 points less than the second (100 pairs); the player itself loses neither game.
    #[test]
    fn at_slow_taps_games_go_on_as_the_player_itself_plays() {
        let limits = Limits::taps(crate::limits::TapTable::HZ_12);
        let player = find("maxout-fast").expect("a player").with_limits(limits).expect("it takes all taps");
        let mut analyst = player.analyst(Foresight::DEFAULT).expect("an analyst");
        let art = ".......###\n......####\n......####\n.....#####\n....######\n".to_owned()
            + &"..########\n".repeat(3)
            + &".#########\n".repeat(6);
        let board: Board = art.parse().expect("art");
        let position = Position::spawn(board, Piece::O, Some(Piece::Z), Progress::at(8, 19));
        for place in [3, 1].map(|x| dropped(&board, Piece::O.spawn(), x)) {
            let is_lost = |seed: &u64| analyst.play_on(&position, place, 32, *seed).topout > 0.999;
            let lost = (0..50).filter(is_lost).count();
            println!("{place}: {lost} of 50 lost");
            assert!(lost <= 3, "{place}: {lost} of 50 lost");
        }
    }

    #[test]
    fn the_forecast_of_a_position_is_that_of_its_best_placement() {
        let mut analyst = fast();
        let mut env = Env::new(EnvRules::game(19), 5);
        for piece in 0..40 {
            let position = env.position();
            let asked = if piece % 4 == 3 { Position { next: None, ..position } } else { position };
            let best = analyst.rank(&asked)[0];
            let forecast = analyst.clone().forecast(&asked);
            assert_eq!(
                forecast,
                Some(Estimate { points: best.points, topout: best.topout }),
                "piece {piece}"
            );
            let mut places = Vec::new();
            env.placements(&mut places);
            // Not always the best, so that boards differ.
            let place = if piece % 3 == 0 { places[piece % places.len()] } else { best.placement };
            env.step(place).expect("a place");
            if env.end().is_some() {
                break;
            }
        }
        let board: Board = "#########.\n".repeat(20).parse().expect("art");
        assert_eq!(analyst.forecast(&Position::spawn(board, Piece::O, None, Progress::at(0, 19))), None);
    }

    /// People keep the well on the right, the players on the left, and both sides are alike but for the place where pieces appear. A player that
    /// began to fill the right column as soon as no row waited for it lost a tetris here, and every eighth game.
    #[test]
    fn games_go_on_from_a_well_on_the_right_as_from_one_on_the_left() {
        let mut playouts = find("maxout-fast").expect("a player").playouts().expect("it plays on");
        let mut made = |row: &str, x| {
            let board: Board = row.repeat(8).parse().expect("art");
            let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(200, 26));
            let tetris = dropped(&board, Piece::I.spawn().clockwise(), x);
            (0..150).map(|seed| playouts.play(&position, tetris, seed).points).sum::<u64>() / 150
        };
        let [left, right] = [made(".#########\n", 0), made("#########.\n", 9)];
        println!("{left} and {right} points");
        assert!(left.abs_diff(right) < 12_000, "{left} and {right} points");
    }

    #[test]
    fn equal_seeds_give_equal_playouts_and_a_tetris_counts() {
        let mut playouts = GamePlayouts::new(weights::embedded_common(), Limits::EACH_BUTTON);
        let board: Board = "#########.\n".repeat(4).parse().expect("art");
        let position = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(225, 28));
        let tetris = Placement { y: 18, orientation: Piece::I.spawn().clockwise(), x: 9 };
        assert!(board.is_valid(tetris.x, tetris.y, tetris.orientation));
        let played = playouts.play(&position, tetris, 7);
        assert_eq!(played, playouts.play(&position, tetris, 7));
        assert!(played.points >= line_points(4, 28) && !played.topped_out, "{played:?}");
    }

    #[test]
    fn a_game_of_given_pieces_has_these_and_no_others() {
        let mut playouts = GamePlayouts::new(weights::embedded_common(), Limits::EACH_BUTTON);
        // With S and Z alone the game soon tops out, so the pieces that follow do not matter.
        let pieces: Vec<Piece> = (0..200).map(|at| if at % 2 == 0 { Piece::S } else { Piece::Z }).collect();
        let start = Progress::at(0, 19);
        let played = playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &pieces, 3);
        assert_eq!(played, playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &pieces, 4));
        assert!(played.topped_out, "{played:?}");
        assert_ne!(
            playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &[], 3),
            playouts.play_pieces(Board::EMPTY, start, FallRule::Ntsc, &[], 4)
        );
    }
}
