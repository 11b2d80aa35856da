// Compares the module with the program: a game by its movie, what own placements lost with `maxout review`, and ranked
// placements with `maxout analyze`.
//
// usage: node node.mjs SITE FOLDER
//
// FOLDER holds what the program says: reviewed-FILE for each FILE to be reviewed, sim.fm2, review.json (by maxout-fast, of the same game to 10 lines by plateau17) and
// analyze-NAME.json, in which NAME may be that of a tap table. If there is an aggression, the player's name ends in + and
// that aggression. bold.fm2 is the same game as sim.fm2 with the aggression bold.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [site, folder] = process.argv.slice(2);
const read = (name) => readFileSync(join(folder, name), "utf8");
const expected = read("sim.fm2");
const { default: init, WebGame, WebOpened, WebReview, WebRoom, WebStudy, WebWeights } = await import(pathToFileURL(resolve(site, "maxout_web.js")).href);
const { memory } = await init({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
const begun = performance.now();
const weights = new WebWeights(new WebRoom(), readFileSync(join(site, "weights.bin")));
weights.add_plateau(readFileSync(join(site, "plateau.bin")));
console.log(`weights unpacked in ${Math.round(performance.now() - begun)} ms`);

const settings = { player: "maxout-fast", seed: 7, level: 19, stop: "lines:20", emulator: false };
const begin = (more = {}) => new WebGame(JSON.stringify({ ...settings, ...more }), new Uint8Array(), weights.copy());

for (const emulator of [false, true]) {
  const start = performance.now();
  const game = begin({ emulator });
  const ready = performance.now();
  while (!game.run(60));
  const { score, lines, frame } = JSON.parse(game.scene());
  const rate = Math.round((1000 * frame) / (performance.now() - ready));
  const where = emulator ? "emulator" : "model";
  console.log(`${where}: score ${score}, ${lines} lines, ${rate} frames/s, ready after ${Math.round(ready - start)} ms`);
  if (game.fm2() !== expected) throw new Error(`${where}: the movie is not that of the program`);
  if (emulator) writeFileSync(join(folder, "node.zip"), game.folder(new Date().toISOString()).bytes());
  game.free();
}
const bold = begin({ aggression: "bold" });
while (!bold.run(60));
if (bold.fm2() !== read("bold.fm2")) throw new Error("bold: the movie is not that of the program");
bold.free();
console.log("the same movies as the program's, byte for byte");

/** What the program did in a game and how many CPU seconds that took, without its start. */
function native(name) {
  const read = (name) => {
    const [{ frames, pieces }] = JSON.parse(readFileSync(join(folder, `speed-${name}.json`), "utf8")).per_game;
    const [user, system] = readFileSync(join(folder, `speed-${name}.txt`), "utf8").trim().split(/\s+/).map(Number);
    return { frames, pieces, cpu: user + system };
  };
  const long = read(name), short = read(`${name}-short`);
  return { frames: long.frames - short.frames, pieces: long.pieces - short.pieces, cpu: long.cpu - short.cpu };
}

/** The same of the module, in which nothing starts anew. */
function here(more) {
  const game = begin(more), from = process.cpuUsage();
  while (!game.run(60));
  const { user, system } = process.cpuUsage(from);
  const { frame: frames, pieces } = JSON.parse(game.scene());
  game.free();
  return { frames, pieces, cpu: (user + system) / 1e6 };
}

const games = [
  ["emulator", "frames", { emulator: true }],
  ["fast", "pieces", { stop: "level29" }],
  ["default", "pieces", { player: "maxout" }],
];
for (const [name, what, more] of games) {
  const [module, program] = [here(more), native(name)].map((spent) => spent[what] / spent.cpu);
  const share = Math.round((100 * module) / program);
  console.log(`${name}: ${Math.round(module)} ${what} per CPU second in the module, ${Math.round(program)} in the program: ${share} %`);
}

const weaker = { player: "plateau17", seed: 8, stop: "lines:10" };
const watched = begin(weaker), hand = begin(weaker);
while (!watched.run(60));
for (const buttons of watched.log()) hand.press(buttons);
if (watched.ratings() !== "[]") throw new Error("what the player placed is rated");
watched.free();
const ratings = JSON.parse(hand.ratings()), [{ placements: reviewed }] = JSON.parse(read("review.json"));
hand.free();
if (ratings.length !== reviewed.length) throw new Error(`${ratings.length} ratings, review has ${reviewed.length}`);
ratings.forEach((rating, at) => {
  const { class: kind, loss, why, within_limits, played, best } = reviewed[at];
  const same = [rating.class, rating.loss, rating.why, rating.within_limits, rating.played, rating.best];
  if (!isDeepStrictEqual(same, [kind, loss, why, within_limits, played.placement, best.placement])) {
    throw new Error(`placement ${at + 1}: ${JSON.stringify(rating)}, review says ${JSON.stringify(reviewed[at])}`);
  }
});
// The movie of the same game shows how each piece moved, and with that what was a misdrop.
const [{ placements: filmed }] = JSON.parse(read("reviewed-game.fm2.json")), place = (at) => at && { y: at.y, orientation: at.orientation, x: at.x };
ratings.forEach(({ meant }, at) => {
  if (!isDeepStrictEqual(place(meant), place(filmed[at].misdrop))) throw new Error(`placement ${at + 1}: meant for ${JSON.stringify(meant)}, review says ${JSON.stringify(filmed[at].misdrop)}`);
});
const lost = ratings.filter(({ class: kind }) => kind !== "best").length;
console.log(`by hand: ${ratings.length} placements (${lost} not Best) rated as \`maxout review\` rates them`);

// A game from a position is saved as a recording, whose review says the same of each placement, from the same board.
const four = Array(4).fill("####.#####").join("\n"), taps = "12hz";
const from = { board: four, piece: "I", next: "T", level: 18, lines: 100 };
const onward = begin({ player: "plateau17", stop: "topout", taps, seed: 0x67796d * 2 ** 24 + 5, position: from });
// Upright, and to the well for a tetris; then something of everything.
const script = [[128, 2], [1], [2, 2, 2], [64, 1, 1], [], [2]];
for (let frame = 0, piece = -1, at = 0, now = JSON.parse(onward.scene()); now.pieces < 12 && !now.over; frame++, now = JSON.parse(onward.scene())) {
  if (now.pieces !== piece) [piece, at] = [now.pieces, 0];
  const tap = frame % 6 === 0 ? script[piece % script.length][at++] : undefined;
  onward.press(tap ?? (at >= script[piece % script.length].length ? 4 : 0));
}
const own = JSON.parse(onward.ratings()), recorded = onward.recording();
let refused = "";
try { onward.fm2(); } catch (error) { refused = String(error); }
if (!refused.includes("from its start")) throw new Error(`a movie of a game from a position: ${refused}`);
writeFileSync(join(folder, "node.ngf"), recorded);
const again = new WebReview(new WebOpened("node.ngf", recorded, new Uint8Array(), new Uint8Array()), taps, weights);
while (again.advance() < 1);
const [told12] = JSON.parse(again.json());
writeFileSync(join(folder, "node-ngf.json"), again.json());
again.free();
onward.free();
const [first] = told12.placements;
if (first.board.join("\n").replace(/^(\.{10}\n)+/, "") !== four || first.lines !== 100 || first.level !== 18 || first.piece !== "I" || first.next !== "T") {
  throw new Error(`the recording begins with ${JSON.stringify(first)}`);
}
if (told12.summary.lines < 4) throw new Error(`${told12.summary.lines} lines, expected a tetris`);
if (own.length !== 12 || told12.placements.length !== own.length) throw new Error(`${own.length} ratings, the recording has ${told12.placements.length}`);
own.forEach((rating, at) => {
  const { class: kind, loss, why, played, best } = told12.placements[at];
  const same = [rating.class, rating.loss, rating.why, rating.played, rating.best];
  if (!isDeepStrictEqual(same, [kind, loss, why, played.placement, best.placement])) {
    throw new Error(`placement ${at + 1} from a position: ${JSON.stringify(rating)}, its recording says ${JSON.stringify(told12.placements[at])}`);
  }
});
console.log(`from a position: ${own.length} placements, whose recording is reviewed as they were rated`);

/** What the adjustments of the page are made of: the losses of an answer with each next piece, and places to wait in. */
function adjusted(question, { hovering }) {
  const found = JSON.parse(study.adjust(JSON.stringify(question)));
  if (!isDeepStrictEqual(found.hovering, hovering)) throw new Error(`the page waits ${JSON.stringify(found.hovering)}, expected ${JSON.stringify(hovering)}`);
  const same = (a, b) => a.x === b.x && a.y === b.y && a.orientation === b.orientation;
  [..."TJZOSLI"].forEach((next, at) => {
    const { placements } = JSON.parse(study.rank(JSON.stringify({ ...question, next, reaction: 0 })));
    if (placements.length !== found.placements.length) throw new Error(`${found.placements.length} placements, expected ${placements.length}`);
    for (const [k, place] of found.placements.entries()) {
      const { loss } = placements.find((other) => same(other, place));
      if (loss !== found.losses[k][at]) throw new Error(`${JSON.stringify(place)} before ${next} loses ${found.losses[k][at]}, expected ${loss}`);
    }
    // Where the best player goes is among what can be reached from where it waits.
    const from = found.hovers.filter((hover) => same(hover.at, hovering.at) && isDeepStrictEqual(hover.buttons, hovering.buttons));
    if (from.length !== 1) throw new Error(`${from.length} places to wait in are the best player's`);
    if (!from[0].reach.some((k) => same(found.placements[k], hovering.adjustments[next]))) throw new Error(`${next}: out of reach`);
  });
  const all = new Set(found.hovers.flatMap(({ reach }) => reach));
  if (all.size !== found.placements.length) throw new Error(`${all.size} of ${found.placements.length} placements can be reached from some place to wait in`);
}

const study = new WebStudy(weights);
for (const file of readdirSync(folder).filter((name) => name.startsWith("analyze-")).sort()) {
  const { board, piece, next, level, lines, player: asked, limits, ...expected } = JSON.parse(read(file)), reaction = expected.hovering?.frames ?? 0;
  const [player, aggression = ""] = asked.split("+");
  const name = file.slice("analyze-".length, -".json".length), taps = /\d+hz$/.exec(name)?.[0] ?? "";
  const start = performance.now();
  const answer = JSON.parse(study.rank(JSON.stringify({ board, piece, next, level, lines, taps, aggression, player, reaction })));
  const ms = Math.round(performance.now() - start);
  if (!isDeepStrictEqual(answer, expected)) {
    const { placements } = answer;
    const at = placements.findIndex((placement, index) => !isDeepStrictEqual(placement, expected.placements[index]));
    const [said, wanted] = at < 0 ? [answer, expected] : [placements[at], expected.placements[at]];
    throw new Error(`${file}: the page says ${JSON.stringify(said)}, expected ${JSON.stringify(wanted)}`);
  }
  if (reaction) adjusted({ board, piece, next, level, lines, taps, player, reaction }, expected);
  console.log(`${name}: ${answer.placements.length} placements as \`maxout analyze --player ${asked}\` says, in ${ms} ms`);
}

for (const file of readdirSync(folder).filter((name) => name.startsWith("reviewed-")).sort()) {
  // reviewed-12hz-FILE is judged at that tap speed.
  const [, taps = "", name] = /^reviewed-(?:(\d+hz)-)?(.*)\.json$/.exec(file);
  const start = performance.now(), expected = JSON.parse(read(file));
  const log = name === "run.json" ? readFileSync(join(folder, "buttons.txt")) : new Uint8Array();
  const review = new WebReview(new WebOpened(name, readFileSync(join(folder, name)), log, new Uint8Array()), taps, weights);
  while (review.advance() < 1);
  // The program's source is a path.
  const reviewed = JSON.parse(review.json()).map((game) => ({ ...game, source: expected[0].source }));
  if (!isDeepStrictEqual(reviewed, expected)) throw new Error(`${name}: the review is not that of \`maxout review --json\``);
  if (JSON.parse(review.page()).reviews.length !== expected.length) throw new Error(`${name}: the page has other games`);
  review.free();
  const pieces = expected.map(({ placements }) => placements.length).join(" and ");
  console.log(`${name} ${taps}: ${pieces} placements reviewed as \`maxout review\` does, in ${Math.round(performance.now() - start)} ms`);
}

const sizes = [];
for (let seed = 0; seed < 10; seed++) {
  const game = begin({ seed, stop: "lines:5" });
  while (!game.run(60));
  game.free();
  sizes.push(memory.buffer.byteLength / 2 ** 20);
}
console.log(`memory after each of ten games: ${sizes.map((size) => size.toFixed(1)).join(", ")} MiB`);
if (sizes[9] > sizes[1] + 1) throw new Error("memory grows from game to game");
