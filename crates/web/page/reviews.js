// Games that somebody opens: a worker reviews them, and the page review.html shows them. That page asks for its data by a
// channel, so nothing leaves this browser and nothing is kept when both are closed.

import * as games from "./games.js";
import { megabytes, plural } from "./text.js";
import { WORDS as SAID } from "./words.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
const GAME = /\.(fm2|fm3|bk2|tasproj|ngf|gz|zip|json|txt)$/i;
/** Bytes that a file may have. */
const MOST = 32 << 20;
/** How many reviews are kept. */
const KEPT = 8;
const WORDS = { load: "Loading the learned weights", play: "Playing the movie", judge: "Judging the placements" };

const channel = new BroadcastChannel("maxout-review");
/** The data of the pages, by their keys. @type {Map<string, string>} */
const pages = new Map();
/** @type {Worker | null} */
let worker = null;
/** The game that was reviewed last, for another tap speed. @type {{files: File[], image: ArrayBuffer | null, taps: string} | null} */
let latest = null;
const speed = () => /** @type {HTMLSelectElement} */ (at("review-taps")).selectedOptions[0];

channel.onmessage = (/** @type {MessageEvent} */ { data }) => {
  const page = pages.get(data.ask);
  if (page) channel.postMessage({ key: data.ask, page });
};

/** @param {string} status @param {string} [problem] */
function say(status, problem = "") {
  at("review-status").textContent = status;
  at("review-message").textContent = problem;
  at("review-message").hidden = problem === "";
}

function end() {
  worker?.terminate();
  worker = null;
  at("review-part").hidden = true;
}

/** What a review says of its games, in a line. @param {string} page */
function summary(page) {
  /** @type {{phases: {accuracy: number, classes: number[]}[], balance: {to_level: number, expected: number, lost: number, luck: number, made: number, left: number}[], placements: unknown[]}[]} */
  const games = JSON.parse(page).reviews;
  const points = (/** @type {number} */ value) => Math.round(Math.abs(value)).toLocaleString("en");
  return games.filter(({ phases }) => phases.length > 0).map(({ phases: [{ accuracy, classes }], balance, placements }) => {
    const sums = balance.map(({ to_level: level, expected, lost, luck, made, left }) =>
      `, up to level ${level} ${points(expected)} points to expect − ${points(lost)} lost ${luck < 0 ? "−" : "+"} ${points(luck)} luck = ${points(made + left)}`);
    return `${plural(placements.length, "placement")}, accuracy ${accuracy.toFixed(1)} %, ${plural(classes[4], "mistake")}, ${plural(classes[5], "blunder")}${sums.join("")}`;
  }).join("; ");
}

/** Makes the page of a review ready, and returns its address. @param {string} page */
export function address(page) {
  const key = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  pages.set(key, page);
  if (pages.size > KEPT) pages.delete(/** @type {string} */ (pages.keys().next().value));
  return `review.html?${key}`;
}

/** @param {string} name @param {{value: string, text: string}} taps @param {{page: string, note: string, pace: number | null}} done */
async function finish(name, { value, text: taps }, { page, note, pace }) {
  const item = document.createElement("li"), link = document.createElement("a");
  Object.assign(link, { href: address(page), target: "_blank", rel: "noopener", textContent: `${name}, ${taps}` });
  item.append(link, `: ${summary(page)}${note ? ` (${note})` : ""}`);
  at("reviewed").prepend(item);
  say("Done. The link opens the review in a tab of its own.");
  link.focus();
  try {
    await games.keep(page, name, pace, value);
    at("review-on").hidden = false;
    say(`Done. The link opens the review in a tab of its own. ${SAID.kept(name)}`);
  } catch (error) {
    // A full disk does not spoil the review.
    say(`Done. The link opens the review in a tab of its own. It could not be kept: ${error instanceof Error ? error.message : error}`);
  }
}

/** Offers the last game at another tap speed, if one is chosen. */
function offer() {
  const again = at("review-again"), { value, text } = speed();
  again.hidden = !latest || latest.taps === value;
  again.textContent = `Review ${latest?.files[0].name ?? ""} at ${text}`;
}

at("review-taps").addEventListener("change", offer);
at("review-again").addEventListener("click", () => {
  if (latest) open(latest.files, latest.image);
});

/** Whether these files are a game to review. @param {File[]} files */
export const isGame = (files) => files.length > 0 && files.every(({ name }) => GAME.test(name));

/**
 * Reviews a game: one file, or run.json and buttons.txt.
 * @param {File[]} files
 * @param {ArrayBuffer | null} image The cartridge, if it is not the test cartridge.
 */
export async function open(files, image) {
  end();
  const log = files.find(({ name }) => /\.txt$/i.test(name));
  const rest = files.filter((file) => file !== log);
  const [file] = rest;
  const large = files.find(({ size }) => size > MOST);
  if (rest.length !== 1) {
    say("", `${files.map(({ name }) => name).join(", ")}: expected one movie or recording, or run.json and buttons.txt together`);
    return;
  }
  if (large) {
    say("", `${large.name}: file has ${large.size} bytes, expected at most ${MOST}`);
    return;
  }
  say(`${file.name}: reading`);
  const [bytes, buttons] = [await file.arrayBuffer(), (await log?.arrayBuffer()) ?? null];
  const { value: taps, text } = speed();
  latest = { files, image, taps };
  offer();
  const mine = worker = new Worker("reviewer.js", { type: "module" });
  /** @type {HTMLProgressElement} */
  const bar = at("review-part");
  bar.hidden = false;
  mine.onerror = () => {
    end();
    say("", "The review could not be started.");
  };
  mine.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.type === "progress") {
      bar.value = data.part;
      const size = data.stage === "load" ? `, ${megabytes(data.loaded, data.total)}` : "";
      const words = `${file.name}: ${WORDS[/** @type {keyof WORDS} */ (data.stage)]}${size}`;
      // A screen reader speaks what changes.
      if (at("review-status").textContent !== words) say(words);
      return;
    }
    end();
    if (data.type === "done") finish(file.name, { value: taps, text }, data);
    else say("", data.text);
  };
  mine.postMessage({ name: file.name, file: bytes, log: buttons, image, taps }, buttons ? [bytes, buttons] : [bytes]);
}
