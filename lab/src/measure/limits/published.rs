//! What BetaTetris has published of its play under human limits: [`PUBLISHED`], [`published`].

use maxout_rules::FallRule;
use serde::Serialize;

use super::cells::{HandsCell, LimitsFormat};
use maxout_engine::limits::Reaction;
use maxout_rules::Stop;

/// The format of the published games: from level 18 to 430 lines, with double killscreen.
pub const PUBLISHED_FORMAT: LimitsFormat =
    LimitsFormat { start_level: 18, stop: Stop::Lines(430), fall_rule: FallRule::DoubleKillscreen };

/// The published scores of BetaTetris at one tap speed and one reaction delay, over 5,001 games.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct PublishedCell {
    /// The name of the tap speed.
    #[serde(skip)]
    pub taps: &'static str,
    /// The reaction delay.
    #[serde(skip)]
    pub reaction: Reaction,
    /// The setting of BetaTetris (network and aggression) that has the highest mean here, of six.
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

/// Makes the cell of a tap speed and a reaction delay. The shares are in hundredths of a percent: 9960 is 99.60 %.
const fn cell(
    (taps, reaction, setting): (&'static str, Reaction, &'static str),
    (mean, se, median): (u32, u32, u32),
    (at_230, at_330, lines): (u32, u32, u32),
) -> PublishedCell {
    PublishedCell {
        taps,
        reaction,
        setting,
        mean: mean as f64,
        se: se as f64,
        median: median as f64,
        at_230: at_230 as f64 / 10_000.0,
        at_330: at_330 as f64 / 10_000.0,
        lines: lines as f64,
    }
}

/// Returns a delay of this number of frames.
const fn after(frames: u8) -> Reaction {
    Reaction::Frames(frames)
}

/// The delay of a player that ignores the next piece until it is in play.
const NEVER: Reaction = Reaction::NextPiece;

