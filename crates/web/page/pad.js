// How a piece is put somewhere on a board of the page: by buttons, keys, a gamepad or a tap on a cell.

import { cellsOf, pieceOf, spawned } from "./puzzles.js";

/** @typedef {import("./puzzles.js").Place} Place */

/** Buttons of a standard gamepad, and what they do. */
const PAD = /** @type {const} */ ([[14, "left"], [15, "right"], [0, "turn"], [1, "back"], [13, "deeper"], [9, "place"], [12, "place"]]);
const KEYS = new Map([["ArrowLeft", "left"], ["ArrowRight", "right"], ["ArrowUp", "turn"], ["x", "turn"], ["z", "back"], ["ArrowDown", "deeper"]]);

/** @param {string} id @returns {HTMLElement[]} */
export const squaresOf = (id) => /** @type {HTMLElement[]} */ ([.../** @type {HTMLElement} */ (document.getElementById(id)).querySelectorAll("i")]);

/** @param {string} id @param {string} label */
export function makeBoard(id, label) {
  const board = /** @type {HTMLElement} */ (document.getElementById(id));
  board.setAttribute("role", "img");
  board.setAttribute("aria-label", label);
  board.replaceChildren(...Array.from({ length: 200 }, () => document.createElement("i")));
}

/** @param {string} id @param {string} board @param {{place: Place, kind: string}[]} pieces */
export function paintBoard(id, board, pieces) {
  const names = [...board].map((letter) => (letter === "." ? "" : letter === "#" || letter === "x" ? "solid" : `solid p${letter}`));
  for (const { place, kind } of pieces) for (const [x, y] of cellsOf(place)) {
    if (y >= 0) names[10 * y + x] += ` ${kind} p${pieceOf(place.orientation)}`;
  }
  squaresOf(id).forEach((square, k) => {
    if (square.className !== names[k]) square.className = names[k];
  });
}

/** Shows a next piece. @param {string} id @param {string} letter Empty if it is not known. */
export function paintNext(id, letter) {
  const box = /** @type {HTMLElement} */ (document.getElementById(id)), cells = letter ? spawned(letter) : [];
  box.className = `next p${letter}`;
  box.dataset.next = letter;
  box.replaceChildren(...cells.map(([x, y]) => {
    const square = document.createElement("i");
    square.style.gridArea = `${y + 1} / ${x + 1}`;
    return square;
  }), ...(letter ? [] : ["?"]));
}

/** The board as lines of text. @param {string} board */
export const drawing = (board) => (board.match(/.{10}/g) ?? []).map((row) => row.replace(/[^.]/g, "#")).join("\n");

/** Places that are open to a piece, of which one is picked. */
export class Picker {
  /** @type {Place[]} */
  open = [];
  pick = 0;
  /** The cell that was tapped last, and which of these places cover it. @type {{cell: number, open: Place[], order: number[]}} */
  tapped = { cell: -1, open: [], order: [] };

  /** The picked place, if any is open. @returns {Place | undefined} */
  get place() {
    return this.open[this.pick];
  }

  /** The nearest open place of those that `wanted` takes, or -1. @param {(place: Place) => boolean} wanted @param {(place: Place) => number} distance */
  nearest(wanted, distance) {
    const found = this.open.map((place, k) => /** @type {const} */ ([place, k])).filter(([place]) => wanted(place));
    found.sort(([a], [b]) => distance(a) - distance(b) || b.y - a.y);
    return found[0]?.[1] ?? -1;
  }

  /** @param {number} index */
  choose(index) {
    if (index >= 0) this.pick = index;
  }

