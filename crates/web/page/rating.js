// What your own placements lost: shown when you hold the controller, and afterwards.

import { cellsText, placeText } from "./puzzles.js";
import { decimal, gradeName, gradesText, listed, plural } from "./text.js";
import { WORDS } from "./words.js";

/** @typedef {import("./stage.js").Scene} Scene */

/** Why a placement is not the best, and where the best is. @param {import("./stage.js").Rating} rating */
export function better(rating) {
  const why = rating.why.length > 0 ? ` ${WORDS.youWrote(listed(rating.why))}` : "";
  return `${why}${rating.class === "best" ? "" : ` ${WORDS.adjust.best(cellsText(rating.piece, rating.cells.map(([row, column]) => [column, row])))}`}`;
}

/** Words for the last placement. @param {Scene["rating"]} rating */
function words(rating) {
  if (!rating) return WORDS.rated.none;
  const lost = Math.round(rating.loss) > 0 ? WORDS.rated.loses(plural(rating.loss, "point")) : WORDS.rated.losesNothing;
  const fast = rating.within_limits ? "" : WORDS.rated.tooFast;
  const meant = rating.meant ? WORDS.race.meant(placeText(rating.meant)) : "";
  return `${WORDS.rated.piece(rating.number, gradeName(rating.name), lost)}${better(rating)}${fast}${meant}`;
}

/** @param {HTMLElement} card @param {Pick<Scene, "rating" | "ratings"> & Partial<Pick<Scene, "misdrops" | "pace">>} scene @param {boolean} hand Whether somebody plays now. */
export function rated(card, { rating, ratings, misdrops, pace }, hand) {
  card.hidden = !hand && !rating;
  if (card.hidden) return;
  const { measured, taps, noTaps } = WORDS.race;
  const texts = [words(rating), gradesText(ratings), misdrops === undefined ? "" : measured(WORDS.race.misdrops(misdrops), pace ? taps(decimal(pace)) : noTaps)];
  card.querySelectorAll("p").forEach((line, index) => {
    // A screen reader speaks what changes.
    if (line.textContent !== texts[index]) line.textContent = texts[index];
  });
  card.dataset.class = rating?.class ?? "";
}
