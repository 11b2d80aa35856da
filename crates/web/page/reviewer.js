// The worker of a review: plays a movie, and judges every placement.

import { WebOpened, WebReview } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

/** How often the page is told how far it is, in milliseconds. */
const TELL_MS = 100;

/** @param {{name: string, file: ArrayBuffer, log: ArrayBuffer | null, image: ArrayBuffer | null, taps: string}} wish */
async function review({ name, file, log, image, taps }) {
  await module();
  const bytes = (/** @type {ArrayBuffer | null} */ buffer) => buffer ? new Uint8Array(buffer) : new Uint8Array();
  const opened = new WebOpened(name, bytes(file), bytes(log), bytes(image)), note = opened.note();
  const network = await weights((loaded, total) => self.postMessage({ type: "progress", stage: "load", part: loaded / total, loaded, total }));
  const review = new WebReview(opened, taps, network);
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

self.onmessage = (/** @type {MessageEvent} */ event) => {
  review(event.data).catch((error) => self.postMessage({ type: "error", text: words(error) }));
};
