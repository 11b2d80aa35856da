"""Opens a report in headless Chromium and compares what it shows with the program's own export.

usage: page.py CHROMIUM REPORT.html TIMELINES.json SHOTS

Exit code 1 says what was wrong.
"""

import json
import random
import sys
import tempfile
import time
from pathlib import Path

from browser import WINDOWS, Chromium, Failure, accessible, check, in_view, no_overflow, pixels

SHOWN = """(() => {
  const squares = [...document.querySelectorAll("#board i")];
  const rows = (name) => Array.from({length: 20}, (_, y) =>
    squares.slice(10 * y, 10 * y + 10).map((s) => s.classList.contains(name) ? "#" : ".").join(""));
  const number = (id) => Number(document.getElementById(id).textContent.replaceAll(",", ""));
  return {
    pieces: Number(document.getElementById("board").dataset.pieces),
    frame: Number(document.getElementById("board").dataset.frame),
    solid: rows("solid"), air: rows("air"), ghost: rows("ghost"),
    letter: [..."TJZOSLI"].find((l) => document.querySelector(`#board .air.p${l}`)) ?? null,
    next: document.getElementById("next").dataset.piece,
    score: number("now-score"), lines: number("now-lines"), level: number("now-level"),
    scrub: Number(document.getElementById("scrub").value),
    frameText: document.getElementById("frame")?.textContent ?? null,
  };
})()"""


def merged(a, b):
    return ["".join("#" if "#" in pair else "." for pair in zip(p, q)) for p, q in zip(a, b)]


def compare(shown, run, count):
    """The page after `count` pieces against the program's export."""
    locks = run["timeline"]["locks"]
    where = f"after {count} pieces"
    check(shown["frameText"] == f"frame {shown['frame']:,}", f"{where}: the page says {shown['frameText']}, it is at frame {shown['frame']}")
    check(shown["pieces"] == count == shown["scrub"], f"{where}: the page is at {shown['pieces']}, scrub bar {shown['scrub']}")
    empty = {"score": 0, "lines": 0, "level": run["record"]["start_level"], "board_after": ["." * 10] * 20}
    state = locks[count - 1] if count else empty
    check(shown["solid"] == state["board_after"], f"{where}: the stack differs:\n" + "\n".join(shown["solid"]))
    for key in ("score", "lines", "level"):
        check(shown[key] == state[key], f"{where}: {key} {shown[key]}, expected {state[key]}")
    if count < len(locks):
        lock = locks[count]
        check(shown["letter"] == lock["piece"], f"{where}: piece {shown['letter']}, expected {lock['piece']}")
        check(shown["next"] == lock["next"], f"{where}: next {shown['next']}, expected {lock['next']}")
        check(shown["frame"] == lock["spawned"], f"{where}: frame {shown['frame']}, expected {lock['spawned']}")
        # Where it will lie; the piece in the air hides what it covers near the top.
        after = merged(shown["solid"], shown["ghost"])[3:]
        if lock["rows_cleared"] == 0:
            check(after == lock["board_after"][3:], f"{where}: the outline is not where the piece went")


def look_at_board(browser, run, count):
    """The pixels of the board: a stack cell is painted, an empty one is not."""
    clip = browser.js(
        "(() => { const b = document.getElementById('board').getBoundingClientRect();"
        "return {x: b.x + scrollX, y: b.y + scrollY, width: b.width, height: b.height}; })()"
    )
    picture = pixels(browser.shot(clip=clip))
    height, width = len(picture), len(picture[0])
    board = run["timeline"]["locks"][count - 1]["board_after"]
    shown = browser.js(SHOWN)
    colour = lambda x, y: picture[int((y + 0.5) * height / 20)][int((x + 0.5) * width / 10)]
    drawn = merged(shown["air"], shown["ghost"])
    free = [(x, y) for y in range(20) for x in range(10) if board[y][x] == "." and drawn[y][x] == "."]
    ground = colour(*free[0])
    check(all(colour(x, y) == ground for x, y in free), f"after {count} pieces: an empty cell is painted")
    painted = [(x, y) for y in range(20) for x in range(10) if board[y][x] == "#"]
    check(painted and all(colour(x, y) != ground for x, y in painted), f"after {count} pieces: a cell of the stack is not painted")


