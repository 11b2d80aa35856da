//! A plot of a player's scores by aggression: [`plot_scores`].

use plotters::prelude::*;

use crate::plots::{Series, framed};
use maxout::results::BatchResult;
use maxout::stats::Summary;
use maxout::words::decimal;
use maxout_engine::search::Aggression;

/// The scores of one aggression, in line points.
#[derive(Clone, Copy, Debug)]
pub struct AggressionScores {
    /// The aggression, from -3 (safest) to 3 (boldest).
    pub aggression: f32,
    /// The mean score.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The median: half of the games score less.
    pub median: f64,
    /// The 5 % percentile: one game in twenty scores less.
    pub p5: f64,
    /// The 95 % percentile: one game in twenty scores more.
    pub p95: f64,
    /// The share of games that reach the stop.
    pub reached: f64,
}

impl AggressionScores {
    /// The point for the games of one aggression.
    pub fn of(aggression: Aggression, result: &BatchResult) -> Self {
        let Summary { mean, se, median, p5, p95, .. } = result.line_points;
        Self { aggression: aggression.number(), mean, se, median, p5, p95, reached: result.reached_stop }
    }
}

/// Reads one of the scores of a point.
type Score = fn(&AggressionScores) -> f64;

/// Draws the scores by aggression as SVG, 900 by 480: the mean with its standard error, the median, and the 5 % and 95 %
/// percentiles. Below each point is the share of games that reach the stop. An error says only that the drawing failed.
pub fn plot_scores(player: &str, points: &[AggressionScores]) -> Result<String, String> {
    let mut svg = String::new();
    draw(player, points, &mut svg).map_err(|error| error.to_string())?;
    Ok(svg)
}

fn draw(
    player: &str,
    points: &[AggressionScores],
    svg: &mut String,
) -> Result<(), Box<dyn std::error::Error>> {
    let area = SVGBackend::with_string(svg, (900, 480)).into_drawing_area();
    let series: [(&str, Score, RGBColor); 4] = [
        ("95 %", |point| point.p95, RGBColor(0, 114, 178)),
        ("median", |point| point.median, RGBColor(0, 158, 115)),
        ("mean ± s.e.", |point| point.mean, BLACK),
        ("5 %", |point| point.p5, RGBColor(213, 94, 0)),
    ];
    let legend = series.map(|(name, _, color)| Series::new(name, color.stroke_width(2)));
    let plot = framed(&area, &format!("{player}: line points by aggression"), &legend)?;
    let ends = points.iter().flat_map(|point| [point.p5, point.p95, point.mean]);
    let both = ends.map(|end| (end, end)).reduce(|(low, high), (end, _)| (low.min(end), high.max(end)));
    let (low, high) = both.unwrap_or_default();
    let room = ((high - low) / 12.0).max(1.0);
    let mut chart = ChartBuilder::on(&plot)
        .margin(12)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(-3.5f32..3.5, (low - 2.0 * room).max(0.0)..high + room)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_labels(8)
        .x_label_formatter(&|step| format!("{step:.0}"))
        .x_desc("aggression (above the axis: share of games that reach the stop)")
        .y_desc("line points")
        .y_label_formatter(&|points| decimal(*points, 0))
        .label_style(("sans-serif", 15))
        .draw()?;
    for (_, of, color) in series {
        let line: Vec<(f32, f64)> = points.iter().map(|point| (point.aggression, of(point))).collect();
        chart.draw_series(LineSeries::new(line.clone(), color.stroke_width(2)))?;
        chart.draw_series(line.into_iter().map(|at| Circle::new(at, 3, color.filled())))?;
    }
    chart.draw_series(points.iter().map(|point| {
        let AggressionScores { aggression, mean, se, .. } = *point;
        PathElement::new([(aggression, mean - se), (aggression, mean + se)], BLACK.stroke_width(3))
    }))?;
    chart.draw_series(points.iter().map(|point| {
        let label = format!("{} %", decimal(100.0 * point.reached, 1));
        Text::new(label, (point.aggression - 0.22, low - room), ("sans-serif", 15))
    }))?;
    area.present()?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::tests::has_title_and_legend;

    #[test]
    fn any_points_are_drawn() {
        let point = |aggression: f32, mean: f64| AggressionScores {
            aggression,
            mean,
            se: 10.0,
            median: mean,
            p5: mean - 100.0,
            p95: mean + 100.0,
            reached: 0.995,
        };
        let svg = plot_scores("maxout", &[point(-3.0, 5e5), point(0.5, 1.25e6)]).expect("drawn");
        assert!(svg.contains("99.5 %"), "{svg}");
        let names = ["95 %", "median", "mean ± s.e.", "5 %"];
        has_title_and_legend(&svg, "maxout: line points by aggression", &names);
        // One game alone, with no points.
        assert!(plot_scores("x", &[AggressionScores { se: 0.0, ..point(0.0, 0.0) }]).is_ok());
        assert!(plot_scores("x", &[]).is_ok());
    }
}
