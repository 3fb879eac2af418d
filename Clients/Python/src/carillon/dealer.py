"""A ZeroMQ DEALER socket on an asyncio event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from carillon.endpoint import Endpoint

_MESSAGES_PER_TURN = 64
"""The number of messages that the socket reads before other callbacks of the loop run."""


@dataclass(frozen=True, kw_only=True)
class DealerOptions:
    """The options of a DEALER socket."""

    maximum_message_bytes: int
    """The size limit of a message, in bytes. The socket disconnects a peer that exceeds this
    limit."""
    linger_ms: int
    """The time for which a closed socket still sends queued messages, in milliseconds."""
    reconnects: bool
    """Whether the socket reconnects automatically after a loss."""
    waiting_messages: int | None = None
    """The number of messages that may wait in each direction; `None` for libzmq's default."""


class Dealer:
    """A DEALER socket and the monitor of its connection.

    The socket never blocks the loop: `send` fails if the socket cannot send a message now, and the
    socket passes an arriving message on immediately. The socket calls no callback after `close`.
    """

    def __init__(
        self,
        options: DealerOptions,
        *,
        context: zmq.Context[Any] | None,
        on_message: Callable[[list[bytes]], None],
        on_connected: Callable[[], None],
        on_lost: Callable[[], None],
    ) -> None:
        """Creates the socket on the running event loop.

        The socket calls `on_lost` after the loss of the connection, and after a failed attempt to
        connect. `context` defaults to the context of the process.
        """
        self._loop = asyncio.get_running_loop()
        self._on_message = on_message
        self._on_connected = on_connected
        self._on_lost = on_lost
        self._is_open = True
        socket: zmq.Socket[bytes] = (context or zmq.Context.instance()).socket(zmq.DEALER)
        self._socket = socket
        socket.linger = options.linger_ms
        # The socket queues no message before the connection is complete.
        socket.setsockopt(zmq.IMMEDIATE, 1)
        socket.setsockopt(zmq.MAXMSGSIZE, options.maximum_message_bytes)
        socket.setsockopt(zmq.HEARTBEAT_IVL, 2_000)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 6_000)
        socket.setsockopt(zmq.RECONNECT_IVL, 100 if options.reconnects else -1)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 5_000)
        if options.waiting_messages is not None:
            socket.setsockopt(zmq.SNDHWM, options.waiting_messages)
            socket.setsockopt(zmq.RCVHWM, options.waiting_messages)
        self._monitor: zmq.Socket[bytes] = socket.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED
        )
        self._loop.add_reader(self._monitor.fileno(), self._observe)
        self._loop.add_reader(socket.fileno(), self._receive)

    def connect(self, endpoint: Endpoint) -> None:
        """Starts to connect. If this raises `zmq.ZMQError` (invalid endpoint), call `close`."""
        endpoint.connect(self._socket)
        self._loop.call_soon(self._observe)

    def close(self) -> None:
        """Closes the socket and its monitor, even after the end of the loop. Idempotent."""
        if not self._is_open:
            return
        self._is_open = False
        if not self._loop.is_closed():
            self._loop.remove_reader(self._socket.fileno())
            self._loop.remove_reader(self._monitor.fileno())
        self._socket.disable_monitor()
        self._monitor.close(0)
        self._socket.close()

    def soon(self, action: Callable[[], None]) -> None:
        """Runs an action in the next turn of the loop, or immediately after the end of the loop.

        Any thread may call this method.
        """
        if self._loop.is_closed():
            action()
        else:
            self._loop.call_soon_threadsafe(action)

    def send(self, frames: Sequence[bytes]) -> bool:
        """Sends a message without blocking.

        Returns false, and sends nothing, if there is no connection or the queue is full.
        """
        if not self._is_open:
            return False
        try:
            self._socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        # A send may clear the signal that messages have arrived (see zmq_getsockopt(3), ZMQ_FD).
        self._loop.call_soon(self._receive)
        return True

    def drain(self) -> None:
        """Passes on all messages that have arrived, including those of a lost connection."""
        while self._is_open and int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            self._receive()

    def _receive(self) -> None:
        for _ in range(_MESSAGES_PER_TURN):
            if not self._is_open:
                return
            try:
                frames = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.ZMQError:
                return
            self._on_message(frames)
        self._loop.call_soon(self._receive)

    def _observe(self) -> None:
        while self._is_open:
            try:
                message = self._monitor.recv_multipart(zmq.NOBLOCK)
            except zmq.ZMQError:
                return
            if parse_monitor_message(message)["event"] == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self._on_connected()
            else:
                self._on_lost()
