// The page of reviewed games. Everything shown is a function of `now`.

const { reviews } = data;
const PAY = [0, 40, 100, 300, 1200];
const BAD = ["mistake", "blunder"];
// Browsers refuse pages that change their address more often than about three times a second.
const LINK_MS = 350;
// `ghost`: the number of the alternative, or of the next piece for an adjustment (7 more), or null for none.
const now = { game: 0, at: 0, ghost: null };
let curve;

const here = () => reviews[now.game].placements;
const position = () => here()[now.at];

// The line points before each placement, as far as the placements tell.
function earned(placements) {
  let sum = 0;
  return placements.map((placed, i) => {
    const before = placements[i - 1];
    const rows = before ? placed.lines - before.lines : 0;
    if (rows > 0 && rows <= 4) sum += PAY[rows] * (placed.level + 1);
    return sum;
  });
}

function ghostPlace() {
  const { alternatives, adjustments } = position();
  if (now.ghost === null) return null;
  return now.ghost >= 10 ? adjustments[now.ghost - 10] : (alternatives[now.ghost]?.placement ?? null);
}

function show() {
  const placed = position();
  const { played, alternatives } = placed;
  const ghost = ghostPlace();
  drawPosition(placed, played.placement, ghost);
  const board = $("board");
  board.dataset.piece = now.at + 1;
  board.dataset.ghost = now.ghost ?? "";
  board.setAttribute("aria-label", `The field before piece ${now.at + 1}, ${placed.piece} played at ${placeText(played.placement)}`);
  text("where", `piece ${now.at + 1} of ${here().length}`);
  text("frame", `frame ${thousands(placed.frame)}`);
  $("scrub").value = now.at;
  $("now-class").className = `class ${placed.class}`;
  text("now-class", named(placed.class) + (placed.missed_tetris ? ", missed tetris" : "") + (placed.missed_adjustment ? ", missed adjustment" : ""));
  $("now-loss").dataset.loss = placed.loss;
  text("now-loss", shownLoss(placed.loss));
  text("now-topout", percent(played.topout));
  $("alternatives").replaceChildren(...alternatives.map((other, i) => {
    const isPlayed = samePlace(other.placement, played.placement);
    const button = el("button", { type: "button", class: "quiet", "aria-pressed": now.ghost === i, "data-loss": other.loss, "aria-keyshortcuts": i + 1 },
      el("kbd", {}, String(i + 1)), el("span", {}, placeText(other.placement) + (isPlayed ? " (played)" : "")), el("b", { class: `class ${other.class}` }, shownLoss(other.loss)));
    button.addEventListener("click", () => toGhost(i));
    return el("li", {}, button);
  }));
  $("adjustments").replaceChildren(...placed.adjustments.map((place, i) => {
    const letter = data.pieces[i];
    const button = el("button", { type: "button", class: "quiet", "aria-pressed": now.ghost === 10 + i }, mini(letter), el("span", {}, place ? placeText(place) : "none"));
    button.disabled = !place;
    button.addEventListener("click", () => toGhost(10 + i));
    return el("li", {}, button);
  }));
  $("position").value = drawing();
  $("link").setAttribute("href", linkHere());
  text("link", linkHere());
  curve?.mark(now.at + 1);
}

function announce() {
  const { class: kind, loss, piece } = position();
  text("say", `Piece ${now.at + 1}, ${piece}: ${named(kind)}, loses ${thousands(loss)} points.`);
}

function toGhost(number) {
  const chosen = now.ghost === number ? null : number;
  // The list is drawn anew, so what had the focus gets it again.
  const focused = [...document.querySelectorAll("#alternatives button, #adjustments button")].indexOf(document.activeElement);
  now.ghost = chosen;
  show();
  if (focused >= 0) document.querySelectorAll("#alternatives button, #adjustments button")[focused]?.focus();
  const other = chosen === null ? null : position().alternatives[chosen];
  if (other) text("say", `${placeText(other.placement)}: loses ${thousands(other.loss)} points.`);
}

// The best placement is shown at first, if something else was played.
function goto(at) {
  now.at = Math.min(Math.max(at, 0), here().length - 1);
  const { alternatives, played } = position();
  now.ghost = alternatives.length && !samePlace(alternatives[0].placement, played.placement) ? 0 : null;
  show();
  announce();
  linkSoon();
}

function seekMistake(by) {
  let at = now.at + by;
  while (here()[at] && !BAD.includes(here()[at].class)) at += by;
  if (here()[at]) goto(at);
  else note(`There is no mistake ${by > 0 ? "after" : "before"} this piece.`);
}

