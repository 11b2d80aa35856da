//! Filters: pictures of tests/data/patterns are built, wells are kept, and what is no picture is refused.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use maxout_engine::Position;
use maxout_engine::movegen::{Filter, Likeness, Moves};
use maxout_engine::player::Policy;
use maxout_gallery::{find, players};
use maxout_lab::filter::{LockRule, Picture};
use maxout_lab::no_gravity::{self, Series};
use maxout_lab::pattern;
use maxout_rules::{Board, Pieces, Placement};
use png::{BitDepth, ColorType};
use predicates::prelude::*;

use super::lab;

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/patterns").join(name)
}

fn drawn(name: &str) -> Board {
    fs::read_to_string(file(&format!("{name}.txt"))).expect("a drawing").parse().expect("art parses")
}

/// A PNG of these samples.
fn png(width: u32, height: u32, colour: ColorType, samples: &[u8]) -> Vec<u8> {
    png_of(BitDepth::Eight, width, height, colour, samples)
}

/// The same with so many bits a sample; a palette is white and black.
fn png_of(depth: BitDepth, width: u32, height: u32, colour: ColorType, samples: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(Cursor::new(&mut bytes), width, height);
    encoder.set_color(colour);
    encoder.set_depth(depth);
    if colour == ColorType::Indexed {
        encoder.set_palette(vec![255, 255, 255, 0, 0, 0]);
    }
    let mut writer = encoder.write_header().expect("a header");
    writer.write_image_data(samples).expect("pixels");
    writer.finish().expect("a picture");
    bytes
}

/// The shipped pictures are their drawings; `UPDATE_SNAPSHOT=1` makes them anew.
#[test]
fn the_shipped_pictures_are_their_drawings() {
    for name in ["staircase", "castle", "heart"] {
        let board = drawn(name);
        let path = file(&format!("{name}.png"));
        if std::env::var_os("UPDATE_SNAPSHOT").is_some() {
            let grey =
                |row: &u16| (0..10).map(|column| if row >> column & 1 == 1 { 0 } else { 255 }).collect();
            let samples: Vec<Vec<u8>> = board.visible().iter().map(grey).collect();
            fs::write(&path, png(10, 20, ColorType::Grayscale, &samples.concat())).expect("a file");
        }
        let picture = pattern::read(&path).expect("a picture");
        assert_eq!(picture.rows(), board.visible(), "{name}");
    }
}

#[test]
fn any_kind_of_png_is_read() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let board = drawn("castle");
    let cells: Vec<bool> =
        board.visible().iter().flat_map(|row| (0..10).map(move |column| row >> column & 1 == 1)).collect();
    let wide = |solid: &[u8], open: &[u8]| -> Vec<u8> {
        cells.iter().flat_map(|&cell| if cell { solid } else { open }.to_vec()).collect()
    };
    // Ten bits a row, the first one leads; rows begin with a byte.
    let bits: Vec<u8> = cells
        .chunks(10)
        .flat_map(|row| {
            (row.iter().fold(0u16, |bits, &cell| bits << 1 | u16::from(!cell)) << 6).to_be_bytes()
        })
        .collect();
    for (name, depth, colour, samples) in [
        ("one bit", BitDepth::One, ColorType::Grayscale, bits),
        ("a palette", BitDepth::Eight, ColorType::Indexed, wide(&[1], &[0])),
        ("colours", BitDepth::Eight, ColorType::Rgb, wide(&[0; 3], &[255; 3])),
        ("solid colours", BitDepth::Eight, ColorType::Rgba, wide(&[0, 0, 0, 255], &[255; 4])),
        ("sixteen bits", BitDepth::Sixteen, ColorType::Grayscale, wide(&[0; 2], &[255; 2])),
    ] {
        let path = folder.path().join("picture.png");
        fs::write(&path, png_of(depth, 10, 20, colour, &samples)).expect("a file");
        assert_eq!(pattern::read(&path).expect(name).rows(), board.visible(), "{name}");
    }
}

