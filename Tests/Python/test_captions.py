"""Caption files: times, names, lines and escaping."""

from __future__ import annotations

import json
from typing import Any

import pytest

from carillon import Transcript, TranscriptResult
from carillon.captions import CaptionFormat, CaptionWriter, cut, write_captions
from carillon.transcripts.reader import TranscriptReader
from carillon.v1 import transcription_pb2 as pb
from scripted_gateway import ADA, GRACE, info
from transcribed import ORIGIN, packed, partial, result, said

LONG = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen"


def read(*results: pb.TranscriptResult) -> list[TranscriptResult]:
    """Returns the results in the form in which a session receives them."""
    (event,) = TranscriptReader().take(packed((1, said(*results))))
    assert isinstance(event, Transcript)
    return list(event.results)


def feed(format: str, *results: pb.TranscriptResult, **options: Any) -> str:
    """Returns the file that a writer produces from live results."""
    writer = CaptionWriter(format, **options)
    return writer.header + "".join(writer.feed(each) for each in read(*results))


HELLO = result("a", "Hello there.", start=61_234)
HI = result("b", "Hi!", start=62_500, speaker=ADA)


NAMES = {
    "Łukasz": "Łukasz",
    "花子": "花子",
    "Zoe\u0308": "Zoe\u0308",
    "O'Neil": "O'Neil",
    "محمد عبد الله": "محمد عبد الله",
    "דנה (she)": "דנה (she)",
    "👩🏽‍🚀 Kim": "👩🏽‍🚀 Kim",
}
"""Names of people, and their form in WebVTT."""


@pytest.mark.parametrize("name", NAMES)
def test_captions_contain_the_names_of_speakers(name: str) -> None:
    one = result("a", "Hello there.")
    for item in one.alternatives[0].items:
        item.attendee.display_name = name
    assert feed("vtt", one).splitlines()[3] == f"<v {NAMES[name]}>Hello there."
    assert feed("srt", one).splitlines()[2] == f"{name}: Hello there."
    assert feed("text", one) == f"[00:00:00] {name}: Hello there.\n"


@pytest.mark.parametrize(
    ("format", "expected"),
    [
        ("text", "[00:00:00] grace: Hello there.\n[00:00:01] ada: Hi!\n"),
        (
            "vtt",
            (
                "WEBVTT\n\n"
                "00:00:00.000 --> 00:00:01.000\n<v grace>Hello there.\n\n"
                "00:00:01.266 --> 00:00:01.766\n<v ada>Hi!\n\n"
            ),
        ),
        (
            "srt",
            (
                "1\n00:00:00,000 --> 00:00:01,000\ngrace: Hello there.\n\n"
                "2\n00:00:01,266 --> 00:00:01,766\nada: Hi!\n\n"
            ),
        ),
    ],
)
def test_times_start_at_the_first_caption(format: str, expected: str) -> None:
    assert feed(format, HELLO, HI) == expected


def test_times_start_at_the_origin_if_the_writer_has_an_origin() -> None:
    assert feed("vtt", HELLO, origin_ms=ORIGIN) == (
        "WEBVTT\n\n00:01:01.234 --> 00:01:02.234\n<v grace>Hello there.\n\n"
    )
    hours = result("a", "late", start=100 * 3_600_000 + 59_999, word_ms=1)
    assert "\n100:00:59,999 --> 100:01:00,000\n" in feed("srt", hours, origin_ms=ORIGIN)
    # If speech started before the origin, its caption starts at the origin.
    early = feed("srt", HELLO, origin_ms=ORIGIN + 61_734)
    assert "\n00:00:00,000 --> 00:00:00,500\n" in early
    assert feed("text", HELLO, origin_ms=ORIGIN + 70_000).startswith("[00:00:00] ")


