// Adjustments: where to wait before the next piece is known, and where to go from there for each of the seven; as a drill with a clock.

import { Picker, controls, drawing, makeBoard, paintBoard, paintNext } from "./pad.js";
import { classOf, covers, placeText } from "./puzzles.js";
import * as store from "./store.js";
import { decimal, number, plural } from "./text.js";
import { positions, read } from "./train.js";
import { WORDS } from "./words.js";

/** @typedef {import("./puzzles.js").Place} Place @typedef {import("./train.js").Position} Position */
/** @typedef {{at: Place, locked: boolean, buttons: string[], reach: number[]}} Hover */
/** @typedef {{hovering: {frames: number, buttons: string[], at: Place, adjustments: Record<string, Place | null>}, odds: number[], placements: Place[], losses: number[][], hovers: Hover[]}} Adjusting What `Adjusting` of crates/web/src/study.rs holds. */
/** @typedef {{next: string, place: Place | null, ms: number, loss: number, late: boolean, reached: boolean}} Told An answer. */
/** @typedef {{board: string, piece: string, level: number, lines: number, found: Adjusting}} Task */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
const chosen = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (at(id)).value;
const PIECES = "TJZOSLI";
const FRAME_MS = 1000 / 60.0988;
/** Frames as milliseconds, to the nearest ten. @param {number} frames */
const milliseconds = (frames) => 10 * Math.round(frames * FRAME_MS / 10);
/** @param {number} ms */
const seconds = (ms) => WORDS.adjust.seconds(decimal(ms / 1000));
/** Delays in frames, tap speeds, and seconds for an answer. */
const DELAYS = [6, 12, 15, 18, 21, 24, 30], TAPS = ["10hz", "12hz", "15hz", "20hz", "24hz", ""], LIMITS = [0, 5, 3, 2, 1];
/** The boards that were asked about since the page was opened. @type {Set<string>} */
const seen = new Set();
/** How many positions are tried until one needs different places for different next pieces. */
const TRIES = 8;
/** How many answers the figures of the view speak of. */
const KEPT = 200;

/** @type {Task | null} */
let task = null;
/** @type {"idle" | "hover" | "ready" | "soon" | "answer" | "told" | "done"} */
let state = "idle";
/** Where the piece waits. @type {Hover | null} */
let hover = null;
/** The next pieces that are still to come. @type {string[]} */
let order = [];
/** @type {Told[]} */
let told = [];
let begun = 0, timer = 0, run = 0;
/** The position that was asked for from another view. @type {Position | null} */
let given = null;
/** @type {{id: string, taps: string | null, delay: number, limit: number, times: [number, number][]}} */
let kept = { id: "adjust", taps: null, delay: 18, limit: 3, times: [] };
const picker = new Picker();
/** @type {(question: object) => Promise<Adjusting | null>} Null while the weights are on their way. */
let find = async () => null;
let look = () => {};

const tetris = () => 1200 * ((task?.level ?? 0) + 1);
const column = (/** @type {string} */ next) => PIECES.indexOf(next);
/** @param {Place} a @param {Place} b */
const sameSpot = (a, b) => a.x === b.x && a.orientation === b.orientation;

/** The least that is lost from a place to wait in, with this next piece. @param {Adjusting} found @param {Hover} from @param {number} next */
const least = ({ losses }, { reach }, next) => Math.min(...reach.map((k) => losses[k][next]));
/** What waiting there costs, averaged over the next pieces. @param {Adjusting} found @param {Hover} from */
const cost = (found, from) => (from.reach.length === 0 ? Infinity : found.odds.reduce((sum, odds, next) => sum + odds * least(found, from, next), 0));

/** The ways to wait in one place: the best of those with other presses. @param {Adjusting} found @param {Place} spot */
function waiting(found, spot) {
  const all = found.hovers.filter((one) => sameSpot(one.at, spot) && (!one.locked || one.at.y === spot.y));
  return all.sort((a, b) => cost(found, a) - cost(found, b))[0] ?? null;
}

/** Where the best player waits. @param {Adjusting} found */
const theirs = (found) => waiting(found, found.hovering.at) ?? found.hovers[0];

/** Presses in words. @param {string[]} buttons */
function presses(buttons) {
  /** @type {[string, number][]} */
  const rows = [];
  let before = "";
  for (const held of buttons) {
    for (const letter of held) if (!before.includes(letter)) {
      const last = rows.at(-1);
      if (last?.[0] === letter) last[1]++;
      else rows.push([letter, 1]);
    }
    before = held;
  }
  const { presses: names, times, nothing } = WORDS.adjust;
  return rows.map(([letter, count]) => times(/** @type {Record<string, string>} */ (names)[letter] ?? letter, count)).join(", ") || nothing;
}

