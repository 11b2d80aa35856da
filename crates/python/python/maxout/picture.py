"""Pictures of a game: 240 rows of 256 pixels, where the console's screen has the field and the next piece."""

from __future__ import annotations

import numpy
from numpy.typing import NDArray

_BACK = (16, 16, 24)
_FRAME = (96, 96, 112)
_LOCKED = (168, 168, 176)
_AIR = (240, 208, 80)
#: The field's first pixel and that of the next box, as on the console's screen; a cell is 8 pixels wide.
_TOP, _LEFT, _CELL = 40, 96, 8
_NEXT_TOP, _NEXT_LEFT = 112, 192
#: Rows and columns of the pieces in the next box, in the order T J Z O S L I.
_SHAPES = (
    ((0, 0), (0, 1), (0, 2), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((0, 1), (0, 2), (1, 1), (1, 2)),
    ((0, 1), (0, 2), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 0)),
    ((0, 0), (0, 1), (0, 2), (0, 3)),
)


_COLOURS = numpy.array([(0, 0, 0), _LOCKED, _AIR], numpy.uint8)


def _cells(cells: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """Draws cells: 8 by 8 pixels each, with a dark line between them."""
    pixels = _COLOURS[cells].repeat(_CELL, 0).repeat(_CELL, 1)
    pixels[_CELL - 1 :: _CELL] = 0
    pixels[:, _CELL - 1 :: _CELL] = 0
    return pixels


def _boxes() -> NDArray[numpy.uint8]:
    """Draws each piece in the next box, and the empty box last."""
    boxes = numpy.zeros((len(_SHAPES) + 1, 3, 5), numpy.uint8)
    for piece, shape in enumerate(_SHAPES):
        for row, column in shape:
            boxes[piece, row, column] = 2
    return numpy.stack([_cells(box) for box in boxes])


def _background() -> NDArray[numpy.uint8]:
    picture = numpy.empty((240, 256, 3), numpy.uint8)
    picture[:] = _BACK
    for top, left, height, width in ((_TOP, _LEFT, 160, 80), (_NEXT_TOP, _NEXT_LEFT, 24, 40)):
        picture[top - 2 : top + height + 2, left - 2 : left + width + 2] = _FRAME
    return picture


_BOXES, _BACKGROUND = _boxes(), _background()


def draw(cells: NDArray[numpy.uint8], next_piece: int | None) -> NDArray[numpy.uint8]:
    """Draws cells (uint8 of shape (20, 10): 1 is locked, 2 is the piece in the air) and the next piece (0 to 6).

    Returns uint8 of shape (240, 256, 3): red, green, blue.
    """
    picture = _BACKGROUND.copy()
    picture[_TOP : _TOP + 160, _LEFT : _LEFT + 80] = _cells(cells)
    box = _BOXES[len(_SHAPES) if next_piece is None else next_piece]
    picture[_NEXT_TOP : _NEXT_TOP + 24, _NEXT_LEFT : _NEXT_LEFT + 40] = box
    return picture


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
