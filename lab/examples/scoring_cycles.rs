//! How many CPU cycles the frame that scores takes, and how far a formula predicts it: positions are put into RAM, half of
//! them fit a linear formula, and the others test it.
//!
//! `cargo run --release -p maxout-lab --example scoring_cycles -- 4000 10000 [ROM]`

use std::collections::BTreeMap;
use std::error::Error;
use std::ops::RangeInclusive;

use maxout_engine::search::Foresight;
use maxout_gallery::find;
use maxout_host::session;
use maxout_host::{Console, ConsoleError, Host, HostError, SavedState, TEST_CARTRIDGE, menus};
use maxout_rules::input::Buttons;
use maxout_rules::ram::{self, Snapshot};
use maxout_rules::{Piece, PieceId, Seed, Stop};

/// Draws for the positions.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(1);
        maxout_rules::random::splitmix64(self.0) % n
    }

    fn chance(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    fn bcd(&mut self) -> u8 {
        (self.below(10) << 4 | self.below(10)) as u8
    }
}

/// What decides the cost of a scoring frame.
#[derive(Clone, Copy, Debug)]
struct Position {
    rows: u8,
    level: u8,
    lines: [u8; 2],
    score: [u8; 3],
    soft: u8,
    hidden: bool,
    select: bool,
    next: Piece,
    /// Orientation, column and row of the piece; hidden after a clear.
    piece: (u8, u8, u8),
    counts: [u8; 4],
    frame: u8,
    /// The first occupied column of row 5, and whether the music already has the tempo of a high stack.
    row_5: Option<u16>,
    allegro: bool,
}

impl Position {
    /// A position at the cap, in which nothing else happens.
    fn quiet(rows: u8, level: u8) -> Self {
        Self {
            rows,
            level,
            lines: [0x11, 0],
            score: [0x99; 3],
            soft: 0,
            hidden: false,
            select: false,
            next: Piece::T,
            piece: if rows > 0 { (0x13, 5, 10) } else { (2, 5, 10) },
            counts: [0; 4],
            frame: 4,
            row_5: None,
            allegro: false,
        }
    }

    /// Any position, or one whose frame is long: at a high level, with a clear.
    fn draw(dice: &mut Dice, long: bool) -> Self {
        let (rows, level) =
            if long { (1 + dice.below(4), 200 + dice.below(56)) } else { (dice.below(5), dice.below(256)) };
        let (rows, level) = (rows as u8, level as u8);
        // From a start at level 19 on a level begins at these lines.
        let tens = if level > 235 { u64::from(level) + 74 } else { u64::from(level.max(20)) - 6 };
        // Other lines test the level without a level-up.
        let tens = if dice.chance(25) { dice.below(330) } else { tens + u64::from(dice.chance(10)) };
        let ones = dice.below(10);
        let lines = [((tens % 10) << 4 | ones) as u8, (tens / 10) as u8];
        let score = if long || dice.chance(50) { [0x99; 3] } else { [dice.bcd(), dice.bcd(), dice.bcd()] };
        let id = dice.below(19) as u8;
        Self {
            rows,
            level,
            lines,
            score,
            soft: if dice.chance(40) { 0 } else { dice.below(21) as u8 },
            hidden: dice.chance(50),
            select: dice.chance(20),
            next: Piece::ALL[dice.below(7) as usize],
            piece: if rows > 0 { (0x13, 5, 10) } else { (id, 2 + dice.below(6) as u8, dice.below(18) as u8) },
            counts: [0; 4].map(|_| dice.bcd()),
            frame: if rows > 0 { dice.below(64) as u8 * 4 } else { dice.below(256) as u8 },
            row_5: dice.chance(50).then(|| dice.below(10) as u16),
            allegro: dice.chance(30),
        }
    }

