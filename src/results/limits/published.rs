//! What BetaTetris has published of its play under human limits: [`PUBLISHED`], [`published`].

use serde::Serialize;

use super::cells::{HandsCell, LimitsFormat};
use maxout_engine::limits::Reaction;
use maxout_host::session::Stop;

/// The format of the published games: from level 18 to 430 lines, with double killscreen.
pub const PUBLISHED_FORMAT: LimitsFormat =
    LimitsFormat { start_level: 18, stop: Stop::Lines(430), double_killscreen: true };

/// Published scores of BetaTetris at one tap speed and one reaction delay, over 5,001 games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PublishedCell {
    /// The name of the tap speed.
    #[serde(skip)]
    pub taps: &'static str,
    /// The reaction delay.
    #[serde(skip)]
    pub reaction: Reaction,
    /// Its setting (network and aggression) with the highest mean, of six.
    pub setting: &'static str,
    /// The mean of the final scores.
    pub mean: f64,
    /// The standard error of the mean.
    pub se: f64,
    /// The median of the final scores.
    pub median: f64,
    /// The share of games with 230 lines or more, 0 to 1.
    pub at_230: f64,
    /// The share of games with 330 lines or more, 0 to 1.
    pub at_330: f64,
    /// The mean number of lines.
    pub lines: f64,
}

/// The cell of a tap speed and a reaction delay, with the percentages as published.
const fn cell(
    (taps, reaction, setting): (&'static str, Reaction, &'static str),
    (mean, se, median): (u32, u32, u32),
    (at_230, at_330, lines): (f64, f64, u32),
) -> PublishedCell {
    PublishedCell {
        taps,
        reaction,
        setting,
        mean: mean as f64,
        se: se as f64,
        median: median as f64,
        at_230: at_230 / 100.0,
        at_330: at_330 / 100.0,
        lines: lines as f64,
    }
}

/// A delay of so many frames.
const fn after(frames: u8) -> Reaction {
    Reaction::Frames(frames)
}

/// The new next piece is not used while a piece falls.
const NEVER: Reaction = Reaction::NextPiece;

