//! Boards as text, in all forms that people and programs write ([`Board`]'s `FromStr`), and why a text is no board.

use std::error::Error;
use std::fmt;
use std::str::FromStr;

use super::board::Board;

/// Columns of a board.
const COLUMNS: usize = 10;
/// Visible rows.
const VISIBLE: usize = 20;
/// All rows: two above the visible ones.
const ROWS: usize = 22;
/// A row of which only the right well is free.
const WELL: u16 = 0x1FF;
/// Bytes that a board may have.
const MOST_BYTES: usize = 64 << 10;
/// Most characters of a cell that a message repeats.
const SHOWN: usize = 12;

/// Why a text is not a board. Rows count from 1 at the top of the text, columns from 1 at the left.
#[derive(Debug, PartialEq, Eq)]
pub enum ParseBoardError {
    /// There is no row.
    Empty,
    /// There are too many rows.
    Rows(usize),
    /// There are digits or single cells, but not one for each of the 200 visible cells.
    Digits(usize),
    /// A row is not ten cells wide.
    Width {
        /// The row.
        row: usize,
        /// The number of its cells.
        width: usize,
    },
    /// A cell has no meaning.
    Cell {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// What is written there.
        found: String,
    },
    /// A compressed board has another number of rows.
    CompressedRows {
        /// The rows: empty ones at the top, drawn ones, those with a well at the bottom.
        rows: [usize; 3],
    },
    /// A row count of a compressed board is no number.
    CompressedCount(String),
    /// The text is too long.
    Bytes(usize),
    /// A JSON array of rows ends too early, or something follows it.
    Array {
        /// The rows until then.
        rows: usize,
        /// What was expected.
        expected: &'static str,
    },
}

impl fmt::Display for ParseBoardError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => {
                f.write_str("board has no row, expected rows of ten cells; one of dots is an empty board")
            }
            Self::Rows(rows) => write!(f, "board has {rows} rows, expected at most {ROWS}"),
            Self::Digits(cells) => write!(
                f,
                "board has {cells} digits, expected 200: ten columns of twenty rows, from the top left"
            ),
            Self::Width { row, width } => write!(f, "board row {row} has {width} cells, expected {COLUMNS}"),
            Self::Cell { row, column, found } => write!(
                f,
                "board row {row}, column {column} has {found:?}, expected '.' or 0 for empty, '#', 'X' or 1 for solid"
            ),
            Self::CompressedRows { rows: [empty, drawn, well] } => write!(
                f,
                "compressed board has {} rows ({empty} empty, {drawn} drawn, {well} with a well), expected {VISIBLE}",
                empty + drawn + well
            ),
            Self::CompressedCount(found) => write!(
                f,
                "compressed board has {found:?} for a number of rows, expected 0 to {VISIBLE}, as in 16,,4"
            ),
            Self::Bytes(bytes) => write!(f, "board has {bytes} bytes, expected at most {MOST_BYTES}"),
            Self::Array { rows, expected } => {
                let s = if *rows == 1 { "" } else { "s" };
                write!(f, "board array: after {rows} row{s}, expected {expected}")
            }
        }
    }
}

impl Error for ParseBoardError {}

impl FromStr for Board {
    type Err = ParseBoardError;

    /// Reads a board in any of these forms:
    ///
    /// * lines of ten cells, bottom row last; missing rows above are empty, blank lines are skipped. `.` and `0` are empty, `#`, `X`,
    ///   `x` and the other digits are solid. Cells may be spaced. Rows may be framed by `|`, with borders of `+`, `-` and `=` above
    ///   and below; between two `|`, blanks are empty cells;
    /// * 200 cells in one line, or wrapped at any width, row by row from the top left;
    /// * a JSON array of rows, each a text of ten cells or an array of ten numbers, or of 200 numbers; 0, `false` and `null` are empty;
    /// * StackRabbit's compressed form, `EMPTY_ROWS,LETTERS,ROWS_WITH_A_WELL`: two letters a row, each five cells (a–z, A–F).
    ///
    /// A row of an array may also be drawn without quotes, and the brackets around the rows may be missing. A byte-order mark before it is
    /// skipped. A text of blanks is an empty board.
    fn from_str(text: &str) -> Result<Self, ParseBoardError> {
        if text.len() > MOST_BYTES {
            return Err(ParseBoardError::Bytes(text.len()));
        }
        let text = text.trim_start_matches('\u{FEFF}').trim();
        if text.starts_with('[') {
            return of_rows(&array_rows(text)?);
        }
        match text.split(',').collect::<Vec<_>>()[..] {
            [empty, letters, well] if !text.contains('\n') => compressed(empty, letters, well),
            _ => drawn(text),
        }
    }
}

