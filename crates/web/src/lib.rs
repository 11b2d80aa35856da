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

use std::io::{self, Read};
use std::sync::Arc;

use js_sys::Uint8Array;
use maxout_engine::eval::ntuple::{ENTRIES, LANES, Network};
use maxout_engine::eval::weights;

use maxout_rules::input::Buttons;
use maxout_sight::{Picture, VideoReader};
use wasm_bindgen::prelude::*;

use live::LiveRatings;
use play::Play;
use review::{Opened, Review};
use study::Study;

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
    pub fn new(room: WebRoom, file: &[u8]) -> Result<Self, JsError> {
        drop(room);
        let checksum = weights::checksum(file);
        Ok(Self { network: Arc::new(weights::decode(file)?), checksum })
    }

    /// Unpacks the network for levels 19 to 28, and plays by it there. It has a file of its own, so that never both are in memory: differences
    /// from these weights.
    pub fn add_plateau(&mut self, file: &[u8]) -> Result<(), JsError> {
        let plateau = Arc::new(weights::decode_plateau(file, &self.network, &self.checksum)?);
        self.network = Arc::new(Network::clone(&self.network).with_plateau(plateau));
        Ok(())
    }

    /// Returns another handle of the same tables, for something that keeps one.
    pub fn copy(&self) -> Self {
        self.clone()
    }
}

/// A game that is played frame by frame.
#[wasm_bindgen]
pub struct WebGame(Play);

#[wasm_bindgen]
impl WebGame {
    /// Begins a game as `settings` say (JSON, see `Settings` in `settings.rs`). `cartridge` is the file of a cartridge image; an
    /// empty one means the test cartridge. A learned player needs `weights`.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str, cartridge: &[u8], weights: Option<WebWeights>) -> Result<Self, JsError> {
        let weights = weights.map(|weights| weights.network);
        Ok(Self(Play::new(settings, cartridge, weights).map_err(|text| JsError::new(&text))?))
    }

    /// Plays `frames` frames, fewer if the game ends. Returns whether the game is over.
    pub fn run(&mut self, frames: u32) -> Result<bool, JsError> {
        self.0.run(frames, None).map_err(|text| JsError::new(&text))
    }

    /// Plays one frame with these buttons instead of the player's; bit 7 is A, then B, Select, Start, Up, Down, Left,
    /// Right. Returns whether the game is over.
    pub fn press(&mut self, buttons: u8) -> Result<bool, JsError> {
        self.0.run(1, Some(Buttons(buttons))).map_err(|text| JsError::new(&text))
    }

    /// Plays at most `frames` frames, up to the lock of piece number `pieces`. Returns whether it has locked, or the game is over.
    pub fn run_to(&mut self, pieces: u32, frames: u32) -> Result<bool, JsError> {
        self.0.run_to(pieces, frames).map_err(|text| JsError::new(&text))
    }

    /// Returns what the page shows, as JSON.
    pub fn scene(&self) -> String {
        self.0.scene()
    }

    /// Returns the answer to the position as JSON, `null` without weights or without a piece.
    pub fn alternatives(&mut self) -> String {
        self.0.alternatives()
    }

    /// Returns what each of the user's placements lost, as JSON (see `OwnRating` in `rating.rs`). They are those of
    /// `maxout review --player maxout-fast`. Without weights the list is empty.
    pub fn ratings(&self) -> String {
        self.0.ratings()
    }

    /// Returns the picture of the emulator in RGBA, as large as [`layout`] says, or nothing on the model.
    pub fn picture(&mut self) -> Vec<u8> {
        self.0.picture()
    }

    /// Turns the sound of the emulator on or off.
    pub fn hear(&mut self, on: bool) {
        self.0.hear(on);
    }

    /// Returns the sound of the frames of the last call of `run` or `press`: one channel with 48,000 samples a second,
    /// from -1 to 1. It is empty on the model and while nobody hears it.
    pub fn sound(&self) -> Vec<f32> {
        self.0.sound().to_vec()
    }

    /// Returns the buttons of every frame from the first control frame on.
    pub fn log(&self) -> Vec<u8> {
        self.0.log()
    }

    /// Returns the game so far as an FM2 movie. The error says what prevents it.
    pub fn fm2(&self) -> Result<String, JsError> {
        self.0.fm2().map_err(|text| JsError::new(&text))
    }

    /// Returns the game so far as a recording of a score display (.ngf). The error says what prevents it.
    pub fn recording(&self) -> Result<Vec<u8>, JsError> {
        self.0.recording().map_err(|text| JsError::new(&text))
    }

    /// Returns the game so far as the folder of a run. `made_at` is the time now (UTC, RFC 3339). The error says
    /// what prevents it.
    pub fn folder(&self, made_at: &str) -> Result<WebFile, JsError> {
        let (name, bytes) = self.0.run_folder(made_at).map_err(|text| JsError::new(&text))?;
        Ok(WebFile { name: name + ".zip", bytes })
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

/// Ranks the placements on drawn boards.
#[wasm_bindgen]
pub struct WebStudy(Study);

#[wasm_bindgen]
impl WebStudy {
    /// Makes a study by these weights.
    #[wasm_bindgen(constructor)]
    pub fn new(weights: &WebWeights) -> Self {
        Self(Study::new(Arc::clone(&weights.network)))
    }

    /// Answers a question (JSON, see `BoardQuestion` in `study.rs`) with the answer as JSON: that of `maxout analyze --json`. The error
    /// says in one line what is wrong with the question.
    pub fn rank(&mut self, question: &str) -> Result<String, JsError> {
        self.0.rank(question).map_err(|text| JsError::new(&text))
    }

    /// Answers the same question with where the piece can wait for the next one: JSON, see `Adjusting` in `study.rs`, or `null` if the
    /// piece has no placement. The error says in one line what is wrong with the question.
    pub fn adjust(&mut self, question: &str) -> Result<String, JsError> {
        self.0.adjust(question).map_err(|text| JsError::new(&text))
    }
}

/// Bytes that stay outside the module until they are read.
struct JsBytes {
    file: Uint8Array,
    at: u32,
}

impl Read for JsBytes {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let part = self.file.subarray(self.at, self.at.saturating_add(buffer.len() as u32));
        let got = part.length();
        part.copy_to(&mut buffer[..got as usize]);
        self.at += got;
        Ok(got as usize)
    }
}

