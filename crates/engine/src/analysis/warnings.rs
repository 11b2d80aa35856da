//! What is odd about a board: [`warnings`].

use maxout_rules::Board;

/// Returns what is odd about a board, in words: full rows, cells that hang in the air, and numbers of cells that no game
/// has.
pub fn warnings(board: &Board) -> Vec<String> {
    let mut found = Vec::new();
    let full: Vec<String> =
        (0..20).rev().filter(|&row| board.row(row) == 0x3FF).map(|row| (20 - row).to_string()).collect();
    if !full.is_empty() {
        found.push(format!(
            "full rows (from 1 at the bottom: {}), which the game would have cleared",
            full.join(", ")
        ));
    }
    let cells = |count: u32| format!("{count} cell{}", if count == 1 { "" } else { "s" });
    let floating = board.cells() - board.resting().cells();
    if floating > 0 {
        let (hang, them) = if floating == 1 { ("hangs", "it") } else { ("hang", "them") };
        let cells = cells(floating);
        found.push(format!("{cells} {hang} in the air: no cell connects {them} with the lowest row"));
    }
    if board.cells() % 2 == 1 {
        // A piece brings four cells and a row takes ten.
        found.push(format!("{}, an odd number, which no game has", cells(board.cells())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_boards_are_told_of() {
        let told = |art: &str| warnings(&art.parse().expect("art")).join("; ");
        assert_eq!(told("####......"), "");
        assert!(told("##########").contains("full rows (from 1 at the bottom: 1)"));
        assert!(told("##........\n..........\n##........").contains("2 cells hang"));
        assert!(told("###.......").contains("3 cells, an odd number"));
        let one = told("#.........\n..........");
        assert!(one.contains("1 cell hangs") && one.contains("1 cell, an odd number"), "{one}");
        // What touches only at a corner hangs in the air.
        assert!(told("..##......\n##........").contains("2 cells hang"));
    }
}
