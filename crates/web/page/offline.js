// Keeps the files of the page, so that it works without a network. The build puts the version in.

const KEPT = "maxout-@VERSION@";
const FILES = [
  "./", "page.css", "main.js", "game.js", "study.js", "load.js", "boards.js", "stage.js", "rating.js", "sound.js",
  "maxout_web.js",  "maxout_web_bg.wasm", "icon.svg", "maxout.webmanifest", "reviews.js", "reviewer.js",
  "review.html", "review.css", "review-open.js", "review-page.js",
];
const worker = /** @type {ServiceWorkerGlobalScope} */ (/** @type {unknown} */ (self));

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
  // The weights are kept by those who load them.
  if (request.method !== "GET" || origin !== worker.location.origin || /\/(weights|plateau)\.bin$/.test(pathname)) return;
  const answer = async () => {
    const kept = await caches.open(KEPT);
    const found = await kept.match(request, { ignoreSearch: true });
    if (found) return found;
    const fresh = await fetch(request);
    if (fresh.ok && fresh.type === "basic") await kept.put(request, fresh.clone());
    return fresh;
  };
  event.respondWith(answer());
});
