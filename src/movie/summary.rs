//! [`ChampsSummary`]: which game the frames show.

use std::fmt;

use serde::Serialize;

use crate::words::{count, number};
use maxout_host::review::PlayedGame;
use maxout_record::champs::{ChampsFrame, steady};

/// One game, as a display has shown it. Fields that no frame reports are `None`. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct ChampsSummary {
    /// Number of the game.
    pub game: u32,
    /// Frames.
    pub frames: usize,
    /// Time from the first frame to the last.
    pub milliseconds: u64,
    /// Score, as last shown; 1,600,000 more for each time that the display began at 0 again.
    pub score: Option<u32>,
    /// Lines, as last shown.
    pub lines: Option<u32>,
    /// Times that the lines grew by four.
    pub tetrises: Option<u32>,
    /// Level, as first shown, or of the first placement.
    pub start_level: Option<u32>,
    /// Level, as last shown.
    pub level: Option<u32>,
    /// Pieces that had locked when the last one appeared, by the counts, or else the placements that were read.
    pub pieces: Option<u32>,
}

/// A game whose frames are being read.
#[derive(Default)]
struct Shown {
    frames: usize,
    times: Option<(u64, u64)>,
    lines: Vec<Option<u32>>,
    level: Vec<Option<u32>>,
    score: Vec<Option<u32>>,
    /// Pieces that have appeared, by the counts.
    counted: Vec<Option<u32>>,
}

impl Shown {
    fn add(&mut self, frame: &ChampsFrame) {
        self.frames += 1;
        self.times = Some((self.times.map_or(frame.time_ms, |(first, _)| first), frame.time_ms));
        self.lines.push(frame.lines);
        self.level.push(frame.level);
        self.score.push(frame.score);
        self.counted.push(frame.counts.iter().copied().sum());
    }

    fn summary(mut self, game: u32) -> ChampsSummary {
        steady(&mut self.lines, 8);
        steady(&mut self.level, 4);
        steady(&mut self.score, u32::MAX);
        steady(&mut self.counted, 8);
        let last = |values: &[Option<u32>]| values.last().copied().flatten();
        let grew_by_four = |pair: &&[Option<u32>]| {
            pair[1].zip(pair[0]).is_some_and(|(after, before)| after == before.saturating_add(4))
        };
        let (first, end) = self.times.unwrap_or_default();
        ChampsSummary {
            game,
            frames: self.frames,
            milliseconds: end.saturating_sub(first),
            score: unwrapped(&self.score, &self.lines),
            lines: last(&self.lines),
            tetrises: (self.lines.iter().any(Option::is_some))
                .then(|| self.lines.windows(2).filter(grew_by_four).count() as u32),
            start_level: self.level.first().copied().flatten(),
            level: last(&self.level),
            pieces: last(&self.counted).map(|appeared| appeared.saturating_sub(1)),
        }
    }
}

impl ChampsSummary {
    /// Takes from the placements of the same frames what a display does not show, or still shows of the game before: the level of the
    /// first one, and without counts how many there are. At the end, it is no lower than at the last one.
    pub fn complete(games: &mut [Self], played: &[PlayedGame]) {
        let (mut played, mut end) = (played.iter().peekable(), 0);
        for game in games {
            end += game.frames as u64;
            let is_in = |played: &&PlayedGame| played.pieces.first().is_none_or(|first| first.frame < end);
            while let Some(PlayedGame { pieces, .. }) = played.next_if(is_in) {
                if let [first, ..] = pieces[..] {
                    game.start_level = Some(first.progress.level.into());
                    game.level = game.level.max(pieces.last().map(|last| last.progress.level.into()));
                    game.pieces = game.pieces.or(Some(pieces.len() as u32));
                }
            }
        }
    }

