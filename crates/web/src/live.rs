//! Ratings of a game while its video is read: [`LiveRatings`].

use std::sync::Arc;

use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, MoveClass};
use maxout_engine::eval::ntuple::Network;
use maxout_host::review::{
    JudgedPiece, OTHER_GAME, PlacedPiece, PlayedGame, ReviewDetail, SeenPiece, TapSpeed, judge_one, of_video,
    summary, sums,
};
use maxout_rules::{Board, Piece, Placement, Progress, Region};
use maxout_sight::{LiveGame, ReadGame, ReadPlacement, ReadPose};
use serde::Serialize;

use crate::Refused;
use crate::rating::OwnRating;
use crate::review::judge_at;

/// Poses, the newest, of which the taps are timed: those of some five minutes.
const TIMED_POSES: usize = 8_192;
/// The level of a piece where nothing tells it.
const LEVEL: u8 = 18;

/// What is known of the game that is being read.
#[derive(Serialize, PartialEq, Debug)]
pub struct LiveScene {
    /// Which game: the picture in which its first piece was seen.
    game: u64,
    /// Placements so far, and those of them that are not judged yet.
    pieces: usize,
    waiting: usize,
    /// Lines and level after the last placement, as far as they were read.
    lines: u32,
    level: u8,
    /// The last placement, if it is judged.
    rating: Option<OwnRating>,
    /// How many placements are of each class.
    ratings: Vec<(&'static str, u32)>,
    /// Accuracy in percent, points lost, line points made, and the share of the lines cleared four at a time, as in the review.
    accuracy: Option<f32>,
    lost: f32,
    line_points: f32,
    tetris_rate: f32,
    /// How fast whoever plays taps, once there are enough rows of taps.
    taps: Option<TapSpeed>,
    /// Why the game is not rated: it has other rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<&'static str>,
}

/// Rates the placements of the game that is being read. They are those that the review of the video will have: what changes in the game, such as the
/// level that the speed of the pieces tells, is judged anew.
pub struct LiveRatings {
    analyst: Analyst,
    start_level: Option<u8>,
    /// What was read when it was looked at last: the first picture, the number of placements, and one that has locked since.
    seen: Option<(u64, usize, Option<Placement>)>,
    /// The level of the piece in play.
    level: u8,
    game: PlayedGame,
    /// Lines and level after its last placement.
    after: Progress,
    /// Placements that are judged, and where each is in the game.
    judged: Vec<JudgedPiece>,
    numbers: Vec<usize>,
    /// Where those are that are not, the newest last.
    open: Vec<usize>,
    /// Where the piece in play rests, judged before it has locked.
    ahead: Option<JudgedPiece>,
    taps: Option<TapSpeed>,
}

impl LiveRatings {
    /// Judges by `taps`, 30 Hz if it is empty.
    pub fn new(taps: &str, start_level: Option<u8>, network: &Arc<Network>) -> Result<Self, Refused> {
        let mut analyst = judge_at(taps, network, Region::Ntsc)?;
        let after = Progress::at(0, start_level.unwrap_or(LEVEL));
        // Browsers compile what runs often, and the first placements of a game must not wait for it.
        for piece in Piece::ALL {
            analyst.rank(&Position::spawn(Board::EMPTY, piece, Some(piece), after));
        }
        Ok(Self {
            analyst,
            start_level,
            seen: None,
            level: after.level,
            game: PlayedGame::default(),
            after,
            judged: Vec::new(),
            numbers: Vec::new(),
            open: Vec::new(),
            ahead: None,
            taps: None,
        })
    }

