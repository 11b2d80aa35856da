// Train: a position comes up, somebody places the piece, and sees what it is worth. The schedule says when it comes back.

import { Picker, controls, drawing, makeBoard, paintBoard, paintNext } from "./pad.js";
import { after, classOf, covers, isRight, judged, ofGame, pieceOf, placeText, places, same, set, spanText } from "./puzzles.js";
import { BEGINNER, POSITION_DEVIATION, answered, carried, due, isDue, rated } from "./schedule.js";
import * as store from "./store.js";
import { listed, number, plural } from "./text.js";
import { WORDS } from "./words.js";

/** @typedef {import("./puzzles.js").Puzzle} Puzzle @typedef {import("./puzzles.js").Place} Place @typedef {import("./schedule.js").Card} Card */
/** @typedef {import("./stage.js").Ranked} Ranked */
/** @typedef {{board: string, piece: string, next: string, level: number, lines: number, taps: string, against?: string}} Position */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
const chosen = (/** @type {string} */ id) => /** @type {HTMLSelectElement} */ (at(id)).value;
const PIECES = "TJZOSLI";
/** @type {Map<string, Puzzle>} */
let puzzles = new Map();
/** @type {Map<string, Card>} */
let cards = new Map();
/** @type {import("./schedule.js").Strength & {id: string, today: string, count: number}} */
let strength = { id: "strength", ...BEGINNER, today: "", count: 0 };
/** Positions that were missed in this session, and come again in it. @type {string[]} */
let missed = [];
/** @type {Puzzle | null} */
let puzzle = null;
const picker = new Picker();
/** Whether the position is answered. */
let done = false;
/** Whether this is the first time that this position counts. */
let repeated = false;
/** Positions whose answer is not worked out and kept yet, and when all of them are. @type {Set<string>} */
const unsettled = new Set();
let settled = Promise.resolve();
let asked = 0;
/** @type {(question: object) => Promise<Ranked[] | null>} */
let rank = async () => null;
/** @type {(position: Position) => void} */
let playOn = () => {};
const now = () => Date.now();
/** Waits until what was changed is on the screen, so that neither the search nor the disk takes the time of an answer; not for long, as a page that is
 * not looked at is not painted. */
const painted = () => Promise.race([new Promise((done) => requestAnimationFrame(() => setTimeout(done))), new Promise((done) => setTimeout(done, 100))]);

function show() {
  if (!puzzle) return;
  const { place } = picker;
  // What was right is outlined on the same board.
  const best = puzzle.choices[0];
  paintBoard("train-board", puzzle.board, [...(place ? [{ place, kind: "played" }] : []), ...(done && place && !same(best, place) ? [{ place: best, kind: "ghost" }] : [])]);
  at("train-board").setAttribute("aria-label", place ? placeText(place) : "");
  if (!done) at("train-where").textContent = place ? placeText(place) : WORDS.noRoom;
  at("train-grade").hidden = !done;
  for (const id of ["train-left", "train-right", "train-turn", "train-deeper"]) /** @type {HTMLButtonElement} */ (at(id)).disabled = done;
  at("train-place").textContent = done ? WORDS.next : WORDS.place;
  at("train").dataset.done = String(done);
}

/** @param {string} what */
function act(what) {
  if (what === "place") confirm();
  else if (puzzle && !done) {
    picker.move(what);
    show();
  }
}

/** @param {number} cell */
function tap(cell) {
  if (!puzzle || done) return;
  picker.tap(cell);
  show();
}

/** Whether a position belongs to what is trained now. @param {Puzzle} puzzle */
const wanted = ({ themes, from }) => (chosen("train-theme") === "" || themes.includes(chosen("train-theme")))
  && (chosen("train-source") === "all" || (chosen("train-source") === "own") === (from !== null));

