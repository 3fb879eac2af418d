"""Calls to any Carillon service over ZeroMQ: unary and server-streaming, deadlines, cancellation.

```python
async with Channel("ipc:///run/carillon/gateway-a.client") as channel:
    limits = await channel.unary(GET_LIMITS, GetLimitsRequest(), timeout=2)
```

A channel belongs to the event loop that opened it. It never blocks that loop.
"""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

import zmq
from google.protobuf.message import DecodeError, Message
from zmq.utils.monitor import parse_monitor_message

from carillon.errors import CarillonError, SessionStatus, Status, StatusCode, StatusReason
from carillon.frames import VERSION, MalformedFrameError, pack_frame, read_reply
from carillon.methods import Reply, Request, StreamMethod, UnaryMethod
from carillon.v1 import rpc_pb2

__all__ = ["CallOptions", "Channel", "Stream", "StreamMethod", "UnaryMethod"]

logger = logging.getLogger("carillon.rpc")

Item = TypeVar("Item", bound=Message, contravariant=True)


@dataclass(frozen=True)
class CallOptions:
    """What a caller says about a call beside its request."""

    session_id: bytes = b""
    """The client's session: 16 bytes, or empty between services."""
    term: int = 0
    """The owner's term that the caller knows; 0 when it knows none."""
    traceparent: str = ""
    """W3C Trace Context `traceparent`, or empty."""
    idempotency_key: str = ""
    """Says that a repeat with the same key is the same call; at most 64 characters."""


