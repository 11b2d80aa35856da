//! The game in what the pictures show, held to its rules: [`Decoder`].
//!
//! The board before a piece is known. Each picture shows that board with the piece in the air, or the board that one of the
//! piece's placements leaves, with the next piece in the air, or something that fits neither, such as the wipe of full rows. A
//! placement is believed when two pictures show the board after it. If nothing fits for a while, the decoder looks for the few
//! placements that lead to the board that it sees below a piece in the air, and says so where there is no one answer.

use crate::cells::{NextBox, Rows, View};
use crate::place::Shown;
use maxout_rules::{Board, Orientation, Piece, Placement, Region, gravity};

/// Milliseconds of a frame of the game.
pub(crate) const FRAME_MS: f32 = (1000.0 / Region::Ntsc.frames_per_second()) as f32;
/// Cells that may be wrong, weighed by how sure they are, for a picture to show a board.
const SLACK: f32 = 1.0;
/// How much better another explanation must be.
const AHEAD: f32 = 0.25;
/// Pictures that must show the board after a placement: at least, and more of a recording in which they are shorter than this many
/// milliseconds together. Where pictures are blended, some show a placement that never was.
const ENOUGH: u32 = 2;
const ENOUGH_MS: u64 = 60;
/// What another piece than the one that was seen costs.
const OTHER_PIECE: f32 = 0.6;
/// Pictures that must show the same board below a moving piece, before the decoder begins with it.
const STEADY: u32 = 3;
/// Milliseconds for which the whole field must be filled before the game counts as over.
const CURTAIN_MS: u64 = 250;
/// Pictures that show nothing of the game, after which it may be elsewhere.
const ASTRAY: u32 = 6;
/// Most boards that are tried to bridge a gap.
const MOST_BOARDS: usize = 40_000;
/// Rows of a fall that are timed together, and pictures: they tell times no better than to one of them.
const TIMED_ROWS: u8 = 2;
const TIMED_PICTURES: u64 = 8;
/// How many cells an overlay hides: fewer may be a mistake, more are not the game.
const HIDDEN: std::ops::RangeInclusive<u32> = 3..=100;
/// Columns of something over an upper corner, at most, and its cells; it must have been there for this many milliseconds before a game begins,
/// with pauses of at most the second number.
const CORNER: (usize, usize) = (4, 40);
const CORNER_MS: (u64, u64) = (1_500, 500);
/// Milliseconds from the last picture that fits until something must have appeared that cannot be placed pieces.
const SUDDEN_MS: u64 = 400;
/// Milliseconds after a lock behind an overlay, after which the game is begun anew with what is seen.
const DOUBT_MS: u64 = 3_000;
/// Placements for each gap in a game that the rules do not contradict.
const MOST_GAPS: usize = 8;
/// Milliseconds for which the last piece must be seen to rest to count as placed.
const LAST_RESTS_MS: u64 = 180;
/// Placements of which the slowest fall tells how long a piece can rest before it locks.
const LATELY: usize = 8;
/// Milliseconds at the end of a recording of which no picture fits the game, after which that is a gap.
const LOST_MS: u64 = 2_000;
/// Poses that are noted of the way of a piece, at most.
const MOST_POSES: usize = 256;
/// Pictures that must show full rows vanish, before their placement counts as locked.
const WIPED: u32 = 2;
/// Frames for which a piece may be seen at rest, beside those of a row of its fall: one until it locks, and one for times that are not exact.
const RESTS: f32 = 1.8;
/// Pieces of three columns that must have appeared a column too far to the left before a picture counts as mirrored, and how many
/// times as many as in their place; at the end of a video fewer are enough.
const MIRRORED: usize = 4;
const MIRRORED_AT_END: usize = 2;
const MORE_MIRRORED: usize = 4;
/// Next pieces that were read right before they came, which no mirrored picture shows.
const FORESEEN: u32 = 3;
/// Pieces that appear turned before a game counts as another one, and how many times as many as appear as in this game.
const TURNED: usize = 5;
const MORE_TURNED: usize = 3;
/// Full rows below a piece in the air that can only be a strip over the field: the most of them.
const MOST_COVERED: usize = 8;
/// Placements that two games at the same time have in common if one is a copy of the other, at least.
const COPIED: usize = 4;
/// Of the pictures of a piece one in this many at least shows the next one, and this many times as many as show another, for the next one to fill a gap.
const SURE_NEXT: (u32, u32) = (2, 8);
/// Milliseconds of a gap in which no cells can come to hang that did not before, and that a piece takes at least.
const SHORT_MS: u64 = 3_000;
const LEAST_PIECE_MS: u64 = 250;
/// More pieces than can be told from the boards before and after a gap.
const MOST_PIECES: u64 = 1_000;
/// A full row.
const FULL: u16 = 0x3FF;

/// The cells of the field that a piece takes.
fn cells_of(placement: Placement) -> impl Iterator<Item = usize> {
    let cells = placement.orientation.cells().iter();
    cells.filter_map(move |&(dx, dy)| {
        let (row, column) = (i32::from(placement.y) + i32::from(dy), i32::from(placement.x) + i32::from(dx));
        ((0..20).contains(&row) && (0..10).contains(&column)).then(|| (10 * row + column) as usize)
    })
}

fn is_spawn(Placement { x, y, orientation }: Placement) -> bool {
    (x, y) == (5, 0) && orientation.piece().spawn() == orientation
}

/// A placement as it was read.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ReadPlacement {
    /// The picture in which the piece was first seen.
    pub picture: u64,
    /// Milliseconds from the beginning of the video until then.
    pub time_ms: u64,
    /// The board before the placement.
    pub board: Board,
    /// The piece.
    pub piece: Piece,
    /// The next piece, if its box was shown.
    pub next: Option<Piece>,
    /// Where the piece locked.
    pub pose: Placement,
    /// Whether the next box was seen to be empty.
    pub is_next_hidden: bool,
    /// Lines that it cleared.
    pub lines: u8,
    /// Milliseconds for a row where it fell slowest, if it was seen to fall.
    pub fall_ms: Option<f32>,
}

/// A piece in the air where it was first seen, or where it was first seen in another pose.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadPose {
    /// The picture in which the piece was first seen ([`ReadPlacement::picture`]).
    pub piece: u64,
    /// Milliseconds from the beginning of the video.
    pub time_ms: u64,
    /// Where it was.
    pub at: Placement,
    /// Whether it was seen in the picture before, too.
    pub is_exact: bool,
}

/// Where placements are missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ReadGap {
    /// How many placements were read before it.
    pub after: usize,
    /// The picture from which on nothing fits.
    pub picture: u64,
    /// Milliseconds of its beginning and end.
    pub from_ms: u64,
    /// Its end.
    pub to_ms: u64,
}

/// A game as it was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ReadGame {
    /// The placements, in order.
    pub placements: Vec<ReadPlacement>,
    /// Where placements are missing.
    pub gaps: Vec<ReadGap>,
    /// The poses in which the pieces were seen on their way.
    pub path: Vec<ReadPose>,
    /// Whether the video begins in the middle of the game.
    pub begins_late: bool,
    /// Whether the end of the game was seen.
    pub is_over: bool,
    /// The rows that something covers from the beginning, the first and the last, counted from 0 at the top. What lies in them is
    /// not known, and taken for empty.
    pub covered: Option<(usize, usize)>,
    /// How the picture shows it. Everything else is as the console has it.
    pub shown: Shown,
}

/// How pieces of three columns were seen to appear.
#[derive(Clone, Copy, Default, Debug)]
struct Spawns {
    /// In their place, and a column further to the left, which a mirror shows.
    right: usize,
    left: usize,
    /// T, J and L as in this game, and turned by half in their place or a column beside it, as other games have them. A player who is
    /// seen late has turned some by a quarter, or moved them.
    pointing_down: usize,
    turned: usize,
}

impl Spawns {
    fn of(game: &ReadGame) -> Self {
        let mut all = Self::default();
        for placement in &game.placements {
            let first = game.path.partition_point(|seen| seen.piece < placement.picture);
            let first = game.path.get(first).filter(|seen| seen.piece == placement.picture);
            all.add(placement.piece, first.map(|first| first.at));
        }
        all
    }

