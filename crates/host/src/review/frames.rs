//! Placements in the frames of a score display, from the fields alone.
//!
//! Such a frame shows the locked cells and the piece in the air alike. What is more than the known board is the piece; its
//! last place before the next piece appears, or before full rows vanish, is where it locked. Frames that do not fit are
//! passed over; after too many of them the reader finds the board again when a piece appears at the top, and what
//! happened in between is listed as unread.

use super::{PlacedPiece, PlayedGame, Unread};
use crate::champs::ChampsFrame;
use maxout_engine::movegen::Placement;
use maxout_rules::{Board, Orientation, Piece, Progress};

/// Highest number of lines that is read; more are not shown by any display.
const MOST_LINES: u32 = 25_599;

/// The placements of each game in the frames, in order. A game ends where the frames name another one.
pub fn of_frames(frames: &[ChampsFrame]) -> Vec<PlayedGame> {
    let mut games: Vec<(u32, Reader)> = Vec::new();
    for (number, frame) in (0..).zip(frames) {
        if games.last().is_none_or(|(game, _)| *game != frame.game) {
            games.push((frame.game, Reader::default()));
        }
        if let Some((_, reader)) = games.last_mut() {
            reader.see(number, frame);
        }
    }
    let found = games.into_iter().map(|(_, reader)| reader.game);
    found.filter(|game| !game.pieces.is_empty() || !game.unread.is_empty()).collect()
}

/// What is known of the piece in the air.
#[derive(Clone, Copy)]
struct InAir {
    frame: u64,
    /// Where it was seen last.
    placement: Placement,
    next: Option<Piece>,
    progress: Option<Progress>,
}

#[derive(Default)]
struct Reader {
    game: PlayedGame,
    /// The locked cells, if they are known.
    board: Option<Board>,
    in_air: Option<InAir>,
    /// The first frame since which nothing fits.
    lost: Option<u64>,
}

impl Reader {
    fn see(&mut self, number: u64, frame: &ChampsFrame) {
        let field = field_of(frame);
        let board = match self.board {
            Some(board) => board,
            None => match self.find_again(number, frame, field) {
                Some(board) => board,
                None => return,
            },
        };
        if self.follow(number, frame, board, field) {
            self.lost = None;
        } else if number - *self.lost.get_or_insert(number) > LOST {
            self.board = None;
            self.in_air = None;
        }
    }

    /// Follows the piece in the air, and notes that it locked. Returns false if the field does not fit.
    fn follow(&mut self, number: u64, frame: &ChampsFrame, board: Board, field: Board) -> bool {
        if let Some(placement) = difference(field, board).and_then(place_of) {
            let same = self.in_air.is_some_and(|known| {
                known.placement.id.piece() == placement.id.piece() && known.placement.y <= placement.y
            });
            if same {
                if let Some(known) = &mut self.in_air {
                    known.placement = placement;
                    known.next = known.next.or_else(|| piece_of(frame.next));
                }
            } else {
                self.in_air = Some(in_air(number, frame, placement));
            }
            return true;
        }
        if field == board {
            return true;
        }
        let Some(known) = self.in_air else {
            // Part of a piece that sticks out at the top.
            return difference(field, board)
                .is_some_and(|more| more.cells() < 4 && more.tops().iter().all(|&top| top > 3 || top <= 1));
        };
        let Placement { y, id, x } = known.placement;
        let rests = board.is_valid(x, y, id) && !board.is_valid(x, y + 1, id);
        let mut after = board;
        let lines = after.lock(x, y, id);
        let next = difference(field, after).map(|more| (more.cells(), more));
        let appeared = next.is_some_and(|(cells, more)| {
            cells == 0 && lines > 0
                || (1..=4).contains(&cells) && more.visible()[4..].iter().all(|&row| row == 0)
        });
        if rests && appeared {
            self.note(known, board);
            self.board = Some(after);
            self.in_air = next.and_then(|(_, more)| place_of(more)).map(|at| in_air(number, frame, at));
            return true;
        }
        // The rows of a clear vanish cell by cell.
        rests && lines > 0
    }

