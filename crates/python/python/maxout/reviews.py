"""What each placement of a game lost against the best: :func:`review`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

import numpy
from numpy.typing import NDArray

from ._maxout import Movie, Player
from ._maxout import review as _review
from .arguments import path_of, shown
from .games import PlayedGame, read_run

#: Classes of placements, from the best on; "rapid" is as good as good, and takes faster presses than were stated.
CLASSES = ("best", "excellent", "good", "inaccuracy", "mistake", "blunder", "rapid")
#: Parts of a game, by level.
PHASES = ("all", "before 19", "19-28", "29+")

#: A placement of a reviewed game. ``next`` is empty where the next piece is unknown. ``y``, ``orientation`` and ``x`` are
#: those of :class:`maxout.Placement`; ``points``, the expected line points from there to level 29; ``topout``, the
#: probability of a top-out before it; ``value``, the number by which the search compares. ``loss`` is in points.
#: ``missed_adjustment``: the placement would be Best or Excellent with the next piece unknown, but is an Inaccuracy or
#: worse with the one that was shown. ``misdrop_y``, ``misdrop_orientation`` and ``misdrop_x``: where the piece was probably
#: meant to go, if a wrong press explains a mistake or a blunder; otherwise -1.
REVIEW_RECORD = numpy.dtype(
    [
        ("frame", numpy.uint64),
        ("level", numpy.uint8),
        ("lines", numpy.uint32),
        ("piece", "U1"),
        ("next", "U1"),
        ("y", numpy.uint8),
        ("orientation", numpy.uint8),
        ("x", numpy.uint8),
        ("class", "U10"),
        ("loss", numpy.float32),
        ("within_limits", numpy.bool_),
        ("missed_tetris", numpy.bool_),
        ("missed_adjustment", numpy.bool_),
        ("misdrop_y", numpy.int8),
        ("misdrop_orientation", numpy.int8),
        ("misdrop_x", numpy.int8),
        ("points", numpy.float32),
        ("topout", numpy.float32),
        ("value", numpy.float32),
        ("best_y", numpy.uint8),
        ("best_orientation", numpy.uint8),
        ("best_x", numpy.uint8),
        ("best_points", numpy.float32),
        ("best_topout", numpy.float32),
        ("best_value", numpy.float32),
    ]
)
#: What a misdrop was meant for, if there was none.
_NOWHERE = {"y": -1, "orientation": -1, "x": -1}


@dataclass(frozen=True)
class PhaseSum:
    """A part of a game in numbers: its name (one of :data:`PHASES`), the number of placements, the accuracy (0 to 100),
    the points lost, and placements and points lost by class."""

    phase: str
    pieces: int
    accuracy: float
    lost: float
    classes: dict[str, int]
    lost_by_class: dict[str, float]


@dataclass(frozen=True)
class Balance:
    """What became of the points of a part of a game: ``expected`` - ``lost`` + ``luck`` = ``made`` + ``left``, in line points up to
    ``to_level``, where the forecasts stop: 29, then 39 and so on. ``left`` is still to be expected at the end."""

    to_level: int
    expected: float
    lost: float
    luck: float
    made: float
    left: float


@dataclass(frozen=True, eq=False)
class ReviewedGame:
    """A game and what its placements lost.

    ``game`` is its number in the source, from 1. ``phases`` has the whole game first. ``balance`` says
    how the points add up, a part for each stop of the forecasts. ``unread`` lists from which frames
    on the source does not tell what happened, and why. ``placements`` is a structured array of :data:`REVIEW_RECORD`, and
    ``boards``, uint8 (placements, 20, 10), the locked cells before each. Frames count as the source does.
    """

    game: int
    phases: list[PhaseSum]
    balance: list[Balance]
    unread: list[tuple[int, str]]
    placements: NDArray[numpy.void]
    boards: NDArray[numpy.uint8]


def _places(name: str, place: dict[str, int]) -> dict[str, int]:
    return {name + key: number for key, number in place.items()}


def _placement(found: dict[str, Any]) -> tuple[Any, ...]:
    played, best = found["played"], found["best"]
    values = {
        **found,
        "next": found["next"] or "",
        **played,
        **played["placement"],
        **_places("misdrop_", found["misdrop"] or _NOWHERE),
        **_places("best_", {**best, **best["placement"]}),
    }
    return tuple(values[name] for name in REVIEW_RECORD.names or ())


def _boards(placements: list[dict[str, Any]]) -> NDArray[numpy.uint8]:
    # Rows above the field are drawn only where they have cells.
    cells = "".join(row for found in placements for row in found["board"][-20:])
    solid = numpy.frombuffer(cells.encode(), numpy.uint8) == ord("#")
    boards: NDArray[numpy.uint8] = solid.astype(numpy.uint8).reshape(-1, 20, 10)
    return boards


def _phase(found: dict[str, Any]) -> PhaseSum:
    by_class = {key: dict(zip(CLASSES, found[key])) for key in ("classes", "lost_by_class")}
    return PhaseSum(**{**found, **by_class})


def _game(text: str) -> ReviewedGame:
    found = json.loads(text)
    return ReviewedGame(
        found["game"],
        [_phase(phase) for phase in found["phases"]],
        [Balance(**part) for part in found["balance"]],
        [(unread["frame"], unread["reason"]) for unread in found["unread"]],
        numpy.array([_placement(placement) for placement in found["placements"]], REVIEW_RECORD),
        _boards(found["placements"]),
    )


def _run(record: dict[str, Any], buttons: bytes) -> dict[str, Any]:
    return {"run": (json.dumps(record), buttons)}


def _source(game: PlayedGame | Movie | str | os.PathLike[str]) -> dict[str, Any]:
    if isinstance(game, PlayedGame):
        return _run(game.record, game.buttons)
    if isinstance(game, Movie):
        return {"movie": game}
    if not isinstance(game, (str, os.PathLike)):
        raise TypeError(f"game is {shown(game)}, expected a PlayedGame, a Movie or a path")
    path = path_of(game, "game")
    name = path.name.lower()
    if not path.is_dir() and name.endswith((".ngf", ".ngf.gz")):
        return {"recording": path}
    if not path.is_dir() and name.endswith((".fm2", ".fm3", ".bk2", ".tasproj")):
        return {"movie": Movie.read(path)}
    return _run(*read_run(path))


def review(
    game: PlayedGame | Movie | str | os.PathLike[str],
    *,
    player: str | Player = "maxout-fast",
    taps: str | None = None,
    jobs: int = 1,
    rom: bytes | str | os.PathLike[str] | None = None,
) -> list[ReviewedGame]:
    """Says what every placement of a game lost, whoever played it, as ``maxout review`` does.

    ``game`` is a :class:`PlayedGame`, a :class:`Movie`, or the path of a movie (.fm2, .bk2), of a recording for score
    displays (.ngf, .ngf.gz) or of a run's folder. Movies and recordings can hold several games. ``player`` is the judge, a
    player on the learned value: "maxout-fast" is quick, "maxout" judges better and takes much longer. ``taps`` are the presses by which it judges, as in :class:`Player` (by default the player's own, 30 Hz).
    ``jobs`` is the number of threads; any number gives the same answer. ``rom`` is the cartridge for a movie, as in
    :func:`play`; without it, our test cartridge.

    Raises ValueError for a source without a placement, and for a run that is not as its record says.
    """
    return [_game(text) for text in _review(player, taps, jobs, rom, **_source(game))]