    /// Counts a piece and where it was first seen.
    fn add(&mut self, piece: Piece, first: Option<Placement>) {
        let Some(at) = first.filter(|at| at.y <= 1 && at.orientation.piece() == piece) else { return };
        let is_spawn = at.orientation == piece.spawn();
        match piece {
            Piece::I | Piece::O => return,
            Piece::T | Piece::J | Piece::L if is_spawn => self.pointing_down += 1,
            Piece::T | Piece::J | Piece::L => {
                self.turned += usize::from(
                    at.orientation == piece.spawn().clockwise().clockwise() && (4..=5).contains(&at.x),
                );
            }
            Piece::S | Piece::Z => {}
        }
        self.right += usize::from(is_spawn && at.x == 5);
        self.left += usize::from(is_spawn && at.x == 4);
    }

    fn and(self, other: Self) -> Self {
        Self {
            right: self.right + other.right,
            left: self.left + other.left,
            pointing_down: self.pointing_down + other.pointing_down,
            turned: self.turned + other.turned,
        }
    }

    /// Whether this is a game of other rules.
    fn are_other(self) -> bool {
        self.turned >= TURNED && self.turned > MORE_TURNED * self.pointing_down
    }

    /// Whether this is a mirrored game, if at least `least` pieces say that.
    fn are_mirrored(self, least: usize) -> bool {
        self.left >= least && self.left > MORE_MIRRORED * self.right && self.pointing_down >= self.turned
    }
}

impl ReadGame {
    /// Whether it is a game of other rules: T, J and L appear turned by half.
    pub fn is_other_game(&self) -> bool {
        Spawns::of(self).are_other()
    }

    /// The times of its first and its last placement.
    fn span(&self) -> Option<(u64, u64)> {
        Some((self.placements.first()?.time_ms, self.placements.last()?.time_ms))
    }

    /// How many placements of another game are in this one, too.
    fn same(&self, other: &Self) -> usize {
        let is_here =
            |a: &&ReadPlacement| self.placements.iter().any(|b| (a.board, a.pose) == (b.board, b.pose));
        other.placements.iter().filter(is_here).count()
    }

    /// Whether another game may be this one: at the same time, and with at least half of its placements, or as much of it if it is not whole.
    fn has_read(&self, game: &Self) -> bool {
        let (Some((begin, end)), Some((from, to))) = (self.span(), game.span()) else { return false };
        let is_whole = !game.begins_late && game.gaps.is_empty();
        let has_as_much = !is_whole && self.placements.len() >= game.placements.len();
        begin <= to && from <= end && (has_as_much || 2 * self.same(game) >= game.placements.len())
    }

    /// Whether another game is a copy of this one, shown at the same time elsewhere in the pictures, maybe a little later: two players make
    /// the same placements for a few pieces at most.
    pub(crate) fn is_copied_by(&self, game: &Self) -> bool {
        let (Some((begin, end)), Some((from, to))) = (self.span(), game.span()) else { return false };
        begin <= to && from <= end && {
            let same = self.same(game);
            same >= COPIED && 2 * same >= game.placements.len()
        }
    }

    /// Exchanges left and right. The next box was not where it was looked for: the next piece is the one that came.
    fn mirror(&mut self) {
        let gaps: Vec<usize> = self.gaps.iter().map(|gap| gap.after).collect();
        let came: Vec<Option<Piece>> = (1..=self.placements.len())
            .map(|at| self.placements.get(at).map(|next| next.piece.mirrored()))
            .collect();
        for (at, (placement, came)) in self.placements.iter_mut().zip(came).enumerate() {
            placement.board = placement.board.mirrored();
            placement.piece = placement.piece.mirrored();
            placement.pose = mirrored(placement.pose);
            placement.next = came.filter(|_| !gaps.contains(&(at + 1)));
            placement.is_next_hidden = false;
        }
        for seen in &mut self.path {
            seen.at = mirrored(seen.at);
        }
        self.shown.mirrored = !self.shown.mirrored;
    }
}

const fn mirrored_row(row: u16) -> u16 {
    row.reverse_bits() >> 6
}

/// The placement whose cells are those of this one in a mirror. The cells of the two are equally far from the top.
fn mirrored(placement: Placement) -> Placement {
    let cells = |placement: Placement, is_mirrored: bool| {
        let mut cells: Vec<(i16, i16)> = (placement.orientation.cells().iter())
            .map(|&(dx, dy)| (i16::from(placement.x) + i16::from(dx), i16::from(placement.y) + i16::from(dy)))
            .map(|(x, y)| (if is_mirrored { 9 - x } else { x }, y))
            .collect();
        cells.sort_unstable();
        cells
    };
    let wanted = cells(placement, true);
    let piece = placement.orientation.piece().mirrored();
    let all = Orientation::ALL.into_iter().filter(|orientation| orientation.piece() == piece);
    let rows = placement.y.saturating_sub(1)..=placement.y + 1;
    let mut all = all.flat_map(|orientation| {
        let rows = rows.clone();
        rows.flat_map(move |y| (0..=10).map(move |x| Placement { x, y, orientation }))
    });
    all.find(|found| cells(*found, false) == wanted).unwrap_or(placement)
}

/// A game while it is read.
#[derive(Clone, Copy, Debug)]
pub struct LiveGame<'a> {
    game: &'a ReadGame,
    /// Where the piece in play rests, and for how many milliseconds.
    rests: Option<(ReadPlacement, u64)>,
    is_other: bool,
}

impl<'a> LiveGame<'a> {
    /// What was read so far. The next piece of its last placement may still change, if its box was not well seen.
    pub const fn game(&self) -> &'a ReadGame {
        self.game
    }

    /// Whether it is a game of other rules, as far as it was read ([`ReadGame::is_other_game`]).
    pub const fn is_other_game(&self) -> bool {
        self.is_other
    }

    /// Where the piece in play rests. It may still be moved.
    pub fn rests(&self) -> Option<ReadPlacement> {
        self.rests.map(|(rests, _)| rests)
    }

    /// The placement of the piece in play, if it must have locked: it has rested for longer than a piece of this level can, or its full rows
    /// are vanishing. Pictures show no difference between a piece that rests and one that has locked until the next one appears.
    pub fn locked(&self, level: u8) -> Option<ReadPlacement> {
        let longest_ms = FRAME_MS * (f32::from(gravity(level)) + RESTS);
        self.rests.filter(|(_, rests_ms)| *rests_ms as f32 > longest_ms).map(|(rests, _)| rests)
    }
}

/// A placement that the piece in play may end with.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    pose: Placement,
    piece: Piece,
    after: Board,
    lines: u8,
    /// Pictures that show the board after it, and when the first did.
    support: u32,
    since: (u64, u64),
    /// Pictures that show the piece at rest there, and that show its full rows while they vanish.
    rested: u32,
    wiped: u32,
}

/// The piece in play.
#[derive(Clone, Debug)]
struct Turn {
    board: Board,
    /// The picture in which it was first seen, and its time.
    since: (u64, u64),
    /// How often each piece was seen in the air.
    votes: [f32; 7],
    /// How often the box showed each piece, and nothing.
    next: [u32; 7],
    next_empty: u32,
    pictures: u32,
    candidates: Vec<Candidate>,
    /// The rows in which the piece was seen, each with the time when it came there.
    fall: Vec<(u8, u64)>,
    /// Milliseconds a row where it fell slowest, and whether that is of a long fall.
    slowest_ms: Option<(f32, bool)>,
    /// The last pose that was seen in the air, since when, and the last picture that showed the piece there.
    last: Option<Placement>,
    last_since: u64,
    last_seen: (u64, u64),
    /// The last picture that showed all of its cells.
    last_whole: Option<u64>,
    /// Where the piece was seen, and as which piece.
    way: Vec<ReadPose>,
    /// Where the next piece was seen while it was not yet sure that this one has locked, and after which placement.
    ahead: Vec<(Placement, Placement, (u64, u64))>,
}

