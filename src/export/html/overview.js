// Several runs: players compared, scores, survival, and the table from which a game is opened.

const SHOWN = 30;

function drawOverview() {
  const { runs, groups, games } = data;
  $("overview").hidden = false;
  text("overview-title", `${plural(runs.length, "run")}${groups.length > 1 ? `, ${plural(new Set(groups.map((g) => g.player)).size, "player")}` : ""}`);
  const differ = (key) => new Set(groups.map((g) => g[key])).size > 1;
  const same = (key, name, value) => (differ(key) ? "" : `${name} ${value}`);
  text("overview-lead", [groups.length === 1 ? groups[0].player : "", same("start_level", "start level", groups[0].start_level), same("stop", "stop at", stopName(groups[0]))].filter(Boolean).join(" · "));
  groups.forEach((group, i) => {
    group.tint = `g${i % 6}`;
    group.name = group.player + (differ("start_level") ? `, level ${group.start_level}` : "") + (differ("stop") ? `, to ${stopName(group)}` : "");
    for (const run of group.runs) runs[run].group = group;
  });
  $("picker").hidden = false;
  $("compare").hidden = false;
  drawComparison(groups);
  drawStatistics(groups.filter((group) => group.survival), runs);
  $("runs-sub").textContent = games.length < runs.length
    ? `${games.length} of ${thousands(runs.length)} can be watched: the best, the median and the worst of each player, to keep this file small`
    : "Choose one to watch";
  drawRuns();
}

// Of one game there is no interval, no median and no survival: scores and survival are drawn for the others.
function drawStatistics(groups, runs) {
  for (const id of ["scores", "alive"]) $(id).hidden = groups.length === 0;
  if (groups.length === 0) return;
  const left = groups.length < data.groups.length ? "; players with one game are left out" : "";
  drawHistogram(groups, runs, left);
  drawSurvival(groups, left);
}

const alone = (group) => group.runs.length === 1;

function drawComparison(groups) {
  // A score is never negative, though an interval of few games may be.
  const ends = groups.flatMap(({ score }) => [score.value, ...(score.interval ?? [])]).map((v) => Math.max(0, v));
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const step = niceStep(high - low || high, 4);
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const row = 38;
  text("compare-sub", groups.every(alone) ? "The score of one game each" : `Mean score with its 95 % confidence interval${groups.some(alone) ? "; of one game, its score" : ""}`);
  chart($("compare-plot"), {
    height: groups.length * row + 38, left: 18, right: 18, x: [from, to], y: [0, groups.length], yTicks: [], xText: short, xName: "points",
    xTicks: Array.from({ length: Math.round((to - from) / step) + 1 }, (_, i) => from + i * step),
    label: groups.map((g) => `${g.name}: ${g.score.interval ? `mean ${thousands(g.score.value)}, ${g.score.interval.map(thousands).join(" to ")}` : thousands(g.score.value)}`).join("; "),
    draw(plot) {
      groups.forEach((group, i) => {
        const y = plot.y(groups.length - i - 0.68);
        const { value, interval } = group.score;
        plot.add("line", { class: "rule", x1: plot.left, x2: plot.right, y1: y, y2: y });
        plot.add("text", { class: "tick strong", x: plot.left, y: y - 11 }, group.name);
        if (interval) {
          const [low, high] = interval;
          plot.add("line", { class: `whisker ${group.tint}`, x1: plot.x(Math.max(0, low)), x2: plot.x(high), y1: y, y2: y });
          for (const end of [low, high].filter((v) => v >= 0)) plot.add("line", { class: `whisker ${group.tint}`, x1: plot.x(end), x2: plot.x(end), y1: y - 5, y2: y + 5 });
        }
        plot.add("circle", { class: `dot ${group.tint}`, cx: plot.x(value), cy: y, r: 5 });
      });
    },
  });
  if (groups.every(alone)) drawSingles(groups);
  else drawMeans(groups);
}

const named = (group) => el("th", { scope: "row" }, el("span", { class: `key ${group.tint}` }), group.name, " ", badge(group));
const headed = (heads) => el("thead", {}, el("tr", {}, ...heads.map((t) => el("th", { scope: "col" }, t))));

// Players with one game each: what that game came to.
function drawSingles(groups) {
  const heads = ["player", "score", "lines", "tetris rate", "result"];
  const body = groups.map((group) => {
    const run = data.runs[group.runs[0]];
    const values = [thousands(run.score), String(run.lines), percent(group.tetris_rate), result(run)];
    return el("tr", {}, named(group), ...values.map((t, i) => el("td", { "data-name": heads[i + 1], ...(i === 3 ? { class: "wide" } : {}) }, t)));
  });
  $("compare-table").replaceChildren(headed(heads), el("tbody", {}, ...body));
}

