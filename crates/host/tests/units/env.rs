//! The game at placement level against the game frame by frame.

use maxout_engine::env::{Env, EnvRules, GameEnd};
use maxout_engine::player::Mind;
use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::session;
use maxout_host::{Host, Model};
use maxout_rules::{Piece, PieceId, Seed, Stop};

fn mind(player: &str) -> Mind {
    find(player).expect("registered").make(Foresight::DEFAULT, Stop::Level29)
}

/// A game on the model is played by its pilot, frame by frame, with the pieces of the real generator. The same player
/// then plays the same pieces in an [`Env`]: it must decide alike, and lines, levels and points must be the same.
fn plays_alike(player: &str, start_level: u8, seed: u64) {
    let seed = Seed::new(seed);
    let mut model = Model::new(seed.start(start_level));
    let mut last = model.snapshot().next;
    let outcome =
        session::play(&mut model, &mut mind(player), seed.opening(), Stop::Level29, &mut |_, now, _| {
            last = now.next;
            true
        })
        .expect("the game is played");
    assert!(
        outcome.result.reached_stop && outcome.result.pieces > 200,
        "{player} {seed:?}, {} pieces",
        outcome.result.pieces
    );

    let piece = |id: PieceId| id.piece().expect("a piece");
    let mut dealt: Vec<Piece> = outcome.locks.iter().map(|lock| lock.placement.orientation.piece()).collect();
    // At the end nobody has placed the piece in play, and the next box shows one that came later.
    dealt.extend([piece(last); 2]);
    let Mind::Fair(mut fair) = mind(player) else { panic!("{player} is a fair player") };
    let mut env = Env::new(EnvRules::game(start_level), 0);
    let (mut placements, mut points) = (Vec::new(), 0);
    for (lock, shown) in outcome.locks.iter().zip(dealt.windows(2)) {
        assert_eq!(env.end(), None, "{player} after {} pieces", env.pieces());
        env.set_pieces(shown[0], shown[1]);
        env.placements(&mut placements);
        assert!(placements.contains(&lock.placement), "{player} {:?}\n{}", lock.placement, env.board());
        let plan = fair.plan(&env.position()).expect("a plan");
        assert_eq!(plan.placement, lock.placement, "{player} piece {}\n{}", env.pieces(), env.board());
        let step = env.step(plan.placement).expect("it rests there");
        points += step.reward;
        assert_eq!((step.lines, env.progress().level), (lock.rows, lock.level));
    }
    assert_eq!(env.end(), Some(GameEnd::Level));
    assert_eq!((env.pieces(), env.lines()), (outcome.result.pieces.into(), outcome.result.lines.into()));
    assert_eq!(points, outcome.result.line_points);
}

/// Games that this player brings to level 29.
const PLATEAU: [(u8, u64); 3] = [(18, 0), (19, 0), (19, 50_001)];

#[test]
fn a_player_decides_in_an_env_as_on_the_model_and_the_games_are_the_same() {
    for seed in [0, 50_001] {
        plays_alike("el-tetris-2", 18, seed);
    }
    for (level, seed) in PLATEAU {
        plays_alike("plateau17", level, seed);
    }
}
