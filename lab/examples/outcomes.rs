//! Trains the network that knows boards as other people build them
//! ([`OutcomeNetwork`](maxout_engine::analysis::OutcomeNetwork)), or checks it.
//!
//! `cargo run --release -p maxout-lab --example outcomes -- play FIRST_SEED SEEDS FILE` builds boards in many styles and lets
//! `maxout-fast` play on from them for 28 pieces each. `... -- fit WEIGHTS FILE...` trains on such files, and `... -- check FILE...` compares
//! what the shipped network says of them with what happened.

use std::process::ExitCode;
use std::{fs, io, thread};

use maxout_engine::Env;
use maxout_engine::Position;
use maxout_engine::analysis::{Outcome, OutcomeInputs, OutcomeNetwork, Outlook};
use maxout_engine::env::EnvRules;
use maxout_engine::eval::{Shape, weights};
use maxout_engine::limits::Limits;
use maxout_engine::player::Policy;
use maxout_engine::search::{Expectimax, Widths};
use maxout_gallery::find;
use maxout_lab::research::{games, usage};
use maxout_lab::train::outcomes::add_slopes;
use maxout_rules::random::Dice;
use maxout_rules::{Board, Piece, Placement, Progress, line_points};

/// Pieces that are played on.
const STEPS: usize = 28;
/// The placements that are played on from: one in this number.
const ONE_IN: usize = 6;
/// Of the boards of people that are better than the first of these only one in the second is played on from.
const ORDINARY: f32 = -0.75;
const ORDINARY_ONE_IN: usize = 8;
/// Published players whose boards are wanted.
const OTHERS: [&str; 5] = ["plateau17", "dellacherie", "el-tetris", "dellacherie-2", "cnn"];

/// How boards are built.
enum Style {
    /// By the learned value with noise, in tetrises. Except for the share `calm` of the time, a cell of the left column that completes no tetris costs
    /// `well`. The share `slips` of pieces locks a column beside where it should.
    Person { noise: f64, well: f64, calm: f64, slips: f64 },
    /// By a weighted sum of what a board looks like; this share goes anywhere.
    Linear { weights: [f64; 10], astray: f64 },
    /// By a published player; this share goes anywhere.
    Other { player: usize, astray: f64 },
    /// With a clean well on the right until this number of rows is ready.
    Well { rows: usize },
}

/// Who builds, and who plays on.
struct Cast {
    others: Vec<Box<dyn Policy>>,
    builder: Expectimax,
    player: Expectimax,
    list: Vec<Placement>,
}

impl Cast {
    fn new() -> Self {
        let others = OTHERS.iter().filter_map(|name| find(name).ok()?.policy(Limits::EACH_BUTTON.into()));
        let network = weights::embedded_for(Limits::EACH_BUTTON);
        let search = |widths| Expectimax::new(network.clone(), widths, Limits::EACH_BUTTON);
        Self {
            others: others.collect(),
            builder: search(Widths::TWO),
            player: search(Widths::FAST),
            list: Vec::new(),
        }
    }
}

/// A number from 0 to 1.
fn unit(dice: &mut Dice) -> f64 {
    dice.below(1 << 20) as f64 / f64::from(1u32 << 20)
}

/// `base` times e to a normal number of this spread.
fn spread(dice: &mut Dice, base: f64, spread: f64) -> f64 {
    let normal = (0..12).map(|_| unit(dice)).sum::<f64>() - 6.0;
    base * (spread * normal).exp()
}

