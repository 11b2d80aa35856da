// A position on the board: its cells, a piece that was played, and ghosts.

const CLASSES = ["best", "excellent", "good", "inaccuracy", "mistake", "blunder", "rapid"];

const squares = Array.from({ length: 200 }, () => el("i"));
$("board").append(...squares);

const isInside = ([x, y]) => y >= 0 && y < 20 && x >= 0 && x < 10;
const cellsAt = ({ x, y, orientation }) => cellsOf(x, y, orientation).filter(isInside);
const samePlace = (a, b) => a.x === b.x && a.y === b.y && a.orientation === b.orientation;
const named = (kind) => kind[0].toUpperCase() + kind.slice(1);
const shownLoss = (loss) => (Math.round(loss) > 0 ? `−${thousands(loss)}` : "0");

const hz = (taps) => taps.replace(/^([0-9.]+)hz$/, "$1 Hz");
// Points and top-outs are forecasts of somebody's play, so it is said whose.
const forecastOf = ({ player, taps }) => `if ${player} plays on at ${hz(taps)}`;

// A list in words: “a, b and c”.
const listed = (words) => (words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

// Which game it is: a run by its number, or a file by its name.
function titleOf({ source, game }) {
  const name = /^\d+$/.test(source) ? `run ${source}` : source.split(/[\\/]/).at(-1);
  const several = (data.reviews ?? data.puzzles).some((other) => other.source === source && other.game !== game);
  return name + (several ? `, game ${game}` : "");
}

// The board of a drawing may have fewer rows than 20; the bottom row is last.
function rowsOf(drawing) {
  const rows = drawing.slice(-20);
  return [...Array.from({ length: 20 - rows.length }, () => ".".repeat(10)), ...rows];
}

// `played` and `ghost` are places of the piece, or null.
function drawPosition(position, played, ghost) {
  const rows = rowsOf(position.board);
  const names = squares.map((_, i) => (rows[Math.floor(i / 10)][i % 10] === "#" ? "locked solid" : ""));
  for (const [x, y] of played ? cellsAt(played) : []) names[10 * y + x] = `p${position.piece} played`;
  for (const [x, y] of ghost ? cellsAt(ghost) : []) names[10 * y + x] += ` p${position.piece} ghost`;
  squares.forEach((square, i) => {
    if (square.className !== names[i]) square.className = names[i];
  });
  const next = position.next ?? "";
  if ($("next").dataset.piece !== next) {
    $("next").dataset.piece = next;
    $("next").replaceChildren(next ? mini(next) : "?");
  }
  text("now-level", String(position.level));
  text("now-lines", String(position.lines));
}

// A place in words: the leftmost column from 1, and how deep.
function placeText(place) {
  const cells = cellsOf(place.x, place.y, place.orientation);
  const columns = cells.map(([x]) => x + 1);
  const [left, right] = [Math.min(...columns), Math.max(...columns)];
  const bottom = 20 - Math.max(...cells.map(([, y]) => y));
  return `${left === right ? `column ${left}` : `columns ${left}–${right}`}, row ${bottom}`;
}

// Whether a key belongs to what has the focus, or to an open dialog.
function isTaken(event) {
  const { target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return true;
  if (target.matches("input:not([type=range]), textarea")) return true;
  if ((event.key === " " || event.key === "Enter") && target.closest("button, select, a, summary")) return true;
  return target.matches("select") && /^(Arrow|Home|End|[a-z]$)/i.test(event.key);
}
