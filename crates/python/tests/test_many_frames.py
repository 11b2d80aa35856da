"""Many games frame by frame at once."""

from __future__ import annotations

from typing import Any

import gymnasium
import maxout
import numpy
import pytest
from gymnasium.vector import AutoresetMode
from maxout.vector import NesTetrisFrames

COUNTS = ("score", "points", "lines", "frames")


def parts(seen: Any) -> dict[str, Any]:
    return seen if isinstance(seen, dict) else {"ram": seen}


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
@pytest.mark.parametrize(
    "options",
    [
        {"observation": "board", "start_level": 18, "stop": "topout"},
        {"observation": "ram", "reward": "points", "actions": [0, 4, 1, 2, 128]},
        {"observation": "board", "reward": "lines", "frame_skip": 5, "stop": "lines:1", "start_level": 0},
    ],
)
def test_many_games_are_the_single_games_step_by_step(options: dict[str, Any], autoreset: str) -> None:
    count, steps = 70, 1500
    many = NesTetrisFrames(count, 2, autoreset=autoreset, **options)
    first, info = many.reset(seed=9_560)  # Some seeds that power-on reaches, and some that it does not.
    single = [maxout.NesTetrisFrames(**options) for _ in range(count)]
    for index, env in enumerate(single):
        seen, told = env.reset(seed=9_560 + index)
        assert all((array == parts(first)[name][index]).all() for name, array in parts(seen).items())
        assert all(told[name] == info[name][index] for name in COUNTS)
    over, dice = [False] * count, numpy.random.default_rng(6)
    for _ in range(steps):
        # Down is held for most of the time, so that games end.
        actions = numpy.where(dice.random(count) < 0.8, 3, dice.integers(len(options.get("actions", maxout.buttons.PLAY)), size=count))
        if options.get("actions"):
            actions = numpy.where(actions == 3, 1, actions)
        now, rewards, ended, cut, info = many.step(actions)
        assert not cut.any()
        for index in [index for index in range(count) if not over[index]]:
            seen, reward, over[index], _, told = single[index].step(int(actions[index]))
            assert (reward, over[index]) == (rewards[index], ended[index])
            if over[index] and autoreset == "same-step":
                now_seen, heard = info["final_obs"][index], {name: info["final_info"][name][index] for name in COUNTS}
                assert single[index].observation_space.contains(now_seen)
            else:
                now_seen = {name: array[index] for name, array in parts(now).items()}
                heard = {name: info[name][index] for name in COUNTS}
            assert all((array == parts(now_seen)[name]).all() for name, array in parts(seen).items())
            assert told == heard
    assert sum(over) > count // 2, sum(over)


def play(threads: int, **options: Any) -> list[Any]:
    games = NesTetrisFrames(200, threads, frame_skip=4, stop="topout", **options)
    games.reset(seed=9)
    seen, dice = [], numpy.random.default_rng(3)
    for _ in range(600):
        now, rewards, ended, _, info = games.step(numpy.where(dice.random(200) < 0.7, 3, dice.integers(12, size=200)))
        seen.append([array.copy() for array in (*parts(now).values(), rewards, ended, info["score"], info["frames"])])
    assert any(each[-3].any() for each in seen)
    return seen


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_any_number_of_threads_plays_the_same_games(autoreset: str) -> None:
    first = play(1, autoreset=autoreset)
    for threads in (2, 3, 8):
        for mine, other in zip(first, play(threads, autoreset=autoreset)):
            assert all((a == b).all() for a, b in zip(mine, other))


def test_a_game_that_has_ended_begins_anew_in_the_step_after() -> None:
    games = NesTetrisFrames(2, frame_skip=60, stop="topout", actions=[4])
    assert games.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    games.reset(seed=1)
    ends = 0
    for _ in range(200):
        before = games.games.terminated.copy()
        seen, rewards, ended, _, info = games.step(numpy.zeros(2, int))
        assert isinstance(seen, dict)
        assert (info["frames"][before] == 0).all() and (rewards[before] == 0).all() and not ended[before].any()
        assert (seen["board"][before] != 1).all()
        ends += int(ended.sum())
    assert ends > 4


def test_buffers_are_written_in_place_and_gymnasium_makes_them() -> None:
    games: Any = gymnasium.make_vec(
        "maxout/NesTetrisFrames-v0", num_envs=4, vectorization_mode="vector_entry_point", frame_skip=2
    )
    seen, info = games.reset(seed=0)
    again, rewards, _, _, later = games.step(games.action_space.sample())
    assert all(seen[name] is again[name] for name in seen) and info["score"] is later["score"]
    assert games.observation_space.contains(again) and rewards is games.step(games.action_space.sample())[1]
    assert later["frames"].tolist() == [4] * 4
    drawn = NesTetrisFrames(2, render_mode="rgb_array")
    drawn.reset(seed=0)
    pictures = drawn.render()
    assert pictures is not None and pictures[0].shape == (240, 256, 3)


@pytest.mark.parametrize(
    "call",
    [
        lambda: NesTetrisFrames(0),
        lambda: NesTetrisFrames(10**9),
        lambda: NesTetrisFrames(2, 0),
        lambda: NesTetrisFrames(2, start_level=20),
        lambda: NesTetrisFrames(2, stop="pieces:3"),
        lambda: NesTetrisFrames(2, observation="picture"),
        lambda: NesTetrisFrames(2, reward="fun"),
        lambda: NesTetrisFrames(2, actions=[]),
        lambda: NesTetrisFrames(2, actions=[256]),
        lambda: NesTetrisFrames(2, frame_skip=0),
        lambda: NesTetrisFrames(2, autoreset="never"),
        lambda: NesTetrisFrames(2, render_mode="human"),
        lambda: NesTetrisFrames(2).step(numpy.zeros(2, int)),
        lambda: NesTetrisFrames(2).reset(seed=-1),
    ],
)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()


@pytest.mark.parametrize("actions", [numpy.zeros(3, int), numpy.zeros(2), numpy.array([0, 12]), numpy.array([-1, 0]), None])
def test_hostile_actions_raise_value_error_and_change_nothing(actions: Any) -> None:
    games = NesTetrisFrames(2)
    _, info = games.reset(seed=0)
    with pytest.raises(ValueError, match="expected|no array"):
        games.step(actions)
    assert not info["frames"].any()


def test_buffers_that_were_taken_away_are_refused() -> None:
    games = NesTetrisFrames(2)
    games.reset(seed=0)
    games.games.board.setflags(write=False)
    with pytest.raises(ValueError, match="the buffer board cannot be written"):
        games.step(numpy.zeros(2, int))
