"""Opens the page of crates/web in headless Chromium and compares what it does with the program.

usage: web.py CHROMIUM SITE FOLDER AXE.js
       web.py CHROMIUM SITE
       web.py CHROMIUM MAXOUT --served

Without FOLDER it only counts late frames, for a minute or MAXOUT_LATE_SECONDS. With --served it opens the page that this
program has in it. FOLDER holds what the program says: sim.fm2, analyze-drawn.json, damaged.nes, damaged.txt. Screenshots go there. Exit code 1 says what was
wrong.
"""

import functools
import http.server
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

from browser import Chromium, Failure, accessible, check

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

    def log_message(self, *_):
        pass


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


def first_game(browser, folder):
    begun = time.monotonic()
    until(browser, "document.getElementById('loading').hidden", "the weights")
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
    until(browser, "document.getElementById('lead').textContent.includes('reached its stop')", "the stop")
    frames = int(text(browser, "frame").removeprefix("Frame ").replace(",", ""))
    print(f"20 lines at the highest speed, {frames / (time.monotonic() - begun):.0f} frames/s in the page")
    check(saved(browser, "save") == (folder / "sim.fm2").read_bytes(), "the movie of the page is not that of the program")
    (folder / "page.zip").write_bytes(saved(browser, "save-folder"))


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
    until(browser, "/^Piece \\d+: .*points/.test(document.getElementById('own-last').textContent)", "a rating")
    print(f"own placement: {text(browser, 'own-last')}")
    click(browser, "hand")
    until(browser, "Number(document.getElementById('pieces').textContent) >= 3", "pieces by the bot again")
    click(browser, "save-folder")
    until(browser, "document.getElementById('message').textContent.includes('on the model')", "why there is no folder")
    check(text(browser, "own-counts").startswith("1 "), f"rated by hand: {text(browser, 'own-counts')}")


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


def screenshot(browser):
    """The emulator's picture, 1.5 times as large and smooth, becomes the board of the game, with the piece in the air if that
    is not the piece asked about."""
    click(browser, "to-study")
    click(browser, "from-game")
    until(browser, ANSWERED, "the placements on the game's board")
    game = browser.js(DRAWN)
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
    put(browser, "drawing", BOARD)
    put(browser, "ask-next", "I")
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


def review(browser, url, axe, folder):
    """A dropped movie is reviewed, and its link opens the page of the review in a tab of its own."""
    expected = json.loads((folder / "reviewed-game.fm2.json").read_text())[0]["placements"]
    data = list((folder / "game.fm2").read_bytes())
    browser.js(
        "(() => { const drag = new DataTransfer();"
        f"drag.items.add(new File([new Uint8Array({data})], 'game.fm2'));"
        "document.dispatchEvent(new DragEvent('drop', {dataTransfer: drag, bubbles: true, cancelable: true})); })()"
    )
    until(browser, "document.querySelector('#reviewed a') !== null", "the link of the review")
    check(browser.js("document.activeElement === document.querySelector('#reviewed a')"), "the link has no focus")
    accessible(browser, "the list of reviews", axe)
    browser.shot(folder / "review-list-1280.png", whole=True)
    link = browser.js("document.querySelector('#reviewed a').href")
    first = browser.tab()
    browser.window(1280, 900)
    browser.open(link)
    until(browser, f"document.getElementById('where').textContent === 'piece 1 of {len(expected)}'", "the first piece")
    browser.press("n")
    worst = next(n for n, placed in enumerate(expected) if n > 0 and placed["class"] in ("mistake", "blunder"))
    until(browser, f"document.getElementById('where').textContent.startsWith('piece {worst + 1} ')", "the first mistake")
    loss = browser.js("Number(document.getElementById('now-loss').dataset.loss)")
    check(abs(loss - expected[worst]["loss"]) < 0.01, f"the page says {loss}, review {expected[worst]['loss']}")
    accessible(browser, "the review", axe)
    browser.shot(folder / "review-1280.png")
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


def looks(browser, url, axe, folder):
    browser.open("about:blank")
    browser.open(url)
    until(browser, "Number(document.getElementById('pieces').textContent) >= 2", "pieces")
    for dark in (False, True):
        browser.window(1280, 900, dark)
        accessible(browser, f"the game, dark {dark}", axe)
        browser.window(390, 844, dark)
        time.sleep(0.3)
        browser.shot(folder / f"game-390{'-dark' * dark}.png", whole=True)
        wide = browser.js("document.documentElement.scrollWidth")
        check(wide <= 390, f"the page is {wide} wide on a phone of 390")
        click(browser, "to-study")
        until(browser, "document.getElementById('answers').children.length > 5", "answers")
        accessible(browser, f"the study, dark {dark}", axe)
        browser.shot(folder / f"study-390{'-dark' * dark}.png", whole=True)
        click(browser, "to-game")


def serve(site):
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Site, directory=os.path.abspath(site)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server, f"http://127.0.0.1:{server.server_port}/"


def only_late(program, site):
    _, url = serve(site)
    with tempfile.TemporaryDirectory() as profile:
        browser = Chromium(program, profile)
        try:
            browser.window(1280, 900)
            browser.open(url)
            until(browser, "document.getElementById('loading').hidden", "the weights")
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
            browser.open(url)
            until(browser, "document.getElementById('loading').hidden", "the weights")
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
            browser.open(url)
            first_game(browser, folder)
            same_as_the_program(browser, folder)
            damaged_file(browser, folder)
            by_keyboard(browser)
            study(browser, url, folder)
            review(browser, url, axe, folder)
            looks(browser, url, axe, folder)
            no_complaints(browser, url)
            browser.window(1280, 900)
            browser.js("navigator.serviceWorker.ready.then(() => 1)")
            server.shutdown()
            server.server_close()
            browser.open("about:blank")
            browser.open(url)
            until(browser, "Number(document.getElementById('pieces').textContent) >= 1", "a piece without a network")
            print("the page plays without a network")
        finally:
            browser.end()
    print(f"screenshots in {folder}")


if __name__ == "__main__":
    try:
        {3: only_late, 4: served}.get(len(sys.argv), main)(*sys.argv[1:])
    except Failure as failure:
        sys.exit(f"web.py: {failure}")
