// Games that somebody opens: a worker reviews them, and the page review.html shows them. That page asks for its data by a
// channel, so nothing leaves this browser and nothing is kept when both are closed.

import * as games from "./games.js";
import { live } from "./live.js";
import { decimal, megabytes, plural } from "./text.js";
import * as video from "./video.js";
import { WORDS as SAID } from "./words.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
const VIDEO = /\.(mp4|webm|mkv|mov|m4v|ogv)$/i;
const GAME = /\.(fm2|fm3|bk2|tasproj|ngf|gz|zip|json|txt)$/i;
/** Bytes that a file may have. */
const MOST = 32 << 20;
/** How many reviews are kept. */
const KEPT = 8;

const channel = new BroadcastChannel("maxout-review");
/** The data of the pages, by their keys. @type {Map<string, string>} */
const pages = new Map();
/** @type {Worker | null} */
let worker = null;
/** Ends the video that is being read. @type {AbortController | null} */
let watching = null;
/** The game that was reviewed last, for another tap speed. @type {{files: File[], image: ArrayBuffer | null, taps: string, pace: number | null} | null} */
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
  watching?.abort();
  watching = null;
  live(at("live"), null, "");
  for (const id of ["review-part", "review-video", "review-stop", "live"]) at(id).hidden = true;
}

/** What a review says of its games, in a line. @param {string} page */
function summary(page) {
  /** @type {{phases: {accuracy: number, classes: number[]}[], balance: {to_level: number, expected: number, lost: number, luck: number, made: number, left: number}[], placements: unknown[]}[]} */
  const games = JSON.parse(page).reviews;
  const points = (/** @type {number} */ value) => Math.round(Math.abs(value)).toLocaleString(SAID.locale);
  return games.filter(({ phases }) => phases.length > 0).map(({ phases: [{ accuracy, classes }], balance, placements }) => {
    const sums = balance.map(({ to_level: level, expected, lost, luck, made, left }) =>
      SAID.review.balance(level, points(expected), points(lost), `${luck < 0 ? "−" : "+"} ${points(luck)}`, points(made + left)));
    return `${plural(placements.length, "placement")}, ${SAID.accuracy(decimal(accuracy))}, ${plural(classes[4], "mistake")}, ${plural(classes[5], "blunder")}${sums.join("")}`;
  }).join("; ");
}

/** Makes the page of a review ready, and returns its address. @param {string} page */
export function address(page) {
  const key = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  pages.set(key, page);
  if (pages.size > KEPT) pages.delete(/** @type {string} */ (pages.keys().next().value));
  return `review.html?${key}`;
}

/** How often something was opened. */
let begun = 0;

/** @param {string} name @param {{value: string, text: string}} taps @param {{page: string, note: string, pace: number | null}} done */
async function finish(name, { value, text: taps }, { page, note, pace }) {
  const item = document.createElement("li"), link = document.createElement("a");
  Object.assign(link, { href: address(page), target: "_blank", rel: "noopener", textContent: `${name}, ${taps}` });
  item.append(link, `: ${summary(page)}${note ? ` (${note})` : ""}`);
  at("reviewed").prepend(item);
  say(SAID.review.done);
  link.focus();
  // What is opened meanwhile has its own words.
  const mine = begun, done = (/** @type {string} */ words) => mine === begun && say(words);
  try {
    await games.keep(page, name, pace, value);
    at("review-on").hidden = false;
    done(`${SAID.review.done} ${SAID.kept(name)}`);
  } catch (error) {
    // A full disk does not spoil the review.
    done(`${SAID.review.done} ${SAID.review.notKept(error instanceof Error ? error.message : String(error))}`);
  }
}

/** Offers the last game at another tap speed, if one is chosen. */
function offer() {
  const again = at("review-again"), { value, text } = speed();
  again.hidden = !latest || latest.taps === value;
  again.textContent = SAID.review.again(latest?.files[0].name ?? "", text);
}

at("review-taps").addEventListener("change", offer);
at("review-again").addEventListener("click", () => {
  if (latest) open(latest.files, latest.image, latest.pace);
});

/** Whether these files are a game to review. @param {File[]} files */
export const isGame = (files) => files.length > 0 && files.every(({ name }) => GAME.test(name) || VIDEO.test(name));

/**
 * Reviews a game: one file, or run.json and buttons.txt.
 * @param {File[]} files
 * @param {ArrayBuffer | null} image The cartridge, if it is not the test cartridge.
 * @param {number | null} [pace] Taps a second, if they were measured and the file does not tell.
 */
