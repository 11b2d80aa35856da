// The worker of the study: ranks the placements on drawn boards.

import { WebStudy, screenshot } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

await module();
const network = await weights((loaded, total) => self.postMessage({ type: "progress", loaded, total }));
const study = new WebStudy(network);

/** The last question that has no answer yet. @type {{number: number, question: object} | null} */
let latest = null;

function answer() {
  if (!latest) return;
  const { number, question } = latest;
  latest = null;
  try {
    self.postMessage({ type: "answers", number, answers: JSON.parse(study.rank(JSON.stringify(question))) });
  } catch (error) {
    self.postMessage({ type: "error", number, text: words(error) });
  }
}

self.onmessage = (/** @type {MessageEvent} */ event) => {
  const { picture } = event.data;
  if (picture) {
    try {
      const seen = JSON.parse(screenshot(new Uint8Array(picture.data), picture.width, picture.height, picture.piece));
      self.postMessage({ type: "board", ...seen });
    } catch (error) {
      self.postMessage({ type: "picture", text: words(error) });
    }
    return;
  }
  // Whoever draws asks faster than the search answers: questions that others have followed are passed over.
  latest = event.data;
  setTimeout(answer);
};
self.postMessage({ type: "ready" });
