//! Games in which nothing falls by itself, in which many published players are tested: [`Series`] says which games,
//! [`play`] plays them, [`each`] does anything else with them, and [`demo_loops`] finds games that can go on forever.
//! A piece goes where its player says; there is no speed, no level and no score, only lines.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use cpu_time::ThreadTime;
use serde::Serialize;

use maxout::stats::{Closest, Summary};
use maxout::words::{count, decimal, number};
use maxout_engine::env::{Env, EnvRules, GameEnd};
use maxout_engine::movegen::Moves;
use maxout_engine::player::{Entry, Policy};
use maxout_host::pool;
use maxout_rules::{Board, Piece, Pieces, Placement};

/// Which games to play.
#[derive(Clone, Debug)]
pub struct Series {
    /// Who plays.
    pub player: Entry,
    /// How many games.
    pub games: u64,
    /// Seed of the first; the others follow.
    pub first_seed: u64,
    /// Where the pieces come from.
    pub pieces: Pieces,
    /// Lines after which a game is stopped.
    pub lines: Option<u64>,
    /// Pieces after which a game is stopped.
    pub limit: Option<u64>,
}

/// What a game came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct NoGravityOutcome {
    /// Its seed.
    pub seed: u64,
    /// Lines cleared.
    pub lines: u64,
    /// Pieces placed.
    pub pieces: u64,
    /// Whether it ended because a piece had no place; if not, it was stopped.
    pub dead: bool,
    /// Locks by row of the piece's centre, row 0 on top.
    pub rows: [u64; 20],
    /// If the player builds a picture: the best moment.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub picture: Option<Closest>,
    /// CPU time of the decisions.
    #[serde(skip)]
    pub thinking: Duration,
}

impl Series {
    /// The game of `seed`: an empty board and the first two pieces.
    fn game(&self, seed: u64) -> Env {
        let rules = EnvRules::no_gravity(self.pieces);
        Env::new(EnvRules { until_lines: self.lines, until_pieces: self.limit, ..rules }, seed)
    }
}

/// Places the piece where the player wants it; the placement and the lines it cleared. `None`: it has no place.
fn step(env: &mut Env, policy: &mut dyn Policy) -> Option<(Placement, u8)> {
    let placement = policy.choose(&env.position())?;
    Some((placement, env.step(placement).ok()?.lines))
}

/// Plays one game and shows each placement, and whether it left the board empty, to `watch`. `None` if `stopped`
/// says so.
pub fn game(
    series: &Series,
    seed: u64,
    policy: &mut dyn Policy,
    stopped: &dyn Fn() -> bool,
    watch: &mut dyn FnMut(Placement, bool),
) -> Option<NoGravityOutcome> {
    let mut env = series.game(seed);
    let filter = series.player.filter();
    let mut outcome =
        NoGravityOutcome { seed, picture: filter.and_then(Closest::new), ..NoGravityOutcome::default() };
    let begun = ThreadTime::now();
    while env.end().is_none() && !outcome.dead {
        if env.pieces().is_multiple_of(256) && stopped() {
            return None;
        }
        match step(&mut env, policy) {
            Some((placement, _)) => {
                outcome.rows[usize::from(placement.y.min(19))] += 1;
                if let (Some(closest), Some(filter)) = (&mut outcome.picture, filter) {
                    closest.see(filter, env.board(), env.pieces());
                }
                watch(placement, *env.board() == Board::EMPTY);
            }
            None => outcome.dead = true,
        }
    }
    outcome.dead |= env.end() == Some(GameEnd::TopOut);
    (outcome.lines, outcome.pieces) = (env.lines(), env.pieces());
    outcome.thinking = begun.elapsed();
    Some(outcome)
}

