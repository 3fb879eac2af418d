"""Video in the session, against a scripted gateway."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

import pytest

from carillon import (
    CameraAvailability,
    CarillonError,
    EventsLostError,
    PublishedEnded,
    PublishedMoved,
    Session,
    SessionOptions,
    SessionStatus,
    SourceAvailable,
    SourceChanged,
    SourceEvent,
    SourceUnavailable,
    StatusCode,
    TileAdded,
    TileEvent,
    TilePaused,
    TileRemoved,
    TileResumed,
    VideoCodec,
    VideoContentHint,
    VideoEvent,
    VideoKind,
    VideoLayer,
    VideoPauseState,
    VideoPriority,
    VideoStream,
    VideoSubscription,
)
from carillon.v1 import common_pb2 as common, gateway_pb2, video_tiles_pb2 as tiles
from scripted_gateway import ADA, GRACE, LIN, SESSION, Call, ScriptedGateway, info
from test_session import joining

LAYERS = [VideoLayer(320, 180, 15, 200_000), VideoLayer(1_280, 720, 30, 1_200_000)]
CAMERA = tiles.VIDEO_SOURCE_KIND_CAMERA
UNPAUSED = tiles.TILE_PAUSE_STATE_UNPAUSED
BY_USER = tiles.TILE_PAUSE_STATE_PAUSED_BY_USER_REQUEST
FOR_BANDWIDTH = tiles.TILE_PAUSE_STATE_PAUSED_FOR_POOR_CONNECTION
Result = TypeVar("Result")


def declared(session: Session) -> tiles.VideoChoices:
    """Returns the video choices that a resuming Start declares."""
    request = gateway_pb2.StartRequest(session_id=SESSION)
    session.video.declare(request)
    return request.video


def source(tile_id: int, attendee_id: str, *ssrcs: int) -> tiles.VideoSource:
    made = tiles.VideoSource(
        tile_id=tile_id, attendee=info(attendee_id), kind=CAMERA, track_ssrc=tile_id + 1_000
    )
    for ssrc in ssrcs or (tile_id + 2_000,):
        made.layers.add(
            ssrc=ssrc,
            width=640,
            height=360,
            frames_per_second=30,
            bits_per_second=600_000,
            codec=tiles.VIDEO_CODEC_VP8,
        )
    return made


def state(tile_id: int, attendee_id: str, pause_state: int = UNPAUSED) -> tiles.TileState:
    return tiles.TileState(
        tile_id=tile_id,
        participant_id=attendee_id,
        pause_state=tiles.TilePauseState.Name(pause_state),
        layer=1,
    )


def board(
    *sources: tiles.VideoSource, own: list[tiles.TileState] | None = None, epoch: int = 5
) -> gateway_pb2.SessionEvent:
    snapshot = tiles.TileBoardSnapshot(epoch=epoch, sources=sources)
    camera = tiles.CameraAvailabilityChanged(is_available=True)
    snapshot.receivers.add(participant_id=ADA, tiles=own or [], camera=camera)
    return gateway_pb2.SessionEvent(tile_board_snapshot=snapshot)


def sources_event(
    available: tuple[tiles.VideoSource, ...] = (), unavailable: tuple[tiles.VideoSource, ...] = ()
) -> gateway_pb2.SessionEvent:
    changed = tiles.VideoSourcesChanged(available=available, unavailable=unavailable)
    return gateway_pb2.SessionEvent(video_sources_changed=changed)


def tiles_event(*states: tiles.TileState) -> gateway_pb2.SessionEvent:
    return gateway_pb2.SessionEvent(tiles_changed=tiles.TilesChanged(tiles=states))


async def told(stream: VideoStream, count: int) -> list[tuple[type[VideoEvent], object]]:
    """Returns the types of the next events, each with its source's name or its tile id."""
    found: list[tuple[type[VideoEvent], object]] = []
    for _ in range(count):
        match event := await anext(stream):
            case SourceEvent(about):
                found.append((type(event), about.external_user_id))
            case TileEvent(tile):
                found.append((type(event), tile.tile_id))
            case _:
                found.append((type(event), None))
    return found


async def during(
    gateway: ScriptedGateway, method: str, work: Coroutine[Any, Any, Result]
) -> tuple[Call, asyncio.Task[Result]]:
    """Starts a call, and returns its request and its task."""
    task = asyncio.create_task(work)
    return await gateway.next(method), task


