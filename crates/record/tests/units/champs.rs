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
