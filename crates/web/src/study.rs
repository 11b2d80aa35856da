//! Ranked placements for the page: [`WebStudy`] answers a [`BoardQuestion`] with an [`Answer`].

use std::sync::Arc;

use maxout_engine::Position;

use maxout_engine::analysis::{Analyst, Answer, Hovering, Judgement};
use maxout_engine::eval::ntuple::{Network, odds};
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::{Hover, Reach, Start, Then};
use maxout_engine::player::DEFAULT_PLAYER;
use maxout_engine::search::{Aggression, Foresight};
use maxout_host::boards::{PictureBoard, of_picture};
use maxout_rules::{Board, ParsePieceError, Piece, Placement, Progress};
use maxout_sight::{Picture, ScreenshotError, check_size};
use serde::{Deserialize, Serialize};
use wasm_bindgen::prelude::*;

use crate::settings::aggression;
use crate::{Refused, WebWeights};

/// Most bytes of a position.
const MAX_QUESTION: usize = 64 << 10;

/// A drawn board and the pieces on it.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields)]
pub struct BoardQuestion {
    /// The board, in any form that [`Board`] is read from.
    pub board: String,
    /// The piece in the air.
    pub piece: char,
    /// The next piece; without it the mean over all seven.
    pub next: Option<char>,
    /// The level, 0 to 255.
    pub level: u8,
    /// Lines so far.
    pub lines: u32,
    /// A tap table by its name, or nothing for the player's own limits.
    pub taps: String,
    /// The aggression: the name of a step or a number as text, or empty for the normal one.
    #[serde(default)]
    pub aggression: String,
    /// The player who ranks, one on the learned value; nothing for the default player.
    #[serde(default)]
    pub player: String,
    /// The frames before the next piece is seen, 0 to 255: with any, the answer says how to play them.
    #[serde(default)]
    pub reaction: u8,
}

/// Where to wait for the next piece, and what that leaves: the answer to [`WebStudy::adjust`].
#[derive(Serialize, Debug)]
struct Adjusting {
    /// What `maxout analyze --reaction` says.
    hovering: Hovering,
    /// The odds of each next piece.
    odds: [f32; 7],
    /// Every placement within the limits.
    placements: Vec<Placement>,
    /// What each of them loses against the best, for each next piece.
    losses: Vec<[f32; 7]>,
    /// Where the piece can be when the next one is seen.
    hovers: Vec<Waiting>,
}

/// A place in which the piece can be when the next one is seen.
#[derive(Serialize, Debug)]
struct Waiting {
    /// The row and column of its centre, and its orientation.
    at: Placement,
    /// Whether the piece has locked by then.
    locked: bool,
    /// The letters of the buttons of each frame until then.
    buttons: Vec<String>,
    /// Which placements can still be reached.
    reach: Vec<usize>,
}

/// Ranks the placements on drawn boards.
#[wasm_bindgen]
pub struct WebStudy {
    network: Arc<Network>,
    /// The last analyst, with the player's name, the limits and the aggression that it was made for.
    analyst: Option<(String, Limits, Aggression, Analyst)>,
}

#[wasm_bindgen]
impl WebStudy {
    /// Makes a study by these weights.
    #[wasm_bindgen(constructor)]
    pub fn new(weights: &WebWeights) -> Self {
        Self { network: Arc::clone(&weights.network), analyst: None }
    }

    /// Answers a question (JSON, see `BoardQuestion` in `study.rs`) with the answer as JSON: that of `maxout analyze --json`. The error
    /// says in one line what is wrong with the question.
    pub fn rank(&mut self, question: &str) -> Result<String, Refused> {
        let (position, analyst, reaction) = self.asked(question)?;
        let mut answer = analyst.answer(&position);
        if reaction > 0 {
            answer.hovering = analyst.hovering(&position, reaction.into());
        }
        Ok(serde_json::to_string(&answer)?)
    }

    /// Answers the same question, whose next piece is ignored, with where the piece can wait for it: JSON, see `Adjusting` in `study.rs`, or
    /// `null` if the piece has no placement. The error says in one line what is wrong with the question.
    pub fn adjust(&mut self, question: &str) -> Result<String, Refused> {
        let (position, analyst, reaction) = self.asked(question)?;
        Ok(serde_json::to_string(&adjusting(&position, analyst, reaction))?)
    }
}

