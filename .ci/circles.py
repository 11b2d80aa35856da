#!/usr/bin/env python3
"""Fails if modules of one crate need each other in a circle.

An arrow goes from a module to each module whose items it names (`use`, or a path in the code). An item that a parent
only passes on (`pub use child::Item`) belongs to the child. Unit tests may look anywhere and do not count.
"""

import pathlib
import re
import sys

CRATES = ["crates/rules/src", "crates/engine/src", "crates/gallery/src", "crates/host/src", "crates/python/src", "crates/record/src", "crates/sight/src", "src", "lab/src"]
USE = re.compile(r"(?P<public>pub(?:\([a-z: ]+\))? )?\buse (?P<path>[^;]+);")


def single_paths(path):
    """The paths of a `use` with braces, one by one."""
    path = path.strip()
    braces = re.match(r"^(.*?)\{(.*)\}$", path, re.S)
    if not braces:
        return [path]
    parts, depth, part = [], 0, ""
    for letter in braces.group(2):
        depth += {"{": 1, "}": -1}.get(letter, 0)
        if letter == "," and depth == 0:
            parts.append(part)
            part = ""
        else:
            part += letter
    parts.append(part)
    return [one for part in parts if part.strip() for one in single_paths(braces.group(1) + part.strip())]


def modules(root):
    """By module path (a tuple of names): its code without comments and unit tests."""
    found = {}
    for file in sorted(root.rglob("*.rs")):
        name = file.relative_to(root).with_suffix("").parts
        name = name[:-1] if name[-1] in ("mod", "lib") else name
        # The program's own `main`, the build script, and files of tests.
        if name in (("main",), ("build",)) or "tests" in name:
            continue
        code = re.split(r"#\[cfg\(test\)\]\n(?:pub\([a-z]+\) )?mod \w+ \{", file.read_text())[0]
        code = re.sub(r"#\[cfg\(test\)\]\nuse [^;]*;", "", code)
        code = "\n".join(line for line in code.split("\n") if not line.strip().startswith("//"))
        found[name] = code
    return found


def arrows(code):
    """For each module the modules that it needs."""
    uses, passed_on = {}, {}
    for module, text in code.items():
        uses[module] = [
            (bool(use["public"]), re.sub(r"\s+as .*", "", path).strip(), re.split(r" as |::", path)[-1].strip())
            for use in USE.finditer(text)
            for path in single_paths(use["path"])
        ]
        passed_on[module] = {name: path for _, path, name in uses[module]}

    def owner(module, path, depth=0):
        """The module that an item belongs to; None if it is of another crate."""
        names = path.split("::")
        if names[0] == "crate":
            at, names = (), names[1:]
        elif names[0] == "super":
            at = module
            while names and names[0] == "super":
                at, names = at[:-1], names[1:]
        elif module + (names[0],) in code:
            at = module
        else:
            return None
        while names and at + (names[0],) in code:
            at, names = at + (names[0],), names[1:]
        if names and names[0] in passed_on.get(at, {}) and depth < 8:
            return owner(at, "::".join([passed_on[at][names[0]]] + names[1:]), depth + 1) or at
        return at

    needed = {module: set() for module in code}
    for module, text in code.items():
        body = re.sub(r"pub\(in [^)]*\)", "", USE.sub("", text))
        paths = [(public, path) for public, path, _ in uses[module]]
        paths += [(False, path) for path in re.findall(r"(?<![:\w])([a-z_]+(?:::\w+)+)", body)]
        for public, path in paths:
            to = owner(module, path)
            is_wiring = public and to is not None and to[: len(module)] == module
            if to is not None and to != module and to in code and not is_wiring:
                needed[module].add(to)
    return needed


def circles(needed):
    """Sets of modules that all need each other (Tarjan 1972)."""
    number, least, stack, found = {}, {}, [], []

    def visit(module):
        number[module] = least[module] = len(number)
        stack.append(module)
        for other in sorted(needed[module]):
            if other not in number:
                visit(other)
            if other in stack:
                least[module] = min(least[module], least[other])
        if least[module] == number[module]:
            circle = stack[stack.index(module) :]
            del stack[stack.index(module) :]
            if len(circle) > 1:
                found.append(circle)

    for module in sorted(needed):
        if module not in number:
            visit(module)
    return found


def main():
    faults = 0
    for crate in CRATES:
        needed = arrows(modules(pathlib.Path(crate)))
        rooms = {module[:1]: set() for module in needed if module}
        for module, others in needed.items():
            for other in others:
                if module and other and module[:1] != other[:1]:
                    rooms[module[:1]].add(other[:1])
        for circle in circles(needed) + circles(rooms):
            faults += 1
            print(f"{crate}: a circle: {', '.join('::'.join(module) or 'the root' for module in sorted(circle))}")
        print(f"{crate}: {len(needed)} modules, {sum(map(len, needed.values()))} arrows")
    sys.exit(1 if faults else 0)


main()
