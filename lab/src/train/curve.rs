//! The learning curve: rows of CSV, and the same as a picture ([`plot`]).

use plotters::prelude::*;

use crate::plots::{Series, framed};
use maxout::files::csv::from_text;
use maxout::text::is_control;

/// Header of the table.
pub const HEADER: &str = "chunk,stage,pieces,seconds,tetris_rate,lines_per_game\n";

/// More than any count of a training.
const MOST: f64 = 1e18;

/// A chunk's row of the table.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    stage: String,
    /// Pieces so far, in millions.
    pieces: f64,
    /// Share of lines cleared four at a time, in percent.
    tetris_rate: f64,
}

/// The table in the bytes of a file, with its header and without the lines that are not rows; then the numbers of
/// those lines, from 1.
pub fn rows(file: &[u8]) -> (String, Vec<usize>) {
    let (mut table, mut wrong) = (HEADER.to_owned(), Vec::new());
    let file = file.strip_suffix(b"\n").unwrap_or(file);
    for (number, line) in (1..).zip(file.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match std::str::from_utf8(line) {
            Ok(line) if number == 1 && (line.is_empty() || line == HEADER.trim_end()) => {}
            Ok(line) if row(line).is_some() => table = table + line + "\n",
            _ => wrong.push(number),
        }
    }
    (table, wrong)
}

/// The chunk that a row is of, from 1; none for the header.
pub(super) fn chunk(row: &str) -> Option<u64> {
    row.split(',').next()?.parse().ok()
}

/// A whole row, with numbers that a training comes to: others cannot be drawn.
fn row(line: &str) -> Option<Row> {
    let fields: Vec<&str> = line.split(',').collect();
    let [chunk, stage, pieces, seconds, rate, lines] = fields[..] else { return None };
    let number = |field: &str, most: f64| field.parse::<f64>().ok().filter(|n| (0.0..=most).contains(n));
    for count in [chunk, seconds, lines] {
        number(count, MOST)?;
    }
    if stage.chars().any(is_control) {
        return None;
    }
    let (pieces, tetris_rate) = (number(pieces, MOST)? / 1e6, number(rate, 1.0)? * 100.0);
    Some(Row { stage: from_text(stage).to_owned(), pieces, tetris_rate })
}

/// Draws the tetris rate over the pieces played as SVG, 900 by 480, a colour for each stage. `csv` is the table;
/// lines that are not rows are left out. An error only says that the drawing failed.
pub fn plot(csv: &str) -> Result<String, String> {
    let rows: Vec<Row> = csv.lines().filter_map(row).collect();
    let mut svg = String::new();
    draw(&rows, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(rows: &[Row], svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    let mut stages: Vec<&str> = rows.iter().map(|row| row.stage.as_str()).collect();
    stages.dedup();
    let style = |i: usize| Palette99::pick(i).stroke_width(2);
    let legend: Vec<Series> = (0..).zip(&stages).map(|(i, stage)| Series::new(*stage, style(i))).collect();
    let plot = framed(&area, "Tetris rate while learning, by stage", &legend)?;
    let last = rows.last().map_or(1.0, |row| row.pieces.max(0.001));
    let lowest = rows.iter().map(|row| row.tetris_rate).fold(100.0, f64::min);
    let mut chart = ChartBuilder::on(&plot)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..last, (lowest - 5.0).max(0.0).floor()..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("pieces placed, millions")
        .y_desc("tetris rate, %")
        .label_style(("sans-serif", 15))
        .draw()?;
    for (i, stage) in stages.into_iter().enumerate() {
        let points = rows.iter().filter(|row| row.stage == stage).map(|row| (row.pieces, row.tetris_rate));
        chart.draw_series(LineSeries::new(points, style(i)))?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::tests::has_title_and_legend;

    #[test]
    fn a_curve_with_a_bad_byte_keeps_all_rows_but_that_one() {
        let good = ["1,a,5000,2.0,0.5000,12", "3,b,15000,2.0,0.6000,20"];
        let mut file = format!("{HEADER}{}\n2,a,10\u{7f}", good[0]).into_bytes();
        file.extend(b"000,2.0,0.6000\xFF,20\n");
        file.extend(format!("{}\n4,b,20", good[1]).bytes());
        let (table, wrong) = rows(&file);
        assert_eq!(table, format!("{HEADER}{}\n{}\n", good[0], good[1]));
        assert_eq!(wrong, [3, 5]);
        assert_eq!(rows(table.as_bytes()), (table, Vec::new()));
        // Found by `maxout-lab fuzz --readers`: what draws the curve counts up to it.
        let (table, wrong) = rows(format!("{HEADER}1,a,1e300,2.0,0.5,1\n2,a,5000,2.0,-1e300,1\n").as_bytes());
        assert_eq!((table.as_str(), wrong), (HEADER, vec![2, 3]));
        assert_eq!(rows(b""), (HEADER.to_owned(), Vec::new()));
    }

    #[test]
    fn a_curve_becomes_a_picture_and_other_lines_do_not_disturb() {
        let csv = format!("{HEADER}1,first,5000,2.0,0.5000,12\nnonsense\n2,second,10000,2.0,0.6000,20\n");
        assert_eq!(row("1,'=first,1,1,1,1").map(|row| row.stage), Some("=first".to_owned()));
        let svg = plot(&csv).expect("a picture");
        has_title_and_legend(&svg, "Tetris rate while learning, by stage", &["first", "second"]);
        assert!(plot("").expect("an empty picture").starts_with("<svg"));
    }
}
