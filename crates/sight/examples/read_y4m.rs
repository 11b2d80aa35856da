//! Reads the games in a Y4M stream (8 bits of 4:2:0) on stdin, and prints their placements, a line each.

use std::error::Error;
use std::io::{self, BufRead, BufReader, Read};

use maxout_sight::{Picture, VideoReader};

fn main() -> Result<(), Box<dyn Error>> {
    let mut stdin = BufReader::new(io::stdin().lock());
    let mut line = String::new();
    stdin.read_line(&mut line)?;
    let part = |key: char| line.split_whitespace().find_map(|part| part.strip_prefix(key));
    let width: usize = part('W').ok_or("no width")?.parse()?;
    let height: usize = part('H').ok_or("no height")?.parse()?;
    let (rate, per) = part('F').and_then(|rate| rate.split_once(':')).ok_or("no rate")?;
    let (rate, per): (u64, u64) = (rate.parse()?, per.parse()?);
    let mut bytes = vec![0; width * height + 2 * width.div_ceil(2) * height.div_ceil(2)];
    let mut reader = VideoReader::new();
    for number in 0.. {
        line.clear();
        if stdin.read_line(&mut line)? == 0 || stdin.read_exact(&mut bytes).is_err() {
            break;
        }
        let picture = Picture::yuv(width, height, &bytes, 1, 1).ok_or("no picture")?;
        reader.see(&picture, number * 1000 * per / rate);
    }
    eprintln!(
        "the field: {:?}",
        reader.place().map(|place| place.corners.map(|(x, y)| (x.round(), y.round())))
    );
    for (number, game) in (1..).zip(reader.finish()) {
        eprintln!(
            "game {number}: {}, level {:?}, begins late {}, over {}",
            game.shown,
            game.start_level(),
            game.begins_late,
            game.is_over
        );
        for gap in &game.gaps {
            eprintln!("gap after {} at {} to {} ms", gap.after, gap.from_ms, gap.to_ms);
        }
        let progress = game.progress(game.start_level().unwrap_or(18));
        for (placement, progress) in game.placements.iter().zip(progress) {
            let (pose, next) = (placement.pose, placement.next.map(|next| next.to_string()));
            println!(
                "{number},{},{},{},{},{},{},{},{},{:?}",
                placement.time_ms,
                progress.level,
                progress.lines(),
                placement.piece,
                next.unwrap_or_default(),
                pose.x,
                pose.y,
                pose.orientation.id(),
                placement.fall_ms
            );
        }
    }
    Ok(())
}