function drawCurve() {
  const placements = here();
  const before = earned(placements);
  const total = placements.map((placed, i) => before[i] + placed.played.points);
  const best = placements.map((placed, i) => before[i] + placed.best.points);
  const count = placements.length;
  const top = Math.max(1, ...best, ...total);
  const worst = placements.filter((placed) => BAD.includes(placed.class)).length;
  curve = chart($("curve"), {
    height: 190, x: [1, Math.max(2, count)], y: [0, top * 1.04], yText: short, xName: "pieces", bare: false,
    xText: String,
    label: `Expected line points at the stop, after each of ${plural(count, "piece")}; ${plural(worst, "mistake or blunder", "mistakes and blunders")}`,
    draw(plot) {
      plot.line(total.map((points, i) => [i + 1, points]), "curve");
      placements.forEach(({ class: kind }, i) => {
        if (CLASSES.indexOf(kind) < 3) return;
        plot.add("circle", { class: `mark-${kind}`, "data-piece": i + 1, cx: plot.x(i + 1), cy: plot.y(total[i]), r: BAD.includes(kind) ? 4 : 2.5 });
      });
    },
    seek: (v) => goto(Math.round(v) - 1),
  });
}

function drawSums() {
  const { phases } = reviews[now.game];
  const head = ["", "pieces", "accuracy", "lost"].map((name) => el("th", { scope: "col" }, name));
  const rows = phases.map(({ phase, pieces, accuracy, lost }) =>
    el("tr", {}, el("th", { scope: "row" }, phase), ...[thousands(pieces), `${accuracy.toFixed(1)} %`, thousands(lost)].map((value) => el("td", {}, value))));
  $("sums").replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  const all = phases[0]?.classes ?? [];
  $("classes").replaceChildren(...CLASSES.map((kind, i) => el("span", {}, el("b", { class: `class ${kind}` }, named(kind)), ` ${all[i] ?? 0}`)));
}

function open(game, at) {
  now.game = game;
  const review = reviews[game];
  $("game-title").replaceChildren(review.source);
  text("game-result", `game ${review.game}, ${plural(review.placements.length, "placement")}, judged by ${review.player}`);
  $("picker").hidden = reviews.length < 2;
  $("run").value = game;
  $("stage").hidden = review.placements.length === 0;
  $("none").hidden = review.placements.length > 0;
  if (!review.placements.length) return;
  $("scrub").max = review.placements.length - 1;
  drawSums();
  drawCurve();
  goto(at);
}

// Links and text.
const linkHere = () => `#game=${now.game + 1}&piece=${now.at + 1}`;
const drawing = () => rowsOf(position().board).map((row) => `${row}\n`).join("");

function linkSoon() {
  if ($("note").dataset.stays === "true") note("");
  clearTimeout(timers.link);
  timers.link = setTimeout(() => history.replaceState(null, "", linkHere()), LINK_MS);
}

function followLink() {
  const { hash } = location;
  const plain = hash.length < 2 || $(hash.slice(1)) !== null;
  const fields = new URLSearchParams(hash.slice(1));
  const [game, at] = ["game", "piece"].map((name) => wholeNumber(fields.get(name) ?? (plain ? "1" : "")) - 1);
  const good = Boolean(reviews[game]?.placements[at]);
  open(good ? game : 0, good ? at : 0);
  clearTimeout(timers.link);
  if (!good && !plain) note(`“${clipped(hash)}” names no piece of this page, expected a link such as #game=1&piece=1. Shown instead: the first piece.`, true);
}

const copyBoard = () => copy("position", drawing());
const copyLink = () => copy("link", location.href.replace(/#.*/, "") + linkHere());

function key(event) {
  if (isTaken(event) || !here().length) return false;
  const big = event.shiftKey ? 10 : 1;
  switch (event.key) {
    case "ArrowLeft": goto(now.at - big); break;
    case "ArrowRight": goto(now.at + big); break;
    case "Home": goto(0); break;
    case "End": goto(here().length - 1); break;
    case "n": case "N": seekMistake(1); break;
    case "p": case "P": seekMistake(-1); break;
    case "1": case "2": case "3": case "4": case "5":
      if (position().alternatives[Number(event.key) - 1]) toGhost(Number(event.key) - 1);
      break;
    case "0": now.ghost = null; show(); break;
    case "c": case "C": copyBoard(); break;
    case "l": case "L": copyLink(); break;
    case "?": $("keys").showModal(); break;
    default: return false;
  }
  return true;
}

document.addEventListener("keydown", (event) => {
  if (key(event)) event.preventDefault();
});
for (const [id, act] of [
  ["first", () => goto(0)], ["back", () => goto(now.at - 1)], ["forth", () => goto(now.at + 1)], ["last", () => goto(here().length - 1)],
  ["previous-mistake", () => seekMistake(-1)], ["next-mistake", () => seekMistake(1)], ["copy-board", copyBoard], ["copy-link", copyLink],
]) $(id).addEventListener("click", act);
$("scrub").addEventListener("input", () => goto(Number($("scrub").value)));
$("run").addEventListener("change", () => open(Number($("run").value), 0));
addEventListener("hashchange", () => {
  if (location.hash.length > 1 && !$(location.hash.slice(1))) followLink();
});
reviews.forEach(({ source, game }, i) => $("run").append(el("option", { value: i }, `${source}, game ${game}`)));
followLink();
text("what", plural(reviews.length, "game"));
document.title = `${reviews[0]?.source ?? ""} – maxout review`;
text("made", `maxout ${data.version} · points are expected line points up to level 29, or of the next 100 lines from level 29 on · this file is complete in itself and loads nothing from anywhere`);
