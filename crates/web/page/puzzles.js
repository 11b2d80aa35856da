// Positions to train: the built-in ones and the worst moments of kept games, in one form; and where a piece can go.

import { WORDS } from "./words.js";

/** Columns and rows of the four cells of each orientation, from the centre. */
const CELLS = [
  [[-1, 0], [0, 0], [1, 0], [0, -1]], [[0, -1], [0, 0], [1, 0], [0, 1]], [[-1, 0], [0, 0], [1, 0], [0, 1]], [[0, -1], [-1, 0], [0, 0], [0, 1]],
  [[0, -1], [0, 0], [-1, 1], [0, 1]], [[-1, -1], [-1, 0], [0, 0], [1, 0]], [[0, -1], [1, -1], [0, 0], [0, 1]], [[-1, 0], [0, 0], [1, 0], [1, 1]],
  [[-1, 0], [0, 0], [0, 1], [1, 1]], [[1, -1], [0, 0], [1, 0], [0, 1]], [[-1, 0], [0, 0], [-1, 1], [0, 1]], [[0, 0], [1, 0], [-1, 1], [0, 1]],
  [[0, -1], [0, 0], [1, 0], [1, 1]], [[0, -1], [0, 0], [0, 1], [1, 1]], [[-1, 0], [0, 0], [1, 0], [-1, 1]], [[-1, -1], [0, -1], [0, 0], [0, 1]],
  [[1, -1], [-1, 0], [0, 0], [1, 0]], [[0, -2], [0, -1], [0, 0], [0, 1]], [[-2, 0], [-1, 0], [0, 0], [1, 0]],
];
/** The orientations of each piece as it turns to the right, the one that it spawns in first. @type {Record<string, number[]>} */
const TURNS = { T: [2, 3, 0, 1], J: [7, 4, 5, 6], Z: [8, 9], O: [10], S: [11, 12], L: [14, 15, 16, 13], I: [18, 17] };

/** @typedef {{x: number, y: number, orientation: number}} Place The centre of a piece and its orientation. */
/** @typedef {Place & {loss: number, why?: string[], reply?: Place | null}} Choice A placement that was judged; `reply` is where the next piece then goes. */
/**
 * @typedef {object} Puzzle
 * @property {string} id
 * @property {string} board 200 letters, `.` for an empty cell.
 * @property {string} piece
 * @property {string} next Empty if it is not known.
 * @property {number} level
 * @property {number} lines
 * @property {string} taps By which it was judged; empty for 30 Hz.
 * @property {Choice[]} choices Best first.
 * @property {boolean} complete Whether all placements are among the choices.
 * @property {string[]} themes
 * @property {number} rating
 * @property {{games: number, ahead: number, error: number} | null} played Games played on.
 * @property {{name: string, number: number, played: Choice} | null} from The own game that it is from.
 */

const solid = (/** @type {string} */ board, /** @type {number} */ x, /** @type {number} */ y) =>
  x < 0 || x > 9 || y > 19 || (y >= 0 && board[10 * y + x] !== ".");

/** @param {Place} place @returns {[number, number][]} Column and row of each cell. */
export const cellsOf = ({ x, y, orientation }) => CELLS[orientation].map(([dx, dy]) => [x + dx, y + dy]);
/** @param {Place} a @param {Place} b */
export const same = (a, b) => a.x === b.x && a.y === b.y && a.orientation === b.orientation;
/** The cells of a place, in order, as text. @param {Place} place */
const filled = (place) => cellsOf(place).map(([x, y]) => 10 * y + x).sort((a, b) => a - b).join();
/** Whether two places are the same cells. @param {Place} a @param {Place} b */
export const covers = (a, b) => filled(a) === filled(b);
/** The letter of the piece of an orientation. @param {number} orientation */
export const pieceOf = (orientation) => Object.keys(TURNS).find((letter) => TURNS[letter].includes(orientation)) ?? "";

/** Column and row of the cells of a piece as it comes into play, from its leftmost and highest ones. @param {string} letter @returns {[number, number][]} */
export function spawned(letter) {
  const cells = cellsOf({ x: 0, y: 0, orientation: TURNS[letter][0] });
  const [left, top] = [0, 1].map((axis) => Math.min(...cells.map((cell) => cell[axis])));
  return cells.map(([x, y]) => [x - left, y - top]);
}

