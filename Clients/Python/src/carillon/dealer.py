"""A DEALER socket that belongs to an event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import zmq
from zmq.utils.monitor import parse_monitor_message

from carillon.endpoint import Endpoint

_MESSAGES_PER_TURN = 64
"""How many messages are taken before the loop does something else."""


@dataclass(frozen=True, kw_only=True)
class DealerOptions:
    """What differs from one use to another."""

    maximum_message_bytes: int
    """A peer that sends a larger message is cut off."""
    linger_ms: int
    """How long what was sent may take to leave when the socket is closed."""
    reconnects: bool
    """Whether the socket connects again by itself after a loss."""
    waiting_messages: int | None = None
    """How many messages may wait in either direction; `None`: as many as libzmq has by default."""


class Dealer:
    """The socket, and the monitor that says whether its connection stands.

    It never blocks its loop: what cannot be sent now is not sent, and what arrives is handed on at
    once. No callback comes after `close`.
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
        """`on_lost` comes when the connection is lost, and when it could not be made.

        `context` is the process's own unless given. Needs a running event loop.
        """
        self._loop = asyncio.get_running_loop()
        self._on_message = on_message
        self._on_connected = on_connected
        self._on_lost = on_lost
        self._is_open = True
        socket: zmq.Socket[bytes] = (context or zmq.Context.instance()).socket(zmq.DEALER)
        self._socket = socket
        socket.linger = options.linger_ms
        socket.setsockopt(zmq.IMMEDIATE, 1)  # Nothing is queued for a connection that is not.
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
        """Begins to connect. Raises `zmq.ZMQError` for what is no endpoint; close it then."""
        endpoint.connect(self._socket)
        self._loop.call_soon(self._observe)

    def close(self) -> None:
        """Closes the socket and its monitor, also when the loop is closed. Idempotent."""
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
        """Does something in the next turn of the loop, from any thread; at once without a loop."""
        if self._loop.is_closed():
            action()
        else:
            self._loop.call_soon_threadsafe(action)

    def send(self, frames: Sequence[bytes]) -> bool:
        """Sends a message now; returns whether there was a connection, and room."""
        if not self._is_open:
            return False
        try:
            self._socket.send_multipart(frames, zmq.NOBLOCK)
        except zmq.ZMQError:
            return False
        # Sending may take up the wake-up of what has arrived: zmq_getsockopt(3), ZMQ_FD.
        self._loop.call_soon(self._receive)
        return True

    def drain(self) -> None:
        """Hands on all that has arrived, also on a connection that is lost by now."""
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
