//! [`VideoReader`]: the pictures of a video in, its games out.

use crate::cells::Sampler;
use crate::decode::{Decoder, ReadGame};
use crate::picture::Picture;
use crate::place::{Place, places};

/// Milliseconds between two looks for the field.
const LOOK_MS: u64 = 250;
/// Milliseconds without a picture that fits the game, after which the field is looked for again.
const LOST_MS: u64 = 2_000;
/// Most places that are watched at a time.
const MOST_PLACES: usize = 4;

/// Reads the games in a video. Memory does not grow with its length, but for about a hundred bytes a placement.
#[derive(Debug, Default)]
pub struct VideoReader {
    /// The place that the user named.
    fixed: Option<Place>,
    size: (usize, usize),
    watched: Vec<Watched>,
    /// Pictures so far.
    count: u64,
    looked: Option<u64>,
    /// When a picture last fitted the game.
    fitted: u64,
    /// The place of the games so far, and what was read before the field moved.
    found: Option<Place>,
}

/// A place that may be the field.
#[derive(Debug)]
struct Watched {
    place: Place,
    sampler: Sampler,
    decoder: Decoder,
    /// When it was last found.
    seen: u64,
}

impl VideoReader {
    /// A reader that finds the field.
    pub fn new() -> Self {
        Self::default()
    }

    /// A reader that is told where the field is.
    pub fn at(place: Place) -> Self {
        Self { fixed: Some(place), ..Self::default() }
    }

    /// Whether a game has been seen so far.
    pub fn has_game(&self) -> bool {
        self.watched.iter().any(|watched| watched.decoder.has_game())
    }

    /// Where the game is, once it is known.
    pub const fn place(&self) -> Option<Place> {
        self.found
    }

    /// Takes the next picture. The time is in milliseconds from the beginning of the video.
    pub fn see(&mut self, picture: &Picture, time_ms: u64) {
        let size = (picture.width(), picture.height());
        if size != self.size {
            self.size = size;
            // Places are those of pictures of one size. A game goes on at a new one.
            self.looked = None;
            self.found = None;
            for watched in &mut self.watched {
                watched.seen = 0;
            }
            self.watched.retain(|watched| watched.decoder.has_game());
            if !self.watched.is_empty() {
                self.look(picture, time_ms);
            }
        }
        let follows = self.watched.iter().any(|watched| watched.decoder.follows());
        if follows {
            self.fitted = time_ms;
        }
        let is_lost = self.found.is_none() || time_ms >= self.fitted + LOST_MS;
        if is_lost && self.looked.is_none_or(|looked| time_ms >= looked + LOOK_MS) {
            self.looked = Some(time_ms);
            self.look(picture, time_ms);
        }
        let number = self.count;
        self.count += 1;
        for watched in &mut self.watched {
            let view = watched.sampler.view(picture);
            watched.decoder.see(&view, number, time_ms);
        }
        if self.found.is_none()
            && let Some(at) = self.watched.iter().position(|watched| watched.decoder.is_sure())
        {
            let watched = self.watched.swap_remove(at);
            self.found = Some(watched.place);
            self.fitted = time_ms;
            self.watched = vec![watched];
        }
    }

    /// Looks for places where the field may be, and watches them.
    fn look(&mut self, picture: &Picture, time_ms: u64) {
        let found = match self.fixed {
            Some(place) => vec![place],
            None => places(picture),
        };
        if self.found.is_some() || self.watched.iter().any(|watched| watched.decoder.is_sure()) {
            // The field of a game that goes on has moved.
            let Some(&place) = found.first() else { return };
            if let (Some(watched), Some(sampler)) =
                (self.watched.first_mut(), Sampler::new(&place, self.size))
                && !watched.place.is_near(&place)
            {
                (watched.place, watched.sampler) = (place, sampler);
                self.found = Some(place);
            }
            return;
        }
        for place in found {
            if let Some(known) = self.watched.iter_mut().find(|watched| watched.place.is_near(&place)) {
                known.seen = time_ms;
                continue;
            }
            let Some(sampler) = Sampler::new(&place, self.size) else { continue };
            if self.watched.len() >= MOST_PLACES {
                let oldest = self.watched.iter().enumerate().min_by_key(|(_, watched)| watched.seen);
                let Some((at, _)) = oldest else { continue };
                self.watched.swap_remove(at);
            }
            self.watched.push(Watched { place, sampler, decoder: Decoder::default(), seen: time_ms });
        }
    }

    /// The games, in order, when the video is at its end.
    pub fn finish(self) -> Vec<ReadGame> {
        let games = self.watched.into_iter().map(|watched| watched.decoder.finish());
        games
            .max_by_key(|games| games.iter().map(|game| game.placements.len()).sum::<usize>())
            .unwrap_or_default()
    }
}
