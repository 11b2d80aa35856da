//! Games in videos: ffmpeg decodes them to a pipe, or the pictures come as Y4M, and `maxout-sight` reads the pictures
//! ([`read`]).

pub mod still;
mod y4m;

use std::io::{self, BufReader, Read, Write as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use thiserror::Error;

use crate::export::pictures::ffmpeg::{Failure, Ffmpeg, Output, ffmpeg, probe};
use crate::files;
use maxout_host::review::{OTHER_GAME, PlayedGame, of_videos};
use maxout_sight::{Place, VideoReader};
pub use y4m::{Y4m, Y4mError};

/// Ends of the names of videos.
const ENDINGS: [&str; 17] = [
    "mp4", "mkv", "webm", "mov", "avi", "m4v", "mpg", "mpeg", "ts", "mts", "m2ts", "flv", "wmv", "ogv",
    "3gp", "gif", "y4m",
];
/// What ffmpeg does to a video: at most 60 frames a second and 1,920 columns, and the fields of one that says that it is
/// interlaced in one picture.
const FILTERS: &str = "yadif=deint=interlaced,fps='min(source_fps,60)',scale='min(1920,iw)':-2";

/// Ends of the names of pictures that a folder may hold.
const PICTURES: [&str; 7] = ["png", "jpg", "jpeg", "bmp", "webp", "tif", "tiff"];
/// Pictures a second of a folder of them, unless their numbers tell otherwise.
const RATE: u64 = 60;

/// Why a video cannot be read.
#[derive(Debug, Error)]
pub enum VideoError {
    /// Videos need another program.
    #[error("expected ffmpeg on the path to decode it; a Y4M file needs no other program")]
    NoFfmpeg,
    /// The other program gave up.
    #[error("ffmpeg: {0}")]
    Ffmpeg(String),
    /// The pictures cannot be read.
    #[error(transparent)]
    Y4m(#[from] Y4mError),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The game has other rules.
    #[error("{OTHER_GAME}")]
    OtherGame,
    /// There is no game.
    #[error(
        "no game in {pictures} pictures ({seconds:.0} s), expected the field of a game, with its rim, while pieces fall"
    )]
    NoGame {
        /// Pictures that were looked at.
        pictures: u64,
        /// How long they are.
        seconds: f64,
    },
}

impl From<Failure> for VideoError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Io(error) if error.kind() == io::ErrorKind::NotFound => Self::NoFfmpeg,
            Failure::Io(error) => Self::Io(error),
            Failure::Said(text) => Self::Ffmpeg(text),
        }
    }
}

/// Whether the file is a video by its name, or stdin.
pub fn is_named_so(file: &Path) -> bool {
    files::is_stdout(file) || has_ending(file, &ENDINGS)
}

/// Whether a file is a picture by its name, as a folder of them holds.
pub fn is_picture(file: &Path) -> bool {
    has_ending(file, &PICTURES) && file.is_file()
}

fn has_ending(file: &Path, endings: &[&str]) -> bool {
    let ending = file.extension().map(|ending| ending.to_string_lossy().to_ascii_lowercase());
    ending.is_some_and(|ending| endings.contains(&&*ending))
}

/// Whether these are the first bytes of a video.
pub fn begins_so(bytes: &[u8]) -> bool {
    bytes.starts_with(b"YUV4MPEG2")
        || bytes.starts_with(b"\x1A\x45\xDF\xA3")
        || bytes.get(4..8) == Some(b"ftyp")
        || bytes.starts_with(b"RIFF") && bytes.get(8..11) == Some(b"AVI")
}

/// What is read, and how far.
#[derive(Clone, Copy, Debug, Default)]
pub struct VideoOptions {
    /// Seconds of the video at which to begin and end.
    pub from: Option<f64>,
    /// The end.
    pub to: Option<f64>,
    /// Where the field is.
    pub place: Option<Place>,
    /// The level on which the games started.
    pub start_level: Option<u8>,
}

