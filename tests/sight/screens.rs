//! Pictures of the screen as people have them: drawn by the emulator, written by `replay --png`, cut, enlarged, smoothed.
//! What RAM holds in that frame is the truth.

use std::collections::BTreeMap;
use std::fs;
use std::ops::Range;
use std::path::Path;

use image::RgbImage;
use maxout::boards;
use maxout_gallery::find;
use maxout_host::batch::{self, Batch};
use maxout_host::{Console, Screen, TEST_CARTRIDGE, menus};
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Board, Piece, Stop};
use maxout_sight::{Picture, ScreenshotError, SeenBoard, Shown};
use predicates::prelude::*;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::maxout;

/// What RAM holds in a frame of a game, and the picture of some.
struct Shot {
    picture: Option<RgbImage>,
    /// The cells of the field, without and with the piece in the air.
    locked: Board,
    all: Board,
    /// The piece, while it is in the air, and the next one.
    piece: Option<Piece>,
    next: Option<Piece>,
}

fn image_of(screen: &Screen) -> RgbImage {
    let colours = screen.rgba().chunks(4).flat_map(|pixel| &pixel[..3]).copied().collect();
    RgbImage::from_raw(256, 240, colours).expect("256 x 240 pixels")
}

impl Shot {
    fn new(now: &Snapshot, picture: Option<RgbImage>) -> Self {
        let mut rows = [0; 22];
        rows[2..].copy_from_slice(now.board.visible());
        let locked = Board::from_rows(rows);
        for &(dx, dy) in now.current.cells() {
            let (row, column) = (now.y as i8 + dy, now.x as i8 + dx);
            if row >= 0 && now.in_control() {
                rows[row as usize + 2] |= 1 << column;
            }
        }
        let piece = now.current.piece().filter(|_| now.in_control());
        Self { picture, locked, all: Board::from_rows(rows), piece, next: now.next.piece() }
    }
}

/// Plays a game by plateau17 and calls `see` after each frame of play, which are counted from 1.
fn play(level: u8, seed: u64, lines: u32, mut see: impl FnMut(u64, &Console, &Snapshot)) {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let player = find("plateau17").expect("a registered player").clone();
    let stop = Stop::Lines(lines);
    let batch = Batch { first_seed: seed, start_level: level, stop, ..Batch::new(player, 1) };
    let mut frame = 0;
    let mut watch = |_, console: &Console, now: &Snapshot| {
        frame += 1;
        see(frame, console, now);
        Ok(true)
    };
    batch::play(&batch, &mut console, &mut watch, &mut |_| Ok(())).expect("the console plays");
}

/// Frames with a piece in the air, evenly over a game in which twelve pieces are moved aside and dropped.
fn shots(level: u8, wait: u8) -> Vec<Shot> {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    menus::reach_play(&mut console, level, wait).expect("play begins");
    let (mut shots, mut pieces, mut frames, mut in_the_air) = (Vec::new(), 0, 0_u32, 0_u32);
    while pieces < 12 {
        let aside = [Buttons::LEFT, Buttons::RIGHT, Buttons::NONE][pieces % 3];
        let buttons = match in_the_air {
            0..10 if in_the_air % 2 == 0 => aside,
            0..10 => Buttons::NONE,
            _ => Buttons::DOWN,
        };
        console.step(buttons).expect("a frame");
        let now = Snapshot::read(console.ram());
        if now.in_control() {
            (frames, in_the_air) = (frames + 1, in_the_air + 1);
            if frames % 41 == 0 {
                let picture = console.picture().expect("a picture");
                shots.push(Shot::new(&now, Some(image_of(&picture))));
            }
        } else if in_the_air > 0 {
            (pieces, in_the_air) = (pieces + 1, 0);
        }
    }
    shots
}

fn read(picture: &RgbImage) -> Result<SeenBoard, ScreenshotError> {
    let (width, height) = (picture.width() as usize, picture.height() as usize);
    maxout_sight::board(&Picture::rgb(width, height, picture).expect("a picture"))
}

