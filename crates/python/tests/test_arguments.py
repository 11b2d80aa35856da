"""What arguments may be, and what the errors say of those that may not."""

import importlib.metadata
import json
import time
from pathlib import Path
from typing import Any

import numpy
import pytest

import maxout

HUGE = "x" * 1_000_000
LONG_PATH = "x/" * 1_000_000
BOARD = maxout.Board("####.#####\n" * 4)
MOVIE = maxout.Movie.of_game(b"")


class Told:
    """An object with a million letters."""

    def __repr__(self) -> str:
        return HUGE


#: Calls with an argument of a million letters, or of as many digits.
CALLS: list[Any] = [
    lambda it: maxout.Player(it),
    lambda it: maxout.Player(taps=it),
    lambda it: maxout.Player(taps=f"{it}+das"),
    lambda it: maxout.Player(taps=f"X{'.X' * 500_000}"),
    lambda it: maxout.Player(reaction=it),
    lambda it: maxout.Player(aggression=it),
    lambda it: maxout.simulate(it, 1),
    lambda it: maxout.simulate("maxout", it),
    lambda it: maxout.simulate("maxout", 1, it),
    lambda it: maxout.simulate("maxout", 1, stop=it),
    lambda it: maxout.simulate("maxout", 1, stop=f"lines:{'9' * 1_000_000}"),
    lambda it: maxout.simulate("maxout", 1, misdrop=it),
    lambda it: maxout.simulate(lambda seen: it, 1),
    lambda it: maxout.play(it),
    lambda it: maxout.play("maxout", rom=it),
    lambda it: maxout.play("maxout", level=it),
    lambda it: maxout.review(it),
    lambda it: maxout.review(MOVIE, player=it),
    lambda it: maxout.review(MOVIE, taps=it),
    lambda it: maxout.review(MOVIE, rom=it),
    lambda it: maxout.review(LONG_PATH + ".ngf"),
    lambda it: maxout.review(LONG_PATH),
    lambda it: maxout.analyze(BOARD, it),
    lambda it: maxout.analyze(BOARD, "T", it),
    lambda it: maxout.analyze(BOARD, "T", player=it),
    lambda it: maxout.analyze(BOARD, "T", taps=it),
    lambda it: maxout.analyze(BOARD, "T", aggression=it),
    lambda it: maxout.placements(BOARD, it, 0),
    lambda it: maxout.placements(BOARD, "T", it),
    lambda it: maxout.placements(BOARD, "T", 0, taps=it),
    lambda it: maxout.hovers(BOARD, "T", 0, it),
    lambda it: maxout.Position(BOARD, it, "T", 0, 0),
    lambda it: maxout.Placement(it, 0, 0),
    lambda it: maxout.Board(it),
    lambda it: maxout.Board("1" * 1_000_000),
    lambda it: maxout.Board.from_array(it),
    lambda it: maxout.Board.from_array(numpy.array([[HUGE]])),
    lambda it: maxout.Board.from_array(numpy.zeros((20, 10), [(f"field{i}", "u1") for i in range(10_000)])),
    lambda it: maxout.Game(it),
    lambda it: maxout.Game(0, it),
    lambda it: maxout.Game().step(it),
    lambda it: maxout.Game().peek(it),
    lambda it: maxout.Movie.read(it),
    lambda it: maxout.Movie.read(LONG_PATH + ".fm2"),
    lambda it: maxout.Movie.of_game(b"", player=it),
    lambda it: maxout.Movie.of_game(b"", stop=it),
    lambda it: maxout.Movie.of_game(b"", rom=it),
    lambda it: MOVIE.write(it),
    lambda it: MOVIE.write(LONG_PATH + ".bk2"),
    lambda it: maxout.PlayedGame({}, b"", MOVIE).save(it),
    lambda it: maxout.PlayedGame({it: it, "score": it}, b"", MOVIE).save("runs"),
    lambda it: maxout.emulator.Console(it),
    lambda it: maxout.NesTetris(stop=it),
    lambda it: maxout.NesTetris(taps=it),
    lambda it: maxout.NesTetris(reaction=it),
    lambda it: maxout.NesTetris(reward=it),
    lambda it: maxout.NesTetris(illegal=it),
    lambda it: maxout.NesTetris(pieces=it),
    lambda it: maxout.NesTetris(render_mode=it),
    lambda it: maxout.NesTetris(start_level=it),
    lambda it: maxout.NesTetrisFrames(stop=it),
    lambda it: maxout.NesTetrisFrames(observation=it),
    lambda it: maxout.NesTetrisFrames(reward=it),
    lambda it: maxout.NesTetrisFrames(actions=[it]),
    lambda it: maxout.NesTetrisFrames(frame_skip=it),
    lambda it: maxout.NesTetrisFrames(copy=it),
    lambda it: maxout.vector.NesTetris(it),
    lambda it: maxout.vector.NesTetris(2, threads=it),
    lambda it: maxout.vector.NesTetris(2, autoreset=it),
    lambda it: maxout.vector.NesTetrisFrames(2, autoreset=it),
    lambda it: maxout.vector.NesTetris(2).reset(seed=it),
    lambda it: maxout.vector.NesTetris(2).reset(seed=1, options={"reset_mask": it}),
    lambda it: maxout.vector.NesTetris(2).step(it),
]


