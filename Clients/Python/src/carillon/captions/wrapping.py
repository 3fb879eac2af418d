"""Wrapping text into lines of limited length."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_SPACE = re.compile(r"[\s\x01-\x1f\x7f-\x9f]+")
"""White space of any kind including line breaks, and control characters."""


def one_line(text: str) -> str:
    """Returns the words, separated by single spaces. NUL, invalid in a file, becomes U+FFFD."""
    return _SPACE.sub(" ", text.replace("\0", "\ufffd")).strip(" ")


def wrap(text: str, begin: int, end: int, rooms: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each line of `text[begin:end]`, without surrounding spaces.

    `rooms` yields the maximum length of each line, in code points, at least 1. `text` must come
    from `one_line`. Lines break at spaces; a word that is longer than a line is cut.
    """
    at = begin
    for room in rooms:
        while at < end and text[at] == " ":
            at += 1
        if at == end:
            return
        last = _line_end(text, at, end, room)
        yield at, last
        at = last


def _line_end(text: str, begin: int, end: int, room: int) -> int:
    if len(text[begin:end].rstrip(" ")) <= room:
        return begin + len(text[begin:end].rstrip(" "))
    space = text.rfind(" ", begin, begin + room + 1)
    return space if space > begin else _cut(text, begin, begin + room)


def _cut(text: str, begin: int, at: int) -> int:
    """Returns the last position, not after `at`, at which this module may cut a word.

    The cut never separates a combining mark from its letter.
    """
    place = at
    while place > begin and unicodedata.category(text[place]).startswith("M"):
        place -= 1
    return place if place > begin else at