    /// Looks at the game after a picture, and judges one placement, the newest first. Returns what is known, if that is news.
    pub fn see(&mut self, live: LiveGame<'_>) -> Option<String> {
        let (rests, placements) = (live.rests(), &live.game().placements);
        // The first piece is in no list before the second one appears.
        let first = placements.first().or(rests.as_ref())?.picture;
        let count = placements.len();
        if live.is_other_game() {
            let seen = (first, 0, None);
            if self.seen.replace(seen) == Some(seen) {
                return None;
            }
            // What was rated before this was known is taken back.
            (self.game, self.after) = (PlayedGame::default(), Progress::at(0, self.level));
            (self.judged, self.numbers, self.open) = (Vec::new(), Vec::new(), Vec::new());
            (self.ahead, self.taps) = (None, None);
            let scene = LiveScene { refused: Some(OTHER_GAME), ..self.scene(first) };
            return serde_json::to_string(&scene).ok();
        }
        if self.seen.is_none_or(|(known, before, _)| (known, before) != (first, count)) {
            self.level = self.played(live, rests.filter(|_| count == 0)).1.level;
        }
        let locked = live.locked(self.level);
        let seen = (first, count, locked.map(|locked| locked.pose));
        let is_told = count > 0 || locked.is_some() || self.seen.is_some_and(|(known, ..)| known == first);
        if is_told && self.seen != Some(seen) {
            self.seen = Some(seen);
            self.read(live, locked);
        } else if self.open.is_empty() {
            self.look_ahead(live);
            return None;
        }
        if let Some(number) = self.open.pop()
            && let Some(&placed) = self.game.pieces.get(number)
            && let Some(judged) = self.judge(&placed)
        {
            let at = self.numbers.partition_point(|&before| before < number);
            self.judged.insert(at, judged);
            self.numbers.insert(at, number);
        }
        serde_json::to_string(&self.scene(first)).ok()
    }

    fn judge(&mut self, placed: &PlacedPiece) -> Option<JudgedPiece> {
        if let Some(ahead) = self.ahead.take_if(|ahead| ahead.placed == *placed) {
            return Some(ahead);
        }
        let mut judged = judge_one(&self.game, placed, &mut self.analyst, ReviewDetail::Losses)?;
        // Only the sums are asked for later.
        judged.judgement.possible = Vec::new();
        Some(judged)
    }

    /// Judges where the piece rests, so that this is known when it has locked.
    fn look_ahead(&mut self, live: LiveGame<'_>) {
        let Some(rests) = live.rests() else { return };
        let is_known = |known: &PlacedPiece| {
            (known.frame, known.placement, known.next) == (rests.picture, rests.pose, rests.next)
        };
        let locked = self.game.pieces.last().is_some_and(is_known);
        if locked || self.ahead.as_ref().is_some_and(|ahead| is_known(&ahead.placed)) {
            return;
        }
        if let Some(placed) = self.played(live, Some(rests)).0.pieces.last() {
            self.ahead = self.judge(placed);
        }
    }

    /// The game with one more placement, as the review of the video has it but for where pieces were on their way, and lines and level
    /// after it.
    fn played(&self, live: LiveGame<'_>, more: Option<ReadPlacement>) -> (PlayedGame, Progress) {
        let &ReadGame { ref placements, ref gaps, begins_late, is_over, covered, shown, .. } = live.game();
        let (placements, gaps) = (placements.clone(), gaps.clone());
        let mut game = ReadGame { placements, gaps, path: Vec::new(), begins_late, is_over, covered, shown };
        game.placements.extend(more);
        // Its next piece is known when that piece has locked.
        let _ = game.placements.pop_if(|last| last.next.is_none() && !last.is_next_hidden);
        let played = of_video(&game, self.start_level, 0.0);
        let start = Progress::at(0, self.start_level.unwrap_or(LEVEL));
        let mut after = played.pieces.last().map_or(start, |last| last.progress);
        after.add_rows(game.placements.last().map_or(0, |last| last.lines));
        (played, after)
    }

