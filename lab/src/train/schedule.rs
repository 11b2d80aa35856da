//! [`Schedule`]: what a training does, stage by stage, as written in TOML.

use maxout_rules::FallRule;
use std::borrow::Cow;
use std::ops::RangeInclusive;

use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::error::TrainError;
use super::td::{GAMMA, StageRules};
use crate::resumed::{Facts, Identity, ResumeError, fact};
use crate::weights_file;
use maxout::text::{brief, is_control, quoted};
use maxout_engine::eval::ntuple::{DEATH, SPEEDS, speed};
use maxout_engine::eval::weights;
use maxout_engine::limits::{Limits, Reaction, TapTable};

/// The schedule that made the shipped weights.
pub const SHIPPED: &str = include_str!("schedule.toml");
/// The schedule that made the network of the plateau: levels 19 to 28 at 30 Hz.
pub const PLATEAU: &str = include_str!("plateau.toml");
/// The schedules of the small tables for other taps.
const TAPS: [(TapTable, &str); 7] = [
    (TapTable::HZ_30, include_str!("taps/30hz.toml")),
    (TapTable::HZ_24, include_str!("taps/24hz.toml")),
    (TapTable::HZ_20, include_str!("taps/20hz.toml")),
    (TapTable::HZ_15, include_str!("taps/15hz.toml")),
    (TapTable::HZ_12, include_str!("taps/12hz.toml")),
    (TapTable::HZ_10, include_str!("taps/10hz.toml")),
    (TapTable::SLOW_5, include_str!("taps/slow5.toml")),
];

/// Returns the schedule of the small tables for these taps, if there is one.
pub fn for_taps(taps: TapTable) -> Option<&'static str> {
    TAPS.iter().find(|(table, _)| *table == taps).map(|(_, text)| *text)
}

/// Most games side by side: each has its own random numbers.
const GAMES: u32 = 1 << 16;
/// Most chunks of a schedule, and most pieces of each: what adds them up stays within its numbers.
const CHUNKS: u64 = 1_000_000;
const PIECES: u64 = 1_000_000_000_000;
/// Most candidates; few pieces have as many placements.
const CANDIDATES: usize = 128;
/// Most fans of placements that games side by side hold, each of 20 to 30 KB: one a game and one a candidate.
const FANS: usize = 1 << 14;
/// The worst that a lost game may be worth, in tetrises.
const WORST: f32 = -1000.0;
/// The same in a file of weights.
const PLATEAU_WORST: f32 = -64.0;
/// The largest discount: what is 1,000 pieces ahead still counts 37 %.
const LONGEST: f32 = 0.999;
/// The levels that the network of the plateau is for.
const PLATEAU_LEVELS: RangeInclusive<u8> = 19..=28;
/// Most stages, and most characters of the name of one.
const STAGES: usize = 1000;
const NAME: usize = 80;

/// Most bytes of a schedule.
pub const MAX_BYTES: u64 = 1 << 20;

/// A training run, as written in TOML.
#[derive(Clone, PartialEq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Schedule {
    /// Seed of all random numbers.
    pub seed: u64,
    /// Pieces of a chunk, over all threads.
    pub chunk_pieces: u64,
    /// Games that are played side by side, in rounds, so that threads and ranks do not change what is learned. Without
    /// it each thread plays a game of its own and they race.
    #[serde(default)]
    pub games: Option<u32>,
    /// Whether to begin with the shipped weights, and, except for the plateau, to learn only the small tables of the speeds that
    /// are played.
    #[serde(default)]
    pub shipped: bool,
    /// Whether to learn the network for levels 19 to 28 at 30 Hz, which has tables that the shipped weights lack: all of its
    /// tables learn. With `alone`, learn the same 90 tables for one speed of fall, at any level that `alone` allows.
    #[serde(default)]
    pub plateau: bool,
    /// Whether to learn all tables for one speed of fall, one tap speed and one reaction delay, beginning from shipped ones.
    #[serde(default)]
    pub alone: bool,
    /// What to do, in order.
    pub stage: Vec<TrainingStage>,
}

