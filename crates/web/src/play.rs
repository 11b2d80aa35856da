//! A game on the page: [`WebGame`], by its [`Settings`].

use maxout_engine::limits::Limits;
use maxout_engine::player::Mind;
use maxout_engine::search::Foresight;
use maxout_host::batch::{Batch, Finished};
use maxout_host::pilot::observe;
use maxout_host::review::{of_timeline, to_frames};
use maxout_host::session::{GameOutcome, Session};
use maxout_host::{Console, Host, Model, menus, rom};
use maxout_record::cartridge::Identity;
use maxout_record::champs::Version;
use maxout_record::movie::{Credits, Movie, write_fm2};
use maxout_record::result::HostKind;
use maxout_record::run::{RomName, archive};
use maxout_record::timeline::Timeline;
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::{Board, Game, MenuScript, Opening, Page, Seed, SeedError, Stop};
use wasm_bindgen::prelude::*;

use crate::rating::OwnRatings;
use crate::scene::{PageScene, Paint};
use crate::settings::{DrawnPosition, Settings, entry, limits};
use crate::study::{WebStudy, known, progress};
use crate::{Refused, WebFile, WebWeights, cartridge};

/// Frames after the end of a game until the screen shows the cleared rows, the lines and the score.
const SETTLING_FRAMES: u32 = 16;
/// Errors for games that no folder of a run can hold.
const ON_MODEL: &str = "a run folder holds a game on a cartridge from power-on, this one is on the model";
const BY_HAND: &str =
    "a run folder holds a game of one player, in this one a person held the controller: save it as FM2";

/// What runs the game.
enum Machine {
    Model(Box<Model>),
    Emulator(Box<Console>),
}

impl Machine {
    fn host(&mut self) -> &mut dyn Host {
        match self {
            Self::Model(model) => &mut **model,
            Self::Emulator(console) => &mut **console,
        }
    }
}

/// A game that is played frame by frame.
#[wasm_bindgen]
pub struct WebGame {
    settings: Settings,
    machine: Machine,
    session: Session<Mind>,
    /// The model before the first frame.
    start: Option<Game>,
    /// What was pressed from power-on to the init frame.
    menu: InputLog,
    identity: Identity,
    paint: Paint,
    study: Option<WebStudy>,
    ratings: OwnRatings,
    /// Who plays, and until when.
    batch: Batch,
    /// Whether the user has held the controller.
    by_hand: bool,
    /// What judges the user's own placements.
    own_limits: Limits,
    over: bool,
    /// The check sum of the console's RAM when the game was over.
    ram_crc: Option<u32>,
    /// The sound of the frames of the last call, while it is on.
    sound: Vec<f32>,
    is_heard: bool,
}

