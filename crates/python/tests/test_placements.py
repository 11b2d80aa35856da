"""Games placement by placement: one, many, and many at once."""

from __future__ import annotations

import pickle
import resource
import threading
from typing import Any

import gymnasium
import maxout
import numpy
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from maxout.vector import NesTetris

ONE = ["maxout/NesTetris-v0", "maxout/NesTetrisAfterstates-v0"]


@pytest.mark.parametrize("name", ONE)
def test_gymnasium_has_no_complaint(name: str) -> None:
    env: Any = gymnasium.make(name)
    check_env(env.unwrapped, skip_render_check=True)


@pytest.mark.parametrize("taps", ["30hz", "12hz", "one-per-row"])
def test_masks_are_the_placements_of_the_move_generator(taps: str) -> None:
    games = NesTetris(16, start_level=18, taps=taps)
    parts, info = games.reset(seed=3)
    for _ in range(100):
        for index in range(16):
            board = maxout.Board.from_array(parts["board"][index])
            if board.heights and max(board.heights) > 17:
                continue  # What stands above the field is not seen.
            found = maxout.placements(
                board, int(parts["piece"][index].argmax()), int(parts["level"][index, 0]), taps=taps
            )
            if not (games.games.terminated[index] or games.games.truncated[index]):
                assert sorted(one.action for one in found) == list(numpy.flatnonzero(info["action_mask"][index]))
        parts, _, _, _, info = games.step(games.sample_actions())


def play(threads: int, steps: int, **options: Any) -> list[Any]:
    games = NesTetris(130, threads, **options)
    games.reset(seed=9)
    seen: list[Any] = []
    for _ in range(steps):
        parts, rewards, ended, cut, info = games.step(games.sample_actions())
        seen.append([array.copy() for array in (*parts.values(), rewards, ended, cut, info["points"])])
    return seen


@pytest.mark.parametrize("autoreset", ["next-step", "same-step"])
def test_any_number_of_threads_plays_the_same_games(autoreset: str) -> None:
    first = play(1, 60, autoreset=autoreset)
    for threads in (2, 3, 8):
        for mine, other in zip(first, play(threads, 60, autoreset=autoreset)):
            assert all((a == b).all() for a, b in zip(mine, other))


def test_a_vector_plays_what_single_games_play() -> None:
    many = NesTetris(5, stop="pieces:30")
    many.reset(seed=40)
    single = [maxout.NesTetris(stop="pieces:30") for _ in range(5)]
    for index, env in enumerate(single):
        env.reset(seed=40 + index)
    over = [False] * 5
    while not all(over):
        actions = many.sample_actions()
        parts, rewards, ended, cut, info = many.step(actions)
        for index, env in enumerate(single):
            if not over[index]:
                seen, reward, end, stop, told = env.step(actions[index])
                assert (reward, end, stop) == (rewards[index], ended[index], cut[index])
                assert all((seen[name] == parts[name][index]).all() for name in seen)
                assert told["points"] == info["points"][index]
                over[index] = end or stop


def test_next_step_begins_a_game_in_the_step_after_its_end() -> None:
    games = NesTetris(3, stop="pieces:2")
    assert games.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    games.reset(seed=1)
    cells = []
    for _ in range(4):
        parts, rewards, _, cut, info = games.step(games.sample_actions())
        cells.append((int(parts["board"].sum()), bool(cut.all()), bool(info["action_mask"].any())))
    assert cells == [(12, False, True), (24, True, False), (0, False, True), (12, False, True)]


def test_same_step_tells_how_the_game_ended() -> None:
    games = NesTetris(3, stop="pieces:2", autoreset="same-step")
    assert games.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    games.reset(seed=1)
    games.step(games.sample_actions())
    parts, _, _, cut, info = games.step(games.sample_actions())
    assert cut.all() and info["_final_obs"].all() and parts["board"].sum() == 0
    for last in info["final_obs"]:
        assert last["board"].sum() == 8 and games.single_observation_space.contains(last)


