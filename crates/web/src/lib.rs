#![doc = include_str!("../README.md")]

mod cartridge;
mod live;
mod pace;
mod play;
mod rating;
mod review;
mod scene;
mod settings;
mod study;

use std::fmt::Display;
use std::sync::Arc;

use maxout_engine::eval::ntuple::{ENTRIES, LANES, Network};
use maxout_engine::eval::weights;
use maxout_sight::{Picture, VideoReader};
use wasm_bindgen::prelude::*;

use live::LiveRatings;
pub use play::WebGame;
pub use review::{WebOpened, WebReview};
pub use study::WebStudy;

/// Why something is refused, in one line. JavaScript gets it as an `Error`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refused(String);

impl<E: Display> From<E> for Refused {
    fn from(error: E) -> Self {
        Self(error.to_string())
    }
}

impl From<Refused> for JsValue {
    fn from(Refused(text): Refused) -> Self {
        JsError::new(&text).into()
    }
}

/// Room for the largest tables of [`WebWeights`]. Memory of the module never shrinks: what reading a large file has left free must not be
/// taken by the packed weights.
#[wasm_bindgen]
#[derive(Debug)]
pub struct WebRoom(#[expect(dead_code, reason = "it is only held")] Vec<u8>);

#[wasm_bindgen]
impl WebRoom {
    /// Keeps room.
    #[wasm_bindgen(constructor)]
    #[expect(clippy::new_without_default, reason = "JavaScript makes it")]
    pub fn new() -> Self {
        // A little more, for what is needed meanwhile.
        Self(Vec::with_capacity(ENTRIES * size_of::<[i16; LANES]>() + (1 << 20)))
    }
}

/// The learned weights, unpacked. The page fetches their file.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct WebWeights {
    network: Arc<Network>,
    /// The checksum of its file.
    checksum: String,
}

#[wasm_bindgen]
impl WebWeights {
    /// Unpacks the weights. The error says in one line what is wrong with them.
    #[wasm_bindgen(constructor)]
    pub fn new(room: WebRoom, file: &[u8]) -> Result<Self, Refused> {
        drop(room);
        let checksum = weights::checksum(file);
        Ok(Self { network: Arc::new(weights::decode(file)?), checksum })
    }

    /// Unpacks the network for levels 19 to 28, and plays by it there. It has a file of its own, so that never both are in memory: differences
    /// from these weights.
    pub fn add_plateau(&mut self, file: &[u8]) -> Result<(), Refused> {
        let plateau = Arc::new(weights::decode_plateau(file, &self.network, &self.checksum)?);
        self.network = Arc::new(Network::clone(&self.network).with_plateau(plateau));
        Ok(())
    }

    /// Returns another handle of the same tables, for something that keeps one.
    pub fn copy(&self) -> Self {
        self.clone()
    }
}

/// A file to be saved.
#[wasm_bindgen]
#[derive(Clone, Debug)]
pub struct WebFile {
    name: String,
    bytes: Vec<u8>,
}

#[wasm_bindgen]
impl WebFile {
    /// Returns the name that it is saved under.
    pub fn name(&self) -> String {
        self.name.clone()
    }

    /// Returns its bytes.
    pub fn bytes(&self) -> Vec<u8> {
        self.bytes.clone()
    }
}

/// Reads the games in a video, picture by picture.
#[wasm_bindgen]
#[derive(Default)]
pub struct WebVideo {
    reader: VideoReader,
    live: Option<LiveRatings>,
}

#[wasm_bindgen]
impl WebVideo {
    /// Begins a video.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Looks at the next picture (RGBA), which is shown at this time in milliseconds. Returns whether a game has been seen. The error says
    /// that the bytes are no picture of this size.
    pub fn see(&mut self, rgba: &[u8], width: u32, height: u32, time_ms: f64) -> Result<bool, Refused> {
        let picture = Picture::rgba(width as usize, height as usize, rgba)
            .ok_or_else(|| format!("{width} × {height}: expected a picture"))?;
        self.reader.see(&picture, time_ms as u64);
        Ok(self.reader.has_game())
    }

    /// Rates each placement from now on as it locks, as the review of the video will, judged by `taps` (30 Hz if it is empty). The game
    /// began on `start_level`; if it is undefined, the speed of the pieces tells the level.
    pub fn rate(&mut self, taps: &str, start_level: Option<u8>, weights: &WebWeights) -> Result<(), Refused> {
        self.live = Some(LiveRatings::new(taps, start_level, &weights.network)?);
        Ok(())
    }

    /// Judges one placement, the newest that is not judged yet. Returns what is now known of the game as JSON (see `LiveScene` in
    /// `live.rs`), or undefined if nothing is new. Call it after each picture.
    pub fn rating(&mut self) -> Option<String> {
        self.live.as_mut()?.see(self.reader.live()?)
    }

    /// Ends the video, whose name is told in the review, and returns its games. They began on `start_level`; if it is undefined, the speed
    /// of the pieces tells the level. The error says in one line that there is no game.
    pub fn finish(self, name: &str, start_level: Option<u8>) -> Result<WebOpened, Refused> {
        WebOpened::of_video(name, self.reader, start_level)
    }
}

/// Returns all players as JSON: name, what each does, whether it is fair, and whether it needs weights.
#[wasm_bindgen]
pub fn players() -> String {
    let all: Vec<_> = maxout_gallery::players()
        .iter()
        .map(|entry| {
            serde_json::json!({
                "name": entry.name, "source": entry.source, "fair": entry.capabilities().is_fair, "weights": entry.capabilities().is_learned,
            })
        })
        .collect();
    serde_json::Value::from(all).to_string()
}
