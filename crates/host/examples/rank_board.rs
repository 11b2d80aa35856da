//! Rank the placements of a piece on a drawn board for a player who taps 15 times a second, as `maxout analyze --taps 15hz` does.
//! The five best are printed, each with its buttons and the board after it.
//!
//! `cargo run --release -p maxout-host --example rank_board`

use std::error::Error;

use maxout_engine::Position;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::player::{DEFAULT_PLAYER, find};
use maxout_engine::search::Foresight;
use maxout_rules::{Board, Piece, Progress};

/// The lowest rows of the board; empty rows above them may be left out.
const BOARD: &str = "
    ....#.....
    #..###....
    ######.##.
    #########.
    #########.
    #########.
";

fn main() -> Result<(), Box<dyn Error>> {
    let board: Board = BOARD.parse()?;
    let (piece, next) = (Piece::J, Piece::I);
    let progress = Progress::at(120, 19);
    let position = Position::spawn(board, piece, Some(next), progress);

    // A player owns its input limits and the tables that belong to them.
    let player = find(DEFAULT_PLAYER)?.with_limits(Limits::taps(TapTable::HZ_15)).expect("any tap speed");
    let mut analyst = player.analyst(Foresight::DEFAULT).expect("a player on the learned value");

    println!("{board}\n{piece} at level {}, {next} next, {}:", progress.level, player.limits);
    for (rank, ranked) in analyst.answer(&position).ranked.iter().take(5).enumerate() {
        let buttons: Vec<String> = ranked.reached.buttons.iter().map(ToString::to_string).collect();
        println!(
            "{}. {:.0} points to level 29, {:.0} fewer than the best, top-out {:.1} %; buttons, frame by frame: {}",
            rank + 1,
            ranked.points,
            ranked.loss,
            100.0 * ranked.topout,
            buttons.join(" ")
        );
        println!("{}", ranked.reached.board);
    }
    Ok(())
}
