//! Small complete files of every kind, and the checksums of those that have some.

use std::io::{Cursor, Write};
use std::ops::Range;
use std::sync::OnceLock;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;
use png::{BitDepth, ColorType, Encoder};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::measure::limits::cells::{HandsGame, LimitsFormat};
use crate::measure::limits::folder::identity;
use crate::resumed::Identity;
use crate::train::CHECKPOINT;
use crate::train::cmaes::Evolution;
use crate::train::pso::{Pull, Swarm};
use crate::train::schedule::SHIPPED;
use crate::train::{curve as learning_curve, terms, tuning};
use crate::weights_file;
use maxout::conform::trace::COLUMNS;
use maxout::library::run::record_now;
use maxout::library::store::Library;
use maxout::movie::display::Display;
use maxout::results::Tally;
use maxout::stats::Statistics;
use maxout_engine::eval::ntuple::{LANES, Network};
use maxout_gallery::eval::WEIGHTS_2018;
use maxout_gallery::eval::cnn::{self, Cnn};
use maxout_host::TEST_CARTRIDGE;
use maxout_host::batch::{Batch, Finished, sim};
use maxout_host::screen::{CELL, FIELD, HEIGHT, WIDTH};
use maxout_record::champs::Version;
use maxout_record::movie::{Movie, MovieFrame, bk2, fm2};
use maxout_record::result::HostKind;
use maxout_record::run::{Record, RomName, log_to_text};
use maxout_rules::input::{Buttons, InputLog};
use maxout_rules::{FallRule, Region, Stop, ram};

/// A short game on the model.
struct Played {
    record: Record,
    statistics: Statistics,
    log: InputLog,
    shard: Vec<u8>,
    kept: HandsGame,
}

fn played() -> &'static Played {
    static PLAYED: OnceLock<Played> = OnceLock::new();
    PLAYED.get_or_init(|| {
        let player = maxout_gallery::find("plateau17").expect("registered");
        let stop = Stop::Lines(2);
        let batch = Batch { first_seed: 772, stop, ..Batch::new(player.clone(), 1) };
        let model = || RomName { name: "model".to_owned(), sha1: None };
        let mut game: Option<Finished> = None;
        let mut keep = |finished| {
            game = Some(finished);
            Ok(())
        };
        sim(&batch, 1, &false.into(), &mut keep).expect("the model runs");
        let game = game.expect("one game");
        let statistics = Statistics::of(&game.outcome.locks, 19);
        let mut tally = Tally::default();
        tally.add(&game, player, &statistics, None);
        let shard = tally.shard(&batch);
        let mut result = tally.result(&batch, HostKind::Model, model(), Duration::ZERO, None);
        result.shard = Some(shard);
        let shard = serde_json::to_vec(&result).expect("a result is JSON");
        Played {
            record: record_now(&game, &batch, HostKind::Model, model()),
            statistics,
            log: game.log(),
            shard,
            kept: HandsGame::of(&game),
        }
    })
}

fn movie() -> Movie {
    let pads = (0..60u8).map(|i| Buttons(i.wrapping_mul(37)));
    Movie {
        author: "nobody".to_owned(),
        rom_name: "a cartridge".to_owned(),
        rom_md5: Some([7; 16]),
        rom_sha1: Some([9; 20]),
        guid: Some([5; 16]),
        rerecords: 12,
        region: Region::Ntsc,
        plugged: [true, true],
        comments: vec!["a remark".to_owned()],
        unread: Vec::new(),
        subtitles: vec![(30, "look".to_owned())],
        frames: pads
            .map(|pad| MovieFrame { commands: pad.0 & 1, controllers: [pad, Buttons::NONE] })
            .collect(),
    }
}

pub(super) fn fm2() -> Vec<Vec<u8>> {
    let text = fm2::write(&movie());
    let log = text.find("\n|").map_or(text.len(), |at| at + 1);
    let binary = [&text.as_bytes()[..log], b"length 20\nbinary 1\n|", &[1; 60]].concat();
    vec![text.into_bytes(), binary]
}

