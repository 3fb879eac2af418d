"""The required versions of packages are the versions with which the client's tests run."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import google.protobuf
import pytest
from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]


def protobuf() -> Requirement:
    project = tomllib.loads((ROOT / "Clients/Python/pyproject.toml").read_text())["project"]
    requirements = {each.name: each for each in map(Requirement, project["dependencies"])}
    return requirements["protobuf"]


def tried() -> list[str]:
    script = (ROOT / "Scripts/protobuf-versions.sh").read_text()
    match = re.search(r"versions=\((\d[\d. ]*)\)", script)
    assert match is not None
    return match[1].split()


def test_every_tested_release_of_protobuf_is_permitted() -> None:
    assert all(protobuf().specifier.contains(version) for version in tried())
    assert protobuf().specifier.contains(google.protobuf.__version__)


def test_no_release_of_protobuf_above_the_tested_releases_is_permitted() -> None:
    first, *_, last = (Version(version) for version in tried())
    assert f">={first}" in str(protobuf().specifier)
    assert f"<{last.major + 1}" in str(protobuf().specifier)
    assert {Version(version).major for version in tried()} == set(range(4, last.major + 1))


@pytest.mark.parametrize("version", ["3.20.3", "4.21.11"])
def test_a_release_that_cannot_read_the_generated_messages_is_excluded(version: str) -> None:
    assert not protobuf().specifier.contains(version)
