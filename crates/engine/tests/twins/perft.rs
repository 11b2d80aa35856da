//! Placements counted: sequences of placements of depth 1, 2 and 3 on named boards. A number here changes only
//! when the rules of reach do.

use maxout_engine::limits::Limits;
use maxout_engine::movegen::{Start, placements};
use maxout_rules::{Board, Piece};

/// Sequences of placements of `pieces`, one after the other, at `level`.
fn perft(board: &Board, pieces: &[Piece], level: u8) -> u64 {
    let Some((&piece, rest)) = pieces.split_first() else { return 1 };
    let mut found = Vec::new();
    placements(board, &Start::spawn(piece, level), Limits::EACH_BUTTON, &mut found);
    if rest.is_empty() {
        return found.len() as u64;
    }
    found
        .iter()
        .map(|placement| {
            let mut after = *board;
            after.lock(placement.x, placement.y, placement.orientation);
            perft(&after, rest, level)
        })
        .sum()
}

const EMPTY: &str = "..........";

const RIGHT_WELL: &str = "
    #.........
    ####..#...
    ########..
    #########.
    #########.
    #########.
    #########.";

const OVERHANGS: &str = "
    ..##......
    .###...##.
    .#.....##.
    ##...#..##
    ###.##.###
    ##..##..##
    ####.#####";

const HIGH: &str = "
    ...#......
    #..##...##
    ##.###.###
    ##.###.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###
    ######.###";

#[test]
fn counts_are_pinned() {
    use Piece::{I, J, L, O, S, T, Z};
    let boards = [("empty", EMPTY), ("right well", RIGHT_WELL), ("overhangs", OVERHANGS), ("high", HIGH)];
    let hands = [[T, S, I], [J, Z, O], [L, I, T]];
    let mut table = String::new();
    for (name, art) in boards {
        let board: Board = art.parse().expect("board parses");
        for level in [0, 18, 19, 29] {
            for hand in hands {
                let counts = [1, 2, 3].map(|depth| perft(&board, &hand[..depth], level));
                let [a, b, c] = hand;
                table += &format!(
                    "{name:<10} level {level:>2} {a}{b}{c} {} {} {}\n",
                    counts[0], counts[1], counts[2]
                );
            }
        }
    }
    let pinned = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/perft.txt");
    if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
        std::fs::write(&pinned, &table).expect("the table can be written");
    }
    let want = std::fs::read_to_string(&pinned).expect("the table is there");
    assert_eq!(table, want, "UPDATE_SNAPSHOT=1 renews the table");
}
