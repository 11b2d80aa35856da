"""Pictures of a game: against a slow and obvious drawing of all of it."""

from __future__ import annotations

from typing import Any

import maxout
import numpy
import pytest
from maxout.picture import draw
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


def naive(cells: NDArray[numpy.uint8], next_piece: int | None) -> NDArray[numpy.uint8]:
    """Draws everything."""
    picture = _background()
    picture[_TOP : _TOP + 160, _LEFT : _LEFT + 80] = _cells(cells)
    box = _boxes()[len(_SHAPES) if next_piece is None else next_piece]
    picture[_NEXT_TOP : _NEXT_TOP + 24, _NEXT_LEFT : _NEXT_LEFT + 40] = box
    return picture


def test_any_cells_and_pieces_are_drawn_as_by_the_slow_drawing() -> None:
    dice = numpy.random.default_rng(1)
    for next_piece in [None, *range(7)]:
        cells = dice.integers(0, 3, (20, 10), numpy.uint8)
        assert (draw(cells, next_piece) == naive(cells, next_piece)).all()
        assert (draw(cells[:, ::-1], next_piece) == naive(cells[:, ::-1], next_piece)).all()


@pytest.mark.parametrize("copy", [True, False])
def test_a_whole_game_is_drawn_as_by_the_slow_drawing(copy: bool) -> None:
    env = maxout.NesTetrisFrames(observation="picture", copy=copy, start_level=18, stop="topout", render_mode="rgb_array")
    seen: Any = env.reset(seed=3)[0]
    pictures, frames, over = [seen], 0, False
    while not over:
        seen, _, over, _, _ = env.step(frames * 7 % 12)
        frames += 1
        following = env.game.next
        if frames % 50 == 0 or over:
            wanted = naive(env.game.cells(), None if following is None else "TJZOSLI".index(following))
            rendered: Any = env.render()
            assert (seen == wanted).all() and (rendered == wanted).all() and rendered is not seen
        pictures = [pictures[-1], seen]
    assert frames > 300 and (pictures[0] is pictures[1]) == (not copy)
    first: Any = env.reset(seed=3)[0]
    again: Any = maxout.NesTetrisFrames(observation="picture", start_level=18).reset(seed=3)[0]
    assert (first == again).all(), "nothing of the old game is left"


def test_late_pictures_are_never_drawn_over() -> None:
    env = maxout.NesTetrisFrames(observation="picture", copy=False, reaction=3)
    now = maxout.NesTetrisFrames(observation="picture")
    env.reset(seed=5)
    past: list[Any] = [now.reset(seed=5)[0]]
    for _ in range(30):
        past.append(now.step(3)[0])
        seen: Any = env.step(3)[0]
        assert (seen == past[max(0, len(past) - 4)]).all()


@pytest.mark.parametrize(
    "call",
    [
        lambda: draw(numpy.zeros((10, 20), numpy.uint8), None),
        lambda: draw(numpy.zeros((20, 10), numpy.uint8), 7),
        lambda: maxout.NesTetrisFrames(copy="no"),  # type: ignore[arg-type]
    ],
)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected"):
        call()
