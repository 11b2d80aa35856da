//! The placements of a recorded game ([`maxout_record::run::timeline`]) as JSON: [`to_json`].

use serde_json::{Value, json};

use maxout_rules::Piece;

use maxout_record::timeline::{LockEvent, Timeline};

/// The placements as JSON for other programs (docs/reference/formats.md).
pub fn to_json(timeline: &Timeline) -> Value {
    let locks: Vec<Value> = timeline.locks.iter().map(lock_json).collect();
    let in_air = timeline.last_spawn.and_then(|_| timeline.pieces.get(timeline.locks.len()));
    json!({
        "frames": timeline.buttons.len(),
        "in_air": in_air.map(Piece::to_string),
        "next": timeline.pieces.last().map(Piece::to_string),
        "locks": locks,
    })
}

fn lock_json(lock: &LockEvent) -> Value {
    let rows = lock.board_after.visible().iter();
    let drawn = |row: &u16| (0..10).map(|c| if row >> c & 1 == 1 { '#' } else { '.' }).collect::<String>();
    json!({
        "spawned": lock.spawned,
        "locked": lock.locked,
        "frame": lock.frame,
        "piece": lock.piece.to_string(),
        "orientation": lock.placement.orientation.id(),
        "x": lock.placement.x,
        "y": lock.placement.y,
        "rows_cleared": lock.rows_cleared,
        "score": lock.score,
        "line_points": lock.line_points,
        "lines": lock.lines,
        "level": lock.level,
        "next": lock.next.to_string(),
        "board_after": rows.map(drawn).collect::<Vec<_>>(),
    })
}