def play_through(browser, run, picks):
    """Steps by real keys through the game that is open; `picks` are the counts at which pixels are read."""
    locks = run["timeline"]["locks"]
    steps = 0
    browser.press("Home")
    compare(browser.js(SHOWN), run, 0)
    for count in range(1, min(len(locks), 120) + 1):
        browser.press("ArrowRight")
        compare(browser.js(SHOWN), run, count)
        steps += 1
        if count in picks:
            look_at_board(browser, run, count)
    browser.press("End")
    shown = browser.js(SHOWN)
    compare(shown, run, len(locks))
    record = run["record"]
    for key in ("score", "lines", "level"):
        check(shown[key] == record[key], f"at the end: {key} {shown[key]}, recorded {record[key]}")
    check(shown["pieces"] == record["pieces"], "at the end: not all pieces")
    back = len(locks)
    for _ in range(min(5, back)):
        browser.press("ArrowLeft")
        back -= 1
        compare(browser.js(SHOWN), run, back)
        steps += 1
    while back > 0:
        browser.press("ArrowLeft", shift=True)
        back = max(0, back - 10)
        compare(browser.js(SHOWN), run, back)
        steps += 1
    return steps


def other_keys(browser, run):
    lock = run["timeline"]["locks"][0]
    browser.press("Home")
    for _ in range(3):
        browser.press(".")
    check(browser.js(SHOWN)["frame"] == 3, "three frames on is not frame 3")
    browser.press(",")
    check(browser.js(SHOWN)["frame"] == 2, "one frame back is not frame 2")
    speed = lambda: browser.js("document.getElementById('speed').value")
    for key, want in (("+", "2"), ("+", "4"), ("-", "2"), ("+", "4"), ("+", "8"), ("+", "16"), ("+", "16")):
        browser.press(key)
        check(speed() == want, f"speed {speed()} after {key}, expected {want}")
    browser.press(" ")
    deadline = time.monotonic() + 20
    while browser.js(SHOWN)["frame"] <= lock["frame"]:
        check(time.monotonic() < deadline, "it does not play")
        time.sleep(0.05)
    browser.press(" ")
    still = browser.js(SHOWN)["frame"]
    time.sleep(0.2)
    check(browser.js(SHOWN)["frame"] == still, "it does not pause")
    browser.press("?")
    check(browser.js("document.getElementById('keys').open"), "? does not show the keys")
    browser.press("Escape")
    check(not browser.js("document.getElementById('keys').open"), "escape does not close the keys")
    browser.press("End")


def calm(browser, runs):
    """Who asked for less motion sees each piece once, where it appears."""
    title = browser.js("document.getElementById('game-title').textContent")
    pieces = browser.js("Number(document.getElementById('scrub').max)")
    run = next(r for r in runs if r["record"]["player"] in title and r["record"]["pieces"] == pieces)
    appear = {lock["spawned"] for lock in run["timeline"]["locks"]}
    browser.press("Home")
    browser.press(" ")
    seen = set()
    deadline = time.monotonic() + 20
    while len(seen) < 6:
        check(time.monotonic() < deadline, "it does not play with less motion")
        seen.add(browser.js(SHOWN)["frame"])
    browser.press(" ")
    check(seen <= appear, f"with less motion the page shows frames {sorted(seen - appear)} between appearances")


OPENED = """(() => {
  const board = document.getElementById("board").getBoundingClientRect();
  const play = document.getElementById("play").getBoundingClientRect();
  return {top: board.top, bottom: board.bottom, play: play.bottom, height: innerHeight, scrolled: scrollY, hash: location.hash};
})()"""


def text(browser, name):
    return browser.js(f"document.getElementById('{name}').textContent")


def waits(browser, expression, want, what):
    """Waits until the page answers what is wanted."""
    deadline = time.monotonic() + 10
    while (got := browser.js(expression)) != want:
        check(time.monotonic() < deadline, f"{what}: {got!r}, expected {want!r}")
        time.sleep(0.05)


