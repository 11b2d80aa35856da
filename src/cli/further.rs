//! What `maxout review` learns by playing games on: [`PlayedFurther`].

use serde::Serialize;

use super::luck::Luck;
use super::played_on::play_on;
use super::progress::Progress;
use crate::review::{JudgedPiece, PlayedGame, Reviewed, worst};
use crate::words::decimal;
use maxout_engine::Position;
use maxout_engine::analysis::GamePlayouts;
use maxout_engine::movegen::Start;

/// A reviewed game as it is written to the JSON.
#[derive(Serialize)]
pub(super) struct Written {
    #[serde(flatten)]
    pub(super) reviewed: Reviewed,
    #[serde(flatten)]
    pub(super) further: PlayedFurther,
}

/// A loss that was measured by playing on. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
struct MeasuredLoss {
    /// Which of the judged placements of the game, from 1.
    number: usize,
    games: u64,
    /// The mean of what was lost against the best placement in games with the same pieces, and its standard error.
    loss: f64,
    loss_se: f64,
}

/// The results of games that were played on, if any were.
#[derive(Default, Serialize)]
pub(super) struct PlayedFurther {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    measured: Vec<MeasuredLoss>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<Luck>,
}

/// Which games to play on.
#[derive(Clone, Copy)]
pub(super) struct Games {
    /// Games for each of the worst placements.
    pub(super) playouts: Option<u64>,
    /// How many placements those are.
    pub(super) worst: usize,
    /// Games with other pieces.
    pub(super) luck: Option<u64>,
    /// Threads.
    pub(super) jobs: usize,
}

impl PlayedFurther {
    /// Plays on from the worst placements, and from where the game began.
    pub(super) fn of(
        game: &PlayedGame,
        judged: &[JudgedPiece],
        playouts: &GamePlayouts,
        wanted: Games,
    ) -> anyhow::Result<Self> {
        let mut further = Self::default();
        if let Some(games) = wanted.playouts {
            let worst = worst(judged, wanted.worst);
            let bar = Progress::new(games * worst.len() as u64, "games");
            for (number, JudgedPiece { placed, judgement, .. }) in worst {
                let start = Start::spawn(placed.piece, placed.progress.level);
                let position =
                    Position { board: placed.board, start, next: placed.next, progress: placed.progress };
                let both = [judgement.best.placement, placed.placement];
                let played = play_on(playouts, &position, &both, games, (wanted.jobs, &bar))?;
                if let [_, placed] = played[..]
                    && placed.games > 0
                {
                    let (loss, loss_se) = (placed.loss, placed.loss_se);
                    further.measured.push(MeasuredLoss { number, games: placed.games, loss, loss_se });
                }
            }
            bar.finish();
        }
        if let Some(games) = wanted.luck {
            further.luck = Luck::of(game, playouts, games, wanted.jobs)?;
            if !game.unread.is_empty() {
                log::warn!("--luck: not all pieces of the game are known, so nothing is said of them");
            }
        }
        Ok(further)
    }

    /// The results as text; empty if nothing was played.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        if !self.measured.is_empty() {
            text += "played on by maxout-2ply, with the same pieces: mean ± standard error\npiece  games               loss\n";
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.measured {
            text += &format!("{number:>5} {games:>6} {:>10} ± {}\n", decimal(*loss, 0), decimal(*loss_se, 0));
        }
        if let Some(luck) = &self.luck {
            text += &luck.to_string();
        }
        text.trim_end().to_owned()
    }
}
