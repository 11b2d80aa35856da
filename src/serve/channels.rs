//! The games that are followed through `/v1/live` ([`Channels`]): what the last position of each was, and who listens.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use axum::body::Bytes;
use serde::Serialize;
use tokio::sync::watch;

use super::analysts::Desk;
use super::position::LimitedPosition;
use maxout_engine::Position;
use maxout_engine::analysis::{MoveClass, Verdict};
use maxout_host::review::FrameFollower;
use maxout_record::champs::ChampsFrame;
use maxout_rules::Placement;

/// Channels that are kept. With more, the one that has been silent for longest goes.
const CHANNELS: usize = 64;
/// What everyone is sent about a position.
#[derive(Serialize)]
struct LiveEvent {
    /// Positions of the channel so far.
    number: u64,
    piece: String,
    next: Option<String>,
    level: u8,
    lines: u32,
    /// How good the placement before was. `null` if no placement of the position before leads here.
    rated: Option<LiveRating>,
    /// The best placement now. `null` if the piece has no place.
    best: Option<LivePlacement>,
}

#[derive(Serialize)]
struct LiveRating {
    #[serde(flatten)]
    place: Placement,
    class: MoveClass,
    loss: f32,
    best: Placement,
}

#[derive(Serialize)]
struct LivePlacement {
    #[serde(flatten)]
    place: Placement,
    buttons: Vec<String>,
    points: f32,
    topout: f32,
}

/// One game that is followed.
#[derive(Debug)]
struct Channel {
    number: u64,
    last: Option<(Position, Vec<Verdict>)>,
    /// Who reads the frames of the channel, if it is sent frames.
    frames: FrameFollower,
    used: Instant,
    events: watch::Sender<Bytes>,
}

/// All channels.
#[derive(Debug, Default)]
pub(super) struct Channels(Mutex<HashMap<String, Channel>>);

impl Channels {
    fn lock(&self) -> MutexGuard<'_, HashMap<String, Channel>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Listens to a channel.
    pub(super) fn listen(&self, name: &str) -> watch::Receiver<Bytes> {
        of(&mut self.lock(), name).events.subscribe()
    }

    /// Reads the next frames of a channel. Returns the position of each piece that has appeared in them.
    pub(super) fn follow(&self, name: &str, frames: &[ChampsFrame]) -> Vec<Position> {
        let mut channels = self.lock();
        let follower = &mut of(&mut channels, name).frames;
        frames.iter().filter_map(|frame| follower.follow(frame)).collect()
    }

    /// Rates what led to a position, and tells those who listen.
    pub(super) fn rate(&self, name: &str, desk: &mut Desk, position: &LimitedPosition) -> Bytes {
        let LimitedPosition { question, limits } = *position;
        let verdicts = desk.quick(limits).rank(&question);
        let best = verdicts.first().map(|best| {
            let path = position.reach().and_then(|reach| reach.path(best.placement));
            let inputs = path.map(|path| path.inputs).unwrap_or_default();
            LivePlacement {
                place: best.placement,
                buttons: inputs.iter().map(|held| held.letters()).collect(),
                points: best.points,
                topout: best.topout,
            }
        });
        let mut channels = self.lock();
        let channel = of(&mut channels, name);
        let rated = channel.last.as_ref().and_then(|(before, verdicts)| rated(before, verdicts, &question));
        channel.number += 1;
        channel.last = Some((question, verdicts));
        let event = LiveEvent {
            number: channel.number,
            piece: question.start.orientation.piece().to_string(),
            next: question.next.map(|next| next.to_string()),
            level: question.progress.level,
            lines: question.progress.lines(),
            rated,
            best,
        };
        let text = Bytes::from(serde_json::to_string(&event).unwrap_or_default());
        channel.events.send_replace(text.clone());
        text
    }
}

/// The channel of this name, created if it is missing.
fn of<'a>(channels: &'a mut HashMap<String, Channel>, name: &str) -> &'a mut Channel {
    if channels.len() >= CHANNELS && !channels.contains_key(name) {
        let silent =
            channels.iter().min_by_key(|(_, channel)| (channel.events.receiver_count(), channel.used));
        if let Some(silent) = silent.map(|(name, _)| name.clone()) {
            channels.remove(&silent);
        }
    }
    let channel = channels.entry(name.to_owned()).or_insert_with(|| Channel {
        number: 0,
        last: None,
        frames: FrameFollower::default(),
        used: Instant::now(),
        events: watch::Sender::new(Bytes::new()),
    });
    channel.used = Instant::now();
    channel
}

/// How good the placement was that led from one position to the next.
fn rated(before: &Position, verdicts: &[Verdict], now: &Position) -> Option<LiveRating> {
    let best = verdicts.first()?;
    let led = verdicts.iter().find(|verdict| verdict.board_after.visible() == now.board.visible())?;
    Some(LiveRating {
        place: led.placement,
        class: MoveClass::of(led.loss, before.progress.level),
        loss: led.loss,
        best: best.placement,
    })
}