/// What a picture shows over which nothing lies.
fn whole(board: Board, next: Option<Piece>) -> SeenBoard {
    SeenBoard { board, next, shown: Shown::default(), is_framed: true, is_lined: true, is_clear: true }
}

/// A way to enlarge a picture: the weight of a pixel at a distance, and the largest distance.
type Filter = (fn(f64) -> f64, f64);
const NEAREST: Filter = (|_| 1.0, 0.5);
const LINEAR: Filter = (|distance| 1.0 - distance, 1.0);
/// Sharper than a linear one, with dark and bright edges (Catmull-Rom).
const CUBIC: Filter = (
    |d| {
        if d < 1.0 {
            1.5 * d.powi(3) - 2.5 * d.powi(2) + 1.0
        } else {
            -0.5 * d.powi(3) + 2.5 * d.powi(2) - 4.0 * d + 2.0
        }
    },
    2.0,
);

/// The places and weights of the pixels of which pixel `new` is made, where `olds` become `news`.
fn weights(new: u32, news: u32, olds: u32, (weight, reach): Filter) -> Vec<(u32, f64)> {
    let step = f64::from(olds) / f64::from(news);
    let centre = (f64::from(new) + 0.5) * step;
    if reach < 1.0 {
        return vec![(centre as u32, 1.0)];
    }
    // A smaller picture takes from more pixels.
    let wide = step.max(1.0);
    let near = (0..olds).map(|old| (old, (f64::from(old) + 0.5 - centre).abs() / wide));
    let near: Vec<(u32, f64)> = near
        .filter(|(_, distance)| *distance < reach)
        .map(|(old, distance)| (old, weight(distance)))
        .collect();
    let all: f64 = near.iter().map(|(_, weight)| weight).sum();
    near.into_iter().map(|(old, weight)| (old, weight / all)).collect()
}

fn resized(picture: &RgbImage, width: u32, height: u32, filter: Filter) -> RgbImage {
    let columns: Vec<_> = (0..width).map(|x| weights(x, width, picture.width(), filter)).collect();
    let rows: Vec<_> = (0..height).map(|y| weights(y, height, picture.height(), filter)).collect();
    RgbImage::from_fn(width, height, |x, y| {
        let mut sum = [0.0; 3];
        for (old_y, down) in &rows[y as usize] {
            for (old_x, across) in &columns[x as usize] {
                let pixel = picture.get_pixel(*old_x, *old_y);
                sum.iter_mut().zip(pixel.0).for_each(|(sum, part)| *sum += down * across * f64::from(part));
            }
        }
        image::Rgb(sum.map(|part| part.round().clamp(0.0, 255.0) as u8))
    })
}