/// What a board looks like: holes, unevenness, steps beyond 2, the highest and the mean column but the last, the last column, ready
/// rows, a tetris, other lines, height beyond 12.
fn looks(board: &Board, lines: u8) -> [f64; 10] {
    let rows = board.visible();
    let (mut heights, mut holes) = ([0i32; 10], 0);
    for (column, height) in heights.iter_mut().enumerate() {
        for (at, row) in rows.iter().enumerate() {
            match row >> column & 1 {
                1 if *height == 0 => *height = 20 - at as i32,
                0 if *height > 0 => holes += 1,
                _ => {}
            }
        }
    }
    let steps = || heights[..9].windows(2).map(|pair| (pair[0] - pair[1]).abs());
    let highest = heights[..9].iter().copied().max().unwrap_or(0);
    let ready = rows.iter().filter(|row| *row & 0x3ff == 0x1ff).count();
    [
        holes.into(),
        steps().sum::<i32>().into(),
        steps().map(|step| (step - 2).max(0)).sum::<i32>().into(),
        highest.into(),
        f64::from(heights[..9].iter().sum::<i32>()) / 9.0,
        heights[9].into(),
        ready as f64,
        f64::from(u8::from(lines == 4)),
        if lines < 4 { lines.into() } else { 0.0 },
        (highest - 12).max(0).into(),
    ]
}

/// A style.
fn style(dice: &mut Dice) -> Style {
    match dice.below(14) {
        10 | 11 => Style::Well { rows: 4 + dice.below(9) },
        12 => Style::Other { player: 0, astray: 0.0 },
        13 => Style::Other { player: 0, astray: [0.0, 0.02, 0.05][dice.below(3)] },
        0..=2 => Style::Person { noise: 0.02 * (unit(dice) * 4.6).exp(), well: 0.0, calm: 1.0, slips: 0.0 },
        3 | 4 => {
            Style::Person { noise: 0.0, well: 0.0, calm: 1.0, slips: [0.01, 0.03, 0.06, 0.1][dice.below(4)] }
        }
        5..=7 => {
            let mut weight = |base, by| spread(dice, base, by);
            let weights = [
                -weight(4.0, 0.6),
                -weight(0.5, 0.6),
                -weight(1.0, 0.6),
                -weight(0.2, 1.0),
                -weight(0.1, 1.0),
                -weight(3.0, 0.8),
                weight(0.4, 1.2) - 0.4,
                weight(10.0, 0.5),
                -weight(1.5, 0.8),
                -weight(2.0, 0.8),
            ];
            Style::Linear { weights, astray: [0.0, 0.0, 0.0, 0.03][dice.below(4)] }
        }
        _ => Style::Other { player: dice.below(OTHERS.len()), astray: [0.0, 0.0, 0.0, 0.03][dice.below(4)] },
    }
}

/// Where this style puts the piece in play. `None` if it has no place.
fn pick(style: &Style, env: &Env, cast: &mut Cast, dice: &mut Dice) -> Option<Placement> {
    let Cast { others, builder, list, .. } = cast;
    env.placements(list);
    let any = |dice: &mut Dice| (!list.is_empty()).then(|| list[dice.below(list.len())]);
    if list.is_empty() {
        return None;
    }
    let (board, start, next, progress) = (env.board(), env.start(), env.next_piece(), env.progress());
    let after = |placement: &Placement| {
        let mut board = *board;
        let lines = board.lock(placement.x, placement.y, placement.orientation);
        (board, lines)
    };
    match *style {
        Style::Person { noise, well, calm, slips } => {
            let tetris = builder.ordinary(progress).1;
            let well = if unit(dice) < calm { 0.0 } else { well };
            let left = |board: &Board| Shape::of(board).columns[0].count_ones();
            let ranked = builder.rank(&Position { board: *board, start, next: Some(next), progress });
            let noisy = ranked.iter().map(|ranked| {
                let gumbel = -(-(unit(dice) + 1e-12).ln()).ln();
                let (behind, lines) = after(&ranked.placement);
                let filled = (left(&behind) + u32::from(lines)).saturating_sub(left(board));
                let filled = if lines == 4 { 0.0 } else { f64::from(filled) };
                (ranked.placement, f64::from(ranked.value / tetris) + noise * gumbel - well * filled)
            });
            let best = noisy.max_by(|a, b| a.1.total_cmp(&b.1))?.0;
            if unit(dice) >= slips {
                return Some(best);
            }
            let beside = |other: &&Placement| {
                other.x.abs_diff(best.x) <= 1 && other.orientation == best.orientation && **other != best
            };
            let near: Vec<_> = list.iter().filter(beside).copied().collect();
            Some(if near.is_empty() { best } else { near[dice.below(near.len())] })
        }
        Style::Linear { weights, astray } => {
            if unit(dice) < astray {
                return any(dice);
            }
            let score = |placement: &Placement| {
                let (board, lines) = after(placement);
                looks(&board, lines).iter().zip(weights).map(|(look, weight)| look * weight).sum::<f64>()
            };
            list.iter().max_by(|a, b| score(a).total_cmp(&score(b))).copied()
        }
        Style::Other { player, astray } => {
            if unit(dice) < astray {
                return any(dice);
            }
            let placement =
                others[player].choose(&Position { board: *board, start, next: Some(next), progress })?;
            if list.contains(&placement) { Some(placement) } else { any(dice) }
        }
        Style::Well { rows } => {
            let well = |board: &Board| board.visible().iter().any(|row| row >> 9 & 1 == 1);
            let ready = board.visible().iter().filter(|row| *row & 0x3ff == 0x1ff).count();
            let covers = |placement: &Placement| {
                let (after, lines) = after(placement);
                lines < 4 && well(&after) && !well(board)
            };
            let burns = |placement: &Placement| after(placement).1 > 0;
            let good = |placement: &Placement| !covers(placement) && (ready >= rows || !burns(placement));
            let ranked = builder.rank(&Position { board: *board, start, next: Some(next), progress });
            if let Some(ranked) = ranked.iter().find(|ranked| good(&ranked.placement)) {
                return Some(ranked.placement);
            }
            let lowest = list.iter().filter(|placement| !covers(placement) && !burns(placement));
            let lowest = lowest.max_by_key(|placement| {
                let looks = looks(&after(placement).0, 0);
                (-(looks[0] * 8.0 + looks[1] + looks[3]) * 10.0) as i64
            });
            lowest.copied().or_else(|| ranked.first().map(|ranked| ranked.placement))
        }
    }
}

