"""Exact NES Tetris for learning, search and simulation.

The game frame by frame is :class:`Game`; the same game placement by placement is an environment of Gymnasium,
``maxout/NesTetris-v0``. :class:`maxout.vector.NesTetris` and :class:`maxout.vector.NesTetrisFrames` play many games at
once. :class:`Player` decides like the
program's players, which :func:`players` lists, :func:`simulate` plays whole games on the rules and :func:`play` in the emulator, :func:`analyze` ranks
placements, :func:`review` says what each placement of a game lost, :class:`Movie` is the buttons of a game for other
emulators, and :class:`maxout.emulator.Console` is the emulator with a cartridge in it. Importing this package registers the
environments.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from os import PathLike

import gymnasium
import numpy
from numpy.typing import NDArray

from . import buttons, emulator, vector
from ._maxout import Board, Game, Hover, Movie, Placement, Plan, Player, Position, hovers, placements, players
from ._maxout import VERSION as __version__
from ._maxout import play as _play
from ._maxout import simulate as _simulate
from .answers import Answer, Ranked, analyze
from .games import PlayedGame, now
from .reviews import Balance, PhaseSum, ReviewedGame, review
from .single import NesTetris, NesTetrisAfterstates
from .frames import NesTetrisFrames

__all__ = [
    "Answer",
    "Balance",
    "Board",
    "Game",
    "Hover",
    "Movie",
    "NesTetris",
    "NesTetrisAfterstates",
    "NesTetrisFrames",
    "PhaseSum",
    "Placement",
    "Plan",
    "PlayedGame",
    "Player",
    "Position",
    "Ranked",
    "ReviewedGame",
    "__version__",
    "analyze",
    "buttons",
    "emulator",
    "hovers",
    "placements",
    "play",
    "players",
    "review",
    "simulate",
    "vector",
]

#: What simulate() returns for each game, named as in ``run.json``. ``score`` is without the game's cap, ``line_points`` are those
#: for lines alone.
GAME_RECORD = numpy.dtype(
    [
        ("seed", numpy.uint64),
        ("reached_stop", numpy.bool_),
        ("topped_out", numpy.bool_),
        ("crashed", numpy.bool_),
        ("score", numpy.uint64),
        ("line_points", numpy.uint64),
        ("shown_score", numpy.uint32),
        ("lines", numpy.uint32),
        ("level", numpy.uint8),
        ("singles", numpy.uint32),
        ("doubles", numpy.uint32),
        ("triples", numpy.uint32),
        ("tetrises", numpy.uint32),
        ("pieces", numpy.uint32),
        ("frames", numpy.uint64),
    ]
)


def simulate(
    player: str | Player | Callable[[Position], Placement | None],
    games: int,
    seed: int = 0,
    jobs: int = 1,
    *,
    level: int = 19,
    stop: str = "level29",
    taps: str | None = None,
    reaction: int | str | None = None,
    aggression: str | float | None = None,
    misdrop: float = 0.0,
    double_killscreen: bool = False,
) -> NDArray[numpy.void]:
    """Plays whole games frame by frame on the model, as ``maxout sim`` does, on seeds from ``seed`` on.

    ``player`` is a name, a :class:`Player`, or a function that gets a :class:`Position` and returns one of its
    placements (or None to give up). ``stop`` is "level29", "topout" or "lines:N". ``taps``, ``reaction`` and
    ``aggression`` are as in :class:`Player`; a function decides once, when a piece spawns, and takes neither ``reaction``
    nor ``aggression``. ``misdrop`` is the probability, below 1, that a press goes wrong: half of these presses come a frame
    late, the others not at all. A function is then asked again, with the piece where it is. With ``double_killscreen``,
    pieces fall two rows a frame from level 39 on, a rule of competitions. The games are the same for any number of ``jobs``
    (threads); a Python function runs in one thread at a time, because of the interpreter's lock.

    Returns a structured array of shape (games,) with the fields of :data:`GAME_RECORD`.
    """
    rows = _simulate(player, games, seed, jobs, level, stop, taps, reaction, aggression, misdrop, double_killscreen)
    record = numpy.zeros(len(rows), GAME_RECORD)
    for column, name in enumerate(GAME_RECORD.names or ()):
        if len(rows):
            record[name] = rows[:, column]
    return record


def play(
    player: str | Player | Callable[[Position], Placement | None],
    games: int = 1,
    seed: int = 0,
    *,
    level: int = 19,
    stop: str = "level29",
    taps: str | None = None,
    reaction: int | str | None = None,
    aggression: str | float | None = None,
    misdrop: float = 0.0,
    rom: bytes | str | PathLike[str] | None = None,
) -> list[PlayedGame]:
    """Plays whole games in the emulator, as ``maxout play`` does, each from power-on, on seeds from ``seed`` on.

    ``player``, ``level``, ``stop``, ``taps``, ``reaction``, ``aggression`` and ``misdrop`` are as in :func:`simulate`; seeds
    are 0 to 9,599, which power-on and waiting can reach. ``rom`` is a cartridge image as bytes or the path of its file;
    without it, our test cartridge.
    """
    played = _play(player, games, seed, level, stop, taps, reaction, aggression, misdrop, rom)
    made_at = now()
    return [
        PlayedGame({**json.loads(record), "made_at": made_at}, pressed, movie) for record, pressed, movie in played
    ]


def _register() -> None:
    for name, entry, batch in [
        ("maxout/NesTetris-v0", "maxout.single:NesTetris", "maxout.vector:NesTetris"),
        ("maxout/NesTetrisAfterstates-v0", "maxout.single:NesTetrisAfterstates", None),
        ("maxout/NesTetrisFrames-v0", "maxout.frames:NesTetrisFrames", "maxout.vector:NesTetrisFrames"),
    ]:
        if name not in gymnasium.registry:
            gymnasium.register(name, entry_point=entry, vector_entry_point=batch)


_register()
