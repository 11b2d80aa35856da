//! `--taps`, `--reaction` and `--misdrop`: what the player's hands and eyes can do, for every command that plays.

use anyhow::{Context, bail};

use crate::cli::args::heading;
use maxout_engine::limits::{Limits, Presses, Reaction};
use maxout_engine::player::Entry;
use maxout_host::hand::MisdropRate;
use maxout_rules::Region;

/// Input limits in place of the player's own, and a hand that may miss.
#[derive(clap::Args, Clone, Copy)]
pub struct HandArgs {
    /// How fast buttons are tapped: 30hz, 24hz, 20hz, 15hz, 12hz, 10hz, slow5, a timeline such as X..X., the frames of a
    /// table such as 0,2,4,6,18, or das (directions are held, and presses are 10 frames apart), 12hz+das and the like
    /// [default: the player's own limits]
    #[arg(long, value_name = "SPEED", help_heading = heading::PLAYER)]
    taps: Option<Presses>,
    /// Reaction delay: for how many frames of a piece the new next piece is not known, or none-after-spawn
    /// [default: 0]
    #[arg(long, value_name = "FRAMES", help_heading = heading::PLAYER)]
    reaction: Option<Reaction>,
    /// How often a press goes wrong, as a probability below 1: half of these presses come a frame late, the others not
    /// at all
    #[arg(long, value_name = "P", default_value_t, help_heading = heading::PLAYER)]
    misdrop: MisdropRate,
}

impl HandArgs {
    /// The first of these flags that was given, and changes something.
    pub fn asked(self) -> Option<&'static str> {
        self.limit().or((self.misdrop != MisdropRate::NONE).then_some("--misdrop"))
    }

    /// The first flag that gives the player other input limits.
    fn limit(self) -> Option<&'static str> {
        self.taps.map(|_| "--taps").or(self.reaction.map(|_| "--reaction"))
    }

    /// Fails if these taps are no taps of this region.
    pub fn check_region(self, region: Region) -> anyhow::Result<()> {
        self.taps.map_or(Ok(()), |taps| taps_in("--taps", taps, region))
    }

    /// How often a press goes wrong, whoever plays.
    pub const fn misdrop(self) -> MisdropRate {
        self.misdrop
    }

    /// The player with these limits, or the one line that says why it takes none.
    pub fn give_to(self, player: Entry) -> anyhow::Result<Entry> {
        let Some(flag) = self.limit() else { return Ok(player) };
        let presses = self.taps.unwrap_or(player.limits.presses);
        let limits = Limits::new(presses).with_reaction(self.reaction.unwrap_or(player.limits.reaction));
        player.with_limits(limits).with_context(|| {
            // Searches over the pieces in sight take other taps without +das, but must see both pieces from the start.
            let taps = player.with_limits(limits.with_reaction(player.limits.reaction));
            let flag = if taps.is_some() { "--reaction" } else { flag };
            format!("{flag}: {} does not take it, expected --player maxout or the like", player.name)
        })
    }
}

/// Fails if games of this region cannot be played with these taps. `culprit` names the flag, and the game if there are several.
pub(crate) fn taps_in(culprit: &str, taps: Presses, region: Region) -> anyhow::Result<()> {
    if taps.only_on_pal() && region != Region::Pal {
        let name = taps.name(Region::Pal);
        bail!("{culprit}: {name}, only the PAL version has this rate, expected one of NTSC such as 12hz");
    }
    Ok(())
}