impl Turn {
    fn new(board: Board, piece: Option<Piece>, since: (u64, u64)) -> Self {
        let mut votes = [0.0; 7];
        if let Some(piece) = piece {
            votes[piece as usize] = 1.5;
        }
        let candidates = resting(&board)
            .map(|pose| {
                let mut after = board;
                let lines = after.lock(pose.x, pose.y, pose.orientation);
                let piece = pose.orientation.piece();
                Candidate { pose, piece, after, lines, support: 0, since, rested: 0, wiped: 0 }
            })
            .collect();
        Self {
            board,
            since,
            votes,
            next: [0; 7],
            next_empty: 0,
            pictures: 0,
            candidates,
            fall: Vec::new(),
            slowest_ms: None,
            last: None,
            last_since: 0,
            last_seen: (0, 0),
            last_whole: None,
            way: Vec::new(),
            ahead: Vec::new(),
        }
    }

    /// The same with left and right exchanged.
    fn mirrored(self) -> Self {
        let mut votes = [0.0; 7];
        for piece in Piece::ALL {
            votes[piece.mirrored() as usize] = self.votes[piece as usize];
        }
        let way = self.way.into_iter().map(|seen| ReadPose { at: mirrored(seen.at), ..seen }).collect();
        Self {
            votes,
            fall: self.fall,
            slowest_ms: self.slowest_ms,
            last: self.last.map(mirrored),
            last_since: self.last_since,
            last_seen: self.last_seen,
            last_whole: self.last_whole,
            way,
            ..Self::new(self.board.mirrored(), None, self.since)
        }
    }

    /// The piece, if it was seen.
    fn piece(&self) -> Option<Piece> {
        most(&self.votes)
    }

    fn shown_next(&self) -> Option<Piece> {
        most(&self.next.map(|count| count as f32))
    }

    /// The next piece, if most pictures agree: something that lies over a part of the box may look like another piece.
    fn sure_next(&self) -> Option<Piece> {
        let all: u32 = self.next.iter().sum();
        self.shown_next().filter(|piece| {
            let count = self.next[*piece as usize];
            SURE_NEXT.0 * count >= self.pictures && SURE_NEXT.1 * (all - count) <= count
        })
    }

    /// Notes how the piece falls. Players push it down, which makes it faster, never slower.
    fn falls(&mut self, pose: Placement, (picture, time_ms): (u64, u64)) {
        let last = self.fall.last().map(|(row, _)| *row);
        if last.is_some_and(|last| pose.y <= last) {
            return;
        }
        let shortest = time_ms / picture.max(1) * TIMED_PICTURES;
        // The time in its first row is not known. It may have been there before it was seen.
        let mut times = self.fall.iter().skip(1).rev().copied();
        let is_long = |&(row, begun): &(u8, u64)| {
            row + TIMED_ROWS <= pose.y && time_ms.saturating_sub(begun) >= shortest
        };
        let first = self.fall.get(1).copied().filter(|_| self.slowest_ms.is_none_or(|(_, is_long)| !is_long));
        if let Some(begin) =
            times.find(is_long).map(|begin| (begin, true)).or(first.map(|begin| (begin, false)))
        {
            let ((row, begun), is_long) = begin;
            let slow = time_ms.saturating_sub(begun) as f32 / f32::from(pose.y - row);
            let known = self.slowest_ms.filter(|(_, was_long)| is_long == *was_long && is_long);
            if is_long || pose.y >= row + TIMED_ROWS {
                self.slowest_ms = Some((known.map_or(slow, |(known, _)| known.max(slow)), is_long));
            }
        }
        self.fall.push((pose.y, time_ms));
    }

    /// Notes where the piece is, if that is news.
    fn notes(&mut self, pose: Placement, (picture, time_ms): (u64, u64)) {
        if self.last != Some(pose) {
            self.last_since = time_ms;
        }
        self.last_seen = (picture, time_ms);
        // One that sticks out at the top may be another piece, or be in another column.
        if cells_of(pose).count() < 4 {
            return;
        }
        self.votes[pose.orientation.piece() as usize] += 1.0;
        let is_exact = self.last_whole.replace(picture).is_some_and(|last| last + 1 >= picture);
        if self.way.last().is_none_or(|last| last.at != pose) && self.way.len() < MOST_POSES {
            self.way.push(ReadPose { piece: self.since.0, time_ms, at: pose, is_exact });
        }
    }

    /// The placement of this candidate.
    fn placement(&self, candidate: &Candidate) -> ReadPlacement {
        ReadPlacement {
            picture: self.since.0,
            time_ms: self.since.1,
            board: self.board,
            piece: candidate.piece,
            next: self.shown_next(),
            is_next_hidden: 2 * self.next_empty > self.pictures,
            pose: candidate.pose,
            lines: candidate.lines,
            fall_ms: self.slowest_ms.map(|(slow, _)| slow),
        }
    }

    /// Where the piece rests, and for how many milliseconds; for ever if its full rows are vanishing.
    fn rests(&self) -> Option<(ReadPlacement, u64)> {
        let here = self.candidates.iter().find(|candidate| self.last == Some(candidate.pose))?;
        let rests_ms = self.last_seen.1.saturating_sub(self.last_since);
        Some((self.placement(here), if here.wiped >= WIPED { u64::MAX } else { rests_ms }))
    }
}

fn most(votes: &[f32; 7]) -> Option<Piece> {
    let best = Piece::ALL.into_iter().max_by(|a, b| votes[*a as usize].total_cmp(&votes[*b as usize]))?;
    (votes[best as usize] > 0.0).then_some(best)
}

/// Every place where any piece can rest on the board.
fn resting(board: &Board) -> impl Iterator<Item = Placement> {
    // The columns of a row in which the cell is free, below the field none: bit c + 2 is column c.
    let free: [u16; 22] = (*board.rows()).map(|row| (FULL & !row) << 2);
    Orientation::ALL.into_iter().flat_map(move |orientation| {
        // The columns of the centre in which the piece is on free cells.
        let fits: [u16; 21] = std::array::from_fn(|y| {
            orientation.cells().iter().fold(FULL, |fits, &(dx, dy)| {
                let row = usize::try_from(y as i32 + i32::from(dy) + 2).ok();
                let free = row.and_then(|row| free.get(row)).copied().unwrap_or(0);
                fits & (u32::from(free) >> (i32::from(dx) + 2)) as u16
            })
        });
        (0..10).flat_map(move |x| {
            let rests = move |y: &u8| fits[usize::from(*y)] & !fits[usize::from(*y) + 1] & 1 << x != 0;
            (0..20).filter(rests).map(move |y| Placement { y, orientation, x })
        })
    })
}

/// Below a piece in the air: what was seen, and how often.
#[derive(Clone, Debug, Default)]
struct Below {
    rows: Rows,
    count: u32,
    /// The poses of the piece differ.
    moved: bool,
    pose: Option<Placement>,
    since: (u64, u64),
}

/// Follows the games of one field.
#[derive(Clone, Debug, Default)]
pub(crate) struct Decoder {
    games: Vec<ReadGame>,
    /// Whether the last game goes on.
    is_on: bool,
    turn: Option<Turn>,
    below: Below,
    /// Since when no picture was explained, and how many were not.
    lost: Option<(u64, u64)>,
    unexplained: u32,
    /// The time of the last picture.
    now_ms: u64,
    /// Since when the field is full.
    full: Option<u64>,
    hidden: Option<Hidden>,
    /// What hangs in the upper left and the upper right corner before a game begins.
    corners: [Corner; 2],
    /// How the picture shows the games.
    shown: Shown,
    /// How many next pieces were read right before they came, and how many were not.
    foreseen: u32,
    mistaken: u32,
    /// How pieces appeared in the last game, and in those before it; and the number of placements in those before it.
    spawns: Spawns,
    earlier: Spawns,
    earlier_placements: usize,
}

/// Cells that hang in an upper corner, since when and until when.
#[derive(Clone, Copy, Default, Debug)]
struct Corner {
    rows: Rows,
    since_ms: u64,
    last_ms: u64,
}

impl Corner {
    /// Notes what a picture shows in the corner of the first or the last column.
    fn see(&mut self, view: &Rows, first: usize, time_ms: u64) {
        if time_ms > self.last_ms.saturating_add(CORNER_MS.1) {
            *self = Self { since_ms: time_ms, last_ms: time_ms, ..Self::default() };
        }
        let Some(cells) = connected(view, (0, first), CORNER.1) else { return };
        let (last, width) = cells.iter().fold((0, 0), |(last, width), &(row, column)| {
            (last.max(row), width.max(column.abs_diff(first) + 1))
        });
        if width > CORNER.0 || last == 19 {
            return;
        }
        self.last_ms = time_ms;
        let columns = (1u16 << width) - 1;
        let columns = if first == 0 { columns } else { columns << (10 - width) };
        self.rows[..=last].iter_mut().for_each(|row| *row |= columns);
    }