/// All published cells: for each tap speed and delay the setting with the highest mean.
// Source: the statistics that BetaTetris Playground 1.0 publishes of itself; 5,001 games for each setting, on seeds of
// TetrisGYM v5. The standard error is the published standard deviation divided by the root of 5,001.
#[rustfmt::skip]
pub const PUBLISHED: [PublishedCell; 42] = [
    cell(("30hz", after(0), "Normal Mid"), (2_743_018, 4_043, 2_806_580), (99.6, 98.12, 417)),
    cell(("30hz", after(18), "Normal High"), (2_462_239, 4_860, 2_533_200), (98.94, 94.48, 402)),
    cell(("30hz", after(21), "Normal High"), (2_433_495, 5_547, 2_526_020), (98.2, 92.68, 397)),
    cell(("30hz", after(24), "Normal High"), (2_407_611, 5_887, 2_502_780), (97.46, 93.1, 395)),
    cell(("30hz", after(30), "Normal High"), (2_386_357, 6_084, 2_492_480), (96.98, 92.02, 395)),
    cell(("30hz", NEVER, "Normal Mid"), (2_400_888, 4_633, 2_463_860), (98.86, 96.36, 408)),
    cell(("24hz", after(0), "Normal Mid"), (2_177_624, 2_645, 2_202_780), (99.42, 94.52, 354)),
    cell(("24hz", after(18), "Normal High"), (2_005_942, 3_381, 2_055_560), (98.6, 85.36, 338)),
    cell(("24hz", after(21), "Normal High"), (1_984_878, 3_876, 2_046_580), (97.56, 82.88, 335)),
    cell(("24hz", after(24), "Normal High"), (1_966_218, 4_201, 2_035_480), (96.96, 82.72, 334)),
    cell(("24hz", after(30), "Normal High"), (1_941_749, 4_297, 2_009_520), (96.64, 82.46, 333)),
    cell(("24hz", NEVER, "Normal Mid"), (1_935_242, 3_325, 1_974_140), (98.5, 91.24, 343)),
    cell(("20hz", after(0), "Normal Mid"), (2_060_428, 2_661, 2_091_800), (99.42, 88.92, 332)),
    cell(("20hz", after(18), "Normal High"), (1_879_842, 3_506, 1_938_860), (98.28, 74.89, 324)),
    cell(("20hz", after(21), "Normal High"), (1_873_795, 3_819, 1_939_880), (97.64, 74.09, 322)),
    cell(("20hz", after(24), "Normal High"), (1_848_748, 4_112, 1_924_280), (96.84, 73.73, 321)),
    cell(("20hz", after(30), "Normal High"), (1_826_240, 4_203, 1_895_260), (96.8, 73.45, 320)),
    cell(("20hz", NEVER, "Normal High"), (1_806_840, 4_058, 1_872_580), (97.56, 74.27, 322)),
    cell(("15hz", after(0), "Normal Mid"), (1_718_533, 2_732, 1_755_340), (98.44, 73.27, 322)),
    cell(("15hz", after(18), "Normal High"), (1_559_711, 3_445, 1_609_640), (95.92, 46.59, 305)),
    cell(("15hz", after(21), "Normal High"), (1_547_611, 3_700, 1_610_620), (94.56, 46.51, 304)),
    cell(("15hz", after(24), "Normal High"), (1_524_572, 3_833, 1_591_340), (93.84, 46.61, 302)),
    cell(("15hz", after(30), "Normal High"), (1_503_520, 4_037, 1_577_040), (93.22, 47.37, 302)),
    cell(("15hz", NEVER, "Normal Mid"), (1_481_393, 3_204, 1_526_540), (96.66, 58.97, 313)),
    cell(("12hz", after(0), "Normal Mid"), (1_332_863, 1_935, 1_340_680), (97.52, 18.38, 289)),
    cell(("12hz", after(18), "Normal High"), (1_241_408, 2_336, 1_260_420), (92.46, 2.12, 257)),
    cell(("12hz", after(21), "Normal High"), (1_234_425, 2_439, 1_259_700), (91.52, 1.98, 257)),
    cell(("12hz", after(24), "Normal High"), (1_211_874, 2_665, 1_241_160), (89.72, 1.92, 254)),
    cell(("12hz", after(30), "Normal Mid"), (1_181_638, 2_485, 1_207_260), (93.04, 5.92, 265)),
    cell(("12hz", NEVER, "Normal High"), (1_154_445, 2_573, 1_178_040), (90.74, 2.44, 255)),
    cell(("10hz", after(0), "Normal High"), (1_158_141, 2_141, 1_188_540), (83.72, 0.0, 229)),
    cell(("10hz", after(18), "Normal High"), (1_092_674, 2_279, 1_132_840), (79.22, 0.0, 227)),
    cell(("10hz", after(21), "Normal Mid"), (1_077_685, 2_009, 1_107_420), (83.8, 0.0, 229)),
    cell(("10hz", after(24), "Normal Mid"), (1_060_449, 2_273, 1_096_380), (82.94, 0.0, 227)),
    cell(("10hz", after(30), "Normal Mid"), (1_030_687, 2_483, 1_070_980), (79.9, 0.0, 225)),
    cell(("10hz", NEVER, "Normal Mid"), (991_329, 2_330, 1_025_040), (82.54, 0.0, 227)),
    cell(("slow5", after(0), "Normal Mid"), (2_303_425, 4_312, 2_354_500), (99.04, 96.6, 409)),
    cell(("slow5", after(18), "Normal High"), (2_015_951, 4_925, 2_059_100), (97.7, 89.78, 384)),
    cell(("slow5", after(21), "Normal High"), (1_984_452, 5_538, 2_045_020), (95.98, 88.34, 379)),
    cell(("slow5", after(24), "Normal High"), (1_967_549, 5_654, 2_031_360), (95.94, 88.46, 380)),
    cell(("slow5", after(30), "Normal Mid"), (1_933_554, 5_080, 1_992_580), (96.86, 91.44, 389)),
    cell(("slow5", NEVER, "Normal Mid"), (1_914_944, 5_143, 1_979_520), (97.0, 91.14, 389)),
];

/// Returns the published scores beside which the games of `cell` in this format are shown, if there are any.
pub fn published(cell: &HandsCell, format: LimitsFormat) -> Option<&'static PublishedCell> {
    let same =
        |published: &&PublishedCell| published.taps == cell.taps && published.reaction == cell.reaction;
    PUBLISHED.iter().filter(|_| format == PUBLISHED_FORMAT).find(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::results::limits::cells::HandsGrid;
    use maxout_engine::player::find;

    #[test]
    fn every_default_cell_has_published_figures_in_the_published_format_only() {
        let player = find("maxout-fast").expect("a registered player");
        let taps = "30hz,24hz,20hz,15hz,12hz,10hz,slow5".parse().expect("speeds");
        let delays = "0,18,21,24,30,none-after-spawn".parse().expect("delays");
        let grid = HandsGrid::new(player, &taps, &delays).expect("it takes all limits");
        assert_eq!(grid.cells.len(), PUBLISHED.len());
        for (cell, want) in grid.cells.iter().zip(&PUBLISHED) {
            assert_eq!(published(cell, PUBLISHED_FORMAT), Some(want));
            let other = LimitsFormat { double_killscreen: false, ..PUBLISHED_FORMAT };
            assert_eq!(published(cell, other), None);
        }
        // Longer delays and slower taps never score more; a typing error in a figure would.
        for cells in PUBLISHED.windows(2).filter(|cells| cells[0].taps == cells[1].taps) {
            assert!(cells[0].mean > cells[1].mean - 20_000.0 && cells[0].se < 10_000.0, "{cells:?}");
        }
        let at = |taps| PUBLISHED.iter().filter(move |cell| cell.taps == taps).map(|cell| cell.mean);
        for pair in ["30hz", "24hz", "20hz", "15hz", "12hz", "10hz"].windows(2) {
            assert!(at(pair[0]).zip(at(pair[1])).all(|(fast, slow)| fast > slow), "{pair:?}");
        }
    }
}
