"""The media of one session: its connection for packets, and its media events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from carillon.attendees import DIRECTIONS
from carillon.errors import CarillonError, Status, StatusCode
from carillon.media.connection import MediaConnection
from carillon.media.format import MODES, MediaEvent, MediaFormat, MediaMetrics, MediaMoved
from carillon.options import SessionOptions
from carillon.positions import Position, ReadPosition
from carillon.session_part import SessionComponent
from carillon.streams import BoundedStream, Subscribers
from carillon.v1 import gateway_pb2, media_pb2

_OPEN_SECONDS = 15.0


class MediaStream(BoundedStream[MediaEvent]):
    """The media events of one consumer, in order, to iterate over with `async for`.

    The stream starts with the last `MediaMoved`, if there was one, and ends when the session ends.
    At most `limit` later events wait. If one more arrives, the consumer gets the waiting events and
    then `EventsLostError`.
    """


class SessionMedia(SessionComponent[MediaEvent]):
    """`Session.media`: the connection for packets between the session and the media service.

    `open` makes the connection. Until then, the session costs the media service nothing. This class
    needs neither PyAV nor NumPy; senders and receivers need both.
    """

    def __init__(self, options: SessionOptions, is_muted: Callable[[], bool]) -> None:
        super().__init__(Subscribers())
        self._limit = options.event_limit
        self._audio = options.audio
        self._audio_mode = options.audio_mode
        self._connection = MediaConnection(context=options.context, is_muted=is_muted)
        self._is_wanted = False
        self._moved: MediaMoved | None = None
        self._has_moved = asyncio.Event()
        self._metrics: MediaMetrics | None = None
        self._measured = ReadPosition()
        """The epoch and tick of the last metrics."""
        self._end: Status | None = None

    # State

    @property
    def format(self) -> MediaFormat | None:
        """The format of the packets; `None` until the media service has admitted the session."""
        return self._moved.format if self._moved is not None else None

    @property
    def metrics(self) -> MediaMetrics | None:
        """The last metrics of the server; `None` before the first."""
        return self._metrics

    @property
    def connection(self) -> MediaConnection:
        """The connection for packets. It carries no packets before a call of `open`."""
        return self._connection

    def events(self) -> MediaStream:
        """Returns a stream of the last `MediaMoved` and all later media events."""
        initial: list[MediaEvent] = [] if self._moved is None else [self._moved]
        stream = MediaStream(initial, self._limit, self._subscribers)
        self._subscribers.add(stream, MediaStream.push)
        return stream

    # Calls

    async def open(self, timeout: float = _OPEN_SECONDS) -> MediaConnection:
        """Connects to the `media` service. Returns when the service accepts packets. Idempotent.

        The connection follows each `MediaMoved` until the session ends. Raises `CarillonError`:
        `DEADLINE_EXCEEDED` if the media service does not admit the session within `timeout`
        seconds, or the status of a session that has ended.
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
                message=f"Media did not admit the session within {timeout:g} s; join again.",
            ) from None
        return self._connection

    # The session

    def declare(self, request: gateway_pb2.StartRequest) -> None:
        """Writes the audio options, and the SSRC to keep, into a Start."""
        request.audio = DIRECTIONS.pack(self._audio)
        request.audio_mode = MODES.pack(self._audio_mode)
        if self._moved is not None:
            request.audio_send_ssrc = self._moved.format.audio_send_ssrc

    def take(self, item: gateway_pb2.SessionEvents) -> None:
        """Applies the moves and metrics of an item, and publishes them."""
        for event in item.events:
            match event.WhichOneof("event"):
                case "media_moved":
                    self._take_move(MediaMoved.of(event.media_moved))
                case "media_metrics":
                    self._take_metrics(event.media_metrics)

    def close(self, status: Status) -> None:
        """Closes the connection and the streams. Idempotent."""
        if self._end is not None:
            return
        self._end = status
        self._has_moved.set()
        self._connection.close(status)
        super().close(status)

    def _take_move(self, moved: MediaMoved) -> None:
        before = self._moved
        if before is not None and (before.term, before.ticket) == (moved.term, moved.ticket):
            return
        self._moved = moved
        self._has_moved.set()
        if self._is_wanted:
            self._connection.move(moved)
        self._subscribers.publish(moved)

    def _take_metrics(self, metrics: media_pb2.MediaMetrics) -> None:
        if not self._measured.advance(Position(metrics.epoch, metrics.tick)):
            return
        self._metrics = MediaMetrics.of(metrics)
        self._subscribers.publish(self._metrics)