/** The position to ask: what is due, then what was missed, then a new one that is about as hard as its reader is strong. */
function pickNext() {
  const usable = [...puzzles.values()].filter((one) => wanted(one) && !unsettled.has(one.id));
  const ids = new Set(usable.map(({ id }) => id));
  const waiting = due([...cards.values()].filter(({ id }) => ids.has(id)), now());
  if (waiting.length > 0) return /** @type {Puzzle} */ (puzzles.get(waiting[0].id));
  const fresh = usable.filter(({ id }) => !cards.has(id));
  // One's own mistakes first, in turn with the others.
  const own = fresh.filter(({ from }) => from !== null);
  const again = missed.findIndex((id) => ids.has(id) && id !== puzzle?.id);
  if (again >= 0 && (missed.length >= 3 || fresh.length === 0)) return /** @type {Puzzle} */ (puzzles.get(missed[again]));
  if (own.length > 0 && (strength.count % 2 === 0 || own.length === fresh.length)) return own[0];
  const far = (/** @type {Puzzle} */ { rating }) => Math.abs(rating - strength.rating);
  const others = fresh.filter(({ from }) => from === null).sort((a, b) => far(a) - far(b));
  if (others.length > 0) return others[Math.floor(Math.random() * Math.min(8, others.length))];
  return null;
}

function counts() {
  const ids = new Set([...puzzles.values()].filter(wanted).map(({ id }) => id));
  const waiting = due([...cards.values()].filter(({ id }) => ids.has(id)), now()).length + missed.filter((id) => ids.has(id)).length;
  at("train-rating").textContent = WORDS.rating(Math.round(strength.rating), Math.round(2 * strength.deviation));
  at("train-due").textContent = WORDS.due(waiting, strength.today === new Date(now()).toDateString() ? strength.count : 0);
}

/** @param {Puzzle | null} to */
function ask(to) {
  puzzle = to;
  [done, asked] = [false, asked + 1];
  counts();
  at("train-none").hidden = to !== null;
  at("train-deck").hidden = to === null;
  at("train-answer").hidden = true;
  at("train-hint").hidden = to === null;
  if (!to) return;
  picker.open = places(to.board, to.piece);
  const spawn = picker.open[0]?.orientation ?? 0;
  const first = Math.min(...picker.open.filter(({ orientation }) => pieceOf(orientation) === to.piece).map(({ orientation }) => orientation), spawn);
  picker.pick = Math.max(0, picker.nearest(({ orientation }) => orientation === first, ({ x, y }) => 20 * Math.abs(x - 5) + y));
  at("train-ask").textContent = WORDS.ask(to.piece, to.next, to.level, to.lines);
  paintNext("train-next", to.next);
  at("train-from").textContent = to.from ? WORDS.fromGame(to.from.name, to.from.number) : WORDS.fromSet;
  at("train").dataset.puzzle = to.id;
  repeated = cards.has(to.id);
  show();
  // What the answer shows is drawn while somebody thinks, so that it is there at once.
  setTimeout(() => {
    if (puzzle !== to || done || !picker.place) return;
    two("yours", picker.place, null);
    two("best", to.choices[0], to.choices[0].reply ?? null);
    // The first number that a page writes takes longer than all others together.
    number(0);
  });
}

/** Answers, or goes on. */
async function confirm() {
  if (!puzzle) return;
  if (done) {
    ask(pickNext());
    at("train-place").focus();
    return;
  }
  const { place } = picker;
  if (!place) return;
  done = true;
  const of = puzzle, known = judged(of, place), search = further(of, place), answer = { number: asked, repeated };
  reveal(place, known.choice);
  verdict(place, known.least && !of.complete ? null : known);
  show();
  unsettled.add(of.id);
  const kept = (async () => {
    // Only five placements of an own game are kept; the search knows the others.
    const exact = known.least && !of.complete ? await search : null;
    if (puzzle === of) verdict(place, exact ?? known);
    await learn(of, isRight((exact ?? known).share), answer);
  })().finally(() => unsettled.delete(of.id));
  settled = Promise.allSettled([settled, kept]).then(() => {});
  await kept;
}

/** Says what an answer is worth; null while that is not known. @param {Place} place @param {{share: number, loss: number, least: boolean} | null} known */
function verdict(place, known) {
  const kind = known ? classOf(known.share) : null;
  at("train-grade").textContent = kind ? WORDS.grades[kind] : WORDS.judging;
  at("train-grade").className = `grade ${kind ?? ""}`;
  const points = plural(known?.loss ?? 0, "point"), complete = puzzle?.complete;
  const lost = !known ? "" : known.least ? (complete ? WORDS.losesUnknown : WORDS.losesMore(points)) : Math.round(known.loss) > 0 ? WORDS.loses(points) : WORDS.losesNothing;
  at("train-lost").textContent = known ? `${placeText(place)} ${lost}.` : "";
  at("train-where").textContent = known && !known.least && Math.round(known.loss) > 0 ? WORDS.short(placeText(place), `−${number(known.loss)}`) : placeText(place);
}

