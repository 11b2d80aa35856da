#!/usr/bin/env python3
"""How many placements `maxout review` reads right from videos, by how the video was degraded.

    python3 .ci/sight.py [--seeds 9000 9001 ...] [--level 18] [--stop lines:20] [--only NAME ...] [--keep FOLDER]

Plays games at human taps with misdrops on the test cartridge, makes videos of them, degrades each with ffmpeg, and compares the review
of the video with the review of the run, placement by placement. Nothing is told to the reader. Needs ffmpeg and target/release/maxout.
"""

import argparse
import csv
import difflib
import pathlib
import resource
import subprocess
import tempfile

MAXOUT = pathlib.Path(__file__).resolve().parent.parent / "target/release/maxout"
# Filters, bit rate in kbit/s if it is bounded.
ROWS = {
    "480p60": ("scale=640:480", None),
    "480p60, 600 kbit/s": ("scale=640:480", 600),
    "720p60 in a 1080p layout": ("scale=960:720,pad=1920:1080:130:240:color=0x203040", None),
    "720p60, wide": ("scale=1280:720", None),
    "360p30, 300 kbit/s": ("scale=480:360,fps=30", 300),
    "360p30, 120 kbit/s": ("scale=480:360,fps=30", 120),
    "240p30, 100 kbit/s": ("scale=320:240,fps=30", 100),
    "480p25": ("scale=640:480,fps=25", None),
    "5 % of the pictures dropped": ("scale=640:480,select='gt(random(7),0.05)',fps=60", None),
    "blended with the one before": ("scale=640:480,tblend=all_mode=average", None),
    "two fields in one picture": ("scale=640:480,tinterlace=mode=interleave_top", None),
    "hue turned, washed out": ("scale=640:480,hue=h=90:s=0.6,eq=brightness=0.1:contrast=0.7", None),
    "grey": ("scale=640:480,hue=s=0", None),
    "dark": ("scale=640:480,eq=brightness=-0.1:contrast=0.6:gamma=0.8", None),
    "blurred": ("scale=320:240,gblur=sigma=1.2,scale=640:480", None),
    "noise": ("scale=640:480,noise=alls=25:allf=t", None),
    "cropped, overlay in the corner": (
        "scale=640:480,crop=500:400:100:60,drawbox=x=380:y=300:w=120:h=100:color=red:t=fill", None
    ),
    "ten seconds missing": ("scale=640:480,select='not(between(t,12,22))',setpts=N/60/TB", None),
}


def run(*command, **more):
    return subprocess.run([str(part) for part in command], check=True, capture_output=True, text=True, **more)


def table(folder, *source):
    """The placements of a review, and lines and level before each; empty if no game was found."""
    file = folder / "table.csv"
    file.unlink(missing_ok=True)
    command = [MAXOUT, "review", *source, "--nodes", "1", "--worst", "0", "--csv", file, "-q"]
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        return [], [], done.stderr.strip()
    rows = list(csv.DictReader(file.open()))
    places = [tuple(row[key] for key in ("piece", "next", "x", "y", "orientation")) for row in rows]
    said = [line for line in done.stdout.splitlines() if "not read" in line and "the level" not in line]
    return places, [(row["lines"], row["level"]) for row in rows], "; ".join(said)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[9000, 9001])
    parser.add_argument("--level", type=int, default=18)
    parser.add_argument("--stop", default="lines:12")
    parser.add_argument("--only", nargs="+", default=list(ROWS))
    parser.add_argument("--keep")
    args = parser.parse_args()
    folder = pathlib.Path(args.keep or tempfile.mkdtemp(prefix="sight-"))
    folder.mkdir(parents=True, exist_ok=True)
    games = []
    for seed in args.seeds:
        video, runs = folder / f"{seed}.mp4", folder / f"runs-{seed}"
        if not video.exists():
            play = ["--player", "maxout-fast", "--seed", seed, "--taps", "12hz", "--misdrop", "0.03"]
            play += ["--start-level", args.level, "--stop", args.stop, "--runs", runs, "-q"]
            run(MAXOUT, "play", *play)
            run(MAXOUT, "replay", "1", "--runs", runs, "--mp4", video, "--scale", "2", "--no-sound", "-q")
        games.append((video, table(folder, "1", "--runs", runs)))
    print(f"| video | exact | read | lines and level | n games |\n|---|---|---|---|---|", flush=True)
    for name in args.only:
        filters, rate = ROWS[name]
        exact = total = read = counted = 0
        notes = []
        for video, (truth, progress, _) in games:
            coded = folder / "degraded.mp4"
            speed = ["-b:v", f"{rate}k"] if rate else ["-crf", "23"]
            encode = ["-an", "-c:v", "libx264", "-preset", "veryfast", *speed, "-y", coded]
            run("ffmpeg", "-v", "error", "-i", video, "-vf", filters, *encode)
            places, at, said = table(folder, coded)
            blocks = difflib.SequenceMatcher(None, truth, places, autojunk=False).get_matching_blocks()
            exact += sum(block.size for block in blocks)
            counted += sum(a == b for block in blocks for a, b in zip(progress[block.a:][:block.size], at[block.b:]))
            total, read = total + max(len(truth), len(places)), read + len(places)
            notes += [f"  {video.stem}: {said}"] if said else []
            for kind, a, b, c, d in difflib.SequenceMatcher(None, truth, places, autojunk=False).get_opcodes():
                if kind != "equal":
                    notes.append(f"  {video.stem}: {kind} at {a}: {truth[a:b][:3]} read as {places[c:d][:3]}")
        share = 100 * exact / max(total, 1)
        print(f"| {name} | {exact} of {total} ({share:.2f} %) | {read} | {counted} | {len(games)} |", flush=True)
        print("\n".join(notes[:8]), end="\n" if notes else "", flush=True)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{used.ru_utime:.0f} s of processor time")


if __name__ == "__main__":
    main()
