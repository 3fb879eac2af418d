"""The commands and options in the shell sessions of documents exist."""

from __future__ import annotations

import json
import shlex
import subprocess
from collections.abc import Iterator
from functools import cache
from typing import Any

import check_links
import pytest

import documents
from installation import BINARIES

PROGRAMS = (
    *("carillon", "gateway", "media", "messaging", "presence", "transcription", "video-tiles"),
    "carillon-pocketsphinx",
)
EVERYWHERE = frozenset({"--help", "--version"})


@cache
def tree(program: str) -> dict[str, Any]:
    """Returns the description of a program's command line."""
    command = [str(BINARIES / program), "--experimental-dump-help"]
    done = subprocess.run(command, check=True, capture_output=True)
    found: dict[str, Any] = json.loads(done.stdout)["command"]
    return found


def commands(text: str) -> Iterator[list[str]]:
    """Yields the words of each command line that runs one of our programs in a shell session."""
    begun = ""
    for line in text.replace("\\\n", " ").splitlines():
        begun += line
        try:
            words = shlex.split(begun, comments=True)
        except ValueError:  # A quoted string continues in the next line.
            begun += "\n"
            continue
        begun = ""
        if "exec" in words[:2]:  # docker-compose exec SERVICE COMMAND…
            words = words[3:]
        if words and words[0] in PROGRAMS:
            yield words


def options(command: dict[str, Any]) -> set[str]:
    """Returns all options of a command."""
    names = [name for each in command.get("arguments", []) for name in each.get("names", [])]
    return {f"--{name['name']}" for name in names if name["kind"] == "long"} | EVERYWHERE


def problem(words: list[str]) -> str | None:
    """Returns the unknown subcommand or options of a command line, if any."""
    command = tree(words[0])
    for word in words[1:]:
        below = {each["commandName"]: each for each in command.get("subcommands", [])}
        if below.keys() <= {"help"}:
            break
        if word not in below:
            return f"{word}, which is no subcommand"
        command = below[word]
    given = {word.partition("=")[0] for word in words if word.startswith("--")}
    unknown = sorted(given - options(command))
    return ", ".join(unknown) or None


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("carillon meeting create --primary ID", None),
        ("carillon meeting found", "found, which is no subcommand"),
        ("carillon keys create --roll all", "--roll"),
        ("presence --instance presence-b", None),
        ("presence --max-attendes 3", "--max-attendes"),
        ("docker-compose exec gateway carillon keys make NAME", "make, which is no subcommand"),
        ("echo carillon --nothing", None),
        ("sh -c 'echo a\necho b'\ncarillon meeting found", "found, which is no subcommand"),
    ],
)
def test_a_command_line_is_checked_against_its_program(line: str, found: str | None) -> None:
    expected = [] if line.startswith("echo") else [found]
    assert [problem(words) for words in commands(line)] == expected


def test_every_command_in_a_document_exists() -> None:
    pages = [str(page.relative_to(check_links.ROOT)) for page in check_links.documents()]
    lines = [
        (page, words)
        for page in pages
        for block in documents.blocks(page, "sh")
        for words in commands(block.text)
    ]
    assert len(lines) > 50
    found = [(page, shlex.join(words), problem(words)) for page, words in lines]
    assert [each for each in found if each[2]] == []