/** Writes down an answer. @param {Puzzle} of @param {boolean} right @param {{number: number, repeated: boolean}} answer Which one it is, and whether the position was asked before. */
async function learn(of, right, { number, repeated }) {
  const again = missed.includes(of.id);
  missed = missed.filter((id) => id !== of.id);
  if (!right) missed.push(of.id);
  const date = new Date(now()).toDateString();
  const count = (strength.today === date ? strength.count : 0) + 1;
  // Only the first answer says how strong somebody is.
  const stronger = repeated ? strength : rated(strength, [{ rating: of.rating, deviation: POSITION_DEVIATION, score: right ? 1 : 0 }]);
  strength = { ...strength, ...stronger, today: date, count };
  // A repetition in the same session changes nothing of the schedule.
  const before = cards.get(of.id);
  const changed = again && before && !isDue(before, now()) ? before : answered(before, of.id, right, now());
  cards.set(of.id, changed);
  if (puzzle === of) at("train-again").textContent = (right ? WORDS.again : WORDS.againSoon)(changed.scheduled_days);
  counts();
  await painted();
  await Promise.all([store.put("cards", changed), store.put("facts", strength)]);
  at("train").dataset.written = String(number);
}

/** Shows what becomes of an answer and of the best placement, at once. @param {Place} place @param {import("./puzzles.js").Choice | null} choice */
function reveal(place, choice) {
  const of = /** @type {Puzzle} */ (puzzle), best = of.choices[0];
  const why = choice?.why ?? [];
  const { from, played } = of;
  at("train-why").textContent = [
    why.length > 0 ? WORDS.youWrote(listed(why)) : "",
    from ? WORDS.inGame(placeText(from.played), plural(from.played.loss, "point")) + (from.played.why?.length ? ` ${WORDS.youWrote(listed(from.played.why))}` : "") : "",
    played ? WORDS.confirmed(number(played.games), number(played.ahead), number(played.error)) : "",
  ].filter(Boolean).join(" ");
  /** @type {[string, Place, Place | null | undefined][]} */
  const both = [["yours", place, choice?.reply], ["best", best, best.reply]];
  for (const [name, where, reply] of both) two(name, where, reply ?? null);
  at("train-again").textContent = "";
  at("train-answer").hidden = false;
  at("train-hint").hidden = true;
  /** @type {HTMLInputElement} */ (at("play-level")).value = String(of.level);
}

/** One of the two boards: after the placement, with the next piece on it. @param {string} name @param {Place} place @param {Place | null} reply */
function two(name, place, reply) {
  const { board } = /** @type {Puzzle} */ (puzzle);
  paintBoard(`train-${name}`, after(board, place), reply ? [{ place: reply, kind: "ghost" }] : []);
  const words = `${name === "best" ? WORDS.best : WORDS.yours}: ${placeText(place)}${reply ? WORDS.thenNext(placeText(reply)) : ""}`;
  at(`train-${name}-text`).textContent = words;
  at(`train-${name}`).setAttribute("aria-label", words);
}

/** Shows what both make of the pieces after the next one, as soon as the search has worked it out. Returns what the answer lost.
 * @param {Puzzle} of @param {Place} place @returns {Promise<{share: number, loss: number, least: boolean} | null>} Null if the search does not know. */
async function further(of, place) {
  const best = of.choices[0], mine = asked;
  at("train-replies").textContent = WORDS.searching;
  await painted();
  const ranked = await rank({ board: drawing(of.board), piece: of.piece, next: of.next || null, level: of.level, lines: of.lines, taps: of.taps, player: "maxout-fast" });
  const loss = ranked?.find((other) => covers(other, place))?.loss;
  const known = loss === undefined ? null : { share: loss / (1200 * (of.level + 1)), loss, least: false };
  if (asked !== mine) return known;
  if (!ranked) {
    at("train-replies").textContent = WORDS.waitWeights;
    return null;
  }
  const find = (/** @type {Place} */ one) => ranked.find((other) => covers(other, one));
  const [yours, theirs] = [find(place), find(best)];
  for (const [name, where, found] of /** @type {[string, Place, Ranked | undefined][]} */ ([["yours", place, yours], ["best", best, theirs]])) {
    if (found?.reply) two(name, where, found.reply);
  }
  const table = document.createElement("table");
  const rows = [["", WORDS.yours, WORDS.best], ...[...PIECES].map((letter) => [letter, ...[yours, theirs].map((one) => {
    const reply = one?.replies[letter];
    return reply ? spanText(reply) : WORDS.noRoom;
  })])];
  rows.forEach((texts, k) => {
    const row = table.insertRow();
    texts.forEach((text, column) => {
      const cell = document.createElement(k === 0 || column === 0 ? "th" : "td");
      if (cell.tagName === "TH") cell.setAttribute("scope", k === 0 ? "col" : "row");
      cell.textContent = text;
      row.append(cell);
    });
  });
  const caption = table.createCaption();
  caption.textContent = WORDS.replies;
  at("train-replies").replaceChildren(table);
  return known;
}

