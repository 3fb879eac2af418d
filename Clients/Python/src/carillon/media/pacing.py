"""Moments at a steady distance."""

from __future__ import annotations

import asyncio

_LONGEST_DELAY = 0.5


class Pacer:
    """Waits for one absolute deadline after the other, so that lateness does not add up.

    Who is more than half a second late does not make up for it: the deadlines begin anew.
    """

    def __init__(self, period: float) -> None:
        self.period = period
        self._next: float | None = None

    async def wait(self) -> float:
        """Returns at the next deadline, or at once when it is past; how much time was left out."""
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