pub(super) fn bk2() -> Vec<Vec<u8>> {
    vec![bk2::write(&movie()).expect("memory takes it")]
}

pub(super) fn bk2_log() -> Vec<Vec<u8>> {
    let log = "[Input]\nLogKey:#Reset|Power|#P1 Up|P1 Down|P1 Left|P1 Right|P1 Start|P1 Select|P1 B|P1 A|\n\
               |..|........|\n|r.|U.....B.|\n|.P|.D.R...A|\n[/Input]\n";
    vec![log.as_bytes().to_vec()]
}

/// The archive of a movie with this input log.
pub(super) fn archive(log: &[u8]) -> Vec<u8> {
    let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
    let members: [(&str, &[u8]); 2] = [("Header.txt", b"Platform NES\n"), ("Input Log.txt", log)];
    for (member, text) in members {
        archive.start_file(member, SimpleFileOptions::default()).expect("memory takes it");
        archive.write_all(text).expect("memory takes it");
    }
    archive.finish().expect("memory takes it").into_inner()
}

/// A few frames of each version.
pub(super) fn ngf() -> Vec<Vec<u8>> {
    let mut display = Display::default();
    let frames: Vec<_> = (0..5).map(|frame| display.show(1, frame, &[0x7B; ram::SIZE])).collect();
    Version::ALL.map(|version| frames.iter().flat_map(|frame| frame.encode(version)).collect()).to_vec()
}

pub(super) fn trace() -> Vec<Vec<u8>> {
    let columns = COLUMNS.map(|(name, _)| name).join(",");
    let mut text = format!("f,{columns},poke,stats,lcs,pfx,pf,pfcrc\n");
    for frame in 0..40 {
        let values: Vec<String> = (0..COLUMNS.len()).map(|i| format!("{:x}", (frame + i) % 256)).collect();
        let (poke, clears) = if frame % 8 == 0 { ("40=0102;400=ef", "00010203") } else { ("", "") };
        text += &format!("{frame},{},{poke},,{clears},,{},0000000f\n", values.join(","), "01".repeat(25));
    }
    vec![text.into_bytes()]
}

pub(super) fn packed_trace() -> Vec<Vec<u8>> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::default());
    packer.write_all(&trace().concat()).expect("memory takes it");
    vec![packer.finish().expect("memory takes it")]
}

pub(super) fn record() -> Vec<Vec<u8>> {
    vec![serde_json::to_vec_pretty(&played().record).expect("a record is JSON")]
}

pub(super) fn buttons() -> Vec<Vec<u8>> {
    vec![log_to_text(&played().log).into_bytes()]
}

pub(super) fn shard() -> Vec<Vec<u8>> {
    vec![played().shard.clone()]
}

pub(super) fn limits_of_two_lines() -> Identity {
    let format = LimitsFormat { start_level: 19, stop: Stop::Lines(2), fall_rule: FallRule::Ntsc };
    identity("plateau17", 772, format)
}

pub(super) fn hands_identity() -> Vec<Vec<u8>> {
    vec![serde_json::to_vec_pretty(&limits_of_two_lines()).expect("an identity is JSON")]
}

pub(super) fn hands_games() -> Vec<Vec<u8>> {
    let game = played().kept;
    let later = HandsGame { seed: game.seed + 3, ..game };
    vec![serde_json::to_vec(&[game, later]).expect("games are JSON")]
}

pub(super) fn weights() -> Vec<Vec<u8>> {
    let network = Network::from_weights(&vec![0.0; LANES * maxout_engine::eval::ntuple::ENTRIES]);
    vec![weights_file::encode(&network, "nothing").expect("memory takes it")]
}

