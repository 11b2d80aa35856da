#!/usr/bin/env python3
"""How many placements `maxout review` reads right from videos, by how the video was degraded.

    python3 .ci/sight.py [--seeds 9200 9201 ...] [--stop lines:4] [--only WORDS ...] [--others | --pictures] [--keep FOLDER]

Seeds are those that a console can have, 0 to 9599. With --keep, what was read before by the same program is not read again.

Plays games at human taps with misdrops on the test cartridge, makes videos of them, degrades each with ffmpeg, and compares the review
of the video with the review of the run, placement by placement. Nothing is told to the reader. Needs ffmpeg and target/release/maxout.

A placement is exact if piece, orientation, column, row and next piece are right, at the right place in the sequence; missing and invented
ones are errors. One that is wrong stands in the review and was never played; that it has no next piece does not make it wrong. A silent
error is one in a game of which the review lists nothing that was not read. Speed: seconds of video for each second
of one core, without ffmpeg and without what the review of the run takes; and, of encoded videos, with ffmpeg's decoding.

--others reads recordings as people make them, of which no share is asked for: what is read must be right or told. --pictures gives single
pictures to `maxout analyze`; board, piece and next piece must be those of the run.
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
# Boxes that lie over a part of 640 x 480.
BOX, CORNER, HALF = "x=475:y=215:w=110:h=80", "x=360:y=330:w=200:h=150", "x=200:y=300:w=300:h=180"
ZOOM = "scale=1280:960,zoompan=z='{}':d=1:x='iw/2-(iw/zoom/2)':y='ih/2-(ih/zoom/2)':s=640x480:fps=60"
FIELD = "crop=184:344:180:84"
# Something of its own that lies over the picture. A face: bright, round, moving, with noise.
OVER = "scale=640:480[a];{}[b];[a][b]overlay=x='{}':y='{}':shortest=1"
FACE = (
    "nullsrc=s=80x60:r=30,geq=lum='60+120*exp(-((X-40-10*sin(T*2))^2+(Y-30-5*cos(T*3))^2)/200)+30*random(1)':cb=115:cr=145,"
    "scale={}:{}"
)
BOX_OVER = "color={}:s={}:r=60,format=yuva420p"
SOMETIMES = ":enable='between(mod(t,6),2,4)'"
OTHERS = {
    "16:9": "scale=854:480",
    "letterbox": "scale=640:360,pad=640:480:0:60",
    "mirrored": "scale=640:480,hflip",
    "turned to the right": "scale=640:480,transpose=1",
    "upside down": "scale=640:480,hflip,vflip",
    "a phone held upright": "scale=480:360,pad=480:854:0:247:color=gray",
    "the field alone": FIELD,
    "the field alone, mirrored": f"{FIELD},hflip",
    "24 pictures a second": "scale=640:480,fps=24",
    "25 pictures a second": "scale=640:480,fps=25",
    "10 pictures a second": "scale=640:480,fps=10",
    "speed of PAL": "scale=640:480,setpts=PTS*1.2,fps=50",
    "twice as fast": "scale=640:480,setpts=PTS/2,fps=60",
    "telecine": "scale=640:480,fps=24,telecine",
    "something over the next box": f"scale=640:480,drawbox={BOX}:color=0x805020:t=fill",
    "something over a corner": f"scale=640:480,drawbox={CORNER}:color=0x805020:t=fill",
    "something dark over a corner": f"scale=640:480,drawbox={CORNER}:color=0x101014:t=fill",
    "something over the lower half": f"scale=640:480,drawbox={HALF}:color=0x805020:t=fill",
    "a banner for 3 s": "scale=640:480,drawbox=y=250:w=640:h=60:color=red:t=fill:enable='between(t,4,7)'",
    "another scene for 3 s": "scale=640:480,drawbox=w=640:h=480:color=0x405060:t=fill:enable='between(t,4,7)'",
    "white flashes": "scale=640:480,drawbox=w=640:h=480:color=white:t=fill:enable='lt(mod(t,1),0.1)'",
    "dark": "scale=640:480,eq=brightness=-0.25:contrast=0.5",
    "very dark": "scale=640:480,lutyuv=y=val*0.2",
    "gamma 3": "scale=640:480,eq=gamma=3",
    "hue by 180 degrees": "scale=640:480,hue=h=180",
    "chroma aside": "scale=640:480,format=yuv444p,chromashift=cbh=8:crh=-8",
    "noise": "scale=640:480,noise=alls=60:allf=t",
    "three pictures in one": "scale=640:480,tmix=frames=3",
    "a tube": "scale=640:480,lenscorrection=k1=0.06:k2=0.02",
    "dark corners": "scale=640:480,vignette=PI/3.5",
    "turned by 2 degrees": "scale=640:480,rotate=2*PI/180",
    "turned by 3 degrees": "scale=640:480,rotate=3*PI/180",
    "shaken by 2 pixels": "scale=640:480,pad=680:520:20:20,crop=640:480:'20+2*sin(n/5)':'20+2*cos(n/7)'",
    "shaken by 8 pixels": "scale=640:480,pad=680:520:20:20,crop=640:480:'20+8*sin(n/5)':'20+8*cos(n/7)'",
    "zooms in slowly": ZOOM.format("min(1+0.0008*on,1.8)"),
    "zooms in and out": ZOOM.format("1.2+0.15*sin(on/40)"),
    "jumps closer and back": ZOOM.format("if(lt(mod(on,240),120),1,1.25)"),
    "begins at 5 s": "trim=start=5,setpts=PTS-STARTPTS,scale=640:480",
    "a picture for 3 s": "scale=640:480,loop=loop=180:size=1:start=300",
    "cut out 0.3 s of each 1.5 s": "select='lt(mod(t,1.5),1.2)',setpts=N/60/TB,scale=640:480",
    "160 x 120": "scale=160:120",
    "a web camera touches the rim": OVER.format(FACE.format(226, 240), 0, 240),
    "a web camera over the left of the rim": OVER.format(FACE.format(236, 240), 0, 240),
    "a web camera over the next box": OVER.format(FACE.format(195, 280), 445, 200),
    "a web camera over a column of the field": OVER.format(FACE.format(258, 200), 0, 280),
    "a web camera over the upper left corner": OVER.format(FACE.format(300, 130), 0, 0),
    "upright, a face below": f"scale=540:404,pad=540:960[a];{FACE.format(540, 540)}[b];[a][b]overlay=0:420:shortest=1",
    "upright, a large blurred copy behind": (
        "split[a][b];[a]scale=1280:960,crop=540:960,gblur=12[c];[b]scale=540:404[d];[c][d]overlay=0:280"
    ),
    "a blurred copy at both sides": "split[a][b];[a]scale=1280:720,gblur=15[c];[b]scale=960:720[d];[c][d]overlay=160:0",
    "a smaller copy, 1 s later": (
        "split[a][b];[a]scale=640:480,pad=1280:720:20:100:color=0x303060[c];"
        "[b]tpad=start_duration=1:color=gray,scale=480:360[d];[c][d]overlay=720:200:shortest=1"
    ),
    "a sharp shadow moves": OVER.format(BOX_OVER.format("black@0.5", "260x480"), "mod(t*90,900)-260", 0),
    "a banner slides in": OVER.format(
        BOX_OVER.format("0xC02020", "640x60"), "max(0,640-(mod(t,6)-2)*2400)+if(gt(mod(t,6),4),(mod(t,6)-4)*2400)", 200
    ),
    "an alert for 2 s": OVER.format("testsrc2=s=240x90:r=30", 220, 110) + SOMETIMES,
    "a dark box with text for 2 s": OVER.format(
        BOX_OVER.format("black", "240x70") + ",drawtext=text='NEW SUBSCRIBER':fontsize=24:fontcolor=white:x=10:y=20", 220, 200
    ) + SOMETIMES,
    "a banner over the lowest row": OVER.format(BOX_OVER.format("0x101080", "640x44"), 0, 400),
    "a mouse pointer": OVER.format(BOX_OVER.format("white", "14x20"), "240+200*abs(sin(t/2))", "100+300*abs(sin(t/3))"),
    "cut off right of the rim": "scale=640:480,crop=444:480:0:0",
    "cut off left of the rim": "scale=640:480,crop=404:480:236:0",
    "50 pictures a second, blended": "scale=640:480,framerate=50",
    "30, then 60 blended": "scale=640:480,fps=30,framerate=60",
    "a third of the pictures doubled": "scale=640:480,select='gt(random(3),0.33)',fps=60",
    "sharpened": "scale=640:480,unsharp=7:7:2.5",
    "contrast 0.25, black lifted": "scale=640:480,lutyuv=y=90+val*0.25",
    "gamma 0.4": "scale=640:480,eq=gamma=0.4",
    "full range read as limited": "scale=640:480,lutyuv=y='clip((val-16)*1.164,0,255)'",
    "four screens beside each other": "scale=320:240,split=4[a][b][c][d];[a][b][c][d]hstack=4",
}
SHADE = "geq=lum='lum(X,Y)*({})':cb='cb(X,Y)':cr='cr(X,Y)'"
GLARE = "geq=lum='min(255,lum(X,Y)+{}*exp(-((X-300)^2+(Y-250)^2)/7000))':cb='cb(X,Y)':cr='cr(X,Y)'"
# Name: filters, from 256 x 240, and the ending of the file. A layout goes around the screen where the second is named.
PICTURES = {
    "640 x 480": ("scale=640:480", "jpg"),
    "poor JPEG": ("scale=640:480", "jpg -q:v 25"),
    "1080 lines, layout": (f"scale=960:720{LAYOUT}700:200", "webp"),
    "small in 720 lines, layout": (f"scale=320:240{LAYOUT}700:200", "png"),
    "16:9": ("scale=1280:720", "png"),
    "150 x 140": ("scale=150:140", "png"),
    "photo, slight angle": (camera(3).split("[s]")[0] + ",noise=alls=12", "jpg"),
    "photo, more of an angle": (camera(6).split("[s]")[0] + ",noise=alls=12", "jpg"),
    "photo, large, upright": (camera(2).split("[s]")[0] + ",scale=1280:960,gblur=2,noise=alls=12,pad=1512:2016:110:500:color=gray", "jpg"),
    "turned by 4 degrees": ("scale=640:480,rotate=4*PI/180", "jpg"),
    "half dark": ("scale=640:480," + SHADE.format("1-0.8*X/W"), "jpg"),
    "half in the shadow": ("scale=640:480," + SHADE.format("1-0.6*gt(Y,300)"), "jpg"),
    "glare": ("scale=640:480," + GLARE.format(120), "jpg"),
    "strong glare": ("scale=640:480," + GLARE.format(230), "jpg"),
    "very dark": ("scale=640:480,lutyuv=y=val*0.12", "jpg"),
    "moire": (
        "scale=640:960:flags=neighbor," + SHADE.format("0.45+0.55*gt(mod(Y,4),1)") + ",scale=500:377:flags=bilinear",
        "jpg",
    ),
    "a strong tube": ("scale=640:480,lenscorrection=k1=0.15:k2=0.05", "jpg"),
    "mirrored": ("scale=640:480,hflip", "png"),
    "the field alone": ("crop=92:172:90:42,scale=368:688", "png"),
    "the field alone, mirrored": ("crop=92:172:90:42,scale=368:688,hflip", "png"),
    "something over the next box": (f"scale=640:480,drawbox={BOX}:color=0x805020:t=fill", "png"),
    "something over a corner": (f"scale=640:480,drawbox={CORNER}:color=0x805020:t=fill", "png"),
    "something dark over a corner": (f"scale=640:480,drawbox={CORNER}:color=0x101014:t=fill", "png"),
    "text over the field": ("scale=640:480,drawbox=x=244:y=250:w=192:h=30:color=white:t=fill", "png"),
    "cut below": ("crop=256:180:0:0,scale=640:450", "png"),
    "cut at the right": ("crop=160:240:0:0,scale=640:960", "png"),
    "three screens beside each other": ("split=3[a][b][c];[a][b][c]hstack=3", "png"),
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


# The level is never read, so what is said of it is not about an error.
TOLD = ("no placements explain", "in the middle of a game", "covers")


def review(folder, *source, stdin=None):
    """The placements of a review, the progress before each, what it lists as not read, and its processor time."""
    file = folder / "table.csv"
    file.unlink(missing_ok=True)
    command = [MAXOUT, "review", *source, "--nodes", "1", "--playouts", "0", "--worst", "0", "--csv", file, "-q"]
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
    listed = [line.strip() for line in lines if any(words in line for words in TOLD)]
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


def degrade(folder, video, seed, name, filters, rate, length):
    """Reads the degraded video: as a file, which is kept, if it is encoded again, as a stream of pictures if not."""
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
    # What is shown again and again beside the game has no end.
    until = ["-t", length] if more else []
    command = ["ffmpeg", "-v", "error", "-i", video, *more, "-filter_complex", graph, "-map", "[o]", *until, "-an"]
    if rate:
        coded, new = video.with_name(f"{video.stem}-{name}.mp4"), folder / "new.mp4"
        if not coded.exists():
            run(*command, "-c:v", "libx264", "-preset", "veryfast", "-b:v", f"{rate}k", "-pix_fmt", "yuv420p", "-y", new)
            new.rename(coded)
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


def compare(truth, places):
    """Placements that are right; others that were told; and of these, those that are right but for a next piece that was not seen."""
    opcodes = difflib.SequenceMatcher(None, truth, places, autojunk=False).get_opcodes()
    right = sum(b - a for kind, a, b, _, _ in opcodes if kind == "equal")
    pairs = [pair for kind, a, b, c, d in opcodes if kind == "replace" for pair in zip(truth[a:b], places[c:d])]
    blind = sum(not told[1] and (told[0], *told[2:]) == (true[0], *true[2:]) for true, told in pairs)
    return right, len(places) - right, blind


def pictures(folder, seeds, stop, only):
    """A table of what `analyze` makes of single pictures."""
    shots = []
    for seed in seeds:
        _, runs, _ = play(folder, seed, stop)
        stills, timeline = runs / "stills", runs / "timeline.json"
        if not timeline.exists():
            run(MAXOUT, "replay", "1", "--runs", runs, "--every", "131", "--png", stills, "-q")
            run(MAXOUT, "report", "1", "--runs", runs, "--timeline-json", timeline, "-q")
        board = ["." * 10] * 20
        for lock in json.loads(timeline.read_text())[0]["timeline"]["locks"]:
            shown = range(lock["spawned"] + 2, lock["locked"] - 1)
            files = [file for file in sorted(stills.glob("*.png")) if int(file.stem.split("-")[1]) in shown]
            shots += [(seed, file, (board, lock["piece"], lock["next"])) for file in files]
            board = lock["board_after"]
    print(f"{len(shots)} frames with a piece in the air, each picture made of one of them")
    print("| picture | right | right, no next piece | refused | wrong, with a warning | wrong |\n|---|---|---|---|---|---|", flush=True)
    for number, (name, (filters, ending)) in enumerate(PICTURES.items()):
        if not any(word in name for word in only):
            continue
        counts, notes = [0] * 5, []
        ending, *options = ending.split()
        # Others for each kind.
        for seed, file, (board, piece, following) in shots[number % 4 :: 4]:
            out, more = folder / f"picture.{ending}", []
            if LAYOUT in filters:
                more = ["-i", layout(folder, seed, *((1920, 1080) if "960:720" in filters else (1280, 720)))]
            graph = filters if more == [] else f"[0:v]{filters}"
            run("ffmpeg", "-v", "error", "-y", "-i", file, *more, "-filter_complex", graph, *options, "-frames:v", "1", out)
            command = [str(part) for part in (MAXOUT, "analyze", out, "--player", "plateau17", "--json", "-")]
            told = subprocess.run(command, capture_output=True, text=True)
            if told.returncode == 2:
                counts[2] += 1
                continue
            answer = json.loads(told.stdout)
            rows = answer["board"].split()[-20:]
            same = ["." * 10] * (20 - len(rows)) + rows == board and answer["piece"] == piece
            at = 0 if same and answer["next"] == following else 1 if same and not answer["next"] else 3 if told.stderr else 4
            counts[at] += 1
            if at == 4:
                notes.append(f"  {seed}, {file.name}")
        print(f"| {name} | {' | '.join(map(str, counts))} |", *notes, sep="\n", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=list(range(9200, 9220)))
    parser.add_argument("--stop", default="lines:4")
    parser.add_argument("--only", nargs="+", default=[""], help="rows that have these words, in this order")
    parser.add_argument("--keep", help="a folder in which the videos stay")
    parser.add_argument("--others", action="store_true", help="recordings as people make them")
    parser.add_argument("--pictures", action="store_true", help="single pictures")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="sight-"))
    folder.mkdir(parents=True, exist_ok=True)
    begun = time.time()
    if args.pictures:
        return pictures(folder, args.seeds, args.stop, args.only)
    rows = {name: (filters, None, 0, 0) for name, filters in OTHERS.items()} if args.others else ROWS
    # What was read by another program, or of games of another length, is not taken.
    made = hashlib.sha256(MAXOUT.read_bytes() + args.stop.encode()).hexdigest()[:12]
    results = folder / f"results-{made}"
    games = []
    for seed in args.seeds:
        video, runs, length = play(folder, seed, args.stop)
        truth = once(results / f"{seed}.json", lambda: review(folder, "1", "--runs", runs))
        games.append((seed, video, truth, length))
    print(f"{sum(len(truth[0]) for _, _, truth, _ in games)} placements, {sum(game[3] for game in games):.0f} s of video")
    print("| video | exact | whole games | lines and level | gaps told | wrong | silent errors | speed | with ffmpeg | asked for |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in dict.fromkeys(name for word in args.only for name in rows if word in name):
        filters, rate, asked, fast = rows[name]
        exact = total = whole = counted = gaps = silent = wrong = 0
        seconds = taken = decoded = 0.0
        notes = []
        for seed, video, (truth, progress, _, base), length in games:
            # Another picture of the same name is another one.
            label = hashlib.sha256(f"{name} {filters} {rate}".encode()).hexdigest()[:12]
            work = functools.partial(degrade, folder, video, seed, label, filters, rate, length)
            places, at, listed, used, ffmpeg = once(results / f"{seed}-{label}.json", work)
            compared = difflib.SequenceMatcher(None, truth, places, autojunk=False)
            blocks = compared.get_matching_blocks()
            right = sum(block.size for block in blocks)
            errors = max(len(truth), len(places)) - right
            _, told, blind = compare(truth, places)
            wrong += told - blind
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
            f"| {name} | {exact} of {total} ({share:.2f} %) | {whole} of {len(games)} | {counted} | {gaps} | {wrong} | {silent} "
            f"| {seconds / max(taken, 0.01):.0f} × | {together} | {f'{asked} %, {fast} ×' if asked else 'told'} |",
            flush=True,
        )
        print("\n".join(notes[:12]), end="\n" if notes else "", flush=True)
    print(f"{time.time() - begun:.0f} s in all")


if __name__ == "__main__":
    main()
