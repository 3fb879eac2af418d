"""The connection that carries a session's packets: a DEALER socket to the media service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, TypeVar

import zmq

from carillon.dealer import Dealer, DealerOptions
from carillon.endpoint import Endpoint
from carillon.errors import CarillonError, Status, StatusCode
from carillon.loose import LooseReference
from carillon.media.errors import MalformedPacketError
from carillon.media.format import MediaFormat, MediaMoved
from carillon.media.listener import MediaListener
from carillon.media.rtp.packet import RtpPacket, is_rtcp
from carillon.media.rtp.rtcp import MOST_BLOCKS, ReceiverReport, RtcpPacket, pack_rtcp, parse_rtcp
from carillon.unclosed import MadeAt

Listener = TypeVar("Listener", bound=MediaListener)

logger = logging.getLogger("carillon.media")

TICKET_SECONDS = 1.0
"""The time to wait for an echo before the connection sends the ticket again, in seconds."""
REPORT_SECONDS = 1.0
"""The interval of RTCP reports, in seconds."""

_RECONNECT_SECONDS = 0.2
_FRAMES_PER_MESSAGE = 16
_OPTIONS = DealerOptions(
    maximum_message_bytes=65_536,
    linger_ms=0,
    reconnects=False,  # libzmq's own reconnect would not send the ticket.
    # A busy sender sends this number of packets in about 0.5 s. A receiver cannot use packets that
    # waited longer.
    waiting_messages=1_000,
)


@dataclass
class MediaCounters:
    """The packet counters of a connection."""

    sent: int = 0
    received: int = 0
    malformed: int = 0
    """The number of received packets that were neither valid RTP nor valid RTCP."""
    unsent: int = 0
    """The number of packets that the connection dropped because the socket was not connected, or
    because the queue was full."""


class MediaConnection:
    """Exchanges RTP and RTCP with the endpoint of the last `MediaMoved`.

    The connection sends the ticket until the `media` service echoes the ticket, and again after a
    loss. Until the echo arrives, the connection drops and counts the packets that it should send,
    because late media is useless. The connection belongs to one event loop and never blocks this
    loop. If Python collects this object while the object is connected, the object closes the
    connection and emits a `ResourceWarning`. A session refers to its own connection, so Python does
    not collect this connection before the session.
    """

    def __init__(
        self,
        *,
        context: zmq.Context[Any] | None = None,
        is_muted: Callable[[], bool] = lambda: False,
    ) -> None:
        """Creates a connection, which `move` connects.

        `is_muted` returns whether the session is muted.
        """
        self._dealer: Dealer | None = None
        self._made_at = MadeAt.here()
        self._reference = LooseReference[MediaConnection](self)
        self.counters = MediaCounters()
        self._context = context
        self._is_muted = is_muted
        self._moved: MediaMoved | None = None
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._listeners: list[Callable[[], MediaListener | None]] = []
        self._bound = asyncio.Event()
        self._end: Status | None = None

    @property
    def format(self) -> MediaFormat:
        """The format of the packets. Raises `CarillonError` before the first move."""
        if self._moved is None:
            raise CarillonError(
                StatusCode.FAILED_PRECONDITION,
                message="Media has not admitted the session yet; try again.",
            )
        return self._moved.format

    @property
    def is_bound(self) -> bool:
        """Whether the `media` service has accepted the ticket and so forwards packets."""
        return self._dealer is not None and self._bound.is_set()

    @property
    def is_closed(self) -> bool:
        """Whether the connection has closed."""
        return self._end is not None

    @property
    def is_muted(self) -> bool:
        """Whether the session is muted, so that it may send no audio."""
        return self._is_muted()

    def require_open(self) -> None:
        """Raises `CarillonError` after the end of the connection.

        A session closes its connection when the session ends.
        """
        if self._end is not None:
            over = Status(StatusCode.CANCELLED, message="The session has ended; join again.")
            raise CarillonError.of(over if self._end.is_ok else self._end)

    async def bound(self) -> None:
        """Waits until the `media` service accepts packets.

        Raises `CarillonError` after the end of the connection.
        """
        while not self.is_bound:
            self.require_open()
            with self._reference.held():
                await self._bound.wait()

    # Listeners

    def add(self, listener: MediaListener) -> None:
        """Adds a listener. After the end of the connection, calls the listener's `on_close`."""
        self._add(listener, lambda: listener)

    def add_loosely(self, listener: Listener) -> LooseReference[Listener]:
        """Adds a listener by a weak reference. Garbage collection removes the listener."""
        reference = LooseReference(listener, self._reference.calling(MediaConnection._forget))
        self._add(listener, reference)
        return reference

    def _add(self, listener: MediaListener, held: Callable[[], MediaListener | None]) -> None:
        if self._end is not None:
            listener.on_close()
            return
        self._listeners.append(held)
        if self.is_bound:
            listener.on_bound()

    def remove(self, listener: MediaListener) -> None:
        """Removes a listener. Idempotent."""
        self._listeners = [held for held in self._listeners if held() is not listener]

    def _forget(self, reference: Callable[[], MediaListener | None]) -> None:
        # This method changes the list in place, because the garbage collector may call the method
        # on another thread.
        with suppress(ValueError):
            self._listeners.remove(reference)

    @property
    def _hearing(self) -> list[MediaListener]:
        found = (held() for held in self._listeners)
        return [listener for listener in found if listener is not None]

    # Lifecycle

    def move(self, moved: MediaMoved) -> None:
        """Disconnects, and connects to the endpoint to which the server moved the session."""
        if self._end is not None:
            return
        self._moved = moved
        self._reopen()
        if "report" not in self._timers:
            self._after("report", REPORT_SECONDS, MediaConnection._report)

    def close(self, status: Status | None = None) -> None:
        """Closes the connection and calls `on_close` of the listeners. Idempotent."""
        if self._end is not None:
            return
        self._end = status or Status(StatusCode.CANCELLED, message="The connection was closed.")
        self._disconnect()
        for timer in self._timers.values():
            timer.cancel()
        self._bound.set()  # This wakes the tasks that wait in `bound`.
        for listener in self._hearing:
            listener.on_close()
        self._listeners.clear()

    def __del__(self) -> None:
        if self._dealer is not None:
            self._made_at.warn(self, "call close()")
            self._dealer.soon(self.close)  # `close` also calls the listeners.

    def __repr__(self) -> str:
        endpoint = self._moved.endpoint if self._moved is not None else "nowhere yet"
        return f"<MediaConnection to {endpoint}>"

    def _after(self, name: str, seconds: float, action: Callable[[MediaConnection], None]) -> None:
        """Starts a timer under a name, and cancels the timer that runs under that name."""
        if (timer := self._timers.get(name)) is not None:
            timer.cancel()
        self._timers[name] = asyncio.get_running_loop().call_later(
            seconds, self._reference.calling(action)
        )

    def _reopen(self) -> None:
        self._disconnect()
        if self._moved is None or self._end is not None:
            return
        self._dealer = Dealer(
            _OPTIONS,
            context=self._context,
            on_message=self._reference.calling(MediaConnection._receive),
            on_connected=self._reference.calling(MediaConnection._show_ticket),
            on_lost=self._reference.calling(MediaConnection._lose),
        )
        try:
            self._dealer.connect(Endpoint.parse(self._moved.endpoint))
        except (CarillonError, zmq.ZMQError) as error:
            logger.warning("Media cannot be reached at %s: %s", self._moved.endpoint, error)
            self._disconnect()

    def _disconnect(self) -> None:
        dealer, self._dealer = self._dealer, None
        self._bound.clear()
        for name in ("ticket", "reopen"):
            if (timer := self._timers.pop(name, None)) is not None:
                timer.cancel()
        if dealer is not None:
            dealer.close()

    def _lose(self) -> None:
        self._disconnect()
        self._after("reopen", _RECONNECT_SECONDS, MediaConnection._reopen)

    def _show_ticket(self) -> None:
        if self._moved is not None and not self.is_bound:
            self._transmit([self._moved.ticket])
            self._after("ticket", TICKET_SECONDS, MediaConnection._show_ticket)

    # Sending

    def send(self, packets: Sequence[bytes]) -> bool:
        """Sends RTP or RTCP packets, and returns whether the socket accepted all packets.

        This method drops and counts packets that the socket does not accept.
        """
        if not self.is_bound:
            self.counters.unsent += len(packets)
            return False
        for first in range(0, len(packets), _FRAMES_PER_MESSAGE):
            message = packets[first : first + _FRAMES_PER_MESSAGE]
            if not self._transmit(message):
                self.counters.unsent += len(packets) - first
                return False
            self.counters.sent += len(message)
        return True

    def send_rtcp(self, packets: Sequence[RtcpPacket]) -> bool:
        """Sends RTCP packets as one compound."""
        return self.send([pack_rtcp(packets)])

    def _transmit(self, frames: Sequence[bytes]) -> bool:
        return self._dealer is not None and self._dealer.send(frames)

    def _report(self) -> None:
        self._after("report", REPORT_SECONDS, MediaConnection._report)
        if not self.is_bound:
            return
        now = asyncio.get_running_loop().time()
        reports: list[RtcpPacket] = []
        blocks = []
        for listener in self._hearing:
            if (report := listener.sender_report(now)) is not None:
                reports.append(report)
            if (block := listener.report_block(now)) is not None:
                blocks.append(block)
        for first in range(0, len(blocks), MOST_BLOCKS):
            some = tuple(blocks[first : first + MOST_BLOCKS])
            reports.append(ReceiverReport(self.format.audio_send_ssrc, some))
        for each in reports:
            self.send_rtcp([each])

    # Arrivals

    def _receive(self, frames: list[bytes]) -> None:
        for frame in frames:
            self._take(frame)

    def _take(self, frame: bytes) -> None:
        if self._moved is not None and frame == self._moved.ticket:
            self._become_bound()
            return
        now = asyncio.get_running_loop().time()
        self.counters.received += 1
        try:
            if is_rtcp(frame):
                for packet in parse_rtcp(frame):
                    for listener in self._hearing:
                        listener.on_rtcp(packet, now)
            else:
                rtp = RtpPacket.parse(frame)
                for listener in self._hearing:
                    listener.on_rtp(rtp, now)
        except MalformedPacketError:
            self.counters.malformed += 1

    def _become_bound(self) -> None:
        if self._bound.is_set():
            return
        self._bound.set()
        if (timer := self._timers.pop("ticket", None)) is not None:
            timer.cancel()
        for listener in self._hearing:
            listener.on_bound()
