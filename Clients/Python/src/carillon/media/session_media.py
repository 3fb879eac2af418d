"""The media of one session: where its packets go, how it goes with them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import zmq

from carillon.attendees import MediaDirection
from carillon.errors import CarillonError, EventsLostError, Status, StatusCode
from carillon.media.connection import MediaConnection
from carillon.media.format import AudioMode, MediaEvent, MediaFormat, MediaMetrics, MediaMoved
from carillon.streams import BoundedStream
from carillon.v1 import common_pb2, gateway_pb2, media_pb2

_OPEN_SECONDS = 15.0


class MediaStream(BoundedStream[MediaEvent]):
    """The media events of one consumer, in order: iterate over it with `async for`.

    It begins with the last `MediaMoved`, if there was one, and ends with the session. At most
    `limit` later events wait; one more, and the consumer gets those that wait and then
    `EventsLostError`.
    """

    def _overflow_error(self, item: MediaEvent) -> EventsLostError:
        return EventsLostError(self._limit)


class SessionMedia:
    """`Session.media`: the session's way to the service that carries packets.

    Nothing is connected until `open` is called: a session that only listens to events costs the
    media service nothing. Needs neither PyAV nor NumPy; who encodes and decodes does.
    """

    def __init__(
        self,
        limit: int,
        audio: MediaDirection,
        audio_mode: AudioMode,
        is_muted: Callable[[], bool],
        context: zmq.Context[Any] | None,
    ) -> None:
        self._limit = limit
        self._audio = audio
        self._audio_mode = audio_mode
        self._connection = MediaConnection(context=context, is_muted=is_muted)
        self._is_wanted = False
        self._moved: MediaMoved | None = None
        self._has_moved = asyncio.Event()
        self._metrics: MediaMetrics | None = None
        self._tick = (0, 0)
        """Epoch and tick of the last metrics."""
        self._streams: list[MediaStream] = []
        self._end: Status | None = None
        self.slow_streams = 0
        """How many streams have ended because they were read too slowly."""

    # What is known

    @property
    def format(self) -> MediaFormat | None:
        """How packets look; `None` before media has admitted the session."""
        return self._moved.format if self._moved is not None else None

    @property
    def metrics(self) -> MediaMetrics | None:
        """What the server measured last; `None` before the first time."""
        return self._metrics

    @property
    def connection(self) -> MediaConnection:
        """Carries the packets once `open` was called."""
        return self._connection

    def events(self) -> MediaStream:
        """`MediaMoved` and `MediaMetrics` from now on; first where packets go now."""
        initial: list[MediaEvent] = [] if self._moved is None else [self._moved]
        stream = MediaStream(initial, self._limit, self._forget)
        self._streams.append(stream)
        if self._end is not None:
            stream.close()
        return stream

    # Calls

    async def open(self, timeout: float = _OPEN_SECONDS) -> MediaConnection:
        """Connects; returns when packets go and come. Idempotent.

        It goes wherever the server says until the session ends. Raises `CarillonError`:
        `DEADLINE_EXCEEDED` when media has not admitted the session in so many seconds.
        """
        try:
            async with asyncio.timeout(timeout):
                while self._moved is None and self._end is None:
                    self._has_moved.clear()
                    await self._has_moved.wait()
                if self._moved is not None and not self._is_wanted:
                    self._is_wanted = True
                    self._connection.move(self._moved)
                await self._connection.bound()
        except TimeoutError:
            raise CarillonError(
                StatusCode.DEADLINE_EXCEEDED,
                message=f"Media did not admit the session in {timeout:g} s.",
            ) from None
        return self._connection

    # The session

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """What a Start says of media."""
        request.audio = _DIRECTIONS[self._audio]
        request.audio_mode = _MODES[self._audio_mode]
        if self._moved is not None:
            request.audio_send_ssrc = self._moved.format.audio_send_ssrc

    def take(self, event: gateway_pb2.SessionEvent) -> None:
        """An event of the session stream."""
        match event.WhichOneof("event"):
            case "media_moved":
                self._take_move(MediaMoved.of(event.media_moved))
            case "media_metrics":
                self._take_metrics(event.media_metrics)

    def close(self, status: Status) -> None:
        """The session is over."""
        if self._end is not None:
            return
        self._end = status
        self._has_moved.set()
        self._connection.close(status)
        for stream in list(self._streams):
            stream.close()

    def _take_move(self, moved: MediaMoved) -> None:
        before = self._moved
        if before is not None and (before.term, before.ticket) == (moved.term, moved.ticket):
            return
        self._moved = moved
        self._has_moved.set()
        if self._is_wanted:
            self._connection.move(moved)
        self._tell(moved)

    def _take_metrics(self, metrics: media_pb2.MediaMetrics) -> None:
        epoch, tick = self._tick
        if metrics.epoch == epoch and metrics.tick <= tick:
            return
        self._tick = (metrics.epoch, metrics.tick)
        self._metrics = MediaMetrics.of(metrics)
        self._tell(self._metrics)

    def _tell(self, event: MediaEvent) -> None:
        for stream in list(self._streams):
            stream.push(event)

    def _forget(self, stream: BoundedStream[Any]) -> None:
        if stream.was_too_slow:
            self.slow_streams += 1
        if stream in self._streams:
            self._streams.remove(stream)


_DIRECTIONS = {
    MediaDirection.SEND_RECEIVE: common_pb2.MEDIA_DIRECTION_SEND_RECEIVE,
    MediaDirection.SEND: common_pb2.MEDIA_DIRECTION_SEND,
    MediaDirection.RECEIVE: common_pb2.MEDIA_DIRECTION_RECEIVE,
    MediaDirection.NONE: common_pb2.MEDIA_DIRECTION_NONE,
}
_MODES = {
    AudioMode.MONO_16K: media_pb2.AUDIO_MODE_MONO_16K,
    AudioMode.MONO_48K: media_pb2.AUDIO_MODE_MONO_48K,
    AudioMode.STEREO_48K: media_pb2.AUDIO_MODE_STEREO_48K,
}
