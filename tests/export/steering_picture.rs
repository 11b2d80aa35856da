//! docs/steering.svg is drawn by the program: what each lock frame makes the generator give.

use std::fmt::Write as _;
use std::path::Path;

use maxout_engine::movegen::{Flight, MAX_HOLD, Timed};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Page, Piece, Placement, PlayState, Seed};

const PIECES: [(&str, &str); 7] = [
    ("T", "#9b59b6"),
    ("J", "#2f6fd0"),
    ("Z", "#d64541"),
    ("O", "#d9b310"),
    ("S", "#3a9d4f"),
    ("L", "#e07b28"),
    ("I", "#29a3b8"),
];

/// A placement, the frame in which the piece locks there, and the piece that the next box then shows.
type Way = (Placement, u16, Piece);

/// Every way for a T to lock on a small board.
fn ways() -> Vec<Way> {
    let game = Seed::new(0).start(19);
    let board: Board =
        "...#......\n..###.###.\n#########.\n#########.\n#########.".parse().expect("art parses");
    let mut spawned = game;
    spawned.page = Page::from_rows(board.rows());
    (spawned.id, spawned.next) = (Piece::T.into(), Piece::L.into());
    (spawned.autorepeat_y, spawned.vram_row) = (0, 0x20);
    let flight = Flight::spawn(Piece::T, 19);
    let (mut timed, mut landings) = (Timed::new(), Vec::new());
    timed.landings(&board, &flight, &[0; MAX_HOLD], &mut landings);
    let mut ways: Vec<Way> = landings
        .iter()
        .map(|landing| {
            let mut after = spawned;
            let buttons = timed.buttons(&board, &flight, *landing).expect("a listed landing");
            for now in buttons {
                after.step(now);
            }
            while after.play_state != PlayState::Control {
                after.step(Buttons::NONE);
            }
            (landing.placement, landing.frame, after.next.piece().expect("a piece"))
        })
        .collect();
    ways.sort_unstable();
    ways
}

/// Placements down, frames across; each cell is the piece that will be in the next box.
fn draw() -> String {
    let options = ways();
    let mut rows: Vec<Placement> = options.iter().map(|o| o.0).collect();
    rows.dedup();
    let rows: Vec<Placement> = rows.into_iter().step_by(2).take(14).collect();
    let first = options.iter().map(|o| o.1).min().expect("options");
    let last = options.iter().map(|o| o.1).max().expect("options");
    let (cell, left, top) = (34, 206, 66);
    let width = left + cell * i32::from(last - first + 1) + 20;
    let height = top + cell * rows.len() as i32 + 62;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" \
         font-size=\"13\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"#fff\"/>\n<text x=\"14\" y=\"24\" \
         font-size=\"16\" fill=\"#111\">A T is in the air: where and when it locks decides the piece after next</text>\n\
         <text x=\"14\" y=\"52\" fill=\"#555\">where it locks</text>\n<text x=\"{left}\" y=\"44\" fill=\"#555\">frame in \
         which it locks, counted from its spawn</text>\n"
    );
    for frame in first..=last {
        let x = left + cell * i32::from(frame - first) + cell / 2;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"60\" text-anchor=\"middle\" fill=\"#555\">{frame}</text>");
    }
    for (i, placement) in rows.iter().enumerate() {
        let y = top + cell * i as i32;
        let _ = writeln!(svg, "<text x=\"14\" y=\"{}\" fill=\"#111\">{placement}</text>", y + 22);
        for (_, frame, next) in options.iter().filter(|o| o.0 == *placement) {
            let (letter, colour) = PIECES[*next as usize];
            let x = left + cell * i32::from(frame - first);
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"4\" fill=\"{colour}\"/><text x=\"{}\" \
                 y=\"{}\" text-anchor=\"middle\" fill=\"#fff\" font-weight=\"bold\">{letter}</text>",
                x + 2,
                y + 2,
                cell - 4,
                cell - 4,
                x + cell / 2,
                y + 22
            );
        }
    }
    let _ = writeln!(
        svg,
        "<text x=\"14\" y=\"{}\" fill=\"#555\">Each coloured cell is a way to lock that some buttons reach. An empty \
         cell cannot be reached. The L in</text>\n<text x=\"14\" y=\"{}\" fill=\"#555\">the next box is settled; the \
         letter is what will be shown after it.</text>\n</svg>",
        height - 34,
        height - 16
    );
    svg
}

/// `UPDATE_SNAPSHOT=1 cargo test --test program -- steering_picture::` draws it anew.
#[test]
fn the_picture_in_the_docs_is_what_the_program_draws() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/steering.svg");
    let svg = draw();
    if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
        std::fs::write(&path, &svg).expect("the picture is written");
    }
    assert!(std::fs::read_to_string(&path).ok().as_deref() == Some(&svg), "draw docs/steering.svg anew");
}
