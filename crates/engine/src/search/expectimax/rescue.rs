//! Near the top, placements are compared by [`Rescue`]: [`Expectimax::rescue`].

use super::{Expectimax, Node};
use crate::eval::Rescue;
use crate::movegen::{Start, placements};
use crate::search::parameters::{ExpectimaxParameters, LAST_LEVEL};
use maxout_rules::{Piece, Placement, Progress};

/// A placement of the piece in play, and the best of the next piece after it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Rescued {
    pub placement: Placement,
    pub reply: Placement,
    /// How much less it is worth than the first of them, in tetrises at level 19.
    pub loss: f32,
}

impl Expectimax {
    /// Returns the placements of `first` by what [`Rescue`] says of the boards behind the two pieces in sight, the best first, if the best of them
    /// by the learned values is worth so little, `top`, that these are not to be trusted. Those that leave no such board are left out. The list
    /// is empty on better boards, from level 29 on, and for slow presses.
    pub(super) fn rescue(
        &mut self,
        first: &[(Placement, Node)],
        next: Piece,
        progress: Progress,
        top: f32,
    ) -> Vec<Rescued> {
        let (ordinary, tetris) = self.ordinary_worth(progress);
        let ExpectimaxParameters { rescue_below, rescue_cost, rescue_frames, .. } = self.parameters;
        let is_late = self.fall_rule.ntsc_level(progress.level) >= LAST_LEVEL;
        let is_slow = self.input.rows_before_fourth_shift(1) > rescue_frames;
        if top >= ordinary + rescue_below * tetris || is_late || is_slow {
            return Vec::new();
        }
        let mut replies = std::mem::take(&mut self.reachable);
        let mut found: Vec<(f32, Placement, Placement)> = Vec::with_capacity(first.len());
        for &(placement, Node { board, progress: then, das, .. }) in first {
            let spawn = Start::spawn(next, then.level);
            placements(&board, &Start { das, fall_rule: self.fall_rule, ..spawn }, self.input, &mut replies);
            let lines = (then.lines() - progress.lines()) as u8;
            let cost = |&reply: &Placement| {
                let mut board = board;
                let lines = lines + board.lock(reply.x, reply.y, reply.orientation);
                Some((Rescue::SHIPPED.cost(&board, &[placement, reply], lines)?, placement, reply))
            };
            self.nodes += replies.len() as u64;
            found.extend(replies.iter().filter_map(cost).min_by(|a, b| a.0.total_cmp(&b.0)));
        }
        self.reachable = replies;
        found.sort_by(|a, b| a.0.total_cmp(&b.0));
        let Some(&(least, ..)) = found.first() else { return Vec::new() };
        let unit = rescue_cost * tetris;
        let loss = |(cost, placement, reply)| Rescued { placement, reply, loss: unit * (cost - least) };
        found.into_iter().map(loss).collect()
    }

