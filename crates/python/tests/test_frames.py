"""The game frame by frame: against traces of the real game, and against itself."""

from __future__ import annotations

import copy
import csv
import gzip
from pathlib import Path
from typing import Any

import gymnasium
import maxout
import numpy
import pytest
from gymnasium.utils.env_checker import check_env

TRACES = Path(__file__).parents[3] / "tests" / "data"
#: Address of each column of a trace.
COLUMNS = {
    **{"ps": 0x68, "x": 0x60, "y": 0x61, "id": 0x62, "lvl": 0x64, "ft": 0x65, "arx": 0x66, "ary": 0x6E, "hdp": 0x6F},
    **{"l0": 0x70, "l1": 0x71, "rowy": 0x72, "s0": 0x73, "s1": 0x74, "s2": 0x75, "cl": 0x76, "li": 0x77},
    **{"cr0": 0x6A, "cr1": 0x6B, "cr2": 0x6C, "cr3": 0x6D, "cur": 0x78, "vr": 0x69, "nb": 0xF5, "hb": 0xF7},
    **{"next": 0xBF, "sid": 0x19, "sct": 0x1A, "r0": 0x17, "r1": 0x18, "fc0": 0xB1, "fc1": 0xB2, "slv": 0x67},
    **{"dnp": 0xDF, "slp": 0xC3},
}


def enter(row: dict[str, str], stats: str) -> maxout.Game:
    """The game of a trace's first row of play, on an empty field."""
    game = maxout.Game(0, 0)
    for name, address in COLUMNS.items():
        game.poke(address, int(row[name], 16))
    for offset, byte in enumerate(bytes.fromhex(stats)):
        game.poke(0x3F0 + offset, byte)
    return game


@pytest.mark.parametrize("trace", ["a1_l19_taps_3games", "a2_l19_bot_taps_3games"])
def test_the_environment_equals_a_trace_of_the_real_game(trace: str) -> None:
    env: Any = maxout.NesTetrisFrames(observation="ram", actions=range(256), stop="topout")
    running, before, stats, games, compared = False, False, "00" * 14, 0, 0
    with gzip.open(TRACES / f"{trace}.csv.gz", "rt") as file:
        for row in csv.DictReader(file):
            stats = row["stats"] or stats
            in_game = row["mode"] == "04" and row["gms"] in ("02", "07")
            began, before = in_game and not before, in_game
            assert not row["poke"]
            if running:
                seen, _, over, _, _ = env.step(int(row["btn"], 16))
                for name, address in COLUMNS.items():
                    assert seen[address] == int(row[name], 16), (trace, row["f"], name)
                compared += 1
                running = not over
            elif began and row["ps"] not in ("00", "0a"):
                env.reset(seed=0)
                env.game = enter(row, stats)
                running, games = True, games + 1
    assert games == 3 and compared > 1000, (games, compared)


@pytest.mark.parametrize("observation", ["board", "ram", "picture"])
def test_gymnasium_has_no_complaint(observation: str) -> None:
    env: Any = gymnasium.make("maxout/NesTetrisFrames-v0", observation=observation)
    check_env(env.unwrapped, skip_render_check=True)


def test_equal_seeds_are_equal_games_and_rewards_add_up_to_the_score() -> None:
    def play(reward: str, skip: int) -> tuple[float, maxout.Game]:
        env = maxout.NesTetrisFrames(start_level=18, stop="topout", reward=reward, frame_skip=skip)
        env.reset(seed=11)
        dice, total, over = numpy.random.default_rng(5), 0.0, False
        while not over:
            _, gain, over, _, info = env.step(int(dice.integers(12)))
            total += gain
        assert total == info[reward]
        return total, env.game

    assert play("score", 4) == play("score", 4)
    assert play("points", 3)[1].over


def test_a_reaction_delay_shows_what_was() -> None:
    now: Any = maxout.NesTetrisFrames(observation="ram")
    late: Any = maxout.NesTetrisFrames(observation="ram", reaction=10)
    seen = [now.reset(seed=3)[0]]
    late.reset(seed=3)
    for frame in range(1, 60):
        seen.append(now.step(1)[0])
        assert (late.step(1)[0] == seen[max(0, frame - 10)]).all(), frame


def test_a_game_is_copied_whole_and_plays_many_frames_at_once() -> None:
    one = maxout.Game(18, 7)
    inputs = bytes(numpy.random.default_rng(1).choice(maxout.buttons.PLAY, 500).astype(numpy.uint8))
    other = copy.deepcopy(one)
    for held in inputs:
        one.step(held)
    assert other != one and other.play(inputs) == 500 and other == one
    assert one.frames == 500 and one.ram()[0x64] == 18 and (one.cells() > 0).sum() >= one.board.cells


@pytest.mark.parametrize(
    "call",
    [
        lambda: maxout.Game(20),
        lambda: maxout.Game(-1),
        lambda: maxout.Game(10**30),
        lambda: maxout.Game(19, -1),
        lambda: maxout.Game(19, 2**63),
        lambda: maxout.Game().step(256),
        lambda: maxout.Game().peek(2048),
        lambda: maxout.NesTetrisFrames(stop="lines:0"),
        lambda: maxout.NesTetrisFrames(stop="never"),
        lambda: maxout.NesTetrisFrames(actions=[]),
        lambda: maxout.NesTetrisFrames(actions=[256]),
        lambda: maxout.NesTetrisFrames(frame_skip=0),
        lambda: maxout.NesTetrisFrames(reaction=-1),
        lambda: maxout.NesTetrisFrames(observation="sound"),
        lambda: maxout.NesTetrisFrames(render_mode="ascii"),
    ],
)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()
    with pytest.raises(TypeError, match="expected"):
        maxout.Game("19")  # type: ignore[arg-type]
