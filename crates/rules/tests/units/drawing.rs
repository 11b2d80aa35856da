//! What `src/drawing.rs` promises.

use maxout_rules::*;

/// The rows from the lowest one up, as they are drawn.
fn lowest(text: &str) -> Vec<String> {
    let board: Board = text.parse().unwrap_or_else(|error| panic!("{text:?}: {error}"));
    board.to_string().lines().rev().map(str::to_owned).take_while(|row| row.contains('#')).collect()
}

fn refused(text: &str) -> String {
    text.parse::<Board>().expect_err(text).to_string()
}

/// One board, as people and programs write it.
#[test]
fn one_board_is_read_in_all_its_forms() {
    let digits = "0".repeat(180) + "1000110000" + "1111111110";
    let spaced = |every: usize, with: &str| {
        let chunks: Vec<&str> =
            (0..200).step_by(every).map(|at| &digits[at..(at + every).min(200)]).collect();
        chunks.join(with)
    };
    let rows: Vec<&str> = (0..200).step_by(10).map(|at| &digits[at..at + 10]).collect();
    let quoted: Vec<String> = rows.iter().map(|row| format!("{row:?}")).collect();
    let lists: Vec<String> =
        rows.iter().map(|row| format!("[{}]", row.replace("", ",").trim_matches(','))).collect();
    let frame = "+----------+";
    let forms = [
        "#...##....\n#########.",
        "x...xX....\r\n#########.\r\n",
        "\u{FEFF}#...##....\n#########.\n",
        "\n\n  #...##....\n\n  #########.\n\n",
        "# . . . # # . . . .\n# # # # # # # # # .",
        "1000110000\n1111111110",
        "2000130000\n3333322220",
        "|#...##....|\n|#########.|",
        "|#   ##    |\n|######### |",
        "| # . . . # # . . . . |\n| # # # # # # # # # . |",
        "│#...##....│\n│#########.│\n└──────────┘",
        "║#...##....║\n║#########.║\n╚══════════╝",
        "#...##....|\n#########.|",
        &format!("{frame}\n|..........|\n|#...##....|\n|#########.|\n{frame}"),
        "|#...##....|\n|#########.|\n============",
        "|#...##....|\n|#########.|\n------------",
        "18,rq FE,0",
        "18,rqFE,0\n",
        "18,rq,1",
        &digits,
        &digits.replace('1', "3"),
        &digits.replace('0', ".").replace('1', "x"),
        &spaced(1, " "),
        &spaced(10, " "),
        &spaced(10, "\n"),
        &spaced(50, "\n"),
        &spaced(7, " "),
        &format!("[{}]", spaced(1, ",")),
        &format!("[{}]", spaced(1, ", ")),
        &format!("[{}]", digits.replace('0', "false,").replace('1', "true,")),
        &format!("[{}]", quoted.join(",")),
        &format!("[{}]", lists.join(",\n ")),
        &format!("[{}]", lists.join("\n ").replace(',', " ")),
        &format!("[{}]", lists.join(",").replace('0', "0.0").replace('1', "1.0")),
        &format!("[{}]", lists.join(" ").replace(',', " ").replace('0', "0.").replace('1', "1.")),
        &format!("[{}]", lists.join(",").replace('0', "null").replace('1', "\"T\""))
            .replace("\"T\"", "\"#\""),
        "[\"#...##....\", \"#########.\"]",
        "[\"#   ##    \", \"######### \"]",
        "[[1,0,0,0,12,1,0,0,0,0],[1,1,1,1,1,1,1,1,1,0]]",
        "[#...##....]\n[#########.]\n",
        "[[#...##....],\n [#########.]]",
        "[1,0,0,0,1,1,0,0,0,0]\n[1,1,1,1,1,1,1,1,1,0]",
        "[1000110000] [1111111110]",
    ];
    // Miri is too slow for all of them.
    for text in forms.into_iter().step_by(if cfg!(miri) { 6 } else { 1 }) {
        assert_eq!(lowest(text), ["#########.", "#...##...."], "{text}");
    }
    let waiting = vec!["#########.".to_owned(); 4];
    assert_eq!(lowest("16,,4"), waiting);
    assert_eq!(lowest("xxxxxxxxx.\nxxxxxxxxx.\nxxxxxxxxx.\nxxxxxxxxx."), waiting);
    for empty in ["", "\n \n", "\u{FEFF}", "..........", "20,,0", &"0".repeat(200)] {
        assert_eq!(empty.parse(), Ok(Board::EMPTY), "{empty:?}");
    }
    assert_eq!("##........\n".repeat(22).parse::<Board>().map(|board| board.row(-2)), Ok(3));
}