function drawMeans(groups) {
  const goals = new Set(groups.map((g) => g.goal));
  const paired = groups.some((group) => group.against);
  const heads = ["player", "games", "mean", "± 95 %", "median", "best", "tetris rate", goals.size === 1 ? `reaches ${groups[0].goal}` : "reaches goal", ...(paired ? ["on equal seeds"] : [])];
  const body = groups.map((group) => {
    const { score, reached, runs } = group;
    const goal = goals.size === 1 ? "" : ` (${group.goal})`;
    const means = alone(group) ? ["–", "–", "–"] : [thousands(score.value), thousands(score.interval[1] - score.value), thousands(group.median)];
    const share = alone(group)
      ? [(reached.value ? "yes" : "no") + goal]
      : [percent(reached.value) + goal, el("small", {}, ` ${reached.interval.map((v) => percent(v, 0)).join(" to ")}`)];
    return el("tr", {},
      named(group),
      ...[thousands(runs.length), ...means, thousands(data.runs[runs[0]].score), percent(group.tetris_rate)].map((t, i) => el("td", { "data-name": heads[i + 1] }, t)),
      el("td", { class: "wide", "data-name": heads[7] }, el("span", {}, ...share)),
      ...(paired ? [el("td", { class: "wide", "data-name": heads[8] }, el("span", {}, ...against(group, groups)))] : []));
  });
  $("compare-table").replaceChildren(headed(heads), el("tbody", {}, ...body));
}

// The difference to the first player on the seeds that both played.
function against({ against }, groups) {
  if (!against) return ["–"];
  const { difference, seeds, group } = against;
  return [signed(difference.value), el("small", {}, ` ± ${thousands(difference.interval[1] - difference.value)} to ${groups[group].name}, ${plural(seeds, "seed")}`)];
}

function drawHistogram(groups, runs, left) {
  const scores = groups.flatMap((group) => group.runs.map((run) => runs[run].score));
  const most = scores.reduce((a, b) => Math.max(a, b), 1);
  const least = scores.reduce((a, b) => Math.min(a, b));
  const width = niceStep((most - least) || most, Math.min(32, Math.max(12, Math.ceil(Math.sqrt(scores.length) * 1.8))));
  const from = Math.floor(least / width) * width;
  const bins = Math.floor((most - from) / width) + 1;
  const counts = groups.map((group) => {
    const list = new Array(bins).fill(0);
    for (const run of group.runs) list[Math.floor((runs[run].score - from) / width)]++;
    return list;
  });
  // Heights are shares of each player's games, so that players with more games do not hide the others.
  const shares = counts.map((list, i) => list.map((n) => n / groups[i].runs.length));
  const top = Math.max(...shares.flat());
  const each = Math.max(70, Math.floor(200 / groups.length));
  text("histogram-sub", `Games per ${short(width)} points${groups.length > 1 ? ", as a share of each player's games" : ""}${left}`);
  const end = from + bins * width;
  chart($("histogram"), {
    height: groups.length * each + 40, left: 18, right: 18, x: [from, end], y: [0, groups.length], yTicks: [], xText: short, xName: "points", xTicks: ticksTo(from, end, 4),
    label: groups.map((g) => `${g.name}: scores from ${thousands(runs[g.runs.at(-1)].score)} to ${thousands(runs[g.runs[0]].score)}, median ${thousands(g.median)}`).join("; "),
    draw(plot) {
      groups.forEach((group, i) => {
        const base = plot.y(groups.length - i - 1);
        plot.add("line", { class: "rule", x1: plot.left, x2: plot.right, y1: base, y2: base });
        shares[i].forEach((share, bin) => {
          if (!share) return;
          const [a, b] = [plot.x(from + bin * width), plot.x(from + (bin + 1) * width)];
          const high = (share / top) * (each - 36);
          const bar = plot.add("rect", { class: `bin ${group.tint}`, x: a + 0.75, width: Math.max(1, b - a - 1.5), y: base - high, height: high, rx: 1.5 });
          bar.append(svg("title", {}, `${short(from + bin * width)} to ${short(from + (bin + 1) * width)}: ${plural(counts[i][bin], "game")}`));
        });
        const middle = plot.x(group.median);
        plot.add("line", { class: "median", x1: middle, x2: middle, y1: base - each + 22, y2: base });
        const end = middle > (plot.left + plot.right) / 2;
        plot.add("text", { class: `tick ${end ? "end" : ""}`, x: middle + (end ? -5 : 5), y: base - each + 26 }, `median ${short(group.median)}`);
        if (groups.length > 1) plot.add("text", { class: "tick strong", x: plot.left, y: base - each + 12 }, group.name);
      });
    },
  });
}

