//! Made-up pictures of any size: nothing panics, and nothing is read where there is no game.

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

fn read(seed: u64) {
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
    for game in reader.finish() {
        assert!(game.progress(19).len() == game.placements.len());
        let _ = game.start_level();
    }
}

#[test]
fn made_up_pictures_are_read_without_a_panic() {
    (0..60).for_each(read);
}

#[test]
#[ignore = "takes minutes"]
fn many_made_up_pictures_are_read_without_a_panic() {
    (0..3_000).for_each(|seed| read(seed * 7 + 1_000_000));
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
