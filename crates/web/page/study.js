// The worker of the study: ranks the placements on drawn boards.

import { WebStudy, board, screenshot } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

await module();

/** @type {WebStudy | null} */
let study = null;
/** The last question that has no answer yet. @type {{number: number, question: object} | null} */
let latest = null;

function answer() {
  if (!latest || !study) return;
  const { number, question } = latest;
  latest = null;
  try {
    self.postMessage({ type: "answer", number, answer: JSON.parse(study.rank(JSON.stringify(question))) });
  } catch (error) {
    self.postMessage({ type: "error", number, text: words(error) });
  }
}

/** Reads a board from something else. @param {string} from @param {() => string} read */
function seen(from, read) {
  try {
    self.postMessage({ type: "board", from, ...JSON.parse(read()) });
  } catch (error) {
    self.postMessage({ type: "unread", text: words(error) });
  }
}

self.onmessage = (/** @type {MessageEvent} */ { data }) => {
  const { picture, text } = data;
  if (picture) {
    seen("Screenshot", () => screenshot(new Uint8Array(picture.data), picture.width, picture.height));
  } else if (text !== undefined) {
    seen("Text", () => board(text));
  } else {
    // Whoever draws asks faster than the search answers: questions that others have followed are passed over.
    latest = data;
    setTimeout(answer);
  }
};
self.postMessage({ type: "reads" });
study = new WebStudy(await weights((loaded, total) => self.postMessage({ type: "progress", loaded, total })));
self.postMessage({ type: "ready" });
