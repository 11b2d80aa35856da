//! How fast a player taps: [`pace`].

use maxout_rules::Region;
use maxout_rules::input::Buttons;

/// Presses that are further apart than this many frames are not a row of taps.
const MOST_APART: usize = 10;
/// The least number of gaps between taps that says anything.
const FEWEST: usize = 20;

/// Returns the presses a second in rows of taps to one side in frames of this region: by the median of the frames from one press to the
/// next. `None` if there are too few.
pub fn pace(frames: impl IntoIterator<Item = Buttons>, region: Region) -> Option<f32> {
    let mut apart = [0_usize; MOST_APART + 1];
    let mut before = Buttons::NONE;
    // Frames since the last press to the left and to the right.
    let mut since = [None::<usize>; 2];
    for held in frames {
        for (at, (side, other)) in
            [(Buttons::LEFT, Buttons::RIGHT), (Buttons::RIGHT, Buttons::LEFT)].into_iter().enumerate()
        {
            since[at] = since[at].map(|frames| frames + 1);
            let is_pressed = |buttons: Buttons, side: Buttons| buttons.0 & side.0 != 0;
            if is_pressed(held, side) && !is_pressed(before, side) {
                if let Some(count) = since[at].and_then(|frames| apart.get_mut(frames)) {
                    *count += 1;
                }
                since[at] = Some(0);
            } else if is_pressed(held, other) {
                since[at] = None;
            }
        }
        before = held;
    }
    let all: usize = apart.iter().sum();
    let mut passed = 0;
    let median = apart.iter().position(|count| {
        passed += count;
        2 * passed >= all
    })?;
    (all >= FEWEST && median > 0).then(|| (region.frames_per_second() / median as f64) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows of four taps to one side, and a long wait after each row.
    fn taps(side: Buttons, apart: usize) -> Vec<Buttons> {
        let tap = |frame: usize| if frame.is_multiple_of(apart) { side } else { Buttons::NONE };
        (0..12).flat_map(|_| (0..4 * apart).map(tap).chain([Buttons::NONE; 40])).collect()
    }

    #[test]
    fn a_tap_every_fourth_frame_is_fifteen_a_second_and_fewer_on_pal() {
        for side in [Buttons::LEFT, Buttons::RIGHT] {
            for (region, hertz) in [(Region::Ntsc, 15.02), (Region::Pal, 12.5)] {
                let pace = pace(taps(side, 4), region).expect("36 gaps");
                assert!((pace - hertz).abs() < 0.01, "{pace}");
            }
        }
        // Both sides in turn are no row of taps; nor is a button that is held, or a few taps.
        let turns: Vec<Buttons> = [Buttons::LEFT, Buttons::NONE, Buttons::RIGHT, Buttons::NONE].repeat(50);
        assert_eq!(pace(turns, Region::Ntsc), None);
        assert_eq!(pace([Buttons::LEFT; 500], Region::Ntsc), None);
        assert_eq!(pace(taps(Buttons::LEFT, 4).into_iter().take(100), Region::Ntsc), None);
        assert_eq!(pace([], Region::Ntsc), None);
    }
}
