//! Rank the placements of a piece on a drawn board for somebody who taps 15 times a second. The five best are printed,
//! each with its buttons and the board after it.
//!
//! `cargo run --release -p maxout-host --example rank_board`

use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::{Reach, Start};
use maxout_engine::search::{Expectimax, Widths};
use maxout_rules::{Board, ParseBoardError, Piece, Progress};

/// The lowest rows of the board; empty rows above them may be left out.
const BOARD: &str = "
    ....#.....
    #..###....
    ######.##.
    #########.
    #########.
    #########.
";

fn main() -> Result<(), ParseBoardError> {
    let board: Board = BOARD.parse()?;
    let limits = Limits::taps(TapTable::HZ_15);
    let (piece, next) = (Piece::J, Piece::I);
    let start = Start::spawn(piece, 19);
    let progress = Progress::at(120, 19);

    // The search looks at the two visible pieces and one unknown piece after them.
    let mut search = Expectimax::new(weights::embedded_for(limits), Widths::THREE, limits);
    let ranked = search.rank(&board, &start, next, progress);
    let reach = Reach::new(&board, &start, limits).expect("a piece is in the air");

    println!("{board}\n{piece} at level {}, {next} next, {limits}:", progress.level);
    for (rank, best) in ranked.iter().take(5).enumerate() {
        let path = reach.path(best.placement).expect("a ranked placement can be reached");
        let buttons: Vec<String> = path.inputs.iter().map(ToString::to_string).collect();
        let mut after = board;
        after.lock(best.placement.x, best.placement.y, best.placement.id);
        println!(
            "{}. {:.0} points from here on; buttons, frame by frame: {}",
            rank + 1,
            best.value,
            buttons.join(" ")
        );
        println!("{after}");
    }
    Ok(())
}
