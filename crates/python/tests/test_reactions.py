"""Games placement by placement in which the next piece is seen late: two steps for each piece."""

from __future__ import annotations

from typing import Any

import gymnasium
import maxout
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from maxout.vector import NesTetris
from numpy.typing import NDArray

#: Delays and taps with which places are shared, pieces lock early and boards grow high.
HANDS: list[dict[str, Any]] = [
    {"reaction": 18, "taps": "12hz"},
    {"reaction": 3, "taps": "30hz", "start_level": 9},
    {"reaction": 40, "taps": "0,2,4,6,18"},
    {"reaction": 12, "taps": "one-per-row"},
    {"reaction": 255, "taps": "10hz"},
]


def chosen(env: maxout.NesTetris, dice: numpy.random.Generator) -> int:
    return int(dice.choice(numpy.flatnonzero(env.action_masks())))


def legal(env: maxout.NesTetris) -> list[int]:
    return [int(action) for action in numpy.flatnonzero(env.action_masks())]


def equal(one: dict[str, NDArray[Any]], other: dict[str, NDArray[Any]]) -> bool:
    return one.keys() == other.keys() and all((one[name] == other[name]).all() for name in one)


def test_gymnasium_has_no_complaint() -> None:
    env: Any = gymnasium.make("maxout/NesTetris-v0", reaction=18, taps="12hz")
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("hands", HANDS)
def test_masks_are_the_hovers_and_then_their_placements(hands: dict[str, Any]) -> None:
    env, dice, pieces = maxout.NesTetris(**hands), numpy.random.default_rng(2), 0
    for seed in range(6):
        seen, info = env.reset(seed=seed)
        over = False
        while not over:
            assert env.observation_space.contains(seen)
            assert seen["placing"][0] == 0 and not seen["next"].any() and not seen["hover"].any()
            board, level = maxout.Board.from_array(seen["board"]), int(seen["level"][0])
            whole = max(board.heights) < 17  # What stands above the field is not seen.
            piece = int(seen["piece"].argmax())
            hovers = maxout.hovers(board, piece, level, hands["reaction"], taps=hands["taps"])
            if whole:
                assert sorted(hover.action for hover in hovers) == legal(env)
            action = chosen(env, dice)
            seen, reward, end, cut, _ = env.step(action)
            assert (reward, end, cut) == (0.0, False, False)
            assert seen["placing"][0] == 1 and seen["next"].sum() == 1 and int(seen["piece"].argmax()) == piece
            if whole:
                (hover,) = [hover for hover in hovers if hover.action == action]
                assert sorted(place.action for place in hover.placements()) == legal(env)
                inside = [(row, column) for row, column in hover.at.cells if row >= 0]
                assert sorted(inside) == [tuple(cell) for cell in numpy.argwhere(seen["hover"])]
            seen, _, end, cut, info = env.step(chosen(env, dice))
            pieces, over = pieces + 1, end or cut
        assert not info["action_mask"].any() and env.observation_space.contains(seen)
    assert pieces > 60


@pytest.mark.parametrize("hands", HANDS)
def test_the_hovers_together_reach_what_can_be_reached(hands: dict[str, Any]) -> None:
    dice, taps = numpy.random.default_rng(4), hands["taps"]
    # One press per row: move generation takes the frame after the delay for the first of its row, which on slow levels
    # allows a second press in a row.
    levels = [18, 19, 29] if taps == "one-per-row" else [0, 18, 19, 29]
    for height in range(16):
        cells = dice.random((20, 10)) < 0.7
        cells[: 20 - height] = False
        board = maxout.Board.from_array(cells)
        for piece in "TJZOSLI":
            level = int(dice.choice(levels))
            hovers = maxout.hovers(board, piece, level, hands["reaction"], taps=taps)
            together = {place for hover in hovers for place in hover.placements()}
            assert together == set(maxout.placements(board, piece, level, taps=taps))
            assert len({hover.action for hover in hovers}) == len(hovers)
            assert all(hover.locked or len(hover.buttons) == hands["reaction"] for hover in hovers)


