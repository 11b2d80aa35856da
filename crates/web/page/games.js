// My games: what is kept of reviewed games, trends, two games side by side, and a game as a picture.

import { cellsOf, pieceOf } from "./puzzles.js";
import * as store from "./store.js";
import { decimal, number, plural } from "./text.js";
import { WORDS } from "./words.js";

/** @typedef {import("./puzzles.js").Choice} Choice */
/** @typedef {{number: number, board: string, piece: string, next: string, level: number, lines: number, choices: Choice[], played: Choice, adjust: boolean, why: string[]}} Moment */
/** @typedef {{name: string, lost: number, count: number}} Cause */
/** @typedef {{pieces: number, accuracy: number, lost: number}} Part A range of levels. */
/**
 * @typedef {object} Game
 * @property {string} id
 * @property {string} name
 * @property {number} at When it was reviewed, in milliseconds.
 * @property {string} taps By which it was judged.
 * @property {number} score
 * @property {number} lines
 * @property {number} rate
 * @property {number} burns
 * @property {number} level The highest one.
 * @property {number | null} pace Taps a second.
 * @property {Record<string, Part>} parts
 * @property {Cause[]} causes
 * @property {number[]} classes
 * @property {Moment[]} moments The costliest placements.
 * @property {{board: string, piece: string, next: string, level: number, lines: number}} [start] Where it went on from, if it did not begin on an empty board.
 */
/** A review as the page of a review gets it, as far as it is used here.
 * @typedef {{placement: {x: number, y: number, orientation: number}, loss: number, why: string[]}} Alternative
 * @typedef {{level: number, lines: number, piece: string, next: string | null, board: string[], class: string, loss: number, why: string[], missed_adjustment: boolean, played: {placement: {x: number, y: number, orientation: number}}, alternatives: Alternative[]}} Placed
 * @typedef {{summary: {line_points: number, lines: number, tetris_rate: number, accuracy: number, habits: {name: string, lost: number, pieces: number[]}[]}, phases: {phase: string, pieces: number, accuracy: number, lost: number, classes: number[]}[], taps: string, placements: Placed[]}} Review
 */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
/** How many moments of a game are kept for training. */
const MOMENTS = 20;
/** The classes that are worth training. */
const COSTLY = ["inaccuracy", "mistake", "blunder"];

/** A number that tells texts apart (FNV-1a, twice). @param {string} text */
function fingerprint(text) {
  let [a, b] = [0x811c9dc5, 0x9e3779b9];
  for (let k = 0; k < text.length; k++) {
    a = Math.imul(a ^ text.charCodeAt(k), 0x01000193) >>> 0;
    b = Math.imul(b ^ text.charCodeAt(k), 0x85ebca6b) >>> 0;
  }
  return a.toString(16).padStart(8, "0") + b.toString(16).padStart(8, "0");
}

/** @param {string[]} rows */
const whole = (rows) => rows.slice(-20).join("").padStart(200, ".");

/** The position of a placement, to play on from. @param {Placed} placed */
const startOf = ({ board, piece, next, level, lines }) => ({ board: whole(board), piece, next: next ?? "", level, lines });

