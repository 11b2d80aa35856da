//! `maxout serve`: its own requests, StackRabbit's, and what it refuses.

mod answers;
mod live;
mod peers;
mod rabbit;
mod site;

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

use crate::{clock_at, maxout};

/// A server on a port of its own, which ends with the test.
struct Server {
    child: Child,
    address: String,
    /// Kept open, so that the server is heard.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    fn begin(flags: &[&str]) -> Self {
        Self::begin_at(Vec::new(), flags)
    }

    /// With a clock of its own.
    fn begin_at(clock: Vec<(&str, String)>, flags: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_maxout"));
        command.env_remove("RUST_LOG").envs(clock).args(["serve", "--port", "0"]).args(flags);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        let mut stdout = BufReader::new(child.stdout.take().expect("stdout"));
        let mut line = String::new();
        stdout.read_line(&mut line).expect("a line");
        let address = line.trim().strip_prefix("listening on http://").expect("an address").to_owned();
        Self { child, address, _stdout: stdout }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a timeout");
        stream
    }

    /// Sends these bytes, and returns status and body of the answer.
    fn raw(&self, bytes: &[u8]) -> (u16, String, String) {
        let mut stream = self.connect();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        (status, head.to_ascii_lowercase(), body.to_owned())
    }

    fn ask(&self, method: &str, target: &str, lines: &[&str], body: &str) -> (u16, String) {
        let mut lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        if !lines.iter().any(|line| line.starts_with("Host:")) {
            lines.push(format!("Host: {}", self.address));
        }
        let lines = lines.join("\r\n");
        let length = body.len();
        let text = format!(
            "{method} {target} HTTP/1.1\r\n{lines}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let (status, _, body) = self.raw(text.as_bytes());
        (status, body)
    }

    fn get(&self, target: &str) -> (u16, String) {
        self.ask("GET", target, &[], "")
    }

    fn get_json(&self, target: &str) -> Value {
        let (status, body) = self.get(target);
        assert_eq!(status, 200, "{target}: {body}");
        serde_json::from_str(&body).expect("JSON")
    }

    fn post(&self, target: &str, body: &str) -> (u16, String) {
        self.ask("POST", target, &["Content-Type: application/json"], body)
    }

    fn post_json(&self, target: &str, body: &Value) -> Value {
        let (status, answer) = self.post(target, &body.to_string());
        assert_eq!(status, 200, "{target}: {answer}");
        serde_json::from_str(&answer).expect("JSON")
    }
}

/// Refused with this status and one sentence that has these words in it.
fn refuses(answer: &(u16, String), status: u16, words: &[&str]) {
    assert_eq!(answer.0, status, "{}", answer.1);
    let error: Value = serde_json::from_str(&answer.1).expect("JSON");
    let sentence = error["error"].as_str().expect("a sentence");
    assert!(!sentence.contains('\n') && sentence.len() < 300, "{sentence}");
    assert!(words.iter().all(|word| sentence.contains(word)), "{sentence}: expected {words:?}");
}

/// Refused as StackRabbit refuses: status 200, and one sentence in text.
fn sentence(answer: &(u16, String), words: &[&str]) {
    let (status, text) = answer;
    assert!(*status == 200 && text.starts_with("Error: ") && !text.contains('\n'), "{status}: {text}");
    assert!(words.iter().all(|word| text.contains(word)), "{text}: expected {words:?}");
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let mut stderr = String::new();
        if let Some(mut pipe) = self.child.stderr.take() {
            let _ = pipe.read_to_string(&mut stderr);
        }
        if !std::thread::panicking() {
            assert!(!stderr.contains("panicked"), "{stderr}");
        }
    }
}

/// 200 digits of a drawn board.
fn digits(art: &str) -> String {
    let rows: Vec<&str> = art.lines().collect();
    let empty = "0".repeat(10 * (20 - rows.len()));
    empty + &rows.concat().replace('.', "0").replace('#', "1")
}

/// A high and uneven board.
const UNEVEN: &str = "##........\n###....#..\n####..###.\n#####.###.\n#########.\n##.######.\n#########.";