/** Columns, counted from 1, and the lowest row of some cells, counted from 1 at the bottom. @param {[number, number][]} cells Column and row of each. */
const span = (cells) => {
  const columns = cells.map(([x]) => x);
  return WORDS.lies(Math.min(...columns) + 1, Math.max(...columns) + 1, 20 - Math.max(...cells.map(([, y]) => y)));
};
/** Where a place is, without its piece. @param {Place} place */
export const spanText = (place) => span(cellsOf(place));
/** A placement in words: where the single cell of a T or the short arm of a J or an L points, and where it lies. @param {string} piece @param {[number, number][]} cells */
export function cellsText(piece, cells) {
  const [columns, rows] = [0, 1].map((axis) => cells.map((cell) => cell[axis]));
  const first = (/** @type {number[]} */ numbers) => numbers.filter((number) => number === Math.min(...numbers)).length === 1;
  const flat = Math.max(...columns) - Math.min(...columns) === 2;
  const turn = flat ? (first(rows) ? "up" : "down") : first(columns) ? "left" : "right";
  return WORDS.at("TJL".includes(piece) ? WORDS.turns[turn](piece) : piece, span(cells));
}
/** A placement in words. @param {Place} place */
export const placeText = (place) => cellsText(pieceOf(place.orientation), cellsOf(place));

/**
 * All places in which the piece can come to rest, by moves one cell or turn at a time, whatever the speed.
 * @param {string} board @param {string} piece @returns {Place[]}
 */
export function places(board, piece) {
  const turns = TURNS[piece];
  const fits = (/** @type {Place} */ place) => cellsOf(place).every(([x, y]) => !solid(board, x, y));
  const key = (/** @type {Place} */ { x, y, orientation }) => (orientation * 32 + y + 4) * 16 + x + 2;
  const start = { x: 5, y: 0, orientation: turns[0] };
  const seen = new Set([key(start)]), open = fits(start) ? [start] : [];
  /** @type {Place[]} */
  const found = [];
  for (let place = open.pop(); place; place = open.pop()) {
    const { x, y, orientation } = place;
    const below = { x, y: y + 1, orientation };
    if (!fits(below)) found.push(place);
    const turned = turns.length > 1 ? [1, turns.length - 1].map((by) => ({ x, y, orientation: turns[(turns.indexOf(orientation) + by) % turns.length] })) : [];
    for (const next of [below, { x: x - 1, y, orientation }, { x: x + 1, y, orientation }, ...turned]) {
      if (seen.has(key(next)) || !fits(next)) continue;
      seen.add(key(next));
      open.push(next);
    }
  }
  // Orientations that fill the same cells are one place.
  return found.filter((place, at) => found.findIndex((other) => covers(other, place)) === at);
}

/** The board after a placement, with full rows cleared. @param {string} board @param {Place} place */
export function after(board, place) {
  const cells = [...board];
  for (const [x, y] of cellsOf(place)) if (y >= 0) cells[10 * y + x] = pieceOf(place.orientation);
  const rows = Array.from({ length: 20 }, (_, row) => cells.slice(10 * row, 10 * row + 10).join("")).filter((row) => row.includes("."));
  return rows.join("").padStart(200, ".");
}

/** @param {string} packed Two digits of base 32 a row. */
const unpacked = (packed) => (packed.match(/../g) ?? [])
  .map((row) => parseInt(row, 32).toString(2).padStart(10, "0").replaceAll("1", "#").replaceAll("0", ".")).join("").padStart(200, ".");

const PIECES = "TJZOSLI";
/** What a placement does that the best does not, in words. @param {string} code A letter and a number of base 36. */
function reason(code) {
  const letter = code[0], number = parseInt(code.slice(1), 36);
  return WORDS.reasons[/** @type {keyof typeof WORDS.reasons} */ (letter)](letter === "N" ? PIECES[number] : String(number));
}

/** A placement of the set. @param {string} text @returns {Choice} */
function choice(text) {
  const [, here, then, loss, why] = /^(...)(-|...)([\da-z]+)(.*)$/.exec(text) ?? [];
  const place = (/** @type {string} */ digits) => {
    const [x, y, orientation] = [...digits].map((digit) => parseInt(digit, 36));
    return { x, y, orientation };
  };
  return { ...place(here), loss: parseInt(loss, 36), reply: then === "-" ? null : place(then), why: (why.match(/[A-Z][\da-z]+/g) ?? []).map(reason) };
}