/// A stack with ready rows, perhaps on top of rows with holes, with an uneven surface.
fn stack(dice: &mut Dice) -> Board {
    let well = if dice.below(8) == 0 { dice.below(10) } else { 9 };
    let mut rows: Vec<u16> = Vec::new();
    if dice.below(3) == 0 {
        for _ in 0..=dice.below(5) {
            let mut row = 0x3ff;
            for _ in 0..=dice.below(2) {
                row &= !(1 << dice.below(10));
            }
            rows.push(row);
        }
    }
    let ready = dice.below(12);
    rows.extend((0..ready).map(|_| 0x3ff & !(1 << well)));
    let mut walk = dice.below(3) as i32;
    let tilt = (dice.below(5) as f64 - 1.5) * 0.35;
    let heights: [i32; 10] = std::array::from_fn(|column| {
        let tilted = (f64::from(walk) + tilt * (4.5 - column as f64) / 1.5).round().max(0.0) as i32;
        walk = (walk + [0, 0, 0, 1, -1, 1, -1, 2, -2][dice.below(9)]).clamp(0, 4);
        if column == well { 0 } else { tilted }
    });
    let above =
        (0..5).map(|row| (0..10).filter(|&column| heights[column] > row).map(|column| 1 << column).sum());
    rows.extend(above.filter(|&row: &u16| row != 0));
    rows.truncate(17);
    let cell = |row: &u16, column: u16| if row >> column & 1 == 1 { '#' } else { '.' };
    let line = |row: &u16| (0..10).map(|column| cell(row, column)).chain(['\n']).collect::<String>();
    rows.iter().rev().map(line).collect::<String>().parse().unwrap_or(Board::EMPTY)
}

/// A placement, and the board after it.
struct Step {
    early: bool,
    next: Piece,
    /// The number of the placement since the board was built.
    number: u8,
    /// Whether the game was lost within [`STEPS`] pieces.
    lost: bool,
    /// How good the board is by the search's value, in tetrises against an ordinary board with as few lines left.
    quality: f32,
    /// Tetrises' worth of points since the board was built.
    paid: f32,
    /// Lines since then.
    lines: u32,
    /// As the search saw it: perhaps in a mirror.
    rows: [u16; 20],
}

/// Bytes of a step in a file.
const BYTES: usize = 56;

