//! What `maxout review` learns by playing games on: [`PlayedFurther`].

use serde::Serialize;

use crate::cli::output::{
    as_you::AsYou,
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
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) as_you: Option<AsYou>,
}

/// Which games to play on.
#[derive(Clone, Copy)]
pub(crate) struct Games {
    /// At most this number of pairs of games for each of the worst placements.
    pub(crate) playouts: u64,
    /// How many placements of each game those are.
    pub(crate) worst: usize,
    /// Games with other pieces.
    pub(crate) luck: Option<u64>,
    /// Threads.
    pub(crate) jobs: usize,
}

impl Games {
    /// Whether any game is played on from a placement.
    pub(crate) const fn plays_on(&self) -> bool {
        self.playouts > 0 && self.worst > 0
    }
}

impl PlayedFurther {
    /// Plays on from the worst placements, and from where the game began.
    pub(crate) fn of(
        game: &PlayedGame,
        judged: &[JudgedPiece],
        (playouts, analyst): (Option<&GamePlayouts>, Option<&Analyst>),
        wanted: Games,
    ) -> anyhow::Result<Self> {
        let mut further = Self::default();
        if let Some(analyst) = analyst {
            let most = wanted.playouts;
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
        if let (Some(games), Some(playouts)) = (wanted.luck, playouts) {
            further.luck = Luck::of(game, playouts, games, wanted.jobs)?;
            if !game.unread.is_empty() {
                log::warn!("--luck: not all pieces of the game are known, so nothing is said of them");
            }
        }
        Ok(further)
    }

    /// The results as text; empty if nothing was played. `judged` has the forecasts.
    pub(crate) fn text(&self, judged: &[JudgedPiece]) -> String {
        let mut text = String::new();
        if !self.measured.is_empty() {
            let pieces = count(PIECES as u64, "piece");
            text += &format!(
                "played on by maxout-fast for {pieces}, then forecast, with the same pieces from both placements: mean ± standard error\n\
                 number  pairs  loss, played on             by forecast\n"
            );
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.measured {
            let forecast = judged.get(number - 1).map_or(0.0, |judged| judged.judgement.loss.into());
            let [loss, se, forecast] = [*loss, *loss_se, forecast].map(|points| decimal(points, 0));
            text += &format!("{number:>6} {games:>6} {loss:>16} ± {se:<9} {forecast:>11}\n");
        }
        if let Some(luck) = &self.luck {
            text += &luck.to_string();
        }
        text.trim_end().to_owned()
    }
}