/// A part of a schedule.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is a key of its own in the file")]
pub struct TrainingStage {
    /// For the learning curve.
    pub name: String,
    /// Level whose gravity is played.
    pub level: u8,
    /// Chunks to play.
    pub chunks: u64,
    /// Pieces of a chunk of this stage, if not as many as in the others.
    #[serde(default)]
    pub chunk_pieces: Option<u64>,
    /// Placements that are followed by the next piece; 1 is greedy play.
    #[serde(default = "one")]
    pub candidates: usize,
    /// Value of a lost game, in tetrises.
    #[serde(default)]
    pub death: f32,
    /// Whether to forget step sizes first.
    #[serde(default)]
    pub restart_steps: bool,
    /// Whether `weights.bin` will be the mean of the tables after each chunk of this stage; of the last stage only.
    #[serde(default)]
    pub average: bool,
    /// Whether the stage ends with the mean of the tables after each of its chunks. Later stages go on from that.
    #[serde(default)]
    pub settle: bool,
    /// Whether the large tables tell max heights apart; the first such stage begins with the same in all bands.
    #[serde(default)]
    pub by_height: bool,
    /// Share of boards, those of the least value, that are played again with other pieces; 0 for none.
    #[serde(default)]
    pub drill: f32,
    /// Whether the board that is played learns for all seven next pieces.
    #[serde(default)]
    pub all_next: bool,
    /// Placements that leave this many more holes than another one are left out; without it, none are.
    #[serde(default)]
    pub hole_margin: Option<u8>,
    /// The discount per piece of a board's difference from an ordinary one.
    #[serde(default = "discount")]
    pub discount: f32,
    /// When the next piece is seen, as `--reaction` says it; with `alone` only.
    #[serde(default, deserialize_with = "read_reaction", serialize_with = "write_reaction")]
    pub reaction: Reaction,
    /// How much error, in tetrises, a weight must have seen before its step is as long as its errors agree; 0 for none.
    #[serde(default)]
    pub patience: f32,
    /// How fast buttons are tapped; without it each button at most every second frame.
    #[serde(default)]
    pub taps: Option<TapTable>,
    /// Whether pieces fall two rows a frame from level 39 on.
    #[serde(default)]
    pub double_killscreen: bool,
}

impl TrainingStage {
    /// Whether the mean of the tables after each of its chunks is kept.
    pub(super) const fn has_mean(&self) -> bool {
        self.average || self.settle
    }

    /// The input limits of its play.
    pub fn limits(&self) -> Limits {
        self.taps.map_or(Limits::EACH_BUTTON, Limits::taps).with_reaction(self.reaction)
    }

    /// How fast pieces fall.
    pub(super) const fn fall_rule(&self) -> FallRule {
        FallRule::with_double_killscreen(self.double_killscreen)
    }

    /// What it plays and pays in this schedule.
    pub(super) fn rules(&self, &Schedule { shipped, alone, .. }: &Schedule) -> StageRules {
        let limits = self.limits();
        StageRules {
            level: self.level,
            candidates: self.candidates,
            death: self.death,
            by_height: self.by_height,
            drill: self.drill,
            all_next: self.all_next,
            hole_margin: self.hole_margin,
            discount: self.discount,
            patience: self.patience,
            limits,
            fall_rule: self.fall_rule(),
            slow_taps: shipped && limits.is_slower_than_30_hz(),
            alone,
        }
    }

