//! Where a movie comes from: [`Movie::of_run`] makes one of a recorded run, [`Movie::on`] names the cartridge.

use md5::{Digest, Md5};

use super::fm2;
use super::records::{Movie, MovieFrame, WARM_UP_LEAD};
use crate::library::run::Record;
use maxout_host::rom::Identity;
use maxout_rules::input::InputLog;

impl Movie {
    /// The movie of a run recorded from power-on on the cartridge `rom`. The same run gives the same movie.
    pub fn of_run(record: &Record, log: &InputLog, rom: &Identity) -> Self {
        let Record { version, player, seed, start_level, stop, score, shown_score, lines, level, .. } =
            record;
        let kind = if record.fair { "fair" } else { "clairvoyant" };
        let mut guid = Md5::new();
        guid.update(rom.md5);
        guid.update(format!("maxout {version} {player} {start_level} {stop} {seed}"));
        Self {
            author: "maxout".to_owned(),
            rom_name: rom.name.clone(),
            rom_md5: Some(rom.md5),
            rom_sha1: Some(rom.file_sha1),
            guid: Some(guid.finalize().into()),
            rerecords: record.replans,
            plugged: [true, false],
            comments: vec![
                format!("program maxout {version}"),
                format!("player {player} ({kind})"),
                format!("seed {seed}, start level {start_level}, stop {stop}"),
                format!("score {score} ({shown_score} shown), {lines} lines, level {level}"),
                "rerecords pieces planned anew because the machine did something else than planned"
                    .to_owned(),
            ],
            subtitles: Vec::new(),
            frames: vec![MovieFrame::default(); WARM_UP_LEAD]
                .into_iter()
                .chain(log.frames().iter().copied().map(MovieFrame::of_first))
                .collect(),
        }
    }

    /// Fills in what the movie does not tell of the cartridge it was played on.
    #[must_use]
    pub fn on(mut self, rom: &Identity) -> Self {
        self.rom_md5.get_or_insert(rom.md5);
        self.rom_sha1.get_or_insert(rom.file_sha1);
        if self.guid.is_none() {
            self.guid = Some(Md5::digest(fm2::write(&self)).into());
        }
        self
    }
}
