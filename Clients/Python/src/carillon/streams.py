"""What waits for consumers, bounded: the stream that one reads, and all of a kind."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from carillon.errors import CarillonError, EventsLostError
from carillon.loose import LooseReference

Item = TypeVar("Item")
Event = TypeVar("Event")
StreamT = TypeVar("StreamT", bound="BoundedStream[Any]")


class BoundedStream(Generic[Item]):
    """The items of one consumer, in order: iterate over it with `async for`.

    At most `limit` items wait beside the initial ones; one more, and the consumer gets those that
    wait and then an error, which ends the stream. Nothing is left out silently, and nobody waits
    for a slow consumer. One task reads it at a time.

    A stream that nobody holds any more is gone at once, with what waits in it: leaving the loop is
    enough where the stream has no name, and `aclose` ends one that has.
    """

    def __init__(self, initial: Iterable[Item], limit: int, subscribers: Subscribers[Any]) -> None:
        self.reference = LooseReference[BoundedStream[Any]](self, subscribers.forget)
        """The one by which the session hands on what happens."""
        self._initial = deque(initial)
        self._items: deque[Item] = deque()
        self._limit = limit
        self._subscribers = subscribers
        self._error: CarillonError | None = None
        self._was_too_slow = False
        self._is_over = False
        self._news = asyncio.Event()

    def __aiter__(self) -> Self:
        return self

    async def __anext__(self) -> Item:
        if self._initial:
            return self._initial.popleft()
        while not self._items:
            if self._error is not None:
                error, self._error = self._error, None
                raise error
            if self._is_over:
                raise StopAsyncIteration
            self._news.clear()
            with self.reference.held():
                await self._news.wait()
        return self._items.popleft()

    async def aclose(self) -> None:
        """Ends the stream for whoever reads it, and drops what waits. Idempotent."""
        self.close()
        self._initial.clear()
        self._items.clear()
        self._error = None

    @property
    def is_over(self) -> bool:
        """Whether no more items come than those that wait."""
        return self._is_over

    @property
    def was_too_slow(self) -> bool:
        """More than `limit` items waited; the error comes, or came, after them."""
        return self._was_too_slow

    def close(self) -> None:
        """Takes no more items; those that wait can still be read. Idempotent."""
        if not self._is_over:
            self._is_over = True
            self._news.set()
            self._subscribers.remove(self)

    def begin(self, items: Iterable[Item]) -> None:
        """Adds what comes first, beside the limit; called by the session."""
        self._initial.extend(items)

    def push(self, item: Item) -> None:
        """Adds an item; called by the session."""
        if self._is_over:
            return
        is_last = self._is_last(item)
        if len(self._items) >= self._limit and not is_last:
            self.overflow(item)
            return
        self._items.append(item)
        self._news.set()
        if is_last:
            self.close()

    def overflow(self, item: Item) -> None:
        """There is no room for an item: the stream ends with an error. Called by the session."""
        if not self._is_over:
            self._was_too_slow = True
            self._error = self._overflow_error(item)
            self.close()

    def _is_last(self, item: Item) -> bool:
        """Whether the stream ends after this item, which then always has room."""
        return False

    def _overflow_error(self, item: Item) -> CarillonError:
        """What to tell a consumer who misses this item and all that follow."""
        return EventsLostError(self._limit)


class Subscribers(Generic[Event]):
    """The streams of all consumers of one kind of events, as long as somebody holds them.

    With a `backlog_limit` a stream also begins with what came before it was made, until
    `forget_backlog`: nothing is missed by who makes one as soon as the session is entered. A
    backlog beyond the limit ends such a stream as slowness would.
    """

    def __init__(self, backlog_limit: int | None = None) -> None:
        self._takers: dict[LooseReference[Any], Callable[[Any, Event], None]] = {}
        self._backlog: list[Event] | None = None if backlog_limit is None else []
        self._backlog_limit = backlog_limit or 0
        self._is_over = False
        self.slow_streams = 0
        """How many streams have ended because they were read too slowly."""

    def __len__(self) -> int:
        """How many streams there are that have not ended."""
        return len(self._takers)

    @property
    def has_backlog(self) -> bool:
        """Whether a stream that is added now begins with what came before."""
        return self._backlog is not None

    def add(self, stream: StreamT, take: Callable[[StreamT, Event], None]) -> None:
        """A stream of these subscribers, and the method that takes an event for it."""
        backlog = self._backlog or []
        for event in backlog[: self._backlog_limit]:
            take(stream, event)
        if len(backlog) > self._backlog_limit:
            stream.overflow(backlog[self._backlog_limit])
        if self._is_over:
            stream.close()
        elif not stream.is_over:
            self._takers[stream.reference] = take

    def publish(self, event: Event) -> None:
        """Hands an event to every stream."""
        # One more than the limit is kept: it tells that there was more.
        if self._backlog is not None and len(self._backlog) <= self._backlog_limit:
            self._backlog.append(event)
        for reference, take in list(self._takers.items()):
            if (stream := reference()) is not None:
                take(stream, event)

    def forget_backlog(self) -> None:
        """Streams that are added from now on begin with what comes from now on."""
        self._backlog = None

    def close(self) -> None:
        """The session is over: what waits can still be read. Idempotent."""
        self._is_over = True
        for reference in list(self._takers):
            if (stream := reference()) is not None:
                stream.close()

    def remove(self, stream: BoundedStream[Any]) -> None:
        """A stream has ended."""
        if stream.was_too_slow:
            self.slow_streams += 1
        self.forget(stream.reference)

    def forget(self, reference: LooseReference[Any]) -> None:
        """A stream has ended, or nobody holds it any more. Idempotent."""
        self._takers.pop(reference, None)
