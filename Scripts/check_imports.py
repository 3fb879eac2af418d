#!/usr/bin/env python3
"""Checks imports of Swift sources against Package.swift, and both against the layers.

    Scripts/check_imports.py                         this package
    Scripts/check_imports.py --package FILE --root FOLDER    the package of a dump, and its sources

The rules:

- A target declares every module of the package and of dependencies that it imports, and no other
  modules.
- Folders are layers. Shared depends only on Shared, Clients on Shared, Tools on Shared and Clients.
  A service depends on Shared and on no other service. The program of a service depends on the
  service. Targets in deploy combine programs and may depend on all of these. No target depends on
  deploy. Tests may import anything that they declare.
- MeetingModel imports only the standard library: no I/O, no Foundation. One file may import
  Glibc, for its clock.
- A C module has one importer, its Swift wrapper. The wrapper does not export its C module.
  OpenSSL has two importers: SRTP for libcrypto's ciphers, WebRTC for libssl. CSocket has two
  importers: Bus for the connections of clients, Media for the UDP port of browsers.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent

# Modules that come with the compiler and need no declaration.
TOOLCHAIN = {
    "Dispatch",
    "Foundation",
    "FoundationNetworking",
    "Glibc",
    "Musl",
    "Observation",
    "RegexBuilder",
    "Swift",
    "Synchronization",
    "Testing",
    "_Concurrency",
    "_StringProcessing",
}

# For each folder, the other folders from which the folder's targets may import modules. Another
# rule applies to services.
LAYERS = {
    "Shared": set[str](),
    "Clients": {"Shared"},
    "Tools": {"Shared", "Clients"},
    "deploy": {"Shared", "Services", "Clients", "Tools"},
    "Tests": {"Shared", "Services", "Clients", "Tools"},
}

# The lowest modules of this package. Each may import only the listed modules of this package.
LOWEST = {
    "MeetingModel": set[str](),
    "ZeroMQ": {"CZeroMQ"},
    "ZMTP": {"CSodium"},
    "Wire": {"CArena", "CCarillonWire", "MeetingModel"},
    "Bus": {"CEpoll", "CSocket", "MeetingModel", "Secrets", "Wire", "ZMTP", "ZeroMQ"},
    "Secrets": set[str](),
    "Signing": {"MeetingModel"},
    "PostgreSQL": {"CPostgreSQL"},
    "Storage": {"MeetingModel", "PostgreSQL", "Secrets", "Signing"},
    "Cluster": {"Bus", "PostgreSQL"},
    "RTP": {"MeetingModel"},
}

WRAPPERS = {"COpenSSL": {"SRTP", "WebRTC"}, "CSocket": {"Bus", "Media"}}
"""The importers of each C module that has more than one importer."""

# Modules that may import only these modules of the toolchain.
PURE = {"MeetingModel": {"Swift", "Synchronization"}}

# The only file of a pure module that may import more, because it reads the system's clock.
IMPURE_FILES = {"Shared/MeetingModel/WallClock.swift": {"Glibc"}}

IMPORT = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*"
    r"(?:(?P<access>public|package|internal|fileprivate|private)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(?P<module>\w+)",
    re.MULTILINE,
)


@dataclass(frozen=True)
class Target:
    """A target of the package, as `swift package dump-package` describes it."""

    name: str
    kind: str
    path: str
    own: frozenset[str]
    products: frozenset[str]
    excluded: tuple[str, ...]

    @property
    def module(self) -> str:
        """The module name in sources."""
        return self.name.replace("-", "_")

    @property
    def folder(self) -> str:
        """The folder that is the target's layer."""
        return self.path.split("/", 1)[0]

    @property
    def is_c(self) -> bool:
        """Whether the target is a C module: a system library, or a module with C sources."""
        return self.kind == "system" or self.name in {"CArena", "CCarillonWire"}


@dataclass(frozen=True)
class Import:
    """One import in a source file."""

    place: str
    access: str
    module: str


def targets(package: dict[str, Any]) -> list[Target]:
    """Reads the targets of a package's dump."""
    result = []
    for target in package["targets"]:
        own, products = set(), set()
        for dependency in target["dependencies"]:
            if "product" in dependency:
                products.add(dependency["product"][0])
            else:
                own.add(next(iter(dependency.values()))[0])
        result.append(
            Target(
                name=target["name"],
                kind=target["type"],
                path=target["path"],
                own=frozenset(own),
                products=frozenset(products),
                excluded=tuple(target["exclude"]),
            )
        )
    return result


