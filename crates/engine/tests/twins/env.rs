//! The game at placement level against a naive loop, its ends, and what it refuses.

use crate::grids::{board, grid};
use maxout_engine::env::{Env, EnvRules, GameEnd, Gravity, StepError};
use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Moves, Start};
use maxout_rules::random::Dice;
use maxout_rules::{Board, Dealer, FallRule, Orientation, Piece, Pieces, Placement, Progress, line_points};

const MOVES: [Moves; 7] = [
    Moves::Pad(Limits::EACH_BUTTON),
    Moves::Pad(Limits::ONE_PER_ROW),
    Moves::StraightPad(Limits::EACH_BUTTON),
    Moves::Pad(Limits::CONTROLLER_STATES),
    Moves::Top,
    Moves::Drops,
    Moves::Commands,
];

/// Any of the placements, but more often a low one, so that games last.
fn any(dice: &mut Dice, placements: &[Placement]) -> Placement {
    (0..4)
        .map(|_| placements[dice.below(placements.len())])
        .max_by_key(|placement| placement.y)
        .expect("four")
}

/// What is compared after each piece.
type Row = (Placement, u8, u64, Progress, Board, Piece);

/// The game as a plain loop: no [`Env`] in it.
fn naive(rules: &EnvRules, seed: u64, dice: &mut Dice) -> Vec<Row> {
    let mut dealt = Dealer::new(rules.pieces, seed);
    let mut deal = || dealt.next().expect("there is always a piece");
    let (mut piece, mut next) = (deal(), deal());
    let (Gravity::Fixed(level) | Gravity::Rising(level)) = rules.gravity;
    let (mut board, mut progress, mut lines) = (Board::EMPTY, Progress::at(0, level), 0);
    let mut rows = Vec::new();
    loop {
        let rises = matches!(rules.gravity, Gravity::Rising(_));
        let mut placements = Vec::new();
        rules.moves.list(&board, &Start::spawn(piece, progress.level), &mut placements);
        let reached = rules.until_lines.is_some_and(|limit| lines >= limit)
            || rules.until_pieces.is_some_and(|limit| rows.len() as u64 >= limit)
            || rises && rules.until_level.is_some_and(|limit| progress.level >= limit);
        if reached || placements.is_empty() {
            return rows;
        }
        let at = any(dice, &placements);
        let cleared = board.lock(at.x, at.y, at.orientation);
        if rises {
            progress.add_rows(cleared);
        }
        lines += u64::from(cleared);
        (piece, next) = (next, deal());
        rows.push((at, cleared, line_points(cleared, progress.level), progress, board, piece));
    }
}

fn rules(dice: &mut Dice) -> EnvRules {
    let level = [0, 18, 19, 29][dice.below(4)];
    let limit = |dice: &mut Dice, most| (dice.below(3) == 0).then(|| dice.below(most) as u64);
    EnvRules {
        pieces: if dice.coin() { Pieces::Nes } else { Pieces::Uniform },
        gravity: if dice.coin() { Gravity::Rising(level) } else { Gravity::Fixed(level) },
        fall_rule: FallRule::Ntsc,
        moves: MOVES[dice.below(MOVES.len())],
        until_lines: limit(dice, 8),
        until_pieces: limit(dice, 60),
        until_level: dice.coin().then_some(level + 1),
    }
}

#[test]
fn a_game_is_that_of_a_naive_loop() {
    let mut dice = Dice::new(1);
    let mut pieces = 0;
    for seed in 0..300 {
        let rules = rules(&mut dice);
        let want = naive(&rules, seed, &mut Dice::new(seed));
        let mut choice = Dice::new(seed);
        let mut env = Env::new(rules, seed);
        let (mut placements, mut got) = (Vec::new(), Vec::new());
        while env.end().is_none() {
            env.placements(&mut placements);
            let at = any(&mut choice, &placements);
            let step = env.step(at).expect("a listed placement");
            assert_eq!(step.done, env.end().is_some());
            got.push((at, step.lines, step.reward, env.progress(), *env.board(), env.piece()));
        }
        assert_eq!(got, want, "{rules:?}");
        assert_eq!(env.pieces(), want.len() as u64);
        assert_eq!(env.lines(), want.iter().map(|row| u64::from(row.1)).sum::<u64>());
        env.placements(&mut placements);
        assert!(placements.is_empty(), "nothing is listed after the end");
        pieces += want.len();
    }
    assert!(pieces > 5_000, "{pieces}");
}

#[test]
fn a_game_is_topped_out_exactly_where_no_placement_is_listed() {
    let mut dice = Dice::new(2);
    let (mut blocked, mut listed) = ([0; MOVES.len()], Vec::new());
    for round in 0..6_000 {
        let cells = grid(&mut dice);
        let drawn = board(&cells, &mut dice);
        let kind = round % MOVES.len();
        let level = [0, 18, 19, 29][dice.below(4)];
        let rules = EnvRules { gravity: Gravity::Fixed(level), ..EnvRules::game(0).with_moves(MOVES[kind]) };
        let mut env = Env::new(rules, 0);
        env.set_board(drawn);
        for piece in Piece::ALL {
            env.set_pieces(piece, Piece::O);
            MOVES[kind].list(&drawn, &Start::spawn(piece, level), &mut listed);
            assert_eq!(env.end() == Some(GameEnd::TopOut), listed.is_empty(), "{piece} {rules:?}\n{drawn}");
            blocked[kind] += u32::from(listed.is_empty());
        }
    }
    assert!(blocked.iter().all(|&count| count > 20), "{blocked:?}");
}

