#!/usr/bin/env python3
"""Turns tiles.txt into tiles.chr, one 4 KiB NES pattern table (needed only after editing tiles.txt)."""
import pathlib
import re

here = pathlib.Path(__file__).parent
chr_rom = bytearray(4096)
number, row = 0, 8
for line in (here / "tiles.txt").read_text().splitlines():
    if head := re.fullmatch(r"([0-9A-F]{2}) .+", line):
        number, row = int(head[1], 16), 0
    elif re.fullmatch(r"[.+#-]{8}", line):
        assert row < 8, f"tile {number:02X} has more than eight rows"
        colours = [".-+#".index(pixel) for pixel in line]
        for plane in (0, 1):
            bits = "".join(str(colour >> plane & 1) for colour in colours)
            chr_rom[16 * number + 8 * plane + row] = int(bits, 2)
        row += 1
    else:
        assert not line or line.startswith("# "), f"unexpected line: {line}"
(here / "tiles.chr").write_bytes(chr_rom)
