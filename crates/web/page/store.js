// What this browser keeps of its user: reviewed games, what was trained, and the rating. Nothing leaves it but by export.

const NAME = "maxout-coach";
/** What a file of everything says it is. */
const FORMAT = "maxout-coach 1";
/** Bytes that such a file may have, packed and unpacked. */
const MOST = 256 << 20;
/** The kinds of things that are kept; each thing has an `id`. */
export const KINDS = /** @type {const} */ (["games", "pages", "cards", "facts"]);

/** @typedef {typeof KINDS[number]} Kind @typedef {{id: string}} Kept @typedef {{id: string, packed: Uint8Array<ArrayBuffer>}} Page What the page of a review gets, packed. */

/** Where the browser keeps nothing (a private window may not), things last as long as the page. @type {Map<Kind, Map<string, Kept>>} */
const memory = new Map(KINDS.map((kind) => [kind, new Map()]));
/** @type {Promise<IDBDatabase | null> | null} */
let opening = null;

const open = () => (opening ??= new Promise((done) => {
  try {
    const request = indexedDB.open(NAME, 1);
    request.onupgradeneeded = () => {
      for (const kind of KINDS) request.result.createObjectStore(kind, { keyPath: "id" });
    };
    request.onsuccess = () => done(request.result);
    request.onerror = request.onblocked = () => done(null);
  } catch {
    done(null);
  }
}));

/** Whether things are kept when the page is closed. */
export const lasts = async () => (await open()) !== null;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const asked = (request) => new Promise((done, failed) => {
  request.onsuccess = () => done(request.result);
  request.onerror = () => failed(request.error);
});

/** Does something with some kinds in one transaction, and waits until it is written.
 * @param {readonly Kind[]} kinds @param {(store: (kind: Kind) => IDBObjectStore) => void} work @param {IDBDatabase} base */
const write = (base, kinds, work) => new Promise((done, failed) => {
  const change = base.transaction(kinds, "readwrite");
  change.oncomplete = () => done(undefined);
  change.onerror = change.onabort = () => failed(change.error);
  work((kind) => change.objectStore(kind));
});

/** @template {Kept} T @param {Kind} kind @returns {Promise<T[]>} */
export async function all(kind) {
  const base = await open();
  const found = base ? await asked(base.transaction(kind).objectStore(kind).getAll()) : [...(memory.get(kind)?.values() ?? [])];
  return /** @type {T[]} */ (found);
}

/** @template {Kept} T @param {Kind} kind @param {string} id @returns {Promise<T | undefined>} */
export async function get(kind, id) {
  const base = await open();
  const found = base ? await asked(base.transaction(kind).objectStore(kind).get(id)) : memory.get(kind)?.get(id);
  return /** @type {T | undefined} */ (found);
}

/** @param {Kind} kind @param {Kept} thing */
export async function put(kind, thing) {
  const base = await open();
  if (base) await write(base, [kind], (store) => store(kind).put(thing));
  else memory.get(kind)?.set(thing.id, thing);
}

/** @param {string} id */
export async function removeGame(id) {
  const base = await open();
  if (base) await write(base, ["games", "pages"], (store) => (store("games").delete(id), store("pages").delete(id)));
  for (const kind of /** @type {const} */ (["games", "pages"])) memory.get(kind)?.delete(id);
}

export async function removeAll() {
  const base = await open();
  if (base) await write(base, KINDS, (store) => KINDS.forEach((kind) => store(kind).clear()));
  for (const kept of memory.values()) kept.clear();
}

/** @param {Blob} blob @param {CompressionStream | DecompressionStream} through @returns {Promise<Blob>} */
async function through(blob, through) {
  const reader = blob.stream().pipeThrough(through).getReader();
  /** @type {Uint8Array<ArrayBuffer>[]} */
  const parts = [];
  for (let bytes = 0; ;) {
    const { done, value } = await reader.read();
    if (done) return new Blob(parts);
    bytes += value.length;
    if (bytes > MOST) throw new Error(`unpacks to more than ${MOST} bytes`);
    parts.push(value);
  }
}

/** @param {string} text */
export const pack = async (text) => new Uint8Array(await (await through(new Blob([text]), new CompressionStream("gzip"))).arrayBuffer());
/** @param {Uint8Array<ArrayBuffer>} bytes */
export const unpack = async (bytes) => (await through(new Blob([bytes]), new DecompressionStream("gzip"))).text();

/** Everything as one file. */
export async function exported() {
  /** @type {Record<string, Kept[]>} */
  const kept = {};
  for (const kind of KINDS) kept[kind] = await all(kind);
  const pages = /** @type {Page[]} */ (kept.pages);
  const opened = await Promise.all(pages.map(async ({ id, packed }) => ({ id, page: JSON.parse(await unpack(packed)) })));
  return new Blob([await pack(JSON.stringify({ format: FORMAT, ...kept, pages: opened }))], { type: "application/gzip" });
}

/** Adds what such a file holds; what has the same id is replaced. The error says what is wrong with the file.
 * @param {File} file @returns {Promise<number>} How many games it holds. */
export async function imported(file) {
  if (file.size > MOST) throw new Error(`${file.name}: file has ${file.size} bytes, expected at most ${MOST}`);
  /** @type {Record<string, unknown>} */
  let read;
  try {
    read = JSON.parse(await unpack(new Uint8Array(await file.arrayBuffer())));
  } catch {
    throw new Error(`${file.name}: not an export of this page, expected a file that Export saved`);
  }
  const lists = KINDS.map((kind) => [kind, read?.[kind]]);
  const good = read?.format === FORMAT && lists.every(([, list]) => Array.isArray(list) && list.every((thing) => typeof thing?.id === "string"));
  if (!good) throw new Error(`${file.name}: not an export of this page, expected the format ${FORMAT}`);
  const things = /** @type {Record<Kind, Kept[]>} */ (Object.fromEntries(lists));
  const pages = /** @type {{id: string, page: unknown}[]} */ (things.pages);
  things.pages = await Promise.all(pages.map(async ({ id, page }) => ({ id, packed: await pack(JSON.stringify(page)) })));
  const base = await open();
  if (base) await write(base, KINDS, (store) => KINDS.forEach((kind) => things[kind].forEach((thing) => store(kind).put(thing))));
  else KINDS.forEach((kind) => things[kind].forEach((thing) => memory.get(kind)?.set(thing.id, thing)));
  return things.games.length;
}