/// These columns and rows of a picture, black where there are none.
fn part(picture: &RgbImage, columns: Range<i32>, rows: Range<i32>) -> RgbImage {
    RgbImage::from_fn(columns.len() as u32, rows.len() as u32, |x, y| {
        let (x, y) = (x as i32 + columns.start, y as i32 + rows.start);
        let inside = (0..picture.width() as i32).contains(&x) && (0..picture.height() as i32).contains(&y);
        if inside { *picture.get_pixel(x as u32, y as u32) } else { image::Rgb([0; 3]) }
    })
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn the_board_is_what_ram_holds_on_every_level_at_any_size() {
    // Twice and 2.5 times as large, 8:7, 4:3, 16:9, smaller, and neither here nor there.
    let sizes = [
        (256, 240, NEAREST),
        (512, 480, NEAREST),
        (640, 600, LINEAR),
        (292, 240, LINEAR),
        (640, 480, CUBIC),
        (854, 480, LINEAR),
        (320, 240, NEAREST),
        (192, 180, NEAREST),
        (128, 120, LINEAR),
        (301, 277, CUBIC),
        (399, 251, NEAREST),
    ];
    // Most emulators hide eight rows at the top and bottom, and some as many columns at the sides.
    let parts = [
        (0..256, 0..240),
        (0..256, 8..232),
        (8..248, 8..232),
        (0..256, 8..240),
        (-40..296, 0..240),
        (-9..265, -30..270),
    ];
    let (mut number, mut small) = (0, 0);
    for level in [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 19] {
        let shots = shots(level, 100 + level);
        let most = shots.iter().map(|shot| shot.locked.cells()).max();
        assert!(
            shots.len() > 2 && most > Some(20),
            "level {level}: {} pictures, {most:?} cells",
            shots.len()
        );
        for shot in shots.into_iter().rev().take(6) {
            let picture = shot.picture.expect("a picture");
            let seen = whole(shot.all, shot.next);
            assert_eq!(read(&picture), Ok(seen), "level {level}");
            let (columns, rows) = parts[number % parts.len()].clone();
            let (width, height, filter) = sizes[number % sizes.len()];
            let cut = resized(&part(&picture, columns.clone(), rows.clone()), width, height, filter);
            // The box of a small picture may be unclear, and cells of three pixels are too small.
            let cell = 8 * width / columns.len() as u32;
            let read = read(&cut).map(|read| SeenBoard { next: read.next.or(shot.next), ..read });
            number += 1;
            if cell < 4 && read == Err(ScreenshotError::NoField) {
                small += 1;
                continue;
            }
            assert_eq!(read, Ok(seen), "level {level}: {columns:?} x {rows:?} as {width} x {height}");
        }
    }
    assert!(number > 40 && small <= 1, "{number} pictures, {small} too small");
}

#[test]
fn what_a_picture_cannot_tell_is_said() {
    let shots = [shots(18, 7), shots(9, 8)].into_iter().flatten();
    let (mut covered, mut alone, mut bright) = (0, 0, 0);
    for shot in shots.filter(|shot| shot.next.is_some()).step_by(4) {
        let picture = resized(&shot.picture.expect("a picture"), 640, 480, LINEAR);
        assert_eq!(read(&picture).expect("a board").notes(), Vec::<String>::new());
        // A dark panel over a corner, with a part of the frame: cells behind it look as if there were none.
        for (columns, rows) in [(360..560, 330..480), (200..300, 300..480), (380..640, 0..200)] {
            let panel = RgbImage::from_fn(640, 480, |x, y| {
                let inside = columns.contains(&x) && rows.contains(&y);
                if inside { image::Rgb([16, 16, 20]) } else { *picture.get_pixel(x, y) }
            });
            let Ok(seen) = read(&panel) else { continue };
            assert!(
                seen.notes().iter().any(|note| note.contains("a part of the frame")),
                "{columns:?} x {rows:?}"
            );
            covered += 1;
        }
        // Something bright there, a bar over the whole width, or over a part of one cell, looks like blocks.
        for (columns, rows, colour) in [
            (360..560, 330..480, [128, 80, 32]),
            (244..436, 250..280, [255; 3]),
            (380..510, 250..480, [208, 160, 128]),
            (300..314, 220..242, [255; 3]),
            (150..330, 350..480, [208, 160, 128]),
            (150..330, 350..480, [255; 3]),
        ] {
            let over = RgbImage::from_fn(640, 480, |x, y| {
                let inside = columns.contains(&x) && rows.contains(&y);
                if inside { image::Rgb(colour) } else { *picture.get_pixel(x, y) }
            });
            let Ok(seen) = read(&over) else { continue };
            let is_told = seen.notes().iter().any(|note| {
                ["no dark lines", "odd number", "a part of the frame"]
                    .iter()
                    .any(|words| note.contains(words))
            });
            assert!(is_told || seen.board == shot.all, "{columns:?} x {rows:?}: {:?}", seen.notes());
            bright += usize::from(is_told);
        }
        // Without what is beside the field, nothing tells left from right.
        let field = part(&picture, 225..455, 76..436);
        for picture in [image::imageops::flip_horizontal(&field), field] {
            let Ok(seen) = read(&picture) else { continue };
            let notes = seen.notes();
            assert!(notes.iter().any(|note| note.contains("whether the picture is mirrored")), "{notes:?}");
            alone += 1;
        }
    }
    assert!(covered > 5 && alone > 5 && bright > 15, "{covered} covered, {alone} alone, {bright} bright");
}

/// Things that lie over a picture, of any colour, dark or bright, solid or half-transparent, even or a web camera's.
#[test]
#[ignore = "slow; .ci/run has it"]
fn what_lies_over_the_field_is_told_wherever_it_is() {
    let mut state = 20_261_130_u64;
    let mut any = |range: Range<u32>| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        range.start + (state >> 33) as u32 % range.len() as u32
    };
    let (mut count, mut changed) = (0, 0);
    for (number, level) in [0, 3, 9, 15, 16, 18].into_iter().enumerate() {
        for shot in shots(level, 40 + level).into_iter().filter(|shot| shot.next.is_some()) {
            let (width, height) = [(640, 480), (854, 480), (512, 480)][number % 3];
            let mut picture = resized(&shot.picture.expect("a picture"), width, height, LINEAR);
            let (x, y) = (any(width / 4..width * 2 / 3), any(height / 5..height * 4 / 5));
            let (right, below) = (x + any(30..280), y + any(30..280));
            let (see_through, grain) = ([0, 0, 128][any(0..3) as usize], any(0..60));
            let most = [40, 256][any(0..2) as usize];
            let colour = [0; 3].map(|_| any(0..most));
            for (x, y) in (y..below.min(height)).flat_map(|y| (x..right.min(width)).map(move |x| (x, y))) {
                let grain = if grain > 30 { any(0..grain) } else { 0 };
                for (part, over) in picture.get_pixel_mut(x, y).0.iter_mut().zip(colour) {
                    *part = ((u32::from(*part) * see_through + (over + grain) * (256 - see_through)) / 256)
                        .min(255) as u8;
                }
            }
            count += 1;
            let Ok(seen) = read(&picture) else { continue };
            let is_right = seen.board == shot.all && seen.next.is_none_or(|next| Some(next) == shot.next);
            changed += usize::from(!is_right);
            assert!(
                is_right || !seen.notes().is_empty(),
                "level {level}: {colour:?}, {see_through}, at {x} to {right}, {y} to {below}\n{}\n{}",
                seen.board,
                shot.all
            );
        }
    }
    assert!(count > 60 && changed > 10, "{count} pictures, {changed} of them with another board");
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn a_part_of_the_screen_has_the_right_board_or_none() {
    let shot = shots(19, 5).pop().expect("a frame");
    let picture = shot.picture.expect("a picture");
    let (mut read_well, mut refused) = (0, 0);
    for by in (-12..=12).step_by(4) {
        for (columns, rows) in [
            // Shifted, cut on one side, and cut on all.
            (0..256, by..240 + by),
            (by..256 + by, 0..240),
            (0..256, by..240),
            (0..256 - 2 * by, 0..240 - by),
            (12 + by..256, 0..240),
            (80 + by..192, 30..220),
            (96..176, 48 + by..208 + by),
        ] {
            let picture = part(&picture, columns.clone(), rows.clone());
            match read(&resized(&picture, 512, 480, NEAREST)) {
                Ok(SeenBoard { board, .. }) => {
                    assert_eq!(board, shot.all, "{columns:?} x {rows:?}");
                    read_well += 1;
                }
                Err(error) => {
                    let is_told = matches!(error, ScreenshotError::NoField | ScreenshotError::Several);
                    assert!(is_told, "{error}: {columns:?} x {rows:?}");
                    refused += 1;
                }
            }
        }
    }
    assert!(read_well > 35 && refused > 5, "{read_well} read, {refused} refused");
}

#[test]
fn a_picture_that_is_mirrored_turned_or_inverted_is_turned_back_and_that_is_said() {
    use image::imageops;
    let folder = TempDir::new().expect("a folder");
    let shots = [shots(18, 7), shots(9, 8), shots(0, 9)];
    let whole = shots.into_iter().flatten().filter(|shot| shot.all.cells() == shot.locked.cells() + 4);
    let mut count = 0;
    for shot in whole.filter(|shot| shot.next.is_some()).step_by(5) {
        let picture = shot.picture.expect("a picture");
        let picture = resized(&picture, 640, 480, LINEAR);
        let mut negative = picture.clone();
        imageops::invert(&mut negative);
        for (picture, told) in [
            (imageops::flip_horizontal(&picture), "mirrored"),
            (imageops::rotate180(&picture), "upside down"),
            (imageops::flip_vertical(&picture), "flipped upside down"),
            (imageops::rotate90(&picture), "turned to the right"),
            (imageops::rotate270(&picture), "turned to the left"),
            (negative.clone(), "in inverted colours"),
            (imageops::flip_horizontal(&negative), "mirrored and in inverted colours"),
        ] {
            let seen = read(&picture).unwrap_or_else(|error| panic!("{told}: {error}, {count}"));
            assert_eq!((seen.board, seen.next), (shot.all, shot.next), "{told}");
            assert_eq!(seen.shown.to_string(), told);
            if count < 7 {
                let file = folder.path().join("odd.png");
                picture.save(&file).expect("a file");
                let read = boards::read(&fs::read(&file).expect("a file"), None).expect("a board");
                assert_eq!((read.board, read.piece), (shot.locked, shot.piece), "{told}");
                let is_said = read.warnings.iter().any(|warning| warning.contains(told));
                assert!(is_said, "{told}: {:?}", read.warnings);
            }
            count += 1;
        }
    }
    assert!(count >= 28, "{count} pictures");
}

/// The picture within a larger dark one, turned about its middle.
fn turned(picture: &RgbImage, degrees: f64) -> RgbImage {
    let (width, height) = (picture.width() + 80, picture.height() + 80);
    let (sin, cos) = degrees.to_radians().sin_cos();
    let middle = |size: u32| f64::from(size) / 2.0;
    RgbImage::from_fn(width, height, |x, y| {
        let (x, y) = (f64::from(x) + 0.5 - middle(width), f64::from(y) + 0.5 - middle(height));
        let (x, y) =
            (cos * x + sin * y + middle(picture.width()), cos * y - sin * x + middle(picture.height()));
        let inside = x >= 0.0 && y >= 0.0 && x < picture.width().into() && y < picture.height().into();
        if inside { *picture.get_pixel(x as u32, y as u32) } else { image::Rgb([18, 14, 10]) }
    })
}

/// Reads photos of a turned screen, of these columns and degrees.
fn photos(turns: &[(u32, f64)]) {
    let shot = shots(18, 3).into_iter().rev().find(|shot| shot.all.cells() == shot.locked.cells() + 4);
    let Shot { picture, locked, all, piece, next } = shot.expect("a whole piece in the air");
    let picture = picture.expect("a picture");
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("photo.png");
    for &(width, degrees) in turns {
        let photo = turned(&resized(&picture, width, width / 4 * 3, LINEAR), degrees);
        assert_eq!(read(&photo), Ok(whole(all, next)), "{width} columns, {degrees} degrees");
        photo.save(&file).expect("a file");
        let read = boards::read(&fs::read(&file).expect("a file"), None).expect("a board");
        assert_eq!((read.board, read.piece, read.next), (locked, piece, next), "{degrees} degrees");
    }
    let drawn = folder.path().join("board.txt");
    fs::write(&drawn, locked.to_string()).expect("a file");
    let mut unnamed = maxout();
    let said = unnamed.arg("analyze").arg(&drawn).assert().code(2);
    said.stderr(predicate::str::contains(
        "board.txt: no piece in the air is shown, expected --piece <PIECE>",
    ));
    // Who does not name the pieces is answered about those in the picture.
    let answer = analyzed(&file);
    assert_eq!((&answer["piece"], &answer["next"]), (&json!(piece), &json!(next)));
    assert_eq!(answer["board"], locked.to_string());
}

#[test]
fn a_photo_of_a_turned_screen_is_read_and_its_pieces_are_those_in_ram() {
    photos(&[(640, -3.0), (400, -0.5)]);
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn larger_photos_are_read_as_well() {
    photos(&[(900, -1.5), (400, 0.7), (900, 2.2), (1400, 3.0), (2800, -2.2)]);
}

#[test]
fn menus_have_no_board() {
    let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
    let log = menus::reach_play(&mut console, 9, 0).expect("play begins");
    console.power_cycle().expect("power");
    // Legal, title, type and level screen. Play is drawn after the last of these frames.
    for (frame, &buttons) in log.frames().iter().enumerate() {
        console.step(buttons).expect("a frame");
        if frame % 11 == 0 {
            let picture = image_of(&console.picture().expect("a picture"));
            assert!(matches!(read(&picture), Err(ScreenshotError::NoField)), "frame {frame}");
        }
    }
    for _ in 0..10 {
        console.step(Buttons::NONE).expect("a frame");
    }
    assert!(read(&image_of(&console.picture().expect("a picture"))).is_ok());
}

/// What `analyze` says of the board in a picture, in JSON.
fn analyzed(picture: &Path) -> Value {
    let mut command = maxout();
    command.arg("analyze").arg(picture).args(["--player", "plateau17", "--json", "-"]);
    let output = command.assert().success();
    serde_json::from_slice(&output.get_output().stdout).expect("JSON")
}

#[test]
#[ignore = "slow; .ci/run has it"]
fn every_picture_that_replay_writes_is_read_back() {
    let mut truth = BTreeMap::new();
    play(18, 11, 1, |frame, _, now| {
        truth.insert(frame, Shot::new(now, None));
    });
    let folder = TempDir::new().expect("a folder");
    let maxout = |args: &str| {
        let mut command = maxout();
        command.current_dir(folder.path()).args(args.split(' ')).assert().success();
    };
    // `replay` plays it in the emulator.
    maxout("sim --player plateau17 --seed 11 --start-level 18 --stop lines:1 --runs runs -q");
    let shapes = [" --scale 2", " --tv", " --overlay", " --overlay --tv --scale 3"];
    for (number, shape) in shapes.iter().enumerate() {
        let pictures = folder.path().join(number.to_string());
        maxout(&format!("replay 1 --runs runs --every 67 --frames {}.. --png {number}{shape}", 7 + number));
        let mut read_well = 0;
        for picture in fs::read_dir(&pictures).expect("a folder") {
            let picture = picture.expect("an entry").path();
            let name = picture.file_stem().expect("a name").to_string_lossy().into_owned();
            let frame = name.trim_start_matches("frame-").parse().expect("a number");
            let shot = &truth[&frame];
            let Some(piece) = shot.piece else { continue };
            let read = boards::read(&fs::read(&picture).expect("a file"), None).expect("a board");
            let wanted = if read.piece.is_none() { shot.all } else { shot.locked };
            assert_eq!((read.board, read.next), (wanted, shot.next), "frame {frame}{shape}");
            assert_eq!(read.piece.unwrap_or(piece), piece, "frame {frame}{shape}");
            if read_well == 0 && read.piece.is_some() {
                let answer = analyzed(&picture);
                assert_eq!(answer["board"], wanted.to_string(), "frame {frame}{shape}");
                assert_eq!((&answer["piece"], &answer["next"]), (&json!(piece), &json!(shot.next)));
            }
            read_well += usize::from(read.piece.is_some());
        }
        assert!(read_well > 3, "{read_well} pictures{shape}");
    }
    // A sheet shows many fields, so it has no board.
    maxout("replay 1 --runs runs --sheet sheet.png");
    crate::maxout()
        .current_dir(folder.path())
        .args(["analyze", "sheet.png", "--piece", "T"])
        .assert()
        .code(2)
        .stderr(
            predicate::str::contains("sheet.png: the picture shows several fields, expected one")
                .and(predicate::str::contains("\n").count(1)),
        );
}