#[test]
fn errors_say_where() {
    for (text, words) in [
        ("....\n", "board row 1 has 4 cells, expected 10"),
        ("1..", "board row 1 has 3 cells, expected 10"),
        ("#########.\n####.#####.", "board row 2 has 11 cells, expected 10"),
        ("##  ######", "board row 1 has 8 cells, expected 10"),
        ("#########.\n####q####.", "board row 2, column 5 has \"q\", expected '.' or 0 for empty"),
        ("|#########.|\n|####-####.|", "board row 2, column 5 has \"-\""),
        ("..........\n__________", "board row 2, column 1 has \"_\""),
        (&("0".repeat(57) + "y" + &"0".repeat(142)), "board row 6, column 8 has \"y\""),
        (&"0".repeat(199), "board has 199 digits, expected 200"),
        ("[]", "board has no row, expected rows of ten cells"),
        ("[#...##....]\n[########.]", "board row 2"),
        (&"1".repeat(201), "board has 201 digits, expected 200"),
        (&"1111111110\n".repeat(23), "board has 23 rows, expected at most 22"),
        (&("1111111110\n".repeat(18) + "11111111100\n111111110"), "board row 19 has 11 cells, expected 10"),
        ("16,,3", "compressed board has 19 rows (16 empty, 0 drawn, 3 with a well), expected 20"),
        ("13,qayaF,3", "compressed board has 19 rows (13 empty, 3 drawn, 3 with a well), expected 20"),
        ("14,qayaF,3", "board row 17 has 5 cells, expected 10"),
        ("15,qaGa,3", "board row 17, column 1 has \"G\""),
        ("x,,4", "compressed board has \"x\" for a number of rows, expected 0 to 20, as in 16,,4"),
        ("21,,0", "compressed board has \"21\""),
        ("1,0,1", "compressed board has 3 rows"),
        ("[", "board array: after 0 rows, expected a ']' at its end"),
        ("[[1,0]", "board array: after 1 row, expected a ']'"),
        ("[[1,0]]", "board row 1 has 2 cells, expected 10"),
        ("[1,0,1]", "board has 3 digits, expected 200"),
        ("[[1,0,0,0,0,0,0,0,0,-1]]", "board row 1, column 10 has \"-1\""),
        ("[\"#########.\",\"####.####?\"]", "board row 2, column 10 has \"?\""),
        ("[[0,0,0,0,0.5,0,0,0,0,0]]", "board row 1, column 5 has \"0.5\""),
        ("[[[1]]]", "board array: after 1 row, expected rows"),
        ("[\"##########\"] x", "board array: after 1 row, expected nothing behind"),
        ("[\"##########\", 1]", "board array: after 1 row, expected only rows"),
        ("[\"#####", "board array: after 0 rows, expected a quote"),
        ("{\"board\": 1}", "board row 1, column 1 has \"{\""),
        (&"#".repeat(70_000), "board has 70000 bytes, expected at most 65536"),
    ] {
        let said = refused(text);
        assert!(said.starts_with(words) && !said.contains('\n') && said.len() < 200, "{text}: {said}");
    }
}
