"""When a command leaves its meeting."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from carillon.session import Session


def on_signal(stop: Callable[[], object]) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


async def leave_when(session: Session, stopped: asyncio.Event, seconds: float | None) -> None:
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopped.wait()
    await session.leave()