/** How a piece looks that waits: its columns, and its turn. @param {Place} spot */
const spotText = (spot) => placeText(spot);

/** The best place from where the piece waits. @param {string} next @returns {Place | null} */
function best(next) {
  if (!task || !hover) return null;
  const { found } = task, column_ = column(next);
  const [first] = [...hover.reach].sort((a, b) => found.losses[a][column_] - found.losses[b][column_]);
  return first === undefined ? null : found.placements[first];
}

const current = () => order[0] ?? "";

function show() {
  const open = state === "hover" || state === "answer", { place } = picker;
  /** @type {{place: Place, kind: string}[]} */
  const pieces = [];
  if (task) {
    if (open && place) pieces.push({ place, kind: "played" });
    else if (state === "told") {
      const last = told.at(-1), right = last && best(last.next);
      if (last?.place) pieces.push({ place: last.place, kind: "played" });
      if (right && !(last?.place && covers(right, last.place))) pieces.push({ place: right, kind: "ghost" });
    } else if (hover) {
      pieces.push({ place: hover.at, kind: "played" });
      const other = theirs(task.found).at;
      if (state === "ready" && !covers(other, hover.at)) pieces.push({ place: other, kind: "ghost" });
    }
    paintBoard("adjust-board", task.board, pieces);
  }
  at("adjust-board").setAttribute("aria-label", pieces.map((piece) => placeText(piece.place)).join(", "));
  const next = state === "answer" ? current() : state === "told" ? (told.at(-1)?.next ?? "") : "";
  paintNext("adjust-next", next);
  for (const what of ["left", "right", "turn", "deeper"]) /** @type {HTMLButtonElement} */ (at(`adjust-${what}`)).disabled = !open;
  const { buttons } = WORDS.adjust;
  const main = { idle: buttons.wait, hover: buttons.wait, ready: buttons.start, soon: buttons.start, answer: buttons.place, told: buttons.again, done: buttons.done };
  at("adjust-place").textContent = state === "told" && order.length === 0 ? buttons.done : main[state];
  /** @type {HTMLButtonElement} */ (at("adjust-place")).disabled = state === "soon" || state === "idle";
  if (open) at("adjust-where").textContent = place ? placeText(place) : WORDS.noRoom;
  at("adjust-grade").hidden = state !== "told" && state !== "ready";
  at("adjust").dataset.state = state;
  const limited = Number(chosen("adjust-limit")) > 0 && state !== "hover" && state !== "idle" && state !== "ready";
  at("adjust-clock").style.visibility = limited ? "visible" : "hidden";
  table();
}

/** The seven answers as far as they are given. */
function table() {
  at("adjust-answer").hidden = told.length === 0 && state !== "ready" && state !== "soon" && state !== "answer";
  const rows = [WORDS.adjust.columns, ...told.map(({ next, place, ms, late, loss, reached }) => {
    const right = best(next);
    const how = late ? WORDS.adjust.late : !reached ? WORDS.adjust.unreachable : WORDS.grades[classOf(loss / tetris())];
    return [next, right ? placeText(right) : WORDS.noRoom, place && !late ? `${how}` : how, late ? WORDS.unknown : seconds(ms)];
  })];
  const body = document.createElement("tbody");
  rows.forEach((texts, k) => {
    const row = body.insertRow();
    texts.forEach((text, n) => {
      const cell = document.createElement(k === 0 || n === 0 ? "th" : "td");
      if (cell.tagName === "TH") cell.setAttribute("scope", k === 0 ? "col" : "row");
      cell.textContent = text;
      row.append(cell);
    });
  });
  at("adjust-table").replaceChildren(body);
  at("adjust-table").hidden = told.length === 0;
}

function standing() {
  const { times } = kept, right = times.filter(([, good]) => good > 0).length;
  at("adjust-standing").textContent = times.length === 0 ? "" : WORDS.adjust.standing(right, times.length, seconds(median(times.map(([ms]) => ms))));
}

