#!/usr/bin/env python3
"""The public API of rules, engine, gallery, record and host, one line an item, against crates/*/api.txt: a change of it is seen in review.

usage: api.py [--update]    (needs cargo; reads what rustdoc writes as JSON)
"""

import json
import os
import subprocess
import sys
from pathlib import Path

CRATES = ["rules", "engine", "gallery", "record", "host"]
FORMAT = 57  # of rustdoc's JSON


def rustdoc(crate):
    """What rustdoc knows of a crate. The format is not stable, so the compiler wants to be told that we know."""
    target = os.environ.get("CARGO_TARGET_DIR", "target")
    command = ["cargo", "rustdoc", "--release", "--quiet", "--package", f"maxout-{crate}", "--lib", "--all-features",
               "--", "-Z", "unstable-options", "--output-format", "json"]
    subprocess.run(command, check=True, env=os.environ | {"RUSTC_BOOTSTRAP": "1"})
    return json.loads(Path(target, "doc", f"maxout_{crate}.json").read_text(encoding="utf-8"))


def path(of):
    """A named type or trait: its last name, as programs write it, with its arguments."""
    name = of.get("path") or of.get("name") or ""
    return name.rsplit("::", 1)[-1] + arguments(of.get("args"))


def arguments(args):
    if not args:
        return ""
    if "angle_bracketed" in args:
        inside = args["angle_bracketed"]
        texts = [kind(arg["type"]) if "type" in arg else next(iter(arg.values())) for arg in inside["args"]
                 if isinstance(arg, dict)]
        texts = [text if isinstance(text, str) else text.get("expr", "_") for text in texts]
        for constraint in inside["constraints"]:
            bound = constraint["binding"].get("equality", {}).get("type")
            texts.append(constraint["name"] + (f" = {kind(bound)}" if bound else ": …"))
        return f"<{', '.join(texts)}>" if texts else ""
    if "parenthesized" in args:
        inside = args["parenthesized"]
        output = f" -> {kind(inside['output'])}" if inside["output"] else ""
        return f"({', '.join(map(kind, inside['inputs']))}){output}"
    return ""


def bounds(those):
    return " + ".join(path(bound["trait_bound"]["trait"]) if "trait_bound" in bound else str(bound.get("outlives", "…"))
                      for bound in those)


def kind(of):
    """The text of a type."""
    what, inner = next(iter(of.items()))
    match what:
        case "primitive" | "generic":
            return inner
        case "resolved_path":
            return path(inner)
        case "borrowed_ref":
            return "&" + ("mut " if inner["is_mutable"] else "") + kind(inner["type"])
        case "tuple":
            return f"({', '.join(map(kind, inner))})"
        case "slice":
            return f"[{kind(inner)}]"
        case "array":
            return f"[{kind(inner['type'])}; {inner['len']}]"
        case "impl_trait":
            return f"impl {bounds(inner)}"
        case "dyn_trait":
            return "dyn " + " + ".join(path(bound["trait"]) for bound in inner["traits"])
        case "qualified_path":
            return f"{kind(inner['self_type'])}::{inner['name']}"
        case _:
            return what


def generics(of):
    names = [parameter["name"] for parameter in of["params"]
             if not parameter["kind"].get("type", {}).get("is_synthetic") and not parameter["name"].startswith("'")]
    return f"<{', '.join(names)}>" if names else ""


def function(name, inner):
    words = [word for word in ("const", "async", "unsafe") if inner["header"][f"is_{word}"]]
    inputs = []
    for argument, of in inner["sig"]["inputs"]:
        text = kind(of)
        inputs.append(text.replace("Self", "self") if argument == "self" else text)
    output = inner["sig"]["output"]
    arrow = f" -> {kind(output)}" if output else ""
    return " ".join([*words, f"fn {name}{generics(inner['generics'])}({', '.join(inputs)}){arrow}"])


def by_path(line):
    """What a listing is sorted by: the item's path."""
    return (line[line.index("maxout_"):], line)


class Listing:
    def __init__(self, doc):
        self.index = doc["index"]
        self.lines = set()

    def item(self, number, where, name=None):
        """Adds an item and all that is public in it. `name` is what a re-export calls it."""
        item = self.index.get(str(number))
        if item is None or "doc(hidden)" in str(item["attrs"]):
            return
        what, inner = next(iter(item["inner"].items()))
        name = name or item["name"]
        at = f"{where}::{name}" if where else name
        if what == "module":
            self.lines.add(f"mod {at}")
            self.all(inner["items"], at)
        elif what == "use":
            if inner["is_glob"]:
                return
            if inner["id"] is not None and str(inner["id"]) in self.index:
                self.item(inner["id"], where, inner["name"])
            else:
                self.lines.add(f"use {where}::{inner['name']} = {inner['source']}")
        elif what == "function":
            self.lines.add(function(at, inner))
        elif what in ("struct", "enum", "trait", "union"):
            traits = sorted(filter(None, [self.block(block, at) for block in inner.get("impls", [])]))
            self.lines.add(f"{what} {at}{generics(inner['generics'])}" + (f": {' + '.join(traits)}" if traits else ""))
            members = []
            if what == "struct":
                shape = next(iter(inner["kind"].items())) if isinstance(inner["kind"], dict) else ("unit", None)
                members = shape[1]["fields"] if shape[0] == "plain" else [field for field in shape[1] or [] if field]
            elif what == "enum":
                members = inner["variants"]
            elif what == "trait":
                members = inner["items"]
            self.all(members, at)
        elif what == "struct_field":
            self.lines.add(f"field {at}: {kind(inner)}")
        elif what == "variant":
            self.lines.add(f"variant {at}")
        elif what in ("constant", "assoc_const"):
            self.lines.add(f"const {at}: {kind(inner['type'])}")
        elif what == "type_alias":
            self.lines.add(f"type {at} = {kind(inner['type'])}")
        else:
            self.lines.add(f"{what} {at}")

    def all(self, numbers, at):
        for number in numbers:
            self.item(number, at)

    def block(self, number, at):
        """Adds the items of an impl, or returns the trait that it is of."""
        item = self.index.get(str(number))
        if item is None:
            return None
        inner = item["inner"]["impl"]
        if inner["is_synthetic"] or inner["blanket_impl"]:
            return None
        if inner["trait"] is not None:
            return path(inner["trait"])
        self.all([one for one in inner["items"] if self.index[str(one)]["visibility"] == "public"], at)
        return None


def main(update):
    changed = False
    for crate in CRATES:
        doc = rustdoc(crate)
        if doc["format_version"] != FORMAT:
            why = f"rustdoc writes format {doc['format_version']}, expected {FORMAT}"
            if "MAXOUT_STRICT" in os.environ:
                sys.exit(f"MAXOUT_STRICT is set, and {why}")
            print(f"skipped: {why}")
            return
        listing = Listing(doc)
        listing.item(doc["root"], "")
        text = "".join(f"{line}\n" for line in sorted(listing.lines, key=by_path))
        file = Path("crates", crate, "api.txt")
        kept = file.read_text(encoding="utf-8") if file.exists() else ""
        if update:
            file.write_text(text, encoding="utf-8")
        for sign, lines, others in (("-", kept, text), ("+", text, kept)):
            if not update:
                for line in sorted(set(lines.splitlines()) - set(others.splitlines())):
                    changed = True
                    print(f"{sign} {line}")
        print(f"maxout-{crate}: {len(listing.lines)} public items")
    if changed:
        sys.exit("The public API is not what crates/*/api.txt say. If it should change: .ci/api.py --update, and a line in CHANGELOG.md.")


main(sys.argv[1:] == ["--update"])
