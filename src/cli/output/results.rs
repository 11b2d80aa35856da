//! What happens to the games of `play` and `sim`: [`Results`] keeps, counts and tells them, [`GamesBar`] shows how far
//! they are.

use std::process::ExitCode;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::cli::args::games::Options;
use crate::cli::exit::INTERRUPTED;
use crate::cli::output::progress::Progress;
use crate::cli::output::{answer, say, write_json};
use crate::library::run::record_now;
use crate::library::store::{Library, LibraryError, Numbers, RunId};
use crate::results::Tally;
use crate::stats::Statistics;
use crate::words::{count, number};
use maxout_host::batch::{self, Batch, BatchError, Finished, Trouble};
use maxout_host::session::GameOutcome;
use maxout_record::result::{GameResult, HostKind};
use maxout_record::run::RomName;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Score, Seed};

/// How far games are. Where their stop counts lines, so does the bar: one game moves it, too.
#[derive(Debug)]
pub(crate) struct GamesBar {
    bar: Progress,
    games: u64,
    first_seed: u64,
    /// Lines of a game.
    lines: Option<u64>,
}

impl GamesBar {
    fn new(batch: &Batch) -> Self {
        let Batch { games, first_seed, .. } = *batch;
        let lines = batch.lines();
        let bar = match lines {
            Some(lines) => Progress::new(games * lines, "lines"),
            None => Progress::new(games, "games"),
        };
        Self { bar, games, first_seed, lines }
    }

    /// Counts this many more lines, of any game.
    pub(crate) fn cleared(&self, lines: u64) {
        if self.lines.is_some() {
            self.bar.inc(lines);
        }
    }

    /// Where the game of this seed is, when the games are played one after the other.
    pub(crate) fn show(&self, seed: u64, now: &Snapshot) {
        let before = seed - self.first_seed;
        if let Some(lines) = self.lines {
            self.bar.set(before * lines + lines.min(now.progress.lines().into()));
        }
        // The game shows no more; the result has what was made.
        let more = if now.score == Score::MOST_SHOWN { " or more" } else { "" };
        let (level, score, seed) = (now.progress.level, number(now.score) + more, Seed::name(seed));
        self.bar.message(if self.games > 1 {
            let (game, games, lines) =
                (number(before + 1), number(self.games), count(now.progress.lines(), "line"));
            format!("game {game} of {games}: level {level}, {lines}, score {score}, seed {seed}")
        } else {
            format!("level {level}, score {score}, seed {seed}")
        });
    }

    /// Sets the number of finished games.
    fn finished(&self, games: u64) {
        if self.lines.is_none() {
            self.bar.inc(1);
        }
        if self.games > 1 {
            self.bar.message(format!("{} of {}", number(games), count(self.games, "game")));
        }
    }

    /// Shows nothing more, because something else has the terminal.
    pub(crate) fn hide(&self) {
        self.bar.hide();
    }
}