/** What is kept of a reviewed game. @param {Review} review @param {string} name @param {number | null} pace @param {number} now @returns {Game} */
export function of({ summary, phases, taps, placements }, name, pace, now) {
  const moves = placements.map(({ played: { placement: { x, y, orientation } } }) => `${x}.${y}.${orientation}`).join();
  const first = placements[0], last = placements[placements.length - 1];
  const ends = first.lines + summary.lines;
  const cleared = placements.map(({ lines }, k) => (placements[k + 1]?.lines ?? ends) - lines);
  const moments = placements.map((placed, k) => ({ placed, number: k + 1 }))
    .filter(({ placed }) => COSTLY.includes(placed.class) && placed.alternatives.length > 1)
    .sort((a, b) => b.placed.loss - a.placed.loss).slice(0, MOMENTS)
    .map(({ placed, number }) => ({
      number, board: whole(placed.board), piece: placed.piece, next: placed.next ?? "", level: placed.level, lines: placed.lines,
      choices: placed.alternatives.map(({ placement, loss, why }) => ({ ...placement, loss, why })),
      played: { ...placed.played.placement, loss: placed.loss, why: placed.why }, adjust: placed.missed_adjustment, why: placed.why,
    }));
  return {
    id: fingerprint(`${taps} ${moves}`), name, at: now, taps, score: Math.round(summary.line_points), lines: summary.lines, rate: summary.tetris_rate,
    burns: cleared.filter((lines) => lines >= 1 && lines <= 3).reduce((sum, lines) => sum + lines, 0), level: last.level, pace,
    parts: Object.fromEntries(phases.map(({ phase, pieces, accuracy, lost }) => [phase, { pieces, accuracy, lost }])),
    causes: summary.habits.map(({ name, lost, pieces }) => ({ name, lost, count: pieces.length })),
    classes: phases[0]?.classes ?? [], moments, ...(first.lines > 0 || first.board.some((row) => /[^.]/.test(row)) ? { start: startOf(first) } : {}),
  };
}

/** Keeps the games of a review. @param {string} page What the page of the review gets. @param {string} name @param {number | null} pace @param {string} taps As the page's own choice names them. */
export async function keep(page, name, pace, taps) {
  const { reviews } = /** @type {{reviews: Review[]}} */ (JSON.parse(page));
  const usable = reviews.filter(({ phases, placements }) => phases.length > 0 && placements.length > 0);
  for (const [k, review] of usable.entries()) {
    const title = usable.length > 1 ? `${name}, game ${k + 1}` : name;
    const game = { ...of(review, title, pace, Date.now()), taps };
    await store.put("games", game);
    await store.put("pages", /** @type {store.Page} */ ({ id: game.id, packed: await store.pack(page) }));
  }
  return usable.length;
}

const day = (/** @type {number} */ ms) => new Date(ms).toLocaleDateString(WORDS.locale, { day: "numeric", month: "short", year: "numeric" });
/** The Monday of a week, in milliseconds. @param {number} ms */
function week(ms) {
  const date = new Date(ms);
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() - ((date.getDay() + 6) % 7)).getTime();
}
/** The name of a game, with the taps that it was judged by if those are not the usual ones. @param {Game} game */
const title = ({ name, taps }) => (taps ? `${name}, ${taps.replace("hz", " Hz")}` : name);
const percent = (/** @type {number} */ share) => (100 * share).toFixed(0);

/** The numbers of a game that trends are made of; null where there is none.
 * @type {Record<keyof typeof WORDS.metrics, {of: (game: Game, part: Part) => number | null, text: (value: number) => string, ranged: boolean, whole?: boolean}>} `whole`: games from a position have less of it. */
const METRICS = {
  score: { of: ({ score }) => score, text: number, ranged: false, whole: true },
  accuracy: { of: (_, part) => part.accuracy, text: (value) => decimal(value), ranged: true },
  rate: { of: ({ rate }) => 100 * rate, text: (value) => value.toFixed(0), ranged: false },
  burns: { of: ({ burns }) => burns, text: (value) => value.toFixed(0), ranged: false, whole: true },
  lost: { of: (_, { lost, pieces }) => lost / Math.max(1, pieces), text: number, ranged: true },
  pace: { of: ({ pace }) => pace, text: (value) => decimal(value), ranged: false },
};
/** @typedef {keyof typeof METRICS} Metric */
const NAMES = /** @type {Metric[]} */ (Object.keys(METRICS));

/** A number of a game, for a range of levels. @param {Metric} metric @param {Game} game @param {string} range */
function value(metric, game, range) {
  const part = game.parts[range];
  return part && part.pieces > 0 ? METRICS[metric].of(game, part) : null;
}

/** The same for a trend, to which games from a position do not belong if they have less of it. @param {Metric} metric @param {Game} game @param {string} range */
const trended = (metric, game, range) => (game.start && METRICS[metric].whole ? null : value(metric, game, range));

/** The mean of some numbers of games; null of nothing. @param {(number | null)[]} values */
export function mean(values) {
  const known = values.filter((one) => one !== null);
  return known.length === 0 ? null : known.reduce((sum, one) => sum + one, 0) / known.length;
}