    /// The position that the next frame with these buttons scores, or `None` if it scores none.
    fn read(ram: &[u8; ram::SIZE], buttons: Buttons) -> Option<Self> {
        let at = |address: u16| ram[usize::from(address)];
        let ends = at(ram::PLAY_STATE) == 4 && at(ram::CLEAR_STEP) == 4 && at(ram::FRAME_COUNTER) & 3 == 0;
        (ends || at(ram::PLAY_STATE) == 5).then(|| Self {
            rows: at(ram::COMPLETED_LINES),
            level: at(ram::LEVEL),
            lines: [at(ram::LINES), at(ram::LINES + 1)],
            score: [0, 1, 2].map(|i| at(ram::SCORE + i)),
            soft: at(ram::HOLD_DOWN_POINTS),
            hidden: at(ram::NEXT_HIDDEN) != 0,
            select: buttons.contains(Buttons::SELECT) && !Buttons(at(ram::HELD)).contains(Buttons::SELECT),
            next: PieceId(at(ram::NEXT_PIECE)).piece().unwrap_or(Piece::T),
            piece: (at(ram::CURRENT_PIECE), at(ram::X), at(ram::Y)),
            counts: [0, 1, 2, 3].map(|i| at(ram::CLEAR_COUNTS + i)),
            frame: at(ram::FRAME_COUNTER),
            row_5: (0..10).find(|column| at(ram::FIELD + 50 + column) != 0xEF),
            allegro: at(0xBA) != 0,
        })
    }
}

/// Numbers with names.
#[derive(Default)]
struct Features {
    names: Vec<String>,
    values: Vec<f64>,
}

impl Features {
    fn add(&mut self, name: impl Into<String>, value: impl Into<f64>) {
        self.names.push(name.into());
        self.values.push(value.into());
    }

    fn add_if(&mut self, name: impl Into<String>, is: bool) {
        self.add(name, u8::from(is));
    }

    /// How often the branches of the-game.md 5.1 are taken. Returns the level afterwards.
    fn add_lines(&mut self, p: &Position) -> u8 {
        let (mut tens, mut hundreds, mut tests, mut level) = (0, 0, 0, p.level);
        let mut lines = p.lines;
        for _ in 0..p.rows {
            lines[0] += 1;
            if lines[0] & 15 == 10 {
                tens += 1;
                lines[0] += 6;
                if lines[0] >= 0xA0 {
                    hundreds += 1;
                    lines = [0, lines[1].wrapping_add(1)];
                }
            }
            if lines[0] & 15 == 0 {
                tests += 1;
                let tens = ((u16::from(lines[1]) << 8 | u16::from(lines[0])) >> 4) as u8;
                if level.wrapping_sub(tens) & 0x80 != 0 {
                    level = level.wrapping_add(1);
                }
            }
        }
        let level_up = level != p.level;
        for rows in 1..5 {
            self.add_if(format!("rows {rows}"), p.rows == rows);
        }
        self.add("tens of lines", tens);
        self.add("hundreds of lines", hundreds);
        self.add("tests of the level", tests);
        self.add_if("level-up", level_up);
        self.add("tens of the new level", if level_up { level / 10 } else { 0 });
        let counted = usize::from(p.rows).checked_sub(1).map_or(0, |kind| p.counts[kind]);
        self.add_if("tens of the clears", counted & 15 == 9);
        level
    }

