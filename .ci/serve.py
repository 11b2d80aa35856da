#!/usr/bin/env python3
"""64 clients ask the server of an address for some seconds: latencies, errors, and memory before and after.

Then 100 connections of one peer flood it (requests without a pause, new connections, connections that read nothing), and a
polite client asks now and then: once from the address of the flood, and once from another.
"""

import http.client
import json
import multiprocessing
import random
import socket
import sys
import threading
import time
import urllib.parse

CLIENTS = 64
MOST_GROWTH = 64  # MiB
FLOODING = 100
POLITE = 100  # requests of the polite client
LEAST_ANSWERED = 0.99
LONGEST = 1.0  # seconds, for 99 % of the polite client's requests, where the machine does nothing else


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


def flood(host, source, number):
    """One of many connections: asks without a pause, connects anew each time, or reads nothing."""
    dice = random.Random(1_000 + number)
    address, port = host.rsplit(":", 1)
    kind, connection = number % 3, None
    while True:
        try:
            connection = connection or socket.create_connection((address, int(port)), 10, (source, 0))
            method, target, body = request(dice)
            text = f"{method} {target} HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
            connection.sendall(f"{text}Content-Length: {len(body or '')}\r\n\r\n{body or ''}".encode())
            if kind < 2:
                connection.recv(65_536)
            if kind == 1:
                connection.close()
                connection = None
        except OSError:
            connection = None
            time.sleep(0.01)


def flood_from(host, source):
    """All connections of the flood, in a process of their own, so that they do not hold up the polite client's."""
    threads = [threading.Thread(target=flood, args=(host, source, n), daemon=True) for n in range(FLOODING)]
    for thread in threads:
        thread.start()
    threads[0].join()


def polite(host, pause=0.05):
    """The sorted times of a client that asks now and then on new connections, and its errors."""
    dice, times, errors = random.Random(7), [], []
    for _ in range(POLITE):
        method, target, body = request(dice)
        begin = time.monotonic()
        connection = http.client.HTTPConnection(host, timeout=30)
        try:
            connection.request(method, target, body, {"Content-Type": "application/json"} if body else {})
            answer = connection.getresponse()
            if answer.status != 200:
                errors.append(f"{answer.status}: {answer.read()[:200]}")
        except (OSError, http.client.HTTPException) as error:
            errors.append(repr(error))
        connection.close()
        times.append(time.monotonic() - begin)
        time.sleep(pause)
    return sorted(times), errors


def others(seconds=2):
    """The share of the machine's processor time that others take, or 0 where the system does not say."""

    def times():
        with open("/proc/stat", encoding="ascii") as stat:
            _, *times = stat.readline().split()
        return [int(time) for time in times[:8]]

    try:
        before = times()
        time.sleep(seconds)
        user, nice, system, idle, waiting, *rest = (b - a for a, b in zip(before, times()))
    except (OSError, ValueError):
        return 0
    return 1 - (idle + waiting) / max(1, user + nice + system + idle + waiting + sum(rest))


def beside_a_flood(host, source, busy):
    flooding = multiprocessing.Process(target=flood_from, args=(host, source), daemon=True)
    flooding.start()
    time.sleep(2)
    times, errors = polite(host)
    flooding.kill()
    flooding.join()
    answered = 1 - len(errors) / len(times)
    late = times[min(len(times) - 1, len(times) * 99 // 100)]
    print(f"beside {FLOODING} flooding connections from {source}: {len(times)} polite requests, {100 * answered:.1f} % answered, "
          f"50 % within {1000 * times[len(times) // 2]:.0f} ms, 99 % within {1000 * late:.0f} ms")
    if answered < LEAST_ANSWERED:
        sys.exit(f"expected {100 * LEAST_ANSWERED:.0f} % answered; {errors[:1]}")
    if late > LONGEST and busy:
        print(f"that is more than {LONGEST} s, but the machine was busy with other things before")
    elif late > LONGEST:
        sys.exit(f"expected 99 % within {LONGEST} s")


def main(url, process, seconds):
    host = urllib.parse.urlsplit(url).netloc
    taken = others()
    print(f"before: others take {100 * taken:.0f} % of the processor time")
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
    # Only on Linux does a machine have all addresses of 127.0.0.0/8.
    for source in ["127.0.0.1", "127.0.0.2"] if sys.platform == "linux" else ["127.0.0.1"]:
        beside_a_flood(host, source, taken > 0.2)


main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
