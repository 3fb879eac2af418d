"""Functions that wait for an event, and name the missing event when they time out.

These functions poll for states without notification, such as the counters, files or ports of
another process. A timeout only keeps a test from hanging, so it is about ten times the duration on
an idle machine.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, TypeVar, overload

SECONDS = 30.0

Answer = TypeVar("Answer")


class OverdueError(AssertionError):
    """An event that a test waited for did not happen in time."""

    def __init__(self, what: str, within: float) -> None:
        super().__init__(f"{what} did not come within {within:g} seconds")


@asynccontextmanager
async def due(what: str, within: float = SECONDS) -> AsyncIterator[None]:
    """Limits the time of a block that waits for an event.

    `async with due("the end of the session", 30):` names the event and the limit in seconds.
    """
    try:
        async with asyncio.timeout(within) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise OverdueError(what, within) from error
    except asyncio.CancelledError as error:
        # The whole test timed out. The note names the event for which the test waited.
        error.add_note(f"It waited for {what}.")
        raise


@overload
async def eventually(
    what: str,
    ask: Callable[[], Awaitable[Answer | None]],
    within: float = SECONDS,
    every: float = 0.02,
) -> Answer: ...


@overload
async def eventually(
    what: str, ask: Callable[[], Answer | None], within: float = SECONDS, every: float = 0.02
) -> Answer: ...


async def eventually(
    what: str, ask: Callable[[], Any], within: float = SECONDS, every: float = 0.02
) -> Any:
    """Calls `ask` until it returns a true value, and returns that value.

    `what` names the event, as in "presence to be ready". `ask` may be a coroutine function. `every`
    is the pause between two calls in seconds.
    """
    async with due(what, within):
        while True:
            answer = ask()
            if inspect.isawaitable(answer):
                answer = await answer
            if answer:
                return answer
            await asyncio.sleep(every)


def blocking_eventually(
    what: str, ask: Callable[[], Answer | None], within: float = SECONDS, every: float = 0.02
) -> Answer:
    """Works like `eventually`, for tests that are not coroutines."""
    deadline = time.monotonic() + within
    while True:
        if answer := ask():
            return answer
        if time.monotonic() >= deadline:
            raise OverdueError(what, within)
        time.sleep(every)
