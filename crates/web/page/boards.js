// The study: a board to draw on, and the placements of a piece on it, best first.

import { cellsOf, pieceOf, placeText } from "./puzzles.js";
import { decimal, megabytes, number, oneTetris, plural } from "./text.js";
import { WORDS } from "./words.js";

/** @typedef {import("./stage.js").Ranked} Ranked */
/** @typedef {{board: string, piece: string | null, next: string | null, level: number, lines: number}} Taken A position of the game; the board as 200 letters, `.` for an empty cell. */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLInputElement} */
const field = (id) => at(id);

const PIECES = "TJZOSLI";
/** @type {boolean[]} */
let cells = new Array(200).fill(false);
/** @type {HTMLElement[]} */
const squares = [];
/** @type {Worker | null} */
let worker = null;
let ready = false;
/** Whether the worker reads boards, and a text that it has not been sent. */
let reads = false;
/** @type {string | null} */
let typed = null;
let sent = 0;
let focus = 190;
/** The value that a drag paints. @type {boolean | null} */
let brush = null;
/** What is wrong with the link that led here, with the text or with the screenshot, until the board changes. */
let remark = "";

/** Lines of ten `.` and `#`, without the empty ones above. */
function drawing() {
  const rows = Array.from({ length: 20 }, (_, row) =>
    cells.slice(10 * row, 10 * row + 10).map((solid) => (solid ? "#" : ".")).join(""));
  const first = rows.findIndex((row) => row.includes("#"));
  return first < 0 ? rows[19] : rows.slice(first).join("\n");
}

/** @param {string} text */
function say(text) {
  at("study-message").textContent = text;
  at("study-message").hidden = text === "";
}

/** @param {Ranked | null} ranked */
function ghost(ranked) {
  squares.forEach((square) => (square.className = ""));
  if (!ranked) return;
  for (const [column, row] of cellsOf(ranked)) {
    if (row >= 0) squares[row * 10 + column].className = `ghost p${pieceOf(ranked.orientation)}`;
  }
}

function show() {
  squares.forEach((square, index) => {
    square.setAttribute("aria-selected", String(cells[index]));
    square.tabIndex = index === focus ? 0 : -1;
  });
}

/** What is asked, as the part of a link behind `#`. */
function link() {
  const rows = drawing().split("\n").map((row) => [...row].reduce((sum, cell) => sum * 2 + Number(cell === "#"), 0));
  const board = rows.map((row) => row.toString(32).padStart(2, "0")).join("");
  const parts = { board, piece: field("ask-piece").value, next: field("ask-next").value, level: field("ask-level").value,
    lines: field("ask-lines").value, taps: field("ask-taps").value,
    aggression: field("ask-aggression").value, player: field("ask-player").value };
  return `study?${new URLSearchParams(parts)}`;
}

/** Reads a link; false if it is none. @param {string} hash */
export function open(hash) {
  if (!hash.startsWith("#study")) return false;
  const parts = new URLSearchParams(hash.slice(hash.indexOf("?") + 1));
  const board = parts.get("board") ?? "";
  if (!/^([0-9a-v]{2}){0,20}$/.test(board)) {
    remark = WORDS.study.noBoard;
    say(remark);
    return true;
  }
  const rows = (board.match(/../g) ?? []).map((row) => parseInt(row, 32).toString(2).padStart(10, "0").slice(-10));
  cells = [...".".repeat(10 * (20 - rows.length)), ...rows.join("").replaceAll("1", "#")].map((cell) => cell === "#");
  for (const name of ["piece", "next", "level", "lines", "taps", "aggression", "player"]) {
    const value = parts.get(name);
    if (value !== null) field(`ask-${name}`).value = value;
  }
  changed();
  return true;
}

/** The position of a link to play on from, or null if it is none. @param {string} hash @returns {import("./train.js").Position | null} */
export function position(hash) {
  const [name, search] = hash.split("?"), parts = new URLSearchParams(search);
  const board = parts.get("board") ?? "", letter = (/** @type {string} */ part) => (PIECES.includes(parts.get(part) ?? "") ? parts.get(part) ?? "" : "");
  const whole = (/** @type {string} */ part, /** @type {number} */ most) => Math.min(most, Number(/^\d{1,5}$/.exec(parts.get(part) ?? "")?.[0] ?? 0));
  if (name !== "#play" || !/^([0-9a-v]{2}){0,20}$/.test(board) || !letter("piece")) return null;
  const rows = (board.match(/../g) ?? []).map((row) => parseInt(row, 32).toString(2).padStart(10, "0").slice(-10).replaceAll("0", ".").replaceAll("1", "#"));
  return { board: rows.join("\n") || "..........", piece: letter("piece"), next: letter("next"), level: whole("level", 255), lines: whole("lines", 25_599), taps: "" };
}

