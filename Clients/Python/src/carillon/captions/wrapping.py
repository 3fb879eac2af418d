"""Text in lines of a bounded length, by places in it: a function without state."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator

_SPACE = re.compile(r"[\s\x01-\x1f\x7f-\x9f]+")
"""White space of any kind, line breaks too, and control characters."""


def one_line(text: str) -> str:
    """The words with one space between them; NUL, which no file may have, becomes U+FFFD."""
    return _SPACE.sub(" ", text.replace("\0", "\ufffd")).strip(" ")


def wrap(text: str, begin: int, end: int, rooms: Iterable[int]) -> Iterator[tuple[int, int]]:
    """Where each line of `text[begin:end]` begins and ends, without the spaces around it.

    `rooms` has the most characters (code points, 1 or more) of each line; the text is of
    `one_line`. A line ends at a space; a word that is longer than a whole line is cut.
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
    """The last place up to `at` where a word may be cut: no mark leaves its letter."""
    place = at
    while place > begin and unicodedata.category(text[place]).startswith("M"):
        place -= 1
    return place if place > begin else at
