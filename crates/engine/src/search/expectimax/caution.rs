//! What a lost game costs beyond the price in the learned values: [`Caution`].

use std::sync::Arc;

use crate::eval::Hazard;
use crate::limits::{Limits, Reaction};
use crate::search::{Aggression, ExpectimaxParameters};

/// The learned hazard of boards, and its price.
///
/// The price is that of the aggression. Up to level 28, a player who sees the next piece only after some 27 frames or more pays
/// [`ExpectimaxParameters::late_caution`] on top: such a player loses more games there than the learned values expect, because they were learned without
/// this delay or without ever seeing the next piece. (With `none-after-spawn` the values were learned by such players, so nothing is added.)
#[derive(Clone, Debug)]
pub(super) struct Caution {
    aggression: Aggression,
    /// In tetrises: up to level 28, and from level 29 on.
    prices: [f32; 2],
    /// `None` if both prices are 0.
    hazard: Option<Arc<Hazard>>,
}

impl Caution {
    /// The caution of a player with this aggression and these input limits.
    pub fn of(aggression: Aggression, input: Limits, parameters: &ExpectimaxParameters) -> Self {
        let is_late = matches!(input.reaction, Reaction::Frames(frames) if frames >= parameters.late_frames);
        let late = if is_late { parameters.late_caution } else { 0.0 };
        let prices = [aggression.caution() + late, aggression.caution()];
        let hazard = prices.iter().any(|&price| price != 0.0).then(Hazard::embedded);
        Self { aggression, prices, hazard }
    }

    /// The aggression that it was made for.
    pub const fn aggression(&self) -> Aggression {
        self.aggression
    }

    /// What a lost game costs at a level, in tetrises at the level of play.
    pub fn price(&self, level: u8) -> f32 {
        self.prices[usize::from(level >= 29)]
    }

    /// The hazard and its price at a level, unless that is 0.
    #[inline]
    pub fn at(&self, level: u8) -> Option<(&Hazard, f32)> {
        let price = self.price(level);
        self.hazard.as_deref().filter(|_| price != 0.0).map(|hazard| (hazard, price))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_late_player_pays_more_until_level_28() {
        let of = |reaction: &str, aggression: &str| {
            let limits = Limits::EACH_BUTTON.with_reaction(reaction.parse().expect("a delay"));
            let aggression = aggression.parse().expect("an aggression");
            let caution = Caution::of(aggression, limits, &ExpectimaxParameters::DEFAULT);
            assert_eq!(caution.aggression(), aggression);
            [0, 28, 29].map(|level| {
                assert_eq!(caution.at(level).is_some(), caution.price(level) != 0.0);
                caution.price(level)
            })
        };
        for reaction in ["0", "24", "26", "none-after-spawn"] {
            assert_eq!(of(reaction, "normal"), [0.0; 3], "{reaction}");
            assert_eq!(of(reaction, "bold"), [-1.5; 3], "{reaction}");
        }
        assert_eq!(of("27", "normal"), [6.0, 6.0, 0.0]);
        assert_eq!(of("30", "safer"), [9.0, 9.0, 3.0]);
    }
}
