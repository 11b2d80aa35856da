"""Opens the pages of a review in headless Chromium and compares what they show with the JSON of the same review.

usage: review.py CHROMIUM REVIEW.html REVIEW.json PUZZLES.html SHOTS

Exit code 1 says what was wrong.
"""

import json
import sys
import tempfile
from pathlib import Path

from browser import Chromium, Failure, check

BAD = ("mistake", "blunder")
WIDTHS = ((1280, 900), (390, 844))
SHOWN = """(() => {
  const squares = [...document.querySelectorAll("#board i")];
  const cells = (name) => squares.flatMap((s, i) => s.classList.contains(name) ? [i] : []);
  const chosen = document.querySelector("#alternatives button[aria-pressed=true]");
  return {
    piece: Number(document.getElementById("board").dataset.piece),
    locked: cells("locked").length, played: cells("played"), ghost: cells("ghost"),
    class: document.getElementById("now-class").textContent.toLowerCase().split(",")[0],
    loss: Number(document.getElementById("now-loss").dataset.loss),
    chosenLoss: chosen ? Number(chosen.dataset.loss) : null,
    position: document.getElementById("position").value,
    link: document.getElementById("link").getAttribute("href"),
    adjustments: document.querySelectorAll("#adjustments button:not([disabled])").length,
  };
})()"""
PUZZLE = """(() => {
  const squares = [...document.querySelectorAll("#board i")];
  const cells = (name) => squares.flatMap((s, i) => s.classList.contains(name) ? [i] : []);
  const grade = document.getElementById("grade");
  return {
    pick: Number(document.getElementById("board").dataset.pick),
    played: cells("played"), ghost: cells("ghost"),
    answered: !document.getElementById("answer").hidden,
    grade: grade.textContent.toLowerCase(), loss: Number(grade.dataset.loss),
    wrong: document.getElementById("typed-wrong").textContent,
    invalid: document.getElementById("typed").getAttribute("aria-invalid"),
    focus: document.activeElement.id,
  };
})()"""
# By orientation, as docs/how-it-works/the-game.md names them.
ROTATIONS = "urdllurdhv hvrdluvh"


def cells(data, place):
    """The visible cells of a placement, as numbers from the top left."""
    at = [(place["x"] + dx, place["y"] + dy) for dx, dy in data["cells"][place["id"]]]
    return sorted(10 * y + x for x, y in at if 0 <= y < 20)


def drawing(placed):
    rows = placed["board"][-20:]
    return "".join(f"{row}\n" for row in ["." * 10] * (20 - len(rows)) + rows)


def compare(shown, data, placed, number, ghost):
    """The page at a piece against the JSON; `ghost` is the alternative that is outlined."""
    where = f"piece {number}"
    check(shown["piece"] == number, f"{where}: the page is at {shown['piece']}")
    check(shown["class"] == placed["class"], f"{where}: class {shown['class']}, expected {placed['class']}")
    check(shown["loss"] == placed["loss"], f"{where}: loss {shown['loss']}, expected {placed['loss']}")
    check(shown["position"] == drawing(placed), f"{where}: the text of the position differs")
    check(shown["link"] == f"#game=1&piece={number}", f"{where}: the link is {shown['link']}")
    check(shown["played"] == cells(data, placed["played"]["placement"]), f"{where}: the piece lies elsewhere")
    if ghost is None:
        check(shown["ghost"] == [] and shown["chosenLoss"] is None, f"{where}: an outline without a choice")
    else:
        other = placed["alternatives"][ghost]
        check(shown["ghost"] == cells(data, other["placement"]), f"{where}: outline {ghost} lies elsewhere")
        check(shown["chosenLoss"] == other["loss"], f"{where}: outline {ghost} loses {shown['chosenLoss']}, expected {other['loss']}")


def first_ghost(placed):
    return None if placed["played"]["placement"] == placed["alternatives"][0]["placement"] else 0


def mistakes(browser, data, placements):
    """N goes from mistake to mistake and P back; 1 to 5 outline the alternatives."""
    at = [i for i, placed in enumerate(placements) if placed["class"] in BAD]
    check(at, "the game has no mistake, expected one")
    browser.press("Home")
    forth = [i for i in at if i > 0]
    for i in forth:
        browser.press("n")
        compare(browser.js(SHOWN), data, placements[i], i + 1, first_ghost(placements[i]))
    for number in range(1, len(placements[forth[-1]]["alternatives"])):
        browser.press(str(number + 1))
        compare(browser.js(SHOWN), data, placements[forth[-1]], forth[-1] + 1, number)
    browser.press("n")
    check("no mistake after" in browser.js("document.getElementById('note').textContent"), "the last mistake is not said to be the last")
    for i in reversed(forth[:-1]):
        browser.press("p")
        compare(browser.js(SHOWN), data, placements[i], i + 1, first_ghost(placements[i]))
    return len(forth)


