//! StackRabbit's requests, in its forms.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::{Value, json};

use super::{Server, UNEVEN, WAITING, digits};

/// Ten programs that know StackRabbit's service and nothing of ours.
#[test]
fn stack_rabbits_clients_are_served() {
    let server = Server::begin(&["--nodes", "2000"]);
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(".ci/clients.py");
    let mut command = Command::new("python3");
    let Ok(output) = command.arg("-B").arg(script).arg(format!("http://{}", server.address)).output() else {
        crate::skipped("there is no python3");
        return;
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn stack_rabbits_requests_are_answered_in_their_form() {
    let server = Server::begin(&[]);
    let head = |target: &str| {
        let text = format!("GET {target} HTTP/1.1\r\nHost: {}\r\nConnection: close\r\n\r\n", server.address);
        let (status, head, body) = server.raw(text.as_bytes());
        assert!(status == 200 && head.contains("content-type: text/plain"), "{target}: {head}");
        body
    };
    let query = format!(
        "board={}&currentPiece=I&nextPiece=T&level=18&lines=20&inputFrameTimeline=X....&reactionTime=0&playoutCount=49\
         &playoutLength=2&pruningBreadth=5",
        digits(WAITING)
    );
    let alone = query.replace("&nextPiece=T", "");
    // A tetris: turned once, four columns to the right, at the bottom. The board after it is empty.
    let best = head(&format!("/get-move?{query}"));
    let parts: Vec<&str> = best.split('|').collect();
    assert_eq!((parts[0], parts[2], &parts[3..]), ("1,4,18", &*"0".repeat(200), &["18", "24"][..]), "{best}");
    assert_eq!(head(&format!("/get-move-cpp?{query}")), best);
    let json = |target: &str| serde_json::from_str::<Value>(&head(target)).expect("JSON");
    let cpp = json(&format!("/engine-movelist-cpp?{query}"));
    assert_eq!((cpp.as_array().map(Vec::len), &cpp[0]["firstPlacement"]), (Some(5), &json!([1, 4, 18])));
    assert_eq!(cpp[0]["resultingBoard"].as_str().map(|board| board.ends_with(",0")), Some(true));
    assert_eq!(json(&format!("/engine-movelist-cpp?{alone}"))[0]["secondPlacement"], Value::Null);
    let hybrid = json(&format!("/engine-movelist-cpp-hybrid?{query}"));
    assert_eq!(hybrid["nextBox"], cpp);
    assert_eq!(hybrid["noNextBox"][0]["firstPlacement"], json!([1, 4, 18]));
    assert!(head(&format!("/engine-movelist-cpp-hybrid?{alone}")).starts_with("Error: nextPiece"));
    let pair = &json(&format!("/engine-movelist?{query}"))[0];
    assert_eq!((pair.as_array().map(Vec::len), &pair[0]["placement"]), (Some(2), &json!([1, 4, 18])));
    let two =
        |text: &Value| text.as_str().and_then(|text| text.split_once('.')).map(|(_, digits)| digits.len());
    assert_eq!(two(&pair[0]["totalValue"]), Some(2), "{pair}");
    assert_eq!(json(&format!("/engine-movelist?{alone}"))[0]["placement"], json!([1, 4, 18]));
    assert!(head(&format!("/eval?board={}&level=18&lines=20", digits(WAITING))).parse::<f64>().is_ok());
    assert_eq!(head("/ping"), "pong");
    assert!(head("/version").starts_with("maxout "));
    // The default is 20 moves.
    let more = alone.replace("&pruningBreadth=5", "").replace("currentPiece=I", "currentPiece=T");
    assert_eq!(json(&format!("/engine-movelist-cpp?{more}")).as_array().map(Vec::len), Some(20));
    // What is refused, and what is none of its requests: a sentence.
    for target in ["/get-move?board=0", "/rate-move", "/stack-rabbit", "/async-result", "/precompute"] {
        let sentence = head(target);
        assert!(!sentence.contains('\n') && sentence.contains(' '), "{target}: {sentence}");
    }
}

/// One tetris of value is the same number by lines and by level, and better is more.
#[test]
fn scores_do_not_depend_on_lines_and_levels() {
    let server = Server::begin(&["--nodes", "1"]);
    let eval = |board: &str, level: u8, lines: u32| -> f64 {
        let said = server.get(&format!("/eval?board={}&level={level}&lines={lines}", digits(board))).1;
        said.parse().expect("a number")
    };
    let flat = "######....\n#########.\n#########.\n#########.";
    for board in [flat, UNEVEN] {
        let scores = [(18, 0), (18, 50), (18, 100), (19, 100), (19, 150), (25, 190)]
            .map(|(level, lines)| eval(board, level, lines));
        let (least, most) = (
            scores.iter().copied().fold(f64::MAX, f64::min),
            scores.iter().copied().fold(f64::MIN, f64::max),
        );
        assert!(most - least < 60.0, "{scores:?}");
    }
    assert!((0.0..100.0).contains(&eval(flat, 19, 0)), "{}", eval(flat, 19, 0));
    let scores = [flat, UNEVEN].map(|board| eval(board, 19, 0));
    assert!(scores[0] > scores[1] + 25.0, "{scores:?}");
    // Both are open on the right. What is open on the left is worth the same.
    for (board, score) in [flat, UNEVEN].into_iter().zip(scores) {
        let mirrored: Vec<String> = board.lines().map(|row| row.chars().rev().collect()).collect();
        let other = eval(&mirrored.join("\n"), 19, 0);
        assert!((score - other).abs() < 0.5, "{board}: {score}, in a mirror {other}");
    }
}

/// The same board as clients write it, and in every request that has one.
#[test]
fn boards_are_read_in_every_form() {
    let server = Server::begin(&["--nodes", "1"]);
    let of_digits = digits(WAITING);
    let query = |board: &str| format!("currentPiece=I&level=19&lines=20&board={board}");
    let best = server.get(&format!("/get-move?{}", query(&of_digits)));
    assert!(best.1.starts_with("1,4,18|"), "the tetris: {}", best.1);
    let drawn = format!("{}{}", "..........%0A".repeat(16), "xxxxxxxxx.%0A".repeat(4));
    let rows = format!("[{}]", ["%22%23%23%23%23%23%23%23%23%23.%22"; 4].join(","));
    for board in [
        "16,,4",
        "15,aa,4",
        "12,aaaaaaaaFEFEFEFE,0",
        &of_digits.replace('1', "2"),
        &of_digits.replacen('1', "3", 7),
        &of_digits.chars().map(|digit| format!("{digit}+")).collect::<String>(),
        &drawn,
        &rows,
        &format!("[{}]", of_digits.chars().map(|digit| format!("{digit},")).collect::<String>()),
        "%EF%BB%BF16,,4",
    ] {
        assert_eq!(server.get(&format!("/get-move?{}", query(board))), best, "{board}");
    }
    let second = format!("/rate-move-cpp?{}&secondBoard=20,,0", query("16,,4"));
    let rating = server.get_json(&second);
    assert_eq!(rating["playerMoveNoAdjustment"], rating["bestMoveNoAdjustment"]);
    // Our own requests take the same, and arrays as they are.
    let numbers: Vec<u8> = of_digits.bytes().map(|digit| digit - b'0').collect();
    let lists: Vec<&[u8]> = numbers.chunks(10).collect();
    let count = |board: Value| server.post_json("/v1/placements", &json!({ "board": board, "piece": "I" }));
    let expected = count(json!(WAITING));
    for board in [
        json!(of_digits),
        json!("16,,4"),
        json!("|#########.|\n".repeat(4)),
        json!("|######### |\n".repeat(4)),
        json!(WAITING.replace('#', "x")),
        json!(WAITING.lines().collect::<Vec<_>>()),
        json!(numbers),
        json!(lists),
    ] {
        assert_eq!(count(board.clone()), expected, "{board}");
    }
    for (board, words) in [
        (json!(["#########.", "####?####."]), "board row 2, column 5 has \"?\""),
        (json!([[1, 0]]), "board row 1 has 2 cells, expected 10"),
        (json!("16,,5"), "compressed board has 21 rows"),
        (json!({}), "an object, expected a text or an array"),
    ] {
        let body = json!({ "board": board, "piece": "I" }).to_string();
        super::refuses(&server.post("/v1/placements", &body), 400, &["board: ", words]);
    }
}

/// What the original takes beside the usual, tried one by one.
#[test]
fn parameters_are_read_as_the_original_reads_them() {
    let server = Server::begin(&["--nodes", "1"]);
    let board = digits(UNEVEN);
    let ask = |more: &str| {
        server.get(&format!("/engine-movelist-cpp?board={board}&currentPiece=T&level=18&lines=10{more}")).1
    };
    let list = |more: &str| -> usize {
        let text = ask(more);
        serde_json::from_str::<Vec<Value>>(&text).unwrap_or_else(|_| panic!("{more}: {text}")).len()
    };
    let all = list("&pruningBreadth=1156");
    assert!(all > 20, "{all}");
    assert_eq!(["", "&pruningBreadth=0", "&pruningBreadth=20"].map(list), [20; 3]);
    assert_eq!([list("&pruningBreadth=1"), list("&pruningBreadth=21")], [1, 21]);
    for breadth in ["-1", "1157", "x", "20.5"] {
        let said = ask(&format!("&pruningBreadth={breadth}"));
        assert!(said.starts_with("Error: pruningBreadth: ") && said.contains("from 0 to 1156"), "{said}");
    }
    let same = |one: &str, other: &str| assert_eq!(ask(one), ask(other), "{one} {other}");
    same("&level=29&level=18", "");
    same("&level=18.0", "");
    same("&lines=10.0&unknown=1&playoutCount=49&playoutLength=3&lookaheadDepth=1", "");
    same("&existingYOffset=-1", "&existingYOffset=0");
    same("&existingYOffset=1&arrWasReset=TRUE", "&existingYOffset=1&arrWasReset=true");
    same("&inputFrameTimeline=X----", "&inputFrameTimeline=X....");
    same("&inputFrameTimeline=X+.+.+.+.", "&inputFrameTimeline=X....");
    for timeline in ["X", "XX.", ".X...", "..", "X..X.X", &"X....".repeat(30)] {
        assert!(list(&format!("&inputFrameTimeline={timeline}")) > 0, "{timeline}");
    }
}

/// The timeline of a piece in flight goes on without a press in the first frame, or begins anew with `arrWasReset`.
#[test]
fn the_first_press_in_flight_is_as_the_timeline_says() {
    let server = Server::begin(&["--nodes", "1"]);
    // On level 29 a piece falls a row a frame. From row 15 on there is time for one press, or for none.
    let columns = |more: &str| -> BTreeSet<i64> {
        let query = format!(
            "board={}&currentPiece=O&level=29&inputFrameTimeline=X....&existingYOffset=15{more}",
            "0".repeat(200)
        );
        let list: Value =
            serde_json::from_str(&server.get(&format!("/engine-movelist-cpp?{query}")).1).expect("JSON");
        list.as_array()
            .expect("a list")
            .iter()
            .map(|one| one["firstPlacement"][1].as_i64().expect("columns"))
            .collect()
    };
    let one = BTreeSet::from([-1, 0, 1]);
    assert_eq!(columns("&existingFramesElapsed=14"), one, "frame 15 is the second one, and one of a press");
    assert_eq!(columns("&existingFramesElapsed=15"), BTreeSet::from([0]), "no press in the first frame");
    assert_eq!(columns("&existingFramesElapsed=0&inputFrameTimeline=X....X.."), BTreeSet::from([0]));
    assert_eq!(columns(""), BTreeSet::from([0]));
    assert_eq!(columns("&arrWasReset=true"), one);
    assert_eq!(columns("&existingFramesElapsed=15&arrWasReset=1"), one);
    assert_eq!(columns("&existingFramesElapsed=16"), BTreeSet::from([0]), "frame 20 is too late");
    assert_eq!(columns("&existingFramesElapsed=16&arrWasReset=TRUE"), one);
    assert_eq!(columns("&existingFramesElapsed=16&arrWasReset=false"), BTreeSet::from([0]));
}

#[test]
fn moves_are_rated() {
    let server = Server::begin(&[]);
    let query = |name: &str, second: &str, next: &str, more: &str| {
        let (board, second) = (digits(WAITING), digits(second));
        format!("/{name}?board={board}&secondBoard={second}&currentPiece=I{next}&level=19&lines=20{more}")
    };
    // The tetris, with its rows and without them.
    for second in ["", "##########\n##########\n##########\n##########"] {
        let rating = server.get_json(&query("rate-move-cpp", second, "&nextPiece=T", ""));
        for when in ["NoAdjustment", "AfterAdjustment"] {
            let player = &rating[format!("playerMove{when}")];
            assert!(player.is_number() && *player == rating[format!("bestMove{when}")], "{rating}");
        }
        assert_eq!(rating.as_object().map(serde_json::Map::len), Some(4));
    }
    // An I piece on the open column is a blunder.
    let flat = "......####\n#########.\n#########.\n#########.\n#########.";
    let rating = server.get_json(&query("rate-move", flat, "", ""));
    let number = |name: &str| rating[name].as_str().and_then(|text| text.parse::<f64>().ok());
    let below = number("bestMoveNoAdjustment").zip(number("playerMoveNoAdjustment"));
    assert!(below.is_some_and(|(best, player)| best - player > 5.0), "{rating}");
    assert_eq!(rating.as_object().map(serde_json::Map::len), Some(2));
    // Beyond these taps at level 29.
    let wall =
        |name| query(name, "", "", "").replace("level=19", "level=29") + "&inputFrameTimeline=X........";
    assert_eq!(server.get_json(&wall("rate-move"))["playerMoveNoAdjustment"], "Unknown score");
    assert_eq!(server.get(&wall("rate-move-cpp")), (200, "Error: player move not found".to_owned()));
    let hovered = server.get_json(&query("rate-move-cpp", "", "&nextPiece=T", "&reactionTime=20"));
    assert!(hovered["bestMoveAfterAdjustment"].is_number(), "{hovered}");
}
