// What all pages share: their data, elements and numbers, notes, the clipboard, the theme.

const $ = (id) => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const LETTERS = "TJZOSLI";

const cellsOf = (x, y, id) => data.cells[id].map(([dx, dy]) => [x + dx, y + dy]);

// Text and elements.
const thousands = (n) => Math.round(n).toLocaleString("en-GB");
const percent = (share, digits = 1) => `${(100 * share).toFixed(digits)} %`;
const signed = (n) => (n < 0 ? "−" : "+") + thousands(Math.abs(n));
const plural = (n, one, many = `${one}s`) => `${thousands(n)} ${n === 1 ? one : many}`;

function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const SPACE = document.querySelector("svg").namespaceURI;

function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SPACE, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function mini(letter) {
  const cells = cellsOf(0, 0, data.spawns[letter]);
  const [left, top] = [Math.min(...cells.map((c) => c[0])), Math.min(...cells.map((c) => c[1]))];
  const right = Math.max(...cells.map((c) => c[0]));
  const bottom = Math.max(...cells.map((c) => c[1]));
  const [w, h] = [right - left + 1, bottom - top + 1];
  const root = svg("svg", { class: "shape", viewBox: `${-(4 - w) / 2} ${-(2 - h) / 2} 4 2`, role: "img", "aria-label": letter });
  for (const [x, y] of cells) {
    root.append(svg("rect", { class: `p${letter}`, x: x - left + 0.05, y: y - top + 0.05, width: 0.9, height: 0.9, rx: 0.14 }));
  }
  return root;
}

function text(id, value) {
  const node = $(id);
  if (node.textContent !== value) node.textContent = value;
}

const NOTE_MS = 4000;
const timers = { note: 0, link: 0 };

// A note goes after a while; one that stays goes with the next step.
function note(message, stays = false) {
  clearTimeout(timers.note);
  $("note").replaceChildren(...(message ? [el("p", {}, message)] : []));
  $("note").dataset.stays = stays;
  if (message && !stays) timers.note = setTimeout(() => note(""), NOTE_MS);
}

const wholeNumber = (text) => (/^\d{1,9}$/.test(text) ? Number(text) : NaN);
const clipped = (text) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);


async function copy(name, content) {
  try {
    await navigator.clipboard.writeText(content);
    note(`The ${name} is copied.`);
  } catch {
    // Not every browser lets a file use the clipboard: the text is shown, ready to be copied by hand.
    text("copy-title", `Copy the ${name}`);
    $("copy-text").value = content;
    $("copy-text").rows = Math.max(2, content.split("\n").length);
    $("copy").showModal();
    $("copy-text").select();
  }
}

const THEMES = ["auto", "light", "dark"];

function setTheme(theme) {
  if (theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  text("theme", `Theme: ${theme}`);
}

$("theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme ?? "auto";
  setTheme(THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]);
});
$("help").addEventListener("click", () => $("keys").showModal());