def test_a_json_line_has_all_values_of_a_result() -> None:
    (line,) = feed("json", result("a", "gr\u00fc\u00df", language_code="de-DE")).splitlines()
    item = {
        "type": "PRONUNCIATION",
        "start_time_ms": ORIGIN,
        "end_time_ms": ORIGIN + 500,
        "attendee": {"attendee_id": GRACE, "external_user_id": "grace", "display_name": ""},
        "content": "gr\u00fc\u00df",
        "is_vocabulary_filter_match": False,
        "is_stable": None,
        "confidence": None,
    }
    assert json.loads(line) == {
        "text": "gr\u00fc\u00df",
        "result_id": "a",
        "is_partial": False,
        "start_time_ms": ORIGIN,
        "end_time_ms": ORIGIN + 500,
        "alternatives": [{"items": [item], "transcript": "gr\u00fc\u00df", "entities": []}],
        "channel_id": None,
        "language_code": "de-DE",
        "language_identification": [],
        "translated_from": None,
        "revision": 1,
    }


@pytest.mark.parametrize("format", list(CaptionFormat))
def test_only_final_results_with_text_are_written(format: CaptionFormat) -> None:
    blank = result("c", revision=1)
    blank.alternatives.add(transcript=" \n")
    results = read(partial("a", "he"), result("b"), blank)
    assert write_captions(results, format) == CaptionWriter(format).header


def test_a_cue_does_not_begin_before_the_previous_cue() -> None:
    long, short = result("a", LONG, word_ms=1_000), result("b", "yes", start=4_000, speaker=ADA)
    live = feed("vtt", short, long, origin_ms=ORIGIN, width=0, lines=0)
    assert [line for line in live.splitlines() if "-->" in line] == [
        "00:00:04.000 --> 00:00:04.500",
        "00:00:04.000 --> 00:00:15.000",
    ]
    whole = write_captions(read(short, long), "vtt", width=0, lines=0)
    assert [line for line in whole.splitlines() if "-->" in line] == [
        "00:00:00.000 --> 00:00:15.000",
        "00:00:04.000 --> 00:00:04.500",
    ]


def test_a_cue_without_a_duration_lasts_a_millisecond() -> None:
    assert "00:00:00.000 --> 00:00:00.001" in feed("vtt", result("a", "oh", word_ms=0))


# Escaping

HOSTILE = "a <b>x</b> & 1 < 2 --> c\0"


def test_vtt_escapes_markup() -> None:
    odd = result("a", HOSTILE)
    for item in odd.alternatives[0].items:
        item.attendee.external_user_id = "x>\n-->\r\ny & <z"
    assert feed("vtt", odd, width=0) == (
        "WEBVTT\n\n00:00:00.000 --> 00:00:04.000\n"
        "<v x&gt; --&gt; y &amp; &lt;z>"
        "a &lt;b&gt;x&lt;/b&gt; &amp; 1 &lt; 2 --&gt; c\ufffd\n\n"
    )


def test_srt_contains_neither_markup_nor_arrows() -> None:
    assert feed("srt", result("a", HOSTILE), width=0) == (
        "1\n00:00:00,000 --> 00:00:04,000\ngrace: a \u2039b>x\u2039/b> & 1 < 2 \u2192 c\ufffd\n\n"
    )


@pytest.mark.parametrize("format", ["text", "vtt", "srt"])
def test_a_line_break_in_a_text_ends_neither_the_line_nor_the_cue(format: str) -> None:
    odd = result("a", "one\n\n2\r\n\u2028three\x85\x0bfour")
    writer = CaptionWriter(format, width=0)
    body = "".join(writer.feed(each) for each in read(odd)).rstrip("\n")
    assert body.splitlines()[-1].endswith("one 2 three four") and "\n\n" not in body


def test_a_name_in_srt_takes_up_space_in_the_first_line_of_each_cue() -> None:
    shown = feed("srt", result("a", LONG), width=20).split("\n\n")
    assert [cue.split("\n")[2:] for cue in shown[:2]] == [
        ["grace: one two three", "four five six seven"],
        ["grace: eight nine", "ten eleven twelve"],
    ]


