#!/usr/bin/env python3
"""Checks that no file in a wheel holds a path of the machine that built it: .ci/paths.py WHEEL PATH..."""

import sys
import zipfile


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    wheel, paths = sys.argv[1], sys.argv[2:]
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            text = archive.read(name)
            for path in paths:
                if path.encode() in text:
                    sys.exit(f".ci/paths.py: {wheel}: {name} holds the path {path} of this machine")


main()