impl Step {
    fn write(&self, out: &mut Vec<u8>) {
        out.extend([u8::from(self.early), self.next as u8, self.number, u8::from(self.lost)]);
        out.extend(self.quality.to_le_bytes());
        out.extend(self.paid.to_le_bytes());
        out.extend(self.lines.to_le_bytes());
        out.extend(self.rows.iter().flat_map(|row| row.to_le_bytes()));
    }

    fn read(bytes: &[u8; BYTES]) -> Option<Self> {
        let four = |at: usize| [bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]];
        Some(Self {
            early: bytes[0] == 1,
            next: *Piece::ALL.get(usize::from(bytes[1]))?,
            number: bytes[2],
            lost: bytes[3] == 1,
            quality: f32::from_le_bytes(four(4)),
            paid: f32::from_le_bytes(four(8)),
            lines: u32::from_le_bytes(four(12)),
            rows: std::array::from_fn(|row| u16::from_le_bytes([bytes[16 + 2 * row], bytes[17 + 2 * row]])),
        })
    }

    fn inputs(&self) -> OutcomeInputs {
        let cell = |row: &u16, column: u16| if row >> column & 1 == 1 { '#' } else { '.' };
        let line = |row: &u16| (0..10).map(|column| cell(row, column)).chain(['\n']).collect::<String>();
        let board = self.rows.iter().map(line).collect::<String>().parse().unwrap_or(Board::EMPTY);
        OutcomeInputs::new(&board, self.next, self.quality, self.early)
    }
}

/// Builds boards from one seed, and plays on from some of them. Every second seed is a game of one person from an empty board; of its ordinary boards few
/// are played on from.
fn episode(cast: &mut Cast, seed: u64) -> Vec<Step> {
    let mut dice = Dice::of([seed, 77]);
    let level = if dice.below(3) == 0 { 19 } else { 18 };
    let rules = EnvRules { until_level: None, ..EnvRules::game(level) };
    let mut env = Env::new(rules, seed);
    let is_person = dice.below(2) == 0;
    if !is_person && dice.below(3) > 0 {
        env.set_board(stack(&mut dice));
    }
    let warm = dice.below(3) * dice.below(14);
    let mut how = Style::Person { noise: 0.02, well: 0.0, calm: 1.0, slips: 0.0 };
    let (mut until, mut styled, mut steps) = (warm as u64, false, Vec::new());
    let mut stop = 20 + dice.below(100) as u64;
    if is_person {
        let [noise, well, calm, slips] =
            [[0.005, 0.02, 0.05, 0.1], [0.0, 0.0, 0.1, 0.3], [0.3, 0.3, 0.6, 0.6], [0.0, 0.005, 0.01, 0.03]]
                .map(|list| list[dice.below(4)]);
        how = Style::Person { noise, well, calm, slips };
        (until, styled, stop) = (u64::MAX, true, 500);
    }
    while env.end().is_none() && env.pieces() < stop {
        if env.pieces() >= until {
            how = style(&mut dice);
            styled = true;
            until = env.pieces() + 6 + dice.below(40) as u64;
        }
        let Some(placement) = pick(&how, &env, cast, &mut dice) else { break };
        if styled && dice.below(ONE_IN) == 0 {
            let most = if is_person && dice.below(ORDINARY_ONE_IN) > 0 { ORDINARY } else { f32::MAX };
            play_on(&env, placement, level, most, cast, &mut dice, &mut steps);
        }
        if env.step(placement).is_err() {
            break;
        }
    }
    steps
}