class Channel:
    """A connection to one endpoint.

    It connects by itself, and again after a loss unless `reconnects` is false: then it is lost for
    good. Calls made before the connection stands wait for it within their timeout. Calls that are
    open when it drops fail `UNAVAILABLE`: they may still have happened.

    What arrives is taken at once. Bytes that are no reply may have been part of the answer to any
    open call, so that all of them fail, with reason `MALFORMED`.
    """

    def __init__(
        self,
        endpoint: str,
        *,
        context: zmq.Context[zmq.Socket[bytes]] | None = None,
        reconnects: bool = True,
        maximum_message_bytes: int = 64 << 20,
    ) -> None:
        """
        `endpoint` is `ipc://PATH` or `tcp://HOST:PORT`. `context` is the process's own unless
        given.
        """
        if not endpoint.startswith(("ipc://", "tcp://")) or "?" in endpoint:
            raise CarillonError(
                StatusCode.INVALID_ARGUMENT,
                message=f"{endpoint!r} is no endpoint; give ipc://PATH or tcp://HOST:PORT.",
            )
        self.endpoint = endpoint
        self.last_heard = 0.0
        """When something last arrived, on the clock of the event loop."""
        self._context = context
        self._reconnects = reconnects
        self._maximum_message_bytes = maximum_message_bytes
        self._socket: zmq.Socket[bytes] | None = None
        self._monitor: zmq.Socket[bytes] | None = None
        self._connected = asyncio.Event()
        self._loss: Status | None = None
        self._calls: dict[int, _OpenCall] = {}
        self._session: tuple[int, _OpenCall] | None = None
        self._last_call_id = 0

    # Life

    async def __aenter__(self) -> Self:
        self.open()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def open(self) -> None:
        """Begins to connect, on the running event loop."""
        self._loop = asyncio.get_running_loop()
        context = self._context or zmq.Context.instance()
        socket: zmq.Socket[bytes] = context.socket(zmq.DEALER)
        self._socket = socket
        socket.linger = 500  # Lets a last Stop or CANCEL leave, and never holds up an exit.
        socket.setsockopt(zmq.IMMEDIATE, 1)  # A call is never queued for a connection that is not.
        socket.setsockopt(zmq.MAXMSGSIZE, self._maximum_message_bytes)
        socket.setsockopt(zmq.HEARTBEAT_IVL, 2_000)
        socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 6_000)
        socket.setsockopt(zmq.RECONNECT_IVL, 100 if self._reconnects else -1)
        socket.setsockopt(zmq.RECONNECT_IVL_MAX, 5_000)
        self._monitor = socket.get_monitor_socket(
            zmq.EVENT_HANDSHAKE_SUCCEEDED | zmq.EVENT_DISCONNECTED | zmq.EVENT_CLOSED
        )
        self.last_heard = self._loop.time()
        self._loop.add_reader(self._monitor.fileno(), self._observe)
        self._loop.add_reader(socket.fileno(), self._receive)
        try:
            socket.connect(self.endpoint)
        except zmq.ZMQError as error:
            self.close()
            raise CarillonError(
                StatusCode.INVALID_ARGUMENT,
                message=f"{self.endpoint} cannot be connected to: {error}.",
            ) from error
        self._loop.call_soon(self._observe)

    def close(self) -> None:
        """Closes the socket; what is open fails `CANCELLED`. Idempotent."""
        self._close(Status(StatusCode.CANCELLED, message="The channel was closed."))

    def _close(self, status: Status) -> None:
        socket, monitor = self._socket, self._monitor
        self._socket = self._monitor = None
        if self._loss is None:
            self._loss = status
        if socket is not None:
            self._loop.remove_reader(socket.fileno())
            if monitor is not None:
                self._loop.remove_reader(monitor.fileno())
                socket.disable_monitor()
                monitor.close(0)
            socket.close()
        self._connected.set()  # Whoever waits for the connection learns of its end.
        self._fail_all(status)

    @property
    def is_connected(self) -> bool:
        return self._socket is not None and self._connected.is_set()

    async def connected(self) -> None:
        """Returns when the connection stands; raises `UNAVAILABLE` when it never will."""
        while not self.is_connected:
            await self._connected.wait()
            if self._loss is not None:
                raise CarillonError.of(self._loss)

    # Calls

    async def unary(
        self,
        method: UnaryMethod[Request, Reply],
        request: Request,
        *,
        timeout: float = 5.0,
        options: CallOptions = CallOptions(),
    ) -> Reply:
        """Calls a method that answers once.

        Cancelling the awaiting task cancels the call at the answerer. Raises `CarillonError`:
        `DEADLINE_EXCEEDED` after `timeout` seconds, `UNAVAILABLE` when the endpoint was not reached
        in them, or what was answered.
        """
        deadline = asyncio.get_running_loop().time() + timeout
        await self._connected_by(deadline)
        call = _UnaryCall(method)
        call_id = self._begin(call)
        try:
            self._send(call_id, method.key, request, deadline, options)
            async with asyncio.timeout_at(deadline):
                return await call.reply
        except TimeoutError:
            self._send_cancel(call_id)
            raise CarillonError(
                StatusCode.DEADLINE_EXCEEDED, message=f"{method.name}: no answer in {timeout:g} s."
            ) from None
        except asyncio.CancelledError:
            self._send_cancel(call_id)
            raise
        finally:
            self._calls.pop(call_id, None)

    def stream(
        self,
        method: StreamMethod[Request, Reply],
        request: Request,
        *,
        timeout: float | None = None,
        options: CallOptions = CallOptions(),
        limit: int = 1024,
    ) -> Stream[Reply]:
        """Opens a stream: `async with channel.stream(…) as items: async for item in items: …`.

        `timeout` bounds how long the connection may take, not the stream. A reader that lets more
        than `limit` items wait gets `RESOURCE_EXHAUSTED` after those, and the stream is cancelled.
        """

        async def send(call: _OpenCall) -> int:
            if timeout is None:
                await self.connected()
            else:
                await self._connected_by(asyncio.get_running_loop().time() + timeout)
            call_id = self._begin(call)
            self._send(call_id, method.key, request, None, options)
            return call_id

        return Stream(self, method, send, limit)

    def open_session(
        self, method: StreamMethod[Request, Reply], request: Request, reader: SessionReader[Reply]
    ) -> None:
        """Opens the session stream of this connection: its items and its end carry call id 0."""
        self._last_call_id += 1
        self._session = (self._last_call_id, _SessionCall(method, reader))
        self._send(self._last_call_id, method.key, request, None, CallOptions())

    async def _connected_by(self, deadline: float) -> None:
        try:
            async with asyncio.timeout_at(deadline):
                await self.connected()
        except TimeoutError:
            raise CarillonError(
                StatusCode.UNAVAILABLE, message=f"{self.endpoint} was not reached in time."
            ) from None

    def _begin(self, call: _OpenCall) -> int:
        self._last_call_id += 1
        self._calls[self._last_call_id] = call
        return self._last_call_id

    def _cancel(self, call_id: int) -> None:
        if self._calls.pop(call_id, None) is not None:
            self._send_cancel(call_id)

    def _send_cancel(self, call_id: int) -> None:
        header = rpc_pb2.RequestHeader(
            version=VERSION, call_id=call_id, kind=rpc_pb2.REQUEST_KIND_CANCEL
        )
        self._transmit(pack_frame(header))

    def _send(
        self,
        call_id: int,
        key: int,
        request: Request,
        deadline: float | None,
        options: CallOptions,
    ) -> None:
        timeout_us = 0
        if deadline is not None:
            timeout_us = max(1, int((deadline - self._loop.time()) * 1_000_000))
        header = rpc_pb2.RequestHeader(
            version=VERSION,
            call_id=call_id,
            kind=rpc_pb2.REQUEST_KIND_CALL,
            method=key,
            timeout_us=timeout_us,
            session_id=options.session_id,
            term=options.term,
            traceparent=options.traceparent,
            idempotency_key=options.idempotency_key,
        )
        if not self._transmit(pack_frame(header, request.SerializeToString())):
            status = self._loss or Status(
                StatusCode.UNAVAILABLE, message=f"{self.endpoint} takes nothing now; try again."
            )
            self._end(call_id, lambda call: call.fail(status))

    def _transmit(self, frame: bytes) -> bool:
        if self._socket is None:
            return False
        try:
            self._socket.send(frame, zmq.NOBLOCK)
        except zmq.Again:
            return False
        # Sending may take up the wake-up of what has arrived: zmq_getsockopt(3), ZMQ_FD.
        self._loop.call_soon(self._receive)
        return True

    # Arrivals

    def _receive(self) -> None:
        for _ in range(_MESSAGES_PER_TURN):
            if self._socket is None:
                return
            try:
                frames = self._socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.last_heard = self._loop.time()
            self._handle(frames)
        self._loop.call_soon(self._receive)

    def _handle(self, frames: list[bytes]) -> None:
        try:
            header, body = read_reply(frames)
        except MalformedFrameError as error:
            logger.warning("Got bytes that are no reply from %s: %s", self.endpoint, error)
            return self._fail_all(_unreadable(str(error)))
        call_id, kind, status = header.call_id, header.kind, Status.of(header.status)
        if header.served_versions:
            served = ", ".join(str(version) for version in header.served_versions)
            message = f"{status.message} Versions served there: {served}."
            status = Status(status.code, status.session_status, status.reason, message)
        if kind == rpc_pb2.REPLY_KIND_ITEM:
            self._take_item(call_id, body, len(frames[0]))
        elif kind == rpc_pb2.REPLY_KIND_REPLY and call_id == 0:
            # The peer could not read a frame of ours, and so cannot say of which call it was.
            if not status.is_ok:
                self._fail_all(status)
        elif kind in (rpc_pb2.REPLY_KIND_REPLY, rpc_pb2.REPLY_KIND_END):
            self._end(call_id, lambda call: call.finish(status, body))

    def _take_item(self, call_id: int, body: bytes, frame_bytes: int) -> None:
        if call_id == 0:
            call = self._session[1] if self._session else None
        else:
            call = self._calls.get(call_id)
        if call is None:
            return
        try:
            call.take(body, frame_bytes)
        except DecodeError as error:
            logger.warning("Got an item that does not parse from %s: %s", self.endpoint, error)
            status = _unreadable(str(error))
            self._end(call_id, lambda call: call.fail(status))
            if call_id != 0:
                self._send_cancel(call_id)

    def _end(self, call_id: int, end: Callable[[_OpenCall], None]) -> None:
        """Takes a call out of the books; the session answers to 0 and to the id of its Start."""
        if (call := self._calls.pop(call_id, None)) is not None:
            end(call)
        elif self._session is not None and call_id in (0, self._session[0]):
            call = self._session[1]
            self._session = None
            end(call)

    def _fail_all(self, status: Status) -> None:
        for call_id in list(self._calls):
            self._end(call_id, lambda call: call.fail(status))
        if self._session is not None:
            self._end(0, lambda call: call.fail(status))

    # The connection

    def _observe(self) -> None:
        while self._monitor is not None:
            try:
                message = self._monitor.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            if parse_monitor_message(message)["event"] == zmq.EVENT_HANDSHAKE_SUCCEEDED:
                self.last_heard = self._loop.time()
                self._connected.set()
            elif self._connected.is_set() or not self._reconnects:
                self._lose()

    def _lose(self) -> None:
        self._drain()
        was_connected = self._connected.is_set()
        what = "was lost" if was_connected else "could not be made"
        status = Status(
            StatusCode.UNAVAILABLE, message=f"The connection to {self.endpoint} {what}; try again."
        )
        if self._reconnects:
            self._connected.clear()
            self._fail_all(status)
        elif self._socket is not None:
            self._close(status)

    def _drain(self) -> None:
        """Takes what arrived before the connection was lost, the end of the session perhaps."""
        while self._socket is not None and int(self._socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
            self._receive()


_MESSAGES_PER_TURN = 256


def _unreadable(why: str) -> Status:
    return Status(
        StatusCode.INTERNAL_ERROR,
        reason=StatusReason.MALFORMED,
        message=f"An answer could not be read: {why}",
    )


class _OpenCall(ABC):
    """A call that has not ended. `finish` or `fail` comes once, and nothing after it."""

    @abstractmethod
    def take(self, body: bytes, frame_bytes: int) -> None:
        """An item arrived. Raises `DecodeError` when it does not parse."""

    @abstractmethod
    def finish(self, status: Status, body: bytes) -> None:
        """The answerer ended the call."""

    @abstractmethod
    def fail(self, status: Status) -> None:
        """The call ended on this side of the connection."""


class _UnaryCall(_OpenCall, Generic[Request, Reply]):
    def __init__(self, method: UnaryMethod[Request, Reply]) -> None:
        self._method = method
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def take(self, body: bytes, frame_bytes: int) -> None:
        raise DecodeError(f"{self._method.name} answers once, and an item came")

    def finish(self, status: Status, body: bytes) -> None:
        if not status.is_ok:
            return self.fail(status)
        try:
            reply = self._method.reply.FromString(body)
        except DecodeError as error:
            return self.fail(_unreadable(str(error)))
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, status: Status) -> None:
        if not self.reply.done():
            self.reply.set_exception(CarillonError.of(status))
            self.reply.exception()  # It is not lost if its caller is gone by now.


