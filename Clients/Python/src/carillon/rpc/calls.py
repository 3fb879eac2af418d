"""The calls that are open on a channel: unary ones, streams, and the session."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Generic, Protocol, Self, TypeVar

from google.protobuf.message import DecodeError, Message

from carillon.errors import CarillonError, SessionStatus, Status, StatusCode, StatusReason
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


class Stream(OpenCall, Generic[Reply]):
    """The items of a server-streaming call, in order.

    Iterating ends with the stream, or raises its status as `CarillonError`. Leaving the
    `async with` block before the end cancels the call.
    """

    def __init__(
        self,
        method: StreamMethod[Request, Reply],
        send: Callable[[OpenCall], Awaitable[int]],
        give_up: Callable[[int], None],
        limit: int,
    ) -> None:
        """`send` sends the call and returns its id; `give_up` tells the answerer."""
        self._give_up = give_up
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
        self._give_up(self._call_id)
        self.fail(Status(StatusCode.CANCELLED, message="The stream was cancelled."))

    def take(self, body: bytes, frame_bytes: int) -> None:
        """Keeps an item until it is read; with one too many the stream is cancelled."""
        item = self._item.FromString(body)
        if len(self._items) < self._limit:
            self._items.append(item)
            self._news.set()
            return
        self._give_up(self._call_id)
        self.fail(
            Status(
                StatusCode.RESOURCE_EXHAUSTED,
                SessionStatus.OK,
                StatusReason.SLOW_CONSUMER,
                f"More than {self._limit} items waited to be read.",
            )
        )

    def finish(self, status: Status, body: bytes) -> None:
        """The answerer ended the stream."""
        self.fail(status)

    def fail(self, status: Status) -> None:
        """The stream has ended: what waits can still be read."""
        if self._end is None:
            self._end = status
            self._news.set()
