//! What becomes of the games of `play` and `sim`: [`Results`] tells, keeps and writes them, [`GamesBar`] shows how far
//! they are.

use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

use super::INTERRUPTED;
use super::output::{answer, say, write_json};
use super::play::Options;
use super::progress::Progress;
use crate::batch::{Batch, BatchError, Finished, Trouble};
use crate::host::ram::Snapshot;
use crate::record::library::{Library, RunId};
use crate::record::run::{Record, RomName, whole_log};
use crate::report::Tally;
use crate::stats::Statistics;
use crate::words::{count, number};

/// How far games are. Where their stop counts lines, so does the bar: one game moves it, too.
#[derive(Debug)]
pub(super) struct GamesBar {
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

    /// So many lines more, of any game.
    pub(super) fn cleared(&self, lines: u64) {
        if self.lines.is_some() {
            self.bar.inc(lines);
        }
    }

    /// Where the game of this seed is, when the games are played one after the other.
    pub(super) fn show(&self, seed: u64, now: &Snapshot) {
        let before = seed - self.first_seed;
        if let Some(lines) = self.lines {
            self.bar.set(before * lines + lines.min(now.lines.into()));
        }
        let (level, score) = (now.level, number(now.score));
        self.bar.message(if self.games > 1 {
            let (game, games, lines) = (number(before + 1), number(self.games), count(now.lines, "line"));
            format!("game {game} of {games}: level {level}, {lines}, score {score}, seed {seed}")
        } else {
            format!("level {level}, score {score}, seed {seed}")
        });
    }

    /// So many games are over.
    fn finished(&self, games: u64) {
        if self.lines.is_none() {
            self.bar.inc(1);
        }
        if self.games > 1 {
            self.bar.message(format!("{} of {}", number(games), count(self.games, "game")));
        }
    }

    /// Shows nothing more, because something else has the terminal.
    pub(super) fn hide(&self) {
        self.bar.hide();
    }
}

/// Collects finished games: tally, run library, progress bar.
pub(super) struct Results<'a> {
    options: &'a Options,
    library: Option<Library>,
    host: &'static str,
    rom: RomName,
    tally: Tally,
    pub(super) bar: Rc<GamesBar>,
    begun: Instant,
}

impl<'a> Results<'a> {
    pub(super) fn new(
        options: &'a Options,
        library: Option<Library>,
        host: &'static str,
        rom: RomName,
    ) -> Self {
        let bar = Rc::new(GamesBar::new(&options.batch));
        Self { options, library, host, rom, tally: Tally::default(), bar, begun: Instant::now() }
    }

    pub(super) fn add(&mut self, game: &Finished) -> Result<(), Trouble> {
        let statistics = Statistics::of(&game.outcome.locks, self.options.batch.start_level);
        let kept = self.keep(game, &statistics);
        let run = kept.as_ref().ok().copied().flatten();
        self.tally.add(game, self.options.batch.player, &statistics, run);
        self.bar.finished(self.tally.games());
        kept.map(|_| ())
    }

    fn keep(&mut self, game: &Finished, statistics: &Statistics) -> Result<Option<RunId>, Trouble> {
        let Some(library) = &mut self.library else { return Ok(None) };
        let record = Record::new(game, &self.options.batch, self.host, self.rom.clone());
        Ok(Some(library.add(&record, statistics, &whole_log(game))?))
    }

    /// Prints and writes what was finished, also after an error or an interrupt.
    pub(super) fn finish(self, ended: Result<(), BatchError>) -> anyhow::Result<ExitCode> {
        self.bar.bar.finish();
        let Self { options, library, host, rom, tally, begun, .. } = self;
        let library = library.map(|library| library.path().display().to_string());
        let wanted = options.batch.games;
        let finished = tally.games();
        if finished > 0 {
            let shard = options.whole.map(|whole| tally.shard(&whole));
            let mut report = tally.report(&options.batch, host, rom, begun.elapsed(), library);
            report.shard = shard;
            if !options.timings {
                report.leave_out_times();
            }
            let written = options.json.as_ref().map_or(Ok(()), |file| write_json("--json", file, &report));
            // Whatever became of the file, the answer is not lost.
            answer(&report.to_string())?;
            written?;
        }
        ended?;
        if finished < wanted {
            let (finished, wanted) = (number(finished), count(wanted, "game"));
            say!("interrupted after {finished} of {wanted}; what was finished is kept");
            return Ok(ExitCode::from(INTERRUPTED));
        }
        Ok(ExitCode::SUCCESS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Seed;
    use crate::host::{Host, Model};
    use crate::player::find;
    use crate::search::Foresight;
    use crate::session::Stop;

    fn bar(games: u64, stop: Stop) -> GamesBar {
        let player = find("plateau17").expect("a registered player");
        let foresight = Foresight::DEFAULT;
        GamesBar::new(&Batch { player, games, first_seed: 5, start_level: 19, stop, foresight })
    }

    #[test]
    fn lines_of_one_game_move_the_bar_and_no_game_counts_for_more_than_its_stop() {
        let now = Model::new(Seed::new(5).start(19)).snapshot();
        let one = bar(1, Stop::Level29);
        one.show(5, &Snapshot { lines: 115, ..now });
        assert_eq!(one.bar.done(), 115);
        let three = bar(3, Stop::Lines(10));
        three.show(6, &Snapshot { lines: 13, ..now });
        assert_eq!(three.bar.done(), 20);
        three.cleared(4);
        three.finished(2);
        assert_eq!(three.bar.done(), 24);
        let endless = bar(2, Stop::TopOut);
        endless.show(5, &Snapshot { lines: 115, ..now });
        endless.cleared(4);
        endless.finished(1);
        assert_eq!(endless.bar.done(), 1);
    }
}