  /** Moves to one side, turns, or goes below an overhang and back. @param {string} what */
  move(what) {
    const { place } = this;
    if (!place) return;
    const { x, y, orientation } = place;
    if (what === "left" || what === "right") {
      const by = what === "left" ? -1 : 1;
      this.choose(this.nearest((other) => other.orientation === orientation && (other.x - x) * by > 0, (other) => 40 * Math.abs(other.x - x) + (other.y >= y - 1 ? 0 : 20)));
    } else if (what === "turn" || what === "back") {
      const ids = [...new Set(this.open.map((other) => other.orientation))].sort((a, b) => a - b), by = what === "turn" ? 1 : -1;
      const wanted = ids[(ids.indexOf(orientation) + by + ids.length) % ids.length];
      this.choose(this.nearest((other) => other.orientation === wanted, (other) => Math.abs(other.x - x)));
    } else if (what === "deeper") {
      // The places of one column, with an overhang between them, in turn.
      const same = (/** @type {Place} */ other) => other.orientation === orientation && other.x === x;
      const below = this.nearest((other) => same(other) && other.y > y, (other) => other.y - y);
      this.choose(below >= 0 ? below : this.nearest(same, (other) => other.y));
    }
  }

  /** A tap on a cell takes the place that covers it and is most like the picked one; more taps on it take the others in turn. If none covers it, the
   * nearest one in its column is taken. @param {number} cell */
  tap(cell) {
    if (!this.place) return;
    const { orientation } = this.place, [column, row] = [cell % 10, Math.floor(cell / 10)];
    if (cell !== this.tapped.cell || this.open !== this.tapped.open || !this.tapped.order.includes(this.pick)) {
      const far = (/** @type {number} */ k) => (this.open[k].orientation === orientation ? 0 : 100) + Math.abs(this.open[k].x - column) + Math.abs(this.open[k].y - row);
      const covering = this.open.flatMap((place, k) => (cellsOf(place).some(([x, y]) => 10 * y + x === cell) ? [k] : []));
      this.tapped = { cell, open: this.open, order: covering.sort((a, b) => far(a) - far(b)) };
    }
    const { order } = this.tapped;
    if (order.length > 0) this.choose(order[(order.indexOf(this.pick) + 1) % order.length]);
    else this.choose(this.nearest((place) => place.orientation === orientation, (place) => Math.abs(place.x - column)));
  }
}

/** Listens for what moves a piece in a view: its buttons, a tap on its board, keys and the first gamepad of a standard layout.
 * @param {string} view Its elements are `view-left`, `view-board` and so on.
 * @param {(what: string) => void} act @param {(cell: number) => void} tap
 * @returns {() => void} Begins to look at the gamepad, whenever the view is shown. */
export function controls(view, act, tap) {
  const at = (/** @type {string} */ name) => /** @type {HTMLElement} */ (document.getElementById(name));
  // The second tap of two does not go on from the answer that the first one has just shown.
  for (const what of ["left", "right", "turn", "deeper", "place"]) at(`${view}-${what}`).addEventListener("click", ({ detail }) => {
    if (what !== "place" || detail < 2) act(what);
  });
  at(`${view}-board`).addEventListener("click", ({ target }) => {
    const cell = squaresOf(`${view}-board`).indexOf(/** @type {HTMLElement} */ (target));
    if (cell >= 0) tap(cell);
  });
  document.addEventListener("keydown", (event) => {
    if (at(view).hidden || event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    const { target } = event;
    if (target instanceof HTMLElement && target.closest("input, select, textarea, summary")) return;
    // Enter on the button that led here means the board, too.
    const isButton = target instanceof HTMLElement && target.closest("button, a") !== null && ![`${view}-place`, `to-${view}`].includes(target.id);
    const what = KEYS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key) ?? (["Enter", " "].includes(event.key) && !isButton ? "place" : undefined);
    if (!what || (what === "place" && event.repeat)) return;
    event.preventDefault();
    act(what);
  });
  /** Buttons of the gamepad that are held. @type {Set<number>} */
  const held = new Set();
  let looking = false;
  const look = () => {
    looking = !at(view).hidden;
    if (!looking) return;
    const found = navigator.getGamepads().find((one) => one?.mapping === "standard");
    for (const [index, what] of found ? PAD : []) {
      const down = found?.buttons[index]?.pressed ?? false;
      if (down && !held.has(index)) act(what);
      if (down) held.add(index);
      else held.delete(index);
    }
    requestAnimationFrame(look);
  };
  return () => {
    if (!looking) requestAnimationFrame(look);
  };
}
