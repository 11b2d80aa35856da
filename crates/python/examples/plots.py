# %% [markdown]
# Players of maxout side by side: how their scores are distributed, how they make them, and how a game goes.
#
#     python crates/python/examples/plots.py [GAMES] [FOLDER]
#
# Every `# %%` begins a cell in editors that know them. As a script it writes two pictures into FOLDER (by default here).

# %%
from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import maxout
import numpy

try:
    import matplotlib
except ImportError:
    sys.exit("skipped: no matplotlib (pip install matplotlib)")

matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
FOLDER = Path(sys.argv[2] if len(sys.argv) > 2 else ".")


# %%
def lowest(seen: maxout.Position) -> maxout.Placement | None:
    """A player of one's own: each piece as low as it goes, the flattest board first."""

    def worth(place: maxout.Placement) -> tuple[int, int]:
        heights = seen.board.lock(place)[0].heights
        return place.y, -sum(abs(left - right) for left, right in zip(heights, heights[1:]))

    return max(seen.placements(), key=worth, default=None)


# Level 18 to level 29: 230 lines under gravity, on seeds that no player was tuned on.
PLAYERS: dict[str, Any] = {"plateau17": "plateau17", "plateau17 at 10 Hz": maxout.Player("plateau17", taps="10hz"), "lowest": lowest}
games = {
    name: maxout.simulate(player, GAMES, seed=60_000, level=18) for name, player in PLAYERS.items()
}

# %%
figure, (scores, rates) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
for name, played in games.items():
    ordered = numpy.sort(played["score"])
    scores.step(ordered / 1000, 1 - numpy.arange(len(ordered)) / len(ordered), where="post", label=name)
scores.set(xlabel="score (thousands)", ylabel="share of the games that reach it", title="Scores, level 18 to 29")
scores.legend()
# The tetris rate is the share of the lines that tetrises clear.
shares = [4 * played["tetrises"].sum() / max(1, played["lines"].sum()) for played in games.values()]
rates.bar(list(games), [100 * share for share in shares])
rates.set(ylabel="lines from tetrises (%)", title="Tetris rate", ylim=(0, 100))
figure.savefig(FOLDER / "players.png", dpi=120)

# %%
figure, (clears, ends) = pyplot.subplots(1, 2, figsize=(11, 4), layout="constrained")
below = numpy.zeros(len(games))
for rows, kind in enumerate(("singles", "doubles", "triples", "tetrises"), 1):
    lines = numpy.array([rows * played[kind].mean() for played in games.values()])
    clears.bar(list(games), lines, bottom=below, label=kind)
    below += lines
clears.set(ylabel="lines a game", title="What cleared them")
clears.legend()
ends.boxplot([played["lines"] for played in games.values()], tick_labels=list(games))
ends.set(ylabel="lines", title="Where the games ended")
figure.savefig(FOLDER / "clears.png", dpi=120)

# %%
for name, played, share in zip(games, games.values(), shares):
    mean, error = played["score"].mean(), played["score"].std() / GAMES**0.5
    print(f"{name}: {mean:,.0f} ± {error:,.0f} points, tetris rate {share:.0%}, {played['topped_out'].mean():.0%} topped out")
print(f"pictures: {FOLDER / 'players.png'}, {FOLDER / 'clears.png'}")