/// Plays `first`, and then on for [`STEPS`] pieces, unless the board is better than `most`.
fn play_on(
    from: &Env,
    first: Placement,
    level: u8,
    most: f32,
    cast: &mut Cast,
    dice: &mut Dice,
    steps: &mut Vec<Step>,
) {
    let start = Progress::at(0, level);
    let rules = EnvRules { until_level: None, ..EnvRules::game(level) };
    let seed = (dice.below(1 << 30) as u64) << 20 | dice.below(1 << 20) as u64;
    let mut env = Env::from_position(rules, seed, *from.board(), start);
    for _ in 0..dice.below(8) {
        env.skip_piece();
    }
    env.deal_pieces(from.piece(), from.next_piece());
    let (ordinary, worth) = cast.player.ordinary(start);
    // The presses do not count here.
    let outlook = Outlook::new(start, ordinary, worth, 0.0);
    let tetris = line_points(4, level) as f32;
    let (begin, mut paid) = (steps.len(), 0.0);
    for step in 0..STEPS {
        let next = env.next_piece();
        let position = Position { progress: start, ..env.position() };
        // As a forecast does, from both sides; what is seen is the side that the value is of.
        let also = (step == 0).then_some(first);
        let weighed = cast.player.weigh_either_way(&position, also, step == 0);
        let best = weighed.iter().find(|weighed| also.is_none_or(|first| weighed.placement == first));
        let Some(best) = best else { break };
        let Placement { x, y, orientation } = best.placement;
        let lines = { position.board }.lock(x, y, orientation);
        let (board, next) =
            if best.in_mirror { (best.board.mirrored(), next.mirrored()) } else { (best.board, next) };
        let (placement, quality) = (best.placement, outlook.quality_after(best.value, lines, level));
        if step == 0 && quality > most {
            return;
        }
        if env.step(placement).is_err() {
            break;
        }
        paid += line_points(lines, level) as f32 / tetris;
        steps.push(Step {
            early: level == 18,
            next,
            number: step as u8,
            lost: false,
            quality,
            paid,
            lines: env.lines() as u32,
            rows: board.visible().map(|row| row & 0x3ff),
        });
        if env.end().is_some() {
            break;
        }
    }
    let lost = steps.len() - begin < STEPS;
    steps[begin..].iter_mut().for_each(|step| step.lost = lost);
}

/// An ordinary board's points for each line, as a share of what a tetris pays for each.
const EFFICIENCY: f64 = 0.93;
/// What counts of a top-out a piece later.
const DISCOUNT: f64 = 0.997;
/// How much of a step's target comes from the steps behind it, and not from what the network says of the next one.
const LAMBDA: f64 = 0.95;
/// Rounds with the same targets, and passes over all steps in each.
const ROUNDS: usize = 4;
const PASSES: usize = 2;
/// Steps that change the weights at once.
const BATCH: usize = 1024;
/// Parts of a batch that are learned at once; their number decides the bytes of the weights, so it is the same on every machine.
const PARTS: usize = 4;
/// The largest step size, and how much of each weight goes with a step of size 1.
const RATE: f64 = 2e-3;
const DECAY: f32 = 1e-2;

/// What steps have led to, as far as it is known from what `said` says of each.
fn targets(steps: &[Step], said: &[Outcome]) -> Vec<Outcome> {
    let (mut topouts, mut tetrises) = (vec![0.0f64; steps.len()], vec![0.0f64; steps.len()]);
    for at in (0..steps.len()).rev() {
        let guess = |at: usize| {
            // Of ordinary boards the search knows more.
            let quality = f64::from(steps[at].quality.clamp(-20.0, 3.0));
            let ordinary = ((quality + 0.9) / 0.5).clamp(0.0, 1.0);
            let (topout, more) = (f64::from(said[at].topout), f64::from(said[at].tetrises));
            let mixed = |own: f64, usual: f64| own * (1.0 - ordinary) + usual * ordinary;
            (mixed(topout, topout.min(0.003)), mixed(more, quality))
        };
        let behind = steps.get(at + 1).filter(|behind| behind.number > steps[at].number);
        (topouts[at], tetrises[at]) = match behind {
            None if steps[at].lost => (1.0, 0.0),
            None => guess(at),
            Some(behind) => {
                let lines = f64::from(behind.lines - steps[at].lines);
                let paid = f64::from(behind.paid - steps[at].paid) - EFFICIENCY * lines / 4.0;
                let (topout, more) = guess(at + 1);
                let mixed = |next: f64, far: f64| (1.0 - LAMBDA) * next + LAMBDA * far;
                (DISCOUNT * mixed(topout, topouts[at + 1]), paid + mixed(more, tetrises[at + 1]))
            }
        };
    }
    let both = topouts.iter().zip(&tetrises);
    both.map(|(&topout, &tetrises)| Outcome { topout: topout as f32, tetrises: tetrises as f32 }).collect()
}