def many(count, one, more=None):
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def whole_game(browser, run):
    """Before the first piece, the page shows the figures of the whole game; then those so far."""
    record, locks = run["record"], run["timeline"]["locks"]
    facts = browser.js("Object.fromEntries([...document.querySelectorAll('#whole > div')].map((d) => [d.children[0].textContent, d.children[1].textContent]))")
    cleared = [lock["rows_cleared"] for lock in locks]
    drought = longest = 0
    for lock in locks:
        drought = 0 if lock["piece"] == "I" else drought + 1
        longest = max(longest, drought)
    expected = {
        "lines": f"{record['lines']:,}",
        "tetris rate": f"{400 * cleared.count(4) / record['lines']:.1f} %",
        "clears": ", ".join(many(cleared.count(rows), *words) for rows, words in enumerate((("single",), ("double",), ("triple",), ("tetris", "tetrises")), 1)),
        "burned": many(sum(rows for rows in cleared if 0 < rows < 4), "line"),
    }
    for name, value in expected.items():
        check(facts.get(name) == value, f"the whole game has {name} {facts.get(name)!r}, expected {value!r}")
    check(int(facts["longest drought"].split()[0]) >= longest, f"longest drought {facts['longest drought']}, expected {longest}")
    table = lambda: browser.js("[...document.querySelectorAll('#points-table tbody tr')].map((row) => row.children[1].textContent)")
    whole = [str(cleared.count(rows)) for rows in (4, 3, 2, 1, 0)]
    check((text(browser, "points-title"), table()) == ("Points of the whole game", whole), f"it opens with {text(browser, 'points-title')} {table()}, expected {whole}")
    check(f"{record['score']:,}" in text(browser, "score-reading"), f"it opens with {text(browser, 'score-reading')}")
    browser.press("ArrowRight")
    check((text(browser, "points-title"), table()) == ("Points so far", ["0", "0", "0", "0", "1"]), f"after a piece: {text(browser, 'points-title')} {table()}")
    browser.press("Home")


def opening(browser, page, runs, best):
    """One player: the first piece of the best run, its figures and the whole board on the screen. Several: they are compared first."""
    record = runs[best]["record"]
    several = len({run["record"]["player"] for run in runs}) > 1
    for width, height in WINDOWS:
        browser.window(width, height)
        browser.open("about:blank")
        browser.open(page)
        compare(browser.js(SHOWN), runs[best], 0)
        check(text(browser, "total") == f"{record['score']:,}", f"it opens at {text(browser, 'total')}, the best is {record['score']:,}")
        seen = browser.js(OPENED)
        check(seen["scrolled"] == 0 and seen["hash"] == "", f"it opens at {seen}")
        where = f"{width} by {height}"
        first = browser.js("[...document.querySelectorAll('main > section')].filter((s) => s.getClientRects().length)[0].id")
        check(first == ("overview" if several else "game"), f"{where}: {first} comes first")
        in_view(browser, where, *(("overview-title", "compare-plot") if several else ("whole", "board", "play", "scrub")))
        no_overflow(browser, where)
        if several:
            # A link to a piece leads to the game below.
            browser.open("about:blank")
            browser.open(f"{page}#run={best + 1}&piece=2")
            browser.frames()
            seen = browser.js(OPENED)
            check(0 <= seen["top"] and seen["play"] <= height, f"{where}: the linked board is out of view: {seen}")
            browser.open("about:blank")
            browser.open(page)
        whole_game(browser, runs[best])


def links(browser, page, runs, watchable, best):
    """The address follows the piece, and leads back to it; one that names nothing says so."""
    number, locks = best + 1, runs[best]["timeline"]["locks"]
    browser.press("ArrowRight")
    browser.press("ArrowRight")
    waits(browser, "location.hash", f"#run={number}&piece=3", "the address after two steps")
    browser.press("End")
    last = len(locks) + 1 if runs[best]["timeline"]["in_air"] else "end"
    waits(browser, "location.hash", f"#run={number}&piece={last}", "the address at the end")
    other = max(i + 1 for i, can in enumerate(watchable) if can)
    for run, piece in ((number, 17), (other, 1), (number, "end"), (other, 9)):
        # Opened afresh, and by a change of the address only.
        for before in ("about:blank", page):
            browser.open(before)
            browser.open(f"{page}#run={run}&piece={piece}")
            count = len(runs[run - 1]["timeline"]["locks"]) if piece == "end" else piece - 1
            compare(browser.js(SHOWN), runs[run - 1], count)
            check(text(browser, "note") == "", f"a good link is said to be bad: {text(browser, 'note')}")
    pieces = len(locks) + (last != "end")
    wrong = {
        f"#run={number}&piece={pieces + 1}": f"expected 1 to {pieces}",
        f"#run={number}&piece=0": f"expected 1 to {pieces}",
        f"#run={len(runs) + 1}&piece=2": f"no run “{len(runs) + 1}”",
        "#run=%3Cb%3E&piece=1": "no run “<b>”",
        "#piece=-1": "no piece “-1”",
        **{f"#run={i + 1}": f"Run {i + 1} is not among" for i, can in enumerate(watchable) if not can},
        "#nothing": "“#nothing” is not a link to a piece",
    }
    for link, words in wrong.items():
        for before in ("about:blank", page):
            browser.open(before)
            browser.open(page + link)
            compare(browser.js(SHOWN), runs[best], 0)
            check(words in text(browser, "note"), f"{link}: the note says {text(browser, 'note')!r}, expected {words!r}")
            shown = browser.js("(() => { const n = document.querySelector('#note p').getBoundingClientRect(); return n.height > 0 && n.bottom <= innerHeight; })()")
            check(shown, f"{link}: the note is not in view")
    browser.press("ArrowRight")
    check(text(browser, "note") == "", "the note stays after a step")
    waits(browser, "location.hash", f"#run={number}&piece=2", "the address after a bad link and a step")


