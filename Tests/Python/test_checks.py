"""The scripts of `make check`, run on samples that break their rules."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]
SCRIPTS = ROOT / "Scripts"


def run(script: str, *arguments: str | Path) -> tuple[int, str]:
    """Runs a script, and returns its exit code and its output."""
    command = [sys.executable, str(SCRIPTS / script), *map(str, arguments)]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def symbol(name: str, *comment: str, file: str = "Sample.swift") -> dict[str, Any]:
    """Returns a public declaration in the form of a symbol graph."""
    uri = f"file:///sample/{file}"
    return {
        "pathComponents": name.split("."),
        "location": {"uri": uri, "position": {"line": 6, "character": 2}},
        "docComment": {"lines": [{"text": line} for line in comment]},
    }


def graph(folder: Path, *symbols: dict[str, Any]) -> Path:
    """Writes the symbol graph of a module named Sample, and returns its path."""
    path = folder / "Sample.symbols.json"
    path.write_text(json.dumps({"module": {"name": "Sample"}, "symbols": symbols}))
    return path


class TestDocs:
    def test_a_documented_module_passes(self, tmp_path: Path) -> None:
        status, said = run("check_docs.py", "--json", graph(tmp_path, symbol("Seat", "A place.")))
        assert status == 0
        assert "1 of     1" in said

    def test_a_declaration_without_a_comment_is_reported_with_its_line(
        self, tmp_path: Path
    ) -> None:
        symbols = [symbol("Seat", "A place."), symbol("Seat.number")]
        status, said = run("check_docs.py", "--json", graph(tmp_path, *symbols))
        assert status == 1
        assert "50.0 %  below 95 %" in said
        assert "Sample.swift:7: Seat.number" in said

    def test_an_empty_comment_does_not_count_as_a_comment(self, tmp_path: Path) -> None:
        status, _ = run("check_docs.py", "--json", graph(tmp_path, symbol("Seat", " ")))
        assert status == 1

    def test_generated_and_synthesized_declarations_are_ignored(self, tmp_path: Path) -> None:
        generated = symbol("Seat.packed", file="Generated/seat.wire.swift")
        synthesized = symbol("Seat.==")
        del synthesized["location"]
        file = graph(tmp_path, symbol("Seat", "A place."), generated, synthesized)
        status, said = run("check_docs.py", "--json", file)
        assert status == 0
        assert "1 of     1" in said


class Package:
    """A package to which a test adds targets."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.targets: list[dict[str, Any]] = []

    def add(
        self, path: str, source: str, *, needs: tuple[str, ...] = (), kind: str = "regular"
    ) -> None:
        """Adds a target that has one source file and the name of its folder."""
        name = Path(path).name
        folder = self.root / path
        folder.mkdir(parents=True)
        (folder / f"{name}.swift").write_text(source)
        dependencies = [{"byName": [need, None]} for need in needs]
        self.targets.append(
            {"name": name, "type": kind, "path": path, "dependencies": dependencies, "exclude": []}
        )

    def check(self) -> tuple[int, str]:
        """Runs the checker on the package."""
        dump = self.root / "dump.json"
        dump.write_text(json.dumps({"targets": self.targets}))
        return run("check_imports.py", "--package", dump, "--root", self.root)


@pytest.fixture
def package(tmp_path: Path) -> Package:
    return Package(tmp_path)