pub(super) fn seal_weights(file: &mut [u8]) {
    let Some(body) = file.windows(2).position(|pair| pair == b"\n\n") else { return };
    let crc = format!("{:08x}", crc32fast::hash(&file[body + 2..]));
    if body >= 8 {
        file[body - 8..body].copy_from_slice(crc.as_bytes());
    }
}

pub(super) fn terms() -> Vec<Vec<u8>> {
    vec![terms::text(&WEIGHTS_2018).into_bytes()]
}

pub(super) fn network() -> Vec<Vec<u8>> {
    vec![Cnn::embedded().encode()]
}

pub(super) fn seal_network(file: &mut [u8]) {
    seal(file, cnn::MAGIC.len());
}

/// Puts the sum of what follows in four bytes at `at`.
fn seal(file: &mut [u8], at: usize) {
    if let Some((crc, body)) = file.get_mut(at..).and_then(<[u8]>::split_first_chunk_mut::<4>) {
        *crc = crc32fast::hash(body).to_le_bytes();
    }
}

pub(super) fn schedule() -> Vec<Vec<u8>> {
    let short = "seed = 1\nchunk_pieces = 500\ngames = 5\n[[stage]]\nname = \"a\"\nlevel = 19\nchunks = 2\n\
                 candidates = 4\ndeath = -10.0\naverage = true\nby_height = true\ndrill = 0.1\n";
    vec![short.as_bytes().to_vec(), SHIPPED.as_bytes().to_vec()]
}

/// A head without tables: those are too large for a small file.
pub(super) fn checkpoint() -> Vec<Vec<u8>> {
    let mut file = [&CHECKPOINT[..], &[0; 4], &3u64.to_le_bytes(), &[1; 100]].concat();
    seal_checkpoint(&mut file);
    vec![file]
}

pub(super) fn seal_checkpoint(file: &mut [u8]) {
    seal(file, CHECKPOINT.len());
}

pub(super) fn curve() -> Vec<Vec<u8>> {
    let rows = "1,a,5000,2.0,0.5000,12\n2,a,10000,2.0,0.6000,20\n3,b,15000,2.5,0.6500,21\n";
    vec![(learning_curve::HEADER.to_owned() + rows).into_bytes()]
}

pub(super) fn swarm() -> Vec<Vec<u8>> {
    vec![tuning::checkpoint(Swarm::new(Pull::USUAL, 4, 2, 7))]
}

pub(super) fn evolution() -> Vec<Vec<u8>> {
    vec![tuning::checkpoint(Evolution::new(4, 2, 7))]
}

pub(super) fn seal_search(file: &mut [u8]) {
    let find = |word: &[u8]| Some(file.windows(word.len()).position(|found| found == word)? + word.len());
    let (Some(sum), Some(search)) = (find(b"\"crc32\":\""), find(b"\"search\":")) else { return };
    let end = file.len().saturating_sub(1).max(search);
    let crc = format!("{:08x}", crc32fast::hash(&file[search..end]));
    if let Some(sum) = file.get_mut(sum..sum + 8) {
        sum.copy_from_slice(crc.as_bytes());
    }
}

pub(super) fn boards() -> Vec<Vec<u8>> {
    let one = "..........\n".repeat(18) + "#...#....#\n#########.\n";
    vec![one.clone().into_bytes(), format!("# two boards\n{one}\n####.#####\n").into_bytes()]
}

/// A board drawn, in digits, and as a picture of the screen.
pub(super) fn board() -> Vec<Vec<u8>> {
    let drawn = boards().swap_remove(0);
    let digits = "0".repeat(180) + "10001000011111111110";
    let mut picture = Vec::new();
    let mut encoder = Encoder::new(&mut picture, WIDTH as u32, HEIGHT as u32);
    encoder.set_color(ColorType::Grayscale);
    encoder.set_depth(BitDepth::One);
    let mut writer = encoder.write_header().expect("memory takes it");
    writer.write_image_data(&screen()).expect("as many as there are pixels");
    writer.finish().expect("memory takes it");
    vec![drawn, digits.into_bytes(), picture]
}

