"""Opens the page of crates/web in headless Chromium and compares what it does with the program.

usage: web.py CHROMIUM SITE FOLDER AXE.js
       web.py CHROMIUM SITE
       web.py CHROMIUM MAXOUT --served
       web.py CHROMIUM SITE FOLDER AXE.js --live
       web.py CHROMIUM SITE FOLDER --live MINUTES

Without FOLDER it only counts late frames, for a minute or MAXOUT_LATE_SECONDS. With --served it opens the page that this
program has in it, and with --live only rates what a camera shows; with MINUTES for that long, and it prints memory, delays and late frames of each
tenth of them, and fails if memory grows. FOLDER holds what the program says: sim.fm2, analyze-drawn.json, damaged.nes, damaged.txt. Screenshots go there. Exit code 1 says
what was wrong.
"""

import base64
import functools
import http.server
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from browser import WINDOWS, Chromium, Failure, accessible, check, clear_share, in_view, no_overflow, pixels

WAIT_SECONDS = 240
LATE_SECONDS = int(os.environ.get("MAXOUT_LATE_SECONDS", "60"))
DRAWN = "[...document.querySelectorAll('#board i')].map((c) => c.getAttribute('aria-selected') === 'true' ? '#' : '.').join('')"
ANSWERED = "document.getElementById('answers').dataset.number > 0 && !document.getElementById('answered').textContent.startsWith('Sea')"
BOARD = "#..#......\n####.#####\n####.#####\n####.#####"


