// The page of positions to try. Everything shown is a function of `now` and of the answers.

const { puzzles } = data;
const answers = puzzles.map(() => null);
// `pick`: the number of the placement that is chosen.
const now = { at: 0, pick: 0 };

const puzzle = () => puzzles[now.at];
const places = () => puzzle().placements.map(({ placement }) => placement);

function show() {
  const { placements, piece, played } = puzzle();
  const answer = answers[now.at];
  const chosen = placements[answer ?? now.pick].placement;
  drawPosition(puzzle(), chosen, answer === null ? null : placements[0].placement);
  const board = $("board");
  board.dataset.puzzle = now.at + 1;
  board.dataset.pick = answer ?? now.pick;
  board.setAttribute("aria-label", `The field, ${piece} at ${placeText(chosen)}`);
  text("where", `position ${now.at + 1} of ${puzzles.length}`);
  text("chosen", `${piece} at ${placeText(chosen)}`);
  // The primary button goes on once there is an answer.
  const open = answers.includes(null);
  text("place", answer === null ? "Place" : open ? "Next" : "Done");
  $("place").disabled = answer !== null && !open;
  for (const id of ["left", "turn", "deeper", "right", "typed"]) $(id).disabled = answer !== null;
  for (const id of ["answer", "graded"]) $(id).hidden = answer === null;
  if (answer !== null) showAnswer(placements[answer]);
  $("back").disabled = now.at === 0;
  $("forth").disabled = now.at === puzzles.length - 1;
  text("made", `maxout ${data.version} · points: line points up to level 29, from there on up to level 39, 49 and so on, ${forecastOf(puzzle().forecast)} · this file is complete in itself and loads nothing from anywhere`);
  drawPositions();
}

const lost = (loss) => (Math.round(loss) > 0 ? `loses ${plural(Math.round(loss), "point")}` : "loses nothing");
const because = (why) => (why.length ? `: it ${listed(why)}` : "");

function showAnswer({ class: kind, loss, why, placement }) {
  const { placements, played, loss: cost, number, why: mistake } = puzzle();
  $("grade").className = `class ${kind}`;
  $("grade").dataset.loss = loss;
  text("grade", named(kind));
  text("grade-loss", lost(loss));
  text("why", samePlace(placement, placements[0].placement) ? "Yours is the best placement." : `Yours is ${notation(placement)} (${placeText(placement)})${because(why)}.`);
  text("best", `The best is ${notation(placements[0].placement)} (${placeText(placements[0].placement)}), outlined on the board.`);
  text("was", `In the game, piece ${number} of ${titleOf(puzzle())}: ${notation(played)} (${placeText(played)}), which ${lost(cost)}${because(mistake)}.`);
}

// Grades first: how many of each, then the points.
function drawPositions() {
  const done = answers.flatMap((n, i) => (n === null ? [] : [puzzles[i].placements[n]]));
  const grades = CLASSES.map((kind) => [done.filter((other) => other.class === kind).length, named(kind)]).filter(([count]) => count);
  const points = Math.round(done.reduce((sum, { loss }) => sum + loss, 0));
  text("result", [`${done.length} of ${puzzles.length} tried`, ...grades.map(([count, kind]) => `${kind} ${count}`), ...(done.length ? [`${plural(points, "point")} lost`] : [])].join(" · "));
  $("positions").replaceChildren(...puzzles.map((_, i) => {
    const kind = answers[i] === null ? "" : puzzles[i].placements[answers[i]].class;
    const button = el("button", { type: "button", class: `quiet class ${kind}`, "aria-label": `Position ${i + 1}${kind ? `, ${named(kind)}` : ""}`, ...(i === now.at ? { "aria-current": "step" } : {}) }, String(i + 1));
    button.addEventListener("click", () => goto(i));
    return button;
  }));
}

function choose(index) {
  if (index < 0 || answers[now.at] !== null) return;
  now.pick = index;
  show();
  text("say", $("chosen").textContent);
}

const current = () => places()[now.pick];

// The nearest placement of those that `wanted` takes, lowest first among equals.
function nearest(wanted, distance) {
  const found = places().map((place, i) => [place, i]).filter(([place]) => wanted(place));
  found.sort(([a], [b]) => distance(a) - distance(b) || b.y - a.y);
  return found[0]?.[1] ?? -1;
}

function shift(by) {
  const { x, y, orientation } = current();
  choose(nearest((place) => place.orientation === orientation && (place.x - x) * by > 0, (place) => 40 * Math.abs(place.x - x) + (place.y >= y - 1 ? 0 : 20)));
}

