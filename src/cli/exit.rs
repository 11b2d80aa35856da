//! How commands end, and on how many threads they work when nobody says.

/// The program's answer was no: exit code 1.
pub const NO: u8 = 1;
/// Bad usage or input: exit code 2.
pub const BAD_INPUT: u8 = 2;
/// Interrupted: exit code 130.
pub const INTERRUPTED: u8 = 130;

/// The threads of a command whose `--jobs` is not given: one per core.
pub fn cores() -> usize {
    std::thread::available_parallelism().map_or(1, usize::from)
}
