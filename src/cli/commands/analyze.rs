//! `maxout analyze`: the placements of a piece on a board, best first, in points.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::boards::{self, ReadBoard};
use crate::cli::args::{aggression::AggressionArg, hands::taps_in, source, values::whole};
use crate::cli::exit::{INTERRUPTED, cores};
use crate::cli::output::{Outputs, answer, write_json};
use crate::cli::output::{
    hovering,
    played_on::{PlayedOn, play_on, table},
    progress::Progress,
};
use crate::files::{self};
use crate::words::decimal;
use maxout_engine::Position;
use maxout_engine::analysis::{Analyst, Answer, Ranked, Reached};
use maxout_engine::limits::{Limits, Presses};
use maxout_engine::movegen::{Reach, taps_to};
use maxout_engine::player::{DEFAULT_PLAYER, Entry};
use maxout_engine::search::Foresight;
use maxout_record::text::Bounded;
use maxout_rules::danger::{self, LockSafety};
use maxout_rules::input::Buttons;
use maxout_rules::{Board, Piece, Placement, Progress as Lines, Region};

/// `maxout analyze`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File with a board: lines of ten '.' and '#' with the bottom row last, 200 digits, a JSON array, '16,,4' as
    /// StackRabbit compresses boards, or a screenshot or photo of the screen during play, of any size (PNG; JPEG,
    /// WebP and others need ffmpeg); '-' reads it from the standard input
    board: PathBuf,
    /// The piece in the air: T, J, Z, O, S, L or I [default: as in a picture]
    #[arg(long)]
    piece: Option<Piece>,
    /// The next piece [default: as in a picture, else the mean over all seven]
    #[arg(long)]
    next: Option<Piece>,
    /// Level, for gravity and points
    #[arg(long, default_value_t = 19, value_parser = whole::<u8>(..=255))]
    level: u8,
    /// How fast buttons are tapped, as in `sim` [default: each button at most every second frame]
    #[arg(long, value_name = "SPEED")]
    taps: Option<Presses>,
    /// Also show where the piece should be this many frames after it came into play, when the next one is seen, and where
    /// it goes for each next piece
    #[arg(long, value_name = "FRAMES", value_parser = whole::<u32>(1..=600))]
    reaction: Option<u32>,
    /// Lines so far
    #[arg(long, default_value_t = 0, value_parser = whole::<u32>(0..=25_599))]
    lines: u32,
    /// Who ranks (see `maxout players`). Players on the learned value rank in points, others by their own number
    #[arg(long, default_value = DEFAULT_PLAYER, value_parser = maxout_gallery::find)]
    player: &'static Entry,
    #[command(flatten)]
    aggression: AggressionArg,
    /// How many placements to show; the others are in the JSON
    #[arg(long, default_value_t = 5, value_name = "N", value_parser = whole::<usize>(1..=1_000))]
    top: usize,
    /// Also play this many games on from each placement that is shown, as maxout-2ply does and with the same pieces for
    /// all, and show the mean points with their standard error
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..=100_000))]
    playouts: Option<u64>,
    /// Write the verdict on every placement as JSON to this file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

/// What is asked, who answers, and the answer. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
struct Analysis<'a, A: Serialize> {
    player: &'a str,
    limits: Limits,
    board: Board,
    piece: Piece,
    next: Option<Piece>,
    level: u8,
    lines: u32,
    #[serde(flatten)]
    answer: A,
}

/// A placement in the answer, and what games brought that were played on from there.
#[derive(Serialize)]
struct Shown {
    #[serde(flatten)]
    ranked: Ranked,
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<PlayedOn>,
}

/// The answer of a player that ranks by a number of its own.
#[derive(Serialize)]
struct OwnAnswer {
    warnings: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    crash: Vec<LockSafety>,
    placements: Vec<Costed>,
}

/// A placement and the number that a player has for it.
#[derive(Serialize)]
struct Costed {
    #[serde(flatten)]
    reached: Reached,
    value: f64,
}

