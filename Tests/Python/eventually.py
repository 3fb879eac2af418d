"""Waits whose failure names the event that did not come.

For what nobody is told: what another process counts, writes or listens at. A limit here only keeps
a test from hanging, so it is about ten times what the step takes when nothing else runs.
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
    """What a test waited for did not come in time."""

    def __init__(self, what: str, within: float) -> None:
        super().__init__(f"{what} did not come within {within:g} seconds")


@asynccontextmanager
async def due(what: str, within: float = SECONDS) -> AsyncIterator[None]:
    """`async with due("the end of the session", 30):` limits what waits for an event by itself."""
    try:
        async with asyncio.timeout(within) as limit:
            yield
    except TimeoutError as error:
        if not limit.expired():
            raise
        raise OverdueError(what, within) from error
    except asyncio.CancelledError as error:
        # The time of the whole test is over: the traceback shows what it was waiting for.
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
    """Asks again and again until the answer is true, and returns it.

    `what` is the event, as in "presence to be ready"; `ask` may be a coroutine function; `every` is
    the pause in seconds that spares the other process.
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
    """The same for tests that are no coroutines."""
    deadline = time.monotonic() + within
    while True:
        if answer := ask():
            return answer
        if time.monotonic() >= deadline:
            raise OverdueError(what, within)
        time.sleep(every)