def imports(target: Target, root: Path) -> list[Import]:
    """Reads every import of a target's sources."""
    folder = root / target.path
    excluded = [folder / name for name in target.excluded]
    result = []
    for path in sorted(folder.rglob("*.swift")):
        if any(path.is_relative_to(other) for other in excluded):
            continue
        text = path.read_text()
        for match in IMPORT.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            place = f"{path.relative_to(root)}:{line}"
            result.append(Import(place, match["access"] or "", match["module"]))
    return result


def check_declared(
    target: Target, found: list[Import], modules: dict[str, Target]
) -> Iterator[str]:
    """Finds differences between a target's imports and its declared dependencies."""
    declared = {modules[name].module if name in modules else name for name in target.own}
    known = declared | target.products | TOOLCHAIN | {target.module}
    for item in found:
        if item.module not in known:
            yield f"{item.place}: {item.module} is imported and not declared by {target.name}"
    used = {item.module for item in found}
    for name in sorted((declared | target.products) - used):
        # A target may declare a program that it starts, because Swift cannot import programs.
        if name not in modules or modules[name].kind != "executable":
            yield f"Package.swift: {target.name} declares {name} and never imports it"


def may_depend(target: Target, other: Target) -> bool:
    """Returns whether the layers allow a target to depend on another."""
    if other.is_c or (target.folder == other.folder and target.folder != "Services"):
        return True
    if target.folder == "Services":
        is_own = target.kind == "executable" and target.path == f"{other.path}Main"
        return other.folder == "Shared" or is_own
    return other.folder in LAYERS.get(target.folder, set())


def check_layers(target: Target, modules: dict[str, Target]) -> Iterator[str]:
    """Finds dependencies of a target that break the layers."""
    for name in sorted(target.own & modules.keys()):
        other = modules[name]
        if not may_depend(target, other):
            yield f"Package.swift: {target.name} in {target.path} must not depend on {name}"
        elif name not in LOWEST.get(target.name, {name}):
            yield f"Package.swift: {target.name} is too low to depend on {name}"


def check_pure(target: Target, found: list[Import]) -> Iterator[str]:
    """Finds imports that a pure module must not have."""
    allowed = PURE.get(target.name)
    for item in found:
        if item.module in IMPURE_FILES.get(item.place.split(":")[0], set()):
            continue
        if allowed is not None and item.module not in allowed:
            yield f"{item.place}: {target.name} is pure and must not import {item.module}"


def check_wrappers(found: dict[str, list[Import]], all_targets: list[Target]) -> Iterator[str]:
    """Finds C modules that are imported outside their wrapper or exported by this wrapper."""
    by_name = {target.name: target for target in all_targets}
    importers: dict[str, set[str]] = defaultdict(set)
    for name, items in found.items():
        if by_name[name].folder == "Tests":
            continue
        for item in items:
            if item.module in by_name and by_name[item.module].is_c:
                importers[item.module].add(name)
                if item.access in {"public", "package"}:
                    yield f"{item.place}: {name} shows {item.module}; import it internally"
    for module, names in sorted(importers.items()):
        if len(names) > 1 and names != WRAPPERS.get(module):
            yield f"{module} has one wrapper, and is imported by {', '.join(sorted(names))}"


def check(package: dict[str, Any], root: Path) -> list[str]:
    """Returns a message for each broken rule."""
    every = targets(package)
    modules = {target.name: target for target in every}
    swift = [target for target in every if not target.is_c]
    found = {target.name: imports(target, root) for target in swift}
    problems: list[str] = []
    for target in swift:
        if not found[target.name] and not list((root / target.path).rglob("*.swift")):
            continue  # The target is in C.
        problems += check_declared(target, found[target.name], modules)
        problems += check_layers(target, modules)
        problems += check_pure(target, found[target.name])
    problems += check_wrappers(found, every)
    return problems


def main() -> int:
    """Checks the package that the command line names."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--package", type=Path, help="what `swift package dump-package` printed")
    parser.add_argument("--root", type=Path, default=ROOT, help="where the sources are")
    options = parser.parse_args()
    if options.package:
        dump = options.package.read_bytes()
    else:
        command = ["swift", "package", "dump-package"]
        dump = subprocess.run(command, cwd=options.root, check=True, capture_output=True).stdout
    problems = check(json.loads(dump), options.root)
    for problem in problems:
        print(problem)
    if not problems:
        print("Imports keep to Package.swift and to its layers.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