function turn(by) {
  const ids = [...new Set(places().map(({ orientation }) => orientation))].sort((a, b) => a - b);
  const { x, orientation } = current();
  const wanted = ids[(ids.indexOf(orientation) + by + ids.length) % ids.length];
  choose(nearest((place) => place.orientation === wanted, (place) => Math.abs(place.x - x)));
}

// Places in one column, with an overhang between them.
function deeper(by) {
  const { x, y, orientation } = current();
  choose(nearest((place) => place.orientation === orientation && place.x === x && (place.y - y) * by > 0, (place) => Math.abs(place.y - y)));
}

// A click on a cell takes the next placement that covers it.
function take(cell) {
  const covering = places().flatMap((place, i) => (cellsAt(place).some(([x, y]) => 10 * y + x === cell) ? [i] : []));
  if (covering.length) choose(covering[(covering.indexOf(now.pick) + 1) % covering.length]);
}

function place() {
  if (answers[now.at] !== null) {
    next();
    return;
  }
  answers[now.at] = now.pick;
  show();
  text("say", `${$("grade").textContent}, ${$("grade-loss").textContent}. ${$("why").textContent}`);
}

// The next position without an answer, from the first again after the last.
function next() {
  const order = puzzles.map((_, i) => (now.at + 1 + i) % puzzles.length);
  const open = order.find((i) => answers[i] === null);
  if (open !== undefined) goto(open);
}

// The piece moves as soon as the text typed so far means a placement; errors are shown only after Enter.
function typing(entered) {
  const { value } = $("typed");
  const { index, wrong } = typedPlace(value, puzzle().piece, places());
  const shown = entered && wrong ? wrong : "";
  text("typed-wrong", shown);
  $("typed").setAttribute("aria-invalid", Boolean(shown));
  if (index === undefined || answers[now.at] !== null) return;
  now.pick = index;
  show();
  if (!entered) return;
  place();
  // The field is disabled now, so the focus moves on: Enter shows the next position.
  $("place").focus();
}

function clearTyped() {
  $("typed").value = "";
  text("typed-wrong", "");
  $("typed").setAttribute("aria-invalid", false);
}

// The first choice is where the piece drops straight from where it spawns.
function goto(at, linked = true) {
  clearTyped();
  now.at = Math.min(Math.max(at, 0), puzzles.length - 1);
  const spawn = data.spawns[puzzle().piece];
  now.pick = Math.max(0, nearest(({ orientation }) => orientation === spawn, ({ x }) => Math.abs(x - 5)));
  show();
  text("say", `Position ${now.at + 1}: ${puzzle().piece}.`);
  if (linked) history.replaceState(null, "", `#puzzle=${now.at + 1}`);
}

function key(event) {
  if (isTaken(event)) return false;
  switch (event.key) {
    case "ArrowLeft": shift(-1); break;
    case "ArrowRight": shift(1); break;
    case "ArrowUp": case "a": case "A": turn(1); break;
    case "b": case "B": turn(-1); break;
    case "ArrowDown": deeper(1); break;
    case "u": case "U": deeper(-1); break;
    case "Enter": case " ": place(); break;
    case "e": case "E": $("typed").focus(); break;
    case "n": case "N": goto(now.at + 1); break;
    case "p": case "P": goto(now.at - 1); break;
    case "?": $("keys").showModal(); break;
    default: return false;
  }
  return true;
}

const games = new Set(puzzles.map((puzzle) => titleOf(puzzle)));
text("about", puzzles.length ? `${plural(puzzles.length, "position")} in which ${games.size === 1 ? [...games][0] : plural(games.size, "game")} lost most, the worst first.` : "");
document.title = `Puzzles from ${games.size === 1 ? [...games][0] : plural(games.size, "game")} – maxout`;
$("none").hidden = puzzles.length > 0;
$("stage").hidden = puzzles.length === 0;
text("what", "puzzles");
text("made", `maxout ${data.version} · this file is complete in itself and loads nothing from anywhere`);
if (puzzles.length) {
  document.addEventListener("keydown", (event) => {
    if (key(event)) event.preventDefault();
  });
  for (const [id, act] of [
    ["left", () => shift(-1)], ["right", () => shift(1)], ["turn", () => turn(1)], ["deeper", () => deeper(1)], ["place", place],
    ["back", () => goto(now.at - 1)], ["forth", () => goto(now.at + 1)],
  ]) $(id).addEventListener("click", act);
  $("typed").addEventListener("input", () => typing(false));
  $("typing").addEventListener("submit", (event) => {
    event.preventDefault();
    typing(true);
  });
  squares.forEach((square, i) => square.addEventListener("click", () => take(i)));
  const wanted = wholeNumber(new URLSearchParams(location.hash.slice(1)).get("puzzle") ?? "");
  goto(puzzles[wanted - 1] ? wanted - 1 : 0, false);
}
