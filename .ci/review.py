"""Opens the pages of a review in headless Chromium and compares what they show with the JSON of the same review.

usage: review.py CHROMIUM REVIEW.html REVIEW.json PUZZLES.html SHOTS

Exit code 1 says what was wrong.
"""

import json
import sys
import tempfile
from pathlib import Path

from browser import WINDOWS, Chromium, Failure, accessible, check, in_view, no_overflow

BAD = ("mistake", "blunder")
GRADES = ("Best", "Excellent", "Good", "Inaccuracy", "Mistake", "Blunder", "Rapid")
WIDTHS = ((1280, 900), (390, 844))
SHOWN = """(() => {
  const squares = [...document.querySelectorAll("#board i")];
  const cells = (name) => squares.flatMap((s, i) => s.classList.contains(name) ? [i] : []);
  const chosen = document.querySelector("#alternatives button[aria-pressed=true]");
  return {
    piece: Number(document.getElementById("board").dataset.piece),
    locked: cells("locked").length, played: cells("played"), ghost: cells("ghost"),
    class: document.getElementById("now-class").textContent.toLowerCase(),
    missed: document.getElementById("now-missed").textContent,
    why: document.getElementById("why-text").textContent,
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
    at = [(place["x"] + dx, place["y"] + dy) for dx, dy in data["cells"][place["orientation"]]]
    return sorted(10 * y + x for x, y in at if 0 <= y < 20)


def drawing(placed):
    rows = placed["board"][-20:]
    return "".join(f"{row}\n" for row in ["." * 10] * (20 - len(rows)) + rows)


def costliest(placements):
    """The numbers of the placements that lost something, from 0, the costliest first."""
    lost = [i for i, placed in enumerate(placements) if round(placed["loss"]) > 0]
    return sorted(lost, key=lambda i: (-placements[i]["loss"], i))


def compare(shown, data, placed, number, ghost):
    """The page at a piece against the JSON; `ghost` is the alternative that is outlined."""
    where = f"piece {number}"
    check(shown["piece"] == number, f"{where}: the page is at {shown['piece']}")
    flags = [name.replace("_", " ") for name in ("missed_tetris", "missed_adjustment", "misdrop") if placed[name]]
    check(shown["missed"] == ", ".join(flags), f"{where}: {shown['missed']!r}, expected {flags}")
    for words in placed["why"]:
        check(words in shown["why"], f"{where}: {shown['why']!r} does not say {words!r}")
    check(placed["class"] not in BAD or shown["why"], f"{where}: nothing says why it is a {placed['class']}")
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


def after(data, placed, place):
    """The columns after a placement, top first, and the rows that it cleared, by the rules as a reader knows them."""
    rows = [list(row) for row in drawing(placed).split()]
    for cell in cells(data, place):
        rows[cell // 10][cell % 10] = "#"
    left = [row for row in rows if "." in row]
    cleared = len(rows) - len(left)
    return list(zip(*([["."] * 10] * cleared + left))), cleared


def holes(columns):
    return sum(column[column.index("#") :].count(".") for column in columns if "#" in column)


def true_reasons(data, placements):
    """What the review says about boards, counted anew on the boards."""
    told = 0
    for number, placed in enumerate(placements, 1):
        options = [(placed["why"], placed["played"]["placement"])]
        options += [(other["why"], other["placement"]) for other in placed["alternatives"]]
        best, best_rows = after(data, placed, placed["best"]["placement"])
        before, _ = list(zip(*drawing(placed).split())), 0
        for why, place in options:
            columns, rows = after(data, placed, place)
            for words in why:
                where = f"piece {number}: {words!r} is not so"
                told += 1
                if words.startswith("burns"):
                    check(words in ("burns a line", f"burns {rows} lines") and 0 < rows < 4, where)
                elif words == "misses a tetris":
                    check(best_rows == 4 and rows < 4, where)
                elif words.startswith("makes"):
                    # Holes under a covered well are told as that.
                    wells = [int(other.split()[-1]) - 1 for other in why if other.startswith("covers")]
                    here, there, then = (holes([c for at, c in enumerate(of) if at not in wells]) for of in (columns, best, before))
                    number = {"a": 1, "one": 1}.get(words.split()[1]) or int(words.split()[1])
                    check(number == here - (there if words.endswith("more") else then) and here > max(then, there), where)
                elif words.startswith("covers"):
                    column = int(words.split()[-1]) - 1
                    check(holes([columns[column]]) > holes([before[column]]), where)
                elif words.startswith("needs"):
                    column = int(words.split()[-1]) - 1
                    tall = [sum(1 for _ in "".join(c).lstrip(".")) for c in columns]
                    sides = [tall[at] for at in (column - 1, column + 1) if 0 <= at < 10]
                    check(min(sides) - tall[column] >= 3, where)
    check(told > 3, f"the game gives {told} reasons, expected more")
    return told


def overview(browser, data, wanted):
    """What the page says of the whole game: its title, the costliest placements, losses, misses and tap speeds."""
    [game] = wanted
    placements = game["placements"]
    text = lambda id: browser.js(f"document.getElementById('{id}').textContent")
    title = f"Game review: run {game['source']}"
    check(text("game-title") == title, f"the title is {text('game-title')!r}, expected {title!r}")
    check("game review" in browser.js("document.title"), f"the window is called {browser.js('document.title')!r}")
    mistakes = [sum(placed["class"] == kind for placed in placements) for kind in BAD]
    told = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for count, kind in zip(mistakes, BAD))
    for words in (game["played_by"], f"{len(placements)} pieces", told, "30 Hz"):
        check(words in text("game-result"), f"{text('game-result')!r} does not say {words!r}")
    order = costliest(placements)[:10]
    thumbs = browser.js("""[...document.querySelectorAll("#costliest button")].map((b) => ({
      at: Number(b.dataset.at), text: b.textContent, locked: b.querySelectorAll(".locked").length, played: b.querySelectorAll(".played").length}))""")
    check([thumb["at"] for thumb in thumbs] == order, f"the costliest are {[t['at'] for t in thumbs]}, expected {order}")
    for thumb in thumbs:
        placed = placements[thumb["at"]]
        locked = sum(row.count("#") for row in placed["board"][-20:])
        here = len(cells(data, placed["played"]["placement"]))
        check((thumb["locked"], thumb["played"]) == (locked, here), f"the small board of piece {thumb['at'] + 1} differs")
        check(all(words in thumb["text"] for words in placed["why"][:1]), f"piece {thumb['at'] + 1}: {thumb['text']!r}")
    # Where games were played on, both figures are shown: the forecast, and the measured loss with its error. Those are the costliest by forecast.
    forecast = [max(0.0, placed["best"]["points"] - placed["played"]["points"]) for placed in placements]
    worst = costliest([{"loss": loss} for loss in forecast])[:10]
    measured = {one["number"] - 1: one for one in game["measured"]}
    check(sorted(measured) == sorted(worst), f"{sorted(measured)} were played on, expected {sorted(worst)}")
    shown = [thumb for thumb in thumbs if thumb["at"] in measured]
    check(len(shown) > 0, "none of the costliest was played on")
    for thumb in shown:
        one = measured[thumb["at"]]
        told = " ± ".join(f"{int(abs(one[key]) + 0.5):,}" for key in ("loss", "loss_se"))
        browser.js(f"""document.querySelector('#costliest [data-at="{thumb['at']}"]').click()""")
        for where, said in (("thumb", thumb["text"]), ("now", text("now-measured")), ("why", text("why-measured"))):
            check(told in said, f"piece {thumb['at'] + 1}, {where}: {said!r} does not say {told!r}")
        check(f"forecast: −{int(forecast[thumb['at']] + 0.5):,};" in text("now-measured"), f"piece {thumb['at'] + 1}: {text('now-measured')!r}")
        check(f"{one['games']} games" in text("why-measured"), f"piece {thumb['at'] + 1}: {text('why-measured')!r}")
    for kind in ("thumb", "bar"):
        at = order[-1]
        select = f'#costliest [data-at="{at}"]' if kind == "thumb" else f'#bars [data-piece="{at + 1}"]'
        browser.press("Home")
        browser.js(f"""(() => {{ const e = document.querySelector('{select}'), b = e.getBoundingClientRect();
          e.dispatchEvent(new MouseEvent('click', {{bubbles: true, clientX: b.x + b.width / 2, clientY: b.y + b.height / 2}})); }})()""")
        check(browser.js(SHOWN)["piece"] == at + 1, f"a click on a {kind} leads to piece {browser.js(SHOWN)['piece']}, expected {at + 1}")
    bars = browser.js("[...document.querySelectorAll('#bars rect')].map((bar) => [Number(bar.dataset.piece) - 1, bar.getAttribute('class')])")
    lost = [[i, f"bar-{placed['class']}"] for i, placed in enumerate(placements) if round(placed["loss"]) > 0]
    check(bars == lost, f"the bars are {bars}, expected {lost}")
    for name in ("missed_tetris", "missed_adjustment", "misdrop"):
        at = [i for i, placed in enumerate(placements) if placed[name]]
        shown = browser.js(f"[...document.querySelectorAll('#missed [data-name={name}] button')].map((b) => Number(b.dataset.at))")
        check(shown == at, f"{name}: {shown}, expected {at}")
    check("30 Hz" in text("taps-used") and "--taps 12hz" in text("taps-others"), "the tap speed and others are not named")
    rows = browser.js("[...document.querySelectorAll('#speeds tbody tr')].map((row) => [...row.children].map((cell) => cell.textContent))")
    taps = [f"{speed['taps'].removesuffix('hz')} Hz" for speed in game["speeds"]]
    check(len(taps) == 5 and [row[0] for row in rows] == taps, f"tap speeds {rows}, expected {taps}")
    whose = f"if {data['forecast']['player']} plays on at {data['forecast']['taps'].removesuffix('hz')} Hz"
    shown = browser.js("[...document.querySelectorAll('.forecast')].map((e) => e.textContent)")
    check(shown and set(shown) == {whose}, f"the forecasts are labelled {shown}, expected {whose!r}")
    check("one tetris here = 24,000" in text("one-tetris"), f"a tetris is {text('one-tetris')!r}")


def looks(browser, page, name, shots, ids, placements=()):
    """Nothing overflows and the controls are in view, in every window, light and dark; axe-core finds nothing."""
    for width, height in WINDOWS:
        for dark in (False, True):
            browser.window(width, height, dark)
            browser.open("about:blank")
            browser.open(page)
            in_view(browser, f"{name}, {width} by {height}", *ids)
            no_overflow(browser, f"{name}, {width} by {height}")
            accessible(browser, f"{name}, {width} wide, dark {dark}")
            browser.shot(shots / f"{name}-{width}{'-dark' * dark}.png")
        # The longest words are those of a blunder that also missed something.
        for number, placed in enumerate(placements, 1):
            if placed["missed_tetris"] or placed["missed_adjustment"] or placed["misdrop"]:
                browser.open(f"{page}#game=1&piece={number}")
                no_overflow(browser, f"{name}, piece {number}, {width} by {height}")


def follow(browser, page, data, placements):
    """A link opens its piece, and a bad one says so."""
    worst = costliest(placements)[0] + 1
    for number in (1, len(placements)):
        browser.open("about:blank")
        browser.open(f"{page}#game=1&piece={number}")
        compare(browser.js(SHOWN), data, placements[number - 1], number, first_ghost(placements[number - 1]))
    for link in (f"#game=1&piece={len(placements) + 1}", "#game=9&piece=1", "#nothing"):
        browser.open("about:blank")
        browser.open(page + link)
        check(browser.js(SHOWN)["piece"] == worst, f"{link}: the page is not at the costliest placement")
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
        worst = costliest(placements)[0]
        compare(browser.js(SHOWN), data, placements[worst], worst + 1, first_ghost(placements[worst]))
        overview(browser, data, wanted)
        browser.press("Home")
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
        browser.shot(shots / f"review-{width}-whole.png", whole=True)
    reasons = true_reasons(data, placements)
    looks(browser, page, "review", shots, ("board", "scrub", "next-mistake", "previous-mistake"), placements)
    return steps, reasons


def fits(browser, width):
    wide = browser.js("Math.max(document.documentElement.scrollWidth, innerWidth)")
    check(wide == width, f"the page is {wide} pixels wide in a window of {width}")


def columns(data, place):
    return sorted({place["x"] + dx for dx, _ in data["cells"][place["orientation"]]})


def texts(data, puzzle, place):
    """A placement in every notation that the page takes."""
    piece, (first, *_, last) = puzzle["piece"], (*columns(data, place), max(columns(data, place)))
    row = 20 - max(place["y"] + dy for _, dy in data["cells"][place["orientation"]])
    rotation = ROTATIONS[place["orientation"]].strip()
    digits = "".join(str((column + 1) % 10) for column in columns(data, place))
    of_piece = sorted(number for number, letter in enumerate("TTTTJJJJZZOSSLLLLII") if letter == piece)
    turns = (place["orientation"] - data["spawns"][piece]) % len(of_piece)
    # A lone l would be the piece L.
    name = "left" if piece + rotation == "Ll" else rotation
    return (
        f"{place['x']:>2} {place['y']:>2}  {place['orientation']}",
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
    yield "5 18 31", f"has no orientation of {puzzle['piece']}"
    places = [other["placement"] for other in puzzle["placements"]]
    for place in places:
        rotations = {ROTATIONS[also["orientation"]] for also in places if columns(data, also) == columns(data, place)}
        if len(rotations) > 1:
            yield "".join(str((column + 1) % 10) for column in columns(data, place)), "name the rotation, too"
            break
    yield f"{data['spawns'][puzzle['piece']]} 40 {data['spawns'][puzzle['piece']]}", "can reach here"


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
                    check(browser.js(PUZZLE)["focus"] == "place", f"position {number}: the focus is not on Next")
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
        picks = []
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
            tried = [options[pick]["class"].capitalize() for options, pick in zip(map(lambda p: p["placements"], data["puzzles"]), picks + [pick])]
            picks.append(pick)
            result = browser.js("document.getElementById('result').textContent").split(" · ")
            grades = [f"{grade} {tried.count(grade)}" for grade in GRADES if grade in tried]
            check(result[:-1] == [f"{number + 1} of {len(data['puzzles'])} tried", *grades], f"the result is {result}, expected {grades} before the points")
            check(result[-1].endswith(" lost"), f"the points are not last: {result}")
            primary = browser.js("(() => { const b = document.getElementById('place'); return [b.textContent, b.disabled]; })()")
            if number + 1 < len(data["puzzles"]):
                check(primary == ["Next", False], f"position {number + 1}: the primary button is {primary}, expected Next")
                in_view(browser, f"position {number + 1}, {width} by {height}", "grade", "place")
                if number % 2:
                    browser.press("Enter")
                else:
                    browser.js("document.getElementById('place').click()")
                check(browser.js("document.getElementById('where').textContent") == f"position {number + 2} of {len(data['puzzles'])}", "Next does not lead on")
            else:
                check(primary == ["Done", True], f"after the last position the primary button is {primary}")
        fits(browser, width)
        accessible(browser, f"the answered puzzles, {width} wide")
        browser.shot(shots / f"puzzles-{width}-whole.png", whole=True)
    looks(browser, page, "puzzles", shots, ("board", "place", "left"))
    return len(data["puzzles"])


def main():
    program, page, export, tries, shots = sys.argv[1:]
    wanted = json.loads(Path(export).read_text())
    urls = [Path(path).resolve().as_uri() for path in (page, tries)]
    with tempfile.TemporaryDirectory(prefix="maxout-review-") as profile:
        browser = Chromium(program, profile)
        try:
            steps, reasons = review(browser, urls[0], wanted, Path(shots))
            count = puzzles(browser, urls[1], Path(shots))
            texts_typed = dragged_and_typed(browser, urls[1])
            allowed = tuple([*urls, "about:blank"])
            found = [text for text in browser.complaints(urls[0]) if not text.startswith(tuple(f"request: {url}" for url in allowed))]
            check(not found, "\n".join(["the console or the network was used:", *found]))
            print(f"review: {steps} steps by keys agree with the JSON, {reasons} reasons are true of the boards, {count} positions tried at two widths, {texts_typed} placements typed; no request, no console error")
        finally:
            browser.end()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"review: {failure}")
