// Plays the game of `maxout sim --json` with the module, on the model and in the emulator, and compares.
//
// usage: node node.mjs SITE SIM.json

import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, expectedFile] = process.argv.slice(2);
const expected = JSON.parse(readFileSync(expectedFile, "utf8"));
const { default: init, WebGame, WebWeights, WebStudy, cartridge } = await import(
  pathToFileURL(resolve(site, "maxout_web.js")).href
);
await init({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
const begun = performance.now();
const weights = new WebWeights(readFileSync(join(site, "weights.bin")));
console.log(`weights unpacked in ${Math.round(performance.now() - begun)} ms`);

const logs = [];
for (const emulator of [false, true]) {
  const settings = { player: "maxout-fast", seed: 7, level: 19, stop: "lines:20", emulator };
  const start = performance.now();
  const game = new WebGame(JSON.stringify(settings), new Uint8Array(), weights.copy());
  const ready = performance.now();
  while (!game.run(60));
  const scene = JSON.parse(game.scene());
  const seconds = (performance.now() - ready) / 1000;
  console.log(
    `${emulator ? "emulator" : "model"}: score ${scene.score}, ${scene.lines} lines, ${scene.frame} frames, ` +
      `${Math.round(scene.frame / seconds)} frames/s, ready after ${Math.round(ready - start)} ms`,
  );
  logs.push(Buffer.from(game.log()).toString("hex"));
  const game0 = expected.results[0];
  for (const [key, got] of [["score", scene.score], ["lines", scene.lines], ["pieces", scene.pieces]]) {
    if (game0[key] !== got) throw new Error(`${key} ${got}, sim has ${game0[key]}`);
  }
}
if (logs[0] !== logs[1]) throw new Error("model and emulator pressed other buttons");
console.log("the same buttons and score on both, and the score of sim");
