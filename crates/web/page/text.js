// Words and numbers that all views share.

/** @param {number} value */
export const number = (value) => Math.round(value).toLocaleString("en");

/** @param {number} count @param {string} one @param {string} [many] */
export const plural = (count, one, many = `${one}s`) => `${number(count)} ${Math.round(count) === 1 ? one : many}`;

/** Singles, doubles, triples and tetrises in words. @param {readonly number[]} clears */
export const clearsText = (clears) => ["single", "double", "triple", "tetris"]
  .map((name, k) => plural(clears[k], name, name === "tetris" ? "tetrises" : `${name}s`)).join(", ");

/** What a tetris pays on a level, by which losses are measured. @param {number} level */
export const oneTetris = (level) => `One tetris here = ${number(1200 * (level + 1))}.`;

/** How much has been loaded. @param {number} loaded @param {number} total Bytes. */
export function megabytes(loaded, total) {
  const text = (/** @type {number} */ bytes) => (bytes / 1e6).toFixed(1);
  return `${text(loaded)} of ${text(total)} MB`;
}

/** A list in words: “a, b and c”. @param {string[]} words */
export const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);
