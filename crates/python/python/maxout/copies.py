"""Copies of environments, by :mod:`copy` and by :mod:`pickle`."""

from __future__ import annotations

import copy
from typing import Any, TypeVar

_Self = TypeVar("_Self", bound="Copied")


class Copied:
    """An environment whose copies play on independently, whether :func:`copy.copy`, :func:`copy.deepcopy` or pickle made them.

    ``games`` are its games, which know save(), restore() and follow(). A window is not copied.
    """

    games: Any
    _window: Any

    def _make(self) -> Any:
        """Makes games with the same arguments."""
        raise NotImplementedError

    def _connect(self) -> None:
        """Sets the attributes of :meth:`_views`."""

    def _views(self) -> tuple[str, ...]:
        """The attributes that are views of the games."""
        return ()

    def _own(self) -> dict[str, Any]:
        left_out = {"games", "_window", *self._views()}
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def _take(self, own: dict[str, Any]) -> None:
        self.__dict__.update(own)
        self._window = None
        self.games = self._make()

    def __getstate__(self) -> dict[str, Any]:
        return {**self._own(), "games": self.games.save()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self._take({name: value for name, value in state.items() if name != "games"})
        self.games.restore(state["games"])
        self._connect()

    def __deepcopy__(self: _Self, memo: dict[int, Any]) -> _Self:
        twin = self.__class__.__new__(self.__class__)
        memo[id(self)] = twin
        twin._take(copy.deepcopy(self._own(), memo))
        twin.games.follow(self.games)
        twin._connect()
        return twin

    def __copy__(self: _Self) -> _Self:
        return copy.deepcopy(self)