    /// How often the branches of the-game.md 5.2 and 5.3 are taken.
    fn add_points(&mut self, p: &Position, level: u8) {
        let [mut low, mut middle, mut high] = p.score;
        let (mut ones, mut carry) = (false, false);
        if p.soft >= 2 {
            low = low.wrapping_sub(1).wrapping_add(p.soft);
            ones = low & 15 >= 10;
            low = if ones { low.wrapping_add(6) } else { low };
            carry = low & 0xF0 >= 0xA0;
            if carry {
                low = (low & 0xF0).wrapping_add(0x60);
                middle = middle.wrapping_add(1);
            }
        }
        self.add_if("soft drop", p.soft >= 2);
        self.add_if("soft drop: ones", ones);
        self.add_if("soft drop: tens", carry);

        let (low_points, middle_points) = [(0, 0), (0x40, 0), (0, 1), (0, 3), (0, 0x12)][usize::from(p.rows)];
        let turns = u32::from(level) + 1;
        let mut carries = [0_u32; 5];
        for _ in 0..turns {
            low = low.wrapping_add(low_points);
            if low >= 0xA0 {
                carries[0] += 1;
                low = low.wrapping_add(0x60);
                middle = middle.wrapping_add(1);
            }
            middle = middle.wrapping_add(middle_points);
            if middle & 15 >= 10 {
                carries[1] += 1;
                middle = middle.wrapping_add(6);
            }
            if middle & 0xF0 >= 0xA0 {
                carries[2] += 1;
                middle = middle.wrapping_add(0x60);
                high = high.wrapping_add(1);
            }
            if high & 15 >= 10 {
                carries[3] += 1;
                high = high.wrapping_add(6);
            }
            if high & 0xF0 >= 0xA0 {
                carries[4] += 1;
                [low, middle, high] = [0x99; 3];
            }
        }
        self.add("turns of the addition", turns);
        let digits = ["hundreds", "thousands", "ten thousands", "hundred thousands", "cap"];
        digits.into_iter().zip(carries).for_each(|(name, count)| self.add(name, count));
    }

    /// Everything that a position says.
    fn of(p: &Position) -> Self {
        let mut all = Self::default();
        let level = all.add_lines(p);
        all.add_points(p, level);
        all.add_if("Select", p.select);
        for piece in Piece::ALL {
            all.add_if(format!("box with {piece}"), p.hidden == p.select && p.next == piece);
        }
        for phase in 0..8 {
            all.add_if(format!("frame counter & 7 = {phase}"), p.frame & 7 == phase);
        }
        all.add_if("frame counter = 255", p.frame == 255);
        for above in 0..5 {
            all.add_if(
                format!("piece with {above} cells above the field"),
                p.rows == 0 && above == above_field(p),
            );
        }
        for column in 0..10 {
            let is = !p.allegro && p.row_5 == Some(column);
            all.add_if(format!("row 5 newly occupied from column {column} on"), is);
        }
        all.add_if("row 5 newly free", p.allegro && p.row_5.is_none());
        all.add("constant", 1);
        all
    }
}

fn above_field(p: &Position) -> usize {
    PieceId(p.piece.0).cells().iter().filter(|cell| i16::from(p.piece.2) + i16::from(cell.1) < 0).count()
}

/// CPU cycles from the interrupt before the logic of the scoring frame.
#[derive(Clone, Copy, Debug, Default)]
struct Cycles {
    /// To the end of the scoring step.
    scored: Option<u32>,
    /// To the end of the logic, where the program waits for the next interrupt.
    done: Option<u32>,
    /// To the next interrupt.
    next: Option<u32>,
    /// Whether the interrupt came between the two instructions of the loop that waits for it.
    split: bool,
    /// Whether the transfer of the sprites began at an odd cycle, which decides how long it takes.
    odd: bool,
}

/// The first instruction of the loop that waits for the interrupt: it reads the interrupt's flag.
const WAIT: [u8; 2] = [0xA5, 0x33];
/// The instruction that begins the transfer of the sprites.
const SPRITES: [u8; 3] = [0x8D, 0x14, 0x40];

