"""Bounded streams of items for consumers, and the set of all streams of one kind."""

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
    """The items of one consumer, in order, to iterate over with `async for`.

    At most `limit` items wait, not counting the initial ones. If one more arrives, the consumer
    gets the waiting items and then an error, which ends the stream. The stream drops no item
    without that error, and a slow consumer does not block the session. Only one task may read a
    stream at a time.

    Python frees a stream without references immediately, together with its waiting items. So
    leaving the loop ends a stream that the program did not store; `aclose` ends a stored stream.
    """

    def __init__(self, initial: Iterable[Item], limit: int, subscribers: Subscribers[Any]) -> None:
        self.reference = LooseReference[BoundedStream[Any]](self, subscribers.forget)
        """The reference through which the session adds items."""
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
        """Ends the stream and drops the waiting items. Idempotent."""
        self.close()
        self._initial.clear()
        self._items.clear()
        self._error = None

    @property
    def is_over(self) -> bool:
        """Whether the stream accepts no more items. The program can still read waiting items."""
        return self._is_over

    @property
    def was_too_slow(self) -> bool:
        """Whether more than `limit` items waited. The stream raises an error after these items."""
        return self._was_too_slow

    def close(self) -> None:
        """Stops accepting items. The program can still read waiting items. Idempotent."""
        if not self._is_over:
            self._is_over = True
            self._news.set()
            self._subscribers.remove(self)

    def begin(self, items: Iterable[Item]) -> None:
        """Adds initial items, which do not count towards the limit. Called by the session."""
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
        """Ends the stream with an error, because this item exceeds the limit.

        Called by the session.
        """
        if not self._is_over:
            self._was_too_slow = True
            self._error = self._overflow_error(item)
            self.close()

    def _is_last(self, item: Item) -> bool:
        """Returns whether the stream ends after this item. Such an item may exceed the limit."""
        return False

    def _overflow_error(self, item: Item) -> CarillonError:
        """Returns the error for a consumer who misses this item and all later ones."""
        return EventsLostError(self._limit)


class Subscribers(Generic[Event]):
    """The streams of all consumers of one kind of events, as weak references.

    With a `backlog_limit`, this class also keeps events as a backlog until `forget_backlog`, and a
    new stream starts with the backlog. So a stream that the program creates right after it entered
    the session misses no event. If the backlog exceeds the limit, a stream that starts with this
    backlog ends like the stream of a slow consumer.
    """

    def __init__(self, backlog_limit: int | None = None) -> None:
        self._takers: dict[LooseReference[Any], Callable[[Any, Event], None]] = {}
        self._backlog: list[Event] | None = None if backlog_limit is None else []
        self._backlog_limit = backlog_limit or 0
        self._is_over = False
        self.slow_streams = 0
        """The number of streams that ended because the program read them too slowly."""

    def __len__(self) -> int:
        """Returns the number of streams that have not ended."""
        return len(self._takers)

    @property
    def has_backlog(self) -> bool:
        """Whether the next stream starts with the backlog."""
        return self._backlog is not None

    def add(self, stream: StreamT, take: Callable[[StreamT, Event], None]) -> None:
        """Adds a stream. `take` is the method of the stream that takes an event."""
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
        """Passes an event to every stream."""
        # The stream keeps one event above the limit, so that it can detect later that the backlog
        # overflowed.
        if self._backlog is not None and len(self._backlog) <= self._backlog_limit:
            self._backlog.append(event)
        for reference, take in list(self._takers.items()):
            if (stream := reference()) is not None:
                take(stream, event)

    def forget_backlog(self) -> None:
        """Drops the backlog. Later streams start with later events."""
        self._backlog = None

    def close(self) -> None:
        """Closes all streams. The program can still read waiting items. Idempotent."""
        self._is_over = True
        for reference in list(self._takers):
            if (stream := reference()) is not None:
                stream.close()

    def remove(self, stream: BoundedStream[Any]) -> None:
        """Removes a stream that has ended, and counts the stream if its reader was too slow."""
        if stream.was_too_slow:
            self.slow_streams += 1
        self.forget(stream.reference)

    def forget(self, reference: LooseReference[Any]) -> None:
        """Removes the reference of a stream that has ended or was freed. Idempotent."""
        self._takers.pop(reference, None)
