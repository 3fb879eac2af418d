"""How long to wait before something is tried again."""

from __future__ import annotations

import random

FIRST_PAUSE_SECONDS = 0.1
LONGEST_PAUSE_SECONDS = 1.0


class Backoff:
    """Pauses that grow, each with a random part.

    All clients of a gateway lose it together: the random part keeps them from coming back together.
    """

    def __init__(self) -> None:
        self._longest_next = FIRST_PAUSE_SECONDS

    def next_seconds(self) -> float:
        """The next pause: half of what it may be at most, or more."""
        longest = self._longest_next
        self._longest_next = min(2 * longest, LONGEST_PAUSE_SECONDS)
        return longest * random.uniform(0.5, 1)

    def reset(self) -> None:
        """Something succeeded: the next pause is a short one again."""
        self._longest_next = FIRST_PAUSE_SECONDS
