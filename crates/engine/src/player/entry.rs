//! [`Entry`]: a player with a name, and how it is made. Your own player is an entry, too: [`Entry::choosing`], [`Entry::fair`],
//! [`Entry::clairvoyant`].

use std::borrow::Cow;
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

use super::clairvoyant::{BeamPlayer, Clairvoyant};
use super::learned::LearnedPlayer;
use super::search::{Policy, SearchPlayer};
use super::{Mind, Player};
use crate::analysis::{Analyst, GamePlayouts, MIRRORED_FROM, Strength};
use crate::eval::ntuple::Network;
use crate::eval::weights;
use crate::limits::{Limits, Presses, Reaction};
use crate::movegen::{Filter, Moves};
use crate::search::{Aggression, Expectimax, Foresight, Widths};
use maxout_rules::{FallRule, Region, Stop};

/// Makes a fair player that looks ahead as far as the foresight says.
type MakeFair = dyn Fn(Foresight) -> Box<dyn Player> + Send + Sync;
/// Makes a policy that chooses among any moves.
type MakePolicy = dyn Fn(Moves) -> Box<dyn Policy> + Send + Sync;
/// Makes a clairvoyant player that looks ahead as far as the foresight says, for games that end at a goal.
type MakeClairvoyant = dyn Fn(Foresight, Stop) -> Box<dyn Clairvoyant> + Send + Sync;

/// How a player is made.
#[derive(Clone)]
enum Make {
    /// A search over the visible pieces, among any moves.
    Search(fn(Moves) -> Box<dyn Policy>),
    /// The same by a closure.
    Choosing(Arc<MakePolicy>),
    Learned(Learned),
    /// The rolling beam.
    Beam,
    Fair(Arc<MakeFair>),
    Clairvoyant(Arc<MakeClairvoyant>),
}

/// An expectimax on the learned value.
#[derive(Clone)]
struct Learned {
    widths: Widths,
    /// The network, if it is not the shipped one.
    network: Option<Arc<Network>>,
    aggression: Aggression,
}

impl Learned {
    fn network(&self, limits: Limits) -> Arc<Network> {
        self.network.clone().unwrap_or_else(|| weights::embedded_for(limits))
    }

    fn search(&self, widths: Widths, limits: Limits) -> Expectimax {
        Expectimax::new(self.network(limits), widths, limits).with_aggression(self.aggression)
    }
}

/// A player with a name.
///
/// Your own player works wherever ours do:
///
/// ```
/// use maxout_engine::limits::Limits;
/// use maxout_engine::movegen::{Reach, placements};
/// use maxout_engine::Position;
/// use maxout_engine::player::{Entry, Plan, Player};
///
/// /// Puts each piece as low as it goes.
/// struct Lowest;
///
/// impl Player for Lowest {
///     fn plan(&mut self, seen: &Position) -> Option<Plan> {
///         let mut all = Vec::new();
///         placements(&seen.board, &seen.start, Limits::EACH_BUTTON, &mut all);
///         let lowest = all.into_iter().max_by_key(|placement| placement.y)?;
///         let path = Reach::new(&seen.board, &seen.start, Limits::EACH_BUTTON)?.path(lowest)?;
///         Plan::along(seen, lowest, &path, true)
///     }
/// }
///
/// let entry = Entry::fair("lowest", Limits::EACH_BUTTON, |_| Lowest);
/// assert_eq!((&*entry.name, entry.capabilities().is_fair), ("lowest", true));
/// ```
#[derive(Clone)]
pub struct Entry {
    /// The name on the command line and in records.
    pub name: Cow<'static, str>,
    /// What the player does, and who invented it.
    pub source: Cow<'static, str>,
    /// The player's input limits.
    pub limits: Limits,
    plies: u8,
    filter: Option<Arc<dyn Filter>>,
    make: Make,
}

