//! How a game looks in a terminal: [`draw`], a function of a [`Scene`] and the [`Controls`].

use std::sync::Arc;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph};

use super::colours;
use super::controls::Controls;
use crate::words::number;
use maxout_rules::input::Buttons;
use maxout_rules::ram::Snapshot;
use maxout_rules::{Board, Page, Piece, Placement};

/// What is shown.
#[derive(Clone, PartialEq, Debug)]
pub struct Scene {
    /// Who plays, or the name of the file.
    pub title: Arc<str>,
    /// Which game.
    pub game: Arc<str>,
    /// More about it, or how it ended.
    pub what: Arc<str>,
    /// The board: the locked cells.
    pub board: Board,
    /// The tiles that it is made of.
    pub page: Page,
    /// The piece in the air.
    pub piece: Option<Placement>,
    /// The piece in the next box.
    pub next: Option<Piece>,
    /// Points without the game's cap.
    pub score: u64,
    /// Lines.
    pub lines: u32,
    /// Level.
    pub level: u8,
    /// Pieces locked.
    pub pieces: u32,
    /// Clears of four lines.
    pub tetrises: u32,
    /// Lines cleared otherwise since the last of those.
    pub burn: u32,
    /// Pieces since the last I.
    pub drought: u32,
    /// What is pressed.
    pub buttons: Buttons,
}

impl Scene {
    /// Nothing yet.
    pub fn new(title: &str, game: &str, what: &str) -> Self {
        Self {
            title: title.into(),
            game: game.into(),
            what: what.into(),
            board: Board::EMPTY,
            page: Page::empty(),
            piece: None,
            next: None,
            score: 0,
            lines: 0,
            level: 0,
            pieces: 0,
            tetrises: 0,
            burn: 0,
            drought: 0,
            buttons: Buttons::NONE,
        }
    }

    /// Takes over what a snapshot shows.
    pub fn show(&mut self, now: &Snapshot) {
        self.board = now.board;
        self.piece = now.placement().filter(|_| now.in_control());
        self.next = now.next.piece();
        (self.lines, self.level, self.buttons) = (now.progress.lines(), now.progress.level, now.held);
    }

    fn cell(&self, row: i8, column: i8) -> Cell {
        let in_air = self.piece.filter(|at| {
            at.orientation.cells().iter().any(|&(dx, dy)| at.x as i8 + dx == column && at.y as i8 + dy == row)
        });
        if let Some(at) = in_air {
            Cell::Piece(colours::of(at.orientation.piece().tile(), self.level))
        } else if self.board.is_solid(row, column) {
            Cell::Board(colours::of(self.page.byte(Page::index(row, column)), self.level))
        } else {
            Cell::Empty
        }
    }

    fn tetris_rate(&self) -> f64 {
        if self.lines == 0 { 0.0 } else { f64::from(4 * self.tetrises) / f64::from(self.lines) * 100.0 }
    }
}

/// What a cell of the field holds, and its colour.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Cell {
    Empty,
    Board(Color),
    Piece(Color),
}

impl Cell {
    const fn colour(self) -> Color {
        match self {
            Self::Empty => Color::Reset,
            Self::Board(colour) | Self::Piece(colour) => colour,
        }
    }

    /// Two columns of a row.
    const fn wide(self) -> &'static str {
        match self {
            Self::Empty => " .",
            Self::Board(_) => "▒▒",
            Self::Piece(_) => "██",
        }
    }
}

/// Rows and columns of the smallest terminal that is drawn on.
const SMALLEST: (u16, u16) = (12, 32);
/// Rows that the large field takes, with its frame.
const LARGE: u16 = 22;

/// Draws the scene, as large as the terminal allows.
pub fn draw(frame: &mut Frame<'_>, scene: &Scene, controls: &Controls) {
    let area = frame.area();
    if area.height < SMALLEST.0 || area.width < SMALLEST.1 {
        let (rows, columns) = SMALLEST;
        frame.render_widget(Paragraph::new(format!("needs {columns} x {rows} characters")), area);
        return;
    }
    let large = area.height >= LARGE && area.width >= 22 + 22;
    let (rows, columns) = if large { (LARGE, 22) } else { (SMALLEST.0, 12) };
    let [field, side] =
        Layout::horizontal([Constraint::Length(columns), Constraint::Fill(1)]).spacing(1).areas(area);
    let field = Rect { height: rows, ..field };
    let lines = if large { large_field(scene) } else { small_field(scene) };
    frame.render_widget(Paragraph::new(lines).block(Block::bordered()), field);
    frame.render_widget(Paragraph::new(numbers(scene, controls, large)), side);
    if controls.help {
        help(frame, area);
    }
}