/** Begins to look at the gamepad. */
let look = () => {};

/** Reads what is kept, and asks. */
export async function enter() {
  await read();
  if (!puzzle || done || !puzzles.has(puzzle.id)) ask(pickNext());
  at("train").dataset.ready = String(puzzles.size);
  look();
}

/** Reads the games, the cards and the rating anew. */
export async function read() {
  // What is being written is not read before.
  await settled;
  // Without the built-in positions, because there is no network, one's own are left.
  const [games, kept, facts, builtIn] = await Promise.all([store.all("games"), store.all("cards"), store.get("facts", "strength"), set().catch(() => [])]);
  const own = /** @type {import("./games.js").Game[]} */ (games).flatMap(ofGame).filter(({ choices, board, piece }) => choices.length > 1 && places(board, piece).length > 0);
  puzzles = new Map([...own, ...builtIn].map((one) => [one.id, one]));
  cards = new Map(/** @type {(Card | import("./schedule.js").Older)[]} */ (kept).map(carried).filter((one) => one !== null).map((one) => [one.id, one]));
  strength = /** @type {typeof strength} */ (facts ?? { id: "strength", ...BEGINNER, today: "", count: 0 });
  missed = missed.filter((id) => cards.has(id));
  themes();
}

/** The themes to choose from, with how many positions each has; one without any cannot be chosen. */
function themes() {
  const before = chosen("train-theme"), source = chosen("train-source");
  const usable = [...puzzles.values()].filter(({ from }) => source === "all" || (source === "own") === (from !== null));
  const field = /** @type {HTMLSelectElement} */ (at("train-theme"));
  field.replaceChildren(...Object.entries(WORDS.themes).map(([value, text]) => {
    const count = value === "" ? usable.length : usable.filter((one) => one.themes.includes(value)).length;
    const option = new Option(WORDS.counted(text, count), value, false, value === before);
    option.disabled = count === 0 && value !== "" && value !== before;
    return option;
  }));
}

/** Positions to adjust on: one's own first, then the built-in ones, in an order of their own. @returns {Puzzle[]} */
export function positions() {
  const mixed = (/** @type {Puzzle[]} */ all) => all.map((one) => /** @type {const} */ ([Math.random() + (one.themes.includes("adjust") ? 1 : 0), one])).sort(([a], [b]) => b - a).map(([, one]) => one);
  const all = [...puzzles.values()];
  return [...mixed(all.filter(({ from }) => from !== null)), ...mixed(all.filter(({ from }) => from === null))];
}

/** @param {typeof rank} ranks Ranks the placements of a question, or null while the weights are on their way. @param {typeof playOn} plays */
export function begin(ranks, plays) {
  [rank, playOn] = [ranks, plays];
  makeBoard("train-board", "");
  makeBoard("train-yours", WORDS.yours);
  makeBoard("train-best", WORDS.best);
  at("train-source").append(...Object.entries(WORDS.sources).map(([value, text]) => new Option(text, value)));
  for (const id of ["train-source", "train-theme"]) at(id).addEventListener("change", () => {
    themes();
    ask(pickNext());
  });
  look = controls("train", act, tap);
  at("train-play").addEventListener("click", () => {
    if (!puzzle) return;
    const level = Math.min(255, Math.max(0, Math.round(Number(/** @type {HTMLInputElement} */ (at("play-level")).value))));
    const against = chosen("play-against");
    playOn({ board: drawing(puzzle.board), piece: puzzle.piece, next: puzzle.next, level, lines: puzzle.lines, taps: puzzle.taps, against });
  });
}
