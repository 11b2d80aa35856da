#!/usr/bin/env python3
"""64 clients ask the server of an address for some seconds: latencies, errors, and memory before and after."""

import http.client
import json
import random
import sys
import threading
import time
import urllib.parse

CLIENTS = 64
MOST_GROWTH = 64  # MiB


def memory(process):
    """The resident memory of a process in MiB, or None where the system does not say."""
    try:
        with open(f"/proc/{process}/status", encoding="ascii") as status:
            lines = [line for line in status if line.startswith("VmRSS:")]
        return int(lines[0].split()[1]) / 1024
    except (OSError, IndexError):
        return None


def board(dice):
    """A board of up to twelve rows, each with a hole or more."""
    rows = ["0" * 10] * 20
    for row in range(20 - dice.randrange(13), 20):
        cells = [str(int(dice.random() < 0.8)) for _ in range(10)]
        cells[dice.randrange(10)] = "0"
        rows[row] = "".join(cells)
    return "".join(rows)


def request(dice):
    """Method, target, body."""
    asked = {"board": board(dice), "piece": dice.choice("TJZOSLI"), "level": dice.choice([0, 9, 18, 19, 29])}
    if dice.random() < 0.7:
        asked["next"] = dice.choice("TJZOSLI")
    if dice.random() < 0.5:
        return "POST", "/v1/analyze", json.dumps(asked | {"top": 5})
    query = {"board": asked["board"], "currentPiece": asked["piece"], "level": asked["level"], "lines": 0,
             "inputFrameTimeline": dice.choice(["X.", "X...", "X...."])}
    if "next" in asked:
        query["nextPiece"] = asked["next"]
    return "GET", "/engine-movelist-cpp?" + urllib.parse.urlencode(query), None


def client(host, number, end, times, errors):
    dice = random.Random(number)
    connection = http.client.HTTPConnection(host, timeout=60)
    while time.monotonic() < end:
        method, target, body = request(dice)
        begin = time.monotonic()
        try:
            connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            text = answer.read()
            if answer.status != 200:
                errors.append(f"{answer.status}: {text[:200]}")
            json.loads(text)
        except (OSError, ValueError, http.client.HTTPException) as error:
            errors.append(repr(error))
            connection.close()
        times.append(time.monotonic() - begin)


def load(host, seconds):
    """The sorted times of all requests, and all errors."""
    times, errors, end = [], [], time.monotonic() + seconds
    threads = [threading.Thread(target=client, args=(host, n, end, times, errors)) for n in range(CLIENTS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sorted(times), errors


def main(url, process, seconds):
    host = urllib.parse.urlsplit(url).netloc
    # The tables are unpacked, and each analyst has worked once.
    load(host, seconds / 4)
    before = memory(process)
    times, errors = load(host, seconds)
    after = memory(process)
    shares = {f"{share} %": times[min(len(times) - 1, len(times) * share // 100)] for share in (50, 90, 99)}
    said = ", ".join(f"{name} {1000 * value:.0f} ms" for name, value in shares.items())
    print(f"{CLIENTS} clients, {seconds} s: {len(times)} requests, {len(errors)} errors; {said}, longest {1000 * times[-1]:.0f} ms")
    print(f"memory: {before:.1f} MiB before, {after:.1f} MiB after" if before else "memory: not known here")
    if errors:
        sys.exit(errors[0])
    if before and after > before + MOST_GROWTH:
        sys.exit(f"memory grew by {after - before:.1f} MiB, expected at most {MOST_GROWTH}")


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
