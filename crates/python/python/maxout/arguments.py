"""Reads and checks what users pass. Each function raises ValueError, which says what was expected."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
from numpy.typing import NDArray

#: The number of seeds.
SEEDS = 2**63

#: Most characters of a path, and of what a message quotes.
_LONGEST_PATH, _LONGEST = 4096, 60


def shown(value: Any) -> str:
    """Returns what ``repr()`` says of a value, shortened."""
    try:
        # A long text is cut before it is quoted.
        text = repr(value[: _LONGEST + 1] if isinstance(value, (str, bytes)) else value)
    except Exception:
        # Such as an int of thousands of digits, which has no text.
        text = f"a {type(value).__name__}"
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"


def path_of(value: Any, name: str) -> Path:
    """Reads the path of a file or folder."""
    try:
        path = Path(value)
    except TypeError:
        raise TypeError(f"{name} is {shown(value)}, expected a path") from None
    if len(os.fsencode(path)) > _LONGEST_PATH:
        raise ValueError(f"{name} is {shown(str(path))}, expected a path of at most {_LONGEST_PATH} bytes")
    return path


def whole_numbers(values: Any, name: str, count: int) -> NDArray[numpy.int64]:
    """Reads ``count`` whole numbers. Raises ValueError for anything else."""
    try:
        array = numpy.asarray(values)
    except (ValueError, TypeError) as error:
        raise ValueError(f"{name} is no array of whole numbers: {str(error)[:200]}") from error
    if array.dtype.kind not in "iu":
        raise ValueError(f"{name} has the type {str(array.dtype)[:_LONGEST]}, expected whole numbers")
    if array.shape != (count,):
        raise ValueError(f"{name} has shape {array.shape}, expected ({count},)")
    if array.dtype == numpy.uint64 and bool((array >= SEEDS).any()):
        raise ValueError(f"{name} has a number of 2**63 or more, expected smaller ones")
    return numpy.ascontiguousarray(array, numpy.int64)


def action_of(action: Any, count: int) -> int:
    """Reads an action. Raises ValueError for anything else."""
    if isinstance(action, numpy.ndarray) and action.shape == () and action.dtype.kind in "iu":
        action = action[()]
    if isinstance(action, (bool, numpy.bool_)) or not isinstance(action, (int, numpy.integer)):
        raise ValueError(f"action is {shown(action)}, expected a whole number from 0 to {count - 1}")
    if not 0 <= action < count:
        raise ValueError(f"action is {shown(int(action))}, expected a whole number from 0 to {count - 1}")
    return int(action)


def number_of(name: str, value: Any, first: int, last: int) -> int:
    """Reads an option that is a whole number."""
    if isinstance(value, bool) or not isinstance(value, (int, numpy.integer)) or not first <= value <= last:
        raise ValueError(f"{name} has {shown(value)}, expected a whole number from {first} to {last}")
    return int(value)


def button_list(actions: Sequence[int]) -> list[int]:
    """Reads the buttons that each action of a frame environment holds, one byte for each action."""
    held = [number_of("actions", one, 0, 255) for one in actions]
    if not 1 <= len(held) <= 256:
        raise ValueError(f"actions has {len(held)} entries, expected 1 to 256")
    return held


def frame_stop(text: str) -> tuple[int | None, int | None]:
    """Reads a stop: the level at which the game ends and the lines at which it ends, or None."""
    if text == "level29":
        return 29, None
    if text == "topout":
        return None, None
    kind, _, number = str(text).partition(":")
    if kind == "lines" and number.isascii() and number.isdigit() and 1 <= int(number[:9]) and len(number) <= 9:
        return None, int(number)
    raise ValueError(f"stop is {shown(text)}, expected level29, topout or lines:N with N from 1")