/// The slopes of the weights for some of the steps, and both parts of the error.
fn slopes(
    weights: &[f32],
    network: &OutcomeNetwork,
    steps: &[Step],
    targets: &[Outcome],
    which: &[u32],
) -> (Vec<f32>, [f64; 2]) {
    let (mut gradient, mut errors) = (vec![0.0; OutcomeNetwork::WEIGHTS], [0.0; 2]);
    for &at in which {
        let (inputs, target) = (steps[at as usize].inputs(), targets[at as usize]);
        let parts = add_slopes(weights, &inputs, network.outcome(&inputs), target, &mut gradient);
        errors.iter_mut().zip(parts).for_each(|(sum, part)| *sum += f64::from(part));
    }
    (gradient, errors)
}

/// Trains the weights of a network on steps, and prints how far off it is.
fn fit(steps: &[Step]) -> Vec<f32> {
    let network = |weights: &[f32]| OutcomeNetwork::from_weights(weights.to_vec()).expect("as many");
    let mut dice = Dice::new(1);
    let mut weights = Vec::new();
    for [inputs, outputs] in OutcomeNetwork::LAYERS {
        let size = (2.0 / inputs as f64).sqrt() * if outputs == 2 { 0.2 } else { 1.0 };
        weights.extend((0..inputs * outputs).map(|_| (size * dice.normal()) as f32));
        weights.extend((0..outputs).map(|_| 0.0));
    }
    // Without hidden layers: what quality alone says.
    let plain = network(&vec![0.0; OutcomeNetwork::WEIGHTS]);
    let mut said: Vec<Outcome> = steps.iter().map(|step| plain.outcome(&step.inputs())).collect();
    let mut order: Vec<u32> = (0..steps.len() as u32).collect();
    let batches = steps.len() / BATCH;
    let all = (ROUNDS * PASSES * batches) as f64;
    let (mut mean, mut square) =
        (vec![0.0f32; OutcomeNetwork::WEIGHTS], vec![0.0f32; OutcomeNetwork::WEIGHTS]);
    let mut count = 0i32;
    for round in 0..ROUNDS {
        let targets = targets(steps, &said);
        for pass in 0..PASSES {
            for at in (1..order.len()).rev() {
                order.swap(at, dice.below(at + 1));
            }
            let mut errors = [0.0f64; 2];
            for batch in order.chunks_exact(BATCH) {
                let now = network(&weights);
                let parts = thread::scope(|scope| {
                    let (weights, now, targets) = (&weights, &now, &targets);
                    let work = |part| scope.spawn(move || slopes(weights, now, steps, targets, part));
                    let all: Vec<_> = batch.chunks(BATCH / PARTS).map(work).collect();
                    all.into_iter().map(|part| part.join().expect("no panic")).collect::<Vec<_>>()
                });
                let mut gradient = vec![0.0f32; OutcomeNetwork::WEIGHTS];
                for (part, missed) in parts {
                    gradient.iter_mut().zip(part).for_each(|(sum, part)| *sum += part);
                    errors.iter_mut().zip(missed).for_each(|(sum, part)| *sum += part);
                }
                count += 1;
                let cosine = 0.5 + 0.5 * (std::f64::consts::PI * f64::from(count) / all).cos();
                let rate = (RATE * (f64::from(count) / 300.0).min(1.0) * cosine) as f32;
                let (soon, late) = (1.0 - 0.9f32.powi(count), 1.0 - 0.999f32.powi(count));
                let all = weights.iter_mut().zip(&mut mean).zip(&mut square).zip(&gradient);
                for (((weight, mean), square), slope) in all {
                    let slope = slope / BATCH as f32;
                    *mean += 0.1 * (slope - *mean);
                    *square += 0.001 * (slope * slope - *square);
                    *weight -= rate * (*mean / soon / ((*square / late).sqrt() + 1e-8) + DECAY * *weight);
                }
            }
            let [entropy, miss] = errors.map(|sum| sum / (batches * BATCH) as f64);
            eprintln!("round {}, pass {}: {entropy:.4}, {miss:.4}", round + 1, pass + 1);
        }
        let now = network(&weights);
        said = steps.iter().map(|step| now.outcome(&step.inputs())).collect();
    }
    weights
}

