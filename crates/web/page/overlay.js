// A view for streams: reads a capture card or camera, and shows what each placement lost in large figures on a transparent ground.
//
// overlay.html?size=1920x1080&device=NAME&level=19&taps=12hz

import { live } from "./live.js";
import { megabytes } from "./text.js";
import * as video from "./video.js";
import { WORDS } from "./words.js";

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
/** After how many milliseconds a camera that has ended is tried again. */
const AGAIN_MS = 5000;

const wishes = new URLSearchParams(location.search);
const size = wishes.get("size") ?? "1280x720", level = wishes.get("level") ?? "", taps = wishes.get("taps") ?? "";
const SIZES = ["1280x720", "1920x1080"];

/** What is wrong with the address, or an empty text. */
function wrong() {
  if (!SIZES.includes(size)) return WORDS.wrongSize(size, SIZES);
  return level === "" || (/^\d+$/.test(level) && Number(level) < 256) ? "" : WORDS.wrongLevel(level);
}

/** Says why nothing is rated. @param {string} text */
const say = (text) => live(at("live"), null, text);

/** Reads what the camera shows until it ends. */
async function read() {
  const stream = await video.camera(wishes.get("device") ?? "");
  const worker = new Worker("reviewer.js", { type: "module" });
  const ended = new AbortController();
  try {
    /** @type {() => void} */
    let seen = () => {};
    /** @type {string | null} */
    let problem = null;
    worker.onerror = () => {
      problem = WORDS.notStarted;
      ended.abort();
    };
    worker.onmessage = ({ data }) => {
      if (data.type === "progress") say(WORDS.rates(megabytes(data.loaded, data.total)));
      if (data.type === "error") {
        problem = data.text;
        ended.abort();
      }
      if (data.type !== "seen") return;
      if (data.scene) live(at("live"), JSON.parse(data.scene));
      seen();
    };
    worker.postMessage({ type: "rate", taps, level: level === "" ? null : Number(level) });
    say(WORDS.ratesSoon);
    await video.show(at("video"), stream, (bitmap, time) => new Promise((done) => {
      seen = done;
      worker.postMessage({ type: "picture", bitmap, time }, [bitmap]);
    }), ended.signal);
    throw new Error(problem ?? WORDS.cameraEnded);
  } finally {
    ended.abort();
    worker.terminate();
  }
}

/** Reads, and tries again when that has ended. */
async function begin() {
  try {
    await read();
  } catch (error) {
    say(`${WORDS.aCamera}: ${error instanceof Error ? error.message : error}`);
    setTimeout(begin, AGAIN_MS);
  }
}

document.documentElement.dataset.size = size;
const problem = wrong();
if (problem) say(problem);
else begin();
