"""Players, whole games, rankings and the emulator."""

from __future__ import annotations

from typing import Any

import maxout
import numpy
import pytest

BOARD = maxout.Board("....#.....\n#..###....\n######.##.\n#########.")


def lowest(seen: maxout.Position) -> maxout.Placement | None:
    """Puts each piece as low as it goes."""
    return max(seen.placements(), key=lambda place: place.y, default=None)


def test_simulated_games_are_the_same_for_any_number_of_threads() -> None:
    one = maxout.simulate("plateau17", 4, seed=60_000)
    two = maxout.simulate(maxout.Player("plateau17"), 4, seed=60_000, jobs=2)
    assert (one == two).all() and list(one["seed"]) == [60_000, 60_001, 60_002, 60_003]
    assert (one["score"] >= one["line_points"]).all() and one["pieces"].min() > 50


def test_simulated_games_have_the_names_and_values_of_a_record() -> None:
    (played,) = maxout.play("plateau17", seed=125, level=18, stop="lines:4")
    (simulated,) = maxout.simulate("plateau17", 1, seed=125, level=18, stop="lines:4")
    names = maxout.GAME_RECORD.names or ()
    assert {name: simulated[name].item() for name in names} == {name: played.record[name] for name in names}
    assert {"line_points", "shown_score", "crashed"} <= set(names)


def test_a_function_plays() -> None:
    played = maxout.simulate(lowest, 3, seed=7, jobs=2, level=18, stop="topout")
    assert played["topped_out"].all() and (played == maxout.simulate(lowest, 3, 7, level=18, stop="topout")).all()
    slow = maxout.simulate(lowest, 1, taps="10hz")
    assert slow["pieces"][0] > 5


def test_errors_of_a_function_come_back() -> None:
    def bad(seen: maxout.Position) -> maxout.Placement:
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        maxout.simulate(bad, 5, jobs=2)
    with pytest.raises(ValueError, match="expected one of Position.placements"):
        maxout.simulate(lambda seen: maxout.Placement(3, 0, 0), 1)
    with pytest.raises(TypeError, match="expected a Placement or None"):
        maxout.simulate(lambda seen: 5, 1)  # type: ignore[arg-type, return-value]


def test_a_player_decides_and_its_buttons_lead_there() -> None:
    seen = maxout.Position(BOARD, "J", "I", 19, 120)
    plan = maxout.Player("maxout-fast").plan(seen)
    assert plan is not None and plan.placement in seen.placements()
    assert maxout.Player("plateau17", taps="12hz").limits.startswith("taps 12hz")
    assert maxout.Player("maxout-fast", taps="12hz+das").limits.startswith("taps 12hz+das, ")


def test_players_take_a_reaction_delay() -> None:
    late = maxout.Player("maxout-fast", taps="12hz", reaction=18)
    assert late.limits == "taps 12hz, reaction delay of 18 frames"
    with pytest.raises(ValueError, match="two steps"):
        late.plan(maxout.Position(BOARD, "J", "I", 19, 120))
    one = maxout.simulate(late, 1, seed=60_000, stop="lines:30")
    two = maxout.simulate("maxout-fast", 1, seed=60_000, stop="lines:30", taps="12hz", reaction=18)
    at_once = maxout.simulate("maxout-fast", 1, seed=60_000, stop="lines:30", taps="12hz")
    assert (one == two).all() and (one != at_once).all()
    blind = maxout.Player("maxout-fast", reaction="none-after-spawn")
    plans = [blind.plan(maxout.Position(BOARD, "J", following, 19, 120)) for following in "TJZOSLI"]
    assert len({plan.placement for plan in plans if plan is not None}) == 1
    (game,) = maxout.play("maxout-fast", seed=7, stop="lines:2", reaction="none-after-spawn")
    assert game.record["limits"].endswith("the new next piece unknown while a piece falls")


def test_hands_misdrop() -> None:
    sure = maxout.simulate("maxout-fast", 1, seed=60_000, stop="lines:30")
    shaky = maxout.simulate("maxout-fast", 1, seed=60_000, stop="lines:30", misdrop=0.05)
    again = maxout.simulate("maxout-fast", 1, seed=60_000, stop="lines:30", misdrop=0.05)
    assert (shaky == again).all() and (shaky != sure).all()
    asked = []

    def counted(seen: maxout.Position) -> maxout.Placement | None:
        asked.append(seen)
        return lowest(seen)

    (row,) = maxout.simulate(counted, 1, seed=7, level=18, stop="topout", misdrop=0.5)
    # After a misdrop, the function is asked again about the same piece.
    assert len(asked) > row["pieces"]
    (game,) = maxout.play("maxout-fast", seed=7, stop="lines:2", misdrop=0.05)
    assert game.record["limits"].endswith("misdrop rate 0.05")


def test_the_double_killscreen_is_a_rule_of_the_model() -> None:
    plain = maxout.simulate("maxout-fast", 1, seed=60_000, level=18, stop="lines:430")
    double = maxout.simulate("maxout-fast", 1, seed=60_000, level=18, stop="lines:430", double_killscreen=True)
    assert plain["lines"] > 330 and (plain["frames"] != double["frames"]).all()
    for player in ["clairvoyant", "gamepad2014"]:
        with pytest.raises(ValueError, match=f"double_killscreen: {player} does not know it"):
            maxout.simulate(player, 1, double_killscreen=True)