#[wasm_bindgen]
impl WebGame {
    /// Begins a game as `settings` say (JSON, see `Settings` in `settings.rs`). `cartridge` is the file of a cartridge image; an
    /// empty one means the test cartridge. A learned player needs `weights`. The error says in one line what cannot be played.
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str, cartridge: &[u8], weights: Option<WebWeights>) -> Result<Self, Refused> {
        let settings: Settings =
            serde_json::from_str(settings).map_err(|error| format!("settings: {error}"))?;
        if settings.level > 19 {
            return Err(format!("level {}, expected 0 to 19", settings.level).into());
        }
        let stop: Stop = settings.stop.parse()?;
        let identity = cartridge::admit(cartridge)?;
        let entry = entry(&settings, identity.region, weights.as_ref().map(|weights| &weights.network))?;
        let seed = Seed::new(settings.seed);
        let mut menu = InputLog::new();
        let mut machine = match (settings.emulator, seed) {
            (true, _) if settings.position.is_some() => {
                return Err("a position on a cartridge, expected the model".into());
            }
            (false, _) => {
                let mut game = seed.start_by(identity.region.into(), settings.level);
                if let Some(position) = &settings.position {
                    place(&mut game, position)?;
                }
                Machine::Model(Box::new(Model::new(game)))
            }
            (true, Seed::Model(_) | Seed::Practice(_)) => {
                return Err(SeedError(settings.seed).into());
            }
            (true, Seed::PowerOn { menu_wait, .. }) => {
                let mut console = rom::power_on(&identity)?;
                menu = menus::reach_play(&mut console, settings.level, menu_wait)?;
                console.show();
                Machine::Emulator(Box::new(console))
            }
        };
        let mind = entry.in_region(identity.region).make(Foresight::DEFAULT, stop);
        let opening = if settings.position.is_some() { Opening { hang: 0 } } else { seed.opening() };
        let start = match &machine {
            Machine::Model(model) => Some(*model.game()),
            Machine::Emulator(_) => None,
        };
        let session = Session::new(machine.host(), mind, opening, stop);
        let mut paint = Paint::of(&session.now().board);
        paint.follow(session.now(), &[]);
        let (first_seed, start_level) = (settings.seed, settings.level);
        let batch = Batch {
            first_seed,
            start_level,
            stop,
            fall_rule: identity.region.into(),
            ..Batch::new(entry, 1)
        };
        let own_limits = limits(&settings.taps, identity.region)?.unwrap_or(Limits::EACH_BUTTON);
        let own_limits = own_limits.in_region(identity.region);
        let mut play = Self {
            settings,
            machine,
            session,
            start,
            menu,
            paint,
            study: weights.map(|weights| WebStudy::new(&weights)),
            ratings: OwnRatings::new(identity.region),
            identity,
            batch,
            by_hand: false,
            own_limits,
            over: false,
            ram_crc: None,
            sound: Vec::new(),
            is_heard: false,
        };
        play.rate(false);
        Ok(play)
    }

    /// Plays `frames` frames, fewer if the game ends. Returns whether the game is over.
    pub fn run(&mut self, frames: u32) -> Result<bool, Refused> {
        self.frames(frames, None)
    }

    /// Plays one frame with these buttons instead of the player's; bit 7 is A, then B, Select, Start, Up, Down, Left,
    /// Right. Returns whether the game is over.
    pub fn press(&mut self, buttons: u8) -> Result<bool, Refused> {
        self.frames(1, Some(Buttons(buttons)))
    }

    /// Plays at most `frames` frames, up to the lock of piece number `pieces`. Returns whether it has locked, or the game is over.
    pub fn run_to(&mut self, pieces: u32, frames: u32) -> Result<bool, Refused> {
        for _ in 0..frames {
            if self.over || self.session.so_far().result.pieces >= pieces {
                return Ok(true);
            }
            self.run(1)?;
        }
        Ok(self.over || self.session.so_far().result.pieces >= pieces)
    }

    /// Returns what each of the user's placements lost, as JSON (see `OwnRating` in `rating.rs`). They are those of
    /// `maxout review --player maxout-fast`. Without weights the list is empty.
    pub fn ratings(&self) -> String {
        serde_json::to_string(self.ratings.list()).unwrap_or_default()
    }

    /// Returns what the page shows, as JSON.
    pub fn scene(&self) -> String {
        let session = &self.session;
        let scene = PageScene::new(
            session.now(),
            session.plan(),
            session.so_far(),
            &self.paint,
            &self.ratings,
            self.over,
        );
        serde_json::to_string(&scene).unwrap_or_default()
    }

    /// Returns the answer to the position as JSON; `null` without weights or without a piece.
    pub fn alternatives(&mut self) -> String {
        let now = self.session.now();
        let seen = (now.in_play() && now.in_control()).then(|| observe(now, self.batch.fall_rule)).flatten();
        let (Some(study), Some(mut position)) = (&mut self.study, seen) else { return "null".to_owned() };
        position.start.autorepeat_y = 0;
        let limits = self.batch.player.limits.in_region(self.identity.region);
        serde_json::to_string(&study.at(&position, limits)).unwrap_or_default()
    }

    /// Returns the picture of the emulator in RGBA, as large as [`layout`](crate::scene::layout) says, or nothing on the model.
    pub fn picture(&mut self) -> Vec<u8> {
        match &mut self.machine {
            Machine::Model(_) => Vec::new(),
            Machine::Emulator(console) => console.drawn().to_vec(),
        }
    }

    /// Turns the sound of the emulator on or off.
    pub fn hear(&mut self, on: bool) {
        if let (Machine::Emulator(console), true) = (&mut self.machine, self.is_heard != on) {
            console.show_with_sound(on);
            self.is_heard = on;
        }
    }

    /// Returns the sound of the frames of the last call of `run` or `press`: one channel with 48,000 samples a second,
    /// from -1 to 1. It is empty on the model and while nobody hears it.
    pub fn sound(&self) -> Vec<f32> {
        self.sound.clone()
    }

    /// Returns the buttons of every frame from the first control frame on.
    pub fn log(&self) -> Vec<u8> {
        self.session.so_far().log.frames().iter().map(|buttons| buttons.0).collect()
    }

    /// Returns the game so far as an FM2 movie, the same as the program makes of the same game. The error says what prevents it: a seed
    /// that exists on the model only has none.
    pub fn fm2(&self) -> Result<String, Refused> {
        let Settings { seed, level: start_level, position, .. } = &self.settings;
        if position.is_some() {
            return Err("a movie holds a game from its start, this one went on from a position".into());
        }
        let menu = match (Seed::new(*seed), self.menu.is_empty()) {
            (Seed::Model(_) | Seed::Practice(_), _) => return Err(SeedError(*seed).into()),
            (Seed::PowerOn { menu_wait: wait, .. }, true) => {
                MenuScript { level: *start_level, wait }.frames_in(self.identity.region)
            }
            (Seed::PowerOn { .. }, false) => self.menu.frames().to_vec(),
        };
        let GameOutcome { result, log, .. } = self.session.result();
        let credits = Credits {
            version: env!("CARGO_PKG_VERSION"),
            player: &self.batch.player.name,
            fair: self.batch.player.capabilities().is_fair,
            seed: *seed,
            start_level: *start_level,
            stop: self.batch.stop,
            result,
            replans: self.session.counts().replans,
        };
        let log = menu.into_iter().chain(log.frames().iter().copied());
        Ok(write_fm2(&Movie::of_game(&credits, log, &self.identity)))
    }

    /// Returns the game so far as a recording of a score display (.ngf), which need not begin with an empty board. The error says what
    /// prevents it.
    pub fn recording(&self) -> Result<Vec<u8>, Refused> {
        let start = self.start.ok_or("a game on a cartridge is saved as FM2")?;
        let (timeline, _) = Timeline::film(start, self.session.so_far().log.frames());
        let frames = to_frames(&of_timeline(&timeline, self.identity.region), 1);
        Ok(frames.iter().flat_map(|frame| frame.encode(Version::V3)).collect())
    }

    /// Returns the game so far as an archive of the folder of a run, the same as `maxout runs export` writes. `made_at` is the time now
    /// (UTC, RFC 3339). The error says what prevents it.
    pub fn folder(&self, made_at: &str) -> Result<WebFile, Refused> {
        let Machine::Emulator(console) = &self.machine else { return Err(ON_MODEL.into()) };
        if self.by_hand {
            return Err(BY_HAND.into());
        }
        let Identity { name, sha1, .. } = &self.identity;
        let rom = RomName { name: name.clone(), sha1: Some(sha1.clone()) };
        let ram_crc = self.ram_crc.or_else(|| Some(console.ram_crc()));
        let (outcome, menu) = (self.session.result(), self.menu.clone());
        let game = Finished { seed: self.settings.seed, outcome, menu, ram_crc };
        let record = game.record(&self.batch, HostKind::Console, rom, made_at.to_owned());
        if let Some(message) = record.fault() {
            return Err(message.into());
        }
        Ok(WebFile { name: record.folder_name() + ".zip", bytes: archive(&record, &game.log())? })
    }
}

