"""Games in the emulator, kept as the program keeps its own: :class:`PlayedGame`."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import count
from pathlib import Path
from typing import Any

from ._maxout import Movie, run_files, write_file
from ._maxout import read_run as _read_run
from .arguments import path_of, shown

#: The most bytes of a record and of a log.
_MOST_RECORD, _MOST_LOG = 1 << 20, 64 << 20


def now() -> str:
    """The current time as a record writes it, UTC to the second, such as ``2026-11-23T12:00:00Z``."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_run(path: Path) -> tuple[dict[str, Any], bytes]:
    """Reads the record and the buttons of a run from its folder, or from the path of its ``run.json``.

    Raises ValueError for what is no run.
    """
    file = path / "run.json" if path.is_dir() else path
    text, log = _text(file, _MOST_RECORD), _text(file.parent / "buttons.txt", _MOST_LOG)
    try:
        buttons = _read_run(text, log)
    except ValueError as error:
        raise ValueError(f"{shown(str(path))}: {error}") from None
    record: dict[str, Any] = json.loads(text)
    return record, buttons


def _text(file: Path, most: int) -> str:
    with open(file, "rb") as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{shown(str(file))}: expected at most {most} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{shown(str(file))}: expected UTF-8") from None


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played in the emulator from power-on.

    ``record`` has all fields of ``run.json``: ``score``, ``lines``, ``pieces``, ``topped_out`` and so on. ``buttons`` is
    a byte for each frame from power-on, of which the first ``record["menu_frames"]`` lead into the game. ``movie`` is the
    same for other emulators: ``movie.write("game.fm2")``.
    """

    record: dict[str, Any]
    buttons: bytes
    movie: Movie

    def save(self, parent: str | os.PathLike[str]) -> Path:
        """Writes the run into a new folder under ``parent``, which is made if it is not there, as ``maxout runs export --format folder`` does.

        ``maxout replay FOLDER`` plays it again and compares score and RAM, ``maxout runs import FOLDER`` takes it into the
        run library; ``stats`` and ``report`` take it, too. Returns the folder. A folder of that name stays as it is: the new
        one gets a number.
        """
        above = path_of(parent, "parent")
        name, record, log = run_files(json.dumps(self.record), self.buttons)
        above.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            folder = above / (name if number == 1 else f"{name}-{number}")
            try:
                folder.mkdir()
                break
            except FileExistsError:
                continue
        # The record comes last: a folder that has one is complete.
        for file, content in [("buttons.txt", log), ("run.json", record)]:
            write_file(folder / file, content.encode())
        return folder
