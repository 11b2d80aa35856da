// Loads the module and the weights, for both workers.

import init, { WebWeights } from "./maxout_web.js";

/** The name of the place where the weights are kept. Old ones go with the service worker's. */
const WEIGHTS = "weights.bin";

/** Starts the module. */
export async function module() {
  await init({ module_or_path: "maxout_web_bg.wasm" });
}

/**
 * Fetches the weights and unpacks them.
 * @param {(part: number) => void} progress Called with the part that has arrived, 0 to 1.
 */
export async function weights(progress) {
  const answer = await fetch(WEIGHTS);
  if (!answer.ok || !answer.body) throw new Error(`${WEIGHTS}: the server answers ${answer.status}`);
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
