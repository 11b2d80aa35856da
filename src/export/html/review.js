// The page of reviewed games. Everything shown is a function of `now`.

const { reviews } = data;
const PAY = [0, 40, 100, 300, 1200];
const BAD = ["mistake", "blunder"];
// Browsers refuse pages that change their address more often than about three times a second.
const LINK_MS = 350;
// `ghost`: the number of the alternative, or of the next piece for an adjustment (7 more), or null for none.
const now = { game: 0, at: 0, ghost: null };
let charts = [];
// How many of the costliest placements are shown, and the bars of how many tetrises fit into the chart of losses.
const COSTLIEST = 10;
const TETRISES = 2;
// How many things to train are named.
const TRAIN = 3;
// A difference in top-out that explains a loss.
const RISK = 0.02;

const payOf = (rows, level) => PAY[rows] * (level + 1);
const oneTetris = (level) => `one tetris here = ${thousands(payOf(4, level))}`;
const here = () => reviews[now.game].placements;
const position = () => here()[now.at];

// The line points before each placement, as far as the placements tell.
function earned(placements) {
  let sum = 0;
  return placements.map((placed, i) => {
    const before = placements[i - 1];
    const rows = before ? placed.lines - before.lines : 0;
    if (rows > 0 && rows <= 4) sum += payOf(rows, placed.level);
    return sum;
  });
}

function ghostPlace() {
  const { alternatives, adjustments } = position();
  if (now.ghost === null) return null;
  return now.ghost >= 10 ? adjustments[now.ghost - 10] : (alternatives[now.ghost]?.placement ?? null);
}

// What games that were played on from a placement say of its loss, if any were. From 100 games on, the loss of the placement itself is between that and the forecast.
const measuredAt = (i) => reviews[now.game].measured?.find(({ number }) => number === i + 1);
const measuredSize = ({ loss, loss_se: error }) => `${thousands(Math.abs(loss))} ± ${thousands(error)}`;
const forecastLoss = ({ best, played }) => Math.max(0, best.points - played.points);
const measuredText = (measured) => `${measured.loss < 0 ? "+" : "−"}${measuredSize(measured)}`;

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
  text("now-class", named(placed.class));
  text("now-missed", [placed.missed_tetris ? "missed tetris" : "", placed.missed_adjustment ? "missed adjustment" : "", placed.misdrop ? "misdrop" : ""].filter(Boolean).join(", "));
  $("now-loss").dataset.loss = placed.loss;
  text("now-loss", shownLoss(placed.loss));
  const measured = measuredAt(now.at);
  text("now-measured", measured ? `forecast: ${shownLoss(forecastLoss(placed))}; played on: ${measuredText(measured)}` : "");
  text("now-topout", percent(played.topout));
  text("one-tetris", oneTetris(placed.level));
  explain(placed);
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
  for (const chart of charts) chart.mark(now.at + 1);
  document.querySelectorAll("#moments button, #costliest button, #missed button").forEach((button) => button.setAttribute("aria-pressed", Number(button.dataset.at) === now.at));
}

// Why the placement lost what it did.
function explain({ piece, next, level, loss, class: kind, why, missed_tetris: missedTetris, missed_adjustment: missedAdjustment, misdrop, within_limits: possible, played, best }) {
  const same = samePlace(played.placement, best.placement);
  text("why-title", `Piece ${now.at + 1}, ${piece}${next ? `, then ${next}` : ""}`);
  const tetrises = (loss / payOf(4, level)).toFixed(1);
  const inTetrises = tetrises === "0.0" ? "" : ` (${tetrises === "1.0" ? "one tetris" : `${tetrises} tetrises`})`;
  $("why-loss").replaceChildren(el("b", { class: `class ${kind}` }, named(kind)),
    Math.round(loss) > 0 ? `: loses ${plural(Math.round(loss), "point")}${inTetrises}.` : ": loses nothing.");
  const measured = measuredAt(now.at);
  const yours = reviews[now.game].as_you?.moments.find(({ number }) => number === now.at + 1);
  const forYou = yours ? ` For you it ${yours.loss < 0 ? "gains" : "costs"} ${measuredSize(yours)} points.` : "";
  text("why-measured", (measured ? `The forecast is ${plural(Math.round(forecastLoss({ best, played })), "point")}. ${plural(measured.games, "game")} played on from each of both placements, with the same pieces: it ${measured.loss < 0 ? "gains" : "loses"} ${measuredSize(measured)} points.` : "") + forYou);
  const words = [];
  if (why.length) words.push(`It ${listed(why)}.`);
  else if (BAD.includes(kind)) words.push(played.topout - best.topout >= RISK
    ? `It raises the probability of a top-out from ${percent(best.topout)} to ${percent(played.topout)}.`
    : "The two boards differ only in how well later pieces fit.");
  if (missedTetris && !why.includes("misses a tetris")) words.push("A tetris was possible.");
  if (missedAdjustment) words.push(`It would be right if the next piece were unknown. The next box showed ${next}.`);
  if (misdrop) words.push(`It was probably a misdrop, meant for ${placeText(misdrop)}.`);
  if (!possible) words.push(`It takes faster taps than ${hz(reviews[now.game].taps)}.`);
  text("why-text", words.join(" "));
  text("why-places", same ? `Played: ${placeText(played.placement)}, which is the best.` : `Played: ${placeText(played.placement)}. Best: ${placeText(best.placement)}.`);
}

