#!/usr/bin/env python3
"""How many placements `maxout review` reads right from videos, by how the video was degraded.

    python3 .ci/sight.py [--seeds 9200 9201 ...] [--stop lines:4] [--only WORDS ...] [--keep FOLDER]

Seeds are those that a console can have, 0 to 9599. With --keep, what was read before by the same program is not read again.

Plays games at human taps with misdrops on the test cartridge, makes videos of them, degrades each with ffmpeg, and compares the review
of the video with the review of the run, placement by placement. Nothing is told to the reader. Needs ffmpeg and target/release/maxout.

A placement is exact if piece, orientation, column, row and next piece are right, at the right place in the sequence; missing and invented
ones are errors. A silent error is one in a game of which the review lists nothing that was not read. Speed: seconds of video for each second
of one core, without ffmpeg and without what the review of the run takes; and, of encoded videos, with ffmpeg's decoding.
"""

import argparse
import csv
import difflib
import functools
import hashlib
import json
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import time

MAXOUT = pathlib.Path(__file__).resolve().parent.parent / "target/release/maxout"
LAYOUT = "[s];[1:v][s]overlay="


def camera(slant):
    """A screen seen from a little to the side, blurred, with glare and noise, 30 pictures a second."""
    corners = f"x0={-8 * slant}:y0={5 * slant}:x1={640 + 6 * slant}:y1={-4 * slant}"
    corners += f":x2={3 * slant}:y2={480 + 4 * slant}:x3={640 - 9 * slant}:y3={480 - 3 * slant}"
    seen = f"fps=30,scale=640:480,perspective={corners}:interpolation=linear,gblur=1[s]"
    glare = "[1:v]format=yuv420p[g];[s][g]blend=c0_mode=screen:c1_mode=normal:c2_mode=normal:shortest=1"
    return f"{seen};{glare},noise=alls=10:allf=t"


# Name: filters, bit rate in kbit/s if it is encoded again, exact placements that are asked for, speed that is asked for.
# Layouts have the made-up picture as a second input.
ROWS = {
    "480p60, 600 kbit/s": ("scale=640:480", 600, 99.9, 10),
    "720p60, layout around it": (f"scale=640:480{LAYOUT}400:130", 4000, 99.9, 8),
    "1080p60, layout, web camera beside it": (f"scale=960:720{LAYOUT}700:200", 6000, 99.9, 8),
    "360p30, 200 kbit/s": ("scale=480:360,fps=30", 200, 99, 10),
    "two fields in each picture": ("scale=640:480,tinterlace=mode=interleave_top", None, 99, 8),
    "5 % of the pictures dropped": ("scale=640:480,select='gt(random(7),0.05)',fps=60", None, 99, 8),
    "hue turned, washed out": ("scale=640:480,hue=h=90:s=0.6,eq=brightness=0.1:contrast=0.7", None, 99, 8),
    "camera: slight angle, glare, blur, noise": (camera(3), None, 97, 5),
    "each picture blended with the one before": ("scale=640:480,tblend=all_mode=average", None, 99, 8),
    "480p60": ("scale=640:480", 2500, 99.9, 10),
    "256 × 240 somewhere in 640 × 480": ("scale=256:240,pad=640:480:311:201:color=0x404050", None, 99.9, 10),
    "240p30, 100 kbit/s": ("scale=320:240,fps=30", 100, 99, 10),
    "grey and dark": ("scale=640:480,hue=s=0,eq=brightness=-0.1:contrast=0.6", None, 99, 8),
    "camera: more of an angle": (camera(5), None, 97, 5),
}
# Taps a second, start levels and how long: by the seed.
TAPS, LEVELS = (10, 12, 15), (18, 19, 12, 9)