/// Puts a position into RAM and measures the frame that scores it.
fn measure(console: &mut Console, base: &SavedState, p: &Position) -> Result<Cycles, Box<dyn Error>> {
    console.restore(base)?;
    let block = |console: &mut Console, address: u16, bytes: &[u8]| {
        for (address, &byte) in (address..).zip(bytes) {
            console.poke(address, byte);
            console.poke(ram::working_copy(address), byte);
        }
    };
    block(console, ram::LEVEL, &[p.level]);
    block(console, ram::LINES, &p.lines);
    block(console, ram::SCORE, &p.score);
    for (address, byte) in (ram::CLEAR_COUNTS..).zip(p.counts) {
        console.poke(address, byte);
    }
    console.poke(ram::NEXT_PIECE, p.next.spawn().id());
    console.poke(ram::NEXT_HIDDEN, u8::from(p.hidden));
    console.poke(0xBA, if p.allegro { 0xFF } else { 0 });
    // Two frames, so that the program has seen the level.
    console.step(Buttons::NONE)?;
    console.step(Buttons::NONE)?;
    for column in 0..10 {
        let tile = if p.row_5 == Some(column) { 0x7B } else { 0xEF };
        console.poke(ram::FIELD + 50 + column, tile);
    }
    block(console, ram::X, &[p.piece.1, p.piece.2, p.piece.0]);
    block(console, ram::HOLD_DOWN_POINTS, &[p.soft]);
    block(console, ram::COMPLETED_LINES, &[p.rows]);
    console.poke(ram::FRAME_COUNTER, p.frame);
    block(console, ram::VRAM_ROW, &[0]);
    if p.rows > 0 {
        let completed: Vec<u8> = (0..4).map(|row| if row < p.rows { 16 + row } else { 0 }).collect();
        block(console, ram::COMPLETED_ROWS, &completed);
        block(console, ram::CLEAR_STEP, &[4]);
    }
    block(console, ram::PLAY_STATE, &[if p.rows > 0 { 4 } else { 5 }]);
    Ok(watch(console, if p.select { Buttons::SELECT } else { Buttons::NONE }, 3)?)
}

/// Measures the frame that scores; its logic ends in one of this many frames.
fn watch(console: &mut Console, buttons: Buttons, frames: usize) -> Result<Cycles, ConsoleError> {
    let (mut begun, mut waits) = (None, false);
    let mut cycles = Cycles::default();
    for _ in 0..frames {
        console.step_watched(buttons, &mut |at| {
            let Some(begun) = begun else {
                if at.interrupt {
                    begun = Some(at.cycle);
                    cycles.split = waits;
                }
                waits = at.bytes[..2] == WAIT;
                return;
            };
            let passed = at.cycle.wrapping_sub(begun);
            if passed > 0 && at.interrupt {
                cycles.next.get_or_insert(passed);
            }
            if at.ram[usize::from(ram::working_copy(ram::PLAY_STATE))] == 6 {
                cycles.scored.get_or_insert(passed);
            }
            if at.bytes == SPRITES && cycles.scored.is_none() {
                cycles.odd = at.cycle & 1 == 1;
            }
            if cycles.scored.is_some() && at.bytes[..2] == WAIT {
                cycles.done.get_or_insert(passed);
            }
        })?;
        if cycles.done.is_some() && cycles.next.is_some() {
            break;
        }
    }
    Ok(cycles)
}

/// Solves `m x = y` for a symmetric matrix.
fn solve(mut m: Vec<Vec<f64>>, mut y: Vec<f64>) -> Vec<f64> {
    let n = y.len();
    for i in 0..n {
        let best = (i..n).max_by(|&a, &b| m[a][i].abs().total_cmp(&m[b][i].abs())).unwrap_or(i);
        m.swap(i, best);
        y.swap(i, best);
        let (above, below) = m.split_at_mut(i + 1);
        for (row, value) in below.iter_mut().zip(i + 1..) {
            let factor = row[i] / above[i][i];
            row.iter_mut().zip(&above[i]).skip(i).for_each(|(cell, other)| *cell -= factor * other);
            y[value] -= factor * y[i];
        }
    }
    for i in (0..n).rev() {
        let sum: f64 = (i + 1..n).map(|j| m[i][j] * y[j]).sum();
        y[i] = (y[i] - sum) / m[i][i];
    }
    y
}

/// What is known of a measured position.
struct Sample {
    /// The last ones are the phase of the machine, which no position tells.
    features: Features,
    cycles: Cycles,
}

/// The number of the last features, which are not seen on the screen.
const PHASE: usize = 2;

impl Sample {
    fn of(position: Position, cycles: Cycles) -> Self {
        let mut features = Features::of(&position);
        features.add_if("interrupt between test and jump of the wait", cycles.split);
        features.add_if("transfer of the sprites from an odd cycle on", cycles.odd);
        Self { features, cycles }
    }

