"""Copies of games, environments and what belongs to them play on independently."""

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import gymnasium
import numpy
import pytest
from gymnasium.vector import AutoresetMode

import maxout

#: The ways to copy.
WAYS: dict[str, Callable[[Any], Any]] = {
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda it: pickle.loads(pickle.dumps(it)),
    "old pickle": lambda it: pickle.loads(pickle.dumps(it, 2)),
}
BOARD = maxout.Board("#.........\n" * 3)

SINGLE: dict[str, Callable[[], gymnasium.Env[Any, Any]]] = {
    "placements": lambda: maxout.NesTetris(start_level=18, taps="12hz"),
    "uniform pieces": lambda: maxout.NesTetris(pieces="uniform", stop="pieces:15", illegal="raise"),
    "reaction": lambda: maxout.NesTetris(reaction=18),
    "afterstates": maxout.NesTetrisAfterstates,
    "frames": maxout.NesTetrisFrames,
    "frames seen late": lambda: maxout.NesTetrisFrames(reaction=30, frame_skip=4),
    "ram": lambda: maxout.NesTetrisFrames(observation="ram"),
    "picture": lambda: maxout.NesTetrisFrames(observation="picture", copy=False, render_mode="rgb_array"),
    "made": lambda: gymnasium.make("maxout/NesTetris-v0", start_level=9).unwrapped,
}
MANY: dict[str, Callable[[], Any]] = {
    "placements": lambda: maxout.vector.NesTetris(5, stop="pieces:7"),
    "placements at once": lambda: maxout.vector.NesTetris(40, threads=2, stop="pieces:7", autoreset="same-step"),
    "reaction": lambda: maxout.vector.NesTetris(5, reaction=12, taps="12hz"),
    "frames": lambda: maxout.vector.NesTetrisFrames(5, frame_skip=60),
    "ram": lambda: maxout.vector.NesTetrisFrames(40, threads=2, frame_skip=60, observation="ram", autoreset="same-step"),
}


def same(one: Any, other: Any) -> bool:
    """Whether two observations, infos or tuples of them are equal."""
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, numpy.ndarray) and one.dtype == object:
        return same(one.tolist(), other.tolist())
    return bool(numpy.array_equal(one, other))


def act(env: Any, number: int) -> Any:
    """Takes a step that depends on what is seen and on a number; begins anew at the end of a game."""
    mask = env.action_masks() if hasattr(env, "action_masks") else numpy.ones(env.action_space.n, bool)
    legal = numpy.flatnonzero(mask)
    found = env.step(int(legal[number * 7 % len(legal)]))
    return (found, env.reset()) if found[2] or found[3] else copy.deepcopy(found)


def act_all(env: Any, number: int) -> Any:
    """The same for many games."""
    if isinstance(env, maxout.vector.NesTetris):
        return copy.deepcopy(env.step(env.sample_actions()))
    return copy.deepcopy(env.step(numpy.arange(env.num_envs) * number % env.single_action_space.n))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", SINGLE)
def test_a_copy_of_an_environment_plays_on_independently(which: str, way: str) -> None:
    env, alone = SINGLE[which](), SINGLE[which]()
    for each in (env, alone):
        each.reset(seed=3)
        for number in range(12):
            act(each, number)
    twin = WAYS[way](env)
    assert type(twin) is type(env)
    expected = [act(alone, number) for number in range(12, 40)]
    # The original goes another way first, which the copy must not notice.
    other = [act(env, number * 3 + 1) for number in range(30)]
    assert same([act(twin, number) for number in range(12, 40)], expected)
    assert not same(other[:28], expected)
    if twin.render_mode:
        assert same(twin.render(), alone.render())


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("which", MANY)
def test_a_copy_of_many_games_plays_on_independently(which: str, way: str) -> None:
    env, alone = MANY[which](), MANY[which]()
    for each in (env, alone):
        each.reset(seed=3)
        for number in range(9):
            act_all(each, number)
    twin = WAYS[way](env)
    assert twin.metadata == env.metadata
    expected = [act_all(alone, number) for number in range(9, 30)]
    for number in range(20):
        env.step(numpy.full(env.num_envs, number % 10))
    assert same([act_all(twin, number) for number in range(9, 30)], expected)
    # Observations and infos follow the copy's own games.
    seen, info = twin.reset(seed=8)
    board = seen["board"] if isinstance(seen, dict) else seen
    assert board is (twin.games.board if isinstance(seen, dict) else twin.games.ram)
    assert info["points"] is twin.games.points


