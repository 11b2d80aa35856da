//! Replay an FCEUX movie from power-on in the emulator, and print where each piece locks and which lines it clears.
//! Without a cartridge image it plays the built-in test cartridge.
//!
//! `cargo run --release -p maxout-host --example list_placements -- docs/perfect.fm2 [CARTRIDGE]`

use std::error::Error;
use std::io::{self, Write};
use std::{env, fs};

use maxout_host::{Console, TEST_CARTRIDGE};
use maxout_rules::input::Buttons;
use maxout_rules::observer::Observer;

/// Reads the first controller of a record: the letters `RLDUTSBA`, with a dot for each released button. Returns `None`
/// if the line is not a record.
fn controller(line: &str) -> Option<Buttons> {
    let pad = line.strip_prefix('|')?.split('|').nth(1)?;
    let held = pad.bytes().enumerate().filter(|(_, letter)| !matches!(letter, b'.' | b' '));
    Some(Buttons(held.fold(0, |buttons, (bit, _)| buttons | 1 << bit)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let movie = arguments.next().ok_or("expected a movie: list_placements MOVIE.fm2 [CARTRIDGE]")?;
    let cartridge = arguments.next().map_or(Ok(TEST_CARTRIDGE.to_vec()), fs::read)?;
    let mut out = io::stdout().lock();
    let mut console = Console::power_on(&cartridge)?;
    let mut observer = Observer::default();
    let (mut pieces, mut lines) = (0, 0);
    // In FCEUX the game sees the first record one frame later than in our emulator.
    for (frame, buttons) in (1..).zip(fs::read_to_string(movie)?.lines().filter_map(controller).skip(1)) {
        console.step(buttons)?;
        let now = console.snapshot();
        let events = observer.see(&now);
        if events.began {
            writeln!(out, "frame {frame}: a game begins on level {}", now.progress.level)?;
            (pieces, lines) = (0, 0);
        }
        if let Some(place) = events.locked {
            pieces += 1;
            let piece = place.orientation.piece();
            writeln!(
                out,
                "frame {frame}: piece {pieces}, {piece} {:?} at column {}, row {}",
                place.orientation, place.x, place.y
            )?;
        }
        if let Some(lock) = events.scored
            && lock.rows > 0
        {
            lines += u32::from(lock.rows);
            writeln!(out, "frame {frame}: {} lines, {lines} in all", lock.rows)?;
        }
        if let Some(end) = events.ended {
            writeln!(out, "frame {frame}: the game is over ({end:?})")?;
        }
    }
    Ok(())
}