def layout(folder, seed, width, height):
    """A made-up picture of rectangles, frames and text, as people have around their game."""
    rng = random.Random(seed)

    def colour():
        return bytes(rng.randrange(256) for _ in range(3)) if rng.random() < 0.7 else b"\xff\xff\xff"

    around = colour()
    rows = [bytearray(around * width) for _ in range(height)]

    def fill(x, y, wide, high, what):
        for row in rows[max(y, 0) : y + high]:
            row[3 * x : 3 * min(x + wide, width)] = what * (min(x + wide, width) - x)

    for _ in range(30):
        x, y, what = rng.randrange(width), rng.randrange(height), colour()
        wide, high, kind = rng.randrange(20, width // 2), rng.randrange(20, height // 2), rng.random()
        if kind < 0.5:
            fill(x, y, wide, high, what)
        elif kind < 0.8:
            thick = rng.randrange(1, 9)
            right = min(x + wide, width - 1)
            for part in ((x, y, wide, thick), (x, y + high, wide, thick), (x, y, thick, high), (right, y, thick, high)):
                fill(*part, what)
        else:
            for line in range(12):
                for letter in range(24):
                    if rng.random() < 0.6 and x + 9 * letter < width - 9:
                        fill(x + 9 * letter, y + 14 * line, rng.randrange(2, 7), rng.randrange(3, 9), what)
    file = folder / f"layout-{seed}-{width}.ppm"
    file.write_bytes(b"P6 %d %d 255\n" % (width, height) + b"".join(rows))
    return file


def glare(folder):
    """The reflection of a lamp."""
    def bright(x, y):
        return int(60 * math.exp(-((x - 420) ** 2 + (y - 150) ** 2) / 16000))

    file = folder / "glare.pgm"
    file.write_bytes(b"P5 640 480 255\n" + bytes(bright(x, y) for y in range(480) for x in range(640)))
    return file


def run(*command):
    command = [str(part) for part in command]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}\n{done.stderr.strip()}")
    return done


def review(folder, *source, stdin=None):
    """The placements of a review, the progress before each, what it lists as not read, and its processor time."""
    file = folder / "table.csv"
    file.unlink(missing_ok=True)
    command = [MAXOUT, "review", *source, "--nodes", "1", "--worst", "0", "--csv", file, "-q"]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        process = subprocess.Popen([str(part) for part in command], stdin=stdin, stdout=out, stderr=err)
        if stdin:
            stdin.close()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0), err.seek(0)
        lines, said = out.read().splitlines(), err.read().strip()
    seconds = used.ru_utime + used.ru_stime
    if process.returncode != 0:
        return [], [], [said.splitlines()[-1] if said else "no reason"], seconds
    rows = list(csv.DictReader(file.open()))
    places = [tuple(row[key] for key in ("piece", "next", "x", "y", "orientation")) for row in rows]
    # The level is never read, so it says nothing about an error.
    listed = [line.strip() for line in lines if ("no placements explain" in line or "in the middle of a game" in line)]
    return places, [(row["lines"], row["level"]) for row in rows], listed, seconds


def play(folder, seed, stop):
    """A game as a video, and how long it is in seconds."""
    name = f"{seed}-{stop.replace(':', '-')}"
    video, runs = folder / f"{name}.mp4", folder / f"runs-{name}"
    if not video.exists():
        options = ["--player", "maxout-fast", "--seed", seed, "--taps", f"{TAPS[seed % 3]}hz", "--misdrop", "0.03"]
        run(MAXOUT, "play", *options, "--start-level", LEVELS[seed % 4], "--stop", stop, "--runs", runs, "-q")
        run(MAXOUT, "replay", "1", "--runs", runs, "--video", folder / "new.mp4", "--scale", "2", "-q")
        (folder / "new.mp4").rename(video)
    length = json.loads(run("ffprobe", "-v", "error", "-show_format", "-of", "json", video).stdout)
    return video, runs, float(length["format"]["duration"])


