//! [`Stream`]: buttons made up from a seed. They come in stretches, each of which presses buttons in its own way.

use crate::random::SplitMix64;
use maxout_engine::player::Mind;
use maxout_host::pilot::Pilot;
use maxout_rules::danger::Health;
use maxout_rules::input::Buttons;
use maxout_rules::ram::{GameMode, GameType, RenderMode, Snapshot};
use maxout_rules::{CURTAIN_DOWN, MenuScript, Opening, PlayState};

/// How the buttons of a stretch come about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Manner {
    /// Any set in every frame.
    Noise,
    /// In each frame, each button changes with a probability of one in this number.
    Sticky(u64),
    /// One button for a frame, then none.
    Taps,
    /// What a hand does: a direction held for a while, a rotation tapped, Down held.
    Hand,
    /// Down all the time, for many pieces and a game that is soon over.
    Drops,
    /// Sets with opposite directions, and the sets with a meaning of their own.
    Contrary,
    /// A pause, however short.
    Pauses,
    /// Through the menus.
    Menus,
    /// Nothing.
    Idle,
    /// A player's plans.
    Played,
}

/// Buttons that depend on a seed and on what they lead to.
pub struct Stream {
    dice: SplitMix64,
    mind: Mind,
    /// Whether most stretches are played, for higher scores than the others come to.
    tame: bool,
}

impl Stream {
    /// The stream of a seed; `mind` plays in some of its stretches.
    pub fn new(seed: u64, mind: Mind) -> Self {
        let mut dice = SplitMix64::new(seed);
        let tame = dice.roll(4) == 0;
        Self { dice, mind, tame }
    }

    /// Makes up the buttons of `frames` frames. `step` plays each and says what came of it, or nothing more to end
    /// the stream; `now` is the state before the first.
    pub fn play<E>(
        &mut self,
        mut now: Snapshot,
        frames: u64,
        step: &mut dyn FnMut(Buttons) -> Result<Option<Snapshot>, E>,
    ) -> Result<(), E> {
        let mut opening = self.opening().into_iter();
        let mut played = 0;
        while played < frames {
            let mut stretch = Stretch::new(&mut self.dice, &mut self.mind, self.tame, &now);
            for _ in 0..stretch.frames.min(frames - played) {
                if plays(&now) != stretch.in_game {
                    break;
                }
                let buttons = opening.next().unwrap_or_else(|| stretch.buttons(&now));
                let Some(after) = step(buttons)? else { return Ok(()) };
                stretch.pilot.verify(&after);
                now = after;
                played += 1;
            }
        }
        Ok(())
    }

    /// Every other stream begins with the shortest way to a game, the others with what comes.
    fn opening(&mut self) -> Vec<Buttons> {
        if self.dice.roll(2) == 0 {
            return Vec::new();
        }
        let (level, wait) = (self.dice.roll(20) as u8, self.dice.roll(120) as u8);
        MenuScript { level, wait }.frames()
    }
}

/// Some frames in one manner.
struct Stretch<'a> {
    dice: &'a mut SplitMix64,
    pilot: Pilot<&'a mut Mind>,
    manner: Manner,
    frames: u64,
    /// Whether an A-type game was on when it began; it ends when that changes.
    in_game: bool,
    /// Buttons that are never pressed here.
    banned: Buttons,
    held: Buttons,
    /// Frames for which `held` is kept.
    keep: u64,
}

impl<'a> Stretch<'a> {
    fn new(dice: &'a mut SplitMix64, mind: &'a mut Mind, tame: bool, now: &Snapshot) -> Self {
        let in_game = plays(now);
        let (manner, longest) = if now.is_paused() && dice.roll(4) > 0 {
            // Most sets of buttons would leave it paused.
            (Manner::Menus, 8)
        } else if in_game && tame && dice.roll(6) > 0 {
            (Manner::Played, 800)
        } else if in_game {
            match dice.roll(24) {
                0 | 1 => (Manner::Noise, 200),
                2 => (Manner::Sticky(4), 200),
                3 => (Manner::Sticky(16), 400),
                4 => (Manner::Sticky(64), 400),
                5..=7 => (Manner::Taps, 200),
                8..=11 => (Manner::Hand, 400),
                12 => (Manner::Contrary, 60),
                13 | 14 => (Manner::Pauses, 60),
                15 => (Manner::Idle, 100),
                16 | 17 => (Manner::Drops, 800),
                _ => (Manner::Played, 800),
            }
        } else {
            match dice.roll(12) {
                0 => (Manner::Noise, 300),
                1 => (Manner::Taps, 300),
                2 => (Manner::Idle, 300),
                _ => (Manner::Menus, 300),
            }
        };
        // Start at any time means a pause, and almost all of a stretch would be one.
        let banned = if dice.roll(6) > 0 { Buttons::START } else { Buttons::NONE };
        let frames = 1 + dice.roll(longest);
        let pilot = Pilot::new(mind, Opening { hang: 0 });
        Self { dice, pilot, manner, frames, in_game, banned, held: Buttons::NONE, keep: 0 }
    }

