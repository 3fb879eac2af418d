#!/usr/bin/env python3
"""Fails when a document names or links to a path or heading that does not exist.

    Scripts/check_links.py           every Markdown file that git knows
    Scripts/check_links.py FILE…     only these

The script does not use the network: it skips links to other hosts. The script checks a path in
backticks if it begins with a folder of the repository, like `Shared/Bus/EventTopic.swift`. The
changelog may name deleted files.
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
"""Documents that may name deleted files."""
LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")
FENCE = re.compile(r"\s*(```+|~~~+)")
CODE = re.compile(r"`([^`]+)`")
NAMED = re.compile(rf"(?:{'|'.join(FOLDERS)})/[\w./+-]*\w")
HEADING = re.compile(r"#{1,6} +(.+)")
# Characters that an anchor drops from its heading: all but word characters, spaces and hyphens.
PUNCTUATION = re.compile(r"[^\w\- ]")
# ARCHITECTURE.md shows how to add a service of this name.
EXAMPLE = re.compile(r"polls", re.IGNORECASE)
GENERATED_AT_BUILD = ("Benchmarks/results", "Tests/Web/results")


def documents() -> list[Path]:
    """Returns every Markdown file of the tree that git does not ignore."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "*.md"]
    listed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return [ROOT / name for name in sorted(set(listed.stdout.splitlines()))]


def prose(text: str) -> Iterator[tuple[int, str]]:
    """Yields the lines outside code blocks, with their numbers from 1."""
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
    """Returns the anchor that GitHub gives a heading."""
    shown = LINK.sub(lambda link: link[0][1 : link[0].index("]")], heading).replace("`", "")
    return PUNCTUATION.sub("", shown.strip().lower()).replace(" ", "-")


@cache
def anchors(path: Path) -> frozenset[str]:
    """Returns the anchors of a document. Repeated headings are numbered from 1."""
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
    """Returns what is wrong with a link, or `None`."""
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
    """Returns a message if the text in backticks is a path that does not exist."""
    if not NAMED.fullmatch(code) or EXAMPLE.search(code) or code.startswith(GENERATED_AT_BUILD):
        return None
    return None if (ROOT / code).exists() else f"there is no {code}"


def problems(document: Path) -> Iterator[str]:
    """Yields the problems of a document, with their lines."""
    for number, line in prose(document.read_text(encoding="utf-8")):
        without_code = CODE.sub("", re.sub(r"(?<=\[)`[^`]*`(?=\])", "", line))
        found = [broken_link(target, document) for target in LINK.findall(without_code)]
        if document.name not in HISTORY:
            found += [missing_path(code) for code in CODE.findall(line)]
        for problem in filter(None, found):
            yield f"{document.relative_to(ROOT)}:{number}: {problem}"


def main() -> int:
    """Checks the documents that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("files", nargs="*", type=Path, help="only these documents")
    options = parser.parse_args()
    chosen = [path.resolve() for path in options.files] or documents()
    found = [problem for document in chosen for problem in problems(document)]
    print("\n".join(found) or f"All links of {len(chosen)} documents lead somewhere.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
