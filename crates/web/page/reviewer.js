// The worker of a review: plays a movie or reads the pictures of a video, and judges every placement; of what is played now, as it locks.

import { WebOpened, WebReview, WebVideo } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

/** How often the page is told how far it is, in milliseconds. */
const TELL_MS = 100;

/** The weights, once they were asked for. @type {ReturnType<typeof weights> | null} */
let network = null;
/** @param {string} stage What the page is told that is waiting for them. */
const loading = (stage) => network ??= weights((loaded, total) => self.postMessage({ type: "progress", stage, part: loaded / total, loaded, total }));

/** Judges what was opened. @param {WebOpened} opened @param {string} taps */
async function judge(opened, taps) {
  const note = opened.note();
  const review = new WebReview(opened, taps, await loading("load"));
  let told = 0;
  for (;;) {
    const part = review.advance();
    if (part >= 1) break;
    if (performance.now() - told < TELL_MS) continue;
    told = performance.now();
    self.postMessage({ type: "progress", stage: part < 0 ? "play" : "judge", part: part < 0 ? part + 1 : part });
  }
  self.postMessage({ type: "done", note, page: review.page(), pace: review.pace() ?? null });
}

/** @type {WebVideo | null} */
let video = null;
/** @type {OffscreenCanvasRenderingContext2D | null} */
let canvas = null;

/** Rates placements from now on, as they lock. @param {string} taps @param {number | null} level */
async function rate(taps, level) {
  const loaded = await loading("rate");
  video ??= new WebVideo();
  video.rate(taps, level ?? undefined, loaded);
}

/** Looks at a picture of a video. Returns whether a game has been seen. @param {ImageBitmap} bitmap @param {number} time */
function see(bitmap, time) {
  const { width, height } = bitmap;
  canvas ??= new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true });
  video ??= new WebVideo();
  if (!canvas) throw new Error("expected a canvas");
  if (canvas.canvas.width !== width || canvas.canvas.height !== height) [canvas.canvas.width, canvas.canvas.height] = [width, height];
  canvas.drawImage(bitmap, 0, 0);
  bitmap.close();
  const { data } = canvas.getImageData(0, 0, width, height);
  return video.see(new Uint8Array(data.buffer), width, height, time);
}

/**
 * A file to review, a picture of a video, the end of one, or that its placements are to be rated as they lock.
 * @param {{type: "file", name: string, file: ArrayBuffer, log: ArrayBuffer | null, image: ArrayBuffer | null, taps: string} |
 *   {type: "picture", bitmap: ImageBitmap, time: number} | {type: "rate", taps: string, level: number | null} | {type: "end", name: string, taps: string, level: number | null}} wish
 */
async function hear(wish) {
  await module();
  const bytes = (/** @type {ArrayBuffer | null} */ buffer) => buffer ? new Uint8Array(buffer) : new Uint8Array();
  if (wish.type === "file") {
    await judge(new WebOpened(wish.name, bytes(wish.file), bytes(wish.log), bytes(wish.image)), wish.taps);
  } else if (wish.type === "picture") {
    self.postMessage({ type: "seen", game: see(wish.bitmap, wish.time), scene: video?.rating() ?? null });
  } else if (wish.type === "rate") {
    // The pictures that come meanwhile are read.
    rate(wish.taps, wish.level).catch((error) => self.postMessage({ type: "error", text: words(error) }));
  } else {
    const read = video ?? new WebVideo();
    video = null;
    await judge(read.finish(wish.name, wish.level ?? undefined), wish.taps);
  }
}

/** One message after the other. @type {Promise<void>} */
let heard = Promise.resolve();
self.onmessage = (/** @type {MessageEvent} */ event) => {
  heard = heard.then(() => hear(event.data)).catch((error) => self.postMessage({ type: "error", text: words(error) }));
};