    /// Takes what was read, and keeps the judgements of what has not changed.
    fn read(&mut self, live: LiveGame<'_>, locked: Option<ReadPlacement>) {
        (self.game, self.after) = self.played(live, locked);
        let pieces = &self.game.pieces;
        let before = std::mem::take(&mut self.judged).into_iter().zip(std::mem::take(&mut self.numbers));
        let stays = |(judged, number): &(JudgedPiece, usize)| pieces.get(*number) == Some(&judged.placed);
        (self.judged, self.numbers) = before.filter(stays).unzip();
        self.open = (0..pieces.len()).filter(|number| self.numbers.binary_search(number).is_err()).collect();
        let path = &live.game().path;
        let path: Vec<SeenPiece> = path[path.len().saturating_sub(TIMED_POSES)..]
            .iter()
            .map(|&ReadPose { piece, time_ms, at, is_exact }| SeenPiece { piece, time_ms, at, is_exact })
            .collect();
        self.taps = TapSpeed::of(&path, self.game.region()).ok();
    }

    /// Bytes that are kept of the game that is being read. They grow with its placements alone, not with its pictures.
    #[cfg(test)]
    fn kept(&self) -> usize {
        let judged = self.judged.iter().chain(&self.ahead).map(|judged| {
            size_of::<JudgedPiece>()
                + judged.judgement.possible.capacity() * size_of::<maxout_engine::analysis::Verdict>()
        });
        let game = &self.game;
        let numbers = self.numbers.capacity() + self.open.capacity();
        judged.sum::<usize>()
            + game.pieces.capacity() * size_of::<PlacedPiece>()
            + game.path.capacity() * size_of::<SeenPiece>()
            + game.unread.iter().map(|unread| unread.reason.capacity()).sum::<usize>()
            + numbers * size_of::<usize>()
    }

