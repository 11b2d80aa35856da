// The page: what is asked of the worker of the game, and what is shown of it.

import * as adjust from "./adjust.js";
import * as boards from "./boards.js";
import * as games from "./games.js";
import { placeText, set } from "./puzzles.js";
import { rated } from "./rating.js";
import { cleared, result } from "./result.js";
import * as reviews from "./reviews.js";
import * as sound from "./sound.js";
import { draw, drawSmall, empty, repaint } from "./stage.js";
import * as store from "./store.js";
import { clearsText, decimal, megabytes, number as numeral, oneTetris, plural } from "./text.js";
import * as train from "./train.js";
import { WORDS } from "./words.js";

/** @typedef {import("./stage.js").Shown} Shown */

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
/** @param {string} id @returns {HTMLInputElement} */
const field = (id) => at(id);

/** Frames in a second until the first state says it. */
const NTSC = 60.0988;
/** How many frames may be waiting or on their way: a second, so that neither a long decision nor other programs show. */
const AHEAD = 64;
/** The same in answers at high speeds, at which an answer holds several frames, and at the highest. */
const FEWEST = 8, FASTEST = 3;
/** How many states one can step back. Pictures are large. */
const BACK = 300;
/** Who plays while the weights are loaded: a player without any. */
const INTERIM = "plateau17";
/** A game of theirs that is not yet this many frames old gives way by itself. */
const GIVES_WAY = 20 * 60;
/** The first seed of the practice edition, and how many there are. */
const SEEDS = /** @type {const} */ ([0x67796d * 2 ** 24, 2 ** 24]);
/** The seconds of a game against the clock. */
const CLOCK = 120;
/** How long the weights may take before another player begins, in milliseconds: kept ones are here sooner. */
const PATIENCE_MS = 400;

const worker = new Worker("game.js", { type: "module" });
/** @type {Shown[]} */
let waiting = [];
/** @type {Shown[]} */
let past = [];
/** How many states the shown one lies back. */
let back = 0;
/** How many pieces the state has, at least, that a step goes to while it is on its way. @type {number | null} */
let target = null;
let asked = 0;
let number = 0;
let playing = false;
let paused = false;
/** Whether a game from a position waits for the first press. */
let opening = false;
/** How the race against the best player or the clock stands. */
let raceText = "";
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
/** The players that need the weights. @type {Set<string>} */
let learned = new Set();
/** Whether the weights are there. */
let ready = false;
/** Whether a game was asked for that waits for them. */
let wanted = false;
/** The stop of the game, in words. */
let stop = "";
/** Where the game goes on from; null for a whole game. @type {{board: string, piece: string, next: string | null, level: number, lines: number} | null} */
let from = null;
/** The pieces of the game from a position: a seed of the practice edition, whose pieces do not depend on when one plays. */
let seed = 0;
/** Against whom such a game is: `bot`, `clock` or nobody. */
let against = "";
/** The best player on the same pieces, after each piece. @type {import("./stage.js").Scene | null} */
let ghost = null;
/** What is known of the user's taps, as it was kept. */
let pace = 0;
/** Whether the game waits because another view is shown. */
let aside = false;
/** Questions of the training that have no answer yet. @type {Map<number, (answers: any) => void>} */
const questions = new Map();
let question = 0;
/** What waits for the weights. @type {(() => void)[]} */
const later = [];

/** Asks the worker. @param {"rank" | "adjust"} type @param {object} asked @returns {Promise<any>} */
const askWorker = (type, asked) => new Promise((done) => {
  questions.set(++question, done);
  worker.postMessage({ type, key: question, question: asked });
});

const speed = () => Number(field("speed").value);
/** @returns {Shown | undefined} */
const shown = () => past[past.length - 1 - back];

/** @param {string} text */
function say(text) {
  at("message").textContent = text;
  at("message").hidden = text === "";
}

/** @param {string} id The text of the option that is chosen. */
const chosen = (id) => /** @type {HTMLSelectElement} */ (at(id)).selectedOptions[0]?.textContent ?? "";

function settings() {
  return {
    player: field("player").value, seed: Number(field("seed").value), level: Number(field("start-level").value),
    stop: field("stop").value, emulator: field("machine").value === "emulator", taps: field("taps").value,
    aggression: field("aggression").value, reaction: Number(field("reaction").value), ...(from ? { position: from, seed } : {}),
  };
}