/// One row short of a tetris, an I piece, and the limits at which it is that the game ends.
#[test]
fn limits_end_a_game_at_the_placement_that_reaches_them_and_before_the_top() {
    let well: Board = "#########.\n".repeat(4).parse().expect("art parses");
    let bar = Placement { y: 18, orientation: Orientation::IVertical, x: 9 };
    let play = |rules: EnvRules, lines: u32| {
        let mut env = Env::from_position(rules, 1, well, Progress::at(lines, 18));
        env.set_pieces(Piece::I, Piece::O);
        let step = env.step(bar).expect("it fits");
        assert_eq!((step.lines, step.done), (4, env.end().is_some()));
        (step.reward, env.progress(), env.end())
    };
    let rules = EnvRules { until_level: None, ..EnvRules::game(18) };
    // The game pays by the level after the clear.
    assert_eq!(play(rules, 125), (22_800, Progress::at(129, 18), None));
    assert_eq!(play(rules, 126), (24_000, Progress::at(130, 19), None));
    let level = EnvRules { until_level: Some(19), ..rules };
    assert_eq!(play(level, 125).2, None);
    assert_eq!(play(level, 126).2, Some(GameEnd::Level));
    let fixed = EnvRules { gravity: Gravity::Fixed(19), ..level };
    assert_eq!(play(fixed, 126), (24_000, Progress::at(0, 19), None));
    assert_eq!(play(EnvRules { until_lines: Some(5), ..rules }, 126).2, None);
    assert_eq!(play(EnvRules { until_lines: Some(4), ..rules }, 126).2, Some(GameEnd::Lines));
    assert_eq!(play(EnvRules { until_pieces: Some(1), ..rules }, 126).2, Some(GameEnd::Pieces));

    let full = Board::from_rows([0x1FF; 22]);
    let ended = |rules| Env::from_position(rules, 1, full, Progress::at(0, 19)).end();
    assert_eq!(ended(rules), Some(GameEnd::TopOut));
    assert_eq!(ended(EnvRules { until_pieces: Some(0), ..rules }), Some(GameEnd::Pieces));
}

#[test]
fn what_cannot_rest_is_refused_and_changes_nothing() {
    let drawn: Board = "####......\n..........\n#########.\n".parse().expect("art parses");
    let mut env = Env::new(EnvRules::no_gravity(Pieces::Nes), 1);
    env.set_board(drawn);
    let mut taken = 0;
    for piece in Piece::ALL {
        env.set_pieces(piece, Piece::O);
        let numbers = || (0..24u8).chain(250..=255);
        let every = numbers().flat_map(|y| {
            Orientation::ALL
                .into_iter()
                .flat_map(move |orientation| numbers().map(move |x| (y, orientation, x)))
        });
        for (y, orientation, x) in every {
            let placement = Placement { y, orientation, x };
            let mut tried = env.clone();
            let rests = placement.orientation.piece() == piece
                && y < 20
                && drawn.is_valid(x, y, placement.orientation)
                && !drawn.is_valid(x, y + 1, placement.orientation);
            let got = tried.step(placement);
            if rests {
                assert!(got.is_ok() && tried.pieces() == 1, "{placement:?}");
            } else {
                assert_eq!(got, Err(StepError::Misplaced { placement, piece }));
                assert_eq!((tried.board(), tried.position(), tried.pieces()), (&drawn, env.position(), 0));
            }
            taken += u32::from(rests);
        }
    }
    // Tucks below the overhang rest as well; which moves lead there is not asked.
    assert!(taken > 7 * 9, "{taken}");
    let over = EnvRules { until_pieces: Some(0), ..EnvRules::game(19) };
    let placement = Placement { y: 18, orientation: Piece::O.spawn(), x: 5 };
    assert_eq!(Env::new(over, 1).step(placement), Err(StepError::Over(GameEnd::Pieces)));
}

#[test]
fn after_a_restart_the_pieces_go_on_and_a_clone_goes_its_own_way() {
    let dealt: Vec<Piece> = Dealer::new(Pieces::Nes, 5).take(6).collect();
    let mut env = Env::new(EnvRules::game(18), 5);
    let mut placements = Vec::new();
    env.placements(&mut placements);
    env.step(placements[0]).expect("listed");
    let other = env.clone();
    env.restart();
    assert_eq!((env.pieces(), env.lines(), env.board().cells()), (0, 0, 0));
    assert_eq!([env.piece(), env.next_piece()], dealt[1..3]);
    env.skip_piece();
    assert_eq!([env.piece(), env.next_piece()], dealt[2..4]);
    assert_eq!((other.pieces(), other.board().cells(), other.piece()), (1, 4, dealt[1]));
}
