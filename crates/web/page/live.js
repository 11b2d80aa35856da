// The game that is being read: what its last placement lost, and the figures so far.

import { better, rated } from "./rating.js";
import { decimal, gradeName, number } from "./text.js";
import { WORDS } from "./words.js";

/**
 * @typedef {object} Live LiveScene of crates/web/src/live.rs.
 * @property {number} game
 * @property {number} pieces
 * @property {number} waiting
 * @property {number} lines
 * @property {number} level
 * @property {import("./stage.js").Rating | null} rating
 * @property {[string, number][]} ratings
 * @property {number | null} accuracy
 * @property {number} lost
 * @property {number} line_points
 * @property {number} tetris_rate
 * @property {{hertz: number, hertz_se: number, das: boolean} | null} taps
 * @property {string} [refused] Why it is not rated.
 */

const NAMES = ["accuracy", "rate", "taps", "pieces", "lost", "lines"];

/** The figures of a game, by name. @param {Live} scene @returns {[string, string][]} */
const figures = ({ pieces, lines, level, accuracy, lost, tetris_rate: rate, taps }) => [
  ["accuracy", accuracy === null ? WORDS.unknown : `${decimal(accuracy)} %`], ["rate", lines > 0 ? `${Math.round(100 * rate)} %` : WORDS.unknown],
  ["taps", !taps ? WORDS.unknown : taps.das ? WORDS.held : WORDS.hertz(decimal(taps.hertz))],
  ["spread", taps ? `± ${decimal(taps.hertz_se)}` : ""],
  ["pieces", number(pieces)], ["lost", number(lost)], ["lines", `${number(lines)}, ${number(level)}`],
];

/** Shows a text, if the view has a place for it. @param {HTMLElement} card @param {string} name @param {string} text */
function put(card, name, text) {
  const place = card.querySelector(`#live-${name}`);
  if (place && place.textContent !== text) place.textContent = text;
}

/** Shows the game. Without one it says something instead. @param {HTMLElement} card @param {Live | null} scene @param {string} [instead] */
export function live(card, scene, instead = "") {
  if (scene?.refused) return live(card, null, scene.refused);
  rated(card, scene ?? { rating: null, ratings: [] }, true);
  const rating = scene?.rating ?? null, loss = rating?.loss ?? 0;
  put(card, "grade", rating ? gradeName(rating.name) : "");
  put(card, "loss", loss >= 0.5 ? `−${number(loss)}` : "");
  put(card, "better", rating ? better(rating) : "");
  // For whoever looks from outside.
  card.dataset.loss = String(loss);
  if (!scene) [card.querySelectorAll("p")[0].textContent, card.dataset.number] = [instead, ""];
  else card.dataset.number = String(scene.rating?.number ?? "");
  for (const [name, text] of scene ? figures(scene) : NAMES.map((name) => [name, WORDS.unknown])) put(card, name, text);
  if (!scene) put(card, "spread", "");
}