@pytest.mark.parametrize("it", [HUGE, 10**5_000, [HUGE], Told(), HUGE.encode()], ids=["text", "int", "list", "repr", "bytes"])
@pytest.mark.parametrize("call", CALLS)
def test_a_message_is_short_however_long_the_argument_is(call: Any, it: Any) -> None:
    begun = time.process_time()
    with pytest.raises((ValueError, TypeError, OverflowError, OSError)) as raised:
        call(it)
    message = str(raised.value)
    assert 5 < len(message) <= 600 and "\n" not in message, message[:1_000]
    assert time.process_time() - begun < 3


@pytest.mark.parametrize(
    "cells",
    [
        numpy.full((20, 10), numpy.nan),
        numpy.full((20, 10), numpy.inf),
        numpy.full((20, 10), 0.5),
        numpy.full((20, 10), ""),
        numpy.full((20, 10), "#"),
        numpy.full((20, 10), numpy.datetime64("2026-11-28")),
        numpy.full((20, 10), numpy.timedelta64(0)),
        numpy.full((20, 10), 0j),
        numpy.full((20, 10), None),
        numpy.zeros((20, 10), [("cell", "u1")]),
        numpy.zeros(200, numpy.uint8),
        numpy.zeros((1, 20, 10), numpy.uint8),
        [[0] * 10] * 19,
        [[0] * 10, [0] * 9],
        "." * 200,
        None,
        {},
    ],
)
def test_cells_that_are_no_numbers_are_refused(cells: Any) -> None:
    with pytest.raises(ValueError, match=r"^cells .* expected .*\(20, 10\)"):
        maxout.Board.from_array(cells)


@pytest.mark.parametrize("kind", [bool, numpy.uint8, numpy.int64, float, numpy.float32])
def test_cells_of_any_number_type_are_read(kind: Any) -> None:
    cells = BOARD.to_array()
    assert maxout.Board.from_array(cells.astype(kind)) == BOARD
    assert maxout.Board.from_array(cells.tolist()) == BOARD


def test_a_board_is_read_from_digits() -> None:
    digits = "".join(map(str, BOARD.to_array().ravel()))
    assert len(digits) == 200 and maxout.Board(digits) == BOARD
    assert maxout.Board("\n".join(digits[row * 10 :][:10] for row in range(20))) == BOARD
    with pytest.raises(ValueError, match="board has 199 digits, expected 200"):
        maxout.Board(digits[1:])