    /// Refuses what cannot be played; `games` are those side by side.
    fn check(&self, games: Option<u32>) -> Result<(), String> {
        let &Self { ref name, chunks, candidates, death, drill, patience, hole_margin, discount, .. } = self;
        // The name is a field of a table.
        if name.chars().count() > NAME || name.contains(|c: char| c == ',' || c == '"' || is_control(c)) {
            return Err(format!("expected a name of at most {NAME} characters without commas or quotes"));
        }
        if self.has_mean() && chunks == 0 {
            return Err(
                "chunks = 0, expected at least 1 where `average` or `settle` asks for their mean".to_owned()
            );
        }
        if !(1..=CANDIDATES).contains(&candidates) {
            return Err(format!("candidates = {candidates}: expected from 1 to {CANDIDATES}"));
        }
        if let Some(games) = games.filter(|&games| games as usize * (candidates + 1) > FANS) {
            let expected = format!("expected games × (candidates + 1) of at most {FANS}");
            return Err(format!("games = {games} with candidates = {candidates}: {expected}"));
        }
        if !(WORST..=0.0).contains(&death) {
            return Err(format!("death = {death:?}: expected from {WORST} to 0"));
        }
        if !(0.0..=0.5).contains(&drill) {
            return Err(format!("drill = {drill:?}: expected from 0 to 0.5"));
        }
        // Otherwise nothing would be left.
        if hole_margin == Some(0) {
            return Err("hole_margin = 0: expected from 1 to 255".to_owned());
        }
        if !(GAMMA..=LONGEST).contains(&discount) {
            return Err(format!("discount = {discount:?}: expected from {GAMMA} to {LONGEST}"));
        }
        if !(0.0..=1000.0).contains(&patience) {
            return Err(format!("patience = {patience:?}: expected from 0 to 1000"));
        }
        Ok(())
    }

    /// Refuses what the network of the plateau is not for.
    fn check_plateau(&self) -> Result<(), String> {
        let &Self { level, death, by_height, taps, double_killscreen, .. } = self;
        if !PLATEAU_LEVELS.contains(&level) {
            let (first, last) = (PLATEAU_LEVELS.start(), PLATEAU_LEVELS.end());
            return Err(format!("level = {level}: expected from {first} to {last} with `plateau`"));
        }
        if let Some(taps) = taps.filter(|&taps| taps != TapTable::HZ_30) {
            return Err(format!("taps = \"{taps}\": expected {} or none with `plateau`", TapTable::HZ_30));
        }
        if double_killscreen {
            return Err("double_killscreen = true: expected false with `plateau`".to_owned());
        }
        // The shipped weights do so, and would forget it.
        if !by_height {
            return Err("by_height = false: expected true with `plateau`".to_owned());
        }
        if death < PLATEAU_WORST {
            return Err(format!("death = {death:?}: expected from {PLATEAU_WORST} to 0 with `plateau`"));
        }
        Ok(())
    }

    /// Refuses what tables for one speed of fall are not for; `first` is the first stage.
    fn check_alone(&self, first: &Self) -> Result<(), String> {
        let &Self { level, death, by_height, taps, double_killscreen, reaction, .. } = self;
        if level > 137 {
            return Err(format!("level = {level}: expected up to 137 with `alone`"));
        }
        // These are the shipped weights.
        if PLATEAU_LEVELS.contains(&level)
            && reaction == Reaction::NONE
            && !self.limits().is_slower_than_30_hz()
        {
            return Err(format!(
                "level = {level}: expected up to 18 or from 29 on with `alone`, these taps and no reaction delay"
            ));
        }
        if (level, taps, double_killscreen, reaction)
            != (first.level, first.taps, first.double_killscreen, first.reaction)
        {
            return Err(
                "expected level, taps, double_killscreen and reaction of the first stage with `alone`"
                    .to_owned(),
            );
        }
        if !by_height {
            return Err("by_height = false: expected true with `alone`".to_owned());
        }
        if death < PLATEAU_WORST {
            return Err(format!("death = {death:?}: expected from {PLATEAU_WORST} to 0 with `alone`"));
        }
        Ok(())
    }

    /// Refuses what only tables for one speed of fall learn by.
    fn check_reaction(&self) -> Result<(), String> {
        if self.reaction != Reaction::NONE {
            let reaction = self.reaction.typed();
            return Err(format!(
                "reaction = \"{reaction}\": expected \"0\", or `alone = true` in the schedule"
            ));
        }
        Ok(())
    }
}