    /// Its cells, if it was there for long: pieces and what cleared rows leave go.
    fn covers(&self) -> Option<&Rows> {
        (self.last_ms >= self.since_ms.saturating_add(CORNER_MS.0)).then_some(&self.rows)
    }
}

/// Cells that something covers which is not the game.
#[derive(Clone, Copy, Debug)]
struct Hidden {
    rows: Rows,
    /// Those of them that look solid.
    solid: Rows,
    /// Pictures in a row that show no overlay.
    gone: u32,
    /// Since when a piece may have locked behind it.
    doubt: Option<u64>,
    /// Whether it has lain over a corner from the beginning; it may move.
    is_corner: bool,
}

impl Hidden {
    /// What covers a part of the board, if it is a rectangle of one look, and all else is as it was.
    fn between(before: &Board, after: &Rows) -> Option<Self> {
        let before = before.visible();
        let differ = |row: &usize| before[*row] != after[*row];
        let (first, last) = ((0..20).find(differ)?, (0..20).rev().find(differ)?);
        let all = (first..=last).fold(0, |all, row| all | before[row] ^ after[row]);
        let count: u32 = (first..=last).map(|row| (before[row] ^ after[row]).count_ones()).sum();
        let columns =
            (FULL >> all.trailing_zeros() << all.trailing_zeros()) & ((1 << (16 - all.leading_zeros())) - 1);
        let mut rows = [0; 20];
        rows[first..=last].fill(columns);
        let is_solid = (first..=last).all(|row| after[row] & columns == columns);
        let is_empty = (first..=last).all(|row| after[row] & columns == 0);
        let cells = columns.count_ones() * (last - first + 1) as u32;
        (HIDDEN.contains(&count) && HIDDEN.contains(&cells) && (is_solid || is_empty)).then_some(Self {
            rows,
            solid: if is_solid { rows } else { [0; 20] },
            gone: 0,
            doubt: None,
            is_corner: false,
        })
    }

    /// The strip over the whole width that is seen below a piece in the air, where the game has no full rows; its first and last row, and
    /// the board without it.
    fn strip(board: &Board) -> Option<(Self, (usize, usize), Board)> {
        let is_full = |row: &usize| board.visible()[*row] == FULL;
        let (first, last) = ((0..20).find(is_full)?, (0..20).rev().find(is_full)?);
        if !(first..=last).all(|row| is_full(&row)) || last - first >= MOST_COVERED {
            return None;
        }
        let (mut rows, mut left) = ([0; 20], *board.visible());
        rows[first..=last].fill(FULL);
        left[first..=last].fill(0);
        let hidden = Self { rows, solid: rows, gone: 0, doubt: None, is_corner: false };
        Some((hidden, (first, last), board_of(&left)))
    }

    /// What has hung in a corner since before the game; its first and last row, and the board, without it.
    fn corner(rows: Rows, board: Board) -> Option<(Self, (usize, usize), Board)> {
        let last = rows.iter().rposition(|&row| row != 0)?;
        Some((Self { rows, solid: rows, gone: 0, doubt: None, is_corner: true }, (0, last), board))
    }

    /// What looks like cells that hang, such as text, and the board without it.
    fn hanging(board: &Board) -> Option<(Self, Board)> {
        let resting = board.resting();
        let solid: Rows = std::array::from_fn(|row| board.visible()[row] & !resting.visible()[row]);
        // From the first to the last of each row.
        let span = |row: u16| {
            let last = 16 - row.leading_zeros();
            if row == 0 {
                0
            } else {
                (FULL >> row.trailing_zeros() << row.trailing_zeros()) & ((1 << last) - 1)
            }
        };
        let rows: Rows = std::array::from_fn(|row| span(solid[row]) & !resting.visible()[row]);
        solid
            .iter()
            .any(|&row| row != 0)
            .then_some((Self { rows, solid, gone: 0, doubt: None, is_corner: false }, resting))
    }

    fn covers(&self, at: usize) -> bool {
        self.rows[at / 10] >> (at % 10) & 1 == 1
    }

    /// The view, with hidden cells as the board has them and not sure at all.
    fn cover(&self, view: &View, board: &Board) -> View {
        let mut view = view.clone();
        for (row, hidden) in self.rows.iter().enumerate() {
            view.rows[row] = view.rows[row] & !hidden | board.visible()[row] & hidden;
        }
        for at in (0..200).filter(|at| self.covers(*at)) {
            view.sure[at] = 0.0;
        }
        view
    }
}

impl Decoder {
    /// Follows games that are shown like this.
    pub fn new(shown: Shown) -> Self {
        Self { shown, ..Self::default() }
    }

    /// How many placements were read.
    pub fn placements(&self) -> usize {
        self.earlier_placements + self.games.last().map_or(0, |game| game.placements.len())
    }

    /// Whether what was followed is the mirror image of games: pieces appear a column too far to the left. At the end of a video
    /// fewer of them are enough.
    pub fn is_mirrored(&self, at_end: bool) -> bool {
        let is_foreseen = self.foreseen >= FORESEEN && self.foreseen > self.mistaken;
        !is_foreseen
            && self.earlier.and(self.spawns).are_mirrored(if at_end { MIRRORED_AT_END } else { MIRRORED })
    }

    /// Whether pieces appear where and as they do in this game, and nothing contradicts its rules.
    pub fn is_lawful(&self) -> bool {
        let Spawns { right, left, pointing_down, turned } = self.earlier.and(self.spawns);
        let gaps: usize = self.games.iter().map(|game| game.gaps.len()).sum();
        right.max(left) >= MIRRORED && pointing_down > turned && MOST_GAPS * gaps <= self.placements()
    }

    /// Exchanges left and right in all that was read. The views from now on must be of the mirrored place.
    pub fn mirror(&mut self) {
        self.games.iter_mut().for_each(ReadGame::mirror);
        if let Some((last, earlier)) = self.games.split_last() {
            self.spawns = Spawns::of(last);
            self.earlier = earlier.iter().map(Spawns::of).fold(Spawns::default(), Spawns::and);
        }
        self.turn = self.turn.take().map(Turn::mirrored);
        self.below = Below::default();
        self.corners.swap(0, 1);
        for corner in &mut self.corners {
            corner.rows = corner.rows.map(mirrored_row);
        }
        if let Some(hidden) = &mut self.hidden {
            hidden.rows = hidden.rows.map(mirrored_row);
            hidden.solid = hidden.solid.map(mirrored_row);
        }
        self.shown.mirrored = !self.shown.mirrored;
        (self.foreseen, self.mistaken) = (0, 0);
    }

    /// Whether a game was seen.
    pub fn has_game(&self) -> bool {
        !self.games.is_empty()
    }

    /// Whether pieces were seen to lock, so that this is a field.
    pub fn is_sure(&self) -> bool {
        self.games.iter().any(|game| game.placements.len() >= 2)
    }

    /// Whether a part of a game is missing.
    pub fn has_gaps(&self) -> bool {
        let has = |game: &ReadGame| game.begins_late || !game.gaps.is_empty() || game.covered.is_some();
        self.games.iter().any(has)
    }

    /// Whether the rules contradict what was read: more than one gap in eight placements.
    pub fn has_many_gaps(&self) -> bool {
        let of = |game: &ReadGame| {
            game.gaps.len() + usize::from(game.begins_late) + usize::from(game.covered.is_some())
        };
        let gaps = self.games.iter().map(of).sum::<usize>() + usize::from(self.is_lost());
        MOST_GAPS * gaps > self.placements()
    }

    /// Whether a game is going on that no picture has shown for long.
    pub fn is_lost(&self) -> bool {
        self.is_on && self.lost.is_some_and(|(_, lost)| self.now_ms >= lost.saturating_add(LOST_MS))
    }

