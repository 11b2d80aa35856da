"""The command, the server, the page's module and the package give one answer to one question."""

import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import maxout

PROGRAM = os.environ.get("MAXOUT_BINARY")
ROOT = Path(__file__).parents[3]
#: The folder of a page that has been built, with the page's module in it.
SITE = Path(os.environ.get("MAXOUT_PAGE") or ROOT / "target/web/site")
QUESTIONS = json.loads((ROOT / "tests/data/questions.json").read_text())
ORDER = "TJZOSLI"

#: Asks the module what is on the standard input, and writes its answers.
ASK = """
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
const site = process.argv[1];
const { default: init, WebRoom, WebStudy, WebWeights } = await import(pathToFileURL(join(site, "maxout_web.js")).href);
await init({ module_or_path: readFileSync(join(site, "maxout_web_bg.wasm")) });
const [file, plateau] = ["weights.bin", "plateau.bin"].map((name) => readFileSync(join(site, name)));
const weights = new WebWeights(new WebRoom(), file);
weights.add_plateau(plateau);
const study = new WebStudy(weights);
const asked = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(asked.map((question) => JSON.parse(study.rank(JSON.stringify(question))))));
"""

#: What an answer has beside it: the command repeats the question and names the player, the server counts what it does not list.
BESIDE = {"player", "limits", "board", "piece", "next", "level", "lines", "count"}


def ours(question: dict[str, Any]) -> maxout.Answer:
    more: dict[str, Any] = {name: question[name] for name in ("taps", "level", "lines") if name in question}
    if "aggression" in question:
        bold: str = question["aggression"]
        more["aggression"] = bold if bold.isalpha() else float(bold)
    return maxout.analyze(maxout.Board(question["board"]), question["piece"], question.get("next"), **more)


def same(question: dict[str, Any], told: dict[str, Any]) -> None:
    """Whether the package says the same, as JSON and in its own types."""
    theirs = {key: value for key, value in told.items() if key not in BESIDE}
    answer = ours(question)
    assert json.loads(answer.json) == theirs, question
    assert (answer.stop, answer.forecast, answer.warnings) == tuple(theirs[key] for key in ("stop", "forecast", "warnings"))
    assert len(answer) == len(theirs["placements"]) > 5
    for ranked, said in zip(answer, theirs["placements"]):
        own = {
            **place_of(ranked.placement),
            "buttons": [letters(held) for held in ranked.buttons],
            "board": str(ranked.board),
            "lines": ranked.lines,
            "points": ranked.points,
            "loss": ranked.loss,
            "topout": ranked.topout,
            "class": ranked.class_,
            "value": ranked.value,
            "reply": ranked.reply and place_of(ranked.reply),
            "replies": {piece: place and place_of(place) for piece, place in ranked.replies.items()},
        }
        assert own == said, question


def place_of(place: maxout.Placement) -> dict[str, int]:
    return {"x": place.x, "y": place.y, "orientation": place.orientation}


def letters(held: int) -> str:
    """The buttons of a frame as the program writes them."""
    names = {1: "R", 2: "L", 4: "D", 8: "U", 16: "S", 32: "T", 64: "B", 128: "A"}
    return "".join(name for bit, name in names.items() if held & bit)


@pytest.fixture
def server() -> Iterator[str]:
    assert PROGRAM
    with subprocess.Popen([PROGRAM, "serve", "--port", "0"], stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout
        yield child.stdout.readline().split()[-1]
        child.terminate()


@pytest.mark.skipif(not PROGRAM, reason="no program in MAXOUT_BINARY")
def test_the_command_and_the_package_give_one_answer(tmp_path: Path) -> None:
    for question in QUESTIONS:
        said = tmp_path / "said.json"
        flags = [f"--{name}={question[name]}" for name in question if name != "board"]
        command = [str(PROGRAM), "analyze", "-", "--json", str(said), *flags]
        subprocess.run(command, input=question["board"], text=True, check=True, capture_output=True)
        same(question, json.loads(said.read_text()))


@pytest.mark.skipif(not PROGRAM, reason="no program in MAXOUT_BINARY")
def test_the_server_and_the_package_give_one_answer(server: str) -> None:
    for question in QUESTIONS:
        body, kind = json.dumps(question).encode(), {"Content-Type": "application/json"}
        with urllib.request.urlopen(urllib.request.Request(f"{server}/v1/analyze", body, kind)) as said:
            same(question, json.load(said))


@pytest.mark.skipif(not (SITE / "maxout_web.js").is_file() or not shutil.which("node"), reason="no page, or no node")
def test_the_module_of_the_page_and_the_package_give_one_answer() -> None:
    blank = {"next": None, "lines": 0, "taps": "", "aggression": "", "player": ""}
    asked = json.dumps([{**blank, **question} for question in QUESTIONS])
    node = ["node", "--input-type=module", "--eval", ASK, str(SITE.resolve())]
    said = subprocess.run(node, input=asked, text=True, check=True, capture_output=True).stdout
    for question, answer in zip(QUESTIONS, json.loads(said), strict=True):
        same(question, answer)


def test_an_answer_is_in_order_and_complete() -> None:
    board = maxout.Board("#########.\n" * 4)
    best, *others = maxout.analyze(board, "I", "T", lines=100)
    assert (best.lines, best.loss, best.board) == (4, 0.0, maxout.Board())
    assert best.buttons and best.held_before == 0 and 0 <= best.topout <= 1
    assert [other.loss for other in others] == sorted(other.loss for other in others)
    places = {advice.placement for advice in [best, *others]}
    assert places == set(maxout.placements(board, "I", level=19))
    assert best.reply is not None and best.reply.piece == "T" and set(best.replies) == set(ORDER)
    # Held directions, and a player with limits of its own.
    slow = maxout.Player("maxout-fast", taps="10hz+das")
    assert any(advice.held_before for advice in maxout.analyze(board, "L", player=slow, level=29, lines=230))
    full = maxout.Board("##########\n" * 20)
    assert maxout.analyze(full, "T") == []
    with pytest.raises(ValueError, match="plateau17 does not rank in points"):
        maxout.analyze(board, "I", player="plateau17")
    with pytest.raises(TypeError, match=r"player is 7, expected a name or a Player"):
        maxout.analyze(board, "I", player=7)  # type: ignore[arg-type]