/// Plays as its policy says and remembers how like the picture the stack was at best.
struct Watched {
    policy: Box<dyn Policy>,
    picture: Picture,
    best: Likeness,
    pieces: u64,
    at: u64,
}

impl Policy for Watched {
    fn choose(&mut self, position: &Position) -> Option<Placement> {
        let here = self.picture.judge(&position.board);
        if here.right() > self.best.right() {
            (self.best, self.at) = (here, self.pieces);
        }
        self.pieces += 1;
        self.policy.choose(position)
    }

    fn nodes(&self) -> u64 {
        self.policy.nodes()
    }

    fn rank(&mut self, position: &Position) -> Vec<(Placement, f64)> {
        self.policy.rank(position)
    }

    fn hold_to(&mut self, filter: Arc<dyn Filter>) {
        self.policy.hold_to(filter);
    }
}

fn built(name: &str, player: &str, seed: u64, pieces: u64) -> Watched {
    let picture = pattern::read(&file(&format!("{name}.png"))).expect("a picture");
    let player = find(player)
        .expect("registered")
        .filtered(Arc::new(LockRule::Pattern(picture)), name)
        .expect("filtered");
    let series = Series {
        player: player.clone(),
        games: 1,
        first_seed: seed,
        pieces: Pieces::Uniform,
        lines: None,
        limit: Some(pieces),
    };
    let policy = player.policy(Moves::Drops).expect("plays without gravity");
    let mut watched = Watched { policy, picture, best: picture.judge(&Board::EMPTY), pieces: 0, at: 0 };
    no_gravity::game(&series, seed, &mut watched, &|| false, &mut |_, _| {}).expect("a game");
    watched
}

#[test]
fn pictures_are_built_without_gravity() {
    for name in ["staircase", "castle", "heart"] {
        for seed in 0..4 {
            let Watched { best, at, pieces, .. } = built(name, "meatfighter2014", seed, 1_000);
            println!("{name} seed {seed}: {best:?} after {at} of {pieces} pieces");
            assert!(best.filled * 100 >= best.wanted * 80 && best.stray <= 8, "{name} seed {seed}: {best:?}");
        }
    }
}

#[test]
fn every_player_on_the_pieces_in_sight_can_be_filtered_and_no_other() {
    for entry in players() {
        let filtered = entry.filtered(Arc::new(LockRule::Well), "well");
        assert_eq!(filtered.is_some(), entry.policy(Moves::Drops).is_some(), "{}", entry.name);
        assert!(filtered.is_none_or(|filtered| filtered.name == format!("{}+well", entry.name)));
    }
}

fn maxout(args: &[&str]) -> assert_cmd::assert::Assert {
    lab().args(args).assert()
}

#[test]
fn a_game_says_how_well_it_built_a_picture() {
    let pattern = format!("pattern:{}", file("staircase.png").display());
    let game =
        ["--player", "rotate-shift-drop", "--start-level", "19", "--stop", "lines:1", "--filter", &pattern];
    let sim = maxout(&[&["sim", "--no-timings"], &game[..]].concat()).success();
    let line = |assert: &assert_cmd::assert::Assert| {
        let text = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        text.lines().find(|line| line.starts_with("picture")).map(str::to_owned)
    };
    assert!(line(&sim).is_some_and(|line| line.contains("of 40 cells")), "{:?}", sim.get_output());
    sim.stdout(predicate::str::contains("rotate-shift-drop+staircase"));
}

