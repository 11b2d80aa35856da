// The board player and the charts of one game. Everything shown is a function of `now.frame`.

const KINDS = ["", "single", "double", "triple", "tetris"];
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const now = { film: null, frame: 0, playing: false, speed: 1, clock: 0 };
const films = new Map();
let charts = {};

const squares = Array.from({ length: 200 }, () => el("i"));
$("board").append(...squares);
for (const speed of SPEEDS) $("speed").append(el("option", { value: speed }, `${speed}×`));

function drawBoard(view) {
  const names = new Array(200).fill("");
  for (let i = 0; i < 200; i++) if (view.stack[i]) names[i] = `p${LETTERS[view.stack[i] - 1]} solid`;
  const inside = ([x, y]) => y >= 0 && y < 20 && x >= 0 && x < 10;
  for (const cell of (view.ghost ?? []).filter(inside)) names[cell[1] * 10 + cell[0]] = `p${view.piece.letter} ghost`;
  // A piece may appear inside the stack and still slide out of it.
  for (const cell of (view.piece?.cells ?? []).filter(inside)) {
    const i = cell[1] * 10 + cell[0];
    names[i] = `p${view.piece.letter} air${view.stack[i] ? " solid" : ""}`;
  }
  for (const row of view.full) for (let x = 0; x < 10; x++) names[row * 10 + x] += " full";
  squares.forEach((square, i) => {
    if (square.className !== names[i]) square.className = names[i];
  });
}