    /// Whether the interrupt came before the end. Until its first instruction it takes seven cycles.
    fn is_late(&self) -> bool {
        self.cycles.next.is_some_and(|next| self.cycles.done > Some(next - 7))
    }
}

/// A formula with fewer weights leaves out the last features.
fn predicted(features: &[f64], weights: &[f64]) -> f64 {
    features.iter().zip(weights).map(|(feature, weight)| feature * weight).sum()
}

/// Fits the end that `of` gives on the samples that are not late, without the last features.
fn fit(samples: &[Sample], left_out: usize, of: fn(&Cycles) -> Option<u32>) -> Vec<f64> {
    let n = samples[0].features.values.len() - left_out;
    let (mut m, mut y) = (vec![vec![0.0; n]; n], vec![0.0; n]);
    for sample in samples.iter().filter(|sample| !sample.is_late()) {
        let value = of(&sample.cycles).map_or(0.0, f64::from);
        let features = &sample.features.values[..n];
        for (i, &feature) in features.iter().enumerate().filter(|feature| *feature.1 != 0.0) {
            for (cell, other) in m[i].iter_mut().zip(features) {
                *cell += feature * other;
            }
            y[i] += feature * value;
        }
    }
    // Some features sum to others; this picks one of the solutions.
    for (i, row) in m.iter_mut().enumerate() {
        row[i] += 1e-6;
    }
    solve(m, y)
}

/// Prints the formula for the end that `of` gives, fitted on the first samples, and how far it errs on each list of samples.
fn report(name: &str, tests: &[(&str, &[Sample])], of: fn(&Cycles) -> Option<u32>) {
    let fitted = tests[0].1;
    for (what, left_out) in [("with the phase", 0), ("without the phase", PHASE)] {
        let weights = fit(fitted, left_out, of);
        println!("{name}, {what}");
        if left_out == 0 {
            for (feature, weight) in fitted[0].features.names.iter().zip(&weights) {
                if weight.abs() > 0.5 {
                    println!("  {feature:46}{weight:9.2}");
                }
            }
        }
        for (what, samples) in tests {
            let mut errors = BTreeMap::new();
            for sample in samples.iter().filter(|sample| !sample.is_late()) {
                let Some(value) = of(&sample.cycles) else { continue };
                let guess = predicted(&sample.features.values, &weights);
                *errors.entry((f64::from(value) - guess).round() as i64).or_insert(0) += 1;
            }
            println!("  {what}: cycles measured minus predicted, and how often: {errors:?}");
        }
    }
}

/// Where an interrupt crashes the real cartridge, in cycles from the one before to a dispatch, and the dispatches after the
/// first (the-game.md 8.2).
const WINDOWS: [RangeInclusive<i64>; 2] = [29_739..=29_744, 29_750..=29_768];
const DISPATCHES: [i64; 8] = [0, 60, 162, 222, 323, 383, 502, 562];

fn crashes(first: i64) -> bool {
    DISPATCHES.iter().any(|after| WINDOWS.iter().any(|window| window.contains(&(first + after))))
}

/// Prints how often the formula decides rightly whether a frame takes too long, and whether it would crash if the end of the
/// scoring step were the first of the dispatches of the real cartridge.
fn decide(fitted: &[Sample], tests: &[(&str, &[Sample])]) {
    for (what, left_out) in [("with the phase", 0), ("without the phase", PHASE)] {
        let scored = fit(fitted, left_out, |cycles| cycles.scored);
        let done = fit(fitted, left_out, |cycles| cycles.done);
        for (name, samples) in tests {
            let [mut right, mut late, mut all, mut decided, mut crashed, mut called_safe] = [0; 6];
            for sample in *samples {
                let (Some(end), Some(next)) = (sample.cycles.scored, sample.cycles.next) else { continue };
                late += u32::from(sample.is_late());
                right += u32::from(
                    (predicted(&sample.features.values, &done) > f64::from(next - 7)) == sample.is_late(),
                );
                if end >= next {
                    continue;
                }
                let guess = predicted(&sample.features.values, &scored).round() as i64;
                let crash = crashes(end.into());
                all += 1;
                crashed += u32::from(crash);
                decided += u32::from(crash == crashes(guess));
                called_safe +=
                    u32::from(crash && (guess - MARGIN..=guess + MARGIN).all(|guess| !crashes(guess)));
            }
            println!("{name}, {what}: late or not {right} of {} right, {late} late;", samples.len());
            println!(
                "  crash or not {decided} of {all} right, {crashed} crash, {called_safe} of them {MARGIN} cycles from where it says so"
            );
        }
    }
}

