//! The colours of the field: those of the level, as the test cartridge shows them.

use ratatui::buffer::Buffer;
use ratatui::style::Color;

use maxout_rules::CURTAIN;

/// Red, green, blue of the tiles 7B, 7C and 7D, for each last digit of a level (`levelColors` of
/// `roms/testcart/data.s`, as the emulator shows them).
const LEVELS: [[u32; 3]; 10] = [
    [0x00FF_FFFF, 0x005C_ABFF, 0x0014_55D9],
    [0x00CF_F58F, 0x0054_E62A, 0x000E_8900],
    [0x00FF_C3F0, 0x00F7_62FF, 0x0098_18CA],
    [0x00BB_FBA6, 0x003E_E279, 0x003A_38FF],
    [0x00FE_DAA0, 0x00ED_981F, 0x00AE_2B1C],
    [0x00B2_F0F9, 0x0041_CCE0, 0x006B_22FF],
    [0x00E8_E98D, 0x00B8_BA02, 0x0090_4400],
    [0x00FF_CCC4, 0x00FF_7967, 0x00B2_1B71],
    [0x00BF_E2FF, 0x008C_89FF, 0x0001_7284],
    [0x00FF_FFFF, 0x005C_ABFF, 0x00AE_2B1C],
];

/// The colour of a tile of the field on a level.
pub fn of(tile: u8, level: u8) -> Color {
    let [light, main, dark] = LEVELS[usize::from(level % 10)];
    Color::from_u32(match tile {
        0x7C | CURTAIN => main,
        0x7D => dark,
        _ => light,
    })
}

/// Whether a terminal shows every colour, by what the variable `COLORTERM` says.
pub fn has_all(colorterm: Option<&str>) -> bool {
    matches!(colorterm, Some("truecolor" | "24bit"))
}

/// Takes the nearest of 256 colours for each.
pub fn reduce(buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        (cell.fg, cell.bg) = (nearest(cell.fg), nearest(cell.bg));
    }
}

/// The nearest colour in the cube of 6 × 6 × 6 that terminals with 256 colours have.
fn nearest(colour: Color) -> Color {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let Color::Rgb(red, green, blue) = colour else { return colour };
    let place = |part: u8| (0..6).min_by_key(|&at| LEVELS[usize::from(at)].abs_diff(part)).unwrap_or(0);
    Color::Indexed(16 + 36 * place(red) + 6 * place(green) + place(blue))
}

#[cfg(test)]
mod tests {
    use ratatui::layout::Rect;

    use super::*;

    #[test]
    fn terminals_of_256_colours_get_the_nearest() {
        assert_eq!(nearest(Color::Rgb(255, 255, 255)), Color::Indexed(231));
        assert_eq!(nearest(Color::Rgb(90, 0, 140)), Color::Indexed(16 + 36 + 2));
        assert_eq!(nearest(Color::Reset), Color::Reset);
        let mut buffer = Buffer::empty(Rect::new(0, 0, 1, 1));
        buffer[(0, 0)].set_fg(Color::Rgb(0, 0, 0));
        reduce(&mut buffer);
        assert_eq!((buffer[(0, 0)].fg, buffer[(0, 0)].bg), (Color::Indexed(16), Color::Reset));
        assert!(has_all(Some("truecolor")) && !has_all(Some("")) && !has_all(None));
    }
}
