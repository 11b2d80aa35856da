// The page: what is asked of the worker of the game, and what is shown of it.

import * as boards from "./boards.js";
import { rated } from "./rating.js";
import * as reviews from "./reviews.js";
import * as sound from "./sound.js";
import { draw, repaint } from "./stage.js";

/** @typedef {import("./stage.js").Shown} Shown */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLInputElement} */
const field = (id) => at(id);

/** Frames in a second of the console. */
const RATE = 60.0988;
/** How many frames may be waiting or on their way: a second, so that neither a long decision nor other programs show. */
const AHEAD = 64;
/** The same in answers at high speeds, at which an answer holds several frames, and at the highest. */
const FEWEST = 8, FASTEST = 3;
/** How many states one can step back. Pictures are large. */
const BACK = 300;

const worker = new Worker("game.js", { type: "module" });
/** @type {Shown[]} */
let waiting = [];
/** @type {Shown[]} */
let past = [];
/** How many states the shown one lies back. */
let back = 0;
let asked = 0;
let number = 0;
let playing = false;
let paused = false;
let over = false;
let hand = false;
let held = 0;
/** Buttons that were pressed and released between two frames. */
let tapped = 0;
/** Frames that are due. */
let due = 0;
let last = 0;
/** How often a frame was due and not there. */
let late = 0;
/** @type {ArrayBuffer | null} */
let image = null;

const speed = () => Number(field("speed").value);
/** @returns {Shown | undefined} */
const shown = () => past[past.length - 1 - back];

/** @param {string} text */
function say(text) {
  at("message").textContent = text;
  at("message").hidden = text === "";
}

function settings() {
  return {
    player: field("player").value, seed: Number(field("seed").value), level: Number(field("start-level").value),
    stop: field("stop").value, emulator: field("machine").value === "emulator", taps: field("taps").value,
    aggression: field("aggression").value, reaction: Number(field("reaction").value),
  };
}

function start() {
  number++;
  [waiting, past, back, asked, due, over, playing] = [[], [], 0, 1, 0, false, true];
  say("");
  worker.postMessage({ type: "start", number, settings: settings(), file: image });
  title();
}

function title() {
  at("pause").textContent = paused ? "Go on" : "Pause";
  at("hand").setAttribute("aria-pressed", String(hand));
  at("hand").textContent = hand ? "Give it back" : "Take the controller";
  at("hint").hidden = !hand;
  at("touch").hidden = !hand || !matchMedia("(pointer: coarse)").matches;
  at("game-title").textContent = hand ? "You play" : "Watch the bot play";
}

/** Asks for as many answers as may be waiting. */
function ask() {
  const rate = speed();
  const ranked = field("overlay").checked && (rate > 0 && rate <= 2);
  const most = hand ? 1 : rate === 0 ? FASTEST : Math.max(FEWEST, AHEAD / Math.max(1, rate));
  while (playing && !over && asked + waiting.length < most) {
    const frames = Math.max(1, rate);
    const buttons = hand ? held | tapped : null;
    worker.postMessage({ type: "run", number, frames, ms: rate === 0 && !hand ? 14 : 0, ranked, buttons, loud: sound.isOn() });
    tapped = 0;
    asked++;
  }
}

/** @param {Shown} state */
function enter(state) {
  past.push(state);
  if (past.length > BACK) past.shift();
  if (state.over) {
    over = true;
    const { topped_out: dead } = state.scene;
    at("lead").textContent = dead ? "The game is over: no room for the next piece." : "The game has reached its stop.";
  }
}

/** @param {number} now */
function frame(now) {
  const passed = Math.min(now - last, 100);
  last = now;
  const rate = speed();
  if (playing && !paused && back === 0) {
    // One answer holds as many frames as the speed says; at the highest speed, what was possible.
    due = Math.min(due + (rate === 0 ? 1 : Math.min(1, rate) * (passed / 1000) * RATE), 4);
    // Whoever takes the controller does not wait for all that is played already.
    if (hand && waiting.length > 1) due = Math.min(waiting.length, 4);
    if (due >= 1 && waiting.length === 0 && past.length > 0 && !over) at("screen").dataset.late = String(++late);
    while (due >= 1 && waiting.length > 0) {
      const [next] = waiting.splice(0, 1);
      enter(next);
      if (rate === 1) sound.play(next.sound);
      due -= 1;
    }
    if (waiting.length === 0) due = Math.min(due, 1);
    paint();
    ask();
  }
  requestAnimationFrame(frame);
}

