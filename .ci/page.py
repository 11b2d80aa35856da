"""Opens a report in headless Chromium and compares what it shows with the program's own export.

usage: page.py CHROMIUM REPORT.html TIMELINES.json SHOTS

Speaks the DevTools protocol over a pipe, so it needs nothing but Python. Exit code 1 says what was wrong.
"""

import base64
import json
import os
import random
import struct
import subprocess
import sys
import tempfile
import time
import zlib
from pathlib import Path

ANSWER_SECONDS = 60
KEYS = {
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Home": 36,
    "End": 35,
    " ": 32,
    "+": 187,
    "-": 189,
    "?": 191,
    ".": 190,
    ",": 188,
    "Escape": 27,
}


class Failure(Exception):
    """The page is not what it should be."""


def check(holds, text):
    if not holds:
        raise Failure(text)


class Chromium:
    """A browser with one page; every event of that page is kept."""

    def __init__(self, program, profile):
        from_us, to_browser = os.pipe()
        from_browser, to_us = os.pipe()

        def wire():
            os.dup2(from_us, 103)
            os.dup2(to_us, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen(
            [
                program,
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--no-first-run",
                "--hide-scrollbars",
                "--remote-debugging-pipe",
                f"--user-data-dir={profile}",
                "about:blank",
            ],
            preexec_fn=wire,
            pass_fds=(3, 4),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(from_us)
        os.close(to_us)
        self.out = os.fdopen(to_browser, "wb", buffering=0)
        self.back = from_browser
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def message(self):
        import select

        while b"\0" not in self.buffer:
            ready, _, _ = select.select([self.back], [], [], ANSWER_SECONDS)
            check(ready, f"chromium said nothing for {ANSWER_SECONDS} s")
            piece = os.read(self.back, 1 << 16)
            check(piece, "chromium ended")
            self.buffer += piece
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **params):
        self.number += 1
        request = {"id": self.number, "method": method, "params": params}
        if self.session:
            request["sessionId"] = self.session
        self.out.write(json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                check("error" not in answer, f"{method}: {answer.get('error')}")
                return answer["result"]
            self.events.append(answer)

    def js(self, expression):
        answer = self.call("Runtime.evaluate", expression=expression, returnByValue=True, awaitPromise=True)
        check("exceptionDetails" not in answer, f"{expression}: {answer.get('exceptionDetails')}")
        return answer["result"].get("value")

    def open(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        deadline = time.monotonic() + ANSWER_SECONDS
        while self.js("location.href + document.readyState") != url + "complete":
            check(time.monotonic() < deadline, f"{url} did not load")
            time.sleep(0.05)
        self.frames()

    def frames(self):
        """Waits until what was asked for is on the screen."""
        self.js("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(0))))")

    def window(self, width, height, dark=False, calm=False):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)
        features = [
            {"name": "prefers-color-scheme", "value": "dark" if dark else "light"},
            {"name": "prefers-reduced-motion", "value": "reduce" if calm else "no-preference"},
        ]
        self.call("Emulation.setEmulatedMedia", features=features)
        self.frames()

    def press(self, key, shift=False):
        event = {"key": key, "windowsVirtualKeyCode": KEYS[key], "modifiers": 8 if shift else 0}
        if len(key) == 1:
            event["text"] = key
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def shot(self, file=None, clip=None, whole=False):
        more = {"clip": {**clip, "scale": 1}} if clip else {}
        answer = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=whole or bool(clip), **more)
        png = base64.b64decode(answer["data"])
        if file:
            file.write_bytes(png)
        return png

    def complaints(self, page):
        """Console errors and requests of the page so far."""
        found = []
        for event in self.events:
            method, params = event.get("method"), event.get("params", {})
            if method == "Runtime.exceptionThrown":
                found.append(params["exceptionDetails"].get("exception", {}).get("description", "an exception"))
            elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "warning", "assert"):
                found.append(f"console {params['type']}: {params['args']}")
            elif method == "Log.entryAdded" and params["entry"]["level"] in ("error", "warning"):
                found.append(f"log: {params['entry']['text']}")
            elif method == "Network.requestWillBeSent":
                url = params["request"]["url"]
                if url != page and not url.startswith("data:"):
                    found.append(f"request: {url}")
            elif method == "Network.webSocketCreated":
                found.append(f"web socket: {params['url']}")
        return found

    def end(self):
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def pixels(png):
    """Rows of (r, g, b) of a PNG with 8-bit RGB or RGBA."""
    at, width, height, depth, data = 8, 0, 0, 0, b""
    while at < len(png):
        (size,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            check(bits == 8 and colour in (2, 6), "unexpected kind of PNG")
            depth = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            data += body
        at += 12 + size
    raw, stride = zlib.decompress(data), width * depth
    rows, above = [], bytes(stride)
    for y in range(height):
        start = y * (stride + 1)
        method, line = raw[start], bytearray(raw[start + 1 : start + 1 + stride])
        for i in range(stride):
            left = line[i - depth] if i >= depth else 0
            up = above[i]
            corner = above[i - depth] if i >= depth else 0
            if method == 1:
                line[i] = (line[i] + left) & 255
            elif method == 2:
                line[i] = (line[i] + up) & 255
            elif method == 3:
                line[i] = (line[i] + (left + up) // 2) & 255
            elif method == 4:
                guess = left + up - corner
                best = min((left, up, corner), key=lambda v: abs(guess - v))
                line[i] = (line[i] + best) & 255
        above = bytes(line)
        rows.append([tuple(line[i : i + 3]) for i in range(0, stride, depth)])
    return rows


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
  };
})()"""


def merged(a, b):
    return ["".join("#" if "#" in pair else "." for pair in zip(p, q)) for p, q in zip(a, b)]


def compare(shown, run, count):
    """The page after `count` pieces against the program's export."""
    locks = run["timeline"]["locks"]
    where = f"after {count} pieces"
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
            browser.window(1280, 900)
            browser.open(page)
            steps = 0
            watchable = browser.js("JSON.parse(document.getElementById('data').textContent).runs.map((r) => r.game !== null)")
            check(len(watchable) == len(runs), f"{len(watchable)} runs on the page, expected {len(runs)}")
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
                    if width != 360:
                        file = shots / f"{name}-{width}-{'dark' if dark else 'light'}.png"
                        whole = browser.js("({x: 0, y: 0, width: innerWidth, height: document.documentElement.scrollHeight})")
                        check(len(browser.shot(file, clip=whole)) > 10_000, f"{file} is all but empty")
            browser.window(390, 844, calm=True)
            calm(browser, runs)
            found = browser.complaints(page)
            check(not found, "\n".join(["the console or the network was used:", *found]))
            print(f"{name}: {steps} steps by keys agree with the export; no request, no console error; screenshots in {shots}")
        finally:
            browser.end()


if __name__ == "__main__":
    try:
        main()
    except Failure as failure:
        sys.exit(f"page: {failure}")
