//! What becomes of finished games: [`Results`] keeps them in the run library, counts them, and reports.

use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use super::INTERRUPTED;
use super::output::{answer, say, write_json};
use super::play::Options;
use super::progress::Progress;
use crate::batch::{self, BatchError, Finished, Trouble};
use crate::record::library::{Library, LibraryError, Numbers, RunId};
use crate::record::run::{Record, RomName, whole_log};
use crate::report::Tally;
use crate::stats::Statistics;

/// Keeps finished games in the run library, if there is one.
struct Keeper<'a> {
    options: &'a Options,
    library: Option<Library>,
    host: &'static str,
    rom: RomName,
    /// Numbers for games that do not come in order.
    numbers: Option<Numbers>,
    /// Why a game could not be kept; no other is tried then.
    trouble: Option<LibraryError>,
}

/// What is known of a finished game besides itself.
struct Kept {
    statistics: Statistics,
    run: Option<RunId>,
}

impl Keeper<'_> {
    /// Sets numbers aside, so that the games can come in any order.
    fn set_aside(&mut self) -> Result<(), LibraryError> {
        if let Some(library) = &mut self.library {
            self.numbers = Some(library.set_aside(self.options.batch.games)?);
        }
        Ok(())
    }

    /// Keeps the game at `place` in the batch.
    fn keep(&mut self, place: u64, game: &Finished) -> Kept {
        let batch = &self.options.batch;
        let statistics = Statistics::of(&game.outcome.locks, batch.start_level);
        let mut run = None;
        if let (Some(library), None) = (&mut self.library, &self.trouble) {
            let (record, log) = (Record::new(game, batch, self.host, self.rom.clone()), whole_log(game));
            let added = match self.numbers {
                Some(numbers) => library.add_at(numbers, place, &record, &statistics, &log),
                None => library.add(&record, &statistics, &log),
            };
            match added {
                Ok(id) => run = Some(id),
                Err(trouble) => self.trouble = Some(trouble),
            }
        }
        Kept { statistics, run }
    }

    /// What kept a game from being kept.
    fn trouble(&mut self) -> Result<(), Trouble> {
        self.trouble.take().map_or(Ok(()), |trouble| Err(trouble.into()))
    }
}

/// Collects finished games: tally, run library, progress bar.
pub(super) struct Results<'a> {
    keeper: Keeper<'a>,
    tally: Tally,
    pub(super) bar: Rc<Progress>,
    begun: Instant,
}

impl<'a> Results<'a> {
    pub(super) fn new(
        options: &'a Options,
        library: Option<Library>,
        host: &'static str,
        rom: RomName,
    ) -> Self {
        let bar = Rc::new(Progress::new(options.batch.games, "games"));
        let keeper = Keeper { options, library, host, rom, numbers: None, trouble: None };
        Self { keeper, tally: Tally::default(), bar, begun: Instant::now() }
    }

    /// Takes in a game of a batch that is played in order.
    pub(super) fn add(&mut self, game: &Finished) -> Result<(), Trouble> {
        let Kept { statistics, run } = self.keeper.keep(self.tally.games(), game);
        self.tally.add(game, self.keeper.options.batch.player, &statistics, run);
        self.bar.inc(1);
        self.keeper.trouble()
    }

    /// Plays the batch on the model. Each game is kept when it is finished, even if one of an earlier seed is not.
    pub(super) fn sim(&mut self, jobs: usize, interrupt: &AtomicBool) -> Result<(), BatchError> {
        let Self { keeper, tally, bar, .. } = self;
        let batch = &keeper.options.batch;
        keeper.set_aside().map_err(|trouble| BatchError::Sink(trouble.into()))?;
        let ended = batch::sim_kept(
            batch,
            jobs,
            interrupt,
            &mut |place, game| {
                let kept = keeper.keep(place, game);
                bar.inc(1);
                // Without the library no more games are wanted; those that are finished still count.
                interrupt.fetch_or(keeper.trouble.is_some(), Ordering::Relaxed);
                kept
            },
            &mut |game, Kept { statistics, run }| {
                tally.add(&game, batch.player, &statistics, run);
                Ok(())
            },
        );
        if let (Some(library), Some(numbers)) = (&mut keeper.library, keeper.numbers)
            && tally.games() < batch.games
        {
            // What the numbers are then is of no matter to the games.
            let _ = library.give_back(numbers);
        }
        keeper.trouble().map_err(BatchError::Sink)?;
        ended
    }

    /// Prints and writes what was finished, also after an error or an interrupt.
    pub(super) fn finish(self, ended: Result<(), BatchError>) -> anyhow::Result<ExitCode> {
        self.bar.finish();
        let Self { keeper: Keeper { options, library, host, rom, .. }, tally, begun, .. } = self;
        let library = library.map(|library| library.path().display().to_string());
        let wanted = options.batch.games;
        let finished = tally.games();
        let mut answered = Ok(());
        if finished > 0 {
            let shard = options.whole.map(|whole| tally.shard(&whole));
            let mut report = tally.report(&options.batch, host, rom, begun.elapsed(), library);
            report.shard = shard;
            if !options.timings {
                report.leave_out_times();
            }
            let written = options.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, &report));
            // Whatever became of the file, the answer is not lost.
            answered = answer(&report.to_string());
            written?;
        }
        ended?;
        if finished < wanted {
            // A terminal that was closed takes no answer.
            if let Err(error) = answered {
                say!("{error:#}");
            }
            say!("interrupted after {finished} of {wanted} games; what was finished is kept");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        answered.map(|()| ExitCode::SUCCESS)
    }
}