    /// Whether this game may be one that was read here, too ([`ReadGame::has_read`]).
    pub fn has_read(&self, game: &ReadGame) -> bool {
        self.games.iter().any(|here| here.has_read(game)) || game.placements.is_empty()
    }

    /// Whether a game is going on that the pictures of late show.
    pub const fn follows(&self) -> bool {
        self.is_on && self.unexplained < 30
    }

    /// The board of the game that is going on.
    pub fn board(&self) -> Option<&Rows> {
        self.turn.as_ref().filter(|_| self.is_on).map(|turn| turn.board.visible())
    }

    /// The cells that something covers now.
    pub fn hidden(&self) -> Option<&Rows> {
        let corner = || self.corners.iter().find_map(Corner::covers);
        self.hidden.as_ref().map(|hidden| &hidden.rows).or_else(corner)
    }

    /// Whether a game is going on that several pictures in a row have not shown.
    pub const fn is_astray(&self) -> bool {
        self.is_on && self.unexplained >= ASTRAY
    }

    /// Whether a picture shows the game that is going on, with some cells of it.
    pub fn shows(&self, view: &View) -> bool {
        let Some(turn) = self.turn.as_ref().filter(|_| self.is_on) else { return false };
        let is_seen = view.rows.iter().map(|row| row.count_ones()).sum::<u32>() >= 4;
        let shows = |board: &Board| may_show(board, &view.rows, None) && explain(board, view).0 <= SLACK;
        is_seen && (shows(&turn.board) || turn.candidates.iter().any(|candidate| shows(&candidate.after)))
    }

