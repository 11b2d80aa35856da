// Brings a review to the page that shows it: asks the page that made it for the data, and then loads the script.

import { WORDS } from "./words.js";

const key = location.search.slice(1);
const channel = new BroadcastChannel("maxout-review");
/** How long the other page may take to answer. */
const PATIENCE_MS = 5000;
const at = (/** @type {string} */ id) => /** @type {HTMLElement} */ (document.getElementById(id));

const missing = setTimeout(() => {
  at("none").textContent = WORDS.review.gone;
  at("none").hidden = false;
  at("stage").hidden = true;
}, PATIENCE_MS);

channel.onmessage = (/** @type {MessageEvent} */ { data }) => {
  if (data.key !== key) return;
  clearTimeout(missing);
  channel.close();
  at("data").textContent = data.page;
  at("taps-others").dataset.words = WORDS.review.otherTaps;
  const script = document.createElement("script");
  script.src = "review-page.js";
  script.onload = () => {
    const made = at("made");
    made.textContent = (made.textContent ?? "").replace(/ · this file .*/, WORDS.review.made);
  };
  document.body.append(script);
  playOn(JSON.parse(data.page).reviews);
};

/** A link that plays on from the position that is shown. @param {{placements: {board: string[], piece: string, next: string | null, level: number, lines: number}[]}[]} reviews */
function playOn(reviews) {
  const link = document.createElement("a"), choices = at("copy-link");
  Object.assign(link, { id: "play-on", className: "button", textContent: WORDS.playOn, href: "./" });
  choices.after(link);
  link.addEventListener("click", () => {
    const parts = new URLSearchParams(location.hash.slice(1));
    const shown = reviews[Number(parts.get("game")) - 1]?.placements[Number(parts.get("piece")) - 1] ?? reviews[0].placements[0];
    const board = shown.board.map((row) => [...row].reduce((sum, cell) => sum * 2 + Number(cell === "#"), 0).toString(32).padStart(2, "0")).join("");
    link.href = `./#play?${new URLSearchParams({ board, piece: shown.piece, next: shown.next ?? "", level: String(shown.level), lines: String(shown.lines) })}`;
  });
}
channel.postMessage({ ask: key });
