"""Games in the emulator, kept as the program keeps its own: :class:`PlayedGame`."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from datetime import datetime, timezone
from itertools import count, groupby
from pathlib import Path
from typing import Any

from ._maxout import Movie

_LETTERS = "RLDUTSBA"


def _columns(held: int) -> str:
    """The buttons of a frame as a log has them, such as ``R......A``."""
    return "".join(letter if held >> bit & 1 else "." for bit, letter in enumerate(_LETTERS))


@dataclass(frozen=True)
class PlayedGame:
    """A game that was played in the emulator from power-on.

    ``record`` has the fields of ``run.json``: ``score``, ``lines``, ``pieces``, ``topped_out`` and so on. ``buttons`` is
    a byte for each frame from power-on, of which the first ``record["menu_frames"]`` lead into the game. ``movie`` is the
    same for other emulators: ``movie.write("game.fm2")``.
    """

    record: dict[str, Any]
    buttons: bytes
    movie: Movie

    def save(self, parent: str | os.PathLike[str]) -> Path:
        """Writes the run into a new folder under ``parent``, as ``maxout runs export --format folder`` does.

        ``maxout replay FOLDER`` plays it again and compares score and RAM; ``stats`` and ``report`` take it, too.
        Returns the folder. A folder of that name stays as it is: the new one gets a number.
        """
        record = self.record
        stop = record["stop"].replace(":", "")
        name = f"{record['player']}-l{record['start_level']:02}-s{record['seed']}-{stop}-{record['host']}"
        name = re.sub(r"[^A-Za-z0-9-]", "_", name)
        for number in count(1):
            folder = Path(parent) / (name if number == 1 else f"{name}-{number}")
            try:
                folder.mkdir()
                break
            except FileExistsError:
                continue
        log = "maxout-buttons 1\n"
        for held, frames in groupby(self.buttons):
            log += f"{len(list(frames))} {_columns(held)}\n"
        made_at = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        text = json.dumps({"format": "maxout-run 1", "made_at": made_at, **record}, indent=2) + "\n"
        # The record comes last: a folder that has one is complete.
        for file, content in [("buttons.txt", log), ("run.json", text)]:
            draft = folder / f".{file}.new"
            draft.write_text(content, encoding="utf-8", newline="\n")
            os.replace(draft, folder / file)
        return folder
