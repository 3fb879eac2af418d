"""What waits for one consumer, bounded."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from carillon.errors import CarillonError

Item = TypeVar("Item")


class BoundedStream(ABC, Generic[Item]):
    """The items of one consumer, in order: iterate over it with `async for`.

    At most `limit` items wait beside the initial ones; one more, and the consumer gets those that
    wait and then an error, which ends the stream. Nothing is left out silently, and nobody waits
    for a slow consumer. One task reads it at a time.
    """

    def __init__(
        self,
        initial: Iterable[Item],
        limit: int,
        on_close: Callable[[BoundedStream[Any]], None],
    ) -> None:
        self._initial = deque(initial)
        self._items: deque[Item] = deque()
        self._limit = limit
        self._on_close = on_close
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
            await self._news.wait()
        return self._items.popleft()

    @property
    def was_too_slow(self) -> bool:
        """More than `limit` items waited; the error comes, or came, after them."""
        return self._was_too_slow

    def close(self) -> None:
        """Takes no more items; those that wait can still be read. Idempotent."""
        if not self._is_over:
            self._is_over = True
            self._news.set()
            self._on_close(self)

    def push(self, item: Item) -> None:
        """Adds an item; called by the session."""
        if self._is_over:
            return
        is_last = self._is_last(item)
        if len(self._items) >= self._limit and not is_last:
            return self.overflow(item)
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

    @abstractmethod
    def _overflow_error(self, item: Item) -> CarillonError:
        """What to tell a consumer who misses this item and all that follow."""