/// What is told while a video is read.
#[derive(Clone, Copy, Debug)]
pub struct Told {
    /// Milliseconds of the video so far.
    pub time_ms: u64,
    /// How long it is, if that is known.
    pub length_ms: Option<u64>,
    /// Whether a game has been seen.
    pub has_game: bool,
}

/// Reads the games in a video, `-` being Y4M on stdin. `None` if it was interrupted.
pub fn read(
    file: &Path,
    options: VideoOptions,
    interrupt: &Arc<AtomicBool>,
    told: &mut dyn FnMut(Told),
) -> Result<Option<Vec<PlayedGame>>, VideoError> {
    if files::is_stdout(file) {
        return look(io::stdin().lock(), options, (None, options.from), interrupt, told);
    }
    let mut begins = Vec::new();
    files::open(file)?.take(16).read_to_end(&mut begins)?;
    if begins.starts_with(b"YUV4MPEG2") {
        return look(files::open(file)?, options, (None, options.from), interrupt, told);
    }
    decode(&[], file, FILTERS, probe(file, interrupt), options, interrupt, told)
}

/// A folder of pictures as a video.
#[derive(Debug)]
pub struct PictureFolder {
    /// The pictures, in order.
    files: Vec<PathBuf>,
    /// Every how many frames of the game one was taken.
    step: u64,
}

impl PictureFolder {
    /// The pictures in a folder, by the last number in their names and then by name; none if it has no pictures. Numbers are those of
    /// frames of the game, if up to a quarter of a second apart. One that is missing is an error: what lies beside it would have a wrong time.
    pub fn new(folder: &Path) -> io::Result<Option<Self>> {
        let mut found = Vec::new();
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            if is_picture(&path) {
                found.push((number_of(&path), path));
            }
        }
        found.sort();
        let (numbers, files): (Vec<Option<u64>>, Vec<PathBuf>) = found.into_iter().unzip();
        let apart = |pair: &[Option<u64>]| Some(pair[1]?.saturating_sub(pair[0]?));
        let apart = |at: usize| numbers.get(at..at + 2).and_then(apart);
        let step = apart(0).filter(|step| (1..=RATE / 4).contains(step));
        if let Some(step) = step
            && let Some(at) = (0..files.len() - 1).find(|&at| apart(at).is_some_and(|other| other != step))
        {
            let (file, other) = (files[at].display(), files[at + 1].display());
            let why =
                format!("{other} after {file}: expected numbers that are {step} apart, like the first two");
            return Err(io::Error::new(io::ErrorKind::InvalidData, why));
        }
        Ok((!files.is_empty()).then_some(Self { files, step: step.unwrap_or(1) }))
    }

    /// How many pictures there are.
    pub const fn pictures(&self) -> usize {
        self.files.len()
    }

    /// How many of them there are for a second.
    pub fn rate(&self) -> f64 {
        RATE as f64 / self.step as f64
    }
}

/// The last number in a file's name.
fn number_of(file: &Path) -> Option<u64> {
    let stem = file.file_stem()?.to_string_lossy().into_owned();
    stem.rsplit(|letter: char| !letter.is_ascii_digit()).find(|digits| !digits.is_empty())?.parse().ok()
}

/// Reads the games in a folder of pictures. One picture is in memory at a time. `None` if it was interrupted.
pub fn read_folder(
    folder: &PictureFolder,
    options: VideoOptions,
    interrupt: &Arc<AtomicBool>,
    told: &mut dyn FnMut(Told),
) -> Result<Option<Vec<PlayedGame>>, VideoError> {
    let mut list = tempfile::NamedTempFile::new()?;
    writeln!(list, "ffconcat version 1.0")?;
    for file in &folder.files {
        // A quote ends the quotation, and is given by itself.
        let name = std::path::absolute(file)?;
        let name = name.to_str().filter(|name| !name.contains(['\n', '\r'])).ok_or_else(|| {
            let why = format!("{}: expected a name in UTF-8, without line breaks", file.display());
            io::Error::new(io::ErrorKind::InvalidData, why)
        })?;
        let name = name.replace('\'', "'\\''");
        writeln!(list, "file '{name}'")?;
    }
    list.flush()?;
    // ffmpeg takes every picture for a video of its own.
    let PictureFolder { files, step } = folder;
    let filters = format!("settb=1/{RATE},setpts={step}*N,fps={RATE}/{step},scale='min(1920,iw)':-2");
    let length = files.len() as u64 * step * 1000 / RATE;
    let input = ["-f", "concat", "-safe", "0"];
    // It cannot begin or end where it likes in a list: pictures are left out here.
    decode(&input, list.path(), &filters, Some(length), options, interrupt, told)
}

