//! Changed files: bits, bytes, numbers and lengths, cuts, copies and splices.

use std::ops::Range;

use maxout_rules::random::Dice;

/// Most bytes of a changed file.
const LONGEST: usize = 1 << 18;
/// Numbers at which counting goes wrong.
const EDGES: [u64; 12] = [
    0,
    1,
    0x7F,
    0xFF,
    0x7FFF,
    0xFFFF,
    0x7FFF_FFFF,
    0xFFFF_FFFF,
    0xFFFF_FFFE,
    0x7FFF_FFFF_FFFF_FFFF,
    0x8000_0000_0000_0000,
    0xFFFF_FFFF_FFFF_FFFF,
];
/// Words where a number or a name was expected.
const WORDS: [&[u8]; 16] = [
    b"-1",
    b"0",
    b"1e999",
    b"-1e300",
    b"nan",
    b"inf",
    b"18446744073709551616",
    b"99999999999999999999999999",
    b"null",
    b"true",
    b"\"\"",
    b"[[[[[[[[",
    b"{\"a\":",
    b"\x1b[2J",
    b"\xFF\xFE",
    "\u{202e}".as_bytes(),
];

/// A stretch of `file`, most often a short one.
fn stretch(dice: &mut Dice, file: &[u8]) -> Range<usize> {
    let start = dice.below(file.len() + 1);
    let most = if dice.below(4) == 0 { file.len() } else { 16 };
    start..(start + dice.below(most + 1)).min(file.len())
}

/// One of `seeds`, changed in the way of that number.
pub(super) fn mutate(seeds: &[Vec<u8>], number: u64) -> Vec<u8> {
    let mut dice = Dice::new(number);
    let mut file = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        change(&mut file, seeds, &mut dice);
        file.truncate(LONGEST);
    }
    file
}

fn change(file: &mut Vec<u8>, seeds: &[Vec<u8>], dice: &mut Dice) {
    let stretch = stretch(dice, file);
    let at = stretch.start;
    match dice.below(10) {
        0 => file.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << dice.below(8)),
        1 => file.iter_mut().skip(at).take(1).for_each(|byte| *byte = dice.below(256) as u8),
        2 => file.truncate(at),
        3 => drop(file.drain(stretch)),
        4 => {
            let copies = [1, 2, 1_000][dice.below(3)].min(LONGEST / stretch.len().max(1));
            let copy = file[stretch].repeat(copies);
            file.splice(at..at, copy);
        }
        5 => {
            let other = &seeds[dice.below(seeds.len())];
            let part = other[self::stretch(dice, other)].to_vec();
            file.splice(stretch, part);
        }
        6 => {
            // A length or a count, in either order of bytes.
            let edge = EDGES[dice.below(EDGES.len())];
            let bytes = if dice.below(2) == 0 { edge.to_le_bytes() } else { edge.to_be_bytes() };
            let width = 1 << dice.below(4);
            let bytes = if dice.below(2) == 0 { &bytes[..width] } else { &bytes[8 - width..] };
            file.iter_mut().skip(at).zip(bytes).for_each(|(byte, edge)| *byte = *edge);
        }
        7 => {
            // A number in digits.
            let is_digit = |byte: &u8| byte.is_ascii_digit();
            let start = at + file[at..].iter().position(is_digit).unwrap_or_default();
            let end = start + file[start..].iter().take_while(|byte| is_digit(byte)).count();
            file.splice(start..end, WORDS[dice.below(WORDS.len())].iter().copied());
        }
        8 => drop(file.splice(stretch, WORDS[dice.below(WORDS.len())].iter().copied())),
        _ => {
            let letter = [b' ', b'\n', b',', b'#', b'0', b'"', 0, 0xFF][dice.below(8)];
            let count = [1, 100, 100_000][dice.below(3)];
            file.splice(at..at, std::iter::repeat_n(letter, count));
        }
    }
}
