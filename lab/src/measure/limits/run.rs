//! [`HandsRun`]: the games of all cells, both those that are finished and those that are still to be played.

use maxout_rules::FallRule;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cells::{HandsCell, HandsGame, HandsGrid, LimitsFormat};
use super::folder::{BLOCK, HandsFolder, HandsFolderError, file_of};
use crate::weights_file;
use maxout::share::Share;
use maxout_engine::eval::weights;
use maxout_engine::player::Entry;
use maxout_engine::search::Foresight;
use maxout_host::batch::{self, Batch, BatchError, Trouble};
use maxout_host::hand::MisdropRate;
use maxout_host::pool;
use maxout_rules::Stop;

/// The games of all cells.
#[derive(Debug)]
pub struct HandsRun {
    grid: HandsGrid,
    format: LimitsFormat,
    first_seed: u64,
    games: u64,
    /// The finished games of each cell. The index of a game is its seed less the first seed.
    finished: Vec<Vec<Option<HandsGame>>>,
    /// Where games are kept when they are finished.
    keep_in: Option<HandsFolder>,
}

/// A game that is not finished: the number of its cell, and its place, which is its seed less the first seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct DueGame {
    cell: u16,
    place: u32,
}

impl HandsRun {
    /// Makes a run of `games` games in each cell, with the seeds from `first_seed` on. None of them is finished.
    pub fn new(grid: HandsGrid, format: LimitsFormat, first_seed: u64, games: u64) -> Self {
        let finished = grid.cells.iter().map(|_| vec![None; games as usize]).collect();
        Self { grid, format, first_seed, games, finished, keep_in: None }
    }

    /// Returns the cells.
    pub const fn grid(&self) -> &HandsGrid {
        &self.grid
    }

    /// Returns the format of the games.
    pub const fn format(&self) -> LimitsFormat {
        self.format
    }

    /// Returns the seed of the first game, and how many games each cell is to have.
    pub const fn seeds(&self) -> (u64, u64) {
        (self.first_seed, self.games)
    }

    /// Returns the finished games of a cell in the order of their seeds.
    pub fn finished(&self, cell: usize) -> impl Iterator<Item = &HandsGame> {
        self.finished.get(cell).into_iter().flatten().flatten()
    }

    /// Adds the games that a folder holds. `players` has the fingerprint of each cell ([`fingerprints`]).
    pub fn load(&mut self, folder: &HandsFolder, players: &[u32]) -> Result<(), HandsFolderError> {
        let mut changed = Vec::new();
        for (cell, &player) in self.grid.cells.iter().zip(players) {
            if folder.player(&cell.name)?.is_some_and(|kept| kept != player) {
                changed.push(&*cell.name);
            }
        }
        if !changed.is_empty() {
            return Err(HandsFolderError::Changed(changed.join(", ")));
        }
        for (cell, finished) in self.grid.cells.iter().zip(&mut self.finished) {
            for (block, places) in (0..).zip(finished.chunks_mut(BLOCK as usize)) {
                let first = self.first_seed + block * BLOCK;
                for game in folder.read(&cell.name, first)? {
                    // A folder may hold more games than are asked for now.
                    let Some(place) = places.get_mut((game.seed - first) as usize) else { continue };
                    if !place.get_or_insert(game).is_same_as(&game) {
                        let file = file_of(&cell.name, first).display().to_string();
                        return Err(HandsFolderError::Conflict { file, seed: game.seed });
                    }
                }
            }
        }
        Ok(())
    }

    /// Keeps each game in this folder as soon as it is finished. `players` has the fingerprint of each cell ([`fingerprints`]).
    pub fn keep_in(&mut self, folder: HandsFolder, players: &[u32]) -> Result<(), HandsFolderError> {
        for (cell, &player) in self.grid.cells.iter().zip(players) {
            folder.begin(&cell.name, player)?;
        }
        self.keep_in = Some(folder);
        Ok(())
    }

    /// Returns the games that are not finished: all of them, or those of a share. They are in the order in which they
    /// should be played: a block of games of each cell, then the next block of each, and so on.
    pub fn due(&self, share: Option<Share>) -> Vec<DueGame> {
        let mut due = Vec::new();
        for block in 0..self.games.div_ceil(BLOCK) {
            let places = block * BLOCK..self.games.min((block + 1) * BLOCK);
            for (cell, finished) in self.finished.iter().enumerate() {
                // Games at slow taps and long delays take longest; each share gets blocks of all cells.
                if share.is_some_and(|share| !share.takes(block + cell as u64)) {
                    continue;
                }
                let missing = places.clone().filter(|&place| finished[place as usize].is_none());
                due.extend(missing.map(|place| DueGame { cell: cell as u16, place: place as u32 }));
            }
        }
        due
    }