/// Prints for each range of what the network says, and of qualities, how often the game was lost within [`STEPS`] pieces, and how far off its tetrises
/// are from those of the steps behind.
fn check(steps: &[Step], network: &OutcomeNetwork) {
    let said: Vec<Outcome> = steps.iter().map(|step| network.outcome(&step.inputs())).collect();
    let targets = targets(steps, &said);
    let first = |at: &usize| steps[*at].number == 0;
    let title = "boards   said   happened or said at the end   tetrises said   as it went on";
    println!("top-out said   {title}");
    for range in [0.0f32, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.4, 0.7, 1.01].windows(2) {
        let inside = |at: &usize| first(at) && (range[0]..range[1]).contains(&said[*at].topout);
        let name = format!("{:>5.1} to {:<5.1}", 100.0 * range[0], 100.0 * range[1]);
        line(&name, &(0..steps.len()).filter(inside).collect::<Vec<_>>(), &said, &targets);
    }
    println!("quality        {title}");
    for range in [-99.0f32, -10.0, -7.0, -5.0, -3.5, -2.5, -1.5, -0.75, -0.3, 0.0, 9.0].windows(2) {
        let inside = |at: &usize| first(at) && (range[0]..range[1]).contains(&steps[*at].quality);
        let name = format!("{:>5.1} to {:<5.1}", range[0], range[1]);
        line(&name, &(0..steps.len()).filter(inside).collect::<Vec<_>>(), &said, &targets);
    }
}

/// Prints what is said of some steps, and what they have led to.
fn line(name: &str, inside: &[usize], said: &[Outcome], targets: &[Outcome]) {
    let mean = |value: &dyn Fn(usize) -> f32| {
        inside.iter().map(|&at| f64::from(value(at))).sum::<f64>() / inside.len() as f64
    };
    println!(
        "{name} {:>7} {:>6.2} % {:>25.2} % {:>15.3} {:>15.3}",
        inside.len(),
        100.0 * mean(&|at| said[at].topout),
        100.0 * mean(&|at| targets[at].topout),
        mean(&|at| said[at].tetrises),
        mean(&|at| targets[at].tetrises),
    );
}

/// The steps of some files.
fn read(files: &[&str]) -> io::Result<Vec<Step>> {
    let mut steps = Vec::new();
    for file in files {
        let bytes = fs::read(file).map_err(|error| io::Error::other(format!("{file}: {error}")))?;
        let (all, rest) = bytes.as_chunks::<BYTES>();
        match all.iter().map(Step::read).collect::<Option<Vec<Step>>>() {
            Some(read) if rest.is_empty() => steps.extend(read),
            _ => {
                return Err(io::Error::other(format!(
                    "{file}: expected steps that `outcomes play` has written"
                )));
            }
        }
    }
    Ok(steps)
}

fn main() -> ExitCode {
    usage::run(|arguments| {
        let usage = || usage::expected("play FIRST_SEED SEEDS FILE, fit WEIGHTS FILE... or check FILE...");
        match *arguments {
            ["play", first, seeds, file] => {
                let (Ok(first), Ok(seeds)) = (first.parse::<u64>(), seeds.parse::<u64>()) else {
                    return Err(usage());
                };
                let played = games::in_order(seeds, Cast::new, |cast, at| episode(cast, first + at));
                let mut bytes = Vec::new();
                played.iter().flatten().for_each(|step| step.write(&mut bytes));
                fs::write(file, bytes)
            }
            ["fit", weights, ref files @ ..] if !files.is_empty() => fs::write(
                weights,
                fit(&read(files)?).into_iter().flat_map(f32::to_le_bytes).collect::<Vec<u8>>(),
            ),
            ["check", ref files @ ..] if !files.is_empty() => {
                check(&read(files)?, OutcomeNetwork::shipped());
                Ok(())
            }
            _ => Err(usage()),
        }
    })
}
