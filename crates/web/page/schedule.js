// When a position comes up again, by FSRS (the library ts-fsrs, which the build puts beside this), and how strong somebody is, by Glicko-2
// (M. E. Glickman, 2012), which is a few published formulas.

import { Rating, State, createEmptyCard, fsrs } from "./fsrs.js";

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;
/** The days from one time to the next are whole, and the same for the same answers. What is missed comes back within the session by itself. */
const scheduler = fsrs({ learning_steps: [], relearning_steps: [], enable_fuzz: false });

/**
 * @typedef {Omit<import("./fsrs.js").Card, "due" | "last_review"> & {id: string, due: number, last_review: number}} Card
 *   What FSRS knows of a position, with times in milliseconds.
 * @typedef {{id: string, due: number, days: number, repeats: number, ease: number, seen: number, missed: number}} Older
 *   What SM-2 knew of it, up to version 0.2.0: `days` to the next time, right answers in a row, how easy it is, how often it was asked and missed.
 * @typedef {{rating: number, deviation: number, volatility: number}} Strength
 */

/** A time as the clock on the wall shows it, as if that were UTC: the library counts the days between two answers by dates in UTC. @param {number} ms */
const wall = (ms) => ms - new Date(ms).getTimezoneOffset() * 60_000;

/** What a kept thing has to hold to be a card. @param {object} kept @param {string[]} names */
const numbers = (kept, names) => names.every((name) => Number.isFinite(/** @type {Record<string, unknown>} */ (kept)[name]));
const FIELDS = ["due", "last_review", "stability", "difficulty", "elapsed_days", "scheduled_days", "learning_steps", "reps", "lapses"];

/** A card that was kept, whichever schedule it is of. One of SM-2 stays due when it was, and is as difficult as makes FSRS give the next
 * interval that SM-2 would. @param {Card | Older} kept @returns {Card | null} Null if it is no card, as in a file that somebody has changed. */
export function carried(kept) {
  if (!("ease" in kept)) {
    const { stability, difficulty, due, last_review: last, state } = kept;
    const sound = numbers(kept, FIELDS) && [0, 1, 2, 3].includes(state) && stability >= 0.001 && stability <= 36_500 && difficulty >= 1 && difficulty <= 10 && last <= due;
    return sound ? kept : null;
  }
  const { id, due, days, ease, seen, missed } = kept;
  if (!numbers(kept, ["due", "days", "ease", "seen", "missed"]) || days < 0 || ease < 1) return null;
  const { w, request_retention } = scheduler.parameters, stability = Math.min(36_500, Math.max(1, days));
  const growth = Math.exp(w[8]) * stability ** -w[9] * (Math.exp(w[10] * (1 - request_retention)) - 1);
  return {
    id, due, last_review: due - days * DAY_MS, stability, difficulty: Math.min(10, Math.max(1, 11 - (ease - 1) / growth)), state: State.Review,
    elapsed_days: 0, scheduled_days: days, learning_steps: 0, reps: seen, lapses: missed,
  };
}

/** A card after an answer. @param {Card | undefined} card Undefined at the first one. @param {string} id @param {boolean} right @param {number} now @returns {Card} */
export function answered(card, id, right, now) {
  // A clock may have been put back since.
  const at = Math.max(now, card?.last_review ?? now);
  const before = card ? { ...card, due: wall(card.due), last_review: wall(card.last_review) } : createEmptyCard(wall(at));
  const { card: next } = scheduler.next(before, wall(at), right ? Rating.Good : Rating.Again);
  // At the same time of that day, also where clocks are changed meanwhile.
  const due = new Date(at);
  return { ...next, id, due: due.setDate(due.getDate() + next.scheduled_days), last_review: at };
}

/** Whether a card is due: from the beginning of its day, as nobody trains at the same minute every day. @param {{due: number}} card @param {number} now */
export const isDue = ({ due }, now) => due < new Date(now).setHours(24, 0, 0, 0);

/** Cards that are due, the ones that have waited longest first. @template {{due: number}} T @param {T[]} cards @param {number} now */
export const due = (cards, now) => cards.filter((card) => isDue(card, now)).sort((a, b) => a.due - b.due);

/** Where everybody begins. @type {Readonly<Strength>} */
export const BEGINNER = { rating: 1500, deviation: 350, volatility: 0.06 };
/** How uncertain the rating of a position is: it is an estimate from what misleads in it. */
export const POSITION_DEVIATION = 120;
/** How fast volatility may change. */
const TAU = 0.5;
/** Glicko's scale. */
const SCALE = 173.7178;

/**
 * A rating after games in one period, by Glicko-2.
 * @param {Strength} strength
 * @param {{rating: number, deviation: number, score: number}[]} games Opponents, and 1 for a win, 0 for a loss.
 * @returns {Strength}
 */
export function rated(strength, games) {
  const mu = (strength.rating - 1500) / SCALE, phi = strength.deviation / SCALE, sigma = strength.volatility;
  if (games.length === 0) {
    const wider = Math.hypot(phi, sigma) * SCALE;
    return { ...strength, deviation: Math.min(350, wider) };
  }
  let inverse = 0, sum = 0;
  for (const { rating, deviation, score } of games) {
    const g = 1 / Math.sqrt(1 + (3 * (deviation / SCALE) ** 2) / Math.PI ** 2);
    const expected = 1 / (1 + Math.exp(-g * (mu - (rating - 1500) / SCALE)));
    inverse += g * g * expected * (1 - expected);
    sum += g * (score - expected);
  }
  const v = 1 / inverse, delta = v * sum;
  const a = Math.log(sigma * sigma);
  const f = (/** @type {number} */ x) => {
    const e = Math.exp(x), w = phi * phi + v + e;
    return (e * (delta * delta - w)) / (2 * w * w) - (x - a) / (TAU * TAU);
  };
  // The zero of f, by the Illinois method.
  let low = a, high = Math.log(delta * delta - phi * phi - v);
  if (!(delta * delta > phi * phi + v)) {
    let k = 1;
    while (f(a - k * TAU) < 0) k++;
    high = a - k * TAU;
  }
  let atLow = f(low), atHigh = f(high);
  for (let n = 0; n < 100 && Math.abs(high - low) > 1e-6; n++) {
    const middle = low + ((low - high) * atLow) / (atHigh - atLow), at = f(middle);
    if (at * atHigh <= 0) [low, atLow] = [high, atHigh];
    else atLow /= 2;
    [high, atHigh] = [middle, at];
  }
  const volatility = Math.exp(low / 2);
  const wider = Math.hypot(phi, volatility);
  const deviation = 1 / Math.sqrt(1 / (wider * wider) + 1 / v);
  return { rating: 1500 + (mu + deviation * deviation * sum) * SCALE, deviation: deviation * SCALE, volatility };
}
