"""Caption files match `Tests/CaptionVectors`, the vectors for every writer, byte for byte."""

from __future__ import annotations

import html
import json
import re
from pathlib import Path
from typing import Any

import pytest

from carillon import AttendeeInfo, TranscriptAlternative, TranscriptItem, TranscriptResult
from carillon.captions import CaptionWriter
from carillon.transcripts.values import TranscriptItemType

VECTORS = Path(__file__).parents[1] / "CaptionVectors" / "vectors.json"
CASES: list[dict[str, Any]] = json.loads(VECTORS.read_text(encoding="utf-8"))
SCREEN = 42


def item(start_ms: int, end_ms: int, speaker: str, content: str) -> TranscriptItem:
    who = AttendeeInfo(display_name=speaker)
    return TranscriptItem(TranscriptItemType.PRONUNCIATION, start_ms, end_ms, who, content)


def result(case: dict[str, Any]) -> TranscriptResult:
    """Returns the result of a vector, with timed words if the vector has them."""
    start_ms, end_ms, speaker = case["start_ms"], case["end_ms"], case["speaker"]
    items = [
        item(each["start_ms"], each["end_ms"], each.get("speaker", speaker), each["content"])
        for each in case.get("items", [])
    ] or [item(start_ms, end_ms, speaker, "")]
    readings = (TranscriptAlternative(tuple(items), case["text"]),)
    return TranscriptResult("r", case.get("is_partial", False), start_ms, end_ms, readings)


def written(case: dict[str, Any], format: str) -> str:
    writer = CaptionWriter(format, origin_ms=case["origin_ms"])
    return writer.header + "".join(writer.feed(result(each)) for each in case["results"])


@pytest.mark.parametrize("format", ["srt", "vtt"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_writer_writes_the_captions_of_the_vectors(case: dict[str, Any], format: str) -> None:
    assert written(case, format) == case[format]


@pytest.mark.parametrize("format", ["srt", "vtt"])
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_no_cue_has_more_than_two_lines_or_a_line_over_42_characters(
    case: dict[str, Any], format: str
) -> None:
    for cue in written(case, format).removeprefix("WEBVTT\n\n").split("\n\n")[:-1]:
        _, said = cue.split(" --> ")
        lines = said.split("\n")[1:]
        if format == "vtt":
            lines = [html.unescape(re.sub("<v [^>]*>", "", line)) for line in lines]
        assert len(lines) in (1, 2)
        assert all(len(line) <= SCREEN for line in lines)
