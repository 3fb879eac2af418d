"""The open calls of a channel: unary calls, streams, and the session stream."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from google.protobuf.message import DecodeError, Message

from carillon.errors import CarillonError, SessionStatus, Status, StatusCode, StatusReason
from carillon.loose import LooseReference
from carillon.methods import Reply, Request, StreamMethod, UnaryMethod

Item_contra = TypeVar("Item_contra", bound=Message, contravariant=True)


def unreadable(why: str) -> Status:
    """Returns the status of a call whose answer is unreadable. `why` is a text for people."""
    return Status(
        StatusCode.INTERNAL_ERROR,
        reason=StatusReason.MALFORMED,
        message=f"An answer could not be read: {why}",
    )


class OpenCall(ABC):
    """A call that has not ended. The channel calls `finish` or `fail` once, as the last call."""

    @abstractmethod
    def take(self, body: bytes, frame_bytes: int) -> None:
        """Takes an item. Raises `DecodeError` if the bytes are not an item of this call."""

    @abstractmethod
    def finish(self, status: Status, body: bytes) -> None:
        """Ends the call with the answer of the peer."""

    @abstractmethod
    def fail(self, status: Status) -> None:
        """Ends the call with an error of this side of the connection."""


class UnaryCall(OpenCall, Generic[Request, Reply]):
    """A call with one reply, which `reply` contains."""

    def __init__(self, method: UnaryMethod[Request, Reply]) -> None:
        self._method = method
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Raises `DecodeError`, because a unary call has no items."""
        raise DecodeError(f"{self._method.name} has one reply, but the server sent an item")

    def finish(self, status: Status, body: bytes) -> None:
        """Sets the reply, or the error if the status is not `OK`."""
        if not status.is_ok:
            self.fail(status)
            return
        try:
            reply = self._method.reply.FromString(body)
        except DecodeError as error:
            self.fail(unreadable(str(error)))
            return
        if not self.reply.done():
            self.reply.set_result(reply)

    def fail(self, status: Status) -> None:
        """Fails the call with the error for a status."""
        if not self.reply.done():
            self.reply.set_exception(CarillonError.of(status))
            # This marks the error as retrieved, because perhaps nobody awaits the reply.
            self.reply.exception()


class SessionReader(Protocol[Item_contra]):
    """The reader of a session stream."""

    def on_item(self, item: Item_contra, frame_bytes: int) -> None:
        """Called for each item. A keep-alive acknowledges the item's size, `frame_bytes`."""

    def on_end(self, status: Status) -> None:
        """Called when the gateway ended the session."""

    def on_failure(self, status: Status) -> None:
        """Called when the connection failed. The session may still exist."""


class SessionCall(OpenCall, Generic[Request, Reply]):
    """The session stream of a connection. It passes its items to a reader."""

    def __init__(self, method: StreamMethod[Request, Reply], reader: SessionReader[Reply]) -> None:
        self._method = method
        self._reader = reader

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Passes an item on to the reader."""
        self._reader.on_item(self._method.item.FromString(body), frame_bytes)

    def finish(self, status: Status, body: bytes) -> None:
        """Reports to the reader that the gateway ended the session."""
        self._reader.on_end(status)

    def fail(self, status: Status) -> None:
        """Reports to the reader that the connection failed."""
        self._reader.on_failure(status)


class StreamCall(OpenCall):
    """An entry of the call table for an open stream. The entry refers to the stream weakly."""

    def __init__(self, stream: LooseReference[Stream[Any]]) -> None:
        self._stream = stream

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Passes an item on to the reader."""
        if (stream := self._stream()) is not None:
            stream.take(body, frame_bytes)

    def finish(self, status: Status, body: bytes) -> None:
        """Ends the stream with the status of the peer."""
        self.fail(status)

    def fail(self, status: Status) -> None:
        """Ends the stream."""
        if (stream := self._stream()) is not None:
            stream.fail(status)


class StreamChannel(Protocol):
    """Those methods of a channel that a stream uses."""

    def cancel_call(self, call_id: int) -> None:
        """Cancels an open call, here and at the peer."""

    def cancel_call_soon(self, call_id: int) -> None:
        """Cancels an open call in the next turn of the loop. Any thread may call this method."""

    def held(self) -> AbstractContextManager[None]:
        """Returns a context that keeps the channel alive even without other references."""


class Stream(Generic[Reply]):
    """The items of a server-streaming call, in order.

    Iteration ends with the stream, or raises the stream's status as `CarillonError`. The stream
    cancels the call when the program leaves the `async with` block early, calls `aclose`, or drops
    its last reference to the stream.
    """

    def __init__(
        self,
        method: StreamMethod[Any, Reply],
        send: Callable[[OpenCall], Awaitable[int]],
        channel: StreamChannel,
        limit: int,
    ) -> None:
        """Creates a stream. `send` sends the call and returns its id."""
        self._reference = LooseReference[Stream[Any]](self)
        self._channel = channel
        self._item = method.item
        self._send = send
        self._limit = limit
        self._call_id = 0
        self._items: deque[Reply] = deque()
        self._end: Status | None = None
        self._news = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._call_id = await self._send(StreamCall(self._reference))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.cancel()

    def __aiter__(self) -> Self:
        if not self._call_id:
            raise RuntimeError("Enter the stream before you read it: async with ... as items.")
        return self

    async def __anext__(self) -> Reply:
        while not self._items:
            if self._end is not None:
                if self._end.is_ok:
                    raise StopAsyncIteration
                raise CarillonError.of(self._end)
            self._news.clear()
            with self._channel.held(), self._reference.held():
                await self._news.wait()
        return self._items.popleft()

    async def aclose(self) -> None:
        """Cancels the call, drops the waiting items and ends the stream. Idempotent."""
        self._channel.cancel_call(self._call_id)
        self._items.clear()
        self._end = Status()
        self._news.set()

    def __del__(self) -> None:
        if self._call_id and self._end is None:
            self._channel.cancel_call_soon(self._call_id)

    def cancel(self) -> None:
        """Cancels the call and ends the stream with `CANCELLED` after its waiting items."""
        self._channel.cancel_call(self._call_id)
        self.fail(Status(StatusCode.CANCELLED, message="The stream was cancelled."))

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Queues an item. If the queue is full, the channel cancels the stream."""
        item = self._item.FromString(body)
        if len(self._items) < self._limit:
            self._items.append(item)
            self._news.set()
            return
        self._channel.cancel_call(self._call_id)
        self.fail(
            Status(
                StatusCode.RESOURCE_EXHAUSTED,
                SessionStatus.OK,
                StatusReason.SLOW_CONSUMER,
                f"More than {self._limit} items waited to be read.",
            )
        )

    def fail(self, status: Status) -> None:
        """Ends the stream. The program can still read waiting items."""
        if self._end is None:
            self._end = status
            self._news.set()