/// Keeps finished games in the run library, if there is one.
struct Keeper<'a> {
    options: &'a Options,
    library: Option<Library>,
    host: HostKind,
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
        let GameOutcome { result: GameResult { score, lines, .. }, frames, .. } = game.outcome;
        let (score, lines, frames) = (number(score), count(lines, "line"), count(frames, "frame"));
        log::info!("seed {}: score {score}, {lines}, {frames}", Seed::name(game.seed));
        let mut run = None;
        if let (Some(library), None) = (&mut self.library, &self.trouble) {
            let (record, log) = (record_now(game, batch, self.host, self.rom.clone()), game.log());
            let place = self.numbers.map(|numbers| (numbers, place));
            match library.add_at(place, &record, &statistics, &log) {
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
pub(crate) struct Results<'a> {
    keeper: Keeper<'a>,
    tally: Tally,
    pub(crate) bar: Rc<GamesBar>,
    begun: Instant,
}

impl<'a> Results<'a> {
    pub(crate) fn new(options: &'a Options, library: Option<Library>, host: HostKind, rom: RomName) -> Self {
        let bar = Rc::new(GamesBar::new(&options.batch));
        let keeper = Keeper { options, library, host, rom, numbers: None, trouble: None };
        Self { keeper, tally: Tally::default(), bar, begun: Instant::now() }
    }

    /// Takes in a game of a batch that is played in order.
    pub(crate) fn add(&mut self, game: &Finished) -> Result<(), Trouble> {
        let Kept { statistics, run } = self.keeper.keep(self.tally.games(), game);
        self.tally.add(game, &self.keeper.options.batch.player, &statistics, run);
        self.bar.finished(self.tally.games());
        self.keeper.trouble()
    }

    /// Plays the batch on the model. Each game is kept when it is finished, even if one of an earlier seed is not.
    pub(crate) fn sim(&mut self, jobs: usize, interrupt: &AtomicBool) -> Result<(), BatchError> {
        let Self { keeper, tally, bar, .. } = self;
        let batch = &keeper.options.batch;
        keeper.set_aside().map_err(|trouble| BatchError::Sink(trouble.into()))?;
        let (bar, mut finished) = (&**bar, 0);
        let ended = batch::sim_kept(
            batch,
            jobs,
            interrupt,
            &|lines| bar.cleared(lines),
            &mut |place, game| {
                let kept = keeper.keep(place, game);
                finished += 1;
                bar.finished(finished);
                // Without the library no more games are wanted; those that are finished still count.
                interrupt.fetch_or(keeper.trouble.is_some(), Ordering::Relaxed);
                kept
            },
            &mut |game, Kept { statistics, run }| {
                tally.add(&game, &batch.player, &statistics, run);
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
    pub(crate) fn finish(self, ended: Result<(), BatchError>) -> anyhow::Result<ExitCode> {
        self.bar.bar.finish();
        let Self { keeper: Keeper { options, library, host, rom, .. }, tally, begun, .. } = self;
        let library = library.map(|library| library.path().display().to_string());
        let wanted = options.batch.games;
        let finished = tally.games();
        let mut answered = Ok(());
        if finished > 0 {
            let shard = options.whole.as_ref().map(|whole| tally.shard(whole));
            let mut result = tally.result(&options.batch, host, rom, begun.elapsed(), library);
            result.shard = shard;
            if !options.timings {
                result.leave_out_times();
            }
            let written = options.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, &result));
            // Whatever became of the file, the answer is not lost.
            answered = answer(&result.to_string());
            written?;
        }
        ended?;
        if finished < wanted {
            // A terminal that was closed takes no answer.
            if let Err(error) = answered {
                say!("{error:#}");
            }
            let (finished, wanted) = (number(finished), count(wanted, "game"));
            say!("interrupted after {finished} of {wanted}; what was finished is kept");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        answered.map(|()| ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use maxout_gallery::find;
    use maxout_host::{Host, Model};
    use maxout_rules::{Progress, Seed, Stop};

    fn bar(games: u64, stop: Stop) -> GamesBar {
        let player = find("plateau17").expect("a registered player");
        GamesBar::new(&Batch { first_seed: 5, stop, ..Batch::new(player.clone(), games) })
    }

    #[test]
    fn lines_of_one_game_move_the_bar_and_no_game_counts_for_more_than_its_stop() {
        let now = Model::new(Seed::new(5).start(19)).snapshot();
        let at = |lines| Snapshot { progress: Progress::at(lines, 19), ..now };
        let one = bar(1, Stop::Level29);
        one.show(5, &at(115));
        assert_eq!(one.bar.done(), 115);
        let three = bar(3, Stop::Lines(10));
        three.show(6, &at(13));
        assert_eq!(three.bar.done(), 20);
        three.cleared(4);
        three.finished(2);
        assert_eq!(three.bar.done(), 24);
        let endless = bar(2, Stop::TopOut);
        endless.show(5, &at(115));
        endless.cleared(4);
        endless.finished(1);
        assert_eq!(endless.bar.done(), 1);
    }
}