class TestImports:
    def test_a_package_that_follows_the_rules_passes(self, package: Package) -> None:
        package.add("Shared/Bus", "public import Foundation\n")
        package.add("Services/Presence", "internal import Bus\n", needs=("Bus",))
        program = "Services/PresenceMain"
        package.add(program, "import Presence\n", needs=("Presence",), kind="executable")
        assert package.check() == (0, "Imports keep to Package.swift and to its layers.\n")

    def test_an_undeclared_import_is_reported(self, package: Package) -> None:
        package.add("Shared/Bus", "")
        package.add("Services/Presence", "\n@preconcurrency import Bus\n")
        place = "Services/Presence/Presence.swift:2"
        assert package.check() == (1, f"{place}: Bus is imported and not declared by Presence\n")

    def test_an_unused_dependency_is_reported(self, package: Package) -> None:
        package.add("Shared/Bus", "")
        package.add("Services/Presence", "", needs=("Bus",))
        assert package.check() == (1, "Package.swift: Presence declares Bus and never imports it\n")

    def test_a_service_must_not_import_another_service(self, package: Package) -> None:
        package.add("Services/Media", "")
        package.add("Services/Presence", "import Media\n", needs=("Media",))
        status, said = package.check()
        assert status == 1
        assert "Presence in Services/Presence must not depend on Media" in said

    def test_a_shared_module_must_not_depend_on_a_client(self, package: Package) -> None:
        package.add("Clients/Kit", "")
        package.add("Shared/Bus", "import Kit\n", needs=("Kit",))
        assert "must not depend on Kit" in package.check()[1]

    def test_a_low_module_must_not_depend_on_a_higher_module(self, package: Package) -> None:
        package.add("Shared/Ownership", "")
        package.add("Shared/Bus", "import Ownership\n", needs=("Ownership",))
        assert "Bus is too low to depend on Ownership" in package.check()[1]

    def test_the_model_must_not_import_foundation(self, package: Package) -> None:
        package.add("Shared/MeetingModel", "import Foundation\n")
        assert "MeetingModel is pure and must not import Foundation" in package.check()[1]

    def test_a_c_module_has_one_wrapper_and_is_not_exported(self, package: Package) -> None:
        package.add("Shared/CThing", "", kind="system")
        package.add("Shared/Thing", "public import CThing\n", needs=("CThing",))
        package.add("Shared/Other", "internal import CThing\n", needs=("CThing",))
        package.add("Tests/ThingTests", "import CThing\n", needs=("CThing",), kind="test")
        status, said = package.check()
        assert status == 1
        assert "Shared/Thing/Thing.swift:1: Thing shows CThing" in said
        assert "CThing has one wrapper, and is imported by Other, Thing" in said


class TestCommits:
    @pytest.fixture
    def repository(self, tmp_path: Path) -> Path:
        """A repository with the script and one commit, tagged `base`."""
        (tmp_path / "Scripts").mkdir()
        script = (SCRIPTS / "check_commits.sh").read_bytes()
        (tmp_path / "Scripts/check_commits.sh").write_bytes(script)
        git(tmp_path, "init", "--quiet")
        commit(tmp_path, "Begin")
        git(tmp_path, "tag", "base")
        return tmp_path

    @pytest.mark.parametrize(
        ("message", "complaint"),
        [
            ("Count seats\n\nA full room refused nobody.", ""),
            ("Count seats", "has no body"),
            ("Count seats\n\nSigned-off-by: Ada <ada@example.org>", "has no body"),
            ("Count seats.\n\nA full room refused nobody.", "ends in a full stop"),
            ("Count " + "s" * 67 + "\n\nA full room refused nobody.", "a subject of 73"),
        ],
    )
    def test_the_message_of_a_commit_is_checked(
        self, repository: Path, message: str, complaint: str
    ) -> None:
        commit(repository, message)
        status, said = check_commits(repository, "base")
        assert (status, complaint in said) == (1 if complaint else 0, True)

    def test_commits_up_to_the_base_are_not_checked(self, repository: Path) -> None:
        assert check_commits(repository, "base") == (0, "0 commits have a subject and a body.\n")

    def test_a_clone_that_lacks_the_base_commit_passes(self, repository: Path) -> None:
        status, said = check_commits(repository, "f" * 40)
        assert status == 0
        assert "nothing to do" in said


def git(folder: Path, *arguments: str) -> None:
    """Runs git in a folder, independent of the user's settings."""
    settings = ["user.name=Ada", "user.email=ada@example.org", "commit.gpgsign=false"]
    flags = [part for setting in settings for part in ("-c", setting)]
    subprocess.run(["git", *flags, *arguments], cwd=folder, check=True, capture_output=True)


def commit(folder: Path, message: str) -> None:
    """Makes an empty commit with a message."""
    git(folder, "commit", "--quiet", "--allow-empty", "--message", message)


def check_commits(folder: Path, base: str) -> tuple[int, str]:
    """Checks the commits of a repository since a base."""
    script = str(folder / "Scripts/check_commits.sh")
    done = subprocess.run(["bash", script, base], check=False, capture_output=True, text=True)
    return done.returncode, done.stdout


def test_each_source_named_by_a_fuzz_target_exists() -> None:
    script = (ROOT / "Scripts/fuzz.sh").read_text()
    sources = re.compile(r"((?:Services|Shared|Fuzz)/[\w/+-]*?)(?:\{([\w,+]+)\}|(\w+))\.swift")
    paths = []
    for place, several, single in sources.findall(script):
        paths += [f"{place}{name}.swift" for name in (several or single).split(",")]
    assert len(paths) > 20
    assert [path for path in paths if not (ROOT / path).is_file()] == []
