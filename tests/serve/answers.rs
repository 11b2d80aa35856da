//! The command and the server give the same answer to the same question.

use serde_json::{Value, json};

use super::Server;
use crate::maxout;

/// What both doors say of a placement: place, buttons, board after it, figures and what follows, by the names of
/// `analyze --json`.
fn same_names(placement: &Value, ours: bool) -> Value {
    let place = |place: &Value| {
        if place.is_null() { Value::Null } else { json!([place["x"], place["y"], place["orientation"]]) }
    };
    let replies = ["T", "J", "Z", "O", "S", "L", "I"].iter().enumerate();
    let reply = |(at, letter)| if ours { &placement["replies"][letter] } else { &placement["replies"][at] };
    let board = match &placement["board"] {
        Value::String(rows) => rows.lines().collect(),
        _ => placement["board_after"]
            .as_array()
            .expect("rows")
            .iter()
            .filter_map(Value::as_str)
            .collect::<Vec<_>>(),
    };
    let buttons = placement["buttons"].as_array().expect("a list").iter().filter_map(Value::as_str);
    let figures = ["points", "loss", "topout", "value"].map(|name| placement[name].as_f64().expect(name));
    json!({
        "place": place(placement),
        "buttons": buttons.map(|held| held.replace('-', "")).collect::<Vec<_>>(),
        "board_after": board,
        "figures": figures,
        "reply": place(&placement["reply"]),
        "replies": replies.map(reply).map(place).collect::<Vec<_>>(),
    })
}

/// The Python package is asked the same questions in `crates/python/tests/test_answers.py`.
#[test]
fn one_question_has_one_answer_from_the_command_and_from_the_server() {
    let server = Server::begin(&[]);
    let questions: Vec<Value> = serde_json::from_str(include_str!("../data/questions.json")).expect("JSON");
    let folder = tempfile::tempdir().expect("a folder");
    for question in questions {
        let answered = folder.path().join("answer.json");
        let mut command = maxout();
        command
            .args(["analyze", "-", "--json"])
            .arg(&answered)
            .write_stdin(question["board"].as_str().expect("art"));
        for name in ["piece", "next", "level", "lines", "taps", "aggression"] {
            let value = &question[name];
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            if !value.is_null() {
                command.arg(format!("--{name}={text}"));
            }
        }
        command.assert().success();
        let answer = std::fs::read_to_string(&answered).expect("an answer");
        let answer: Value = serde_json::from_str(&answer).expect("JSON");
        let served = server.post_json("/v1/analyze", &question);
        let same = |answer: &Value, ours| {
            let all = answer["placements"].as_array().expect("a list").iter();
            all.map(|placement| same_names(placement, ours)).collect::<Vec<_>>()
        };
        let (answer, served) = (same(&answer, false), same(&served, true));
        assert!(answer.len() > 5 && answer == served, "{question}:\n{answer:?}\n{served:?}");
    }
}
