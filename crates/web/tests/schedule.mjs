// The schedule and the rating of the training: thirty days with a clock of the test's own, and the example of the paper on Glicko-2.
//
// usage: node schedule.mjs PAGE

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { BEGINNER, DAY_MS, answered, card, due, rated } = await import(pathToFileURL(resolve(process.argv[2], "schedule.js")).href);

function check(holds, text) {
  if (holds) return;
  console.error(`schedule.mjs: ${text}`);
  process.exit(1);
}

// SM-2 as it was published: 1 day, 6 days, then the last interval times the ease, which begins at 2.5. Rounded up, 6 × 2.8 = 16.8
// is 17 and 17 × 2.9 = 49.3 is 50, as each 5 adds 0.1 before.
const start = Date.UTC(2026, 10, 1, 18);
let clock = start, one = card("a", clock);
const days = [];
for (let n = 0; n < 4; n++) {
  one = answered(one, 5, clock);
  days.push(one.days);
  clock = one.due;
}
check(days.join() === "1,6,17,50", `answers of 5 come back after ${days} days, expected 1,6,17,50`);
// The ease falls by 0.8 at 0, 0.54 at 1 and 0.32 at 2, stays at 4, and is 1.3 at least.
for (const [grade, ease] of [[0, 1.7], [1, 1.96], [2, 2.18], [3, 2.36], [4, 2.5], [5, 2.6]]) {
  const got = answered(card("b", 0), grade, 0);
  check(Math.abs(got.ease - ease) < 1e-9, `the ease after ${grade} is ${got.ease}, expected ${ease}`);
  check(got.repeats === (grade >= 3 ? 1 : 0) && got.missed === (grade >= 3 ? 0 : 1), `what is counted after ${grade}`);
}
let worst = card("c", 0);
for (let n = 0; n < 9; n++) worst = answered(worst, 0, n * DAY_MS);
check(worst.ease === 1.3 && worst.days === 1 && worst.due === 9 * DAY_MS, "nine wrong answers");

// Thirty days, four new positions a day, an hour at 18:00. Each is known (grade 5 or 4) or not (1) by a rule of its number and the day; a second
// book, kept by days alone, says when each is due.
const cards = new Map(), book = new Map();
let asked = 0, missed = 0, most = 0;
for (let day = 0; day < 30; day++) {
  clock = start + day * DAY_MS;
  const waiting = due([...cards.values()], clock);
  const expected = [...book].filter(([, { on }]) => on <= day).map(([id]) => id);
  check(waiting.map(({ id }) => id).sort().join() === expected.sort().join(), `day ${day}: due are ${waiting.map(({ id }) => id)}, expected ${expected}`);
  check(waiting.every((one, k) => k === 0 || waiting[k - 1].due <= one.due), `day ${day}: the order`);
  most = Math.max(most, waiting.length);
  const fresh = Array.from({ length: 4 }, (_, k) => card(`p${4 * day + k}`, clock));
  for (const one of [...waiting, ...fresh]) {
    const number = Number(one.id.slice(1)), grade = (number * 7 + day * 3) % 5 === 0 ? 1 : number % 2 === 0 ? 5 : 4;
    const next = answered(one, grade, clock);
    cards.set(one.id, next);
    asked++;
    // The second book.
    const { run = 0, gap = 0, ease = 250 } = book.get(one.id) ?? {};
    if (grade === 1) {
      missed++;
      book.set(one.id, { on: day + 1, run: 0, gap: 1, ease: Math.max(130, ease - 54) });
    } else {
      const easier = ease + (grade === 5 ? 10 : 0), wait = run === 0 ? 1 : run === 1 ? 6 : Math.ceil((gap * easier) / 100 - 1e-9);
      book.set(one.id, { on: day + wait, run: run + 1, gap: wait, ease: easier });
    }
  }
}
check(cards.size === 120 && [...cards.values()].every(({ due }) => due > clock), "a position was forgotten");
check(JSON.stringify(due(JSON.parse(JSON.stringify([...cards.values()])), clock + 9 * DAY_MS)) === JSON.stringify(due([...cards.values()], clock + 9 * DAY_MS)), "what is kept and read again is another schedule");

// The example of the paper: 1500, deviation 200, against 1400 (won), 1550 and 1700 (lost).
const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [
  { rating: 1400, deviation: 30, score: 1 }, { rating: 1550, deviation: 100, score: 0 }, { rating: 1700, deviation: 300, score: 0 },
]);
check(Math.abs(rating - 1464.06) < 0.05 && Math.abs(deviation - 151.52) < 0.05 && Math.abs(volatility - 0.05999) < 1e-5, `Glicko-2 gives ${rating}, ${deviation}, ${volatility}`);
const idle = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, []);
check(Math.abs(idle.deviation - 200.2714) < 0.01 && idle.rating === 1500, `a period without a game gives ${idle.deviation}`);
check(rated(BEGINNER, [{ rating: 1500, deviation: 120, score: 1 }]).rating > 1600, "a first right answer");
console.log(`30 days: ${asked} answers, ${missed} of them wrong, at most ${most} due on a day; the schedule is that of the second book`);
