#!/usr/bin/env python3
"""Fails when too few public declarations have a doc comment, or when a document is wrong.

    Scripts/check_docs.py              every library of Package.swift, as it was built last, and the
                                       links, spelling and reference pages of documents
    Scripts/check_docs.py --missing    also names each undocumented declaration
    Scripts/check_docs.py --json FILE…    checks only these symbol graphs

The compiler's symbol graphs show what is public and documented. The compiler makes these graphs
from the modules that `swift build` wrote to .build/debug, so build first. A member that implements
a protocol requirement inherits the requirement's comment. Members that the compiler synthesizes
(`==`, `hash(into:)`) and code generated from proto/ do not count: the plugin copies the contract's
own comments.
"""

from __future__ import annotations

import argparse
import concurrent.futures
import json
import shlex
import subprocess
import sys
import tempfile
from collections import defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
BUILT = ROOT / ".build" / "debug"

# The checks of documents. Each check prints the problems that it finds.
DOCUMENT_CHECKS: tuple[tuple[str, ...], ...] = (
    ("Scripts/check_links.py",),
    ("Scripts/check_spelling.py",),
    ("Scripts/reference.py", "--check"),
)

# The required percentage of documented declarations: of all together, and of each module.
GOAL = 95
FLOOR = 95
# Modules that third-party programs use need nearly complete documentation.
FLOORS = {"CarillonClientCore": 99, "CarillonClientMedia": 99, "MeetingModel": 99}


@dataclass
class Module:
    """The public declarations of one module."""

    total: int = 0
    missing: list[str] = field(default_factory=list)

    @property
    def percent(self) -> float:
        """Returns the percentage of documented declarations; 100 for an empty module."""
        return 100 * (self.total - len(self.missing)) / self.total if self.total else 100


def libraries() -> list[str]:
    """Returns the names of the package's built Swift libraries that are not for tests."""
    command = ["swift", "package", "dump-package"]
    package = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True).stdout)
    return sorted(
        target["name"]
        for target in package["targets"]
        if target["type"] == "regular"
        and not target["path"].startswith("Tests/")
        and (BUILT / "Modules" / f"{target['name']}.swiftmodule").exists()
    )


def module_maps() -> list[Path]:
    """Finds the module maps of C modules: of this repository, of dependencies and of the build."""
    ours = (ROOT / name for name in ("Shared", "Services", "Clients", "Tools"))
    folders = [*ours, *(ROOT / ".build" / "checkouts").glob("*/Sources")]
    maps = [path for folder in folders for path in folder.rglob("module.modulemap")]
    maps = [path for path in maps if "ProtocGenCarillon" not in path.parts]
    return [*maps, *BUILT.glob("*.build/module.modulemap")]


def include_flags() -> list[str]:
    """Returns the compiler flags that name the folders of headers outside /usr/include."""
    command = ["pkg-config", "--cflags-only-I", "pocketsphinx"]
    known = subprocess.run(command, check=False, capture_output=True, text=True)
    ours = [f"-I{ROOT / 'Shared' / name / 'include'}" for name in ("CArena", "CCarillonWire")]
    flags = [*shlex.split(known.stdout), *ours]
    return [part for flag in flags for part in ("-Xcc", flag)]


def target_triple() -> str:
    """Returns the compiler's target triple."""
    command = ["swiftc", "-print-target-info"]
    answer = subprocess.run(command, check=True, capture_output=True).stdout
    return str(json.loads(answer)["target"]["unversionedTriple"])


def extract(names: list[str], into: Path) -> list[Path]:
    """Extracts the symbol graph of each module with the compiler."""
    flags = ["-target", target_triple(), "-I", str(BUILT / "Modules"), *include_flags()]
    for path in module_maps():
        flags += ["-Xcc", f"-fmodule-map-file={path}"]
    flags += ["-minimum-access-level", "public", "-skip-synthesized-members"]

    def one(name: str) -> None:
        command = ["swift", "symbolgraph-extract", "-module-name", name]
        done = subprocess.run(
            [*command, *flags, "-output-dir", str(into)],
            check=False,
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            sys.exit(f"check_docs.py: {name} cannot be read; build it first.\n{done.stderr}")

    with concurrent.futures.ThreadPoolExecutor() as pool:
        list(pool.map(one, names))
    return sorted(into.glob("*.symbols.json"))


def judge(graphs: list[Path]) -> dict[str, Module]:
    """Counts the declarations of the graphs. Extensions count for the module that declares them."""
    modules: dict[str, Module] = defaultdict(Module)
    for graph in graphs:
        content = json.loads(graph.read_bytes())
        module = modules[content["module"]["name"]]
        for symbol in content["symbols"]:
            place = symbol.get("location")
            if place is None or "/Generated/" in place["uri"]:
                continue
            module.total += 1
            if not is_documented(symbol):
                line = place["position"]["line"] + 1
                path = place["uri"].removeprefix(f"file://{ROOT}/")
                module.missing.append(f"{path}:{line}: {'.'.join(symbol['pathComponents'])}")
    return dict(sorted(modules.items()))


def is_documented(symbol: dict[str, Any]) -> bool:
    """Returns whether a declaration has a comment that is not empty."""
    return any(line["text"].strip() for line in symbol.get("docComment", {}).get("lines", []))


def report(modules: dict[str, Module], *, names_missing: bool) -> bool:
    """Prints a line for each module and returns whether all modules reach their goals."""
    together = Module()
    is_right = True
    for name, module in modules.items():
        floor = FLOORS.get(name, FLOOR)
        is_low = module.percent < floor
        is_right = is_right and not is_low
        remark = f"  below {floor} %" if is_low else ""
        documented = module.total - len(module.missing)
        print(f"{name:22}{documented:5} of {module.total:5}{module.percent:7.1f} %{remark}")
        if is_low or names_missing:
            for place in sorted(module.missing):
                print(f"  {place}")
        together.total += module.total
        together.missing += module.missing
    documented = together.total - len(together.missing)
    print(f"{'together':22}{documented:5} of {together.total:5}{together.percent:7.1f} %")
    if together.percent < GOAL:
        print(f"Together they are below {GOAL} %.")
        is_right = False
    return is_right


def documents_are_right() -> bool:
    """Runs every check of documents, even after one fails. Returns whether all passed."""
    commands = [[str(ROOT / check[0]), *check[1:]] for check in DOCUMENT_CHECKS]
    statuses = [subprocess.run(command, cwd=ROOT, check=False).returncode for command in commands]
    return not any(statuses)


def main() -> int:
    """Runs the checks that the command line selects."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--missing", action="store_true", help="name what has no comment")
    parser.add_argument("--json", nargs="+", type=Path, metavar="FILE", help="judge these graphs")
    options = parser.parse_args()
    if options.json:
        return 0 if report(judge(options.json), names_missing=options.missing) else 1
    with tempfile.TemporaryDirectory() as folder:
        modules = judge(extract(libraries(), Path(folder)))
    verdicts = [report(modules, names_missing=options.missing), documents_are_right()]
    return 0 if all(verdicts) else 1


if __name__ == "__main__":
    sys.exit(main())