def test_the_first_step_knows_nothing_of_the_next_piece() -> None:
    """Games whose first pieces are equal up to the one in play look the same, whatever comes next."""
    hands: dict[str, Any] = {"reaction": 18, "taps": "12hz", "pieces": "uniform"}
    depth, groups = 3, dict[tuple[int, ...], dict[int, int]]()
    probe = maxout.NesTetris(reaction=0, pieces="uniform")
    for seed in range(1500):
        seen, _ = probe.reset(seed=seed)
        order = [int(seen["piece"].argmax()), int(seen["next"].argmax())]
        while len(order) <= depth:
            seen, *_ = probe.step(legal(probe)[0])
            order.append(int(seen["next"].argmax()))
        groups.setdefault(tuple(order[:depth]), {}).setdefault(order[depth], seed)
    compared = 0
    for first, seeds in groups.items():
        if len(seeds) < 2:
            continue
        one, other = maxout.NesTetris(**hands), maxout.NesTetris(**hands)
        mine, yours = (game.reset(seed=seed) for game, seed in zip((one, other), seeds.values()))
        for played in range(depth):
            assert equal(mine[0], yours[0]) and (mine[1]["action_mask"] == yours[1]["action_mask"]).all()
            assert int(mine[0]["piece"].argmax()) == first[played]
            actions = legal(one)
            action = actions[len(actions) * (played + 1) // 4]
            seen, sight = one.step(action)[0], other.step(action)[0]
            assert (seen["next"] != sight["next"]).any() == (played == depth - 1)
            action = legal(one)[0]
            told, heard = one.step(action), other.step(action)
            mine, yours = (told[0], told[4]), (heard[0], heard[4])
        compared += 1
    assert compared > 100, compared


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_a_vector_plays_what_single_games_play(autoreset: str) -> None:
    hands: dict[str, Any] = {"reaction": 18, "taps": "12hz", "stop": "pieces:30"}
    for threads in (1, 3):
        many = NesTetris(130, threads, autoreset=autoreset, **hands)
        many.reset(seed=40)
        single = [maxout.NesTetris(**hands) for _ in range(130)]
        for index, env in enumerate(single):
            env.reset(seed=40 + index)
        over = [False] * 130
        for _ in range(60):
            actions = many.sample_actions()
            parts, rewards, ended, cut, info = many.step(actions)
            for index, env in enumerate(single):
                if over[index]:
                    continue
                seen, reward, end, stop, told = env.step(actions[index])
                assert (reward, end, stop) == (rewards[index], ended[index], cut[index])
                over[index] = end or stop
                if autoreset == "same-step" and over[index]:
                    assert equal(seen, info["final_obs"][index])
                else:
                    assert all((seen[name] == parts[name][index]).all() for name in seen)
                    assert (told["action_mask"] == info["action_mask"][index]).all()
        assert all(over)


def test_an_illegal_state_ends_the_game_or_is_refused() -> None:
    ending = maxout.NesTetris(reaction=18, taps="12hz")
    ending.reset(seed=0)
    illegal = int(numpy.flatnonzero(~ending.action_masks())[0])
    assert ending.step(illegal)[1:4] == (0.0, True, False)
    refusing = NesTetris(3, reaction=18, taps="12hz", illegal="raise")
    parts, _ = refusing.reset(seed=0)
    actions = refusing.sample_actions()
    actions[1] = 799
    with pytest.raises(ValueError, match="action 799 of game 1 is no state of its"):
        refusing.step(actions)
    assert not parts["placing"].any()
    boards, _, _, _, offsets = refusing.afterstates()
    assert len(boards) == 0 and not offsets.any()


def test_without_a_delay_observations_are_as_they_were() -> None:
    for reaction in (0, "none-after-spawn"):
        env = maxout.NesTetris(reaction=reaction)
        seen, info = env.reset(seed=0)
        assert sorted(seen) == ["board", "level", "lines", "next", "piece"] and list(info) == ["action_mask", "points"]


@pytest.mark.parametrize(
    "call",
    [
        lambda: maxout.NesTetris(reaction=256),
        lambda: maxout.NesTetris(reaction="soon"),
        lambda: maxout.NesTetrisAfterstates(reaction=18),
        lambda: maxout.hovers(maxout.Board(), "T", 19, 256),
        lambda: maxout.hovers(maxout.Board(), "T", 256, 18),
        lambda: maxout.hovers(maxout.Board(), "X", 19, 18),
        lambda: maxout.hovers(maxout.Board(), "T", 19, 18, taps="0,0"),
    ],
)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()