def test_a_board_is_read_in_every_form() -> None:
    waiting = maxout.Board("#########.\n" * 4)
    rows = ["#########."] * 4
    for text in ["16,,4", "|######### |\n" * 4, "xxxxxxxxx.\r\n" * 4, "\ufeff" + "\n".join(rows), json.dumps(rows)]:
        assert maxout.Board(text) == waiting, text
    assert maxout.Board(json.dumps(BOARD.to_array().tolist())) == BOARD
    assert maxout.Board(str(BOARD.to_array() * 3)) == BOARD
    for text, words in [("16,,3", "19 rows"), ("..........\n####?#####", 'row 2, column 5 has "\\?"'), ("[[1]]", "row 1 has 1 cells")]:
        with pytest.raises(ValueError, match=words):
            maxout.Board(text)


@pytest.mark.parametrize("value", [True, False, numpy.True_])
def test_a_truth_value_is_no_number(value: Any) -> None:
    for call in (lambda: maxout.Game(level=value), lambda: maxout.simulate("maxout", value)):
        with pytest.raises(TypeError, match="expected a whole number"):
            call()


@pytest.mark.parametrize("name", ["", "a\nb", "\0", "\u2028", "x" * 201, "a\tb"])
def test_a_movie_that_would_not_read_back_is_not_made(name: str) -> None:
    with pytest.raises(ValueError, match="^player is .*, expected a name of 1 to 200 characters on one line"):
        maxout.Movie.of_game(b"", player=name)


@pytest.mark.parametrize("extension", ["fm2", "bk2"])
@pytest.mark.parametrize("name", ["é" * 200, " a ", "|0|", "\\n", "comment player", "{}", "\ufeff"])
def test_the_movie_of_a_game_reads_back_whoever_played_it(name: str, extension: str, tmp_path: Path) -> None:
    file = tmp_path / f"game.{extension}"
    movie = maxout.Movie.of_game(bytes(range(256)), player=name, stop="lines:3300", seed=9_599, level=0)
    movie.write(file)
    again = maxout.Movie.read(file)
    assert again.buttons == movie.buttons and again.comments == movie.comments
    assert again.start == movie.start is not None


def test_errors_name_the_file(tmp_path: Path) -> None:
    there = tmp_path / "there.fm2"
    there.write_bytes(b"version 3\nnonsense\n")
    game = maxout.PlayedGame({}, b"", MOVIE)
    missing: list[tuple[Any, str]] = [
        (lambda: maxout.Movie.read("missing.fm2"), "missing.fm2"),
        (lambda: maxout.review("missing.bk2"), "missing.bk2"),
        (lambda: maxout.review("missing.ngf"), "missing.ngf"),
        (lambda: maxout.review("missing"), "missing"),
        (lambda: maxout.emulator.Console("missing.nes"), "missing.nes"),
        (lambda: maxout.play("maxout", rom=Path("missing.nes")), "missing.nes"),
        (lambda: MOVIE.write(Path("missing") / "game.fm2"), str(Path("missing") / "game.fm2")),
    ]
    for call, name in missing:
        with pytest.raises(FileNotFoundError) as raised:
            call()
        assert raised.value.filename == name and "No such file or directory" in str(raised.value), raised.value
    with pytest.raises(OSError) as raised_on_folder:
        maxout.emulator.Console(tmp_path)
    assert raised_on_folder.value.filename == str(tmp_path)
    wrong: list[tuple[Any, str]] = [
        (lambda: maxout.Movie.read(there), "there.fm2"),
        (lambda: maxout.emulator.Console(there), "there.fm2"),
        (lambda: maxout.play("maxout", rom=there), "there.fm2"),
        (lambda: game.save(tmp_path / "runs"), "run record"),
    ]
    run = tmp_path / "run"
    run.mkdir()
    (run / "run.json").write_text("{}")
    (run / "buttons.txt").write_text("")
    wrong.append((lambda: maxout.review(run), str(run)[:40]))
    (tmp_path / "odd.ngf").write_bytes(b"odd")
    wrong.append((lambda: maxout.review(tmp_path / "odd.ngf"), "odd.ngf"))
    for call, name in wrong:
        with pytest.raises(ValueError) as told:
            call()
        assert name in str(told.value), told.value


def test_the_package_says_its_version() -> None:
    assert maxout.__version__ == importlib.metadata.version("maxout")
