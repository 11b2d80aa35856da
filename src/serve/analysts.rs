//! The analysts of the server: as many analyses at a time as were asked for, and a bounded number of requests that wait
//! for one, for a bounded time.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use tokio::sync::oneshot;

use super::peers::{Client, MOST};
use super::refusal::Refusal;
use super::turns::Turns;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, Answer, Outlook, Verdict};
use maxout_engine::eval::ntuple::Network;
use maxout_engine::limits::Limits;
use maxout_engine::player::DEFAULT_PLAYER;
use maxout_engine::search::{Aggression, Foresight};
use maxout_gallery::find;
use maxout_rules::Progress;

/// One analyst, and what it works with. The memory that it keeps is bounded by its search.
pub(super) struct Desk {
    network: Arc<Network>,
    foresight: Foresight,
    /// The analyst of the last request, kept for a request with the same input limits and aggression.
    kept: Option<(Limits, Aggression, Analyst)>,
}

impl Desk {
    /// Every placement of the piece, best first, as the default player ranks them.
    pub(super) fn rank(&mut self, limits: Limits, question: &Position) -> Vec<Verdict> {
        self.analyst(Aggression::NORMAL, limits).rank(question)
    }

    /// How the values of [`Desk::rank`] are read at `progress`.
    pub(super) fn outlook(&mut self, limits: Limits, progress: Progress) -> Outlook {
        self.analyst(Aggression::NORMAL, limits).outlook(progress)
    }

    /// The whole answer, by another aggression.
    pub(super) fn answer(&mut self, aggression: Aggression, limits: Limits, question: &Position) -> Answer {
        self.analyst(aggression, limits).answer(question)
    }

    /// An analyst that looks only at the two pieces that are seen.
    pub(super) fn quick(&self, limits: Limits) -> Analyst {
        self.made("maxout-2ply", limits, Aggression::NORMAL)
    }

    /// The learned tables.
    pub(super) fn network(&self) -> &Network {
        &self.network
    }

    /// The analyst of the default player, kept from the last request if that had the same limits and aggression.
    fn analyst(&mut self, aggression: Aggression, limits: Limits) -> &mut Analyst {
        let kept = self.kept.take().filter(|(of, with, _)| *of == limits && *with == aggression);
        let made = || (limits, aggression, self.made(DEFAULT_PLAYER, limits, aggression));
        let kept = kept.unwrap_or_else(made);
        &mut self.kept.insert(kept).2
    }

    fn made(&self, player: &str, limits: Limits, aggression: Aggression) -> Analyst {
        let player =
            find(player).ok().and_then(|player| player.with_limits(limits)?.with_aggression(aggression));
        let analyst = player.and_then(|player| player.analyst(self.foresight));
        analyst.expect("players on the learned value take all limits of a request")
    }
}

/// All analysts.
pub(super) struct Analysts {
    network: Arc<Network>,
    foresight: Foresight,
    turns: Arc<Turns>,
    wait: Duration,
    idle: Mutex<Vec<Desk>>,
}

impl Analysts {
    /// `count` analysts that look at up to `nodes` leaves for a ranking. Each request waits for one up to `wait`. There is
    /// a place for one request of each connection.
    pub(super) fn new(network: Arc<Network>, count: usize, nodes: u64, wait: Duration) -> Arc<Self> {
        Arc::new(Self {
            network,
            foresight: Foresight { nodes: Some(nodes), ..Foresight::DEFAULT },
            turns: Turns::new(count, MOST),
            wait,
            idle: Mutex::new(Vec::new()),
        })
    }

    /// Does `work` at a free desk, once it is the client's turn.
    ///
    /// # Errors
    /// [`Refusal::busy`] if its turn does not come soon enough or the system gives no thread, [`Refusal::broken`] if the
    /// work panics.
    pub(super) async fn work<T: Send + 'static>(
        self: &Arc<Self>,
        client: Client,
        work: impl FnOnce(&mut Desk) -> T + Send + 'static,
    ) -> Result<T, Refusal> {
        let turn = self.turns.take(client, self.wait).await.ok_or_else(Refusal::busy)?;
        let analysts = Arc::clone(self);
        let (done, answer) = oneshot::channel();
        let begun = thread::Builder::new().name("analysis".to_owned()).spawn(move || {
            let mut desk = analysts.desk();
            let answer = work(&mut desk);
            analysts.idle().push(desk);
            // The analysis goes on if its client leaves, and the turn with it.
            drop(turn);
            let _ = done.send(answer);
        });
        if let Err(error) = begun {
            log::debug!("no thread for an analysis: {error}");
            return Err(Refusal::busy());
        }
        answer.await.map_err(|_| Refusal::broken())
    }

    fn idle(&self) -> std::sync::MutexGuard<'_, Vec<Desk>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn desk(&self) -> Desk {
        let idle = self.idle().pop();
        idle.unwrap_or_else(|| Desk {
            network: Arc::clone(&self.network),
            foresight: self.foresight,
            kept: None,
        })
    }
}
