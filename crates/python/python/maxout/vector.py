"""Many games at once, as vector environments of Gymnasium: :class:`NesTetris` and :class:`NesTetrisFrames`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Generic, TypeVar

import numpy
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from . import buttons
from ._maxout import FrameGames, PlacementGames
from .arguments import SEEDS, button_list, frame_stop, shown, whole_numbers
from .copies import Copied
from .spaces import Parts, Seen, board_space, frame_space

__all__ = ["NesTetris", "NesTetrisFrames"]

_Look = TypeVar("_Look")

#: The number of actions: 4 turns of the piece, 20 rows and 10 columns of its centre.
ACTIONS = 800


#: The words of ``autoreset`` with Gymnasium's own names.
MODES = {
    "next-step": AutoresetMode.NEXT_STEP,
    "same-step": AutoresetMode.SAME_STEP,
    "disabled": AutoresetMode.DISABLED,
}


def autoreset_of(value: str | AutoresetMode) -> str:
    """Reads when a game that has ended begins anew: a word of :data:`MODES`, or Gymnasium's own name."""
    for word, mode in MODES.items():
        if isinstance(value, (str, AutoresetMode)) and value in (word, mode, mode.value):
            return word
    expected = ", ".join(map(repr, MODES))
    kind = ValueError if isinstance(value, str) else TypeError
    raise kind(f"autoreset is {shown(value)}, expected {expected} or an AutoresetMode")


def make_games(
    num_envs: int,
    threads: int = 1,
    *,
    start_level: int = 19,
    stop: str = "level29",
    taps: str = "each-button",
    reaction: int | str = 0,
    pieces: str = "nes",
    reward: str = "points",
    illegal: str = "end",
    autoreset: str = "next-step",
) -> PlacementGames:
    """Makes the games behind an environment. The keywords are those of :class:`NesTetris`."""
    for name, value in {
        "stop": stop,
        "taps": taps,
        "pieces": pieces,
        "reward": reward,
        "illegal": illegal,
    }.items():
        if not isinstance(value, str):
            raise TypeError(f"{name} is {shown(value)}, expected a text")
    return PlacementGames(
        num_envs,
        threads=threads,
        start_level=start_level,
        stop=stop,
        taps=taps,
        reaction=reaction,
        pieces=pieces,
        reward=reward,
        illegal=illegal,
        autoreset=autoreset,
    )