    /// The last game so far, and where its piece rests.
    pub fn live(&self) -> Option<LiveGame<'_>> {
        let game = self.games.last()?;
        let rests = self.turn.as_ref().filter(|_| self.is_on).and_then(Turn::rests);
        Some(LiveGame { game, rests, is_other: self.spawns.are_other() })
    }

    /// The games.
    pub fn finish(mut self) -> Vec<ReadGame> {
        let (is_on, end_ms) = (self.is_on, self.now_ms);
        self.place_last(false);
        // What is shown after the last picture that fits may be more of the game.
        if let (Some(game), Some((picture, from_ms))) = (self.games.last_mut(), self.lost)
            && is_on
            && end_ms >= from_ms.saturating_add(LOST_MS)
        {
            game.gaps.push(ReadGap { after: game.placements.len(), picture, from_ms, to_ms: end_ms });
        }
        for game in &mut self.games {
            // What is missing at one place is one gap.
            game.gaps.dedup_by(|next, gap| {
                let is_one = gap.after == next.after;
                gap.to_ms = if is_one { gap.to_ms.max(next.to_ms) } else { gap.to_ms };
                is_one
            });
        }
        self.games.retain(|game| !game.placements.is_empty() || !game.gaps.is_empty());
        self.games
    }

    /// Takes what a picture shows.
    pub fn see(&mut self, view: &View, picture: u64, time_ms: u64) {
        let now = (picture, time_ms);
        self.now_ms = time_ms;
        let corner = self.corners.iter().find_map(Corner::covers).copied().unwrap_or_default();
        if view.rows.iter().zip(&corner).filter(|&(row, corner)| row | corner == FULL).count() >= 19 {
            let since = *self.full.get_or_insert(time_ms);
            if time_ms >= since.saturating_add(CURTAIN_MS) {
                self.end();
            }
            return;
        }
        self.full = None;
        self.uncover(view, time_ms);
        let fits = match (&self.hidden, &self.turn) {
            (Some(hidden), Some(turn)) => self.follow(&hidden.cover(view, &turn.board), now),
            _ => self.follow(view, now),
        };
        if fits {
            (self.lost, self.unexplained) = (None, 0);
        } else {
            self.lost.get_or_insert(now);
            self.unexplained += 1;
        }
        if self.turn.is_none() {
            for (corner, first) in self.corners.iter_mut().zip([0, 9]) {
                corner.see(&view.rows, first, time_ms);
            }
        }
        let free = std::array::from_fn(|row| view.rows[row] & !corner[row]);
        if let Some((board, pose, since)) = self.look_below(&free, now)
            && (self.turn.is_none() || !fits && self.unexplained >= STEADY)
            && !self.is_covered(&board, since.1)
        {
            self.hidden = None;
            self.begin(board, pose, since);
        }
    }

    /// Takes a picture in which the field is not, or not as a whole.
    pub fn see_nothing(&mut self, picture: u64, time_ms: u64) {
        self.now_ms = time_ms;
        self.full = None;
        self.lost.get_or_insert((picture, time_ms));
        self.unexplained += 1;
    }

    /// Whether what is seen is the board behind an overlay that has just appeared.
    fn is_covered(&mut self, board: &Board, time_ms: u64) -> bool {
        let (Some(turn), None) = (&self.turn, &self.hidden) else { return false };
        // An empty field is that of another game, if no placements lead to it.
        if board.cells() == 0 {
            return false;
        }
        let more: u32 =
            board.visible().iter().zip(turn.board.visible()).map(|(a, b)| (a & !b).count_ones()).sum();
        let is_sudden =
            self.lost.is_some_and(|(_, lost)| time_ms < lost.saturating_add(SUDDEN_MS)) && more > 4;
        if !is_sudden && more.is_multiple_of(4) && (more > 0 || bridge(turn, board).is_some()) {
            return false;
        }
        // It may have appeared while the piece locked.
        let placed = turn.candidates.iter().filter(|candidate| turn.piece() == Some(candidate.piece));
        let boards = std::iter::once((turn.board, None))
            .chain(placed.map(|candidate| (candidate.after, Some(*candidate))));
        let mut best: Option<(u32, Hidden, Option<Candidate>)> = None;
        let mut is_only = true;
        for (before, candidate) in boards {
            let Some(hidden) = Hidden::between(&before, board.visible()) else { continue };
            let cells = hidden.rows.iter().map(|row| row.count_ones()).sum();
            match &best {
                Some((least, ..)) if *least < cells => {}
                Some((least, ..)) if *least == cells => is_only = false,
                _ => (best, is_only) = (Some((cells, hidden, candidate)), true),
            }
        }
        if let Some((_, hidden, candidate)) = best.filter(|_| is_only) {
            if let Some(candidate) = candidate {
                self.place(candidate);
            }
            self.hidden = Some(hidden);
        }
        self.hidden.is_some()
    }

    /// Ends the overlay when it is no more to be seen, or when too little is known behind it.
    fn uncover(&mut self, view: &View, time_ms: u64) {
        let Some(hidden) = &mut self.hidden else { return };
        let is_there =
            hidden.is_corner || (0..20).all(|row| view.rows[row] & hidden.rows[row] == hidden.solid[row]);
        hidden.gone = if is_there { 0 } else { hidden.gone + 1 };
        if hidden.gone >= STEADY || hidden.doubt.is_some_and(|doubt| time_ms > doubt.saturating_add(DOUBT_MS))
        {
            self.hidden = None;
        }
    }

    /// The game is over: the curtain is down.
    fn end(&mut self) {
        if self.is_on {
            self.place_last(true);
            if let Some(game) = self.games.last_mut() {
                game.is_over = true;
            }
        }
        self.is_on = false;
        (self.turn, self.hidden) = (None, None);
        self.below = Below::default();
        (self.lost, self.unexplained) = (None, 0);
    }

    /// The last piece counts as placed where it was seen last if a picture then showed the board after it, or if it rested there for long.
    fn place_last(&mut self, is_over: bool) {
        let Some(turn) = &self.turn else { return };
        let lately = self.games.last().into_iter().flat_map(|game| game.placements.iter().rev().take(LATELY));
        let falls_ms =
            lately.filter_map(|placement| placement.fall_ms).chain(turn.slowest_ms.map(|(slow, _)| slow));
        // As long as a piece falls this slowly, one that rests may still be moved, unless the curtain has come down.
        let row_ms = falls_ms.fold(0.0, f32::max).min(f32::from(gravity(0)) * FRAME_MS) + RESTS * FRAME_MS;
        let least_ms = LAST_RESTS_MS.max(if is_over { 0 } else { row_ms as u64 });
        let rests_ms = turn.last_seen.1.saturating_sub(turn.last_since);
        let rested = turn.candidates.iter().find(|candidate| turn.last == Some(candidate.pose)).copied();
        // A board after another placement that few pictures seemed to show may be of two moments.
        let rested = rested.filter(|candidate| {
            let is_seen = candidate.support > 0 || candidate.wiped >= WIPED;
            is_seen || rests_ms >= least_ms && candidate.rested > 1
        });
        if let Some(candidate) = rested {
            self.place(candidate);
        }
    }

    /// Compares a picture with the game so far. Returns whether it is explained.
    fn follow(&mut self, view: &View, now: (u64, u64)) -> bool {
        let Some(turn) = &mut self.turn else { return false };
        let (here, pose) = explain(&turn.board, view);
        let piece = turn.piece();
        let mut best: Option<(f32, usize)> = None;
        // Of two that differ only behind an overlay neither is taken.
        let mut second = f32::INFINITY;
        for (at, candidate) in turn.candidates.iter().enumerate() {
            if !may_show(&candidate.after, &view.rows, self.hidden.as_ref()) {
                continue;
            }
            let other = if piece.is_some_and(|piece| piece != candidate.piece) { OTHER_PIECE } else { 0.0 };
            let rested = 0.1 * (candidate.rested.min(4) as f32) / 4.0;
            let cost = explain(&candidate.after, view).0 + other - rested;
            if best.is_none_or(|(least, _)| cost < least) {
                second = best.map_or(second, |(least, _)| least);
                best = Some((cost, at));
            } else {
                second = second.min(cost);
            }
        }
        let is_hidden = self.hidden.is_some_and(|hidden| {
            hidden.doubt.is_some() || best.is_some_and(|(cost, _)| second < cost + 0.01)
        });
        // Nor of two that show the same cells with other pieces in the air, if none was seen to rest: something lay over the field.
        let is_hidden = is_hidden
            || best.is_some_and(|(cost, at)| turn.candidates[at].rested == 0 && second < cost + 0.01);
        match best {
            Some((cost, at)) if cost <= SLACK && cost + AHEAD < here && !is_hidden => {
                let candidate = &mut turn.candidates[at];
                let (cost, air) = explain(&candidate.after, view);
                if candidate.support == 0 {
                    candidate.since = now;
                }
                let is_seen = (candidate.support == 0 || cost <= SLACK) && turn.ahead.len() < MOST_POSES;
                turn.ahead.extend(air.filter(|_| is_seen).map(|air| (candidate.pose, air, now)));
                candidate.support += 1;
                let is_enough = u64::from(candidate.support) > ENOUGH_MS * now.0 / now.1.max(1);
                if is_enough && candidate.support >= ENOUGH {
                    let candidate = *candidate;
                    self.place(candidate);
                }
                true
            }
            _ if here <= SLACK => {
                turn.pictures += 1;
                match view.next {
                    NextBox::Piece(piece) => turn.next[piece as usize] += 1,
                    NextBox::Empty => turn.next_empty += 1,
                    NextBox::Unknown => {}
                }
                // Behind an overlay the piece cannot be told, and one that locks there is not seen.
                let behind =
                    |hidden: &Hidden| pose.is_none_or(|pose| cells_of(pose).any(|at| hidden.covers(at)));
                if let Some(hidden) = &mut self.hidden
                    && let (Some(last), Some(pose)) = (turn.last, pose)
                    && pose.y <= 1
                    && last.y >= 4
                {
                    hidden.doubt.get_or_insert(now.1);
                }
                if let Some(pose) = pose
                    && !self.hidden.as_ref().is_some_and(|hidden| hidden.doubt.is_some() || behind(hidden))
                {
                    // It has not locked, whatever a picture of two moments seemed to show.
                    turn.candidates.iter_mut().for_each(|candidate| candidate.support = 0);
                    turn.ahead.clear();
                    Self::seen_in_air(turn, pose, now);
                }
                true
            }
            _ => {
                let last = turn.last;
                let wiped = turn.candidates.iter_mut().find(|candidate| Some(candidate.pose) == last);
                let wiped = wiped.filter(|candidate| candidate.lines > 0);
                wiped.filter(|candidate| wipes(&turn.board, candidate.pose, view)).is_some_and(|candidate| {
                    candidate.wiped += 1;
                    true
                })
            }
        }
    }

    fn seen_in_air(turn: &mut Turn, pose: Placement, now: (u64, u64)) {
        turn.falls(pose, now);
        turn.notes(pose, now);
        turn.last = Some(pose);
        if let Some(candidate) = turn.candidates.iter_mut().find(|candidate| candidate.pose == pose) {
            candidate.rested += 1;
        }
    }

    /// Writes down a placement, and begins the turn of the next piece.
    fn place(&mut self, candidate: Candidate) {
        let Some(turn) = self.turn.take() else { return };
        let Some(game) = self.games.last_mut() else { return };
        let placed = turn.placement(&candidate);
        let follows = game.gaps.last().is_none_or(|gap| gap.after < game.placements.len());
        if let Some(before) = game.placements.last_mut().filter(|before| follows && !before.is_next_hidden) {
            match before.next {
                Some(next) if next == candidate.piece => self.foreseen += 1,
                Some(_) => self.mistaken += 1,
                None => {}
            }
            // The piece that came says best what the box showed.
            before.next = Some(candidate.piece);
        }
        game.placements.push(placed);
        // What it was seen as meanwhile may have been another piece.
        let of_piece = turn.way.iter().filter(|seen| seen.at.orientation.piece() == candidate.piece);
        self.spawns.add(candidate.piece, of_piece.clone().next().map(|first| first.at));
        game.path.extend(of_piece.map(|seen| ReadPose { piece: placed.picture, ..*seen }));
        let ahead = turn.ahead;
        let mut turn = Turn::new(candidate.after, placed.next, candidate.since);
        // The first picture of the next piece is the one that shows that this one has locked.
        for (_, pose, now) in ahead.into_iter().filter(|(after, ..)| *after == candidate.pose) {
            Self::seen_in_air(&mut turn, pose, now);
        }
        self.turn = Some(turn);
    }

    /// The board below a piece in the air, once several pictures have shown it below different poses.
    fn look_below(&mut self, view: &Rows, now: (u64, u64)) -> Option<(Board, Placement, (u64, u64))> {
        let (rows, pose) = floating(view)?;
        if self.below.count > 0 && self.below.rows == rows {
            self.below.count += 1;
            self.below.moved |= self.below.pose != Some(pose);
            self.below.pose = Some(pose);
        } else {
            self.below = Below { rows, count: 1, moved: false, pose: Some(pose), since: now };
        }
        if self.below.count < STEADY || !self.below.moved {
            return None;
        }
        Some((board_of(&rows), pose, self.below.since))
    }

    /// Begins with a board that was seen: a new game, or the same one after a gap.
    fn begin(&mut self, board: Board, pose: Placement, since: (u64, u64)) {
        let piece = pose.orientation.piece();
        let before = self.turn.take();
        let corner = self.corners.iter().find_map(Corner::covers);
        let strip = Hidden::strip(&board).or_else(|| Hidden::corner(*corner?, board));
        let board = strip.map_or(board, |(_, _, board)| board);
        let covered = strip.map(|(_, rows, _)| rows);
        self.hidden = strip.map(|(hidden, ..)| hidden).or(self.hidden);
        if let Some(game) = self.games.last_mut().filter(|_| self.is_on) {
            game.covered = game.covered.or(covered);
        }
        if let Some(turn) = before.clone().filter(|_| self.is_on) {
            if turn.board == board {
                self.turn = Some(turn);
                return;
            }
            if let Some(way) = bridge(&turn, &board) {
                self.turn = Some(turn);
                for pose in way {
                    let found = self.turn.as_ref().and_then(|turn| {
                        turn.candidates.iter().find(|candidate| candidate.pose == pose).copied()
                    });
                    let Some(mut candidate) = found else { break };
                    if candidate.support == 0 {
                        candidate.since = since;
                    }
                    self.place(candidate);
                }
                if let Some(turn) = &mut self.turn {
                    turn.votes[piece as usize] += 2.0;
                    turn.since = since;
                }
                return;
            }
            let (picture, from_ms) = self.lost.unwrap_or(since);
            let to_ms = since.1.max(from_ms);
            let gap_ms = to_ms - from_ms;
            // What hangs after a short while only is something over the field.
            let board = match Hidden::hanging(&board) {
                Some((hidden, resting)) if gap_ms < SHORT_MS && turn.board == turn.board.resting() => {
                    self.hidden = Some(hidden);
                    resting
                }
                _ => board,
            };
            if let Some(game) = self.games.last_mut()
                && board.cells() > 0
            {
                let most = (gap_ms / LEAST_PIECE_MS).min(MOST_PIECES) as u32 + 1;
                if !leads(&turn.board, &board, most)
                    && game.gaps.last().is_none_or(|gap| gap.after < game.placements.len())
                    && game.placements.last().is_some_and(|last| leads(&last.board, &board, most + 1))
                {
                    // The board contradicts the last placement.
                    if let Some(wrong) = game.placements.pop() {
                        game.path.retain(|seen| seen.piece != wrong.picture);
                        self.spawns = Spawns::of(game);
                    }
                }
                game.gaps.push(ReadGap { after: game.placements.len(), picture, from_ms, to_ms });
                self.turn = Some(Turn::new(board, Some(piece), since));
                return;
            }
        }
        // Another game, maybe without an end of the one before.
        self.turn = before;
        if self.is_on {
            self.place_last(false);
        }
        let begins_late = board.cells() > 0;
        self.earlier_placements = self.placements();
        self.earlier = self.earlier.and(std::mem::take(&mut self.spawns));
        self.games.push(ReadGame { begins_late, covered, shown: self.shown, ..ReadGame::default() });
        self.is_on = true;
        self.turn = Some(Turn::new(board, Some(piece), since));
    }
}

