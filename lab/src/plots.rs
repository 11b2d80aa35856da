//! What plots have in common: a title above, and beside the plot the names of its series ([`framed`]).

use plotters::coord::Shift;
use plotters::prelude::*;

/// Colours that people with any colour vision can tell apart (M. Okabe and K. Ito), and two more.
pub const COLOURS: [RGBColor; 9] = [
    BLACK,
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(230, 159, 0),
    RGBColor(120, 120, 120),
    RGBColor(148, 103, 189),
];

/// A series of a plot, as the legend shows it.
#[derive(Clone, Debug)]
pub struct Series {
    name: String,
    style: ShapeStyle,
    dashed: bool,
}

impl Series {
    /// A series with a solid line.
    pub fn new(name: impl Into<String>, style: ShapeStyle) -> Self {
        Self { name: name.into(), style, dashed: false }
    }

    /// A series with a dashed line.
    pub fn dashed(name: impl Into<String>, style: ShapeStyle) -> Self {
        Self { dashed: true, ..Self::new(name, style) }
    }
}

/// Height of a line of the legend, and of its letters.
const LINE: u32 = 20;
const LETTERS: u32 = 15;
/// Width of the sample of a line, with the space around it.
const SAMPLE: i32 = 40;

/// Writes the title above and the series on the right, and returns the area that is left for the plot: the legend covers
/// nothing of it. An error says only that the drawing failed.
pub fn framed<DB: DrawingBackend>(
    area: &DrawingArea<DB, Shift>,
    title: &str,
    series: &[Series],
) -> Result<DrawingArea<DB, Shift>, DrawingAreaErrorKind<DB::ErrorType>> {
    area.fill(&WHITE)?;
    let area = area.titled(title, ("sans-serif", 18))?;
    let (width, height) = area.dim_in_pixel();
    let font = ("sans-serif", LETTERS).into_font();
    let letters = series.iter().map(|series| series.name.chars().count()).max().unwrap_or(0);
    // Wide letters are two thirds of their height; the program that shows the picture has the font, not we.
    let names = letters as i32 * LETTERS as i32 * 2 / 3;
    let (plot, legend) = area.split_horizontally(width as i32 - SAMPLE - names);
    let line = LINE.min(height.saturating_sub(LINE) / series.len().max(1) as u32) as i32;
    for (i, Series { name, style, dashed }) in (0..).zip(series) {
        let y = LINE as i32 + i * line;
        let pieces: &[(i32, i32)] = if *dashed { &[(4, 9), (13, 18), (22, 27)] } else { &[(4, 27)] };
        for &(from, to) in pieces {
            legend.draw(&PathElement::new([(from, y), (to, y)], *style))?;
        }
        legend.draw_text(name, &font.clone().color(&BLACK), (SAMPLE - 6, y - LETTERS as i32 / 2))?;
    }
    Ok(plot)
}

#[cfg(test)]
pub(crate) mod tests {
    /// Numbers of an attribute in the elements of this name.
    fn numbers<'a>(svg: &'a str, element: &'a str, attribute: &'a str) -> impl Iterator<Item = f64> + 'a {
        let elements = svg.split(&format!("<{element} ")).skip(1).collect::<Vec<_>>();
        elements.into_iter().flat_map(move |element| {
            let value =
                element.split(&format!("{attribute}=\"")).nth(1).and_then(|rest| rest.split('"').next());
            let pairs = value.unwrap_or_default().split_whitespace();
            pairs.filter_map(|pair| pair.split(',').next()?.parse().ok()).collect::<Vec<f64>>()
        })
    }

    /// Checks that a plot has its title at the top, and its series by these names right of everything that is drawn by
    /// figures.
    pub(crate) fn has_title_and_legend(svg: &str, title: &str, names: &[&str]) {
        let texts: Vec<(f64, f64, &str)> = svg
            .split("<text ")
            .skip(1)
            .filter_map(|text| {
                let number =
                    |name: &str| text.split(&format!("{name}=\"")).nth(1)?.split('"').next()?.parse().ok();
                let words = text.split('>').nth(1)?.split('<').next()?.trim();
                Some((number(" x").or_else(|| number("x"))?, number(" y")?, words))
            })
            .collect();
        let find = |wanted: &str| texts.iter().find(|(.., words)| *words == wanted);
        let (_, top, _) = find(title).unwrap_or_else(|| panic!("no title {title:?}: {texts:?}"));
        assert!(*top < 30.0, "the title is at {top}");
        let left = names.iter().map(|name| find(name).unwrap_or_else(|| panic!("no {name:?}: {texts:?}")).0);
        let left = left.fold(f64::INFINITY, f64::min);
        let dots = numbers(svg, "circle", "cx").chain(numbers(svg, "line", "x2"));
        let right = dots.fold(0.0, f64::max);
        assert!(right + 4.0 < left, "figures up to {right}, the legend from {left}");
    }
}
