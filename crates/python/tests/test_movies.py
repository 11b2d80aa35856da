"""Movies, and games in the emulator."""

from __future__ import annotations

import binascii
import json
import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import maxout
import pytest

PROGRAM = os.environ.get("MAXOUT_BINARY") or shutil.which("maxout")


def lowest(seen: maxout.Position) -> maxout.Placement | None:
    """Puts each piece as low as it goes."""
    return max(seen.placements(), key=lambda place: place.y, default=None)


@pytest.fixture(scope="module")
def game() -> maxout.PlayedGame:
    """A short game of a function in the emulator."""
    (played,) = maxout.play(lowest, seed=125, level=18, stop="lines:2")
    return played


@pytest.mark.parametrize("extension", ["fm2", "bk2"])
def test_a_movie_reads_back_as_it_was_written(game: maxout.PlayedGame, tmp_path: Path, extension: str) -> None:
    path = tmp_path / f"game.{extension}"
    game.movie.write(path)
    read = maxout.Movie.read(path)
    assert read.buttons == game.buttons == game.movie.buttons and len(read) == len(game.buttons) + 1
    assert read.comments == game.movie.comments and read.rom_name == "maxout test cartridge"
    before = path.read_bytes()
    read.write(path)
    assert path.read_bytes() == before or extension == "bk2"
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_movie_goes_where_a_link_leads_and_keeps_the_mode(game: maxout.PlayedGame, tmp_path: Path) -> None:
    link, path, loop = (tmp_path / f"{name}.fm2" for name in ("link", "there", "loop"))
    link.symlink_to(path.name)
    game.movie.write(link)
    assert link.is_symlink() and path.is_file()
    path.chmod(0o640)
    game.movie.write(link)
    assert link.is_symlink() and path.stat().st_mode & 0o777 == 0o640
    assert maxout.Movie.read(path).buttons == game.buttons
    loop.symlink_to(loop.name)
    with pytest.raises(OSError, match="too many symbolic links"):
        game.movie.write(loop)


@pytest.mark.skipif(sys.platform == "win32", reason="locks are advice on POSIX alone")
def test_what_a_killed_process_left_goes_when_the_next_file_is_written(game: maxout.PlayedGame, tmp_path: Path) -> None:
    writes = "import maxout, sys\nmovie = maxout.Movie.of_game(bytes(5_000_000))\nwhile True: movie.write('long.fm2')"
    left: list[Path] = []
    for _ in range(20):
        child = subprocess.Popen([sys.executable, "-B", "-c", writes], cwd=tmp_path)
        try:
            for _ in range(3000):
                if left := list(tmp_path.glob(".maxout-*")):
                    break
                time.sleep(0.01)
        finally:
            child.kill()
            child.wait()
        # It may just have been given its name.
        if left := list(tmp_path.glob(".maxout-*")):
            break
    assert left
    game.movie.write(tmp_path / "game.fm2")
    assert list(tmp_path.glob(".*")) == []
    # A file that is being written is held, so nobody takes it for a leftover.
    folder = game.save(tmp_path)
    assert sorted(file.name for file in folder.iterdir()) == ["buttons.txt", "run.json"]


def test_threads_may_write_the_same_movie(game: maxout.PlayedGame, tmp_path: Path) -> None:
    path = tmp_path / "game.bk2"
    with ThreadPoolExecutor(8) as threads:
        list(threads.map(lambda _: game.movie.write(path), range(64)))
    assert maxout.Movie.read(path).buttons == game.buttons
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


def test_a_console_is_interrupted_by_ctrl_c() -> None:
    console = maxout.emulator.Console()
    timer = threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT))
    # A shell lets its background jobs ignore the signal, and Python respects that.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            console.play(bytes(200_000))
    finally:
        timer.cancel()
        signal.signal(signal.SIGINT, before)
    assert 0 < console.frames < 200_000 and console.frames % 512 == 0


