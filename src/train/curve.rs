//! The learning curve: rows of CSV, and the same as a picture ([`plot`]).

use plotters::prelude::*;

use crate::text::is_control;

/// Header of the table.
pub const HEADER: &str = "chunk,stage,pieces,seconds,tetris_rate,lines_per_game\n";

/// A chunk's row of the table.
#[derive(Clone, PartialEq, Debug)]
struct Row {
    stage: String,
    /// Pieces so far, in millions.
    pieces: f64,
    /// Share of lines cleared four at a time, in percent.
    tetris_rate: f64,
}

/// The table in the bytes of a file, with its header and without the lines that are none of its rows; then the numbers of
/// those lines, from 1.
pub fn rows(file: &[u8]) -> (String, Vec<usize>) {
    let (mut table, mut wrong) = (HEADER.to_owned(), Vec::new());
    let file = file.strip_suffix(b"\n").unwrap_or(file);
    for (number, line) in (1..).zip(file.split(|&byte| byte == b'\n')) {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match std::str::from_utf8(line) {
            Ok(line) if number == 1 && (line.is_empty() || line == HEADER.trim_end()) => {}
            Ok(line) if is_row(line) => table = table + line + "\n",
            _ => wrong.push(number),
        }
    }
    (table, wrong)
}

/// Whether a line is a whole row: numbers, but for the name of the stage.
fn is_row(line: &str) -> bool {
    let is_number = |(i, field): (usize, &str)| i == 1 || field.parse().is_ok_and(f64::is_finite);
    line.split(',').count() == HEADER.split(',').count()
        && !line.chars().any(is_control)
        && line.split(',').enumerate().all(is_number)
}

fn row(line: &str) -> Option<Row> {
    let mut fields = line.split(',').skip(1);
    let stage = fields.next()?.to_owned();
    let pieces = fields.next()?.parse::<f64>().ok()? / 1e6;
    let tetris_rate = fields.nth(1)?.parse::<f64>().ok()? * 100.0;
    Some(Row { stage, pieces, tetris_rate })
}

/// Draws the tetris rate over the pieces played as SVG, 900 by 480, a colour for each stage. `csv` is the table;
/// lines that are none of its rows are left out. An error only says that the drawing failed.
pub fn plot(csv: &str) -> Result<String, String> {
    let rows: Vec<Row> = csv.lines().filter_map(row).collect();
    let mut svg = String::new();
    draw(&rows, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(rows: &[Row], svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    area.fill(&WHITE)?;
    let last = rows.last().map_or(1.0, |row| row.pieces.max(0.001));
    let lowest = rows.iter().map(|row| row.tetris_rate).fold(100.0, f64::min);
    let mut chart = ChartBuilder::on(&area)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(56)
        .build_cartesian_2d(0.0..last, (lowest - 5.0).max(0.0).floor()..100.0)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc("pieces placed, millions")
        .y_desc("tetris rate while learning, %")
        .label_style(("sans-serif", 15))
        .draw()?;
    let mut stages: Vec<&str> = rows.iter().map(|row| row.stage.as_str()).collect();
    stages.dedup();
    for (i, stage) in stages.into_iter().enumerate() {
        let style = Palette99::pick(i).stroke_width(2);
        let points = rows.iter().filter(|row| row.stage == stage).map(|row| (row.pieces, row.tetris_rate));
        chart
            .draw_series(LineSeries::new(points, style))?
            .label(stage)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style));
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .label_font(("sans-serif", 15))
        .border_style(BLACK.mix(0.3))
        .background_style(WHITE)
        .draw()?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(rows(b""), (HEADER.to_owned(), Vec::new()));
    }

    #[test]
    fn a_curve_becomes_a_picture_and_other_lines_do_not_disturb() {
        let csv = format!("{HEADER}1,first,5000,2.0,0.5000,12\nnonsense\n2,second,10000,2.0,0.6000,20\n");
        let svg = plot(&csv).expect("a picture");
        assert!(svg.starts_with("<svg") && svg.contains("second"), "{svg}");
        assert!(plot("").expect("an empty picture").starts_with("<svg"));
    }
}
