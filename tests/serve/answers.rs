//! The command, the server and the page give the same answer to the same question. The Python package is asked the same questions in
//! `crates/python/tests/test_answers.py`.

use maxout_engine::eval::weights::{embedded_files, embedded_plateau};
use maxout_web::{WebRoom, WebStudy, WebWeights};
use serde_json::{Map, Value};

use super::Server;
use crate::maxout;

/// What is asked, and what an answer has beside the [`Answer`](maxout_engine::analysis::Answer): the command repeats the question and names
/// the player, the server counts what it does not list.
const BESIDE: [&str; 8] = ["player", "limits", "board", "piece", "next", "level", "lines", "count"];

/// The answer alone.
fn answer(told: &str) -> Map<String, Value> {
    let mut told: Map<String, Value> = serde_json::from_str(told).expect("an object");
    told.retain(|key, _| !BESIDE.contains(&key.as_str()));
    told
}

/// What `maxout analyze` writes.
fn command(question: &Value) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("answer.json");
    let mut command = maxout();
    let board = question["board"].as_str().expect("art");
    command.args(["analyze", "-", "--json"]).arg(&file).write_stdin(board);
    for name in ["piece", "next", "level", "lines", "taps", "aggression"] {
        let value = &question[name];
        let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        if !value.is_null() {
            command.arg(format!("--{name}={text}"));
        }
    }
    command.assert().success();
    std::fs::read_to_string(&file).expect("an answer")
}

/// The question as the page asks it, with all fields.
fn of_page(question: &Value) -> String {
    let mut all = serde_json::json!({ "next": null, "lines": 0, "taps": "", "aggression": "", "player": "" });
    all.as_object_mut().expect("an object").extend(question.as_object().expect("an object").clone());
    all.to_string()
}

#[test]
fn one_question_has_one_answer_from_the_command_the_server_and_the_page() {
    let server = Server::begin(&[]);
    let mut weights = WebWeights::new(WebRoom::new(), &embedded_files()).expect("the shipped weights");
    weights.add_plateau(embedded_plateau()).expect("the shipped weights");
    let mut page = WebStudy::new(&weights);
    let questions: Vec<Value> = serde_json::from_str(include_str!("../data/questions.json")).expect("JSON");
    let (mut held, mut crashed) = (0, 0);
    for question in questions {
        let said = answer(&command(&question));
        let keys: Vec<&str> = said.keys().map(String::as_str).collect();
        let watched = question["level"].as_u64() >= Some(138);
        let expected = ["crash", "forecast", "placements", "stop", "warnings"];
        assert_eq!(keys, expected[usize::from(!watched)..]);
        crashed += u32::from(watched);
        let placements = said["placements"].as_array().expect("a list");
        assert!(placements.len() > 5, "{question}");
        let is_pause = |frame: &Value| frame == "";
        held += placements
            .iter()
            .filter_map(|said| said["buttons"].as_array())
            .flatten()
            .filter(|f| is_pause(f))
            .count();
        let served = server.post_json("/v1/analyze", &question);
        assert_eq!(said, answer(&served.to_string()), "{question}: /v1/analyze");
        let Ok(shown) = page.rank(&of_page(&question)) else { panic!("the page refuses {question}") };
        assert_eq!(said, answer(&shown), "{question}: the page");
    }
    assert!(crashed >= 3, "questions at levels that can crash: {crashed}");
    assert!(held > 0, "no frame without buttons was compared");
}

/// Positions that crashed the real cartridge on 2026-11-28 (the-game.md 8.3), each with a level-up and soft drop: rows, whether the next box
/// was hidden, and the lines and level before. One level earlier nothing crashed.
const CRASHED: [(usize, bool, u32, u8); 5] = [
    (4, true, 1_619, 167),
    (2, true, 1_639, 169),
    (3, true, 1_629, 168),
    (2, false, 1_609, 166),
    (0, false, 3_219, 247),
];

#[test]
fn nobody_is_told_that_a_lock_is_safe_that_crashed_the_real_cartridge() {
    let server = Server::begin(&[]);
    let mut weights = WebWeights::new(WebRoom::new(), &embedded_files()).expect("the shipped weights");
    weights.add_plateau(embedded_plateau()).expect("the shipped weights");
    let mut page = WebStudy::new(&weights);
    for (rows, hidden, lines, level) in CRASHED {
        for (lines, level, crashed) in [(lines, level, true), (lines - 10, level - 1, false)] {
            let question = serde_json::json!({
                "board": "XXXXXXXXX.\nXXXXXXXXX.\n", "piece": "T", "next": "I", "level": level, "lines": lines
            });
            let of_page = of_page(&question);
            let Ok(shown) = page.rank(&of_page) else { panic!("the page refuses {question}") };
            let doors = [
                ("analyze", answer(&command(&question))),
                ("/v1/analyze", answer(&server.post_json("/v1/analyze", &question).to_string())),
                ("the page", answer(&shown)),
            ];
            for (door, said) in doors {
                let lock = &said["crash"][rows];
                let spare = &lock[if hidden { "hidden" } else { "shown" }]["any_drop"];
                assert_eq!(lock["lines"], rows, "{door}");
                assert_eq!(spare.is_null(), crashed, "{door}: {rows} rows at level {level}: {lock}");
                let warned =
                    said["warnings"].as_array().expect("a list").iter().any(|warning| {
                        warning.as_str().is_some_and(|text| text.contains("can crash the game"))
                    });
                assert!(warned || !crashed, "{door}: {rows} rows at level {level}: {}", said["warnings"]);
            }
        }
    }
}