function timeText(frames) {
  const seconds = frames / RATE;
  return `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
}

function show(frame = Math.floor(now.frame)) {
  const { film } = now;
  const view = look(film, frame);
  const { count } = view;
  const state = after(film, count);
  const total = film.locks.length;
  drawBoard(view);
  const board = $("board");
  board.dataset.pieces = count;
  board.dataset.frame = frame;
  text("now-score", thousands(state.score));
  text("now-lines", String(state.lines));
  text("now-level", String(state.level));
  text("now-rate", state.lines ? percent(state.rate) : "–");
  text("now-drought", String(state.drought));
  // Until the next piece stands in the air, the box shows that piece.
  const appeared = count < film.spawns.length && frame >= film.spawns[count];
  const next = film.pieces[count + (appeared ? 1 : 0)] ?? "";
  if ($("next").dataset.piece !== next) {
    $("next").dataset.piece = next;
    $("next").replaceChildren(...(next ? [mini(next)] : []));
  }
  $("scrub").value = count;
  const where = count < total || appeared ? `piece ${Math.min(count + 1, film.spawns.length)} of ${film.spawns.length}` : `end, ${plural(total, "piece")}`;
  text("where", where);
  text("frame", `frame ${thousands(frame)}`);
  text("clock", `${timeText(frame)} / ${timeText(film.frames)}`);
  $("scrub").setAttribute("aria-valuetext", `${plural(count, "piece")} locked, ${plural(state.lines, "line")}, ${thousands(state.score)} points`);
  drawInput(frame, count);
  if (now.shownCount !== count) {
    now.shownCount = count;
    charts.score.mark(state.lines);
    charts.clears.mark(state.lines);
    charts.rate.mark(state.lines);
    charts.height.mark(count);
    charts.drought.mark(count);
    read(count);
    drawTables(count);
    for (const [id, name] of [["points-title", "Points"], ["pieces-title", "Pieces"]]) text(id, `${name} ${count ? "so far" : "of the whole game"}`);
  }
}

function announce() {
  const view = look(now.film, Math.floor(now.frame));
  const state = after(now.film, view.count);
  const lock = now.film.locks[view.count - 1];
  const last = lock ? `${lock.piece} locked${lock.rows ? `, ${KINDS[lock.rows]}` : ""}. ` : "";
  text("say", `${last}${$("where").textContent}, ${plural(state.lines, "line")}, level ${state.level}, ${thousands(state.score)} points.`);
  $("board").setAttribute("aria-label", `The field after ${plural(view.count, "piece")}: stack height ${state.height}, ${plural(state.lines, "line")}.`);
}

// Buttons.
const LANES = [["A", 128], ["B", 64], ["←", 2], ["→", 1], ["↓", 4]];

function drawInput(frame, count) {
  const { film } = now;
  const held = film.held[frame] ?? 0;
  for (const key of document.querySelectorAll("#pad .key")) key.classList.toggle("on", (held & key.dataset.bit) !== 0);
  const [start, end] = span(film, count);
  if (now.rollFor !== count) {
    now.rollFor = count;
    now.roll = chart($("roll"), {
      height: 72, left: 18, right: 4, top: 2, bare: true, x: [start, end], y: [0, 5], yTicks: [],
      label: rollLabel(film, start, end),
      draw(plot) {
        LANES.forEach(([name, bit], lane) => {
          const y = plot.y(5 - lane);
          plot.add("text", { class: "tick mid", x: 8, y: y + 9.5 }, name);
          plot.add("rect", { class: "lane", x: plot.left, y: y + 1, width: plot.inner.width, height: 11, rx: 2 });
          for (let f = start + 1; f <= end; f++) {
            if (!(film.held[f] & bit)) continue;
            let to = f;
            while (to < end && film.held[to + 1] & bit) to++;
            plot.add("rect", { class: "press", x: plot.x(f - 1) + 0.5, y: y + 2, width: Math.max(1.5, plot.x(to) - plot.x(f - 1) - 1), height: 9, rx: 1.5 });
            f = to;
          }
        });
      },
      seek: (v) => goto(Math.round(v)),
    });
  }
  text("roll-frames", `frames ${thousands(start)} to ${thousands(end)}`);
  now.roll.mark(Math.min(Math.max(frame, start), end));
}

// Frames of the piece after `count` pieces: from its appearance to its lock.
function span(film, count) {
  const lock = film.locks[count];
  if (lock) return [lock.spawned, lock.locked];
  const start = film.spawns[count] ?? film.locks[count - 1]?.spawned ?? 0;
  const end = count < film.spawns.length ? film.frames : (film.locks[count - 1]?.locked ?? film.frames);
  return [start, Math.max(end, start + 1)];
}

function rollLabel(film, start, end) {
  const presses = LANES.map(([name, bit]) => {
    let n = 0;
    for (let f = start + 1; f <= end; f++) if (film.held[f] & bit && !(film.held[f - 1] & bit)) n++;
    return n ? `${name} ${n}` : "";
  }).filter(Boolean);
  return presses.length ? `Buttons of this piece, number of presses: ${presses.join(", ")}` : "No buttons for this piece";
}

// Charts.
const paceAt = (film, lines) => data.pace[film.run.start_level].points[lines];

// A target is the same share of the best pace everywhere.
const targetAt = (film, lines) => (data.target * paceAt(film, lines)) / paceAt(film, data.pace[film.run.start_level].goal);

// Number of pieces after which the line count was first more than `lines`.
const countAtLines = (film, lines) => Math.min(countUpTo(film.locks, lines, (lock) => lock.lines), film.locks.length);

function reading(id, parts) {
  $(id).replaceChildren(...parts.map(([name, value]) => el("span", {}, el("b", {}, String(value)), ` ${name}`)));
}

// Before the first piece there is nothing so far: the whole game is shown.
const shownOf = (film, count) => count || film.locks.length;

function read(at) {
  const { film } = now;
  const count = shownOf(film, at);
  const state = after(film, count);
  const best = paceAt(film, state.lines);
  const none = [["no line yet", ""]];
  reading("score-reading", state.lines ? [[state.lines === 1 ? "line" : "lines", state.lines], ["points", thousands(state.score)], ["of best pace", percent(state.score / best, 0)], ["on target", signed(state.score - targetAt(film, state.lines))]] : none);
  reading("clears-reading", state.lines ? [["tetris rate", percent(state.rate)], [`${state.burn === 1 ? "line" : "lines"} since the last tetris`, state.burn]] : none);
  reading("height-reading", [[state.height === 1 ? "row high" : "rows high", state.height], [count === 1 ? "piece" : "pieces", count]]);
  const droughts = film.droughts.filter((d) => Math.min(d.to, count) - d.from >= 13).length;
  reading("drought-reading", [["since the last I", state.drought], [droughts === 1 ? "drought so far" : "droughts so far", droughts]]);
}

const clearsOf = (run) => KINDS.slice(1).map((kind) => plural(run[kind === "tetris" ? "tetrises" : `${kind}s`], kind, kind === "tetris" ? "tetrises" : `${kind}s`)).join(", ");

// The whole game in figures, with which the page opens.
function drawWhole() {
  const { film } = now;
  const { locks, run } = film;
  const best = paceAt(film, run.lines);
  const burned = run.singles + 2 * run.doubles + 3 * run.triples;
  const height = locks.reduce((sum, lock) => sum + lock.height, 0) / Math.max(1, locks.length);
  $("whole").replaceChildren(
    fact("lines", thousands(run.lines)),
    fact("tetris rate", run.lines ? percent(run.tetrises * 4 / run.lines) : "–"),
    fact("clears", clearsOf(run), "minor"),
    fact("burned", plural(burned, "line")),
    fact("of the best pace", best ? percent(run.score / best, 0) : "–", "minor"),
    fact("longest drought", plural(run.longest_drought, "piece")),
    fact("stack height", `${height.toFixed(1)} rows on average`, "minor"),
  );
}

function drawCharts() {
  const { film } = now;
  const { locks, run } = film;
  const total = locks.length;
  const lines = Math.max(4, run.lines);
  const range = Array.from({ length: lines + 1 }, (_, i) => i);
  const top = Math.max(run.score, paceAt(film, lines), targetAt(film, lines), 1);
  const hoverCount = (f) => (v) => read(v === null ? now.shownCount : f(v));
  const byLines = (v) => countAtLines(film, Math.round(v));
  const byPieces = (v) => Math.round(v);
  const common = (f) => ({ seek: (v) => gotoCount(f(v)), hover: hoverCount(f) });
  film.droughts = [];
  let from = 0;
  for (let i = 0; i <= total; i++) {
    if (i < total && film.pieces[i] !== "I") continue;
    if (i > from) film.droughts.push({ from, to: i });
    from = i + 1;
  }
  charts.score = chart($("score-chart"), {
    height: 216, x: [0, lines], y: [0, top * 1.02], yText: short, xName: "lines", ...common(byLines),
    label: `Score over lines: ${thousands(run.score)} points at ${run.lines} lines, ${percent(run.score / (paceAt(film, run.lines) || 1), 0)} of a game of all tetrises`,
    draw(plot) {
      plot.line(range.map((n) => [n, paceAt(film, n)]), "best");
      plot.line(range.map((n) => [n, targetAt(film, n)]), "target-line");
      plot.line([[0, 0], ...locks.filter((l) => l.rows || l === locks[total - 1]).map((l) => [l.lines, l.score])], "curve");
    },
  });
  charts.clears = chart($("clears-chart"), {
    height: 72, x: [0, lines], y: [0, 4], yTicks: [], bare: true, top: 4, ...common(byLines),
    label: `Clears in order: ${clearsOf(run)}`,
    draw(plot) {
      for (const lock of locks.filter((l) => l.rows)) {
        const left = plot.x(lock.lines - lock.rows);
        const width = Math.max(0.8, plot.x(lock.lines) - left - 0.7);
        plot.add("rect", { class: `c${lock.rows}`, x: left, width, y: plot.y(lock.rows), height: plot.base - plot.y(lock.rows), rx: Math.min(1.5, width / 3) });
      }
    },
  });
  charts.rate = chart($("rate-chart"), {
    height: 154, x: [0, lines], y: [0, 1], yTicks: [0, 0.5, 1], yText: (v) => percent(v, 0), xName: "lines", ...common(byLines),
    label: `Tetris rate so far, over lines: ${percent(after(film, total).rate)} at the end`,
    draw: (plot) => plot.line(locks.filter((l) => l.rows).map((l) => [l.lines, l.rate]), "rate"),
  });
  charts.height = chart($("height-chart"), {
    height: 140, x: [0, Math.max(1, total)], y: [0, 20], yTicks: [0, 5, 10, 15, 20], yText: String, xName: "pieces", ...common(byPieces),
    label: `Stack height over pieces: ${(locks.reduce((sum, l) => sum + l.height, 0) / Math.max(1, total)).toFixed(1)} rows on average, ${Math.max(0, ...locks.map((l) => l.height))} at most`,
    draw: (plot) => plot.steps([[0, 0], ...locks.map((l, i) => [i + 1, l.height])], "height", true),
  });
  const longest = Math.max(run.longest_drought, 13);
  charts.drought = chart($("drought-chart"), {
    height: 140, x: [0, Math.max(1, total)], y: [0, longest + 2], yTicks: [0, 13], yText: String, xName: "pieces", ...common(byPieces),
    label: `Pieces since the last I: ${run.longest_drought} at most, ${plural(run.droughts, "drought")} of 13 or more`,
    draw(plot) {
      // The longest are named first; a name that would touch another is left out.
      const named = [];
      for (const { from, to } of [...film.droughts].sort((a, b) => b.to - b.from - (a.to - a.from))) {
        const d = `M${plot.x(from).toFixed(1)} ${plot.base}L${plot.x(to).toFixed(1)} ${plot.y(to - from).toFixed(1)}V${plot.base}Z`;
        plot.add("path", { class: to - from >= 13 ? "drought" : "wait", d });
        const at = Math.min(plot.x(to), plot.right - 8);
        if (to - from < 13 || named.some((other) => Math.abs(other - at) < 17)) continue;
        named.push(at);
        plot.add("text", { class: "tick mid strong", x: at, y: plot.y(to - from) - 3 }, String(to - from));
      }
      plot.add("line", { class: "limit", x1: plot.left, x2: plot.right, y1: plot.y(13), y2: plot.y(13) });
    },
  });
}

function drawTables(at) {
  const { film } = now;
  const count = shownOf(film, at);
  const tally = [0, 1, 2, 3, 4].map(() => ({ n: 0, points: 0 }));
  const seen = Object.fromEntries([...LETTERS].map((letter) => [letter, 0]));
  for (const lock of film.locks.slice(0, count)) {
    tally[lock.rows].n++;
    tally[lock.rows].points += lock.points;
    seen[lock.piece]++;
  }
  const { lines, score } = after(film, count);
  const head = el("thead", {}, el("tr", {}, ...["", "count", "lines", "points", "share"].map((t) => el("th", { scope: "col" }, t))));
  const body = el("tbody", {});
  for (const rows of [4, 3, 2, 1]) {
    const { n, points } = tally[rows];
    const name = el("th", { scope: "row" }, el("span", { class: `k-${rows}` }, KINDS[rows]));
    body.append(el("tr", {}, name, ...[String(n), lines ? percent((n * rows) / lines, 0) : "–", thousands(points), score ? percent(points / score, 0) : "–"].map((t) => el("td", {}, t))));
  }
  const drop = tally[0].points;
  body.append(el("tr", {}, el("th", { scope: "row" }, "no clear"), ...[String(tally[0].n), "–", thousands(drop), score ? percent(drop / score, 0) : "–"].map((t) => el("td", {}, t))));
  $("points-table").replaceChildren(head, body);
  const most = Math.max(1, ...Object.values(seen));
  if (!$("piece-counts").childElementCount) {
    for (const letter of LETTERS) {
      const bar = el("div", { class: `meter p${letter}` }, el("b"));
      $("piece-counts").append(el("div", { class: "count", "data-letter": letter }, mini(letter), bar, el("span"), el("small")));
    }
  }
  for (const row of $("piece-counts").children) {
    const n = seen[row.dataset.letter];
    row.querySelector("b").style.width = `${(100 * n) / most}%`;
    row.querySelector("span").textContent = n;
    row.querySelector("small").textContent = count ? percent(n / count) : "";
  }
}

// Moving.
function goto(frame) {
  now.frame = Math.min(Math.max(frame, 0), now.film.frames);
  show();
  if (!now.playing) announce();
  linkSoon();
}

const gotoCount = (count) => goto(frameOf(now.film, Math.min(Math.max(count, 0), now.film.locks.length)));

// Inside a piece, one back is its beginning, as in any player.
function step(by) {
  const { count } = look(now.film, Math.floor(now.frame));
  const inside = Math.floor(now.frame) > frameOf(now.film, count);
  gotoCount(count + by + (by < 0 && inside ? 1 : 0));
}

// The piece that makes the next tetris, or the one before.
function seekTetris(by) {
  const { locks } = now.film;
  let i = countNow() + by;
  while (locks[i] && locks[i].rows !== 4) i += by;
  if (locks[i]) gotoCount(i);
  else note(`There is no tetris ${by > 0 ? "after" : "before"} this piece.`);
}

function setPlaying(on) {
  if (on && now.frame >= now.film.frames) now.frame = 0;
  now.playing = on;
  document.body.classList.toggle("playing", on);
  $("play").setAttribute("aria-label", on ? "Pause" : "Play");
  if (on) {
    Object.assign(now, { clock: performance.now(), calmAt: null });
    requestAnimationFrame(tick);
  } else {
    announce();
    linkSoon();
  }
}

function tick(time) {
  if (!now.playing) return;
  now.frame = Math.min(now.frame + (Math.max(0, time - now.clock) / 1000) * RATE * now.speed, now.film.frames);
  now.clock = time;
  const { count } = look(now.film, Math.floor(now.frame));
  // Nothing slides about for those who asked for less motion: the board changes once a piece, when it appears.
  const appears = frameOf(now.film, count);
  if (!calm.matches) show();
  else if (now.calmAt !== appears && now.frame >= appears) show((now.calmAt = appears));
  if (now.frame >= now.film.frames) setPlaying(false);
  else requestAnimationFrame(tick);
}

function setSpeed(index) {
  const speed = SPEEDS[Math.min(Math.max(index, 0), SPEEDS.length - 1)];
  now.speed = speed;
  $("speed").value = speed;
}

// The header.
const fact = (name, value, kind = "") => el("div", { class: kind }, el("dt", {}, name), el("dd", {}, value));

const badge = (run) => el("span", { class: `badge ${run.fair ? "fair" : "clairvoyant"}`, title: run.fair ? "saw only what a person sees" : "also read the piece generator" }, run.fair ? "fair" : "clairvoyant");

const stopName = (run) => ({ level29: "level 29", topout: "top-out" })[run.stop] ?? run.stop.replace(/^lines:(\d+)$/, "$1 lines");

function result(run) {
  if (run.reached_stop && !run.topped_out) return `reached ${stopName(run)}`;
  const how = run.topped_out ? "topped out" : run.crashed ? "crashed" : "ended";
  return `${how} at level ${run.level}`;
}

// Opens a run where the next piece stands in the air after `count` pieces.
function open(index, count = 0) {
  const run = data.runs[index];
  if (!films.has(run.game)) films.set(run.game, unpackFilm(data.games[run.game]));
  if (now.playing) setPlaying(false);
  const film = films.get(run.game);
  Object.assign(now, { film, frame: frameOf(film, count), shownCount: null, rollFor: null });
  $("run").value = index;
  $("game-title").replaceChildren(run.player, " ", badge(run));
  text("game-result", `seed ${run.seed_text}: ${result(run)}, ${plural(run.lines, "line")}, ${plural(run.pieces, "piece")}, ${timeText(run.frames)} of play`);
  text("total", thousands(run.score));
  $("facts").replaceChildren(
    fact("start level", String(run.start_level)),
    fact("stop", stopName(run)),
    fact("host", run.host),
    ...(run.rom.sha1 ? [fact("ROM", run.rom.name), fact("SHA-1", el("span", { class: "hash" }, run.rom.sha1))] : []),
    fact("without soft drop", thousands(run.line_points)),
    fact("replans", String(run.replans)),
    fact("version", run.version),
  );
  $("scrub").max = run.pieces;
  drawWhole();
  drawCharts();
  show();
  announce();
  if (data.runs.length > 1) drawRuns();
}

