"""The code blocks of documents."""

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
    """A code block with its language (empty for output), its text, and the paragraph before it."""

    language: str
    text: str
    before: str

    @property
    def file(self) -> str | None:
        """The first file that the paragraph before the block names, if any."""
        found = _FILE.search(self.before)
        return found[1] if found else None


def blocks(path: str, language: str | None = None) -> list[Block]:
    """Returns the code blocks of a document in order, or only those in one language."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return [block for block in _blocks(text) if language in (None, block.language)]


def _blocks(text: str) -> Iterator[Block]:
    for found in _BLOCK.finditer(text):
        before = text[: found.start()].rstrip().rpartition("\n\n")[2]
        yield Block(found[1], found[2], before)


def files(path: str, language: str) -> dict[str, str]:
    """Returns the text of the files that a document tells its reader to save, by name."""
    return {block.file: block.text for block in blocks(path, language) if block.file}
