"""The modules of the package form layers, without circular imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "Clients/Python/src"


def modules() -> dict[str, Path]:
    """Returns the paths of all modules by name, except generated ones."""
    found = {}
    for path in sorted(SOURCES.glob("carillon/**/*.py")):
        name = ".".join(path.relative_to(SOURCES).with_suffix("").parts)
        if not name.startswith("carillon.v1."):
            found[name.removesuffix(".__init__")] = path
    return found


def imported(nodes: Iterator[ast.AST], known: dict[str, Path]) -> set[str]:
    """Returns the modules named in import statements."""
    found: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module is not None:
            members = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= {member if member in known else node.module for member in members}
    return found & known.keys()


def packages(name: str) -> set[str]:
    """Returns the packages of a module, except the top one, which is always imported first."""
    parts = name.split(".")
    return {".".join(parts[:length]) for length in range(2, len(parts))}


def test_no_module_imports_itself_through_other_modules() -> None:
    """The test includes the imports in functions and the imports for type checkers."""
    known = modules()
    assert "carillon.session" in known and "carillon.video.values" in known
    named = {
        name: imported(ast.walk(ast.parse(path.read_text())), known) for name, path in known.items()
    }
    TopologicalSorter(named).prepare()


def test_no_module_runs_itself_through_other_modules() -> None:
    """The import of a module first runs the packages that contain it."""
    known = modules()
    run = {}
    for name, path in known.items():
        found = imported(iter(ast.parse(path.read_text()).body), known)
        above = {package for other in found for package in packages(other)}
        run[name] = (found | above) - packages(name) - {name}
    TopologicalSorter(run).prepare()


def test_the_packages_of_media_form_layers() -> None:
    """`rtp` imports neither `audio` nor `video`. These two import no module that uses them."""
    known = modules()
    names: dict[str, set[str]] = {}
    for name, path in known.items():
        if (package := media_package(name)) is not None:
            found = imported(ast.walk(ast.parse(path.read_text())), known)
            names.setdefault(package, set()).update(
                other for other in map(media_package, found) if other not in (None, package)
            )
    assert names.keys() == {"rtp", "audio", "video", "files", "pattern"}
    TopologicalSorter(names).prepare()


def media_package(name: str) -> str | None:
    """Returns the package of `carillon.media` that contains a module, if any."""
    parts = name.split(".")
    return parts[2] if len(parts) == 4 and parts[:2] == ["carillon", "media"] else None
