//! Made-up pictures of any size: nothing panics, and nothing is read where there is no game.

use maxout_rules::Piece;
use maxout_sight::{Picture, Place, VideoReader};
use proptest::prelude::*;

/// Random numbers that repeat.
struct Noise(u64);

impl Noise {
    fn below(&mut self, most: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % most
    }

    /// Noise, or rectangles of a few colours, some of them like rims and blocks.
    fn picture(&mut self, width: usize, height: usize) -> Vec<u8> {
        let mut bytes = vec![0; 3 * width * height];
        if self.below(4) == 0 {
            for byte in &mut bytes {
                *byte = self.below(256) as u8;
            }
            return bytes;
        }
        for _ in 0..self.below(40) {
            let (x, y) = (self.below(width as u64) as usize, self.below(height as u64) as usize);
            let (w, h) = (self.below(width as u64) as usize, self.below(height as u64) as usize);
            let colour = [self.below(256) as u8, self.below(256) as u8, self.below(2) as u8 * 255];
            let hollow = self.below(2) == 0;
            for row in y..(y + h).min(height) {
                for column in x..(x + w).min(width) {
                    let inner = row >= y + 3 && row + 3 < y + h && column >= x + 3 && column + 3 < x + w;
                    if !(hollow && inner) {
                        bytes[3 * (row * width + column)..][..3].copy_from_slice(&colour);
                    }
                }
            }
        }
        bytes
    }
}

/// A field with a game that no rules bind: pieces fall, lock anywhere, and cells come and go. Its pictures are spoiled now and then.
/// Returns how many games and placements were read.
fn read_spoiled(seed: u64) -> (usize, usize) {
    let mut noise = Noise(seed);
    let cell = 4 + noise.below(4) as usize;
    let (width, height) =
        (10 * cell + 6 + noise.below(90) as usize, 20 * cell + 6 + noise.below(20) as usize);
    let corner = (
        noise.below((width - 10 * cell - 5) as u64) as usize,
        noise.below((height - 20 * cell - 5) as u64) as usize,
    );
    let (spoils, ways) = (2 + noise.below(12), noise.below(8));
    let mut rows = [0u16; 20];
    let (mut piece, mut time_ms) = (Piece::ALL[noise.below(7) as usize], 0);
    let (mut x, mut y) = (5i8, 0i8);
    let mut reader = VideoReader::new();
    for _ in 0..60 + noise.below(120) {
        let mut bytes = vec![0u8; width * height];
        let cells: Vec<(i8, i8)> = piece.spawn().cells().iter().map(|&(dx, dy)| (x + dx, y + dy)).collect();
        for (at, value) in bytes.iter_mut().enumerate() {
            let (column, row) = (at % width, at / width);
            let inside = |at: usize, from: usize, size: usize| (from..from + size).contains(&at);
            if !inside(column, corner.0, 10 * cell + 6) || !inside(row, corner.1, 20 * cell + 6) {
                continue;
            }
            let (across, down) = (column as i32 - corner.0 as i32 - 3, row as i32 - corner.1 as i32 - 3);
            let (column, row) = (across.div_euclid(cell as i32), down.div_euclid(cell as i32));
            let is_field = (0..10).contains(&column) && (0..20).contains(&row);
            let is_solid = is_field
                && (rows[row as usize] >> column & 1 == 1 || cells.contains(&(column as i8, row as i8)));
            *value = if is_solid || !is_field { 210 } else { 10 };
        }
        if noise.below(spoils) == 0 {
            match noise.below(4) {
                0 => bytes.iter_mut().for_each(|byte| *byte = 255 - *byte),
                1 => bytes.rotate_left(noise.below((width * height) as u64) as usize),
                2 => bytes.iter_mut().for_each(|byte| *byte = byte.wrapping_add(noise.below(90) as u8)),
                _ => {
                    let (from, part) = (noise.below(height as u64) as usize, noise.below(255) as u8);
                    bytes[from * width..].fill(part);
                }
            }
        }
        if ways & 1 == 1 {
            bytes.chunks_exact_mut(width).for_each(<[u8]>::reverse);
        }
        if ways & 2 == 2 {
            bytes.reverse();
        }
        if ways & 4 == 4 {
            for byte in &mut bytes {
                *byte = 255 - *byte;
            }
        }
        time_ms += [0, 16, 17, 33, 500][noise.below(5) as usize];
        reader.see(&Picture::grey(width, height, &bytes).expect("enough bytes"), time_ms);
        x = (x + noise.below(3) as i8 - 1).clamp(-2, 11);
        y += noise.below(3) as i8;
        if y > 19 || noise.below(12) == 0 {
            for (column, row) in cells {
                if (0..10).contains(&column) && (0..20).contains(&row) {
                    rows[row as usize] |= 1 << column;
                }
            }
            if noise.below(9) == 0 {
                rows[noise.below(20) as usize] = noise.below(1024) as u16;
            }
            (piece, x, y) = (Piece::ALL[noise.below(7) as usize], 4 + noise.below(3) as i8, 0);
        }
    }
    finish(reader)
}

