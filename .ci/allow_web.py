#!/usr/bin/env python3
"""A page on another port and a page in a file ask `maxout serve` in headless Chromium: with --allow-web they are answered.

usage: allow_web.py CHROMIUM MAXOUT
"""

import http.server
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

from browser import Chromium, check

ASK = """(async () => {
  const eval_ = await fetch("URL/eval?level=19&lines=0&board=" + "0".repeat(200)).then((answer) => answer.text());
  const body = JSON.stringify({ board: "..........", piece: "T", top: 1 });
  const headers = { "Content-Type": "application/json" };
  const ranked = await fetch("URL/v1/analyze", { method: "POST", headers, body }).then((answer) => answer.json());
  const event = await new Promise((done) => {
    const events = new EventSource("URL/v1/live?channel=page");
    events.onmessage = (message) => { events.close(); done(JSON.parse(message.data)); };
    fetch("URL/v1/live", { method: "POST", headers, body: JSON.stringify({ channel: "page", board: "..........", piece: "T" }) });
  });
  return Number(eval_) > 0 && ranked.placements.length === 1 && event.number >= 1;
})().catch((error) => String(error))"""


class Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def main(program, maxout):
    with tempfile.TemporaryDirectory() as profile, tempfile.TemporaryDirectory() as folder:
        page = Path(folder, "page.html")
        page.write_text("<!doctype html><title>page</title>")
        pages = http.server.ThreadingHTTPServer(("127.0.0.1", 0), lambda *a: Quiet(*a, directory=folder))
        threading.Thread(target=pages.serve_forever, daemon=True).start()
        browser = Chromium(program, profile)
        try:
            for flags, may in ([], False), (["--allow-web"], True):
                command = [maxout, "serve", "--port", "0", "--nodes", "1000", *flags]
                server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
                url = server.stdout.readline().strip().removeprefix("listening on ")
                for where in (f"http://127.0.0.1:{pages.server_port}/page.html", page.as_uri()):
                    browser.open(where)
                    said = browser.js(ASK.replace("URL", url))
                    check((said is True) == may, f"{where} with {flags}: {said}")
                    print(f"{'answered' if may else 'refused'}: {where.split(':')[0]} page, {' '.join(flags) or 'no flag'}")
                server.terminate()
                server.wait(30)
        finally:
            browser.end()


main(*sys.argv[1:])
