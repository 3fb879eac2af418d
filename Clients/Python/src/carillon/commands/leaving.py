"""The moment at which a command leaves its meeting."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Callable

from carillon.session import Session


def on_signal(stop: Callable[[], object]) -> None:
    """Calls `stop` on SIGINT and SIGTERM, on the running event loop."""
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop)


async def leave_when(session: Session, stopped: asyncio.Event, seconds: float | None) -> None:
    """Leaves when it is asked to, or after so many seconds; `None`: only when it is asked to."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopped.wait()
    await session.leave()