/// Whether this many pieces may lead from a board to another one: each row is still there with all of its cells, lower by one for each row
/// below it that was filled and vanished, and the numbers of cells agree.
fn leads(from: &Board, to: &Board, most: u32) -> bool {
    let (before, after) = (from.rows(), to.rows());
    // The fewest cells that fill the rows that vanished, by how many did.
    let mut fewest = vec![Some(0)];
    for (at, row) in before.iter().enumerate().rev() {
        let mut next = vec![None; fewest.len() + 1];
        for (gone, cells) in fewest.iter().enumerate().filter_map(|(gone, cells)| Some((gone, (*cells)?))) {
            let mut reach = |gone: usize, cells: u32| {
                next[gone] = Some(next[gone].map_or(cells, |least: u32| least.min(cells)));
            };
            if row & !after.get(at + gone).copied().unwrap_or(0) == 0 {
                reach(gone, cells);
            }
            if cells + 10 <= 4 * most + row.count_ones() {
                reach(gone + 1, cells + 10 - row.count_ones());
            }
        }
        fewest = next;
    }
    fewest.iter().enumerate().any(|(gone, cells)| {
        let placed = (to.cells() + 10 * gone as u32).checked_sub(from.cells());
        cells
            .zip(placed)
            .is_some_and(|(cells, placed)| placed.is_multiple_of(4) && cells <= placed && placed <= 4 * most)
    })
}

/// The placements that lead from a turn to a board, if there is only one way: up to three pieces.
fn bridge(turn: &Turn, board: &Board) -> Option<Vec<Placement>> {
    let of_piece = |board: &Board, piece: Option<Piece>| -> Vec<Placement> {
        resting(board).filter(|pose| piece.is_none_or(|piece| pose.orientation.piece() == piece)).collect()
    };
    let mut boards: Vec<(Board, Vec<Placement>)> = vec![(turn.board, Vec::new())];
    for depth in 0..3 {
        let piece = match depth {
            0 => turn.piece(),
            1 => turn.sure_next(),
            _ => None,
        };
        let (mut found, mut more) = (None, Vec::new());
        for (before, way) in &boards {
            for pose in of_piece(before, piece) {
                let mut after = *before;
                after.lock(pose.x, pose.y, pose.orientation);
                let way = || [way.as_slice(), &[pose]].concat();
                if after == *board {
                    if found.is_some() {
                        return None;
                    }
                    found = Some(way());
                } else if more.len() < MOST_BOARDS {
                    more.push((after, way()));
                } else {
                    return None;
                }
            }
        }
        if found.is_some() {
            return found;
        }
        boards = more;
    }
    None
}

fn board_of(rows: &Rows) -> Board {
    let mut all = [0; 22];
    all[2..].copy_from_slice(rows);
    Board::from_rows(all)
}

/// Whether a picture may show a board and a piece: hardly a cell is missing, and there are few more.
fn may_show(board: &Board, rows: &Rows, hidden: Option<&Hidden>) -> bool {
    let (mut missing, mut more) = (0, 0);
    for (row, (&known, &seen)) in board.visible().iter().zip(rows).enumerate() {
        let shown = hidden.map_or(FULL, |hidden| FULL & !hidden.rows[row]);
        missing += (known & !seen & shown).count_ones();
        more += (seen & !known & shown).count_ones();
    }
    missing <= 3 && more <= 7
}

/// Whether a picture shows the full rows of a placement while their cells vanish, and all other rows as they are.
fn wipes(board: &Board, pose: Placement, view: &View) -> bool {
    let mut rows = *board.visible();
    for at in cells_of(pose) {
        rows[at / 10] |= 1 << (at % 10);
    }
    let mut gone = 0;
    let others = rows.iter().zip(&view.rows).filter(|&(&row, &seen)| {
        gone += if row == FULL { 10 - seen.count_ones() } else { 0 };
        row != FULL && row != seen
    });
    others.count() == 0 && gone > 0
}

/// How badly a board explains a picture, with a piece in the air or without, and that piece's pose.
fn explain(board: &Board, view: &View) -> (f32, Option<Placement>) {
    let mut cost = 0.0;
    let mut extra: Option<usize> = None;
    for (row, (&known, &seen)) in board.visible().iter().zip(&view.rows).enumerate() {
        let mut differ = known ^ seen;
        while differ != 0 {
            let column = differ.trailing_zeros() as usize;
            differ &= differ - 1;
            let at = 10 * row + column;
            cost += view.sure[at];
            if seen >> column & 1 == 1 && extra.is_none_or(|extra| view.sure[extra] < view.sure[at]) {
                extra = Some(at);
            }
        }
    }
    // A piece that explains anything covers the surest cell that the board lacks.
    let Some(anchor) = extra else { return (cost, None) };
    let mut best = (cost, None);
    for orientation in Orientation::ALL {
        for &(dx, dy) in orientation.cells() {
            let (x, y) = ((anchor % 10) as i32 - i32::from(dx), (anchor / 10) as i32 - i32::from(dy));
            if !(0..10).contains(&x) || !(0..20).contains(&y) {
                continue;
            }
            let pose = Placement { x: x as u8, y: y as u8, orientation };
            // A piece without room, at the end of a game, may overlap the board where it appears.
            if !board.is_valid(pose.x, pose.y, orientation) && !is_spawn(pose) {
                continue;
            }
            let mut with = cost;
            for at in cells_of(pose) {
                let (row, bit) = (at / 10, 1u16 << (at % 10));
                if board.visible()[row] & bit != 0 {
                    continue;
                }
                with += if view.rows[row] & bit != 0 { -view.sure[at] } else { view.sure[at] };
            }
            if with < best.0 - 1e-4 {
                best = (with, Some(pose));
            }
        }
    }
    best
}

/// The solid cells that are connected with one, if that is one and they are at most this many.
fn connected(rows: &Rows, first: (usize, usize), most: usize) -> Option<Vec<(usize, usize)>> {
    let solid = |(row, column): (usize, usize)| rows[row] >> column & 1 == 1;
    let (mut cells, mut at) = (vec![first], 0);
    while at < cells.len() && cells.len() <= most {
        let (row, column) = cells[at];
        at += 1;
        let near = [
            (row.wrapping_sub(1), column),
            (row + 1, column),
            (row, column.wrapping_sub(1)),
            (row, column + 1),
        ];
        for near in near {
            if near.0 < 20 && near.1 < 10 && solid(near) && !cells.contains(&near) {
                cells.push(near);
            }
        }
    }
    (solid(first) && cells.len() <= most).then_some(cells)
}

