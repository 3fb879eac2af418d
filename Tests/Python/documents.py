"""What stands in a document: its blocks of code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_FILE = re.compile(r"`(?:[\w-]+/)*([\w-]+\.\w+)`")


@dataclass(frozen=True)
class Block:
    """A block of code: its language, empty for output; its text; the paragraph before it."""

    language: str
    text: str
    before: str

    @property
    def file(self) -> str | None:
        """The file that the paragraph before names first, if any."""
        found = _FILE.search(self.before)
        return found[1] if found else None


def blocks(path: str, language: str | None = None) -> list[Block]:
    """The blocks of a document of the repository, in order; of one language, if it is given."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return [block for block in _blocks(text) if language in (None, block.language)]


def _blocks(text: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text):
        before = text[: found.start()].rstrip().rpartition("\n\n")[2]
        yield Block(found[1], found[2], before)


def files(path: str, language: str) -> dict[str, str]:
    """The files that a document has its reader save, by name, and their text."""
    return {block.file: block.text for block in blocks(path, language) if block.file}
