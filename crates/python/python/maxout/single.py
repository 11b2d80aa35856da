"""One game placement by placement: environments of Gymnasium."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from numpy.typing import NDArray

from ._maxout import PlacementGames
from .arguments import action_of, shown
from .copies import Copied
from .picture import Window, draw
from .spaces import Parts, board_space
from .vector import ACTIONS, make_games

#: The most placements that NesTetrisAfterstates lists.
MOST_AFTERSTATES = 128
#: More points than a placement pays: a tetris on level 255.
MOST_POINTS = 1_200.0 * 256


class _OneGame(Copied, gymnasium.Env[Parts, Any]):
    games: PlacementGames
    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 4}

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {shown(render_mode)}, expected None, 'rgb_array' or 'human'")
        if "autoreset" in options:
            raise ValueError("autoreset belongs to maxout.vector.NesTetris, expected no such option")
        self._options = options
        self.games = self._make()
        self._parts = board_space(self.games.delay > 0)
        self.render_mode = render_mode
        self._window: Window | None = None
        self._done = True

    def _make(self) -> PlacementGames:
        return make_games(1, 1, **self._options)

    def _begin(self, seed: int | None) -> None:
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**62))
        self.games.reset(numpy.array([seed], numpy.int64))
        self._done = False

    def _play(self, action: int) -> tuple[float, bool, bool]:
        if self._done:
            raise gymnasium.error.ResetNeeded("the game is over or has not begun, expected reset() before step()")
        self.games.step(numpy.array([action], numpy.int64))
        terminated, truncated = bool(self.games.terminated[0]), bool(self.games.truncated[0])
        self._done = terminated or truncated
        if self.render_mode == "human":
            self.render()
        return float(self.games.reward[0]), terminated, truncated

    def _seen(self) -> Parts:
        return {name: getattr(self.games, name)[0].copy() for name in self._parts.spaces}

    def render(self) -> NDArray[numpy.uint8] | None:
        """Draws the game: uint8 (240, 256, 3). With render_mode "human" a window shows it."""
        if self.render_mode is None:
            return None
        following = self.games.next[0]
        picture = draw(self.games.board[0] + 2 * self.games.hover[0], int(following.argmax()) if following.any() else None)
        if self.render_mode == "rgb_array":
            return picture
        self._window = self._window or Window()
        self._window.show(picture, self.metadata["render_fps"])
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None


class NesTetris(_OneGame):
    """One game in which an action is a placement: ``maxout/NesTetris-v0``.

    Observations, actions, rewards and options are those of :class:`maxout.vector.NesTetris`, without the axis of games.
    ``info["action_mask"]`` is int8 (800,), 1 for a legal action; ``info["points"]`` are the points of the game so far.
    """

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(render_mode=render_mode, **options)
        self.observation_space: spaces.Space[Any] = self._parts
        self.action_space = spaces.Discrete(ACTIONS)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Returns the legal actions, bool (800,), as sb3-contrib's MaskablePPO asks for them."""
        return numpy.asarray(self.games.mask[0], numpy.bool_)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.games.mask[0].copy(), "points": int(self.games.points[0])}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Parts, dict[str, Any]]:
        """Begins a game. Equal seeds give equal games."""
        self._begin(seed)
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[Parts, float, bool, bool, dict[str, Any]]:
        """Places the piece, or takes one of its two steps if there is a reaction delay."""
        reward, terminated, truncated = self._play(action_of(action, ACTIONS))
        return self._seen(), reward, terminated, truncated, self._info()


class NesTetrisAfterstates(_OneGame):
    """One game in which an action chooses a board: ``maxout/NesTetrisAfterstates-v0``.

    The observation adds to that of :class:`NesTetris` ``afterstates``, uint8 (128, 20, 10), the boards after each
    placement, ``rewards``, float64 (128,), what each of them pays, and ``mask``, int8 (128,), 1 where there is a
    placement. An action is a place in that list; a piece seldom has more than 60 placements, and what comes after the
    first 128 is left out. A ``reaction`` in frames is refused, because the first of its two steps leads to no board.
    """

    def __init__(self, *, render_mode: str | None = None, **options: Any) -> None:
        super().__init__(render_mode=render_mode, **options)
        if self.games.delay:
            raise ValueError(f"reaction is {self.games.delay} frames, expected 0 or 'none-after-spawn' for afterstates")
        most = MOST_AFTERSTATES
        self.observation_space: spaces.Space[Any] = spaces.Dict(
            {
                **self._parts.spaces,
                "afterstates": spaces.Box(0, 1, (most, 20, 10), numpy.uint8),
                "rewards": spaces.Box(0, MOST_POINTS, (most,), numpy.float64),
                "mask": spaces.Box(0, 1, (most,), numpy.int8),
            }
        )
        self.action_space = spaces.Discrete(most)
        self._actions: NDArray[numpy.int64] = numpy.zeros(0, numpy.int64)

    def action_masks(self) -> NDArray[numpy.bool_]:
        """Returns the legal actions, bool (128,), as sb3-contrib's MaskablePPO asks for them."""
        legal = numpy.zeros(MOST_AFTERSTATES, numpy.bool_)
        legal[: len(self._actions)] = True
        return legal

    def _look(self) -> tuple[Parts, dict[str, Any]]:
        seen = self._seen()
        boards, actions, rewards, _, _ = self.games.afterstates()
        count = min(len(actions), MOST_AFTERSTATES)
        self._actions = actions[:count]
        seen["afterstates"] = numpy.zeros((MOST_AFTERSTATES, 20, 10), numpy.uint8)
        seen["afterstates"][:count] = boards[:count]
        seen["rewards"] = numpy.zeros(MOST_AFTERSTATES)
        seen["rewards"][:count] = rewards[:count]
        seen["mask"] = self.action_masks().astype(numpy.int8)
        return seen, {"action_mask": seen["mask"].copy(), "points": int(self.games.points[0])}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Parts, dict[str, Any]]:
        """Begins a game. Equal seeds give equal games."""
        self._begin(seed)
        return self._look()

    def step(self, action: Any) -> tuple[Parts, float, bool, bool, dict[str, Any]]:
        """Places the piece."""
        chosen = action_of(action, MOST_AFTERSTATES)
        # Action 799 is no placement of any piece, so it does what the option `illegal` says.
        reward, terminated, truncated = self._play(
            int(self._actions[chosen]) if chosen < len(self._actions) else ACTIONS - 1
        )
        seen, info = self._look()
        return seen, reward, terminated, truncated, info
