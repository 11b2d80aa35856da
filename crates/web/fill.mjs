// Puts the words of words.js into the pages of a folder, and takes out of words.js there what only the pages need.
//
// usage: node fill.mjs FOLDER [WORDS]
//
// WORDS is another words.js, for example a translation.

import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const [folder, other] = process.argv.slice(2);
const source = readFileSync(other ?? join(folder, "words.js"), "utf8");
const { WORDS, PAGE } = await import(`data:text/javascript,${encodeURIComponent(source)}`);

function fail(text) {
  console.error(`fill.mjs: ${text}`);
  process.exit(1);
}

const used = new Set();
/** The word of a path, of the pages first. */
function word(path, file) {
  const found = [PAGE, WORDS].map((words) => path.split(".").reduce((part, name) => part?.[name], words)).find((one) => typeof one === "string");
  if (found === undefined) fail(`${file}: no word ${path}, expected one of words.js`);
  used.add(path);
  return found;
}

for (const file of ["index.html", "overlay.html", "maxout.webmanifest"]) {
  const quoted = file.endsWith(".html") ? (text) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;") : (text) => JSON.stringify(text).slice(1, -1);
  const filled = readFileSync(join(folder, file), "utf8")
    .replace(/"\{\{([\w.]+)\}\}"/g, (_, path) => `"${quoted(word(path, file))}"`)
    .replace(/\{\{([\w.]+)\}\}/g, (_, path) => word(path, file));
  if (filled.includes("{{")) fail(`${file}: a word is left to fill, expected {{view.name}}`);
  writeFileSync(join(folder, file), filled);
}
for (const [view, words] of Object.entries(PAGE)) for (const name of Object.keys(words)) {
  if (!used.has(`${view}.${name}`)) fail(`words.js: no page has ${view}.${name}`);
}
const end = source.indexOf("\n// The words of index.html");
if (end < 0) fail("words.js: expected the words of the scripts, then a line that begins with \"// The words of index.html\"");
writeFileSync(join(folder, "words.js"), source.slice(0, end));