/// A cell as it is written: a character, or a value of JSON.
type Cell<'a> = &'a str;

/// Whether a cell is solid. `None` if it has no meaning.
fn solid(cell: Cell<'_>) -> Option<bool> {
    match cell {
        "." | "0" | "false" | "null" => Some(false),
        "#" | "X" | "x" | "true" => Some(true),
        _ => {
            // Colours and pieces are numbered, and 1.0 is 1.
            let whole = cell.strip_suffix(".0").unwrap_or(cell);
            let is_number = (1..=3).contains(&whole.len()) && whole.bytes().all(|byte| byte.is_ascii_digit());
            is_number.then(|| whole.bytes().any(|byte| byte != b'0'))
        }
    }
}

/// The board of these rows, of which the last is the bottom one.
fn of_rows(cells: &[Vec<Cell<'_>>]) -> Result<Board, ParseBoardError> {
    if cells.len() > ROWS {
        return Err(ParseBoardError::Rows(cells.len()));
    }
    let mut rows = [0; ROWS];
    let first = ROWS - cells.len();
    for (row, (cells, bits)) in (1..).zip(cells.iter().zip(&mut rows[first..])) {
        // A character without a meaning says more than a width that it spoils.
        for (column, cell) in (1..).zip(cells) {
            let solid = solid(cell).ok_or_else(|| ParseBoardError::Cell {
                row,
                column,
                found: cell.chars().take(SHOWN).collect(),
            })?;
            if column <= COLUMNS {
                *bits |= u16::from(solid) << (column - 1);
            }
        }
        if cells.len() != COLUMNS {
            return Err(ParseBoardError::Width { row, width: cells.len() });
        }
    }
    Ok(Board::from_rows(rows))
}

/// The cells of a line, a character each, without blanks.
fn cells(line: &str) -> Vec<Cell<'_>> {
    characters(line).filter(|cell| !cell.trim().is_empty()).collect()
}

/// Each character of a text as a text.
fn characters(text: &str) -> impl Iterator<Item = &str> {
    text.char_indices().map(|(at, letter)| &text[at..at + letter.len_utf8()])
}

/// Reads lines of cells.
fn drawn(text: &str) -> Result<Board, ParseBoardError> {
    let is_side = |letter: char| matches!(letter, '|' | '│' | '║');
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let is_framed = lines.iter().any(|line| line.starts_with(is_side));
    let is_border =
        |line: &str| line.chars().all(|letter| matches!(letter, '+' | '-' | '=' | '_' | '─'..='╬'));
    let mut rows: Vec<Vec<Cell<'_>>> = Vec::new();
    for line in lines {
        let inner = line.strip_prefix(is_side).and_then(|rest| rest.strip_suffix(is_side));
        match inner {
            Some(inner) if inner.chars().count() == COLUMNS => {
                rows.push(characters(inner).map(|cell| if cell == " " { "." } else { cell }).collect());
            }
            Some(inner) => rows.push(cells(inner)),
            None if is_border(line) && (is_framed || line.starts_with('+')) => {}
            None => rows.push(cells(line.trim_matches(is_side))),
        }
    }
    // All cells in one line, or wrapped at another width than ten.
    let all: usize = rows.iter().map(Vec::len).sum();
    let width = rows.first().map_or(0, Vec::len);
    let is_wrapped = rows.split_last().is_some_and(|(last, others)| {
        others.iter().all(|row| row.len() == width) && (1..=width).contains(&last.len())
    });
    if all == VISIBLE * COLUMNS && is_wrapped {
        let all = rows.concat();
        return of_rows(&all.chunks(COLUMNS).map(<[_]>::to_vec).collect::<Vec<_>>());
    }
    let digits = rows.iter().flatten().all(|cell| cell.bytes().all(|byte| byte.is_ascii_digit()));
    if digits && all != VISIBLE * COLUMNS && rows.iter().any(|row| row.len() != COLUMNS) {
        return Err(ParseBoardError::Digits(all));
    }
    of_rows(&rows)
}

