//! [`steady`]: numbers of a display without those that are misread.

/// Values that a new value is compared with before it is believed.
const LATER: usize = 4;

/// Replaces numbers that are misread or missing by the last one that most of the next ones do not contradict, and those before
/// the first such number by it. Numbers grow, by at most `most` within a few frames; one that falls is believed if it stays
/// lower.
pub fn steady(values: &mut [Option<u32>], most: u32) {
    let known: Vec<(usize, u32)> =
        values.iter().enumerate().filter_map(|(at, value)| Some((at, (*value)?))).collect();
    let mut now: Option<u32> = None;
    let mut filled = 0;
    for (number, &(at, value)) in known.iter().enumerate() {
        if now == Some(value) {
            continue;
        }
        let later = &known[number + 1..known.len().min(number + 1 + LATER)];
        let falls = now.is_some_and(|now| value < now);
        let agrees = |later: u32| {
            later >= value && later - value <= most && !(falls && now.is_some_and(|now| later >= now))
        };
        let agree = later.iter().filter(|(_, later)| agrees(*later)).count();
        // A step at the very end has nothing after it that could confirm it.
        let is_small = now.is_none_or(|now| value >= now && value - now <= most);
        if 2 * agree > later.len() || later.is_empty() && is_small {
            // Before the first one there is nothing better.
            let before = now.unwrap_or(value);
            values[filled..at].fill(Some(before));
            (now, filled) = (Some(value), at);
        }
    }
    values[filled..].fill(now);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steadied(values: &[u32]) -> Vec<u32> {
        let mut values: Vec<Option<u32>> = values.iter().map(|&value| Some(value)).collect();
        steady(&mut values, 8);
        values.into_iter().flatten().collect()
    }

    #[test]
    fn a_number_that_is_misread_for_a_frame_or_two_does_not_count() {
        assert_eq!(steadied(&[0, 0, 4, 0, 0, 0, 0, 4, 4, 4, 4]), [0, 0, 0, 0, 0, 0, 0, 4, 4, 4, 4]);
        assert_eq!(steadied(&[7, 7, 7, 99, 99, 7, 7, 7, 8, 8]), [7, 7, 7, 7, 7, 7, 7, 7, 8, 8]);
        assert_eq!(steadied(&[99, 1, 1, 1, 1, 1, 3]), [1, 1, 1, 1, 1, 1, 3], "the last needs no other");
        assert_eq!(steadied(&[1, 1, 1, 1, 1, 900]), [1; 6]);
        assert_eq!(steadied(&[9, 9, 9, 5, 9, 9, 9, 9]), [9; 8], "a lower one is no new beginning");
        assert_eq!(steadied(&[9, 9, 9, 9, 9, 2, 2, 2, 2, 3]), [9, 9, 9, 9, 9, 2, 2, 2, 2, 3]);
        assert_eq!(steadied(&[]), [0u32; 0]);
    }

    #[test]
    fn numbers_that_are_missing_are_filled_in() {
        let mut values = [None, Some(3), None, None, Some(3), None, Some(5), Some(5), None];
        steady(&mut values, 8);
        assert_eq!(values.map(Option::unwrap), [3, 3, 3, 3, 3, 3, 5, 5, 5]);
        let mut values = [None; 3];
        steady(&mut values, 8);
        assert_eq!(values, [None; 3]);
    }
}
