"""Writes the references of the client libraries from their doc comments."""

from __future__ import annotations

import json
import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pdoc

import carillon.media

from . import pages

_SWIFT = "Clients/Swift"
_MODULES = ("CarillonClient", "CarillonClientCore", "CarillonClientMedia")
"""The modules that a program sees after an import of the first module."""
_HEADERS = (
    *("Shared/CArena/include", "Shared/CCarillonWire/include", "Shared/CEpoll", "Shared/COpus"),
    *("Shared/CSocket", "Shared/CSodium", "Shared/CZeroMQ", f"{_SWIFT}/Sources/CVPX"),
)
_README = Path(_SWIFT, "README.md")
_ARTICLE = "From nothing to a meeting"
_PYTHON = ("carillon", "!carillon.v1", "!carillon.signaling")


def write_python(folder: Path) -> None:
    """Writes the reference of the Python client with pdoc, without `protoc`'s generated code."""
    for name in carillon.media.__all__:
        # pdoc reads a module's attributes. Python imports some attributes on first access.
        setattr(carillon.media, name, getattr(carillon.media, name))
    pdoc.render.configure(docformat="google")
    pdoc.pdoc(*_PYTHON, output_directory=folder)


def write_swift(root: Path, folder: Path) -> None:
    """Writes the reference of the Swift client with DocC. Warnings are errors."""
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        catalog, graphs = work / "CarillonClient.docc", work / "graphs"
        catalog.mkdir()
        graphs.mkdir()
        for page in (root / _SWIFT / "CarillonClient.docc").glob("*.md"):
            (catalog / page.name).write_text(page.read_text())
        readme = (root / _README).read_text()
        (catalog / "FromNothingToAMeeting.md").write_text(article(readme))
        for module in _MODULES:
            _extract(root, module, work)
        graph = merged([json.loads(each.read_text()) for each in _graphs(work)])
        (graphs / "CarillonClient.symbols.json").write_text(json.dumps(graph))
        _convert(catalog, graphs, folder)


def article(readme: str) -> str:
    """Returns a section of the README as an article.

    The article is not in the README's folder, so its links begin at the root of the website.
    """
    section = readme.split(f"\n## {_ARTICLE}\n", maxsplit=1)[1].split("\n## ", maxsplit=1)[0]
    text = re.sub(r"\]\(([^)]*)\)", lambda link: f"]({pages.absolute(link[1], _README)})", section)
    abstract = "Start a server, and write a program that joins a meeting."
    return f"# {_ARTICLE}\n\n{abstract}\n\n## Overview\n{text}"


def merged(graphs: list[dict[str, Any]]) -> dict[str, Any]:
    """Returns the symbols of all modules as symbols of the first, which re-exports the rest."""
    symbols = {
        symbol["identifier"]["precise"]: symbol for graph in graphs for symbol in graph["symbols"]
    }
    relationships = [each for graph in graphs for each in graph["relationships"]]
    return graphs[0] | {"symbols": list(symbols.values()), "relationships": relationships}


def _graphs(work: Path) -> list[Path]:
    """Returns the modules' graphs in order.

    The graphs of a module's extensions of other modules follow the module's own graph.
    """
    return [path for module in _MODULES for path in sorted(work.glob(f"{module}[.@]*json"))]


def _extract(root: Path, module: str, work: Path) -> None:
    command = ["swift-symbolgraph-extract", "-module-name", module, "-output-dir", str(work)]
    command += ["-minimum-access-level", "public", "-skip-synthesized-members"]
    command += ["-skip-inherited-docs", "-target", _target(), "-I", ".build/debug/Modules"]
    command += [word for header in _HEADERS for word in ("-I", header)]
    subprocess.run(command, cwd=root, check=True)


def _target() -> str:
    """Returns the target triple of this machine, such as x86_64-unknown-linux-gnu."""
    said = subprocess.run(["swift", "-print-target-info"], check=True, capture_output=True)
    return str(json.loads(said.stdout)["target"]["unversionedTriple"])


def _convert(catalog: Path, graphs: Path, folder: Path) -> None:
    command = ["docc", "convert", str(catalog), "--additional-symbol-graph-dir", str(graphs)]
    command += ["--output-path", str(folder), "--hosting-base-path", "swift"]
    command += ["--transform-for-static-hosting", "--warnings-as-errors"]
    command += ["--fallback-display-name", "CarillonClient"]
    command += ["--fallback-bundle-identifier", "carillon.client"]
    subprocess.run(command, check=True)
