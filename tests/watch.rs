//! The view of a game in a terminal, drawn into a buffer and read as text.

use maxout::game::Seed;
use maxout::host::{Host, Model};
use maxout::input::Buttons;
use maxout::watch::Ledger;
use maxout::watch::controls::Controls;
use maxout::watch::view::{Scene, draw};
use ratatui::Terminal;
use ratatui::backend::TestBackend;

/// The scene after some frames without a button, in a game with tetrises to come.
fn scene(frames: u32) -> Scene {
    let mut model = Model::new(Seed::new(3).start(19));
    let (mut scene, mut ledger) = (Scene::new("maxout", true, 3, "in a test"), Ledger::default());
    for _ in 0..frames {
        model.step(Buttons::NONE).expect("the model plays");
        ledger.frame(&mut scene, &model.snapshot());
    }
    scene
}

fn drawn(scene: &Scene, controls: &Controls, columns: u16, rows: u16) -> Vec<String> {
    let mut terminal = Terminal::new(TestBackend::new(columns, rows)).expect("a buffer");
    terminal.draw(|frame| draw(frame, scene, controls)).expect("it draws");
    let buffer = terminal.backend().buffer();
    let row = |y| (0..columns).map(|x| buffer[(x, y)].symbol()).collect::<String>();
    (0..rows).map(|y| row(y).trim_end().to_owned()).collect()
}

#[test]
fn a_large_terminal_shows_each_cell_as_a_pair_and_every_number() {
    let scene = scene(400);
    let shown = drawn(&scene, &Controls::default(), 60, 24);
    let text = shown.join("\n");
    for part in ["maxout (fair)", "seed 3", "score", "level  19", "pieces", "tetrises", "pad", "1 x", "next"]
    {
        assert!(text.contains(part), "{part} in\n{text}");
    }
    assert!(scene.pieces > 0, "some pieces have locked");
    let stack: u32 = shown.iter().map(|line| line.matches('▒').count() as u32).sum();
    assert_eq!(stack, 2 * scene.board.cells(), "{text}");
}

#[test]
fn a_small_terminal_shows_two_rows_in_one_and_a_tiny_one_says_what_it_needs() {
    let scene = scene(400);
    let small = drawn(&scene, &Controls::default(), 40, 14).join("\n");
    assert!(small.contains('█') || small.contains('▀') || small.contains('▄'), "{small}");
    assert!(small.contains("maxout (fair)"), "{small}");
    assert!(drawn(&scene, &Controls::default(), 30, 9)[0].contains("needs 32 x 12"));
    for (columns, rows) in [(1, 1), (5, 40), (200, 2), (32, 12), (44, 22), (43, 22)] {
        let mut controls = Controls::default();
        (controls.help, controls.paused) = (true, true);
        drawn(&scene, &controls, columns, rows);
    }
}

#[test]
fn a_clairvoyant_player_is_called_one() {
    let scene = Scene::new("clairvoyant", false, 1, "");
    assert!(drawn(&scene, &Controls::default(), 60, 24).join("\n").contains("clairvoyant (clairvoyant)"));
}