fn read_reaction<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Reaction, D::Error> {
    let text = Cow::<str>::deserialize(deserializer)?;
    text.parse().map_err(D::Error::custom)
}

fn write_reaction<S: Serializer>(reaction: &Reaction, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(&reaction.typed())
}

fn one() -> usize {
    1
}

fn discount() -> f32 {
    GAMMA
}

/// The stages that have a part in the first `done` chunks, each with the number of its chunks that are done, and whether it has
/// settled.
fn begun(stages: &[TrainingStage], done: u64) -> Vec<(&TrainingStage, u64, bool)> {
    let mut left = done;
    let mut found = Vec::new();
    for stage in stages {
        let chunks = left.min(stage.chunks);
        left -= chunks;
        if chunks > 0 {
            found.push((stage, chunks, stage.settle && chunks == stage.chunks));
        }
    }
    found
}

/// A stage as JSON, with the digits that a file has.
fn written(stage: &TrainingStage) -> Value {
    serde_json::to_string(stage).and_then(|text| serde_json::from_str(&text)).unwrap_or_default()
}

/// What tells the shipped weights from others.
pub(super) fn shipped_weights() -> Value {
    format!("{:08x}", weights_file::identity(&weights::embedded_file()).0).into()
}

impl Schedule {
    /// Reads a schedule; an error names the line.
    pub fn parse(text: &str) -> Result<Self, TrainError> {
        let schedule: Self = toml::from_str(text).map_err(|e| TrainError::Schedule(brief(&e)))?;
        schedule.check().map_err(TrainError::Schedule)?;
        Ok(schedule)
    }

    /// Refuses what training would break off at, or run out of memory.
    fn check(&self) -> Result<(), String> {
        if !(1..=STAGES).contains(&self.stage.len()) {
            return Err(format!("{} stages: expected from 1 to {STAGES}", self.stage.len()));
        }
        let chunks = self.stage.iter().try_fold(0u64, |sum, stage| sum.checked_add(stage.chunks));
        if chunks.is_none_or(|chunks| chunks > CHUNKS) {
            return Err(format!("expected at most {CHUNKS} chunks in all"));
        }
        if let Some(games) = self.games.filter(|games| !(1..=GAMES).contains(games)) {
            return Err(format!("games = {games}: expected from 1 to {GAMES}"));
        }
        for (key, there) in [("plateau", self.plateau), ("alone", self.alone)] {
            if there && !self.shipped {
                return Err(format!("{key} = true: expected `shipped = true` beside it"));
            }
        }
        // Without games side by side each thread plays one.
        let fewest = self.games.map_or(1, u64::from);
        for pieces in self.stage.iter().filter_map(|stage| stage.chunk_pieces).chain([self.chunk_pieces]) {
            if !(fewest..=PIECES).contains(&pieces) {
                let games = if fewest > 1 { ", the number of games," } else { "" };
                return Err(format!("chunk_pieces = {pieces}: expected from {fewest}{games} to {PIECES}"));
            }
        }
        self.stage.iter().try_for_each(|stage| {
            stage
                .check(self.games)
                .and_then(|()| if self.plateau && !self.alone { stage.check_plateau() } else { Ok(()) })
                .and_then(
                    |()| if self.alone { stage.check_alone(&self.stage[0]) } else { stage.check_reaction() },
                )
                .and_then(|()| match stage.death {
                    // The file says it, and could not be read.
                    death if self.shipped && death < PLATEAU_WORST => {
                        Err(format!("death = {death:?}: expected from {PLATEAU_WORST} to 0 with `shipped`"))
                    }
                    _ => Ok(()),
                })
                .map_err(|message| format!("stage {}: {message}", quoted(&stage.name)))
        })
    }