/** @param {number[]} values */
const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Asks for a position in which it matters where one waits, and shows it. */
async function begin_() {
  const mine = ++run;
  clearTimeout(timer);
  [state, task, hover, told, order] = ["idle", null, null, [], []];
  at("adjust-ask").textContent = WORDS.adjust.searching;
  at("adjust-where").textContent = "";
  at("adjust-hover").textContent = "";
  show();
  /** @type {Task | null} */
  let easy = null;
  const all = positions().map(({ board, piece, level, lines }) => ({ board: drawing(board), piece, level, lines }));
  const fresh = all.filter(({ board }) => !seen.has(board));
  const candidates = given ? [given] : (fresh.length > 0 ? fresh : all).slice(0, TRIES);
  for (const { board, piece, level, lines } of candidates) {
    const found = await find({ board, piece, next: null, level, lines, taps: chosen("adjust-taps"), player: "maxout-fast", reaction: Number(chosen("adjust-delay")) });
    if (mine !== run) return;
    if (!found || found.hovers.length === 0) {
      continue;
    }
    const from = theirs(found);
    const kinds = new Set([...PIECES].map((_, next) => [...from.reach].sort((a, b) => found.losses[a][next] - found.losses[b][next])[0]));
    const rows = board.split("\n").map((row) => row.padEnd(10, "."));
    const one = { board: rows.join("").replace(/[^.]/g, "#").padStart(200, "."), piece, level, lines, found };
    if (kinds.size < 2) {
      // Every next piece wants the same place: only if nothing better is found.
      easy ??= one;
      continue;
    }
    task = one;
    break;
  }
  task ??= easy;
  if (task) seen.add(drawing(task.board));
  if (!task) {
    at("adjust-ask").textContent = WORDS.adjust.noPlace;
    return;
  }
  // Each place once.
  const spots = task.found.hovers.map((one) => one.at);
  picker.open = spots.filter((spot, k) => spots.findIndex((other) => sameSpot(other, spot) && other.y === spot.y) === k);
  // Who presses nothing waits here.
  const still = task.found.hovers.find(({ buttons }) => buttons.every((held) => held === ""))?.at;
  picker.pick = Math.max(0, picker.open.findIndex((spot) => still && covers(spot, still)));
  state = "hover";
  at("adjust-ask").textContent = WORDS.adjust.where(task.piece, task.level, milliseconds(Number(chosen("adjust-delay"))));
  at("adjust").dataset.ready = String(mine);
  show();
}

/** Says what the chosen place to wait in is worth, and goes on from it, or from a better one. */
function waited() {
  if (!task || !picker.place) return;
  const { found } = task, own = waiting(found, picker.place), other = theirs(found);
  if (!own) return;
  const lost = Math.max(0, cost(found, own) - cost(found, other)), kind = classOf(lost / tetris());
  const right = kind === "best" || kind === "excellent";
  hover = right ? own : other;
  at("adjust-grade").textContent = WORDS.grades[kind];
  at("adjust-grade").className = `grade ${kind}`;
  const spoken = Math.round(lost) > 0 ? WORDS.adjust.costs(plural(lost, "point")) : WORDS.adjust.free;
  const text = (/** @type {Hover} */ one) => WORDS.adjust.hover(spotText(one.at), presses(one.buttons));
  at("adjust-hover").textContent = `${WORDS.adjust.yourWait(text(own), text(other), spoken)} ${WORDS.adjust.goOn(spotText(hover.at))}`;
  at("adjust-where").textContent = WORDS.adjust.ready;
  order = [...PIECES].map((next) => /** @type {const} */ ([Math.random(), next])).sort(([a], [b]) => a - b).map(([, next]) => next);
  picker.open = found.placements;
  state = "ready";
  show();
}

/** The next piece comes a moment later, so that nobody answers before. */
function soon() {
  state = "soon";
  at("adjust-ask").textContent = WORDS.adjust.soon;
  at("adjust-where").textContent = "";
  /** @type {HTMLProgressElement} */ (at("adjust-clock")).value = 1;
  show();
  timer = window.setTimeout(come, 400 + 600 * Math.random());
}

function come() {
  if (state !== "soon" || !task || !hover) return;
  const { x, orientation } = hover.at;
  const near = picker.nearest((place) => place.orientation === orientation, (place) => Math.abs(place.x - x));
  picker.pick = Math.max(0, near);
  state = "answer";
  begun = performance.now();
  at("adjust-ask").textContent = WORDS.adjust.next(current(), task.piece);
  show();
  tick();
}

/** Lets the clock run. */
function tick() {
  const limit = Number(chosen("adjust-limit"));
  if (state !== "answer" || limit === 0) return;
  const left = 1 - (performance.now() - begun) / (1000 * limit);
  /** @type {HTMLProgressElement} */ (at("adjust-clock")).value = Math.max(0, left);
  if (left <= 0) answer(null);
  else requestAnimationFrame(tick);
}