class _ManyGames(Copied, VectorEnv[_Look, NDArray[Any], NDArray[Any]], Generic[_Look]):
    """What the vector environments share: the games behind them, seeds and autoreset."""

    metadata: dict[str, Any] = {"render_modes": ["rgb_array"], "autoreset_mode": AutoresetMode.NEXT_STEP}
    games: PlacementGames | FrameGames
    _observation: _Look
    _info: dict[str, Any]

    def _prepare(self, render_mode: str | None, autoreset: str, space: spaces.Space[Any], actions: int) -> None:
        if render_mode not in (None, "rgb_array"):
            raise ValueError(f"render_mode is {shown(render_mode)}, expected None or 'rgb_array'")
        self.num_envs = self.games.num_envs
        self._same_step = autoreset == "same-step"
        self.metadata = {**type(self).metadata, "autoreset_mode": MODES[autoreset]}
        self.render_mode = render_mode
        self.single_observation_space = space
        self.single_action_space = spaces.Discrete(actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._connect()

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[_Look, dict[str, Any]]:
        """Begins all games anew: game i on seed + i, or on the i-th of several seeds.

        Without a seed the first reset draws one, and later ones go on with the games that follow.
        ``options={"reset_mask": mask}``, bool of shape (num_envs,), begins only some games anew.
        """
        self.games.reset(self._seeds(seed, (options or {}).get("reset_mask")))
        return self._observation, dict(self._info)

    def _seeds(self, seed: int | Sequence[int | None] | None, mask: Any) -> NDArray[numpy.int64]:
        count = self.num_envs
        if seed is None and self._np_random_seed is None:
            seed = int(numpy.random.SeedSequence().generate_state(1, numpy.uint32)[0])
        if seed is None:
            seeds = numpy.full(count, -1, numpy.int64)
        elif isinstance(seed, (int, numpy.integer)) and not isinstance(seed, bool):
            if not 0 <= seed < SEEDS - count:
                raise ValueError(f"seed is {shown(int(seed))}, expected 0 to {SEEDS - count - 1}")
            seeds = int(seed) + numpy.arange(count, dtype=numpy.int64)
            self._np_random, self._np_random_seed = numpy.random.default_rng(int(seed)), int(seed)
        else:
            given = [-1 if one is None else one for one in seed] if isinstance(seed, Sequence) else seed
            seeds = whole_numbers(given, "seed", count)
            if bool((seeds < -1).any()):
                raise ValueError("seed has a negative number, expected numbers from 0")
            self._np_random_seed = int(seeds[0])
            self._np_random = numpy.random.default_rng(abs(int(seeds[0])))
        if mask is not None:
            chosen = numpy.asarray(mask)
            if chosen.dtype != numpy.bool_ or chosen.shape != (count,):
                raise ValueError(f"reset_mask is {str(chosen.dtype)[:60]} of {chosen.shape}, expected bool of ({count},)")
            seeds = numpy.where(chosen, seeds, -2)
        return seeds


class NesTetris(_ManyGames[Parts]):
    """``num_envs`` games placement by placement, stepped at once by ``threads`` threads without the interpreter's lock.

    **Actions**: int64 (num_envs,). An action is turn × 200 + row × 10 + column of the centre of the piece where it locks.
    ``info["action_mask"]``, int8 (num_envs, 800), is 1 for the placements that frame-by-frame play can reach.

    **Observations**: see :func:`board_space`, with num_envs in front. The arrays of observations, rewards and masks are
    written in place: each step returns the *same* arrays. Copy what must outlive the step; ``torch.from_numpy`` reads
    them without a copy.

    **Rewards**: float64 (num_envs,): the points that the cleared lines pay (``reward="points"``), or their number
    (``"lines"``). A game is terminated by a top-out or by its stop, truncated by the stop "pieces:N".

    Keywords: ``start_level`` 0 to 19; ``stop`` "level29", "topout", "lines:N" or "pieces:N"; ``taps`` "each-button",
    "one-per-row", a rate such as "12hz", a timeline such as "X..X." or a table such as "0,2,4,6,18" (frames);
    ``reaction`` 0, a delay of 1 to 255 frames, or "none-after-spawn", which hides the next piece; ``pieces`` "nes" (the
    game's own generator) or "uniform";
    ``illegal``, what an action outside the mask does: "end" terminates the game with reward 0, "raise" raises ValueError
    and no game changes.

    **A reaction delay of R frames** splits each piece into two steps, because the next piece is seen only when R frames of
    the piece in play are over. In the first step ``next`` is all zero, and an action says where the piece should be at the
    end of these frames: again turn × 200 + row × 10 + column. The mask has every state that the taps allow, which are
    those of :func:`maxout.hovers`. Several states can share a place, because different presses before leave different
    options. Each further one takes the next row that is free; ``Hover.action`` says which. The reward is 0. In the second step
    ``next`` is seen, and the mask has the placements that can still be reached from there: ``Hover.placements()``. Rewards
    and ends come with the second step. If the piece locks within R frames, the first step chooses the placement, and the
    second step has only that one. Observations have two more parts: ``placing``, 1 in the second step, and ``hover``, the
    cells of the piece in that step.

    ``autoreset`` is Gymnasium's ``AutoresetMode``, or a word: with "next-step" a game that has ended begins anew in the step
    after, which ignores its action and rewards 0; with "same-step" it begins anew at once, and ``info["final_obs"]`` and
    ``info["final_info"]`` tell how it ended; with "disabled" ``reset(options={"reset_mask": mask})`` begins it anew, and a
    step before that raises ValueError.

    :mod:`copy` and :mod:`pickle` copy the environment with its games. A copy has arrays and threads of its own.

    Any number of threads plays the same games: game i of ``reset(seed=s)`` has seed s + i.
    """

    games: PlacementGames

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        *,
        render_mode: str | None = None,
        autoreset: str | AutoresetMode = "next-step",
        **options: Any,
    ) -> None:
        mode = autoreset_of(autoreset)
        self._options = {"num_envs": num_envs, "threads": threads, "autoreset": mode, **options}
        self.games = self._make()
        self._prepare(render_mode, mode, board_space(self.games.delay > 0), ACTIONS)

    def _make(self) -> PlacementGames:
        return make_games(**self._options)

    def _views(self) -> tuple[str, ...]:
        return ("_observation", "_info")

    def _connect(self) -> None:
        space = board_space(self.games.delay > 0)
        self._observation = {name: getattr(self.games, name) for name in space.spaces}
        self._info = {
            "action_mask": self.games.mask,
            "_action_mask": numpy.ones(self.num_envs, numpy.bool_),
            "points": self.games.points,
            "_points": numpy.ones(self.num_envs, numpy.bool_),
        }

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Parts, NDArray[Any], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Places the piece of every game, or takes one of its two steps if there is a reaction delay."""
        games = self.games
        games.step(whole_numbers(actions, "actions", self.num_envs))
        info = dict(self._info)
        if self._same_step:
            ended = games.terminated | games.truncated
            if ended.any():
                self._tell_ends(ended, info)
        return self._observation, games.reward, games.terminated, games.truncated, info

    def _tell_ends(self, ended: NDArray[numpy.bool_], info: dict[str, Any]) -> None:
        """Adds the last observation and info of the games that ended in this step, as Gymnasium's same-step mode has it."""
        final = numpy.full(self.num_envs, None, object)
        one_hot = numpy.eye(7, dtype=numpy.uint8)
        for index in numpy.flatnonzero(ended):
            piece, following, level, lines, _ = self.games.last_counts[index]
            shown = self._observation["next"][index].any()
            final[index] = {
                "board": self.games.last_board[index].copy(),
                "piece": one_hot[piece],
                "next": one_hot[following] if shown else numpy.zeros(7, numpy.uint8),
                "level": numpy.array([level], numpy.int32),
                "lines": numpy.array([lines], numpy.int32),
            }
            if self.games.delay:
                final[index]["placing"] = numpy.zeros(1, numpy.uint8)
                final[index]["hover"] = numpy.zeros((20, 10), numpy.uint8)
        info["final_obs"], info["_final_obs"] = final, ended
        points = numpy.where(ended, self.games.last_counts[:, 4], 0)
        masks = numpy.zeros_like(self.games.mask)
        info["final_info"] = {
            "points": points,
            "_points": ended,
            "action_mask": masks,
            "_action_mask": ended,
        }
        info["_final_info"] = ended

    def sample_actions(self) -> NDArray[numpy.int64]:
        """Draws a legal action for every game, all equally likely: int64 (num_envs,)."""
        return self.games.sample()

    def afterstates(
        self,
    ) -> tuple[
        NDArray[numpy.uint8],
        NDArray[numpy.int64],
        NDArray[numpy.float64],
        NDArray[numpy.bool_],
        NDArray[numpy.int64],
    ]:
        """Returns what each placement of each game leads to, for learners that judge boards.

        boards uint8 (k, 20, 10), actions int64 (k,), rewards float64 (k,), ends bool (k,), and offsets int64
        (num_envs + 1,): game i has those from offsets[i] to offsets[i + 1]. A game that is over has none, and neither does
        a game in the first of the two steps of a reaction delay. The arrays are new ones.
        """
        return self.games.afterstates()

    def render(self) -> tuple[NDArray[numpy.uint8], ...] | None:
        """Draws every game: uint8 (240, 256, 3) each. Returns None without a render mode."""
        from .picture import draw

        if self.render_mode is None:
            return None
        parts = self._observation
        return tuple(
            draw(board + 2 * hover, int(following.argmax()) if following.any() else None)
            for board, hover, following in zip(parts["board"], self.games.hover, parts["next"])
        )


