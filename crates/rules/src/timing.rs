//! Gravity and the few delays that have names (the-game.md 3.3, 3.5).

/// The frames per row by level. At level 29 and above, pieces fall one row per frame.
const GRAVITY: [u8; 29] =
    [48, 43, 38, 33, 28, 23, 18, 13, 8, 6, 5, 5, 5, 4, 4, 4, 3, 3, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2];

/// Returns the number of frames that a piece takes to fall one row at `level`.
#[inline]
pub const fn gravity(level: u8) -> u8 {
    if level < 29 { GRAVITY[level as usize] } else { 1 }
}

/// The level from which on a piece falls two rows a frame, where the double killscreen is played.
pub const DOUBLE_KILLSCREEN: u8 = 39;

/// Returns the number of rows that a drop takes a piece down at `level`: 1, as the game has it, or 2 from
/// [`DOUBLE_KILLSCREEN`] on if that is played. No cartridge does that; it is a rule of competitions.
#[inline]
pub const fn rows_per_drop(level: u8, double_killscreen: bool) -> u8 {
    if double_killscreen && level >= DOUBLE_KILLSCREEN { 2 } else { 1 }
}

/// The number of frames for which a direction is held before it repeats.
pub const DAS_FULL: u8 = 16;
/// The value of the auto-repeat counter after a repeat, so that the next one comes 6 frames later.
pub const DAS_REPEAT: u8 = 10;
/// The value of `autorepeat_y` when a game starts. It counts up to 0 and holds the first piece for 96 frames.
pub const FIRST_PIECE_DELAY: u8 = 0xA0;

/// Returns the frames from the failed drop to the first control frame of the next piece, if no line clears (the-game.md
/// 3.5): 11 on the floor, 19 at the top.
#[inline]
pub const fn entry_delay(lock_row: u8) -> u8 {
    let top = lock_row.saturating_sub(2);
    let draws = (20 - top).div_ceil(4);
    2 * draws + 9
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entry_delay_follows_the_lock_row() {
        assert_eq!(
            [19, 18, 17, 14, 13, 10, 9, 6, 5, 0].map(entry_delay),
            [11, 11, 13, 13, 15, 15, 17, 17, 19, 19]
        );
    }
}
