"""Ways in which a command leaves the meeting: on a signal, or after a time."""

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
    """Leaves when `stopped` is set, or after `seconds`; `None` for no limit."""
    with contextlib.suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await stopped.wait()
    await session.leave()