/// Games that a user opens. They are read before the weights are unpacked: either takes much memory for a while.
#[wasm_bindgen]
pub struct WebOpened(Opened);

#[wasm_bindgen]
impl WebOpened {
    /// Reads a file, whose kind its name tells. A run.json needs the bytes of its buttons.txt as `log`, which is
    /// empty otherwise. Movies are played on the cartridge `image`, or on the test cartridge if that is empty. The error says in one line
    /// what is wrong with the file.
    #[wasm_bindgen(constructor)]
    pub fn new(name: &str, file: Uint8Array, log: &[u8], image: &[u8]) -> Result<Self, JsError> {
        let length = file.length();
        let file = JsBytes { file, at: 0 };
        Ok(Self(Opened::new(name, (file, length as usize), log, image).map_err(|text| JsError::new(&text))?))
    }

    /// Returns what the user should know about the file, or an empty text.
    pub fn note(&self) -> String {
        self.0.note().to_owned()
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
    pub fn see(&mut self, rgba: &[u8], width: u32, height: u32, time_ms: f64) -> Result<bool, JsError> {
        let picture = Picture::rgba(width as usize, height as usize, rgba)
            .ok_or_else(|| JsError::new(&format!("{width} × {height}: expected a picture")))?;
        self.reader.see(&picture, time_ms as u64);
        Ok(self.reader.has_game())
    }

    /// Rates each placement from now on as it locks, as the review of the video will, judged by `taps` (30 Hz if it is empty). The game
    /// began on `start_level`; if it is undefined, the speed of the pieces tells the level.
    pub fn rate(&mut self, taps: &str, start_level: Option<u8>, weights: &WebWeights) -> Result<(), JsError> {
        let live =
            LiveRatings::new(taps, start_level, &weights.network).map_err(|text| JsError::new(&text))?;
        self.live = Some(live);
        Ok(())
    }

    /// Judges one placement, the newest that is not judged yet. Returns what is now known of the game as JSON (see `LiveScene` in
    /// `live.rs`), or undefined if nothing is new. Call it after each picture.
    pub fn rating(&mut self) -> Option<String> {
        self.live.as_mut()?.see(self.reader.live()?)
    }

    /// Ends the video, whose name is told in the review, and returns its games. They began on `start_level`; if it is undefined, the speed
    /// of the pieces tells the level. The error says in one line that there is no game.
    pub fn finish(self, name: &str, start_level: Option<u8>) -> Result<WebOpened, JsError> {
        Ok(WebOpened(Opened::of_video(name, self.reader, start_level).map_err(|text| JsError::new(&text))?))
    }
}

/// Reviews games that a user opens, as `maxout review --player maxout-fast` does.
#[wasm_bindgen]
pub struct WebReview(Review);

#[wasm_bindgen]
impl WebReview {
    /// Begins with what was opened. `taps` names the tap speed to judge by; 30 Hz if it is empty.
    #[wasm_bindgen(constructor)]
    pub fn new(opened: WebOpened, taps: &str, weights: &WebWeights) -> Result<Self, JsError> {
        Ok(Self(Review::new(opened.0, taps, &weights.network).map_err(|text| JsError::new(&text))?))
    }

