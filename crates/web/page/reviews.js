// Games that somebody opens: a worker reviews them, and the page review.html shows them. That page asks for its data by a
// channel, so nothing leaves this browser and nothing is kept when both are closed.

/** @template {HTMLElement} T @param {string} id @returns {T} */
const at = (id) => /** @type {T} */ (document.getElementById(id));
const GAME = /\.(fm2|fm3|bk2|tasproj|ngf|gz|zip|json|txt)$/i;
/** Bytes that a file may have. */
const MOST = 64 << 20;
/** How many reviews are kept. */
const KEPT = 8;
const WORDS = { load: "Loading the learned weights", play: "Playing the movie", judge: "Judging the placements" };

const channel = new BroadcastChannel("maxout-review");
/** The data of the pages, by their keys. @type {Map<string, string>} */
const pages = new Map();
/** @type {Worker | null} */
let worker = null;

channel.onmessage = (/** @type {MessageEvent} */ { data }) => {
  const page = pages.get(data.ask);
  if (page) channel.postMessage({ key: data.ask, page });
};

/** @param {string} status @param {string} [problem] */
function say(status, problem = "") {
  at("review-status").textContent = status;
  at("review-message").textContent = problem;
  at("review-message").hidden = problem === "";
}

function end() {
  worker?.terminate();
  worker = null;
  at("review-part").hidden = true;
}

/** @param {string} name @param {{page: string, note: string}} done */
function finish(name, { page, note }) {
  const key = crypto.randomUUID?.() ?? String(Math.random()).slice(2);
  pages.set(key, page);
  if (pages.size > KEPT) pages.delete(/** @type {string} */ (pages.keys().next().value));
  const item = document.createElement("li"), link = document.createElement("a");
  Object.assign(link, { href: `review.html?${key}`, target: "_blank", rel: "noopener", textContent: name });
  item.append(link, note ? ` (${note})` : "");
  at("reviewed").prepend(item);
  say("Done. The link opens the review in a tab of its own.");
  link.focus();
}

/** Whether these files are a game to review. @param {File[]} files */
export const isGame = (files) => files.length > 0 && files.every(({ name }) => GAME.test(name));

/**
 * Reviews a game: one file, or run.json and buttons.txt.
 * @param {File[]} files
 * @param {ArrayBuffer | null} image The cartridge, if it is not the test cartridge.
 */
export async function open(files, image) {
  end();
  const log = files.find(({ name }) => /\.txt$/i.test(name));
  const rest = files.filter((file) => file !== log);
  const [file] = rest;
  const large = files.find(({ size }) => size > MOST);
  if (rest.length !== 1) {
    say("", `${files.map(({ name }) => name).join(", ")}: expected one movie or recording, or run.json and buttons.txt together`);
    return;
  }
  if (large) {
    say("", `${large.name}: file has ${large.size} bytes, expected at most ${MOST}`);
    return;
  }
  say(`${file.name}: reading`);
  const [bytes, text] = [await file.arrayBuffer(), (await log?.arrayBuffer()) ?? null];
  const mine = worker = new Worker("reviewer.js", { type: "module" });
  /** @type {HTMLProgressElement} */
  const bar = at("review-part");
  bar.hidden = false;
  mine.onerror = () => {
    end();
    say("", "The review could not be started.");
  };
  mine.onmessage = ({ data }) => {
    if (mine !== worker) return;
    if (data.type === "progress") {
      bar.value = data.part;
      const words = `${file.name}: ${WORDS[/** @type {keyof WORDS} */ (data.stage)]}`;
      // A screen reader speaks what changes.
      if (at("review-status").textContent !== words) say(words);
      return;
    }
    end();
    if (data.type === "done") finish(file.name, data);
    else say("", data.text);
  };
  mine.postMessage({ name: file.name, file: bytes, log: text, image }, text ? [bytes, text] : [bytes]);
}
