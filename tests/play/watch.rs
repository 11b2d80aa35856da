//! The view of a game in a terminal, drawn into a buffer and read as text.

use maxout::watch::controls::Controls;
use maxout::watch::view::{Scene, draw};
use maxout::watch::{Ledger, colours};
use maxout_host::{Console, Host, Model, TEST_CARTRIDGE, menus};
use maxout_rules::input::Buttons;
use maxout_rules::ram::{self, Snapshot};
use maxout_rules::{Board, Page, Piece, Placement, Seed};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::style::Color;

/// The scene after some frames without a button, in a game with tetrises to come.
fn scene(frames: u32) -> Scene {
    let mut model = Model::new(Seed::new(3).start(19));
    let (mut scene, mut ledger) = (Scene::new("maxout (fair)", "seed 3", "in a test"), Ledger::default());
    for _ in 0..frames {
        model.step(Buttons::NONE).expect("the model plays");
        ledger.frame(&mut scene, &model.snapshot());
    }
    scene
}

/// The colour in which a terminal shows the first of these symbols.
fn colour(scene: &Scene, symbol: &str) -> Color {
    let mut terminal = Terminal::new(TestBackend::new(60, 24)).expect("a buffer");
    terminal.draw(|frame| draw(frame, scene, &Controls::default())).expect("it draws");
    let cells = &terminal.backend().buffer().content;
    cells.iter().find(|cell| cell.symbol() == symbol).expect("the symbol").fg
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
    let scene = Scene::new("clairvoyant (clairvoyant)", "seed 1", "");
    assert!(drawn(&scene, &Controls::default(), 60, 24).join("\n").contains("clairvoyant (clairvoyant)"));
}

#[test]
fn the_field_has_the_colours_of_the_level_on_the_test_cartridge() {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge");
    for level in [3, 19] {
        console.power_cycle().expect("power");
        menus::reach_play(&mut console, level, 0).expect("play begins");
        for piece in [Piece::T, Piece::Z, Piece::J] {
            console.poke(ram::CURRENT_PIECE, piece.spawn().id());
            console.step(Buttons::NONE).expect("a frame");
            let now = Snapshot::read(console.ram());
            // The sixth row of each tile has its colour in the middle; the cell is the piece's centre.
            let (x, y) = (96 + 8 * usize::from(now.x) + 3, 48 + 8 * usize::from(now.y) + 5);
            let picture = console.picture().expect("a picture");
            let at = 4 * (256 * y + x);
            let &[red, green, blue, _] = &picture.rgba()[at..at + 4] else { panic!("four bytes") };
            let want = Color::Rgb(red, green, blue);
            assert_eq!(colours::of(piece.tile(), level), want, "{piece:?} on level {level}");
        }
    }
}

#[test]
fn stack_and_piece_change_their_colours_with_the_level() {
    let mut scene = Scene { level: 19, ..Scene::new("maxout (fair)", "seed 1", "") };
    scene.page.set_byte(Page::index(19, 0), Piece::J.tile());
    scene.board = Board::from(&scene.page);
    scene.piece = Some(Placement { y: 5, orientation: Piece::Z.spawn(), x: 5 });
    for level in [19, 21, 22] {
        scene.level = level;
        assert_eq!(colour(&scene, "▒"), colours::of(Piece::J.tile(), level));
        assert_eq!(colour(&scene, "█"), colours::of(Piece::Z.tile(), level));
    }
    assert_ne!(colours::of(0x7C, 21), colours::of(0x7C, 22));
}

#[test]
fn a_step_back_is_counted_and_every_key_is_in_the_help() {
    let mut controls = Controls::default();
    (controls.paused, controls.back) = (true, 1_234);
    let text = drawn(&scene(1), &controls, 80, 24).join("\n");
    assert!(text.contains("paused, 1,234 back"), "{text}");
    controls.help = true;
    let text = drawn(&scene(1), &controls, 80, 24).join("\n");
    for key in ["space", ". ,", "n b", "+ -", "1 ", "?", "q "] {
        assert!(text.contains(key), "{key} in\n{text}");
    }
}
