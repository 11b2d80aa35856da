//! The analysis against the player, and on many boards: `analyze` in the process, without a command line.

use std::thread;

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::Analyst;
use maxout_engine::env::EnvRules;
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_engine::player::{Mind, find};
use maxout_engine::search::Foresight;
use maxout_rules::{Board, Piece, Progress, Stop};

#[test]
#[ignore = "300 decisions and as many rankings of the default player; .ci/run has it"]
fn analyze_ranks_first_what_the_player_plays() {
    // Without a limit of time, so that both look equally far however busy the machine is.
    let entry = find("maxout").expect("a player");
    let agree = |seed: u64| {
        let mut analyst = entry.analyst(Foresight::DEFAULT).expect("an analyst");
        let Mind::Fair(mut player) = entry.make(Foresight::DEFAULT, Stop::Level29) else {
            panic!("the default player is fair")
        };
        let mut env = Env::new(EnvRules::game(if seed.is_multiple_of(2) { 19 } else { 18 }), seed);
        for number in 0..150 {
            let seen = env.position();
            let Position { board, progress, .. } = seen;
            let played = player.plan(&seen).expect("a plan").placement;
            let first = analyst.rank(&seen)[0].placement;
            assert_eq!(first, played, "seed {seed}, piece {number}, level {}:\n{board}", progress.level);
            env.step(played).expect("a listed placement");
        }
    };
    thread::scope(|scope| [60_000, 60_001].map(|seed| scope.spawn(move || agree(seed))).map(joined));
}

#[test]
#[ignore = "1,400 rankings; .ci/run has it"]
fn every_board_piece_and_level_has_an_answer() {
    let drawn = include_str!("../data/boards.txt").replace("\r\n", "\n").replace('X', "#");
    let (_, drawn) = drawn.split_once('\n').expect("a comment");
    let boards: Vec<Board> =
        drawn.trim().split("\n\n").step_by(10).map(|art| art.parse().expect("art")).collect();
    assert_eq!(boards.len(), 200);
    let answered = |boards: &[Board]| {
        // With few leaves no games are played on in doubt from level 29 on.
        let few = Foresight { nodes: Some(50_000), ..Foresight::DEFAULT };
        let player = find("maxout-fast").expect("a player");
        let mut analysts =
            [Foresight::DEFAULT, few].map(|foresight| player.analyst(foresight).expect("an analyst"));
        let numbered = boards.iter().enumerate();
        numbered.map(|(number, board)| answers(&mut analysts, *board, LEVELS[number % 6])).sum::<usize>()
    };
    let count: usize = thread::scope(|scope| {
        let (first, second) = boards.split_at(100);
        [first, second].map(|half| scope.spawn(move || answered(half))).map(joined).iter().sum()
    });
    assert!(count > 1_334, "{count} of 1,400 questions have a placement");
}

/// Levels and lines that the boards are asked about in turn.
const LEVELS: [(u8, u32); 6] = [(0, 0), (9, 90), (18, 120), (19, 150), (29, 240), (45, 400)];

/// Asks about all pieces, the second analyst on the highest level, and returns how many questions have an answer.
fn answers([below, highest]: &mut [Analyst; 2], board: Board, (level, lines): (u8, u32)) -> usize {
    let mut reachable = Vec::new();
    let mut count = 0;
    let analyst = if level < 45 { below } else { highest };
    for (piece, next) in Piece::ALL.into_iter().zip(Piece::ALL.into_iter().cycle().skip(3)) {
        let (start, progress) = (Start::spawn(piece, level), Progress::at(lines, level));
        let verdicts = analyst.rank(&Position { board, start, next: Some(next), progress });
        placements(&board, &start, Limits::EACH_BUTTON, &mut reachable);
        let place = format!("{piece} on level {level}:\n{board}");
        assert_eq!(verdicts.len(), reachable.len(), "every placement is judged: {place}");
        // Behind the search's best, the order is that of the losses.
        let best = verdicts.first().map_or(f32::INFINITY, |best| best.value);
        assert!(verdicts.iter().all(|verdict| verdict.value <= best), "best first: {place}");
        assert!(verdicts.is_sorted_by(|a, b| a.loss <= b.loss), "what loses least first: {place}");
        for verdict in &verdicts {
            assert!(reachable.contains(&verdict.placement), "{place}");
            assert!(verdict.points.is_finite() && verdict.points >= 0.0, "{verdict:?}: {place}");
            assert!((0.0..=1.0).contains(&verdict.topout), "{verdict:?}: {place}");
        }
        count += usize::from(!verdicts.is_empty());
    }
    count
}

fn joined<T>(thread: thread::ScopedJoinHandle<'_, T>) -> T {
    thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