/// All published cells: for each tap speed and delay the setting with the highest mean.
// Source: the statistics that BetaTetris Playground 1.0 publishes of itself; 5,001 games for each setting, on seeds of
// TetrisGYM v5. The standard error is the published standard deviation divided by the root of 5,001.
#[rustfmt::skip]
pub const PUBLISHED: [PublishedCell; 42] = [
    cell(("30hz", after(0), "Normal Mid"), (2_743_018, 4_043, 2_806_580), (9960, 9812, 417)),
    cell(("30hz", after(18), "Normal High"), (2_462_239, 4_860, 2_533_200), (9894, 9448, 402)),
    cell(("30hz", after(21), "Normal High"), (2_433_495, 5_547, 2_526_020), (9820, 9268, 397)),
    cell(("30hz", after(24), "Normal High"), (2_407_611, 5_887, 2_502_780), (9746, 9310, 395)),
    cell(("30hz", after(30), "Normal High"), (2_386_357, 6_084, 2_492_480), (9698, 9202, 395)),
    cell(("30hz", NEVER, "Normal Mid"), (2_400_888, 4_633, 2_463_860), (9886, 9636, 408)),
    cell(("24hz", after(0), "Normal Mid"), (2_177_624, 2_645, 2_202_780), (9942, 9452, 354)),
    cell(("24hz", after(18), "Normal High"), (2_005_942, 3_381, 2_055_560), (9860, 8536, 338)),
    cell(("24hz", after(21), "Normal High"), (1_984_878, 3_876, 2_046_580), (9756, 8288, 335)),
    cell(("24hz", after(24), "Normal High"), (1_966_218, 4_201, 2_035_480), (9696, 8272, 334)),
    cell(("24hz", after(30), "Normal High"), (1_941_749, 4_297, 2_009_520), (9664, 8246, 333)),
    cell(("24hz", NEVER, "Normal Mid"), (1_935_242, 3_325, 1_974_140), (9850, 9124, 343)),
    cell(("20hz", after(0), "Normal Mid"), (2_060_428, 2_661, 2_091_800), (9942, 8892, 332)),
    cell(("20hz", after(18), "Normal High"), (1_879_842, 3_506, 1_938_860), (9828, 7489, 324)),
    cell(("20hz", after(21), "Normal High"), (1_873_795, 3_819, 1_939_880), (9764, 7409, 322)),
    cell(("20hz", after(24), "Normal High"), (1_848_748, 4_112, 1_924_280), (9684, 7373, 321)),
    cell(("20hz", after(30), "Normal High"), (1_826_240, 4_203, 1_895_260), (9680, 7345, 320)),
    cell(("20hz", NEVER, "Normal High"), (1_806_840, 4_058, 1_872_580), (9756, 7427, 322)),
    cell(("15hz", after(0), "Normal Mid"), (1_718_533, 2_732, 1_755_340), (9844, 7327, 322)),
    cell(("15hz", after(18), "Normal High"), (1_559_711, 3_445, 1_609_640), (9592, 4659, 305)),
    cell(("15hz", after(21), "Normal High"), (1_547_611, 3_700, 1_610_620), (9456, 4651, 304)),
    cell(("15hz", after(24), "Normal High"), (1_524_572, 3_833, 1_591_340), (9384, 4661, 302)),
    cell(("15hz", after(30), "Normal High"), (1_503_520, 4_037, 1_577_040), (9322, 4737, 302)),
    cell(("15hz", NEVER, "Normal Mid"), (1_481_393, 3_204, 1_526_540), (9666, 5897, 313)),
    cell(("12hz", after(0), "Normal Mid"), (1_332_863, 1_935, 1_340_680), (9752, 1838, 289)),
    cell(("12hz", after(18), "Normal High"), (1_241_408, 2_336, 1_260_420), (9246, 212, 257)),
    cell(("12hz", after(21), "Normal High"), (1_234_425, 2_439, 1_259_700), (9152, 198, 257)),
    cell(("12hz", after(24), "Normal High"), (1_211_874, 2_665, 1_241_160), (8972, 192, 254)),
    cell(("12hz", after(30), "Normal Mid"), (1_181_638, 2_485, 1_207_260), (9304, 592, 265)),
    cell(("12hz", NEVER, "Normal High"), (1_154_445, 2_573, 1_178_040), (9074, 244, 255)),
    cell(("10hz", after(0), "Normal High"), (1_158_141, 2_141, 1_188_540), (8372, 0, 229)),
    cell(("10hz", after(18), "Normal High"), (1_092_674, 2_279, 1_132_840), (7922, 0, 227)),
    cell(("10hz", after(21), "Normal Mid"), (1_077_685, 2_009, 1_107_420), (8380, 0, 229)),
    cell(("10hz", after(24), "Normal Mid"), (1_060_449, 2_273, 1_096_380), (8294, 0, 227)),
    cell(("10hz", after(30), "Normal Mid"), (1_030_687, 2_483, 1_070_980), (7990, 0, 225)),
    cell(("10hz", NEVER, "Normal Mid"), (991_329, 2_330, 1_025_040), (8254, 0, 227)),
    cell(("slow5", after(0), "Normal Mid"), (2_303_425, 4_312, 2_354_500), (9904, 9660, 409)),
    cell(("slow5", after(18), "Normal High"), (2_015_951, 4_925, 2_059_100), (9770, 8978, 384)),
    cell(("slow5", after(21), "Normal High"), (1_984_452, 5_538, 2_045_020), (9598, 8834, 379)),
    cell(("slow5", after(24), "Normal High"), (1_967_549, 5_654, 2_031_360), (9594, 8846, 380)),
    cell(("slow5", after(30), "Normal Mid"), (1_933_554, 5_080, 1_992_580), (9686, 9144, 389)),
    cell(("slow5", NEVER, "Normal Mid"), (1_914_944, 5_143, 1_979_520), (9700, 9114, 389)),
];

/// Returns the published scores that are shown beside those of `cell` in this format, if there are any.
pub fn published(cell: &HandsCell, format: LimitsFormat) -> Option<&'static PublishedCell> {
    let same =
        |published: &&PublishedCell| published.taps == cell.taps && published.reaction == cell.reaction;
    PUBLISHED.iter().filter(|_| format == PUBLISHED_FORMAT).find(same)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::limits::cells::HandsGrid;
    use maxout_gallery::find;

    #[test]
    fn every_default_cell_has_published_figures_in_the_published_format_only() {
        let player = find("maxout-fast").expect("a registered player");
        let taps = "30hz,24hz,20hz,15hz,12hz,10hz,slow5".parse().expect("speeds");
        let delays = "0,18,21,24,30,none-after-spawn".parse().expect("delays");
        let grid = HandsGrid::new(player, &taps, &delays).expect("it takes all limits");
        assert_eq!(grid.cells.len(), PUBLISHED.len());
        for (cell, want) in grid.cells.iter().zip(&PUBLISHED) {
            assert_eq!(published(cell, PUBLISHED_FORMAT), Some(want));
            let other = LimitsFormat { fall_rule: FallRule::Ntsc, ..PUBLISHED_FORMAT };
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
