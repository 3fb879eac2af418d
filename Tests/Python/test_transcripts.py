"""Live transcription: events, their order, no duplicates, and languages."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from carillon import (
    AttendeeInfo,
    CarillonError,
    EventsLostError,
    Reconnected,
    Reconnecting,
    ResultStream,
    SessionOptions,
    StatusCode,
    StreamGap,
    Transcript,
    TranscriptAlternative,
    TranscriptEntity,
    TranscriptEvent,
    TranscriptionStatus,
    TranscriptionStatusType,
    TranscriptItem,
    TranscriptItemType,
    TranscriptLanguageWithScore,
    TranscriptResult,
    TranscriptStream,
)
from carillon.transcripts.reader import TranscriptReader
from carillon.v1 import common_pb2 as common, gateway_pb2, transcription_pb2 as pb
from scripted_gateway import ADA, GRACE, ScriptedGateway, entry, info, started_event
from test_session import ada, joining
from transcribed import (
    ORIGIN,
    STARTED,
    STOPPED,
    packed,
    partial,
    result,
    said,
    show,
    snapshot,
    status,
    tell,
    transcribed,
)

INTERRUPTED = pb.TRANSCRIPTION_STATUS_TYPE_INTERRUPTED


def brief(event: TranscriptEvent) -> object:
    """Returns the name of a status, or the ids and texts of a transcript; a partial text ends in
    …."""
    match event:
        case TranscriptionStatus(type):
            return type.name
        case Transcript(results):
            return [brief_result(each) for each in results]
    raise AssertionError(event)


def brief_result(result: TranscriptResult) -> tuple[str, str]:
    return result.result_id, result.text + ("…" if result.is_partial else "")


async def told(stream: TranscriptStream, count: int) -> list[object]:
    return [brief(await anext(stream)) for _ in range(count)]


async def heard(stream: ResultStream, count: int) -> list[tuple[str, str]]:
    return [brief_result(await anext(stream)) for _ in range(count)]


# The content of an event


async def test_a_status_event_has_its_type_and_its_details(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        events = session.transcripts.events()
        assert session.transcripts.status is None
        region = {"transcription_region": "auto", "transcription_configuration": "{}"}
        await tell(gateway, 1, status(STARTED, 12, **region))
        await tell(gateway, 2, status(pb.TRANSCRIPTION_STATUS_TYPE_FAILED, 13, message="No engine"))
        started = TranscriptionStatus(TranscriptionStatusType.STARTED, 12, "auto", "{}", None)
        failed = TranscriptionStatus(TranscriptionStatusType.FAILED, 13, message="No engine")
        assert [await anext(events), await anext(events)] == [started, failed]
        assert session.transcripts.status == failed


async def test_a_result_has_all_values_of_the_engine(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        results = session.transcripts.results()
        item = pb.TranscriptItem(
            type=pb.TRANSCRIPT_ITEM_TYPE_PUNCTUATION,
            start_time_ms=3,
            end_time_ms=3,
            attendee=info(GRACE),
            content="!",
            is_vocabulary_filter_match=True,
            is_stable=False,
            confidence=0.0,
        )
        entity = pb.TranscriptEntity(
            type="NAME",
            content="Grace",
            category="PII",
            start_time_ms=1,
            end_time_ms=2,
            confidence=0.5,
        )
        whole = pb.TranscriptResult(
            result_id="r",
            channel_id="ch_0",
            start_time_ms=1,
            end_time_ms=3,
            alternatives=[
                pb.TranscriptAlternative(transcript="Grace!", items=[item], entities=[entity]),
                pb.TranscriptAlternative(transcript="Grass!"),
            ],
            language_code="en-US",
            language_identification=[
                pb.TranscriptLanguageWithScore(language_code="en-US", score=0.75)
            ],
            translated_from="de-DE",
            revision=4,
        )
        await tell(gateway, 1, said(whole))
        assert await anext(results) == TranscriptResult(
            result_id="r",
            is_partial=False,
            start_time_ms=1,
            end_time_ms=3,
            alternatives=(
                TranscriptAlternative(
                    (
                        TranscriptItem(
                            TranscriptItemType.PUNCTUATION,
                            3,
                            3,
                            AttendeeInfo(GRACE, "grace"),
                            "!",
                            True,
                            False,
                            0.0,
                        ),
                    ),
                    "Grace!",
                    (TranscriptEntity("NAME", "Grace", "PII", 1, 2, 0.5),),
                ),
                # This alternative does not inherit the entities of the previous alternative.
                TranscriptAlternative((), "Grass!", ()),
            ),
            channel_id="ch_0",
            language_code="en-US",
            language_identification=(TranscriptLanguageWithScore("en-US", 0.75),),
            translated_from="de-DE",
            revision=4,
        )


async def test_unset_values_are_none_or_an_empty_list(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        results = session.transcripts.results()
        bare = pb.TranscriptResult(result_id="a", revision=1)
        worded = pb.TranscriptResult(result_id="b", revision=1)
        worded.alternatives.add().items.add()
        await tell(gateway, 1, said(bare, worded))
        empty = await anext(results)
        assert (empty.alternatives, empty.language_identification) == ((), ())
        assert (empty.channel_id, empty.language_code, empty.translated_from) == (None,) * 3
        assert (empty.text, empty.speakers) == ("", ())
        (alternative,) = (await anext(results)).alternatives
        assert alternative.entities == ()
        (item,) = alternative.items
        assert (item.is_stable, item.confidence) == (None, None)
        assert item.attendee == AttendeeInfo("", "")


@pytest.mark.parametrize("number", [0, 6, -1, 2**31 - 1])
async def test_unknown_types_are_read_as_unknown(gateway: ScriptedGateway, number: int) -> None:
    async with joining(gateway) as (session, _):
        events = session.transcripts.events()
        odd = result("a", "word")
        odd.alternatives[0].items[0].type = number  # type: ignore[assignment]
        await tell(gateway, 1, status(number), pb.TranscriptEvent(), said(odd), said())
        await tell(gateway, 2, status(STOPPED))
        first, second = await anext(events), await anext(events)
        assert isinstance(first, TranscriptionStatus) and isinstance(second, Transcript)
        assert first.type is TranscriptionStatusType.UNKNOWN
        item = second.results[0].alternatives[0].items[0]
        assert item.type is TranscriptItemType.UNKNOWN
        # The session does not report an event without a kind, or a transcript without results.
        assert await told(events, 1) == ["STOPPED"]


def test_a_result_knows_the_speakers_of_its_words() -> None:
    both = result("a", "hello there")
    both.alternatives[0].items.add(attendee=info(ADA), content="hi")
    both.alternatives[0].items.add(attendee=info(GRACE), content="ada")
    (event,) = TranscriptReader().take(packed((1, said(both))))
    assert isinstance(event, Transcript)
    assert [each.name for each in event.results[0].speakers] == ["grace", "ada"]
    assert AttendeeInfo(GRACE).name == GRACE


# Order


async def test_all_streams_get_statuses_and_transcripts_in_order(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        transcripts = session.transcripts
        events, again = transcripts.events(), aiter(transcripts)
        finals, all_results = transcripts.results(), transcripts.results(final_only=False)
        await tell(gateway, 1, status(), said(partial("a", "he")))
        await tell(gateway, 2, said(partial("a", "hello", 2), partial("b", "you")))
        await tell(gateway, 3, said(result("b", "you too", 2), result("a", "hello", 3)))
        await tell(gateway, 4, status(STOPPED))
        expected = [
            "STARTED",
            [("a", "he…")],
            [("a", "hello…"), ("b", "you…")],
            [("b", "you too"), ("a", "hello")],
            "STOPPED",
        ]
        assert await told(events, 5) == expected
        assert await told(again, 5) == expected
        assert await heard(finals, 2) == [("b", "you too"), ("a", "hello")]
        assert await heard(all_results, 5) == [
            ("a", "he…"),
            ("a", "hello…"),
            ("b", "you…"),
            ("b", "you too"),
            ("a", "hello"),
        ]


async def test_a_partial_result_is_kept_until_it_is_final(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        events = session.transcripts.events()
        open = session.transcripts.open
        await tell(gateway, 1, said(partial("a", "he"), partial("b", "you")))
        await told(events, 1)
        assert {each: what.text for each, what in open.items()} == {"a": "he", "b": "you"}
        await tell(gateway, 2, said(partial("a", "hello", 2), result("b", revision=2)))
        await told(events, 1)
        assert {each: what.text for each, what in open.items()} == {"a": "hello"}


async def test_a_late_stream_begins_with_the_present_state(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        events = session.transcripts.events()
        await tell(gateway, 1, status(), said(result("a", "over"), partial("b", "going")))
        await told(events, 2)
        late = session.transcripts.events()
        all_results = session.transcripts.results(final_only=False)
        finals = session.transcripts.results()
        await tell(gateway, 2, said(result("b", "going on", 2)))
        assert await told(late, 3) == ["STARTED", [("b", "going…")], [("b", "going on")]]
        assert await heard(all_results, 2) == [("b", "going…"), ("b", "going on")]
        assert await heard(finals, 1) == [("b", "going on")]


async def test_a_stream_opened_before_the_start_misses_nothing(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        session = ada(gateway)
        before = session.transcripts.events()

        async def admit() -> None:
            await gateway.expect_start()
            roster = gateway_pb2.SessionEvent(
                roster_snapshot={"epoch": 7, "sequence": 1, "entries": [entry(ADA)]}
            )
            events = [
                started_event(),
                roster,
                snapshot(status(), partial("a", "he"), sequence=3),
                transcribed(said(result("a", "hello", 2))),
            ]
            await gateway.events(*events)

        tasks.create_task(admit())
        async with session:
            first = session.transcripts.events()
            finals = session.transcripts.results()
            expected = ["STARTED", [("a", "he…")], [("a", "hello")]]
            assert await told(before, 3) == expected
            assert await told(first, 3) == expected
            assert await heard(finals, 1) == [("a", "hello")]
            late = session.transcripts.events()
            assert await told(late, 1) == ["STARTED"]


async def test_a_slow_consumer_gets_an_error_about_missed_transcripts(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, options=SessionOptions(event_limit=2)) as (session, _):
        slow, slow_results = session.transcripts.events(), session.transcripts.results()
        quick = session.transcripts.events()
        for sequence in range(1, 5):
            await tell(gateway, sequence, said(result(str(sequence), "word")))
            await told(quick, 1)
        assert slow.was_too_slow and slow_results.was_too_slow
        assert session.transcripts.slow_streams == session.slow_streams == 2
        assert await told(slow, 2) == [[("1", "word")], [("2", "word")]]
        assert await heard(slow_results, 2) == [("1", "word"), ("2", "word")]
        for stream in (slow, slow_results):
            with pytest.raises(EventsLostError):
                await anext(stream)


async def test_partial_results_do_not_fill_a_stream_of_final_results(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, options=SessionOptions(event_limit=1)) as (session, _):
        finals, quick = session.transcripts.results(), session.transcripts.events()
        for revision in range(1, 6):
            await tell(gateway, revision, said(partial("a", "word", revision)))
            await told(quick, 1)
        await tell(gateway, 6, said(result("a", "words", 6)))
        assert await heard(finals, 1) == [("a", "words")]


async def test_at_the_end_of_the_session_streams_yield_their_waiting_items_and_end(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        events, results = session.transcripts.events(), session.transcripts.results()
        await tell(gateway, 1, said(result("a", "goodbye")))
        await gateway.end(common.STATUS_CODE_NOT_FOUND)
        assert [brief(event) async for event in events] == [[("a", "goodbye")]]
        assert [brief_result(each) async for each in results] == [("a", "goodbye")]
        assert [event async for event in session.transcripts] == []


# Once each


def test_an_item_that_the_reader_has_already_read_is_skipped() -> None:
    reader = TranscriptReader()
    first = packed((1, status()), (2, status(INTERRUPTED)))
    assert [brief(event) for event in reader.take(first)] == ["STARTED", "INTERRUPTED"]
    assert reader.take(first) == []
    more = packed((2, status(INTERRUPTED)), (3, status(STARTED, ORIGIN + 1)))
    assert [brief(event) for event in reader.take(more)] == ["STARTED"]


def test_positions_that_match_no_single_event_decide_only_whether_the_whole_item_is_new() -> None:
    reader = TranscriptReader()
    item = packed((1, status()), (2, status(INTERRUPTED)))
    item.positions.add(stream="transcripts", epoch=5, sequence=9)
    assert [brief(event) for event in reader.take(item)] == ["STARTED", "INTERRUPTED"]
    assert reader.take(item) == []
    assert reader.take(packed((9, status(STOPPED)))) == []
    assert [brief(event) for event in reader.take(packed((10, status(STOPPED))))] == ["STOPPED"]


def test_positions_of_other_streams_are_ignored() -> None:
    reader = TranscriptReader()
    item = gateway_pb2.SessionEvents(events=[transcribed(status())])
    item.positions.add(stream="roster", epoch=5, sequence=1)
    assert [brief(event) for event in reader.take(item)] == ["STARTED"]
    assert reader.take(gateway_pb2.SessionEvents(events=[transcribed(status())])) == []


def test_a_revision_of_a_result_is_reported_once_and_never_after_the_final_result() -> None:
    reader = TranscriptReader()
    events = [
        said(partial("a", "he")),
        said(partial("a", "he")),
        said(partial("a", "hello", 3)),
        said(partial("a", "hel", 2)),
        said(result("a", "hello", 4), partial("b", "you")),
        said(partial("a", "hello", 3), result("a", "hello", 4), partial("b", "you two", 2)),
    ]
    found = [brief(event) for event in reader.take(packed((1, *events)))]
    assert found == [
        [("a", "he…")],
        [("a", "hello…")],
        [("a", "hello"), ("b", "you…")],
        [("b", "you two…")],
    ]
    assert list(reader.open) == ["b"]


def test_a_new_epoch_is_read_from_its_beginning() -> None:
    reader = TranscriptReader()
    reader.take(packed((9, status()), epoch=5))
    found = reader.take(packed((1, said(result("a", "anew"))), epoch=6))
    assert [brief(event) for event in found] == [[("a", "anew")]]


# Snapshots


def test_the_client_reports_only_the_new_items_of_a_snapshot() -> None:
    reader = TranscriptReader()
    reader.take(packed((1, status(), said(partial("a", "he"), partial("b", "you")))))

    def take(*arguments: Any, **named: Any) -> list[object]:
        item = gateway_pb2.SessionEvents(events=[snapshot(*arguments, **named)])
        return [brief(event) for event in reader.take(item)]

    # The reader already knows everything in this snapshot. The snapshot lacks result `b`, so the
    # reader forgets `b`, although no final version of `b` has arrived.
    assert take(status(), partial("a", "he"), sequence=1) == []
    assert list(reader.open) == ["a"]
    # This snapshot has a new revision of `a`, a new result `c`, and another status.
    changed = partial("a", "hello", 2), partial("c", "me")
    expected = ["INTERRUPTED", [("a", "hello…"), ("c", "me…")]]
    assert take(status(INTERRUPTED), *changed, sequence=4) == expected
    assert take(status(INTERRUPTED), *changed, sequence=4) == []
    assert list(reader.open) == ["a", "c"]
    # A snapshot without a status reports no status.
    assert take(None, sequence=5) == []
    assert reader.status is not None and not reader.open
    # A snapshot that is older than the read position changes nothing.
    assert take(status(STOPPED), sequence=2) == []
    # In another epoch, even a lower sequence number changes the state.
    assert take(status(STOPPED), sequence=1, epoch=6) == ["STOPPED"]


def test_events_after_a_snapshot_continue_from_the_snapshot() -> None:
    reader = TranscriptReader()
    item = gateway_pb2.SessionEvents(
        events=[snapshot(status(), partial("a", "he"), sequence=4), transcribed(status(STOPPED))]
    )
    item.positions.add(stream="transcripts", epoch=5, sequence=4)
    item.positions.add(stream="transcripts", epoch=5, sequence=5)
    assert [brief(event) for event in reader.take(item)] == ["STARTED", [("a", "he…")], "STOPPED"]
    assert reader.take(packed((4, status()))) == []


async def test_a_snapshot_at_the_start_reports_the_running_transcription(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        events = session.transcripts.events()
        await show(gateway, snapshot(status(), partial("a", "he"), sequence=7))
        assert await told(events, 2) == ["STARTED", [("a", "he…")]]
        await tell(gateway, 7, said(partial("a", "he")))
        await tell(gateway, 8, said(result("a", "hello", 2)))
        assert await told(events, 1) == [[("a", "hello")]]


# Losing the connection


async def test_a_resume_sends_the_last_position_and_no_transcript_arrives_twice(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, session_events):
        events = session.transcripts.events()
        await tell(gateway, 1, status(), said(partial("a", "he")))
        await told(events, 2)
        gateway.vanish()
        assert isinstance(await anext(session_events), Reconnecting)
        gateway.listen()
        request = await gateway.expect_start()
        places = [(each.stream, each.epoch, each.sequence) for each in request.positions]
        assert ("transcripts", 5, 1) in places
        await gateway.events(started_event(is_resumed=True, is_recovered=True))
        await tell(gateway, 1, status(), said(partial("a", "he")))
        await tell(gateway, 2, said(result("a", "hello", 2)))
        assert await told(events, 1) == [[("a", "hello")]]
        reconnected = await anext(session_events)
        assert isinstance(reconnected, Reconnected) and reconnected.has_all_transcripts


async def test_a_resume_with_a_snapshot_reports_what_has_changed(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, session_events):
        events = session.transcripts.events()
        await tell(gateway, 1, status(), said(partial("a", "he"), partial("b", "you")))
        await told(events, 2)
        gateway.vanish()
        assert isinstance(await anext(session_events), Reconnecting)
        gateway.listen()
        await gateway.admit(is_resumed=True, incomplete_streams=["transcripts"])
        reconnected = await anext(session_events)
        assert isinstance(reconnected, Reconnected) and reconnected.has_all_messages
        assert not reconnected.has_all_transcripts and not session.transcripts.open
        kept = partial("b", "you")
        await show(gateway, snapshot(status(), kept, partial("c", "me"), sequence=2, epoch=6))
        assert await told(events, 1) == [[("c", "me…")]]
        assert list(session.transcripts.open) == ["b", "c"]


async def test_a_gap_detected_after_the_start_is_reported(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, session_events):
        events = session.transcripts.events()
        await tell(gateway, 1, said(partial("a", "he"), partial("b", "you")))
        await told(events, 1)
        lost = gateway_pb2.EventsLost(stream="transcripts")
        await gateway.events(gateway_pb2.SessionEvent(events_lost=lost))
        assert await anext(session_events) == StreamGap("transcripts")
        assert not session.transcripts.open
        await tell(gateway, 9, said(partial("b", "you too", 2)))
        assert await told(events, 1) == [[("b", "you too…")]]
        assert list(session.transcripts.open) == ["b"]


# Languages


async def set_languages(gateway: ScriptedGateway, is_offered: bool) -> tuple[str, str]:
    """Answers a call, and returns the languages that the call requested."""
    call = await gateway.next("SetTranscriptLanguages")
    await call.reply(pb.SetTranscriptLanguagesReply(is_offered=is_offered))
    request = call.read(pb.SetTranscriptLanguagesRequest)
    return request.session.view_language, request.session.spoken_language


def declared(request: gateway_pb2.StartRequest) -> tuple[str, str]:
    return request.transcript_language, request.spoken_language


async def test_each_start_declares_the_languages(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        admission = tasks.create_task(gateway.admit())
        languages = SessionOptions(transcript_language="de-DE", spoken_language="en-US")
        async with ada(gateway, languages) as session:
            assert declared(await admission) == ("de-DE", "en-US")
            transcripts, events = session.transcripts, session.events()
            setting = tasks.create_task(transcripts.set_languages(view="fr-FR"))
            assert await set_languages(gateway, True) == ("fr-FR", "en-US")
            assert await setting
            setting = tasks.create_task(transcripts.set_languages(spoken=""))
            assert await set_languages(gateway, False) == ("fr-FR", "")
            assert not await setting
            assert (transcripts.transcript_language, transcripts.spoken_language) == ("fr-FR", "")
            gateway.vanish()
            while not isinstance(await anext(events), Reconnecting):
                pass
            gateway.listen()
            assert declared(await gateway.admit(is_resumed=True)) == ("fr-FR", "")
            await session.leave()


async def test_a_rejected_language_is_not_kept(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        setting = asyncio.create_task(session.transcripts.set_languages(view="?"))
        call = await gateway.next("SetTranscriptLanguages")
        await call.fail(common.STATUS_CODE_INVALID_ARGUMENT)
        with pytest.raises(CarillonError) as error:
            await setting
        assert error.value.status_code is StatusCode.INVALID_ARGUMENT
        with pytest.raises(CarillonError) as error:
            await session.transcripts.set_languages(view=5)  # type: ignore[arg-type]
        assert error.value.status_code is StatusCode.INVALID_ARGUMENT
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        assert declared(await gateway.admit(is_resumed=True)) == ("", "")
        assert isinstance(await anext(events), Reconnected)


async def test_a_new_connection_declares_a_pending_choice_and_requests_it_again(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        setting = asyncio.create_task(session.transcripts.set_languages(view="de"))
        call = await gateway.next("SetTranscriptLanguages")
        await call.fail(common.STATUS_CODE_UNAVAILABLE)
        await gateway.next("SetTranscriptLanguages")
        gateway.vanish()
        gateway.listen()
        assert declared(await gateway.admit(is_resumed=True)) == ("de", "")
        assert await set_languages(gateway, True) == ("de", "")
        assert await setting


@pytest.mark.parametrize(
    ("view", "kept"),
    [
        ("de-DE", ["translated", "unnamed"]),
        ("DE-de", ["translated", "unnamed"]),
        ("de", ["translated", "unnamed"]),
        ("en", ["spoken", "unnamed"]),
        ("en-GB", ["unnamed"]),
        ("", ["spoken", "unnamed"]),
    ],
)
async def test_partial_results_in_another_language_are_dropped(
    gateway: ScriptedGateway, view: str, kept: list[str]
) -> None:
    async with joining(gateway, options=SessionOptions(transcript_language="it-IT")) as (
        session,
        _,
    ):
        events = session.transcripts.events()
        spoken = partial("spoken", "yes", language_code="en-US")
        translated = partial("translated", "ja", language_code="de-DE", translated_from="en-US")
        await tell(gateway, 1, said(spoken, translated, partial("unnamed", "ok")))
        await told(events, 1)
        setting = asyncio.create_task(session.transcripts.set_languages(view=view))
        await set_languages(gateway, True)
        await setting
        assert list(session.transcripts.open) == kept


async def test_languages_can_be_set_only_while_the_session_is_open(
    gateway: ScriptedGateway,
) -> None:
    async with gateway:
        with pytest.raises(CarillonError) as error:
            await ada(gateway).transcripts.set_languages(view="de")
        assert error.value.status_code is StatusCode.FAILED_PRECONDITION
