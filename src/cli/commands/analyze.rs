//! `maxout analyze`: the placements of a piece on a board, best first, in points.

use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;

use crate::boards;
use crate::cli::args::{aggression::AggressionArg, source, values::whole};
use crate::cli::exit::{INTERRUPTED, cores};
use crate::cli::output::{Outputs, answer, write_json};
use crate::cli::output::{
    hovering::{self, ShownHovering, letters},
    played_on::{PlayedOn, play_on, table},
    progress::Progress,
};
use crate::files::{self, Bounded};
use crate::words::decimal;
use maxout_engine::Position;
use maxout_engine::analysis::{Advice, Analyst, Forecaster, stop_name};
use maxout_engine::limits::{Limits, Presses};
use maxout_engine::movegen::{Reach, Start, taps_to};
use maxout_engine::player::{DEFAULT_PLAYER, Entry};
use maxout_engine::search::Foresight;
use maxout_rules::{Board, Piece, Placement, Progress as Lines};

/// `maxout analyze`.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// File with a board: lines of ten '.' and '#' with the bottom row last, 200 digits, a JSON array, '16,,4' as
    /// StackRabbit compresses boards, or a picture of the screen during play, of any size (PNG; JPEG, WebP and
    /// others need ffmpeg); '-' reads it from the standard input
    board: PathBuf,
    /// The piece in the air: T, J, Z, O, S, L or I
    #[arg(long)]
    piece: Piece,
    /// The next piece; without it the mean over all seven
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

/// A placement in the answer. The JSON keys are a contract (docs/reference/formats.md).
#[derive(Serialize)]
struct Shown {
    /// The line points to expect, what is lost against the best, and the probability of a top-out. Players with a number
    /// of their own have none of these.
    #[serde(flatten)]
    figures: Option<Figures>,
    /// The player's own number.
    value: f64,
    #[serde(flatten)]
    placement: Placement,
    /// The direction that is held before the first frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    held_before: Option<String>,
    /// The buttons of each frame.
    buttons: Vec<String>,
    /// The best placement of the next piece, and of each of seven that may come then.
    reply: Option<Placement>,
    replies: Option<[Option<Placement>; 7]>,
    /// The board after the placement.
    board_after: Vec<String>,
    /// What games brought that were played on from there.
    #[serde(skip_serializing_if = "Option::is_none")]
    playouts: Option<PlayedOn>,
}

#[derive(Serialize)]
struct Figures {
    points: f32,
    loss: f32,
    topout: f32,
}

/// All of the answer.
#[derive(Serialize)]
struct Analysis<'a> {
    player: &'a str,
    limits: Limits,
    /// Whose games points, losses and top-outs speak of; none for players with a number of their own.
    #[serde(skip_serializing_if = "Option::is_none")]
    forecast: Option<Forecaster>,
    board: Vec<String>,
    piece: Piece,
    next: Option<Piece>,
    level: u8,
    lines: u32,
    oddities: &'a [String],
    placements: Vec<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    hovering: Option<ShownHovering>,
}

/// A board as lines of text.
fn lines_of(board: &Board) -> Vec<String> {
    board.to_string().lines().map(str::to_owned).collect()
}

/// Whether the standard input is meant.
fn is_stdin(file: &Path) -> bool {
    file == Path::new("-")
}

/// What a file with a board is called.
fn name_of(file: &Path) -> String {
    if is_stdin(file) { "standard input".to_owned() } else { file.display().to_string() }
}