/// Four rows that wait for an I piece.
const WAITING: &str = "#########.\n#########.\n#########.\n#########.";

#[test]
fn a_clock_before_1970_or_after_9999_dates_no_answer_and_changes_no_other() {
    let asked = json!({ "board": digits(WAITING), "piece": "I", "next": "T", "level": 19, "lines": 100 });
    let want = Server::begin(&[]).post_json("/v1/analyze", &asked);
    for time in ["1960-01-01", "@253402300801"] {
        let Some(clock) = clock_at(time) else { return };
        let server = Server::begin_at(clock, &[]);
        assert_eq!(server.post_json("/v1/analyze", &asked), want, "{time}");
        let (status, head, body) = server.raw(b"HEAD /v1/health HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assert_eq!((status, body.as_str()), (200, ""), "{head}");
        assert!(!head.contains("\ndate:"), "{head}");
        refuses(&server.post("/v1/analyze", &" ".repeat(20_000)), 413, &["expected at most"]);
        let long = format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(20_000));
        assert_eq!(server.raw(long.as_bytes()).0, 431);
        assert_eq!(server.raw(b"nonsense\r\n\r\n").0, 400);
        let chunked =
            b"POST /v1/analyze HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n";
        assert_eq!(server.raw(chunked).0, 411);
        assert_eq!(server.get_json("/v1/health"), json!({ "status": "ok" }));
    }
}