/** Judges an answer; null if it came too late. @param {Place | null} place */
async function answer(place) {
  if (state !== "answer" || !task || !hover) return;
  const ms = performance.now() - begun, next = current(), { found } = task, which = column(next);
  const index = place ? found.placements.findIndex((other) => covers(other, place)) : -1;
  const reached = hover.reach.some((k) => place !== null && covers(found.placements[k], place));
  const loss = index < 0 ? 0 : Math.max(0, found.losses[index][which] - least(found, hover, which));
  const late = place === null, kind = late || !reached ? "blunder" : classOf(loss / tetris());
  const right = kind === "best" || kind === "excellent";
  told.push({ next, place, ms, loss, late, reached });
  order.shift();
  state = "told";
  const shown = best(next);
  at("adjust-grade").textContent = late ? WORDS.adjust.late : !reached ? WORDS.adjust.unreachable : WORDS.grades[kind];
  at("adjust-grade").className = `grade ${kind}`;
  const lost = late || !reached || Math.round(loss) === 0 ? "" : WORDS.adjust.lost(plural(loss, "point"));
  at("adjust-where").textContent = [lost, right || !shown ? "" : WORDS.adjust.best(placeText(shown))].filter(Boolean).join(" ") || (place ? placeText(place) : "");
  if (order.length === 0) {
    const good = told.filter((one) => !one.late && one.reached && one.loss / tetris() <= 0.05).length;
    at("adjust-ask").textContent = WORDS.adjust.sum(good, seconds(median(told.map((one) => one.ms))));
  }
  kept = { ...kept, times: [...kept.times, /** @type {[number, number]} */ ([Math.round(ms), right ? 1 : 0])].slice(-KEPT) };
  show();
  standing();
  await store.put("facts", kept);
  at("adjust").dataset.written = String(told.length);
}

/** @param {string} what */
function act(what) {
  if (what === "place") {
    if (state === "hover") waited();
    else if (state === "ready") soon();
    else if (state === "answer") answer(picker.place ?? null);
    else if (state === "told" && order.length > 0) soon();
    else if (state === "told") {
      given = null;
      begin_();
    }
  } else if (state === "hover" || state === "answer") {
    picker.move(what);
    show();
  }
}

/** @param {number} cell */
function tap(cell) {
  if (state !== "hover" && state !== "answer") return;
  picker.tap(cell);
  show();
}

/** The tap speed to begin with: the fastest that is not faster than what was measured. @param {number | null} pace */
const usual = (pace) => (pace === null ? "12hz" : [...TAPS].reverse().find((name) => (name === "" ? 30 : parseFloat(name)) <= pace + 0.5) ?? "10hz");

/** Shows the view. @param {Position | null} [position] A position to adjust on. */
export async function enter(position = null) {
  if (position) given = position;
  await read();
  const [facts, games, measured] = await Promise.all([store.get("facts", "adjust"), store.all("games"), store.get("facts", "pace")]);
  kept = { ...kept, .../** @type {object} */ (facts ?? {}) };
  const last = /** @type {import("./games.js").Game[]} */ (games).filter((game) => game.pace).sort((a, b) => a.at - b.at).at(-1)?.pace ?? null;
  const pace = /** @type {{pace: number} | undefined} */ (measured)?.pace ?? last;
  /** @type {HTMLSelectElement} */ (at("adjust-taps")).value = kept.taps ?? usual(pace);
  /** @type {HTMLSelectElement} */ (at("adjust-delay")).value = String(kept.delay);
  /** @type {HTMLSelectElement} */ (at("adjust-limit")).value = String(kept.limit);
  at("adjust-pace").textContent = pace === null ? "" : WORDS.adjust.taps(decimal(pace));
  standing();
  look();
  if (state === "soon" || state === "answer") {
    // Whoever has looked away begins this one again.
    clearTimeout(timer);
    state = "ready";
    at("adjust-where").textContent = WORDS.adjust.ready;
    show();
  }
  if (position || !task) await begin_();
}

/** Says how far the weights are that the view waits for. @param {string} size */
export function loading(size) {
  if (!task) at("adjust-ask").textContent = WORDS.adjust.waiting(size);
}

/** @param {typeof find} finds Answers a question, as soon as the weights are here. */
export function begin(finds) {
  find = finds;
  makeBoard("adjust-board", "");
  const choice = (/** @type {string} */ id, /** @type {[string, string][]} */ all) => at(id).replaceChildren(...all.map(([value, text]) => new Option(text, value)));
  choice("adjust-taps", TAPS.map((name) => [name, WORDS.hertz(name === "" ? "30" : name.replace("hz", ""))]));
  choice("adjust-delay", DELAYS.map((frames) => [String(frames), WORDS.adjust.delay(milliseconds(frames))]));
  choice("adjust-limit", LIMITS.map((seconds) => [String(seconds), WORDS.adjust.limit(seconds)]));
  for (const id of ["adjust-taps", "adjust-delay", "adjust-limit"]) at(id).addEventListener("change", () => {
    kept = { ...kept, taps: chosen("adjust-taps"), delay: Number(chosen("adjust-delay")), limit: Number(chosen("adjust-limit")) };
    store.put("facts", kept);
    if (id === "adjust-limit") show();
    else begin_();
  });
  look = controls("adjust", act, tap);
}
