"""The calls that are open on a channel: unary ones, streams, and the session."""

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
    """What calls fail with when bytes came that are no answer; `why` is for a person."""
    return Status(
        StatusCode.INTERNAL_ERROR,
        reason=StatusReason.MALFORMED,
        message=f"An answer could not be read: {why}",
    )


class OpenCall(ABC):
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


class UnaryCall(OpenCall, Generic[Request, Reply]):
    """A call that is answered once; `reply` has the answer."""

    def __init__(self, method: UnaryMethod[Request, Reply]) -> None:
        self._method = method
        self.reply: asyncio.Future[Reply] = asyncio.get_running_loop().create_future()

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Raises `DecodeError`: no item belongs to it."""
        raise DecodeError(f"{self._method.name} answers once, and an item came")

    def finish(self, status: Status, body: bytes) -> None:
        """The answer came."""
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
        """The call has no answer."""
        if not self.reply.done():
            self.reply.set_exception(CarillonError.of(status))
            self.reply.exception()  # It is not lost if its caller is gone by now.


class SessionReader(Protocol[Item_contra]):
    """Who takes what arrives on a session stream."""

    def on_item(self, item: Item_contra, frame_bytes: int) -> None:
        """`frame_bytes` is what a keep-alive acknowledges."""

    def on_end(self, status: Status) -> None:
        """The gateway ended the session."""

    def on_failure(self, status: Status) -> None:
        """Something was lost on the way: the session may still be there."""


class SessionCall(OpenCall, Generic[Request, Reply]):
    """The session stream of a connection, which hands on what arrives."""

    def __init__(self, method: StreamMethod[Request, Reply], reader: SessionReader[Reply]) -> None:
        self._method = method
        self._reader = reader

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Hands an item on."""
        self._reader.on_item(self._method.item.FromString(body), frame_bytes)

    def finish(self, status: Status, body: bytes) -> None:
        """Says that the gateway ended the session."""
        self._reader.on_end(status)

    def fail(self, status: Status) -> None:
        """Says that something was lost on the way."""
        self._reader.on_failure(status)


class StreamCall(OpenCall):
    """An open stream, as its channel knows it: by itself it keeps no stream alive."""

    def __init__(self, stream: LooseReference[Stream[Any]]) -> None:
        self._stream = stream

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Hands an item on."""
        if (stream := self._stream()) is not None:
            stream.take(body, frame_bytes)

    def finish(self, status: Status, body: bytes) -> None:
        """The answerer ended the stream."""
        self.fail(status)

    def fail(self, status: Status) -> None:
        """The stream has ended."""
        if (stream := self._stream()) is not None:
            stream.fail(status)


class StreamChannel(Protocol):
    """What a stream needs of its channel."""

    def cancel_call(self, call_id: int) -> None:
        """Gives a call up that is open, and tells the answerer."""

    def cancel_call_soon(self, call_id: int) -> None:
        """The same from any thread, in the next turn of the loop."""

    def held(self) -> AbstractContextManager[None]:
        """Within this the channel lives on, although nobody else holds it."""


class Stream(Generic[Reply]):
    """The items of a server-streaming call, in order.

    Iterating ends with the stream, or raises its status as `CarillonError`. Leaving the
    `async with` block before the end cancels the call; so does `aclose`, and so it is cancelled
    when nobody holds the stream any more.
    """

    def __init__(
        self,
        method: StreamMethod[Any, Reply],
        send: Callable[[OpenCall], Awaitable[int]],
        channel: StreamChannel,
        limit: int,
    ) -> None:
        """`send` sends the call and returns its id."""
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
            raise RuntimeError("Enter the stream before it is read: async with ... as items.")
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
        """Gives the stream up, and drops what waits: it is at its end. Idempotent."""
        self._channel.cancel_call(self._call_id)
        self._items.clear()
        self._end = Status()
        self._news.set()

    def __del__(self) -> None:
        if self._call_id and self._end is None:
            self._channel.cancel_call_soon(self._call_id)

    def cancel(self) -> None:
        """Gives the stream up and tells the answerer; nothing more arrives."""
        self._channel.cancel_call(self._call_id)
        self.fail(Status(StatusCode.CANCELLED, message="The stream was cancelled."))

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Keeps an item until it is read; with one too many the stream is cancelled."""
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
        """The stream has ended: what waits can still be read."""
        if self._end is None:
            self._end = status
            self._news.set()
