// Draws a state of the game on the canvas: the emulator's picture, or the board of the model, and the plan over it.

import { spawned } from "./puzzles.js";
import { WORDS } from "./words.js";

/**
 * @typedef {[number, number][]} Cells Row and column of each cell.
 * @typedef {object} Scene PageScene of crates/web/src/scene.rs.
 * @property {number} frame
 * @property {number} pieces
 * @property {number} lines
 * @property {number} level
 * @property {number} frames_per_second
 * @property {number} score
 * @property {[number, number, number, number]} clears
 * @property {string} board
 * @property {string | null} piece
 * @property {Cells | null} air
 * @property {string | null} next
 * @property {Cells | null} target
 * @property {string} buttons
 * @property {boolean} topped_out
 * @property {boolean} reached_stop
 * @property {boolean} over
 * @property {Rating | null} rating
 * @property {[string, number][]} ratings
 * @property {number} misdrops
 * @property {number | null} pace
 * @typedef {{number: number, class: string, name: string, loss: number, why: string[], within_limits: boolean, piece: string, cells: Cells, meant: Place | null}} Rating
 * @typedef {import("./puzzles.js").Place} Place
 * @typedef {Place & {points: number, loss: number, topout: number, class: string, lines: number, buttons: string[], held_before?: string, board: string, reply: Place | null, replies: Record<string, Place | null>}} Ranked
 * @typedef {{placements: Ranked[], stop: string, warnings: string[], crash?: object[], forecast: {player: string, taps: string}}} Answer What `maxout analyze --json` says.
 * @typedef {{width: number, height: number, x: number, y: number, cell: number}} Layout ScreenLayout of crates/web/src/scene.rs.
 * @typedef {object} Shown
 * @property {Scene} scene
 * @property {Uint8Array<ArrayBuffer>} picture
 * @property {Layout} layout
 * @property {Float32Array<ArrayBuffer>} sound
 * @property {Ranked[]} alternatives
 * @property {boolean} over
 */

/** The size of a cell of the model's board. */
const CELL = 24;
/** Columns beside the model's board, for the next piece. */
const SIDE = 5;
/** The page's colours, by name. @param {string} name */
const colour = (name) => resolved(`var(--${name})`);

const probe = document.createElement("span");
document.body.append(probe);
probe.hidden = true;
/** @type {Map<string, string>} */
let known = new Map();

/** @param {string} value */
function resolved(value) {
  let found = known.get(value);
  if (!found) {
    probe.style.color = value;
    found = getComputedStyle(probe).color;
    known.set(value, found);
  }
  return found;
}

/** Forgets the colours, because the theme has changed. */
export function repaint() {
  known = new Map();
}

/** A cell of the model's board. @param {CanvasRenderingContext2D} pen @param {number} row @param {number} column @param {string} fill */
function square(pen, row, column, fill) {
  pen.fillStyle = fill;
  pen.beginPath();
  pen.roundRect(column * CELL + 1, row * CELL + 1, CELL - 2, CELL - 2, 3);
  pen.fill();
}

/** The next piece, in a box at the right of the model's board. @param {CanvasRenderingContext2D} pen @param {string | null} next */
function drawNext(pen, next) {
  pen.clearRect(10 * CELL, 0, SIDE * CELL, 20 * CELL);
  pen.fillStyle = colour("well");
  pen.beginPath();
  pen.roundRect(10.25 * CELL, 2 * CELL, 4.5 * CELL, 4 * CELL, 6);
  pen.fill();
  pen.fillStyle = colour("ink");
  pen.font = "600 15px system-ui, sans-serif";
  pen.textAlign = "center";
  pen.fillText(WORDS.game.next, 12.5 * CELL, 2.85 * CELL, 4 * CELL);
  const cells = next ? spawned(next) : [], width = 1 + Math.max(0, ...cells.map(([x]) => x));
  for (const [x, y] of cells) square(pen, 3.6 + y, 12.5 - width / 2 + x, colour(`p${next}`));
}

/** @param {CanvasRenderingContext2D} pen @param {Scene} scene */
function drawModel(pen, scene) {
  pen.fillStyle = colour("well");
  pen.fillRect(0, 0, 10 * CELL, 20 * CELL);
  for (let at = 0; at < 200; at++) {
    const letter = scene.board[at];
    const fill = letter === "." ? "grid" : letter === "x" ? "soft" : `p${letter}`;
    square(pen, Math.floor(at / 10), at % 10, colour(fill));
  }
  for (const [row, column] of scene.air ?? []) {
    if (row >= 0) square(pen, row, column, colour(`p${scene.piece}`));
  }
}

/** @param {CanvasRenderingContext2D} pen @param {Cells} cells @param {{x: number, y: number, cell: number}} field */
function outline(pen, cells, { x, y, cell }) {
  const has = new Set(cells.map(([row, column]) => row * 10 + column));
  pen.strokeStyle = "#fff";
  pen.lineWidth = cell / 8;
  pen.beginPath();
  for (const [row, column] of cells) {
    if (row < 0) continue;
    const left = x + column * cell, top = y + row * cell, right = left + cell, bottom = top + cell;
    if (!has.has(row * 10 - 10 + column)) pen.moveTo(left, top), pen.lineTo(right, top);
    if (!has.has(row * 10 + 10 + column)) pen.moveTo(left, bottom), pen.lineTo(right, bottom);
    if (column === 0 || !has.has(row * 10 + column - 1)) pen.moveTo(left, top), pen.lineTo(left, bottom);
    if (column === 9 || !has.has(row * 10 + column + 1)) pen.moveTo(right, top), pen.lineTo(right, bottom);
  }
  pen.stroke();
}

/** Makes room for the board of the model, and for the next piece beside it. @param {HTMLCanvasElement} canvas @param {number} side Columns beside it. */
export function empty(canvas, side = SIDE) {
  [canvas.width, canvas.height] = [(10 + side) * CELL, 20 * CELL];
  canvas.dataset.model = "true";
}

/** Draws the board of the model small. @param {HTMLCanvasElement} canvas @param {Scene} scene */
export function drawSmall(canvas, scene) {
  const pen = canvas.getContext("2d");
  if (pen) drawModel(pen, scene);
}

/** @param {HTMLCanvasElement} canvas @param {Shown} shown @param {boolean} plan */
export function draw(canvas, { scene, picture, layout }, plan) {
  const pen = canvas.getContext("2d");
  if (!pen) return;
  const emulator = picture.length > 0;
  const [width, height] = emulator ? [layout.width, layout.height] : [(10 + SIDE) * CELL, 20 * CELL];
  canvas.dataset.model = String(!emulator);
  if (canvas.width !== width || canvas.height !== height) [canvas.width, canvas.height] = [width, height];
  if (emulator) {
    pen.putImageData(new ImageData(new Uint8ClampedArray(picture.buffer), width, height), 0, 0);
  } else {
    drawModel(pen, scene);
    drawNext(pen, scene.next);
  }
  if (plan && scene.target) outline(pen, scene.target, emulator ? layout : { x: 0, y: 0, cell: CELL });
}
