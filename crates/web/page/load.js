// Loads the module and the weights, for both workers.

import init, { WebWeights } from "./maxout_web.js";

/** The file of the weights. The build puts their sum in, so that others are other files. */
const WEIGHTS = "weights.bin?@WEIGHTS@";

/** Fetches the weights, or takes those that were kept. */
async function fetched() {
  // Only a page from a safe place may keep something.
  const kept = "caches" in self ? await caches.open("weights") : null;
  const found = await kept?.match(WEIGHTS);
  if (found) return found;
  const answer = await fetch(WEIGHTS);
  if (!answer.ok) throw new Error(`weights.bin: the server answers ${answer.status}`);
  if (kept) {
    for (const old of await kept.keys()) await kept.delete(old);
    // A full disk is no reason not to play.
    kept.put(WEIGHTS, answer.clone()).catch(() => {});
  }
  return answer;
}

/** Starts the module. */
export async function module() {
  await init({ module_or_path: "maxout_web_bg.wasm" });
}

/**
 * Fetches the weights and unpacks them.
 * @param {(part: number) => void} progress Called with the part that has arrived, 0 to 1.
 */
export async function weights(progress) {
  const answer = await fetched();
  if (!answer.body) throw new Error("weights.bin: the answer is empty");
  const total = Number(answer.headers.get("content-length")) || 15_200_000;
  const reader = answer.body.getReader();
  /** @type {Uint8Array[]} */
  const parts = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    size += value.length;
    progress(Math.min(1, size / total));
  }
  const file = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    file.set(part, at);
    at += part.length;
  }
  return new WebWeights(file);
}

/** @param {unknown} error */
export function words(error) {
  return error instanceof Error ? error.message : String(error);
}