/// Whether the standard input is meant.
fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// What a file with a board is called.
fn name_of(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

/// Reads a file with a board, or the standard input. `named` is the piece in the air that the user names.
fn read_board(file: &Path, named: Option<Piece>) -> anyhow::Result<ReadBoard> {
    let context = || name_of(file);
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        Bounded::new(io::stdin().lock(), boards::MAX_BYTES).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        files::read(file, boards::MAX_BYTES)
    };
    let typed = file.to_str().map(|text| boards::read(text.as_bytes(), named));
    if !is_stdin(file) && !file.exists() && matches!(typed, Some(Ok(_))) {
        let (name, piece) = (context(), named.unwrap_or(Piece::T));
        bail!(
            "{name}: no such file; to rank a board that is typed: echo '{name}' | maxout analyze - --piece {piece}"
        );
    }
    let bytes = bytes.with_context(context)?;
    source::check_board(file, &bytes).with_context(context)?;
    boards::read(&bytes, named).with_context(context)
}

/// The piece in the air: the one that the user names, else the one that a picture shows.
fn asked(args: &Args, seen: Option<Piece>) -> anyhow::Result<Piece> {
    args.piece.or(seen).with_context(|| {
        format!(
            "{}: no piece in the air is shown, expected --piece <PIECE> (maxout analyze --help has examples)",
            name_of(&args.board)
        )
    })
}

/// Says which pieces are those that a picture shows.
fn taken(args: &Args, piece: Option<Piece>, next: Option<Piece>) -> String {
    let piece = piece.filter(|_| args.piece.is_none()).map(|piece| format!("{piece} in the air"));
    let next = next.filter(|_| args.next.is_none()).map(|next| format!("next piece {next}"));
    let taken: Vec<String> = piece.into_iter().chain(next).collect();
    if taken.is_empty() { String::new() } else { format!("in the picture: {}\n", taken.join(", ")) }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Outputs::check([("--json", args.json.as_deref())])?.apart_from([&args.board])?;
    let ReadBoard { board, piece, next, mut warnings } = read_board(&args.board, args.piece)?;
    for warning in &warnings {
        log::warn!("{}: {warning}", name_of(&args.board));
    }
    let progress = Lines::at(args.lines, args.level);
    if let Some(advice) = danger::advice(progress) {
        log::warn!("{advice}");
        warnings.push(advice);
    }
    let position = Position::spawn(board, asked(args, piece)?, args.next.or(next), progress);
    let taken = taken(args, piece, next);
    let player = args.aggression.give_to(args.player.clone())?;
    if let Some(taps) = args.taps {
        taps_in("--taps", taps, Region::Ntsc)?;
    }
    let player = match args.taps {
        None => player,
        Some(taps) => player.with_limits(Limits::new(taps)).with_context(|| {
            format!("--taps: {} does not take it, expected --player maxout or the like", player.name)
        })?,
    };
    match player.analyst(Foresight::DEFAULT) {
        Some(analyst) => in_points(args, &player, analyst, (&position, &taken), warnings),
        None => by_own_number(args, &player, (&position, &taken), warnings),
    }
}

/// Shows the answer of an analyst.
fn in_points(
    args: &Args,
    player: &Entry,
    mut analyst: Analyst,
    (position, taken): (&Position, &str),
    warnings: Vec<String>,
) -> anyhow::Result<ExitCode> {
    let mut said = analyst.answer(position);
    said.warnings = warnings;
    let mut text = heading(args, position, said.ranked.first().map(|best| &best.reached))? + taken;
    text += &points_of(&mut analyst, position, &said);
    let count = args.top.min(said.ranked.len());
    for (rank, Ranked { reached, points, loss, topout, .. }) in (1..).zip(&said.ranked[..count]) {
        let [points, loss] = [points, loss].map(|&points| decimal(points.into(), 0));
        let figures = format!("{points:>11} {loss:>9} {:>6.1} %", 100.0 * topout);
        text += &row(rank, &figures, reached);
    }
    if let Some(frames) = args.reaction {
        said.hovering = analyst.hovering(position, frames);
        text += &said.hovering.as_ref().map(hovering::text).unwrap_or_default();
    }
    let (mut code, mut played) = (ExitCode::SUCCESS, Vec::new());
    if let Some(games) = args.playouts {
        let playouts = player.playouts().with_context(|| no_points("--playouts", player))?;
        let placements: Vec<Placement> =
            said.ranked[..count].iter().map(|ranked| ranked.reached.placement).collect();
        let bar = Progress::new(games, "games");
        played = play_on(&playouts, position, &placements, games, (cores(), &bar))?;
        bar.finish();
        text += &table(&played);
        if played.first().is_some_and(|played| played.games < games) {
            code = ExitCode::from(INTERRUPTED);
        }
    }
    answer(text.trim_end())?;
    let mut played = played.into_iter();
    let said = said.map(|ranked| Shown { ranked, playouts: played.next() });
    write(args, player, position, said)?;
    Ok(code)
}

