//! `/v1/live` and its clients, and pages of any origin.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use maxout_host::review::of_frames;
use maxout_record::champs::{self, ChampsFrame, Version};
use serde_json::{Value, json};

use super::{Server, UNEVEN, WAITING, refuses};

#[test]
fn a_game_that_is_followed_is_rated_placement_by_placement() {
    let server = Server::begin(&[]);
    let send = |position: Value| server.post_json("/v1/live", &position);
    let mut listener = server.connect();
    write!(listener, "GET /v1/live?channel=one HTTP/1.1\r\nHost: localhost\r\n\r\n").expect("sent");
    let mut lines = BufReader::new(listener).lines().map(|line| line.expect("a line"));
    let first = send(
        json!({ "channel": "one", "board": WAITING, "piece": "I", "next": "T", "level": 19, "lines": 100 }),
    );
    assert_eq!((&first["rated"], first["number"].as_u64()), (&Value::Null, Some(1)));
    assert_eq!(first["best"]["x"], 9, "{first}");
    // The tetris.
    let after = json!({ "channel": "one", "board": "..........", "piece": "T", "next": "O", "level": 19, "lines": 104 });
    let second = send(after.clone());
    assert_eq!(
        (second["rated"]["class"].as_str(), second["rated"]["loss"].as_f64()),
        (Some("best"), Some(0.0))
    );
    // Whoever listens has been sent both.
    let events: Vec<Value> = lines
        .by_ref()
        .filter_map(|line| line.strip_prefix("data: ").map(|text| serde_json::from_str(text).expect("JSON")))
        .take(2)
        .collect();
    assert_eq!(events, [first, second.clone()]);
    // Another game knows nothing of this one, and no placement leads from the empty board to this one.
    let other = send(json!({ "board": "..........", "piece": "T", "level": 19 }));
    assert_eq!((&other["rated"], other["number"].as_u64()), (&Value::Null, Some(1)));
    let jump = send(json!({ "channel": "one", "board": UNEVEN, "piece": "T", "level": 19 }));
    assert_eq!(jump["rated"], Value::Null);
    // A blunder: the I piece lies on the open column.
    send(json!({ "channel": "two", "board": WAITING, "piece": "I", "next": "T", "level": 19, "lines": 100 }));
    let flat = format!("......####\n{WAITING}");
    let blunder = send(json!({ "channel": "two", "board": flat, "piece": "T", "level": 19, "lines": 100 }));
    assert!(blunder["rated"]["loss"].as_f64() > Some(1_000.0), "{blunder}");
    for (channel, words) in [("a b", "letters"), ("", "letters"), (&*"x".repeat(33), "32")] {
        let asked = json!({ "channel": channel, "board": "..........", "piece": "T" }).to_string();
        refuses(&server.post("/v1/live", &asked), 400, &["channel", words]);
    }
    // As fast as an overlay needs it, on an idle machine within 50 ms.
    let begun = Instant::now();
    for _ in 0..10 {
        send(after.clone());
    }
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

/// A recorded game, sent frame by frame as `NestrisChamps` does. `review` has read the placements from the whole file.
#[test]
fn frames_of_nestris_champs_are_rated_as_they_come() {
    let server = Server::begin(&[]);
    let send = |query: &str, body: &[u8]| {
        let head = format!(
            "POST /v1/live{query} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/octet-stream\r\n\
             Connection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let (status, _, body) = server.raw(&[head.as_bytes(), body].concat());
        (status, body)
    };
    let file = include_bytes!("../data/recordings/ngf-29-all-frames.ngf.gz");
    let frames = champs::read(file).expect("frames");
    let games = of_frames(champs::Frames::new(&file[..]), None).expect("frames");
    assert_eq!((games.len(), games[0].pieces.len()), (1, 15));
    let placed: Vec<[u64; 3]> = games[0]
        .pieces
        .iter()
        .map(|piece| piece.placement)
        .map(|place| [place.x.into(), place.y.into(), place.orientation.id().into()])
        .collect();
    let in_sight = ChampsFrame { counts: [None; 7], current: None, ..frames[0].clone() };
    for (channel, version, frame_of) in [
        ("three", Version::V3, (|frame| frame) as fn(ChampsFrame) -> ChampsFrame),
        ("four", Version::V4, |frame| frame),
        ("uncounted", Version::V4, |frame| ChampsFrame { counts: [None; 7], current: None, ..frame }),
    ] {
        let mut rated = Vec::new();
        for frame in &frames {
            let (status, body) =
                send(&format!("?channel={channel}"), &frame_of(frame.clone()).encode(version));
            if status == 204 {
                continue;
            }
            let event: Value = serde_json::from_str(&body).unwrap_or_else(|_| panic!("{status}: {body}"));
            let number = |name: &str| event["rated"][name].as_u64();
            rated.extend(number("x").and_then(|x| Some([x, number("y")?, number("orientation")?])));
            assert!(event["level"].as_u64().is_some_and(|level| (28..=30).contains(&level)), "{event}");
        }
        // Nothing follows the last placement, and without counts the first piece is not known.
        let expected = if channel == "uncounted" { &placed[1..] } else { &placed[..] };
        let is_last_seen = rated.len() == expected.len();
        assert_eq!(rated, expected[..expected.len() - usize::from(!is_last_seen)], "{channel}");
    }
    // Several at once: the answer is that of the last piece.
    let some: Vec<u8> = frames[..150].iter().flat_map(|frame| frame.encode(Version::V4)).collect();
    let (status, body) = send("?channel=some&taps=12hz", &some);
    assert!(status == 200 && body.contains("\"number\":"), "{body}");
    let whole = in_sight.encode(Version::V4);
    for (query, body, words) in [
        ("", &b""[..], "no frame"),
        ("", b"\xFFno frame", "begins with FF hex"),
        ("", &whole[..20], "ends after 20 bytes"),
        ("", file, "packed"),
        ("?channel=a.b", &whole, "channel"),
        ("?taps=Y", &whole, "taps"),
    ] {
        refuses(&send(query, body), 400, &[words, "expected"]);
    }
    assert_eq!(send("?channel=cut", &whole[..40]).0, 204, "the rest of the field is empty");
}

/// The snippets of docs/guide/serve.md.
#[test]
fn snippets_in_three_languages_follow_a_game() {
    let server = Server::begin(&[]);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/guide/clients");
    let url = format!("http://{}", server.address);
    let mut said = Vec::new();
    for (program, file) in [("node", "live.mjs"), ("python3", "live.py"), ("lua5.4", "live.lua")] {
        let Ok(output) = Command::new(program).arg(folder.join(file)).arg(&url).output() else {
            crate::skipped(&format!("there is no {program}"));
            continue;
        };
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        if stderr.contains("module 'socket.http' not found") {
            crate::skipped("there is no LuaSocket");
            continue;
        }
        assert!(output.status.success(), "{program}: {stderr}");
        said.push(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    assert!(said.iter().all(|said| said.starts_with("best, loses 0 points; next: column ")), "{said:?}");
    assert!(said.windows(2).all(|pair| pair[0] == pair[1]), "{said:?}");
}

#[test]
fn with_allow_web_pages_of_any_origin_may_ask() {
    let server = Server::begin(&["--allow-web"]);
    let host = &server.address;
    for origin in ["https://any.example", "null", "http://localhost:5173"] {
        let head = format!(
            "Host: {host}\r\nOrigin: {origin}\r\nSec-Fetch-Site: cross-site\r\nConnection: close\r\n"
        );
        let (status, answer, _) = server.raw(format!("GET /ping HTTP/1.1\r\n{head}\r\n").as_bytes());
        assert!(status == 200 && answer.contains("access-control-allow-origin: *"), "{origin}: {answer}");
        let asks = "Access-Control-Request-Method: POST\r\nAccess-Control-Request-Headers: content-type\r\n\
                    Access-Control-Request-Private-Network: true\r\n";
        let (status, answer, _) =
            server.raw(format!("OPTIONS /v1/analyze HTTP/1.1\r\n{head}{asks}\r\n").as_bytes());
        for line in ["allow-origin: *", "allow-private-network: true", "allow-headers: content-type"] {
            assert!(status == 200 && answer.contains(&format!("access-control-{line}")), "{line}: {answer}");
        }
    }
    // A name that points at this machine is refused all the same.
    refuses(&server.ask("GET", "/ping", &["Host: evil.example"], ""), 403, &["Host"]);
    let plain = Server::begin(&[]);
    refuses(&plain.ask("GET", "/ping", &["Origin: null"], ""), 403, &["Origin: null", "--allow-web"]);
}

/// Pages of one origin are one client, over whichever connections they come.
#[test]
fn a_page_has_few_requests_waiting() {
    let server = Server::begin(&["--jobs", "1", "--allow-web"]);
    let ask = |lines: usize, origin: &str| {
        let asked = json!({ "board": WAITING, "piece": "O", "level": 19, "lines": lines }).to_string();
        let origin = format!("Origin: {origin}");
        server.ask("POST", "/v1/analyze", &["Content-Type: application/json", &origin], &asked).0
    };
    let statuses: Vec<u16> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..60).map(|lines| scope.spawn(move || ask(lines, "https://greedy.example"))).collect();
        let other = scope.spawn(|| ask(200, "https://other.example"));
        assert_eq!(other.join().expect("it ends"), 200);
        threads.into_iter().map(|thread| thread.join().expect("it ends")).collect()
    });
    assert!(
        statuses.contains(&200) && statuses.iter().all(|status| [200, 503].contains(status)),
        "{statuses:?}"
    );
}
