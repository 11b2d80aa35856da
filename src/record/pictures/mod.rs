//! Pictures of a recorded run, drawn while it is replayed: [`Pictures::new`] knows from the log which frames of
//! play are wanted, [`Pictures::frame`] draws them.
//!
//! One [`Sink`] per format. All get the same pictures, so a GIF holds the very frames of the PNG export.

mod apng;
pub mod canvas;
pub mod font;
mod gif;
mod overlay;
pub mod pattern;
pub mod png;
mod sheet;
pub mod timing;
mod video;

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::run::Record;
use super::timeline::{Timeline, TimelineError, timeline};
use crate::host::{Console, ConsoleError};
use crate::input::InputLog;
use canvas::Canvas;
use overlay::Overlay;
use sheet::Sheet;
use video::{Kind, Video};

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum At {
    /// Frames of play.
    #[default]
    Frame,
    /// The frame in which a piece locks.
    Lock,
    /// The frame in which a piece locks that clears rows; they are still there.
    Clear,
    /// The frame in which a piece locks that clears four rows.
    Tetris,
}

/// What to draw, and into which files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Options {
    /// What is drawn.
    pub at: At,
    /// Every how many of them; at least 1.
    pub every: u64,
    /// First frame of play that may be drawn; the first of all is 1.
    pub from: u64,
    /// Last frame of play that may be drawn.
    pub to: u64,
    /// Each pixel becomes a square of this many by as many.
    pub scale: u8,
    /// Whether to add where the piece will lock, the held buttons and statistics.
    pub overlay: bool,
    /// Folder for PNG files.
    pub png: Option<PathBuf>,
    /// GIF file.
    pub gif: Option<PathBuf>,
    /// APNG file.
    pub apng: Option<PathBuf>,
    /// MP4 file, through ffmpeg.
    pub mp4: Option<PathBuf>,
    /// WebM file, through ffmpeg.
    pub webm: Option<PathBuf>,
    /// PNG file for a contact sheet.
    pub sheet: Option<PathBuf>,
}

impl Options {
    /// The files of which each can be written once only.
    fn files(&self) -> impl Iterator<Item = &Path> {
        [&self.gif, &self.apng, &self.mp4, &self.webm, &self.sheet].into_iter().filter_map(Option::as_deref)
    }

    /// Whether nothing is to be drawn.
    fn is_empty(&self) -> bool {
        self.png.is_none() && self.files().next().is_none()
    }
}

/// Why there are no pictures.
#[derive(Debug, Error)]
pub enum PicturesError {
    /// The log is not that of the record.
    #[error(transparent)]
    Timeline(#[from] TimelineError),
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// Nothing is left to draw.
    #[error(
        "no picture to draw: the run has {frames} frames of play, and none of those wanted is in {from} to {to}"
    )]
    Nothing {
        /// Frames of play.
        frames: u64,
        /// First frame wanted.
        from: u64,
        /// Last frame wanted.
        to: u64,
    },
    /// A movie tells nothing beforehand.
    #[error("{0}: expected a recorded run, not a movie")]
    NeedsRun(&'static str),
    /// Two formats, one file.
    #[error("{}: named for two formats, expected a file for each", .0.display())]
    Twice(PathBuf),
    /// A palette has 256 places.
    #[error("{}: more than 256 colours up to frame {frame}, expected a picture that a palette can hold", path.display())]
    Colours {
        /// The file.
        path: PathBuf,
        /// Frame of play.
        frame: u64,
    },
    /// A sheet has an end.
    #[error(
        "{}: {count} pictures, expected no more than {most} on a sheet (--every N takes fewer)",
        path.display(), most = sheet::MOST
    )]
    TooMany {
        /// The file.
        path: PathBuf,
        /// Pictures wanted.
        count: usize,
    },
    /// Videos need another program.
    #[error("{}: expected ffmpeg on the path to make it; --gif and --apng need no other program", .0.display())]
    NoFfmpeg(PathBuf),
    /// The other program gave up.
    #[error("{}: ffmpeg: {message}", path.display())]
    Ffmpeg {
        /// The file.
        path: PathBuf,
        /// What it said.
        message: String,
    },
    /// A file could not be written.
    #[error("{}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl PicturesError {
    fn io(path: &Path, source: io::Error) -> Self {
        Self::Io { path: path.to_owned(), source }
    }
}

/// One picture.
pub struct Shot<'a> {
    /// Frame of play.
    pub frame: u64,
    /// Console frames until the next.
    pub lasts: u64,
    /// Its pixels.
    pub canvas: &'a Canvas,
}

/// Where pictures go, one after the other; a sink that is dropped before its end leaves no file behind that is
/// not whole.
pub trait Sink {
    /// Takes the next picture; all have the same size.
    fn add(&mut self, shot: &Shot<'_>) -> Result<(), PicturesError>;

    /// Ends the file and gives it its name.
    fn finish(self: Box<Self>) -> Result<(), PicturesError>;
}

/// The pictures of one run.
pub struct Pictures {
    /// Frames of play that are still to be drawn, the next one last, each with its stay.
    wanted: Vec<(u64, u64)>,
    scale: usize,
    overlay: Option<Overlay>,
    sinks: Vec<Box<dyn Sink>>,
    /// What is wrong as long as nothing was drawn.
    nothing: Option<PicturesError>,
}

impl Pictures {
    /// Gets everything ready for a replay of this run; what can be refused is refused here.
    pub fn new(options: &Options, record: &Record, log: &InputLog) -> Result<Self, PicturesError> {
        let needs_timeline = !options.is_empty() && (options.at != At::Frame || options.overlay);
        let timeline = if needs_timeline { Some(timeline(record, log)?) } else { None };
        let frames = (log.len() as u64).saturating_sub(record.menu_frames);
        let overlay = timeline.clone().filter(|_| options.overlay);
        let overlay = overlay.map(|timeline| Overlay::new(timeline, record));
        Self::open(options, frames, timeline.as_ref(), overlay)
    }