def follow(browser, page, data, placements):
    """A link opens its piece, and a bad one says so."""
    for number in (1, len(placements)):
        browser.open("about:blank")
        browser.open(f"{page}#game=1&piece={number}")
        compare(browser.js(SHOWN), data, placements[number - 1], number, first_ghost(placements[number - 1]))
    for link in (f"#game=1&piece={len(placements) + 1}", "#game=9&piece=1", "#nothing"):
        browser.open("about:blank")
        browser.open(page + link)
        check(browser.js(SHOWN)["piece"] == 1, f"{link}: the page is not at the first piece")
        check("names no piece" in browser.js("document.getElementById('note').textContent"), f"{link}: nothing is said")


def review(browser, page, wanted, shots):
    """The page of a review at both widths."""
    steps = 0
    for width, height in WIDTHS:
        browser.window(width, height)
        browser.open("about:blank")
        browser.open(page)
        data = json.loads(browser.js("document.getElementById('data').textContent"))
        check(data["reviews"] == wanted, "the JSON in the page is not that of --json")
        placements = wanted[0]["placements"]
        compare(browser.js(SHOWN), data, placements[0], 1, first_ghost(placements[0]))
        for i, placed in enumerate(placements[1:20], 1):
            browser.press("ArrowRight")
            shown = browser.js(SHOWN)
            compare(shown, data, placed, i + 1, first_ghost(placed))
            check(shown["adjustments"] == sum(place is not None for place in placed["adjustments"]), "adjustments are missing")
        steps += 19 + mistakes(browser, data, placements)
        follow(browser, page, data, placements)
        browser.open("about:blank")
        browser.open(page)
        browser.press("n")
        fits(browser, width)
        browser.shot(shots / f"review-{width}.png", whole=True)
    return steps


def fits(browser, width):
    wide = browser.js("Math.max(document.documentElement.scrollWidth, innerWidth)")
    check(wide == width, f"the page is {wide} pixels wide in a window of {width}")


def columns(data, place):
    return sorted({place["x"] + dx for dx, _ in data["cells"][place["id"]]})


def texts(data, puzzle, place):
    """A placement in every notation that the page takes."""
    piece, (first, *_, last) = puzzle["piece"], (*columns(data, place), max(columns(data, place)))
    row = 20 - max(place["y"] + dy for _, dy in data["cells"][place["id"]])
    rotation = ROTATIONS[place["id"]].strip()
    digits = "".join(str((column + 1) % 10) for column in columns(data, place))
    of_piece = sorted(number for number, letter in enumerate("TTTTJJJJZZOSSLLLLII") if letter == piece)
    turns = (place["id"] - data["spawns"][piece]) % len(of_piece)
    # A lone l would be the piece L.
    name = "left" if piece + rotation == "Ll" else rotation
    return (
        f"{place['x']:>2} {place['y']:>2}  {place['id']:02X}",
        f"[{turns}, {place['x'] - 5}, {place['y']}]",
        f"{piece}{rotation}-{digits}, row {row}",
        f" {name} columns {first + 1}\u2013{last + 1}, row {row} ".lower(),
    )


def wrongs(data, puzzle):
    """Texts that mean no placement, and what is said of each."""
    other = "J" if puzzle["piece"] != "J" else "T"
    yield "", "is no placement"
    yield "nonsense <b>", "is no placement"
    yield "468", "is no placement"
    yield "10-12", "is no placement"
    yield f"{other}u-123", f"is a placement of {other}, but the piece is {puzzle['piece']}"
    yield "5 18 1F", f"has no orientation of {puzzle['piece']}"
    places = [other["placement"] for other in puzzle["placements"]]
    for place in places:
        rotations = {ROTATIONS[also["id"]] for also in places if columns(data, also) == columns(data, place)}
        if len(rotations) > 1:
            yield "".join(str((column + 1) % 10) for column in columns(data, place)), "name the rotation, too"
            break
    yield f"{data['spawns'][puzzle['piece']]} 40 {data['spawns'][puzzle['piece']]:02X}", "can reach here"


def typed(browser, data, puzzle, number, text):
    """Types a placement into the field. The outline follows before Enter does."""
    browser.press("e")
    check(browser.js(PUZZLE)["focus"] == "typed", f"position {number}: E does not lead to the field")
    browser.write(text)
    shown = browser.js(PUZZLE)
    check(shown["wrong"] == "" and not shown["answered"], f"position {number}: {text!r} was judged before Enter")
    return shown


