"""Checks the links of the documentation and of the laboratory's notebook, and that every page of the book stands in docs/SUMMARY.md."""

import pathlib
import re
import sys
import urllib.parse

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
# `[text](target)` and `![text](target)`; a target in angle brackets may have spaces.
LINK = re.compile(r"!?\[(?:[^\[\]]|\[[^\[\]]*\])*\]\(\s*(<[^>]*>|[^()\s]+(?:\([^()\s]*\))?)(?:\s+\"[^\"]*\")?\s*\)")
REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:[ \t]+(\S+)", re.M)
OUTSIDE = re.compile(r"https?://[A-Za-z0-9.-]+\.[A-Za-z]{2,}(?:[:/?#]\S*)?$|mailto:\S+@\S+$")


def files():
    """Every file whose links count."""
    yield from sorted(DOCS.rglob("*.md"))
    yield from sorted((ROOT / "lab/notebook").glob("*.md"))
    for name in ["README.md", "CHANGELOG.md", "benches/README.md", "roms/README.md", "roms/testcart/README.md"]:
        if (ROOT / name).exists():
            yield ROOT / name
    yield from sorted(ROOT.glob("crates/*/README.md"))


def prose(path):
    """The lines outside code, each with its number; code within a line is blanked."""
    fence = None
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        mark = re.match(r" {0,3}(```+|~~~+)", line)
        if mark and fence is None:
            fence = mark[1]
        elif mark and mark[1].startswith(fence) and line.strip() == mark[1]:
            fence = None
        elif fence is None and not line.startswith("    "):
            yield number, line


def anchors(path):
    """The anchors of a file's headings, as GitHub and mdBook make them."""
    seen = {}
    for _, line in prose(path):
        heading = re.match(r" {0,3}#{1,6}\s+(.*?)\s*#*$", line)
        if not heading:
            continue
        text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        anchor = re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")
        count = seen.get(anchor, 0)
        seen[anchor] = count + 1
        yield f"{anchor}-{count}" if count else anchor


def complaint(path, target):
    """What is wrong with a link, or None."""
    target = target.strip("<>")
    if re.match(r"[a-z][a-z0-9+.-]*:", target, re.I):
        return None if OUTSIDE.match(target) else "not a well-formed address"
    place, _, anchor = target.partition("#")
    if place.startswith("/"):
        return "an absolute path"
    to = (path.parent / urllib.parse.unquote(place)).resolve() if place else path
    if not to.is_relative_to(ROOT):
        return "outside the repository"
    if not to.exists():
        return "no such file"
    if path.is_relative_to(DOCS) and not to.is_relative_to(DOCS):
        return "leads out of the book"
    if anchor and to.suffix == ".md" and anchor not in set(anchors(to)):
        return "no such heading"
    return None


def links():
    """Checks every link, and that the table of contents has every page; returns the number of faults."""
    faults, count = [], 0
    for path in files():
        text = ["" for _ in path.read_text(encoding="utf-8").splitlines()]
        for number, line in prose(path):
            text[number - 1] = re.sub(r"`[^`]*`", lambda code: " " * len(code[0]), line)
        # A link's text may go on in the next line.
        text = "\n".join(text)
        for found in sorted([*LINK.finditer(text), *REFERENCE.finditer(text)], key=lambda found: found.start()):
            count += 1
            if wrong := complaint(path, found[1]):
                number = text.count("\n", 0, found.start(1)) + 1
                faults.append(f"{path.relative_to(ROOT)}:{number}: {found[1]}: {wrong}")
    listed = {page for _, page in pages()}
    for path in sorted(DOCS.rglob("*.md")):
        page = path.relative_to(DOCS).as_posix()
        if page != "SUMMARY.md" and page not in listed:
            faults.append(f"docs/{page}: not in docs/SUMMARY.md")
    print("\n".join(faults + [f"{count} links, {len(faults)} faults"]))
    return len(faults)


def pages():
    """The pages of the table of contents: (title, file), and (title, None) for the heading of a part."""
    for line in (DOCS / "SUMMARY.md").read_text(encoding="utf-8").splitlines():
        if entry := re.match(r"\s*(?:[-*] )?\[(.*)\]\(([^)]+)\)\s*$", line):
            yield entry[1], entry[2]
        elif (part := re.match(r"# (.+)", line)) and part[1] != "Summary":
            yield part[1], None


if __name__ == "__main__":
    sys.exit(1 if links() else 0)