    fn buttons(&mut self, now: &Snapshot) -> Buttons {
        let any = |dice: &mut SplitMix64| Buttons(dice.roll(256) as u8);
        let one = |dice: &mut SplitMix64| Buttons(1 << dice.roll(8));
        self.keep = self.keep.saturating_sub(1);
        match self.manner {
            Manner::Played if now.is_paused() || !now.is_play() => return self.menu_button(now),
            Manner::Played => return self.pilot.buttons(now, &mut |_| Health::Well),
            Manner::Menus => return self.menu_button(now),
            Manner::Idle => self.held = Buttons::NONE,
            Manner::Noise => self.held = any(self.dice),
            Manner::Sticky(odds) => {
                for bit in 0..8 {
                    self.held.0 ^= u8::from(self.dice.roll(odds) == 0) << bit;
                }
            }
            Manner::Taps => self.held = if self.held.is_empty() { one(self.dice) } else { Buttons::NONE },
            Manner::Hand => self.hand(),
            Manner::Drops => {
                let down = self.dice.roll(12) > 0;
                self.held = if down { Buttons::DOWN } else { Buttons(1 << self.dice.roll(8)) };
            }
            Manner::Contrary => {
                let sets =
                    [0x03, 0x0C, 0x0F, 0x07, 0x0B, 0x83, 0x17, 0x27, 0x13, 0x05, 0x06, 0xF0, 0xFF, 0x04];
                if self.keep == 0 {
                    self.held = Buttons(sets[self.dice.roll(sets.len() as u64) as usize]);
                    self.keep = 1 + self.dice.roll(6);
                    if self.held == Buttons::SOFT_RESET && self.dice.roll(8) > 0 {
                        self.held = Buttons::SPLIT;
                    }
                }
                return self.held;
            }
            Manner::Pauses => {
                let held = if self.dice.roll(3) == 0 { any(self.dice) } else { Buttons::NONE };
                let start = self.dice.roll(2) == 0;
                return if start { Buttons::START } else { held & !Buttons::SELECT };
            }
        }
        self.held & !self.banned
    }

    fn hand(&mut self) {
        if self.keep > 0 {
            // A rotation is tapped while the rest stays.
            self.held.0 &= !0xC0;
            if self.dice.roll(6) == 0 {
                self.held.0 |= [0x80, 0x40][self.dice.roll(2) as usize];
            }
            return;
        }
        let (held, longest) = match self.dice.roll(6) {
            0 => (Buttons::LEFT, 40),
            1 => (Buttons::RIGHT, 40),
            2 | 3 => (Buttons::DOWN, 50),
            4 => (Buttons::SELECT, 2),
            _ => (Buttons::NONE, 12),
        };
        (self.held, self.keep) = (held, 1 + self.dice.roll(longest));
    }

    /// What leads to an A-type game, mostly: every other frame a press.
    fn menu_button(&mut self, now: &Snapshot) -> Buttons {
        if !self.held.is_empty() {
            // A is held on now and then, for the upper ten levels.
            let kept = if self.dice.roll(3) == 0 { self.held & Buttons::A } else { Buttons::NONE };
            self.held = Buttons::NONE;
            return kept;
        }
        let chance = self.dice.roll(8);
        let other_type = now.game_type != GameType::A;
        self.held = match now.game_mode.known() {
            Some(GameMode::TypeMenu) if other_type && chance > 0 => Buttons::LEFT,
            Some(GameMode::LevelMenu) if other_type && chance > 1 => Buttons::B,
            Some(GameMode::LevelMenu) if chance < 5 => Buttons(1 << self.dice.roll(4)),
            Some(GameMode::LevelMenu) if chance == 5 => Buttons::A,
            Some(GameMode::Play) if other_type && chance == 0 => Buttons::SOFT_RESET,
            Some(GameMode::Title | GameMode::TypeMenu | GameMode::LevelMenu) if chance == 0 => {
                Buttons(1 << self.dice.roll(8))
            }
            _ => Buttons::START,
        };
        self.held
    }
}

/// Whether an A-type game is on, paused or not.
fn plays(now: &Snapshot) -> bool {
    let over = now.play_state == PlayState::Curtain && now.curtain_row == CURTAIN_DOWN;
    let shown = matches!(now.render_mode.known(), Some(RenderMode::Still | RenderMode::Play));
    now.is_play() && now.game_type == GameType::A && shown && !over
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_engine::search::Foresight;
    use maxout_gallery::find;
    use maxout_host::{Host, Model};
    use maxout_rules::{Seed, Stop};

    /// Findings are told by the seed of their stream.
    #[test]
    fn the_stream_of_a_seed_stays_the_same() {
        for (seed, want) in [(0, 0xe24c_f8d5), (1, 0x6aff_c003), (2, 0x6be1_f1d9)] {
            let player = find("plateau17").expect("registered");
            let mut model = Model::new(Seed::new(50_000).start(19));
            let (now, mut buttons) = (model.snapshot(), String::new());
            let mut step = |pressed: Buttons| {
                buttons += &format!("{:02x}", pressed.0);
                model.step(pressed)?;
                Ok::<_, maxout_host::HostError>(Some(model.snapshot()))
            };
            let mut stream = Stream::new(seed, player.make(Foresight::DEFAULT, Stop::Level29));
            stream.play(now, 3_000, &mut step).expect("the model goes on");
            assert_eq!(crc32fast::hash(buttons.as_bytes()), want, "stream {seed}");
        }
    }
}
