// Words and numbers that all views share.

import { WORDS } from "./words.js";

/** @param {number} value */
export const number = (value) => Math.round(value).toLocaleString(WORDS.locale);

/** A number with digits after the point. @param {number} value */
export const decimal = (value, places = 1) => value.toLocaleString(WORDS.locale, { minimumFractionDigits: places, maximumFractionDigits: places });

/** @param {number} count @param {keyof typeof WORDS.nouns} noun */
export const plural = (count, noun) => `${number(count)} ${WORDS.nouns[noun][Math.round(count) === 1 ? 0 : 1]}`;

/** The name of a class, which the module calls by its English one. @param {string} name */
export const gradeName = (name) => WORDS.grades[/** @type {keyof typeof WORDS.grades} */ (name.toLowerCase())] ?? name;

/** How many placements are of each class. @param {[string, number][]} ratings */
export const gradesText = (ratings) => ratings.filter(([, count]) => count > 0).map(([name, count]) => `${gradeName(name)} ${count}`).join(", ");

/** Singles, doubles, triples and tetrises in words. @param {readonly number[]} clears */
export const clearsText = (clears) => /** @type {const} */ (["single", "double", "triple", "tetris"]).map((name, k) => plural(clears[k], name)).join(", ");

/** What a tetris pays on a level, by which losses are measured. @param {number} level */
export const oneTetris = (level) => WORDS.oneTetris(number(1200 * (level + 1)));

/** How much has been loaded. @param {number} loaded @param {number} total Bytes. */
export function megabytes(loaded, total) {
  const text = (/** @type {number} */ bytes) => decimal(bytes / 1e6);
  return WORDS.megabytes(text(loaded), text(total));
}

/** A list in words: “a, b and c”. @param {string[]} words */
export const listed = (words) => (words.length < 2 ? words.join("") : WORDS.and(words.slice(0, -1).join(", "), words[words.length - 1]));
