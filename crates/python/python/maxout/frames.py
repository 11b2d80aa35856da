"""The game frame by frame: an environment of Gymnasium."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy
from gymnasium import spaces
from numpy.typing import NDArray

from . import buttons
from ._maxout import Canvas, Game
from .arguments import action_of, button_list, frame_stop, number_of, shown
from .picture import Window
from .spaces import Seen, frame_space

_PIECES = "TJZOSLI"


class NesTetrisFrames(gymnasium.Env[Seen, Any]):
    """One game in which an action is what the controller holds: ``maxout/NesTetrisFrames-v0``.

    **Actions**: a place in ``actions``, a list of bytes of buttons (by default :data:`maxout.buttons.PLAY`, 12 of them),
    held for ``frame_skip`` frames. Nothing but the game limits the fingers here: a button counts anew when it was up for
    a frame, and a shift that is held repeats as on the console (after 16 frames, then every 6).

    **Observations**: with ``observation="board"`` a dictionary of ``board``, uint8 (20, 10), 1 for locked cells and 2 for
    the piece in the air; ``piece`` and ``next``, one-hot uint8 (7,) in the order T J Z O S L I; ``level`` and ``lines``,
    int32 (1,). With ``"ram"`` uint8 (2048,), the console's RAM as far as the game uses it; with ``"picture"`` uint8
    (240, 256, 3). ``reaction`` shows what was so many frames ago (0 to 255). With ``copy=False`` and no reaction every
    step returns the *same* picture, in which what has changed was drawn again: copy what must outlive the step.

    **Rewards**: what the step added to the ``"score"``, to the ``"points"`` for lines alone, or to the ``"lines"``. The
    score is without the game's cap at 999,999. A game is terminated by a top-out or by its ``stop``: "level29", "topout"
    or "lines:N".

    A seed below 9,600 is a game that one can reach from power-on, and the same that ``maxout play --seed`` plays from the
    first control frame on.
    """

    metadata: dict[str, Any] = {"render_modes": ["rgb_array", "human"], "render_fps": 60}

    def __init__(
        self,
        *,
        start_level: int = 19,
        stop: str = "level29",
        observation: str = "board",
        reward: str = "score",
        actions: Sequence[int] = buttons.PLAY,
        frame_skip: int = 1,
        reaction: int = 0,
        copy: bool = True,
        render_mode: str | None = None,
    ) -> None:
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise ValueError(f"render_mode is {shown(render_mode)}, expected None, 'rgb_array' or 'human'")
        if reward not in ("score", "points", "lines"):
            raise ValueError(f"reward is {shown(reward)}, expected 'score', 'points' or 'lines'")
        self._frame_skip = number_of("frame_skip", frame_skip, 1, 3600)
        self._reaction = number_of("reaction", reaction, 0, 255)
        held = button_list(actions)
        self._inputs = [bytes([one]) * self._frame_skip for one in held]
        self._stop_level, self._stop_lines = frame_stop(stop)
        self._start_level, self._reward, self._kind = start_level, reward, observation
        if not isinstance(copy, bool):
            raise ValueError(f"copy is {shown(copy)}, expected True or False")
        self._copies, self._canvas = copy or self._reaction > 0, Canvas()
        self.game = Game(start_level, 0)
        self.render_mode = render_mode
        self._window: Window | None = None
        self._done = True
        self._past: deque[Seen] = deque(maxlen=self._reaction // self._frame_skip + 1)
        self.action_space = spaces.Discrete(len(held))
        self.observation_space: spaces.Space[Any] = frame_space(observation, ("board", "ram", "picture"))

    def __getstate__(self) -> dict[str, Any]:
        # A window is not copied.
        return {**self.__dict__, "_window": None}

    def __copy__(self) -> NesTetrisFrames:
        return deepcopy(self)

    def _look(self) -> Seen:
        game = self.game
        if self._kind == "ram":
            return game.ram()
        if self._kind == "picture":
            return self._picture().copy() if self._copies else self._picture()
        piece, following = numpy.zeros(7, numpy.uint8), numpy.zeros(7, numpy.uint8)
        if game.piece is not None:
            piece[_PIECES.index(game.piece)] = 1
        if game.next is not None:
            following[_PIECES.index(game.next)] = 1
        return {
            "board": game.cells(),
            "piece": piece,
            "next": following,
            "level": numpy.array([game.level], numpy.int32),
            "lines": numpy.array([game.lines], numpy.int32),
        }

    def _picture(self) -> NDArray[numpy.uint8]:
        self._canvas.draw_game(self.game)
        return self._canvas.picture

    def _count(self) -> int:
        game = self.game
        return {"score": game.score, "points": game.points, "lines": game.lines}[self._reward]

    def _info(self) -> dict[str, Any]:
        game = self.game
        return {"score": game.score, "points": game.points, "lines": game.lines, "frames": game.frames}

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begins a game. Equal seeds give equal games."""
        super().reset(seed=seed)
        if seed is None:
            seed = int(self.np_random.integers(2**62))
        self.game = Game(self._start_level, seed)
        self._done = False
        self._past.clear()
        self._past.append(self._look())
        return self._past[0], self._info()

    def step(self, action: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Holds the buttons of an action for ``frame_skip`` frames, or until the game is over."""
        if self._done:
            raise gymnasium.error.ResetNeeded("the game is over or has not begun, expected reset() before step()")
        game, before = self.game, self._count()
        game.play(self._inputs[action_of(action, len(self._inputs))])
        level, lines = self._stop_level, self._stop_lines
        stopped = (level is not None and game.level >= level) or (lines is not None and game.lines >= lines)
        self._done = stopped or game.over
        self._past.append(self._look())
        if self.render_mode == "human":
            self.render()
        return self._past[0], float(self._count() - before), self._done, False, self._info()

    def render(self) -> NDArray[numpy.uint8] | None:
        """Draws the game: uint8 (240, 256, 3). With render_mode "human" a window shows it."""
        if self.render_mode is None:
            return None
        picture = self._picture()
        if self.render_mode == "rgb_array":
            return picture.copy()
        self._window = self._window or Window()
        self._window.show(picture, self.metadata["render_fps"] / self._frame_skip)
        return None

    def close(self) -> None:
        """Closes the window, if there is one."""
        if self._window is not None:
            self._window.close()
            self._window = None
