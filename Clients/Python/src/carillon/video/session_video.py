"""The video of one session: its published video, its subscriptions, and its events."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Mapping
from dataclasses import replace

from carillon.calling import FacadeCalls, valid
from carillon.errors import Status, StatusCode
from carillon.methods import (
    PUBLISH_VIDEO,
    SET_REMOTE_VIDEO,
    SET_TILE_PAUSED,
    UNPUBLISH_VIDEO,
    UPDATE_VIDEO_SUBSCRIPTIONS,
)
from carillon.session_part import SessionComponent
from carillon.streams import Subscribers
from carillon.v1 import gateway_pb2, video_tiles_pb2
from carillon.video.choices import VideoChoices, ids, with_ids_of, without
from carillon.video.events import (
    CameraAvailability,
    PublishedEnded,
    PublishedMoved,
    SourceAvailable,
    TileAdded,
    VideoEvent,
    VideoStream,
)
from carillon.video.tile_board import TileBoard
from carillon.video.values import (
    PublishedVideo,
    Tile,
    VideoContentHint,
    VideoKind,
    VideoLayer,
    VideoSource,
    VideoSubscription,
)
from carillon.video.wire import (
    KINDS,
    pack_published,
    pack_subscription,
    read_published,
    read_source,
    read_tile,
)

_DEMOTED = Status(
    StatusCode.FAILED_PRECONDITION, message="What was published has ended with the promotion."
)


class SessionVideo(SessionComponent[VideoEvent]):
    """`Session.video`: the sources and tiles of the meeting, and the video of this session.

    Each call returns after the server has executed the call. A call waits while the gateway or the
    `video-tiles` service is unavailable, and raises `CarillonError` if the server rejects the call.
    After a lost connection, the session declares the choices again. `Session.media` carries the
    packets.
    """

    def __init__(self, own_id: str, limit: int, call: FacadeCalls) -> None:
        super().__init__(Subscribers())
        self._kind = VideoKind.CONTENT if own_id.endswith("#content") else VideoKind.CAMERA
        self._limit = limit
        self._call = call
        self._board = TileBoard(own_id)
        self._promoted_id: str | None = None
        self._choices = VideoChoices()
        self._choosing = asyncio.Lock()
        """The lock that lets only one call at a time change a choice."""

    # State

    @property
    def sources(self) -> Mapping[str, VideoSource]:
        """The sources of others by participant id, as a live view."""
        return self._board.sources

    @property
    def tiles(self) -> Mapping[int, Tile]:
        """The tiles of this session by tile id, as a live view."""
        return self._board.tiles

    @property
    def camera(self) -> CameraAvailability | None:
        """Whether the session may send camera video; `None` before the server's first report."""
        return self._board.camera

    @property
    def published(self) -> PublishedVideo | None:
        """The video that this session publishes; `None` if there is none."""
        return self._choices.published.settled

    @property
    def is_receiving(self) -> bool:
        """Whether remote video is on."""
        return self._choices.is_receiving.wanted

    @property
    def subscriptions(self) -> Mapping[str, VideoSubscription] | None:
        """The subscriptions by participant id; `None` while they are automatic."""
        wanted = self._choices.subscriptions.wanted
        return None if wanted is None else dict(wanted)

    def events(self) -> VideoStream:
        """Returns a stream of events for the current sources and tiles, and then all later events.

        Each consumer opens its own stream; the session does not limit the number of streams.
        `VideoStream` describes what happens to a slow consumer.
        """
        initial: list[VideoEvent] = [SourceAvailable(each) for each in self.sources.values()]
        initial += [TileAdded(tile) for tile in self.tiles.values()]
        if self.camera is not None:
            initial.append(self.camera)
        stream = VideoStream(initial, self._limit, self._subscribers)
        self._subscribers.add(stream, VideoStream.push)
        return stream

    # Calls

    async def publish(
        self, layers: Iterable[VideoLayer], hint: VideoContentHint = VideoContentHint.NONE
    ) -> PublishedVideo:
        """Publishes a camera, or content in a content session. A second call changes the video.

        A camera has 1-3 layers, lowest bitrate first. Content has one layer. Returns the video with
        its ids. Raises `CarillonError` `RESOURCE_EXHAUSTED` with session status
        `VIDEO_AT_CAPACITY_VIEW_ONLY` if the meeting has no room for a camera; the session can then
        still watch. Raises `PERMISSION_DENIED` if the attendee lacks the capability.
        """
        async with self._choosing:
            choice = self._choices.published
            video = PublishedVideo(self._kind, tuple(layers), hint)
            video = with_ids_of(choice.settled, video)
            request = video_tiles_pb2.PublishVideoRequest(video=valid(pack_published, video))
            with choice.asking(video):
                reply = await self._call(PUBLISH_VIDEO, request)
                published = read_published(reply.video)
                choice.change(lambda _: published)
            return published

    async def unpublish(self) -> None:
        """Ends the published video. Idempotent."""
        async with self._choosing:
            # Even if the call fails, no later `Start` declares the video again.
            self._choices.published.change(lambda _: None)
            request = video_tiles_pb2.UnpublishVideoRequest(kind=KINDS.pack(self._kind))
            await self._call(UNPUBLISH_VIDEO, request)

    async def start_remote_video(self) -> None:
        """Starts to receive the video of others, which adds tiles."""
        await self._set_receiving(True)

    async def stop_remote_video(self) -> None:
        """Stops receiving the video of others. This removes all tiles but keeps subscriptions."""
        await self._set_receiving(False)

    async def update_subscriptions(
        self,
        added_or_updated: Mapping[str, VideoSubscription],
        removed: Iterable[str] = (),
    ) -> None:
        """Changes the subscriptions, by participant id.

        The first call of a session ends the automatic subscriptions permanently. The session
        ignores unknown sources. A source that ends is unsubscribed automatically.
        """
        async with self._choosing:
            gone = [removed] if isinstance(removed, str) else list(removed)
            request = video_tiles_pb2.UpdateVideoSubscriptionsRequest(
                added_or_updated=[
                    valid(pack_subscription, each, what) for each, what in added_or_updated.items()
                ],
                removed=gone,
            )
            present = {
                each: what for each, what in added_or_updated.items() if each in self.sources
            }
            choice = self._choices.subscriptions
            with choice.asking(without({**(choice.settled or {}), **present}, gone)):
                await self._call(UPDATE_VIDEO_SUBSCRIPTIONS, request)

    async def pause(self, tile_id: int) -> Tile:
        """Pauses a tile for the user: the server stops sending its video. Returns the tile.

        Raises `CarillonError`: `NOT_FOUND` for an unknown tile, `INVALID_ARGUMENT` for the tile of
        this session's own video.
        """
        return await self._set_paused(tile_id, True)

    async def resume(self, tile_id: int) -> Tile:
        """Ends the user's pause of a tile. Returns the tile.

        The tile may still be paused because of a poor connection.
        """
        return await self._set_paused(tile_id, False)

    async def _set_receiving(self, is_on: bool) -> None:
        async with self._choosing:
            request = video_tiles_pb2.SetRemoteVideoRequest(is_receiving=is_on)
            with self._choices.is_receiving.asking(is_on):
                await self._call(SET_REMOTE_VIDEO, request)

    async def _set_paused(self, tile_id: int, is_paused: bool) -> Tile:
        async with self._choosing:
            request = valid(
                lambda: video_tiles_pb2.SetTilePausedRequest(tile_id=tile_id, is_paused=is_paused)
            )
            heard = self._board.times_heard(tile_id)
            before = self._choices.paused.settled
            with self._choices.paused.asking(
                before | {tile_id} if is_paused else before - {tile_id}
            ):
                reply = await self._call(SET_TILE_PAUSED, request)
            # An event may overtake the answer. If an event arrived meanwhile, the answer may be
            # stale.
            if self._board.times_heard(tile_id) == heard:
                self._tell(self._board.take(reply.tile))
            return read_tile(reply.tile)

    # The session

    def act_as(self, attendee_id: str | None) -> None:
        """Sets the attendee that the session publishes as; `None` restores the attendee who joined.

        The video that the session published as a promoted attendee ends.
        """
        former, self._promoted_id = self._promoted_id, attendee_id
        self._tell(self._board.act_as(attendee_id))
        published = self._choices.published.wanted
        if former not in (None, attendee_id) and published is not None:
            self._choices.published.change(lambda _: None)
            self._tell([PublishedEnded(published, _DEMOTED)])

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """Writes the choices into a `Start` that resumes. A new session has no choices."""
        if request.session_id:
            request.video.SetInParent()
            self._choices.pack(request.video)

    @property
    def has_missing(self) -> bool:
        """Whether there are missing sources, whose attendees may still reconnect."""
        return self._board.has_missing

    def confirm_missing(self) -> None:
        """Ends the sources that are still missing. Called when the time to reconnect is over."""
        self._tell(self._board.confirm_missing())

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies an item, and publishes its changes of sources, tiles and published video."""
        for event in item.events:
            match event.WhichOneof("event"):
                case "published_video_ended":
                    self._take_end(event.published_video_ended)
                case "tile_board_snapshot" | "video_sources_changed":
                    self._tell(self._board.apply(event))
                    self._learn_ids()
                case "tiles_changed" | "camera_availability_changed":
                    self._tell(self._board.apply(event))

    def _take_end(self, ended: video_tiles_pb2.PublishedVideoEnded) -> None:
        choice = self._choices.published
        published = choice.settled
        # If a `Start` declared the source and video-tiles refused the source, the source has no
        # tile, and the event has the tile id 0.
        if published is None or ended.tile_id not in (0, published.tile_id):
            return
        choice.change(lambda video: None if video == published else video)
        self._tell([PublishedEnded(published, Status.of(ended.status))])

    def _learn_ids(self) -> None:
        """Sets the ids that a new owner of the tiles assigned to the published video."""
        choice = self._choices.published
        own, published = self._board.own, choice.settled
        # If a call is in flight, its answer contains the ids.
        if own is None or published is None or choice.is_asking:
            return
        source = read_source(own)
        seen = replace(
            published, layers=source.layers, tile_id=source.tile_id, track_ssrc=source.track_ssrc
        )
        if ids(seen) != ids(published):
            choice.change(lambda _: seen)
            self._tell([PublishedMoved(seen)])

    def _tell(self, events: Iterable[VideoEvent]) -> None:
        for event in events:
            self._choices.take(event)
            self._subscribers.publish(event)