def test_buffers_are_written_in_place_and_spaces_hold_what_comes() -> None:
    games: Any = gymnasium.make_vec("maxout/NesTetris-v0", num_envs=4, vectorization_mode="vector_entry_point")
    parts, info = games.reset(seed=0)
    again, rewards, _, _, later = games.step(games.unwrapped.sample_actions())
    assert all(parts[name] is again[name] for name in parts)
    assert info["action_mask"] is later["action_mask"]
    assert games.observation_space.contains(again)
    assert rewards is games.step(games.unwrapped.sample_actions())[1]


def test_torch_reads_the_buffers_without_a_copy() -> None:
    torch = pytest.importorskip("torch")
    games = NesTetris(4)
    parts, _ = games.reset(seed=0)
    board = torch.from_numpy(parts["board"])
    games.step(games.sample_actions())
    assert board.sum() == 16 and board.data_ptr() == parts["board"].ctypes.data


def test_afterstates_are_what_the_actions_lead_to() -> None:
    games = NesTetris(8, start_level=0, reward="lines")
    games.reset(seed=5)
    for _ in range(60):
        boards, actions, rewards, ends, offsets = games.afterstates()
        assert offsets[0] == 0 and offsets[-1] == len(boards) == len(actions)
        chosen = offsets[:-1] + numpy.arange(8) % numpy.maximum(1, numpy.diff(offsets))
        live = numpy.diff(offsets) > 0
        chosen = numpy.minimum(chosen, len(boards) - 1)
        parts, gains, ended, _, _ = games.step(numpy.where(live, actions[chosen], 0))
        assert (gains[live] == rewards[chosen][live]).all() and (ended[live] == ends[chosen][live]).all()
        assert (parts["board"][live] == boards[chosen][live]).all()


def test_an_illegal_action_ends_the_game_or_is_refused() -> None:
    ending = maxout.NesTetris()
    ending.reset(seed=0)
    illegal = int(numpy.flatnonzero(~ending.action_masks())[0])
    assert ending.step(illegal)[1:4] == (0.0, True, False)
    with pytest.raises(gymnasium.error.ResetNeeded):
        ending.step(0)
    refusing = NesTetris(3, illegal="raise")
    parts, _ = refusing.reset(seed=0)
    actions = refusing.sample_actions()
    actions[1] = 799
    with pytest.raises(ValueError, match="action 799 of game 1 is no placement"):
        refusing.step(actions)
    assert parts["board"].sum() == 0


def test_options_are_what_they_say() -> None:
    hidden = NesTetris(2, reaction="none-after-spawn")
    assert hidden.reset(seed=0)[0]["next"].sum() == 0
    lines = maxout.NesTetris(stop="lines:1", start_level=0, reward="lines", pieces="uniform")
    seen, _ = lines.reset(seed=2)
    assert lines.observation_space.contains(seen)
    tall = maxout.Board("#########.\n" * 12)
    fast, slow = (len(maxout.placements(tall, "I", 19, taps=taps)) for taps in ("30hz", "10hz"))
    assert fast > slow > 0


def test_reset_takes_seeds_for_each_game_and_begins_some_anew() -> None:
    games = NesTetris(3)
    games.reset(seed=[5, 6, 7])
    games.step(games.sample_actions())
    parts, _ = games.reset(options={"reset_mask": numpy.array([True, False, False])})
    assert [int(board.sum()) for board in parts["board"]] == [0, 4, 4]
    alone = NesTetris(1).reset(seed=6)[0]["piece"].copy()
    assert (games.reset(seed=[5, 6, 7])[0]["piece"][1] == alone[0]).all()


