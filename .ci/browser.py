"""A headless Chromium, driven over a pipe by the DevTools protocol, so that nothing but Python is needed."""

import base64
import json
import os
import select
import struct
import subprocess
import time
import zlib
from pathlib import Path

ANSWER_SECONDS = 60
KEYS = {
    "Tab": 9,
    "Enter": 13,
    **{str(digit): 48 + digit for digit in range(10)},
    "ArrowUp": 38,
    "ArrowDown": 40,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "Home": 36,
    "End": 35,
    " ": 32,
    "+": 187,
    "-": 189,
    "?": 191,
    "c": 67,
    "e": 69,
    "l": 76,
    "n": 78,
    "p": 80,
    "t": 84,
    "T": 84,
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

    def __init__(self, program, profile, *flags):
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
                *flags,
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
        self.tab()

    def tab(self):
        """Opens a tab, which all calls go to from now on. Returns the session of the one before."""
        before, self.session = self.session, None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        return before

    def message(self):
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
        self.size = (width, height)
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
        elif key == "Enter":
            # Without it a field does not send its form.
            event["text"] = "\r"
        self.call("Input.dispatchKeyEvent", type="keyDown", **event)
        event.pop("text", None)
        self.call("Input.dispatchKeyEvent", type="keyUp", **event)

    def write(self, text):
        """Puts text into the field that has the focus, as an input method does."""
        self.call("Input.insertText", text=text)

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


def skip(why):
    """Says why a check is left out; with MAXOUT_STRICT, as in .ci/run, that is a failure."""
    print(f"skipped: {why}")
    check("MAXOUT_STRICT" not in os.environ, f"MAXOUT_STRICT is set, and {why}")


# What the pages are looked at in: a phone, a small window of a desk, a large one.
WINDOWS = ((390, 844), (1280, 720), (1920, 1080))
AXE = Path(__file__).parent.parent / "target/web/tools/node_modules/axe-core/axe.min.js"


def accessible(browser, where, axe=AXE):
    """What axe-core finds that keeps people from using the page. Without axe-core nothing is checked, which is said."""
    if not axe.is_file():
        skip("axe-core is not here")
        return
    if not browser.js("'axe' in window"):
        browser.js(axe.read_text() + "; 0")
    found = browser.js(
        "axe.run().then((r) => r.violations.filter((v) => ['serious', 'critical'].includes(v.impact))"
        ".map((v) => `${v.id}: ${v.nodes.map((n) => n.html.slice(0, 120) + ' ' + n.failureSummary).join(' | ')}`))"
    )
    check(not found, f"axe finds in {where}: " + "\n".join(found))


def in_view(browser, where, *ids):
    """These elements are seen as a whole without scrolling."""
    for id in ids:
        box = browser.js(
            f"(() => {{ const b = document.getElementById('{id}').getBoundingClientRect();"
            "return {left: b.left, top: b.top, right: b.right, bottom: b.bottom, width: innerWidth, height: innerHeight, scrolled: scrollY}; })()"
        )
        seen = box["scrolled"] == 0 and box["left"] >= 0 and box["top"] >= 0 and box["right"] <= box["width"] and box["bottom"] <= box["height"]
        check(seen and box["right"] > box["left"], f"{where}: {id} is out of view: {box}")


def no_overflow(browser, where):
    """No text leaves the card, the button or the window that it is in."""
    found = browser.js("""(() => {
      const found = [];
      const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
      const range = document.createRange();
      while (walk.nextNode()) {
        const parent = walk.currentNode.parentElement;
        if (!walk.currentNode.data.trim() || getComputedStyle(parent).clipPath !== "none" || parent.closest(".unseen, script, style, noscript, option, select, textarea, .scroll, .tall, .skip")) continue;
        range.selectNodeContents(walk.currentNode);
        const host = parent.closest("button, .card, dialog") ?? document.documentElement;
        const outer = host.getBoundingClientRect();
        for (const box of range.getClientRects()) {
          if (box.width && (box.right > outer.right + 0.5 || box.left < outer.left - 0.5)) {
            found.push(`${walk.currentNode.data.trim().slice(0, 60)} (${Math.round(box.left)} to ${Math.round(box.right)}, in ${Math.round(outer.left)} to ${Math.round(outer.right)})`);
          }
        }
      }
      return found.slice(0, 10);
    })()""")
    check(not found, f"{where}: text overflows: " + "; ".join(found))
    wide = browser.js("Math.max(document.documentElement.scrollWidth, innerWidth)")
    asked = browser.size[0]
    check(wide == asked, f"{where}: the page is {wide} pixels wide in a window of {asked}")


def clear_share(png):
    """The share of the pixels of a PNG with 8-bit RGBA that are transparent."""
    rows = pixels(png, channels=4)
    return sum(pixel[3] == 0 for row in rows for pixel in row) / (len(rows) * len(rows[0]))


def pixels(png, channels=3):
    """Rows of (r, g, b) of a PNG with 8-bit RGB or RGBA; of RGBA with four channels."""
    at, width, height, depth, data = 8, 0, 0, 0, b""
    while at < len(png):
        (size,), kind = struct.unpack(">I", png[at : at + 4]), png[at + 4 : at + 8]
        body = png[at + 8 : at + 8 + size]
        if kind == b"IHDR":
            width, height, bits, colour = struct.unpack(">IIBB", body[:10])
            depth = 3 if colour == 2 else 4
            check(bits == 8 and colour in (2, 6) and depth >= channels, "unexpected kind of PNG")
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
        rows.append([tuple(line[i : i + channels]) for i in range(0, stride, depth)])
    return rows