#[test]
fn without_gravity_sim_says_how_like_the_picture_the_stack_was_at_best() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let json = folder.path().join("games.json");
    let pattern = format!("pattern:{}", file("staircase.png").display());
    let game =
        "sim --no-gravity --pieces uniform --player rotate-shift-drop --limit 100 --games 3 --seed 1 --json";
    let args: Vec<&str> = game.split(' ').chain([json.to_str().expect("a path"), "--filter"]).collect();
    let sim = maxout(&[&args[..], &[pattern.as_str()]].concat()).success();
    // By another way: one piece more, as a board is seen before the next piece.
    let all: Vec<Watched> = (1..=3).map(|seed| built("staircase", "rotate-shift-drop", seed, 101)).collect();
    let most = all.iter().map(|game| game.best.right()).max().expect("three");
    let (seed, Watched { best, at, .. }) =
        (1..).zip(&all).find(|(_, game)| game.best.right() == most).expect("the best");
    let text = String::from_utf8_lossy(&sim.get_output().stdout).into_owned();
    let Likeness { filled, wanted, stray } = *best;
    let line = text.lines().find(|line| line.starts_with("picture")).expect("a line");
    assert!(line.contains(&format!("{filled} of {wanted} cells")), "{line}");
    assert!(line.ends_with(&format!("and {stray} others, after {at} pieces of seed {seed}")), "{line}");
    let json: serde_json::Value = serde_json::from_slice(&fs::read(&json).expect("a file")).expect("JSON");
    for (game, watched) in json["per_game"].as_array().expect("games").iter().zip(&all) {
        assert_eq!(game["picture"]["filled"], watched.best.filled);
        assert_eq!(game["picture"]["pieces"], watched.at);
    }
    // What builds nothing says nothing of a picture.
    maxout(&[&args[..], &["well"]].concat()).success().stdout(predicate::str::contains("picture").not());
    assert!(!fs::read_to_string(folder.path().join("games.json")).expect("a file").contains("picture"));
}

#[test]
fn refuses_what_is_no_filter_and_no_picture_in_one_line() {
    let folder = tempfile::TempDir::new().expect("a folder");
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        fs::write(&path, bytes).expect("a file");
        format!("pattern:{}", path.display())
    };
    let mut red = vec![255; 600];
    red[3 * 57..3 * 58].copy_from_slice(&[255, 0, 0]);
    let mut glass = vec![255; 400];
    glass[1] = 0;
    let mut grey = vec![255; 200];
    grey[199] = 128;
    let mut full = vec![255; 200];
    full[180..190].fill(0);
    let whole = png(10, 20, ColorType::Grayscale, &grey);
    for (filter, culprit) in [
        ("wall".to_owned(), "expected well or pattern:FILE.png"),
        ("pattern:".to_owned(), "--filter"),
        (format!("pattern:{}", folder.path().join("none.png").display()), "none.png"),
        (write("text.png", b"no picture"), "expected a PNG"),
        (write("half.png", &whole[..whole.len() / 2]), "half.png"),
        (write("wide.png", &png(20, 10, ColorType::Grayscale, &[0; 200])), "20 pixels wide and 10 high"),
        (write("red.png", &png(10, 20, ColorType::Rgb, &red)), "row 5, column 7"),
        (write("glass.png", &png(10, 20, ColorType::GrayscaleAlpha, &glass)), "row 0, column 0"),
        (write("grey.png", &whole), "row 19, column 9"),
        (write("full.png", &png(10, 20, ColorType::Grayscale, &full)), "row 18"),
        (write("white.png", &png(10, 20, ColorType::Grayscale, &[255; 200])), "all white"),
    ] {
        let assert = maxout(&["sim", "--player", "meatfighter2014", "--filter", &filter]).code(2).stdout("");
        let stderr = String::from_utf8_lossy(&assert.get_output().stderr).into_owned();
        assert_eq!(stderr.lines().count(), 1, "{stderr}");
        assert!(stderr.contains(culprit), "{stderr}");
    }
    for player in ["maxout", "clairvoyant"] {
        maxout(&["sim", "--player", player, "--filter", "well"])
            .code(2)
            .stdout("")
            .stderr(predicate::str::contains(format!("{player} cannot be filtered")));
    }
}
