"""The time that somebody who is missing after a new epoch has to come back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

DROP_AFTER_SECONDS = 5
"""How long where the server does not say it: `Limits.drop_after_seconds` is 0."""


class MissingTimer:
    """Confirms that what is missing is gone, when the time to come back has passed.

    Who was lost together with the owner of a stream has as long to come back as anybody.
    """

    def __init__(self, has_missing: Callable[[], bool], confirm: Callable[[], None]) -> None:
        self._has_missing = has_missing
        self._confirm = confirm
        self._timer: asyncio.TimerHandle | None = None

    def watch(self, drop_after_seconds: int) -> None:
        """Begins to wait if something is missing and none is awaited; call it after each item."""
        if self._timer is None and self._has_missing():
            seconds = drop_after_seconds or DROP_AFTER_SECONDS
            self._timer = asyncio.get_running_loop().call_later(seconds, self._ring)

    def cancel(self) -> None:
        """The session is over. Idempotent."""
        if self._timer is not None:
            self._timer.cancel()

    def _ring(self) -> None:
        self._timer = None
        self._confirm()