/// A screen of one bit a pixel: the frame of the field, and in it cells at every third place.
fn screen() -> Vec<u8> {
    let mut bytes = vec![0; WIDTH / 8 * HEIGHT];
    let mut light = |x: usize, y: usize| bytes[(y * WIDTH + x) / 8] |= 0x80 >> (x % 8);
    let (columns, rows) = (FIELD.0 - 3..FIELD.0 + 10 * CELL + 3, FIELD.1 - 3..FIELD.1 + 20 * CELL + 3);
    for y in rows.clone() {
        for x in columns.clone() {
            let edge = |at: usize, of: &Range<usize>| at == of.start || at + 1 == of.end;
            if edge(x, &columns)
                || edge(y, &rows)
                || (x / CELL).is_multiple_of(3) && x % CELL < 7 && y % CELL < 7
            {
                light(x, y);
            }
        }
    }
    bytes
}

pub(super) fn picture() -> Vec<Vec<u8>> {
    let kinds = [
        (ColorType::Grayscale, BitDepth::One, 2),
        (ColorType::Indexed, BitDepth::Eight, 10),
        (ColorType::Rgba, BitDepth::Eight, 40),
        (ColorType::GrayscaleAlpha, BitDepth::Sixteen, 40),
    ];
    kinds.map(|(colours, depth, bytes)| png(colours, depth, bytes)).to_vec()
}

/// The well on the right in white, all else black in the bottom rows.
fn png(colours: ColorType, depth: BitDepth, row: usize) -> Vec<u8> {
    let mut pixels = vec![if colours == ColorType::Indexed { 1 } else { 0xFF }; 20 * row];
    let solid = if depth == BitDepth::One { 1 } else { row / 10 * 9 };
    for cells in pixels.chunks_mut(row).skip(16) {
        for (i, byte) in cells[..solid].iter_mut().enumerate() {
            let alpha = match colours {
                ColorType::Rgba => i % 4 == 3,
                ColorType::GrayscaleAlpha => i % 4 > 1,
                _ => false,
            };
            *byte = if alpha { 0xFF } else { 0 };
        }
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, 10, 20);
    encoder.set_color(colours);
    encoder.set_depth(depth);
    if colours == ColorType::Indexed {
        encoder.set_palette(&[0, 0, 0, 0xFF, 0xFF, 0xFF][..]);
    }
    encoder.add_text_chunk("Title".to_owned(), "well".to_owned()).expect("plain letters");
    let mut writer = encoder.write_header().expect("memory takes it");
    writer.write_image_data(&pixels).expect("as many as there are pixels");
    writer.finish().expect("memory takes it");
    file
}

/// The sums of all chunks that are still whole.
pub(super) fn seal_picture(file: &mut [u8]) {
    let mut rest = file.get_mut(8..).unwrap_or_default();
    while let Some((length, body)) = rest.split_first_chunk_mut::<4>() {
        // The name of the chunk belongs to the sum.
        let length = u32::from_be_bytes(*length) as usize + 4;
        let Some((chunk, after)) = body.split_at_mut_checked(length) else { return };
        let Some((crc, after)) = after.split_first_chunk_mut::<4>() else { return };
        *crc = crc32fast::hash(chunk).to_be_bytes();
        rest = after;
    }
}

pub(super) fn library() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let mut library = Library::open_or_create(folder.path()).expect("an empty folder");
    let Played { record, statistics, log, .. } = played();
    for _ in 0..2 {
        library.add(record, statistics, log).expect("room for a game");
    }
    vec![std::fs::read(library.path()).expect("the library is there")]
}

pub(super) fn cartridge() -> Vec<Vec<u8>> {
    vec![TEST_CARTRIDGE.to_vec()]
}
