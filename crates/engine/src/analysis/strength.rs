//! How strong players are beside the one whose games the tables of the calibration were fitted to: [`Strength`].

/// How much better a player is than the one whose games the tables were fitted to, up to level 28.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct Strength {
    /// The player.
    pub player: &'static str,
    /// How often it loses games from ordinary boards, as a share of how often the tables say: from level 19 on, up to level 18.
    pub hazards: [f32; 2],
    /// What it makes of ordinary boards, as a share of what the tables say, for the same levels.
    pub points: [f32; 2],
}

impl Strength {
    /// Returns the strength of a player, by its name. A player that was not measured has the strength of one that is about as good.
    pub(crate) fn of(player: &str) -> &'static Self {
        let name = match player.split('+').next().unwrap_or_default() {
            "maxout-2ply" => "maxout-2ply",
            "maxout-fast" | "maxout-3ply" => "maxout-fast",
            _ => "maxout",
        };
        STRENGTHS.iter().find(|strength| strength.player == name).unwrap_or(&STRENGTHS[0])
    }
}

/// How strong players are that were measured, up to level 28; the first is the one of whose games the tables are. From level 19 on: 1,000
/// games of `maxout-fast` from an empty board at level 19 (lab/notebook/strength.md, 2026-12-01) against the forecast there, 1,403,075
/// points and 0.8 %; `maxout` makes what it made before that day, and loses as many games. Up to level 18: 600 games of `maxout-fast` from level 18 against 1,358,357
/// points; `maxout` was not measured there, and is as much better as from level 19 on. Of the few games that are lost from there, all players lose as many.
pub(super) const STRENGTHS: [Strength; 3] = [
    Strength { player: "maxout-2ply", hazards: [1.0, 1.0], points: [1.0, 1.0] },
    Strength { player: "maxout-fast", hazards: [0.5, 1.0], points: [1.0140, 1.0178] },
    Strength { player: "maxout", hazards: [0.5, 1.0], points: [1.0187, 1.0225] },
];