    /// What a lost game is worth at each speed, in tetrises, by the last stage which plays it.
    pub(super) fn deaths(&self) -> [f32; SPEEDS] {
        let mut deaths = [DEATH; SPEEDS];
        for stage in &self.stage {
            let slow_taps = self.shipped && stage.limits().is_slower_than_30_hz();
            deaths[speed(stage.level, stage.fall_rule(), slow_taps)] = stage.death;
        }
        deaths
    }

    /// What decides the results of a training by this schedule. The list of stages is for [`Self::check_done`].
    pub(super) fn identity(&self) -> Identity {
        let &Self { seed, chunk_pieces, games, shipped, plateau, alone, ref stage } = self;
        let weights = if shipped { shipped_weights() } else { Value::Null };
        let facts = [
            ("seed", seed.into()),
            ("chunk_pieces", chunk_pieces.into()),
            ("games", games.into()),
            ("shipped", shipped.into()),
            ("plateau", plateau.into()),
            ("alone", alone.into()),
            ("weights", weights),
            ("stage", Value::Array(stage.iter().map(written).collect())),
        ];
        Identity::new("maxout-td 1", "maxout-lab train td", "a training", facts)
    }

    /// Fails unless the first `done` chunks of the schedule in `kept` are those of this one. What comes after them may differ:
    /// a schedule may become longer.
    pub(super) fn check_done(&self, kept: &Facts, done: u64, identity: &Identity) -> Result<(), ResumeError> {
        let stages = kept.get("stage").cloned().unwrap_or_default();
        let kept: Vec<TrainingStage> = serde_json::from_value(stages)
            .map_err(|error| identity.foreign(format!("stage: {}", brief(&error))))?;
        let (before, after) = (begun(&kept, done), begun(&self.stage, done));
        let stages = (before.len(), after.len());
        for ((was, was_done, was_settled), (now, now_done, now_settled)) in before.into_iter().zip(after) {
            let (got, want) = (written(was), written(now));
            let keys = want.as_object().into_iter().flat_map(|stage| stage.keys());
            let key = keys.into_iter().find(|key| *key != "chunks" && got[*key] != want[*key]);
            // How long a stage in progress is to be may change.
            let other_length = was_done != now_done || was_settled != now_settled;
            if let Some(key) = key.map(String::as_str).or(other_length.then_some("chunks")) {
                let stage = format!("stage {} with {}", quoted(&now.name), fact(key));
                return Err(identity.differs(&stage, &got[key], &want[key]));
            }
        }
        if stages.0 != stages.1 {
            return Err(identity.differs("stages that are begun", &stages.0.into(), &stages.1.into()));
        }
        Ok(())
    }

    /// All chunks of all stages.
    pub fn chunks(&self) -> u64 {
        self.stage.iter().map(|stage| stage.chunks).sum()
    }

    /// Pieces of the first `chunks` chunks.
    pub fn pieces(&self, chunks: u64) -> u64 {
        let mut left = chunks;
        let count = |stage: &TrainingStage| {
            let chunks = left.min(stage.chunks);
            left -= chunks;
            chunks * stage.chunk_pieces.unwrap_or(self.chunk_pieces)
        };
        self.stage.iter().map(count).sum()
    }

