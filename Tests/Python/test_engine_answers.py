"""Invalid answers of recognizers: the transcript lacks only the utterances with invalid answers."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Coroutine
from pathlib import Path
from typing import Any

import pytest

from carillon.engine import (
    Alternative,
    AnswerError,
    EngineCounters,
    Recognition,
    Speech,
    Word,
    check_answer,
)
from carillon.engine.answers import engine_words
from carillon.engine.report import Report, apart
from carillon.v1 import common_pb2 as common, transcription_pb2 as pb
from test_engine import ScriptedTranscription, served, started

SECRET = "Xylophon"
"""A word that must not appear in a log."""


def reading(*words: Any, **fields: Any) -> Recognition:
    return Recognition([Alternative(words)], **fields)


class Later(Coroutine[Any, Any, str]):
    """A coroutine, like that of an `async def`, that does not warn if nobody awaits it."""

    def send(self, value: Any) -> Any: ...
    def throw(self, *error: Any) -> Any: ...
    def close(self) -> None: ...
    def __await__(self) -> Any: ...


LONG = [Word(SECRET * 31, number, number + 1) for number in range(1_900)]
BAD: dict[str, tuple[Any, str]] = {
    "a long word": ([Word(SECRET * 33, 0, 1)], "Word 1 has 264 bytes"),
    "a line break": ([Word("a", 0, 1), Word(f"{SECRET}\nb", 0, 1)], "Word 2 must not contain line"),
    "a NUL": (f"{SECRET}\0", "Word 1 must not contain line breaks"),
    "half a character": ([Word("\ud800", 0, 1)], "Word 1 must not contain line breaks"),
    "a negative time": ([Word(SECRET, -0.5, 1)], "end after its start; got -0.5 to 1 s"),
    "an end before the start": ([Word(SECRET, 2, 1)], "end after its start; got 2 to 1 s"),
    "a time that is none": ([Word(SECRET, float("nan"), 1)], "start of word 1 must be .* got nan"),
    "a time without end": ([Word(SECRET, 0, float("inf"))], "end of word 1 must be .* got inf"),
    "a time in words": ([Word(SECRET, 0, SECRET)], "word 1 must be a number; got str"),  # type: ignore[arg-type]
    "a text that is none": ([Word(7, 0, 1)], "word 1 must be str; got int"),  # type: ignore[arg-type]
    "certain words": ([Word(SECRET, 0, 1, SECRET)], "confidence of word 1 must be"),  # type: ignore[arg-type]
    "too many words": (" ".join(["a"] * 2_001), "2001 words and signs; it may have"),
    "too many bytes": (LONG, r"result has \d+ bytes; it may have at most"),
    "bytes": (SECRET.encode(), "returned bytes; decode them"),
    "a number": (7, "returned int; return text"),
    "texts": ([SECRET, SECRET], "list of str; list only Word"),
    "a mixture": ([Word("a", 0, 1), reading(Word("a", 0, 1))], "list of Recognition, Word"),
    "a dictionary": ({"text": SECRET}, "list of str"),
    "a coroutine": (Later(), "returned Later; return text"),
    "words as readings": (Recognition([Word("a", 0, 1)]), "must be Alternative; got Word"),  # type: ignore[list-item]
    "texts as words": (reading(SECRET), "must be Word; got str"),
    "no code": (reading(Word("a", 0, 1), language="English (US)"), "must be a code such as en-US"),
    "no code of a source": (
        reading(Word("a", 0, 1), language="de", translated_from="?"),
        "must be a code such as en-US",
    ),
    "a score that is none": (
        reading(Word("a", 0, 1), languages=[("en", float("nan"))]),
        "score of a language must be a finite number; got nan",
    ),
    "a score of nothing": (reading(Word("a", 0, 1), languages=[("", 1.0)]), "score has no code"),
    "languages without scores": (
        reading(Word("a", 0, 1), languages=["eng"]),
        "must be a pair of a code and a score",
    ),
    "two in one language": ([reading(Word("a", 0, 1))] * 2, "Several of 2 recognitions are in one"),
    "a thousand in one language": (
        [reading(Word("a", 0, 1), language="de", translated_from="en")] * 1_000,
        "Several of 1000 recognitions are",
    ),
}
REFUSED = common.Status(code=common.STATUS_CODE_INVALID_ARGUMENT, message="No such word.")


async def speak(transcription: ScriptedTranscription, *utterances: int) -> None:
    """Sends one second of speech for each utterance."""
    for number in utterances:
        await transcription.say("s", (number - 1) * 16_000, 1.0, is_end=True)


def contents(result: pb.EngineResult) -> list[str]:
    return [word.content for each in result.alternatives for word in each.words]


@pytest.mark.parametrize("kind", BAD)
def test_the_checking_function_finds_the_bad_answers_of_an_engine(kind: str) -> None:
    answer, why = BAD[kind]
    with pytest.raises(AnswerError, match=why):
        check_answer(answer, 1.0)


async def test_a_bad_answer_loses_its_own_utterance_and_no_other(
    socket_directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Each bad answer is followed by a good one, all on the same attachment."""
    said = [each for answer, _ in BAD.values() for each in (answer, "fine")]
    answers, counters = iter(said), EngineCounters()

    async with served(
        socket_directory, lambda _: next(answers), counters=counters
    ) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await speak(transcription, *range(1, len(said) + 1))
        results = await results_of(transcription, len(said))
        heard = {each.utterance: contents(each) for each in results if contents(each)}
        assert heard == {number: ["fine"] for number in range(2, len(said) + 1, 2)}
        assert all(each.is_final for each in results)
        assert transcription.attached.empty()
    assert counters.refused == len(BAD) and counters.failures == 0
    errors = [each.message for each in caplog.records if each.levelno >= logging.ERROR]
    assert len(errors) == len(BAD) and not any(SECRET in error for error in errors)
    for number, (error, (_, why)) in enumerate(zip(errors, BAD.values(), strict=True)):
        assert re.search(rf"Utterance {2 * number + 1} of a talker is lost: .*{why}", error)


