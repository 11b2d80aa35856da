//! [`Pictures`]: knows from the log which frames of play are wanted, and draws them while the run is replayed.

use std::fs;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::apng::Apng;
use super::canvas::Canvas;
use super::error::PicturesError;
use super::gif::Gif;
use super::options::{At, RenderOptions, VideoFile, VideoKind};
use super::overlay::Overlay;
use super::png::{self, PngFolder};
use super::shape::PictureShape;
use super::sheet::Sheet;
use super::sink::{PictureSink, Shot};
use super::video::{self, Video};
use super::{sound, timing};
use crate::files;
use maxout_host::Console;
use maxout_record::run::Record;
use maxout_record::run::timeline;
use maxout_record::timeline::Timeline;
use maxout_rules::input::InputLog;

/// A file, or a folder, that is whole now.
#[derive(Clone, PartialEq, Debug)]
pub struct Written {
    /// Where it is.
    pub path: PathBuf,
    /// How large it is; none if it is a pipe or a device.
    pub bytes: Option<u64>,
    /// How long it shows what it shows; none if nothing moves.
    pub seconds: Option<f64>,
    /// Pictures in it.
    pub pictures: usize,
}

/// A sink and where it goes.
struct Output {
    path: PathBuf,
    moves: bool,
    sink: Box<dyn PictureSink>,
}

/// The pictures of one run.
pub struct Pictures {
    /// Frames of play that are still to be drawn, the next one last, each with its stay.
    wanted: Vec<(u64, u64)>,
    shape: PictureShape,
    overlay: Option<Overlay>,
    outputs: Vec<Output>,
    /// Pictures so far.
    drawn: usize,
    /// For how many frames they are shown.
    shown: u64,
    /// Frames of play whose sound is needed.
    heard: Option<RangeInclusive<u64>>,
    /// The console's frame that was last heard.
    console_frame: u64,
    /// First and last frame of play that may be drawn, and the last that was seen.
    range: (u64, u64),
    seen: u64,
}

