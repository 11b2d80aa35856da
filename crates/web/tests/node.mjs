// Plays the game of `maxout sim` with the module, on the model and in the emulator: the movies must be the same, byte for
// byte, as that of `maxout replay --fm2`.
//
// usage: node node.mjs SITE MOVIE.fm2

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, movie] = process.argv.slice(2);
const expected = readFileSync(movie, "utf8");
const { default: init, WebGame, WebWeights } = await import(pathToFileURL(resolve(site, "maxout_web.js")).href);
await init({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
const begun = performance.now();
const weights = new WebWeights(readFileSync(join(site, "weights.bin")));
console.log(`weights unpacked in ${Math.round(performance.now() - begun)} ms`);

for (const emulator of [false, true]) {
  const settings = { player: "maxout-fast", seed: 7, level: 19, stop: "lines:20", emulator };
  const start = performance.now();
  const game = new WebGame(JSON.stringify(settings), new Uint8Array(), weights.copy());
  const ready = performance.now();
  while (!game.run(60));
  const { score, lines, frame } = JSON.parse(game.scene());
  const rate = Math.round((1000 * frame) / (performance.now() - ready));
  const where = emulator ? "emulator" : "model";
  console.log(`${where}: score ${score}, ${lines} lines, ${rate} frames/s, ready after ${Math.round(ready - start)} ms`);
  if (game.fm2() !== expected) throw new Error(`${where}: the movie is not that of the program`);
}
console.log("the same movies as the program's, byte for byte");
