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
#: The field's first pixel and that of the next box, as on the console's screen (the-game.md 10.4); a cell is 8 pixels wide.
_TOP, _LEFT, _CELL = 48, 96, 8
_NEXT_TOP, _NEXT_LEFT = 112, 192
#: Rows and columns of each piece, in the order T J Z O S L I, and its corner in the next box.
_SHAPES = (
    ((0, 0), (0, 1), (0, 2), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 2)),
    ((0, 0), (0, 1), (1, 1), (1, 2)),
    ((0, 0), (0, 1), (1, 0), (1, 1)),
    ((0, 1), (0, 2), (1, 0), (1, 1)),
    ((0, 0), (0, 1), (0, 2), (1, 0)),
    ((0, 0), (0, 1), (0, 2), (0, 3)),
)
_CORNERS = ((8, 4), (8, 4), (8, 4), (8, 8), (8, 4), (8, 4), (12, 0))


_COLOURS = numpy.array([(0, 0, 0), _LOCKED, _AIR], numpy.uint8)


def _cells(cells: NDArray[numpy.uint8]) -> NDArray[numpy.uint8]:
    """Draws cells: 8 by 8 pixels each, with a dark line between them."""
    pixels = _COLOURS[cells].repeat(_CELL, 0).repeat(_CELL, 1)
    pixels[_CELL - 1 :: _CELL] = 0
    pixels[:, _CELL - 1 :: _CELL] = 0
    return pixels


def _box(piece: int | None) -> NDArray[numpy.uint8]:
    """Draws a piece in the middle of the next box."""
    box = numpy.zeros((4 * _CELL, 4 * _CELL, 3), numpy.uint8)
    if piece is not None:
        top, left = _CORNERS[piece]
        for row, column in _SHAPES[piece]:
            y, x = top + row * _CELL, left + column * _CELL
            box[y : y + _CELL - 1, x : x + _CELL - 1] = _AIR
    return box


def _background() -> NDArray[numpy.uint8]:
    picture = numpy.empty((240, 256, 3), numpy.uint8)
    picture[:] = _BACK
    for top, left, height, width in ((_TOP, _LEFT, 160, 80), (_NEXT_TOP, _NEXT_LEFT, 32, 32)):
        picture[top - 2 : top + height + 2, left - 2 : left + width + 2] = _FRAME
    return picture


def naive(cells: NDArray[numpy.uint8], next_piece: int | None) -> NDArray[numpy.uint8]:
    """Draws everything."""
    picture = _background()
    picture[_TOP : _TOP + 160, _LEFT : _LEFT + 80] = _cells(cells)
    picture[_NEXT_TOP : _NEXT_TOP + 32, _NEXT_LEFT : _NEXT_LEFT + 32] = _box(next_piece)
    return picture


def test_any_cells_and_pieces_are_drawn_as_by_the_slow_drawing() -> None:
    dice = numpy.random.default_rng(1)
    for next_piece in [None, *range(7)]:
        cells = dice.integers(0, 3, (20, 10), numpy.uint8)
        assert (draw(cells, next_piece) == naive(cells, next_piece)).all()
        assert (draw(cells[:, ::-1], next_piece) == naive(cells[:, ::-1], next_piece)).all()


def test_the_field_is_where_the_emulator_has_it() -> None:
    (game,) = maxout.play("plateau17", seed=3, level=19, stop="lines:1")
    console, compared = maxout.emulator.Console(), 0
    for frame, buttons in enumerate(game.movie.buttons):
        console.step(buttons)
        # A piece is in the air (play state 1), and the field is drawn.
        if frame % 50 or console.ram[0x48] != 1 or console.ram[0xC0] != 4:
            continue
        cells = (console.ram[0x400:0x4C8] != 0xEF).astype(numpy.uint8).reshape(20, 10)
        for row, column in maxout.Placement(*(int(console.ram[at]) for at in (0x41, 0x42, 0x40))).cells:
            if row >= 0:
                cells[row, column] = 2
        seen, drawn = (
            picture[_TOP : _TOP + 160, _LEFT : _LEFT + 80].max(axis=2) > 40 for picture in (console.picture(), draw(cells, None))
        )
        assert seen.any() and (seen == drawn).all(), f"frame {frame}"
        compared += 1
    assert compared > 5


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