impl Pictures {
    /// Gets everything ready for a replay of this run; what can be refused is refused here. Once `interrupt` is true, making
    /// pictures may fail.
    pub fn new(
        options: &RenderOptions,
        record: &Record,
        log: &InputLog,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Self, PicturesError> {
        let needs_timeline = !options.is_empty() && (options.at != At::Frame || options.overlay);
        let timeline = if needs_timeline { Some(timeline(record, log)?) } else { None };
        let frames = (log.len() as u64).saturating_sub(record.menu_frames);
        let overlay = timeline.clone().filter(|_| options.overlay);
        let overlay = overlay.map(|timeline| Overlay::new(timeline, record));
        Self::open(options, frames, timeline.as_ref(), overlay, interrupt)
    }

    /// The same for a movie of `frames` frames, whose events are not known in advance, and at most `after`
    /// more.
    pub fn of_movie(
        options: &RenderOptions,
        frames: u64,
        after: u64,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Self, PicturesError> {
        if options.overlay {
            return Err(PicturesError::NeedsRun("--overlay"));
        }
        if options.at != At::Frame {
            return Err(PicturesError::NeedsRun("--at"));
        }
        Self::open(options, frames + after, None, None, interrupt)
    }

    fn open(
        options: &RenderOptions,
        frames: u64,
        timeline: Option<&Timeline>,
        overlay: Option<Overlay>,
        interrupt: &Arc<AtomicBool>,
    ) -> Result<Self, PicturesError> {
        let mut wanted = if options.is_empty() { Vec::new() } else { choose(options, frames, timeline) };
        if wanted.is_empty() && !options.is_empty() {
            return Err(PicturesError::Nothing { frames, from: options.from, to: options.to });
        }
        let lasts: u64 = wanted.iter().map(|(_, lasts)| lasts).sum();
        // What is drawn after a frame is seen in the next, and heard with it.
        let heard = wanted.first().map(|(first, _)| first + 1..=first + lasts);
        wanted.reverse();
        // Frames are equally far apart; other things stay as long as they do.
        let step = if options.at == At::Frame { options.every } else { 1 };
        let outputs = open(options, wanted.len(), step, interrupt)?;
        Ok(Self {
            wanted,
            shape: options.shape,
            overlay,
            outputs,
            drawn: 0,
            shown: 0,
            heard: heard.filter(|_| options.has_sound()),
            console_frame: 0,
            range: (options.from, options.to),
            seen: 0,
        })
    }

    /// Whether the console has to be turned up ([`Console::turn_up`]).
    pub fn has_sound(&self) -> bool {
        self.heard.is_some()
    }

    /// Looks at the console after frame `frame` of play, in order of frames.
    pub fn frame(&mut self, frame: u64, console: &Console) -> Result<(), PicturesError> {
        self.seen = frame;
        if self.heard.as_ref().is_some_and(|heard| heard.contains(&frame)) {
            self.hear(console)?;
        }
        self.console_frame = console.frames();
        let Some((_, lasts)) = self.wanted.pop_if(|(next, _)| *next == frame) else { return Ok(()) };
        let mut whole = Canvas::from(&console.picture()?);
        if let Some(overlay) = &mut self.overlay {
            whole = overlay.draw(frame, &whole);
        }
        let canvas = self.shape.apply(whole.clone());
        self.drawn += 1;
        self.shown += lasts;
        let shot = Shot { frame, lasts, canvas: &canvas, whole: &whole };
        self.outputs.iter_mut().try_for_each(|output| output.sink.add(&shot))
    }

    /// Passes on what the last frame sounded like. A record of a movie that runs no frame is as long, and silent.
    fn hear(&mut self, console: &Console) -> Result<(), PicturesError> {
        let silence = vec![0.0; sound::samples(1) as usize];
        let ran = console.frames() != self.console_frame && !console.sound().is_empty();
        let samples = if ran { console.sound() } else { &silence };
        self.outputs.iter_mut().try_for_each(|output| output.sink.hear(samples))
    }

    /// Ends all files, if anything was drawn, and says which they are.
    pub fn finish(self) -> Result<Vec<Written>, PicturesError> {
        if self.drawn == 0 && !self.outputs.is_empty() {
            let (from, to) = self.range;
            return Err(PicturesError::Nothing { frames: self.seen, from, to });
        }
        let seconds = self.shown as f64 * f64::from(timing::RATE.1) / f64::from(timing::RATE.0);
        let mut all = Vec::new();
        for Output { path, moves, sink } in self.outputs {
            sink.finish()?;
            let seconds = moves.then_some(seconds);
            all.push(Written { bytes: size(&path), seconds, pictures: self.drawn, path });
        }
        Ok(all)
    }
}

/// Bytes of a file, or of those in a folder.
fn size(path: &Path) -> Option<u64> {
    let found = fs::metadata(path).ok().filter(|_| !files::is_stdout(path))?;
    if found.is_dir() {
        return Some(
            fs::read_dir(path).ok()?.flatten().filter_map(|entry| Some(entry.metadata().ok()?.len())).sum(),
        );
    }
    found.is_file().then_some(found.len())
}

/// The frames to draw, each with the number of frames until the next; the last stays as long as the one before.
fn choose(options: &RenderOptions, frames: u64, timeline: Option<&Timeline>) -> Vec<(u64, u64)> {
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

/// Opens the files for `count` pictures. `step`: of how many console frames every picture's stay is a multiple. The
/// folder is made last: all else that can be refused is refused before, and leaves nothing behind.
fn open(
    options: &RenderOptions,
    count: usize,
    step: u64,
    interrupt: &Arc<AtomicBool>,
) -> Result<Vec<Output>, PicturesError> {
    if let Some(folder) = &options.png {
        png::check(folder).map_err(|source| PicturesError::io(folder, source))?;
    }
    let mut outputs = Vec::new();
    let mut add = |path: &Path, moves, sink| outputs.push(Output { path: path.to_owned(), moves, sink });
    for VideoFile { kind, file } in &options.videos {
        let video = |codec| Video::create(file, codec, step.max(1), interrupt);
        add(
            file,
            true,
            match kind {
                VideoKind::Gif => Box::new(Gif::create(file)?) as Box<dyn PictureSink>,
                VideoKind::Apng => Box::new(Apng::create(file)?),
                VideoKind::Mp4 => Box::new(video(video::MP4)?),
                VideoKind::WebM => Box::new(video(video::WEBM)?),
            },
        );
    }
    if let Some(file) = &options.sheet {
        add(file, false, Box::new(Sheet::create(file, count, options.shape)?));
    }
    if let Some(folder) = &options.png {
        let sink = PngFolder::create(folder).map_err(|source| PicturesError::io(folder, source))?;
        add(folder, false, Box::new(sink));
    }
    Ok(outputs)
}
