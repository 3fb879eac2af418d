#!/usr/bin/env python3
"""Fails when a document links to a file or heading that does not exist, or names such a path.

    Scripts/check_links.py           every Markdown file that git knows
    Scripts/check_links.py FILE…     only these

It reads no network: links to other hosts are passed over. A path in backticks counts when it begins
with a folder of the repository, as `Shared/Bus/Topic.swift` does; the changelog may name files that
are gone.
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    *("Benchmarks", "Clients", "Fuzz", "Scripts", "Services", "Shared", "Tests", "Tools"),
    *("deploy", "docs", "proto"),
)
HISTORY = frozenset({"CHANGELOG.md"})
"""Documents that tell of files as they once were."""
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
FENCE = re.compile(r"\s*(```+|~~~+)")
CODE = re.compile(r"`([^`]+)`")
NAMED = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./+-]*\w")
HEADING = re.compile(r"#{1,6} +(.+)")
# What a heading loses on its way to an anchor: everything but words, spaces and hyphens.
PUNCTUATION = re.compile(r"[^\w\- ]")
# ARCHITECTURE.md shows how to add a service of this name.
EXAMPLE = re.compile(r"polls", re.IGNORECASE)
GENERATED_AT_BUILD = ("Benchmarks/results", "Tests/Web/results")


def documents() -> list[Path]:
    """Every Markdown file of the tree, as far as git does not ignore it."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in sorted(set(listed.stdout.splitlines()))]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """The lines outside blocks of code, with their numbers from 1."""
    fence = ""
    for number, line in enumerate(text.splitlines(), 1):
        found = FENCE.match(line)
        if found and not fence:
            fence = found[1]
        elif found and found[1].startswith(fence):
            fence = ""
        elif not fence:
            yield number, line


def slug(heading: str) -> str:
    """The anchor of a heading, as GitHub makes it."""
    shown = LINK.sub(lambda link: link[0][1 : link[0].index("]")], heading).replace("`", "")
    return PUNCTUATION.sub("", shown.strip().lower()).replace(" ", "-")


@cache
def anchors(path: Path) -> frozenset[str]:
    """The anchors of a document. A heading that comes again is numbered from 1."""
    found: dict[str, int] = {}
    for _, line in prose(path.read_text(encoding="utf-8")):
        if heading := HEADING.fullmatch(line.rstrip()):
            name = slug(heading[1])
            count = found.get(name, 0)
            found[name] = count + 1
            if count:
                found[f"{name}-{count}"] = 1
    return frozenset(found)


def broken_link(target: str, document: Path) -> str | None:
    """Says what is wrong with a link, if anything is."""
    if re.match(r"[a-z][a-z0-9+.-]*:", target):
        return None
    name, _, anchor = target.partition("#")
    path = (document.parent / unquote(name)).resolve() if name else document
    if not path.exists():
        return f"there is no {name}"
    if anchor and path.suffix == ".md" and anchor not in anchors(path):
        return f"{path.name} has no heading #{anchor}"
    return None


def missing_path(code: str) -> str | None:
    """Says that a path in backticks does not exist, if it is one and does not."""
    if not NAMED.fullmatch(code) or EXAMPLE.search(code) or code.startswith(GENERATED_AT_BUILD):
        return None
    return None if (ROOT / code).exists() else f"there is no {code}"


def problems(document: Path) -> Iterator[str]:
    """What is wrong in a document, with its line."""
    for number, line in prose(document.read_text(encoding="utf-8")):
        without_code = CODE.sub("", re.sub(r"(?<=\[)`[^`]*`(?=\])", "", line))
        found = [broken_link(target, document) for target in LINK.findall(without_code)]
        if document.name not in HISTORY:
            found += [missing_path(code) for code in CODE.findall(line)]
        for problem in filter(None, found):
            yield f"{document.relative_to(ROOT)}:{number}: {problem}"


def main() -> int:
    """Does what the command line says."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="only these documents")
    options = parser.parse_args()
    chosen = [path.resolve() for path in options.files] or documents()
    found = [problem for document in chosen for problem in problems(document)]
    print("\n".join(found) or f"All links of {len(chosen)} documents lead somewhere.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
