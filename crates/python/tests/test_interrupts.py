"""Ctrl-C, forked processes, and players that play games themselves."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import maxout

#: Work that takes minutes or for ever.
LONG = {
    "simulate": "maxout.simulate('maxout', 50, jobs=2)",
    "simulate one game": "maxout.simulate('maxout', 1, stop='topout')",
    "simulate by a function": "maxout.simulate(last, 1_000_000, jobs=2)",
    "simulate by a function without an end": "maxout.simulate(forever, 1, jobs=2)",
    "play": "maxout.play('maxout', 100)",
    "play by a function": "maxout.play(last, 9_600)",
    "review": "[maxout.review(played, player='maxout-4ply', jobs=2) for _ in range(1_000)]",
    "movies": "[maxout.Movie.of_game(bytes(5_000_000)).write('long.fm2') for _ in range(99)]",
    "vector": "[games.step(games.sample_actions()) for _ in range(10_000)]",
    "vector with a reaction delay": "[slow.step(slow.sample_actions()) for _ in range(10_000)]",
    "vector of frames": "[frames.step(numpy.zeros(65_536, int)) for _ in range(1_000)]",
    "reset": "[slow.reset(seed=1) for _ in range(10_000)]",
    "afterstates": "[games.afterstates() for _ in range(10_000)]",
    "game": "[maxout.Game(0, 1).play(bytes(500_000_000)) for _ in range(1_000_000)]",
    "console": "maxout.emulator.Console().play(bytes(500_000_000))",
}

#: A job in the background of a script ignores Ctrl-C, and its children do, too.
LISTEN = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
LAST = "def last(seen):\n    return (seen.placements() or [None])[-1]"
#: What the work needs.
SETUP = {
    "review": "played = maxout.play('maxout-fast', stop='lines:4')[0]",
    "vector": "games = maxout.vector.NesTetris(200_000); games.reset(seed=1)",
    "vector with a reaction delay": "slow = maxout.vector.NesTetris(50_000, reaction=18, taps='30hz'); slow.reset(seed=1)",
    "vector of frames": "frames = maxout.vector.NesTetrisFrames(65_536, frame_skip=3600, threads=2); frames.reset(seed=1)",
    "reset": "slow = maxout.vector.NesTetris(50_000, reaction=18)",
    "afterstates": "games = maxout.vector.NesTetris(50_000); games.reset(seed=1)",
    "simulate by a function": LAST,
    "play by a function": LAST,
    "simulate by a function without an end": "def forever(seen):\n    while True: pass",
}


def spent(process: int) -> float:
    """Processor seconds of a process so far, with all its threads."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def ended() -> float:
    """Processor seconds of all children that have ended."""
    return os.times().children_user + os.times().children_system


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux says how long another process has worked")
@pytest.mark.parametrize("what", LONG)
def test_an_interrupt_ends_long_work_soon(what: str, tmp_path: object) -> None:
    setup = f"{LISTEN}import maxout, numpy\n{SETUP.get(what, '')}\nprint('begins', flush=True)\n"
    children = ended()
    child = subprocess.Popen(
        [sys.executable, "-B", "-c", setup + LONG[what]],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=str(tmp_path),
    )
    assert child.stdout
    assert child.stdout.readline() == "begins\n"
    time.sleep(1)
    assert child.poll() is None, child.communicate()
    before = spent(child.pid)
    child.send_signal(signal.SIGINT)
    try:
        _, said = child.communicate(timeout=30)
    finally:
        child.kill()
    assert said.strip().endswith("KeyboardInterrupt"), said
    # Two seconds on each of two cores, whatever else the machine does.
    assert ended() - children - before < 4


def right() -> None:
    maxout.Game(0, 1)


def wrong() -> None:
    with contextlib.suppress(TypeError):
        maxout.Game(0, "one")  # type: ignore[arg-type]


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer that sends signals")
@pytest.mark.parametrize("call", [right, wrong])
def test_no_interrupt_is_lost_while_arguments_are_read(call: Callable[[], object]) -> None:
    sent = caught = 0

    def interrupt(*_: object) -> None:
        nonlocal sent
        sent += 1
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for turn in range(100):
            try:
                signal.setitimer(signal.ITIMER_REAL, 0.001)
                while sent == turn:
                    call()
            except KeyboardInterrupt:
                caught += 1
    finally:
        signal.signal(signal.SIGALRM, before)
    assert (sent, caught) == (100, 100)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
@pytest.mark.parametrize(
    "make",
    [lambda: maxout.vector.NesTetris(200, threads=2), lambda: maxout.vector.NesTetrisFrames(200, threads=2)],
)
def test_games_with_threads_go_on_in_a_forked_process(make: Callable[[], maxout.vector.NesTetris]) -> None:
    games, twin = make(), make()
    for each in (games, twin):
        each.reset(seed=1)
        each.step(each.action_space.sample() * 0)
    child = os.fork()
    if not child:
        # Only the threads of this process do the work, and the games are the same.
        games.step(games.action_space.sample() * 0)
        twin.reset(seed=1)
        ended = bool((games.games.level == twin.games.level).all())
        del twin
        os._exit(0 if ended else 1)
    for _ in range(300):
        pid, status = os.waitpid(child, os.WNOHANG)
        if pid:
            break
        time.sleep(0.1)
    else:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        pytest.fail("the forked process hangs")
    assert os.waitstatus_to_exitcode(status) == 0
    games.step(games.action_space.sample() * 0)


def test_a_player_that_plays_itself_is_an_error_and_no_crash() -> None:
    start = "maxout.simulate(again, 1)"
    code = f"import maxout\ndef again(seen):\n    {start}\n    return seen.placements()[0]\n{start}"
    done = subprocess.run([sys.executable, "-B", "-c", code], capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done
    assert done.stderr.strip().splitlines()[-1].startswith("RecursionError: "), done.stderr


def test_a_player_may_play_games_to_decide() -> None:
    def curious(seen: maxout.Position) -> maxout.Placement | None:
        maxout.simulate("plateau17", 1, stop="lines:1")
        return None

    assert len(maxout.simulate(curious, 2)) == 2


def test_an_endless_recursion_in_an_argument_is_an_error() -> None:
    class Itself:
        def __index__(self) -> int:
            maxout.Game(level=self)  # type: ignore[arg-type]
            return 0

        def __repr__(self) -> str:
            maxout.Game(level=self)  # type: ignore[arg-type]
            return ""

    with pytest.raises(RecursionError):
        maxout.Game(level=Itself())  # type: ignore[arg-type]