/// Reads StackRabbit's compressed form.
fn compressed(empty: &str, letters: &str, well: &str) -> Result<Board, ParseBoardError> {
    let count = |text: &str| {
        let text = text.trim();
        let number = text.parse().ok().filter(|&number: &usize| number <= VISIBLE);
        number.ok_or_else(|| ParseBoardError::CompressedCount(text.chars().take(SHOWN).collect()))
    };
    let (empty, well) = (count(empty)?, count(well)?);
    let halves: Vec<char> = letters.chars().filter(|letter| !letter.is_whitespace()).collect();
    let drawn = halves.len().div_ceil(2);
    if empty + drawn + well != VISIBLE {
        return Err(ParseBoardError::CompressedRows { rows: [empty, drawn, well] });
    }
    let mut rows = [0; ROWS];
    for (at, &letter) in halves.iter().enumerate() {
        let (row, left) = (empty + at / 2, 5 * (at % 2));
        // The left cell counts most.
        let five = match letter {
            'a'..='z' => letter as u16 - 'a' as u16,
            'A'..='F' => 26 + letter as u16 - 'A' as u16,
            _ => {
                return Err(ParseBoardError::Cell {
                    row: row + 1,
                    column: left + 1,
                    found: letter.to_string(),
                });
            }
        };
        rows[row + 2] |= (five.reverse_bits() >> 11) << left;
    }
    if halves.len() % 2 == 1 {
        return Err(ParseBoardError::Width { row: empty + drawn, width: COLUMNS / 2 });
    }
    rows[ROWS - well..].fill(WELL);
    Ok(Board::from_rows(rows))
}

/// Reads the rows of a JSON array. What `NumPy` prints, without commas, is read, too, and rows one after the other.
fn array_rows(text: &str) -> Result<Vec<Vec<Cell<'_>>>, ParseBoardError> {
    let inner = text.strip_prefix('[').unwrap_or(text);
    // Where the first bracket is that of a row, those around all rows are missing.
    let is_row = |row: &str| {
        row.len() == COLUMNS
            && row.bytes().all(|cell| matches!(cell, b'.' | b'#' | b'X' | b'x' | b'0'..=b'9'))
    };
    let first = inner.split(']').next().unwrap_or(inner);
    let is_bare =
        !first.contains(['[', '"', '\'']) && (is_row(first.trim()) || inner[first.len()..].contains('['));
    let mut rest = if is_bare { text } else { inner };
    let mut rows: Vec<Vec<Cell<'_>>> = Vec::new();
    let (mut single, mut is_inner) = (Vec::new(), false);
    loop {
        rest = rest.trim_start_matches([',', ' ', '\t', '\r', '\n']);
        let broken = |expected| ParseBoardError::Array { rows: rows.len(), expected };
        let Some(first) = rest.chars().next() else {
            if is_bare && !is_inner {
                break;
            }
            return Err(broken("a ']' at its end"));
        };
        let after = &rest[first.len_utf8()..];
        match first {
            ']' if is_inner => (rest, is_inner) = (after, false),
            ']' if after.trim().is_empty() => break,
            ']' => return Err(broken("nothing behind its last ']'")),
            '[' if is_inner => return Err(broken("rows that are lists of cells, not of lists")),
            '[' => {
                rows.push(Vec::new());
                (rest, is_inner) = (after, true);
            }
            '"' | '\'' => {
                let (inner, after) =
                    after.split_once(first).ok_or_else(|| broken("a quote at the end of its row"))?;
                rest = after;
                match rows.last_mut().filter(|_| is_inner) {
                    // A cell as a text.
                    Some(row) => row.push(if inner == " " { "." } else { inner }),
                    None => rows
                        .push(characters(inner).map(|cell| if cell == " " { "." } else { cell }).collect()),
                }
            }
            _ => {
                let end = rest.find([',', ' ', '\t', '\r', '\n', '[', ']', '"']).unwrap_or(rest.len());
                // NumPy writes 1. for 1.0.
                let cell =
                    rest[..end].strip_suffix('.').filter(|cell| !cell.is_empty()).unwrap_or(&rest[..end]);
                let row = rows.last_mut().filter(|_| is_inner).unwrap_or(&mut single);
                match &rest[..end] {
                    drawn if is_row(drawn) => row.extend(characters(drawn)),
                    _ => row.push(cell),
                }
                rest = &rest[end..];
            }
        }
    }
    match (single.len(), rows.len()) {
        (0, 1..) => Ok(rows),
        (200, 0) => Ok(single.chunks(COLUMNS).map(<[_]>::to_vec).collect()),
        (0, 0) => Err(ParseBoardError::Empty),
        (cells, 0) => Err(ParseBoardError::Digits(cells)),
        (_, rows) => Err(ParseBoardError::Array { rows, expected: "only rows, or only 200 cells" }),
    }
}