    /// The games of a file, in its order. The first error of the source is returned.
    pub fn of_all<E>(frames: impl IntoIterator<Item = Result<ChampsFrame, E>>) -> Result<Vec<Self>, E> {
        let mut games = Vec::new();
        let mut now: Option<(u32, Shown)> = None;
        for frame in frames {
            let frame = frame?;
            if let Some((game, shown)) = now.take_if(|(game, _)| *game != frame.game) {
                games.push(shown.summary(game));
            }
            now.get_or_insert_with(|| (frame.game, Shown::default())).1.add(&frame);
        }
        games.extend(now.map(|(game, shown)| shown.summary(game)));
        Ok(games)
    }
}

/// Displays of cartridges without a cap begin at 0 again from this score on.
const WRAPS_AT: u32 = 1_600_000;
/// The most that one clear pays: four lines on level 255.
const MOST_POINTS: u32 = 307_200;

/// The last score, with what a display lost each time that it began at 0 again: one clear took it there, and no line was lost with
/// the points, as where another game begins.
fn unwrapped(score: &[Option<u32>], lines: &[Option<u32>]) -> Option<u32> {
    let wraps = |(score, lines): &(&[Option<u32>], &[Option<u32>])| {
        score[0].zip(score[1]).is_some_and(|(before, after)| {
            before >= WRAPS_AT - MOST_POINTS && before.saturating_sub(after) > WRAPS_AT / 2
        }) && lines[0].zip(lines[1]).is_none_or(|(before, after)| before <= after)
    };
    let wraps = score.windows(2).zip(lines.windows(2)).filter(wraps).count();
    let last = score.last().copied().flatten();
    last.map(|last| last.saturating_add(WRAPS_AT.saturating_mul(wraps as u32)))
}

impl fmt::Display for ChampsSummary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = |value: Option<u32>| value.map_or_else(|| "unknown".to_owned(), number);
        let counted = |value: Option<u32>, thing: &str| {
            value.map_or_else(|| format!("unknown {thing}s"), |value| count(value, thing))
        };
        write!(
            f,
            "from level {}: score {}, {}, {}, level {}, {}, {} in {}.{:03} s",
            known(self.start_level),
            known(self.score),
            counted(self.lines, "line"),
            self.tetrises.map_or_else(|| "unknown tetrises".to_owned(), |value| count(value, "tetris")),
            known(self.level),
            counted(self.pieces, "piece"),
            count(self.frames as u64, "frame"),
            number(self.milliseconds / 1000),
            self.milliseconds % 1000
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn where_no_frame_tells_lines_the_tetrises_are_unknown() {
        let mut shown = Shown { frames: 9, lines: vec![None; 9], ..Shown::default() };
        let summary = std::mem::take(&mut shown).summary(1);
        assert_eq!(summary.tetrises, None);
        let told = summary.to_string();
        assert!(told.contains("unknown lines, unknown tetrises, level unknown"), "{told}");
    }

    #[test]
    fn scores_that_begin_at_0_again_go_on() {
        let known = |values: &[u32]| values.iter().copied().map(Some).collect::<Vec<_>>();
        let told = |score: &[u32], lines: &[u32]| unwrapped(&known(score), &known(lines));
        assert_eq!(told(&[1_599_000, 23_052], &[226, 230]), Some(1_623_052));
        let scores = [10, 1_590_000, 4_000, 1_599_999, 572_380];
        assert_eq!(told(&scores, &[1, 300, 304, 600, 604]), Some(3_772_380));
        assert_eq!(unwrapped(&known(&scores), &[None; 5]), Some(3_772_380));
        assert_eq!(told(&[999_999, 999_999], &[230, 230]), Some(999_999));
        assert_eq!(told(&[], &[]), None);
        // A display that still shows the game before.
        assert_eq!(told(&[941_540, 0, 1_200], &[230, 0, 4]), Some(1_200));
        assert_eq!(told(&[941_540, 0, 1_200], &[0, 0, 4]), Some(1_200));
        assert_eq!(told(&[1_580_000, 0, 1_200], &[330, 0, 4]), Some(1_200));
    }
}