async def publishing(gateway: ScriptedGateway, work: Coroutine[Any, Any, Result]) -> Result:
    """Answers a call that publishes video with tile 7, track 70 and layers from 71."""
    call, task = await during(gateway, "PublishVideo", work)
    video = call.read(tiles.PublishVideoRequest).video
    video.tile_id, video.track_ssrc = 7, 70
    for index, layer in enumerate(video.layers):
        layer.ssrc = layer.ssrc or 71 + index
    await call.reply(tiles.PublishVideoReply(video=video))
    return await task


async def test_new_and_ended_sources_and_tiles_are_reported_once(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        early = session.video.events()
        first = board(source(1, GRACE), source(9, ADA), own=[state(1, GRACE)])
        await gateway.events(first)
        assert await told(early, 3) == [
            (SourceAvailable, "grace"),
            (TileAdded, 1),
            (CameraAvailability, None),
        ]
        await gateway.events(first)
        await gateway.events(sources_event((source(2, LIN),)), tiles_event(state(2, LIN)))
        await gateway.events(sources_event((source(2, LIN, 80, 81),)))
        await gateway.events(tiles_event(state(2, LIN, FOR_BANDWIDTH)))
        await gateway.events(tiles_event(state(2, LIN, BY_USER), state(2, LIN)))
        await gateway.events(sources_event((), (source(1, GRACE), source(5, GRACE))))
        assert await told(early, 8) == [
            (SourceAvailable, "lin"),
            (TileAdded, 2),
            (SourceChanged, "lin"),
            (TilePaused, 2),
            (TilePaused, 2),
            (TileResumed, 2),
            (TileRemoved, 1),
            (SourceUnavailable, "grace"),
        ]
        assert list(session.video.sources) == [LIN] and list(session.video.tiles) == [2]
        late = session.video.events()
        assert await told(late, 3) == [
            (SourceAvailable, "lin"),
            (TileAdded, 2),
            (CameraAvailability, None),
        ]


async def test_a_source_that_is_missing_in_a_new_epoch_ends_only_after_the_grace_period(
    gateway: ScriptedGateway,
) -> None:
    limits = common.Limits(drop_after_seconds=1)
    async with joining(gateway, limits=limits) as (session, _):
        stream = session.video.events()
        await gateway.events(
            board(source(1, GRACE), source(2, LIN), own=[state(1, GRACE), state(2, LIN)])
        )
        await told(stream, 5)
        await gateway.events(board(epoch=6))
        await gateway.events(sources_event((source(2, LIN),)))
        assert list(session.video.tiles) == [1, 2]
        assert await told(stream, 2) == [(TileRemoved, 1), (SourceUnavailable, "grace")]
        assert list(session.video.sources) == [LIN]
        # Within one epoch, a missing source ends immediately, and a new tile id is a new source.
        await gateway.events(board(source(3, LIN), own=[state(3, LIN)], epoch=6))
        assert await told(stream, 4) == [
            (TileRemoved, 2),
            (SourceUnavailable, "lin"),
            (SourceAvailable, "lin"),
            (TileAdded, 3),
        ]


async def test_a_published_camera_keeps_its_ids_when_the_camera_changes(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        work = session.video.publish(LAYERS, VideoContentHint.MOTION)
        published = await publishing(gateway, work)
        assert published.kind is VideoKind.CAMERA and published.tile_id == 7
        assert [layer.ssrc for layer in published.layers] == [71, 72]
        assert published == session.video.published
        call, task = await during(gateway, "PublishVideo", session.video.publish(LAYERS[:1]))
        video = call.read(tiles.PublishVideoRequest).video
        assert (video.tile_id, video.track_ssrc, video.layers[0].ssrc) == (7, 70, 71)
        assert video.layers[0].codec == tiles.VIDEO_CODEC_VP8
        await call.reply(tiles.PublishVideoReply(video=video))
        assert (await task).layers[0].codec is VideoCodec.VP8
        call, gone = await during(gateway, "UnpublishVideo", session.video.unpublish())
        assert call.read(tiles.UnpublishVideoRequest).kind == CAMERA
        await call.reply(tiles.UnpublishVideoReply())
        await gone
        assert session.video.published is None


async def test_a_camera_beyond_the_limit_is_rejected_with_206_and_nothing_is_published(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        call, task = await during(gateway, "PublishVideo", session.video.publish(LAYERS))
        await call.fail(
            common.STATUS_CODE_RESOURCE_EXHAUSTED,
            session_status=common.SESSION_STATUS_CODE_VIDEO_AT_CAPACITY_VIEW_ONLY,
        )
        with pytest.raises(CarillonError) as refused:
            await task
        assert refused.value.session_status is SessionStatus.VIDEO_AT_CAPACITY_VIEW_ONLY
        assert session.video.published is None and not declared(session).published


async def test_a_call_is_retried_while_the_service_is_absent(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        call, task = await during(gateway, "SetRemoteVideo", session.video.start_remote_video())
        await call.fail(common.STATUS_CODE_UNAVAILABLE)
        call = await gateway.next("SetRemoteVideo")
        assert call.read(tiles.SetRemoteVideoRequest).is_receiving
        await call.reply(tiles.SetRemoteVideoReply())
        await task
        assert session.video.is_receiving


async def test_the_client_sends_subscriptions_and_forgets_those_of_ended_sources(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        stream = session.video.events()
        await gateway.events(board(source(1, GRACE), source(2, LIN)))
        await told(stream, 3)
        assert session.video.subscriptions is None
        wanted = {
            GRACE: VideoSubscription(VideoPriority.HIGHEST, 1_280, 720),
            LIN: VideoSubscription(VideoPriority.LOW),
            "nobody": VideoSubscription(),
        }
        call, task = await during(
            gateway, "UpdateVideoSubscriptions", session.video.update_subscriptions(wanted, ["x"])
        )
        request = call.read(tiles.UpdateVideoSubscriptionsRequest)
        assert [each.priority for each in request.added_or_updated] == [50, 20, 40]
        assert request.added_or_updated[0].target_width == 1_280
        assert request.removed == ["x"]
        await call.reply(tiles.UpdateVideoSubscriptionsReply())
        await task
        await gateway.events(sources_event((), (source(2, LIN),)))
        await told(stream, 1)
        assert session.video.subscriptions == {GRACE: wanted[GRACE]}


async def test_a_pause_is_reported_once_for_each_cause(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        stream = session.video.events()
        await gateway.events(board(source(1, GRACE), own=[state(1, GRACE)]))
        await told(stream, 3)
        call, task = await during(gateway, "SetTilePaused", session.video.pause(1))
        request = call.read(tiles.SetTilePausedRequest)
        assert (request.tile_id, request.is_paused) == (1, True)
        await call.reply(tiles.SetTilePausedReply(tile=state(1, GRACE, BY_USER)))
        tile = await task
        assert tile.pause_state is VideoPauseState.PAUSED_BY_USER_REQUEST and tile.is_paused
        await gateway.events(tiles_event(state(1, GRACE, BY_USER)))
        call, task = await during(gateway, "SetTilePaused", session.video.resume(1))
        await gateway.events(tiles_event(state(1, GRACE, FOR_BANDWIDTH)))
        assert await told(stream, 2) == [(TilePaused, 1), (TilePaused, 1)]
        # The answer is older than the event that reported a pause because of a poor connection.
        await call.reply(tiles.SetTilePausedReply(tile=state(1, GRACE)))
        await task
        assert session.video.tiles[1].pause_state is VideoPauseState.PAUSED_FOR_POOR_CONNECTION


async def test_a_rejected_pause_changes_nothing(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        call, task = await during(gateway, "SetTilePaused", session.video.pause(99))
        await call.fail(common.STATUS_CODE_NOT_FOUND)
        with pytest.raises(CarillonError) as refused:
            await task
        assert refused.value.status_code is StatusCode.NOT_FOUND
        assert not declared(session).paused_tile_ids


@pytest.mark.parametrize("wrong", [-1, 1 << 32, "one"])
async def test_invalid_numbers_are_rejected_before_they_are_sent(
    gateway: ScriptedGateway, wrong: Any
) -> None:
    async with joining(gateway) as (session, _):
        for work in (
            session.video.pause(wrong),
            session.video.publish([VideoLayer(wrong, 180, 15, 200_000)]),
            session.video.update_subscriptions({GRACE: VideoSubscription(target_width=wrong)}),
        ):
            with pytest.raises(CarillonError) as refused:
                await work
            assert refused.value.status_code is StatusCode.INVALID_ARGUMENT
        assert gateway.take_calls() == []
        assert declared(session) == tiles.VideoChoices()


async def test_the_choices_are_declared_again_after_a_lost_connection(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway) as (session, _):
        stream = session.video.events()
        await gateway.events(board(source(1, GRACE), own=[state(1, GRACE)]))
        await told(stream, 3)
        await publishing(gateway, session.video.publish(LAYERS))
        for method, work, reply in (
            (
                "SetRemoteVideo",
                session.video.start_remote_video(),
                tiles.SetRemoteVideoReply(),
            ),
            (
                "UpdateVideoSubscriptions",
                session.video.update_subscriptions({GRACE: VideoSubscription()}),
                tiles.UpdateVideoSubscriptionsReply(),
            ),
            (
                "SetTilePaused",
                session.video.pause(1),
                tiles.SetTilePausedReply(tile=state(1, GRACE, BY_USER)),
            ),
        ):
            call, task = await during(gateway, method, work)
            await call.reply(reply)
            await task
        await gateway.end(common.STATUS_CODE_UNAVAILABLE, reason=common.STATUS_REASON_DRAINING)
        request = await gateway.admit(is_resumed=True)
        assert request.session_id == SESSION
        video = request.video
        assert video.is_receiving and video.paused_tile_ids == [1]
        assert [each.participant_id for each in video.subscriptions.subscriptions] == [GRACE]
        assert [each.tile_id for each in video.published] == [7]
        assert [each.ssrc for each in video.published[0].layers] == [71, 72]
        # The new owner assigns other ids.
        assert await told(stream, 1) == [(TilePaused, 1)]
        await gateway.events(
            board(source(1, GRACE), source(8, ADA, 91, 92), own=[state(1, GRACE, BY_USER)], epoch=6)
        )
        moved = await anext(stream)
        assert isinstance(moved, PublishedMoved) and moved.video.tile_id == 8
        assert [layer.ssrc for layer in moved.video.layers] == [91, 92]
        assert declared(session).published[0].tile_id == 8


async def test_a_call_that_loses_its_connection_is_retried(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        _, task = await during(gateway, "SetRemoteVideo", session.video.start_remote_video())
        await gateway.end(common.STATUS_CODE_UNAVAILABLE, reason=common.STATUS_REASON_DRAINING)
        request = await gateway.admit(is_resumed=True)
        assert request.video.is_receiving
        call = await gateway.next("SetRemoteVideo")
        await call.reply(tiles.SetRemoteVideoReply())
        await task


async def test_the_server_ends_a_source_and_states_why(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        published = await publishing(gateway, session.video.publish(LAYERS))
        stream = session.video.events()
        status = common.Status(code=common.STATUS_CODE_PERMISSION_DENIED)
        for tile_id in (3, 7):  # Tile 3 does not belong to this session.
            ended = tiles.PublishedVideoEnded(tile_id=tile_id, kind=CAMERA, status=status)
            await gateway.events(gateway_pb2.SessionEvent(published_video_ended=ended))
        event = await anext(stream)
        assert isinstance(event, PublishedEnded) and event.video == published
        assert event.status.code is StatusCode.PERMISSION_DENIED
        assert session.video.published is None and not declared(session).published


async def test_a_slow_consumer_of_video_loses_its_stream_and_is_counted(
    gateway: ScriptedGateway,
) -> None:
    async with joining(gateway, options=SessionOptions(event_limit=2)) as (session, events):
        slow, fast = session.video.events(), session.video.events()
        await gateway.events(tiles_event(state(1, GRACE), state(2, LIN)))
        assert await told(fast, 2) == [(TileAdded, 1), (TileAdded, 2)]
        await gateway.events(tiles_event(state(1, GRACE, BY_USER)))
        assert await told(fast, 1) == [(TilePaused, 1)]
        assert await told(slow, 2) == [(TileAdded, 1), (TileAdded, 2)]
        with pytest.raises(EventsLostError):
            await anext(slow)
        assert session.slow_streams == 1
        events.close()


async def test_streams_of_video_end_when_the_session_ends(gateway: ScriptedGateway) -> None:
    async with joining(gateway) as (session, _):
        stream = session.video.events()
        await session.leave()
        await gateway.next("Stop")
        assert [event async for event in stream] == []
        assert [event async for event in session.video.events()] == []
        with pytest.raises(CarillonError) as refused:
            await session.video.publish(LAYERS)
        assert refused.value.status_code is StatusCode.FAILED_PRECONDITION
