//! Particle swarm optimisation (Kennedy and Eberhart 1995) of 17 weights: [`Swarm`].

use serde::{Deserialize, Serialize};

use super::terms::{LIMIT, Weights};
use super::tuning::{Optimiser, RANGE, dice};
use maxout_rules::random::Dice;

/// Most a weight may change in one step.
const SPEED: f64 = RANGE / 2.0;
/// A swarm within this distance of its leader, in every weight, has converged.
const NEAR: f64 = RANGE / 1_000.0;

/// How particles move: `v = inertia v + own r (own best - x) + social r' (leader - x)`.
#[derive(Clone, Copy, PartialEq, Debug, Serialize, Deserialize)]
pub struct Pull {
    /// What is kept of the speed.
    pub inertia: f64,
    /// Towards the particle's own best.
    pub own: f64,
    /// Towards the swarm's best.
    pub social: f64,
}

impl Pull {
    /// The usual choice for the inertia method (van den Bergh and Engelbrecht 2006).
    pub const USUAL: Self = Self { inertia: 0.729_844, own: 1.496_18, social: 1.496_18 };

    /// Clerc and Kennedy's constriction: speed and both pulls, `phi / 2` each, are multiplied by one factor that
    /// makes the swarm converge. `phi` must be above 4.
    ///
    /// ```
    /// use maxout_lab::train::pso::Pull;
    /// assert!((Pull::constriction(4.1).inertia - 0.72984).abs() < 1e-5);
    /// ```
    pub fn constriction(phi: f64) -> Self {
        let factor = 2.0 / (phi - 2.0 + (phi * phi - 4.0 * phi).sqrt());
        Self { inertia: factor, own: factor * phi / 2.0, social: factor * phi / 2.0 }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Particle {
    at: Weights,
    speed: Weights,
    best: Option<(Weights, f64)>,
}

/// The swarm. When its leader has not improved for some generations, or all particles are where it is, it begins
/// again with fresh random weights.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Swarm {
    pull: Pull,
    particles: Vec<Particle>,
    leader: Option<(Weights, f64)>,
    patience: u32,
    stale: u32,
    restarts: u32,
    #[serde(with = "dice")]
    random: Dice,
}

impl Swarm {
    /// A random swarm. It begins again after `patience` generations without a better leader.
    pub fn new(pull: Pull, particles: usize, patience: u32, seed: u64) -> Self {
        let mut swarm = Self {
            pull,
            particles: Vec::with_capacity(particles),
            leader: None,
            patience,
            stale: 0,
            restarts: 0,
            random: Dice::new(seed),
        };
        swarm.scatter(particles);
        swarm
    }

    fn scatter(&mut self, count: usize) {
        (self.leader, self.stale) = (None, 0);
        self.particles.clear();
        for _ in 0..count {
            let at = std::array::from_fn(|_| RANGE * self.random.signed());
            let speed = std::array::from_fn(|_| SPEED * self.random.signed());
            self.particles.push(Particle { at, speed, best: None });
        }
    }

    fn has_converged(&self) -> bool {
        let Some((leader, _)) = &self.leader else { return false };
        let near =
            |particle: &Particle| particle.at.iter().zip(leader).all(|(x, best)| (x - best).abs() < NEAR);
        self.particles.iter().all(near)
    }

    #[allow(clippy::needless_range_loop, reason = "the formulas go by index")]
    fn step(&mut self) {
        let Some((leader, _)) = self.leader else { return };
        let Self { pull, particles, random, .. } = self;
        for Particle { at, speed, best } in particles {
            let own = best.map_or(*at, |(own, _)| own);
            for i in 0..at.len() {
                let to_own = pull.own * random.unit() * (own[i] - at[i]);
                let to_leader = pull.social * random.unit() * (leader[i] - at[i]);
                speed[i] = (pull.inertia * speed[i] + to_own + to_leader).clamp(-SPEED, SPEED);
                at[i] = (at[i] + speed[i]).clamp(-LIMIT, LIMIT);
            }
        }
    }
}

impl Optimiser for Swarm {
    fn candidates(&self) -> Vec<Weights> {
        self.particles.iter().map(|particle| particle.at).collect()
    }

    fn learn(&mut self, worths: &[f64]) {
        self.stale += 1;
        for (particle, &worth) in self.particles.iter_mut().zip(worths) {
            if particle.best.is_none_or(|(_, best)| worth > best) {
                particle.best = Some((particle.at, worth));
            }
            if self.leader.is_none_or(|(_, best)| worth > best) {
                self.leader = Some((particle.at, worth));
                self.stale = 0;
            }
        }
        if self.stale >= self.patience || self.has_converged() {
            self.restarts += 1;
            self.scatter(self.particles.len());
        } else {
            self.step();
        }
    }

    fn restarts(&self) -> u32 {
        self.restarts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::train::tuning::tests::{climbs, goes_down_a_bent_valley};

    /// Tunings are told by their seed, and checkpoints of earlier versions are gone on from.
    #[test]
    fn the_swarm_of_a_seed_and_its_checkpoint_stay_the_same() {
        let swarm = serde_json::to_string(&Swarm::new(Pull::USUAL, 9, 2, 7)).expect("it is written");
        assert_eq!(crc32fast::hash(swarm.as_bytes()), 0xc335_46c9);
    }

    #[test]
    fn climbs_a_hill_by_either_method_and_begins_again_at_the_top() {
        for pull in [Pull::USUAL, Pull::constriction(4.1)] {
            climbs(Swarm::new(pull, 30, 15, 1));
        }
    }

    #[test]
    fn goes_far_down_a_bent_valley() {
        goes_down_a_bent_valley(Swarm::new(Pull::USUAL, 30, 15, 1), 5.0);
    }
}