/** The position that is asked about. @returns {import("./train.js").Position} */
export const asked = () => ({
  board: drawing(), piece: field("ask-piece").value, next: field("ask-next").value, level: Number(field("ask-level").value),
  lines: Number(field("ask-lines").value), taps: field("ask-taps").value,
});

/** Takes a board, and what else is known of its position. @param {Partial<Taken> & {board: string}} taken */
function take({ board, piece, next, level, lines }) {
  cells = [...board].map((letter) => letter !== ".");
  if (piece) [field("ask-piece").value, field("ask-next").value] = [piece, next ?? ""];
  if (level !== undefined) [field("ask-level").value, field("ask-lines").value] = [String(level), String(lines)];
  changed();
}

/** @param {boolean} anew Whether the question is another one. */
function changed(anew = true) {
  if (anew) remark = "";
  show();
  const text = drawing();
  if (document.activeElement !== at("drawing")) field("drawing").value = cells.includes(true) ? text : "";
  history.replaceState(null, "", `#${link()}`);
  const chosen = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (at(id)).selectedOptions[0]?.textContent ?? "";
  at("ask-chosen").textContent = WORDS.study.chosen(chosen("ask-taps"), chosen("ask-aggression"), chosen("ask-player"));
  at("ask-tetris").textContent = oneTetris(Number(field("ask-level").value));
  ask();
}

function ask() {
  if (!worker) {
    worker = new Worker("study.js", { type: "module" });
    worker.onmessage = hear;
    worker.onerror = () => say(WORDS.study.failed);
  }
  if (!ready) return;
  ghost(null);
  const question = {
    board: drawing(), piece: field("ask-piece").value, next: field("ask-next").value || null,
    level: Number(field("ask-level").value), lines: Number(field("ask-lines").value), taps: field("ask-taps").value,
    aggression: field("ask-aggression").value, player: field("ask-player").value,
  };
  at("answered").textContent = WORDS.searching;
  worker.postMessage({ number: ++sent, question });
}

/** @param {MessageEvent} event */
function hear({ data }) {
  if (data.type === "progress") {
    at("answered").textContent = WORDS.weights(megabytes(data.loaded, data.total));
  } else if (data.type === "reads") {
    reads = true;
    paste(typed);
  } else if (data.type === "ready") {
    ready = true;
    ask();
  } else if (data.type === "board") {
    const { board, piece, next } = data;
    if (!piece && next) field("ask-next").value = next;
    take({ board: board.slice(-20).join(""), piece, next });
    if (data.warnings.length > 0) remark = `${data.from}: ${data.warnings.join("; ")}.`;
    say(remark);
  } else if (data.type === "unread") {
    // It stays until the board changes, also when an answer arrives.
    remark = data.text;
    say(remark);
  } else if (data.number === sent) {
    say(data.type === "error" ? data.text : remark);
    list(data.answer?.placements ?? [], data.answer?.warnings ?? []);
    at("answers").dataset.number = String(data.number);
  }
}

/** What is lost and the points to expect, as text. @param {Ranked} ranked @param {number} index */
export const figures = ({ points, loss }, index) => [index === 0 ? WORDS.study.best : `−${number(loss)}`, number(points)];

/** The row of a list: the rank, where the piece goes, what that loses, the points to expect. @param {HTMLElement} row @param {string[]} texts */
export function fill(row, texts) {
  row.append(...texts.map((text, column) => {
    const span = document.createElement("span");
    span.textContent = text;
    span.className = ["n", "where", "loss", "value"][column];
    return span;
  }));
}

/** @param {Ranked[]} answers @param {string[]} warnings */
function list(answers, warnings) {
  const odd = warnings.filter((warning) => !remark.includes(warning)).map((warning) => WORDS.study.warning(warning)).join("");
  at("answered").textContent = (answers.length === 0
    ? WORDS.study.noPlacement : WORDS.study.placements(plural(answers.length, "placement"))) + odd;
  at("answers").replaceChildren(...answers.map((answer, index) => {
    const item = document.createElement("li"), button = document.createElement("button");
    button.type = "button";
    const lines = answer.lines ? `, ${plural(answer.lines, "line")}` : "";
    fill(button, [`${index + 1}`, placeText(answer) + lines, ...figures(answer, index)]);
    const buttons = answer.buttons.map((held) => held || "–").join(" ") || WORDS.study.noButtons;
    button.title = `${WORDS.topout(decimal(100 * answer.topout))}. ${WORDS.study.buttons(buttons)}`;
    for (const name of ["pointerenter", "focus"]) button.addEventListener(name, () => ghost(answer));
    item.append(button);
    return item;
  }));
  ghost(answers[0] ?? null);
}

