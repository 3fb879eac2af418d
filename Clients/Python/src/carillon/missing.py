"""The timer for attendees and sources that have been missing since a new epoch started."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

DROP_AFTER_SECONDS = 5
"""The waiting time if the server states no limit: `Limits.drop_after_seconds` is then 0."""


class MissingTimer:
    """Calls `confirm` when the time to reconnect is over for missing attendees or sources.

    If a participant loses its connection when the owner of a stream fails, the participant gets the
    same time to reconnect as any other participant.
    """

    def __init__(self, has_missing: Callable[[], bool], confirm: Callable[[], None]) -> None:
        self._has_missing = has_missing
        self._confirm = confirm
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, drop_after_seconds: int) -> None:
        """Starts the timer if something is missing and the timer is not running.

        Call this method after each item. `drop_after_seconds` is the time to wait; 0 for the
        default.
        """
        if self._timer is None and self._has_missing():
            seconds = drop_after_seconds or DROP_AFTER_SECONDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)

    def cancel(self) -> None:
        """Stops the timer when the session has ended. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        self._confirm()