function announce() {
  const { class: kind, loss, piece } = position();
  text("say", `Piece ${now.at + 1}, ${piece}: ${named(kind)}, loses ${plural(Math.round(loss), "point")}. ${$("why-measured").textContent} ${$("why-text").textContent}`);
}

function toGhost(number) {
  const chosen = now.ghost === number ? null : number;
  // The list is drawn anew, so what had the focus gets it again.
  const focused = [...document.querySelectorAll("#alternatives button, #adjustments button")].indexOf(document.activeElement);
  now.ghost = chosen;
  show();
  if (focused >= 0) document.querySelectorAll("#alternatives button, #adjustments button")[focused]?.focus();
  const other = chosen === null ? null : position().alternatives[chosen];
  if (other) text("say", `${placeText(other.placement)}: loses ${plural(Math.round(other.loss), "point")}.${other.why.length ? ` It ${listed(other.why)}.` : ""}`);
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

// The placement that lost most, the first of several.
const worst = (placements) => placements.reduce((top, placed, i) => (placed.loss > placements[top].loss ? i : top), 0);

function drawCharts() {
  const placements = here();
  const before = earned(placements);
  const total = placements.map((placed, i) => before[i] + placed.played.points);
  const best = placements.map((placed, i) => before[i] + placed.best.points);
  const count = placements.length;
  const top = Math.max(1, ...best, ...total);
  const bad = placements.filter((placed) => BAD.includes(placed.class)).length;
  const common = { x: [0, count + 1], xText: String, xName: "pieces", yText: short, bare: false, seek: (v) => goto(Math.round(v) - 1) };
  const most = placements[worst(placements)];
  // A few losses are often many times the others, which would be too low to see beside them.
  const high = Math.max(1, Math.min(most.loss, TETRISES * payOf(4, Math.max(...placements.map(({ level }) => level)))));
  const over = placements.filter(({ loss }) => loss > high).length;
  text("bars-sub", `Points lost against the best placement.${over ? ` ${over === 1 ? "One bar is" : `${thousands(over)} bars are`} cut off at ${thousands(high)}.` : ""}`);
  const bars = chart($("bars"), {
    ...common, height: 150, y: [0, high],
    label: `Points that each of ${plural(count, "piece")} lost; most, ${thousands(most.loss)}, at piece ${worst(placements) + 1}${over ? `; ${plural(over, "bar")} cut off at ${thousands(high)}` : ""}`,
    draw(plot) {
      const width = Math.max(1, plot.inner.width / (count + 1) - 1);
      placements.forEach(({ loss, class: kind }, i) => {
        if (Math.round(loss) <= 0) return;
        const y = plot.y(Math.min(loss, high));
        plot.add("rect", { class: `bar-${kind}`, "data-piece": i + 1, x: plot.x(i + 1) - width / 2, width, y, height: Math.max(1, plot.base - y) });
      });
    },
  });
  const curve = chart($("curve"), {
    ...common, height: 170, y: [0, top * 1.04],
    label: `Expected line points at the stop, after each of ${plural(count, "piece")}; ${plural(bad, "mistake or blunder", "mistakes and blunders")}`,
    draw(plot) {
      plot.line(total.map((points, i) => [i + 1, points]), "curve");
      placements.forEach(({ class: kind }, i) => {
        if (CLASSES.indexOf(kind) < 3) return;
        plot.add("circle", { class: `mark-${kind}`, "data-piece": i + 1, cx: plot.x(i + 1), cy: plot.y(total[i]), r: BAD.includes(kind) ? 4 : 2.5 });
      });
    },
  });
  charts = [bars, curve];
}

// A small board: what is locked, the piece where it was played, and the outline of the best placement.
function smallBoard({ board, piece, played, best }) {
  const root = svg("svg", { class: "small", viewBox: "0 0 10 20", "aria-hidden": "true" });
  const cell = ([x, y], name, inset) => root.append(svg("rect", { class: name, x: x + inset, y: y + inset, width: 1 - 2 * inset, height: 1 - 2 * inset, rx: 0.12 }));
  rowsOf(board).forEach((row, y) => [...row].forEach((sign, x) => {
    if (sign === "#") cell([x, y], "locked", 0.04);
  }));
  cellsAt(played.placement).forEach((at) => cell(at, `p${piece} played`, 0.04));
  if (!samePlace(played.placement, best.placement)) cellsAt(best.placement).forEach((at) => cell(at, `p${piece} better`, 0.16));
  return root;
}

// A placement as a small board that leads there.
function thumb(i) {
  const placed = here()[i];
  const measured = measuredAt(i);
  const words = [measured ? `played on: ${measuredText(measured)}` : "", placed.why[0] ?? ""].filter(Boolean).join("; ");
  const button = el("button", { type: "button", class: "quiet", "data-at": i }, smallBoard(placed),
    el("span", {}, el("b", { class: `class ${placed.class}` }, shownLoss(placed.loss)), el("span", {}, el("span", { class: "unseen" }, "piece "), `${i + 1}, ${placed.piece}`), el("small", {}, words)));
  button.addEventListener("click", () => goto(i));
  return el("li", {}, button);
}

// The game in a sentence, the moments that mattered, and what to train.
function drawGlance() {
  const { line_points: points, lines, tetris_rate: rate, accuracy, moments, habits } = reviews[now.game].summary;
  text("sentence", `${thousands(Math.round(points))} line points, ${plural(lines, "line")}, ${Math.round(100 * rate)} % of them by tetrises, accuracy ${accuracy.toFixed(1)} %.`);
  const you = reviews[now.game].as_you;
  const { points: best, topout } = here()[0]?.best ?? {};
  text("as-you", you ? `Played on as you play from the first piece: ${thousands(you.points)} ± ${thousands(you.points_se)} points expected, ${percent(1 - you.topout)} reach ${you.stop}; by ${reviews[now.game].player} ${thousands(best)}, ${percent(1 - topout)}.` : "");
  text("moments-sub", moments.length ? "What mattered most. Outlined: the best placement." : "No placement lost anything.");
  $("moments").replaceChildren(...moments.map((number) => thumb(number - 1)));
  // What has no name is only told if nothing costs more.
  const train = habits.filter(({ habit }, i) => i === 0 || habit !== "other").slice(0, TRAIN)
    .map(({ name, lost, pieces }) => `${name} (${thousands(Math.round(lost))} points in ${plural(pieces.length, "piece")})`);
  text("train", train.length ? `To train: ${train.join(", ")}.` : "");
}

function drawCostliest() {
  const placements = here();
  const order = placements.map((_, i) => i).filter((i) => Math.round(placements[i].loss) > 0);
  order.sort((a, b) => placements[b].loss - placements[a].loss || a - b);
  $("costliest").replaceChildren(...order.slice(0, COSTLIEST).map(thumb));
  text("costliest-sub", reviews[now.game].measured?.some(({ games }) => games >= 100) ? " Where games were played on, losses and all sums weigh them with the forecast, each by its error." : "");
  if (!order.length) $("costliest").replaceChildren(el("li", {}, "No placement lost anything."));
}

// The pieces at which something was missed, as buttons that lead there.
function drawMissed() {
  const placements = here();
  const rows = [
    ["missed_tetris", "tetris", "tetrises", "Four rows could have been cleared, and were not. That may still be right: its loss says."],
    ["missed_adjustment", "adjustment", "adjustments", "Right only until the next piece was seen."],
    ["misdrop", "misdrop", "misdrops", "Probably: one press more, or one a frame earlier, would have led to a good place."],
  ].map(([name, one, many, words]) => {
    const at = placements.flatMap((placed, i) => (placed[name] ? [i] : []));
    const buttons = at.map((i) => {
      const button = el("button", { type: "button", class: "quiet", "data-at": i, "aria-label": `Piece ${i + 1}` }, String(i + 1));
      button.addEventListener("click", () => goto(i));
      return button;
    });
    return el("div", { class: "misses", "data-name": name }, el("p", {}, el("b", {}, plural(at.length, one, many))), el("p", { class: "sub" }, words), el("div", { class: "chips" }, ...buttons));
  });
  $("missed").replaceChildren(...rows);
}

// The tap speed that was used, what others come to, and how to get them.
function drawTaps() {
  const { taps, speeds, source, forecast } = reviews[now.game];
  document.querySelectorAll(".forecast").forEach((node) => node.replaceChildren(forecastOf(forecast)));
  text("taps-used", `Judged by what ${hz(taps)} taps can reach.`);
  $("speeds").hidden = speeds.length === 0;
  const heads = ["taps", "accuracy", "lost", "mistakes", "too fast"];
  const rows = speeds.map((speed) => el("tr", speed.taps === taps ? { "aria-current": "true" } : {}, el("th", { scope: "row" }, hz(speed.taps)),
    ...[`${speed.accuracy.toFixed(1)} %`, thousands(speed.lost), thousands(speed.mistakes), thousands(speed.beyond)].map((value) => el("td", {}, value))));
  $("speeds").replaceChildren(el("thead", {}, el("tr", {}, ...heads.map((name) => el("th", { scope: "col" }, name)))), el("tbody", {}, ...rows));
  const slower = ["30hz", "24hz", "20hz", "15hz", "12hz", "10hz"].filter((other) => other !== taps).join(", ");
  // The page for the browser says something else.
  text("taps-others", $("taps-others").dataset.words ?? `Another speed: maxout review ${source} --taps 12hz --html FILE (${slower}).${speeds.length ? " Too fast: placements that these taps cannot make." : " With --speeds, five speeds are compared here."}`);
}

function drawSums() {
  const { phases, balance } = reviews[now.game];
  const part = (value) => thousands(Math.round(value));
  const closed = ({ to_level: level, expected, lost, luck, made, left }) =>
    `Up to level ${level}: ${part(expected)} points to expect − ${part(lost)} lost ${luck < 0 ? "−" : "+"} ${part(Math.abs(luck))} luck = ${part(made)} made${left > 0 ? ` + ${part(left)} still to expect` : ""}.`;
  text("balance", balance.map(closed).join(" "));
  const head = ["", "pieces", "accuracy", "lost"].map((name) => el("th", { scope: "col" }, name));
  const rows = phases.map(({ phase, pieces, accuracy, lost }) =>
    el("tr", {}, el("th", { scope: "row" }, phase), ...[thousands(pieces), `${accuracy.toFixed(1)} %`, thousands(lost)].map((value) => el("td", {}, value))));
  $("sums").replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  const all = phases[0]?.classes ?? [];
  $("classes").replaceChildren(...CLASSES.map((kind, i) => el("span", {}, el("b", { class: `class ${kind}` }, named(kind)), ` ${all[i] ?? 0}`)));
}

// The whole game in a line.
function resultOf({ played_by: by, placements, phases, player, taps }) {
  const judged = `judged by ${player} at ${hz(taps)}`;
  const [first, last] = [placements[0], placements.at(-1)];
  if (!first) return judged;
  const [mistakes, blunders] = BAD.map((kind) => placements.filter((placed) => placed.class === kind).length);
  const levels = first.level === last.level ? `level ${last.level}` : `levels ${first.level} to ${last.level}`;
  return [by ? `played by ${by}` : "", levels, plural(placements.length, "piece"), `accuracy ${phases[0].accuracy.toFixed(1)} %`, `${plural(mistakes, "mistake")}, ${plural(blunders, "blunder")}`, judged].filter(Boolean).join(" · ");
}

function open(game, at) {
  now.game = game;
  const review = reviews[game];
  text("game-title", `Game review: ${titleOf(review)}`);
  text("game-result", resultOf(review));
  document.title = `${titleOf(review)} – game review – maxout`;
  $("picker").hidden = reviews.length < 2;
  $("run").value = game;
  $("stage").hidden = review.placements.length === 0;
  $("none").hidden = review.placements.length > 0;
  if (!review.placements.length) return;
  $("scrub").max = review.placements.length - 1;
  drawGlance();
  drawSums();
  drawCharts();
  drawCostliest();
  drawMissed();
  drawTaps();
  goto(at ?? worst(review.placements));
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
  const [game, at] = ["game", "piece"].map((name) => wholeNumber(fields.get(name) ?? "") - 1);
  const good = Boolean(reviews[game]?.placements[at]);
  // Without a link the page opens at what cost most.
  open(good ? game : 0, good ? at : undefined);
  clearTimeout(timers.link);
  if (!good && !plain) note(`“${clipped(hash)}” names no piece of this page, expected a link such as #game=1&piece=1. Shown instead: the costliest placement.`, true);
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
$("run").addEventListener("change", () => open(Number($("run").value)));
addEventListener("hashchange", () => {
  if (location.hash.length > 1 && !$(location.hash.slice(1))) followLink();
});
reviews.forEach((review, i) => $("run").append(el("option", { value: i }, titleOf(review))));
followLink();
text("what", "game review");
text("made", `maxout ${data.version} · points are expected line points up to level 29, from there on up to level 39, 49 and so on · this file is complete in itself and loads nothing from anywhere`);