/// Does `work` for each seed of the series on `jobs` threads; results arrive in order of the seeds. When `interrupt`
/// becomes true what is in progress is dropped. False if the player can only play under gravity.
pub fn each<T: Send>(
    series: &Series,
    jobs: usize,
    interrupt: &AtomicBool,
    work: impl Fn(&mut dyn Policy, u64, &dyn Fn() -> bool) -> Option<T> + Sync,
    sink: &mut dyn FnMut(T),
) -> bool {
    let policy = || series.player.policy(Moves::Drops);
    if policy().is_none() {
        return false;
    }
    let work = |policy: &mut Option<Box<dyn Policy>>, index, stopped: &dyn Fn() -> bool| {
        let done = policy.as_mut().and_then(|c| work(&mut **c, series.first_seed + index, stopped));
        Ok::<_, std::convert::Infallible>(done)
    };
    let delivered = pool::in_order(series.games, jobs, interrupt, policy, work, &mut |done| {
        sink(done);
        Ok(())
    });
    delivered.is_ok()
}

/// Plays the series on `jobs` threads; games arrive in order of their seeds. When `interrupt` becomes true the games
/// in progress are dropped. False if the player can only play under gravity.
pub fn play(
    series: &Series,
    jobs: usize,
    interrupt: &AtomicBool,
    sink: &mut dyn FnMut(NoGravityOutcome),
) -> bool {
    let work = |policy: &mut dyn Policy, seed, stopped: &dyn Fn() -> bool| {
        game(series, seed, policy, stopped, &mut |_, _| ())
    };
    each(series, jobs, interrupt, work, sink)
}

/// A stretch of a game after which it can begin anew, for a demonstration without end.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct DemoLoop {
    /// Seed of the game.
    pub seed: u64,
    /// Its first two pieces.
    #[serde(serialize_with = "letters")]
    pub first: [Piece; 2],
    /// Pieces placed: until it begins anew, is lost or stopped.
    pub pieces: u64,
    /// Whether it ended with an empty board and its first two pieces.
    pub closes: bool,
    /// Lines cleared.
    pub lines: u64,
    /// Full clears, that at the end included.
    pub full_clears: u64,
    /// Whether the same pieces, dealt again from there, were placed alike all the way.
    pub repeats: bool,
}

impl DemoLoop {
    /// Whether this game can repeat forever.
    pub fn is_endless(&self) -> bool {
        self.closes && self.repeats
    }
}

fn letters<S: serde::Serializer>(pieces: &[Piece; 2], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&format_args!("{}{}", pieces[0], pieces[1]))
}

impl fmt::Display for DemoLoop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { seed, first: [piece, next], pieces, closes, lines, full_clears, repeats } = self;
        let (pieces, lines) = (count(*pieces, "piece"), count(*lines, "line"));
        let full_clears = if *closes { number(*full_clears) } else { count(*full_clears, "full clear") };
        write!(f, "seed {seed}: ")?;
        match (closes, repeats) {
            (true, true) => write!(
                f,
                "closes after {pieces} and {lines}, at full clear {full_clears}: {piece}{next} come \
                 again as at the start, and a second round was the same"
            ),
            (true, false) => write!(
                f,
                "no loop: {piece}{next} come again at full clear {full_clears}, after {pieces}, but a second \
                 round was another"
            ),
            (false, _) => {
                write!(f, "no loop in {pieces} and {lines}: {full_clears}, none followed by {piece}{next}")
            }
        }
    }
}

/// Plays each game of the series until a full clear after which the next two pieces are the first two. If the pieces
/// are dealt from there as from the start, the game repeats forever. The round is then played once more to check this.
/// Threads, interrupt and answer are those of [`play`].
pub fn demo_loops(
    series: &Series,
    jobs: usize,
    interrupt: &AtomicBool,
    sink: &mut dyn FnMut(DemoLoop),
) -> bool {
    let work =
        |policy: &mut dyn Policy, seed, stopped: &dyn Fn() -> bool| demo_loop(series, seed, policy, stopped);
    each(series, jobs, interrupt, work, sink)
}

