//! The two terms of M. Birken's that average over unknown pieces: [`average_rank`] over the next of them, and
//! [`Playouts::average`] over simulated play.

use std::num::NonZeroU32;

use maxout_engine::env::{Env, EnvRules, GameEnd, Gravity};
use maxout_engine::eval::{Evaluator, Placed};
use maxout_engine::movegen::{Moves, Start};
use maxout_engine::search::TwoPiece;
use maxout_rules::{Board, Piece, Pieces, Progress};

/// Returns what the board costs after one more unknown piece that is placed best: the mean over the seven pieces, each
/// with the same odds. It is exact, in the unit of `eval`; lower is better.
///
/// `trail` led to `board`, on which the pieces fall at `level`. A piece counts `lost` if it has no placement, or if
/// `eval` rejects all of them; all seven pieces do if `eval` does not admit `board`. `lost` should be more than any
/// game that still goes on can cost; infinity makes the mean infinite.
///
/// ```
/// use maxout_gallery::eval::{Dellacherie, Landed};
/// use maxout_rules::Board;
/// use maxout_engine::movegen::Moves;
/// use maxout_lab::averages::average_rank;
/// let rank = |art: &str| {
///     let board: Board = art.parse().unwrap();
///     average_rank(&Dellacherie::GAPS, Moves::Drops, &board, Landed::default(), 19, 1e6)
/// };
/// // A step of one is good for S or Z, a step of two for neither.
/// assert!(rank("#####.....") < rank("#####.....\n#####....."));
/// // No piece has a place.
/// assert_eq!(rank(&"#########.\n.#########\n".repeat(10)), 1e6);
/// ```
pub fn average_rank<E: Evaluator>(
    eval: &E,
    moves: impl Into<Moves>,
    board: &Board,
    trail: E::Trail,
    level: u8,
    lost: f64,
) -> f64 {
    if !eval.admits(board) {
        return lost;
    }
    let moves = moves.into();
    let mut placements = Vec::new();
    let costs = Piece::ALL.map(|piece| {
        moves.list(board, &Start::spawn(piece, level), &mut placements);
        eval.cheapest(board, trail, &placements, f64::INFINITY).map_or(lost, |(cost, _)| cost)
    });
    costs.iter().sum::<f64>() / 7.0
}

/// Simulated play: a search plays on by itself. The pieces come from our own generator, which gives each of the seven
/// the same odds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Playouts {
    /// How many games to average over.
    pub games: NonZeroU32,
    /// How many pieces to place in each. With 0, `board` itself is evaluated.
    pub pieces: u32,
    /// The seed of the first game's pieces; the other games take the seeds that follow. Equal seeds deal equal pieces
    /// on every board.
    pub seed: u64,
    /// What a lost game counts. It should be more than any game that still goes on can cost; infinity makes the mean
    /// infinite.
    pub lost: f64,
}

impl Playouts {
    /// Returns what the last board costs on average when `search` plays on from `board`, to which `trail` led. In the unit
    /// of the search's evaluator; lower is better. Each placement is added to the trail. As for any mean, the
    /// standard error is the spread of the games divided by the square root of their number. Boards that are compared
    /// with equal playouts get equal pieces.
    ///
    /// A game is lost when the search finds no pair of placements for the piece in play and the next, or when the
    /// evaluator rejects the last board. It then counts `lost`, no matter how late that happened.
    ///
    /// ```
    /// use std::num::NonZeroU32;
    /// use maxout_gallery::eval::{LockTrail, Meatfighter2014};
    /// use maxout_rules::{Board, Progress};
    /// use maxout_engine::movegen::Moves;
    /// use maxout_engine::search::TwoPiece;
    /// use maxout_lab::averages::Playouts;
    /// let mut search = TwoPiece::new(Meatfighter2014::TEXT, Moves::Drops);
    /// let playouts = Playouts { games: NonZeroU32::new(4).unwrap(), pieces: 3, seed: 1, lost: 1e6 };
    /// let mut average = |art: &str| {
    ///     let board: Board = art.parse().unwrap();
    ///     playouts.average(&mut search, &board, LockTrail::default(), Progress::at(0, 19))
    /// };
    /// // A well of two, and the same under a lid.
    /// let well = "####.#####\n".repeat(2);
    /// assert!(average(&well) < average(&format!("...###....\n{well}")));
    /// assert_eq!(average(&"#########.\n.#########\n".repeat(10)), 1e6);
    /// ```
    pub fn average<E: Evaluator>(
        &self,
        search: &mut TwoPiece<E>,
        board: &Board,
        trail: E::Trail,
        progress: Progress,
    ) -> f64 {
        let games = self.games.get();
        let costs =
            (0..games).map(|game| self.play(search, game, *board, trail, progress).unwrap_or(self.lost));
        costs.sum::<f64>() / f64::from(games)
    }

    /// Returns what the last board of a game costs, or `None` if the game is lost.
    fn play<E: Evaluator>(
        &self,
        search: &mut TwoPiece<E>,
        game: u32,
        board: Board,
        mut trail: E::Trail,
        progress: Progress,
    ) -> Option<f64> {
        let rules = EnvRules {
            gravity: Gravity::Rising(progress.level),
            until_pieces: Some(self.pieces.into()),
            ..EnvRules::no_gravity(Pieces::Uniform).with_moves(search.moves)
        };
        let mut env = Env::from_position(rules, self.seed.wrapping_add(game.into()), board, progress);
        while env.end().is_none() {
            let before = *env.board();
            let placement = search.best(&env.position())?.placement;
            let lines = env.step(placement).ok()?.lines;
            trail =
                search.eval.follow(trail, &Placed { before: &before, placement, after: env.board(), lines });
        }
        if env.end() == Some(GameEnd::TopOut) { None } else { search.eval.cost(env.board(), trail) }
    }
}