/** Takes a board as text, once there is something that reads it. @param {string | null} text */
function paste(text) {
  typed = text;
  if (!reads || typed === null) return;
  worker?.postMessage({ text: typed });
  typed = null;
}

/** Takes the position of a screenshot or photo. @param {Blob} file */
async function see(file) {
  try {
    const picture = await createImageBitmap(file, { colorSpaceConversion: "none" });
    const { width, height } = picture;
    // The worker says what is wrong with the size of a larger one; its pixels are not needed for that.
    const fits = width * height <= 1 << 24;
    // Larger than a screen of 4K: every second pixel will do, and takes less memory.
    const part = fits && width * height > 1 << 23 ? 2 : 1;
    const size = /** @type {const} */ ([Math.floor(width / part), Math.floor(height / part)]);
    const pen = fits ? new OffscreenCanvas(...size).getContext("2d") : null;
    if (pen) pen.imageSmoothingEnabled = false;
    pen?.drawImage(picture, 0, 0, ...size);
    const data = pen ? pen.getImageData(0, 0, ...size).data.buffer : new ArrayBuffer(0);
    worker?.postMessage({ picture: { data, width: size[0], height: size[1] } }, [data]);
  } catch {
    remark = WORDS.study.noPicture;
    say(remark);
  }
}

/** A board from the clipboard. @param {ClipboardEvent} event */
function pasted(event) {
  const file = [...(event.clipboardData?.files ?? [])].find(({ type }) => type.startsWith("image/"));
  if (!file || at("study").hidden) return;
  event.preventDefault();
  see(file);
}

/** @param {KeyboardEvent} event */
function keys(event) {
  const moves = new Map([["ArrowLeft", -1], ["ArrowRight", 1], ["ArrowUp", -10], ["ArrowDown", 10]]);
  const move = moves.get(event.key);
  if (move !== undefined) {
    const to = focus + move;
    if (to >= 0 && to < 200 && (Math.abs(move) === 10 || Math.floor(to / 10) === Math.floor(focus / 10))) focus = to;
    show();
    squares[focus].focus();
  } else if (event.key === " " || event.key === "Enter") {
    cells[focus] = !cells[focus];
    changed();
  } else {
    return;
  }
  event.preventDefault();
}

/** @param {PointerEvent} event */
function paint(event) {
  const index = squares.indexOf(/** @type {HTMLElement} */ (document.elementFromPoint(event.clientX, event.clientY)));
  if (index < 0) return;
  if (event.type === "pointerdown") brush = !cells[index];
  if (brush === null || cells[index] === brush) return;
  [cells[index], focus] = [brush, index];
  show();
}

/** Makes the study. @param {() => Taken | null} fromGame The position of the game. */
export function begin(fromGame) {
  for (let row = 0; row < 20; row++) {
    const line = document.createElement("div");
    line.setAttribute("role", "row");
    for (let column = 0; column < 10; column++) {
      const square = document.createElement("i");
      square.setAttribute("role", "gridcell");
      square.setAttribute("aria-label", WORDS.study.cell(20 - row, column + 1));
      squares.push(square);
      line.append(square);
    }
    at("board").append(line);
  }
  const option = (/** @type {string} */ value, text = value) => new Option(text, value);
  at("ask-piece").append(...[...PIECES].map((letter) => option(letter)));
  at("ask-next").append(option("", WORDS.study.notKnown), ...[...PIECES].map((letter) => option(letter)));
  at("board").addEventListener("pointerdown", paint);
  at("board").addEventListener("pointermove", paint);
  window.addEventListener("pointerup", () => {
    if (brush !== null) changed();
    brush = null;
  });
  at("board").addEventListener("keydown", keys);
  at("question").addEventListener("input", () => changed());
  at("question").addEventListener("submit", (event) => event.preventDefault());
  at("drawing").addEventListener("input", () => paste(field("drawing").value));
  at("clear").addEventListener("click", () => {
    cells.fill(false);
    changed();
  });
  document.addEventListener("paste", pasted);
  field("screenshot").addEventListener("change", () => {
    const file = field("screenshot").files?.[0];
    if (file) see(file);
    field("screenshot").value = "";
  });
  at("from-game").addEventListener("click", () => {
    const taken = fromGame();
    if (taken) take(taken);
  });
  at("share").addEventListener("click", async () => {
    const url = new URL(`#${link()}`, location.href).href;
    try {
      await navigator.clipboard.writeText(url);
      at("shared").textContent = WORDS.study.copied;
    } catch {
      at("shared").textContent = url;
    }
  });
  show();
}

/** Begins to load what the study needs, and asks about the board as it is. */
export function enter() {
  changed(false);
}
