// When a position comes up again, and how strong somebody is. Both are a few published formulas, so that no library has to be
// bundled: SM-2 (P. A. Wozniak, 1990) for the days between repetitions, and Glicko-2 (M. E. Glickman, 2012) for the rating.

/** Milliseconds of a day. */
export const DAY_MS = 86_400_000;
/** Answers of this grade and above are right; grades go from 0 to 5. */
export const RIGHT = 3;

/**
 * @typedef {{id: string, due: number, days: number, repeats: number, ease: number, seen: number, missed: number}} Card
 *   What is known of a position: `due` in milliseconds, `days` to the next time, right answers in a row, how easy it is, how often it was
 *   asked, and how often the answer was wrong.
 * @typedef {{rating: number, deviation: number, volatility: number}} Strength
 */

/** @param {string} id @param {number} now @returns {Card} */
export const card = (id, now) => ({ id, due: now, days: 0, repeats: 0, ease: 2.5, seen: 0, missed: 0 });

/** A card after an answer, by SM-2. @param {Card} card @param {number} grade @param {number} now @returns {Card} */
export function answered(card, grade, now) {
  const right = grade >= RIGHT, far = 5 - grade;
  const ease = Math.max(1.3, card.ease + 0.1 - far * (0.08 + far * 0.02));
  const repeats = right ? card.repeats + 1 : 0;
  const days = repeats <= 1 ? 1 : repeats === 2 ? 6 : Math.ceil(card.days * ease);
  const missed = card.missed + (right ? 0 : 1);
  return { ...card, due: now + days * DAY_MS, days, repeats, ease, seen: card.seen + 1, missed };
}

/** Cards that are due, the ones that have waited longest first. @template {Card} T @param {T[]} cards @param {number} now */
export const due = (cards, now) => cards.filter((card) => card.due <= now).sort((a, b) => a.due - b.due);

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
