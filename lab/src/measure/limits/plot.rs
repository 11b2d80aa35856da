//! The plot of `maxout-lab limits`: [`plot_cells`].

use plotters::prelude::*;

use super::results::{CellResult, HandsResult};
use crate::plots::{COLOURS, Series, framed};
use maxout::words::decimal;

/// A point of the plot: the place of a tap speed on the axis, and a mean score.
type At = (f64, f64);

/// Draws the mean final scores by tap speed as SVG, 900 by 560: a line for each reaction delay, with the standard
/// errors, and a dashed line in the same colour for the published scores. Tap speeds that are not a number of presses a
/// second have points that no line joins. An error says only that the drawing failed.
pub fn plot_cells(result: &HandsResult) -> Result<String, String> {
    let mut svg = String::new();
    draw(result, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

/// Returns the different values, in the order in which each occurs first.
fn distinct<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known = Vec::new();
    for value in values {
        if !known.contains(&value) {
            known.push(value);
        }
    }
    known
}

/// Returns the lowest and the highest score of the axis, with some room at either end.
fn range(result: &HandsResult) -> (f64, f64) {
    let played = result.cells.iter().filter(|cell| cell.score.n > 0).map(|cell| cell.score);
    let ours = played.flat_map(|score| [score.mean - score.se, score.mean + score.se]);
    let published = result.cells.iter().filter_map(|cell| Some(cell.published?.mean));
    let both = ours.chain(published).map(|end| (end, end));
    let (low, high) = both.reduce(|(low, high), (end, _)| (low.min(end), high.max(end))).unwrap_or_default();
    let room = ((high - low) / 20.0).max(1.0);
    ((low - room).max(0.0), high + room)
}

fn draw(result: &HandsResult, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 560)).into_drawing_area();
    let taps = distinct(result.cells.iter().map(|cell| cell.taps.as_str()));
    let delays = distinct(result.cells.iter().map(|cell| cell.reaction.as_str()));
    let place = |cell: &CellResult| taps.iter().position(|name| *name == cell.taps).unwrap_or(0) as f64;
    // The ticks between the tap speeds have no name.
    let name = |place: &f64| {
        let is_whole = (place - place.round()).abs() < 1e-6;
        taps.get(place.round() as usize).filter(|_| is_whole).copied().unwrap_or_default().to_owned()
    };
    let colours = || COLOURS.iter().copied().cycle();
    let names = delays.iter().zip(colours()).map(|(delay, colour)| {
        let name = match *delay {
            "none-after-spawn" => "next unknown".to_owned(),
            delay => format!("delay {delay}"),
        };
        Series::new(name, colour.stroke_width(2))
    });
    let published = result.won.is_some().then(|| Series::dashed("BetaTetris", BLACK.stroke_width(1)));
    let legend: Vec<Series> = names.chain(published).collect();
    let title = format!("{}: mean final score by tap speed and reaction delay (frames)", result.player);
    let plot = framed(&area, &title, &legend)?;
    let (low, high) = range(result);
    let columns = -0.5..taps.len() as f64 - 0.5;
    let mut chart = ChartBuilder::on(&plot)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(columns, low..high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .disable_x_mesh()
        .x_labels(2 * taps.len() + 1)
        .x_label_formatter(&name)
        .x_desc("taps")
        .y_desc("mean final score")
        .y_label_formatter(&|points| decimal(*points, 0))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (delay, colour) in delays.iter().zip(colours()) {
        let cells: Vec<&CellResult> = result.cells.iter().filter(|cell| cell.reaction == *delay).collect();
        let played = |cell: &&&CellResult| cell.score.n > 0;
        let ours = |cell: &&CellResult| (place(cell), cell.score.mean);
        let theirs = |cell: &&CellResult| Some((place(cell), cell.published?.mean));
        // Lines join only the tap speeds that are a number of presses a second.
        let even: Vec<&CellResult> = cells.iter().filter(|cell| cell.is_rate).copied().collect();
        let line: Vec<At> = even.iter().filter(played).map(ours).collect();
        let dashes: Vec<At> = even.iter().filter_map(theirs).collect();
        chart.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
        chart.draw_series(DashedLineSeries::new(dashes, 5, 4, colour.stroke_width(1)))?;
        chart.draw_series(
            cells.iter().filter(played).map(|cell| Circle::new(ours(cell), 3, colour.filled())),
        )?;
        let rings = cells.iter().filter_map(theirs).map(|at| Circle::new(at, 3, colour.stroke_width(1)));
        chart.draw_series(rings)?;
        chart.draw_series(cells.iter().filter(played).map(|cell| {
            let ((x, mean), se) = (ours(cell), cell.score.se);
            PathElement::new([(x, mean - se), (x, mean + se)], colour.stroke_width(3))
        }))?;
    }
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::cells::{HandsGrid, LimitsFormat};
    use super::super::published::PUBLISHED_FORMAT;
    use super::super::run::HandsRun;
    use super::*;
    use crate::plots::tests::has_title_and_legend;
    use maxout_gallery::find;

    #[test]
    fn cells_are_drawn_whether_games_are_finished_or_not() {
        let player = find("maxout-fast").expect("a registered player");
        let draw = |taps: &str, format: LimitsFormat| {
            let delays = "0,none-after-spawn".parse().expect("delays");
            let grid = HandsGrid::new(player, &taps.parse().expect("speeds"), &delays).expect("all limits");
            plot_cells(&HandsResult::new("maxout-fast", &HandsRun::new(grid, format, 0, 3))).expect("drawn")
        };
        let svg = draw("30hz,20hz,slow5", PUBLISHED_FORMAT);
        assert!(svg.contains("slow5"), "{svg}");
        let title = "maxout-fast: mean final score by tap speed and reaction delay (frames)";
        has_title_and_legend(&svg, title, &["delay 0", "next unknown", "BetaTetris"]);
        let other = LimitsFormat { start_level: 19, ..PUBLISHED_FORMAT };
        assert!(!draw("0,2,5", other).contains("BetaTetris"));
    }
}
