// The worker of the game: emulator or model, pilot and player. It plays when the page asks for frames.

import { WebGame, WebStudy, cartridge, layout, players } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

/** @type {WebGame | null} */
let game = null;
/** The best player on the same pieces, piece by piece. @type {WebGame | null} */
let ghost = null;
/** How many pieces of the ghost are shown. */
let followed = -1;
/** Whether the game went on from a position. */
let fromPosition = false;
/** @type {import("./maxout_web.js").WebWeights | null} */
let network = null;
/** Ranks placements for the training, by the same tables. @type {WebStudy | null} */
let study = null;
/** The cartridge image; empty for the test cartridge. */
let image = new Uint8Array();
let pieces = -1;
/** How many pieces have locked. */
let locked = 0;
/** Where the field is in the picture. @type {import("./stage.js").Layout | undefined} */
let place;
/** @type {unknown[]} */
let alternatives = [];

/** How many frames the ghost plays after each of the game. */
const GHOST_FRAMES = 12;

/** @param {object} message @param {Transferable[]} [transfer] */
function tell(message, transfer = []) {
  self.postMessage(message, { transfer });
}

/** @param {{settings: object, against?: string, file?: ArrayBuffer | null, number: number}} wish */
function start({ settings, against, file, number }) {
  game?.free();
  ghost?.free();
  game = ghost = null;
  pieces = followed = -1;
  fromPosition = "position" in settings;
  if (file) image = new Uint8Array(file);
  game = new WebGame(JSON.stringify(settings), image, network?.copy());
  if (against === "bot" && network) ghost = new WebGame(JSON.stringify({ ...settings, player: "maxout-fast" }), image, network.copy());
  show(number, false, true);
  follow(number, 0);
}

/** Lets the best player place as many pieces as have locked, a few frames at a time. @param {number} number @param {number} locked */
function follow(number, locked) {
  if (!ghost || followed >= locked || !ghost.run_to(locked, GHOST_FRAMES)) return;
  followed = locked;
  tell({ type: "ghost", number, scene: JSON.parse(ghost.scene()) });
}

/** @param {number} number @param {boolean} over @param {boolean} ranked */
function show(number, over, ranked) {
  if (!game) return;
  const scene = JSON.parse(game.scene());
  if (ranked && scene.air && scene.pieces !== pieces) {
    pieces = scene.pieces;
    alternatives = JSON.parse(game.alternatives())?.placements.slice(0, 5) ?? [];
  }
  const picture = game.picture(), sound = game.sound();
  const parts = { scene, over, picture, sound, layout: place, alternatives: ranked ? alternatives : [] };
  tell({ type: "scene", number, ...parts }, [picture.buffer, sound.buffer]);
  if (ghost) locked = scene.pieces;
}

/** @param {{frames: number, ms: number, buttons: number | null, ranked: boolean, loud: boolean, number: number}} wish */
function run({ frames, ms, buttons, ranked, loud, number }) {
  if (!game) return;
  let over = false;
  game.hear(loud && frames === 1 && ms === 0);
  if (ms > 0) {
    const end = performance.now() + ms;
    do over = game.run(4);
    while (!over && performance.now() < end);
  } else if (buttons !== null) {
    over = game.press(buttons);
  } else {
    over = game.run(frames);
  }
  show(number, over, ranked);
  follow(number, locked);
}

/** The archive of a run; an error if this game has none. @param {WebGame} game */
function folder(game) {
  // Seconds are enough, as in what the program writes.
  const file = game.folder(`${new Date().toISOString().slice(0, 19)}Z`);
  const parts = { name: file.name(), bytes: file.bytes() };
  file.free();
  return parts;
}

/** A movie, but of a game from a position a recording. @param {WebGame} game */
function movie(game) {
  if (fromPosition) return { end: "ngf", bytes: game.recording() };
  return { end: "fm2", bytes: new TextEncoder().encode(game.fm2()) };
}

/** Tells the page what to save, or to review. @param {"fm2" | "folder" | "review"} kind */
function save(kind) {
  if (!game) return;
  if (kind === "folder") {
    tell({ type: "file", ...folder(game) });
  } else if (kind === "fm2") {
    tell({ type: "file", ...movie(game) });
  } else {
    // The archive needs no emulator, but not every game has one.
    try {
      tell({ type: "game", ...folder(game) });
    } catch {
      tell({ type: "game", ...movie(game), pace: JSON.parse(game.scene()).pace });
    }
  }
}

/** Answers a question of the training; nothing while the weights are on their way. @param {number} key @param {object} question */
function rank(key, question) {
  study ??= network && new WebStudy(network);
  tell({ type: "ranked", key, answers: study ? JSON.parse(study.rank(JSON.stringify(question))).placements : null });
}

/** Answers a question of the adjustments. @param {number} key @param {object} question */
function adjust(key, question) {
  study ??= network && new WebStudy(network);
  tell({ type: "ranked", key, answers: study ? JSON.parse(study.adjust(JSON.stringify(question))) : null });
}

/** @param {ArrayBuffer} file */
function check(file) {
  const told = JSON.parse(cartridge(new Uint8Array(file)));
  tell({ type: "cartridge", told, file }, [file]);
}

self.onmessage = (/** @type {MessageEvent} */ event) => {
  const wish = event.data;
  try {
    if (wish.type === "start") start(wish);
    else if (wish.type === "run") run(wish);
    else if (wish.type === "check") check(wish.file);
    else if (wish.type === "rank") rank(wish.key, wish.question);
    else if (wish.type === "adjust") adjust(wish.key, wish.question);
    else if (["fm2", "folder", "review"].includes(wish.type)) save(wish.type);
    else if (wish.type === "log") tell({ type: "log", log: game?.log() ?? new Uint8Array() });
  } catch (error) {
    tell({ type: "error", about: wish.type, key: wish.key, text: words(error) });
  }
};

try {
  await module();
  place = JSON.parse(layout());
  tell({ type: "players", players: JSON.parse(players()) });
  network = await weights((loaded, total) => tell({ type: "progress", loaded, total }));
  tell({ type: "ready" });
} catch (error) {
  tell({ type: "error", about: "load", text: words(error) });
}