    fn scene(&self, game: u64) -> LiveScene {
        let number = self.game.pieces.len();
        let newest = self.judged.last().filter(|_| self.numbers.last().map(|last| last + 1) == Some(number));
        let rating = newest.map(|JudgedPiece { placed, judgement, .. }| {
            OwnRating::of(number, placed.frame, &placed.position(), judgement)
        });
        let sums = sums(&self.judged).into_iter().next();
        let classes = sums.as_ref().map_or([0; MoveClass::ALL.len()], |sums| sums.classes);
        let summary = summary(&self.judged);
        LiveScene {
            game,
            pieces: number,
            waiting: self.open.len(),
            lines: self.after.lines(),
            level: self.after.level,
            rating,
            ratings: MoveClass::ALL
                .map(MoveClass::name)
                .into_iter()
                .zip(classes.map(|count| count as u32))
                .collect(),
            accuracy: summary.accuracy,
            lost: sums.map_or(0.0, |sums| sums.lost),
            line_points: summary.line_points,
            tetris_rate: summary.tetris_rate,
            taps: self.taps,
            refused: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use maxout_engine::eval::weights;
    use maxout_host::batch::{self, Batch};
    use maxout_host::review::{Camera, judge};
    use maxout_host::{Console, TEST_CARTRIDGE};
    use maxout_rules::Stop;
    use maxout_rules::ram::Snapshot;
    use maxout_sight::{Picture, VideoReader};
    use serde_json::Value;

    use super::*;

    /// Bytes that may be kept for each placement, and before the first.
    const MOST_KEPT: (usize, usize) = (2_000, 10_000);
    /// Milliseconds of a frame.
    const FRAME_MS: f64 = 1000.0 / 60.0988;
    /// Pictures after the one in which the piece has locked, in which its rating must be known.
    const SOON: i64 = 3;

    #[test]
    fn what_is_read_is_rated_as_it_locks_as_the_review_of_the_run_rates_it() {
        let parts = [maxout_weights_large_1::PART, maxout_weights_large_2::PART];
        let network = Arc::new(weights::decode(&parts.concat()).expect("weights"));
        let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
        let player = maxout_gallery::find("plateau17").expect("a registered player").clone();
        let batch = Batch { first_seed: 7, start_level: 19, stop: Stop::Lines(9), ..Batch::new(player, 1) };
        let mut live = LiveRatings::new("", Some(19), &network).expect("ratings");
        let (mut reader, mut camera) = (VideoReader::new(), Camera::default());
        // The frames in which RAM has no piece in the air any more, and the ratings with the pictures in which they were told.
        let (mut locks, mut is_in_air) = (Vec::new(), false);
        let (mut told, mut number): (Vec<(Value, u64)>, u64) = (Vec::new(), 0);
        let mut watch = |_, console: &Console, now: &Snapshot| {
            camera.see(number, now);
            if is_in_air && !now.in_control() {
                locks.push(number);
            }
            is_in_air = now.in_control();
            let screen = console.picture().expect("a picture");
            let picture = Picture::rgba(256, 240, screen.rgba()).expect("a picture");
            reader.see(&picture, (number as f64 * FRAME_MS) as u64);
            if let Some(scene) = reader.live().and_then(|game| live.see(game)) {
                let scene: Value = serde_json::from_str(&scene).expect("JSON");
                let is_other = |(before, _): &(Value, u64)| before["rating"] != scene["rating"];
                if !scene["rating"].is_null() && told.last().is_none_or(is_other) {
                    told.push((scene, number));
                }
            }
            let (each, before) = MOST_KEPT;
            let kept = live.kept();
            assert!(kept <= before + each * live.game.pieces.len(), "{kept} bytes after {number} pictures");
            number += 1;
            Ok(true)
        };
        batch::play(&batch, &mut console, &mut watch, &mut |_| Ok(())).expect("the console plays");
        let [run] = &camera.finish()[..] else { panic!("expected one game") };
        let analyst = judge_at("", &network, Region::Ntsc).expect("a judge");
        let judged = judge(run, &analyst, ReviewDetail::Losses, 1);
        // The last ones lock in the last pictures.
        assert!(judged.len() > 15 && told.len() + 2 >= judged.len(), "{} of {}", told.len(), judged.len());
        let mut late = Vec::new();
        for (at, ((scene, picture), judged)) in told.iter().zip(&judged).enumerate() {
            let (rating, JudgedPiece { placed, judgement, .. }) = (&scene["rating"], judged);
            assert_eq!(rating["number"], at + 1, "each is told once, and after the one before");
            let truth = OwnRating::of(at + 1, 0, &placed.position(), judgement);
            let mut truth = serde_json::to_value(&truth).expect("JSON");
            truth["frame"] = rating["frame"].clone();
            assert_eq!(*rating, truth);
            late.push(*picture as i64 - locks[at] as i64);
        }
        assert!(late.iter().all(|late| (0..=SOON).contains(late)), "pictures from lock to rating: {late:?}");
        // The sums are those of the review.
        let (last, _) = told.last().expect("a rating");
        let so_far = &judged[..told.len()];
        let phase = sums(so_far).swap_remove(0);
        let close = |key: &str, value: f32| {
            let told = last[key].as_f64().expect("a number") as f32;
            assert!((told - value).abs() < 1e-3 * value.abs().max(1.0), "{key}: {told}, review {value}");
        };
        close("accuracy", phase.accuracy);
        close("lost", phase.lost);
        close("tetris_rate", summary(so_far).tetris_rate);
        close("line_points", summary(so_far).line_points);
        // Taps are those in RAM.
        let path = |game: &PlayedGame| TapSpeed::of(&game.path, game.region()).expect("enough rows of taps");
        let [game] = &reader.finish()[..] else { panic!("expected one game") };
        let (seen, truth) = (path(&of_video(game, Some(19), 0.0)), path(run));
        assert!((seen.hertz - truth.hertz).abs() < 0.2 && !seen.das, "{seen}, in RAM {truth}");
        assert!(!last["taps"].is_null(), "the taps are not told");
    }
}
