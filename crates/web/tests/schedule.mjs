// Cards that SM-2 kept, cards that are damaged, and the example of the paper on Glicko-2. The schedule itself is judged by `.ci/coach.py`, which
// trains for thirty days.
//
// usage: node schedule.mjs PAGE

import { pathToFileURL } from "node:url";
import { resolve } from "node:path";

const { BEGINNER, DAY_MS, answered, carried, due, isDue, rated } = await import(pathToFileURL(resolve(process.argv[2], "schedule.js")).href);

function check(holds, text) {
  if (holds) return;
  console.error(`schedule.mjs: ${text}`);
  process.exit(1);
}

const now = new Date(2026, 10, 30, 18).getTime();
// A card of SM-2 stays due when it was, and its next interval is the one that SM-2 would give: the last one times the ease, rounded up. FSRS takes no
// card for easier or more difficult than 1 to 10, so that holds for eases that are neither very low nor very high.
for (const [days, ease] of [[6, 2.5], [6, 2.6], [15, 2.5], [16, 2.36], [17, 2.7], [38, 2.5], [100, 2.2], [250, 1.9]]) {
  const old = { id: "a", due: now, days, repeats: 3, ease, seen: 5, missed: 1 }, card = carried(old);
  check(card.due === now && card.id === "a" && card.reps === 5 && card.lapses === 1, `the card of ${days} days is now ${JSON.stringify(card)}`);
  const next = answered(card, "a", true, now), wanted = days * ease;
  check(Math.abs(next.scheduled_days - wanted) <= 1, `${days} days at ease ${ease} go on with ${next.scheduled_days}, expected ${wanted}`);
  const day = new Date(now);
  check(next.due === day.setDate(day.getDate() + next.scheduled_days) && next.reps === 6, "a carried card is not due when its interval ends");
  const missed = answered(card, "a", false, now);
  check(missed.scheduled_days < days && missed.lapses === 2 && missed.due > now, `a carried card that is missed comes back after ${missed.scheduled_days} days`);
}
// What was missed, and the easiest and the most difficult: whole days, never fewer than one.
for (const [days, ease] of [[1, 1.3], [1, 1.7], [1, 2.5], [1, 3.4], [6, 1.3], [400, 3.4]]) {
  const next = answered(carried({ id: "b", due: now, days, repeats: 0, ease, seen: 9, missed: 9 }), "b", true, now);
  check(Number.isInteger(next.scheduled_days) && next.scheduled_days > days, `${days} days at ease ${ease} go on with ${next.scheduled_days}`);
}
const kept = answered(undefined, "c", true, now);
check(JSON.stringify(carried(JSON.parse(JSON.stringify(kept)))) === JSON.stringify(kept), "what is exported and read again is another card");
check(typeof kept.due === "number" && typeof kept.last_review === "number", "a card holds something that a file does not");
for (const wrong of [
  { stability: 0 }, { stability: null }, { stability: 1e9 }, { difficulty: 0 }, { difficulty: 11 }, { due: "soon" }, { due: "99999999999999" }, { due: undefined },
  { last_review: now + 999 * DAY_MS }, { state: 7 }, { state: "foo" }, { state: "2" }, { reps: "x" }, { lapses: [] }, { scheduled_days: NaN }, { elapsed_days: {} }, { learning_steps: null },
]) {
  check(carried({ ...kept, ...wrong }) === null, `a card with ${JSON.stringify(wrong)} is taken`);
}
const old = { id: "d", due: now, days: 6, repeats: 2, ease: 2.5, seen: 2, missed: 0 };
for (const wrong of [{ days: null }, { days: -1 }, { due: undefined }, { ease: 0 }, { ease: "x" }, { seen: "x" }, { missed: undefined }]) {
  check(carried(old) !== null && carried({ ...old, ...wrong }) === null, `a card of SM-2 with ${JSON.stringify(wrong)} is taken`);
}
check(carried({ id: "d", ease: 2.5 }) === null, "a card of SM-2 with nothing but an ease is taken");
// A night lies between Sunday at 20:00 and Monday at 9:00, wherever one lives: the test runs in several time zones.
const monday = answered(answered(undefined, "f", false, new Date(2026, 10, 29, 20).getTime()), "f", true, new Date(2026, 10, 30, 9).getTime());
check(monday.elapsed_days === 1 && monday.stability > 1.5, `from Sunday to Monday ${monday.elapsed_days} days have gone, stability ${monday.stability}`);
// So does one in which clocks are put back.
const autumn = answered(answered(undefined, "g", false, new Date(2026, 9, 24, 23, 30).getTime()), "g", true, new Date(2026, 9, 25, 8).getTime());
check(autumn.elapsed_days === 1 && new Date(autumn.due).getHours() === 8, `a night in which clocks are put back has ${autumn.elapsed_days} days`);
// A clock that was put back.
check(answered(kept, "c", true, now - 3 * DAY_MS).due > now, "a clock that is put back breaks the schedule");
// Due from the first minute of the day.
const tomorrow = new Date(2026, 11, 1).getTime();
check(!isDue(answered(undefined, "e", false, now), now) && isDue(answered(undefined, "e", false, now), tomorrow), "what is missed does not come back tomorrow");
check(due([{ due: 3 }, { due: 1 }, { due: 2 }, { due: 9 * DAY_MS }], 4).map(({ due }) => due).join() === "1,2,3", "the order of what is due");

// The example of the paper: 1500, deviation 200, against 1400 (won), 1550 and 1700 (lost).
const { rating, deviation, volatility } = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, [
  { rating: 1400, deviation: 30, score: 1 }, { rating: 1550, deviation: 100, score: 0 }, { rating: 1700, deviation: 300, score: 0 },
]);
check(Math.abs(rating - 1464.06) < 0.05 && Math.abs(deviation - 151.52) < 0.05 && Math.abs(volatility - 0.05999) < 1e-5, `Glicko-2 gives ${rating}, ${deviation}, ${volatility}`);
const idle = rated({ rating: 1500, deviation: 200, volatility: 0.06 }, []);
check(Math.abs(idle.deviation - 200.2714) < 0.01 && idle.rating === 1500, `a period without a game gives ${idle.deviation}`);
check(rated(BEGINNER, [{ rating: 1500, deviation: 120, score: 1 }]).rating > 1600, "a first right answer");
console.log("cards of SM-2 are carried over to FSRS, damaged ones are not taken, and Glicko-2 gives the example of its paper");
