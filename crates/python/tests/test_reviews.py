"""Reviews of games: against the program's own, and the same from every source of a game."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import threading
from pathlib import Path
from typing import Any

import maxout
import numpy
import pytest
from maxout.reviews import CLASSES, _boards

PROGRAM = os.environ.get("MAXOUT_BINARY") or shutil.which("maxout")
needs_program = pytest.mark.skipif(
    PROGRAM is None, reason="no program: MAXOUT_BINARY names none, and there is none on the PATH"
)
#: Where the program's JSON has each number of a placement.
KEYS: dict[str, list[str]] = {
    **{name: [name] for name in ("frame", "level", "lines", "piece", "class", "loss", "within_limits")},
    **{name: [name] for name in ("missed_tetris", "missed_adjustment")},
    **{name: ["played", name] for name in ("points", "topout", "value")},
    **{f"best_{name}": ["best", name] for name in ("points", "topout", "value")},
    **{name: ["played", "placement", name] for name in ("y", "x")},
    **{f"best_{name}": ["best", "placement", name] for name in ("y", "x")},
}


def lowest(seen: maxout.Position) -> maxout.Placement | None:
    """Puts each piece as low as it goes."""
    return max(seen.placements(), key=lambda place: place.y, default=None)


@pytest.fixture(scope="module")
def game() -> maxout.PlayedGame:
    """A short game of a function in the emulator."""
    (played,) = maxout.play(lowest, seed=125, level=18, stop="lines:2")
    return played


def same(one: maxout.ReviewedGame, other: maxout.ReviewedGame) -> bool:
    """Whether two reviews say the same. Runs and movies count frames from different ones on."""
    names = [name for name in one.placements.dtype.names or () if name != "frame"]
    equal = all((one.placements[name] == other.placements[name]).all() for name in names)
    return bool(equal and (one.boards == other.boards).all() and one.phases == other.phases)


def test_a_review_says_what_each_placement_lost(game: maxout.PlayedGame) -> None:
    (reviewed,) = maxout.review(game)
    placements = reviewed.placements
    # The piece that tops out is none, and here there is no top-out.
    assert len(placements) == game.record["pieces"] == len(reviewed.boards) and reviewed.unread == []
    assert (placements["loss"] >= 0).all() and set(placements["class"]) <= set(CLASSES)
    board = maxout.Board()
    for row, cells in zip(placements, reviewed.boards):
        assert (board.to_array() == cells).all()
        place = maxout.Placement(row["y"], row["orientation"], row["x"])
        assert place.piece == row["piece"] and place in maxout.placements(board, str(row["piece"]), row["level"])
        board, _ = board.lock(place)
    whole = reviewed.phases[0]
    assert (whole.phase, whole.pieces) == ("all", len(placements)) and 0 <= whole.accuracy <= 100
    assert sum(whole.classes.values()) == whole.pieces
    assert whole.lost == pytest.approx(placements["loss"].sum(dtype=numpy.float64), rel=1e-4)
    (balance,) = reviewed.balance
    assert balance.to_level == 29 and balance.made == game.record["line_points"]
    closed = balance.expected - balance.lost + balance.luck - balance.made - balance.left
    assert closed == pytest.approx(0, abs=1) and balance.left > 1_000_000


def test_every_source_of_a_game_is_reviewed_alike_by_any_number_of_threads(
    game: maxout.PlayedGame, tmp_path: Path
) -> None:
    (reviewed,) = maxout.review(game)
    folder = game.save(tmp_path)
    for extension in ("fm2", "bk2"):
        game.movie.write(tmp_path / f"game.{extension}")
    for source in (game.movie, folder, folder / "run.json", tmp_path / "game.fm2", str(tmp_path / "game.bk2")):
        (other,) = maxout.review(source, jobs=2)
        assert same(reviewed, other), source
    (slow,) = maxout.review(game, taps="0,40", player=maxout.Player("maxout-fast"))
    assert len(slow.placements) == len(reviewed.placements) and not same(reviewed, slow)


@needs_program
def test_the_program_says_the_same(game: maxout.PlayedGame, tmp_path: Path) -> None:
    folder, json_file, recording = game.save(tmp_path), tmp_path / "review.json", tmp_path / "game.ngf.gz"
    movie = tmp_path / "game.fm2"
    game.movie.write(movie)
    run: Any = lambda *words: subprocess.run([str(PROGRAM), *map(str, words)], check=True, capture_output=True)
    run("replay", folder, "--champs", recording)
    for source in (folder, movie, recording):
        run("review", source, "--player", "maxout-fast", "--playouts", "0", "--json", json_file)
        theirs, ours = json.loads(json_file.read_text()), maxout.review(source)
        assert len(theirs) == len(ours) == 1
        assert len(theirs[0]["placements"]) == len(ours[0].placements) > 5
        assert [(one["frame"], one["reason"]) for one in theirs[0]["unread"]] == ours[0].unread
        for said, row, board in zip(theirs[0]["placements"], ours[0].placements, ours[0].boards):
            for name, path in KEYS.items():
                value: Any = said
                for key in path:
                    value = value[key]
                value = numpy.float32(value) if row.dtype[name] == numpy.float32 else value
                assert row[name] == value, (source, name)
            assert (said["next"] or "") == row["next"]
            for name in ("y", "orientation", "x"):
                assert row[f"misdrop_{name}"] == (said["misdrop"] or {name: -1})[name]
            assert str(maxout.Board("\n".join(said["board"]))) == str(maxout.Board.from_array(board))
        for theirs_sum, ours_sum in zip(theirs[0]["phases"], ours[0].phases, strict=True):
            assert theirs_sum["phase"] == ours_sum.phase and theirs_sum["pieces"] == ours_sum.pieces
            assert numpy.float32(theirs_sum["accuracy"]) == numpy.float32(ours_sum.accuracy)
            assert theirs_sum["classes"] == list(ours_sum.classes.values())
            lost = [numpy.float32(points) for points in theirs_sum["lost_by_class"]]
            assert lost == [numpy.float32(points) for points in ours_sum.lost_by_class.values()]


@needs_program
def test_a_game_of_ones_own_player_goes_into_the_run_library(game: maxout.PlayedGame, tmp_path: Path) -> None:
    runs, folder = tmp_path / "library", game.save(tmp_path)

    def maxout_says(*words: object) -> str:
        command = [str(PROGRAM), *map(str, words), "--runs", str(runs)]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout

    assert "run 1 from" in maxout_says("runs", "import", folder)
    assert "has it as run 1" in maxout_says("runs", "import", folder)
    assert "python" in maxout_says("runs", "list", "--player", "python")
    assert "the same score and the same RAM as recorded" in maxout_says("replay", 1)
    assert "1 of 1 run verified" in maxout_says("runs", "verify")


def test_a_review_is_interrupted_by_ctrl_c(game: maxout.PlayedGame) -> None:
    # The strongest player takes seconds for this game.
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    # A shell lets its background jobs ignore the signal, and Python respects that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            for _ in range(1000):
                maxout.review(game, player="maxout")
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)


def changed(game: maxout.PlayedGame, **fields: Any) -> maxout.PlayedGame:
    """The game with another record."""
    return maxout.PlayedGame({**game.record, **fields}, game.buttons, game.movie)


@pytest.mark.parametrize(
    "fields",
    [
        {"score": 7},
        {"seed": 8_000},
        {"seed": -1},
        {"seed": 2**64},
        {"start_level": 20},
        {"lines": "many"},
        {"pieces": None},
        {"menu_frames": 2**63},
    ],
)
def test_a_run_that_is_not_as_its_record_says_is_refused(game: maxout.PlayedGame, fields: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        maxout.review(changed(game, **fields))


def test_hostile_arguments_raise_value_error(game: maxout.PlayedGame) -> None:
    calls: list[Any] = [
        lambda: maxout.review(game, player="maxuot"),
        lambda: maxout.review(game, player="plateau17"),
        lambda: maxout.review(game, taps="never"),
        lambda: maxout.review(game, jobs=0),
        lambda: maxout.review(game, rom="tetris.nes"),
        lambda: maxout.review(game.movie, rom=b"NES"),
        lambda: maxout.review(maxout.Movie.of_game(b"", level=18)),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="expected|did you mean"):
            call()
    with pytest.raises(TypeError, match="expected a PlayedGame, a Movie or a path"):
        maxout.review(7)  # type: ignore[arg-type]
    with pytest.raises(FileNotFoundError):
        maxout.review("none.ngf")
    with pytest.raises(FileNotFoundError):
        maxout.review("no-run")


@pytest.mark.parametrize(
    ("file", "content"),
    [
        ("run.json", b""),
        ("run.json", b"[]"),
        ("run.json", b"[" * 100_000),
        ("run.json", b"\xff"),
        ("run.json", b" " * (1 << 20 | 1)),
        ("run.json", b'{"format": "maxout-run 9"}'),
        ("run.json", b'{"format": "maxout-run 1", "frames": 1e400, "menu_frames": 0}'),
        ("buttons.txt", b""),
        ("buttons.txt", b"maxout-buttons 1\n"),
        ("buttons.txt", b"maxout-buttons 1\n5 nothing\n"),
        ("buttons.txt", b"maxout-buttons 1\n99999999999 ........\n"),
        ("buttons.txt", b"maxout-buttons 1\n" + b"9" * 10_000 + b" ........\n"),
        ("buttons.txt", b"maxout-buttons 1\n-5 ........\n"),
        ("game.ngf", b""),
        ("game.ngf", b"\x1f\x8b\x08\x00"),
        ("game.ngf", b"NES" * 1000),
    ],
)
def test_hostile_files_raise_value_error(
    game: maxout.PlayedGame, tmp_path: Path, file: str, content: bytes
) -> None:
    folder = game.save(tmp_path)
    (folder / file).write_bytes(content)
    with pytest.raises(ValueError, match="expected|not a run record|promises"):
        maxout.review(folder / file if file == "game.ngf" else folder)


@needs_program
def test_each_game_is_judged_in_its_own_region(tmp_path: Path) -> None:
    """Equal presses a second are not equal frames: both games are judged as the program judges them."""
    run: Any = lambda *words: subprocess.run([str(PROGRAM), *map(str, words)], check=True, capture_output=True)
    library, json_file = tmp_path / "runs", tmp_path / "review.json"
    game = ("--player", "maxout-2ply", "--start-level", 18, "--stop", "lines:4", "--seed", 4301)
    for region in (["--pal"], []):
        run("sim", *region, *game, "--runs", library)
    within = ("--player", "maxout-fast", "--taps", "12hz", "--playouts", 0)
    run("review", 1, 2, "--runs", library, *within, "--json", json_file)
    run("runs", "export", 1, 2, "--format", "folder", "-o", tmp_path / "out", "--runs", library)
    theirs = json.loads(json_file.read_text())
    folders = sorted(file.parent for file in (tmp_path / "out").rglob("run.json"))
    assert len(folders) == len(theirs) == 2
    ours = [maxout.review(folder, taps="12hz")[0] for folder in folders]
    said = [[placement["loss"] for placement in game["placements"]] for game in theirs]
    for game_of_ours, losses in zip(ours, said):
        assert (game_of_ours.placements["loss"] == numpy.array(losses, numpy.float32)).all()
    # A rate that only the PAL version has is taken for its games alone.
    pal, ntsc = folders
    assert maxout.review(pal, taps="12.5hz")
    with pytest.raises(ValueError, match="taps is 12.5hz, only the PAL version has this rate"):
        maxout.review(ntsc, taps="12.5hz")
    # A hand that counts the frames of the other region reaches other places.
    assert len(said[0]) != len(said[1]) or said[0] != said[1]


def test_cells_above_the_field_move_no_board() -> None:
    """A board is drawn with up to two rows more where cells lie above the field."""
    field = ["." * 10] * 19 + ["#" * 9 + "."]
    above = ["...#......", "...##....."]
    boards = _boards([{"board": above + field}, {"board": field}, {"board": above[1:] + field}])
    assert boards.shape == (3, 20, 10)
    assert all((board == boards[1]).all() for board in boards) and boards[1].sum() == 9