def test_players_take_an_aggression() -> None:
    assert maxout.Player("maxout-fast", aggression="normal").name == "maxout-fast"
    assert maxout.Player("maxout-fast", aggression=-2).name == "maxout-fast+safer"
    assert maxout.Player("maxout", taps="12hz", aggression=1.5).name == "maxout+1.5"
    plain = maxout.simulate("maxout-fast", 1, seed=60_000)
    normal = maxout.simulate("maxout-fast", 1, seed=60_000, aggression=0)
    named = maxout.simulate("maxout-fast", 1, seed=60_000, aggression="boldest")
    made = maxout.simulate(maxout.Player("maxout-fast", aggression=3.0), 1, seed=60_000)
    assert (plain == normal).all() and (named == made).all() and (plain != named).all()
    (game,) = maxout.play("maxout-fast", seed=7, stop="lines:2", aggression="boldest")
    assert game.record["player"] == "maxout-fast+boldest"
    assert (maxout.simulate(lowest, 1, aggression="normal") == maxout.simulate(lowest, 1)).all()


def test_all_players_are_listed() -> None:
    listed = {player.name: player for player in maxout.players()}
    assert len(listed) == len(maxout.players()) >= 30
    fast = listed["maxout-fast"]
    assert fast.learned and fast.fair and fast.plies >= 2 and fast.source
    assert not listed["clairvoyant"].fair and not listed["plateau17"].learned
    assert len(maxout.simulate(listed["plateau17"], 1, stop="lines:1")) == 1


HOSTILE: list[Any] = [
    lambda: maxout.Player("maxuot"),
    lambda: maxout.Player("clairvoyant", taps="12hz"),
    lambda: maxout.Player("plateau17", taps="das"),
    lambda: maxout.Player("maxout-fast", taps="slow5+das"),
    lambda: maxout.Player("clairvoyant", reaction=1),
    lambda: maxout.Player("plateau17", reaction=18),
    lambda: maxout.Player("maxout", reaction=256),
    lambda: maxout.Player("maxout", reaction="late"),
    lambda: maxout.Player("maxout", aggression="wild"),
    lambda: maxout.Player("maxout", aggression=3.1),
    lambda: maxout.Player("maxout", aggression=float("nan")),
    lambda: maxout.Player("maxout", aggression=10**400),
    lambda: maxout.Player("maxout", aggression=[1]),  # type: ignore[arg-type]
    lambda: maxout.Player("plateau17", aggression="bold"),
    lambda: maxout.simulate("clairvoyant", 1, aggression="safe"),
    lambda: maxout.play(lowest, aggression="bold"),
    lambda: maxout.simulate(lowest, 1, reaction=18),
    lambda: maxout.play(lowest, reaction="none-after-spawn"),
    lambda: maxout.Player("clairvoyant").plan(maxout.Position(BOARD, "T", "T", 0, 0)),
    lambda: maxout.Position(BOARD, "TT", "T", 0, 0),
    lambda: maxout.Position(BOARD, "T", "T", 256, 0),
    lambda: maxout.Position(BOARD, "T", "T", 0, -1),
    lambda: maxout.analyze(BOARD, "T", "T", level=256),
    lambda: maxout.analyze(BOARD, "T", "T", lines=25_600),
    lambda: maxout.analyze(BOARD, "T", "TT"),
    lambda: maxout.analyze(BOARD, "T", taps="7hz"),
    lambda: maxout.analyze(BOARD, "T", aggression="wild"),
    lambda: maxout.analyze(BOARD, "T", player="clairvoyant"),
    lambda: maxout.simulate("maxout", 0),
    lambda: maxout.simulate("maxout", 1, jobs=0),
    lambda: maxout.simulate("maxout", 1, stop="lines:99999"),
    lambda: maxout.simulate("maxout", 1, seed=-1),
    lambda: maxout.simulate("maxout", 1, misdrop=1.0),
    lambda: maxout.simulate("maxout", 1, misdrop=float("nan")),
    lambda: maxout.play("maxout", misdrop=-0.1),
    lambda: maxout.play("maxout", misdrop="often"),  # type: ignore[arg-type]
    lambda: maxout.emulator.Console().step(256),
    lambda: maxout.emulator.Console(bytes(5 << 20)),
]


@pytest.mark.parametrize("call", HOSTILE)
def test_hostile_arguments_raise_value_error(call: Any) -> None:
    with pytest.raises(ValueError, match="expected|did you mean"):
        call()


def test_full_and_odd_boards_do_not_harm() -> None:
    full = maxout.Board("\n".join(["##########"] * 22))
    checked = maxout.Board("\n".join(["#.#.#.#.#.", ".#.#.#.#.#"] * 11))
    for board in (full, checked):
        for level in (0, 19, 29, 255):
            assert maxout.placements(board, "T", level) == []
            seen = maxout.Position(board, "I", "O", level, 25_599)
            assert maxout.Player("maxout-fast").plan(seen) is None
            assert maxout.analyze(board, "I", "O", level=level) == []


def test_the_emulator_runs_a_cartridge_and_goes_back() -> None:
    console = maxout.emulator.Console()
    view = console.ram
    console.play(bytes(290))
    saved, then = console.save(), view.copy()
    for _ in range(20):
        console.step(maxout.buttons.START)
    assert console.frames == 310 and (view != then).any() and console.ram is view
    picture = console.picture()
    assert picture.shape == (240, 256, 3) and picture.dtype == numpy.uint8 and picture.any()
    console.restore(saved)
    assert console.frames == 290 and (view == then).all()
    console.power_cycle()
    assert console.frames == 0


@pytest.mark.parametrize("image", [b"", b"NES\x1a", bytes(100), b"NES\x1a" + bytes([255] * 5000)])
def test_what_is_no_cartridge_is_refused(image: bytes) -> None:
    with pytest.raises(ValueError):
        maxout.emulator.Console(image)
    with pytest.raises(OSError):
        maxout.emulator.Console("/no/such/file.nes")
