#!/usr/bin/env python3
"""Fails if a text that a user or a contributor reads holds a phrase that a native reader stops at.

Reads the Markdown pages (not the notebook, the changelog or the licences), and of each Rust file the doc comments and the strings.
The list grows: whoever stops at a phrase adds it here, with what to write instead.
"""

import pathlib
import re
import subprocess
import sys

# A pattern, and what to write instead.
PHRASES = [
    (r"\b(is|are) none\b", "say what is missing or empty"),
    (r"\bso (many|much|few)\b(?! (that|as|more|better|easier)\b)", "name the number, or say how many"),
    (r"\bwhat (it|they) came to\b", "the result"),
    (r"\bwhat becomes of\b", "say what happens"),
    (r"\bfor want of\b", "without, or because ... is missing"),
    (r"\bof no matter\b", "harmless, or does not matter"),
    (r"\bsomebody\b", "a player, a person, a user"),
    (r"\bnobody's\b", "say whose, or leave it out"),
    (r"\b(is|are) to be\b", "must be"),
    (r"\bas it is far\b", "so far"),
    (r"\bthe other way round\b", "in reverse"),
    (r"\bstands? (there|here|in|at|beside|for|on) ", "is (a thing stands only if it has feet)"),
    (r"\bthat of (the|a|an|its|their) ", "repeat the noun"),
    (r"\bplay alone\b", "say what did not do it"),
    (r"\bin (nobody|somebody)\b", "say who"),
]
LINE = re.compile(r"^\s*//[/!]\s?(.*)")
STRING = re.compile(r'"((?:[^"\\]|\\.)*)"')
SKIPPED = re.compile(r"^(docs/notebook/|lab/notebook/|CHANGELOG|LICENSE|tests/data/)")


def texts(path):
    """The lines of a file that are read by people, each with its number."""
    lines = pathlib.Path(path).read_text(encoding="utf-8").splitlines()
    if path.endswith(".md"):
        yield from enumerate(lines, 1)
        return
    for number, line in enumerate(lines, 1):
        if line.strip() == "#[cfg(test)]":
            return
        comment = LINE.match(line)
        yield number, comment[1] if comment else " ".join(STRING.findall(line))


def main():
    names = subprocess.run(["git", "ls-files", "-z", "--", "*.md", "*.rs"], check=True, capture_output=True, text=True).stdout
    faults = 0
    for path in names.split("\0"):
        if not path or SKIPPED.match(path) or "/tests/" in path or path.startswith("tests/"):
            continue
        for number, text in texts(path):
            for pattern, instead in PHRASES:
                if found := re.search(pattern, text, re.IGNORECASE):
                    faults += 1
                    print(f"{path}:{number}: “{found[0].strip()}”: {instead}\n    {text.strip()}")
    if faults:
        print(f"{faults} phrases; expected plain English (CONTRIBUTING.md, “How we write”)")
        sys.exit(1)


main()