/// Reads what ffmpeg makes of a file.
fn decode(
    input: &[&str],
    file: &Path,
    filters: &str,
    length: Option<u64>,
    options: VideoOptions,
    interrupt: &Arc<AtomicBool>,
    told: &mut dyn FnMut(Told),
) -> Result<Option<Vec<PlayedGame>>, VideoError> {
    let is_list = !input.is_empty();
    let mut command = ffmpeg();
    command.args(input);
    if let Some(from) = options.from.filter(|_| !is_list) {
        command.args(["-ss", &from.to_string()]);
    }
    if let Some(to) = options.to.filter(|_| !is_list) {
        command.args(["-to", &to.to_string()]);
    }
    let mut name = std::ffi::OsString::from("file:");
    name.push(file);
    command.arg("-i").arg(name).args(["-map", "0:v:0", "-vf", filters, "-pix_fmt", "yuv420p"]);
    command.args(["-f", "yuv4mpegpipe", "pipe:1"]).stdin(Stdio::null()).stdout(Stdio::piped());
    let ffmpeg = Ffmpeg::start(command, None, interrupt).map_err(Failure::Io)?;
    let mut output = Output::of(ffmpeg);
    let skip = is_list.then_some(options.from.unwrap_or(0.0));
    let games = look(&mut output, options, (length, skip), interrupt, told);
    let is_done = !matches!(games, Err(VideoError::Y4m(_) | VideoError::Io(_)));
    if interrupt.load(Ordering::Relaxed) {
        return Ok(None);
    }
    // What ffmpeg says is the reason of what is missing. A damaged end of a video that has a game is no error.
    match output.end() {
        Err(failure) if !is_done => Err(failure.into()),
        Err(Failure::Said(text)) if matches!(games, Err(VideoError::NoGame { .. })) => {
            Err(VideoError::Ffmpeg(text))
        }
        _ => games,
    }
}

/// Reads pictures to their end. `begin`: how long the video is, and the seconds before which pictures are left out.
fn look(
    source: impl Read,
    options: VideoOptions,
    (length_ms, skip): (Option<u64>, Option<f64>),
    interrupt: &AtomicBool,
    told: &mut dyn FnMut(Told),
) -> Result<Option<Vec<PlayedGame>>, VideoError> {
    let mut pictures = Y4m::new(BufReader::with_capacity(1 << 16, source))?;
    let mut reader = options.place.map_or_else(VideoReader::new, VideoReader::at);
    // ffmpeg counts from where it begins.
    let begun = if skip.is_some() { 0.0 } else { options.from.unwrap_or(0.0) };
    let mut count = 0;
    while let Some(picture) = pictures.next()? {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let (picture, time_ms) = picture;
        let seconds = time_ms as f64 / 1000.0;
        if skip.is_some_and(|skip| seconds < skip) {
            continue;
        }
        if skip.is_some() && options.to.is_some_and(|to| seconds >= to) {
            break;
        }
        count += 1;
        reader.see(&picture, time_ms);
        told(Told { time_ms, length_ms, has_game: reader.has_game() });
    }
    let seconds = pictures.time_ms() as f64 / 1000.0;
    let read = reader.finish();
    let games = of_videos(&read, options.start_level, begun).ok_or(VideoError::OtherGame)?;
    if games.is_empty() {
        return Err(VideoError::NoGame { pictures: count, seconds });
    }
    Ok(Some(games))
}