def test_an_environment_that_has_not_begun_can_be_copied() -> None:
    for way in WAYS.values():
        twin, many = way(maxout.NesTetris()), way(maxout.vector.NesTetris(2))
        with pytest.raises(gymnasium.error.ResetNeeded):
            twin.step(0)
        with pytest.raises(ValueError, match="expected reset"):
            many.step(numpy.zeros(2, int))
        assert same(twin.reset(seed=1), maxout.NesTetris().reset(seed=1))


def test_an_environment_goes_to_another_process() -> None:
    env = maxout.vector.NesTetris(3, threads=2)
    env.reset(seed=1)
    env.step(env.sample_actions())
    code = (
        "import pickle, sys; env = pickle.load(sys.stdin.buffer)\n"
        "sys.stdout.buffer.write(pickle.dumps(env.step(env.sample_actions())))"
    )
    done = subprocess.run([sys.executable, "-B", "-c", code], input=pickle.dumps(env), capture_output=True, check=True)
    assert same(pickle.loads(done.stdout), env.step(env.sample_actions()))


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_game_plays_on_independently(way: str) -> None:
    game, alone = maxout.Game(18, 5), maxout.Game(18, 5)
    pressed = bytes(number * number % 256 for number in range(3_000))
    for each in (game, alone):
        each.play(pressed[:1_500])
        each.poke(0x0400, 0x7B)
    twin = WAYS[way](game)
    assert twin == game and twin.frames == game.frames == 1_500 and twin.hang == game.hang
    game.play(bytes(1_000))
    assert twin != game
    twin.play(pressed[1_500:])
    alone.play(pressed[1_500:])
    assert twin == alone and same(twin.ram(), alone.ram()) and twin.score == alone.score


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_console_plays_on_independently(way: str) -> None:
    console, alone = maxout.emulator.Console(), maxout.emulator.Console()
    pressed = bytes(16 if number % 40 == 0 else number % 7 for number in range(600))
    for each in (console, alone):
        each.play(pressed[:400])
    twin, state = WAYS[way](console), WAYS[way](console.save())
    console.play(bytes(50))
    assert twin.frames == 400 and twin.ram is not console.ram
    for each in (twin, alone):
        each.play(pressed[400:])
    assert same(twin.ram, alone.ram) and same(twin.picture(), alone.picture())
    console.restore(state)
    console.play(pressed[400:])
    assert same(console.ram, alone.ram)


@pytest.mark.parametrize("way", WAYS)
def test_what_does_not_change_has_equal_copies(way: str, tmp_path: Any) -> None:
    board = maxout.Board("##........\n" * 21)
    seen = maxout.Position(board, "T", "I", 19, 3, taps="12hz")
    values = [board, maxout.Placement(3, 4, 5), maxout.Movie.of_game(bytes(range(200)), seed=3), maxout.analyze(BOARD, "T")[0]]
    for value in values:
        assert WAYS[way](value) == value
    twin = WAYS[way](seen)
    assert repr(twin) == repr(seen) and twin.board == board and twin.placements() == seen.placements()
    for hover in maxout.hovers(BOARD, "T", 19, 12):
        twin = WAYS[way](hover)
        assert (twin.action, twin.at, twin.locked, twin.buttons) == (hover.action, hover.at, hover.locked, hover.buttons)
        assert twin.placements() == hover.placements()
    player = maxout.Player("maxout-2ply", taps="12hz", reaction="none-after-spawn", aggression="bold")
    twin = WAYS[way](player)
    assert (twin.name, twin.limits) == (player.name, player.limits)
    plan, again = (each.plan(maxout.Position(BOARD, "T", "I", 19, 3)) for each in (player, twin))
    assert plan and again and (plan.placement, plan.buttons) == (again.placement, again.buttons)
    assert WAYS[way](plan).buttons == plan.buttons


@pytest.mark.parametrize("way", WAYS)
def test_games_and_reviews_of_the_emulator_have_copies(way: str) -> None:
    (played,) = maxout.play("maxout-fast", seed=7, stop="lines:1")
    assert WAYS[way](played) == played
    (review,) = maxout.review(played)
    twin = WAYS[way](review)
    assert twin.phases == review.phases and same(twin.placements, review.placements) and same(twin.boards, review.boards)


