"""A pacer for periodic work."""

from __future__ import annotations

import asyncio

_LONGEST_DELAY = 0.5


class Pacer:
    """Waits for periodic absolute deadlines, so that delays do not accumulate.

    A caller that is more than 0.5 s late does not catch up: the deadlines restart at the time of
    the caller's call.
    """

    def __init__(self, period: float) -> None:
        self.period = period
        self._next: float | None = None

    async def wait(self) -> float:
        """Waits for the next deadline. Returns immediately if that deadline has passed.

        Returns the time that a restart skipped, in seconds.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        skipped = 0.0
        if self._next is None:
            self._next = now
        elif now > self._next + _LONGEST_DELAY:
            skipped, self._next = now - self._next, now
        if self._next > now:
            await asyncio.sleep(self._next - now)
        self._next += self.period
        return skipped
