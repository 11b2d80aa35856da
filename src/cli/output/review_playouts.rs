//! What `maxout review` learns by playing games on: [`PlayedFurther`].

use serde::Serialize;

use crate::cli::output::{
    as_you::AsYou,
    luck::Luck,
    played_on::{FEWEST, PIECES, PairedLoss, play_pairs},
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
    /// Plays on from the worst placements, which are weighed by that, and from where the game began.
    pub(crate) fn of(
        game: &PlayedGame,
        judged: &mut [JudgedPiece],
        (playouts, analyst): (Option<&GamePlayouts>, Option<&Analyst>),
        wanted: Games,
    ) -> anyhow::Result<Self> {
        let mut further = Self::default();
        if let Some(analyst) = analyst {
            let most = wanted.playouts;
            let worst: Vec<usize> = worst(judged, wanted.worst).iter().map(|&(number, _)| number).collect();
            let bar = Progress::new(most * worst.len() as u64, "games");
            for number in worst {
                let one = &mut judged[number - 1];
                let both = [one.judgement.best.placement, one.placed.placement];
                let played = play_pairs(analyst, &one.placed.position(), both, most, (wanted.jobs, &bar))?;
                let Some(PairedLoss { games, loss, se }) = played else { break };
                if games >= FEWEST {
                    one.weigh(game, loss as f32, se as f32);
                }
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

    /// The results as text; empty if nothing was played. `judged` has the forecasts, and what each loss counts as.
    pub(crate) fn text(&self, judged: &[JudgedPiece]) -> String {
        let mut text = String::new();
        if !self.measured.is_empty() {
            let pieces = count(PIECES as u64, "piece");
            text += &format!(
                "played on by maxout-fast for {pieces}, then forecast, with the same pieces from both placements: mean ± standard error\n\
                 number  pairs  loss, played on             by forecast    counts as\n"
            );
        }
        for MeasuredLoss { number, games, loss, loss_se } in &self.measured {
            let Some(JudgedPiece { judgement, .. }) = judged.get(number - 1) else { continue };
            let [forecast, counts] = [judgement.forecast_loss(), judgement.loss].map(f64::from);
            let [loss, se, forecast, counts] =
                [*loss, *loss_se, forecast, counts].map(|points| decimal(points, 0));
            text += &format!("{number:>6} {games:>6} {loss:>16} ± {se:<9} {forecast:>11}  {counts:>11}\n");
        }
        if let Some(luck) = &self.luck {
            text += &luck.to_string();
        }
        text.trim_end().to_owned()
    }
}