@pytest.mark.parametrize("state", [b"", b"{}", b"[]", b"null", b"\xff", b"[" * 1_000_000, b"x" * 1_000_000])
def test_damaged_states_are_refused(state: bytes) -> None:
    games, frames = maxout.vector.NesTetris(2).games, maxout.vector.NesTetrisFrames(2).games
    restores: list[Callable[[bytes], object]] = [games.restore, frames.restore]
    for kind in (maxout.Game, maxout.Hover, maxout.Position, maxout.Plan):
        restores.append(getattr(kind, "_restore"))
    restores.append(lambda it: getattr(maxout.Movie, "_restore")(it, b""))
    restores.append(lambda it: getattr(maxout.emulator.ConsoleState, "_restore")(it, b""))
    for restore in restores:
        with pytest.raises(ValueError, match="^not the state of a .*, expected a state of this version$") as raised:
            restore(state)
        assert len(str(raised.value)) <= 500


def test_a_state_of_other_games_is_refused() -> None:
    games = maxout.vector.NesTetris(2, reaction=18)
    games.reset(seed=1)
    games.step(games.sample_actions())
    for other in (maxout.vector.NesTetris(3), maxout.vector.NesTetris(2), maxout.vector.NesTetris(2, reaction=3)):
        with pytest.raises(ValueError, match="^not the state of"):
            other.games.restore(games.games.save())
        with pytest.raises(ValueError, match="^not the state of"):
            other.games.follow(games.games)


@pytest.mark.parametrize("given", ["disabled", AutoresetMode.DISABLED, AutoresetMode.DISABLED.value])
@pytest.mark.parametrize("kind", ["placements", "frames"])
def test_without_autoreset_a_game_that_has_ended_waits(kind: str, given: Any) -> None:
    env: Any
    if kind == "placements":
        env = maxout.vector.NesTetris(3, autoreset=given)
        illegal = [799, int(numpy.flatnonzero(env.reset(seed=1)[1]["action_mask"][1])[0]), 799]
        ended, idle = numpy.array([True, False, True]), numpy.array([0, 0, 0])
        seen, _, terminated, _, info = env.step(numpy.array(illegal))
    else:
        env = maxout.vector.NesTetrisFrames(3, autoreset=given, frame_skip=3_600, start_level=19)
        env.reset(seed=1)
        idle = numpy.zeros(3, int)
        for _ in range(10):
            seen, _, terminated, _, info = env.step(idle)
            if terminated.any():
                break
        ended = terminated.copy()
    assert env.metadata["autoreset_mode"] is AutoresetMode.DISABLED
    assert (terminated == ended).all() and ended.any() and "final_obs" not in info
    board, points = seen["board"].copy(), info["points"].copy()
    first = int(ended.argmax())
    with pytest.raises(ValueError, match=f"^game {first} is over, expected reset"):
        env.step(idle)
    assert same(seen["board"], board) and same(info["points"], points), "nothing has changed"
    for copied in (copy.deepcopy(env), pickle.loads(pickle.dumps(env))):
        with pytest.raises(ValueError, match=f"^game {first} is over"):
            copied.step(idle)
    env.reset(options={"reset_mask": ended})
    assert same(seen["board"][~ended], board[~ended])
    env.step(idle)


@pytest.mark.parametrize("mode", AutoresetMode)
def test_every_mode_of_gymnasium_is_taken_by_its_name(mode: AutoresetMode) -> None:
    word = {"NextStep": "next-step", "SameStep": "same-step", "Disabled": "disabled"}[mode.value]
    for given in (mode, mode.value, word):
        for env in (maxout.vector.NesTetris(1, autoreset=given), maxout.vector.NesTetrisFrames(1, autoreset=given)):
            assert env.metadata["autoreset_mode"] is mode
    made = gymnasium.make_vec("maxout/NesTetris-v0", 2, autoreset=mode)
    assert made.metadata["autoreset_mode"] is mode


@pytest.mark.parametrize("given", ["Disable", "", 1, None, True])
def test_what_is_no_autoreset_is_refused(given: Any) -> None:
    for kind in (maxout.vector.NesTetris, maxout.vector.NesTetrisFrames):
        with pytest.raises((ValueError, TypeError), match="^autoreset is .*, expected 'next-step', 'same-step', 'disabled'"):
            kind(1, autoreset=given)