/// The piece in the air and what is below it: the topmost four connected cells that have the form of a piece and touch nothing.
fn floating(rows: &Rows) -> Option<(Rows, Placement)> {
    let solid = |row: usize, column: usize| rows[row] >> column & 1 == 1;
    for row in 0..20 {
        for column in 0..10 {
            if !solid(row, column) {
                continue;
            }
            // The topmost connected cells are the piece or nothing is.
            let cells = connected(rows, (row, column), 4).filter(|cells| cells.len() == 4)?;
            let pose = pose_of(&cells)?;
            let mut below = *rows;
            for (row, column) in cells {
                below[row] &= !(1 << column);
            }
            // What floats cannot rest.
            let board = board_of(&below);
            return (!pose.rests_on(&board)).then_some((below, pose));
        }
    }
    None
}

/// The pose whose cells these are.
fn pose_of(cells: &[(usize, usize)]) -> Option<Placement> {
    let &(row, column) = cells.first()?;
    for orientation in Orientation::ALL {
        for &(dx, dy) in orientation.cells() {
            let (x, y) = (column as i32 - i32::from(dx), row as i32 - i32::from(dy));
            if !(0..10).contains(&x) || !(0..20).contains(&y) {
                continue;
            }
            let pose = Placement { x: x as u8, y: y as u8, orientation };
            let is_all =
                cells_of(pose).count() == 4 && cells_of(pose).all(|at| cells.contains(&(at / 10, at % 10)));
            if is_all {
                return Some(pose);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_rest_where_the_board_says() {
        let mut noise = 1u64;
        for full in 0..200 {
            let rows = std::array::from_fn(|row| {
                noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                // From nearly empty boards to nearly full ones, also above the field.
                let (a, b) = ((noise >> 20) as u16, (noise >> 40) as u16);
                (if row < full % 23 { a & b } else { a | b }) & FULL
            });
            let board = Board::from_rows(rows);
            let all = Orientation::ALL.into_iter().flat_map(|orientation| {
                (0..10).flat_map(move |x| (0..20).map(move |y| Placement { y, orientation, x }))
            });
            let truth: Vec<Placement> = all.filter(|pose| pose.rests_on(&board)).collect();
            assert_eq!(resting(&board).collect::<Vec<_>>(), truth, "{board:?}");
        }
    }

    #[test]
    fn what_lies_over_cells_at_the_left_lies_over_those_at_the_right_in_a_mirror() {
        let (mut rows, mut solid) = ([0; 20], [0; 20]);
        (rows[5], solid[5]) = (0b1111, 0b1011);
        let hidden = Some(Hidden { rows, solid, gone: 0, doubt: None, is_corner: false });
        let mut decoder = Decoder { hidden, ..Decoder::default() };
        decoder.mirror();
        let mut seen = [0; 20];
        seen[5] = 0b11_0100_0000;
        let view = View { rows: seen, sure: [1.0; 200], next: NextBox::Unknown };
        for picture in 0..2 * u64::from(STEADY) {
            decoder.uncover(&view, picture);
        }
        let hidden = decoder.hidden().expect("still there");
        assert_eq!(hidden[5], 0b11_1100_0000);
    }

    #[test]
    fn a_gap_of_any_length_is_told() {
        let board: Board = "##........".parse().expect("a board");
        let pose = Placement { x: 5, y: 0, orientation: Piece::T.spawn() };
        let turn = Some(Turn::new(Board::default(), None, (0, 0)));
        for to_ms in [0, 1 << 38, 1 << 41, u64::MAX] {
            let games = vec![ReadGame::default()];
            let mut decoder =
                Decoder { games, is_on: true, turn: turn.clone(), lost: Some((0, 0)), ..Decoder::default() };
            decoder.begin(board, pose, (1, to_ms));
            let [gap] = decoder.games[0].gaps[..] else { panic!("{:?}", decoder.games[0].gaps) };
            assert_eq!((gap.from_ms, gap.to_ms), (0, to_ms));
        }
    }

    #[test]
    fn a_board_that_pieces_can_lead_to_is_told_from_one_that_they_cannot() {
        let board = |rows: &str| -> Board { rows.parse().expect("a board") };
        let from = board("....##....\n....##....");
        assert!(leads(&from, &from, 0));
        assert!(leads(&from, &board("....##.##.\n....##.##."), 1));
        // Too many pieces, a piece too few, other cells.
        assert!(!leads(&from, &board("....##.##.\n##..##.##.\n##........"), 1));
        assert!(!leads(&from, &board(".........."), 3));
        assert!(!leads(&from, &board("...##.....\n...##....."), 2));
        // Two rows that are filled by two pieces; the same by one.
        let nearly = board("#.........\n####....##\n###....###");
        assert!(leads(&nearly, &board("#........."), 2));
        assert!(!leads(&nearly, &board("#........."), 1));
    }

    /// Shows what pieces do that fall, shift and turn at random, 60 pictures a second, each picture the cells of this many moments, and each
    /// row in this many; `check` is called after each picture with the placements so far and whether a piece has rested since.
    fn watch_pieces(blended: usize, falls: usize, check: impl Fn(&Decoder, &[Placement])) {
        let mut noise = 7u64;
        let mut random = |most: u64| {
            noise = noise.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (noise >> 33) % most
        };
        let (mut decoder, mut board, mut truth) = (Decoder::default(), Board::default(), Vec::new());
        let mut moments = std::collections::VecDeque::from([[0; 20]]);
        let mut count = 0;
        let mut show =
            |board: &Board, pose: Option<Placement>, decoder: &mut Decoder, truth: &[Placement]| {
                let mut rows = *board.visible();
                for at in pose.into_iter().flat_map(cells_of) {
                    rows[at / 10] |= 1 << (at % 10);
                }
                moments.push_back(rows);
                moments.drain(..moments.len().saturating_sub(blended));
                let rows = std::array::from_fn(|row| moments.iter().fold(0, |all, rows| all | rows[row]));
                let view = View { rows, sure: [1.0; 200], next: NextBox::Unknown };
                decoder.see(&view, count, count * 1000 / 60);
                count += 1;
                check(decoder, truth);
            };
        for _ in 0..30 {
            let piece = Piece::ALL[random(7) as usize];
            let mut pose = Placement { x: 5, y: 0, orientation: piece.spawn() };
            if !board.is_valid(pose.x, pose.y, pose.orientation) {
                return;
            }
            let (target, turns) = (random(10) as u8, random(4));
            let mut left = turns;
            loop {
                for frame in 0..falls {
                    // A shift or a turn at times, also in the row where it locks.
                    let turned = Orientation::ALL.into_iter().filter(|all| all.piece() == piece);
                    let turned = turned.cycle().skip_while(|all| *all != pose.orientation).nth(1);
                    let mut to = pose;
                    if frame == 1 && random(3) > 0 {
                        to.x = if pose.x < target {
                            pose.x + 1
                        } else {
                            pose.x.saturating_sub(u8::from(pose.x > target))
                        };
                        if left > 0 && random(2) > 0 {
                            to.orientation = turned.unwrap_or(pose.orientation);
                            left -= 1;
                        }
                    }
                    if board.is_valid(to.x, to.y, to.orientation) {
                        pose = to;
                    }
                    show(&board, Some(pose), &mut decoder, &truth);
                }
                if !board.is_valid(pose.x, pose.y + 1, pose.orientation) {
                    break;
                }
                pose.y += 1;
            }
            board.lock(pose.x, pose.y, pose.orientation);
            truth.push(pose);
            for _ in 0..12 {
                show(&board, None, &mut decoder, &truth);
            }
        }
    }

    #[test]
    fn a_recording_that_ends_at_any_picture_has_no_placement_that_was_not_made() {
        for (blended, falls) in [(1, 3), (2, 3), (3, 3), (2, 5), (3, 6)] {
            watch_pieces(blended, falls, |decoder, truth| {
                let games = decoder.clone().finish();
                let read: Vec<Placement> =
                    games.iter().flat_map(|game| &game.placements).map(|placement| placement.pose).collect();
                assert!(
                    truth.starts_with(&read),
                    "{blended}, {falls}: {:?} read as {:?}",
                    truth.last(),
                    read.last()
                );
                assert!(
                    read.len() + 1 >= truth.len(),
                    "{blended}, {falls}: {} of {}",
                    read.len(),
                    truth.len()
                );
            });
        }
    }
}