/** A line of the set; its placements are read when they are asked for. @param {string} line @returns {Puzzle} */
function builtIn(line) {
  const [number, level, lines, piece, next, board, , games, ahead, error, rating, themes, choices] = line.split(",");
  /** @type {Choice[] | undefined} */
  let read;
  return {
    id: `set-${number}`, board: unpacked(board), piece, next, level: Number(level), lines: Number(lines), taps: "", complete: true,
    get choices() {
      return (read ??= choices.split(" ").map(choice));
    },
    themes: themes.split(" ").filter(Boolean), rating: Number(rating), from: null,
    played: { games: Number(games), ahead: Number(ahead), error: Number(error) },
  };
}

/** @type {Promise<Puzzle[]> | null} */
let loading = null;
/** The built-in positions, which the page loads when it needs them first. A load that fails is tried again. */
export const set = () => (loading ??= import("./puzzles-set.js").then(({ SET }) => SET.trim().split("\n").filter(Boolean).map(builtIn)).catch((error) => {
  loading = null;
  throw error;
}));

/** What a tetris pays on a level. @param {number} level */
const tetris = (level) => 1200 * (level + 1);

/** What the positions of one's own games are about, as far as the board tells. @param {string} board @param {Choice[]} choices @param {{piece: string, next: string, level: number, lines: number, adjust: boolean}} more */
function themesOf(board, choices, { piece, next, level, lines, adjust }) {
  const heights = Array.from({ length: 10 }, (_, x) => {
    const top = Array.from({ length: 20 }, (_, y) => y).find((y) => solid(board, x, y));
    return top === undefined ? 0 : 20 - top;
  });
  const holes = heights.some((height, x) => Array.from({ length: height }, (_, k) => 20 - height + k).some((y) => !solid(board, x, y)));
  const rows = (/** @type {Place} */ place) => ([...board].filter((cell) => cell !== ".").length + 4 - [...after(board, place)].filter((cell) => cell !== ".").length) / 10;
  const burns = (/** @type {Place} */ place) => [1, 2, 3].includes(Math.round(rows(place)));
  const [best, ...others] = choices;
  const tucked = cellsOf(best).some(([x, y]) => Array.from({ length: Math.max(0, y) }, (_, k) => k).some((row) => solid(board, x, row)));
  const lowest = Math.min(...heights), second = Math.min(...heights.filter((height) => height > lowest), 20);
  /** @type {[string, boolean][]} */
  const found = [
    ["burn", burns(best) || others.some((other) => burns(other) && other.loss > 0.15 * tetris(level))],
    ["tuck", tucked], ["adjust", adjust], ["dig", holes],
    ["left", Math.max(...heights.slice(0, 3)) >= Math.max(8, Math.max(...heights.slice(4, 9)) + 3)],
    ["killscreen", level >= 29], ["end", level < 29 && lines >= 210],
    ["drought", piece !== "I" && next !== "I" && second >= lowest + 4 && second >= 8],
  ];
  return found.filter(([, holds]) => holds).map(([name]) => name);
}

/** The puzzles of a kept game. @param {import("./games.js").Game} game @returns {Puzzle[]} */
export const ofGame = (game) => game.moments.map((moment) => {
  const { board, piece, next, level, lines, choices, played, adjust } = moment;
  return {
    id: `${game.id}-${moment.number}`, board, piece, next, level, lines, taps: game.taps, complete: false, choices, played: null,
    themes: themesOf(board, choices, { piece, next, level, lines, adjust }),
    // Who made the mistake is as strong as it is hard.
    rating: 1500, from: { name: game.name, number: moment.number, played },
  };
});

/** What an answer lost: a loss, or at least a loss, or nothing that is known. @param {Puzzle} puzzle @param {Place} place */
export function judged(puzzle, place) {
  const all = puzzle.from ? [...puzzle.choices, puzzle.from.played] : puzzle.choices;
  const found = all.find((choice) => covers(choice, place));
  const share = (/** @type {number} */ loss) => loss / tetris(puzzle.level);
  if (found) return { choice: found, loss: found.loss, least: false, share: share(found.loss) };
  const least = Math.max(...puzzle.choices.map(({ loss }) => loss));
  return { choice: null, loss: least, least: true, share: Math.max(share(least), 0.2) };
}

/** The classes of a review, by what part of a tetris is lost. */
const BOUNDS = /** @type {const} */ ([["best", 0.01], ["excellent", 0.05], ["good", 0.15], ["inaccuracy", 0.35], ["mistake", 0.75], ["blunder", Infinity]]);
/** @param {number} share */
export const classOf = (share) => BOUNDS.find(([, most]) => share <= most)?.[0] ?? "blunder";
/** Whether an answer is right. @param {number} share */
export const isRight = (share) => ["best", "excellent"].includes(classOf(share));