def tetrises(browser, page, run):
    """T and the button go from tetris to tetris, Shift + T back."""
    browser.open(page)
    at = [i for i, lock in enumerate(run["timeline"]["locks"]) if lock["rows_cleared"] == 4]
    for number, count in enumerate(at):
        if number % 2:
            browser.js("document.getElementById('tetris').click()")
        else:
            browser.press("t")
        compare(browser.js(SHOWN), run, count)
    browser.press("t")
    check("no tetris after" in text(browser, "note"), "the last tetris is not said to be the last")
    for count in reversed(at[:-1]):
        browser.press("T", shift=True)
        compare(browser.js(SHOWN), run, count)


def copying(browser, page, run):
    """The board and the link as text: to the clipboard where that is allowed, else shown and selected."""
    board = lambda count: "\n".join(run["timeline"]["locks"][count - 1]["board_after"]) + "\n"
    link = f"{page}#run={int(browser.js('document.getElementById(`run`).value')) + 1}&piece=16"
    browser.call("Emulation.setFocusEmulationEnabled", enabled=True)
    browser.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    browser.open(page)
    browser.press("Home")
    for _ in range(15):
        browser.press("ArrowRight")
    for key, want in (("c", board(15)), ("l", link)):
        browser.press(key)
        waits(browser, "navigator.clipboard.readText()", want, f"the clipboard after {key}")
    check("copied" in text(browser, "note"), "it does not say that it copied")
    for id, want in (("copy-board", board(15)), ("copy-link", link)):
        browser.js(f"navigator.clipboard.writeText('').then(() => document.getElementById('{id}').click())")
        waits(browser, "navigator.clipboard.readText()", want, f"the clipboard after {id}")
    for refuse in ("Promise.reject(new Error('no'))", None):
        browser.open(page)
        writes = f"{{writeText: () => {refuse}}}" if refuse else "undefined"
        browser.js(f"Object.defineProperty(navigator, 'clipboard', {{value: {writes}}})")
        for _ in range(15):
            browser.press("ArrowRight")
        browser.press("c")
        waits(browser, "document.getElementById('copy').open", True, "without a clipboard the board is not shown")
        check(browser.js("getSelection().toString() || document.getElementById('copy-text').value") == board(15), "the text shown is not the board")
        selected = browser.js("(() => { const t = document.getElementById('copy-text'); return document.activeElement === t && t.selectionEnd - t.selectionStart === t.value.length; })()")
        check(selected, "the text is not selected")
        browser.press("ArrowRight")
        check(browser.js(SHOWN)["pieces"] == 15, "the board moves behind the text")
        browser.press("Escape")
        check(not browser.js("document.getElementById('copy').open"), "escape does not close the text")


def charts_say_where_they_begin(browser):
    """An axis that leaves out 0 says so, on the chart and to a screen reader; no other does."""
    charts = browser.js("""[...document.querySelectorAll(".chart")].filter((host) => host.chart && host.clientWidth && !host.chart.spec.bare)
      .map((host) => ({id: host.id, from: host.chart.spec.x[0], low: host.chart.spec.y[0],
        name: host.querySelector(".name").textContent, label: host.firstChild.getAttribute("aria-label")}))""")
    check(charts, "there are no charts")
    for chart in charts:
        check(chart["low"] == 0, f"{chart['id']}: the upright axis begins at {chart['low']}")
        for said in (chart["name"], chart["label"]):
            check(("axis begins at" in said) == (chart["from"] != 0), f"{chart['id']} begins at {chart['from']} and says {said!r}")
    return {chart["id"] for chart in charts if chart["from"] != 0}


