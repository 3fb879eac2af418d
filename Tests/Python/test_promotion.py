"""Promotion from a replica, against a scripted gateway."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

import carillon
from carillon import (
    AttendeeInfo,
    CarillonError,
    Credentials,
    Demoted,
    Event,
    MediaDirection,
    PublishedEnded,
    Reconnected,
    Session,
    SessionOptions,
    SessionStatus,
    StatusCode,
    ThrottledError,
    VideoCodec,
    VideoLayer,
)
from carillon.v1 import (
    common_pb2 as common,
    gateway_pb2,
    presence_pb2 as presence,
    video_tiles_pb2 as video,
)
from scripted_gateway import (
    ADA,
    GRACE,
    LIN,
    MEETING,
    TOKEN,
    ScriptedGateway,
    entry,
    info,
    joined,
    mute,
    number,
)

E = TypeVar("E", bound=Event)

PRIMARY = "9f9f9f9f-2a0b-4a51-9d3c-0e6f1a2b3c4d"
AS_GRACE = Credentials(GRACE, "token-of-grace", "grace")
DELETED = SessionStatus.AUDIO_AUTHENTICATION_REJECTED
FAILED = SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
LAYERS = [VideoLayer(320, 180, 15, 150_000, VideoCodec.VP8)]


@asynccontextmanager
async def replica(
    tmp_path: Path, *, primary: str = PRIMARY
) -> AsyncIterator[tuple[Session, ScriptedGateway]]:
    """Opens a session of ada in a replica, with lin in the roster."""
    endpoint = f"ipc://{tmp_path}/gateway"
    async with ScriptedGateway(endpoint) as gateway:
        session = carillon.join(
            MEETING, Credentials(ADA, TOKEN, "ada"), SessionOptions(gateway_url=endpoint)
        )
        entering = asyncio.create_task(session.__aenter__())
        await gateway.admit(entry(LIN), primary_meeting_id=primary)
        await entering
        yield session, gateway
        await session.leave()


def reply(attendee_id: str = GRACE, **fields: Any) -> gateway_pb2.PromoteToPrimaryMeetingReply:
    return gateway_pb2.PromoteToPrimaryMeetingReply(attendee=info(attendee_id), **fields)


async def promote(session: Session, gateway: ScriptedGateway) -> AttendeeInfo:
    asking = asyncio.create_task(session.promote(AS_GRACE))
    await (await gateway.next("PromoteToPrimaryMeeting")).reply(reply())
    return await asking


def ended(attendee_id: str, session_status: SessionStatus) -> gateway_pb2.SessionEvent:
    return gateway_pb2.SessionEvent(
        demoted_from_primary_meeting=gateway_pb2.DemotedFromPrimaryMeeting(
            attendee=info(attendee_id),
            status=common.Status(
                code=common.STATUS_CODE_ABORTED,
                session_status=number(session_status),
            ),
        )
    )


async def next_of(kind: type[E], events: carillon.EventStream) -> E:
    async for event in events:
        if isinstance(event, kind):
            return event
    raise AssertionError("the session is over")


async def test_a_session_knows_whether_it_is_in_a_replica(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, _):
        assert session.is_replica and session.primary_meeting_id == PRIMARY
        assert session.promoted_as is None


async def test_a_meeting_without_a_primary_is_not_a_replica(tmp_path: Path) -> None:
    async with replica(tmp_path, primary="") as (session, _):
        assert not session.is_replica and session.primary_meeting_id is None


async def test_the_client_sends_the_credentials_to_the_gateway(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, gateway):
        asking = asyncio.create_task(session.promote(AS_GRACE))
        call = await gateway.next("PromoteToPrimaryMeeting")
        asked = call.read(gateway_pb2.PromoteToPrimaryMeetingRequest)
        assert (asked.attendee_id, asked.external_user_id) == (GRACE, "grace")
        assert asked.join_token == "token-of-grace"
        may = common.Capabilities(audio=common.MEDIA_DIRECTION_RECEIVE)
        await call.reply(reply(capabilities=may))
        assert await asking == AttendeeInfo(GRACE, "grace")
        assert session.promoted_as == AttendeeInfo(GRACE, "grace")
        assert session.capabilities.audio is MediaDirection.RECEIVE


@pytest.mark.parametrize(
    "status",
    [
        SessionStatus.AUDIO_AUTHENTICATION_REJECTED,
        SessionStatus.AUDIO_CALL_AT_CAPACITY,
        SessionStatus.AUDIO_INTERNAL_SERVER_ERROR,
    ],
)
async def test_an_error_states_why_the_promotion_failed(
    tmp_path: Path, status: SessionStatus
) -> None:
    async with replica(tmp_path) as (session, gateway):
        asking = asyncio.create_task(session.promote(AS_GRACE))
        call = await gateway.next("PromoteToPrimaryMeeting")
        await call.fail(common.STATUS_CODE_FAILED_PRECONDITION, session_status=number(status))
        with pytest.raises(CarillonError) as refused:
            await asking
        assert refused.value.session_status is status
        assert session.promoted_as is None


@pytest.mark.parametrize("was_promoted", [True, False])
async def test_a_demotion_returns_whether_the_session_was_promoted(
    tmp_path: Path, was_promoted: bool
) -> None:
    async with replica(tmp_path) as (session, gateway):
        await promote(session, gateway)
        events = session.events()
        asking = asyncio.create_task(session.demote())
        call = await gateway.next("DemoteFromPrimaryMeeting")
        await call.reply(gateway_pb2.DemoteFromPrimaryMeetingReply(was_promoted=was_promoted))
        assert await asking is was_promoted
        assert session.promoted_as is None
        await session.leave()
        assert not [event async for event in events if isinstance(event, Demoted)]


async def test_a_promotion_that_the_server_ends_is_reported_once(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, gateway):
        await promote(session, gateway)
        events = session.events()
        await gateway.events(ended(LIN, FAILED), ended(GRACE, DELETED), ended(GRACE, DELETED))
        demoted = await next_of(Demoted, events)
        assert demoted.attendee == AttendeeInfo(GRACE, "grace")
        assert demoted.status.session_status is SessionStatus.AUDIO_AUTHENTICATION_REJECTED
        assert session.promoted_as is None
        await session.leave()
        assert not [event async for event in events if isinstance(event, Demoted)]


async def test_a_promotion_may_end_directly_after_the_answer(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, gateway):
        events = session.events()
        asking = asyncio.create_task(session.promote(AS_GRACE))
        call = await gateway.next("PromoteToPrimaryMeeting")
        await call.reply(reply())
        await gateway.events(ended(GRACE, FAILED))
        await asking
        await next_of(Demoted, events)
        assert session.promoted_as is None


async def test_a_lost_connection_ends_a_promotion(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, gateway):
        await promote(session, gateway)
        events = session.events()
        await gateway.end(common.STATUS_CODE_UNAVAILABLE)
        await next_of(carillon.Reconnecting, events)
        assert session.promoted_as is None
        await gateway.admit(entry(LIN), primary_meeting_id=PRIMARY, is_resumed=True)
        later = [await anext(events), await anext(events)]
        assert isinstance(later[0], Reconnected)
        assert isinstance(later[1], Demoted)
        assert later[1].status.session_status is SessionStatus.AUDIO_INTERNAL_SERVER_ERROR
        await promote(session, gateway)
        assert session.promoted_as == AttendeeInfo(GRACE, "grace")


async def test_a_promoted_sessions_video_is_not_declared_after_a_lost_connection(
    tmp_path: Path,
) -> None:
    async with replica(tmp_path) as (session, gateway):
        await promote(session, gateway)
        publishing = asyncio.create_task(session.video.publish(LAYERS))
        call = await gateway.next("PublishVideo")
        published = call.read(video.PublishVideoRequest).video
        published.tile_id = 9
        await call.reply(video.PublishVideoReply(video=published))
        await publishing
        told = session.video.events()
        await gateway.end(common.STATUS_CODE_UNAVAILABLE)
        start = await gateway.admit(entry(LIN), primary_meeting_id=PRIMARY, is_resumed=True)
        assert not start.video.published
        assert session.video.published is None
        assert isinstance(await anext(told), PublishedEnded)


async def test_the_videos_of_the_promoted_attendee_are_the_sessions_own_videos(
    tmp_path: Path,
) -> None:
    def source(attendee_id: str, tile_id: int) -> video.VideoSource:
        return video.VideoSource(tile_id=tile_id, attendee=info(attendee_id))

    def available(*sources: video.VideoSource) -> gateway_pb2.SessionEvent:
        changed = video.VideoSourcesChanged(available=sources)
        return gateway_pb2.SessionEvent(video_sources_changed=changed)

    async with replica(tmp_path) as (session, gateway):
        await gateway.events(available(source(GRACE, 1)))
        seen = session.video.events()
        assert isinstance(await anext(seen), carillon.SourceAvailable)
        await promote(session, gateway)
        assert isinstance(await anext(seen), carillon.SourceUnavailable)
        await gateway.events(available(source(GRACE, 2), source(LIN, 3)))
        news = await anext(seen)
        assert isinstance(news, carillon.SourceAvailable) and news.source.attendee_id == LIN
        assert list(session.video.sources) == [LIN]


async def test_a_returned_message_has_the_promoted_attendee_as_its_sender(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, gateway):
        await promote(session, gateway)
        sending = asyncio.create_task(session.send("chat", "too much"))
        await (await gateway.next("SendDataMessage")).throttle(10)
        with pytest.raises(ThrottledError) as refused:
            await sending
        assert refused.value.returned.sender.attendee_id == GRACE


async def test_a_session_that_has_ended_cannot_be_promoted(tmp_path: Path) -> None:
    async with replica(tmp_path) as (session, _):
        await session.leave()
        with pytest.raises(CarillonError) as refused:
            await session.promote(AS_GRACE)
        assert refused.value.status_code is StatusCode.FAILED_PRECONDITION


async def test_changes_of_an_absent_attendee_change_no_roster(
    tmp_path: Path,
) -> None:
    async with replica(tmp_path) as (session, gateway):
        events = session.events()
        capabilities = presence.CapabilitiesChanged(attendee_id=GRACE)
        await gateway.events(
            mute(GRACE),
            gateway_pb2.SessionEvent(capabilities_changed=capabilities),
            joined(GRACE),
        )
        told = await next_of(carillon.Joined, events)
        while told.attendee.attendee_id != GRACE:
            told = await next_of(carillon.Joined, events)
        assert not told.attendee.is_muted