    /// Plays these games on the model with `jobs` threads, and calls `told` with the cell of each finished game. When
    /// `interrupt` becomes true, the games in progress are dropped.
    pub fn play(
        &mut self,
        due: &[DueGame],
        jobs: usize,
        interrupt: &AtomicBool,
        told: &mut dyn FnMut(&HandsCell),
    ) -> Result<(), BatchError> {
        let Self { grid, format, first_seed, finished, keep_in, .. } = self;
        let (grid, format, first_seed) = (&*grid, *format, *first_seed);
        let work = |(): &mut (), index: u64, _: &dyn Fn() -> bool| {
            let DueGame { cell, place } = due[index as usize];
            let player = &grid.cells[usize::from(cell)].player;
            let batch = batch_of(player, format, first_seed + u64::from(place));
            let mut finished = None;
            batch::sim(&batch, 1, interrupt, &mut |game| {
                finished = Some(HandsGame::of(&game));
                Ok(())
            })?;
            Ok(finished)
        };
        let mut trouble = None;
        let mut keep = |index: u64, game: &HandsGame| {
            let DueGame { cell, place } = due[index as usize];
            let (cell, of) = (&grid.cells[usize::from(cell)], &mut finished[usize::from(cell)]);
            of[place as usize] = Some(*game);
            let block = u64::from(place) / BLOCK;
            if let (Some(folder), None) = (&*keep_in, &trouble) {
                trouble = folder.add(&cell.name, first_seed + block * BLOCK, game).err();
                // A game that cannot be kept need not be played.
                interrupt.fetch_or(trouble.is_some(), Ordering::Relaxed);
            }
            told(cell);
        };
        let played =
            pool::in_order_kept(due.len() as u64, jobs, interrupt, || (), work, &mut keep, &mut |_, ()| {
                Ok(())
            });
        trouble.map_or(played, |trouble| Err(BatchError::Sink(Trouble::from(trouble))))
    }
}

/// Returns a batch of one game.
fn batch_of(player: &Entry, format: LimitsFormat, first_seed: u64) -> Batch {
    let LimitsFormat { start_level, stop, fall_rule } = format;
    Batch {
        player: player.clone(),
        games: 1,
        first_seed,
        start_level,
        stop,
        foresight: Foresight::DEFAULT,
        fall_rule,
        misdrop: MisdropRate::NONE,
    }
}