/// Reads a file with a board, or the standard input. Returns the board and what is odd about it.
fn read_board(file: &Path, piece: Piece) -> anyhow::Result<(Board, Vec<String>)> {
    let context = || name_of(file);
    let bytes = if is_stdin(file) {
        let mut bytes = Vec::new();
        Bounded::new(io::stdin().lock(), boards::MAX_BYTES).read_to_end(&mut bytes).map(|_| bytes)
    } else {
        files::read(file, boards::MAX_BYTES)
    };
    let typed = file.to_str().map(|text| boards::read(text.as_bytes(), piece));
    if !is_stdin(file) && !file.exists() && matches!(typed, Some(Ok(_))) {
        let name = context();
        bail!(
            "{name}: no such file; to rank a board that is typed: echo '{name}' | maxout analyze - --piece {piece}"
        );
    }
    let bytes = bytes.with_context(context)?;
    source::check_board(file, &bytes).with_context(context)?;
    boards::read(&bytes, piece).with_context(context)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<ExitCode> {
    Outputs::check([("--json", args.json.as_deref())])?;
    let (board, oddities) = read_board(&args.board, args.piece)?;
    for oddity in &oddities {
        log::warn!("{}: {oddity}", name_of(&args.board));
    }
    let progress = Lines::at(args.lines, args.level);
    let start = Start::spawn(args.piece, args.level);
    let position = Position { board, start, next: args.next, progress };
    let player = args.aggression.give_to(args.player.clone())?;
    let player = match args.taps {
        None => player,
        Some(taps) => player.with_limits(Limits::new(taps)).with_context(|| {
            format!("--taps: {} does not take it, expected --player maxout or the like", player.name)
        })?,
    };
    let limits = player.limits;
    let (mut shown, note) = match player.analyst(Foresight::DEFAULT) {
        Some(analyst) => in_points(analyst, &position, &Forecaster::of(&player.name, args.level, limits)),
        None => by_own_number(&player, &position)?,
    };
    let Some(best) = shown.first() else {
        bail!(
            "{}: a {} has no placement there, expected a board with room for it",
            name_of(&args.board),
            args.piece
        );
    };
    let mut text = boards::draw(&board, best.placement) + "\n" + &heading(best, &note);
    let count = args.top.min(shown.len());
    for (rank, shown) in (1..).zip(&shown[..count]) {
        text += &row(rank, shown);
    }
    let hovering = match args.reaction {
        None => None,
        Some(frames) => Some(ShownHovering::of(&player, &position, frames)?),
    };
    if let Some(hovering) = &hovering {
        text += &hovering.text();
    }
    let mut code = ExitCode::SUCCESS;
    if let Some(games) = args.playouts {
        let (played, all) = add_playouts(&player, &position, &mut shown[..count], games)?;
        text += &played;
        if !all {
            code = ExitCode::from(INTERRUPTED);
        }
    }
    answer(text.trim_end())?;
    if let Some(file) = &args.json {
        let analysis = Analysis {
            player: &player.name,
            limits,
            forecast: shown
                .first()
                .and_then(|shown| shown.figures.as_ref())
                .map(|_| Forecaster::of(&player.name, args.level, limits)),
            board: lines_of(&board),
            piece: args.piece,
            next: args.next,
            level: args.level,
            lines: args.lines,
            oddities: &oddities,
            placements: shown,
            hovering,
        };
        write_json("--json", file, &analysis)?;
    }
    Ok(code)
}

/// Plays games on from each of these placements and stores their results. Returns the results as text, and whether all
/// games were played.
fn add_playouts(
    player: &Entry,
    position: &Position,
    shown: &mut [Shown],
    games: u64,
) -> anyhow::Result<(String, bool)> {
    let Some(playouts) = player.playouts() else {
        bail!("--playouts: {} does not rank in points, expected --player maxout or the like", player.name);
    };
    let placements: Vec<Placement> = shown.iter().map(|shown| shown.placement).collect();
    let bar = Progress::new(games, "games");
    let played = play_on(&playouts, position, &placements, games, (cores(), &bar))?;
    bar.finish();
    shown.iter_mut().zip(&played).for_each(|(shown, played)| shown.playouts = Some(*played));
    let all = played.first().is_none_or(|played| played.games == games);
    Ok((table(&played), all))
}

/// The verdicts of an analyst, and what its points are.
fn in_points(mut analyst: Analyst, position: &Position, forecaster: &Forecaster) -> (Vec<Shown>, String) {
    let lines = analyst.outlook(position.progress).lines;
    let whose = forecaster.told(analyst.limits());
    let stop = stop_name(position.progress);
    let which =
        if stop.starts_with("level") { format!("{lines} lines to {stop}") } else { format!("next {stop}") };
    let note = format!("points: line points of the {which}\npoints and top-out are forecasts, {whose}");
    let show = |Advice { verdict, held_before, inputs, .. }: Advice| Shown {
        figures: Some(Figures { points: verdict.points, loss: verdict.loss, topout: verdict.topout }),
        value: verdict.value.into(),
        placement: verdict.placement,
        held_before: hovering::held(held_before),
        buttons: letters(&inputs),
        reply: verdict.reply,
        replies: Some(verdict.replies),
        board_after: lines_of(&verdict.board_after),
        playouts: None,
    };
    (analyst.advise(position).into_iter().map(show).collect(), note)
}

/// The placements by a player's own number, in which lower is better.
fn by_own_number(player: &Entry, position: &Position) -> anyhow::Result<(Vec<Shown>, String)> {
    let Some(mut policy) = player.policy(player.limits.into()) else {
        bail!("--player {}: does not choose from a list of placements, expected one that does", player.name);
    };
    let board = &position.board;
    let ranked = policy.rank(position);
    let show = |&(placement, value): &(Placement, f64)| {
        let mut after = *board;
        after.lock(placement.x, placement.y, placement.orientation);
        let (held_before, buttons) = buttons(position, placement, player.limits);
        Shown {
            figures: None,
            value,
            placement,
            held_before,
            buttons,
            reply: None,
            replies: None,
            board_after: lines_of(&after),
            playouts: None,
        }
    };
    Ok((ranked.iter().map(show).collect(), format!("value: {}'s own number, lower is better", player.name)))
}

/// The direction that is held before the first frame, and the buttons of each frame that lead there.
fn buttons(position: &Position, placement: Placement, limits: Limits) -> (Option<String>, Vec<String>) {
    let Position { board, start, .. } = position;
    if limits.presses == Presses::ControllerStates {
        return (None, letters(&taps_to(board, start, placement).unwrap_or_default()));
    }
    let path = Reach::new(board, start, limits).and_then(|reach| reach.path(placement));
    path.map_or((None, Vec::new()), |path| (hovering::held(path.held_before), letters(&path.inputs)))
}

fn heading(best: &Shown, note: &str) -> String {
    let figures = match best.figures {
        Some(_) => "     points      loss  top-out",
        None => "                      value",
    };
    format!("{note}\nrank{figures}  {}   buttons, one column per frame\n", boards::PLACE.trim_end())
}

fn row(rank: usize, shown: &Shown) -> String {
    let figures = match &shown.figures {
        Some(Figures { points, loss, topout }) => {
            let [points, loss] = [points, loss].map(|&points| decimal(points.into(), 0));
            format!("{points:>11} {loss:>9} {:>6.1} %", 100.0 * topout)
        }
        None => format!("{:>27.3}", shown.value),
    };
    let buttons = hovering::row(shown.held_before.as_deref(), &shown.buttons);
    format!("{rank:>4}{figures}  {}  {buttons}\n", boards::place(shown.placement))
}