impl WebStudy {
    /// Reads a question: the position, who answers it, and the frames before the next piece is seen.
    fn asked(&mut self, position: &str) -> Result<(Position, &mut Analyst, u8), Refused> {
        if position.len() > MAX_QUESTION {
            let bytes = position.len();
            return Err(format!("position has {bytes} bytes, expected at most {MAX_QUESTION}").into());
        }
        let position: BoardQuestion =
            serde_json::from_str(position).map_err(|error| format!("position: {error}"))?;
        let BoardQuestion { board, piece, next, level, lines, taps, aggression: step, player, reaction } =
            position;
        let board: Board = board.parse()?;
        let (piece, next) = (known(piece)?, next.map(known).transpose()?);
        let progress = progress(lines, level)?;
        let name = if player.is_empty() { DEFAULT_PLAYER } else { &player };
        let limits = match taps.as_str() {
            "" => maxout_gallery::find(name)?.limits,
            taps => Limits::taps(taps.parse::<TapTable>()?),
        };
        let aggression = aggression(&step)?;
        let start = Start::spawn(piece, level);
        let position = Position { board, start, next, progress };
        Ok((position, self.analyst(name, limits, aggression)?, reaction))
    }

    /// Answers a position of a game, as `maxout-fast` does.
    pub fn at(&mut self, position: &Position, limits: Limits) -> Answer {
        self.fast(limits).answer(position)
    }

    /// Judges a placement in a game, as `maxout review --player maxout-fast` does.
    pub fn judge(&mut self, position: &Position, placement: Placement, limits: Limits) -> Option<Judgement> {
        self.fast(limits).judge(position, placement).ok()
    }

    /// The analyst of `maxout-fast`, which takes any limits.
    fn fast(&mut self, limits: Limits) -> &mut Analyst {
        let network = &self.network;
        let kept = self.analyst.take().filter(|(name, of, ..)| name.is_empty() && *of == limits);
        let made = || {
            let mut player = maxout_gallery::find("maxout-fast").ok()?.with_network(Arc::clone(network))?;
            player.limits = limits;
            Some((String::new(), limits, Aggression::NORMAL, player.analyst(Foresight::DEFAULT)?))
        };
        let kept = kept.or_else(made).expect("the player is on the learned value");
        &mut self.analyst.insert(kept).3
    }

    /// The analyst of a player on the learned value.
    fn analyst(
        &mut self,
        name: &str,
        limits: Limits,
        aggression: Aggression,
    ) -> Result<&mut Analyst, Refused> {
        let same = |(of, with, step, _): &(String, Limits, Aggression, Analyst)| {
            of == name && *with == limits && *step == aggression
        };
        let kept = self.analyst.take().filter(same);
        let kept = if let Some(kept) = kept {
            kept
        } else {
            let entry = maxout_gallery::find(name)?.with_network(Arc::clone(&self.network));
            let entry = entry.and_then(|entry| entry.with_aggression(aggression)?.with_limits(limits));
            let analyst = entry.and_then(|entry| entry.analyst(Foresight::DEFAULT));
            let refused = || format!("player {name}: does not rank in points, expected maxout or the like");
            (name.to_owned(), limits, aggression, analyst.ok_or_else(refused)?)
        };
        Ok(&mut self.analyst.insert(kept).3)
    }
}

/// Says where the piece can wait for the next one, and what each place leaves. Losses are those of [`Analyst::rank`] with that next piece, among
/// all placements from the spawn.
fn adjusting(position: &Position, analyst: &mut Analyst, reaction: u8) -> Option<Adjusting> {
    let frames = u32::from(reaction);
    let hovering = analyst.hovering(position, frames)?;
    let (limits, board) = (analyst.limits(), &position.board);
    let reach = Reach::new(board, &position.start, limits)?;
    let placements = reach.placements();
    let mut losses = vec![[0.0; 7]; placements.len()];
    for (at, next) in Piece::ALL.into_iter().enumerate() {
        for verdict in analyst.rank(&Position { next: Some(next), ..*position }) {
            if let Some(found) = placements.iter().position(|&placement| placement == verdict.placement) {
                losses[found][at] = verdict.loss;
            }
        }
    }
    let number = |reached: &[Placement]| -> Vec<usize> {
        (0..placements.len()).filter(|&at| reached.contains(&placements[at])).collect()
    };
    let waiting = |hover: &Hover| {
        let buttons = reach.inputs_of(hover);
        let (at, locked, reached) = match hover.then {
            Then::Locked(placement) => (placement, true, vec![placement]),
            Then::Falls(then) => {
                let held = buttons.last().copied().unwrap_or(position.start.held);
                let reached = Reach::new(board, &Start { held, ..then }, limits);
                let at = Placement { y: then.y, orientation: then.orientation, x: then.x };
                (at, false, reached.map_or(Vec::new(), |reach| reach.placements()))
            }
        };
        let buttons = buttons.iter().map(|held| held.letters()).collect();
        Waiting { at, locked, buttons, reach: number(&reached) }
    };
    let hovers = reach.hovers(frames).iter().map(waiting).collect();
    let odds = *odds(position.start.orientation.piece());
    Some(Adjusting { hovering, odds, placements, losses, hovers })
}

