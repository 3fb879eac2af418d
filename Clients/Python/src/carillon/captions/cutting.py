"""Splitting final transcription results into captions of one speaker that fit on a screen.

`carillon.captions` writes captions as text, JSON lines, WebVTT or SRT.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from carillon.attendees import AttendeeInfo
from carillon.captions.wrapping import one_line, wrap
from carillon.transcripts.values import TranscriptItem, TranscriptResult

_WIDTH = 42
"""The usual number of characters per line of television subtitles."""
_LINES = 2


@dataclass(frozen=True)
class Caption:
    """One caption with the words of one speaker.

    Times are in milliseconds since the Unix epoch.
    """

    start_time_ms: int
    end_time_ms: int
    """The end time, which is never before the start time."""
    speaker: str
    """The name of the speaker; empty for an unknown speaker."""
    lines: tuple[str, ...]
    """One or more lines, without line breaks. No line is empty."""


def speaker_name(speaker: AttendeeInfo) -> str:
    """Returns the first of display name, external user id and attendee id that is not empty."""
    return speaker.name


def no_label(_speaker: str) -> str:
    """Returns an empty label, for captions that name no speaker, or name the speaker elsewhere."""
    return ""


def cut(
    result: TranscriptResult,
    *,
    width: int = _WIDTH,
    lines: int = _LINES,
    name: Callable[[AttendeeInfo], str] = speaker_name,
    label: Callable[[str], str] = no_label,
) -> list[Caption]:
    """Splits the best alternative of a final result into captions, in the order of the text.

    Each caption has the words of one speaker, in at most `lines` lines of `width` characters; 0
    means no limit. The writer of the caption puts the `label` of the speaker's name before the
    first line, so the first line leaves room for the label. The times of a caption are those of its
    words. Without timed items, the function estimates the times from the words' positions in the
    text. A partial result yields no captions.
    """
    text = one_line(result.text)
    if result.is_partial or not text:
        return []
    placed = list(_place(result.alternatives[0].items, text))
    captions = []
    for begin, end, speaker in _runs(placed, text, _only_speaker(result)):
        who = one_line(name(speaker))
        rooms = _rooms(width, lines, len(label(who)), len(text))
        for shown in _screens(list(wrap(text, begin, end, rooms)), lines):
            start_ms, end_ms = _times(result, placed, shown[0][0], shown[-1][1], len(text))
            said = tuple(text[first:last] for first, last in shown)
            captions.append(Caption(start_ms, end_ms, who, said))
    return captions


def _rooms(width: int, lines: int, label: int, length: int) -> Iterator[int]:
    """Yields the maximum length of each line. The first line of each caption has a label."""
    if not width:
        return itertools.repeat(length)
    first = max(1, width - label)
    if not lines:
        return itertools.chain([first], itertools.repeat(width))
    return itertools.cycle([first] + [width] * (lines - 1))


def _screens(places: list[tuple[int, int]], lines: int) -> Iterator[list[tuple[int, int]]]:
    """Yields the lines of each caption."""
    count = lines or len(places) or 1
    return (places[first : first + count] for first in range(0, len(places), count))


def _only_speaker(result: TranscriptResult) -> AttendeeInfo:
    """Returns the speaker if there is only one, otherwise an empty `AttendeeInfo`."""
    speakers = result.speakers
    return speakers[0] if len(speakers) == 1 else AttendeeInfo()


def _place(items: tuple[TranscriptItem, ...], text: str) -> Iterator[tuple[int, TranscriptItem]]:
    """Yields the items that occur in the text, each with its position in the text."""
    at = 0
    for item in items:
        content = one_line(item.content)
        place = text.find(content, at) if content else -1
        if place >= 0:
            yield place, item
            at = place + len(content)


def _runs(
    placed: list[tuple[int, TranscriptItem]], text: str, otherwise: AttendeeInfo
) -> Iterator[tuple[int, int, AttendeeInfo]]:
    """Yields the parts of the text and their speakers: `otherwise` if no word has a speaker."""
    # An item without a speaker, such as a punctuation mark, belongs to the speaker of the item
    # before it.
    named = [(place, item.attendee) for place, item in placed if item.attendee.name]
    begin, speaker = 0, named[0][1] if named else otherwise
    for place, attendee in named:
        if attendee != speaker:
            yield begin, place, speaker
            begin, speaker = place, attendee
    yield begin, len(text), speaker


def _times(
    result: TranscriptResult,
    placed: list[tuple[int, TranscriptItem]],
    first: int,
    last: int,
    length: int,
) -> tuple[int, int]:
    """Returns the start and end time of the text from `first` up to `last`."""
    items = [item for place, item in placed if first <= place < last]
    if items:
        start_ms = min(item.start_time_ms for item in items)
        end_ms = max(item.end_time_ms for item in items)
    else:
        span = max(0, result.end_time_ms - result.start_time_ms)
        start_ms = result.start_time_ms + span * first // length
        end_ms = result.start_time_ms + span * last // length
    return start_ms, max(start_ms, end_ms)