/** Counts what the page shows of one state. */
function paint() {
  const state = shown();
  if (!state) return;
  const { scene, alternatives } = state;
  draw(at("screen"), state, field("overlay").checked && !hand);
  const number = (/** @type {number} */ value) => value.toLocaleString("en");
  const tetrises = scene.lines === 0 ? 0 : (4 * scene.clears[3]) / scene.lines;
  /** @type {[string, string][]} */
  const texts = [
    ["score", number(scene.score)], ["lines", number(scene.lines)], ["level", number(scene.level)],
    ["pieces", number(scene.pieces)], ["rate", scene.lines ? `${Math.round(100 * tetrises)} %` : "–"],
    ["next", scene.next ?? "–"], ["buttons", scene.buttons],
    ["clears", ["singles", "doubles", "triples", "tetrises"].map((name, k) => `${scene.clears[k]} ${name}`).join(", ")],
    ["frame", `Frame ${number(scene.frame)}${back ? `, ${back} back` : ""}`],
  ];
  for (const [id, text] of texts) if (at(id).textContent !== text) at(id).textContent = text;
  rank(alternatives);
  rated(at("own"), scene, hand);
}

/** @type {unknown} */
let ranked;
/** @param {import("./stage.js").Answer[]} answers */
function rank(answers) {
  if (answers === ranked || JSON.stringify(answers) === JSON.stringify(ranked)) return;
  ranked = answers;
  at("alternatives").replaceChildren(...answers.map((answer, index) => {
    const item = document.createElement("li"), row = document.createElement("div");
    row.className = "rank";
    const texts = [`${index + 1}`, boards.where(answer), ...boards.figures(answer, index)];
    item.title = `Top-out: ${(100 * answer.topout).toFixed(1)} %`;
    row.append(...texts.map((text, column) => {
      const span = document.createElement("span");
      span.textContent = text;
      span.className = ["n", "where", "value", "loss"][column];
      return span;
    }));
    item.append(row);
    return item;
  }));
}

/** @param {number} by States to go, back if negative. */
function step(by) {
  pause(true);
  const to = back - by;
  if (to >= 0) back = Math.min(to, Math.max(0, past.length - 1));
  else if (waiting.length > 0) enter(/** @type {Shown} */ (waiting.shift()));
  ask();
  paint();
}

/** @param {1 | -1} way */
function stepPiece(way) {
  const before = shown()?.scene.pieces;
  for (let k = 0; k < 3000; k++) {
    const place = back, frames = past.length;
    step(way);
    if (shown()?.scene.pieces !== before || (back === place && past.length === frames)) break;
    if (way > 0 && back === 0 && waiting.length === 0) {
      // The rest is on its way.
      target = /** @type {number} */ (before) + 1;
      break;
    }
  }
}
/** The piece that a step goes to, while its frames are on their way. @type {number | null} */
let target = null;

/** @param {boolean} on */
function pause(on) {
  paused = on;
  if (!on) [back, target] = [0, null];
  title();
}

/** @param {MessageEvent} event */
function hear({ data }) {
  if (data.type === "players") {
    const usable = data.players.filter((/** @type {{fair: boolean, name: string}} */ { name }) => name !== "maxout-4ply");
    at("player").replaceChildren(...usable.map((/** @type {{name: string, source: string}} */ { name, source }) => {
      const option = new Option(name, name, name === "maxout-fast", name === "maxout-fast");
      option.title = source;
      return option;
    }));
  } else if (data.type === "progress") {
    field("loaded").value = data.part;
  } else if (data.type === "ready") {
    at("loading").hidden = true;
    start();
  } else if (data.type === "scene" && data.number === number) {
    asked--;
    waiting.push(data);
    if (past.length === 0) {
      enter(/** @type {Shown} */ (waiting.shift()));
      at("screen").dataset.game = String(number);
      paint();
    }
    if (target !== null && paused) {
      step(1);
      if ((shown()?.scene.pieces ?? 0) >= target || over) target = null;
    }
  } else if (data.type === "cartridge") {
    image = data.file;
    at("cartridge").textContent = [data.told.name, ...data.told.notes].join("; ");
    field("machine").value = "emulator";
    start();
  } else if (data.type === "file") {
    const url = URL.createObjectURL(new Blob([data.bytes], { type: "application/octet-stream" }));
    const anchor = document.createElement("a");
    [anchor.href, anchor.download] = [url, data.name || `maxout-${field("player").value}-${field("seed").value}.fm2`];
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } else if (data.type === "error") {
    if (data.about === "start" || data.about === "run") playing = false;
    at("loading").hidden = true;
    say(data.about === "check" ? `${dropped}: ${data.text}` : data.text);
  }
}

let dropped = "";
/** A cartridge, or a game to review. @param {FileList | null | undefined} files */
async function open(files) {
  const [file] = files ?? [];
  if (!file) return;
  if (reviews.isGame([...(files ?? [])])) {
    show("review");
    reviews.open([...(files ?? [])], image);
    return;
  }
  dropped = file.name;
  if (file.size > 64 << 20) {
    say(`${file.name}: file has ${file.size} bytes, expected a cartridge image of at most 4194304`);
    return;
  }
  const bytes = await file.arrayBuffer();
  say("");
  worker.postMessage({ type: "check", file: bytes }, [bytes]);
}

/** The controller's bit of each key. */
const KEYS = new Map([
  ["ArrowLeft", 2], ["ArrowRight", 1], ["ArrowDown", 4], ["ArrowUp", 128], ["x", 128], ["z", 64], ["y", 64], ["Enter", 16],
]);