/// What the page gets of a screenshot, or of a board as text.
#[derive(Serialize)]
struct BoardAnswer {
    /// Lines of ten `.` and `#`, the top one first.
    board: Vec<String>,
    /// The piece in the air and the next one, if they are seen.
    piece: Option<Piece>,
    next: Option<Piece>,
    /// What is odd about it.
    warnings: Vec<String>,
}

/// Reads the board from a picture of the screen during play (RGBA, of any size), as JSON: `board`, lines of ten `.` and `#`
/// without the piece in the air, `piece` and `next`, which are null if they are not seen, and `warnings`, what is odd about it.
/// The error says in one line what was expected.
#[wasm_bindgen]
pub fn screenshot(rgba: &[u8], width: u32, height: u32) -> Result<String, Refused> {
    check_size(width, height)?;
    let picture = Picture::rgba(width as usize, height as usize, rgba);
    let seen = maxout_sight::board(&picture.ok_or(ScreenshotError::NoField)?)?;
    let PictureBoard { board, piece, mut warnings } = of_picture(seen.board, None);
    warnings.extend(seen.notes());
    answer(&board, piece, seen.next, warnings)
}

/// Reads a board from text, as JSON like that of [`screenshot`]: lines of `.` and `#`, 200 digits, a JSON array, `16,,4` and more.
/// The error says in one line what is wrong with it, and in which row and column.
#[wasm_bindgen]
pub fn board(text: &str) -> Result<String, Refused> {
    let board: Board = text.parse()?;
    let is_above = board.rows()[..2] != [0; 2];
    let warning = is_above.then(|| "cells above the field, which are left out".to_owned());
    answer(&board, None, None, warning.into_iter().collect())
}

fn answer(
    board: &Board,
    piece: Option<Piece>,
    next: Option<Piece>,
    warnings: Vec<String>,
) -> Result<String, Refused> {
    let board = board.to_string().lines().map(str::to_owned).collect();
    Ok(serde_json::to_string(&BoardAnswer { board, piece, next, warnings })?)
}

/// The progress of a position that a user names. The error says what was expected.
pub fn progress(lines: u32, level: u8) -> Result<Progress, Refused> {
    if lines > 25_599 {
        return Err(format!("{lines} lines, expected at most 25599").into());
    }
    Ok(Progress::at(lines, level))
}

