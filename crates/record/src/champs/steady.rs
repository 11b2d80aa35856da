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
