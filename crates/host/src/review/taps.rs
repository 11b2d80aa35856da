//! How a player taps, by where the falling piece was seen: [`TapSpeed`].

use std::fmt;

use maxout_engine::limits::{Das, Limits, Presses, TapTable};
use maxout_engine::movegen::Start;
use maxout_rules::{Placement, Region};

/// Shifts of a burst, at least.
pub const SHIFTS: usize = 3;
/// Bursts from which a speed is told, at least.
pub const BURSTS: usize = 10;
/// A pause this many times as long as half of all gaps are at most ends a burst.
const PAUSE: f64 = 1.5;
/// Frames between two shifts that are slower than any burst.
const SLOWEST: f64 = 15.5;
/// A gap that differs by less than this from a whole number of frames is that number.
const WHOLE: f64 = 0.15;
/// Gaps of a table whose gaps are no whole number of frames.
const GAPS: u32 = 7;
/// How many frames such a gap may be off in a recording of 30 frames a second.
const OFF: f64 = 1.2;
/// How many frames a gap may be longer than half of all are at most, at least, before it is a pause: at 30 frames a second, gaps of 3 are
/// seen as 2 and 4.
const LONGER: f64 = 2.2;

/// The falling piece where it was first seen, and wherever it was first seen elsewhere.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SeenPiece {
    /// The frame in which the piece came into play ([`PlacedPiece::frame`](super::PlacedPiece::frame)).
    pub piece: u64,
    /// The time in milliseconds.
    pub time_ms: u64,
    /// Where it was.
    pub at: Placement,
    /// Whether it was seen in the picture before, too: otherwise it may have been here for longer.
    pub is_exact: bool,
}

/// How fast a player taps.
#[derive(Clone, Copy, PartialEq, Debug, serde::Serialize)]
pub struct TapSpeed {
    /// The shifts a second in a burst.
    pub hertz: f64,
    /// The standard error.
    pub hertz_se: f64,
    /// Bursts of three shifts or more.
    pub bursts: usize,
    /// Frames from the moment a piece appears to its first shift: the mean of the middle half of all pieces that are shifted.
    pub first_shift: f64,
    /// Whether directions are held.
    pub das: bool,
    /// The version of the game whose frames are counted.
    #[serde(skip)]
    pub region: Region,
}

/// One piece shifted to one side without a pause.
struct Burst {
    frames: f64,
    gaps: f64,
}

impl TapSpeed {
    /// Measures the speed in a game of this region; `Err` has the number of bursts if they are too few.
    pub fn of(path: &[SeenPiece], region: Region) -> Result<Self, usize> {
        let mut path = path.to_vec();
        path.dedup_by_key(|seen| (seen.piece, seen.at.x));
        let frame_ms = 1000.0 / region.frames_per_second();
        let frames =
            |from: &SeenPiece, to: &SeenPiece| to.time_ms.saturating_sub(from.time_ms) as f64 / frame_ms;
        let pieces = || path.chunk_by(|a, b| a.piece == b.piece);
        let first: Vec<f64> = pieces().filter_map(|seen| first_shift(seen, &frames)).collect();
        // The gaps of all shifts to one side, in frames, and the shifts that were seen after each: mostly one.
        let sides: Vec<Vec<(f64, f64)>> = pieces().flat_map(|seen| gaps(seen, &frames)).collect();
        let all = sides.iter().flatten().map(|&(gap, shifts)| gap / shifts).filter(|&gap| gap < SLOWEST);
        let usual = median(all).ok_or(0_usize)?;
        let pause = (PAUSE * usual).max(usual + LONGER);
        let bursts: Vec<Burst> = sides.iter().flat_map(|side| bursts(side, pause)).collect();
        let number = bursts.len() as f64;
        if bursts.len() < BURSTS {
            return Err(bursts.len());
        }
        let shifts: f64 = bursts.iter().map(|burst| burst.gaps).sum();
        let gap = bursts.iter().map(|burst| burst.frames).sum::<f64>() / shifts;
        let off: f64 = bursts.iter().map(|burst| (burst.frames - gap * burst.gaps).powi(2)).sum();
        let error = (off * number / (number - 1.0)).sqrt() / shifts;
        let hertz = region.frames_per_second() / gap;
        // The first shift by itself comes late: nobody who taps waits just as long so often.
        let held = f64::from(region.das_full());
        let is_held = |side: &&Vec<(f64, f64)>| side.iter().any(|&(gap, _)| (gap - held).abs() < OFF);
        let das = 5 * sides.iter().filter(is_held).count() > bursts.len();
        Ok(Self {
            hertz,
            hertz_se: hertz * error / gap,
            bursts: bursts.len(),
            first_shift: middle(first),
            das,
            region,
        })
    }

