// Memory that the module takes for a review, whatever file is opened: at most 300 MB, with the weights.
//
// usage: node memory.mjs SITE RECORDING [FILE...]
//
// Opens hostile files that it makes, some of them from a RECORDING of version 3, and each FILE. Memory of WebAssembly never shrinks: its
// size at the end is the peak.

import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";

const [site, recording, ...files] = process.argv.slice(2);
const BOUND = 300e6;
/** Most bytes that the page opens (`reviews.js`). */
const MOST = 32 << 20;
const NONE = new Uint8Array();

/** What the page does in its worker, with a module of its own. Returns the peak memory and what is wrong with the file. */
async function peak(number, name, file, log = NONE) {
  const module = await import(`${pathToFileURL(resolve(site, "maxout_web.js")).href}?${number}`);
  const { memory } = await module.default({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
  let problem = "";
  try {
    const opened = new module.WebOpened(name, file, log, NONE);
    const weights = new module.WebWeights(new module.WebRoom(), readFileSync(join(site, "weights.bin")));
    weights.add_plateau(readFileSync(join(site, "plateau.bin")));
    const review = new module.WebReview(opened, "", weights);
    // A long review goes on like that.
    for (const end = performance.now() + 2000; performance.now() < end && review.advance() < 1;);
    review.page();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof WebAssembly.RuntimeError) throw error;
    problem = error.message;
  }
  return [memory.buffer.byteLength, problem];
}

/** Frames of version 3 (73 bytes), whose field, counts and pieces are random. */
function frames(count, change) {
  const bytes = new Uint8Array(73 * count);
  let seed = 1;
  for (let at = 0; at < bytes.length; at++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    bytes[at] = seed >>> 24;
  }
  for (let number = 0; number < count; number++) {
    const at = 73 * number;
    // Version and type, then the game and its milliseconds.
    bytes.set([0x68, number >> 8, number & 0xff], at);
    change(bytes.subarray(at, at + 73), number);
  }
  return bytes;
}

/** The recording again and again, each time as another game if `apart`, else as one game. */
function games(apart) {
  const one = readFileSync(recording), all = new Uint8Array(one.length * Math.floor((32 << 20) / one.length));
  for (let at = 0; at < all.length; at += one.length) {
    all.set(one, at);
    const number = apart ? at / one.length : 1;
    for (let frame = at; frame < at + one.length; frame += 73) all.set([number >> 8, number & 0xff], frame + 1);
  }
  return all;
}

/** As many lines as the page opens. */
function text(begin, line) {
  const lines = Math.floor((MOST - begin.length) / line.length);
  return Buffer.concat([Buffer.from(begin), Buffer.alloc(lines * line.length, line)]);
}

const fm2 = "version 3\nromFilename x\nport0 1\nport1 0\n";
const cases = [
  ["zeros.ngf", new Uint8Array(MOST)],
  ["random.ngf", frames(450_000, () => {})],
  ["one-game.ngf", frames(450_000, (frame) => frame.set([0, 1], 1))],
  ["pieces.ngf.gz", gzipSync(frames(450_000, (frame) => frame.set([0, 1], 1)), { level: 1 })],
  ["games.ngf", games(true)],
  ["long-game.ngf", games(false)],
  ["games.ngf.gz", gzipSync(gzipSync(games(true), { level: 1 }), { level: 1 })],
  ["bomb.ngf.gz", gzipSync(gzipSync(new Uint8Array(512 << 20)))],
  ["zeros.zip", new Uint8Array(MOST)],
  ["run.json", text("{", " "), text("", "#")],
  ["long.fm2", text(fm2, "|0|........|||\n")],
  ["line.fm2", text(fm2, "9")],
  ["binary.fm2", text(`${fm2}binary 1\n|`, "\0")],
  ["zeros.bk2", new Uint8Array(MOST)],
  ...files.map((file) => [basename(file), readFileSync(file)]),
];
/** The largest picture that the page hands over, beside a study. */
async function screenshot() {
  const module = await import(`${pathToFileURL(resolve(site, "maxout_web.js")).href}?screenshot`);
  const { memory } = await module.default({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
  const weights = new module.WebWeights(new module.WebRoom(), readFileSync(join(site, "weights.bin")));
  weights.add_plateau(readFileSync(join(site, "plateau.bin")));
  const study = new module.WebStudy(weights), question = { board: "#.........", piece: "T", next: "I", level: 18, lines: 0, taps: "" };
  study.rank(JSON.stringify(question));
  try {
    module.screenshot(new Uint8Array(4 << 23), 4096, 2048);
  } catch (error) {
    if (!String(error).includes("no field")) throw error;
  }
  return [memory.buffer.byteLength, ""];
}

for (const [number, [name, file, log]] of [...cases, ["screenshot"]].entries()) {
  const [bytes, problem] = file ? await peak(number, name, file, log) : await screenshot();
  console.log(`${name}: ${Math.round(bytes / 1e6)} MB ${problem.slice(0, 120)}`);
  if (bytes > BOUND) throw new Error(`${name}: ${bytes} bytes of memory, expected at most ${BOUND}`);
}