def test_a_movie_plays_in_the_emulator_and_on_the_rules(game: maxout.PlayedGame) -> None:
    console = maxout.emulator.Console()
    console.play_movie(game.movie)
    assert f"{binascii.crc32(console.ram.tobytes()):08x}" == game.record["ram_crc32"]
    start = game.movie.start
    assert start == (18, 5, game.record["menu_frames"])
    level, seed, frames = start
    rules = maxout.Game(level, seed)
    rules.play(game.movie.buttons[frames:])
    assert (rules.score, rules.lines, rules.frames) == tuple(
        game.record[name] for name in ("score", "lines", "frames")
    )


def test_a_game_on_the_rules_gives_the_same_movie(game: maxout.PlayedGame, tmp_path: Path) -> None:
    pressed = game.buttons[game.record["menu_frames"] :]
    movie = maxout.Movie.of_game(pressed, level=18, seed=125, stop="lines:2")
    assert game.record["replans"] == 0 and movie == game.movie
    movie.write(tmp_path / "a.fm2")
    game.movie.write(tmp_path / "b.fm2")
    assert (tmp_path / "a.fm2").read_bytes() == (tmp_path / "b.fm2").read_bytes()


def test_a_game_in_the_emulator_is_the_game_on_the_model(game: maxout.PlayedGame) -> None:
    model = maxout.simulate(lowest, 1, seed=125, level=18, stop="lines:2")[0]
    for name in ("score", "lines", "level", "pieces", "frames", "tetrises", "topped_out"):
        assert model[name] == game.record[name], name


def test_a_run_is_saved_as_the_program_reads_it(game: maxout.PlayedGame, tmp_path: Path) -> None:
    parent = tmp_path / "not" / "there"
    folder, second = game.save(parent), game.save(str(parent))
    assert folder.name == "python-l18-s125-lines2-console" and second.name == folder.name + "-2"
    record = json.loads((folder / "run.json").read_text())
    assert record["format"] == "maxout-run 1" and record["player"] == "python"
    assert record == game.record and list(record) == list(game.record) and record["made_at"].endswith("Z")
    header, *lines = (folder / "buttons.txt").read_text().splitlines()
    assert header == "maxout-buttons 1"
    assert sum(int(line.split()[0]) for line in lines) == record["menu_frames"] + record["frames"]


@pytest.mark.skipif(PROGRAM is None, reason="no program: MAXOUT_BINARY names none, and there is none on the PATH")
def test_the_program_repeats_a_saved_run_and_makes_the_same_movie(game: maxout.PlayedGame, tmp_path: Path) -> None:
    folder, movie, ours = game.save(tmp_path), tmp_path / "theirs.fm2", tmp_path / "ours.fm2"
    told = subprocess.run(
        [str(PROGRAM), "replay", str(folder), "--movie", str(movie)], capture_output=True, text=True, check=True
    )
    assert "the same score and the same RAM as recorded" in told.stdout
    game.movie.write(ours)
    assert movie.read_bytes() == ours.read_bytes()


def test_errors_of_a_function_end_the_game() -> None:
    def bad(seen: maxout.Position) -> maxout.Placement:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        maxout.play(bad)


HOSTILE: list[Any] = [
    lambda: maxout.play("maxuot"),
    lambda: maxout.play("plateau17", seed=9_600),
    lambda: maxout.play("plateau17", rom=b"NES"),
    lambda: maxout.play("plateau17", rom=bytes(5 << 20)),
    lambda: maxout.play("plateau17", games=0),
    lambda: maxout.Movie.read("game.txt"),
    lambda: maxout.Movie.of_game(b"", seed=9_600),
    lambda: maxout.Movie.of_game(b"", level=20),
    lambda: maxout.Movie.of_game(b"", stop="never"),
    lambda: maxout.Movie.of_game(bytes(6_000_001)),
]


@pytest.mark.parametrize("call", HOSTILE)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected|did you mean"):
        call()


@pytest.mark.parametrize("content", [b"", b"version 2\n", b"version 3\n|0|", b"PK\x01\x02", b"\x00" * 100, b"version 3\n"])
@pytest.mark.parametrize("extension", ["fm2", "bk2"])
def test_hostile_files_raise_value_error(tmp_path: Path, content: bytes, extension: str) -> None:
    path = tmp_path / f"bad.{extension}"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="bad"):
        maxout.Movie.read(path)


def test_a_file_that_is_not_there_is_an_os_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        maxout.Movie.read(tmp_path / "none.fm2")