    /// The presses to judge by, in frames of the region.
    pub fn presses(&self) -> Presses {
        if self.das {
            return Limits::new(Presses::Das(Das::ALONE)).in_region(self.region).presses;
        }
        let gap = (self.region.frames_per_second() / self.hertz).clamp(2.0, SLOWEST);
        let gap = if (gap - gap.round()).abs() < WHOLE { gap.round() } else { gap };
        let frames: Vec<u8> = (0..=GAPS)
            .map(|gaps| (f64::from(gaps) * gap).round() as u8)
            .take_while(|&frames| frames < 60)
            .collect();
        Presses::Table(TapTable::new(&frames).unwrap_or(TapTable::HZ_30))
    }
}

impl fmt::Display for TapSpeed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { hertz, hertz_se, bursts, first_shift, das, .. } = self;
        let what = if *das { "directions are held, " } else { "" };
        let frames = if first_shift.round() as u32 == 1 { "frame" } else { "frames" };
        write!(
            f,
            "{what}{hertz:.1} ± {hertz_se:.1} shifts a second in {bursts} bursts, the first {first_shift:.0} {frames} after the piece appears"
        )
    }
}

/// The frames until the first shift of a piece. A piece that is first seen beside the place where pieces appear has just been shifted if it has
/// not fallen yet: pictures are then further apart.
fn first_shift(seen: &[SeenPiece], frames: &impl Fn(&SeenPiece, &SeenPiece) -> f64) -> Option<f64> {
    let [first, rest @ ..] = seen else { return None };
    let spawn = Start::spawn(first.at.orientation.piece(), 0);
    if first.at.x != spawn.x {
        return (first.at.y == spawn.y).then_some(0.0);
    }
    rest.first().filter(|second| second.is_exact).map(|second| frames(first, second))
}

/// The gaps between the shifts of a piece, apart for each time that it turns back: frames, and the shifts that they led to.
fn gaps(seen: &[SeenPiece], frames: &impl Fn(&SeenPiece, &SeenPiece) -> f64) -> Vec<Vec<(f64, f64)>> {
    let mut sides = vec![Vec::new()];
    for three in seen.windows(3) {
        let [before, from, to] = three else { continue };
        if (before.at.x < from.at.x) != (from.at.x < to.at.x) || !from.is_exact || !to.is_exact {
            sides.push(Vec::new());
        } else if let Some(side) = sides.last_mut() {
            side.push((frames(from, to), f64::from(to.at.x.abs_diff(from.at.x))));
        }
    }
    sides
}

/// The bursts of these gaps: parts without a pause that are long enough.
fn bursts(side: &[(f64, f64)], pause: f64) -> Vec<Burst> {
    let sum = |part: &[(f64, f64)]| {
        let (frames, gaps) = part.iter().fold((0.0, 0.0), |sum, gap| (sum.0 + gap.0, sum.1 + gap.1));
        Burst { frames, gaps }
    };
    side.split(|&(gap, shifts)| gap > pause * shifts)
        .filter(|part| part.len() + 1 >= SHIFTS)
        .map(sum)
        .collect()
}

/// The mean of the middle half. Pictures that are two frames apart show a shift a frame late in half of all pieces: the median says neither.
fn middle(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let quarter = values.len() / 4;
    let middle = &values[quarter..values.len() - quarter];
    middle.iter().sum::<f64>() / middle.len().max(1) as f64
}

fn median(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let mut values: Vec<f64> = values.into_iter().collect();
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
