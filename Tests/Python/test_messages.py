"""Receiving data messages: recipients, order, and no duplicates."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import carillon
from carillon import (
    AttendeeInfo,
    DataMessage,
    Ended,
    Joined,
    MessagesLostError,
    MessageStream,
    Reconnected,
    Reconnecting,
    SessionOptions,
    SessionStatus,
    StreamGap,
)
from carillon.v1 import common_pb2 as common, gateway_pb2
from scripted_gateway import (
    ADA,
    GRACE,
    LIN,
    ScriptedGateway,
    data_message,
    entry,
    joined,
    started_event,
)
from test_session import ada, joining


async def texts(stream: MessageStream, count: int) -> list[str | None]:
    return [(await anext(stream)).text() for _ in range(count)]


async def test_a_message_has_its_sender_and_its_position(gateway: ScriptedGateway) -> None:
    async with joining(gateway, entry(GRACE)) as (session, _):
        chat = session.messages("chat")
        await gateway.messages(data_message(4, "hello", lifetime_ms=60_000, recipients=[ADA, LIN]))
        assert await anext(chat) == DataMessage(
            topic="chat",
            data=b"hello",
            sender=AttendeeInfo(GRACE, "grace"),
            timestamp_ms=1_004,
            lifetime_ms=60_000,
            sequence=4,
            message_id="m-4",
            recipients=(ADA, LIN),
            throttled=False,
        )


async def test_a_message_of_a_service_has_no_attendee_ids(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        notices = session.messages("carillon:notice")
        await gateway.messages(data_message(1, "hi", topic="carillon:notice", sender=""))
        assert (await anext(notices)).sender == AttendeeInfo("", "")


async def test_a_stream_gets_the_messages_of_its_topic_or_all_messages_if_it_has_no_topic(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        streams = [session.messages(topic) for topic in ("chat", "polls", None, "chat")]
        await gateway.messages(
            data_message(1, "a"), data_message(2, "b", topic="polls"), data_message(3, "c")
        )
        chat, polls, everything, other_chat = streams
        assert await texts(chat, 2) == ["a", "c"]
        assert await texts(polls, 1) == ["b"]
        assert await texts(everything, 3) == ["a", "b", "c"]
        assert await texts(other_chat, 2) == ["a", "c"]


@pytest.mark.parametrize(
    ("data", "text", "json"),
    [
        (b"hello", "hello", None),
        (b"", "", None),
        (b"a\x00b", "a\x00b", None),
        ("\u00fc \U0001f514".encode(), "\u00fc \U0001f514", None),
        (b"\xff\xfe\x00", None, None),
        (b'{"a": [1, null]}', '{"a": [1, null]}', {"a": [1, None]}),
        (b"[116,101]", "[116,101]", [116, 101]),
        (b"5", "5", None),
        (b'"a"', '"a"', None),
        (b"null", "null", None),
        (b"[NaN]", "[NaN]", None),
        (b"[-Infinity]", "[-Infinity]", None),
        (b'{"a":', '{"a":', None),
        (b'["\xff"]', None, None),
        (b"[" * 2048, "[" * 2048, None),
        ("[1]".encode("utf-16"), None, None),
    ],
)
async def test_bytes_arrive_unchanged_and_can_be_read_as_text_or_json(
    gateway: ScriptedGateway, data: bytes, text: str | None, json: object
) -> None:
    async with joining(gateway) as (session, _):
        chat = session.messages("chat")
        await gateway.messages(data_message(1, data))
        message = await anext(chat)
        assert (message.data, message.text(), message.json()) == (data, text, json)


async def test_a_stream_that_was_made_before_the_session_started_misses_nothing(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        session = ada(gateway)
        chat = session.messages("chat")

        async def admit() -> None:
            await gateway.admit()
            await gateway.messages(*(data_message(place, str(place)) for place in range(1, 1001)))

        tasks.create_task(admit())
        async with session:
            assert await texts(chat, 1000) == [str(place) for place in range(1, 1001)]


async def test_a_stream_that_is_made_first_in_the_block_misses_nothing(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:

        async def admit() -> None:
            await gateway.expect_start()
            snapshot = gateway_pb2.SessionEvent(
                roster_snapshot={"epoch": 7, "sequence": 1, "entries": [entry(ADA)]}
            )
            kept = [data_message(place, str(place)) for place in (1, 2)]
            item = gateway_pb2.SessionEvents(events=[started_event(), snapshot, *kept])
            item.positions.add(stream="messages", epoch=5, sequence=2)
            await gateway.send_item(item)
            await gateway.messages(data_message(3, "3"))

        tasks.create_task(admit())
        async with ada(gateway) as session:
            chat, other = session.messages("chat"), session.messages("other")
            assert await texts(chat, 3) == ["1", "2", "3"]
            await gateway.messages(data_message(4, "4", topic="other"))
            assert await texts(other, 1) == ["4"]
            late = session.messages("chat")
            await gateway.messages(data_message(5, "5"))
            assert await texts(late, 1) == ["5"]


async def test_a_late_stream_does_not_repeat_former_messages(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        await gateway.messages(data_message(1, "early"))
        await gateway.events(joined(GRACE))
        assert isinstance(await anext(events), Joined)
        chat = session.messages("chat")
        await gateway.messages(data_message(2, "late"))
        assert await texts(chat, 1) == ["late"]


async def test_a_stream_fails_if_the_server_keeps_more_messages_than_the_stream_can_hold(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:

        async def admit() -> None:
            await gateway.expect_start()
            snapshot = gateway_pb2.SessionEvent(
                roster_snapshot={"epoch": 7, "sequence": 1, "entries": [entry(ADA)]}
            )
            kept = [data_message(place, str(place)) for place in range(1, 9)]
            await gateway.events(started_event(), snapshot, *kept)

        tasks.create_task(admit())
        async with ada(gateway, SessionOptions(message_limit=3)) as session:
            chat = session.messages("chat")
            assert await texts(chat, 3) == ["1", "2", "3"]
            with pytest.raises(MessagesLostError) as error:
                await anext(chat)
            assert (error.value.limit, error.value.sequence) == (3, 4)


async def test_a_slow_consumer_gets_an_error_and_others_are_unaffected(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, options=SessionOptions(message_limit=3)) as (session, _):
        slow, quick = session.messages("chat"), session.messages()
        for place in range(1, 7):
            await gateway.messages(data_message(place, str(place)))
            assert await texts(quick, 1) == [str(place)]
        assert slow.was_too_slow and session.slow_streams == 1
        assert await texts(slow, 3) == ["1", "2", "3"]
        with pytest.raises(MessagesLostError) as error:
            await anext(slow)
        assert (error.value.limit, error.value.sequence) == (3, 4)
        assert [message async for message in slow] == []
        again = session.messages("chat")
        await gateway.messages(data_message(7, "7"))
        assert await texts(again, 1) == ["7"]
        assert await texts(quick, 1) == ["7"]


async def test_messages_of_another_topic_do_not_fill_a_stream(gateway: ScriptedGateway) -> None:
    async with joining(gateway, options=SessionOptions(message_limit=1)) as (session, _):
        chat, polls = session.messages("chat"), session.messages("polls")
        for place in range(1, 6):
            await gateway.messages(data_message(place, str(place), topic="polls"))
            assert await texts(polls, 1) == [str(place)]
        await gateway.messages(data_message(6, "6"))
        assert await texts(chat, 1) == ["6"]


async def test_at_the_end_of_the_session_a_stream_yields_its_waiting_messages_and_ends(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events):
        chat = session.messages("chat")
        await gateway.messages(data_message(1, "last words"))
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
        )
        assert isinstance(await anext(events), Ended)
        assert [message.text() async for message in chat] == ["last words"]
        assert [message async for message in session.messages("chat")] == []
        assert session.status is not None
        assert session.status.session_status is SessionStatus.AUDIO_SERVER_HUNGUP


async def test_a_stream_ends_if_its_session_never_began(gateway: ScriptedGateway) -> None:
    session = ada(gateway, SessionOptions(start_seconds=0.2))
    chat = session.messages("chat")
    with pytest.raises(carillon.CarillonError):
        await session.__aenter__()
    assert [message async for message in chat] == []


async def test_a_closed_stream_gets_no_more_messages(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        closed, chat = session.messages("chat"), session.messages("chat")
        await gateway.messages(data_message(1, "1"))
        assert await texts(chat, 1) == ["1"]
        closed.close()
        await gateway.messages(data_message(2, "2"))
        assert await texts(chat, 1) == ["2"]
        assert [message.text() async for message in closed] == ["1"]
        assert session.slow_streams == 0


# Losing the connection


async def test_a_resume_sends_the_last_position_and_no_message_arrives_twice(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events):
        chat = session.messages("chat")
        await gateway.messages(data_message(1, "1"), data_message(2, "2"))
        assert await texts(chat, 2) == ["1", "2"]
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        request = await gateway.expect_start()
        assert [(p.stream, p.epoch, p.sequence) for p in request.positions] == [
            ("roster", 7, 10),
            ("messages", 5, 2),
        ]
        await gateway.events(started_event(is_resumed=True, is_recovered=True))
        await gateway.messages(*(data_message(place, str(place)) for place in (1, 2, 3, 4)))
        await gateway.messages(*(data_message(place, str(place)) for place in (3, 4, 5)))
        assert await texts(chat, 3) == ["3", "4", "5"]
        reconnected = await anext(events)
        assert isinstance(reconnected, Reconnected)
        assert reconnected.has_all_messages and reconnected.incomplete_streams == ()


@pytest.mark.parametrize(
    ("started", "has_all"),
    [
        ({"is_resumed": True, "is_recovered": True}, True),
        ({"is_resumed": True, "incomplete_streams": ["transcripts"]}, True),
        ({"is_resumed": True, "incomplete_streams": ["transcripts", "messages"]}, False),
        ({"is_recovered": True}, True),
        ({"session_id": bytes(16)}, False),
    ],
    ids=["whole", "another stream", "lost for good", "dropped meanwhile", "a new session"],
)
async def test_a_resume_reports_whether_messages_are_lost(
    gateway: ScriptedGateway, started: dict[str, Any], has_all: bool
) -> None:
    async with joining(gateway) as (_, events):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        await gateway.admit(**started)
        reconnected = await anext(events)
        assert isinstance(reconnected, Reconnected)
        assert reconnected.has_all_messages == has_all
        assert list(reconnected.incomplete_streams) == started.get("incomplete_streams", [])


async def test_a_gap_detected_after_the_start_is_reported(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        chat = session.messages("chat")
        lost = gateway_pb2.EventsLost(stream="messages")
        await gateway.events(gateway_pb2.SessionEvent(events_lost=lost))
        await gateway.messages(data_message(9, "9"))
        assert await anext(events) == StreamGap("messages")
        assert await texts(chat, 1) == ["9"]


async def test_a_new_session_delivers_only_the_kept_messages_that_are_new(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events):
        chat = session.messages("chat")
        await gateway.messages(data_message(3, "3"))
        assert await texts(chat, 1) == ["3"]
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        await gateway.admit(session_id=bytes(16))
        await gateway.messages(data_message(2, "2"), data_message(3, "3"), data_message(6, "6"))
        assert await texts(chat, 1) == ["6"]


async def test_a_log_with_a_new_epoch_is_read_from_its_start(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        chat = session.messages("chat")
        await gateway.messages(data_message(9, "old"))
        item = gateway_pb2.SessionEvents(
            events=[data_message(10, "older"), data_message(1, "new"), data_message(1, "new")]
        )
        item.positions.add(stream="messages", epoch=5, sequence=10)
        item.positions.add(stream="messages", epoch=6, sequence=1)
        await gateway.send_item(item)
        await gateway.messages(data_message(1, "new"), data_message(2, "newer"), epoch=6)
        assert await texts(chat, 4) == ["old", "older", "new", "newer"]


async def test_a_position_without_a_message_advances_the_reader(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        chat = session.messages("chat")
        item = gateway_pb2.SessionEvents()
        item.positions.add(stream="messages", epoch=5, sequence=7)
        await gateway.send_item(item)
        await gateway.messages(data_message(7, "7"), data_message(8, "8"))
        assert await texts(chat, 1) == ["8"]
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        request = await gateway.admit(is_resumed=True)
        assert isinstance(await anext(events), Reconnected)
        assert ("messages", 5, 8) in [(p.stream, p.epoch, p.sequence) for p in request.positions]


async def test_keep_alives_contain_the_position_of_the_last_read_message(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, keep_alive_ms=50) as (_session, _):
        await gateway.messages(data_message(1), data_message(2))
        told: dict[str, tuple[int, int]] = {}
        while "messages" not in told:
            keep_alive = await gateway.next_keep_alive()
            told |= {p.stream: (p.epoch, p.sequence) for p in keep_alive.positions}
        assert told == {"roster": (7, 10), "messages": (5, 2)}