/// A character pair for each cell.
fn large_field(scene: &Scene) -> Vec<Line<'static>> {
    let row = |row: i8| {
        let cells = (0..10).map(|column| {
            let cell = scene.cell(row, column);
            let style = Style::new().fg(cell.colour());
            Span::styled(
                cell.wide(),
                if cell == Cell::Empty { style.add_modifier(Modifier::DIM) } else { style },
            )
        });
        cells.collect::<Line<'_>>()
    };
    (0..20).map(row).collect()
}

/// Two rows in each row of characters.
fn small_field(scene: &Scene) -> Vec<Line<'static>> {
    let row = |row: i8| {
        let cells = (0..10).map(|column| {
            let (upper, lower) = (scene.cell(2 * row, column), scene.cell(2 * row + 1, column));
            let (text, style) = match (upper, lower) {
                (Cell::Empty, Cell::Empty) => (" ", Style::new()),
                (Cell::Empty, below) => ("▄", Style::new().fg(below.colour())),
                (above, Cell::Empty) => ("▀", Style::new().fg(above.colour())),
                (above, below) if above == below => ("█", Style::new().fg(above.colour())),
                (above, below) => ("▀", Style::new().fg(above.colour()).bg(below.colour())),
            };
            Span::styled(text, style)
        });
        cells.collect::<Line<'_>>()
    };
    (0..10).map(row).collect()
}

fn numbers(scene: &Scene, controls: &Controls, large: bool) -> Vec<Line<'static>> {
    let bold = |text: String| Line::styled(text, Style::new().add_modifier(Modifier::BOLD));
    let speed = match (controls.paused, controls.speed()) {
        (true, _) if controls.back > 0 => format!("paused, {} back", number(controls.back as u64)),
        (true, _) => "paused".to_owned(),
        (false, Some(speed)) => format!("{speed} x"),
        (false, None) => "as fast as it goes".to_owned(),
    };
    let mut lines = vec![
        bold(scene.title.to_string()),
        Line::from(format!("{}  {}", scene.game, scene.what)),
        bold(format!("score  {}", number(scene.score))),
        Line::from(format!("level {:>3}  lines {:>5}", scene.level, scene.lines)),
        Line::from(format!("pieces {:>5}", scene.pieces)),
        Line::from(format!("tetrises {:>3}  {:.1} %", scene.tetrises, scene.tetris_rate())),
        Line::from(format!("burn {:>2}  drought {:>2}", scene.burn, scene.drought)),
        Line::from(format!("pad  {}", controller(scene.buttons))),
        Line::from(format!("{speed}  (? keys)")),
    ];
    let next = scene.next.map_or_else(String::new, |piece| piece.letter().to_string());
    lines.push(Line::from(format!("next {next}")));
    if large {
        lines.extend(scene.next.map(|piece| next_box(piece, scene.level)).unwrap_or_default());
    }
    lines
}

/// The next piece, two rows.
fn next_box(piece: Piece, level: u8) -> Vec<Line<'static>> {
    let cells = piece.spawn().cells();
    let block = Cell::Piece(colours::of(piece.tile(), level));
    let row = |row: i8| {
        let text: String =
            (-2..2).map(|column| if cells.contains(&(column, row)) { block.wide() } else { "  " }).collect();
        Line::styled(text, Style::new().fg(block.colour()))
    };
    vec![row(0), row(1)]
}

/// The buttons, a dot for each that is up.
fn controller(buttons: Buttons) -> String {
    let shown = [
        (Buttons::LEFT, '<'),
        (Buttons::RIGHT, '>'),
        (Buttons::DOWN, 'v'),
        (Buttons::B, 'B'),
        (Buttons::A, 'A'),
    ];
    shown.map(|(button, name)| if buttons.contains(button) { name } else { '.' }).iter().collect()
}

fn help(frame: &mut Frame<'_>, area: Rect) {
    let text = "space  pause, go on\n. ,    one frame on, back\nn b    a piece on, back\n+ -    speed\n\
                1      real speed\n?      these keys\nq      quit";
    let place = Rect { width: 30.min(area.width), height: 9.min(area.height), ..area };
    frame.render_widget(Clear, place);
    frame.render_widget(Paragraph::new(text).block(Block::bordered().title("keys")), place);
}
