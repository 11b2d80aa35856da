"""Ranked placements: :func:`analyze`."""

from __future__ import annotations

import json as _json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from . import buttons as _buttons
from ._maxout import Board, Placement, Player
from ._maxout import analyze as _analyze

_BITS = {
    "A": _buttons.A,
    "B": _buttons.B,
    "S": _buttons.SELECT,
    "T": _buttons.START,
    "U": _buttons.UP,
    "D": _buttons.DOWN,
    "L": _buttons.LEFT,
    "R": _buttons.RIGHT,
}


@dataclass(frozen=True)
class Ranked:
    """A placement, what it is worth, and how to play it.

    ``points`` are the line points to expect from here to level 29, from level 29 on to level 39, 49 and so on; ``loss`` is how many
    points less that is than after the best placement, and ``class_`` is the class of that loss (``best`` to ``blunder``); ``topout`` is
    the probability of a top-out before the stop, 0 to 1; ``value`` is the number by which the search compares. ``buttons`` has a byte for
    each frame, up to the last press, and ``held_before`` is the direction that is held before the first frame, where directions may be
    held. ``reply`` is the best placement of the next piece, if that is known, and ``replies`` has that of each piece that may come after
    all known ones. ``board`` is the board after the placement, which clears ``lines`` lines.
    """

    placement: Placement
    points: float
    loss: float
    topout: float
    class_: str
    value: float
    held_before: int
    buttons: bytes
    reply: Placement | None
    replies: dict[str, Placement | None]
    board: Board
    lines: int


class Answer(list[Ranked]):
    """The placements of a piece, best first, and what is the same for all.

    ``stop`` says up to where points and top-outs are counted (``level 29``), ``forecast`` names the player and the taps whose games they
    speak of, and ``warnings`` say what is odd about the board. ``json`` is the same answer as ``maxout analyze --json`` and
    ``POST /v1/analyze`` write it.
    """

    def __init__(self, json: str) -> None:
        said = _json.loads(json)
        super().__init__(_ranked(one) for one in said["placements"])
        self.stop: str = said["stop"]
        self.forecast: dict[str, str] = said["forecast"]
        self.warnings: list[str] = said["warnings"]
        self.json = json

    def __reduce__(self) -> tuple[type[Answer], tuple[str]]:
        return Answer, (self.json,)


def _place(said: dict[str, int] | None) -> Placement | None:
    return None if said is None else Placement(**said)


def _held(letters: Iterable[str]) -> int:
    return sum(_BITS[letter] for letter in letters)


def _ranked(said: dict[str, Any]) -> Ranked:
    return Ranked(
        placement=Placement(said["y"], said["orientation"], said["x"]),
        points=said["points"],
        loss=said["loss"],
        topout=said["topout"],
        class_=said["class"],
        value=said["value"],
        held_before=_held(said.get("held_before", "")),
        buttons=bytes(map(_held, said["buttons"])),
        reply=_place(said["reply"]),
        replies={piece: _place(place) for piece, place in said["replies"].items()},
        board=Board(said["board"]),
        lines=said["lines"],
    )


def analyze(
    board: Board,
    piece: str | int,
    next: str | int | None = None,
    *,
    level: int = 19,
    lines: int = 0,
    player: str | Player = "maxout",
    taps: str | None = None,
    aggression: str | float | None = None,
) -> Answer:
    """Ranks the placements of a piece, best first, as ``maxout analyze`` and ``POST /v1/analyze`` do: it is the same answer.

    Without ``next`` the figures are expectations over the seven pieces that may follow. ``player`` ranks, a player on the learned value;
    ``taps`` and ``aggression`` are as in :class:`Player`. The list is empty if the piece has no placement.
    """
    return Answer(_analyze(board, piece, next, level, lines, player, taps, aggression))
