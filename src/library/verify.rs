//! Whether a run can be repeated: a [`Verifier`] plays its button log again, from power-on in the emulator or on the
//! rules, and compares the result with the record.

use std::fmt;

use serde::Serialize;
use thiserror::Error;

use maxout_host::session::{self, GameOutcome, SessionError};
use maxout_host::{Console, ConsoleError, Host, Model};
use maxout_record::cartridge;
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::Record;
use maxout_rules::input::{Buttons, InputLog};

/// One thing that came out otherwise than it was recorded.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RunDifference {
    /// The record's field.
    pub what: &'static str,
    /// What it says.
    pub recorded: String,
    /// What came out.
    pub replayed: String,
}

/// Why a run could not be played again.
#[derive(Debug, Error)]
pub enum VerifyError {
    /// The emulator failed.
    #[error(transparent)]
    Console(#[from] ConsoleError),
    /// The host failed, or a user asked to stop.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// It was played on another cartridge.
    #[error("{}", on_another(name, sha1, &format!("the image with SHA-1 {inserted}")))]
    OtherCartridge {
        /// The cartridge's name.
        name: String,
        /// Its SHA-1.
        sha1: String,
        /// The SHA-1 of the cartridge in the machine.
        inserted: String,
    },
    /// No game starts there.
    #[error("start level {0}, expected 0 to 19")]
    StartLevel(u8),
}

/// What to say of a run that was played on the cartridge of this name, while another is inserted.
pub fn on_another(name: &str, sha1: &str, inserted: &str) -> String {
    let unknown = if cartridge::is_unknown(name) { " --allow-unknown" } else { "" };
    format!(
        "played on {name:?} (SHA-1 {sha1}), not on {inserted}; to insert that image, add --rom FILE{unknown}"
    )
}

/// What became of a run that was played again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct RunVerdict {
    /// What it was played on this time.
    pub host: HostKind,
    /// What came out otherwise; empty if the run is true.
    pub differences: Vec<RunDifference>,
}

/// Plays runs again.
#[derive(Debug)]
pub struct Verifier {
    /// The machine, and the SHA-1 of the cartridge in it; none to verify on the rules alone.
    pub console: Option<(Console, String)>,
}

impl Verifier {
    /// Plays a run again: in the emulator if there is one for that version and the game began at power-on, otherwise on the
    /// rules.
    /// `go_on` is asked after every frame of play.
    pub fn verify(
        &mut self,
        record: &Record,
        log: &InputLog,
        go_on: &mut dyn FnMut() -> bool,
    ) -> Result<RunVerdict, VerifyError> {
        let by_model = record.rom.sha1.is_none();
        match &mut self.console {
            // A game of the other version's model cannot be played on this console.
            Some((console, sha1))
                if record.menu_frames > 0 && (!by_model || console.region() == record.region()) =>
            {
                if let Some(recorded) = record.rom.sha1.as_ref().filter(|recorded| *recorded != sha1) {
                    return Err(VerifyError::OtherCartridge {
                        name: record.rom.name.clone(),
                        sha1: recorded.clone(),
                        inserted: sha1.clone(),
                    });
                }
                let differences = on_console(record, log, console, go_on)?;
                Ok(RunVerdict { host: HostKind::Console, differences })
            }
            _ => {
                let differences = on_model(record, log, go_on)?.differences;
                Ok(RunVerdict { host: HostKind::Model, differences })
            }
        }
    }
}

/// Compares everything, the machine's RAM included if the record has its sum.
fn on_console(
    record: &Record,
    log: &InputLog,
    console: &mut Console,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Vec<RunDifference>, VerifyError> {
    console.power_cycle()?;
    let (menu, game) = split(record, log);
    for &buttons in menu {
        console.step(buttons)?;
    }
    let mut differences = replay(record, game, console, go_on)?.differences;
    if let Some(recorded) = &record.ram_crc32 {
        let replayed = format!("{:08x}", console.ram_crc());
        compare(&mut differences, "ram_crc32", recorded.clone(), replayed);
    }
    Ok(differences)
}

/// A run that was played again.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The game, unless it came to an end before its log did.
    pub(super) outcome: Option<GameOutcome>,
    /// What differs from the record.
    pub(super) differences: Vec<RunDifference>,
}

/// Plays on from the state that the seed stands for, and compares everything but RAM.
pub(super) fn on_model(
    record: &Record,
    log: &InputLog,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Replayed, VerifyError> {
    if record.start_level > record.edition().last_start_level() {
        return Err(VerifyError::StartLevel(record.start_level));
    }
    let mut model = Model::new(record.start());
    replay(record, split(record, log).1, &mut model, go_on)
}

/// The menus' frames and the game's.
fn split<'a>(record: &Record, log: &'a InputLog) -> (&'a [Buttons], &'a [Buttons]) {
    let frames = log.frames();
    frames.split_at(frames.len().min(usize::try_from(record.menu_frames).unwrap_or(usize::MAX)))
}

fn replay<H: Host>(
    record: &Record,
    game: &[Buttons],
    host: &mut H,
    go_on: &mut dyn FnMut() -> bool,
) -> Result<Replayed, VerifyError> {
    match session::replay(host, game, record.stop, &mut |_, _, _| go_on()) {
        Ok(outcome) => Ok(Replayed { differences: differences(record, &outcome), outcome: Some(outcome) }),
        Err(error @ (SessionError::Host(_) | SessionError::Interrupted)) => Err(error.into()),
        // That is an answer: the recorded game came to an end.
        Err(error) => {
            let (recorded, replayed) = (record.frames.to_string(), error.to_string());
            let differences = vec![RunDifference { what: "frames", recorded, replayed }];
            Ok(Replayed { outcome: None, differences })
        }
    }
}

fn differences(record: &Record, outcome: &GameOutcome) -> Vec<RunDifference> {
    // Older records do not say of a game that it failed.
    let replayed = GameResult { crashed: record.result.crashed, ..outcome.result };
    let mut found = Vec::new();
    for ((what, recorded), (_, replayed)) in record.result.columns().into_iter().zip(replayed.columns()) {
        compare(&mut found, what, recorded.to_string(), replayed.to_string());
    }
    compare(&mut found, "frames", record.frames.to_string(), outcome.frames.to_string());
    found
}

impl fmt::Display for RunDifference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { what, recorded, replayed } = self;
        // Where the replayed game came to no end, the reason stands for the number.
        if *what == "frames" && replayed.parse::<u64>().is_err() {
            return write!(f, "frames {recorded} recorded, but when replayed: {replayed}");
        }
        write!(f, "{what} {recorded} recorded, {replayed} replayed")
    }
}

fn compare(found: &mut Vec<RunDifference>, what: &'static str, recorded: String, replayed: String) {
    if recorded != replayed {
        found.push(RunDifference { what, recorded, replayed });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_one_phrase_also_if_the_game_has_no_end() {
        let told = |what, replayed: &str| {
            let (recorded, replayed) = ("3206".to_owned(), replayed.to_owned());
            RunDifference { what, recorded, replayed }.to_string()
        };
        assert_eq!(told("frames", "3000"), "frames 3206 recorded, 3000 replayed");
        let hangs = SessionError::Interrupted.to_string();
        assert_eq!(told("frames", &hangs), format!("frames 3206 recorded, but when replayed: {hangs}"));
    }
}
