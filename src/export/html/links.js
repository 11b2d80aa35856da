// Links to a piece, what can be copied, and the notes at the lower edge of the window.

// Browsers refuse pages that change their address more often than about three times a second.
const LINK_MS = 350;
const countNow = () => look(now.film, Math.floor(now.frame)).count;

function linkHere() {
  const count = countNow();
  const piece = count < now.film.spawns.length ? count + 1 : "end";
  return `#run=${now.film.run.number}&piece=${piece}`;
}

// Puts the piece into the address once it has stayed for a moment.
function linkSoon() {
  if ($("note").dataset.stays === "true") note("");
  clearTimeout(timers.link);
  timers.link = setTimeout(() => {
    if (!now.playing) history.replaceState(null, "", linkHere());
  }, LINK_MS);
}

const best = data.runs.reduce((top, run, i) => (run.game !== null && (top < 0 || run.score > data.runs[top].score) ? i : top), -1);

// The run and the count of pieces that a link names; of a link that names nothing, what is wrong with it.
function readLink(hash) {
  const fields = new URLSearchParams(hash.slice(1));
  const [number, piece] = ["run", "piece"].map((name) => fields.get(name));
  if (number === null && piece === null) return { index: best, count: 0, wrong: `“${clipped(hash)}” is not a link to a piece, expected #run=1&piece=1` };
  const index = number === null ? best : wholeNumber(number) - 1;
  const run = data.runs[index];
  if (!run) return { index: best, count: 0, wrong: `This page has no run “${clipped(number)}”, expected ${data.runs.length === 1 ? "1" : `1 to ${data.runs.length}`}` };
  if (run.game === null) return { index: best, count: 0, wrong: `Run ${run.number} is not among those that this page can show` };
  const { id, last_spawn: last } = data.games[run.game];
  if (piece === null) return { index, count: 0 };
  if (piece === "end") return { index, count: id.length };
  const count = wholeNumber(piece) - 1;
  const pieces = id.length + (last === null ? 0 : 1);
  if (count >= 0 && count < pieces) return { index, count };
  return { index, count: 0, wrong: `Run ${run.number} has no piece “${clipped(piece)}”, expected 1 to ${pieces}, or end` };
}

// Opens what the address names; without a link, the first piece of the best run.
function followLink() {
  const { hash } = location;
  const plain = hash.length < 2 || $(hash.slice(1)) !== null;
  const { index, count, wrong } = plain ? { index: best, count: 0 } : readLink(hash);
  open(index, count);
  clearTimeout(timers.link);
  // Below a comparison, the game that a link names must be brought into view.
  if (!plain && data.groups.length > 1) $("game").scrollIntoView();
  note(wrong ? `${wrong}. Shown instead: run ${data.runs[index].number}, first piece.` : "", true);
}

// The stack as text: a row a line, top row first.
function drawing() {
  const stack = now.film.stacks[countNow()];
  const row = (y) => Array.from(stack.subarray(10 * y, 10 * y + 10), (cell) => (cell ? "#" : ".")).join("");
  return Array.from({ length: 20 }, (_, y) => `${row(y)}\n`).join("");
}

const copyBoard = () => copy("board", drawing());
const copyLink = () => copy("link", location.href.replace(/#.*/, "") + linkHere());