def refused(browser, data, puzzle, number):
    """A wrong text gets one line, and the piece stays where it is."""
    for text, wanted in wrongs(data, puzzle):
        before = browser.js(PUZZLE)["pick"]
        typed(browser, data, puzzle, number, text)
        browser.press("Enter")
        shown = browser.js(PUZZLE)
        check(wanted in shown["wrong"] and "\n" not in shown["wrong"], f"position {number}: {text!r} gets {shown['wrong']!r}, expected {wanted!r}")
        check(shown["invalid"] == "true" and not shown["answered"] and shown["pick"] == before, f"position {number}: {text!r} changed something")
        browser.js("(() => { const field = document.getElementById('typed'); field.value = ''; field.blur(); })()")


def dragged_and_typed(browser, page):
    """In every position, a placement that is reached by clicks and the same one typed get the same grade."""
    browser.open("about:blank")
    browser.open(page)
    data = json.loads(browser.js("document.getElementById('data').textContent"))
    count = 0
    for number, puzzle in enumerate(data["puzzles"], 1):
        options = puzzle["placements"]
        for pick in (0, len(options) // 2, len(options) - 1):
            target = cells(data, options[pick]["placement"])
            grades = []
            for text in (None, *texts(data, puzzle, options[pick]["placement"])):
                browser.open("about:blank")
                browser.open(f"{page}#puzzle={number}")
                if text is None:
                    for _ in options:
                        if browser.js(PUZZLE)["pick"] == pick:
                            break
                        browser.js(f"document.querySelectorAll('#board i')[{target[0]}].click()")
                    browser.press("Enter")
                else:
                    shown = typed(browser, data, puzzle, number, text)
                    check(shown["played"] == target, f"position {number}: {text!r} shows the piece elsewhere")
                    browser.press("Enter")
                    count += 1
                    check(browser.js(PUZZLE)["focus"] == "forth", f"position {number}: the focus is not on the next position")
                shown = browser.js(PUZZLE)
                check(shown["answered"], f"position {number}: {text!r} is not graded, {shown['wrong']!r}")
                grades.append((shown["grade"], shown["loss"], shown["ghost"], shown["played"]))
            check(len(set(map(str, grades))) == 1, f"position {number}: {grades}")
        browser.open("about:blank")
        browser.open(f"{page}#puzzle={number}")
        refused(browser, data, puzzle, number)
    return count


def puzzles(browser, page, shots):
    """Each position is solved by keys: towards the best placement if keys lead there, else by a click."""
    for width, height in WIDTHS:
        browser.window(width, height)
        browser.open("about:blank")
        browser.open(page)
        data = json.loads(browser.js("document.getElementById('data').textContent"))
        for number, puzzle in enumerate(data["puzzles"]):
            options = puzzle["placements"]
            browser.press(("ArrowLeft", "ArrowRight", "ArrowUp")[number % 3])
            shown = browser.js(PUZZLE)
            check(shown["played"] == cells(data, options[shown["pick"]]["placement"]), f"position {number + 1}: the piece lies elsewhere")
            if number % 2:
                target = cells(data, options[0]["placement"])[0]
                for _ in options:
                    if browser.js(PUZZLE)["pick"] == 0:
                        break
                    browser.js(f"document.querySelectorAll('#board i')[{target}].click()")
                check(browser.js(PUZZLE)["pick"] == 0, f"position {number + 1}: clicks do not lead to the best placement")
            pick = browser.js(PUZZLE)["pick"]
            browser.press("Enter")
            shown = browser.js(PUZZLE)
            check(shown["answered"] and shown["grade"] == options[pick]["class"], f"position {number + 1}: graded {shown['grade']}")
            check(shown["loss"] == options[pick]["loss"], f"position {number + 1}: loss {shown['loss']}, expected {options[pick]['loss']}")
            check(shown["ghost"] == cells(data, options[0]["placement"]), f"position {number + 1}: the best is not outlined")
            if number + 1 < len(data["puzzles"]):
                browser.press("n")
        fits(browser, width)
        browser.shot(shots / f"puzzles-{width}.png", whole=True)
    return len(data["puzzles"])


def main():
    program, page, export, tries, shots = sys.argv[1:]
    wanted = json.loads(Path(export).read_text())
    urls = [Path(path).resolve().as_uri() for path in (page, tries)]
    with tempfile.TemporaryDirectory(prefix="maxout-review-") as profile:
        browser = Chromium(program, profile)
        try:
            steps = review(browser, urls[0], wanted, Path(shots))
            count = puzzles(browser, urls[1], Path(shots))
            texts_typed = dragged_and_typed(browser, urls[1])
            allowed = tuple([*urls, "about:blank"])
            found = [text for text in browser.complaints(urls[0]) if not text.startswith(tuple(f"request: {url}" for url in allowed))]
            check(not found, "\n".join(["the console or the network was used:", *found]))
            print(f"review: {steps} steps by keys agree with the JSON, {count} positions tried at two widths, {texts_typed} placements typed; no request, no console error")
        finally:
            browser.end()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"review: {failure}")