    /// The same for a movie of so many frames, of which nobody knows beforehand what happens in it, and at most `after`
    /// more.
    pub fn of_movie(options: &Options, frames: u64, after: u64) -> Result<Self, PicturesError> {
        if options.overlay {
            return Err(PicturesError::NeedsRun("--overlay"));
        }
        if options.at != At::Frame {
            return Err(PicturesError::NeedsRun("--at"));
        }
        Self::open(options, frames + after, None, None)
    }

    fn open(
        options: &Options,
        frames: u64,
        timeline: Option<&Timeline>,
        overlay: Option<Overlay>,
    ) -> Result<Self, PicturesError> {
        let scale = usize::from(options.scale.max(1));
        if options.is_empty() {
            return Ok(Self { wanted: Vec::new(), scale, overlay: None, sinks: Vec::new(), nothing: None });
        }
        let mut wanted = choose(options, frames, timeline);
        let nothing = PicturesError::Nothing { frames, from: options.from, to: options.to };
        if wanted.is_empty() {
            return Err(nothing);
        }
        wanted.reverse();
        // Frames are equally far apart; other things stay as long as they do.
        let step = if options.at == At::Frame { options.every } else { 1 };
        let sinks = open(options, wanted.len(), step)?;
        Ok(Self { wanted, scale, overlay, sinks, nothing: Some(nothing) })
    }

    /// Looks at the console after frame `frame` of play, in order of frames.
    pub fn frame(&mut self, frame: u64, console: &Console) -> Result<(), PicturesError> {
        let Some((_, lasts)) = self.wanted.pop_if(|(next, _)| *next == frame) else { return Ok(()) };
        let mut canvas = Canvas::from(&console.picture()?);
        if let Some(overlay) = &mut self.overlay {
            canvas = overlay.draw(frame, &canvas);
        }
        let canvas = canvas.scaled(self.scale);
        let shot = Shot { frame, lasts, canvas: &canvas };
        self.nothing = None;
        self.sinks.iter_mut().try_for_each(|sink| sink.add(&shot))
    }

    /// Ends all files, if anything was drawn.
    pub fn finish(self) -> Result<(), PicturesError> {
        if let Some(nothing) = self.nothing {
            return Err(nothing);
        }
        self.sinks.into_iter().try_for_each(Sink::finish)
    }
}

/// The frames to draw, each with the number of frames until the next; the last stays as long as the one before.
fn choose(options: &Options, frames: u64, timeline: Option<&Timeline>) -> Vec<(u64, u64)> {
    let every = options.every.max(1);
    let range = options.from.max(1)..=options.to.min(frames);
    let events = timeline.filter(|_| options.at != At::Frame);
    let places: Vec<u64> = match events {
        None => range.filter(|frame| frame.is_multiple_of(every)).collect(),
        Some(timeline) => {
            let least = match options.at {
                At::Clear => 1,
                At::Tetris => 4,
                At::Frame | At::Lock => 0,
            };
            let events = timeline.locks.iter().filter(|lock| lock.rows_cleared >= least);
            let kept = (1..).zip(events).filter(|(count, _)| u64::is_multiple_of(*count, every));
            kept.map(|(_, lock)| lock.locked).filter(|frame| range.contains(frame)).collect()
        }
    };
    let gaps: Vec<u64> = places.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let last = gaps.last().copied().unwrap_or(every);
    places.into_iter().zip(gaps.into_iter().chain([last])).collect()
}

/// Opens the files for `count` pictures. `step`: of how many console frames every picture's stay is a multiple.
fn open(options: &Options, count: usize, step: u64) -> Result<Vec<Box<dyn Sink>>, PicturesError> {
    let files: Vec<&Path> = options.files().collect();
    if let Some(twice) = files.iter().enumerate().find(|(at, file)| files[..*at].contains(file)) {
        return Err(PicturesError::Twice(twice.1.to_path_buf()));
    }
    let mut sinks: Vec<Box<dyn Sink>> = Vec::new();
    if let Some(folder) = &options.png {
        png::prepare(folder).map_err(|source| PicturesError::io(folder, source))?;
        sinks.push(Box::new(png::PngFolder::new(folder)));
    }
    if let Some(file) = &options.gif {
        sinks.push(Box::new(gif::Gif::create(file)?));
    }
    if let Some(file) = &options.apng {
        sinks.push(Box::new(apng::Apng::create(file)?));
    }
    if let Some(file) = &options.sheet {
        sinks.push(Box::new(Sheet::create(file, count, usize::from(options.scale.max(1)))?));
    }
    for (file, kind) in [(&options.mp4, Kind::Mp4), (&options.webm, Kind::WebM)] {
        if let Some(file) = file {
            sinks.push(Box::new(Video::create(file, kind, step.max(1))?));
        }
    }
    Ok(sinks)
}