impl WebGame {
    /// Plays `frames` frames, fewer if the game ends, with these buttons if there are any. Returns whether the game is
    /// over.
    fn frames(&mut self, frames: u32, buttons: Option<Buttons>) -> Result<bool, Refused> {
        self.sound.clear();
        for _ in 0..frames {
            if self.over {
                break;
            }
            match buttons {
                Some(buttons) => {
                    self.by_hand = true;
                    self.session.frame_by_hand(self.machine.host(), buttons)?;
                }
                None => drop(self.session.frame(self.machine.host())?),
            }
            self.over = self.session.is_over()?;
            if self.over {
                self.settle()?;
            }
            self.rate(buttons.is_some());
            if let (Machine::Emulator(console), true) = (&self.machine, self.is_heard) {
                self.sound.extend_from_slice(console.sound());
            }
        }
        self.paint.follow(self.session.now(), &self.session.so_far().locks);
        Ok(self.over)
    }

    /// Lets the screen show how the game ended: when the last rows count, they are still being cleared, and the cartridge may be
    /// flashing. The game itself is over and does not change.
    fn settle(&mut self) -> Result<(), Refused> {
        let Machine::Emulator(console) = &mut self.machine else { return Ok(()) };
        self.ram_crc = Some(console.ram_crc());
        if !self.session.so_far().result.topped_out {
            for _ in 0..SETTLING_FRAMES {
                Host::step(&mut **console, Buttons::NONE)?;
            }
        }
        Ok(())
    }