/** Each game once, as it was reviewed last: one that is judged by several tap speeds is one game for trends. @param {Game[]} games The last review last. */
export const once = (games) => [...new Map(games.map((game) => [JSON.stringify([game.name, game.score, game.lines, game.parts.all?.pieces, game.start]), game])).values()];

/** Games by week, the last week first. Numbers of whole games are null for a range of levels. @param {Game[]} games @param {string} range */
export function weeks(games, range) {
  const starts = [...new Set(games.map(({ at }) => week(at)))].sort((a, b) => b - a);
  return starts.map((start) => {
    const own = games.filter(({ at, parts }) => week(at) === start && parts[range]?.pieces > 0);
    return { start, games: own.length, means: NAMES.map((metric) => (range === "all" || METRICS[metric].ranged ? mean(own.map((game) => trended(metric, game, range))) : null)) };
  });
}

/** @param {string} tag @param {string} text @param {Record<string, string>} [attributes] */
function element(tag, text = "", attributes = {}) {
  const made = document.createElement(tag);
  made.textContent = text;
  for (const [name, of] of Object.entries(attributes)) made.setAttribute(name, of);
  return made;
}

/** @param {HTMLElement} table @param {string[]} head @param {string[][]} rows */
function fill(table, head, rows) {
  const line = (/** @type {string[]} */ texts, /** @type {boolean} */ isHead) => {
    const row = document.createElement("tr");
    row.append(...texts.map((text, k) => (isHead ? element("th", text, { scope: "col" }) : k === 0 ? element("th", text, { scope: "row" }) : element("td", text))));
    return row;
  };
  const [top, body] = [document.createElement("thead"), document.createElement("tbody")];
  top.append(line(head, true));
  body.append(...rows.map((row) => line(row, false)));
  table.replaceChildren(top, body);
}

const shown = (/** @type {Metric} */ metric, /** @type {number | null} */ one) => (one === null ? WORDS.unknown : METRICS[metric].text(one));

const SVG = "http://www.w3.org/2000/svg";
/** A line from game to game. @param {(number | null)[]} values @param {string} label @param {(value: number) => string} text */
function chart(values, label, text) {
  const host = at("trend-chart");
  const known = values.map((one, k) => /** @type {const} */ ([k, one])).filter((pair) => pair[1] !== null);
  const [width, height, left] = [600, 150, 4];
  const figures = known.map(([, one]) => Number(one));
  const [low, high] = [Math.min(...figures), Math.max(...figures)], span = high - low || 1;
  host.setAttribute("aria-label", `${label}: ${figures.map(text).join(", ") || WORDS.unknown}`);
  host.replaceChildren();
  const x = (/** @type {number} */ k) => left + 6 + (k * (width - 2 * left - 12)) / Math.max(1, values.length - 1);
  const y = (/** @type {number} */ one) => height - 26 - ((one - low) / span) * (height - 56);
  const draw = (/** @type {string} */ tag, /** @type {Record<string, string | number>} */ attributes, words = "") => {
    const made = document.createElementNS(SVG, tag);
    for (const [name, of] of Object.entries(attributes)) made.setAttribute(name, String(of));
    made.textContent = words;
    host.append(made);
  };
  draw("line", { x1: left, x2: width - left, y1: height - 26, y2: height - 26, class: "axis" });
  if (known.length > 1) draw("polyline", { points: known.map(([k, one]) => `${x(k)},${y(Number(one))}`).join(" "), class: "trend" });
  for (const [k, one] of known) draw("circle", { cx: x(k), cy: y(Number(one)), r: 4, class: "dot" });
  if (known.length > 0) {
    const [k, one] = known[known.length - 1];
    draw("text", { x: x(k), y: y(Number(one)) - 10, "text-anchor": known.length > 1 ? "end" : "start", class: "label" }, text(Number(one)));
  }
}