impl Entry {
    /// Makes an entry for a fair player. `make` makes a fresh player for each thread. The entry says that it looks at
    /// one piece, unless [`with_plies`](Entry::with_plies) says otherwise.
    pub fn fair<P: Player + 'static>(
        name: impl Into<Cow<'static, str>>,
        limits: Limits,
        make: impl Fn(Foresight) -> P + Send + Sync + 'static,
    ) -> Self {
        let make = Make::Fair(Arc::new(move |foresight| Box::new(make(foresight))));
        Self { name: name.into(), source: Cow::Borrowed(""), limits, plies: 1, filter: None, make }
    }

    /// Makes an entry for a player that only chooses where pieces go, among the placements that its [`Policy`] is made with; the way
    /// there is found for it. `make` makes a fresh policy for each thread, and may hold what it needs for that.
    ///
    /// ```
    /// use maxout_engine::eval::{Evaluator, Features, Placed};
    /// use maxout_engine::limits::Limits;
    /// use maxout_engine::player::Entry;
    /// use maxout_engine::search::TwoPiece;
    /// use maxout_rules::Board;
    ///
    /// /// Keeps the board low and without holes.
    /// struct Low {
    ///     hole: f64,
    /// }
    ///
    /// impl Evaluator for Low {
    ///     type Trail = ();
    ///
    ///     fn follow(&self, (): (), _: &Placed<'_>) {}
    ///
    ///     fn cost(&self, board: &Board, (): ()) -> Option<f64> {
    ///         let features = Features::of(board);
    ///         Some(self.hole * f64::from(features.holes) + f64::from(features.max_height))
    ///     }
    /// }
    ///
    /// // One player for each weight.
    /// let players = [1.0, 4.0].map(|hole| {
    ///     let name = format!("low-{hole}");
    ///     Entry::choosing(name, Limits::EACH_BUTTON, move |moves| TwoPiece::new(Low { hole }, moves))
    /// });
    /// assert_eq!(players[1].name, "low-4");
    /// ```
    pub fn choosing<P: Policy + 'static>(
        name: impl Into<Cow<'static, str>>,
        limits: Limits,
        make: impl Fn(Moves) -> P + Send + Sync + 'static,
    ) -> Self {
        let make = Make::Choosing(Arc::new(move |moves| Box::new(make(moves))));
        Self { name: name.into(), source: Cow::Borrowed(""), limits, plies: 1, filter: None, make }
    }

    /// Makes an entry for a player that reads the piece generator, as [`Entry::fair`] does for a fair one.
    pub fn clairvoyant<P: Clairvoyant + 'static>(
        name: impl Into<Cow<'static, str>>,
        limits: Limits,
        make: impl Fn(Foresight, Stop) -> P + Send + Sync + 'static,
    ) -> Self {
        let make = Make::Clairvoyant(Arc::new(move |foresight, goal| Box::new(make(foresight, goal))));
        Self { name: name.into(), source: Cow::Borrowed(""), limits, plies: 1, filter: None, make }
    }

    /// The same entry, which says that the player looks at `plies` pieces.
    pub fn with_plies(self, plies: u8) -> Self {
        Self { plies, ..self }
    }

    /// The same entry, which says what the player does and who invented it.
    pub fn with_source(self, source: impl Into<Cow<'static, str>>) -> Self {
        Self { source: source.into(), ..self }
    }

    /// Makes an entry as [`Entry::choosing`] does, for a `static`: `make` holds nothing.
    pub const fn search(
        name: &'static str,
        plies: u8,
        source: &'static str,
        limits: Limits,
        make: fn(Moves) -> Box<dyn Policy>,
    ) -> Self {
        Self::ours(name, plies, source, limits, Make::Search(make))
    }

    pub(super) const fn learned(name: &'static str, widths: Widths, source: &'static str) -> Self {
        let learned = Learned { widths, network: None, aggression: Aggression::NORMAL };
        Self::ours(name, 0, source, Limits::EACH_BUTTON, Make::Learned(learned))
    }

    /// The rolling beam, which reads the piece generator.
    pub(super) const fn beam(name: &'static str, source: &'static str) -> Self {
        Self::ours(name, Foresight::DEFAULT.horizon as u8, source, Limits::EACH_BUTTON, Make::Beam)
    }

    const fn ours(name: &'static str, plies: u8, source: &'static str, limits: Limits, make: Make) -> Self {
        Self { name: Cow::Borrowed(name), source: Cow::Borrowed(source), limits, plies, filter: None, make }
    }

    /// Returns how many pieces the player looks ahead, the one in the air included.
    pub fn plies(&self) -> u8 {
        match &self.make {
            Make::Learned(learned) => learned.widths.plies(),
            _ => self.plies,
        }
    }

    /// Makes a fresh player for games that end at `goal`. `foresight` says how far it looks ahead, if the player lets
    /// that be chosen.
    pub fn make(&self, foresight: Foresight, goal: Stop) -> Mind {
        match &self.make {
            Make::Learned(learned) => {
                let search = learned.search(learned.widths.clone(), self.limits).with_foresight(foresight);
                let search = search.with_goal(goal);
                Mind::Fair(Box::new(LearnedPlayer::new(search, self.limits)))
            }
            Make::Beam => Mind::Clairvoyant(Box::new(BeamPlayer::new(foresight, goal))),
            Make::Fair(make) => Mind::Fair(make(foresight)),
            Make::Clairvoyant(make) => Mind::Clairvoyant(make(foresight, goal)),
            Make::Search(make) => self.searching(make(self.limits.into())),
            Make::Choosing(make) => self.searching(make(self.limits.into())),
        }
    }

    fn searching(&self, policy: Box<dyn Policy>) -> Mind {
        Mind::Fair(Box::new(SearchPlayer::new(held(policy, self.filter.clone()), self.limits)))
    }

    /// Returns what decides for the player in games without gravity, in which only these moves exist, or `None` if the
    /// player cannot play them.
    pub fn policy(&self, moves: Moves) -> Option<Box<dyn Policy>> {
        let policy = match &self.make {
            Make::Search(make) => make(moves),
            Make::Choosing(make) => make(moves),
            Make::Learned(..) | Make::Beam | Make::Fair(_) | Make::Clairvoyant(_) => return None,
        };
        Some(held(policy, self.filter.clone()))
    }

    /// Returns an analyst that looks as far as this player does, or `None` if the player does not play by the learned
    /// value.
    ///
    /// ```
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// assert!(find("maxout").unwrap().analyst(Foresight::DEFAULT).is_some());
    /// assert!(find("clairvoyant").unwrap().analyst(Foresight::DEFAULT).is_none());
    /// ```
    pub fn analyst(&self, foresight: Foresight) -> Option<Analyst> {
        let Make::Learned(learned) = &self.make else { return None };
        let search = |learned: &Learned| {
            let search = learned.search(learned.widths.clone(), self.limits).with_foresight(foresight);
            search.with_mirror_from(MIRRORED_FROM)
        };
        // The forecasts were fitted to the values for 30 Hz, and to games that the player plays on by its own.
        let network = learned.network.clone().unwrap_or_else(|| weights::embedded_for(Limits::EACH_BUTTON));
        let ranks = search(&Learned { network: Some(network), ..learned.clone() });
        let has_own = learned.network.is_none() && self.limits.is_slower_than_30_hz();
        let plays = has_own.then(|| search(learned));
        Some(Analyst::of(ranks, plays, Strength::of(&self.name)))
    }

    /// Unpacks the learned tables for boards at these levels, with or without the double killscreen, if the player has any. Otherwise
    /// the first decision that looks at such a board waits for that.
    pub fn unpack(&self, levels: RangeInclusive<u8>, fall_rule: FallRule) {
        if let Make::Learned(learned) = &self.make {
            learned.network(self.limits).unpack(levels, fall_rule);
        }
    }

    /// Returns what plays games on from a position by this player's learned value and input limits, or `None` if the
    /// player does not play by the learned value.
    pub fn playouts(&self) -> Option<GamePlayouts> {
        let Make::Learned(learned) = &self.make else { return None };
        let search = learned.search(Widths::TWO, self.limits).with_mirror_from(MIRRORED_FROM);
        Some(GamePlayouts::of(search, self.limits))
    }

    /// Returns this player restricted to `filter`, with the name `NAME+LABEL`, or `None` if it does not choose from a
    /// list of placements.
    pub fn filtered(&self, filter: Arc<dyn Filter>, label: &str) -> Option<Self> {
        let name = Cow::Owned(format!("{}+{label}", self.name));
        self.capabilities().takes_filters.then(|| Self { name, filter: Some(filter), ..self.clone() })
    }

    /// Returns this player with other input limits, or `None` if its own limits are part of it.
    pub fn with_limits(&self, limits: Limits) -> Option<Self> {
        let Capabilities { is_learned, takes_filters, .. } = self.capabilities();
        let fixed = |presses| presses == Presses::ControllerStates;
        // Only these players see to delays and to what is held between two pieces.
        let is_held = match limits.presses {
            Presses::Das(_) => true,
            Presses::Pal(rate) => rate.is_held(),
            _ => false,
        };
        let plain = limits.reaction == Reaction::NONE && !is_held;
        let takes = is_learned || takes_filters && plain;
        let same = self.limits == limits;
        let free = !fixed(self.limits.presses) && !fixed(limits.presses);
        (same || takes && free).then(|| Self { limits, ..self.clone() })
    }

    /// Returns this player with the input limits that it has in the version of this region ([`Limits::in_region`]).
    pub fn in_region(&self, region: Region) -> Self {
        self.with_limits(self.limits.in_region(region)).unwrap_or_else(|| self.clone())
    }

    /// Returns this player with another network, or `None` if it does not play by the learned value.
    pub fn with_network(&self, network: Arc<Network>) -> Option<Self> {
        self.with_learned(|learned| Learned { network: Some(network), ..learned })
    }

    /// Returns this player with other widths of its expectimax, or `None` if it has no expectimax.
    pub fn with_widths(&self, widths: Widths) -> Option<Self> {
        self.with_learned(|learned| Learned { widths, ..learned })
    }

    /// Returns this player with another aggression, or `None` if it does not play by the learned value. Its name is
    /// `NAME+AGGRESSION`, unless the aggression is [`Aggression::NORMAL`].
    ///
    /// ```
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Aggression;
    /// let safer: Aggression = "safer".parse().unwrap();
    /// let player = find("maxout").unwrap().with_aggression(safer).unwrap();
    /// assert_eq!(player.name, "maxout+safer");
    /// ```
    pub fn with_aggression(&self, aggression: Aggression) -> Option<Self> {
        let player = self.with_learned(|learned| Learned { aggression, ..learned })?;
        let name = self.name.split('+').next().unwrap_or_default();
        let name = if aggression == Aggression::NORMAL {
            Cow::Owned(name.to_owned())
        } else {
            Cow::Owned(format!("{name}+{aggression}"))
        };
        Some(Self { name, ..player })
    }

    /// This player with this change, or `None` if it does not play by the learned value.
    fn with_learned(&self, change: impl FnOnce(Learned) -> Learned) -> Option<Self> {
        let Make::Learned(learned) = &self.make else { return None };
        Some(Self { make: Make::Learned(change(learned.clone())), ..self.clone() })
    }

    /// Returns the filter that restricts the player.
    pub fn filter(&self) -> Option<&dyn Filter> {
        self.filter.as_deref()
    }

    /// Returns what the player can do, and which changes it takes.
    ///
    /// ```
    /// use maxout_engine::player::find;
    /// let [fair, clairvoyant] = ["maxout", "clairvoyant"].map(|name| find(name).unwrap().capabilities());
    /// assert!(fair.is_fair && fair.is_learned && !clairvoyant.is_fair && !clairvoyant.is_learned);
    /// ```
    pub const fn capabilities(&self) -> Capabilities {
        let is_learned = matches!(self.make, Make::Learned(_));
        let is_fair = !matches!(self.make, Make::Beam | Make::Clairvoyant(_));
        let plays_double_killscreen = match self.make {
            Make::Beam => false,
            Make::Search(_) | Make::Choosing(_) | Make::Learned(_) => {
                !matches!(self.limits.presses, Presses::ControllerStates)
            }
            Make::Fair(_) | Make::Clairvoyant(_) => true,
        };
        Capabilities {
            is_fair,
            is_learned,
            takes_filters: matches!(self.make, Make::Search(_) | Make::Choosing(_)),
            plays_double_killscreen,
        }
    }
}

