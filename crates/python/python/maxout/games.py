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
_FORMAT, _HEADER = "maxout-run 1", "maxout-buttons 1"
#: The most bytes of a record and of a log, and the most frames.
_MOST_RECORD, _MOST_LOG, _MOST_FRAMES = 1 << 20, 64 << 20, 6_000_000


def _columns(held: int) -> str:
    """The buttons of a frame as a log has them, such as ``R......A``."""
    return "".join(letter if held >> bit & 1 else "." for bit, letter in enumerate(_LETTERS))


def read_run(path: Path) -> tuple[dict[str, Any], bytes]:
    """Reads the record and the buttons of a run from its folder, or from the path of its ``run.json``.

    Raises ValueError for what is no run.
    """
    file = path / "run.json" if path.is_dir() else path
    text = _text(file, _MOST_RECORD)
    try:
        record = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{file.name!r}: not a run record: {error}") from None
    if not isinstance(record, dict) or record.get("format") != _FORMAT:
        raise ValueError(f"{file.name!r}: not a run record, expected format {_FORMAT!r}")
    buttons = _buttons(_text(file.parent / "buttons.txt", _MOST_LOG))
    menu, frames = record.get("menu_frames"), record.get("frames")
    if type(menu) is not int or type(frames) is not int or menu + frames != len(buttons):
        raise ValueError(f"{file.name!r}: the record promises other frames than the {len(buttons)} of the button log")
    return record, buttons


def _text(file: Path, most: int) -> str:
    with open(file, "rb") as opened:
        content = opened.read(most + 1)
    if len(content) > most:
        raise ValueError(f"{file.name!r}: expected at most {most} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise ValueError(f"{file.name!r}: expected UTF-8") from None


def _buttons(text: str) -> bytes:
    header, *lines = text.split("\n")
    if header.rstrip("\r") != _HEADER:
        raise ValueError(f"'buttons.txt': line 1: expected {_HEADER!r}")
    held = {_columns(byte): bytes([byte]) for byte in range(256)}
    log = bytearray()
    for number, line in enumerate(lines, 2):
        count, _, columns = line.rstrip("\r").partition(" ")
        if number == len(lines) + 1 and not line:
            break
        if not (count.isascii() and count.isdigit() and len(count) <= 20 and columns in held):
            raise ValueError(
                f"'buttons.txt': line {number}: expected a number of frames and eight columns {_LETTERS}"
            )
        if int(count) > _MOST_FRAMES - len(log):
            raise ValueError(f"'buttons.txt': line {number}: expected at most {_MOST_FRAMES:,} frames in all")
        log += held[columns] * int(count)
    return bytes(log)


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

        ``maxout replay FOLDER`` plays it again and compares score and RAM, ``maxout runs import FOLDER`` takes it into the
        run library; ``stats`` and ``report`` take it, too. Returns the folder. A folder of that name stays as it is: the new one gets a number.
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
        log = _HEADER + "\n"
        for held, frames in groupby(self.buttons):
            log += f"{len(list(frames))} {_columns(held)}\n"
        made_at = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
        text = json.dumps({"format": _FORMAT, "made_at": made_at, **record}, indent=2) + "\n"
        # The record comes last: a folder that has one is complete.
        for file, content in [("buttons.txt", log), ("run.json", text)]:
            draft = folder / f".{file}.new"
            draft.write_text(content, encoding="utf-8", newline="\n")
            os.replace(draft, folder / file)
        return folder
