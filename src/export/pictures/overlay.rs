//! What follows from a run's log and is not on the screen: where the piece in the air will lock, which buttons are
//! held, and the statistics of the game so far. [`Overlay::draw`] adds it to a picture.

use super::canvas::{Canvas, Colour, Rect};
use super::font;
use crate::stats::{DROUGHT, Statistics};
use crate::words::number;
use maxout_host::screen::{CELL, FIELD, HEIGHT, PANEL, WIDTH};
use maxout_record::result::Lock;
use maxout_record::run::Record;
use maxout_record::timeline::{LockEvent, Timeline};
use maxout_rules::input::Buttons;

const BACKGROUND: Colour = [16, 18, 27];
const LINE: Colour = [52, 58, 82];
const LABEL: Colour = [140, 148, 176];
const VALUE: Colour = [240, 242, 250];
const TITLE: Colour = [255, 214, 92];
const ALARM: Colour = [255, 104, 84];
const GOAL: Colour = [255, 224, 64];
const BODY: Colour = [38, 42, 60];
const RELEASED: Colour = [78, 86, 116];
const HELD: Colour = [255, 214, 92];

/// Draws on the pictures of one run, in order of frames.
pub(super) struct Overlay {
    timeline: Timeline,
    locks: Vec<Lock>,
    title: String,
    seed: String,
    start_level: u8,
    /// Pieces scored up to the last picture, and what is said of them.
    scored: usize,
    statistics: Statistics,
}

impl Overlay {
    pub(super) fn new(timeline: Timeline, record: &Record) -> Self {
        let locks: Vec<Lock> = timeline.locks.iter().map(lock).collect();
        let statistics = Statistics::of(&[], record.start_level);
        Self {
            timeline,
            locks,
            title: record.player.chars().take(19).collect(),
            seed: record.seed.to_string(),
            start_level: record.start_level,
            scored: 0,
            statistics,
        }
    }

    /// The picture of frame `frame` of play with all that.
    pub(super) fn draw(&mut self, frame: u64, picture: &Canvas) -> Canvas {
        let scored = self.locks.partition_point(|lock| lock.frame <= frame);
        if scored != self.scored {
            self.scored = scored;
            self.statistics = Statistics::of(&self.locks[..scored], self.start_level);
        }
        let mut canvas = Canvas::new(WIDTH + PANEL, HEIGHT, BACKGROUND);
        canvas.put(0, 0, picture);
        let falling =
            self.timeline.locks.get(scored).filter(|lock| (lock.spawned..lock.locked).contains(&frame));
        if let Some(goal) = falling {
            outline(&mut canvas, goal);
        }
        canvas.fill(Rect { x: WIDTH, y: 0, width: 1, height: HEIGHT }, LINE);
        self.panel(&mut canvas, frame);
        let held =
            usize::try_from(frame).ok().and_then(|frame| self.timeline.buttons.get(frame.checked_sub(1)?));
        controller(&mut canvas, WIDTH + 10, 184, held.copied().unwrap_or(Buttons::NONE));
        canvas
    }

    fn panel(&self, canvas: &mut Canvas, frame: u64) {
        let (left, right) = (WIDTH + 10, WIDTH + PANEL - 8);
        let Statistics { burn, droughts, points, .. } = &self.statistics;
        let score = self.locks[..self.scored].last().map_or(0, |lock| lock.score);
        let level = self.locks[..self.scored].last().map_or(self.start_level, |lock| lock.level);
        let rate = if self.statistics.lines == 0 {
            "-".to_owned()
        } else {
            format!("{:.0}%", 100.0 * self.statistics.tetris_rate)
        };
        let count = |rows: u8| self.locks[..self.scored].iter().filter(|lock| lock.rows == rows).count();
        font::write(canvas, left, 10, &self.title, TITLE);
        let alarm = if droughts.current >= DROUGHT { ALARM } else { VALUE };
        let run = [("SEED", self.seed.clone(), VALUE), ("FRAME", frame.to_string(), VALUE)];
        let game = [
            ("SCORE", number(score), VALUE),
            ("SOFT DROP", number(points.soft_drop), VALUE),
            ("LINES", self.statistics.lines.to_string(), VALUE),
            ("LEVEL", level.to_string(), VALUE),
        ];
        let play = [
            ("TETRISES", count(4).to_string(), VALUE),
            ("TETRIS RATE", rate, VALUE),
            ("EFFICIENCY", format!("{:.0}", self.statistics.efficiency), VALUE),
            ("BURN", format!("{}/{}", burn.current, burn.total), VALUE),
            ("DROUGHT", droughts.current.to_string(), alarm),
        ];
        let mut y = 23;
        for group in [run.as_slice(), &game, &play] {
            for (label, value, colour) in group {
                font::write(canvas, left, y, label, LABEL);
                font::write_before(canvas, right, y, value, *colour);
                y += font::HEIGHT + 4;
            }
            canvas.fill(Rect { x: left, y: y + 2, width: right - left, height: 1 }, LINE);
            y += 9;
        }
    }
}

fn lock(event: &LockEvent) -> Lock {
    Lock {
        frame: event.frame,
        placement: event.placement,
        rows: event.rows_cleared,
        level: event.level,
        score: event.score,
    }
}

/// The edge of the cells in which the piece will lock.
fn outline(canvas: &mut Canvas, goal: &LockEvent) {
    let cells = goal.placement.orientation.cells();
    // Whether a pixel of the field, counted from its corner, belongs to the piece.
    let inside = |x: i32, y: i32| {
        let (column, row) = (x.div_euclid(CELL as i32), y.div_euclid(CELL as i32));
        cells.iter().any(|&(dx, dy)| {
            (column, row)
                == (i32::from(goal.placement.x) + i32::from(dx), i32::from(goal.placement.y) + i32::from(dy))
        })
    };
    for y in 0..20 * CELL {
        for x in 0..10 * CELL {
            let (px, py) = (x as i32, y as i32);
            let surrounded = (-1..=1).all(|dy| (-1..=1).all(|dx| inside(px + dx, py + dy)));
            if inside(px, py) && !surrounded {
                canvas.set(FIELD.0 + x, FIELD.1 + y, GOAL);
            }
        }
    }
}

/// A controller, 110 × 46, with the held buttons lit.
fn controller(canvas: &mut Canvas, x: usize, y: usize, held: Buttons) {
    let colour = |button: Buttons| if held.contains(button) { HELD } else { RELEASED };
    let mut area = |dx: usize, dy: usize, width: usize, height: usize, colour: Colour| {
        canvas.fill(Rect { x: x + dx, y: y + dy, width, height }, colour);
    };
    area(0, 0, 110, 46, LINE);
    area(1, 1, 108, 44, BODY);
    area(18, 8, 10, 10, colour(Buttons::UP));
    area(18, 28, 10, 10, colour(Buttons::DOWN));
    area(8, 18, 10, 10, colour(Buttons::LEFT));
    area(28, 18, 10, 10, colour(Buttons::RIGHT));
    area(18, 18, 10, 10, RELEASED);
    area(45, 25, 9, 4, colour(Buttons::SELECT));
    area(57, 25, 9, 4, colour(Buttons::START));
    for (dx, button) in [(72, Buttons::B), (90, Buttons::A)] {
        area(dx + 1, 18, 12, 14, colour(button));
        area(dx, 19, 14, 12, colour(button));
    }
    for (dx, letter) in [(72, "B"), (90, "A")] {
        font::write(canvas, x + dx + 5, y + 22, letter, BODY);
    }
}