impl Analyst {
    /// The same analyst, whose forecasts are for another player. A player that was not measured has those of one about as good.
    ///
    /// ```
    /// use maxout_engine::player::find;
    /// use maxout_engine::search::Foresight;
    /// let quick = find("maxout-2ply").unwrap().analyst(Foresight::DEFAULT).unwrap();
    /// let analyst = quick.forecasting(find("maxout").unwrap());
    /// ```
    pub fn forecasting(self, player: &Entry) -> Self {
        self.for_strength(Strength::of(&player.name))
    }
}

/// What a player can do, and which changes it takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
pub struct Capabilities {
    /// The player sees only what a person sees. The others read the piece generator.
    pub is_fair: bool,
    /// The player plays by the learned value. So it ranks in points, and accepts [`Foresight::nodes`], another network, other widths and
    /// another aggression.
    pub is_learned: bool,
    /// The player chooses from a list of placements. So it can be restricted to a filter, and plays without gravity.
    pub takes_filters: bool,
    /// The player knows the double killscreen. Of our players, those that read the piece generator or search controller states do not:
    /// they count on one row a frame. Your own player is taken to know it.
    pub plays_double_killscreen: bool,
}

impl fmt::Debug for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, source, limits, filter, .. } = self;
        let mut entry = f.debug_struct("Entry");
        entry.field("name", name).field("source", source).field("limits", limits).field("filter", filter);
        entry.finish_non_exhaustive()
    }
}

fn held(mut policy: Box<dyn Policy>, filter: Option<Arc<dyn Filter>>) -> Box<dyn Policy> {
    if let Some(filter) = filter {
        policy.hold_to(filter);
    }
    policy
}
