// Loads the module and the weights, for all workers.

import init, { WebRoom, WebWeights } from "./maxout_web.js";

/** The files of the weights. The build puts their sums in, so that others are other files. */
const WEIGHTS = "weights.bin?@WEIGHTS@";
/** The network for levels 19 to 28, which only players use. */
const PLATEAU = "plateau.bin?@PLATEAU@";
/** How many bytes each has, if the server does not say. */
const USUAL = 8_600_000;

/** Fetches a file of weights, or takes one that was kept. @param {string} name */
async function fetched(name) {
  // Only a page from a safe place may keep something.
  const kept = "caches" in self ? await caches.open("weights") : null;
  const found = await kept?.match(name);
  if (found) return found;
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name.split("?")[0]}: the server answers ${answer.status}`);
  if (kept) {
    const known = [WEIGHTS, PLATEAU].map((name) => new URL(name, self.location.href).href);
    for (const old of await kept.keys()) if (!known.includes(old.url)) await kept.delete(old);
    // A full disk is no reason not to play.
    kept.put(name, answer.clone()).catch(() => {});
  }
  return answer;
}

/** Starts the module. */
export async function module() {
  await init({ module_or_path: "maxout_web_bg.wasm" });
}

/**
 * Fetches the weights and unpacks them.
 * @param {(loaded: number, total: number) => void} progress Called with the bytes that have arrived, and with all of them.
 */
export async function weights(progress) {
  const names = [WEIGHTS, PLATEAU];
  const answers = await Promise.all(names.map(fetched));
  const sizes = answers.map((answer) => Number(answer.headers.get("content-length")) || USUAL);
  const total = sizes.reduce((sum, size) => sum + size);
  let before = 0;
  /** @param {number} number */
  const whole = async (number) => {
    const { body } = answers[number];
    if (!body) throw new Error(`${names[number].split("?")[0]}: the answer is empty`);
    /** @type {Uint8Array<ArrayBuffer>[]} */
    const parts = [];
    const reader = body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      parts.push(value);
      before += value.length;
      progress(before, Math.max(before, total));
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };
  const network = new WebWeights(new WebRoom(), await whole(0));
  network.add_plateau(await whole(1));
  return network;
}

/** @param {unknown} error */
export function words(error) {
  return error instanceof Error ? error.message : String(error);
}
