"""Ranked placements: :func:`analyze`."""

from __future__ import annotations

from dataclasses import dataclass

from ._maxout import Board, Placement, Player
from ._maxout import analyze as _analyze

_PIECES = "TJZOSLI"


@dataclass(frozen=True)
class Advice:
    """A placement, what it is worth, and how to play it.

    ``points`` are the line points to expect from here to level 29, from level 29 on to level 39, 49 and so on; ``loss`` is how many
    points less that is than after the best placement; ``topout`` is the probability of a top-out before the stop, 0 to 1; ``value`` is
    the number by which the search compares. ``buttons`` has a byte for each frame, up to the last press, and ``held_before`` is the
    direction that is held before the first frame, where directions may be held. ``reply`` is the best placement of the next piece, if
    that is known, and ``replies`` has that of each piece that may come after all known ones. ``board`` is the board after the placement,
    which clears ``lines`` lines.
    """

    placement: Placement
    points: float
    loss: float
    topout: float
    value: float
    held_before: int
    buttons: bytes
    reply: Placement | None
    replies: dict[str, Placement | None]
    board: Board
    lines: int


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
) -> list[Advice]:
    """Ranks the placements of a piece, best first, as ``maxout analyze`` and ``POST /v1/analyze`` do: the figures are the same.

    Without ``next`` they are expectations over the seven pieces that may follow. ``player`` ranks, a player on the learned value;
    ``taps`` and ``aggression`` are as in :class:`Player`. The list is empty if the piece has no placement.
    """
    found = _analyze(board, piece, next, level, lines, player, taps, aggression)
    return [Advice(*advice[:8], dict(zip(_PIECES, advice[8])), *advice[9:]) for advice in found]
