"""The video of one session: what it publishes, what it asks for, and what it is told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from carillon.asking import Ask, PatientAsk, valid
from carillon.errors import Status
from carillon.methods import (
    PUBLISH_VIDEO,
    SET_REMOTE_VIDEO,
    SET_TILE_PAUSED,
    UNPUBLISH_VIDEO,
    UPDATE_VIDEO_SUBSCRIPTIONS,
)
from carillon.streams import BoundedStream
from carillon.tile_board import TileBoard
from carillon.v1 import gateway_pb2, video_tiles_pb2
from carillon.video import (
    PublishedVideo,
    Tile,
    VideoContentHint,
    VideoKind,
    VideoLayer,
    VideoSource,
    VideoSubscription,
    pack_kind,
    pack_published,
    pack_subscription,
    read_published,
    read_source,
    read_tile,
)
from carillon.video_events import (
    CameraAvailability,
    PublishedEnded,
    PublishedMoved,
    SourceAvailable,
    SourceUnavailable,
    TileAdded,
    TileRemoved,
    VideoEvent,
    VideoStream,
)


class SessionVideo:
    """`Session.video`: sources and tiles of the meeting, and this session's part in them.

    Each call returns when the server has done it, waits while the connection or the service behind
    the gateway is away, and raises `CarillonError` when it is refused. What was chosen is declared
    again after a lost connection. The media packets themselves are not carried here.
    """

    def __init__(self, own_id: str, limit: int, ask: Ask, require_open: Callable[[], Any]) -> None:
        self._kind = VideoKind.CONTENT if own_id.endswith("#content") else VideoKind.CAMERA
        self._limit = limit
        self._ask = PatientAsk(ask, require_open)
        self._board = TileBoard(own_id)
        self._wanted: PublishedVideo | None = None
        """What is declared: `published`, or what a call under way wants to publish."""
        self._published: PublishedVideo | None = None
        self._is_receiving = False
        self._subscriptions: dict[str, VideoSubscription] | None = None
        self._paused: set[int] = set()
        self._choosing = asyncio.Lock()
        self._streams: list[VideoStream] = []
        self._is_over = False
        self.slow_streams = 0
        """How many streams have ended because they were read too slowly."""

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
        return self._published

    @property
    def is_receiving(self) -> bool:
        """Whether remote video is on."""
        return self._is_receiving

    @property
    def subscriptions(self) -> Mapping[str, VideoSubscription] | None:
        """What is subscribed, by participant id; `None`: all that comes without a call."""
        return None if self._subscriptions is None else dict(self._subscriptions)

    def events(self) -> VideoStream:
        """The events from now on, after those that tell which sources and tiles are there now.

        Any number of consumers may have one each; `VideoStream` says what becomes of a slow one.
        """
        initial: list[VideoEvent] = [SourceAvailable(each) for each in self.sources.values()]
        initial += [TileAdded(tile) for tile in self.tiles.values()]
        if self.camera is not None:
            initial.append(self.camera)
        stream = VideoStream(initial, self._limit, self._forget)
        self._streams.append(stream)
        if self._is_over:
            stream.close()
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
            video = _with_ids(PublishedVideo(self._kind, tuple(layers), hint), self._published)
            request = gateway_pb2.PublishVideoRequest(video=valid(pack_published, video))
            self._wanted = video
            try:
                reply = await self._ask(PUBLISH_VIDEO, request)
            except BaseException:
                # Given up or refused: what was published before, if anything, still is.
                self._wanted = self._published
                raise
            self._published = self._wanted = read_published(reply.video)
            return self._published

    async def unpublish(self) -> None:
        """Ends what this session publishes. Idempotent."""
        async with self._choosing:
            self._published = self._wanted = None
            request = gateway_pb2.UnpublishVideoRequest(kind=pack_kind(self._kind))
            await self._ask(UNPUBLISH_VIDEO, request)

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
            request = gateway_pb2.UpdateVideoSubscriptionsRequest(
                added_or_updated=[
                    valid(pack_subscription, each, what) for each, what in added_or_updated.items()
                ],
                removed=gone,
            )
            before = self._subscriptions
            wanted = (before or {}) | {
                each: what for each, what in added_or_updated.items() if each in self.sources
            }
            self._subscriptions = {k: v for k, v in wanted.items() if k not in gone}
            try:
                await self._ask(UPDATE_VIDEO_SUBSCRIPTIONS, request)
            except BaseException:
                self._subscriptions = before
                raise

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
            before, self._is_receiving = self._is_receiving, is_on
            try:
                await self._ask(
                    SET_REMOTE_VIDEO, gateway_pb2.SetRemoteVideoRequest(is_on=is_on)
                )
            except BaseException:
                self._is_receiving = before
                raise

    async def _set_paused(self, tile_id: int, is_paused: bool) -> Tile:
        async with self._choosing:
            request = valid(
                lambda: gateway_pb2.SetTilePausedRequest(tile_id=tile_id, is_paused=is_paused)
            )
            heard = self._board.times_heard(tile_id)
            was_paused = tile_id in self._paused
            self._note_pause(tile_id, is_paused)
            try:
                reply = await self._ask(SET_TILE_PAUSED, request)
            except BaseException:
                self._note_pause(tile_id, was_paused)
                raise
            # Events and answers come by different ways: what was heard meanwhile is not older.
            if self._board.times_heard(tile_id) == heard:
                self._tell(self._board.take(reply.tile))
            return read_tile(reply.tile)

    def _note_pause(self, tile_id: int, is_paused: bool) -> None:
        if is_paused:
            self._paused.add(tile_id)
        else:
            self._paused.discard(tile_id)

    # The session

    def choices(self) -> video_tiles_pb2.VideoChoices:
        """What a Start declares."""
        choices = video_tiles_pb2.VideoChoices(
            is_receiving=self._is_receiving, paused_tile_ids=sorted(self._paused)
        )
        if self._wanted is not None:
            choices.published.append(pack_published(self._wanted))
        if self._subscriptions is not None:
            choices.subscriptions.subscriptions.extend(
                pack_subscription(each, what) for each, what in self._subscriptions.items()
            )
        return choices

    @property
    def has_missing(self) -> bool:
        """Whether a source is missing that may still come back."""
        return self._board.has_missing

    def confirm_missing(self) -> None:
        """The time to come back is over."""
        self._tell(self._board.confirm_missing())

    def take(self, event: gateway_pb2.SessionEvent) -> None:
        """An event of the session stream."""
        match event.WhichOneof("event"):
            case "published_video_ended":
                self._take_end(event.published_video_ended)
            case "tile_board_snapshot" | "video_sources_changed":
                self._tell(self._board.apply(event))
                self._learn_ids()
            case "tiles_changed" | "camera_availability_changed":
                self._tell(self._board.apply(event))

    def close(self) -> None:
        """The session is over: what waits can still be read."""
        self._is_over = True
        for stream in list(self._streams):
            stream.close()

    def _take_end(self, ended: video_tiles_pb2.PublishedVideoEnded) -> None:
        published = self._published
        # A source that a Start declared in vain has no tile; its number is 0.
        if published is None or ended.tile_id not in (0, published.tile_id):
            return
        self._published = None
        if self._wanted == published:
            self._wanted = None
        self._tell([PublishedEnded(published, Status.of(ended.status))])

    def _learn_ids(self) -> None:
        """A new owner of the board may have had to give other ids."""
        own, published = self._board.own, self._published
        # While a call is under way its answer tells them.
        if own is None or published is None or self._wanted != published:
            return
        source = read_source(own)
        seen = replace(
            published, layers=source.layers, tile_id=source.tile_id, track_ssrc=source.track_ssrc
        )
        if _ids(seen) != _ids(published):
            self._published = self._wanted = seen
            self._tell([PublishedMoved(seen)])

    def _tell(self, events: Iterable[VideoEvent]) -> None:
        for event in events:
            match event:
                case SourceUnavailable(source) if self._subscriptions is not None:
                    self._subscriptions.pop(source.attendee_id, None)
                case TileRemoved(tile):
                    self._paused.discard(tile.tile_id)
            for stream in list(self._streams):
                stream.push(event)

    def _forget(self, stream: BoundedStream[Any]) -> None:
        if stream.was_too_slow:
            self.slow_streams += 1
        if stream in self._streams:
            self._streams.remove(stream)


def _ids(video: PublishedVideo) -> tuple[int, int, list[int]]:
    return video.tile_id, video.track_ssrc, [layer.ssrc for layer in video.layers]


def _with_ids(video: PublishedVideo, before: PublishedVideo | None) -> PublishedVideo:
    """With the ids that the source had before, as far as it names none: it stays the same one."""
    if before is None:
        return video
    known = [layer.ssrc for layer in before.layers] + [0] * len(video.layers)
    layers = [
        replace(layer, ssrc=layer.ssrc or ssrc)
        for layer, ssrc in zip(video.layers, known, strict=False)
    ]
    return replace(
        video, layers=tuple(layers), tile_id=before.tile_id, track_ssrc=before.track_ssrc
    )
