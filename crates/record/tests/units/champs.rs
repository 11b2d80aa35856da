//! What `src/champs.rs` promises.

use flate2::Compression;
use flate2::write::GzEncoder;
use maxout_record::champs::*;
use std::io::Write;

fn frames(version: Version, count: usize) -> Vec<u8> {
    let frame = ChampsFrame {
        game: 1,
        time_ms: 0,
        score: Some(1),
        lines: None,
        level: Some(19),
        das: None,
        next: Some(6),
        das_at_spawn: None,
        current: None,
        counts: [Some(3); 7],
        field: [1; 200],
    };
    frame.encode(version).repeat(count)
}

fn refusal(bytes: &[u8]) -> String {
    read(bytes).expect_err("refused").to_string()
}

#[test]
fn bytes_that_are_no_frames_are_refused_with_the_frame() {
    let good = frames(Version::V3, 2);
    assert!(refusal(b"").contains("no frame"));
    assert!(refusal(b"\xFFNES").contains("frame 0 begins with FF hex"));
    assert!(refusal(&[&good[..], &[0x00]].concat()).contains("frame 2 begins with 00 hex"));
    assert!(
        refusal(&[good.clone(), frames(Version::V2, 1)].concat()).contains("frame 2 has another version")
    );
    assert!(refusal(&good[..73 + 22]).contains("frame 1 ends after 22 bytes, expected at least 23"));
    let old = frames(Version::V1, 2);
    assert!(refusal(&old[..71 + 19]).contains("frame 1 ends after 19 bytes, expected at least 20"));
    assert!(read(&old[..71 + 20]).is_ok());
    assert!(refusal(&[0x1F, 0x8B, 8, 0]).contains("cannot be unpacked"));
}

#[test]
fn a_field_that_is_cut_off_is_empty_there() {
    let frames = read(&frames(Version::V3, 2)[..73 + 24]).expect("two frames");
    assert_eq!((frames[1].field[..4].to_vec(), frames[1].field[4..].to_vec()), (vec![1; 4], vec![0; 196]));
}

#[test]
fn what_gzip_unpacks_to_is_bounded() {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    let part = frames(Version::V3, 10_000);
    for _ in 0..=MAX_BYTES / part.len() as u64 {
        packed.write_all(&part).expect("packed");
    }
    let bytes = packed.finish().expect("packed");
    assert!(refusal(&bytes).contains("more than 33554432 bytes unpacked"));
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::fast());
    packer.write_all(bytes).expect("packed");
    packer.finish().expect("packed")
}

#[test]
fn what_is_packed_twice_is_read_and_bounded_at_each_step() {
    let good = frames(Version::V3, 1_000);
    let twice = packed(&packed(&good));
    assert_eq!(read(&twice).expect("frames"), read(&good).expect("frames"));
    assert!(refusal(&packed(&twice)).contains("frame 0 begins with 1F hex"), "three times");
    // Members with nothing in them, 20 bytes each, unpack to nothing and take long.
    let nothing = packed(b"").repeat(1 + MAX_BYTES as usize / 20);
    assert!(refusal(&packed(&nothing)).contains("more than 33554432 bytes unpacked"));
}

/// A frame in which so many cells of the lowest rows and the four of a piece are seen.
fn shown(time_ms: u64, lines: Option<u32>, score: Option<u32>, cells: usize) -> ChampsFrame {
    let field = std::array::from_fn(|cell| u8::from((4..8).contains(&cell) || cell >= 200 - cells));
    let (level, next, counts) = (Some(18), Some(6), [None; 7]);
    let (das, das_at_spawn, current) = (None, None, None);
    ChampsFrame { game: 1, time_ms, score, lines, level, das, next, das_at_spawn, current, counts, field }
}

/// The number of the game of each frame.
fn games(frames: &[ChampsFrame]) -> Vec<u32> {
    let bytes: Vec<u8> = frames.iter().flat_map(|frame| frame.encode(Version::V3)).collect();
    read(&bytes).expect("frames").iter().map(|frame| frame.game).collect()
}

#[test]
fn a_game_that_begins_under_the_number_of_the_one_before_is_another() {
    let first = shown(0, Some(0), Some(0), 0);
    let played = shown(60_000, Some(13), Some(73_183), 84);
    // Put together: the time begins again, too. A recorder that numbers no games: it goes on.
    assert_eq!(games(&[first.clone(), played.clone(), first.clone(), played.clone()]), [1, 1, 2, 2]);
    assert_eq!(games(&[played.clone(), shown(61_000, Some(0), Some(0), 0)]), [1, 2]);
    // Of videos the score is not known; a game may end without a line.
    assert_eq!(games(&[shown(9_000, Some(4), None, 40), shown(0, Some(0), None, 0)]), [1, 2]);
    assert_eq!(games(&[shown(9_000, Some(0), Some(0), 40), first.clone()]), [1, 2]);
    // Between them a frame without a field or without its numbers.
    for nothing in [shown(0, None, None, 40), ChampsFrame { field: [0; 200], ..first.clone() }] {
        assert_eq!(games(&[played.clone(), nothing, first.clone()]), [1, 1, 2]);
    }
    // The first frame counts its piece and does not show it yet.
    let counts = [1, 0, 0, 0, 0, 0, 0].map(Some);
    let counted = ChampsFrame { field: [0; 200], counts, ..first.clone() };
    let begun = [played.clone(), counted.clone(), first.clone(), played.clone()];
    assert_eq!(games(&begun), [1, 2, 2, 2]);
    // Later games have later numbers.
    let third = ChampsFrame { game: 2, ..first.clone() };
    assert_eq!(games(&[played.clone(), first.clone(), third]), [1, 2, 3]);
}

#[test]
fn a_game_goes_on_after_frames_that_are_misread_out_of_order_or_after_a_pause() {
    let played = shown(60_000, Some(13), Some(73_183), 84);
    for other in [
        shown(60_017, Some(0), Some(73_183), 84),
        shown(60_017, Some(0), Some(0), 84),
        shown(60_017, None, None, 0),
        shown(0, Some(13), Some(73_183), 84),
        // A full clear.
        shown(60_017, Some(23), Some(90_000), 0),
    ] {
        assert_eq!(games(&[played.clone(), other.clone(), played.clone()]), [1; 3], "{other:?}");
    }
    let first =
        [shown(0, Some(0), Some(0), 0), shown(900, Some(0), Some(0), 4), shown(17, Some(0), Some(0), 0)];
    assert_eq!(games(&first), [1; 3], "out of order");
}

#[test]
fn frames_of_two_players_in_turns_are_refused_and_a_changed_seat_is_read() {
    for version in [Version::V1, Version::V3, Version::V4] {
        // The number of the player as the format has it: the low bits of the first byte, or the high ones of the second.
        let of = |player: u8, count: usize| {
            let mut bytes = frames(version, 1);
            match version {
                Version::V4 => bytes[1] |= player << 3,
                _ => bytes[0] |= player,
            }
            bytes.repeat(count)
        };
        assert!(read(&[of(1, 50), of(2, 50), of(1, 9)].concat()).is_ok());
        let turns = [of(1, 1), of(2, 1)].concat().repeat(20);
        assert!(refusal(&turns).contains("frame 17 is of player 2, the one before of player 1"));
    }
}
