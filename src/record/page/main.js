// Keys, buttons, theme, and the start.

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

function key(event) {
  const { target } = event;
  if (event.ctrlKey || event.altKey || event.metaKey || $("keys").open) return false;
  const typing = target.matches("input:not([type=range]), textarea");
  // A button keeps its space bar, a list its arrows.
  if (typing || (event.key === " " && target.closest("button, select, a, summary"))) return false;
  if (target.matches("select") && /^(Arrow|Home|End)/.test(event.key)) return false;
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
open(data.groups[0].runs.find((run) => data.runs[run].game !== null));
if (data.runs.length > 1) drawOverview();
const { player, seed_text: seed } = data.runs[0];
const title = data.runs.length > 1 ? plural(data.runs.length, "run") : `${player}, seed ${seed}`;
text("what", title);
document.title = `${title} – maxout report`;
text("made", `maxout ${data.version} · ${plural(data.runs.length, "run")} · this file is complete in itself and loads nothing from anywhere`);