def statistics(browser, runs):
    """Of one game there is no mean, no interval, no median, no survival."""
    games = {}
    for run in runs:
        games.setdefault(run["record"]["player"], []).append(run)
    several = any(len(of) > 1 for of in games.values())
    visible = lambda id: browser.js(f"document.getElementById('{id}').getClientRects().length > 0")
    check(visible("overview") == (len(runs) > 1), "players are compared, though there is one run")
    for card in ("scores", "alive"):
        check(visible(card) == (several and len(runs) > 1), f"{card}: shown or not, against the number of games")
    if len(runs) > 1:
        words = browser.js("document.getElementById('overview').innerText.toLowerCase()")
        for word in ("mean", "± 95", "median", "interval", "reaches"):
            check((word in words) == several, f"{word!r} is there or not, against the number of games")


def reachable(browser, page):
    """Tab comes to everything that can be used."""
    browser.open(page)
    wanted = set(browser.js("""(() => {
      const use = [...document.querySelectorAll("button, select, input, a[href]")].filter((e) => e.getClientRects().length);
      use.forEach((e, i) => (e.dataset.stop = i));
      return use.map((e) => e.dataset.stop);
    })()"""))
    seen = set()
    for _ in range(2 * len(wanted) + 10):
        browser.press("Tab")
        seen.add(browser.js("document.activeElement?.dataset.stop ?? null"))
    missed = wanted - seen
    names = [browser.js(f"document.querySelector('[data-stop=\"{stop}\"]').outerHTML.slice(0, 80)") for stop in missed]
    check(not missed, f"Tab does not come to {names}")


def main():
    program, report, export, shots = sys.argv[1:]
    page = Path(report).resolve().as_uri()
    runs = json.loads(Path(export).read_text())
    shots = Path(shots)
    shots.mkdir(parents=True, exist_ok=True)
    name = Path(report).stem
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Chromium(program, profile)
        try:
            best = max(range(len(runs)), key=lambda i: runs[i]["record"]["score"])
            opening(browser, page, runs, best)
            statistics(browser, runs)
            watchable = browser.js("JSON.parse(document.getElementById('data').textContent).runs.map((r) => r.game !== null)")
            check(len(watchable) == len(runs), f"{len(watchable)} runs on the page, expected {len(runs)}")
            links(browser, page, runs, watchable, best)
            tetrises(browser, page, runs[best])
            copying(browser, page, runs[best])
            reachable(browser, page)
            offset = charts_say_where_they_begin(browser)
            browser.open(page)
            steps = 0
            for number, run in enumerate(runs):
                if not watchable[number]:
                    continue
                if len(runs) > 1:
                    record = run["record"]
                    label = json.dumps(f"Watch {record['player']}, seed {record['seed']}")
                    browser.js(f"document.querySelector(`[aria-label=${{CSS.escape({label})}}]`).click()")
                title = browser.js("document.getElementById('game-title').textContent")
                check(run["record"]["player"] in title, f"run {number} is not open but {title}")
                picks = set(random.Random(1).sample(range(8, 60), 4))
                steps += play_through(browser, run, picks)
            other_keys(browser, runs[0])
            for width, height in ((1280, 900), (390, 844), (360, 740)):
                for dark in (False, True):
                    browser.window(width, height, dark)
                    browser.js("scrollTo(0, 0)")
                    # A phone widens its window for a page that is too wide, so both are compared with what was asked.
                    wide = browser.js("Math.max(document.documentElement.scrollWidth, innerWidth)")
                    check(wide == width, f"the page is {wide} pixels wide in a window of {width}")
                    no_overflow(browser, f"{width} by {height}")
                    accessible(browser, f"{name}, {width} wide, dark {dark}")
                    if width != 360:
                        file = shots / f"{name}-{width}-{'dark' if dark else 'light'}.png"
                        whole = browser.js("({x: 0, y: 0, width: innerWidth, height: document.documentElement.scrollHeight})")
                        check(len(browser.shot(file, clip=whole)) > 10_000, f"{file} is all but empty")
            browser.window(390, 844, calm=True)
            calm(browser, runs)
            found = browser.complaints(page)
            check(not found, "\n".join(["the console or the network was used:", *found]))
            print(f"{name}: {steps} steps by keys agree with the export; no request, no console error; axes not from 0: {', '.join(sorted(offset)) or 'none'}; screenshots in {shots}")
        finally:
            browser.end()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"page: {failure}")