fn demo_loop(
    series: &Series,
    seed: u64,
    policy: &mut dyn Policy,
    stopped: &dyn Fn() -> bool,
) -> Option<DemoLoop> {
    let mut env = series.game(seed);
    let first = [env.piece(), env.next_piece()];
    let mut found =
        DemoLoop { seed, first, pieces: 0, closes: false, lines: 0, full_clears: 0, repeats: false };
    let mut round = Vec::new();
    while !found.closes && env.end().is_none() {
        if found.pieces.is_multiple_of(256) && stopped() {
            return None;
        }
        let Some((placement, _)) = step(&mut env, policy) else { return Some(found) };
        round.push(placement);
        (found.pieces, found.lines) = (env.pieces(), env.lines());
        let emptied = *env.board() == Board::EMPTY;
        found.full_clears += u64::from(emptied);
        found.closes = emptied && [env.piece(), env.next_piece()] == first;
    }
    if found.closes {
        let mut again = series.game(seed);
        found.repeats = true;
        for (i, &placement) in round.iter().enumerate() {
            if i.is_multiple_of(256) && stopped() {
                return None;
            }
            if step(&mut again, policy).is_none_or(|(now, _)| now != placement) {
                found.repeats = false;
                break;
            }
        }
    }
    Some(found)
}

/// What a series came to.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct NoGravityResult {
    /// Player's name.
    pub player: String,
    /// `nes` or `uniform`.
    pub pieces: String,
    /// Games finished.
    pub games: u64,
    /// Seed of the first.
    pub first_seed: u64,
    /// Lines per game.
    pub lines: Summary,
    /// Games in which a piece had no place; the others were stopped.
    pub deaths: u64,
    /// All lines by all deaths, which counts stopped games rightly if the danger is always the same; null without
    /// a death.
    pub lines_per_death: Option<f64>,
    /// Pieces in all games.
    pub placed: u64,
    /// Share of locks by row of the piece's centre, row 0 on top, 0..1.
    pub rows: [f64; 20],
    /// CPU milliseconds per piece.
    pub cpu_ms_per_decision: f64,
    /// One entry a game, in order of seeds.
    pub per_game: Vec<NoGravityOutcome>,
}

impl NoGravityResult {
    /// The result of these games.
    pub fn new(series: &Series, games: Vec<NoGravityOutcome>) -> Self {
        let sum = |count: fn(&NoGravityOutcome) -> u64| games.iter().map(count).sum::<u64>();
        let (placed, deaths) = (sum(|game| game.pieces), sum(|game| u64::from(game.dead)));
        let locks = |row: usize| games.iter().map(|game| game.rows[row]).sum::<u64>() as f64;
        let share = |part: f64, whole: u64| if whole > 0 { part / whole as f64 } else { 0.0 };
        let thinking = games.iter().map(|game| game.thinking).sum::<Duration>();
        Self {
            player: series.player.name.to_string(),
            pieces: series.pieces.to_string(),
            games: games.len() as u64,
            first_seed: series.first_seed,
            lines: Summary::of(&games.iter().map(|game| game.lines as f64).collect::<Vec<_>>()),
            deaths,
            lines_per_death: (deaths > 0).then(|| share(sum(|game| game.lines) as f64, deaths)),
            placed,
            rows: std::array::from_fn(|row| share(locks(row), placed)),
            cpu_ms_per_decision: share(thinking.as_secs_f64() * 1e3, placed),
            per_game: games,
        }
    }
}