function drawSurvival(groups, left) {
  text("survival-sub", `Share of games still alive at each line count; a game that was stopped counts as far as it was played${left}`);
  const lines = Math.max(4, ...groups.map((g) => g.survival.at(-1)[0]));
  chart($("survival"), {
    height: 210, x: [0, lines], y: [0, 1], yTicks: [0, 0.25, 0.5, 0.75, 1], yText: (v) => percent(v, 0), xName: "lines",
    label: groups.map((g) => `${g.name}: ${percent(g.survival.at(-1)[1])} alive at ${g.survival.at(-1)[0]} lines`).join("; "),
    draw(plot) {
      for (const group of groups) plot.steps(group.survival, `alive ${group.tint}`, false);
    },
  });
  $("survival-legend").replaceChildren(...groups.map((g) => el("span", {}, el("span", { class: `key ${g.tint}` }), `${g.name}, ${percent(g.survival.at(-1)[1], 0)} at ${plural(g.survival.at(-1)[0], "line")}`)));
}

const COLUMNS = [
  ["player", (run) => run.player],
  ["run", (run) => run.number],
  ["seed", (run) => run.seed],
  ["score", (run) => run.score],
  ["lines", (run) => run.lines],
  ["tetris rate", (run) => (run.lines ? (4 * run.tetrises) / run.lines : 0)],
  ["drought", (run) => run.longest_drought],
  ["result", (run) => result(run)],
];
// Minor columns are left out on a phone.
const CLASSES = ["", "minor", "", "", "minor", "minor", "minor", "left minor"];
const sorting = { column: 3, down: true, limit: SHOWN };

function drawRuns() {
  const { limit } = sorting;
  const value = COLUMNS[sorting.column][1];
  const sign = sorting.down ? -1 : 1;
  const order = data.runs.map((_, i) => i).sort((a, b) => {
    const [p, q] = [value(data.runs[a]), value(data.runs[b])];
    return (p < q ? -sign : p > q ? sign : 0) || a - b;
  });
  // What can be watched stays in sight.
  const shown = order.filter((run, place) => place < limit || data.runs[run].game !== null);
  const head = el("tr", {}, ...COLUMNS.map(([name], column) => {
    const button = el("button", { type: "button", class: "sort" }, name);
    button.addEventListener("click", () => {
      Object.assign(sorting, { column, down: sorting.column === column ? !sorting.down : column > 2 && column < 7 });
      drawRuns();
      $("runs-table").querySelectorAll(".sort")[column].focus();
    });
    const sorted = sorting.column === column ? { "aria-sort": sorting.down ? "descending" : "ascending" } : {};
    return el("th", { scope: "col", class: CLASSES[column], ...sorted }, button);
  }));
  head.prepend(el("td", { class: "first" }));
  const rows = shown.map((index) => {
    const run = data.runs[index];
    const watch = el("button", { type: "button", class: "watch", "aria-label": `Watch ${run.player}, seed ${run.seed_text}` },
      svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: "M3 1v14l11-7z" })), el("span", {}, "Watch"));
    watch.addEventListener("click", () => {
      choose(index);
      toSection("game");
    });
    const current = now.film?.run === run ? { "aria-current": "true" } : {};
    return el("tr", current,
      el("td", { class: "first" }, ...(run.game === null ? [] : [watch])),
      el("th", { scope: "row" }, el("span", { class: `key ${run.group.tint}` }), run.group.name),
      ...[String(run.number), run.seed_text, thousands(run.score), String(run.lines), percent(COLUMNS[5][1](run)), String(run.longest_drought), result(run)].map((t, i) => el("td", { class: CLASSES[i + 1] }, t)));
  });
  $("runs-table").replaceChildren(el("thead", {}, head), el("tbody", {}, ...rows));
  const more = $("runs-more");
  more.hidden = shown.length >= data.runs.length;
  more.textContent = `Show all ${thousands(data.runs.length)}`;
  more.onclick = () => {
    sorting.limit = data.runs.length;
    drawRuns();
  };
}

