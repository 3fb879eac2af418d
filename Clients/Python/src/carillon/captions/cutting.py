"""Final results as captions: pieces of one speaker's words that fit on a screen.

`carillon.captions` writes them as text, JSON lines, WebVTT or SRT.
"""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carillon.attendees import AttendeeInfo
from carillon.transcripts.values import TranscriptItem, TranscriptResult

_WIDTH = 42
"""Characters of a line, as subtitles on television mostly have it."""
_LINES = 2


@dataclass(frozen=True)
class Caption:
    """What one speaker says for a while. Times are in milliseconds since the Unix epoch."""

    start_time_ms: int
    end_time_ms: int
    """The end; it is not before the start."""
    speaker: str
    """A name; empty when nobody knows."""
    lines: tuple[str, ...]
    """One or more, none empty, without line breaks."""


def speaker_name(speaker: AttendeeInfo) -> str:
    """The external user id, or else the attendee id."""
    return speaker.name


def cut(
    result: TranscriptResult,
    *,
    width: int = _WIDTH,
    lines: int = _LINES,
    name: Callable[[AttendeeInfo], str] = speaker_name,
) -> list[Caption]:
    """The captions of a result's best reading, in order of its text; none of a partial one.

    Each has the words of one speaker, and at most `lines` lines of `width` characters; 0 stands for
    no limit of either. Times are those of the words, where the items tell them; else they follow
    from the place in the text.
    """
    text = " ".join(result.text.split())
    if result.is_partial or not text:
        return []
    placed = list(_place(result.alternatives[0].items, text))
    captions = []
    for begin, end, speaker in _runs(placed, text):
        for first, last, shown in _screens(text, begin, end, width, lines):
            start_ms, end_ms = _times(result, placed, first, last, len(text))
            captions.append(Caption(start_ms, end_ms, " ".join(name(speaker).split()), shown))
    return captions


def _place(items: tuple[TranscriptItem, ...], text: str) -> Iterator[tuple[int, TranscriptItem]]:
    """Items with the place where each begins in the text, as far as they are found there."""
    at = 0
    for item in items:
        content = " ".join(item.content.split())
        place = text.find(content, at) if content else -1
        if place >= 0:
            yield place, item
            at = place + len(content)


def _runs(
    placed: list[tuple[int, TranscriptItem]], text: str
) -> Iterator[tuple[int, int, AttendeeInfo]]:
    """The stretches of the text, each of one speaker."""
    # What nobody is named for, a sign for one, goes with what was said before it.
    named = [(place, item.attendee) for place, item in placed if item.attendee.name]
    begin, speaker = 0, named[0][1] if named else AttendeeInfo("")
    for place, attendee in named:
        if attendee != speaker:
            yield begin, place, speaker
            begin, speaker = place, attendee
    yield begin, len(text), speaker


def _screens(
    text: str, begin: int, end: int, width: int, lines: int
) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """What is shown at a time, with where it begins and ends in the text."""
    stretch = text[begin:end].strip()
    wrapped = textwrap.wrap(stretch, width or len(stretch), break_on_hyphens=False)
    count = lines or len(wrapped)
    at = begin
    for first in range(0, len(wrapped), count):
        shown = wrapped[first : first + count]
        start = at = text.index(shown[0], at)
        for line in shown:
            at = text.index(line, at) + len(line)
        yield start, at, tuple(shown)


def _times(
    result: TranscriptResult,
    placed: list[tuple[int, TranscriptItem]],
    first: int,
    last: int,
    length: int,
) -> tuple[int, int]:
    """The times between which the text from `first` up to `last` was said."""
    items = [item for place, item in placed if first <= place < last]
    if items:
        start_ms = min(item.start_time_ms for item in items)
        end_ms = max(item.end_time_ms for item in items)
    else:
        span = result.end_time_ms - result.start_time_ms
        start_ms = result.start_time_ms + span * first // length
        end_ms = result.start_time_ms + span * last // length
    return start_ms, max(start_ms, end_ms)
