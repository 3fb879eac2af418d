"""Writing final transcription results as plain text, JSON lines, WebVTT or SRT."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable
from dataclasses import asdict
from enum import Enum
from typing import Any

from carillon.attendees import AttendeeInfo
from carillon.captions.cutting import Caption, cut, no_label, speaker_name
from carillon.transcripts.values import TranscriptResult


class CaptionFormat(Enum):
    """The format of a caption file."""

    TEXT = "text"
    """Plain text, a line for each speaker of a result: `[00:01:02] ada: What she said.`"""
    JSON = "json"
    """JSON lines, one for each result, with the members of `result_json`."""
    VTT = "vtt"
    """WebVTT. Speakers are voices: `<v ada>What she said.`"""
    SRT = "srt"
    """SubRip, which has neither voices nor escapes: `ada: What she said.`"""


class CaptionWriter:
    """Converts results to the text of a file, one after the other as the results arrive.

    Write `header`, and then the return value of `feed` for each result. Times count from
    `origin_ms`, in milliseconds since the Unix epoch. If `origin_ms` is `None`, times count from
    the start of the first caption. A caption that starts earlier gets the time 0.

    Live results arrive in the order of their end times, but a cue must not start before the cue
    above it. If a cue would start earlier, the writer moves its start, so a player shows this cue a
    little late. To write complete results in the order of their start times, use `write_captions`.
    """

    def __init__(
        self,
        format: CaptionFormat | str = CaptionFormat.VTT,
        *,
        origin_ms: int | None = None,
        width: int = 42,
        lines: int = 2,
        name: Callable[[AttendeeInfo], str] = speaker_name,
    ) -> None:
        """Creates a writer.

        `width` and `lines` limit the characters per line and the lines of a cue; 0 means no limit.
        `name` returns the name of a speaker.
        """
        self._format = CaptionFormat(format)
        self._origin_ms = origin_ms
        is_cued = self._format in (CaptionFormat.VTT, CaptionFormat.SRT)
        self._width, self._lines = (width, lines) if is_cued else (0, 0)
        self._name = name
        self._number = 0
        self._last_start = 0

    @property
    def header(self) -> str:
        """The start of the file; empty if the format has none."""
        return "WEBVTT\n\n" if self._format is CaptionFormat.VTT else ""

    def feed(self, result: TranscriptResult) -> str:
        """Returns the text for a result; empty if the result is partial or has no text."""
        if self._format is CaptionFormat.JSON:
            has_text = not result.is_partial and result.text.strip()
            return _line(result_json(result)) if has_text else ""
        captions = cut(
            result, width=self._width, lines=self._lines, name=self._name, label=self._label
        )
        return "".join(self._write(caption) for caption in captions)

    def _write(self, caption: Caption) -> str:
        if self._origin_ms is None:
            self._origin_ms = caption.start_time_ms
        start = max(caption.start_time_ms - self._origin_ms, 0)
        if self._format is CaptionFormat.TEXT:
            who = f"{caption.speaker}: " if caption.speaker else ""
            return f"[{_clock(start)}] {who}{' '.join(caption.lines)}\n"
        # A cue must last at least 1 ms.
        start = self._last_start = max(start, self._last_start)
        end = max(caption.end_time_ms - self._origin_ms, start + 1)
        self._number += 1
        if self._format is CaptionFormat.VTT:
            return _vtt(caption, start, end)
        return _srt(caption, self._label(caption.speaker), start, end, self._number)

    def _label(self, speaker: str) -> str:
        """Returns the label before the first line of a caption: the name in SRT, else nothing."""
        if self._format is not CaptionFormat.SRT:
            return no_label(speaker)
        return _srt_label(speaker, self._width // 2 - 1 if self._width else 0)


def write_captions(
    results: Iterable[TranscriptResult],
    format: CaptionFormat | str = CaptionFormat.VTT,
    **options: Any,
) -> str:
    """Returns the caption file of complete results, in the order of their start times.

    `options` are those of `CaptionWriter`.
    """
    writer = CaptionWriter(format, **options)
    ordered = sorted(results, key=lambda result: result.start_time_ms)
    return writer.header + "".join(writer.feed(result) for result in ordered)


def result_json(result: TranscriptResult) -> dict[str, Any]:
    """Returns a result as JSON: its `text`, and the members of `TranscriptResult` unchanged."""
    return {"text": result.text} | asdict(result, dict_factory=_members)


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    return {name: value.name if isinstance(value, Enum) else value for name, value in pairs}


def _line(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _vtt(caption: Caption, start: int, end: int) -> str:
    voice = f"<v {_escape(caption.speaker)}>" if caption.speaker else ""
    text = "\n".join(_escape(line) for line in caption.lines)
    return f"{_clock(start)}.{start % 1000:03} --> {_clock(end)}.{end % 1000:03}\n{voice}{text}\n\n"


def _srt(caption: Caption, label: str, start: int, end: int, number: int) -> str:
    text = "\n".join(_plain(line) for line in caption.lines)
    times = f"{_clock(start)},{start % 1000:03} --> {_clock(end)},{end % 1000:03}"
    return f"{number}\n{times}\n{label}{text}\n\n"


def _srt_label(speaker: str, longest: int) -> str:
    """Returns the label `ada: `, with a name of at most `longest` characters; 0 for no limit."""
    name = _plain(speaker)
    if 0 < longest < len(name):
        name = name[: longest - 1].rstrip(" ") + "\u2026"
    return f"{name}: " if name else ""


def _clock(ms: int) -> str:
    """Returns hours, minutes and seconds, each with at least two digits."""
    seconds = ms // 1000
    return f"{seconds // 3600:02}:{seconds // 60 % 60:02}:{seconds % 60:02}"


def _escape(text: str) -> str:
    """Escapes text for WebVTT, including any `-->`."""
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


_TAG = re.compile(r"<(?=[/A-Za-z])")
_STYLE = re.compile(r"\{(?=[/\\A-Za-z])")


def _plain(text: str) -> str:
    r"""Replaces `<b>`, `{\an8}` and `-->`, which SRT players read as markup and times."""
    return _STYLE.sub("(", _TAG.sub("\u2039", text.replace("-->", "\u2192")))