    /// Rates what has just locked, if the user held the controller.
    fn rate(&mut self, by_hand: bool) {
        let Self { session, study, ratings, own_limits, .. } = self;
        let outcome = session.so_far();
        ratings.press(outcome.log.frames().last().copied().unwrap_or_default(), by_hand);
        ratings.see(session.now(), (by_hand, outcome.frames), &outcome.locks, |position, placement| {
            study.as_mut()?.judge(position, placement, *own_limits)
        });
    }
}

/// Puts a position into a game at the end of its init frame.
fn place(game: &mut Game, position: &DrawnPosition) -> Result<(), Refused> {
    let DrawnPosition { board, piece, next, level, lines } = position;
    let board: Board = board.parse()?;
    game.page = Page::from_rows(board.rows());
    game.id = known(*piece)?.into();
    if let Some(next) = next {
        game.next = known(*next)?.into();
    }
    game.progress = progress(*lines, *level)?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use maxout_engine::Position;
    use maxout_engine::eval::ntuple::Network;
    use maxout_engine::movegen::Start;
    use maxout_host::batch::{Batch, sim};
    use maxout_rules::FallRule;

    use super::*;

    fn begin(settings: &str, file: &[u8], network: Option<Arc<Network>>) -> Result<WebGame, String> {
        let weights = network.map(|network| WebWeights { network, checksum: String::new() });
        WebGame::new(settings, file, weights).map_err(|Refused(why)| why)
    }

    fn network() -> Arc<Network> {
        let file = [maxout_weights_large_1::PART, maxout_weights_large_2::PART].concat();
        Arc::new(maxout_engine::eval::weights::decode(&file).expect("the shipped weights"))
    }

    fn settings(player: &str, emulator: bool) -> String {
        format!(
            r#"{{"player": "{player}", "seed": 7, "level": 18, "stop": "lines:5", "emulator": {emulator}}}"#
        )
    }

    #[test]
    fn a_game_on_the_page_is_the_game_of_sim() {
        let player = maxout_gallery::find("maxout-fast").expect("a player");
        let player = player.with_network(network()).expect("a learned player");
        let batch = Batch { first_seed: 7, start_level: 18, stop: Stop::Lines(5), ..Batch::new(player, 1) };
        let mut expected = None;
        sim(&batch, 1, &false.into(), &mut |game| {
            expected = Some(game);
            Ok(())
        })
        .expect("a game");
        let expected = expected.expect("a game");
        for emulator in [false, true] {
            let network = Some(network());
            let mut play = begin(&settings("maxout-fast", emulator), b"", network).expect("a game");
            while !play.run(1).expect("it runs") {}
            let log: Vec<u8> = expected.outcome.log.frames().iter().map(|buttons| buttons.0).collect();
            assert_eq!(play.log(), log);
            let score = format!(r#""score":{},"#, expected.outcome.result.score);
            assert!(play.scene().contains(&score), "{}", play.scene());
            let fm2 = play.fm2().expect("a movie");
            let records = fm2.lines().filter(|line| line.starts_with('|')).count();
            assert_eq!(records, 1 + expected.menu.len() + expected.outcome.log.len());
            match play.folder("2026-11-23T07:00:00Z") {
                Ok(WebFile { name, bytes }) => {
                    let (record, log) = maxout_record::run::unpack(&bytes).expect("a run");
                    assert!(emulator && name == "maxout-fast-l18-s7-lines5-console.zip", "{name}");
                    assert_eq!(log, expected.log());
                    assert_eq!(
                        (record.result.score, record.frames),
                        (expected.outcome.result.score, expected.outcome.frames)
                    );
                    assert_eq!((record.result.reached_stop, record.fair), (true, true));
                }
                Err(Refused(why)) => assert!(!emulator && why.contains("on the model"), "{why}"),
            }
            assert_eq!(play.picture().len(), if emulator { 256 * 240 * 4 } else { 0 });
        }
    }

    #[test]
    fn a_game_with_another_aggression_is_that_of_the_player_with_it() {
        let player = maxout_gallery::find("maxout-fast").expect("a player");
        let player = player.with_network(network());
        let player = player.and_then(|player| player.with_aggression("boldest".parse().ok()?));
        let player = player.expect("a learned player");
        let batch = Batch { first_seed: 7, start_level: 18, stop: Stop::Lines(5), ..Batch::new(player, 1) };
        let mut expected = Vec::new();
        sim(&batch, 1, &false.into(), &mut |game| {
            expected = game.outcome.log.frames().iter().map(|buttons| buttons.0).collect();
            Ok(())
        })
        .expect("a game");
        let boldest = settings("maxout-fast", false).replace('}', r#", "aggression": "boldest"}"#);
        let mut play = begin(&boldest, b"", Some(network())).expect("a game");
        while !play.run(1).expect("it runs") {}
        assert_eq!(play.log(), expected);
        assert!(play.fm2().expect("a movie").contains("maxout-fast+boldest"));
    }

    #[test]
    fn what_cannot_be_played_is_refused_in_one_line() {
        let error = |settings: &str, file: &[u8]| {
            begin(settings, file, None).err().expect("refused").lines().collect::<Vec<_>>().join("|")
        };
        assert!(error("{}", b"").starts_with("settings: missing field"));
        assert!(error(&settings("maxoot", false), b"").contains("did you mean maxout?"));
        assert!(error(&settings("maxout", false), b"").contains("weights are not there yet"));
        assert!(error(&settings("plateau17", true), b"PK").contains("16-byte iNES header"));
        let level = settings("plateau17", false).replace("18", "20");
        assert_eq!(error(&level, b""), "level 20, expected 0 to 19");
        let seed = settings("plateau17", true).replace(": 7", ": 60000");
        assert!(error(&seed, b"").contains("60000"));
        let taps = settings("clairvoyant", false).replace('}', r#", "taps": "10hz"}"#);
        assert!(error(&taps, b"").contains("its input limits are part of it"));
        let pal_only = settings("maxout-fast", false).replace('}', r#", "taps": "12.5hz"}"#);
        assert!(
            begin(&pal_only, b"", Some(network()))
                .err()
                .is_some_and(|said| said.contains("only the PAL version"))
        );
        let bold =
            |player, name| settings(player, false).replace('}', &format!(r#", "aggression": "{name}"}}"#));
        assert!(error(&bold("plateau17", "bold"), b"").contains("does not take an aggression, expected"));
        assert!(error(&bold("plateau17", "wild"), b"").contains("aggression \"wild\": expected safest"));
        assert!(begin(&bold("plateau17", "normal"), b"", None).is_ok());
    }

    #[test]
    fn somebody_may_play_and_give_the_controller_back() {
        let mut play = begin(&settings("plateau17", false), b"", None).expect("a game");
        for frame in 0..200_u32 {
            let buttons = if frame % 2 == 0 { Buttons::LEFT } else { Buttons::NONE };
            play.press(buttons.0).expect("it runs");
        }
        assert!(play.log()[..200].iter().step_by(2).all(|&buttons| buttons == Buttons::LEFT.0));
        play.run(400).expect("it runs");
        assert!(play.session.so_far().result.pieces > 3 && play.session.counts().gave_up == 0);
    }

    #[test]
    fn a_game_goes_on_from_a_position() {
        let at = |position: &str, emulator| {
            let position = format!(r#", "position": {position}}}"#);
            settings("plateau17", emulator).replace("lines:5", "topout").replace('}', &position)
        };
        let four = r"####.#####\n####.#####\n####.#####\n####.#####";
        let asked = format!(r#"{{"board": "{four}", "piece": "I", "next": "T", "level": 29, "lines": 229}}"#);
        let mut play = begin(&at(&asked, false), b"", None).expect("a game");
        let scene = |play: &WebGame| serde_json::from_str::<serde_json::Value>(&play.scene()).expect("JSON");
        let now = scene(&play);
        assert_eq!(now["board"], ".".repeat(160) + &"xxxx.xxxxx".repeat(4));
        assert_eq!((&now["piece"], &now["next"]), (&"I".into(), &"T".into()));
        assert_eq!((&now["level"], &now["lines"], &now["score"]), (&29.into(), &229.into(), &0.into()));
        // The I piece upright, two columns to the left of where it spawns, makes a tetris: 1,200 times level 30 and one, as
        // the level rises with the line.
        let press = |play: &mut WebGame, buttons: Buttons| {
            let _ = play.press(buttons.0).expect("it runs");
        };
        press(&mut play, Buttons::A);
        press(&mut play, Buttons::LEFT);
        while scene(&play)["pieces"] == 0 {
            press(&mut play, Buttons::DOWN);
        }
        let now = scene(&play);
        assert_eq!((&now["lines"], &now["level"], &now["clears"][3]), (&233.into(), &30.into(), &1.into()));
        assert!((37_200..37_300).contains(&now["score"].as_u64().expect("a score")), "{now}");
        let error = |settings: &str| begin(settings, b"", None).err().expect("refused");
        assert_eq!(error(&at(&asked, true)), "a position on a cartridge, expected the model");
        assert!(error(&at(&asked.replace(r#""I""#, r#""Q""#), false)).starts_with("piece 'Q', expected"));
        assert!(
            error(&at(&asked.replace("229", "30000"), false)).starts_with("30000 lines, expected at most")
        );
        assert!(error(&at(&asked.replace("####.", "####?"), false)).starts_with("board row 1, column 5"));
        assert!(play.fm2().is_err_and(|Refused(error)| error.contains("from its start")));
        // Its recording begins there, too.
        let frames = maxout_record::champs::read(&play.recording().expect("a recording")).expect("frames");
        let first = &frames[0];
        assert_eq!(
            (first.level, first.lines, first.current),
            (Some(29), Some(229), Some(maxout_rules::Piece::I as u32))
        );
        let solid: String = first.field.iter().map(|&cell| if cell == 0 { '.' } else { 'x' }).collect();
        assert_eq!(solid, ".".repeat(160) + &"xxxx.xxxxx".repeat(4));
        let last = frames.last().expect("a frame");
        assert_eq!((last.lines, last.field), (Some(233), [0; 200]));
        let console = begin(&settings("plateau17", true), b"", None).expect("a game");
        assert!(console.recording().is_err_and(|Refused(error)| error.contains("FM2")));
    }

    #[test]
    fn own_placements_are_rated_as_review_does() {
        use maxout_engine::search::Foresight;
        use maxout_gallery::find;

        let network = network();
        let mut play = begin(&settings("plateau17", false), b"", Some(Arc::clone(&network))).expect("a game");
        play.run(300).expect("it runs");
        assert!(
            play.session.so_far().result.pieces > 2 && play.ratings() == "[]",
            "the player's own are not rated"
        );
        while play.ratings.list().len() < 5 {
            let buttons = if play.log().len().is_multiple_of(4) { Buttons::LEFT } else { Buttons::NONE };
            play.press(buttons.0).expect("it runs");
        }
        let locks = &play.session.so_far().locks;
        let (mut board, mut lines) = (maxout_rules::Board::EMPTY, 0);
        let player = find("maxout-fast").expect("a player").with_network(network);
        let mut analyst = player.and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
        let mut rated = play.ratings.list().iter();
        for (number, lock) in (1..).zip(locks) {
            let id = lock.placement.orientation;
            let next = locks.get(number).map(|lock| lock.placement.orientation.piece());
            let piece = id.piece();
            let start = Start::spawn(piece, 18);
            let progress = maxout_rules::Progress::at(lines, 18);
            // The last one's next piece has not locked yet, so nothing is compared with it here.
            if let (Some(next), true) = (next, number > locks.len() - 5) {
                let position = Position { board, start, next: Some(next), progress };
                let expected = analyst.judge(&position, lock.placement).expect("a judgement");
                let rating = rated.next().expect("a rating");
                assert_eq!((rating.number, rating.played), (number, lock.placement));
                assert_eq!((rating.class, rating.loss), (expected.class, expected.loss));
                assert_eq!(rating.best, expected.best.placement);
            }
            lines += u32::from(board.lock(lock.placement.x, lock.placement.y, id));
        }
        assert!(play.scene().contains(r#""rating":{"number":"#));
    }

    /// On PAL a tap every fourth frame is 12.5 taps a second, and a piece of level 19 falls a row a frame.
    #[test]
    fn own_placements_on_pal_are_rated_by_its_frames_and_its_gravity() {
        let image = include_bytes!("../../../roms/testcart/maxout-testcart-pal.nes");
        let network = network();
        let level = settings("plateau17", false).replace("18", "19").replace("lines:5", "topout");
        let mut play = begin(&level, image, Some(Arc::clone(&network))).expect("a game");
        while play.ratings.list().len() < 6 && !play.over {
            let buttons = if play.log().len().is_multiple_of(4) { Buttons::LEFT } else { Buttons::NONE };
            play.press(buttons.0).expect("it runs");
        }
        let scene: serde_json::Value = serde_json::from_str(&play.scene()).expect("JSON");
        let number = |key: &str| scene[key].as_f64().expect("a number");
        assert!((number("pace") - 12.5).abs() < 0.01 && (number("frames_per_second") - 50.0).abs() < 0.01);
        let locks = &play.session.so_far().locks;
        let mut board = maxout_rules::Board::EMPTY;
        let player = maxout_gallery::find("maxout-fast").expect("a player").with_network(network);
        let mut analyst = player.and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
        let mut differs = 0;
        for (two, rating) in locks.windows(2).zip(play.ratings.list()) {
            let maxout_rules::Placement { x, y, orientation } = two[0].placement;
            let mut loss = |rule| {
                let start = Start::spawn(orientation.piece(), 19).by(rule);
                let next = Some(two[1].placement.orientation.piece());
                let position = Position { board, start, next, progress: maxout_rules::Progress::at(0, 19) };
                analyst.judge(&position, two[0].placement).expect("a judgement").loss
            };
            assert_eq!(rating.loss.to_bits(), loss(FallRule::Pal).to_bits());
            differs += u32::from(rating.loss.to_bits() != loss(FallRule::Ntsc).to_bits());
            assert_eq!(board.lock(x, y, orientation), 0);
        }
        assert!(differs > 0);
    }

    #[test]
    fn the_emulator_is_heard_only_on_demand_and_plays_the_same() {
        let mut play = begin(&settings("plateau17", true), b"", None).expect("a game");
        let mut quiet = begin(&settings("plateau17", true), b"", None).expect("a game");
        play.run(60).expect("it runs");
        assert!(play.sound().is_empty());
        play.hear(true);
        play.run(60).expect("it runs");
        assert!((47_000..49_000).contains(&play.sound().len()), "{} samples", play.sound().len());
        assert!(play.sound().iter().all(|sample| (-1.0..=1.0).contains(sample)));
        play.hear(false);
        play.run(60).expect("it runs");
        assert!(play.sound().is_empty());
        quiet.run(180).expect("it runs");
        assert_eq!(play.log(), quiet.log());
        assert_eq!(play.scene(), quiet.scene());
    }
}