class SessionReader(Protocol[Item]):
    """Who takes what arrives on a session stream."""

    def on_item(self, item: Item, frame_bytes: int) -> None:
        """`frame_bytes` is what a keep-alive acknowledges."""

    def on_end(self, status: Status) -> None:
        """The gateway ended the session."""

    def on_failure(self, status: Status) -> None:
        """Something was lost on the way: the session may still be there."""


class _SessionCall(_OpenCall, Generic[Request, Reply]):
    def __init__(self, method: StreamMethod[Request, Reply], reader: SessionReader[Reply]) -> None:
        self._method = method
        self._reader = reader

    def take(self, body: bytes, frame_bytes: int) -> None:
        self._reader.on_item(self._method.item.FromString(body), frame_bytes)

    def finish(self, status: Status, body: bytes) -> None:
        self._reader.on_end(status)

    def fail(self, status: Status) -> None:
        self._reader.on_failure(status)


class Stream(_OpenCall, Generic[Reply]):
    """The items of a server-streaming call, in order.

    Iterating ends with the stream, or raises its status as `CarillonError`. Leaving the
    `async with` block before the end cancels the call.
    """

    def __init__(
        self,
        channel: Channel,
        method: StreamMethod[Request, Reply],
        send: Callable[[_OpenCall], Awaitable[int]],
        limit: int,
    ) -> None:
        self._channel = channel
        self._item = method.item
        self._send = send
        self._limit = limit
        self._call_id = 0
        self._items: deque[Reply] = deque()
        self._end: Status | None = None
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._call_id = await self._send(self)
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Reply:
        while not self._items:
            if self._end is not None:
                if self._end.is_ok:
                    raise StopAsyncIteration
                raise CarillonError.of(self._end)
            self._news.clear()
            await self._news.wait()
        return self._items.popleft()

    def cancel(self) -> None:
        """Gives the stream up and tells the answerer; nothing more arrives."""
        self._channel._cancel(self._call_id)
        self.fail(Status(StatusCode.CANCELLED, message="The stream was cancelled."))

    def take(self, body: bytes, frame_bytes: int) -> None:
        item = self._item.FromString(body)
        if len(self._items) < self._limit:
            self._items.append(item)
            self._news.set()
            return
        self._channel._cancel(self._call_id)
        self.fail(
            Status(
                StatusCode.RESOURCE_EXHAUSTED,
                SessionStatus.OK,
                StatusReason.SLOW_CONSUMER,
                f"More than {self._limit} items waited to be read.",
            )
        )

    def finish(self, status: Status, body: bytes) -> None:
        self.fail(status)

    def fail(self, status: Status) -> None:
        if self._end is None:
            self._end = status
            self._news.set()