/** Goes on from a position, on the model, with whoever asks at the controller. @param {import("./train.js").Position} position */
function playOn({ board, piece, next, level, lines, taps, against: whom }) {
  from = { board, piece, next: next || null, level, lines };
  const model = { "machine": "model", "stop": "topout", "taps": taps, "speed": "1", "on-level": String(level), "reaction": "0" };
  for (const [id, value] of Object.entries(model)) field(id).value = value;
  if (whom !== undefined) field("against").value = whom;
  // Other pieces each time.
  seed = SEEDS[0] + Math.floor(Math.random() * SEEDS[1]);
  told();
  hand = true;
  pause(false);
  // What was shown before does not go on until the new game is here.
  [opening, playing] = [true, false];
  // The place of the board is that of the model before its first picture is here.
  if (number === 0) empty(at("screen"));
  framed();
  rated(at("own"), { rating: null, ratings: [], misdrops: 0, pace: null }, true);
  show("game");
  start();
  at("stage").focus();
}

/** Plays on from the same position again, with other pieces. */
function restart() {
  if (!from || !field("on-level").reportValidity()) return;
  playOn({ ...from, next: from.next ?? "", level: Number(field("on-level").value), taps: field("taps").value });
}

/** Begins a game as the settings say, or as soon as its player has its weights. */
function start() {
  // Before it is known who needs them, everybody waits.
  if (!ready && (learned.size === 0 || learned.has(field("player").value))) {
    wanted = true;
    say("");
    loading();
    return;
  }
  wanted = false;
  begin(settings());
}

/** What is around a game from a position, or not. */
function framed() {
  [ghost, against] = [null, from ? field("against").value : ""];
  at("race").hidden = at("race-text").hidden = from === null;
  // There is room for its board before it is here.
  const canvas = /** @type {HTMLCanvasElement} */ (at("ghost"));
  canvas.hidden = against !== "bot";
  empty(canvas, 0);
  delete canvas.dataset.pieces;
  at("ghost-text").textContent = canvas.hidden ? "" : WORDS.race.theirs;
  raceText = against === "bot" ? WORDS.race.begins : against === "clock" ? WORDS.race.clock(minutes(CLOCK)) : WORDS.race.alone;
  racing();
}

/** @param {object} wish */
function begin(wish) {
  number++;
  [waiting, past, back, asked, due, over, playing, target] = [[], [], 0, 1, 0, false, true, null];
  stop = chosen("stop");
  opening = hand && from !== null;
  framed();
  at("again").textContent = from ? WORDS.game.again : WORDS.game.anew;
  at("save").textContent = from ? WORDS.saves.ngf : WORDS.saves.fm2;
  field("save-folder").disabled = from !== null;
  say("");
  // The game before is not this one's.
  for (const id of ["frame", "pieces"]) at(id).textContent = "";
  worker.postMessage({ type: "start", number, settings: wish, against, file: image });
  title();
}

/** Says how far the weights are, and what happens until they are here. */
function loading(size = at("loading").dataset.size ?? "0 MB") {
  at("loading").dataset.size = size;
  const meanwhile = wanted ? WORDS.game.begins(field("player").value) : number > 0 ? WORDS.game.meanwhile(INTERIM) : "";
  at("loading-text").textContent = `${WORDS.weights(size)}.${meanwhile}`;
}

/** A player without weights plays until they are here. */
function interim() {
  if (ready || number > 0 || wanted || at("game").hidden) return;
  begin({ ...settings(), player: INTERIM, taps: "", aggression: "", reaction: 0 });
  loading();
}

/** The weights are here: a player that has them begins, unless that would break off something. */
function loaded() {
  ready = true;
  for (const go of later.splice(0)) go();
  at("home-status").textContent = "serviceWorker" in navigator ? WORDS.loaded : WORDS.loadedOnce;
  // The game begins when somebody looks.
  if (number === 0 && at("game").hidden) {
    at("loading").hidden = true;
    return;
  }
  const untouched = !hand && !paused && back === 0 && (shown()?.scene.frame ?? 0) < GIVES_WAY;
  if (wanted || number === 0 || (number === 1 && untouched)) {
    at("loading").hidden = true;
    start();
    return;
  }
  if (number > 1) {
    at("loading").hidden = true;
    return;
  }
  at("loading-text").textContent = WORDS.game.weights;
  field("loaded").hidden = true;
  at("loaded-start").textContent = WORDS.game.watchPlayer(field("player").value);
  at("loaded-start").hidden = false;
}