    /// The stage of a chunk, and whether it is the stage's first.
    pub(super) fn stage_of(&self, chunk: u64) -> Option<(&TrainingStage, bool)> {
        let mut first = 0;
        for stage in &self.stage {
            if chunk < first + stage.chunks {
                return Some((stage, chunk == first));
            }
            first += stage.chunks;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_tap_speed_has_a_schedule_that_begins_with_the_shipped_weights() {
        for (taps, text) in TAPS {
            let schedule = Schedule::parse(text).expect("whole");
            assert!(schedule.shipped && for_taps(taps) == Some(text), "{taps}");
            for stage in &schedule.stage {
                assert_eq!(stage.taps.unwrap_or(TapTable::HZ_30), taps, "{taps}, {}", stage.name);
                // Otherwise the tables that all speeds share would learn.
                let own = !(19..=28).contains(&stage.level) || stage.taps.is_some();
                assert!(own, "{taps}, {}", stage.name);
            }
        }
        assert!(for_taps("0,2,5".parse().expect("taps")).is_none());
        let slow = Schedule::parse(for_taps(TapTable::HZ_15).expect("there")).expect("whole");
        let mut deaths = [DEATH; SPEEDS];
        (deaths[2], deaths[3]) = (-3.0, 0.0);
        assert_eq!(slow.deaths().map(f32::to_bits), deaths.map(f32::to_bits));
    }

    #[test]
    fn what_would_break_off_or_run_out_of_memory_is_refused_before() {
        let parse = |top: &str, stage: &str| {
            let text = format!(
                "seed = 1\nchunk_pieces = 50\n{top}\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n\
                 [[stage]]\nname = \"b\"\nlevel = 19\n{stage}"
            );
            Schedule::parse(&text).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(parse("", "chunks = 0"), Ok(()));
        assert_eq!(parse("games = 50", "chunks = 1\ncandidates = 128\ndeath = -10.0"), Ok(()));
        for (top, stage, culprit) in [
            ("", "chunks = 0\naverage = true", "chunks = 0"),
            ("", "chunks = 1\ncandidates = 9223372036854775807", "candidates = 9223372036854775807"),
            ("", "chunks = 1\ncandidates = 0", "candidates = 0"),
            ("games = 65537", "chunks = 1", "games = 65537"),
            ("games = 40", "chunks = 1\ncandidates = 128\nchunk_pieces = 30", "chunk_pieces = 30"),
            ("", "chunks = 1\ndeath = -inf", "death = -inf"),
            ("", "chunks = 1\ndeath = -1e300", "death = -inf"),
            ("", "chunks = 1\ndeath = nan", "death = NaN"),
            ("", "chunks = 1\ndeath = 1.0", "death = 1.0"),
            ("", "chunks = 1\ndrill = 0.6", "drill = 0.6"),
            ("", "chunks = 1\ndiscount = 0.98", "discount = 0.98"),
            ("", "chunks = 1\ndiscount = 1.0", "discount = 1.0"),
            ("", "chunks = 1\npatience = -1.0", "patience = -1.0"),
            ("", "chunks = 1\nhole_margin = 0", "hole_margin = 0"),
            ("", "chunks = 1\nhole_margin = 256", "256"),
            ("plateau = true", "chunks = 1", "plateau = true"),
            ("shipped = true", "chunks = 1\ndeath = -64.5", "death = -64.5"),
        ] {
            let error = parse(top, stage).expect_err(culprit);
            assert!(error.contains(culprit) && error.contains("expected"), "{error}");
        }
        let plateau = |stage: &str| {
            let text = format!(
                "seed = 1\nchunk_pieces = 50\nshipped = true\nplateau = true\n[[stage]]\nname = \"a\"\nchunks = 1\n{stage}"
            );
            Schedule::parse(&text).map(|_| ()).map_err(|error| error.to_string())
        };
        assert_eq!(plateau("level = 28\nby_height = true\ntaps = \"30hz\"\ndeath = -64.0"), Ok(()));
        for (stage, culprit) in [
            ("level = 18\nby_height = true", "level = 18"),
            ("level = 29\nby_height = true", "level = 29"),
            ("level = 19\nby_height = true\ntaps = \"20hz\"", "taps = \"20hz\""),
            ("level = 19\nby_height = true\ndouble_killscreen = true", "double_killscreen = true"),
            ("level = 19", "by_height = false"),
            ("level = 19\nby_height = true\ndeath = -65.0", "death = -65.0"),
        ] {
            let error = plateau(stage).expect_err(culprit);
            assert!(error.contains("stage \"a\": ") && error.contains(culprit), "{error}");
            assert!(error.contains("expected") && error.contains("with `plateau`"), "{error}");
        }
        let many = "seed = 1\nchunk_pieces = 60000\ngames = 60000\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 1\n";
        let error = Schedule::parse(many).expect_err("too many").to_string();
        assert!(error.contains("games = 60000"), "{error}");
    }
}
