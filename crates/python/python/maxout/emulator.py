"""The emulator: the console with a cartridge in it, from power-on. It runs about twelve times as fast as the console."""

from ._maxout import Console, ConsoleState

__all__ = ["Console", "ConsoleState"]