export async function open(files, image, pace = null) {
  begun++;
  end();
  if (files.length === 1 && VIDEO.test(files[0].name)) {
    watch(files[0], files[0].name);
    return;
  }
  const log = files.find(({ name }) => /\.txt$/i.test(name));
  const rest = files.filter((file) => file !== log);
  const [file] = rest;
  const large = files.find(({ size }) => size > MOST);
  if (rest.length !== 1) {
    say("", SAID.review.expected(files.map(({ name }) => name).join(", ")));
    return;
  }
  if (large) {
    say("", SAID.tooLarge(large.name, large.size, MOST));
    return;
  }
  say(SAID.review.reading(file.name));
  const [bytes, buttons] = [await file.arrayBuffer(), (await log?.arrayBuffer()) ?? null];
  const { value: taps, text } = speed();
  latest = { files, image, taps, pace };
  offer();
  const mine = begin(file.name, { value: taps, text }, () => {}, pace);
  mine.postMessage({ type: "file", name: file.name, file: bytes, log: buttons, image, taps }, buttons ? [bytes, buttons] : [bytes]);
}

/**
 * Starts a worker that reviews one game.
 * @param {string} name
 * @param {{value: string, text: string}} taps
 * @param {(game: boolean, scene: string | null) => void} seen Called when a picture of a video has been read.
 */
function begin(name, taps, seen, pace = /** @type {number | null} */ (null)) {
  begun++;
  const mine = worker = new Worker("reviewer.js", { type: "module" });
  /** @type {HTMLProgressElement} */
  const bar = at("review-part");
  bar.hidden = false;
  mine.onerror = () => {
    end();
    say("", SAID.review.failed);
  };
  mine.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.type === "seen") {
      seen(data.game, data.scene);
      return;
    }
    if (data.type === "progress" && data.stage === "rate") {
      live(at("live"), null, SAID.rates(megabytes(data.loaded, data.total)));
      return;
    }
    if (data.type === "progress") {
      bar.value = data.part;
      const size = data.stage === "load" ? `, ${megabytes(data.loaded, data.total)}` : "";
      const words = `${name}: ${SAID.review.stages[/** @type {keyof typeof SAID.review.stages} */ (data.stage)]}${size}`;
      // A screen reader speaks what changes.
      if (at("review-status").textContent !== words) say(words);
      return;
    }
    end();
    if (data.type === "done") finish(name, taps, { ...data, pace: data.pace ?? pace });
    else say("", data.text);
  };
  return mine;
}

/** Reads a video, or what a window or a camera shows until it is stopped, and reviews the games in it. @param {File | MediaStream} source @param {string} name */
async function watch(source, name) {
  const { value: taps, text } = speed(), isFile = source instanceof File;
  const level = /** @type {HTMLSelectElement} */ (at("review-level")).value;
  latest = isFile ? { files: [source], image: null, taps, pace: null } : null;
  offer();
  /** @type {(game: boolean, scene: string | null) => void} */
  let read = () => {};
  let found = false;
  const mine = begin(name, { value: taps, text }, (game, scene) => read(game, scene));
  const { signal } = watching = new AbortController();
  /** @type {HTMLProgressElement} */
  const bar = at("review-part");
  for (const id of ["review-video", "review-stop"]) at(id).hidden = false;
  const start = level === "" ? null : Number(level);
  if (!isFile) {
    bar.removeAttribute("value");
    // What is played now is rated as it is played.
    mine.postMessage({ type: "rate", taps, level: start });
    live(at("live"), null, SAID.ratesSoon);
  }
  say(SAID.reads(name, false));
  try {
    await video.show(/** @type {HTMLVideoElement} */ (at("review-video")), source, (bitmap, time, part) => new Promise((done) => {
      read = (game, scene) => {
        if (isFile) bar.value = part;
        if (scene) live(at("live"), JSON.parse(scene));
        // A screen reader speaks what changes.
        if (game !== found) say(SAID.reads(name, game));
        found = game;
        done();
      };
      mine.postMessage({ type: "picture", bitmap, time }, [bitmap]);
    }), signal);
    if (mine !== worker) return;
    for (const id of ["review-video", "review-stop"]) at(id).hidden = true;
    mine.postMessage({ type: "end", name, taps, level: start });
  } catch (error) {
    if (mine !== worker) return;
    end();
    say("", `${name}: ${error instanceof Error ? error.message : error}`);
  }
}

at("review-stop").addEventListener("click", () => watching?.abort());
for (const [id, name, ask] of /** @type {[string, string, () => Promise<MediaStream>][]} */ ([
  ["review-window", SAID.aWindow, () => navigator.mediaDevices.getDisplayMedia({ video: { frameRate: 60 } })],
  ["review-camera", SAID.aCamera, () => video.camera()],
])) {
  at(id).addEventListener("click", async () => {
    end();
    try {
      watch(await ask(), name);
    } catch (error) {
      say("", `${name}: ${error instanceof Error ? error.message : error}`);
    }
  });
}