    /// Does a part of the work. Returns the progress: from -1 to 0 while a movie is played, then from 0 to 1 while
    /// placements are judged.
    pub fn advance(&mut self) -> Result<f64, JsError> {
        let (plays, part) = self.0.advance().map_err(|text| JsError::new(&text))?;
        Ok(if plays { part - 1.0 } else { part })
    }

    /// Returns how many taps a second the buttons of the file make in rows of taps; `undefined` if it has no buttons or few taps.
    pub fn pace(&self) -> Option<f32> {
        self.0.pace()
    }

    /// Returns what `maxout review --json` writes.
    pub fn json(&self) -> Result<String, JsError> {
        self.0.json().map_err(|text| JsError::new(&text))
    }

    /// Returns the data of the page that `maxout review --html` writes.
    pub fn page(&self) -> Result<String, JsError> {
        self.0.page().map_err(|text| JsError::new(&text))
    }
}

/// Returns where the field is in the emulator's picture, as JSON (see `ScreenLayout` in `scene.rs`).
#[wasm_bindgen]
pub fn layout() -> Result<String, JsError> {
    Ok(serde_json::to_string(&scene::LAYOUT)?)
}

/// Reads the board from a picture of the screen during play (RGBA, of any size), as JSON: `board`, lines of ten `.` and `#`
/// without the piece in the air, `piece` and `next`, which are null if they are not seen, and `warnings`, what is odd about it.
/// The error says in one line what was expected.
#[wasm_bindgen]
pub fn screenshot(rgba: &[u8], width: u32, height: u32) -> Result<String, JsError> {
    study::screenshot(rgba, width, height).map_err(|text| JsError::new(&text))
}

/// Reads a board from text, as JSON like that of [`screenshot`]: lines of `.` and `#`, 200 digits, a JSON array, `16,,4` and more.
/// The error says in one line what is wrong with it, and in which row and column.
#[wasm_bindgen]
pub fn board(text: &str) -> Result<String, JsError> {
    study::written(text).map_err(|text| JsError::new(&text))
}

/// Says which cartridge an image is, as JSON, or why it cannot be played, in the words of `maxout rom`.
#[wasm_bindgen]
pub fn cartridge(file: &[u8]) -> Result<String, JsError> {
    cartridge::describe(file).map_err(|text| JsError::new(&text))
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
