"""The observations of the environments."""

from __future__ import annotations

from typing import Any

import numpy
from gymnasium import spaces
from numpy.typing import NDArray

from .arguments import shown

#: An observation of one game or of many: its parts by name.
Parts = dict[str, NDArray[Any]]
#: An observation of frames: parts by name, RAM or a picture.
Seen = Parts | NDArray[numpy.uint8]


def board_space(delayed: bool = False) -> spaces.Dict:
    """The observation of one game of placements.

    ``board``: uint8 (20, 10), top row first, 1 for a locked cell. ``piece`` and ``next``: uint8 (7,), one-hot in the
    order T J Z O S L I (``next`` is all zero where it is hidden). ``level`` and ``lines``: int32 (1,).

    A reaction delay in frames adds ``placing``: uint8 (1,), 0 in the first of a piece's two steps and 1 in the second. It
    also adds ``hover``: uint8 (20, 10). In the second step, 1 marks the cells of the piece when the next one is seen.
    """
    parts: dict[str, spaces.Space[Any]] = {
        "board": spaces.Box(0, 1, (20, 10), numpy.uint8),
        "piece": spaces.Box(0, 1, (7,), numpy.uint8),
        "next": spaces.Box(0, 1, (7,), numpy.uint8),
        "level": spaces.Box(0, 255, (1,), numpy.int32),
        "lines": spaces.Box(0, 2**31 - 1, (1,), numpy.int32),
    }
    if delayed:
        parts["placing"] = spaces.Box(0, 1, (1,), numpy.uint8)
        parts["hover"] = spaces.Box(0, 1, (20, 10), numpy.uint8)
    return spaces.Dict(parts)


def frame_space(observation: str, kinds: tuple[str, ...]) -> spaces.Dict | spaces.Box:
    """The observation of one game of frames. ``observation`` must be one of ``kinds``.

    "board" is a dictionary like that of :func:`board_space`, in which ``board`` has 2 for the piece in the air; "ram" is
    uint8 (2048,), and "picture" is uint8 (240, 256, 3).
    """
    if observation not in kinds:
        expected = ", ".join(map(repr, kinds[:-1])) + f" or {kinds[-1]!r}"
        raise ValueError(f"observation is {shown(observation)}, expected {expected}")
    if observation == "ram":
        return spaces.Box(0, 255, (2048,), numpy.uint8)
    if observation == "picture":
        return spaces.Box(0, 255, (240, 256, 3), numpy.uint8)
    return spaces.Dict({**board_space().spaces, "board": spaces.Box(0, 2, (20, 10), numpy.uint8)})
