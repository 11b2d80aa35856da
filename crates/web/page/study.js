// The worker of the study: ranks the placements on drawn boards.

import { WebStudy } from "./maxout_web.js";
import { module, weights, words } from "./load.js";

await module();
const network = await weights((part) => self.postMessage({ type: "progress", part }));
const study = new WebStudy(network);

self.onmessage = (/** @type {MessageEvent} */ event) => {
  const { number, question } = event.data;
  try {
    self.postMessage({ type: "answers", number, answers: JSON.parse(study.rank(JSON.stringify(question))) });
  } catch (error) {
    self.postMessage({ type: "error", number, text: words(error) });
  }
};
self.postMessage({ type: "ready" });