/// Shows the placements by a player's own number, in which lower is better.
fn by_own_number(
    args: &Args,
    player: &Entry,
    (position, taken): (&Position, &str),
    warnings: Vec<String>,
) -> anyhow::Result<ExitCode> {
    let Some(mut policy) = player.policy(player.limits.into()) else {
        bail!("--player {}: does not choose from a list of placements, expected one that does", player.name);
    };
    for (flag, is_given) in [("--reaction", args.reaction.is_some()), ("--playouts", args.playouts.is_some())]
    {
        if is_given {
            bail!(no_points(flag, player));
        }
    }
    let own = |(placement, value)| Costed { reached: reached(position, placement, player.limits), value };
    let placements: Vec<Costed> = policy.rank(position).into_iter().map(own).collect();
    let mut text = heading(args, position, placements.first().map(|best| &best.reached))? + taken;
    text += &format!("value: {}'s own number, lower is better\n", player.name);
    text += &columns("                      value");
    for (rank, Costed { reached, value }) in (1..).zip(placements.iter().take(args.top)) {
        text += &row(rank, &format!("{value:>27.3}"), reached);
    }
    answer(text.trim_end())?;
    write(
        args,
        player,
        position,
        OwnAnswer { warnings, crash: danger::locks(position.progress), placements },
    )?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the question and its answer.
fn write(args: &Args, player: &Entry, position: &Position, answer: impl Serialize) -> anyhow::Result<()> {
    let Some(file) = &args.json else { return Ok(()) };
    let analysis = Analysis {
        player: &player.name,
        limits: player.limits,
        board: position.board,
        piece: position.start.orientation.piece(),
        next: position.next,
        level: args.level,
        lines: args.lines,
        answer,
    };
    write_json("--json", file, &analysis)
}

fn no_points(flag: &str, player: &Entry) -> String {
    format!("{flag}: {} does not rank in points, expected --player maxout or the like", player.name)
}

/// A placement with its buttons, by what a player may press.
fn reached(position: &Position, placement: Placement, limits: Limits) -> Reached {
    let Position { board, start, .. } = position;
    if limits.presses == Presses::ControllerStates {
        let buttons = taps_to(board, start, placement);
        return Reached::new(position, placement, buttons.map(|buttons| (Buttons::NONE, buttons)));
    }
    Reached::of(position, placement, Reach::new(board, start, limits).as_ref())
}

/// The board with the best placement on it.
fn heading(args: &Args, position: &Position, best: Option<&Reached>) -> anyhow::Result<String> {
    let Some(best) = best else {
        bail!(
            "{}: a {} has no placement there, expected a board with room for it",
            name_of(&args.board),
            position.start.orientation.piece()
        );
    };
    Ok(boards::draw(&position.board, best.placement) + "\n")
}

/// Says what the points of an answer are.
fn points_of(analyst: &mut Analyst, position: &Position, Answer { stop, forecast, .. }: &Answer) -> String {
    let lines = analyst.outlook(position.progress).lines;
    let whose = forecast.told(analyst.limits());
    let which =
        if stop.starts_with("level") { format!("{lines} lines to {stop}") } else { format!("next {stop}") };
    let columns = columns("     points      loss  top-out");
    format!("points: line points of the {which}\npoints and top-out are forecasts, {whose}\n{columns}")
}

fn columns(figures: &str) -> String {
    format!("rank{figures}  {}   buttons, one column per frame\n", boards::PLACE.trim_end())
}

fn row(rank: usize, figures: &str, reached: &Reached) -> String {
    let buttons = hovering::row(reached.held_before, &reached.buttons);
    format!("{rank:>4}{figures}  {}  {buttons}\n", boards::place(reached.placement))
}