function title() {
  const ended = over && back === 0;
  at("pause").textContent = paused && !ended ? WORDS.game.goOn : WORDS.game.pause;
  field("pause").disabled = ended;
  at("hand").setAttribute("aria-pressed", String(hand));
  at("game").dataset.hand = String(hand);
  at("hand").textContent = hand ? WORDS.game.give : WORDS.game.take;
  at("hint").hidden = !hand;
  at("touch").hidden = !hand || !matchMedia("(pointer: coarse)").matches;
  at("game-title").textContent = hand ? WORDS.game.yours : WORDS.game.watch;
}

/** What is folded away, in a line. */
function told() {
  at("player-source").textContent = /** @type {HTMLSelectElement} */ (at("player")).selectedOptions[0]?.title ?? "";
  const [taps, aggression, reaction] = [field("taps").value && WORDS.game.taps(chosen("taps")), field("aggression").value, field("reaction").value];
  at("chosen").textContent = [chosen("player"), ...WORDS.game.settings(field("seed").value, field("start-level").value, chosen("stop")), chosen("machine"),
    taps, aggression === "normal" ? "" : aggression, reaction === "0" ? "" : WORDS.game.reaction(reaction)].filter(Boolean).join(", ");
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
  // What was asked for before the end was known shows the end again.
  if (over) return;
  if (against === "clock" && elapsed(state.scene) >= CLOCK) state.over = true;
  past.push(state);
  if (past.length > BACK) past.shift();
  if (state.over) {
    over = true;
    title();
  }
}

/** @param {number} now */
function frame(now) {
  const passed = Math.min(now - last, 100);
  last = now;
  const rate = speed();
  if (playing && !paused && back === 0) {
    // One answer holds as many frames as the speed says; at the highest speed, what was possible.
    due = Math.min(due + (rate === 0 ? 1 : Math.min(1, rate) * (passed / 1000) * (past.at(-1)?.scene.frames_per_second ?? NTSC)), 4);
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
    // Its first picture waits for whoever plays.
    if (opening && past.length > 0) pause(true);
  }
  requestAnimationFrame(frame);
}

/** Counts what the page shows of one state. */
function paint() {
  const state = shown();
  if (!state) return;
  const { scene, alternatives } = state;
  draw(at("screen"), state, field("overlay").checked && !hand);
  const lines = cleared(scene);
  /** @type {[string, string][]} */
  const texts = [
    ["score", numeral(scene.score)], ["lines", numeral(scene.lines)], ["level", numeral(scene.level)],
    ["pieces", numeral(scene.pieces)], ["rate", lines ? `${Math.round((400 * scene.clears[3]) / lines)} %` : "–"],
    ["next", scene.next ?? "–"], ["buttons", scene.buttons],
    ["clears", clearsText(scene.clears)], ["one-tetris", oneTetris(scene.level)],
    ["frame", WORDS.game.frame(numeral(scene.frame), back)],
  ];
  for (const [id, text] of texts) if (at(id).textContent !== text) at(id).textContent = text;
  rank(alternatives);
  rated(at("own"), scene, hand);
  race(state);
  result(state.over ? scene : null, stop, from ? ended(scene) : null, hand);
}

/** How long a game has been going on. @param {import("./stage.js").Scene} scene */
const elapsed = (scene) => scene.frame / scene.frames_per_second;

