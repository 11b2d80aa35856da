// Keeps the files of the page, so that it works without a network. The build puts the version in.

const KEPT = "maxout-@VERSION@";
const FILES = [
  "./", "page.css", "first.js", "main.js", "game.js", "study.js", "load.js", "boards.js", "stage.js", "rating.js", "sound.js",
  "text.js", "result.js",
  "maxout_web.js", "maxout_web_bg.wasm", "icon.svg", "maxout.webmanifest", "reviews.js", "reviewer.js",
  "review.html", "review.css", "review-open.js", "review-page.js",
  "train.js", "games.js", "puzzles.js", "puzzles-set.js", "schedule.js", "fsrs.js", "store.js", "adjust.js", "pad.js", "video.js", "live.js", "overlay.html", "overlay.css", "overlay.js", "words.js",
];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));
const OWN = new Set(FILES.map((name) => new URL(name, worker.location.href).pathname));

worker.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(FILES)).then(() => worker.skipWaiting()));
});

worker.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("maxout-") && name !== KEPT) await caches.delete(name);
    }
    await worker.clients.claim();
  };
  event.waitUntil(forget());
});

worker.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  // Only the files of the page. The server answers everything else, and `load.js` keeps the weights.
  if (request.method !== "GET" || origin !== worker.location.origin || !OWN.has(pathname)) return;
  const answer = async () => {
    const kept = await caches.open(KEPT);
    return (await kept.match(request, { ignoreSearch: true })) ?? fetch(request);
  };
  event.respondWith(answer());
});