async def results_of(transcription: ScriptedTranscription, utterance: int) -> list[pb.EngineResult]:
    """Returns all results up to those of an utterance."""
    found: list[pb.EngineResult] = []
    while not any(result.utterance == utterance for result in found):
        found += (await transcription.reports.get()).results
    return found


async def test_bad_partial_results_are_counted_once_and_withdrawn(
    socket_directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    counters = EngineCounters()
    answers = iter(["so", "so\0", "so\0", "so\0"])
    async with served(
        socket_directory, lambda _: next(answers), counters=counters, partial_seconds=1.0
    ) as transcription:
        await transcription.attached.get()
        await transcription.send(started(wants_partials=True))
        for number in range(4):
            await transcription.say("s", number * 16_000, 1.0, is_end=number == 3)
        (first, last), _ = await transcription.results(2)
        assert not first.is_final and contents(first) == ["so"]
        assert last.is_final and not last.alternatives
    assert counters.refused == 1
    assert len([each for each in caplog.records if each.levelno >= logging.ERROR]) == 1


async def test_a_bad_translation_does_not_lose_the_whole_answer(socket_directory: Path) -> None:
    def recognize(speech: Speech) -> list[Recognition]:
        return [
            reading(Word("good", 0, 1), language="en-US"),
            reading(Word("g\nt", 0, 1), language="de-DE", translated_from="en-US"),
            reading(Word("bien", 0, 1), language="?", translated_from="en-US"),
        ]

    async with served(socket_directory, recognize) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        await speak(transcription, 1)
        results, _ = await transcription.results(2)
        assert [(each.language_code, contents(each)) for each in results] == [
            ("en-US", ["good"]),
            ("de-DE", []),
        ]


async def test_if_transcription_refuses_a_result_no_other_result_is_lost(
    socket_directory: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The service has a rule that the package does not check."""
    counters = EngineCounters()

    def recognize(speech: Speech) -> list[Recognition]:
        return [
            reading(Word("good", 0, 1), language="en-US"),
            reading(Word("poison", 0, 1), language="de-DE", translated_from="en-US"),
            reading(Word("bon", 0, 1), language="fr-FR", translated_from="en-US"),
        ]

    def judge(report: pb.ReportResultsRequest) -> common.Status | None:
        is_bad = any("poison" in contents(result) for result in report.results)
        return REFUSED if is_bad else None

    async with served(socket_directory, recognize, counters=counters) as transcription:
        transcription.judge = judge
        await transcription.attached.get()
        await transcription.send(started())
        await speak(transcription, 1)
        results, _ = await transcription.results(3)
        assert [(each.language_code, contents(each)) for each in results] == [
            ("en-US", ["good"]),
            ("de-DE", []),
            ("fr-FR", ["bon"]),
        ]
        await speak(transcription, 2)
        await transcription.results(3)
        assert transcription.attached.empty()
    assert counters.refused == 2
    records = [each.message for each in caplog.records if each.levelno >= logging.ERROR]
    assert len(records) == 2 and "No such word." in records[0] and "poison" not in records[0]


async def test_a_refused_report_without_results_ends_the_attachment(
    socket_directory: Path,
) -> None:
    async with served(socket_directory, lambda _: "") as transcription:
        transcription.judge = lambda report: REFUSED
        await transcription.attached.get()
        await transcription.attached.get()


async def test_a_thousand_results_are_sent_in_reports_that_transcription_accepts(
    socket_directory: Path,
) -> None:
    counters = EngineCounters()
    codes = [f"de-{number}" for number in range(2_500)]

    def recognize(speech: Speech) -> list[Recognition]:
        return [reading(Word("ja", 0, 1), language=code, translated_from="en-US") for code in codes]

    async with served(socket_directory, recognize, counters=counters) as transcription:
        transcription.most_bytes = 64 << 10
        transcription.judge = lambda report: (
            REFUSED if len(report.results) > 1_000 or report.ByteSize() > 64 << 10 else None
        )
        await transcription.attached.get()
        await transcription.send(started())
        await speak(transcription, 1)
        results, _ = await transcription.results(2_500)
        assert [each.language_code for each in results] == codes
        await transcription.reports.get()
    assert counters == EngineCounters(results=2_500)


async def test_results_for_ended_talkers_are_counted(socket_directory: Path) -> None:
    counters = EngineCounters()
    async with served(socket_directory, lambda _: "late", counters=counters) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        while not (await transcription.reports.get()).credit:
            transcription.dropped = 1
            await transcription.say("s", 0, 1.0, is_end=True)
        await transcription.reports.get()
        await transcription.reports.get()
    assert counters.dropped >= 1 and counters.refused == 0


async def test_an_abandoned_talker_returns_its_credit(socket_directory: Path) -> None:
    goes_on = asyncio.Event()
    loop = asyncio.get_running_loop()
    counters = EngineCounters()

    def recognize(speech: Speech) -> str:
        asyncio.run_coroutine_threadsafe(goes_on.wait(), loop).result()
        raise ValueError("no model")

    async with served(socket_directory, recognize, counters=counters) as transcription:
        await transcription.attached.get()
        await transcription.send(started())
        for number in range(5):
            await transcription.say("s", number * 1_600, 0.1, is_end=number == 0)
        credit = (await transcription.reports.get()).credit
        goes_on.set()
        await transcription.say("s", 8_000, 0.1)
        while credit < 6:
            credit += (await transcription.reports.get()).credit
        assert credit == 6
    assert counters.failures == 1


def test_overlapping_words_are_in_order_with_their_punctuation() -> None:
    words = engine_words([Word("one,", 0, 2), Word("two.", 1, 3)], lambda at: int(at * 10))
    assert [(word.content, word.start_sample) for word in words] == [
        ("one", 0),
        (",", 10),
        ("two", 10),
        (".", 30),
    ]


def test_text_without_spaces_becomes_words_of_an_accepted_length() -> None:
    check_answer("\u4f60" * 1_000, 10.0)
    check_answer("x" * 1_000, 10.0)


@pytest.mark.parametrize(
    "said",
    [
        None,
        "",
        "hello there.",
        [],
        [Word("late", 5, 9)],
        [Word("b", 1, 2), Word("a", 0, 1)],
        [Word(" ", 0, 0), Word("...", 0, 1)],
        (Word(each, 0, 1, float("nan")) for each in "ab"),
        Recognition([]),
        [reading(Word("a", 0, 1)), reading(Word("b", 0, 1), language="de", translated_from="en")],
        Recognition([Alternative([Word("a", 0, 1)])] * 40, languages=[("en", 7.0)] * 40),
    ],
)
def test_a_valid_result_is_accepted(said: Any) -> None:
    check_answer(said, 1.0)


def test_a_report_without_results_is_a_keep_alive() -> None:
    (request,) = Report().requests("e", 1 << 18)
    assert request == pb.ReportResultsRequest(engine_id="e")


def test_results_keep_their_order_and_no_request_exceeds_its_size_limit() -> None:
    results = [pb.EngineResult(stream_id="s" * 60, utterance=each) for each in range(1, 2_001)]
    report = Report(results, {f"s-{each}": each for each in range(10)}, [], credit=3)
    requests = list(report.requests("e", 8_192))
    assert all(request.ByteSize() <= 8_192 for request in requests)
    assert [each.utterance for request in requests for each in request.results] == list(
        range(1, 2_001)
    )
    assert [request.credit for request in requests] == [0] * (len(requests) - 1) + [3]
    assert len(requests[-1].progress) == 10


def test_a_report_is_split_into_its_single_results_and_its_credit() -> None:
    results = [pb.EngineResult(utterance=1), pb.EngineResult(utterance=2)]
    request = pb.ReportResultsRequest(engine_id="e", results=results, credit=2)
    assert [(len(part.results), part.credit) for part in apart(request)] == [(1, 0), (1, 0), (0, 2)]
    alone = pb.ReportResultsRequest(engine_id="e", results=results[:1])
    assert apart(alone) == [alone]
