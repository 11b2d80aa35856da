//! Games that were read from a video, as the review takes them.

use maxout_rules::Region;
use maxout_sight::{ReadGame, ReadPose, Shown};

use super::{PlacedPiece, PlayedGame, SeenPiece, Unread};

/// The level where nothing tells it.
const LEVEL: u8 = 18;
/// How what is said of the level ends: with what sets it in the program, and on the page.
pub const SETS_LEVEL: &str = " (--start-level, or Start level on the page, sets it)";

/// What is said of a video in which another game is played.
pub const OTHER_GAME: &str = "another game of falling blocks: T, J and L appear turned, expected a game of NES Tetris, in which they point down";

/// Returns the games that were read from a video, as [`of_video`] does, without those of other rules, which the first game left tells. `None` if
/// all are of other rules.
pub fn of_videos(games: &[ReadGame], start_level: Option<u8>, begun: f64) -> Option<Vec<PlayedGame>> {
    let (others, ours): (Vec<&ReadGame>, Vec<&ReadGame>) =
        games.iter().partition(|game| game.is_other_game());
    let mut played: Vec<PlayedGame> =
        ours.into_iter().map(|game| of_video(game, start_level, begun)).collect();
    for other in &others {
        let frame = other.placements.first().map_or(0, |first| first.picture);
        played.first_mut()?.unread.push(Unread { frame, reason: OTHER_GAME.to_owned() });
    }
    Some(played)
}

/// Returns a game that was read from a video. `start_level` is the level on which it began, if that is known; otherwise the speed of
/// the pieces tells it, and what was taken is said among what is not read. `begun`: seconds of the video before the first picture.
pub fn of_video(game: &ReadGame, start_level: Option<u8>, begun: f64) -> PlayedGame {
    let estimated = game.start_level();
    let level = start_level.or(estimated).unwrap_or(LEVEL);
    let mut played = PlayedGame::default();
    let first = game.placements.first();
    let note = |frame: u64, reason: String| Unread { frame, reason };
    let begins = first.map_or(0, |first| first.picture);
    if game.shown != Shown::default() {
        let reason = format!("the picture as it is: it is {}, and was turned back to be read", game.shown);
        played.unread.push(note(begins, reason));
    }
    if let Some((first, last)) = game.covered {
        let reason = format!(
            "the cells in rows {} to {} from the top, which something covers; they are taken for empty",
            first + 1,
            last + 1
        );
        played.unread.push(note(begins, reason));
    }
    if game.begins_late {
        let reason = "the recording begins in the middle of a game; lines are counted from there".to_owned();
        played.unread.push(note(begins, reason));
    }
    if start_level.is_none() {
        let reason = match estimated {
            Some(level) => {
                format!(
                    "the number of the level; the speed of the pieces tells {level} at the start{SETS_LEVEL}"
                )
            }
            None => format!("the number of the level; {LEVEL} is taken for the start{SETS_LEVEL}"),
        };
        played.unread.push(note(begins, reason));
    }
    let seconds = |ms: u64| begun + ms as f64 / 1000.0;
    for gap in &game.gaps {
        let (from, to) = (seconds(gap.from_ms), seconds(gap.to_ms));
        let reason = format!("no placements explain the pictures from {from:.1} s to {to:.1} s");
        played.unread.push(note(gap.picture, reason));
    }
    for &ReadPose { piece, time_ms, at, is_exact } in &game.path {
        played.see(SeenPiece { piece, time_ms, at, is_exact });
    }
    for (read, progress) in game.placements.iter().zip(game.progress(level)) {
        played.add(PlacedPiece {
            frame: read.picture,
            board: read.board,
            piece: read.piece,
            next: read.next,
            placement: read.pose,
            progress,
            region: Region::Ntsc,
        });
    }
    played
}
