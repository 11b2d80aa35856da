//! `maxout analyze`: the placements of a piece on a drawn board, best first, with buttons.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, anyhow};

use super::output::answer;
use super::values::whole;
use crate::files;
use maxout_engine::eval::Meatfighter;
use maxout_engine::limits::{Limits, TapTable};
use maxout_engine::movegen::{Reach, Start};
use maxout_engine::search::TwoPiece;
use maxout_rules::{Board, Piece, Progress};

/// Bytes of a drawn board.
const MAX_BYTES: u64 = 64 << 10;

/// `maxout analyze`.
#[derive(clap::Args)]
pub(super) struct Args {
    /// File with a drawn board: lines of ten '.' and '#', bottom row last
    board: PathBuf,
    /// The piece in the air: T, J, Z, O, S, L or I
    #[arg(long, value_parser = piece)]
    piece: Piece,
    /// The next piece; without it the mean over all seven
    #[arg(long, value_parser = piece)]
    next: Option<Piece>,
    /// Level, for gravity and points
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(..=255))]
    level: u8,
    /// How fast buttons are tapped, as in `sim` [default: each button at most every second frame]
    #[arg(long, value_name = "SPEED")]
    taps: Option<TapTable>,
    /// Lines so far
    #[arg(long, default_value_t = 0, value_parser = whole::<u32>(0..=25_599))]
    lines: u32,
}

fn piece(text: &str) -> Result<Piece, String> {
    let mut letters = text.chars();
    match (letters.next().and_then(Piece::from_letter), letters.next()) {
        (Some(piece), None) => Ok(piece),
        _ => Err("expected one of T, J, Z, O, S, L, I".to_owned()),
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    let context = || args.board.display().to_string();
    let text = files::read_text(&args.board, MAX_BYTES).with_context(context)?;
    let board: Board = text.parse().with_context(context)?;
    let start = Start::spawn(args.piece, args.level);
    let progress = Progress::at(args.lines, args.level);
    let limits = args.taps.map_or(Limits::EACH_BUTTON, Limits::taps);
    let mut search = TwoPiece::new(Meatfighter::PUBLISHED, limits);
    let nexts = args.next.map_or(Piece::ALL.to_vec(), |next| vec![next]);
    let mut ranked: Vec<(_, f64, u32)> = Vec::new();
    for next in &nexts {
        for (placement, value) in search.rank(&board, &start, *next, progress) {
            match ranked.iter_mut().find(|(p, ..)| *p == placement) {
                Some((_, sum, n)) => (*sum, *n) = (*sum + value, *n + 1),
                None => ranked.push((placement, value, 1)),
            }
        }
    }
    // A placement that some next piece cannot survive ranks behind all others.
    ranked.sort_by(|a, b| {
        let key = |r: &(_, f64, u32)| (std::cmp::Reverse(r.2), r.1 / f64::from(r.2));
        let ((na, va), (nb, vb)) = (key(a), key(b));
        na.cmp(&nb).then(va.total_cmp(&vb))
    });
    let reach = Reach::new(&board, &start, limits).ok_or_else(|| anyhow!("no piece in the air"))?;
    answer("rank  value         x  y  id  buttons, one column per frame (lower is better)")?;
    for (rank, (placement, sum, n)) in ranked.iter().enumerate() {
        let path = reach.path(*placement).ok_or_else(|| anyhow!("placement without a path"))?;
        let buttons: Vec<String> = path.inputs.iter().map(|b| b.to_string().replace('.', "")).collect();
        let shown: Vec<&str> = buttons.iter().map(|b| if b.is_empty() { "-" } else { b }).collect();
        let value = sum / f64::from(*n);
        answer(&format!(
            "{:>4}  {value:<12.3} {:>2} {:>2}  {:?}  {}",
            rank + 1,
            placement.x,
            placement.y,
            placement.id,
            shown.join(" ")
        ))?;
    }
    Ok(ExitCode::SUCCESS)
}