/** Points lost by cause, over all games. @param {Game[]} games */
export function causes(games) {
  /** @type {Map<string, Cause>} */
  const sums = new Map();
  for (const { causes } of games) for (const { name, lost, count } of causes) {
    const sum = sums.get(name) ?? { name, lost: 0, count: 0 };
    sums.set(name, { name, lost: sum.lost + lost, count: sum.count + count });
  }
  const all = games.reduce((sum, { parts }) => sum + (parts.all?.lost ?? 0), 0);
  const named = [...sums.values()].sort((a, b) => b.lost - a.lost);
  const rest = all - named.reduce((sum, { lost }) => sum + lost, 0);
  return rest > 0.5 && named.length > 0 ? [...named, { name: WORDS.others, lost: rest, count: 0 }] : named;
}

/** @type {Game[]} */
let games = [];
/** The games that are compared. @type {string[]} */
let compared = [];
/** Opens the page of a review. @type {(page: string, name: string) => void} */
let openReview = () => {};
/** Goes on from a position. @type {(position: import("./train.js").Position) => void} */
let playOn = () => {};

/** @param {string} text */
const say = (text) => (at("games-status").textContent = text);

/** @param {Blob} blob @param {string} name */
function save(blob, name) {
  const url = URL.createObjectURL(blob), anchor = document.createElement("a");
  [anchor.href, anchor.download] = [url, name];
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

/** @param {Game} game */
function item(game) {
  const row = document.createElement("li"), pick = /** @type {HTMLInputElement} */ (element("input", "", { type: "checkbox", "aria-label": WORDS.select(title(game)) }));
  pick.checked = compared.includes(game.id);
  pick.addEventListener("change", () => {
    compared = [...compared.filter((id) => id !== game.id), ...(pick.checked ? [game.id] : [])].slice(-2);
    paint();
  });
  const words = element("div");
  const rate = game.lines > 0 ? WORDS.result.rate(percent(game.rate)) : "";
  words.append(element("b", title(game)), element("p", `${day(game.at)}: ${plural(game.score, "point")}, ${WORDS.accuracy(decimal(game.parts.all.accuracy))}${rate}, ${plural(game.classes[4] ?? 0, "mistake")}, ${plural(game.classes[5] ?? 0, "blunder")}`, { class: "sub" }));
  const buttons = element("div", "", { class: "row" }), { start } = game;
  /** @type {[string, () => Promise<void>][]} */
  const acts = [
    [WORDS.open, async () => {
      const kept = /** @type {store.Page | undefined} */ (await store.get("pages", game.id));
      if (kept) openReview(await store.unpack(kept.packed), game.name);
    }],
    ...(start ? [/** @type {[string, () => Promise<void>]} */ ([WORDS.playStart, async () => playOn({ ...start, taps: game.taps })])] : []),
    [WORDS.card, async () => save(await picture(game), `maxout-${game.id}.png`)],
    [WORDS.remove, async () => {
      await store.removeGame(game.id);
      say(WORDS.removed(title(game)));
      await enter();
      at("games-title").focus();
    }],
  ];
  buttons.append(...acts.map(([text, act]) => {
    const button = element("button", text, { type: "button", "aria-label": `${text}: ${title(game)}` });
    button.addEventListener("click", act);
    return button;
  }));
  row.append(pick, words, buttons);
  row.dataset.id = game.id;
  return row;
}

function paint() {
  const range = /** @type {HTMLSelectElement} */ (at("trend-range")).value, metric = /** @type {Metric} */ (/** @type {HTMLSelectElement} */ (at("trend-metric")).value);
  const sorted = [...games].sort((a, b) => a.at - b.at), distinct = once(sorted);
  at("no-games").hidden = games.length > 0;
  at("with-games").hidden = games.length === 0;
  at("kept-games").replaceChildren(...sorted.toReversed().map(item));
  const { text, ranged } = METRICS[metric];
  /** @type {HTMLSelectElement} */ (at("trend-range")).disabled = !ranged;
  const chosen = /** @type {keyof typeof WORDS.ranges} */ (ranged ? range : "all"), label = WORDS.chart(WORDS.metrics[metric], WORDS.ranges[chosen]);
  at("trend-caption").textContent = label;
  chart(distinct.map((game) => trended(metric, game, chosen)), label, text);
  const heads = NAMES.map((name) => WORDS.metrics[name]);
  fill(at("weeks"), [chosen === "all" ? WORDS.columns.week : `${WORDS.columns.week}, ${WORDS.ranges[chosen]}`, WORDS.columns.games, ...heads],
    weeks(distinct, chosen).filter(({ games }) => games > 0).map(({ start, games: count, means }) => [day(start), String(count), ...means.map((one, k) => shown(NAMES[k], one))]));
  const ranges = /** @type {(keyof typeof WORDS.ranges)[]} */ (Object.keys(WORDS.ranges)).filter((name) => distinct.some(({ parts }) => (parts[name]?.pieces ?? 0) > 0));
  fill(at("levels"), ["", WORDS.columns.pieces, WORDS.metrics.accuracy, WORDS.metrics.lost], ranges.map((name) => {
    const parts = distinct.map(({ parts }) => parts[name]).filter((part) => part?.pieces > 0);
    const pieces = parts.reduce((sum, part) => sum + part.pieces, 0);
    const weighed = (/** @type {(part: Part) => number} */ of) => parts.reduce((sum, part) => sum + of(part), 0) / pieces;
    return [WORDS.ranges[name], number(pieces), decimal(weighed(({ accuracy, pieces }) => accuracy * pieces)), number(weighed(({ lost }) => lost))];
  }));
  const listed = causes(distinct), most = Math.max(1, ...listed.map(({ lost }) => lost));
  at("causes").replaceChildren(...(listed.length === 0 ? [element("li", WORDS.noCauses)] : listed.map(({ name, lost }) => {
    const line = element("li"), bar = /** @type {HTMLMeterElement} */ (element("meter", "", { min: "0", max: String(Math.ceil(most)), "aria-label": name }));
    bar.value = lost;
    line.append(element("span", name), bar, element("b", number(lost)));
    return line;
  })));
  compare(sorted.filter(({ id }) => compared.includes(id)));
}

/** @param {Game[]} two */
function compare(two) {
  at("compare-hint").hidden = two.length === 2;
  at("compared").hidden = two.length !== 2;
  if (two.length !== 2) return;
  /** @type {[string, (game: Game) => string][]} */
  const rows = [
    [WORDS.columns.day, ({ at }) => day(at)], ...NAMES.map((name) => /** @type {[string, (game: Game) => string]} */ ([WORDS.metrics[name], (game) => shown(name, value(name, game, "all"))])),
    [WORDS.lines, ({ lines }) => number(lines)], [WORDS.highest, ({ level }) => String(level)],
    ...Object.values(WORDS.grades).map((name, k) => /** @type {[string, (game: Game) => string]} */ ([name, ({ classes }) => String(classes[k] ?? 0)])),
  ];
  fill(at("compared"), ["", ...two.map(title)], rows.map(([name, of]) => [name, ...two.map(of)]));
}

/** A board in a picture. @param {CanvasRenderingContext2D} pen @param {string} board @param {number} left @param {number} top @param {number} cell @param {(letter: string) => string} colour */
function drawBoard(pen, board, left, top, cell, colour) {
  for (let k = 0; k < 200; k++) {
    pen.fillStyle = colour(board[k]);
    pen.fillRect(left + (k % 10) * cell, top + Math.floor(k / 10) * cell, cell - 1, cell - 1);
  }
}

const TINTS = /** @type {Record<string, string>} */ ({ T: "#b184cb", J: "#6491d6", Z: "#db6a63", O: "#e3bf52", S: "#74b672", L: "#e2954f", I: "#5fbfcb", "#": "#a3a9b3", ".": "#191e25" });

/** The card of a game, to share. @param {Game} game @returns {Promise<Blob>} */
export async function picture(game) {
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 630];
  const pen = /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d"));
  const [worst] = game.moments;
  pen.fillStyle = "#15181d";
  pen.fillRect(0, 0, 1200, 630);
  const write = (/** @type {string} */ text, /** @type {number} */ x, /** @type {number} */ y, /** @type {number} */ size, colour = "#e9e6df", weight = 400) => {
    pen.fillStyle = colour;
    pen.font = `${weight} ${size}px system-ui, sans-serif`;
    pen.fillText(text, x, y, worst ? 700 : 1080);
  };
  write(title(game), 60, 96, 34, "#a3a9b3");
  write(number(game.score), 60, 200, 96, "#e9e6df", 700);
  write(WORDS.metrics.score, 60, 244, 28, "#a3a9b3");
  /** @type {[string, string][]} */
  const facts = [
    [WORDS.metrics.accuracy, decimal(game.parts.all.accuracy)], [WORDS.metrics.rate, percent(game.rate)], [WORDS.lines, number(game.lines)],
    [WORDS.metrics.burns, number(game.burns)], [WORDS.wrongOnes, String((game.classes[4] ?? 0) + (game.classes[5] ?? 0))],
    ...(game.pace ? [/** @type {[string, string]} */ ([WORDS.metrics.pace, decimal(game.pace)])] : []),
  ];
  facts.forEach(([name, text], k) => {
    const [x, y] = [60 + (k % 3) * 235, 330 + Math.floor(k / 3) * 120];
    pen.fillStyle = "#e9e6df";
    pen.font = "650 44px system-ui, sans-serif";
    pen.fillText(text, x, y, 215);
    pen.fillStyle = "#a3a9b3";
    pen.font = "400 21px system-ui, sans-serif";
    pen.fillText(name, x, y + 32, 215);
  });
  write(`${day(game.at)} · ${WORDS.cardMade}`, 60, 580, 24, "#a3a9b3");
  if (worst) {
    const cell = 25, [left, top] = [870, 60];
    drawBoard(pen, worst.board, left, top, cell, (letter) => TINTS[letter]);
    pen.fillStyle = TINTS[pieceOf(worst.played.orientation)];
    for (const [x, y] of cellsOf(worst.played)) if (y >= 0) pen.fillRect(left + x * cell, top + y * cell, cell - 1, cell - 1);
    pen.strokeStyle = "#ffffff";
    pen.lineWidth = 3;
    for (const [x, y] of cellsOf(worst.choices[0])) if (y >= 0) pen.strokeRect(left + x * cell + 1, top + y * cell + 1, cell - 3, cell - 3);
    pen.fillStyle = "#a3a9b3";
    pen.font = "400 21px system-ui, sans-serif";
    pen.fillText(`${WORDS.cardLost}: −${number(worst.played.loss)}`, left - 10, 592, 300);
  }
  return new Promise((done) => canvas.toBlob((blob) => done(/** @type {Blob} */ (blob)), "image/png"));
}

