"""The session against a scripted gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

import carillon
from carillon import (
    AttendeeEvent,
    CarillonError,
    Credentials,
    Dropped,
    Ended,
    Event,
    EventsLostError,
    EventStream,
    Joined,
    Left,
    Muted,
    Reconnected,
    Reconnecting,
    Session,
    SessionOptions,
    SessionStatus,
    StatusCode,
    StatusReason,
    Unmuted,
    VolumeChanged,
    VolumeLevel,
)
from carillon.v1 import common_pb2 as common, gateway_pb2, presence_pb2, rpc_pb2
from eventually import eventually
from scripted_gateway import (
    ADA,
    GRACE,
    LIN,
    MEETING,
    SESSION,
    TOKEN,
    ScriptedGateway,
    dropped,
    entry,
    joined,
    left,
    mute,
    started_event,
)


def ada(gateway: ScriptedGateway, options: SessionOptions = SessionOptions()) -> Session:
    options = replace(options, gateway_url=gateway.endpoint)
    return carillon.join(MEETING, Credentials(ADA, TOKEN, "ada"), options)


@asynccontextmanager
async def joining(
    gateway: ScriptedGateway,
    *present: presence_pb2.RosterEntry,
    options: SessionOptions = SessionOptions(),
    **admission: Any,
) -> AsyncIterator[tuple[Session, EventStream]]:
    """Opens a session of ada. Yields the session, and its events after the first roster."""
    async with gateway, asyncio.TaskGroup() as tasks:
        tasks.create_task(gateway.admit(*present, **admission))
        async with ada(gateway, options) as session:
            events = session.events()
            for _ in session.roster:
                assert isinstance(await anext(events), Joined)
            yield session, events
            if session.status is None:
                await session.leave()
                await gateway.next("Stop")


async def ids(events: EventStream, count: int) -> list[tuple[type[Event], str]]:
    """Returns the types of the next events, with the names of their attendees."""
    found = [await anext(events) for _ in range(count)]
    return [
        (type(event), event.attendee.external_user_id)
        for event in found
        if isinstance(event, AttendeeEvent)
    ]


async def test_a_client_whose_join_is_cancelled_leaves_once_the_gateway_has_opened_the_session(
    gateway: ScriptedGateway,
) -> None:
    async with gateway:
        session = ada(gateway)
        joining = asyncio.create_task(session.__aenter__())
        await gateway.expect_start()
        joining.cancel()
        await gateway.events(started_event())
        await gateway.next("Stop")
        with pytest.raises(asyncio.CancelledError):
            await joining
        assert session.status is not None and session.status.code is StatusCode.CANCELLED


async def test_cancelling_a_join_does_not_wait_for_an_unresponsive_gateway(
    gateway: ScriptedGateway,
) -> None:
    async with gateway:
        joining = asyncio.create_task(ada(gateway).__aenter__())
        await gateway.expect_start()
        joining.cancel()
        with pytest.raises(asyncio.CancelledError):
            await joining
        assert gateway.take_calls() == []


async def test_a_join_sends_the_credentials_and_returns_with_the_whole_roster(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        admission = tasks.create_task(
            gateway.admit(entry(GRACE, is_muted=True, signal=common.SIGNAL_STRENGTH_LOW))
        )
        async with ada(gateway, SessionOptions(is_muted=True)) as session:
            request = await admission
            assert (request.meeting_id, request.attendee_id) == (MEETING, ADA)
            assert request.join_token == TOKEN and request.is_muted
            assert request.session_id == b"" and not request.positions
            assert list(session.roster) == [ADA, GRACE]
            grace = session.roster[GRACE]
            assert grace.external_user_id == "grace" and grace.is_muted
            assert grace.volume is VolumeLevel.MUTED
            assert grace.signal is carillon.SignalStrength.LOW
            assert session.limits.max_attendees == 250
            assert session.gateway == "gateway-a"


async def test_present_attendees_are_reported_first_and_later_arrivals_and_departures_follow(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, entry(GRACE)) as (session, events):
        await gateway.events(joined(LIN), at=(7, 11))
        await gateway.events(left(GRACE), dropped(LIN), at=(7, 12))
        assert await ids(events, 3) == [(Joined, "lin"), (Left, "grace"), (Dropped, "lin")]
        assert list(session.roster) == [ADA]


async def test_events_that_change_nothing_are_not_reported(gateway: ScriptedGateway) -> None:
    async with joining(gateway, entry(GRACE)) as (_, events):
        await gateway.events(joined(GRACE), left(LIN), mute(GRACE, False), mute(GRACE))
        await gateway.events(mute(GRACE), dropped(GRACE), left(GRACE), joined(LIN))
        assert await ids(events, 4) == [
            (Muted, "grace"),
            (VolumeChanged, "grace"),
            (Dropped, "grace"),
            (Joined, "lin"),
        ]


async def test_two_packed_lists_in_one_item_are_read_as_one_list(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (_, events):
        bodies = [
            gateway_pb2.SessionEvents(events=[event]).SerializeToString()
            for event in (joined(GRACE), joined(LIN))
        ]
        await gateway.send_bytes(b"\x02\x10\x02" + b"".join(bodies))
        assert await ids(events, 2) == [(Joined, "grace"), (Joined, "lin")]


async def test_unknown_events_and_replies_of_a_newer_gateway_are_ignored(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (_, events):
        unknown_event = b"\x02\x10\x02" + b"\x0a\x04\xfa\x3e\x01x"  # Field 1007 of SessionEvent.
        await gateway.send_bytes(unknown_event)
        await gateway.send_bytes(b"\x02\x10\x63")  # A reply whose kind, 99, is unknown.
        await gateway.send(
            gateway.route, rpc_pb2.ReplyHeader(call_id=4711, kind=rpc_pb2.REPLY_KIND_REPLY)
        )
        await gateway.events(joined(GRACE))
        assert await ids(events, 1) == [(Joined, "grace")]


async def test_the_call_mute_returns_when_the_mute_takes_effect(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        for is_muted in (True, False):
            muting = tasks.create_task(session.mute() if is_muted else session.unmute())
            call = await gateway.next("SetMuted")
            assert call.header.session_id == SESSION
            assert 0 < call.header.timeout_us <= 5_000_000
            assert call.read(presence_pb2.SetMutedRequest).is_muted == is_muted
            assert not muting.done()
            await gateway.events(mute(ADA, is_muted))
            await call.reply(presence_pb2.SetMutedReply(is_muted=is_muted))
            await muting
            assert await ids(events, 2) == [
                (Muted if is_muted else Unmuted, "ada"),
                (VolumeChanged, "ada"),
            ]


async def test_an_attendee_cannot_end_an_operators_mute(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        unmuting = tasks.create_task(caught(session.unmute()))
        call = await gateway.next("SetMuted")
        await call.fail(
            common.STATUS_CODE_FAILED_PRECONDITION,
            reason=common.STATUS_REASON_MUTED_BY_OPERATOR,
            message="An operator muted you.",
        )
        error = await unmuting
        assert error.status_code is StatusCode.FAILED_PRECONDITION
        assert error.reason is StatusReason.MUTED_BY_OPERATOR
        assert error.message == "An operator muted you."


async def test_wrong_credentials_are_rejected_with_status_63(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        entering = tasks.create_task(caught(ada(gateway).__aenter__()))
        await gateway.expect_start()
        await gateway.end(
            common.STATUS_CODE_UNAUTHENTICATED,
            session_status=common.SESSION_STATUS_CODE_AUDIO_AUTHENTICATION_REJECTED,
            reason=common.STATUS_REASON_BAD_CREDENTIALS,
        )
        error = await entering
        assert error.status_code is StatusCode.UNAUTHENTICATED
        assert error.session_status is SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        assert error.reason is StatusReason.BAD_CREDENTIALS


async def test_the_error_lists_the_versions_that_a_gateway_serves(gateway: ScriptedGateway) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        entering = tasks.create_task(caught(ada(gateway).__aenter__()))
        call = await gateway.next("Start")
        header = rpc_pb2.ReplyHeader(
            call_id=call.header.call_id,
            kind=rpc_pb2.REPLY_KIND_REPLY,
            status=common.Status(
                code=common.STATUS_CODE_UNIMPLEMENTED,
                reason=common.STATUS_REASON_UNSUPPORTED_VERSION,
            ),
            served_versions=[2, 3],
        )
        await gateway.send(call.route, header)
        error = await entering
        assert error.reason is StatusReason.UNSUPPORTED_VERSION
        assert "2, 3" in error.message


async def test_a_gateway_that_is_not_ready_is_tried_again(gateway: ScriptedGateway) -> None:
    async with asyncio.TaskGroup() as tasks:
        session = ada(gateway)
        entering = tasks.create_task(session.__aenter__())
        await asyncio.sleep(0)  # The first attempt finds no gateway.
        async with gateway:
            await gateway.admit()
            await entering
            await session.leave()


async def test_a_gateway_that_ignores_a_start_is_unavailable(gateway: ScriptedGateway) -> None:
    error = await caught(ada(gateway, SessionOptions(start_seconds=0.3)).__aenter__())
    assert error.status_code is StatusCode.UNAVAILABLE


@pytest.mark.parametrize(
    "status",
    [
        {"code": common.STATUS_CODE_UNAVAILABLE},
        {"code": common.STATUS_CODE_ABORTED, "reason": common.STATUS_REASON_STALE_TERM},
        {"code": common.STATUS_CODE_RESOURCE_EXHAUSTED, "reason": common.STATUS_REASON_OVERLOADED},
        {"code": common.STATUS_CODE_UNAUTHENTICATED},
    ],
)
async def test_a_mute_is_retried_while_it_cannot_be_served(
    gateway: ScriptedGateway, status: dict[str, int]
) -> None:
    async with joining(gateway) as (session, _), asyncio.TaskGroup() as tasks:
        muting = tasks.create_task(session.mute())
        await (await gateway.next("SetMuted")).fail(**status)
        await (await gateway.next("SetMuted")).reply(presence_pb2.SetMutedReply(is_muted=True))
        await muting


@pytest.mark.parametrize("is_muted", [True, False])
async def test_a_client_resumes_muted_if_it_cancelled_its_last_mute_or_unmute(
    gateway: ScriptedGateway, is_muted: bool
) -> None:
    options = SessionOptions(is_muted=not is_muted)
    async with joining(gateway, options=options) as (session, events):
        calling = asyncio.create_task(session.mute() if is_muted else session.unmute())
        await gateway.next("SetMuted")
        calling.cancel()
        with pytest.raises(asyncio.CancelledError):
            await calling
        await gateway.next("CANCEL")
        await gateway.end(common.STATUS_CODE_UNAVAILABLE, reason=common.STATUS_REASON_DRAINING)
        request = await gateway.admit(is_resumed=True)
        assert request.is_muted
        assert isinstance(await anext(events), Reconnecting)
        assert isinstance(await anext(events), Reconnected)


async def test_a_session_that_was_not_entered_accepts_no_calls(gateway: ScriptedGateway) -> None:
    error = await caught(ada(gateway).mute())
    assert error.status_code is StatusCode.FAILED_PRECONDITION


async def test_keep_alives_contain_the_received_positions(gateway: ScriptedGateway) -> None:
    async with joining(gateway, keep_alive_ms=100) as (_, events):
        first = await gateway.next_keep_alive()
        assert first.received_bytes == gateway.sent_item_bytes
        assert [(p.stream, p.epoch, p.sequence) for p in first.positions] == [("roster", 7, 10)]
        await gateway.events(joined(GRACE), at=(7, 11))
        await anext(events)
        while (
            keep_alive := await gateway.next_keep_alive()
        ).received_bytes == first.received_bytes:
            assert not keep_alive.positions
        assert keep_alive.received_bytes == gateway.sent_item_bytes
        assert [(p.stream, p.epoch, p.sequence) for p in keep_alive.positions] == [
            ("roster", 7, 11)
        ]


async def test_a_lost_session_resumes_with_the_missed_events(gateway: ScriptedGateway) -> None:
    async with joining(gateway, entry(GRACE), options=SessionOptions(is_muted=True)) as (
        session,
        events,
    ):
        await gateway.events(joined(LIN), at=(7, 11))
        assert await ids(events, 1) == [(Joined, "lin")]
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        request = await gateway.expect_start()
        assert request.session_id == SESSION and request.is_muted
        assert [(p.stream, p.epoch, p.sequence) for p in request.positions] == [("roster", 7, 11)]
        await gateway.events(started_event(is_resumed=True, is_recovered=True))
        await gateway.events(left(GRACE), at=(7, 12))
        assert await anext(events) == Reconnected(is_resumed=True, is_recovered=True)
        assert await ids(events, 1) == [(Left, "grace")]
        assert list(session.roster) == [ADA, LIN]


async def test_a_snapshot_of_a_new_epoch_is_reported_as_changes(gateway: ScriptedGateway) -> None:
    async with joining(gateway, entry(GRACE)) as (session, events):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        request = await gateway.admit(entry(LIN), at=(8, 2), is_resumed=True)
        assert [(p.epoch, p.sequence) for p in request.positions] == [(7, 10)]
        assert await anext(events) == Reconnected(is_resumed=True, is_recovered=False)
        assert await ids(events, 2) == [(Joined, "lin"), (Dropped, "grace")]
        assert list(session.roster) == [ADA, LIN]


async def test_a_session_reports_attendees_that_are_missing_after_a_recovery(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, entry(GRACE)) as (session, _):
        snapshot = presence_pb2.RosterSnapshot(epoch=9, sequence=1, entries=[entry(ADA)])
        await gateway.events(gateway_pb2.SessionEvent(roster_snapshot=snapshot), at=(9, 1))
        await gateway.events(joined(LIN), at=(9, 2))
        await eventually("lin in the roster", lambda: LIN in session.roster)
        assert GRACE in session.roster
        everybody = [(Joined, "ada"), (Joined, "grace"), (Joined, "lin")]
        assert await ids(session.events(), 3) == everybody


async def test_a_snapshot_may_arrive_within_a_session(gateway: ScriptedGateway) -> None:
    async with joining(gateway, entry(GRACE)) as (_, events):
        snapshot = presence_pb2.RosterSnapshot(
            epoch=9, sequence=1, entries=[entry(ADA, is_muted=True), entry(GRACE)]
        )
        await gateway.events(gateway_pb2.SessionEvent(roster_snapshot=snapshot), at=(9, 1))
        assert await ids(events, 2) == [(Muted, "ada"), (VolumeChanged, "ada")]


async def test_a_session_that_cannot_resume_continues_with_a_new_id(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        gateway.vanish()
        await anext(events)
        gateway.listen()
        await gateway.admit(session_id=bytes(16))
        await anext(events)
        muting = tasks.create_task(session.mute())
        call = await gateway.next("SetMuted")
        assert call.header.session_id == bytes(16)
        await call.reply(presence_pb2.SetMutedReply(is_muted=True))
        await muting


async def test_the_client_gives_up_a_silent_gateway_after_three_keep_alives(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, keep_alive_ms=100) as (_, events):
        gateway.is_silent = True
        lost = await anext(events)
        assert isinstance(lost, Reconnecting)
        assert lost.status.reason is StatusReason.KEEP_ALIVE_LOST
        gateway.is_silent = False
        request = await gateway.admit(is_resumed=True)
        assert request.session_id == SESSION
        assert isinstance(await anext(events), Reconnected)


async def test_the_client_resumes_when_the_gateway_no_longer_knows_the_clients_session(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, keep_alive_ms=100) as (_, events):
        gateway.is_silent = True
        await gateway.next_keep_alive()
        header = rpc_pb2.ReplyHeader(
            call_id=2,
            kind=rpc_pb2.REPLY_KIND_REPLY,
            status=common.Status(code=common.STATUS_CODE_UNAUTHENTICATED),
        )
        await gateway.send(gateway.route, header)
        lost = await anext(events)
        assert isinstance(lost, Reconnecting)
        assert lost.status.code is StatusCode.UNAUTHENTICATED
        gateway.is_silent = False
        await gateway.admit(is_resumed=True)
        assert isinstance(await anext(events), Reconnected)


@pytest.mark.parametrize(
    "frame",
    [
        b"",
        b"\x05\x08",
        b"\xff\xff\xff\xff\xff\xff",
        b"\x81\x20" + bytes(4097),
        b"\x02\xff\xff",
        b"\x02\x10\x02\xff\xff",
        b"\x02\x10\x02" + b"\x12\x03\x0a\x01\xff",
        b"\x04\x10\x02\x20\x01",
    ],
    ids=[
        "nothing",
        "cut off",
        "endless length",
        "long header",
        "no header",
        "no item",
        "no UTF-8",
        "raw frame missing",
    ],
)
async def test_undecodable_bytes_make_the_client_resume(
    gateway: ScriptedGateway, frame: bytes
) -> None:
    async with joining(gateway) as (_, events):
        await gateway.send_bytes(frame)
        lost = await anext(events)
        assert isinstance(lost, Reconnecting) and lost.status.reason is StatusReason.MALFORMED
        request = await gateway.admit(entry(GRACE), is_resumed=True)
        assert [(p.epoch, p.sequence) for p in request.positions] == [(7, 10)]
        assert isinstance(await anext(events), Reconnected)
        assert await ids(events, 1) == [(Joined, "grace")]


async def test_a_stream_whose_first_item_is_not_the_session_is_opened_again(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        session = ada(gateway)
        entering = tasks.create_task(session.__aenter__())
        await gateway.expect_start()
        await gateway.events(joined(GRACE))
        await gateway.admit()
        await entering
        await session.leave()


async def test_a_session_that_the_gateway_ends_has_a_final_status(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        await gateway.end(
            common.STATUS_CODE_NOT_FOUND,
            session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
            reason=common.STATUS_REASON_MEETING_DELETED,
            message="The meeting was deleted.",
        )
        ended = await anext(events)
        assert isinstance(ended, Ended) and ended.status == session.status
        assert ended.status.session_status is SessionStatus.AUDIO_SERVER_HUNGUP
        assert ended.status.reason is StatusReason.MEETING_DELETED
        assert [event async for event in events] == []
        late = [event async for event in session.events()]
        assert late[-1] == ended and len(late) == 2
        error = await caught(session.mute())
        assert error.session_status is SessionStatus.AUDIO_SERVER_HUNGUP


async def test_a_session_that_ends_at_its_start_reports_its_join_and_its_end(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        entering = tasks.create_task(ada(gateway).__aenter__())
        call = await gateway.next("Start")
        snapshot = presence_pb2.RosterSnapshot(epoch=7, sequence=1, entries=[entry(ADA)])
        item = gateway_pb2.SessionEvents(
            events=[started_event(), gateway_pb2.SessionEvent(roster_snapshot=snapshot)]
        ).SerializeToString()
        end = rpc_pb2.ReplyHeader(
            kind=rpc_pb2.REPLY_KIND_END,
            status=common.Status(
                code=common.STATUS_CODE_NOT_FOUND,
                session_status=common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
            ),
        ).SerializeToString()
        await gateway.send_bytes(b"\x02\x10\x02" + item, call.route)
        await gateway.send_bytes(bytes([len(end)]) + end, call.route)
        session = await entering
        kinds = [type(event) async for event in session.events()]
        assert kinds == [Joined, Ended]
        await session.leave()


async def test_the_last_events_of_a_stopping_gateway_are_reported(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        for sequence in range(100):
            await gateway.events(joined(GRACE), left(GRACE), at=(7, 11 + sequence))
        await gateway.end(
            common.STATUS_CODE_ABORTED,
            session_status=common.SESSION_STATUS_CODE_AUDIO_JOINED_FROM_ANOTHER_DEVICE,
        )
        assert len([event async for event in events]) == 201
        gateway.vanish()
        assert session.status is not None
        assert session.status.session_status is SessionStatus.AUDIO_JOINED_FROM_ANOTHER_DEVICE


@pytest.mark.parametrize(
    "status",
    [
        {
            "code": common.STATUS_CODE_RESOURCE_EXHAUSTED,
            "session_status": common.SESSION_STATUS_CODE_AUDIO_SERVER_HUNGUP,
            "reason": common.STATUS_REASON_SLOW_CONSUMER,
        },
        {"code": common.STATUS_CODE_UNAVAILABLE, "reason": common.STATUS_REASON_DRAINING},
        {"code": common.STATUS_CODE_UNAVAILABLE, "reason": common.STATUS_REASON_KEEP_ALIVE_LOST},
        {
            "code": common.STATUS_CODE_UNAVAILABLE,
            "session_status": common.SESSION_STATUS_CODE_AUDIO_SERVICE_UNAVAILABLE,
        },
    ],
    ids=["slow", "draining", "silent", "presence is away"],
)
async def test_a_client_resumes_when_the_gateway_requests_a_resume(
    gateway: ScriptedGateway, status: dict[str, int]
) -> None:
    async with joining(gateway) as (_, events):
        await gateway.end(**status)
        assert isinstance(await anext(events), Reconnecting)
        request = await gateway.admit(is_resumed=True)
        assert request.session_id == SESSION
        assert isinstance(await anext(events), Reconnected)


async def test_a_rejected_start_is_repeated_after_the_requested_time(
    gateway: ScriptedGateway,
) -> None:
    loop = asyncio.get_running_loop()
    pauses: list[float] = []

    async def serve() -> None:
        await gateway.expect_start()
        sent_away = loop.time()
        await gateway.end(
            common.STATUS_CODE_UNAVAILABLE,
            reason=common.STATUS_REASON_OVERLOADED,
            retry_after_ms=700,
        )
        await gateway.admit()
        pauses.append(loop.time() - sent_away)

    async with gateway, asyncio.TaskGroup() as tasks:
        tasks.create_task(serve())
        async with ada(gateway, SessionOptions()) as session:
            # The client's own first pause is 100 ms at most.
            assert pauses[0] >= 0.7
            await session.leave()
            await gateway.next("Stop")


async def test_a_rejected_resume_ends_the_session(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, events):
        gateway.vanish()
        await anext(events)
        gateway.listen()
        await gateway.expect_start()
        await gateway.end(
            common.STATUS_CODE_FAILED_PRECONDITION,
            session_status=common.SESSION_STATUS_CODE_AUDIO_CALL_ENDED,
        )
        ended = await anext(events)
        assert isinstance(ended, Ended)
        assert ended.status.session_status is SessionStatus.AUDIO_CALL_ENDED
        assert session.status == ended.status


async def test_each_lost_connection_is_reported_even_during_a_resume(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (_, events):
        gateway.vanish()
        await anext(events)
        gateway.listen()
        await gateway.expect_start()
        await gateway.events(started_event(is_resumed=True))
        assert isinstance(await anext(events), Reconnected)
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        gateway.listen()
        await gateway.admit(is_resumed=True)
        assert isinstance(await anext(events), Reconnected)


async def test_a_session_ends_if_it_cannot_resume_in_time(gateway: ScriptedGateway) -> None:
    async with joining(gateway, options=SessionOptions(reconnect_seconds=0.3)) as (_, events):
        gateway.vanish()
        assert isinstance(await anext(events), Reconnecting)
        ended = await anext(events)
        assert isinstance(ended, Ended)
        assert ended.status.session_status is SessionStatus.AUDIO_DISCONNECTED
        assert ended.status.code is StatusCode.UNAVAILABLE


async def test_the_next_start_declares_a_mute_made_during_the_reconnect(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events), asyncio.TaskGroup() as tasks:
        gateway.vanish()
        await anext(events)
        muting = tasks.create_task(session.mute())
        await asyncio.sleep(0)
        gateway.listen()
        request = await gateway.admit(is_resumed=True)
        assert request.is_muted
        call = await gateway.next("SetMuted")
        await call.reply(presence_pb2.SetMutedReply(is_muted=True))
        await muting


async def test_a_leave_is_sent_to_the_gateway_and_is_the_last_event(
    gateway: ScriptedGateway,
) -> None:
    async with gateway, asyncio.TaskGroup() as tasks:
        tasks.create_task(gateway.admit())
        async with ada(gateway) as session:
            events = session.events()
        stop = await gateway.next("Stop")
        assert stop.header.session_id == SESSION
        kinds = [type(event) async for event in events]
        assert kinds == [Joined, Ended]
        assert session.status is not None and session.status.is_ok
        await session.leave()


async def test_a_leave_does_not_wait_for_an_absent_gateway(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, events):
        gateway.vanish()
        await anext(events)
        await session.leave()
        assert isinstance(await anext(events), Ended)


async def test_a_too_slow_consumer_gets_an_error_and_may_open_another_stream(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, options=SessionOptions(event_limit=3)) as (session, events):
        watching = session.events()
        await gateway.events(joined(GRACE), left(GRACE), joined(GRACE), left(GRACE), joined(LIN))
        assert await ids(watching, 4) == [
            (Joined, "ada"),
            (Joined, "grace"),
            (Left, "grace"),
            (Joined, "grace"),
        ]
        with pytest.raises(EventsLostError) as error:
            await anext(watching)
        assert error.value.limit == 3
        assert watching.was_too_slow and session.slow_streams == 2
        assert [event async for event in watching] == []
        assert len(await ids(events, 3)) == 3
        again = session.events()
        assert await ids(again, 2) == [(Joined, "ada"), (Joined, "lin")]
        await gateway.events(left(LIN))
        assert await ids(again, 1) == [(Left, "lin")]


async def test_a_session_can_be_entered_only_once(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        with pytest.raises(RuntimeError):
            await session.__aenter__()


async def caught(call: Any) -> CarillonError:
    with pytest.raises(CarillonError) as error:
        await call
    return error.value
