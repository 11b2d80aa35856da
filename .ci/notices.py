#!/usr/bin/env python3
"""Licences, notices of third parties and a list of what is inside (SBOM, CycloneDX 1.5), from `cargo metadata`.

    .ci/notices.py folder PACKAGE FOLDER    write them into the folder of an archive
    .ci/notices.py wheel PACKAGE WHEEL      put them into a wheel, and check that they are there

With MAXOUT_PAGE=FOLDER an archive has that page in it, with the library of others that it brings. The same Cargo.lock gives the same bytes.
"""

import base64
import hashlib
import json
import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LICENCES = ["LICENSE-APACHE", "LICENSE-MIT"]
NOTICES = "THIRD-PARTY-NOTICES.txt"
SBOM = "sbom.cdx.json"
# Files of a crate that say under which terms it may be used.
TERMS = re.compile(r"(licen[cs]e|copying|notice|copyright|unlicense)", re.IGNORECASE)


def linked(package: str) -> list[dict]:
    """The crates of others that end up in the package for this machine."""
    target = re.search(r"^host: (.*)$", run("rustc", "-vV"), re.MULTILINE)[1]
    text = run("cargo", "metadata", "--locked", "--format-version", "1", "--filter-platform", target)
    metadata = json.loads(text)
    packages = {one["id"]: one for one in metadata["packages"]}
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    waiting = [one["id"] for one in metadata["packages"] if one["name"] == package and one["source"] is None]
    if not waiting:
        sys.exit(f".ci/notices.py: {package} is no package of the workspace")
    found = set()
    while waiting:
        one = waiting.pop()
        if one in found or any("proc-macro" in target["kind"] for target in packages[one]["targets"]):
            continue
        found.add(one)
        for dependency in nodes[one]["deps"]:
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                waiting.append(dependency["pkg"])
    crates = [packages[one] for one in found if packages[one]["source"] is not None]
    return sorted(crates, key=lambda one: (one["name"], one["version"]))


def run(*words: str) -> str:
    return subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def notices(crates: list[dict]) -> str:
    texts: dict[str, list[str]] = {}
    for crate in crates:
        folder = Path(crate["manifest_path"]).parent
        names = sorted(path for path in folder.iterdir() if path.is_file() and TERMS.match(path.name))
        for path in names:
            text = "\n".join(line.rstrip() for line in path.read_text("utf-8", "replace").splitlines()).strip()
            texts.setdefault(text, []).append(f"{crate['name']} {crate['version']}: {path.name}")
    list_of = "".join(f"{one['name']} {one['version']}: {one['license']}\n" for one in crates)
    told = "".join(f"\n{'=' * 78}\n{chr(10).join(of)}\n{'-' * 78}\n{text}\n" for text, of in texts.items())
    return f"maxout contains these crates:\n\n{list_of}{told}"


def of_page(folder: Path) -> tuple[str, str, str]:
    """The library that the page brings: its name, version and licence, as `.ci/web` puts them before it."""
    head = (folder / "fsrs.js").read_text("utf-8").partition("*/")[0].removeprefix("/* ")
    name, version = head.split("\n", 1)[0].split(" ")
    return name, version, head.split("\n", 1)[1].strip()


def sbom(package: str, crates: list[dict], page: tuple[str, str, str] | None) -> str:
    lock = (ROOT / "Cargo.lock").read_text("utf-8")
    blocks = re.findall(r'name = "(.*?)"\nversion = "(.*?)"\nsource = ".*?"\nchecksum = "(.*?)"', lock)
    sums = {(name, version): checksum for name, version, checksum in blocks}
    version = re.search(r'\[workspace\.package\]\nversion = "(.*?)"', (ROOT / "Cargo.toml").read_text("utf-8"))
    components = [
        {
            "type": "library",
            "bom-ref": f"pkg:cargo/{one['name']}@{one['version']}",
            "name": one["name"],
            "version": one["version"],
            "purl": f"pkg:cargo/{one['name']}@{one['version']}",
            "licenses": [{"expression": one["license"].replace("/", " OR ")}],
            "hashes": [{"alg": "SHA-256", "content": sums[one["name"], one["version"]]}],
        }
        for one in crates
    ]
    if page:
        purl = f"pkg:npm/{page[0]}@{page[1]}"
        library = {"type": "library", "bom-ref": purl, "name": page[0], "version": page[1], "purl": purl}
        components.append({**library, "licenses": [{"expression": "MIT"}]})
    subject = {"type": "application", "bom-ref": package, "name": package, "version": version[1] if version else "0"}
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": subject},
        "components": components,
    }
    return json.dumps(document, indent=1) + "\n"


def put_into(wheel: Path, files: dict[str, bytes]) -> None:
    with zipfile.ZipFile(wheel) as archive:
        members = [(info, archive.read(info)) for info in archive.infolist()]
    record = next(info.filename for info, _ in members if info.filename.endswith(".dist-info/RECORD"))
    folder = record.removesuffix("/RECORD")
    new = {f"{folder}/{'sboms' if name == SBOM else 'licenses'}/{name}": text for name, text in files.items()}
    metadata = f"{folder}/METADATA"
    # maturin's own list holds paths of the machine that builds.
    other = f"{folder}/sboms/"
    kept = {one.filename: (one, text) for one, text in members if not (one.filename in new or one.filename.startswith(other))}
    head, _, body = kept[metadata][1].decode().partition("\n\n")
    lines = [line for line in head.splitlines() if not line.startswith("License-File:")]
    lines += [f"License-File: {name}" for name in files if name != SBOM]
    kept[metadata] = (kept[metadata][0], ("\n".join(lines) + "\n\n" + body).encode())
    for name, text in new.items():
        kept[name] = (zipfile.ZipInfo(name), text)
    info = kept.pop(record)[0]
    rows = []
    for name, (_, text) in kept.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        rows.append(f"{name},sha256={digest},{len(text)}\n")
    kept[record] = (info, ("".join(rows) + f"{record},,\n").encode())
    draft = wheel.with_suffix(".tmp")
    with zipfile.ZipFile(draft, "w") as archive:
        for member, text in kept.values():
            member.external_attr = member.external_attr or 0o644 << 16
            archive.writestr(member, text, zipfile.ZIP_DEFLATED)
    draft.replace(wheel)
    with zipfile.ZipFile(wheel) as archive:
        missing = [name for name in new if name not in archive.namelist()]
    if missing:
        sys.exit(f".ci/notices.py: {wheel} lacks {', '.join(missing)}")


def main() -> None:
    if len(sys.argv) != 4 or sys.argv[1] not in ("folder", "wheel"):
        sys.exit(__doc__)
    _, kind, package, place = sys.argv
    crates = linked(package)
    files = {name: (ROOT / name).read_bytes() for name in LICENCES}
    folder = os.environ.get("MAXOUT_PAGE")
    page = of_page(Path(folder)) if kind == "folder" and folder else None
    told = f"\n{'=' * 78}\n{page[0]} {page[1]}, in the page\n{'-' * 78}\n{page[2]}\n" if page else ""
    files[NOTICES] = (notices(crates) + told).encode()
    files[SBOM] = sbom(package, crates, page).encode()
    if kind == "wheel":
        put_into(Path(place), files)
    else:
        for name, text in files.items():
            (Path(place) / name).write_bytes(text)


main()