/// On an open connection: asks, and returns the status of the answer; 0 if the server has ended the connection.
fn asks_again(stream: &mut TcpStream) -> u16 {
    let _ = stream.write_all(b"GET /ping HTTP/1.1\r\nHost: localhost\r\n\r\n");
    let mut bytes = [0; 4_096];
    let count = stream.read(&mut bytes).unwrap_or(0);
    let answer = String::from_utf8_lossy(&bytes[..count]).into_owned();
    answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

#[test]
fn a_clock_that_leaves_the_years_with_dates_ends_open_connections_and_nothing_else() {
    let Some(mut clock) = clock_at("2026-01-01") else { return };
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("time");
    let say = |time: &str| std::fs::write(&file, format!("{time}\n")).expect("written");
    clock.retain(|(name, _)| *name != "FAKETIME");
    clock.push(("FAKETIME_TIMESTAMP_FILE", file.to_str().expect("UTF-8").to_owned()));
    clock.extend(["FAKETIME_NO_CACHE", "DONT_FAKE_MONOTONIC"].map(|name| (name, "1".to_owned())));
    say("@2026-01-01 00:00:00");
    let server = Server::begin_at(clock, &[]);
    for gone in ["@1960-01-01 00:00:00", "@1969-12-31 12:00:00"] {
        let mut open = server.connect();
        assert_eq!(asks_again(&mut open), 200, "before {gone}");
        say(gone);
        // This connection was hyper's. Whoever comes now is answered without a date.
        assert_eq!(asks_again(&mut open), 0, "{gone}");
        assert_eq!(server.get("/ping"), (200, "pong".to_owned()), "{gone}");
        say("@2026-01-02 00:00:00");
        let mut open = server.connect();
        assert_eq!((asks_again(&mut open), asks_again(&mut open)), (200, 200), "after {gone}");
    }
}

#[test]
fn our_own_requests_rank_and_list_placements() {
    let server = Server::begin(&[]);
    let asked = json!({ "board": digits(WAITING), "piece": "I", "next": "T", "level": 19, "lines": 100 });
    let ranked = server.post_json("/v1/analyze", &asked);
    let placements = ranked["placements"].as_array().expect("a list");
    assert_eq!(
        (ranked["stop"].as_str(), ranked["count"].as_u64()),
        (Some("level 29"), Some(placements.len() as u64))
    );
    let best = &placements[0];
    assert_eq!((best["lines"].as_u64(), best["loss"].as_f64()), (Some(4), Some(0.0)), "a tetris");
    assert_eq!(best["board"].as_str().map(|board| board.contains('#')), Some(false));
    assert!(best["reply"]["x"].is_u64() && best["replies"]["O"]["x"].is_u64());
    for pair in placements.windows(2) {
        assert!(pair[0]["points"].as_f64() >= pair[1]["points"].as_f64());
    }
    let list = server.post_json("/v1/placements", &json!({ "board": WAITING, "piece": "I", "level": 19 }));
    let known = |value: &Value| -> BTreeSet<String> {
        let place =
            |placement: &Value| format!("{} {} {}", placement["x"], placement["y"], placement["orientation"]);
        value["placements"].as_array().expect("a list").iter().map(place).collect()
    };
    assert_eq!(known(&ranked), known(&list));
    // Another aggression ranks in another way, by name or by number, and none is the normal one.
    let ranked_by = |aggression: Value| {
        let by = json!({ "board": digits(UNEVEN), "piece": "L", "aggression": aggression });
        server.post_json("/v1/analyze", &by)["placements"].clone()
    };
    let normal = ranked_by(Value::Null);
    assert_eq!(ranked_by(json!("normal")), normal);
    let boldest = ranked_by(json!("boldest"));
    assert_eq!(ranked_by(json!(3)), boldest);
    assert_ne!(boldest[0]["value"], normal[0]["value"]);
    assert_ne!(ranked_by(json!(2.5))[0]["value"], boldest[0]["value"]);
    // Slow taps reach less, a piece in flight what is below it, and a full board nothing.
    let slow = json!({ "board": WAITING, "piece": "I", "level": 29, "taps": "X....." });
    let slow = server.post_json("/v1/placements", &slow);
    assert!(slow["count"].as_u64() < list["count"].as_u64());
    let at = json!({ "x": 0, "y": 14, "orientation": 17 });
    let low =
        server.post_json("/v1/placements", &json!({ "board": WAITING, "piece": "I", "level": 29, "at": at }));
    assert!(low["count"].as_u64() < slow["count"].as_u64());
    let rows: Vec<String> = (1..=20).map(|row| row.to_string()).collect();
    let full = json!({ "board": "1".repeat(200), "piece": "T", "level": 45, "lines": 25599, "top": 3 });
    assert_eq!(
        server.post_json("/v1/analyze", &full),
        json!({
            "stop": "100 lines", "count": 0, "placements": [],
            "forecast": { "player": "maxout-2ply", "taps": "30hz" },
            "warnings": [format!("full rows (from 1 at the bottom: {}), which the game would have cleared", rows.join(", "))],
        })
    );
}

#[test]
fn the_description_lists_what_is_served() {
    let server = Server::begin(&[]);
    let api = server.get_json("/v1/openapi.json");
    assert_eq!(api["info"]["version"], env!("CARGO_PKG_VERSION"));
    for (path, methods) in api["paths"].as_object().expect("paths") {
        for method in methods.as_object().expect("methods").keys() {
            // The answer to whoever listens does not end.
            if methods[method]["operationId"] == "live_listen" {
                let mut stream = server.connect();
                write!(stream, "GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
                let mut begun = [0; 15];
                stream.read_exact(&mut begun).expect("an answer");
                assert_eq!(&begun, b"HTTP/1.1 200 OK");
                continue;
            }
            let (status, body) = server.ask(&method.to_uppercase(), path, &[], "");
            assert!(![404, 405].contains(&status), "{method} {path}: {body}");
            let known = methods[method]["responses"].get(status.to_string());
            assert!(known.is_some(), "{method} {path}: {status} {body}");
        }
    }
    assert_eq!(server.get_json("/v1/health"), json!({ "status": "ok" }));
    assert_eq!(server.get_json("/v1/version")["api"], "v1");
}

#[test]
fn what_cannot_be_used_is_refused_in_one_sentence() {
    let server = Server::begin(&["--nodes", "100"]);
    let board = digits(WAITING);
    let ours = [
        ("", &["no JSON", "expected an object"][..]),
        ("[]", &["expected an object"]),
        ("{}", &["board", "not given"]),
        (r#"{"board": "", "piece": "T"}"#, &["board", "200 digits"]),
        (r#"{"board": 7, "piece": "T"}"#, &["board: 7", "a text"]),
        (r#"{"board": "..", "piece": "T"}"#, &["board row 1", "2 cells"]),
        (r#"{"board": "..........", "piece": "Q"}"#, &["piece", "\"Q\"", "one of T"]),
        (r#"{"board": "..........", "piece": "T", "level": 256}"#, &["level: 256", "0 to 255"]),
        (r#"{"board": "..........", "piece": "T", "level": "18"}"#, &["level", "a whole number"]),
        (r#"{"board": "..........", "piece": "T", "lines": -1}"#, &["lines: -1"]),
        (r#"{"board": "..........", "piece": "T", "taps": "XX"}"#, &["taps", "\"XX\"", "timeline"]),
        (r#"{"board": "..........", "piece": "T", "colour": 1}"#, &["colour", "no such field"]),
        (r#"{"board": "..........", "piece": "T", "at": {"x": 5}}"#, &["at.y", "not given"]),
        (
            r#"{"board": "..........", "piece": "T", "at": {"x": 0, "y": 0, "orientation": 2}}"#,
            &["at", "free cells"],
        ),
    ];
    for (body, words) in ours {
        refuses(&server.post("/v1/analyze", body), 400, words);
        refuses(&server.post("/v1/placements", body), 400, words);
    }
    // What only a ranking asks for.
    for (aggression, shown) in [
        ("\"wild\"", "\"wild\""),
        ("3.1", "3.1"),
        ("-4", "-4"),
        ("1e99", "1e+99"),
        ("[]", "a list"),
        ("true", "true"),
    ] {
        let body = format!(r#"{{"board": "..........", "piece": "T", "aggression": {aggression}}}"#);
        let words = [&format!("aggression: {shown}, expected"), "boldest, or a number from -3 (safest) to 3"];
        refuses(&server.post("/v1/analyze", &body), 400, &words);
        refuses(&server.post("/v1/placements", &body), 400, &["aggression: no such field"]);
    }
    let theirs = [
        ("", &["board", "not given"][..]),
        ("board=01", &["board", "2 digits", "expected 200"]),
        ("board=16,,3", &["board", "19 rows", "expected 20"]),
        ("board=BOARD", &["currentPiece", "not given"]),
        ("board=BOARD&currentPiece=TT", &["currentPiece", "one of T"]),
        ("board=BOARD&currentPiece=T&level=x", &["level", "0 to 255"]),
        ("board=BOARD&currentPiece=T&reactionTime=61", &["reactionTime", "0 to 60"]),
        ("board=BOARD&currentPiece=T&inputFrameTimeline=12hz", &["inputFrameTimeline", "X...."]),
        ("board=BOARD&currentPiece=T&level=18.5", &["level", "0 to 255"]),
        ("board=BOARD&currentPiece=T&pruningBreadth=1157", &["pruningBreadth", "0 to 1156"]),
        ("board=BOARD&currentPiece=T&existingXOffset=-5", &["existingXOffset", "free cells"]),
        ("board=BOARD&currentPiece=T&arrWasReset=maybe", &["arrWasReset", "true or false"]),
    ];
    for (query, words) in theirs {
        sentence(&server.get(&format!("/engine-movelist?{}", query.replace("BOARD", &board))), words);
    }
    let odd = server.get(&format!("/engine-movelist?currentPiece=T&board=q{}", &board[1..]));
    sentence(&odd, &["board: board row 1, column 1 has \"q\", expected '.' or 0 for empty"]);
    refuses(&server.get("/v2/analyze"), 404, &["/v2/analyze", "no such request"]);
    refuses(&server.get("/../Cargo.toml"), 404, &["no such request"]);
    refuses(&server.get("/v1/analyze"), 405, &["GET"]);
    refuses(
        &server.ask("POST", "/v1/analyze", &["Content-Type: text/plain"], "{}"),
        415,
        &["application/json"],
    );
    refuses(&server.post("/v1/analyze", &" ".repeat(20_000)), 413, &["16384"]);
}

#[test]
fn pages_of_others_and_other_names_are_refused() {
    let server = Server::begin(&["--allow-origin", "https://trainer.example", "--allow-host", "tetris.lan"]);
    let refused = |lines: &[&str], words: &[&str]| {
        refuses(&server.ask("GET", "/ping", lines, ""), 403, words);
    };
    refused(&["Host: evil.example"], &["Host: evil.example", "--allow-host"]);
    refused(&["Origin: https://evil.example"], &["Origin: https://evil.example", "--allow-origin"]);
    refused(&["Origin: null"], &["Origin: null"]);
    refused(&["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors"], &["Sec-Fetch-Site"]);
    let own = format!("Origin: http://{}", server.address);
    for line in ["Host: tetris.lan", "Host: localhost:80", "Origin: https://trainer.example", &own] {
        assert_eq!(server.ask("GET", "/ping", &[line], "").0, 200, "{line}");
    }
    // The browser is told that this page may read the answer, and before that that it may ask.
    let (host, origin) = (&server.address, "https://trainer.example");
    let head = format!("Host: {host}\r\nOrigin: {origin}\r\nConnection: close\r\n");
    let allowed = format!("access-control-allow-origin: {origin}");
    let (status, answer, _) = server.raw(format!("GET /ping HTTP/1.1\r\n{head}\r\n").as_bytes());
    assert!(status == 200 && answer.contains(&allowed), "{answer}");
    let asks = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Private-Network: true\r\n";
    let (status, answer, _) =
        server.raw(format!("OPTIONS /v1/analyze HTTP/1.1\r\n{head}{asks}\r\n").as_bytes());
    assert!(status == 200 && answer.contains(&allowed), "{answer}");
    assert!(answer.contains("access-control-allow-private-network: true"), "{answer}");
    let (status, ..) = server.raw(b"GET /ping HTTP/1.0\r\n\r\n");
    assert_eq!(status, 403, "no Host");
    let (status, ..) = server.raw(format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(40_000)).as_bytes());
    assert!((400..500).contains(&status), "{status}");
}

/// Any text as a part of a request: no fault of ours, and an answer that is JSON.
#[test]
fn made_up_requests_bring_no_fault() {
    let server = Server::begin(&["--nodes", "50"]);
    let cell = prop::sample::select(vec!['0', '1']);
    let board = prop_oneof![
        3 => prop::collection::vec(cell, 200).prop_map(String::from_iter),
        1 => any::<[bool; 20]>().prop_map(|rows| rows.map(|row| if row { "1111111110" } else { "0000000000" }).concat()),
        1 => "\\PC{0,30}",
    ];
    let number = prop_oneof![3 => (0..300i64).prop_map(|n| n.to_string()), 1 => any::<i64>().prop_map(|n| n.to_string()), 1 => "\\PC{0,8}"];
    let piece = prop_oneof![4 => "[TJZOSLI]", 1 => "\\PC{0,3}"];
    let taps = prop_oneof![2 => "(X[.]{1,9}){1,4}", 1 => "[X.-]{0,70}", 1 => "\\PC{0,9}"];
    let request = (board, piece.clone(), piece, number.clone(), number, taps, 0..10usize, any::<[u8; 4]>());
    let mut runner = TestRunner::new(Config { cases: 300, failure_persistence: None, ..Config::default() });
    let ran = runner.run(&request, |(board, piece, next, level, lines, taps, which, flight)| {
        let names = ["eval", "get-move", "engine-movelist-cpp", "rate-move", "rate-move-cpp"];
        let (status, body) = if let Some(name) = names.get(which) {
            let [x, y, turn, reaction] = flight.map(|number| i16::from(number % 24));
            let mut query = form(&[("board", &board), ("currentPiece", &piece), ("nextPiece", &next)]);
            query += &form(&[("level", &level), ("lines", &lines), ("inputFrameTimeline", &taps), ("secondBoard", &board)]);
            if x < 12 {
                query += &format!("&existingXOffset={}&existingYOffset={y}&existingRotation={}", x - 6, turn % 5);
            }
            server.get(&format!("/{name}?{query}&reactionTime={reaction}"))
        } else {
            let number = |text: &str| text.parse::<i64>().map_or(json!(text), |number| json!(number));
            let mut asked = json!({ "board": board, "piece": piece, "level": number(&level), "lines": number(&lines) });
            if which % 2 == 0 {
                asked["taps"] = json!(taps);
                asked["next"] = json!(next);
                asked["at"] = json!({ "x": flight[0] % 11, "y": flight[1] % 21, "orientation": flight[2] % 20, "fall_timer": flight[3] });
            }
            server.post(if which > 7 { "/v1/placements" } else { "/v1/analyze" }, &asked.to_string())
        };
        prop_assert!(matches!(status, 200 | 400), "{status}: {body}");
        // StackRabbit's requests are answered in text.
        let is_ours = which >= names.len();
        prop_assert!(if is_ours { serde_json::from_str::<Value>(&body).is_ok() } else { status == 200 && !body.contains('\n') }, "{body}");
        Ok(())
    });
    assert!(ran.is_ok(), "{ran:?}");
    assert_eq!(server.get("/ping").0, 200);
}

/// Parameters of a query, with all that is not a letter or a digit written as `%` and two digits.
fn form(values: &[(&str, &str)]) -> String {
    let byte = |byte: &u8| {
        if byte.is_ascii_alphanumeric() { char::from(*byte).to_string() } else { format!("%{byte:02X}") }
    };
    let value = |(name, value): &(&str, &str)| {
        format!("&{name}={}", value.as_bytes().iter().map(byte).collect::<String>())
    };
    values.iter().map(value).collect()
}

#[test]
fn a_request_that_waits_too_long_is_refused_and_others_are_answered() {
    let server = Server::begin(&["--jobs", "1", "--wait", "1", "--nodes", "10000000"]);
    // Other lines are another search, of which nothing is known from the one before. Each client asks three times, so that two hundred wait
    // together also where a search takes a few milliseconds and the clients come one after the other.
    let ask = &|lines: u32, level: u32| {
        let asked = json!({ "board": UNEVEN, "piece": "T", "next": "L", "level": level, "lines": lines });
        server.post("/v1/analyze", &asked.to_string()).0
    };
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let three = move |lines| [18, 19, 28].map(|level| ask(lines, level));
        let threads: Vec<_> = (0..200).map(|lines| scope.spawn(move || three(lines))).collect();
        assert_eq!(server.get("/ping").0, 200);
        threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(statuses.iter().all(|status| [200, 503].contains(status)), "{statuses:?}");
    assert!(statuses.contains(&200) && statuses.contains(&503), "{statuses:?}");
}

#[cfg(unix)]
#[test]
fn a_signal_ends_the_server_once_all_is_answered() {
    use rustix::process::{Pid, Signal, kill_process};
    for signal in [Signal::INT, Signal::TERM] {
        let mut server = Server::begin(&[]);
        assert_eq!(server.get("/ping").0, 200);
        // One client that asks nothing, and one that has asked.
        let _idle = server.connect();
        let asked = json!({ "board": WAITING, "piece": "O", "level": 19 }).to_string();
        let pid = Pid::from_child(&server.child);
        let answer = std::thread::scope(|scope| {
            let asks = scope.spawn(|| server.post("/v1/analyze", &asked));
            std::thread::sleep(Duration::from_millis(300));
            kill_process(pid, signal).expect("it is signalled");
            asks.join().expect("it ends")
        });
        assert_eq!(answer.0, 200, "{}", answer.1);
        let status = server.child.wait().expect("it ends");
        assert_eq!(status.code(), Some(0));
        assert!(TcpStream::connect(&server.address).is_err(), "nobody listens");
    }
}

#[test]
fn an_address_that_cannot_be_used_is_refused() {
    let server = Server::begin(&[]);
    let port = server.address.rsplit(':').next().expect("a port");
    let refused = maxout().args(["serve", "--port", port]).assert().code(2).stdout("");
    let stderr = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
    assert!(stderr.lines().count() == 1 && stderr.contains(&server.address), "{stderr}");
    for flags in
        [&["--host", "example.org"][..], &["--allow-origin", "trainer.example"], &["--allow-host", "a:80"]]
    {
        let refused = maxout().arg("serve").args(flags).assert().code(2).stdout("");
        let stderr = String::from_utf8_lossy(&refused.get_output().stderr).into_owned();
        assert!(stderr.lines().count() == 1 && stderr.contains("expected"), "{stderr}");
    }
}