def degrade(folder, video, seed, filters, rate, length):
    """Reads the degraded video: as a file if it is encoded again, as a stream of pictures if not."""
    graph, more = f"[0:v]{filters}[o]", []
    if LAYOUT in filters:
        size = (1920, 1080) if "960:720" in filters else (1280, 720)
        more = ["-loop", "1", "-framerate", "60", "-i", layout(folder, seed, *size)]
        if size[0] == 1920:
            # A web camera beside the game.
            more += ["-f", "lavfi", "-i", "life=s=210x150:r=30:mold=10:life_color=#C83232:death_color=#805020"]
            graph = graph.replace("[o]", "[a];[2:v]scale=420:300[c];[a][c]overlay=40:60[o]")
    elif "[g]" in filters:
        more = ["-loop", "1", "-framerate", "30", "-i", glare(folder)]
    command = ["ffmpeg", "-v", "error", "-i", video, *more, "-filter_complex", graph, "-map", "[o]", "-t", length, "-an"]
    if rate:
        coded = folder / "coded.mp4"
        run(*command, "-c:v", "libx264", "-preset", "veryfast", "-b:v", f"{rate}k", "-pix_fmt", "yuv420p", "-y", coded)
        # ffmpeg's time is not that of the reader, so it decodes here.
        command = ["ffmpeg", "-v", "error", "-i", coded]
    command += ["-pix_fmt", "yuv420p", "-f", "yuv4mpegpipe", "-"]
    source = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    read = review(folder, "-", stdin=source.stdout)
    _, _, used = os.wait4(source.pid, 0)
    source.returncode = 0
    # Without a bit rate it is ffmpeg that degrades, and nothing is decoded.
    return *read, used.ru_utime + used.ru_stime if rate else 0.0


def once(file, work):
    """What this gives, kept in a file."""
    if not file.exists():
        file.parent.mkdir(exist_ok=True)
        file.with_suffix(".new").write_text(json.dumps(work()))
        file.with_suffix(".new").rename(file)
    read = json.loads(file.read_text())
    return [[tuple(row) for row in part] if number < 2 else part for number, part in enumerate(read)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(9200, 9220)))
    parser.add_argument("--stop", default="lines:4")
    parser.add_argument("--only", nargs="+", default=[""], help="rows that have these words, in this order")
    parser.add_argument("--keep", help="a folder in which the videos stay")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="sight-"))
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.time()
    # What was read by another program, or of games of another length, is not taken.
    made = hashlib.sha256(MAXOUT.read_bytes() + args.stop.encode()).hexdigest()[:12]
    results = folder / f"results-{made}"
    games = []
    for seed in args.seeds:
        video, runs, length = play(folder, seed, args.stop)
        truth = once(results / f"{seed}.json", lambda: review(folder, "1", "--runs", runs))
        games.append((seed, video, truth, length))
    print(f"{sum(len(truth[0]) for _, _, truth, _ in games)} placements, {sum(game[3] for game in games):.0f} s of video")
    print("| video | exact | whole games | lines and level | gaps told | silent errors | speed | with ffmpeg | asked for |")
    print("|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in dict.fromkeys(name for word in args.only for name in ROWS if word in name):
        filters, rate, asked, fast = ROWS[name]
        exact = total = whole = counted = gaps = silent = 0
        seconds = taken = decoded = 0.0
        notes = []
        for seed, video, (truth, progress, _, base), length in games:
            file = results / f"{seed}-{''.join(filter(str.isalnum, name))}.json"
            work = functools.partial(degrade, folder, video, seed, filters, rate, length)
            places, at, listed, used, ffmpeg = once(file, work)
            compared = difflib.SequenceMatcher(None, truth, places, autojunk=False)
            blocks = compared.get_matching_blocks()
            right = sum(block.size for block in blocks)
            errors = max(len(truth), len(places)) - right
            exact, total, whole = exact + right, total + right + errors, whole + (errors == 0)
            counted += sum(a == b for block in blocks for a, b in zip(progress[block.a:][: block.size], at[block.b :]))
            gaps, silent = gaps + len(listed), silent + (0 if listed else errors)
            seconds, taken, decoded = seconds + length, taken + max(used - base, 0.01), decoded + ffmpeg
            notes += [f"  {seed}: {line}" for line in listed]
            for kind, a, b, c, d in compared.get_opcodes():
                if kind != "equal":
                    notes.append(f"  {seed}: {kind} at {a} of {len(truth)}: {truth[a:b][:3]} read as {places[c:d][:3]}")
        share = 100 * exact / max(total, 1)
        together = f"{seconds / (taken + decoded):.0f} ×" if decoded else "–"
        print(
            f"| {name} | {exact} of {total} ({share:.2f} %) | {whole} of {len(games)} | {counted} | {gaps} | {silent} "
            f"| {seconds / max(taken, 0.01):.0f} × | {together} | {asked} %, {fast} × |",
            flush=True,
        )
        print("\n".join(notes[:12]), end="\n" if notes else "", flush=True)
    print(f"{time.time() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
