//! What `maxout review` learns by playing games on: [`PlayedFurther`].

use serde::Serialize;

use crate::cli::output::{
    luck::Luck,
    played_on::{PIECES, PairedLoss, play_pairs},
    progress::Progress,
};
use crate::review::{MeasuredLoss, worst};
use crate::words::{count, decimal};
use maxout_engine::analysis::{Analyst, GamePlayouts};
use maxout_host::review::{JudgedPiece, PlayedGame, Reviewed};

/// A reviewed game as it is written to the JSON.
#[derive(Serialize)]
pub(crate) struct Written {
    #[serde(flatten)]
    pub(crate) reviewed: Reviewed,
    #[serde(flatten)]
    pub(crate) further: PlayedFurther,
}

/// The results of games that were played on, if any were.
#[derive(Default, Serialize)]
pub(crate) struct PlayedFurther {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) measured: Vec<MeasuredLoss>,
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<Luck>,
}

/// Which games to play on.
#[derive(Clone, Copy)]
pub(crate) struct Games {
    /// At most this number of pairs of games for each of the worst placements.
    pub(crate) playouts: Option<u64>,
    /// How many placements those are.
    pub(crate) worst: usize,
    /// Games with other pieces.
    pub(crate) luck: Option<u64>,
    /// Threads.
    pub(crate) jobs: usize,
}

impl PlayedFurther {
    /// Plays on from the worst placements, and from where the game began.
    pub(crate) fn of(
        game: &PlayedGame,
        judged: &[JudgedPiece],
        (playouts, analyst): (&GamePlayouts, &Analyst),
        wanted: Games,
    ) -> anyhow::Result<Self> {
        let mut further = Self::default();
        if let Some(most) = wanted.playouts {
            let worst = worst(judged, wanted.worst);
            let bar = Progress::new(most * worst.len() as u64, "games");
            for (number, JudgedPiece { placed, judgement, .. }) in worst {
                let both = [judgement.best.placement, placed.placement];
                let played = play_pairs(analyst, &placed.position(), both, most, (wanted.jobs, &bar))?;
                let Some(PairedLoss { games, loss, se }) = played else { break };
                further.measured.push(MeasuredLoss { number, games, loss, loss_se: se });
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
    pub(crate) fn text(&self) -> String {
        let mut text = String::new();
        if !self.measured.is_empty() {
            let pieces = count(PIECES as u64, "piece");
            text += &format!(
                "played on by maxout-fast for {pieces}, then forecast, with the same pieces from both placements: mean ± standard error\n\
                 number  games        loss\n"
            );
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.measured {
            text += &format!("{number:>6} {games:>6} {:>11} ± {}\n", decimal(*loss, 0), decimal(*loss_se, 0));
        }
        if let Some(luck) = &self.luck {
            text += &luck.to_string();
        }
        text.trim_end().to_owned()
    }
}