# Cutting


def test_a_long_result_becomes_several_cues_with_the_times_of_their_words() -> None:
    captions = cut(*read(result("a", LONG)), width=20, lines=2)
    assert [caption.lines for caption in captions] == [
        ("one two three four", "five six seven eight"),
        ("nine ten eleven", "twelve thirteen"),
        ("fourteen fifteen",),
    ]
    times = [(each.start_time_ms - ORIGIN, each.end_time_ms - ORIGIN) for each in captions]
    assert times == [(0, 4_000), (4_000, 6_500), (6_500, 7_500)]


def test_without_words_the_writer_estimates_times_from_the_position_in_the_text() -> None:
    bare = pb.TranscriptResult(result_id="a", start_time_ms=1_000, end_time_ms=2_000, revision=1)
    bare.alternatives.add(transcript="abcd efgh ijkl mnop")
    captions = cut(*read(bare), width=9, lines=1)
    assert [(each.start_time_ms, each.end_time_ms, each.speaker) for each in captions] == [
        (1_000, 1_473, ""),
        (1_526, 2_000, ""),
    ]
    assert feed("vtt", bare) == "WEBVTT\n\n00:00:00.000 --> 00:00:01.000\nabcd efgh ijkl mnop\n\n"
    assert feed("text", bare) == "[00:00:00] abcd efgh ijkl mnop\n"


def test_each_speaker_of_a_result_has_separate_captions() -> None:
    both = result("a", "are you there")
    both.alternatives[0].transcript = "Are you there? Yes. Good."
    items = both.alternatives[0].items
    items[0].content = "Are"
    items.add(content="?", type=pb.TRANSCRIPT_ITEM_TYPE_PUNCTUATION)
    for word, speaker in [("Yes", ADA), ("Good", GRACE)]:
        begin = items[-2].end_time_ms + 100
        times = {"start_time_ms": begin, "end_time_ms": begin + 200}
        items.add(content=word, attendee=info(speaker), **times)
        items.add(content=".", attendee=info(speaker), **times)
    captions = cut(*read(both))
    assert [(each.speaker, each.lines) for each in captions] == [
        ("grace", ("Are you there?",)),
        ("ada", ("Yes.",)),
        ("grace", ("Good.",)),
    ]
    assert captions[1].start_time_ms == ORIGIN + 1_600


def test_equal_lines_have_separate_times() -> None:
    captions = cut(*read(result("a", "no no no no no no")), width=5, lines=1)
    starts = [caption.start_time_ms - ORIGIN for caption in captions]
    assert starts == [0, 1_000, 2_000]


def test_words_that_are_not_in_the_text_are_ignored() -> None:
    odd = result("a", "twenty one people")
    odd.alternatives[0].transcript = "21 people"
    (caption,) = cut(*read(odd))
    assert caption.lines == ("21 people",) and caption.speaker == "grace"
    assert (caption.start_time_ms, caption.end_time_ms) == (ORIGIN + 1_000, ORIGIN + 1_500)
    redacted = result("b", "Mississippi a b")
    redacted.alternatives[0].transcript = "*** a b"
    (caption,) = cut(*read(redacted))
    assert caption.start_time_ms == ORIGIN + 500


def test_text_without_spaces_breaks_where_a_line_is_full() -> None:
    (caption,) = cut(*read(result("a", "\u4f60\u597d\u4e16\u754c\u518d\u89c1")), width=4)
    assert caption.lines == ("\u4f60\u597d\u4e16\u754c", "\u518d\u89c1")


def test_an_option_determines_the_names_of_speakers() -> None:
    assert cut(*read(HI), name=lambda speaker: speaker.attendee_id)[0].speaker == ADA
    assert feed("text", HI, name=lambda speaker: "") == "[00:00:00] Hi!\n"


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="docx"):
        CaptionWriter("docx")