    fn note(&mut self, known: InAir, board: Board) {
        let (Some(piece), Some(progress)) = (known.placement.id.piece(), known.progress) else {
            let reason = "lines or level are unknown there".to_owned();
            self.game.unread.push(Unread { frame: known.frame, reason });
            return;
        };
        self.game.add(PlacedPiece {
            frame: known.frame,
            board,
            piece,
            next: known.next,
            placement: known.placement,
            progress,
        });
    }

    /// Returns the locked cells when a piece has just appeared where pieces spawn.
    fn find_again(&mut self, number: u64, frame: &ChampsFrame, field: Board) -> Option<Board> {
        let board = Piece::ALL.into_iter().find_map(|piece| {
            if frame.current.is_some_and(|current| current != piece as u32) {
                return None;
            }
            let spawned = board_of(Placement { y: 0, id: piece.spawn(), x: 5 });
            let rest = difference(field, spawned)?;
            // Nothing else is up there, and nothing else of the piece.
            rest.visible()[..2].iter().all(|&row| row == 0).then_some(rest)
        })?;
        if let Some(lost) = self.lost.take() {
            let reason = "the fields from here on do not show one piece after the other".to_owned();
            self.game.unread.push(Unread { frame: lost, reason });
        } else if board != Board::EMPTY && self.game.pieces.is_empty() {
            let reason = "the recording begins in the middle of a game".to_owned();
            self.game.unread.push(Unread { frame: number, reason });
        }
        self.board = Some(board);
        Some(board)
    }
}

/// Frames that may not fit before the reader looks for the board anew: longer than the clear of a tetris.
const LOST: u64 = 60;

fn in_air(number: u64, frame: &ChampsFrame, placement: Placement) -> InAir {
    let progress = frame.lines.filter(|&lines| lines <= MOST_LINES).zip(frame.level);
    InAir {
        frame: number,
        placement,
        next: piece_of(frame.next),
        progress: progress.and_then(|(lines, level)| Some(Progress::at(lines, u8::try_from(level).ok()?))),
    }
}

fn piece_of(code: Option<u32>) -> Option<Piece> {
    Piece::ALL.get(usize::try_from(code?).ok()?).copied()
}

fn field_of(frame: &ChampsFrame) -> Board {
    let mut rows = [0; 22];
    for (row, cells) in rows[2..].iter_mut().zip(frame.field.chunks(10)) {
        *row = (0..).zip(cells).fold(0, |row, (column, &cell)| row | u16::from(cell != 0) << column);
    }
    Board::from_rows(rows)
}

/// The visible cells of a piece.
fn board_of(placement: Placement) -> Board {
    let mut rows = [0; 22];
    for &(dx, dy) in placement.id.cells() {
        let (row, column) = (placement.y as i8 + dy, placement.x as i8 + dx);
        if (0..20).contains(&row) && (0..10).contains(&column) {
            rows[(row + 2) as usize] |= 1 << column;
        }
    }
    Board::from_rows(rows)
}

/// The visible cells of `field` that are not in `board`, or `None` if `board` has cells that `field` lacks.
fn difference(field: Board, board: Board) -> Option<Board> {
    let mut rows = [0; 22];
    for (row, (&all, &known)) in rows[2..].iter_mut().zip(field.visible().iter().zip(board.visible())) {
        if known & !all != 0 {
            return None;
        }
        *row = all & !known;
    }
    Some(Board::from_rows(rows))
}

/// Which piece these cells are, and where.
fn place_of(cells: Board) -> Option<Placement> {
    if cells.cells() != 4 {
        return None;
    }
    let top = cells.visible().iter().position(|&row| row != 0)? as u8;
    (top..(top + 3).min(20)).find_map(|y| {
        (0..19).map(Orientation).find_map(|id| {
            let mut columns = (0..10).map(|x| Placement { y, id, x });
            columns.find(|&placement| id.piece().is_some() && board_of(placement) == cells)
        })
    })
}
