"""Learns the game for points from nothing: a small network of values of boards, by temporal differences, numpy alone.

    python crates/python/examples/learn_afterstates.py [CPU_MINUTES] [SEED]

128 games run at once, from level 18 to level 29 under gravity. Each takes the placement whose points and value are best.
What a board is worth is what follows it: the value before a placement moves towards its points and the discounted value
after it. The network sees counts of the board and the next piece. At last it plays 200 games that it never learnt from.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # The matrices are small; CPU time is what counts here.
import numpy
from maxout.vector import NesTetris
from numpy.typing import NDArray

GAMES, DISCOUNT, INPUTS, HIDDEN = 128, 0.99, 42, 64
#: The reward of a placement that does not end the game, in tetrises. Early on it is all there is to learn from.
ALIVE = 0.02
OPTIONS: dict[str, Any] = {"start_level": 18, "stop": "level29", "reward": "points", "illegal": "raise"}
Floats = NDArray[numpy.float32]


def features(boards: NDArray[numpy.uint8], following: NDArray[numpy.uint8]) -> Floats:
    """What the network sees: float32 (k, 42) of boards (k, 20, 10) and next pieces (k, 7), each number about 0 to 1."""
    count = len(boards)
    # Columns first and boards last, so that each operation runs over long rows of memory.
    solid = numpy.ascontiguousarray(boards.reshape(count, 200).T).reshape(20, 10, count)
    under = numpy.maximum.accumulate(solid, axis=0)
    heights = under.sum(axis=0, dtype=numpy.int16)
    holes = (under - solid).sum(axis=0, dtype=numpy.int16)
    filled = solid.sum(axis=1, dtype=numpy.int16)
    walled = numpy.pad(heights, ((1, 1), (0, 0)), constant_values=20)
    wells = numpy.maximum(numpy.minimum(walled[:-2], walled[2:]) - heights, 0)
    # Rows that only the right column keeps from being full, and those that any column open to the sky does.
    ready = ((filled == 9) & (solid[:, 9] == 0)).sum(axis=0)
    open_rows = ((filled == 9) & (under.sum(axis=1) == 9)).sum(axis=0)
    edges = (solid[:, 1:] != solid[:, :-1]).sum(axis=(0, 1), dtype=numpy.int16)
    top, total = heights.max(axis=0), holes.sum(axis=0)
    covered = ((under - solid).max(axis=1) > 0).sum(axis=0)
    columns = [
        heights / 10,
        numpy.clip(steps := numpy.diff(heights, axis=0), -5, 5) / 5,
        numpy.minimum(wells, 6)[[0, 9]] / 6,
        [wells[1:9].sum(axis=0) / 10, top / 20, (top / 20) ** 4, heights[:9].sum(axis=0) / 90],
        [total / 10, numpy.minimum(total, 2) / 2, covered / 10, edges / 60, ready / 4, open_rows / 4],
        [ready >= 4, numpy.abs(steps[:8]).sum(axis=0) / 20, (steps[:8] ** 2).sum(axis=0) / 100],
        [(filled >= 8).sum(axis=0) / 10],
        following.T,
    ]
    return numpy.concatenate([numpy.asarray(part, numpy.float32) for part in columns]).T


class Network:
    """One hidden layer of rectified units, trained by Adam."""

    def __init__(self, inputs: int, seed: int) -> None:
        random = numpy.random.default_rng(seed)
        first = random.normal(0, (2 / inputs) ** 0.5, (inputs, HIDDEN)).astype(numpy.float32)
        self.parts: list[Floats] = [first, *(numpy.zeros(size, numpy.float32) for size in (HIDDEN, HIDDEN, 1))]
        self.moments = [(numpy.zeros_like(part), numpy.zeros_like(part)) for part in self.parts]
        self.steps = 0

    def value(self, seen: Floats) -> Floats:
        """The value of each row, in tetrises to come."""
        first, bias, last, constant = self.parts
        value: Floats = numpy.maximum(seen @ first + bias, 0) @ last + constant
        return value

    def learn(self, seen: Floats, target: Floats, rate: float) -> float:
        """Moves the values towards the targets. Returns the mean error."""
        first, bias, last, constant = self.parts
        hidden = numpy.maximum(seen @ first + bias, 0)
        error = hidden @ last + constant - target
        # Errors above 1 count as 1: a lost game must not shake everything.
        slope = (numpy.clip(error, -1, 1) / len(seen)).astype(numpy.float32)
        back = numpy.outer(slope, last) * (hidden > 0)
        self.steps += 1
        gradients = [seen.T @ back, back.sum(axis=0), slope @ hidden, slope.sum(keepdims=True)]
        for part, gradient, (mean, square) in zip(self.parts, gradients, self.moments):
            mean += 0.1 * (gradient - mean)
            square += 0.001 * (gradient**2 - square)
            unbiased = 1 - 0.999**self.steps
            part -= rate * mean / (numpy.sqrt(square / unbiased) + 1e-8)
        return float(numpy.abs(error).mean())


def choose(games: NesTetris, following: NDArray[Any], network: Network) -> tuple[NDArray[numpy.int64], Floats, Floats]:
    """The best action of each game, its worth (0 where the game is over) and the features of its board."""
    boards, actions, rewards, ends, offsets = games.afterstates()
    owner = numpy.repeat(numpy.arange(games.num_envs), numpy.diff(offsets))
    seen = features(boards, following[owner])
    # A tetris on level 18 is 1.
    worth = numpy.where(ends, 0, ALIVE + DISCOUNT * network.value(seen)) + rewards / 22800
    # By game, then by worth: the last of each game is its best.
    best = numpy.lexsort((worth, owner))[offsets[1:][numpy.diff(offsets) > 0] - 1]
    chosen, value = numpy.zeros(games.num_envs, numpy.int64), numpy.zeros(games.num_envs, numpy.float32)
    taken = numpy.zeros((games.num_envs, seen.shape[1]), numpy.float32)
    chosen[owner[best]], value[owner[best]], taken[owner[best]] = actions[best], worth[best], seen[best]
    return chosen, value, taken


def learn(minutes: float, seed: int) -> Network:
    """Plays and learns for so many minutes of CPU time."""
    games = NesTetris(GAMES, **OPTIONS)
    parts, _ = games.reset(seed=1_000_000 * (seed + 1))
    network = Network(INPUTS, seed)
    before, fresh = numpy.zeros((GAMES, INPUTS), numpy.float32), numpy.ones(GAMES, bool)
    begun, steps, lines, told = time.process_time(), 0, [0.0], 0.1
    while (spent := (time.process_time() - begun) / 60 / minutes) < 1:
        actions, worth, after = choose(games, parts["next"], network)
        if not fresh.all():
            network.learn(before[~fresh], worth[~fresh], 1e-3 * (1 - 0.9 * spent))
        last = parts["lines"][:, 0].copy()
        _, _, ended, cut, _ = games.step(actions)
        # A game that is over begins anew in the next step, which is no step of play.
        fresh = ended | cut
        lines += last[fresh].tolist()
        before, steps = after, steps + 1
        if spent > told:
            told += 0.1
            print(f"{spent:4.0%}, {steps * GAMES:9,} placements, {numpy.mean(lines[-300:]):.0f} lines a game", flush=True)
    return network


def judge(network: Network, count: int = 200) -> None:
    """Plays games that were never trained on, and prints their mean and its standard error."""
    games = NesTetris(count, **OPTIONS)
    parts, _ = games.reset(seed=0)
    points, lines, over = numpy.zeros(count), numpy.zeros(count), numpy.zeros(count, bool)
    while not over.all():
        parts, _, ended, cut, info = games.step(choose(games, parts["next"], network)[0])
        points[~over], lines[~over] = info["points"][~over], parts["lines"][~over, 0]
        over |= ended | cut
    for what, each in [("points", points), ("lines", lines)]:
        print(f"{each.mean():,.0f} ± {each.std() / count**0.5:,.0f} {what}")


if __name__ == "__main__":
    minutes, seed = float(sys.argv[1]) if len(sys.argv) > 1 else 2.0, int(sys.argv[2]) if len(sys.argv) > 2 else 0
    print("before learning:")
    judge(Network(INPUTS, seed))
    print(f"learning for {minutes:g} CPU minutes, seed {seed}:")
    judge(learn(minutes, seed))