    /// What an ordinary board is worth at `progress` beyond what the lines that are left pay on average, and how much more a board is whose
    /// learned value is one tetris higher, in tetrises at level 19.
    pub(super) fn ordinary_worth(&self, progress: Progress) -> (f32, f32) {
        let worth = |more| self.horizon.worth(progress, self.parameters.ordinary_merit + more, 0.0);
        (worth(0.0), worth(1.0) - worth(0.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;
    use crate::env::{Env, EnvRules, GameEnd};
    use crate::eval::weights;
    use crate::limits::Limits;
    use crate::search::Widths;
    use maxout_rules::Board;

    /// Boards near the top, with the pieces, the level and the lines, of games from seed 99300000 on, found as `lab/examples/rescue.rs` finds them.
    /// Nothing was tuned on them.
    const BOARDS: [&str; 16] = [
        ".#..#...../.####...../..##....../..#####.../######..../#####...../#.####..../######..../#######.../##.###..##/#########./#########./#########./#########./###.######/###.######/..####.### S S 19 45",
        "....#...../....#...#./....#...##/....#..###/....#.####/...##.####/...#.#####/...#######/......#.##/....######/..########/.#########/.####..###/.####.####/.#.#.#####/.######.##/.######.##/.#########/##.####### T Z 19 76",
        "..##....../.###....../.###...##./..##...###/######.###/##.#####.#/#########./####..#.#./.######.##/#######.##/#####.####/#####..###/###.######/####.#####/######.### Z I 19 50",
        "....#...../..###...../..#.#...../..####..../..##....../.###.##.../##..###.../#######.../###.##..../#######.../##..##..../.#.###..##/#########./#########./######.##./#.#######./##.#######/#.########/#.########/#.########/###.###### O Z 19 61",
        "..###...../....#..###/....#...#./...###.##./..##.#..##/#.##.#...#/######...#/#####.####/..########/..########/...#######/..########/..########/.#########/.#########/####.##### J O 19 19",
        "......#.../......#.../......#.../..#####.##/##.####.##/.###.####./..#######./..######../##.#####../#########./.#########/.#########/.#########/.#########/.#########/..########/.#########/.#########/######.### T O 19 81",
        "....##..../.....#..../.....#..../....###.../......#.../#....####./#...######/#...######/#######.##/#######.##/#..#######/##.#######/#########./#######.##/###.##.###/######.#.#/########.#/########.# O J 19 107",
        "...##...../...##...../.#..##..../########../########../.##..###../###.#.##../#########./#########./#########./#########./#########./#########./#########./#########./#########./#.######## J L 19 130",
        "..##....../###......./##......../##......../##......#./##.....###/##.....###/#########./##.#######/#.########/###.######/#######.##/####.#####/########.#/#######.##/########.#/####.##### L I 19 32",
        ".......###/..#..#####/..########/.###..####/##.#..####/####.#####/####.#####/####.#####/#########./#########./#########./#########./####.####. I J 19 27",
        "...#....../...##...../....#...../....###.../#####.#.../####.##.../#.#####.##/#######.#./#.#####.##/###.##...#/###.##..##/#####...##/###.##.#.#/#########./#########./#########./#########./#########./.#########/##.###.### Z O 19 78",
        "...###..#./.#.#.#####/.###.#####/.###.#####/####.#####/#.########/#.########/#.########/#.########/#.########/#.####.###/#.####.###/#.########/#.########/#.######## I Z 19 62",
        "...#....../..###...../.##......./##.......#/###..#####/#.#.######/#.#.######/#.#.##.###/###.######/.#########/.#########/.#########/.#########/.#########/.#########/.######### I O 19 22",
        "...#....../...#..##../...#.###../.#.#.##.#./##.#.#####/####.####./#########./#########./#########./########../#########./####.###../#########./#########./#########./###.###### S O 19 42",
        "...###..../....##..../.....###../###..##.../..#..###../..########/..##.#####/..##.#####/.###.#####/..##.#..##/..#..###.#/..##.#####/#..##.##.#/##.##.####/########.#/##..####.#/.#######.#/.#########/.######### Z O 19 10",
        ".....#..../.....##.../.....##.../.....##.../..#.####.#/..######.#/..######.#/..######.#/..######.#/.#######.#/.#######.#/.#######.#/.#.#######/.#########/.#########/.#########/.#########/###.###### Z O 28 225",
    ];

    fn positions() -> impl Iterator<Item = Position> {
        BOARDS.into_iter().map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let board: Board = words[0].replace('/', "\n").parse().expect("art");
            let [piece, next] = [1, 2].map(|at| words[at].parse::<Piece>().expect("a piece"));
            let [level, lines] = [3, 4].map(|at| words[at].parse::<u32>().expect("a number"));
            Position::spawn(board, piece, Some(next), Progress::at(lines, level as u8))
        })
    }

    fn search(widths: Widths, limits: Limits) -> Expectimax {
        Expectimax::new(weights::embedded_for(limits), widths, limits)
    }

    /// By the learned values alone, 1 game of 20 recovers from 300 boards of this kind.
    #[test]
    fn games_recover_from_boards_near_the_top() {
        const GAMES: u64 = 12;
        let mut search = search(Widths::TWO, Limits::EACH_BUTTON);
        let mut recovered = 0;
        for position in positions() {
            for seed in 0..GAMES {
                let Position { board, progress, .. } = position;
                let rules = EnvRules::game(progress.level);
                let mut env = Env::from_position(rules, seed, board, progress);
                env.set_pieces(position.start.orientation.piece(), position.next.expect("a piece"));
                while env.end().is_none() && env.pieces() < 60 {
                    let best = search.best(&env.position());
                    if best.is_none_or(|best| env.step(best).is_err()) {
                        break;
                    }
                }
                recovered +=
                    u64::from(env.pieces() == 60 || env.end().is_some_and(|end| end != GameEnd::TopOut));
            }
        }
        let games = BOARDS.len() as u64 * GAMES;
        println!("{recovered} of {games} games recover");
        assert!(recovered * 10 > games * 3, "{recovered} of {games}");
    }

    #[test]
    fn all_that_rank_agree_near_the_top() {
        for widths in [Widths::TWO, Widths::FAST] {
            let mut search = search(widths, Limits::EACH_BUTTON);
            for position in positions() {
                let best = search.best(&position);
                let ranked = search.rank(&position);
                let weighed = search.weigh(&position, None);
                assert_eq!(best, ranked.first().map(|first| first.placement));
                assert_eq!(best, weighed.first().map(|first| first.placement));
                assert_eq!(best, search.weigh_best(&position).map(|first| first.placement));
                assert!(weighed[0].loss == 0.0 && weighed.iter().is_sorted_by_key(|weighed| weighed.loss));
            }
        }
    }
}
