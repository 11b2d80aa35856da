//! What goes in and out of a player can be written and read.

use maxout_engine::Position;
use maxout_engine::limits::{Limits, Reaction, TapTable};
use maxout_engine::player::Plan;
use maxout_engine::search::Foresight;
use maxout_rules::{Board, Piece, Progress};

#[test]
fn positions_plans_and_limits_are_read_as_they_are_written() {
    let board: Board = "#########.\n".repeat(4).parse().expect("a board");
    let seen = Position::spawn(board, Piece::I, Some(Piece::T), Progress::at(150, 19));
    let text = serde_json::to_string(&seen).expect("it is written");
    assert!(text.contains(r#""next":"T""#) && text.contains(r"#########.\n"), "{text}");
    assert_eq!(serde_json::from_str::<Position>(&text).expect("it is read"), seen);

    let entry = maxout_engine::player::find("maxout-2ply").expect("a player");
    let goal = maxout_rules::Stop::Lines(230);
    let maxout_engine::player::Mind::Fair(mut player) = entry.make(Foresight::DEFAULT, goal) else {
        panic!("a fair player")
    };
    let plan = player.plan(&seen).expect("a plan");
    let text = serde_json::to_string(&plan).expect("it is written");
    assert_eq!(serde_json::from_str::<Plan>(&text).expect("it is read"), plan);

    let hands = Limits::taps(TapTable::SLOW_5).with_reaction(Reaction::Frames(18));
    let text = serde_json::to_string(&hands).expect("it is written");
    assert_eq!(text, r#"{"presses":{"Table":"slow5"},"reaction":{"Frames":18}}"#);
    assert_eq!(serde_json::from_str::<Limits>(&text).expect("it is read"), hands);
    assert!(serde_json::from_str::<Limits>(&text.replace("slow5", "fast")).is_err());
}
