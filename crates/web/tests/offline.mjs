// The service worker keeps the files of the page and nothing else: what the server computes is asked for anew each time.
//
// usage: node offline.mjs OFFLINE.JS

import { readFileSync } from "node:fs";
import vm from "node:vm";

const ORIGIN = "http://127.0.0.1:8019";
const handlers = {};
const stores = new Map();
let online = true;
const asked = [];

/** As the browser does: what is asked for is told apart by its whole address, unless the search is to be ignored. */
class Store {
  entries = new Map();
  async addAll(names) {
    for (const name of names) this.entries.set(new URL(name, `${ORIGIN}/offline.js`).href, `file ${name}`);
  }
  async match(request, { ignoreSearch = false } = {}) {
    const bare = (text) => (ignoreSearch ? text.split("?")[0] : text);
    for (const [url, answer] of this.entries) if (bare(url) === bare(request.url)) return answer;
  }
  async put(request, answer) {
    this.entries.set(request.url, answer);
  }
  async keys() {
    return [...this.entries.keys()].map((url) => ({ url }));
  }
}

const caches = {
  async open(name) {
    if (!stores.has(name)) stores.set(name, new Store());
    return stores.get(name);
  },
  keys: async () => [...stores.keys()],
  delete: async (name) => stores.delete(name),
};
const fetch = async (request) => {
  if (!online) throw new TypeError("no network");
  asked.push(request.url);
  return { ok: true, type: "basic", url: request.url, clone() { return this; } };
};
const self = {
  location: new URL(`${ORIGIN}/offline.js`),
  addEventListener: (name, handler) => (handlers[name] = handler),
  skipWaiting: async () => {},
  clients: { claim: async () => {} },
};
vm.runInNewContext(readFileSync(process.argv[2], "utf8"), { self, caches, fetch, URL });

async function fire(name) {
  const waits = [];
  handlers[name]({ waitUntil: (promise) => waits.push(promise) });
  await Promise.all(waits);
}

/** What a request brings: from the worker if it answers, else from the network. */
async function get(target, method = "GET") {
  let answer;
  const request = { method, url: new URL(target, ORIGIN).href };
  handlers.fetch({ request, respondWith: (promise) => (answer = promise) });
  return answer ?? fetch(request);
}

const check = (holds, text) => {
  if (!holds) throw new Error(text);
};
await fire("install");
await fire("activate");
const before = (await (await caches.open((await caches.keys())[0])).keys()).length;
for (const target of ["/get-move?board=A", "/get-move?board=B", "/v1/health", "/eval?board=A", "/eval?board=A", "/v1/live"]) {
  const answer = await get(target);
  check(answer.url === ORIGIN + target, `${target} was answered by ${JSON.stringify(answer)}`);
}
check(asked.length === 6, `expected 6 requests to the server, not ${asked}`);
const after = (await (await caches.open((await caches.keys())[0])).keys()).length;
check(after === before && stores.size === 1, `${after - before} answers of the server were kept`);
online = false;
for (const target of ["/", "/?seed=7", "/main.js", "/review.html?run=1", "/maxout_web_bg.wasm"]) {
  check(String(await get(target)).startsWith("file "), `${target} is not there without a network`);
}
for (const target of ["/get-move?board=A", "/weights.bin?1", "https://other.example/main.js"]) {
  const lost = await get(target).then(() => false, () => true);
  check(lost, `${target} was answered without a network`);
}
console.log("the service worker keeps the page and nothing else");