/// Returns the fingerprint of each cell's player, computed with `jobs` threads. Calls `told` after each.
///
/// It changes with the tables that the player uses under the cell's limits and, most probably, with the search: it is the checksum of the
/// embedded files of these tables (learned players only) and of the buttons of two short games, from levels 18 and 19. So a change of the search that only
/// matters from level 29 on goes unnoticed.
pub fn fingerprints(grid: &HandsGrid, jobs: usize, told: &mut dyn FnMut()) -> Result<Vec<u32>, BatchError> {
    let hasher = |file: &[u8]| {
        let (crc, length) = weights_file::identity(file);
        crc32fast::Hasher::new_with_initial_len(crc, length)
    };
    let large = hasher(&weights::embedded_file());
    let go_on = AtomicBool::new(false);
    let work = |(): &mut (), index: u64, _: &dyn Fn() -> bool| {
        let player = &grid.cells[index as usize].player;
        let mut crc = crc32fast::Hasher::new();
        if player.capabilities().is_learned {
            crc = large.clone();
            for file in weights::embedded_files_for(player.limits) {
                crc.combine(&hasher(file));
            }
        }
        for start_level in [18, 19] {
            let format = LimitsFormat { start_level, stop: Stop::Lines(6), fall_rule: FallRule::Ntsc };
            batch::sim(&batch_of(player, format, 50_000), 1, &AtomicBool::new(false), &mut |game| {
                let buttons: Vec<u8> = game.outcome.log.frames().iter().map(|buttons| buttons.0).collect();
                crc.update(&buttons);
                Ok(())
            })?;
        }
        Ok::<_, BatchError>(Some(crc.finalize()))
    };
    let mut all = Vec::new();
    pool::in_order(grid.cells.len() as u64, jobs, &go_on, || (), work, &mut |player| {
        all.push(player);
        told();
        Ok(())
    })?;
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::super::cells::TapSpeeds;
    use super::*;
    use maxout_gallery::find;

    fn run(games: u64) -> HandsRun {
        let player = find("plateau17").expect("a registered player");
        let taps: TapSpeeds = "30hz,20hz,10hz".parse().expect("speeds");
        let grid = HandsGrid::new(player, &taps, &"0".parse().expect("a delay")).expect("it takes taps");
        let format = LimitsFormat { start_level: 18, stop: Stop::Lines(2), fall_rule: FallRule::Ntsc };
        HandsRun::new(grid, format, 50_000, games)
    }

    #[test]
    fn blocks_of_all_cells_take_turns() {
        let run = run(30);
        let order: Vec<_> = run.due(None).iter().map(|due| (due.cell, due.place)).collect();
        let block = |cell, places: std::ops::Range<u32>| places.map(move |place| (cell, place));
        let first = (0..3).flat_map(|cell| block(cell, 0..25));
        let want: Vec<_> = first.chain((0..3).flat_map(|cell| block(cell, 25..30))).collect();
        assert_eq!(order, want);
        // Every game is in one share, and no share has nothing of a cell that has as many blocks as there are shares.
        let shares: Vec<_> =
            (1..=2).map(|number| run.due(Some(Share::new(number, 2).expect("a share")))).collect();
        assert_eq!(shares.iter().map(Vec::len).sum::<usize>(), want.len());
        for share in &shares {
            assert!((0..3).all(|cell| share.iter().any(|due| due.cell == cell)));
        }
    }

    #[test]
    fn a_run_goes_on_from_its_folder_and_names_a_game_that_differs() {
        let folder = tempfile::tempdir().expect("a folder");
        let identity = super::super::folder::identity("plateau17", 50_000, run(1).format());
        let kept = HandsFolder::open_or_create(folder.path(), &identity).expect("made");
        let go_on = AtomicBool::new(false);
        let players = [1, 2, 3];
        let mut first = run(2);
        first.keep_in(kept, &players).expect("begun");
        let kept = HandsFolder::open(folder.path(), &identity).expect("it is read while others write");
        let due = first.due(None);
        let mut told = 0;
        first.play(&due[..5], 2, &go_on, &mut |_| told += 1).expect("played");
        assert_eq!(told, 5);
        let mut second = run(3);
        second.load(&kept, &players).expect("loaded");
        assert_eq!(second.due(None).len(), 4);
        let games: Vec<_> = first.finished(0).collect();
        assert_eq!(second.finished(0).collect::<Vec<_>>(), games);
        let game = *games[0];
        let write = |game: HandsGame| {
            let file = folder.path().join(file_of("30hz-0", 50_000));
            std::fs::write(file, serde_json::to_vec(&[game]).expect("JSON")).expect("written");
        };
        write(HandsGame { thinking_us: 7, ..game });
        second.load(&kept, &players).expect("times may differ");
        let error = second.load(&kept, &[1, 3, 3]).expect_err("another player").to_string();
        assert!(error.starts_with("20hz-0: the player has changed"), "{error}");
        let error = second.load(&kept, &[2, 2, 4]).expect_err("other players").to_string();
        assert!(error.starts_with("30hz-0, 10hz-0: the player has changed"), "{error}");
        write(HandsGame { score: 7, ..game });
        let error = second.load(&kept, &players).expect_err("another game").to_string();
        assert!(error.contains("30hz-0") && error.contains("seed 50000 is not the same game"), "{error}");
    }

    #[test]
    fn what_cannot_be_kept_ends_the_run() {
        let folder = tempfile::tempdir().expect("a folder");
        let identity = super::super::folder::identity("plateau17", 50_000, run(1).format());
        let kept = HandsFolder::open_or_create(folder.path(), &identity).expect("made");
        let mut run = run(1);
        run.keep_in(kept, &[1, 2, 3]).expect("begun");
        std::fs::remove_dir_all(folder.path().join("30hz-0")).expect("removed");
        std::fs::write(folder.path().join("30hz-0"), "in the way").expect("written");
        let due = run.due(None);
        let error = run.play(&due, 1, &AtomicBool::new(false), &mut |_| ()).expect_err("no folder");
        assert!(matches!(error, BatchError::Sink(_)) && error.to_string().contains("30hz-0"), "{error}");
    }

    #[test]
    fn each_cell_has_a_fingerprint_of_its_own_player() {
        let of = |name, taps: &str| {
            let player = find(name).expect("a registered player");
            let grid = HandsGrid::new(player, &taps.parse().expect("speeds"), &"0".parse().expect("a delay"));
            fingerprints(&grid.expect("it takes taps"), 2, &mut || ()).expect("played")
        };
        let both = of("plateau17", "30hz,10hz");
        assert_eq!(both, of("plateau17", "30hz,10hz"));
        assert_eq!(both[1..], of("plateau17", "10hz"));
        assert_ne!(both[0], both[1]);
        assert_ne!(both[..1], of("el-tetris", "30hz"));
    }
}
