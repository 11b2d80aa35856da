//! CSV for spreadsheets and other programs: [`Csv`] writes a table. Text that a spreadsheet would take for a formula gets an
//! apostrophe before it ([`as_text`]); [`from_text`] takes it off again.

use std::borrow::Cow;
use std::io::{self, Write};

use csv::Writer;

/// Writes a table line by line.
#[derive(Debug)]
pub struct Csv<W: Write>(Writer<W>);

impl<W: Write> Csv<W> {
    /// Begins a table with these names of its columns.
    pub fn new<'a>(to: W, header: impl IntoIterator<Item = &'a str>) -> io::Result<Self> {
        let mut table = Self(Writer::from_writer(to));
        table.row(header)?;
        Ok(table)
    }

    /// Adds a line.
    pub fn row(&mut self, cells: impl IntoIterator<Item = impl AsRef<str>>) -> io::Result<()> {
        for cell in cells {
            self.0.write_field(as_text(cell.as_ref()).as_bytes()).map_err(unwrap)?;
        }
        self.0.write_record(None::<&[u8]>).map_err(unwrap)
    }

    /// Ends the table.
    pub fn finish(mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// The io error inside, so that a broken pipe is seen as one.
fn unwrap(error: csv::Error) -> io::Error {
    match error.into_kind() {
        csv::ErrorKind::Io(error) => error,
        other => io::Error::other(format!("{other:?}")),
    }
}

/// A cell that spreadsheets do not calculate: text that begins with =, +, -, @, a tab or a line break, also after apostrophes,
/// gets an apostrophe before it. Numbers stay as they are.
pub fn as_text(cell: &str) -> Cow<'_, str> {
    if is_formula(cell) && !is_number(cell) { format!("'{cell}").into() } else { cell.into() }
}

/// What [`as_text`] made the cell of.
pub fn from_text(cell: &str) -> &str {
    cell.strip_prefix('\'').filter(|text| is_formula(text)).unwrap_or(cell)
}

/// Full-width signs begin a formula, too, in East Asian versions.
fn is_formula(cell: &str) -> bool {
    const SIGNS: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    cell.trim_start_matches('\'').starts_with(SIGNS)
}

/// Whether a cell is a number below 0.
fn is_number(cell: &str) -> bool {
    cell.strip_prefix('-').is_some_and(|digits| {
        digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.bytes().all(|b| b.is_ascii_digit() || b".eE+-".contains(&b))
            && digits.parse::<f64>().is_ok()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn text_is_no_formula_and_numbers_stay_numbers() {
        for (cell, want) in [
            ("=1+1", "'=1+1"),
            ("+1", "'+1"),
            ("-1+cmd|' /C calc'!A0", "'-1+cmd|' /C calc'!A0"),
            ("-", "'-"),
            ("-inf", "'-inf"),
            ("-1-1", "'-1-1"),
            ("@SUM(A1)", "'@SUM(A1)"),
            ("\t=1", "'\t=1"),
            ("\r=1", "'\r=1"),
            ("＝1", "'＝1"),
            ("'=1", "''=1"),
            ("-5", "-5"),
            ("-0.25", "-0.25"),
            ("-1e-7", "-1e-7"),
            ("'tis", "'tis"),
            ("a=b", "a=b"),
            ("", ""),
        ] {
            assert_eq!(as_text(cell), want, "{cell:?}");
        }
        let mut table = Vec::new();
        let mut csv = Csv::new(&mut table, ["a", "b"]).expect("memory");
        csv.row(["=1,\"2\"", "-7"]).expect("memory");
        csv.finish().expect("memory");
        assert_eq!(String::from_utf8(table).expect("text"), "a,b\n\"'=1,\"\"2\"\"\",-7\n");
    }

    proptest! {
        #[test]
        fn every_cell_is_read_back(cell in "['=+@a0\t\r-]{0,6}|.{0,20}") {
            let text = as_text(&cell);
            prop_assert!(!text.starts_with(['=', '+', '@', '\t', '\r']));
            prop_assert_eq!(from_text(&text), cell.as_str());
        }
    }
}