fn read(seed: u64) -> (usize, usize) {
    let mut noise = Noise(seed);
    let (mut width, mut height) = (1 + noise.below(200) as usize, 1 + noise.below(200) as usize);
    let mut at = || (noise.below(250) as f64 - 20.0, noise.below(2) == 0);
    let (x, y, w, h) = (at(), at(), at(), at());
    let place = Place::rectangle(x.0, y.0, w.0, h.0);
    let mut reader = if x.1 { VideoReader::at(place) } else { VideoReader::new() };
    for number in 0..20 {
        if noise.below(15) == 0 {
            (width, height) = (1 + noise.below(200) as usize, 1 + noise.below(200) as usize);
        }
        let bytes = noise.picture(width, height);
        let picture = match noise.below(3) {
            0 => Picture::rgb(width, height, &bytes),
            1 => Picture::grey(width, height, &bytes),
            _ => Picture::yuv(width, height, &bytes, noise.below(3) as u32, noise.below(3) as u32),
        };
        reader.see(&picture.expect("enough bytes"), number * noise.below(400));
    }
    finish(reader)
}

fn finish(reader: VideoReader) -> (usize, usize) {
    let games = reader.finish();
    for game in &games {
        assert!(game.progress(19).len() == game.placements.len());
        let _ = (game.start_level(), game.is_other_game(), game.shown.to_string());
    }
    (games.len(), games.iter().map(|game| game.placements.len()).sum())
}

#[test]
fn made_up_pictures_are_read_without_a_panic() {
    (0..60).for_each(|seed| _ = read(seed));
    (0..20).for_each(|seed| _ = read_spoiled(seed));
}

#[test]
#[ignore = "takes minutes"]
fn many_made_up_pictures_are_read_without_a_panic() {
    // Another number of them, from another seed: MAXOUT_STREAMS="60000 5000000".
    let named = std::env::var("MAXOUT_STREAMS").unwrap_or_default();
    let mut named = named.split_whitespace().map(|number| number.parse().expect("a number"));
    let (count, first): (u64, u64) = (named.next().unwrap_or(3_000), named.next().unwrap_or(1_000_000));
    let begun = std::time::Instant::now();
    let (mut spoiled, mut games, mut placements) = (0, 0, 0);
    for seed in 0..count {
        let is_spoiled = seed % 4 == 0;
        let (more, placed) = if is_spoiled { read_spoiled } else { read }(seed * 7 + first);
        spoiled += u64::from(is_spoiled);
        games += more;
        placements += placed;
        if (seed + 1) % 1_000 == 0 || seed + 1 == count {
            println!(
                "{} of {count} streams in {:.0} s: {} random, {spoiled} of mutated games; {games} games with {placements} \
                 placements were read from them",
                seed + 1,
                begun.elapsed().as_secs_f64(),
                seed + 1 - spoiled
            );
        }
    }
}

proptest! {
    #[test]
    fn pictures_need_enough_bytes(width in 0usize..40, height in 0usize..40, bytes in 0usize..2000, chroma in 0u32..5) {
        let bytes = vec![0; bytes];
        let pixels = width * height;
        prop_assert_eq!(Picture::rgb(width, height, &bytes).is_some(), pixels > 0 && bytes.len() >= 3 * pixels);
        if let Some(picture) = Picture::yuv(width, height, &bytes, chroma, chroma) {
            let mut reader = VideoReader::new();
            reader.see(&picture, 0);
            prop_assert!(!reader.has_game());
        }
    }
}