HOSTILE: list[Any] = [
    lambda: NesTetris(0),
    lambda: NesTetris(-5),
    lambda: NesTetris(10**9),
    lambda: NesTetris(10**30),
    lambda: NesTetris(2, 0),
    lambda: NesTetris(2, 10**6),
    lambda: NesTetris(2, start_level=20),
    lambda: NesTetris(2, stop="lines:0"),
    lambda: NesTetris(2, stop="pieces:-1"),
    lambda: NesTetris(2, stop="é" * 10_000),
    lambda: NesTetris(2, taps="0,0"),
    lambda: NesTetris(2, taps=""),
    lambda: NesTetris(2, reaction=-1),
    lambda: NesTetris(2, pieces="bag"),
    lambda: NesTetris(2, reward="fun"),
    lambda: NesTetris(2, illegal="ignore"),
    lambda: NesTetris(2, autoreset="never"),
    lambda: NesTetris(2, render_mode="human"),
    lambda: NesTetris(2).step(numpy.zeros(2, int)),
    lambda: NesTetris(2).reset(seed=-1),
    lambda: NesTetris(2).reset(seed=2**63),
    lambda: NesTetris(2).reset(seed=[1]),
    lambda: NesTetris(2).reset(seed=[1, -7]),
    lambda: NesTetris(2).reset(seed=1, options={"reset_mask": [1, 0]}),
    lambda: maxout.NesTetris(autoreset="same-step"),
    lambda: maxout.Placement(20, 0, 0),
    lambda: maxout.Placement(0, 19, 0),
    lambda: maxout.Board("#"),
    lambda: maxout.Board.from_array(numpy.zeros((10, 20))),
    lambda: maxout.Board().lock(maxout.Placement(19, 0, 9)),
    lambda: maxout.placements(maxout.Board(), "X", 0),
    lambda: maxout.placements(maxout.Board(), 7, 0),
    lambda: maxout.placements(maxout.Board(), "T", 256),
]


@pytest.mark.parametrize("call", HOSTILE)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected|does not fit"):
        call()


@pytest.mark.parametrize(
    "actions",
    [
        numpy.zeros(3, int),
        numpy.zeros((2, 1), int),
        numpy.zeros(2),
        numpy.array([0, numpy.nan]),
        numpy.array([0, 800]),
        numpy.array([-1, 0]),
        numpy.array([2**64 - 1, 0], numpy.uint64),
        numpy.array(["a", "b"]),
        [[1], [2, 3]],
        None,
        "ab",
    ],
)
def test_hostile_actions_raise_value_error_and_change_nothing(actions: Any) -> None:
    games = NesTetris(2)
    parts, _ = games.reset(seed=0)
    with pytest.raises(ValueError, match="expected|no array"):
        games.step(actions)
    assert parts["board"].sum() == 0


def test_buffers_that_were_taken_away_are_refused() -> None:
    games = NesTetris(2)
    parts, _ = games.reset(seed=0)
    parts["board"].setflags(write=False)
    with pytest.raises(ValueError, match="the buffer board cannot be written"):
        games.step(games.sample_actions())


def test_two_threads_may_step_the_same_games() -> None:
    games = NesTetris(64, 2)
    games.reset(seed=0)
    failures: list[Exception] = []

    def work() -> None:
        for _ in range(200):
            try:
                games.step(games.sample_actions())
            except ValueError:
                pass
            except Exception as error:
                failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


def test_boards_and_placements_are_values() -> None:
    board = maxout.Board("####......\n########..")
    assert board.heights == [2, 2, 2, 2, 1, 1, 1, 1, 0, 0] and board.cells == 12
    assert eval(repr(board), {"Board": maxout.Board}) == board
    assert pickle.loads(pickle.dumps(board)) == board and hash(board) == hash(maxout.Board(str(board)))
    assert maxout.Board.from_array(board.to_array()) == board
    place = maxout.placements(board, "O", 19)[0]
    assert pickle.loads(pickle.dumps(place)) == place and place.piece == "O" and len(place.cells) == 4
    after, lines = board.lock(maxout.Placement(18, 10, 9))
    assert lines == 1 and after.cells == 6


def test_memory_stays_flat() -> None:
    def run(steps: int) -> int:
        for _ in range(steps):
            games.step(games.sample_actions())
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss

    games = NesTetris(1024, 2)
    games.reset(seed=0)
    before = run(200)
    # 10 million placements where the package is built for speed.
    after = run(600 if slow() else 9_800)
    assert after - before < 8 << 10, (before, after)


def slow() -> bool:
    import time

    games = NesTetris(256)
    games.reset(seed=0)
    begun = time.perf_counter()
    for _ in range(20):
        games.step(games.sample_actions())
    return 20 * 256 / (time.perf_counter() - begun) < 300_000


