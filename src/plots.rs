//! What plots have in common: the sample of a line in the legend, and the legend itself.

use plotters::coord::CoordTranslate;
use plotters::prelude::*;

/// Draws the sample of a line that a legend shows beside its name.
pub fn sample(style: ShapeStyle) -> impl Fn((i32, i32)) -> PathElement<(i32, i32)> {
    move |(x, y)| PathElement::new([(x, y), (x + 18, y)], style)
}

/// Draws the names of the series in a box. An error says only that the drawing failed.
pub fn legend<'a, DB: DrawingBackend + 'a, CT: CoordTranslate>(
    chart: &mut ChartContext<'a, DB, CT>,
    position: SeriesLabelPosition,
) -> Result<(), DrawingAreaErrorKind<DB::ErrorType>> {
    chart
        .configure_series_labels()
        .position(position)
        .label_font(("sans-serif", 15))
        .border_style(BLACK.mix(0.3))
        .background_style(WHITE)
        .draw()
}