/** Shows what is kept. */
export async function enter() {
  games = await store.all("games");
  compared = compared.filter((id) => games.some((game) => game.id === id));
  if (!(await store.lasts())) say(WORDS.notLasting);
  paint();
  at("games").dataset.count = String(games.length);
}

/** @param {(page: string, name: string) => void} open Opens the page of a review. @param {() => void} changed Called when games came or went. @param {typeof playOn} play */
export function begin(open, changed, play) {
  [openReview, playOn] = [open, play];
  at("trend-metric").append(...NAMES.map((name) => new Option(WORDS.metrics[name], name)));
  at("trend-range").append(...Object.entries(WORDS.ranges).map(([name, text]) => new Option(text, name)));
  for (const id of ["trend-metric", "trend-range"]) at(id).addEventListener("change", paint);
  at("export").addEventListener("click", async () => save(await store.exported(), "maxout-games.json.gz"));
  /** @type {HTMLInputElement} */ (at("import")).addEventListener("change", async () => {
    const field = /** @type {HTMLInputElement} */ (at("import")), file = field.files?.[0];
    if (!file) return;
    field.value = "";
    try {
      const count = await store.imported(file);
      await enter();
      changed();
      say(WORDS.imported(plural(count, "game")));
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  });
  const sure = /** @type {HTMLDialogElement} */ (at("remove-all-sure"));
  at("remove-all").addEventListener("click", () => sure.showModal());
  sure.addEventListener("close", async () => {
    if (sure.returnValue !== "delete") return;
    await store.removeAll();
    await enter();
    changed();
    say(WORDS.removedAll);
  });
}