const minutes = (/** @type {number} */ seconds) => `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** Draws in the colours of another theme. */
function repainted() {
  repaint();
  if (ghost) follows(ghost);
  else paint();
}

/** How a game from a position ended. @param {import("./stage.js").Scene} scene */
const ended = (scene) => ({ title: scene.topped_out || against !== "clock" ? "" : WORDS.race.timeUp, theirs: ghost ? WORDS.race.final(numeral(ghost.score)) : "" });

/** The clock, or how far the best player is on the same pieces. @param {Shown} state */
function race({ scene }) {
  if (hand && scene.pace && Math.abs(scene.pace - pace) > 0.05) {
    pace = scene.pace;
    store.put("facts", /** @type {{id: string}} */ ({ id: "pace", pace }));
  }
  if (!from) return;
  if (against === "clock") {
    raceText = WORDS.race.clock(minutes(Math.max(0, CLOCK - elapsed(scene))));
  } else if (ghost && ghost.pieces > 0 && ghost.pieces === scene.pieces) {
    const apart = scene.score - ghost.score, points = plural(Math.abs(apart), "point");
    const words = apart > 0 ? WORDS.race.ahead(points) : apart < 0 ? WORDS.race.behind(points) : WORDS.race.even;
    raceText = WORDS.race.score(plural(scene.pieces, "piece"), numeral(scene.score), numeral(ghost.score), words);
  }
  racing();
}

/** Says how the race stands. */
function racing() {
  const text = opening ? `${WORDS.race.first} ${raceText}` : raceText;
  if (at("race-text").textContent !== text) at("race-text").textContent = text;
}

/** Shows the board of the best player. @param {import("./stage.js").Scene} scene */
function follows(scene) {
  ghost = scene;
  const canvas = /** @type {HTMLCanvasElement} */ (at("ghost"));
  drawSmall(canvas, { ...scene, air: null });
  canvas.setAttribute("aria-label", WORDS.race.ghost(numeral(scene.score), scene.lines));
  canvas.dataset.pieces = String(scene.pieces);
  paint();
}

/** @type {unknown} */
let ranked;
/** @param {import("./stage.js").Ranked[]} answers */
function rank(answers) {
  if (answers === ranked || JSON.stringify(answers) === JSON.stringify(ranked)) return;
  ranked = answers;
  at("alternatives").replaceChildren(...answers.map((answer, index) => {
    const item = document.createElement("li"), row = document.createElement("div");
    row.className = "rank";
    item.title = WORDS.topout(decimal(100 * answer.topout));
    boards.fill(row, [`${index + 1}`, placeText(answer), ...boards.figures(answer, index)]);
    item.append(row);
    return item;
  }));
}

/** @param {number} by States to go, back if negative. @returns {boolean} Whether there was one to go to. */
function step(by) {
  pause(true);
  const to = back - by, before = shown();
  if (to >= 0) back = Math.min(to, Math.max(0, past.length - 1));
  else if (waiting.length > 0) enter(/** @type {Shown} */ (waiting.shift()));
  ask();
  paint();
  return shown() !== before;
}

function forward() {
  // What is on its way is shown when it is here.
  if (!step(1) && !over) target ??= 0;
}

function backward() {
  target = null;
  step(-1);
}

/** @param {1 | -1} way */
function stepPiece(way) {
  target = null;
  const before = shown()?.scene.pieces ?? 0;
  for (let k = 0; k < 3000 && shown()?.scene.pieces === before; k++) {
    if (step(way)) continue;
    // The rest is on its way.
    if (way > 0 && !over) target = before + 1;
    break;
  }
}
/** @param {boolean} on */
function pause(on) {
  paused = on;
  if (!on) [back, target, opening] = [0, null, false];
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
    learned = new Set(data.players.filter((/** @type {{weights: boolean}} */ { weights }) => weights).map((/** @type {{name: string}} */ { name }) => name));
    told();
    setTimeout(interim, PATIENCE_MS);
  } else if (data.type === "progress") {
    field("loaded").value = String(data.loaded / data.total);
    loading(megabytes(data.loaded, data.total));
    at("home-status").textContent = WORDS.loading(megabytes(data.loaded, data.total));
    adjust.loading(megabytes(data.loaded, data.total));
  } else if (data.type === "ready") {
    loaded();
  } else if (data.type === "ranked" || (data.type === "error" && (data.about === "rank" || data.about === "adjust"))) {
    questions.get(data.key)?.(data.answers ?? null);
    questions.delete(data.key);
  } else if (data.type === "game") {
    show("review");
    reviews.open([new File([data.bytes], data.name ?? gameName(data.end))], image, data.pace);
  } else if (data.type === "ghost") {
    if (data.number === number) follows(data.scene);
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
    [anchor.href, anchor.download] = [url, data.name ?? gameName(data.end)];
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(url), 10_000);
  } else if (data.type === "error") {
    if (data.about === "start" || data.about === "run") playing = false;
    if (data.about === "load") at("loading").hidden = true;
    say(data.about === "check" ? `${dropped}: ${data.text}` : data.text);
  }
}

/** What the game is called as a file of this kind. @param {string} end */
function gameName(end) {
  if (!from) return `maxout-${field("player").value}-${field("seed").value}.${end}`;
  const two = (/** @type {number} */ value) => String(value).padStart(2, "0"), now = new Date();
  return `${WORDS.fromPosition(from.level, from.lines, [now.getHours(), now.getMinutes(), now.getSeconds()].map(two).join("."))}.${end}`;
}

/** The last position of the game in which a piece is in the air: between two pieces, rows may be half cleared. */
function position() {
  const last = past.slice(0, past.length - back).findLast(({ scene }) => scene.air !== null);
  const scene = last?.scene ?? shown()?.scene;
  return scene ? { board: scene.board, piece: scene.piece, next: scene.next, level: scene.level, lines: scene.lines } : null;
}

let dropped = "";
/** A cartridge, or a game to review. @param {FileList | null | undefined} files */
async function open(files) {
  const [file] = files ?? [];
  if (!file) return;
  // Other kinds of games go here.
  if (reviews.isGame([...(files ?? [])])) {
    show("review");
    reviews.open([...(files ?? [])], image);
    return;
  }
  show("game");
  dropped = file.name;
  if (file.size > 32 << 20) {
    say(WORDS.tooLarge(file.name, file.size, 4 << 20));
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
  if (at("game").hidden || typing || /** @type {HTMLDialogElement} */ (at("helping")).open || event.ctrlKey || event.metaKey || event.altKey) return;
  const bit = KEYS.get(event.key.length === 1 ? event.key.toLowerCase() : event.key);
  const onButton = event.target instanceof HTMLButtonElement && (event.key === "Enter" || event.key === " ");
  if (hand && bit && !onButton) {
    press(bit, event.type === "keydown");
    event.preventDefault();
  } else if (event.type === "keydown" && event.key === "?") {
    helping();
  } else if (event.type === "keydown" && event.key === " " && !onButton) {
    pause(!paused);
    event.preventDefault();
  } else if (event.type === "keydown" && (event.key === "," || event.key === ".")) {
    if (event.key === ",") backward();
    else forward();
  }
}

/** @param {number} bit @param {boolean} down */
function press(bit, down) {
  if (down) [held, tapped] = [held | bit, tapped | bit];
  else held &= ~bit;
  if (down && opening) pause(false);
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

const helping = () => /** @type {HTMLDialogElement} */ (at("helping")).showModal();

const VIEWS = /** @type {const} */ (["home", "game", "study", "review", "train", "adjust", "games"]);
/** @typedef {typeof VIEWS[number]} View */
/** The part of the address that leads to a view. @type {Record<View, string>} */
const HASHES = { home: "", game: "#watch", study: "#study", review: "#review", train: "#train", adjust: "#adjust", games: "#games" };

/** @param {View} view @param {import("./train.js").Position | null} asked A position to adjust on. */
function show(view, asked = null) {
  for (const name of VIEWS) {
    at(name).hidden = name !== view;
    if (name !== "home") at(`to-${name}`).setAttribute("aria-pressed", String(name === view));
  }
  at("views").hidden = view === "home";
  if (view === "study") boards.enter();
  else history.replaceState(null, "", location.pathname + HASHES[view]);
  if (view === "train") train.enter();
  if (view === "adjust") adjust.enter(asked);
  if (view === "games") games.enter();
  scrollTo(0, 0);
  look(view === "game");
}

/** The game begins when it is looked at first, and waits while it is not. @param {boolean} shows */
function look(shows) {
  if (shows && number === 0 && !wanted && !hand) {
    if (ready) start();
    else if (learned.size > 0) interim();
  }
  if (shows && aside) {
    const first = opening;
    pause(false);
    opening = first;
  }
  aside = !shows && !paused && playing && !over;
  if (aside) pause(true);
}

/** Follows the address. */
function follow() {
  const { hash } = location;
  delete document.documentElement.dataset.view;
  if (boards.open(hash)) return show("study");
  const position = boards.position(hash);
  if (position) return playOn(position);
  const view = VIEWS.find((name) => HASHES[name] === hash);
  // Other parts of an address are places on the page.
  if (view) show(view);
}

function listen() {
  at("settings").addEventListener("submit", (event) => {
    event.preventDefault();
    from = null;
    pause(false);
    start();
  });
  at("settings").addEventListener("input", told);
  // A field that is wrong must be seen.
  for (const id of ["settings", "question"]) at(id).addEventListener("invalid", () => {
    for (const more of at(id).querySelectorAll("details")) more.open = true;
  }, true);
  at("loaded-start").addEventListener("click", () => {
    at("loading").hidden = true;
    pause(false);
    start();
  });
  at("again").addEventListener("click", () => (from ? restart() : /** @type {HTMLFormElement} */ (at("settings")).requestSubmit()));
  at("restart").addEventListener("click", restart);
  field("against").addEventListener("change", restart);
  for (const id of ["review-game", "review-race"]) at(id).addEventListener("click", () => worker.postMessage({ type: "review" }));
  at("save-result").addEventListener("click", () => worker.postMessage({ type: "fm2" }));
  at("help").addEventListener("click", helping);
  for (const link of at("helping").querySelectorAll("a")) link.addEventListener("click", (event) => {
    event.preventDefault();
    /** @type {HTMLDialogElement} */ (at("helping")).close();
    show(/** @type {View} */ (link.dataset.view));
  });
  at("pause").addEventListener("click", () => pause(!paused));
  at("back").addEventListener("click", backward);
  at("forward").addEventListener("click", forward);
  at("piece-back").addEventListener("click", () => stepPiece(-1));
  at("piece-forward").addEventListener("click", () => stepPiece(1));
  at("overlay").addEventListener("change", paint);
  at("sound").addEventListener("click", () => at("sound").setAttribute("aria-pressed", String(sound.toggle())));
  at("save").addEventListener("click", () => worker.postMessage({ type: "fm2" }));
  at("save-folder").addEventListener("click", () => worker.postMessage({ type: "folder" }));
  at("hand").addEventListener("click", () => {
    [hand, held, tapped] = [!hand, 0, 0];
    if (opening) pause(false);
    if (hand && (speed() === 0 || speed() > 1)) field("speed").value = "1";
    title();
    at("stage").focus();
  });
  field("file").addEventListener("change", () => open(field("file").files));
  for (const id of ["games-open", "door-games"]) field(id).addEventListener("change", () => {
    open(field(id).files);
    // The same file may be chosen again.
    field(id).value = "";
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
  for (const name of VIEWS) at(`to-${name}`).addEventListener("click", (event) => {
    event.preventDefault();
    show(name);
  });
  for (const [id, view] of /** @type {[string, View][]} */ ([["door-train", "train"], ["door-watch", "game"], ["to-drill", "adjust"], ["review-train", "train"], ["first-review", "review"], ["review-games", "games"]])) {
    at(id).addEventListener("click", () => show(view));
  }
  at("play-study").addEventListener("click", () => {
    if (/** @type {HTMLFormElement} */ (at("question")).reportValidity()) playOn(boards.asked());
  });
  at("adjust-study").addEventListener("click", () => {
    if (/** @type {HTMLFormElement} */ (at("question")).reportValidity()) show("adjust", boards.asked());
  });
  const themes = /** @type {(keyof typeof WORDS.theme)[]} */ (["auto", "light", "dark"]);
  at("theme").addEventListener("click", () => {
    const next = themes[(themes.findIndex((name) => name === (document.documentElement.dataset.theme ?? "auto")) + 1) % 3];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    at("theme-name").textContent = WORDS.theme[next];
    repainted();
  });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repainted);
  window.addEventListener("hashchange", follow);
}

worker.onmessage = hear;
worker.onerror = () => say(WORDS.game.failed);
at("start-level").append(...Array.from({ length: 20 }, (_, level) => new Option(String(level), String(level), level === 19, level === 19)));
at("review-level").append(...Array.from({ length: 30 }, (_, level) => new Option(String(level), String(level))));
for (const id of ["against", "play-against"]) at(id).append(...Object.entries(WORDS.race.against).map(([value, text]) => new Option(text, value)));
boards.begin(position);
games.begin((page) => window.open(reviews.address(page), "_blank"), () => train.read(), playOn);
train.begin(async (asked) => (ready ? (await askWorker("rank", asked)) ?? [] : null), playOn);
adjust.begin(async (asked) => {
  if (!ready) await new Promise((done) => later.push(() => done(0)));
  return askWorker("adjust", asked);
});
listen();
title();
told();
follow();
requestAnimationFrame(frame);
requestAnimationFrame(gamepad);
// Whoever opens Train next finds its positions here.
(window.requestIdleCallback ?? setTimeout)(() => set().catch(() => {}));
if ("serviceWorker" in navigator) navigator.serviceWorker.register("offline.js").catch(() => {});
