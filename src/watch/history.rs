//! [`History`]: the frames so far, and which of them is shown.

use std::collections::VecDeque;

use super::view::Scene;

/// Frames that are remembered: ten minutes.
const MOST: usize = 36_000;

/// A frame that was seen.
#[derive(Clone, Debug)]
struct Seen {
    scene: Scene,
    /// Whether a piece came into play in it.
    spawned: bool,
}

/// The last frames of play. One of them is shown: the newest, unless the user stepped back.
#[derive(Clone, Debug, Default)]
pub struct History {
    frames: VecDeque<Seen>,
    /// Frames between the shown one and the newest.
    back: usize,
}

impl History {
    /// Takes in a frame, which is then shown.
    pub fn add(&mut self, scene: Scene, spawned: bool) {
        if self.frames.len() == MOST {
            self.frames.pop_front();
        }
        self.frames.push_back(Seen { scene, spawned });
        self.back = 0;
    }

    fn shown(&self) -> Option<&Seen> {
        self.frames.len().checked_sub(1 + self.back).and_then(|at| self.frames.get(at))
    }

    /// What is shown.
    pub fn scene(&self) -> Option<&Scene> {
        self.shown().map(|seen| &seen.scene)
    }

    /// Whether a piece came into play in the frame that is shown.
    pub fn spawned(&self) -> bool {
        self.shown().is_some_and(|seen| seen.spawned)
    }

    /// Frames between the shown one and the newest.
    pub fn back(&self) -> usize {
        self.back
    }

    /// Shows the frame before, if it is remembered. False at the oldest.
    pub fn step_back(&mut self) -> bool {
        let older = self.back + 1 < self.frames.len();
        self.back += usize::from(older);
        older
    }

    /// Shows the frame in which the piece before came into play, or the oldest.
    pub fn piece_back(&mut self) {
        while self.step_back() && !self.spawned() {}
    }

    /// Shows the frame after. False at the newest.
    pub fn step_on(&mut self) -> bool {
        let newer = self.back > 0;
        self.back -= usize::from(newer);
        newer
    }

    /// Changes the newest frame, which is then shown.
    pub fn amend(&mut self, change: impl FnOnce(&mut Scene)) {
        self.back = 0;
        if let Some(newest) = self.frames.back_mut() {
            change(&mut newest.scene);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As many frames, with a piece in every tenth.
    fn seen(frames: u32) -> History {
        let mut history = History::default();
        for pieces in 1..=frames {
            history.add(Scene { pieces, ..Scene::new("maxout (fair)", "seed 1", "") }, pieces % 10 == 0);
        }
        history
    }

    fn shown(history: &History) -> u32 {
        history.scene().expect("a frame").pieces
    }

    #[test]
    fn steps_go_back_by_frames_and_pieces_and_on_again() {
        let mut history = seen(35);
        assert!(history.step_back() && history.step_back());
        assert_eq!((shown(&history), history.back()), (33, 2));
        history.piece_back();
        assert_eq!(shown(&history), 30);
        history.piece_back();
        assert_eq!(shown(&history), 20);
        assert!(history.step_on());
        assert_eq!(shown(&history), 21);
        history.add(Scene { pieces: 36, ..Scene::new("maxout (fair)", "seed 1", "") }, false);
        assert_eq!((shown(&history), history.step_on()), (36, false));
    }

    #[test]
    fn the_oldest_frame_is_the_end_and_memory_is_bounded() {
        let mut history = History::default();
        assert!(!history.step_back() && history.scene().is_none());
        history = seen(5);
        history.piece_back();
        assert_eq!((shown(&history), history.step_back()), (1, false));
        let mut history = seen(MOST as u32 + 100);
        while history.step_back() {}
        assert_eq!(shown(&history), 101);
    }
}