/// The cycles that a player without the phase keeps away from every window.
const MARGIN: i64 = 3;

/// The console as a host that measures every frame that scores.
struct Watched {
    console: Console,
    samples: Vec<Sample>,
}

impl Host for Watched {
    fn step(&mut self, buttons: Buttons) -> Result<(), HostError> {
        let Some(position) = Position::read(self.console.ram(), buttons) else {
            return Ok(self.console.step(buttons)?);
        };
        let cycles = watch(&mut self.console, buttons, 1)?;
        self.samples.push(Sample::of(position, cycles));
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        self.console.snapshot()
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut count = || arguments.next().map_or(Ok(2_000), |n| n.parse::<usize>());
    let (fitted, tested) = (count()?.max(1), count()?);
    let image = arguments.next().map(std::fs::read).transpose()?;
    let mut console = Console::power_on(image.as_deref().unwrap_or(TEST_CARTRIDGE))?;
    menus::reach_play(&mut console, 19, 0)?;
    let mut played = Watched { console: console.clone(), samples: Vec::new() };
    let mut bases = Vec::new();
    for _ in 0..16 {
        bases.push(console.save());
        console.step(Buttons::NONE)?;
    }

    println!(
        "first level at which the logic takes more than a frame, by rows; score 999999, no soft drop, no level-up"
    );
    for hidden in [false, true] {
        let mut first = [None; 5];
        for (rows, first) in (0..).zip(&mut first) {
            for level in (100..=255).rev() {
                let quiet = Position { hidden, ..Position::quiet(rows, level) };
                let cycles = measure(&mut console, &bases[0], &quiet);
                if cycles.is_ok_and(|cycles| !Sample::of(quiet, cycles).is_late()) {
                    break;
                }
                *first = Some(level);
            }
        }
        println!("  next box {}: {first:?}", if hidden { "hidden" } else { "shown" });
    }

    let mut dice = Dice(58);
    let mut draw = |count: usize, long: bool| -> Result<Vec<Sample>, Box<dyn Error>> {
        let mut samples = Vec::new();
        let mut without_end = 0;
        while samples.len() < count {
            let position = Position::draw(&mut dice, long);
            // A machine that crashes may stop.
            let cycles =
                measure(&mut console, &bases[dice.below(16) as usize], &position).unwrap_or_default();
            if cycles.scored.is_some() && cycles.done.is_some() && cycles.next.is_some() {
                samples.push(Sample::of(position, cycles));
            } else {
                without_end += 1;
            }
        }
        println!(
            "{count} {} positions, {without_end} more did not end",
            if long { "long" } else { "random" }
        );
        Ok(samples)
    };
    let (for_fit, for_test, long) = (draw(fitted, false)?, draw(tested, false)?, draw(tested, true)?);

    for (address, byte) in [(ram::LEVEL, 200), (ram::LINES, 0x40), (ram::LINES + 1, 19)] {
        played.console.poke(address, byte);
    }
    let stop = Stop::Lines(2_040);
    let mut mind = find("maxout-fast")?.make(Foresight::DEFAULT, stop);
    session::play(&mut played, &mut mind, Seed::new(0).opening(), stop, &mut |_, _, _| true)?;
    played.samples.retain(|sample| sample.cycles.done.is_some());
    let natural = &played.samples[..];

    let tests =
        [("fitted", &for_fit[..]), ("tested", &for_test), ("long frames", &long), ("a game", natural)];
    report("scored", &tests, |cycles| cycles.scored);
    report("logic done", &tests, |cycles| cycles.done);
    decide(&for_fit, &tests[1..3]);
    Ok(())
}