impl fmt::Display for NoGravityResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { player, pieces, games, first_seed, lines, deaths, placed, .. } = self;
        writeln!(f, "player        {player}, no gravity, {pieces} pieces")?;
        let (games, deaths) = (number(*games), number(*deaths));
        let placed = count(*placed, "piece");
        writeln!(f, "games         {games} from seed {first_seed}, {deaths} lost, {placed}")?;
        match lines.error() {
            Some(se) => writeln!(
                f,
                "lines         {} ± {} a game, median {}, {} to {}",
                decimal(lines.mean, 1),
                decimal(se, 1),
                decimal(lines.median, 0),
                decimal(lines.min, 0),
                decimal(lines.max, 0)
            )?,
            None => writeln!(f, "lines         {}", decimal(lines.mean, 0))?,
        }
        match self.lines_per_death {
            Some(lines) => writeln!(f, "              {} per lost game", decimal(lines, 1))?,
            None => writeln!(f, "              no game was lost")?,
        }
        let rows = self.rows.iter().enumerate().filter(|(_, share)| **share > 0.0);
        let rows: Vec<String> = rows.map(|(row, share)| format!("{row}: {:.3} %", 100.0 * share)).collect();
        writeln!(f, "rows          {}", rows.join("  "))?;
        write!(f, "decisions     {:.4} CPU ms each", self.cpu_ms_per_decision)?;
        let games = self.per_game.iter().filter_map(|game| Some((game.seed, game.picture?)));
        match Closest::best(games) {
            Some((seed, closest)) => write!(f, "\npicture       {closest} of seed {seed}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_gallery::find;
    use maxout_rules::Dealer;

    fn series(player: &str, pieces: Pieces) -> Series {
        let player = find(player).expect("registered");
        Series { player: player.clone(), games: 6, first_seed: 60_000, pieces, lines: None, limit: Some(400) }
    }

    fn played(series: &Series, jobs: usize) -> Vec<NoGravityOutcome> {
        let mut games = Vec::new();
        assert!(play(series, jobs, &AtomicBool::new(false), &mut |game| {
            games.push(NoGravityOutcome { thinking: Duration::ZERO, ..game });
        }));
        games
    }

    #[test]
    fn games_are_the_same_on_any_number_of_threads_and_lines_follow_from_pieces() {
        for player in ["packing", "el-tetris-2", "simple-tetris-a"] {
            let series = series(player, Pieces::Uniform);
            let games = played(&series, 3);
            assert_eq!(games, played(&series, 1), "{player}");
            for game in games {
                assert!(game.dead || game.pieces == 400);
                // Ten cells a line, four a piece, and at most 200 on the board.
                assert!(game.lines * 10 <= game.pieces * 4 && game.pieces * 4 <= game.lines * 10 + 200);
                assert_eq!(game.rows.iter().sum::<u64>(), game.pieces);
            }
        }
    }

    fn loops(series: &Series, jobs: usize) -> Vec<DemoLoop> {
        let mut loops = Vec::new();
        assert!(demo_loops(series, jobs, &AtomicBool::new(false), &mut |one| loops.push(one)));
        loops
    }

    #[test]
    fn a_demo_loop_begins_and_ends_with_an_empty_board_and_the_same_two_pieces() {
        let series = Series { games: 1, limit: Some(3_000_000), ..series("el-tetris", Pieces::Uniform) };
        let found = loops(&series, 2);
        assert_eq!(found, loops(&series, 1));
        for found in found {
            let DemoLoop { seed, first, pieces, lines, .. } = found;
            assert!(found.is_endless() && pieces % 5 == 0 && lines * 10 == pieces * 4, "{found}");
            let dealt: Vec<Piece> = Dealer::new(series.pieces, seed).skip(pieces as usize).take(2).collect();
            assert_eq!(dealt, first);
        }
    }

    #[test]
    fn a_game_that_is_stopped_or_lost_before_is_no_loop() {
        for (player, limit, pieces) in [("dellacherie", 7, 7..=7), ("simple-tetris-a", 100_000, 20..=99_999)]
        {
            let series = Series { games: 1, limit: Some(limit), ..series(player, Pieces::Uniform) };
            let found = loops(&series, 1)[0];
            assert!(!found.is_endless() && !found.closes && pieces.contains(&found.pieces), "{found}");
        }
    }

    #[test]
    fn a_player_of_the_controller_alone_is_told_so() {
        assert!(!play(&series("maxout", Pieces::Nes), 1, &AtomicBool::new(false), &mut |_| {}));
    }

    /// Published results go by seeds, so a seed must go on naming the same game; the first player tosses coins.
    #[test]
    fn the_games_of_a_seed_are_those_of_the_published_results() {
        let first = |player, pieces, lines| {
            let series = Series { games: 1, lines, limit: None, ..series(player, pieces) };
            let game = played(&series, 1)[0];
            (game.lines, game.pieces, game.dead)
        };
        assert_eq!(first("packing", Pieces::Nes, Some(100)), (100, 251, false));
        assert_eq!(first("simple-tetris-a", Pieces::Uniform, None), (49, 159, true));
    }
}
