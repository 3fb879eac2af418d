"""The video of one session: what it publishes, what it asks for, and what it is told."""

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
    """`Session.video`: sources and tiles of the meeting, and this session's part in them.

    Each call returns when the server has done it, waits while the connection or the service behind
    the gateway is away, and raises `CarillonError` when it is refused. What was chosen is declared
    again after a lost connection. The media packets themselves are not carried here.
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
        """One call at a time chooses something."""

    # What is known

    @property
    def sources(self) -> Mapping[str, VideoSource]:
        """What others publish, by participant id; it stays up to date."""
        return self._board.sources

    @property
    def tiles(self) -> Mapping[int, Tile]:
        """What of it this session has, by tile id; it stays up to date."""
        return self._board.tiles

    @property
    def camera(self) -> CameraAvailability | None:
        """Whether camera video may be sent; `None` before the server has said it."""
        return self._board.camera

    @property
    def published(self) -> PublishedVideo | None:
        """What this session publishes."""
        return self._choices.published.settled

    @property
    def is_receiving(self) -> bool:
        """Whether remote video is on."""
        return self._choices.is_receiving.wanted

    @property
    def subscriptions(self) -> Mapping[str, VideoSubscription] | None:
        """What is subscribed, by participant id; `None`: all that comes without a call."""
        wanted = self._choices.subscriptions.wanted
        return None if wanted is None else dict(wanted)

    def events(self) -> VideoStream:
        """The events from now on, after those that tell which sources and tiles are there now.

        Any number of consumers may have one each; `VideoStream` says what becomes of a slow one.
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
        """Publishes a camera, or in a content session its content; again: changes it.

        A camera has 1-3 layers, lowest bitrate first, content has one. Raises `CarillonError`:
        `RESOURCE_EXHAUSTED` with session status `VIDEO_AT_CAPACITY_VIEW_ONLY` when the meeting has
        its cameras, while watching goes on; `PERMISSION_DENIED` without the capability.
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
        """Ends what this session publishes. Idempotent."""
        async with self._choosing:
            # Whatever becomes of the call: no Start declares it again.
            self._choices.published.change(lambda _: None)
            request = video_tiles_pb2.UnpublishVideoRequest(kind=KINDS.pack(self._kind))
            await self._call(UNPUBLISH_VIDEO, request)

    async def start_remote_video(self) -> None:
        """Video of others is sent to this session, and it gets tiles."""
        await self._set_receiving(True)

    async def stop_remote_video(self) -> None:
        """Removes all tiles; subscriptions stay."""
        await self._set_receiving(False)

    async def update_subscriptions(
        self,
        added_or_updated: Mapping[str, VideoSubscription],
        removed: Iterable[str] = (),
    ) -> None:
        """Changes what is subscribed, by participant id.

        The first call of a session ends the automatic subscriptions for good. Sources that are not
        there are ignored, and one that ends is unsubscribed by itself.
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
        """The user pauses a tile of somebody else: nothing is sent of it.

        Raises `CarillonError` `NOT_FOUND` without such a tile, `INVALID_ARGUMENT` for one's own.
        """
        return await self._set_paused(tile_id, True)

    async def resume(self, tile_id: int) -> Tile:
        """Takes a user's pause back. The tile may then be paused for a poor connection."""
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
            # Events and answers come by different ways: what was heard meanwhile is not older.
            if self._board.times_heard(tile_id) == heard:
                self._tell(self._board.take(reply.tile))
            return read_tile(reply.tile)

    # The session

    def act_as(self, attendee_id: str | None) -> None:
        """It publishes as this attendee; `None`: as whom it joined, where it only watches.

        What it published as another attendee has ended.
        """
        former, self._promoted_id = self._promoted_id, attendee_id
        self._tell(self._board.act_as(attendee_id))
        published = self._choices.published.wanted
        if former not in (None, attendee_id) and published is not None:
            self._choices.published.change(lambda _: None)
            self._tell([PublishedEnded(published, _DEMOTED)])

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """Writes into a Start what was chosen; a session that begins has chosen nothing."""
        if request.session_id:
            request.video.SetInParent()
            self._choices.pack(request.video)

    @property
    def has_missing(self) -> bool:
        """Whether a source is missing that may still come back."""
        return self._board.has_missing

    def confirm_missing(self) -> None:
        """The time to come back is over."""
        self._tell(self._board.confirm_missing())

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Tells what an item changes of sources, tiles and one's own video."""
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
        # A source that a Start declared in vain has no tile; its number is 0.
        if published is None or ended.tile_id not in (0, published.tile_id):
            return
        choice.change(lambda video: None if video == published else video)
        self._tell([PublishedEnded(published, Status.of(ended.status))])

    def _learn_ids(self) -> None:
        """A new owner of the board may have had to give other ids."""
        choice = self._choices.published
        own, published = self._board.own, choice.settled
        # While a call is under way its answer tells them.
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
