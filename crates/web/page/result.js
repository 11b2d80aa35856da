// The card that a game ends with.

import { clearsText, gradesText, number, plural } from "./text.js";
import { WORDS } from "./words.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));

/** The lines of this game, without those of the position that it began from. @param {Scene} scene */
export const cleared = ({ clears }) => clears.reduce((lines, count, row) => lines + count * (row + 1), 0);

/** @param {Scene} scene @param {string} stop The stop, in words. @param {{title: string, theirs: string} | null} race What ended a game from a position, and how the best player fared. */
function texts(scene, stop, race) {
  const seconds = Math.round(scene.frame / scene.frames_per_second);
  const lines = cleared(scene), rate = lines === 0 ? "" : WORDS.result.rate(Math.round((400 * scene.clears[3]) / lines));
  return {
    "result-title": race?.title ? race.title : scene.topped_out ? WORDS.result.toppedOut(scene.level) : WORDS.result.reached(stop),
    "result-score": number(scene.score),
    "result-lines": WORDS.result.lines(plural(lines, "line"), plural(scene.pieces, "piece"), `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`) + rate,
    "result-ghost": race?.theirs ?? "",
    "result-clears": clearsText(scene.clears),
    "result-rated": scene.rating ? WORDS.result.yours(gradesText(scene.ratings)) : "",
  };
}

/**
 * Shows the card, or hides it.
 * @param {Scene | null} scene The end of the game; null while it goes on.
 * @param {string} stop
 * @param {{title: string, theirs: string} | null} race
 * @param {boolean} focus Whether the card takes the focus, because somebody played.
 */
export function result(scene, stop, race, focus) {
  const card = at("result"), isNew = card.hidden && scene !== null;
  card.hidden = scene === null;
  if (!scene || !isNew) return;
  for (const [id, text] of Object.entries(texts(scene, stop, race))) {
    at(id).textContent = text;
    at(id).hidden = text === "";
  }
  if (focus) at("again").focus();
}