/** @param {KeyboardEvent} event */
function keys(event) {
  const typing = event.target instanceof HTMLElement && event.target.closest("input, select, textarea, [role=grid]");
  if (at("game").hidden || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const bit = KEYS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const onButton = event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ");
  if (hand && bit && !onButton) {
    press(bit, event.type === "keydown");
    event.preventDefault();
  } else if (event.type === "keydown" && event.key === " " && !onButton) {
    pause(!paused);
    event.preventDefault();
  } else if (event.type === "keydown" && (event.key === "," || event.key === ".")) {
    step(event.key === "," ? -1 : 1);
  }
}

/** @param {number} bit @param {boolean} down */
function press(bit, down) {
  if (down) [held, tapped] = [held | bit, tapped | bit];
  else held &= ~bit;
}

/** Reads the first gamepad that has a standard layout. */
function gamepad() {
  const pad = navigator.getGamepads().find((pad) => pad?.mapping === "standard");
  const map = [[0, 128], [1, 64], [2, 64], [9, 16], [12, 8], [13, 4], [14, 2], [15, 1]];
  if (pad && hand) for (const [index, bit] of map) {
    const down = pad.buttons[index]?.pressed ?? false;
    if (down !== padHeld.has(bit) && (down || padHeld.has(bit))) press(bit, down);
    if (down) padHeld.add(bit);
    else padHeld.delete(bit);
  }
  requestAnimationFrame(gamepad);
}
/** @type {Set<number>} */
const padHeld = new Set();

/** @param {"game" | "study" | "review"} view */
function show(view) {
  for (const name of ["game", "study", "review"]) {
    at(name).hidden = name !== view;
    at(`to-${name}`).setAttribute("aria-pressed", String(name === view));
  }
  if (view === "study") boards.enter();
  else history.replaceState(null, "", location.pathname);
}

function listen() {
  at("settings").addEventListener("submit", (event) => {
    event.preventDefault();
    pause(false);
    at("lead").textContent = "Everything runs on your computer. Nothing is uploaded.";
    start();
  });
  at("pause").addEventListener("click", () => pause(!paused));
  at("back").addEventListener("click", () => step(-1));
  at("forward").addEventListener("click", () => step(1));
  at("piece-back").addEventListener("click", () => stepPiece(-1));
  at("piece-forward").addEventListener("click", () => stepPiece(1));
  at("overlay").addEventListener("change", paint);
  at("sound").addEventListener("click", () => at("sound").setAttribute("aria-pressed", String(sound.toggle())));
  at("save").addEventListener("click", () => worker.postMessage({ type: "fm2" }));
  at("save-folder").addEventListener("click", () => worker.postMessage({ type: "folder" }));
  at("hand").addEventListener("click", () => {
    [hand, held, tapped] = [!hand, 0, 0];
    if (hand && (speed() === 0 || speed() > 1)) field("speed").value = "1";
    title();
    at("stage").focus();
  });
  field("file").addEventListener("change", () => open(field("file").files));
  field("games").addEventListener("change", () => {
    reviews.open([...(field("games").files ?? [])], image);
    // The same file may be chosen again.
    field("games").value = "";
  });
  for (const button of at("touch").querySelectorAll("button")) {
    const bit = Number(button.dataset.bit);
    for (const name of ["pointerdown", "pointerup", "pointercancel", "pointerleave"]) {
      button.addEventListener(name, () => press(bit, name === "pointerdown"));
    }
  }
  for (const name of ["keydown", "keyup"]) document.addEventListener(name, (event) => keys(/** @type {KeyboardEvent} */ (event)));
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    at("drop").classList.add("over");
  });
  document.addEventListener("dragleave", () => at("drop").classList.remove("over"));
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    at("drop").classList.remove("over");
    open(event.dataTransfer?.files);
  });
  at("to-game").addEventListener("click", () => show("game"));
  at("to-study").addEventListener("click", () => show("study"));
  at("to-review").addEventListener("click", () => show("review"));
  const themes = ["auto", "light", "dark"];
  at("theme").addEventListener("click", () => {
    const next = themes[(themes.indexOf(document.documentElement.dataset.theme ?? "auto") + 1) % 3];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    at("theme-name").textContent = `: ${next}`;
    repaint();
    paint();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => (repaint(), paint()));
  window.addEventListener("hashchange", () => {
    if (boards.open(location.hash)) show("study");
  });
}

worker.onmessage = hear;
worker.onerror = () => say("The game could not be started: this browser does not run its module.");
at("start-level").append(...Array.from({ length: 20 }, (_, level) => new Option(String(level), String(level), level === 19, level === 19)));
boards.begin(() => shown()?.scene.board ?? ".".repeat(200));
listen();
title();
if (boards.open(location.hash)) show("study");
requestAnimationFrame(frame);
requestAnimationFrame(gamepad);
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