class Site(http.server.SimpleHTTPRequestHandler):
    extensions_map = {
        **http.server.SimpleHTTPRequestHandler.extensions_map,
        ".webmanifest": "application/manifest+json",
        ".wasm": "application/wasm",
        ".js": "text/javascript",
    }

    # Seconds that a file of weights takes.
    slow = 0

    def log_message(self, *_):
        pass

    def copyfile(self, source, outputfile):
        if not self.slow or ".bin" not in self.path:
            super().copyfile(source, outputfile)
            return
        data = source.read()
        for at in range(0, len(data), len(data) // 50 + 1):
            outputfile.write(data[at : at + len(data) // 50 + 1])
            time.sleep(self.slow / 50)


class SlowSite(Site):
    slow = 8


def until(browser, expression, what):
    deadline = time.monotonic() + WAIT_SECONDS
    while not browser.js(expression):
        check(time.monotonic() < deadline, f"waited {WAIT_SECONDS} s: {what}")
        time.sleep(0.2)


def text(browser, id):
    return browser.js(f"document.getElementById('{id}').textContent")


def put(browser, id, value):
    browser.js(
        f"(() => {{ const e = document.getElementById('{id}'); e.value = {json.dumps(value)};"
        "e.dispatchEvent(new Event('input', {bubbles: true})); e.dispatchEvent(new Event('change', {bubbles: true})); })()"
    )


def click(browser, id):
    browser.js(f"document.getElementById('{id}').click()")


def new_game(browser):
    game = "document.getElementById('screen').dataset.game"
    before = browser.js(game)
    browser.js("document.getElementById('settings').requestSubmit()")
    until(browser, f"{game} !== '{before}'", "a new game")


def saved(browser, button):
    """The bytes that a button saves."""
    browser.js(
        "window.saved = null; URL.createObjectURL = (blob) => {"
        "blob.arrayBuffer().then((all) => { window.saved = [...new Uint8Array(all)]; }); return '#'; };"
        "URL.revokeObjectURL = () => {};"
    )
    click(browser, button)
    until(browser, "window.saved !== null", f"the file of {button}")
    return bytes(browser.js("window.saved"))


def weights(browser):
    """Waits for the weights. On a slow machine the player that needs none has gone far by then, and the page asks who goes on."""
    asks = "!document.getElementById('loaded-start').hidden"
    until(browser, f"document.getElementById('loading').hidden || {asks}", "the weights")
    if not browser.js("document.getElementById('loading').hidden"):
        click(browser, "loaded-start")
        until(browser, "document.getElementById('loading').hidden", "the player with weights")


def first_game(browser, folder):
    begun = time.monotonic()
    weights(browser)
    until(browser, "/^Frame \\d/.test(document.getElementById('frame').textContent)", "the first frame")
    print(f"first frame {time.monotonic() - begun:.1f} s after the page was there")
    until(browser, "Number(document.getElementById('pieces').textContent) >= 3", "three pieces")
    browser.shot(folder / "game-1280.png", whole=True)
    click(browser, "pause")
    before = text(browser, "frame")
    click(browser, "back")
    check(text(browser, "frame").endswith(", 1 back"), f"one frame back of {before}: {text(browser, 'frame')}")
    click(browser, "forward")
    check(text(browser, "frame") == before, f"back and forward from {before}: {text(browser, 'frame')}")
    screenshot(browser)
    click(browser, "pause")
    heard = "Number(document.body.dataset.sound) > 24000"
    # A browser lets a page be heard only after a key or a click of somebody.
    browser.js("document.getElementById('sound').focus()")
    browser.press(" ")
    until(browser, heard, "half a second of sound")
    browser.press(" ")
    check(browser.js("document.getElementById('sound').getAttribute('aria-pressed')") == "false", "sound is still on")


def same_as_the_program(browser, folder):
    put(browser, "stop", "lines:20")
    put(browser, "speed", "0")
    new_game(browser)
    begun = time.monotonic()
    until(browser, "Number(document.getElementById('lines').textContent) >= 20", "20 lines at the highest speed")
    until(browser, "!document.getElementById('result').hidden", "the card at the end of the game")
    frames = int(text(browser, "frame").removeprefix("Frame ").replace(",", ""))
    print(f"20 lines at the highest speed, {frames / (time.monotonic() - begun):.0f} frames/s in the page")
    check(saved(browser, "save") == (folder / "sim.fm2").read_bytes(), "the movie of the page is not that of the program")
    (folder / "page.zip").write_bytes(saved(browser, "save-folder"))


def many(count, one, more=None):
    return f"{count:,} {one if count == 1 else more or one + 's'}"


def ended(browser, folder):
    """The end of a game: what the program says of it, the board as it is after the last clear, and what can be done next."""
    [run] = json.loads((folder / "timeline.json").read_text())
    record, board = run["record"], run["timeline"]["locks"][-1]["board_after"]
    texts = {name: text(browser, f"result-{name}") for name in ("title", "score", "lines", "clears")}
    clears = ", ".join(many(record[f"{name}s" if name != "tetris" else "tetrises"], name, "tetrises" if name == "tetris" else None) for name in ("single", "double", "triple", "tetris"))
    check(texts["title"] == "Reached 20 lines" and texts["score"] == f"{record['score']:,}", f"the card says {texts}")
    check(texts["lines"].startswith(f"{many(record['lines'], 'line')}, {many(record['pieces'], 'piece')}, "), f"the card says {texts}")
    check(texts["clears"] == clears == text(browser, "clears"), f"the card says {texts['clears']!r}, expected {clears!r}")
    check(browser.js("document.getElementById('pause').disabled"), "a game that is over can be paused")
    bright = browser.js("""(() => { const data = document.getElementById('screen').getContext('2d').getImageData(0, 0, 256, 240).data;
      return Array.from({length: 20}, (_, y) => Array.from({length: 10}, (_, x) => {
        const at = 4 * (256 * (48 + 8 * y + 4) + 96 + 8 * x + 4);
        return Math.max(data[at], data[at + 1], data[at + 2]) > 60 ? '#' : '.'; }).join('')); })()""")
    # The next piece is in the air already.
    cells = [(shown, solid) for shown, solid in zip("".join(bright), "".join(board))]
    check(all(shown == "#" for shown, solid in cells if solid == "#") and cells.count(("#", ".")) <= 4, "the screen at the end shows\n" + "\n".join(bright) + "\nexpected\n" + "\n".join(board))
    for width, height in WINDOWS:
        browser.window(width, height)
        browser.js("scrollTo(0, 0)")
        in_view(browser, f"the end, {width} by {height}", "result-title", "again", "review-game", "save-result")
        no_overflow(browser, f"the end, {width} by {height}")
        accessible(browser, f"the end, {width} wide")
        browser.shot(folder / f"end-{width}.png")
    browser.window(1280, 900)
    click(browser, "back")
    check(browser.js("document.getElementById('result').hidden"), "a step back leaves the card")
    click(browser, "forward")
    check(not browser.js("document.getElementById('result').hidden"), "the end of the game has no card after a step back and on")
    check(saved(browser, "save-result") == (folder / "sim.fm2").read_bytes(), "the card saves another movie")
    click(browser, "review-game")
    until(browser, "document.querySelector('#reviewed a') !== null", "the review of the game that was played")
    said = text(browser, "reviewed")
    check(f"{record['pieces']} placements, accuracy " in said and ", 30 Hz" in said, f"the review of the game is told as {said!r}")
    click(browser, "to-game")
    game = browser.js("document.getElementById('screen').dataset.game")
    click(browser, "again")
    until(browser, f"document.getElementById('screen').dataset.game !== '{game}' && document.getElementById('result').hidden", "a new game from the card")


def meanwhile(program, site, folder):
    """While the weights are loaded, the page says how far they are, and a player without any plays."""
    server, url = serve(site, SlowSite)
    megabytes = sum((Path(site) / name).stat().st_size for name in ("weights.bin", "plateau.bin")) / 1e6
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(1280, 720)
            browser.open(url + "#watch")
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece before the weights are there")
            said = text(browser, "loading-text")
            check(not browser.js("document.getElementById('loading').hidden"), "the weights are there already")
            check(re.fullmatch(rf"Loading the learned weights: \d+\.\d of {megabytes:.1f} MB\. plateau17 plays meanwhile\.", said), f"the page says {said!r}")
            browser.shot(folder / "loading-1280.png")
            accessible(browser, "the page while it loads")
            no_overflow(browser, "the page while it loads")
            # Who takes the controller keeps it when the weights come.
            click(browser, "hand")
            until(browser, "!document.getElementById('loaded-start').hidden", "the offer of the learned player")
            check(browser.js("document.getElementById('screen').dataset.game") == "1", "the game of whoever holds the controller was broken off")
            click(browser, "loaded-start")
            until(browser, "document.getElementById('loading').hidden && document.getElementById('screen').dataset.game === '2'", "the learned player")
            print(f"plays before the weights are there: {said}")
        finally:
            browser.end()
            server.shutdown()


def folded(browser):
    """The settings are folded, and say what they are."""
    check(not browser.js("document.getElementById('more').open || document.getElementById('ask-more').open"), "the settings are not folded")
    check(text(browser, "chosen") == "maxout-fast, seed 7, level 19, until level 29, cartridge", f"the settings are told as {text(browser, 'chosen')!r}")
    put(browser, "seed", "8")
    check("seed 8" in text(browser, "chosen"), "a setting that changes is not told")
    put(browser, "seed", "-3")
    browser.js("document.getElementById('settings').requestSubmit()")
    check(browser.js("document.getElementById('more').open"), "a wrong setting stays out of sight")
    put(browser, "seed", "7")
    browser.js("document.getElementById('more').open = false")


def help_is_there(browser):
    """Help opens by a button and a key, and leads to the views."""
    shown = "document.getElementById('helping').open"
    click(browser, "help")
    check(browser.js(shown), "the button does not open the help")
    accessible(browser, "the help")
    browser.press("Escape")
    check(not browser.js(shown), "Escape does not close the help")
    browser.js("document.activeElement.blur()")
    browser.press("?")
    check(browser.js(shown), "? does not open the help")
    browser.js("document.querySelector('#helping [data-view=study]').click()")
    check(not browser.js(shown) and not browser.js("document.getElementById('study').hidden"), "the help does not lead to the study")
    click(browser, "to-game")


def shown(browser, name):
    """A number on the page."""
    return int(re.sub(r"\D", "", text(browser, name)))


def frame_forward(browser):
    frame = shown(browser, "frame")
    click(browser, "forward")
    until(browser, f"Number(document.getElementById('frame').textContent.replace(/\\D/g, '')) > {frame}", "the next frame")


def taken(browser):
    """The study takes the piece, the next piece, level and lines of the game with its board."""
    put(browser, "machine", "model")
    put(browser, "stop", "topout")
    put(browser, "start-level", "18")
    put(browser, "speed", "8")
    new_game(browser)
    until(browser, "Number(document.getElementById('lines').textContent) >= 4", "four lines")
    put(browser, "speed", "1")
    click(browser, "pause")
    # More steps at once than there are frames: the last one is made as soon as its frame is there.
    frame = browser.js("(() => { for (let k = 0; k < 400; k++) document.getElementById('forward').click(); return document.getElementById('frame').textContent; })()")
    until(browser, f"document.getElementById('frame').textContent !== {json.dumps(frame)}", "the frame of the last step")
    # Frame by frame to a lock, as what was played ahead at a high speed holds several pieces in one state. The piece that was
    # next is then the one that falls.
    for _ in range(2000):
        before, pieces = browser.js("['next', 'pieces'].map((name) => document.getElementById(name).textContent)")
        frame_forward(browser)
        if shown(browser, "pieces") == int(pieces.replace(",", "")) + 1:
            break
    else:
        check(False, "no piece locked in 2,000 frames")
    # It spawns some frames after the last one locked.
    for _ in range(30):
        frame_forward(browser)
    expected = {"piece": before, **{name: text(browser, name) for name in ("next", "level", "lines")}}
    check(int(expected["lines"]) >= 4 and expected["level"] == "18", f"the game is at {expected}")
    click(browser, "to-study")
    click(browser, "from-game")
    got = {name: browser.js(f"document.getElementById('ask-{name}').value") for name in expected}
    check(got == expected, f"the study takes {got}, the game has {expected}")
    check(text(browser, "ask-tetris") == "One tetris here = 22,800.", f"a tetris on level 18 is told as {text(browser, 'ask-tetris')!r}")
    click(browser, "to-game")


def damaged_file(browser, folder):
    said = (folder / "damaged.txt").read_text().strip().splitlines()[-1].split("damaged.nes: ", 1)[1]
    data = list((folder / "damaged.nes").read_bytes())
    browser.js(
        "(() => { const drag = new DataTransfer();"
        f"drag.items.add(new File([new Uint8Array({data})], 'damaged.nes'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: drag, bubbles: true, cancelable: true})); })()"
    )
    until(browser, "!document.getElementById('message').hidden", "the line about the damaged file")
    check(text(browser, "message") == f"damaged.nes: {said}", f"the page says {text(browser, 'message')!r}, rom {said!r}")


def by_keyboard(browser):
    put(browser, "machine", "model")
    put(browser, "stop", "topout")
    put(browser, "start-level", "18")
    put(browser, "speed", "1")
    new_game(browser)
    click(browser, "hand")
    browser.js("document.activeElement.blur()")
    key = {"key": "ArrowLeft", "windowsVirtualKeyCode": 37}
    until(browser, "Number(document.getElementById('frame').textContent.replace(/\\D/g, '')) > 5", "frames by hand")
    browser.call("Input.dispatchKeyEvent", type="keyDown", **key)
    until(browser, "document.getElementById('buttons').textContent.startsWith('.L')", "Left on the controller")
    browser.call("Input.dispatchKeyEvent", type="keyUp", **key)
    until(browser, "!document.getElementById('buttons').textContent.includes('L')", "Left is released")
    until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece by hand")
    until(browser, "/^Piece \\d+: .*loses/.test(document.getElementById('own-last').textContent)", "a rating")
    print(f"own placement: {text(browser, 'own-last')}")
    click(browser, "hand")
    until(browser, "Number(document.getElementById('pieces').textContent) >= 3", "pieces by the bot again")
    click(browser, "save-folder")
    until(browser, "document.getElementById('message').textContent.includes('on the model')", "why there is no folder")
    check(re.fullmatch(r"[A-Z][a-z]+ \d(, [A-Z][a-z]+ \d)*", text(browser, "own-counts")), f"rated by hand: {text(browser, 'own-counts')}")


def analyzed(browser, folder):
    """The list on the page is that of `maxout analyze --json`."""
    expected = []
    for number, placement in enumerate(json.loads((folder / "analyze-drawn.json").read_text())["placements"]):
        points, loss = (f"{int(placement[key] + 0.5):,}" for key in ("points", "loss"))
        expected.append([points, "best" if number == 0 else f"−{loss}"])
    shown = browser.js(
        "[...document.querySelectorAll('#answers button')]"
        ".map((row) => ['.value', '.loss'].map((part) => row.querySelector(part).textContent))"
    )
    check(shown == expected, f"the page ranks {shown}, analyze {expected}")
    # The loss comes first, with what it is measured by and whose play the points forecast.
    first = browser.js("(() => { const row = document.querySelectorAll('#answers button')[1]; return row.querySelector('.loss').getBoundingClientRect().x < row.querySelector('.value').getBoundingClientRect().x; })()")
    check(first, "the points come before the loss")
    check(text(browser, "ask-tetris") == "One tetris here = 24,000.", f"a tetris is told as {text(browser, 'ask-tetris')!r}")
    [game] = json.loads((folder / "review.json").read_text())
    whose = f"if {game['forecast']['player']} plays on at {game['forecast']['taps'].removesuffix('hz')} Hz"
    labels = browser.js("[...document.querySelectorAll('.forecast')].map((place) => place.textContent)")
    check(labels and set(labels) == {whose}, f"the forecasts are labelled {labels}, expected {whose!r}")


def screenshot(browser):
    """The emulator's picture, 1.5 times as large and smooth, becomes the position of the game: board, piece in the air and next
    piece. A piece that touches other cells is part of the board, which the page says."""
    click(browser, "to-study")
    click(browser, "from-game")
    until(browser, ANSWERED, "the placements on the game's board")
    game = browser.js(DRAWN)
    pieces = "['ask-piece', 'ask-next'].map((id) => document.getElementById(id).value).join('')"
    asked = browser.js(pieces)
    # Another question, so that the pieces of the screenshot are news.
    browser.js("document.getElementById('ask-next').value = ''")
    check("#" in game, "the game's board is empty")
    click(browser, "clear")
    until(browser, f"!{DRAWN}.includes('#')", "an empty board")
    browser.js(
        "(async () => { const canvas = new OffscreenCanvas(384, 360);"
        "canvas.getContext('2d').drawImage(document.getElementById('screen'), 0, 0, 384, 360);"
        "const file = new File([await canvas.convertToBlob()], 'screen.png', {type: 'image/png'});"
        "const drag = new DataTransfer(); drag.items.add(file);"
        "document.dispatchEvent(new ClipboardEvent('paste', {clipboardData: drag, bubbles: true})); })()"
    )
    until(browser, f"{DRAWN}.includes('#')", "the board of the screenshot")
    seen = browser.js(DRAWN)
    check(browser.js(pieces) == asked, f"the pieces of the screenshot are {browser.js(pieces)}, those of the game {asked}")
    link = browser.js("location.hash")
    check(f"piece={asked[0]}" in link and f"next={asked[1]}" in link, f"the link is {link}, the pieces {asked}")
    more = sum(a != b for a, b in zip(game, seen))
    check(all(b == "#" for a, b in zip(game, seen) if a == "#") and more in (0, 4), f"the screenshot is {seen}, the game {game}")
    said = browser.js("document.getElementById('study-message').textContent")
    check(more == 0 or said.startswith("Screenshot: "), f"{more} cells more than in the game, and the page says {said!r}")
    click(browser, "clear")
    click(browser, "to-game")


def late_frames(browser):
    """How many frames come late in a minute at the console's speed, by the page's own player."""
    put(browser, "speed", "1")
    new_game(browser)
    until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece")
    counted = "Number(document.getElementById('screen').dataset.late ?? 0)"
    shown = "Number(document.getElementById('frame').textContent.replace(/\\D/g, ''))"
    late, frames = browser.js(counted), browser.js(shown)
    time.sleep(LATE_SECONDS)
    late, frames = browser.js(counted) - late, browser.js(shown) - frames
    player = browser.js("document.getElementById('player').value")
    print(f"{player} at 1x: {late} late frames of {frames} in {LATE_SECONDS} s (0 expected on a free machine)")
    check(frames > LATE_SECONDS, f"only {frames} frames in {LATE_SECONDS} s")


def study(browser, url, folder):
    click(browser, "to-study")
    # Every form that the program reads.
    for written in ("16,,4", "|######### |\n" * 4, "xxxxxxxxx.\n" * 4):
        put(browser, "drawing", written)
        until(browser, f"{DRAWN} === '.'.repeat(160) + '#########.'.repeat(4)", f"the board of {written!r}")
    put(browser, "drawing", "####?#####")
    until(browser, "document.getElementById('study-message').textContent.startsWith('board row 1, column 5 has')", "an error")
    put(browser, "drawing", BOARD)
    until(browser, f"{DRAWN} === {json.dumps('.' * 160 + BOARD.replace(chr(10), ''))}", "the board")
    for name, value in (("piece", "T"), ("next", "I"), ("level", "19"), ("lines", "0")):
        put(browser, f"ask-{name}", value)
    until(browser, "document.getElementById('answers').children.length > 5", "answers")
    until(browser, ANSWERED, "the last answer")
    answers = text(browser, "answers")
    analyzed(browser, folder)
    cells = browser.js(DRAWN)
    check(cells == "." * 160 + BOARD.replace("\n", ""), f"the board is {cells}")
    browser.shot(folder / "study-1280.png", whole=True)
    link = browser.js("location.href")
    check("#study?board=" in link, f"the link is {link}")
    browser.open("about:blank")
    browser.open(link)
    until(browser, "document.getElementById('answers').children.length > 5", "answers of the link")
    check((browser.js(DRAWN), text(browser, "answers")) == (cells, answers), "the link leads to another board or answers")
    browser.open("about:blank")
    browser.call("Page.navigate", url=url + "#study?board=zz")
    until(browser, "document.getElementById('answers')?.children.length > 5", "answers after a damaged link")
    check("expected" in text(browser, "study-message"), "a damaged link is not refused")
    for name, value in (("level", "169"), ("lines", "1637")):
        put(browser, f"ask-{name}", value)
    until(browser, "document.getElementById('answered').textContent.includes('2 lines are safe, with at least 19 CPU cycles to spare')", "which clears are safe")


def review(browser, url, axe, folder):
    """A dropped movie is reviewed, and its link opens the page of the review in a tab of its own."""
    expected = json.loads((folder / "reviewed-game.fm2.json").read_text())[0]["placements"]
    data = list((folder / "game.fm2").read_bytes())
    browser.js(
        "(() => { const drag = new DataTransfer();"
        f"drag.items.add(new File([new Uint8Array({data})], 'game.fm2'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: drag, bubbles: true, cancelable: true})); })()"
    )
    until(browser, "document.querySelector('#reviewed a')?.textContent.startsWith('game.fm2, 30 Hz') === true", "the link of the review")
    check(browser.js("document.activeElement === document.querySelector('#reviewed a')"), "the link has no focus")
    [told] = json.loads((folder / "reviewed-game.fm2.json").read_text())
    bad = [sum(placed["class"] == kind for placed in expected) for kind in ("mistake", "blunder")]
    said = browser.js("document.querySelector('#reviewed li').textContent")
    words = f"{many(len(expected), 'placement')}, accuracy {told['phases'][0]['accuracy']:.1f} %, {many(bad[0], 'mistake')}, {many(bad[1], 'blunder')}"
    check(words in said, f"the list says {said!r}, expected {words!r}")
    accessible(browser, "the list of reviews", axe)
    no_overflow(browser, "the list of reviews")
    browser.shot(folder / "review-list-1280.png", whole=True)
    link = browser.js("document.querySelector('#reviewed a').href")
    # The same game at another tap speed.
    put(browser, "review-taps", "12hz")
    check(text(browser, "review-again") == "Review game.fm2 at 12 Hz", f"another tap speed is offered as {text(browser, 'review-again')!r}")
    click(browser, "review-again")
    until(browser, "document.querySelector('#reviewed a').textContent === 'game.fm2, 12 Hz'", "the review at 12 Hz")
    [slow] = json.loads((folder / "reviewed-12hz-game.fm2.json").read_text())
    said = browser.js("document.querySelector('#reviewed li').textContent")
    check(f"accuracy {slow['phases'][0]['accuracy']:.1f} %" in said, f"at 12 Hz the list says {said!r}")
    put(browser, "review-taps", "")
    first = browser.tab()
    browser.window(1280, 900)
    browser.open(link)
    worst = max(range(len(expected)), key=lambda n: (expected[n]["loss"], -n))
    until(browser, f"document.getElementById('where').textContent === 'piece {worst + 1} of {len(expected)}'", "the costliest placement")
    check(text(browser, "game-title") == "Game review: game.fm2", f"the review is called {text(browser, 'game-title')!r}")
    check("view Review" in text(browser, "taps-others"), f"another tap speed is offered as {text(browser, 'taps-others')!r}")
    browser.press("Home")
    browser.press("n")
    worst = next(n for n, placed in enumerate(expected) if n > 0 and placed["class"] in ("mistake", "blunder"))
    until(browser, f"document.getElementById('where').textContent.startsWith('piece {worst + 1} ')", "the first mistake")
    loss = browser.js("Number(document.getElementById('now-loss').dataset.loss)")
    check(abs(loss - expected[worst]["loss"]) < 0.01, f"the page says {loss}, review {expected[worst]['loss']}")
    for words in expected[worst]["why"]:
        check(words in text(browser, "why-text"), f"the page says {text(browser, 'why-text')!r}, review {words!r}")
    accessible(browser, "the review", axe)
    for width, height in WINDOWS:
        browser.window(width, height)
        no_overflow(browser, f"the review, {width} by {height}")
        in_view(browser, f"the review, {width} by {height}", "board", "scrub", "next-mistake")
    browser.shot(folder / "review-1920.png")
    # A tab in the background draws nothing.
    browser.call("Page.close")
    browser.session = first
    browser.call("Page.bringToFront")
    browser.js(
        "(() => { const drag = new DataTransfer(); drag.items.add(new File(['bad'], 'bad.fm2'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: drag, bubbles: true, cancelable: true})); })()"
    )
    until(browser, "document.getElementById('review-message').textContent.startsWith('bad.fm2: line 1')", "the line about bad.fm2")
    print(f"a dropped movie is reviewed: {len(expected)} placements, first mistake at piece {worst + 1}")
    click(browser, "to-game")


def drop(browser, name, data):
    """Drops a file on the page."""
    packed = base64.b64encode(data).decode()
    browser.js(
        f"(() => {{ const bytes = Uint8Array.from(atob('{packed}'), (c) => c.charCodeAt(0));"
        f"const drag = new DataTransfer(); drag.items.add(new File([bytes], '{name}'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: drag, bubbles: true, cancelable: true})); })()"
    )


def video(browser, url, folder):
    """A dropped video is read: its placements are those of the run that it shows."""
    browser.open("about:blank")
    browser.open(url + "#review")
    # Pieces that fall two rows in a picture do not tell the level.
    put(browser, "review-level", "19")
    drop(browser, "game.webm", (folder / "game.webm").read_bytes())
    until(browser, "!document.getElementById('review-video').hidden", "the video")
    until(browser, "document.getElementById('review-status').textContent.endsWith('reading the game')", "the game in the video")
    browser.shot(folder / "video-1280.png")
    until(browser, "document.querySelector('#reviewed a')?.textContent.startsWith('game.webm') === true", "the review of the video")
    link = browser.js("document.querySelector('#reviewed a').href")
    check(browser.js("document.getElementById('review-video').hidden"), "the video is still there")
    page = browser.js(
        "new Promise((done) => { const channel = new BroadcastChannel('maxout-review');"
        f"channel.onmessage = ({{data}}) => data.page && done(data.page); channel.postMessage({{ask: {json.dumps(link.split('?')[1])}}}); }})"
    )
    keys = ("piece", "level", "lines", "board", "played")
    [got], [expected] = json.loads(page)["reviews"], json.loads((folder / "video-game.webm.json").read_text())
    for name, want in (("maxout review game.webm", expected), ("maxout review 1", json.loads((folder / "review.json").read_text())[0])):
        pairs = [[[placed["played"]["placement"] if key == "played" else placed[key] for key in keys] for placed in game["placements"]] for game in (got, want)]
        same = sum(a == b for a, b in zip(*pairs))
        check(pairs[0] == pairs[1], f"the page reads {len(pairs[0])} placements of game.webm, {name} has {len(pairs[1])}, {same} are the same")
    drop(browser, "noise.webm", b"\x1a\x45\xdf\xa3 no video")
    until(browser, "document.getElementById('review-message').textContent.startsWith('noise.webm: this browser cannot play it')", "the line about noise.webm")
    print(f"a dropped video is read: {len(got['placements'])} placements, all as in the run that it shows")


def late_words(browser, url, folder):
    """What is said of a file stays when the review before it is kept late."""
    browser.open("about:blank")
    browser.open(url + "#review")
    # A slow disk: each of two things is kept 1.2 seconds later.
    browser.js(
        "(() => { const before = IDBDatabase.prototype.transaction; IDBDatabase.prototype.transaction = function (...all) { const made = before.apply(this, all);"
        "Object.defineProperty(made, 'oncomplete', {set(done) { made.addEventListener('complete', () => setTimeout(done, 1200)); }}); return made; }; })()"
    )
    drop(browser, "game.ngf", (folder / "game.ngf").read_bytes())
    until(browser, "document.querySelector('#reviewed a') !== null", "the review of a recording")
    drop(browser, "noise.webm", b"\x1a\x45\xdf\xa3 no video")
    until(browser, "document.getElementById('review-message').textContent.startsWith('noise.webm: ')", "the line about noise.webm")
    time.sleep(3)
    check(text(browser, "review-message").startswith("noise.webm: "), f"the file before takes the line about noise.webm away: {text(browser, 'review-status')!r}")


# Rows below the screen in which each picture has its number, 16 bits of 16 columns.
STRIP = 16
# Black pictures before the first one.
BEFORE = 180
# Megabytes by which the memory of the page may grow while a camera is read for long.
GROWS = 60
# Notes when each picture is shown and each rating is there, long tasks and late frames of the page.
WATCH = """(() => {
  const canvas = new OffscreenCanvas(256, 1).getContext("2d", {willReadFrequently: true});
  const live = window.live = {shown: {}, rated: [], longest: 0, late: 0, pictures: 0};
  const video = document.getElementById(VIDEO), card = document.getElementById("live");
  const look = (now, {presentationTime, width, height}) => {
    video.requestVideoFrameCallback(look);
    live.pictures++;
    canvas.drawImage(video, 0, height * 248 / 256, width, 1, 0, 0, 256, 1);
    const {data} = canvas.getImageData(0, 0, 256, 1);
    let number = 0;
    for (let bit = 0; bit < 16; bit++) number = 2 * number + (data[4 * (16 * bit + 8)] > 128);
    // The camera shows the game again and again.
    if (!(presentationTime - live.shown[number] < 5000)) live.shown[number] = presentationTime;
  };
  video.requestVideoFrameCallback(look);
  let last = "";
  new MutationObserver(() => {
    const {number, class: kind, loss} = card.dataset, key = [number, kind, loss].join();
    if (!number || key === last) return;
    last = key;
    const entry = {number: Number(number), class: kind, loss: Number(loss), counts: document.getElementById("live-counts").textContent,
      accuracy: document.getElementById("live-accuracy").textContent, at: 0, picture: null};
    // When the first picture was shown in which the piece has locked, or one soon after it.
    for (let picture = LOCKS[entry.number - 1]; picture < LOCKS[entry.number - 1] + 30 && entry.picture === null; picture++) {
      if (performance.now() - live.shown[picture] < 3000) entry.picture = live.shown[picture];
    }
    live.rated.push(entry);
    // It is seen when the next frame is drawn.
    requestAnimationFrame(() => setTimeout(() => { entry.at = performance.now(); }));
  }).observe(card, {attributes: true, attributeFilter: ["data-number", "data-class", "data-loss"]});
  new PerformanceObserver((list) => { for (const {duration} of list.getEntries()) live.longest = Math.max(live.longest, duration); }).observe({type: "longtask"});
  let before = performance.now();
  const frame = (now) => { if (now - before > 50) live.late++; before = now; requestAnimationFrame(frame); };
  requestAnimationFrame(frame);
})()"""


def watch(browser, video, locks):
    browser.js(WATCH.replace("VIDEO", json.dumps(video)).replace("LOCKS", json.dumps(locks)))


def show_camera(browser, url, locks, after=0):
    """Opens the review of what the camera shows, a game from level 19, some seconds after the page."""
    browser.window(1280, 900)
    browser.open(url + "#review")
    time.sleep(after)
    put(browser, "review-level", "19")
    watch(browser, "review-video", locks)
    click(browser, "review-camera")


def is_as_reviewed(rating, truth):
    """Whether a placement is rated as in the review of the run."""
    return rating["number"] <= len(truth) and rating["class"] == truth[rating["number"] - 1][0] and abs(rating["loss"] - truth[rating["number"] - 1][1]) < 0.01


def games_of(ratings):
    """The ratings, game by game: in each, placements count up."""
    games = []
    for rating in ratings:
        if not games or rating["number"] < games[-1][-1]["number"]:
            games.append([])
        games[-1].append(rating)
    return games


def game(browser, truth, least):
    """The ratings of one game from its beginning on, at least so many. The camera shows the game again and again; while the weights are unpacked,
    and on a busy machine, pieces are missed, and what is read then is another game. One must be as it was played."""
    deadline = time.monotonic() + WAIT_SECONDS
    while True:
        games = games_of(browser.js("window.live.rated"))
        wrong = []
        for ratings in games:
            told = [rating for rating in ratings if rating["number"] <= len(truth)]
            wrong = [rating for rating in told if not is_as_reviewed(rating, truth)]
            if ratings[0]["number"] <= 2 and ratings[-1]["at"] and len(told) >= least and not wrong and len(set(rating["number"] for rating in told)) == len(ratings):
                return ratings
        check(time.monotonic() < deadline, f"waited {WAIT_SECONDS} s for {least} ratings of a game; of {[len(ratings) for ratings in games]}, the last is wrong in {wrong}")
        time.sleep(0.2)


def numbered(folder):
    """game.y4m, with the number of each picture in a strip below the screen, after some seconds of black pictures."""
    out = folder / "camera.y4m"
    with open(folder / "game.y4m", "rb") as source, open(out, "wb") as target:
        head = source.readline()
        target.write(head)
        width, height = (next(int(part[1:]) for part in head.split() if part[:1] == kind) for kind in (b"W", b"H"))
        size = width * height * 3 // 2
        for _ in range(BEFORE):
            target.write(b"FRAME\n" + b"\x10" * (width * height) + b"\x80" * (width * height // 2))
        # Black pictures have number 0.
        for number in range(1, 1 << 16):
            line, picture = source.readline(), bytearray(source.read(size))
            if len(picture) < size:
                break
            row = b"".join((b"\xeb" if number >> (15 - bit) & 1 else b"\x10") * (width // 16) for bit in range(16))
            picture[(height - STRIP) * width : height * width] = row * STRIP
            target.write(line + picture)
    return out


def resident(browser):
    """Megabytes in memory of the processes that show pages."""
    session, browser.session = browser.session, None
    processes = browser.call("SystemInfo.getProcessInfo")["processInfo"]
    browser.session = session
    pages = [Path(f"/proc/{process['id']}/statm") for process in processes if process["type"] == "renderer"]
    return sum(int(page.read_text().split()[1]) * 4096 for page in pages if page.exists()) / 1e6


def camera(folder):
    return ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream", f"--use-file-for-fake-video-capture={numbered(folder)}")


def delays(browser, ratings, what):
    """Prints how long after the picture in which its piece has locked each rating was there."""
    late = sorted(rating["at"] - rating["picture"] for rating in ratings if rating["at"] and rating["picture"])
    pictures, longest, frames = browser.js("[live.pictures, live.longest, live.late]")
    print(
        f"{what}: {len(late)} ratings, {late[len(late) // 2]:.0f} ms after the picture in which the piece has locked (median; 90 %: "
        f"{late[len(late) * 9 // 10]:.0f} ms, longest {late[-1]:.0f} ms); {pictures} pictures, longest task of the page {longest:.0f} ms, "
        f"{frames} frames later than 50 ms"
    )


def live(program, site, folder, axe):
    """What a camera shows is rated as it is played: as the review rates the run that it shows."""
    server, url = serve(site)
    expected = json.loads((folder / "review.json").read_text())[0]
    [run] = json.loads((folder / "timeline-live.json").read_text())
    locks = [lock["locked"] for lock in run["timeline"]["locks"]]
    truth = [(placed["class"], placed["loss"]) for placed in expected["placements"]]
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile, *camera(folder))
        try:
            show_camera(browser, url, locks)
            until(browser, "window.live.rated.some(({number}) => number >= 4)", "ratings of what the camera shows")
            before = resident(browser)
            rated = game(browser, truth, len(truth) - 3)
            print(f"memory of the page: {before:.0f} MB after the first ratings, {resident(browser):.0f} MB after the last")
            delays(browser, rated, "a camera is rated as it is played, as the run is reviewed")
            click(browser, "review-stop")
            until(browser, "document.querySelector('#reviewed a') !== null", "the review of what the camera showed")
            # A piece that only rests when reading stops is not part of the review.
            said = [(int(count), accuracy) for count, accuracy in re.findall(r"(\d+) placements, accuracy ([\d.]+ %)", text(browser, "reviewed"))]
            so_far = [(rating["number"], rating["accuracy"]) for rating in browser.js("window.live.rated")[-3:]]
            check(said and said[-1] in so_far, f"the review says {said}, the last ratings {so_far}")
            check(browser.js("document.getElementById('live').hidden"), "the ratings are still there")
            # Once more, without a look at the time.
            click(browser, "review-camera")
            until(browser, "!document.getElementById('live').hidden && document.getElementById('live').dataset.number === ''", "the next game")
            until(browser, "Number(document.getElementById('live').dataset.number) >= 2", "ratings of what the camera shows once more")
            browser.shot(folder / "live-1280.png", whole=True)
            accessible(browser, "what is rated as it is played", axe)
            no_overflow(browser, "what is rated as it is played")
            no_complaints(browser, url)
            overlay(browser, url, folder, axe, locks, truth)
        finally:
            browser.end()
            server.shutdown()


def live_for(program, site, folder, minutes):
    """Rates what a camera shows for long, and fails if the last three tenths of the time take more memory than the second to fourth."""
    server, url = serve(site)
    expected = json.loads((folder / "review.json").read_text())[0]
    [run] = json.loads((folder / "timeline-live.json").read_text())
    truth = [(placed["class"], placed["loss"]) for placed in expected["placements"]]
    used, known = [], []
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile, *camera(folder))
        try:
            # A page that is being opened has long tasks of its own.
            show_camera(browser, url, [lock["locked"] for lock in run["timeline"]["locks"]], after=4)
            until(browser, "window.live.rated.length > 0", "a rating of what the camera shows")
            for tenth in range(1, 11):
                time.sleep(6 * minutes)
                # What was taken out of the page does not count as its memory.
                known += browser.js("live.rated.splice(0)")
                games = games_of(known)
                known = games[-1]
                right = [told for told in games[:-1] if all(is_as_reviewed(rating, truth) for rating in told)]
                late = sorted(rating["at"] - rating["picture"] for told in right for rating in told if rating["at"] and rating["picture"])
                pictures, longest, frames = browser.js("(([...all]) => (live.pictures = live.longest = live.late = 0, all))([live.pictures, live.longest, live.late])")
                used.append(resident(browser))
                print(
                    f"{minutes * tenth / 10:g} min: {used[-1]:.0f} MB; {len(right)} of {len(games) - 1} games rated as the run is reviewed, {len(late)} ratings "
                    + (f"after {late[len(late) // 2]:.0f} ms (90 %: {late[len(late) * 9 // 10]:.0f} ms, longest {late[-1]:.0f} ms)" if late else "in them")
                    + f"; {pictures} pictures, longest task {longest:.0f} ms, {frames} frames later than 50 ms",
                    flush=True,
                )
            # What is given back now and then does not count.
            early, late = min(used[1:4]), min(used[7:])
            check(late < early + GROWS, f"memory of the page: {early:.0f} MB, then {late:.0f} MB")
            no_complaints(browser, url)
        finally:
            browser.end()
            server.shutdown()


def no_game_live(program, site):
    """What shows no game is not rated: the page goes on looking, and says in the end that there was none."""
    server, url = serve(site)
    with tempfile.TemporaryDirectory() as profile:
        # Without a file, Chromium's camera shows a clock and a moving circle.
        browser = Chromium(program, profile, "--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
        try:
            browser.window(1280, 900)
            browser.open(url + "#review")
            click(browser, "review-camera")
            until(browser, "document.getElementById('review-status').textContent.endsWith('looking for a game')", "the search for a game")
            until(browser, "document.getElementById('review-video').currentTime > 10", "ten seconds of the camera")
            check(text(browser, "review-status").endswith("looking for a game"), f"a stream without a game: {text(browser, 'review-status')!r}")
            check(browser.js("document.getElementById('live').dataset.number") in (None, ""), "a stream without a game is rated")
            click(browser, "review-stop")
            until(browser, "document.getElementById('review-message').textContent !== ''", "the line about a stream without a game")
            said = text(browser, "review-message")
            check("no game, expected the field of a game, with its rim, while pieces fall" in said, f"a stream without a game: {said!r}")
            check(browser.js("document.querySelector('#reviewed a') === null"), "a stream without a game is reviewed")
            no_complaints(browser, url)
            print(f"a stream without a game is refused: {said}")
        finally:
            browser.end()
            server.shutdown()


def overlay(browser, url, folder, axe, locks, truth):
    """The view for streams rates the same game in large figures, and the rest of its picture is transparent."""
    browser.call("Emulation.setDefaultBackgroundColorOverride", color={"r": 0, "g": 0, "b": 0, "a": 0})
    for size, width, height in (("1280x720", 1280, 720), ("1920x1080", 1920, 1080)):
        browser.window(width, height, dark=width > 1280)
        browser.open("about:blank")
        browser.open(f"{url}overlay.html?size={size}&level=19&device=camera.y4m")
        watch(browser, "video", locks)
        delays(browser, game(browser, truth, 8), f"overlay of {size}")
        png = browser.shot(folder / f"overlay-{width}.png")
        check((len(pixels(png)), len(pixels(png)[0])) == (height, width), f"the overlay is not {size}")
        clear = clear_share(png)
        check(0.6 < clear < 0.95, f"{100 * clear:.0f} % of the overlay of {size} are transparent")
        tall = browser.js("document.getElementById('live-grade').getBoundingClientRect().height")
        check(tall > height / 20, f"the class is {tall} pixels tall in {size}")
        accessible(browser, f"the overlay of {size}", axe)
        no_overflow(browser, f"the overlay of {size}")
    for wrong, said in (("size=640x480", "size=640x480: expected 1280x720 or 1920x1080"), ("level=x", "level=x: expected 0 to 255"), ("device=nobody", "nobody: expected a part of one of these names: "), ("taps=x", "\"x\": expected a tap speed")):
        browser.open("about:blank")
        browser.open(f"{url}overlay.html?{wrong}")
        until(browser, f"document.getElementById('live-last').textContent.includes({json.dumps(said)})", f"the line about {wrong}")
    no_complaints(browser, url)


def looks(browser, url, axe, folder):
    """Every view in every window, light and dark: controls in view, nothing overflows, axe-core finds nothing."""
    browser.open("about:blank")
    browser.open(url + "#watch")
    weights(browser)
    until(browser, "Number(document.getElementById('pieces').textContent) >= 2", "pieces")
    for width, height in WINDOWS:
        for dark in (False, True):
            browser.window(width, height, dark)
            for view, ids in (("game", ("screen", "pause", "hand")), ("study", ("board", "clear", "from-game")), ("review", ("games-open",))):
                click(browser, f"to-{view}")
                if view == "study":
                    until(browser, "document.getElementById('answers').children.length > 5", "answers")
                browser.js("scrollTo(0, 0)")
                time.sleep(0.3)
                where = f"the {view}, {width} by {height}"
                in_view(browser, where, *ids)
                no_overflow(browser, where)
                accessible(browser, f"{where}, dark {dark}", axe)
                browser.shot(folder / f"{view}-{width}{'-dark' * dark}.png")
            click(browser, "to-game")


def serve(site, handler=Site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(handler, directory=os.path.abspath(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


def only_late(program, site):
    _, url = serve(site)
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(1280, 900)
            browser.open(url + "#watch")
            weights(browser)
            late_frames(browser)
        finally:
            browser.end()


def served(program, maxout, _):
    """The page that is part of the program, from an empty folder and without a browser of the system."""
    with tempfile.TemporaryDirectory() as folder, tempfile.TemporaryDirectory() as profile:
        command = [os.path.abspath(maxout), "serve", "--port", "0", "--open"]
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL, "text": True}
        server = subprocess.Popen(command, cwd=folder, env={"PATH": folder, "HOME": folder}, **pipes)
        browser = None
        try:
            url = server.stdout.readline().strip().removeprefix("listening on ") + "/"
            check(url.startswith("http://"), f"serve --open says {url!r}")
            browser = Chromium(program, profile)
            browser.window(1280, 900)
            browser.open(url + "#watch")
            weights(browser)
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece")
            no_complaints(browser, url)
            # The service worker keeps the files of the page, and no answer to a request.
            browser.js("navigator.serviceWorker.ready.then(() => 1)")
            browser.open("about:blank")
            browser.open(url)
            check(browser.js("navigator.serviceWorker.controller !== null"), "no service worker controls the page")
            asked = "fetch('/get-move?currentPiece=I&level=19&board=' + '{}'.padEnd(200, '0')).then((a) => a.text())"
            first, second = (browser.js(asked.format(cells)) for cells in ("", "0" * 190 + "1111111110"))
            check(first != second, f"/get-move says {first!r} of two boards")
            kept = browser.js(
                "caches.keys().then((names) => Promise.all(names.map((name) => caches.open(name).then((kept) => kept.keys()))))"
                ".then((lists) => lists.flat().map((request) => request.url).filter((url) => url.includes('get-move')).length)"
            )
            check(kept == 0, f"{kept} answers of the server are kept")
            print("`maxout serve --open` shows the page that the program has in it, and nothing complains")
        finally:
            if browser:
                browser.end()
            server.terminate()
            server.wait(30)


def no_complaints(browser, url):
    complaints = [text for text in browser.complaints(url) if not text.startswith(f"request: {url}")]
    complaints = [text for text in complaints if "about:blank" not in text and "request: blob:" not in text]
    check(not complaints, "\n".join(complaints))


def main(program, site, folder, axe):
    folder, axe = Path(folder), Path(axe)
    server, url = serve(site)
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(1280, 900)
            browser.open(url + "#watch")
            first_game(browser, folder)
            folded(browser)
            help_is_there(browser)
            same_as_the_program(browser, folder)
            ended(browser, folder)
            damaged_file(browser, folder)
            by_keyboard(browser)
            taken(browser)
            study(browser, url, folder)
            review(browser, url, axe, folder)
            late_words(browser, url, folder)
            video(browser, url, folder)
            looks(browser, url, axe, folder)
            no_complaints(browser, url)
            browser.window(1280, 900)
            browser.js("navigator.serviceWorker.ready.then(() => 1)")
            server.shutdown()
            server.server_close()
            browser.open("about:blank")
            browser.open(url + "#watch")
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece without a network")
            print("the page plays without a network")
        finally:
            browser.end()
    meanwhile(program, site, folder)
    no_game_live(program, site)
    live(program, site, folder, axe)
    print(f"screenshots in {folder}")


if __name__ == "__main__":
    try:
        if sys.argv[-2] == "--live":
            live_for(*sys.argv[1:3], Path(sys.argv[3]), float(sys.argv[5]))
            sys.exit()
        if sys.argv[-1] == "--live":
            live(*sys.argv[1:3], Path(sys.argv[3]), Path(sys.argv[4]))
            sys.exit()
        {3: only_late, 4: served}.get(len(sys.argv), main)(*sys.argv[1:])
    except Failure as failure:
        sys.exit(f"web.py: {failure}")