/// The piece with this letter.
pub fn known(letter: char) -> Result<Piece, Refused> {
    Ok(Piece::from_letter(letter).ok_or_else(|| format!("piece {letter:?}, {ParsePieceError}"))?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page has them in its own words, so that it needs no module to draw a position.
    #[test]
    fn the_page_has_the_pieces_of_the_rules() {
        use maxout_rules::Orientation;

        let page: String = include_str!("../page/puzzles.js").split_whitespace().collect();
        let cells = Orientation::ALL.map(|orientation| {
            let cells = orientation.cells().iter().map(|(x, y)| format!("[{x},{y}]")).collect::<Vec<_>>();
            format!("[{}]", cells.join(","))
        });
        assert!(page.contains(&format!("CELLS=[{},];", cells.join(","))));
        let turns = Piece::ALL.map(|piece| {
            let mut turned: Vec<Orientation> =
                (0..piece.orientations()).map(|turns| piece.turned(turns)).collect();
            let spawn = turned.iter().position(|&one| one == piece.spawn()).expect("its own orientation");
            turned.rotate_left(spawn);
            let ids = turned.iter().map(|one| one.id().to_string()).collect::<Vec<_>>();
            format!("{}:[{}]", piece.letter(), ids.join(","))
        });
        assert!(page.contains(&format!("TURNS={{{}}};", turns.join(","))));
    }

    #[test]
    fn another_aggression_ranks_as_the_player_with_it_does() {
        use maxout_gallery::find;

        let file = [maxout_weights_large_1::PART, maxout_weights_large_2::PART].concat();
        let network = Arc::new(maxout_engine::eval::weights::decode(&file).expect("the shipped weights"));
        let mut study = WebStudy { network: Arc::clone(&network), analyst: None };
        let mut ask = |aggression: &str| {
            let asked = format!(
                r#"{{"board": "{}", "piece": "L", "next": "S", "level": 19, "lines": 40, "taps": "",
                    "aggression": "{aggression}", "player": "maxout-fast"}}"#,
                "#..#......\\n####.#####\\n####.#####\\n####.#####"
            );
            study.rank(&asked)
        };
        let (plain, boldest) = (ask("").expect("answers"), ask("boldest").expect("answers"));
        assert_eq!(ask("normal"), Ok(plain.clone()));
        assert_eq!(ask("3"), Ok(boldest.clone()));
        assert_ne!(plain, boldest);
        assert!(
            ask("wild")
                .is_err_and(|Refused(error)| error.starts_with("aggression \"wild\": expected safest"))
        );
        let player = find("maxout-fast").expect("a player").with_network(network);
        let player = player.and_then(|player| player.with_aggression("boldest".parse().ok()?));
        let board = "#..#......\n####.#####\n####.#####\n####.#####".parse().expect("a board");
        let position = Position::spawn(board, Piece::L, Some(Piece::S), Progress::at(40, 19));
        let mut analyst = player.and_then(|player| player.analyst(Foresight::DEFAULT)).expect("an analyst");
        let expected = analyst.answer(&position);
        assert_eq!(boldest, serde_json::to_string(&expected).expect("JSON"));
    }

    #[test]
    fn a_board_is_read_from_text_in_any_form() {
        let empty = vec![".........."; 18];
        for text in ["#...##....\n#########.", "18,rq,1", "|#   ##    |\n|######### |"] {
            let answer: serde_json::Value = serde_json::from_str(&board(text).expect(text)).expect("JSON");
            let rows = [&empty[..], &["#...##....", "#########."]].concat();
            assert_eq!(
                answer,
                serde_json::json!({ "board": rows, "piece": null, "next": null, "warnings": [] }),
                "{text}"
            );
        }
        assert!(board(&"#.........\n".repeat(21)).is_ok_and(|answer| answer.contains("above the field")));
        assert!(
            board("####?").is_err_and(|Refused(error)| error.starts_with("board row 1, column 5 has \"?\""))
        );
    }

    #[test]
    fn a_picture_of_the_emulator_becomes_the_board_in_ram() {
        use maxout_host::{Console, TEST_CARTRIDGE, menus};
        use maxout_rules::input::Buttons;
        use maxout_rules::ram::{Snapshot, VRAM_ROW};

        let mut console = Console::power_on(TEST_CARTRIDGE).expect("the test cartridge works");
        menus::reach_play(&mut console, 4, 0).expect("play begins");
        for (index, tile) in (100..200).zip([0x7B, 0xEF, 0x7C, 0x7D, 0x7B, 0x7D, 0x7C].into_iter().cycle()) {
            console.poke(0x400 + index, tile);
        }
        console.poke(VRAM_ROW, 0);
        (0..30).for_each(|_| console.step(Buttons::NONE).expect("a frame"));
        let now = Snapshot::read(console.ram());
        let board: Vec<String> = now.board.to_string().lines().map(str::to_owned).collect();
        let picture = console.picture().expect("a picture");
        let seen = screenshot(picture.rgba(), 256, 240).expect("a board");
        let seen: serde_json::Value = serde_json::from_str(&seen).expect("JSON");
        assert_eq!(seen["board"], serde_json::json!(board));
        let [piece, next] = [now.current, now.next].map(|id| serde_json::json!(id.piece().expect("a piece")));
        assert_eq!((&seen["piece"], &seen["next"]), (&piece, &next));
        let odd = seen["warnings"].to_string();
        assert!(odd.contains("an odd number") && !odd.contains("is seen in the air"), "{odd}");
        for (bytes, width) in [(picture.rgba(), 200), (&picture.rgba()[..100_000], 256)] {
            let Refused(error) = screenshot(bytes, width, 240).expect_err("another picture");
            assert!(error.contains("no field is in the picture"), "{error}");
        }
        assert!(
            screenshot(&[], 9, 9)
                .is_err_and(|Refused(error)| error.contains("9 x 9 pixels, expected at least"))
        );
    }
}