class NesTetrisFrames(_ManyGames[Seen]):
    """``num_envs`` games frame by frame, stepped at once by ``threads`` threads without the interpreter's lock.

    **Actions**: int64 (num_envs,). An action is an index into ``actions``, a list of bytes of buttons (by default
    :data:`maxout.buttons.PLAY`, 12 of them). Its buttons are held for ``frame_skip`` frames, as in
    :class:`maxout.NesTetrisFrames`.

    **Observations**: with ``observation="board"``, the dictionary of the single environment, with num_envs in front; with
    "ram", uint8 (num_envs, 2048). The arrays of observations, rewards and infos are written in place: each step returns the
    *same* arrays. Copy what must outlive the step. Do not write to them, because of RAM only what has changed is written
    again. ``info`` has ``score``, ``points``, ``lines`` and ``frames``.

    **Rewards**: float64 (num_envs,): what the step added to the ``"score"``, to the ``"points"`` for lines alone, or to the
    ``"lines"``. A game is terminated by a top-out or by its ``stop`` ("level29", "topout" or "lines:N"), and never
    truncated.

    ``start_level``, ``autoreset`` and seeds are as in :class:`NesTetris`: game i of ``reset(seed=s)`` is the game of seed
    s + i, and any number of threads plays the same games.
    """

    games: FrameGames

    def __init__(
        self,
        num_envs: int = 1,
        threads: int = 1,
        *,
        start_level: int = 19,
        stop: str = "level29",
        observation: str = "board",
        reward: str = "score",
        actions: Sequence[int] = buttons.PLAY,
        frame_skip: int = 1,
        autoreset: str | AutoresetMode = "next-step",
        render_mode: str | None = None,
    ) -> None:
        space, held = frame_space(observation, ("board", "ram")), button_list(actions)
        stop_level, stop_lines = frame_stop(stop)
        if not isinstance(reward, str):
            raise TypeError(f"reward is {shown(reward)}, expected a text")
        mode = autoreset_of(autoreset)
        self._options: dict[str, Any] = {
            "num_envs": num_envs,
            "threads": threads,
            "start_level": start_level,
            "stop_level": stop_level,
            "stop_lines": stop_lines,
            "observation": observation,
            "reward": reward,
            "actions": bytes(held),
            "frame_skip": frame_skip,
            "autoreset": mode,
        }
        self.games = self._make()
        self._parts = tuple(space.spaces) if isinstance(space, spaces.Dict) else ()
        self._prepare(render_mode, mode, space, len(held))

    def _make(self) -> FrameGames:
        return FrameGames(**self._options)

    def _views(self) -> tuple[str, ...]:
        return ("_observation", "_info", "_truncated")

    def _connect(self) -> None:
        games, every = self.games, numpy.ones(self.num_envs, numpy.bool_)
        self._observation = {name: getattr(games, name) for name in self._parts} or games.ram
        counts = {"score": games.score, "points": games.points, "lines": games.lines[:, 0], "frames": games.frames}
        self._info = {**counts, **{f"_{name}": every for name in counts}}
        self._truncated = numpy.zeros(self.num_envs, numpy.bool_)

    def step(
        self, actions: NDArray[Any]
    ) -> tuple[Seen, NDArray[Any], NDArray[numpy.bool_], NDArray[numpy.bool_], dict[str, Any]]:
        """Holds the buttons of each game's action for ``frame_skip`` frames, or until the game is over."""
        games = self.games
        games.step(whole_numbers(actions, "actions", self.num_envs))
        info = dict(self._info)
        if self._same_step and games.terminated.any():
            self._tell_ends(info)
        return self._observation, games.reward, games.terminated, self._truncated, info

    def _tell_ends(self, info: dict[str, Any]) -> None:
        """Adds the last observation and info of the games that ended in this step, as Gymnasium's same-step mode has it."""
        games, final = self.games, numpy.full(self.num_envs, None, object)
        ended = games.terminated.copy()
        for index in numpy.flatnonzero(ended):
            parts = {name: getattr(games, f"last_{name}")[index].copy() for name in self._parts}
            final[index] = parts or games.last_ram[index].copy()
        info["final_obs"], info["_final_obs"] = final, ended
        counts = numpy.where(ended, games.last_counts.T, 0)
        named = dict(zip(("score", "points", "lines", "frames"), counts))
        info["final_info"] = {**named, **{f"_{name}": ended for name in named}}
        info["_final_info"] = ended

    def render(self) -> tuple[NDArray[numpy.uint8], ...] | None:
        """Draws every game: uint8 (240, 256, 3) each. Returns None without a render mode."""
        from .picture import draw

        if self.render_mode is None:
            return None
        if isinstance(self._observation, numpy.ndarray):
            raise ValueError("render_mode is 'rgb_array', expected None with the observation 'ram'")
        board, following = self._observation["board"], self._observation["next"]
        return tuple(draw(cells, int(n.argmax()) if n.any() else None) for cells, n in zip(board, following))
