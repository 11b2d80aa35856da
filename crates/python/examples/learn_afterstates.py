"""Learns to play from nothing: values of boards after a placement, by temporal differences, with numpy alone.

    python crates/python/examples/learn_afterstates.py [CPU_MINUTES] [SEED]

The value of a board is a weighted sum of what one can count on it. 256 games are played at once; each takes the placement
whose reward and value are best, and the value of the board before moves towards them. A placement that does not end the game
counts as 1 besides its lines, so that survival comes first. After the time is up, 200 games that were
never trained on are played without learning: the mean number of lines in at most 500 pieces is printed.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy
from maxout.vector import NesTetris
from numpy.typing import NDArray

MINUTES = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
SEED = int(sys.argv[2]) if len(sys.argv) > 2 else 0
GAMES, DISCOUNT, RATE = 256, 0.95, 0.5
OPTIONS: dict[str, Any] = {"start_level": 0, "reward": "lines", "illegal": "raise"}
Floats = NDArray[numpy.float64]


def features(boards: NDArray[numpy.uint8]) -> Floats:
    """What the value counts: float64 (k, 26) of boards (k, 20, 10), each number about 0 to 1."""
    solid = boards.astype(bool)
    under = numpy.logical_or.accumulate(solid, axis=1)
    heights = under.sum(axis=1)
    holes = (under & ~solid).sum(axis=1)
    steps = numpy.abs(numpy.diff(heights, axis=1))
    walled = numpy.pad(heights, ((0, 0), (1, 1)), constant_values=20)
    wells = numpy.maximum(0, numpy.minimum(walled[:, :-2], walled[:, 2:]) - heights)
    edges = (solid[:, :, 1:] != solid[:, :, :-1]).sum(axis=(1, 2))
    columns = [
        numpy.ones(len(boards)),
        heights.max(axis=1) / 20,
        (heights.max(axis=1) / 20) ** 2,
        heights.mean(axis=1) / 20,
        holes.sum(axis=1) / 10,
        numpy.minimum(holes.sum(axis=1), 3) / 3,
        (holes > 0).sum(axis=1) / 10,
        steps.sum(axis=1) / 20,
        (steps**2).sum(axis=1) / 200,
        (wells * (wells + 1) / 2).sum(axis=1) / 20,
        wells.max(axis=1) / 10,
        edges / 50,
        (heights == 0).sum(axis=1) / 10,
    ]
    low = heights.min(axis=1) / 20
    return numpy.stack([*columns, *(low * column for column in columns)], axis=1)


def choose(games: NesTetris, weights: Floats) -> tuple[NDArray[numpy.int64], Floats, Floats]:
    """The best action of each game, its worth (0 where the game is over) and the features of its board."""
    boards, actions, rewards, ends, offsets = games.afterstates()
    seen = features(boards)
    worth = rewards + numpy.where(ends, 0.0, 1 + DISCOUNT * (seen @ weights))
    chosen, best = numpy.zeros(games.num_envs, numpy.int64), numpy.zeros(games.num_envs)
    taken = numpy.zeros((games.num_envs, seen.shape[1]))
    for game, (first, last) in enumerate(zip(offsets[:-1], offsets[1:])):
        if first < last:
            place = first + int(worth[first:last].argmax())
            chosen[game], best[game], taken[game] = actions[place], worth[place], seen[place]
    return chosen, best, taken


def learn(minutes: float, seed: int) -> Floats:
    """Plays and learns for so many minutes of CPU time. Returns the weights."""
    games = NesTetris(GAMES, stop="pieces:500", **OPTIONS)
    games.reset(seed=seed)
    weights = numpy.zeros(features(numpy.zeros((1, 20, 10), numpy.uint8)).shape[1])
    before = numpy.zeros((GAMES, len(weights)))
    fresh, begun, steps = numpy.ones(GAMES, bool), time.process_time(), 0
    while time.process_time() - begun < 60 * minutes:
        actions, worth, after = choose(games, weights)
        error = numpy.where(fresh, 0.0, worth - before @ weights)
        weights += RATE * (error @ before) / max(1.0, (before**2).sum())
        _, _, ended, cut, _ = games.step(actions)
        # A game that is over begins anew in the next step, which is no step of play.
        fresh = ended | cut
        before, steps = after, steps + 1
        if steps % 200 == 0:
            spent = time.process_time() - begun
            print(f"{spent:5.0f} s, {steps * GAMES:9,} placements, error {numpy.abs(error).mean():.3f}", flush=True)
    return weights


def judge(weights: Floats, count: int = 200) -> tuple[float, float]:
    """Mean lines of games that were never trained on, and its standard error."""
    games = NesTetris(count, stop="pieces:500", **OPTIONS)
    parts, _ = games.reset(seed=1_000_000)
    lines, over = numpy.zeros(count), numpy.zeros(count, bool)
    while not over.all():
        parts, _, ended, cut, _ = games.step(choose(games, weights)[0])
        lines[~over] = parts["lines"][~over, 0]
        over |= ended | cut
    return float(lines.mean()), float(lines.std() / numpy.sqrt(count))


if __name__ == "__main__":
    mean, error = judge(numpy.zeros(26))
    print(f"before learning: {mean:.1f} ± {error:.1f} lines")
    mean, error = judge(learn(MINUTES, SEED))
    print(f"after {MINUTES:g} CPU minutes, seed {SEED}: {mean:.1f} ± {error:.1f} lines in at most 500 pieces")
