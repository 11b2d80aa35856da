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
  $("place").disabled = answer !== null;
  $("typed").disabled = answer !== null;
  $("answer").hidden = answer === null;
  if (answer !== null) {
    const { class: kind, loss } = placements[answer];
    $("grade").className = `class ${kind}`;
    $("grade").dataset.loss = loss;
    text("grade", named(kind));
    text("grade-loss", Math.round(loss) > 0 ? `loses ${thousands(loss)} points` : "nothing better");
    text("best", `The best is ${notation(placements[0].placement)} (${placeText(placements[0].placement)}), outlined on the board.`);
    text("was", `In the game: ${notation(played)} (${placeText(played)}), which loses ${thousands(puzzle().loss)} points (piece ${puzzle().number} of ${puzzle().source}, game ${puzzle().game}).`);
  }
  const done = answers.map((n, i) => (n === null ? null : puzzles[i].placements[n])).filter(Boolean);
  const good = done.filter(({ class: kind }) => CLASSES.indexOf(kind) < 3).length;
  text("result", `${done.length} of ${puzzles.length} tried, ${good} good or better, ${thousands(done.reduce((sum, { loss }) => sum + loss, 0))} points lost`);
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
  const { x, y, id } = current();
  choose(nearest((place) => place.id === id && (place.x - x) * by > 0, (place) => 40 * Math.abs(place.x - x) + (place.y >= y - 1 ? 0 : 20)));
}

function turn(by) {
  const ids = [...new Set(places().map(({ id }) => id))].sort((a, b) => a - b);
  const { x, id } = current();
  const wanted = ids[(ids.indexOf(id) + by + ids.length) % ids.length];
  choose(nearest((place) => place.id === wanted, (place) => Math.abs(place.x - x)));
}

// Places in one column, with an overhang between them.
function deeper(by) {
  const { x, y, id } = current();
  choose(nearest((place) => place.id === id && place.x === x && (place.y - y) * by > 0, (place) => Math.abs(place.y - y)));
}

// A click on a cell takes the next placement that covers it.
function take(cell) {
  const covering = places().flatMap((place, i) => (cellsAt(place).some(([x, y]) => 10 * y + x === cell) ? [i] : []));
  if (covering.length) choose(covering[(covering.indexOf(now.pick) + 1) % covering.length]);
}

function place() {
  if (answers[now.at] !== null) return;
  answers[now.at] = now.pick;
  show();
  text("say", `${$("grade").textContent}, ${$("grade-loss").textContent}.`);
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
  // The field is disabled now, so the focus moves on: Enter shows the next puzzle.
  $("forth").focus();
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
  now.pick = Math.max(0, nearest(({ id }) => id === spawn, ({ x }) => Math.abs(x - 5)));
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

$("none").hidden = puzzles.length > 0;
$("stage").hidden = puzzles.length === 0;
text("what", plural(puzzles.length, "position"));
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
