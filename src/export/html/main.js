// Keys, buttons, theme, and the start.

$("first").addEventListener("click", () => gotoCount(0));
$("last").addEventListener("click", () => gotoCount(now.film.locks.length));
$("back").addEventListener("click", () => step(-1));
$("forth").addEventListener("click", () => step(1));
$("play").addEventListener("click", () => setPlaying(!now.playing));
$("scrub").addEventListener("input", () => gotoCount(Number($("scrub").value)));
$("speed").addEventListener("change", () => setSpeed(SPEEDS.indexOf(Number($("speed").value))));
$("target").addEventListener("input", () => {
  const target = Number($("target").value);
  if (!(target >= 0)) return;
  data.target = target;
  drawCharts();
  now.shownCount = null;
  show();
});

// Opens a run that was chosen on the page.
function choose(index) {
  open(index);
  linkSoon();
}

function toSection(id) {
  $(id).focus({ preventScroll: true });
  $(id).scrollIntoView({ block: "start", behavior: calm.matches ? "auto" : "smooth" });
}

$("tetris").addEventListener("click", () => seekTetris(1));
$("copy-board").addEventListener("click", copyBoard);
$("copy-link").addEventListener("click", copyLink);
$("run").addEventListener("change", () => choose(Number($("run").value)));
$("compare").addEventListener("click", () => toSection("overview"));
addEventListener("hashchange", () => {
  // The link that skips to the board names a place on the page, not a piece.
  if (location.hash.length > 1 && !$(location.hash.slice(1))) followLink();
});

function key(event) {
  const { target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return false;
  const typing = target.matches("input:not([type=range]), textarea");
  // A button keeps its space bar, a list its arrows and letters.
  if (typing || (event.key === " " && target.closest("button, select, a, summary"))) return false;
  if (target.matches("select") && /^(Arrow|Home|End|[a-z]$)/i.test(event.key)) return false;
  const big = event.shiftKey ? 10 : 1;
  const speed = SPEEDS.indexOf(now.speed);
  switch (event.key) {
    case "ArrowLeft": step(-big); break;
    case "ArrowRight": step(big); break;
    case "Home": gotoCount(0); break;
    case "End": gotoCount(now.film.locks.length); break;
    case ",": goto(Math.floor(now.frame) - 1); break;
    case ".": goto(Math.floor(now.frame) + 1); break;
    case " ": setPlaying(!now.playing); break;
    case "+": case "=": setSpeed(speed + 1); break;
    case "-": case "_": setSpeed(speed - 1); break;
    case "t": case "T": seekTetris(event.shiftKey ? -1 : 1); break;
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

$("target").value = data.target;
setSpeed(1);
data.runs.forEach((run, i) => {
  run.number = i + 1;
  if (run.game !== null) $("run").append(el("option", { value: i }, `Run ${i + 1} of ${data.runs.length}: ${run.player}, seed ${run.seed_text}`));
});
// Several players are compared first; a game is watched below.
if (data.groups.length > 1) $("game").before($("overview"));
if (data.runs.length > 1) drawOverview();
followLink();
const { player, seed_text: seed } = data.runs[0];
const title = data.runs.length > 1 ? plural(data.runs.length, "run") : `${player}, seed ${seed}`;
text("what", title);
document.title = `${title} – maxout report`;
text("made", `maxout ${data.version} · ${plural(data.runs.length, "run")} · this file is complete in itself and loads nothing from anywhere`);
