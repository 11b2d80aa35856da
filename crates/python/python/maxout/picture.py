"""Pictures of a game: 240 rows of 256 pixels, where the console's screen has the field and the next piece."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

from ._maxout import Canvas

def draw(cells: NDArray[numpy.uint8], next_piece: int | None) -> NDArray[numpy.uint8]:
    """Draws cells (uint8 of shape (20, 10): 1 is locked, 2 is the piece in the air) and the next piece (0 to 6).

    Returns a new array, uint8 of shape (240, 256, 3): red, green, blue.
    """
    canvas = Canvas()
    canvas.draw(cells, next_piece)
    return canvas.picture


class Window:
    """A window that shows pictures, with pygame (``pip install "maxout[human]"``)."""

    def __init__(self) -> None:
        try:
            import pygame
        except ImportError as error:
            raise gymnasium_error("render_mode human needs pygame: pip install pygame") from error
        self._pygame = pygame
        pygame.display.init()
        self._screen = pygame.display.set_mode((512, 480))
        self._clock = pygame.time.Clock()

    def show(self, picture: NDArray[numpy.uint8], rate: float) -> None:
        """Shows a picture, at most ``rate`` times a second."""
        surface = self._pygame.surfarray.make_surface(picture.swapaxes(0, 1))
        self._screen.blit(self._pygame.transform.scale(surface, (512, 480)), (0, 0))
        self._pygame.event.pump()
        self._pygame.display.flip()
        self._clock.tick(rate)

    def close(self) -> None:
        """Closes the window."""
        self._pygame.display.quit()


def gymnasium_error(text: str) -> Exception:
    """Makes the error by which Gymnasium says that a package is missing."""
    from gymnasium.error import DependencyNotInstalled

    return DependencyNotInstalled(text)
